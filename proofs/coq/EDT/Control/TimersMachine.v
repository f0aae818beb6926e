(** DT/EDT paper, Sections 4.2 to 4.4: what TM_2 must last, as a consequence of the ports' state machines.

    Equal bursts are recognised at phi = cn_2 / (R - C), which is not later than the drop of DT and than TM_1.
      [counter_frees]  the bursts grow at R - C and are uncontrolled from phi on, until TM_2 expires or the buffer is full, and not before;
      [counter_late]   if phi is later than one of the two, they are controlled until DT's drop;
      [before_full]    until then lengths are those under DT, and nothing is lost (whatever TM_1 is);
      [tm2_expires]    nothing is lost before the overflow or phi + TM_2; a port that holds more than its threshold then loses
                       all that comes;
      [eq81_machine]   with (81) the buffer is full before TM_2 expires, if the bursts last as long.                            *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds Theorem1Evolution Theorem5 Theorem1Statements FreeBuffer FreeBufferExtremes FreeBufferUse Theorem5Lengths ControlMachine Theorem5Timed.
Open Scope R_scope.

Section Expires.
Variables (M N Z : nat) (alpha B C R cn2 TM1 TM2 : real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R) (cn2_pos : 0 < cn2).
Hypotheses (TM1_pos : 0 < TM1) (TM2_pos : 0 < TM2).
Notation drop := (eq10_time M N alpha B C R).
Notation over := (overflow M N alpha B C R).
Notation sw := (dt_switch (M + N + Z) alpha B C).
Notation phi := (phi C R cn2).
Variables (tau : real) (last : nat -> port_state) (Ar Q D : nat -> real -> real).
Hypothesis arrivals : burst_arrivals M N Z C (fun _ _ => R) 0 tau Ar.
Hypothesis start : starts_steady M N Z alpha B C Q.
Hypothesis run : machine_run (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D tau last.
Hypothesis before_drop : phi <= drop.

(** The first loss, in the period in which t_DT falls. *)
Lemma some_period : exists k s, drop = INR k * period C R cn2 TM2 + s /\ 0 <= s < period C R cn2 TM2 /\ drop <= first_loss M N alpha B C R cn2 TM1 TM2 k s <= over.
Proof.
  destruct (in_a_period M N alpha B C R cn2 TM2) as (k & s & Ed & Hs); auto. exists k, s. split; [auto|]. split; [auto|].
  apply (loss_between M N alpha B C R cn2 TM1 TM2); auto.
Qed.

(** Until the counter is full. *)
Theorem before_full Q' D' t : starts_steady M N Z alpha B C Q' -> trajectory sw Ar 0 tau Q' D' -> 0 <= t <= phi -> t < tau ->
  (forall i, (i < M + N + Z)%nat -> Q i t = Q' i t) /\
  (t < phi -> forall i, (i < M)%nat -> rejected sw Ar Q D i t = 0 /\ rejected sw Ar Q' D' i t = 0).
Proof.
  intros S' T' Ht Htau. destruct some_period as (k & s & Ed & Hs & Hx).
  pose proof (state_until M N Z alpha B C R cn2 TM1 TM2 M_pos alpha_pos B_pos C_pos overloaded cn2_pos TM1_pos TM2_pos tau last Ar Q D arrivals start run k s Ed Hs t ltac:(lra) ltac:(lra)) as (E1 & E2 & E3).
  assert (Sub : forall b, b <= tau -> burst_arrivals M N Z C (fun _ _ => R) 0 b Ar) by (intros b Hb; apply (burst_part _ _ _ _ _ _ 0 tau); auto; lra).
  assert (Mp : t <= Rmin tau drop) by (apply Rmin_glb; lra).
  assert (Mb : Rmin tau drop <= tau) by apply Rmin_l. assert (Md : Rmin tau drop <= drop) by apply Rmin_r. assert (M0 : 0 <= 0 <= Rmin tau drop) by lra.
  destruct (controlled_until M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded 0 (Rmin tau drop) Ar Q' D' M0 (Sub _ Mb) (state_start M N Z alpha B C R alpha_pos Q' S') Md) as [K1 K2].
  { apply (trajectory_shorten sw Ar 0 tau); auto. }
  destruct (K1 t ltac:(lra)) as (F1 & F2 & F3). split.
  - intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]]; [rewrite E1, F1|rewrite E2, F2|rewrite E3, F3]; auto.
  - intros Hl i Hi. split.
    + apply (never_earlier M N Z alpha B C R cn2 TM1 TM2) with (tau := tau) (last := last); auto; lra.
    + apply K2; auto. split; [lra|]. apply Rmin_glb_lt; lra.
Qed.

Section InTime.
Hypothesis in_time : phi <= TM1.
Notation u := (phi + TM2).

Theorem tm2_expires :
  (forall i t, (i < M)%nat -> 0 <= t < tau -> t < over -> t < u -> rejected sw Ar Q D i t = 0) /\
  (u < tau -> u < over -> forall j, (j < M)%nat -> threshold sw Q j u < Q j u ->
     exists d, 0 < d /\ forall i t, (i < M)%nat -> u <= t < u + d -> t < tau -> rejected sw Ar Q D i t = R).
Proof.
  destruct some_period as (k & s & Ed & Hs & Hx). set (X := first_loss M N alpha B C R cn2 TM1 TM2 k s) in *.
  pose proof (phi_pos C R cn2 overloaded cn2_pos) as Pp.
  assert (K0 : drop < u -> X = Rmin u over).
  { intros Hd. assert (k = 0%nat).
    { destruct k as [|k]; [reflexivity|]. pose proof (multiples C R cn2 TM2 overloaded cn2_pos TM2_pos 1 (S k) ltac:(lia)) as Mk. simpl (INR 1) in Mk. unfold period in *. lra. }
    subst k. simpl INR in Ed. rewrite Rmult_0_l, Rplus_0_l in Ed. unfold X, first_loss, period. destruct (Rlt_dec TM1 phi); [lra|]. destruct (Rlt_dec s phi); [lra|].
    simpl INR. rewrite Rmult_1_l. reflexivity. }
  split.
  - intros i t Hi Ht Ho Hu. destruct (drop_time M N Z alpha B C R cn2 TM1 TM2) with (tau := tau) (last := last) (Ar := Ar) (Q := Q) (D := D) (k := k) (s0 := s) as [_ [K _]]; auto.
    apply K; [auto| |lra]. split; [lra|]. fold X. destruct (Rlt_dec drop u) as [c|c]; [rewrite K0 by auto; apply Rmin_glb_lt; auto|lra].
  - intros Ht Ho j Hj Above.
    assert (Hd : drop < u).
    { destruct (Rlt_dec drop u) as [c|c]; [auto|exfalso].
      pose proof (state_until M N Z alpha B C R cn2 TM1 TM2 M_pos alpha_pos B_pos C_pos overloaded cn2_pos TM1_pos TM2_pos tau last Ar Q D arrivals start run k s Ed Hs u ltac:(lra) ltac:(fold X; lra)) as S.
      unfold threshold in Above. rewrite (state_free M N Z alpha B C R M_pos sw Q u eq_refl eq_refl S) in Above. simpl in Above. rewrite (proj1 S j Hj) in Above.
      destruct (Theorem5Lengths.before_drop M N alpha B C R M_pos alpha_pos C_pos overloaded u) as (B1 & _ & B3).
      destruct (Rlt_dec u drop) as [g|g]; [specialize (B1 g)|specialize (B3 ltac:(lra))]; lra. }
    assert (EX : X = u) by (rewrite K0 by auto; apply Rmin_left; lra).
    assert (Cross : forall a e q, machine_run (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D a q -> phase (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D a e q -> a < u -> e <= tau -> e <= u).
    { intros a e q H1 H2 H3 H4. rewrite <- EX. apply (one_working M N Z alpha B C R cn2 TM1 TM2) with (tau := tau) (Ar := Ar) (Q := Q) (D := D) (k := k) (s0 := s) (s := a) (p := q); auto. fold X. lra. }
    destruct (begins_at (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D u tau last run ltac:(lra) Cross) as (e & q & H1 & H2 & H3).
    destruct (invariant M N Z alpha B C R cn2 TM1 TM2) with (tau := tau) (Ar := Ar) (Q := Q) (D := D) (k := k) (s0 := s) (t := u) (p := q) as (I1 & I2 & _ & I4); auto; [fold X; lra|].
    pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ H2) as Hue.
    assert (T : trajectory sw Ar u e Q D).
    { apply (trajectory_of (edt_state (M + N + Z) alpha B C q)); [|apply (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ H2)].
      apply all_controlled. intros i Hi. destruct (Nat.lt_ge_cases i M); [apply I4; auto; fold X; lra|apply I2; lia]. }
    destruct (controlled_above M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded u e Ar Q D) as (d & Hdd & K); auto.
    { apply (burst_part _ _ _ _ _ _ 0 tau); auto; lra. }
    exists (Rmin d (e - u)). split; [apply Rmin_pos; lra|]. intros i t Hi Hit Htt. pose proof (Rmin_l d (e - u)). pose proof (Rmin_r d (e - u)). apply K; auto; lra.
Qed.

(** The counter makes the bursts uncontrolled, when it is full and not before. *)
Theorem counter_frees t p : machine_run (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D t p -> t < tau -> t < over -> t < u ->
  forall i, (i < M)%nat -> (uncontrolled (p i) = true <-> phi <= t) /\ Q i t = (R - C) * t.
Proof.
  intros H Ht Ho Hu i Hi. destruct some_period as (k & s & Ed & Hs & Hx). pose proof (phi_pos C R cn2 overloaded cn2_pos) as Pp.
  assert (Hd : t < first_loss M N alpha B C R cn2 TM1 TM2 k s).
  { destruct (Rlt_dec t drop) as [c|c]; [lra|]. unfold first_loss, period in *. destruct (Rlt_dec TM1 phi); [lra|].
    assert (k = 0%nat) by (destruct k as [|k]; [reflexivity|]; pose proof (multiples C R cn2 TM2 overloaded cn2_pos TM2_pos 1 (S k) ltac:(lia)) as Mk; simpl (INR 1) in Mk; unfold period in *; lra).
    subst k. simpl INR in *. destruct (Rlt_dec s phi); [lra|]. apply Rmin_glb_lt; lra. }
  destruct (invariant M N Z alpha B C R cn2 TM1 TM2) with (tau := tau) (Ar := Ar) (Q := Q) (D := D) (k := k) (s0 := s) (t := t) (p := p) as (I1 & _ & I3 & _); auto; [lra|].
  split; [|apply (proj1 I1 i Hi)].
  assert (First : forall j, INR j * period C R cn2 TM2 <= t -> j = 0%nat).
  { destruct j as [|j]; [reflexivity|]. pose proof (multiples C R cn2 TM2 overloaded cn2_pos TM2_pos 1 (S j) ltac:(lia)) as Mj. simpl (INR 1) in Mj. unfold period in *. lra. }
  destruct (I3 Hd) as [[V _]|[(_ & j & Hj & Hc)|(_ & j & Hj & Hf)]]; [lra| |].
  - rewrite (First j) in Hj by lra. simpl INR in Hj. rewrite (proj1 (Hc i Hi)). split; [discriminate|lra].
  - rewrite (First j) in Hj by lra. simpl INR in Hj. rewrite (proj1 (Hf i Hi)). split; [lra|reflexivity].
Qed.

(** (81), with TM_2 for d. *)
Theorem eq81_machine R_min d_mb : C < R_min -> R_min <= R -> Rmax (B / (R_min - C)) d_mb <= TM2 ->
  over < u /\ d_mb < u /\ (u <= tau -> free sw Q over = 0 /\ forall i t, (i < M)%nat -> 0 <= t < over -> rejected sw Ar Q D i t = 0).
Proof.
  intros H1 H2 H3. pose proof (phi_pos C R cn2 overloaded cn2_pos) as Pp. pose proof (Rmax_l (B / (R_min - C)) d_mb). pose proof (Rmax_r (B / (R_min - C)) d_mb).
  pose proof (over_at_most M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Ho. pose proof (ports_ge M M_pos) as Hm.
  assert (Le : B / (INR M * (R - C)) <= B / (R_min - C)).
  { apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [lra|]. pose proof (Rmult_le_compat_r (R - C) 1 (INR M) ltac:(lra) Hm). lra. }
  assert (Hou : over < u) by lra. split; [exact Hou|]. split; [lra|]. intros Ht.
  destruct (first_at_over M N alpha B C R cn2 TM1 TM2) as (F1 & F2 & F3); auto; [lra|].
  pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Hd. split.
  - rewrite (state_free M N Z alpha B C R M_pos sw Q over eq_refl eq_refl); [apply F_edt_pos; auto|].
    apply (state_until M N Z alpha B C R cn2 TM1 TM2 M_pos alpha_pos B_pos C_pos overloaded cn2_pos TM1_pos TM2_pos tau last Ar Q D arrivals start run 0 drop F1 F2); [lra|rewrite F3; lra].
  - intros i t Hi Hit. apply tm2_expires; auto; lra.
Qed.

End InTime.
End Expires.

(** A counter that TM_1 or a loss resets before it is full leaves the bursts to DT. *)
Theorem counter_late M N Z alpha B C R cn2 TM1 TM2 : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R -> 0 < cn2 -> 0 < TM1 -> 0 < TM2 ->
  forall tau last Ar Q D, burst_arrivals M N Z C (fun _ _ => R) 0 tau Ar -> starts_steady M N Z alpha B C Q ->
  machine_run (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D tau last -> eq10_time M N alpha B C R < phi C R cn2 \/ TM1 < phi C R cn2 ->
  forall t p, machine_run (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D t p -> t < tau -> t <= eq10_time M N alpha B C R ->
  forall i, (i < M)%nat -> uncontrolled (p i) = false.
Proof.
  intros HM Ha HB HC HR Hc H1 H2 tau last Ar Q D arrivals start run late t p H Ht Hd i Hi.
  destruct (in_a_period M N alpha B C R cn2 TM2) as (k & s & Ed & Hs); auto. pose proof (phi_pos C R cn2 HR Hc) as Pp.
  assert (EX : first_loss M N alpha B C R cn2 TM1 TM2 k s = eq10_time M N alpha B C R).
  { unfold first_loss, period in *. destruct (Rlt_dec TM1 (phi C R cn2)); [reflexivity|].
    destruct (Rlt_dec s (phi C R cn2)); [reflexivity|]. pose proof (started_early C R cn2 TM2 HR Hc H2 k) as E. unfold period in E. lra. }
  destruct (invariant M N Z alpha B C R cn2 TM1 TM2) with (tau := tau) (Ar := Ar) (Q := Q) (D := D) (k := k) (s0 := s) (t := t) (p := p) as (_ & _ & I3 & I4); auto; [lra|].
  destruct (Rlt_dec t (eq10_time M N alpha B C R)) as [c|c]; [|apply I4; auto; lra].
  destruct (I3 ltac:(lra)) as [(_ & t0 & _ & _ & K)|[(_ & j & _ & K)|(V & j & Hj & _)]]; [apply K; auto|apply K; auto|].
  pose proof (started_early C R cn2 TM2 HR Hc H2 j) as E. lra.
Qed.
