(** DT/EDT paper, Section 4.3: the lengths under EDT until the first loss, whether the bursts are controlled or not.

    Until then the bursts hold (R - C) t, and the steady queues, which are controlled all the time, V(t): they follow the
    threshold if R is at most the bound of case (a), and drain at C if not.
      [controlled_until], [uncontrolled_until]    that is so on every interval up to the drop of DT, and up to the overflow;
      [controlled_after], [controlled_above]      and a controlled port loses bytes from the drop of DT on;
      [edt_lengths]                               so all lengths until the overflow are known (Figure 11).              *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds Theorem1Evolution Theorem5 Theorem1Statements FreeBuffer FreeBufferExtremes FreeBufferUse.
Open Scope R_scope.

Section Lengths.
Variables (M N Z : nat) (alpha B C R : real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R).
Notation m := (INR M).
Notation n := (INR N).
Notation r := (R - C).
Notation drop := (eq10_time M N alpha B C R).
Notation over := (overflow M N alpha B C R).
Notation dsw := (dt_switch (M + N + Z) alpha B C).
Notation esw := (edt_switch M (M + N + Z) alpha B C).

(** How the steady queues move, and the free buffer. *)
Definition kappa : real := if Rle_dec R (C * (1 + (1 + alpha * n) / (alpha * m))) then - (alpha * (m * r) / (1 + alpha * n)) else - C.
Definition V_edt (t : real) : real := alpha * F0 N alpha B + kappa * t.
Definition F_edt (t : real) : real := B - m * (r * t) - n * V_edt t.

Lemma kappa_slow : slow M N alpha C R -> kappa = - (alpha * (m * r) / (1 + alpha * n)).
Proof. unfold kappa. destruct (Rle_dec R _) as [|c]; [auto|contradiction]. Qed.
Lemma kappa_fast : ~ slow M N alpha C R -> kappa = - C.
Proof. unfold kappa. destruct (Rle_dec R _) as [c|]; [contradiction|auto]. Qed.
Lemma over_is_slow : slow M N alpha C R -> over = over_slow M B C R.
Proof. unfold overflow. destruct (Rle_dec R _) as [|c]; [auto|contradiction]. Qed.
Lemma over_is_fast : ~ slow M N alpha C R -> over = over_fast M N alpha B C R.
Proof. unfold overflow. destruct (Rle_dec R _) as [c|]; [contradiction|auto]. Qed.

Lemma en : 0 < 1 + alpha * n.
Proof. apply steady_denominator; auto. Qed.

Lemma F_edt_slow t : slow M N alpha C R -> F_edt t = (B - m * (r * t)) / (1 + alpha * n) /\ V_edt t = alpha * F_edt t.
Proof. intros H. pose proof en. unfold F_edt, V_edt, F0. rewrite (kappa_slow H). split; field; lra. Qed.

Lemma F_edt_fast t : ~ slow M N alpha C R -> F_edt t = F0 N alpha B - (m * r - n * C) * t /\
  V_edt t - alpha * F_edt t = (alpha * m * r - (1 + alpha * n) * C) * t.
Proof. intros H. pose proof en. unfold F_edt, V_edt, F0. rewrite (kappa_fast H). split; field; lra. Qed.

Lemma F_edt_pos t : (t < over -> 0 < F_edt t) /\ (t <= over -> 0 <= F_edt t) /\ (t = over -> F_edt t = 0).
Proof.
  destruct (slow_dec M N alpha C R) as [c|c].
  - rewrite over_is_slow by auto. destruct (F_edt_slow t c) as [E _]. rewrite E.
    destruct (theorem5_overflow_a M N alpha B C R M_pos alpha_pos overloaded) as (_ & K1 & K2). split; [apply K1|]. split.
    + intros [h|h]; [left; apply K1, h|]. rewrite h, K2. lra.
    + intros ->. exact K2.
  - rewrite over_is_fast by auto. destruct (F_edt_fast t c) as [E _]. rewrite E.
    destruct (theorem5_overflow_b M N alpha B C R M_pos alpha_pos C_pos c) as (K1 & K2). split; [apply K1|]. split.
    + intros [h|h]; [left; apply K1, h|]. rewrite h, K2. lra.
    + intros ->. exact K2.
Qed.

Lemma kappa_bounds : - C <= kappa <= 0.
Proof.
  pose proof en. pose proof (mr_pos M C R M_pos overloaded) as P. destruct (slow_dec M N alpha C R) as [c|c].
  - rewrite kappa_slow by auto. apply slow_iff in c; auto. assert (0 < alpha * (m * r) / (1 + alpha * n)).
    { apply Rdiv_lt_0_compat; auto. apply mul_pos; auto. }
    assert (alpha * (m * r) / (1 + alpha * n) <= C); [|lra]. apply Rmult_le_reg_r with (1 + alpha * n); auto.
    replace (alpha * (m * r) / (1 + alpha * n) * (1 + alpha * n)) with (alpha * m * r) by (field; lra). lra.
  - rewrite kappa_fast by auto. lra.
Qed.

Lemma V_above t : 0 <= t -> alpha * F_edt t <= V_edt t <= alpha * F0 N alpha B.
Proof.
  intros Ht. pose proof kappa_bounds. split.
  - destruct (slow_dec M N alpha C R) as [c|c]; [destruct (F_edt_slow t c) as [_ E]; rewrite E; lra|].
    destruct (F_edt_fast t c) as [_ E]. apply fast_iff in c; auto.
    pose proof (Rmult_le_pos (alpha * m * r - (1 + alpha * n) * C) t ltac:(lra) Ht). lra.
  - unfold V_edt. pose proof (Rmult_le_compat_r t kappa 0 Ht ltac:(lra)). lra.
Qed.

Lemma V_edt_nonneg t : 0 <= t <= over -> 0 <= V_edt t.
Proof.
  intros Ht. destruct (F_edt_pos t) as (_ & K & _). specialize (K ltac:(lra)). pose proof (Rmult_le_pos alpha _ ltac:(lra) K).
  destruct (V_above t ltac:(lra)). lra.
Qed.

(** The distance of the bursts from the threshold closes at a constant rate. *)
Lemma burst_gap : exists g, 0 < g /\ forall t, alpha * F_edt t - r * t = g * (drop - t).
Proof.
  pose proof en. destruct (slow_dec M N alpha C R) as [c|c].
  - exists ((1 + alpha * (m + n)) * r / (1 + alpha * n)). split; [apply slow_gap_pos; auto|]. intros t.
    rewrite eq10_slow by auto. rewrite <- (slow_gap M N alpha B C R M_pos alpha_pos overloaded). destruct (F_edt_slow t c) as [E _]. rewrite E.
    unfold F0. lra.
  - exists ((1 + alpha * m) * r - alpha * n * C). split; [apply fast_den; auto|]. intros t. rewrite eq10_fast by auto.
    destruct (F_edt_fast t c) as [E _]. rewrite E. pose proof (fast_den M N alpha C R M_pos alpha_pos C_pos overloaded c).
    unfold F0, t_fast. field. split; lra.
Qed.

Lemma before_drop t : (t < drop -> r * t < alpha * F_edt t) /\ (drop < t -> alpha * F_edt t < r * t) /\ (t = drop -> r * t = alpha * F_edt t).
Proof. destruct burst_gap as (g & Hg & E). specialize (E t). nra. Qed.

Lemma drop_before_over : 0 < drop < over.
Proof. split; [apply first_pos; auto|]. apply edt_absorbs_more; auto. Qed.

Lemma steady_rule_edt t : 0 <= t ->
  (alpha * F_edt t < V_edt t /\ kappa = - C) \/
  (V_edt t = alpha * F_edt t /\ alpha * (- (m * r) - n * kappa) <= 0 /\ kappa = Rmax (alpha * (- (m * r) - n * kappa)) (- C)).
Proof.
  pose proof en. pose proof kappa_bounds as [K1 K2]. destruct (slow_dec M N alpha C R) as [c|c].
  - right. destruct (F_edt_slow t c) as [_ E].
    assert (Es : alpha * (- (m * r) - n * kappa) = kappa) by (rewrite (kappa_slow c); field; lra).
    rewrite Rmax_left; lra.
  - destruct (F_edt_fast t c) as [_ E]. pose proof (fast_iff M N alpha C R M_pos alpha_pos c) as Hf. rewrite (kappa_fast c).
    destruct (Req_dec t 0) as [z|z].
    + right. rewrite z, Rmult_0_r in E. rewrite z.
      rewrite Rmax_right; lra.
    + left. pose proof (mul_pos (alpha * m * r - (1 + alpha * n) * C) t). lra.
Qed.

(** The state of every queue at t. *)
Definition state (Q : nat -> real -> real) (t : real) : Prop :=
  (forall i, (i < M)%nat -> Q i t = r * t) /\ (forall i, (M <= i < M + N)%nat -> Q i t = V_edt t) /\
  (forall i, (M + N <= i < M + N + Z)%nat -> Q i t = 0).

Lemma state_start Q : starts_steady M N Z alpha B C Q -> state Q 0.
Proof.
  intros S. split; [|split].
  - intros i Hi. rewrite (burst_empty _ _ _ _ _ _ _ S i Hi). ring.
  - intros i Hi. rewrite (steady_on_threshold _ _ _ _ _ _ _ S i Hi). unfold threshold.
    rewrite (eq16_initial_free M N Z alpha B C Q alpha_pos S). unfold V_edt. simpl. ring.
  - apply (other_empty _ _ _ _ _ _ _ S).
Qed.

Lemma state_free sw Q t : ports sw = (M + N + Z)%nat -> buffer sw = B -> state Q t -> free sw Q t = F_edt t.
Proof.
  intros Hp Hb (H1 & H2 & H3). unfold free. rewrite Hp, Hb, sum_split, sum_split.
  rewrite (sum_ext M _ (fun _ => r * t)) by auto. rewrite (sum_ext N _ (fun _ => V_edt t)) by (intros; apply H2; lia).
  rewrite (sum_zero Z) by (intros; apply H3; lia). rewrite !sum_const. unfold F_edt. ring.
Qed.

Section Interval.
Variables (a b : real) (Ar Q D : nat -> real -> real).
Hypothesis order : 0 <= a <= b.
Hypothesis arrivals : burst_arrivals M N Z C (fun _ _ => R) a b Ar.
Hypothesis state_a : state Q a.
Notation WQ := (by_class M N (fun _ t => r * t) V_edt).
Notation WD := (by_class M N (fun _ _ => r) (fun _ => kappa)).

Lemma V_edt_slope t : right_derivative V_edt t kappa.
Proof. apply rd_ext with (fun u => kappa * u + alpha * F0 N alpha B); [exists 1; split; [lra|]; intros; unfold V_edt; ring|apply rd_linear]. Qed.

Lemma V_edt_continuous : continuous_on V_edt a b.
Proof. apply continuous_ext with (fun u => kappa * u + alpha * F0 N alpha B); [intros; unfold V_edt; ring|apply continuous_linear]. Qed.

Lemma follows sw : ports sw = (M + N + Z)%nat -> (forall i, service sw i = C) -> sane sw Ar a b -> trajectory sw Ar a b WQ WD -> trajectory sw Ar a b Q D ->
  (forall t, a <= t <= b -> state Q t) /\
  (forall i t, (i < M)%nat -> a <= t < b -> D i t = r /\ rejected dsw Ar Q D i t = 0).
Proof.
  intros Hp Hs Hsane H' H. destruct state_a as (S1 & S2 & S3).
  assert (U : forall i, (i < M + N + Z)%nat ->
    (forall t, a <= t <= b -> Q i t = WQ i t) /\ (forall t, a <= t < b -> D i t = WD i t)).
  { rewrite <- Hp. apply (fluid_unique sw Ar a b Q D WQ WD Hsane H H'). rewrite Hp. intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]].
    - rewrite by_class_burst by auto. apply S1; auto.
    - rewrite by_class_steady by auto. apply S2; auto.
    - rewrite by_class_other by lia. apply S3; auto. }
  split.
  - intros t Ht. split; [|split]; intros i Hi.
    + rewrite (proj1 (U i ltac:(lia)) t Ht). apply by_class_burst; auto.
    + rewrite (proj1 (U i ltac:(lia)) t Ht). apply by_class_steady; auto.
    + rewrite (proj1 (U i ltac:(lia)) t Ht). apply by_class_other. lia.
  - intros i t Hi Ht. destruct (U i ltac:(lia)) as [UQ UD]. assert (E : D i t = r) by (rewrite UD by auto; apply by_class_burst; auto).
    unfold rejected, highest. rewrite UQ, E, by_class_burst by (auto; lra). simpl.
    rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals i t Hi Ht). destruct (Rlt_dec 0 (r * t)); [lra|]. rewrite Rmax_right; lra.
Qed.

(** Uncontrolled, until the overflow at most. *)
Theorem uncontrolled_until : b <= over -> trajectory esw Ar a b Q D ->
  (forall t, a <= t <= b -> state Q t) /\ (forall i t, (i < M)%nat -> a <= t < b -> D i t = r /\ rejected dsw Ar Q D i t = 0).
Proof.
  intros Hb H. apply (follows esw); auto.
  - apply edt_sane with R; auto.
  - apply edt_trajectory; auto; try lra.
    + apply V_edt_continuous.
    + intros t Ht. apply V_edt_nonneg. lra.
    + intros t Ht. apply V_edt_slope.
    + intros t Ht. apply F_edt_pos. lra.
    + intros t Ht. apply (steady_rule_edt t). lra.
Qed.

(** Controlled, until the drop of DT at most. *)
Theorem controlled_until : b <= drop -> trajectory dsw Ar a b Q D ->
  (forall t, a <= t <= b -> state Q t) /\ (forall i t, (i < M)%nat -> a <= t < b -> D i t = r /\ rejected dsw Ar Q D i t = 0).
Proof.
  intros Hb H. pose proof drop_before_over as [_ Ho].
  assert (EF : forall t, class_free M N B (fun _ t => r * t) V_edt t = F_edt t) by (intros; unfold class_free, F_edt; rewrite sum_const; reflexivity).
  assert (ES : forall t, class_slope M N (fun _ _ => r) (fun _ => kappa) t = - (m * r) - n * kappa) by (intros; unfold class_slope; rewrite sum_const; ring).
  apply (follows dsw); auto.
  - apply (burst_sane M N Z alpha B C (fun _ _ => R) a b Ar); auto. intros; lra.
  - apply (by_class_trajectory M N Z alpha B C (fun _ _ => R) a b Ar); auto; [intros; lra|]. split.
    + intros i _. apply continuous_ext with (fun t => r * t + 0); [intros; ring|apply continuous_linear].
    + apply V_edt_continuous.
    + intros i t _ Ht. apply Rmult_le_pos; lra.
    + intros t Ht. apply V_edt_nonneg. lra.
    + intros i t _ Ht. apply rd_ext with (fun t => r * t + 0); [exists 1; split; [lra|]; intros; ring|apply rd_linear].
    + intros t Ht. apply V_edt_slope.
    + intros t Ht. rewrite EF. apply F_edt_pos. lra.
    + intros i t _ Ht. rewrite EF, ES. destruct (before_drop t) as [K _]. repeat split; intros; lra.
    + intros t Ht. rewrite EF, ES. apply (steady_rule_edt t). lra.
Qed.

(** Controlled from before the drop of DT on: bytes are lost from then on. *)
Theorem controlled_after : a <= drop -> burst_arrivals M N Z C (fun _ _ => R) 0 b Ar -> trajectory dsw Ar a b Q D ->
  forall i t, (i < M)%nat -> drop <= t < b -> 0 < rejected dsw Ar Q D i t.
Proof.
  intros Ha A H i t Hi Ht. destruct state_a as (S1 & S2 & S3). pose proof en as Hn.
  assert (Ex : exists W w V v, class_trajectory M N alpha B C (fun _ _ => R) 0 b W w V v /\
     (forall k, (k < M)%nat -> W k a = r * a) /\ V a = V_edt a /\ w i t < r).
  { destruct (slow_dec M N alpha C R) as [c|c].
    - rewrite eq10_slow in * by auto. exists (W_slow M N alpha B C R), (w_slow M N alpha B C R), (V_slow M N alpha B C R), (v_slow M N alpha B C R).
      split; [apply slow_class; auto|]. split; [intros; unfold W_slow; rewrite Rmin_left; lra|]. split.
      + unfold V_slow, V_edt. rewrite (kappa_slow c), Rmin_left by lra. lra.
      + unfold w_slow. destruct (Rlt_dec t (t_slow M N alpha B C R)); lra.
    - rewrite eq10_fast in * by auto. exists (W_fast M N alpha B C R), (w_fast M N alpha B C R), (V_fast M N alpha B C), (v_fast M N alpha B C).
      pose proof (t2_lt_t3 M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded c) as L3.
      pose proof (climb_bounds M N alpha C R M_pos alpha_pos C_pos overloaded c).
      split; [apply fast_class; auto|]. split; [intros; unfold W_fast; rewrite !Rmin_left by lra; ring|]. split.
      + unfold V_fast, V_edt. rewrite (kappa_fast c), Rmin_left by lra. ring.
      + unfold w_fast. destruct (Rlt_dec t (t_fast M N alpha B C R)); [lra|]. destruct (Rlt_dec t (t_meet M N alpha B C)); lra. }
  destruct Ex as (W & w & V & v & Cl & EW & EV & Hw).
  assert (T' : trajectory dsw Ar a b (by_class M N W V) (by_class M N w v)).
  { apply trajectory_later with 0; [lra|]. apply (by_class_trajectory M N Z alpha B C (fun _ _ => R) 0 b Ar); auto. intros; lra. }
  assert (U : forall k, (k < M + N + Z)%nat -> (forall u, a <= u <= b -> Q k u = by_class M N W V k u) /\ (forall u, a <= u < b -> D k u = by_class M N w v k u)).
  { apply (fluid_unique dsw Ar a b Q D (by_class M N W V) (by_class M N w v)); auto.
    - apply (burst_sane M N Z alpha B C (fun _ _ => R) a b Ar); auto. intros; lra.
    - intros k Hk. destruct (class_of M N Z k Hk) as [d|[d|d]].
      + rewrite by_class_burst by auto. rewrite S1, EW; auto.
      + rewrite by_class_steady by auto. rewrite S2, EV; auto.
      + rewrite by_class_other by lia. apply S3; auto. }
  destruct (U i ltac:(lia)) as [_ UD]. assert (E : D i t = w i t) by (rewrite UD by lra; apply by_class_burst; auto).
  unfold rejected, highest. simpl. rewrite (burst_ports _ _ _ _ _ _ _ _ A i t Hi ltac:(pose proof drop_before_over; lra)), E.
  destruct (Rlt_dec 0 (Q i t)); [lra|]. rewrite Rmax_right; lra.
Qed.

(** Controlled while longer than the threshold: all that arrives is lost, for a while. *)
Theorem controlled_above : drop < a -> a < b -> trajectory dsw Ar a b Q D ->
  exists d, 0 < d /\ forall i t, (i < M)%nat -> a <= t < a + d -> t < b -> rejected dsw Ar Q D i t = R.
Proof.
  intros Ha Hab H. pose proof drop_before_over as [Hd _].
  assert (One : forall i, (i < M)%nat -> exists d, 0 < d /\ forall t, a <= t < a + d -> t < b -> rejected dsw Ar Q D i t = R).
  { intros i Hi.
    assert (Dr : right_derivative (fun u => Q i u - threshold dsw Q i u) a (D i a - alpha * free_slope dsw D a)).
    { apply rd_minus; [apply (length_slope _ _ _ _ _ _ H); [simpl; lia|lra]|].
      apply rd_ext with (fun u => alpha * free dsw Q u); [exists 1; split; [lra|]; intros; unfold threshold; simpl; ring|].
      apply rd_scal. eapply free_has_slope; [exact H|lra]. }
    assert (P : 0 < Q i a - threshold dsw Q i a).
    { unfold threshold. rewrite (state_free dsw Q a eq_refl eq_refl state_a). destruct state_a as (S1 & _). rewrite S1 by auto. simpl.
      destruct (before_drop a) as (_ & K & _). lra. }
    destruct (rd_stays_positive a _ _ Dr P) as (d & Hd1 & K1).
    assert (P2 : 0 < Q i a) by (destruct state_a as (S1 & _); rewrite S1 by auto; apply mul_pos; lra).
    destruct (rd_stays_positive a (Q i) (D i a) ltac:(apply (length_slope _ _ _ _ _ _ H); [simpl; lia|lra]) P2) as (d2 & Hd2 & K2).
    exists (Rmin d d2). split; [apply Rmin_pos; auto|]. intros t Ht Htb. pose proof (Rmin_l d d2). pose proof (Rmin_r d d2).
    specialize (K1 (t - a) ltac:(lra)). specialize (K2 (t - a) ltac:(lra)). replace (a + (t - a)) with t in K1, K2 by ring.
    destruct (length_rule _ _ _ _ _ _ H i t ltac:(simpl; lia) ltac:(lra)) as (_ & K & _). specialize (K ltac:(lra)).
    unfold rejected. rewrite K. unfold highest, lowest. rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals i t Hi ltac:(lra)).
    destruct (Rlt_dec 0 (Q i t)); lra. }
  assert (All : forall k, (k <= M)%nat -> exists d, 0 < d /\ forall i t, (i < k)%nat -> a <= t < a + d -> t < b -> rejected dsw Ar Q D i t = R).
  { induction k; intros Hk; [exists 1; split; [lra|intros; lia]|]. destruct (IHk ltac:(lia)) as (d & Hd1 & K1).
    destruct (One k ltac:(lia)) as (d2 & Hd2 & K2). exists (Rmin d d2). split; [apply Rmin_pos; auto|]. intros i t Hi Ht Htb.
    pose proof (Rmin_l d d2). pose proof (Rmin_r d d2). destruct (Nat.eq_dec i k) as [->|]; [apply K2; lra|apply K1; [lia|lra|lra]]. }
  apply All. lia.
Qed.

End Interval.

(** ** Controlled until u, uncontrolled until the overflow *)

Theorem edt_lengths u tau Ar Q D : u <= drop -> tau <= over -> edt_run M N Z alpha B C R u tau Ar Q D ->
  (forall t, 0 <= t <= tau -> state Q t /\ free dsw Q t = F_edt t) /\
  (forall i t, (i < M)%nat -> 0 <= t < tau -> rejected dsw Ar Q D i t = 0 /\ D i t = r) /\
  (slow M N alpha C R -> forall t, 0 <= t <= tau -> V_edt t = alpha * (B - m * (r * t)) / (1 + alpha * n)) /\
  F_edt over = 0 /\ (slow M N alpha C R -> r * over = B / m /\ V_edt over = 0).
Proof.
  intros Hu Htau [[Hu0 Hut] A S T1 T2]. pose proof en as Hn. pose proof (ports_ge M M_pos) as Hm.
  assert (Sub : forall a b, 0 <= a -> b <= tau -> burst_arrivals M N Z C (fun _ _ => R) a b Ar) by (intros a b Ha Hb; apply (burst_part _ _ _ _ _ _ 0 tau); auto).
  destruct (controlled_until 0 u Ar Q D ltac:(lra) (Sub 0 u ltac:(lra) ltac:(lra)) (state_start Q S) Hu T1) as [K1 K2].
  destruct (uncontrolled_until u tau Ar Q D ltac:(lra) (Sub u tau ltac:(lra) ltac:(lra)) (K1 u ltac:(lra)) Htau T2) as [K3 K4].
  assert (St : forall t, 0 <= t <= tau -> state Q t) by (intros t Ht; destruct (Rle_dec t u); [apply K1; lra|apply K3; lra]).
  split; [intros t Ht; split; [apply St; auto|apply state_free; auto]|]. split.
  { intros i t Hi Ht. destruct (Rlt_dec t u); [destruct (K2 i t Hi ltac:(lra)); auto|destruct (K4 i t Hi ltac:(lra)); auto]. }
  assert (EV : slow M N alpha C R -> forall t, V_edt t = alpha * (B - m * (r * t)) / (1 + alpha * n)).
  { intros c t. destruct (F_edt_slow t c) as [E1 E2]. rewrite E2, E1. lra. }
  split; [auto|]. split; [apply F_edt_pos; reflexivity|]. intros c.
  assert (Er : r * over = B / m) by (rewrite over_is_slow by auto; unfold over_slow; field; split; lra).
  split; auto. rewrite EV, Er by auto. field. split; lra.
Qed.

End Lengths.
