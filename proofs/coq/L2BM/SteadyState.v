(** L2BM paper, Section III, equations (3)-(9).

    n active ingress queues, tau_i > 0 their average sojourn times, Sum = sum tau_i, H = sum 1 / tau_i,
    w_i = alpha C / tau_i their weights (C the normalisation), W = sum w_i = alpha C H.                    *)
Require Import Reals Lra Lia.
From DT Require Import Calculus.
Open Scope R_scope.

(** ** Equations (5)-(9): the steady state, for any weights *)

Section SteadyState.
Variables (n : nat) (w : nat -> R) (B : R).
Hypothesis w_pos : forall i, (i < n)%nat -> 0 < w i.
Notation W := (sum n w).

Lemma W_nonneg : 0 <= W.
Proof. apply sum_nonneg. intros; left; auto. Qed.

(** (7) -> (8): Q = sum w_i (B - Q) has the one solution B W / (1 + W). *)
Lemma l2bm_eq8 Q : Q = sum n (fun i => w i * (B - Q)) <-> Q = B * W / (1 + W).
Proof.
  pose proof W_nonneg. rewrite (sum_ext n _ (fun i => (B - Q) * w i)) by (intros; ring). rewrite sum_scal. split; intros K.
  - apply Rmult_eq_reg_r with (1 + W); [|lra]. replace (B * W / (1 + W) * (1 + W)) with (B * W) by (field; lra). lra.
  - rewrite K. field. lra.
Qed.

(** ... and 0 <= Q < B, with B / (1 + W) free. *)
Lemma l2bm_eq8_fits : 0 < B -> 0 <= B * W / (1 + W) < B /\ B - B * W / (1 + W) = B / (1 + W).
Proof.
  intros HB. pose proof W_nonneg. repeat split.
  - apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra].
  - apply Rmult_lt_reg_r with (1 + W); [lra|]. replace (B * W / (1 + W) * (1 + W)) with (B * W) by (field; lra). lra.
  - field. lra.
Qed.

(** (9): then T_i = w_i (B - Q) = B w_i / (1 + W). *)
Theorem l2bm_eq9 i : w i * (B - B * W / (1 + W)) = B * w i / (1 + W).
Proof. pose proof W_nonneg. field. lra. Qed.

(** Every queue on its threshold: the state is unique. *)
Lemma l2bm_steady_state (Q : nat -> R) :
  (forall i, (i < n)%nat -> Q i = w i * (B - sum n Q)) <-> (forall i, (i < n)%nat -> Q i = B * w i / (1 + W)).
Proof.
  pose proof W_nonneg. split; intros K.
  - assert (E : sum n Q = sum n (fun i => w i * (B - sum n Q))) by (apply sum_ext; auto).
    apply l2bm_eq8 in E. intros i Hi. rewrite K by auto. rewrite E. apply l2bm_eq9.
  - assert (E : sum n Q = B * W / (1 + W)).
    { rewrite (sum_ext n Q (fun i => B / (1 + W) * w i)) by (intros; rewrite K by auto; field; lra).
      rewrite sum_scal. field. lra. }
    intros i Hi. rewrite E, K by auto. symmetry. apply l2bm_eq9.
Qed.

(** In one statement: the solution of (7), that it fits, and the state of the queues. *)
Theorem l2bm_steady : (1 <= n)%nat -> 0 < B ->
  (forall Q, Q = sum n (fun i => w i * (B - Q)) <-> Q = B * W / (1 + W)) /\ 0 < B * W / (1 + W) < B /\
  (forall Q, (forall i, (i < n)%nat -> Q i = w i * (B - sum n Q)) <-> (forall i, (i < n)%nat -> Q i = B * w i / (1 + W))) /\
  B - B * W / (1 + W) = B / (1 + W).
Proof.
  intros Hn HB. destruct (l2bm_eq8_fits HB) as [[_ H2] H3].
  assert (HW : 0 < W).
  { apply Rlt_le_trans with (w 0%nat); [apply w_pos; lia|].
    apply (sum_term_le n w 0); [intros; left; auto|lia]. }
  split; [apply l2bm_eq8|]. split; [|split; [apply l2bm_steady_state|exact H3]].
  split; auto. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra.
