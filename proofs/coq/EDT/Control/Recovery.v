(** DT/EDT paper, Sections 3.1 and 4.3: what happens after the first loss, and after the bursts.

    The M bursts hold W each and the N steady queues V each; the steady ports are offered enough to follow a rising threshold,
    C (1 + alpha M / (1 + alpha N)).
      [after_unique]    such lengths are the only ones, in any switch whose other ports are controlled by DT;
      [recovery_from]   after bursts that end with the lengths q0, all is as before after q0 / C;
      [common_length]   from the overflow of EDT on the bursts drain at C to the common length, and lose all that arrives.   *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds Theorem1Evolution Theorem5.
Open Scope R_scope.

Section After.
Variables (M N Z : nat) (alpha B C : real) (sw : switch) (s tau : real) (Ar : nat -> real -> real) (W w V v : real -> real).
Hypotheses (alpha_pos : 0 < alpha) (C_pos : 0 < C) (order : s <= tau) (sw_ports : ports sw = (M + N + Z)%nat) (sw_buffer : buffer sw = B).
Hypothesis sw_service : forall i, service sw i = C.
Hypothesis sw_others : forall i, (M <= i)%nat -> gain sw i = alpha /\ offset sw i = 0.
Hypothesis sw_gain : forall i, 0 <= gain sw i.
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

Hypothesis F_nonneg : forall t, s <= t < tau -> 0 <= F t.
Hypothesis burst_rule : forall i t, (i < M)%nat -> s <= t < tau -> obeys sw Ar WQ WD i t.
Hypothesis steady_rule : forall i t, (M <= i < M + N)%nat -> s <= t < tau ->
  (alpha * F t < V t /\ v t = - C) \/
  (V t = alpha * F t /\ v t = alpha * dF t /\ - C <= v t <= Ar i t - C /\ (V t = 0 -> 0 <= v t)).

Theorem after_unique Q D : trajectory sw Ar s tau Q D ->
  (forall i, (i < M)%nat -> Q i s = W s) -> (forall i, (M <= i < M + N)%nat -> Q i s = V s) ->
  (forall i, (M + N <= i < M + N + Z)%nat -> Q i s = 0) ->
  (forall i t, (i < M)%nat -> s <= t <= tau -> Q i t = W t) /\ (forall i t, (M <= i < M + N)%nat -> s <= t <= tau -> Q i t = V t) /\
  (forall i t, (M + N <= i < M + N + Z)%nat -> s <= t <= tau -> Q i t = 0) /\
  (forall t, s <= t <= tau -> free sw Q t = F t) /\ (forall i t, (i < M)%nat -> s <= t < tau -> D i t = w t).
Proof.
  intros H H1 H2 H3. destruct (classes_unique M N Z B C sw s tau Ar W w V v) with (Q := Q) (D := D) as (U1 & U2 & U3 & _ & U4 & U5); auto.
  - intros i Hi. apply sw_others. lia.
  - intros i t Hi Ht. pose proof (burst_rule i t Hi Ht) as K. unfold obeys, threshold, threshold_slope, highest, lowest in K.
    rewrite (classes_free M N Z B sw W V sw_ports sw_buffer), (classes_slope M N Z sw w v sw_ports), !by_class_burst, !sw_service in K by auto. exact K.
  - intros i t c Ht. pose proof (F_nonneg t Ht) as Hf. destruct (sw_others i ltac:(lia)) as [Gi Oi]. pose proof (V_nonneg t ltac:(lra)) as Hv.
    assert (Tp : 0 <= alpha * F t) by (apply Rmult_le_pos; lra). unfold one_rule. rewrite Gi, Oi, Rplus_0_l.
    destruct (steady_rule i t c Ht) as [[K1 K2]|(K1 & K2 & K3 & K4)]; repeat split; intros K; try lra.
    + destruct (Rlt_dec 0 (V t)); lra.
    + symmetry. rewrite <- K2. destruct (Rlt_dec 0 (V t)); [apply clip_inside; lra|]. specialize (K4 ltac:(lra)).
      rewrite (Rmax_left 0 (- C)), (Rmax_right 0 (Ar i t - C)) by lra. apply clip_inside. lra.
Qed.

End After.

(** A queue to which nothing comes drains at C, whatever its threshold. *)
Lemma drains_without_arrivals sw Ar Q D i t : 0 < service sw i -> Ar i t = 0 -> 0 < Q i t -> D i t = - service sw i -> obeys sw Ar Q D i t.
Proof.
  intros Hs HA Hq HD. unfold obeys, highest, lowest. rewrite HA, HD. destruct (Rlt_dec 0 (Q i t)); [|lra].
  repeat split; intros _; try lra. unfold clip. replace (0 - service sw i) with (- service sw i) by ring.
  apply Rle_antisym; [apply Rmax_l|apply Rmax_lub; [lra|apply Rmin_r]].
Qed.

(** ** After the bursts *)

Section Recovery.
Variables (M N Z : nat) (alpha B C : real) (sw : switch) (s q0 v0 : real) (Ar Q D : nat -> real -> real).
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (sw_ports : ports sw = (M + N + Z)%nat) (sw_buffer : buffer sw = B).
Hypothesis sw_service : forall i, service sw i = C.
Hypothesis sw_others : forall i, (M <= i)%nat -> gain sw i = alpha /\ offset sw i = 0.
Hypotheses (sw_gain : forall i, 0 <= gain sw i) (q0_nonneg : 0 <= q0).
Notation tau := (s + q0 / C).
Notation m := (INR M).
Notation n := (INR N).
Hypothesis ended : forall i t, (i < M)%nat -> s <= t < tau -> Ar i t = 0.
Hypothesis steady : forall i t, (M <= i < M + N)%nat -> s <= t < tau -> C * (1 + alpha * m / (1 + alpha * n)) <= Ar i t.
Hypothesis others : forall i t, (M + N <= i < M + N + Z)%nat -> s <= t < tau -> 0 <= Ar i t <= C.
Hypothesis moves : trajectory sw Ar s tau Q D.
Hypothesis burst_lengths : forall i, (i < M)%nat -> Q i s = q0.
Hypothesis steady_lengths : forall i, (M <= i < M + N)%nat -> Q i s = v0.
Hypothesis other_lengths : forall i, (M + N <= i < M + N + Z)%nat -> Q i s = 0.
Hypothesis fits : 0 <= B - m * q0 - n * v0.
Hypothesis on_or_above : alpha * (B - m * q0 - n * v0) <= v0.
Hypothesis not_longer : v0 <= alpha * B / (1 + alpha * n).

(** The threshold that the steady queues follow, once they are on it. *)
Definition T_back (t : real) : real := alpha * (B - m * (q0 - C * (t - s))) / (1 + alpha * n).
Definition V_back (t : real) : real := Rmax (T_back t) (v0 - C * (t - s)).
Definition v_back (t : real) : real := max_slope (T_back t) (v0 - C * (t - s)) (alpha * m * C / (1 + alpha * n)) (- C).

Lemma T_back_line t : T_back t = alpha * m * C / (1 + alpha * n) * t + alpha * (B - m * (q0 + C * s)) / (1 + alpha * n).
Proof. pose proof (steady_denominator N alpha alpha_pos). unfold T_back. field. lra. Qed.

Theorem recovery_from :
  (forall i, (i < M)%nat -> Q i tau = 0) /\ (forall i, (M <= i < M + N)%nat -> Q i tau = alpha * B / (1 + alpha * n)) /\
  (forall i, (M + N <= i < M + N + Z)%nat -> Q i tau = 0) /\ free sw Q tau = B / (1 + alpha * n).
Proof.
  pose proof (steady_denominator N alpha alpha_pos) as Hn. assert (Hx : 0 <= q0 / C) by (apply Rmult_le_pos; [auto|left; apply Rinv_0_lt_compat; auto]).
  assert (Ex : C * (q0 / C) = q0) by (field; lra). pose proof (pos_INR M) as Hm. pose proof (pos_INR N) as Hnn.
  assert (Kp : 0 <= alpha * m * C / (1 + alpha * n)).
  { apply Rmult_le_pos; [apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]|left; apply Rinv_0_lt_compat; auto]. }
  assert (ET : forall t, alpha * (B - m * (q0 - C * (t - s))) = (1 + alpha * n) * T_back t) by (intros; unfold T_back; field; lra).
  assert (Wp : forall t, s <= t < tau -> 0 < q0 - C * (t - s)).
  { intros t Ht. pose proof (Rmult_lt_compat_l C (t - s) (q0 / C) C_pos ltac:(lra)). lra. }
  assert (Gap : forall t, alpha * (B - m * (q0 - C * (t - s)) - n * V_back t) = V_back t - (1 + alpha * n) * (V_back t - T_back t)).
  { intros t. replace (alpha * (B - m * (q0 - C * (t - s)) - n * V_back t)) with (alpha * (B - m * (q0 - C * (t - s))) - alpha * n * V_back t) by ring.
    rewrite ET. ring. }
  assert (Tp : forall t, s <= t -> 0 <= T_back t).
  { intros t Ht. unfold T_back. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; auto]. apply Rmult_le_pos; [lra|].
    pose proof (Rmult_le_pos m (C * (t - s)) Hm ltac:(apply Rmult_le_pos; lra)).
    assert (0 <= v0).
    { pose proof (Rmult_le_pos alpha _ ltac:(lra) fits). lra. }
    pose proof (Rmult_le_pos n v0 Hnn H0). lra. }
  assert (Sane_others : forall i t, (i < M + N + Z)%nat -> s <= t < tau -> 0 <= Ar i t).
  { intros i t Hi Ht. destruct (class_of M N Z i Hi) as [c|[c|c]].
    - rewrite (ended i t c Ht). lra.
    - pose proof (steady i t c Ht). assert (0 <= alpha * m / (1 + alpha * n)).
      { apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; auto]. }
      pose proof (Rmult_le_pos C (1 + alpha * m / (1 + alpha * n)) ltac:(lra) ltac:(lra)). lra.
    - apply (others i t c Ht). }
  destruct (after_unique M N Z alpha B C sw s tau Ar (fun t => q0 - C * (t - s)) (fun _ => - C) V_back v_back) with (Q := Q) (D := D)
    as (U1 & U2 & U3 & U4 & _); auto; try lra.
  - intros i t Hi Ht. apply (others i t Hi Ht).
  - apply continuous_ext with (fun t => (- C) * t + (q0 + C * s)); [intros; ring|apply continuous_linear].
  - unfold V_back. apply continuous_max.
    + apply continuous_ext with (fun t => alpha * m * C / (1 + alpha * n) * t + alpha * (B - m * (q0 + C * s)) / (1 + alpha * n));
        [intros; apply T_back_line|apply continuous_linear].
    + apply continuous_ext with (fun t => (- C) * t + (v0 + C * s)); [intros; ring|apply continuous_linear].
  - intros t Ht. pose proof (Rmult_le_compat_l C (t - s) (q0 / C) ltac:(lra) ltac:(lra)). lra.
  - intros t Ht. unfold V_back. eapply Rle_trans; [apply (Tp t); lra|apply Rmax_l].
  - intros t Ht. apply rd_ext with (fun t => (- C) * t + (q0 + C * s)); [exists 1; split; [lra|]; intros; ring|apply rd_linear].
  - intros t Ht. unfold V_back, v_back. apply (rd_max t T_back (fun u => v0 - C * (u - s))).
    + apply rd_ext with (fun t => alpha * m * C / (1 + alpha * n) * t + alpha * (B - m * (q0 + C * s)) / (1 + alpha * n));
        [exists 1; split; [lra|]; intros; apply T_back_line|apply rd_linear].
    + apply rd_ext with (fun t => (- C) * t + (v0 + C * s)); [exists 1; split; [lra|]; intros; ring|apply rd_linear].
  - intros t Ht. apply Rmult_le_reg_l with alpha; auto. rewrite Rmult_0_r, Gap.
    unfold V_back. destruct (Rle_dec (T_back t) (v0 - C * (t - s))) as [c|c].
    + rewrite Rmax_right by lra.
      assert (E : v0 - C * (t - s) - (1 + alpha * n) * (v0 - C * (t - s) - T_back t) = alpha * (B - m * (q0 - C * (t - s)) - n * (v0 - C * (t - s)))).
      { replace (alpha * (B - m * (q0 - C * (t - s)) - n * (v0 - C * (t - s)))) with (alpha * (B - m * (q0 - C * (t - s))) - alpha * n * (v0 - C * (t - s))) by ring.
        rewrite ET. ring. }
      rewrite E. apply Rmult_le_pos; [lra|].
      pose proof (Rmult_le_pos (m + n) (C * (t - s)) ltac:(lra) ltac:(apply Rmult_le_pos; lra)). lra.
    + rewrite Rmax_left by lra. pose proof (Tp t ltac:(lra)). lra.
  - intros i t Hi Ht. apply drains_without_arrivals.
    + rewrite sw_service. auto.
    + apply ended; auto.
    + rewrite by_class_burst by auto. apply Wp; auto.
    + rewrite by_class_burst, sw_service by auto. reflexivity.
  - intros i t Hi Ht. rewrite Gap.
    assert (Rise : alpha * (- m * - C - n * (alpha * m * C / (1 + alpha * n))) = alpha * m * C / (1 + alpha * n)) by (field; lra).
    unfold V_back, v_back, max_slope. destruct (Rlt_dec (v0 - C * (t - s)) (T_back t)) as [c|c].
    + right. rewrite Rmax_left by lra. split; [ring|]. split; [symmetry; exact Rise|]. pose proof (steady i t Hi Ht).
      replace (C * (1 + alpha * m / (1 + alpha * n))) with (C + alpha * m * C / (1 + alpha * n)) in H by (field; lra).
      split; [lra|intros; exact Kp].
    + rewrite Rmax_right by lra. destruct (Rlt_dec (T_back t) (v0 - C * (t - s))) as [c'|c'].
      * left. split; [|reflexivity]. pose proof (Rmult_lt_0_compat (1 + alpha * n) (v0 - C * (t - s) - T_back t)). lra.
      * right. assert (E : v0 - C * (t - s) = T_back t) by lra. rewrite E. rewrite Rmax_left by lra. split; [ring|]. split; [symmetry; exact Rise|].
        pose proof (steady i t Hi Ht).
        replace (C * (1 + alpha * m / (1 + alpha * n))) with (C + alpha * m * C / (1 + alpha * n)) in H by (field; lra).
        split; [lra|intros; exact Kp].
  - intros i Hi. rewrite (burst_lengths i Hi). ring.
  - intros i Hi. rewrite (steady_lengths i Hi). unfold V_back.
    assert (T_back s <= v0).
    { unfold T_back. replace (C * (s - s)) with 0 by ring. rewrite Rminus_0_r. apply Rmult_le_reg_r with (1 + alpha * n); auto.
      replace (alpha * (B - m * q0) / (1 + alpha * n) * (1 + alpha * n)) with (alpha * (B - m * q0)) by (field; lra). lra. }
    rewrite Rmax_right; [ring|]. replace (C * (s - s)) with 0 by ring. lra.
  - assert (EV : V_back tau = alpha * B / (1 + alpha * n)).
    { unfold V_back. assert (E1 : T_back tau = alpha * B / (1 + alpha * n)).
      { unfold T_back. replace (q0 - C * (tau - s)) with 0 by (replace (tau - s) with (q0 / C) by ring; lra). field. lra. }
      rewrite E1, Rmax_left; [reflexivity|]. replace (tau - s) with (q0 / C) by ring. lra. }
    split; [intros i Hi; rewrite U1 by (auto; lra); replace (tau - s) with (q0 / C) by ring; lra|].
    split; [intros i Hi; rewrite U2 by (auto; lra); exact EV|]. split; [intros i Hi; apply U3; auto; lra|].
    rewrite U4 by lra. rewrite EV. replace (tau - s) with (q0 / C) by ring. replace (q0 - C * (q0 / C)) with 0 by lra. field. lra.
