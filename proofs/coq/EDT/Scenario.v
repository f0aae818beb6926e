(** The scenario of the DT/EDT paper, Section 3, and how a trajectory in it is recognised.

    Ports 0 .. M-1 are empty and receive a micro-burst from time 0 on; ports M .. M+N-1 are in their
    steady state, on the threshold, and offered at least C; Z further ports are empty and offered at most C. *)
Require Import Reals Lra Lia Bool.
From DT Require Import Calculus Fluid.
Open Scope R_scope.

(** The real numbers, where R is an arrival rate. *)
Notation real := Rdefinitions.R.

(** [Rate i t] is the rate of the burst to port i. *)
Record burst_arrivals (M N Z : nat) (C : R) (Rate : nat -> R -> R) (s tau : R) (Ar : nat -> R -> R) : Prop := {
  burst_ports : forall i t, (i < M)%nat -> s <= t < tau -> Ar i t = Rate i t;
  steady_ports : forall i t, (M <= i < M + N)%nat -> s <= t < tau -> C <= Ar i t;
  other_ports : forall i t, (M + N <= i < M + N + Z)%nat -> s <= t < tau -> 0 <= Ar i t <= C
}.

(** The state at time 0, equation (15). *)
Record starts_steady (M N Z : nat) (alpha B C : R) (Q : nat -> R -> R) : Prop := {
  burst_empty : forall i, (i < M)%nat -> Q i 0 = 0;
  steady_on_threshold : forall i, (M <= i < M + N)%nat ->
    Q i 0 = threshold (dt_switch (M + N + Z) alpha B C) Q i 0;
  other_empty : forall i, (M + N <= i < M + N + Z)%nat -> Q i 0 = 0
}.

(** [micro_burst M N Z alpha B C Rate tau Ar Q D]: (Q, D) is a trajectory of the DT switch on [0, tau] in this scenario. *)
Record micro_burst (M N Z : nat) (alpha B C : R) (Rate : nat -> R -> R) (tau : R)
    (Ar Q D : nat -> R -> R) : Prop := {
  mb_arrivals : burst_arrivals M N Z C Rate 0 tau Ar;
  mb_start : starts_steady M N Z alpha B C Q;
  mb_moves : trajectory (dt_switch (M + N + Z) alpha B C) Ar 0 tau Q D
}.

(** What is so on an interval is so on a part of it. *)
Lemma burst_part M N Z C Rate Ar s tau a b : s <= a -> b <= tau -> burst_arrivals M N Z C Rate s tau Ar -> burst_arrivals M N Z C Rate a b Ar.
Proof.
  intros Ha Hb A. split; intros i t Hi Ht;
    [apply (burst_ports _ _ _ _ _ _ _ _ A)|apply (steady_ports _ _ _ _ _ _ _ _ A i)|apply (other_ports _ _ _ _ _ _ _ _ A i)]; auto; lra.
Qed.

Lemma burst_until M N Z alpha B C Rate tau x Ar Q D : x <= tau -> micro_burst M N Z alpha B C Rate tau Ar Q D -> micro_burst M N Z alpha B C Rate x Ar Q D.
Proof. intros Hx [A S T]. split; [apply (burst_part _ _ _ _ _ _ 0 tau)|auto|apply trajectory_shorten with tau]; auto; lra. Qed.

(** Lengths by class: [W i] for the bursts, [V] for the steady queues, 0 for the others. *)
Definition by_class (M N : nat) (W : nat -> R -> R) (V : R -> R) (i : nat) (t : R) : R :=
  if (i <? M)%nat then W i t else if (i <? M + N)%nat then V t else 0.

Lemma by_class_burst M N W V i t : (i < M)%nat -> by_class M N W V i t = W i t.
Proof. intros H. unfold by_class. destruct (Nat.ltb_spec i M); [auto|lia]. Qed.

Lemma by_class_steady M N W V i t : (M <= i < M + N)%nat -> by_class M N W V i t = V t.
Proof. intros H. unfold by_class. destruct (Nat.ltb_spec i M), (Nat.ltb_spec i (M + N)); auto; lia. Qed.

