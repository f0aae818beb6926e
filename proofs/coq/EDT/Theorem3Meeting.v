(** Theorems 2 and 3 of the DT/EDT paper completed: how a port meets the threshold, and that under Theorem 2 all do so.

    For all rates R_1 >= ... >= R_M > C, N steady ports and any alpha, B, C > 0: port k first loses a byte at the one
    t >= t_(k-1) at which the buffer is accounted for,

      (R_k - C) t / alpha + N max((R_k - C) t, alpha F_0 - C t)
        + sum_(j<k) max((R_k - C) t, R_j t_j - C t) + G_k t = B,

    and (R_k - C) t / alpha is free then.  Ports are counted from 0 here.                              *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Solve Theorem2Mixed Theorem2 Theorem3.
Open Scope R_scope.

Lemma finite_choice M (P : nat -> real -> Prop) :
  (forall k, (k < M)%nat -> exists x, P k x) -> exists f, forall k, (k < M)%nat -> P k (f k).
Proof.
  induction M; intros H; [exists (fun _ => 0); intros; lia|].
  destruct IHM as [f Hf]; [auto|]. destruct (H M ltac:(lia)) as [x Hx].
  exists (fun k => if Nat.eq_dec k M then x else f k). intros k Hk.
  destruct (Nat.eq_dec k M) as [->|]; auto. apply Hf. lia.
Qed.

Section Meeting.
Variables (M N Z : nat) (alpha B C : real) (R : nat -> real).
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C).
Hypothesis overloaded : forall i, (i < M)%nat -> C < R i.
Hypothesis sorted : forall i j, (i <= j < M)%nat -> R j <= R i.

Notation r := (fun i => R i - C).
Notation G := (G M C R).
Notation V0 := (alpha * F0 N alpha B).
Notation sw := (dt_switch (M + N + Z) alpha B C).

(** The left side of the equation, given the drop times of the ports before. *)
Definition accounted (hit : nat -> real) (k : nat) (t : real) : real :=
  (R k - C) * t / alpha + INR N * Rmax ((R k - C) * t) (V0 - C * t)
  + sum k (fun j => Rmax ((R k - C) * t) (R j * hit j - C * t)) + G k * t.

Definition before (hit : nat -> real) (k : nat) : real := match k with O => 0 | S j => hit j end.

(** What a threshold T and the meeting times satisfy. *)
Record meeting (T : real -> real) (hit : nat -> real) : Prop := {
  hit_pos : forall k, (k < M)%nat -> 0 < hit k;
  hit_sorted : forall k, (S k < M)%nat -> hit k <= hit (S k);
  hit_at : forall k, (k < M)%nat -> T (hit k) = (R k - C) * hit k;
  hit_before : forall k t, (k < M)%nat -> 0 <= t -> t < hit k -> (R k - C) * t < T t;
  hit_after : forall k t, (k < M)%nat -> hit k < t -> T t < (R k - C) * t;
  buffer_full : forall t, 0 <= t ->
    T t / alpha + INR N * Rmax (T t) (V0 - C * t)
    + sum M (fun j => if Rlt_dec t (hit j) then (R j - C) * t else Rmax (T t) (R j * hit j - C * t)) = B
}.

Lemma hit_monotone T hit : meeting T hit -> forall i j, (i <= j)%nat -> (j < M)%nat -> hit i <= hit j.
Proof.
  intros H i j Hij. induction Hij; intros Hj; [lra|]. pose proof (hit_sorted _ _ H m Hj). specialize (IHHij ltac:(lia)). lra.
Qed.

Lemma before_nonneg T hit k : meeting T hit -> (k < M)%nat -> 0 <= before hit k.
Proof. intros H Hk. destruct k; simpl; [lra|]. left. apply (hit_pos _ _ H). lia. Qed.

Lemma before_is T hit k t : meeting T hit -> (k < M)%nat -> before hit k <= t -> forall j, (j < k)%nat -> hit j <= t.
Proof.
  intros H Hk Ht j Hj. destruct k; [lia|]. simpl in Ht. pose proof (hit_monotone T hit H j k ltac:(lia) ltac:(lia)). lra.
Qed.

Lemma split_at k f : (k < M)%nat -> sum M f = sum k f + sum (M - k) (fun i => f (k + i)%nat).
Proof. intros H. replace M with (k + (M - k))%nat at 1 by lia. apply sum_split. Qed.

Lemma G_times k t : G k * t = sum (M - k) (fun i => (R (k + i)%nat - C) * t).
Proof. unfold Theorem2.G. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros; ring. Qed.

