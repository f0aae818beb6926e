(** What DT, and EDT with a reserve, guarantee to every port, whatever comes.

      [reserve_kept]     if the thresholds are DT's whenever at most S is free, any k queues hold at most B - S / (1 + alpha)^k;
      [least_share]      hence a queue that is above DT's threshold, or on it, holds at least alpha S / (1 + alpha)^n in a switch of n ports;
      [dt_least_share]   under DT that is alpha B / (1 + alpha)^n from an empty buffer on, or from a steady state;
      [dt_keeps_free]    and B / (1 + alpha)^n is free at all times;
      [reserve_rule2]    so that a counting number up to it obeys Rule 2 for all bursts.                                       *)
Require Import Reals Lra Lia Bool.
From DT Require Import Calculus Fluid.
Open Scope R_scope.

(** The queues of a set, and their number. *)
Definition held (n : nat) (J : nat -> bool) (Q : nat -> R -> R) (t : R) : R := sum n (fun i => if J i then Q i t else 0).
Fixpoint members (n : nat) (J : nat -> bool) : nat :=
  match n with O => O | S k => (members k J + if J k then 1 else 0)%nat end.

(** J without i. *)
Definition without (i : nat) (J : nat -> bool) (j : nat) : bool := J j && negb (j =? i)%nat.

Lemma Apart J i j : j <> i -> without i J j = J j.
Proof. intros H. unfold without. destruct (Nat.eqb_spec j i); [contradiction|]. apply andb_true_r. Qed.

Lemma Own J i : without i J i = false.
Proof. unfold without. rewrite Nat.eqb_refl. apply andb_false_r. Qed.

Lemma without_members n J i : (i < n)%nat -> J i = true -> members n J = S (members n (without i J)).
Proof.
  intros Hi HJ. assert (Same : forall k, (k <= i)%nat -> members k (without i J) = members k J).
  { induction k; intros Hk; simpl; auto. rewrite IHk, (Apart J i k) by lia. reflexivity. }
  induction n; [lia|]. simpl. destruct (Nat.eq_dec i n) as [E|Hne].
  - subst n. rewrite Same, (Own J i), HJ by lia. lia.
  - rewrite IHn, (Apart J i n) by lia. lia.
Qed.

Lemma without_held n J i Q t : (i < n)%nat -> J i = true -> held n J Q t = held n (without i J) Q t + Q i t.
Proof.
  intros Hi HJ. unfold held. assert (Same : forall k, (k <= i)%nat ->
    sum k (fun j => if without i J j then Q j t else 0) = sum k (fun j => if J j then Q j t else 0)).
  { intros k Hk. apply sum_ext. intros j Hj. rewrite (Apart J i j) by lia. reflexivity. }
  induction n; [lia|]. simpl. destruct (Nat.eq_dec i n) as [E|Hne].
  - subst n. rewrite Same, (Own J i), HJ by lia. lra.
  - rewrite IHn, (Apart J i n) by lia. lra.
Qed.

Lemma positive_term n (f : nat -> R) : 0 < sum n f -> exists i, (i < n)%nat /\ 0 < f i.
Proof.
  induction n; simpl; intros H; [lra|]. destruct (Rlt_dec 0 (f n)) as [c|c]; [exists n; auto|].
  destruct IHn as (i & Hi & Hf); [lra|]. exists i. auto.
Qed.

Section Reserve.
Variables (n : nat) (alpha B C S : R) (Ar : nat -> R -> R) (s tau : R) (Q D : nat -> R -> R).
Notation sw := (dt_switch n alpha B C).
Hypotheses (alpha_pos : 0 < alpha) (C_nonneg : 0 <= C) (S_nonneg : 0 <= S) (order : s <= tau).
Hypothesis lengths : forall i t, (i < n)%nat -> s <= t <= tau -> 0 <= Q i t.
Hypothesis continuous : forall i, (i < n)%nat -> continuous_on (Q i) s tau.
Hypothesis slopes : forall i t, (i < n)%nat -> s <= t < tau -> right_derivative (Q i) t (D i t).
Hypothesis offered : forall i t, (i < n)%nat -> s <= t < tau -> 0 <= Ar i t.
(** Whatever the policy does while more than S is free, it is DT while at most S is. *)
Hypothesis moves : forall t, s <= t < tau -> S < free sw Q t \/ forall i, (i < n)%nat -> obeys sw Ar Q D i t.

