(** DT/EDT paper, Sections 4.2 and 4.3: steady ports that cannot follow the rising threshold after the overflow of EDT, as a
    consequence of the ports' state machines ([machine_run]).

    Slow bursts that are recognised overflow the buffer at over = B / (M (R - C)); the N steady ports are offered C + v from then on.
      [steady_become]     if v <= alpha M C / (1 + alpha N) and cn_2 <= v TM_1, these ports and no others are uncontrolled, from
                          cn_2 / v after the overflow on, until TM_2 expires or the whole buffer is theirs;
      [steady_never]      before, and always if v is larger or TM_1 shorter, they are controlled;
      [steady_schedule]   so the machine does what OverflowSlowPorts.v supposes;
      [steady_takes_all]  and they lose nothing until each holds B / N and the bursts nothing, if TM_2 lets them;
      [steady_exists]     there is such a run for all parameters.                                                              *)
Require Import Reals Lra Lia Bool.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds Theorem1Evolution Theorem5 Theorem1Statements FreeBuffer FreeBufferExtremes FreeBufferUse Recovery Theorem5Lengths RecoveryBytesLost OverflowSlowPorts ControlMachine Theorem5Timed Theorem5Exists.
Open Scope R_scope.


(** M bursts, N steady ports that are offered C + v from s on, and Z quiet ones. *)
Section Ports.
Variables (M N Z : nat) (alpha B C R v cn2 TM1 TM2 : real).
Hypotheses (M_pos : (1 <= M)%nat) (N_pos : (1 <= N)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R).
Hypotheses (v_pos : 0 < v) (cn2_pos : 0 < cn2) (TM1_pos : 0 < TM1) (TM2_pos : 0 < TM2).
Notation m := (INR M).
Notation n := (INR N).
Notation dsw := (dt_switch (M + N + Z) alpha B C).
Notation fsw := (steady_free M N (M + N + Z) alpha B C).
Notation share := (alpha * B / (1 + alpha * (m + n))).
Notation limit := (alpha * m * C / (1 + alpha * n)).
Notation does := (acted C cn2 TM1 TM2).
Definition counts : real := cn2 / v.
Notation psi := counts.

Section Steady.
Variable s : real.
Hypothesis lag : v <= limit.
Notation W := (W_lag M N alpha B C v s).
Notation V := (V_lag v s).
Notation full := (s + B / (n * v)).

(** ** The lengths *)

Lemma counts_pos : 0 < psi.
Proof. apply Rdiv_lt_0_compat; auto. Qed.

Lemma counts_to x : (cn2 <= v * x <-> psi <= x) /\ (v * x < cn2 <-> x < psi).
Proof.
  assert (E : v * psi = cn2) by (unfold counts; field; lra). rewrite <- E.
  split; split; [apply Rmult_le_reg_l|apply Rmult_le_compat_l|apply Rmult_lt_reg_l|apply Rmult_lt_compat_l]; lra.
Qed.

Section Run.
Variables (tau : real) (last : nat -> port_state) (Ar Q D : nat -> real -> real).
Notation machine := (machine_run (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D).
Notation one_phase := (phase (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D).
Notation after := (passed (M + N + Z) alpha B C Ar Q D).
Notation what_happens := (happens (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q).
Notation overflows := (buffer_overflows (M + N + Z) alpha B C Ar Q).
Notation each t := (holds_each M N Z Q t (W t) (V t)).
Hypotheses (offered : lasting M N Z C R v s tau Ar) (start : holds_each M N Z Q s (B / m) 0).

Lemma starts_lag : holds_each M N Z Q s (W s) (V s).
Proof. rewrite lag_start by auto. unfold V_lag. replace (v * s + - (v * s)) with 0 by ring. exact start. Qed.

(** While they lag: the bursts lose something and do not grow, nothing moves at the quiet ports. *)
Lemma lag_slopes sw a b : lag_switch M N Z alpha B C v s sw b -> s <= a <= b -> b <= tau -> trajectory sw Ar a b Q D ->
  holds_each M N Z Q a (W a) (V a) ->
  (forall t, a <= t <= b -> holds_each M N Z Q t (W t) (V t)) /\
  forall t, a <= t < b -> (forall i, (i < M)%nat -> D i t <= 0 /\ 0 < rejected dsw Ar Q D i t) /\
    (forall i, (M <= i < M + N)%nat -> D i t = v /\ rejected dsw Ar Q D i t = 0) /\ (forall i, (M + N <= i < M + N + Z)%nat -> D i t = 0).
Proof.
  intros K Ho Hb T H. assert (L : lasting M N Z C R v a b Ar) by (apply (lasting_sub M N Z C R v s tau); auto; lra).
  pose proof (numbers M N alpha M_pos N_pos alpha_pos) as (Hm & Hn & Ham & Han).
  assert (P : ports sw = (M + N + Z)%nat) by (destruct K as [[-> _]|[-> _]]; reflexivity).
  destruct (lag_trajectory M N Z alpha B C R v s M_pos N_pos alpha_pos B_pos C_pos overloaded v_pos lag sw a b Ar K Ho L) as [_ U].
  destruct (U Q D T H) as [U1 U2]. split; [exact U1|]. intros t Ht.
  assert (Same : forall i f d, (i < M + N + Z)%nat -> (forall u, a <= u <= b -> Q i u = f u) -> right_derivative f t d -> D i t = d).
  { intros i f d Hi Hf Hd. apply (rd_unique t (Q i)); [apply (length_slope _ _ _ _ _ _ T); [rewrite P; auto|lra]|].
    apply rd_ext with f; auto. exists (b - t). split; [lra|]. intros h Hh. apply Hf. lra. }
  split; [|split].
  - intros i Hi. assert (E : D i t = w_lag M N alpha B C v s t).
    { apply (Same i W); [lia|intros u Hu; apply (U1 u Hu); auto|].
      apply (rd_max t (fun t => - C * t + (B / m + C * s)) (fun t => - (alpha * n * v / (1 + alpha * m)) * t + (alpha * (B + n * v * s) / (1 + alpha * m)))); apply rd_linear. }
    assert (Dn : D i t <= 0).
    { rewrite E. destruct (W_lag_cases M N alpha B C v s M_pos N_pos alpha_pos C_pos v_pos lag t) as [(_ & -> & _)|(_ & K2 & _)]; [lra|].
      apply Rmult_le_reg_l with (1 + alpha * m); [lra|]. pose proof (Rmult_lt_0_compat (alpha * n) v Han v_pos). lra. }
    unfold rejected, highest. simpl. rewrite (la_bursts _ _ _ _ _ _ _ _ _ L i t Hi Ht).
    destruct (Rlt_dec 0 (Q i t)); [lra|]. rewrite Rmax_right; lra.
  - split; [apply U2; auto|]. rewrite (rejected_is M N Z C R v v_pos dsw Ar a b) by (auto; intros; reflexivity). rewrite U2 by auto. ring.
  - intros i Hi. apply (Same i (fun _ => 0)); [lia|intros u Hu; apply (U1 u Hu); auto|apply rd_const].
Qed.

(** Until [full] nothing overflows. *)
Lemma not_full t q : each t -> s < t -> t < full -> ~ overflows t q.
Proof.
  intros H Hs Ht (Fr & _). destruct (lag_free M N Z alpha B C v s M_pos N_pos alpha_pos B_pos C_pos v_pos (edt_state (M + N + Z) alpha B C q) Q t lag eq_refl eq_refl H) as (_ & K & _).
  lra.
Qed.

(** ** The states *)

Definition controlled_bursts (p : nat -> port_state) : Prop := forall i, (i < M)%nat -> uncontrolled (p i) = false.
Definition quiet_ports (p : nat -> port_state) : Prop := forall i, (M + N <= i < M + N + Z)%nat -> uncontrolled (p i) = false /\ counter (p i) = 0.
Definition steady_counting (p : nat -> port_state) (t0 t : real) : Prop := forall i, (M <= i < M + N)%nat ->
  uncontrolled (p i) = false /\ counter (p i) = v * (t - t0) /\ (t0 < t -> started (p i) = t0).
Definition steady_freed (p : nat -> port_state) (t0 : real) : Prop := forall i, (M <= i < M + N)%nat -> uncontrolled (p i) = true /\ started (p i) = t0.
Definition steady_controlled (p : nat -> port_state) : Prop := forall i, (M <= i < M + N)%nat -> uncontrolled (p i) = false.

Lemma nobody p : controlled_bursts p -> quiet_ports p -> steady_controlled p -> forall i, (i < M + N + Z)%nat -> uncontrolled (p i) = false.
Proof. intros H1 H2 H3 i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]]; [apply H1|apply H3|apply H2]; auto. Qed.

Lemma counting_controlled p t0 t : steady_counting p t0 t -> steady_controlled p.
Proof. intros H i Hi. apply H; auto. Qed.

Lemma steady_only p t0 : controlled_bursts p -> quiet_ports p -> steady_freed p t0 -> same_switch (edt_state (M + N + Z) alpha B C p) fsw.
Proof.
  intros H1 H2 H3. assert (E : forall i, (i < M + N + Z)%nat -> uncontrolled (p i) = (M <=? i)%nat && (i <? M + N)%nat).
  { intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]].
    - rewrite H1 by auto. destruct (Nat.leb_spec M i); [lia|reflexivity].
    - rewrite (proj1 (H3 i c)). destruct (Nat.leb_spec M i); [|lia]. destruct (Nat.ltb_spec i (M + N)); [reflexivity|lia].
    - rewrite (proj1 (H2 i c)). destruct (Nat.ltb_spec i (M + N)); [lia|]. destruct (M <=? i)%nat; reflexivity. }
  assert (K : forall k, (k <= M + N + Z)%nat -> many k (fun j => uncontrolled (p j)) = (Nat.min k (M + N) - Nat.min k M)%nat).
  { induction k; intros Hk; [reflexivity|]. cbn [many]. rewrite IHk, E by lia.
    destruct (Nat.leb_spec M k), (Nat.ltb_spec k (M + N)); cbn [andb]; lia. }
  split; [reflexivity|]. split; [reflexivity|]. simpl. intros i Hi. rewrite K, E by lia.
  replace (Nat.min (M + N + Z) (M + N) - Nat.min (M + N + Z) M)%nat with N by lia. destruct ((M <=? i)%nat && (i <? M + N)%nat); auto.
Qed.

Lemma idle_state t a y : does t a (Port false 0 y) = Port false 0 y.
Proof. unfold acted. cbn [uncontrolled counter started]. destruct (Rle_dec cn2 0); [lra|]. destruct (Rlt_dec 0 0); [lra|reflexivity]. Qed.

