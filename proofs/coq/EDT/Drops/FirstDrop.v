(** DT/EDT paper, Section 3.3: when bursts of any rates R_i(t) >= C first lose a byte.

    Let A_i be the arrivals of burst i (A_i has the right derivative R_i), E_i(t) = A_i(t) - C t, S = sum E_i,
    Z(t) = alpha S(t) - (1 + alpha N) C t, and let the excess e of the steady queues over the threshold be the
    reflection of Z at 0:  e(0) = 0,  e' = Z' while e > 0,  e' = max(Z', 0) while e = 0.  With
      T(t) = alpha (B - S(t) - N e(t)) / (1 + alpha N):
    [first_drop]  no burst loses a byte before tau  <->  E_i(t) <= T(t) for every burst i and every t < tau;
    the first loss is therefore at  inf { t : E_i(t) > T(t) for some i },  and until then T is the threshold. *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem5.
Open Scope R_scope.

(** A continuous function that is positive at s and not positive later has a first zero. *)
Lemma first_zero f s t : s <= t -> continuous_on f s t -> 0 < f s -> f t <= 0 ->
  exists p, s < p <= t /\ f p = 0 /\ forall u, s <= u < p -> 0 < f u.
Proof.
  intros Hst Hc H0 H1. pose (E := fun p => s <= p <= t /\ forall u, s <= u < p -> 0 < f u).
  destruct (completeness E) as (p & Hub & Hlub).
  { exists t. intros x Hx. apply Hx. }
  { exists s. split; [lra|]. intros; lra. }
  assert (Hsp : s <= p) by (apply Hub; split; [lra|intros; lra]).
  assert (Hpt : p <= t) by (apply Hlub; intros x Hx; apply Hx).
  assert (Hbelow : forall u, s <= u < p -> 0 < f u).
  { intros u Hu. destruct (Rlt_dec 0 (f u)) as [|Hn]; auto. exfalso. assert (p <= u); [|lra].
    apply Hlub. intros x Hx. destruct (Rle_dec x u); auto. exfalso. apply Hn. apply Hx. lra. }
  assert (Hnear : forall eps, 0 < eps -> exists d, 0 < d /\ forall u, s <= u <= t -> Rabs (u - p) < d -> Rabs (f u - f p) < eps).
  { intros eps He. destruct (Hc p ltac:(lra) eps He) as (d & Hd & K). exists d. split; auto. intros u Hu Hud.
    apply (K u). split; auto. }
  assert (Hzero : f p = 0).
  { destruct (Rtotal_order (f p) 0) as [c|[c|c]]; auto; exfalso.
    - destruct (Hnear (- f p) ltac:(lra)) as (d & Hd & K).
      destruct (Req_dec s p) as [e|e]; [subst; lra|].
      pose (u := Rmax s (p - d / 2)). assert (Hu1 := Rmax_l s (p - d / 2)). assert (Hu2 := Rmax_r s (p - d / 2)).
      assert (Hu3 : u < p) by (apply Rmax_lub_lt; lra). fold u in Hu1, Hu2.
      specialize (K u ltac:(lra) ltac:(rewrite Rabs_left; lra)). apply Rabs_def2 in K.
      specialize (Hbelow u ltac:(lra)). lra.
    - destruct (Req_dec p t) as [e|e]; [subst; lra|].
      destruct (Hnear (f p) c) as (d & Hd & K).
      assert (HE : E (Rmin (p + d / 2) t)).
      { assert (A1 := Rmin_l (p + d / 2) t). assert (A2 := Rmin_r (p + d / 2) t).
        split; [split; [apply Rmin_glb; lra|auto]|]. intros u Hu. destruct (Rlt_dec u p) as [|Hup]; [apply Hbelow; lra|].
        specialize (K u ltac:(lra)). rewrite Rabs_right in K by lra. specialize (K ltac:(lra)).
        apply Rabs_def2 in K. lra. }
      apply Hub in HE. assert (p < Rmin (p + d / 2) t) by (apply Rmin_glb_lt; lra). lra. }
  exists p. repeat split; auto. destruct (Req_dec s p) as [e|]; [subst; lra|lra].
Qed.

(** The arrivals of the M bursts, and the reflection e. *)
Record any_bursts (M N : nat) (alpha C tau : real) (R A : nat -> real -> real) (e de : real -> real) : Prop := {
  rate_ge_C : forall i t, (i < M)%nat -> 0 <= t < tau -> C <= R i t;
  arrived_0 : forall i, (i < M)%nat -> A i 0 = 0;
  arrived_continuous : forall i, (i < M)%nat -> continuous_on (A i) 0 tau;
  arrived_slope : forall i t, (i < M)%nat -> 0 <= t < tau -> right_derivative (A i) t (R i t);
  excess_0 : e 0 = 0;
  excess_nonneg : forall t, 0 <= t <= tau -> 0 <= e t;
  excess_continuous : continuous_on e 0 tau;
  excess_slope : forall t, 0 <= t < tau -> right_derivative e t (de t);
  excess_rule : forall t, 0 <= t < tau ->
    let dZ := alpha * sum M (fun i => R i t - C) - (1 + alpha * INR N) * C in
    (0 < e t -> de t = dZ) /\ (e t = 0 -> de t = Rmax dZ 0)
}.

