(** The first drop in a switch of any weights and services: bursts of any rates meet a steady state.

    The queues that are no bursts are on their thresholds and offered at least what they send.  Let phi be the root of

        phi + sum over them of min (w_i phi, C_i) = sum over the bursts of (R_k - C_k).

      [fall_rate_exists], [fall_rate_unique]  there is exactly one;
      [straight_until]     until a burst meets its threshold F falls at phi, and all lengths are straight lines;
      [first_drop_switch]  the bursts that meet it first, at min_k (w_k F_0 + o_k - q_k) / (R_k - C_k + w_k phi), lose bytes from
                           then on, and no burst does before;
      [first_drop_weights] for thresholds w_i F and bursts that begin empty these are the bursts of the largest
                           (R_k - C_k) / w_k, and all of them lose bytes then.                                                *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence.
Open Scope R_scope.

Section FirstDrop.
Variables (sw : switch) (burst : nat -> bool) (r : nat -> R) (tau : R) (Ar Q D : nat -> R -> R).
Notation n := (ports sw).
Notation w := (gain sw).
Notation c := (service sw).
Hypothesis tau_pos : 0 < tau.
Hypothesis positive : forall i, (i < n)%nat -> 0 < w i /\ 0 <= c i.
Hypothesis offered : forall i, (i < n)%nat -> if burst i then c i < r i else c i <= r i.
Hypothesis constant : forall i t, (i < n)%nat -> 0 <= t < tau -> Ar i t = r i.
Hypothesis start : forall i, (i < n)%nat -> if burst i then Q i 0 <= threshold sw Q i 0 else Q i 0 = threshold sw Q i 0.
Hypothesis moves : trajectory sw Ar 0 tau Q D.

(** Both sides of the equation for phi, and F at time 0. *)
Definition left_behind (phi : R) : R := phi + sum n (fun i => if burst i then 0 else Rmin (w i * phi) (c i)).
Definition inflow : R := sum n (fun i => if burst i then r i - c i else 0).
Notation F0 := (free sw Q 0).

(** When burst i meets_threshold its threshold, if no other one does before. *)
Definition meets_threshold (phi : R) (i : nat) : R := (threshold sw Q i 0 - Q i 0) / (r i - c i + w i * phi).

Theorem fall_rate_unique x y : left_behind x = left_behind y -> x = y.
Proof.
  assert (M : forall a b, a < b -> left_behind a < left_behind b).
  { intros a b H. unfold left_behind. apply Rplus_lt_le_compat; auto. apply sum_le. intros i Hi. destruct (burst i); [lra|].
    apply Rle_min_compat_r, Rmult_le_compat_l; [apply Rlt_le, positive; auto|lra]. }
  intros E. destruct (Rtotal_order x y) as [H|[H|H]]; [apply M in H; lra|auto|apply M in H; lra].
Qed.

Lemma rate_nonneg i : (i < n)%nat -> 0 <= r i.
Proof. intros Hi. destruct (positive i Hi). specialize (offered i Hi). destruct (burst i); lra. Qed.

Lemma switch_sane s : 0 <= s -> sane sw Ar s tau.
Proof.
  intros Hs. split; intros i; intros Hi; [destruct (positive i Hi); lra|]. intros. rewrite constant by (auto; lra). apply rate_nonneg; auto.
Qed.

Lemma growing i q t : (i < n)%nat -> 0 <= t < tau -> c i <= r i -> highest sw Ar i q t = r i - c i.
Proof. intros Hi Ht H. unfold highest. rewrite constant by auto. destruct (Rlt_dec 0 q); [|rewrite Rmax_right]; lra. Qed.

(** How queue i grows until the first burst meets_threshold its threshold. *)
Definition speed (phi : R) (i : nat) : R := if burst i then r i - c i else - Rmin (w i * phi) (c i).

Lemma speed_sum phi : left_behind phi = inflow -> sum n (speed phi) = phi.
Proof.
  unfold left_behind, inflow. intros E.
  rewrite (sum_ext n (speed phi) (fun i => (if burst i then r i - c i else 0) - (if burst i then 0 else Rmin (w i * phi) (c i)))).
  - rewrite sum_minus. lra.
  - intros i _. unfold speed. destruct (burst i); lra.
Qed.

Section Falling.
Variables (phi : R) (k : nat).
Hypotheses (is_fall : left_behind phi = inflow) (some_burst : (k < n)%nat /\ burst k = true).
Hypothesis earliest : forall i, (i < n)%nat -> burst i = true -> meets_threshold phi k <= meets_threshold phi i.
Notation t1 := (meets_threshold phi k).
Hypothesis not_full : 0 < F0 - phi * t1.
Hypothesis offsets : forall i, (i < n)%nat -> 0 <= offset sw i.

Lemma fall_pos : 0 < phi.
Proof.
  apply Rnot_le_lt. intros H. destruct some_burst as [Hk Hb].
  assert (P : 0 < inflow).
  { pose proof (sum_term_le n (fun i => if burst i then r i - c i else 0) k) as S. cbv beta in S. rewrite Hb in S.
    pose proof (offered k Hk) as O. rewrite Hb in O. apply Rlt_le_trans with (r k - c k); [lra|]. apply S; auto.
    intros i Hi. pose proof (offered i Hi) as O'. destruct (burst i); lra. }
  rewrite <- is_fall in P. unfold left_behind in P.
  assert (sum n (fun i => if burst i then 0 else Rmin (w i * phi) (c i)) <= sum n (fun _ => 0)).
  { apply sum_le. intros i Hi. destruct (burst i); [lra|]. apply Rle_trans with (1 := Rmin_l _ _).
    destruct (positive i Hi). assert (0 <= w i * - phi) by (apply Rmult_le_pos; lra). lra. }
  rewrite sum_const in *. lra.
Qed.

Lemma closes_pos i : (i < n)%nat -> burst i = true -> 0 < r i - c i + w i * phi.
Proof.
  intros Hi Hb. pose proof fall_pos. destruct (positive i Hi). pose proof (offered i Hi) as O. rewrite Hb in O.
  assert (0 < w i * phi) by (apply Rmult_lt_0_compat; auto). lra.
Qed.

(** The room below the threshold at time 0. *)
Lemma room i : (i < n)%nat -> burst i = true -> threshold sw Q i 0 - Q i 0 = (r i - c i + w i * phi) * meets_threshold phi i.
Proof. intros Hi Hb. pose proof (closes_pos i Hi Hb). unfold meets_threshold. field. lra. Qed.

Lemma t1_nonneg : 0 <= t1.
Proof.
  destruct some_burst as [Hk Hb]. pose proof (closes_pos k Hk Hb). pose proof (start k Hk) as S. rewrite Hb in S.
  apply Rmult_le_pos; [lra|]. apply Rlt_le, Rinv_0_lt_compat. auto.
Qed.

Lemma threshold_at i x : threshold_if sw (fun j => Q j 0) i + w i * - phi * x = offset sw i + w i * (F0 - phi * x).
Proof. unfold threshold_if, free. change (sum n (fun j => Q j 0)) with (sum n (fun i0 => Q i0 0)). ring. Qed.

Lemma threshold_pos i x : (i < n)%nat -> x <= t1 -> 0 < offset sw i + w i * (F0 - phi * x).
Proof.
  intros Hi Hx. pose proof fall_pos. pose proof (offsets i Hi). destruct (positive i Hi).
  assert (0 <= phi * (t1 - x)) by (apply Rmult_le_pos; lra).
  assert (0 < w i * (F0 - phi * x)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Definition line (i : nat) (t : R) : R := Q i 0 + speed phi i * (t - 0).

Lemma line_moves : trajectory sw Ar 0 (0 + Rmin t1 tau) line (fun i _ => speed phi i).
Proof.
  set (m := Rmin t1 tau). assert (Hm : m <= t1) by apply Rmin_l. assert (Hm' : m <= tau) by apply Rmin_r.
  assert (Hm0 : 0 <= m) by (apply Rmin_glb; [apply t1_nonneg|lra]). pose proof fall_pos as Hphi.
  assert (Qn : forall i, (i < n)%nat -> 0 <= Q i 0) by (intros; apply (length_nonneg _ _ _ _ _ _ moves); auto; lra).
  assert (End : forall i, (i < n)%nat -> 0 <= Q i 0 + speed phi i * m).
  { intros i Hi. pose proof (Qn i Hi) as Q0. pose proof (offered i Hi) as O. pose proof (start i Hi) as S. unfold speed. destruct (burst i).
    - assert (0 <= (r i - c i) * m) by (apply Rmult_le_pos; lra). lra.
    - pose proof (threshold_pos i m Hi Hm) as T. rewrite S. unfold threshold.
      assert (Rmin (w i * phi) (c i) * m <= w i * phi * m) by (apply Rmult_le_compat_r; [auto|apply Rmin_l]). lra. }
  apply straight; auto. intros i h Hi Hh. rewrite constant by (auto; lra).
  change (sum n (fun i0 => speed phi i0)) with (sum n (speed phi)). rewrite (speed_sum phi is_fall).
  destruct (positive i Hi) as [Hw Hc]. pose proof (offered i Hi) as O. pose proof (start i Hi) as S. pose proof (Qn i Hi) as Q0.
  apply queue_rule_until with (d := m); auto; [apply rate_nonneg; auto| | |].
  - (* the rule at time 0 *)
    assert (ET : threshold_if sw (fun j => Q j 0) i = threshold sw Q i 0) by reflexivity. rewrite ET.
    destruct (burst i) eqn:Hb.
    + assert (P : Q i 0 < threshold sw Q i 0).
      { pose proof (room i Hi Hb) as Ro. pose proof (closes_pos i Hi Hb). specialize (earliest i Hi Hb).
        assert (0 < (r i - c i + w i * phi) * meets_threshold phi i) by (apply Rmult_lt_0_compat; lra). lra. }
      assert (E : speed phi i = highest_of (c i) (r i) (Q i 0)).
      { unfold speed, highest_of. rewrite Hb. destruct (Rlt_dec 0 (Q i 0)); [|rewrite Rmax_right]; lra. }
      repeat split; intros; try lra. 
    + pose proof (threshold_pos i 0 Hi t1_nonneg) as T.
      assert (P : 0 < Q i 0) by (rewrite S; unfold threshold; rewrite Rmult_0_r, Rminus_0_r in T; exact T).
      repeat split; intros; try lra. unfold speed, highest_of, lowest_of, clip. rewrite Hb. destruct (Rlt_dec 0 (Q i 0)); [|lra].
      assert (0 < w i * phi) by (apply Rmult_lt_0_compat; auto). rewrite (Rmin_left (w i * - phi)) by lra.
      unfold Rmin, Rmax. repeat destruct (Rle_dec _ _); lra.
  - intros L. rewrite threshold_at. unfold speed. destruct (burst i) eqn:Hb.
    + pose proof (room i Hi Hb) as Ro. pose proof (closes_pos i Hi Hb). specialize (earliest i Hi Hb).
      assert ((r i - c i + w i * phi) * m <= (r i - c i + w i * phi) * meets_threshold phi i) by (apply Rmult_le_compat_l; lra).
      unfold threshold in Ro. lra.
    + change (threshold_if sw (fun j => Q j 0) i) with (threshold sw Q i 0) in L. lra.
  - intros L. change (threshold_if sw (fun j => Q j 0) i) with (threshold sw Q i 0) in L. destruct (burst i); lra.
Qed.

(** Until then everything is a straight line. *)
Theorem straight_until i : (i < n)%nat ->
  (forall t, 0 <= t <= t1 -> t <= tau -> Q i t = Q i 0 + speed phi i * t /\ free sw Q t = F0 - phi * t) /\
  (forall t, 0 <= t < t1 -> t < tau -> D i t = speed phi i).
Proof.
  intros Hi. set (m := Rmin t1 tau). pose proof line_moves as L. fold m in L. rewrite Rplus_0_l in L.
  assert (Hm' : m <= tau) by apply Rmin_r.
  assert (Sn : sane sw Ar 0 m). { destruct (switch_sane 0 (Rle_refl 0)) as [G A]. split; auto. intros; apply A; auto; lra. }
  assert (U : forall j, (j < n)%nat -> (forall t, 0 <= t <= m -> Q j t = line j t) /\ (forall t, 0 <= t < m -> D j t = speed phi j)).
  { apply (fluid_unique sw Ar 0 m Q D line (fun i _ => speed phi i) Sn (trajectory_shorten _ _ _ _ _ _ _ Hm' moves) L).
    intros j _. unfold line. ring. }
  split; intros t Ht Hu; [|apply (U i Hi); split; [lra|apply Rmin_glb_lt; lra]].
  assert (Hb : 0 <= t <= m) by (split; [lra|apply Rmin_glb; lra]).
  split; [destruct (U i Hi) as [K _]; rewrite K by auto; unfold line; ring|].
  unfold free. rewrite (sum_ext n (fun j => Q j t) (fun j => Q j 0 + t * speed phi j)).
  - rewrite sum_plus, sum_scal. change (sum n (fun i0 => speed phi i0)) with (sum n (speed phi)). rewrite (speed_sum phi is_fall). ring.
  - intros j Hj. destruct (U j Hj) as [K _]. rewrite K by auto. unfold line. ring.
Qed.

(** Of several that meet their thresholds together, those lose bytes that are the fastest for their weight. *)
Hypothesis fastest : forall i, (i < n)%nat -> burst i = true -> (r i - c i) * w k <= (r k - c k) * w i \/ t1 < meets_threshold phi i.

Theorem first_drop_switch :
  (forall i t, (i < n)%nat -> burst i = true -> 0 <= t < t1 -> t < tau -> rejected sw Ar Q D i t = 0) /\
  (t1 < tau -> drops_first_at sw Ar Q D k 0 t1 /\ free sw Q t1 = F0 - phi * t1).
Proof.
  destruct some_burst as [Hk Hkb]. pose proof t1_nonneg as H0. pose proof fall_pos as Hphi.
  assert (Before : forall i t, (i < n)%nat -> burst i = true -> 0 <= t < t1 -> t < tau -> rejected sw Ar Q D i t = 0).
  { intros i t Hi Hb Ht Hu. pose proof (offered i Hi) as O. rewrite Hb in O. unfold rejected. rewrite growing by (auto; lra).
    destruct (straight_until i Hi) as [_ K]. rewrite K by auto. unfold speed. rewrite Hb. lra. }
  split; [exact Before|]. intros Hlt. assert (EF : free sw Q t1 = F0 - phi * t1) by (apply (straight_until k Hk); lra).
  split; [|exact EF].
  assert (Line : forall i, (i < n)%nat -> Q i t1 = Q i 0 + speed phi i * t1) by (intros i Hi; apply (straight_until i Hi); lra).
  assert (Thr : forall i, threshold sw Q i t1 = threshold sw Q i 0 - w i * phi * t1) by (intros i; unfold threshold; rewrite EF; ring).
  assert (Qn : forall i, (i < n)%nat -> 0 <= Q i t1) by (intros; apply (length_nonneg _ _ _ _ _ _ moves); auto; lra).
  assert (Qk : Q k t1 = threshold sw Q k t1).
  { rewrite Line, Thr by auto. pose proof (room k Hk Hkb). unfold speed. rewrite Hkb. lra. }
  (* right after t1 all lengths are straight lines again *)
  destruct (fluid_local sw Ar t1 (tau - t1) (fun i => Q i t1)) as (d & v & Hd & L); [| | lra | |].
  { intros i Hi. destruct (positive i Hi). lra. }
  { intros i Hi. split; [rewrite constant by (auto; lra); apply rate_nonneg; auto|auto]. }
  { intros i u Hi Hu. rewrite !constant by (auto; lra). reflexivity. }
  set (m := Rmin (t1 + d) tau). assert (m <= t1 + d) by apply Rmin_l. assert (m <= tau) by apply Rmin_r.
  assert (Hm : t1 < m) by (apply Rmin_glb_lt; lra).
  assert (U : forall i, (i < n)%nat -> forall t, t1 <= t < m -> D i t = v i).
  { intros i Hi. apply (fluid_unique sw Ar t1 m Q D (fun i u => Q i t1 + v i * (u - t1)) (fun i _ => v i)); auto.
    - destruct (switch_sane t1 H0) as [G A]. split; auto. intros; apply A; auto; lra.
    - apply (trajectory_shorten sw Ar t1 tau); [lra|]. apply (trajectory_later sw Ar 0); auto.
    - apply (trajectory_shorten sw Ar t1 (t1 + d)); auto.
    - intros j _. ring. }
  assert (Rule : forall i, (i < n)%nat -> obeys sw Ar Q D i t1) by (intros; apply (length_rule _ _ _ _ _ _ moves); auto; lra).
  assert (Slope : free_slope sw D t1 = - sum n v). { unfold free_slope. f_equal. apply sum_ext. intros i Hi. apply U; auto; lra. }
  pose proof (offered k Hk) as Ok. rewrite Hkb in Ok. destruct (positive k Hk) as [Hwk Hck].
  assert (Loses : v k < r k - c k).
  { apply Rnot_le_lt. intros Hge. set (x := - sum n v) in *.
    (* then F' is so large that no burst is held back and no steady queue falls faster than before *)
    assert (Fast : r k - c k <= w k * x).
    { destruct (Rule k Hk) as (_ & _ & K). specialize (K Qk). rewrite (U k Hk t1 ltac:(lra)), growing in K by (auto; lra).
      unfold threshold_slope in K. rewrite Slope in K. apply Rnot_lt_le. intros Hx.
      pose proof (threshold_pos k t1 Hk (Rle_refl _)) as T. rewrite <- EF in T. fold (threshold sw Q k t1) in T.
      unfold clip, lowest in K. destruct (Rlt_dec 0 (Q k t1)); [|lra]. rewrite Rmin_left in K by lra.
      assert (Rmax (- c k) (w k * x) < r k - c k) by (apply Rmax_lub_lt; lra). lra. }
    assert (Hx : 0 < x). { apply Rmult_lt_reg_l with (w k); lra. }
    assert (Le : sum n (speed phi) <= sum n v).
    { apply sum_le. intros i Hi. destruct (Rule i Hi) as (K1 & K2 & K3). rewrite (U i Hi t1 ltac:(lra)) in *.
      destruct (positive i Hi) as [Hwi Hci]. pose proof (offered i Hi) as O. pose proof (start i Hi) as S.
      unfold threshold_slope in K3. rewrite Slope in K3. fold x in K3. unfold speed. destruct (burst i) eqn:Hb.
      - rewrite growing in K1, K3 by (auto; lra). pose proof (room i Hi Hb) as Ro. specialize (Line i Hi). unfold speed in Line. rewrite Hb in Line.
        pose proof (closes_pos i Hi Hb) as Cl. pose proof (earliest i Hi Hb) as Ea.
        assert (G : threshold sw Q i t1 - Q i t1 = (r i - c i + w i * phi) * (meets_threshold phi i - t1)) by (rewrite Line, Thr; lra).
        destruct (Rlt_dec t1 (meets_threshold phi i)) as [Hlt'|Hge'].
        + assert (0 < (r i - c i + w i * phi) * (meets_threshold phi i - t1)) by (apply Rmult_lt_0_compat; lra). rewrite K1 by lra. lra.
        + assert (E : meets_threshold phi i - t1 = 0) by lra. rewrite E, Rmult_0_r in G. rewrite K3 by lra.
          destruct (fastest i Hi Hb) as [Hf|Hf]; [|lra].
          assert (r i - c i <= w i * x).
          { apply Rmult_le_reg_r with (w k); auto. apply Rle_trans with (1 := Hf).
            replace (w i * x * w k) with (w k * x * w i) by ring. apply Rmult_le_compat_r; lra. }
          unfold clip. rewrite Rmin_right by lra. apply Rmax_r.
      - pose proof (threshold_pos i t1 Hi (Rle_refl _)) as T. rewrite <- EF in T. fold (threshold sw Q i t1) in T.
        specialize (Line i Hi). unfold speed in Line. rewrite Hb in Line. pose proof (Thr i) as Th.
        assert (P : 0 <= w i * phi) by (apply Rmult_le_pos; lra).
        assert (Mn : 0 <= Rmin (w i * phi) (c i)) by (apply Rmin_glb; lra).
        assert (Up : threshold sw Q i t1 <= Q i t1).
        { rewrite Line, Th, S. assert (Rmin (w i * phi) (c i) * t1 <= w i * phi * t1) by (apply Rmult_le_compat_r; [auto|apply Rmin_l]). lra. }
        destruct (Rlt_dec (threshold sw Q i t1) (Q i t1)) as [Hgt|Heq].
        + rewrite (K2 Hgt). unfold lowest. destruct (Rlt_dec 0 (Q i t1)); [|lra].
          assert (c i <= w i * phi).
          { apply Rnot_lt_le. intros Hc. rewrite Rmin_left in Line by lra. lra. }
          rewrite Rmin_right by lra. lra.
        + rewrite K3 by lra. rewrite growing by (auto; lra). unfold clip. apply Rle_trans with 0; [lra|].
          apply Rle_trans with (2 := Rmax_r _ _). apply Rmin_glb; [apply Rmult_le_pos|]; lra. }
    rewrite (speed_sum phi is_fall) in Le. unfold x in Hx. lra. }
  split; [intros t Ht; apply Before; auto; lra|].
  exists (m - t1). split; [lra|]. intros t Ht. unfold rejected. rewrite growing by (auto; lra). rewrite (U k Hk) by lra. lra.
Qed.

End Falling.

(** The rate at which F falls at time 0 is the root. *)
Theorem fall_rate_exists : (forall i, (i < n)%nat -> burst i = true -> Q i 0 < threshold sw Q i 0) ->
  (forall i, (i < n)%nat -> 0 < threshold sw Q i 0) -> exists phi, left_behind phi = inflow.
Proof.
  intros Below Pos. set (x := free_slope sw D 0). exists (- x).
  assert (Rule : forall i, (i < n)%nat -> D i 0 = if burst i then r i - c i else Rmax (- c i) (Rmin (w i * x) (r i - c i))).
  { intros i Hi. destruct (length_rule _ _ _ _ _ _ moves i 0 Hi ltac:(lra)) as (K1 & _ & K3). pose proof (offered i Hi) as O. pose proof (start i Hi) as S.
    specialize (Pos i Hi). destruct (burst i) eqn:Hb; [rewrite K1 by auto; apply growing; auto; lra|].
    rewrite (K3 S), growing by (auto; lra). unfold lowest. destruct (Rlt_dec 0 (Q i 0)); [reflexivity|lra]. }
  assert (E : x = - sum n (fun i => D i 0)) by reflexivity.
  assert (Hx : x <= 0).
  { apply Rnot_lt_le. intros H. assert (0 <= sum n (fun i => D i 0)); [|lra]. apply sum_nonneg. intros i Hi. rewrite Rule by auto.
    destruct (positive i Hi). pose proof (offered i Hi) as O. destruct (burst i); [lra|]. apply Rle_trans with (2 := Rmax_r _ _).
    apply Rmin_glb; [apply Rmult_le_pos|]; lra. }
  unfold left_behind, inflow. rewrite E at 1. rewrite Ropp_involutive, <- sum_plus. apply sum_ext. intros i Hi. rewrite Rule by auto.
  destruct (positive i Hi). pose proof (offered i Hi) as O. destruct (burst i); [lra|].
  assert (w i * x <= 0) by (assert (0 <= w i * - x) by (apply Rmult_le_pos; lra); lra).
  rewrite (Rmin_left (w i * x)) by lra. unfold Rmin, Rmax. repeat destruct (Rle_dec _ _); lra.
Qed.

(** Thresholds w_i F, bursts that begin empty: F_0 and the time in closed form; all that meet the threshold first lose bytes. *)
Theorem first_drop_weights phi k : (forall i, (i < n)%nat -> offset sw i = 0) -> 0 < buffer sw ->
  (forall i, (i < n)%nat -> burst i = true -> Q i 0 = 0) -> left_behind phi = inflow -> (k < n)%nat -> burst k = true ->
  let free0 := buffer sw / (1 + sum n (fun i => if burst i then 0 else w i)) in
  let t i := w i * free0 / (r i - c i + w i * phi) in (forall i, (i < n)%nat -> burst i = true -> t k <= t i) ->
  (forall u, 0 <= u <= t k -> u <= tau -> free sw Q u = free0 - phi * u) /\
  (forall i u, (i < n)%nat -> burst i = true -> 0 <= u < t k -> u < tau -> rejected sw Ar Q D i u = 0) /\
  (t k < tau -> drops_first_at sw Ar Q D k 0 (t k)).
Proof.
  intros Ho HB Hq Hphi Hk Hkb free0 t Hmin. set (W := sum n (fun i => if burst i then 0 else w i)) in *.
  assert (HW : 0 <= W). { apply sum_nonneg. intros i Hi. destruct (positive i Hi). destruct (burst i); lra. }
  assert (P0 : 0 < free0) by (apply Rdiv_lt_0_compat; lra).
  assert (EF : free sw Q 0 = free0).
  { assert (E : free sw Q 0 = buffer sw - free sw Q 0 * W).
    { unfold free at 1. f_equal. unfold W. rewrite <- sum_scal. apply sum_ext. intros i Hi. pose proof (start i Hi) as S.
      destruct (burst i) eqn:Hb; [rewrite Hq by auto; ring|]. rewrite S. unfold threshold. rewrite Ho by auto. ring. }
    unfold free0. apply Rmult_eq_reg_r with (1 + W); [|lra]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (Et : forall i, (i < n)%nat -> burst i = true -> meets_threshold phi i = t i).
  { intros i Hi Hb. unfold meets_threshold, t, threshold. rewrite Ho, Hq, EF by auto. f_equal. ring. }
  pose proof (fall_pos phi k Hphi (conj Hk Hkb)) as Fp.
  assert (Cl : forall i, (i < n)%nat -> burst i = true -> 0 < r i - c i + w i * phi) by (intros; apply (closes_pos phi k); auto).
  pose proof (offered k Hk) as Ok. rewrite Hkb in Ok. pose proof (Cl k Hk Hkb) as Ck. destruct (positive k Hk) as [Hwk _].
  assert (Left : free0 - phi * t k = free0 * (r k - c k) / (r k - c k + w k * phi)) by (unfold t; field; lra).
  assert (Nf : 0 < free sw Q 0 - phi * meets_threshold phi k).
  { rewrite EF, Et, Left by auto. apply Rdiv_lt_0_compat; auto. apply Rmult_lt_0_compat; lra. }
  assert (Ea : forall i, (i < n)%nat -> burst i = true -> meets_threshold phi k <= meets_threshold phi i) by (intros; rewrite !Et by auto; auto).
  assert (Of : forall i, (i < n)%nat -> 0 <= offset sw i) by (intros; rewrite Ho by auto; lra).
  destruct (first_drop_switch phi k Hphi (conj Hk Hkb) Ea Nf Of) as [Before After].
  { intros i Hi Hb. rewrite !Et by auto. destruct (Rlt_dec (t k) (t i)) as [|Hge]; [auto|left].
    assert (E : t k = t i) by (specialize (Hmin i Hi Hb); lra). pose proof (Cl i Hi Hb) as Ci.
    assert (w k * (r i - c i + w i * phi) = w i * (r k - c k + w k * phi)); [|lra].
    apply Rmult_eq_reg_r with (free0 / ((r k - c k + w k * phi) * (r i - c i + w i * phi))).
    - transitivity (t k); [unfold t; field; lra|]. rewrite E. unfold t. field. lra.
    - apply Rgt_not_eq, Rdiv_lt_0_compat; [auto|apply Rmult_lt_0_compat; auto]. }
  rewrite Et in Before, After by auto. split; [|split].
  - intros u Hu Hu'. destruct (straight_until phi k Hphi (conj Hk Hkb) Ea Nf Of k Hk) as [K _].
    rewrite Et in K by auto. rewrite <- EF. apply K; auto.
  - exact Before.
  - apply After.
Qed.

End FirstDrop.

(** One burst of rate 3 and weight 1 beside a queue of weight 2 that is offered 2, B = 9, C = 1: phi = 1, and the first drop is at 1. *)
Theorem first_drop_weights_instance :
  let sw := Switch 2 (fun i => if Nat.eq_dec i 0 then 1 else 2) (fun _ => 0) (fun _ => 1) 9 in
  let burst := fun i => if Nat.eq_dec i 0 then true else false in let r := fun i => if Nat.eq_dec i 0 then 3 else 2 in
  exists Ar Q D, (forall i t, (i < 2)%nat -> 0 <= t < 2 -> Ar i t = r i) /\ trajectory sw Ar 0 2 Q D /\
  (forall i, (i < 2)%nat -> if burst i then Q i 0 = 0 else Q i 0 = threshold sw Q i 0) /\
  left_behind sw burst 1 = inflow sw burst r /\ drops_first_at sw Ar Q D 0 0 1 /\ free sw Q 1 = 2.
Proof.
  intros sw burst r. set (Ar := fun (i : nat) (_ : R) => r i).
  destruct (fluid_exists sw Ar 0 2 (fun i => if Nat.eq_dec i 0 then 0 else 6)) as (Q & D & T & E).
  { split; intros; simpl; [destruct (Nat.eq_dec i 0); lra|]. unfold Ar, r. destruct (Nat.eq_dec i 0); lra. }
  { exists 1%nat, (fun k => 2 * INR k). simpl. repeat split; intros; try lra. assert (k = 0%nat) by lia. subst k. simpl. lra. }
  { intros i _. destruct (Nat.eq_dec i 0); lra. }
  assert (Q0 : Q 0%nat 0 = 0) by (apply E; simpl; lia). assert (Q1 : Q 1%nat 0 = 6) by (apply E; simpl; lia).
  assert (Phi : left_behind sw burst 1 = inflow sw burst r).
  { unfold left_behind, inflow, burst, r. simpl. rewrite Rmin_right by lra. lra. }
  assert (Start : forall i, (i < 2)%nat -> if burst i then Q i 0 = 0 else Q i 0 = threshold sw Q i 0).
  { intros [|[|i]] Hi; [exact Q0| |lia]. unfold burst, threshold, free. simpl. rewrite Q0, Q1. lra. }
  destruct (first_drop_weights sw burst r 2 Ar Q D) with (phi := 1) (k := 0%nat) as (K1 & K2 & K3); auto; try (simpl; lra).
  - intros i _. simpl. destruct (Nat.eq_dec i 0); lra.
  - intros i _. unfold burst, r. simpl. destruct (Nat.eq_dec i 0); lra.
  - intros i Hi. specialize (Start i Hi). destruct (burst i) eqn:Hb; [|auto]. rewrite Start.
    assert (i = 0%nat) by (unfold burst in Hb; destruct (Nat.eq_dec i 0); [auto|discriminate]). subst i. unfold threshold, free. simpl. rewrite Q0, Q1. lra.
  - intros i Hi Hb. specialize (Start i Hi). rewrite Hb in Start. exact Start.
  - simpl. lia.
  - intros i Hi Hb. unfold burst in Hb. destruct (Nat.eq_dec i 0); [subst i; lra|discriminate].
  - simpl in K1, K3. replace (1 * (9 / (1 + (0 + 0 + 2))) / (r 0%nat - 1 + 1 * 1)) with 1 in * by (unfold r; simpl; field).
    exists Ar, Q, D. split; [reflexivity|]. split; [exact T|]. split; [exact Start|]. split; [exact Phi|]. split; [apply K3; lra|].
    rewrite K1 by lra. field.
Qed.
