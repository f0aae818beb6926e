(** Theorems 2 and 3 of the DT/EDT paper completed: the first drop of every port, in every mixture of regimes, as the one
    root of the equation of Theorem3Meeting.v.                                                                   *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Solve Theorem2Mixed Theorem2 Theorem3 Theorem3Meeting.
Open Scope R_scope.

Section EveryPort.
Variables (M N Z : nat) (alpha B C : real) (R : nat -> real).
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C).
Hypothesis overloaded : forall i, (i < M)%nat -> C < R i.
Hypothesis sorted : forall i j, (i <= j < M)%nat -> R j <= R i.

Notation r := (fun i => R i - C).
Notation G := (G M C R).
Notation V0 := (alpha * F0 N alpha B).
Notation sw := (dt_switch (M + N + Z) alpha B C).

Notation accounted := (accounted M N alpha B C R).
Notation meeting := (meeting M N alpha B C R).
Notation drops_at := (drops_at M N Z alpha B C R).

Notation threshold_is := (threshold_is M N Z alpha B C R).
Notation rp := (Theorem3Meeting.rp M C R overloaded).

(** ** The first L stages drain: Theorem 3 *)

Section Drain.
Variable L : nat.
Hypotheses (stage : last_stage M N alpha C R L) (L_pos : (1 <= L)%nat).
Notation last := (L - 1)%nat.
Notation t3 := (t31 M N alpha B C R).
Notation s := (t3 last).
Notation W3 := (W_fall M N alpha B C R L).
Notation V3 := (V_fall N alpha B C).
Notation Ffall := (class_free M N B W3 V3).
Notation Fmix := (Theorem2Mixed.F M N L alpha B C r (line3 M N alpha B C R L) V0).
Notation meetsL := (meets3 M N alpha B C R L).

Definition T3 (t : real) : real := if Rlt_dec t s then alpha * Ffall t else alpha * Fmix t.

Lemma tpos k : (k < L)%nat -> 0 < t3 k.
Proof. apply t31_pos; auto. Qed.

Lemma tsorted i j : (i <= j)%nat -> (j < L)%nat -> t3 i <= t3 j /\ R j * t3 j <= R i * t3 i.
Proof. apply t31_sorted; auto. Qed.

Lemma falls a b : 0 <= a -> a <= b -> b <= s -> alpha * Ffall b + C * b <= alpha * Ffall a + C * a.
Proof. apply threshold_falls; auto. Qed.

Lemma Tat k : (k < L)%nat -> alpha * Ffall (t3 k) = (R k - C) * t3 k.
Proof. apply T_fall_at; auto. Qed.

Lemma rises a b : a <= b -> alpha * Fmix a + C * a <= alpha * Fmix b + C * b.
Proof. apply T_line_rises; auto; [apply L_le in stage; auto|apply rp|apply slowly3; auto]. Qed.

Lemma once k t0 t : 0 <= t0 -> t0 < t -> B <= meetsL k t0 -> B < meetsL k t.
Proof.
  pose proof (L_le M N alpha C R L stage) as HL. pose proof (V0_pos N alpha B alpha_pos B_pos).
  apply (meets_once M N L alpha B C r (line3 M N alpha B C R L) V0 HL alpha_pos); [apply line3_bounds; auto|lra|apply room3; auto].
Qed.

Lemma T3_s : alpha * Fmix s = (R last - C) * s.
Proof. apply T3_at_s; auto. Qed.

(** The meeting times: the recursion up to L, the roots after it. *)
Lemma hits_exist : exists hit, (forall k, (k < L)%nat -> hit k = t3 k) /\
  (forall k, (L <= k < M)%nat -> s <= hit k /\ meetsL k (hit k) = B).