Section FirstDrop.
Variables (M N Z : nat) (alpha B C : real) (R A : nat -> real -> real) (e de : real -> real) (tau : real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (tau_nonneg : 0 <= tau).
Hypothesis bursts : any_bursts M N alpha C tau R A e de.

Notation n := (INR N).

Definition length_free (i : nat) (t : real) : real := A i t - C * t.
Definition grown (t : real) : real := sum M (fun i => length_free i t).
Definition growth (t : real) : real := sum M (fun i => R i t - C).
Definition level (t : real) : real := alpha * (B - grown t - n * e t) / (1 + alpha * n).
Definition dlevel (t : real) : real := - (alpha * (growth t + n * de t)) / (1 + alpha * n).
Definition V_any (t : real) : real := level t + e t.
Definition v_any (t : real) : real := dlevel t + de t.
Definition w_any (i : nat) (t : real) : real := R i t - C.

Lemma any_free t : class_free M N B length_free V_any t = level t / alpha.
Proof. pose proof (steady_denominator N alpha alpha_pos). unfold class_free, V_any, level. fold (grown t). field. lra. Qed.

Lemma any_slope t : class_slope M N w_any v_any t = dlevel t / alpha.
Proof. pose proof (steady_denominator N alpha alpha_pos). unfold class_slope, v_any, dlevel, w_any. fold (growth t). field. lra. Qed.

Lemma E_slope i t : (i < M)%nat -> 0 <= t < tau -> right_derivative (length_free i) t (R i t - C).
Proof.
  intros Hi Ht. unfold length_free. apply rd_minus; [apply (arrived_slope _ _ _ _ _ _ _ _ _ bursts); auto|].
  apply rd_ext with (fun u => C * u + 0); [|apply rd_linear]. exists 1. split; [lra|]. intros; lra.
Qed.

Lemma E_continuous i : (i < M)%nat -> continuous_on (length_free i) 0 tau.
Proof.
  intros Hi. unfold length_free. apply continuous_minus; [apply (arrived_continuous _ _ _ _ _ _ _ _ _ bursts); auto|].
  apply continuous_ext with (fun u => C * u + 0); [intros; lra|apply continuous_linear].
Qed.

Lemma level_continuous : continuous_on level 0 tau.
Proof.
  apply continuous_ext with (fun t => alpha / (1 + alpha * n) * (B - grown t - n * e t)).
  { intros. unfold level. field. pose proof (steady_denominator N alpha alpha_pos). lra. }
  apply continuous_scal, continuous_minus; [apply continuous_minus; [apply continuous_const|]|].
  - unfold grown. apply continuous_sum. intros; apply E_continuous; auto.
  - apply continuous_scal. apply (excess_continuous _ _ _ _ _ _ _ _ _ bursts).
Qed.

Lemma level_slope t : 0 <= t < tau -> right_derivative level t (dlevel t).
Proof.
  intros Ht. pose proof (steady_denominator N alpha alpha_pos).
  apply rd_ext with (fun t => alpha / (1 + alpha * n) * (B - grown t - n * e t)).
  { exists 1. split; [lra|]. intros. unfold level. field. lra. }
  eapply rd_eq.
  - apply rd_scal, rd_minus; [apply rd_minus; [apply rd_const|]|].
    + unfold grown. apply rd_sum. intros; apply E_slope; auto.
    + apply rd_scal. apply (excess_slope _ _ _ _ _ _ _ _ _ bursts); auto.
  - unfold dlevel, growth. field. lra.
Qed.

Lemma E_0 i : (i < M)%nat -> length_free i 0 = 0.
Proof. intros Hi. unfold length_free. rewrite (arrived_0 _ _ _ _ _ _ _ _ _ bursts) by auto. lra. Qed.

Lemma E_grows i a b : (i < M)%nat -> 0 <= a -> a <= b -> b <= tau -> length_free i a <= length_free i b.
Proof.
  intros Hi Ha Hab Hb.
  assert (K : - length_free i b <= - length_free i a); [|lra].
  apply (nonincreasing a b (fun t => - length_free i t) (fun t => - (R i t - C))); auto.
  - apply continuous_opp. apply (continuous_sub 0 tau); auto. apply E_continuous; auto.
  - intros t Ht. split; [apply rd_opp, E_slope; auto; lra|].
    pose proof (rate_ge_C _ _ _ _ _ _ _ _ _ bursts i t Hi ltac:(lra)). lra.
Qed.

Lemma E_nonneg i t : (i < M)%nat -> 0 <= t <= tau -> 0 <= length_free i t.
Proof. intros Hi Ht. rewrite <- (E_0 i Hi). apply E_grows; auto; lra. Qed.

Lemma growth_nonneg t : 0 <= t < tau -> 0 <= growth t.
Proof.
  intros Ht. apply sum_nonneg. intros i Hi. pose proof (rate_ge_C _ _ _ _ _ _ _ _ _ bursts i t Hi Ht). lra.
Qed.

(** While nothing has grown the threshold is where it was. *)
Lemma level_when_empty t : 0 <= t <= tau -> (forall i, (i < M)%nat -> length_free i t <= 0) ->
  level t = alpha * F0 N alpha B.
Proof.
  intros Ht H. assert (G : grown t = 0).
  { apply sum_zero. intros i Hi. apply Rle_antisym; auto. apply E_nonneg; auto. }
  assert (He : e t <= e 0).
  { apply (nonincreasing 0 t e de); [lra|apply (continuous_sub 0 tau); [lra|lra|apply (excess_continuous _ _ _ _ _ _ _ _ _ bursts)]|].
    intros u Hu. split; [apply (excess_slope _ _ _ _ _ _ _ _ _ bursts); lra|].
    assert (Gu : growth u = 0).
    { apply sum_zero. intros i Hi. apply (rd_unique u (length_free i)); [apply E_slope; auto; lra|].
      apply rd_ext with (fun _ => 0); [|apply rd_const]. exists (t - u). split; [lra|]. intros h Hh.
      apply Rle_antisym; [|apply E_nonneg; auto; lra].
      apply Rle_trans with (length_free i t); [apply E_grows; auto; lra|apply H; auto]. }
    destruct (excess_rule _ _ _ _ _ _ _ _ _ bursts u ltac:(lra)) as [K1 K2]. fold (growth u) in K1, K2.
    rewrite Gu in K1, K2. pose proof (excess_nonneg _ _ _ _ _ _ _ _ _ bursts u ltac:(lra)).
    pose proof (steady_denominator N alpha alpha_pos). pose proof (Rmult_lt_0_compat (1 + alpha * n) C).
    destruct (Req_dec (e u) 0) as [z|z]; [rewrite (K2 z), Rmax_right; lra|]. rewrite K1; lra. }
  rewrite (excess_0 _ _ _ _ _ _ _ _ _ bursts) in He. pose proof (excess_nonneg _ _ _ _ _ _ _ _ _ bursts t Ht).
  unfold level. rewrite G. replace (e t) with 0 by lra. unfold F0. pose proof (steady_denominator N alpha alpha_pos). field. lra.
Qed.

Lemma F0_pos : 0 < alpha * F0 N alpha B.
Proof. apply Rmult_lt_0_compat; auto. apply Rdiv_lt_0_compat; auto. apply steady_denominator, alpha_pos. Qed.

Lemma level_pos t : 0 <= t <= tau -> (forall i, (i < M)%nat -> length_free i t <= level t) -> 0 < level t.
Proof.
  intros Ht H. destruct (Rlt_dec 0 (level t)) as [|c]; auto. exfalso.
  pose proof (level_when_empty t Ht ltac:(intros i Hi; specialize (H i Hi); lra)). pose proof F0_pos. lra.
Qed.

(** What the steady queues do: on the threshold, or above it and draining at C. *)
Lemma steady_any t : 0 <= t < tau ->
  (level t < V_any t /\ v_any t = - C) \/
  (V_any t = level t /\ dlevel t <= 0 /\ v_any t = Rmax (dlevel t) (- C)).
Proof.
  intros Ht. pose proof (steady_denominator N alpha alpha_pos) as Hn. pose proof (growth_nonneg t Ht) as Hg.
  destruct (excess_rule _ _ _ _ _ _ _ _ _ bursts t Ht) as [K1 K2]. fold (growth t) in K1, K2.
  pose proof (excess_nonneg _ _ _ _ _ _ _ _ _ bursts t ltac:(lra)) as He. unfold V_any, v_any.
  assert (Off : de t = alpha * growth t - (1 + alpha * n) * C ->
                dlevel t = - alpha * growth t + alpha * n * C /\ dlevel t + de t = - C).
  { intros E. assert (Ed : dlevel t = - alpha * growth t + alpha * n * C) by (unfold dlevel; rewrite E; field; lra).
    split; auto. rewrite Ed, E. ring. }
  destruct (Req_dec (e t) 0) as [z|z].
  - right. split; [lra|]. specialize (K2 z).
    destruct (Rle_dec (alpha * growth t - (1 + alpha * n) * C) 0) as [c|c].
    + rewrite Rmax_right in K2 by lra. assert (Ed : dlevel t = - (alpha * growth t / (1 + alpha * n))).
      { unfold dlevel. rewrite K2. field. lra. }
      assert (P : 0 <= alpha * growth t / (1 + alpha * n)).
      { apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; auto]. }
      assert (Q : alpha * growth t / (1 + alpha * n) <= C).
      { apply Rmult_le_reg_r with (1 + alpha * n); auto.
        replace (alpha * growth t / (1 + alpha * n) * (1 + alpha * n)) with (alpha * growth t) by (field; lra). lra. }
      rewrite K2, Ed. split; [lra|]. rewrite Rmax_left; lra.
    + rewrite Rmax_left in K2 by lra. destruct (Off K2) as [O1 O2]. split; [lra|]. rewrite O2, Rmax_right; lra.
  - left. split; [lra|]. apply Off, K1. lra.