(** Bursts and quiet ports count nothing. *)
Lemma uncounted a t p : a <= t -> (forall i, (i < M)%nat -> 0 < rejected dsw Ar Q D i a) -> (forall i, (M + N <= i < M + N + Z)%nat -> D i a = 0) ->
  controlled_bursts p -> quiet_ports p -> forall i, (i < M \/ M + N <= i < M + N + Z)%nat -> does t (Ar i t) (after a t p i) = after a t p i /\ uncontrolled (after a t p i) = false /\ counter (after a t p i) = 0.
Proof.
  intros Hat Hr Hd H1 H2 i Hi. assert (E : after a t p i = Port false 0 (started (after a t p i))).
  { unfold passed. destruct Hi as [Hi|Hi].
    - rewrite (H1 i Hi). destruct (Rlt_dec 0 (rejected dsw Ar Q D i a)); [reflexivity|]. specialize (Hr i Hi). lra.
    - destruct (H2 i Hi) as [U1 U2]. rewrite U1, U2, Hd by auto. f_equal. destruct (Rlt_dec 0 (rejected dsw Ar Q D i a)); [reflexivity|]. apply Rmax_left. lra. }
  rewrite E. rewrite idle_state. auto.
Qed.

(** *** They count from t0 on *)
Lemma lag_step_from a e p t0 : one_phase a e p -> s <= t0 <= a -> a < s + share / v -> a < t0 + psi -> a < t0 + TM1 -> e <= tau -> holds_each M N Z Q a (W a) (V a) ->
  controlled_bursts p -> quiet_ports p -> steady_counting p t0 a ->
  e <= s + share / v /\ e <= t0 + psi /\ e <= t0 + TM1 /\ trajectory dsw Ar a e Q D /\
  forall p', e < tau -> what_happens e (after a e p) p' -> controlled_bursts p' /\ quiet_ports p' /\
    (e = t0 + psi -> steady_freed p' e) /\ (e < t0 + psi -> e = t0 + TM1 -> steady_counting p' e e) /\
    (e < t0 + psi -> e < t0 + TM1 -> steady_counting p' t0 e).
Proof.
  intros Hp H0 Hx H1 H2 He La Hb Hq Hc. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hae. pose proof (meets_pos M N alpha B v M_pos N_pos alpha_pos B_pos v_pos) as [Mp Mf].
  assert (Te : trajectory dsw Ar a e Q D).
  { apply (trajectory_of (edt_state (M + N + Z) alpha B C p));
      [apply all_controlled, nobody; auto; apply (counting_controlled p t0 a); auto|apply (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ Hp)]. }
  assert (Hex : e <= s + share / v).
  { destruct (Rle_dec e (s + share / v)) as [c|c]; [auto|exfalso]. assert (Kx : exists x, x = s + share / v) by eauto. destruct Kx as [x Ex].
    destruct (lag_slopes dsw a x) as [L1 L2]; auto; [left; split; auto; lra|lra|lra|apply (trajectory_shorten dsw Ar a e); auto; lra|].
    pose proof (L1 x ltac:(lra)) as Hx1. rewrite Ex in Hx1. rewrite lag_common in Hx1 by auto.
    replace (V (s + share / v)) with share in Hx1 by (unfold V_lag; field; pose proof (numbers M N alpha M_pos N_pos alpha_pos); lra). rewrite <- Ex in Hx1.
    assert (Lx : lasting M N Z C R v x e Ar) by (apply (lasting_sub M N Z C R v s tau); auto; lra).
    destruct (rests M N Z alpha B C R v M_pos N_pos alpha_pos B_pos C_pos overloaded v_pos x e Ar Q D ltac:(lra) Lx) as [_ E0]; [apply (trajectory_later dsw Ar a); auto; lra|exact Hx1|].
    destruct (L2 a ltac:(lra)) as (_ & S2 & _). destruct (S2 M ltac:(lia)) as [_ L0].
    pose proof (rejected_is M N Z C R v v_pos dsw Ar x e Q D M x ltac:(reflexivity) Lx ltac:(lia) ltac:(lra)) as L. rewrite E0 in L by (lia || lra).
    destruct (phase_straight _ _ _ _ _ _ _ _ _ _ _ _ _ Hp M x ltac:(lia) ltac:(lra)) as [_ [K _]]. unfold loses in K. lra. }
  destruct (lag_slopes dsw a e) as [L1 L2]; auto; [left; auto|lra|].
  destruct (L2 a ltac:(lra)) as (S1 & S2 & S3).
  assert (P : forall i t, (M <= i < M + N)%nat -> a <= t -> after a t p i = Port false (v * (t - t0)) t0).
  { intros i t Hi Ht. destruct (Hc i Hi) as (C1 & C2 & C3). destruct (S2 i Hi) as [E1 E2]. unfold passed. rewrite C1, C2, E1, E2.
    destruct (Rlt_dec 0 0); [lra|]. f_equal.
    - rewrite Rmax_right; [ring|]. pose proof (Rmult_le_pos v (t - t0) ltac:(lra) ltac:(lra)). lra.
    - destruct (Rlt_dec t0 a) as [c|c].
      + destruct (Rlt_dec 0 (v * (a - t0))) as [d|d]; [apply C3, c|]. pose proof (Rmult_lt_0_compat v (a - t0)). lra.
      + replace a with t0 by lra. destruct (Rlt_dec 0 (v * (t0 - t0))) as [d|d]; [|reflexivity]. lra. }
  assert (Quiet : forall t, a < t < e -> t < t0 + psi /\ t < t0 + TM1).
  { intros t Ht. destruct (quiet_controlled _ _ _ _ _ _ _ _ _ _ a e p M t Hp ltac:(lia) Ht (proj1 (Hc M ltac:(lia)))) as [Q1 Q2].
    rewrite P in Q1, Q2 by (lia || lra).
    rewrite (la_steady _ _ _ _ _ _ _ _ _ offered M t) in Q1 by (lia || lra).
    split; [|apply Q2; apply Rmult_lt_0_compat; lra]. assert (t - t0 < psi); [apply counts_to, Q1|]; lra. }
  split; [auto|]. split; [apply (until a); auto; intros t Ht; apply Quiet, Ht|]. split; [apply (until a); auto; intros t Ht; apply Quiet, Ht|]. split; [auto|].
  intros p' Ht [_ Hh]. set (q := fun i => does e (Ar i e) (after a e p i)) in Hh.
  specialize (Hh (not_full e q (L1 e ltac:(lra)) ltac:(lra) ltac:(lra))).
  assert (U : forall i, (i < M \/ M + N <= i < M + N + Z)%nat -> uncontrolled (p' i) = false /\ counter (p' i) = 0).
  { intros i Hi. destruct (uncounted a e p ltac:(lra) (fun i Hi => proj2 (S1 i Hi)) S3 Hb Hq i Hi) as (E1 & E2 & E3). rewrite Hh by lia. rewrite E1. auto. }
  split; [intros i Hi; apply U; auto|]. split; [intros i Hi; apply U; auto|].
  assert (EM : forall i, (M <= i < M + N)%nat -> p' i = does e (C + v) (Port false (v * (e - t0)) t0)).
  { intros i Hi. rewrite Hh by lia. rewrite P, (la_steady _ _ _ _ _ _ _ _ _ offered i e) by (auto; lra). reflexivity. }
  destruct (counts_to (e - t0)) as [P1 P2]. pose proof (Rmult_lt_0_compat v (e - t0) v_pos ltac:(lra)).
  unfold acted in EM. cbn [uncontrolled counter started] in EM.
  destruct (Rle_dec cn2 (v * (e - t0))) as [c|c].
  - destruct (Rlt_dec C (C + v)); [|lra]. split; [|split; intros; lra]. intros _ i Hi. rewrite EM by auto. auto.
  - assert (c' : v * (e - t0) < cn2) by lra. destruct (Rlt_dec 0 (v * (e - t0))); [|lra].
    destruct (Rle_dec (t0 + TM1) e); (split; [|split]); intros; try lra; intros i Hi; rewrite EM by auto; simpl; repeat split; lra.
Qed.

Lemma lag_step a e p t0 : one_phase a e p -> s <= t0 <= a -> a < s + share / v -> a < t0 + psi -> a < t0 + TM1 -> e <= tau -> trajectory dsw Ar s a Q D ->
  controlled_bursts p -> quiet_ports p -> steady_counting p t0 a ->
  e <= s + share / v /\ e <= t0 + psi /\ e <= t0 + TM1 /\ trajectory dsw Ar s e Q D /\
  forall p', e < tau -> what_happens e (after a e p) p' -> controlled_bursts p' /\ quiet_ports p' /\
    (e = t0 + psi -> steady_freed p' e) /\ (e < t0 + psi -> e = t0 + TM1 -> steady_counting p' e e) /\
    (e < t0 + psi -> e < t0 + TM1 -> steady_counting p' t0 e).
Proof.
  intros Hp H0 Hx H1 H2 He T Hb Hq Hc. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp).
  destruct (lag_slopes dsw s a) as [L _]; auto; [left; split; auto; lra|lra|lra|apply starts_lag|].
  destruct (lag_step_from a e p t0 Hp H0 Hx H1 H2 He (L a ltac:(lra)) Hb Hq Hc) as (K1 & K2 & K3 & K4 & K5).
  split; [auto|]. split; [auto|]. split; [auto|]. split; [apply trajectory_join with a; auto; lra|exact K5].
Qed.

(** *** All hold the common length, and lose *)
Lemma rest_step a e p : one_phase a e p -> s + share / v <= a -> e <= tau -> trajectory dsw Ar s a Q D ->
  controlled_bursts p -> quiet_ports p -> steady_controlled p ->
  trajectory dsw Ar s e Q D /\ forall p', what_happens e (after a e p) p' -> controlled_bursts p' /\ quiet_ports p' /\ steady_controlled p'.
Proof.
  intros Hp Hx He T Hb Hq Hc. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hae. pose proof (meets_pos M N alpha B v M_pos N_pos alpha_pos B_pos v_pos) as [Mp Mf].
  assert (Te : trajectory dsw Ar s e Q D).
  { apply trajectory_join with a; auto; [lra|]. apply (trajectory_of (edt_state (M + N + Z) alpha B C p));
      [apply all_controlled, nobody; auto|apply (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ Hp)]. }
  split; [auto|].
  destruct (overflow_lag M N Z alpha B C R v s M_pos N_pos alpha_pos B_pos C_pos overloaded v_pos e Ar Q D ltac:(lra) (lasting_sub M N Z C R v s tau s e Ar ltac:(lra) He offered) Te start lag) as (_ & _ & O3).
  assert (Tx : trajectory dsw Ar s (s + share / v) Q D) by (apply (trajectory_shorten dsw Ar s e); auto; lra).
  destruct (lag_slopes dsw s (s + share / v)) as [L1 _]; auto; [left; split; auto; lra|lra|lra|apply starts_lag|].
  pose proof (L1 (s + share / v) ltac:(lra)) as Hx1. rewrite lag_common in Hx1 by auto.
  replace (V (s + share / v)) with share in Hx1 by (unfold V_lag; field; pose proof (numbers M N alpha M_pos N_pos alpha_pos); lra).
  assert (Lx : lasting M N Z C R v (s + share / v) e Ar) by (apply (lasting_sub M N Z C R v s tau); auto; lra).
  assert (Tl : trajectory dsw Ar (s + share / v) e Q D) by (apply (trajectory_later dsw Ar s); auto; lra).
  destruct (rests M N Z alpha B C R v M_pos N_pos alpha_pos B_pos C_pos overloaded v_pos (s + share / v) e Ar Q D ltac:(lra) Lx Tl Hx1) as [R1 _].
  assert (Flat : forall i c, (i < M + N + Z)%nat -> (forall u, s + share / v <= u <= e -> Q i u = c) -> D i a = 0).
  { intros i c Hi Hf. apply (rd_unique a (Q i)); [apply (length_slope _ _ _ _ _ _ Tl); [simpl; auto|lra]|].
    apply rd_ext with (fun _ => c); [|apply rd_const]. exists (e - a). split; [lra|]. intros h Hh. apply Hf. lra. }
  assert (S1 : forall i, (i < M)%nat -> 0 < rejected dsw Ar Q D i a).
  { intros i Hi. unfold rejected, highest. simpl. rewrite (Flat i share) by (try lia; intros u Hu; destruct (R1 u Hu) as (E & _ & _); auto).
    rewrite (la_bursts _ _ _ _ _ _ _ _ _ Lx i a Hi) by lra. destruct (Rlt_dec 0 (Q i a)); [lra|]. rewrite Rmax_right; lra. }
  assert (S3 : forall i, (M + N <= i < M + N + Z)%nat -> D i a = 0) by (intros i Hi; apply (Flat i 0); [lia|intros u Hu; apply (R1 u Hu); auto]).
  assert (S2 : forall i, (M <= i < M + N)%nat -> after a e p i = Port false 0 (started (after a e p i))).
  { intros i Hi. unfold passed. rewrite (Hc i Hi). destruct (Rlt_dec 0 (rejected dsw Ar Q D i a)) as [c|c]; [reflexivity|].
    rewrite (O3 i a Hi) in c by lra. lra. }
  intros p' [_ Hh].
  assert (E : forall i, (i < M + N + Z)%nat -> does e (Ar i e) (after a e p i) = after a e p i /\ uncontrolled (after a e p i) = false).
  { intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]].
    - destruct (uncounted a e p ltac:(lra) S1 S3 Hb Hq i (or_introl c)) as (E1 & E2 & _). auto.
    - rewrite (S2 i c), idle_state. auto.
    - destruct (uncounted a e p ltac:(lra) S1 S3 Hb Hq i (or_intror c)) as (E1 & E2 & _). auto. }
  assert (K : forall i, (i < M + N + Z)%nat -> p' i = after a e p i).
  { intros i Hi. rewrite Hh; [apply E; auto| |auto]. apply no_overflow. intros j Hj. destruct (E j Hj) as [E1 E2]. rewrite E1. auto. }
  split; [intros i Hi; rewrite K by lia; apply E; lia|]. split; [|intros i Hi; rewrite K by lia; apply E; lia].
  intros i Hi. rewrite K by lia. destruct (uncounted a e p ltac:(lra) S1 S3 Hb Hq i (or_intror Hi)) as (_ & E2 & E3). auto.
Qed.

(** *** They are uncontrolled *)
Lemma full_overflow q t0 : full < tau -> holds_each M N Z Q full (W full) (V full) -> controlled_bursts q -> quiet_ports q -> steady_freed q t0 -> overflows full q.
Proof.
  intros Ht H Hb Hq Hf. pose proof (steady_only q t0 Hb Hq Hf) as Same. pose proof (same_sym _ _ Same) as Same'.
  pose proof (numbers M N alpha M_pos N_pos alpha_pos) as (Hm & Hn & Ham & Han). pose proof (meets_pos M N alpha B v M_pos N_pos alpha_pos B_pos v_pos) as [Mp Mf].
  destruct (lag_free M N Z alpha B C v s M_pos N_pos alpha_pos B_pos C_pos v_pos (edt_state (M + N + Z) alpha B C q) Q full lag eq_refl eq_refl H) as (_ & _ & F0). destruct (F0 eq_refl) as (We & Ve & Fz).
  destruct (lag_free M N Z alpha B C v s M_pos N_pos alpha_pos B_pos C_pos v_pos fsw Q full lag eq_refl eq_refl H) as (_ & _ & F1). destruct (F1 eq_refl) as (_ & _ & Fz').
  rewrite We, Ve in H. destruct H as (E1 & E2 & E3). assert (Bn : 0 < B / n) by (apply Rdiv_lt_0_compat; lra).
  split; [exact Fz|]. split; [exists M; split; [lia|apply Hf; lia]|]. exists (fun _ _ => 0).
  assert (Sl : free_slope fsw (fun _ _ => 0) full = 0) by (unfold free_slope; simpl; rewrite sum_const; ring).
  split.
  - intros i Hi. apply (same_obeys fsw); auto. unfold obeys, threshold, threshold_slope. rewrite Fz', Sl. unfold highest, lowest. simpl.
    destruct (class_of M N Z i Hi) as [c|[c|c]].
    + destruct (Nat.leb_spec M i); [lia|]. simpl. rewrite E1, (la_bursts _ _ _ _ _ _ _ _ _ offered i full c) by (auto; lra). destruct (Rlt_dec 0 0); [lra|].
      rewrite !Rmult_0_r, Rplus_0_r, (Rmax_left 0 (- C)), (Rmax_right 0) by lra. repeat split; intros K; try lra. symmetry. apply clip_inside. lra.
    + destruct (Nat.leb_spec M i); [|lia]. destruct (Nat.ltb_spec i (M + N)); [|lia]. simpl. rewrite E2, (la_steady _ _ _ _ _ _ _ _ _ offered i full c) by (auto; lra).
      destruct (Rlt_dec 0 (B / n)); [|lra]. rewrite !Rmult_0_r, Rplus_0_r. repeat split; intros K; try lra. symmetry. apply clip_inside. lra.
    + destruct (Nat.ltb_spec i (M + N)); [lia|]. rewrite E3 by auto. pose proof (la_others _ _ _ _ _ _ _ _ _ offered i full c ltac:(lra)).
      destruct (Rlt_dec 0 0); [lra|]. rewrite !Rmult_0_r, Rplus_0_r, !Rmax_left by lra. repeat split; intros K; try lra. symmetry. apply clip_inside. lra.
  - right. exists M. split; [lia|]. split; [apply Hf; lia|]. unfold rejected, highest. simpl.
    rewrite E2, (la_steady _ _ _ _ _ _ _ _ _ offered M full) by (lia || lra). destruct (Rlt_dec 0 (B / n)); lra.
Qed.

Definition nothing_lost (a b : real) : Prop := forall i t, (M <= i < M + N)%nat -> a <= t < b -> rejected dsw Ar Q D i t = 0.

(** A phase in which they are uncontrolled since t1. *)
Lemma freed_step a e p t1 : one_phase a e p -> s < a -> a < full -> e <= tau -> each a ->
  controlled_bursts p -> quiet_ports p -> steady_freed p t1 ->
  e <= t1 + TM2 /\ e <= full /\ (forall t, a <= t <= e -> each t) /\ nothing_lost a e /\
  forall p', e < tau -> what_happens e (after a e p) p' -> controlled_bursts p' /\ quiet_ports p' /\
    (e < t1 + TM2 -> e < full -> steady_freed p' t1) /\ (e = t1 + TM2 \/ e = full -> steady_controlled p') /\
    (e = t1 + TM2 -> e < full -> steady_counting p' e e).
Proof.
  intros Hp Hs Ha He La Hb Hq Hf. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hae.
  assert (Te : trajectory fsw Ar a e Q D).
  { apply (trajectory_of (edt_state (M + N + Z) alpha B C p)); [apply steady_only with t1; auto|apply (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ Hp)]. }
  assert (Slopes : forall b, a <= b <= e -> b <= full -> (forall t, a <= t <= b -> each t) /\ forall t, a <= t < b -> (forall i, (i < M)%nat -> D i t <= 0 /\ 0 < rejected dsw Ar Q D i t) /\
    (forall i, (M <= i < M + N)%nat -> D i t = v /\ rejected dsw Ar Q D i t = 0) /\ (forall i, (M + N <= i < M + N + Z)%nat -> D i t = 0)).
  { intros b H1 H2. apply (lag_slopes fsw a b); auto; try lra; [right; auto|].
    apply (trajectory_shorten fsw Ar a e); auto; lra. }
  assert (Hef : e <= full).
  { destruct (Rle_dec e full) as [c|c]; [auto|exfalso]. apply (proj1 (phase_quiet _ _ _ _ _ _ _ _ _ _ _ _ _ Hp full ltac:(lra))).
    apply (full_overflow p t1); auto; [lra|]. apply (Slopes full); lra. }
  assert (Her : e <= t1 + TM2).
  { destruct (Rle_dec e (t1 + TM2)) as [c|c]; [auto|exfalso]. destruct (Hf M ltac:(lia)) as [F1 F2].
    pose proof (quiet_uncontrolled _ _ _ _ _ _ _ _ _ _ a e p M ((Rmax a (t1 + TM2) + e) / 2) Hp ltac:(lia)) as K. pose proof (Rmax_l a (t1 + TM2)). pose proof (Rmax_r a (t1 + TM2)).
    assert (Rmax a (t1 + TM2) < e) by (apply Rmax_lub_lt; lra). specialize (K ltac:(lra) F1). lra. }
  destruct (Slopes e ltac:(lra) Hef) as [L1 L2]. split; [auto|]. split; [auto|]. split; [auto|].
  split; [intros i t Hi Ht; apply (L2 t Ht); auto|]. destruct (L2 a ltac:(lra)) as (S1 & S2 & S3).
  intros p' Ht Hh. set (q := fun i => does e (Ar i e) (after a e p i)).
  assert (U : forall i, (i < M \/ M + N <= i < M + N + Z)%nat -> uncontrolled (q i) = false /\ counter (q i) = 0).
  { intros i Hi. destruct (uncounted a e p ltac:(lra) (fun i Hi => proj2 (S1 i Hi)) S3 Hb Hq i Hi) as (E1 & E2 & E3). unfold q. rewrite E1. auto. }
  assert (Eq : forall i, (M <= i < M + N)%nat -> q i = if Rle_dec (t1 + TM2) e then at_rest else p i).
  { intros i Hi. unfold q. destruct (Hf i Hi) as [F1 F2]. unfold passed, acted. rewrite !F1, F2, (la_steady _ _ _ _ _ _ _ _ _ offered i e) by (auto; lra). destruct (Rlt_dec (C + v) C) as [c0|c0]; [lra|reflexivity]. }
  assert (Kb : controlled_bursts q) by (intros i Hi; apply U; auto). assert (Kq : quiet_ports q) by (intros i Hi; apply U; auto).
  destruct Hh as [Ho Hh].
  destruct (Rle_dec (t1 + TM2) e) as [c|c].
  - assert (Kc : steady_controlled q) by (intros i Hi; rewrite Eq by auto; reflexivity).
    assert (E : forall i, (i < M + N + Z)%nat -> p' i = q i) by (apply Hh, no_overflow, nobody; auto).
    split; [intros i Hi; rewrite E by lia; auto|]. split; [intros i Hi; rewrite E by lia; auto|]. split; [intros; lra|]. split; [intros _ i Hi; rewrite E by lia; auto|].
    intros _ _ i Hi. rewrite E, Eq by (auto; lia). unfold at_rest. cbn [uncontrolled counter started]. split; [ring|intros; lra].
  - assert (Fq : steady_freed q t1) by (intros i Hi; rewrite Eq by auto; apply Hf; auto).
    destruct (Rlt_dec e full) as [d|d].
    + assert (E : forall i, (i < M + N + Z)%nat -> p' i = q i) by (apply Hh, not_full; [apply L1| |]; lra).
      split; [intros i Hi; rewrite E by lia; auto|]. split; [intros i Hi; rewrite E by lia; auto|]. split; [intros _ _ i Hi; rewrite E by lia; auto|]. split; intros; lra.
    + assert (Ef : e = full) by lra.
      assert (Fu : overflows e q).
      { rewrite Ef. apply (full_overflow q t1); auto; [lra|]. apply L1. lra. }
      specialize (Ho Fu). change (forall i, (i < M + N + Z)%nat -> p' i = if uncontrolled (q i) then at_rest else q i) in Ho.
      assert (E : forall i, (i < M + N + Z)%nat -> uncontrolled (p' i) = false).
      { intros i Hi. rewrite Ho by auto. destruct (uncontrolled (q i)) eqn:G; [reflexivity|exact G]. }
      split; [intros i Hi; apply E; lia|]. split; [|split; [intros; lra|split; [intros _ i Hi; apply E; lia|intros; lra]]].
      intros i Hi. rewrite Ho by lia. rewrite (proj1 (Kq i Hi)). apply Kq; auto.
Qed.

Definition returns : real := Rmin (s + psi + TM2) full.

Lemma free_step a e p : psi <= share / v -> one_phase a e p -> s + psi <= a < returns -> e <= tau -> trajectory dsw Ar s (s + psi) Q D -> trajectory fsw Ar (s + psi) a Q D ->
  controlled_bursts p -> quiet_ports p -> steady_freed p (s + psi) ->
  e <= returns /\ trajectory fsw Ar (s + psi) e Q D /\
  forall p', e < tau -> what_happens e (after a e p) p' -> controlled_bursts p' /\ quiet_ports p' /\
    (e < returns -> steady_freed p' (s + psi)) /\ (e = returns -> steady_controlled p').
Proof.
  intros Hpx Hp Ha He T0 T Hb Hq Hf. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hae. pose proof counts_pos as Pp.
  assert (Rl : returns <= s + psi + TM2 /\ returns <= full) by (unfold returns; split; [apply Rmin_l|apply Rmin_r]).
  destruct (lag_slopes dsw s (s + psi)) as [L0 _]; auto; [left; split; auto; lra|lra|lra|apply starts_lag|].
  destruct (lag_slopes fsw (s + psi) a) as [L1 _]; [right; split; auto; lra|lra|lra|auto|apply L0; lra|].
  destruct (freed_step a e p (s + psi) Hp ltac:(lra) ltac:(lra) He (L1 a ltac:(lra)) Hb Hq Hf) as (K1 & K2 & _ & _ & K).
  split; [apply Rmin_glb; auto|]. split.
  - apply trajectory_join with a; auto; [lra|]. apply (trajectory_of (edt_state (M + N + Z) alpha B C p));
      [apply (steady_only p (s + psi)); auto|apply (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ Hp)].
  - intros p' Ht Hh. destruct (K p' Ht Hh) as (J1 & J2 & J3 & J4 & _). split; [auto|]. split; [auto|]. split; [intros h; apply J3; lra|].
    intros ->. apply J4. destruct (Rle_dec (s + psi + TM2) full); [left; apply Rmin_left|right; apply Rmin_right]; lra.
Qed.

(** ** A run that comes to s in such a state *)

Hypothesis s_pos : 0 < s.
Hypothesis begins : forall q, machine s q -> s < tau -> controlled_bursts q /\ quiet_ports q /\ steady_counting q s s.
Hypothesis crosses : forall a e q, machine a q -> one_phase a e q -> a < s -> e <= tau -> e <= s.

Lemma point_at : trajectory dsw Ar s s Q D.
Proof.
  apply point. destruct start as (S1 & S2 & S3). intros i Hi.
  pose proof (numbers M N alpha M_pos N_pos alpha_pos) as (Hm & _). assert (0 < B / m) by (apply Rdiv_lt_0_compat; lra).
  destruct (class_of M N Z i Hi) as [c|[c|c]]; [rewrite S1|rewrite S2|rewrite S3]; auto; lra.
Qed.

(** They never become uncontrolled if the common length, or TM_1, ends the counting. *)
Lemma counted_in_vain t p : ~ (psi <= share / v /\ psi <= TM1) -> machine t p -> s <= t < tau ->
  trajectory dsw Ar s t Q D /\ controlled_bursts p /\ quiet_ports p /\ steady_controlled p /\
  (t < s + share / v -> exists t0, s <= t0 <= t /\ t < t0 + psi /\ t < t0 + TM1 /\ steady_counting p t0 t).
Proof.
  intros No. pose proof counts_pos as Pp.
  assert (At : forall q, machine s q -> s < tau -> trajectory dsw Ar s s Q D /\ controlled_bursts q /\ quiet_ports q /\ steady_controlled q /\
    (s < s + share / v -> exists t0, s <= t0 <= s /\ s < t0 + psi /\ s < t0 + TM1 /\ steady_counting q t0 s)).
  { intros q Hq Ht. destruct (begins q Hq Ht) as (B1 & B2 & B3). split; [apply point_at|]. split; [auto|]. split; [auto|].
    split; [apply (counting_controlled q s s); auto|]. exists s. repeat split; try lra; apply (B3 i); auto. }
  induction 1 as [|a e p p' H IH Hp Hh]; intros Ht; [lra|]. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hae.
  destruct (Rlt_dec a s) as [c|c].
  { pose proof (crosses a e p H Hp c ltac:(lra)). replace e with s in * by lra. apply At; [|lra]. apply run_goes_on with a p; auto. }
  destruct IH as (T & I1 & I2 & I3 & I4); [lra|]. destruct (Rlt_dec a (s + share / v)) as [d|d].
  - destruct (I4 d) as (t0 & H0 & H1 & H2 & H3).
    destruct (lag_step a e p t0 Hp ltac:(lra) d H1 H2 ltac:(lra) T I1 I2 H3) as (K1 & K2 & K3 & K4 & K5).
    destruct (K5 p' ltac:(lra) Hh) as (J1 & J2 & _ & J4 & J5). split; [auto|]. split; [auto|]. split; [auto|].
    assert (Hl : e < t0 + psi) by (destruct (Rlt_dec e (t0 + psi)) as [g|g]; [auto|exfalso; apply No; split; lra]).
    assert (Hc : exists t1, s <= t1 <= e /\ e < t1 + psi /\ e < t1 + TM1 /\ steady_counting p' t1 e).
    { destruct (Rlt_dec e (t0 + TM1)) as [g|g].
      - exists t0. split; [lra|]. split; [auto|]. split; [auto|]. apply J5; auto.
      - exists e. split; [lra|]. split; [lra|]. split; [lra|]. apply J4; [auto|lra]. }
    split; [destruct Hc as (t1 & _ & _ & _ & Hc); apply (counting_controlled p' t1 e); auto|intros _; exact Hc].
  - destruct (rest_step a e p Hp ltac:(lra) ltac:(lra) T I1 I2 I3) as [K1 K2]. destruct (K2 p' Hh) as (J1 & J2 & J3).
    split; [auto|]. split; [auto|]. split; [auto|]. split; [auto|intros; lra].
Qed.

Section Freed.
Hypotheses (enough : psi <= share / v) (in_time : psi <= TM1).

Lemma before_returns : s + psi < returns /\ returns <= s + psi + TM2 /\ returns <= full.
Proof.
  pose proof (meets_pos M N alpha B v M_pos N_pos alpha_pos B_pos v_pos). pose proof counts_pos. split; [apply Rmin_glb_lt; lra|split; [apply Rmin_l|apply Rmin_r]].
Qed.

Lemma counted_and_freed t p : machine t p -> s <= t < tau -> t <= returns ->
  controlled_bursts p /\ quiet_ports p /\
  (t < s + psi -> trajectory dsw Ar s t Q D /\ steady_counting p s t) /\
  (s + psi <= t -> trajectory dsw Ar s (s + psi) Q D /\ trajectory fsw Ar (s + psi) t Q D) /\
  (s + psi <= t < returns -> steady_freed p (s + psi)) /\ (t = returns -> steady_controlled p).
Proof.
  pose proof counts_pos as Pp. pose proof before_returns as (R1 & R2 & R3).
  assert (At : forall q, machine s q -> s < tau -> controlled_bursts q /\ quiet_ports q /\ (s < s + psi -> trajectory dsw Ar s s Q D /\ steady_counting q s s) /\
    (s + psi <= s -> trajectory dsw Ar s (s + psi) Q D /\ trajectory fsw Ar (s + psi) s Q D) /\ (s + psi <= s < returns -> steady_freed q (s + psi)) /\ (s = returns -> steady_controlled q)).
  { intros q Hq Ht. destruct (begins q Hq Ht) as (B1 & B2 & B3). split; [auto|]. split; [auto|]. split; [intros _; split; [apply point_at|auto]|]. repeat split; intros; lra. }
  induction 1 as [|a e p p' H IH Hp Hh]; intros Ht Hr; [lra|]. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hae.
  destruct (Rlt_dec a s) as [c|c].
  { pose proof (crosses a e p H Hp c ltac:(lra)). replace e with s in * by lra. apply At; [|lra]. apply run_goes_on with a p; auto. }
  destruct IH as (I1 & I2 & I3 & I4 & I5 & _); [lra|lra|]. destruct (Rlt_dec a (s + psi)) as [d|d].
  - destruct (I3 d) as [T Hc]. destruct (lag_step a e p s Hp ltac:(lra) ltac:(lra) d ltac:(lra) ltac:(lra) T I1 I2 Hc) as (K1 & K2 & K3 & K4 & K5).
    destruct (K5 p' ltac:(lra) Hh) as (J1 & J2 & J3 & _ & J5). split; [auto|]. split; [auto|].
    split; [intros h; split; [auto|apply J5; lra]|]. split; [|split; [intros h|intros; lra]].
    + intros h. replace (s + psi) with e by lra. split; [auto|]. apply point. intros i Hi. apply (length_nonneg _ _ _ _ _ _ K4); [exact Hi|lra].
    + replace (s + psi) with e by lra. apply J3. lra.
  - destruct (I4 ltac:(lra)) as [T0 T].
    destruct (free_step a e p enough Hp ltac:(lra) ltac:(lra) T0 T I1 I2 (I5 ltac:(lra))) as (K1 & K2 & K3).
    destruct (K3 p' ltac:(lra) Hh) as (J1 & J2 & J3 & J4). split; [auto|]. split; [auto|]. split; [intros; lra|]. split; [auto|].
    split; [intros h; apply J3; lra|auto].
Qed.

(** No phase goes across the return. *)
Lemma ends_by_returns a e p : machine a p -> one_phase a e p -> s <= a -> a < returns -> e <= tau ->
  e <= returns /\ (e <= s + psi -> trajectory dsw Ar s e Q D) /\ (s + psi < e -> trajectory dsw Ar s (s + psi) Q D /\ trajectory fsw Ar (s + psi) e Q D).
Proof.
  intros H Hp Ha Hr He. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hae. pose proof before_returns as (R1 & R2 & R3).
  destruct (counted_and_freed a p H ltac:(lra) ltac:(lra)) as (I1 & I2 & I3 & I4 & I5 & _). destruct (Rlt_dec a (s + psi)) as [d|d].
  - destruct (I3 d) as [T Hc]. destruct (lag_step a e p s Hp ltac:(lra) ltac:(lra) d ltac:(lra) He T I1 I2 Hc) as (K1 & K2 & K3 & K4 & K5).
    split; [lra|]. split; [auto|intros; lra].
  - destruct (I4 ltac:(lra)) as [T0 T]. destruct (free_step a e p enough Hp ltac:(lra) He T0 T I1 I2 (I5 ltac:(lra))) as (K1 & K2 & K3).
    split; [auto|]. split; [intros; lra|auto].
Qed.

Hypothesis run : machine tau last.

(** They do what [steady_take_all] supposes. *)
Lemma freed_schedule b : s + psi < b -> b <= returns -> b <= tau -> trajectory dsw Ar s (s + psi) Q D /\ trajectory fsw Ar (s + psi) b Q D.
Proof.
  intros Hb Hr Ht. pose proof counts_pos as Pp.
  (* the phase that ends at b, or goes across it *)
  assert (K : forall t p, machine t p -> b <= t <= tau -> trajectory dsw Ar s (s + psi) Q D /\ trajectory fsw Ar (s + psi) b Q D).
  { induction 1 as [|a e p p' H IH Hp Hh]; intros Hbt; [lra|]. destruct (Rle_dec b a) as [c|c]; [apply IH; pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp); lra|].
    destruct (Rlt_dec a s) as [d|d]; [pose proof (crosses a e p H Hp d ltac:(lra)); lra|].
    destruct (ends_by_returns a e p H Hp ltac:(lra) ltac:(lra) ltac:(lra)) as (_ & _ & K3). destruct (K3 ltac:(lra)) as [T0 T].
    split; [auto|apply (trajectory_shorten fsw Ar (s + psi) e); auto; lra]. }
  apply (K tau last run). lra.
Qed.

End Freed.
End Run.

(** ** There are such runs *)

Section Goes.
Variables (Ar : nat -> real -> real) (a : nat -> real).
Notation back := returns.
Hypotheses (s_pos : 0 < s) (constant : forall i t, Ar i t = a i).
Hypothesis bursts : forall i, (i < M)%nat -> a i = R.
Hypothesis steady : forall i, (M <= i < M + N)%nat -> a i = C + v.
Hypothesis others_slow : forall i, (M + N <= i < M + N + Z)%nat -> 0 <= a i <= C.
Notation machine := (machine_run (M + N + Z) alpha B C cn2 TM1 TM2 Ar).
Notation one_phase := (phase (M + N + Z) alpha B C cn2 TM1 TM2 Ar).
Notation after := (passed (M + N + Z) alpha B C Ar).

Lemma they_last b e : lasting M N Z C R v b e Ar.
Proof. split; intros i t Hi Ht; rewrite constant; auto. Qed.

(** When the bursts stop draining at C. *)
Definition kink : real := s + B / (m * (C + alpha * (m * C - n * v))).

Lemma one_slope_each b e i t : s <= b -> e <= kink \/ kink <= b -> b <= t < e -> (i < M + N + Z)%nat -> forall sw Q D, ports sw = (M + N + Z)%nat -> trajectory sw Ar b e Q D ->
  (forall u, b <= u <= e -> holds_each M N Z Q u (W u) (V u)) -> D i t = D i b.
Proof.
  intros Hs Hk Ht Hi sw Q D Hp T H. pose proof (numbers M N alpha M_pos N_pos alpha_pos) as (Hm & Hn & Ham & Han).
  pose proof (lag_rest M N alpha C v M_pos N_pos alpha_pos v_pos lag) as Hr.
  assert (Den : 0 < m * (C + alpha * (m * C - n * v))).
  { apply Rmult_lt_0_compat; [lra|]. pose proof (Rmult_lt_0_compat alpha (m * C - n * v) alpha_pos ltac:(lra)). lra. }
  assert (K : forall f d, (forall u, b <= u < e -> right_derivative f u d) -> (forall u, b <= u <= e -> Q i u = f u) -> D i t = D i b).
  { intros f d Hd Hf. assert (E : forall u, b <= u < e -> D i u = d).
    { intros u Hu. apply (rd_unique u (Q i)); [apply (length_slope _ _ _ _ _ _ T); [rewrite Hp; auto|auto]|].
      apply rd_ext with f; auto. exists (e - u). split; [lra|]. intros h Hh. apply Hf. lra. }
    rewrite !E by lra. reflexivity. }
  destruct (class_of M N Z i Hi) as [c|[c|c]].
  - (* W is one straight line on either side of the kink *)
    set (f1 := fun t => - C * t + (B / m + C * s)). set (f2 := fun t => - (alpha * n * v / (1 + alpha * m)) * t + (alpha * (B + n * v * s) / (1 + alpha * m))).
    assert (Diff : forall u, (f1 u - f2 u) * (m * (1 + alpha * m)) = m * (C + alpha * (m * C - n * v)) * (kink - u)).
    { intros u. unfold f1, f2, kink. field. repeat split; try lra. intros E. rewrite E in Den. lra. }
    assert (Pm : 0 < m * (1 + alpha * m)) by (apply Rmult_lt_0_compat; lra).
    destruct Hk as [Hk|Hk].
    + apply (K f1 (- C)); [intros; apply rd_linear|]. intros u Hu. rewrite (proj1 (H u Hu) i c). change (W u) with (Rmax (f1 u) (f2 u)). apply Rmax_left.
      apply Rmult_le_reg_r with (m * (1 + alpha * m)); auto. pose proof (Diff u). pose proof (Rmult_le_pos _ (kink - u) (Rlt_le _ _ Den) ltac:(lra)). lra.
    + apply (K f2 (- (alpha * n * v / (1 + alpha * m)))); [intros; apply rd_linear|]. intros u Hu. rewrite (proj1 (H u Hu) i c). change (W u) with (Rmax (f1 u) (f2 u)). apply Rmax_right.
      apply Rmult_le_reg_r with (m * (1 + alpha * m)); auto. pose proof (Diff u). pose proof (Rmult_le_pos _ (u - kink) (Rlt_le _ _ Den) ltac:(lra)). lra.
  - apply (K V v); [intros; apply rd_linear|]. intros u Hu. apply (H u Hu); auto.
  - apply (K (fun _ => 0) 0); [intros; apply rd_const|]. intros u Hu. apply (H u Hu); auto.
Qed.

Lemma lag_phase p sw b e : same_switch (edt_state (M + N + Z) alpha B C p) sw -> lag_switch M N Z alpha B C v s sw e -> s <= b < e -> e <= kink \/ kink <= b ->
  (forall Q D, trajectory sw Ar b e Q D -> (forall t, b <= t <= e -> holds_each M N Z Q t (W t) (V t)) ->
     forall t, b < t < e -> forall i, (i < M + N + Z)%nat -> does t (a i) (after Q D b t p i) = after Q D b t p i) ->
  exists Q D, one_phase Q D b e p /\ trajectory sw Ar b e Q D /\ (forall t, b <= t <= e -> holds_each M N Z Q t (W t) (V t)).
Proof.
  intros Same K Ho Hk Hq.
  destruct (lag_trajectory M N Z alpha B C R v s M_pos N_pos alpha_pos B_pos C_pos overloaded v_pos lag sw b e Ar K ltac:(lra) (they_last b e)) as [T _].
  eexists _, _. assert (H : forall t, b <= t <= e -> holds_each M N Z (by_class M N (fun _ => W) V) t (W t) (V t)).
  { split; [|split]; intros i Hi; [apply (by_class_burst M N (fun _ => W)); auto|apply by_class_steady; auto|apply by_class_other; lia]. }
  assert (P : ports sw = (M + N + Z)%nat) by (destruct K as [[-> _]|[-> _]]; reflexivity).
  assert (Le : e <= full).
  { apply (lag_room M N Z alpha B C v s M_pos N_pos alpha_pos B_pos v_pos sw e K). }
  split; [|split; [exact T|exact H]]. apply constant_phase; [lra|apply (trajectory_of sw); [apply same_sym; auto|exact T]| |].
  - intros i t Hi Ht. split; [apply (one_slope_each b e i t) with (sw := sw) (Q := by_class M N (fun _ => W) V); auto; lra|]. split; [rewrite !constant; reflexivity|].
    rewrite constant. destruct (class_of M N Z i Hi) as [c|[c|c]]; [left; rewrite bursts by auto; lra|left; rewrite steady by auto; lra|right; rewrite !by_class_other by lia; reflexivity].
  - intros t Ht. split; [apply not_full; [apply H| |]; lra|intros i Hi; rewrite constant; apply (Hq _ _ T H t Ht i Hi)].
Qed.

(** A run that holds these lengths at b. *)
Definition comes_to (b : real) (p : nat -> port_state) (q0 : nat -> real) : Prop := exists Q D, machine Q D b p /\ (forall i, (i < M + N + Z)%nat -> Q i 0 = q0 i) /\
  holds_each M N Z Q b (W b) (V b).

Lemma comes_on b e p q0 Q D p1 : 0 < b -> comes_to b p q0 -> one_phase Q D b e p -> (forall t, b <= t <= e -> holds_each M N Z Q t (W t) (V t)) ->
  happens (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q e (after Q D b e p) p1 -> comes_to e p1 q0.
Proof.
  intros Hb (Q0 & D0 & H0 & E0 & L0) Hp H Hh. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hbe.
  exists (glue b Q0 Q), (glue b D0 D). split; [apply (run_extends (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q0 D0 Q D b e p p1); auto|].
  - intros i Hi. destruct L0 as (A1 & A2 & A3). destruct (H b ltac:(lra)) as (B1 & B2 & B3).
    destruct (class_of M N Z i Hi) as [c|[c|c]]; [rewrite A1, B1|rewrite A2, B2|rewrite A3, B3]; auto.
  - split; [intros i Hi; unfold glue; destruct (Rlt_dec 0 b); [auto|lra]|].
    destruct (H e ltac:(lra)) as (B1 & B2 & B3). split; [|split]; intros i Hi; unfold glue; destruct (Rlt_dec e b); try lra; auto.
Qed.

Lemma does_something Q e q : (forall i, (i < M + N + Z)%nat -> uncontrolled (does e (Ar i e) (q i)) = false) \/ ~ buffer_overflows (M + N + Z) alpha B C Ar Q e (fun i => does e (Ar i e) (q i)) ->
  happens (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q e q (fun i => does e (Ar i e) (q i)).
Proof. split; [|auto]. intros K. exfalso. destruct H as [H|H]; [|auto]. revert K. apply no_overflow. exact H. Qed.

Definition counting_at (b : real) (p : nat -> port_state) : Prop := controlled_bursts p /\ quiet_ports p /\ steady_counting p s b.
Definition freed_from (p : nat -> port_state) : Prop := controlled_bursts p /\ quiet_ports p /\ steady_freed p (s + psi).

(** They count, on one side of the kink. *)
Lemma counts_on b e p q0 : s <= b < e -> e <= s + psi -> e <= s + TM1 -> e <= s + share / v -> e <= kink \/ kink <= b ->
  counting_at b p -> comes_to b p q0 ->
  exists p1, comes_to e p1 q0 /\ (e < s + psi -> e < s + TM1 -> counting_at e p1) /\ (e = s + psi -> freed_from p1).
Proof.
  intros Hb H1 H2 H3 Hk (A1 & A2 & A3) H0. pose proof (meets_pos M N alpha B v M_pos N_pos alpha_pos B_pos v_pos) as [Mp Mf].
  assert (Ctl : steady_controlled p) by (apply (counting_controlled p s b); auto).
  destruct (lag_phase p dsw b e) as (Q & D & Hp & T & H); auto.
  { apply all_controlled, nobody; auto. } { left. auto. }
  { intros Q D T H t Ht i Hi.
    destruct (lag_slopes e Ar Q D (they_last s e) dsw b e) as [_ L]; auto; [left; auto|lra|lra|apply H; lra|].
    destruct (L b ltac:(lra)) as (S1 & S2 & S3). rewrite <- (constant i t). destruct (class_of M N Z i Hi) as [c|[c|c]].
    - apply (uncounted Ar Q D b t p ltac:(lra) (fun i Hi => proj2 (S1 i Hi)) S3 A1 A2); auto.
    - destruct (A3 i c) as (C1 & C2 & C3). destruct (S2 i c) as [D1 D2]. unfold passed. rewrite C1, C2, D1, D2, constant, steady by auto. destruct (Rlt_dec 0 0); [lra|].
      rewrite Rmax_right by (pose proof (Rmult_le_pos v (t - s)); lra). replace (v * (b - s) + v * (t - b)) with (v * (t - s)) by ring.
      replace (if Rlt_dec 0 (v * (b - s)) then started (p i) else b) with s.
      2: { destruct (Rlt_dec s b) as [d|d].
           - destruct (Rlt_dec 0 (v * (b - s))) as [g|g]; [symmetry; apply C3, d|]. pose proof (Rmult_lt_0_compat v (b - s)). lra.
           - replace b with s by lra. destruct (Rlt_dec 0 (v * (s - s))); reflexivity || (replace (s - s) with 0 in * by ring; lra). }
      pose proof (Rmult_lt_0_compat v (t - s) v_pos ltac:(lra)). unfold acted. cbn [uncontrolled counter started].
      destruct (Rle_dec cn2 (v * (t - s))) as [g|g]; [apply counts_to in g; lra|]. destruct (Rlt_dec 0 (v * (t - s))); [|lra]. destruct (Rle_dec (s + TM1) t); [lra|reflexivity].
    - apply (uncounted Ar Q D b t p ltac:(lra) (fun i Hi => proj2 (S1 i Hi)) S3 A1 A2); auto. }
  pose (p1 := fun i => does e (Ar i e) (after Q D b e p i)). exists p1.
  assert (Hh : happens (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q e (after Q D b e p) p1).
  { apply does_something. right. apply not_full; [apply H| |]; lra. }
  assert (Ce : comes_to e p1 q0) by (apply (comes_on b e p q0 Q D); auto; lra). split; [exact Ce|].
  (* one run: what [lag_step] says of the phase *)
  destruct (lag_step_from (e + 1) Ar Q D (they_last s (e + 1)) b e p s Hp) as (_ & _ & _ & _ & K); auto; try lra.
  { apply H. lra. }
  destruct (K p1 ltac:(lra) Hh) as (J1 & J2 & J3 & _ & J5).
  split; [intros g1 g2; split; [auto|split; [auto|apply J5; lra]]|intros ->; split; [auto|split; [auto|apply J3; reflexivity]]].
Qed.

(** They are uncontrolled, on one side of the kink. *)
Lemma freed_on b e p q0 : psi <= share / v -> s + psi <= b < e -> e <= back -> e <= kink \/ kink <= b -> freed_from p -> comes_to b p q0 ->
  exists p1, comes_to e p1 q0 /\ (e < back -> freed_from p1).
Proof.
  intros Hx Hb H1 Hk (A1 & A2 & A3) H0. pose proof counts_pos as Pp.
  assert (Rb : back <= s + psi + TM2 /\ back <= full) by (unfold returns; split; [apply Rmin_l|apply Rmin_r]).
  destruct (lag_phase p fsw b e) as (Q & D & Hp & T & H); auto; try lra.
  { apply steady_only with (t0 := s + psi); auto. } { right. split; [reflexivity|lra]. }
  { intros Q D T H t Ht i Hi.
    destruct (lag_slopes e Ar Q D (they_last s e) fsw b e) as [_ L]; auto; [right; split; [reflexivity|lra]|lra|lra|apply H; lra|].
    destruct (L b ltac:(lra)) as (S1 & S2 & S3). rewrite <- (constant i t). destruct (class_of M N Z i Hi) as [c|[c|c]].
    - apply (uncounted Ar Q D b t p ltac:(lra) (fun i Hi => proj2 (S1 i Hi)) S3 A1 A2); auto.
    - destruct (A3 i c) as [F1 F2]. unfold passed, acted. rewrite !F1, F2, constant, steady by auto. destruct (Rlt_dec (C + v) C); [lra|]. destruct (Rle_dec (s + psi + TM2) t); [lra|reflexivity].
    - apply (uncounted Ar Q D b t p ltac:(lra) (fun i Hi => proj2 (S1 i Hi)) S3 A1 A2); auto. }
  destruct (lag_slopes e Ar Q D (they_last s e) fsw b e) as [_ L]; auto; [right; split; [reflexivity|lra]|lra|lra|apply H; lra|].
  destruct (L b ltac:(lra)) as (S1 & S2 & S3).
  pose (q := fun i => does e (Ar i e) (after Q D b e p i)).
  assert (U : forall i, (i < M \/ M + N <= i < M + N + Z)%nat -> uncontrolled (q i) = false /\ counter (q i) = 0).
  { intros i Hi. destruct (uncounted Ar Q D b e p ltac:(lra) (fun i Hi => proj2 (S1 i Hi)) S3 A1 A2 i Hi) as (E1 & E2 & E3). unfold q. rewrite E1. auto. }
  assert (Eq : forall i, (M <= i < M + N)%nat -> q i = if Rle_dec (s + psi + TM2) e then at_rest else p i).
  { intros i Hi. unfold q. destruct (A3 i Hi) as [F1 F2]. unfold passed, acted. rewrite !F1, F2, constant, steady by auto. destruct (Rlt_dec (C + v) C); [lra|reflexivity]. }
  destruct (Rle_dec (s + psi + TM2) e) as [c|c].
  - exists q. split; [|intros; lra]. apply (comes_on b e p q0 Q D); auto; [lra|]. apply does_something. left. intros i Hi. change (uncontrolled (q i) = false).
    destruct (class_of M N Z i Hi) as [d|[d|d]]; [apply U; auto|rewrite Eq by auto; reflexivity|apply U; auto].
  - assert (Fq : freed_from q) by (split; [intros i Hi; apply U; auto|split; [intros i Hi; apply U; auto|intros i Hi; rewrite Eq by auto; apply A3; auto]]).
    destruct (Rlt_dec e full) as [d|d].
    + exists q. split; [|auto]. apply (comes_on b e p q0 Q D); auto; [lra|]. apply does_something. right. apply not_full; [apply H| |]; lra.
    + exists (fun i => if uncontrolled (q i) then at_rest else q i). split; [|intros h; lra].
      apply (comes_on b e p q0 Q D); auto; [lra|]. split; [auto|]. intros K. exfalso. apply K.
      destruct Fq as (F1 & F2 & F3). assert (Ee : e = full) by lra. change (buffer_overflows (M + N + Z) alpha B C Ar Q e q). rewrite Ee in *.
      apply (full_overflow (full + 1) Ar Q (they_last s (full + 1)) q (s + psi)); auto; [lra|apply H; lra].
Qed.

(** From s on they count, and are uncontrolled until they are to return. *)
Lemma goes_on p q0 : psi <= share / v -> counting_at s p -> comes_to s p q0 ->
  (exists p1, comes_to (s + Rmin psi TM1) p1 q0) /\ (psi <= TM1 -> exists p1, comes_to back p1 q0).
Proof.
  intros Hx A H0. pose proof counts_pos as Pp. pose proof (Rmin_l psi TM1). pose proof (Rmin_r psi TM1).
  assert (Sp : 0 < Rmin psi TM1) by (apply Rmin_pos; auto).
  pose proof (meets_pos M N alpha B v M_pos N_pos alpha_pos B_pos v_pos) as [Mp Mf].
  (* with a stop at the kink *)
  assert (C1 : exists p1, comes_to (s + Rmin psi TM1) p1 q0 /\ (s + Rmin psi TM1 = s + psi -> freed_from p1)).
  { destruct (Rlt_dec s kink) as [k1|k1]; [destruct (Rlt_dec kink (s + Rmin psi TM1)) as [k2|k2]|].
    - destruct (counts_on s kink p q0) as (p1 & K1 & K2 & _); auto; try lra; try (left; lra); try (right; lra). specialize (K2 ltac:(lra) ltac:(lra)).
      destruct (counts_on kink (s + Rmin psi TM1) p1 q0) as (p2 & K3 & _ & K4); auto; try lra; try (left; lra); try (right; lra). exists p2. auto.
    - destruct (counts_on s (s + Rmin psi TM1) p q0) as (p2 & K3 & _ & K4); auto; try lra; try (left; lra); try (right; lra). exists p2. auto.
    - destruct (counts_on s (s + Rmin psi TM1) p q0) as (p2 & K3 & _ & K4); auto; try lra; try (left; lra); try (right; lra). exists p2. auto. }
  destruct C1 as (p1 & K1 & K2). split; [exists p1; exact K1|]. intros Ht. rewrite Rmin_left in * by lra.
  assert (Bk : s + psi < back) by (unfold returns; apply Rmin_glb_lt; lra).
  destruct (Rlt_dec (s + psi) kink) as [k1|k1]; [destruct (Rlt_dec kink back) as [k2|k2]|].
  - destruct (freed_on (s + psi) kink p1 q0) as (p2 & K3 & K4); auto; try lra; try (left; lra); try (right; lra).
    destruct (freed_on kink back p2 q0) as (p3 & K5 & _); auto; try lra; try (left; lra); try (right; lra). exists p3. auto.
  - destruct (freed_on (s + psi) back p1 q0) as (p2 & K3 & _); auto; try lra; try (left; lra); try (right; lra). exists p2. auto.
  - destruct (freed_on (s + psi) back p1 q0) as (p2 & K3 & _); auto; try lra; try (left; lra); try (right; lra). exists p2. auto.
Qed.

End Goes.
End Steady.

(** ** The overflow of slow bursts that are recognised *)

Section After.
Notation over := (B / (m * (R - C))).
Variables (tau : real) (last : nat -> port_state) (Ar Q D : nat -> real -> real).
Hypothesis arrivals : burst_arrivals M N Z C (fun _ _ => R) 0 tau Ar.
Hypothesis start : starts_steady M N Z alpha B C Q.
Notation machine := (machine_run (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D).
Hypotheses (run : machine tau last) (slowly : slow M N alpha C R) (in_time : phi C R cn2 <= TM1).
Hypothesis before_drop : phi C R cn2 <= eq10_time M N alpha B C R.
Hypothesis long_enough : over <= phi C R cn2 + TM2.
(* what the steady ports are offered after the overflow *)
Hypothesis offers : forall j t, (M <= j < M + N)%nat -> over <= t < tau -> Ar j t = C + v.
Hypothesis beyond : over < tau.

Lemma over_is : overflow M N alpha B C R = over.
Proof. rewrite over_is_slow by auto. reflexivity. Qed.

Lemma after_offered : lasting M N Z C R v over tau Ar.
Proof.
  assert (0 < over) by (apply Rdiv_lt_0_compat; auto; apply Rmult_lt_0_compat; [pose proof (ports_ge M M_pos)|]; lra).
  split; auto; intros i t Hi Ht; [apply (burst_ports _ _ _ _ _ _ _ _ arrivals i t Hi)|apply (other_ports _ _ _ _ _ _ _ _ arrivals i t Hi)]; lra.
Qed.

Lemma ends_at_over a e p : machine a p -> phase (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D a e p -> a < over -> e <= tau -> e <= over.
Proof.
  intros H Hp Ha He. destruct (first_at_over M N alpha B C R cn2 TM1 TM2) as (F1 & F2 & F3); auto; [rewrite over_is; auto|]. rewrite over_is in F3.
  rewrite <- F3. rewrite <- F3 in Ha. eapply one_working; eauto.
Qed.

Lemma run_before : edt_run M N Z alpha B C R (phi C R cn2) over Ar Q D /\ holds_each M N Z Q over (B / m) 0.
Proof.
  assert (Ho : 0 < over) by (apply Rdiv_lt_0_compat; auto; apply Rmult_lt_0_compat; [pose proof (ports_ge M M_pos)|]; lra).
  destruct (begins_at (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D over tau last run ltac:(lra)) as (e & q & H1 & _ & _).
  { intros a e q H1 H2 H3 H4. apply (ends_at_over a e q); auto. }
  pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Hdo. rewrite over_is in Hdo.
  assert (E : edt_run M N Z alpha B C R (phi C R cn2) over Ar Q D).
  { apply (theorem5_run M N Z alpha B C R cn2 TM1 TM2) with (last := q); auto.
    - apply (burst_part _ _ _ _ _ _ 0 tau); auto; lra.
    - rewrite over_is. auto.
    - rewrite over_is. lra. }
  split; [exact E|]. apply (at_overflow M N Z alpha B C R v cn2) with (tau := over) (Ar := Ar) (D := D); auto.
  split; auto; [rewrite <- (eq10_slow M N alpha B C R slowly); exact before_drop|]. apply (lasting_sub M N Z C R v over tau); [lra|lra|apply after_offered].
Qed.

Lemma begins_over q : machine over q -> over < tau -> controlled_bursts q /\ quiet_ports q /\ steady_counting q over over.
Proof.
  intros Hq _. destruct (first_at_over M N alpha B C R cn2 TM1 TM2) as (F1 & F2 & F3); auto; [rewrite over_is; auto|].
  destruct (invariant M N Z alpha B C R cn2 TM1 TM2) with (tau := tau) (Ar := Ar) (Q := Q) (D := D) (k := 0%nat) (s0 := eq10_time M N alpha B C R) (t := over) (p := q)
    as (_ & I2 & _ & I4); auto; [rewrite F3, over_is; lra|].
  rewrite F3, over_is in I4. split; [intros i Hi; apply I4; auto|]. split; [intros i Hi; apply I2; lia|].
  intros i Hi. destruct (I2 i) as [U1 U2]; [lia|]. split; [auto|]. split; [rewrite U2; ring|intros; lra].
Qed.

Lemma shares : cn2 / v <= alpha * B / (1 + alpha * (m + n)) / v.
Proof.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto|]. apply (recognised_share M N alpha B C R cn2); auto.
  rewrite <- (eq10_slow M N alpha B C R slowly). exact before_drop.
Qed.

Lemma over_pos : 0 < over.
Proof. apply Rdiv_lt_0_compat; auto. apply Rmult_lt_0_compat; [pose proof (ports_ge M M_pos)|]; lra. Qed.

Notation begin := (over + cn2 / v).
Notation back := (Rmin (begin + TM2) (over + B / (n * v))).

Lemma begin_back : begin < back.
Proof. destruct (before_returns over) as (K & _); auto. apply shares. Qed.

Section Lagging.
Hypothesis lag : v <= limit.

Hypothesis in_TM1 : cn2 <= v * TM1.

(** They, and only they, are uncontrolled: from cn_2 / v after the overflow on, until TM_2 expires or the whole buffer is theirs. *)
Theorem steady_become t p : machine t p -> over <= t < tau -> t <= back ->
  forall i, (i < M + N + Z)%nat -> (uncontrolled (p i) = true <-> (M <= i < M + N)%nat /\ begin <= t < back).
Proof.
  intros H Ht Hb. destruct run_before as [_ St].
  assert (Pt : counts <= TM1) by (apply (counts_to TM1); auto).
  destruct (counted_and_freed over) with (tau := tau) (Ar := Ar) (Q := Q) (D := D) (t := t) (p := p)
      as (K1 & K2 & K3 & _ & K5 & K6); auto.
  { apply after_offered. } { apply over_pos. } { apply begins_over. } { apply ends_at_over. } { apply shares. }
  unfold returns, counts in *. intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]].
  - rewrite K1 by auto. split; [discriminate|lia].
  - destruct (Rlt_dec t begin) as [d|d]; [rewrite (counting_controlled _ _ _ (proj2 (K3 d)) i c); split; [discriminate|lra]|].
    destruct (Rlt_dec t back) as [g|g]; [rewrite (proj1 (K5 ltac:(lra) i c)); split; auto; intros _; split; [auto|lra]|].
    rewrite (K6 ltac:(lra) i c). split; [discriminate|lra].
  - rewrite (proj1 (K2 i c)). split; [discriminate|lia].
Qed.

(** What [steady_take_all] supposes is what the ports do. *)
Theorem steady_schedule b : begin < b -> b <= back -> b <= tau ->
  slow_bursts M N Z alpha B C R v cn2 tau Ar Q D /\ trajectory dsw Ar over begin Q D /\ trajectory fsw Ar begin b Q D.
Proof.
  destruct run_before as [E St].
  assert (Pt : counts <= TM1) by (apply (counts_to TM1); auto).
  split; [split; auto; [rewrite <- (eq10_slow M N alpha B C R slowly); exact before_drop|apply after_offered]|].
  apply (freed_schedule over) with (tau := tau) (last := last); auto.
  - apply after_offered.
  - apply over_pos.
  - apply begins_over.
  - apply ends_at_over.
  - apply shares.
Qed.

(** If TM_2 lets them, they take the whole buffer, and lose nothing until it is theirs. *)
Theorem steady_takes_all : over + B / (n * v) <= begin + TM2 -> over + B / (n * v) <= tau ->
  let e := over + B / (n * v) in
  begin < e /\
  (forall i t, (M <= i < M + N)%nat -> over <= t <= e -> Q i t = v * (t - over)) /\
  (forall i t, (M <= i < M + N)%nat -> over <= t < e -> rejected dsw Ar Q D i t = 0) /\
  (forall t, over < t < e -> 0 < free dsw Q t) /\
  free dsw Q e = 0 /\ holds_each M N Z Q e 0 (B / n).
Proof.
  intros H1 H2 e. pose proof shares as Sh. pose proof (meets_pos M N alpha B v M_pos N_pos alpha_pos B_pos v_pos) as [_ Hm].
  destruct (steady_schedule e) as (S1 & S2 & S3); [unfold e; lra|unfold e; rewrite Rmin_right; lra|auto|].
  apply (steady_take_all M N Z alpha B C R v cn2) with (Ar := Ar); auto.
  destruct S1 as [A1 A2 A3 A4]. split; auto. apply (lasting_sub M N Z C R v over tau); auto; lra.
Qed.

End Lagging.

(** The steady ports are controlled until then, and for ever if they can follow the threshold, or TM_1 expires first. *)
Theorem steady_never t p : machine t p -> t < tau -> t < begin \/ ~ (v <= limit /\ cn2 <= v * TM1) ->
  forall i, (M <= i < M + N + Z)%nat -> uncontrolled (p i) = false.
Proof.
  intros H Ht No i Hi. destruct (Rle_dec t over) as [early|late].
  { destruct (first_at_over M N alpha B C R cn2 TM1 TM2) as (F1 & F2 & F3); auto; [rewrite over_is; auto|].
    destruct (invariant M N Z alpha B C R cn2 TM1 TM2) with (tau := tau) (Ar := Ar) (Q := Q) (D := D) (k := 0%nat) (s0 := eq10_time M N alpha B C R) (t := t) (p := p)
      as (_ & I2 & _); auto; [rewrite F3, over_is; lra|apply (I2 i Hi)]. }
  destruct (Rle_dec v limit) as [lag|follow]; [destruct (Rle_dec cn2 (v * TM1)) as [c|c]|].
  - pose proof begin_back as Hb.
    destruct (uncontrolled (p i)) eqn:U; [|reflexivity]. apply (steady_become lag c t p H ltac:(lra) ltac:(lra) i ltac:(lia)) in U. lra.
  - destruct run_before as [_ St]. destruct (counted_in_vain over) with (tau := tau) (Ar := Ar) (Q := Q) (D := D) (t := t) (p := p)
      as (_ & _ & K2 & K3 & _); auto; try lra.
    + apply after_offered.
    + apply over_pos.
    + apply begins_over.
    + apply ends_at_over.
    + intros [_ K]. apply c. apply (counts_to TM1). auto.
    + destruct (Nat.lt_ge_cases i (M + N)); [apply K3|apply K2]; lia.
  - destruct (stays_controlled M N Z alpha B C R cn2 TM1 TM2) with (tau := tau) (last := last) (Ar := Ar) (Q := Q) (D := D) (t := t) (p := p) as (_ & _ & K); auto; try lra.
    + rewrite over_is. auto.
    + intros j u Hj Hu. rewrite over_is in Hu. rewrite offers by auto. lra.
    + rewrite over_is. lra.
    + apply K. lia.
Qed.
End After.
End Ports.

(** ** All these hypotheses can hold, for all parameters *)

Theorem steady_exists M N Z alpha B C R v cn2 TM1 TM2 :
  (1 <= M)%nat -> (1 <= N)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R -> 0 < v -> 0 < cn2 -> 0 < TM1 -> 0 < TM2 -> slow M N alpha C R ->
  phi C R cn2 <= TM1 -> phi C R cn2 <= eq10_time M N alpha B C R -> B / (INR M * (R - C)) <= phi C R cn2 + TM2 ->
  v <= alpha * INR M * C / (1 + alpha * INR N) ->
  let over := B / (INR M * (R - C)) in
  let begin := over + cn2 / v in
  let run tau := exists Ar Q D p, (forall e, burst_arrivals M N Z C (fun _ _ => R) 0 e Ar) /\ starts_steady M N Z alpha B C Q /\
    (forall j t, (M <= j < M + N)%nat -> Ar j t = C + v) /\ machine_run (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D tau p in
  run (over + Rmin (cn2 / v) TM1) /\ (cn2 <= v * TM1 -> run (Rmin (begin + TM2) (over + B / (INR N * v)))).
Proof.
  intros HM HN Ha HB HC HR Hv Hcn H1 H2 Hs Hp Hd Hl Hlag over begin run.
  pose (a := fun i => by_class M N (fun _ _ => R) (fun _ => C + v) i 0). pose (Ar := fun (i : nat) (_ : real) => a i).
  assert (A1 : forall i, (i < M)%nat -> a i = R) by (intros i Hi; apply (by_class_burst M N (fun _ _ => R)); auto).
  assert (A2 : forall i, (M <= i < M + N)%nat -> a i = C + v) by (intros i Hi; unfold a; rewrite by_class_steady by auto; reflexivity).
  assert (A3 : forall i, (M + N <= i < M + N + Z)%nat -> 0 <= a i <= C) by (intros i Hi; unfold a; rewrite by_class_other by lia; lra).
  assert (Eo : overflow M N alpha B C R = over) by (rewrite over_is_slow by auto; reflexivity).
  destruct (recognised_exists M N Z alpha B C R cn2 TM1 TM2 Ar a) as (Q & D & p & E1 & E2 & E3 & (S1 & S2 & S3) & E5); auto.
  { intros i Hi. rewrite A2 by auto. lra. } { rewrite Eo. exact Hl. }
  rewrite Eo in *. assert (Op : 0 < over) by (apply Rdiv_lt_0_compat; auto; apply Rmult_lt_0_compat; [pose proof (ports_ge M HM)|]; lra).
  assert (F0 : F_edt M N alpha B C R over = 0) by (rewrite <- Eo; apply F_edt_pos; auto).
  assert (Lc : comes_to M N Z alpha B C v cn2 TM1 TM2 over Ar over p (fun i => Q i 0)).
  { exists Q, D. split; [exact E3|]. split; [auto|]. destruct (F_edt_slow M N alpha B C R Ha over Hs) as [_ EV].
    rewrite lag_start by auto. unfold V_lag. split; [|split]; intros i Hi; auto.
    - rewrite S1 by auto. unfold over. field. pose proof (ports_ge M HM). lra.
    - rewrite S2, EV, F0 by auto. ring. }
  destruct (goes_on M N Z alpha B C R v cn2 TM1 TM2) with (s := over) (Ar := Ar) (a := a) (p := p) (q0 := fun i => Q i 0) as [G1 G2]; auto.
  { apply (shares M N alpha B C R v cn2); auto. }
  { split; [intros i Hi; apply E5; lia|]. split; [intros i Hi; apply E5; lia|]. intros i Hi. destruct (E5 i) as [U1 U2]; [lia|]. split; [auto|]. split; [rewrite U2; ring|intros; lra]. }
  assert (Start : forall Q', (forall i, (i < M + N + Z)%nat -> Q' i 0 = Q i 0) -> starts_steady M N Z alpha B C Q').
  { intros Q' E. destruct E2 as [B1 B2 B3]. split; intros i Hi; rewrite E by lia; auto.
    rewrite B2 by auto. unfold threshold, free. do 3 f_equal. apply sum_ext. symmetry. auto. }
  split; [|intros Hc].
  - destruct G1 as (p1 & Q1 & D1 & H3 & H4 & _). exists Ar, Q1, D1, p1. split; [exact E1|]. split; [apply Start; auto|]. split; [intros; apply A2; auto|exact H3].
  - destruct (G2 ltac:(apply (counts_to v cn2 Hv TM1); auto)) as (p1 & Q1 & D1 & H3 & H4 & _). exists Ar, Q1, D1, p1. split; [exact E1|]. split; [apply Start; auto|]. split; [intros; apply A2; auto|exact H3].
Qed.

(** Numbers that meet them: one burst beside one steady port, alpha = 1, B = 6, C = 1, R = 2, cn_2 = 1, v = 1/2; over is 6. *)
Theorem steady_machine_instance : slow 1 1 1 1 2 /\ phi 1 2 1 <= 3 /\ phi 1 2 1 <= eq10_time 1 1 1 6 1 2 /\ 6 / (INR 1 * (2 - 1)) <= phi 1 2 1 + 20 /\
  / 2 <= 1 * INR 1 * 1 / (1 + 1 * INR 1) /\ 1 <= / 2 * 3 /\ 6 / (INR 1 * (2 - 1)) + 6 / (INR 1 * / 2) <= 6 / (INR 1 * (2 - 1)) + 1 / (/ 2) + 20 /\
  (exists Ar Q D p, (forall e, burst_arrivals 1 1 0 1 (fun _ _ => 2) 0 e Ar) /\ starts_steady 1 1 0 1 6 1 Q /\ (forall j t, (1 <= j < 2)%nat -> Ar j t = 1 + / 2) /\
     machine_run (1 + 1 + 0) 1 6 1 1 3 20 Ar Q D 18 p) /\
  (exists Ar Q D p, (forall e, burst_arrivals 1 1 0 1 (fun _ _ => 2) 0 e Ar) /\ starts_steady 1 1 0 1 6 1 Q /\ (forall j t, (1 <= j < 2)%nat -> Ar j t = 1 + / 2) /\
     machine_run (1 + 1 + 0) 1 6 1 1 1 20 Ar Q D 7 p).
Proof.
  assert (S : slow 1 1 1 1 2) by (unfold slow; simpl; lra).
  assert (P : phi 1 2 1 = 1) by (unfold phi; lra).
  assert (Et : eq10_time 1 1 1 6 1 2 = 2) by (rewrite eq10_slow by auto; unfold t_slow; simpl; lra).
  split; [auto|]. repeat (split; [simpl; lra|]). split.
  - destruct (steady_exists 1 1 0 1 6 1 2 (/ 2) 1 3 20) as [_ K]; auto; try lra; try lia; try (rewrite ?P, ?Et; simpl; lra).
    specialize (K ltac:(lra)). rewrite Rmin_right in K by (simpl; lra). replace (6 / (INR 1 * (2 - 1)) + 6 / (INR 1 * / 2)) with 18 in K by (simpl; lra). exact K.
  - destruct (steady_exists 1 1 0 1 6 1 2 (/ 2) 1 1 20) as [K _]; auto; try lra; try lia; try (rewrite ?P, ?Et; simpl; lra).
    rewrite Rmin_right in K by lra. replace (6 / (INR 1 * (2 - 1)) + 1) with 7 in K by (simpl; lra). exact K.
Qed.
