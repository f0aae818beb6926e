(** DT/EDT paper, Sections 4.2 and 4.3: what steady ports that cannot follow the rising threshold do after the overflow of EDT.

    At the overflow, at s, each of the M bursts holds B / M, the steady queues nothing, and all are controlled.  The steady ports
    are offered C + v.
      [overflow_lag]     for v <= alpha M C / (1 + alpha N) they grow at v and lose nothing, exactly until they hold
                         alpha B / (1 + alpha (M + N)) each; from then on all rest, and they lose v;
      [overflow_follow]  for a larger v they lose something at every instant;
      [takes_all]        uncontrolled from then on they lose nothing until they hold the whole buffer, B / N each, B / (N v)
                         after the overflow, and the bursts hold nothing.
    [steady_take_all] says so of slow bursts, from the beginning on; that they become uncontrolled is in OverflowMachine.v. *)
Require Import Reals Lra Lia Bool.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds Theorem5 Theorem1Statements Theorem5Lengths.
Open Scope R_scope.

(** ** From the overflow on *)

(** The switch while the ports from M to M + N are uncontrolled. *)
Definition steady_free (M N n : nat) (alpha B C : real) : switch :=
  Switch n (fun i => if (M <=? i)%nat && (i <? M + N)%nat then 0 else alpha)
           (fun i => if (M <=? i)%nat && (i <? M + N)%nat then B / INR N else 0) (fun _ => C) B.

Section Overflow.
Variables (M N Z : nat) (alpha B C R v s : real).
Hypotheses (M_pos : (1 <= M)%nat) (N_pos : (1 <= N)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R).
Hypothesis v_pos : 0 < v.
Notation m := (INR M).
Notation n := (INR N).
Notation r := (R - C).
Notation dsw := (dt_switch (M + N + Z) alpha B C).
Notation fsw := (steady_free M N (M + N + Z) alpha B C).
Notation share := (alpha * B / (1 + alpha * (m + n))).
Notation limit := (alpha * m * C / (1 + alpha * n)).

(** What is offered on [a, b]. *)
Record lasting (a b : real) (Ar : nat -> real -> real) : Prop := {
  la_bursts : forall i t, (i < M)%nat -> a <= t < b -> Ar i t = R;
  la_steady : forall i t, (M <= i < M + N)%nat -> a <= t < b -> Ar i t = C + v;
  la_others : forall i t, (M + N <= i < M + N + Z)%nat -> a <= t < b -> 0 <= Ar i t <= C
}.

(** The lengths of bursts, steady queues and others. *)
Definition holds_each (Q : nat -> real -> real) (t W V : real) : Prop :=
  (forall i, (i < M)%nat -> Q i t = W) /\ (forall i, (M <= i < M + N)%nat -> Q i t = V) /\
  (forall i, (M + N <= i < M + N + Z)%nat -> Q i t = 0).

Lemma numbers : 1 <= m /\ 1 <= n /\ 0 < alpha * m /\ 0 < alpha * n.
Proof.
  pose proof (ports_ge M M_pos). pose proof (ports_ge N N_pos).
  repeat split; auto; apply Rmult_lt_0_compat; lra.
Qed.

Lemma lasting_nonneg a b Ar : lasting a b Ar -> forall i t, (i < M + N + Z)%nat -> a <= t < b -> 0 <= Ar i t.
Proof.
  intros H i t Hi Ht. destruct (class_of M N Z i Hi) as [c|[c|c]].
  - rewrite (la_bursts _ _ _ H i t c Ht). lra.
  - rewrite (la_steady _ _ _ H i t c Ht). lra.
  - apply (la_others _ _ _ H i t c Ht).
Qed.

Lemma lasting_sub a b a' b' Ar : a <= a' -> b' <= b -> lasting a b Ar -> lasting a' b' Ar.
Proof.
  intros Ha Hb H. split; intros i t Hi Ht;
    [apply (la_bursts _ _ _ H)|apply (la_steady _ _ _ H)|apply (la_others _ _ _ H i)]; auto; lra.
Qed.

(** *** Steady ports that cannot follow *)

Section Lag.
Hypothesis slow_steady : v <= limit.

Definition W_lag (t : real) : real := Rmax (- C * t + (B / m + C * s)) (- (alpha * n * v / (1 + alpha * m)) * t + (alpha * (B + n * v * s) / (1 + alpha * m))).
Definition w_lag (t : real) : real :=
  max_slope (- C * t + (B / m + C * s)) (- (alpha * n * v / (1 + alpha * m)) * t + (alpha * (B + n * v * s) / (1 + alpha * m))) (- C) (- (alpha * n * v / (1 + alpha * m))).
Definition V_lag (t : real) : real := v * t + - (v * s).

Lemma lag_product : v * (1 + alpha * n) <= alpha * m * C.
Proof.
  pose proof numbers as (Hm & Hn & Ham & Han). apply (Rmult_le_compat_r (1 + alpha * n)) in slow_steady; [|lra].
  replace (limit * (1 + alpha * n)) with (alpha * m * C) in slow_steady by (field; lra). lra.
Qed.

Lemma lag_rest : n * v < m * C.
Proof.
  pose proof lag_product.
  apply Rmult_lt_reg_l with alpha; auto. lra.
Qed.

(** In which of its two phases a burst is at t, x after s. *)
Lemma W_lag_cases t :
  (W_lag t = B / m - C * (t - s) /\ w_lag t = - C /\ alpha * (B - n * v * (t - s)) < (1 + alpha * m) * W_lag t) \/
  ((1 + alpha * m) * W_lag t = alpha * (B - n * v * (t - s)) /\ (1 + alpha * m) * w_lag t = - (alpha * n * v) /\ B / m - C * (t - s) <= W_lag t).