Lemma by_class_other M N W V i t : (M + N <= i)%nat -> by_class M N W V i t = 0.
Proof. intros H. unfold by_class. destruct (Nat.ltb_spec i M), (Nat.ltb_spec i (M + N)); auto; lia. Qed.

Lemma class_of M N Z i : (i < M + N + Z)%nat ->
  (i < M)%nat \/ (M <= i < M + N)%nat \/ (M + N <= i < M + N + Z)%nat.
Proof. lia. Qed.

Lemma sum_by_class M N Z W V t :
  sum (M + N + Z) (fun i => by_class M N W V i t) = sum M (fun i => W i t) + INR N * V t.
Proof.
  rewrite sum_split, sum_split.
  rewrite (sum_ext M _ (fun i => W i t)) by (intros; apply by_class_burst; auto).
  rewrite (sum_ext N _ (fun _ => V t)) by (intros; apply by_class_steady; lia).
  rewrite (sum_zero Z), sum_const by (intros; apply by_class_other; lia). lra.
Qed.

Section Recognise.
Variables (M N Z : nat) (alpha B C : R) (Rate : nat -> R -> R) (s tau : R) (Ar : nat -> R -> R).
Hypotheses (alpha_pos : 0 < alpha) (C_pos : 0 < C).
Hypothesis Rate_C : forall i t, (i < M)%nat -> s <= t < tau -> C <= Rate i t.
Hypothesis arrivals : burst_arrivals M N Z C Rate s tau Ar.

Notation sw := (dt_switch (M + N + Z) alpha B C).

Lemma burst_sane : sane sw Ar s tau.
Proof.
  split; simpl.
  - intros; lra.
  - intros i t Hi Ht. destruct (class_of M N Z i Hi) as [c|[c|c]].
    + rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals i t) by auto. specialize (Rate_C i t c Ht). lra.
    + pose proof (steady_ports _ _ _ _ _ _ _ _ arrivals i t c Ht). lra.
    + pose proof (other_ports _ _ _ _ _ _ _ _ arrivals i t c Ht). lra.
Qed.