Qed.

(** Thresholds w_i F + b_i: the steady state leaves (B - b) / (1 + W) free. *)
Theorem l2bm_offsets (b Q : nat -> R) : (forall i, (i < n)%nat -> Q i = w i * (B - sum n Q) + b i) ->
  B - sum n Q = (B - sum n b) / (1 + W) /\ sum n Q = (W * B + sum n b) / (1 + W).
Proof.
  pose proof W_nonneg. intros K.
  assert (E : sum n Q = (B - sum n Q) * W + sum n b).
  { rewrite <- sum_scal, <- sum_plus. apply sum_ext. intros i Hi. rewrite K at 1 by auto. ring. }
  split; apply Rmult_eq_reg_r with (1 + W); try lra.
  - replace ((B - sum n b) / (1 + W) * (1 + W)) with (B - sum n b) by (field; lra). lra.
  - replace ((W * B + sum n b) / (1 + W) * (1 + W)) with (W * B + sum n b) by (field; lra). lra.
Qed.
End SteadyState.

(** ** The sum of the sojourn times times the sum of their inverses *)

Section Sojourn.
Variables (n : nat) (tau : nat -> R).
Hypothesis tau_pos : forall i, (i < n)%nat -> 0 < tau i.

Definition S (k : nat) : R := sum k tau.
Definition H (k : nat) : R := sum k (fun i => / tau i).

Lemma S_nonneg k : (k <= n)%nat -> 0 <= S k.
Proof. intros Hk. apply sum_nonneg. intros i Hi. left. apply tau_pos. lia. Qed.

Lemma H_nonneg k : (k <= n)%nat -> 0 <= H k.
Proof. intros Hk. apply sum_nonneg. intros i Hi. left. apply Rinv_0_lt_compat, tau_pos. lia. Qed.

(** (a / b) + (b / a) >= 2, with equality for a = b only. *)
Lemma ratio_ge_2 a b : 0 < a -> 0 < b -> 2 <= a * / b + b * / a /\ (a * / b + b * / a = 2 -> a = b).
Proof.
  intros Ha Hb. assert (E : a * / b + b * / a - 2 = (a - b) ^ 2 * / (a * b)) by (field; lra).
  assert (P : 0 < / (a * b)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; auto).
  pose proof (pow2_ge_0 (a - b)) as Q. split.
  - pose proof (Rmult_le_pos _ _ Q (Rlt_le _ _ P)). lra.
  - intros K. assert (Z : (a - b) ^ 2 * / (a * b) = 0) by lra. apply Rmult_integral in Z. destruct Z as [Z|Z]; [|lra].
    simpl in Z. rewrite Rmult_1_r in Z. apply Rmult_integral in Z. destruct Z; lra.
Qed.

(** One more queue adds 1 + tau H + S / tau = 1 + sum (tau / tau_i + tau_i / tau) >= 2 k + 1. *)
Lemma SH_step k : (k < n)%nat ->
  S (Datatypes.S k) * H (Datatypes.S k) = S k * H k + sum k (fun i => tau k * / tau i + tau i * / tau k) + 1.
Proof.
  intros Hk. pose proof (tau_pos k Hk). unfold S, H. simpl. rewrite sum_plus.
  rewrite (sum_ext k (fun i => tau i * / tau k) (fun i => / tau k * tau i)) by (intros; ring). rewrite !sum_scal.
  field. lra.
Qed.

(** For every n: (sum tau)(sum 1 / tau) >= n^2 ... *)
Lemma l2bm_least_weight k : (k <= n)%nat -> INR k * INR k <= S k * H k.
Proof.
  induction k; intros Hk; [simpl; unfold S, H; simpl; lra|].
  rewrite SH_step, S_INR by lia. specialize (IHk ltac:(lia)).
  assert (K : INR k * 2 <= sum k (fun i => tau k * / tau i + tau i * / tau k)).
  { rewrite <- sum_const. apply sum_le. intros i Hi. apply ratio_ge_2; apply tau_pos; lia. }
  lra.
