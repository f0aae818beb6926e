(** DT/EDT paper, Section 3.3: Theorem 4, equations (42)-(68), as corrected.

    M equal bursts of the rate R(t) >= C whose integral is A(t); R is at most C (1 + (1 + alpha N) / (alpha M)) before
    d1 and from d2 on, and more between.  "No loss before tau" is decided by inequalities (the printed t_1 and t_2 are
    the infima of the times at which they fail):
      [theorem4_a]   up to d1:                          (1 + alpha M + alpha N) (A t - C t) <= alpha B;
      [theorem4_bc]  from d1 on while (63) holds:       (1 + alpha M) A t - (1 + alpha M + alpha N) C t <= the right side of (60);
      [theorem4_d]   from t_0 of (66) on:               the first one again.
    The free buffer up to the first loss is (45) and (47), respectively.                                       *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 Theorem5 FirstDrop.
Open Scope R_scope.

(** Equation (42), with the instant d1 in the fast phase and d2 in the last one. *)
Record three_phases (M N : nat) (alpha C d1 d2 tau : real) (R A : real -> real) : Prop := {
  phases_order : 0 <= d1 <= tau /\ d1 <= d2;
  at_least_C : forall t, 0 <= t < tau -> C <= R t;
  first_phase : forall t, 0 <= t < d1 -> slow M N alpha C (R t);
  second_phase : forall t, d1 <= t < d2 -> ~ slow M N alpha C (R t);
  third_phase : forall t, d2 <= t -> slow M N alpha C (R t);
  A_0 : A 0 = 0;
  A_continuous : continuous_on A 0 tau;
  A_slope : forall t, 0 <= t < tau -> right_derivative A t (R t)
}.

Section Theorem4.
Variables (M N Z : nat) (alpha B C d1 d2 tau : real) (R A : real -> real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C).
Hypothesis phases : three_phases M N alpha C d1 d2 tau R A.

Notation m := (INR M).
Notation n := (INR N).

(** The conditions of the theorem. *)
Definition within54 (t : real) : Prop := (1 + alpha * m + alpha * n) * (A t - C * t) <= alpha * B.
Definition rhs60 : real :=
  (alpha * B + alpha * n * (alpha * m * A d1 - (1 + alpha * m + alpha * n) * C * d1)) / (1 + alpha * n).
Definition within60 (t : real) : Prop := (1 + alpha * m) * A t - (1 + alpha * m + alpha * n) * C * t <= rhs60.
Definition lhs63 (t : real) : real := alpha * m * (A t - A d1) - (1 + alpha * m + alpha * n) * (t - d1) * C.

(** Equations (53), (45) and (59), (47). *)
Definition T53 (t : real) : real := alpha * (B - m * A t + m * C * t) / (1 + alpha * n).
Definition T59 (t : real) : real := rhs60 + alpha * (m + n) * C * t - alpha * m * A t.

(** Z of FirstDrop.v for equal bursts, and the excess of the steady queues over the threshold. *)
Definition Zt (t : real) : real := alpha * m * (A t - C * t) - (1 + alpha * n) * C * t.
Definition dZt (t : real) : real := alpha * m * (R t - C) - (1 + alpha * n) * C.
Definition excess (t : real) : real := if Rlt_dec t d1 then 0 else Rmax 0 (Zt t - Zt d1).
Definition dexcess (t : real) : real := if Rlt_dec t d1 then 0 else max_slope 0 (Zt t - Zt d1) 0 (dZt t).

Lemma lhs63_is t : lhs63 t = Zt t - Zt d1.
Proof. unfold lhs63, Zt. ring. Qed.

Lemma dZt_slow t : slow M N alpha C (R t) -> dZt t <= 0.
Proof. intros H. apply slow_iff in H; auto. unfold dZt. lra. Qed.

Lemma dZt_fast t : ~ slow M N alpha C (R t) -> 0 < dZt t.
Proof. intros H. apply fast_iff in H; auto. unfold dZt. lra. Qed.

Lemma Zt_slope t : 0 <= t < tau -> right_derivative Zt t (dZt t).
Proof.
  intros Ht. apply rd_ext with (fun u => alpha * m * A u + ((- (alpha * m * C) - (1 + alpha * n) * C) * u + 0)).
  - exists 1. split; [lra|]. intros. unfold Zt. ring.
  - eapply rd_eq; [apply rd_plus; [apply rd_scal, (A_slope _ _ _ _ _ _ _ _ _ phases); auto|apply rd_linear]|].
    unfold dZt. ring.
Qed.

Lemma Zt_continuous a b : 0 <= a -> b <= tau -> continuous_on Zt a b.
Proof.
  intros Ha Hb. apply continuous_ext with (fun u => alpha * m * A u + ((- (alpha * m * C) - (1 + alpha * n) * C) * u + 0)).
  - intros. unfold Zt. ring.
  - apply continuous_plus; [|apply continuous_linear].
    apply continuous_scal, (continuous_sub 0 tau); auto. apply (A_continuous _ _ _ _ _ _ _ _ _ phases).
Qed.

(** The steady queues are above the threshold throughout the second phase. *)
Lemma Zt_rises t : d1 <= t <= tau -> t <= d2 -> Zt d1 <= Zt t.
Proof.
  intros Ht H2. destruct (phases_order _ _ _ _ _ _ _ _ _ phases) as [H0 _].
  assert (K : - Zt t <= - Zt d1); [|lra].
  apply (nonincreasing d1 t (fun u => - Zt u) (fun u => - dZt u)); [lra|apply continuous_opp, Zt_continuous; lra|].
  intros u Hu. split; [apply rd_opp, Zt_slope; lra|].
  pose proof (dZt_fast u (second_phase _ _ _ _ _ _ _ _ _ phases u ltac:(lra))). lra.
Qed.

(** ... and once back on it, in the third phase, they stay. *)
Lemma Zt_falls a t : 0 <= a -> d2 <= a -> a <= t <= tau -> Zt t <= Zt a.
Proof.
  intros Ha H2 Ht. apply (nonincreasing a t Zt dZt); [lra|apply Zt_continuous; lra|].
  intros u Hu. split; [apply Zt_slope; lra|]. apply dZt_slow, (third_phase _ _ _ _ _ _ _ _ _ phases). lra.
Qed.

Theorem theorem4_bursts : any_bursts M N alpha C tau (fun _ => R) (fun _ => A) excess dexcess.
Proof.
  destruct (phases_order _ _ _ _ _ _ _ _ _ phases) as [H0 H12].
  split.
  - intros; apply (at_least_C _ _ _ _ _ _ _ _ _ phases); auto.
  - intros; apply (A_0 _ _ _ _ _ _ _ _ _ phases).
  - intros; apply (A_continuous _ _ _ _ _ _ _ _ _ phases).
  - intros; apply (A_slope _ _ _ _ _ _ _ _ _ phases); auto.
  - unfold excess. destruct (Rlt_dec 0 d1); [auto|]. replace d1 with 0 by lra. rewrite Rmax_left; lra.
  - intros t Ht. unfold excess. destruct (Rlt_dec t d1); [lra|apply Rmax_l].
  - unfold excess. apply continuous_glue; [lra|apply continuous_const| |].
    + apply continuous_max; [apply continuous_const|]. apply continuous_minus; [apply Zt_continuous; lra|apply continuous_const].
    + rewrite Rmax_left; lra.
  - intros t Ht. unfold dexcess. destruct (Rlt_dec t d1) as [c|c].
    + apply rd_ext with (fun _ => 0); [|apply rd_const]. exists (d1 - t). split; [lra|]. intros h Hh.
      unfold excess. destruct (Rlt_dec (t + h) d1); lra.
    + apply rd_ext with (fun u => Rmax 0 (Zt u - Zt d1)).
      { exists 1. split; [lra|]. intros h Hh. unfold excess. destruct (Rlt_dec (t + h) d1); lra. }
      apply (rd_max t (fun _ => 0) (fun u => Zt u - Zt d1)); [apply rd_const|].
      eapply rd_eq; [apply rd_minus; [apply Zt_slope; lra|apply rd_const]|lra].
  - intros t Ht dZ. assert (E : dZ = dZt t) by (unfold dZ, dZt; rewrite sum_const; ring). rewrite E. clear dZ E.
    unfold excess, dexcess, max_slope. destruct (Rlt_dec t d1) as [c|c].
    + split; [lra|]. intros _. rewrite Rmax_right; auto.
      apply dZt_slow, (first_phase _ _ _ _ _ _ _ _ _ phases). lra.
    + split; intros K.
      * assert (P : 0 < Zt t - Zt d1).
        { apply Rnot_le_lt. intros Q. rewrite Rmax_left in K; lra. }
        destruct (Rlt_dec (Zt t - Zt d1) 0); [lra|]. destruct (Rlt_dec 0 (Zt t - Zt d1)); [auto|lra].
      * assert (P : Zt t - Zt d1 <= 0).
        { apply Rnot_lt_le. intros Q. rewrite Rmax_right in K; lra. }
        destruct (Rlt_dec (Zt t - Zt d1) 0) as [d|d].
        -- rewrite Rmax_right; auto. apply dZt_slow, (third_phase _ _ _ _ _ _ _ _ _ phases).
           apply Rnot_lt_le. intros Q. pose proof (Zt_rises t ltac:(lra) ltac:(lra)). lra.
        -- destruct (Rlt_dec 0 (Zt t - Zt d1)); [lra|]. apply Rmax_comm.
Qed.

Notation E t := (length_free C (fun _ => A) 0 t).
Notation lev := (level M N alpha B C (fun _ => A) excess).

Lemma level_when t : lev t = alpha * (B - m * (A t - C * t) - n * excess t) / (1 + alpha * n).
Proof. unfold level, grown, length_free. rewrite sum_const. reflexivity. Qed.

(** (53), (54), and (59), (60). *)
Theorem eq53 t : excess t = 0 -> lev t = T53 t.
Proof. intros H. rewrite level_when, H. unfold T53. f_equal. ring. Qed.

Theorem eq54 t : A t - C * t <= T53 t <-> within54 t.
Proof.
  pose proof (steady_denominator N alpha alpha_pos). unfold within54, T53. split; intros K.
  - apply (Rmult_le_compat_r (1 + alpha * n)) in K; [|lra].
    replace (alpha * (B - m * A t + m * C * t) / (1 + alpha * n) * (1 + alpha * n)) with (alpha * (B - m * A t + m * C * t)) in K by (field; lra).
    lra.
  - apply Rmult_le_reg_r with (1 + alpha * n); auto.
    replace (alpha * (B - m * A t + m * C * t) / (1 + alpha * n) * (1 + alpha * n)) with (alpha * (B - m * A t + m * C * t)) by (field; lra).
    lra.
Qed.

Theorem eq59 t : excess t = Zt t - Zt d1 -> lev t = T59 t.
Proof. intros H. pose proof (steady_denominator N alpha alpha_pos). rewrite level_when, H. unfold T59, rhs60, Zt. field. lra. Qed.

Theorem eq60 t : A t - C * t <= T59 t <-> within60 t.
Proof. unfold within60, T59. split; intros K; lra. Qed.

Lemma excess_before t : t < d1 -> excess t = 0.
Proof. intros H. unfold excess. destruct (Rlt_dec t d1); lra. Qed.

Lemma excess_during t : d1 <= t -> 0 <= lhs63 t -> excess t = Zt t - Zt d1.
Proof. intros H H'. rewrite lhs63_is in H'. unfold excess. destruct (Rlt_dec t d1); [lra|]. apply Rmax_right. lra. Qed.

Lemma excess_after t : d1 <= t -> lhs63 t <= 0 -> excess t = 0.
Proof. intros H H'. rewrite lhs63_is in H'. unfold excess. destruct (Rlt_dec t d1); [lra|]. apply Rmax_left. lra. Qed.

Notation sw := (dt_switch (M + N + Z) alpha B C).
Definition no_loss_before (t1 : real) (Ar Q D : nat -> real -> real) : Prop :=
  forall i t, (i < M)%nat -> 0 <= t < t1 -> rejected sw Ar Q D i t = 0.

Lemma theorem4_level t1 Ar Q D : 0 <= t1 <= tau -> micro_burst M N Z alpha B C (fun _ => R) t1 Ar Q D ->
  (no_loss_before t1 Ar Q D <-> forall t, 0 <= t < t1 -> A t - C * t <= lev t) /\
  (no_loss_before t1 Ar Q D -> forall t, 0 <= t <= t1 -> free sw Q t = lev t / alpha).
Proof.
  intros Ht1 Hm. unfold no_loss_before.
  destruct (first_drop M N Z alpha B C (fun _ => R) (fun _ => A) excess dexcess tau M_pos alpha_pos B_pos C_pos ltac:(lra)
              theorem4_bursts t1 Ar Q D Ht1 Hm) as [Iff Fr].
  split; [split|].
  - intros H t Ht. apply (proj1 Iff H 0%nat t); auto.
  - intros H. apply Iff. intros i t Hi Ht. apply H. auto.
  - intros H t Ht. apply Fr; auto. apply Iff. exact H.
Qed.

(** a) *)
Theorem theorem4_a t1 Ar Q D : 0 <= t1 <= d1 -> micro_burst M N Z alpha B C (fun _ => R) t1 Ar Q D ->
  (no_loss_before t1 Ar Q D <-> forall t, 0 <= t < t1 -> within54 t) /\
  (no_loss_before t1 Ar Q D -> forall t, 0 <= t < t1 -> free sw Q t = (B - m * A t + m * C * t) / (1 + alpha * n)).
