(** The fluid model of a shared buffer, for any number of queues, and its well-posedness.

    Queue i holds [Q i t], is offered [Ar i t] and served at [service i].  Its threshold is
    [offset i + gain i * F], F the free buffer:
      Dynamic Threshold      offset 0, gain alpha            (DT/EDT paper, equation (1))
      static partition, or a queue of EDT that is uncontrolled    offset B/n, gain 0.

    Statements:
      [fluid_contraction]  the distance |F - F'| + sum |Q_i - Q_i'| between two trajectories of the
                           same switch under the same arrivals never grows;
      [fluid_unique]       hence a trajectory is determined by its initial lengths.                 *)
Require Import Reals Lra Lia.
From DT Require Import Calculus.
Open Scope R_scope.

(** ** The model *)

Record switch := Switch {
  ports : nat;               (* the number of queues *)
  gain : nat -> R;           (* alpha_i *)
  offset : nat -> R;         (* the part of the threshold that does not depend on F *)
  service : nat -> R;        (* C_i *)
  buffer : R                 (* B *)
}.

(** The switch of the DT/EDT paper: n ports of capacity C, one alpha. *)
Definition dt_switch (n : nat) (alpha B C : R) : switch :=
  Switch n (fun _ => alpha) (fun _ => 0) (fun _ => C) B.

Definition clip (x l u : R) : R := Rmax l (Rmin x u).

Section Model.
Variable sw : switch.
Variable Ar : nat -> R -> R.        (* the arrival rates R_i(t) *)

(** The rates of growth of queue i, of length q, when everything that arrives is rejected, and admitted. *)
Definition lowest (i : nat) (q : R) : R :=
  if Rlt_dec 0 q then - service sw i else Rmax 0 (- service sw i).
Definition highest (i : nat) (q t : R) : R :=
  if Rlt_dec 0 q then Ar i t - service sw i else Rmax 0 (Ar i t - service sw i).

(** F(t) = B - sum Q_i(t), the threshold T_i(t), and F', T_i' from the rates of growth [D]. *)
Definition free (Q : nat -> R -> R) (t : R) : R := buffer sw - sum (ports sw) (fun i => Q i t).
Definition free_slope (D : nat -> R -> R) (t : R) : R := - sum (ports sw) (fun i => D i t).
Definition threshold (Q : nat -> R -> R) (i : nat) (t : R) : R := offset sw i + gain sw i * free Q t.
Definition threshold_slope (D : nat -> R -> R) (i : nat) (t : R) : R := gain sw i * free_slope D t.

(** Below its threshold a queue admits everything, above it nothing; on it, it stays there if it can. *)
Definition obeys (Q D : nat -> R -> R) (i : nat) (t : R) : Prop :=
  (Q i t < threshold Q i t -> D i t = highest i (Q i t) t) /\
  (threshold Q i t < Q i t -> D i t = lowest i (Q i t)) /\
  (Q i t = threshold Q i t ->
     D i t = clip (threshold_slope D i t) (lowest i (Q i t)) (highest i (Q i t) t)).

(** A trajectory on [s, tau]: lengths Q and their right derivatives D. *)
Record trajectory (s tau : R) (Q D : nat -> R -> R) : Prop := {
  length_nonneg : forall i t, (i < ports sw)%nat -> s <= t <= tau -> 0 <= Q i t;
  length_continuous : forall i, (i < ports sw)%nat -> continuous_on (Q i) s tau;
  length_slope : forall i t, (i < ports sw)%nat -> s <= t < tau -> right_derivative (Q i) t (D i t);
  length_rule : forall i t, (i < ports sw)%nat -> s <= t < tau -> obeys Q D i t
}.

(** The rate at which queue i rejects, and its first drop. *)
Definition rejected (Q D : nat -> R -> R) (i : nat) (t : R) : R := highest i (Q i t) t - D i t.
Definition drops_first_at (Q D : nat -> R -> R) (i : nat) (s t1 : R) : Prop :=
  (forall t, s <= t < t1 -> rejected Q D i t = 0) /\
  exists d, 0 < d /\ forall t, t1 <= t < t1 + d -> 0 < rejected Q D i t.

