(** DT/EDT paper, Section 4: the first loss under EDT for any counting number and timers (edt.ours.drop-time), and Theorem 5.

    Equal bursts begin together at empty queues beside steady ports; [machine_run] says what the ports do. Until the first loss C_2 of
    a burst counts the growth of its queue, R - C. If TM_1 expires first, that is if TM_1 < phi = cn_2 / (R - C), it does so again and
    again, and the ports stay controlled. If not, with L = phi + TM_2, they are controlled from k L to k L + phi for every k, and
    uncontrolled in between, until the buffer overflows. The other ports count nothing and are controlled all the time.
      [drop_time]       the first loss is at t_DT, or at the end of the phase in which t_DT falls, or at the overflow;
      [never_earlier]   so it is never earlier than under DT;
      [bytes_lost]      every burst has lost bytes from then on, and none before;
      [theorem5_run], [theorem5_overflows]     if the bursts are recognised in time and TM_2 is long enough, the machine does what Theorem 5
                        supposes, and every burst loses bytes from the overflow on;
      [theorem5_bound]  whatever the settings are, every burst that is longer than B / (M (R - C)) has lost bytes.                *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds Theorem1Evolution Theorem5 Theorem1Statements FreeBuffer FreeBufferExtremes FreeBufferUse ThresholdRule Recovery Theorem5Lengths RecoveryBytesLost ControlMachine.
Open Scope R_scope.

Section Timed.
Variables (M N Z : nat) (alpha B C R cn2 TM1 TM2 : real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R) (cn2_pos : 0 < cn2).
Hypotheses (TM1_pos : 0 < TM1) (TM2_pos : 0 < TM2).

Notation r := (R - C).
Notation drop := (eq10_time M N alpha B C R).
Notation over := (overflow M N alpha B C R).
Notation sw := (dt_switch (M + N + Z) alpha B C).
Notation esw := (edt_switch M (M + N + Z) alpha B C).
Definition phi : real := cn2 / (R - C).
Definition period : real := phi + TM2.

(** The first loss, given that t_DT = k L + s with 0 <= s < L. *)
Definition first_loss (k : nat) (s : real) : real :=
  if Rlt_dec TM1 phi then drop else if Rlt_dec s phi then drop else Rmin (INR (S k) * period) over.

Lemma phi_pos : 0 < phi.
Proof. apply Rdiv_lt_0_compat; lra. Qed.

Lemma phi_counts x : (cn2 <= r * x <-> phi <= x) /\ (r * x < cn2 <-> x < phi).
Proof.
  assert (E : r * phi = cn2) by (unfold phi; field; lra). rewrite <- E.
  split; split; [apply Rmult_le_reg_l|apply Rmult_le_compat_l|apply Rmult_lt_reg_l|apply Rmult_lt_compat_l]; lra.
Qed.

Lemma period_pos : 0 < period.
Proof. pose proof phi_pos. unfold period. lra. Qed.

Lemma multiples i j : (i <= j)%nat -> INR i * period <= INR j * period.
Proof. intros H. apply Rmult_le_compat_r; [pose proof period_pos; lra|apply le_INR, H]. Qed.

Lemma next j : INR (S j) * period = INR j * period + phi + TM2.
Proof. rewrite S_INR. unfold period. ring. Qed.

Lemma started_early j : 0 <= INR j * period.
Proof. apply Rmult_le_pos; [apply pos_INR|pose proof period_pos; lra]. Qed.

Section Run.
Variables (tau : real) (last : nat -> port_state) (Ar Q D : nat -> real -> real).
Hypothesis arrivals : burst_arrivals M N Z C (fun _ _ => R) 0 tau Ar.
Hypothesis start : starts_steady M N Z alpha B C Q.
Notation machine := (machine_run (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D).
Notation one_phase := (phase (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D).
Notation after := (passed (M + N + Z) alpha B C Ar Q D).
Notation does := (acted C cn2 TM1 TM2).
Notation full := (buffer_overflows (M + N + Z) alpha B C Ar Q).
Notation state := (state M N Z alpha B C R Q).
Hypothesis run : machine tau last.

Lemma sub_arrivals a b : 0 <= a -> b <= tau -> burst_arrivals M N Z C (fun _ _ => R) a b Ar.
Proof. intros Ha Hb. apply (burst_part _ _ _ _ _ _ 0 tau); auto. Qed.

(** ** The states of the ports *)

Definition others (p : nat -> port_state) : Prop := forall j, (M <= j < M + N + Z)%nat -> uncontrolled (p j) = false /\ counter (p j) = 0.
Definition counting (p : nat -> port_state) (t0 t : real) : Prop :=
  forall i, (i < M)%nat -> uncontrolled (p i) = false /\ counter (p i) = r * (t - t0) /\ (t0 < t -> started (p i) = t0).
Definition freed (p : nat -> port_state) (t0 : real) : Prop := forall i, (i < M)%nat -> uncontrolled (p i) = true /\ started (p i) = t0.

Lemma none_free p t0 t : others p -> counting p t0 t -> forall i, (i < M + N + Z)%nat -> uncontrolled (p i) = false.
Proof. intros Ho Hc i Hi. destruct (Nat.lt_ge_cases i M); [apply Hc; auto|apply Ho; lia]. Qed.

Lemma bursts_free p t0 : others p -> freed p t0 -> same_switch (edt_state (M + N + Z) alpha B C p) esw.
Proof.
  intros Ho Hf. assert (E : forall i, (i < M + N + Z)%nat -> uncontrolled (p i) = (i <? M)%nat).
  { intros i Hi. destruct (Nat.ltb_spec i M); [apply Hf; auto|apply Ho; lia]. }
  split; [reflexivity|]. split; [reflexivity|]. simpl. intros i Hi. rewrite (many_first _ M), E by (auto; lia). destruct (i <? M)%nat; auto.
Qed.

(** A steady queue does not grow, a quiet one is empty: neither counts anything. *)
Lemma others_count s e p : one_phase s e p -> (forall t, s <= t <= e -> state t) -> others p -> forall t, s < t < e \/ t = e ->
  others (fun i => does t (Ar i t) (after s t p i)).
Proof.
  intros Hp Hs Ho t Ht j Hj. destruct (Ho j Hj) as [Hc H0]. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hse.
  assert (Dj : D j s <= 0).
  { pose proof (length_slope _ _ _ _ _ _ (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) j s ltac:(simpl; lia) ltac:(lra)) as Hd.
    pose proof (kappa_bounds M N alpha C R M_pos alpha_pos C_pos overloaded) as [_ Kp].
    destruct (Nat.lt_ge_cases j (M + N)) as [c|c].
    - rewrite (rd_unique s (Q j) (D j s) (kappa M N alpha C R)); auto.
      apply rd_ext with (V_edt M N alpha B C R); [|apply V_edt_slope]. exists (e - s). split; [lra|]. intros h Hh.
      destruct (Hs (s + h) ltac:(lra)) as (_ & S & _). apply S. lia.
    - rewrite (rd_unique s (Q j) (D j s) 0); auto; [lra|].
      apply rd_ext with (fun _ => 0); [|apply rd_const]. exists (e - s). split; [lra|]. intros h Hh.
      destruct (Hs (s + h) ltac:(lra)) as (_ & _ & S). apply S. lia. }
  assert (E : after s t p j = Port false 0 s).
  { unfold passed. rewrite Hc, H0. destruct (Rlt_dec 0 0); [lra|]. f_equal.
    destruct (Rlt_dec 0 (rejected _ _ _ _ _ _)); [reflexivity|]. apply Rmax_left.
    pose proof (Rmult_le_compat_r (t - s) (D j s) 0 ltac:(lra) Dj). lra. }
  rewrite E. unfold acted. simpl. destruct (Rle_dec cn2 0); [lra|]. destruct (Rlt_dec 0 0); [lra|]. auto.
Qed.

(** A phase in which all are controlled ends at the drop of DT at the latest, and nothing is lost in it. *)
Lemma controlled_phase s e p t0 : one_phase s e p -> 0 <= t0 <= s -> s < drop -> e <= tau -> state s -> others p -> counting p t0 s ->
  e <= drop /\ (forall t, s <= t <= e -> state t) /\ (forall i t, (i < M)%nat -> s <= t < e -> rejected sw Ar Q D i t = 0) /\
  (forall i t, (i < M)%nat -> s <= t -> after s t p i = Port false (r * (t - t0)) t0) /\
  (forall t, s < t < e -> t - t0 < phi /\ t < t0 + TM1).
Proof.
  intros Hp Ht0 Hd He Ss Ho Hc. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hse.
  assert (T : trajectory sw Ar s e Q D).
  { apply (trajectory_of (edt_state (M + N + Z) alpha B C p)); [apply all_controlled, (none_free p t0 s); auto|apply (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ Hp)]. }
  assert (At : forall i, (i < M)%nat -> D i s = r /\ rejected sw Ar Q D i s = 0).
  { intros i Hi. pose proof (Rmin_l e drop). pose proof (Rmin_r e drop). assert (s < Rmin e drop) by (apply Rmin_glb_lt; lra).
    apply (controlled_until M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded s (Rmin e drop) Ar Q D); auto; try lra.
    - apply sub_arrivals; lra.
    - apply trajectory_shorten with e; auto. }
  assert (He' : e <= drop).
  { destruct (Rle_dec e drop) as [c|c]; [auto|exfalso].
    pose proof (controlled_after M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded s e Ar Q D ltac:(lra) (sub_arrivals s e ltac:(lra) He) Ss ltac:(lra) (sub_arrivals 0 e ltac:(lra) He) T 0%nat drop ltac:(lia) ltac:(lra)) as L.
    apply (phase_straight _ _ _ _ _ _ _ _ _ _ _ _ _ Hp 0%nat drop ltac:(lia) ltac:(lra)) in L. unfold loses in L.
    destruct (At 0%nat ltac:(lia)) as [_ E]. lra. }
  destruct (controlled_until M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded s e Ar Q D ltac:(lra) (sub_arrivals s e ltac:(lra) He) Ss He' T) as [K1 K2].
  assert (P : forall i t, (i < M)%nat -> s <= t -> after s t p i = Port false (r * (t - t0)) t0).
  { intros i t Hi Ht. destruct (Hc i Hi) as (C1 & C2 & C3). destruct (At i Hi) as [E1 E2]. unfold passed. rewrite C1, C2, E1, E2.
    destruct (Rlt_dec 0 0); [lra|]. f_equal.
    - rewrite Rmax_right; [ring|]. pose proof (Rmult_le_pos r (t - t0) ltac:(lra) ltac:(lra)). lra.
    - destruct (Rlt_dec t0 s) as [c|c].
      + destruct (Rlt_dec 0 (r * (s - t0))) as [d|d]; [apply C3, c|]. pose proof (Rmult_lt_0_compat r (s - t0)). lra.
      + replace s with t0 by lra. destruct (Rlt_dec 0 (r * (t0 - t0))) as [d|d]; [|reflexivity]. lra. }
  split; [auto|]. split; [auto|]. split; [intros i t Hi Ht; apply K2; auto|]. split; [exact P|].
  intros t Ht. destruct (quiet_controlled _ _ _ _ _ _ _ _ _ _ s e p 0 t Hp ltac:(lia) Ht (proj1 (Hc 0%nat ltac:(lia)))) as [Q1 Q2].
  rewrite P in Q1, Q2 by (lia || lra).
  rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals 0%nat t) in Q1 by (lia || lra). split; [apply phi_counts, Q1; lra|].
  apply Q2. apply Rmult_lt_0_compat; lra.
Qed.

Lemma some_free q t : state t -> t < over -> ~ full t q.
Proof.
  intros Ss Ht (Fr & _). rewrite (state_free M N Z alpha B C R M_pos (edt_state (M + N + Z) alpha B C q) Q t eq_refl eq_refl Ss) in Fr.
  destruct (F_edt_pos M N alpha B C R M_pos alpha_pos C_pos overloaded t) as (F & _). lra.
Qed.

(** With the bursts uncontrolled the buffer overflows at t_over: full, it would grow, or the bursts would lose what comes. *)
Lemma overflow_at p t0 : over < tau -> state over -> others p -> freed p t0 -> full over p.
Proof.
  intros Ht Ss Ho Hf. pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Hdo.
  pose proof (bursts_free p t0 Ho Hf) as Same. pose proof (same_sym _ _ Same) as Same'.
  pose proof (state_free M N Z alpha B C R M_pos (edt_state (M + N + Z) alpha B C p) Q over eq_refl eq_refl Ss) as Fo.
  pose proof (state_free M N Z alpha B C R M_pos esw Q over eq_refl eq_refl Ss) as Fe.
  destruct (F_edt_pos M N alpha B C R M_pos alpha_pos C_pos overloaded over) as (_ & _ & F0). specialize (F0 eq_refl). rewrite F0 in Fo, Fe.
  pose proof (V_edt_nonneg M N alpha B C R M_pos alpha_pos C_pos overloaded over ltac:(lra)) as Vp. pose proof (ports_ge M M_pos) as Hm.
  pose proof (pos_INR N) as Hn. destruct Ss as (S1 & S2 & S3).
  pose (nv := INR N * V_edt M N alpha B C R over). assert (Nv : 0 <= nv) by (apply Rmult_le_pos; auto).
  assert (Full : INR M * (r * over) + nv = B) by (unfold F_edt in F0; fold nv in F0; lra).
  split; [exact Fo|]. split; [exists 0%nat; split; [lia|apply Hf; lia]|].
  pose (d := if Req_EM_T nv 0 then 0 else r). pose (k := if Req_EM_T nv 0 then 0 else - C).
  assert (Dv : (nv = 0 /\ r * over = B / INR M /\ d = 0 /\ k = 0) \/ (0 < nv /\ r * over < B / INR M /\ d = r /\ k = - C)).
  { destruct (Req_EM_T nv 0) as [z|z]; [left|right].
    - repeat split; auto. apply Rmult_eq_reg_l with (INR M); [|lra]. replace (INR M * (B / INR M)) with B by (field; lra). lra.
    - repeat split; auto; [lra|]. apply Rmult_lt_reg_l with (INR M); [lra|]. replace (INR M * (B / INR M)) with B by (field; lra). lra. }
  pose (v := by_class M N (fun _ _ => d) (fun _ => k)).
  assert (Sl : free_slope esw v over = - INR M * d - INR N * k).
  { unfold free_slope, v. simpl. rewrite sum_by_class, sum_const. ring. }
  assert (Ov : 0 < r * over) by (apply Rmult_lt_0_compat; lra).
  exists v. split.
  - intros i Hi. apply (same_obeys esw); auto. unfold obeys, threshold, threshold_slope. rewrite Fe, Sl. unfold highest, lowest. simpl.
    destruct (class_of M N Z i Hi) as [c|[c|c]].
    + unfold v. rewrite by_class_burst by auto. rewrite S1 by auto. rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals i over c) by lra.
      destruct (Nat.ltb_spec i M); [|lia]. rewrite !Rmult_0_l, Rplus_0_r. destruct (Rlt_dec 0 (r * over)); [|lra].
      repeat split; intros K; destruct Dv as [(z & E & -> & _)|(z & E & -> & _)]; try lra. symmetry. apply clip_inside. lra.
    + unfold v. rewrite by_class_steady by auto. rewrite S2 by auto. pose proof (steady_ports _ _ _ _ _ _ _ _ arrivals i over c ltac:(lra)) as Hs.
      destruct (Nat.ltb_spec i M); [lia|]. assert (Np : 1 <= INR N) by (apply ports_ge; lia).
      assert (V0 : nv = 0 <-> V_edt M N alpha B C R over = 0).
      { unfold nv. split; intros h; [destruct (Rmult_integral _ _ h); lra|rewrite h; ring]. }
      destruct Dv as [(z & E & -> & ->)|(z & E & -> & ->)].
      * rewrite (proj1 V0 z). destruct (Rlt_dec 0 0); [lra|]. repeat split; intros K; try lra.
        rewrite (Rmax_left 0 (- C)), (Rmax_right 0) by lra. symmetry. replace (alpha * (- INR M * 0 - INR N * 0)) with 0 by ring. apply clip_inside. lra.
      * destruct (Rlt_dec 0 (V_edt M N alpha B C R over)); [|lra]. repeat split; intros K; lra.
    + unfold v. rewrite by_class_other by lia. rewrite S3 by auto. pose proof (other_ports _ _ _ _ _ _ _ _ arrivals i over c ltac:(lra)) as Hs.
      destruct (Nat.ltb_spec i M); [lia|]. destruct (Rlt_dec 0 0); [lra|]. repeat split; intros K; try lra.
      rewrite !Rmax_left by lra. symmetry. apply Rle_antisym; [apply Rmax_lub; [lra|apply Rmin_r]|apply Rmax_l].
  - change (free_slope (edt_state (M + N + Z) alpha B C p) v over) with (free_slope esw v over).
    destruct Dv as [(z & E & -> & ->)|(z & E & -> & ->)].
    + right. exists 0%nat. split; [lia|]. split; [apply Hf; lia|]. unfold rejected, highest, v. simpl. rewrite by_class_burst by lia.
      rewrite S1 by lia. rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals 0%nat over) by (lia || lra). destruct (Rlt_dec 0 (r * over)); lra.
    + destruct (slow_dec M N alpha C R) as [c|c].
      * destruct (F_edt_slow M N alpha B C R alpha_pos over c) as [_ E2]. rewrite F0, Rmult_0_r in E2. unfold nv in z. rewrite E2 in z. lra.
      * apply fast_iff in c; auto. assert (0 < INR M * r - INR N * C); [|lra]. apply Rmult_lt_reg_l with alpha; lra.
Qed.

(** A phase in which the bursts are uncontrolled ends at the overflow at the latest. *)
Lemma free_phase s e p t0 : one_phase s e p -> 0 <= s < over -> e <= tau -> state s -> others p -> freed p t0 ->
  e <= over /\ (forall t, s <= t <= e -> state t) /\ (forall i t, (i < M)%nat -> s <= t < e -> rejected sw Ar Q D i t = 0) /\
  (forall i t, (i < M)%nat -> after s t p i = p i) /\ (forall t, s < t < e -> t < t0 + TM2).
Proof.
  intros Hp Hs He Ss Ho Hf. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hse.
  assert (T : trajectory esw Ar s e Q D).
  { apply (trajectory_of (edt_state (M + N + Z) alpha B C p)); [apply (bursts_free p t0); auto|apply (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ Hp)]. }
  assert (He' : e <= over).
  { destruct (Rle_dec e over) as [c|c]; [auto|exfalso].
    destruct (uncontrolled_until M N Z alpha B C R M_pos alpha_pos C_pos overloaded s over Ar Q D ltac:(lra) (sub_arrivals s over ltac:(lra) ltac:(lra)) Ss ltac:(lra)) as [K _].
    { apply trajectory_shorten with e; auto; lra. }
    apply (phase_quiet _ _ _ _ _ _ _ _ _ _ _ _ _ Hp over ltac:(lra)). apply (overflow_at p t0); auto; try lra. apply K. lra. }
  destruct (uncontrolled_until M N Z alpha B C R M_pos alpha_pos C_pos overloaded s e Ar Q D ltac:(lra) (sub_arrivals s e ltac:(lra) He) Ss He' T) as [K1 K2].
  split; [auto|]. split; [auto|]. split; [intros i t Hi Ht; apply K2; auto|]. split.
  - intros i t Hi. unfold passed. rewrite (proj1 (Hf i Hi)). reflexivity.
  - intros t Ht. destruct (Hf 0%nat ltac:(lia)) as [F1 F2]. rewrite <- F2. apply (quiet_uncontrolled _ _ _ _ _ _ _ _ _ _ s e p 0 t Hp); auto. lia.
Qed.

(** ** The schedule, up to the first loss *)

Lemma does_counting e t0 : 0 < e - t0 ->
  (phi <= e - t0 -> does e R (Port false (r * (e - t0)) t0) = Port true 0 e) /\
  (e - t0 < phi -> t0 + TM1 <= e -> does e R (Port false (r * (e - t0)) t0) = at_rest) /\
  (e - t0 < phi -> e < t0 + TM1 -> does e R (Port false (r * (e - t0)) t0) = Port false (r * (e - t0)) t0).
Proof.
  intros H. destruct (phi_counts (e - t0)) as [P1 P2]. pose proof (Rmult_lt_0_compat r (e - t0) ltac:(lra) H).
  unfold acted. cbn [uncontrolled counter started]. destruct (Rle_dec cn2 (r * (e - t0))) as [c|c].
  - destruct (Rlt_dec C R); [|lra]. repeat split; auto; lra.
  - destruct (Rlt_dec 0 (r * (e - t0))); [|lra]. destruct (Rle_dec (t0 + TM1) e); repeat split; auto; intros; try lra;
      exfalso; apply c, P1; lra.
Qed.

Section Schedule.
Variables (k : nat) (s0 : real).
Hypotheses (drop_is : drop = INR k * period + s0) (s0_is : 0 <= s0 < period).
Notation X := (first_loss k s0).

Lemma loss_between : drop <= X <= over.
Proof.
  pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded). pose proof (next k) as E. unfold period in s0_is.
  unfold first_loss. destruct (Rlt_dec TM1 phi); [lra|]. destruct (Rlt_dec s0 phi); [lra|]. split; [apply Rmin_glb; lra|apply Rmin_r].
Qed.

Lemma counts_until j : ~ TM1 < phi -> INR j * period < X -> INR j * period + phi <= drop \/ (X = drop /\ drop < INR j * period + phi).
Proof.
  unfold first_loss in *. destruct (Rlt_dec TM1 phi); [contradiction|].
  destruct (Nat.lt_ge_cases k j) as [c|c].
  - pose proof (multiples (S k) j c). pose proof (Rmin_l (INR (S k) * period) over). destruct (Rlt_dec s0 phi); lra.
  - destruct (Nat.eq_dec j k) as [->|d]; [destruct (Rlt_dec s0 phi); [right|left]; lra|left].
    pose proof (multiples (S j) k ltac:(lia)) as Mj. rewrite next in Mj. clear - Mj drop_is s0_is TM2_pos. lra.
Qed.

Lemma frees_until j : ~ TM1 < phi -> INR j * period + phi <= X -> X < INR (S j) * period -> X = over.
Proof.
  intros H1 H2 H3. pose proof phi_pos. unfold first_loss in *. destruct (Rlt_dec TM1 phi); [contradiction|].
  destruct (Rlt_dec s0 phi) as [c|c].
  - destruct (Nat.le_gt_cases k j) as [d|d]; [pose proof (multiples k j d)|pose proof (multiples (S j) k ltac:(lia))]; lra.
  - destruct (Rle_dec (INR (S k) * period) over) as [d|d]; [rewrite Rmin_left in * by lra|apply Rmin_right; lra].
    destruct (Nat.le_gt_cases k j) as [g|g].
    + destruct (Nat.eq_dec k j) as [->|]; [lra|]. pose proof (multiples (S k) j ltac:(lia)). lra.
    + pose proof (multiples (S j) (S k) ltac:(lia)). lra.
Qed.

(** Counting in vain, counting in period j, and uncontrolled in it. *)
Definition working (p : nat -> port_state) (t : real) : Prop :=
  (TM1 < phi /\ exists t0, 0 <= t0 <= t /\ t < t0 + TM1 /\ counting p t0 t) \/
  (~ TM1 < phi /\ exists j, INR j * period <= t < INR j * period + phi /\ counting p (INR j * period) t) \/
  (~ TM1 < phi /\ exists j, INR j * period + phi <= t < INR (S j) * period /\ freed p (INR j * period + phi)).

Lemma working_start p : (forall i, (i < M)%nat -> p i = at_rest) -> working p 0.
Proof.
  intros H. pose proof phi_pos.
  assert (K : counting p 0 0) by (intros i Hi; rewrite (H i Hi); simpl; repeat split; lra).
  destruct (Rlt_dec TM1 phi) as [c|c]; [left; split; auto; exists 0; split; [lra|split; [lra|auto]]|].
  right. left. split; auto. exists 0%nat. rewrite Rmult_0_l. split; [lra|auto].
Qed.

Lemma until s e b : s < b -> (forall t, s < t < e -> t < b) -> e <= b.
Proof. intros H K. destruct (Rle_dec e b) as [c|c]; [auto|]. specialize (K b ltac:(lra)). lra. Qed.

Lemma working_phase s e p : one_phase s e p -> 0 <= s < X -> e <= tau -> state s -> others p -> working p s ->
  e <= X /\ (forall t, s <= t <= e -> state t) /\ (forall i t, (i < M)%nat -> s <= t < e -> rejected sw Ar Q D i t = 0) /\
  forall p', e < tau -> happens (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q e (after s e p) p' ->
    others p' /\ (e < X -> working p' e) /\ (e = X -> forall i, (i < M)%nat -> uncontrolled (p' i) = false).
Proof.
  intros Hp Hs He Ss Ho Hw. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hse. pose proof phi_pos as Pp. pose proof loss_between as [L1 L2].
  pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Hdo.
  (* what happens at the end, if the buffer does not overflow *)
  assert (Calm : forall p', ~ full e (fun i => does e (Ar i e) (after s e p i)) -> happens (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q e (after s e p) p' ->
      forall i, (i < M + N + Z)%nat -> p' i = does e (Ar i e) (after s e p i)) by (intros p' Hf [_ Hh]; auto).
  assert (ArR : e < tau -> forall i, (i < M)%nat -> Ar i e = R) by (intros Ht i Hi; apply (burst_ports _ _ _ _ _ _ _ _ arrivals i e Hi); lra).
  (* a port that counts from t0 on *)
  assert (Counts : forall t0, 0 <= t0 <= s -> counting p t0 s -> s < drop -> s < t0 + phi -> s < t0 + TM1 ->
      e <= drop /\ e <= t0 + phi /\ e <= t0 + TM1 /\ (forall t, s <= t <= e -> state t) /\ (forall i t, (i < M)%nat -> s <= t < e -> rejected sw Ar Q D i t = 0) /\
      forall p', e < tau -> happens (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q e (after s e p) p' ->
        others p' /\ (e = t0 + phi -> freed p' e) /\ (e < t0 + phi -> e = t0 + TM1 -> counting p' e e) /\ (e < t0 + phi -> e < t0 + TM1 -> counting p' t0 e)).
  { intros t0 H0 Hc Hd H1 H2. destruct (controlled_phase s e p t0 Hp H0 Hd He Ss Ho Hc) as (K1 & K2 & K3 & K4 & K5).
    split; [auto|]. split; [apply (until s); auto; intros t Ht; destruct (K5 t Ht); lra|]. split; [apply (until s); auto; intros t Ht; apply K5, Ht|].
    split; [auto|]. split; [auto|]. intros p' Ht Hh.
    pose proof (Calm p' (some_free _ e (K2 e ltac:(lra)) ltac:(lra)) Hh) as E. destruct (does_counting e t0 ltac:(lra)) as (D1 & D2 & D3).
    assert (EM : forall i, (i < M)%nat -> p' i = does e R (Port false (r * (e - t0)) t0)).
    { intros i Hi. rewrite E, K4, ArR by (auto; lia || lra). reflexivity. }
    split; [intros j Hj; rewrite E by lia; apply (others_count s e p Hp K2 Ho e (or_intror eq_refl) j Hj)|].
    split; [|split]; intros; intros i Hi; rewrite EM by auto.
    - rewrite D1 by lra. auto.
    - rewrite D2 by lra. simpl. repeat split; lra.
    - rewrite D3 by lra. auto. }
  destruct Hw as [(V & t0 & H0 & H1 & Hc)|[(V & j & Hj & Hc)|(V & j & Hj & Hf)]].
  - assert (EX : X = drop) by (unfold first_loss; destruct (Rlt_dec TM1 phi); [reflexivity|contradiction]).
    destruct (Counts t0 H0 Hc ltac:(lra) ltac:(lra) H1) as (K1 & K2 & K3 & K4 & K5 & K6). split; [lra|]. split; [auto|]. split; [auto|].
    intros p' Ht Hh. destruct (K6 p' Ht Hh) as (O' & _ & A1 & A2). split; [auto|].
    destruct (Rlt_dec e (t0 + TM1)) as [c|c].
    + specialize (A2 ltac:(lra) c). split; [intros _; left; split; auto; exists t0; split; [lra|split; [lra|auto]]|intros _ i Hi; apply A2; auto].
    + specialize (A1 ltac:(lra) ltac:(lra)). split; [intros _; left; split; auto; exists e; split; [lra|split; [lra|auto]]|intros _ i Hi; apply A1; auto].
  - destruct (Counts (INR j * period) ltac:(pose proof (started_early j); lra) Hc) as (K1 & K2 & K3 & K4 & K5 & K6); try lra.
    { destruct (counts_until j V ltac:(lra)) as [h|[h _]]; lra. }
    split; [lra|]. split; [auto|]. split; [auto|].
    intros p' Ht Hh. destruct (K6 p' Ht Hh) as (O' & A0 & _ & A2). split; [auto|].
    destruct (Rlt_dec e (INR j * period + phi)) as [c|c].
    + specialize (A2 c ltac:(lra)). split; [intros _; right; left; split; auto; exists j; split; [lra|auto]|intros _ i Hi; apply A2; auto].
    + assert (Ee : e = INR j * period + phi) by lra. pose proof (next j). split.
      * right. right. split; auto. exists j. rewrite <- Ee. split; [lra|auto].
      * intros h. rewrite (frees_until j V) in h by lra. lra.
  - destruct (free_phase s e p (INR j * period + phi) Hp ltac:(lra) He Ss Ho Hf) as (K1 & K2 & K3 & K4 & K5). pose proof (next j) as Nj.
    assert (Ej : e <= INR (S j) * period) by (apply (until s); [lra|intros t Ht; specialize (K5 t Ht); lra]).
    assert (EX : e <= X).
    { destruct (Rle_dec e X) as [c|c]; [auto|]. assert (X = over); [|lra]. apply (frees_until j); auto; lra. }
    split; [auto|]. split; [auto|]. split; [auto|]. intros p' Ht Hh.
    pose (q := fun i => does e (Ar i e) (after s e p i)).
    assert (Oq : others q) by (apply (others_count s e p Hp K2 Ho e (or_intror eq_refl))).
    assert (Eq : forall i, (i < M)%nat -> q i = if Rle_dec (INR (S j) * period) e then at_rest else p i).
    { intros i Hi. unfold q. rewrite K4, ArR by auto. destruct (Hf i Hi) as [F1 F2]. unfold acted. rewrite F1, F2.
      destruct (Rlt_dec R C); [lra|]. replace (INR j * period + phi + TM2) with (INR (S j) * period) by lra. reflexivity. }
    destruct (Rle_dec (INR (S j) * period) e) as [c|c].
    + (* TM_2 expires *)
      assert (Cq : counting q e e) by (intros i Hi; rewrite Eq by auto; simpl; repeat split; lra).
      pose proof (Calm p' (no_overflow _ _ _ _ _ _ _ _ (none_free q e e Oq Cq)) Hh) as E.
      assert (Cp : counting p' e e) by (intros i Hi; change (does e (Ar i e) (after s e p i)) with (q i) in E; rewrite E by lia; apply (Cq i Hi)).
      split; [intros i Hi; rewrite E by lia; apply (Oq i Hi)|]. split; [|intros _ i Hi; apply Cp; auto].
      right. left. split; auto. exists (S j). replace (INR (S j) * period) with e by lra. split; [lra|auto].
    + assert (Fq : freed q (INR j * period + phi)) by (intros i Hi; rewrite Eq by auto; apply Hf; auto).
      destruct (Rlt_dec e over) as [d|d].
      * pose proof (Calm p' (some_free q e (K2 e ltac:(lra)) d) Hh) as E.
        split; [intros i Hi; rewrite E by lia; apply (Oq i Hi)|]. split.
        -- right. right. split; auto. exists j. split; [lra|]. intros i Hi. rewrite E by lia. apply Fq; auto.
        -- intros h. assert (X = over); [|lra]. apply (frees_until j); auto; lra.
      * (* the buffer overflows *)
        assert (Eo : e = over) by lra. destruct Hh as [Hh _].
        pose proof (overflow_at q _ ltac:(lra) (K2 over ltac:(lra)) Oq Fq) as Fu. rewrite <- Eo in Fu. specialize (Hh Fu).
        change (forall i, (i < M + N + Z)%nat -> p' i = if uncontrolled (q i) then at_rest else q i) in Hh.
        split; [intros i Hi; rewrite Hh by lia; destruct (Oq i Hi) as [O1 O2]; rewrite O1; auto|]. split; [intros; lra|].
        intros _ i Hi. rewrite Hh by lia. destruct (uncontrolled (q i)) eqn:U; [reflexivity|exact U].
Qed.

Lemma invariant t p : machine t p -> t < tau -> t <= X ->
  state t /\ others p /\ (t < X -> working p t) /\ (t = X -> forall i, (i < M)%nat -> uncontrolled (p i) = false).
Proof.
  induction 1 as [|s e p p' H IH Hp Hh]; intros Ht HX.
  - split; [apply state_start; auto|]. split; [intros j _; simpl; auto|]. split; [intros _; apply working_start; auto|auto].
  - pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp). pose proof (run_nonneg _ _ _ _ _ _ _ _ _ _ _ _ H).
    destruct IH as (I1 & I2 & I3 & _); try lra.
    destruct (working_phase s e p Hp ltac:(lra) ltac:(lra) I1 I2 ltac:(apply I3; lra)) as (_ & K2 & _ & K4).
    split; [apply K2; lra|auto].
Qed.

Lemma one_working s e p : machine s p -> one_phase s e p -> s < X -> e <= tau ->
  e <= X /\ (forall t, s <= t <= e -> state t) /\ (forall i t, (i < M)%nat -> s <= t < e -> rejected sw Ar Q D i t = 0).
Proof.
  intros H Hp Hs He. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp). pose proof (run_nonneg _ _ _ _ _ _ _ _ _ _ _ _ H).
  destruct (invariant s p H ltac:(lra) ltac:(lra)) as (I1 & I2 & I3 & _).
  destruct (working_phase s e p Hp ltac:(lra) He I1 I2 (I3 Hs)) as (K1 & K2 & K3 & _). auto.
Qed.

Lemma state_until t : 0 <= t < tau -> t <= X -> state t.
Proof.
  intros Ht HX. destruct (at_every_time _ _ _ _ _ _ _ _ _ _ tau last t run Ht) as (s & e & q & H1 & H2 & H3 & H4).
  destruct (Rlt_dec s X) as [c|c]; [apply (one_working s e q H1 H2 c H4); lra|]. replace t with s by lra. apply (invariant s q H1); lra.
Qed.

(** Nothing is lost before x, and from x on every burst loses bytes for a while. *)
Definition loses_from (x : real) : Prop :=
  (forall i t, (i < M)%nat -> 0 <= t < x -> t < tau -> rejected sw Ar Q D i t = 0) /\
  (x < tau -> exists d, 0 < d /\ forall i t, (i < M)%nat -> x <= t < x + d -> t < tau -> 0 < rejected sw Ar Q D i t).

Theorem drop_time : drop <= X <= over /\ loses_from X.
Proof.
  pose proof loss_between as LB. pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Ho.
  split; [exact LB|]. split.
  - intros i t Hi Ht Htau. destruct (at_every_time _ _ _ _ _ _ _ _ _ _ tau last t run ltac:(lra)) as (s & e & q & H1 & H2 & H3 & H4).
    destruct (one_working s e q H1 H2 ltac:(lra) H4) as (_ & _ & K). apply K; auto.
  - intros Htau. destruct (begins_at _ _ _ _ _ _ _ _ _ _ X tau last run ltac:(lra)) as (e & q & H1 & H2 & H3).
    { intros s e q H1 H2 H3 H4. apply (one_working s e q H1 H2 H3 H4). }
    pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ H2) as Hse.
    destruct (invariant X q H1 Htau ltac:(lra)) as (I1 & I2 & _ & I4).
    assert (T : trajectory sw Ar X e Q D).
    { apply (trajectory_of (edt_state (M + N + Z) alpha B C q)); [|apply (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ H2)].
      apply all_controlled. intros i Hi. destruct (Nat.lt_ge_cases i M); [auto|apply I2; lia]. }
    destruct (Rle_dec X drop) as [c|c].
    + exists (e - X). split; [lra|]. intros i t Hi Ht Htt.
      apply (controlled_after M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded X e Ar Q D); auto; try lra; apply sub_arrivals; lra.
    + destruct (controlled_above M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded X e Ar Q D (sub_arrivals X e ltac:(lra) H3) I1 ltac:(lra) Hse T) as (d & Hd & K).
      exists (Rmin d (e - X)). split; [apply Rmin_pos; lra|]. intros i t Hi Ht Htt. pose proof (Rmin_l d (e - X)). pose proof (Rmin_r d (e - X)).
      rewrite K by (auto; lra). lra.
Qed.

(** [L] is what burst i has lost: nothing until the first loss, and something ever after. *)
Theorem bytes_lost i L : (i < M)%nat -> continuous_on L 0 tau -> L 0 = 0 ->
  (forall t, 0 <= t < tau -> right_derivative L t (rejected sw Ar Q D i t)) ->
  forall t, 0 <= t <= tau -> (t <= X -> L t = 0) /\ (X < t -> 0 < L t).
Proof.
  intros Hi CL L0 DL t Ht. destruct drop_time as [[LB LB'] [K1 K2]]. pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Ho.
  assert (Zero : forall u, 0 <= u <= tau -> u <= X -> L u = 0).
  { intros u Hu HX. rewrite <- L0. apply (constant_of_slope L 0 u); [lra|apply (continuous_sub 0 tau); auto; lra|].
    intros v Hv. rewrite <- (K1 i v) by (auto; lra). apply DL. lra. }
  split; [apply Zero; auto|]. intros HX. destruct (K2 ltac:(lra)) as (d & Hd & Kd).
  pose proof (Kd i X Hi ltac:(lra) ltac:(lra)) as Rp. destruct (DL X ltac:(lra) (rejected sw Ar Q D i X / 2) ltac:(lra)) as (dl & Hdl & E).
  pose (h := Rmin (dl / 2) (t - X)). assert (Hh : 0 < h <= t - X) by (split; [apply Rmin_pos; lra|apply Rmin_r]).
  assert (h < dl) by (pose proof (Rmin_l (dl / 2) (t - X)); unfold h; lra).
  assert (Some : 0 < L (X + h)).
  { specialize (E h ltac:(lra)). rewrite (Zero X) in E by lra. pose proof (Rmult_lt_0_compat _ h Rp ltac:(lra)).
    destruct (Rcase_abs (L (X + h) - 0 - rejected sw Ar Q D i X * h)); [rewrite Rabs_left in E by auto|]; lra. }
  assert (K : - L t <= - L (X + h)); [|lra].
  apply (nonincreasing (X + h) t (fun u => - L u) (fun u => - rejected sw Ar Q D i u)); [lra|apply continuous_opp, (continuous_sub 0 tau); auto; lra|].
  intros u Hu. split; [apply rd_opp, DL; lra|].
  assert (0 <= rejected sw Ar Q D i u); [|lra]. apply (nothing_gained (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D tau last i u); auto; try lia; try lra.
  intros j v Hj Hv. destruct (class_of M N Z j Hj) as [c|[c|c]].
  - rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals j v c Hv). lra.
  - pose proof (steady_ports _ _ _ _ _ _ _ _ arrivals j v c Hv). lra.
  - apply (other_ports _ _ _ _ _ _ _ _ arrivals j v c Hv).
Qed.

End Schedule.

Lemma in_a_period : exists (k : nat) (s : real), drop = INR k * period + s /\ 0 <= s < period.
Proof.
  pose proof period_pos as Pp. pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Ho.
  destruct (archimed (drop / period)) as [U1 U2]. assert (Q0 : 0 < drop / period) by (apply Rdiv_lt_0_compat; lra).
  assert (P : (0 < up (drop / period))%Z) by (apply lt_IZR; lra).
  pose (k := Z.to_nat (up (drop / period) - 1)).
  assert (Ek : INR k = IZR (up (drop / period)) - 1) by (unfold k; rewrite INR_IZR_INZ, Z2Nat.id, minus_IZR by lia; reflexivity).
  exists k, (drop - INR k * period). assert (E : drop / period * period = drop) by (field; lra).
  pose proof (Rmult_lt_compat_r period _ _ Pp U1). pose proof (Rmult_le_compat_r period _ _ ltac:(lra) U2). rewrite Ek. lra.
Qed.

(** edt.abstract.edt-absorbs-more: no byte is lost under EDT before DT would lose one. *)
Theorem never_earlier : forall i t, (i < M)%nat -> 0 <= t < drop -> t < tau -> rejected sw Ar Q D i t = 0.
Proof.
  destruct in_a_period as (k & s & Ed & Hs). destruct (drop_time k s Ed Hs) as [[K1 K2] [K3 _]]. intros i t Hi Ht Htau. apply K3; auto; lra.
Qed.

(** ** Theorem 5 *)

(** The overflow is never later than (80). *)
Lemma over_at_most : over <= B / (INR M * r).
Proof.
  change (over <= over_slow M B C R). destruct (slow_dec M N alpha C R) as [c|c]; [rewrite over_is_slow by auto; lra|].
  rewrite over_is_fast by auto. destruct (theorem5_exact_condition M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded c) as [E1 E2].
  destruct (Nat.eq_dec N 0) as [z|z]; [rewrite (E2 z); lra|]. specialize (E1 ltac:(lia)). lra.
Qed.

(** Whatever cn_2, TM_1 and TM_2 are, every burst has lost bytes by then, if all last. *)
Theorem theorem5_bound i L t : (i < M)%nat -> continuous_on L 0 tau -> L 0 = 0 ->
  (forall t, 0 <= t < tau -> right_derivative L t (rejected sw Ar Q D i t)) -> B / (INR M * r) < t <= tau -> 0 < L t.
Proof.
  intros Hi CL L0 DL Ht. destruct in_a_period as (k & s & Ed & Hs). destruct (drop_time k s Ed Hs) as [[K1 K2] _]. pose proof over_at_most.
  pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded). apply (bytes_lost k s Ed Hs i L Hi CL L0 DL t); lra.
Qed.

Section Recognised.
Hypotheses (in_time : phi <= TM1) (before_drop : phi <= drop) (long_enough : over <= phi + TM2).

Lemma first_at_over : drop = INR 0 * period + drop /\ 0 <= drop < period /\ first_loss 0 drop = over.
Proof.
  pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded). unfold first_loss, period in *. simpl.
  split; [ring|]. split; [lra|]. destruct (Rlt_dec TM1 phi); [lra|]. destruct (Rlt_dec drop phi); [lra|]. apply Rmin_right. lra.
Qed.

Lemma schedule t p : machine t p -> t <= tau -> t <= over ->
  trajectory sw Ar 0 (Rmin t phi) Q D /\ (phi < t -> trajectory esw Ar phi t Q D).
Proof.
  destruct first_at_over as (F1 & F2 & F3). pose proof phi_pos as Pp. induction 1 as [|s e p p' H IH Hp Hh]; intros Ht Ho.
  - rewrite Rmin_left by lra. split; [|lra]. pose proof (state_start M N Z alpha B C R alpha_pos Q start) as (S1 & S2 & S3).
    apply point. intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]]; [rewrite S1|rewrite S2|rewrite S3]; auto; try lra.
    apply V_edt_nonneg; auto. lra.
  - pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hse.
    destruct IH as [T1 T2]; try lra. destruct (invariant 0 drop F1 F2 s p H ltac:(lra) ltac:(rewrite F3; lra)) as (Ss & Os & Ws & _).
    assert (First : forall j, INR j * period <= s -> j = 0%nat).
    { destruct j as [|j]; [reflexivity|]. pose proof (multiples 1 (S j) ltac:(lia)). simpl INR in *. unfold period in *. lra. }
    pose proof (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Tp.
    destruct (Ws ltac:(rewrite F3; lra)) as [[V _]|[(V & j & Hj & Hc)|(V & j & Hj & Hf)]]; [lra| |].
    + rewrite (First j) in * by lra. rewrite Rmult_0_l in *.
      destruct (controlled_phase s e p 0 Hp ltac:(lra) ltac:(lra) Ht Ss Os Hc) as (_ & _ & _ & _ & K).
      assert (e <= phi) by (apply (until s); [lra|intros t Htt; destruct (K t Htt); lra]). rewrite !Rmin_left in * by lra. split; [|lra].
      apply trajectory_join with s; auto; [lra|].
      apply (trajectory_of (edt_state (M + N + Z) alpha B C p)); [apply all_controlled, (none_free p 0 s); auto|auto].
    + rewrite (First j) in * by lra. rewrite Rmult_0_l, Rplus_0_l in *. rewrite !Rmin_right in * by lra. split; [auto|]. intros _.
      assert (Te : trajectory esw Ar s e Q D) by (apply (trajectory_of (edt_state (M + N + Z) alpha B C p)); [apply (bursts_free p phi); auto|auto]).
      destruct (Rlt_dec phi s) as [c|c]; [apply trajectory_join with s; auto; lra|]. replace phi with s by lra. auto.
Qed.

(** What Theorem 5 supposes of the ports is what they do. *)
Theorem theorem5_run : phi < tau <= over -> edt_run M N Z alpha B C R phi tau Ar Q D.
Proof.
  intros Ht. pose proof phi_pos. destruct (schedule tau last run ltac:(lra) ltac:(lra)) as [T1 T2]. rewrite Rmin_right in T1 by lra.
  split; auto; [lra|apply T2; lra].
Qed.

(** Theorem 5: something is free until the overflow, nothing then, and from then on every burst has lost bytes, and none before. *)
Theorem theorem5_overflows i L t : (i < M)%nat -> continuous_on L 0 tau -> L 0 = 0 ->
  (forall t, 0 <= t < tau -> right_derivative L t (rejected sw Ar Q D i t)) -> 0 <= t < tau ->
  (t < over -> 0 < free sw Q t) /\ (t = over -> free sw Q t = 0) /\ (t <= over -> L t = 0) /\ (over < t -> 0 < L t).
Proof.
  intros Hi CL L0 DL Ht. destruct first_at_over as (F1 & F2 & F3). pose proof (bytes_lost 0 drop F1 F2 i L Hi CL L0 DL t ltac:(lra)) as K. rewrite F3 in K.
  destruct (F_edt_pos M N alpha B C R M_pos alpha_pos C_pos overloaded t) as (P1 & _ & P2).
  split; [|split; [|exact K]]; intros h; rewrite (state_free M N Z alpha B C R M_pos sw Q t eq_refl eq_refl) by
    (apply (state_until 0 drop F1 F2); [lra|rewrite F3; lra]); auto.
Qed.

(** Then all ports are controlled, and every burst loses all that comes, for a while. *)
Theorem theorem5_returns p : machine over p -> over < tau -> (forall i, (i < M + N + Z)%nat -> uncontrolled (p i) = false) /\
  exists d, 0 < d /\ forall i t, (i < M)%nat -> over <= t < over + d -> t < tau -> rejected sw Ar Q D i t = R.
Proof.
  intros H Ht. destruct first_at_over as (F1 & F2 & F3). pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Hd.
  assert (Calm : forall q, machine over q -> state over /\ others q /\ forall i, (i < M + N + Z)%nat -> uncontrolled (q i) = false).
  { intros q Hq. destruct (invariant 0 drop F1 F2 over q Hq Ht ltac:(lra)) as (I1 & I2 & _ & I4). split; [auto|]. split; [auto|].
    intros i Hi. destruct (Nat.lt_ge_cases i M); [apply I4; auto|apply I2; lia]. }
  split; [apply Calm; auto|]. destruct (begins_at _ _ _ _ _ _ _ _ _ _ over tau last run ltac:(lra)) as (e & q & H1 & H2 & H3).
  { intros s e q H1 H2 H3 H4. rewrite <- F3. apply (one_working 0 drop F1 F2 s e q H1 H2); lra. }
  pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ H2). destruct (Calm q H1) as (S & _ & Cq).
  destruct (controlled_above M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded over e Ar Q D (sub_arrivals over e ltac:(lra) H3) S ltac:(lra) ltac:(lra)) as (d & Hdd & K).
  { apply (trajectory_of (edt_state (M + N + Z) alpha B C q)); [apply all_controlled; auto|apply (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ H2)]. }
  exists (Rmin d (e - over)). split; [apply Rmin_pos; lra|]. intros i t Hi Hi2 Hi3. pose proof (Rmin_l d (e - over)). pose proof (Rmin_r d (e - over)).
  apply K; auto; lra.
Qed.

(** ** After the overflow of slow bursts, beside steady ports that can follow the rising threshold and lose something all the time *)

Section After.
Hypothesis slowly : slow M N alpha C R.
Hypothesis strong : forall j t, (M <= j < M + N)%nat -> over <= t < tau -> C * (1 + alpha * INR M / (1 + alpha * INR N)) < Ar j t.

(** Nobody counts anything. *)
Lemma all_lose e : over < e <= tau -> state over -> trajectory sw Ar over e Q D -> forall t, over <= t < e ->
  (forall i, (i < M + N)%nat -> 0 < rejected sw Ar Q D i t) /\ (forall i, (M + N <= i < M + N + Z)%nat -> D i t = 0).
Proof.
  intros He Ss T t Ht. pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Hd.
  pose proof (steady_denominator N alpha alpha_pos) as Hn. pose proof (ports_ge M M_pos) as Hm.
  assert (Quiet : forall i, (M + N <= i < M + N + Z)%nat -> forall u, over <= u < e -> D i u = 0).
  { intros i Hi u Hu. pose proof (other_ports _ _ _ _ _ _ _ _ arrivals i u Hi ltac:(lra)) as HA. destruct Ss as (_ & _ & S3).
    destruct (underloaded_stays_empty sw Ar over e Q D i) as [E1 E2]; auto; [|simpl; lia| |].
    - apply (burst_sane M N Z alpha B C (fun _ _ => R) over e Ar); auto; [intros; lra|apply sub_arrivals; lra].
    - intros x Hx. apply (other_ports _ _ _ _ _ _ _ _ arrivals i x Hi). lra.
    - specialize (E1 u ltac:(lra)). specialize (E2 u Hu). unfold rejected, highest in E2. rewrite E1 in E2. simpl in E2.
      destruct (Rlt_dec 0 0); [lra|]. rewrite Rmax_left in E2; lra. }
  split; [|intros i Hi; apply Quiet; auto].
  assert (Last : r * over = B / INR M /\ V_edt M N alpha B C R over = 0).
  { destruct (F_edt_slow M N alpha B C R alpha_pos over slowly) as [E1 E2].
    destruct (F_edt_pos M N alpha B C R M_pos alpha_pos C_pos overloaded over) as (_ & _ & F0). specialize (F0 eq_refl). rewrite F0 in E1, E2.
    split; [rewrite over_is_slow by auto; unfold over_slow; field; split; lra|rewrite E2; ring]. }
  destruct Last as [L1 L2]. destruct (common_length M N Z alpha B C R over e Ar Q D M_pos alpha_pos B_pos C_pos overloaded) as (_ & _ & C3 & _ & C5); auto; try lra.
  { intros i u Hi Hu. apply (burst_ports _ _ _ _ _ _ _ _ arrivals i u Hi). lra. }
  { left. apply strong; auto. lra. }
  { intros i u Hi Hu. apply (other_ports _ _ _ _ _ _ _ _ arrivals i u Hi). lra. }
  { intros i Hi. destruct Ss as (S1 & _). rewrite S1; auto. }
  { intros i Hi. destruct Ss as (_ & S2 & _). rewrite S2; auto. }
  { apply Ss; auto. }
  intros i Hi. destruct (Nat.lt_ge_cases i M) as [c|c]; [|].
  { destruct (C5 i t c Ht) as [A1 A2]. lra. }
  (* every steady queue moves with the threshold, which rises at alpha M C / (1 + alpha N) at most *)
  assert (Same : forall j, (M <= j < M + N)%nat -> D j t = alpha * free_slope sw D t).
  { intros j Hj. apply (rd_unique t (Q j)); [apply (length_slope _ _ _ _ _ _ T); [simpl; lia|lra]|].
    apply rd_ext with (fun u => alpha * free sw Q u); [|apply rd_scal; eapply free_has_slope; [exact T|lra]].
    exists (e - t). split; [lra|]. intros h Hh. rewrite (C3 j (t + h) Hj) by lra. unfold threshold. simpl. ring. }
  assert (Rise : (1 + alpha * INR N) * free_slope sw D t <= INR M * C).
  { assert (E : free_slope sw D t = - sum M (fun j => D j t) - INR N * (alpha * free_slope sw D t)).
    { unfold free_slope at 1. simpl. rewrite sum_split, sum_split. rewrite (sum_zero Z) by (intros; apply Quiet; [lia|lra]).
      rewrite (sum_ext N _ (fun _ => alpha * free_slope sw D t)) by (intros; apply Same; lia). rewrite sum_const. ring. }
    assert (Low : INR M * - C <= sum M (fun j => D j t)).
    { rewrite <- sum_const. apply sum_le. intros j Hj. destruct (C5 j t Hj Ht) as [A1 A2].
      destruct (Rlt_dec t (over + x_common M N alpha B C)); [destruct A1|destruct A2]; lra. }
    lra. }
  specialize (strong i t ltac:(lia) ltac:(lra)). unfold rejected. rewrite (Same i) by lia.
  assert (Top : Ar i t - C <= highest sw Ar i (Q i t) t) by (unfold highest; simpl; destruct (Rlt_dec 0 (Q i t)); [lra|apply Rmax_r]).
  assert (alpha * free_slope sw D t <= alpha * INR M * C / (1 + alpha * INR N)).
  { apply Rmult_le_reg_r with (1 + alpha * INR N); auto. replace (alpha * INR M * C / (1 + alpha * INR N) * (1 + alpha * INR N)) with (alpha * (INR M * C)) by (field; lra).
    pose proof (Rmult_le_compat_l alpha _ _ ltac:(lra) Rise). lra. }
  lra.
Qed.

Lemma stays_controlled t p : machine t p -> t < tau -> over <= t -> trajectory sw Ar over t Q D /\ others p /\
  forall i, (i < M + N + Z)%nat -> uncontrolled (p i) = false.
Proof.
  destruct first_at_over as (F1 & F2 & F3). pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Hd.
  assert (At : forall q, machine over q -> over < tau -> trajectory sw Ar over over Q D /\ others q /\ forall i, (i < M + N + Z)%nat -> uncontrolled (q i) = false).
  { intros q Hq Ho. destruct (invariant 0 drop F1 F2 over q Hq Ho ltac:(lra)) as (S & I2 & _ & _). split; [|split; [auto|apply (theorem5_returns q Hq Ho)]].
    apply point. destruct S as (S1 & S2 & S3). intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]]; [rewrite S1|rewrite S2|rewrite S3]; auto; try lra.
    - apply Rmult_le_pos; lra.
    - apply V_edt_nonneg; auto. lra. }
  induction 1 as [|s e p p' H IH Hp Hh]; intros Ht Ho; [lra|]. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hse.
  destruct (Rlt_dec s over) as [c|c].
  { pose proof (proj1 (one_working 0 drop F1 F2 s e p H Hp ltac:(lra) ltac:(lra))) as K. replace e with over in * by lra.
    apply At; auto. apply run_goes_on with s p; auto. }
  destruct IH as (T & Op & Cp); try lra.
  assert (Te : trajectory sw Ar over e Q D).
  { apply trajectory_join with s; auto; [lra|]. apply (trajectory_of (edt_state (M + N + Z) alpha B C p)); [apply all_controlled; auto|apply (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ Hp)]. }
  destruct (all_lose e ltac:(lra) (state_until 0 drop F1 F2 over ltac:(lra) ltac:(lra)) Te s ltac:(lra)) as [K1 K2].
  assert (E : forall i, (i < M + N + Z)%nat -> after s e p i = Port false 0 (started (after s e p i))).
  { intros i Hi. unfold passed. rewrite (Cp i Hi). f_equal. destruct (Rlt_dec 0 (rejected sw Ar Q D i s)) as [l|l]; [reflexivity|].
    destruct (Nat.lt_ge_cases i (M + N)) as [d|d]; [contradiction (l (K1 i d))|]. rewrite (K2 i), (proj2 (Op i ltac:(lia))) by lia. apply Rmax_left. lra. }
  assert (A : forall i, (i < M + N + Z)%nat -> does e (Ar i e) (after s e p i) = Port false 0 (started (after s e p i))).
  { intros i Hi. rewrite (E i Hi). unfold acted. simpl. destruct (Rle_dec cn2 0); [lra|]. destruct (Rlt_dec 0 0); [lra|reflexivity]. }
  destruct Hh as [_ Hh]. assert (P : forall i, (i < M + N + Z)%nat -> p' i = Port false 0 (started (after s e p i))).
  { intros i Hi. rewrite Hh, A by (auto; apply no_overflow; intros j Hj; rewrite A by auto; reflexivity). reflexivity. }
  split; [exact Te|]. split; [intros j Hj; rewrite P by lia; auto|intros j Hj; rewrite P by lia; reflexivity].
Qed.

(** What is supposed of the ports after the overflow is what they do. *)
Theorem overflow_schedule : over < tau -> overflow_run M N Z alpha B C R phi tau Ar Q D.
Proof.
  destruct first_at_over as (F1 & F2 & F3). pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Hd. pose proof phi_pos.
  split; [lra| | | | |].
  - intros i t Hi Ht. apply (burst_ports _ _ _ _ _ _ _ _ arrivals i t Hi Ht).
  - left. apply strong; auto.
  - intros i t Hi Ht. apply (other_ports _ _ _ _ _ _ _ _ arrivals i t Hi). lra.
  - destruct (begins_at _ _ _ _ _ _ _ _ _ _ over tau last run ltac:(lra)) as (e & q & H1 & _ & _).
    { intros s e q H1 H2 H3 H4. rewrite <- F3. apply (one_working 0 drop F1 F2 s e q H1 H2); lra. }
    destruct (schedule over q H1 ltac:(lra) ltac:(lra)) as [T1 T2]. rewrite Rmin_right in T1 by lra.
    split; auto; [lra|apply sub_arrivals; lra|apply T2; lra].
  - inversion run as [|s e p p' H1 H2 H3]; subst; [lra|]. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ H2).
    assert (Hs : over <= s).
    { destruct (Rle_dec over s) as [c|c]; [auto|]. pose proof (proj1 (one_working 0 drop F1 F2 s tau p H1 H2 ltac:(lra) ltac:(lra))). lra. }
    destruct (stays_controlled s p H1 ltac:(lra) Hs) as (T & _ & Cp). apply trajectory_join with s; auto; [lra|].
    apply (trajectory_of (edt_state (M + N + Z) alpha B C p)); [apply all_controlled; auto|apply (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ H2)].
Qed.

End After.
End Recognised.
End Run.
End Timed.

(** The hypotheses can hold: a burst alone, alpha = 1, B = 6, C = 1, R = 2, cn_2 = 1, TM_1 = TM_2 = 9. It is uncontrolled from 1 to
    the overflow at 6, later than the drop of DT at 3, and drains at C from then on. *)
Theorem drop_time_instance : exists Ar Q D p, burst_arrivals 1 0 0 1 (fun _ _ => 2) 0 8 Ar /\ starts_steady 1 0 0 1 6 1 Q /\
  machine_run (1 + 0 + 0) 1 6 1 1 9 9 Ar Q D 8 p /\ phi 1 2 1 = 1 /\ eq10_time 1 0 1 6 1 2 = 3 /\ overflow 1 0 1 6 1 2 = 6.
Proof.
  assert (Slow : slow 1 0 1 1 2) by (unfold slow; simpl; lra).
  assert (Ov : overflow 1 0 1 6 1 2 = 6) by (unfold overflow; destruct (Rle_dec _ _) as [|k]; [unfold over_slow; simpl; lra|contradiction]).
  assert (Dr : eq10_time 1 0 1 6 1 2 = 3) by (unfold eq10_time; destruct (Rle_dec _ _) as [|k]; [unfold t_slow; simpl; lra|contradiction]).
  clear Slow. pose (Ar := fun (_ : nat) (_ : real) => 2).
  pose (Q := fun (_ : nat) t => if Rlt_dec t 6 then t else 12 - t). pose (D := fun (_ : nat) t => if Rlt_dec t 6 then 1 else - (1)).
  pose (sw := dt_switch (1 + 0 + 0) 1 6 1). pose (esw := edt_switch 1 (1 + 0 + 0) 1 6 1).
  pose (p0 := fun _ : nat => at_rest). pose (p1 := fun _ : nat => Port true 0 1).
  assert (A : burst_arrivals 1 0 0 1 (fun _ _ => 2) 0 8 Ar) by (split; intros i t Hi Ht; [reflexivity|lia|lia]).
  assert (Up : forall i t, t < 6 -> Q i t = t /\ D i t = 1) by (intros i t Ht; unfold Q, D; destruct (Rlt_dec t 6); lra).
  assert (Down : forall i t, 6 <= t -> Q i t = 12 - t /\ D i t = - (1)) by (intros i t Ht; unfold Q, D; destruct (Rlt_dec t 6); lra).
  assert (Fr : forall s t, ports s = 1%nat -> buffer s = 6 -> free s Q t = 6 - Q 0%nat t) by (intros s t Hp Hb; unfold free; rewrite Hp, Hb; simpl; lra).
  assert (Line : forall s e, ports s = 1%nat -> (forall i t, (i < 1)%nat -> 0 <= t < e -> t < 6 -> obeys s Ar Q D i t) -> e <= 6 ->
      forall t, 0 <= t -> trajectory s Ar t e Q D).
  { intros s e Hp Ho He t Ht. split; rewrite Hp; intros i.
    - intros u Hi Hu. destruct (Rlt_dec u 6); [destruct (Up i u)|destruct (Down i u)]; lra.
    - intros Hi. apply continuous_ext with (fun u => 1 * u + 0); [|apply continuous_linear].
      intros u Hu. destruct (Rlt_dec u 6); [destruct (Up i u)|destruct (Down i u)]; lra.
    - intros u Hi Hu. rewrite (proj2 (Up i u ltac:(lra))). apply rd_ext with (fun x => 1 * x + 0); [|apply rd_linear].
      exists (6 - u). split; [lra|]. intros h Hh. destruct (Up i (u + h)); lra.
    - intros u Hi Hu. apply Ho; auto; lra. }
  assert (Rj : forall i t, 0 <= t < 6 -> rejected sw Ar Q D i t = 0).
  { intros i t Ht. unfold rejected, highest. destruct (Up i t ltac:(lra)) as [-> ->]. simpl. unfold Ar. destruct (Rlt_dec 0 t); [lra|]. rewrite Rmax_right; lra. }
  assert (Rl : forall i t, 6 <= t < 8 -> rejected sw Ar Q D i t = 2).
  { intros i t Ht. unfold rejected, highest. destruct (Down i t ltac:(lra)) as [-> ->]. simpl. unfold Ar. destruct (Rlt_dec 0 (12 - t)); lra. }
  assert (T0 : trajectory sw Ar 0 1 Q D).
  { apply Line; auto; try lra. intros i t Hi Ht _. destruct i; [|lia]. unfold obeys, threshold. rewrite Fr by reflexivity. destruct (Up 0%nat t ltac:(lra)) as [-> ->].
    unfold highest. simpl. unfold Ar. destruct (Rlt_dec 0 t); [lra|]. rewrite Rmax_right; lra. }
  assert (T1 : trajectory esw Ar 1 6 Q D).
  { apply Line; auto; try lra. intros i t Hi Ht _. destruct i; [|lia]. unfold obeys, threshold. destruct (Up 0%nat t ltac:(lra)) as [-> ->].
    unfold highest. simpl. unfold Ar. destruct (Rlt_dec 0 t); [lra|]. rewrite Rmax_right; lra. }
  assert (T2 : trajectory sw Ar 6 8 Q D).
  { split; simpl; intros i.
    - intros t Hi Ht. destruct (Down i t); lra.
    - intros Hi. apply continuous_ext with (fun u => - (1) * u + 12); [|apply continuous_linear]. intros u Hu. destruct (Down i u); lra.
    - intros t Hi Ht. rewrite (proj2 (Down i t ltac:(lra))). apply rd_ext with (fun u => - (1) * u + 12); [|apply rd_linear].
      exists 1. split; [lra|]. intros h Hh. destruct (Down i (t + h)); lra.
    - intros t Hi Ht. destruct i; [|lia]. unfold obeys, threshold. rewrite Fr by reflexivity. destruct (Down 0%nat t ltac:(lra)) as [-> ->].
      unfold lowest. simpl. destruct (Rlt_dec 0 (12 - t)); lra. }
  assert (P1 : forall p, uncontrolled (p 0%nat) = true -> same_switch (edt_state (1 + 0 + 0) 1 6 1 p) esw).
  { repeat split; destruct i; simpl in *; rewrite ?H; auto; lia. }
  (* the counter, until 1 and from 6 on *)
  assert (Grow : forall t i, 0 <= t -> passed (1 + 0 + 0) 1 6 1 Ar Q D 0 t p0 i = Port false t 0).
  { intros t i Ht. unfold passed. change (p0 i) with at_rest. cbn [uncontrolled counter started at_rest]. rewrite Rj, (proj2 (Up i 0 ltac:(lra))) by lra.
    destruct (Rlt_dec 0 0); [lra|]. rewrite Rmax_right by lra. f_equal. lra. }
  assert (Rest : forall t i, passed (1 + 0 + 0) 1 6 1 Ar Q D 6 t p0 i = Port false 0 6).
  { intros t i. unfold passed. change (p0 i) with at_rest. cbn [uncontrolled counter started at_rest]. rewrite Rl by lra.
    destruct (Rlt_dec 0 2); [|lra]. destruct (Rlt_dec 0 0); [lra|reflexivity]. }
  assert (Idle : forall t a, acted 1 1 9 9 t a (Port false 0 6) = Port false 0 6).
  { unfold acted. simpl. destruct (Rle_dec 1 0); [lra|]. destruct (Rlt_dec 0 0); [lra|reflexivity]. }
  assert (Stay : forall t, t <= 6 -> acted 1 1 9 9 t 2 (Port true 0 1) = Port true 0 1).
  { intros t Ht. unfold acted. simpl. destruct (Rlt_dec 2 1); [lra|]. destruct (Rle_dec (1 + 9) t); [lra|reflexivity]. }
  assert (Room : forall t p, t < 6 -> ~ buffer_overflows (1 + 0 + 0) 1 6 1 Ar Q t p).
  { intros t p Ht (K & _). rewrite Fr in K by reflexivity. destruct (Up 0%nat t Ht). lra. }
  exists Ar, Q, D, (fun _ => Port false 0 6). split; [exact A|]. split; [|split; [|split; [unfold phi; lra|auto]]].
  { split; intros i Hi; [|lia|lia]. destruct (Up i 0); lra. }
  assert (Full : forall p, uncontrolled (p 0%nat) = true -> buffer_overflows (1 + 0 + 0) 1 6 1 Ar Q 6 p).
  { destruct (Down 0%nat 6 ltac:(lra)) as [E _]. split; [rewrite Fr by reflexivity; lra|]. split; [exists 0%nat; split; [lia|exact H]|].
    exists (fun _ _ => 0). split.
    - intros i Hi. destruct i; [|lia]. apply (same_obeys esw); [apply same_sym, P1, H|simpl; lia|]. unfold obeys, threshold, threshold_slope, lowest, highest. rewrite E.
      simpl. unfold Ar. destruct (Rlt_dec 0 (12 - 6)); [|lra]. rewrite clip_inside; lra.
    - right. exists 0%nat. split; [lia|]. split; [exact H|]. unfold rejected, highest. rewrite E. simpl. unfold Ar. destruct (Rlt_dec 0 (12 - 6)); lra. }
  apply run_goes_on with 6 p0; [apply run_goes_on with 1 p1; [apply run_goes_on with 0 p0; [apply run_begins| |]| |]| |].
  - split; [lra|exact T0| |].
    + intros i t Hi Ht. unfold loses. rewrite !Rj, (proj2 (Up i t ltac:(lra))), (proj2 (Up i 0 ltac:(lra))) by lra. split; [reflexivity|lra].
    + split; [apply Room; lra|]. intros i Hi. rewrite Grow by lra. unfold acted. simpl.
      destruct (Rle_dec 1 t); [lra|]. destruct (Rlt_dec 0 t); [|lra]. destruct (Rle_dec (0 + 9) t); [lra|reflexivity].
  - split; [intros K; exfalso; revert K; apply Room; lra|]. intros _ i Hi. rewrite Grow by lra. unfold acted. simpl.
    destruct (Rle_dec 1 1); [|lra]. unfold Ar. destruct (Rlt_dec 1 2); [reflexivity|lra].
  - split; [lra|apply (trajectory_of esw); [apply same_sym, P1; reflexivity|exact T1]| |].
    + intros i t Hi Ht. unfold loses. rewrite !Rj, (proj2 (Up i t ltac:(lra))), (proj2 (Up i 1 ltac:(lra))) by lra. split; [reflexivity|lra].
    + split; [apply Room; lra|]. intros i Hi. apply Stay. lra.
  - split; [intros _ i Hi; change (p0 i = if uncontrolled (acted 1 1 9 9 6 2 (Port true 0 1)) then at_rest else acted 1 1 9 9 6 2 (Port true 0 1)); rewrite Stay by lra; reflexivity|].
    intros K. exfalso. apply K, Full. rewrite Stay by lra. reflexivity.
  - split; [lra|exact T2| |].
    + intros i t Hi Ht. unfold loses. rewrite !Rl, (proj2 (Down i t ltac:(lra))), (proj2 (Down i 6 ltac:(lra))) by lra. split; [reflexivity|lra].
    + split; [apply no_overflow; reflexivity|]. intros i Hi. rewrite Rest. apply Idle.
  - split; [intros K; exfalso; revert K; apply no_overflow|]; intros; rewrite Rest, Idle; reflexivity.
Qed.