Lemma accounted_at_hit T hit k : meeting T hit -> (k < M)%nat -> accounted hit k (hit k) = B.
Proof.
  intros H Hk. pose proof (hit_pos _ _ H k Hk) as Hp. pose proof (hit_at _ _ H k Hk) as Ha.
  rewrite <- (buffer_full _ _ H (hit k)) by lra. unfold accounted. rewrite Ha. rewrite (split_at k _ Hk), G_times.
  rewrite <- !Rplus_assoc. f_equal; [f_equal|].
  - apply sum_ext. intros j Hj. pose proof (hit_monotone T hit H j k ltac:(lia) Hk).
    destruct (Rlt_dec (hit k) (hit j)); [lra|auto].
  - apply sum_ext. intros i Hi. pose proof (hit_monotone T hit H k (k + i) ltac:(lia) ltac:(lia)) as Hm.
    destruct (Rlt_dec (hit k) (hit (k + i)%nat)); [auto|].
    assert (E : hit (k + i)%nat = hit k) by lra.
    pose proof (hit_at _ _ H (k + i)%nat ltac:(lia)) as Hai. rewrite E in *. rewrite Ha in Hai. rewrite Rmax_left; lra.
Qed.

Lemma accounted_off T hit k t : meeting T hit -> (k < M)%nat -> before hit k <= t ->
  (t < hit k -> accounted hit k t < B) /\ (hit k < t -> B < accounted hit k t).
Proof.
  intros H Hk Ht. pose proof (before_nonneg T hit k H Hk) as Hb. pose proof (before_is T hit k t H Hk Ht) as Hj.
  pose proof (buffer_full _ _ H t ltac:(lra)) as Full. unfold accounted. rewrite (split_at k _ Hk) in Full. rewrite G_times.
  assert (S1 : sum k (fun j => if Rlt_dec t (hit j) then (R j - C) * t else Rmax (T t) (R j * hit j - C * t))
               = sum k (fun j => Rmax (T t) (R j * hit j - C * t))).
  { apply sum_ext. intros j Hjk. specialize (Hj j Hjk). destruct (Rlt_dec t (hit j)); [lra|auto]. }
  rewrite S1 in Full. assert (Pn : 0 <= INR N) by apply pos_INR.
  assert (Div : forall x y, x < y -> x / alpha < y / alpha).
  { intros x y Hxy. unfold Rdiv. apply Rmult_lt_compat_r; auto. apply Rinv_0_lt_compat; auto. }
  split; intros c.
  - pose proof (hit_before _ _ H k t Hk ltac:(lra) c) as HT. pose proof (Div _ _ HT).
    assert (S2 : sum (M - k) (fun i => if Rlt_dec t (hit (k + i)%nat) then (R (k + i)%nat - C) * t
                    else Rmax (T t) (R (k + i)%nat * hit (k + i)%nat - C * t)) = sum (M - k) (fun i => (R (k + i)%nat - C) * t)).
    { apply sum_ext. intros i Hi. pose proof (hit_monotone T hit H k (k + i) ltac:(lia) ltac:(lia)).
      destruct (Rlt_dec t (hit (k + i)%nat)); [auto|lra]. }
    assert (S3 : sum k (fun j => Rmax ((R k - C) * t) (R j * hit j - C * t)) <= sum k (fun j => Rmax (T t) (R j * hit j - C * t))).
    { apply sum_le. intros. apply Rle_max_compat_r. lra. }
    assert (S4 : INR N * Rmax ((R k - C) * t) (V0 - C * t) <= INR N * Rmax (T t) (V0 - C * t)).
    { apply Rmult_le_compat_l; auto. apply Rle_max_compat_r. lra. }
    lra.
  - pose proof (hit_after _ _ H k t Hk c) as HT. pose proof (Div _ _ HT).
    assert (S2 : sum (M - k) (fun i => if Rlt_dec t (hit (k + i)%nat) then (R (k + i)%nat - C) * t
                    else Rmax (T t) (R (k + i)%nat * hit (k + i)%nat - C * t)) <= sum (M - k) (fun i => (R (k + i)%nat - C) * t)).
    { apply sum_le. intros i Hi. pose proof (overloaded (k + i) ltac:(lia)) as Ho.
      destruct (Rlt_dec t (hit (k + i)%nat)) as [d|d]; [lra|]. apply Rmax_lub.
      - destruct (Req_dec t (hit (k + i)%nat)) as [e|e].
        + rewrite e. right. apply (hit_at _ _ H). lia.
        + left. apply (hit_after _ _ H); [lia|lra].
      - pose proof (Rmult_le_compat_l (R (k + i)%nat) (hit (k + i)%nat) t). lra. }
    assert (S3 : sum k (fun j => Rmax (T t) (R j * hit j - C * t)) <= sum k (fun j => Rmax ((R k - C) * t) (R j * hit j - C * t))).
    { apply sum_le. intros. apply Rle_max_compat_r. lra. }
    assert (S4 : INR N * Rmax (T t) (V0 - C * t) <= INR N * Rmax ((R k - C) * t) (V0 - C * t)).
    { apply Rmult_le_compat_l; auto. apply Rle_max_compat_r. lra. }
    lra.
