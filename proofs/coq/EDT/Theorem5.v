(** DT/EDT paper, Section 4.3: Theorem 5, equations (79)-(80), with its exact condition and the time beyond it.

    The bursts are controlled (DT) until the instant u at which their counters reach cn_2, and uncontrolled, with the
    threshold B / M, from u to the overflow; the other ports are controlled all the time.
      [theorem5_no_loss]      until t_over nothing is lost and there is free buffer;
      [theorem5_overflow]     at t_over the buffer is full;
      [theorem5_inevitable]   and no policy whatever absorbs the bursts for longer;
    with t_over = B / (M (R - C)) in case (a) of Theorem 1, or for N = 0, as printed; else the earlier
    B / ((1 + alpha N) (M (R - C) - N C)).                                                           *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds.
Open Scope R_scope.

(** The switch while the first M of its n ports are uncontrolled. *)
Definition edt_switch (M n : nat) (alpha B C : real) : switch :=
  Switch n (fun i => if (i <? M)%nat then 0 else alpha)
           (fun i => if (i <? M)%nat then B / INR M else 0) (fun _ => C) B.

(** Equation (80), and the overflow when the steady ports cannot follow the threshold. *)
Definition over_slow (M : nat) (B C R : real) : real := B / (INR M * (R - C)).
Definition over_fast (M N : nat) (alpha B C R : real) : real :=
  B / ((1 + alpha * INR N) * (INR M * (R - C) - INR N * C)).

(** Controlled until u, uncontrolled from u to tau. *)
Record edt_run (M N Z : nat) (alpha B C R u tau : real) (Ar Q D : nat -> real -> real) : Prop := {
  run_order : 0 <= u <= tau;
  run_arrivals : burst_arrivals M N Z C (fun _ _ => R) 0 tau Ar;
  run_start : starts_steady M N Z alpha B C Q;
  run_controlled : trajectory (dt_switch (M + N + Z) alpha B C) Ar 0 u Q D;
  run_uncontrolled : trajectory (edt_switch M (M + N + Z) alpha B C) Ar u tau Q D
}.

Section Theorem5.
Variables (M N Z : nat) (alpha B C R : real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R).

Notation m := (INR M).
Notation n := (INR N).
Notation r := (R - C).
Notation esw := (edt_switch M (M + N + Z) alpha B C).

Lemma M_ge : 1 <= m.
Proof. apply ports_ge; auto. Qed.

Lemma mr_pos : 0 < m * r.
Proof. pose proof M_ge. apply mul_pos; lra. Qed.

(** How a steady queue moves before the overflow: V; F is the free buffer. *)
Section Recognise.
Variables (u tau : real) (V v : real -> real) (Ar : nat -> real -> real).
Hypothesis u_nonneg : 0 <= u.
Hypothesis arrivals : burst_arrivals M N Z C (fun _ _ => R) u tau Ar.
Hypothesis V_continuous : continuous_on V u tau.
Hypothesis V_nonneg : forall t, u <= t <= tau -> 0 <= V t.
Hypothesis V_slope : forall t, u <= t < tau -> right_derivative V t (v t).
Notation F t := (B - m * (r * t) - n * V t).
Notation dF t := (- (m * r) - n * v t).
Hypothesis F_pos : forall t, u <= t < tau -> 0 < F t.
Hypothesis V_rule : forall t, u <= t < tau ->
  (alpha * F t < V t /\ v t = - C) \/
  (V t = alpha * F t /\ alpha * dF t <= 0 /\ v t = Rmax (alpha * dF t) (- C)).

Notation WQ := (by_class M N (fun _ t => r * t) V).
Notation WD := (by_class M N (fun _ _ => r) v).

Lemma edt_free t : free esw WQ t = F t.
Proof. unfold free. simpl. rewrite sum_by_class, sum_const. lra. Qed.

Lemma edt_slope t : free_slope esw WD t = dF t.
Proof. unfold free_slope. simpl. rewrite sum_by_class, sum_const. lra. Qed.

Lemma below_share t : u <= t < tau -> r * t < B / m.
Proof.
  intros Ht. pose proof (F_pos t Ht). pose proof M_ge. pose proof (V_nonneg t ltac:(lra)).
  pose proof (Rmult_le_pos n (V t) (pos_INR N) H1).
  apply Rmult_lt_reg_l with m; [lra|]. replace (m * (B / m)) with B by (field; lra). lra.
Qed.

Lemma edt_trajectory : trajectory esw Ar u tau WQ WD.
Proof.
  split; intros i; [intros t|..|intros t|intros t]; intros Hi; try (intros Ht); simpl in Hi;
    destruct (class_of M N Z i Hi) as [c|[c|c]].
  - rewrite by_class_burst by auto. apply Rmult_le_pos; lra.
  - rewrite by_class_steady by auto. auto.
  - rewrite by_class_other by lia. lra.
  - apply continuous_ext with (fun t => r * t + 0).
    + intros; rewrite by_class_burst by auto; lra.
    + apply continuous_linear.
  - apply continuous_ext with V; [intros; apply by_class_steady; auto|auto].
  - apply continuous_ext with (fun _ => 0); [intros; apply by_class_other; lia|apply continuous_const].
  - rewrite by_class_burst by auto. apply rd_ext with (fun t => r * t + 0); [|apply rd_linear].
    exists 1; split; [lra|]; intros; rewrite by_class_burst by auto; lra.
  - rewrite by_class_steady by auto. apply rd_ext with V; [|auto].
    exists 1; split; [lra|]; intros; apply by_class_steady; auto.
  - rewrite by_class_other by lia. apply rd_ext with (fun _ => 0); [|apply rd_const].
    exists 1; split; [lra|]; intros; apply by_class_other; lia.
  - pose proof (below_share t Ht).
    unfold obeys, threshold, threshold_slope. rewrite edt_free, edt_slope, !by_class_burst by auto.
    unfold highest, lowest. simpl. rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals i t c Ht).
    destruct (Nat.ltb_spec i M); [|lia].
    repeat split; intros K; try lra.
    destruct (Rlt_dec 0 (r * t)); [auto|]. rewrite Rmax_right; lra.
  - pose proof (steady_ports _ _ _ _ _ _ _ _ arrivals i t c Ht) as Hs.
    assert (Tp : 0 < alpha * F t) by (apply mul_pos; auto).
    unfold obeys, threshold, threshold_slope. rewrite edt_free, edt_slope, !by_class_steady by auto.
    unfold highest, lowest. simpl. destruct (Nat.ltb_spec i M); [lia|].
    destruct (V_rule t Ht) as [[K1 K2]|[K1 [K2 K3]]]; repeat split; intros K; try lra.
    + destruct (Rlt_dec 0 (V t)); lra.
    + destruct (Rlt_dec 0 (V t)); [|lra]. unfold clip. rewrite Rmin_left by lra. rewrite Rmax_comm. exact K3.
  - pose proof (other_ports _ _ _ _ _ _ _ _ arrivals i t c Ht) as Hs.
    assert (Tp : 0 < alpha * F t) by (apply mul_pos; auto).
    unfold obeys, threshold, threshold_slope. rewrite edt_free, edt_slope, !by_class_other by lia.
    unfold highest, lowest. simpl. destruct (Nat.ltb_spec i M); [lia|].
    destruct (Rlt_dec 0 0); [lra|]. rewrite Rmax_left; lra.