Qed.

(** ... with equality exactly for equal sojourn times. *)
Lemma l2bm_least_weight_equality k : (k <= n)%nat ->
  (S k * H k = INR k * INR k <-> forall i j, (i < k)%nat -> (j < k)%nat -> tau i = tau j).
Proof.
  intros Hk. split.
  - induction k; intros E i j Hi Hj; [lia|].
    rewrite SH_step, S_INR in E by lia. pose proof (l2bm_least_weight k ltac:(lia)) as L.
    assert (Each : forall i, (i < k)%nat -> 2 <= tau k * / tau i + tau i * / tau k).
    { intros x Hx. apply ratio_ge_2; apply tau_pos; lia. }
    assert (K : INR k * 2 <= sum k (fun i => tau k * / tau i + tau i * / tau k)).
    { rewrite <- sum_const. apply sum_le. auto. }
    assert (E1 : S k * H k = INR k * INR k) by lra.
    assert (E2 : sum k (fun i => tau k * / tau i + tau i * / tau k - 2) = 0) by (rewrite sum_minus, sum_const; lra).
    assert (Same : forall x, (x < k)%nat -> tau k = tau x).
    { intros x Hx. apply ratio_ge_2; try (apply tau_pos; lia).
      pose proof (sum_term_le k (fun i => tau k * / tau i + tau i * / tau k - 2) x
        ltac:(intros y Hy; specialize (Each y Hy); lra) Hx) as T. simpl in T. specialize (Each x Hx). lra. }
    specialize (IHk ltac:(lia) E1).
    destruct (Nat.eq_dec i k) as [->|], (Nat.eq_dec j k) as [->|]; auto.
    + apply Same. lia.
    + symmetry. apply Same. lia.
    + apply IHk; lia.
  - intros E. destruct k; [unfold S, H; simpl; lra|].
    assert (Es : S (Datatypes.S k) = INR (Datatypes.S k) * tau 0).
    { unfold S. rewrite <- sum_const. apply sum_ext. intros i Hi. apply E; lia. }
    assert (Eh : H (Datatypes.S k) = INR (Datatypes.S k) * / tau 0).
    { unfold H. rewrite <- sum_const. apply sum_ext. intros i Hi. f_equal. apply E; lia. }
    rewrite Es, Eh. pose proof (tau_pos 0 ltac:(lia)). field. lra.
Qed.

(** Both in one statement. *)
Theorem l2bm_least : INR n * INR n <= S n * H n /\
  (S n * H n = INR n * INR n <-> forall i j, (i < n)%nat -> (j < n)%nat -> tau i = tau j).
Proof. split; [apply l2bm_least_weight; lia|apply l2bm_least_weight_equality; lia]. Qed.

(** ** The weights, with C the sum of the sojourn times *)

Variables (alpha B : R).
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B).
Definition weight (C : R) (i : nat) : R := C / tau i * alpha.

Theorem l2bm_total_weight C : sum n (weight C) = alpha * C * H n.
Proof.
  unfold weight, H. rewrite (sum_ext n _ (fun i => alpha * C * / tau i)) by (intros; unfold Rdiv; ring). apply sum_scal.
Qed.

(** The total weight is at least alpha n^2. *)
Lemma l2bm_weights_at_least : alpha * (INR n * INR n) <= sum n (weight (S n)).
Proof.
  rewrite l2bm_total_weight. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply l2bm_least_weight. lia.
Qed.

