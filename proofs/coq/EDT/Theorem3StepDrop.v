(** DT/EDT paper, Section 3.2: the drop of port k <= L in the proof of Theorem 3, when each of the other bursts lasts longer
    than the earlier of its own meeting and t_k, and no longer than that need it be.

      [lasting_all]   the trajectory of the bursts that last exists under any arrivals at the steady and quiet ports;
      [step_drop]     port k (from 0) first loses a byte at t_k of (31);
      [step_lengths]  until then the free buffer and all lengths are those of bursts that last, and F_k is free at t_k.

    A burst that has met the threshold may end: its queue is above the threshold, which falls faster than C, and admits nothing. *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 Solve Theorem2Mixed Theorem2 Theorem3 Theorem3Meeting Theorem3EveryPort Theorem1Evolution Theorem2Steps Theorem2Stages.
Open Scope R_scope.

Section StepDrop.
Variables (M N Z : nat) (alpha B C : real) (R : nat -> real) (L : nat).
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C).
Hypothesis overloaded : forall i, (i < M)%nat -> C < R i.
Hypothesis sorted : forall i j, (i <= j < M)%nat -> R j <= R i.
Hypotheses (stage : last_stage M N alpha C R L) (L_pos : (1 <= L)%nat).
Notation sw := (dt_switch (M + N + Z) alpha B C).
Notation t3 := (t31 M N alpha B C R).
Notation s := (t3 (L - 1)%nat).
Notation W3 := (W_fall M N alpha B C R L).
Notation V3 := (V_fall N alpha B C).
Notation Ffall := (class_free M N B W3 V3).
Notation dFfall := (class_slope M N (w_fall M N alpha B C R L) (v_fall C)).
Notation r := (fun i => R i - C).
Notation V0 := (alpha * F0 N alpha B).
Notation line := (line3 M N alpha B C R L).

Theorem lasting_all Ar tau : s <= tau -> burst_arrivals M N Z C (fun i _ => R i) 0 tau Ar ->
  exists Q D, micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D.
Proof.
  intros Htau A. pose proof (L_le M N alpha C R L stage) as HL.
  assert (Sp : 0 < s) by (apply (t31_pos M N alpha B C R alpha_pos B_pos C_pos overloaded L stage); lia).
  destruct (fall_start M N alpha B C R alpha_pos B_pos C_pos overloaded L stage) as (F1 & F2 & F3).
  destruct (regimes_meet M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos) as [G1 G2].
  set (Q1 := by_class M N W3 V3). set (D1 := by_class M N (w_fall M N alpha B C R L) (v_fall C)).
  set (Q2 := by_class M N (Theorem2Mixed.W M N L alpha B C r line V0) (Theorem2Mixed.V M N L alpha B C r line V0)).
  set (D2 := by_class M N (Theorem2Mixed.w M N L alpha B C r line V0) (Theorem2Mixed.v M N L alpha B C r line V0)).
  assert (T1 : trajectory sw Ar 0 s Q1 D1).
  { apply (by_class_trajectory M N Z alpha B C (fun i _ => R i) 0 s Ar); auto.
    - intros i t Hi _. specialize (overloaded i Hi). lra.
    - apply (burst_part _ _ _ _ _ _ 0 tau); auto; lra.
    - apply fall_class; auto. lra. }
  assert (T2 : trajectory sw Ar s tau Q2 D2).
  { apply (by_class_trajectory M N Z alpha B C (fun i _ => C + r i) s tau Ar); auto.
    - intros i t Hi _. specialize (overloaded i Hi). lra.
    - pose proof (burst_part _ _ _ _ _ _ 0 tau s tau ltac:(lra) ltac:(lra) A) as A2. split; intros i t Hi Ht.
      + rewrite (burst_ports _ _ _ _ _ _ _ _ A2 i t Hi Ht). ring.
      + apply (steady_ports _ _ _ _ _ _ _ _ A2 i t Hi Ht).
      + apply (other_ports _ _ _ _ _ _ _ _ A2 i t Hi Ht).
    - apply mixed3_class; auto. }
  exists (glue s Q1 Q2), (glue s D1 D2). split; auto.
  - assert (E0 : forall i, glue s Q1 Q2 i 0 = Q1 i 0) by (intros i; unfold glue; destruct (Rlt_dec 0 s); lra).
    assert (Ef : free sw (glue s Q1 Q2) 0 = F0 N alpha B).
    { unfold free. rewrite (sum_ext _ _ (fun i => Q1 i 0)) by (intros; apply E0).
      change (free sw Q1 0 = F0 N alpha B). unfold Q1. rewrite free_by_class. apply Rmult_eq_reg_l with alpha; lra. }
    split; intros i Hi.
    + rewrite E0. unfold Q1. rewrite by_class_burst by auto. auto.
    + rewrite E0. unfold threshold. rewrite Ef. unfold Q1. rewrite by_class_steady by auto. simpl. lra.
    + rewrite E0. apply by_class_other. lia.
  - apply fluid_glue; auto; [lra|]. simpl. intros i Hi. unfold Q1, Q2. destruct (class_of M N Z i Hi) as [c|[c|c]].
    + rewrite !by_class_burst by auto. apply G1; auto.
    + rewrite !by_class_steady by auto. exact G2.
    + rewrite !by_class_other by lia. reflexivity.