Proof.
  destruct (finite_choice M (fun k x => ((k < L)%nat -> x = t3 k) /\ ((L <= k < M)%nat -> s <= x /\ meetsL k x = B))) as [hit H].
  - intros k Hk. destruct (Nat.lt_ge_cases k L) as [c|c].
    + exists (t3 k). split; [auto|lia].
    + destruct (theorem3_completed_root M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos k ltac:(lia)) as (x & Hx & _).
      exists x. split; [lia|auto].
  - exists hit. pose proof (L_le M N alpha C R L stage). split.
    + intros k Hk. apply (H k); [lia|auto].
    + intros k Hk. apply (H k); [lia|auto].
Qed.

Variable hit : nat -> real.
Hypothesis hit_first : forall k, (k < L)%nat -> hit k = t3 k.
Hypothesis hit_rest : forall k, (L <= k < M)%nat -> s <= hit k /\ meetsL k (hit k) = B.

Lemma Tmix_hit k : (L <= k < M)%nat -> alpha * Fmix (hit k) = (R k - C) * hit k.
Proof.
  intros Hk. destruct (hit_rest k Hk) as [_ E].
  rewrite (mixed_free_at_meeting M N L alpha B C r (line3 M N alpha B C R L) V0 alpha_pos k (hit k) E). field. lra.
Qed.

(** Before s. *)
Lemma fall_before k t : (k < M)%nat -> 0 <= t < s -> t < hit k -> (R k - C) * t < alpha * Ffall t.
Proof.
  intros Hk Ht Hlt. pose proof (overloaded k Hk). destruct (Nat.lt_ge_cases k L) as [c|c].
  - rewrite hit_first in Hlt by auto. destruct (tsorted k last ltac:(lia) ltac:(lia)).
    pose proof (falls t (t3 k) ltac:(lra) ltac:(lra) ltac:(lra)) as K. rewrite Tat in K by auto.
    pose proof (Rmult_lt_compat_l (R k) t (t3 k)). lra.
  - pose proof (falls t s ltac:(lra) ltac:(lra) ltac:(lra)) as K. rewrite Tat in K by lia.
    pose proof (sorted last k ltac:(lia)). pose proof (overloaded last ltac:(lia)).
    pose proof (Rmult_lt_compat_l (R last) t s). pose proof (Rmult_le_compat_r t (R k) (R last)). lra.
Qed.

Lemma fall_line j t : (j < L)%nat -> hit j <= t -> t <= s -> alpha * Ffall t <= R j * hit j - C * t.
Proof.
  intros Hj Ht Hs. rewrite hit_first in * by auto. pose proof (tpos j Hj).
  pose proof (falls (t3 j) t ltac:(lra) Ht Hs) as K. rewrite Tat in K by auto. lra.
Qed.

Lemma line_below_growth j t : (j < M)%nat -> hit j < t -> R j * hit j - C * t < (R j - C) * t.
Proof. intros Hj Ht. pose proof (overloaded j Hj). pose proof (Rmult_lt_compat_l (R j) (hit j) t). lra. Qed.

(** From s on. *)
Lemma mixed_line_at_s j : (j < L)%nat -> (R last - C) * s <= R j * hit j - C * s.
Proof. intros Hj. rewrite hit_first by auto. destruct (tsorted j last ltac:(lia) ltac:(lia)). lra. Qed.

Lemma mixed_before k t : (L <= k < M)%nat -> s <= t -> t < hit k -> (R k - C) * t < alpha * Fmix t.
Proof.
  intros Hk Ht Hlt. destruct (hit_rest k Hk) as [Hs E]. apply Rnot_le_lt. intros K.
  apply (meets_iff M N L alpha B C r (line3 M N alpha B C R L) V0 alpha_pos k t) in K.
  pose proof (tpos last ltac:(lia)). pose proof (once k t (hit k) ltac:(lra) Hlt K). lra.
Qed.