Proof.
  intros Ht1 Hm. destruct (phases_order _ _ _ _ _ _ _ _ _ phases) as [H0 H12]. pose proof (steady_denominator N alpha alpha_pos).
  destruct (theorem4_level t1 Ar Q D ltac:(lra) Hm) as [Iff Fr]. split.
  - rewrite Iff. split; intros K t Ht.
    + apply eq54. rewrite <- eq53 by (apply excess_before; lra). auto.
    + rewrite eq53 by (apply excess_before; lra). apply eq54. auto.
  - intros K t Ht. rewrite Fr by (auto; lra). rewrite eq53 by (apply excess_before; lra). unfold T53. field. lra.
Qed.

(** b) and c): as long as the steady queues, which left the threshold at d1, are above it. *)
Theorem theorem4_bc t1 Ar Q D : d1 <= t1 <= tau -> (forall t, d1 <= t < t1 -> 0 <= lhs63 t) ->
  micro_burst M N Z alpha B C (fun _ => R) t1 Ar Q D ->
  (no_loss_before t1 Ar Q D <->
     (forall t, 0 <= t < d1 -> within54 t) /\ (forall t, d1 <= t < t1 -> within60 t)) /\
  (no_loss_before t1 Ar Q D -> forall t, d1 <= t < t1 ->
     free sw Q t = (B + n * (alpha * m * A d1 - (1 + alpha * m + alpha * n) * C * d1)) / (1 + alpha * n)
                   + (m + n) * C * t - m * A t).
