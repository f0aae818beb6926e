(** The counting number of EDT for bursts of different rates that begin together: Rule 2 with (R_i - C) / (R_k - C) <= rho.

      [ratio_number]   4 alpha rho B / (1 + alpha + rho (1 + alpha (P - 1)))^2 is at most alpha B / ((1 + alpha N) (1 + alpha + alpha (M - 1) rho))
                       for all M >= 1, N >= 0 with M + N <= P; for rho = 1 it is (73);
      [ratio_rule2]    a burst that is controlled grows by so much before it loses anything, whatever the policy does with the others.   *)
Require Import Reals Lra Lia Bool.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds Theorem5.
Open Scope R_scope.

Lemma sum_one_other M k a b : (k < M)%nat -> sum M (fun i => if (i =? k)%nat then a else b) = a + (INR M - 1) * b.
Proof.
  intros Hk. induction M as [|m IH]; [lia|]. rewrite S_INR. simpl. destruct (Nat.eqb_spec m k) as [->|c].
  - rewrite (sum_ext k _ (fun _ => b)) by (intros i Hi; destruct (Nat.eqb_spec i k); [lia|reflexivity]). rewrite sum_const. lra.
  - rewrite IH by lia. lra.
Qed.

Section Number.
Variables (M N P : nat) (alpha B rho : real).
Hypotheses (M_pos : (1 <= M)%nat) (fits : (M + N <= P)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (rho_pos : 0 < rho).

Theorem ratio_number :
  4 * alpha * rho * B / (1 + alpha + rho * (1 + alpha * (INR P - 1))) ^ 2 <= alpha * B / ((1 + alpha * INR N) * (1 + alpha + alpha * (INR M - 1) * rho)).
Proof.
  pose proof (ports_ge M M_pos) as Hm. pose proof (pos_INR N) as Hn. pose proof (le_INR _ _ fits) as Hp. rewrite plus_INR in Hp.
  set (u := 1 + alpha * INR N). set (w := 1 + alpha + alpha * (INR M - 1) * rho). set (x := 1 + alpha + rho * (1 + alpha * (INR P - 1))).
  assert (Up : 0 < u) by (unfold u; pose proof (Rmult_le_pos alpha (INR N) ltac:(lra) Hn); lra).
  assert (Wp : 0 < w) by (unfold w; pose proof (Rmult_le_pos (alpha * (INR M - 1)) rho ltac:(apply Rmult_le_pos; lra) ltac:(lra)); lra).
  assert (Sum : rho * u + w <= x).
  { unfold u, w, x. pose proof (Rmult_le_pos (rho * alpha) (INR P - INR M - INR N) ltac:(apply Rmult_le_pos; lra) ltac:(lra)). lra. }
  assert (Rup : 0 < rho * u) by (apply Rmult_lt_0_compat; auto).
  assert (Sq : 4 * (rho * u) * w <= x ^ 2).
  { apply Rle_trans with ((rho * u + w) ^ 2).
    - pose proof (Rle_0_sqr (rho * u - w)). unfold Rsqr in *. simpl. lra.
    - apply pow_incr. lra. }
  assert (X2 : 0 < x ^ 2) by (apply pow_lt; lra).
  apply Rmult_le_reg_r with (x ^ 2 * (u * w)); [apply Rmult_lt_0_compat; [exact X2|apply Rmult_lt_0_compat; auto]|].
  replace (4 * alpha * rho * B / x ^ 2 * (x ^ 2 * (u * w))) with (alpha * B * (4 * (rho * u) * w)) by (field; lra).
  replace (alpha * B / (u * w) * (x ^ 2 * (u * w))) with (alpha * B * x ^ 2) by (field; lra).
  apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|exact Sq].
Qed.

End Number.

(** For rho = 1 it is (73). *)
Theorem ratio_one P alpha B : 0 < alpha -> 4 * alpha * 1 * B / (1 + alpha + 1 * (1 + alpha * (INR P - 1))) ^ 2 = 4 * alpha * B / (2 + alpha * INR P) ^ 2.
Proof. intros _. f_equal; [ring|f_equal; ring]. Qed.

(** M bursts that begin together at empty ports beside N steady ones that are treated alike; burst k is offered C + r, the others at
    most C + rho r.  Burst k and the steady ports are controlled until tau; of the others nothing is known but that no port admits
    more than comes, or sends more than C. *)