(** F and F' of lengths given by class. *)
Definition class_free (W : nat -> R -> R) (V : R -> R) (t : R) : R := B - sum M (fun i => W i t) - INR N * V t.
Definition class_slope (w : nat -> R -> R) (v : R -> R) (t : R) : R := - sum M (fun i => w i t) - INR N * v t.

Lemma free_by_class W V t : free sw (by_class M N W V) t = class_free W V t.
Proof. unfold free, class_free. simpl. rewrite sum_by_class. lra. Qed.

Lemma slope_by_class w v t : free_slope sw (by_class M N w v) t = class_slope w v t.
Proof. unfold free_slope, class_slope. simpl. rewrite sum_by_class. lra. Qed.

Variables (W w : nat -> R -> R) (V v : R -> R).

(** What makes lengths by class a trajectory: the rules for one burst and for one steady queue. *)
Record class_trajectory : Prop := {
  cl_burst_continuous : forall i, (i < M)%nat -> continuous_on (W i) s tau;
  cl_steady_continuous : continuous_on V s tau;
  cl_burst_nonneg : forall i t, (i < M)%nat -> s <= t <= tau -> 0 <= W i t;
  cl_steady_nonneg : forall t, s <= t <= tau -> 0 <= V t;
  cl_burst_slope : forall i t, (i < M)%nat -> s <= t < tau -> right_derivative (W i) t (w i t);
  cl_steady_slope : forall t, s <= t < tau -> right_derivative V t (v t);
  cl_free : forall t, s <= t < tau -> 0 < class_free W V t;
  cl_burst_rule : forall i t, (i < M)%nat -> s <= t < tau ->
    (W i t < alpha * class_free W V t -> w i t = Rate i t - C) /\
    (alpha * class_free W V t < W i t -> w i t = - C) /\
    (W i t = alpha * class_free W V t -> w i t = clip (alpha * class_slope w v t) (- C) (Rate i t - C));
  cl_steady_rule : forall t, s <= t < tau ->
    (alpha * class_free W V t < V t /\ v t = - C) \/
    (V t = alpha * class_free W V t /\ alpha * class_slope w v t <= 0 /\
     v t = Rmax (alpha * class_slope w v t) (- C))
}.

Hypothesis cl : class_trajectory.

Lemma by_class_trajectory : trajectory sw Ar s tau (by_class M N W V) (by_class M N w v).
Proof.
  split; intros i; [intros t|..|intros t|intros t]; intros Hi; try (intros Ht);
    destruct (class_of M N Z i Hi) as [c|[c|c]].
  - rewrite by_class_burst by auto. apply (cl_burst_nonneg cl); auto.
  - rewrite by_class_steady by auto. apply (cl_steady_nonneg cl); auto.
  - rewrite by_class_other by lia. lra.
  - apply continuous_ext with (W i); [intros; apply by_class_burst; auto|apply (cl_burst_continuous cl); auto].
  - apply continuous_ext with V; [intros; apply by_class_steady; auto|apply (cl_steady_continuous cl); auto].
  - apply continuous_ext with (fun _ => 0); [intros; apply by_class_other; lia|apply continuous_const].
  - rewrite by_class_burst by auto. apply rd_ext with (W i); [|apply (cl_burst_slope cl); auto].
    exists 1; split; [lra|]; intros; apply by_class_burst; auto.
  - rewrite by_class_steady by auto. apply rd_ext with V; [|apply (cl_steady_slope cl); auto].
    exists 1; split; [lra|]; intros; apply by_class_steady; auto.
  - rewrite by_class_other by lia. apply rd_ext with (fun _ => 0); [|apply rd_const].
    exists 1; split; [lra|]; intros; apply by_class_other; lia.
  - destruct (cl_burst_rule cl i t c Ht) as (K1 & K2 & K3). pose proof (cl_free cl t Ht) as Hf.
    assert (Tp : 0 < alpha * class_free W V t) by (apply Rmult_lt_0_compat; auto).
    specialize (Rate_C i t c Ht).
    unfold obeys, threshold, threshold_slope. rewrite free_by_class, slope_by_class, !by_class_burst by auto.
    unfold highest, lowest. simpl. rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals i t c Ht), Rplus_0_l.
    repeat split; intros H.
    + destruct (Rlt_dec 0 (W i t)); [auto|]. rewrite Rmax_right by lra. auto.
    + destruct (Rlt_dec 0 (W i t)); [auto|]. lra.
    + destruct (Rlt_dec 0 (W i t)); [auto|]. lra.
  - pose proof (cl_free cl t Ht) as Hf. pose proof (steady_ports _ _ _ _ _ _ _ _ arrivals i t c Ht) as Hs.
    assert (Tp : 0 < alpha * class_free W V t) by (apply Rmult_lt_0_compat; auto).
    unfold obeys, threshold, threshold_slope. rewrite free_by_class, slope_by_class, !by_class_steady by auto.
    unfold highest, lowest. simpl. rewrite Rplus_0_l.
    destruct (cl_steady_rule cl t Ht) as [[K1 K2]|[K1 [K2 K3]]]; repeat split; intros H; try lra.
    + destruct (Rlt_dec 0 (V t)); lra.
    + destruct (Rlt_dec 0 (V t)); [|lra]. rewrite K3. unfold clip. rewrite Rmin_left by lra. apply Rmax_comm.
  - pose proof (cl_free cl t Ht) as Hf. pose proof (other_ports _ _ _ _ _ _ _ _ arrivals i t c Ht) as Hs.
    assert (Tp : 0 < alpha * class_free W V t) by (apply Rmult_lt_0_compat; auto).
    unfold obeys, threshold, threshold_slope. rewrite free_by_class, slope_by_class, !by_class_other by lia.
    unfold highest, lowest. simpl. rewrite Rplus_0_l.
    repeat split; intros H; try lra.
    destruct (Rlt_dec 0 0); [lra|]. rewrite Rmax_left; lra.