Notation most k := (B - S / (1 + alpha) ^ k).

(** Every set of queues holds no more than its number allows. *)
Definition spread (t : R) : Prop := forall J, held n J Q t <= most (members n J).

Lemma held_all J t : s <= t <= tau -> held n J Q t <= sum n (fun i => Q i t).
Proof. intros Ht. apply sum_le. intros i Hi. destruct (J i); [lra|apply lengths; auto]. Qed.

(** A set that holds the most that its number allows, or more, does not grow. *)
Lemma full_set_rests J t : s <= t < tau -> (1 <= members n J)%nat ->
  (forall i, (i < n)%nat -> J i = true -> held n (without i J) Q t <= most (members n (without i J))) ->
  most (members n J) <= held n J Q t -> sum n (fun i => if J i then D i t else 0) <= 0.
Proof.
  intros Ht Hk Less Hm. apply Rnot_lt_le. intros Grows.
  destruct (positive_term _ _ Grows) as (i & Hi & Di). destruct (J i) eqn:HJ; [|lra].
  pose proof (without_members n J i Hi HJ) as Em. pose proof (without_held n J i Q t Hi HJ) as Eh. specialize (Less i Hi HJ).
  set (k := members n (without i J)) in *. rewrite Em in Hm.
  assert (P : 0 < (1 + alpha) ^ k) by (apply pow_lt; lra).
  assert (Ep : S / (1 + alpha) ^ k = (1 + alpha) * (S / (1 + alpha) ^ Datatypes.S k)) by (simpl; field; lra).
  set (z := S / (1 + alpha) ^ Datatypes.S k) in *. assert (Zp : 0 <= z).
  { unfold z. apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat, pow_lt. lra. }
  assert (Zs : z <= S).
  { unfold z. apply Rmult_le_reg_r with ((1 + alpha) ^ Datatypes.S k); [apply pow_lt; lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by (apply Rgt_not_eq, pow_lt; lra).
    pose proof (pow_R1_Rle (1 + alpha) (Datatypes.S k) ltac:(lra)). pose proof (Rmult_le_compat_l S _ _ S_nonneg H). lra. }
  pose proof (held_all J t ltac:(lra)) as Ha. assert (Ef : free sw Q t = B - sum n (fun i => Q i t)) by reflexivity.
  destruct (moves t Ht) as [Hf|Obeys]; [lra|].
  assert (Hs : forall j, (j < n)%nat -> service sw j = C) by reflexivity.
  assert (Low : forall j, lowest sw j (Q j t) <= 0).
  { intros j. unfold lowest. simpl. destruct (Rlt_dec 0 (Q j t)); [lra|]. apply Rmax_lub; lra. }
  destruct (Obeys i Hi) as (_ & Above & On). unfold threshold in *. simpl in *. rewrite Rplus_0_l in *.
  destruct (Rlt_dec (alpha * free sw Q t) (Q i t)) as [c|c]; [rewrite (Above c) in Di; pose proof (Low i); lra|].
  (* it is exactly on the threshold, and all other queues are empty *)
  pose proof (Rmult_le_compat_l alpha _ _ ltac:(lra) Ha) as Hb. rewrite Ef in c.
  assert (Hc : held n J Q t = B - z).
  { apply Rle_antisym; [|lra]. apply Rmult_le_reg_l with (1 + alpha); lra. }
  rewrite Hc in Hb, Eh.
  assert (E0 : Q i t = alpha * free sw Q t) by (rewrite Ef; lra).
  assert (Esum : sum n (fun i => Q i t) = held n J Q t) by (rewrite Hc; apply Rmult_eq_reg_l with alpha; lra).
  rewrite (On E0) in Di.
  assert (Out : forall j, (j < n)%nat -> J j = false -> Q j t = 0).
  { intros j Hj HJj. assert (K : sum n (fun i => Q i t - (if J i then Q i t else 0)) = 0) by (rewrite sum_minus; unfold held in Esum; lra).
    pose proof (sum_term_le n (fun i => Q i t - (if J i then Q i t else 0)) j) as T. simpl in T. rewrite HJj in T.
    pose proof (lengths j t Hj ltac:(lra)). specialize (T ltac:(intros l Hl; destruct (J l); [lra|pose proof (lengths l t Hl ltac:(lra)); lra]) Hj). lra. }
  assert (Fall : free_slope sw D t < 0).
  { unfold free_slope. simpl. assert (K : sum n (fun i => if J i then D i t else 0) <= sum n (fun i => D i t)); [|lra].
    apply sum_le. intros j Hj. destruct (J j) eqn:HJj; [lra|].
    destruct (rate_bounds sw Ar Q D j t (offered j t Hj Ht) (Obeys j Hj)) as [B1 _]. unfold lowest in B1. simpl in B1.
    rewrite (Out j Hj HJj) in B1. destruct (Rlt_dec 0 0); [lra|]. pose proof (Rmax_l 0 (- C)). lra. }
  unfold clip, threshold_slope in Di. simpl in Di.
  pose proof (Rmult_lt_compat_l alpha _ _ alpha_pos Fall) as Fa. rewrite Rmult_0_r in Fa.
  pose proof (Rmin_l (alpha * free_slope sw D t) (highest sw Ar i (Q i t) t)) as Mm. pose proof (Low i).
  assert (Rmax (lowest sw i (Q i t)) (Rmin (alpha * free_slope sw D t) (highest sw Ar i (Q i t) t)) <= 0); [apply Rmax_lub; lra|lra].
Qed.

Theorem reserve_kept : spread s -> forall t, s <= t <= tau -> spread t.
Proof.
  intros Start. assert (All : forall k J t, members n J = k -> s <= t <= tau -> held n J Q t <= most k).
  2: { intros t Ht J. apply (All (members n J) J t); auto. }
  induction k; intros J t Hk Ht.
  - assert (Z : forall m, members m J = O -> held m J Q t = 0).
    { unfold held. induction m; simpl; intros Hm; auto. destruct (J m) eqn:E; [lia|]. rewrite IHm by lia. lra. }
    rewrite (Z n Hk). pose proof (Start J) as K. rewrite Hk in K.
    assert (Zs : forall m, members m J = O -> held m J Q s = 0).
    { unfold held. induction m; simpl; intros Hm; auto. destruct (J m) eqn:E; [lia|]. rewrite IHm by lia. lra. }
    rewrite (Zs n Hk) in K. exact K.
  - set (g := fun u => held n J Q u - most (Datatypes.S k)).
    assert (K : Rmax (g t) 0 <= Rmax (g s) 0).
    { apply (nonincreasing s t (fun u => Rmax (g u) 0) (fun u => max_slope (g u) 0 (sum n (fun i => if J i then D i u else 0)) 0)); [lra| |].
      - apply continuous_max; [|apply continuous_const]. unfold g, held.
        apply continuous_minus; [|apply continuous_const]. apply continuous_sum. intros i Hi. destruct (J i); [|apply continuous_const].
        apply (continuous_sub s tau); [lra|lra|auto].
      - intros u Hu. split.
        + apply (rd_max u g (fun _ => 0)); [|apply rd_const]. unfold g, held. eapply rd_eq.
          * apply rd_minus; [|apply rd_const]. apply (rd_sum u n (fun i v => if J i then Q i v else 0) (fun i => if J i then D i u else 0)).
            intros i Hi. destruct (J i); [apply slopes; auto; lra|apply rd_const].
          * ring.
        + assert (Rest : 0 <= g u -> sum n (fun i => if J i then D i u else 0) <= 0).
          { intros Hg. apply full_set_rests; [lra|lia| |rewrite Hk; unfold g in Hg; lra].
            intros i Hi HJ. pose proof (without_members n J i Hi HJ). assert (E : members n (without i J) = k) by lia.
            rewrite E. apply IHk; [exact E|lra]. }
          unfold max_slope. destruct (Rlt_dec 0 (g u)); [apply Rest; lra|]. destruct (Rlt_dec (g u) 0); [lra|].
          apply Rmax_lub; [apply Rest; lra|lra]. }
    pose proof (Start J) as K0. rewrite Hk in K0. rewrite (Rmax_right (g s) 0) in K by (unfold g; lra).
    pose proof (Rmax_l (g t) 0). unfold g in *. lra.
Qed.

(** A queue on DT's threshold or above it, among n. *)
Theorem least_share : spread s -> forall i t, (i < n)%nat -> s <= t <= tau -> alpha * free sw Q t <= Q i t -> alpha * S / (1 + alpha) ^ n <= Q i t.
Proof.
  intros Start i t Hi Ht Above. pose proof (reserve_kept Start t Ht) as K.
  pose proof (without_members n (fun _ => true) i Hi eq_refl) as Em. pose proof (without_held n (fun _ => true) i Q t Hi eq_refl) as Eh.
  assert (En : members n (fun _ => true) = n) by (clear; induction n; simpl; lia).
  assert (Ea : held n (fun _ => true) Q t = sum n (fun i => Q i t)) by reflexivity.
  specialize (K (without i (fun _ => true))). unfold free in Above. simpl in Above.
  destruct n as [|k]; [lia|]. assert (Ek : members (Datatypes.S k) (without i (fun _ => true)) = k) by lia. rewrite Ek in K.
  assert (P : 0 < (1 + alpha) ^ k) by (apply pow_lt; lra).
  assert (Ep : alpha * S / (1 + alpha) ^ Datatypes.S k * (1 + alpha) = alpha * (S / (1 + alpha) ^ k)) by (simpl; field; split; lra).
  apply Rmult_le_reg_r with (1 + alpha); [lra|]. rewrite Ep.
  rewrite Ea in Eh. rewrite Eh in Above. pose proof (Rmult_le_compat_l alpha _ _ ltac:(lra) K). lra.
Qed.

End Reserve.

(** ** From an empty buffer, or from a steady state *)

Lemma power_bound alpha k : 0 < alpha -> 1 + alpha * INR k <= (1 + alpha) ^ k.
Proof.
  intros Ha. induction k; [simpl; lra|]. rewrite S_INR. simpl. pose proof (pos_INR k).
  pose proof (Rmult_le_compat_l (1 + alpha) _ _ ltac:(lra) IHk). pose proof (Rmult_le_pos (alpha * alpha) (INR k) ltac:(apply Rmult_le_pos; lra) H). lra.
Qed.

Lemma spread_room alpha B S k : 0 < alpha -> 0 <= S <= B -> S / (1 + alpha) ^ k <= B / (1 + alpha * INR k).
Proof.
  intros Ha HS. pose proof (power_bound alpha k Ha). pose proof (Rmult_le_pos alpha (INR k) ltac:(lra) (pos_INR k)).
  unfold Rdiv. apply Rle_trans with (B * / (1 + alpha) ^ k).
  - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, pow_lt|]; lra.
  - apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
Qed.

(** N queues in steady state beside empty ones, and no queue at all (N = 0), are spread. *)
Theorem starts_spread n alpha B S N (K : nat -> bool) s Q : 0 < alpha -> 0 <= S <= B -> (members n K <= N)%nat ->
  (forall i, (i < n)%nat -> Q i s = if K i then alpha * B / (1 + alpha * INR N) else 0) -> spread n alpha B S Q s.
Proof.
  intros Ha HS HK HQ J. set (V := alpha * B / (1 + alpha * INR N)) in *.
  pose proof (Rmult_le_pos alpha (INR N) ltac:(lra) (pos_INR N)) as Hn.
  assert (Vp : 0 <= V) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra]).
  assert (E : exists q, (q <= members n J)%nat /\ (q <= members n K)%nat /\ held n J Q s = INR q * V).
  { unfold held. clear HK. induction n; [exists O; simpl; repeat split; try lia; lra|].
    destruct IHn as (q & q1 & q2 & Eq); [intros; apply HQ; lia|]. simpl. rewrite Eq, HQ by lia.
    destruct (J n); [|exists q; destruct (K n); repeat split; try lia; lra].
    destruct (K n); [exists (Datatypes.S q); rewrite S_INR; repeat split; try lia; lra|exists q; repeat split; try lia; lra]. }
  destruct E as (q & q1 & q2 & ->). pose proof (spread_room alpha B S q Ha HS) as Room.
  pose proof (Rmult_le_pos alpha (INR q) ltac:(lra) (pos_INR q)) as Hq.
  assert (Le : alpha * INR q <= alpha * INR N) by (apply Rmult_le_compat_l; [lra|apply le_INR; lia]).
  assert (A : INR q * V <= B - B / (1 + alpha * INR q)).
  { unfold V. replace (B - B / (1 + alpha * INR q)) with (alpha * INR q * B / (1 + alpha * INR q)) by (field; lra).
    replace (INR q * (alpha * B / (1 + alpha * INR N))) with (alpha * INR q * B / (1 + alpha * INR N)) by (field; lra).
    unfold Rdiv. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. apply Rinv_le_contravar; lra. }
  assert (Mono : S / (1 + alpha) ^ members n J <= S / (1 + alpha) ^ q).
  { unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [apply pow_lt; lra|]. apply Rle_pow; [lra|lia]. }
  lra.