Record mixed_bursts (M N Z k : nat) (alpha B C r rho tau : real) (Ar Q D : nat -> real -> real) : Prop := {
  mix_nonneg : forall i t, (i < M + N + Z)%nat -> 0 <= t <= tau -> 0 <= Q i t;
  mix_continuous : forall i, (i < M + N + Z)%nat -> continuous_on (Q i) 0 tau;
  mix_slope : forall i t, (i < M + N + Z)%nat -> 0 <= t < tau -> right_derivative (Q i) t (D i t);
  mix_bounds : forall i t, (i < M + N + Z)%nat -> 0 <= t < tau ->
    lowest (dt_switch (M + N + Z) alpha B C) i (Q i t) <= D i t <= highest (dt_switch (M + N + Z) alpha B C) Ar i (Q i t) t;
  mix_start : forall i, (i < M)%nat -> Q i 0 = 0;
  mix_steady : forall i, (M <= i < M + N)%nat -> Q i 0 = alpha * B / (1 + alpha * INR N);
  mix_alike : forall i t, (M <= i < M + N)%nat -> 0 <= t <= tau -> Q i t = Q M t;
  mix_others : forall i t, (M + N <= i < M + N + Z)%nat -> 0 <= t <= tau -> Q i t = 0;
  mix_rate : forall t, 0 <= t < tau -> Ar k t = C + r;
  mix_rates : forall i t, (i < M)%nat -> 0 <= t < tau -> Ar i t <= C + rho * r;
  mix_controlled : forall i t, (i = k \/ M <= i < M + N)%nat -> 0 <= t < tau -> obeys (dt_switch (M + N + Z) alpha B C) Ar Q D i t
}.