Qed.

Lemma edt_sane : sane esw Ar u tau.
Proof.
  split; simpl.
  - intros i Hi. destruct (i <? M)%nat; lra.
  - intros i t Hi Ht. destruct (class_of M N Z i Hi) as [c|[c|c]].
    + rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals i t) by auto. lra.
    + pose proof (steady_ports _ _ _ _ _ _ _ _ arrivals i t c Ht). lra.
    + pose proof (other_ports _ _ _ _ _ _ _ _ arrivals i t c Ht). lra.
Qed.

Lemma edt_unique Q D : trajectory esw Ar u tau Q D ->
  (forall i, (i < M)%nat -> Q i u = r * u) -> (forall i, (M <= i < M + N)%nat -> Q i u = V u) ->
  (forall i, (M + N <= i < M + N + Z)%nat -> Q i u = 0) ->
  (forall t, u <= t <= tau -> free esw Q t = F t) /\
  (forall i t, (i < M)%nat -> u <= t < tau -> rejected esw Ar Q D i t = 0).
Proof.
  intros H H1 H2 H3.
  assert (U : forall i, (i < M + N + Z)%nat ->
    (forall t, u <= t <= tau -> Q i t = WQ i t) /\ (forall t, u <= t < tau -> D i t = WD i t)).
  { apply (fluid_unique esw Ar); auto using edt_sane, edt_trajectory.
    intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]].
    - rewrite by_class_burst; auto.
    - rewrite by_class_steady; auto.
    - rewrite by_class_other by lia; auto. }
  split.
  - intros t Ht. rewrite <- edt_free. unfold free. f_equal. apply sum_ext. intros i Hi. apply (U i Hi); auto.
  - intros i t Hi Ht. destruct (U i ltac:(lia)) as [UQ UD]. unfold rejected, highest.
    rewrite UQ, UD, !by_class_burst by (auto; lra). simpl. rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals i t Hi Ht).
    destruct (Rlt_dec 0 (r * t)); [lra|]. rewrite Rmax_right; lra.
