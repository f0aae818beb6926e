(** DT/EDT paper, Section 3.2: Theorem 2, equations (13)-(16), for any number of bursts of different rates.

    Port k of the paper is port k - 1 here.  [recursion14 k] is the printed (t_k, F_k); it has the closed form
      t_k = alpha B / ((R_k - C) (1 + alpha (N + k - 1)) + alpha G_k),   F_k = (R_k - C) t_k / alpha.        *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Solve Theorem2Mixed.
Open Scope R_scope.

Section Theorem2.
Variables (M N Z : nat) (alpha B C : real) (R : nat -> real).
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C).
Hypothesis overloaded : forall i, (i < M)%nat -> C < R i.
Hypothesis sorted : forall i j, (i <= j < M)%nat -> R j <= R i.

Notation r := (fun i => R i - C).

(** G_k, with k from 0: the sum of R_i - C over the ports k .. M-1. *)
Definition G (k : nat) : real := sum (M - k) (fun i => R (k + i) - C).

(** Equation (14) as printed; [recursion14 0] = (0, F_0). *)
Fixpoint recursion14 (k : nat) : real * real :=
  match k with
  | O => (0, F0 N alpha B)
  | S j =>
      let (t, F) := recursion14 j in
      let t' := alpha * (F + alpha * F * INR (N + j) + G j * t)
                / ((R j - C) * (1 + alpha * INR (N + j)) + alpha * G j) in
      (t', F - G j * (t' - t) / (1 + alpha * INR (N + j)))
  end.

(** The recursion-free form, for port k from 0. *)
Definition t_closed (k : nat) : real :=
  alpha * B / ((R k - C) * (1 + alpha * INR (N + k)) + alpha * G k).

(** The condition of Theorem 2. *)
Definition condition2 : Prop := sum M (fun i => R i - C) <= (1 + alpha * INR N) * C / alpha.

Lemma G_nonneg k : 0 <= G k.
Proof. apply sum_nonneg. intros i Hi. pose proof (overloaded (k + i) ltac:(lia)). lra. Qed.

Lemma G_step k : (k < M)%nat -> G k = (R k - C) + G (S k).
Proof.
  intros H. unfold G. replace (M - k)%nat with (1 + (M - S k))%nat by lia. rewrite sum_split. simpl.
  rewrite Nat.add_0_r. f_equal; [lra|]. apply sum_ext. intros i Hi. do 2 f_equal. lia.
Qed.

Lemma den1 k : 0 < 1 + alpha * INR k.
Proof. pose proof (Rmult_le_pos alpha (INR k) ltac:(lra) (pos_INR k)). lra. Qed.

Lemma den2 k : (k < M)%nat -> 0 < (R k - C) * (1 + alpha * INR (N + k)) + alpha * G k.
Proof.
  intros H. pose proof (overloaded k H). pose proof (G_nonneg k). pose proof (den1 (N + k)).
  pose proof (Rmult_lt_0_compat (R k - C) (1 + alpha * INR (N + k))). pose proof (Rmult_le_pos alpha (G k)). lra.
Qed.

(** At every stage the buffer is accounted for: F (1 + alpha (N + k)) + G_(k+1) t = B. *)
Lemma recursion14_invariant k : (k <= M)%nat ->
  snd (recursion14 k) * (1 + alpha * INR (N + k)) + G k * fst (recursion14 k) = B /\
  (forall j, k = S j -> fst (recursion14 k) = t_closed j /\ snd (recursion14 k) = (R j - C) * t_closed j / alpha).
Proof.
  induction k; intros H.
  - split; [|intros j E; discriminate]. simpl. rewrite Nat.add_0_r. unfold F0. pose proof (den1 N). field. lra.
  - destruct (IHk ltac:(lia)) as [E _]. simpl. destruct (recursion14 k) as [t F]. simpl in *.
    pose proof (den1 (N + k)) as D1. pose proof (den2 k ltac:(lia)) as D2.
    assert (Et : alpha * (F + alpha * F * INR (N + k) + G k * t)
                 / ((R k - C) * (1 + alpha * INR (N + k)) + alpha * G k) = t_closed k).
    { unfold t_closed. f_equal. rewrite <- E. ring. }
    rewrite Et. assert (Ft : F - G k * (t_closed k - t) / (1 + alpha * INR (N + k)) = (R k - C) * t_closed k / alpha).
    { apply Rmult_eq_reg_r with (1 + alpha * INR (N + k)); [|lra].
      replace ((F - G k * (t_closed k - t) / (1 + alpha * INR (N + k))) * (1 + alpha * INR (N + k)))
        with (F * (1 + alpha * INR (N + k)) + G k * t - G k * t_closed k) by (field; lra).
      rewrite E. unfold t_closed. field. lra. }
    rewrite Ft. split; [|intros j Ej; injection Ej as <-; split; reflexivity].
    rewrite Nat.add_succ_r, S_INR. rewrite (G_step k) in D2 by lia.
    unfold t_closed. rewrite (G_step k) by lia. field. lra.
