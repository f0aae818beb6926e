(** DT/EDT paper, the introduction and Sections 3.1, 4.1 and 4.3: what Theorem 1 becomes for a small or a large alpha, and beside
    many steady ports.

      [extremes]              the drop time and the free buffer for alpha to 0 and to infinity (edt.ours.extremes);
      [alpha_efficiency]      where a larger alpha drops later;
      [larger_alpha], [large_alpha_unfair], [additional_part_stays]    the remarks on a large alpha;
      [same_restriction]      beside many steady ports a burst brings less than any share of the buffer.           *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 Theorem2 Theorem3 CountersBounds Theorem1Evolution Theorem1Statements FreeBuffer.
Open Scope R_scope.

Lemma div_lt_iff x y z : 0 < y -> (x / y < z <-> x < z * y).
Proof.
  intros H. assert (E : x / y * y = x) by (field; lra). split; intros K.
  - apply (Rmult_lt_compat_r y) in K; lra.
  - apply Rmult_lt_reg_r with y; lra.
Qed.

Lemma div_nonneg x y : 0 <= x -> 0 < y -> 0 <= x / y.
Proof. intros Hx Hy. apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat; auto. Qed.

Lemma some_whole_above x : exists k : nat, (1 <= k)%nat /\ x < INR k.
Proof.
  destruct (archimed (Rmax x 1)) as [K _]. pose proof (Rmax_l x 1). pose proof (Rmax_r x 1).
  exists (Z.to_nat (up (Rmax x 1))). assert (P : (1 < up (Rmax x 1))%Z) by (apply lt_IZR; lra). split; [lia|].
  rewrite INR_IZR_INZ, Z2Nat.id by lia. lra.
Qed.

Section Alpha.
Variables (M N : nat) (B C R : real).
Hypotheses (M_pos : (1 <= M)%nat) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R).
Notation m := (INR M).
Notation n := (INR N).
Notation r := (R - C).

Lemma slow_of_small_alpha alpha : 0 < alpha -> alpha < C / (m * r) -> slow M N alpha C R.
Proof.
  intros Ha H. pose proof (ports_ge M M_pos). apply slow_iff; auto. pose proof (an_pos N alpha Ha).
  assert (P : 0 < m * r) by (apply mul_pos; lra).
  apply (Rmult_lt_compat_r (m * r)) in H; auto. replace (C / (m * r) * (m * r)) with C in H by (field; split; lra).
  pose proof (Rmult_le_pos (alpha * n) C). lra.
Qed.

Lemma tends_0 : forall eps, 0 < eps -> exists a0, 0 < a0 /\ forall alpha, 0 < alpha < a0 ->
  Rabs (eq10_time M N alpha B C R - 0) < eps /\ Rabs (eq11_free M N alpha B C R - B) < eps.
Proof.
  intros eps He. pose proof (ports_ge M M_pos) as Hm. pose proof (pos_INR N) as Hn. set (k := m + n).
  assert (Hk : 1 <= k) by (unfold k; lra).
  assert (P1 : 0 < C / (m * r)) by (apply Rdiv_lt_0_compat; auto; apply mul_pos; lra).
  assert (P2 : 0 < eps * r / B) by (apply Rdiv_lt_0_compat; auto; apply mul_pos; lra).
  assert (P3 : 0 < eps / (B * k)) by (apply Rdiv_lt_0_compat; auto; apply mul_pos; lra).
  exists (Rmin (C / (m * r)) (Rmin (eps * r / B) (eps / (B * k)))). split; [repeat apply Rmin_pos; auto|].
  intros alpha [Ha Hlt].
  pose proof (Rmin_l (C / (m * r)) (Rmin (eps * r / B) (eps / (B * k)))). pose proof (Rmin_r (C / (m * r)) (Rmin (eps * r / B) (eps / (B * k)))).
  pose proof (Rmin_l (eps * r / B) (eps / (B * k))). pose proof (Rmin_r (eps * r / B) (eps / (B * k))).
  assert (Hs : slow M N alpha C R) by (apply slow_of_small_alpha; auto; lra).
  rewrite eq10_slow, eq11_slow by auto. unfold t_slow, F_slow. fold k.
  assert (L2 : alpha * B < eps * r).
  { assert (K : alpha < eps * r / B) by lra. apply (Rmult_lt_compat_r B) in K; auto.
    replace (eps * r / B * B) with (eps * r) in K by (field; lra). lra. }
  assert (L3 : alpha * (B * k) < eps).
  { assert (K : alpha < eps / (B * k)) by lra. apply (Rmult_lt_compat_r (B * k)) in K; [|apply mul_pos; lra].
    replace (eps / (B * k) * (B * k)) with eps in K by (field; split; lra). lra. }
  pose proof (mul_pos alpha k Ha ltac:(lra)) as Hak. pose proof (mul_pos alpha B Ha B_pos) as HaB.
  assert (Hd : 0 < (1 + alpha * k) * r) by (apply mul_pos; lra). split.
  - rewrite Rminus_0_r, Rabs_right by (apply Rle_ge, div_nonneg; lra). apply div_lt_iff; auto.
    pose proof (mul_pos (alpha * k) (eps * r) Hak ltac:(apply mul_pos; lra)). lra.
  - replace (B / (1 + alpha * k) - B) with (- (alpha * (B * k) / (1 + alpha * k))) by (field; lra).
    rewrite Rabs_Ropp, Rabs_right by (apply Rle_ge, div_nonneg; [pose proof (mul_pos (alpha * B) k); lra|lra]).
    apply div_lt_iff; [lra|]. pose proof (mul_pos eps (alpha * k)). lra.
