(** L2BM's weights for every number of queues: the claims l2bm.ours.* on equation (3) and its relatives.

    As in Thresholds.v: n active queues, tau_i > 0 their average sojourn times, S = sum tau_i, H = sum 1 / tau_i,
    w_i = alpha C / tau_i (equation (3)), W = sum w_i; in steady state the queues hold B W / (1 + W) and the
    threshold of queue i is B w_i / (1 + W) (equations (8), (9)).                                               *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Thresholds.
Open Scope R_scope.

(** [others n i f]: the sum of f j over all queues j <> i. *)
Definition others (n i : nat) (f : nat -> R) : R := sum n (fun j => if Nat.eq_dec j i then 0 else f j).

(** [changed_at n i tau tau']: tau' is tau with another value at queue i. *)
Definition changed_at (n i : nat) (tau tau' : nat -> R) : Prop :=
  forall j, (j < n)%nat -> j <> i -> tau' j = tau j.

(** [least n tau m] and [greatest n tau m]: m is the least, the greatest of the n sojourn times. *)
Definition least (n : nat) (tau : nat -> R) (m : R) : Prop :=
  (exists k, (k < n)%nat /\ tau k = m) /\ forall i, (i < n)%nat -> m <= tau i.
Definition greatest (n : nat) (tau : nat -> R) (m : R) : Prop :=
  (exists k, (k < n)%nat /\ tau k = m) /\ forall i, (i < n)%nat -> tau i <= m.

(** ** Sums without one term *)

Lemma sum_others n i f : (i < n)%nat -> sum n f = f i + others n i f.
Proof.
  unfold others. revert i. induction n; intros i Hi; [lia|]. simpl. destruct (Nat.eq_dec n i) as [->|Hn].
  - rewrite (sum_ext i (fun j => if Nat.eq_dec j i then 0 else f j) f); [lra|].
    intros j Hj. destruct (Nat.eq_dec j i); [lia|auto].
  - rewrite (IHn i) by lia. lra.
Qed.

Lemma others_ext n i f g : (forall j, (j < n)%nat -> j <> i -> g j = f j) -> others n i g = others n i f.
Proof. intros E. apply sum_ext. intros j Hj. destruct (Nat.eq_dec j i); auto. Qed.

Lemma others_pos n i f : (2 <= n)%nat -> (forall j, (j < n)%nat -> 0 < f j) -> 0 < others n i f.
Proof.
  intros Hn Hf. pose (j := if Nat.eq_dec i 0 then 1%nat else 0%nat).
  assert (Hj : (j < n)%nat /\ j <> i) by (unfold j; destruct (Nat.eq_dec i 0); lia).
  apply Rlt_le_trans with (f j); [apply Hf; tauto|].
  pose proof (sum_term_le n (fun k => if Nat.eq_dec k i then 0 else f k) j) as Q. simpl in Q.
  destruct (Nat.eq_dec j i); [lia|]. apply Q; [|lia].
  intros k Hk. destruct (Nat.eq_dec k i); [lra|left; auto].
Qed.

Lemma others_nonneg n i f : (forall j, (j < n)%nat -> 0 < f j) -> 0 <= others n i f.
Proof. intros Hf. apply sum_nonneg. intros k Hk. destruct (Nat.eq_dec k i); [lra|left; auto]. Qed.

Lemma sum_swap n m (f : nat -> nat -> R) :
  sum n (fun i => sum m (fun q => f i q)) = sum m (fun q => sum n (fun i => f i q)).
Proof.
  induction n; simpl; [rewrite sum_zero; auto|]. rewrite IHn, <- sum_plus. reflexivity.
Qed.

Lemma occupancy_le B x y : 0 < B -> 0 <= x -> x <= y -> B * x / (1 + x) <= B * y / (1 + y).
Proof.
  intros HB Hx Hxy. assert (E : forall z, 0 <= z -> B * z / (1 + z) = B - B * / (1 + z)) by (intros; field; lra).
  rewrite !E by lra. assert (/ (1 + y) <= / (1 + x)) by (apply Rinv_le_contravar; lra).
  assert (B * / (1 + y) <= B * / (1 + x)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma occupancy_lt B x y : 0 < B -> 0 <= x -> x < y -> B * x / (1 + x) < B * y / (1 + y).
Proof.
  intros HB Hx Hxy. assert (E : forall z, 0 <= z -> B * z / (1 + z) = B - B * / (1 + z)) by (intros; field; lra).
  rewrite !E by lra. assert (/ (1 + y) < / (1 + x)) by (apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; lra).
  assert (B * / (1 + y) < B * / (1 + x)) by (apply Rmult_lt_compat_l; lra). lra.
Qed.

(** ** The normalisation C *)

Section Weights.
Variables (n : nat) (tau : nat -> R) (alpha B : R).
Hypothesis tau_pos : forall i, (i < n)%nat -> 0 < tau i.
Hypothesis alpha_pos : 0 < alpha.
Hypothesis B_pos : 0 < B.

Lemma weight_pos C i : 0 < C -> (i < n)%nat -> 0 < weight tau alpha C i.
Proof.
  intros HC Hi. pose proof (tau_pos i Hi). apply Rmult_lt_0_compat; auto. apply Rdiv_lt_0_compat; auto.
Qed.

Lemma weight_times C i : (i < n)%nat -> weight tau alpha C i * tau i = C * alpha.
Proof. intros Hi. pose proof (tau_pos i Hi). unfold weight. field. lra. Qed.

(** l2bm.ours.least: with C = min tau_i no weight exceeds alpha, alpha < W <= alpha n, the occupancy is at most DT's. *)
Theorem l2bm_by_least m : (2 <= n)%nat -> least n tau m ->
  (forall i, (i < n)%nat -> weight tau alpha m i <= alpha) /\
  alpha < sum n (weight tau alpha m) <= alpha * INR n /\
  B * sum n (weight tau alpha m) / (1 + sum n (weight tau alpha m)) <= B * (alpha * INR n) / (1 + alpha * INR n).
Proof.
  intros Hn [(k & Hk & Ek) Hm]. assert (Pm : 0 < m) by (rewrite <- Ek; auto).
  assert (Each : forall i, (i < n)%nat -> weight tau alpha m i <= alpha).
  { intros i Hi. pose proof (tau_pos i Hi). apply Rmult_le_reg_r with (tau i); auto. rewrite weight_times by auto.
    rewrite (Rmult_comm m). apply Rmult_le_compat_l; [lra|auto]. }
  assert (Up : sum n (weight tau alpha m) <= alpha * INR n).
  { rewrite (Rmult_comm alpha), <- sum_const. apply sum_le. auto. }
  assert (Low : alpha < sum n (weight tau alpha m)).
  { rewrite (sum_others n k) by auto.
    replace (weight tau alpha m k) with alpha by (unfold weight; rewrite Ek; field; lra).
    pose proof (others_pos n k (weight tau alpha m) Hn ltac:(intros; apply weight_pos; auto)). lra. }
  repeat split; auto. apply occupancy_le; lra.
Qed.

(** l2bm.ours.greatest: with C = max tau_i no weight is below alpha, and W >= alpha n. *)
Theorem l2bm_by_greatest m : greatest n tau m ->
  (forall i, (i < n)%nat -> alpha <= weight tau alpha m i) /\ alpha * INR n <= sum n (weight tau alpha m).
Proof.
  intros [_ Hm].
  assert (Each : forall i, (i < n)%nat -> alpha <= weight tau alpha m i).
  { intros i Hi. pose proof (tau_pos i Hi). apply Rmult_le_reg_r with (tau i); auto. rewrite weight_times by auto.
    rewrite (Rmult_comm m). apply Rmult_le_compat_l; [lra|auto]. }
  split; auto. rewrite (Rmult_comm alpha), <- sum_const. apply sum_le. auto.
Qed.

(** ** C = S: one sojourn time grows *)

Section Grows.
Variables (i : nat) (tau' : nat -> R).
Hypothesis Hi : (i < n)%nat.
Hypothesis Hchange : changed_at n i tau tau'.
Hypothesis Hgrows : tau i < tau' i.

Lemma grown_pos j : (j < n)%nat -> 0 < tau' j.
Proof.
  intros Hj. pose proof (tau_pos j Hj). destruct (Nat.eq_dec j i) as [->|N]; [lra|]. rewrite Hchange by auto. auto.
Qed.

Lemma S_split : S tau n = tau i + others n i tau /\ S tau' n = tau' i + others n i tau.
Proof.
  unfold S. split; rewrite (sum_others n i) by auto; f_equal. apply others_ext. auto.
Qed.

Lemma H_split : H tau n = / tau i + others n i (fun j => / tau j) /\
  H tau' n = / tau' i + others n i (fun j => / tau j).
Proof.
  unfold H. split; rewrite (sum_others n i) by auto; f_equal. apply others_ext. intros j Hj Nj. f_equal. auto.
Qed.

(** l2bm.ours.own-sojourn: its own threshold falls, at every free buffer F > 0 and in steady state (9). *)
Theorem l2bm_own_sojourn : (2 <= n)%nat ->
  (forall F, 0 < F -> weight tau' alpha (S tau' n) i * F < weight tau alpha (S tau n) i * F) /\
  B * weight tau' alpha (S tau' n) i / (1 + sum n (weight tau' alpha (S tau' n))) <
  B * weight tau alpha (S tau n) i / (1 + sum n (weight tau alpha (S tau n))).
Proof.
  intros Hn. destruct S_split as [E1 E2]. destruct H_split as [E3 E4].
  pose proof (tau_pos i Hi) as Ht. assert (Ht' : 0 < tau' i) by lra.
  pose proof (others_pos n i tau Hn tau_pos) as Hs.
  pose proof (others_pos n i (fun j => / tau j) Hn ltac:(intros; apply Rinv_0_lt_compat; auto)) as Hh.
  rewrite !l2bm_total_weight. unfold weight. rewrite E1, E2, E3, E4.
  set (s := others n i tau) in *. set (h := others n i (fun j => / tau j)) in *. clear E1 E2 E3 E4.
  set (t := tau i) in *. set (t' := tau' i) in *.
  assert (Inv : / t' < / t) by (apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; auto).
  split.
  - intros F HF. apply Rmult_lt_compat_r; auto. apply Rmult_lt_compat_r; auto.
    replace ((t' + s) / t') with (1 + s * / t') by (field; lra). replace ((t + s) / t) with (1 + s * / t) by (field; lra).
    pose proof (Rmult_lt_compat_l s _ _ Hs Inv). lra.
  - (* B w / (1 + W) = B / (t / (alpha (t + s)) + 1 + t h), whose denominator grows with t *)
    assert (P : forall x, 0 < x -> 0 < x * / (alpha * (x + s)) + 1 + x * h).
    { intros x Hx. assert (0 < x * / (alpha * (x + s))) by (apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat,
        Rmult_lt_0_compat; lra]). pose proof (Rmult_lt_0_compat x h Hx Hh). lra. }
    assert (E : forall x, 0 < x -> B * ((x + s) / x * alpha) / (1 + alpha * (x + s) * (/ x + h)) =
                                   B * / (x * / (alpha * (x + s)) + 1 + x * h)).
    { intros x Hx. specialize (P x Hx).
      assert (Q : 0 < x + alpha * (x + s) * (1 + x * h)).
      { pose proof (Rmult_lt_0_compat x h Hx Hh). assert (0 < alpha * (x + s) * (1 + x * h)); [|lra].
        repeat apply Rmult_lt_0_compat; lra. }
      replace (x * / (alpha * (x + s)) + 1 + x * h) with ((x + alpha * (x + s) * (1 + x * h)) * / (alpha * (x + s)))
        by (field; lra).
      replace (1 + alpha * (x + s) * (/ x + h)) with ((x + alpha * (x + s) * (1 + x * h)) * / x) by (field; lra).
      field. repeat split; lra. }
    rewrite (E t' Ht'), (E t Ht). apply Rmult_lt_compat_l; auto.
    apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; auto|].
    pose proof (Rmult_lt_compat_r h t t' Hh Hgrows).
    assert (forall x, 0 < x -> x * / (alpha * (x + s)) = / alpha * (1 - s * / (x + s))) as K by (intros; field; lra).
    rewrite !K by auto. assert (Q : / (t' + s) < / (t + s)).
    { apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; lra. }
    pose proof (Rmult_lt_compat_l s _ _ Hs Q).
    assert (Q2 : / alpha * (1 - s * / (t + s)) < / alpha * (1 - s * / (t' + s))).
    { apply Rmult_lt_compat_l; [apply Rinv_0_lt_compat; auto|lra]. }
    lra.
Qed.

(** l2bm.ours.others-rise: the weight of every other queue grows. *)
Theorem l2bm_others_rise j : (j < n)%nat -> j <> i ->
  weight tau alpha (S tau n) j < weight tau' alpha (S tau' n) j.
Proof.
  intros Hj Nj. destruct S_split as [E1 E2]. pose proof (tau_pos j Hj) as Pj.
  unfold weight. rewrite (Hchange j Hj Nj), E1, E2. apply Rmult_lt_compat_r; auto.
  apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; auto|lra].
Qed.

(** l2bm.ours.total-turns: W falls while tau_i grows to sqrt(S_-i / H_-i), the sums over the others, and rises beyond. *)
Theorem l2bm_total_turns : (2 <= n)%nat ->
  let turn := sqrt (others n i tau / others n i (fun j => / tau j)) in
  (tau' i <= turn -> sum n (weight tau' alpha (S tau' n)) < sum n (weight tau alpha (S tau n))) /\
  (turn <= tau i -> sum n (weight tau alpha (S tau n)) < sum n (weight tau' alpha (S tau' n))).
Proof.
  intros Hn turn. destruct S_split as [E1 E2]. destruct H_split as [E3 E4].
  pose proof (tau_pos i Hi) as Ht. assert (Ht' : 0 < tau' i) by lra.
  pose proof (others_pos n i tau Hn tau_pos) as Hs.
  pose proof (others_pos n i (fun j => / tau j) Hn ltac:(intros; apply Rinv_0_lt_compat; auto)) as Hh.
  rewrite !l2bm_total_weight, E1, E2, E3, E4. subst turn.
  set (s := others n i tau) in *. set (h := others n i (fun j => / tau j)) in *. clear E1 E2 E3 E4.
  set (t := tau i) in *. set (t' := tau' i) in *.
  assert (Hr : 0 <= sqrt (s / h)) by apply sqrt_pos.
  assert (Hrr : sqrt (s / h) * sqrt (s / h) = s / h) by (apply sqrt_sqrt; left; apply Rdiv_lt_0_compat; auto).
  set (r := sqrt (s / h)) in *.
  assert (Es : s = h * (r * r)) by (rewrite Hrr; field; lra). clearbody r. clear Hrr.
  (* W' - W = alpha h (t' - t) (t t' - r^2) / (t t') *)
  assert (D : alpha * (t' + s) * (/ t' + h) - alpha * (t + s) * (/ t + h) =
              alpha * h * (t' - t) * / (t * t') * (t * t' - r * r)) by (rewrite Es; field; lra).
  assert (Pf : 0 < alpha * h * (t' - t) * / (t * t')).
  { repeat apply Rmult_lt_0_compat; auto; [lra|]. apply Rinv_0_lt_compat, Rmult_lt_0_compat; auto. }
  split; intros K.
  - assert (t * t' < r * r).
    { apply Rlt_le_trans with (t' * t'); [apply Rmult_lt_compat_r; auto|apply Rmult_le_compat; lra]. }
    pose proof (Rmult_lt_compat_l _ (t * t' - r * r) 0 Pf ltac:(lra)). lra.
  - assert (r * r < t * t').
    { apply Rle_lt_trans with (t * t); [apply Rmult_le_compat; lra|apply Rmult_lt_compat_l; auto]. }
    pose proof (Rmult_lt_compat_l _ 0 (t * t' - r * r) Pf ltac:(lra)). lra.
Qed.
End Grows.
End Weights.

(** l2bm.ours.newcomer-raises: queue n joins queues 0 .. n-1; every weight grows by alpha tau / tau_j, W by more
    than alpha. *)
Theorem l2bm_newcomer_raises n tau alpha : (1 <= n)%nat -> 0 < alpha -> (forall i, (i <= n)%nat -> 0 < tau i) ->
  (forall j, (j < n)%nat ->
    weight tau alpha (S tau (1 + n)) j = weight tau alpha (S tau n) j + alpha * (tau n / tau j)) /\
  sum n (weight tau alpha (S tau n)) + alpha < sum (1 + n) (weight tau alpha (S tau (1 + n))).
Proof.
  intros Hn Ha Ht. pose proof (Ht n ltac:(lia)) as Hx. assert (ES : S tau (1 + n) = S tau n + tau n) by reflexivity.
  assert (Each : forall j, (j < n)%nat ->
    weight tau alpha (S tau (1 + n)) j = weight tau alpha (S tau n) j + alpha * (tau n / tau j)).
  { intros j Hj. pose proof (Ht j ltac:(lia)). rewrite ES. unfold weight. field. lra. }
  split; auto. change (sum (1 + n) (weight tau alpha (S tau (1 + n)))) with
    (sum n (weight tau alpha (S tau (1 + n))) + weight tau alpha (S tau (1 + n)) n).
  assert (L : sum n (weight tau alpha (S tau n)) <= sum n (weight tau alpha (S tau (1 + n)))).
  { apply sum_le. intros j Hj. rewrite Each by auto. pose proof (Ht j ltac:(lia)).
    assert (0 <= alpha * (tau n / tau j)); [|lra]. left. apply Rmult_lt_0_compat; auto. apply Rdiv_lt_0_compat; auto. }
  assert (P : 0 < S tau n).
  { apply Rlt_le_trans with (tau 0%nat); [apply Ht; lia|]. apply (sum_term_le n tau 0); [|lia]. intros; left; apply Ht; lia. }
  assert (alpha < weight tau alpha (S tau (1 + n)) n); [|lra].
  rewrite ES. unfold weight. replace ((S tau n + tau n) / tau n * alpha) with (alpha + alpha * (S tau n / tau n)) by (field; lra).
  assert (0 < alpha * (S tau n / tau n)); [|lra]. apply Rmult_lt_0_compat; auto. apply Rdiv_lt_0_compat; auto.
Qed.

(** l2bm.ours.scale-free: one factor c on all sojourn times changes no weight, whatever homogeneous C (the sum or any
    mean) normalises; S, S / n, n / H, the least and the greatest are such. *)
Theorem l2bm_scale_free n tau alpha c : 0 < c -> (forall i, (i < n)%nat -> 0 < tau i) ->
  let scaled := fun i => c * tau i in
  (forall (C C' : R), C' = c * C -> forall i, (i < n)%nat -> weight scaled alpha C' i = weight tau alpha C i) /\
  S scaled n = c * S tau n /\ S scaled n / INR n = c * (S tau n / INR n) /\
  ((1 <= n)%nat -> INR n / H scaled n = c * (INR n / H tau n)) /\
  (forall m, least n tau m -> least n scaled (c * m)) /\ (forall m, greatest n tau m -> greatest n scaled (c * m)).
Proof.
  intros Hc Ht scaled. assert (ES : S scaled n = c * S tau n) by (unfold S; apply sum_scal).
  repeat split.
  - intros C C' -> i Hi. pose proof (Ht i Hi). unfold weight, scaled. field. lra.
  - exact ES.
  - rewrite ES. unfold Rdiv. ring.
  - intros Hn. assert (EH : H scaled n = / c * H tau n).
    { unfold H. rewrite <- sum_scal. apply sum_ext. intros i Hi. pose proof (Ht i Hi). unfold scaled. field. lra. }
    assert (0 < H tau n).
    { apply Rlt_le_trans with (/ tau 0%nat); [apply Rinv_0_lt_compat, Ht; lia|].
      apply (sum_term_le n (fun i => / tau i) 0); [|lia]. intros i Hi. left. apply Rinv_0_lt_compat; auto. }
    rewrite EH. field. lra.
  - destruct H as [(k & Hk & <-) _]. exists k. auto.
  - destruct H as [_ Hm]. intros i Hi. apply Rmult_le_compat_l; [lra|]. auto.
  - destruct H as [(k & Hk & <-) _]. exists k. auto.
  - destruct H as [_ Hm]. intros i Hi. apply Rmult_le_compat_l; [lra|]. auto.
Qed.

(** l2bm.ours.unbounded: for every M some sojourn times give a queue a weight above M, and leave less than B / M free. *)
Theorem l2bm_unbounded n alpha B M : (2 <= n)%nat -> 0 < alpha -> 0 < B -> 0 < M -> exists tau : nat -> R,
  (forall i, 0 < tau i) /\ (exists i, (i < n)%nat /\ M < weight tau alpha (S tau n) i) /\
  B / (1 + sum n (weight tau alpha (S tau n))) < B / M.
Proof.
  intros Hn Ha HB HM. pose (tau := fun i => match i with O => alpha / M | _ => 1 end).
  assert (Pt : forall i, 0 < tau i) by (intros [|i]; simpl; [apply Rdiv_lt_0_compat; auto|lra]).
  assert (Ho : tau 0%nat + 1 <= S tau n).
  { unfold S. rewrite (sum_others n 0) by lia. apply Rplus_le_compat_l.
    apply (sum_term_le n (fun k => if Nat.eq_dec k 0 then 0 else tau k) 1); [|lia].
    intros k Hk. destruct (Nat.eq_dec k 0); [lra|left; auto]. }
  assert (Hw : M < weight tau alpha (S tau n) 0).
  { pose proof (Pt 0%nat) as P0. apply Rmult_lt_reg_r with (tau 0%nat); auto.
    rewrite (weight_times n) by (auto; lia). replace (M * tau 0%nat) with (alpha * 1) by (simpl; field; lra).
    rewrite (Rmult_comm (S tau n)). apply Rmult_lt_compat_l; lra. }
  assert (HS : 0 < S tau n) by (specialize (Pt 0%nat); lra).
  exists tau. repeat split; auto; [exists 0%nat; split; [lia|auto]|].
  assert (K : weight tau alpha (S tau n) 0 <= sum n (weight tau alpha (S tau n))).
  { apply (sum_term_le n (weight tau alpha (S tau n)) 0); [|lia].
    intros i Hi. left. apply (weight_pos n); auto. }
  apply Rmult_lt_compat_l; auto. apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; lra.
Qed.

(** l2bm.ours.against-dt2: equal sojourn times, L2BM at 1/8 against DT at 1/2. *)
Theorem l2bm_against_dt2 n tau B : (1 <= n)%nat -> 0 < B -> (forall i, (i < n)%nat -> 0 < tau i) ->
  (forall i j, (i < n)%nat -> (j < n)%nat -> tau i = tau j) ->
  let W := sum n (weight tau (1 / 8) (S tau n)) in
  (B * W / (1 + W) < B * (1 / 2 * INR n) / (1 + 1 / 2 * INR n) <-> (n < 4)%nat).
Proof.
  intros Hn HB Ht E W. assert (EW : W = 1 / 8 * INR n * INR n).
  { unfold W. rewrite (sum_ext n _ (fun _ => 1 / 8 * INR n)); [rewrite sum_const; ring|].
    intros i Hi. apply l2bm_equal; auto. }
  assert (N1 : 1 <= INR n) by (change 1 with (INR 1); apply le_INR; lia).
  assert (W0 : 0 <= W) by (rewrite EW; apply Rmult_le_pos; lra). rewrite EW in *. split; intros K.
  - destruct (le_lt_dec 4 n) as [G|]; auto. exfalso.
    assert (N4 : 4 <= INR n) by (replace 4 with (INR 4) by (simpl; lra); apply le_INR; auto).
    pose proof (occupancy_le B (1 / 2 * INR n) (1 / 8 * INR n * INR n) HB ltac:(lra)) as L.
    pose proof (Rmult_le_compat_l (INR n) 4 (INR n) ltac:(lra) N4). specialize (L ltac:(lra)). lra.
  - assert (N3 : INR n < 4) by (replace 4 with (INR 4) by (simpl; lra); apply lt_INR; auto).
    apply occupancy_lt; auto. pose proof (Rmult_lt_compat_l (INR n) (INR n) 4 ltac:(lra) N3). lra.
Qed.
