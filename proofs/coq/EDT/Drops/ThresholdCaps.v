(** Static limits beside DT's threshold: the first drop of equal bursts, for all numbers of bursts and of steady ports.

      [cap_alone]         bursts that all have the cap c;
      [cap_steady_stays]  bursts beside steady ports with the cap c that keep it until the drop;
      [cap_steady_slow], [cap_steady_fast]  beside steady ports that the threshold leaves, or reaches, before.               *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence Scenario Caps.
Open Scope R_scope.

Section Bursts.
Variables (M N Z : nat) (alpha B C R : real) (of_bursts of_steady : option real) (tau : real) (Ar Q D : nat -> real -> real).
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (R_C : C < R) (some_burst : (1 <= M)%nat).
Hypothesis arrivals : burst_arrivals M N Z C (fun _ _ => R) 0 tau Ar.

Notation sw := (dt_switch (M + N + Z) alpha B C).
Notation m := (INR M).
Notation n := (INR N).

(** The cap of each queue. *)
Definition class_cap (i : nat) : option real := if (i <? M)%nat then of_bursts else if (i <? M + N)%nat then of_steady else None.

Hypothesis moves : capped_trajectory sw class_cap Ar 0 tau Q D.

Lemma M_at_least : 1 <= m.
Proof. apply (le_INR 1). exact some_burst. Qed.

Lemma N_nonneg : 0 <= n.
Proof. apply pos_INR. Qed.

Lemma cap_burst i : (i < M)%nat -> class_cap i = of_bursts.
Proof. unfold class_cap. destruct (Nat.ltb_spec i M); [auto|lia]. Qed.

Lemma cap_steady i : (M <= i < M + N)%nat -> class_cap i = of_steady.
Proof. unfold class_cap. destruct (Nat.ltb_spec i M), (Nat.ltb_spec i (M + N)); auto; lia. Qed.

Lemma cap_other i : (M + N <= i)%nat -> class_cap i = None.
Proof. unfold class_cap. destruct (Nat.ltb_spec i M), (Nat.ltb_spec i (M + N)); auto; lia. Qed.

Lemma cap_sane : sane sw Ar 0 tau.
Proof. apply (burst_sane M N Z alpha B C (fun _ _ => R)); auto. intros. lra. Qed.

(** All bursts hold x, all steady ports y, the others nothing. *)
Definition classes (x y : real) (t : real) : Prop :=
  (forall i, (i < M)%nat -> Q i t = x) /\ (forall i, (M <= i < M + N)%nat -> Q i t = y) /\ (forall i, (M + N <= i < M + N + Z)%nat -> Q i t = 0).

Lemma capped_left_free x y t : classes x y t -> free sw Q t = B - m * x - n * y.
Proof.
  intros (H1 & H2 & H3). unfold free. simpl. rewrite (sum_ext _ (fun i => Q i t) (fun i => by_class M N (fun _ _ => x) (fun _ => y) i t)).
  - rewrite sum_by_class, sum_const. lra.
  - intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]]; [rewrite by_class_burst, H1|rewrite by_class_steady, H2|rewrite by_class_other, H3]; auto; lia.
Qed.

(** A straight piece: the bursts grow at v, the steady ports at w, and F at - (m v + n w). *)
Lemma piece s e x y v w : 0 <= s -> e <= tau -> classes x y s -> 0 <= x + v * (e - s) -> 0 <= y + w * (e - s) ->
  (forall t, s <= t < e -> let f := alpha * (B - m * (x + v * (t - s)) - n * (y + w * (t - s))) in let df := alpha * - (m * v + n * w) in
    0 < f /\
    (x + v * (t - s) < below_cap of_bursts f /\ v = R - C \/
     x + v * (t - s) = below_cap of_bursts f /\ 0 < x + v * (t - s) /\ v = below_cap_slope of_bursts f df /\ - C <= v <= R - C) /\
    ((1 <= N)%nat -> 0 < y + w * (t - s) /\
      (y + w * (t - s) = below_cap of_steady f /\ w = below_cap_slope of_steady f df /\ - C <= w <= 0 \/
       y + w * (t - s) = below_cap of_steady f /\ below_cap_slope of_steady f df <= - C /\ w = - C \/
       below_cap of_steady f < y + w * (t - s) /\ w = - C))) ->
  (forall t, s <= t <= e -> classes (x + v * (t - s)) (y + w * (t - s)) t) /\ (forall i t, (i < M)%nat -> s <= t < e -> D i t = v).