Qed.

(** The printed recursion and the closed form agree for every port. *)
Theorem theorem2_closed_form k : (k < M)%nat ->
  recursion14 (S k) = (t_closed k, (R k - C) * t_closed k / alpha).
Proof.
  intros H. destruct (recursion14_invariant (S k) ltac:(lia)) as [_ K]. destruct (K k eq_refl) as [K1 K2].
  rewrite (surjective_pairing (recursion14 (S k))), K1, K2. reflexivity.
Qed.

Lemma t_closed_pos k : (k < M)%nat -> 0 < t_closed k.
Proof. intros H. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; auto|apply den2; auto]. Qed.

(** The ports meet the threshold in the order of their numbers. *)
Theorem theorem2_order k : (S k < M)%nat -> t_closed k <= t_closed (S k).
Proof.
  intros H. apply Rmult_le_compat_l.
  { left. apply Rmult_lt_0_compat; auto. }
  apply Rinv_le_contravar; [apply den2; auto|].
  pose proof (sorted k (S k) ltac:(lia)). rewrite (G_step k) by lia.
  rewrite Nat.add_succ_r, S_INR. pose proof (den1 (N + k)).
  pose proof (Rmult_le_compat_r (1 + alpha * INR (N + k)) (R (S k) - C) (R k - C)).
  pose proof (Rmult_le_compat_l alpha (R (S k) - C) (R k - C)). lra.
Qed.

(** Ports of one rate meet it together. *)
Lemma theorem2_ties k : (S k < M)%nat -> R k = R (S k) -> t_closed k = t_closed (S k).
Proof. intros H E. unfold t_closed. f_equal. rewrite (G_step k) by lia. rewrite <- E, Nat.add_succ_r, S_INR. ring. Qed.

Notation V0 := (alpha * F0 N alpha B).
Notation meets2 := (meets M N 0 alpha C r (fun _ => 0) V0).

Lemma V0_pos : 0 < V0.
Proof. apply Rmult_lt_0_compat; auto. apply Rdiv_lt_0_compat; [auto|apply den1]. Qed.

Lemma room2 : sum 0 (fun _ => 0) + INR N * V0 < B.
Proof.
  simpl. pose proof (den1 N). assert (0 < F0 N alpha B) by (unfold F0; apply Rdiv_lt_0_compat; auto).
  assert (E : F0 N alpha B * (1 + alpha * INR N) = B) by (unfold F0; field; lra). lra.
Qed.

(** The sum of min(R_i - C, R_k - C). *)
Lemma sum_min k : (k < M)%nat -> sum M (fun i => Rmin (R i - C) (R k - C)) = INR k * (R k - C) + G k.
Proof.
  intros H. replace M with (k + (M - k))%nat at 1 by lia. rewrite sum_split. f_equal.
  - rewrite <- sum_const. apply sum_ext. intros i Hi. pose proof (sorted i k ltac:(lia)). apply Rmin_right. lra.
  - apply sum_ext. intros i Hi. pose proof (sorted k (k + i) ltac:(lia)). apply Rmin_left. lra.
Qed.

Lemma condition2_iff : condition2 <-> alpha * sum M r <= C * (1 + alpha * INR N).
Proof.
  split; intros H.
  - apply (Rmult_le_compat_l alpha) in H; [|lra].
    replace (alpha * ((1 + alpha * INR N) * C / alpha)) with ((1 + alpha * INR N) * C) in H by (field; lra). lra.
  - apply Rmult_le_reg_l with alpha; auto.
    replace (alpha * ((1 + alpha * INR N) * C / alpha)) with ((1 + alpha * INR N) * C) by (field; lra). lra.
Qed.