Qed.

End Recovery.

(** ** After the overflow of EDT *)

Section Overflow.
Variables (M N Z : nat) (alpha B C R s tau : real) (Ar Q D : nat -> real -> real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R) (order : s <= tau).
Notation sw := (dt_switch (M + N + Z) alpha B C).
Notation m := (INR M).
Notation n := (INR N).
Hypothesis bursts : forall i t, (i < M)%nat -> s <= t < tau -> Ar i t = R.
Hypothesis steady : forall i t, (M <= i < M + N)%nat -> s <= t < tau -> C * (1 + alpha * m / (1 + alpha * n)) <= Ar i t.
Hypothesis others : forall i t, (M + N <= i < M + N + Z)%nat -> s <= t < tau -> 0 <= Ar i t <= C.
Hypothesis moves : trajectory sw Ar s tau Q D.
Hypothesis burst_lengths : forall i, (i < M)%nat -> Q i s = B / m.
Hypothesis steady_lengths : forall i, (M <= i < M + N)%nat -> Q i s = 0.
Hypothesis other_lengths : forall i, (M + N <= i < M + N + Z)%nat -> Q i s = 0.

Definition x_common : real := B * (1 + alpha * n) / (m * C * (1 + alpha * (m + n))).
Notation share := (alpha * B / (1 + alpha * (m + n))).
Notation e := (s + x_common).