Qed.

(** A queue that loses something is on its threshold, or above it. *)
Lemma loses_above n alpha B C Ar Q D i t : obeys (dt_switch n alpha B C) Ar Q D i t ->
  0 < rejected (dt_switch n alpha B C) Ar Q D i t -> alpha * free (dt_switch n alpha B C) Q t <= Q i t.
Proof.
  intros (Below & _ & _) H. unfold threshold in Below. simpl in Below. rewrite Rplus_0_l in Below. apply Rnot_lt_le. intros c.
  unfold rejected in H. rewrite (Below c) in H. lra.
Qed.

(** DT: whatever comes, a port that loses something holds at least alpha B / (1 + alpha)^n. *)
Theorem dt_least_share n alpha B C N K Ar s tau Q D : 0 < alpha -> 0 <= B -> 0 <= C -> s <= tau ->
  sane (dt_switch n alpha B C) Ar s tau -> trajectory (dt_switch n alpha B C) Ar s tau Q D -> (members n K <= N)%nat ->
  (forall i, (i < n)%nat -> Q i s = if K i then alpha * B / (1 + alpha * INR N) else 0) ->
  forall i t, (i < n)%nat -> s <= t < tau -> 0 < rejected (dt_switch n alpha B C) Ar Q D i t -> alpha * B / (1 + alpha) ^ n <= Q i t.