Proof.
  intros Hs He (X & Y & O) Px Py Rule. set (vel := fun i => by_class M N (fun _ _ => v) (fun _ => w) i 0).
  set (line := fun j u => Q j s + vel j * (u - s)).
  assert (Lb : forall i u, (i < M)%nat -> line i u = x + v * (u - s)) by (intros i u Hi; unfold line, vel; rewrite X, by_class_burst by auto; reflexivity).
  assert (Ls : forall i u, (M <= i < M + N)%nat -> line i u = y + w * (u - s)) by (intros i u Hi; unfold line, vel; rewrite Y, by_class_steady by auto; reflexivity).
  assert (Lo : forall i u, (M + N <= i < M + N + Z)%nat -> line i u = 0) by (intros i u Hi; unfold line, vel; rewrite O, by_class_other by lia; ring).
  assert (Fr : forall t, free sw line t = B - m * (x + v * (t - s)) - n * (y + w * (t - s))).
  { intros t. unfold free. simpl. rewrite (sum_ext _ (fun i => line i t) (fun i => by_class M N (fun _ t => x + v * (t - s)) (fun t => y + w * (t - s)) i t)).
    - rewrite sum_by_class, sum_const. lra.
    - intros i Hi. destruct (class_of M N Z i Hi) as [c|[c|c]]; [rewrite by_class_burst, Lb|rewrite by_class_steady, Ls|rewrite by_class_other, Lo]; auto; lia. }
  assert (Fs : forall t, free_slope sw (fun j _ => vel j) t = - (m * v + n * w)).
  { intros t. unfold free_slope, vel. simpl. rewrite (sum_by_class M N Z (fun _ _ => v) (fun _ => w) 0), sum_const. ring. }
  assert (K : forall i, (i < M + N + Z)%nat -> (forall t, s <= t <= e -> Q i t = line i t) /\ (forall t, s <= t < e -> D i t = vel i)).
  { apply (capped_follows sw class_cap Ar s e tau Q D vel).
    - destruct cap_sane as [G A]. split; auto. intros; apply A; auto; lra.
    - apply (capped_part sw class_cap Ar 0 tau); auto; lra.
    - auto.
    - intros i Hi. change (0 <= line i e). destruct (class_of M N Z i Hi) as [c|[c|c]]; [rewrite Lb|rewrite Ls|rewrite Lo]; auto; lra.
    - intros i t Hi Ht. change (capped_obeys sw class_cap Ar line (fun j _ => vel j) i t). specialize (Rule t Ht). destruct Rule as (Pos & Rb & Rs).
      unfold capped_obeys, capped_threshold, capped_threshold_slope, threshold, threshold_slope. rewrite Fr, Fs. simpl. rewrite !Rplus_0_l.
      destruct (class_of M N Z i Hi) as [c|[c|c]].
      + rewrite Lb, cap_burst by auto. replace (vel i) with v by (unfold vel; rewrite by_class_burst; auto).
        assert (Hh : highest sw Ar i (x + v * (t - s)) t = R - C).
        { unfold highest. simpl. rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals i t c) by lra. destruct (Rlt_dec _ _); [|rewrite Rmax_right]; lra. }
        destruct Rb as [[L E]|(E & P & V & Bd)]; [repeat split; intros; lra|]. split; [intros; lra|]. split; [intros; lra|].
        rewrite <- V. unfold lowest. simpl. destruct (Rlt_dec 0 (x + v * (t - s))); [|lra]. symmetry. apply clip_inside. lra.
      + destruct (Rs ltac:(lia)) as (P & Rs'). clear Rs. rewrite Ls, cap_steady by auto. replace (vel i) with w by (unfold vel; rewrite by_class_steady; auto).
        pose proof (steady_ports _ _ _ _ _ _ _ _ arrivals i t c ltac:(lra)) as A.
        unfold highest, lowest. simpl. destruct (Rlt_dec 0 (y + w * (t - s))); [|lra].
        destruct Rs' as [(E & V & Bd)|[(E & V & W)|(E & W)]].
        * split; [intros; lra|]. split; [intros; lra|]. rewrite <- V. symmetry. apply clip_inside. lra.
        * split; [intros; lra|]. split; [intros; lra|]. rewrite clip_low; lra.
        * repeat split; intros; lra.
      + rewrite Lo, cap_other by (auto; lia). replace (vel i) with 0 by (unfold vel; rewrite by_class_other by lia; reflexivity).
        pose proof (other_ports _ _ _ _ _ _ _ _ arrivals i t c ltac:(lra)) as A. unfold highest. simpl. destruct (Rlt_dec 0 0); [lra|].
        split; [intros _; rewrite Rmax_left; lra|]. split; intros; lra. }
  split.
  - split; [|split]; intros i Hi; [rewrite <- (Lb i t Hi)|rewrite <- (Ls i t Hi)|rewrite <- (Lo i t Hi)]; apply K; auto; lia.
  - intros i t Hi Ht. destruct (K i ltac:(lia)) as [_ K']. rewrite K' by auto. apply by_class_burst. auto.
Qed.

(** Bursts that grow at R - C until t1 and slower from then on first lose bytes at t1. *)
Lemma drops_then t1 e v : 0 <= t1 -> t1 < e <= tau -> v < R - C -> (forall i t, (i < M)%nat -> 0 <= t < t1 -> D i t = R - C) ->
  (forall i t, (i < M)%nat -> t1 <= t < e -> D i t = v) -> forall i, (i < M)%nat -> drops_first_at sw Ar Q D i 0 t1.
Proof.
  intros H0 He Hv Before After i Hi.
  assert (Hh : forall t, 0 <= t < tau -> highest sw Ar i (Q i t) t = R - C).
  { intros t Ht. unfold highest. simpl. rewrite (burst_ports _ _ _ _ _ _ _ _ arrivals i t Hi Ht). destruct (Rlt_dec _ _); [|rewrite Rmax_right]; lra. }
  split.
  - intros t Ht. unfold rejected. rewrite Hh, Before by (auto; lra). ring.
  - exists (e - t1). split; [lra|]. intros t Ht. unfold rejected. rewrite Hh, (After i t Hi) by lra. lra.
Qed.

Lemma flat_cap c f : below_cap_slope c f 0 = 0.
Proof. destruct c as [k|]; simpl; [|reflexivity]. unfold min_slope. destruct (Rlt_dec f k); [|destruct (Rlt_dec k f); [|rewrite Rmin_left; lra]]; reflexivity. Qed.

Lemma above_cap c f d : c < f -> min_slope f c d 0 = 0.
Proof. unfold min_slope. destruct (Rlt_dec f c); [lra|]. destruct (Rlt_dec c f); [reflexivity|lra]. Qed.

Lemma straight_drop t1 len : 0 < len -> t1 = len / (R - C) -> 0 <= t1 /\ (R - C) * t1 = len.
Proof.
  intros Hl E. assert (X : (R - C) * t1 = len) by (rewrite E; field; lra). split; [|auto]. rewrite E. left. apply Rdiv_lt_0_compat; lra.
Qed.

Theorem cap_alone c : N = 0%nat -> of_bursts = Some c -> 0 < c -> classes 0 0 0 ->
  let len := Rmin c (alpha * B / (1 + alpha * m)) in let t1 := len / (R - C) in
  t1 < tau -> (forall i, (i < M)%nat -> drops_first_at sw Ar Q D i 0 t1) /\ free sw Q t1 = B - m * len.
Proof.
  intros HN Hc c0 S0 len t1 Ht. pose proof M_at_least as Mp. assert (n0 : n = 0) by (rewrite HN; reflexivity).
  assert (am : 0 < alpha * m) by (apply Rmult_lt_0_compat; lra). assert (aB : 0 < alpha * B) by (apply Rmult_lt_0_compat; lra).
  assert (P1 : 0 < alpha * B / (1 + alpha * m)) by (apply Rdiv_lt_0_compat; lra). assert (E1 : alpha * B / (1 + alpha * m) * (1 + alpha * m) = alpha * B) by (field; lra).
  assert (L1 : len <= c) by apply Rmin_l. assert (L2 : len <= alpha * B / (1 + alpha * m)) by apply Rmin_r. assert (L0 : 0 < len) by (apply Rmin_pos; auto).
  assert (L3 : len * (1 + alpha * m) <= alpha * B) by (rewrite <- E1; apply Rmult_le_compat_r; lra).
  assert (L4 : len = c \/ len * (1 + alpha * m) = alpha * B) by (unfold len, Rmin; destruct (Rle_dec _ _); auto).
  destruct (straight_drop t1 len L0 eq_refl) as [T0 TL].
  destruct (piece 0 t1 0 0 (R - C) 0) as [S1 D1]; [lra|lra|auto|lra|lra| |].
  { intros t Hu. assert (X : (R - C) * t < len) by (rewrite <- TL; apply Rmult_lt_compat_l; lra). assert (X0 : 0 <= (R - C) * t) by (apply Rmult_le_pos; lra).
    replace (0 + (R - C) * (t - 0)) with ((R - C) * t) by ring. revert X X0. generalize ((R - C) * t). intros x X X0.
    assert (X1 : x * (1 + alpha * m) < len * (1 + alpha * m)) by (apply Rmult_lt_compat_r; lra). split; [lra|]. split; [|intros; lia].
    left. split; [|reflexivity]. rewrite Hc. apply Rmin_glb_lt; lra. }
  assert (St := S1 t1 ltac:(lra)). replace (0 + (R - C) * (t1 - 0)) with len in St by lra. replace (0 + 0 * (t1 - 0)) with 0 in St by ring.
  destruct (piece t1 tau len 0 0 0) as [_ D2]; [lra|lra|auto|lra|lra| |].
  { intros t Hu. rewrite n0. split; [lra|]. split; [|intros; lia].
    right. replace (alpha * - (m * 0 + 0 * 0)) with 0 by ring. rewrite flat_cap. rewrite Hc. simpl. unfold Rmin. destruct (Rle_dec _ _); lra. }
  split; [apply (drops_then t1 tau 0); auto; lra|]. rewrite (capped_left_free len 0 t1 St). ring.
Qed.

Section Steady.
Variable c : real.
Hypotheses (c_pos : 0 < c) (no_cap : of_bursts = None) (a_cap : of_steady = Some c).
Notation ys := (Rmin c (alpha * B / (1 + alpha * n))).
Hypothesis start : classes 0 ys 0.

(** It is the steady state: the steady ports are on their thresholds. *)
Theorem cap_steady_rests i : (M <= i < M + N)%nat -> Q i 0 = capped_threshold sw class_cap Q i 0.
Proof.
  intros Hi. pose proof N_nonneg as Np. assert (an : 0 <= alpha * n) by (apply Rmult_le_pos; lra). assert (aB : 0 < alpha * B) by (apply Rmult_lt_0_compat; lra).
  assert (E1 : alpha * B / (1 + alpha * n) * (1 + alpha * n) = alpha * B) by (field; lra).
  unfold capped_threshold, threshold. rewrite (capped_left_free 0 ys 0 start), cap_steady, a_cap by auto. destruct start as (_ & Y & _). rewrite Y by auto. simpl.
  set (z := alpha * B / (1 + alpha * n)) in *. unfold Rmin at 1 3. destruct (Rle_dec c z) as [H|H].
  - assert (c * (1 + alpha * n) <= z * (1 + alpha * n)) by (apply Rmult_le_compat_r; lra). rewrite Rmin_right; lra.
  - rewrite Rmin_left; lra.
Qed.

Lemma ys_facts : 0 < ys /\ ys <= c /\ ys * (1 + alpha * n) <= alpha * B /\ (ys = c \/ ys * (1 + alpha * n) = alpha * B).
Proof.
  pose proof N_nonneg as Np. assert (an : 0 <= alpha * n) by (apply Rmult_le_pos; lra). assert (aB : 0 < alpha * B) by (apply Rmult_lt_0_compat; lra).
  assert (P1 : 0 < alpha * B / (1 + alpha * n)) by (apply Rdiv_lt_0_compat; lra). assert (E1 : alpha * B / (1 + alpha * n) * (1 + alpha * n) = alpha * B) by (field; lra).
  split; [apply Rmin_pos; auto|]. split; [apply Rmin_l|]. split.
  - apply Rle_trans with (alpha * B / (1 + alpha * n) * (1 + alpha * n)); [apply Rmult_le_compat_r; [lra|apply Rmin_r]|lra].
  - unfold Rmin. destruct (Rle_dec _ _); auto.
Qed.

(** The caps hold until the drop. *)
Theorem cap_steady_stays : c * (1 + alpha * (m + n)) <= alpha * B -> let t1 := alpha * (B - n * c) / ((R - C) * (1 + alpha * m)) in
  t1 < tau -> (forall i, (i < M)%nat -> drops_first_at sw Ar Q D i 0 t1) /\ alpha * free sw Q t1 = (R - C) * t1.
Proof.
  intros Hc t1 Ht. pose proof M_at_least as Mp. pose proof N_nonneg as Np. assert (am : 0 < alpha * m) by (apply Rmult_lt_0_compat; lra).
  assert (an : 0 <= alpha * n) by (apply Rmult_le_pos; lra). assert (cm : 0 < c * (alpha * m)) by (apply Rmult_lt_0_compat; lra).
  assert (Y : ys = c).
  { apply Rmin_left. apply Rmult_le_reg_r with (1 + alpha * n); [lra|]. replace (alpha * B / (1 + alpha * n) * (1 + alpha * n)) with (alpha * B) by (field; lra). lra. }
  rewrite Y in start. set (len := alpha * (B - n * c) / (1 + alpha * m)).
  assert (E : len * (1 + alpha * m) = alpha * (B - n * c)) by (unfold len; field; lra).
  assert (Lc : c <= len) by (apply Rmult_le_reg_r with (1 + alpha * m); lra).
  destruct (straight_drop t1 len ltac:(lra)) as [T0 TL]; [unfold t1, len; field; lra|].
  destruct (piece 0 t1 0 c (R - C) 0) as [S1 D1]; [lra|lra|auto|lra|lra| |].
  { intros t Hu. assert (X : (R - C) * t < len) by (rewrite <- TL; apply Rmult_lt_compat_l; lra). assert (X0 : 0 <= (R - C) * t) by (apply Rmult_le_pos; lra).
    replace (0 + (R - C) * (t - 0)) with ((R - C) * t) by ring. replace (c + 0 * (t - 0)) with c by ring. revert X X0. generalize ((R - C) * t). intros x X X0.
    assert (X2 : alpha * m * x < alpha * m * len) by (apply Rmult_lt_compat_l; lra).
    split; [lra|]. split; [left; rewrite no_cap; simpl; split; [lra|reflexivity]|].
    split; [lra|]. left. rewrite a_cap. simpl. rewrite Rmin_right by lra. split; [reflexivity|]. split; [|lra].
    symmetry. apply above_cap. lra. }
  assert (St := S1 t1 ltac:(lra)). replace (0 + (R - C) * (t1 - 0)) with len in St by lra. replace (c + 0 * (t1 - 0)) with c in St by ring.
  destruct (piece t1 tau len c 0 0) as [_ D2]; [lra|lra|auto|lra|lra| |].
  { intros t Hu. cbv zeta. replace (len + 0 * (t - t1)) with len by ring. replace (c + 0 * (t - t1)) with c by ring. replace (alpha * - (m * 0 + n * 0)) with 0 by ring.
    rewrite !flat_cap. assert (F : alpha * (B - m * len - n * c) = len) by lra. split; [lra|]. split; [right; rewrite no_cap; simpl; lra|].
    split; [lra|]. rewrite a_cap. simpl. rewrite Rmin_right by lra. lra. }
  split; [apply (drops_then t1 tau 0); auto; lra|]. rewrite (capped_left_free len c t1 St), TL. lra.
Qed.

(** When the threshold comes down to what the steady ports hold, and what the bursts hold then. *)
Notation xc := ((alpha * B - (1 + alpha * n) * ys) / (alpha * m)).
Notation tc := (xc / (R - C)).

Lemma first_piece : alpha * B < c * (1 + alpha * (m + n)) -> tc <= tau ->
  0 <= tc /\ xc < ys /\ alpha * m * xc = alpha * B - (1 + alpha * n) * ys /\ classes xc ys tc /\ (forall i t, (i < M)%nat -> 0 <= t < tc -> D i t = R - C).
Proof.
  intros Hc Ht. pose proof M_at_least as Mp. pose proof N_nonneg as Np. assert (am : 0 < alpha * m) by (apply Rmult_lt_0_compat; lra).
  destruct ys_facts as (Y0 & Y1 & Y2 & Y3). set (y := ys) in *. set (x1 := (alpha * B - (1 + alpha * n) * y) / (alpha * m)) in *.
  assert (E : alpha * m * x1 = alpha * B - (1 + alpha * n) * y) by (unfold x1; field; lra).
  assert (x0 : 0 <= x1) by (apply Rmult_le_reg_l with (alpha * m); lra).
  assert (ym : 0 < y * (alpha * m)) by (apply Rmult_lt_0_compat; lra).
  assert (Xy : x1 < y) by (apply Rmult_lt_reg_l with (alpha * m); [lra|]; destruct Y3 as [Y3|Y3]; [rewrite Y3 in *|]; lra).
  assert (T : (R - C) * (x1 / (R - C)) = x1) by (field; lra). set (t2 := x1 / (R - C)) in *.
  assert (T0 : 0 <= t2) by (apply Rmult_le_reg_l with (R - C); lra).
  destruct (piece 0 t2 0 y (R - C) 0) as [S1 D1]; [lra|lra|auto|lra|lra| |].
  { intros t Hu. assert (X : (R - C) * t < x1) by (rewrite <- T; apply Rmult_lt_compat_l; lra). assert (X0 : 0 <= (R - C) * t) by (apply Rmult_le_pos; lra).
    replace (0 + (R - C) * (t - 0)) with ((R - C) * t) by ring. replace (y + 0 * (t - 0)) with y by ring. revert X X0. generalize ((R - C) * t). intros x X X0.
    assert (X2 : alpha * m * x < alpha * m * x1) by (apply Rmult_lt_compat_l; lra).
    split; [lra|]. split; [left; rewrite no_cap; simpl; split; [lra|reflexivity]|]. split; [lra|]. left. rewrite a_cap. simpl.
    destruct Y3 as [Y3|Y3]; [|assert (alpha * m * x1 = 0) by lra; assert (0 <= alpha * m * x) by (apply Rmult_le_pos; lra); lra]. rewrite <- Y3.
    rewrite Rmin_right by lra. split; [reflexivity|]. split; [|lra]. symmetry. apply above_cap. lra. }
  assert (St := S1 t2 ltac:(lra)). replace (0 + (R - C) * (t2 - 0)) with x1 in St by lra. replace (y + 0 * (t2 - 0)) with y in St by ring. auto.
Qed.

(** The steady ports follow the threshold. *)
Theorem cap_steady_slow : alpha * B < c * (1 + alpha * (m + n)) -> alpha * m * (R - C) <= C * (1 + alpha * n) ->
  let t1 := alpha * B / ((R - C) * (1 + alpha * (m + n))) in
  t1 < tau -> (forall i, (i < M)%nat -> drops_first_at sw Ar Q D i 0 t1) /\ alpha * free sw Q t1 = (R - C) * t1.
Proof.
  intros Hc Hs t1 Ht. pose proof M_at_least as Mp. pose proof N_nonneg as Np. assert (am : 0 < alpha * m) by (apply Rmult_lt_0_compat; lra).
  assert (an : 0 <= alpha * n) by (apply Rmult_le_pos; lra). assert (aB : 0 < alpha * B) by (apply Rmult_lt_0_compat; lra).
  set (len := alpha * B / (1 + alpha * (m + n))). assert (E : len * (1 + alpha * (m + n)) = alpha * B) by (unfold len; field; lra).
  assert (L0 : 0 < len) by (apply Rdiv_lt_0_compat; lra). destruct (straight_drop t1 len L0) as [T0 TL]; [unfold t1, len; field; lra|].
  destruct ys_facts as (Y0 & Y1 & _ & _). pose proof first_piece as First. set (y := ys) in *. set (x1 := (alpha * B - (1 + alpha * n) * y) / (alpha * m)) in *. set (t2 := x1 / (R - C)) in *.
  assert (T2 : (R - C) * t2 = x1) by (unfold t2; field; lra).
  assert (Before : x1 < y /\ alpha * m * x1 = alpha * B - (1 + alpha * n) * y).
  { destruct (Rle_dec t2 tau) as [L|L]; [destruct (First Hc L) as (_ & ? & ? & _); auto|].
    assert (len <= x1); [|]. { rewrite <- TL, <- T2. apply Rmult_le_compat_l; lra. }
    assert (Em : alpha * m * x1 = alpha * B - (1 + alpha * n) * y) by (unfold x1; field; lra).
    assert (alpha * m * len <= alpha * m * x1) by (apply Rmult_le_compat_l; lra). assert (Ly : (1 + alpha * n) * y <= (1 + alpha * n) * len) by lra.
    apply Rmult_le_reg_l in Ly; [|lra]. destruct ys_facts as (_ & _ & _ & Y3). fold y in Y3. assert (Lm : alpha * m * y <= alpha * m * len) by (apply Rmult_le_compat_l; lra).
    assert (0 < alpha * m * y) by (apply Rmult_lt_0_compat; lra). destruct Y3 as [Y3|Y3]; [rewrite Y3 in *|]; lra. }
  assert (xl : x1 < len) by nra.
  assert (T12 : t2 < t1) by (apply Rmult_lt_reg_l with (R - C); lra).
  destruct (First Hc ltac:(lra)) as (t20 & _ & _ & St & D1).
  set (w := - (alpha * m * (R - C) / (1 + alpha * n))).
  assert (W : w * (1 + alpha * n) = - (alpha * m * (R - C))) by (unfold w; field; lra).
  assert (W0 : w <= 0). { apply Rmult_le_reg_r with (1 + alpha * n); [lra|]. assert (0 <= alpha * m * (R - C)) by (apply Rmult_le_pos; lra). lra. }
  assert (WC : - C <= w) by (apply Rmult_le_reg_r with (1 + alpha * n); lra).
  assert (Line : forall h, 0 <= h -> x1 + (R - C) * h <= len -> let f := alpha * (B - m * (x1 + (R - C) * h) - n * (y + w * h)) in f = y + w * h /\ len <= f).
  { intros h Hh Hl f. assert (Wh : w * h * (1 + alpha * n) = - (alpha * m * ((R - C) * h))) by (replace (w * h * (1 + alpha * n)) with (w * (1 + alpha * n) * h) by ring; rewrite W; ring).
    assert (Ef : f = y + w * h) by (unfold f; lra). split; [auto|]. apply Rmult_le_reg_r with (1 + alpha * n); [lra|]. rewrite Ef.
    assert (alpha * m * (x1 + (R - C) * h) <= alpha * m * len) by (apply Rmult_le_compat_l; lra). lra. }
  assert (Tl : x1 + (R - C) * (t1 - t2) = len) by lra.
  destruct (Line (t1 - t2) ltac:(lra) ltac:(lra)) as [Fe Fl].
  assert (Ye : y + w * (t1 - t2) = len).
  { apply Rmult_eq_reg_r with (1 + alpha * n); [|lra]. rewrite Tl in Fe. lra. }
  destruct (piece t2 t1 x1 y (R - C) w) as [S1 D2]; [lra|lra|auto|lra|lra| |].
  { intros t Hu. assert (X : x1 + (R - C) * (t - t2) < len) by (rewrite <- Tl; apply Rplus_lt_compat_l, Rmult_lt_compat_l; lra).
    destruct (Line (t - t2) ltac:(lra) ltac:(lra)) as [Ef Lf]. assert (wt : w * (t - t2) <= 0) by (assert (0 <= - w * (t - t2)) by (apply Rmult_le_pos; lra); lra).
    rewrite Ef in *. split; [lra|]. split; [left; rewrite no_cap; simpl; split; [lra|reflexivity]|]. split; [lra|]. left. rewrite a_cap. simpl.
    rewrite Rmin_left by lra. split; [reflexivity|]. split; [|lra]. replace (alpha * - (m * (R - C) + n * w)) with w by lra.
    unfold min_slope. destruct (Rlt_dec _ _); [reflexivity|]. destruct (Rlt_dec _ _); [lra|]. rewrite Rmin_left; lra. }
  assert (St1 := S1 t1 ltac:(lra)). rewrite Tl, Ye in St1.
  destruct (piece t1 tau len len 0 0) as [_ D3]; [lra|lra|auto|lra|lra| |].
  { intros t Hu. cbv zeta. replace (len + 0 * (t - t1)) with len by ring. replace (alpha * - (m * 0 + n * 0)) with 0 by ring. rewrite !flat_cap.
    assert (F : alpha * (B - m * len - n * len) = len) by lra. split; [lra|]. split; [right; rewrite no_cap; simpl; lra|].
    split; [lra|]. rewrite a_cap. simpl. assert (len < y) by (apply Rmult_lt_reg_r with (1 + alpha * (m + n)); [lra|];
      assert (alpha * m * x1 < alpha * m * y) by (apply Rmult_lt_compat_l; lra); lra). rewrite Rmin_left by lra. lra. }
  split; [|rewrite (capped_left_free len len t1 St1), TL; lra].
  apply (drops_then t1 tau 0); auto; [lra|lra|]. intros i t Hi Hu. destruct (Rlt_dec t t2); [apply D1; auto; lra|apply D2; auto; lra].
Qed.

(** The threshold falls faster than they can be sent. *)
Theorem cap_steady_fast : alpha * B < c * (1 + alpha * (m + n)) -> C * (1 + alpha * n) < alpha * m * (R - C) ->
  let t1 := alpha / (R - C) * ((n * C * (ys - alpha * (B - n * ys)) + alpha * m * (R - C) * (B - n * ys)) / (alpha * m * ((1 + alpha * m) * (R - C) - alpha * n * C))) in
  t1 < tau -> (forall i, (i < M)%nat -> drops_first_at sw Ar Q D i 0 t1) /\ alpha * free sw Q t1 = (R - C) * t1.
Proof.
  intros Hc Hs t1 Ht. pose proof M_at_least as Mp. pose proof N_nonneg as Np. assert (am : 0 < alpha * m) by (apply Rmult_lt_0_compat; lra).
  assert (an : 0 <= alpha * n) by (apply Rmult_le_pos; lra). assert (anC : 0 <= alpha * n * C) by (apply Rmult_le_pos; lra).
  set (den := (1 + alpha * m) * (R - C) - alpha * n * C) in *. assert (Den : 0 < den) by (unfold den; lra).
  destruct ys_facts as (Y0 & Y1 & _ & Y3). pose proof first_piece as First. set (y := ys) in *. set (x1 := (alpha * B - (1 + alpha * n) * y) / (alpha * m)) in *. set (t2 := x1 / (R - C)) in *.
  assert (T2 : (R - C) * t2 = x1) by (unfold t2; field; lra). assert (B2 : alpha * m * x1 = alpha * B - (1 + alpha * n) * y) by (unfold x1; field; lra).
  assert (ym : 0 < alpha * m * y) by (apply Rmult_lt_0_compat; lra).
  assert (B1 : x1 < y) by (apply Rmult_lt_reg_l with (alpha * m); [lra|]; destruct Y3 as [Y3|Y3]; [rewrite Y3 in *|]; lra).
  assert (Et : t1 = t2 + (y - x1) / den) by (unfold t1, t2, x1, den; field; unfold den in Den; lra).
  assert (H0 : 0 < (y - x1) / den) by (apply Rdiv_lt_0_compat; lra). set (h1 := (y - x1) / den) in *. assert (Hd : h1 * den = y - x1) by (unfold h1; field; lra).
  destruct (First Hc ltac:(lra)) as (t20 & _ & _ & St & D1).
  (* on the line: the bursts are den (h1 - h) below the threshold, the steady ports above it *)
  assert (Line : forall h, alpha * (B - m * (x1 + (R - C) * h) - n * (y + - C * h)) - (x1 + (R - C) * h) = den * (h1 - h)) by (intros h; unfold den in *; lra).
  assert (Over : forall h, y + - C * h - alpha * (B - m * (x1 + (R - C) * h) - n * (y + - C * h)) = (alpha * m * (R - C) - C * (1 + alpha * n)) * h) by (intros h; lra).
  assert (len0 : 0 < x1 + (R - C) * h1) by (assert (0 <= x1) by (rewrite <- T2; apply Rmult_le_pos; lra); assert (0 < (R - C) * h1) by (apply Rmult_lt_0_compat; lra); lra).
  set (len := x1 + (R - C) * h1) in *. set (y1 := y + - C * h1).
  assert (F1 : alpha * (B - m * len - n * y1) = len) by (assert (L := Line h1); fold len y1 in L; lra).
  assert (gap : len < y1). { assert (O := Over h1). fold len y1 in O. assert (0 < (alpha * m * (R - C) - C * (1 + alpha * n)) * h1) by (apply Rmult_lt_0_compat; lra). lra. }
  destruct (piece t2 t1 x1 y (R - C) (- C)) as [S1 D2]; [lra|lra|auto| | | |].
  { replace (t1 - t2) with h1 by lra. fold len. lra. }
  { replace (t1 - t2) with h1 by lra. fold y1. lra. }
  { intros t Hu. assert (L := Line (t - t2)). assert (O := Over (t - t2)). assert (P : 0 < den * (h1 - (t - t2))) by (apply Rmult_lt_0_compat; lra).
    assert (X0 : 0 <= x1 + (R - C) * (t - t2)). { assert (0 <= x1) by (rewrite <- T2; apply Rmult_le_pos; lra). assert (0 <= (R - C) * (t - t2)) by (apply Rmult_le_pos; lra). lra. }
    assert (O0 : 0 <= (alpha * m * (R - C) - C * (1 + alpha * n)) * (t - t2)) by (apply Rmult_le_pos; lra).
    set (f := alpha * (B - m * (x1 + (R - C) * (t - t2)) - n * (y + - C * (t - t2)))) in *. split; [lra|]. split; [left; rewrite no_cap; simpl; split; [lra|reflexivity]|].
    split; [lra|]. right. rewrite a_cap. simpl.
    destruct (Req_dec t t2) as [At|NotAt].
    - left. assert (Zf : f = y) by (rewrite At in O; unfold f; rewrite At; lra). rewrite Zf. rewrite Rmin_left by lra. split; [rewrite At; lra|].
      assert (df : alpha * - (m * (R - C) + n * - C) <= - C) by lra.
      unfold min_slope. destruct (Rlt_dec y c); [auto|]. destruct (Rlt_dec c y); [lra|]. rewrite Rmin_left; lra.
    - right. split; [|reflexivity]. assert (0 < (alpha * m * (R - C) - C * (1 + alpha * n)) * (t - t2)) by (apply Rmult_lt_0_compat; lra).
      apply Rle_lt_trans with f; [apply Rmin_l|lra]. }
  assert (St1 := S1 t1 ltac:(lra)). replace (t1 - t2) with h1 in St1 by lra.
  set (v := alpha * n * C / (1 + alpha * m)). assert (V : v * (1 + alpha * m) = alpha * n * C) by (unfold v; field; lra).
  assert (V0 : 0 <= v) by (apply Rmult_le_reg_r with (1 + alpha * m); lra). assert (VR : v < R - C) by (apply Rmult_lt_reg_r with (1 + alpha * m); unfold den in Den; lra).
  set (d := (y1 - len) / (C + v)). assert (d0 : 0 < d) by (apply Rdiv_lt_0_compat; lra). assert (dE : d * (C + v) = y1 - len) by (unfold d; field; lra).
  set (e := Rmin tau (t1 + d)). assert (e1 : e <= tau) by apply Rmin_l. assert (e2 : e <= t1 + d) by apply Rmin_r. assert (e3 : t1 < e) by (apply Rmin_glb_lt; lra).
  assert (Gap : forall h, 0 <= h <= d -> len + v * h <= y1 + - C * h).
  { intros h Hh. assert (h * (C + v) <= d * (C + v)) by (apply Rmult_le_compat_r; lra). lra. }
  assert (lv : 0 <= v * (e - t1)) by (apply Rmult_le_pos; lra).
  destruct (piece t1 e len y1 v (- C)) as [_ D3]; [lra|lra|auto|lra| | |].
  { assert (G := Gap (e - t1) ltac:(lra)). lra. }
  { intros t Hu. assert (vt : 0 <= v * (t - t1)) by (apply Rmult_le_pos; lra).
    assert (F : alpha * (B - m * (len + v * (t - t1)) - n * (y1 + - C * (t - t1))) = len + v * (t - t1)).
    { assert (X : v * (t - t1) * (1 + alpha * m) = alpha * n * C * (t - t1)) by (rewrite <- V; ring). lra. }
    rewrite F. split; [lra|]. split; [right; rewrite no_cap; simpl; lra|].
    assert (G : (t - t1) * (C + v) < d * (C + v)) by (apply Rmult_lt_compat_r; lra). split; [lra|]. right. right. split; [|reflexivity].
    rewrite a_cap. apply Rle_lt_trans with (len + v * (t - t1)); [apply Rmin_l|lra]. }
  assert (TL : (R - C) * t1 = len) by (rewrite Et, Rmult_plus_distr_l, T2; unfold len; ring).
  split; [|rewrite (capped_left_free len y1 t1 St1), TL; lra].
  apply (drops_then t1 e v); auto; [lra|]. intros i t Hi Hu. destruct (Rlt_dec t t2); [apply D1; auto; lra|apply D2; auto; lra].
Qed.

End Steady.
End Bursts.

(** ** Instances: one burst, alone or beside one steady port; B = 6, alpha = C = 1 *)

Definition first_and_other (x y : real) (i : nat) : real := if Nat.eq_dec i 0 then x else y.

(* The comparisons are decided from the inside, so that none is copied before. *)
Ltac decided := repeat match goal with |- context [Rlt_dec ?a ?b] => destruct (Rlt_dec a b); try (exfalso; lra)
  | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b); try (exfalso; lra) end.
