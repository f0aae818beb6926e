(** DynaQ paper, Sections 3.2.1 to 3.2.3: a port with M queues under Algorithm 1, its queue lengths included.

    [Thresholds.v] has the thresholds alone. Here a state is (T, q): every reading of line 2 (any tie, and its repair) and of
    the admission check that follows Algorithm 1, any scheduler (a departure shortens some queue), any traffic.       *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Thresholds.
Open Scope R_scope.

(** ** The port *)

(** Line 2 as printed looks at all other queues, repaired at those that line 3 accepts; of equal extras any one. *)
Inductive line2 := Printed | Repaired.
Definition asked (l : line2) (M : nat) (T S q : nat -> R) (p : nat) (size : R) (i : nat) : Prop :=
  (i < M)%nat /\ i <> p /\ (l = Repaired -> ~ protected T S q i size).
Definition chosen (l : line2) (M : nat) (T S q : nat -> R) (p : nat) (size : R) (v : nat) : Prop :=
  asked l M T S q p size v /\ forall i, asked l M T S q p size i -> extra T S i <= extra T S v.

(** Algorithm 1 lets the packet pass, and T' are the thresholds then. *)
Definition passes (l : line2) (M : nat) (T S q : nat -> R) (p : nat) (size : R) (T' : nat -> R) : Prop :=
  (~ exceeds T q p size /\ T' = T) \/
  (exceeds T q p size /\ exists v, chosen l M T S q p size v /\ ~ protected T S q v size /\ T' = adjust T p v size).

(** The check after it: the port has room; and the queue is within its threshold as it is now; or nothing is asked. *)
Inductive admission := PortRoom | Recheck | Unchecked.
Definition admits (a : admission) (M : nat) (B : R) (T q : nat -> R) (p : nat) (size : R) : Prop :=
  match a with
  | PortRoom => sum M q + size <= B
  | Recheck => q p + size <= T p /\ sum M q + size <= B
  | Unchecked => True
  end.

Definition longer (q : nat -> R) (p : nat) (x : R) (i : nat) : R := if Nat.eq_dec i p then q p + x else q i.

(** The states that can be reached; [traffic q p size]: a packet of that size may arrive for queue p at lengths q. At
    the start the thresholds are T0 and every queue is within its own. A refused packet changes nothing. *)
Inductive run (l : line2) (a : admission) (M : nat) (B : R) (S T0 : nat -> R)
  (traffic : (nat -> R) -> nat -> R -> Prop) : (nat -> R) -> (nat -> R) -> Prop :=
| run_start q : (forall i, (i < M)%nat -> 0 <= q i <= T0 i) -> run l a M B S T0 traffic T0 q
| run_enqueued T q p size T' : run l a M B S T0 traffic T q -> (p < M)%nat -> 0 < size -> traffic q p size ->
    passes l M T S q p size T' -> admits a M B T' q p size -> run l a M B S T0 traffic T' (longer q p size)
| run_no_room T q p size T' : run l a M B S T0 traffic T q -> (p < M)%nat -> 0 < size -> traffic q p size ->
    passes l M T S q p size T' -> ~ admits a M B T' q p size -> run l a M B S T0 traffic T' q
| run_departure T q i x : run l a M B S T0 traffic T q -> (i < M)%nat -> 0 <= x <= q i ->
    run l a M B S T0 traffic T (longer q i (- x)).

(** ** Invariants for every reading *)

Section Port.
Variables (l : line2) (a : admission) (M : nat) (B : R) (S : nat -> R) (traffic : (nat -> R) -> nat -> R -> Prop).

Lemma longer_sum q p x : (p < M)%nat -> sum M (longer q p x) = sum M q + x.
Proof. intros Hp. unfold longer. rewrite (sum_update M q p (q p + x) Hp). lra. Qed.

Lemma longer_same q p x : longer q p x p = q p + x.
Proof. unfold longer. destruct (Nat.eq_dec p p); [lra|contradiction]. Qed.

Lemma longer_other q p x i : i <> p -> longer q p x i = q i.
Proof. unfold longer. destruct (Nat.eq_dec i p); [contradiction|lra]. Qed.

(** Every reading gives thresholds that the invariants of [Thresholds.v] are about. *)
Lemma dynaq_port_reachable (active : nat -> Prop) (sizes : R -> Prop) T q :
  (forall q p size, traffic q p size -> sizes size /\ forall i, active i -> 0 < q i) ->
  run l a M B S S traffic T q -> reachable M S active sizes T.
Proof.
  intros Ht H.
  assert (P : forall T q p size T', reachable M S active sizes T -> (p < M)%nat -> 0 < size -> traffic q p size ->
    passes l M T S q p size T' -> reachable M S active sizes T').
  { clear H T q. intros T q p size T' H Hp Hs Htr [[_ ->]|(E & v & ((Hv & Hn & _) & _) & Hpr & ->)]; auto.
    destruct (Ht _ _ _ Htr). apply (arrival M S active sizes T q p v size); auto. }
  induction H; [constructor|eauto|eauto|auto].
Qed.

(** Lengths are never negative, and never more than B in sum when the port's room is checked (ours.port-bound). *)
Theorem dynaq_port_bound T0 T q : a <> Unchecked -> sum M T0 <= B -> run l a M B S T0 traffic T q ->
  sum M q <= B /\ forall i, (i < M)%nat -> 0 <= q i.
Proof.
  intros Ha HB H.
  induction H as [q Hq|T q p size T' _ [I J] Hp Hs _ _ A|T q p size T' _ [I J]|T q i x _ [I J] Hi Hx]; auto.
  - split; [|intros; apply Hq; auto]. apply Rle_trans with (sum M T0); auto. apply sum_le. intros. apply Hq. auto.
  - rewrite longer_sum by auto. split; [destruct a; simpl in A; [lra|lra|congruence]|].
    intros i Hi. unfold longer. specialize (J i Hi). destruct (Nat.eq_dec i p) as [->|]; lra.
  - rewrite longer_sum by auto. split; [lra|]. intros j Hj. unfold longer. specialize (J j Hj).
    destruct (Nat.eq_dec j i) as [->|]; lra.
Qed.

(** ours.recheck: with the recheck q_p <= T_p whenever a packet of queue p is enqueued. *)
Theorem dynaq_recheck T q p size : admits Recheck M B T q p size -> longer q p size p <= T p.
Proof. intros [H _]. rewrite longer_same. exact H. Qed.

(** ours.room: with sum T = B the room for queue p is T_p less what the others hold beyond theirs. *)
Theorem dynaq_room T q p : (p < M)%nat -> sum M T = B ->
  B - sum M (fun j => if Nat.eq_dec j p then 0 else q j) =
  T p - sum M (fun j => if Nat.eq_dec j p then 0 else q j - T j).
Proof.
  intros Hp <-. rewrite (sum_ext M (fun j => if Nat.eq_dec j p then 0 else q j - T j)
    (fun j => (if Nat.eq_dec j p then 0 else q j) - (if Nat.eq_dec j p then 0 else T j))).
  - rewrite sum_minus, (sum_update M T p 0 Hp). lra.
  - intros i _. destruct (Nat.eq_dec i p); lra.
Qed.

(** ours.repair: refused under the repair, every empty queue has less than the packet left; so the thresholds of the
    queues in use add up to more than B - (M - 1) size: the port is used up to M - 1 packets. *)
Definition idle (q : nat -> R) (p i : nat) (x : R) : R :=
  if Nat.eq_dec i p then 0 else if Rlt_dec 0 (q i) then 0 else x.
Theorem dynaq_repair T q p size : (forall i, (i < M)%nat -> 0 <= S i) -> (2 <= M)%nat -> (p < M)%nat -> 0 < size ->
  (forall i, (i < M)%nat -> 0 <= q i) -> sum M T = B -> refused_by_all M T S q p size ->
  (forall i, (i < M)%nat -> i <> p -> q i = 0 -> T i < size) /\
  B - INR (M - 1) * size < sum M (fun i => T i - idle q p i (T i)).
Proof.
  intros HS HM Hp Hs Hq HT Hr. pose proof Hr as [_ Hall].
  assert (E : forall i, (i < M)%nat -> i <> p -> q i = 0 -> T i < size).
  { intros i Hi Hn Hz. destruct (Hall i Hi Hn) as [K|[K _]]; lra. }
  split; [exact E|]. rewrite sum_minus, HT.
  assert (K : INR (M - 1) * size = sum M (fun i => if Nat.eq_dec i p then 0 else size)).
  { rewrite (sum_update M (fun _ => size) p 0 Hp), sum_const.
    replace M with (Datatypes.S (M - 1)) at 2 by lia. rewrite S_INR. lra. }
  rewrite K. clear K.
  assert (Strict : forall n, (n <= M)%nat ->
     sum n (fun i => idle q p i (T i)) <= sum n (fun i => if Nat.eq_dec i p then 0 else size) /\
     ((exists i, (i < n)%nat /\ i <> p) ->
      sum n (fun i => idle q p i (T i)) < sum n (fun i => if Nat.eq_dec i p then 0 else size))).
  { induction n; intros Hn; [split; [simpl; lra|intros (i & Hi & _); lia]|].
    destruct (IHn ltac:(lia)) as [I1 I2]. simpl. unfold idle at 2 4.
    destruct (Nat.eq_dec n p) as [->|ne].
    - split; [lra|]. intros (i & Hi & Hip). apply Rplus_lt_compat_r, I2. exists i. split; [lia|auto].
    - destruct (Rlt_dec 0 (q n)) as [Q|Q]; [split; intros; lra|].
      pose proof (E n ltac:(lia) ne ltac:(pose proof (Hq n ltac:(lia)); lra)). split; intros; lra. }
  destruct (Strict M ltac:(lia)) as [_ G].
  assert (sum M (fun i => idle q p i (T i)) < sum M (fun i => if Nat.eq_dec i p then 0 else size)); [|lra].
  apply G. destruct (Nat.eq_dec p 0); [exists 1%nat|exists 0%nat]; split; lia.
Qed.

End Port.

(** ours.any-tie: line 2 as printed with any tie: the sum, the signs, the port's bound, and with one packet size line 3
    refuses only satisfied queues.                                                                                    *)
Theorem dynaq_any_tie a M B S L T q p : a <> Unchecked -> 0 < L -> (2 <= M)%nat -> (p < M)%nat ->
  (forall i, (i < M)%nat -> 0 <= S i) -> sum M S = B ->
  run Printed a M B S S (fun _ _ size => size = L) T q ->
  sum M T = B /\ (forall i, (i < M)%nat -> 0 <= T i) /\ sum M q <= B /\ (refused M T S q p L -> S p <= T p).
Proof.
  intros Ha HL HM Hp HS HB H.
  assert (D : reachable M S (fun _ => False) (fun x => x = L) T).
  { apply (dynaq_port_reachable Printed a M B S (fun _ _ size => size = L) _ _ T q); auto.
    intros q0 p0 size0 E. split; [exact E|]. intros i []. }
  split; [rewrite <- HB; apply (dynaq_sum _ _ _ _ _ D)|]. split; [apply (dynaq_nonneg _ _ _ _ _ HS D)|].
  split; [apply (dynaq_port_bound Printed a M B S _ S T q Ha ltac:(lra) H)|].
  apply (dynaq_one_size M S _ L T q p HL HS D Hp HM).
Qed.

(** ** Several active queues (ours.together) *)

(** The queues of A are never empty and are the only ones that packets of at most L bytes arrive for. *)
Definition only (A : nat -> bool) (M : nat) (L : R) (q : nat -> R) (p : nat) (size : R) : Prop :=
  A p = true /\ size <= L /\ forall i, (i < M)%nat -> if A i then 0 < q i else q i = 0.

(** If A has at least two, their thresholds never add up to more than their S and L for each idle queue. *)
Theorem dynaq_together a M B S A L T q : 0 <= L ->
  (exists i j, (i < M)%nat /\ (j < M)%nat /\ i <> j /\ A i = true /\ A j = true) ->
  run Printed a M B S S (only A M L) T q ->
  sum M (fun i => if A i then T i else 0) <=
  sum M (fun i => if A i then S i else 0) + sum M (fun i => if A i then 0 else 1) * L.
Proof.
  intros HL (i1 & i2 & Hi1 & Hi2 & Hne & A1 & A2) H.
  assert (K : sum M T = sum M S /\ (forall i, (i < M)%nat -> if A i then S i <= T i else S i - L <= T i)).
  { assert (P : forall T q p size T',
      (sum M T = sum M S /\ (forall i, (i < M)%nat -> if A i then S i <= T i else S i - L <= T i)) ->
      (p < M)%nat -> 0 < size -> only A M L q p size -> passes Printed M T S q p size T' ->
      (sum M T' = sum M S /\ (forall i, (i < M)%nat -> if A i then S i <= T' i else S i - L <= T' i))).
    { clear H T q. intros T q p size T' [I J] Hp Hs (Ap & Hsz & Hq) [[_ ->]|(_ & v & Hv & Hpr & ->)]; auto.
      destruct Hv as [(Hv & Hn & _) Hmax]. split; [rewrite adjust_sum; auto|].
      assert (X : 0 <= extra T S v).
      { assert (Y : forall i, (i < M)%nat -> i <> p -> A i = true -> 0 <= extra T S v).
        { intros i Hi Hip Ai. specialize (J i Hi). rewrite Ai in J.
          apply Rle_trans with (extra T S i); [unfold extra; lra|]. apply Hmax. split; [|split]; auto. discriminate. }
        destruct (Nat.eq_dec i1 p) as [->|]; [apply (Y i2); auto|apply (Y i1); auto]. }
      unfold extra in X. intros i Hi. specialize (J i Hi). specialize (Hq i Hi). unfold adjust.
      destruct (Nat.eq_dec i v) as [->|].
      - destruct (A v); [|lra]. apply Rnot_lt_le. intros C. apply Hpr. right. split; auto; lra.
      - destruct (Nat.eq_dec i p) as [->|]; [|exact J]. rewrite Ap in *. lra. }
    induction H as [q Hq|T q p size T' _ IH Hp Hs Ht Hpass _|T q p size T' _ IH Hp Hs Ht Hpass _|T q i x _ IH]; eauto.
    split; [auto|]. intros i _. destruct (A i); lra. }
  destruct K as [K1 K2].
  assert (E : forall f : nat -> R, sum M f = sum M (fun i => if A i then f i else 0) + sum M (fun i => if A i then 0
    else f i)).
  { intros f. rewrite <- sum_plus. apply sum_ext. intros i _. destruct (A i); lra. }
  pose proof (E T) as ET. pose proof (E S) as ES.
  assert (G : sum M (fun i => if A i then 0 else S i) - sum M (fun i => if A i then 0 else 1) * L <=
              sum M (fun i => if A i then 0 else T i)).
  { rewrite Rmult_comm, <- sum_scal, <- sum_minus. apply sum_le. intros i Hi. specialize (K2 i Hi).
    destruct (A i); lra. }
  lra.
Qed.

(** ** Two queues (ours.two-queues) *)

(** Queue x is active from the start, y is the other: x is never refused a packet with q_x + size <= S_x: line 1 lets
    it pass, and either check admits it. *)
Theorem dynaq_two_queues l a B S sizes x y T q : a <> Unchecked -> (x < 2)%nat -> (y < 2)%nat -> x <> y ->
  (forall i, (i < 2)%nat -> 0 <= S i) -> S x + S y = B ->
  run l a 2 B S S (fun q p size => sizes p size /\ 0 < q x) T q ->
  forall size, q x + size <= S x -> ~ exceeds T q x size /\ admits a 2 B T q x size.
Proof.
  intros Ha Hx Hy Hxy HS HB H.
  assert (E : forall f : nat -> R, sum 2 f = f x + f y).
  { intros f. simpl. destruct x as [|[|]], y as [|[|]]; try lia; lra. }
  assert (K : T x + T y = B /\ S x <= T x /\ q y <= T y).
  { assert (P : forall T q p size T', T x + T y = B /\ S x <= T x /\ q y <= T y -> (p < 2)%nat -> 0 < size -> 0 < q x ->
      passes l 2 T S q p size T' -> T' x + T' y = B /\ S x <= T' x /\ q y <= T' y /\ (p = y -> q y + size <= T' y)).
    { clear H T q. intros T q p size T' (I1 & I2 & I3) Hp Hs Hqx Hpass.
      destruct Hpass as [[W ->]|(_ & v & [(Hv & Hn & _) _] & Hpr & ->)].
      - repeat split; auto. intros ->. apply Rnot_lt_le in W. exact W.
      - unfold adjust. assert (C : (p = x /\ v = y) \/ (p = y /\ v = x)) by lia.
        assert (N : (y <> x)) by auto.
        destruct C as [[-> ->]|[-> ->]]; repeat (destruct (Nat.eq_dec _ _); try congruence).
        + assert (Hz : ~ 0 < q y) by (intros Q; apply Hpr; right; split; [exact Q|lra]).
          assert (Hb : size <= T y) by (apply Rnot_lt_le; intros Q; apply Hpr; left; exact Q).
          repeat split; try lra. congruence.
        + assert (Hb : S x <= T x - size) by (apply Rnot_lt_le; intros Q; apply Hpr; right; split; [exact Hqx|lra]).
          repeat split; lra. }
    induction H as [q Hq|T q p size T' _ IH Hp Hs [_ Ht] Hpass _|T q p size T' _ IH Hp Hs [_ Ht] Hpass _|T q i d _ IH
      Hi Hd].
    - repeat split; [exact HB|lra|apply Hq; auto].
    - destruct (P _ _ _ _ _ IH Hp Hs Ht Hpass) as (I1 & I2 & I3 & I4). repeat split; auto. unfold longer.
      destruct (Nat.eq_dec y p) as [<-|]; auto.
    - destruct (P _ _ _ _ _ IH Hp Hs Ht Hpass) as (I1 & I2 & I3 & I4). auto.
    - destruct IH as (I1 & I2 & I3). repeat split; auto. unfold longer. destruct (Nat.eq_dec y i) as [->|]; lra. }
  destruct K as (K1 & K2 & K3). intros size Hsz. split; [unfold exceeds; lra|].
  destruct a; unfold admits; rewrite ?E; try congruence; repeat split; lra.
Qed.

(** ** Runs of two equal queues with packets of one byte *)

Section Two.
Variables (l : line2) (a : admission) (B : R) (S T0 : nat -> R) (traffic : (nat -> R) -> nat -> R -> Prop).

Lemma two_passes T q p v size : (p < 2)%nat -> (v < 2)%nat -> v <> p -> exceeds T q p size ->
  ~ protected T S q v size -> passes l 2 T S q p size (adjust T p v size).
Proof.
  intros Hp Hv Hn He Hpr. right. split; [exact He|]. exists v. split; [|auto]. split; [split; auto|].
  intros i (Hi & Hip & _). assert (i = v) as -> by lia. lra.
Qed.

(** A packet that takes its size from the other queue's threshold and is enqueued. *)
Lemma two_takes T q p v size : run l a 2 B S T0 traffic T q -> (p < 2)%nat -> (v < 2)%nat -> v <> p -> 0 < size ->
  traffic q p size -> exceeds T q p size -> ~ protected T S q v size ->
  admits a 2 B (adjust T p v size) q p size ->
  run l a 2 B S T0 traffic (adjust T p v size) (longer q p size).
Proof. intros H Hp Hv Hn Hs Ht He Hpr Ha. eapply run_enqueued; eauto. apply two_passes; auto. Qed.
End Two.

Definition one (i : nat) : R := 1.
Definition first (i : nat) : R := match i with O => 1 | _ => 0 end.
Definition one_byte_for (p : nat) (q : nat -> R) (p' : nat) (size : R) : Prop := p' = p /\ size = 1.
Definition one_byte (q : nat -> R) (p : nat) (size : R) : Prop := size = 1.

Ltac at_two := unfold exceeds, protected, adjust, longer, one, first in *; simpl in *; lra.

(** Queue 0 holds a byte, and one more arrives: it takes the threshold of queue 1. *)
Lemma first_takes l a (traffic : (nat -> R) -> nat -> R -> Prop) : traffic first 0%nat 1 ->
  run l a 2 2 one one traffic (adjust one 0 1 1) (longer first 0 1).
Proof.
  intros Ht. apply two_takes; auto; try lia; try lra; try at_two.
  - apply run_start. intros i Hi. destruct i as [|[|]]; try lia; at_two.
  - destruct a; simpl; repeat split; at_two.
Qed.

(** ours.idle-to-zero: the threshold of a queue that is always idle can fall to 0, and never lower. *)
Theorem dynaq_idle_to_zero :
  (exists T q, run Printed PortRoom 2 2 one one (one_byte_for 0) T q /\ T 1%nat = 0 /\
    one 1%nat - T 1%nat = one 1%nat) /\
  (forall l a M B S traffic T q i, (forall i, (i < M)%nat -> 0 <= S i) -> (i < M)%nat ->
     run l a M B S S traffic T q -> S i - T i <= S i).
Proof.
  split.
  - exists (adjust one 0 1 1), (longer first 0 1). split; [apply first_takes; split; reflexivity|split; at_two].
  - intros l a M B S traffic T q i HS Hi H.
    pose proof (dynaq_port_reachable l a M B S traffic (fun _ => False) (fun _ => True) T q
      ltac:(intros; split; [exact I|intros j []]) H) as D.
    pose proof (dynaq_nonneg _ _ _ _ _ HS D i Hi). lra.
Qed.

(** ours.adjusted-then-dropped: a packet of queue 1 moves the thresholds and finds no room. *)
Theorem dynaq_adjusted_then_dropped : exists T q T', run Printed PortRoom 2 2 one one one_byte T q /\
  passes Printed 2 T one q 1 1 T' /\ T' 1%nat = T 1%nat + 1 /\ T' 0%nat = T 0%nat - 1 /\ ~ admits PortRoom 2 2 T' q 1 1.
Proof.
  exists (adjust one 0 1 1), (longer first 0 1), (adjust (adjust one 0 1 1) 1 0 1).
  split; [apply first_takes; reflexivity|]. split; [apply two_passes; try lia; at_two|].
  repeat split; try at_two.
Qed.

(** ours.thresholds-unbounded: with no check of the port's room thresholds of sum B = 2 do not bound the lengths:
    queue 1 comes and goes, queue 0 takes its threshold back and is a byte longer. *)
Theorem dynaq_thresholds_unbounded n : exists T q, run Printed Unchecked 2 2 one one one_byte T q /\
  sum 2 T = 2 /\ sum 2 q = 2 + INR n.
Proof.
  assert (H : exists T q, run Printed Unchecked 2 2 one one one_byte T q /\
    T 0%nat = 2 /\ T 1%nat = 0 /\ q 0%nat = 2 + INR n /\ q 1%nat = 0).
  { induction n as [|n (T & q & H & T0 & T1 & Q0 & Q1)].
    - exists (adjust one 0 1 1), (longer first 0 1). split; [apply first_takes; reflexivity|]. simpl.
      repeat split; at_two.
    - pose proof (pos_INR n) as Hn.
      assert (H1 : run Printed Unchecked 2 2 one one one_byte (adjust T 1 0 1) (longer q 1 1)).
      { apply two_takes; try lia; try lra; try exact I; auto; try reflexivity; at_two. }
      assert (H2 : run Printed Unchecked 2 2 one one one_byte (adjust T 1 0 1) (longer (longer q 1 1) 1 (- (1)))).
      { apply run_departure; [exact H1|lia|]. at_two. }
      exists (adjust (adjust T 1 0 1) 0 1 1), (longer (longer (longer q 1 1) 1 (- (1))) 0 1). split.
      + apply two_takes; try lia; try lra; try exact I; auto; try reflexivity; at_two.
      + rewrite S_INR. repeat split; at_two. }
  destruct H as (T & q & H & T0 & T1 & Q0 & Q1). exists T, q. split; [exact H|]. simpl. rewrite T0, T1, Q0, Q1.
    split; lra.
Qed.

(** ours.stale-length: line 3 reads an active victim as empty, one packet out of date, and lowers it below S_v. *)
Theorem dynaq_stale_length : exists T q q', run Printed PortRoom 2 2 one one one_byte T q /\
  0 < q 1%nat /\ one 1%nat <= T 1%nat /\ q' 0%nat = q 0%nat /\ q' 1%nat = q 1%nat - 1 /\
  passes Printed 2 T one q' 0 1 (adjust T 0 1 1) /\ adjust T 0 1 1 1%nat < one 1%nat.
Proof.
  exists one, one, first. split; [apply run_start; intros; at_two|].
  repeat split; try at_two. apply two_passes; try lia; at_two.
Qed.

(** ours.not-at-every-instant: (7) fails at the start, whatever the buffer. *)
Theorem dynaq_not_at_every_instant l a M B S traffic CRTT : (forall i, (i < M)%nat -> 0 <= S i) -> 0 < CRTT ->
  exists T q, run l a M B S S traffic T q /\ ~ CRTT <= sum M q.
Proof.
  intros HS HC. exists S, (fun _ => 0). split; [apply run_start; intros i Hi; specialize (HS i Hi); lra|].
  rewrite sum_const. lra.
Qed.

(** The hypotheses can hold: with three queues of S = 2, two of them active, the bound of [dynaq_together] is
    attained. *)
Theorem dynaq_port_instance :
  let A := fun i => match i with 0%nat | 1%nat => true | _ => false end in let S := fun _ : nat => 2 in
  exists T q, run Printed PortRoom 3 6 S S (only A 3 1) T q /\
    sum 3 (fun i => if A i then T i else 0) = sum 3 (fun i => if A i then S i else 0) + sum 3 (fun i => if A i then 0
      else 1) * 1.
Proof.
  intros A S. exists (adjust S 0 2 1), (longer (fun i => match i with 0%nat => 2 | 1%nat => 1 | _ => 0 end) 0 1). split.
  - eapply run_enqueued.
    + apply run_start with (q := fun i => match i with 0%nat => 2 | 1%nat => 1 | _ => 0 end).
      intros i Hi. unfold S. destruct i as [|[|]]; lra.
    + lia.
    + lra.
    + repeat split; [lra|]. intros i Hi. destruct i as [|[|[|]]]; simpl; try lia; lra.
    + right. split; [unfold exceeds, S; lra|]. exists 2%nat. split; [|split; [|reflexivity]].
      * split; [repeat split; [lia|lia|discriminate]|]. intros i _. unfold extra, S. lra.
      * unfold protected, S. lra.
    + unfold admits. simpl. lra.
  - unfold adjust, A, S. simpl. lra.
Qed.

(** ... two queues, one always active; and a packet that the repaired line 2 refuses. *)
Theorem dynaq_two_queues_instance :
  run Printed PortRoom 2 2 one one (fun q p size => (p = 0%nat /\ size = 1) /\ 0 < q 0%nat)
    (adjust one 0 1 1) (longer first 0 1) /\
  refused_by_all 2 (adjust one 0 1 1) one (longer first 0 1) 0 1.
Proof.
  split; [apply first_takes; repeat split; at_two|]. split; [at_two|].
  intros v Hv Hn. assert (v = 1%nat) as -> by lia. left. at_two.
Qed.
