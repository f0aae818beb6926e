(** Bursts of different rates once the threshold falls no faster than C, whatever happened before.

    Ports 0 .. L-1 have met the threshold before the instant s, ports L .. M-1 have not; N ports were steady.
    From s on port j < L has the length max(T(t), line_j - C t), a steady port max(T(t), V0 - C t), and a port
    that has not met the threshold min((R_i - C) t, T(t)).  Hence port k >= L meets the threshold, and drops
    from then on, at the one t with  meets k t = B,  where

      meets k t = (R_k - C) t / alpha + sum_(L<=i<M) min(R_i - C, R_k - C) t
                  + sum_(j<L) max((R_k - C) t, line_j - C t) + N max((R_k - C) t, V0 - C t).           *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Solve.
Open Scope R_scope.

Section Mixed.
Variables (M N Z L : nat) (alpha B C : R) (r : nat -> R) (line : nat -> R) (V0 : R) (s tau : R).
Hypotheses (L_le_M : (L <= M)%nat) (alpha_pos : 0 < alpha) (C_pos : 0 < C).
Hypothesis r_pos : forall i, (i < M)%nat -> 0 < r i.
Hypothesis s_nonneg : 0 <= s.

(** The lines on which the ports that met the threshold drain. *)
Definition drain (k : nat) : R := if (k <? L)%nat then line k else V0.
Definition h (k : nat) (t : R) : R := drain k - C * t.
Definition g (k : nat) (t : R) : R := r (L + k) * t.
Definition lhs (t x : R) : R :=
  total alpha (L + N) (fun k => h k t) (M - L) (fun k => g k t) 1 x.
Definition meets (k : nat) (t : R) : R := lhs t (r k * t / alpha).

(** The threshold falls no faster than C; there is room; the lines lie as the earlier drops left them. *)
Definition falls_slowly : Prop := alpha * sum (M - L) (fun k => r (L + k)) <= C * (1 + alpha * (INR L + INR N)).
Hypothesis slowly : falls_slowly.
Hypothesis line_bounds : forall k, (k < L)%nat -> 0 <= line k <= V0.
Hypotheses (V0_nonneg : 0 <= V0) (room : sum L line + INR N * V0 < B).
Hypothesis past : forall j, (j < L)%nat -> 0 < s /\ B <= meets j s.

Lemma drain_nonneg k : 0 <= drain k.
Proof. unfold drain. destruct (Nat.ltb_spec k L); [apply line_bounds; auto|auto]. Qed.

Lemma drain_le_V0 k : drain k <= V0.
Proof. unfold drain. destruct (Nat.ltb_spec k L); [apply line_bounds; auto|lra]. Qed.

Lemma sum_drain : sum (L + N) drain = sum L line + INR N * V0.
Proof.
  rewrite sum_split. f_equal.
  - apply sum_ext. intros i Hi. unfold drain. destruct (Nat.ltb_spec i L); [auto|lia].
  - rewrite (sum_ext N _ (fun _ => V0)); [apply sum_const|].
    intros i Hi. unfold drain. destruct (Nat.ltb_spec (L + i) L); [lia|auto].
Qed.

(** ** Meeting the threshold is once and for all *)

Lemma meets_scale k t0 t : 0 <= t0 -> t0 <= t -> 0 < t ->
  meets k t0 <= t0 / t * meets k t + (1 - t0 / t) * (sum L line + INR N * V0).
Proof.
  intros H0 H1 Ht. set (lam := t0 / t).
  assert (Hl : 0 <= lam) by (apply Rmult_le_pos; [auto|left; apply Rinv_0_lt_compat; auto]).
  assert (Hl1 : lam <= 1) by (apply Rmult_le_reg_r with t; [auto|]; unfold lam; field_simplify; lra).
  assert (E : t0 = lam * t) by (unfold lam; field; lra).
  rewrite <- sum_drain. unfold meets, lhs, total.
  assert (E1 : alpha * (r k * t / alpha) = r k * t) by (field; lra).
  assert (E0 : alpha * (r k * t0 / alpha) = r k * t0) by (field; lra).
  rewrite E1, E0.
  assert (A1 : 1 * (r k * t0 / alpha) = lam * (1 * (r k * t / alpha))) by (rewrite E; field; lra).
  assert (A2 : sum (M - L) (fun i => Rmin (g i t0) (r k * t0)) <= lam * sum (M - L) (fun i => Rmin (g i t) (r k * t))).
  { rewrite <- sum_scal. apply sum_le. intros i Hi. unfold g. rewrite E.
    destruct (Rle_dec (r (L + i)%nat * t) (r k * t)).
    - rewrite (Rmin_left (r (L + i)%nat * t)) by lra. eapply Rle_trans; [apply Rmin_l|]. lra.
    - rewrite (Rmin_right (r (L + i)%nat * t)) by lra. eapply Rle_trans; [apply Rmin_r|]. lra. }
  assert (A3 : sum (L + N) (fun i => Rmax (h i t0) (r k * t0))
               <= sum (L + N) (fun i => lam * Rmax (h i t) (r k * t) + (1 - lam) * drain i)).
  { apply sum_le. intros i Hi. pose proof (drain_nonneg i). unfold h. rewrite E.
    assert (K1 : lam * (drain i - C * t) <= lam * Rmax (drain i - C * t) (r k * t))
      by (apply Rmult_le_compat_l; [auto|apply Rmax_l]).
    assert (K2 : lam * (r k * t) <= lam * Rmax (drain i - C * t) (r k * t))
      by (apply Rmult_le_compat_l; [auto|apply Rmax_r]).
    assert (0 <= (1 - lam) * drain i) by (apply Rmult_le_pos; lra).
    apply Rmax_lub; lra. }
  rewrite sum_plus, !sum_scal in A3. lra.
Qed.

Lemma meets_stays k t0 t : 0 <= t0 -> t0 <= t -> B <= meets k t0 -> B <= meets k t.
Proof.
  intros H0 H1 HB. destruct (Req_dec t0 t) as [<-|Hne]; auto.
  pose proof (meets_scale k t0 t H0 H1 ltac:(lra)) as S.
  assert (Hl : 0 <= t0 / t) by (apply Rmult_le_pos; [auto|left; apply Rinv_0_lt_compat; lra]).
  assert (Hl1 : t0 / t < 1) by (apply Rmult_lt_reg_r with t; [lra|]; field_simplify; lra).
  nra.
Qed.

Lemma meets_once k t0 t : 0 <= t0 -> t0 < t -> B <= meets k t0 -> B < meets k t.
Proof.
  intros H0 H1 HB. pose proof (meets_scale k t0 t H0 ltac:(lra) ltac:(lra)) as S.
  assert (Hl : 0 <= t0 / t) by (apply Rmult_le_pos; [auto|left; apply Rinv_0_lt_compat; lra]).
  assert (Hl1 : t0 / t < 1) by (apply Rmult_lt_reg_r with t; [lra|]; field_simplify; lra).
  nra.
Qed.

(** ** The free buffer *)

Definition F (t : R) : R := solve alpha (L + N) (fun k => h k t) (M - L) (fun k => g k t) 1 B.
Definition dF (t : R) : R :=
  slope alpha (L + N) (fun k => h k t) (fun _ => - C) (M - L) (fun k => g k t) (fun k => r (L + k)) 1 B 0.

Lemma F_solves t : lhs t (F t) = B.
Proof. apply solve_correct; auto; lra. Qed.

Lemma F_only t x : lhs t x = B -> x = F t.
Proof. apply solve_unique; auto; lra. Qed.

Lemma g_slope t k : right_derivative (g k) t (r (L + k)).
Proof.
  apply rd_ext with (fun u => r (L + k) * u + 0); [|apply rd_linear].
  exists 1. split; [lra|]. intros; unfold g; lra.
Qed.

Lemma h_slope t k : right_derivative (h k) t (- C).
Proof.
  apply rd_ext with (fun u => (- C) * u + drain k); [|apply rd_linear].
  exists 1. split; [lra|]. intros; unfold h; lra.
Qed.

Lemma F_slope t : right_derivative F t (dF t).
Proof.
  apply (solve_slope alpha alpha_pos t g (fun k _ => r (L + k)) h (fun _ _ => - C)); auto using g_slope, h_slope; [lra|apply rd_const].
Qed.

Lemma F_continuous a b : continuous_on F a b.
Proof.
  apply (solve_continuous alpha alpha_pos a b h (L + N) g (M - L)); auto; [| |lra|apply continuous_const].
  - intros k. apply continuous_ext with (fun u => r (L + k) * u + 0); [intros; unfold g; lra|apply continuous_linear].
  - intros k. apply continuous_ext with (fun u => (- C) * u + drain k); [intros; unfold h; lra|apply continuous_linear].
Qed.

Lemma meets_iff k t : alpha * F t <= r k * t <-> B <= meets k t.
Proof.
  unfold meets. split; intros H.
  - rewrite <- (F_solves t) at 1. destruct (Rle_lt_or_eq_dec _ _ H) as [H'|H'].
    + left. apply total_increases; auto; [lra|].
      apply Rmult_lt_reg_l with alpha; auto. replace (alpha * (r k * t / alpha)) with (r k * t) by (field; lra). auto.
    + right. f_equal. apply Rmult_eq_reg_l with alpha; [|lra].
      replace (alpha * (r k * t / alpha)) with (r k * t) by (field; lra). auto.
  - rewrite <- (F_solves t) in H at 1. apply total_le_iff in H; auto; [|lra].
    apply (Rmult_le_compat_l alpha) in H; [|lra].
    replace (alpha * (r k * t / alpha)) with (r k * t) in H by (field; lra). auto.
Qed.

Lemma meets_strict k t : B < meets k t -> alpha * F t < r k * t.
Proof.
  intros H. assert (K : alpha * F t <= r k * t) by (apply meets_iff; lra).
  destruct (Rle_lt_or_eq_dec _ _ K) as [|E]; auto.
  unfold meets in H. replace (r k * t / alpha) with (F t) in H by (rewrite <- E; field; lra). rewrite F_solves in H. lra.
Qed.

Lemma F_pos t : 0 <= t -> 0 < F t.
Proof.
  intros Ht. destruct (Rlt_dec 0 (F t)) as [|c]; auto.
  assert (K : lhs t (F t) <= lhs t 0).
  { destruct (Req_dec (F t) 0) as [->|]; [lra|]. left. apply total_increases; auto; lra. }
  rewrite F_solves in K. unfold lhs, total in K. rewrite !Rmult_0_r in K.
  assert (K1 : sum (M - L) (fun k => Rmin (g k t) 0) <= 0).
  { apply Rle_trans with (sum (M - L) (fun _ => 0)); [|rewrite sum_const; lra]. apply sum_le. intros. apply Rmin_r. }
  assert (K2 : sum (L + N) (fun k => Rmax (h k t) 0) <= sum (L + N) drain).
  { apply sum_le. intros k _. pose proof (drain_nonneg k). unfold h. pose proof (Rmult_le_pos C t).
    apply Rmax_lub; lra. }
  rewrite sum_drain in K2. lra.
Qed.

(** ** The lengths *)

Notation T t := (alpha * F t).
Definition W (i : nat) (t : R) : R := if (i <? L)%nat then Rmax (h i t) (T t) else Rmin (r i * t) (T t).
Definition w (i : nat) (t : R) : R :=
  if (i <? L)%nat then max_slope (h i t) (T t) (- C) (alpha * dF t)
  else min_slope (r i * t) (T t) (r i) (alpha * dF t).
Definition V (t : R) : R := Rmax (V0 - C * t) (T t).
Definition v (t : R) : R := max_slope (V0 - C * t) (T t) (- C) (alpha * dF t).

Lemma drain_last i : (L <= i)%nat -> drain i = V0.
Proof. unfold drain. destruct (Nat.ltb_spec i L); [lia|auto]. Qed.

Lemma mixed_free t : class_free M N B W V t = F t.
Proof.
  pose proof (F_solves t) as E. unfold lhs, total in E. unfold class_free.
  assert (E1 : sum M (fun i => W i t) = sum L (fun k => Rmax (h k t) (T t)) + sum (M - L) (fun k => Rmin (g k t) (T t))).
  { replace M with (L + (M - L))%nat at 1 by lia. rewrite sum_split. f_equal; apply sum_ext; intros i Hi; unfold W.
    - destruct (Nat.ltb_spec i L); [auto|lia].
    - destruct (Nat.ltb_spec (L + i) L); [lia|reflexivity]. }
  assert (E2 : sum (L + N) (fun k => Rmax (h k t) (alpha * F t)) = sum L (fun k => Rmax (h k t) (T t)) + INR N * V t).
  { rewrite sum_split. f_equal. rewrite <- sum_const. apply sum_ext. intros i Hi. unfold h, V.
    rewrite drain_last by lia. reflexivity. }
  lra.
Qed.

Lemma mixed_slope t : class_slope M N w v t = dF t.
Proof.
  assert (E : dF t + sum M (fun i => w i t) + INR N * v t = 0).
  { apply (rd_unique t (fun u => class_free M N B W V u + sum M (fun i => W i u) + INR N * V u)).
    - apply rd_plus; [apply rd_plus|apply rd_scal].
      + apply rd_ext with F; [|apply F_slope]. exists 1. split; [lra|]. intros; apply mixed_free.
      + apply rd_sum. intros i _. unfold W, w. destruct (Nat.ltb_spec i L).
        * apply (rd_max t (h i) (fun u => alpha * F u)); [apply h_slope|apply rd_scal, F_slope].
        * apply (rd_min t (fun u => r i * u) (fun u => alpha * F u)); [|apply rd_scal, F_slope].
          apply rd_ext with (fun u => r i * u + 0); [|apply rd_linear]. exists 1. split; [lra|]. intros; lra.
      + apply (rd_max t (fun u => V0 - C * u) (fun u => alpha * F u)); [|apply rd_scal, F_slope].
        apply rd_ext with (fun u => (- C) * u + V0); [|apply rd_linear]. exists 1. split; [lra|]. intros; lra.
    - apply rd_ext with (fun _ => B); [|apply rd_const].
      exists 1. split; [lra|]. intros. unfold class_free. lra. }
  unfold class_slope. lra.
Qed.

Lemma slope_equation t : dF t + sum M (fun i => w i t) + INR N * v t = 0.
Proof. pose proof (mixed_slope t) as E. unfold class_slope in E. lra. Qed.

Lemma split_sum f : sum M f = sum L f + sum (M - L) (fun k => f (L + k)%nat).
Proof. replace M with (L + (M - L))%nat at 1 by lia. apply sum_split. Qed.

(** The threshold falls no faster than C ... *)
Lemma T_slope_low t : - C <= alpha * dF t.
Proof.
  destruct (Rle_dec (- C) (alpha * dF t)) as [|c]; auto. pose proof (slope_equation t) as E.
  assert (K1 : sum M (fun i => w i t) <= INR L * (- C) + sum (M - L) (fun k => r (L + k)%nat)).
  { rewrite split_sum, <- sum_const. apply Rplus_le_compat; apply sum_le; intros i Hi; unfold w.
    - destruct (Nat.ltb_spec i L); [|lia]. unfold max_slope. destruct (Rlt_dec (T t) (h i t)); [lra|].
      destruct (Rlt_dec (h i t) (T t)); [lra|]. apply Rmax_lub; lra.
    - destruct (Nat.ltb_spec (L + i) L); [lia|]. pose proof (r_pos (L + i) ltac:(lia)).
      unfold min_slope. destruct (Rlt_dec (r (L + i)%nat * t) (T t)); [lra|].
      destruct (Rlt_dec (T t) (r (L + i)%nat * t)); [lra|]. apply Rmin_l. }
  assert (K2 : v t <= - C).
  { unfold v, max_slope. destruct (Rlt_dec (T t) (V0 - C * t)); [lra|].
    destruct (Rlt_dec (V0 - C * t) (T t)); [lra|]. apply Rmax_lub; lra. }
  assert (K3 : INR N * v t <= INR N * (- C)) by (apply Rmult_le_compat_l; [apply pos_INR|auto]).
  unfold falls_slowly in slowly.
  assert (K4 : alpha * (INR L * C + INR N * C - sum (M - L) (fun k => r (L + k)%nat)) <= alpha * dF t)
    by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

(** ... and T(t) / t falls. *)
Lemma T_slope_high t : 0 < t -> alpha * dF t < alpha * F t / t.
Proof.
  intros Ht. assert (K : t * dF t < F t).
  { destruct (Rlt_dec (t * dF t) (F t)) as [|c]; auto.
    pose proof (slope_equation t) as E.
    assert (Hc : T t <= t * (alpha * dF t)).
    { replace (t * (alpha * dF t)) with (alpha * (t * dF t)) by ring. apply Rmult_le_compat_l; lra. }
    assert (Ct : 0 <= C * t) by (apply Rmult_le_pos; lra).
    assert (Off : forall q, 0 <= q ->
      Rmax (q - C * t) (T t) - q <= t * max_slope (q - C * t) (T t) (- C) (alpha * dF t)).
    { intros q Hq. unfold max_slope. destruct (Rlt_dec (T t) (q - C * t)).
      - rewrite Rmax_left; lra.
      - rewrite Rmax_right by lra. destruct (Rlt_dec (q - C * t) (T t)); [lra|].
        apply Rle_trans with (t * (alpha * dF t)); [lra|].
        apply Rmult_le_compat_l; [lra|apply Rmax_r]. }
    assert (K1 : sum M (fun i => W i t) - sum L line <= t * sum M (fun i => w i t)).
    { rewrite !split_sum.
      assert (J1 : sum L (fun i => W i t) - sum L line <= t * sum L (fun i => w i t)).
      { rewrite <- sum_minus, <- sum_scal. apply sum_le. intros i Hi. unfold W, w.
        unfold h, drain. destruct (Nat.ltb_spec i L); [|lia].
        apply Off. apply line_bounds; auto. }
      assert (J2 : sum (M - L) (fun k => W (L + k)%nat t) <= t * sum (M - L) (fun k => w (L + k)%nat t)).
      { rewrite <- sum_scal. apply sum_le. intros i Hi. unfold W, w.
        destruct (Nat.ltb_spec (L + i) L); [lia|]. unfold min_slope.
        destruct (Rlt_dec (r (L + i)%nat * t) (T t)); [rewrite Rmin_left; lra|].
        rewrite Rmin_right by lra. destruct (Rlt_dec (T t) (r (L + i)%nat * t)); [lra|].
        unfold Rmin. destruct (Rle_dec (r (L + i)%nat) (alpha * dF t)); lra. }
      lra. }
    assert (K2 : INR N * (V t - V0) <= t * (INR N * v t)).
    { replace (t * (INR N * v t)) with (INR N * (t * v t)) by ring.
      apply Rmult_le_compat_l; [apply pos_INR|]. apply Off. auto. }
    pose proof (mixed_free t) as EF. unfold class_free in EF.
    assert (t * dF t + t * sum M (fun i => w i t) + t * (INR N * v t) = 0).
    { replace 0 with (t * (dF t + sum M (fun i => w i t) + INR N * v t)) by (rewrite E; lra). ring. }
    lra. }
  apply Rmult_lt_reg_r with t; auto.
  replace (alpha * dF t * t) with (alpha * (t * dF t)) by ring.
  replace (alpha * F t / t * t) with (alpha * F t) by (field; lra). apply Rmult_lt_compat_l; auto.
Qed.

(** Where the steady ports are on the threshold every port that has met it is, and the threshold does not rise. *)
Lemma T_slope_steady t : 0 <= t -> V0 - C * t <= T t -> alpha * dF t <= 0.
Proof.
  intros Ht HV. destruct (Rle_dec (alpha * dF t) 0) as [|c]; auto.
  pose proof (slope_equation t) as E.
  assert (Off : forall q, q <= V0 -> 0 <= max_slope (q - C * t) (T t) (- C) (alpha * dF t)).
  { intros q Hq. unfold max_slope. destruct (Rlt_dec (T t) (q - C * t)); [lra|].
    destruct (Rlt_dec (q - C * t) (T t)); [lra|].
    apply Rle_trans with (alpha * dF t); [lra|apply Rmax_r]. }
  assert (K1 : 0 <= sum M (fun i => w i t)).
  { apply sum_nonneg. intros i Hi. unfold w. destruct (Nat.ltb_spec i L).
    - apply Off, drain_le_V0.
    - pose proof (r_pos i Hi). unfold min_slope. destruct (Rlt_dec (r i * t) (T t)); [lra|].
      destruct (Rlt_dec (T t) (r i * t)); [lra|]. apply Rmin_glb; lra. }
  assert (K2 : 0 <= INR N * v t) by (apply Rmult_le_pos; [apply pos_INR|apply Off; lra]).
  assert (0 < dF t) by (apply Rmult_lt_reg_l with alpha; lra).
  lra.
Qed.

(** T(t) + C t does not fall. *)
Lemma T_line_rises a b : a <= b -> alpha * F a + C * a <= alpha * F b + C * b.
Proof.
  intros Hab. assert (K : - (alpha * F b + C * b) <= - (alpha * F a + C * a)); [|lra].
  apply (nonincreasing a b (fun t => - (alpha * F t + C * t)) (fun t => - (alpha * dF t + C))); auto.
  - apply continuous_opp, continuous_plus; [apply continuous_scal, F_continuous|].
    apply continuous_ext with (fun u => C * u + 0); [intros; lra|apply continuous_linear].
  - split; [|pose proof (T_slope_low t); lra].
    apply rd_opp, rd_plus; [apply rd_scal, F_slope|].
    apply rd_ext with (fun u => C * u + 0); [|apply rd_linear]. exists 1. split; [lra|]. intros; lra.
Qed.

Lemma below_threshold_of_past i t : (i < L)%nat -> s <= t -> T t <= r i * t.
Proof. intros Hi Ht. destruct (past i Hi) as [Hs HB]. apply meets_iff. apply (meets_stays i s t); auto. Qed.

Theorem mixed_class :
  class_trajectory M N alpha B C (fun i _ => C + r i) s tau W w V v.
Proof.
  split.
  - intros i Hi. unfold W. destruct (Nat.ltb_spec i L).
    + apply continuous_max; [|apply continuous_scal, F_continuous].
      apply continuous_ext with (fun u => (- C) * u + drain i); [intros; unfold h; lra|apply continuous_linear].
    + apply continuous_min; [|apply continuous_scal, F_continuous].
      apply continuous_ext with (fun u => r i * u + 0); [intros; lra|apply continuous_linear].
  - apply continuous_max; [|apply continuous_scal, F_continuous].
    apply continuous_ext with (fun u => (- C) * u + V0); [intros; lra|apply continuous_linear].
  - intros i t Hi Ht. assert (0 < F t) by (apply F_pos; lra).
    assert (0 < alpha * F t) by (apply Rmult_lt_0_compat; auto).
    unfold W. destruct (Nat.ltb_spec i L).
    + apply Rle_trans with (T t); [lra|apply Rmax_r].
    + apply Rmin_glb; [|lra]. apply Rmult_le_pos; [|lra]. specialize (r_pos i Hi). lra.
  - intros t Ht. assert (0 < F t) by (apply F_pos; lra).
    assert (0 < alpha * F t) by (apply Rmult_lt_0_compat; auto).
    apply Rle_trans with (T t); [lra|apply Rmax_r].
  - intros i t Hi Ht. unfold W, w. destruct (Nat.ltb_spec i L).
    + apply (rd_max t (h i) (fun u => alpha * F u)); [apply h_slope|apply rd_scal, F_slope].
    + apply (rd_min t (fun u => r i * u) (fun u => alpha * F u)); [|apply rd_scal, F_slope].
      apply rd_ext with (fun u => r i * u + 0); [|apply rd_linear]. exists 1. split; [lra|]. intros; lra.
  - intros t Ht. apply (rd_max t (fun u => V0 - C * u) (fun u => alpha * F u)); [|apply rd_scal, F_slope].
    apply rd_ext with (fun u => (- C) * u + V0); [|apply rd_linear]. exists 1. split; [lra|]. intros; lra.
  - intros t Ht. rewrite mixed_free. apply F_pos. lra.
  - intros i t Hi Ht. rewrite mixed_free, mixed_slope. pose proof (T_slope_low t) as Lo.
    assert (Hi_slope : T t <= r i * t -> 0 < t -> alpha * dF t <= r i).
    { intros HT Htp. pose proof (T_slope_high t Htp) as Hh.
      apply Rle_trans with (alpha * F t / t); [lra|].
      apply Rmult_le_reg_r with t; auto. replace (alpha * F t / t * t) with (T t) by (field; lra). auto. }
    unfold W, w. destruct (Nat.ltb_spec i L) as [c|c].
    + pose proof (below_threshold_of_past i t c ltac:(lra)) as HT. destruct (past i c) as [Hs _].
      unfold max_slope.
      destruct (Rlt_dec (T t) (h i t)) as [a|a].
      { rewrite Rmax_left by lra. repeat split; lra. }
      rewrite Rmax_right by lra. repeat split; try lra. rewrite clip_inside by lra.
      destruct (Rlt_dec (h i t) (T t)); [auto|]. rewrite Rmax_right; auto.
    + unfold min_slope. destruct (Rlt_dec (r i * t) (T t)) as [a|a].
      { rewrite Rmin_left by lra. repeat split; lra. }
      rewrite Rmin_right by lra. repeat split; try lra.
      assert (Htp : 0 < t).
      { destruct (Req_dec t 0) as [Hz|]; [|lra]. exfalso. apply a. rewrite Hz, Rmult_0_r.
        apply Rmult_lt_0_compat; auto. apply F_pos. lra. }
      specialize (Hi_slope ltac:(lra) Htp). rewrite clip_inside by lra.
      destruct (Rlt_dec (T t) (r i * t)); [auto|]. rewrite Rmin_right; auto.
  - intros t Ht. rewrite mixed_free, mixed_slope. pose proof (T_slope_low t) as Lo. unfold V, v, max_slope.
    destruct (Rlt_dec (T t) (V0 - C * t)) as [a|a].
    { left. rewrite Rmax_left by lra. split; lra. }
    rewrite Rmax_right by lra. pose proof (T_slope_steady t ltac:(lra) ltac:(lra)).
    rewrite (Rmax_left (alpha * dF t) (- C)) by lra.
    destruct (Rlt_dec (V0 - C * t) (T t)); [auto|]. rewrite Rmax_right; auto.
Qed.

(** Port k >= L keeps everything before it meets the threshold, and drops from then on. *)
Theorem mixed_rejects k t : (L <= k < M)%nat -> s <= t ->
  (meets k t < B -> w k t = r k) /\ (B <= meets k t -> w k t < r k).
Proof.
  intros Hk Ht. pose proof (r_pos k ltac:(lia)) as Hr. unfold w. destruct (Nat.ltb_spec k L); [lia|].
  unfold min_slope. split; intros H1.
  - assert (~ alpha * F t <= r k * t) by (intros K; apply meets_iff in K; lra).
    destruct (Rlt_dec (r k * t) (T t)); lra.
  - apply meets_iff in H1. assert (Htp : 0 < t).
    { destruct (Req_dec t 0) as [Hz|]; [|lra]. pose proof (F_pos t ltac:(lra)) as P.
      rewrite Hz, Rmult_0_r in H1. rewrite Hz in P. pose proof (Rmult_lt_0_compat alpha (F 0)). lra. }
    pose proof (T_slope_high t Htp) as Hh.
    assert (K : alpha * dF t < r k).
    { apply Rlt_le_trans with (alpha * F t / t); auto.
      apply Rmult_le_reg_r with t; auto. replace (alpha * F t / t * t) with (T t) by (field; lra). auto. }
    destruct (Rlt_dec (r k * t) (T t)); [lra|]. destruct (Rlt_dec (T t) (r k * t)); [auto|].
    rewrite Rmin_right; lra.
Qed.

(** A port that met the threshold before s drops all the time. *)
Lemma mixed_past_rejects j t : (j < L)%nat -> s <= t -> w j t < r j.
Proof.
  intros Hj Ht. pose proof (r_pos j ltac:(lia)) as Hr. destruct (past j Hj) as [Hs _].
  pose proof (below_threshold_of_past j t Hj Ht) as HT. pose proof (T_slope_high t ltac:(lra)) as Hh.
  assert (K : alpha * dF t < r j).
  { apply Rlt_le_trans with (alpha * F t / t); auto.
    apply Rmult_le_reg_r with t; [lra|]. replace (alpha * F t / t * t) with (T t) by (field; lra). auto. }
  unfold w. destruct (Nat.ltb_spec j L); [|lia]. unfold max_slope.
  destruct (Rlt_dec (T t) (h j t)); [lra|]. destruct (Rlt_dec (h j t) (T t)); [auto|]. apply Rmax_lub_lt; lra.
Qed.

(** The free buffer when port k meets the threshold. *)
Lemma mixed_free_at_meeting k t : meets k t = B -> F t = r k * t / alpha.
Proof. symmetry. apply F_only. exact H. Qed.

(** It does meet it. *)
Lemma meets_eventually k : (k < M)%nat -> meets k s <= B -> exists t, s <= t /\ meets k t = B.
Proof.
  intros Hk Hs. pose proof (r_pos k Hk) as Hrk.
  assert (Cont : forall x, continuity_pt (meets k) x).
  { intros x.
    assert (Cl : forall a b u, continuity_pt (fun t => a * t + b) u).
    { intros a b u. apply derivable_continuous_pt. exists (a * 1 + 0).
      apply derivable_pt_lim_plus; [apply (derivable_pt_lim_scal id); apply derivable_pt_lim_id|apply derivable_pt_lim_const]. }
    assert (Cs : forall n (f : nat -> R -> R), (forall i, continuity_pt (f i) x) ->
                   continuity_pt (fun t => sum n (fun i => f i t)) x).
    { intros n f Hf. induction n; simpl.
      - apply continuity_pt_const. intros a b; reflexivity.
      - apply (continuity_pt_plus (fun t => sum n (fun i => f i t)) (f n)); auto. }
    assert (Ca : forall f, continuity_pt f x -> continuity_pt (fun t => Rabs (f t)) x).
    { intros f Hf. apply (continuity_pt_comp f Rabs); auto. apply Rcontinuity_abs. }
    assert (Ce : forall f1 f2, (forall t, f1 t = f2 t) -> continuity_pt f2 x -> continuity_pt f1 x).
    { intros f1 f2 E Hf eps He. destruct (Hf eps He) as (d & Hd & K). exists d. split; auto.
      intros y Hy. rewrite !E. apply K; auto. }
    apply (continuity_pt_plus (fun t => 1 * (r k * t / alpha) + sum (M - L) (fun i => Rmin (g i t) (alpha * (r k * t / alpha))))
                              (fun t => sum (L + N) (fun i => Rmax (h i t) (alpha * (r k * t / alpha))))).
    - apply (continuity_pt_plus (fun t => 1 * (r k * t / alpha))
                                (fun t => sum (M - L) (fun i => Rmin (g i t) (alpha * (r k * t / alpha))))).
      + apply Ce with (fun t => r k / alpha * t + 0); [intros; field; lra|apply Cl].
      + apply Cs. intros i.
        apply Ce with (fun t => (/ 2 * (r (L + i)%nat + r k) * t + 0) + (- / 2) * Rabs ((r (L + i)%nat - r k) * t + 0)).
        { intros t. rewrite Rmin_abs. unfold g. replace (alpha * (r k * t / alpha)) with (r k * t) by (field; lra).
          replace ((r (L + i)%nat - r k) * t + 0) with (r (L + i)%nat * t - r k * t) by ring. lra. }
        apply (continuity_pt_plus (fun t => / 2 * (r (L + i)%nat + r k) * t + 0)
                                  (fun t => (- / 2) * Rabs ((r (L + i)%nat - r k) * t + 0))); [apply Cl|].
        apply (continuity_pt_scal (fun t => Rabs ((r (L + i)%nat - r k) * t + 0))). apply Ca, Cl.
    - apply Cs. intros i.
      apply Ce with (fun t => (/ 2 * (r k - C) * t + / 2 * drain i) + / 2 * Rabs ((- C - r k) * t + drain i)).
      { intros t. rewrite Rmax_abs. unfold h. replace (alpha * (r k * t / alpha)) with (r k * t) by (field; lra).
        replace ((- C - r k) * t + drain i) with (drain i - C * t - r k * t) by ring. lra. }
      apply (continuity_pt_plus (fun t => / 2 * (r k - C) * t + / 2 * drain i)
                                (fun t => / 2 * Rabs ((- C - r k) * t + drain i))); [apply Cl|].
      apply (continuity_pt_scal (fun t => Rabs ((- C - r k) * t + drain i))). apply Ca, Cl. }
  destruct (Req_dec (meets k s) B) as [E|Hne]; [exists s; split; [lra|auto]|].
  pose (big := s + alpha * (Rabs B + 1) / r k).
  assert (Hbig : s < big).
  { unfold big. pose proof (Rabs_pos B).
    assert (0 < alpha * (Rabs B + 1) / r k); [|lra].
    apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra. }
  assert (HB : B < meets k big).
  { unfold meets, lhs, total. replace (alpha * (r k * big / alpha)) with (r k * big) by (field; lra).
    assert (K1 : 0 <= sum (M - L) (fun i => Rmin (g i big) (r k * big))).
    { apply sum_nonneg. intros i Hi. pose proof (r_pos (L + i) ltac:(lia)).
      apply Rmin_glb; apply Rmult_le_pos; lra. }
    assert (K2 : 0 <= sum (L + N) (fun i => Rmax (h i big) (r k * big))).
    { apply sum_nonneg. intros i Hi. eapply Rle_trans; [|apply Rmax_r]. apply Rmult_le_pos; lra. }
    assert (K3 : Rabs B + 1 <= 1 * (r k * big / alpha)).
    { apply Rle_trans with (1 * (r k * (alpha * (Rabs B + 1) / r k) / alpha)); [right; field; lra|].
      apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto|].
      apply Rmult_le_compat_l; [lra|]. unfold big. lra. }
    pose proof (Rle_abs B). lra. }
  destruct (IVT (fun t => meets k t - B) s big) as (t & Ht & E).
  - intros x. apply (continuity_pt_minus (meets k) (fun _ => B)); auto.
    apply continuity_pt_const. intros a b; reflexivity.
  - auto.
  - lra.
  - lra.
  - exists t. split; lra.
Qed.

End Mixed.