(** All that is in the buffer is the bursts': they drain at C from B / M to the common length, in x_common, and lose all that arrives;
    threshold and steady queues rise together from 0 to it; from then on all rest, and each burst loses R - C. *)
Theorem common_length : 0 < x_common /\
  (forall i t, (i < M)%nat -> s <= t <= tau -> Q i t = Rmax (B / m - C * (t - s)) share) /\
  (forall i t, (M <= i < M + N)%nat -> s <= t <= tau -> Q i t = threshold sw Q i t) /\
  (forall i t, (i < M + N)%nat -> s <= t <= tau -> e <= t -> Q i t = share) /\
  (forall i t, (i < M)%nat -> s <= t < tau ->
     (t < e -> D i t = - C /\ rejected sw Ar Q D i t = R) /\ (e <= t -> D i t = 0 /\ rejected sw Ar Q D i t = R - C)).
Proof.
  pose proof (steady_denominator N alpha alpha_pos) as Hn. pose proof (ports_ge M M_pos) as Hm. pose proof (pos_INR N) as Hnn.
  pose proof (am_pos M alpha M_pos alpha_pos) as Ham. pose proof (an_pos N alpha alpha_pos) as Han.
  assert (Xp : 0 < x_common).
  { unfold x_common. apply Rdiv_lt_0_compat; [apply mul_pos; lra|apply mul_pos; [apply mul_pos; lra|lra]]. }
  assert (Kp : 0 < alpha * m * C / (1 + alpha * n)) by (apply Rdiv_lt_0_compat; [apply mul_pos; lra|auto]).
  assert (Ee : B / m - C * x_common = share) by (unfold x_common; field; repeat split; lra).
  assert (Et : alpha * m * C / (1 + alpha * n) * x_common = share) by (unfold x_common; field; repeat split; lra).
  assert (Sp : 0 < share) by (apply Rdiv_lt_0_compat; [apply mul_pos; auto|lra]).
  set (y := fun t => Rmin t e - s).
  set (W := fun t => B / m - C * y t). set (w := fun t => if Rlt_dec t e then - C else 0).
  set (V := fun t => alpha * m * C / (1 + alpha * n) * y t). set (v := fun t => if Rlt_dec t e then alpha * m * C / (1 + alpha * n) else 0).
  assert (Yb : forall t, s <= t -> 0 <= y t <= x_common).
  { intros t Ht. unfold y. pose proof (Rmin_r t e). pose proof (Rmin_glb t e s Ht ltac:(lra)). lra. }
  assert (EF : forall t, B - m * W t - n * V t = m * C / (1 + alpha * n) * y t) by (intros; unfold W, V; field; lra).
  assert (Wge : forall t, s <= t -> share <= W t).
  { intros t Ht. unfold W. destruct (Yb t Ht). pose proof (Rmult_le_compat_l C (y t) x_common ltac:(lra) ltac:(lra)). lra. }
  assert (Vle : forall t, s <= t -> V t <= share).
  { intros t Ht. unfold V. destruct (Yb t Ht). pose proof (Rmult_le_compat_l (alpha * m * C / (1 + alpha * n)) (y t) x_common ltac:(lra) ltac:(lra)). lra. }
  assert (AF : forall t, alpha * (B - m * W t - n * V t) = V t) by (intros; rewrite EF; unfold V; field; lra).
  destruct (after_unique M N Z alpha B C sw s tau Ar W w V v) with (Q := Q) (D := D) as (U1 & U2 & U3 & U4 & U5); auto.
  - intros i. simpl. lra.
  - intros i t Hi Ht. destruct (class_of M N Z i Hi) as [c|[c|c]].
    + rewrite (bursts i t c Ht). lra.
    + pose proof (steady i t c Ht). assert (0 < alpha * m / (1 + alpha * n)) by (apply Rdiv_lt_0_compat; lra).
      pose proof (mul_pos C (1 + alpha * m / (1 + alpha * n)) C_pos ltac:(lra)). lra.
    + apply (others i t c Ht).
  - intros i t Hi Ht. apply (others i t Hi Ht).
  - apply continuous_ext with (fun t => (- C) * Rmin t e + (B / m + C * s)); [intros; unfold W, y; ring|]. apply continuous_stopped. lra.
  - apply continuous_ext with (fun t => alpha * m * C / (1 + alpha * n) * Rmin t e + - (alpha * m * C / (1 + alpha * n) * s)); [intros; unfold V, y; ring|].
    apply continuous_stopped. lra.
  - intros t Ht. pose proof (Wge t ltac:(lra)). lra.
  - intros t Ht. unfold V. apply Rmult_le_pos; [lra|apply Yb; lra].
  - intros t Ht. apply rd_ext with (fun t => (- C) * Rmin t e + (B / m + C * s)); [exists 1; split; [lra|]; intros; unfold W, y; ring|apply rd_stopped].
  - intros t Ht. apply rd_ext with (fun t => alpha * m * C / (1 + alpha * n) * Rmin t e + - (alpha * m * C / (1 + alpha * n) * s));
      [exists 1; split; [lra|]; intros; unfold V, y; ring|apply rd_stopped].
  - intros t Ht. rewrite EF. apply Rmult_le_pos; [|apply Yb; lra]. apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; auto].
  - intros i t Hi Ht. unfold obeys, threshold, threshold_slope.
    rewrite (classes_free M N Z B sw W V eq_refl eq_refl), (classes_slope M N Z sw w v eq_refl). simpl gain. simpl offset.
    rewrite !by_class_burst, Rplus_0_l, AF by auto. unfold highest, lowest. rewrite (bursts i t Hi Ht). simpl service.
    pose proof (Wge t ltac:(lra)). pose proof (Vle t ltac:(lra)). destruct (Rlt_dec 0 (W t)); [|lra].
    assert (Cases : (t < e /\ V t < W t /\ w t = - C) \/ (V t = W t /\ w t = 0 /\ v t = 0)).
    { destruct (Rlt_dec t e) as [c|c].
      - left. split; auto. split; [|unfold w; destruct (Rlt_dec t e); lra].
        assert (Yl : y t < x_common) by (unfold y; rewrite Rmin_left; lra).
        pose proof (Rmult_lt_compat_l C (y t) x_common C_pos Yl). unfold W in *. lra.
      - right. assert (Ye : y t = x_common) by (unfold y; rewrite Rmin_right; lra).
        split; [unfold V, W; rewrite Ye; lra|]. unfold w, v. destruct (Rlt_dec t e); lra. }
    destruct Cases as [(c & K1 & K2)|(K1 & K2 & K3)]; repeat split; intros K; try lra.
    rewrite K2, K3. rewrite !Rmult_0_r, Rminus_0_r, Rmult_0_r. symmetry. apply clip_inside. lra.
  - intros i t Hi Ht. right. rewrite AF. split; [reflexivity|]. pose proof (steady i t Hi Ht) as St.
    replace (C * (1 + alpha * m / (1 + alpha * n))) with (C + alpha * m * C / (1 + alpha * n)) in St by (field; lra).
    unfold v, w. destruct (Rlt_dec t e) as [c|c].
    + split; [field; lra|]. split; [lra|intros; lra].
    + split; [ring|]. split; [lra|intros; lra].
  - intros i Hi. rewrite (burst_lengths i Hi). unfold W, y. rewrite Rmin_left by lra. ring.
  - intros i Hi. rewrite (steady_lengths i Hi). unfold V, y. rewrite Rmin_left by lra. ring.
  - split; auto. split; [|split; [|split]].
    + intros i t Hi Ht. rewrite U1 by auto. unfold W, y. destruct (Rle_dec t e) as [c|c].
      * rewrite Rmin_left by lra. pose proof (Rmult_le_compat_l C (t - s) x_common ltac:(lra) ltac:(lra)). rewrite Rmax_left; lra.
      * rewrite Rmin_right by lra. replace (e - s) with x_common by ring. pose proof (Rmult_le_compat_l C x_common (t - s) ltac:(lra) ltac:(lra)).
        rewrite Rmax_right; lra.
    + intros i t Hi Ht. rewrite U2 by auto. unfold threshold. rewrite U4 by auto. simpl. rewrite AF. ring.
    + intros i t Hi Ht Hle. assert (Ye : y t = x_common) by (unfold y; rewrite Rmin_right; lra).
      destruct (Nat.lt_ge_cases i M); [rewrite U1 by (auto; lia)|rewrite U2 by (auto; lia)]; [unfold W|unfold V]; rewrite Ye; lra.
    + intros i t Hi Ht. assert (Hd : D i t = w t) by (apply U5; auto). pose proof (Wge t ltac:(lra)).
      unfold rejected, highest. simpl. rewrite (bursts i t Hi Ht), U1, Hd by (auto; lra). unfold w.
      destruct (Rlt_dec 0 (W t)); [|lra]. split; intros c; destruct (Rlt_dec t e); lra.
Qed.

End Overflow.
