(** The theorems of the DT/EDT paper in one statement each, both cases together, as the ledger cites them.  *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 Solve Theorem2Mixed Theorem2 Theorem3 CountersBounds Theorem5 Theorem1Evolution.
Open Scope R_scope.

(** Equations (10) and (11): the drop time and the free buffer, by cases. *)
Definition eq10_time (M N : nat) (alpha B C R : real) : real :=
  if Rle_dec R (C * (1 + (1 + alpha * INR N) / (alpha * INR M))) then t_slow M N alpha B C R else t_fast M N alpha B C R.
Definition eq11_free (M N : nat) (alpha B C R : real) : real :=
  if Rle_dec R (C * (1 + (1 + alpha * INR N) / (alpha * INR M))) then F_slow M N alpha B else F_fast M N alpha B C R.

Section Theorem1.
Variables (M N Z : nat) (alpha B C R tau : real) (Ar Q D : nat -> real -> real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R) (tau_nonneg : 0 <= tau).
Hypothesis scenario : micro_burst M N Z alpha B C (fun _ _ => R) tau Ar Q D.
Notation sw := (dt_switch (M + N + Z) alpha B C).
Notation m := (INR M).
Notation n := (INR N).

(** Theorem 1: while all bursts last, port k drops exactly from (10) on, with (11) free at that time. *)
Theorem theorem1 k : (k < M)%nat ->
  (tau <= eq10_time M N alpha B C R -> forall t, 0 <= t < tau -> rejected sw Ar Q D k t = 0) /\
  (eq10_time M N alpha B C R < tau ->
     drops_first_at sw Ar Q D k 0 (eq10_time M N alpha B C R) /\
     free sw Q (eq10_time M N alpha B C R) = eq11_free M N alpha B C R /\
     forall t, eq10_time M N alpha B C R <= t < tau -> 0 < rejected sw Ar Q D k t).
Proof.
  intros Hk. unfold eq10_time, eq11_free. destruct (Rle_dec R (C * (1 + (1 + alpha * n) / (alpha * m)))) as [c|c].
  - destruct (theorem1_case_a M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded tau Ar Q D tau_nonneg c scenario k Hk) as [H1 H2].
    split; auto. intros Hlt. destruct (H2 Hlt) as (K1 & K2 & _ & K4). repeat split; try apply K1; auto.
    intros t Ht. rewrite K4 by auto. lra.
  - destruct (theorem1_case_b M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded c tau Ar Q D tau_nonneg scenario k Hk) as [H1 H2].
    split; auto. intros Hlt. destruct (H2 Hlt) as (K1 & K2 & _ & K4). repeat split; try apply K1; auto.
Qed.

(** The slope of the threshold at 0+: at least -C in case (a), less in case (b). *)
Theorem theorem1_slopes i : 0 < tau ->
  (slow M N alpha C R -> right_derivative (threshold sw Q i) 0 (- (alpha * m * (R - C) / (1 + alpha * n))) /\
                         alpha * m * (R - C) / (1 + alpha * n) <= C) /\
  (~ slow M N alpha C R -> right_derivative (threshold sw Q i) 0 (- (alpha * (m * (R - C) - n * C))) /\
                           C < alpha * (m * (R - C) - n * C)).
Proof.
  intros Ht. pose proof (steady_denominator N alpha alpha_pos) as Hn. split; intros Hs.
  - destruct (evolution_a M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded tau_nonneg scenario Hs 0 ltac:(lra))
      as (_ & _ & _ & _ & K & _).
    pose proof (t1_pos M N alpha B C R M_pos alpha_pos B_pos overloaded).
    destruct (Rlt_dec 0 (t_slow M N alpha B C R)); [|lra]. split; auto. apply slow_iff in Hs; auto.
    apply Rmult_le_reg_r with (1 + alpha * n); auto.
    replace (alpha * m * (R - C) / (1 + alpha * n) * (1 + alpha * n)) with (alpha * m * (R - C)) by (field; lra). lra.
  - destruct (evolution_b M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded tau_nonneg scenario Hs) as [Ho K].
    destruct (K 0 ltac:(lra)) as (_ & _ & _ & _ & _ & K' & _).
    destruct (Rlt_dec 0 (t_fast M N alpha B C R)); [|lra]. split; auto. apply fast_iff in Hs; auto. lra.
Qed.

(** Both cases: at 0+ the free buffer, the threshold and the steady queues fall. *)
Theorem theorem1_all_fall : 0 < tau ->
  (exists x, right_derivative (threshold sw Q 0) 0 x /\ x < 0) /\
  (exists x, right_derivative (free sw Q) 0 x /\ x < 0) /\
  (forall j, (M <= j < M + N)%nat -> exists x, right_derivative (Q j) 0 x /\ x < 0).
Proof.
  intros Ht. pose proof (am_pos M alpha M_pos alpha_pos) as Ham. pose proof (steady_denominator N alpha alpha_pos) as Hn.
  assert (T : exists x, right_derivative (threshold sw Q 0) 0 x /\ x < 0).
  { destruct (theorem1_slopes 0 Ht) as [Ka Kb]. destruct (Rle_dec R (C * (1 + (1 + alpha * n) / (alpha * m)))) as [c|c].
    - destruct (Ka c) as [K _]. eexists. split; [exact K|].
      assert (0 < alpha * m * (R - C) / (1 + alpha * n)); [|lra].
      apply Rdiv_lt_0_compat; auto. apply Rmult_lt_0_compat; lra.
    - destruct (Kb c) as [K K']. eexists. split; [exact K|]. lra. }
  destruct T as (x & K & Kx). split; [exists x; auto|]. split.
  - exists (/ alpha * x). split.
    + apply rd_ext with (fun u => / alpha * threshold sw Q 0 u); [|apply rd_scal, K].
      exists 1. split; [lra|]. intros h Hh. unfold threshold. simpl. field. lra.
    + assert (0 < / alpha) by (apply Rinv_0_lt_compat; auto). pose proof (Rmult_lt_0_compat (/ alpha) (- x)). lra.
  - intros j Hj. destruct (Rle_dec R (C * (1 + (1 + alpha * n) / (alpha * m)))) as [c|c].
    + exists x. split; auto. apply rd_ext with (threshold sw Q 0); auto. exists tau. split; auto. intros h Hh.
      destruct (evolution_a M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded tau_nonneg scenario c (0 + h) ltac:(lra))
        as (_ & _ & Kj & _). rewrite (Kj j Hj). unfold threshold. simpl. lra.
    + exists (- C). split; [|lra].
      destruct (evolution_b M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded tau_nonneg scenario c) as [Ho Kb].
      apply rd_ext with (fun u => (- C) * Rmin u (t_meet M N alpha B C) + alpha * F0 N alpha B).
      * exists tau. split; auto. intros h Hh. destruct (Kb (0 + h) ltac:(lra)) as (_ & Kj & _). rewrite (Kj j Hj). lra.
      * eapply rd_eq; [apply rd_stopped|]. destruct (Rlt_dec 0 (t_meet M N alpha B C)); lra.
Qed.

(** Case (a) from t_1 on: all M + N queues rest on the threshold, and each burst loses R - C. *)
Theorem theorem1_rest_a t : slow M N alpha C R -> t_slow M N alpha B C R <= t < tau ->
  (forall i, (i < M + N)%nat -> Q i t = threshold sw Q i t /\ Q i t = alpha * B / (1 + alpha * (m + n))) /\
  (forall k, (k < M)%nat -> rejected sw Ar Q D k t = R - C).
Proof.
  intros Hs Ht. pose proof (am_pos M alpha M_pos alpha_pos) as Ham. pose proof (an_pos N alpha alpha_pos) as Han.
  pose proof (t1_pos M N alpha B C R M_pos alpha_pos B_pos overloaded) as Hp.
  destruct (evolution_a M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded tau_nonneg scenario Hs t ltac:(lra))
    as (KF & _ & _ & _ & _ & K). split.
  - intros i Hi. rewrite (K ltac:(lra) i Hi). split; auto. unfold threshold. rewrite KF, Rmin_right by lra.
    rewrite (F_slow_at_t1 M N alpha B C R) by auto. unfold F_slow. simpl. lra.
  - intros k Hk. destruct (theorem1_case_a M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded tau Ar Q D tau_nonneg Hs scenario k Hk)
      as [_ H2]. destruct (H2 ltac:(lra)) as (_ & _ & _ & K4). auto.
Qed.

(** The free buffer is smallest at the first drop, and there at least B / ((1 + alpha N) (1 + alpha M)). *)
Theorem reserve : (forall t, 0 <= t <= tau -> eq11_free M N alpha B C R <= free sw Q t) /\
  B / ((1 + alpha * n) * (1 + alpha * m)) <= eq11_free M N alpha B C R.
Proof.
  pose proof (am_pos M alpha M_pos alpha_pos) as Ham. pose proof (an_pos N alpha alpha_pos) as Han.
  unfold eq11_free. destruct (Rle_dec R (C * (1 + (1 + alpha * n) / (alpha * m)))) as [c|c].
  - split.
    + intros t Ht. destruct (evolution_a M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded tau_nonneg scenario c t Ht) as (KF & _).
      rewrite KF, <- (F_slow_at_t1 M N alpha B C R M_pos alpha_pos overloaded).
      assert (0 <= m * (R - C) / (1 + alpha * n)).
      { apply Rmult_le_pos; [apply Rmult_le_pos; [apply pos_INR|lra]|left; apply Rinv_0_lt_compat; lra]. }
      pose proof (Rmult_le_compat_l _ _ _ H (Rmin_r t (t_slow M N alpha B C R))). lra.
    + apply div_le_div; [apply mul_pos; lra|lra|]. apply Rmult_le_compat_l; [lra|].
      pose proof (Rmult_le_pos (alpha * m) (alpha * n)). lra.
  - pose proof (fast_iff M N alpha C R M_pos alpha_pos c) as Hf.
    pose proof (t2_lt_t3 M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded c) as H23.
    split.
    + intros t Ht. destruct (fast_start M N alpha B C R) as [S1 S2]; auto.
      destruct (micro_burst_unique M N Z alpha B C (fun _ _ => R) tau Ar Q D
         (W_fast M N alpha B C R) (w_fast M N alpha B C R) (V_fast M N alpha B C) (v_fast M N alpha B C))
        as (UF & _); auto; [intros; lra|apply fast_class; auto|].
      rewrite UF by auto. pose proof (fast_gap_burst M N alpha B C R M_pos alpha_pos C_pos overloaded c t) as G.
      apply Rmult_le_reg_l with alpha; auto.
      assert (E : alpha * F_fast M N alpha B C R = (R - C) * t_fast M N alpha B C R).
      { unfold F_fast, t_fast. repeat split; lra. }
      pose proof (climb_bounds M N alpha C R M_pos alpha_pos C_pos overloaded c) as [c1 c2].
      assert (Lw : W_fast M N alpha B C R 0 t = (R - C) * Rmin t (t_fast M N alpha B C R)
               + alpha * n * C / (1 + alpha * m) * (Rmin t (t_meet M N alpha B C) - Rmin t (t_fast M N alpha B C R))) by reflexivity.
      pose proof (Rmin_r t (t_fast M N alpha B C R)) as R2.
      assert (R3 : Rmin t (t_fast M N alpha B C R) <= Rmin t (t_meet M N alpha B C)) by (apply Rle_min_compat_l; lra).
      pose proof (Rmult_le_pos _ _ c1 (Rge_le _ _ (Rge_minus _ _ (Rle_ge _ _ R3)))) as P1.
      assert (P2 : 0 <= ((1 + alpha * m) * (R - C) - alpha * n * C - (R - C)) * (t_fast M N alpha B C R - Rmin t (t_fast M N alpha B C R))).
      { apply Rmult_le_pos; lra. }
      lra.
    + apply div_le_div; [apply mul_pos; lra|apply mul_pos; lra|].
      assert (P : 0 <= B * (1 + alpha * n) * (alpha * n * C)).
      { apply Rmult_le_pos; [apply Rmult_le_pos; lra|apply Rmult_le_pos; lra]. }
      lra.
Qed.

(** (74): in case (a), and with N = 0 in both, nothing is lost within d <= t_1. *)
Theorem eq74 k : slow M N alpha C R \/ N = O -> tau <= t_slow M N alpha B C R -> (k < M)%nat ->
  forall t, 0 <= t < tau -> rejected sw Ar Q D k t = 0.
Proof.
  intros Hs Htau Hk. destruct (theorem1 k Hk) as [H _]. apply H. unfold eq10_time.
  destruct (Rle_dec R (C * (1 + (1 + alpha * n) / (alpha * m)))) as [c|c]; auto.
  destruct Hs as [Hs|Hs]; [contradiction|]. subst N.
  unfold t_slow, t_fast in *. simpl in *.
  replace ((1 + alpha * 0) * ((1 + alpha * m) * (R - C) - alpha * 0 * C)) with ((1 + alpha * (m + 0)) * (R - C)) by ring. auto.
Qed.

(** (77), (78): if d >= B / C, bursts that grow no faster than alpha B / ((1 + alpha P) d) lose nothing within d;
    the counter C2 takes at least the time (78) to reach cn_2 exactly for such bursts. *)
Theorem eq77_no_loss P k : (M + N <= P)%nat -> B / C <= tau -> 0 < tau ->
  R - C <= alpha * B / ((1 + alpha * INR P) * tau) -> (k < M)%nat ->
  forall t, 0 <= t < tau -> rejected sw Ar Q D k t = 0.
Proof.
  intros HP Hd Htp H Hk. destruct (theorem1 k Hk) as [K _]. apply K.
  destruct (tm1_safe M N P alpha B C R tau M_pos HP alpha_pos B_pos overloaded Htp C_pos Hd H) as [Ka Kb].
  unfold eq10_time. destruct (Rle_dec R (C * (1 + (1 + alpha * n) / (alpha * m)))) as [c|c]; [apply Ka, c|apply Kb, c].
Qed.

Theorem eq78_no_loss P k : (M + N <= P)%nat -> B / C <= tau -> 0 < tau ->
  4 * (1 + alpha * INR P) / (2 + alpha * INR P) ^ 2 * tau <= 4 * alpha * B / (2 + alpha * INR P) ^ 2 / (R - C) ->
  (k < M)%nat -> forall t, 0 <= t < tau -> rejected sw Ar Q D k t = 0.
Proof.
  intros HP Hd Htp H Hk. apply (eq77_no_loss P k); auto.
  apply (eq78_iff_eq77 P alpha B C R tau); auto.
Qed.

End Theorem1.

(** (70) where it is true: R at least the bound of case (a), or no steady ports. *)
Theorem eq70_exact M N alpha B C R : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R ->
  C * (1 + (1 + alpha * INR N) / (alpha * INR M)) <= R \/ N = O ->
  (R - C) * t_fast M N alpha B C R <= (R - C) * t_slow M N alpha B C R.
Proof.
  intros HM Ha HB HC HR [H|H].
  - destruct (Rle_lt_or_eq_dec _ _ H) as [c|c].
    + apply eq70; auto. unfold slow. lra.
    + destruct (theorem1_continuous M N alpha B C R HM Ha HR) as [E _]; [lra|]. rewrite E. lra.
  - subst N. right. unfold t_fast, t_slow. simpl.
    replace ((1 + alpha * 0) * ((1 + alpha * INR M) * (R - C) - alpha * 0 * C)) with ((1 + alpha * (INR M + 0)) * (R - C)) by ring.
    reflexivity.
Qed.

(** (69), (72): cn_2 <= 4 alpha B / (2 + alpha P)^2 is sufficient for Rule 2. *)
Theorem eq72_sufficient M N P alpha B C R cn2 :
  (1 <= M)%nat -> (M + N <= P)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R ->
  cn2 <= 4 * alpha * B / (2 + alpha * INR P) ^ 2 -> cn2 <= (R - C) * eq10_time M N alpha B C R.
Proof.
  intros HM HP Ha HB HC HR H. unfold eq10_time.
  destruct (Rle_dec R (C * (1 + (1 + alpha * INR N) / (alpha * INR M)))) as [c|c].
  - pose proof (eq73_rule2_case_a M N P alpha B C R HM HP Ha HB HR). lra.
  - pose proof (eq73_rule2_case_b M N P alpha B C R HM HP Ha HB HC HR c). lra.
Qed.

(** (72) and (73) for an even number of ports: necessary and sufficient. *)
Theorem eq73_even h alpha B C cn2 : (1 <= h)%nat -> 0 < alpha -> 0 < B -> 0 < C ->
  ((forall M N R, (1 <= M)%nat -> (M + N <= h + h)%nat -> C < R -> cn2 <= (R - C) * eq10_time M N alpha B C R) <->
   cn2 <= 4 * alpha * B / (2 + alpha * INR (h + h)) ^ 2).
Proof.
  intros Hh Ha HB HC. split.
  - intros H. apply (eq73_rule3 h alpha B C); auto. intros R HR Hs. specialize (H h h R Hh ltac:(lia) HR).
    unfold eq10_time in H. destruct (Rle_dec R (C * (1 + (1 + alpha * INR h) / (alpha * INR h)))); [contradiction|auto].
  - intros H M N R HM HMN HR. apply (eq72_sufficient M N (h + h)); auto.
Qed.

(** TM_1 by (78) is shorter than d. *)
Theorem tm1_shorter P alpha d : (1 <= P)%nat -> 0 < alpha -> 0 < d ->
  4 * (1 + alpha * INR P) / (2 + alpha * INR P) ^ 2 * d < d.
Proof.
  intros HP Ha Hd. pose proof (am_pos P alpha HP Ha) as H. set (x := alpha * INR P) in *.
  assert (Q : 0 < (2 + x) ^ 2) by (apply pow_lt; lra).
  rewrite <- (Rmult_1_l d) at 2. apply Rmult_lt_compat_r; auto.
  apply Rmult_lt_reg_r with ((2 + x) ^ 2); auto.
  replace (4 * (1 + x) / (2 + x) ^ 2 * (2 + x) ^ 2) with (4 * (1 + x)) by (field; lra).
  pose proof (Rmult_lt_0_compat x x). lra.
Qed.

(** Bursts of one rate meet the threshold together, by (14) and by (31). *)
Theorem ties M N alpha B C R k : 0 < alpha -> 0 < B -> 0 < C ->
  (forall i, (i < M)%nat -> C < R i) -> (S k < M)%nat -> R k = R (S k) ->
  recursion14 M N alpha B C R (S k) = recursion14 M N alpha B C R (S (S k)) /\
  (forall L, last_stage M N alpha C R L -> (S k < L)%nat ->
     recursion31 M N alpha B C R (S k) = recursion31 M N alpha B C R (S (S k))).
Proof.
  intros Ha HB HC Ho Hk E. split.
  - rewrite !theorem2_closed_form by (auto; lia). rewrite (theorem2_ties M N alpha B C R k Hk E), E. reflexivity.
  - intros L HL HkL. pose proof (theorem3_ties M N alpha B C R Ha HB HC Ho L HL k HkL E) as T.
    rewrite (surjective_pairing (recursion31 M N alpha B C R (S k))), (surjective_pairing (recursion31 M N alpha B C R (S (S k)))).
    rewrite (F31_is M N alpha B C R Ha HB HC Ho L HL k), (F31_is M N alpha B C R Ha HB HC Ho L HL (S k)) by lia.
    change (fst (recursion31 M N alpha B C R (S k))) with (t31 M N alpha B C R k).
    rewrite T, E. reflexivity.
Qed.

(** ** Theorem 5 *)

(** When the buffer overflows under EDT. *)
Definition overflow (M N : nat) (alpha B C R : real) : real :=
  if Rle_dec R (C * (1 + (1 + alpha * INR N) / (alpha * INR M))) then over_slow M B C R else over_fast M N alpha B C R.

(** EDT loses nothing before the overflow, at which the buffer is full; no policy does better. *)
Theorem theorem5 M N Z alpha B C R u tau Ar Q D :
  (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R ->
  u <= eq10_time M N alpha B C R -> tau <= overflow M N alpha B C R ->
  edt_run M N Z alpha B C R u tau Ar Q D ->
  (forall k t, (k < M)%nat -> 0 <= t < tau ->
     rejected (if Rlt_dec t u then dt_switch (M + N + Z) alpha B C else edt_switch M (M + N + Z) alpha B C) Ar Q D k t = 0) /\
  (forall t, u <= t <= tau ->
     (t < overflow M N alpha B C R -> 0 < free (edt_switch M (M + N + Z) alpha B C) Q t) /\
     (t = overflow M N alpha B C R -> free (edt_switch M (M + N + Z) alpha B C) Q t = 0)).
Proof.
  intros HM Ha HB HC HR. unfold eq10_time, overflow.
  destruct (Rle_dec R (C * (1 + (1 + alpha * INR N) / (alpha * INR M)))) as [c|c]; intros Hu Htau Hrun.
  - destruct (theorem5_case_a M N Z alpha B C R HM Ha HB HC HR u tau Ar Q D c Hu Htau Hrun) as [K1 K2]. split; auto.
    destruct (theorem5_overflow_a M N alpha B C R HM Ha HR) as (_ & K3 & K4).
    intros t Ht. rewrite K2 by auto. split; intros H; [apply K3, H|rewrite H; exact K4].
  - destruct (theorem5_case_b M N Z alpha B C R HM Ha HB HC HR u tau Ar Q D c Hu Htau Hrun) as [K1 K2]. split; auto.
    destruct (theorem5_overflow_b M N alpha B C R HM Ha HC c) as (K3 & K4).
    intros t Ht. rewrite K2 by auto. split; intros H; [apply K3, H|rewrite H; exact K4].
Qed.

(** The overflow of EDT is later than the drop of DT, in both cases. *)
Theorem edt_absorbs_more M N alpha B C R : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R ->
  eq10_time M N alpha B C R < overflow M N alpha B C R /\
  (slow M N alpha C R -> overflow M N alpha B C R = eq10_time M N alpha B C R * (1 + (1 / (alpha * INR M) + INR N / INR M))) /\
  (~ slow M N alpha C R -> overflow M N alpha B C R =
     eq10_time M N alpha B C R * (1 + (R - C) / (alpha * (INR M * (R - C) - INR N * C)))).
Proof.
  intros HM Ha HB HC HR. unfold eq10_time, overflow.
  destruct (Rle_dec R (C * (1 + (1 + alpha * INR N) / (alpha * INR M)))) as [c|c].
  - assert (E := theorem5_comparison M N alpha B C R HM Ha HR). split; [|split; [auto|contradiction]].
    pose proof (t1_pos M N alpha B C R HM Ha HB HR) as P. pose proof (ports_ge M HM). pose proof (pos_INR N).
    assert (0 < 1 / (alpha * INR M)) by (apply Rdiv_lt_0_compat; [lra|apply Rmult_lt_0_compat; lra]).
    assert (0 <= INR N / INR M) by (apply Rmult_le_pos; [auto|left; apply Rinv_0_lt_compat; lra]).
    pose proof (Rmult_lt_0_compat (t_slow M N alpha B C R) (1 / (alpha * INR M) + INR N / INR M)). lra.
  - destruct (theorem5_comparison_b M N alpha B C R HM Ha HB HC HR c) as [E L]. split; [auto|split; [contradiction|auto]].
Qed.

(** ... which is its limit for R to infinity. *)
Theorem reserve_limit M N alpha B C : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C ->
  forall eps, 0 < eps -> exists R0, forall R, R0 < R ->
    Rabs (F_fast M N alpha B C R - B / ((1 + alpha * INR N) * (1 + alpha * INR M))) < eps.
Proof.
  intros HM Ha HB HC eps He.
  destruct (eq71_limit M N alpha B C HM Ha HB HC (alpha * eps) (Rmult_lt_0_compat _ _ Ha He)) as (R0 & H).
  exists R0. intros R HR. specialize (H R HR).
  replace ((R - C) * t_fast M N alpha B C R - alpha * B / ((1 + alpha * INR N) * (1 + alpha * INR M)))
    with (alpha * (F_fast M N alpha B C R - B / ((1 + alpha * INR N) * (1 + alpha * INR M)))) in H.
  - rewrite Rabs_mult, (Rabs_right alpha) in H by lra. apply Rmult_lt_reg_l with alpha; auto.
  - unfold F_fast, t_fast, Rdiv. ring.
Qed.

(** Both: the free buffer of Theorem 1's scenario never falls below its value at the first drop, which is at least the limit. *)
Theorem reserve_all M N Z alpha B C : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C ->
  (forall R tau Ar Q D, C < R -> 0 <= tau -> micro_burst M N Z alpha B C (fun _ _ => R) tau Ar Q D ->
     (forall t, 0 <= t <= tau -> eq11_free M N alpha B C R <= free (dt_switch (M + N + Z) alpha B C) Q t) /\
     B / ((1 + alpha * INR N) * (1 + alpha * INR M)) <= eq11_free M N alpha B C R) /\
  (forall eps, 0 < eps -> exists R0, forall R, R0 < R ->
     Rabs (F_fast M N alpha B C R - B / ((1 + alpha * INR N) * (1 + alpha * INR M))) < eps).
Proof.
  intros HM Ha HB HC. split; [|apply reserve_limit; auto].
  intros R tau Ar Q D HR Ht H. apply (reserve M N Z alpha B C R tau Ar Q D); auto.
Qed.

(** Without steady ports the two cases are one formula, and so are the free buffers. *)
Theorem no_steady_ports M alpha B C R : (1 <= M)%nat -> 0 < alpha -> C < R ->
  t_slow M 0 alpha B C R = alpha * B / ((1 + alpha * INR M) * (R - C)) /\
  t_fast M 0 alpha B C R = alpha * B / ((1 + alpha * INR M) * (R - C)) /\
  F_slow M 0 alpha B = B / (1 + alpha * INR M) /\ F_fast M 0 alpha B C R = B / (1 + alpha * INR M).
Proof.
  intros HM Ha HR. pose proof (am_pos M alpha HM Ha). unfold t_slow, t_fast, F_slow, F_fast. simpl.
  repeat split; try (field; repeat split; lra).
Qed.

(** One overloaded port and alpha = 1: half of the buffer is free at the drop, in both cases. *)
Theorem remark_half B C R : 0 < C -> C < R -> eq11_free 1 0 1 B C R = B / 2.
Proof. intros HC HR. unfold eq11_free. destruct (Rle_dec R _); unfold F_slow, F_fast; simpl; field; lra. Qed.

(** In case (a) at least x B is free at the drop exactly if M + N <= (1 - x) / (alpha x). *)
Theorem remark_large_for_few M N alpha B x : 0 < alpha -> 0 < B -> 0 < x ->
  (x * B <= F_slow M N alpha B <-> INR M + INR N <= (1 - x) / (alpha * x)).
Proof.
  intros Ha HB Hx. pose proof (pos_INR M). pose proof (pos_INR N). set (k := INR M + INR N).
  assert (Hk : 0 <= k) by (unfold k; lra). pose proof (Rmult_le_pos alpha k ltac:(lra) Hk) as Hak.
  unfold F_slow. fold k. assert (P : 0 < alpha * x) by (apply mul_pos; auto). split; intros K.
  - apply (Rmult_le_compat_r (1 + alpha * k)) in K; [|lra].
    replace (B / (1 + alpha * k) * (1 + alpha * k)) with (B * 1) in K by (field; lra).
    replace (x * B * (1 + alpha * k)) with (B * (x * (1 + alpha * k))) in K by ring. apply Rmult_le_reg_l in K; auto.
    apply Rmult_le_reg_r with (alpha * x); auto. replace ((1 - x) / (alpha * x) * (alpha * x)) with (1 - x) by (field; lra). lra.
  - apply (Rmult_le_compat_r (alpha * x)) in K; [|lra].
    replace ((1 - x) / (alpha * x) * (alpha * x)) with (1 - x) in K by (field; lra).
    apply Rmult_le_reg_r with (1 + alpha * k); [lra|].
    replace (B / (1 + alpha * k) * (1 + alpha * k)) with (B * 1) by (field; lra).
    replace (x * B * (1 + alpha * k)) with (B * (x * (1 + alpha * k))) by ring. apply Rmult_le_compat_l; lra.
Qed.

(** For a fixed size S = R d of the burst: if (12) holds for a duration it holds for every shorter one. *)
Theorem remark_small_d M N alpha B C S d d' : 0 < C -> 0 < d' <= d ->
  alpha * B / (1 + alpha * (INR M + INR N)) < S - C * d -> alpha * B / (1 + alpha * (INR M + INR N)) < S - C * d'.
Proof. pose proof (Rmult_le_compat_l C d' d). lra. Qed.

(** Ports 1 .. M empty and N in steady state: a possible state, with B / (1 + alpha N) free. *)
Theorem initial_state M N Z alpha B C : 0 < alpha -> 0 < B ->
  exists Q, starts_steady M N Z alpha B C Q /\ free (dt_switch (M + N + Z) alpha B C) Q 0 = B / (1 + alpha * INR N) /\
    0 < B / (1 + alpha * INR N) /\ forall j, (M <= j < M + N)%nat -> Q j 0 = alpha * B / (1 + alpha * INR N).
Proof.
  intros Ha HB. pose proof (steady_denominator N alpha Ha) as Hn.
  exists (by_class M N (fun _ _ => 0) (fun _ => alpha * F0 N alpha B)).
  assert (E : free (dt_switch (M + N + Z) alpha B C) (by_class M N (fun _ _ => 0) (fun _ => alpha * F0 N alpha B)) 0 = F0 N alpha B).
  { rewrite free_by_class. unfold class_free. rewrite (sum_zero M) by auto. unfold F0. field. lra. }
  split; [|split; [exact E|split]].
  - split; intros i Hi.
    + apply by_class_burst; auto.
    + rewrite by_class_steady by auto. unfold threshold. rewrite E. simpl. lra.
    + apply by_class_other. lia.
  - apply Rdiv_lt_0_compat; auto.
  - intros j Hj. rewrite by_class_steady by auto. unfold F0. lra.
Qed.
