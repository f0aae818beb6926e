(** The first drop under DT for bursts with any arrivals, rates below C and pauses included, beside steady ports that are offered
    enough to follow every rising threshold.

    q_i is the length that queue i would have without any loss: q_i' = R_i - C while q_i > 0, max(R_i - C, 0) while
    q_i = 0 (the reflection of A_i(t) - C t at 0).  S = sum q_i,  Z(t) = alpha S(t) - (1 + alpha N) C t, and e is the
    reflection of Z at 0:  e' = Z' while e > 0, max(Z', 0) while e = 0.  The N steady ports are offered at least
    C (1 + alpha M / (1 + alpha N)).  With  T(t) = alpha (B - S(t) - N e(t)) / (1 + alpha N):

    [running_minima]  hence, with X_i(t) = A_i(t) - C t,  q_i(t) = X_i(t) - min X_i  and  e(t) = Z(t) - min Z  over [0, t];
    [first_drop_any]  no burst loses a byte before t1  <->  q_i(t) <= T(t) or R_i(t) = 0 for every i and t < t1;
    the first loss is at  inf { t : q_i(t) > T(t) and R_i(t) > 0 for some i },  and T is the threshold until then.   *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario FirstDropLag.
Open Scope R_scope.

Record any_arrivals (M N : nat) (alpha C tau : real) (R q : nat -> real -> real) (e de : real -> real) : Prop := {
  rate_nonneg : forall i t, (i < M)%nat -> 0 <= t < tau -> 0 <= R i t;
  rate_lasts : forall i t, (i < M)%nat -> 0 <= t < tau -> 0 < R i t ->
    exists d, 0 < d /\ forall u, t <= u < t + d -> u < tau -> 0 < R i u;
  q_start : forall i, (i < M)%nat -> q i 0 = 0;
  q_nonneg : forall i t, (i < M)%nat -> 0 <= t <= tau -> 0 <= q i t;
  q_bounded : exists X, forall i t, (i < M)%nat -> 0 <= t <= tau -> q i t < X;
  q_continuous : forall i, (i < M)%nat -> continuous_on (q i) 0 tau;
  q_slope : forall i t, (i < M)%nat -> 0 <= t < tau -> right_derivative (q i) t (reflected C (q i t) (R i t));
  e_start : e 0 = 0;
  e_nonneg : forall t, 0 <= t <= tau -> 0 <= e t;
  e_continuous : continuous_on e 0 tau;
  e_slope : forall t, 0 <= t < tau -> right_derivative e t (de t);
  e_rule : forall t, 0 <= t < tau ->
    let dZ := alpha * sum M (fun i => reflected C (q i t) (R i t)) - (1 + alpha * INR N) * C in
    (0 < e t -> de t = dZ) /\ (e t = 0 -> de t = Rmax dZ 0)
}.

Definition strong_steady (M N : nat) (alpha C t1 : real) (Ar : nat -> real -> real) : Prop :=
  forall j t, (M <= j < M + N)%nat -> 0 <= t < t1 -> C * (1 + alpha * INR M / (1 + alpha * INR N)) <= Ar j t.

(** [l] is x(t) less the least value of x on [0, t]. *)
Definition above_minimum (x : real -> real) (t l : real) : Prop := is_lub (fun z => exists u, 0 <= u <= t /\ z = x t - x u) l.

Lemma reflection_minimum x dx y dy t : 0 <= t -> continuous_on x 0 t -> continuous_on y 0 t -> y 0 = 0 ->
  (forall u, 0 <= u <= t -> 0 <= y u) ->
  (forall u, 0 <= u < t -> right_derivative x u (dx u) /\ right_derivative y u (dy u) /\
     (0 < y u -> dy u = dx u) /\ (y u = 0 -> dy u = Rmax (dx u) 0)) -> above_minimum x t (y t).
Proof.
  intros Ht Cx Cy Y0 Yn H. split.
  - intros z (u & Hu & ->). assert (K : x t - y t <= x u - y u).
    { apply (nonincreasing u t (fun v => x v - y v) (fun v => dx v - dy v)); [lra|apply (continuous_sub 0 t); [lra|lra|apply continuous_minus; auto]|].
      intros v Hv. destruct (H v ltac:(lra)) as (D1 & D2 & R1 & R2). split; [apply rd_minus; auto|]. pose proof (Yn v ltac:(lra)).
      destruct (Req_dec (y v) 0) as [z|z]; [rewrite (R2 z); pose proof (Rmax_l (dx v) 0); lra|rewrite R1; lra]. }
    pose proof (Yn u Hu). lra.
  - intros b Hb. assert (Low : forall u, 0 <= u <= t -> x t - b <= x u) by (intros u Hu; assert (x t - x u <= b) by (apply Hb; exists u; auto); lra).
    (* y exceeds x - (x(t) - b) nowhere: while it would, both grow alike *)
    pose (g := fun u => y u - (x u - (x t - b))). assert (K : Rmax (g t) 0 <= Rmax (g 0) 0).
    { apply (nonincreasing 0 t (fun u => Rmax (g u) 0) (fun u => max_slope (g u) 0 (dy u - (dx u - 0)) 0)); [lra| |].
      - apply continuous_max; [|apply continuous_const]. apply continuous_minus; auto. apply continuous_minus; auto. apply continuous_const.
      - intros u Hu. destruct (H u Hu) as (D1 & D2 & R1 & R2). split; [apply rd_max; [|apply rd_const]; apply rd_minus; auto; apply rd_minus; auto; apply rd_const|].
        pose proof (Low u ltac:(lra)) as Lu. pose proof (Yn u ltac:(lra)) as Yu. unfold max_slope, g.
        destruct (Rlt_dec 0 (y u - (x u - (x t - b)))) as [c|c]; [rewrite R1; lra|].
        destruct (Rlt_dec (y u - (x u - (x t - b))) 0) as [d|d]; [lra|]. apply Rmax_lub; [|lra].
        destruct (Req_dec (y u) 0) as [z|z]; [|rewrite R1; lra]. rewrite (R2 z).
        (* y and x - (x(t) - b) are both 0, and the second is nowhere negative *)
        destruct (Rle_dec 0 (dx u)) as [e|e]; [rewrite Rmax_left; lra|exfalso].
        destruct (D1 (- dx u / 2) ltac:(lra)) as (dl & Hdl & E). pose (h := Rmin (dl / 2) (t - u)).
        assert (Hh : 0 < h <= t - u) by (split; [apply Rmin_pos; lra|apply Rmin_r]). pose proof (Rmin_l (dl / 2) (t - u)) as Hd. fold h in Hd.
        specialize (E h ltac:(lra)). apply (Rle_trans _ _ _ (Rle_abs _)) in E. pose proof (Low (u + h) ltac:(lra)).
        pose proof (Rmult_lt_0_compat (- dx u) h ltac:(lra) ltac:(lra)). lra. }
    assert (g 0 <= 0) by (unfold g; pose proof (Low 0 ltac:(lra)); lra). rewrite (Rmax_right (g 0)) in K by lra.
    pose proof (Rmax_l (g t) 0). unfold g in *. lra.
Qed.

Section Any.
Variables (M N Z : nat) (alpha B C : real) (R q : nat -> real -> real) (e de : real -> real) (tau : real).
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (tau_nonneg : 0 <= tau).
Hypothesis given : any_arrivals M N alpha C tau R q e de.
Notation n := (INR N).
Notation m := (INR M).
Notation dt := (dt_switch (M + N + Z) alpha B C).

(** The reflection is what the steady queues exceed the threshold by. *)
Lemma reflection_is_lag t1 Ar : 0 <= t1 <= tau -> strong_steady M N alpha C t1 Ar -> lag M N alpha C t1 R Ar q e de.
Proof.
  intros Ht1 Hs. pose proof (steady_denominator N alpha alpha_pos) as Hn.
  split; intros.
  - apply (rate_nonneg _ _ _ _ _ _ _ _ _ given); auto; lra.
  - destruct (rate_lasts _ _ _ _ _ _ _ _ _ given i t) as (d & Hd & K); auto; [lra|]. exists d. split; auto. intros u Hu Hut. apply K; auto. lra.
  - apply (q_start _ _ _ _ _ _ _ _ _ given); auto.
  - apply (q_nonneg _ _ _ _ _ _ _ _ _ given); auto; lra.
  - destruct (q_bounded _ _ _ _ _ _ _ _ _ given) as [X K]. exists X. intros i t Hi Ht. apply K; auto. lra.
  - apply (continuous_sub 0 tau); [lra|lra|]. apply (q_continuous _ _ _ _ _ _ _ _ _ given); auto.
  - apply (q_slope _ _ _ _ _ _ _ _ _ given); auto; lra.
  - apply (e_start _ _ _ _ _ _ _ _ _ given).
  - apply (continuous_sub 0 tau); [lra|lra|]. apply (e_continuous _ _ _ _ _ _ _ _ _ given).
  - apply (e_slope _ _ _ _ _ _ _ _ _ given). lra.
  - specialize (Hs j t ltac:(auto) ltac:(auto)). subst dT.
    destruct (e_rule _ _ _ _ _ _ _ _ _ given t ltac:(lra)) as [K1 K2].
    pose proof (e_nonneg _ _ _ _ _ _ _ _ _ given t ltac:(lra)) as He.
    set (S := sum M (fun i => reflected C (q i t) (R i t))) in *.
    assert (Up : alpha * m * C / (1 + alpha * n) <= Ar j t - C).
    { replace (alpha * m * C / (1 + alpha * n)) with (C * (1 + alpha * m / (1 + alpha * n)) - C) by (field; lra). lra. }
    assert (Nn : 0 <= alpha * m * C / (1 + alpha * n)).
    { apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; auto]. apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [lra|apply pos_INR]. }
    assert (Off : de t = alpha * S - (1 + alpha * n) * C -> - (alpha * (S + n * de t)) / (1 + alpha * n) = - alpha * S + alpha * n * C).
    { intros E. rewrite E. field. lra. }
    split; [lra|]. split; [|split; [intros; lra|]].
    + intros P. specialize (K1 P). rewrite (Off K1), K1. ring.
    + intros z. specialize (K2 z). destruct (Rle_dec (alpha * S - (1 + alpha * n) * C) 0) as [c|c].
      * rewrite Rmax_right in K2 by lra. rewrite K2.
        assert (Ed : - (alpha * (S + n * 0)) / (1 + alpha * n) = - (alpha * S / (1 + alpha * n))) by (field; lra). rewrite Ed.
        assert (Low : - (m * C) <= S).
        { unfold S. apply Rle_trans with (sum M (fun _ => - C)); [rewrite sum_const; lra|]. apply sum_le. intros i Hi.
          pose proof (rate_nonneg _ _ _ _ _ _ _ _ _ given i t Hi ltac:(lra)). unfold reflected.
          destruct (Rlt_dec 0 (q i t)); [lra|]. apply Rle_trans with 0; [lra|apply Rmax_l]. }
        assert (Q1 : alpha * S / (1 + alpha * n) <= C).
        { apply Rmult_le_reg_r with (1 + alpha * n); auto.
          replace (alpha * S / (1 + alpha * n) * (1 + alpha * n)) with (alpha * S) by (field; lra). lra. }
        assert (Q2 : - (alpha * S / (1 + alpha * n)) <= alpha * m * C / (1 + alpha * n)).
        { apply Rmult_le_reg_r with (1 + alpha * n); auto.
          replace (- (alpha * S / (1 + alpha * n)) * (1 + alpha * n)) with (alpha * - S) by (field; lra).
          replace (alpha * m * C / (1 + alpha * n) * (1 + alpha * n)) with (alpha * (m * C)) by (field; lra). apply Rmult_le_compat_l; lra. }
        rewrite clip_inside; lra.
      * rewrite Rmax_left in K2 by lra. rewrite (Off K2), K2. rewrite clip_low; lra.
Qed.

(** Both reflections are heights above a running minimum; [A i] is what has come to port i. *)
Theorem running_minima A t : 0 <= t <= tau ->
  (forall i, (i < M)%nat -> continuous_on (A i) 0 tau /\ forall u, 0 <= u < tau -> right_derivative (A i) u (R i u)) ->
  (forall i, (i < M)%nat -> above_minimum (fun u => A i u - C * u) t (q i t)) /\
  above_minimum (fun u => alpha * sum M (fun i => q i u) - (1 + alpha * n) * C * u) t (e t).
Proof.
  intros Ht HA. assert (Lin : forall c, continuous_on (fun u => c * u) 0 t) by (intros c; apply continuous_ext with (fun u => c * u + 0); [intros; ring|apply continuous_linear]).
  assert (Rd : forall c u, right_derivative (fun v => c * v) u c) by (intros c u; apply rd_ext with (fun v => c * v + 0); [exists 1; split; [lra|]; intros; ring|apply rd_linear]).
  split.
  - intros i Hi. destruct (HA i Hi) as [CA DA]. apply (reflection_minimum _ (fun u => R i u - C) _ (fun u => reflected C (q i u) (R i u))); try lra.
    + apply continuous_minus; [apply (continuous_sub 0 tau); auto; lra|apply Lin].
    + apply (continuous_sub 0 tau); [lra|lra|apply (q_continuous _ _ _ _ _ _ _ _ _ given); auto].
    + apply (q_start _ _ _ _ _ _ _ _ _ given); auto.
    + intros u Hu. apply (q_nonneg _ _ _ _ _ _ _ _ _ given); auto; lra.
    + intros u Hu. split; [apply rd_minus; [apply DA; lra|apply Rd]|]. split; [apply (q_slope _ _ _ _ _ _ _ _ _ given); auto; lra|].
      unfold reflected. split; intros z; destruct (Rlt_dec 0 (q i u)); try lra. apply Rmax_comm.
  - apply (reflection_minimum _ (fun u => alpha * sum M (fun i => reflected C (q i u) (R i u)) - (1 + alpha * n) * C) _ de); try lra.
    + apply continuous_minus; [|apply Lin]. apply continuous_scal, continuous_sum. intros i Hi.
      apply (continuous_sub 0 tau); [lra|lra|apply (q_continuous _ _ _ _ _ _ _ _ _ given); auto].
    + apply (continuous_sub 0 tau); [lra|lra|apply (e_continuous _ _ _ _ _ _ _ _ _ given)].
    + apply (e_start _ _ _ _ _ _ _ _ _ given).
    + intros u Hu. apply (e_nonneg _ _ _ _ _ _ _ _ _ given); lra.
    + intros u Hu. split; [apply rd_minus; [apply rd_scal, rd_sum; intros i Hi; apply (q_slope _ _ _ _ _ _ _ _ _ given); auto; lra|apply Rd]|].
      split; [apply (e_slope _ _ _ _ _ _ _ _ _ given); lra|apply (e_rule _ _ _ _ _ _ _ _ _ given); lra].
Qed.

(** The first drop, for any arrivals. *)
Theorem first_drop_any t1 Ar Q D : 0 <= t1 <= tau -> strong_steady M N alpha C t1 Ar -> micro_burst M N Z alpha B C R t1 Ar Q D ->
  ((forall i t, (i < M)%nat -> 0 <= t < t1 -> rejected dt Ar Q D i t = 0) <-> lossless_until M N alpha B R q e t1) /\
  (lossless_until M N alpha B R q e t1 -> forall t, 0 <= t <= t1 ->
     (forall i, (i < M)%nat -> Q i t = q i t) /\ free dt Q t = T_any M N alpha B q e t / alpha /\
     forall i, threshold dt Q i t = T_any M N alpha B q e t).
Proof.
  intros Ht1 Hs Hm. apply (first_drop_lag M N Z alpha B C R Ar q e de t1); auto; try lra.
  - apply reflection_is_lag; auto.
  - intros j t _ _. reflexivity.
Qed.

End Any.

(** The hypotheses can hold: one burst of rate 2 up to the instant 1 and then none, one steady port, alpha = 1, C = 1. *)
Definition R_pause (t : real) : real := if Rlt_dec t 1 then 2 else 0.
Definition q_pause (t : real) : real := Rmin t 1 - (Rmin t 2 - Rmin t 1).

Theorem first_drop_any_instance :
  any_arrivals 1 1 1 1 2 (fun _ => R_pause) (fun _ => q_pause) (fun _ => 0) (fun _ => 0).
Proof.
  assert (Rd : forall c t, right_derivative (fun u => Rmin u c) t (if Rlt_dec t c then 1 else 0)).
  { intros c t. destruct (Rlt_dec t c) as [d|d].
    - apply (rd_stop_before t (fun u => u)); auto. apply rd_ext with (fun u => 1 * u + 0); [exists 1; split; [lra|]; intros; lra|apply rd_linear].
    - apply (rd_stop_after t (fun u => u)). lra. }
  assert (Cm : forall c, 0 <= c -> continuous_on (fun u => Rmin u c) 0 2).
  { intros c Hc. apply (continuous_stop 0 2 (fun u => u)); auto.
    apply continuous_ext with (fun u => 1 * u + 0); [intros; lra|apply continuous_linear]. }
  assert (Val : forall t, 0 <= t <= 2 -> q_pause t = if Rlt_dec t 1 then t else 2 - t).
  { intros t Ht. unfold q_pause. destruct (Rlt_dec t 1); [rewrite !Rmin_left; lra|].
    rewrite (Rmin_right t 1), (Rmin_left t 2) by lra. lra. }
  split.
  - intros i t _ _. unfold R_pause. destruct (Rlt_dec t 1); lra.
  - intros i t _ Ht Hp. unfold R_pause in *. destruct (Rlt_dec t 1); [|lra]. exists (1 - t). split; [lra|].
    intros u Hu _. destruct (Rlt_dec u 1); lra.
  - intros. rewrite Val by lra. destruct (Rlt_dec 0 1); lra.
  - intros i t _ Ht. rewrite Val by lra. destruct (Rlt_dec t 1); lra.
  - exists 2. intros i t _ Ht. rewrite Val by lra. destruct (Rlt_dec t 1); lra.
  - intros i _. unfold q_pause. apply continuous_minus; [apply Cm; lra|]. apply continuous_minus; apply Cm; lra.
  - intros i t _ Ht. unfold q_pause at 1. eapply rd_eq; [apply rd_minus; [apply Rd|apply rd_minus; apply Rd]|].
    unfold reflected, R_pause. rewrite Val by lra.
    destruct (Rlt_dec t 1), (Rlt_dec t 2); try lra.
    + destruct (Rlt_dec 0 t); [lra|]. rewrite Rmax_right; lra.
    + destruct (Rlt_dec 0 (2 - t)); lra.
  - reflexivity.
  - intros; lra.
  - apply continuous_const.
  - intros; apply rd_const.
  - intros t Ht dZ. unfold dZ. simpl. split; [lra|]. intros _. rewrite Rmax_right; auto.
    unfold reflected, R_pause. rewrite Val by lra.
    destruct (Rlt_dec t 1).
    + destruct (Rlt_dec 0 t); [lra|]. rewrite Rmax_right; lra.
    + destruct (Rlt_dec 0 (2 - t)); lra.
Qed.