Proof.
  intros Ht1 H63 Hm. destruct (phases_order _ _ _ _ _ _ _ _ _ phases) as [H0 H12]. pose proof (steady_denominator N alpha alpha_pos).
  destruct (theorem4_level t1 Ar Q D ltac:(lra) Hm) as [Iff Fr]. split.
  - rewrite Iff. split.
    + intros K. split; intros t Ht.
      * apply eq54. rewrite <- eq53 by (apply excess_before; lra). apply K. lra.
      * apply eq60. rewrite <- eq59 by (apply excess_during; auto; lra). apply K. lra.
    + intros [K1 K2] t Ht. destruct (Rlt_dec t d1) as [c|c].
      * rewrite eq53 by (apply excess_before; lra). apply eq54, K1. lra.
      * assert (Ht' : d1 <= t < t1) by lra. rewrite eq59 by (apply excess_during; auto; lra). apply eq60, K2. auto.
  - intros K t Ht. rewrite Fr by (auto; lra). rewrite eq59 by (apply excess_during; auto; lra).
    unfold T59, rhs60. field. lra.
Qed.

(** In the second phase (63) always holds, so b) covers t1 <= d2. *)
Lemma theorem4_second_phase t : d1 <= t <= tau -> t <= d2 -> 0 <= lhs63 t.
Proof. intros Ht H2. rewrite lhs63_is. pose proof (Zt_rises t Ht H2). lra. Qed.