Qed.

(** Uniqueness: a trajectory with the same lengths at s is this one. *)
Lemma class_unique Q D :
  trajectory sw Ar s tau Q D ->
  (forall i, (i < M)%nat -> Q i s = W i s) ->
  (forall i, (M <= i < M + N)%nat -> Q i s = V s) ->
  (forall i, (M + N <= i < M + N + Z)%nat -> Q i s = 0) ->
  (forall t, s <= t <= tau -> free sw Q t = class_free W V t) /\
  (forall i t, (i < M)%nat -> s <= t <= tau -> Q i t = W i t) /\
  (forall i t, (M <= i < M + N)%nat -> s <= t <= tau -> Q i t = V t) /\
  (forall i t, (M + N <= i < M + N + Z)%nat -> s <= t <= tau -> Q i t = 0) /\
  (forall i t, (i < M)%nat -> s <= t < tau -> rejected sw Ar Q D i t = Rate i t - C - w i t).
Proof.
  intros H H1 H2 H3.
  assert (U : forall i, (i < M + N + Z)%nat ->
    (forall t, s <= t <= tau -> Q i t = by_class M N W V i t) /\
    (forall t, s <= t < tau -> D i t = by_class M N w v i t)).
  { apply (fluid_unique sw Ar); auto using burst_sane, by_class_trajectory.
    simpl. intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]].
    - rewrite by_class_burst; auto.
    - rewrite by_class_steady; auto.
    - rewrite by_class_other by lia; auto. }
  repeat split.
  - intros t Ht. rewrite <- free_by_class. unfold free. simpl. f_equal.
    apply sum_ext. intros i Hi. apply (U i Hi); auto.
  - intros i t Hi Ht. rewrite <- (by_class_burst M N W V) by auto. apply U; [lia|auto].
  - intros i t Hi Ht. rewrite <- (by_class_steady M N W V i) by auto. apply U; [lia|auto].
  - intros i t Hi Ht. rewrite <- (by_class_other M N W V i t) by lia. apply U; [lia|auto].
  - intros i t Hi Ht. unfold rejected, highest. simpl. specialize (Rate_C i t Hi Ht).
    rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals i t Hi Ht).
    replace (D i t) with (w i t).
    2: { rewrite <- (by_class_burst M N w v) by auto. symmetry. apply U; [lia|auto]. }
    destruct (Rlt_dec 0 (Q i t)); [lra|]. rewrite Rmax_right; lra.
Qed.

End Recognise.

(** Equation (16): F(0) = B / (1 + alpha N). *)
Definition F0 (N : nat) (alpha B : R) : R := B / (1 + alpha * INR N).

Lemma steady_denominator N alpha : 0 < alpha -> 0 < 1 + alpha * INR N.
Proof. intros H. pose proof (Rmult_le_pos alpha (INR N) ltac:(lra) (pos_INR N)). lra. Qed.

Theorem eq16_initial_free M N Z alpha B C Q :
  0 < alpha -> starts_steady M N Z alpha B C Q ->
  free (dt_switch (M + N + Z) alpha B C) Q 0 = F0 N alpha B.
Proof.
  intros Ha H. set (f := free (dt_switch (M + N + Z) alpha B C) Q 0).
  assert (E : f = B - INR N * (alpha * f)).
  { unfold f at 1, free. simpl. f_equal. rewrite sum_split, sum_split.
    rewrite (sum_zero M), (sum_zero Z), (sum_ext N _ (fun _ => alpha * f)).
    - rewrite sum_const. lra.
    - intros i Hi. rewrite (steady_on_threshold _ _ _ _ _ _ _ H) by lia. unfold threshold. simpl. fold f. lra.
    - intros i Hi. apply (other_empty _ _ _ _ _ _ _ H). lia.
    - intros i Hi. apply (burst_empty _ _ _ _ _ _ _ H). auto. }
  pose proof (steady_denominator N alpha Ha). unfold F0. apply Rmult_eq_reg_r with (1 + alpha * INR N); [|lra].
  field_simplify; lra.