Proof.
  intros Ha HB HC Ho [_ Offered] [T1 T2 T3 T4] HK Start i t Hi Ht Loses. simpl in *.
  apply (least_share n alpha B C B Ar s tau Q D); auto; try lra.
  - apply (starts_spread n alpha B B N K); auto; lra.
  - apply (loses_above n alpha B C Ar Q D i t); auto.
Qed.

(** ... and at least B / (1 + alpha)^n is free at all times. *)
Theorem dt_keeps_free n alpha B C N K Ar s tau Q D : 0 < alpha -> 0 <= B -> 0 <= C -> s <= tau ->
  sane (dt_switch n alpha B C) Ar s tau -> trajectory (dt_switch n alpha B C) Ar s tau Q D -> (members n K <= N)%nat ->
  (forall i, (i < n)%nat -> Q i s = if K i then alpha * B / (1 + alpha * INR N) else 0) ->
  forall t, s <= t <= tau -> B / (1 + alpha) ^ n <= free (dt_switch n alpha B C) Q t.
Proof.
  intros Ha HB HC Ho [_ Offered] [T1 T2 T3 T4] HK Start t Ht. simpl in *.
  assert (Sp : spread n alpha B B Q t).
  { apply (reserve_kept n alpha B C B Ar s tau Q D); auto; try lra. apply (starts_spread n alpha B B N K); auto; lra. }
  specialize (Sp (fun _ => true)). assert (En : members n (fun _ => true) = n) by (clear; induction n; simpl; lia).
  rewrite En in Sp. unfold free. simpl. change (held n (fun _ => true) Q t) with (sum n (fun i => Q i t)) in Sp. lra.