(** d): from t_0 of (66) on the steady queues are on the threshold again, and (54) decides. *)
Theorem theorem4_d t0 t1 Ar Q D : d1 <= t0 -> d2 <= t0 -> t0 <= t1 <= tau -> lhs63 t0 = 0 ->
  micro_burst M N Z alpha B C (fun _ => R) t1 Ar Q D ->
  (no_loss_before t1 Ar Q D <-> no_loss_before t0 Ar Q D /\ forall t, t0 <= t < t1 -> within54 t) /\
  (no_loss_before t1 Ar Q D -> forall t, t0 <= t < t1 -> free sw Q t = (B - m * A t + m * C * t) / (1 + alpha * n)).
Proof.
  intros H1 H2 Ht1 H66 Hm. destruct (phases_order _ _ _ _ _ _ _ _ _ phases) as [H0 H12]. pose proof (steady_denominator N alpha alpha_pos).
  assert (After : forall t, t0 <= t < t1 -> excess t = 0).
  { intros t Ht. apply excess_after; [lra|]. rewrite lhs63_is in *. pose proof (Zt_falls t0 t ltac:(lra) H2 ltac:(lra)). lra. }
  destruct (theorem4_level t1 Ar Q D ltac:(lra) Hm) as [Iff Fr].
  assert (Hm0 : micro_burst M N Z alpha B C (fun _ => R) t0 Ar Q D) by (apply (burst_until _ _ _ _ _ _ _ t1); auto; lra).
  destruct (theorem4_level t0 Ar Q D ltac:(lra) Hm0) as [Iff0 Fr0]. split.
  - rewrite Iff, Iff0. split.
    + intros K. split; intros t Ht; [apply K; lra|]. apply eq54. rewrite <- eq53 by auto. apply K. lra.
    + intros [K1 K2] t Ht. destruct (Rlt_dec t t0) as [c|c]; [apply K1; lra|].
      assert (Ht' : t0 <= t < t1) by lra. rewrite eq53 by auto. apply eq54, K2. auto.
  - intros K t Ht. rewrite Fr by (auto; lra). rewrite eq53 by auto. unfold T53. field. lra.
Qed.

(** All four conditions at once: the first loss is the first failure of (54) before d1, of (60) while the steady queues are
    above the threshold, as (63) tells, and of (54) again while they are not; the free buffer is (45) or (47). *)
Theorem theorem4 t1 Ar Q D : 0 <= t1 <= tau -> micro_burst M N Z alpha B C (fun _ => R) t1 Ar Q D ->
  (no_loss_before t1 Ar Q D <->
     (forall t, 0 <= t < t1 -> t < d1 -> within54 t) /\
     (forall t, d1 <= t < t1 -> (0 <= lhs63 t -> within60 t) /\ (lhs63 t <= 0 -> within54 t))) /\
  (no_loss_before t1 Ar Q D -> forall t, 0 <= t <= t1 ->
     (t < d1 \/ lhs63 t <= 0 -> free sw Q t = (B - m * A t + m * C * t) / (1 + alpha * n)) /\
     (d1 <= t -> 0 <= lhs63 t -> free sw Q t =
        (B + n * (alpha * m * A d1 - (1 + alpha * m + alpha * n) * C * d1)) / (1 + alpha * n) + (m + n) * C * t - m * A t)).
Proof.
  intros Ht1 Hm. destruct (phases_order _ _ _ _ _ _ _ _ _ phases) as [H0 H12]. pose proof (steady_denominator N alpha alpha_pos).
  destruct (theorem4_level t1 Ar Q D Ht1 Hm) as [Iff Fr]. split.
  - rewrite Iff. split.
    + intros K. split; [|split]; intros.
      * apply eq54. rewrite <- eq53 by (apply excess_before; auto). auto.
      * apply eq60. rewrite <- eq59 by (apply excess_during; auto; lra). apply K. lra.
      * apply eq54. rewrite <- eq53 by (apply excess_after; auto; lra). apply K. lra.
    + intros [K1 K2] t Ht. destruct (Rlt_dec t d1) as [c|c].
      * rewrite eq53 by (apply excess_before; auto). apply eq54, K1; auto.
      * assert (Ht' : d1 <= t < t1) by lra. destruct (K2 t Ht') as [K3 K4]. destruct (Rle_dec 0 (lhs63 t)) as [d|d].
        -- rewrite eq59 by (apply excess_during; auto; lra). apply eq60, K3, d.
        -- rewrite eq53 by (apply excess_after; lra). apply eq54, K4. lra.
  - intros K t Ht. rewrite Fr by auto. split.
    + intros Hc. rewrite eq53; [unfold T53; field; lra|]. destruct (Rlt_dec t d1) as [c|c]; [apply excess_before; auto|].
      apply excess_after; [lra|]. destruct Hc; lra.
    + intros Hd Hp. rewrite eq59 by (apply excess_during; auto). unfold T59, rhs60. field. lra.
Qed.

(** (52), (57), (58): the lengths as long as nothing is lost. *)
Theorem theorem4_lengths t1 Ar Q D : 0 <= t1 <= tau -> micro_burst M N Z alpha B C (fun _ => R) t1 Ar Q D ->
  no_loss_before t1 Ar Q D -> forall t, 0 <= t <= t1 ->
    (forall i, (i < M)%nat -> Q i t = A t - C * t) /\
    (forall j, (M <= j < M + N)%nat ->
       (t < d1 \/ lhs63 t <= 0 -> Q j t = threshold sw Q j t) /\
       (d1 <= t -> 0 <= lhs63 t -> Q j t = alpha * (B - m * A d1 + m * C * d1) / (1 + alpha * n) - C * (t - d1))).
Proof.
  intros Ht1 Hm Hno t Ht. destruct (phases_order _ _ _ _ _ _ _ _ _ phases) as [H0 H12]. pose proof (steady_denominator N alpha alpha_pos).
  destruct (first_drop M N Z alpha B C (fun _ => R) (fun _ => A) excess dexcess tau M_pos alpha_pos B_pos C_pos ltac:(lra)
              theorem4_bursts t1 Ar Q D Ht1 Hm) as [Iff Fr].
  assert (Ok : forall i t, (i < M)%nat -> 0 <= t < t1 -> length_free C (fun _ => A) i t <= lev t) by (apply Iff; exact Hno).
  destruct (no_loss M N Z alpha B C (fun _ => R) (fun _ => A) excess dexcess tau alpha_pos B_pos C_pos ltac:(lra)
              theorem4_bursts t1 Ar Q D Ht1 Ok Hm) as (_ & EQ & EF & EV).
  split; [intros i Hi; apply (EQ i t Hi Ht)|]. intros j Hj. rewrite (EV j t Hj Ht). split.
  - intros Hc. assert (Z0 : excess t = 0).
    { destruct (Rlt_dec t d1) as [c|c]; [apply excess_before; auto|]. apply excess_after; [lra|]. destruct Hc; lra. }
    unfold threshold. rewrite EF, Z0 by auto. simpl. field. lra.
  - intros Hd Hp. rewrite eq59, (excess_during t Hd Hp) by (apply excess_during; auto). unfold T59, rhs60, Zt. field. lra.
Qed.

(** If (54) holds at d1, nothing is lost before d1. *)
Theorem theorem4_no_loss_before_d1 t1 Ar Q D : 0 <= t1 <= d1 -> micro_burst M N Z alpha B C (fun _ => R) t1 Ar Q D ->
  within54 t1 -> no_loss_before t1 Ar Q D.
Proof.
  intros Ht1 Hm H. destruct (phases_order _ _ _ _ _ _ _ _ _ phases) as [H0 H12]. pose proof (steady_denominator N alpha alpha_pos). pose proof (am_pos M alpha M_pos alpha_pos).
  apply (theorem4_a t1 Ar Q D Ht1 Hm). intros t Ht. unfold within54 in *.
  pose proof (E_grows M N alpha C (fun _ => R) (fun _ => A) excess dexcess tau theorem4_bursts 0 t t1 ltac:(lia) ltac:(lra) ltac:(lra) ltac:(lra)) as G.
  unfold length_free in G. pose proof (Rmult_le_compat_l (1 + alpha * m + alpha * n) _ _ ltac:(lra) G). lra.
Qed.

(** (63), (65): the steady queues are above the threshold exactly if the left side is positive. *)
Theorem eq63 t : d1 <= t -> (0 < excess t <-> 0 < lhs63 t).
Proof.
  intros H. rewrite lhs63_is. unfold excess. destruct (Rlt_dec t d1); [lra|]. split; intros K.
  - apply Rnot_le_lt. intros Q. rewrite Rmax_left in K; lra.
  - rewrite Rmax_right; lra.
Qed.

(** (68): where (54) holds with equality the free buffer (45) is B / (1 + alpha M + alpha N). *)
Theorem eq68 t : (1 + alpha * m + alpha * n) * (A t - C * t) = alpha * B ->
  (B - m * A t + m * C * t) / (1 + alpha * n) = B / (1 + alpha * m + alpha * n).
Proof.
  intros H. pose proof (steady_denominator N alpha alpha_pos). pose proof (am_pos M alpha M_pos alpha_pos).
  assert (EA : A t - C * t = alpha * B / (1 + alpha * m + alpha * n)).
  { apply Rmult_eq_reg_l with (1 + alpha * m + alpha * n); [|lra]. rewrite H. field. lra. }
  replace (B - m * A t + m * C * t) with (B - m * (A t - C * t)) by ring. rewrite EA. field. split; lra.
Qed.

End Theorem4.

(** The hypotheses can hold: M = N = 1, alpha = 1, B = 12, C = 1, R = 2 up to 1, 5 up to 2, 2 afterwards. *)
Definition R4 (t : real) : real := if Rlt_dec t 1 then 2 else if Rlt_dec t 2 then 5 else 2.
Definition A4 (t : real) : real := 2 * t + 3 * (Rmin t 2 - Rmin t 1).

Theorem theorem4_instance : three_phases 1 1 1 1 1 2 4 R4 A4.
Proof.
  assert (Rd : forall c t, right_derivative (fun u => Rmin u c) t (if Rlt_dec t c then 1 else 0)).
  { intros c t. apply rd_ext with (fun u => 1 * Rmin u c + 0); [exists 1; split; [lra|]; intros; lra|apply rd_stopped]. }
  split.
  - lra.
  - intros t Ht. unfold R4. destruct (Rlt_dec t 1); [lra|destruct (Rlt_dec t 2); lra].
  - intros t Ht. unfold R4, slow. simpl. destruct (Rlt_dec t 1); lra.
  - intros t Ht. unfold R4, slow. simpl. destruct (Rlt_dec t 1); [lra|]. destruct (Rlt_dec t 2); lra.
  - intros t Ht. unfold R4, slow. simpl. destruct (Rlt_dec t 1); [lra|]. destruct (Rlt_dec t 2); lra.
  - unfold A4. rewrite !Rmin_left; lra.
  - unfold A4. apply continuous_plus; [apply continuous_ext with (fun u => 2 * u + 0); [intros; lra|apply continuous_linear]|].
    apply continuous_scal, continuous_minus.
    + apply continuous_ext with (fun u => 1 * Rmin u 2 + 0); [intros; lra|apply continuous_stopped; lra].
    + apply continuous_ext with (fun u => 1 * Rmin u 1 + 0); [intros; lra|apply continuous_stopped; lra].
  - intros t Ht. unfold A4. eapply rd_eq.
    + apply rd_plus; [apply rd_ext with (fun u => 2 * u + 0); [exists 1; split; [lra|]; intros; lra|apply rd_linear]|].
      apply rd_scal, rd_minus; apply Rd.
    + unfold R4. destruct (Rlt_dec t 1), (Rlt_dec t 2); lra.
Qed.
