(** The model with static limits: a queue may hold min(o_i + w_i F, c_i), if it has a cap c_i.

      [capped_contraction], [capped_unique]  the distance between two trajectories never grows: lengths determine a trajectory;
      [capped_follows]                       how a trajectory is recognised as straight lines, from an instant on;
      [capped_bend]                          and made of lines that bend once.                                               *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid.
Open Scope R_scope.

(** A level x, rising at d, below a cap; and how fast that rises. *)
Definition below_cap (c : option R) (x : R) : R := match c with None => x | Some k => Rmin x k end.
Definition below_cap_slope (c : option R) (x d : R) : R := match c with None => d | Some k => min_slope x k d 0 end.

Section Caps.
Variable sw : switch.
Variable cap : nat -> option R.
Variable Ar : nat -> R -> R.

Definition capped_threshold (Q : nat -> R -> R) (i : nat) (t : R) : R := below_cap (cap i) (threshold sw Q i t).
Definition capped_threshold_slope (Q D : nat -> R -> R) (i : nat) (t : R) : R :=
  below_cap_slope (cap i) (threshold sw Q i t) (threshold_slope sw D i t).

(** The rule of the model, with these thresholds. *)
Definition capped_obeys (Q D : nat -> R -> R) (i : nat) (t : R) : Prop :=
  (Q i t < capped_threshold Q i t -> D i t = highest sw Ar i (Q i t) t) /\
  (capped_threshold Q i t < Q i t -> D i t = lowest sw i (Q i t)) /\
  (Q i t = capped_threshold Q i t -> D i t = clip (capped_threshold_slope Q D i t) (lowest sw i (Q i t)) (highest sw Ar i (Q i t) t)).

Record capped_trajectory (s tau : R) (Q D : nat -> R -> R) : Prop := {
  capped_nonneg : forall i t, (i < ports sw)%nat -> s <= t <= tau -> 0 <= Q i t;
  capped_continuous : forall i, (i < ports sw)%nat -> continuous_on (Q i) s tau;
  capped_slope : forall i t, (i < ports sw)%nat -> s <= t < tau -> right_derivative (Q i) t (D i t);
  capped_rule : forall i t, (i < ports sw)%nat -> s <= t < tau -> capped_obeys Q D i t
}.

Lemma below_cap_mono c x y : x <= y -> below_cap c x <= below_cap c y.
Proof. intros H. destruct c; simpl; [apply Rle_min_compat_r|]; auto. Qed.

(** Where two levels are cut to the same, the higher one, or of equal ones the one that rises faster, is cut to what rises no slower. *)
Lemma below_cap_slopes c x y d e : x < y \/ (x = y /\ d <= e) -> below_cap c x = below_cap c y -> below_cap_slope c x d <= below_cap_slope c y e.
Proof.
  intros H E. destruct c as [k|]; simpl in *; [|lra]. revert E. unfold min_slope, Rmin. repeat destruct (Rlt_dec _ _); repeat destruct (Rle_dec _ _); intros; lra.
Qed.

Lemma capped_rates Q D i t : 0 <= Ar i t -> capped_obeys Q D i t -> lowest sw i (Q i t) <= D i t <= highest sw Ar i (Q i t) t.
Proof.
  intros Ha (Hb & Hab & Ho). pose proof (lowest_le_highest sw Ar i (Q i t) t Ha).
  destruct (Rtotal_order (Q i t) (capped_threshold Q i t)) as [H1|[H1|H1]]; [rewrite (Hb H1)|rewrite (Ho H1)|rewrite (Hab H1)]; [lra|apply clip_bounds; auto|lra].
Qed.

(** Two trajectories never move apart. *)

Lemma capped_growth s tau Q D Q' D' t i : sane sw Ar s tau -> capped_trajectory s tau Q D -> capped_trajectory s tau Q' D' -> s <= t < tau -> (i < ports sw)%nat ->
  (free sw Q' t < free sw Q t \/ (free sw Q' t = free sw Q t /\ free_slope sw D' t <= free_slope sw D t)) ->
  abs_slope (Q i t - Q' i t) (D i t - D' i t) <= D i t - D' i t.
Proof.
  intros [Hg Ha] H H' Ht Hi HF. destruct (Hg i Hi) as [G S]. specialize (Ha i t Hi Ht).
  pose proof (capped_rule _ _ _ _ H i t Hi Ht) as O. pose proof (capped_rule _ _ _ _ H' i t Hi Ht) as O'.
  unfold abs_slope. destruct (Rlt_dec 0 (Q i t - Q' i t)) as [c|c]; [lra|].
  assert (K : D' i t <= D i t).
  { pose proof (capped_rates _ _ _ _ Ha O) as Hb. pose proof (capped_rates _ _ _ _ Ha O') as Hb'.
    pose proof (lowest_antitone sw i (Q i t) (Q' i t) S ltac:(lra)). pose proof (highest_antitone sw Ar i (Q i t) (Q' i t) t ltac:(lra)).
    assert (L : threshold sw Q' i t <= threshold sw Q i t) by (unfold threshold; apply Rplus_le_compat_l, Rmult_le_compat_l; [auto|destruct HF as [|[]]; lra]).
    assert (T : capped_threshold Q' i t <= capped_threshold Q i t) by (apply below_cap_mono, L).
    destruct O as (Hlt & Hgt & Heq). destruct O' as (Hlt' & Hgt' & Heq').
    destruct (Rlt_dec (Q i t) (capped_threshold Q i t)) as [c1|c1]; [rewrite (Hlt c1); lra|].
    destruct (Rlt_dec (capped_threshold Q' i t) (Q' i t)) as [c2|c2]; [rewrite (Hgt' c2); lra|].
    assert (E : Q i t = Q' i t) by lra. rewrite Heq, Heq' by lra. rewrite E. apply clip_mono. apply below_cap_slopes; [|unfold capped_threshold in *; lra].
    destruct (Req_dec (threshold sw Q' i t) (threshold sw Q i t)) as [Et|]; [right; split; [auto|]|left; lra].
    unfold threshold_slope. destruct HF as [HF|[_ HF]]; [|apply Rmult_le_compat_l; auto].
    assert (E0 : gain sw i = 0); [|rewrite E0; lra]. unfold threshold in Et. apply Rmult_eq_reg_r with (free sw Q t - free sw Q' t); lra. }
  destruct (Rlt_dec (Q i t - Q' i t) 0); [lra|]. rewrite Rabs_right; lra.
Qed.

Lemma capped_free_slope s tau Q D t : capped_trajectory s tau Q D -> s <= t < tau -> right_derivative (free sw Q) t (free_slope sw D t).
Proof.
  intros H Ht. unfold free, free_slope. eapply rd_eq; [apply rd_minus; [apply rd_const|]; apply rd_sum; intros i Hi; apply (capped_slope _ _ _ _ H); auto|lra].
Qed.

Lemma capped_free_continuous s tau Q D : capped_trajectory s tau Q D -> continuous_on (free sw Q) s tau.
Proof. intros H. unfold free. apply continuous_minus; [apply continuous_const|]. apply continuous_sum. intros i Hi. apply (capped_continuous _ _ _ _ H); auto. Qed.

Theorem capped_contraction s tau Q D Q' D' : s <= tau -> sane sw Ar s tau -> capped_trajectory s tau Q D -> capped_trajectory s tau Q' D' ->
  distance sw Q Q' tau <= distance sw Q Q' s.
Proof.
  intros Hst Hs H H'. apply (nonincreasing s tau (distance sw Q Q') (fun t => abs_slope (free sw Q t - free sw Q' t) (free_slope sw D t - free_slope sw D' t)
    + sum (ports sw) (fun i => abs_slope (Q i t - Q' i t) (D i t - D' i t)))); auto.
  - unfold distance. apply continuous_plus; [apply continuous_abs, continuous_minus; eapply capped_free_continuous; eauto|].
    apply continuous_sum. intros i Hi. apply continuous_abs, continuous_minus; [apply (capped_continuous _ _ _ _ H)|apply (capped_continuous _ _ _ _ H')]; auto.
  - intros t Ht. split.
    + unfold distance. apply rd_plus; [apply (rd_abs t (fun u => free sw Q u - free sw Q' u)), rd_minus; eapply capped_free_slope; eauto|].
      apply rd_sum. intros i Hi. apply (rd_abs t (fun u => Q i u - Q' i u)), rd_minus; [apply (capped_slope _ _ _ _ H)|apply (capped_slope _ _ _ _ H')]; auto.
    + pose proof (free_slope_minus sw D D' t) as E. pose proof (free_slope_minus sw D' D t) as E'.
      assert (Case : (free sw Q' t < free sw Q t \/ (free sw Q' t = free sw Q t /\ free_slope sw D' t <= free_slope sw D t)) \/
                     (free sw Q t < free sw Q' t \/ (free sw Q t = free sw Q' t /\ free_slope sw D t <= free_slope sw D' t))).
      { destruct (Rtotal_order (free sw Q t) (free sw Q' t)) as [c|[c|c]]; [auto| |auto].
        destruct (Rle_dec (free_slope sw D' t) (free_slope sw D t)); [left|right]; right; split; lra. }
      destruct Case as [c|c].
      * assert (S : sum (ports sw) (fun i => abs_slope (Q i t - Q' i t) (D i t - D' i t)) <= sum (ports sw) (fun i => D i t - D' i t))
          by (apply sum_le; intros i Hi; eapply capped_growth; eauto).
        unfold abs_slope at 1. destruct (Rlt_dec 0 (free sw Q t - free sw Q' t)); [lra|].
        destruct (Rlt_dec (free sw Q t - free sw Q' t) 0); [exfalso; destruct c as [|[]]; lra|]. rewrite Rabs_right; [lra|]. destruct c as [|[]]; lra.
      * assert (S : sum (ports sw) (fun i => abs_slope (Q i t - Q' i t) (D i t - D' i t)) <= sum (ports sw) (fun i => D' i t - D i t))
          by (apply sum_le; intros i Hi; rewrite abs_slope_opp; eapply capped_growth; eauto).
        unfold abs_slope at 1. destruct (Rlt_dec 0 (free sw Q t - free sw Q' t)); [exfalso; destruct c as [|[]]; lra|].
        destruct (Rlt_dec (free sw Q t - free sw Q' t) 0); [lra|]. rewrite Rabs_left1; [lra|]. destruct c as [|[]]; lra.
Qed.

Lemma capped_part s tau u v Q D : s <= u -> v <= tau -> capped_trajectory s tau Q D -> capped_trajectory u v Q D.
Proof.
  intros Hu Hv H. split; intros.
  - apply (capped_nonneg _ _ _ _ H); auto; lra.
  - apply (continuous_sub s tau); [lra|lra|]. apply (capped_continuous _ _ _ _ H); auto.
  - apply (capped_slope _ _ _ _ H); auto; lra.
  - apply (capped_rule _ _ _ _ H); auto; lra.
Qed.

Theorem capped_unique s tau Q D Q' D' : sane sw Ar s tau -> capped_trajectory s tau Q D -> capped_trajectory s tau Q' D' ->
  (forall i, (i < ports sw)%nat -> Q i s = Q' i s) ->
  forall i, (i < ports sw)%nat -> (forall t, s <= t <= tau -> Q i t = Q' i t) /\ (forall t, s <= t < tau -> D i t = D' i t).
Proof.
  intros Hs H H' H0. assert (K : forall i, (i < ports sw)%nat -> forall t, s <= t <= tau -> Q i t = Q' i t).
  { intros i Hi t Ht. assert (C : distance sw Q Q' t <= distance sw Q Q' s).
    { apply (capped_contraction s t Q D Q' D'); [lra| |apply (capped_part s tau); auto; lra|apply (capped_part s tau); auto; lra].
      destruct Hs as [Hg Ha]. split; auto. intros; apply Ha; auto; lra. }
    assert (Z : distance sw Q Q' s = 0).
    { unfold distance, free. rewrite (sum_ext _ (fun i => Q i s) (fun i => Q' i s)) by auto.
      rewrite Rminus_diag_eq, Rabs_R0, sum_zero; [lra| |reflexivity]. intros j Hj. rewrite (H0 j Hj), Rminus_diag_eq; [apply Rabs_R0|reflexivity]. }
    rewrite Z in C. unfold distance in C. assert (P := Rabs_pos (free sw Q t - free sw Q' t)).
    assert (S := sum_term_le (ports sw) (fun i => Rabs (Q i t - Q' i t)) i ltac:(intros; apply Rabs_pos) Hi). cbv beta in S.
    destruct (Req_dec (Q i t - Q' i t) 0) as [|Hn]; [lra|]. apply Rabs_pos_lt in Hn. lra. }
  intros i Hi. split; [apply K; auto|]. intros t Ht. apply (rd_unique t (Q i)); [apply (capped_slope _ _ _ _ H); auto|].
  apply rd_ext with (Q' i); [|apply (capped_slope _ _ _ _ H'); auto]. exists (tau - t). split; [lra|]. intros h Hh. apply K; auto. lra.
Qed.

(** A trajectory is a straight line from s to e, if these lines obey the rule. *)
Theorem capped_follows s e tau Q D v : sane sw Ar s tau -> capped_trajectory s tau Q D -> e <= tau ->
  (forall i, (i < ports sw)%nat -> 0 <= Q i s + v i * (e - s)) ->
  (forall i t, (i < ports sw)%nat -> s <= t < e -> capped_obeys (fun j u => Q j s + v j * (u - s)) (fun j _ => v j) i t) ->
  forall i, (i < ports sw)%nat -> (forall t, s <= t <= e -> Q i t = Q i s + v i * (t - s)) /\ (forall t, s <= t < e -> D i t = v i).
Proof.
  intros Hs H He Pos Rule i Hi. destruct (Rle_dec s e) as [Hse|]; [|split; intros; lra].
  apply (capped_unique s e Q D (fun j u => Q j s + v j * (u - s)) (fun j _ => v j)); auto.
  - destruct Hs as [Hg Ha]. split; auto. intros; apply Ha; auto; lra.
  - apply (capped_part s tau); auto; lra.
  - split; auto.
    + intros j t Hj Ht. specialize (Pos j Hj). pose proof (capped_nonneg _ _ _ _ H j s Hj ltac:(lra)) as P0.
      destruct (Rle_dec 0 (v j)) as [V|V]; [assert (0 <= v j * (t - s)) by (apply Rmult_le_pos; lra); lra|].
      assert (0 <= - v j * (e - t)) by (apply Rmult_le_pos; lra). lra.
    + intros j _. apply continuous_ext with (fun u => v j * u + (Q j s - v j * s)); [intros; ring|apply continuous_linear].
    + intros j t _ _. apply rd_affine. exists 1. split; [lra|]. intros. ring.
  - intros j _. ring.
Qed.

(** Lines that bend once, at k, make a trajectory, if they obey the rule. *)
Theorem capped_bend k tau q v w : 0 <= k <= tau -> let line := fun i t => if Rlt_dec t k then q i + v i * t else q i + v i * k + w i * (t - k) in
  let rate := fun i t => if Rlt_dec t k then v i else w i in
  (forall i t, (i < ports sw)%nat -> 0 <= t <= tau -> 0 <= line i t) ->
  (forall i t, (i < ports sw)%nat -> 0 <= t < k -> capped_obeys (fun j u => q j + v j * u) (fun j _ => v j) i t) ->
  (forall i t, (i < ports sw)%nat -> k <= t < tau -> capped_obeys (fun j u => q j + v j * k + w j * (u - k)) (fun j _ => w j) i t) ->
  capped_trajectory 0 tau line rate.
Proof.
  intros Hk line rate Pos R1 R2. split; auto.
  - intros i _. apply (continuous_glue 0 tau (fun t => q i + v i * t) (fun t => q i + v i * k + w i * (t - k)) k); [lra| | |ring].
    + apply continuous_ext with (fun u => v i * u + q i); [intros; ring|apply continuous_linear].
    + apply continuous_ext with (fun u => w i * u + (q i + v i * k - w i * k)); [intros; ring|apply continuous_linear].
  - intros i t _ Ht. unfold rate. apply rd_affine. unfold line. destruct (Rlt_dec t k).
    + exists (k - t). split; [lra|]. intros h Hh. destruct (Rlt_dec (t + h) k); lra.
    + exists 1. split; [lra|]. intros h Hh. destruct (Rlt_dec (t + h) k); lra.
  - intros i t Hi Ht. unfold capped_obeys, capped_threshold, capped_threshold_slope, threshold, threshold_slope, free, free_slope, line, rate.
    destruct (Rlt_dec t k) as [L|L]; [apply R1; auto; lra|apply R2; auto; lra].
Qed.

End Caps.