Qed.

(** Until t_L the threshold falls faster than C. *)
Lemma slope_until_s tau Ar Q D t i : 0 <= tau -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D -> 0 <= t < s -> t < tau ->
  threshold_slope sw D i t < - C.
Proof.
  intros Htau Hm Ht Hlt. pose proof (L_le M N alpha C R L stage) as HL.
  destruct (theorem3_rejections M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos tau Ar Q D Htau Hm 0%nat ltac:(lia)) as (_ & K2 & _).
  assert (E : free_slope sw D t = dFfall t).
  { apply (rd_unique t (free sw Q)).
    - destruct Hm as [_ _ T]. eapply free_has_slope; [exact T|lra].
    - apply rd_ext with Ffall.
      + exists (Rmin (s - t) (tau - t)). split; [apply Rmin_pos; lra|]. intros h Hh. pose proof (Rmin_l (s - t) (tau - t)). pose proof (Rmin_r (s - t) (tau - t)).
        apply K2; lra.
      + unfold class_free, class_slope. eapply rd_eq.
        * apply rd_minus; [apply rd_minus; [apply rd_const|apply rd_sum; intros j Hj; apply (W_fall_slope M N alpha B C R C_pos overloaded L stage j t Hj)]|].
          apply rd_scal, V_fall_slope.
        * ring. }
  unfold threshold_slope. rewrite E. simpl. apply (fall_slope M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos t). lra.
Qed.

Section Port.
Variables (k : nat) (tau : real) (Ar Q D : nat -> real -> real) (ends : nat -> real).
Hypothesis k_stage : (k < L)%nat.
Notation t_k := (t3 k).
Hypothesis lasts : t_k < tau.
Hypothesis rates : forall j t, (k <= j < M)%nat -> 0 <= t < tau -> Ar j t = R j.
Hypothesis ends_later : forall j, (j < k)%nat -> t3 j < ends j.
Hypothesis rates_before : forall j t, (j < k)%nat -> 0 <= t < tau -> (t < ends j -> Ar j t = R j) /\ 0 <= Ar j t.
Hypothesis steady : forall j t, (M <= j < M + N)%nat -> 0 <= t < tau -> C <= Ar j t.
Hypothesis others : forall j t, (M + N <= j < M + N + Z)%nat -> 0 <= t < tau -> 0 <= Ar j t <= C.
Hypothesis starts : starts_steady M N Z alpha B C Q.
Hypothesis moves : trajectory sw Ar 0 tau Q D.

Lemma tk_le_s : 0 < t_k <= s.
Proof.
  split; [apply (t31_pos M N alpha B C R alpha_pos B_pos C_pos overloaded L stage); auto|].
  apply (t31_sorted M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage k (L - 1)); lia.
Qed.

