(** DynaQ paper: what its port can do for ever, round robin, dropping PMSB, and the cycles that Algorithm 1 takes. *)
Require Import Bool Arith Reals Lra Lia.
From DT Require Import Calculus Thresholds AlgorithmQueues.
Open Scope R_scope.

(** ** Starvation (ours.starved, ours.starved-by-thresholds) *)

(** A round: queue 1 sends a byte; one for it arrives and is enqueued; a packet of [size] for queue 0, which is empty,
    is dropped. Queue 0 is empty at the service, so every work-conserving scheduler, WRR among them, serves queue 1.
    *)
Definition starving_round (a : admission) (M : nat) (B : R) (S : nat -> R) (size : R) (T q T' q' : nat -> R) : Prop :=
  q 0%nat = 0 /\ 1 <= q 1%nat /\ (forall i, (2 <= i < M)%nat -> q i = 0) /\
  exists T1, passes Printed M T S (longer q 1 (- (1))) 1 1 T1 /\ admits a M B T1 (longer q 1 (- (1))) 1 1 /\
    q' = longer (longer q 1 (- (1))) 1 1 /\
    ((refused M T1 S q' 0 size /\ T' = T1) \/ (passes Printed M T1 S q' 0 size T' /\ ~ admits a M B T' q' 0 size)).

Definition byte (i : nat) : R := 1.
Definition sized (x y : R) (q : nat -> R) (p : nat) (size : R) : Prop := size = x \/ size = y.

Fixpoint lasso_T (T : nat -> R) (k : nat) : nat -> R :=
  match k with O => T | S j => adjust (adjust (lasso_T T j) 1 0 1) 0 1 1 end.
Fixpoint lasso_q (q : nat -> R) (k : nat) : nat -> R :=
  match k with O => q | S j => longer (longer (lasso_q q j) 1 (- (1))) 1 1 end.

Ltac values := unfold exceeds, protected, adjust, longer, extra, byte in *; simpl in *; lra.

(** With one packet size, two or three equal queues and either check: queue 0 offers a packet in every service and
    gets nothing, for ever. *)
Theorem dynaq_starved a M : a <> Unchecked -> M = 2%nat \/ M = 3%nat -> exists T q : nat -> nat -> R,
  run Printed a M (INR M) byte byte (sized 1 1) (T 0%nat) (q 0%nat) /\
  forall k, starving_round a M (INR M) byte 1 (T k) (q k) (T (S k)) (q (S k)).
