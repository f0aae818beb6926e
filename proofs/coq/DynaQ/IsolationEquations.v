(** DynaQ paper, equations (1) to (7) for every number of queues: what they say, need, and leave possible. *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Thresholds AlgorithmQueues.
Open Scope R_scope.

(** ours.initially-satisfied: T from (2) and S from (4) are the same, so every extra (3) is 0 at the start. *)
Theorem dynaq_initially_satisfied M B w i :
  let T := share M B w in let S := share M B w in T i = S i /\ extra T S i = 0.
Proof. intros T S. unfold extra, T, S. split; lra. Qed.

(** sec3.2.3.share-condition: with (5) and lambda >= s the output min(lambda, alpha) is at least s iff alpha is. *)
Theorem dynaq_share_condition lambda alpha s : s <= lambda -> (s <= Rmin lambda alpha <-> s <= alpha).
Proof.
  intros H. split; intros K; [apply Rle_trans with (Rmin lambda alpha); [exact K|apply Rmin_r]|apply Rmin_glb; auto].
Qed.

(** eq7.sufficient: sum q >= C RTT > 0, so a work-conserving scheduler, which idles only if all queues are empty, serves
    a queue that is not.                                                                                              *)
Theorem dynaq_eq7_sufficient M CRTT q (scheduler : (nat -> R) -> option nat) :
  (forall q, scheduler q = None -> forall i, (i < M)%nat -> q i = 0) ->
  (forall q i, scheduler q = Some i -> (i < M)%nat /\ 0 < q i) ->
  0 < CRTT -> CRTT <= sum M q -> exists i, scheduler q = Some i /\ (i < M)%nat /\ 0 < q i.
Proof.
  intros Hn Hs HC Hq. destruct (scheduler q) as [i|] eqn:E; [exists i; split; auto|].
  rewrite (sum_zero M q (Hn q E)) in Hq. lra.
Qed.

Lemma positive_sum M w : (1 <= M)%nat -> (forall i, (i < M)%nat -> 0 < w i) -> 0 < sum M w.
Proof.
  intros HM Hw. apply Rlt_le_trans with (w 0%nat); [apply Hw; lia|].
  apply (sum_term_le M w 0); [intros; left; auto|lia].
Qed.

Lemma share_le M x y w i : 0 < sum M w -> 0 < w i -> x <= y -> share M x w i <= share M y w i.
Proof.
  intros W Hw H. unfold share, Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, W|].
  apply Rmult_le_compat_r; lra.
Qed.

(** ours.joint: (6) for all queues and (7) can hold at one instant in a port of B bytes if and only if B >= BDP. *)
Theorem dynaq_joint M B BDP w : (1 <= M)%nat -> 0 < BDP -> (forall i, (i < M)%nat -> 0 < w i) ->
  ((exists q, (forall i, (i < M)%nat -> share M BDP w i <= q i) /\ BDP <= sum M q /\ sum M q <= B) <-> BDP <= B).
Proof.
  intros HM HB Hw. split.
  - intros (q & _ & H1 & H2). lra.
  - intros H. exists (share M BDP w). destruct (dynaq_shares M BDP w HM HB Hw) as [-> _].
    repeat split; auto; intros; lra.
Qed.

(** ours.active-bdp: a window that is halved when a buffer of b is full, on a share of the link whose BDP is
    need = C RTT w_i / sum over A of w, fills it iff b >= need; and need >= WBDP_i.                                   *)
Theorem dynaq_active_bdp M CRTT w (A : nat -> bool) i b : (i < M)%nat -> 0 < CRTT -> (forall j, (j < M)%nat ->
  0 < w j) ->
  A i = true ->
  let need := CRTT * w i / sum M (fun j => if A j then w j else 0) in
  (need <= (need + b) / 2 <-> need <= b) /\ share M CRTT w i <= need.
Proof.
  intros Hi HC Hw HA need. split; [split; lra|].
  assert (P : w i <= sum M (fun j => if A j then w j else 0)).
  { pose proof (sum_term_le M (fun j => if A j then w j else 0) i) as T. simpl in T. rewrite HA in T. apply T; auto.
    intros j Hj. specialize (Hw j Hj). destruct (A j); lra. }
  assert (Q : sum M (fun j => if A j then w j else 0) <= sum M w).
  { apply sum_le. intros j Hj. specialize (Hw j Hj). destruct (A j); lra. }
  specialize (Hw i Hi). unfold need, share, Rdiv. apply Rmult_le_compat_l.
  - left. apply Rmult_lt_0_compat; lra.
  - apply Rinv_le_contravar; lra.
Qed.

(** ours.smaller-S: with S_i = WBDP_i, thresholds from (2) and B >= BDP, a queue that is never empty when another one
    has an arrival keeps T_i >= WBDP_i. *)
Theorem dynaq_smaller_S l a M B BDP w (traffic : (nat -> R) -> nat -> R -> Prop) i T q : (i < M)%nat ->
  (forall j, (j < M)%nat -> 0 < w j) -> BDP <= B -> (forall q p size, traffic q p size -> p = i \/ 0 < q i) ->
  run l a M B (share M BDP w) (share M B w) traffic T q -> share M BDP w i <= T i.
Proof.
  intros Hi Hw HB Ht H.
  assert (P : forall T q p size T', share M BDP w i <= T i -> 0 < size -> traffic q p size ->
    passes l M T (share M BDP w) q p size T' -> share M BDP w i <= T' i).
  { clear H T q. intros T q p size T' I Hs Htr [[_ ->]|(_ & v & [(_ & Hn & _) _] & Hpr & ->)]; auto.
    unfold adjust. destruct (Nat.eq_dec i v) as [->|].
    - apply Rnot_lt_le. intros K. apply Hpr. right. split; [|lra]. destruct (Ht _ _ _ Htr); [congruence|auto].
    - destruct (Nat.eq_dec i p) as [->|]; lra. }
  induction H; eauto. apply share_le; auto. apply positive_sum; auto. lia.
Qed.

(** ours.stale-S: thresholds from (2) for B' beside S from (4) for B: the extras add up to B' - B. *)
Theorem dynaq_stale_S M B B' w : (1 <= M)%nat -> 0 < B -> 0 < B' -> (forall i, (i < M)%nat -> 0 < w i) ->
  sum M (extra (share M B' w) (share M B w)) = B' - B.
Proof.
  intros HM HB HB' Hw. unfold extra. rewrite sum_minus.
  destruct (dynaq_shares M B w HM HB Hw) as [-> _]. destruct (dynaq_shares M B' w HM HB' Hw) as [-> _]. reflexivity.
Qed.

(** The hypotheses can hold: two equal queues, B = 4, BDP = 2 (three bytes in each to begin with would be B' = 6). *)
Theorem dynaq_equations_instance : let w := fun _ : nat => 1 in
  share 2 4 w 0 = 2 /\ share 2 2 w 0 = 1 /\ share 2 6 w 0 = 3 /\
  run Printed PortRoom 2 4 (share 2 2 w) (share 2 4 w) (fun q p size => p = 0%nat /\ size = 1 /\ 0 < q 0%nat)
    (share 2 4 w) (fun _ => 1) /\
  exists q, (forall i, (i < 2)%nat -> share 2 2 w i <= q i) /\ 2 <= sum 2 q /\ sum 2 q <= 4.
Proof.
  intros w. unfold share, w. simpl. repeat split; try lra.
  - apply run_start. intros. lra.
  - exists (fun _ => 1). simpl. repeat split; intros; lra.
Qed.