Ltac bends := intros [|[|i]] t Hi Ht; try (exfalso; simpl in Hi; lia); clear Hi;
  unfold capped_obeys, capped_threshold, capped_threshold_slope, threshold, threshold_slope, free, free_slope, class_cap, highest, lowest, first_and_other; simpl;
  unfold Rmax; decided; unfold min_slope, Rmin; decided; unfold clip, Rmin; decided; unfold Rmax; decided; repeat split; intros; lra.

(** The cap 1 stops the burst at 1/2. *)
Theorem cap_alone_instance : exists Q D, capped_trajectory (dt_switch 1 1 6 1) (class_cap 1 0 (Some 1) None) (fun _ _ => 3) 0 2 Q D /\
  Q 0%nat 0 = 0 /\ drops_first_at (dt_switch 1 1 6 1) (fun _ _ => 3) Q D 0 0 (1 / 2) /\ free (dt_switch 1 1 6 1) Q (1 / 2) = 5.
Proof.
  set (Q := fun (i : nat) t => if Rlt_dec t (1 / 2) then 0 + 2 * t else 0 + 2 * (1 / 2) + 0 * (t - 1 / 2)). set (D := fun (i : nat) t => if Rlt_dec t (1 / 2) then 2 else 0).
  assert (T : capped_trajectory (dt_switch 1 1 6 1) (class_cap 1 0 (Some 1) None) (fun _ _ => 3) 0 2 Q D).
  { apply (capped_bend _ _ _ (1 / 2) 2 (fun _ => 0) (fun _ => 2) (fun _ => 0)); [lra| | |].
    - intros i t _ Ht. destruct (Rlt_dec t (1 / 2)); lra.
    - bends.
    - bends. }
  assert (Q0 : Q 0%nat 0 = 0) by (unfold Q; destruct (Rlt_dec 0 (1 / 2)); lra).
  exists Q, D. split; [exact T|]. split; [exact Q0|].
  destruct (cap_alone 1 0 0 1 6 1 3 (Some 1) None 2 (fun _ _ => 3) Q D) with (c := 1) as [K1 K2]; auto; try lra; try lia.
  - split; intros; try lia; lra.
  - split; [|split]; intros i Hi; try lia. exact Q0.
  - simpl. rewrite Rmin_left; lra.
  - simpl in K1, K2. rewrite Rmin_left in K1, K2 by lra. replace (1 / (3 - 1)) with (1 / 2) in * by field. split; [apply K1; lia|]. rewrite K2. ring.
