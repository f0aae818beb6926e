(** The first drop under DT for bursts with any arrivals, however the steady queues lag behind the threshold or lead it.

    q_i is the length that queue i would have without any loss: q_i' = R_i - C while q_i > 0, max(R_i - C, 0) while
    q_i = 0 (the reflection of A_i(t) - C t at 0).  S = sum q_i, e is the excess of the steady queues over the threshold (negative
    where they are below it), and  T(t) = alpha (B - S(t) - N e(t)) / (1 + alpha N).  If e moves as the rule of the fluid model
    demands of the steady queues T + e, then

    [first_drop_lag]  no burst loses a byte before t1  <->  q_i(t) <= T(t) or R_i(t) = 0 for every i and t < t1,
                      and T is the threshold until then.

    FirstDropAny.v and FirstDropSlowPorts.v say what e is.                                                         *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario FirstDrop.
Open Scope R_scope.

(** The growth of a queue of length x that is offered y and loses nothing. *)
Definition reflected (C x y : real) : real := if Rlt_dec 0 x then y - C else Rmax 0 (y - C).

(** Rs j t is the rate of the steady port j, dT the slope of T, and dT + e' that of the steady queues. *)
Record lag (M N : nat) (alpha C tau : real) (R Rs q : nat -> real -> real) (e de : real -> real) : Prop := {
  lag_rate_nonneg : forall i t, (i < M)%nat -> 0 <= t < tau -> 0 <= R i t;
  lag_rate_lasts : forall i t, (i < M)%nat -> 0 <= t < tau -> 0 < R i t ->
    exists d, 0 < d /\ forall u, t <= u < t + d -> u < tau -> 0 < R i u;
  lag_q_start : forall i, (i < M)%nat -> q i 0 = 0;
  lag_q_nonneg : forall i t, (i < M)%nat -> 0 <= t <= tau -> 0 <= q i t;
  lag_q_bounded : exists X, forall i t, (i < M)%nat -> 0 <= t <= tau -> q i t < X;
  lag_q_continuous : forall i, (i < M)%nat -> continuous_on (q i) 0 tau;
  lag_q_slope : forall i t, (i < M)%nat -> 0 <= t < tau -> right_derivative (q i) t (reflected C (q i t) (R i t));
  lag_e_start : e 0 = 0;
  lag_e_continuous : continuous_on e 0 tau;
  lag_e_slope : forall t, 0 <= t < tau -> right_derivative e t (de t);
  lag_rule : forall j t, (M <= j < M + N)%nat -> 0 <= t < tau ->
    let dT := - (alpha * (sum M (fun i => reflected C (q i t) (R i t)) + INR N * de t)) / (1 + alpha * INR N) in
    C <= Rs j t /\ (0 < e t -> dT + de t = - C) /\ (e t < 0 -> dT + de t = Rs j t - C) /\
    (e t = 0 -> dT + de t = clip dT (- C) (Rs j t - C))
}.

Section Any.
Variables (M N Z : nat) (alpha B C : real) (R Rs q : nat -> real -> real) (e de : real -> real) (tau : real).
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (tau_nonneg : 0 <= tau).
Hypothesis given : lag M N alpha C tau R Rs q e de.

Notation n := (INR N).
Notation m := (INR M).

Definition dq (i : nat) (t : real) : real := reflected C (q i t) (R i t).
Definition total_q (t : real) : real := sum M (fun i => q i t).
Definition total_dq (t : real) : real := sum M (fun i => dq i t).
Definition T_any (t : real) : real := alpha * (B - total_q t - n * e t) / (1 + alpha * n).
Definition dT_any (t : real) : real := - (alpha * (total_dq t + n * de t)) / (1 + alpha * n).
Definition V_st (t : real) : real := T_any t + e t.
Definition v_st (t : real) : real := dT_any t + de t.

Definition lossless_until (t1 : real) : Prop :=
  forall i t, (i < M)%nat -> 0 <= t < t1 -> q i t <= T_any t \/ R i t = 0.

Lemma free_any t : class_free M N B q V_st t = T_any t / alpha.
Proof. pose proof (steady_denominator N alpha alpha_pos). unfold class_free, V_st, T_any. fold (total_q t). field. lra. Qed.

Lemma slope_any t : class_slope M N dq v_st t = dT_any t / alpha.
Proof. pose proof (steady_denominator N alpha alpha_pos). unfold class_slope, v_st, dT_any. fold (total_dq t). field. lra. Qed.

Lemma T_continuous : continuous_on T_any 0 tau.
Proof.
  apply continuous_ext with (fun t => alpha / (1 + alpha * n) * (B - total_q t - n * e t)).
  { intros. unfold T_any. field. pose proof (steady_denominator N alpha alpha_pos). lra. }
  apply continuous_scal, continuous_minus; [apply continuous_minus; [apply continuous_const|]|].
  - unfold total_q. apply continuous_sum. apply (lag_q_continuous _ _ _ _ _ _ _ _ _ _ given).
  - apply continuous_scal. apply (lag_e_continuous _ _ _ _ _ _ _ _ _ _ given).
Qed.

Lemma T_slope t : 0 <= t < tau -> right_derivative T_any t (dT_any t).
Proof.
  intros Ht. pose proof (steady_denominator N alpha alpha_pos).
  apply rd_ext with (fun t => alpha / (1 + alpha * n) * (B - total_q t - n * e t)).
  { exists 1. split; [lra|]. intros. unfold T_any. field. lra. }
  eapply rd_eq.
  - apply rd_scal, rd_minus; [apply rd_minus; [apply rd_const|]|].
    + unfold total_q. apply rd_sum. intros i Hi. apply (lag_q_slope _ _ _ _ _ _ _ _ _ _ given i t Hi Ht).
    + apply rd_scal. apply (lag_e_slope _ _ _ _ _ _ _ _ _ _ given); auto.
  - unfold dT_any, total_dq, dq. field. lra.
Qed.

Lemma T_0 : T_any 0 = alpha * F0 N alpha B.
Proof.
  pose proof (steady_denominator N alpha alpha_pos). unfold T_any, total_q, F0. rewrite sum_zero by (apply (lag_q_start _ _ _ _ _ _ _ _ _ _ given)).
  rewrite (lag_e_start _ _ _ _ _ _ _ _ _ _ given). field. lra.
Qed.

Lemma T0_pos : 0 < alpha * F0 N alpha B.
Proof. apply Rmult_lt_0_compat; auto. apply Rdiv_lt_0_compat; auto. apply steady_denominator, alpha_pos. Qed.

Lemma V_continuous a b : 0 <= a -> b <= tau -> continuous_on V_st a b.
Proof.
  intros Ha Hb. apply (continuous_sub 0 tau); auto. unfold V_st. apply continuous_plus; [apply T_continuous|].
  apply (lag_e_continuous _ _ _ _ _ _ _ _ _ _ given).
Qed.

Lemma V_slope_st t : 0 <= t < tau -> right_derivative V_st t (v_st t).
Proof. intros Ht. apply rd_plus; [apply T_slope; auto|apply (lag_e_slope _ _ _ _ _ _ _ _ _ _ given); auto]. Qed.

(** A continuous function that is positive at p is positive just before p. *)
Lemma positive_before f p : 0 < p <= tau -> continuous_on f 0 tau -> 0 < f p ->
  exists a, 0 <= a < p /\ forall u, a <= u <= p -> 0 < f u.
Proof.
  intros Hp Hc Hf. destruct (Hc p ltac:(lra) (f p) Hf) as (d & Hd & K).
  exists (Rmax 0 (p - d / 2)). assert (U1 := Rmax_l 0 (p - d / 2)). assert (U2 := Rmax_r 0 (p - d / 2)).
  assert (U3 : Rmax 0 (p - d / 2) < p) by (apply Rmax_lub_lt; lra). split; [lra|]. intros u Hu.
  assert (K' : Rabs (f u - f p) < f p).
  { apply (K u). split; [lra|]. simpl. unfold R_dist. rewrite Rabs_left1; lra. }
  apply Rabs_def2 in K'. lra.
Qed.

(** While the threshold is positive the steady queues are not negative: below it they do not shrink. *)
Lemma V_nonneg t : (1 <= N)%nat -> 0 <= t <= tau -> (forall u, 0 <= u < t -> 0 < T_any u) -> 0 <= V_st t.
Proof.
  intros HN Ht Hp.
  assert (K : - Rmin (V_st t) 0 <= - Rmin (V_st 0) 0).
  { apply (nonincreasing 0 t (fun u => - Rmin (V_st u) 0) (fun u => - min_slope (V_st u) 0 (v_st u) 0)); [lra| |].
    - apply continuous_opp, continuous_min; [apply V_continuous; lra|apply continuous_const].
    - intros u Hu. split; [apply rd_opp, (rd_min u V_st (fun _ => 0)); [apply V_slope_st; lra|apply rd_const]|].
      assert (Low : V_st u <= 0 -> 0 <= v_st u).
      { intros L. specialize (Hp u Hu). destruct (lag_rule _ _ _ _ _ _ _ _ _ _ given M u ltac:(lia) ltac:(lra)) as (K0 & _ & K2 & _).
        unfold V_st in L. specialize (K2 ltac:(lra)). change (v_st u = Rs M u - C) in K2. lra. }
      unfold min_slope. destruct (Rlt_dec (V_st u) 0); [specialize (Low ltac:(lra)); lra|]. destruct (Rlt_dec 0 (V_st u)); [lra|].
      specialize (Low ltac:(lra)). rewrite Rmin_right; lra. }
  assert (V0p : 0 < V_st 0) by (unfold V_st; rewrite T_0, (lag_e_start _ _ _ _ _ _ _ _ _ _ given); pose proof T0_pos; lra).
  rewrite (Rmin_right (V_st 0)) in K by lra. apply Rnot_lt_le. intros c. rewrite Rmin_left in K; lra.
Qed.

(** As long as nothing is lost the threshold is positive: were it 0 first at p, the free buffer would have grown up to p. *)
Lemma T_positive t1 : t1 <= tau -> lossless_until t1 -> forall t, 0 <= t <= t1 -> 0 < T_any t.
Proof.
  intros Ht1 Hl t Ht. apply Rnot_le_lt. intros Hneg. pose proof (steady_denominator N alpha alpha_pos) as Hn.
  assert (Cl : continuous_on T_any 0 t) by (apply (continuous_sub 0 tau); [lra|lra|apply T_continuous]).
  destruct (first_zero T_any 0 t ltac:(lra) Cl ltac:(rewrite T_0; apply T0_pos) Hneg) as (p & Hp1 & Hp2 & Hp3).
  assert (Bursts : forall k, (k <= M)%nat -> exists a, 0 <= a < p /\ forall b, a <= b < p -> forall i, (i < k)%nat -> q i p <= q i b).
  { induction k; intros Hk; [exists 0; split; [lra|intros; lia]|]. destruct (IHk ltac:(lia)) as (a & Ha & Ka).
    assert (One : exists a', 0 <= a' < p /\ forall b, a' <= b < p -> q k p <= q k b).
    { destruct (Rle_dec (q k p) 0) as [c|c].
      - exists 0. split; [lra|]. intros b Hb. apply Rle_trans with 0; auto. apply (lag_q_nonneg _ _ _ _ _ _ _ _ _ _ given); [lia|lra].
      - assert (Cq : continuous_on (q k) 0 tau) by (apply (lag_q_continuous _ _ _ _ _ _ _ _ _ _ given); lia).
        destruct (positive_before (fun u => q k u - T_any u) p ltac:(lra)) as (a1 & Ha1 & K1);
          [apply continuous_minus; [exact Cq|apply T_continuous]|lra|].
        exists a1. split; [lra|]. intros b Hb. apply (nonincreasing b p (q k) (dq k)); [lra|apply (continuous_sub 0 tau); [lra|lra|exact Cq]|].
        intros u Hu. split; [apply (lag_q_slope _ _ _ _ _ _ _ _ _ _ given); [lia|lra]|].
        specialize (K1 u ltac:(lra)). specialize (Hp3 u ltac:(lra)).
        destruct (Hl k u ltac:(lia) ltac:(lra)) as [L|L]; [lra|]. unfold dq, reflected. rewrite L.
        destruct (Rlt_dec 0 (q k u)); lra. }
    destruct One as (a' & Ha' & Ka'). exists (Rmax a a'). assert (U1 := Rmax_l a a'). assert (U2 := Rmax_r a a').
    split; [split; [lra|apply Rmax_lub_lt; lra]|]. intros b Hb i Hi.
    destruct (Nat.eq_dec i k) as [->|]; [apply Ka'; lra|apply Ka; [lra|lia]]. }
  assert (Steady : exists a, 0 <= a < p /\ forall b, a <= b < p -> n * V_st p <= n * V_st b).
  { destruct (Nat.eq_dec N 0) as [z|z].
    { exists 0. split; [lra|]. intros b Hb. rewrite z. simpl. lra. }
    assert (Pn : 0 <= n) by apply pos_INR.
    destruct (Rle_dec (e p) 0) as [c|c].
    - exists 0. split; [lra|]. intros b Hb. apply Rmult_le_compat_l; auto. apply Rle_trans with 0; [unfold V_st; rewrite Hp2; lra|].
      apply V_nonneg; [lia|lra|]. intros u Hu. apply Hp3. lra.
    - destruct (positive_before e p ltac:(lra) (lag_e_continuous _ _ _ _ _ _ _ _ _ _ given) ltac:(lra)) as (a1 & Ha1 & K1).
      exists a1. split; [lra|]. intros b Hb. apply Rmult_le_compat_l; auto.
      apply (nonincreasing b p V_st v_st); [lra|apply V_continuous; lra|].
      intros u Hu. split; [apply V_slope_st; lra|]. specialize (K1 u ltac:(lra)).
      destruct (lag_rule _ _ _ _ _ _ _ _ _ _ given M u ltac:(lia) ltac:(lra)) as (_ & K & _).
      specialize (K K1). change (v_st u = - C) in K. lra. }
  destruct (Bursts M ltac:(lia)) as (a & Ha & Ka). destruct Steady as (a' & Ha' & Ka').
  pose (b := Rmax a a'). assert (U1 := Rmax_l a a'). assert (U2 := Rmax_r a a'). fold b in U1, U2.
  assert (Hb : b < p) by (apply Rmax_lub_lt; lra). specialize (Ka b ltac:(lra)). specialize (Ka' b ltac:(lra)).
  pose proof (free_any p) as Fp. pose proof (free_any b) as Fb. rewrite Hp2 in Fp. specialize (Hp3 b ltac:(lra)).
  unfold class_free in Fp, Fb.
  assert (S1 : sum M (fun i => q i p) <= sum M (fun i => q i b)) by (apply sum_le; auto).
  assert (P : 0 < T_any b / alpha) by (apply Rdiv_lt_0_compat; auto).
  assert (Z0 : 0 / alpha = 0) by (unfold Rdiv; ring). lra.
Qed.

(** ** The lengths without loss form a trajectory, in DT and in the switch whose bursts are uncontrolled *)

Definition steady_rates (t1 : real) (Ar : nat -> real -> real) : Prop :=
  forall j t, (M <= j < M + N)%nat -> 0 <= t < t1 -> Ar j t = Rs j t.

Section Switch.
Variables (sw : switch) (t1 : real) (Ar : nat -> real -> real).
Hypotheses (sw_ports : ports sw = (M + N + Z)%nat) (sw_buffer : buffer sw = B) (sw_service : forall i, service sw i = C).
Hypothesis sw_gain : forall i, (M <= i)%nat -> gain sw i = alpha /\ offset sw i = 0.
Hypotheses (sw_gain_nonneg : forall i, 0 <= gain sw i) (t1_range : 0 <= t1 <= tau).
Hypothesis arrivals : burst_arrivals M N Z C R 0 t1 Ar.
Hypothesis strong : steady_rates t1 Ar.
Hypothesis T_pos : forall t, 0 <= t <= t1 -> 0 < T_any t.

Notation WQ := (by_class M N q V_st).
Notation WD := (by_class M N dq v_st).

Lemma sw_free t : free sw WQ t = T_any t / alpha.
Proof. rewrite <- free_any. unfold free, class_free. rewrite sw_ports, sw_buffer, sum_by_class. lra. Qed.

Lemma sw_slope t : free_slope sw WD t = dT_any t / alpha.
Proof. rewrite <- slope_any. unfold free_slope, class_slope. rewrite sw_ports, sum_by_class. lra. Qed.

Lemma back x : alpha * (x / alpha) = x.
Proof. field. lra. Qed.

Hypothesis burst_obeys : forall i t, (i < M)%nat -> 0 <= t < t1 -> obeys sw Ar WQ WD i t.

Lemma sw_trajectory : trajectory sw Ar 0 t1 WQ WD.
Proof.
  split; intros i; [intros t|..|intros t|intros t]; intros Hi; try (intros Ht); rewrite sw_ports in Hi;
    destruct (class_of M N Z i Hi) as [c|[c|c]].
  - rewrite by_class_burst by auto. apply (lag_q_nonneg _ _ _ _ _ _ _ _ _ _ given); auto; lra.
  - rewrite by_class_steady by auto. apply V_nonneg; [lia|lra|]. intros u Hu. apply T_pos. lra.
  - rewrite by_class_other by lia. lra.
  - apply continuous_ext with (q i); [intros; apply by_class_burst; auto|].
    apply (continuous_sub 0 tau); [lra|lra|apply (lag_q_continuous _ _ _ _ _ _ _ _ _ _ given); auto].
  - apply continuous_ext with V_st; [intros; apply by_class_steady; auto|]. apply V_continuous; lra.
  - apply continuous_ext with (fun _ => 0); [intros; apply by_class_other; lia|apply continuous_const].
  - rewrite by_class_burst by auto. apply rd_ext with (q i); [exists 1; split; [lra|]; intros; apply by_class_burst; auto|].
    apply (lag_q_slope _ _ _ _ _ _ _ _ _ _ given); auto; lra.
  - rewrite by_class_steady by auto. apply rd_ext with V_st; [exists 1; split; [lra|]; intros; apply by_class_steady; auto|].
    apply V_slope_st. lra.
  - rewrite by_class_other by lia. apply rd_ext with (fun _ => 0); [|apply rd_const].
    exists 1; split; [lra|]; intros; apply by_class_other; lia.
  - auto.
  - destruct (sw_gain i ltac:(lia)) as [Gi Oi]. specialize (strong i t c Ht).
    pose proof (V_nonneg t ltac:(lia) ltac:(lra) ltac:(intros; apply T_pos; lra)) as Vn. specialize (T_pos t ltac:(lra)).
    destruct (lag_rule _ _ _ _ _ _ _ _ _ _ given i t c ltac:(lra)) as (K0 & K1 & K2 & K3).
    change (0 < e t -> v_st t = - C) in K1. change (e t < 0 -> v_st t = Rs i t - C) in K2.
    change (e t = 0 -> v_st t = clip (dT_any t) (- C) (Rs i t - C)) in K3.
    unfold obeys, threshold, threshold_slope. rewrite sw_free, sw_slope, Gi, Oi, !by_class_steady, !back, Rplus_0_l by auto.
    unfold highest, lowest. rewrite sw_service, strong. unfold V_st in *. repeat split; intros K.
    + rewrite (K2 ltac:(lra)). destruct (Rlt_dec 0 (T_any t + e t)); [reflexivity|]. rewrite Rmax_right; lra.
    + rewrite (K1 ltac:(lra)). destruct (Rlt_dec 0 (T_any t + e t)); [reflexivity|lra].
    + rewrite (K3 ltac:(lra)). destruct (Rlt_dec 0 (T_any t + e t)); [reflexivity|lra].
  - destruct (sw_gain i ltac:(lia)) as [Gi Oi]. specialize (T_pos t ltac:(lra)).
    pose proof (other_ports _ _ _ _ _ _ _ _ arrivals i t c Ht) as Ho.
    unfold obeys, threshold, threshold_slope. rewrite sw_free, sw_slope, Gi, Oi, !by_class_other, !back, Rplus_0_l by lia.
    unfold highest, lowest. rewrite sw_service. repeat split; intros K; try lra.
    destruct (Rlt_dec 0 0); [lra|]. rewrite Rmax_left; lra.
Qed.

Lemma sw_sane : sane sw Ar 0 t1.
Proof.
  split.
  - intros i Hi. rewrite sw_service. split; [apply sw_gain_nonneg|lra].
  - intros i t Hi Ht. rewrite sw_ports in Hi. destruct (class_of M N Z i Hi) as [c|[c|c]].
    + rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals i t c Ht). apply (lag_rate_nonneg _ _ _ _ _ _ _ _ _ _ given); auto; lra.
    + pose proof (steady_ports _ _ _ _ _ _ _ _ arrivals i t c Ht). lra.
    + pose proof (other_ports _ _ _ _ _ _ _ _ arrivals i t c Ht). lra.
Qed.

Lemma sw_unique Q D : trajectory sw Ar 0 t1 Q D -> starts_steady M N Z alpha B C Q ->
  forall i, (i < M + N + Z)%nat ->
    (forall t, 0 <= t <= t1 -> Q i t = WQ i t) /\ (forall t, 0 <= t < t1 -> D i t = WD i t).
Proof.
  intros H HS. rewrite <- sw_ports. apply (fluid_unique sw Ar); auto using sw_sane, sw_trajectory.
  rewrite sw_ports. intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]].
  - rewrite by_class_burst, (lag_q_start _ _ _ _ _ _ _ _ _ _ given) by auto. apply (burst_empty _ _ _ _ _ _ _ HS i c).
  - rewrite by_class_steady, (steady_on_threshold _ _ _ _ _ _ _ HS i c) by auto. unfold V_st, threshold.
    rewrite T_0, (lag_e_start _ _ _ _ _ _ _ _ _ _ given), (eq16_initial_free M N Z alpha B C Q alpha_pos HS). simpl. lra.
  - rewrite by_class_other by lia. apply (other_empty _ _ _ _ _ _ _ HS i c).
Qed.
End Switch.

Notation dt := (dt_switch (M + N + Z) alpha B C).

Lemma burst_highest sw Ar t1 i t : (forall i, service sw i = C) -> burst_arrivals M N Z C R 0 t1 Ar -> (i < M)%nat -> 0 <= t < t1 ->
  highest sw Ar i (q i t) t = dq i t.
Proof.
  intros Hs HA Hi Ht. unfold highest, dq, reflected. rewrite Hs, (burst_ports _ _ _ _ _ _ _ _ HA i t Hi Ht). reflexivity.
Qed.

(** ** Without an excess nothing is lost *)

Lemma dt_obeys t1 Ar : t1 <= tau -> burst_arrivals M N Z C R 0 t1 Ar -> lossless_until t1 ->
  forall i t, (i < M)%nat -> 0 <= t < t1 -> obeys dt Ar (by_class M N q V_st) (by_class M N dq v_st) i t.
Proof.
  intros Ht1 HA Hl i t Hi Ht. pose proof (T_positive t1 Ht1 Hl t ltac:(lra)) as Tp.
  pose proof (lag_rate_nonneg _ _ _ _ _ _ _ _ _ _ given i t Hi ltac:(lra)) as Rn.
  unfold obeys, threshold, threshold_slope.
  rewrite (sw_free dt) by auto. rewrite (sw_slope dt) by auto. rewrite !by_class_burst by auto.
  rewrite (burst_highest dt Ar t1 i t) by auto. simpl gain. simpl offset. rewrite !back, Rplus_0_l.
  unfold lowest. simpl service. split; [auto|]. split; intros K.
  - destruct (Rlt_dec 0 (q i t)) as [c|c]; [|lra]. destruct (Hl i t Hi Ht) as [L|L]; [lra|].
    unfold dq, reflected. rewrite L. destruct (Rlt_dec 0 (q i t)); lra.
  - destruct (Rlt_dec 0 (q i t)) as [c|c]; [|lra].
    assert (Ed : dq i t = R i t - C) by (unfold dq, reflected; destruct (Rlt_dec 0 (q i t)); lra).
    rewrite Ed. symmetry. destruct (Rle_lt_or_eq_dec _ _ Rn) as [Rp|Rz].
    + apply clip_high; [|lra]. apply Rnot_lt_le. intros Hneg.
      destruct (lag_rate_lasts _ _ _ _ _ _ _ _ _ _ given i t Hi ltac:(lra) Rp) as (d0 & Hd0 & Kr).
      assert (Dr : right_derivative (fun u => q i u - T_any u) t (R i t - C - dT_any t)).
      { apply rd_minus; [|apply T_slope; lra]. rewrite <- Ed. apply (lag_q_slope _ _ _ _ _ _ _ _ _ _ given); auto; lra. }
      destruct (Dr ((R i t - C - dT_any t) / 2) ltac:(lra)) as (d & Hd & Kd).
      pose (h := Rmin (Rmin (d / 2) (d0 / 2)) ((t1 - t) / 2)).
      assert (Hh : 0 < h) by (repeat apply Rmin_pos; lra).
      assert (h <= Rmin (d / 2) (d0 / 2)) by apply Rmin_l. assert (h <= (t1 - t) / 2) by apply Rmin_r.
      assert (Rmin (d / 2) (d0 / 2) <= d / 2) by apply Rmin_l. assert (Rmin (d / 2) (d0 / 2) <= d0 / 2) by apply Rmin_r.
      specialize (Kd h ltac:(lra)). specialize (Kr (t + h) ltac:(lra) ltac:(lra)).
      destruct (Hl i (t + h) Hi ltac:(lra)) as [L|L]; [|lra].
      assert (P : 0 < (R i t - C - dT_any t) * h) by (apply Rmult_lt_0_compat; lra).
      rewrite Rabs_left1 in Kd by lra. lra.
    + rewrite <- Rz. unfold clip. replace (0 - C) with (- C) by ring.
      apply Rle_antisym; [apply Rmax_lub; [lra|apply Rmin_r]|apply Rmax_l].
Qed.

Lemma no_loss_any t1 Ar Q D : 0 <= t1 <= tau -> lossless_until t1 -> steady_rates t1 Ar ->
  micro_burst M N Z alpha B C R t1 Ar Q D ->
  (forall i t, (i < M)%nat -> 0 <= t < t1 -> rejected dt Ar Q D i t = 0) /\
  (forall i t, (i < M)%nat -> 0 <= t <= t1 -> Q i t = q i t) /\
  (forall t, 0 <= t <= t1 -> free dt Q t = T_any t / alpha).
Proof.
  intros Ht1 Hl Hs [HA HS HT].
  assert (U : forall i, (i < M + N + Z)%nat -> (forall t, 0 <= t <= t1 -> Q i t = by_class M N q V_st i t) /\
                                               (forall t, 0 <= t < t1 -> D i t = by_class M N dq v_st i t)).
  { apply (sw_unique dt t1 Ar eq_refl eq_refl (fun _ => eq_refl) (fun _ _ => conj eq_refl eq_refl) (fun _ => Rlt_le _ _ alpha_pos)
             Ht1 HA Hs (T_positive t1 ltac:(lra) Hl) (dt_obeys t1 Ar ltac:(lra) HA Hl) Q D HT HS). }
  split; [|split].
  - intros i t Hi Ht. destruct (U i ltac:(lia)) as [UQ UD]. unfold rejected. rewrite UQ, UD, !by_class_burst by (auto; lra).
    rewrite (burst_highest dt Ar t1 i t) by auto. lra.
  - intros i t Hi Ht. destruct (U i ltac:(lia)) as [UQ _]. rewrite UQ by auto. apply by_class_burst; auto.
  - intros t Ht. rewrite <- (sw_free dt) by auto. unfold free. simpl. f_equal. apply sum_ext. intros i Hi. apply (U i Hi); auto.
Qed.

(** ** With one, something is lost *)

Lemma lossless_q t1 Ar Q D : 0 <= t1 <= tau -> micro_burst M N Z alpha B C R t1 Ar Q D ->
  (forall i t, (i < M)%nat -> 0 <= t < t1 -> rejected dt Ar Q D i t = 0) ->
  forall i t, (i < M)%nat -> 0 <= t <= t1 -> Q i t = q i t.
Proof.
  intros Ht1 [HA HS HT] Hrej i t Hi Ht.
  assert (K : Rabs (Q i t - q i t) <= Rabs (Q i 0 - q i 0)).
  { apply (nonincreasing 0 t (fun u => Rabs (Q i u - q i u)) (fun u => abs_slope (Q i u - q i u) (D i u - dq i u))); [lra| |].
    - apply continuous_abs, continuous_minus.
      + apply (continuous_sub 0 t1); [lra|lra|]. apply (length_continuous _ _ _ _ _ _ HT). simpl. lia.
      + apply (continuous_sub 0 tau); [lra|lra|]. apply (lag_q_continuous _ _ _ _ _ _ _ _ _ _ given); auto.
    - intros u Hu. split.
      + apply (rd_abs u (fun x => Q i x - q i x)), rd_minus; [apply (length_slope _ _ _ _ _ _ HT); [simpl; lia|lra]|].
        apply (lag_q_slope _ _ _ _ _ _ _ _ _ _ given); auto; lra.
      + pose proof (Hrej i u Hi ltac:(lra)) as Hr. unfold rejected in Hr.
        assert (E : D i u = highest dt Ar i (Q i u) u) by lra.
        pose proof (burst_highest dt Ar t1 i u ltac:(auto) HA Hi ltac:(lra)) as Eq. rewrite E, <- Eq.
        unfold abs_slope. destruct (Rlt_dec 0 (Q i u - q i u)) as [c|c].
        { pose proof (highest_antitone dt Ar i (q i u) (Q i u) u ltac:(lra)). lra. }
        destruct (Rlt_dec (Q i u - q i u) 0) as [c'|c'].
        { pose proof (highest_antitone dt Ar i (Q i u) (q i u) u ltac:(lra)). lra. }
        replace (Q i u) with (q i u) by lra. rewrite Rminus_diag_eq, Rabs_R0; lra. }
  rewrite (burst_empty _ _ _ _ _ _ _ HS i Hi), (lag_q_start _ _ _ _ _ _ _ _ _ _ given i Hi), Rminus_0_r, Rabs_R0 in K.
  destruct (Req_dec (Q i t - q i t) 0) as [|Hn]; [lra|]. apply Rabs_no_R0 in Hn. pose proof (Rabs_pos (Q i t - q i t)). lra.
Qed.

Lemma lossless_level_any u Ar Q D : 0 <= u <= tau -> steady_rates u Ar -> micro_burst M N Z alpha B C R u Ar Q D ->
  (forall i t, (i < M)%nat -> 0 <= t < u -> rejected dt Ar Q D i t = 0) ->
  (forall t, 0 <= t <= u -> 0 < T_any t) -> free dt Q u = T_any u / alpha.
Proof.
  intros Hu Hs Hm Hrej Tp. pose proof (lossless_q u Ar Q D Hu Hm Hrej) as HL. destruct Hm as [HA HS HT].
  destruct (lag_q_bounded _ _ _ _ _ _ _ _ _ _ given) as [X HX].
  pose (open := Switch (M + N + Z) (fun i => if (i <? M)%nat then 0 else alpha) (fun i => if (i <? M)%nat then X else 0) (fun _ => C) B).
  assert (QT : trajectory open Ar 0 u Q D).
  { split.
    - apply (length_nonneg _ _ _ _ _ _ HT).
    - apply (length_continuous _ _ _ _ _ _ HT).
    - apply (length_slope _ _ _ _ _ _ HT).
    - intros i x Hi Hx. simpl in Hi. pose proof (length_rule _ _ _ _ _ _ HT i x Hi Hx) as Ho.
      unfold obeys, threshold, threshold_slope in *. simpl in *.
      change (free open Q x) with (free dt Q x). change (free_slope open D x) with (free_slope dt D x).
      change (highest open Ar i (Q i x) x) with (highest dt Ar i (Q i x) x).
      change (lowest open i (Q i x)) with (lowest dt i (Q i x)).
      destruct (Nat.ltb_spec i M) as [c|c]; auto.
      specialize (HX i x c ltac:(lra)). rewrite (HL i x c ltac:(lra)) in *.
      pose proof (Hrej i x c Hx) as Hr. unfold rejected in Hr. rewrite (HL i x c ltac:(lra)) in Hr.
      repeat split; intros K; lra. }
  assert (Gain : forall i, (M <= i)%nat -> gain open i = alpha /\ offset open i = 0).
  { intros i Hi. simpl. destruct (Nat.ltb_spec i M); [lia|auto]. }
  assert (U : forall i, (i < M + N + Z)%nat -> (forall t, 0 <= t <= u -> Q i t = by_class M N q V_st i t) /\
                                               (forall t, 0 <= t < u -> D i t = by_class M N dq v_st i t)).
  { apply (sw_unique open u Ar); auto.
    - intros i. simpl. destruct (i <? M)%nat; lra.
    - intros i t Hi Ht. specialize (HX i t Hi ltac:(lra)).
      unfold obeys, threshold, threshold_slope. rewrite !by_class_burst by auto.
      rewrite (burst_highest open Ar u i t) by auto. simpl gain. simpl offset. destruct (Nat.ltb_spec i M); [|lia].
      rewrite Rmult_0_l, Rplus_0_r. repeat split; intros K; lra. }
  rewrite <- (sw_free dt) by auto. unfold free. simpl. f_equal. apply sum_ext. intros i Hi. apply (U i Hi); lra.
Qed.

Lemma some_loss_any t1 Ar Q D : 0 <= t1 <= tau -> steady_rates t1 Ar -> micro_burst M N Z alpha B C R t1 Ar Q D ->
  (forall i t, (i < M)%nat -> 0 <= t < t1 -> rejected dt Ar Q D i t = 0) -> lossless_until t1.
Proof.
  intros Ht1 Hs Hm Hrej.
  assert (Shorten : forall x, 0 <= x <= t1 -> micro_burst M N Z alpha B C R x Ar Q D) by (intros x Hx; apply (burst_until _ _ _ _ _ _ _ t1); auto; lra).
  assert (Key : forall j u, (j < M)%nat -> 0 <= u < t1 -> (forall x, 0 <= x <= u -> 0 < T_any x) -> q j u <= T_any u \/ R j u = 0).
  { intros j u Hj Hu Hpos.
    pose proof (lossless_level_any u Ar Q D ltac:(lra) ltac:(intros i x Hi Hx; apply Hs; auto; lra) (Shorten u ltac:(lra))
      ltac:(intros; apply Hrej; auto; lra) Hpos) as EF.
    pose proof (lossless_q u Ar Q D ltac:(lra) (Shorten u ltac:(lra)) ltac:(intros; apply Hrej; auto; lra) j u Hj ltac:(lra)) as EQ.
    destruct (Rle_dec (q j u) (T_any u)) as [|Hex]; [auto|right].
    destruct Hm as [HA HS HT]. destruct (length_rule _ _ _ _ _ _ HT j u ltac:(simpl; lia) ltac:(lra)) as (_ & Hab & _).
    unfold threshold in Hab. rewrite EF, EQ in Hab. simpl in Hab. rewrite back, Rplus_0_l in Hab. specialize (Hab ltac:(lra)).
    pose proof (Hrej j u Hj ltac:(lra)) as Hr. specialize (Hpos u ltac:(lra)).
    unfold rejected in Hr. rewrite Hab, EQ, (burst_highest dt Ar t1 j u) in Hr by (auto; lra).
    unfold lowest, dq, reflected in Hr. simpl in Hr. destruct (Rlt_dec 0 (q j u)); lra. }
  intros i t Hi Ht. apply Key; auto. intros x Hx. apply Rnot_le_lt. intros Hneg.
  assert (Cl : continuous_on T_any 0 x) by (apply (continuous_sub 0 tau); [lra|lra|apply T_continuous]).
  destruct (first_zero T_any 0 x ltac:(lra) Cl ltac:(rewrite T_0; apply T0_pos) Hneg) as (p & Hp1 & Hp2 & Hp3).
  assert (Lp : lossless_until p).
  { intros j u Hj Hu. apply Key; auto; [lra|]. intros y Hy. apply Hp3. lra. }
  pose proof (T_positive p ltac:(lra) Lp p ltac:(lra)). lra.
Qed.

(** The first drop. *)
Lemma first_drop_lag t1 Ar Q D : 0 <= t1 <= tau -> steady_rates t1 Ar -> micro_burst M N Z alpha B C R t1 Ar Q D ->
  ((forall i t, (i < M)%nat -> 0 <= t < t1 -> rejected dt Ar Q D i t = 0) <-> lossless_until t1) /\
  (lossless_until t1 -> forall t, 0 <= t <= t1 ->
     (forall i, (i < M)%nat -> Q i t = q i t) /\ free dt Q t = T_any t / alpha /\ forall i, threshold dt Q i t = T_any t).
Proof.
  intros Ht1 Hs Hm. split; [split|].
  - apply some_loss_any; auto.
  - intros H. apply (no_loss_any t1 Ar Q D Ht1 H Hs Hm).
  - intros H t Ht. destruct (no_loss_any t1 Ar Q D Ht1 H Hs Hm) as (_ & EQ & EF).
    split; [auto|]. split; [auto|]. intros i. unfold threshold. rewrite EF by auto. simpl. field. lra.
Qed.

End Any.