Lemma slowly2 : condition2 -> falls_slowly M N 0 alpha C r.
Proof. intros H. apply condition2_iff in H. unfold falls_slowly. rewrite Nat.sub_0_r, Rplus_0_l. exact H. Qed.

Lemma meets_at_closed k : condition2 -> (k < M)%nat -> meets2 k (t_closed k) = B.
Proof.
  intros Hc Hk. apply condition2_iff in Hc.
  pose proof (t_closed_pos k Hk) as Tp. pose proof (den2 k Hk) as D2. pose proof (den1 N) as D1.
  set (t := t_closed k) in *.
  assert (Et : t * ((R k - C) * (1 + alpha * INR (N + k)) + alpha * G k) = alpha * B)
    by (unfold t, t_closed; field; lra).
  unfold meets, lhs, total. replace (alpha * ((R k - C) * t / alpha)) with ((R k - C) * t) by (field; lra).
  rewrite Nat.sub_0_r, Nat.add_0_l.
  assert (S1 : sum M (fun i => Rmin (g 0 r i t) ((R k - C) * t)) = t * (INR k * (R k - C) + G k)).
  { rewrite <- (sum_min k Hk), <- sum_scal. apply sum_ext. intros i Hi. unfold g. rewrite Nat.add_0_l.
    destruct (Rle_dec (R i - C) (R k - C)) as [c|c].
    - rewrite !Rmin_left; [ring|auto|]. apply Rmult_le_compat_r; lra.
    - rewrite !Rmin_right; [ring|lra|]. apply Rmult_le_compat_r; lra. }
  assert (S2 : sum N (fun i => Rmax (Theorem2Mixed.h 0 C (fun _ => 0) V0 i t) ((R k - C) * t)) = INR N * ((R k - C) * t)).
  { rewrite <- sum_const. apply sum_ext. intros i Hi. apply Rmax_right. unfold Theorem2Mixed.h, drain. simpl.
    assert (K1 : INR k * (R k - C) + G k <= sum M r).
    { rewrite <- (sum_min k Hk). apply sum_le. intros; apply Rmin_l. }
    assert (K2 : alpha * (INR k * (R k - C) + G k) <= C * (1 + alpha * INR N)).
    { apply Rle_trans with (alpha * sum M r); [apply Rmult_le_compat_l; lra|exact Hc]. }
    assert (K3 : alpha * B <= t * (R k * (1 + alpha * INR N))).
    { rewrite <- Et. apply Rmult_le_compat_l; [lra|]. rewrite plus_INR. lra. }
    assert (K4 : V0 <= t * R k).
    { apply Rmult_le_reg_r with (1 + alpha * INR N); auto.
      replace (alpha * F0 N alpha B * (1 + alpha * INR N)) with (alpha * B) by (unfold F0; field; lra). lra. }
    lra. }
  rewrite S1, S2. apply Rmult_eq_reg_l with alpha; [|lra]. rewrite <- Et, plus_INR. field. lra.
Qed.

Notation sw := (dt_switch (M + N + Z) alpha B C).

Notation F2 := (Theorem2Mixed.F M N 0 alpha B C r (fun _ => 0) V0).

Lemma F2_start : F2 0 = F0 N alpha B.
Proof.
  pose proof V0_pos as HV. symmetry. apply F_only; auto. unfold lhs, total.
  rewrite (sum_zero (M - 0)).
  - rewrite (sum_ext N _ (fun _ => V0)).
    + rewrite sum_const. unfold F0. pose proof (den1 N). field. lra.
    + intros i Hi. unfold Theorem2Mixed.h, drain. simpl. rewrite Rmax_left; lra.
  - intros i Hi. unfold g. rewrite Rmult_0_r. apply Rmin_left. lra.
Qed.

Lemma r2_pos i : (i < M)%nat -> 0 < R i - C.
Proof. intros Hi. specialize (overloaded i Hi). lra. Qed.

Lemma class2 tau : condition2 ->
  class_trajectory M N alpha B C (fun i _ => C + r i) 0 tau
    (Theorem2Mixed.W M N 0 alpha B C r (fun _ => 0) V0) (Theorem2Mixed.w M N 0 alpha B C r (fun _ => 0) V0)
    (Theorem2Mixed.V M N 0 alpha B C r (fun _ => 0) V0) (Theorem2Mixed.v M N 0 alpha B C r (fun _ => 0) V0).
