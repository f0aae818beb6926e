(** DynaQ paper, Section 3.2.3: one queue that sends alone from the start (ours.alone, the exact value). *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Thresholds AlgorithmQueues.
Open Scope R_scope.

Section Alone.
Variables (M : nat) (S : nat -> R) (p : nat) (s : R).

(** Line 2 with ties to the low index; lines 3, 6 and 7 while all other queues are empty. *)
Definition lowest (T : nat -> R) (v : nat) : Prop :=
  (v < M)%nat /\ v <> p /\ (forall i, (i < M)%nat -> i <> p -> extra T S i <= extra T S v) /\
  (forall i, (i < v)%nat -> i <> p -> extra T S i < extra T S v).
Definition gives (T T' : nat -> R) : Prop := exists v, lowest T v /\ s <= T v /\ T' = adjust T p v s.

(** [threshold_alone x]: taking s bytes from the first of the largest extras, again and again, queue p ends at x. *)
Inductive taken : nat -> (nat -> R) -> Prop :=
| taken_none : taken 0 S
| taken_more n T T' : taken n T -> gives T T' -> taken (1 + n) T'.
Definition threshold_alone (x : R) : Prop := exists n T, taken n T /\ (forall T', ~ gives T T') /\ T p = x.

(** The port: queue p alone sends, packets of s bytes, under either check or none. *)
Inductive sends (a : admission) (B : R) : (nat -> R) -> (nat -> R) -> Prop :=
| sends_start q : (forall i, (i < M)%nat -> i <> p -> q i = 0) -> 0 <= q p <= S p -> sends a B S q
| sends_enqueued T q T' : sends a B T q ->
    (~ exceeds T q p s /\ T' = T) \/ (exceeds T q p s /\ exists v, lowest T v /\ ~ protected T S q v s /\
      T' = adjust T p v s) ->
    admits a M B T' q p s -> sends a B T' (longer q p s)
| sends_no_room T q T' : sends a B T q ->
    (~ exceeds T q p s /\ T' = T) \/ (exceeds T q p s /\ exists v, lowest T v /\ ~ protected T S q v s /\
      T' = adjust T p v s) ->
    ~ admits a M B T' q p s -> sends a B T' q
| sends_departure T q x : sends a B T q -> 0 <= x <= q p -> sends a B T (longer q p (- x)).

Lemma lowest_unique T v w : lowest T v -> lowest T w -> v = w.
Proof.
  intros (V1 & V2 & V3 & V4) (W1 & W2 & W3 & W4). destruct (Nat.lt_trichotomy v w) as [L|[E|L]]; auto; exfalso.
  - specialize (W4 v L V2). specialize (V3 w W1 W2). lra.
  - specialize (V4 w L W2). specialize (W3 v V1 V2). lra.
Qed.

Lemma taken_unique n T T' : taken n T -> taken n T' -> T = T'.
Proof.
  revert T T'. induction n as [|n IH]; intros T T' H H'.
  - inversion H; inversion H'. congruence.
  - inversion H as [|m U U' HU G]. inversion H' as [|m' V V' HV G']. subst.
    rewrite (IH V U HV HU) in G'. destruct G as (v & L & _ & ->), G' as (w & L' & _ & ->).
    rewrite (lowest_unique U v w L L'). reflexivity.
Qed.

Lemma taken_before n m T T' : taken n T -> taken m T' -> (n < m)%nat -> exists U, gives T U.
Proof.
  intros H H'. revert n T H. induction H' as [|m U U' HU IH G]; intros n T H L; [lia|].
  destruct (Nat.eq_dec n m) as [->|]; [|apply (IH n T H); lia]. rewrite (taken_unique m T U H HU). eauto.
Qed.

Lemma others_empty a B T q : sends a B T q -> forall i, (i < M)%nat -> i <> p -> q i = 0.
Proof.
  intros H. induction H as [q Hq _|T q T' _ IH _ _|T q T' _ IH _ _|T q x _ IH _]; auto; intros i Hi Hn;
  rewrite longer_other; auto.
Qed.

Lemma sends_takes a B T q : sends a B T q -> exists n, taken n T.
Proof.
  intros H. induction H as [q _ _|T q T' H [n IH] P _|T q T' H [n IH] P _|T q x _ IH _]; auto; [exists 0%nat;
    constructor| |];
  (destruct P as [[_ ->]|(_ & v & L & Hpr & ->)]; [exists n; exact IH|]; exists (1 + n)%nat; apply (taken_more n T);
    [exact IH|];
   exists v; split; [exact L|split; [|reflexivity]]; apply Rnot_lt_le; intros C; apply Hpr; left; exact C).
Qed.

(** From the start: when line 3 refuses queue p a packet, T_p is threshold_alone; and there is only one such value. *)
Theorem dynaq_threshold_alone a B T q v : sends a B T q -> exceeds T q p s -> lowest T v -> protected T S q v s ->
  threshold_alone (T p) /\ forall x, threshold_alone x -> x = T p.
Proof.
  intros H He Hv Hpr. destruct (sends_takes a B T q H) as [n N].
  assert (Small : T v < s).
  { destruct Hpr as [C|[C _]]; auto. destruct Hv as (V1 & V2 & _). rewrite (others_empty a B T q H v V1 V2) in C. lra. }
  assert (Stop : forall T', ~ gives T T').
  { intros T' (w & L & G & _). rewrite (lowest_unique T w v L Hv) in G. lra. }
  split; [exists n, T; auto|]. intros x (m & T' & N' & Stop' & <-).
  destruct (Nat.lt_trichotomy n m) as [L|[E|L]].
  - destruct (taken_before n m T T' N N' L) as [U G]. destruct (Stop U G).
  - subst m. rewrite (taken_unique n T T' N N'). reflexivity.
  - destruct (taken_before m n T' T N' N L) as [U G]. destruct (Stop' U G).
Qed.
End Alone.

(** The hypotheses can hold: two equal queues of S = 1, packets of one byte: queue 0 is refused at B = 2. *)
Theorem dynaq_alone_instance : let S := fun _ : nat => 1 in let T := adjust S 0 1 1 in
  let q := longer (fun i => match i with O => 1 | _ => 0 end) 0 1 in
  sends 2 S 0 1 PortRoom 2 T q /\ exceeds T q 0 1 /\ lowest 2 S 0 T 1 /\ protected T S q 1 1 /\ T 0%nat = 2.
Proof.
  intros S T q. assert (L : forall T, lowest 2 S 0 T 1).
  { intros U. split; [lia|]. split; [lia|]. split; intros i Hi Hn; [assert (i = 1%nat) as -> by lia; lra|].
    assert (i = 0%nat) by lia. congruence. }
  split; [|split; [|split; [apply L|split; [left|]]]]; try (unfold exceeds, T, q, S, adjust, longer; simpl; lra).
  apply sends_enqueued with (T := S).
  - apply sends_start; [|unfold S; lra]. intros i Hi Hn. destruct i; [congruence|reflexivity].
  - right. split; [unfold exceeds, S; lra|]. exists 1%nat. split; [apply L|].
    split; [unfold protected, S; lra|reflexivity].
  - simpl. lra.
Qed.