Qed.

Lemma beside_one x y (Q : nat -> real -> real) : Q 0%nat 0 = x -> Q 1%nat 0 = y -> classes 1 1 0 Q x y 0.
Proof. split; [|split]; intros i Hi; [replace i with 0%nat by lia|replace i with 1%nat by lia|lia]; auto. Qed.

Lemma comes_to_two R tau : 1 <= R -> burst_arrivals 1 1 0 1 (fun _ _ => R) 0 tau (fun i _ => first_and_other R 2 i).
Proof. split; intros; unfold first_and_other; destruct (Nat.eq_dec i 0); try lia; lra. Qed.

(** The cap 1 of the steady port holds; that of 4 does not, and a burst of rate 3 is slow and one of rate 7 fast. *)
Theorem cap_steady_instance : let switch := dt_switch 2 1 6 1 in let caps := fun c => class_cap 1 1 None (Some c) in
  let comes := fun R i (_ : real) => first_and_other R 2 i in
  (exists Q D, capped_trajectory switch (caps 1) (comes 3) 0 2 Q D /\ classes 1 1 0 Q 0 1 0 /\ drops_first_at switch (comes 3) Q D 0 0 (5 / 4)) /\
  (exists Q D, capped_trajectory switch (caps 4) (comes 3) 0 2 Q D /\ classes 1 1 0 Q 0 3 0 /\ drops_first_at switch (comes 3) Q D 0 0 1) /\
  (exists Q D, capped_trajectory switch (caps 4) (comes 7) 0 (1 / 2) Q D /\ classes 1 1 0 Q 0 3 0 /\ drops_first_at switch (comes 7) Q D 0 0 (3 / 11)).