Qed.

(** A trajectory of the scenario is the recognised one. *)
Theorem micro_burst_unique M N Z alpha B C Rate tau Ar Q D W w V v :
  0 < alpha -> 0 < C -> 0 <= tau ->
  (forall i t, (i < M)%nat -> 0 <= t < tau -> C <= Rate i t) ->
  class_trajectory M N alpha B C Rate 0 tau W w V v ->
  (forall i, (i < M)%nat -> W i 0 = 0) -> V 0 = alpha * F0 N alpha B ->
  micro_burst M N Z alpha B C Rate tau Ar Q D ->
  (forall t, 0 <= t <= tau -> free (dt_switch (M + N + Z) alpha B C) Q t = class_free M N B W V t) /\
  (forall i t, (i < M)%nat -> 0 <= t <= tau -> Q i t = W i t) /\
  (forall i t, (M <= i < M + N)%nat -> 0 <= t <= tau -> Q i t = V t) /\
  (forall i t, (M + N <= i < M + N + Z)%nat -> 0 <= t <= tau -> Q i t = 0) /\
  (forall i t, (i < M)%nat -> 0 <= t < tau ->
     rejected (dt_switch (M + N + Z) alpha B C) Ar Q D i t = Rate i t - C - w i t).
Proof.
  intros Ha HC Ht HR cl HW HV [A S T].
  eapply (class_unique M N Z alpha B C Rate 0 tau Ar Ha HC HR A W w V v cl Q D T).
  - intros i Hi. rewrite HW by auto. apply (burst_empty _ _ _ _ _ _ _ S i Hi).
  - intros i Hi. rewrite HV, (steady_on_threshold _ _ _ _ _ _ _ S i Hi).
    unfold threshold. rewrite (eq16_initial_free M N Z alpha B C Q Ha S). simpl. lra.
  - apply (other_empty _ _ _ _ _ _ _ S).
Qed.

(** Non-vacuity: the recognised lengths are a trajectory of the scenario. *)
Theorem micro_burst_exists M N Z alpha B C Rate tau W w V v :
  0 < alpha -> 0 < C -> 0 <= tau ->
  (forall i t, (i < M)%nat -> 0 <= t < tau -> C <= Rate i t) ->
  class_trajectory M N alpha B C Rate 0 tau W w V v ->
  (forall i, (i < M)%nat -> W i 0 = 0) -> V 0 = alpha * F0 N alpha B ->
  micro_burst M N Z alpha B C Rate tau (by_class M N Rate (fun _ => C))
    (by_class M N W V) (by_class M N w v).
Proof.
  intros Ha HC Ht HR cl HW HV.
  assert (A : burst_arrivals M N Z C Rate 0 tau (by_class M N Rate (fun _ => C))).
  { split; intros i t Hi H.
    - apply by_class_burst; auto.
    - rewrite by_class_steady by auto. lra.
    - rewrite by_class_other by lia. lra. }
  split; auto.
  - assert (E : class_free M N B W V 0 = F0 N alpha B).
    { unfold class_free. rewrite (sum_zero M) by auto. rewrite HV. unfold F0.
      pose proof (steady_denominator N alpha Ha). field. lra. }
    split; intros i Hi.
    + rewrite by_class_burst by auto. auto.
    + rewrite by_class_steady by auto. unfold threshold. rewrite free_by_class, E. simpl. lra.
    + apply by_class_other. lia.
  - apply (by_class_trajectory M N Z alpha B C Rate 0 tau); auto.
Qed.