Qed.

(** ** If no length would exceed the threshold, nothing is lost *)

Lemma any_class t1 : t1 <= tau ->
  (forall i t, (i < M)%nat -> 0 <= t < t1 -> length_free i t <= level t) ->
  class_trajectory M N alpha B C R 0 t1 length_free w_any V_any v_any.
Proof.
  intros Ht1 H. pose proof (steady_denominator N alpha alpha_pos) as Hn.
  assert (Lp : forall t, 0 <= t < t1 -> 0 < level t) by (intros; apply level_pos; [lra|auto]).
  assert (EF : forall t, alpha * class_free M N B length_free V_any t = level t).
  { intros. rewrite any_free. field. lra. }
  assert (ES : forall t, alpha * class_slope M N w_any v_any t = dlevel t).
  { intros. rewrite any_slope. field. lra. }
  assert (Cl : continuous_on level 0 t1) by (apply (continuous_sub 0 tau); [lra|lra|apply level_continuous]).
  split.
  - intros i Hi. apply (continuous_sub 0 tau); [lra|lra|apply E_continuous; auto].
  - apply continuous_plus; auto. apply (continuous_sub 0 tau); [lra|lra|apply (excess_continuous _ _ _ _ _ _ _ _ _ bursts)].
  - intros i t Hi Ht. apply E_nonneg; auto; lra.
  - intros t Ht. pose proof (excess_nonneg _ _ _ _ _ _ _ _ _ bursts t ltac:(lra)). unfold V_any.
    destruct (Rlt_dec t t1) as [c|c]; [specialize (Lp t ltac:(lra)); lra|].
    assert (0 <= level t); [|lra]. apply Rnot_lt_le. intros Hneg.
    destruct (Req_dec t1 0) as [z|z].
    { assert (t = 0) by lra. subst t. rewrite level_when_empty in Hneg; [pose proof F0_pos; lra|lra|].
      intros i Hi. rewrite E_0; auto; lra. }
    destruct (Cl t ltac:(lra) (- level t) ltac:(lra)) as (d & Hd & K).
    pose (u := Rmax 0 (t - d / 2)). assert (U1 := Rmax_l 0 (t - d / 2)). assert (U2 := Rmax_r 0 (t - d / 2)). fold u in U1, U2.
    assert (U3 : u < t) by (apply Rmax_lub_lt; lra).
    specialize (Lp u ltac:(lra)).
    assert (K' : Rabs (level u - level t) < - level t).
    { apply (K u). split; [lra|]. simpl. unfold R_dist. rewrite Rabs_left; lra. }
    apply Rabs_def2 in K'. lra.
  - intros i t Hi Ht. apply E_slope; auto; lra.
  - intros t Ht. apply rd_plus; [apply level_slope; lra|apply (excess_slope _ _ _ _ _ _ _ _ _ bursts); lra].
  - intros t Ht. rewrite any_free. apply Rdiv_lt_0_compat; auto.
  - intros i t Hi Ht. rewrite EF, ES. pose proof (rate_ge_C _ _ _ _ _ _ _ _ _ bursts i t Hi ltac:(lra)) as HR.
    specialize (H i) as Hit. unfold w_any. repeat split; auto.
    + intros c. specialize (Hit t Hi Ht). lra.
    + intros c. symmetry. apply clip_high; [|lra].
      (* the length stays at most T, so T' is at least R - C *)
      apply Rnot_lt_le. intros Hneg.
      assert (Dr : right_derivative (fun u => length_free i u - level u) t (R i t - C - dlevel t)).
      { apply rd_minus; [apply E_slope; auto; lra|apply level_slope; lra]. }
      destruct (Dr ((R i t - C - dlevel t) / 2) ltac:(lra)) as (d & Hd & K).
      pose (h := Rmin (d / 2) ((t1 - t) / 2)).
      assert (Hh : 0 < h) by (apply Rmin_pos; lra).
      assert (h <= d / 2) by apply Rmin_l. assert (h <= (t1 - t) / 2) by apply Rmin_r.
      specialize (K h ltac:(lra)). specialize (Hit (t + h) Hi ltac:(lra)).
      assert (P : 0 < (R i t - C - dlevel t) * h) by (apply Rmult_lt_0_compat; lra).
      rewrite Rabs_left1 in K by lra. lra.
  - intros t Ht. rewrite EF, ES. apply steady_any. lra.
Qed.

Lemma any_start : (forall i, (i < M)%nat -> length_free i 0 = 0) /\ V_any 0 = alpha * F0 N alpha B.
Proof.
  split; [apply E_0|]. unfold V_any. rewrite (excess_0 _ _ _ _ _ _ _ _ _ bursts).
  rewrite level_when_empty; [lra|lra|]. intros i Hi. rewrite E_0; auto; lra.
Qed.

Notation sw := (dt_switch (M + N + Z) alpha B C).

Lemma no_loss t1 Ar Q D : 0 <= t1 <= tau ->
  (forall i t, (i < M)%nat -> 0 <= t < t1 -> length_free i t <= level t) ->
  micro_burst M N Z alpha B C R t1 Ar Q D ->
  (forall i t, (i < M)%nat -> 0 <= t < t1 -> rejected sw Ar Q D i t = 0) /\
  (forall i t, (i < M)%nat -> 0 <= t <= t1 -> Q i t = length_free i t) /\
  (forall t, 0 <= t <= t1 -> free sw Q t = level t / alpha) /\
  (forall j t, (M <= j < M + N)%nat -> 0 <= t <= t1 -> Q j t = level t + e t).
Proof.
  intros Ht1 H Hm. destruct any_start as [S1 S2].
  destruct (micro_burst_unique M N Z alpha B C R t1 Ar Q D length_free w_any V_any v_any)
    as (UF & UW & UV & _ & UR); auto; [lra| |apply any_class; auto; lra|].
  - intros i t Hi Ht. apply (rate_ge_C _ _ _ _ _ _ _ _ _ bursts); auto; lra.
  - split; [|split; [auto|split]].
    + intros i t Hi Ht. rewrite UR by auto. unfold w_any. lra.
    + intros t Ht. rewrite UF by auto. apply any_free.
    + intros j t Hj Ht. apply (UV j t Hj Ht).
Qed.

(** ** If one would, something is lost *)

(** The switch with the bursts uncontrolled: its trajectory is the one that loses nothing. *)
Notation X := (grown tau + 1).
Definition open_switch : switch :=
  Switch (M + N + Z) (fun i => if (i <? M)%nat then 0 else alpha) (fun i => if (i <? M)%nat then X else 0) (fun _ => C) B.

Lemma E_below_X i t : (i < M)%nat -> 0 <= t <= tau -> length_free i t < X.
Proof.
  intros Hi Ht. apply Rle_lt_trans with (length_free i tau); [apply E_grows; auto; lra|].
  unfold grown. pose proof (sum_term_le M (fun j => length_free j tau) i
    ltac:(intros; apply E_nonneg; auto; lra) Hi). simpl in *. lra.
Qed.

Lemma open_trajectory t1 Ar : 0 <= t1 <= tau -> burst_arrivals M N Z C R 0 t1 Ar ->
  (forall t, 0 <= t < t1 -> 0 < level t) ->
  trajectory open_switch Ar 0 t1 (by_class M N length_free V_any) (by_class M N w_any v_any) \/ exists t, 0 <= t <= t1 /\ level t < 0.
Proof.
  intros Ht1 HA Lp.
  destruct (Rlt_dec (level t1) 0) as [neg|nonneg]; [right; exists t1; split; [lra|auto]|left].
  assert (Lp' : forall t, 0 <= t <= t1 -> 0 <= level t).
  { intros t Ht. destruct (Rlt_dec t t1); [left; apply Lp; lra|replace t with t1 by lra; lra]. }
  assert (FE : forall t, free open_switch (by_class M N length_free V_any) t = level t / alpha).
  { intros t. rewrite <- any_free. unfold free. simpl. rewrite sum_by_class. unfold class_free. lra. }
  assert (SE : forall t, free_slope open_switch (by_class M N w_any v_any) t = dlevel t / alpha).
  { intros t. rewrite <- any_slope. unfold free_slope. simpl. rewrite sum_by_class. unfold class_slope. lra. }
  assert (Ea : forall x, alpha * (x / alpha) = x) by (intros; field; lra).
  split; intros i; [intros t|..|intros t|intros t]; intros Hi; try (intros Ht); simpl in Hi;
    destruct (class_of M N Z i Hi) as [c|[c|c]].
  - rewrite by_class_burst by auto. apply E_nonneg; auto; lra.
  - rewrite by_class_steady by auto. specialize (Lp' t ltac:(lra)).
    pose proof (excess_nonneg _ _ _ _ _ _ _ _ _ bursts t ltac:(lra)). unfold V_any. lra.
  - rewrite by_class_other by lia. lra.
  - apply continuous_ext with (length_free i); [intros; apply by_class_burst; auto|].
    apply (continuous_sub 0 tau); [lra|lra|apply E_continuous; auto].
  - apply continuous_ext with V_any; [intros; apply by_class_steady; auto|].
    apply (continuous_sub 0 tau); [lra|lra|]. apply continuous_plus; [apply level_continuous|apply (excess_continuous _ _ _ _ _ _ _ _ _ bursts)].
  - apply continuous_ext with (fun _ => 0); [intros; apply by_class_other; lia|apply continuous_const].
  - rewrite by_class_burst by auto. apply rd_ext with (length_free i); [|apply E_slope; auto; lra].
    exists 1; split; [lra|]; intros; apply by_class_burst; auto.
  - rewrite by_class_steady by auto. apply rd_ext with V_any; [exists 1; split; [lra|]; intros; apply by_class_steady; auto|].
    apply rd_plus; [apply level_slope; lra|apply (excess_slope _ _ _ _ _ _ _ _ _ bursts); lra].
  - rewrite by_class_other by lia. apply rd_ext with (fun _ => 0); [|apply rd_const].
    exists 1; split; [lra|]; intros; apply by_class_other; lia.
  - pose proof (E_below_X i t c ltac:(lra)) as Hb. pose proof (rate_ge_C _ _ _ _ _ _ _ _ _ bursts i t c ltac:(lra)).
    unfold obeys, threshold, threshold_slope. rewrite FE, SE, !by_class_burst by auto.
    unfold highest, lowest. simpl. rewrite (burst_ports _ _ _ _ _ _ _ _ HA i t c Ht).
    destruct (Nat.ltb_spec i M); [|lia]. rewrite Rmult_0_l, Rplus_0_r.
    repeat split; intros K; try lra. unfold w_any.
    destruct (Rlt_dec 0 (length_free i t)); [auto|]. rewrite Rmax_right; lra.
  - pose proof (Lp t Ht) as Hf. pose proof (steady_ports _ _ _ _ _ _ _ _ HA i t c Ht) as Hs.
    unfold obeys, threshold, threshold_slope. rewrite FE, SE, !by_class_steady by auto.
    unfold highest, lowest. simpl. destruct (Nat.ltb_spec i M); [lia|]. rewrite Rplus_0_l, !Ea.
    destruct (steady_any t ltac:(lra)) as [[K1 K2]|[K1 [K2 K3]]]; repeat split; intros K; try lra.
    + destruct (Rlt_dec 0 (V_any t)); lra.
    + destruct (Rlt_dec 0 (V_any t)); [|lra]. unfold clip. rewrite Rmin_left by lra. rewrite Rmax_comm. exact K3.
  - pose proof (Lp t Ht) as Hf. pose proof (other_ports _ _ _ _ _ _ _ _ HA i t c Ht) as Hs.
    unfold obeys, threshold, threshold_slope. rewrite FE, SE, !by_class_other by lia.
    unfold highest, lowest. simpl. destruct (Nat.ltb_spec i M); [lia|]. rewrite Rplus_0_l, !Ea.
    repeat split; intros K; try lra. destruct (Rlt_dec 0 0); [lra|]. rewrite Rmax_left; lra.
Qed.

Lemma open_sane t1 Ar : t1 <= tau -> burst_arrivals M N Z C R 0 t1 Ar -> sane open_switch Ar 0 t1.
Proof.
  intros Ht1 HA. split; simpl.
  - intros i Hi. destruct (i <? M)%nat; lra.
  - intros i t Hi Ht. destruct (class_of M N Z i Hi) as [c|[c|c]].
    + rewrite (burst_ports _ _ _ _ _ _ _ _ HA i t) by auto.
      pose proof (rate_ge_C _ _ _ _ _ _ _ _ _ bursts i t c ltac:(lra)). lra.
    + pose proof (steady_ports _ _ _ _ _ _ _ _ HA i t c Ht). lra.
    + pose proof (other_ports _ _ _ _ _ _ _ _ HA i t c Ht). lra.
Qed.

(** A DT trajectory without loss is a trajectory of that switch. *)
Lemma lossless_lengths t1 Ar Q D : 0 <= t1 <= tau -> micro_burst M N Z alpha B C R t1 Ar Q D ->
  (forall i t, (i < M)%nat -> 0 <= t < t1 -> rejected sw Ar Q D i t = 0) ->
  (forall i t, (i < M)%nat -> 0 <= t <= t1 -> Q i t = length_free i t).
Proof.
  intros Ht1 [HA HS HT] Hrej i t Hi Ht.
  assert (Slope : forall u, 0 <= u < t -> right_derivative (fun x => Q i x - length_free i x) u 0).
  { intros u Hu. pose proof (length_slope _ _ _ _ _ _ HT i u ltac:(simpl; lia) ltac:(lra)) as Hd.
    pose proof (Hrej i u Hi ltac:(lra)) as Hr. pose proof (rate_ge_C _ _ _ _ _ _ _ _ _ bursts i u Hi ltac:(lra)) as HR.
    eapply rd_eq; [apply rd_minus; [exact Hd|apply E_slope; auto; lra]|].
    unfold rejected, highest in Hr. simpl in Hr. rewrite (burst_ports _ _ _ _ _ _ _ _ HA i u Hi) in Hr by lra.
    destruct (Rlt_dec 0 (Q i u)); [lra|]. rewrite Rmax_right in Hr; lra. }
  assert (Cont : continuous_on (fun x => Q i x - length_free i x) 0 t).
  { apply continuous_minus.
    - apply (continuous_sub 0 t1); [lra|lra|]. apply (length_continuous _ _ _ _ _ _ HT). simpl. lia.
    - apply (continuous_sub 0 tau); [lra|lra|]. apply E_continuous; auto. }
  assert (K1 : Q i t - length_free i t <= Q i 0 - length_free i 0).
  { apply (nonincreasing 0 t (fun x => Q i x - length_free i x) (fun _ => 0)); [lra|auto|]. intros u Hu. split; [apply Slope; auto|lra]. }
  assert (K2 : - (Q i t - length_free i t) <= - (Q i 0 - length_free i 0)).
  { apply (nonincreasing 0 t (fun x => - (Q i x - length_free i x)) (fun _ => 0)); [lra|apply continuous_opp, Cont|].
    intros u Hu. split; [|lra]. eapply rd_eq; [apply rd_opp, Slope; auto|lra]. }
  rewrite (burst_empty _ _ _ _ _ _ _ HS i Hi), E_0 in * by auto. lra.
Qed.

Lemma lossless_level t1 Ar Q D : 0 <= t1 <= tau -> micro_burst M N Z alpha B C R t1 Ar Q D ->
  (forall i t, (i < M)%nat -> 0 <= t < t1 -> rejected sw Ar Q D i t = 0) ->
  (forall t, 0 <= t < t1 -> 0 < level t) -> 0 <= level t1 ->
  forall t, 0 <= t <= t1 -> free sw Q t = level t / alpha.
Proof.
  intros Ht1 Hm Hrej Lp L1 t Ht. pose proof (lossless_lengths t1 Ar Q D Ht1 Hm Hrej) as HL. destruct Hm as [HA HS HT].
  destruct (open_trajectory t1 Ar Ht1 HA Lp) as [OT|(u & Hu & Hneg)].
  2: { exfalso. destruct (Rlt_dec u t1); [specialize (Lp u ltac:(lra)); lra|]. replace u with t1 in Hneg by lra. lra. }
  assert (QT : trajectory open_switch Ar 0 t1 Q D).
  { split.
    - apply (length_nonneg _ _ _ _ _ _ HT).
    - apply (length_continuous _ _ _ _ _ _ HT).
    - apply (length_slope _ _ _ _ _ _ HT).
    - intros i x Hi Hx. simpl in Hi. pose proof (length_rule _ _ _ _ _ _ HT i x Hi Hx) as Ho.
      unfold obeys, threshold, threshold_slope in *. simpl in *.
      change (free open_switch Q x) with (free sw Q x). change (free_slope open_switch D x) with (free_slope sw D x).
      change (highest open_switch Ar i (Q i x) x) with (highest sw Ar i (Q i x) x).
      change (lowest open_switch i (Q i x)) with (lowest sw i (Q i x)).
      destruct (Nat.ltb_spec i M) as [c|c]; auto.
      pose proof (E_below_X i x c ltac:(lra)) as Hb. rewrite (HL i x c ltac:(lra)) in *.
      pose proof (Hrej i x c Hx) as Hr. unfold rejected in Hr. rewrite (HL i x c ltac:(lra)) in Hr.
      repeat split; intros K; lra. }
  assert (U : forall i, (i < M + N + Z)%nat -> (forall x, 0 <= x <= t1 -> Q i x = by_class M N length_free V_any i x) /\
                                         (forall x, 0 <= x < t1 -> D i x = by_class M N w_any v_any i x)).
  { apply (fluid_unique open_switch Ar 0 t1); auto; [apply open_sane; auto; lra|].
    simpl. intros i Hi. destruct any_start as [S1 S2]. destruct (class_of M N Z i Hi) as [c|[c|c]].
    - rewrite by_class_burst, S1 by auto. apply (burst_empty _ _ _ _ _ _ _ HS i c).
    - rewrite by_class_steady, S2, (steady_on_threshold _ _ _ _ _ _ _ HS i c) by auto.
      unfold threshold. rewrite (eq16_initial_free M N Z alpha B C Q alpha_pos HS). simpl. lra.
    - rewrite by_class_other by lia. apply (other_empty _ _ _ _ _ _ _ HS i c). }
  rewrite <- any_free, <- (free_by_class M N Z alpha B C). unfold free. simpl. f_equal.
  apply sum_ext. intros i Hi. apply (U i Hi); auto.
Qed.

Lemma some_loss t1 Ar Q D : 0 <= t1 <= tau -> micro_burst M N Z alpha B C R t1 Ar Q D ->
  (forall i t, (i < M)%nat -> 0 <= t < t1 -> rejected sw Ar Q D i t = 0) ->
  forall i t, (i < M)%nat -> 0 <= t < t1 -> length_free i t <= level t.
Proof.
  intros Ht1 Hm Hrej i t Hi Ht. apply Rnot_lt_le. intros Hbad.
  assert (Shorten : forall x, 0 <= x <= t1 -> micro_burst M N Z alpha B C R x Ar Q D) by (intros x Hx; apply (burst_until _ _ _ _ _ _ _ t1); auto; lra).
  (* an instant u at which some length exceeds the threshold, which is positive up to then, is impossible *)
  assert (Key : forall j u, (j < M)%nat -> 0 <= u < t1 -> level u < length_free j u -> (forall x, 0 <= x <= u -> 0 < level x) -> False).
  { intros j u Hj Hu Hex Hpos.
    pose proof (lossless_level u Ar Q D ltac:(lra) (Shorten u ltac:(lra)) ltac:(intros; apply Hrej; auto; lra)
      ltac:(intros; apply Hpos; lra) ltac:(left; apply Hpos; lra) u ltac:(lra)) as EF.
    pose proof (lossless_lengths u Ar Q D ltac:(lra) (Shorten u ltac:(lra)) ltac:(intros; apply Hrej; auto; lra) j u Hj ltac:(lra)) as EQ.
    destruct Hm as [HA HS HT]. destruct (length_rule _ _ _ _ _ _ HT j u ltac:(simpl; lia) ltac:(lra)) as (_ & Hab & _).
    unfold threshold in Hab. rewrite EF, EQ in Hab. simpl in Hab.
    replace (0 + alpha * (level u / alpha)) with (level u) in Hab by (field; lra). specialize (Hab Hex).
    pose proof (Hrej j u Hj ltac:(lra)) as Hr. pose proof (rate_ge_C _ _ _ _ _ _ _ _ _ bursts j u Hj ltac:(lra)).
    assert (0 < level u) by (apply Hpos; lra).
    unfold rejected, highest, lowest in *. rewrite Hab, EQ in Hr. simpl in Hr.
    rewrite (burst_ports _ _ _ _ _ _ _ _ HA j u Hj) in Hr by lra.
    destruct (Rlt_dec 0 (length_free j u)); lra. }
  assert (L0 : 0 < level 0).
  { rewrite level_when_empty; [apply F0_pos|lra|]. intros j Hj. rewrite E_0; auto; lra. }
  (* the threshold does not vanish before: some length would exceed it first *)
  assert (NoZero : forall y, 0 <= y <= t -> level y <= 0 -> False).
  { intros y Hy Ly.
    assert (Cy : continuous_on level 0 y) by (apply (continuous_sub 0 tau); [lra|lra|apply level_continuous]).
    destruct (first_zero level 0 y ltac:(lra) Cy L0 Ly) as (p & Hp1 & Hp2 & Hp3).
    assert (Empty : forall j, (j < M)%nat -> length_free j p <= 0).
    { intros j Hj. apply Rnot_lt_le. intros c.
      assert (Cd : continuous_on (fun x => level x - length_free j x) 0 p).
      { apply (continuous_sub 0 tau); [lra|lra|]. apply continuous_minus; [apply level_continuous|apply E_continuous; auto]. }
      destruct (Cd p ltac:(lra) (length_free j p) ltac:(lra)) as (d & Hd & K).
      pose (u := Rmax 0 (p - d / 2)). assert (U1 := Rmax_l 0 (p - d / 2)). assert (U2 := Rmax_r 0 (p - d / 2)).
      fold u in U1, U2. assert (U3 : u < p) by (apply Rmax_lub_lt; lra).
      assert (K' : Rabs (level u - length_free j u - (level p - length_free j p)) < length_free j p).
      { apply (K u). split; [lra|]. simpl. unfold R_dist. rewrite Rabs_left; lra. }
      apply Rabs_def2 in K'. apply (Key j u Hj); [lra|lra|]. intros x Hx. apply Hp3. lra. }
    rewrite level_when_empty in Hp2 by (auto; lra). pose proof F0_pos. lra. }
  apply (Key i t); auto. intros x Hx. apply Rnot_le_lt. intros K. apply (NoZero x); auto; lra.
Qed.

(** The first drop, for any arrivals at rates of at least C. *)
Theorem first_drop t1 Ar Q D : 0 <= t1 <= tau -> micro_burst M N Z alpha B C R t1 Ar Q D ->
  ((forall i t, (i < M)%nat -> 0 <= t < t1 -> rejected sw Ar Q D i t = 0) <->
   (forall i t, (i < M)%nat -> 0 <= t < t1 -> length_free i t <= level t)) /\
  ((forall i t, (i < M)%nat -> 0 <= t < t1 -> length_free i t <= level t) ->
   forall t, 0 <= t <= t1 -> threshold sw Q 0 t = level t /\ free sw Q t = level t / alpha).
Proof.
  intros Ht1 Hm. split; [split|].
  - apply some_loss; auto.
  - intros H. apply (no_loss t1 Ar Q D Ht1 H Hm).
  - intros H t Ht. destruct (no_loss t1 Ar Q D Ht1 H Hm) as (_ & _ & EF & _). unfold threshold. rewrite EF by auto.
    simpl. split; [field; lra|reflexivity].
Qed.

(** The hypotheses can hold, as long as no length exceeds the threshold. *)
Theorem first_drop_exists t1 : 0 <= t1 <= tau ->
  (forall i t, (i < M)%nat -> 0 <= t < t1 -> length_free i t <= level t) ->
  exists Ar Q D, micro_burst M N Z alpha B C R t1 Ar Q D.
Proof.
  intros Ht1 H. destruct any_start as [S1 S2]. do 3 eexists. apply micro_burst_exists; eauto; [lra| |apply any_class; auto; lra].
  intros i t Hi Ht. apply (rate_ge_C _ _ _ _ _ _ _ _ _ bursts); auto; lra.
Qed.

End FirstDrop.
