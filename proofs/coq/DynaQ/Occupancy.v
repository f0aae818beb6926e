(** DynaQ paper, Algorithm 1 with two repairs: a queue gives only threshold that it does not use, and no queue grows
    beyond its S while another has a claim. An active queue has its share of occupancy, and one that wakes up gets it
    back.

    A state is (T, q, c): c i, queue i has a claim: a packet within its S was refused and none was enqueued since.
    Claims may lapse at any time. Any victim that may give, any scheduler, any traffic.                              *)
Require Import Reals Lra Lia ZArith.
From DT Require Import Calculus Thresholds AlgorithmQueues.
Open Scope R_scope.

(** ** The port *)

(** Line 3 accepts v, and v does not use what it gives. *)
Definition gives (T S q : nat -> R) (v : nat) (size : R) : Prop := ~ protected T S q v size /\ q v <= T v - size.

(** The packet is refused for the sake of a claim. *)
Definition yields (M : nat) (S q : nat -> R) (c : nat -> bool) (p : nat) (size : R) : Prop :=
  S p < q p + size /\ exists i, (i < M)%nat /\ i <> p /\ c i = true.

Definition mark (c : nat -> bool) (p : nat) (b : bool) (i : nat) : bool := if Nat.eq_dec i p then b else c i.

Inductive port_event := Takes (p v : nat) | Leaves (i : nat) (x : R) | Other.

Inductive step (M : nat) (S : nat -> R) (traffic : (nat -> R) -> nat -> R -> Prop) :
  (nat -> R) -> (nat -> R) -> (nat -> bool) -> port_event -> (nat -> R) -> (nat -> R) -> (nat -> bool) -> Prop :=
| step_fits T q c p size : (p < M)%nat -> 0 < size -> traffic q p size -> ~ yields M S q c p size ->
    ~ exceeds T q p size -> step M S traffic T q c Other T (longer q p size) (mark c p false)
| step_takes T q c p v size : (p < M)%nat -> 0 < size -> traffic q p size -> ~ yields M S q c p size ->
    exceeds T q p size -> (v < M)%nat -> v <> p -> gives T S q v size ->
    step M S traffic T q c (Takes p v) (adjust T p v size) (longer q p size) (mark c p false)
| step_refused T q c p size : (p < M)%nat -> 0 < size -> traffic q p size ->
    (yields M S q c p size \/
     (exceeds T q p size /\ forall v, (v < M)%nat -> v <> p -> ~ gives T S q v size)) ->
    step M S traffic T q c Other T q (if Rle_dec (q p + size) (S p) then mark c p true else c)
| step_leaves T q c i x : (i < M)%nat -> 0 <= x <= q i ->
    step M S traffic T q c (Leaves i x) T (longer q i (- x)) c
| step_lapses T q c i : step M S traffic T q c Other T q (mark c i false).

Inductive repaired (M : nat) (S : nat -> R) (traffic : (nat -> R) -> nat -> R -> Prop) :
  (nat -> R) -> (nat -> R) -> (nat -> bool) -> Prop :=
| repaired_start q : (forall i, (i < M)%nat -> 0 <= q i <= S i) -> repaired M S traffic S q (fun _ => false)
| repaired_step T q c e T' q' c' : repaired M S traffic T q c -> step M S traffic T q c e T' q' c' ->
    repaired M S traffic T' q' c'.

(** ** Occupancy *)

Section Port.
Variables (M : nat) (S : nat -> R) (traffic : (nat -> R) -> nat -> R -> Prop).

(** Its thresholds are those that [Thresholds.v] is about. *)
Lemma repaired_reachable (active : nat -> Prop) (sizes : R -> Prop) T q c :
  (forall q p size, traffic q p size -> sizes size /\ forall i, active i -> 0 < q i) ->
  repaired M S traffic T q c -> reachable M S active sizes T.