Proof.
  intros Ha HM.
  assert (Round : forall T q, T 0%nat = 1 -> T 1%nat = INR M - 1 -> (M = 3%nat -> T 2%nat = 0) -> q 0%nat = 0 ->
    q 1%nat = INR M ->
    (M = 3%nat -> q 2%nat = 0) ->
    starving_round a M (INR M) byte 1 T q (adjust (adjust T 1 0 1) 0 1 1) (longer (longer q 1 (- (1))) 1 1)).
  { intros T q T0 T1 T2 Q0 Q1 Q2. split; [exact Q0|]. split; [destruct HM as [-> | ->]; simpl in *; lra|].
    split; [intros i Hi; destruct HM as [-> | ->]; [lia|assert (i = 2%nat) as -> by lia; auto]|].
    exists (adjust T 1 0 1). split; [|split; [|split; [reflexivity|]]].
    - right. split; [values|]. exists 0%nat. split; [|split; [values|reflexivity]].
      split; [repeat split; [lia|lia|discriminate]|]. intros i (Hi & Hn & _). destruct HM as [-> | ->].
      + assert (i = 0%nat) as -> by lia. lra.
      + assert (i = 0 \/ i = 2)%nat as [-> | ->] by lia; [lra|]. specialize (T2 eq_refl). values.
    - destruct HM as [-> | ->]; [|specialize (Q2 eq_refl)]; destruct a; simpl; try congruence; repeat split; values.
    - right. split.
      + right. split; [values|]. exists 1%nat. split; [|split; [|reflexivity]].
        * split; [repeat split; [destruct HM as [-> | ->]; lia|lia|discriminate]|]. intros i (Hi & Hn & _).
          destruct HM as [-> | ->].
          -- assert (i = 1%nat) as -> by lia. lra.
          -- assert (i = 1 \/ i = 2)%nat as [-> | ->] by lia; [lra|]. specialize (T2 eq_refl). values.
        * destruct HM as [-> | ->]; values.
      + destruct HM as [-> | ->]; [|specialize (Q2 eq_refl)]; destruct a; simpl; try congruence; values. }
  assert (For : forall T q, T 0%nat = 1 -> T 1%nat = INR M - 1 -> (M = 3%nat -> T 2%nat = 0) -> q 0%nat = 0 ->
    q 1%nat = INR M ->
    (M = 3%nat -> q 2%nat = 0) -> forall k,
    starving_round a M (INR M) byte 1 (lasso_T T k) (lasso_q q k) (lasso_T T (S k)) (lasso_q q (S k))).
  { intros T q T0 T1 T2 Q0 Q1 Q2 k.
    assert (I : lasso_T T k 0%nat = 1 /\ lasso_T T k 1%nat = INR M - 1 /\ (M = 3%nat -> lasso_T T k 2%nat = 0) /\
      lasso_q q k 0%nat = 0 /\ lasso_q q k 1%nat = INR M /\ (M = 3%nat -> lasso_q q k 2%nat = 0)).
    { induction k as [|k (I1 & I2 & I3 & I4 & I5 & I6)]; [auto 6|]. simpl.
      repeat split; try values; intros E; specialize (I3 E); specialize (I6 E); values. }
    destruct I as (I1 & I2 & I3 & I4 & I5 & I6). apply Round; auto. }
  set (q1 := fun i => match i with 1%nat => 1 | _ => 0 end : R).
  assert (Start : run Printed a M (INR M) byte byte (sized 1 1) byte q1).
  { apply run_start. intros i Hi. unfold q1, byte. destruct i as [|[|i]]; lra. }
  destruct HM as [-> | ->].
  - assert (R1 : run Printed a 2 (INR 2) byte byte (sized 1 1) (adjust byte 1 0 1) (longer q1 1 1)).
    { apply two_takes; auto; try lia; try lra; try (left; reflexivity); unfold q1; try values.
      destruct a; simpl; try congruence; repeat split; values. }
    assert (R2 : run Printed a 2 (INR 2) byte byte (sized 1 1) (adjust (adjust byte 1 0 1) 0 1 1) (longer q1 1 1)).
    { eapply run_no_room with (p := 0%nat) (size := 1); [exact R1|lia|apply Rlt_0_1|left;
      reflexivity|apply two_passes; try lia; unfold q1; values|].
      destruct a; simpl; try congruence; unfold q1; values. }
    exists (lasso_T (adjust (adjust byte 1 0 1) 0 1 1)), (lasso_q (longer q1 1 1)). split; [exact R2|].
    apply For; try discriminate; unfold q1; values.
  - assert (R1 : run Printed a 3 (INR 3) byte byte (sized 1 1) (adjust byte 1 0 1) (longer q1 1 1)).
    { apply run_enqueued with (T := byte); auto; try lia; try lra; try (left; reflexivity).
      - right. split; [unfold q1; values|]. exists 0%nat. split; [|split; [unfold q1; values|reflexivity]].
        split; [repeat split; [lia|lia|discriminate]|]. intros i _. unfold extra, byte. lra.
      - destruct a; simpl; try congruence; repeat split; unfold q1; values. }
    assert (R2 : run Printed a 3 (INR 3) byte byte (sized 1 1) (adjust (adjust byte 1 0 1) 1 2 1) (longer (longer q1
      1 1) 1 1)).
    { eapply run_enqueued with (p := 1%nat) (size := 1); [exact R1|lia|apply Rlt_0_1|left; reflexivity| |].
      - right. split; [unfold q1; values|]. exists 2%nat. split; [|split; [unfold q1; values|reflexivity]].
        split; [repeat split; [lia|lia|discriminate]|]. intros i (Hi & Hn & _).
        assert (i = 0 \/ i = 2)%nat as [-> | ->] by lia; [values|lra].
      - destruct a; simpl; try congruence; repeat split; unfold q1; values. }
    set (T3 := adjust (adjust (adjust byte 1 0 1) 1 2 1) 0 1 1) in *.
    assert (R3 : run Printed a 3 (INR 3) byte byte (sized 1 1) T3 (longer (longer q1 1 1) 1 1)).
    { eapply run_no_room with (p := 0%nat) (size := 1); [exact R2|lia|apply Rlt_0_1|left; reflexivity| |].
      - right. split; [unfold q1; values|]. exists 1%nat. split; [|split; [unfold q1; values|reflexivity]].
        split; [repeat split; [lia|lia|discriminate]|]. intros i (Hi & Hn & _).
        assert (i = 1 \/ i = 2)%nat as [-> | ->] by lia; [lra|values].
      - destruct a; simpl; try congruence; unfold q1; values. }
    exists (lasso_T T3), (lasso_q (longer (longer q1 1 1) 1 1)). split; [exact R3|].
    apply For; unfold T3, q1; intros; values.
Qed.