(** No weight is below alpha; with two or more queues each is above it. *)
Theorem l2bm_never_below_dt i : (i < n)%nat -> alpha <= weight (S n) i /\ ((2 <= n)%nat -> alpha < weight (S n) i).
Proof.
  intros Hi. pose proof (tau_pos i Hi) as Ht. unfold weight.
  assert (K : tau i <= S n) by (apply (sum_term_le n tau i); [intros; left; auto|auto]).
  assert (E : S n / tau i * tau i = S n) by (field; lra). split.
  - rewrite <- (Rmult_1_l alpha) at 1. apply Rmult_le_compat_r; [lra|].
    apply Rmult_le_reg_r with (tau i); auto. lra.
  - intros Hn. rewrite <- (Rmult_1_l alpha) at 1. apply Rmult_lt_compat_r; [lra|].
    apply Rmult_lt_reg_r with (tau i); auto. rewrite E, Rmult_1_l.
    (* another queue has a positive sojourn time *)
    pose (j := if Nat.eq_dec i 0 then 1%nat else 0%nat).
    assert (Hj : (j < n)%nat /\ j <> i) by (unfold j; destruct (Nat.eq_dec i 0); lia).
    assert (T : sum n (fun k => if Nat.eq_dec k i then 0 else tau k) = S n - tau i).
    { unfold S. clear - Hi. revert Hi. induction n as [|m IH]; intros Hi; [lia|]. simpl.
      destruct (Nat.eq_dec m i) as [->|].
      - rewrite (sum_ext i _ tau); [lra|]. intros k Hk. destruct (Nat.eq_dec k i); [lia|auto].
      - rewrite IH by lia. lra. }
    assert (P : tau j <= sum n (fun k => if Nat.eq_dec k i then 0 else tau k)).
    { pose proof (sum_term_le n (fun k => if Nat.eq_dec k i then 0 else tau k) j) as Q. simpl in Q.
      destruct (Nat.eq_dec j i); [lia|]. apply Q; [|lia].
      intros k Hk. destruct (Nat.eq_dec k i); [lra|left; auto]. }
    pose proof (tau_pos j ltac:(lia)). lra.
Qed.

(** The steady occupancy is at least that of DT with alpha n, and what is free at most B / (1 + alpha n^2). *)
Lemma occupancy_increases x y : 0 <= x -> x <= y -> B * x / (1 + x) <= B * y / (1 + y) /\ B / (1 + y) <= B / (1 + x).
Proof.
  intros Hx Hxy.
  assert (E : forall z, 0 <= z -> B * z / (1 + z) = B - B / (1 + z)) by (intros; field; lra).
  assert (K : B / (1 + y) <= B / (1 + x)).
  { unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra. }
  rewrite !E by lra. lra.
Qed.

Theorem l2bm_more_than_dt :
  B * (alpha * (INR n * INR n)) / (1 + alpha * (INR n * INR n)) <= B * sum n (weight (S n)) / (1 + sum n (weight (S n))) /\
  B / (1 + sum n (weight (S n))) <= B / (1 + alpha * (INR n * INR n)).
Proof.
  apply occupancy_increases; [|apply l2bm_weights_at_least].
  apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; apply pos_INR.
Qed.

(** ... so with two or more queues it exceeds that of DT with the same alpha. *)
Lemma l2bm_exceeds_dt : (2 <= n)%nat ->
  B * (alpha * INR n) / (1 + alpha * INR n) < B * sum n (weight (S n)) / (1 + sum n (weight (S n))).
Proof.
  intros Hn. pose proof l2bm_weights_at_least as L. assert (N2 : 2 <= INR n) by (change 2 with (INR 2); apply le_INR; lia).
  assert (K : alpha * INR n < sum n (weight (S n))).
  { apply Rlt_le_trans with (alpha * (INR n * INR n)); auto. apply Rmult_lt_compat_l; auto.
    pose proof (Rmult_lt_compat_l (INR n) 1 (INR n)). lra. }
  assert (P : 0 <= alpha * INR n) by (apply Rmult_le_pos; lra).
  assert (E : forall z, 0 <= z -> B * z / (1 + z) = B - B / (1 + z)) by (intros; field; lra).
  rewrite !E by lra. assert (B / (1 + sum n (weight (S n))) < B / (1 + alpha * INR n)); [|lra].
  unfold Rdiv. apply Rmult_lt_compat_l; auto. apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; lra.
Qed.