Lemma mixed_after k t : (k < M)%nat -> s <= t -> hit k < t -> alpha * Fmix t < (R k - C) * t.
Proof.
  intros Hk Ht Hlt. pose proof (tpos last ltac:(lia)) as Hs0. destruct (Nat.lt_ge_cases k L) as [c|c].
  - destruct (Req_dec s t) as [e|e].
    + rewrite <- e in *. rewrite T3_s. pose proof (mixed_line_at_s k c). pose proof (line_below_growth k s Hk Hlt). lra.
    + apply (meets_strict M N L alpha B C r (line3 M N alpha B C R L) V0 alpha_pos). apply (once k s); [lra|lra|].
      apply past3; auto.
  - destruct (hit_rest k ltac:(lia)) as [Hs E].
    apply (meets_strict M N L alpha B C r (line3 M N alpha B C R L) V0 alpha_pos). apply (once k (hit k)); [lra|auto|].
    unfold meets3 in *. lra.
Qed.

Lemma T3_before t : t < s -> T3 t = alpha * Ffall t.
Proof. intros H. unfold T3. destruct (Rlt_dec t s); lra. Qed.

Lemma T3_after t : s <= t -> T3 t = alpha * Fmix t.
Proof. intros H. unfold T3. destruct (Rlt_dec t s); lra. Qed.

Lemma fall_length j t : (j < M)%nat -> 0 <= t <= s -> W3 j t =
  if Rlt_dec t (hit j) then (R j - C) * t else Rmax (alpha * Ffall t) (R j * hit j - C * t).
Proof.
  intros Hj Ht. destruct (Nat.lt_ge_cases j L) as [c|c].
  - destruct (Rlt_dec t (hit j)) as [d|d].
    + rewrite hit_first in d by auto. apply W_fall_before; auto. lra.
    + rewrite Rmax_right by (apply fall_line; auto; lra). rewrite hit_first in * by auto. apply W_fall_after; auto. lra.
  - destruct (hit_rest j ltac:(lia)) as [Hs _]. rewrite W_fall_rest by auto. destruct (Rlt_dec t (hit j)) as [d|d]; [auto|].
    assert (e1 : t = s) by lra. assert (e2 : hit j = s) by lra.
    pose proof (Tmix_hit j ltac:(lia)) as Th. rewrite e2, T3_s in Th. rewrite e1, e2, Tat by lia. rewrite Th.
    rewrite Rmax_left; lra.
Qed.

Lemma Ffall_full t : 0 <= t < s -> alpha * Ffall t / alpha + INR N * Rmax (alpha * Ffall t) (V0 - C * t)
  + sum M (fun j => if Rlt_dec t (hit j) then (R j - C) * t else Rmax (alpha * Ffall t) (R j * hit j - C * t)) = B.
Proof.
  intros Ht. pose proof (L_le M N alpha C R L stage) as HL.
  assert (E1 : alpha * Ffall t / alpha = Ffall t) by (field; lra).
  pose proof (falls 0 t ltac:(lra) ltac:(lra) ltac:(lra)) as K0.
  destruct (fall_start M N alpha B C R alpha_pos B_pos C_pos overloaded L stage) as (_ & _ & E0). rewrite E0 in K0.
  rewrite (Rmax_right (alpha * Ffall t) (V0 - C * t)) by lra.
  assert (E2 : sum M (fun j => if Rlt_dec t (hit j) then (R j - C) * t else Rmax (alpha * Ffall t) (R j * hit j - C * t))
               = sum M (fun j => W3 j t)).
  { apply sum_ext. intros j Hj. symmetry. apply fall_length; auto; lra. }
  rewrite E1, E2. unfold class_free, V_fall. ring.
Qed.

Lemma mixed_length j t : (j < M)%nat -> s <= t ->
  (if Rlt_dec t (hit j) then (R j - C) * t else Rmax (alpha * Fmix t) (R j * hit j - C * t))
  = Theorem2Mixed.W M N L alpha B C r (line3 M N alpha B C R L) V0 j t.