Qed.

(** A reserve: a port that was empty, is controlled and loses something has grown by more than a counting number that is small enough. *)
Theorem reserve_rule2 n alpha B C S cn2 Ar s tau Q D : 0 < alpha -> 0 <= C -> 0 <= S <= B -> s <= tau ->
  (forall i t, (i < n)%nat -> s <= t <= tau -> 0 <= Q i t) -> (forall i, (i < n)%nat -> continuous_on (Q i) s tau) ->
  (forall i t, (i < n)%nat -> s <= t < tau -> right_derivative (Q i) t (D i t)) ->
  (forall i t, (i < n)%nat -> s <= t < tau -> 0 <= Ar i t) -> (forall i, (i < n)%nat -> Q i s = 0) ->
  (forall t, s <= t < tau -> S < free (dt_switch n alpha B C) Q t \/ forall i, (i < n)%nat -> obeys (dt_switch n alpha B C) Ar Q D i t) ->
  cn2 <= alpha * S / (1 + alpha) ^ n ->
  forall i t0 t, (i < n)%nat -> s <= t0 <= t -> t < tau -> Q i t0 = 0 ->
  obeys (dt_switch n alpha B C) Ar Q D i t -> 0 < rejected (dt_switch n alpha B C) Ar Q D i t -> cn2 <= Q i t - Q i t0.
