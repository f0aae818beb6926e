(** The first drop under DT for bursts with any arrivals beside steady ports that are offered R_b(t) >= C, however little
    (edt.ours.first-drop.slow-ports).

    As in FirstDropAny.v, but the excess e of the steady queues over the threshold may be negative: with
    Z' = alpha S' - (1 + alpha N) C it moves by Z' while it is positive, by Z' + (1 + alpha N) R_b while it is negative, and
    rests at 0 while Z' <= 0 <= Z' + (1 + alpha N) R_b.                                                       *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario FirstDropLag.
Open Scope R_scope.

(** [Rb t] is what each steady port is offered, [dZ] the slope of Z. *)
Record slow_ports (M N : nat) (alpha C tau : real) (R : nat -> real -> real) (Rb : real -> real) (q : nat -> real -> real) (e de : real -> real) : Prop := {
  sp_rate_nonneg : forall i t, (i < M)%nat -> 0 <= t < tau -> 0 <= R i t;
  sp_rate_lasts : forall i t, (i < M)%nat -> 0 <= t < tau -> 0 < R i t ->
    exists d, 0 < d /\ forall u, t <= u < t + d -> u < tau -> 0 < R i u;
  sp_rate_b : forall t, 0 <= t < tau -> C <= Rb t;
  sp_q_start : forall i, (i < M)%nat -> q i 0 = 0;
  sp_q_nonneg : forall i t, (i < M)%nat -> 0 <= t <= tau -> 0 <= q i t;
  sp_q_bounded : exists X, forall i t, (i < M)%nat -> 0 <= t <= tau -> q i t < X;
  sp_q_continuous : forall i, (i < M)%nat -> continuous_on (q i) 0 tau;
  sp_q_slope : forall i t, (i < M)%nat -> 0 <= t < tau -> right_derivative (q i) t (reflected C (q i t) (R i t));
  sp_e_start : e 0 = 0;
  sp_e_continuous : continuous_on e 0 tau;
  sp_e_slope : forall t, 0 <= t < tau -> right_derivative e t (de t);
  sp_e_rule : forall t, 0 <= t < tau ->
    let dZ := alpha * sum M (fun i => reflected C (q i t) (R i t)) - (1 + alpha * INR N) * C in
    let up := dZ + (1 + alpha * INR N) * Rb t in
    (0 < e t -> de t = dZ) /\ (e t < 0 -> de t = up) /\
    (e t = 0 -> de t = if Rlt_dec 0 dZ then dZ else if Rlt_dec up 0 then up else 0)
}.

Section Slow.
Variables (M N Z : nat) (alpha B C : real) (R : nat -> real -> real) (Rb : real -> real) (q : nat -> real -> real) (e de : real -> real) (tau : real).
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (tau_nonneg : 0 <= tau).
Hypothesis given : slow_ports M N alpha C tau R Rb q e de.
Notation n := (INR N).
Notation dt := (dt_switch (M + N + Z) alpha B C).

Lemma slow_is_lag t1 : 0 <= t1 <= tau -> lag M N alpha C t1 R (fun _ => Rb) q e de.
Proof.
  intros Ht1. pose proof (steady_denominator N alpha alpha_pos) as Hn.
  split; intros.
  - apply (sp_rate_nonneg _ _ _ _ _ _ _ _ _ _ given); auto; lra.
  - destruct (sp_rate_lasts _ _ _ _ _ _ _ _ _ _ given i t) as (d & Hd & K); auto; [lra|]. exists d. split; auto. intros u Hu Hut. apply K; auto. lra.
  - apply (sp_q_start _ _ _ _ _ _ _ _ _ _ given); auto.
  - apply (sp_q_nonneg _ _ _ _ _ _ _ _ _ _ given); auto; lra.
  - destruct (sp_q_bounded _ _ _ _ _ _ _ _ _ _ given) as [X K]. exists X. intros i t Hi Ht. apply K; auto. lra.
  - apply (continuous_sub 0 tau); [lra|lra|]. apply (sp_q_continuous _ _ _ _ _ _ _ _ _ _ given); auto.
  - apply (sp_q_slope _ _ _ _ _ _ _ _ _ _ given); auto; lra.
  - apply (sp_e_start _ _ _ _ _ _ _ _ _ _ given).
  - apply (continuous_sub 0 tau); [lra|lra|]. apply (sp_e_continuous _ _ _ _ _ _ _ _ _ _ given).
  - apply (sp_e_slope _ _ _ _ _ _ _ _ _ _ given). lra.
  - subst dT. pose proof (sp_rate_b _ _ _ _ _ _ _ _ _ _ given t ltac:(lra)) as HR.
    destruct (sp_e_rule _ _ _ _ _ _ _ _ _ _ given t ltac:(lra)) as (K1 & K2 & K3).
    set (S := sum M (fun i => reflected C (q i t) (R i t))) in *.
    assert (Above : de t = alpha * S - (1 + alpha * n) * C -> - (alpha * (S + n * de t)) / (1 + alpha * n) + de t = - C).
    { intros E. rewrite E. field. lra. }
    assert (Below : de t = alpha * S - (1 + alpha * n) * C + (1 + alpha * n) * Rb t -> - (alpha * (S + n * de t)) / (1 + alpha * n) + de t = Rb t - C).
    { intros E. rewrite E. field. lra. }
    split; auto. split; [intros P; apply Above, K1, P|]. split; [intros P; apply Below, K2, P|]. intros z. specialize (K3 z).
    destruct (Rlt_dec 0 (alpha * S - (1 + alpha * n) * C)) as [c|c].
    { pose proof (Above K3) as A. rewrite A. symmetry. apply clip_low; [|lra]. lra. }
    destruct (Rlt_dec (alpha * S - (1 + alpha * n) * C + (1 + alpha * n) * Rb t) 0) as [d|d].
    { pose proof (Below K3) as A. rewrite A. symmetry. apply clip_high; [|lra]. lra. }
    rewrite K3. assert (Ed : - (alpha * (S + n * 0)) / (1 + alpha * n) = - (alpha * S / (1 + alpha * n))) by (field; lra). rewrite Ed, Rplus_0_r.
    assert (E : alpha * S / (1 + alpha * n) * (1 + alpha * n) = alpha * S) by (field; lra). symmetry. apply clip_inside. split.
    + assert (alpha * S / (1 + alpha * n) <= C); [|lra]. apply Rmult_le_reg_r with (1 + alpha * n); lra.
    + assert (- (Rb t - C) <= alpha * S / (1 + alpha * n)); [|lra]. apply Rmult_le_reg_r with (1 + alpha * n); lra.
Qed.

(** The first drop. *)
Theorem first_drop_slow_ports t1 Ar Q D : 0 <= t1 <= tau -> (forall j t, (M <= j < M + N)%nat -> 0 <= t < t1 -> Ar j t = Rb t) ->
  micro_burst M N Z alpha B C R t1 Ar Q D ->
  ((forall i t, (i < M)%nat -> 0 <= t < t1 -> rejected dt Ar Q D i t = 0) <-> lossless_until M N alpha B R q e t1) /\
  (lossless_until M N alpha B R q e t1 -> forall t, 0 <= t <= t1 ->
     (forall i, (i < M)%nat -> Q i t = q i t) /\ free dt Q t = T_any M N alpha B q e t / alpha /\
     forall i, threshold dt Q i t = T_any M N alpha B q e t).
Proof.
  intros Ht1 Hs Hm. apply (first_drop_lag M N Z alpha B C R (fun _ => Rb) q e de t1); auto; try lra. apply slow_is_lag; auto.
Qed.

End Slow.

(** The hypotheses can hold, with the steady queue below the threshold: one burst of rate 2 up to the instant 1 and then none,
    alpha = 1, C = 1, one steady port that is offered just C: e rests at 0 up to 1, and falls at 1 from then on. *)
Definition R_stop (t : real) : real := if Rlt_dec t 1 then 2 else 0.
Definition q_stop (t : real) : real := Rmin t 1 - (Rmin t 2 - Rmin t 1).
Definition e_stop (t : real) : real := - (Rmin t 2 - Rmin t 1).

Theorem first_drop_slow_ports_instance :
  slow_ports 1 1 1 1 2 (fun _ => R_stop) (fun _ => 1) (fun _ => q_stop) e_stop (fun t => if Rlt_dec t 1 then 0 else -1) /\ e_stop 2 < 0.
Proof.
  assert (Rd : forall c t, right_derivative (fun u => Rmin u c) t (if Rlt_dec t c then 1 else 0)).
  { intros c t. destruct (Rlt_dec t c) as [d|d].
    - apply (rd_stop_before t (fun u => u)); auto. apply rd_ext with (fun u => 1 * u + 0); [exists 1; split; [lra|]; intros; lra|apply rd_linear].
    - apply (rd_stop_after t (fun u => u)). lra. }
  assert (Cm : forall c, 0 <= c -> continuous_on (fun u => Rmin u c) 0 2).
  { intros c Hc. apply (continuous_stop 0 2 (fun u => u)); auto.
    apply continuous_ext with (fun u => 1 * u + 0); [intros; lra|apply continuous_linear]. }
  assert (Val : forall t, 0 <= t <= 2 -> q_stop t = if Rlt_dec t 1 then t else 2 - t).
  { intros t Ht. unfold q_stop. destruct (Rlt_dec t 1); [rewrite !Rmin_left; lra|].
    rewrite (Rmin_right t 1), (Rmin_left t 2) by lra. lra. }
  assert (Ve : forall t, 0 <= t <= 2 -> e_stop t = if Rlt_dec t 1 then 0 else 1 - t).
  { intros t Ht. unfold e_stop. destruct (Rlt_dec t 1); [rewrite !Rmin_left; lra|].
    rewrite (Rmin_right t 1), (Rmin_left t 2) by lra. lra. }
  split; [|rewrite Ve by lra; destruct (Rlt_dec 2 1); lra].
  split.
  - intros i t _ _. unfold R_stop. destruct (Rlt_dec t 1); lra.
  - intros i t _ Ht Hp. unfold R_stop in *. destruct (Rlt_dec t 1); [|lra]. exists (1 - t). split; [lra|].
    intros u Hu _. destruct (Rlt_dec u 1); lra.
  - intros; lra.
  - intros. rewrite Val by lra. destruct (Rlt_dec 0 1); lra.
  - intros i t _ Ht. rewrite Val by lra. destruct (Rlt_dec t 1); lra.
  - exists 2. intros i t _ Ht. rewrite Val by lra. destruct (Rlt_dec t 1); lra.
  - intros i _. unfold q_stop. apply continuous_minus; [apply Cm; lra|]. apply continuous_minus; apply Cm; lra.
  - intros i t _ Ht. unfold q_stop at 1. eapply rd_eq; [apply rd_minus; [apply Rd|apply rd_minus; apply Rd]|].
    unfold reflected, R_stop. rewrite Val by lra.
    destruct (Rlt_dec t 1), (Rlt_dec t 2); try lra.
    + destruct (Rlt_dec 0 t); [lra|]. rewrite Rmax_right; lra.
    + destruct (Rlt_dec 0 (2 - t)); lra.
  - rewrite Ve by lra. destruct (Rlt_dec 0 1); lra.
  - unfold e_stop. apply continuous_opp, continuous_minus; apply Cm; lra.
  - intros t Ht. unfold e_stop. eapply rd_eq; [apply rd_opp, rd_minus; apply Rd|].
    destruct (Rlt_dec t 1), (Rlt_dec t 2); lra.
  - intros t Ht dZ up. rewrite Ve by lra.
    assert (Er : reflected 1 (q_stop t) (R_stop t) = if Rlt_dec t 1 then 1 else -1).
    { unfold reflected, R_stop. rewrite Val by lra. destruct (Rlt_dec t 1).
      - destruct (Rlt_dec 0 t); [lra|]. rewrite Rmax_right; lra.
      - destruct (Rlt_dec 0 (2 - t)); lra. }
    assert (Ez : dZ = if Rlt_dec t 1 then -1 else -3) by (unfold dZ; simpl; rewrite Er; destruct (Rlt_dec t 1); ring).
    assert (Eu : up = if Rlt_dec t 1 then 1 else -1) by (unfold up; simpl; rewrite Ez; destruct (Rlt_dec t 1); ring).
    rewrite Ez, Eu. destruct (Rlt_dec t 1) as [c|c].
    + split; [lra|]. split; [lra|]. intros _. destruct (Rlt_dec 0 (-1)); [lra|]. destruct (Rlt_dec 1 0); lra.
    + split; [lra|]. split; [lra|]. intros _. destruct (Rlt_dec 0 (-3)); [lra|]. destruct (Rlt_dec (-1) 0); lra.
Qed.
