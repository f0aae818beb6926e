(** DT/EDT paper, Section 3: bursts that end early, or come more slowly, never bring the first drop forward.

      [freer]             a switch of which some ports grow no faster has at least as much buffer free at every instant;
      [no_earlier_drop]   whatever the bursts to the M ports do below their rates R_i, no byte of them is lost before t_1; so a
                          burst that has ended by t_1 loses nothing at all.

    The comparison: (F' - F)^+ plus the sum of (Q_j' - Q_j)^+ over the other ports never grows.                *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 Solve Theorem2Mixed Theorem2 Theorem3 Theorem3Meeting Theorem3EveryPort CountersBounds Theorem1Evolution Theorem1Statements FreeBuffer FreeBufferExtremes FreeBufferUse ThresholdRule Theorem2Steps.
Open Scope R_scope.

(** ** The comparison *)

Section Compare.
Variables (sw : switch) (M : nat) (s tau : real) (Ar Ar' Q D Q' D' : nat -> real -> real).
Hypotheses (order : s <= tau) (M_ports : (M <= ports sw)%nat) (sane_sw : sane sw Ar s tau) (moves : trajectory sw Ar s tau Q D).
Hypothesis moves' : trajectory sw Ar' s tau Q' D'.
Hypothesis same_arrivals : forall i t, (M <= i < ports sw)%nat -> s <= t < tau -> Ar' i t = Ar i t.
Hypothesis grows_less : forall i t, (i < M)%nat -> s <= t < tau -> D i t <= D' i t.
Hypothesis starts : forall i, (i < ports sw)%nat -> Q i s = Q' i s.

Lemma obeys_same i t : (M <= i < ports sw)%nat -> s <= t < tau -> obeys sw Ar Q' D' i t.
Proof.
  intros Hi Ht. pose proof (length_rule _ _ _ _ _ _ moves' i t ltac:(lia) Ht) as K.
  unfold obeys, highest in *. rewrite (same_arrivals i t Hi Ht) in K. exact K.
Qed.

Notation behind t := (free sw Q' t - free sw Q t).
Notation dbehind t := (free_slope sw D' t - free_slope sw D t).

Definition lead (t : real) : real := Rmax 0 (behind t) + sum (ports sw - M) (fun i => Rmax 0 (Q' (M + i)%nat t - Q (M + i)%nat t)).

Lemma split_ports f : sum (ports sw) f = sum M f + sum (ports sw - M) (fun i => f (M + i)%nat).
Proof. replace (ports sw) with (M + (ports sw - M))%nat at 1 by lia. apply sum_split. Qed.

(** Where the free buffer is at least that of the other switch, its other queues grow at least as fast where they are shorter. *)
Lemma growth P E P' E' t i : s <= t < tau -> (i < ports sw - M)%nat -> obeys sw Ar P E (M + i) t -> obeys sw Ar P' E' (M + i) t ->
  (free sw P' t < free sw P t \/ (free sw P' t = free sw P t /\ free_slope sw E' t <= free_slope sw E t)) ->
  P (M + i)%nat t <= P' (M + i)%nat t -> E' (M + i)%nat t <= E (M + i)%nat t.
Proof.
  intros Ht Hi O O' HF Hq. destruct sane_sw as [Hg Ha]. destruct (Hg (M + i)%nat ltac:(lia)) as [Hgi Hsi].
  apply (rate_monotone sw Ar P E P' E' (M + i) t); auto.
  - apply Ha; [lia|auto].
  - unfold threshold. apply Rplus_le_compat_l, Rmult_le_compat_l; auto. destruct HF as [|[]]; lra.
  - unfold threshold, threshold_slope. intros K. destruct HF as [HF|[HF HS]].
    + assert (E0 : gain sw (M + i)%nat = 0) by (apply Rmult_eq_reg_r with (free sw P t - free sw P' t); lra). rewrite E0. lra.
    + apply Rmult_le_compat_l; auto.
Qed.

Lemma growth_below t i : s <= t < tau -> (i < ports sw - M)%nat ->
  (free sw Q' t < free sw Q t \/ (free sw Q' t = free sw Q t /\ free_slope sw D' t <= free_slope sw D t)) ->
  Q (M + i)%nat t <= Q' (M + i)%nat t -> D' (M + i)%nat t <= D (M + i)%nat t.
Proof. intros Ht Hi. apply growth; auto; [apply (length_rule _ _ _ _ _ _ moves); [lia|auto]|apply obeys_same; [lia|auto]]. Qed.

Lemma growth_above t i : s <= t < tau -> (i < ports sw - M)%nat ->
  (free sw Q t < free sw Q' t \/ (free sw Q t = free sw Q' t /\ free_slope sw D t <= free_slope sw D' t)) ->
  Q' (M + i)%nat t <= Q (M + i)%nat t -> D (M + i)%nat t <= D' (M + i)%nat t.
Proof. intros Ht Hi. apply growth; auto; [apply obeys_same; [lia|auto]|apply (length_rule _ _ _ _ _ _ moves); [lia|auto]]. Qed.

Lemma lead_falls t : s <= t <= tau -> lead t <= lead s.
Proof.
  intros Ht. apply (nonincreasing s t lead (fun u => max_slope 0 (behind u) 0 (dbehind u)
    + sum (ports sw - M) (fun i => max_slope 0 (Q' (M + i)%nat u - Q (M + i)%nat u) 0 (D' (M + i)%nat u - D (M + i)%nat u)))); [lra| |].
  - unfold lead. apply continuous_plus.
    + apply continuous_max; [apply continuous_const|]. apply continuous_minus; apply (continuous_sub s tau); try lra; eapply free_continuous; eauto.
    + apply continuous_sum. intros i Hi. apply continuous_max; [apply continuous_const|].
      apply continuous_minus; apply (continuous_sub s tau); try lra;
        [apply (length_continuous _ _ _ _ _ _ moves')|apply (length_continuous _ _ _ _ _ _ moves)]; lia.
  - intros u Hu. split.
    + unfold lead. apply rd_plus.
      * apply (rd_max u (fun _ => 0) (fun x => free sw Q' x - free sw Q x)); [apply rd_const|].
        apply rd_minus; eapply free_has_slope; eauto; lra.
      * apply rd_sum. intros i Hi. apply (rd_max u (fun _ => 0) (fun x => Q' (M + i)%nat x - Q (M + i)%nat x)); [apply rd_const|].
        apply rd_minus; [apply (length_slope _ _ _ _ _ _ moves')|apply (length_slope _ _ _ _ _ _ moves)]; try lia; lra.
    + assert (Hu' : s <= u < tau) by lra.
      assert (Cases : (free sw Q' u < free sw Q u \/ (free sw Q' u = free sw Q u /\ free_slope sw D' u <= free_slope sw D u)) \/
                      (free sw Q u < free sw Q' u \/ (free sw Q u = free sw Q' u /\ free_slope sw D u <= free_slope sw D' u))).
      { destruct (Rtotal_order (free sw Q' u) (free sw Q u)) as [c|[c|c]]; [auto| |auto].
        destruct (Rle_dec (free_slope sw D' u) (free_slope sw D u)); [left|right]; right; split; lra. }
      destruct Cases as [c|c].
      * assert (S : sum (ports sw - M) (fun i => max_slope 0 (Q' (M + i)%nat u - Q (M + i)%nat u) 0 (D' (M + i)%nat u - D (M + i)%nat u)) <= 0).
        { apply Rle_trans with (sum (ports sw - M) (fun _ => 0)); [|rewrite sum_const; lra]. apply sum_le. intros i Hi.
          pose proof (growth_below u i Hu' Hi c) as K. unfold max_slope.
          destruct (Rlt_dec (Q' (M + i)%nat u - Q (M + i)%nat u) 0); [lra|]. destruct (Rlt_dec 0 (Q' (M + i)%nat u - Q (M + i)%nat u)).
          - specialize (K ltac:(lra)). lra.
          - specialize (K ltac:(lra)). apply Rmax_lub; lra. }
        assert (F : max_slope 0 (behind u) 0 (dbehind u) <= 0); [|lra]. unfold max_slope.
        destruct (Rlt_dec (behind u) 0); [lra|]. destruct (Rlt_dec 0 (behind u)); [destruct c as [|[]]; lra|].
        apply Rmax_lub; destruct c as [|[]]; lra.
      * assert (S : sum (ports sw - M) (fun i => max_slope 0 (Q' (M + i)%nat u - Q (M + i)%nat u) 0 (D' (M + i)%nat u - D (M + i)%nat u))
                    <= sum (ports sw - M) (fun i => D' (M + i)%nat u - D (M + i)%nat u)).
        { apply sum_le. intros i Hi. pose proof (growth_above u i Hu' Hi c) as K. unfold max_slope.
          destruct (Rlt_dec (Q' (M + i)%nat u - Q (M + i)%nat u) 0); [specialize (K ltac:(lra)); lra|].
          destruct (Rlt_dec 0 (Q' (M + i)%nat u - Q (M + i)%nat u)); [lra|]. specialize (K ltac:(lra)). apply Rmax_lub; lra. }
        assert (E : dbehind u = sum M (fun i => D i u - D' i u) - sum (ports sw - M) (fun i => D' (M + i)%nat u - D (M + i)%nat u)).
        { unfold free_slope. rewrite !split_ports, !sum_minus. ring. }
        assert (S' : sum M (fun i => D i u - D' i u) <= 0).
        { apply Rle_trans with (sum M (fun _ => 0)); [|rewrite sum_const; lra]. apply sum_le. intros i Hi. specialize (grows_less i u Hi Hu'). lra. }
        assert (F : max_slope 0 (behind u) 0 (dbehind u) <= dbehind u); [|lra]. unfold max_slope.
        destruct (Rlt_dec (behind u) 0); [destruct c as [|[]]; lra|]. destruct (Rlt_dec 0 (behind u)); [lra|].
        apply Rmax_lub; destruct c as [|[]]; lra.
Qed.

Theorem freer t : s <= t <= tau -> free sw Q' t <= free sw Q t /\ forall i, (i < M)%nat -> Q i t <= Q' i t.
Proof.
  intros Ht. split.
  - pose proof (lead_falls t Ht) as K.
    assert (Z : lead s = 0).
    { unfold lead, free. rewrite (sum_ext _ (fun i => Q' i s) (fun i => Q i s)) by (intros; symmetry; auto).
      rewrite Rminus_diag_eq, Rmax_left by lra. rewrite sum_zero; [lra|]. intros i Hi. rewrite (starts (M + i)%nat) by lia.
      rewrite Rminus_diag_eq, Rmax_left; lra. }
    rewrite Z in K. unfold lead in K.
    assert (P : 0 <= sum (ports sw - M) (fun i => Rmax 0 (Q' (M + i)%nat t - Q (M + i)%nat t))) by (apply sum_nonneg; intros; apply Rmax_l).
    pose proof (Rmax_r 0 (free sw Q' t - free sw Q t)). lra.
  - intros i Hi. assert (K : Q i t - Q' i t <= Q i s - Q' i s); [|rewrite (starts i) in K by lia; lra].
    apply (nonincreasing s t (fun u => Q i u - Q' i u) (fun u => D i u - D' i u)); [lra| |].
    + apply continuous_minus; apply (continuous_sub s tau); try lra;
        [apply (length_continuous _ _ _ _ _ _ moves)|apply (length_continuous _ _ _ _ _ _ moves')]; lia.
    + intros u Hu. split; [|specialize (grows_less i u Hi ltac:(lra)); lra].
      apply rd_minus; [apply (length_slope _ _ _ _ _ _ moves)|apply (length_slope _ _ _ _ _ _ moves')]; try lia; lra.
Qed.

End Compare.

(** ** Bursts of any shape below their rates *)

(** [short_bursts]: the scenario of Section 3, with any arrivals up to R_i at burst port i. *)
Record short_bursts (M N Z : nat) (alpha B C : real) (R : nat -> real) (tau : real) (Ar Q D : nat -> real -> real) : Prop := {
  short_rate : forall i t, (i < M)%nat -> 0 <= t < tau -> 0 <= Ar i t <= R i;
  short_steady : forall i t, (M <= i < M + N)%nat -> 0 <= t < tau -> C <= Ar i t;
  short_other : forall i t, (M + N <= i < M + N + Z)%nat -> 0 <= t < tau -> 0 <= Ar i t <= C;
  short_start : starts_steady M N Z alpha B C Q;
  short_moves : trajectory (dt_switch (M + N + Z) alpha B C) Ar 0 tau Q D
}.

(** t_1 of (14) or of (31). *)
Definition t_first (M N : nat) (alpha B C : real) (R : nat -> real) : real :=
  if Rle_dec (sum M (fun i => R i - C)) ((1 + alpha * INR N) * C / alpha)
  then fst (recursion14 M N alpha B C R 1) else fst (recursion31 M N alpha B C R 1).

Section NoEarlier.
Variables (M N Z : nat) (alpha B C : real) (R : nat -> real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C).
Hypothesis overloaded : forall i, (i < M)%nat -> C < R i.
Hypothesis sorted : forall i j, (i <= j < M)%nat -> R j <= R i.
Notation sw := (dt_switch (M + N + Z) alpha B C).
Notation t_1 := (t_first M N alpha B C R).

Lemma t_first_pos : 0 < t_1.
Proof.
  unfold t_first. destruct (Rle_dec _ _) as [c|c].
  - rewrite theorem2_closed_form by (auto; lia). simpl. apply t_closed_pos; auto.
  - destruct (not_condition2 M N alpha C R alpha_pos C_pos overloaded c) as (L & HL & H1).
    apply (t31_pos M N alpha B C R alpha_pos B_pos C_pos overloaded L HL 0). lia.
Qed.

Lemma t_first_is :
  (condition2 M N alpha C R -> t_1 = t_closed M N alpha B C R 0) /\
  (~ condition2 M N alpha C R -> t_1 = t31 M N alpha B C R 0).
Proof.
  unfold t_first, condition2. destruct (Rle_dec _ _) as [c|c]; split; intros K; try contradiction.
  - rewrite theorem2_closed_form by (auto; lia). reflexivity.
  - reflexivity.
Qed.

(** The trajectory of the bursts that last, under any arrivals at the other ports, ... *)
Lemma lasting_exists Ar tau : 0 <= tau -> tau <= t_1 -> burst_arrivals M N Z C (fun i _ => R i) 0 tau Ar ->
  exists Q D, micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D.
Proof.
  intros H0 Htau A. destruct t_first_is as [E1 E2].
  assert (Ex : exists Rate W w V v, (forall i t, Rate i t = R i) /\ class_trajectory M N alpha B C Rate 0 tau W w V v /\
            (forall i, (i < M)%nat -> W i 0 = 0) /\ V 0 = alpha * F0 N alpha B).
  { destruct (condition2_dec M N alpha C R) as [c|c].
    - destruct (start2 M N alpha B C R alpha_pos B_pos) as [S1 S2].
      exists (fun i _ => C + (R i - C)). do 4 eexists. split; [intros; ring|]. split; [|split; [exact S1|exact S2]].
      apply class2; auto.
    - destruct (not_condition2 M N alpha C R alpha_pos C_pos overloaded c) as (L & HL & H1).
      destruct (fall_start M N alpha B C R alpha_pos B_pos C_pos overloaded L HL) as (S1 & S2 & _).
      exists (fun i _ => R i). do 4 eexists. split; [reflexivity|]. split; [|split; [exact S1|exact S2]].
      apply fall_class; auto. rewrite (E2 c) in Htau.
      destruct (t31_sorted M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L HL 0 (L - 1) ltac:(lia) ltac:(lia)). lra. }
  destruct Ex as (Rate & W & w & V & v & ER & Cl & HW & HV).
  assert (A' : burst_arrivals M N Z C Rate 0 tau Ar).
  { split; intros i t Hi Ht; [rewrite ER; apply (burst_ports _ _ _ _ _ _ _ _ A)|apply (steady_ports _ _ _ _ _ _ _ _ A i)|apply (other_ports _ _ _ _ _ _ _ _ A i)]; auto. }
  exists (by_class M N W V), (by_class M N w v). split; auto.
  - assert (E : class_free M N B W V 0 = F0 N alpha B).
    { unfold class_free. rewrite (sum_zero M) by auto. rewrite HV. unfold F0. pose proof (steady_denominator N alpha alpha_pos). field. lra. }
    split; intros i Hi.
    + rewrite by_class_burst by auto. auto.
    + rewrite by_class_steady by auto. unfold threshold. rewrite free_by_class, E. simpl. lra.
    + apply by_class_other. lia.
  - apply (by_class_trajectory M N Z alpha B C Rate 0 tau); auto.
    intros i t Hi _. rewrite ER. specialize (overloaded i Hi). lra.
Qed.

(** ... grows at R_i - C below the threshold until t_1. *)
Lemma lasting_grows Ar Q D tau : 0 <= tau -> tau <= t_1 -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  forall i t, (i < M)%nat -> 0 <= t < tau -> D i t = R i - C /\ Q i t < threshold sw Q i t.
Proof.
  intros H0 Htau Hm i t Hi Ht. destruct t_first_is as [E1 E2].
  assert (Key : rejected sw Ar Q D i t = 0 /\ Q i t < threshold sw Q i t).
  { destruct (condition2_dec M N alpha C R) as [c|c].
    - rewrite (E1 c) in Htau.
      destruct (first_meeting_2 M N alpha B C R alpha_pos B_pos C_pos overloaded sorted c M_pos) as [P1 P2]. specialize (P2 i Hi).
      destruct (theorem2_closed M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted tau Ar Q D H0 c Hm i Hi) as (K & _).
      split; [apply K; lra|].
      destruct (meets_at M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted tau Ar Q D i H0 c Hm Hi) as (K' & _).
      apply K'; [|lra]. rewrite theorem2_closed_form by auto. simpl. lra.
    - rewrite (E2 c) in Htau. destruct (not_condition2 M N alpha C R alpha_pos C_pos overloaded c) as (L & HL & H1).
      pose proof (L_le M N alpha C R L HL) as HLM.
      assert (Sorted : forall j, (j < L)%nat -> t31 M N alpha B C R 0 <= t31 M N alpha B C R j).
      { intros j Hj. apply (t31_sorted M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L HL 0 j); lia. }
      pose proof (Sorted (L - 1)%nat ltac:(lia)) as Hs.
      destruct (theorem3_rejections M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L HL H1 tau Ar Q D H0 Hm i Hi)
        as (K1 & K2 & _ & _ & K5 & _). split.
      + rewrite K1 by lra. unfold w_fall. destruct (Nat.ltb_spec i L) as [d|d]; [|lra]. specialize (Sorted i d).
        destruct (Rlt_dec t (t31 M N alpha B C R i)); lra.
      + destruct (K5 t ltac:(lra) ltac:(lra)) as [EQ _]. rewrite EQ. unfold threshold. rewrite K2 by lra. simpl.
        assert (Ew : W_fall M N alpha B C R L i t = (R i - C) * t).
        { destruct (Nat.lt_ge_cases i L) as [d|d]; [|apply W_fall_rest; auto].
          apply (W_fall_before M N alpha B C R C_pos overloaded L HL); auto. specialize (Sorted i d). lra. }
        rewrite Ew.
        pose proof (threshold_falls M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L HL H1 t (t31 M N alpha B C R 0) ltac:(lra) ltac:(lra) Hs) as Fa.
        rewrite (T_fall_at M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L HL H1 0 ltac:(lia)) in Fa.
        pose proof (sorted 0 i ltac:(lia)). pose proof (overloaded 0 ltac:(lia)).
        pose proof (Rmult_lt_compat_l (R 0%nat) t (t31 M N alpha B C R 0) ltac:(lra) ltac:(lra)).
        pose proof (Rmult_le_compat_r t (R i) (R 0%nat) ltac:(lra) ltac:(lra)). lra. }
  destruct Key as [Rej Below]. split; auto. unfold rejected, highest in Rej. simpl in Rej. destruct Hm as [A _ _].
  rewrite (burst_ports _ _ _ _ _ _ _ _ A i t Hi Ht) in Rej. pose proof (overloaded i Hi).
  destruct (Rlt_dec 0 (Q i t)); [lra|]. rewrite Rmax_right in Rej; lra.
Qed.

(** No byte of a burst is lost before t_1, whatever the bursts do below their rates ... *)
Theorem no_earlier_drop tau Ar Q D : 0 <= tau -> short_bursts M N Z alpha B C R tau Ar Q D ->
  0 < t_1 /\
  (forall k t, (k < M)%nat -> 0 <= t < t_1 -> t < tau -> rejected sw Ar Q D k t = 0 /\ Q k t < threshold sw Q k t) /\
  (* ... so a burst that has ended by t_1 loses nothing *)
  (forall k d, (k < M)%nat -> d <= t_1 -> (forall t, d <= t < tau -> Ar k t = 0) ->
     forall t, 0 <= t < tau -> rejected sw Ar Q D k t = 0).
Proof.
  intros Htau [S1 S2 S3 S4 S5].
  assert (Sane : sane sw Ar 0 tau).
  { split; simpl; [intros; lra|]. intros i t Hi Ht. destruct (class_of M N Z i Hi) as [c|[c|c]].
    - apply S1; auto.
    - pose proof (S2 i t c Ht). lra.
    - apply (S3 i t c Ht). }
  assert (Main : forall k t, (k < M)%nat -> 0 <= t < t_1 -> t < tau -> rejected sw Ar Q D k t = 0 /\ Q k t < threshold sw Q k t).
  { pose (e := Rmin tau t_1). assert (e <= tau) by apply Rmin_l. assert (e <= t_1) by apply Rmin_r. pose proof t_first_pos as Tp.
    assert (He : 0 <= e) by (apply Rmin_glb; lra).
    pose (Ar' := fun i t => if (i <? M)%nat then R i else Ar i t).
    assert (A' : burst_arrivals M N Z C (fun i _ => R i) 0 e Ar').
    { split; intros i t Hi Ht; unfold Ar'; destruct (Nat.ltb_spec i M); try lia; auto; [apply S2|apply S3]; auto; lra. }
    destruct (lasting_exists Ar' e He ltac:(auto) A') as (Q' & D' & Hm).
    pose proof (lasting_grows Ar' Q' D' e He ltac:(auto) Hm) as Gr.
    assert (Less : forall i t, (i < M)%nat -> 0 <= t < e -> D i t <= D' i t).
    { intros i t Hi Ht. destruct (Gr i t Hi Ht) as [E _]. rewrite E.
      pose proof (rate_bounds sw Ar Q D i t (proj1 (S1 i t Hi ltac:(lra))) (length_rule _ _ _ _ _ _ S5 i t ltac:(simpl; lia) ltac:(lra))) as [_ K].
      pose proof (proj2 (S1 i t Hi ltac:(lra))). pose proof (overloaded i Hi). unfold highest in K. simpl in K.
      destruct (Rlt_dec 0 (Q i t)); [lra|]. assert (Rmax 0 (Ar i t - C) <= R i - C) by (apply Rmax_lub; lra). lra. }
    assert (Starts : forall i, (i < M + N + Z)%nat -> Q i 0 = Q' i 0).
    { destruct Hm as [_ SS _]. intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]].
      - rewrite (burst_empty _ _ _ _ _ _ _ S4 i c), (burst_empty _ _ _ _ _ _ _ SS i c). reflexivity.
      - rewrite (steady_on_threshold _ _ _ _ _ _ _ S4 i c), (steady_on_threshold _ _ _ _ _ _ _ SS i c).
        unfold threshold. rewrite (eq16_initial_free M N Z alpha B C Q alpha_pos S4), (eq16_initial_free M N Z alpha B C Q' alpha_pos SS). reflexivity.
      - rewrite (other_empty _ _ _ _ _ _ _ S4 i c), (other_empty _ _ _ _ _ _ _ SS i c). reflexivity. }
    assert (Fr : forall t, 0 <= t <= e -> free sw Q' t <= free sw Q t /\ forall i, (i < M)%nat -> Q i t <= Q' i t).
    { intros t Ht. apply (freer sw M 0 e Ar Ar' Q D Q' D'); auto.
      - simpl. lia.
      - destruct Sane as [G1 G2]. split; auto. intros; apply G2; auto; lra.
      - apply trajectory_shorten with tau; auto.
      - apply Hm.
      - intros i u Hi Hu. unfold Ar'. destruct (Nat.ltb_spec i M); [lia|reflexivity]. }
    intros k t Hk Ht Hlt. assert (Hte : 0 <= t < e) by (split; [lra|apply Rmin_glb_lt; lra]).
    destruct (Fr t ltac:(lra)) as [F1 F2]. specialize (F2 k Hk). destruct (Gr k t Hk Hte) as [_ B'].
    assert (Below : Q k t < threshold sw Q k t).
    { unfold threshold in *. simpl in *. pose proof (Rmult_le_compat_l alpha _ _ ltac:(lra) F1). lra. }
    split; auto. apply (grows_iff_overloaded sw Ar 0 tau Q D k t S5); [simpl; lia|lra|exact Below]. }
  split; [apply t_first_pos|]. split; [exact Main|].
  intros k d Hk Hd HA t Ht. destruct (Rlt_dec t d) as [c|c]; [apply Main; auto; lra|].
  destruct (balance sw Ar 0 tau Q D k t Sane S5 ltac:(simpl; lia) Ht) as (_ & K & _). rewrite HA in K by lra. lra.
Qed.

End NoEarlier.

(** For one rate t_1 is (10). *)
Theorem t_first_one_rate M N alpha B C R : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R ->
  t_first M N alpha B C (fun _ => R) = eq10_time M N alpha B C R.
Proof.
  intros HM Ha HB HC HR. destruct (equal_rates M N alpha B C R HM Ha HB HC HR) as (E1 & E2 & E3 & E4).
  unfold t_first. destruct (Rle_dec _ _) as [c|c]; fold (condition2 M N alpha C (fun _ => R)) in c.
  - rewrite E3, eq10_slow by (apply E1; exact c). reflexivity.
  - assert (Hs : ~ slow M N alpha C R) by (intros K; apply c, E1, K). rewrite (E4 Hs), eq10_fast by auto. reflexivity.
Qed.

(** The hypotheses can hold: Theorem 2's instance, in which the bursts last. *)
Theorem no_earlier_drop_instance : exists Ar Q D, short_bursts 2 1 0 1 6 1 rates2 4 Ar Q D.
Proof.
  destruct theorem2_instance as (_ & _ & _ & Ar & Q & D & [A S T]). exists Ar, Q, D. split; auto.
  - intros i t Hi Ht. rewrite (burst_ports _ _ _ _ _ _ _ _ A i t Hi Ht). unfold rates2. destruct i; lra.
  - intros i t Hi Ht. apply (steady_ports _ _ _ _ _ _ _ _ A); auto.
  - intros i t Hi Ht. lia.
Qed.
