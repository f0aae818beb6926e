(** DynaQ paper, Section 3.2: Algorithm 1 for every number M of queues, equations (2)-(4).

    T are the thresholds, S the satisfaction thresholds, q the queue lengths when a packet of [size] bytes for queue p
    arrives.  [reachable] are the thresholds after any sequence of arrivals, with any lengths at each of them: whatever
    the traffic, the scheduler and the admission check are.  [active i]: queue i is never empty at an arrival.       *)
Require Import Reals Lra Lia ZArith.
From DT Require Import Calculus.
Open Scope R_scope.

(** ** Algorithm 1 *)

(** The extra buffer, equation (3), and the satisfaction threshold, equations (2) and (4). *)
Definition extra (T S : nat -> R) (i : nat) : R := T i - S i.
Definition share (M : nat) (B : R) (w : nat -> R) (i : nat) : R := B * w i / sum M w.

(** Line 1; line 2; line 3; lines 6 and 7. *)
Definition exceeds (T q : nat -> R) (p : nat) (size : R) : Prop := T p < q p + size.
Definition victim (M : nat) (T S : nat -> R) (p v : nat) : Prop :=
  (v < M)%nat /\ v <> p /\ forall i, (i < M)%nat -> i <> p -> extra T S i <= extra T S v.
Definition protected (T S q : nat -> R) (v : nat) (size : R) : Prop :=
  T v < size \/ (0 < q v /\ T v - size < S v).
Definition adjust (T : nat -> R) (p v : nat) (size : R) (i : nat) : R :=
  if Nat.eq_dec i v then T v - size else if Nat.eq_dec i p then T p + size else T i.

(** Line 4: the packet is dropped; [refuses_all]: no other queue may give, as in line 2 restricted to those that may. *)
Definition refused (M : nat) (T S q : nat -> R) (p : nat) (size : R) : Prop :=
  exceeds T q p size /\ exists v, victim M T S p v /\ protected T S q v size.
Definition refused_by_all (M : nat) (T S q : nat -> R) (p : nat) (size : R) : Prop :=
  exceeds T q p size /\ forall v, (v < M)%nat -> v <> p -> protected T S q v size.

(** The thresholds that can be reached from T = S; any unprotected queue may be the victim (line 2 and its repair). *)
Inductive reachable (M : nat) (S : nat -> R) (active : nat -> Prop) (sizes : R -> Prop) : (nat -> R) -> Prop :=
| start : reachable M S active sizes S
| arrival T q p v size : reachable M S active sizes T ->
    (p < M)%nat -> (v < M)%nat -> v <> p -> 0 < size -> sizes size -> (forall i, active i -> 0 < q i) ->
    exceeds T q p size -> ~ protected T S q v size ->
    reachable M S active sizes (adjust T p v size).

(** ** Sums over two changed terms *)

Lemma sum_update M f k x : (k < M)%nat ->
  sum M (fun i => if Nat.eq_dec i k then x else f i) = sum M f + (x - f k).
Proof.
  induction M; intros H; [lia|]. simpl. destruct (Nat.eq_dec M k) as [->|n].
  - rewrite (sum_ext k _ f); [lra|]. intros i Hi. destruct (Nat.eq_dec i k); [lia|auto].
  - rewrite IHM by lia. lra.
Qed.

Lemma adjust_sum M T p v size : (p < M)%nat -> (v < M)%nat -> v <> p ->
  sum M (adjust T p v size) = sum M T.
Proof.
  intros Hp Hv Hn. unfold adjust.
  rewrite (sum_update M (fun i => if Nat.eq_dec i p then T p + size else T i) v (T v - size) Hv).
  rewrite (sum_update M T p (T p + size) Hp). destruct (Nat.eq_dec v p); [contradiction|]. lra.
Qed.

(** ** The invariants *)

Section Invariants.
Variables (M : nat) (S : nat -> R) (active : nat -> Prop) (sizes : R -> Prop).

