(** L2BM's weights for every number of queues: the claims l2bm.ours.* on equation (3) and its relatives.

    As in SteadyState.v: n active queues, tau_i > 0 their average sojourn times, S = sum tau_i, H = sum 1 / tau_i,
    w_i = alpha C / tau_i (equation (3)), W = sum w_i; in steady state the queues hold B W / (1 + W) and the
    threshold of queue i is B w_i / (1 + W) (equations (8), (9)).                                               *)
Require Import Reals Lra Lia.
From DT Require Import Calculus SteadyState.
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

Lemma sum_swap n m (f : nat -> nat -> R) :
  sum n (fun i => sum m (fun q => f i q)) = sum m (fun q => sum n (fun i => f i q)).
Proof. induction n; simpl; [rewrite sum_zero; auto|]. rewrite IHn, <- sum_plus. reflexivity. Qed.

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
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B).

Lemma weight_pos C i : 0 < C -> (i < n)%nat -> 0 < weight tau alpha C i.
Proof. intros HC Hi. apply Rmult_lt_0_compat; auto. apply Rdiv_lt_0_compat; auto. Qed.

Lemma weight_times C i : (i < n)%nat -> weight tau alpha C i * tau i = C * alpha.
Proof. intros Hi. pose proof (tau_pos i Hi). unfold weight. field. lra. Qed.

(** l2bm.ours.least: with C = min tau_i no weight exceeds alpha, alpha < W <= alpha n, the occupancy is at most DT's. *)
Theorem l2bm_by_least m : least n tau m ->
  (forall i, (i < n)%nat -> weight tau alpha m i <= alpha) /\
  ((2 <= n)%nat -> alpha < sum n (weight tau alpha m)) /\ sum n (weight tau alpha m) <= alpha * INR n /\
  B * sum n (weight tau alpha m) / (1 + sum n (weight tau alpha m)) <= B * (alpha * INR n) / (1 + alpha * INR n).
Proof.
  intros [(k & Hk & Ek) Hm]. assert (Pm : 0 < m) by (rewrite <- Ek; auto).
  assert (Each : forall i, (i < n)%nat -> weight tau alpha m i <= alpha).
  { intros i Hi. apply Rmult_le_reg_r with (tau i); auto. rewrite weight_times by auto.
    rewrite (Rmult_comm m). apply Rmult_le_compat_l; [lra|auto]. }
  assert (Up : sum n (weight tau alpha m) <= alpha * INR n).
  { rewrite (Rmult_comm alpha), <- sum_const. apply sum_le. auto. }
  assert (Low : (2 <= n)%nat -> alpha < sum n (weight tau alpha m)).
  { intros Hn. rewrite (sum_others n k) by auto.
    replace (weight tau alpha m k) with alpha by (unfold weight; rewrite Ek; field; lra).
    pose proof (others_pos n k (weight tau alpha m) Hn ltac:(intros; apply weight_pos; auto)). lra. }
  repeat split; auto. apply occupancy_le; auto. apply sum_nonneg. left. apply weight_pos; auto.
Qed.

(** l2bm.ours.greatest: with C = max tau_i no weight is below alpha, and W >= alpha n. *)
Theorem l2bm_by_greatest m : greatest n tau m ->
  (forall i, (i < n)%nat -> alpha <= weight tau alpha m i) /\ alpha * INR n <= sum n (weight tau alpha m).
Proof.
  intros [_ Hm].
  assert (Each : forall i, (i < n)%nat -> alpha <= weight tau alpha m i).
  { intros i Hi. apply Rmult_le_reg_r with (tau i); auto. rewrite weight_times by auto.
    rewrite (Rmult_comm m). apply Rmult_le_compat_l; [lra|auto]. }
  split; auto. rewrite (Rmult_comm alpha), <- sum_const. apply sum_le. auto.
Qed.

(** ** C = S: one sojourn time grows *)

Section Grows.
Variables (i : nat) (tau' : nat -> R).
Hypotheses (Hi : (i < n)%nat) (Hchange : changed_at n i tau tau') (Hgrows : tau i < tau' i).

Lemma S_split : S tau n = tau i + others n i tau /\ S tau' n = tau' i + others n i tau.
Proof. unfold S. split; rewrite (sum_others n i) by auto; f_equal. apply others_ext. auto. Qed.

Lemma H_split : H tau n = / tau i + others n i (fun j => / tau j) /\
  H tau' n = / tau' i + others n i (fun j => / tau j).
Proof. unfold H. split; rewrite (sum_others n i) by auto; f_equal. apply others_ext. intros j Hj Nj. f_equal. auto. Qed.

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
    { intros x Hx.
      assert (Q : 0 < x + alpha * (x + s) * (1 + x * h)).
      { pose proof (Rmult_lt_0_compat x h Hx Hh). assert (0 < alpha * (x + s) * (1 + x * h)); [|lra].
        repeat apply Rmult_lt_0_compat; lra. }
      field; lra. }
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
  intros Hj Nj. destruct S_split as [E1 E2].
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
  { intros j Hj. pose proof (Ht j ltac:(lia)). rewrite ES. unfold weight. lra. }
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
      apply (sum_term_le n (fun i => / tau i) 0); [|lia]. left. apply Rinv_0_lt_compat; auto. }
    rewrite EH. field. lra.
  - match goal with h : least _ _ _ |- _ => destruct h as [(k & Hk & <-) _] end. exists k. auto.
  - match goal with h : least _ _ _ |- _ => destruct h as [_ Hm] end. intros i Hi. apply Rmult_le_compat_l; [lra|]. auto.
  - match goal with h : greatest _ _ _ |- _ => destruct h as [(k & Hk & <-) _] end. exists k. auto.
  - match goal with h : greatest _ _ _ |- _ => destruct h as [_ Hm] end. intros i Hi. apply Rmult_le_compat_l; [lra|]. auto.
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
    left. apply (weight_pos n); auto. }
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
  - destruct (le_lt_dec 4 n) as [G|]; auto.
    assert (N4 : 4 <= INR n) by (replace 4 with (INR 4) by (simpl; lra); apply le_INR; auto).
    pose proof (occupancy_le B (1 / 2 * INR n) (1 / 8 * INR n * INR n) HB ltac:(lra)) as L.
    pose proof (Rmult_le_compat_l (INR n) 4 (INR n) ltac:(lra) N4). lra.
  - assert (N3 : INR n < 4) by (replace 4 with (INR 4) by (simpl; lra); apply lt_INR; auto).
    apply occupancy_lt; auto. pose proof (Rmult_lt_compat_l (INR n) (INR n) 4 ltac:(lra) N3). lra.