(** Until a moment after t_k the trajectory is one of bursts that last. *)
Lemma as_if_lasting : exists e big Ar' Q' D', t_k < e <= tau /\ e <= big /\ micro_burst M N Z alpha B C (fun i _ => R i) big Ar' Q' D' /\
  (forall i, (i < M + N + Z)%nat -> (forall t, 0 <= t <= e -> Q i t = Q' i t) /\ (forall t, 0 <= t < e -> D i t = D' i t)) /\
  (forall t, 0 <= t < e -> Ar k t = Ar' k t).
Proof.
  pose proof tk_le_s as [Tk1 Tk2]. pose proof (L_le M N alpha C R L stage) as HL.
  pose (Ar' := fun i t => if (i <? M)%nat then R i else if Rlt_dec t tau then Ar i t else C).
  pose (big := Rmax tau s). assert (Bt : tau <= big) by apply Rmax_l. assert (Bs : s <= big) by apply Rmax_r.
  assert (A' : burst_arrivals M N Z C (fun i _ => R i) 0 big Ar').
  { split; intros i t Hi Ht; unfold Ar'; destruct (Nat.ltb_spec i M); try lia; auto; destruct (Rlt_dec t tau); try lra; [apply steady|apply others]; auto; lra. }
  destruct (lasting_all Ar' big Bs A') as (Q' & D' & Hm).
  assert (Fall : forall t, 0 <= t -> t <= s -> t <= big -> free sw Q' t = Ffall t /\ forall i, (i < M)%nat -> Q' i t = W3 i t).
  { intros t H0 H1 H2. split.
    - destruct (theorem3_rejections M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos big Ar' Q' D' ltac:(lra) Hm 0%nat ltac:(lia)) as (_ & K2 & _).
      apply K2; lra.
    - intros i Hi. destruct (theorem3_rejections M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos big Ar' Q' D' ltac:(lra) Hm i Hi)
        as (_ & _ & _ & _ & K5 & _). apply (K5 t ltac:(lra) ltac:(lra)). }
  (* an instant after t_k until which the queues of the bursts that have ended are above the threshold *)
  assert (After : exists e, t_k < e <= tau /\ forall j t, (j < k)%nat -> ends j <= t < e -> s <= t -> threshold sw Q' j t < Q' j t).
  { destruct (Rle_lt_or_eq_dec _ _ Tk2) as [c|c].
    { exists (Rmin tau s). split; [split; [apply Rmin_glb_lt; lra|apply Rmin_l]|]. intros j t Hj Ht Hs. pose proof (Rmin_r tau s). lra. }
    assert (One : forall j, (j < k)%nat -> exists e, t_k < e <= tau /\ forall t, ends j <= t < e -> s <= t -> threshold sw Q' j t < Q' j t).
    { intros j Hj. specialize (ends_later j Hj). destruct (Rle_dec (ends j) s) as [g|g].
      2: { exists (Rmin tau (ends j)). split; [split; [apply Rmin_glb_lt; lra|apply Rmin_l]|]. intros t Ht _. pose proof (Rmin_r tau (ends j)). lra. }
      assert (P : 0 < Q' j s - threshold sw Q' j s).
      { destruct (Fall s ltac:(lra) ltac:(lra) ltac:(lra)) as [Ff Fw]. rewrite (Fw j ltac:(lia)). unfold threshold. rewrite Ff. simpl.
        rewrite (W_fall_after M N alpha B C R C_pos overloaded L stage j s) by (try lia; lra).
        pose proof (t31_pos M N alpha B C R alpha_pos B_pos C_pos overloaded L stage j ltac:(lia)) as Pj.
        assert (Inc : alpha * Ffall s + C * s < alpha * Ffall (t3 j) + C * t3 j).
        { set (f := fun u => - (alpha * free sw Q' u + C * u)).
          assert (Sl : forall u, t3 j <= u < s -> right_derivative f u (- (threshold_slope sw D' 0 u + C)) /\ 0 < - (threshold_slope sw D' 0 u + C)).
          { intros u Hu. split.
            - unfold f. apply rd_opp, rd_plus.
              + unfold threshold_slope. simpl. apply rd_scal. destruct Hm as [_ _ T]. eapply free_has_slope; [exact T|lra].
              + apply rd_ext with (fun u => C * u + 0); [exists 1; split; [lra|]; intros; ring|apply rd_linear].
            - pose proof (slope_until_s big Ar' Q' D' u 0 ltac:(lra) Hm ltac:(lra) ltac:(lra)). lra. }
          assert (Cf : forall a b, 0 <= a -> b <= big -> continuous_on f a b).
          { intros a b Ha Hb. unfold f. apply continuous_opp, continuous_plus.
            - apply continuous_scal, (continuous_sub 0 big); auto. destruct Hm as [_ _ T]. eapply free_continuous; exact T.
            - apply continuous_ext with (fun u => C * u + 0); [intros; ring|apply continuous_linear]. }
          assert (Lt : f (t3 j) < f s).
          { assert (Le : forall x y, t3 j <= x -> x <= y -> y <= s -> f x <= f y).
            { intros x y Hx Hxy Hy. assert (K : - f y <= - f x); [|lra].
              apply (nonincreasing x y (fun u => - f u) (fun u => threshold_slope sw D' 0 u + C)); auto.
              - apply continuous_opp, Cf; lra.
              - intros u Hu. destruct (Sl u ltac:(lra)) as [S1 S2]. split; [|lra]. eapply rd_eq; [apply rd_opp; exact S1|lra]. }
            destruct (Le (t3 j) s ltac:(lra) ltac:(lra) ltac:(lra)) as [K|K]; auto. exfalso.
            destruct (Sl (t3 j) ltac:(lra)) as [S1 S2].
            assert (E : - (threshold_slope sw D' 0 (t3 j) + C) = 0); [|lra].
            apply (rd_unique (t3 j) f); auto. apply rd_ext with (fun _ => f (t3 j)); [|apply rd_const].
            exists (s - t3 j). split; [lra|]. intros h Hh. apply Rle_antisym; [rewrite K; apply Le; lra|apply Le; lra]. }
          unfold f in Lt. destruct (Fall (t3 j) ltac:(lra) ltac:(lra) ltac:(lra)) as [E1 _]. rewrite Ff, E1 in Lt. lra. }
        rewrite (T_fall_at M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos j ltac:(lia)) in Inc. lra. }
      destruct Hm as [_ _ T].
      destruct (Rlt_dec s big) as [sb|sb]; [|exfalso; lra].
      assert (Dr : right_derivative (fun u => Q' j u - threshold sw Q' j u) s (D' j s - alpha * free_slope sw D' s)).
      { apply rd_minus; [apply (length_slope _ _ _ _ _ _ T); [simpl; lia|lra]|].
        apply rd_ext with (fun u => alpha * free sw Q' u); [exists 1; split; [lra|]; intros; unfold threshold; simpl; ring|].
        apply rd_scal. eapply free_has_slope; [exact T|lra]. }
      destruct (rd_stays_positive s _ _ Dr P) as (d & Hd & K). exists (Rmin tau (s + d)). split; [split; [apply Rmin_glb_lt; lra|apply Rmin_l]|].
      intros t Ht Hs. pose proof (Rmin_r tau (s + d)). specialize (K (t - s) ltac:(lra)). simpl in K. replace (s + (t - s)) with t in K by ring. lra. }
    assert (All : forall n, (n <= k)%nat -> exists e, t_k < e <= tau /\ forall j t, (j < n)%nat -> ends j <= t < e -> s <= t -> threshold sw Q' j t < Q' j t).
    { induction n; intros Hn; [exists tau; split; [lra|intros; lia]|]. destruct (IHn ltac:(lia)) as (e1 & He1 & K1). destruct (One n ltac:(lia)) as (e2 & He2 & K2).
      exists (Rmin e1 e2). pose proof (Rmin_l e1 e2). pose proof (Rmin_r e1 e2). split; [split; [apply Rmin_glb_lt; lra|lra]|].
      intros j t Hj Ht Hs. destruct (Nat.eq_dec j n) as [->|]; [apply K2; lra|apply K1; [lia|lra|lra]]. }
    apply (All k). lia. }
  destruct After as (e & He & Above).
  (* until then the lasting trajectory obeys the rule under the given arrivals, too *)
  assert (T' : trajectory sw Ar 0 e Q' D').
  { pose proof Hm as Hm'. destruct Hm' as [_ _ T]. split.
    - intros i t Hi Ht. apply (length_nonneg _ _ _ _ _ _ T); auto; lra.
    - intros i Hi. apply (continuous_sub 0 big); [lra|lra|apply (length_continuous _ _ _ _ _ _ T); auto].
    - intros i t Hi Ht. apply (length_slope _ _ _ _ _ _ T); auto; lra.
    - intros i t Hi Ht. pose proof (length_rule _ _ _ _ _ _ T i t Hi ltac:(lra)) as O. simpl in Hi.
      assert (Same : Ar i t = Ar' i t \/ ((i < k)%nat /\ ends i <= t)).
      { unfold Ar'. destruct (Nat.ltb_spec i M) as [c|c].
        - destruct (Nat.lt_ge_cases i k) as [d|d]; [|left; apply rates; [lia|lra]].
          destruct (Rlt_dec t (ends i)) as [g|g]; [left; apply rates_before; auto; lra|right; split; [auto|lra]].
        - left. destruct (Rlt_dec t tau); [reflexivity|lra]. }
      destruct Same as [E|[Hik He']].
      + unfold obeys, highest in *. rewrite E. exact O.
      + destruct O as (O1 & O2 & O3). specialize (ends_later i Hik).
        assert (Ge : threshold sw Q' i t <= Q' i t /\ (Q' i t = threshold sw Q' i t -> threshold_slope sw D' i t < - C)).
        { destruct (Rlt_dec t s) as [c|c].
          - split; [|intros _; apply (slope_until_s big Ar' Q' D' t i); auto; lra].
            destruct (Fall t ltac:(lra) ltac:(lra) ltac:(lra)) as [Ff Fw]. rewrite (Fw i ltac:(lia)). unfold threshold. rewrite Ff. simpl.
            rewrite (W_fall_after M N alpha B C R C_pos overloaded L stage i t) by (try lia; lra).
            pose proof (t31_pos M N alpha B C R alpha_pos B_pos C_pos overloaded L stage i ltac:(lia)).
            pose proof (threshold_falls M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos (t3 i) t ltac:(lra) ltac:(lra) ltac:(lra)) as Fa.
            rewrite (T_fall_at M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos i ltac:(lia)) in Fa. lra.
          - pose proof (Above i t Hik ltac:(lra) ltac:(lra)). split; intros; lra. }
        destruct Ge as [Ge1 Ge2]. split; [intros; lra|]. split; [exact O2|]. intros Eq. rewrite (O3 Eq). specialize (Ge2 Eq).
        pose proof (rates_before i t Hik ltac:(lra)) as [_ Hp]. pose proof (overloaded i ltac:(lia)).
        assert (Ll : - C <= lowest sw i (Q' i t)) by (unfold lowest; simpl; destruct (Rlt_dec 0 (Q' i t)); [lra|]; pose proof (Rmax_l 0 (- C)); lra).
        pose proof (lowest_le_highest sw Ar i (Q' i t) t Hp) as L1.
        assert (Hp' : 0 <= Ar' i t) by (unfold Ar'; destruct (Nat.ltb_spec i M); [lra|lia]).
        pose proof (lowest_le_highest sw Ar' i (Q' i t) t Hp') as L2.
        rewrite !clip_low by lra. reflexivity. }
  assert (Sane : sane sw Ar 0 e).
  { split; simpl; [intros; lra|]. intros i t Hi Ht. destruct (class_of M N Z i Hi) as [c|[c|c]].
    - destruct (Nat.lt_ge_cases i k) as [d|d]; [apply rates_before; auto; lra|rewrite rates by (try lia; lra); specialize (overloaded i c); lra].
    - pose proof (steady i t c ltac:(lra)). lra.
    - apply (others i t c). lra. }
  assert (U : forall i, (i < M + N + Z)%nat -> (forall t, 0 <= t <= e -> Q i t = Q' i t) /\ (forall t, 0 <= t < e -> D i t = D' i t)).
  { apply (fluid_unique sw Ar 0 e Q D Q' D' Sane); auto; [apply trajectory_shorten with tau; auto; lra|]. simpl. destruct Hm as [_ SS _].
    intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]].
    - rewrite (burst_empty _ _ _ _ _ _ _ starts i c), (burst_empty _ _ _ _ _ _ _ SS i c). reflexivity.
    - rewrite (steady_on_threshold _ _ _ _ _ _ _ starts i c), (steady_on_threshold _ _ _ _ _ _ _ SS i c).
      unfold threshold. rewrite (eq16_initial_free M N Z alpha B C Q alpha_pos starts), (eq16_initial_free M N Z alpha B C Q' alpha_pos SS). reflexivity.
    - rewrite (other_empty _ _ _ _ _ _ _ starts i c), (other_empty _ _ _ _ _ _ _ SS i c). reflexivity. }
  exists e, big, Ar', Q', D'. split; [exact He|]. split; [lra|]. split; [exact Hm|]. split; [exact U|].
  intros t Ht. rewrite rates by (try lia; lra). unfold Ar'. destruct (Nat.ltb_spec k M); [reflexivity|lia].
Qed.

Theorem step_drop :
  (forall u, 0 <= u < t_k -> rejected sw Ar Q D k u = 0) /\
  exists d, 0 < d /\ forall u, t_k <= u < t_k + d -> u < tau -> 0 < rejected sw Ar Q D k u.
Proof.
  destruct as_if_lasting as (e & big & Ar' & Q' & D' & He & Hb & Hm & U & EA).
  pose proof tk_le_s as [Tk1 _]. pose proof (L_le M N alpha C R L stage) as HL.
  assert (Rej : forall u, 0 <= u < e -> rejected sw Ar Q D k u = rejected sw Ar' Q' D' k u).
  { intros u Hu. destruct (U k ltac:(lia)) as [UQ UD]. unfold rejected, highest. rewrite UQ, UD, EA by lra. reflexivity. }
  pose proof (theorem3 M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos big Ar' Q' D' ltac:(lra) Hm k k_stage) as K.
  cbv zeta in K. destruct K as [_ K]. change (fst (recursion31 M N alpha B C R (S k))) with t_k in K.
  destruct (K ltac:(lra)) as ((K1 & _) & _ & K3). split.
  - intros u Hu. rewrite Rej by lra. apply K1. lra.
  - exists (e - t_k). split; [lra|]. intros u Hu _. rewrite Rej by lra. apply K3. lra.
Qed.

(** Stage i <= k, in which the bursts before i may have ended: the lengths are those of [stage3]; and F_k is free at t_k. *)
Theorem step_lengths :
  (forall i t, (i <= k)%nat -> 0 <= t <= t_k -> (forall j, (j < i)%nat -> t3 j <= t) -> (forall j, (i <= j < L)%nat -> t <= t3 j) ->
     let (ti, Fi) := recursion31 M N alpha B C R i in
     free sw Q t = Fi - (G M C R i - INR (N + i) * C) * (t - ti) /\
     (forall j, (j < i)%nat -> Q j t = (R j - C) * t3 j - C * (t - t3 j) /\ threshold sw Q j t <= Q j t) /\
     (forall j, (i <= j < M)%nat -> Q j t = (R j - C) * t) /\
     (forall j, (M <= j < M + N)%nat -> Q j t = V0 - C * t /\ threshold sw Q j t <= Q j t)) /\
  free sw Q t_k = snd (recursion31 M N alpha B C R (S k)).
Proof.
  destruct as_if_lasting as (e & big & Ar' & Q' & D' & He & Hb & Hm & U & _).
  pose proof tk_le_s as [Tk1 _]. pose proof (L_le M N alpha C R L stage) as HL.
  assert (EF : forall t, 0 <= t <= e -> free sw Q t = free sw Q' t).
  { intros t Ht. unfold free. f_equal. apply sum_ext. simpl. intros i Hi. apply (U i Hi). lra. }
  split.
  - intros i t Hi Ht Ha Hl.
    pose proof (stage3 M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L big Ar' Q' D' stage L_pos ltac:(lra) Hm i ltac:(lia) t ltac:(lra) Ha Hl) as K.
    destruct (recursion31 M N alpha B C R i) as [ti Fi]. destruct K as (K1 & K2 & K3 & K4 & _).
    unfold threshold in *. rewrite EF by lra. split; [exact K1|]. split; [|split].
    + intros j Hj. destruct (U j ltac:(lia)) as [E _]. rewrite E by lra. apply K2. exact Hj.
    + intros j Hj. destruct (U j ltac:(lia)) as [E _]. rewrite E by lra. apply K3. exact Hj.
    + intros j Hj. destruct (U j ltac:(lia)) as [E _]. rewrite E by lra. apply K4. exact Hj.
  - rewrite EF by lra.
    pose proof (theorem3 M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos big Ar' Q' D' ltac:(lra) Hm k k_stage) as K.
    cbv zeta in K. destruct K as [_ K]. change (fst (recursion31 M N alpha B C R (S k))) with t_k in K.
    destruct (K ltac:(lra)) as (_ & K2 & _). exact K2.
Qed.

End Port.
End StepDrop.