Qed.

Lemma accounted_once T hit k t : meeting T hit -> (k < M)%nat -> before hit k <= t -> accounted hit k t = B -> t = hit k.
Proof.
  intros H Hk Ht E. destruct (accounted_off T hit k t H Hk Ht) as [K1 K2].
  destruct (Rtotal_order t (hit k)) as [c|[c|c]]; auto; [specialize (K1 c)|specialize (K2 c)]; lra.
Qed.

Lemma rp : forall i, (i < M)%nat -> 0 < R i - C.
Proof. intros i Hi. specialize (overloaded i Hi). lra. Qed.

(** What a trajectory does at the meeting times. *)
Definition drops_at (hit : nat -> real) : Prop :=
  forall tau Ar Q D, 0 <= tau -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D -> forall k, (k < M)%nat ->
    (tau <= hit k -> forall u, 0 <= u < tau -> rejected sw Ar Q D k u = 0) /\
    (hit k < tau -> drops_first_at sw Ar Q D k 0 (hit k) /\ free sw Q (hit k) = (R k - C) * hit k / alpha /\
                    forall u, hit k <= u < tau -> 0 < rejected sw Ar Q D k u) /\
    (forall u, 0 <= u <= tau ->
       Q k u = if Rlt_dec u (hit k) then (R k - C) * u else Rmax (threshold sw Q k u) (R k * hit k - C * u)).

(** T is the threshold of every trajectory. *)
Definition threshold_is (T : real -> real) : Prop :=
  forall tau Ar Q D, 0 <= tau -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  forall t i, 0 <= t <= tau -> threshold sw Q i t = T t.

(** ** No stage drains: Theorem 2 *)

Section Follow.
Hypothesis slow_sum : condition2 M N alpha C R.
Notation F2 := (Theorem2Mixed.F M N 0 alpha B C r (fun _ => 0) V0).
Notation hit2 := (t_closed M N alpha B C R).
Notation meets2 := (meets M N 0 alpha C r (fun _ => 0) V0).

Lemma lines2 : forall k, (k < 0)%nat -> 0 <= 0 <= V0.
Proof. intros; lia. Qed.

Lemma V0_ge : 0 <= V0.
Proof. left. apply V0_pos; auto. Qed.

Lemma meets2_at k : (k < M)%nat -> meets2 k (hit2 k) = B.
Proof. intros. apply meets_at_closed; auto. Qed.

Lemma T2_at k : (k < M)%nat -> alpha * F2 (hit2 k) = (R k - C) * hit2 k.
Proof.
  intros H. rewrite (mixed_free_at_meeting M N 0 alpha B C r (fun _ => 0) V0 alpha_pos k); [field; lra|apply meets2_at; auto].
Qed.

Lemma rises2 a b : a <= b -> alpha * F2 a + C * a <= alpha * F2 b + C * b.
Proof. apply T_line_rises; auto; [lia|apply rp|apply slowly2; auto]. Qed.

Lemma once2 k t0 t : 0 <= t0 -> t0 < t -> B <= meets2 k t0 -> B < meets2 k t.
Proof.
  apply (meets_once M N 0 alpha B C r (fun _ => 0) V0 ltac:(lia) alpha_pos lines2 V0_ge (room2 N alpha B alpha_pos B_pos) k t0).
Qed.

Lemma follow_length j t : (j < M)%nat -> 0 <= t ->
  Rmin ((R j - C) * t) (alpha * F2 t) = if Rlt_dec t (hit2 j) then (R j - C) * t else Rmax (alpha * F2 t) (R j * hit2 j - C * t).
Proof.
  intros Hj Ht.
  assert (Iff : forall k t, alpha * F2 t <= (R k - C) * t <-> B <= meets2 k t).
  { intros k u. apply (meets_iff M N 0 alpha B C r (fun _ => 0) V0 alpha_pos k u). }
  destruct (Rlt_dec t (hit2 j)) as [c|c].
  - apply Rmin_left. left. apply Rnot_le_lt. intros K. apply Iff in K.
    pose proof (once2 j t (hit2 j) Ht c K). rewrite meets2_at in * by auto. lra.
  - pose proof (rises2 (hit2 j) t ltac:(lra)) as Rs. rewrite T2_at in Rs by auto. rewrite Rmax_left by lra.
    apply Rmin_right. apply Iff. destruct (Req_dec t (hit2 j)) as [e|e].
    + rewrite e, meets2_at by auto. lra.
    + left. apply (once2 j (hit2 j)); [left; apply t_closed_pos; auto|lra|rewrite meets2_at by auto; lra].
