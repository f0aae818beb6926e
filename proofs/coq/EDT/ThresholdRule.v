(** DT/EDT paper, Sections 2.3 and 3 and Table 1: what the rule of the fluid model says at every instant, in any switch.

      [one_slope]                 every state has exactly one set of rates of growth that obeys the rule;
      [balance], [conservation]   what is offered is sent, rejected or queued; a port with a queue sends at its service rate;
      [no_growth_above]           on or above its threshold no queue grows faster than it;
      [shared_threshold], [slopes_exist]    T = alpha F, and T' = - alpha sum Q';
      [full_memory], [grows_iff_overloaded], [onset], [offered_bytes], [derivative_is_right];
      [recognition], [growing_is_overloaded], [timeout_scenario]             what the counters and timers of EDT see.    *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds Theorem1Evolution Theorem5.
Open Scope R_scope.

(** ** The threshold and the derivatives *)

(** (1), Table 1: F = B - sum Q, and one threshold T = alpha F for all ports. *)
Theorem shared_threshold n alpha B C Q i j t :
  threshold (dt_switch n alpha B C) Q i t = alpha * (B - sum n (fun k => Q k t)) /\
  threshold (dt_switch n alpha B C) Q i t = alpha * free (dt_switch n alpha B C) Q t /\
  threshold (dt_switch n alpha B C) Q i t = threshold (dt_switch n alpha B C) Q j t.
Proof. unfold threshold, free. simpl. repeat split; ring. Qed.

(** (1) with n queues on the threshold and S bytes in the others. *)
Theorem eq1_solution n alpha B S T : 0 < alpha -> 0 <= S <= B ->
  (T = alpha * (B - (S + INR n * T)) <-> T = alpha * (B - S) / (1 + alpha * INR n)) /\
  0 <= alpha * (B - S) / (1 + alpha * INR n) <= alpha * B.
Proof.
  intros Ha HS. pose proof (steady_denominator n alpha Ha) as Hn. pose proof (an_pos n alpha Ha) as Han. split.
  - split; intros E.
    + apply Rmult_eq_reg_r with (1 + alpha * INR n); [|lra]. field_simplify; lra.
    + rewrite E. field. lra.
  - pose proof (Rmult_le_pos alpha (B - S) ltac:(lra) ltac:(lra)) as P. split.
    + apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat; auto.
    + apply Rmult_le_reg_r with (1 + alpha * INR n); auto.
      replace (alpha * (B - S) / (1 + alpha * INR n) * (1 + alpha * INR n)) with (alpha * (B - S)) by (field; lra).
      pose proof (Rmult_le_pos alpha S). pose proof (Rmult_le_pos (alpha * INR n) (alpha * B)). lra.
Qed.

(** Section 3.1: every queue, the free buffer and the threshold have a right derivative, and T' = - alpha sum Q'. *)
Theorem slopes_exist n alpha B C Ar s tau Q D t : trajectory (dt_switch n alpha B C) Ar s tau Q D -> s <= t < tau ->
  (forall i, (i < n)%nat -> right_derivative (Q i) t (D i t)) /\
  right_derivative (free (dt_switch n alpha B C) Q) t (- sum n (fun i => D i t)) /\
  forall i, right_derivative (threshold (dt_switch n alpha B C) Q i) t (- alpha * sum n (fun k => D k t)).
Proof.
  intros H Ht. assert (F : right_derivative (free (dt_switch n alpha B C) Q) t (- sum n (fun i => D i t))).
  { apply (free_has_slope _ _ _ _ _ _ _ H Ht). }
  split; [|split; auto].
  - intros i Hi. apply (length_slope _ _ _ _ _ _ H); auto.
  - intros i. apply rd_ext with (fun u => alpha * free (dt_switch n alpha B C) Q u).
    + exists 1. split; [lra|]. intros. unfold threshold. simpl. ring.
    + eapply rd_eq; [apply rd_scal, F|ring].
Qed.

(** Footnote 2 and Table 1: where there is a derivative, the right derivative is it, and no other. *)
Theorem derivative_is_right f t l : derivable_pt_lim f t l ->
  right_derivative f t l /\ forall l', right_derivative f t l' -> l' = l.
Proof.
  intros H. assert (K : right_derivative f t l).
  { intros eps He. destruct (H eps He) as (d & Hd). exists d. split; [apply cond_pos|]. intros h Hh.
    specialize (Hd h ltac:(lra) ltac:(rewrite Rabs_right; lra)).
    replace (f (t + h) - f t - l * h) with (((f (t + h) - f t) / h - l) * h) by (field; lra).
    rewrite Rabs_mult, (Rabs_right h) by lra. apply Rmult_le_compat_r; lra. }
  split; auto. intros l' K'. apply (rd_unique t f); auto.
Qed.

(** ** One set of slopes for every state *)

Section Slopes.
Variables (sw : switch) (Ar : nat -> real -> real) (Q : nat -> real -> real) (t : real).
Hypothesis gains : forall i, (i < ports sw)%nat -> 0 <= gain sw i.
Hypothesis arrivals : forall i, (i < ports sw)%nat -> 0 <= Ar i t.

(** The growth of queue i that the rule demands if the free buffer grows at x. *)
Definition growth_at (i : nat) (x : real) : real :=
  if Rlt_dec (Q i t) (threshold sw Q i t) then highest sw Ar i (Q i t) t
  else if Rlt_dec (threshold sw Q i t) (Q i t) then lowest sw i (Q i t)
  else clip (gain sw i * x) (lowest sw i (Q i t)) (highest sw Ar i (Q i t) t).

Lemma obeys_growth D i : (i < ports sw)%nat -> (obeys sw Ar Q D i t <-> D i t = growth_at i (free_slope sw D t)).
Proof.
  unfold obeys, growth_at, threshold_slope.
  destruct (Rlt_dec (Q i t) (threshold sw Q i t)) as [c|c].
  - repeat split; auto; intros; lra.
  - destruct (Rlt_dec (threshold sw Q i t) (Q i t)) as [d|d].
    all: lra.
Qed.

Lemma growth_monotone i x y : (i < ports sw)%nat -> x <= y -> growth_at i x <= growth_at i y.
Proof.
  intros Hi H. unfold growth_at. destruct (Rlt_dec (Q i t) (threshold sw Q i t)); [lra|].
  destruct (Rlt_dec (threshold sw Q i t) (Q i t)); [lra|]. apply clip_mono, Rmult_le_compat_l; auto.
Qed.

Lemma growth_bounded i x : (i < ports sw)%nat -> lowest sw i (Q i t) <= growth_at i x <= highest sw Ar i (Q i t) t.
Proof.
  intros Hi. pose proof (lowest_le_highest sw Ar i (Q i t) t (arrivals i Hi)). unfold growth_at.
  destruct (Rlt_dec (Q i t) (threshold sw Q i t)); [lra|]. destruct (Rlt_dec (threshold sw Q i t) (Q i t)); [lra|].
  apply clip_bounds; auto.
Qed.

Lemma growth_continuous i x : continuity_pt (growth_at i) x.
Proof.
  unfold growth_at. destruct (Rlt_dec (Q i t) (threshold sw Q i t)); [apply continuity_pt_const; intros a b; reflexivity|].
  destruct (Rlt_dec (threshold sw Q i t) (Q i t)); [apply continuity_pt_const; intros a b; reflexivity|].
  set (l := lowest sw i (Q i t)). set (u := highest sw Ar i (Q i t) t). set (g := gain sw i).
  intros eps He. exists (eps / (Rabs g + 1)). pose proof (Rabs_pos g) as Hg. split; [apply Rdiv_lt_0_compat; lra|].
  intros y [_ Hy].
  assert (L : forall a b, Rabs (clip a l u - clip b l u) <= Rabs (a - b)).
  { intros a b. apply Rabs_le. unfold clip, Rmax, Rmin. pose proof (Rle_abs (a - b)). pose proof (Rle_abs (- (a - b))). rewrite Rabs_Ropp in *.
    repeat destruct (Rle_dec _ _); lra. }
  eapply Rle_lt_trans; [apply L|]. rewrite <- Rmult_minus_distr_l, Rabs_mult.
  apply Rle_lt_trans with ((Rabs g + 1) * Rabs (y - x)).
  - apply Rmult_le_compat_r; [apply Rabs_pos|lra].
  - apply (Rmult_lt_compat_l (Rabs g + 1)) in Hy; [|lra]. replace ((Rabs g + 1) * (eps / (Rabs g + 1))) with eps in Hy by (field; lra). exact Hy.
Qed.

Definition equation (x : real) : real := x + sum (ports sw) (fun i => growth_at i x).

Lemma sum_continuous k (f : nat -> real -> real) x : (forall i, continuity_pt (f i) x) -> continuity_pt (fun y => sum k (fun i => f i y)) x.
Proof.
  intros H. induction k; simpl; [apply continuity_pt_const; intros a b; reflexivity|].
  apply (continuity_pt_plus (fun y => sum k (fun i => f i y)) (f k)); auto.
Qed.

Lemma equation_increases x y : x < y -> equation x < equation y.
Proof.
  intros H. unfold equation. assert (K : sum (ports sw) (fun i => growth_at i x) <= sum (ports sw) (fun i => growth_at i y)).
  { apply sum_le. intros; apply growth_monotone; auto; lra. } lra.
Qed.

Lemma equation_solved : exists x, equation x = 0.
Proof.
  pose (lo := sum (ports sw) (fun i => lowest sw i (Q i t))). pose (hi := sum (ports sw) (fun i => highest sw Ar i (Q i t) t)).
  assert (Lo : forall x, lo <= sum (ports sw) (fun i => growth_at i x)) by (intros; apply sum_le; intros; apply growth_bounded; auto).
  assert (Hi : forall x, sum (ports sw) (fun i => growth_at i x) <= hi) by (intros; apply sum_le; intros; apply growth_bounded; auto).
  assert (LH : lo <= hi) by (apply Rle_trans with (sum (ports sw) (fun i => growth_at i 0)); auto).
  assert (Cont : continuity equation).
  { intros x. apply (continuity_pt_plus id (fun y => sum (ports sw) (fun i => growth_at i y))).
    - apply derivable_continuous_pt, derivable_pt_id.
    - apply sum_continuous. intros; apply growth_continuous. }
  destruct (IVT_cor equation (- hi - 1) (- lo + 1) Cont ltac:(lra)) as (x & _ & Hx).
  - assert (P1 : equation (- hi - 1) <= 0) by (unfold equation; specialize (Hi (- hi - 1)); lra).
    assert (P2 : 0 <= equation (- lo + 1)) by (unfold equation; specialize (Lo (- lo + 1)); lra).
    pose proof (Rmult_le_compat_r (equation (- lo + 1)) _ _ P2 P1). lra.
  - exists x; auto.
Qed.

(** edt.sec2.3.admission@sliding: exactly one F', and one growth of each queue, for every state. *)
Theorem one_slope : exists x : real,
  (exists D, (forall i, (i < ports sw)%nat -> obeys sw Ar Q D i t) /\ free_slope sw D t = x) /\
  forall D, (forall i, (i < ports sw)%nat -> obeys sw Ar Q D i t) ->
    free_slope sw D t = x /\ forall i, (i < ports sw)%nat -> D i t = growth_at i x.
Proof.
  destruct equation_solved as [x Hx]. exists x. split.
  - exists (fun i _ => growth_at i x).
    assert (E : free_slope sw (fun i _ => growth_at i x) t = x) by (unfold free_slope; unfold equation in Hx; lra).
    split; auto. intros i Hi. apply obeys_growth; auto. rewrite E. reflexivity.
  - intros D H. assert (E : free_slope sw D t = x).
    { set (y := free_slope sw D t). assert (Hy : equation y = 0).
      { unfold equation. rewrite <- (sum_ext (ports sw) (fun i => D i t)); [unfold y, free_slope; lra|].
        intros i Hi. apply obeys_growth; auto. }
      destruct (Rtotal_order x y) as [c|[c|c]]; auto; pose proof (equation_increases _ _ c); lra. }
    split; auto. intros i Hi. rewrite <- E. apply obeys_growth; auto.
Qed.

End Slopes.

(** ** Where the bytes go *)

(** What port i sends: at its rate if it has a queue, otherwise what comes, up to its rate. *)
Definition sent (sw : switch) (Ar Q : nat -> real -> real) (i : nat) (t : real) : real :=
  if Rlt_dec 0 (Q i t) then service sw i else Rmin (service sw i) (Ar i t).

(** Table 1 (C, Q), Section 2.3: bytes are sent, rejected or queued, and leave a queue only by being sent. *)
Theorem balance sw Ar s tau Q D i t : sane sw Ar s tau -> trajectory sw Ar s tau Q D -> (i < ports sw)%nat -> s <= t < tau ->
  D i t = (Ar i t - rejected sw Ar Q D i t) - sent sw Ar Q i t /\
  0 <= rejected sw Ar Q D i t <= Ar i t /\ 0 <= sent sw Ar Q i t <= service sw i /\
  (0 < Q i t -> sent sw Ar Q i t = service sw i) /\ - service sw i <= D i t.
Proof.
  intros Hs H Hi Ht. destruct Hs as [Hg Ha].
  destruct (Hg i Hi) as [_ Hc]. specialize (Ha i t Hi Ht).
  pose proof (rate_bounds sw Ar Q D i t Ha (length_rule _ _ _ _ _ _ H i t Hi Ht)) as [K1 K2].
  unfold rejected, sent, highest, lowest in *. destruct (Rlt_dec 0 (Q i t)) as [c|c].
  - repeat split; lra.
  - assert (E : Rmax 0 (Ar i t - service sw i) = Ar i t - Rmin (service sw i) (Ar i t)).
    { destruct (Rle_dec (service sw i) (Ar i t)); [rewrite Rmax_right, Rmin_left|rewrite Rmax_left, Rmin_right]; lra. }
    pose proof (Rmin_l (service sw i) (Ar i t)). pose proof (Rmin_glb (service sw i) (Ar i t) 0 Hc Ha).
    pose proof (Rmax_l 0 (- service sw i)). repeat split; lra.
Qed.

(** A function whose right derivative is nowhere other than 0 does not move. *)
Lemma constant_of_slope f s tau : s <= tau -> continuous_on f s tau -> (forall t, s <= t < tau -> right_derivative f t 0) ->
  f tau = f s.
Proof.
  intros Hst Hc Hd. apply Rle_antisym.
  - apply (nonincreasing s tau f (fun _ => 0)); auto. split; [auto|lra].
  - assert (K : - f tau <= - f s); [|lra].
    apply (nonincreasing s tau (fun t => - f t) (fun _ => 0)); auto; [apply continuous_opp; auto|].
    split; [|lra]. eapply rd_eq; [apply rd_opp; auto|lra].
Qed.

(** Table 1 (Q): the length is continuous, not negative, determined by the initial lengths and the arrivals, and what was
    offered (A) less what was sent (S) and dropped (L). *)
Theorem conservation sw Ar s tau Q D i A S L : sane sw Ar s tau -> trajectory sw Ar s tau Q D -> (i < ports sw)%nat -> s <= tau ->
  continuous_on A s tau -> continuous_on S s tau -> continuous_on L s tau ->
  (forall t, s <= t < tau -> right_derivative A t (Ar i t)) ->
  (forall t, s <= t < tau -> right_derivative S t (sent sw Ar Q i t)) ->
  (forall t, s <= t < tau -> right_derivative L t (rejected sw Ar Q D i t)) ->
  continuous_on (Q i) s tau /\ (forall t, s <= t <= tau -> 0 <= Q i t) /\
  Q i tau - Q i s = (A tau - A s) - (S tau - S s) - (L tau - L s) /\
  (forall Q' D', trajectory sw Ar s tau Q' D' -> (forall k, (k < ports sw)%nat -> Q' k s = Q k s) ->
     forall t, s <= t <= tau -> Q' i t = Q i t).
Proof.
  intros Hs H Hi Hst CA CS CL DA DS DL. pose proof (length_continuous _ _ _ _ _ _ H i Hi) as CQ.
  split; auto. split; [intros; apply (length_nonneg _ _ _ _ _ _ H); auto|]. split.
  - assert (K : Q i tau - (A tau - S tau - L tau) = Q i s - (A s - S s - L s)); [|lra].
    apply (constant_of_slope (fun t => Q i t - (A t - S t - L t))); auto.
    + apply continuous_minus; auto. apply continuous_minus; auto. apply continuous_minus; auto.
    + intros t Ht. eapply rd_eq.
      * apply rd_minus; [apply (length_slope _ _ _ _ _ _ H); auto|]. apply rd_minus; [apply rd_minus; auto|auto].
      * destruct (balance sw Ar s tau Q D i t Hs H Hi Ht) as (E & _). lra.
  - intros Q' D' H' E t Ht. apply (fluid_unique sw Ar s tau Q' D' Q D Hs H' H E i Hi). exact Ht.
Qed.

(** Table 1 (R, d): a port with the constant rate R is offered R t bytes by t, a burst of the duration d brings R d. *)
Theorem offered_bytes R d tau A : 0 <= d -> 0 <= tau -> continuous_on A 0 tau -> A 0 = 0 ->
  (forall t, 0 <= t < tau -> right_derivative A t (if Rlt_dec t d then R else 0)) ->
  (forall t, 0 <= t <= tau -> t <= d -> A t = R * t) /\ (d <= tau -> A tau = R * d).
Proof.
  intros Hd Htau HC H0 HA.
  assert (E : forall t, 0 <= t <= tau -> A t = R * Rmin t d).
  { intros t Ht. assert (K : A t - R * Rmin t d = A 0 - R * Rmin 0 d).
    { apply (constant_of_slope (fun u => A u - R * Rmin u d)); [lra| |].
      - apply continuous_minus; [apply (continuous_sub 0 tau); auto; lra|].
        apply continuous_ext with (fun u => R * Rmin u d + 0); [intros; lra|]. apply continuous_stopped; auto.
      - intros u Hu. eapply rd_eq; [apply rd_minus; [apply HA; lra|]|].
        + apply rd_ext with (fun u => R * Rmin u d + 0); [exists 1; split; [lra|]; intros; lra|apply rd_stopped].
        + destruct (Rlt_dec u d); lra. }
    rewrite H0, (Rmin_left 0 d) in K by lra. lra. }
  split.
  - intros t Ht Hle. rewrite E by auto. rewrite Rmin_left; lra.
  - intros Hle. rewrite E by lra. rewrite Rmin_right; lra.
Qed.

(** ** What a queue does at its threshold *)

(** Section 2.3: at F = 0 the threshold is 0, no queue is below it, and a port with a queue admits nothing. *)
Theorem full_memory n alpha B C Ar s tau Q D t : trajectory (dt_switch n alpha B C) Ar s tau Q D -> s <= t < tau ->
  free (dt_switch n alpha B C) Q t = 0 -> forall i, (i < n)%nat ->
  threshold (dt_switch n alpha B C) Q i t = 0 /\ ~ Q i t < threshold (dt_switch n alpha B C) Q i t /\
  (0 < Q i t -> rejected (dt_switch n alpha B C) Ar Q D i t = Ar i t /\ D i t = - C).
Proof.
  intros H Ht F i Hi. assert (T0 : threshold (dt_switch n alpha B C) Q i t = 0) by (unfold threshold; rewrite F; simpl; ring).
  split; auto. pose proof (length_nonneg _ _ _ _ _ _ H i t Hi ltac:(lra)). split; [lra|]. intros Hq.
  destruct (length_rule _ _ _ _ _ _ H i t Hi Ht) as (_ & K & _). rewrite T0 in K. specialize (K Hq).
  unfold rejected. rewrite K. unfold highest, lowest. simpl. destruct (Rlt_dec 0 (Q i t)); lra.
Qed.

(** Section 3: below the threshold a queue grows iff its port is overloaded, and then loses nothing. *)
Theorem grows_iff_overloaded sw Ar s tau Q D i t : trajectory sw Ar s tau Q D -> (i < ports sw)%nat -> s <= t < tau ->
  Q i t < threshold sw Q i t ->
  (0 < D i t <-> service sw i < Ar i t) /\ rejected sw Ar Q D i t = 0 /\ (service sw i < Ar i t -> D i t = Ar i t - service sw i).
Proof.
  intros H Hi Ht Hq. destruct (length_rule _ _ _ _ _ _ H i t Hi Ht) as (K & _). specialize (K Hq).
  unfold rejected. rewrite K. unfold highest. destruct (Rlt_dec 0 (Q i t)).
  - repeat split; lra.
  - split; [split|split]; intros.
    + apply Rnot_le_lt. intros c. rewrite Rmax_left in *; lra.
    + rewrite Rmax_right; lra.
    + lra.
    + rewrite Rmax_right; lra.
Qed.

(** Section 3: at t = 0+ the queues of the bursts grow, at R_i - C, and lose nothing. *)
Theorem onset M N Z alpha B C Rate tau Ar Q D : 0 < alpha -> 0 < B -> 0 < tau ->
  (forall i, (i < M)%nat -> C < Rate i 0) -> micro_burst M N Z alpha B C Rate tau Ar Q D ->
  forall i, (i < M)%nat -> right_derivative (Q i) 0 (Rate i 0 - C) /\ 0 < Rate i 0 - C /\
    rejected (dt_switch (M + N + Z) alpha B C) Ar Q D i 0 = 0.
Proof.
  intros Ha HB Ht HR [A S T] i Hi.
  assert (Hq : Q i 0 < threshold (dt_switch (M + N + Z) alpha B C) Q i 0).
  { rewrite (burst_empty _ _ _ _ _ _ _ S i Hi). unfold threshold. rewrite (eq16_initial_free M N Z alpha B C Q Ha S).
    rewrite Rplus_0_l. apply mul_pos; auto. apply Rdiv_lt_0_compat; auto. apply steady_denominator; auto. }
  destruct (grows_iff_overloaded _ _ _ _ _ _ i 0 T ltac:(simpl; lia) ltac:(lra) Hq) as (_ & K2 & K3).
  rewrite (burst_ports _ _ _ _ _ _ _ _ A i 0 Hi ltac:(lra)) in K3. simpl in K3. specialize (K3 (HR i Hi)).
  split; [|split; [specialize (HR i Hi); lra|auto]]. rewrite <- K3. apply (length_slope _ _ _ _ _ _ T); [simpl; lia|lra].
Qed.

(** Section 2.3: no queue on or above the threshold grows above it, Q_i' <= max(T', - C). *)
Theorem no_growth_above n alpha B C Ar tau Q D : 0 <= tau -> 0 < alpha -> 0 < C ->
  sane (dt_switch n alpha B C) Ar 0 tau -> trajectory (dt_switch n alpha B C) Ar 0 tau Q D ->
  0 <= free (dt_switch n alpha B C) Q 0 -> forall i t, (i < n)%nat -> 0 <= t < tau ->
  threshold (dt_switch n alpha B C) Q i t <= Q i t -> D i t <= Rmax (threshold_slope (dt_switch n alpha B C) D i t) (- C).
Proof.
  intros Htau Ha HC Hs H HF i t Hi Ht Hq. set (sw := dt_switch n alpha B C) in *.
  pose proof (buffer_never_overfull n alpha B C Ar tau Q D Htau Ha HC Hs H HF) as Over. fold sw in Over.
  destruct (Over t ltac:(lra)) as [[F0 _] T0]. specialize (T0 i).
  destruct (length_rule _ _ _ _ _ _ H i t Hi Ht) as (_ & K2 & K3).
  destruct Hs as [_ Har]. specialize (Har i t Hi Ht).
  destruct (Rlt_dec 0 (Q i t)) as [c|c].
  - assert (El : lowest sw i (Q i t) = - C) by (unfold lowest; destruct (Rlt_dec 0 (Q i t)); [reflexivity|lra]).
    rewrite El in *. destruct (Rlt_dec (threshold sw Q i t) (Q i t)) as [d|d]; [rewrite (K2 d); apply Rmax_r|].
    rewrite K3 by lra. apply Rmax_lub; [apply Rmax_r|]. eapply Rle_trans; [apply Rmin_l|apply Rmax_l].
  - (* an empty queue on the threshold 0: F = 0, so F' is not negative *)
    assert (Tz : threshold sw Q i t = 0) by lra.
    assert (Fz : free sw Q t = 0).
    { unfold threshold in Tz. simpl in Tz. apply Rmult_eq_reg_l with alpha; lra. }
    assert (Fs : 0 <= free_slope sw D t).
    { apply Rnot_lt_le. intros Hneg. destruct (free_has_slope sw Ar _ _ _ _ t H Ht (- free_slope sw D t / 2) ltac:(lra)) as (d & Hd & K).
      pose (h := Rmin (d / 2) ((tau - t) / 2)). assert (Hh : 0 < h) by (apply Rmin_pos; lra).
      assert (h <= d / 2) by apply Rmin_l. assert (h <= (tau - t) / 2) by apply Rmin_r.
      specialize (K h ltac:(lra)). destruct (Over (t + h) ltac:(lra)) as [[Fh _] _]. rewrite Fz in K.
      pose proof (Rle_abs (free sw Q (t + h) - 0 - free_slope sw D t * h)).
      pose proof (Rmult_lt_compat_r h (free_slope sw D t) 0 Hh Hneg). lra. }
    assert (Ts : 0 <= threshold_slope sw D i t) by (unfold threshold_slope; simpl; apply Rmult_le_pos; lra).
    rewrite K3 by lra. apply Rmax_lub.
    + unfold lowest. destruct (Rlt_dec 0 (Q i t)); [lra|]. simpl. rewrite Rmax_left by lra. eapply Rle_trans; [exact Ts|apply Rmax_l].
    + eapply Rle_trans; [apply Rmin_l|apply Rmax_l].
Qed.

(** ** What the counters and timers of EDT see *)

(** Section 4.2, Rule 1, in the fluid: a queue grows only at an overloaded port. *)
Theorem growing_is_overloaded sw Ar s tau Q D i t : sane sw Ar s tau -> trajectory sw Ar s tau Q D -> (i < ports sw)%nat -> s <= t < tau ->
  0 < D i t -> service sw i < Ar i t.
Proof.
  intros [_ Ha] H Hi Ht HD. pose proof (rate_bounds sw Ar Q D i t (Ha i t Hi Ht) (length_rule _ _ _ _ _ _ H i t Hi Ht)) as [_ K].
  unfold highest in K. destruct (Rlt_dec 0 (Q i t)); [lra|]. apply Rnot_le_lt. intros c. rewrite Rmax_left in K; lra.
Qed.

(** Section 4.1: a queue below its threshold loses nothing for a while, and grows while its port is overloaded. *)
Theorem recognition sw Ar s tau Q D i t : trajectory sw Ar s tau Q D -> (i < ports sw)%nat -> s <= t < tau ->
  Q i t < threshold sw Q i t -> exists d, 0 < d /\ forall u, t <= u < t + d -> u < tau ->
    rejected sw Ar Q D i u = 0 /\ (service sw i < Ar i u -> 0 < D i u).
Proof.
  intros H Hi Ht Hq.
  assert (Dr : right_derivative (fun u => threshold sw Q i u - Q i u) t (gain sw i * free_slope sw D t - D i t)).
  { apply rd_minus; [|apply (length_slope _ _ _ _ _ _ H); auto].
    apply rd_ext with (fun u => gain sw i * free sw Q u + offset sw i); [exists 1; split; [lra|]; intros; unfold threshold; ring|].
    eapply rd_eq; [apply rd_plus; [apply rd_scal; eapply free_has_slope; eauto|apply rd_const]|ring]. }
  destruct (rd_stays_positive t _ _ Dr ltac:(lra)) as (d & Hd & K). exists d. split; auto. intros u Hu Hut.
  specialize (K (u - t) ltac:(lra)). replace (t + (u - t)) with u in K by ring.
  destruct (grows_iff_overloaded sw Ar s tau Q D i u H Hi ltac:(lra) ltac:(lra)) as (K1 & K2 & _). split; auto. apply K1.
Qed.

(** Section 4.1: after a burst an uncontrolled queue that is offered exactly C keeps its length as long as it is uncontrolled;
    once it is controlled it drains at C while it is above the DT threshold. *)
Theorem timeout_scenario M n alpha B C Ar s tau Q D i : (i < M)%nat -> (i < n)%nat -> 0 < C -> s <= tau ->
  (forall t, s <= t < tau -> Ar i t = C) ->
  (trajectory (edt_switch M n alpha B C) Ar s tau Q D -> Q i s <= B / INR M -> forall t, s <= t <= tau -> Q i t = Q i s) /\
  (trajectory (dt_switch n alpha B C) Ar s tau Q D -> forall t, s <= t < tau ->
     0 < Q i t -> threshold (dt_switch n alpha B C) Q i t < Q i t -> D i t = - C).
Proof.
  intros Hi Hn HC Hst HA. split.
  - intros H H0 t Ht. set (sw := edt_switch M n alpha B C) in *.
    assert (Th : forall u, threshold sw Q i u = B / INR M).
    { intros u. unfold threshold. simpl. destruct (Nat.ltb_spec i M); [ring|lia]. }
    assert (Gn : gain sw i = 0) by (simpl; destruct (Nat.ltb_spec i M); [reflexivity|lia]).
    assert (Hh : forall u, s <= u < tau -> highest sw Ar i (Q i u) u = 0).
    { intros u Hu. unfold highest. simpl. rewrite (HA u Hu). destruct (Rlt_dec 0 (Q i u)); [ring|]. rewrite Rmax_left; lra. }
    assert (Below : forall u, s <= u <= tau -> Q i u <= B / INR M).
    { intros u Hu. apply Rle_trans with (Q i s); auto.
      apply (nonincreasing s u (Q i) (D i)); [lra|apply (continuous_sub s tau); [lra|lra|apply (length_continuous _ _ _ _ _ _ H); auto]|].
      intros v Hv. split; [apply (length_slope _ _ _ _ _ _ H); auto; lra|].
      pose proof (rate_bounds sw Ar Q D i v ltac:(rewrite HA by lra; lra) (length_rule _ _ _ _ _ _ H i v Hn ltac:(lra))) as [_ K].
      rewrite Hh in K by lra. exact K. }
    apply (constant_of_slope (Q i) s t); [lra|apply (continuous_sub s tau); [lra|lra|apply (length_continuous _ _ _ _ _ _ H); auto]|].
    intros u Hu. eapply rd_eq; [apply (length_slope _ _ _ _ _ _ H); auto; lra|].
    destruct (length_rule _ _ _ _ _ _ H i u Hn ltac:(lra)) as (K1 & _ & K3). rewrite Th, Hh in * by lra.
    specialize (Below u ltac:(lra)). destruct (Rlt_dec (Q i u) (B / INR M)) as [c|c]; [apply K1, c|].
    rewrite K3 by lra. unfold threshold_slope. rewrite Gn, Rmult_0_l. apply clip_high; [lra|].
    unfold lowest. simpl. destruct (Rlt_dec 0 (Q i u)); [lra|]. rewrite Rmax_left; lra.
  - intros H t Ht Hq Hth. destruct (length_rule _ _ _ _ _ _ H i t Hn Ht) as (_ & K & _). rewrite (K Hth). unfold lowest. simpl.
    destruct (Rlt_dec 0 (Q i t)); lra.
Qed.