(** With packets of two sizes line 3 drops every packet of queue 0, although the port has room for it. *)
Theorem dynaq_starved_by_thresholds a : exists T : nat -> R, exists q : nat -> nat -> R,
  let S := fun _ : nat => 2 in
  run Printed a 2 4 S S (sized 1 2) T (q 0%nat) /\
  forall k, starving_round a 2 4 S 2 T (q k) T (q (1 + k)%nat) /\ refused 2 T S (q (1 + k)%nat) 0 2 /\
    sum 2 (q (1 + k)%nat) + 2 <= 4.
Proof.
  set (S := fun _ : nat => 2). set (q0 := fun i => match i with 1%nat => 2 | _ => 0 end : R).
  exists (adjust S 1 0 1), (lasso_q (longer (longer q0 1 1) 1 (- (1)))). intros S'. change S' with S.
  assert (Start : run Printed a 2 4 S S (sized 1 2) S q0).
  { apply run_start. intros i Hi. unfold q0, S. destruct i as [|[|i]]; lra. }
  assert (R1 : run Printed a 2 4 S S (sized 1 2) (adjust S 1 0 1) (longer q0 1 1)).
  { apply two_takes; auto; try lia; try lra; try (left; reflexivity); unfold q0, S; try values.
    destruct a; simpl; repeat split; values. }
  split.
  - simpl. apply run_departure; [exact R1|lia|unfold q0; values].
  - intros k. assert (I : forall k, let q := lasso_q (longer (longer q0 1 1) 1 (- (1))) k in q 0%nat = 0 /\
    q 1%nat = 2).
    { induction k0 as [|j [I1 I2]]; simpl; unfold q0 in *; split; values. }
    destruct (I k) as [Q0 Q1]. destruct (I (1 + k)%nat) as [P0 P1]. set (q := lasso_q _ k) in *.
    set (q' := lasso_q _ (1 + k)) in *.
    assert (Re : refused 2 (adjust S 1 0 1) S q' 0 2).
    { split; [unfold S; values|]. exists 1%nat. split; [|right; unfold S; values].
      split; [lia|]. split; [lia|]. intros i Hi Hn. assert (i = 1%nat) as -> by lia. lra. }
    split; [|split; [exact Re|simpl; lra]].
    split; [exact Q0|]. split; [lra|]. split; [intros i Hi; lia|]. exists (adjust S 1 0 1).
      split; [|split; [|split; [reflexivity|]]].
    + left. split; [unfold S; values|reflexivity].
    + destruct a; simpl; repeat split; unfold S; values.
    + left. split; [exact Re|reflexivity].
Qed.

(** ** Ties to the low index (ours.half-forever) *)

(** Line 2 takes the first of the largest extras. *)
Definition passes_low (M : nat) (T S q : nat -> R) (p : nat) (size : R) (T' : nat -> R) : Prop :=
  (~ exceeds T q p size /\ T' = T) \/
  (exceeds T q p size /\ exists v, chosen Printed M T S q p size v /\
     (forall i, (i < v)%nat -> i <> p -> extra T S i < extra T S v) /\ ~ protected T S q v size /\
       T' = adjust T p v size).

(** The queues of A are active from the start, the others empty. *)
Inductive low_run (a : admission) (M : nat) (B : R) (S : nat -> R) (A : nat -> bool) (L : R) :
  (nat -> R) -> (nat -> R) -> Prop :=
| low_start q : (forall i, (i < M)%nat -> if A i then 0 < q i <= S i else q i = 0) -> low_run a M B S A L S q
| low_enqueued T q p size T' : low_run a M B S A L T q -> (p < M)%nat -> 0 < size -> only A M L q p size ->
    passes_low M T S q p size T' -> admits a M B T' q p size -> low_run a M B S A L T' (longer q p size)
| low_no_room T q p size T' : low_run a M B S A L T q -> (p < M)%nat -> 0 < size -> only A M L q p size ->
    passes_low M T S q p size T' -> ~ admits a M B T' q p size -> low_run a M B S A L T' q
| low_departure T q i x : low_run a M B S A L T q -> (i < M)%nat -> 0 <= x <= q i ->
    low_run a M B S A L T (longer q i (- x)).

(** If queues 0 and 1 are active from the start, no threshold ever moves: each hides the idle queues from the other, and
    the active ones hold no more than their own S.                                                                    *)
Theorem dynaq_lowest_ties a M B S A L T q : (2 <= M)%nat -> A 0%nat = true -> A 1%nat = true ->
  low_run a M B S A L T q ->
  (forall i, (i < M)%nat -> T i = S i) /\ sum M q <= sum M (fun i => if A i then S i else 0).
Proof.
  intros HM A0 A1 H.
  assert (P : forall T q p size T', (forall i, (i < M)%nat -> T i = S i) -> (p < M)%nat -> 0 < size ->
    only A M L q p size ->
    passes_low M T S q p size T' -> ~ exceeds T q p size /\ T' = T).
  { clear H T q. intros T q p size T' E Hp Hs (Ap & _ & Hq) [K|(_ & v & [(Hv & Hn & _) _] & Hlow & Hpr & _)]; auto.
    exfalso. assert (X : forall i, (i < M)%nat -> extra T S i = 0) by (intros i Hi; unfold extra; rewrite (E i Hi);
      lra).
    assert (V : A v = true).
    { destruct (Nat.eq_dec v 0) as [->|V0]; auto. destruct (Nat.eq_dec v 1) as [->|V1]; auto. exfalso.
      destruct (Nat.eq_dec p 0) as [->|P0].
      - specialize (Hlow 1%nat ltac:(lia) ltac:(lia)). rewrite !X in Hlow by lia. lra.
      - specialize (Hlow 0%nat ltac:(lia) ltac:(lia)). rewrite !X in Hlow by lia. lra. }
    specialize (Hq v Hv). rewrite V in Hq. apply Hpr. right. split; [exact Hq|]. rewrite (E v Hv). lra. }
  assert (G : (forall i, (i < M)%nat -> T i = S i) /\ forall i, (i < M)%nat -> if A i then q i <= S i else q i <= 0).
  { induction H as [q Hq|T q p size T' _ [I J] Hp Hs Ho Hpass _|T q p size T' _ [I J] Hp Hs Ho Hpass _|T q i x _ [I
    J] Hi Hx].
    - split; auto. intros i Hi. specialize (Hq i Hi). destruct (A i); lra.
    - destruct (P _ _ _ _ _ I Hp Hs Ho Hpass) as [W ->]. split; auto. intros i Hi. specialize (J i Hi). unfold longer.
      destruct (Nat.eq_dec i p) as [->|]; auto. destruct Ho as (Ap & _). rewrite Ap in *. unfold exceeds in W.
      rewrite (I p Hp) in W. lra.
    - destruct (P _ _ _ _ _ I Hp Hs Ho Hpass) as [W ->]. auto.
    - split; auto. intros j Hj. specialize (J j Hj). unfold longer. destruct (Nat.eq_dec j i) as [->|]; auto.
      destruct (A i); lra. }
  destruct G as [G1 G2]. split; [exact G1|]. apply sum_le. intros i Hi. specialize (G2 i Hi). destruct (A i); lra.
Qed.

(** ours.half-forever: two of four equal queues in 8 bytes hold at most 4, and the idle queues keep a threshold of 4. *)
Theorem dynaq_half_forever a L T q : let A := fun i => match i with 0%nat | 1%nat => true | _ => false end in
  low_run a 4 8 (fun _ => 2) A L T q -> sum 4 q <= 4 /\ T 2%nat + T 3%nat = 4 /\ forall i, (i < 4)%nat -> T i = 2.
Proof.
  intros A H. destruct (dynaq_lowest_ties a 4 8 (fun _ => 2) A L T q ltac:(lia) eq_refl eq_refl H) as [G1 G2].
  simpl in G2. rewrite !G1 by lia. split; [simpl; lra|]. split; [lra|exact G1].
Qed.

(** ** Two active queues that take from each other (ours.leapfrog, sec1.not-take@threshold) *)

(** A step never lowers the threshold of an active queue that is below S. *)
Theorem dynaq_not_taken l M T S q p size T' i : 0 < size -> passes l M T S q p size T' ->
  0 < q i -> T i < S i -> T i <= T' i.
Proof.
  intros Hs [[_ ->]|(_ & v & [(_ & Hn & _) _] & Hpr & ->)] Hq HT; [lra|]. unfold adjust.
  destruct (Nat.eq_dec i v) as [->|]; [|destruct (Nat.eq_dec i p) as [->|]; lra].
  exfalso. apply Hpr. right. split; [exact Hq|lra].
Qed.

(** Four equal queues in 8 bytes, two active with two bytes each. Queue 0 is lent a byte of threshold by an idle
    queue; then 1, 0 and 1 take it in turn, and each move admits a packet: the port is full, and both hold more than
    their thresholds. *)
Theorem dynaq_leapfrog :
  let S := fun _ : nat => 2 in let A := fun i => match i with 0%nat | 1%nat => true | _ => false end in
  let q0 := fun i => if A i then 2 else 0 in
  let T1 := adjust S 0 2 1 in let q1 := longer q0 0 1 in let T2 := adjust T1 1 0 1 in let q2 := longer q1 1 1 in
  let T3 := adjust T2 0 1 1 in let q3 := longer q2 0 1 in let T4 := adjust T3 1 0 1 in let q4 := longer q3 1 1 in
  run Printed PortRoom 4 8 S S (only A 4 1) T1 q1 /\ run Printed PortRoom 4 8 S S (only A 4 1) T2 q2 /\
  run Printed PortRoom 4 8 S S (only A 4 1) T3 q3 /\ run Printed PortRoom 4 8 S S (only A 4 1) T4 q4 /\
  T1 0%nat + T1 1%nat = S 0%nat + S 1%nat + 1 /\ sum 4 q4 = 8 /\ T4 0%nat < q4 0%nat /\ T4 1%nat < q4 1%nat.
Proof.
  intros S A q0 T1 q1 T2 q2 T3 q3 T4 q4.
  assert (Step : forall T q p v, run Printed PortRoom 4 8 S S (only A 4 1) T q -> (p < 4)%nat -> A p = true ->
    (v < 4)%nat ->
    v <> p -> (forall i, (i < 4)%nat -> if A i then 0 < q i else q i = 0) -> exceeds T q p 1 ->
    (forall i, (i < 4)%nat -> i <> p -> extra T S i <= extra T S v) -> ~ protected T S q v 1 -> sum 4 q + 1 <= 8 ->
    run Printed PortRoom 4 8 S S (only A 4 1) (adjust T p v 1) (longer q p 1)).
  { intros T q p v H Hp Ap Hv Hn Hq He Hmax Hpr Hr. apply run_enqueued with (T := T); auto; [lra| |].
    - split; [exact Ap|]. split; [lra|exact Hq].
    - right. split; [exact He|]. exists v. split; [|auto]. split; [repeat split; auto; discriminate|].
      intros i (Hi & Hip & _). auto. }
  assert (Four : forall i, (i < 4)%nat -> i = 0%nat \/ i = 1%nat \/ i = 2%nat \/ i = 3%nat) by (intros; lia).
  Ltac four := unfold exceeds, protected, extra in *; simpl in *; lra.
  assert (R1 : run Printed PortRoom 4 8 S S (only A 4 1) T1 q1).
  { apply Step; try lia; auto; unfold q0, S; try four.
    - apply run_start. intros i _. unfold q0, S. destruct (A i); lra.
    - intros i Hi. destruct (Four i Hi) as [->|[->|[->| ->]]]; simpl; lra.
    - intros i _ _. unfold extra. lra. }
  assert (R2 : run Printed PortRoom 4 8 S S (only A 4 1) T2 q2).
  { apply Step; try lia; auto; unfold q1, T1, q0, S, adjust, longer; try four.
    - intros i Hi. destruct (Four i Hi) as [->|[->|[->| ->]]]; simpl; lra.
    - intros i Hi Hn. destruct (Four i Hi) as [->|[->|[->| ->]]]; four. }
  assert (R3 : run Printed PortRoom 4 8 S S (only A 4 1) T3 q3).
  { apply Step; try lia; auto; unfold q2, T2, q1, T1, q0, S, adjust, longer; try four.
    - intros i Hi. destruct (Four i Hi) as [->|[->|[->| ->]]]; simpl; lra.
    - intros i Hi Hn. destruct (Four i Hi) as [->|[->|[->| ->]]]; four. }
  assert (R4 : run Printed PortRoom 4 8 S S (only A 4 1) T4 q4).
  { apply Step; try lia; auto; unfold q3, T3, q2, T2, q1, T1, q0, S, adjust, longer; try four.
    - intros i Hi. destruct (Four i Hi) as [->|[->|[->| ->]]]; simpl; lra.
    - intros i Hi Hn. destruct (Four i Hi) as [->|[->|[->| ->]]]; four. }
  split; [exact R1|]. split; [exact R2|]. split; [exact R3|]. split; [exact R4|].
  unfold q4, q3, T4, T3, q2, T2, q1, T1, q0, S, adjust, longer; simpl; repeat split; lra.
Qed.

(** ** Dropping PMSB (ours.pmsb) *)

(** A packet is dropped if with it the port exceeds K and its queue K_i, or if it does not fit. *)
Definition pmsb_admits (M : nat) (B K : R) (Ki q : nat -> R) (p : nat) (size : R) : Prop :=
  ~ (K < sum M q + size /\ Ki p < q p + size) /\ sum M q + size <= B.
Inductive pmsb_run (M : nat) (B K : R) (Ki : nat -> R) : (nat -> R) -> Prop :=
| pmsb_start : pmsb_run M B K Ki (fun _ => 0)
| pmsb_arrival q p size : pmsb_run M B K Ki q -> (p < M)%nat -> 0 < size -> pmsb_admits M B K Ki q p size ->
    pmsb_run M B K Ki (longer q p size)
| pmsb_departure q i x : pmsb_run M B K Ki q -> (i < M)%nat -> 0 <= x <= q i -> pmsb_run M B K Ki (longer q i (- x)).

(** With B >= 2 K and sum K_i = K it never refuses a queue within K_i, and never holds 2 K. *)
Theorem dynaq_pmsb M B K Ki q : (forall i, (i < M)%nat -> 0 < Ki i) -> 0 < K -> sum M Ki = K -> 2 * K <= B ->
  pmsb_run M B K Ki q ->
  sum M q < 2 * K /\ forall p size, (p < M)%nat -> 0 < size -> q p + size <= Ki p -> pmsb_admits M B K Ki q p size.
Proof.
  intros HKi HK HS HB H. set (beyond := fun (q : nat -> R) i => Rmax 0 (q i - Ki i)).
  assert (Below : forall q, sum M q <= K + sum M (beyond q)).
  { intros r. rewrite <- HS, <- sum_plus. apply sum_le. intros i _. unfold beyond.
    pose proof (Rmax_r 0 (r i - Ki i)). lra. }
  assert (G : (forall i, (i < M)%nat -> 0 <= q i) /\ sum M (beyond q) < K).
  { induction H as [|q p size _ [Q E] Hp Hs [Ha _]|q i x _ [Q E] Hi Hx].
    - split; [intros; lra|]. rewrite (sum_zero M); auto. intros i Hi. unfold beyond. apply Rmax_left.
      specialize (HKi i Hi). lra.
    - assert (Q' : forall i, (i < M)%nat -> 0 <= longer q p size i).
      { intros i Hi. specialize (Q i Hi). unfold longer. destruct (Nat.eq_dec i p) as [->|]; lra. }
      split; [exact Q'|]. destruct (Rle_lt_dec (q p + size) (Ki p)) as [W|W].
      + apply Rle_lt_trans with (sum M (beyond q)); auto. apply sum_le. intros i Hi. unfold beyond, longer.
        destruct (Nat.eq_dec i p) as [->|]; [|lra]. rewrite Rmax_left by lra. apply Rmax_l.
      + assert (F : sum M q + size <= K) by (apply Rnot_lt_le; intros C; apply Ha; auto).
        assert (X : sum M (beyond (longer q p size)) <= sum M (fun i => if Nat.eq_dec i p then q p + size - Ki p else
          q i)).
        { apply sum_le. intros i Hi. specialize (Q i Hi). specialize (HKi i Hi). unfold beyond, longer.
          destruct (Nat.eq_dec i p) as [->|]; apply Rmax_lub; lra. }
        rewrite (sum_update M q p _ Hp) in X. specialize (HKi p Hp). lra.
    - split.
      + intros j Hj. specialize (Q j Hj). unfold longer. destruct (Nat.eq_dec j i) as [->|]; lra.
      + apply Rle_lt_trans with (sum M (beyond q)); auto. apply sum_le. intros j Hj. unfold beyond, longer.
        destruct (Nat.eq_dec j i) as [->|]; [|lra]. apply Rmax_lub; [apply Rmax_l|].
        pose proof (Rmax_r 0 (q i - Ki i)). lra. }
  destruct G as [Q E]. split; [pose proof (Below q); lra|]. intros p size Hp Hs W. split; [lra|].
  assert (X : sum M (longer q p size) <= K + sum M (beyond q)).
  { rewrite <- HS, <- sum_plus. apply sum_le. intros i Hi. unfold beyond, longer.
    destruct (Nat.eq_dec i p) as [->|]; [pose proof (Rmax_l 0 (q p - Ki p)); lra|].
    pose proof (Rmax_r 0 (q i - Ki i)). lra. }
  rewrite longer_sum in X by auto. lra.
Qed.

(** ** Weighted round robin with two equal queues (ours.backlogged) *)

Open Scope nat_scope.

(** In turn is queue [turn] with [credit]; an empty queue, or one without credit, passes the turn with a credit of 1. *)
Fixpoint pick (tries : nat) (turn : bool) (credit : nat) (busy : bool -> bool) : option bool * (bool * nat) :=
  match tries with
  | O => (None, (turn, credit))
  | S t => if busy turn && negb (credit =? 0) then (Some turn, (turn, credit - 1)) else pick t (negb turn) 1 busy
  end.
Fixpoint served (x : bool) (busy : nat -> bool -> bool) (memory : bool * nat) (n : nat) : nat * (bool * nat) :=
  match n with
  | O => (0, memory)
  | S k => let (c, m) := served x busy memory k in
           let (who, m') := pick 3 (fst m) (snd m) (busy k) in
           (match who with Some y => if Bool.eqb y x then S c else c | None => c end,
             match who with Some _ => m' | None => m end)
  end.

(** A queue that holds a packet at every service is served at least every second time, whatever else happens. *)
Theorem dynaq_backlogged x busy memory n : (forall k, busy k x = true) -> snd memory <= 1 ->
  n / 2 <= fst (served x busy memory n).
Proof.
  intros Hb Hm.
  assert (I : forall n, let (c, m) := served x busy memory n in
    snd m <= 1 /\ (n <= 2 * c \/ (n <= 2 * c + 1 /\ (fst m = x /\ snd m = 1 \/ fst m = negb x /\ snd m = 0)))).
  { clear n. induction n as [|k IH]; [simpl; split; [exact Hm|left; lia]|]. cbn [served].
    destruct (served x busy memory k) as [c [turn credit]]. cbn [fst snd] in *. destruct IH as [C IH].
    pose proof (Hb k) as B. assert (credit = 0 \/ credit = 1) as [-> | ->] by lia;
    destruct turn, x; cbn [pick negb andb Nat.eqb]; destruct (busy k true) eqn:E1, (busy k false) eqn:E2;
    cbn; try congruence; repeat match goal with |- context [if ?b then _ else _] => destruct b end; cbn in *;
    (split; [lia|]); destruct IH as [IH|(IH & [[I1 I2]|[I1 I2]])]; try discriminate; try lia; auto. }
  specialize (I n). destruct (served x busy memory n) as [c m]. cbn [fst]. destruct I as [_ I].
  apply Nat.lt_succ_r, Nat.div_lt_upper_bound; lia.
Qed.

(** ** Weighted round robin over any number of queues (sec3.2.3.wrr-bytes, sec3.1.fair-any-time) *)

Section Rounds.
Variables (M : nat) (w : nat -> nat) (busy : nat -> nat -> bool).

(** In turn is queue [turn] with [credit]; an empty queue, or one without credit, passes the turn to the next one with its weight. *)
Definition following (i : nat) : nat := if S i =? M then 0 else S i.
Fixpoint pick_any (tries turn credit : nat) (holds : nat -> bool) : option (nat * (nat * nat)) :=
  match tries with
  | O => None
  | S t => if holds turn && negb (credit =? 0) then Some (turn, (turn, credit - 1)) else pick_any t (following turn) (w (following turn)) holds
  end.
(** How many packets each queue has sent after n services, and the memory. *)
Fixpoint sent_after (n : nat) : (nat -> nat) * (nat * nat) :=
  match n with
  | O => (fun _ => 0, (0, w 0))
  | S k => let (c, m) := sent_after k in
           match pick_any (S M) (fst m) (snd m) (busy k) with
           | Some (y, m') => (fun i => if i =? y then S (c i) else c i, m')
           | None => (c, m)
           end
  end.
Fixpoint weights (k : nat) : nat := match k with O => 0 | S j => weights j + w j end.

Hypotheses (M_pos : 1 <= M) (w_pos : forall i, i < M -> 1 <= w i).
Hypothesis backlogged : forall k i, i < M -> busy k i = true.

Lemma weights_grow j k : j <= k <= M -> weights j + (k - j) <= weights k.
Proof.
  intros [H HM]. induction H as [|k H IH]; [lia|]. cbn [weights]. specialize (IH ltac:(lia)). specialize (w_pos k HM). lia.
Qed.

Lemma picked t turn credit holds : 1 <= t -> holds turn = true -> 1 <= credit -> pick_any t turn credit holds = Some (turn, (turn, credit - 1)).
Proof.
  intros Ht Hh Hc. destruct t; [lia|]. cbn [pick_any]. rewrite Hh. destruct (Nat.eqb_spec credit 0); [lia|reflexivity].
Qed.

Lemma in_turn n : let (c, m) := sent_after n in let (turn, credit) := m in turn < M /\ credit <= w turn /\ exists r,
  n = r * weights M + weights turn + (w turn - credit) /\
  forall i, i < M -> c i = r * w i + if i <? turn then w i else if i =? turn then w turn - credit else 0.
Proof.
  induction n as [|n IH].
  - cbn. split; [lia|]. split; [lia|]. exists 0. split; [lia|]. intros i _. destruct i; cbn; lia.
  - cbn [sent_after]. destruct (sent_after n) as [c [turn credit]]. destruct IH as (Ht & Hc & r & Hn & Hs).
    cbn [fst snd pick_any]. rewrite backlogged by auto. destruct (Nat.eqb_spec credit 0) as [->|Hp]; cbn [negb andb].
    + assert (F : following turn < M) by (unfold following; destruct (Nat.eqb_spec (S turn) M); lia).
      pose proof (w_pos _ F) as W. rewrite picked by auto.
      split; [exact F|]. split; [lia|]. unfold following in *. destruct (Nat.eqb_spec (S turn) M) as [L|L].
      * exists (S r). split.
        { assert (weights M = weights turn + w turn) by (rewrite <- L; reflexivity). cbn [weights]. lia. }
        intros i Hi. rewrite Hs by auto. change (i <? 0) with false. destruct (Nat.eqb_spec i 0), (Nat.ltb_spec i turn), (Nat.eqb_spec i turn); subst; lia.
      * exists r. split; [cbn [weights]; lia|]. intros i Hi. rewrite Hs by auto.
        destruct (Nat.eqb_spec i (S turn)), (Nat.ltb_spec i turn), (Nat.ltb_spec i (S turn)), (Nat.eqb_spec i turn); subst; lia.
    + split; [auto|]. split; [lia|]. exists r. split; [lia|]. intros i Hi. rewrite Hs by auto.
      destruct (Nat.eqb_spec i turn), (Nat.ltb_spec i turn); subst; lia.
Qed.

(** In r rounds backlogged queues send r times their weights: of packets of one size that is w_i / sum w of the bytes. *)
Theorem dynaq_rounds r i size : i < M -> let sent := fst (sent_after (r * weights M)) in
  sent i = r * w i /\ weights M * (size * sent i) = w i * (size * (r * weights M)).
Proof.
  intros Hi sent. enough (E : sent i = r * w i) by (split; [exact E|rewrite E; ring]). unfold sent. pose proof (in_turn (r * weights M)) as K.
  destruct (sent_after (r * weights M)) as [c [turn credit]]. cbn [fst]. destruct K as (Ht & Hc & s & Hn & Hs). rewrite Hs by auto.
  pose proof (weights_grow 0 turn ltac:(lia)) as G0. pose proof (weights_grow (S turn) M ltac:(lia)) as G1. cbn [weights] in G0, G1.
  pose proof (w_pos turn Ht).
  assert (s = r /\ turn = 0 /\ credit = w turn \/ S s = r /\ S turn = M /\ credit = 0) as [(-> & -> & ->)|(<- & L & ->)].
  { destruct (Nat.lt_trichotomy s r) as [L|[->|L]]; [right|left; lia|].
    - assert (S s * weights M <= r * weights M) by (apply Nat.mul_le_mono_r; lia). split; [|lia].
      destruct (Nat.eq_dec (S s) r) as [|N]; [auto|]. assert (S (S s) * weights M <= r * weights M) by (apply Nat.mul_le_mono_r; lia). lia.
    - assert (S r * weights M <= s * weights M) by (apply Nat.mul_le_mono_r; lia). lia. }
  - destruct i; cbn; lia.
  - destruct (Nat.ltb_spec i turn), (Nat.eqb_spec i turn); subst; lia.
Qed.
End Rounds.

(** The hypotheses can hold: six services of queues of weights 2 and 1. *)
Theorem dynaq_rounds_instance : let w := fun i => match i with 0 => 2 | _ => 1 end in let sent := fst (sent_after 2 w (fun _ _ => true) (2 * weights w 2)) in
  (forall i, i < 2 -> 1 <= w i) /\ 2 * weights w 2 = 6 /\ sent 0 = 4 /\ sent 1 = 2.
Proof.
  intros w sent. split; [intros i _; unfold w; destruct i; lia|]. repeat split.
Qed.

(** ** Cycles (ours.cycles): line 1, a tournament of log2 M rounds, line 3, lines 6 and 7 *)

Definition cycles (M : nat) : nat := 1 + Nat.log2_up M + 2 + 1.
Theorem dynaq_cycles : cycles 4 = 6 /\ (forall M, 5 <= M <= 8 -> cycles M = 7) /\ cycles 32 = 9.
Proof.
  split; [reflexivity|]. split; [|reflexivity]. intros M H. assert (M = 5 \/ M = 6 \/ M = 7 \/ M = 8) as C by lia.
  repeat destruct C as [->|C]; try reflexivity. subst. reflexivity.
Qed.

(** The hypotheses can hold: a packet in each active queue; and a packet under PMSB. *)
Theorem dynaq_traces_instance : let A := fun i => match i with 0 | 1 => true | _ => false end in
  low_run PortRoom 4 8 (fun _ => 2%R) A 1 (fun _ => 2%R) (fun i => if A i then 1%R else 0%R) /\
  pmsb_run 2 4 2 (fun _ => 1%R) (longer (fun _ => 0%R) 0 1) /\ sum 2 (longer (fun _ => 0%R) 0 1) = 1%R.
Proof.
  intros A. split; [|split].
  - apply low_start. intros i _. destruct (A i); lra.
  - apply pmsb_arrival; [constructor|lia|lra|]. unfold pmsb_admits. simpl. split; [lra|lra].
  - unfold longer. simpl. lra.
Qed.