Qed.

(** ** One output queue, priorities, and sojourn times that the queues cause *)

Lemma continuity_on f s t : continuity f -> continuous_on f s t.
Proof.
  intros Hf u Hu eps He. destruct (Hf u eps He) as (d & Hd & K). exists d. split; auto. intros x [Hx Hxd].
  destruct (Req_dec x u) as [->|N]; [simpl; unfold R_dist; rewrite Rminus_diag_eq, Rabs_R0 by auto; lra|].
  apply K. repeat split; auto.
Qed.

(** l2bm.ours.single-egress: an output queue of Q bytes drained at mu, first in, first out; its byte at place z stays
    z / mu.  In equal mixture ingress queue i has Q / n of them, and [stays i z], what its bytes among the first z stay
    together, grows by (z / mu) / n for each byte.  So all averages are Q / (2 mu), and the weights DT's with alpha n. *)
Theorem l2bm_single_egress n Q mu alpha (stays : nat -> R -> R) : (1 <= n)%nat -> 0 < Q -> 0 < mu ->
  (forall i, (i < n)%nat -> stays i 0 = 0 /\ continuous_on (stays i) 0 Q /\
    forall z, 0 <= z < Q -> right_derivative (stays i) z (z / mu / INR n)) ->
  let tau := fun i => stays i Q / (Q / INR n) in
  forall i, (i < n)%nat -> tau i = Q / (2 * mu) /\ weight tau alpha (S tau n) i = alpha * INR n.
Proof.
  intros Hn HQ Hmu Hs tau. assert (HN : 0 < INR n) by (apply lt_0_INR; lia).
  assert (HK : 0 < 2 * mu * INR n) by (repeat apply Rmult_lt_0_compat; lra).
  pose (k := / (2 * mu * INR n)).
  assert (Sq : forall z, right_derivative (fun u => k * (u * u)) z (z / mu / INR n)).
  { intros z eps He. assert (Pk : 0 < k) by (apply Rinv_0_lt_compat; auto).
    exists (eps / k). split; [apply Rdiv_lt_0_compat; auto|]. intros h Hh.
    replace (k * ((z + h) * (z + h)) - k * (z * z) - z / mu / INR n * h) with (k * h * h) by (unfold k; field; lra).
    rewrite Rabs_right by (apply Rle_ge; repeat apply Rmult_le_pos; lra).
    apply Rmult_le_compat_r; [lra|]. replace eps with (k * (eps / k)) by (field; lra).
    apply Rmult_le_compat_l; lra. }
  assert (Cq : continuous_on (fun u => k * (u * u)) 0 Q).
  { apply continuity_on. reg. }
  assert (Eq : forall i, (i < n)%nat -> tau i = Q / (2 * mu)).
  { intros i Hi. destruct (Hs i Hi) as (H0 & Hc & Hd).
    assert (Up : stays i Q - k * (Q * Q) <= stays i 0 - k * (0 * 0)).
    { apply (nonincreasing 0 Q (fun u => stays i u - k * (u * u)) (fun _ => 0)); [lra|apply continuous_minus; auto|].
      split; [|lra]. replace 0 with (t / mu / INR n - t / mu / INR n) by lra. apply rd_minus; auto. }
    assert (Down : k * (Q * Q) - stays i Q <= k * (0 * 0) - stays i 0).
    { apply (nonincreasing 0 Q (fun u => k * (u * u) - stays i u) (fun _ => 0)); [lra|apply continuous_minus; auto|].
      split; [|lra]. replace 0 with (t / mu / INR n - t / mu / INR n) by lra. apply rd_minus; auto. }
    unfold tau. replace (stays i Q) with (k * (Q * Q)) by lra. unfold k. field. lra. }
  split; auto. apply l2bm_equal; auto.
  - intros j Hj. rewrite Eq by auto. apply Rdiv_lt_0_compat; lra.
  - rewrite !Eq; auto.
Qed.

(** l2bm.ours.abm-bound: queue i has the priority p i < P; of priority q [count q] queues are congested.  ABM's weights
    alpha_p gamma_i / count add up to at most A, the sum of alpha over the priorities that are congested. *)
Theorem l2bm_abm_bound n P (p : nat -> nat) (gamma a : nat -> R) B :
  0 < B -> (forall i, (i < n)%nat -> (p i < P)%nat /\ 0 <= gamma i <= 1) -> (forall q, (q < P)%nat -> 0 < a q) ->
  let count := fun q => sum n (fun i => if Nat.eq_dec (p i) q then 1 else 0) in
  let w := fun i => a (p i) * gamma i / count (p i) in
  let A := sum P (fun q => if Rlt_dec 0 (count q) then a q else 0) in
  sum n w <= A /\ B / (1 + A) <= B / (1 + sum n w).
Proof.
  intros HB Hp Ha count w A.
  assert (C1 : forall i, (i < n)%nat -> 1 <= count (p i)).
  { intros i Hi.
    pose proof (sum_term_le n (fun j => if Nat.eq_dec (p j) (p i) then 1 else 0) i) as K. simpl in K.
    destruct (Nat.eq_dec (p i) (p i)); [|lia]. apply K; auto. intros j Hj. destruct (Nat.eq_dec (p j) (p i)); lra. }
  assert (W0 : forall i, (i < n)%nat -> 0 <= w i).
  { intros i Hi. destruct (Hp i Hi) as [Hq [G _]]. pose proof (Ha _ Hq). specialize (C1 i Hi).
    apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra]. }
  assert (K : sum n w <= A).
  { rewrite (sum_ext n w (fun i => sum P (fun q => if Nat.eq_dec (p i) q then w i else 0))).
    2:{ intros i Hi. destruct (Hp i Hi) as [Hq _]. rewrite (sum_others P (p i)) by auto. unfold others.
        destruct (Nat.eq_dec (p i) (p i)); [|lia]. rewrite sum_zero; [lra|]. intros q Hq'.
        destruct (Nat.eq_dec q (p i)); auto. destruct (Nat.eq_dec (p i) q); auto. lia. }
    rewrite sum_swap. apply sum_le. intros q Hq. destruct (Rlt_dec 0 (count q)) as [Cq|Cq].
    - replace (a q) with (a q / count q * count q) by (field; lra). unfold count at 2. rewrite <- sum_scal.
      apply sum_le. intros i Hi. destruct (Nat.eq_dec (p i) q) as [E|]; [|lra].
      destruct (Hp i Hi) as [_ [G0 G1]]. unfold w. rewrite E.
      replace (a q * gamma i / count q) with (a q / count q * gamma i) by (field; lra).
      apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; auto|auto].
    - rewrite sum_zero; [lra|]. intros i Hi. destruct (Nat.eq_dec (p i) q) as [E|]; auto.
      specialize (C1 i Hi). rewrite E in C1. lra. }
  split; auto. pose proof (sum_nonneg n w W0). apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
