(** DT/EDT paper, Section 3.2: Theorem 3, equations (30)-(31), and what the paper leaves out: every port after L.

    Port k of the paper is port k - 1 here.  [recursion31 k] is the printed (t_k, F_k), [last_stage L] the printed L (Theorem3Drain.v).
      [theorem3]              ports 1 .. L drop first at t_k with the free buffer F_k;
      [theorem3_completed]    port k > L drops first at the one root of  [meets3 k t] = B  (there is one).            *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Solve Theorem2Mixed Theorem2.
From DT Require Export Theorem3Drain.
Open Scope R_scope.

Section Theorem3.
Variables (M N Z : nat) (alpha B C : real) (R : nat -> real).
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C).
Hypothesis overloaded : forall i, (i < M)%nat -> C < R i.
Hypothesis sorted : forall i j, (i <= j < M)%nat -> R j <= R i.
Variable L : nat.
Hypotheses (stage : last_stage M N alpha C R L) (L_pos : (1 <= L)%nat).

(* What Theorem3Drain.v has, for these ports. *)
Notation drains := (Theorem3Drain.drains M N alpha C R).
Notation recursion31 := (Theorem3Drain.recursion31 M N alpha B C R).
Notation t31 := (Theorem3Drain.t31 M N alpha B C R).
Notation line3 := (Theorem3Drain.line3 M N alpha B C R).
Notation meets3 := (Theorem3Drain.meets3 M N alpha B C R).
Notation fall := (Theorem3Drain.fall M N alpha C R).
Notation drains_iff := (Theorem3Drain.drains_iff M N alpha C R alpha_pos).
Notation fall_step := (Theorem3Drain.fall_step M N alpha C R).
Notation G_end := (Theorem3Drain.G_end M C R).
Notation L_le := (Theorem3Drain.L_le M N alpha C R L stage).
Notation rest := (Theorem3Drain.rest M N alpha B C R).
Notation t31_pos := (Theorem3Drain.t31_pos M N alpha B C R alpha_pos B_pos C_pos overloaded L stage).
Notation rest_is := (Theorem3Drain.rest_is M N alpha B C R alpha_pos B_pos C_pos overloaded L stage).
Notation F31_is := (Theorem3Drain.F31_is M N alpha B C R alpha_pos B_pos C_pos overloaded L stage).
Notation rest_pos := (Theorem3Drain.rest_pos M N alpha B C R alpha_pos B_pos C_pos overloaded L stage).
Notation t31_sorted := (Theorem3Drain.t31_sorted M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage).
Notation line_le_V0 := (Theorem3Drain.line_le_V0 M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage).
Notation W_fall := (Theorem3Drain.W_fall M N alpha B C R L).
Notation w_fall := (Theorem3Drain.w_fall M N alpha B C R L).
Notation V_fall := (Theorem3Drain.V_fall N alpha B C).
Notation v_fall := (Theorem3Drain.v_fall C).
Notation W_fall_after := (Theorem3Drain.W_fall_after M N alpha B C R C_pos overloaded L stage).
Notation W_fall_rest := (Theorem3Drain.W_fall_rest M N alpha B C R L).
Notation F_fall_at := (Theorem3Drain.F_fall_at M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos).
Notation fall_start := (Theorem3Drain.fall_start M N alpha B C R alpha_pos B_pos C_pos overloaded L stage).
Notation fall_class := (Theorem3Drain.fall_class M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos).
Notation r := (fun i => R i - C).
Notation G := (Theorem2.G M C R).
Notation V0 := (alpha * F0 N alpha B).
Notation F_fall := (class_free M N B W_fall V_fall).
Notation last := (L - 1)%nat.
Notation s := (t31 last).

(** ** From t_L on: the mixed regime *)

Lemma line3_bounds k : (k < L)%nat -> 0 <= line3 L k <= V0.
Proof.
  intros H. pose proof L_le. unfold Theorem3Drain.line3. pose proof (V0_pos N alpha B alpha_pos B_pos).
  destruct (Nat.ltb_spec k last); [|lra]. split; [|apply line_le_V0; auto].
  pose proof (overloaded k ltac:(lia)). pose proof (t31_pos k H). apply Rmult_le_pos; lra.
Qed.