Qed.

End Recognise.

(** ** Case (a): the steady queues follow the threshold down to nothing *)

Theorem theorem5_case_a u tau Ar Q D :
  slow M N alpha C R -> u <= t_slow M N alpha B C R -> tau <= over_slow M B C R ->
  edt_run M N Z alpha B C R u tau Ar Q D ->
  (forall k t, (k < M)%nat -> 0 <= t < tau ->
     rejected (if Rlt_dec t u then dt_switch (M + N + Z) alpha B C else esw) Ar Q D k t = 0) /\
  (forall t, u <= t <= tau -> free esw Q t = (B - m * (r * t)) / (1 + alpha * n)).
Proof.
  intros Hs Hu Htau [[Hu0 Hut] A S T1 T2]. pose proof (steady_denominator N alpha alpha_pos) as Hn. pose proof mr_pos as Hmr. pose proof M_ge as HM.
  pose proof (proj1 (slow_iff M N alpha C R M_pos alpha_pos) Hs) as Hsl.
  assert (A1 : burst_arrivals M N Z C (fun _ _ => R) 0 u Ar) by (apply (burst_part _ _ _ _ _ _ 0 tau); auto; lra).
  assert (A2 : burst_arrivals M N Z C (fun _ _ => R) u tau Ar) by (apply (burst_part _ _ _ _ _ _ 0 tau); auto; lra).
  destruct (slow_start M N alpha B C R) as [S1 S2]; auto.
  destruct (micro_burst_unique M N Z alpha B C (fun _ _ => R) u Ar Q D
     (W_slow M N alpha B C R) (w_slow M N alpha B C R) (V_slow M N alpha B C R) (v_slow M N alpha B C R))
    as (UF & UW & UV & UO & UR); auto; [intros; lra|apply slow_class; auto|split; auto|].
  pose (V := fun t => alpha * ((B - m * (r * t)) / (1 + alpha * n))).
  pose (v := fun _ : real => alpha * (- (m * r) / (1 + alpha * n))).
  assert (FV : forall t, B - m * (r * t) - n * V t = (B - m * (r * t)) / (1 + alpha * n)) by (intros; unfold V; field; lra).
  assert (Fv : forall t, - (m * r) - n * v t = - (m * r) / (1 + alpha * n)) by (intros; unfold v; field; lra).
  assert (Room : forall t, t <= tau -> 0 <= B - m * (r * t)).
  { intros t Ht. assert (K : t <= over_slow M B C R) by lra. unfold over_slow in K.
    apply (Rmult_le_compat_l (m * r)) in K; [|lra].
    replace (m * r * (B / (m * r))) with B in K by (field; split; lra). lra. }
  assert (Room' : forall t, t < tau -> 0 < B - m * (r * t)).
  { intros t Ht. assert (K : t < over_slow M B C R) by lra. unfold over_slow in K.
    apply (Rmult_lt_compat_l (m * r)) in K; [|lra].
    replace (m * r * (B / (m * r))) with B in K by (field; split; lra). lra. }
  destruct (edt_unique u tau V v Ar) with (Q := Q) (D := D) as [EF ER]; auto.
  - apply continuous_ext with (fun t => - (alpha * m * r / (1 + alpha * n)) * t + alpha * B / (1 + alpha * n)).
    + intros; unfold V; field; lra.
    + apply continuous_linear.
  - intros t Ht. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply Room; lra|].
    left; apply Rinv_0_lt_compat; auto.
  - intros t Ht. apply rd_ext with (fun t => - (alpha * m * r / (1 + alpha * n)) * t + alpha * B / (1 + alpha * n)).
    + exists 1. split; [lra|]. intros; unfold V; field; lra.
    + eapply rd_eq; [apply rd_linear|]. unfold v. lra.
  - intros t Ht. rewrite FV. apply Rdiv_lt_0_compat; auto. apply Room'; lra.
  - right. rewrite FV, Fv. split; [reflexivity|].
    assert (K1 : 0 < m * r / (1 + alpha * n)) by (apply Rdiv_lt_0_compat; auto).
    assert (K2 : alpha * (m * r / (1 + alpha * n)) <= C).
    { apply Rmult_le_reg_r with (1 + alpha * n); auto.
      replace (alpha * (m * r / (1 + alpha * n)) * (1 + alpha * n)) with (alpha * m * r) by (field; lra). lra. }
    pose proof (mul_pos _ _ alpha_pos K1).
    unfold v.
    rewrite Rmax_left; lra.
  - intros i Hi. rewrite UW by (auto; lra). unfold W_slow. rewrite Rmin_left; lra.
  - intros i Hi. rewrite (UV i) by (auto; lra). unfold V_slow, V, F0. rewrite Rmin_left by lra. lra.
  - intros i Hi. apply UO; auto; lra.
  - split.
    + intros k t Hk Ht. destruct (Rlt_dec t u).
      * rewrite UR by (auto; lra). unfold w_slow. destruct (Rlt_dec t (t_slow M N alpha B C R)); lra.
      * apply ER; auto; lra.
    + intros t Ht. rewrite EF by auto. apply FV.