Qed.

(** l2bm.ours.square-root: ingress queue i alone feeds an output queue drained at mu_i, so that its average sojourn time
    is Q_i / (2 mu_i); every queue lies on its threshold, with C the sum of these times.  Then Q_i / sqrt mu_i is the
    same for all queues, and w_i = alpha sqrt mu_i sum 1 / sqrt mu_j. *)
Theorem l2bm_square_root n (mu Q : nat -> R) alpha B : 0 < alpha -> (forall i, (i < n)%nat -> 0 < mu i /\ 0 < Q i) ->
  let tau := fun i => Q i / (2 * mu i) in
  (forall i, (i < n)%nat -> Q i = weight tau alpha (S tau n) i * (B - sum n Q)) ->
  (forall i j, (i < n)%nat -> (j < n)%nat -> Q i / sqrt (mu i) = Q j / sqrt (mu j)) /\
  (forall i, (i < n)%nat -> weight tau alpha (S tau n) i = alpha * sqrt (mu i) * sum n (fun j => / sqrt (mu j))).
Proof.
  intros Ha Pos tau On. set (F := B - sum n Q) in *.
  assert (R0 : forall i, (i < n)%nat -> 0 < sqrt (mu i) /\ sqrt (mu i) * sqrt (mu i) = mu i).
  { intros i Hi. destruct (Pos i Hi). split; [apply sqrt_lt_R0; auto|apply sqrt_sqrt; lra]. }
  pose (K := 2 * S tau n * alpha * F).
  assert (Sq : forall i, (i < n)%nat -> (Q i / sqrt (mu i)) * (Q i / sqrt (mu i)) = K).
  { intros i Hi. destruct (Pos i Hi) as [Hm HQ]. destruct (R0 i Hi) as [Hr Er].
    assert (E : Q i * Q i = mu i * K).
    { rewrite (On i Hi) at 1. unfold weight, tau at 2, K. field. lra. }
    replace (Q i / sqrt (mu i) * (Q i / sqrt (mu i))) with (Q i * Q i / (sqrt (mu i) * sqrt (mu i))) by (field; lra).
    rewrite E, Er. field. lra. }
  assert (Same : forall i, (i < n)%nat -> Q i / sqrt (mu i) = sqrt K).
  { intros i Hi. rewrite <- (Sq i Hi). symmetry. apply sqrt_square. left. apply Rdiv_lt_0_compat; [apply Pos|apply R0]; auto. }
  split; [intros i j Hi Hj; rewrite !Same; auto|]. intros i Hi.
  assert (HK : 0 < sqrt K) by (rewrite <- (Same i Hi); apply Rdiv_lt_0_compat; [apply Pos|apply R0]; auto).
  assert (Et : forall j, (j < n)%nat -> tau j = sqrt K / 2 * / sqrt (mu j)).
  { intros j Hj. destruct (R0 j Hj) as [Hr Er]. rewrite <- (Same j Hj). unfold tau. rewrite <- Er at 1. field. lra. }
  unfold weight, S. rewrite (sum_ext n tau (fun j => sqrt K / 2 * / sqrt (mu j)) Et), sum_scal, (Et i Hi).
  destruct (R0 i Hi). field. lra.
