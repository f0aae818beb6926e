(** DT/EDT paper, Section 3.1: Theorem 1, equations (2)-(11), for every trajectory of the fluid model.

    M bursts of one rate R > C, N ports in the steady state, Z others; any M >= 1, N, Z.
    [tau] is the time up to which every burst lasts: with [tau <= t1] nothing is dropped, with
    [tau > t1] each of the M ports drops first at t1, and F(t1) is as printed.                     *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario.
Open Scope R_scope.

(** The condition of case (a), R <= C (1 + (1 + alpha N) / (alpha M)). *)
Definition slow (M N : nat) (alpha C R : real) : Prop := R <= C * (1 + (1 + alpha * INR N) / (alpha * INR M)).

(** Equations (2), (5), (6), (9). *)
Definition t_slow (M N : nat) (alpha B C R : real) : real := alpha * B / ((1 + alpha * (INR M + INR N)) * (R - C)).
Definition F_slow (M N : nat) (alpha B : R) : R := B / (1 + alpha * (INR M + INR N)).
Definition t_fast (M N : nat) (alpha B C R : real) : real :=
  alpha * B / ((1 + alpha * INR N) * ((1 + alpha * INR M) * (R - C) - alpha * INR N * C)).
Definition F_fast (M N : nat) (alpha B C R : real) : real :=
  (R - C) * B / ((1 + alpha * INR N) * ((1 + alpha * INR M) * (R - C) - alpha * INR N * C)).

(** When the steady queues, draining at C, meet the threshold again in case (b). *)
Definition t_meet (M N : nat) (alpha B C : R) : R :=
  alpha * B * (alpha * INR M) / ((1 + alpha * INR N) * (1 + alpha * (INR M + INR N)) * C).

(** ** Arithmetic *)

Section Theorem1.
Variables (M N Z : nat) (alpha B C R : real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R).

Notation m := (INR M).
Notation n := (INR N).
Notation r := (R - C).

Lemma m_ge_1 : 1 <= m.
Proof. change 1 with (INR 1). apply le_INR. exact M_pos. Qed.

Lemma n_ge_0 : 0 <= n.
Proof. apply pos_INR. Qed.

Lemma am_pos : 0 < alpha * m.
Proof. pose proof m_ge_1. apply Rmult_lt_0_compat; lra. Qed.

Lemma an_pos : 0 <= alpha * n.
Proof. pose proof n_ge_0. apply Rmult_le_pos; lra. Qed.

(** Case (a) says that the threshold falls no faster than C. *)
Lemma slow_iff : slow M N alpha C R <-> alpha * m * r <= (1 + alpha * n) * C.
Proof.
  pose proof am_pos as Hm. split; intros H.
  - apply (Rmult_le_compat_l (alpha * m)) in H; [|lra].
    replace (alpha * m * (C * (1 + (1 + alpha * n) / (alpha * m))))
      with (alpha * m * C + (1 + alpha * n) * C) in H by (field; split; [pose proof m_ge_1|]; lra). lra.
  - apply Rmult_le_reg_l with (alpha * m); [lra|].
    replace (alpha * m * (C * (1 + (1 + alpha * n) / (alpha * m))))
      with (alpha * m * C + (1 + alpha * n) * C) by (field; split; [pose proof m_ge_1|]; lra). lra.
Qed.

(** ** Case (a) *)

Notation t1 := (t_slow M N alpha B C R).
Definition W_slow (_ : nat) (t : real) := r * Rmin t t1.
Definition V_slow (t : real) := alpha * (F0 N alpha B - m * r / (1 + alpha * n) * Rmin t t1).
Definition w_slow (_ : nat) (t : real) := if Rlt_dec t t1 then r else 0.
Definition v_slow (t : real) := if Rlt_dec t t1 then - (alpha * (m * r / (1 + alpha * n))) else 0.

Lemma t1_pos : 0 < t1.
Proof.
  pose proof am_pos. pose proof an_pos. apply Rdiv_lt_0_compat.
  all: nra.
Qed.

Lemma slow_free t : class_free M N B W_slow V_slow t = F0 N alpha B - m * r / (1 + alpha * n) * Rmin t t1.
Proof. pose proof an_pos. unfold class_free, W_slow, V_slow, F0. rewrite sum_const. field; repeat split; lra. Qed.

Lemma slow_slope t : class_slope M N w_slow v_slow t = if Rlt_dec t t1 then - (m * r / (1 + alpha * n)) else 0.
Proof.
  pose proof an_pos. unfold class_slope, w_slow, v_slow. rewrite sum_const.
  destruct (Rlt_dec t t1); [field|]; lra.
Qed.

(** T - Q = (1 + alpha (M + N)) (R - C) (t1 - t) / (1 + alpha N) up to t1. *)
Lemma slow_gap t :
  alpha * (F0 N alpha B - m * r / (1 + alpha * n) * t) - r * t
  = (1 + alpha * (m + n)) * r / (1 + alpha * n) * (t1 - t).
Proof. pose proof am_pos. pose proof an_pos. unfold F0, t_slow. field. repeat split; lra. Qed.

Lemma slow_gap_pos : 0 < (1 + alpha * (m + n)) * r / (1 + alpha * n).
Proof. pose proof am_pos. pose proof an_pos. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra. Qed.

Lemma slow_free_pos t : 0 < F0 N alpha B - m * r / (1 + alpha * n) * Rmin t t1.
Proof.
  pose proof (Rmin_r t t1) as L. pose proof t1_pos. pose proof an_pos.
  assert (0 <= m * r / (1 + alpha * n)).
  { apply Rlt_le, Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; pose proof m_ge_1; lra. }
  assert (0 < alpha * (F0 N alpha B - m * r / (1 + alpha * n) * t1)).
  { pose proof (slow_gap t1) as G1.
    pose proof (Rmult_lt_0_compat r t1). lra. }
  assert (0 < F0 N alpha B - m * r / (1 + alpha * n) * t1).
  { apply Rmult_lt_reg_l with alpha; lra. }
  assert (m * r / (1 + alpha * n) * Rmin t t1 <= m * r / (1 + alpha * n) * t1) by (apply Rmult_le_compat_l; auto).
  lra.
Qed.

Lemma rd_stopped k b c t :
  right_derivative (fun u => k * Rmin u c + b) t (if Rlt_dec t c then k else 0).
Proof.
  destruct (Rlt_dec t c) as [H|H].
  - apply (rd_stop_before t (fun u => k * u + b)); auto. apply rd_linear.
  - apply (rd_stop_after t (fun u => k * u + b)). lra.
Qed.

Lemma continuous_stopped s tau k b c : s <= c -> continuous_on (fun u => k * Rmin u c + b) s tau.
Proof. intros H. apply (continuous_stop s tau (fun u => k * u + b)); auto. apply continuous_linear. Qed.

Lemma slow_class tau : slow M N alpha C R ->
  class_trajectory M N alpha B C (fun _ _ => R) 0 tau W_slow w_slow V_slow v_slow.
Proof.
  intros Hs. apply slow_iff in Hs. pose proof t1_pos as Ht1. pose proof an_pos as Han.
  assert (Hg : 0 <= m * r / (1 + alpha * n)).
  { apply Rlt_le, Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; pose proof m_ge_1; lra. }
  split.
  - intros i _. apply continuous_ext with (fun u => r * Rmin u t1 + 0); [intros; unfold W_slow; lra|].
    apply continuous_stopped. lra.
  - apply continuous_ext with (fun u => (- (alpha * (m * r / (1 + alpha * n)))) * Rmin u t1 + alpha * F0 N alpha B).
    { intros; unfold V_slow; lra. } apply continuous_stopped. lra.
  - intros i t _ Ht. apply Rmult_le_pos; [lra|]. apply Rmin_glb; lra.
  - intros t _. pose proof (slow_free_pos t). apply Rmult_le_pos; lra.
  - intros i t _ Ht. apply rd_ext with (fun u => r * Rmin u t1 + 0).
    { exists 1. split; [lra|]. intros; unfold W_slow; lra. } apply rd_stopped.
  - intros t Ht.
    apply rd_ext with (fun u => (- (alpha * (m * r / (1 + alpha * n)))) * Rmin u t1 + alpha * F0 N alpha B).
    { exists 1. split; [lra|]. intros; unfold V_slow; lra. } apply rd_stopped.
  - intros t _. rewrite slow_free. apply slow_free_pos.
  - intros i t _ Ht. rewrite slow_free, slow_slope. unfold W_slow, w_slow.
    pose proof (slow_gap (Rmin t t1)) as G. pose proof slow_gap_pos as P.
    destruct (Rlt_dec t t1) as [H|H].
    + rewrite (Rmin_left t t1) in * by lra.
      pose proof (Rmult_lt_0_compat _ (t1 - t) P ltac:(lra)). repeat split; lra.
    + rewrite (Rmin_right t t1) in * by lra.
      repeat split; try lra. rewrite Rmult_0_r, clip_inside; lra.
  - intros t Ht. right. rewrite slow_free, slow_slope. unfold V_slow, v_slow.
    destruct (Rlt_dec t t1) as [H|H].
    + assert (K : alpha * (m * r / (1 + alpha * n)) <= C).
      { apply Rmult_le_reg_r with (1 + alpha * n); [lra|].
        replace (alpha * (m * r / (1 + alpha * n)) * (1 + alpha * n)) with (alpha * m * r) by (field; lra). lra. }
      assert (0 <= alpha * (m * r / (1 + alpha * n))) by (apply Rmult_le_pos; lra).
      rewrite Rmax_left; lra.
    + rewrite Rmult_0_r, Rmax_left; lra.
Qed.

Lemma slow_start : (forall i, (i < M)%nat -> W_slow i 0 = 0) /\ V_slow 0 = alpha * F0 N alpha B.
Proof. pose proof t1_pos. unfold W_slow, V_slow. rewrite Rmin_left by lra. split; intros; lra. Qed.

Lemma F_slow_at_t1 : F0 N alpha B - m * r / (1 + alpha * n) * t1 = F_slow M N alpha B.
Proof. pose proof am_pos. pose proof an_pos. unfold F0, t_slow, F_slow. field. repeat split; lra. Qed.

(** Theorem 1, case (a); equations (2)-(5). *)
Theorem theorem1_case_a tau Ar Q D :
  0 <= tau -> slow M N alpha C R ->
  micro_burst M N Z alpha B C (fun _ _ => R) tau Ar Q D ->
  forall k, (k < M)%nat ->
    (tau <= t1 -> forall t, 0 <= t < tau -> rejected (dt_switch (M + N + Z) alpha B C) Ar Q D k t = 0) /\
    (t1 < tau ->
       drops_first_at (dt_switch (M + N + Z) alpha B C) Ar Q D k 0 t1 /\
       free (dt_switch (M + N + Z) alpha B C) Q t1 = F_slow M N alpha B /\
       threshold (dt_switch (M + N + Z) alpha B C) Q k t1 = alpha * F_slow M N alpha B /\
       forall t, t1 <= t < tau -> rejected (dt_switch (M + N + Z) alpha B C) Ar Q D k t = R - C).
Proof.
  intros Htau Hs H k Hk. destruct slow_start as [S1 S2]. pose proof t1_pos as Ht1.
  destruct (micro_burst_unique M N Z alpha B C (fun _ _ => R) tau Ar Q D W_slow w_slow V_slow v_slow)
    as (UF & UW & UV & UO & UR); auto using slow_class; [intros; lra|].
  assert (Rej : forall t, 0 <= t < tau ->
    rejected (dt_switch (M + N + Z) alpha B C) Ar Q D k t = if Rlt_dec t t1 then 0 else r).
  { intros t Ht. rewrite UR by auto. unfold w_slow. destruct (Rlt_dec t t1); lra. }
  split.
  - intros Hle t Ht. rewrite Rej by auto. destruct (Rlt_dec t t1); lra.
  - intros Hlt. assert (EF : free (dt_switch (M + N + Z) alpha B C) Q t1 = F_slow M N alpha B).
    { rewrite UF by lra. rewrite slow_free, Rmin_left, F_slow_at_t1; lra. }
    split; [|split; [exact EF|split]].
    + split.
      * intros t Ht. rewrite Rej by lra. destruct (Rlt_dec t t1); lra.
      * exists (tau - t1). split; [lra|]. intros t Ht. rewrite Rej by lra. destruct (Rlt_dec t t1); lra.
    + unfold threshold. rewrite EF. simpl. lra.
    + intros t Ht. rewrite Rej by lra. destruct (Rlt_dec t t1); lra.
Qed.

(** ** Case (b) *)

Notation t2 := (t_fast M N alpha B C R).
Notation t3 := (t_meet M N alpha B C).
Notation climb := (alpha * n * C / (1 + alpha * m)).
Definition W_fast (_ : nat) (t : real) := r * Rmin t t2 + climb * (Rmin t t3 - Rmin t t2).
Definition V_fast (t : real) := alpha * F0 N alpha B - C * Rmin t t3.
Definition w_fast (_ : nat) (t : real) :=
  if Rlt_dec t t2 then r else if Rlt_dec t t3 then climb else 0.
Definition v_fast (t : real) := if Rlt_dec t t3 then - C else 0.

Hypothesis fast : ~ slow M N alpha C R.

Lemma fast_iff : (1 + alpha * n) * C < alpha * m * r.
Proof. apply Rnot_le_lt. intros H. apply fast, slow_iff, H. Qed.

Lemma fast_den : 0 < (1 + alpha * m) * r - alpha * n * C.
Proof. pose proof fast_iff. lra. Qed.

Lemma t2_pos : 0 < t2.
Proof.
  pose proof an_pos. pose proof fast_den. apply Rdiv_lt_0_compat.
  all: nra.
Qed.

Lemma div_lt_div a b c d : 0 < b -> 0 < d -> a * d < c * b -> a / b < c / d.
Proof.
  intros Hb Hd H. apply Rmult_lt_reg_r with (b * d); [apply Rmult_lt_0_compat; auto|].
  replace (a / b * (b * d)) with (a * d) by (field; lra). replace (c / d * (b * d)) with (c * b) by (field; lra). lra.
Qed.

Lemma t2_lt_t3 : t2 < t3.
Proof.
  pose proof am_pos as Ham. pose proof an_pos as Han. pose proof fast_iff as Hf.
  assert (P1 : 0 < (1 + alpha * n) * ((1 + alpha * m) * r - alpha * n * C)) by (apply Rmult_lt_0_compat; lra).
  assert (P2 : 0 < (1 + alpha * n) * (1 + alpha * (m + n)) * C).
  { apply Rmult_lt_0_compat; auto. apply Rmult_lt_0_compat; lra. }
  apply div_lt_div; auto.
  assert (K : 0 < alpha * B * (1 + alpha * n) * (1 + alpha * m) * (alpha * m * r - (1 + alpha * n) * C)).
  { apply Rmult_lt_0_compat; [|lra]. apply Rmult_lt_0_compat; [|lra].
    apply Rmult_lt_0_compat; [|lra]. apply Rmult_lt_0_compat; lra. }
  lra.
Qed.

Lemma climb_bounds : 0 <= climb < r.
Proof.
  pose proof am_pos. pose proof an_pos. pose proof fast_den. split.
  - apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat. lra.
  - apply Rmult_lt_reg_r with (1 + alpha * m); [lra|].
    replace (climb * (1 + alpha * m)) with (alpha * n * C) by (field; lra). lra.
Qed.

Lemma fast_free t : class_free M N B W_fast V_fast t
  = F0 N alpha B - m * (r * Rmin t t2 + climb * (Rmin t t3 - Rmin t t2)) + n * C * Rmin t t3.
Proof.
  pose proof an_pos. unfold class_free, W_fast, V_fast. rewrite sum_const. unfold F0 at 1.
  replace (F0 N alpha B) with (B - n * (alpha * (B / (1 + alpha * n)))) by (unfold F0; field; lra). ring.
Qed.

Lemma fast_slope t : class_slope M N w_fast v_fast t
  = if Rlt_dec t t2 then - (m * r - n * C) else if Rlt_dec t t3 then n * C - m * climb else 0.
Proof.
  pose proof t2_lt_t3. unfold class_slope, w_fast, v_fast. rewrite sum_const.
  destruct (Rlt_dec t t2), (Rlt_dec t t3); lra.
Qed.

(** T - Q_k and Q_j - T, for the bursts k and the steady queues j. *)
Lemma fast_gap_burst t :
  alpha * class_free M N B W_fast V_fast t - W_fast 0%nat t
  = ((1 + alpha * m) * r - alpha * n * C) * (t2 - Rmin t t2).
Proof.
  pose proof am_pos. pose proof an_pos. pose proof fast_den. rewrite fast_free. unfold W_fast.
  unfold F0, t_fast. field; repeat split; lra.
Qed.

Lemma fast_gap_steady t :
  V_fast t - alpha * class_free M N B W_fast V_fast t
  = (alpha * m * (r - climb)) * Rmin t t2 - (C + alpha * n * C - alpha * m * climb) * Rmin t t3.
Proof. rewrite fast_free. unfold V_fast. ring. Qed.

Lemma fast_meet :
  (alpha * m * (r - climb)) * t2 = (C + alpha * n * C - alpha * m * climb) * t3.
Proof. pose proof am_pos. pose proof an_pos. pose proof fast_den. unfold t_fast, t_meet. field; repeat split; lra. Qed.

Lemma fast_close_pos : 0 < C + alpha * n * C - alpha * m * climb.
Proof.
  pose proof am_pos. pose proof an_pos.
  replace (C + alpha * n * C - alpha * m * climb) with (C * (1 + alpha * (m + n)) / (1 + alpha * m)) by (field; lra).
  apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra.
Qed.

Lemma W_fast_any i t : W_fast i t = W_fast 0%nat t.
Proof. reflexivity. Qed.

Lemma W_fast_nonneg t : 0 <= t -> 0 <= W_fast 0%nat t.
Proof.
  intros Ht. pose proof t2_pos. pose proof t2_lt_t3. pose proof climb_bounds as [c1 c2]. unfold W_fast.
  assert (Rmin t t2 <= Rmin t t3) by (apply Rle_min_compat_l; lra).
  assert (0 <= Rmin t t2) by (apply Rmin_glb; lra).
  assert (0 <= r * Rmin t t2) by (apply Rmult_le_pos; lra).
  assert (0 <= climb * (Rmin t t3 - Rmin t t2)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma fast_free_pos t : 0 <= t -> 0 < class_free M N B W_fast V_fast t.
Proof.
  intros Ht. pose proof (fast_gap_burst t) as G. pose proof t2_pos. pose proof fast_den.
  pose proof t2_lt_t3. pose proof climb_bounds.
  apply Rmult_lt_reg_l with alpha; auto.
  pose proof (W_fast_nonneg t Ht). pose proof (Rmin_r t t2).
  assert (0 <= ((1 + alpha * m) * r - alpha * n * C) * (t2 - Rmin t t2)) by (apply Rmult_le_pos; lra).
  destruct (Rlt_dec t t2) as [c|c].
  - rewrite (Rmin_left t t2) in * by lra.
    pose proof (Rmult_lt_0_compat _ (t2 - t) fast_den ltac:(lra)). lra.
  - assert (0 < W_fast 0%nat t); [|lra]. unfold W_fast. rewrite (Rmin_right t t2) by lra.
    assert (t2 <= Rmin t t3) by (apply Rmin_glb; lra).
    pose proof (Rmult_lt_0_compat r t2). pose proof (Rmult_le_pos climb (Rmin t t3 - t2)). lra.
Qed.

Lemma V_fast_ge t : 0 <= t -> 0 <= V_fast t - alpha * class_free M N B W_fast V_fast t.
Proof.
  rewrite fast_gap_steady. pose proof fast_meet as E. pose proof fast_close_pos as P.
  pose proof climb_bounds. pose proof t2_lt_t3. pose proof am_pos. pose proof fast_iff.
  destruct (Rlt_dec t t2) as [c|c].
  - rewrite !Rmin_left by lra.
    replace (alpha * m * (r - climb) * t - (C + alpha * n * C - alpha * m * climb) * t)
      with ((alpha * m * r - (1 + alpha * n) * C) * t) by ring. apply Rmult_le_pos; lra.
  - rewrite (Rmin_right t t2) by lra. pose proof (Rmin_r t t3).
    assert (0 <= (C + alpha * n * C - alpha * m * climb) * (t3 - Rmin t t3)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma rd_two_stops k l b t :
  right_derivative (fun u => k * Rmin u t2 + (l * Rmin u t3 + b)) t
    ((if Rlt_dec t t2 then k else 0) + (if Rlt_dec t t3 then l else 0)).
Proof.
  apply rd_plus; [|apply rd_stopped].
  apply rd_ext with (fun u => k * Rmin u t2 + 0); [|apply rd_stopped].
  exists 1. split; [lra|]. intros; lra.
Qed.

Lemma fast_class tau : class_trajectory M N alpha B C (fun _ _ => R) 0 tau W_fast w_fast V_fast v_fast.
Proof.
  pose proof t2_pos as Ht2. pose proof t2_lt_t3 as Ht3. pose proof climb_bounds as [c1 c2].
  pose proof am_pos as Ham. pose proof fast_iff as Hf.
  split.
  - intros i _. apply continuous_ext with (fun u => (r - climb) * Rmin u t2 + (climb * Rmin u t3 + 0));
      [intros; unfold W_fast; lra|].
    apply continuous_plus; [|apply continuous_stopped; lra].
    apply continuous_ext with (fun u => (r - climb) * Rmin u t2 + 0); [intros; lra|]. apply continuous_stopped; lra.
  - apply continuous_ext with (fun u => (- C) * Rmin u t3 + alpha * F0 N alpha B).
    { intros; unfold V_fast; lra. } apply continuous_stopped. lra.
  - intros i t _ Ht. apply W_fast_nonneg. lra.
  - intros t Ht. pose proof (V_fast_ge t ltac:(lra)). pose proof (fast_free_pos t ltac:(lra)).
    pose proof (Rmult_lt_0_compat alpha (class_free M N B W_fast V_fast t)). lra.
  - intros i t _ Ht. apply rd_ext with (fun u => (r - climb) * Rmin u t2 + (climb * Rmin u t3 + 0)).
    { exists 1. split; [lra|]. intros; unfold W_fast; lra. }
    eapply rd_eq; [apply rd_two_stops|]. unfold w_fast. destruct (Rlt_dec t t2), (Rlt_dec t t3); lra.
  - intros t Ht. apply rd_ext with (fun u => (- C) * Rmin u t3 + alpha * F0 N alpha B).
    { exists 1. split; [lra|]. intros; unfold V_fast; lra. } apply rd_stopped.
  - intros t Ht. apply fast_free_pos. lra.
  - intros i t _ Ht. rewrite fast_slope, W_fast_any. pose proof (fast_gap_burst t) as G. pose proof fast_den as Hd.
    unfold w_fast. destruct (Rlt_dec t t2) as [c|c].
    + rewrite (Rmin_left t t2) in G by lra.
      pose proof (Rmult_lt_0_compat _ (t2 - t) Hd ltac:(lra)). repeat split; lra.
    + rewrite (Rmin_right t t2) in G by lra.
      repeat split; try lra. intros _. destruct (Rlt_dec t t3).
      * rewrite clip_inside; [field; lra|].
        replace (alpha * (n * C - m * climb)) with climb by (field; lra). lra.
      * rewrite Rmult_0_r, clip_inside; lra.
  - intros t Ht. rewrite fast_slope. pose proof (V_fast_ge t ltac:(lra)) as G.
    pose proof (fast_gap_steady t) as E. unfold v_fast. destruct (Rlt_dec t t2) as [c|c].
    + rewrite !Rmin_left in E by lra.
      destruct (Rlt_dec t t3) as [c'|c']; [|lra]. destruct (Req_dec t 0) as [->|Hz].
      * right.
        rewrite Rmax_right; lra.
      * left. pose proof (Rmult_lt_0_compat (alpha * m * r - (1 + alpha * n) * C) t). split; lra.
    + rewrite (Rmin_right t t2) in E by lra. rewrite fast_meet in E. pose proof fast_close_pos as P.
      destruct (Rlt_dec t t3) as [c'|c'].
      * left. rewrite (Rmin_left t t3) in E by lra.
        pose proof (Rmult_lt_0_compat _ (t3 - t) P ltac:(lra)). split; lra.
      * right. rewrite (Rmin_right t t3) in E by lra.
        rewrite Rmult_0_r, Rmax_left; lra.
Qed.

Lemma fast_start : (forall i, (i < M)%nat -> W_fast i 0 = 0) /\ V_fast 0 = alpha * F0 N alpha B.
Proof.
  pose proof t2_pos. pose proof t2_lt_t3. unfold W_fast, V_fast. rewrite !Rmin_left by lra. split; intros; lra.
Qed.

Lemma F_fast_at_t2 : class_free M N B W_fast V_fast t2 = F_fast M N alpha B C R.
Proof.
  pose proof am_pos. pose proof an_pos. pose proof fast_den. pose proof t2_lt_t3.
  rewrite fast_free, !Rmin_left by lra. unfold F0, t_fast, F_fast. field; repeat split; lra.
Qed.

(** Theorem 1, case (b); equations (6)-(9). *)
Theorem theorem1_case_b tau Ar Q D :
  0 <= tau ->
  micro_burst M N Z alpha B C (fun _ _ => R) tau Ar Q D ->
  forall k, (k < M)%nat ->
    (tau <= t2 -> forall t, 0 <= t < tau -> rejected (dt_switch (M + N + Z) alpha B C) Ar Q D k t = 0) /\
    (t2 < tau ->
       drops_first_at (dt_switch (M + N + Z) alpha B C) Ar Q D k 0 t2 /\
       free (dt_switch (M + N + Z) alpha B C) Q t2 = F_fast M N alpha B C R /\
       threshold (dt_switch (M + N + Z) alpha B C) Q k t2 = alpha * F_fast M N alpha B C R /\
       forall t, t2 <= t < tau -> 0 < rejected (dt_switch (M + N + Z) alpha B C) Ar Q D k t).
Proof.
  intros Htau H k Hk. destruct fast_start as [S1 S2]. pose proof t2_pos as Ht2.
  destruct (micro_burst_unique M N Z alpha B C (fun _ _ => R) tau Ar Q D W_fast w_fast V_fast v_fast)
    as (UF & UW & UV & UO & UR); auto using fast_class; [intros; lra|].
  pose proof climb_bounds as [c1 c2].
  assert (Rej : forall t, 0 <= t < tau ->
    (t < t2 -> rejected (dt_switch (M + N + Z) alpha B C) Ar Q D k t = 0) /\
    (t2 <= t -> 0 < rejected (dt_switch (M + N + Z) alpha B C) Ar Q D k t)).
  { intros t Ht. rewrite UR by auto. unfold w_fast. destruct (Rlt_dec t t2), (Rlt_dec t t3); split; lra. }
  split.
  - intros Hle t Ht. apply Rej; lra.
  - intros Hlt. assert (EF : free (dt_switch (M + N + Z) alpha B C) Q t2 = F_fast M N alpha B C R).
    { rewrite UF by lra. apply F_fast_at_t2. }
    split; [|split; [exact EF|split]].
    + split.
      * intros t Ht. apply Rej; lra.
      * exists (tau - t2). split; [lra|]. intros t Ht. apply Rej; lra.
    + unfold threshold. rewrite EF. simpl. lra.
    + intros t Ht. apply Rej; lra.
Qed.

End Theorem1.

(** ** The hypotheses can hold: trajectories exist, in both cases *)

Theorem theorem1_case_a_exists M N Z alpha B C R tau :
  (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R -> 0 <= tau -> slow M N alpha C R ->
  exists Ar Q D, micro_burst M N Z alpha B C (fun _ _ => R) tau Ar Q D.
Proof.
  intros. destruct (slow_start M N alpha B C R) as [S1 S2]; auto.
  do 3 eexists. apply micro_burst_exists; auto; [intros; lra|apply slow_class; auto|..]; auto.
Qed.

Theorem theorem1_case_b_exists M N Z alpha B C R tau :
  (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R -> 0 <= tau -> ~ slow M N alpha C R ->
  exists Ar Q D, micro_burst M N Z alpha B C (fun _ _ => R) tau Ar Q D.
Proof.
  intros. destruct (fast_start M N alpha B C R) as [S1 S2]; auto.
  do 3 eexists. apply micro_burst_exists; auto; [intros; lra|apply fast_class; auto|..]; auto.
Qed.

(** One burst, one steady port, alpha = 1, B = 6, C = 1: R = 2 is case (a) and drops at 2; R = 7 is case (b) and drops at 3/11. *)
Theorem theorem1_instances :
  (slow 1 1 1 1 2 /\ t_slow 1 1 1 6 1 2 = 2 /\ exists Ar Q D, micro_burst 1 1 0 1 6 1 (fun _ _ => 2) 3 Ar Q D) /\
  (~ slow 1 1 1 1 7 /\ t_fast 1 1 1 6 1 7 = 3 / 11 /\ exists Ar Q D, micro_burst 1 1 0 1 6 1 (fun _ _ => 7) 3 Ar Q D).
Proof.
  assert (S : slow 1 1 1 1 2) by (unfold slow; simpl; lra).
  assert (F : ~ slow 1 1 1 1 7) by (unfold slow; simpl; lra).
  repeat split; auto.
  - unfold t_slow. simpl. lra.
  - apply theorem1_case_a_exists; auto; lra.
  - unfold t_fast. simpl. lra.
  - apply theorem1_case_b_exists; auto; lra.
Qed.