Lemma line3_sum : sum L (line3 L) = sum last (fun j => R j * t31 j).
Proof.
  replace L with (last + 1)%nat at 1 by lia. rewrite sum_split. simpl. rewrite Nat.add_0_r.
  unfold Theorem3Drain.line3 at 2. rewrite Nat.ltb_irrefl.
  rewrite (sum_ext last (line3 L) (fun j => R j * t31 j)); [lra|].
  intros i Hi. unfold Theorem3Drain.line3. destruct (Nat.ltb_spec i last); [auto|lia].
Qed.

Lemma room3 : sum L (line3 L) + INR N * V0 < B.
Proof.
  rewrite line3_sum. pose proof (rest_pos last ltac:(lia)) as P. unfold Theorem3Drain.rest in P.
  assert (E : F0 N alpha B + INR N * V0 = B).
  { unfold F0. pose proof (den1 alpha alpha_pos N). field. lra. }
  lra.
Qed.

Lemma slowly3 : falls_slowly M N L alpha C r.
Proof.
  pose proof L_le. unfold falls_slowly. fold (Theorem2.G M C R L).
  destruct (Nat.eq_dec L M) as [e|e].
  - rewrite e, G_end, Rmult_0_r. apply Rmult_le_pos; [lra|].
    pose proof (pos_INR M). pose proof (pos_INR N). pose proof (Rmult_le_pos alpha (INR M + INR N)). lra.
  - destruct stage as (_ & _ & Hn). specialize (Hn L ltac:(lia)). rewrite drains_iff in Hn.
    unfold Theorem3Drain.fall in Hn. rewrite plus_INR in Hn. lra.
Qed.