Proof.
  intros Ha HC HS Ho T1 T2 T3 T4 Start Moves Small i t0 t Hi Ht Htau Empty Rule Loses. rewrite Empty, Rminus_0_r.
  apply Rle_trans with (1 := Small). apply (least_share n alpha B C S Ar s tau Q D); auto; try lra.
  - apply (starts_spread n alpha B S 0 (fun _ => false)); auto. clear. induction n; simpl; lia.
  - apply (loses_above n alpha B C Ar Q D i t); auto.
Qed.

(** One port in steady state, with alpha = 1, B = 6, C = 1, offered 2: it holds 3 = alpha B / (1 + alpha), and loses 1. *)
Theorem dt_least_share_instance : exists Ar Q D, sane (dt_switch 1 1 6 1) Ar 0 1 /\ trajectory (dt_switch 1 1 6 1) Ar 0 1 Q D /\
  (forall i, (i < 1)%nat -> Q i 0 = 1 * 6 / (1 + 1 * INR 1)) /\ 0 < rejected (dt_switch 1 1 6 1) Ar Q D 0 0 /\ 1 * 6 / (1 + 1) ^ 1 = Q 0%nat 0.
Proof.
  exists (fun _ _ => 2), (fun _ _ => 3), (fun _ _ => 0).
  assert (F : forall t, free (dt_switch 1 1 6 1) (fun _ _ => 3) t = 3) by (intros; unfold free; simpl; lra).
  split; [split; intros; simpl; lra|]. split; [|split; [intros; simpl; lra|split; [|simpl; lra]]].
  - split; intros; try lra; [apply continuous_const|apply rd_const|].
    unfold obeys, threshold, threshold_slope, free_slope, lowest, highest. rewrite F. simpl. destruct (Rlt_dec 0 3); [|lra].
    repeat split; intros; try lra. unfold clip. rewrite Rmin_left, Rmax_right; lra.
  - unfold rejected, highest. simpl. destruct (Rlt_dec 0 3); lra.
