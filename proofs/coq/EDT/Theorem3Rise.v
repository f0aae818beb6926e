(** DT/EDT paper, Section 3.2: how the threshold moves after t_L, and the equation for t_k as a maximum of straight lines.

      [rise]       after t_L always - C <= T' < R_k - C for every port k that has met the threshold; T' <= 0 where a steady
                   queue is on it;
      [one_root]   the left side of the equation for t_k is the maximum of straight lines, one for each choice of the
                   queues that are on the threshold; it is at most B at t_(k-1) and equals B at one later point, which is the
                   earliest root of those lines that rise.

    Ports are counted from 0.                                                                              *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 Solve Theorem2Mixed Theorem2 Theorem3 Theorem3Meeting Theorem3EveryPort Theorem1Evolution Theorem2Steps.
Open Scope R_scope.

Section Rise.
Variables (M N Z : nat) (alpha B C : real) (R : nat -> real).
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C).
Hypothesis overloaded : forall i, (i < M)%nat -> C < R i.
Hypothesis sorted : forall i j, (i <= j < M)%nat -> R j <= R i.

Notation r := (fun i => R i - C).
Notation V0 := (alpha * F0 N alpha B).
Notation sw := (dt_switch (M + N + Z) alpha B C).

(** t_L, with t_0 = 0. *)
Definition t_last (L : nat) : real := match L with O => 0 | S j => t31 M N alpha B C R j end.

Lemma after_L L tau Ar Q D : last_stage M N alpha C R L -> 0 <= tau -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  exists line, falls_slowly M N L alpha C r /\ (forall k, (k < L)%nat -> 0 <= line k <= V0) /\ sum L line + INR N * V0 < B /\
    0 <= t_last L /\ forall t, t_last L <= t <= tau -> free sw Q t = Theorem2Mixed.F M N L alpha B C r line V0 t.