Proof.
  intros Hj Ht. pose proof (L_le M N alpha C R L stage) as HL. pose proof (tpos last ltac:(lia)) as Hs0.
  unfold Theorem2Mixed.W. destruct (Nat.ltb_spec j L) as [c|c].
    - destruct (tsorted j last ltac:(lia) ltac:(lia)) as [Hj1 _].
      destruct (Rlt_dec t (hit j)) as [d|d]; [rewrite hit_first in d by auto; lra|].
      rewrite hit_first by auto. pose proof (rises s t Ht) as K. rewrite T3_s in K.
      assert (Tp : 0 < alpha * Fmix t).
      { apply Rmult_lt_0_compat; auto. apply F_pos; auto; try lra;
          [apply line3_bounds; auto|pose proof (V0_pos N alpha B alpha_pos B_pos); lra|apply room3; auto]. }
      set (Tt := alpha * Fmix t) in *. clearbody Tt.
      unfold Theorem2Mixed.h, drain, line3. destruct (Nat.ltb_spec j L); [|lia]. destruct (Nat.ltb_spec j last).
      + apply Rmax_comm.
      + replace j with last by lia. pose proof (Rmult_le_pos C t). rewrite Rmax_left by lra. rewrite Rmax_right; lra.
    - destruct (hit_rest j ltac:(lia)) as [Hs _]. destruct (Rlt_dec t (hit j)) as [d|d].
      + rewrite Rmin_left; [auto|]. left. apply mixed_before; auto.
      + pose proof (rises (hit j) t ltac:(lra)) as K. rewrite Tmix_hit in K by lia. rewrite Rmax_left by lra.
        rewrite Rmin_right; [auto|]. destruct (Req_dec (hit j) t) as [e|e].
        * rewrite <- e. rewrite Tmix_hit by lia. lra.
        * left. apply mixed_after; auto; lra.
Qed.

Lemma Fmix_full t : s <= t -> alpha * Fmix t / alpha + INR N * Rmax (alpha * Fmix t) (V0 - C * t)
  + sum M (fun j => if Rlt_dec t (hit j) then (R j - C) * t else Rmax (alpha * Fmix t) (R j * hit j - C * t)) = B.
Proof.
  intros Ht. pose proof (L_le M N alpha C R L stage) as HL. pose proof (tpos last ltac:(lia)) as Hs0.
  assert (E1 : alpha * Fmix t / alpha = Fmix t) by (field; lra).
  assert (E2 : sum M (fun j => if Rlt_dec t (hit j) then (R j - C) * t else Rmax (alpha * Fmix t) (R j * hit j - C * t))
               = sum M (fun j => Theorem2Mixed.W M N L alpha B C r (line3 M N alpha B C R L) V0 j t)).
  { apply sum_ext. intros j Hj. apply mixed_length; auto. }
  rewrite E1, E2. rewrite <- (mixed_free M N L alpha B C r (line3 M N alpha B C R L) V0 HL alpha_pos t) at 1.
  unfold class_free, Theorem2Mixed.V. rewrite (Rmax_comm (alpha * Fmix t)). ring.
Qed.

