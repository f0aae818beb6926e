(** DT/EDT paper, Section 2.3 and Figure 2: one port is overloaded, the buffer was empty.

      [example_sum]     all that is queued is in that port, so T = alpha (B - Q_k), and T(0) = alpha B;
      [example_stops]   once on the threshold the queue rests there, while the port stays overloaded;
      [example_meets]   for a constant rate and alpha = 2: straight lines until both are 2 B / 3, which they stay, with B / 3 free.   *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds Theorem1Evolution Theorem1Statements FreeBuffer FreeBufferExtremes FreeBufferUse.
Open Scope R_scope.

Lemma sum_single n k f : (k < n)%nat -> (forall i, (i < n)%nat -> i <> k -> f i = 0) -> sum n f = f k.
Proof.
  induction n; intros Hk H; [lia|]. simpl. destruct (Nat.eq_dec k n) as [->|e].
  - rewrite sum_zero; [lra|]. intros i Hi. apply H; lia.
  - rewrite IHn, (H n); [lra|lia|lia|lia|]. intros i Hi. apply H. lia.
Qed.

Section OnePort.
Variables (n k : nat) (alpha B C tau : real) (Ar Q D : nat -> real -> real).
Hypotheses (alpha_pos : 0 < alpha) (C_pos : 0 < C) (k_port : (k < n)%nat).
Notation sw := (dt_switch n alpha B C).
Hypotheses (arrivals_sane : sane sw Ar 0 tau) (moves : trajectory sw Ar 0 tau Q D).
Hypothesis alone : forall i t, (i < n)%nat -> i <> k -> 0 <= t < tau -> Ar i t <= C.
Hypothesis empty : forall i, (i < n)%nat -> Q i 0 = 0.

Lemma others_empty i t : (i < n)%nat -> i <> k -> 0 <= t <= tau -> Q i t = 0.
Proof.
  intros Hi Hk Ht. destruct (underloaded_stays_empty sw Ar 0 tau Q D i arrivals_sane moves Hi) as [E _]; auto.
Qed.

Theorem example_sum t : 0 <= t <= tau ->
  sum n (fun i => Q i t) = Q k t /\ (forall i, threshold sw Q i t = alpha * (B - Q k t)) /\ (forall i, threshold sw Q i 0 = alpha * B) /\ Q k 0 = 0.
Proof.
  intros Ht. assert (E : forall u, 0 <= u <= tau -> sum n (fun i => Q i u) = Q k u).
  { intros u Hu. apply (sum_single n k (fun i => Q i u)); auto. intros i Hi Hn. apply others_empty; auto. }
  split; [apply E; auto|]. unfold threshold, free. simpl. split; [|split; [|apply empty; auto]]; intros; rewrite E by lra; [ring|].
  rewrite (empty k k_port). ring.
Qed.

Lemma others_rest i t : (i < n)%nat -> i <> k -> 0 <= t < tau -> D i t = 0.
Proof.
  intros Hi Hk Ht. apply (rd_unique t (Q i)); [apply (length_slope _ _ _ _ _ _ moves); auto|].
  apply rd_ext with (fun _ => 0); [|apply rd_const]. exists (tau - t). split; [lra|]. intros h Hh. apply others_empty; auto; lra.
Qed.

Lemma threshold_slope_single t : 0 <= t < tau -> threshold_slope sw D k t = - (alpha * D k t).
Proof.
  intros Ht. unfold threshold_slope, free_slope. simpl. rewrite (sum_single n k (fun i => D i t)); auto; [ring|].
  intros i Hi Hn. apply others_rest; auto.
Qed.

(** From the meeting on: the queue and the threshold are at rest, at alpha B / (1 + alpha), while the port stays overloaded. *)
Theorem example_stops t0 : 0 < B -> 0 <= t0 -> (forall t, t0 <= t < tau -> C <= Ar k t) -> t0 <= tau -> Q k t0 = threshold sw Q k t0 ->
  (forall t, t0 <= t <= tau -> Q k t = alpha * B / (1 + alpha) /\ threshold sw Q k t = alpha * B / (1 + alpha) /\ free sw Q t = B / (1 + alpha)) /\
  (forall t, t0 <= t < tau -> D k t = 0 /\ threshold_slope sw D k t = 0).
Proof.
  intros HB Ht0 HA H0 Meet. set (q := alpha * B / (1 + alpha)).
  assert (Eq : q + alpha * q = alpha * B) by (unfold q; field; lra).
  assert (q_pos : 0 < q) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra).
  assert (Th : forall t, 0 <= t <= tau -> threshold sw Q k t = alpha * (B - Q k t)) by (intros t Ht; apply (example_sum t Ht)).
  assert (Le : forall x y, x <= y -> alpha * x <= alpha * y) by (intros; apply Rmult_le_compat_l; lra).
  assert (Lt : forall x y, x < y -> alpha * x < alpha * y) by (intros; apply Rmult_lt_compat_l; lra).
  assert (At : forall t, t0 <= t < tau -> Q k t = threshold sw Q k t -> 0 < Q k t -> D k t = 0).
  { intros t Ht E P. destruct (length_rule _ _ _ _ _ _ moves k t k_port ltac:(lra)) as (_ & _ & K). specialize (K E).
    rewrite threshold_slope_single in K by lra. specialize (HA t Ht). unfold lowest, highest in K. simpl in K.
    destruct (Rlt_dec 0 (Q k t)); [|lra]. destruct (Rtotal_order (D k t) 0) as [c|[c|c]]; auto; exfalso.
    - assert (0 <= clip (- (alpha * D k t)) (- C) (Ar k t - C)); [|lra]. pose proof (Lt _ _ c). unfold clip.
      eapply Rle_trans; [|apply Rmax_r]. apply Rmin_glb; lra.
    - assert (clip (- (alpha * D k t)) (- C) (Ar k t - C) < 0); [|lra]. pose proof (Lt _ _ c). unfold clip. apply Rmax_lub_lt; [lra|].
      eapply Rle_lt_trans; [apply Rmin_l|lra]. }
  assert (Stay : forall t, t0 <= t <= tau -> Q k t = q).
  { intros t Ht.
    assert (K : Rabs (Q k t - q) <= Rabs (Q k t0 - q)).
    { apply (nonincreasing t0 t (fun u => Rabs (Q k u - q)) (fun u => abs_slope (Q k u - q) (D k u - 0))); [lra| |].
      - apply continuous_abs, continuous_minus; [|apply continuous_const].
        apply (continuous_sub 0 tau); [lra|lra|]. apply (length_continuous _ _ _ _ _ _ moves); auto.
      - intros u Hu. split.
        + apply (rd_abs u (fun x => Q k x - q)), rd_minus; [apply (length_slope _ _ _ _ _ _ moves); auto; lra|apply rd_const].
        + specialize (Th u ltac:(lra)). specialize (HA u ltac:(lra)).
          destruct (length_rule _ _ _ _ _ _ moves k u k_port ltac:(lra)) as (K1 & K2 & _). unfold abs_slope.
          destruct (Rlt_dec 0 (Q k u - q)) as [c|c].
          { pose proof (Lt q (Q k u) ltac:(lra)). rewrite (K2 ltac:(lra)). unfold lowest. simpl. destruct (Rlt_dec 0 (Q k u)); lra. }
          destruct (Rlt_dec (Q k u - q) 0) as [c'|c'].
          { pose proof (Lt (Q k u) q ltac:(lra)). rewrite (K1 ltac:(lra)). unfold highest. simpl. destruct (Rlt_dec 0 (Q k u)); [lra|].
            pose proof (Rmax_l 0 (Ar k u - C)). lra. }
          assert (E : Q k u = q) by lra. rewrite (At u ltac:(lra)) by (rewrite ?Th, E; lra). rewrite Rminus_0_r, Rabs_R0. lra. }
    rewrite (Th t0 ltac:(lra)) in Meet.
    assert (E0 : Q k t0 = q).
    { destruct (Rtotal_order (Q k t0) q) as [c|[c|c]]; auto; pose proof (Lt _ _ c); lra. }
    replace (Q k t0 - q) with 0 in K by lra. rewrite Rabs_R0 in K.
    destruct (Req_dec (Q k t - q) 0) as [|Hn]; [lra|]. apply Rabs_no_R0 in Hn. pose proof (Rabs_pos (Q k t - q)). lra. }
  split.
  - intros t Ht. specialize (Stay t Ht). specialize (Th t ltac:(lra)). split; auto. split; [rewrite Th, Stay; lra|].
    unfold threshold in Th. simpl in Th. assert (Ef : alpha * free sw Q t = alpha * (B - q)) by (rewrite <- Stay; lra).
    apply Rmult_eq_reg_l in Ef; [|lra]. rewrite Ef. unfold q. field. lra.
  - intros t Ht. assert (E : D k t = 0).
    { apply At; auto; rewrite ?(Th t ltac:(lra)), (Stay t ltac:(lra)); lra. }
    split; auto. rewrite threshold_slope_single, E by lra. ring.