Proof.
  intros Hc. pose proof V0_pos. apply mixed_class; auto using r2_pos, slowly2, room2; try lra; try (intros; lia).
Qed.

Lemma start2 : (forall i, (i < M)%nat -> Theorem2Mixed.W M N 0 alpha B C r (fun _ => 0) V0 i 0 = 0) /\
  Theorem2Mixed.V M N 0 alpha B C r (fun _ => 0) V0 0 = V0.
Proof.
  pose proof V0_pos. split.
  - intros i Hi. unfold Theorem2Mixed.W. rewrite F2_start, Rmult_0_r. apply Rmin_left. lra.
  - unfold Theorem2Mixed.V. rewrite F2_start. rewrite Rmax_left; lra.
Qed.

(** A trajectory of Theorem 2 is the one of Theorem2Mixed.v. *)
Lemma theorem2_unique tau Ar Q D :
  0 <= tau -> condition2 -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  (forall t, 0 <= t <= tau -> free sw Q t = F2 t) /\
  (forall i t, (i < M)%nat -> 0 <= t <= tau -> Q i t = Theorem2Mixed.W M N 0 alpha B C r (fun _ => 0) V0 i t) /\
  (forall j t, (M <= j < M + N)%nat -> 0 <= t <= tau -> Q j t = Theorem2Mixed.V M N 0 alpha B C r (fun _ => 0) V0 t) /\
  (forall k t, (k < M)%nat -> 0 <= t < tau ->
     rejected sw Ar Q D k t = R k - C - Theorem2Mixed.w M N 0 alpha B C r (fun _ => 0) V0 k t).
Proof.
  intros Htau Hc H. destruct start2 as [S1 S2].
  destruct (micro_burst_unique M N Z alpha B C (fun i _ => C + r i) tau Ar Q D
     (Theorem2Mixed.W M N 0 alpha B C r (fun _ => 0) V0) (Theorem2Mixed.w M N 0 alpha B C r (fun _ => 0) V0)
     (Theorem2Mixed.V M N 0 alpha B C r (fun _ => 0) V0) (Theorem2Mixed.v M N 0 alpha B C r (fun _ => 0) V0))
    as (UF & UW & UV & _ & UR); auto using class2.
  - intros i t Hi Ht. pose proof (r2_pos i Hi). lra.
  - apply micro_burst_rate with (fun i _ => R i); auto. intros. lra.
  - split; [|split; [|split]]; auto.
    + intros t Ht. rewrite UF by auto. apply mixed_free; auto. lia.
    + intros k t Hk Ht. rewrite UR by auto. lra.
Qed.

(** Theorem 2, by the closed form. *)
Lemma theorem2_closed tau Ar Q D :
  0 <= tau -> condition2 -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  forall k, (k < M)%nat ->
    (forall t, 0 <= t < tau -> t < t_closed k -> rejected sw Ar Q D k t = 0) /\
    (forall t, 0 <= t < tau -> t_closed k <= t -> 0 < rejected sw Ar Q D k t) /\
    (t_closed k <= tau -> free sw Q (t_closed k) = (R k - C) * t_closed k / alpha).
Proof.
  intros Htau Hc H k Hk. pose proof V0_pos as HV.
  assert (lb : forall k, (k < 0)%nat -> 0 <= 0 <= V0) by (intros; lia).
  assert (EM : meets2 k (t_closed k) = B) by (apply meets_at_closed; auto).
  pose proof (t_closed_pos k Hk) as Tp.
  destruct (theorem2_unique tau Ar Q D Htau Hc H) as (UF & _ & _ & UR).
  pose proof (fun t Ht => mixed_rejects M N 0 alpha B C r (fun _ => 0) V0 0 ltac:(lia) alpha_pos C_pos r2_pos ltac:(lra)
    lb ltac:(lra) room2 k t ltac:(lia) Ht) as MR.
  assert (MS : forall t0 t, 0 <= t0 -> t0 < t -> B <= meets2 k t0 -> B < meets2 k t).
  { intros. apply (meets_once M N 0 alpha B C r (fun _ => 0) V0 ltac:(lia) alpha_pos lb ltac:(lra) room2 k t0); auto. }
  split; [|split].
  - intros t Ht Hlt. rewrite UR by auto. destruct (MR t ltac:(lra)) as [K _]. rewrite K; [lra|].
    destruct (Rlt_dec (meets2 k t) B) as [|c]; auto.
    pose proof (MS t (t_closed k) ltac:(lra) Hlt ltac:(lra)). lra.
  - intros t Ht Hle. rewrite UR by auto. destruct (MR t ltac:(lra)) as [_ K].
    assert (B <= meets2 k t).
    { destruct (Req_dec (t_closed k) t) as [<-|Hne]; [rewrite EM; lra|]. left. apply (MS (t_closed k)); lra. }
    lra.
  - intros Hle. rewrite UF by lra.
    apply (mixed_free_at_meeting M N 0 alpha B C r (fun _ => 0) V0 alpha_pos k). exact EM.