Proof.
  pose proof numbers as (Hm & Hn & Ham & Han). pose proof lag_product as Hp.
  set (y := - (alpha * n * v / (1 + alpha * m)) * t + (alpha * (B + n * v * s) / (1 + alpha * m))).
  assert (Ey : (1 + alpha * m) * y = alpha * (B - n * v * (t - s))) by (unfold y; field; lra).
  unfold W_lag, w_lag, max_slope. fold y.
  assert (Hc : - C <= - (alpha * n * v / (1 + alpha * m))).
  { apply Ropp_le_contravar, Rmult_le_reg_r with (1 + alpha * m); [lra|].
    replace (alpha * n * v / (1 + alpha * m) * (1 + alpha * m)) with (alpha * n * v) by (field; lra). lra. }
  assert (Ew : (1 + alpha * m) * - (alpha * n * v / (1 + alpha * m)) = - (alpha * n * v)) by (field; lra).
  destruct (Rlt_dec y (- C * t + (B / m + C * s))) as [c|c].
  - left. rewrite Rmax_left by lra. split; [lra|]. split; [reflexivity|]. rewrite <- Ey. apply Rmult_lt_compat_l; lra.
  - right. rewrite Rmax_right by lra. split; [exact Ey|]. split; [|lra].
    destruct (Rlt_dec (- C * t + (B / m + C * s)) y); [exact Ew|]. rewrite Rmax_right by lra. exact Ew.
Qed.

Lemma div_at_most a b x : 0 < b -> x <= a / b -> b * x <= a.
Proof. intros Hb H. apply (Rmult_le_compat_l b) in H; [|lra]. replace (b * (a / b)) with a in H by (field; lra). lra. Qed.

Lemma div_less a b x : 0 < b -> x < a / b -> b * x < a.
Proof. intros Hb H. apply (Rmult_lt_compat_l b) in H; [|lra]. replace (b * (a / b)) with a in H by (field; lra). lra. Qed.

(** Controlled until the common length, uncontrolled until the buffer is full. *)
Definition lag_switch (sw : switch) (b : real) : Prop :=
  (sw = dsw /\ b <= s + share / v) \/ (sw = fsw /\ b <= s + B / (n * v)).

Lemma lag_room sw b : lag_switch sw b -> b <= s + B / (n * v).
Proof.
  pose proof numbers as (Hm & Hn & Ham & Han). intros [[_ H]|[_ H]]; auto.
  assert (share / v <= B / (n * v)); [|lra]. apply Rmult_le_reg_r with (n * v * (1 + alpha * (m + n))).
  - repeat apply Rmult_lt_0_compat; lra.
  - replace (share / v * (n * v * (1 + alpha * (m + n)))) with (alpha * n * B) by (field; lra).
    replace (B / (n * v) * (n * v * (1 + alpha * (m + n)))) with ((1 + alpha * (m + n)) * B) by (field; lra).
    apply Rmult_le_compat_r; lra.
Qed.

Section Step.
Variables (sw : switch) (a b : real) (Ar : nat -> real -> real).
Hypotheses (kind : lag_switch sw b) (order : s <= a <= b) (offered : lasting a b Ar).

Lemma lag_facts :
  ports sw = (M + N + Z)%nat /\ buffer sw = B /\ (forall i, service sw i = C) /\ (forall i, 0 <= gain sw i) /\
  (forall i, (M + N <= i)%nat -> offset sw i = 0) /\ (forall i, (i < M)%nat -> gain sw i = alpha /\ offset sw i = 0).
Proof.
  destruct kind as [[-> _]|[-> _]]; simpl.
  - repeat split; intros; lra.
  - repeat split; intros; try destruct ((M <=? i)%nat && (i <? M + N)%nat) eqn:E; try lra;
      apply andb_true_iff in E as [E1 E2]; apply Nat.leb_le in E1; apply Nat.ltb_lt in E2; lia.
Qed.

Lemma lag_trajectory : trajectory sw Ar a b (by_class M N (fun _ => W_lag) V_lag) (by_class M N (fun _ => w_lag) (fun _ => v)) /\
  forall Q D, trajectory sw Ar a b Q D -> holds_each Q a (W_lag a) (V_lag a) ->
  (forall t, a <= t <= b -> holds_each Q t (W_lag t) (V_lag t)) /\ (forall i t, (M <= i < M + N)%nat -> a <= t < b -> D i t = v).