Qed.

(** ** Reserves, a shared pool, static limits *)

(** What a queue may take of a pool of which F bytes are free: min(alpha F, c), or one of the two alone. *)
Inductive limit := Weighted (alpha : R) | Static (c : R) | Both (alpha c : R).
Definition share (l : limit) (F : R) : R :=
  match l with Weighted a => a * F | Static c => c | Both a c => Rmin (a * F) c end.
Definition sound (l : limit) : Prop :=
  match l with Weighted a => 0 < a | Static c => 0 <= c | Both a c => 0 < a /\ 0 <= c end.

Lemma share_nonneg l F : sound l -> 0 <= F -> 0 <= share l F.
Proof.
  destruct l as [a|c|a c]; simpl; intros H HF; try (apply Rmult_le_pos; lra); auto.
  destruct H. apply Rmin_glb; auto. apply Rmult_le_pos; lra.
Qed.

Lemma share_le l F G : sound l -> F <= G -> share l F <= share l G.
Proof.
  destruct l as [a|c|a c]; simpl; intros H HF; try lra; [apply Rmult_le_compat_l; lra|].
  apply Rle_min_compat_r, Rmult_le_compat_l; lra.
Qed.

Lemma share_continuous l : continuity (share l).
Proof.
  destruct l as [a|c|a c].
  { change (continuity (fun F => a * F)). reg. }
  { change (continuity (fun _ : R => c)). reg. }
  assert (K : continuity (fun F => / 2 * (a * F + c - Rabs (a * F - c)))).
  { apply continuity_scal, continuity_minus; [reg|].
    apply (continuity_comp (fun F => a * F - c) Rabs); [reg|exact Rcontinuity_abs]. }
  intros x eps He. destruct (K x eps He) as (d & Hd & L). exists d. split; auto. intros y Hy.
  simpl. rewrite !Rmin_abs. apply (L y Hy).