Qed.

Lemma free_tends_infinity : forall eps, 0 < eps -> exists a0, 0 < a0 /\ forall alpha, a0 < alpha -> Rabs (eq11_free M N alpha B C R - 0) < eps.
Proof.
  intros eps He. exists (B / eps). split; [apply Rdiv_lt_0_compat; auto|]. intros alpha Hlt.
  assert (Ha : 0 < alpha) by (pose proof (Rdiv_lt_0_compat B eps); lra).
  destruct (fewest_waste_most alpha B C Ha B_pos C_pos) as (K & _). destruct (K M N R M_pos overloaded) as [[K1 K2] K3].
  rewrite Rminus_0_r, Rabs_right by lra. apply Rle_lt_trans with (B / (1 + alpha)); [lra|].
  apply div_lt_iff; [lra|]. apply (Rmult_lt_compat_r eps) in Hlt; auto. replace (B / eps * eps) with B in Hlt by (field; lra). lra.
Qed.

(** For every large alpha the bursts are slow iff M (R - C) <= N C. *)
Lemma time_tends_infinity_a : m * r <= n * C \/ N = O -> forall eps, 0 < eps -> exists a0, 0 < a0 /\ forall alpha, a0 < alpha ->
  (m * r <= n * C -> slow M N alpha C R) /\ Rabs (eq10_time M N alpha B C R - B / ((m + n) * r)) < eps.
Proof.
  intros H eps He. pose proof (ports_ge M M_pos) as Hm. pose proof (pos_INR N) as Hn. set (k := m + n).
  assert (Hk : 1 <= k) by (unfold k; lra).
  exists (B / (r * eps)). split; [apply Rdiv_lt_0_compat; auto; apply mul_pos; lra|]. intros alpha Hlt.
  assert (Ha : 0 < alpha) by (pose proof (Rdiv_lt_0_compat B (r * eps) B_pos (mul_pos r eps ltac:(lra) He)); lra).
  assert (Hs : m * r <= n * C -> slow M N alpha C R).
  { intros K. apply slow_iff; auto. pose proof (Rmult_le_compat_l alpha _ _ ltac:(lra) K). lra. }
  assert (E : eq10_time M N alpha B C R = t_slow M N alpha B C R).
  { destruct H as [H|H]; [apply eq10_slow; auto|]. destruct (slow_dec M N alpha C R) as [c|c]; [apply eq10_slow; auto|rewrite eq10_fast by auto].
    rewrite H. destruct (no_steady_ports M alpha B C R M_pos Ha overloaded) as (E1 & E2 & _). rewrite E1, E2. reflexivity. }
  split; auto. rewrite E. unfold t_slow. fold k. pose proof (mul_pos alpha k Ha ltac:(lra)) as Hak.
  replace (alpha * B / ((1 + alpha * k) * r) - B / (k * r)) with (- (B / (k * r * (1 + alpha * k)))) by (field; repeat split; lra).
  assert (Hd : 0 < k * r * (1 + alpha * k)) by (apply mul_pos; [apply mul_pos|]; lra).
  rewrite Rabs_Ropp, Rabs_right by (apply Rle_ge, div_nonneg; lra). apply div_lt_iff; auto.
  apply (Rmult_lt_compat_r (r * eps)) in Hlt; [|apply mul_pos; lra].
  replace (B / (r * eps) * (r * eps)) with B in Hlt by (field; split; lra).
  assert (P : 0 < r * eps) by (apply mul_pos; lra).
  assert (Q1 : alpha * (r * eps) <= k * (alpha * (r * eps))).
  { rewrite <- (Rmult_1_l (alpha * (r * eps))) at 1. apply Rmult_le_compat_r; auto. left. apply mul_pos; auto. }
  assert (Q2 : k * (alpha * (r * eps)) <= k * (k * (alpha * (r * eps)))).
  { apply Rmult_le_compat_l; [lra|auto]. }
  pose proof (mul_pos k (r * eps) ltac:(lra) P). lra.