(** Lines 6 and 7 keep the sum of the thresholds, for every M. *)
Theorem dynaq_sum T : reachable M S active sizes T -> sum M T = sum M S.
Proof. intros H. induction H; auto. rewrite adjust_sum; auto. Qed.

(** The first condition of line 3 keeps every threshold non-negative. *)
Theorem dynaq_nonneg T : (forall i, (i < M)%nat -> 0 <= S i) -> reachable M S active sizes T ->
  forall i, (i < M)%nat -> 0 <= T i.
Proof.
  intros HS H. induction H; intros i Hi; auto. specialize (IHreachable).
  unfold adjust. destruct (Nat.eq_dec i v).
  - unfold protected in *. apply Rnot_lt_le. intros K. apply H7. left. lra.
  - destruct (Nat.eq_dec i p); [specialize (IHreachable p H0); lra|auto].
Qed.

(** The second keeps a queue that is never empty satisfied. *)
Theorem dynaq_active_satisfied T i : active i -> reachable M S active sizes T -> S i <= T i.
Proof.
  intros Ha H. induction H; [lra|]. unfold adjust. destruct (Nat.eq_dec i v) as [->|n].
  - apply Rnot_lt_le. intros K. apply H7. right. split; [apply H5; auto|lra].
  - destruct (Nat.eq_dec i p) as [->|]; lra.
Qed.

(** One step: a satisfied active queue stays satisfied, whatever came before. *)
Theorem dynaq_step_satisfied T q p v size i : 0 < size -> v <> p -> ~ protected T S q v size ->
  0 < q i -> S i <= T i -> S i <= adjust T p v size i.
Proof.
  intros Hs Hn Hp Hq Hi. unfold adjust. destruct (Nat.eq_dec i v) as [->|n].
  - apply Rnot_lt_le. intros K. apply Hp. right. split; lra.
  - destruct (Nat.eq_dec i p) as [->|]; lra.
Qed.

(** All three, for line 2 as printed and for its repair: any unprotected queue may be the victim. *)
Theorem dynaq_invariants T : (forall i, (i < M)%nat -> 0 <= S i) -> reachable M S active sizes T ->
  sum M T = sum M S /\ (forall i, (i < M)%nat -> 0 <= T i) /\ (forall i, active i -> S i <= T i).
Proof.
  intros HS H. split; [apply dynaq_sum, H|]. split; [apply dynaq_nonneg; auto|]. intros; apply dynaq_active_satisfied; auto.
Qed.

(** The extras add up to 0, so the largest of the others is at least what queue p lacks, divided by M - 1. *)
Lemma others_extra T p : reachable M S active sizes T -> (p < M)%nat ->
  sum M (fun i => if Nat.eq_dec i p then 0 else extra T S i) = S p - T p.
Proof.
  intros H Hp. rewrite (sum_update M (extra T S) p 0 Hp). unfold extra. rewrite sum_minus, (dynaq_sum T H). lra.
Qed.

Theorem dynaq_extras T : reachable M S active sizes T -> sum M (extra T S) = 0.
Proof. intros H. unfold extra. rewrite sum_minus, (dynaq_sum T H). lra. Qed.

(** Line 3 protects every active queue that is unsatisfied, and for active queues its second condition contains the first. *)
Theorem dynaq_unsatisfied_protected T q v size : 0 < size -> 0 < q v -> T v < S v -> protected T S q v size.
Proof. intros Hs Hq HT. right. split; auto. lra. Qed.

Theorem dynaq_line3 T q v size : 0 <= S v -> 0 < q v -> T v < size -> T v - size < S v.
Proof. intros. lra. Qed.

Lemma others_bound T p b : (p < M)%nat -> (forall i, (i < M)%nat -> i <> p -> extra T S i <= b) ->
  sum M (fun i => if Nat.eq_dec i p then 0 else extra T S i) <= INR (M - 1) * b.