Qed.

(** Theorem 2: port k (from 0) drops first at t_(k+1) of the printed recursion, with the free buffer F_(k+1). *)
Theorem theorem2 tau Ar Q D :
  0 <= tau -> condition2 -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  forall k, (k < M)%nat ->
    let t := fst (recursion14 (S k)) in
    let F := snd (recursion14 (S k)) in
    (tau <= t -> forall u, 0 <= u < tau -> rejected sw Ar Q D k u = 0) /\
    (t < tau -> drops_first_at sw Ar Q D k 0 t /\ free sw Q t = F /\
                forall u, t <= u < tau -> 0 < rejected sw Ar Q D k u).
Proof.
  intros Htau Hc H k Hk. rewrite theorem2_closed_form by auto. cbn [fst snd].
  destruct (theorem2_closed tau Ar Q D Htau Hc H k Hk) as (K1 & K2 & K3). pose proof (t_closed_pos k Hk).
  split.
  - intros Hle u Hu. apply K1; lra.
  - split; [split|split].
    + intros u Hu. apply K1; lra.
    + exists (tau - t_closed k). split; [lra|]. intros u Hu. apply K2; lra.
    + lra.
    + intros u Hu. apply K2; lra.
Qed.

(** The same by the closed form. *)
Theorem theorem2_without_recursion tau Ar Q D :
  0 <= tau -> condition2 -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  forall k, (k < M)%nat ->
    (tau <= t_closed k -> forall u, 0 <= u < tau -> rejected sw Ar Q D k u = 0) /\
    (t_closed k < tau -> drops_first_at sw Ar Q D k 0 (t_closed k) /\
       free sw Q (t_closed k) = (R k - C) * t_closed k / alpha /\ forall u, t_closed k <= u < tau -> 0 < rejected sw Ar Q D k u).
Proof.
  intros Htau Hc H k Hk. pose proof (theorem2 tau Ar Q D Htau Hc H k Hk) as K.
  rewrite theorem2_closed_form in K by auto. exact K.
Qed.

(** The hypotheses can hold. *)
Theorem theorem2_exists tau : 0 <= tau -> condition2 ->
  exists Ar Q D, micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D.
Proof.
  destruct start2 as [S1 S2].
  do 3 eexists. apply micro_burst_rate with (fun i _ => C + r i); [intros; lra|].
  apply micro_burst_exists; eauto using class2.
  intros i t Hi Ht. pose proof (r2_pos i Hi). lra.
Qed.

End Theorem2.

(** Two bursts of rates 2 and 3/2, one steady port, alpha = 1, B = 6, C = 1: t_1 = 12/7, t_2 = 3 by the printed recursion. *)
Definition rates2 (i : nat) : real := match i with O => 2 | _ => 3 / 2 end.

Theorem theorem2_instance :
  condition2 2 1 1 1 rates2 /\ recursion14 2 1 1 6 1 rates2 1 = (12 / 7, 12 / 7) /\
  recursion14 2 1 1 6 1 rates2 2 = (3, 3 / 2) /\
  exists Ar Q D, micro_burst 2 1 0 1 6 1 (fun i _ => rates2 i) 4 Ar Q D.
Proof.
  assert (Hc : condition2 2 1 1 1 rates2) by (unfold condition2, rates2; simpl; lra).
  assert (Ho : forall i, (i < 2)%nat -> 1 < rates2 i) by (intros [|[|i]] Hi; unfold rates2; lra || lia).
  split; [auto|]. split; [|split].
  - rewrite theorem2_closed_form by (auto; lra || lia). unfold t_closed, G, rates2. simpl. f_equal; lra.
  - rewrite theorem2_closed_form by (auto; lra || lia). unfold t_closed, G, rates2. simpl. f_equal; lra.
  - apply theorem2_exists; auto; lra.
Qed.