Section Rule2.
Variables (M N Z k : nat) (alpha B C r rho tau : real) (Ar Q D : nat -> real -> real).
Hypotheses (k_burst : (k < M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (r_pos : 0 < r) (rho_ge : 1 <= rho).
Hypothesis tau_nonneg : 0 <= tau.
Hypothesis run : mixed_bursts M N Z k alpha B C r rho tau Ar Q D.
Notation sw := (dt_switch (M + N + Z) alpha B C).
Notation m := (INR M).
Notation n := (INR N).
Notation V0 := (alpha * B / (1 + alpha * n)).

Lemma sum_parts f : sum (M + N + Z) f = sum M f + sum N (fun i => f (M + i)%nat) + sum Z (fun i => f (M + N + i)%nat).
Proof. rewrite sum_split, sum_split. reflexivity. Qed.

Lemma an_ge : 0 <= alpha * n.
Proof. apply Rmult_le_pos; [lra|apply pos_INR]. Qed.

Lemma empty_grows i t : (i < M + N + Z)%nat -> 0 <= t < tau -> Q i t = 0 -> 0 <= D i t.
Proof.
  intros Hi Ht E. destruct (mix_bounds _ _ _ _ _ _ _ _ _ _ _ _ _ run i t Hi Ht) as [B1 _]. unfold lowest in B1. simpl in B1. rewrite E in B1.
  destruct (Rlt_dec 0 0); [lra|]. pose proof (Rmax_l 0 (- C)). lra.
Qed.

(** The steady queues never hold more than at first. *)
Lemma steady_at_most t : (1 <= N)%nat -> 0 <= t <= tau -> Q M t <= V0.
Proof.
  intros HN Ht. pose proof an_ge as Han. assert (HM : (M < M + N + Z)%nat) by lia.
  set (g := fun u => Q M u - V0).
  assert (K : Rmax (g t) 0 <= Rmax (g 0) 0).
  { apply (nonincreasing 0 t (fun u => Rmax (g u) 0) (fun u => max_slope (g u) 0 (D M u) 0)); [lra| |].
    - apply continuous_max; [|apply continuous_const]. apply continuous_minus; [|apply continuous_const].
      apply (continuous_sub 0 tau); [lra|lra|]. apply (mix_continuous _ _ _ _ _ _ _ _ _ _ _ _ _ run). auto.
    - intros u Hu. split.
      + apply (rd_max u g (fun _ => 0)); [|apply rd_const]. eapply rd_eq; [apply rd_minus; [|apply rd_const]|apply Rminus_0_r].
        apply (mix_slope _ _ _ _ _ _ _ _ _ _ _ _ _ run); [auto|lra].
      + assert (Rest : 0 <= g u -> D M u <= 0).
        { intros Hg. unfold g in Hg. apply Rnot_lt_le. intros Dp.
          assert (Hu' : 0 <= u < tau) by lra.
          destruct (mix_controlled _ _ _ _ _ _ _ _ _ _ _ _ _ run M u ltac:(lia) Hu') as (_ & Above & On).
          unfold threshold in *. simpl in *. rewrite Rplus_0_l in *.
          assert (Low : lowest sw M (Q M u) <= 0) by (unfold lowest; simpl; destruct (Rlt_dec 0 (Q M u)); [lra|apply Rmax_lub; lra]).
          destruct (Rlt_dec (alpha * free sw Q u) (Q M u)) as [c|c]; [rewrite (Above c) in Dp; lra|].
          assert (Ef : free sw Q u = B - sum M (fun i => Q i u) - n * Q M u).
          { unfold free. simpl. rewrite sum_parts, (sum_ext N _ (fun _ => Q M u)), (sum_zero Z), sum_const; [ring| |].
            - intros i Hi. apply (mix_others _ _ _ _ _ _ _ _ _ _ _ _ _ run); [lia|lra].
            - intros i Hi. apply (mix_alike _ _ _ _ _ _ _ _ _ _ _ _ _ run); [lia|lra]. }
          assert (Sp : 0 <= sum M (fun i => Q i u)) by (apply sum_nonneg; intros i Hi; apply (mix_nonneg _ _ _ _ _ _ _ _ _ _ _ _ _ run); [lia|lra]).
          assert (EV : (1 + alpha * n) * V0 = alpha * B) by (field; lra).
          pose proof (Rmult_le_compat_l alpha _ _ ltac:(lra) Sp) as Sa. rewrite Rmult_0_r in Sa. rewrite Ef in c.
          pose proof (Rmult_le_compat_l (1 + alpha * n) V0 (Q M u) ltac:(lra) ltac:(lra)) as Hv.
          assert (S0 : sum M (fun i => Q i u) = 0) by (apply Rmult_eq_reg_l with alpha; lra).
          assert (E0 : Q M u = alpha * free sw Q u) by (rewrite Ef, S0; lra).
          rewrite (On E0) in Dp. unfold clip, threshold_slope in Dp. simpl in Dp.
          assert (Fall : free_slope sw D u < 0).
          { unfold free_slope. simpl. rewrite sum_parts.
            assert (S1 : 0 <= sum M (fun i => D i u)).
            { apply sum_nonneg. intros i Hi. apply empty_grows; [lia|auto|].
              pose proof (sum_term_le M (fun i => Q i u) i ltac:(intros j Hj; apply (mix_nonneg _ _ _ _ _ _ _ _ _ _ _ _ _ run); [lia|lra]) Hi).
              pose proof (mix_nonneg _ _ _ _ _ _ _ _ _ _ _ _ _ run i u ltac:(lia) ltac:(lra)). simpl in *. lra. }
            assert (S3 : 0 <= sum Z (fun i => D (M + N + i)%nat u)).
            { apply sum_nonneg. intros i Hi. apply empty_grows; [lia|auto|]. apply (mix_others _ _ _ _ _ _ _ _ _ _ _ _ _ run); [lia|lra]. }
            assert (S2 : sum N (fun i => D (M + i)%nat u) = n * D M u).
            { rewrite (sum_ext N _ (fun _ => D M u)); [apply sum_const|]. intros i Hi. apply (rd_unique u (Q (M + i)%nat)).
              - apply (mix_slope _ _ _ _ _ _ _ _ _ _ _ _ _ run); [lia|auto].
              - apply rd_ext with (Q M); [|apply (mix_slope _ _ _ _ _ _ _ _ _ _ _ _ _ run); [lia|auto]].
                exists (tau - u). split; [lra|]. intros h Hh. apply (mix_alike _ _ _ _ _ _ _ _ _ _ _ _ _ run); [lia|lra]. }
            pose proof (ports_ge N HN). rewrite S2, (On E0). unfold clip, threshold_slope. simpl.
            pose proof (Rmult_lt_0_compat n _ ltac:(lra) Dp). simpl in *. lra. }
          pose proof (Rmult_lt_compat_l alpha _ _ alpha_pos Fall) as Fa. rewrite Rmult_0_r in Fa.
          pose proof (Rmin_l (alpha * free_slope sw D u) (highest sw Ar M (Q M u) u)).
          assert (Rmax (lowest sw M (Q M u)) (Rmin (alpha * free_slope sw D u) (highest sw Ar M (Q M u) u)) <= 0); [apply Rmax_lub; lra|lra]. }
        unfold max_slope. destruct (Rlt_dec 0 (g u)); [apply Rest; lra|]. destruct (Rlt_dec (g u) 0); [lra|].
        apply Rmax_lub; [apply Rest; lra|lra]. }
  assert (G0 : g 0 = 0).
  { unfold g. rewrite (mix_steady _ _ _ _ _ _ _ _ _ _ _ _ _ run) by lia. ring. }
  rewrite G0, (Rmax_left 0 0) in K by lra. pose proof (Rmax_l (g t) 0). unfold g in *. lra.
Qed.

(** No burst grows faster than what is more than C. *)
Lemma burst_at_most i x t : (i < M)%nat -> 0 <= x -> (forall u, 0 <= u < tau -> Ar i u <= C + x) -> 0 <= t <= tau -> Q i t <= x * t.
Proof.
  intros Hi Hx Ha Ht.
  assert (K : Q i t - (x * t + 0) <= Q i 0 - (x * 0 + 0)).
  { apply (nonincreasing 0 t (fun u => Q i u - (x * u + 0)) (fun u => D i u - x)); [lra| |].
    - apply continuous_minus; [|apply continuous_linear]. apply (continuous_sub 0 tau); [lra|lra|].
      apply (mix_continuous _ _ _ _ _ _ _ _ _ _ _ _ _ run). lia.
    - intros u Hu. split.
      + apply rd_minus; [|apply rd_linear]. apply (mix_slope _ _ _ _ _ _ _ _ _ _ _ _ _ run); [lia|lra].
      + destruct (mix_bounds _ _ _ _ _ _ _ _ _ _ _ _ _ run i u ltac:(lia) ltac:(lra)) as [_ B2]. unfold highest in B2. simpl in B2.
        pose proof (Ha u ltac:(lra)). destruct (Rlt_dec 0 (Q i u)); [lra|].
        pose proof (Rmax_lub 0 (Ar i u - C) x ltac:(lra) ltac:(lra)). lra. }
  rewrite (mix_start _ _ _ _ _ _ _ _ _ _ _ _ _ run i Hi) in K. lra.
Qed.

Theorem ratio_rule2 P cn2 : (M + N <= P)%nat -> cn2 <= 4 * alpha * rho * B / (1 + alpha + rho * (1 + alpha * (INR P - 1))) ^ 2 -> r * tau <= cn2 ->
  (forall t, 0 <= t <= tau -> Q k t = r * t) /\ (forall t, 0 <= t < tau -> rejected sw Ar Q D k t = 0).
Proof.
  intros HP Hc Htau. pose proof an_ge as Han. pose proof (ports_ge M ltac:(lia)) as Hm.
  pose proof (ratio_number M N P alpha B rho ltac:(lia) HP alpha_pos B_pos ltac:(lra)) as Num.
  set (w := 1 + alpha + alpha * (m - 1) * rho) in *.
  assert (Wp : 0 < w) by (unfold w; pose proof (Rmult_le_pos (alpha * (m - 1)) rho ltac:(apply Rmult_le_pos; lra) ltac:(lra)); lra).
  assert (Below : forall t, 0 <= t < tau -> Q k t < alpha * free sw Q t).
  { intros t Ht. pose proof (burst_at_most k r t k_burst ltac:(lra) ltac:(intros u Hu; rewrite (mix_rate _ _ _ _ _ _ _ _ _ _ _ _ _ run u Hu); lra) ltac:(lra)) as Qk.
    assert (Sb : sum M (fun i => Q i t) <= r * t + (m - 1) * (rho * r * t)).
    { rewrite <- (sum_one_other M k (r * t) (rho * r * t) k_burst). apply sum_le. intros i Hi. destruct (Nat.eqb_spec i k) as [->|c]; [exact Qk|].
      apply burst_at_most; [auto|apply Rmult_le_pos; lra| |lra]. intros u Hu. apply (mix_rates _ _ _ _ _ _ _ _ _ _ _ _ _ run); auto. }
    assert (Sn : sum N (fun i => Q (M + i)%nat t) <= n * V0).
    { rewrite <- sum_const. apply sum_le. intros i Hi. rewrite (mix_alike _ _ _ _ _ _ _ _ _ _ _ _ _ run) by (lia || lra). apply steady_at_most; [lia|lra]. }
    assert (Ef : B - (r * t + (m - 1) * (rho * r * t)) - n * V0 <= free sw Q t).
    { unfold free. simpl. rewrite sum_parts, (sum_zero Z); [lra|]. intros i Hi. apply (mix_others _ _ _ _ _ _ _ _ _ _ _ _ _ run); [lia|lra]. }
    pose proof (Rmult_le_compat_l alpha _ _ ltac:(lra) Ef) as Ea.
    assert (EV : alpha * (B - (r * t + (m - 1) * (rho * r * t)) - n * V0) = V0 - (w - 1) * (r * t)) by (unfold w; field; lra).
    assert (Strict : r * t < alpha * B / ((1 + alpha * n) * w)) by (pose proof (Rmult_lt_compat_l r t tau r_pos ltac:(lra)); lra).
    apply (Rmult_lt_compat_l w) in Strict; [|auto]. replace (w * (alpha * B / ((1 + alpha * n) * w))) with V0 in Strict by (field; lra). lra. }
  assert (Dk : forall t, 0 <= t < tau -> D k t = r /\ rejected sw Ar Q D k t = 0).
  { intros t Ht. destruct (mix_controlled _ _ _ _ _ _ _ _ _ _ _ _ _ run k t ltac:(lia) Ht) as (Bel & _ & _). unfold threshold in Bel. simpl in Bel.
    rewrite Rplus_0_l in Bel. specialize (Bel (Below t Ht)). unfold rejected. rewrite Bel. split; [|ring].
    unfold highest. simpl. rewrite (mix_rate _ _ _ _ _ _ _ _ _ _ _ _ _ run t Ht). destruct (Rlt_dec 0 (Q k t)); [ring|]. rewrite Rmax_right; lra. }
  split; [|intros t Ht; apply Dk; auto]. intros t Ht. apply Rle_antisym.
  - apply burst_at_most; [auto|lra| |lra]. intros u Hu. rewrite (mix_rate _ _ _ _ _ _ _ _ _ _ _ _ _ run u Hu). lra.
  - assert (K : r * t + 0 - Q k t <= r * 0 + 0 - Q k 0).
    { apply (nonincreasing 0 t (fun u => r * u + 0 - Q k u) (fun u => r - D k u)); [lra| |].
      - apply continuous_minus; [apply continuous_linear|]. apply (continuous_sub 0 tau); [lra|lra|].
        apply (mix_continuous _ _ _ _ _ _ _ _ _ _ _ _ _ run). lia.
      - intros u Hu. split.
        + apply rd_minus; [apply rd_linear|]. apply (mix_slope _ _ _ _ _ _ _ _ _ _ _ _ _ run); [lia|lra].
        + destruct (Dk u ltac:(lra)). lra. }
    rewrite (mix_start _ _ _ _ _ _ _ _ _ _ _ _ _ run k k_burst) in K. lra.
Qed.

End Rule2.

(** One burst of rate 2 beside a steady port, with alpha = 1, B = 6, C = 1, for 1 s: cn_2 = 3/2 for P = 2 and rho = 1. *)
Theorem ratio_rule2_instance : exists Ar Q D, mixed_bursts 1 1 0 0 1 6 1 1 1 1 Ar Q D.
Proof.
  destruct theorem5_instance as (_ & _ & _ & Ar & Q & D & [_ [A1 A2 A3] [S1 S2 S3] T _]).
  exists Ar, Q, D.
  assert (Sane : sane (dt_switch 2 1 6 1) Ar 0 1).
  { split; simpl; [intros; lra|]. intros i t Hi Ht. destruct (Nat.lt_ge_cases i 1); [rewrite A1 by (lia || lra); lra|]. specialize (A2 i t ltac:(lia) ltac:(lra)). lra. }
  split.
  - intros i t Hi Ht. apply (length_nonneg _ _ _ _ _ _ T); auto.
  - intros i Hi. apply (length_continuous _ _ _ _ _ _ T); auto.
  - intros i t Hi Ht. apply (length_slope _ _ _ _ _ _ T); auto.
  - intros i t Hi Ht. apply rate_bounds; [apply Sane; auto|apply (length_rule _ _ _ _ _ _ T); auto].
  - intros i Hi. apply S1. lia.
  - intros i Hi. assert (i = 1%nat) by lia. subst i. specialize (S2 1%nat ltac:(lia)). specialize (S1 0%nat ltac:(lia)).
    unfold threshold, free in S2. simpl in *. rewrite S1 in S2. lra.
  - intros i t Hi Ht. replace i with 1%nat by lia. reflexivity.
  - intros i t Hi. lia.
  - intros t Ht. rewrite A1 by (lia || lra). lra.
  - intros i t Hi Ht. rewrite A1 by (lia || lra). lra.
  - intros i t Hi Ht. apply (length_rule _ _ _ _ _ _ T); [simpl; lia|auto].
Qed.
