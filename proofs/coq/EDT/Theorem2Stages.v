(** DT/EDT paper, Section 3.2: what happens between two meetings, the steps of the proofs of Theorems 2 and 3.

      [stage2]  equations (17)-(29): between t_k and t_(k+1) the N + k queues on the threshold follow it, at
                - alpha G_(k+1) / (1 + alpha (N + k)) >= - C, and the others grow at R_i - C;
      [stage3]  equations (32)-(41): for k < L the N + k queues that have met the threshold drain at C, above it, while it
                falls at alpha (G_(k+1) - (N + k) C) > C.

    Ports are counted from 0: in stage k the ports 0 .. k-1 have met the threshold.                       *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Solve Theorem2Mixed Theorem2 Theorem3 Theorem3Meeting Theorem3EveryPort.
Open Scope R_scope.

Section Stages.
Variables (M N Z : nat) (alpha B C : real) (R : nat -> real).
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C).
Hypothesis overloaded : forall i, (i < M)%nat -> C < R i.
Hypothesis sorted : forall i j, (i <= j < M)%nat -> R j <= R i.

Notation r := (fun i => R i - C).
Notation G := (G M C R).
Notation V0 := (alpha * F0 N alpha B).
Notation sw := (dt_switch (M + N + Z) alpha B C).

(** The hypothesis of Theorem 2 carries over from stage to stage: G_(k+1) <= (1 + alpha (N + k)) C / alpha. *)
Theorem condition2_carries_over k : condition2 M N alpha C R -> (k <= M)%nat ->
  G k <= (1 + alpha * INR (N + k)) * C / alpha.
Proof.
  intros H Hk. assert (K : alpha * G k <= (1 + alpha * INR (N + k)) * C).
  { induction k.
    - rewrite Nat.add_0_r. apply condition2_iff in H; auto. unfold Theorem2.G. rewrite Nat.sub_0_r. simpl.
      replace (1 + alpha * INR N) with (1 + alpha * INR N) by ring. rewrite (Rmult_comm _ C). exact H.
    - specialize (IHk ltac:(lia)). rewrite (G_step M C R k) in IHk by lia. pose proof (overloaded k ltac:(lia)).
      rewrite Nat.add_succ_r, S_INR. pose proof (Rmult_lt_0_compat alpha (R k - C)). pose proof (Rmult_lt_0_compat alpha C). lra. }
  apply Rmult_le_reg_l with alpha; auto.
  replace (alpha * ((1 + alpha * INR (N + k)) * C / alpha)) with ((1 + alpha * INR (N + k)) * C) by (field; lra). exact K.
Qed.

(** Stage k of Theorem 2: from the k-th meeting to the next one. *)
Definition in_stage (hit : nat -> real) (k : nat) (t : real) : Prop :=
  (forall j, (j < k)%nat -> hit j <= t) /\ (forall j, (k <= j < M)%nat -> t <= hit j).

Theorem stage2 tau Ar Q D : 0 <= tau -> condition2 M N alpha C R ->
  micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  forall k, (k <= M)%nat -> forall t, 0 <= t <= tau -> in_stage (t_closed M N alpha B C R) k t ->
  let (tk, Fk) := recursion14 M N alpha B C R k in
  free sw Q t = Fk - G k * (t - tk) / (1 + alpha * INR (N + k)) /\
  (forall j, (j < k)%nat -> Q j t = threshold sw Q j t) /\
  (forall j, (k <= j < M)%nat -> Q j t = (R j - C) * t) /\
  (forall j, (M <= j < M + N)%nat -> Q j t = threshold sw Q j t) /\
  (t < tau -> (forall j, (k <= j < M)%nat -> t < t_closed M N alpha B C R j) ->
     (forall i, right_derivative (threshold sw Q i) t (- (alpha * G k / (1 + alpha * INR (N + k))))) /\
     alpha * G k / (1 + alpha * INR (N + k)) <= C).