(** What a switch must satisfy for the rest: alpha_i, C_i and R_i not negative. *)
Definition sane (s tau : R) : Prop :=
  (forall i, (i < ports sw)%nat -> 0 <= gain sw i /\ 0 <= service sw i) /\
  (forall i t, (i < ports sw)%nat -> s <= t < tau -> 0 <= Ar i t).

(** ** Elementary facts *)

Lemma clip_bounds x l u : l <= u -> l <= clip x l u <= u.
Proof. intros H. unfold clip. split; [apply Rmax_l|]. apply Rmax_lub; [auto|apply Rmin_r]. Qed.

Lemma clip_mono x y l u : x <= y -> clip x l u <= clip y l u.
Proof. intros H. unfold clip. apply Rle_max_compat_l, Rle_min_compat_r, H. Qed.

Lemma clip_inside x l u : l <= x <= u -> clip x l u = x.
Proof. intros H. unfold clip. rewrite Rmin_left, Rmax_right; lra. Qed.

Lemma clip_low x l u : x <= l -> l <= u -> clip x l u = l.
Proof. intros H H'. unfold clip. rewrite Rmin_left, Rmax_left; lra. Qed.

Lemma clip_high x l u : u <= x -> l <= u -> clip x l u = u.
Proof. intros H H'. unfold clip. rewrite Rmin_right, Rmax_right; lra. Qed.

Lemma lowest_le_highest i q t : 0 <= Ar i t -> lowest i q <= highest i q t.
Proof.
  intros H. unfold lowest, highest. destruct (Rlt_dec 0 q); [lra|].
  apply Rle_max_compat_l. lra.
Qed.

