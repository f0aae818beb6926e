(** DT/EDT paper, Sections 4.2 and 4.3: steady ports that cannot follow the rising threshold after the overflow of EDT, through the
    periods of TM_2, as a consequence of the ports' state machines ([machine_run]).

    With L = cn_2 / v + TM_2 they count, and are uncontrolled, in turn: from j L after the overflow on, and from j L + cn_2 / v on.
    They are controlled again, and lose, once they hold the common length or more, which is so after [lasts]:
      [steady_peak]    until then they grow at v and lose nothing; then each loses something.                              *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds Theorem5 Theorem1Statements Theorem5Lengths OverflowSlowPorts ControlMachine ControlMachineGoes Theorem5Timed OverflowMachine.
Open Scope R_scope.

Lemma later_period (j k : nat) (L : real) : 0 < L -> (k < j)%nat -> (INR k + 1) * L <= INR j * L.
Proof. intros HL H. apply Rmult_le_compat_r; [lra|]. rewrite <- S_INR. apply le_INR. lia. Qed.

Section Periods.
Variables (M N Z : nat) (alpha B C R v cn2 TM1 TM2 s : real).
Hypotheses (M_pos : (1 <= M)%nat) (N_pos : (1 <= N)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R).
Hypotheses (v_pos : 0 < v) (cn2_pos : 0 < cn2) (TM2_pos : 0 < TM2).
Notation m := (INR M).
Notation n := (INR N).
Notation dsw := (dt_switch (M + N + Z) alpha B C).
Notation fsw := (steady_free M N (M + N + Z) alpha B C).
Notation share := (alpha * B / (1 + alpha * (m + n))).
Notation W := (W_lag M N alpha B C v s).
Notation V := (V_lag v s).
Notation full := (s + B / (n * v)).
Notation psi := (counts v cn2).
Notation L := (psi + TM2).
Hypothesis lag : v <= alpha * m * C / (1 + alpha * n).
Variables (tau : real) (Ar Q D : nat -> real -> real).
Notation machine := (machine_run (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D).
Notation one_phase := (phase (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D).
Notation after := (passed (M + N + Z) alpha B C Ar Q D).
Notation what_happens := (happens (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q).
Notation each t := (holds_each M N Z Q t (W t) (V t)).
Notation lossless := (nothing_lost M N Z alpha B C Ar Q D).
Hypothesis offered : lasting M N Z C R v s tau Ar.

(** ** The periods *)

Hypotheses (s_pos : 0 < s) (start : holds_each M N Z Q s (B / m) 0).
Hypothesis begins : forall q, machine s q -> s < tau -> controlled_bursts M q /\ quiet_ports M N Z q /\ steady_counting M N v q s s.
Hypothesis crosses : forall a e q, machine a q -> one_phase a e q -> a < s -> e <= tau -> e <= s.
Hypotheses (enough : psi <= share / v) (in_time : psi <= TM1).
Variables (k : nat) (r : real).
Hypotheses (meets : share / v = INR k * L + r) (part : 0 <= r < L).

Definition lasts : real := Rmin (if Rlt_dec r psi then share / v else (INR k + 1) * L) (B / (n * v)).
Notation peak := (s + lasts).

Lemma lasts_bounds : share / v <= lasts <= B / (n * v) /\ (r < psi -> lasts = share / v) /\ (psi <= r -> lasts <= (INR k + 1) * L) /\ 0 < psi /\
  (lasts < B / (n * v) -> psi <= r -> lasts = (INR k + 1) * L).
Proof.
  pose proof (meets_pos M N alpha B v M_pos N_pos alpha_pos B_pos v_pos) as [Mp Mf]. pose proof (counts_pos v cn2 v_pos cn2_pos). unfold lasts.
  destruct (Rlt_dec r psi) as [c0|c0].
  - rewrite Rmin_left by lra. repeat split; intros; lra.
  - pose proof (Rmin_l ((INR k + 1) * L) (B / (n * v))). pose proof (Rmin_r ((INR k + 1) * L) (B / (n * v))).
    split; [split; [apply Rmin_glb; lra|lra]|]. split; [intros; exfalso; lra|]. split; [intros; lra|]. split; [lra|]. intros K _. unfold Rmin in *. destruct (Rle_dec _ _) as [c1|c1]; lra.
Qed.

(** Where they are in a period. *)
Definition in_period (t : real) (p : nat -> port_state) : Prop :=
  (exists j, s + INR j * L <= t < s + INR j * L + psi /\ steady_counting M N v p (s + INR j * L) t) \/
  (exists j, s + INR j * L + psi <= t < s + (INR j + 1) * L /\ steady_freed M N p (s + INR j * L + psi)).

(** Until the end of [lasts] a period is not later than k. *)
Lemma counts_before_meeting j t : s + INR j * L <= t < s + INR j * L + psi -> t < peak -> t < s + share / v.
Proof.
  intros Hj Ht. destruct lasts_bounds as (B1 & B2 & B3 & Pp & _). destruct (Rlt_dec r psi) as [c|c]; [rewrite B2 in Ht; lra|].
  specialize (B3 ltac:(lra)). destruct (Nat.lt_ge_cases k j) as [d|d]; [pose proof (later_period j k L ltac:(lra) d); lra|].
  pose proof (Rmult_le_compat_r L _ _ ltac:(lra) (le_INR _ _ d)). lra.
Qed.

Lemma freed_before_peak j t e : s + INR j * L + psi <= t -> t < peak -> e <= s + (INR j + 1) * L -> e <= full -> e <= peak.
Proof.
  intros Hj Ht He Hf. destruct lasts_bounds as (B1 & B2 & B3 & Pp & B4).
  destruct (Rlt_dec lasts (B / (n * v))) as [f|f]; [|lra]. destruct (Rlt_dec r psi) as [c|c].
  - specialize (B2 c). destruct (Nat.lt_ge_cases j k) as [d|d]; [pose proof (later_period k j L ltac:(lra) d); lra|].
    pose proof (Rmult_le_compat_r L _ _ ltac:(lra) (le_INR _ _ d)). lra.
  - specialize (B4 f ltac:(lra)). destruct (Nat.lt_ge_cases k j) as [d|d]; [pose proof (later_period j k L ltac:(lra) d); lra|].
    pose proof (Rmult_le_compat_r L _ _ ltac:(lra) (le_INR _ _ d)). lra.
Qed.

Lemma full_counter_before_peak j : s + INR j * L + psi <= s + share / v -> s + INR j * L + psi < peak.
Proof.
  intros H. destruct lasts_bounds as (B1 & B2 & B3 & Pp & B4). pose proof (meets_pos M N alpha B v M_pos N_pos alpha_pos B_pos v_pos) as [Mp Mf].
  destruct (Rlt_dec r psi) as [c|c].
  - specialize (B2 c). destruct (Nat.lt_ge_cases j k) as [d|d]; [pose proof (later_period k j L ltac:(lra) d); lra|].
    pose proof (Rmult_le_compat_r L _ _ ltac:(lra) (le_INR _ _ d)). lra.
  - destruct (Rlt_dec lasts (B / (n * v))) as [f|f]; [|lra]. specialize (B4 f ltac:(lra)). lra.
Qed.

Lemma phase_in_period a e p : one_phase a e p -> s <= a < peak -> e <= tau -> each a -> controlled_bursts M p -> quiet_ports M N Z p -> in_period a p ->
  e <= peak /\ (forall t, a <= t <= e -> each t) /\ lossless a e /\
  forall p', e < tau -> what_happens e (after a e p) p' -> controlled_bursts M p' /\ quiet_ports M N Z p' /\ (e < peak -> in_period e p') /\ (e = peak -> steady_controlled M N p').
Proof.
  intros Hp Ha He La Hb Hq Hi. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hae. destruct lasts_bounds as (B1 & B2 & B3 & Pp & B4).
  destruct Hi as [(j & Hj & Hc)|(j & Hj & Hf)].
  - pose proof (counts_before_meeting j a Hj ltac:(lra)) as Hm. pose proof (Rmult_le_pos (INR j) L (pos_INR j) ltac:(lra)) as Pj.
    destruct (lag_step_from M N Z alpha B C R v cn2 TM1 TM2 M_pos N_pos alpha_pos B_pos C_pos overloaded v_pos cn2_pos s lag tau Ar Q D offered a e p (s + INR j * L) Hp ltac:(lra) Hm ltac:(lra) ltac:(lra) He La Hb Hq Hc)
      as (K1 & K2 & K3 & T & K).
    destruct (lag_slopes M N Z alpha B C R v M_pos N_pos alpha_pos B_pos C_pos overloaded v_pos s lag tau Ar Q D offered dsw a e) as [L1 L2]; auto; [left; auto|lra|].
    split; [lra|]. split; [auto|]. split; [intros i t Hi Ht; apply (L2 t Ht); auto|]. intros p' Ht Hh.
    destruct (K p' Ht Hh) as (J1 & J2 & J3 & _ & J5). split; [auto|]. split; [auto|].
    destruct (Rlt_dec e (s + INR j * L + psi)) as [c|c].
    + specialize (J5 c ltac:(lra)). split; [intros _; left; exists j; split; [lra|auto]|intros _; apply (counting_controlled M N v p' (s + INR j * L) e); auto].
    + assert (Ee : e = s + INR j * L + psi) by lra. pose proof (full_counter_before_peak j ltac:(lra)) as Hl. split; [|intros; lra].
      intros _. right. exists j. split; [lra|]. rewrite <- Ee. apply J3. lra.
  - pose proof (Rmult_le_pos (INR j) L (pos_INR j) ltac:(lra)) as Pj.
    destruct (freed_step M N Z alpha B C R v cn2 TM1 TM2 M_pos N_pos alpha_pos B_pos C_pos overloaded v_pos cn2_pos s lag tau Ar Q D offered a e p (s + INR j * L + psi) Hp ltac:(lra) ltac:(lra) He La Hb Hq Hf) as (K1 & K2 & K3 & K4 & K).
    assert (El : s + INR j * L + psi + TM2 = s + (INR j + 1) * L) by ring. rewrite El in *.
    pose proof (freed_before_peak j a e ltac:(lra) ltac:(lra) K1 K2) as Hl.
    split; [auto|]. split; [auto|]. split; [auto|]. intros p' Ht Hh. destruct (K p' Ht Hh) as (J1 & J2 & J3 & J4 & J5). split; [auto|]. split; [auto|].
    destruct (Rlt_dec e (s + (INR j + 1) * L)) as [c|c].
    + split; [intros; right; exists j; split; [lra|apply J3; lra]|]. intros Eq. destruct (Rlt_dec e full) as [f|f]; [|apply J4; right; lra].
      exfalso. pose proof (freed_before_peak j a (Rmin (s + (INR j + 1) * L) full) ltac:(lra) ltac:(lra) (Rmin_l _ _) (Rmin_r _ _)) as G.
      assert (e < Rmin (s + (INR j + 1) * L) full) by (apply Rmin_glb_lt; auto). lra.
    + split; [|intros _; apply J4; left; lra]. intros Hlt. left. exists (S j). rewrite S_INR. assert (Ee : e = s + (INR j + 1) * L) by lra.
      split; [lra|]. rewrite <- Ee. apply J5; lra.
Qed.

Lemma by_periods t p : machine t p -> s <= t < tau -> t <= peak ->
  (forall u, s <= u <= t -> each u) /\ lossless s t /\ controlled_bursts M p /\ quiet_ports M N Z p /\ (t < peak -> in_period t p) /\ (t = peak -> steady_controlled M N p).
Proof.
  destruct lasts_bounds as (B1 & _ & _ & Pp & _). pose proof (meets_pos M N alpha B v M_pos N_pos alpha_pos B_pos v_pos) as [Mp Mf].
  assert (At : forall q, machine s q -> s < tau -> (forall u, s <= u <= s -> each u) /\ lossless s s /\ controlled_bursts M q /\ quiet_ports M N Z q /\ (s < peak -> in_period s q) /\ (s = peak -> steady_controlled M N q)).
  { intros q Hq Ht. destruct (begins q Hq Ht) as (G1 & G2 & G3). split.
    - intros u Hu. replace u with s by lra. apply (starts_lag M N Z alpha B C v M_pos N_pos alpha_pos B_pos C_pos v_pos s lag Q start).
    - split; [intros i u Hi Hu; lra|]. split; [auto|]. split; [auto|]. split; [|intros; lra].
      intros _. left. exists 0%nat. simpl INR. rewrite Rmult_0_l, Rplus_0_r. split; [lra|auto]. }
  induction 1 as [|a e p p' H IH Hp Hh]; intros Ht Hl; [lra|]. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hae.
  destruct (Rlt_dec a s) as [c|c].
  { pose proof (crosses a e p H Hp c ltac:(lra)). replace e with s in * by lra. apply At; [|lra]. apply run_goes_on with a p; auto. }
  destruct IH as (I1 & I2 & I3 & I4 & I5 & _); [lra|lra|].
  destruct (phase_in_period a e p Hp ltac:(lra) ltac:(lra) (I1 a ltac:(lra)) I3 I4 (I5 ltac:(lra))) as (K1 & K2 & K3 & K). destruct (K p' ltac:(lra) Hh) as (J1 & J2 & J3 & J4).
  split; [intros u Hu; destruct (Rle_dec u a) as [c0|c0]; [apply I1|apply K2]; lra|]. split; [intros i u Hi Hu; destruct (Rlt_dec u a) as [c0|c0]; [apply I2|apply K3]; auto; lra|]. auto.
Qed.

Variable last : nat -> port_state.
Hypothesis run : machine tau last.

Lemma at_peak : peak < tau ->
  (forall i t, (M <= i < M + N)%nat -> s <= t <= peak -> Q i t = v * (t - s)) /\ lossless s peak /\
  forall i, (M <= i < M + N)%nat -> 0 < rejected dsw Ar Q D i peak.
Proof.
  intros Ht. destruct lasts_bounds as (B1 & B2 & B3 & Pp & _). pose proof (meets_pos M N alpha B v M_pos N_pos alpha_pos B_pos v_pos) as [Mp Mf].
  destruct (begins_at (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D peak tau last run ltac:(lra)) as (e & q & H1 & H2 & H3).
  { intros a e q H1 H2 H3 H4. destruct (Rlt_dec a s) as [c|c]; [pose proof (crosses a e q H1 H2 c H4); lra|].
    destruct (by_periods a q H1) as (I1 & _ & I3 & I4 & I5 & _); [pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ H2); lra|lra|].
    apply (phase_in_period a e q H2 ltac:(lra) H4 (I1 a ltac:(lra)) I3 I4 (I5 H3)). }
  pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ H2) as Hpe.
  destruct (by_periods peak q H1 ltac:(lra) ltac:(lra)) as (I1 & I2 & I3 & I4 & _ & I6). specialize (I6 eq_refl).
  split; [intros i t Hi Hit; rewrite (proj1 (proj2 (I1 t Hit)) i Hi); unfold V_lag; ring|]. split; [exact I2|]. intros i Hi.
  assert (T : trajectory dsw Ar peak e Q D).
  { apply (trajectory_of (edt_state (M + N + Z) alpha B C q)); [apply all_controlled, (nobody M N Z); auto|apply (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ H2)]. }
  assert (La : lasting M N Z C R v peak e Ar) by (apply (lasting_sub M N Z C R v s tau); auto; lra).
  rewrite (rejected_is M N Z C R v v_pos dsw Ar peak e) by (auto; try (intros; reflexivity); lra).
  pose proof (I1 peak ltac:(lra)) as E. pose proof (numbers M N alpha M_pos N_pos alpha_pos) as (Hm & Hn & Ham & Han).
  destruct (Req_EM_T lasts (share / v)) as [x|x].
  - destruct (rests M N Z alpha B C R v M_pos N_pos alpha_pos B_pos C_pos overloaded v_pos peak e Ar Q D ltac:(lra) La T) as [_ E0]; [|rewrite E0 by (auto; lra); lra].
    rewrite x in *. rewrite lag_common in E by auto. replace (V (s + share / v)) with share in E by (unfold V_lag; field; lra). exact E.
  - destruct (length_rule _ _ _ _ _ _ T i peak ltac:(simpl; lia) ltac:(lra)) as (_ & Above & _). rewrite Above; [unfold lowest; simpl|].
    + destruct (Rlt_dec 0 (Q i peak)) as [c0|c0]; [lra|]. pose proof (Rmax_l 0 (- C)). rewrite Rmax_left by lra. lra.
    + unfold threshold. destruct (lag_free M N Z alpha B C v s M_pos N_pos alpha_pos B_pos C_pos v_pos dsw Q peak lag eq_refl eq_refl E) as (Fr & _). rewrite Fr, (proj1 (proj2 E) i Hi). simpl.
      assert (Vp : V peak = v * lasts) by (unfold V_lag; ring). rewrite Vp.
      assert (More : share < v * lasts).
      { replace share with (v * (share / v)) at 1 by (field; lra). apply Rmult_lt_compat_l; lra. }
      assert (Wb : alpha * (B - n * (v * lasts)) <= (1 + alpha * m) * W peak).
      { unfold W_lag. pose proof (Rmax_r (- C * peak + (B / m + C * s)) (- (alpha * n * v / (1 + alpha * m)) * peak + (alpha * (B + n * v * s) / (1 + alpha * m)))) as K.
        apply (Rmult_le_compat_l (1 + alpha * m)) in K; [|lra]. eapply Rle_trans; [|exact K]. right. field. lra. }
      assert (Up : alpha * B < (1 + alpha * (m + n)) * (v * lasts)).
      { apply (Rmult_lt_compat_l (1 + alpha * (m + n))) in More; [|lra]. replace ((1 + alpha * (m + n)) * share) with (alpha * B) in More by (field; lra). exact More. }
      apply Rmult_lt_reg_l with (1 + alpha * m); [lra|].
      pose proof (Rmult_le_compat_l (alpha * m) _ _ ltac:(lra) Wb) as Wc. lra.
Qed.
End Periods.

Theorem steady_peak M N Z alpha B C R v cn2 TM1 TM2 : (1 <= M)%nat -> (1 <= N)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R -> 0 < v -> 0 < cn2 -> 0 < TM1 -> 0 < TM2 ->
  forall tau last Ar Q D, burst_arrivals M N Z C (fun _ _ => R) 0 tau Ar -> starts_steady M N Z alpha B C Q ->
  machine_run (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D tau last -> slow M N alpha C R -> phi C R cn2 <= TM1 -> phi C R cn2 <= eq10_time M N alpha B C R ->
  B / (INR M * (R - C)) <= phi C R cn2 + TM2 -> (forall j t, (M <= j < M + N)%nat -> B / (INR M * (R - C)) <= t < tau -> Ar j t = C + v) ->
  v <= alpha * INR M * C / (1 + alpha * INR N) -> cn2 <= v * TM1 ->
  forall k r, alpha * B / (1 + alpha * (INR M + INR N)) / v = INR k * (cn2 / v + TM2) + r -> 0 <= r < cn2 / v + TM2 ->
  let over := B / (INR M * (R - C)) in
  let peak := over + Rmin (if Rlt_dec r (cn2 / v) then alpha * B / (1 + alpha * (INR M + INR N)) / v else (INR k + 1) * (cn2 / v + TM2)) (B / (INR N * v)) in
  peak < tau ->
  (forall i t, (M <= i < M + N)%nat -> over <= t <= peak -> Q i t = v * (t - over)) /\
  (forall i t, (M <= i < M + N)%nat -> over <= t < peak -> rejected (dt_switch (M + N + Z) alpha B C) Ar Q D i t = 0) /\
  (forall i, (M <= i < M + N)%nat -> 0 < rejected (dt_switch (M + N + Z) alpha B C) Ar Q D i peak).
Proof.
  intros HM HN Ha HB HC HR Hv Hc H1 H2 tau last Ar Q D A St Run Sl P1 P2 P3 Of Lag In k r E Hr over peak Ht.
  assert (Op : 0 < over) by (apply (over_pos M B C R); auto).
  assert (Sh : cn2 / v <= alpha * B / (1 + alpha * (INR M + INR N)) / v) by (apply (shares M N alpha B C R v cn2); auto).
  pose proof (lasts_bounds M N alpha B v cn2 TM2 HM HN Ha HB Hv Hc k r E Hr) as (B1 & _).
  pose proof (meets_pos M N alpha B v HM HN Ha HB Hv) as [Mp _].
  assert (Hl : over < tau) by (unfold lasts, counts in B1; unfold peak in Ht; lra).
  destruct (run_before M N Z alpha B C R v cn2 TM1 TM2) with (tau := tau) (last := last) (Ar := Ar) (Q := Q) (D := D) as [_ Hs]; auto.
  apply (at_peak M N Z alpha B C R v cn2 TM1 TM2 over) with (last := last) (k := k) (r := r) (tau := tau); auto.
  - apply (after_offered M N Z B C R v); auto.
  - apply (begins_over M N Z alpha B C R v cn2 TM1 TM2) with (tau := tau) (Ar := Ar) (Q := Q) (D := D); auto.
  - apply (ends_at_over M N Z alpha B C R cn2 TM1 TM2) with (tau := tau) (Ar := Ar) (Q := Q) (D := D); auto.
  - apply (counts_to v cn2 Hv TM1). auto.
Qed.

(** Numbers that meet them: those of [steady_machine_instance], in which TM_2 expires later than the buffer is full, at 18. *)
Theorem steady_peak_instance : 1 * 6 / (1 + 1 * (INR 1 + INR 1)) / / 2 = INR 0 * (1 / / 2 + 20) + 4 /\ 0 <= 4 < 1 / / 2 + 20 /\
  exists tau Ar Q D p, 18 < tau /\ burst_arrivals 1 1 0 1 (fun _ _ => 2) 0 tau Ar /\ starts_steady 1 1 0 1 6 1 Q /\
    (forall j t, (1 <= j < 2)%nat -> Ar j t = 1 + / 2) /\ machine_run (1 + 1 + 0) 1 6 1 1 3 20 Ar Q D tau p.
Proof.
  split; [simpl; lra|]. split; [lra|]. destruct steady_machine_instance as (_ & _ & _ & _ & _ & _ & _ & (Ar & Q & D & p & A & [S1 S2 S3] & Of & H) & _).
  assert (Burst : forall t, 0 <= t -> Ar 0%nat t = 2) by (intros t Ht; apply (burst_ports _ _ _ _ _ _ _ _ (A (t + 1))); lia || lra).
  assert (Both : forall i t, (i < 1 + 1 + 0)%nat -> 0 <= t -> Ar i t = if Nat.eq_dec i 0 then 2 else 1 + / 2).
  { intros i t Hi Ht. destruct (Nat.eq_dec i 0) as [->|c]; [apply Burst, Ht|apply Of; lia]. }
  assert (Long : forall i, (i < 1 + 1 + 0)%nat -> 0 <= Q i 18).
  { intros i Hi. inversion H as [|s e q q' H1 H2 H3]; subst; [lra|]. apply (length_nonneg _ _ _ _ _ _ (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ H2)); [exact Hi|]. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ H2). lra. }
  destruct (machine_goes_on (1 + 1 + 0) 1 6 1 1 3 20 Ar ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) Q D 18 p H) as (Q' & D' & e & p' & He & H' & _ & E & _).
  { intros i Hi. split; [rewrite Both by (auto; lra); destruct (Nat.eq_dec i 0); lra|auto]. }
  { exists 1. split; [lra|]. intros i u Hi Hu. rewrite !Both by (auto; lra). reflexivity. }
  exists e, Ar, Q', D', p'. split; [lra|]. split; [apply A|]. split; [|split; [exact Of|exact H']].
  split; intros i Hi; rewrite E by (lia || lra); auto. rewrite S2 by auto. unfold threshold, free. simpl. rewrite !E by (lia || lra). reflexivity.
Qed.