Qed.

(** A burst of rate 2 alone, with alpha = 1, B = 6, C = 1 and a reserve of 2: it is controlled all the time, and loses something from 3 on. *)
Theorem reserve_rule2_instance : exists Ar Q D,
  (forall t, 0 <= t <= 4 -> 0 <= Q 0%nat t) /\ continuous_on (Q 0%nat) 0 4 /\ (forall t, 0 <= t < 4 -> right_derivative (Q 0%nat) t (D 0%nat t)) /\
  Q 0%nat 0 = 0 /\ Ar = (fun _ _ => 2) /\
  (forall t, 0 <= t < 4 -> 2 < free (dt_switch 1 1 6 1) Q t) /\ (forall t, 0 <= t < 4 -> obeys (dt_switch 1 1 6 1) Ar Q D 0 t) /\
  (forall t, 3 <= t < 4 -> 0 < rejected (dt_switch 1 1 6 1) Ar Q D 0 t).
Proof.
  exists (fun _ _ => 2), (fun _ t => Rmin (1 * t + 0) 3), (fun _ t => min_slope (1 * t + 0) 3 1 0).
  assert (F : forall t, free (dt_switch 1 1 6 1) (fun _ t => Rmin (1 * t + 0) 3) t = 6 - Rmin (1 * t + 0) 3) by (intros; unfold free; simpl; lra).
  split; [intros; apply Rmin_glb; lra|]. split; [apply continuous_min; [apply continuous_linear|apply continuous_const]|].
  split; [intros; apply (rd_min t (fun t => 1 * t + 0) (fun _ => 3)); [apply rd_linear|apply rd_const]|].
  split; [rewrite Rmin_left; lra|]. split; [reflexivity|].
  split; [intros t Ht; rewrite F; pose proof (Rmin_r (1 * t + 0) 3); lra|].
  assert (M : forall t, 0 <= t -> (t < 3 /\ Rmin (1 * t + 0) 3 = t /\ min_slope (1 * t + 0) 3 1 0 = 1) \/ (3 <= t /\ Rmin (1 * t + 0) 3 = 3 /\ min_slope (1 * t + 0) 3 1 0 = 0)).
  { intros t Ht. unfold min_slope. destruct (Rlt_dec t 3) as [c|c]; [left|right].
    - rewrite Rmin_left by lra. destruct (Rlt_dec (1 * t + 0) 3); lra.
    - rewrite (Rmin_right (1 * t + 0)) by lra. destruct (Rlt_dec (1 * t + 0) 3); [lra|]. rewrite (Rmin_right 1 0) by lra. destruct (Rlt_dec 3 (1 * t + 0)); lra. }
  split; intros t Ht.
  - unfold obeys, threshold, threshold_slope, free_slope, lowest, highest. rewrite F. simpl sum. cbn [gain offset service dt_switch].
    destruct (M t ltac:(lra)) as [(c & E1 & E2)|(c & E1 & E2)]; rewrite E1, E2; repeat split; intros; try lra.
    + destruct (Rlt_dec 0 t); [lra|]. rewrite Rmax_right; lra.
    + destruct (Rlt_dec 0 3); [|lra]. unfold clip. rewrite Rmin_left, Rmax_right; lra.
  - unfold rejected, highest. cbn [service dt_switch]. destruct (M t ltac:(lra)) as [(c & _)|(c & E1 & E2)]; [lra|]. rewrite E1, E2. destruct (Rlt_dec 0 3); lra.
Qed.
