(** DT/EDT paper, Sections 2.3 and 3: what holds of every trajectory, and how queues and threshold move in Theorem 1.

      [buffer_never_overfull]      0 <= F(t) <= B and 0 <= T(t) <= alpha B (Table 1);
      [drain_at_most_C]            no queue shrinks faster than C;
      [underloaded_stays_empty]    a port that is empty and offered at most C stays empty and loses nothing,
      [underloaded_changes_nothing]   and the other ports are as without it;
      [steady_state_stays]         n overloaded ports on the threshold: nothing changes;
      [evolution_a], [evolution_b] all lengths, the free buffer and the slope of the threshold, Figures 3a and 3b. *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds.
Open Scope R_scope.

(** ** Every trajectory *)

Theorem drain_at_most_C sw Ar s tau Q D i t : sane sw Ar s tau -> trajectory sw Ar s tau Q D ->
  (i < ports sw)%nat -> s <= t < tau -> - service sw i <= D i t.
Proof.
  intros [Hg Ha] H Hi Ht. destruct (Hg i Hi) as [_ Hs].
  pose proof (rate_bounds sw Ar Q D i t (Ha i t Hi Ht) (length_rule _ _ _ _ _ _ H i t Hi Ht)) as [K _].
  assert (- service sw i <= lowest sw i (Q i t)); [|lra].
  unfold lowest. destruct (Rlt_dec 0 (Q i t)); [lra|]. apply Rmax_r.
Qed.

Theorem underloaded_stays_empty sw Ar s tau Q D i : sane sw Ar s tau -> trajectory sw Ar s tau Q D ->
  (i < ports sw)%nat -> (forall t, s <= t < tau -> Ar i t <= service sw i) -> Q i s = 0 ->
  (forall t, s <= t <= tau -> Q i t = 0) /\ (forall t, s <= t < tau -> rejected sw Ar Q D i t = 0).
Proof.
  intros [Hg Ha] H Hi Hu H0.
  assert (Empty : forall t, s <= t <= tau -> Q i t = 0).
  { intros t Ht. apply Rle_antisym; [|apply (length_nonneg _ _ _ _ _ _ H); auto]. rewrite <- H0.
    apply (nonincreasing s t (Q i) (D i)); [lra| |].
    - apply (continuous_sub s tau); [lra|lra|]. apply (length_continuous _ _ _ _ _ _ H); auto.
    - intros u Hu'. split; [apply (length_slope _ _ _ _ _ _ H); auto; lra|].
      pose proof (rate_bounds sw Ar Q D i u (Ha i u Hi ltac:(lra)) (length_rule _ _ _ _ _ _ H i u Hi ltac:(lra))) as [_ K].
      assert (highest sw Ar i (Q i u) u <= 0); [|lra]. specialize (Hu u ltac:(lra)).
      unfold highest. destruct (Rlt_dec 0 (Q i u)); [lra|]. apply Rmax_lub; lra. }
  split; auto. intros t Ht. specialize (Hu t Ht).
  assert (Dz : D i t = 0).
  { apply (rd_unique t (Q i)); [apply (length_slope _ _ _ _ _ _ H); auto|].
    apply rd_ext with (fun _ => 0); [|apply rd_const]. exists (tau - t). split; [lra|]. intros; apply Empty; lra. }
  unfold rejected, highest. rewrite Empty, Dz by lra. destruct (Rlt_dec 0 0); [lra|]. rewrite Rmax_left; lra.
Qed.

(** ... and changes nothing for the other ports: without it their lengths are the same. *)
Theorem underloaded_changes_nothing n alpha B C Ar s tau Q D : sane (dt_switch (S n) alpha B C) Ar s tau ->
  trajectory (dt_switch (S n) alpha B C) Ar s tau Q D -> (forall t, s <= t < tau -> Ar n t <= C) -> Q n s = 0 ->
  trajectory (dt_switch n alpha B C) Ar s tau Q D /\
  forall Q' D', trajectory (dt_switch n alpha B C) Ar s tau Q' D' -> (forall i, (i < n)%nat -> Q' i s = Q i s) ->
    forall i t, (i < n)%nat -> s <= t <= tau -> Q' i t = Q i t.
Proof.
  intros Sane H Slow H0. destruct (underloaded_stays_empty (dt_switch (S n) alpha B C) Ar s tau Q D n Sane H ltac:(simpl; lia) Slow H0) as [Empty _].
  assert (Rest : forall t, s <= t < tau -> D n t = 0).
  { intros t Ht. apply (rd_unique t (Q n)); [apply (length_slope _ _ _ _ _ _ H); [simpl; lia|auto]|].
    apply rd_ext with (fun _ => 0); [exists (tau - t); split; [lra|]; intros h Hh; apply Empty; lra|apply rd_const]. }
  assert (Less : trajectory (dt_switch n alpha B C) Ar s tau Q D).
  { split.
    - intros i t Hi Ht. apply (length_nonneg _ _ _ _ _ _ H); [simpl in *; lia|auto].
    - intros i Hi. apply (length_continuous _ _ _ _ _ _ H). simpl in *. lia.
    - intros i t Hi Ht. apply (length_slope _ _ _ _ _ _ H); [simpl in *; lia|auto].
    - intros i t Hi Ht. pose proof (length_rule _ _ _ _ _ _ H i t ltac:(simpl in *; lia) Ht) as K.
      unfold obeys, threshold, threshold_slope, free, free_slope in *. simpl in *. rewrite (Empty t), (Rest t), !Rplus_0_r in K by lra. exact K. }
  split; [exact Less|]. intros Q' D' H' Same i t Hi Ht.
  apply (fluid_unique (dt_switch n alpha B C) Ar s tau Q' D' Q D); auto.
  destruct Sane as [G A]. split; [intros j Hj; apply (G j); simpl in *; lia|intros j u Hj Hu; apply A; [simpl in *; lia|auto]].
Qed.

(** The buffer is never overfull: where F = 0 it does not fall. *)
Theorem buffer_never_overfull n alpha B C Ar tau Q D : 0 <= tau -> 0 < alpha -> 0 < C ->
  sane (dt_switch n alpha B C) Ar 0 tau -> trajectory (dt_switch n alpha B C) Ar 0 tau Q D ->
  0 <= free (dt_switch n alpha B C) Q 0 ->
  forall t, 0 <= t <= tau ->
    0 <= free (dt_switch n alpha B C) Q t <= B /\
    forall i, 0 <= threshold (dt_switch n alpha B C) Q i t <= alpha * B.
Proof.
  intros Htau Ha HC Hsane H H0 t Ht. set (sw := dt_switch n alpha B C) in *.
  assert (Low : 0 <= free sw Q t).
  { assert (K : - Rmin (free sw Q t) 0 <= - Rmin (free sw Q 0) 0).
    { apply (nonincreasing 0 t (fun u => - Rmin (free sw Q u) 0)
               (fun u => - min_slope (free sw Q u) 0 (free_slope sw D u) 0)); [lra| |].
      - apply continuous_opp, continuous_min; [|apply continuous_const].
        apply (continuous_sub 0 tau); [lra|lra|]. eapply free_continuous; eauto.
      - intros u Hu. split.
        + apply rd_opp. apply (rd_min u (free sw Q) (fun _ => 0)); [|apply rd_const].
          eapply free_has_slope; [eauto|lra].
        + assert (Up : free sw Q u <= 0 -> free_slope sw D u < 0 -> False).
          { intros F1 F2. destruct Hsane as [Hg Hr].
            assert (S : sum (ports sw) (fun i => D i u) <= 0); [|unfold free_slope in F2; lra].
            apply Rle_trans with (sum (ports sw) (fun _ => 0)); [|rewrite sum_const; lra]. apply sum_le. intros i Hi.
            pose proof (length_rule _ _ _ _ _ _ H i u Hi ltac:(lra)) as (_ & R2 & R3).
            pose proof (length_nonneg _ _ _ _ _ _ H i u Hi ltac:(lra)) as Hq.
            assert (Tn : threshold sw Q i u <= 0).
            { unfold threshold. simpl. pose proof (Rmult_le_compat_l alpha (free sw Q u) 0). lra. }
            assert (Lz : lowest sw i (Q i u) <= 0).
            { unfold lowest. simpl. destruct (Rlt_dec 0 (Q i u)); [lra|]. apply Rmax_lub; lra. }
            destruct (Rlt_dec (threshold sw Q i u) (Q i u)) as [c|c]; [rewrite (R2 c); auto|].
            assert (E : Q i u = threshold sw Q i u) by lra. rewrite (R3 E).
            assert (Ts : threshold_slope sw D i u <= 0).
            { unfold threshold_slope. simpl. pose proof (Rmult_lt_compat_l alpha (free_slope sw D u) 0 Ha F2). lra. }
            unfold clip. apply Rmax_lub; [auto|]. eapply Rle_trans; [apply Rmin_l|exact Ts]. }
          unfold min_slope. destruct (Rlt_dec (free sw Q u) 0) as [c|c].
          * apply Rnot_lt_le. intros K. apply Up; lra.
          * destruct (Rlt_dec 0 (free sw Q u)); [lra|].
            assert (0 <= Rmin (free_slope sw D u) 0); [|lra]. apply Rmin_glb; [|lra].
            apply Rnot_lt_le. intros K. apply Up; lra. }
    rewrite (Rmin_right (free sw Q 0)) in K by lra. apply Rnot_lt_le. intros Hn. rewrite Rmin_left in K; lra. }
  assert (High : free sw Q t <= B).
  { unfold free. simpl. assert (0 <= sum n (fun i => Q i t)); [|lra].
    apply sum_nonneg. intros i Hi. apply (length_nonneg _ _ _ _ _ _ H i t Hi Ht). }
  split; [lra|]. intros i. unfold threshold. simpl.
  pose proof (Rmult_le_compat_l alpha 0 (free sw Q t)). pose proof (Rmult_le_compat_l alpha (free sw Q t) B). lra.
Qed.

(** Two queues of the same kind with the same arrivals and the same initial length are equal at all times. *)
Theorem equal_queues sw Ar s tau Q D i k : sane sw Ar s tau -> trajectory sw Ar s tau Q D ->
  (i < ports sw)%nat -> (k < ports sw)%nat -> gain sw i = gain sw k -> offset sw i = offset sw k -> service sw i = service sw k ->
  (forall t, s <= t < tau -> Ar i t = Ar k t) -> Q i s = Q k s -> forall t, s <= t <= tau -> Q i t = Q k t.
Proof.
  intros [Hg Ha] H Hi Hk Eg Eo Es Ea E0 t Ht.
  assert (Mono : forall a b u, (a < ports sw)%nat -> (b < ports sw)%nat -> gain sw a = gain sw b -> offset sw a = offset sw b ->
    service sw a = service sw b -> Ar a u = Ar b u -> s <= u < tau -> Q a u <= Q b u -> D b u <= D a u).
  { intros a b u Ha' Hb' Gab Oab Sab Aab Hu Hq. destruct (Hg a Ha') as [_ Hs].
    assert (Hl : forall q, lowest sw b q = lowest sw a q) by (intros; unfold lowest; rewrite Sab; auto).
    assert (Hh : forall q, highest sw Ar b q u = highest sw Ar a q u) by (intros; unfold highest; rewrite Sab, Aab; auto).
    assert (Th : threshold sw Q b u = threshold sw Q a u) by (unfold threshold; rewrite Gab, Oab; auto).
    assert (Ts : threshold_slope sw D b u = threshold_slope sw D a u) by (unfold threshold_slope; rewrite Gab; auto).
    pose proof (length_rule _ _ _ _ _ _ H a u Ha' Hu) as Ra. pose proof (length_rule _ _ _ _ _ _ H b u Hb' Hu) as Rb.
    pose proof (rate_bounds sw Ar Q D a u (Ha a u Ha' Hu) Ra) as Ba. pose proof (rate_bounds sw Ar Q D b u (Ha b u Hb' Hu) Rb) as Bb.
    rewrite Hl, Hh in Bb. pose proof (lowest_antitone sw a _ _ Hs Hq). pose proof (highest_antitone sw Ar a _ _ u Hq).
    destruct Ra as (A1 & A2 & A3). destruct Rb as (B1 & B2 & B3). rewrite Th in B1, B2, B3. rewrite Hl in B2, B3. rewrite Hh in B1, B3.
    destruct (Rlt_dec (Q a u) (threshold sw Q a u)) as [c|c]; [rewrite (A1 c); lra|].
    destruct (Rlt_dec (threshold sw Q a u) (Q b u)) as [c'|c']; [rewrite (B2 c'); lra|].
    assert (E : Q a u = Q b u) by lra. rewrite A3, B3 by lra. rewrite Ts, E. lra. }
  assert (K : Rabs (Q i t - Q k t) <= Rabs (Q i s - Q k s)).
  { apply (nonincreasing s t (fun u => Rabs (Q i u - Q k u)) (fun u => abs_slope (Q i u - Q k u) (D i u - D k u))); [lra| |].
    - apply continuous_abs, continuous_minus; apply (continuous_sub s tau); try lra; apply (length_continuous _ _ _ _ _ _ H); auto.
    - intros u Hu. split.
      + apply (rd_abs u (fun x => Q i x - Q k x)), rd_minus; apply (length_slope _ _ _ _ _ _ H); auto; lra.
      + assert (Mi := Mono i k u Hi Hk Eg Eo Es (Ea u ltac:(lra)) ltac:(lra)).
        assert (Mk := Mono k i u Hk Hi (eq_sym Eg) (eq_sym Eo) (eq_sym Es) (eq_sym (Ea u ltac:(lra))) ltac:(lra)).
        unfold abs_slope. destruct (Rlt_dec 0 (Q i u - Q k u)); [specialize (Mk ltac:(lra)); lra|].
        destruct (Rlt_dec (Q i u - Q k u) 0); [specialize (Mi ltac:(lra)); lra|].
        specialize (Mi ltac:(lra)). specialize (Mk ltac:(lra)). rewrite Rminus_diag_eq, Rabs_R0; lra. }
  rewrite E0, (Rminus_diag_eq (Q k s)), Rabs_R0 in K by auto.
  destruct (Req_dec (Q i t - Q k t) 0) as [|Hn]; [lra|]. apply Rabs_no_R0 in Hn. pose proof (Rabs_pos (Q i t - Q k t)). lra.
Qed.

(** N overloaded ports on the threshold, the others empty: Q_j = alpha B / (1 + alpha N) for ever. *)
Theorem steady_state_stays N Z alpha B C tau Ar Q D : 0 < alpha -> 0 < B -> 0 < C -> 0 <= tau ->
  micro_burst 0 N Z alpha B C (fun _ _ => C) tau Ar Q D ->
  forall t, 0 <= t <= tau ->
    free (dt_switch (N + Z) alpha B C) Q t = B / (1 + alpha * INR N) /\
    (forall j, (j < N)%nat -> Q j t = alpha * B / (1 + alpha * INR N)) /\
    (forall j, (N <= j < N + Z)%nat -> Q j t = 0).
Proof.
  intros Ha HB HC Htau H. pose proof (steady_denominator N alpha Ha) as Hn.
  assert (Fp : 0 < F0 N alpha B) by (apply Rdiv_lt_0_compat; auto).
  assert (EF : class_free 0 N B (fun _ _ => 0) (fun _ => alpha * F0 N alpha B) = fun _ => F0 N alpha B).
  { unfold class_free, F0. simpl. apply FunctionalExtensionality.functional_extensionality. intros. field. lra. }
  assert (ES : forall t, class_slope 0 N (fun _ _ => 0) (fun _ => 0) t = 0) by (intros; unfold class_slope; simpl; lra).
  destruct (micro_burst_unique 0 N Z alpha B C (fun _ _ => C) tau Ar Q D
    (fun _ _ => 0) (fun _ _ => 0) (fun _ => alpha * F0 N alpha B) (fun _ => 0)) as (UF & _ & UV & UO & _);
    auto; try (intros; lia).
  - split; try (intros; lia).
    + apply continuous_const.
    + intros. left. apply Rmult_lt_0_compat; auto.
    + intros. apply rd_const.
    + intros. rewrite EF. auto.
    + intros t Ht. right. rewrite EF, ES. repeat split; try lra. rewrite Rmax_left; lra.
  - intros t Ht. simpl in UF. rewrite UF by auto. rewrite EF. split; [reflexivity|]. split.
    + intros j Hj. rewrite (UV j t ltac:(lia) Ht). unfold F0. field. lra.
    + intros j Hj. apply UO; auto.
Qed.

(** ** Theorem 1: the whole evolution *)

Section Evolution.
Variables (M N Z : nat) (alpha B C R tau : real) (Ar Q D : nat -> real -> real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R) (tau_nonneg : 0 <= tau).
Hypothesis scenario : micro_burst M N Z alpha B C (fun _ _ => R) tau Ar Q D.

Notation m := (INR M).
Notation n := (INR N).
Notation r := (R - C).
Notation sw := (dt_switch (M + N + Z) alpha B C).
Notation t1 := (t_slow M N alpha B C R).
Notation t2 := (t_fast M N alpha B C R).
Notation t3 := (t_meet M N alpha B C).
Notation climb := (alpha * n * C / (1 + alpha * m)).

(** Figure 3a: threshold and steady queues fall together, the bursts grow, until all meet at t_1; then all rest. *)
Theorem evolution_a : slow M N alpha C R -> forall t, 0 <= t <= tau ->
  free sw Q t = F0 N alpha B - m * r / (1 + alpha * n) * Rmin t t1 /\
  (forall k, (k < M)%nat -> Q k t = r * Rmin t t1) /\
  (forall j, (M <= j < M + N)%nat -> Q j t = alpha * free sw Q t) /\
  (forall j, (M + N <= j < M + N + Z)%nat -> Q j t = 0) /\
  (forall i, t < tau -> right_derivative (threshold sw Q i) t (if Rlt_dec t t1 then - (alpha * m * r / (1 + alpha * n)) else 0)) /\
  (t1 <= t -> forall i, (i < M + N)%nat -> Q i t = alpha * B / (1 + alpha * (m + n))).
Proof.
  intros Hs. destruct (slow_start M N alpha B C R) as [S1 S2]; auto.
  destruct (micro_burst_unique M N Z alpha B C (fun _ _ => R) tau Ar Q D
     (W_slow M N alpha B C R) (w_slow M N alpha B C R) (V_slow M N alpha B C R) (v_slow M N alpha B C R))
    as (UF & UW & UV & UO & _); auto; [intros; lra|apply slow_class; auto|].
  pose proof (am_pos M alpha M_pos alpha_pos) as Ham. pose proof (an_pos N alpha alpha_pos) as Han.
  assert (EF : forall t, 0 <= t <= tau -> free sw Q t = F0 N alpha B - m * r / (1 + alpha * n) * Rmin t t1).
  { intros t Ht. rewrite UF by auto. apply slow_free; auto. }
  assert (E1 : r * t1 = alpha * B / (1 + alpha * (m + n))) by (unfold t_slow; field; repeat split; lra).
  intros t Ht. split; [auto|]. split; [intros k Hk; rewrite UW; auto|]. split; [|split; [intros; apply UO; auto|split]].
  - intros j Hj. rewrite (UV j) by auto. rewrite EF by auto. reflexivity.
  - intros i Hlt.
    apply rd_ext with (fun u => - (alpha * (m * r / (1 + alpha * n))) * Rmin u t1 + alpha * F0 N alpha B).
    + exists (tau - t). split; [lra|]. intros h Hh. unfold threshold. rewrite EF by lra. simpl. lra.
    + eapply rd_eq; [apply rd_stopped|]. destruct (Rlt_dec t t1); [field; lra|reflexivity].
  - intros Hle i Hi. destruct (Nat.lt_ge_cases i M) as [c|c].
    + rewrite UW by auto. unfold W_slow. rewrite Rmin_right by lra. exact E1.
    + rewrite (UV i) by (auto; lia). unfold V_slow. rewrite Rmin_right by lra.
      rewrite (F_slow_at_t1 M N alpha B C R) by auto. unfold F_slow. field. lra.
Qed.

(** Figure 3b: the steady queues drain at C, above the threshold, until they meet it at t_3; the bursts grow until they
    meet it at t_2 and rise with it from then on; from t_3 on all rest. *)
Theorem evolution_b : ~ slow M N alpha C R -> 0 < t2 < t3 /\ forall t, 0 <= t <= tau ->
  (forall k, (k < M)%nat -> Q k t = r * Rmin t t2 + climb * (Rmin t t3 - Rmin t t2)) /\
  (forall j, (M <= j < M + N)%nat -> Q j t = alpha * F0 N alpha B - C * Rmin t t3) /\
  (forall j, (M + N <= j < M + N + Z)%nat -> Q j t = 0) /\
  (forall k, (k < M)%nat -> t2 <= t -> Q k t = threshold sw Q k t) /\
  (forall k j, (k < M)%nat -> (M <= j < M + N)%nat -> 0 < t < t3 -> Q k t < Q j t) /\
  (forall i, t < tau -> right_derivative (threshold sw Q i) t
     (if Rlt_dec t t2 then - (alpha * (m * r - n * C)) else if Rlt_dec t t3 then climb else 0)) /\
  (t3 <= t -> forall i, (i < M + N)%nat -> Q i t = alpha * B / (1 + alpha * (m + n))).
Proof.
  intros Hs. destruct (fast_start M N alpha B C R) as [S1 S2]; auto.
  destruct (micro_burst_unique M N Z alpha B C (fun _ _ => R) tau Ar Q D
     (W_fast M N alpha B C R) (w_fast M N alpha B C R) (V_fast M N alpha B C) (v_fast M N alpha B C))
    as (UF & UW & UV & UO & _); auto; [intros; lra|apply fast_class; auto|].
  pose proof (am_pos M alpha M_pos alpha_pos) as Ham. pose proof (an_pos N alpha alpha_pos) as Han.
  pose proof (t2_lt_t3 M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded Hs) as H23.
  pose proof (t2_pos M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded Hs) as H2.
  pose proof (fast_den M N alpha C R M_pos alpha_pos C_pos overloaded Hs) as Hd.
  pose proof (fast_iff M N alpha C R M_pos alpha_pos Hs) as Hf.
  assert (Gap : forall t, 0 <= t <= tau -> alpha * free sw Q t - W_fast M N alpha B C R 0 t
                = ((1 + alpha * m) * r - alpha * n * C) * (t2 - Rmin t t2)).
  { intros t Ht. rewrite UF by auto. apply fast_gap_burst; auto. }
  assert (Gap3 : forall t, 0 <= t <= tau -> V_fast M N alpha B C t - alpha * free sw Q t
                = (alpha * m * (r - climb)) * Rmin t t2 - (C + alpha * n * C - alpha * m * climb) * Rmin t t3).
  { intros t Ht. rewrite UF by auto. apply fast_gap_steady; auto. }
  pose proof (fast_meet M N alpha B C R M_pos alpha_pos C_pos overloaded Hs) as Meet.
  pose proof (fast_close_pos M N alpha C M_pos alpha_pos C_pos) as Close.
  assert (Final : r * t2 + climb * (t3 - t2) = alpha * B / (1 + alpha * (m + n))).
  { unfold t_fast, t_meet. field. repeat split; lra. }
  split; [lra|]. intros t Ht. split; [intros k Hk; rewrite UW; auto|]. split; [intros j Hj; rewrite (UV j); auto|].
  split; [intros; apply UO; auto|]. split; [|split; [|split]].
  - intros k Hk Hle. rewrite UW by auto. unfold threshold. pose proof (Gap t Ht) as G.
    rewrite (Rmin_right t t2) in G by lra. rewrite (Rminus_diag_eq t2 t2), Rmult_0_r in G by auto.
    change (W_fast M N alpha B C R k t) with (W_fast M N alpha B C R 0 t). simpl. lra.
  - intros k j Hk Hj Ht3. rewrite UW, (UV j) by auto.
    change (W_fast M N alpha B C R k t) with (W_fast M N alpha B C R 0 t).
    pose proof (Gap t Ht) as G. pose proof (Gap3 t Ht) as G3.
    assert (P1 : 0 <= ((1 + alpha * m) * r - alpha * n * C) * (t2 - Rmin t t2)).
    { pose proof (Rmin_r t t2). apply Rmult_le_pos; lra. }
    assert (P2 : 0 < (alpha * m * (r - climb)) * Rmin t t2 - (C + alpha * n * C - alpha * m * climb) * Rmin t t3).
    { rewrite (Rmin_left t t3) by lra. destruct (Rlt_dec t t2) as [c|c].
      - rewrite Rmin_left by lra.
        replace (alpha * m * (r - climb) * t - (C + alpha * n * C - alpha * m * climb) * t)
          with ((alpha * m * r - (1 + alpha * n) * C) * t) by ring. apply Rmult_lt_0_compat; lra.
      - rewrite Rmin_right by lra. rewrite Meet.
        pose proof (Rmult_lt_0_compat _ (t3 - t) Close ltac:(lra)). lra. }
    lra.
  - intros i Hlt.
    assert (Ext : forall h, 0 <= h < tau - t -> threshold sw Q i (t + h)
       = alpha * (- (m * (r - climb))) * Rmin (t + h) t2 + (alpha * (n * C - m * climb) * Rmin (t + h) t3 + alpha * F0 N alpha B)).
    { intros h Hh. unfold threshold. rewrite UF by lra. rewrite fast_free by auto. simpl. ring. }
    apply rd_ext with (fun u => alpha * (- (m * (r - climb))) * Rmin u t2 + (alpha * (n * C - m * climb) * Rmin u t3 + alpha * F0 N alpha B)).
    + exists (tau - t). split; [lra|]. exact Ext.
    + eapply rd_eq; [apply rd_two_stops|].
      destruct (Rlt_dec t t2), (Rlt_dec t t3); try lra; field; lra.
  - intros Hle i Hi. destruct (Nat.lt_ge_cases i M) as [c|c].
    + rewrite UW by auto. unfold W_fast. rewrite !Rmin_right by lra. exact Final.
    + rewrite (UV i) by (auto; lia). unfold V_fast. rewrite Rmin_right by lra. unfold t_meet, F0. field. repeat split; lra.
Qed.

End Evolution.

(** The hypotheses can hold: Theorem1.v's instances, here with three idle ports. *)
Theorem evolution_a_instance : slow 1 1 1 1 2 /\ exists Ar Q D, micro_burst 1 1 3 1 6 1 (fun _ _ => 2) 3 Ar Q D.
Proof.
  split; [unfold slow; simpl; lra|]. apply theorem1_case_a_exists; try lra; try lia. unfold slow; simpl; lra.
Qed.

Theorem evolution_b_instance : ~ slow 1 1 1 1 7 /\ exists Ar Q D, micro_burst 1 1 3 1 6 1 (fun _ _ => 7) 3 Ar Q D.
Proof.
  split; [unfold slow; simpl; lra|]. apply theorem1_case_b_exists; try lra; try lia. unfold slow; simpl; lra.
Qed.

Theorem steady_state_stays_instance : exists Ar Q D, micro_burst 0 1 2 1 6 1 (fun _ _ => 1) 4 Ar Q D.
Proof.
  assert (E : forall t, class_free 0 1 6 (fun _ _ => 0) (fun _ => 3) t = 3) by (intros; unfold class_free; simpl; lra).
  assert (Es : forall t, class_slope 0 1 (fun _ _ => 0) (fun _ => 0) t = 0) by (intros; unfold class_slope; simpl; lra).
  do 3 eexists. apply (micro_burst_exists 0 1 2 1 6 1 (fun _ _ => 1) 4 (fun _ _ => 0) (fun _ _ => 0) (fun _ => 3) (fun _ => 0));
    try lra; try (intros; lia).
  - split; try (intros; lia).
    + apply continuous_const.
    + intros; lra.
    + intros; apply rd_const.
    + intros; rewrite E; lra.
    + intros t Ht. right. rewrite E, Es. repeat split; try lra. rewrite Rmax_left; lra.
  - unfold F0. simpl. lra.
Qed.