Proof.
  intros Hp Hb.
  assert (E : INR (M - 1) * b = sum M (fun i => if Nat.eq_dec i p then 0 else b)).
  { rewrite (sum_update M (fun _ => b) p 0 Hp), sum_const.
    replace M with (Datatypes.S (M - 1)) at 2 by lia. rewrite S_INR. lra. }
  rewrite E. apply sum_le. intros i Hi. destruct (Nat.eq_dec i p); [lra|auto].
Qed.

Lemma protected_extra T q v size : 0 <= S v -> protected T S q v size -> extra T S v < size.
Proof. intros HS [H|[_ H]]; unfold extra; lra. Qed.

(** A queue to which line 3 refuses a packet of L bytes lacks less than (M - 1) L of its satisfaction threshold. *)
Theorem dynaq_deficit T q p L : (forall i, (i < M)%nat -> 0 <= S i) -> reachable M S active sizes T -> (p < M)%nat ->
  (2 <= M)%nat -> refused M T S q p L -> S p - T p < INR (M - 1) * L.
Proof.
  intros HS H Hp HM [_ (v & (Hv & Hn & Hmax) & Hpr)].
  pose proof (protected_extra T q v L (HS v Hv) Hpr) as Hlt.
  rewrite <- (others_extra T p H Hp). eapply Rle_lt_trans; [apply (others_bound T p (extra T S v)); auto|].
  apply Rmult_lt_compat_l; [apply lt_0_INR; lia|auto].
Qed.

(** The same for line 2 restricted to queues that may give (the repair). *)
Theorem dynaq_repair_deficit T q p L : (forall i, (i < M)%nat -> 0 <= S i) -> reachable M S active sizes T -> (p < M)%nat ->
  (2 <= M)%nat -> refused_by_all M T S q p L -> S p - T p < INR (M - 1) * L.
Proof.
  intros HS H Hp HM [_ Hall]. rewrite <- (others_extra T p H Hp).
  assert (E : INR (M - 1) * L = sum M (fun i => if Nat.eq_dec i p then 0 else L)).
  { rewrite (sum_update M (fun _ => L) p 0 Hp), sum_const.
    replace M with (Datatypes.S (M - 1)) at 2 by lia. rewrite S_INR. lra. }
  rewrite E. clear E.
  assert (Strict : forall n, (n <= M)%nat ->
     sum n (fun i => if Nat.eq_dec i p then 0 else extra T S i) <= sum n (fun i => if Nat.eq_dec i p then 0 else L) /\
     ((exists i, (i < n)%nat /\ i <> p) ->
      sum n (fun i => if Nat.eq_dec i p then 0 else extra T S i) < sum n (fun i => if Nat.eq_dec i p then 0 else L))).
  { induction n; intros Hn; [split; [simpl; lra|intros (i & Hi & _); lia]|]. destruct (IHn ltac:(lia)) as [I1 I2]. simpl.
    destruct (Nat.eq_dec n p) as [->|ne].
    - split; [lra|]. intros (i & Hi & Hip). apply Rplus_lt_compat_r, I2. exists i. split; [lia|auto].
    - pose proof (protected_extra T q n L (HS n ltac:(lia)) (Hall n ltac:(lia) ne)). split; [lra|]. intros _. lra. }
  apply (Strict M ltac:(lia)). destruct (Nat.eq_dec p 0); [exists 1%nat|exists 0%nat]; split; lia.
Qed.

(** With the repair an empty queue that refuses to give has less than the packet left. *)
Theorem dynaq_repair_uses_port T q p L i : (i < M)%nat -> i <> p -> q i = 0 ->
  refused_by_all M T S q p L -> T i < L.
Proof. intros Hi Hn Hq [_ Hall]. destruct (Hall i Hi Hn) as [H|[H _]]; [auto|lra]. Qed.

(** All other queues empty: line 3 refuses queue p only beyond S_p + (M - 1)(min S - L). *)
Theorem dynaq_alone T q p L s : reachable M S active sizes T -> (p < M)%nat -> (2 <= M)%nat ->
  (forall i, (i < M)%nat -> i <> p -> q i = 0 /\ s <= S i) ->
  refused M T S q p L -> S p + INR (M - 1) * (s - L) < T p.