Qed.

Lemma time_tends_infinity_b : n * C < m * r -> (1 <= N)%nat -> forall eps, 0 < eps -> exists a0, 0 < a0 /\ forall alpha, a0 < alpha ->
  ~ slow M N alpha C R /\ Rabs (eq10_time M N alpha B C R - 0) < eps.
Proof.
  intros H HN eps He. pose proof (ports_ge M M_pos) as Hm. pose proof (ports_ge N HN) as Hn. set (d := m * r - n * C).
  assert (Hd : 0 < d) by (unfold d; lra). pose proof (Rdiv_lt_0_compat C d C_pos Hd). pose proof (Rdiv_lt_0_compat B (d * eps) B_pos (mul_pos d eps Hd He)).
  exists (C / d + B / (d * eps)). split; [lra|]. intros alpha Hlt. assert (Ha : 0 < alpha) by lra.
  assert (L1 : C < alpha * d).
  { assert (K : C / d < alpha) by lra. apply (Rmult_lt_compat_r d) in K; auto. replace (C / d * d) with C in K by (field; lra). lra. }
  assert (L2 : B < alpha * (d * eps)).
  { assert (K : B / (d * eps) < alpha) by lra. apply (Rmult_lt_compat_r (d * eps)) in K; [|apply mul_pos; auto].
    replace (B / (d * eps) * (d * eps)) with B in K by (field; split; lra). lra. }
  assert (Hs : ~ slow M N alpha C R).
  { rewrite slow_iff; auto. unfold d in L1. lra. }
  split; auto. rewrite eq10_fast by auto. unfold t_fast.
  replace ((1 + alpha * m) * r - alpha * n * C) with (r + alpha * d) by (unfold d; ring).
  assert (P1 : 0 < alpha * d) by (apply mul_pos; auto). pose proof (mul_pos alpha n Ha ltac:(lra)) as P2.
  assert (P3 : 0 < (1 + alpha * n) * (r + alpha * d)) by (apply mul_pos; lra).
  rewrite Rminus_0_r, Rabs_right by (apply Rle_ge, div_nonneg; [left; apply mul_pos; auto|auto]). apply div_lt_iff; auto.
  assert (Q1 : alpha * (alpha * d) <= (1 + alpha * n) * (r + alpha * d)).
  { apply Rmult_le_compat; try lra. pose proof (Rmult_le_compat_l alpha 1 n). lra. }
  apply (Rmult_le_compat_l eps) in Q1; [|lra]. pose proof (Rmult_lt_compat_l alpha _ _ Ha L2). lra.
Qed.

(** edt.ours.extremes. *)
Theorem extremes :
  (forall eps, 0 < eps -> exists a0, 0 < a0 /\ forall alpha, 0 < alpha < a0 ->
     Rabs (eq10_time M N alpha B C R - 0) < eps /\ Rabs (eq11_free M N alpha B C R - B) < eps) /\
  (forall eps, 0 < eps -> exists a0, 0 < a0 /\ forall alpha, a0 < alpha -> Rabs (eq11_free M N alpha B C R - 0) < eps) /\
  (m * r <= n * C \/ N = O -> forall eps, 0 < eps -> exists a0, 0 < a0 /\ forall alpha, a0 < alpha ->
     (m * r <= n * C -> slow M N alpha C R) /\ Rabs (eq10_time M N alpha B C R - B / ((m + n) * r)) < eps) /\
  (n * C < m * r -> (1 <= N)%nat -> forall eps, 0 < eps -> exists a0, 0 < a0 /\ forall alpha, a0 < alpha ->
     ~ slow M N alpha C R /\ Rabs (eq10_time M N alpha B C R - 0) < eps).