Proof.
  intros switch caps comes.
  split; [|split].
  - set (Q := fun i t => if Rlt_dec t (5 / 4) then first_and_other 0 1 i + first_and_other 2 0 i * t else first_and_other 0 1 i + first_and_other 2 0 i * (5 / 4) + 0 * (t - 5 / 4)).
    set (D := fun i t => if Rlt_dec t (5 / 4) then first_and_other 2 0 i else 0).
    assert (T : capped_trajectory switch (caps 1) (comes 3) 0 2 Q D).
    { apply (capped_bend _ _ _ (5 / 4) 2 (first_and_other 0 1) (first_and_other 2 0) (fun _ => 0)); [lra| | |].
      - intros i t _ Ht. unfold first_and_other. destruct (Nat.eq_dec i 0), (Rlt_dec t (5 / 4)); lra.
      - subst switch caps comes. bends.
      - subst switch caps comes. bends. }
    assert (S : classes 1 1 0 Q 0 1 0) by (apply beside_one; unfold Q, first_and_other; simpl; destruct (Rlt_dec 0 (5 / 4)); lra).
    exists Q, D. split; [exact T|]. split; [exact S|].
    destruct (cap_steady_stays 1 1 0 1 6 1 3 None (Some 1) 2 (comes 3) Q D) with (c := 1) as [K _]; auto; try (simpl; lra); try lia.
    + apply comes_to_two. lra.
    + simpl. rewrite Rmin_left by lra. exact S.
    + replace (5 / 4) with (1 * (6 - 1 * 1) / ((3 - 1) * (1 + 1 * 1))) by field. apply K. lia.
  - set (Q := fun i t => if Rlt_dec t 1 then first_and_other 0 3 i + first_and_other 2 (-1) i * t else first_and_other 0 3 i + first_and_other 2 (-1) i * 1 + 0 * (t - 1)).
    set (D := fun i t => if Rlt_dec t 1 then first_and_other 2 (-1) i else 0).
    assert (T : capped_trajectory switch (caps 4) (comes 3) 0 2 Q D).
    { apply (capped_bend _ _ _ 1 2 (first_and_other 0 3) (first_and_other 2 (-1)) (fun _ => 0)); [lra| | |].
      - intros i t _ Ht. unfold first_and_other. destruct (Nat.eq_dec i 0), (Rlt_dec t 1); lra.
      - subst switch caps comes. bends.
      - subst switch caps comes. bends. }
    assert (S : classes 1 1 0 Q 0 3 0) by (apply beside_one; unfold Q, first_and_other; simpl; destruct (Rlt_dec 0 1); lra).
    exists Q, D. split; [exact T|]. split; [exact S|].
    destruct (cap_steady_slow 1 1 0 1 6 1 3 None (Some 4) 2 (comes 3) Q D) with (c := 4) as [K _]; auto; try (simpl; lra); try lia.
    + apply comes_to_two. lra.
    + simpl. rewrite Rmin_right by lra. replace (1 * 6 / (1 + 1 * 1)) with 3 by field. exact S.
    + simpl in K. replace (1 * 6 / ((3 - 1) * (1 + 1 * (1 + 1)))) with 1 in K by field. apply K. lia.
  - set (Q := fun i t => if Rlt_dec t (3 / 11) then first_and_other 0 3 i + first_and_other 6 (-1) i * t else first_and_other 0 3 i + first_and_other 6 (-1) i * (3 / 11) + first_and_other (1 / 2) (-1) i * (t - 3 / 11)).
    set (D := fun i t => if Rlt_dec t (3 / 11) then first_and_other 6 (-1) i else first_and_other (1 / 2) (-1) i).
    assert (T : capped_trajectory switch (caps 4) (comes 7) 0 (1 / 2) Q D).
    { apply (capped_bend _ _ _ (3 / 11) (1 / 2) (first_and_other 0 3) (first_and_other 6 (-1)) (first_and_other (1 / 2) (-1))); [lra| | |].
      - intros i t _ Ht. unfold first_and_other. destruct (Nat.eq_dec i 0), (Rlt_dec t (3 / 11)); lra.
      - subst switch caps comes. bends.
      - subst switch caps comes. bends. }
    assert (S : classes 1 1 0 Q 0 3 0) by (apply beside_one; unfold Q, first_and_other; simpl; destruct (Rlt_dec 0 (3 / 11)); lra).
    exists Q, D. split; [exact T|]. split; [exact S|].
    destruct (cap_steady_fast 1 1 0 1 6 1 7 None (Some 4) (1 / 2) (comes 7) Q D) with (c := 4) as [K _]; auto; try (simpl; lra); try lia.
    + apply comes_to_two. lra.
    + simpl. rewrite Rmin_right by lra. replace (1 * 6 / (1 + 1 * 1)) with 3 by field. exact S.
    + simpl. rewrite Rmin_right by lra. lra.
    + simpl in K. rewrite Rmin_right in K by lra. replace (1 * 6 / (1 + 1 * 1)) with 3 in K by field.
      replace (3 / 11) with (1 / (7 - 1) * ((1 * 1 * (3 - 1 * (6 - 1 * 3)) + 1 * 1 * (7 - 1) * (6 - 1 * 3)) / (1 * 1 * ((1 + 1 * 1) * (7 - 1) - 1 * 1 * 1)))) by field. apply K. lia.
Qed.