Qed.

(** l2bm.ours.pool-steady: queue i owns r_i bytes; F = S - sum max(0, Q_i - r_i) of the pool's S bytes are free.  The
    queues rest on their thresholds exactly where F + sum share = S, an equation with exactly one root F >= 0 if the
    limits without an alpha fit into the pool. *)
Theorem l2bm_pool_steady n (r : nat -> R) (l : nat -> limit) Sz :
  (forall i, (i < n)%nat -> sound (l i)) -> sum n (fun i => match l i with Static c => c | _ => 0 end) <= Sz ->
  (forall Q F, 0 <= F -> (forall i, (i < n)%nat -> Q i = r i + share (l i) F) ->
    (F = Sz - sum n (fun i => Rmax 0 (Q i - r i)) <-> F + sum n (fun i => share (l i) F) = Sz)) /\
  (exists F, 0 <= F /\ F + sum n (fun i => share (l i) F) = Sz) /\
  (forall F G, 0 <= F -> F + sum n (fun i => share (l i) F) = Sz ->
               0 <= G -> G + sum n (fun i => share (l i) G) = Sz -> F = G).
Proof.
  intros Hl Fit. pose (f := fun F => F + sum n (fun i => share (l i) F)).
  assert (Grows : forall F G, F < G -> f F < f G).
  { intros F G H. apply Rplus_lt_le_compat; auto. apply sum_le. intros i Hi. apply share_le; [auto|lra]. }
  split; [|split].
  - intros Q F HF HQ. rewrite (sum_ext n (fun i => Rmax 0 (Q i - r i)) (fun i => share (l i) F)); [split; lra|].
    intros i Hi. rewrite HQ by auto. replace (r i + share (l i) F - r i) with (share (l i) F) by lra.
    apply Rmax_right, share_nonneg; auto.
  - assert (C : continuity (fun F => f F - Sz)).
    { apply continuity_minus; [|reg]. apply continuity_plus; [reg|].
      clear. induction n; simpl; [reg|]. apply continuity_plus; [auto|apply share_continuous]. }
    assert (Z0 : f 0 <= Sz).
    { unfold f. rewrite Rplus_0_l. eapply Rle_trans; [|exact Fit]. apply sum_le. intros i Hi.
      destruct (l i); simpl; try lra. rewrite Rmult_0_r. apply Rmin_l. }
    assert (S0 : 0 <= Sz).
    { apply Rle_trans with (f 0); auto. unfold f. pose proof (sum_nonneg n (fun i => share (l i) 0)
        ltac:(intros; apply share_nonneg; [auto|lra])). lra. }
    assert (Z1 : Sz <= f Sz).
    { unfold f. pose proof (sum_nonneg n (fun i => share (l i) Sz) ltac:(intros; apply share_nonneg; auto)). lra. }
    destruct (IVT_cor (fun F => f F - Sz) 0 Sz C S0) as (F & [H0 _] & E).
    { pose proof (Rmult_le_pos (Sz - f 0) (f Sz - Sz)). lra. }
    exists F. unfold f in E. lra.
  - intros F G _ EF _ EG. destruct (Rtotal_order F G) as [H|[H|H]]; auto; apply Grows in H; unfold f in H; lra.
Qed.