Proof.
  intros Htau Hc H k Hk.
  pose proof (recursion14_invariant M N alpha B C R alpha_pos overloaded k Hk) as [Inv _].
  destruct (recursion14 M N alpha B C R k) as [tk Fk] eqn:Erec. simpl in Inv.
  set (hit := t_closed M N alpha B C R) in *.
  destruct (theorem2_unique M N Z alpha B C R alpha_pos B_pos C_pos overloaded tau Ar Q D Htau Hc H) as (UF & UW & UV & _).
  pose proof (den1 alpha alpha_pos (N + k)) as Dk.
  set (F2 := Theorem2Mixed.F M N 0 alpha B C r (fun _ => 0) V0) in *.
  assert (Rises : forall a b, a <= b -> alpha * F2 a + C * a <= alpha * F2 b + C * b).
  { intros. apply rises2; auto. }
  assert (F20 : alpha * F2 0 = V0) by (unfold F2; rewrite F2_start by auto; reflexivity).
  assert (Len : forall j u, (j < M)%nat -> 0 <= u -> Rmin ((R j - C) * u) (alpha * F2 u)
      = if Rlt_dec u (hit j) then (R j - C) * u else Rmax (alpha * F2 u) (R j * hit j - C * u)).
  { intros. apply follow_length; auto. }
  assert (At : forall j, (j < M)%nat -> alpha * F2 (hit j) = (R j - C) * hit j).
  { intros. apply T2_at; auto. }
  assert (Value : forall u, 0 <= u -> in_stage hit k u -> F2 u * (1 + alpha * INR (N + k)) + G k * u = B).
  { intros u Hu [S1 S2].
    pose proof (buffer_full _ _ _ _ _ _ _ _ (meeting_follow M N alpha B C R alpha_pos B_pos C_pos overloaded sorted Hc) u Hu) as Full.
    fold F2 hit in Full. cbv beta in Full.
    pose proof (Rises 0 u Hu) as R0. rewrite F20 in R0. rewrite (Rmax_left (alpha * F2 u) (V0 - C * u)) in Full by lra.
    assert (E : sum M (fun j => if Rlt_dec u (hit j) then (R j - C) * u else Rmax (alpha * F2 u) (R j * hit j - C * u))
                = INR k * (alpha * F2 u) + G k * u).
    { replace M with (k + (M - k))%nat at 1 by lia. rewrite sum_split. f_equal.
      - rewrite <- sum_const. apply sum_ext. intros j Hj. specialize (S1 j Hj).
        destruct (Rlt_dec u (hit j)); [lra|]. pose proof (Rises (hit j) u S1) as Rj. rewrite At in Rj by lia. apply Rmax_left. lra.
      - rewrite (G_times M C R k u). apply sum_ext. intros i Hi. specialize (S2 (k + i)%nat ltac:(lia)).
        destruct (Rlt_dec u (hit (k + i)%nat)); [auto|]. assert (e : u = hit (k + i)%nat) by lra.
        pose proof (At (k + i)%nat ltac:(lia)) as A. rewrite <- e in A. rewrite A. rewrite <- e. rewrite Rmax_left; lra. }
    rewrite E in Full. replace (alpha * F2 u / alpha) with (F2 u) in Full by (field; lra). rewrite plus_INR. lra. }
  assert (Value' : forall u, 0 <= u -> in_stage hit k u -> F2 u = Fk - G k * (u - tk) / (1 + alpha * INR (N + k))).
  { intros u Hu Hs. apply Rmult_eq_reg_r with (1 + alpha * INR (N + k)); [|lra].
    replace ((Fk - G k * (u - tk) / (1 + alpha * INR (N + k))) * (1 + alpha * INR (N + k)))
      with (Fk * (1 + alpha * INR (N + k)) - G k * (u - tk)) by (field; lra).
    pose proof (Value u Hu Hs). lra. }
  intros t Ht Hs. split; [rewrite UF by auto; apply Value'; auto; lra|]. destruct Hs as [S1 S2].
  split; [|split; [|split]].
  - intros j Hj. rewrite UW by (auto; lia). unfold Theorem2Mixed.W. destruct (Nat.ltb_spec j 0); [lia|]. fold F2.
    rewrite Len by (lia || lra). specialize (S1 j Hj). destruct (Rlt_dec t (hit j)); [lra|].
    pose proof (Rises (hit j) t S1) as Rj. rewrite At in Rj by lia. unfold threshold. rewrite UF by auto. simpl.
    rewrite Rmax_left; lra.
  - intros j Hj. rewrite UW by (auto; lia). unfold Theorem2Mixed.W. destruct (Nat.ltb_spec j 0); [lia|]. fold F2.
    rewrite Len by (lia || lra). specialize (S2 j Hj). destruct (Rlt_dec t (hit j)); [auto|].
    assert (e : t = hit j) by lra. pose proof (At j ltac:(lia)) as A. rewrite <- e in *. rewrite Rmax_left; lra.
  - intros j Hj. rewrite (UV j) by auto. unfold Theorem2Mixed.V. fold F2. pose proof (Rises 0 t ltac:(lra)) as R0. rewrite F20 in R0.
    unfold threshold. rewrite UF by auto. simpl. rewrite Rmax_right; lra.
  - intros Hlt Hnext. split.
    + (* until the next meeting the stage lasts *)
      intros i.
      assert (Gap : exists d, 0 < d /\ forall j, (k <= j < M)%nat -> t + d <= hit j).
      { clear - Hnext Hk. revert Hnext. generalize hit as f. intros f Hnext.
        assert (K : forall n, (k + n <= M)%nat -> exists d, 0 < d /\ forall j, (k <= j < k + n)%nat -> t + d <= f j).
        { induction n; intros Hn; [exists 1; split; [lra|intros; lia]|].
          destruct (IHn ltac:(lia)) as (d & Hd & Kd). specialize (Hnext (k + n)%nat ltac:(lia)).
          exists (Rmin d (f (k + n)%nat - t)). split; [apply Rmin_pos; lra|]. intros j Hj.
          pose proof (Rmin_l d (f (k + n)%nat - t)). pose proof (Rmin_r d (f (k + n)%nat - t)).
          destruct (Nat.eq_dec j (k + n)) as [->|]; [lra|]. specialize (Kd j ltac:(lia)). lra. }
        destruct (K (M - k)%nat ltac:(lia)) as (d & Hd & Kd). exists d. split; auto. intros j Hj. apply Kd. lia. }
      destruct Gap as (d & Hd & Kd).
      apply rd_ext with (fun u => - (alpha * G k / (1 + alpha * INR (N + k))) * u
                                  + alpha * (Fk + G k * tk / (1 + alpha * INR (N + k)))); [|apply rd_linear].
      exists (Rmin d (tau - t)). split; [apply Rmin_pos; lra|]. intros h Hh.
      pose proof (Rmin_l d (tau - t)). pose proof (Rmin_r d (tau - t)).
      unfold threshold. rewrite UF by lra. rewrite Value'.
      * simpl. field. lra.
      * lra.
      * split; intros j Hj; [specialize (S1 j Hj); lra|specialize (Kd j Hj); lra].
    + pose proof (condition2_carries_over k Hc Hk) as K. apply (Rmult_le_compat_l alpha) in K; [|lra].
      replace (alpha * ((1 + alpha * INR (N + k)) * C / alpha)) with ((1 + alpha * INR (N + k)) * C) in K by (field; lra).
      apply Rmult_le_reg_r with (1 + alpha * INR (N + k)); auto.
      replace (alpha * G k / (1 + alpha * INR (N + k)) * (1 + alpha * INR (N + k))) with (alpha * G k) by (field; lra). lra.
Qed.

(** Stage k of Theorem 3, up to t_L. *)
Theorem stage3 L tau Ar Q D : last_stage M N alpha C R L -> (1 <= L)%nat -> 0 <= tau ->
  micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  forall k, (k < L)%nat -> forall t, 0 <= t <= tau ->
  (forall j, (j < k)%nat -> t31 M N alpha B C R j <= t) -> (forall j, (k <= j < L)%nat -> t <= t31 M N alpha B C R j) ->
  let (tk, Fk) := recursion31 M N alpha B C R k in
  free sw Q t = Fk - (G k - INR (N + k) * C) * (t - tk) /\
  (forall j, (j < k)%nat -> Q j t = (R j - C) * t31 M N alpha B C R j - C * (t - t31 M N alpha B C R j) /\ threshold sw Q j t <= Q j t) /\
  (forall j, (k <= j < M)%nat -> Q j t = (R j - C) * t) /\
  (forall j, (M <= j < M + N)%nat -> Q j t = V0 - C * t /\ threshold sw Q j t <= Q j t) /\
  C < alpha * (G k - INR (N + k) * C) /\
  (t < tau -> t < t31 M N alpha B C R k ->
     forall i, right_derivative (threshold sw Q i) t (- (alpha * (G k - INR (N + k) * C)))).
Proof.
  intros HL L_pos Htau H k Hk.
  pose proof (L_le M N alpha C R L HL) as HLM.
  destruct (recursion31_spec M N alpha B C R alpha_pos B_pos C_pos overloaded L HL k ltac:(lia)) as [Spec _].
  destruct (recursion31 M N alpha B C R k) as [tk Fk]. simpl in Spec.
  set (t3 := t31 M N alpha B C R) in *.
  assert (Mono : forall i j, (i <= j)%nat -> (j < L)%nat -> t3 i <= t3 j).
  { intros i j Hij Hj. destruct (t31_sorted M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L HL i j Hij Hj). auto. }
  assert (Rej : forall i, (i < M)%nat -> _) by (intros i Hi;
    exact (theorem3_rejections M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L HL L_pos tau Ar Q D Htau H i Hi)).
  assert (Falls := threshold_falls M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L HL L_pos).
  assert (At := T_fall_at M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L HL L_pos).
  fold t3 in Falls, At, Rej.
  set (Ff := class_free M N B (W_fall M N alpha B C R L) (V_fall N alpha B C)) in *.
  assert (UF : forall u, 0 <= u <= tau -> u <= t3 (L - 1)%nat -> free sw Q u = Ff u).
  { intros u Hu Hus. destruct (Rej 0%nat ltac:(lia)) as (_ & K & _). apply K; auto. }
  assert (Value : forall u, (forall i, (i < k)%nat -> t3 i <= u) -> (forall i, (k <= i < L)%nat -> u <= t3 i) ->
            Ff u = Fk - (G k - INR (N + k) * C) * (u - tk)).
  { intros u S1 S2. unfold Ff. rewrite (F_fall_stage M N alpha B C R alpha_pos C_pos overloaded L HL k u ltac:(lia) S1 S2).
    rewrite <- Spec. ring. }
  intros t Ht S1 S2. assert (Hts : t <= t3 (L - 1)%nat) by (apply S2; lia).
  split; [rewrite UF by auto; apply Value; auto|]. split; [|split; [|split; [|split]]].
  - intros j Hj. destruct (Rej j ltac:(lia)) as (_ & _ & _ & _ & K5 & _). destruct (K5 t Ht Hts) as [E _].
    rewrite (W_fall_after M N alpha B C R C_pos overloaded L HL j t ltac:(lia) (S1 j Hj)) in E. fold t3 in E. split; [rewrite E; ring|].
    unfold threshold. rewrite UF by auto. simpl. rewrite E.
    pose proof (t31_pos M N alpha B C R alpha_pos B_pos C_pos overloaded L HL j ltac:(lia)) as Tp. fold t3 in Tp.
    pose proof (Falls (t3 j) t ltac:(lra) (S1 j Hj) Hts) as K. rewrite (At j ltac:(lia)) in K. lra.
  - intros j Hj. destruct (Rej j ltac:(lia)) as (_ & _ & _ & _ & K5 & _). destruct (K5 t Ht Hts) as [E _]. rewrite E.
    destruct (Nat.lt_ge_cases j L).
    + apply (W_fall_before M N alpha B C R C_pos overloaded L HL); auto. apply S2. lia.
    + apply W_fall_rest; auto.
  - intros j Hj. destruct (Rej 0%nat ltac:(lia)) as (_ & _ & _ & _ & K5 & _). destruct (K5 t Ht Hts) as [_ E].
    rewrite (E j Hj). unfold V_fall. split; [reflexivity|]. unfold threshold. rewrite UF by auto. simpl.
    pose proof (Falls 0 t ltac:(lra) ltac:(lra) Hts) as K.
    destruct (fall_start M N alpha B C R alpha_pos B_pos C_pos overloaded L HL) as (_ & _ & E0). fold Ff in E0. rewrite E0 in K. lra.
  - apply (fall_fast M N alpha C R alpha_pos L HL k Hk).
  - intros Hlt Hnext i.
    apply rd_ext with (fun u => - (alpha * (G k - INR (N + k) * C)) * u + alpha * (Fk + (G k - INR (N + k) * C) * tk)); [|apply rd_linear].
    exists (Rmin (t3 k - t) (tau - t)). split; [apply Rmin_pos; lra|]. intros h Hh.
    pose proof (Rmin_l (t3 k - t) (tau - t)). pose proof (Rmin_r (t3 k - t) (tau - t)).
    assert (Hk2 : t3 k <= t3 (L - 1)%nat) by (apply Mono; lia).
    unfold threshold. rewrite UF by lra. rewrite Value.
    + simpl. ring.
    + intros j Hj. specialize (S1 j Hj). lra.
    + intros j Hj. pose proof (Mono k j ltac:(lia) ltac:(lia)). lra.
Qed.

(** Equations (24), (25) and (36), (37): the one solution of T(t) = (R_1 - C) t. *)
Theorem eq25 t : (0 < M)%nat ->
  ((R 0%nat - C) * t = alpha * (F0 N alpha B - G 0 / (1 + alpha * INR N) * t) <->
   t = alpha * F0 N alpha B * (1 + alpha * INR N) / ((R 0%nat - C) * (1 + alpha * INR N) + alpha * G 0)).
Proof.
  intros HM. pose proof (den1 alpha alpha_pos N) as Hn. pose proof (overloaded 0 HM).
  pose proof (G_nonneg M C R overloaded 0) as HG. pose proof (Rmult_lt_0_compat (R 0%nat - C) (1 + alpha * INR N)).
  pose proof (Rmult_le_pos alpha (G 0)).
  assert (D : 0 < (R 0%nat - C) * (1 + alpha * INR N) + alpha * G 0) by lra. split; intros E.
  - apply Rmult_eq_reg_r with ((R 0%nat - C) * (1 + alpha * INR N) + alpha * G 0); [|lra].
    replace (alpha * F0 N alpha B * (1 + alpha * INR N) / ((R 0%nat - C) * (1 + alpha * INR N) + alpha * G 0)
             * ((R 0%nat - C) * (1 + alpha * INR N) + alpha * G 0)) with (alpha * F0 N alpha B * (1 + alpha * INR N)) by (field; lra).
    apply (f_equal (fun x => x * (1 + alpha * INR N))) in E.
    replace (alpha * (F0 N alpha B - G 0 / (1 + alpha * INR N) * t) * (1 + alpha * INR N))
      with (alpha * F0 N alpha B * (1 + alpha * INR N) - alpha * G 0 * t) in E by (field; lra). lra.
  - rewrite E. field. lra.
Qed.

Theorem eq37 t : (0 < M)%nat -> 0 < G 0 - INR N * C ->
  ((R 0%nat - C) * t = alpha * (F0 N alpha B - (G 0 - INR N * C) * t) <->
   t = alpha * F0 N alpha B / (alpha * (G 0 - INR N * C) + (R 0%nat - C))).
Proof.
  intros HM HG. pose proof (overloaded 0 HM). pose proof (Rmult_lt_0_compat alpha (G 0 - INR N * C)).
  assert (D : 0 < alpha * (G 0 - INR N * C) + (R 0%nat - C)) by lra. split; intros E.
  - apply Rmult_eq_reg_r with (alpha * (G 0 - INR N * C) + (R 0%nat - C)); [|lra].
    replace (alpha * F0 N alpha B / (alpha * (G 0 - INR N * C) + (R 0%nat - C)) * (alpha * (G 0 - INR N * C) + (R 0%nat - C)))
      with (alpha * F0 N alpha B) by (field; lra). lra.
  - rewrite E. field. lra.
Qed.

(** The meetings of Theorem 2 are ordered, together exactly for equal rates. *)
Theorem order2 k : (S k < M)%nat ->
  t_closed M N alpha B C R k <= t_closed M N alpha B C R (S k) /\
  (t_closed M N alpha B C R k = t_closed M N alpha B C R (S k) <-> R k = R (S k)).
Proof.
  intros H. split; [apply theorem2_order; auto|]. split; [|apply theorem2_ties; auto].
  intros E. pose proof (den2 M N alpha C R alpha_pos overloaded k ltac:(lia)) as D1.
  pose proof (den2 M N alpha C R alpha_pos overloaded (S k) H) as D2. unfold t_closed in E.
  assert (P : 0 < alpha * B) by (apply Rmult_lt_0_compat; auto).
  assert (E' : (R k - C) * (1 + alpha * INR (N + k)) + alpha * G k = (R (S k) - C) * (1 + alpha * INR (N + S k)) + alpha * G (S k)).
  { apply Rmult_eq_reg_l with (alpha * B); [|lra].
    apply (f_equal (fun x => x * ((R k - C) * (1 + alpha * INR (N + k)) + alpha * G k)
                             * ((R (S k) - C) * (1 + alpha * INR (N + S k)) + alpha * G (S k)))) in E.
    field_simplify in E; lra. }
  rewrite (G_step M C R k) in E' by lia. rewrite Nat.add_succ_r, S_INR in E'. pose proof (den1 alpha alpha_pos (N + k)) as Dn.
  assert (K : (R k - R (S k)) * (1 + alpha * INR (N + k) + alpha) = 0) by lra.
  apply Rmult_integral in K. destruct K; lra.
Qed.

End Stages.
