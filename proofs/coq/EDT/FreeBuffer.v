(** DT/EDT paper, the abstract and Section 3.1: what one more port does to the free buffer at the first drop of Theorem 1.

      [free_buffer_monotone]   one more burst lowers it; one more steady port raises it exactly where the ledger's
                               edt.ours.free-buffer-monotone says, and some rate does this iff alpha^2 M N > 1 + alpha (N + 1);
      [fewest_waste_most]      it is largest with one overloaded port;
      [continuity]             the cases (a) and (b), and the steps of (14) and (31), agree at their common bound;
      [extremes]               the limits for alpha to 0 and to infinity.

    [eq10_time] and [eq11_free] are (10) and (11), the drop time and the free buffer of theorem [theorem1].       *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 Theorem2 Theorem3 CountersBounds Theorem1Statements.
Open Scope R_scope.

Lemma eq11_slow M N alpha B C R : slow M N alpha C R -> eq11_free M N alpha B C R = F_slow M N alpha B.
Proof. intros H. unfold eq11_free. destruct (Rle_dec R _) as [|c]; [auto|contradiction]. Qed.

Lemma eq11_fast M N alpha B C R : ~ slow M N alpha C R -> eq11_free M N alpha B C R = F_fast M N alpha B C R.
Proof. intros H. unfold eq11_free. destruct (Rle_dec R _) as [c|]; [contradiction|auto]. Qed.

Lemma eq10_slow M N alpha B C R : slow M N alpha C R -> eq10_time M N alpha B C R = t_slow M N alpha B C R.
Proof. intros H. unfold eq10_time. destruct (Rle_dec R _) as [|c]; [auto|contradiction]. Qed.

Lemma eq10_fast M N alpha B C R : ~ slow M N alpha C R -> eq10_time M N alpha B C R = t_fast M N alpha B C R.
Proof. intros H. unfold eq10_time. destruct (Rle_dec R _) as [c|]; [contradiction|auto]. Qed.

Lemma slow_dec M N alpha C R : slow M N alpha C R \/ ~ slow M N alpha C R.
Proof. unfold slow. destruct (Rle_dec R (C * (1 + (1 + alpha * INR N) / (alpha * INR M)))); auto. Qed.

(** The sign of x / u - y / v. *)
Lemma compare_fractions x u y v : 0 < u -> 0 < v ->
  (x / u < y / v <-> x * v < y * u) /\ (x / u = y / v <-> x * v = y * u) /\ (y / v < x / u <-> y * u < x * v).
Proof.
  intros Hu Hv.
  assert (E1 : x / u * (u * v) = x * v) by (field; lra). assert (E2 : y / v * (u * v) = y * u) by (field; lra).
  assert (P : 0 < u * v) by (apply mul_pos; auto).
  repeat split; intros H.
  - apply (Rmult_lt_compat_r (u * v)) in H; lra.
  - apply Rmult_lt_reg_r with (u * v); lra.
  - rewrite <- E1, <- E2, H. reflexivity.
  - apply Rmult_eq_reg_r with (u * v); lra.
  - apply (Rmult_lt_compat_r (u * v)) in H; lra.
  - apply Rmult_lt_reg_r with (u * v); lra.
Qed.

(** ** Every R > C is in exactly one of the cases, and both occur (edt.sec3.1.two-cases) *)

Theorem two_cases M N alpha C : (1 <= M)%nat -> 0 < alpha -> 0 < C ->
  (forall R, C < R -> (slow M N alpha C R /\ ~ C * (1 + (1 + alpha * INR N) / (alpha * INR M)) < R) \/
                      (~ slow M N alpha C R /\ C * (1 + (1 + alpha * INR N) / (alpha * INR M)) < R)) /\
  (exists R, C < R /\ slow M N alpha C R) /\ (exists R, C < R /\ ~ slow M N alpha C R).
Proof.
  intros HM Ha HC. pose proof (am_pos M alpha HM Ha). pose proof (an_pos N alpha Ha). unfold slow.
  set (b := C * (1 + (1 + alpha * INR N) / (alpha * INR M))).
  assert (Hb : C < b).
  { assert (0 < (1 + alpha * INR N) / (alpha * INR M)) by (apply Rdiv_lt_0_compat; lra).
    pose proof (mul_pos C _ HC H1). unfold b. lra. }
  split; [|split].
  - intros R HR. destruct (Rle_dec R b); [left|right]; split; lra.
  - exists b. lra.
  - exists (b + 1). lra.
Qed.

(** ** The free buffer is positive, and largest with one overloaded port *)

Lemma F_fast_below_F_slow M N alpha B C R : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R -> ~ slow M N alpha C R ->
  0 < F_fast M N alpha B C R <= F_slow M N alpha B.
Proof.
  intros HM Ha HB HC HR H. pose proof (am_pos M alpha HM Ha) as Ham. pose proof (an_pos N alpha Ha) as Han.
  pose proof (fast_iff M N alpha C R HM Ha H) as Hf. pose proof (fast_den M N alpha C R HM Ha HC HR H) as Hd.
  assert (P : 0 < (1 + alpha * INR N) * ((1 + alpha * INR M) * (R - C) - alpha * INR N * C)) by (apply mul_pos; lra).
  split; [apply Rdiv_lt_0_compat; auto; apply mul_pos; lra|].
  unfold F_fast, F_slow. apply div_le_div; [auto|lra|].
  assert (K : 0 <= B * (alpha * INR N * (alpha * INR M * (R - C) - (1 + alpha * INR N) * C))).
  { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra. }
  lra.
Qed.

(** edt.abstract.not-fully-used, edt.intro.fewest-waste-most: 0 < F <= B / (1 + alpha (M + N)) <= B / (1 + alpha), which is
    the free buffer with one port; edt.intro.half-unused, edt.abstract.free-buffer-large: it is B / 2 for alpha = 1, more for
    a smaller alpha. *)
Theorem fewest_waste_most alpha B C : 0 < alpha -> 0 < B -> 0 < C ->
  (forall M N R, (1 <= M)%nat -> C < R ->
     0 < eq11_free M N alpha B C R <= B / (1 + alpha * (INR M + INR N)) /\
     B / (1 + alpha * (INR M + INR N)) <= B / (1 + alpha)) /\
  (forall R, C < R -> eq11_free 1 0 alpha B C R = B / (1 + alpha)) /\
  (alpha = 1 -> B / (1 + alpha) = B / 2) /\ (alpha <= 1 -> B / 2 <= B / (1 + alpha)).
Proof.
  intros Ha HB HC. split; [|split; [|split]].
  - intros M N R HM HR. pose proof (am_pos M alpha HM Ha) as Ham. pose proof (an_pos N alpha Ha) as Han. split.
    + destruct (slow_dec M N alpha C R) as [H|H].
      * rewrite eq11_slow by auto. unfold F_slow. split; [apply Rdiv_lt_0_compat; lra|lra].
      * rewrite eq11_fast by auto. apply F_fast_below_F_slow; auto.
    + apply div_le_div; [lra|lra|]. apply Rmult_le_compat_l; [lra|]. pose proof (ports_ge M HM).
      pose proof (Rmult_le_compat_l alpha 1 (INR M)). lra.
  - intros R HR. destruct (no_steady_ports 1 alpha B C R ltac:(lia) Ha HR) as (_ & _ & E1 & E2). simpl in *.
    rewrite Rmult_1_r in *. destruct (slow_dec 1 0 alpha C R); [rewrite eq11_slow by auto|rewrite eq11_fast by auto]; auto.
  - intros ->. field; lra.
  - intros H. apply div_le_div; [lra|lra|]. apply Rmult_le_compat_l; lra.
Qed.

(** ** One more port (edt.ours.free-buffer-monotone) *)

Section OneMore.
Variables (M N : nat) (alpha B C : real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C).
Notation m := (INR M).
Notation n := (INR N).

Lemma slow_more_bursts R : C < R -> slow (S M) N alpha C R -> slow M N alpha C R.
Proof.
  intros HR H. apply slow_iff in H; auto; try lia. apply slow_iff; auto. rewrite S_INR in H.
  pose proof (mul_pos alpha (R - C)). lra.
Qed.

Lemma slow_more_steady R : C < R -> slow M N alpha C R -> slow M (S N) alpha C R.
Proof.
  intros HR H. apply slow_iff in H; auto. apply slow_iff; auto. rewrite S_INR.
  pose proof (mul_pos alpha C). lra.
Qed.

Lemma F_slow_falls M' N' : (M + N < M' + N')%nat -> F_slow M' N' alpha B < F_slow M N alpha B.
Proof. apply free_buffer_case_a; auto. Qed.

Lemma one_more_burst R : C < R -> eq11_free (S M) N alpha B C R < eq11_free M N alpha B C R.
Proof.
  intros HR. destruct (slow_dec M N alpha C R) as [H|H].
  - rewrite (eq11_slow M) by auto. apply Rle_lt_trans with (F_slow (S M) N alpha B); [|apply F_slow_falls; lia].
    destruct (slow_dec (S M) N alpha C R) as [H'|H']; [rewrite eq11_slow; auto; lra|rewrite eq11_fast by auto].
    apply F_fast_below_F_slow; auto.
  - assert (H' : ~ slow (S M) N alpha C R) by (intros K; apply H, slow_more_bursts; auto).
    rewrite !eq11_fast by auto. apply free_buffer_case_b_bursts; auto.
Qed.

Notation before R := (eq11_free M N alpha B C R).
Notation after R := (eq11_free M (S N) alpha B C R).

(** One more steady port stays in case (a), comes to it, or stays in case (b). *)
Lemma one_more_steady_a R : C < R -> slow M N alpha C R -> slow M (S N) alpha C R /\ after R < before R.
Proof.
  intros HR H. pose proof (slow_more_steady R HR H). split; auto. rewrite !eq11_slow by auto. apply F_slow_falls. lia.
Qed.

Lemma one_more_steady_ba R : C < R -> ~ slow M N alpha C R -> slow M (S N) alpha C R ->
  (before R < after R <-> n * C * (1 + alpha * n) < (R - C) * (alpha * m * n - 1)) /\
  (before R = after R <-> n * C * (1 + alpha * n) = (R - C) * (alpha * m * n - 1)) /\
  (after R < before R <-> (R - C) * (alpha * m * n - 1) < n * C * (1 + alpha * n)).
Proof.
  intros HR H H'. pose proof (am_pos M alpha M_pos alpha_pos). pose proof (an_pos N alpha alpha_pos). pose proof (fast_den M N alpha C R M_pos alpha_pos C_pos HR H) as Hd.
  rewrite eq11_fast, eq11_slow by auto. unfold F_fast, F_slow. rewrite S_INR.
  set (u := (1 + alpha * n) * ((1 + alpha * m) * (R - C) - alpha * n * C)). set (v := 1 + alpha * (m + (n + 1))).
  assert (Hu : 0 < u) by (apply mul_pos; lra). assert (Hv : 0 < v) by (unfold v; lra).
  destruct (compare_fractions ((R - C) * B) u B v Hu Hv) as (K1 & K2 & K3).
  assert (E : B * u - (R - C) * B * v = B * alpha * ((R - C) * (alpha * m * n - 1) - n * C * (1 + alpha * n))) by (unfold u, v; ring).
  assert (P : 0 < B * alpha) by (apply mul_pos; auto).
  set (x := (R - C) * (alpha * m * n - 1) - n * C * (1 + alpha * n)) in *.
  rewrite K1, K2, K3. clear K1 K2 K3.
  assert (S1 : 0 < B * alpha * x <-> 0 < x).
  { split; intros K; [apply Rmult_lt_reg_l with (B * alpha); lra|apply mul_pos; auto]. }
  assert (S2 : B * alpha * x < 0 <-> x < 0).
  { split; intros K; [apply Rmult_lt_reg_l with (B * alpha); lra|]. pose proof (mul_pos (B * alpha) (- x)). lra. }
  unfold x in *. repeat split; intros K.
  - assert (0 < x); [apply S1; unfold x; lra|unfold x in *; lra].
  - assert (0 < B * alpha * x); [apply S1; unfold x; lra|unfold x in *; lra].
  - destruct (Rtotal_order x 0) as [c|[c|c]]; unfold x in *; [|lra|]; exfalso.
    + assert (B * alpha * x < 0); [apply S2; unfold x; lra|unfold x in *; lra].
    + assert (0 < B * alpha * x); [apply S1; unfold x; lra|unfold x in *; lra].
  - assert (x = 0) by (unfold x; lra). assert (B * alpha * x = 0) by (rewrite H2; ring). unfold x in *; lra.
  - assert (x < 0); [apply S2; unfold x; lra|unfold x in *; lra].
  - assert (B * alpha * x < 0); [apply S2; unfold x; lra|unfold x in *; lra].
Qed.

Lemma one_more_steady_b R : C < R -> ~ slow M N alpha C R -> ~ slow M (S N) alpha C R ->
  (before R < after R <-> (1 + alpha * m) * (R - C) < (1 + alpha * (2 * n + 1)) * C) /\
  (before R = after R <-> (1 + alpha * m) * (R - C) = (1 + alpha * (2 * n + 1)) * C) /\
  (after R < before R <-> (1 + alpha * (2 * n + 1)) * C < (1 + alpha * m) * (R - C)).
Proof.
  intros HR H H'. pose proof (am_pos M alpha M_pos alpha_pos). pose proof (an_pos N alpha alpha_pos). pose proof (fast_den M N alpha C R M_pos alpha_pos C_pos HR H) as Hd.
  pose proof (fast_den M (S N) alpha C R M_pos alpha_pos C_pos HR H') as Hd'. rewrite S_INR in Hd'.
  rewrite !eq11_fast by auto. unfold F_fast. rewrite S_INR.
  set (u := (1 + alpha * n) * ((1 + alpha * m) * (R - C) - alpha * n * C)).
  set (v := (1 + alpha * (n + 1)) * ((1 + alpha * m) * (R - C) - alpha * (n + 1) * C)).
  assert (Hu : 0 < u) by (apply mul_pos; lra). assert (Hv : 0 < v) by (apply mul_pos; lra).
  destruct (compare_fractions ((R - C) * B) u ((R - C) * B) v Hu Hv) as (K1 & K2 & K3).
  assert (E : (R - C) * B * u - (R - C) * B * v
              = (R - C) * B * alpha * ((1 + alpha * (2 * n + 1)) * C - (1 + alpha * m) * (R - C))) by (unfold u, v; ring).
  assert (P : 0 < (R - C) * B * alpha) by (apply mul_pos; [apply mul_pos; lra|auto]).
  rewrite K1, K2, K3. clear K1 K2 K3.
  set (k := (R - C) * B * alpha) in *. set (y := (1 + alpha * (2 * n + 1)) * C) in *. set (z := (1 + alpha * m) * (R - C)) in *.
  assert (S1 : 0 < k * (y - z) <-> z < y).
  { split; intros K; [assert (0 < y - z) by (apply Rmult_lt_reg_l with k; lra); lra|apply mul_pos; lra]. }
  assert (S2 : k * (y - z) < 0 <-> y < z).
  { split; intros K; [assert (y - z < 0) by (apply Rmult_lt_reg_l with k; lra); lra|]. pose proof (mul_pos k (z - y)). lra. }
  repeat split; intros K.
  - apply S1; lra.
  - apply S1 in K; lra.
  - destruct (Rtotal_order y z) as [c|[c|c]]; [apply S2 in c; lra|lra|apply S1 in c; lra].
  - assert (k * (y - z) = 0) by (rewrite K; ring). lra.
  - apply S2; lra.
  - apply S2 in K; lra.
Qed.

(** Some rate does it iff alpha^2 M N > 1 + alpha (N + 1). *)
Lemma some_rate_raises : (exists R, C < R /\ before R < after R) <-> 1 + alpha * (n + 1) < alpha ^ 2 * m * n.
Proof.
  pose proof (am_pos M alpha M_pos alpha_pos) as Ham. pose proof (an_pos N alpha alpha_pos) as Han. split.
  - intros (R & HR & K). destruct (slow_dec M N alpha C R) as [H|H].
    { destruct (one_more_steady_a R HR H). lra. }
    pose proof (fast_iff M N alpha C R M_pos alpha_pos H) as Hf.
    destruct (slow_dec M (S N) alpha C R) as [H'|H'].
    + apply (one_more_steady_ba R HR H H') in K. apply slow_iff in H'; auto. rewrite S_INR in H'.
      (* alpha m (R - C) <= (1 + alpha (n + 1)) C and n C (1 + alpha n) < (R - C)(alpha m n - 1) *)
      assert (P : 0 < alpha * m * n - 1).
      { apply Rnot_le_lt. intros c. pose proof (Rmult_le_compat_l (R - C) (alpha * m * n - 1) 0 ltac:(lra) ltac:(lra)).
        pose proof (Rmult_le_pos (n * C) (1 + alpha * n)). pose proof (Rmult_le_pos n C (pos_INR N)). lra. }
      assert (Q1 : alpha * m * (n * C * (1 + alpha * n)) < alpha * m * ((R - C) * (alpha * m * n - 1))) by (apply Rmult_lt_compat_l; auto).
      assert (Q2 : alpha * m * (R - C) * (alpha * m * n - 1) <= (1 + alpha * (n + 1)) * C * (alpha * m * n - 1))
        by (apply Rmult_le_compat_r; lra).
      assert (Q3 : 0 < C * (alpha ^ 2 * m * n - (1 + alpha * (n + 1)))) by lra.
      apply Rmult_lt_reg_l with C; lra.
    + apply (one_more_steady_b R HR H H') in K. apply fast_iff in H'; auto. rewrite S_INR in H'.
      assert (Q1 : alpha * m * ((1 + alpha * m) * (R - C)) < alpha * m * ((1 + alpha * (2 * n + 1)) * C)) by (apply Rmult_lt_compat_l; auto).
      assert (Q2 : (1 + alpha * m) * ((1 + alpha * (n + 1)) * C) < (1 + alpha * m) * (alpha * m * (R - C))) by (apply Rmult_lt_compat_l; lra).
      apply Rmult_lt_reg_l with C; auto. lra.
  - intros K. (* the largest rate of case (a) with N + 1 *)
    set (r := (1 + alpha * (n + 1)) * C / (alpha * m)).
    assert (Er : alpha * m * r = (1 + alpha * (n + 1)) * C) by (unfold r; field; pose proof (ports_ge M M_pos); lra).
    assert (Hr : 0 < r) by (apply Rdiv_lt_0_compat; auto; apply mul_pos; lra).
    exists (C + r). split; [lra|].
    assert (H' : slow M (S N) alpha C (C + r)) by (apply slow_iff; auto; rewrite S_INR; lra).
    assert (H : ~ slow M N alpha C (C + r)) by (rewrite slow_iff; auto; pose proof (mul_pos alpha C); lra).
    apply one_more_steady_ba; auto; [lra|]. replace (C + r - C) with r by ring.
    apply Rmult_lt_reg_l with (alpha * m); auto.
    pose proof (mul_pos C (alpha ^ 2 * m * n - (1 + alpha * (n + 1))) C_pos ltac:(lra)) as P.
    replace (alpha * m * (r * (alpha * m * n - 1))) with (alpha * m * r * (alpha * m * n - 1)) by ring. rewrite Er.
    lra.
Qed.

(** All of edt.ours.free-buffer-monotone. *)
Theorem free_buffer_monotone :
  (forall R, C < R -> eq11_free (S M) N alpha B C R < before R) /\
  (forall R, C < R -> slow M N alpha C R -> slow M (S N) alpha C R /\ after R < before R) /\
  (forall R, C < R -> ~ slow M N alpha C R -> slow M (S N) alpha C R ->
     (before R < after R <-> n * C * (1 + alpha * n) < (R - C) * (alpha * m * n - 1)) /\
     (before R = after R <-> n * C * (1 + alpha * n) = (R - C) * (alpha * m * n - 1)) /\
     (after R < before R <-> (R - C) * (alpha * m * n - 1) < n * C * (1 + alpha * n))) /\
  (forall R, C < R -> ~ slow M N alpha C R -> ~ slow M (S N) alpha C R ->
     (before R < after R <-> (1 + alpha * m) * (R - C) < (1 + alpha * (2 * n + 1)) * C) /\
     (before R = after R <-> (1 + alpha * m) * (R - C) = (1 + alpha * (2 * n + 1)) * C) /\
     (after R < before R <-> (1 + alpha * (2 * n + 1)) * C < (1 + alpha * m) * (R - C))) /\
  ((exists R, C < R /\ before R < after R) <-> 1 + alpha * (n + 1) < alpha ^ 2 * m * n).
Proof.
  split; [exact one_more_burst|]. split; [exact one_more_steady_a|]. split; [exact one_more_steady_ba|].
  split; [exact one_more_steady_b|exact some_rate_raises].
Qed.

End OneMore.

(** edt.fig13.monotone, edt.sec6.correlation: for slow bursts the free buffer falls, and the buffer in use grows, with M + N; with
    R = 2 C and alpha = 1 bursts are slow iff M <= N + 1. *)
Theorem correlation alpha B C : 0 < alpha -> 0 < B -> 0 < C ->
  (forall M N M' N' R, slow M N alpha C R -> slow M' N' alpha C R -> (M + N < M' + N')%nat ->
     eq11_free M' N' alpha B C R < eq11_free M N alpha B C R /\
     B - eq11_free M N alpha B C R < B - eq11_free M' N' alpha B C R) /\
  (forall M N, (1 <= M)%nat -> (slow M N 1 C (2 * C) <-> (M <= N + 1)%nat)).
Proof.
  intros Ha HB HC. split.
  - intros M N M' N' R H H' K. rewrite !eq11_slow by auto. pose proof (free_buffer_case_a M N M' N' alpha B Ha HB K). lra.
  - intros M N HM. rewrite slow_iff by (auto; lra). rewrite !Rmult_1_l. replace (2 * C - C) with C by ring.
    replace (1 + INR N) with (INR (N + 1)) by (rewrite plus_INR; simpl; ring). split; intros K.
    + apply INR_le. apply Rmult_le_reg_r with C; auto.
    + apply Rmult_le_compat_r; [lra|]. apply le_INR, K.
Qed.

(** ** At the bound the cases agree (edt.ours.continuity) *)

(** One step of the printed recursions (14) and (31), from t_j and F_j with the growth G. *)
Definition step14 (N : nat) (alpha C : real) (j : nat) (Rj G : real) (state : real * real) : real * real :=
  let (t, F) := state in
  let t' := alpha * (F + alpha * F * INR (N + j) + G * t) / ((Rj - C) * (1 + alpha * INR (N + j)) + alpha * G) in
  (t', F - G * (t' - t) / (1 + alpha * INR (N + j))).
Definition step31 (N : nat) (alpha C : real) (j : nat) (Rj G : real) (state : real * real) : real * real :=
  let (t, F) := state in
  let t' := alpha * (F + (G - INR (N + j) * C) * t) / (alpha * (G - INR (N + j) * C) + (Rj - C)) in
  (t', F - (G - INR (N + j) * C) * (t' - t)).

Theorem steps_of_the_recursions M N alpha B C R j :
  recursion14 M N alpha B C R (S j) = step14 N alpha C j (R j) (G M C R j) (recursion14 M N alpha B C R j) /\
  recursion31 M N alpha B C R (S j) = step31 N alpha C j (R j) (G M C R j) (recursion31 M N alpha B C R j).
Proof. split; reflexivity. Qed.

Theorem continuity N alpha B C : 0 < alpha -> 0 < B -> 0 < C ->
  (forall M R, (1 <= M)%nat -> R = C * (1 + (1 + alpha * INR N) / (alpha * INR M)) ->
     t_slow M N alpha B C R = t_fast M N alpha B C R /\ F_slow M N alpha B = F_fast M N alpha B C R) /\
  (forall j Rj G state, C < Rj -> G = (1 + alpha * INR (N + j)) * C / alpha ->
     step14 N alpha C j Rj G state = step31 N alpha C j Rj G state).
Proof.
  intros Ha HB HC. split.
  - intros M R HM E. apply (theorem1_continuous M N alpha B C R HM Ha); auto.
    destruct (two_cases M N alpha C HM Ha HC) as (_ & (R1 & H1 & H2) & _). unfold slow in H2. lra.
  - intros j Rj g [t F] HR E. pose proof (an_pos (N + j) alpha Ha) as Hn. set (n := INR (N + j)) in *. unfold step14, step31. fold n.
    assert (Eg : alpha * g = (1 + alpha * n) * C) by (rewrite E; field; lra).
    assert (Ex : g - n * C = C / alpha) by (rewrite E; field; lra).
    assert (Ey : g = (1 + alpha * n) * (C / alpha)) by (rewrite E; field; lra).
    rewrite Ex. assert (P : 0 < C / alpha) by (apply Rdiv_lt_0_compat; auto).
    assert (Et : alpha * (F + alpha * F * n + g * t) / ((Rj - C) * (1 + alpha * n) + alpha * g)
                 = alpha * (F + C / alpha * t) / (alpha * (C / alpha) + (Rj - C))).
    { rewrite Eg, Ey. field. repeat split; try lra.
      - pose proof (mul_pos (1 + alpha * n) Rj). lra. }
    rewrite Et. f_equal. rewrite Ey. field. repeat split; lra.
Qed.