Proof.
  pose proof numbers as (Hm & Hn & Ham & Han). pose proof lag_product as Hp. pose proof lag_rest as Hr.
  destruct lag_facts as (P1 & P2 & P3 & P4 & P5 & P6). pose proof (lag_room sw b kind) as Hb.
  assert (Hnv : 0 < n * v) by (apply Rmult_lt_0_compat; lra).
  assert (Left : forall t, t <= b -> 0 <= B - n * v * (t - s)).
  { intros t Ht. pose proof (div_at_most B (n * v) (t - s) Hnv ltac:(lra)). lra. }
  assert (Left' : forall t, t < b -> 0 < B - n * v * (t - s)).
  { intros t Ht. pose proof (div_less B (n * v) (t - s) Hnv ltac:(lra)). lra. }
  assert (Wp : forall t, s <= t <= b -> 0 <= W_lag t).
  { intros t Ht. apply Rmult_le_reg_l with (1 + alpha * m); [lra|].
    pose proof (Rmult_le_pos alpha _ ltac:(lra) (Left t ltac:(lra))). destruct (W_lag_cases t) as [(_ & _ & K)|(K & _)]; lra. }
  assert (Wp' : forall t, s <= t < b -> 0 < W_lag t).
  { intros t Ht. apply Rmult_lt_reg_l with (1 + alpha * m); [lra|].
    pose proof (Rmult_lt_0_compat alpha _ alpha_pos (Left' t ltac:(lra))). destruct (W_lag_cases t) as [(_ & _ & K)|(K & _)]; lra. }
  assert (Vx : forall t, V_lag t = v * (t - s)) by (intros; unfold V_lag; ring).
  assert (Vp : forall t, s <= t -> 0 <= V_lag t) by (intros; rewrite Vx; apply Rmult_le_pos; lra).
  (* alpha F in the two phases *)
  assert (AF : forall t, (W_lag t = B / m - C * (t - s) /\ w_lag t = - C /\ B - m * W_lag t - n * V_lag t = (m * C - n * v) * (t - s) /\ alpha * ((m * C - n * v) * (t - s)) < W_lag t) \/
    (alpha * (B - m * W_lag t - n * V_lag t) = W_lag t /\ alpha * (- m * w_lag t - n * v) = w_lag t /\ - C <= w_lag t <= 0)).
  { intros t. destruct (W_lag_cases t) as [(K1 & K2 & K3)|(K1 & K2 & K3)]; [left|right].
    - assert (E : B - m * W_lag t - n * V_lag t = (m * C - n * v) * (t - s)) by (rewrite K1, Vx; field; lra).
      rewrite <- E, Vx. lra.
    - rewrite Vx. repeat split; try lra.
      + apply Rmult_le_reg_l with (1 + alpha * m); [lra|]. rewrite K2. lra.
      + apply Rmult_le_reg_l with (1 + alpha * m); [lra|]. rewrite K2. pose proof (Rmult_lt_0_compat alpha (n * v)). lra. }
  assert (Fn : forall t, a <= t < b -> 0 <= B - m * W_lag t - n * V_lag t).
  { intros t Ht. destruct (AF t) as [(_ & _ & E & _)|(E & _)].
    - rewrite E. apply Rmult_le_pos; lra.
    - apply Rmult_le_reg_l with alpha; auto. rewrite E, Rmult_0_r. apply Wp; lra. }
  assert (Cont : continuous_on W_lag a b) by (apply continuous_max; apply continuous_linear).
  assert (Slope : forall t, right_derivative W_lag t (w_lag t)) by (intros t; apply (rd_max t (fun t => - C * t + (B / m + C * s)) (fun t => - (alpha * n * v / (1 + alpha * m)) * t + (alpha * (B + n * v * s) / (1 + alpha * m)))); apply rd_linear).
  assert (BR : forall i t, (i < M)%nat -> a <= t < b -> one_rule C sw i (W_lag t) (w_lag t) (Ar i t)
    (B - m * W_lag t - n * V_lag t) (- m * w_lag t - n * v)).
  { intros i t Hi Ht. destruct (P6 i Hi) as [G O]. unfold one_rule. rewrite G, O, Rplus_0_l, (la_bursts _ _ _ offered i t Hi Ht).
    pose proof (Wp' t ltac:(lra)). destruct (Rlt_dec 0 (W_lag t)); [|lra].
    destruct (AF t) as [(K1 & K2 & K3 & K4)|(K1 & K2 & K3)].
    - rewrite K3. repeat split; intros; lra.
    - rewrite K1, K2. repeat split; intros; try lra. symmetry. apply clip_inside. lra. }
  assert (SR : forall i t, (M <= i < M + N)%nat -> a <= t < b -> one_rule C sw i (V_lag t) v (Ar i t)
    (B - m * W_lag t - n * V_lag t) (- m * w_lag t - n * v)).
  { intros i t Hi Ht. unfold one_rule. rewrite (la_steady _ _ _ offered i t Hi Ht). replace (C + v - C) with v by ring.
    assert (Top : (if Rlt_dec 0 (V_lag t) then v else Rmax 0 v) = v) by (destruct (Rlt_dec 0 (V_lag t)); [reflexivity|apply Rmax_right; lra]).
    rewrite Top. assert (Low : (if Rlt_dec 0 (V_lag t) then - C else Rmax 0 (- C)) <= v) by (destruct (Rlt_dec 0 (V_lag t)); [|rewrite Rmax_left]; lra).
    assert (Below : V_lag t < offset sw i + gain sw i * (B - m * W_lag t - n * V_lag t) \/
      (V_lag t = offset sw i + gain sw i * (B - m * W_lag t - n * V_lag t) /\ v <= gain sw i * (- m * w_lag t - n * v))).
    { destruct kind as [[-> Hk]|[-> Hk]]; simpl.
      - rewrite Rplus_0_l. destruct (AF t) as [(K1 & K2 & K3 & K4)|(K1 & K2 & K3)].
        + rewrite K3, K2, Vx. assert (v <= alpha * (m * C - n * v)) by lra.
          pose proof (Rmult_le_compat_r (t - s) _ _ ltac:(lra) H). lra.
        + left. rewrite K1, Vx. apply Rmult_lt_reg_l with (1 + alpha * m); [lra|].
          assert (K : (1 + alpha * m) * W_lag t = alpha * (B - n * v * (t - s))) by (rewrite Vx in K1; lra).
          assert (Kt : t - s < share / v) by lra. pose proof (div_less share v (t - s) v_pos Kt) as Kt'.
          pose proof (div_less (alpha * B) (1 + alpha * (m + n)) (v * (t - s)) ltac:(lra) ltac:(lra)). lra.
      - assert (E : ((M <=? i)%nat && (i <? M + N)%nat) = true).
        { apply andb_true_iff. split; [apply Nat.leb_le|apply Nat.ltb_lt]; lia. }
        rewrite E. left. rewrite Rmult_0_l, Rplus_0_r, Vx. apply Rmult_lt_reg_l with n; [lra|].
        replace (n * (B / n)) with B by (field; lra). pose proof (Left' t ltac:(lra)). lra. }
    destruct Below as [K|[K K']]; repeat split; intros; try lra.
    symmetry. apply clip_high; auto. }
  assert (Os : forall i t, (M + N <= i < M + N + Z)%nat -> a <= t < b -> Ar i t <= C) by (intros i t Hi Ht; apply (la_others _ _ _ offered i t Hi Ht)).
  assert (Vc : continuous_on V_lag a b) by apply continuous_linear.
  assert (Vs : forall t, right_derivative V_lag t v) by (intros; apply rd_linear).
  split.
  - apply (classes_trajectory M N Z B C sw a b Ar W_lag w_lag V_lag (fun _ => v)); auto; intros; (apply Wp || apply Vp); lra.
  - intros Q D H (H1 & H2 & H3).
    destruct (classes_unique M N Z B C sw a b Ar W_lag w_lag V_lag (fun _ => v)) with (Q := Q) (D := D) as (U1 & U2 & U3 & U4 & _); auto; try lra;
      try (intros; (apply Wp || apply Vp || apply (lasting_nonneg a b)); auto; lra).
    split; [|auto]. split; [|split]; intros; auto.
Qed.

End Step.
End Lag.

(** *** The common length *)

Lemma share_pos : 0 < share.
Proof. pose proof numbers as (Hm & Hn & Ham & Han). apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; auto|lra]. Qed.

Lemma share_free : alpha * (B - m * share - n * share) = share.
Proof. pose proof numbers as (Hm & Hn & Ham & Han). field. lra. Qed.

(** Where all hold the common length they keep it, and lose what is more than C. *)
Lemma rests a b Ar Q D : a <= b -> lasting a b Ar -> trajectory dsw Ar a b Q D -> holds_each Q a share share ->
  (forall t, a <= t <= b -> holds_each Q t share share) /\ (forall i t, (M <= i < M + N)%nat -> a <= t < b -> D i t = 0).
Proof.
  intros Ho L H (H1 & H2 & H3). pose proof share_pos as Sp. pose proof share_free as Sf.
  assert (Rule : forall i x, C <= x -> one_rule C dsw i share 0 x (B - m * share - n * share) (- m * 0 - n * 0)).
  { unfold one_rule. simpl. destruct (Rlt_dec 0 share); [|lra].
    repeat split; intros; try lra. replace (- m * 0 - n * 0) with 0 by ring. rewrite Rmult_0_r. symmetry. apply clip_inside. lra. }
  destruct (classes_unique M N Z B C dsw a b Ar (fun _ => share) (fun _ => 0) (fun _ => share) (fun _ => 0)) with (Q := Q) (D := D) as (U1 & U2 & U3 & U4 & _);
    auto; try (intros; simpl; lra); try (intros; apply continuous_const); try (intros; apply rd_const).
  - apply (lasting_nonneg a b); auto.
  - intros i t Hi Ht. apply (la_others _ _ _ L i t Hi Ht).
  - intros t Ht. apply Rmult_le_reg_l with alpha; auto. lra.
  - intros i t Hi Ht. apply Rule. rewrite (la_bursts _ _ _ L i t Hi Ht). lra.
  - intros i t Hi Ht. apply Rule. rewrite (la_steady _ _ _ L i t Hi Ht). lra.
  - split; [|auto]. split; [|split]; intros; auto.
Qed.

Lemma rejected_is sw Ar a b Q D i t : (forall j, service sw j = C) -> lasting a b Ar -> (M <= i < M + N)%nat -> a <= t < b ->
  rejected sw Ar Q D i t = v - D i t.
Proof.
  intros Hs L Hi Ht. unfold rejected, highest. rewrite Hs, (la_steady _ _ _ L i t Hi Ht).
  destruct (Rlt_dec 0 (Q i t)); [ring|]. rewrite Rmax_right by lra. ring.
Qed.

Section Run.
Variables (tau : real) (Ar Q D : nat -> real -> real).
Hypotheses (order : s <= tau) (offered : lasting s tau Ar) (moves : trajectory dsw Ar s tau Q D) (start : holds_each Q s (B / m) 0).

Lemma lag_start : v <= limit -> W_lag s = B / m.
Proof.
  intros Hv. pose proof numbers as (Hm & Hn & Ham & Han). destruct (W_lag_cases Hv s) as [(K & _)|(K1 & _ & K2)]; [lra|].
  assert (E : W_lag s = alpha * B / (1 + alpha * m)) by (apply Rmult_eq_reg_l with (1 + alpha * m); [rewrite K1; field|]; lra).
  rewrite E in *. apply Rle_antisym; [|lra].
  apply Rmult_le_reg_r with (m * (1 + alpha * m)); [apply Rmult_lt_0_compat; lra|].
  replace (alpha * B / (1 + alpha * m) * (m * (1 + alpha * m))) with (alpha * m * B) by (field; lra).
  replace (B / m * (m * (1 + alpha * m))) with ((1 + alpha * m) * B) by (field; lra). lra.
Qed.

Lemma lag_common : v <= limit -> W_lag (s + share / v) = share.
Proof.
  intros Hv. pose proof numbers as (Hm & Hn & Ham & Han). pose proof (lag_product Hv) as Hp. pose proof share_pos as Sp. pose proof share_free as Sf.
  assert (Ex : v * (s + share / v - s) = share) by (field; lra).
  assert (K0 : (1 + alpha * m) * share = alpha * (B - n * v * (s + share / v - s))) by (rewrite Rmult_assoc, Ex; lra).
  destruct (W_lag_cases Hv (s + share / v)) as [(K1 & _ & K2)|(K1 & _)]; [exfalso|apply Rmult_eq_reg_l with (1 + alpha * m); lra].
  rewrite <- K0 in K2. apply Rmult_lt_reg_l in K2; [|lra].
  assert (alpha * m * share < alpha * m * (B / m - C * (s + share / v - s))) by (apply Rmult_lt_compat_l; lra).
  replace (alpha * m * (B / m - C * (s + share / v - s))) with (alpha * B - alpha * m * C * (share / v)) in H by (field; lra).
  assert (v * (1 + alpha * n) * (share / v) <= alpha * m * C * (share / v)).
  { apply Rmult_le_compat_r; [|auto]. left. apply Rdiv_lt_0_compat; lra. }
  lra.
Qed.

(** Ports that cannot follow lose nothing, exactly until they hold the common length. *)
Theorem overflow_lag : v <= limit ->
  (forall i t, (M <= i < M + N)%nat -> s <= t <= tau -> Q i t = Rmin (v * (t - s)) share) /\
  (forall i t, (M <= i < M + N)%nat -> s <= t < tau -> t < s + share / v -> rejected dsw Ar Q D i t = 0) /\
  (forall i t, (M <= i < M + N)%nat -> s <= t < tau -> s + share / v <= t -> rejected dsw Ar Q D i t = v).
Proof.
  intros Hv. pose proof share_pos as Sp. pose proof numbers as (Hm & Hn & Ham & Han). assert (Sx : 0 < share / v) by (apply Rdiv_lt_0_compat; auto).
  assert (Ex : v * (share / v) = share) by (field; lra).
  set (c := Rmin tau (s + share / v)). assert (Hc : s <= c <= tau) by (unfold c; split; [apply Rmin_glb; lra|apply Rmin_l]).
  assert (Hc' : c <= s + share / v) by apply Rmin_r.
  destruct (lag_trajectory Hv dsw s c Ar) as [_ K]; [left; auto|lra|apply (lasting_sub s tau); auto; lra|].
  destruct (K Q D) as [K1 K2]; [apply (trajectory_shorten dsw Ar s tau c); auto; lra|rewrite lag_start by auto; unfold V_lag; replace (v * s + - (v * s)) with 0 by ring; exact start|].
  assert (Later : s + share / v <= tau -> (forall t, s + share / v <= t <= tau -> holds_each Q t share share) /\
    (forall i t, (M <= i < M + N)%nat -> s + share / v <= t < tau -> D i t = 0)).
  { intros Ht. apply (rests (s + share / v) tau Ar); auto; [apply (lasting_sub s tau); auto; lra|apply (trajectory_later dsw Ar s); auto; lra|].
    assert (Ec : c = s + share / v) by (unfold c; apply Rmin_right; lra). pose proof (K1 c ltac:(lra)) as Kc. rewrite Ec in Kc.
    rewrite lag_common in Kc by auto. replace (V_lag (s + share / v)) with share in Kc; [exact Kc|]. unfold V_lag. lra. }
  split; [|split].
  - intros i t Hi Ht. destruct (Rle_dec t (s + share / v)) as [Hl|Hl].
    + destruct (K1 t) as (_ & E & _); [unfold c; split; [lra|apply Rmin_glb; lra]|]. rewrite E by auto. unfold V_lag.
      pose proof (Rmult_le_compat_l v (t - s) (share / v) ltac:(lra) ltac:(lra)). rewrite Rmin_left; lra.
    + destruct (Later ltac:(lra)) as [E _]. destruct (E t ltac:(lra)) as (_ & E2 & _). rewrite E2 by auto.
      pose proof (Rmult_le_compat_l v (share / v) (t - s) ltac:(lra) ltac:(lra)). rewrite Rmin_right; lra.
  - intros i t Hi Ht Hl. rewrite (rejected_is dsw Ar s tau) by (auto; intros; reflexivity). rewrite (K2 i t Hi); [ring|].
    split; [lra|]. apply Rmin_glb_lt; lra.
  - intros i t Hi Ht Hl. rewrite (rejected_is dsw Ar s tau) by (auto; intros; reflexivity). destruct (Later ltac:(lra)) as [_ E].
    rewrite (E i t Hi) by lra. ring.
Qed.

(** Ports that can follow lose something all the time. *)
Theorem overflow_follow : limit < v -> forall i t, (M <= i < M + N)%nat -> s <= t < tau -> 0 < rejected dsw Ar Q D i t.
Proof.
  intros Hv. pose proof share_pos as Sp. pose proof numbers as (Hm & Hn & Ham & Han).
  assert (Kp : 0 < limit) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra).
  assert (Ek : alpha * (m * C - n * limit) = limit) by (field; lra).
  assert (Es : B / m - C * (share / limit) = share) by (field; repeat split; lra).
  assert (Xp : 0 < share / limit) by (apply Rdiv_lt_0_compat; auto).
  assert (Ex : limit * (share / limit) = share) by (field; repeat split; lra).
  set (kappa := limit) in *. set (x := share / kappa) in *.
  set (c := Rmin tau (s + x)). assert (Hc : s <= c <= tau) by (unfold c; split; [apply Rmin_glb; lra|apply Rmin_l]).
  assert (Hc' : c <= s + x) by apply Rmin_r.
  set (W := fun t => - C * t + (B / m + C * s)). set (V := fun t => kappa * t + - (kappa * s)).
  assert (AF : forall t, alpha * (B - m * W t - n * V t) = V t).
  { intros t. unfold W, V. replace (B - m * (- C * t + (B / m + C * s)) - n * (kappa * t + - (kappa * s))) with ((m * C - n * kappa) * (t - s)) by (field; lra).
    rewrite <- Rmult_assoc, Ek. ring. }
  assert (AdF : alpha * (- m * - C - n * kappa) = kappa) by lra.
  assert (L : lasting s c Ar) by (apply (lasting_sub s tau); auto; lra).
  assert (Vp : forall t, s <= t -> 0 <= V t) by (intros t Ht; unfold V; replace (kappa * t + - (kappa * s)) with (kappa * (t - s)) by ring; apply Rmult_le_pos; lra).
  assert (Wp : forall t, t <= s + x -> share <= W t).
  { intros t Ht. unfold W. pose proof (Rmult_le_compat_l C (t - s) x ltac:(lra) ltac:(lra)). lra. }
  assert (VW : forall t, t < s + x -> V t < W t).
  { intros t Ht. pose proof (Wp t ltac:(lra)). unfold V. pose proof (Rmult_lt_compat_l kappa (t - s) x Kp ltac:(lra)). lra. }
  destruct start as (S1 & S2 & S3).
  destruct (classes_unique M N Z B C dsw s c Ar W (fun _ => - C) V (fun _ => kappa)) with (Q := Q) (D := D) as (U1 & U2 & U3 & U4 & _); auto; try lra.
  - intros; simpl; lra.
  - apply (lasting_nonneg s c); auto.
  - intros i t Hi Ht. apply (la_others _ _ _ L i t Hi Ht).
  - apply continuous_linear.
  - apply continuous_linear.
  - intros t Ht. pose proof (Wp t ltac:(lra)). lra.
  - intros t Ht. apply Vp. lra.
  - intros; apply rd_linear.
  - intros; apply rd_linear.
  - intros t Ht. apply Rmult_le_reg_l with alpha; auto. rewrite AF, Rmult_0_r. apply Vp. lra.
  - intros i t Hi Ht. unfold one_rule. rewrite Rplus_0_l, AF. pose proof (VW t ltac:(lra)). pose proof (Vp t ltac:(lra)).
    destruct (Rlt_dec 0 (W t)); [|lra]. repeat split; intros; lra.
  - intros i t Hi Ht. unfold one_rule. simpl. rewrite Rplus_0_l, AF, AdF, (la_steady _ _ _ L i t Hi Ht).
    repeat split; intros; try lra. symmetry. destruct (Rlt_dec 0 (V t)); [apply clip_inside; lra|].
    rewrite (Rmax_left 0 (- C)), Rmax_right by lra. apply clip_inside. lra.
  - apply (trajectory_shorten dsw Ar s tau c); auto; lra.
  - intros i Hi. rewrite S1 by auto. unfold W. ring.
  - intros i Hi. rewrite S2 by auto. unfold V. ring.
  - intros i t Hi Ht. rewrite (rejected_is dsw Ar s tau) by (auto; intros; reflexivity). destruct (Rlt_dec t (s + x)) as [Hl|Hl].
    + rewrite U4; [lra|auto|]. split; [lra|]. apply Rmin_glb_lt; lra.
    + assert (Ec : c = s + x) by (unfold c; apply Rmin_right; lra).
      destruct (rests (s + x) tau Ar Q D) as [_ E]; [lra|apply (lasting_sub s tau); auto; lra|apply (trajectory_later dsw Ar s); auto; lra| |rewrite (E i t Hi) by lra; lra].
      split; [|split]; intros j Hj.
      * rewrite U1 by (auto; lra). unfold W. lra.
      * rewrite U2 by (auto; lra). unfold V. lra.
      * apply U3; auto; lra.
Qed.

End Run.

Lemma meets_pos : 0 < share / v /\ share / v < B / (n * v).
Proof.
  pose proof numbers as (Hm & Hn & Ham & Han).
  pose proof share_pos as Sp.
  split; [apply Rdiv_lt_0_compat; auto|].
  replace (B / (n * v)) with (B / n / v) by (field; lra). apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; auto|].
  apply Rmult_lt_reg_r with (n * (1 + alpha * (m + n))); [apply Rmult_lt_0_compat; lra|].
  replace (share * (n * (1 + alpha * (m + n)))) with (alpha * n * B) by (field; lra).
  replace (B / n * (n * (1 + alpha * (m + n)))) with ((1 + alpha * (m + n)) * B) by (field; lra). apply Rmult_lt_compat_r; lra.
Qed.

(** Something is free until the whole buffer is theirs, and nothing then. *)
Lemma lag_free sw Q t : v <= limit -> ports sw = (M + N + Z)%nat -> buffer sw = B -> holds_each Q t (W_lag t) (V_lag t) ->
  free sw Q t = B - m * W_lag t - n * V_lag t /\ (s < t < s + B / (n * v) -> 0 < free sw Q t) /\ (t = s + B / (n * v) -> W_lag t = 0 /\ V_lag t = B / n /\ free sw Q t = 0).
Proof.
  intros Hv Hp Hb (E1 & E2 & E3). pose proof numbers as (Hm & Hn & Ham & Han).
  pose proof (lag_rest Hv) as Hr. assert (Hnv : 0 < n * v) by (apply Rmult_lt_0_compat; lra).
  assert (Fr : free sw Q t = B - m * W_lag t - n * V_lag t).
  { unfold free. rewrite Hp, Hb. rewrite (sum_ext _ _ (fun i => by_class M N (fun _ => W_lag) V_lag i t)).
    - rewrite sum_by_class, sum_const. lra.
    - intros i Hi. destruct (class_of M N Z i Hi) as [q|[q|q]];
        [rewrite by_class_burst by auto|rewrite by_class_steady by auto|rewrite by_class_other by lia]; auto. }
  assert (Vx : V_lag t = v * (t - s)) by (unfold V_lag; ring).
  pose proof (W_lag_cases Hv t) as Cases.
  split; [exact Fr|]. split.
  - intros Ht. rewrite Fr, Vx. pose proof (div_less B (n * v) (t - s) Hnv ltac:(lra)) as Left.
    destruct Cases as [(E & _ & _)|(E & _ & _)].
    + rewrite E. replace (B - m * (B / m - C * (t - s)) - n * (v * (t - s))) with ((m * C - n * v) * (t - s)) by (field; lra).
      apply Rmult_lt_0_compat; lra.
    + apply Rmult_lt_reg_l with (alpha * (1 + alpha * m)); [apply Rmult_lt_0_compat; lra|]. rewrite Rmult_0_r.
      replace (alpha * (1 + alpha * m) * (B - m * W_lag t - n * (v * (t - s)))) with (alpha * ((1 + alpha * m) * (B - n * v * (t - s)) - m * ((1 + alpha * m) * W_lag t))) by ring.
      rewrite E. replace (alpha * ((1 + alpha * m) * (B - n * v * (t - s)) - m * (alpha * (B - n * v * (t - s))))) with (alpha * (B - n * v * (t - s))) by ring.
      apply Rmult_lt_0_compat; lra.
  - intros ->. set (e := s + B / (n * v)) in *. assert (Ee : n * v * (e - s) = B) by (unfold e; field; lra).
    assert (We : W_lag e = 0).
    { destruct Cases as [(E1' & _ & E)|(E & _)].
      - rewrite E1', Ee in E. replace (B - B) with 0 in E by ring.
        assert (H : 0 < B / m - C * (e - s)) by (apply Rmult_lt_reg_l with (1 + alpha * m); lra).
        apply (Rmult_lt_compat_l m) in H; [|lra]. replace (m * (B / m - C * (e - s))) with (B - m * C * (e - s)) in H by (field; lra).
        assert (0 < e - s) by (unfold e; pose proof (Rdiv_lt_0_compat B (n * v) B_pos Hnv); lra). pose proof (Rmult_lt_compat_r (e - s) _ _ ltac:(assumption) Hr). lra.
      - rewrite Ee in E. apply Rmult_eq_reg_l with (1 + alpha * m); lra. }
    assert (Ve : V_lag e = B / n) by (rewrite Vx; unfold e; field; lra).
    rewrite Fr, We, Ve. split; [reflexivity|]. split; [reflexivity|]. field. lra.
Qed.

(** Uncontrolled from s + cn_2 / v on, they lose nothing until the whole buffer is theirs. *)
Theorem takes_all cn2 Ar Q D : v <= limit -> 0 < cn2 <= share ->
  let c := s + cn2 / v in
  let e := s + B / (n * v) in
  lasting s e Ar -> trajectory dsw Ar s c Q D -> trajectory fsw Ar c e Q D -> holds_each Q s (B / m) 0 ->
  c < e /\
  (forall i t, (M <= i < M + N)%nat -> s <= t <= e -> Q i t = v * (t - s)) /\
  (forall i t, (M <= i < M + N)%nat -> s <= t < e -> rejected dsw Ar Q D i t = 0) /\
  (forall t, s < t < e -> 0 < free dsw Q t) /\
  free dsw Q e = 0 /\ holds_each Q e 0 (B / n).
Proof.
  intros Hv [Hcn Hs] c e L T1 T2 Start. pose proof meets_pos as [_ Ye].
  assert (Xp : 0 < cn2 / v) by (apply Rdiv_lt_0_compat; auto).
  assert (Y : cn2 / v <= share / v) by (apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto|auto]).
  assert (Hce : c < e) by (unfold c, e; lra). assert (Hsc : s < c) by (unfold c; lra).
  destruct (lag_trajectory Hv dsw s c Ar) as [_ K]; [left; split; auto; unfold c; lra|unfold c; lra|apply (lasting_sub s e); auto; lra|].
  destruct (K Q D T1) as [K1 K2]; [rewrite lag_start by auto; unfold V_lag; replace (v * s + - (v * s)) with 0 by ring; exact Start|].
  destruct (lag_trajectory Hv fsw c e Ar) as [_ K']; [right; split; auto; unfold e; lra|unfold c in *; lra|apply (lasting_sub s e); auto; unfold c; lra|].
  destruct (K' Q D T2) as [K3 K4]; [apply K1; unfold c; lra|].
  assert (St : forall t, s <= t <= e -> holds_each Q t (W_lag t) (V_lag t)) by (intros t Ht; destruct (Rle_dec t c); [apply K1; lra|apply K3; lra]).
  split; [exact Hce|]. split; [intros i t Hi Ht; destruct (St t Ht) as (_ & E & _); rewrite E by auto; unfold V_lag; ring|]. split; [|split].
  - intros i t Hi Ht. rewrite (rejected_is dsw Ar s e) by (auto; intros; reflexivity).
    destruct (Rlt_dec t c); [rewrite K2 by (auto; lra)|rewrite K4 by (auto; lra)]; ring.
  - intros t Ht. apply (lag_free dsw Q t Hv eq_refl eq_refl (St t ltac:(lra))). exact Ht.
  - pose proof (St e ltac:(lra)) as E. destruct (lag_free dsw Q e Hv eq_refl eq_refl E) as (_ & _ & F). destruct (F eq_refl) as (We & Ve & Fz).
    rewrite We, Ve in E. auto.
Qed.

End Overflow.

(** ** From the beginning *)

Section Swing.
Variables (M N Z : nat) (alpha B C R v cn2 : real).
Hypotheses (M_pos : (1 <= M)%nat) (N_pos : (1 <= N)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R).
Hypotheses (v_pos : 0 < v) (cn2_pos : 0 < cn2).
Notation m := (INR M).
Notation n := (INR N).
Notation dsw := (dt_switch (M + N + Z) alpha B C).
Notation fsw := (steady_free M N (M + N + Z) alpha B C).
Notation share := (alpha * B / (1 + alpha * (m + n))).
Notation limit := (alpha * m * C / (1 + alpha * n)).
Notation over := (B / (m * (R - C))).

(** Slow bursts that are recognised and last until tau, beside steady ports that are offered C + v after the overflow. *)
Record slow_bursts (tau : real) (Ar Q D : nat -> real -> real) : Prop := {
  sb_slow : slow M N alpha C R;
  sb_recognised : cn2 / (R - C) <= t_slow M N alpha B C R;
  sb_before : edt_run M N Z alpha B C R (cn2 / (R - C)) over Ar Q D;
  sb_offered : lasting M N Z C R v over tau Ar
}.

Lemma recognised_share : cn2 / (R - C) <= t_slow M N alpha B C R -> cn2 <= share.
Proof.
  intros H. pose proof (numbers M N alpha M_pos N_pos alpha_pos) as (Hm & Hn & Ham & Han).
  apply (Rmult_le_compat_r (R - C)) in H; [|lra]. unfold t_slow in H.
  replace (cn2 / (R - C) * (R - C)) with cn2 in H by (field; lra).
  replace (alpha * B / ((1 + alpha * (m + n)) * (R - C)) * (R - C)) with share in H by (field; split; lra). exact H.
Qed.

Lemma at_overflow tau Ar Q D : slow_bursts tau Ar Q D -> holds_each M N Z Q over (B / m) 0.
Proof.
  intros [c Hu H _]. pose proof (numbers M N alpha M_pos N_pos alpha_pos) as (Hm & Hn & Ham & Han).
  assert (Eo : overflow M N alpha B C R = over).
  { unfold overflow. destruct (Rle_dec R (C * (1 + (1 + alpha * n) / (alpha * m)))) as [|k]; [reflexivity|contradiction]. }
  assert (Ed : eq10_time M N alpha B C R = t_slow M N alpha B C R).
  { unfold eq10_time. destruct (Rle_dec R (C * (1 + (1 + alpha * n) / (alpha * m)))) as [|k]; [reflexivity|contradiction]. }
  pose proof (run_order _ _ _ _ _ _ _ _ _ _ _ _ H) as Ho.
  destruct (edt_lengths M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded (cn2 / (R - C)) over Ar Q D) as (K1 & _ & _ & _ & K5); auto; [rewrite Ed; auto|rewrite Eo; lra|].
  destruct (K1 over ltac:(lra)) as [(S1 & S2 & S3) _]. destruct (K5 c) as [E1 E2]. rewrite Eo in E1, E2.
  split; [|split]; intros i Hi; [rewrite S1, E1 by auto|rewrite S2, E2 by auto|rewrite S3 by auto]; reflexivity.
Qed.

(** How much of the buffer they take, and for how long: all of it, for B / (N v) after the overflow. *)
Theorem steady_take_all Ar Q D : v <= limit ->
  let c := over + cn2 / v in
  let e := over + B / (n * v) in
  slow_bursts e Ar Q D -> trajectory dsw Ar over c Q D -> trajectory fsw Ar c e Q D ->
  c < e /\
  (forall i t, (M <= i < M + N)%nat -> over <= t <= e -> Q i t = v * (t - over)) /\
  (forall i t, (M <= i < M + N)%nat -> over <= t < e -> rejected dsw Ar Q D i t = 0) /\
  (forall t, over < t < e -> 0 < free dsw Q t) /\
  free dsw Q e = 0 /\ holds_each M N Z Q e 0 (B / n).
Proof.
  intros Hv c e H T1 T2. apply (takes_all M N Z alpha B C R v over M_pos N_pos alpha_pos B_pos C_pos overloaded v_pos cn2 Ar Q D Hv); auto.
  - split; [auto|]. apply recognised_share, (sb_recognised _ _ _ _ H).
  - apply (sb_offered _ _ _ _ H).
  - apply (at_overflow _ _ _ _ H).
Qed.

End Swing.

Lemma trajectory_ext sw Ar Ar' s tau Q Q' D D' :
  (forall i t, (i < ports sw)%nat -> s <= t < tau -> Ar i t = Ar' i t /\ D i t = D' i t) ->
  (forall i t, (i < ports sw)%nat -> s <= t <= tau -> Q i t = Q' i t) ->
  trajectory sw Ar s tau Q D -> trajectory sw Ar' s tau Q' D'.
Proof.
  intros HA HQ [T1 T2 T3 T4]. split; intros i.
  - intros t Hi Ht. rewrite <- HQ by auto. auto.
  - intros Hi. apply continuous_ext with (Q i); auto. intros; symmetry; apply HQ; auto.
  - intros t Hi Ht. destruct (HA i t Hi Ht) as [_ <-]. apply rd_ext with (Q i); [|auto].
    exists (tau - t). split; [lra|]. symmetry. apply HQ; auto. lra.
  - intros t Hi Ht. specialize (T4 i t Hi Ht). apply (obeys_ext sw Ar' Q' D' Q D); auto.
    + intros j Hj. destruct (HA j t Hj Ht) as [_ <-]. rewrite HQ by (auto; lra). auto.
    + unfold obeys, highest in *. destruct (HA i t Hi Ht) as [<- _]. exact T4.
Qed.
