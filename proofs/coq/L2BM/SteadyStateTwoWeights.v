(** Bursts of one weight beside steady queues of another: M queues of weight v are offered R, N of weight w lie on their thresholds.

      [two_weights]         when the bursts first lose bytes, and what is free then, in both cases;
      [two_weights_exists]  there is such a trajectory, for all numbers;
      [abm_one_priority]    ABM with one priority: all weights are a / (M + N);
      [abm_two_priorities]  ABM with a priority for each kind: a / M and b / N.                                              *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence SteadyStateFirstDrop.
Open Scope R_scope.
Notation real := Rdefinitions.R.

Definition two_weights_switch (M N : nat) (v w B C : real) : switch :=
  Switch (M + N) (fun i => if (i <? M)%nat then v else w) (fun _ => 0) (fun _ => C) B.

(** The scenario: bursts of rate R at empty queues, the others on their thresholds and offered [Rb i], at least C. *)
Record bursts_beside (M N : nat) (v w B C R : real) (Rb : nat -> real) (tau : real) (Ar Q D : nat -> real -> real) : Prop := {
  bb_burst : forall i t, (i < M)%nat -> 0 <= t < tau -> Ar i t = R;
  bb_steady : forall i t, (M <= i < M + N)%nat -> 0 <= t < tau -> Ar i t = Rb i;
  bb_offered : forall i, (M <= i < M + N)%nat -> C <= Rb i;
  bb_empty : forall i, (i < M)%nat -> Q i 0 = 0;
  bb_threshold : forall i, (M <= i < M + N)%nat -> Q i 0 = threshold (two_weights_switch M N v w B C) Q i 0;
  bb_moves : trajectory (two_weights_switch M N v w B C) Ar 0 tau Q D
}.

Lemma sum_two M N (f g : real) : sum (M + N) (fun i => if (i <? M)%nat then f else g) = INR M * f + INR N * g.
Proof.
  rewrite sum_split. rewrite (sum_ext M _ (fun _ => f)), (sum_ext N _ (fun _ => g)), !sum_const; [reflexivity| |].
  - intros i _. destruct (Nat.ltb_spec (M + i) M); [lia|reflexivity].
  - intros i Hi. destruct (Nat.ltb_spec i M); [reflexivity|lia].
Qed.

Section TwoWeights.
Variables (M N : nat) (v w B C R : real) (Rb : nat -> real) (tau : real) (Ar Q D : nat -> real -> real).
Hypothesis M_pos : (1 <= M)%nat.
Hypothesis positive : 0 < v /\ 0 < w /\ 0 < B /\ 0 < C.
Hypotheses (overloaded : C < R) (lasts : 0 < tau).
Hypothesis scenario : bursts_beside M N v w B C R Rb tau Ar Q D.
Notation m := (INR M).
Notation n := (INR N).
Notation sw := (two_weights_switch M N v w B C).

Theorem two_weights : forall i, (i < M)%nat ->
  (w * m * (R - C) <= C * (1 + w * n) -> let t := v * B / ((R - C) * (1 + v * m + w * n)) in
     t < tau -> drops_first_at sw Ar Q D i 0 t /\ free sw Q t = B / (1 + v * m + w * n)) /\
  (C * (1 + w * n) < w * m * (R - C) -> let t := v * B / ((1 + w * n) * ((1 + v * m) * (R - C) - v * n * C)) in
     t < tau -> drops_first_at sw Ar Q D i 0 t /\ free sw Q t = (R - C) * t / v).
Proof.
  intros k Hk. destruct positive as (Hv & Hw & HB & HC). pose proof (le_INR _ _ M_pos) as Hm. simpl in Hm. pose proof (pos_INR N) as Hn.
  assert (Vm : 0 < v * m) by (apply Rmult_lt_0_compat; lra). assert (Wn : 0 <= w * n) by (apply Rmult_le_pos; lra).
  assert (Mr : 0 < m * (R - C)) by (apply Rmult_lt_0_compat; lra).
  set (burst := fun i => (i <? M)%nat). set (r := fun i => if (i <? M)%nat then R else Rb i).
  assert (Free0 : sum (M + N) (fun i => if burst i then 0 else (if (i <? M)%nat then v else w)) = w * n).
  { rewrite (sum_ext _ _ (fun i => if (i <? M)%nat then 0 else w)); [rewrite sum_two; ring|]. intros i _. unfold burst. destruct (i <? M)%nat; reflexivity. }
  assert (Main : forall phi, phi + n * Rmin (w * phi) C = m * (R - C) -> 0 < phi -> let t := v * (B / (1 + w * n)) / (R - C + v * phi) in
    t < tau -> drops_first_at sw Ar Q D k 0 t /\ free sw Q t = B / (1 + w * n) - phi * t).
  { intros phi E Hphi t Ht.
    assert (Vp : 0 < v * phi) by (apply Rmult_lt_0_compat; auto).
    assert (Hb : burst k = true) by (unfold burst; apply Nat.ltb_lt; auto).
    destruct (first_drop_weights sw burst r tau Ar Q D) with (phi := phi) (k := k) as (K1 & K2 & K3); auto.
    - intros i _. simpl. destruct (i <? M)%nat; lra.
    - intros i Hi. unfold burst, r. simpl in *. destruct (Nat.ltb_spec i M); [lra|]. apply (bb_offered _ _ _ _ _ _ _ _ _ _ _ _ scenario). lia.
    - intros i u Hi Hu. unfold r. simpl in Hi. destruct (Nat.ltb_spec i M); [apply (bb_burst _ _ _ _ _ _ _ _ _ _ _ _ scenario)|apply (bb_steady _ _ _ _ _ _ _ _ _ _ _ _ scenario)]; auto; lia.
    - intros i Hi. unfold burst. simpl in Hi. destruct (Nat.ltb_spec i M) as [c|c]; [|apply (bb_threshold _ _ _ _ _ _ _ _ _ _ _ _ scenario); lia].
      rewrite (bb_empty _ _ _ _ _ _ _ _ _ _ _ _ scenario i c).
      assert (F0 : free sw Q 0 = B - free sw Q 0 * (w * n)).
      { unfold free at 1. simpl. f_equal. rewrite <- Free0, <- sum_scal. apply sum_ext. intros j Hj. unfold burst.
        destruct (Nat.ltb_spec j M) as [e|e]; [rewrite (bb_empty _ _ _ _ _ _ _ _ _ _ _ _ scenario j e); ring|].
        rewrite (bb_threshold _ _ _ _ _ _ _ _ _ _ _ _ scenario j) by lia. unfold threshold. simpl. destruct (Nat.ltb_spec j M); [lia|ring]. }
      unfold threshold. simpl. destruct (Nat.ltb_spec i M); [|lia].
      assert (0 < free sw Q 0). { apply Rmult_lt_reg_r with (1 + w * n); lra. } assert (0 < v * free sw Q 0) by (apply Rmult_lt_0_compat; auto). lra.
    - apply (bb_moves _ _ _ _ _ _ _ _ _ _ _ _ scenario).
    - intros i Hi Hbi. apply (bb_empty _ _ _ _ _ _ _ _ _ _ _ _ scenario). apply Nat.ltb_lt. exact Hbi.
    - unfold left_behind, inflow. simpl.
      rewrite (sum_ext _ (fun i => if burst i then 0 else _) (fun i => if (i <? M)%nat then 0 else Rmin (w * phi) C)), sum_two.
      2: { intros i _. unfold burst. destruct (i <? M)%nat; reflexivity. }
      rewrite (sum_ext _ (fun i => if burst i then r i - C else 0) (fun i => if (i <? M)%nat then R - C else 0)), sum_two; [lra|].
      intros i _. unfold burst, r. destruct (i <? M)%nat; reflexivity.
    - simpl. lia.
    - intros i Hi Hbi. unfold burst in Hbi. simpl. rewrite Hbi. unfold r. rewrite Hbi. unfold burst in Hb. rewrite Hb. lra.
    - unfold burst in Hb. cbv beta zeta in K1, K3. cbn [gain service buffer ports two_weights_switch] in K1, K3. rewrite Free0 in K1, K3.
      unfold r in K1, K3. rewrite Hb in K1, K3. fold t in K1, K3. split; [apply K3; auto|]. apply K1; [|lra]. split; [|lra].
      unfold t. apply Rlt_le, Rdiv_lt_0_compat; [|lra]. apply Rmult_lt_0_compat; [auto|]. apply Rdiv_lt_0_compat; lra. }
  split; intros Hcase t Ht.
  - destruct (Main (m * (R - C) / (1 + w * n))) as [K1 K2].
    + rewrite Rmin_left; [field; lra|]. apply Rmult_le_reg_r with (1 + w * n); [lra|].
      replace (w * (m * (R - C) / (1 + w * n)) * (1 + w * n)) with (w * m * (R - C)) by (field; lra). lra.
    + apply Rdiv_lt_0_compat; lra.
    + replace (v * (B / (1 + w * n)) / (R - C + v * (m * (R - C) / (1 + w * n)))) with t; [exact Ht|]. unfold t. field. repeat split; nra.
    + replace (v * (B / (1 + w * n)) / (R - C + v * (m * (R - C) / (1 + w * n)))) with t in *; [|unfold t; field; repeat split; nra].
      split; [exact K1|]. rewrite K2. unfold t. field. repeat split; nra.
  - assert (Hphi : C < w * (m * (R - C) - n * C)) by lra.
    assert (P : 0 < m * (R - C) - n * C) by (apply Rmult_lt_reg_l with w; lra).
    assert (P2 : 0 < v * (m * (R - C) - n * C)) by (apply Rmult_lt_0_compat; auto).
    destruct (Main (m * (R - C) - n * C)) as [K1 K2].
    + rewrite Rmin_right; lra.
    + exact P.
    + replace (v * (B / (1 + w * n)) / (R - C + v * (m * (R - C) - n * C))) with t; [exact Ht|]. unfold t. field. repeat split; lra.
    + replace (v * (B / (1 + w * n)) / (R - C + v * (m * (R - C) - n * C))) with t in *; [|unfold t; field; repeat split; lra].
      split; [exact K1|]. rewrite K2. unfold t. field. repeat split; lra.
Qed.

End TwoWeights.

Theorem two_weights_exists M N v w B C R tau : 0 < v -> 0 < w -> 0 < B -> 0 < C -> C < R -> 0 < tau ->
  exists Ar Q D, bursts_beside M N v w B C R (fun _ => C) tau Ar Q D.
Proof.
  intros Hv Hw HB HC HR Ht. set (sw := two_weights_switch M N v w B C). pose proof (pos_INR N) as Hn.
  assert (Wn : 0 <= w * INR N) by (apply Rmult_le_pos; lra). set (F := B / (1 + w * INR N)).
  assert (HF : 0 < F) by (apply Rdiv_lt_0_compat; lra). assert (HwF : 0 < w * F) by (apply Rmult_lt_0_compat; auto).
  destruct (fluid_exists sw (fun i _ => if (i <? M)%nat then R else C) 0 tau (fun i => if (i <? M)%nat then 0 else w * F)) as (Q & D & T & E).
  { split; intros i; intros; simpl; destruct (i <? M)%nat; lra. }
  { exists 1%nat, (fun k => tau * INR k). simpl. repeat split; intros; try lra; try reflexivity. assert (k = 0%nat) by lia. subst k. simpl. lra. }
  { intros i _. destruct (i <? M)%nat; lra. }
  assert (EF : free sw Q 0 = F).
  { unfold free. simpl. rewrite (sum_ext _ _ (fun i => if (i <? M)%nat then 0 else w * F)) by (intros; apply E; auto).
    rewrite sum_two. unfold F. field. lra. }
  exists (fun i _ => if (i <? M)%nat then R else C), Q, D. split; [| | | | |exact T].
  - intros i t Hi _. destruct (Nat.ltb_spec i M); [reflexivity|lia].
  - intros i t Hi _. destruct (Nat.ltb_spec i M); [lia|reflexivity].
  - intros. lra.
  - intros i Hi. rewrite E by (simpl; lia). destruct (Nat.ltb_spec i M); [reflexivity|lia].
  - intros i Hi. rewrite E by (simpl; lia). fold sw. unfold threshold. rewrite EF. simpl. destruct (Nat.ltb_spec i M); [lia|ring].
Qed.

(** ** ABM, all queues at their full rate *)

Theorem abm_one_priority M N a B C R Rb tau Ar Q D : (1 <= M)%nat -> 0 < a -> 0 < B -> 0 < C -> C < R -> 0 < tau ->
  let m := INR M in let n := INR M + INR N in bursts_beside M N (a / n) (a / n) B C R Rb tau Ar Q D -> forall i, (i < M)%nat ->
  let sw := two_weights_switch M N (a / n) (a / n) B C in
  (a * m * (R - C) <= C * (n + a * INR N) -> let t := a * B / (n * (1 + a) * (R - C)) in
     t < tau -> drops_first_at sw Ar Q D i 0 t /\ free sw Q t = B / (1 + a)) /\
  (C * (n + a * INR N) < a * m * (R - C) -> let t := a * n * B / ((n + a * INR N) * ((n + a * m) * (R - C) - a * INR N * C)) in
     t < tau -> drops_first_at sw Ar Q D i 0 t /\ free sw Q t = n * (R - C) * t / a).
Proof.
  intros HM Ha HB HC HR Ht m n S i Hi sw. pose proof (le_INR _ _ HM) as Hm. simpl in Hm. fold m in Hm. pose proof (pos_INR N) as Hn.
  assert (Pn : 1 <= n) by (unfold n; fold m; lra). assert (Pan : 0 < a / n) by (apply Rdiv_lt_0_compat; lra).
  assert (aN : 0 <= a * INR N) by (apply Rmult_le_pos; lra). assert (am : 0 < a * m) by (apply Rmult_lt_0_compat; lra).
  destruct (two_weights M N (a / n) (a / n) B C R Rb tau Ar Q D HM (conj Pan (conj Pan (conj HB HC))) HR Ht S i Hi) as [K1 K2].
  fold m sw in K1, K2.
  assert (Follow : n * (a / n * m * (R - C)) = a * m * (R - C) /\ n * (C * (1 + a / n * INR N)) = C * (n + a * INR N)) by (split; field; lra).
  split; intros Hcase t Hlt.
  - assert (En : n = m + INR N) by reflexivity.
    assert (E : a / n * B / ((R - C) * (1 + a / n * m + a / n * INR N)) = t).
    { unfold t. replace (1 + a / n * m + a / n * INR N) with (1 + a) by (rewrite En; field; lra). field. lra. }
    rewrite E in K1. destruct K1 as [J1 J2]; [apply Rmult_le_reg_l with n; lra|exact Hlt|]. split; [exact J1|]. rewrite J2.
    replace (1 + a / n * m + a / n * INR N) with (1 + a) by (rewrite En; field; lra). reflexivity.
  - assert (P1 : 0 < (n + a * m) * (R - C) - a * INR N * C).
    { assert (0 < n * (R - C)) by (apply Rmult_lt_0_compat; lra). assert (0 < n * C) by (apply Rmult_lt_0_compat; lra). lra. }
    assert (E : a / n * B / ((1 + a / n * INR N) * ((1 + a / n * m) * (R - C) - a / n * INR N * C)) = t) by (unfold t; field; repeat split; lra).
    rewrite E in K2. destruct K2 as [J1 J2]; [apply Rmult_lt_reg_l with n; lra|exact Hlt|]. split; [exact J1|]. rewrite J2. field. lra.
Qed.

Theorem abm_two_priorities M N a b B C R Rb tau Ar Q D : (1 <= M)%nat -> (1 <= N)%nat -> 0 < a -> 0 < b -> 0 < B -> 0 < C -> C < R -> 0 < tau ->
  let m := INR M in let n := INR N in bursts_beside M N (a / m) (b / n) B C R Rb tau Ar Q D -> forall i, (i < M)%nat ->
  let sw := two_weights_switch M N (a / m) (b / n) B C in
  (b * m * (R - C) <= n * C * (1 + b) -> let t := a * B / (m * (1 + a + b) * (R - C)) in
     t < tau -> drops_first_at sw Ar Q D i 0 t /\ free sw Q t = B / (1 + a + b)) /\
  (n * C * (1 + b) < b * m * (R - C) -> let t := a * B / ((1 + b) * (m * (1 + a) * (R - C) - a * n * C)) in
     t < tau -> drops_first_at sw Ar Q D i 0 t /\ free sw Q t = m * (R - C) * t / a).
Proof.
  intros HM HN Ha Hb HB HC HR Ht m n S i Hi sw. pose proof (le_INR _ _ HM) as Hm. pose proof (le_INR _ _ HN) as Hn. simpl in Hm, Hn. fold m in Hm. fold n in Hn.
  assert (Pa : 0 < a / m) by (apply Rdiv_lt_0_compat; lra). assert (Pb : 0 < b / n) by (apply Rdiv_lt_0_compat; lra).
  destruct (two_weights M N (a / m) (b / n) B C R Rb tau Ar Q D HM (conj Pa (conj Pb (conj HB HC))) HR Ht S i Hi) as [K1 K2].
  fold m n sw in K1, K2.
  assert (Follow : n * (b / n * m * (R - C)) = b * m * (R - C) /\ n * (C * (1 + b / n * n)) = n * C * (1 + b)) by (split; field; lra).
  split; intros Hcase t Hlt.
  - assert (D1 : 1 + a / m * m + b / n * n = 1 + a + b) by (field; lra).
    assert (E : a / m * B / ((R - C) * (1 + a / m * m + b / n * n)) = t) by (rewrite D1; unfold t; field; lra).
    rewrite E, D1 in K1. apply K1; [apply Rmult_le_reg_l with n; lra|exact Hlt].
  - assert (P1 : 0 < m * (1 + a) * (R - C) - a * n * C).
    { assert (0 < m * (R - C)) by (apply Rmult_lt_0_compat; lra). assert (0 < n * C) by (apply Rmult_lt_0_compat; lra).
      assert (0 < a * (b * m * (R - C) - n * C * (1 + b))) by (apply Rmult_lt_0_compat; lra).
      apply Rmult_lt_reg_l with b; auto. rewrite Rmult_0_r.
      assert (0 < a * (n * C)) by (apply Rmult_lt_0_compat; lra). assert (0 < b * (m * (R - C))) by (apply Rmult_lt_0_compat; lra). lra. }
    assert (E : a / m * B / ((1 + b / n * n) * ((1 + a / m * m) * (R - C) - a / m * n * C)) = t).
    { unfold t. replace (b / n * n) with b by (field; lra). field. repeat split; try lra. }
    rewrite E in K2. destruct K2 as [J1 J2]; [apply Rmult_lt_reg_l with n; lra|exact Hlt|]. split; [exact J1|]. rewrite J2. field. lra.
Qed.