Qed.

(** ** Otherwise the steady queues drain at C, above the threshold *)

Theorem theorem5_case_b u tau Ar Q D :
  ~ slow M N alpha C R -> u <= t_fast M N alpha B C R -> tau <= over_fast M N alpha B C R ->
  edt_run M N Z alpha B C R u tau Ar Q D ->
  (forall k t, (k < M)%nat -> 0 <= t < tau ->
     rejected (if Rlt_dec t u then dt_switch (M + N + Z) alpha B C else esw) Ar Q D k t = 0) /\
  (forall t, u <= t <= tau -> free esw Q t = F0 N alpha B - (m * r - n * C) * t).
Proof.
  intros Hs Hu Htau [[Hu0 Hut] A S T1 T2]. pose proof (steady_denominator N alpha alpha_pos) as Hn.
  pose proof (fast_iff M N alpha C R M_pos alpha_pos Hs) as Hf.
  pose proof (t2_lt_t3 M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded Hs) as H23.
  assert (Hd : 0 < m * r - n * C).
  { apply Rmult_lt_reg_l with alpha; lra. }
  assert (A1 : burst_arrivals M N Z C (fun _ _ => R) 0 u Ar) by (apply (burst_part _ _ _ _ _ _ 0 tau); auto; lra).
  assert (A2 : burst_arrivals M N Z C (fun _ _ => R) u tau Ar) by (apply (burst_part _ _ _ _ _ _ 0 tau); auto; lra).
  destruct (fast_start M N alpha B C R) as [S1 S2]; auto.
  destruct (micro_burst_unique M N Z alpha B C (fun _ _ => R) u Ar Q D
     (W_fast M N alpha B C R) (w_fast M N alpha B C R) (V_fast M N alpha B C) (v_fast M N alpha B C))
    as (UF & UW & UV & UO & UR); auto; [intros; lra|apply fast_class; auto|split; auto|].
  pose (V := fun t => alpha * F0 N alpha B - C * t).
  pose (v := fun _ : real => - C).
  assert (EB : F0 N alpha B + n * (alpha * F0 N alpha B) = B) by (unfold F0; field; lra).
  assert (FV : forall t, B - m * (r * t) - n * V t = F0 N alpha B - (m * r - n * C) * t).
  { intros; unfold V. lra. }
  assert (EO : (m * r - n * C) * over_fast M N alpha B C R = F0 N alpha B) by (unfold over_fast, F0; field; split; lra).
  assert (Room : forall t, t <= tau -> 0 <= F0 N alpha B - (m * r - n * C) * t).
  { intros t Ht. pose proof (Rmult_le_compat_l (m * r - n * C) t (over_fast M N alpha B C R)). lra. }
  assert (Room' : forall t, t < tau -> 0 < F0 N alpha B - (m * r - n * C) * t).
  { intros t Ht. pose proof (Rmult_lt_compat_l (m * r - n * C) t (over_fast M N alpha B C R)). lra. }
  assert (Gap : forall t, V t - alpha * (B - m * (r * t) - n * V t) = (alpha * m * r - (1 + alpha * n) * C) * t).
  { intros t. rewrite FV. unfold V. ring. }
  assert (GapP : forall t, 0 <= t -> 0 <= (alpha * m * r - (1 + alpha * n) * C) * t) by (intros; apply Rmult_le_pos; lra).
  destruct (edt_unique u tau V v Ar) with (Q := Q) (D := D) as [EF ER]; auto.
  - apply continuous_ext with (fun t => - C * t + alpha * F0 N alpha B); [intros; unfold V; lra|apply continuous_linear].
  - intros t Ht. pose proof (Gap t) as G. pose proof (GapP t ltac:(lra)). rewrite FV in G.
    pose proof (Rmult_le_pos alpha _ ltac:(lra) (Room t ltac:(lra))). lra.
  - intros t Ht. apply rd_ext with (fun t => - C * t + alpha * F0 N alpha B); [|apply rd_linear].
    exists 1. split; [lra|]. intros; unfold V; lra.
  - intros t Ht. rewrite FV. apply Room'; lra.
  - intros t Ht. pose proof (Gap t) as G.
    destruct (Req_dec t 0) as [Hz|Hz].
    + right. rewrite Hz, Rmult_0_r in G. rewrite Hz. unfold v.
      rewrite Rmax_right; lra.
    + left. split; [|reflexivity]. pose proof (mul_pos (alpha * m * r - (1 + alpha * n) * C) t). lra.
  - intros i Hi. rewrite UW by (auto; lra). unfold W_fast. rewrite (Rmin_left u (t_fast M N alpha B C R)) by lra.
    rewrite (Rmin_left u (t_meet M N alpha B C)) by lra. lra.
  - intros i Hi. rewrite (UV i) by (auto; lra). unfold V_fast, V. rewrite Rmin_left; lra.
  - intros i Hi. apply UO; auto; lra.
  - split.
    + intros k t Hk Ht. destruct (Rlt_dec t u).
      * rewrite UR by (auto; lra). unfold w_fast. destruct (Rlt_dec t (t_fast M N alpha B C R)); lra.
      * apply ER; auto; lra.
    + intros t Ht. rewrite EF by auto. apply FV.
Qed.

(** ** The overflow *)

(** The buffer is full at t_over, and not before. *)
Lemma theorem5_overflow_a : 0 < 1 + alpha * n /\
  (forall t, 0 < (B - m * (r * t)) / (1 + alpha * n) <-> t < over_slow M B C R) /\
  (B - m * (r * over_slow M B C R)) / (1 + alpha * n) = 0.
Proof.
  pose proof (steady_denominator N alpha alpha_pos) as Hn. pose proof mr_pos as Hmr. pose proof M_ge.
  assert (E : m * r * over_slow M B C R = B) by (unfold over_slow; field; split; lra).
  split; auto. split.
  - split; intros K.
    + apply (Rmult_lt_compat_r (1 + alpha * n)) in K; auto.
      replace ((B - m * (r * t)) / (1 + alpha * n) * (1 + alpha * n)) with (B - m * (r * t)) in K by (field; lra).
      apply Rmult_lt_reg_l with (m * r); lra.
    + apply Rdiv_lt_0_compat; auto. pose proof (Rmult_lt_compat_l (m * r) _ _ Hmr K). lra.
  - replace (B - m * (r * over_slow M B C R)) with 0 by lra. lra.
Qed.

Lemma theorem5_overflow_b : ~ slow M N alpha C R ->
  (forall t, 0 < F0 N alpha B - (m * r - n * C) * t <-> t < over_fast M N alpha B C R) /\
  F0 N alpha B - (m * r - n * C) * over_fast M N alpha B C R = 0.
Proof.
  intros Hs. pose proof (steady_denominator N alpha alpha_pos) as Hn. pose proof (fast_iff M N alpha C R M_pos alpha_pos Hs) as Hf.
  assert (Hd : 0 < m * r - n * C) by (apply Rmult_lt_reg_l with alpha; lra).
  assert (EO : (m * r - n * C) * over_fast M N alpha B C R = F0 N alpha B) by (unfold over_fast, F0; field; split; lra).
  split; [|lra]. split; intros K.
  all: nra.
Qed.

(** Whatever the policy: lengths that fit into B, with no byte of the bursts lost; if it removes no byte of the steady queues that
    was admitted, these shrink at C at most, and fast bursts have less time. *)
Theorem theorem5_inevitable tau (Q : nat -> real -> real) :
  0 <= tau -> (forall i, (i < M + N)%nat -> 0 <= Q i tau) -> sum (M + N) (fun i => Q i tau) <= B ->
  (forall i, (i < M)%nat -> Q i tau = r * tau) ->
  tau <= over_slow M B C R /\
  (~ slow M N alpha C R -> (forall i, (M <= i < M + N)%nat -> alpha * F0 N alpha B - C * tau <= Q i tau) -> tau <= over_fast M N alpha B C R).
Proof.
  intros Ht H0 HB HW. pose proof mr_pos as Hmr. pose proof M_ge as HM. pose proof (steady_denominator N alpha alpha_pos) as Hn.
  rewrite sum_split in HB. rewrite (sum_ext M _ (fun _ => r * tau)) in HB by auto. rewrite sum_const in HB.
  split.
  - assert (K : 0 <= sum N (fun i => Q (M + i)%nat tau)) by (apply sum_nonneg; intros; apply H0; lia).
    unfold over_slow. apply Rmult_le_reg_l with (m * r); auto.
    replace (m * r * (B / (m * r))) with B by (field; split; lra). lra.
  - intros Hs HV. pose proof (fast_iff M N alpha C R M_pos alpha_pos Hs) as Hf.
    assert (Hd : 0 < m * r - n * C) by (apply Rmult_lt_reg_l with alpha; lra).
    assert (EO : (m * r - n * C) * over_fast M N alpha B C R = F0 N alpha B) by (unfold over_fast, F0; field; split; lra).
    assert (EB : F0 N alpha B + n * (alpha * F0 N alpha B) = B) by (unfold F0; field; lra).
    assert (K : n * (alpha * F0 N alpha B - C * tau) <= sum N (fun i => Q (M + i)%nat tau)).
    { rewrite <- sum_const. apply sum_le. intros; apply HV; lia. }
    apply Rmult_le_reg_l with (m * r - n * C); lra.
Qed.

(** Beyond case (a) the overflow is earlier than printed, if there are steady ports; without them it is as printed. *)
Theorem theorem5_exact_condition : ~ slow M N alpha C R ->
  ((1 <= N)%nat -> over_fast M N alpha B C R < over_slow M B C R) /\
  (N = O -> over_fast M N alpha B C R = over_slow M B C R).
Proof.
  intros Hs. pose proof mr_pos as Hmr. pose proof M_ge as HM. pose proof (steady_denominator N alpha alpha_pos) as Hn.
  pose proof (fast_iff M N alpha C R M_pos alpha_pos Hs) as Hf. split.
  - intros HN. pose proof (ports_ge N HN).
    assert (Hd : 0 < m * r - n * C) by (apply Rmult_lt_reg_l with alpha; lra).
    apply div_lt_div; auto; [apply mul_pos; auto|].
    apply Rmult_lt_compat_l; auto.
    pose proof (mul_pos n (alpha * m * r - (1 + alpha * n) * C)). lra.
  - intros ->. unfold over_fast, over_slow. simpl. field. split; lra.
Qed.

(** Comparison with DT, case (a): EDT absorbs the fraction 1 / (alpha M) + N / M more. *)
Theorem theorem5_comparison :
  over_slow M B C R = t_slow M N alpha B C R * (1 + (1 / (alpha * m) + n / m)).
Proof.
  pose proof M_ge. pose proof (am M alpha M_pos alpha_pos). pose proof (an N alpha alpha_pos).
  unfold over_slow, t_slow. field. repeat split; lra.
Qed.

(** ... and in case (b) the fraction (R - C) / (alpha (M (R - C) - N C)). *)
Lemma theorem5_comparison_b : ~ slow M N alpha C R ->
  over_fast M N alpha B C R = t_fast M N alpha B C R * (1 + r / (alpha * (m * r - n * C))) /\
  t_fast M N alpha B C R < over_fast M N alpha B C R.
Proof.
  intros Hs. pose proof (steady_denominator N alpha alpha_pos) as Hn. pose proof (fast_iff M N alpha C R M_pos alpha_pos Hs) as Hf.
  assert (Hd : 0 < m * r - n * C) by (apply Rmult_lt_reg_l with alpha; lra). split.
  - unfold over_fast, t_fast. field. repeat split; lra.
  - apply div_lt_div; [apply mul_pos; lra|apply mul_pos; lra|].
    assert (K : 0 < B * (1 + alpha * n) * r) by (apply mul_pos; [apply mul_pos|]; lra). lra.
Qed.

End Theorem5.

(** Footnote 9's M <= N R / (R - C) does not give the printed time: M = N = 1, alpha = 1, B = 12, C = 1, R = 4
    overflows at 3, not at 4. *)
Theorem theorem5_footnote9_too_weak :
  exists M N alpha B C R, (1 <= M)%nat /\ 0 < alpha /\ 0 < B /\ 0 < C /\ C < R /\
    INR M <= INR N * (R / (R - C)) /\ ~ slow M N alpha C R /\ over_fast M N alpha B C R < over_slow M B C R.
Proof.
  exists 1%nat, 1%nat, 1, 12, 1, 4.
  assert (S : ~ slow 1 1 1 1 4) by (unfold slow; simpl; lra).
  repeat split; try lra; try lia; auto; [simpl; lra|].
  apply theorem5_exact_condition; auto; lra.
Qed.

(** The hypotheses of case (a) can hold: M = N = 1, alpha = 1, B = 6, C = 1, R = 2, uncontrolled from 1 on. *)
Theorem theorem5_instance :
  slow 1 1 1 1 2 /\ 1 <= t_slow 1 1 1 6 1 2 /\ over_slow 1 6 1 2 = 6 /\
  exists Ar Q D, edt_run 1 1 0 1 6 1 2 1 6 Ar Q D.
Proof.
  assert (S : slow 1 1 1 1 2) by (unfold slow; simpl; lra).
  assert (E1 : t_slow 1 1 1 6 1 2 = 2) by (unfold t_slow; simpl; lra).
  split; [auto|]. split; [lra|]. split; [unfold over_slow; simpl; lra|].
  pose (Ar := by_class 1 1 (fun _ _ => 2) (fun _ => 1)).
  assert (A : forall a b, burst_arrivals 1 1 0 1 (fun _ _ => 2) a b Ar).
  { split; intros i t Hi Ht; unfold Ar.
    - apply by_class_burst; auto.
    - rewrite by_class_steady by auto. lra.
    - lia. }
  pose (Q := by_class 1 1 (fun _ t => (2 - 1) * t) (fun t => 3 - / 2 * t)).
  pose (D := by_class 1 1 (fun _ _ => 2 - 1) (fun _ => - / 2)).
  exists Ar, Q, D. split; auto; [lra| | |].
  - split; intros i Hi.
    + unfold Q. rewrite by_class_burst by auto. lra.
    + unfold threshold, free, Q. rewrite by_class_steady by auto. unfold by_class. simpl. lra.
    + lia.
  - apply (by_class_trajectory 1 1 0 1 6 1 (fun _ _ => 2) 0 1 Ar); auto; try lra; [intros; lra|].
    assert (CF : forall t, class_free 1 1 6 (fun _ t => (2 - 1) * t) (fun t => 3 - / 2 * t) t = 3 - / 2 * t)
      by (intros; unfold class_free; simpl; lra).
    assert (CS : forall t, class_slope 1 1 (fun _ _ => 2 - 1) (fun _ => - / 2) t = - / 2)
      by (intros; unfold class_slope; simpl; lra).
    split; intros.
    + apply continuous_ext with (fun u => (2 - 1) * u + 0); [intros; lra|apply continuous_linear].
    + apply continuous_ext with (fun u => - / 2 * u + 3); [intros; lra|apply continuous_linear].
    + lra.
    + lra.
    + apply rd_ext with (fun u => (2 - 1) * u + 0); [|apply rd_linear]. exists 1. split; [lra|]. intros; lra.
    + apply rd_ext with (fun u => - / 2 * u + 3); [|apply rd_linear]. exists 1. split; [lra|]. intros; lra.
    + rewrite CF. lra.
    + rewrite CF, CS. repeat split; intros; lra.
    + rewrite CF, CS. right. rewrite Rmax_left; lra.
  - apply (edt_trajectory 1 1 0 1 6 1 2); auto; try lra; try lia.
    + apply continuous_ext with (fun u => - / 2 * u + 3); [intros; lra|apply continuous_linear].
    + intros; lra.
    + intros; apply rd_ext with (fun u => - / 2 * u + 3); [|apply rd_linear]. exists 1. split; [lra|]. intros; lra.
    + intros; simpl; lra.
    + intros; right; simpl. rewrite Rmax_left; lra.
Qed.
