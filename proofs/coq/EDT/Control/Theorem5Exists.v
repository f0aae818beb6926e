(** DT/EDT paper, Section 4: there are runs of the state machines ([machine_run]) in which equal bursts are recognised.

      [run_extends]        a run, and a phase from the lengths that it has come to, are one run;
      [constant_phase]     when a stretch with constant slopes is a phase;
      [recognised_exists]  for all parameters with phi <= TM_1, phi <= t_DT and t_over <= phi + TM_2 there is a run up to the overflow.   *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence Scenario Theorem1 CountersBounds Theorem1Evolution Theorem5 Theorem1Statements FreeBuffer FreeBufferExtremes FreeBufferUse Theorem5Lengths OverflowSlowPorts ControlMachine Theorem5Timed.
Open Scope R_scope.

(** ** What a run says of one time only *)

Section Extend.
Variables (n : nat) (alpha B C cn2 TM1 TM2 : real) (Ar : nat -> real -> real).
Notation machine := (machine_run n alpha B C cn2 TM1 TM2 Ar).
Notation one_phase := (phase n alpha B C cn2 TM1 TM2 Ar).
Notation dsw := (dt_switch n alpha B C).

Lemma rejected_ext sw Q D Q' D' i t : Q i t = Q' i t -> D i t = D' i t -> rejected sw Ar Q D i t = rejected sw Ar Q' D' i t.
Proof. intros E1 E2. unfold rejected, highest. rewrite E1, E2. reflexivity. Qed.

Lemma overflows_ext Q Q' t p : (forall i, (i < n)%nat -> Q i t = Q' i t) -> buffer_overflows n alpha B C Ar Q t p -> buffer_overflows n alpha B C Ar Q' t p.
Proof.
  intros E (H1 & H2 & v & H3 & H4). assert (Ef : free (edt_state n alpha B C p) Q' t = free (edt_state n alpha B C p) Q t) by (unfold free; f_equal; apply sum_ext; intros i Hi; symmetry; auto).
  split; [rewrite Ef; auto|]. split; [auto|]. exists v. split.
  - intros i Hi. apply (obeys_ext (edt_state n alpha B C p) Ar Q' v Q v i t); simpl; auto; intros; split; auto; symmetry; auto.
  - destruct H4 as [H4|(i & Hi & U & H4)]; [left; auto|right]. exists i. split; [auto|]. split; [auto|]. rewrite <- (rejected_ext _ Q v Q' v); auto.
Qed.

Lemma happens_ext Q Q' t q p' : (forall i, (i < n)%nat -> Q i t = Q' i t) -> happens n alpha B C cn2 TM1 TM2 Ar Q t q p' -> happens n alpha B C cn2 TM1 TM2 Ar Q' t q p'.
Proof.
  intros E [H1 H2]. split; intros H.
  - apply H1. apply overflows_ext with Q'; auto. intros; symmetry; auto.
  - apply H2. intros K. apply H. apply overflows_ext with Q; auto.
Qed.

Lemma passed_ext Q D Q' D' s t p i : Q i s = Q' i s -> D i s = D' i s -> passed n alpha B C Ar Q D s t p i = passed n alpha B C Ar Q' D' s t p i.
Proof. intros E1 E2. unfold passed. rewrite (rejected_ext _ Q D Q' D') by auto. rewrite E2. reflexivity. Qed.

(** [happens] and [overflows] look at what is done to n ports only. *)
Lemma overflows_states Q t p p' : (forall i, (i < n)%nat -> p i = p' i) -> buffer_overflows n alpha B C Ar Q t p -> buffer_overflows n alpha B C Ar Q t p'.
Proof.
  intros E. assert (Em : forall k, (k <= n)%nat -> many k (fun j => uncontrolled (p j)) = many k (fun j => uncontrolled (p' j))).
  { induction k; intros Hk; [reflexivity|]. cbn [many]. rewrite IHk, E by lia. reflexivity. }
  assert (Es : same_switch (edt_state n alpha B C p) (edt_state n alpha B C p')).
  { split; [reflexivity|]. split; [reflexivity|]. simpl. intros i Hi. rewrite Em, E by auto. auto. }
  intros (H1 & (j & Hj & Uj) & v & H3 & H4). split; [exact H1|]. split; [exists j; split; [auto|rewrite <- E; auto]|]. exists v. split.
  - intros i Hi. apply (same_obeys (edt_state n alpha B C p)); auto.
  - destruct H4 as [H4|(i & Hi & U & H4)]; [left; exact H4|right]. exists i. split; [auto|]. split; [rewrite <- E; auto|exact H4].
Qed.

Lemma happens_states Q t q q' p' : (forall i, (i < n)%nat -> q i = q' i) -> happens n alpha B C cn2 TM1 TM2 Ar Q t q p' -> happens n alpha B C cn2 TM1 TM2 Ar Q t q' p'.
Proof.
  intros E [H1 H2]. split; intros H i Hi; rewrite <- (E i Hi).
  - apply H1; auto. revert H. apply overflows_states. intros j Hj. rewrite (E j Hj). reflexivity.
  - apply H2; auto. intros K. apply H. revert K. apply overflows_states. intros j Hj. rewrite (E j Hj). reflexivity.
Qed.

Lemma phase_ext Q D Q' D' s e p : (forall i t, (i < n)%nat -> s <= t <= e -> Q i t = Q' i t) -> (forall i t, (i < n)%nat -> s <= t < e -> D i t = D' i t) ->
  one_phase Q D s e p -> one_phase Q' D' s e p.
Proof.
  intros EQ ED [H1 H2 H3 H4]. split; auto.
  - apply (trajectory_ext (edt_state n alpha B C p) Ar Ar s e Q Q' D D'); auto.
  - intros i t Hi Ht. specialize (H3 i t Hi Ht). unfold loses in *. rewrite <- !(rejected_ext _ Q D Q' D') by (apply EQ || apply ED; auto; lra).
    rewrite <- !ED by (auto; lra). exact H3.
  - intros t Ht. destruct (H4 t Ht) as [K1 K2]. split.
    + intros K. apply K1. apply overflows_ext with Q'; auto. intros; symmetry; apply EQ; auto; lra.
    + intros i Hi. rewrite <- (passed_ext Q D Q' D') by (apply EQ || apply ED; auto; lra). auto.
Qed.

Lemma run_ext Q D Q' D' tau p : machine Q D tau p -> (forall i t, (i < n)%nat -> 0 <= t <= tau -> Q i t = Q' i t) -> (forall i t, (i < n)%nat -> 0 <= t < tau -> D i t = D' i t) ->
  machine Q' D' tau p.
Proof.
  induction 1 as [|s e p p' H IH Hp Hh]; intros EQ ED; [apply run_begins|].
  pose proof (run_nonneg _ _ _ _ _ _ _ _ _ _ _ _ H). pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp).
  apply run_goes_on with s p.
  - apply IH; intros; [apply EQ|apply ED]; auto; lra.
  - apply phase_ext with Q D; auto; intros; [apply EQ|apply ED]; auto; lra.
  - apply happens_ext with Q; [intros; apply EQ; auto; lra|]. apply happens_states with (passed n alpha B C Ar Q D s e p); auto.
    intros i Hi. apply passed_ext; [apply EQ|apply ED]; auto; lra.
Qed.

(** A run up to a, and a phase from its lengths. *)
Lemma run_extends Q D Q1 D1 a e p p1 : machine Q D a p -> (forall i, (i < n)%nat -> Q i a = Q1 i a) -> one_phase Q1 D1 a e p ->
  happens n alpha B C cn2 TM1 TM2 Ar Q1 e (passed n alpha B C Ar Q1 D1 a e p) p1 -> machine (glue a Q Q1) (glue a D D1) e p1.
Proof.
  intros H E Hp Hh. pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp).
  assert (Gl : forall f g i t, a <= t -> glue a f g i t = g i t) by (intros; unfold glue; destruct (Rlt_dec t a); lra).
  assert (Ge : forall f g i t, t < a -> glue a f g i t = f i t) by (intros; unfold glue; destruct (Rlt_dec t a); lra).
  apply run_goes_on with a p.
  - apply run_ext with Q D; auto; intros i t Hi Ht; [|rewrite Ge; auto; lra]. destruct (Rlt_dec t a); [rewrite Ge; auto|].
    rewrite Gl by lra. replace t with a by lra. auto.
  - apply phase_ext with Q1 D1; auto; intros; rewrite Gl; auto; lra.
  - apply happens_ext with Q1; [intros; rewrite Gl; auto; lra|]. apply happens_states with (passed n alpha B C Ar Q1 D1 a e p); auto.
    intros i Hi. apply passed_ext; rewrite Gl; auto; lra.
Qed.

(** A phase in which slopes and rates are constant. *)
Lemma constant_phase Q D s e p : s < e -> trajectory (edt_state n alpha B C p) Ar s e Q D ->
  (forall i t, (i < n)%nat -> s <= t < e -> D i t = D i s /\ Ar i t = Ar i s /\ (C <= Ar i s \/ Q i t = Q i s)) ->
  (forall t, s < t < e -> ~ buffer_overflows n alpha B C Ar Q t p /\ forall i, (i < n)%nat -> acted C cn2 TM1 TM2 t (Ar i t) (passed n alpha B C Ar Q D s t p i) = passed n alpha B C Ar Q D s t p i) ->
  one_phase Q D s e p.
Proof.
  intros Ho T H Hq. split; auto. intros i t Hi Ht. destruct (H i t Hi Ht) as (E1 & E2 & E3). split; auto. unfold loses.
  replace (rejected dsw Ar Q D i t) with (rejected dsw Ar Q D i s); [reflexivity|]. unfold rejected, highest. rewrite E1, E2. simpl.
  destruct E3 as [E3|E3]; [|rewrite E3; reflexivity]. destruct (Rlt_dec 0 (Q i s)), (Rlt_dec 0 (Q i t)); rewrite ?Rmax_right by lra; reflexivity.
Qed.

End Extend.

(** ** Equal bursts that are recognised *)

Section Exists.
Variables (M N Z : nat) (alpha B C R cn2 TM1 TM2 : real) (Ar : nat -> real -> real) (a : nat -> real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R) (cn2_pos : 0 < cn2).
Hypotheses (TM1_pos : 0 < TM1) (TM2_pos : 0 < TM2) (constant : forall i t, Ar i t = a i).
Hypothesis bursts : forall i, (i < M)%nat -> a i = R.
Hypothesis steady : forall i, (M <= i < M + N)%nat -> C <= a i.
Hypothesis others_slow : forall i, (M + N <= i < M + N + Z)%nat -> 0 <= a i <= C.
Notation r := (R - C).
Notation drop := (eq10_time M N alpha B C R).
Notation over := (overflow M N alpha B C R).
Notation phi := (phi C R cn2).
Notation dsw := (dt_switch (M + N + Z) alpha B C).
Notation esw := (edt_switch M (M + N + Z) alpha B C).
Notation state := (state M N Z alpha B C R).
Hypotheses (in_time : phi <= TM1) (before_drop : phi <= drop) (long_enough : over <= phi + TM2).

Lemma all_arrive tau : burst_arrivals M N Z C (fun _ _ => R) 0 tau Ar.
Proof. split; intros i t Hi Ht; rewrite constant; auto. Qed.

Lemma rates_nonneg i : (i < M + N + Z)%nat -> 0 <= a i.
Proof.
  intros Hi. destruct (class_of M N Z i Hi) as [c|[c|c]]; [rewrite bursts by auto; lra|pose proof (steady i c); lra|apply others_slow; auto].
Qed.

(** From any lengths there is a trajectory. *)
Lemma moves_on sw s e q : ports sw = (M + N + Z)%nat -> (forall i, 0 <= gain sw i /\ 0 <= service sw i) -> s < e -> (forall i, (i < M + N + Z)%nat -> 0 <= q i) ->
  exists Q D, trajectory sw Ar s e Q D /\ forall i, (i < M + N + Z)%nat -> Q i s = q i.
Proof.
  intros Hp Hg Ho Hq. rewrite <- Hp in Hq.
  destruct (fluid_continues sw Ar s (sum (M + N + Z) a) q) as (Q & D & E & T); auto.
  - intros i t Hi _. rewrite Hp in Hi. rewrite constant. split; [apply rates_nonneg; auto|].
    assert (K : forall k, (k <= M + N + Z)%nat -> 0 <= sum k a /\ ((i < k)%nat -> a i <= sum k a)).
    { induction k; intros Hk; [simpl; split; [lra|lia]|]. destruct (IHk ltac:(lia)) as [K1 K2]. pose proof (rates_nonneg k ltac:(lia)). simpl. split; [lra|].
      intros Hik. destruct (Nat.eq_dec i k) as [->|]; [lra|]. specialize (K2 ltac:(lia)). lra. }
    apply (K (M + N + Z)%nat); lia.
  - intros t _. exists 1. split; [lra|]. intros; rewrite !constant; reflexivity.
  - exists Q, D. split; [apply T|]. rewrite Hp in E. auto.
Qed.

Lemma state_slopes sw s e Q D : ports sw = (M + N + Z)%nat -> trajectory sw Ar s e Q D -> (forall t, s <= t <= e -> state Q t) ->
  forall i t, (i < M + N + Z)%nat -> s <= t < e -> D i t = by_class M N (fun _ _ => r) (fun _ => kappa M N alpha C R) i t.
Proof.
  intros Hp T S i t Hi Ht.
  assert (K : forall f d, (forall u, s <= u <= e -> Q i u = f u) -> right_derivative f t d -> D i t = d).
  { intros f d Hf Hd. apply (rd_unique t (Q i)); [apply (length_slope _ _ _ _ _ _ T); [rewrite Hp; auto|auto]|].
    apply rd_ext with f; auto. exists (e - t). split; [lra|]. intros h Hh. apply Hf. lra. }
  destruct (class_of M N Z i Hi) as [c|[c|c]].
  - rewrite by_class_burst by auto. apply (K (fun u => r * u + 0)); [intros u Hu; rewrite Rplus_0_r; apply (S u Hu); auto|apply rd_linear].
  - rewrite by_class_steady by auto. apply (K (V_edt M N alpha B C R)); [intros u Hu; apply (S u Hu); auto|apply V_edt_slope].
  - rewrite by_class_other by lia. apply (K (fun _ => 0)); [intros u Hu; apply (S u Hu); auto|apply rd_const].
Qed.

Definition freed_at (t : real) (i : nat) : port_state := if (i <? M)%nat then Port true 0 t else Port false 0 0.

Lemma idle_port t x y : acted C cn2 TM1 TM2 t x (Port false 0 y) = Port false 0 y.
Proof. unfold acted. cbn [uncontrolled counter started]. destruct (Rle_dec cn2 0); [lra|]. destruct (Rlt_dec 0 0); [lra|reflexivity]. Qed.

(** Up to phi, and up to the overflow. *)
Theorem recognised_exists : exists Q D p, (forall tau, burst_arrivals M N Z C (fun _ _ => R) 0 tau Ar) /\ starts_steady M N Z alpha B C Q /\
  machine_run (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q D over p /\ state Q over /\ forall i, (i < M + N + Z)%nat -> uncontrolled (p i) = false /\ counter (p i) = 0.
Proof.
  pose proof (phi_pos C R cn2 overloaded cn2_pos) as Pp. pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Hdo.
  pose proof (kappa_bounds M N alpha C R M_pos alpha_pos C_pos overloaded) as [_ Kp].
  assert (Sub : forall s e, burst_arrivals M N Z C (fun _ _ => R) s e Ar) by (intros; split; intros i t Hi Ht; rewrite constant; auto).
  (* the lengths at 0 *)
  pose (q0 := fun i => by_class M N (fun _ _ => 0) (fun _ => V_edt M N alpha B C R 0) i 0).
  assert (V0 : 0 <= V_edt M N alpha B C R 0) by (apply V_edt_nonneg; auto; lra).
  assert (q0_nonneg : forall i, (i < M + N + Z)%nat -> 0 <= q0 i) by (intros i _; unfold q0, by_class; destruct (i <? M)%nat, (i <? M + N)%nat; lra).
  assert (Begin : forall Q, (forall i, (i < M + N + Z)%nat -> Q i 0 = q0 i) -> starts_steady M N Z alpha B C Q /\ state Q 0).
  { intros Q E. assert (S : state Q 0).
    { split; [|split]; intros i Hi; rewrite E by lia; unfold q0; [rewrite by_class_burst by auto; ring|rewrite by_class_steady by auto; reflexivity|apply by_class_other; lia]. }
    split; [|exact S]. split; intros i Hi; [rewrite (proj1 S i Hi); ring| |apply S; auto].
    rewrite (proj1 (proj2 S) i Hi). unfold threshold. rewrite (state_free M N Z alpha B C R M_pos dsw Q 0 eq_refl eq_refl S).
    unfold F_edt, V_edt, F0. simpl. pose proof (en N alpha alpha_pos). field. lra. }
  (* until phi *)
  destruct (moves_on dsw 0 phi q0) as (Q1 & D1 & T1 & E1); auto; [intros i; simpl; lra|].
  destruct (Begin Q1 E1) as [_ S0].
  destruct (controlled_until M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded 0 phi Ar Q1 D1 ltac:(lra) (Sub 0 phi) S0 before_drop T1) as [S1 R1].
  pose proof (state_slopes dsw 0 phi Q1 D1 eq_refl T1 S1) as L1.
  pose (p0 := fun _ : nat => at_rest).
  assert (P1 : forall i t, (i < M + N + Z)%nat -> 0 <= t -> passed (M + N + Z) alpha B C Ar Q1 D1 0 t p0 i = if (i <? M)%nat then Port false (r * (t - 0)) 0 else Port false 0 0).
  { intros i t Hi Ht. unfold passed. cbn [p0 uncontrolled counter started at_rest]. rewrite L1 by (auto; lra). destruct (Rlt_dec 0 0); [lra|].
    destruct (class_of M N Z i Hi) as [c|[c|c]].
    - rewrite (proj2 (R1 i 0 c ltac:(lra))), by_class_burst by auto. destruct (Rlt_dec 0 0); [lra|]. destruct (Nat.ltb_spec i M); [|lia].
      f_equal. rewrite Rplus_0_l. apply Rmax_right, Rmult_le_pos; lra.
    - rewrite by_class_steady by auto. destruct (Nat.ltb_spec i M); [lia|]. f_equal. destruct (Rlt_dec 0 (rejected dsw Ar Q1 D1 i 0)); [reflexivity|].
      apply Rmax_left. pose proof (Rmult_le_compat_r (t - 0) (kappa M N alpha C R) 0 ltac:(lra) Kp). lra.
    - rewrite by_class_other by lia. destruct (Nat.ltb_spec i M); [lia|]. f_equal. destruct (Rlt_dec 0 (rejected dsw Ar Q1 D1 i 0)); [reflexivity|]. apply Rmax_left. lra. }
  assert (Flat : forall sw s e Q D, ports sw = (M + N + Z)%nat -> s < e -> trajectory sw Ar s e Q D -> (forall t, s <= t <= e -> state Q t) ->
     forall i t, (i < M + N + Z)%nat -> s <= t < e -> D i t = D i s /\ Ar i t = Ar i s /\ (C <= Ar i s \/ Q i t = Q i s)).
  { intros sw s e Q D Hp Ho T S i t Hi Ht. rewrite !(state_slopes sw s e Q D Hp T S i) by (auto; lra). split; [unfold by_class; destruct (i <? M)%nat, (i <? M + N)%nat; reflexivity|].
    split; [rewrite !constant; reflexivity|]. rewrite constant. destruct (class_of M N Z i Hi) as [c|[c|c]]; [left; rewrite bursts by auto; lra|left; auto|right].
    destruct (S t ltac:(lra)) as (_ & _ & K1). destruct (S s ltac:(lra)) as (_ & _ & K2). rewrite K1, K2; auto. }
  assert (Ph1 : phase (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q1 D1 0 phi p0).
  { apply constant_phase; [lra|exact T1| |].
    - apply (Flat dsw 0 phi); auto.
    - intros t Ht. split; [apply no_overflow; reflexivity|]. intros i Hi. rewrite P1, constant by (auto; lra). destruct (Nat.ltb_spec i M) as [c|c]; [|apply idle_port].
      rewrite bursts by auto. apply does_counting; auto; lra. }
  assert (Ha1 : happens (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q1 phi (passed (M + N + Z) alpha B C Ar Q1 D1 0 phi p0) (freed_at phi)).
  { split; intros H.
    - exfalso. revert H. apply (some_free M N Z alpha B C R); auto; [apply S1; lra|lra].
    - intros i Hi. rewrite P1, constant by (auto; lra). unfold freed_at. destruct (Nat.ltb_spec i M) as [c|c]; [|symmetry; apply idle_port].
      rewrite bursts by auto. symmetry. apply does_counting; auto; lra. }
  (* until the overflow *)
  assert (q1_nonneg : forall i, (i < M + N + Z)%nat -> 0 <= Q1 i phi) by (intros i Hi; apply (length_nonneg _ _ _ _ _ _ T1); [exact Hi|lra]).
  destruct (moves_on esw phi over (fun i => Q1 i phi)) as (Q2 & D2 & T2 & E2); auto; [intros i; simpl; destruct (i <? M)%nat; lra|lra|].
  assert (Sp : state Q2 phi) by (destruct (S1 phi ltac:(lra)) as (K1 & K2 & K3); split; [|split]; intros i Hi; rewrite E2 by lia; auto).
  destruct (uncontrolled_until M N Z alpha B C R M_pos alpha_pos C_pos overloaded phi over Ar Q2 D2 ltac:(lra) (Sub phi over) Sp ltac:(lra) T2) as [S2 R2].
  assert (Ot : others M N Z (freed_at phi)) by (intros j Hj; unfold freed_at; destruct (Nat.ltb_spec j M); [lia|auto]).
  assert (Fr : freed M (freed_at phi) phi) by (intros j Hj; unfold freed_at; destruct (Nat.ltb_spec j M); [auto|lia]).
  assert (P2 : forall i t, (i < M + N + Z)%nat -> phi <= t -> exists y, passed (M + N + Z) alpha B C Ar Q2 D2 phi t (freed_at phi) i = if (i <? M)%nat then Port true 0 phi else Port false 0 y).
  { intros i t Hi Ht. unfold passed, freed_at. destruct (Nat.ltb_spec i M) as [c|c]; [exists 0; reflexivity|]. cbn [uncontrolled counter started].
    rewrite (state_slopes esw phi over Q2 D2 eq_refl T2 S2 i phi) by (auto; lra). destruct (Rlt_dec 0 0); [lra|]. exists phi. f_equal.
    destruct (Rlt_dec 0 (rejected dsw Ar Q2 D2 i phi)); [reflexivity|]. apply Rmax_left.
    destruct (Nat.lt_ge_cases i (M + N)) as [d|d]; [rewrite by_class_steady by lia|rewrite by_class_other by lia; lra].
    pose proof (Rmult_le_compat_r (t - phi) (kappa M N alpha C R) 0 ltac:(lra) Kp). lra. }
  assert (Ph2 : phase (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q2 D2 phi over (freed_at phi)).
  { apply constant_phase; [lra| | |].
    - apply (trajectory_of esw); [apply same_sym, (bursts_free M N Z alpha B C M_pos (freed_at phi) phi); auto|exact T2].
    - apply (Flat esw phi over); auto. lra.
    - intros t Ht. split; [apply (some_free M N Z alpha B C R); auto; [apply S2|]; lra|]. intros i Hi. destruct (P2 i t Hi ltac:(lra)) as [y E]. rewrite E, constant.
      destruct (Nat.ltb_spec i M) as [c|c]; [|apply idle_port]. rewrite bursts by auto. unfold acted. cbn [uncontrolled started].
      destruct (Rlt_dec R C); [lra|]. destruct (Rle_dec (phi + TM2) t); [lra|reflexivity]. }
  pose (p2 := fun i => if (i <? M)%nat then at_rest else passed (M + N + Z) alpha B C Ar Q2 D2 phi over (freed_at phi) i).
  assert (Ha2 : happens (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q2 over (passed (M + N + Z) alpha B C Ar Q2 D2 phi over (freed_at phi)) p2).
  { set (q := fun i => acted C cn2 TM1 TM2 over (Ar i over) (passed (M + N + Z) alpha B C Ar Q2 D2 phi over (freed_at phi) i)).
    assert (Eq : forall i, (i < M + N + Z)%nat -> q i = if (i <? M)%nat then (if Rle_dec (phi + TM2) over then at_rest else Port true 0 phi) else p2 i).
    { intros i Hi. unfold q, p2. destruct (P2 i over Hi ltac:(lra)) as [y E]. rewrite E, constant. destruct (Nat.ltb_spec i M) as [c|c]; [|apply idle_port].
      rewrite bursts by auto. unfold acted. cbn [uncontrolled started]. destruct (Rlt_dec R C); [lra|reflexivity]. }
    assert (Ep : forall i, (i < M + N + Z)%nat -> (M <= i)%nat -> uncontrolled (p2 i) = false /\ counter (p2 i) = 0).
    { intros i Hi Hm. unfold p2. destruct (P2 i over Hi ltac:(lra)) as [y E]. rewrite E. destruct (Nat.ltb_spec i M); [lia|auto]. }
    split; intros H i Hi; change (p2 i = if uncontrolled (q i) then at_rest else q i) || change (p2 i = q i).
    - rewrite Eq by auto. destruct (Nat.ltb_spec i M) as [c|c].
      + unfold p2. destruct (Nat.ltb_spec i M); [|lia]. destruct (Rle_dec (phi + TM2) over); reflexivity.
      + rewrite (proj1 (Ep i Hi c)). reflexivity.
    - rewrite Eq by auto. destruct (Nat.ltb_spec i M) as [c|c]; [|reflexivity]. unfold p2. destruct (Nat.ltb_spec i M); [|lia].
      destruct (Rle_dec (phi + TM2) over) as [d|d]; [reflexivity|exfalso]. apply H.
      apply (overflow_at M N Z alpha B C R) with (tau := over + 1) (t0 := phi); auto; try lra.
      + apply S2. lra.
      + intros j Hj. change (uncontrolled (q j) = false /\ counter (q j) = 0). rewrite Eq by lia. destruct (Nat.ltb_spec j M); [lia|]. apply Ep; lia.
      + intros j Hj. change (uncontrolled (q j) = true /\ started (q j) = phi). rewrite Eq by lia. destruct (Nat.ltb_spec j M); [|lia]. destruct (Rle_dec (phi + TM2) over); [contradiction|auto]. }
  pose proof (run_extends (M + N + Z) alpha B C cn2 TM1 TM2 Ar Q1 D1 Q1 D1 0 phi p0 (freed_at phi) (run_begins _ _ _ _ _ _ _ _ _ _) (fun _ _ => eq_refl) Ph1 Ha1) as H1.
  assert (G0 : forall i, glue 0 Q1 Q1 i phi = Q1 i phi) by (intros i; unfold glue; destruct (Rlt_dec phi 0); reflexivity).
  pose proof (run_extends (M + N + Z) alpha B C cn2 TM1 TM2 Ar _ _ Q2 D2 phi over (freed_at phi) p2 H1 (fun i Hi => eq_trans (G0 i) (eq_sym (E2 i Hi))) Ph2 Ha2) as H2.
  eexists _, _, p2. split; [apply all_arrive|]. split; [|split; [exact H2|]].
  - apply Begin. intros i Hi. unfold glue. destruct (Rlt_dec 0 phi); [|lra]. destruct (Rlt_dec 0 0); [lra|auto].
  - split.
    + destruct (S2 over ltac:(lra)) as (K1 & K2 & K3). split; [|split]; intros i Hi; unfold glue at 1; destruct (Rlt_dec over phi); try lra; auto.
    + intros i Hi. unfold p2. destruct (Nat.ltb_spec i M) as [c|c]; [simpl; auto|]. destruct (P2 i over Hi ltac:(lra)) as [y E]. rewrite E. destruct (Nat.ltb_spec i M); [lia|auto].
Qed.

End Exists.