Lemma meeting_drain : meeting T3 hit.
Proof.
  pose proof (L_le M N alpha C R L stage) as HL. pose proof (tpos last ltac:(lia)) as Hs0.
  split.
  - intros k Hk. destruct (Nat.lt_ge_cases k L); [rewrite hit_first by auto; apply tpos; auto|].
    destruct (hit_rest k ltac:(lia)). lra.
  - intros k Hk. destruct (Nat.lt_ge_cases (S k) L) as [c|c].
    + rewrite !hit_first by lia. apply tsorted; lia.
    + destruct (hit_rest (S k) ltac:(lia)) as [Hs E]. destruct (Nat.lt_ge_cases k L) as [d|d].
      * rewrite hit_first by auto. replace (t3 k) with s by (f_equal; lia). exact Hs.
      * destruct (hit_rest k ltac:(lia)) as [Hs' E']. apply Rnot_lt_le. intros Hlt.
        pose proof (once (S k) (hit (S k)) (hit k) ltac:(lra) Hlt ltac:(lra)) as K.
        assert (K' : meetsL (S k) (hit k) <= meetsL k (hit k)); [|lra].
        unfold meets3, meets, lhs. pose proof (sorted k (S k) ltac:(lia)) as So.
        assert (Le : (R (S k) - C) * hit k / alpha <= (R k - C) * hit k / alpha).
        { unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto|]. apply Rmult_le_compat_r; lra. }
        destruct (Rle_lt_or_eq_dec _ _ Le) as [Lt|Eq]; [left; apply total_increases; auto; lra|rewrite Eq; lra].
  - intros k Hk. destruct (Nat.lt_ge_cases k L) as [c|c].
    + rewrite hit_first by auto. destruct (tsorted k last ltac:(lia) ltac:(lia)) as [Hle _].
      destruct (Rle_lt_or_eq_dec _ _ Hle) as [Lt|Eq].
      * rewrite T3_before by auto. apply Tat; auto.
      * rewrite T3_after by lra. rewrite Eq, T3_s.
        pose proof (Tat k c) as T1. pose proof (Tat last ltac:(lia)) as T2. rewrite Eq in T1. lra.
    + destruct (hit_rest k ltac:(lia)). rewrite T3_after by auto. apply Tmix_hit. lia.
  - intros k t Hk Ht Hlt. destruct (Rlt_dec t s) as [c|c].
    + rewrite T3_before by auto. apply fall_before; auto.
    + rewrite T3_after by lra. destruct (Nat.lt_ge_cases k L) as [d|d].
      * exfalso. rewrite hit_first in Hlt by auto. destruct (tsorted k last ltac:(lia) ltac:(lia)). lra.
      * apply mixed_before; auto; lra.
  - intros k t Hk Hlt. destruct (Rlt_dec t s) as [c|c].
    + rewrite T3_before by auto. destruct (Nat.lt_ge_cases k L) as [d|d].
      * pose proof (fall_line k t d ltac:(lra) ltac:(lra)). pose proof (line_below_growth k t Hk Hlt). lra.
      * destruct (hit_rest k ltac:(lia)). lra.
    + rewrite T3_after by lra. apply mixed_after; auto; lra.
  - intros t Ht. destruct (Rlt_dec t s) as [c|c].
    + rewrite T3_before by auto. apply Ffall_full. lra.
    + rewrite T3_after by lra. apply Fmix_full. lra.
Qed.

Lemma drops_drain : drops_at hit.
Proof.
  intros tau Ar Q D Htau Hm k Hk. pose proof (tpos last ltac:(lia)) as Hs0.
  assert (Len : forall u, 0 <= u <= tau ->
       Q k u = if Rlt_dec u (hit k) then (R k - C) * u else Rmax (threshold sw Q k u) (R k * hit k - C * u)).
  { destruct (theorem3_rejections M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos tau Ar Q D Htau Hm k Hk)
      as (_ & K2 & _ & K4 & K5 & K6).
    intros u Hu. unfold threshold. simpl. rewrite Rplus_0_l. destruct (Rlt_dec u s) as [c|c].
    - destruct (K5 u Hu ltac:(lra)) as [E _]. rewrite E, K2 by lra. apply fall_length; auto; lra.
    - rewrite K6, K4 by lra. symmetry. apply mixed_length; auto; lra. }
  destruct (Nat.lt_ge_cases k L) as [c|c].
  - rewrite hit_first in * by auto.
    pose proof (theorem3 M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos tau Ar Q D Htau Hm k c) as K.
    cbv zeta in K. rewrite (F31_is M N alpha B C R alpha_pos B_pos C_pos overloaded L stage k c) in K.
    destruct K as [Ka Kb]. split; [exact Ka|]. split; [exact Kb|]. exact Len.
  - destruct (hit_rest k ltac:(lia)) as [Hs E].
    destruct (theorem3_completed M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos tau Ar Q D Htau Hm k (hit k) ltac:(lia) Hs E)
      as [Ka Kb]. split; [exact Ka|]. split; [exact Kb|]. exact Len.
Qed.