(** Both: above DT at the same alpha, and at least DT with alpha n. *)
Theorem l2bm_occupancy : (2 <= n)%nat ->
  B * (alpha * INR n) / (1 + alpha * INR n) < B * sum n (weight (S n)) / (1 + sum n (weight (S n))) /\
  B * (alpha * (INR n * INR n)) / (1 + alpha * (INR n * INR n)) <= B * sum n (weight (S n)) / (1 + sum n (weight (S n))).
Proof. intros Hn. split; [apply l2bm_exceeds_dt, Hn|apply l2bm_more_than_dt]. Qed.

(** The total weight is DT's, alpha n, exactly for C = n / H. *)
Theorem l2bm_harmonic C : (1 <= n)%nat -> (sum n (weight C) = alpha * INR n <-> C = INR n / H n).
Proof.
  intros Hn. rewrite l2bm_total_weight.
  assert (HP : 0 < H n).
  { apply Rlt_le_trans with (/ tau 0); [apply Rinv_0_lt_compat, tau_pos; lia|].
    apply (sum_term_le n (fun i => / tau i) 0); [|lia]. intros i Hi. left. apply Rinv_0_lt_compat; auto. }
  split; intros K.
  - apply Rmult_eq_reg_l with alpha; [|lra]. apply Rmult_eq_reg_r with (H n); [|lra]. rewrite K. field. lra.
  - rewrite K. field. lra.
Qed.

(** With the arithmetic mean the total weight is at least DT's. *)
Theorem l2bm_mean : (1 <= n)%nat -> alpha * INR n <= sum n (weight (S n / INR n)).
Proof.
  intros Hn. rewrite l2bm_total_weight. assert (Hp : 0 < INR n) by (apply lt_0_INR; lia).
  pose proof (l2bm_least_weight n ltac:(lia)) as L. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
  apply Rmult_le_reg_l with (INR n); auto. replace (INR n * (S n / INR n * H n)) with (S n * H n) by (field; lra). exact L.
Qed.

(** Equal sojourn times: every weight is alpha n; one queue: alpha. *)
Theorem l2bm_equal i : (i < n)%nat -> (forall j, (j < n)%nat -> tau j = tau i) -> weight (S n) i = alpha * INR n.
Proof.
  intros Hi E. unfold weight, S. rewrite (sum_ext n tau (fun _ => tau i)) by auto. rewrite sum_const.
  pose proof (tau_pos i Hi). field. lra.
Qed.

Theorem l2bm_one_queue : n = 1%nat -> weight (S n) 0 = alpha.
Proof. intros E. rewrite l2bm_equal; [rewrite E; simpl; lra|lia|]. intros j Hj. f_equal. lia. Qed.

(** The queue with the least sojourn time lies above DT's threshold in steady state. *)
Theorem l2bm_not_all_below i : (2 <= n)%nat -> (i < n)%nat -> (forall j, (j < n)%nat -> tau i <= tau j) ->
  B * alpha / (1 + alpha * INR n) < B * weight (S n) i / (1 + sum n (weight (S n))).
Proof.
  intros Hn Hi Hmin. pose proof (tau_pos i Hi) as Ht.
  destruct (l2bm_never_below_dt i Hi) as [_ Hw]. specialize (Hw Hn).
  assert (HS : tau i < S n).
  { unfold weight in Hw. apply (Rmult_lt_compat_r (tau i)) in Hw; auto.
    replace (S n / tau i * alpha * tau i) with (alpha * S n) in Hw by (field; lra). apply Rmult_lt_reg_l with alpha; lra. }
  assert (HH : tau i * H n <= INR n).
  { unfold H. rewrite <- sum_scal. replace (INR n) with (sum n (fun _ => 1)) by (rewrite sum_const; lra).
    apply sum_le. intros j Hj. pose proof (tau_pos j Hj). specialize (Hmin j Hj).
    apply Rmult_le_reg_r with (tau j); auto. replace (tau i * / tau j * tau j) with (tau i) by (field; lra). lra. }
  pose proof (H_nonneg n ltac:(lia)) as Hh. pose proof (S_nonneg n ltac:(lia)) as Hs.
  rewrite l2bm_total_weight. unfold weight.
  pose proof (Rmult_le_pos (alpha * S n) (H n) ltac:(apply Rmult_le_pos; lra) Hh) as P1.
  pose proof (Rmult_le_pos alpha (INR n) ltac:(lra) (pos_INR n)) as P2.
  set (X := 1 + alpha * S n * H n) in *. set (Y := 1 + alpha * INR n) in *.
  assert (HX : 0 < X) by (unfold X; lra). assert (HY : 0 < Y) by (unfold Y; lra).
  assert (PB : 0 < B * alpha) by (apply Rmult_lt_0_compat; auto).
  assert (PD : 0 < tau i * X * Y) by (repeat apply Rmult_lt_0_compat; auto).
  apply Rmult_lt_reg_r with (tau i * X * Y); auto.
  replace (B * alpha / Y * (tau i * X * Y)) with (B * alpha * (tau i * X)) by (field; lra).
  replace (B * (S n / tau i * alpha) / X * (tau i * X * Y)) with (B * alpha * (S n * Y)) by (field; lra).
  apply Rmult_lt_compat_l; auto. unfold X, Y.
  assert (K : alpha * S n * (tau i * H n) <= alpha * S n * INR n) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|auto]).
  lra.
Qed.

(** In steady state queue i lies below DT's threshold exactly if C (1 + alpha n) < tau_i (1 + alpha C H). *)
Theorem l2bm_below_dt_steady C i : (i < n)%nat -> 0 < C ->
  (B * weight C i / (1 + sum n (weight C)) < B * alpha / (1 + alpha * INR n) <->
   C * (1 + alpha * INR n) < tau i * (1 + alpha * C * H n)).
Proof.
  intros Hi HC. pose proof (tau_pos i Hi) as Ht. rewrite l2bm_total_weight. unfold weight.
  pose proof (Rmult_le_pos (alpha * C) (H n) ltac:(apply Rmult_le_pos; lra) (H_nonneg n ltac:(lia))) as P1.
  pose proof (Rmult_le_pos alpha (INR n) ltac:(lra) (pos_INR n)) as P2.
  set (X := 1 + alpha * C * H n) in *. set (Y := 1 + alpha * INR n) in *.
  assert (HX : 0 < X) by (unfold X; lra). assert (HY : 0 < Y) by (unfold Y; lra).
  assert (PB : 0 < B * alpha) by (apply Rmult_lt_0_compat; auto).
  assert (PD : 0 < tau i * X * Y) by (repeat apply Rmult_lt_0_compat; auto).
  split; intros K.
  - apply (Rmult_lt_compat_r (tau i * X * Y)) in K; auto.
    replace (B * (C / tau i * alpha) / X * (tau i * X * Y)) with (B * alpha * (C * Y)) in K by (field; lra).
    replace (B * alpha / Y * (tau i * X * Y)) with (B * alpha * (tau i * X)) in K by (field; lra).
    apply Rmult_lt_reg_l in K; auto.
  - apply Rmult_lt_reg_r with (tau i * X * Y); auto.
    replace (B * (C / tau i * alpha) / X * (tau i * X * Y)) with (B * alpha * (C * Y)) by (field; lra).
    replace (B * alpha / Y * (tau i * X * Y)) with (B * alpha * (tau i * X)) by (field; lra).
    apply Rmult_lt_compat_l; auto.
Qed.
End Sojourn.

(** Weights with C the sum: the total does depend on the sojourn times (two queues: 1, 1 against 1, 3). *)
Theorem l2bm_not_normalised : exists tau tau' : nat -> R,
  (forall i, (i < 2)%nat -> 0 < tau i /\ 0 < tau' i) /\
  sum 2 (weight tau 1 (S tau 2)) <> sum 2 (weight tau' 1 (S tau' 2)).
Proof.
  exists (fun _ => 1), (fun i => match i with O => 1 | _ => 3 end). split.
  - intros [|i] Hi; lra.
  - unfold weight, S. simpl. lra.
Qed.
