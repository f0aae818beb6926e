(** DT/EDT paper, Section 3.3: further steps of the proof of Theorem 4, in the scenario of Theorem4.v.

      [excess_is]           while nothing is lost the steady queues exceed the threshold by max(0, the left side of (63));
      [slope_fast]          in the middle phase the threshold falls faster than C until bytes are lost;
      [t1_determined], [eq55], [eq67]     (54) as an equation for t_1, and the two comparisons with it;
      [t2_determined], [eq61]             (60) as an equation for t_2 in the middle phase, and the comparison with it;
      [eq66_meets]          the steady queues meet the threshold again where (66) holds;
      [two_cases_after_d2]  Figure 6: after d_2 the bursts or the steady queues meet the threshold, by a time that is given;
      [first_drop_root]     rates of any shape R(t) >= C: (54) decides while the steady queues are on the threshold, and while they are
                            above it (60) with the beginning of that phase in the place of d_1.                   *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds Theorem1Evolution Theorem5 FirstDrop Theorem4 ThresholdRule.
Open Scope R_scope.

(** A function whose right derivative is positive increases. *)
Lemma increases f d s t : s < t -> continuous_on f s t -> (forall u, s <= u < t -> right_derivative f u (d u) /\ 0 < d u) -> f s < f t.
Proof.
  intros Hst Hc Hd.
  assert (Le : forall x y, s <= x -> x <= y -> y <= t -> f x <= f y).
  { intros x y Hx Hxy Hy. assert (K : - f y <= - f x); [|lra].
    apply (nonincreasing x y (fun u => - f u) (fun u => - d u)); auto.
    - apply continuous_opp, (continuous_sub s t); auto.
    - intros u Hu. destruct (Hd u ltac:(lra)). split; [apply rd_opp; auto|lra]. }
  pose proof (Le s t ltac:(lra) ltac:(lra) ltac:(lra)) as K. destruct K as [K|K]; auto.
  destruct (Hd s ltac:(lra)) as [D P].
  assert (E : d s = 0).
  { apply (rd_unique s f); auto. apply rd_ext with (fun _ => f s); [|apply rd_const]. exists (t - s). split; [lra|]. intros h Hh.
    apply Rle_antisym; [rewrite K; apply Le; lra|apply Le; lra]. }
  lra.
Qed.

(** ** (54) as an equation *)

Section Equation54.
Variables (M N : nat) (alpha B C tau : real) (R A : real -> real).
Hypotheses (alpha_pos : 0 < alpha) (A_cont : continuous_on A 0 tau).
Hypothesis A_rate : forall t, 0 <= t < tau -> right_derivative A t (R t).
Notation kap := (1 + alpha * INR M + alpha * INR N).
Notation Qt t := (A t - C * t).

Lemma kap_pos : 0 < kap.
Proof. pose proof (an_pos M alpha alpha_pos). pose proof (an_pos N alpha alpha_pos). lra. Qed.

Lemma Q_slope t : 0 <= t < tau -> right_derivative (fun u => Qt u) t (R t - C).
Proof.
  intros Ht. apply rd_minus; [auto|]. apply rd_ext with (fun u => C * u + 0); [exists 1; split; [lra|]; intros; ring|apply rd_linear].
Qed.

Lemma Q_cont x y : 0 <= x -> y <= tau -> continuous_on (fun u => Qt u) x y.
Proof.
  intros Hx Hy. apply continuous_minus; [apply (continuous_sub 0 tau); auto|].
  apply continuous_ext with (fun u => C * u + 0); [intros; ring|apply continuous_linear].
Qed.

(** (43), t_1: where R(t) > C the equation has at most one root, and (54) holds up to it and not beyond. *)
Theorem t1_determined t_1 : 0 <= t_1 <= tau -> (forall t, 0 <= t < tau -> C < R t) -> kap * Qt t_1 = alpha * B ->
  (forall t, 0 <= t <= tau -> kap * Qt t = alpha * B -> t = t_1) /\
  (forall t, 0 <= t <= tau -> (within54 M N alpha B C A t <-> t <= t_1)).
Proof.
  intros Ht HR E. pose proof kap_pos as Kp.
  assert (Inc : forall x y, 0 <= x -> x < y -> y <= tau -> kap * Qt x < kap * Qt y).
  { intros x y Hx Hxy Hy. apply Rmult_lt_compat_l; auto. apply (increases (fun u => Qt u) (fun u => R u - C)); auto.
    - apply Q_cont; auto.
    - split; [apply Q_slope; lra|]. specialize (HR u ltac:(lra)). lra. }
  split.
  - intros t H K. destruct (Rtotal_order t t_1) as [c|[c|c]]; auto; [pose proof (Inc t t_1 ltac:(lra) c ltac:(lra))|pose proof (Inc t_1 t ltac:(lra) c ltac:(lra))]; lra.
  - unfold within54. split; intros K.
    + apply Rnot_lt_le. intros c. pose proof (Inc t_1 t ltac:(lra) c ltac:(lra)). lra.
    + destruct K as [c|c]; [pose proof (Inc t t_1 ltac:(lra) c ltac:(lra)); lra|rewrite c; lra].
Qed.

(** (55): with R(t) >= C and t_1 the last root, Q(d_1) > T(d_1), T by (53), iff d_1 > t_1. *)
Theorem eq55 t_1 d_1 : 0 <= t_1 <= tau -> 0 <= d_1 <= tau -> (forall t, 0 <= t < tau -> C <= R t) ->
  kap * Qt t_1 = alpha * B -> (forall t, 0 <= t <= tau -> kap * Qt t = alpha * B -> t <= t_1) ->
  (T53 M N alpha B C A d_1 < Qt d_1 <-> t_1 < d_1).
Proof.
  intros Ht Hd HR E Last. pose proof kap_pos as Kp. pose proof (an_pos N alpha alpha_pos) as Han.
  assert (Inc : forall x y, 0 <= x -> x <= y -> y <= tau -> kap * Qt x <= kap * Qt y).
  { intros x y Hx Hxy Hy. apply Rmult_le_compat_l; [lra|]. assert (K : - Qt y <= - Qt x); [|lra].
    apply (nonincreasing x y (fun u => - Qt u) (fun u => - (R u - C))); auto.
    - apply continuous_opp, Q_cont; auto.
    - intros u Hu. split; [apply rd_opp, Q_slope; lra|]. specialize (HR u ltac:(lra)). lra. }
  assert (Iff : T53 M N alpha B C A d_1 < Qt d_1 <-> alpha * B < kap * Qt d_1).
  { unfold T53. set (T := alpha * (B - INR M * A d_1 + INR M * C * d_1) / (1 + alpha * INR N)).
    assert (ET : T * (1 + alpha * INR N) = alpha * (B - INR M * A d_1 + INR M * C * d_1)) by (unfold T; field; lra).
    split; intros K; [apply (Rmult_lt_compat_r (1 + alpha * INR N)) in K; lra|apply Rmult_lt_reg_r with (1 + alpha * INR N); lra]. }
  split; intros K.
  - apply Rnot_le_lt. intros c. pose proof (Inc d_1 t_1 ltac:(lra) c ltac:(lra)). lra.
  - pose proof (Inc t_1 d_1 ltac:(lra) ltac:(lra) ltac:(lra)) as L. destruct L as [L|L]; [lra|].
    specialize (Last d_1 Hd ltac:(lra)). lra.
Qed.

(** (67): where R > C from t_1 or d_3 on, Q(d_3) > T(t_1) = Q(t_1) iff d_3 > t_1. *)
Theorem eq67 t_1 d_3 d_2 T_1 : 0 <= d_2 -> d_2 <= t_1 <= tau -> d_2 <= d_3 <= tau -> (forall t, d_2 <= t < tau -> C < R t) -> Qt t_1 = T_1 ->
  (T_1 < Qt d_3 <-> t_1 < d_3).
Proof.
  intros H0 H1 H3 HR <-.
  assert (Inc : forall x y, d_2 <= x -> x < y -> y <= tau -> Qt x < Qt y).
  { intros x y Hx Hxy Hy. apply (increases (fun u => Qt u) (fun u => R u - C)); auto; [apply Q_cont; lra|].
    split; [apply Q_slope; lra|]. specialize (HR u ltac:(lra)). lra. }
  split; intros K; [|apply Inc; lra]. apply Rnot_le_lt. intros [c|c]; [pose proof (Inc d_3 t_1 ltac:(lra) c ltac:(lra)); lra|subst; lra].
Qed.

End Equation54.

(** ** The middle phase *)

(** What (60) says there: of the rates it needs no more than that they are large from d_1 to d_2. *)
Section Equation60.
Variables (M N : nat) (alpha B C d1 d2 tau : real) (R A : real -> real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (C_pos : 0 < C) (order : 0 <= d1 <= tau /\ d1 <= d2).
Hypothesis fast : forall t, d1 <= t < d2 -> ~ slow M N alpha C (R t).
Hypothesis A_cont : continuous_on A 0 tau.
Hypothesis A_right : forall t, 0 <= t < tau -> right_derivative A t (R t).
Notation m := (INR M).
Notation n := (INR N).
Notation kap := (1 + alpha * m + alpha * n).

(** (60) as a function: the length less the threshold while the steady queues are above it. *)
Definition g60 (t : real) : real := (1 + alpha * m) * A t - kap * C * t - rhs60 M N alpha B C d1 A.

Lemma g60_within t : within60 M N alpha B C d1 A t <-> g60 t <= 0.
Proof. unfold within60, g60. split; lra. Qed.

Lemma g60_gap t : g60 t = (A t - C * t) - T59 M N alpha B C d1 A t.
Proof. unfold g60, T59. ring. Qed.

Lemma positive : 0 < alpha * m /\ 0 <= alpha * n.
Proof. split; [apply (am_pos M alpha M_pos alpha_pos)|apply (an_pos N alpha alpha_pos)]. Qed.

(** At d_1, where the middle phase begins, (60) is (54). *)
Lemma g60_at_d1 : g60 d1 <= 0 <-> within54 M N alpha B C A d1.
Proof.
  destruct positive as [Ham Han]. unfold g60, rhs60, within54.
  set (x := A d1 - C * d1).
  assert (E : (1 + alpha * n) * ((1 + alpha * m) * A d1 - kap * C * d1 - (alpha * B + alpha * n * (alpha * m * A d1 - kap * C * d1)) / (1 + alpha * n))
              = kap * x - alpha * B) by (unfold x; field; lra).
  set (g := (1 + alpha * m) * A d1 - kap * C * d1 - (alpha * B + alpha * n * (alpha * m * A d1 - kap * C * d1)) / (1 + alpha * n)) in *.
  split; intros K.
  - pose proof (Rmult_le_compat_l (1 + alpha * n) g 0 ltac:(lra) K). lra.
  - apply Rmult_le_reg_l with (1 + alpha * n); lra.
Qed.

Lemma g60_continuous x y : 0 <= x -> y <= tau -> continuous_on g60 x y.
Proof.
  intros Hx Hy. apply continuous_ext with (fun t => (1 + alpha * m) * A t + ((- (kap * C)) * t + - rhs60 M N alpha B C d1 A)).
  - intros. unfold g60. ring.
  - apply continuous_plus; [apply continuous_scal, (continuous_sub 0 tau); auto|apply continuous_linear].
Qed.

Lemma g60_slope t : 0 <= t < tau -> right_derivative g60 t ((1 + alpha * m) * R t - kap * C).
Proof.
  intros Ht. apply rd_ext with (fun t => (1 + alpha * m) * A t + ((- (kap * C)) * t + - rhs60 M N alpha B C d1 A)).
  - exists 1. split; [lra|]. intros. unfold g60. ring.
  - eapply rd_eq; [apply rd_plus; [apply rd_scal, A_right; auto|apply rd_linear]|ring].
Qed.

Lemma g60_increases x y : d1 <= x -> x < y -> y <= tau -> y <= d2 -> g60 x < g60 y.
Proof.
  destruct positive as [Ham Han]. intros Hx Hxy Hy Hd. apply (increases g60 (fun u => (1 + alpha * m) * R u - kap * C)); auto.
  - apply g60_continuous; lra.
  - split; [apply g60_slope; lra|].
    pose proof (fast u ltac:(lra)) as F. apply fast_iff in F; auto.
    assert (P : 0 < R u - C); [|lra]. apply Rmult_lt_reg_l with (alpha * m); [lra|].
    pose proof (Rmult_le_pos (alpha * n) C ltac:(lra) ltac:(lra)). lra.
Qed.

(** (43), t_2: in the middle phase its equation (60) has at most one root from d_1 on, and (60) holds up to it and not beyond. *)
Theorem t2_determined t_2 : d1 <= t_2 -> t_2 <= tau -> t_2 <= d2 -> g60 t_2 = 0 ->
  (forall t, d1 <= t <= tau -> t <= d2 -> g60 t = 0 -> t = t_2) /\
  (forall t, d1 <= t <= tau -> t <= d2 -> (within60 M N alpha B C d1 A t <-> t <= t_2)) /\
  within54 M N alpha B C A d1.
Proof.
  intros H1 H2 H3 E. split; [|split].
  - intros t Ht Hd K. destruct (Rtotal_order t t_2) as [c|[c|c]]; auto; [pose proof (g60_increases t t_2 ltac:(lra) c ltac:(lra) ltac:(lra))|pose proof (g60_increases t_2 t ltac:(lra) c ltac:(lra) ltac:(lra))]; lra.
  - intros t Ht Hd. rewrite g60_within. split; intros K.
    + apply Rnot_lt_le. intros c. pose proof (g60_increases t_2 t ltac:(lra) c ltac:(lra) ltac:(lra)). lra.
    + destruct K as [c|c]; [pose proof (g60_increases t t_2 ltac:(lra) c ltac:(lra) ltac:(lra)); lra|rewrite c; lra].
  - apply g60_at_d1. destruct H1 as [c|c]; [pose proof (g60_increases d1 t_2 ltac:(lra) c ltac:(lra) ltac:(lra)); lra|rewrite c; lra].
Qed.

(** (61): with t_2 the first root from d_1 on, and nothing lost up to d_1, Q(d_2) > T(d_2), T by (59), iff d_2 > t_2. *)
Theorem eq61 t_2 : d1 <= t_2 <= tau -> d2 <= tau -> g60 t_2 = 0 -> (forall t, d1 <= t < t_2 -> g60 t <> 0) -> within54 M N alpha B C A d1 ->
  (T59 M N alpha B C d1 A d2 < A d2 - C * d2 <-> t_2 < d2).
Proof.
  intros H2 Hd E First W.
  assert (Iff : T59 M N alpha B C d1 A d2 < A d2 - C * d2 <-> 0 < g60 d2) by (rewrite g60_gap; split; lra). rewrite Iff.
  apply g60_at_d1 in W. split; intros K.
  - apply Rnot_le_lt. intros c. destruct c as [c|c]; [|rewrite c, E in K; lra].
    assert (L : 0 < - g60 d1).
    { destruct W as [w|w]; [lra|]. exfalso. apply (First d1); lra. }
    destruct (first_zero (fun t => - g60 t) d1 d2 ltac:(lra)) as (p & Hp1 & Hp2 & _); [apply continuous_opp, g60_continuous; lra|auto|lra|].
    apply (First p); lra.
  - pose proof (g60_increases t_2 d2 ltac:(lra) K Hd ltac:(lra)). lra.
Qed.

End Equation60.

Section Middle.
Variables (M N Z : nat) (alpha B C d1 d2 tau : real) (R A : real -> real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C).
Hypothesis phases : three_phases M N alpha C d1 d2 tau R A.
Notation m := (INR M).
Notation n := (INR N).
Notation kap := (1 + alpha * m + alpha * n).
Notation sw := (dt_switch (M + N + Z) alpha B C).
Notation e63 := (lhs63 M N alpha C d1 A).
Notation no_loss t1 Ar Q D := (no_loss_before M N Z alpha B C t1 Ar Q D).
Notation gap60 := (g60 M N alpha B C d1 A).

Lemma m60 : 0 <= d1 <= tau /\ d1 <= d2 /\ 0 < alpha * m /\ 0 <= alpha * n.
Proof. pose proof (phases_order _ _ _ _ _ _ _ _ _ phases). pose proof (am_pos M alpha M_pos alpha_pos). pose proof (an_pos N alpha alpha_pos). lra. Qed.

Lemma A_c x y : 0 <= x -> y <= tau -> continuous_on A x y.
Proof. intros Hx Hy. apply (continuous_sub 0 tau); auto. apply (A_continuous _ _ _ _ _ _ _ _ _ phases). Qed.

Notation excess4 := (excess M N alpha C d1 A).

(** While nothing is lost the steady queues exceed the threshold by max(0, the left side of (63)), from d_1 on, and are on it before. *)
Theorem excess_is t1 Ar Q D : 0 <= t1 <= tau -> micro_burst M N Z alpha B C (fun _ => R) t1 Ar Q D -> no_loss t1 Ar Q D ->
  forall t, 0 <= t <= t1 ->
    (forall i, (i < M)%nat -> Q i t = A t - C * t) /\
    (forall j, (M <= j < M + N)%nat -> Q j t - threshold sw Q j t = if Rlt_dec t d1 then 0 else Rmax 0 (e63 t)).
Proof.
  intros Ht1 Hm Hno t Ht.
  destruct (first_drop M N Z alpha B C (fun _ => R) (fun _ => A) excess4 (dexcess M N alpha C d1 R A) tau M_pos alpha_pos B_pos C_pos ltac:(lra)
              (theorem4_bursts M N alpha C d1 d2 tau R A M_pos alpha_pos phases) t1 Ar Q D Ht1 Hm) as [Iff Fr].
  pose proof (proj1 Iff Hno) as Ok.
  destruct (FirstDrop.no_loss M N Z alpha B C (fun _ => R) (fun _ => A) excess4 (dexcess M N alpha C d1 R A) tau alpha_pos B_pos C_pos ltac:(lra)
              (theorem4_bursts M N alpha C d1 d2 tau R A M_pos alpha_pos phases) t1 Ar Q D Ht1 Ok Hm) as (_ & EQ & EF & EV).
  split; [intros i Hi; apply (EQ i t Hi Ht)|]. intros j Hj. rewrite (EV j t Hj Ht). unfold threshold. rewrite EF by auto.
  simpl.
  replace (0 + alpha * (level M N alpha B C (fun _ => A) excess4 t / alpha)) with (level M N alpha B C (fun _ => A) excess4 t) by (field; lra).
  unfold excess. rewrite (lhs63_is M N alpha C d1 A). destruct (Rlt_dec t d1); lra.
Qed.

(** (66): the steady queues, above the threshold since d_1, meet it again at t_0 iff the left side of (63), positive until then, is 0 there. *)
Theorem eq66_meets t1 Ar Q D t0 : 0 <= t1 <= tau -> micro_burst M N Z alpha B C (fun _ => R) t1 Ar Q D -> no_loss t1 Ar Q D -> (1 <= N)%nat ->
  d1 < t0 <= t1 ->
  ((forall j, (M <= j < M + N)%nat -> Q j t0 = threshold sw Q j t0 /\ forall t, d1 < t < t0 -> threshold sw Q j t < Q j t) <->
   (e63 t0 = 0 /\ forall t, d1 < t < t0 -> 0 < e63 t)).
Proof.
  intros Ht1 Hm Hno HN Ht0. destruct m60 as (H0 & H12 & Ham & Han).
  assert (Ex : forall t j, (M <= j < M + N)%nat -> d1 <= t <= t1 -> Q j t - threshold sw Q j t = Rmax 0 (e63 t)).
  { intros t j Hj Ht. destruct (excess_is t1 Ar Q D Ht1 Hm Hno t ltac:(lra)) as [_ K]. rewrite (K j Hj). destruct (Rlt_dec t d1); lra. }
  split.
  - intros H. destruct (H M ltac:(lia)) as [E0 Pos].
    assert (P : forall t, d1 < t < t0 -> 0 < e63 t).
    { intros t Ht. specialize (Pos t Ht). specialize (Ex t M ltac:(lia) ltac:(lra)). apply Rnot_le_lt. intros c. rewrite Rmax_left in Ex; lra. }
    assert (L : e63 t0 <= 0).
    { specialize (Ex t0 M ltac:(lia) ltac:(lra)). apply Rnot_lt_le. intros c. rewrite Rmax_right in Ex; lra. }
    destruct L as [L|L]; auto.
    assert (Ce : continuous_on e63 d1 t0).
    { apply continuous_ext with (fun t => alpha * m * A t + ((- (kap * C)) * t + (- (alpha * m * A d1) + kap * C * d1))).
      - intros. unfold lhs63. ring.
      - apply continuous_plus; [apply continuous_scal, A_c; lra|apply continuous_linear]. }
    destruct (Ce t0 ltac:(lra) (- e63 t0) ltac:(lra)) as (d & Hd & K). pose (u := Rmax ((d1 + t0) / 2) (t0 - d / 2)).
    pose proof (Rmax_l ((d1 + t0) / 2) (t0 - d / 2)) as U1. pose proof (Rmax_r ((d1 + t0) / 2) (t0 - d / 2)) as U2. fold u in U1, U2.
    assert (U3 : u < t0) by (apply Rmax_lub_lt; lra).
    assert (K' : Rabs (e63 u - e63 t0) < - e63 t0).
    { apply (K u). simpl. unfold R_dist. rewrite Rabs_left; lra. }
    apply Rabs_def2 in K'. specialize (P u ltac:(lra)). lra.
  - intros [E0 P] j Hj. split.
    + specialize (Ex t0 j Hj ltac:(lra)). rewrite E0, Rmax_left in Ex; lra.
    + intros t Ht. specialize (Ex t j Hj ltac:(lra)). specialize (P t Ht). rewrite Rmax_right in Ex; lra.
Qed.

(** Figure 6: if nothing is lost before, then by this time at the latest the bursts (case A) or the steady queues (case B) have met
    the threshold. *)
Definition decided : real := d2 + Rmax 0 (((1 + alpha * m) * e63 d2 - alpha * m * gap60 d2) / (kap * C)).

Theorem two_cases_after_d2 t1 Ar Q D : decided <= t1 -> t1 <= tau -> micro_burst M N Z alpha B C (fun _ => R) t1 Ar Q D -> no_loss t1 Ar Q D ->
  d2 <= decided /\
  ((forall i, (i < M)%nat -> threshold sw Q i decided <= Q i decided) \/ (forall j, (M <= j < M + N)%nat -> Q j decided = threshold sw Q j decided)).
Proof.
  intros Hd Ht1 Hm Hno. destruct m60 as (H0 & H12 & Ham & Han). pose proof (Rmax_l 0 (((1 + alpha * m) * e63 d2 - alpha * m * gap60 d2) / (kap * C))) as P0.
  pose proof (Rmax_r 0 (((1 + alpha * m) * e63 d2 - alpha * m * gap60 d2) / (kap * C))) as P1.
  assert (Hdd : d2 <= decided) by (unfold decided; lra). split; auto.
  destruct (excess_is t1 Ar Q D ltac:(lra) Hm Hno decided ltac:(lra)) as [EQ EV].
  assert (Kc : 0 < kap * C) by (apply mul_pos; lra).
  assert (Id : forall t, alpha * m * gap60 t - (1 + alpha * m) * e63 t = alpha * m * gap60 d2 - (1 + alpha * m) * e63 d2 + kap * C * (t - d2)).
  { intros t. unfold g60, lhs63. ring. }
  assert (Big : 0 <= alpha * m * gap60 decided - (1 + alpha * m) * e63 decided).
  { rewrite Id. assert (L : ((1 + alpha * m) * e63 d2 - alpha * m * gap60 d2) / (kap * C) <= decided - d2) by (unfold decided; lra).
    apply (Rmult_le_compat_l (kap * C)) in L; [|lra].
    replace (kap * C * (((1 + alpha * m) * e63 d2 - alpha * m * gap60 d2) / (kap * C))) with ((1 + alpha * m) * e63 d2 - alpha * m * gap60 d2) in L by (field; lra). lra. }
  destruct (Rle_dec (e63 decided) 0) as [c|c].
  - right. intros j Hj. specialize (EV j Hj). destruct (Rlt_dec decided d1); [lra|]. rewrite Rmax_left in EV; lra.
  - left. intros i Hi. rewrite (EQ i Hi).
    assert (G : 0 <= gap60 decided).
    { apply Rnot_lt_le. intros K. pose proof (mul_pos (alpha * m) (- gap60 decided) Ham ltac:(lra)). pose proof (mul_pos (1 + alpha * m) (e63 decided) ltac:(lra) ltac:(lra)). lra. }
    destruct (theorem4 M N Z alpha B C d1 d2 tau R A M_pos alpha_pos B_pos C_pos phases t1 Ar Q D ltac:(lra) Hm) as [_ Fr].
    destruct (Fr Hno decided ltac:(lra)) as [_ F]. unfold threshold. rewrite F by lra. rewrite g60_gap in G. unfold T59, rhs60 in G. simpl.
    lra.
Qed.

End Middle.

(** ** Rates of any shape *)

Section AnyShape.
Variables (M N Z : nat) (alpha B C tau : real) (R A e de : real -> real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (tau_nonneg : 0 <= tau).
Hypothesis bursts : any_bursts M N alpha C tau (fun _ => R) (fun _ => A) e de.
Notation m := (INR M).
Notation n := (INR N).
Notation kap := (1 + alpha * m + alpha * n).
Notation lev := (level M N alpha B C (fun _ => A) e).
Notation Et t := (A t - C * t).

Lemma lev_is t : lev t = alpha * (B - m * Et t - n * e t) / (1 + alpha * n).
Proof. unfold level, grown, length_free. rewrite sum_const. reflexivity. Qed.

Lemma Z_slope t : 0 <= t < tau -> right_derivative (Zt M N alpha C A) t (alpha * sum M (fun _ => R t - C) - (1 + alpha * n) * C).
Proof.
  intros Ht. rewrite sum_const. apply rd_ext with (fun u => alpha * m * A u + ((- (alpha * m * C) - (1 + alpha * n) * C) * u + 0)).
  - exists 1. split; [lra|]. intros. unfold Zt. ring.
  - eapply rd_eq; [apply rd_plus; [apply rd_scal, (arrived_slope _ _ _ _ _ _ _ _ _ bursts 0%nat); auto|apply rd_linear]|ring].
Qed.

Lemma Z_continuous x y : 0 <= x -> y <= tau -> continuous_on (Zt M N alpha C A) x y.
Proof.
  intros Hx Hy. apply continuous_ext with (fun u => alpha * m * A u + ((- (alpha * m * C) - (1 + alpha * n) * C) * u + 0)).
  - intros. unfold Zt. ring.
  - apply continuous_plus; [|apply continuous_linear]. apply continuous_scal, (continuous_sub 0 tau); auto.
    apply (arrived_continuous _ _ _ _ _ _ _ _ _ bursts 0%nat). auto.
Qed.

(** The phase in which t lies: on the threshold, or above it since the instant d. *)
Lemma phase_of t : 0 <= t <= tau -> e t = 0 \/
  exists d, 0 <= d < t /\ e d = 0 /\ (forall u, d < u <= t -> 0 < e u) /\ e t = Zt M N alpha C A t - Zt M N alpha C A d.
Proof.
  intros Ht. pose proof (excess_nonneg _ _ _ _ _ _ _ _ _ bursts t Ht) as He. destruct (Req_dec (e t) 0) as [z|z]; [auto|right].
  assert (Cr : continuous_on (fun x => e (t - x)) 0 t).
  { intros x Hx eps Heps. destruct (excess_continuous _ _ _ _ _ _ _ _ _ bursts (t - x) ltac:(lra) eps Heps) as (d & Hd & K).
    exists d. split; auto. intros y [Hy Hyd]. apply K. split; [lra|]. simpl in *. unfold R_dist in *.
    replace (t - y - (t - x)) with (- (y - x)) by ring. rewrite Rabs_Ropp. exact Hyd. }
  destruct (first_zero (fun x => e (t - x)) 0 t ltac:(lra) Cr) as (p & Hp1 & Hp2 & Hp3).
  - rewrite Rminus_0_r. lra.
  - replace (t - t) with 0 by ring. rewrite (excess_0 _ _ _ _ _ _ _ _ _ bursts). lra.
  - assert (Pos : forall u, t - p < u <= t -> 0 < e u).
    { intros u Hu. specialize (Hp3 (t - u) ltac:(lra)). replace (t - (t - u)) with u in Hp3 by ring. exact Hp3. }
    exists (t - p). split; [lra|]. split; [exact Hp2|]. split; [exact Pos|].
    set (h := fun u => e u - Zt M N alpha C A u).
    assert (Ch : continuous_on h 0 tau).
    { apply continuous_minus; [apply (excess_continuous _ _ _ _ _ _ _ _ _ bursts)|apply Z_continuous; lra]. }
    assert (Const : forall x, t - p < x <= t -> h x = h t).
    { symmetry. apply (constant_of_slope h x t); [lra|apply (continuous_sub 0 tau); auto; lra|].
      intros u Hu. eapply rd_eq; [apply rd_minus; [apply (excess_slope _ _ _ _ _ _ _ _ _ bursts); lra|apply Z_slope; lra]|].
      destruct (excess_rule _ _ _ _ _ _ _ _ _ bursts u ltac:(lra)) as [K _]. rewrite (K (Pos u ltac:(lra))). ring. }
    assert (E : h (t - p) = h t).
    { destruct (Req_dec (h (t - p)) (h t)) as [|Hne]; auto.
      destruct (Ch (t - p) ltac:(lra) (Rabs (h t - h (t - p))) ltac:(apply Rabs_pos_lt; lra)) as (d & Hd & K).
      pose (x := Rmin (t - p + d / 2) t). pose proof (Rmin_l (t - p + d / 2) t) as X1. pose proof (Rmin_r (t - p + d / 2) t) as X2. fold x in X1, X2.
      assert (X3 : t - p < x) by (apply Rmin_glb_lt; lra). specialize (K x). simpl in K. unfold R_dist in K.
      rewrite (Const x ltac:(lra)) in K. assert (Rabs (h t - h (t - p)) < Rabs (h t - h (t - p))); [|lra]. apply K. rewrite Rabs_right; lra. }
    unfold h in E. lra.
Qed.

(** edt.sec3.3.other-scenarios: while the steady queues are on the threshold (54) decides; while they are above it since d, (60)
    with d in the place of d_1; and the first drop is a root of the one that applies. *)
Theorem first_drop_root t : 0 <= t <= tau ->
  ((e t = 0 /\ (Et t <= lev t <-> within54 M N alpha B C A t) /\ (Et t = lev t <-> kap * Et t = alpha * B)) \/
   (exists d, 0 <= d < t /\ e d = 0 /\ (forall u, d < u <= t -> 0 < e u) /\ (Et t <= lev t <-> within60 M N alpha B C d A t) /\
      (Et t = lev t <-> (1 + alpha * m) * A t - kap * C * t = rhs60 M N alpha B C d A))) /\
  (forall Ar Q D, micro_burst M N Z alpha B C (fun _ => R) t Ar Q D ->
     (forall i u, (i < M)%nat -> 0 <= u < t -> rejected (dt_switch (M + N + Z) alpha B C) Ar Q D i u = 0) ->
     (forall d, 0 < d -> exists u, t <= u < t + d /\ u <= tau /\ lev u < Et u) -> 0 < t /\ Et t = lev t).
Proof.
  intros Ht. pose proof (steady_denominator N alpha alpha_pos) as Hn. split.
  - destruct (phase_of t Ht) as [z|(d & Hd & z & Pos & Ee)].
    + left. split; auto. assert (El : lev t * (1 + alpha * n) = alpha * (B - m * Et t)) by (rewrite lev_is, z; field; lra).
      unfold within54. split; split; intros K.
      * apply (Rmult_le_compat_r (1 + alpha * n)) in K; lra.
      * apply Rmult_le_reg_r with (1 + alpha * n); lra.
      * rewrite <- K in El. lra.
      * apply Rmult_eq_reg_r with (1 + alpha * n); lra.
    + right. exists d. split; auto. split; auto. split; auto.
      assert (El : lev t = T59 M N alpha B C d A t) by (rewrite lev_is, Ee; unfold T59, rhs60, Zt; field; lra).
      rewrite El. unfold within60, T59. split; split; intros K; lra.
  - intros Ar Q D Hm Hno Later.
    destruct (first_drop M N Z alpha B C (fun _ => R) (fun _ => A) e de tau M_pos alpha_pos B_pos C_pos tau_nonneg bursts t Ar Q D Ht Hm) as [Iff _].
    pose proof (proj1 Iff Hno) as Ok. set (f := fun u => lev u - Et u).
    assert (Cf : continuous_on f 0 tau).
    { apply continuous_minus; [apply (level_continuous M N alpha B C (fun _ => R) (fun _ => A) e de tau alpha_pos bursts)|].
      apply (E_continuous M N alpha C (fun _ => R) (fun _ => A) e de tau bursts 0). lia. }
    assert (F0 : 0 < f 0).
    { unfold f. rewrite lev_is, (excess_0 _ _ _ _ _ _ _ _ _ bursts), (arrived_0 _ _ _ _ _ _ _ _ _ bursts 0%nat) by lia.
      replace (alpha * (B - m * (0 - C * 0) - n * 0) / (1 + alpha * n) - (0 - C * 0)) with (alpha * B / (1 + alpha * n)) by (field; lra).
      apply Rdiv_lt_0_compat; auto. apply mul_pos; auto. }
    assert (Up : f t <= 0).
    { apply Rnot_lt_le. intros K. destruct (Cf t ltac:(lra) (f t) K) as (d & Hd & Kd). destruct (Later d Hd) as (u & Hu & Hut & Hlt).
      assert (Kf : Rabs (f u - f t) < f t) by (apply (Kd u); split; [lra|]; simpl; unfold R_dist; rewrite Rabs_right; lra).
      apply Rabs_def2 in Kf. unfold f in Kf. lra. }
    assert (Tp : 0 < t) by (destruct (Req_dec t 0) as [->|]; lra).
    assert (Dn : 0 <= f t).
    { apply Rnot_lt_le. intros K. destruct (Cf t ltac:(lra) (- f t) ltac:(lra)) as (d & Hd & Kd).
      pose (u := Rmax 0 (t - d / 2)). pose proof (Rmax_l 0 (t - d / 2)) as U1. pose proof (Rmax_r 0 (t - d / 2)) as U2. fold u in U1, U2.
      assert (U3 : u < t) by (apply Rmax_lub_lt; lra).
      assert (Kf : Rabs (f u - f t) < - f t) by (apply (Kd u); split; [lra|]; simpl; unfold R_dist; rewrite Rabs_left; lra).
      apply Rabs_def2 in Kf. pose proof (Ok 0%nat u ltac:(lia) ltac:(lra)) as L. unfold f, length_free in *. lra. }
    unfold f in *. lra.
Qed.

End AnyShape.

(** ** The slope in the middle phase *)

(** Section 3.3: wherever the rate is above the bound of case a and no burst loses a byte, the threshold falls faster than C,
    whatever the rate was before: M queues grow at R - C, and no other falls faster than C. *)
Theorem slope_fast M N Z alpha B C Rate tau Ar Q D i t : (1 <= M)%nat -> 0 < alpha -> 0 < C -> (forall u, 0 <= u < tau -> 0 <= Rate u) ->
  micro_burst M N Z alpha B C (fun _ => Rate) tau Ar Q D -> 0 <= t < tau -> ~ slow M N alpha C (Rate t) ->
  (forall k, (k < M)%nat -> rejected (dt_switch (M + N + Z) alpha B C) Ar Q D k t = 0) ->
  exists x, right_derivative (threshold (dt_switch (M + N + Z) alpha B C) Q i) t x /\ x < - C.
Proof.
  intros HM Ha HC HR [A S T] Ht F Hno. set (sw := dt_switch (M + N + Z) alpha B C) in *.
  assert (Rates : forall j u, (j < M + N + Z)%nat -> 0 <= u < tau -> 0 <= Ar j u).
  { intros j u Hj Hu. destruct (lt_dec j M) as [c|c]; [rewrite (burst_ports _ _ _ _ _ _ _ _ A j u c Hu); auto|].
    destruct (lt_dec j (M + N)) as [e|e]; [pose proof (steady_ports _ _ _ _ _ _ _ _ A j u ltac:(lia) Hu); lra|].
    apply (other_ports _ _ _ _ _ _ _ _ A j u ltac:(lia) Hu). }
  assert (Sane : sane sw Ar 0 tau) by (split; [intros; simpl; lra|auto]).
  apply fast_iff in F; auto. pose proof (am_pos M alpha HM Ha) as Ham. pose proof (an_pos N alpha Ha) as Han.
  assert (Over : C < Rate t).
  { apply Rnot_le_lt. intros c. pose proof (Rmult_le_compat_l (alpha * INR M) (Rate t - C) 0 ltac:(lra) ltac:(lra)).
    pose proof (Rmult_lt_0_compat (1 + alpha * INR N) C ltac:(lra) HC). lra. }
  assert (Grow : forall j, (j < M)%nat -> D j t = Rate t - C).
  { intros j Hj. specialize (Hno j Hj). unfold rejected, highest in Hno. simpl in Hno.
    rewrite (burst_ports _ _ _ _ _ _ _ _ A j t Hj Ht) in Hno. destruct (Rlt_dec 0 (Q j t)); [|rewrite Rmax_right in Hno]; lra. }
  assert (Steady : forall j, (j < N)%nat -> - C <= D (M + j)%nat t).
  { intros j Hj. apply (drain_at_most_C sw Ar 0 tau Q D (M + j) t Sane T); [simpl; lia|auto]. }
  assert (Quiet : forall j, (j < Z)%nat -> 0 <= D (M + N + j)%nat t).
  { intros j Hj. destruct (underloaded_stays_empty sw Ar 0 tau Q D (M + N + j) Sane T) as [Empty _]; [simpl; lia| |apply (other_empty _ _ _ _ _ _ _ S); lia|].
    - intros u Hu. apply (other_ports _ _ _ _ _ _ _ _ A); [lia|auto].
    - pose proof (rate_bounds sw Ar Q D (M + N + j)%nat t (Rates (M + N + j)%nat t ltac:(lia) Ht) (length_rule _ _ _ _ _ _ T (M + N + j)%nat t ltac:(simpl; lia) Ht)) as [K _].
      unfold lowest in K. rewrite (Empty t ltac:(lra)) in K. destruct (Rlt_dec 0 0); [lra|]. pose proof (Rmax_l 0 (- service sw (M + N + j))). lra. }
  destruct (slopes_exist _ alpha B C Ar 0 tau Q D t T Ht) as (_ & _ & Slope).
  exists (- alpha * sum (M + N + Z) (fun k => D k t)). split; [apply Slope|].
  rewrite !sum_split, (sum_ext M _ (fun _ => Rate t - C)) by (intros; auto). rewrite sum_const.
  pose proof (sum_le N (fun _ => - C) (fun k => D (M + k)%nat t) Steady) as S1. rewrite sum_const in S1.
  pose proof (sum_le Z (fun _ => 0) (fun k => D (M + N + k)%nat t) Quiet) as S2. rewrite sum_const in S2.
  set (a := sum N (fun k => D (M + k)%nat t)) in *. set (b := sum Z (fun k => D (M + N + k)%nat t)) in *.
  assert (alpha * (INR N * - C + INR Z * 0) <= alpha * (a + b)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