Lemma micro_burst_rate M N Z alpha B C Rate Rate' tau Ar Q D :
  (forall i t, (i < M)%nat -> Rate i t = Rate' i t) ->
  micro_burst M N Z alpha B C Rate tau Ar Q D -> micro_burst M N Z alpha B C Rate' tau Ar Q D.
Proof.
  intros E [A S T]. split; auto. split.
  - intros i t Hi Ht. rewrite <- E by auto. apply (burst_ports _ _ _ _ _ _ _ _ A); auto.
  - apply (steady_ports _ _ _ _ _ _ _ _ A).
  - apply (other_ports _ _ _ _ _ _ _ _ A).
Qed.

(** ** Lengths by class in any switch *)

Section Classes.
Variables (M N Z : nat) (B C : real) (sw : switch) (s tau : real) (Ar : nat -> real -> real) (W w V v : real -> real).
Hypotheses (C_pos : 0 < C) (order : s <= tau) (sw_ports : ports sw = (M + N + Z)%nat) (sw_buffer : buffer sw = B).
Hypotheses (sw_service : forall i, service sw i = C) (sw_gain : forall i, 0 <= gain sw i).
Hypothesis sw_others : forall i, (M + N <= i)%nat -> offset sw i = 0.
Hypothesis arrives : forall i t, (i < M + N + Z)%nat -> s <= t < tau -> 0 <= Ar i t.
Hypothesis others_slow : forall i t, (M + N <= i < M + N + Z)%nat -> s <= t < tau -> Ar i t <= C.
Hypotheses (W_continuous : continuous_on W s tau) (V_continuous : continuous_on V s tau).
Hypothesis W_nonneg : forall t, s <= t <= tau -> 0 <= W t.
Hypothesis V_nonneg : forall t, s <= t <= tau -> 0 <= V t.
Hypothesis W_slope : forall t, s <= t < tau -> right_derivative W t (w t).
Hypothesis V_slope : forall t, s <= t < tau -> right_derivative V t (v t).

Notation F t := (B - INR M * W t - INR N * V t).
Notation dF t := (- INR M * w t - INR N * v t).
Notation WQ := (by_class M N (fun _ => W) V).
Notation WD := (by_class M N (fun _ => w) v).

(** The rule for one queue of length q, slope d, offered a. *)
Definition one_rule (i : nat) (q d a f df : real) : Prop :=
  (q < offset sw i + gain sw i * f -> d = if Rlt_dec 0 q then a - C else Rmax 0 (a - C)) /\
  (offset sw i + gain sw i * f < q -> d = if Rlt_dec 0 q then - C else Rmax 0 (- C)) /\
  (q = offset sw i + gain sw i * f ->
     d = clip (gain sw i * df) (if Rlt_dec 0 q then - C else Rmax 0 (- C)) (if Rlt_dec 0 q then a - C else Rmax 0 (a - C))).

Hypothesis F_nonneg : forall t, s <= t < tau -> 0 <= F t.
Hypothesis burst_rule : forall i t, (i < M)%nat -> s <= t < tau -> one_rule i (W t) (w t) (Ar i t) (F t) (dF t).
Hypothesis steady_rule : forall i t, (M <= i < M + N)%nat -> s <= t < tau -> one_rule i (V t) (v t) (Ar i t) (F t) (dF t).

Lemma classes_free t : free sw WQ t = F t.
Proof. unfold free. rewrite sw_ports, sw_buffer, sum_by_class, sum_const. lra. Qed.

Lemma classes_slope t : free_slope sw WD t = dF t.
Proof. unfold free_slope. rewrite sw_ports, sum_by_class, sum_const. lra. Qed.

Lemma classes_trajectory : trajectory sw Ar s tau WQ WD.
Proof.
  split; intros i; [intros t|..|intros t|intros t]; intros Hi; try (intros Ht); rewrite sw_ports in Hi;
    destruct (class_of M N Z i Hi) as [c|[c|c]].
  - rewrite by_class_burst by auto. auto.
  - rewrite by_class_steady by auto. auto.
  - rewrite by_class_other by lia. lra.
  - apply continuous_ext with W; [intros; apply (by_class_burst M N (fun _ => W)); auto|auto].
  - apply continuous_ext with V; [intros; apply by_class_steady; auto|auto].
  - apply continuous_ext with (fun _ => 0); [intros; apply by_class_other; lia|apply continuous_const].
  - rewrite by_class_burst by auto. apply rd_ext with W; [|auto]. exists 1; split; [lra|]; intros; apply (by_class_burst M N (fun _ => W)); auto.
  - rewrite by_class_steady by auto. apply rd_ext with V; [|auto]. exists 1; split; [lra|]; intros; apply by_class_steady; auto.
  - rewrite by_class_other by lia. apply rd_ext with (fun _ => 0); [|apply rd_const]. exists 1; split; [lra|]; intros; apply by_class_other; lia.
  - destruct (burst_rule i t c Ht) as (K1 & K2 & K3). unfold obeys, threshold, threshold_slope, highest, lowest.
    rewrite classes_free, classes_slope, !by_class_burst, !sw_service by auto. auto.
  - destruct (steady_rule i t c Ht) as (K1 & K2 & K3). unfold obeys, threshold, threshold_slope, highest, lowest.
    rewrite classes_free, classes_slope, !by_class_steady, !sw_service by auto. auto.
  - pose proof (others_slow i t c Ht). pose proof (Rmult_le_pos _ _ (sw_gain i) (F_nonneg t Ht)).
    unfold obeys, threshold, threshold_slope, highest, lowest.
    rewrite classes_free, classes_slope, !by_class_other, !sw_service, sw_others, Rplus_0_l by lia.
    destruct (Rlt_dec 0 0); [lra|]. rewrite !Rmax_left by lra. repeat split; intros K; try lra.
    symmetry. unfold clip. apply Rle_antisym; [apply Rmax_lub; [lra|apply Rmin_r]|apply Rmax_l].
Qed.

Lemma classes_unique Q D : trajectory sw Ar s tau Q D ->
  (forall i, (i < M)%nat -> Q i s = W s) -> (forall i, (M <= i < M + N)%nat -> Q i s = V s) ->
  (forall i, (M + N <= i < M + N + Z)%nat -> Q i s = 0) ->
  (forall i t, (i < M)%nat -> s <= t <= tau -> Q i t = W t) /\ (forall i t, (M <= i < M + N)%nat -> s <= t <= tau -> Q i t = V t) /\
  (forall i t, (M + N <= i < M + N + Z)%nat -> s <= t <= tau -> Q i t = 0) /\
  (forall i t, (M <= i < M + N)%nat -> s <= t < tau -> D i t = v t) /\
  (forall t, s <= t <= tau -> free sw Q t = F t) /\ (forall i t, (i < M)%nat -> s <= t < tau -> D i t = w t).
Proof.
  intros H H1 H2 H3.
  assert (Sane : sane sw Ar s tau).
  { split; [intros i Hi; rewrite sw_service; split; [auto|lra]|]. rewrite sw_ports. auto. }
  assert (U : forall i, (i < M + N + Z)%nat ->
    (forall t, s <= t <= tau -> Q i t = WQ i t) /\ (forall t, s <= t < tau -> D i t = WD i t)).
  { rewrite <- sw_ports. apply (fluid_unique sw Ar s tau Q D WQ WD Sane H classes_trajectory). rewrite sw_ports. intros i Hi.
    destruct (class_of M N Z i Hi) as [c|[c|c]];
      [rewrite by_class_burst by auto|rewrite by_class_steady by auto|rewrite by_class_other by lia]; auto. }
  repeat split.
  - intros i t Hi Ht. rewrite <- (by_class_burst M N (fun _ => W) V i t Hi). apply U; [lia|auto].
  - intros i t Hi Ht. rewrite <- (by_class_steady M N (fun _ => W) V i t Hi). apply U; [lia|auto].
  - intros i t Hi Ht. rewrite <- (by_class_other M N (fun _ => W) V i t) by lia. apply U; [lia|auto].
  - intros i t Hi Ht. rewrite <- (by_class_steady M N (fun _ => w) v i t Hi). apply U; [lia|auto].
  - intros t Ht. rewrite <- classes_free. unfold free. f_equal. rewrite sw_ports. apply sum_ext. intros i Hi. apply (U i Hi); auto.
  - intros i t Hi Ht. rewrite <- (by_class_burst M N (fun _ => w) v i t Hi). apply U; [lia|auto].
Qed.

End Classes.