Qed.

Lemma meeting_follow : meeting (fun t => alpha * F2 t) hit2.
Proof.
  pose proof (slowly2 M N alpha C R alpha_pos slow_sum) as Hs. pose proof (room2 N alpha B alpha_pos B_pos) as Hr.
  assert (Rises : forall a b, a <= b -> alpha * F2 a + C * a <= alpha * F2 b + C * b).
  { apply T_line_rises; auto; [lia|apply rp]. }
  assert (Once : forall k t0 t, 0 <= t0 -> t0 < t -> B <= meets2 k t0 -> B < meets2 k t).
  { intros. apply (meets_once M N 0 alpha B C r (fun _ => 0) V0 ltac:(lia) alpha_pos lines2 V0_ge Hr k t0); auto. }
  assert (Iff : forall k t, alpha * F2 t <= (R k - C) * t <-> B <= meets2 k t).
  { intros k t. apply (meets_iff M N 0 alpha B C r (fun _ => 0) V0 alpha_pos k t). }
  split.
  - intros. apply t_closed_pos; auto.
  - intros. apply theorem2_order; auto.
  - apply T2_at.
  - intros k t Hk Ht Hlt. apply Rnot_le_lt. intros K. apply Iff in K.
    pose proof (Once k t (hit2 k) Ht Hlt K). rewrite meets2_at in * by auto. lra.
  - intros k t Hk Hlt. apply (meets_strict M N 0 alpha B C r (fun _ => 0) V0 alpha_pos). apply (Once k (hit2 k)); auto; [left; apply t_closed_pos; auto|].
    rewrite meets2_at by auto. lra.
  - intros t Ht. pose proof (F_solves M N 0 alpha B C r (fun _ => 0) V0 alpha_pos t) as Full.
    unfold lhs, total in Full. rewrite Nat.add_0_l, Nat.sub_0_r in Full.
    assert (E1 : alpha * F2 t / alpha = 1 * F2 t) by (field; lra).
    assert (E2 : sum N (fun k => Rmax (Theorem2Mixed.h 0 C (fun _ => 0) V0 k t) (alpha * F2 t)) = INR N * Rmax (alpha * F2 t) (V0 - C * t)).
    { rewrite <- sum_const. apply sum_ext. intros i Hi. unfold Theorem2Mixed.h, drain. simpl. apply Rmax_comm. }
    assert (E3 : sum M (fun k => Rmin (g 0 r k t) (alpha * F2 t))
                 = sum M (fun j => if Rlt_dec t (hit2 j) then (R j - C) * t else Rmax (alpha * F2 t) (R j * hit2 j - C * t))).
    { apply sum_ext. intros j Hj. unfold g. rewrite Nat.add_0_l. apply follow_length; auto. }
    rewrite E2, E3 in Full. rewrite E1. lra.
Qed.

Lemma drops_follow : drops_at hit2.
Proof.
  intros tau Ar Q D Htau Hm k Hk. pose proof (t_closed_pos M N alpha B C R alpha_pos B_pos overloaded k Hk).
  destruct (theorem2_closed M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted tau Ar Q D Htau slow_sum Hm k Hk) as (K1 & K2 & K3).
  destruct (theorem2_unique M N Z alpha B C R alpha_pos B_pos C_pos overloaded tau Ar Q D Htau slow_sum Hm) as (UF & UW & _ & _).
  split; [|split].
  - intros Hle u Hu. apply K1; lra.
  - intros Hlt. split; [split|split].
    + intros u Hu. apply K1; lra.
    + exists (tau - hit2 k). split; [lra|]. intros u Hu. apply K2; lra.
    + apply K3; lra.
    + intros u Hu. apply K2; lra.
  - intros u Hu. rewrite UW by auto. unfold Theorem2Mixed.W. destruct (Nat.ltb_spec k 0); [lia|].
    rewrite follow_length by (auto; lra). unfold threshold. rewrite UF by auto. simpl. rewrite Rplus_0_l. reflexivity.
Qed.

Lemma threshold_follow : threshold_is (fun t => alpha * F2 t).
Proof.
  intros tau Ar Q D Htau Hm t i Ht.
  destruct (theorem2_unique M N Z alpha B C R alpha_pos B_pos C_pos overloaded tau Ar Q D Htau slow_sum Hm) as (UF & _).
  unfold threshold. rewrite UF by auto. simpl. ring.
Qed.

End Follow.

End Meeting.