Proof.
  intros Ht H. induction H as [|T q c e T' q' c' _ IH K]; [constructor|].
  destruct K as [| T q c p v size Hp Hs Htr _ E Hv Hn [Hg _]| | |]; auto.
  destruct (Ht _ _ _ Htr). apply (arrival M S active sizes T q p v size); auto.
Qed.

(** ours.within: no queue is ever longer than its threshold, whatever the sizes. *)
Theorem dynaq_within T q c : repaired M S traffic T q c ->
  sum M T = sum M S /\ forall i, (i < M)%nat -> 0 <= q i <= T i.
Proof.
  intros H. split.
  { apply (dynaq_sum M S (fun _ => False) (fun _ => True)). eapply repaired_reachable; [|exact H].
    intros. split; [exact I|intros i []]. }
  induction H as [q Hq|T q c e T' q' c' _ IH K]; [exact Hq|].
  destruct K as [T q c p size Hp Hs _ _ E|T q c p v size Hp Hs _ _ E Hv Hn [_ Hg]| |T q c i x Hi Hx|]; auto;
    intros j Hj; pose proof (IH j Hj) as J; unfold longer.
  - apply Rnot_lt_le in E. destruct (Nat.eq_dec j p) as [->|]; lra.
  - unfold adjust. destruct (Nat.eq_dec j v) as [Ev|Nv], (Nat.eq_dec j p) as [Ep|Np]; try congruence; subst; lra.
  - destruct (Nat.eq_dec j i) as [->|]; lra.
Qed.

(** A packet that Algorithm 1 lets pass is admitted by every check after it: the port has room. *)
Theorem dynaq_within_admits a T q c p size : repaired M S traffic T q c -> (p < M)%nat -> q p + size <= T p ->
  admits a M (sum M S) T q p size.
Proof.
  intros H Hp E. destruct (dynaq_within T q c H) as [I J].
  assert (K : sum M q + size <= sum M S).
  { rewrite <- I, <- (longer_sum M q p size Hp). apply sum_le. intros i Hi. specialize (J i Hi). unfold longer.
    destruct (Nat.eq_dec i p) as [->|]; lra. }
  destruct a; simpl; auto.
Qed.

(** ours.active-share: a queue that is active from the start has T >= S, and a packet within its S passes and is
    admitted, at once, whatever the other queues do. *)
Theorem dynaq_active_share a T q c x size : (forall q p size, traffic q p size -> 0 < q x) ->
  repaired M S traffic T q c -> (x < M)%nat -> q x + size <= S x ->
  S x <= T x /\ ~ yields M S q c x size /\ ~ exceeds T q x size /\ admits a M (sum M S) T q x size.
Proof.
  intros Ht H Hx E.
  assert (R : S x <= T x).
  { apply (dynaq_active_satisfied M S (fun i => i = x) (fun _ => True)); auto.
    eapply repaired_reachable; [|exact H]. intros q0 p0 s0 Hq. split; [exact I|]. intros i ->. eauto. }
  repeat split; auto; [intros [Y _]; lra|unfold exceeds; lra|]. apply (dynaq_within_admits a T q c); auto. lra.
Qed.

(** ** Recovery, with packets of one size *)

Variables (L : R) (p : nat).
Hypothesis (Lpos : 0 < L) (pM : (p < M)%nat) (one_size : forall q i size, traffic q i size -> size = L).

(** What the queues other than p lack. *)
Definition lacks (T : nat -> R) (i : nat) : R := if Nat.eq_dec i p then 0 else Rmax 0 (S i - T i).
Definition shortfall (T : nat -> R) : R := sum M (lacks T).

(** Steps in which the claim of p lasts: how many packets of threshold other queues took from beyond an S, and which
    queues have sent one. *)
Inductive claimed (T0 q0 : nat -> R) (c0 : nat -> bool) : nat -> (nat -> Prop) -> (nat -> R) -> (nat -> R) ->
  (nat -> bool) -> Prop :=
| claimed_start : c0 p = true -> claimed T0 q0 c0 0 (fun _ => False) T0 q0 c0
| claimed_takes n left T q c u v T' q' c' : claimed T0 q0 c0 n left T q c ->
    step M S traffic T q c (Takes u v) T' q' c' -> c' p = true -> S v < T v ->
    claimed T0 q0 c0 (Datatypes.S n) left T' q' c'
| claimed_lends n left T q c u v T' q' c' : claimed T0 q0 c0 n left T q c ->
    step M S traffic T q c (Takes u v) T' q' c' -> c' p = true -> T v <= S v -> claimed T0 q0 c0 n left T' q' c'
| claimed_leaves n left T q c i T' q' c' : claimed T0 q0 c0 n left T q c ->
    step M S traffic T q c (Leaves i L) T' q' c' -> c' p = true ->
    claimed T0 q0 c0 n (fun j => j = i \/ left j) T' q' c'
| claimed_other n left T q c T' q' c' : claimed T0 q0 c0 n left T q c ->
    step M S traffic T q c Other T' q' c' -> c' p = true -> claimed T0 q0 c0 n left T' q' c'.

Lemma claimed_reach T0 q0 c0 n left T q c : repaired M S traffic T0 q0 c0 -> claimed T0 q0 c0 n left T q c ->
  repaired M S traffic T q c /\ c p = true.
Proof. intros H0 H. induction H; auto; split; auto; eapply repaired_step; try apply IHclaimed; eauto. Qed.

Lemma whole T q c i : repaired M S traffic T q c -> multiple L (extra T S i).
Proof.
  intros H. apply (extra_multiple M S (fun _ => False) (fun x => x = L)); [intros x ->; exists 1%Z; lra|].
  eapply repaired_reachable; [|exact H]. intros q0 i0 s0 E. split; [eauto|intros j []].
Qed.

Lemma at_least T q c i : repaired M S traffic T q c -> S i < T i -> S i + L <= T i.
Proof.
  intros H E. destruct (whole T q c i H) as [k K]. unfold extra in K.
  assert (0 < k)%Z by (apply lt_IZR; apply Rmult_lt_reg_r with L; lra).
  assert (1 <= IZR k) by (apply IZR_le; lia). assert (1 * L <= IZR k * L) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma at_most T q c i : repaired M S traffic T q c -> T i < S i -> T i + L <= S i.
Proof.
  intros H E. destruct (whole T q c i H) as [k K]. unfold extra in K.
  assert (k < 0)%Z by (apply lt_IZR; apply Rmult_lt_reg_r with L; lra).
  assert (IZR k <= -1) by (apply IZR_le; lia). assert (IZR k * L <= -1 * L) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(** Whoever takes threshold while the claim of p lasts stays within its S. *)
Lemma taker T q c u v T' q' c' : c p = true -> c' p = true -> step M S traffic T q c (Takes u v) T' q' c' ->
  (u < M)%nat /\ (v < M)%nat /\ v <> u /\ u <> p /\ q u + L <= S u /\ T u < q u + L /\ T' = adjust T u v L /\
  q' = longer q u L /\ gives T S q v L.
Proof.
  intros C C' H. inversion H; subst. assert (size = L) as -> by eauto.
  assert (N : u <> p) by (intros ->; unfold mark in C'; destruct (Nat.eq_dec p p); congruence).
  do 4 (split; [assumption|]). split; [|auto]. apply Rnot_lt_le. intros K.
  match goal with Y : ~ yields _ _ _ _ _ _ |- _ => apply Y; split; [exact K|exists p; auto] end.
Qed.

Lemma sum_two f g u v d e : (u < M)%nat -> (v < M)%nat -> u <> v -> g u = f u + d -> g v = f v + e ->
  (forall i, i <> u -> i <> v -> g i = f i) -> sum M g = sum M f + d + e.
Proof.
  intros Hu Hv Hn Gu Gv Go.
  rewrite (sum_ext M g (fun i => if Nat.eq_dec i u then g u else (if Nat.eq_dec i v then g v else f i))).
  - rewrite (sum_update M (fun i => if Nat.eq_dec i v then g v else f i) u (g u) Hu), (sum_update M f v (g v) Hv).
    destruct (Nat.eq_dec u v); [congruence|]. lra.
  - intros i _. destruct (Nat.eq_dec i u) as [->|]; auto. destruct (Nat.eq_dec i v) as [->|]; auto.
Qed.

(** ours.recovery-others: each packet of threshold that others take from beyond an S meanwhile lowers what they lack. *)
Theorem dynaq_recovery_others T0 q0 c0 n left T q c : repaired M S traffic T0 q0 c0 ->
  claimed T0 q0 c0 n left T q c -> INR n * L + shortfall T <= shortfall T0.
Proof.
  intros H0 H.
  assert (K : forall n left T q c u v T' q' c', claimed T0 q0 c0 n left T q c ->
    step M S traffic T q c (Takes u v) T' q' c' -> c' p = true ->
    lacks T' u = lacks T u + - L /\ (S v < T v -> lacks T' v = lacks T v + 0) /\
    (lacks T' v <= lacks T v + L) /\ (forall i, i <> u -> i <> v -> lacks T' i = lacks T i) /\
    (u < M)%nat /\ (v < M)%nat /\ u <> v).
  { clear H n left T q c. intros n left T q c u v T' q' c' H K C'.
    destruct (claimed_reach _ _ _ _ _ _ _ _ H0 H) as [R C].
    destruct (taker _ _ _ _ _ _ _ _ C C' K) as (Hu & Hv & Hn & Up & W & E & -> & -> & G).
    pose proof (at_most _ _ _ u R ltac:(lra)) as Au. pose proof (at_least _ _ _ v R) as Av.
    unfold lacks, adjust. repeat split; auto.
    - destruct (Nat.eq_dec u p); [congruence|]. destruct (Nat.eq_dec u v); [congruence|].
      destruct (Nat.eq_dec u u); [|congruence]. rewrite !Rmax_right by lra. lra.
    - intros Ev. specialize (Av Ev). destruct (Nat.eq_dec v p); [lra|].
      destruct (Nat.eq_dec v v); [|congruence]. rewrite !Rmax_left by lra. lra.
    - destruct (Nat.eq_dec v p); [lra|]. destruct (Nat.eq_dec v v); [|congruence].
      apply Rmax_lub; [pose proof (Rmax_l 0 (S v - T v)); lra|pose proof (Rmax_r 0 (S v - T v)); lra].
    - intros i Iu Iv. destruct (Nat.eq_dec i v); [congruence|]. destruct (Nat.eq_dec i u); congruence. }
  induction H as [|n left T q c u v T' q' c' H IH K1 C' E|n left T q c u v T' q' c' H IH K1 C' E
    |n left T q c i T' q' c' H IH K1 C'|n left T q c T' q' c' H IH K1 C'].
  - simpl. lra.
  - destruct (K _ _ _ _ _ _ _ _ _ _ H K1 C') as (A & Bv & _ & O & Hu & Hv & N). specialize (Bv E).
    unfold shortfall in *. rewrite (sum_two (lacks T) (lacks T') u v (- L) 0); auto. rewrite S_INR. lra.
  - destruct (K _ _ _ _ _ _ _ _ _ _ H K1 C') as (A & _ & Bv & O & Hu & Hv & N).
    unfold shortfall in *. rewrite (sum_two (lacks T) (lacks T') u v (- L) (lacks T' v - lacks T v)); auto; lra.
  - inversion K1; subst; exact IH.
  - inversion K1; subst; exact IH.
Qed.

(** While nobody takes from beyond an S, a queue beyond its own that has sent a packet has one packet unused. *)
Lemma unused T0 q0 c0 left T q c : repaired M S traffic T0 q0 c0 -> claimed T0 q0 c0 0 left T q c ->
  forall v, (v < M)%nat -> v <> p -> S v < T v ->
    S v < T0 v /\ (left v \/ q0 v <= T0 v - L -> q v <= T v - L).
Proof.
  intros H0 H. remember 0%nat as n eqn:Hn.
  induction H as [C0|n left T q c u w T' q' c' H IH K C' E|n left T q c u w T' q' c' H IH K C' E
    |n left T q c i T' q' c' H IH K C'|n left T q c T' q' c' H IH K C']; intros v Hv Np Ex; try discriminate Hn.
  - split; auto. intros [[]|Hq]. exact Hq.
  - specialize (IH Hn v Hv Np). destruct (claimed_reach _ _ _ _ _ _ _ _ H0 H) as [R C].
    destruct (taker _ _ _ _ _ _ _ _ C C' K) as (Hu & Hw & Nw & Up & W & Eu & -> & -> & G).
    pose proof (at_most _ _ _ u R ltac:(lra)) as Au. unfold adjust, longer in *.
    destruct (Nat.eq_dec v w) as [->|]; [lra|]. destruct (Nat.eq_dec v u) as [->|]; [lra|auto].
  - specialize (IH Hn v Hv Np). destruct (claimed_reach _ _ _ _ _ _ _ _ H0 H) as [R C]. inversion K; subst.
    specialize (IH Ex). destruct IH as [I1 I2]. split; auto. destruct (dynaq_within _ _ _ R) as [_ J].
    specialize (J v Hv). intros D. unfold longer. destruct (Nat.eq_dec v i) as [->|n]; [lra|].
    apply I2. destruct D as [[D|D]|D]; [congruence|left; exact D|right; exact D].
  - specialize (IH Hn v Hv Np). destruct (claimed_reach _ _ _ _ _ _ _ _ H0 H) as [R C].
    pose proof (at_least _ _ _ v R) as Av.
    inversion K; subst; try (apply IH; exact Ex).
    specialize (IH Ex). destruct IH as [I1 I2]. split; auto. intros D. specialize (I2 D). specialize (Av Ex).
    assert (size = L) as -> by eauto. unfold longer.
    match goal with |- context [Nat.eq_dec v ?k] => destruct (Nat.eq_dec v k) as [<-|]; [|exact I2] end.
    assert (q v + L <= S v); [|lra]. apply Rnot_lt_le. intros X.
    match goal with Y : ~ yields _ _ _ _ _ _ |- _ => apply Y; split; [exact X|exists p; auto] end.
Qed.

(** A round: steps in which the claim lasts and every queue beyond its S sends a packet, or had one unused. *)
Definition round (T0 q0 : nat -> R) (c0 : nat -> bool) (n : nat) (T q : nat -> R) (c : nat -> bool) : Prop :=
  exists left, claimed T0 q0 c0 n left T q c /\
    forall v, (v < M)%nat -> v <> p -> S v < T0 v -> left v \/ q0 v <= T0 v - L.

(** Line 2 finds nobody, or a claim of another queue is in the way: the packet is refused. *)
Definition refuses (T q : nat -> R) (c : nat -> bool) (i : nat) (size : R) : Prop :=
  yields M S q c i size \/ (exceeds T q i size /\ forall v, (v < M)%nat -> v <> i -> ~ gives T S q v size).

(** ours.recovery: after a round in which nobody took from beyond an S, a packet of p within its S is not refused. *)
Theorem dynaq_recovery T0 q0 c0 T q c : (forall i, (i < M)%nat -> 0 <= S i) -> repaired M S traffic T0 q0 c0 ->
  round T0 q0 c0 0 T q c -> q p + L <= S p -> ~ refuses T q c p L.
Proof.
  intros HS H0 (left & H & Hleft) W [[Y _]|[E None]]; [lra|]. unfold exceeds in E.
  destruct (claimed_reach _ _ _ _ _ _ _ _ H0 H) as [R C].
  assert (A : sum M (fun i => if Nat.eq_dec i p then 0 else extra T S i) = S p - T p).
  { apply (others_extra M S (fun _ => False) (fun _ => True)); auto. eapply repaired_reachable; [|exact R].
    intros; split; [exact I|intros i []]. }
  assert (K : forall i, (i < M)%nat -> (if Nat.eq_dec i p then 0 else extra T S i) <= 0).
  { intros v Hv. destruct (Nat.eq_dec v p) as [|Np]; [lra|]. unfold extra. apply Rnot_lt_le. intros X.
    apply (None v Hv Np). assert (Ev : S v < T v) by lra. pose proof (at_least _ _ _ v R Ev).
    destruct (unused _ _ _ _ _ _ _ H0 H v Hv Np Ev) as [Ev0 U]. specialize (HS v Hv). split.
    - intros [P|[_ P]]; lra.
    - apply U. apply Hleft; auto. }
  assert (sum M (fun i => if Nat.eq_dec i p then 0 else extra T S i) <= 0); [|lra].
  apply Rle_trans with (sum M (fun _ => 0)); [apply sum_le; exact K|rewrite sum_const; lra].
Qed.

(** Rounds one after the other at the end of each of which a packet of p is refused. *)
Inductive in_vain (T0 q0 : nat -> R) (c0 : nat -> bool) :
  nat -> nat -> (nat -> R) -> (nat -> R) -> (nat -> bool) -> Prop :=
| vain_start : in_vain T0 q0 c0 0 0 T0 q0 c0
| vain_round k n m T q c T' q' c' : in_vain T0 q0 c0 k n T q c -> round T q c m T' q' c' -> q' p + L <= S p ->
    refuses T' q' c' p L -> in_vain T0 q0 c0 (Datatypes.S k) (n + m) T' q' c'.

(** The number of rounds that end in a refusal is at most what the others lack, in packets. *)
Theorem dynaq_recovery_rounds T0 q0 c0 k n T q c : (forall i, (i < M)%nat -> 0 <= S i) ->
  repaired M S traffic T0 q0 c0 -> in_vain T0 q0 c0 k n T q c -> INR k * L <= shortfall T0.
Proof.
  intros HS H0 H.
  assert (K : repaired M S traffic T q c /\ INR k * L + shortfall T <= shortfall T0).
  { induction H as [|k n m T q c T' q' c' _ [R IH] (left & C & Hl) W Hr]; [simpl; split; [exact H0|lra]|].
    destruct (claimed_reach _ _ _ _ _ _ _ _ R C) as [R' _]. split; [exact R'|].
    pose proof (dynaq_recovery_others _ _ _ _ _ _ _ _ R C) as B. destruct m as [|m].
    - exfalso. refine (dynaq_recovery T q c T' q' c' HS R _ W Hr). exists left. auto.
    - rewrite S_INR in *. pose proof (pos_INR m). assert (0 <= INR m * L) by (apply Rmult_le_pos; lra). lra. }
  destruct K as [_ K]. assert (0 <= shortfall T); [|lra]. apply sum_nonneg. intros i _. unfold lacks.
  destruct (Nat.eq_dec i p); [lra|apply Rmax_l].
Qed.

(** ours.recovery-alone: if no other queue lacks anything, one round is enough. *)
Theorem dynaq_recovery_alone T0 q0 c0 n T q c : (forall i, (i < M)%nat -> 0 <= S i) ->
  repaired M S traffic T0 q0 c0 ->
  (forall i, (i < M)%nat -> i <> p -> S i <= T0 i) -> round T0 q0 c0 n T q c -> q p + L <= S p -> ~ refuses T q c p L.
Proof.
  intros HS H0 Full (left & C & Hl) W. pose proof (dynaq_recovery_others _ _ _ _ _ _ _ _ H0 C) as B.
  assert (Z : shortfall T0 = 0).
  { apply sum_zero. intros i Hi. unfold lacks. destruct (Nat.eq_dec i p) as [|Np]; [reflexivity|].
    apply Rmax_left. specialize (Full i Hi Np). lra. }
  assert (N : 0 <= shortfall T).
  { apply sum_nonneg. intros i _. unfold lacks. destruct (Nat.eq_dec i p); [lra|apply Rmax_l]. }
  destruct n as [|n].
  - apply (dynaq_recovery T0 q0 c0); auto. exists left. auto.
  - rewrite S_INR in B. pose proof (pos_INR n). assert (0 <= INR n * L) by (apply Rmult_le_pos; lra). lra.
Qed.

End Port.

(** ** Without claims: push-out, and reserves *)

(** ours.push-out: a packet within S_p that finds no room finds another queue beyond its own S. *)
Theorem dynaq_push_out M S q p size : (p < M)%nat -> q p + size <= S p -> sum M S < sum M q + size ->
  exists j, (j < M)%nat /\ j <> p /\ S j < q j.
Proof.
  intros Hp W F. rewrite <- (longer_sum M q p size Hp) in F.
  assert (K : forall n, (n <= M)%nat -> (forall j, (j < n)%nat -> j <> p -> q j <= S j) \/
    exists j, (j < M)%nat /\ j <> p /\ S j < q j).
  { induction n as [|n IH]; intros Hn; [left; lia|]. destruct (IH ltac:(lia)) as [A|A]; [|right; exact A].
    destruct (Nat.eq_dec n p) as [->|Np].
    - left. intros j Hj Hjp. apply A; [lia|exact Hjp].
    - destruct (Rle_lt_dec (q n) (S n)) as [E|E]; [|right; exists n; repeat split; auto].
      left. intros j Hj Hjp. destruct (Nat.eq_dec j n) as [->|]; [exact E|apply A; [lia|exact Hjp]]. }
  destruct (K M (Nat.le_refl M)) as [A|A]; [|exact A]. exfalso.
  assert (sum M (longer q p size) <= sum M S); [|lra]. apply sum_le. intros j Hj. unfold longer.
  destruct (Nat.eq_dec j p) as [->|Np]; [exact W|apply A; auto].
Qed.

(** ours.reserve: as long as the larger of q_i and r_i add up to at most B, a packet within r_p has room and keeps it
    so; and a queue alone can hold a BDP, r_i its part of it, exactly if B >= 2 BDP - r_p. *)
Theorem dynaq_reserve M B r q p size : (p < M)%nat -> 0 <= size -> sum M (fun i => Rmax (q i) (r i)) <= B ->
  q p + size <= r p ->
  sum M (fun i => Rmax (longer q p size i) (r i)) <= B /\ sum M q + size <= B.
Proof.
  intros Hp Hs H W. split.
  - apply Rle_trans with (2 := H). apply sum_le. intros i Hi. unfold longer.
    destruct (Nat.eq_dec i p) as [->|]; [|lra]. rewrite !Rmax_right by lra. lra.
  - rewrite <- (longer_sum M q p size Hp). apply Rle_trans with (2 := H). apply sum_le. intros i Hi. unfold longer.
    destruct (Nat.eq_dec i p) as [->|]; [pose proof (Rmax_r (q p) (r p)); lra|apply Rmax_l].
Qed.

Theorem dynaq_reserve_alone M B BDP r p : (p < M)%nat -> 0 <= BDP -> (forall i, (i < M)%nat -> 0 <= r i) ->
  sum M r = BDP ->
  (sum M (fun i => Rmax (if Nat.eq_dec i p then BDP else 0) (r i)) <= B <-> 2 * BDP - r p <= B).
Proof.
  intros Hp HB Hr E.
  rewrite (sum_ext M _ (fun i => if Nat.eq_dec i p then BDP else r i)).
  - rewrite (sum_update M r p BDP Hp). lra.
  - intros i Hi. pose proof (Hr i Hi). destruct (Nat.eq_dec i p) as [->|]; [|apply Rmax_right; assumption].
    apply Rmax_left. rewrite <- E. apply (sum_term_le M r p); auto.
Qed.

(** ** The hypotheses can hold *)

(** Two queues with S = 1: queue 1 holds 2, and a packet of 1 for queue 0 finds no room. Two with r = 1 and B = 3. *)
Theorem dynaq_push_out_instance :
  let S := fun _ : nat => 1 in let q := fun i => match i with 1%nat => 2 | _ => 0 end in
  q 0%nat + 1 <= S 0%nat /\ sum 2 S < sum 2 q + 1 /\ sum 2 (fun i => Rmax (q i) 1) <= 3.
Proof. intros S q. unfold S, q. simpl. rewrite (Rmax_right 0 1), (Rmax_left 2 1) by lra. repeat split; lra. Qed.

(** Two queues with S = 1 and packets of 1: queue 1 has taken all of the threshold and fills the port, queue 0 is
    refused and has a claim, queue 1 sends a packet; then the next packet of queue 0 is not refused. *)
Theorem dynaq_recovery_instance :
  let T := adjust one 1 0 1 in let q := longer (fun i => match i with 1%nat => 1 | _ => 0 end) 1 1 in
  exists c c' : nat -> bool, repaired 2 one one_byte T q c /\ c 0%nat = true /\
    round 2 one one_byte 1 0 T q c 0 T (longer q 1 (- (1))) c' /\
    longer q 1 (- (1)) 0%nat + 1 <= one 0%nat /\ ~ refuses 2 one T (longer q 1 (- (1))) c' 0 1.
Proof.
  intros T q. set (q1 := fun i => match i with 1%nat => 1 | _ => 0 end : R) in *.
  assert (S0 : repaired 2 one one_byte one q1 (fun _ => false)).
  { apply repaired_start. intros i Hi. unfold q1, one. destruct i as [|[|]]; lra. }
  assert (S1 : repaired 2 one one_byte T q (mark (fun _ => false) 1 false)).
  { eapply repaired_step; [exact S0|]. apply step_takes; try lia; try lra; try reflexivity.
    - intros [_ (i & _ & _ & F)]. discriminate F.
    - unfold exceeds, one, q1. lra.
    - unfold gives, protected, one, q1. lra. }
  set (c := if Rle_dec (q 0%nat + 1) (one 0%nat) then mark (mark (fun _ => false) 1 false) 0 true
    else mark (fun _ => false) 1 false).
  assert (C : c 0%nat = true).
  { unfold c. destruct (Rle_dec (q 0%nat + 1) (one 0%nat)) as [|N]; [reflexivity|]. exfalso. apply N.
    unfold q, longer, q1, one. simpl. lra. }
  assert (S2 : repaired 2 one one_byte T q c).
  { eapply repaired_step; [exact S1|].
    apply step_refused with (p := 0%nat) (size := 1); try lia; try lra; [reflexivity|].
    right. split; [unfold exceeds, T, adjust, q, longer, q1, one; simpl; lra|].
    intros v Hv Hn. assert (v = 1%nat) as -> by lia. unfold gives, T, adjust, q, longer, q1, one. simpl. lra. }
  exists c, c. split; [exact S2|]. split; [exact C|].
  assert (W : longer q 1 (- (1)) 0%nat + 1 <= one 0%nat) by (unfold q, longer, q1, one; simpl; lra).
  assert (Rd : round 2 one one_byte 1 0 T q c 0 T (longer q 1 (- (1))) c).
  { exists (fun j => j = 1%nat \/ False). split.
    - apply claimed_leaves with (T := T) (q := q) (c := c); [apply claimed_start; exact C| |exact C].
      apply step_leaves; [lia|unfold q, longer, q1; simpl; lra].
    - intros v Hv Hn _. left. left. lia. }
  split; [exact Rd|]. split; [exact W|].
  apply (dynaq_recovery 2 one one_byte 1 0) with (T0 := T) (q0 := q) (c0 := c); auto; try lra.
  - intros i Hi. unfold one. lra.
Qed.