Qed.

End OnePort.

(** Figure 2: a constant rate R > C. *)
Theorem example_meets Z B C R tau Ar Q D : 0 < B -> 0 < C -> C < R -> 0 <= tau ->
  micro_burst 1 0 Z 2 B C (fun _ _ => R) tau Ar Q D ->
  let t_1 := 2 * B / (3 * (R - C)) in
  0 < t_1 /\
  (forall t, 0 <= t < t_1 -> t < tau -> Q 0%nat t = (R - C) * t /\ threshold (dt_switch (1 + 0 + Z) 2 B C) Q 0 t = 2 * B - 2 * (R - C) * t /\
     Q 0%nat t < threshold (dt_switch (1 + 0 + Z) 2 B C) Q 0 t) /\
  (forall t, t_1 <= t <= tau -> Q 0%nat t = 2 * B / 3 /\ threshold (dt_switch (1 + 0 + Z) 2 B C) Q 0 t = 2 * B / 3 /\
     free (dt_switch (1 + 0 + Z) 2 B C) Q t = B / 3).
Proof.
  intros HB HC HR Htau H t_1.
  assert (E1 : eq10_time 1 0 2 B C R = t_1).
  { destruct (no_steady_ports 1 2 B C R ltac:(lia) ltac:(lra) HR) as (E1 & E2 & _). unfold t_1.
    destruct (slow_dec 1 0 2 C R); [rewrite eq10_slow, E1 by auto|rewrite eq10_fast, E2 by auto]; simpl; field; lra. }
  pose proof (first_pos 1 0 2 B C R ltac:(lia) ltac:(lra) HB HC HR) as Fp. rewrite E1 in Fp.
  destruct (cushion 1 0 Z 2 B C R tau Ar Q D ltac:(lia) ltac:(lra) HB HC HR Htau H) as (_ & _ & Before). rewrite E1 in Before.
  destruct (reserves 1 0 Z 2 B C R tau Ar Q D ltac:(lia) ltac:(lra) HB HC HR Htau H) as [_ After].
  destruct (After eq_refl) as [_ Rest]. rewrite E1 in Rest. clear After.
  assert (Free : forall t, 0 <= t <= tau -> free (dt_switch (1 + 0 + Z) 2 B C) Q t = B - Q 0%nat t).
  { intros t Ht. unfold free. simpl ports. simpl buffer. f_equal. apply (sum_single (1 + 0 + Z) 0 (fun i => Q i t)); [lia|]. intros i Hi Hn.
    destruct H as [A S T]. destruct (underloaded_stays_empty (dt_switch (1 + 0 + Z) 2 B C) Ar 0 tau Q D i) as [E _]; auto.
    - split; simpl; [intros; lra|]. intros j u Hj Hu. destruct (Nat.eq_dec j 0) as [->|e].
      + rewrite (burst_ports _ _ _ _ _ _ _ _ A 0 u); [lra|lia|auto].
      + pose proof (other_ports _ _ _ _ _ _ _ _ A j u ltac:(lia) Hu). lra.
    - intros u Hu. apply (other_ports _ _ _ _ _ _ _ _ A); [lia|auto].
    - apply (other_empty _ _ _ _ _ _ _ S). lia. }
  split; auto. split.
  - intros t Ht Hlt. destruct (Before 0%nat t ltac:(lia) Ht Hlt) as (E & L & _). split; auto. split; auto.
    unfold threshold. rewrite Free, E by lra. simpl. ring.
  - intros t Ht. specialize (Rest t Ht). simpl INR in Rest.
    assert (F3 : free (dt_switch (1 + 0 + Z) 2 B C) Q t = B / 3) by (rewrite Rest; field).
    rewrite Free in F3 by lra. split; [lra|]. split; [|rewrite Free by lra; lra]. unfold threshold. rewrite Free by lra. simpl. lra.
Qed.

(** The hypotheses can hold: B = 6, C = 1, R = 3, two more ports. *)
Theorem example_instance : exists Ar Q D, micro_burst 1 0 2 2 6 1 (fun _ _ => 3) 4 Ar Q D /\ Q 0%nat 0 = 0.
Proof.
  destruct (slow_dec 1 0 2 1 3) as [c|c];
    [destruct (theorem1_case_a_exists 1 0 2 2 6 1 3 4) as (Ar & Q & D & H)|destruct (theorem1_case_b_exists 1 0 2 2 6 1 3 4) as (Ar & Q & D & H)];
    auto; try lra; try lia; exists Ar, Q, D; (split; [auto|]); destruct H as [_ S _]; apply (burst_empty _ _ _ _ _ _ _ S); lia.
Qed.
