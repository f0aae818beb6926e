(** DT/EDT paper: the remarks on Theorem 1 (Section 3.1) and the settings of EDT (Section 4.2), equations (12) and (69)-(78).

    Theorem 1's times and free buffers are [t_slow], [t_fast], [F_slow], [F_fast] of Theorem1.v.               *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1.
Open Scope R_scope.

(** ** Elementary *)

Lemma div_le_div a b c d : 0 < b -> 0 < d -> a * d <= c * b -> a / b <= c / d.
Proof.
  intros Hb Hd H. apply Rmult_le_reg_r with (b * d); [apply Rmult_lt_0_compat; auto|].
  replace (a / b * (b * d)) with (a * d) by (field; lra). replace (c / d * (b * d)) with (c * b) by (field; lra). lra.
Qed.

Lemma div_eq_div a b c d : 0 < b -> 0 < d -> a / b = c / d -> a * d = c * b.
Proof. intros Hb Hd H. replace (a * d) with (a / b * (b * d)) by (field; lra). rewrite H. field; lra. Qed.

Lemma mul_pos a b : 0 < a -> 0 < b -> 0 < a * b.
Proof. apply Rmult_lt_0_compat. Qed.

Lemma ports_ge (M : nat) : (1 <= M)%nat -> 1 <= INR M.
Proof. intros H. change 1 with (INR 1). apply le_INR, H. Qed.

Section Bounds.
Variables (M N : nat) (alpha B C R : real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R).

Notation m := (INR M).
Notation n := (INR N).

Lemma am : 0 < alpha * m.
Proof. apply am_pos; auto. Qed.

Lemma an : 0 <= alpha * n.
Proof. apply an_pos; auto. Qed.

(** Equation (12): in case (a) the condition (10) is a condition on what the queue may hold. *)
Theorem eq12 d : t_slow M N alpha B C R < d <-> alpha * B / (1 + alpha * (m + n)) < R * d - C * d.
Proof.
  pose proof am. pose proof an. unfold t_slow.
  replace (alpha * B / ((1 + alpha * (m + n)) * (R - C))) with (alpha * B / (1 + alpha * (m + n)) / (R - C)).
  2: { field. repeat split; lra. }
  set (q := alpha * B / (1 + alpha * (m + n))). split; intros K.
  - apply (Rmult_lt_compat_r (R - C)) in K; [|lra].
    replace (q / (R - C) * (R - C)) with q in K by (field; lra). lra.
  - apply Rmult_lt_reg_r with (R - C); [lra|].
    replace (q / (R - C) * (R - C)) with q by (field; lra). lra.
Qed.

(** At the boundary of the cases Theorem 1 is continuous. *)
Theorem theorem1_continuous : R = C * (1 + (1 + alpha * n) / (alpha * m)) ->
  t_slow M N alpha B C R = t_fast M N alpha B C R /\ F_slow M N alpha B = F_fast M N alpha B C R.
Proof.
  pose proof am as Ham. pose proof an as Han. pose proof (ports_ge M M_pos). intros E.
  assert (Er : alpha * m * (R - C) = (1 + alpha * n) * C) by (rewrite E; field; lra).
  assert (Ed : (1 + alpha * n) * ((1 + alpha * m) * (R - C) - alpha * n * C) = (1 + alpha * (m + n)) * (R - C)) by nra.
  unfold t_slow, t_fast, F_slow, F_fast. rewrite Ed. split; [reflexivity|]. field. repeat split; lra.
Qed.

(** ** Equations (69)-(71): what a queue holds when it first drops *)

(** (70): in case (b), t_1 >= t_2 by the formulas (2) and (6). *)
Theorem eq70 : ~ slow M N alpha C R -> (R - C) * t_fast M N alpha B C R <= (R - C) * t_slow M N alpha B C R.
Proof.
  intros H. pose proof am as Ham. pose proof an as Han.
  pose proof (fast_iff M N alpha C R M_pos alpha_pos H) as Hf.
  apply Rmult_le_compat_l; [lra|].
  apply div_le_div; [apply mul_pos; lra|apply mul_pos; lra|].
  apply Rmult_le_compat_l; [left; apply mul_pos; lra|].
  assert (K : 0 <= alpha * n * (alpha * m * (R - C) - (1 + alpha * n) * C)) by (apply Rmult_le_pos; lra). lra.
Qed.

(** The converse, with N >= 1: the formulas are ordered so only in case (b). *)
Theorem eq70_only_case_b : (1 <= N)%nat -> slow M N alpha C R -> 0 < (1 + alpha * m) * (R - C) - alpha * n * C ->
  (R - C) * t_slow M N alpha B C R <= (R - C) * t_fast M N alpha B C R.
Proof.
  intros HN H Hd. pose proof am as Ham. pose proof an as Han. apply slow_iff in H; auto.
  apply Rmult_le_compat_l; [lra|].
  apply div_le_div; [apply mul_pos; lra|apply mul_pos; lra|].
  apply Rmult_le_compat_l; [left; apply mul_pos; lra|].
  assert (K : 0 <= alpha * n * ((1 + alpha * n) * C - alpha * m * (R - C))) by (apply Rmult_le_pos; lra). lra.
Qed.

(** (71), first line: with N >= 1 the length at the drop exceeds its limit for R to infinity; with N = 0 it equals it. *)
Theorem eq71_above_limit : alpha * n * C < (1 + alpha * m) * (R - C) -> (1 <= N)%nat ->
  alpha * B / ((1 + alpha * n) * (1 + alpha * m)) < (R - C) * t_fast M N alpha B C R.
Proof.
  intros H HN. pose proof am as Ham. pose proof (ports_ge N HN) as Hn.
  assert (Han : 0 < alpha * n) by (apply mul_pos; lra).
  unfold t_fast.
  replace ((R - C) * (alpha * B / ((1 + alpha * n) * ((1 + alpha * m) * (R - C) - alpha * n * C))))
    with (alpha * B * (R - C) / ((1 + alpha * n) * ((1 + alpha * m) * (R - C) - alpha * n * C))) by (field; split; lra).
  apply div_lt_div; [apply mul_pos; lra|apply mul_pos; lra|].
  assert (K : 0 < alpha * B * (1 + alpha * n) * (alpha * n * C)).
  { apply mul_pos; [apply mul_pos; [apply mul_pos|]|apply mul_pos]; lra. }
  lra.
Qed.

(** (71) as printed is strict for every N; it is not with N = 0. *)
Theorem eq71_equal_without_steady : N = O ->
  (R - C) * t_fast M N alpha B C R = alpha * B / ((1 + alpha * n) * (1 + alpha * m)).
Proof. intros ->. pose proof am. unfold t_fast. simpl. field. repeat split; try lra. Qed.

End Bounds.

(** (71), the limit for R to infinity. *)
Theorem eq71_limit M N alpha B C : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C ->
  forall eps, 0 < eps -> exists R0, forall R, R0 < R ->
    Rabs ((R - C) * t_fast M N alpha B C R - alpha * B / ((1 + alpha * INR N) * (1 + alpha * INR M))) < eps.
Proof.
  intros HM Ha HB HC eps He. pose proof (am_pos M alpha HM Ha) as Ham. pose proof (an_pos N alpha Ha) as Han.
  set (n := INR N) in *. set (m := INR M) in *.
  set (K := alpha * B * (alpha * n * C) / ((1 + alpha * n) * (1 + alpha * m))).
  assert (HK : 0 <= K).
  { apply Rmult_le_pos; [apply Rmult_le_pos; [left; apply mul_pos; lra|apply Rmult_le_pos; lra]|].
    left. apply Rinv_0_lt_compat, mul_pos; lra. }
  assert (HnC : 0 <= alpha * n * C) by (apply Rmult_le_pos; lra).
  exists (C + (alpha * n * C + K / eps + 1)). intros R HR.
  assert (HKe : 0 <= K / eps) by (apply Rmult_le_pos; [auto|left; apply Rinv_0_lt_compat; auto]).
  assert (Hd : K / eps < (1 + alpha * m) * (R - C) - alpha * n * C).
  { pose proof (mul_pos (alpha * m) (R - C)). lra. }
  assert (Hd0 : 0 < (1 + alpha * m) * (R - C) - alpha * n * C) by lra.
  assert (E : (R - C) * t_fast M N alpha B C R - alpha * B / ((1 + alpha * n) * (1 + alpha * m))
              = K / ((1 + alpha * m) * (R - C) - alpha * n * C)).
  { unfold t_fast, K. fold n m. field. repeat split; lra. }
  rewrite E, Rabs_right.
  - apply Rmult_lt_reg_r with ((1 + alpha * m) * (R - C) - alpha * n * C); auto.
    replace (K / ((1 + alpha * m) * (R - C) - alpha * n * C) * ((1 + alpha * m) * (R - C) - alpha * n * C)) with K by (field; lra).
    apply (Rmult_lt_compat_l eps) in Hd; auto. replace (eps * (K / eps)) with K in Hd by (field; lra). lra.
  - apply Rle_ge, Rmult_le_pos; [auto|left; apply Rinv_0_lt_compat; auto].
Qed.

(** (71), last line: for all real M, N >= 0 with M + N <= P, by the inequality of the two means. *)
Theorem eq71_am_gm m n P alpha B : 0 < alpha -> 0 < B -> 0 <= m -> 0 <= n -> m + n <= P ->
  4 * alpha * B / (2 + alpha * P) ^ 2 <= alpha * B / ((1 + alpha * n) * (1 + alpha * m)).
Proof.
  intros Ha HB Hm Hn HP. pose proof (Rmult_le_pos alpha m). pose proof (Rmult_le_pos alpha n).
  pose proof (Rmult_le_compat_l alpha (m + n) P).
  assert (P2 : 0 < 2 + alpha * P) by lra.
  apply div_le_div; [apply pow_lt; auto|apply mul_pos; lra|].
  assert (K : (2 + alpha * (m + n)) ^ 2 <= (2 + alpha * P) ^ 2) by (apply pow_incr; lra).
  assert (S : 0 <= (alpha * m - alpha * n) ^ 2) by apply pow2_ge_0.
  assert (L : 4 * ((1 + alpha * n) * (1 + alpha * m)) <= (2 + alpha * P) ^ 2) by lra.
  apply (Rmult_le_compat_l (alpha * B)) in L; [lra|]. left. apply mul_pos; auto.
Qed.

(** Equality exactly for M = N = P / 2. *)
Theorem eq71_equality_iff m n P alpha B : 0 < alpha -> 0 < B -> 0 <= m -> 0 <= n -> m + n <= P ->
  (4 * alpha * B / (2 + alpha * P) ^ 2 = alpha * B / ((1 + alpha * n) * (1 + alpha * m)) <-> m = P / 2 /\ n = P / 2).
Proof.
  intros Ha HB Hm Hn HP. pose proof (Rmult_le_pos alpha m). pose proof (Rmult_le_pos alpha n).
  pose proof (Rmult_le_compat_l alpha (m + n) P).
  assert (P2 : 0 < 2 + alpha * P) by lra. split; intros E.
  - apply div_eq_div in E; [|apply pow_lt; auto|apply mul_pos; lra].
    assert (E' : 4 * ((1 + alpha * n) * (1 + alpha * m)) = (2 + alpha * P) ^ 2).
    { apply Rmult_eq_reg_l with (alpha * B); [lra|]. pose proof (mul_pos alpha B). lra. }
    assert (S : 0 <= (alpha * m - alpha * n) ^ 2) by apply pow2_ge_0.
    assert (K : (2 + alpha * (m + n)) ^ 2 <= (2 + alpha * P) ^ 2) by (apply pow_incr; lra).
    assert (Z1 : (alpha * m - alpha * n) * (alpha * m - alpha * n) = 0) by lra.
    apply Rmult_integral in Z1. nra.
  - destruct E as [-> ->]. field. lra.
Qed.

(** (69), (72), (73): cn_2 = 4 alpha B / (2 + alpha P)^2 is reached before the first drop, in both cases (Rule 2). *)
Theorem eq73_rule2_case_a M N P alpha B C R : (1 <= M)%nat -> (M + N <= P)%nat -> 0 < alpha -> 0 < B -> C < R ->
  4 * alpha * B / (2 + alpha * INR P) ^ 2 <= (R - C) * t_slow M N alpha B C R.
Proof.
  intros HM HP Ha HB HR. pose proof (am_pos M alpha HM Ha) as Ham. pose proof (an_pos N alpha Ha) as Han.
  apply Rle_trans with (alpha * B / ((1 + alpha * INR N) * (1 + alpha * INR M))).
  - apply eq71_am_gm; auto using pos_INR. rewrite <- plus_INR. apply le_INR, HP.
  - unfold t_slow.
    replace ((R - C) * (alpha * B / ((1 + alpha * (INR M + INR N)) * (R - C)))) with (alpha * B / (1 + alpha * (INR M + INR N)))
      by (field; repeat split; lra).
    apply div_le_div; [apply mul_pos; lra|lra|]. apply Rmult_le_compat_l; [left; apply mul_pos; lra|].
    pose proof (Rmult_le_pos (alpha * INR M) (alpha * INR N)). lra.
Qed.

Theorem eq73_rule2_case_b M N P alpha B C R :
  (1 <= M)%nat -> (M + N <= P)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R -> ~ slow M N alpha C R ->
  4 * alpha * B / (2 + alpha * INR P) ^ 2 <= (R - C) * t_fast M N alpha B C R.
Proof.
  intros HM HP Ha HB HC HR Hs.
  apply Rle_trans with (alpha * B / ((1 + alpha * INR N) * (1 + alpha * INR M))).
  - apply eq71_am_gm; auto using pos_INR. rewrite <- plus_INR. apply le_INR, HP.
  - destruct (Nat.eq_dec N 0) as [e|e].
    + rewrite (eq71_equal_without_steady M N alpha B C R HM Ha HR e). lra.
    + left. apply eq71_above_limit; auto; [|lia]. pose proof (fast_den M N alpha C R HM Ha HC HR Hs). lra.
Qed.

(** What is safe for every rate is at most the limit. *)
Lemma rule2_every_rate M N alpha B C cn2 : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C ->
  (forall R, C < R -> ~ slow M N alpha C R -> cn2 <= (R - C) * t_fast M N alpha B C R) ->
  cn2 <= alpha * B / ((1 + alpha * INR N) * (1 + alpha * INR M)).
Proof.
  intros HM Ha HB HC H. pose proof (am_pos M alpha HM Ha) as Ham. pose proof (an_pos N alpha Ha) as Han.
  set (lim := alpha * B / ((1 + alpha * INR N) * (1 + alpha * INR M))). apply Rnot_lt_le. intros Hc.
  destruct (eq71_limit M N alpha B C HM Ha HB HC (cn2 - lim)) as (R0 & HR0); [lra|].
  set (b := C * (1 + (1 + alpha * INR N) / (alpha * INR M))). pose (R := Rmax R0 b + C + 1).
  assert (H1 := Rmax_l R0 b). assert (H2 := Rmax_r R0 b).
  assert (H3 : 0 < b).
  { apply mul_pos; auto. pose proof (Rdiv_lt_0_compat (1 + alpha * INR N) (alpha * INR M)). lra. }
  specialize (HR0 R ltac:(unfold R; lra)). specialize (H R ltac:(unfold R; lra) ltac:(unfold slow, R; fold b; lra)).
  pose proof (Rle_abs ((R - C) * t_fast M N alpha B C R - lim)). fold lim in HR0. lra.
Qed.

(** Rule 3: no larger number will do for every rate, when M = N = P / 2. *)
Theorem eq73_rule3 M alpha B C cn2 : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C ->
  (forall R, C < R -> ~ slow M M alpha C R -> cn2 <= (R - C) * t_fast M M alpha B C R) ->
  cn2 <= 4 * alpha * B / (2 + alpha * INR (M + M)) ^ 2.
Proof.
  intros HM Ha HB HC H. pose proof (am_pos M alpha HM Ha) as Ham.
  assert (E : 4 * alpha * B / (2 + alpha * INR (M + M)) ^ 2 = alpha * B / ((1 + alpha * INR M) * (1 + alpha * INR M))).
  { rewrite plus_INR. field. split; lra. }
  rewrite E. apply (rule2_every_rate M M alpha B C); auto.
Qed.

(** For whole M and N with M + N <= P the product is largest at the halves of P, h = floor(P / 2) and P - h. *)
Lemma halves M N P : (M + N <= P)%nat -> (M * N <= (P - P / 2) * (P / 2))%nat.
Proof.
  intros H. pose proof (Nat.div_mod P 2 ltac:(lia)) as E. pose proof (Nat.mod_upper_bound P 2 ltac:(lia)) as U.
  remember (P / 2)%nat as h eqn:Eh. remember (P mod 2)%nat as b eqn:Eb. clear Eh Eb.
  assert (Hb : (b = 0 \/ b = 1)%nat) by lia. destruct Hb as [-> | ->].
  - destruct (Nat.le_gt_cases M h); nia.
  - destruct (Nat.le_gt_cases M h); nia.
Qed.

Definition cn2_whole (alpha B : real) (P : nat) : real :=
  alpha * B / ((1 + alpha * INR (P - P / 2)) * (1 + alpha * INR (P / 2))).

Lemma cn2_whole_safe M N P alpha B : (1 <= M)%nat -> (M + N <= P)%nat -> 0 < alpha -> 0 < B ->
  cn2_whole alpha B P <= alpha * B / ((1 + alpha * INR N) * (1 + alpha * INR M)).
Proof.
  intros HM HP Ha HB. pose proof (halves M N P HP) as Hp. apply le_INR in Hp. rewrite !mult_INR in Hp.
  assert (Hs : INR M + INR N <= INR (P - P / 2) + INR (P / 2)).
  { rewrite <- !plus_INR. apply le_INR. lia. }
  pose proof (an_pos M alpha Ha). pose proof (an_pos N alpha Ha).
  pose proof (an_pos (P - P / 2) alpha Ha). pose proof (an_pos (P / 2) alpha Ha).
  apply div_le_div; [apply mul_pos; lra|apply mul_pos; lra|].
  apply Rmult_le_compat_l; [left; apply mul_pos; auto|].
  pose proof (Rmult_le_compat_l alpha _ _ ltac:(lra) Hs). pose proof (Rmult_le_compat_l (alpha * alpha) _ _ ltac:(left; apply mul_pos; auto) Hp).
  lra.
Qed.

(** The largest number that obeys Rule 2 for all R, M and N with M + N <= P. *)
Theorem cn2_largest P alpha B C cn2 : (1 <= P)%nat -> 0 < alpha -> 0 < B -> 0 < C ->
  ((forall M N R, (1 <= M)%nat -> (M + N <= P)%nat -> C < R ->
      (slow M N alpha C R -> cn2 <= (R - C) * t_slow M N alpha B C R) /\
      (~ slow M N alpha C R -> cn2 <= (R - C) * t_fast M N alpha B C R)) <->
   cn2 <= cn2_whole alpha B P).
Proof.
  intros HP Ha HB HC. split.
  - intros H. pose proof (Nat.div_lt P 2 ltac:(lia) ltac:(lia)) as Hh. unfold cn2_whole.
    replace ((1 + alpha * INR (P - P / 2)) * (1 + alpha * INR (P / 2)))
      with ((1 + alpha * INR (P / 2)) * (1 + alpha * INR (P - P / 2))) by ring.
    apply (rule2_every_rate (P - P / 2) (P / 2) alpha B C); auto; [lia|].
    intros R HR Hs. apply H; auto; lia.
  - intros H M N R HM HMN HR. pose proof (cn2_whole_safe M N P alpha B HM HMN Ha HB) as Hw.
    pose proof (am_pos M alpha HM Ha) as Ham. pose proof (an_pos N alpha Ha) as Han. split; intros Hs.
    + apply Rle_trans with (alpha * B / ((1 + alpha * INR N) * (1 + alpha * INR M))); [lra|]. unfold t_slow.
      replace ((R - C) * (alpha * B / ((1 + alpha * (INR M + INR N)) * (R - C)))) with (alpha * B / (1 + alpha * (INR M + INR N)))
        by (field; repeat split; lra).
      apply div_le_div; [apply mul_pos; lra|lra|]. apply Rmult_le_compat_l; [left; apply mul_pos; lra|].
      pose proof (Rmult_le_pos (alpha * INR M) (alpha * INR N)). lra.
    + apply Rle_trans with (alpha * B / ((1 + alpha * INR N) * (1 + alpha * INR M))); [lra|].
      destruct (Nat.eq_dec N 0) as [e|e].
      * rewrite (eq71_equal_without_steady M N alpha B C R HM Ha HR e). lra.
      * left. apply eq71_above_limit; auto; [|lia]. pose proof (fast_den M N alpha C R HM Ha HC HR Hs). lra.
Qed.

(** ** Equations (74)-(78): TM_1 *)

Section Timer.
Variables (M N P : nat) (alpha B C R d : real).
Hypotheses (M_pos : (1 <= M)%nat) (ports_P : (M + N <= P)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (overloaded : C < R) (d_pos : 0 < d).

Lemma P_ge : INR M + INR N <= INR P.
Proof. rewrite <- plus_INR. apply le_INR, ports_P. Qed.

(** (74) <-> (75) *)
Theorem eq75 : d <= t_slow M N alpha B C R <-> R - C <= alpha * B / ((1 + alpha * (INR M + INR N)) * d).
Proof.
  pose proof (am_pos M alpha M_pos alpha_pos). pose proof (an_pos N alpha alpha_pos). unfold t_slow.
  set (D := 1 + alpha * (INR M + INR N)). assert (HD : 0 < D) by (unfold D; lra). split; intros K.
  - apply (Rmult_le_compat_r (D * (R - C))) in K; [|left; apply mul_pos; lra].
    replace (alpha * B / (D * (R - C)) * (D * (R - C))) with (alpha * B) in K by (field; lra).
    apply Rmult_le_reg_r with (D * d); [apply mul_pos; lra|].
    replace (alpha * B / (D * d) * (D * d)) with (alpha * B) by (field; lra). lra.
  - apply (Rmult_le_compat_r (D * d)) in K; [|left; apply mul_pos; lra].
    replace (alpha * B / (D * d) * (D * d)) with (alpha * B) in K by (field; lra).
    apply Rmult_le_reg_r with (D * (R - C)); [apply mul_pos; lra|].
    replace (alpha * B / (D * (R - C)) * (D * (R - C))) with (alpha * B) by (field; lra). lra.
Qed.

(** (76) *)
Theorem eq76 : alpha * B / ((1 + alpha * INR P) * d) <= alpha * B / ((1 + alpha * (INR M + INR N)) * d).
Proof.
  pose proof (am_pos M alpha M_pos alpha_pos). pose proof (an_pos N alpha alpha_pos). pose proof P_ge.
  pose proof (Rmult_le_compat_l alpha _ _ ltac:(lra) H1).
  apply div_le_div; [apply mul_pos; lra|apply mul_pos; lra|].
  apply Rmult_le_compat_l; [left; apply mul_pos; lra|]. apply Rmult_le_compat_r; lra.
Qed.

(** (77): in case (a) a burst of duration d with that rate loses nothing. *)
Lemma eq77_case_a : R - C <= alpha * B / ((1 + alpha * INR P) * d) -> d <= t_slow M N alpha B C R.
Proof. intros H. apply eq75. pose proof eq76. lra. Qed.

(** (77) for every M and N, if d >= B / C: such bursts lose nothing within d. *)
Theorem tm1_safe : 0 < C -> B / C <= d -> R - C <= alpha * B / ((1 + alpha * INR P) * d) ->
  (slow M N alpha C R -> d <= t_slow M N alpha B C R) /\ (~ slow M N alpha C R -> d <= t_fast M N alpha B C R).
Proof.
  intros HC Hd H. pose proof (am_pos M alpha M_pos alpha_pos) as Ham. pose proof (an_pos N alpha alpha_pos) as Han.
  pose proof P_ge as HP. pose proof (Rmult_le_compat_l alpha _ _ ltac:(lra) HP) as HaP.
  split; [intros _; apply eq77_case_a; auto|]. intros Hs.
  pose proof (fast_iff M N alpha C R M_pos alpha_pos Hs) as Hf.
  assert (K : (1 + alpha * (INR M + INR N)) * (R - C) * d <= alpha * B).
  { apply (Rmult_le_compat_r ((1 + alpha * INR P) * d)) in H; [|left; apply mul_pos; lra].
    replace (alpha * B / ((1 + alpha * INR P) * d) * ((1 + alpha * INR P) * d)) with (alpha * B) in H by (field; lra).
    assert (P1 : 0 < (R - C) * d) by (apply mul_pos; lra).
    pose proof (Rmult_le_compat_r ((R - C) * d) (1 + alpha * (INR M + INR N)) (1 + alpha * INR P)). lra. }
  destruct (Nat.eq_dec N 0) as [e|e].
  - subst N. unfold t_fast. simpl in *.
    replace ((1 + alpha * 0) * ((1 + alpha * INR M) * (R - C) - alpha * 0 * C)) with ((1 + alpha * INR M) * (R - C)) by ring.
    apply Rmult_le_reg_r with ((1 + alpha * INR M) * (R - C)); [apply mul_pos; lra|].
    replace (alpha * B / ((1 + alpha * INR M) * (R - C)) * ((1 + alpha * INR M) * (R - C))) with (alpha * B) by (field; lra).
    lra.
  - assert (BC : B <= C * d).
    { apply (Rmult_le_compat_l C) in Hd; [|lra]. replace (C * (B / C)) with B in Hd by (field; lra). lra. }
    assert (K1 : (1 + alpha * (INR M + INR N)) * (R - C) <= alpha * C).
    { apply Rmult_le_reg_r with d; auto. pose proof (Rmult_le_compat_l alpha B (C * d)). lra. }
    pose proof (ports_ge N ltac:(lia)) as Hn.
    (* alpha M (R - C) > (1 + alpha N) C and (1 + alpha (M + N))(R - C) <= alpha C contradict one another *)
    assert (K2 : alpha * INR M * ((1 + alpha * (INR M + INR N)) * (R - C)) <= alpha * INR M * (alpha * C)) by (apply Rmult_le_compat_l; lra).
    assert (K3 : (1 + alpha * (INR M + INR N)) * ((1 + alpha * INR N) * C) < (1 + alpha * (INR M + INR N)) * (alpha * INR M * (R - C)))
      by (apply Rmult_lt_compat_l; lra).
    assert (K5 : alpha * INR M * (alpha * C) <= alpha * INR M * (alpha * INR N * C)).
    { apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [lra|].
      pose proof (Rmult_le_compat_l alpha 1 (INR N)). lra. }
    assert (K6 : 0 < (1 + alpha * INR N) * C * (1 + alpha * INR N) + alpha * INR M * C).
    { assert (0 < (1 + alpha * INR N) * C) by (apply mul_pos; lra).
      pose proof (mul_pos ((1 + alpha * INR N) * C) (1 + alpha * INR N)). pose proof (mul_pos (alpha * INR M) C). lra. }
    lra.
Qed.

(** (78): the counter takes at least that long exactly when (77) holds. *)
Theorem eq78 :
  4 * alpha * B / (2 + alpha * INR P) ^ 2 / (alpha * B / ((1 + alpha * INR P) * d))
  = 4 * (1 + alpha * INR P) / (2 + alpha * INR P) ^ 2 * d.
Proof. pose proof (Rmult_le_pos alpha (INR P) ltac:(lra) (pos_INR P)). field. repeat split; lra. Qed.

Lemma eq78_iff_eq77 :
  4 * (1 + alpha * INR P) / (2 + alpha * INR P) ^ 2 * d <= 4 * alpha * B / (2 + alpha * INR P) ^ 2 / (R - C)
  <-> R - C <= alpha * B / ((1 + alpha * INR P) * d).
Proof.
  pose proof (Rmult_le_pos alpha (INR P) ltac:(lra) (pos_INR P)) as HP.
  set (p := 1 + alpha * INR P). assert (Hp : 0 < p) by (unfold p; lra).
  replace (2 + alpha * INR P) with (p + 1) by (unfold p; lra). set (q := (p + 1) ^ 2).
  assert (Hq : 0 < q) by (apply pow_lt; lra). split; intros K.
  - apply (Rmult_le_compat_r (q * (R - C))) in K; [|left; apply mul_pos; lra].
    replace (4 * p / q * d * (q * (R - C))) with (4 * p * d * (R - C)) in K by (field; lra).
    replace (4 * alpha * B / q / (R - C) * (q * (R - C))) with (4 * alpha * B) in K by (field; lra).
    apply Rmult_le_reg_r with (p * d); [apply mul_pos; lra|].
    replace (alpha * B / (p * d) * (p * d)) with (alpha * B) by (field; lra). lra.
  - apply (Rmult_le_compat_r (p * d)) in K; [|left; apply mul_pos; lra].
    replace (alpha * B / (p * d) * (p * d)) with (alpha * B) in K by (field; lra).
    apply Rmult_le_reg_r with (q * (R - C)); [apply mul_pos; lra|].
    replace (4 * p / q * d * (q * (R - C))) with (4 * p * d * (R - C)) by (field; lra).
    replace (4 * alpha * B / q / (R - C) * (q * (R - C))) with (4 * alpha * B) by (field; lra). lra.
Qed.

End Timer.

(** ** Monotonicity of the free buffer at the drop *)

(** Case (a): it falls strictly with M + N. *)
Theorem free_buffer_case_a M N M' N' alpha B : 0 < alpha -> 0 < B -> (M + N < M' + N')%nat ->
  F_slow M' N' alpha B < F_slow M N alpha B.
Proof.
  intros Ha HB H. apply lt_INR in H. rewrite !plus_INR in H. pose proof (pos_INR M). pose proof (pos_INR N).
  apply Rmult_lt_compat_l; auto.
  pose proof (Rmult_lt_compat_l alpha _ _ Ha H). pose proof (Rmult_le_pos alpha (INR M + INR N)).
  apply Rinv_lt_contravar; [apply mul_pos; lra|lra].
Qed.

(** Case (b): one more burst lowers it ... *)
Theorem free_buffer_case_b_bursts M N alpha B C R :
  (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R -> ~ slow M N alpha C R -> ~ slow (S M) N alpha C R ->
  F_fast (S M) N alpha B C R < F_fast M N alpha B C R.
Proof.
  intros HM Ha HB HC HR H H'. pose proof (an_pos N alpha Ha).
  pose proof (fast_den M N alpha C R HM Ha HC HR H) as D. pose proof (fast_den (S M) N alpha C R ltac:(lia) Ha HC HR H') as D'.
  rewrite S_INR in *. unfold F_fast. rewrite S_INR. apply div_lt_div; [apply mul_pos; lra|apply mul_pos; lra|].
  apply Rmult_lt_compat_l; [apply mul_pos; lra|]. apply Rmult_lt_compat_l; [lra|].
  pose proof (mul_pos alpha (R - C)). lra.
Qed.

(** ... and one more steady port raises it exactly when (1 + alpha M)(R - C) < (1 + alpha (2 N + 1)) C. *)
Theorem free_buffer_case_b_steady M N alpha B C R :
  (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R -> ~ slow M N alpha C R -> ~ slow M (S N) alpha C R ->
  (F_fast M N alpha B C R < F_fast M (S N) alpha B C R <->
   (1 + alpha * INR M) * (R - C) < (1 + alpha * (2 * INR N + 1)) * C).
Proof.
  intros HM Ha HB HC HR H H'. pose proof (an_pos N alpha Ha) as Han.
  pose proof (fast_den M N alpha C R HM Ha HC HR H) as D. pose proof (fast_den M (S N) alpha C R HM Ha HC HR H') as D'.
  rewrite S_INR in *. unfold F_fast. rewrite S_INR. set (n := INR N) in *. set (m := INR M) in *.
  set (A := (1 + alpha * n) * ((1 + alpha * m) * (R - C) - alpha * n * C)).
  set (A' := (1 + alpha * (n + 1)) * ((1 + alpha * m) * (R - C) - alpha * (n + 1) * C)).
  assert (HA : 0 < A) by (apply mul_pos; lra). assert (HA' : 0 < A') by (apply mul_pos; lra).
  assert (E : A' - A = alpha * ((1 + alpha * m) * (R - C) - (1 + alpha * (2 * n + 1)) * C)) by (unfold A, A'; ring).
  assert (Hn : 0 < (R - C) * B) by (apply mul_pos; lra). split; intros K.
  - apply (Rmult_lt_compat_r (A * A')) in K; [|apply mul_pos; auto].
    replace ((R - C) * B / A * (A * A')) with ((R - C) * B * A') in K by (field; lra).
    replace ((R - C) * B / A' * (A * A')) with ((R - C) * B * A) in K by (field; lra).
    apply Rmult_lt_reg_l in K; auto.
    assert (K' : alpha * ((1 + alpha * m) * (R - C) - (1 + alpha * (2 * n + 1)) * C) < alpha * 0) by lra.
    apply Rmult_lt_reg_l in K'; lra.
  - apply div_lt_div; auto. apply Rmult_lt_compat_l; auto.
    pose proof (mul_pos alpha ((1 + alpha * (2 * n + 1)) * C - (1 + alpha * m) * (R - C))). lra.
Qed.

(** It does: alpha = 1, B = 1, C = 1, four bursts of rate 44/25, and a second steady port beside the first. *)
Theorem free_buffer_case_b_rises :
  exists M N alpha B C R, (1 <= M)%nat /\ 0 < alpha /\ 0 < B /\ 0 < C /\ C < R /\
    ~ slow M N alpha C R /\ ~ slow M (S N) alpha C R /\ F_fast M N alpha B C R < F_fast M (S N) alpha B C R.
Proof.
  exists 4%nat, 1%nat, 1, 1, 1, (1 + 19 / 25).
  assert (S1 : ~ slow 4 1 1 1 (1 + 19 / 25)) by (unfold slow; simpl; lra).
  assert (S2 : ~ slow 4 2 1 1 (1 + 19 / 25)) by (unfold slow; simpl; lra).
  repeat split; try lra; try lia; auto.
  apply free_buffer_case_b_steady; auto; try lra; try lia. simpl. lra.
Qed.

(** ** Slips that are plain inequalities *)

(** Equation (33) is printed with the wrong sign: (32) and D >= -C give T' < -C. *)
Theorem eq33_negation alpha n C T' D : 0 <= alpha * n -> - C <= D ->
  T' < - (1 + alpha * n) * C - alpha * n * D -> T' < - C /\ ~ (T' > - C).
Proof. intros Ha HD H. pose proof (Rmult_le_compat_l (alpha * n) (- C) D Ha HD). split; lra. Qed.

(** Equation (21): with G_1 <= (1 + alpha N) C / alpha, (19) gives T' >= - C - alpha N (C + D). *)
Theorem eq21 alpha n C G D T' : 0 < alpha -> G <= (1 + alpha * n) * C / alpha ->
  T' = - (alpha * G) - alpha * n * D -> - C - alpha * n * (C + D) <= T'.
Proof.
  intros Ha H ->. apply (Rmult_le_compat_l alpha) in H; [|lra].
  replace (alpha * ((1 + alpha * n) * C / alpha)) with ((1 + alpha * n) * C) in H by (field; lra). lra.
Qed.

(** Equation (32): with G_1 > (1 + alpha N) C / alpha, (19) gives T' < - (1 + alpha N) C - alpha N D. *)
Theorem eq32 alpha n C G D T' : 0 < alpha -> (1 + alpha * n) * C / alpha < G ->
  T' = - (alpha * G) - alpha * n * D -> T' < - (1 + alpha * n) * C - alpha * n * D.
Proof.
  intros Ha H ->. apply (Rmult_lt_compat_l alpha) in H; auto.
  replace (alpha * ((1 + alpha * n) * C / alpha)) with ((1 + alpha * n) * C) in H by (field; lra). lra.
Qed.