Proof.
  intros H Hp HM Hq [_ (v & (Hv & Hn & Hmax) & Hpr)]. destruct (Hq v Hv Hn) as [Hqv Hsv].
  assert (Hlt : extra T S v < L - s) by (unfold extra; destruct Hpr as [K|[K _]]; lra).
  pose proof (others_extra T p H Hp) as E.
  pose proof (others_bound T p (extra T S v) Hp Hmax) as Bd.
  pose proof (Rmult_lt_compat_l (INR (M - 1)) _ _ ltac:(apply lt_0_INR; lia) Hlt). lra.
Qed.

(** Equal weights: only beyond B - (M - 1) L. *)
Theorem dynaq_alone_equal B T q p L : reachable M S active sizes T -> (p < M)%nat -> (2 <= M)%nat ->
  (forall i, (i < M)%nat -> S i = B / INR M) -> (forall i, (i < M)%nat -> i <> p -> q i = 0) ->
  refused M T S q p L -> B - INR (M - 1) * L < T p.
Proof.
  intros H Hp HM HS Hq Hr.
  assert (K : S p + INR (M - 1) * (B / INR M - L) < T p).
  { apply (dynaq_alone T q p L (B / INR M) H Hp HM); auto. intros i Hi Hn. split; auto. rewrite HS; auto. lra. }
  rewrite (HS p Hp) in K. assert (Hm : 0 < INR M) by (apply lt_0_INR; lia).
  replace M with (Datatypes.S (M - 1)) in K at 1 3 by lia. rewrite S_INR in K.
  assert (E : B / (INR (M - 1) + 1) + INR (M - 1) * (B / (INR (M - 1) + 1)) = B).
  { field. pose proof (pos_INR (M - 1)). lra. }
  lra.
Qed.

End Invariants.

(** ** Sizes that are multiples of g *)

Definition multiple (g x : R) : Prop := exists k : Z, x = IZR k * g.

Lemma multiple_plus g x y : multiple g x -> multiple g y -> multiple g (x + y).
Proof. intros [a ->] [b ->]. exists (a + b)%Z. rewrite plus_IZR. ring. Qed.

Lemma multiple_opp g x : multiple g x -> multiple g (- x).
Proof. intros [a ->]. exists (- a)%Z. rewrite opp_IZR. ring. Qed.

Lemma multiple_less g x y : 0 < g -> multiple g x -> multiple g y -> x < y -> x <= y - g.
Proof.
  intros Hg [a ->] [b ->] H. apply Rmult_lt_reg_r in H; auto. apply lt_IZR in H.
  assert (K : (a <= b - 1)%Z) by lia. apply IZR_le in K. rewrite minus_IZR in K.
  apply (Rmult_le_compat_r g) in K; lra.
Qed.

Lemma extra_multiple M S active (sizes : R -> Prop) g T : (forall x, sizes x -> multiple g x) -> reachable M S active sizes T ->
  forall i, multiple g (extra T S i).
Proof.
  intros Hs H. induction H; intros i.
  - exists 0%Z. unfold extra. lra.
  - pose proof (Hs size H4) as Hm. unfold extra, adjust in *. destruct (Nat.eq_dec i v) as [->|].
    + replace (T v - size - S v) with (T v - S v + - size) by ring. apply multiple_plus, multiple_opp; auto.
    + destruct (Nat.eq_dec i p) as [->|]; auto.
      replace (T p + size - S p) with (T p - S p + size) by ring. apply multiple_plus; auto.
Qed.

(** Every size a multiple of g: the deficit is at most (M - 1)(L - g). *)
Theorem dynaq_deficit_multiples M S active (sizes : R -> Prop) g T q p L :
  0 < g -> (forall x, sizes x -> multiple g x) -> multiple g L ->
  (forall i, (i < M)%nat -> 0 <= S i) -> reachable M S active sizes T -> (p < M)%nat -> (2 <= M)%nat ->
  refused M T S q p L -> S p - T p <= INR (M - 1) * (L - g).