Lemma meets3_at_s : meets3 L last s = B.
Proof.
  pose proof L_le as HL. unfold Theorem3Drain.meets3, meets, lhs, total.
  replace (alpha * ((R last - C) * s / alpha)) with ((R last - C) * s) by (field; lra).
  pose proof (t31_pos last ltac:(lia)) as Hs. pose proof (overloaded last ltac:(lia)) as Ho.
  assert (Rs : 0 < (R last - C) * s) by (apply Rmult_lt_0_compat; lra).
  assert (S1 : sum (M - L) (fun i => Rmin (g L r i s) ((R last - C) * s)) = G L * s).
  { transitivity (s * G L); [|ring]. unfold Theorem2.G. rewrite <- sum_scal. apply sum_ext. intros i Hi. unfold g.
    pose proof (sorted last (L + i) ltac:(lia)). rewrite Rmin_left; [ring|]. apply Rmult_le_compat_r; lra. }
  assert (S2 : sum (L + N) (fun i => Rmax (Theorem2Mixed.h L C (line3 L) V0 i s) ((R last - C) * s))
               = sum last (fun j => R j * t31 j) - INR last * (C * s) + (R last - C) * s + INR N * (V0 - C * s)).
  { rewrite sum_split. f_equal.
    - replace L with (last + 1)%nat at 1 by lia. rewrite sum_split. f_equal.
      + rewrite <- sum_const, <- sum_minus. apply sum_ext. intros j Hj. unfold Theorem2Mixed.h, drain, line3.
        destruct (Nat.ltb_spec j L); [|lia]. destruct (Nat.ltb_spec j last); [|lia].
        destruct (t31_sorted j last ltac:(lia) ltac:(lia)). apply Rmax_left. lra.
      + simpl. rewrite Nat.add_0_r. unfold Theorem2Mixed.h, drain, line3.
        destruct (Nat.ltb_spec last L); [|lia]. rewrite Nat.ltb_irrefl.
        pose proof (Rmult_le_pos C s). rewrite Rmax_right; lra.
    - rewrite <- sum_const. apply sum_ext. intros j Hj. unfold Theorem2Mixed.h, drain.
      destruct (Nat.ltb_spec (L + j) L); [lia|]. pose proof (line_le_V0 last ltac:(lia)).
      apply Rmax_left. lra. }
  rewrite S1, S2.
  pose proof (rest_is last ltac:(lia)) as E. pose proof (fall_step last ltac:(lia)) as Fs.
  replace (S last) with L in Fs by lia. unfold Theorem3Drain.fall, rest in *.
  assert (EL : INR (N + L) = INR N + INR last + 1).
  { rewrite plus_INR. replace L with (S last) at 1 by lia. rewrite S_INR. ring. }
  rewrite EL in Fs. rewrite plus_INR in E.
  assert (EB : F0 N alpha B + INR N * V0 = B).
  { unfold F0. pose proof (den1 alpha alpha_pos N). field. lra. }
  assert (EB' : alpha * B = alpha * F0 N alpha B + alpha * (INR N * V0)) by (rewrite <- Rmult_plus_distr_l, EB; auto).
  apply Rmult_eq_reg_l with alpha; [|lra]. rewrite EB'.
  replace (alpha * (1 * ((R last - C) * s / alpha) + G L * s + (sum last (fun j => R j * t31 j) - INR last * (C * s)
           + (R last - C) * s + INR N * (V0 - C * s))))
    with ((R last - C) * s + s * (alpha * (G L - (INR N + INR last + 1) * C)) + alpha * (R last * s)
          + alpha * sum last (fun j => R j * t31 j) + alpha * (INR N * V0)) by (field; lra).
  rewrite Fs, plus_INR. lra.
Qed.

Lemma T3_at_s : alpha * Theorem2Mixed.F M N L alpha B C r (line3 L) V0 s = (R last - C) * s.
Proof.
  rewrite (mixed_free_at_meeting M N L alpha B C r (line3 L) V0 alpha_pos last s meets3_at_s). field. lra.
Qed.

Lemma past3 j : (j < L)%nat -> 0 < s /\ B <= meets M N L alpha C r (line3 L) V0 j s.
Proof.
  intros H. pose proof L_le. pose proof (t31_pos last ltac:(lia)) as Hs. split; auto.
  apply (meets_iff M N L alpha B C r (line3 L) V0 alpha_pos). rewrite T3_at_s.
  pose proof (sorted j last ltac:(lia)). apply Rmult_le_compat_r; lra.
Qed.

Lemma r_pos3 i : (i < M)%nat -> 0 < R i - C.
Proof. intros H. specialize (overloaded i H). lra. Qed.

Lemma mixed3_class tau :
  class_trajectory M N alpha B C (fun i _ => C + r i) s tau
    (Theorem2Mixed.W M N L alpha B C r (line3 L) V0) (Theorem2Mixed.w M N L alpha B C r (line3 L) V0)
    (Theorem2Mixed.V M N L alpha B C r (line3 L) V0) (Theorem2Mixed.v M N L alpha B C r (line3 L) V0).
Proof.
  pose proof L_le. pose proof (V0_pos N alpha B alpha_pos B_pos). pose proof (t31_pos last ltac:(lia)).
  apply mixed_class; auto using r_pos3, slowly3, line3_bounds, room3, past3; lra.
Qed.

(** The two regimes meet at t_L. *)
Lemma regimes_meet :
  (forall i, (i < M)%nat -> W_fall i s = Theorem2Mixed.W M N L alpha B C r (line3 L) V0 i s) /\
  V_fall s = Theorem2Mixed.V M N L alpha B C r (line3 L) V0 s.
Proof.
  pose proof L_le. pose proof (t31_pos last ltac:(lia)) as Hs. pose proof (overloaded last ltac:(lia)).
  assert (0 < (R last - C) * s) by (apply Rmult_lt_0_compat; lra).
  split.
  - intros i Hi. unfold Theorem2Mixed.W. rewrite T3_at_s. destruct (Nat.ltb_spec i L) as [c|c].
    + destruct (t31_sorted i last ltac:(lia) ltac:(lia)). rewrite W_fall_after by (auto; lia).
      unfold Theorem2Mixed.h, drain, line3. destruct (Nat.ltb_spec i L); [|lia]. destruct (Nat.ltb_spec i last).
      * rewrite Rmax_left; lra.
      * replace i with last by lia. pose proof (Rmult_le_pos C s). rewrite Rmax_right; lra.
    + rewrite W_fall_rest by auto. pose proof (sorted last i ltac:(lia)). rewrite Rmin_left; [auto|].
      apply Rmult_le_compat_r; lra.
  - unfold Theorem3Drain.V_fall, Theorem2Mixed.V. rewrite T3_at_s. pose proof (line_le_V0 last ltac:(lia)). rewrite Rmax_left; lra.
Qed.

Notation sw := (dt_switch (M + N + Z) alpha B C).

(** Everything about the rejections of a trajectory: up to t_L, and from t_L on. *)
Lemma theorem3_rejections tau Ar Q D :
  0 <= tau -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  forall k, (k < M)%nat ->
    (forall t, 0 <= t < tau -> t < s -> rejected sw Ar Q D k t = R k - C - w_fall k t) /\
    (forall t, 0 <= t <= tau -> t <= s -> free sw Q t = F_fall t) /\
    (forall t, s <= t < tau -> rejected sw Ar Q D k t = R k - C - Theorem2Mixed.w M N L alpha B C r (line3 L) V0 k t) /\
    (forall t, s <= t <= tau -> free sw Q t = Theorem2Mixed.F M N L alpha B C r (line3 L) V0 t) /\
    (forall t, 0 <= t <= tau -> t <= s -> Q k t = W_fall k t /\ forall j, (M <= j < M + N)%nat -> Q j t = V_fall t) /\
    (forall t, s <= t <= tau -> Q k t = Theorem2Mixed.W M N L alpha B C r (line3 L) V0 k t).
Proof.
  intros Htau H k Hk. pose proof L_le as HL. pose proof (t31_pos last ltac:(lia)) as Hs.
  destruct fall_start as (S1 & S2 & _).
  assert (H0 : micro_burst M N Z alpha B C (fun i _ => R i) (Rmin tau s) Ar Q D) by (apply (burst_until _ _ _ _ _ _ _ tau); [apply Rmin_l|exact H]).
  assert (Hmin : 0 <= Rmin tau s) by (apply Rmin_glb; lra).
  destruct (micro_burst_unique M N Z alpha B C (fun i _ => R i) (Rmin tau s) Ar Q D W_fall w_fall V_fall v_fall)
    as (UF & UW & UV & UO & UR); auto.
  { intros i t Hi _. specialize (overloaded i Hi). lra. }
  { apply fall_class, Rmin_r. }
  split; [|split].
  { intros t Ht Hts. apply UR; auto. split; [lra|]. apply Rmin_glb_lt; lra. }
  { intros t Ht Hts. apply UF. split; [lra|]. apply Rmin_glb; lra. }
  assert (Lengths : forall t, 0 <= t <= tau -> t <= s -> Q k t = W_fall k t /\ forall j, (M <= j < M + N)%nat -> Q j t = V_fall t).
  { intros t Ht Hts. assert (Hr : 0 <= t <= Rmin tau s) by (split; [lra|apply Rmin_glb; lra]).
    split; [apply UW; auto|]. intros j Hj. apply (UV j); auto. }
  destruct (Rle_dec s tau) as [Hst|Hst]; [|split; [intros; exfalso; lra|split; [intros; exfalso; lra|split; [exact Lengths|intros; exfalso; lra]]]].
  rewrite (Rmin_right tau s) in * by lra.
  destruct regimes_meet as [J1 J2]. destruct H as [A S T].
  assert (A' : burst_arrivals M N Z C (fun i _ => C + r i) s tau Ar).
  { split; intros i t Hi Ht.
    - rewrite (burst_ports _ _ _ _ _ _ _ _ A i t Hi) by lra. lra.
    - apply (steady_ports _ _ _ _ _ _ _ _ A i t Hi); lra.
    - apply (other_ports _ _ _ _ _ _ _ _ A i t Hi); lra. }
  assert (HC : forall i t, (i < M)%nat -> s <= t < tau -> C <= C + r i).
  { intros i t Hi _. pose proof (overloaded i Hi). lra. }
  destruct (class_unique M N Z alpha B C (fun i _ => C + r i) s tau Ar alpha_pos C_pos HC A' _ _ _ _ (mixed3_class tau) Q D)
    as (UF' & UW' & _ & _ & UR').
  - apply trajectory_later with 0; [lra|auto].
  - intros i Hi. rewrite <- J1 by auto. apply UW; auto; lra.
  - intros i Hi. rewrite <- J2. apply UV; auto; lra.
  - intros i Hi. apply UO; auto; lra.
  - split; [|split; [|split; [exact Lengths|]]].
    + intros t Ht. rewrite UR' by auto. lra.
    + intros t Ht. rewrite UF' by auto. apply mixed_free; auto.
    + intros t Ht. apply UW'; auto.
Qed.

(** Theorem 3: port k < L (the paper's k + 1) drops first at t_(k+1) of the printed recursion, with F_(k+1). *)
Theorem theorem3 tau Ar Q D :
  0 <= tau -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  forall k, (k < L)%nat ->
    let t := fst (recursion31 (S k)) in
    let F := snd (recursion31 (S k)) in
    (tau <= t -> forall u, 0 <= u < tau -> rejected sw Ar Q D k u = 0) /\
    (t < tau -> drops_first_at sw Ar Q D k 0 t /\ free sw Q t = F /\
                forall u, t <= u < tau -> 0 < rejected sw Ar Q D k u).
Proof.
  intros Htau H k Hk. cbv zeta. fold (t31 k). rewrite F31_is by auto. pose proof L_le as HL.
  destruct (theorem3_rejections tau Ar Q D Htau H k ltac:(lia)) as (K1 & K2 & K3 & K4 & _ & _).
  destruct (t31_sorted k last ltac:(lia) ltac:(lia)) as [Hts _]. pose proof (t31_pos k Hk) as Tp.
  pose proof (overloaded k ltac:(lia)) as Ho.
  assert (Before : forall u, 0 <= u < tau -> u < t31 k -> rejected sw Ar Q D k u = 0).
  { intros u Hu Hlt. rewrite K1 by lra. unfold Theorem3Drain.w_fall. destruct (Nat.ltb_spec k L); [|lia].
    destruct (Rlt_dec u (t31 k)); lra. }
  assert (After : forall u, t31 k <= u < tau -> 0 < rejected sw Ar Q D k u).
  { intros u Hu. destruct (Rlt_dec u s) as [c|c].
    - rewrite K1 by lra. unfold Theorem3Drain.w_fall. destruct (Nat.ltb_spec k L); [|lia].
      destruct (Rlt_dec u (t31 k)); lra.
    - rewrite K3 by lra. pose proof (t31_pos last ltac:(lia)). pose proof (V0_pos N alpha B alpha_pos B_pos).
      pose proof (mixed_past_rejects M N L alpha B C r (line3 L) V0 s HL alpha_pos C_pos r_pos3 ltac:(lra)
                    line3_bounds ltac:(lra) room3 past3 k u Hk ltac:(lra)). simpl in *. lra. }
  split.
  - intros Hle u Hu. apply Before; lra.
  - intros Hlt. split; [split|split].
    + intros u Hu. apply Before; lra.
    + exists (tau - t31 k). split; [lra|]. intros u Hu. apply After; lra.
    + rewrite K2 by lra. apply F_fall_at; auto.
    + exact After.
Qed.

(** The ports after L: port k >= L drops first at the one t with meets3 L k t = B. *)
Theorem theorem3_completed tau Ar Q D :
  0 <= tau -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  forall k t, (L <= k < M)%nat -> s <= t -> meets3 L k t = B ->
    (tau <= t -> forall u, 0 <= u < tau -> rejected sw Ar Q D k u = 0) /\
    (t < tau -> drops_first_at sw Ar Q D k 0 t /\ free sw Q t = (R k - C) * t / alpha /\
                forall u, t <= u < tau -> 0 < rejected sw Ar Q D k u).
Proof.
  intros Htau H k t Hk Hst Em. pose proof L_le as HL.
  destruct (theorem3_rejections tau Ar Q D Htau H k ltac:(lia)) as (K1 & K2 & K3 & K4 & _ & _).
  pose proof (t31_pos last ltac:(lia)) as Hs. pose proof (V0_pos N alpha B alpha_pos B_pos) as HV.
  pose proof (fun u Hu => mixed_rejects M N L alpha B C r (line3 L) V0 s HL alpha_pos C_pos r_pos3 ltac:(lra)
                line3_bounds ltac:(lra) room3 k u Hk Hu) as MR.
  assert (MS : forall t0 t1, 0 <= t0 -> t0 < t1 -> B <= meets3 L k t0 -> B < meets3 L k t1).
  { intros. apply (meets_once M N L alpha B C r (line3 L) V0 HL alpha_pos line3_bounds ltac:(lra) room3 k t0); auto. }
  assert (Before : forall u, 0 <= u < tau -> u < t -> rejected sw Ar Q D k u = 0).
  { intros u Hu Hlt. destruct (Rlt_dec u s) as [c|c].
    - rewrite K1 by lra. unfold Theorem3Drain.w_fall. destruct (Nat.ltb_spec k L); [lia|]. lra.
    - rewrite K3 by lra. destruct (MR u ltac:(lra)) as [K _]. rewrite K; [lra|].
      destruct (Rlt_dec (meets3 L k u) B) as [|d]; auto. exfalso.
      pose proof (MS u t ltac:(lra) Hlt ltac:(lra)). lra. }
  assert (After : forall u, t <= u < tau -> 0 < rejected sw Ar Q D k u).
  { intros u Hu. rewrite K3 by lra. destruct (MR u ltac:(lra)) as [_ K].
    assert (B <= meets3 L k u).
    { destruct (Req_dec t u) as [<-|Hne]; [lra|]. left. apply (MS t); lra. }
    specialize (K ltac:(auto)). simpl in *. lra. }
  split.
  - intros Hle u Hu. apply Before; lra.
  - intros Hlt. split; [split|split].
    + intros u Hu. apply Before; lra.
    + exists (tau - t). split; [lra|]. intros u Hu. apply After; lra.
    + rewrite K4 by lra. apply (mixed_free_at_meeting M N L alpha B C r (line3 L) V0 alpha_pos k t Em).
    + exact After.
Qed.

(** There is such a t, and only one. *)
Theorem theorem3_completed_root k : (L <= k < M)%nat -> exists! t, s <= t /\ meets3 L k t = B.
Proof.
  intros Hk. pose proof L_le as HL. pose proof (t31_pos last ltac:(lia)) as Hs.
  pose proof (V0_pos N alpha B alpha_pos B_pos) as HV.
  destruct (meets_eventually M N L alpha B C r (line3 L) V0 s HL alpha_pos r_pos3 ltac:(lra) k ltac:(lia)) as (t & Ht & E).
  - apply Rle_trans with (meets3 L last s); [|right; exact meets3_at_s]. unfold Theorem3Drain.meets3, meets, lhs.
    destruct (Rle_lt_or_eq_dec _ _ (sorted last k ltac:(lia))) as [c|c]; [|rewrite c; lra].
    left. apply total_increases; auto; [lra|].
    unfold Rdiv. apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; auto|]. apply Rmult_lt_compat_r; lra.
  - exists t. split; [split; auto|]. intros t' [Ht' E'].
    assert (MS : forall t0 t1, 0 <= t0 -> t0 < t1 -> B <= meets3 L k t0 -> B < meets3 L k t1).
    { intros. apply (meets_once M N L alpha B C r (line3 L) V0 HL alpha_pos line3_bounds ltac:(lra) room3 k t0); auto. }
    fold (meets3 L k t) in E. destruct (Rtotal_order t t') as [c|[c|c]]; auto; exfalso.
    + pose proof (MS t t' ltac:(lra) c ltac:(lra)). lra.
    + pose proof (MS t' t ltac:(lra) c ltac:(lra)). lra.
Qed.

(** The hypotheses can hold, for every length of the bursts. *)
Theorem theorem3_exists tau : s <= tau -> exists Ar Q D, micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D.
Proof.
  intros Htau. pose proof L_le as HL. pose proof (t31_pos last ltac:(lia)) as Hs.
  destruct fall_start as (S1 & S2 & _). destruct regimes_meet as [J1 J2].
  assert (HR : forall i t, (i < M)%nat -> 0 <= t < s -> C <= R i) by (intros i t Hi _; specialize (overloaded i Hi); lra).
  destruct (micro_burst_exists M N Z alpha B C (fun i _ => R i) s W_fall w_fall V_fall v_fall) as [A S T]; auto; [lra|apply fall_class; lra|].
  pose (Ar := by_class M N (fun i _ => R i) (fun _ => C)).
  assert (A' : forall a b, burst_arrivals M N Z C (fun i _ => R i) a b Ar).
  { intros a b. split; intros i t Hi Ht; unfold Ar.
    - apply by_class_burst; auto.
    - rewrite by_class_steady by auto. lra.
    - rewrite by_class_other by lia. lra. }
  assert (A'' : burst_arrivals M N Z C (fun i _ => C + r i) s tau Ar).
  { split; intros i t Hi Ht; unfold Ar.
    - rewrite by_class_burst by auto. lra.
    - rewrite by_class_steady by auto. lra.
    - rewrite by_class_other by lia. lra. }
  assert (HC : forall i t, (i < M)%nat -> s <= t < tau -> C <= C + r i).
  { intros i t Hi _. pose proof (overloaded i Hi). lra. }
  pose proof (by_class_trajectory M N Z alpha B C (fun i _ => C + r i) s tau Ar alpha_pos C_pos HC A'' _ _ _ _ (mixed3_class tau)) as T'.
  exists Ar. do 2 eexists. split; [apply A'| |apply (fluid_glue _ _ 0 s tau _ _ _ _ ltac:(lra) T T')].
  - destruct S as [E1 E2 E3].
    assert (G0 : forall f g i, glue s f g i 0 = f i 0) by (intros; unfold glue; destruct (Rlt_dec 0 s); [auto|lra]).
    split; intros i Hi; unfold threshold, free in *; rewrite ?G0; auto.
    rewrite E2 by auto. do 3 f_equal. apply sum_ext. intros. symmetry. apply G0.
  - simpl. intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]].
    + rewrite !by_class_burst by auto. auto.
    + rewrite !by_class_steady by auto. auto.
    + rewrite !by_class_other by lia. auto.
Qed.

End Theorem3.

(** Three bursts of rates 13, 3 and 2, one steady port, alpha = 1, B = 12, C = 1: L = 1, t_1 = 3/13, F_1 = 36/13;
    the second burst meets the threshold at 1, the third at 2, while the steady port is still above it. *)
Definition rates3 (i : nat) : real := match i with O => 13 | 1%nat => 3 | _ => 2 end.

Theorem theorem3_instance :
  last_stage 3 1 1 1 rates3 1 /\ recursion31 3 1 1 12 1 rates3 1 = (3 / 13, 36 / 13) /\
  meets3 3 1 1 12 1 rates3 1 1 1 = 12 /\ meets3 3 1 1 12 1 rates3 1 2 2 = 12 /\
  exists Ar Q D, micro_burst 3 1 0 1 12 1 (fun i _ => rates3 i) 4 Ar Q D.
Proof.
  assert (Hl : last_stage 3 1 1 1 rates3 1).
  { repeat split; [lia| |].
    - intros k Hk. replace k with 0%nat by lia. unfold Theorem3Drain.drains, G, rates3. simpl. lra.
    - intros [|[|[|k]]] Hk; try lia; unfold Theorem3Drain.drains, G, rates3; simpl; lra. }
  assert (Ho : forall i, (i < 3)%nat -> 1 < rates3 i) by (intros [|[|[|i]]] Hi; unfold rates3; lra || lia).
  assert (Hs : forall i j, (i <= j < 3)%nat -> rates3 j <= rates3 i).
  { intros [|[|[|i]]] [|[|[|j]]] Hi; unfold rates3; lra || lia. }
  assert (Er : recursion31 3 1 1 12 1 rates3 1 = (3 / 13, 36 / 13)).
  { simpl. unfold G, F0, rates3. simpl. f_equal; lra. }
  split; [auto|]. split; [auto|]. split; [|split].
  - unfold Theorem3Drain.meets3, meets, lhs, total, Theorem3Drain.line3. simpl. unfold g, h, drain, rates3, F0. simpl.
    replace (12 / (1 + 1 * 1)) with 6 by field.
    repeat ((rewrite Rmin_left by lra) || (rewrite Rmin_right by lra)).
    rewrite (Rmax_right (0 - _)), (Rmax_left (1 * 6 - _)) by lra. lra.
  - unfold Theorem3Drain.meets3, meets, lhs, total, Theorem3Drain.line3. simpl. unfold g, h, drain, rates3, F0. simpl.
    replace (12 / (1 + 1 * 1)) with 6 by field.
    repeat ((rewrite Rmin_left by lra) || (rewrite Rmin_right by lra)).
    rewrite (Rmax_right (0 - _)), (Rmax_left (1 * 6 - _)) by lra. lra.
  - apply (theorem3_exists 3 1 0 1 12 1 rates3) with 1%nat; auto; try lra.
    unfold Theorem3Drain.t31. simpl Nat.sub. rewrite Er. simpl. lra.
Qed.