Proof.
  intros HL Htau Hm. destruct (Nat.eq_dec L 0) as [e|e].
  - subst L. assert (Hc : condition2 M N alpha C R).
    { destruct (condition2_dec M N alpha C R) as [c|c]; auto. exfalso.
      destruct (not_condition2 M N alpha C R alpha_pos C_pos overloaded c) as (L & HL' & H1).
      pose proof (last_stage_unique M N alpha C R 0 L HL HL'). lia. }
    exists (fun _ => 0). split; [apply slowly2; auto|]. split; [intros; lia|]. split; [apply room2; auto|]. split; [simpl; lra|].
    intros t Ht. apply (theorem2_unique M N Z alpha B C R alpha_pos B_pos C_pos overloaded tau Ar Q D Htau Hc Hm). simpl in Ht. lra.
  - assert (H1 : (1 <= L)%nat) by lia. pose proof (L_le M N alpha C R L HL) as HLM.
    assert (Et : t_last L = t31 M N alpha B C R (L - 1)) by (destruct L; [lia|]; simpl; rewrite Nat.sub_0_r; reflexivity).
    exists (line3 M N alpha B C R L). split; [apply slowly3; auto|]. split; [intros; apply line3_bounds; auto|].
    split; [apply room3; auto|]. rewrite Et. split.
    + left. apply (t31_pos M N alpha B C R alpha_pos B_pos C_pos overloaded L HL). lia.
    + intros t Ht. destruct (theorem3_rejections M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L HL H1 tau Ar Q D Htau Hm 0%nat ltac:(lia))
        as (_ & _ & _ & K & _). apply K; auto.
Qed.

Theorem rise L tau Ar Q D : last_stage M N alpha C R L -> 0 <= tau -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  forall t i, t_last L <= t < tau -> exists x, right_derivative (threshold sw Q i) t x /\ - C <= x /\
    (forall k, (k < M)%nat -> (exists u, 0 <= u <= t /\ threshold sw Q k u <= Q k u) -> x < R k - C) /\
    (forall j, (M <= j < M + N)%nat -> Q j t = threshold sw Q j t -> x <= 0).
Proof.
  intros HL Htau Hm t i Ht. pose proof (L_le M N alpha C R L HL) as HLM.
  destruct (after_L L tau Ar Q D HL Htau Hm) as (line & Slow & Bounds & Room & Pos & Free).
  set (F := Theorem2Mixed.F M N L alpha B C r line V0) in *. set (x := alpha * Theorem2Mixed.dF M N L alpha B C r line V0 t).
  assert (rp : forall k, (k < M)%nat -> 0 < R k - C) by (intros k Hk; specialize (overloaded k Hk); lra).
  assert (Vp : 0 <= V0) by (left; apply V0_pos; auto).
  assert (Th : forall j, threshold sw Q j t = alpha * F t) by (intros j; unfold threshold; rewrite Free by lra; simpl; ring).
  exists x. split; [|split; [|split]].
  - apply rd_ext with (fun u => alpha * F u); [|apply rd_scal, Theorem2Mixed.F_slope; auto].
    exists (tau - t). split; [lra|]. intros h Hh. unfold threshold. rewrite Free by lra. simpl. ring.
  - apply T_slope_low; auto.
  - intros k Hk (u & Hu & Hmet).
    destruct (meetings M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted) as (T & hit & Me & Dr & Is).
    destruct (Dr tau Ar Q D Htau Hm k Hk) as (_ & _ & Len).
    assert (Hh : hit k <= u).
    { apply Rnot_lt_le. intros c. rewrite (Len u) in Hmet by lra. destruct (Rlt_dec u (hit k)); [|lra].
      rewrite (Is tau Ar Q D Htau Hm u k) in Hmet by lra. pose proof (hit_before _ _ _ _ _ _ _ _ Me k u Hk ltac:(lra) c). lra. }
    pose proof (hit_pos _ _ _ _ _ _ _ _ Me k Hk) as Hp.
    assert (HT : alpha * F t <= (R k - C) * t).
    { rewrite <- (Th k), (Is tau Ar Q D Htau Hm t k) by lra. destruct (Req_dec t (hit k)) as [e|e].
      - rewrite e. right. apply (hit_at _ _ _ _ _ _ _ _ Me k Hk).
      - left. apply (hit_after _ _ _ _ _ _ _ _ Me k t Hk). lra. }
    apply Rlt_le_trans with (alpha * F t / t).
    + apply T_slope_high; auto. lra.
    + apply Rmult_le_reg_r with t; [lra|]. replace (alpha * F t / t * t) with (alpha * F t) by (field; lra). exact HT.
  - intros j Hj Eq. apply T_slope_steady; auto; [lra|]. change (V0 - C * t <= alpha * F t). rewrite <- (Th j), <- Eq.
    destruct Hm as [A S T].
    assert (Sane : sane sw Ar 0 tau).
    { apply (burst_sane M N Z alpha B C (fun k _ => R k) 0 tau Ar); auto. intros k u Hk _. specialize (overloaded k Hk). lra. }
    assert (K : - (Q j t + C * t) <= - (Q j 0 + C * 0)).
    { apply (nonincreasing 0 t (fun u => - (Q j u + C * u)) (fun u => - (D j u + C))); [lra| |].
      - apply continuous_opp, continuous_plus.
        + apply (continuous_sub 0 tau); [lra|lra|]. apply (length_continuous _ _ _ _ _ _ T). simpl. lia.
        + apply continuous_ext with (fun u => C * u + 0); [intros; lra|apply continuous_linear].
      - intros u Hu. split.
        + apply rd_opp, rd_plus; [apply (length_slope _ _ _ _ _ _ T); [simpl; lia|lra]|].
          apply rd_ext with (fun u => C * u + 0); [exists 1; split; [lra|]; intros; lra|apply rd_linear].
        + pose proof (drain_at_most_C sw Ar 0 tau Q D j u Sane T ltac:(simpl; lia) ltac:(lra)) as K. simpl in K. lra. }
    assert (E0 : Q j 0 = V0).
    { rewrite (steady_on_threshold _ _ _ _ _ _ _ S j Hj). unfold threshold. rewrite (eq16_initial_free M N Z alpha B C Q alpha_pos S). simpl. ring. }
    lra.
Qed.

(** ** The lines *)

(** The line of a choice: the steady queues, and those of the ports before k, on the threshold or draining. *)
Definition line_of (hit : nat -> real) (k : nat) (st : bool) (on : nat -> bool) (t : real) : real :=
  (R k - C) * t / alpha + INR N * (if st then (R k - C) * t else V0 - C * t)
  + sum k (fun j => if on j then (R k - C) * t else R j * hit j - C * t) + G M C R k * t.
Definition slope_of (k : nat) (st : bool) (on : nat -> bool) : real :=
  (R k - C) / alpha + INR N * (if st then R k - C else - C) + sum k (fun j => if on j then R k - C else - C) + G M C R k.

Lemma line_moves hit k st on t u : line_of hit k st on u = line_of hit k st on t + slope_of k st on * (u - t).
Proof.
  unfold line_of, slope_of.
  assert (E : sum k (fun j => if on j then (R k - C) * u else R j * hit j - C * u)
              = sum k (fun j => if on j then (R k - C) * t else R j * hit j - C * t)
                + sum k (fun j => if on j then R k - C else - C) * (u - t)).
  { replace (sum k (fun j => if on j then R k - C else - C) * (u - t)) with (sum k (fun j => (u - t) * (if on j then R k - C else - C)))
      by (rewrite sum_scal; ring).
    rewrite <- sum_plus. apply sum_ext. intros j _. destruct (on j); ring. }
  rewrite E. destruct st; field; lra.
Qed.

Notation accounted := (accounted M N alpha B C R).

Lemma line_below hit k st on t : line_of hit k st on t <= accounted hit k t.
Proof.
  unfold line_of, Theorem3Meeting.accounted. apply Rplus_le_compat_r, Rplus_le_compat; [apply Rplus_le_compat_l, Rmult_le_compat_l|].
  - apply pos_INR.
  - destruct st; [apply Rmax_l|apply Rmax_r].
  - apply sum_le. intros j _. destruct (on j); [apply Rmax_l|apply Rmax_r].
Qed.

(** The choice that applies at t: what is on the threshold rather than draining, where it is both. *)
Definition applies_st (k : nat) (t : real) : bool := if Rle_dec (V0 - C * t) ((R k - C) * t) then true else false.
Definition applies_on (hit : nat -> real) (k : nat) (t : real) (j : nat) : bool :=
  if Rle_dec (R j * hit j - C * t) ((R k - C) * t) then true else false.

Lemma line_applies hit k t u : (applies_st k t = true -> V0 - C * u <= (R k - C) * u) ->
  (applies_st k t = false -> (R k - C) * u <= V0 - C * u) ->
  (forall j, (j < k)%nat -> applies_on hit k t j = true -> R j * hit j - C * u <= (R k - C) * u) ->
  (forall j, (j < k)%nat -> applies_on hit k t j = false -> (R k - C) * u <= R j * hit j - C * u) ->
  line_of hit k (applies_st k t) (applies_on hit k t) u = accounted hit k u.
Proof.
  intros H1 H2 H3 H4. unfold line_of, Theorem3Meeting.accounted. f_equal. f_equal; [f_equal; f_equal|].
  - destruct (applies_st k t); [rewrite Rmax_left|rewrite Rmax_right]; auto.
  - apply sum_ext. intros j Hj. specialize (H3 j Hj). specialize (H4 j Hj). destruct (applies_on hit k t j); [rewrite Rmax_left|rewrite Rmax_right]; auto.
Qed.

Lemma line_applies_at hit k t : line_of hit k (applies_st k t) (applies_on hit k t) t = accounted hit k t.
Proof.
  apply line_applies; unfold applies_st, applies_on.
  - destruct (Rle_dec _ _); [auto|discriminate].
  - destruct (Rle_dec _ _); [discriminate|intros; lra].
  - intros j _. destruct (Rle_dec _ _); [auto|discriminate].
  - intros j _. destruct (Rle_dec _ _); [discriminate|intros; lra].
Qed.

(** The line that applies at t applies for a while. *)
Lemma line_applies_after hit k t : (k < M)%nat -> exists d, 0 < d /\ forall u, t <= u < t + d ->
  line_of hit k (applies_st k t) (applies_on hit k t) u = accounted hit k u.
Proof.
  intros Hk. pose proof (overloaded k Hk) as Hr.
  assert (One : forall c, exists d, 0 < d /\ forall u, t <= u < t + d ->
            (c - C * t <= (R k - C) * t -> c - C * u <= (R k - C) * u) /\ (~ c - C * t <= (R k - C) * t -> (R k - C) * u <= c - C * u)).
  { intros c. destruct (Rle_dec (c - C * t) ((R k - C) * t)) as [K|K].
    - exists 1. split; [lra|]. intros u Hu. split; [|intros; lra]. intros _.
      pose proof (Rmult_le_compat_l (R k) t u ltac:(lra) ltac:(lra)). lra.
    - exists ((c - R k * t) / R k). split; [apply Rdiv_lt_0_compat; lra|]. intros u Hu. split; [intros; lra|]. intros _.
      pose proof (Rmult_lt_compat_l (R k) u (t + (c - R k * t) / R k) ltac:(lra) ltac:(lra)) as L.
      replace (R k * (t + (c - R k * t) / R k)) with c in L by (field; lra). lra. }
  assert (All : forall n, exists d, 0 < d /\ forall u, t <= u < t + d -> forall j, (j < n)%nat ->
            (R j * hit j - C * t <= (R k - C) * t -> R j * hit j - C * u <= (R k - C) * u) /\
            (~ R j * hit j - C * t <= (R k - C) * t -> (R k - C) * u <= R j * hit j - C * u)).
  { induction n as [|n (d & Hd & Kd)]; [exists 1; split; [lra|intros; lia]|].
    destruct (One (R n * hit n)) as (d' & Hd' & Kd'). exists (Rmin d d'). split; [apply Rmin_pos; auto|].
    intros u Hu j Hj. pose proof (Rmin_l d d'). pose proof (Rmin_r d d').
    destruct (Nat.eq_dec j n) as [->|]; [apply Kd'; lra|apply Kd; [lra|lia]]. }
  destruct (All k) as (d & Hd & Kd). destruct (One V0) as (d' & Hd' & Kd'). exists (Rmin d d'). split; [apply Rmin_pos; auto|].
  intros u Hu. pose proof (Rmin_l d d'). pose proof (Rmin_r d d'). destruct (Kd' u ltac:(lra)) as [A1 A2].
  apply line_applies; unfold applies_st, applies_on.
  - destruct (Rle_dec _ _); [auto|discriminate].
  - destruct (Rle_dec _ _); [discriminate|auto].
  - intros j Hj. destruct (Kd u ltac:(lra) j Hj) as [B1 B2]. destruct (Rle_dec _ _); [auto|discriminate].
  - intros j Hj. destruct (Kd u ltac:(lra) j Hj) as [B1 B2]. destruct (Rle_dec _ _); [discriminate|auto].
Qed.

Theorem one_root : exists hit, drops_at M N Z alpha B C R hit /\ forall k, (k < M)%nat ->
  (forall t, (forall st on, line_of hit k st on t <= accounted hit k t) /\ exists st on, line_of hit k st on t = accounted hit k t) /\
  (forall st on t u, line_of hit k st on u = line_of hit k st on t + slope_of k st on * (u - t)) /\
  accounted hit k (before hit k) <= B /\ before hit k <= hit k /\ accounted hit k (hit k) = B /\
  (forall t, before hit k <= t < hit k -> accounted hit k t < B) /\ (forall t, hit k < t -> B < accounted hit k t) /\
  (forall X, exists t, hit k < t /\ X < accounted hit k t) /\
  (forall st on t, 0 < slope_of k st on -> line_of hit k st on t = B -> hit k <= t) /\
  (exists st on, 0 < slope_of k st on /\ line_of hit k st on (hit k) = B).
Proof.
  destruct (meetings M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted) as (T & hit & Me & Dr & Is).
  exists hit. split; auto. intros k Hk.
  pose proof (accounted_at_hit M N alpha B C R T hit k Me Hk) as At.
  assert (Order : before hit k <= hit k).
  { destruct k; simpl; [left; apply (hit_pos _ _ _ _ _ _ _ _ Me 0 Hk)|apply (hit_sorted _ _ _ _ _ _ _ _ Me k Hk)]. }
  assert (Off : forall t, before hit k <= t -> (t < hit k -> accounted hit k t < B) /\ (hit k < t -> B < accounted hit k t)).
  { intros t Ht. apply (accounted_off M N alpha B C R alpha_pos C_pos overloaded T hit k t Me Hk Ht). }
  assert (Rising : exists st on, 0 < slope_of k st on /\ line_of hit k st on (hit k) = B).
  { destruct (line_applies_after hit k (hit k) Hk) as (d & Hd & Kd).
    exists (applies_st k (hit k)), (applies_on hit k (hit k)).
    assert (E0 : line_of hit k (applies_st k (hit k)) (applies_on hit k (hit k)) (hit k) = B) by (rewrite line_applies_at; exact At).
    split; auto. pose proof (Kd (hit k + d / 2) ltac:(lra)) as E1. rewrite (line_moves hit k _ _ (hit k)), E0 in E1.
    destruct (Off (hit k + d / 2) ltac:(lra)) as [_ K]. specialize (K ltac:(lra)). rewrite <- E1 in K.
    replace (hit k + d / 2 - hit k) with (d / 2) in K by ring. apply Rmult_lt_reg_r with (d / 2); lra. }
  split; [|split; [|split; [|split; [|split; [|split; [|split; [|split; [|split]]]]]]]].
  - intros t. split; [intros; apply line_below|]. exists (applies_st k t), (applies_on hit k t). apply line_applies_at.
  - intros st on t u. apply line_moves.
  - destruct (Rle_lt_or_eq_dec _ _ Order) as [c|c]; [left; apply Off; [lra|exact c]|]. rewrite c. lra.
  - exact Order.
  - exact At.
  - intros t Ht. apply Off; lra.
  - intros t Ht. apply Off; lra.
  - intros X. destruct Rising as (st & on & P & E). set (m := Rmax 0 (X - B)).
    assert (Hm0 : 0 <= m) by apply Rmax_l. assert (HmX : X - B <= m) by apply Rmax_r.
    exists (hit k + (m + 1) / slope_of k st on). assert (Q0 : 0 < (m + 1) / slope_of k st on) by (apply Rdiv_lt_0_compat; lra). split; [lra|].
    apply Rlt_le_trans with (line_of hit k st on (hit k + (m + 1) / slope_of k st on)); [|apply line_below].
    rewrite (line_moves hit k st on (hit k)), E.
    replace (slope_of k st on * (hit k + (m + 1) / slope_of k st on - hit k)) with (m + 1) by (field; lra). lra.
  - intros st on t P E. pose proof (line_below hit k st on (hit k)) as L. rewrite At in L.
    rewrite (line_moves hit k st on (hit k)) in E. apply Rnot_lt_le. intros c.
    pose proof (Rmult_lt_compat_l (slope_of k st on) (t - hit k) 0 P ltac:(lra)). lra.
  - exact Rising.
Qed.

End Rise.