Proof.
  split; [exact tends_0|]. split; [exact free_tends_infinity|]. split; [exact time_tends_infinity_a|exact time_tends_infinity_b].
Qed.

(** edt.sec4.3.alpha-efficiency: with R <= C (1 + N / M), or N = 0, a larger alpha drops later. *)
Theorem alpha_efficiency alpha alpha' : 0 < alpha < alpha' -> R <= C * (1 + n / m) \/ N = O ->
  eq10_time M N alpha B C R < eq10_time M N alpha' B C R.
Proof.
  intros Ha H. pose proof (ports_ge M M_pos) as Hm.
  assert (E : forall a, 0 < a -> eq10_time M N a B C R = t_slow M N a B C R).
  { intros a Ha'. destruct H as [H|H].
    - apply eq10_slow. apply slow_iff; auto. apply (Rmult_le_compat_r m) in H; [|lra].
      replace (C * (1 + n / m) * m) with (C * m + C * n) in H by (field; lra).
      assert (K : m * r <= n * C) by lra. pose proof (Rmult_le_compat_l a _ _ ltac:(lra) K). lra.
    - destruct (slow_dec M N a C R) as [c|c]; [rewrite eq10_slow by auto; auto|rewrite eq10_fast by auto].
      rewrite H. destruct (no_steady_ports M a B C R M_pos Ha' overloaded) as (E1 & E2 & _). rewrite E1, E2. reflexivity. }
  rewrite !E by lra. unfold t_slow. pose proof (pos_INR N) as Hn. set (k := m + n). assert (Hk : 0 < k) by (unfold k; lra).
  pose proof (mul_pos alpha k ltac:(lra) Hk). pose proof (mul_pos alpha' k ltac:(lra) Hk).
  apply div_lt_div; [apply mul_pos; lra|apply mul_pos; lra|].
  pose proof (Rmult_lt_compat_r (B * r) alpha alpha' ltac:(apply mul_pos; lra) ltac:(lra)). lra.
Qed.

End Alpha.

(** ** Remarks on a large alpha *)

(** edt.sec4.1.larger-alpha: with n >= 1 ports in steady state the free buffer B / (1 + alpha n) falls as alpha grows. *)
Theorem larger_alpha n B alpha alpha' : (1 <= n)%nat -> 0 < B -> 0 < alpha < alpha' ->
  B / (1 + alpha' * INR n) < B / (1 + alpha * INR n).
Proof.
  intros Hn HB Ha. pose proof (ports_ge n Hn). pose proof (Rmult_lt_compat_r (INR n) alpha alpha' ltac:(lra) ltac:(lra)).
  pose proof (mul_pos alpha (INR n) ltac:(lra) ltac:(lra)). apply div_lt_div; [lra|lra|]. apply Rmult_lt_compat_l; lra.
Qed.

(** edt.sec4.1.large-alpha-unfair: one steady port holds alpha B / (1 + alpha), which tends to B; what a second one holds when
    it meets the threshold, (R - C) t, is less than any eps for fast enough bursts. *)
Theorem large_alpha_unfair B C : 0 < B -> 0 < C -> forall eps, 0 < eps -> exists a0, 0 < a0 /\ forall alpha, a0 < alpha ->
  Rabs (alpha * B / (1 + alpha * INR 1) - B) < eps /\
  exists R0, forall R, R0 < R -> C < R -> 0 < (R - C) * eq10_time 1 1 alpha B C R < eps.
Proof.
  intros HB HC eps He. pose proof (Rdiv_lt_0_compat B eps HB He) as P. exists (2 * (B / eps)). split; [lra|]. intros alpha Hlt.
  assert (Ha : 0 < alpha) by lra.
  assert (K : 2 * B < alpha * eps).
  { apply (Rmult_lt_compat_r eps) in Hlt; auto. replace (2 * (B / eps) * eps) with (2 * B) in Hlt by (field; lra). lra. }
  simpl INR. split.
  - replace (alpha * B / (1 + alpha * 1) - B) with (- (B / (1 + alpha))) by (field; lra).
    rewrite Rabs_Ropp, Rabs_right by (apply Rle_ge, div_nonneg; lra). apply div_lt_iff; lra.
  - destruct (eq71_limit 1 1 alpha B C ltac:(lia) Ha HB HC (eps / 2) ltac:(lra)) as (R0 & H0).
    exists (Rmax R0 (C * (1 + (1 + alpha * INR 1) / (alpha * INR 1)))). intros R HR HC'.
    pose proof (Rmax_l R0 (C * (1 + (1 + alpha * INR 1) / (alpha * INR 1)))).
    pose proof (Rmax_r R0 (C * (1 + (1 + alpha * INR 1) / (alpha * INR 1)))).
    assert (Hs : ~ slow 1 1 alpha C R) by (unfold slow; lra).
    rewrite eq10_fast by auto. pose proof (t2_pos 1 1 alpha B C R ltac:(lia) Ha HB HC HC' Hs) as Tp.
    split; [apply mul_pos; lra|]. specialize (H0 R ltac:(lra)). simpl in H0.
    pose proof (Rle_abs ((R - C) * t_fast 1 1 alpha B C R - alpha * B / ((1 + alpha * 1) * (1 + alpha * 1)))) as A.
    assert (L : alpha * B / ((1 + alpha * 1) * (1 + alpha * 1)) < eps / 2).
    { apply div_lt_iff; [apply mul_pos; lra|]. pose proof (mul_pos alpha alpha Ha Ha) as P2. pose proof (mul_pos alpha eps Ha He) as P3.
      pose proof (Rmult_lt_compat_l alpha _ _ Ha K). lra. }
    lra.
Qed.

(** edt.sec4.3.alpha-infinity: with N >= 1 and R <= C (1 + N / M) EDT absorbs the part 1 / (alpha M) + N / M more than DT,
    whatever alpha is; it is more than N / M > 0, and tends to it. *)
Theorem additional_part_stays M N B C R : (1 <= M)%nat -> (1 <= N)%nat -> 0 < B -> 0 < C -> C < R -> R <= C * (1 + INR N / INR M) ->
  0 < INR N / INR M /\
  (forall alpha, 0 < alpha -> overflow M N alpha B C R = eq10_time M N alpha B C R * (1 + (1 / (alpha * INR M) + INR N / INR M)) /\
     INR N / INR M < 1 / (alpha * INR M) + INR N / INR M) /\
  (forall eps, 0 < eps -> exists a0, 0 < a0 /\ forall alpha, a0 < alpha -> Rabs (1 / (alpha * INR M) + INR N / INR M - INR N / INR M) < eps).
Proof.
  intros HM HN HB HC HR H. pose proof (ports_ge M HM) as Hm. pose proof (ports_ge N HN) as Hn.
  split; [apply Rdiv_lt_0_compat; lra|]. split.
  - intros alpha Ha. assert (P : 0 < 1 / (alpha * INR M)) by (apply Rdiv_lt_0_compat; [lra|apply mul_pos; lra]). split; [|lra].
    apply (edt_absorbs_more M N alpha B C R HM Ha HB HC HR). apply slow_iff; auto.
    apply (Rmult_le_compat_r (INR M)) in H; [|lra]. replace (C * (1 + INR N / INR M) * INR M) with (C * INR M + C * INR N) in H by (field; lra).
    assert (K : INR M * (R - C) <= INR N * C) by lra. pose proof (Rmult_le_compat_l alpha _ _ ltac:(lra) K). lra.
  - intros eps He. exists (1 / (eps * INR M)). split; [apply Rdiv_lt_0_compat; [lra|apply mul_pos; lra]|]. intros alpha Hlt.
    assert (Ha : 0 < alpha) by (pose proof (Rdiv_lt_0_compat 1 (eps * INR M) ltac:(lra) (mul_pos eps (INR M) He ltac:(lra))); lra).
    replace (1 / (alpha * INR M) + INR N / INR M - INR N / INR M) with (1 / (alpha * INR M)) by ring.
    rewrite Rabs_right by (apply Rle_ge, div_nonneg; [lra|apply mul_pos; lra]). apply div_lt_iff; [apply mul_pos; lra|].
    apply (div_lt_iff 1 (eps * INR M) alpha) in Hlt; [lra|apply mul_pos; lra].
Qed.

(** ** Beside many steady ports (edt.intro.same-restriction) *)

(** With n ports in steady state each holds alpha B / (1 + alpha n) < B / n.  If R >= q C with q > 1, what a burst brings until
    its port first drops, R t, is less than any share of B for every large enough number N of steady ports. *)
Theorem same_restriction alpha : 0 < alpha ->
  (forall n B, (1 <= n)%nat -> 0 < B -> alpha * B / (1 + alpha * INR n) < B / INR n) /\
  (forall q eps, 1 < q -> 0 < eps -> exists n0, forall M N B C R, (1 <= M)%nat -> (n0 <= N)%nat -> 0 < B -> 0 < C -> q * C <= R ->
     R * eq10_time M N alpha B C R < eps * B).
Proof.
  intros Ha. split.
  - intros n B Hn HB. pose proof (ports_ge n Hn). pose proof (mul_pos alpha (INR n) Ha ltac:(lra)). apply div_lt_div; lra.
  - intros q eps Hq He. destruct (some_whole_above (q / ((q - 1) * eps))) as (n0 & _ & Hn0). exists n0. intros M N B C R HM HN HB HC HR.
    assert (HR' : C < R) by (pose proof (mul_pos (q - 1) C); lra).
    pose proof (le_INR _ _ HN) as HNR. pose proof (ports_ge M HM) as Hm.
    assert (Pq : 0 < (q - 1) * eps) by (apply mul_pos; lra).
    assert (Big : q < INR N * ((q - 1) * eps)).
    { assert (K : q / ((q - 1) * eps) < INR N) by lra. apply div_lt_iff in K; auto. }
    assert (Time : (R - C) * eq10_time M N alpha B C R <= alpha * F_slow M N alpha B).
    { destruct (slow_dec M N alpha C R) as [c|c].
      - rewrite eq10_slow by auto. pose proof (am_pos M alpha HM Ha). pose proof (an_pos N alpha Ha). right. unfold t_slow, F_slow. field. repeat split; lra.
      - rewrite eq10_fast by auto. destruct (F_fast_below_F_slow M N alpha B C R HM Ha HB HC HR' c) as [_ K].
        assert (E : (R - C) * t_fast M N alpha B C R = alpha * F_fast M N alpha B C R) by (unfold t_fast, F_fast, Rdiv; ring).
        rewrite E. apply Rmult_le_compat_l; lra. }
    assert (Share : alpha * F_slow M N alpha B * INR N < B).
    { pose proof (an_pos N alpha Ha). pose proof (am_pos M alpha HM Ha). unfold F_slow.
      replace (alpha * (B / (1 + alpha * (INR M + INR N))) * INR N) with (B * (alpha * INR N) / (1 + alpha * (INR M + INR N))) by (unfold Rdiv; ring).
      apply div_lt_iff; [lra|]. apply Rmult_lt_compat_l; lra. }
    (* R <= q / (q - 1) (R - C) *)
    assert (Ratio : (q - 1) * R <= q * (R - C)) by lra.
    set (t := eq10_time M N alpha B C R) in *.
    assert (Tp : 0 < t).
    { unfold t. destruct (slow_dec M N alpha C R) as [c|c]; [rewrite eq10_slow by auto; apply t1_pos; auto|rewrite eq10_fast by auto; apply t2_pos; auto]. }
    assert (Np : 0 < INR N) by (apply Rnot_le_lt; intros c; pose proof (pos_INR N); replace (INR N) with 0 in Big by lra; lra).
    assert (S1 : (q - 1) * R * t <= q * ((R - C) * t)).
    { replace (q * ((R - C) * t)) with (q * (R - C) * t) by ring. apply Rmult_le_compat_r; lra. }
    assert (S2 : q * ((R - C) * t) * INR N < q * B).
    { apply Rle_lt_trans with (q * (alpha * F_slow M N alpha B) * INR N).
      - apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; lra.
      - replace (q * (alpha * F_slow M N alpha B) * INR N) with (q * (alpha * F_slow M N alpha B * INR N)) by ring.
        apply Rmult_lt_compat_l; lra. }
    assert (S3 : (q - 1) * R * t * INR N < INR N * ((q - 1) * eps) * B).
    { apply Rle_lt_trans with (q * ((R - C) * t) * INR N); [apply Rmult_le_compat_r; lra|].
      apply Rlt_trans with (q * B); [exact S2|]. apply Rmult_lt_compat_r; auto. }
    apply Rmult_lt_reg_l with (INR N * (q - 1)); [apply mul_pos; lra|]. lra.
Qed.