Lemma lowest_antitone i q q' : 0 <= service sw i -> q <= q' -> lowest i q' <= lowest i q.
Proof.
  intros Hs H. unfold lowest.
  destruct (Rlt_dec 0 q), (Rlt_dec 0 q'); try lra; try apply Rmax_r.
Qed.

Lemma highest_antitone i q q' t : q <= q' -> highest i q' t <= highest i q t.
Proof.
  intros H. unfold highest.
  destruct (Rlt_dec 0 q), (Rlt_dec 0 q'); try lra; try apply Rmax_r.
Qed.

Lemma rate_bounds Q D i t :
  0 <= Ar i t -> obeys Q D i t -> lowest i (Q i t) <= D i t <= highest i (Q i t) t.
Proof.
  intros Ha (Hb & Hab & Ho). pose proof (lowest_le_highest i (Q i t) t Ha).
  destruct (Rtotal_order (Q i t) (threshold Q i t)) as [H1|[H1|H1]].
  - rewrite (Hb H1). lra.
  - rewrite (Ho H1). apply clip_bounds. auto.
  - rewrite (Hab H1). lra.
Qed.

(** The shorter queue under the higher threshold grows at least as fast. *)
Lemma rate_monotone Q D Q' D' i t :
  0 <= Ar i t -> 0 <= service sw i -> obeys Q D i t -> obeys Q' D' i t ->
  Q i t <= Q' i t -> threshold Q' i t <= threshold Q i t ->
  (threshold Q' i t = threshold Q i t -> threshold_slope D' i t <= threshold_slope D i t) ->
  D' i t <= D i t.
Proof.
  intros Ha Hs H H' Hq Ht Htie.
  pose proof (rate_bounds _ _ _ _ Ha H) as Hb. pose proof (rate_bounds _ _ _ _ Ha H') as Hb'.
  pose proof (lowest_antitone i _ _ Hs Hq). pose proof (highest_antitone i _ _ t Hq).
  destruct H as (Hlt & Hgt & Heq). destruct H' as (Hlt' & Hgt' & Heq').
  destruct (Rlt_dec (Q i t) (threshold Q i t)) as [c|c].
  { rewrite (Hlt c). lra. }
  destruct (Rlt_dec (threshold Q' i t) (Q' i t)) as [c'|c'].
  { rewrite (Hgt' c'). lra. }
  assert (E : Q i t = Q' i t) by lra.
  rewrite Heq, Heq' by lra. rewrite E. apply clip_mono, Htie. lra.
Qed.

(** ** Two trajectories never move apart *)

Lemma free_has_slope s tau Q D t :
  trajectory s tau Q D -> s <= t < tau -> right_derivative (free Q) t (free_slope D t).
Proof.
  intros H Ht. unfold free, free_slope.
  eapply rd_eq; [apply rd_minus; [apply rd_const|]|].
  - apply rd_sum. intros i Hi. apply (length_slope _ _ _ _ H); auto.
  - lra.
Qed.

Lemma free_continuous s tau Q D : trajectory s tau Q D -> continuous_on (free Q) s tau.
Proof.
  intros H. unfold free. apply continuous_minus; [apply continuous_const|].
  apply continuous_sum. intros i Hi. apply (length_continuous _ _ _ _ H); auto.
Qed.

Definition distance (Q Q' : nat -> R -> R) (t : R) : R :=
  Rabs (free Q t - free Q' t) + sum (ports sw) (fun i => Rabs (Q i t - Q' i t)).

Lemma growth_when_freer s tau Q D Q' D' t i :
  sane s tau -> trajectory s tau Q D -> trajectory s tau Q' D' -> s <= t < tau -> (i < ports sw)%nat ->
  (free Q' t < free Q t \/ (free Q' t = free Q t /\ free_slope D' t <= free_slope D t)) ->
  abs_slope (Q i t - Q' i t) (D i t - D' i t) <= D i t - D' i t.
Proof.
  intros [Hg Ha] H H' Ht Hi HF. destruct (Hg i Hi) as [Hgi Hsi].
  unfold abs_slope. destruct (Rlt_dec 0 (Q i t - Q' i t)) as [c|c]; [lra|].
  assert (K : D' i t <= D i t).
  { apply (rate_monotone Q D Q' D'); auto.
    - apply (length_rule _ _ _ _ H); auto.
    - apply (length_rule _ _ _ _ H'); auto.
    - lra.
    - unfold threshold. apply Rplus_le_compat_l, Rmult_le_compat_l; auto.
      destruct HF as [|[]]; lra.
    - unfold threshold, threshold_slope. intros E. destruct HF as [HF|[HF HS]].
      + assert (E0 : gain sw i = 0).
        { apply Rmult_eq_reg_r with (free Q t - free Q' t); lra. }
        rewrite E0. lra.
      + apply Rmult_le_compat_l; auto. }
  destruct (Rlt_dec (Q i t - Q' i t) 0); [lra|]. rewrite Rabs_right; lra.
Qed.

Lemma abs_slope_opp x y d e : abs_slope (x - y) (d - e) = abs_slope (y - x) (e - d).
Proof.
  unfold abs_slope. rewrite (Rabs_minus_sym d e).
  destruct (Rlt_dec 0 (x - y)), (Rlt_dec (x - y) 0), (Rlt_dec 0 (y - x)), (Rlt_dec (y - x) 0); lra.
Qed.

Lemma free_slope_minus D D' t :
  free_slope D t - free_slope D' t = - sum (ports sw) (fun i => D i t - D' i t).
Proof. unfold free_slope. rewrite sum_minus. lra. Qed.

(** The distance between two trajectories of the same switch under the same arrivals never grows. *)
Theorem fluid_contraction s tau Q D Q' D' :
  s <= tau -> sane s tau -> trajectory s tau Q D -> trajectory s tau Q' D' ->
  distance Q Q' tau <= distance Q Q' s.
Proof.
  intros Hst Hsane H H'.
  apply (nonincreasing s tau (distance Q Q') (fun t =>
    abs_slope (free Q t - free Q' t) (free_slope D t - free_slope D' t)
    + sum (ports sw) (fun i => abs_slope (Q i t - Q' i t) (D i t - D' i t)))); auto.
  - unfold distance. apply continuous_plus.
    + apply continuous_abs, continuous_minus; eapply free_continuous; eauto.
    + apply continuous_sum. intros i Hi.
      apply continuous_abs, continuous_minus; [apply (length_continuous _ _ _ _ H)|apply (length_continuous _ _ _ _ H')]; auto.
  - intros t Ht. split.
    + unfold distance. apply rd_plus.
      * apply (rd_abs t (fun u => free Q u - free Q' u)), rd_minus; eapply free_has_slope; eauto.
      * apply rd_sum. intros i Hi. apply (rd_abs t (fun u => Q i u - Q' i u)), rd_minus;
          [apply (length_slope _ _ _ _ H)|apply (length_slope _ _ _ _ H')]; auto.
    + pose proof (free_slope_minus D D' t) as E. pose proof (free_slope_minus D' D t) as E'.
      assert (Hcase : (free Q' t < free Q t \/ (free Q' t = free Q t /\ free_slope D' t <= free_slope D t)) \/
                      (free Q t < free Q' t \/ (free Q t = free Q' t /\ free_slope D t <= free_slope D' t))).
      { destruct (Rtotal_order (free Q t) (free Q' t)) as [c|[c|c]]; [auto| |auto].
        destruct (Rle_dec (free_slope D' t) (free_slope D t)); [left|right]; right; split; lra. }
      destruct Hcase as [c|c].
      * assert (S : sum (ports sw) (fun i => abs_slope (Q i t - Q' i t) (D i t - D' i t))
                    <= sum (ports sw) (fun i => D i t - D' i t)).
        { apply sum_le. intros i Hi. eapply growth_when_freer; eauto. }
        unfold abs_slope at 1.
        destruct (Rlt_dec 0 (free Q t - free Q' t)); [lra|].
        destruct (Rlt_dec (free Q t - free Q' t) 0); [exfalso; destruct c as [|[]]; lra|].
        rewrite Rabs_right; [lra|]. destruct c as [|[]]; lra.
      * assert (S : sum (ports sw) (fun i => abs_slope (Q i t - Q' i t) (D i t - D' i t))
                    <= sum (ports sw) (fun i => D' i t - D i t)).
        { apply sum_le. intros i Hi. rewrite abs_slope_opp. eapply growth_when_freer; eauto. }
        unfold abs_slope at 1.
        destruct (Rlt_dec 0 (free Q t - free Q' t)); [exfalso; destruct c as [|[]]; lra|].
        destruct (Rlt_dec (free Q t - free Q' t) 0); [lra|].
        rewrite Rabs_left1; [lra|]. destruct c as [|[]]; lra.
Qed.

(** A trajectory on an interval is one on every part of it. *)
Lemma trajectory_part s tau a b Q D : s <= a -> b <= tau -> trajectory s tau Q D -> trajectory a b Q D.
Proof.
  intros Ha Hb H. split; intros.
  - apply (length_nonneg _ _ _ _ H); auto; lra.
  - apply (continuous_sub s tau); [lra|lra|]. apply (length_continuous _ _ _ _ H); auto.
  - apply (length_slope _ _ _ _ H); auto; lra.
  - apply (length_rule _ _ _ _ H); auto; lra.
Qed.

Lemma trajectory_shorten s tau t Q D : t <= tau -> trajectory s tau Q D -> trajectory s t Q D.
Proof. apply trajectory_part. lra. Qed.

Lemma trajectory_later s s' tau Q D : s <= s' -> trajectory s tau Q D -> trajectory s' tau Q D.
Proof. intros H. apply trajectory_part; lra. Qed.

(** The lengths at s determine the trajectory: the fluid model is well-posed. *)
Theorem fluid_unique s tau Q D Q' D' :
  sane s tau -> trajectory s tau Q D -> trajectory s tau Q' D' ->
  (forall i, (i < ports sw)%nat -> Q i s = Q' i s) ->
  forall i, (i < ports sw)%nat ->
    (forall t, s <= t <= tau -> Q i t = Q' i t) /\ (forall t, s <= t < tau -> D i t = D' i t).
Proof.
  intros Hsane H H' H0.
  assert (K : forall i, (i < ports sw)%nat -> forall t, s <= t <= tau -> Q i t = Q' i t).
  { intros i Hi t Ht.
    assert (C : distance Q Q' t <= distance Q Q' s).
    { apply (fluid_contraction s t Q D Q' D'); try (eapply trajectory_shorten; eauto; lra); [lra|].
      destruct Hsane as [Hg Ha]. split; auto. intros; apply Ha; auto; lra. }
    assert (Z : distance Q Q' s = 0).
    { unfold distance, free.
      rewrite (sum_ext _ (fun i => Q i s) (fun i => Q' i s)) by auto.
      rewrite Rminus_diag_eq, Rabs_R0, sum_zero; [lra| |reflexivity].
      intros j Hj. rewrite (H0 j Hj), Rminus_diag_eq; [apply Rabs_R0|reflexivity]. }
    rewrite Z in C. unfold distance in C.
    assert (P := Rabs_pos (free Q t - free Q' t)).
    assert (S := sum_term_le (ports sw) (fun i => Rabs (Q i t - Q' i t)) i ltac:(intros; apply Rabs_pos) Hi).
    simpl in S. assert (P' := Rabs_pos (Q i t - Q' i t)).
    assert (Z' : Rabs (Q i t - Q' i t) = 0) by lra.
    destruct (Req_dec (Q i t - Q' i t) 0) as [|Hn]; [lra|]. apply Rabs_no_R0 in Hn. lra. }
  intros i Hi. split; [apply K; auto|]. intros t Ht.
  apply (rd_unique t (Q i)); [apply (length_slope _ _ _ _ H); auto|].
  apply rd_ext with (Q' i); [|apply (length_slope _ _ _ _ H'); auto].
  exists (tau - t). split; [lra|]. intros h Hh. apply K; auto. lra.
Qed.

(** Two pieces that meet at c make one trajectory. *)
Definition glue (c : R) (f g : nat -> R -> R) (i : nat) (t : R) : R := if Rlt_dec t c then f i t else g i t.

Lemma obeys_ext Q D Q' D' i t :
  (i < ports sw)%nat -> (forall j, (j < ports sw)%nat -> Q j t = Q' j t /\ D j t = D' j t) ->
  obeys Q' D' i t -> obeys Q D i t.
Proof.
  intros Hi E. unfold obeys, threshold, threshold_slope, free, free_slope.
  rewrite (sum_ext _ (fun i => Q i t) (fun i => Q' i t)), (sum_ext _ (fun i => D i t) (fun i => D' i t))
    by (intros; apply E; auto).
  destruct (E i Hi) as [-> ->]. auto.
Qed.

Theorem fluid_glue s c tau Q D Q' D' :
  s <= c <= tau -> trajectory s c Q D -> trajectory c tau Q' D' ->
  (forall i, (i < ports sw)%nat -> Q i c = Q' i c) ->
  trajectory s tau (glue c Q Q') (glue c D D').
Proof.
  intros Hc H H' E. split; intros i; intros.
  - unfold glue. destruct (Rlt_dec t c);
      [apply (length_nonneg _ _ _ _ H)|apply (length_nonneg _ _ _ _ H')]; auto; lra.
  - unfold glue. apply continuous_glue; auto.
    + apply (length_continuous _ _ _ _ H); auto.
    + apply (length_continuous _ _ _ _ H'); auto.
  - unfold glue at 2. destruct (Rlt_dec t c) as [Hl|Hl].
    + apply rd_ext with (Q i); [|apply (length_slope _ _ _ _ H); auto; lra].
      exists (c - t). split; [lra|]. intros h Hh. unfold glue. destruct (Rlt_dec (t + h) c); lra.
    + apply rd_ext with (Q' i); [|apply (length_slope _ _ _ _ H'); auto; lra].
      exists 1. split; [lra|]. intros h Hh. unfold glue. destruct (Rlt_dec (t + h) c); lra.
  - destruct (Rlt_dec t c) as [Hl|Hl].
    + apply (obeys_ext _ _ Q D); auto; [|apply (length_rule _ _ _ _ H); auto; lra].
      intros j Hj. unfold glue. destruct (Rlt_dec t c); [auto|lra].
    + apply (obeys_ext _ _ Q' D'); auto; [|apply (length_rule _ _ _ _ H'); auto; lra].
      intros j Hj. unfold glue. destruct (Rlt_dec t c); [lra|auto].
Qed.

End Model.