Proof.
  intros Hg Hsz HL HS H Hp HM [_ (v & (Hv & Hn & Hmax) & Hpr)].
  pose proof (protected_extra S T q v L (HS v Hv) Hpr) as Hlt.
  apply (multiple_less g) in Hlt; auto; [|eapply extra_multiple; eauto].
  rewrite <- (others_extra M S active sizes T p H Hp).
  eapply Rle_trans; [apply (others_bound M S T p (extra T S v)); auto|].
  apply Rmult_le_compat_l; [apply pos_INR|auto].
Qed.

(** With one packet size line 3 refuses only a satisfied queue. *)
Theorem dynaq_one_size M S active L T q p : 0 < L ->
  (forall i, (i < M)%nat -> 0 <= S i) -> reachable M S active (fun x => x = L) T -> (p < M)%nat -> (2 <= M)%nat ->
  refused M T S q p L -> S p <= T p.
Proof.
  intros HL HS H Hp HM Hr.
  assert (ML : multiple L L) by (exists 1%Z; lra).
  pose proof (dynaq_deficit_multiples M S active (fun x => x = L) L T q p L HL
    ltac:(intros x ->; exact ML) ML HS H Hp HM Hr) as K.
  rewrite (Rminus_diag_eq L L), Rmult_0_r in K by auto. lra.
Qed.

(** ** Equations (2), (4) and (6) *)

(** The shares are positive and add up to B. *)
Theorem dynaq_shares M B w : (1 <= M)%nat -> 0 < B -> (forall i, (i < M)%nat -> 0 < w i) ->
  sum M (share M B w) = B /\ forall i, (i < M)%nat -> 0 < share M B w i.
Proof.
  intros HM HB Hw.
  assert (W : 0 < sum M w).
  { apply Rlt_le_trans with (w 0%nat); [apply Hw; lia|].
    apply (sum_term_le M w 0); [intros; left; auto|lia]. }
  split.
  - unfold share. rewrite (sum_ext M _ (fun i => B / sum M w * w i)) by (intros; unfold Rdiv; ring).
    rewrite sum_scal. field. lra.
  - intros i Hi. unfold share. apply Rdiv_lt_0_compat; auto. apply Rmult_lt_0_compat; auto.
Qed.

(** S_i > WBDP_i for every queue exactly if B > BDP. *)
Theorem dynaq_S_greater M B BDP w i : 0 < sum M w -> 0 < w i -> (share M BDP w i < share M B w i <-> BDP < B).
Proof.
  intros W Hw. unfold share. split; intros H.
  - apply (Rmult_lt_compat_r (sum M w)) in H; auto.
    replace (BDP * w i / sum M w * sum M w) with (BDP * w i) in H by (field; lra).
    replace (B * w i / sum M w * sum M w) with (B * w i) in H by (field; lra).
    apply Rmult_lt_reg_r in H; auto.
  - apply Rmult_lt_reg_r with (sum M w); auto.
    replace (BDP * w i / sum M w * sum M w) with (BDP * w i) by (field; lra).
    replace (B * w i / sum M w * sum M w) with (B * w i) by (field; lra). apply Rmult_lt_compat_r; auto.
Qed.

(** The hypotheses can hold: three queues with S = 2 each, one packet of size 1 for queue 0 takes it from queue 1. *)
Theorem dynaq_instance :
  let T := adjust (fun _ => 2) 0 1 1 in
  reachable 3 (fun _ => 2) (fun i => i = 0%nat) (fun x => x = 1) T /\ T 0%nat = 3 /\ T 1%nat = 1 /\ sum 3 T = 6.
Proof.
  intros T. repeat split; try (unfold T, adjust; simpl; lra).
  apply (arrival 3 (fun _ => 2) (fun i => i = 0%nat) (fun x => x = 1) (fun _ => 2)
           (fun i => match i with O => 2 | _ => 0 end) 0 1 1); try lia; try lra.
  - constructor.
  - intros i ->. lra.
  - unfold exceeds. lra.
  - intros [H|[H _]]; lra.
Qed.