Lemma threshold_drain : threshold_is T3.
Proof.
  intros tau Ar Q D Htau Hm t i Ht. pose proof (L_le M N alpha C R L stage).
  destruct (theorem3_rejections M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L stage L_pos tau Ar Q D Htau Hm 0%nat ltac:(lia))
    as (_ & K2 & _ & K4 & _).
  unfold threshold, T3. destruct (Rlt_dec t s); [rewrite K2 by lra|rewrite K4 by lra]; simpl; ring.
Qed.

End Drain.

(** ** The theorem *)

(** The meeting times, and the threshold, of all trajectories. *)
Theorem meetings : exists T hit, meeting T hit /\ drops_at hit /\ threshold_is T.
Proof.
  destruct (last_stage_exists M N alpha C R alpha_pos C_pos overloaded) as [L HL].
  destruct (Nat.eq_dec L 0) as [e|e].
  - subst L. assert (Hc : condition2 M N alpha C R).
    { unfold condition2. destruct (Nat.eq_dec M 0) as [z|z].
      - rewrite z. simpl. pose proof (den1 alpha alpha_pos N).
        apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; auto].
      - destruct HL as (_ & _ & Hn). specialize (Hn 0%nat ltac:(lia)). unfold drains in Hn.
        rewrite Nat.add_0_r in Hn. unfold Theorem2.G in Hn. rewrite Nat.sub_0_r in Hn. apply Rnot_lt_le. exact Hn. }
    exists (fun t => alpha * Theorem2Mixed.F M N 0 alpha B C r (fun _ => 0) V0 t), (t_closed M N alpha B C R).
    split; [apply meeting_follow; auto|]. split; [apply drops_follow; auto|apply threshold_follow; auto].
  - destruct (hits_exist L HL ltac:(lia)) as (hit & H1 & H2). exists (T3 L), hit.
    split; [apply meeting_drain; auto; lia|]. split; [apply (drops_drain L); auto; lia|apply threshold_drain; auto; lia].
Qed.

Theorem every_port : exists hit : nat -> real,
  (forall k, (k < M)%nat -> 0 < hit k) /\
  (forall k, (S k < M)%nat -> hit k <= hit (S k)) /\
  (forall k, (k < M)%nat -> accounted hit k (hit k) = B /\
     forall t, before hit k <= t -> accounted hit k t = B -> t = hit k) /\
  drops_at hit.
Proof.
  destruct meetings as (T & hit & Hm & Hd & _). exists hit.
  split; [apply (hit_pos _ _ _ _ _ _ _ _ Hm)|]. split; [apply (hit_sorted _ _ _ _ _ _ _ _ Hm)|].
  split; [|exact Hd]. intros k Hk. split; [apply (accounted_at_hit M N alpha B C R T hit k Hm Hk)|].
  intros t Ht E. apply (accounted_once M N alpha B C R alpha_pos C_pos overloaded T hit k t Hm Hk Ht E).
Qed.

(** Such trajectories exist, for bursts of any length. *)
Theorem every_port_exists tau : 0 <= tau -> exists Ar Q D, micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D.
Proof.
  intros Htau. destruct (last_stage_exists M N alpha C R alpha_pos C_pos overloaded) as [L HL].
  destruct (Nat.eq_dec L 0) as [e|e].
  - subst L. apply theorem2_exists; auto. unfold condition2. destruct (Nat.eq_dec M 0) as [z|z].
    + rewrite z. simpl. pose proof (den1 alpha alpha_pos N).
      apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; auto].
    + destruct HL as (_ & _ & Hn). specialize (Hn 0%nat ltac:(lia)). unfold drains in Hn.
      rewrite Nat.add_0_r in Hn. unfold Theorem2.G in Hn. rewrite Nat.sub_0_r in Hn. apply Rnot_lt_le. exact Hn.
  - set (s := t31 M N alpha B C R (L - 1)).
    destruct (theorem3_exists M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L HL ltac:(lia) (Rmax tau s) (Rmax_r tau s))
      as (Ar & Q & D & H).
    exists Ar, Q, D. apply (burst_until _ _ _ _ _ _ _ (Rmax tau s)); [apply Rmax_l|exact H].
Qed.

End EveryPort.
