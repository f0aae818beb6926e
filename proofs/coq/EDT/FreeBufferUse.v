(** DT/EDT paper, the abstract and the remarks of Sections 2.3 and 3.1 on Theorem 1, for every trajectory where they speak of one.

      [small_burst_a], [small_burst_b]   a burst loses bytes after as small a part of the buffer as one likes, in both cases;
      [extra_traffic]                    what the bursts could bring if they had the free buffer;
      [remark_large_R], [remark_explains], [remark_fast]    bursts of a fixed size;
      [cushion], [reserves], [not_starved]                  what is kept free, and the common length in the end;
      [equal_rates]                      Theorems 2 and 3 with one rate are Theorem 1.                               *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 Theorem2 Theorem3 CountersBounds Theorem1Evolution Theorem1Statements FreeBuffer FreeBufferExtremes.
Open Scope R_scope.

(** ** Small bursts *)

(** [small_loss M N alpha B C R t part]: there is a trajectory of this switch; in every one that lasts beyond t each of the
    M bursts first loses a byte at t, all of them have brought less than [part] by then, and each queue holds less. *)
Definition small_loss (M N : nat) (alpha B C R t part : real) : Prop :=
  (exists Ar Q D, micro_burst M N 0 alpha B C (fun _ _ => R) (t + 1) Ar Q D) /\
  forall tau Ar Q D, t < tau -> micro_burst M N 0 alpha B C (fun _ _ => R) tau Ar Q D ->
    (forall k, (k < M)%nat -> drops_first_at (dt_switch (M + N + 0) alpha B C) Ar Q D k 0 t /\ Q k t < part) /\
    INR M * (R * t) < part.

Lemma small_loss_of M N alpha B C R part : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R ->
  INR M * (R * eq10_time M N alpha B C R) < part -> small_loss M N alpha B C R (eq10_time M N alpha B C R) part.
Proof.
  intros HM Ha HB HC HR H. pose proof (ports_ge M HM) as Hm. set (t := eq10_time M N alpha B C R) in *.
  assert (Tp : 0 < t).
  { unfold t. destruct (slow_dec M N alpha C R); [rewrite eq10_slow by auto; apply t1_pos; auto|rewrite eq10_fast by auto; apply t2_pos; auto]. }
  split.
  - destruct (slow_dec M N alpha C R); [apply theorem1_case_a_exists|apply theorem1_case_b_exists]; auto; lra.
  - intros tau Ar Q D Hlt Hm'. split; auto. intros k Hk.
    destruct (theorem1 M N 0 alpha B C R tau Ar Q D HM Ha HB HC HR ltac:(lra) Hm' k Hk) as [_ K]. split; [apply K, Hlt|].
    assert (E : Q k t = (R - C) * t).
    { destruct (slow_dec M N alpha C R) as [c|c].
      - destruct (evolution_a M N 0 alpha B C R tau Ar Q D HM Ha HB HC HR ltac:(lra) Hm' c t ltac:(lra)) as (_ & E & _).
        rewrite (E k Hk). unfold t. rewrite eq10_slow by auto. rewrite Rmin_left; lra.
      - destruct (evolution_b M N 0 alpha B C R tau Ar Q D HM Ha HB HC HR ltac:(lra) Hm' c) as (Ho & Ev).
        destruct (Ev t ltac:(lra)) as (E & _). rewrite (E k Hk). unfold t in *. rewrite eq10_fast in * by auto. rewrite !Rmin_left by lra. ring. }
    rewrite E. assert (P : 0 < R * t) by (apply mul_pos; lra). assert (P' : 0 < C * t) by (apply mul_pos; lra).
    pose proof (Rmult_le_compat_r (R * t) 1 (INR M) ltac:(lra) Hm). lra.
Qed.

(** Case (a): edt.abstract.small-burst-drops, edt.sec3.1.remark.far-smaller@case-a, edt.sec6.small-burst. *)
Theorem small_burst_a eps : 0 < eps -> exists M N alpha B C R,
  (1 <= M)%nat /\ 0 < alpha /\ 0 < B /\ 0 < C /\ C < R /\ slow M N alpha C R /\
  small_loss M N alpha B C R (eq10_time M N alpha B C R) (eps * B).
Proof.
  intros He. destruct (some_whole_above (1 / eps)) as (N & HN & Hbig). pose proof (ports_ge N HN) as Hn.
  exists 1%nat, N, 1, 1, 1, (2 + INR N).
  assert (Hs : slow 1 N 1 1 (2 + INR N)) by (unfold slow; simpl; lra).
  assert (S : small_loss 1 N 1 1 1 (2 + INR N) (eq10_time 1 N 1 1 1 (2 + INR N)) (eps * 1)).
  { apply (small_loss_of 1 N 1 1 1 (2 + INR N) (eps * 1)); try lra; try lia.
    rewrite eq10_slow by auto. unfold t_slow. simpl INR.
    replace (1 * ((2 + INR N) * (1 * 1 / ((1 + 1 * (1 + INR N)) * (2 + INR N - 1))))) with (1 / (1 + INR N)) by (field; lra).
    apply div_lt_iff; [lra|]. apply div_lt_iff in Hbig; lra. }
  split; [lia|]. split; [lra|]. split; [lra|]. split; [lra|]. split; [lra|]. split; [exact Hs|exact S].
Qed.

(** Case (b): edt.sec3.1.remark.far-smaller@case-b. *)
Theorem small_burst_b eps : 0 < eps -> exists M N alpha B C R,
  (1 <= M)%nat /\ 0 < alpha /\ 0 < B /\ 0 < C /\ C < R /\ ~ slow M N alpha C R /\
  small_loss M N alpha B C R (eq10_time M N alpha B C R) (eps * B).
Proof.
  intros He. destruct (some_whole_above (1 / eps)) as (N & HN & Hbig). pose proof (ports_ge N HN) as Hn.
  exists 1%nat, N, 1, 1, 1, (1 + 2 * (INR N + 1)).
  assert (Hs : ~ slow 1 N 1 1 (1 + 2 * (INR N + 1))) by (unfold slow; simpl; lra).
  assert (S : small_loss 1 N 1 1 1 (1 + 2 * (INR N + 1)) (eq10_time 1 N 1 1 1 (1 + 2 * (INR N + 1))) (eps * 1)).
  { apply (small_loss_of 1 N 1 1 1 (1 + 2 * (INR N + 1)) (eps * 1)); try lra; try lia.
    rewrite eq10_fast by auto. unfold t_fast. simpl INR.
    replace (1 * ((1 + 2 * (INR N + 1)) * (1 * 1 / ((1 + 1 * INR N) * ((1 + 1 * 1) * (1 + 2 * (INR N + 1) - 1) - 1 * INR N * 1)))))
      with ((3 + 2 * INR N) / ((1 + INR N) * (4 + 3 * INR N))) by (field; lra).
    apply Rlt_trans with (1 / (1 + INR N)); [apply div_lt_div; [apply mul_pos; lra|lra|]|].
    - pose proof (mul_pos (1 + INR N) (1 + INR N)). lra.
    - apply div_lt_iff; [lra|]. apply div_lt_iff in Hbig; lra. }
  split; [lia|]. split; [lra|]. split; [lra|]. split; [lra|]. split; [lra|]. split; [exact Hs|exact S].
Qed.

(** ** What the bursts could bring (edt.intro.extra-traffic) *)

(** The free buffer at the first drop is filled at M (R - C) in F / (M (R - C)), the part 1 / (alpha M) of the drop time;
    it is between 1/2 and 1 iff 1 <= alpha M <= 2. *)
Theorem extra_traffic M N alpha B C R : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R ->
  let more := eq11_free M N alpha B C R / (INR M * (R - C)) in
  R * more = R * eq10_time M N alpha B C R * (1 / (alpha * INR M)) /\
  (1 / 2 <= 1 / (alpha * INR M) <= 1 <-> 1 <= alpha * INR M <= 2).
Proof.
  intros HM Ha HB HC HR more. pose proof (ports_ge M HM) as Hm. pose proof (am_pos M alpha HM Ha) as Ham. pose proof (an_pos N alpha Ha) as Han.
  split.
  - unfold more. destruct (slow_dec M N alpha C R) as [c|c].
    + rewrite eq10_slow, eq11_slow by auto. unfold t_slow, F_slow. field. repeat split; lra.
    + pose proof (fast_den M N alpha C R HM Ha HC HR c). rewrite eq10_fast, eq11_fast by auto. unfold t_fast, F_fast. field. repeat split; lra.
  - set (p := alpha * INR M) in *. assert (E : 1 / p * p = 1) by (field; lra). split; intros [K1 K2].
    + apply (Rmult_le_compat_r p) in K1; [|lra]. apply (Rmult_le_compat_r p) in K2; lra.
    + split; apply Rmult_le_reg_r with p; lra.
Qed.

(** ** Bursts of a fixed size S = R d *)

(** edt.sec3.1.remark.large-R: if (12) holds for a rate it holds for every larger one. *)
Theorem remark_large_R M N alpha B C S R R' : 0 < C -> 0 < S -> 0 < R <= R' ->
  alpha * B / (1 + alpha * (INR M + INR N)) < S - C * (S / R) -> alpha * B / (1 + alpha * (INR M + INR N)) < S - C * (S / R').
Proof.
  intros HC HS HR H. assert (K : S / R' <= S / R) by (apply div_le_div; try lra; apply Rmult_le_compat_l; lra).
  pose proof (Rmult_le_compat_l C _ _ ltac:(lra) K). lra.
Qed.

(** edt.sec3.1.remark.explains: a burst larger than what its queue may hold meets (12) if it comes fast enough. *)
Theorem remark_explains M N alpha B C S : 0 < C -> 0 < S -> alpha * B / (1 + alpha * (INR M + INR N)) < S ->
  exists R0, forall R, R0 < R -> alpha * B / (1 + alpha * (INR M + INR N)) < S - C * (S / R).
Proof.
  intros HC HS H. set (b := alpha * B / (1 + alpha * (INR M + INR N))) in *.
  assert (P : 0 < C * S / (S - b)) by (apply Rdiv_lt_0_compat; [apply mul_pos; auto|lra]).
  exists (C * S / (S - b)). intros R HR. apply div_lt_iff in HR; [|lra].
  assert (Rp : 0 < R).
  { apply Rnot_le_lt. intros c. pose proof (mul_pos C S HC HS). pose proof (Rmult_le_compat_r (S - b) R 0 ltac:(lra) c). lra. }
  assert (K : C * S / R < S - b) by (apply div_lt_iff; lra). replace (C * (S / R)) with (C * S / R) by (unfold Rdiv; ring). lra.
Qed.

(** edt.sec3.1.remark.fast: in case (b), too, if (10) holds for a duration it holds for every shorter one. *)
Theorem remark_fast M N alpha B C S d d' : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> 0 < d' <= d -> C < S / d ->
  ~ slow M N alpha C (S / d) -> t_fast M N alpha B C (S / d) < d ->
  C < S / d' /\ ~ slow M N alpha C (S / d') /\ t_fast M N alpha B C (S / d') < d'.
Proof.
  intros HM Ha HB HC Hd HR Hs H.
  assert (Sp : 0 < S).
  { apply Rnot_le_lt. intros c. assert (S / d <= 0); [|lra]. apply Rmult_le_reg_r with d; [lra|].
    replace (S / d * d) with S by (field; lra). lra. }
  assert (K : S / d <= S / d') by (apply div_le_div; try lra; apply Rmult_le_compat_l; lra).
  assert (Hs' : ~ slow M N alpha C (S / d')) by (unfold slow in *; lra).
  split; [lra|]. split; auto. pose proof (am_pos M alpha HM Ha) as Ham. pose proof (an_pos N alpha Ha) as Han.
  pose proof (fast_den M N alpha C (S / d) HM Ha HC HR Hs) as D. pose proof (fast_den M N alpha C (S / d') HM Ha HC ltac:(lra) Hs') as D'.
  unfold t_fast in *. apply div_lt_iff in H; [|apply mul_pos; lra]. apply div_lt_iff; [apply mul_pos; lra|].
  replace (d * ((1 + alpha * INR N) * ((1 + alpha * INR M) * (S / d - C) - alpha * INR N * C)))
    with ((1 + alpha * INR N) * ((1 + alpha * INR M) * (S - C * d) - alpha * INR N * C * d)) in H by (field; lra).
  replace (d' * ((1 + alpha * INR N) * ((1 + alpha * INR M) * (S / d' - C) - alpha * INR N * C)))
    with ((1 + alpha * INR N) * ((1 + alpha * INR M) * (S - C * d') - alpha * INR N * C * d')) by (field; lra).
  assert (P : 0 <= (1 + alpha * INR N) * (((1 + alpha * INR M) * C + alpha * INR N * C) * (d - d'))).
  { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [|lra]. pose proof (mul_pos (1 + alpha * INR M) C). pose proof (Rmult_le_pos (alpha * INR N) C). lra. }
  lra.
Qed.

(** ** What is kept free *)

Section Trajectory.
Variables (M N Z : nat) (alpha B C R tau : real) (Ar Q D : nat -> real -> real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R) (tau_nonneg : 0 <= tau).
Hypothesis scenario : micro_burst M N Z alpha B C (fun _ _ => R) tau Ar Q D.
Notation sw := (dt_switch (M + N + Z) alpha B C).
Notation m := (INR M).
Notation n := (INR N).
Notation first := (eq10_time M N alpha B C R).

Lemma first_pos : 0 < first.
Proof.
  destruct (slow_dec M N alpha C R); [rewrite eq10_slow by auto; apply t1_pos; auto|rewrite eq10_fast by auto; apply t2_pos; auto].
Qed.

(** edt.sec3.1.remark.cushion: ports that become overloaded beside N steady ones find T > 0; up to a positive time their
    queues grow at R - C below the threshold, and lose nothing. *)
Theorem cushion : 0 < first /\ 0 < threshold sw Q 0 0 /\ forall k t, (k < M)%nat -> 0 <= t < first -> t < tau ->
  Q k t = (R - C) * t /\ Q k t < threshold sw Q k t /\ rejected sw Ar Q D k t = 0.
Proof.
  pose proof first_pos as Fp. split; auto. split.
  - unfold threshold. destruct scenario as [_ S _]. rewrite (eq16_initial_free M N Z alpha B C Q alpha_pos S). simpl.
    rewrite Rplus_0_l. apply mul_pos; auto. apply Rdiv_lt_0_compat; auto. apply steady_denominator; auto.
  - intros k t Hk Ht Hlt. split; [|split].
    + destruct (slow_dec M N alpha C R) as [c|c].
      * rewrite eq10_slow in Ht by auto. destruct (evolution_a M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded tau_nonneg scenario c t ltac:(lra)) as (_ & E & _).
        rewrite (E k Hk), Rmin_left; lra.
      * rewrite eq10_fast in Ht by auto. destruct (evolution_b M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded tau_nonneg scenario c) as (Ho & Ev).
        destruct (Ev t ltac:(lra)) as (E & _). rewrite (E k Hk), !Rmin_left by lra. ring.
    + unfold threshold. destruct (slow_dec M N alpha C R) as [c|c].
      * rewrite eq10_slow in Ht by auto. destruct (evolution_a M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded tau_nonneg scenario c t ltac:(lra)) as (F & E & _).
        rewrite (E k Hk), F, !Rmin_left by lra. simpl. pose proof (slow_gap M N alpha B C R M_pos alpha_pos overloaded t) as G.
        pose proof (mul_pos _ (t_slow M N alpha B C R - t) (slow_gap_pos M N alpha C R M_pos alpha_pos overloaded) ltac:(lra)). lra.
      * rewrite eq10_fast in Ht by auto. destruct (fast_start M N alpha B C R) as [S1 S2]; auto.
        destruct (micro_burst_unique M N Z alpha B C (fun _ _ => R) tau Ar Q D
           (W_fast M N alpha B C R) (w_fast M N alpha B C R) (V_fast M N alpha B C) (v_fast M N alpha B C))
          as (UF & UW & _); auto; [intros; lra|apply fast_class; auto|].
        rewrite UF, UW by (auto; lra). change (W_fast M N alpha B C R k t) with (W_fast M N alpha B C R 0 t). simpl.
        pose proof (fast_gap_burst M N alpha B C R M_pos alpha_pos C_pos overloaded c t) as G. rewrite (Rmin_left t (t_fast M N alpha B C R)) in G by lra.
        pose proof (mul_pos _ (t_fast M N alpha B C R - t) (fast_den M N alpha C R M_pos alpha_pos C_pos overloaded c) ltac:(lra)). lra.
    + destruct (theorem1 M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded tau_nonneg scenario k Hk) as [K1 K2].
      destruct (Rle_dec tau first) as [c|c]; [apply K1; lra|]. destruct (K2 ltac:(lra)) as ((K3 & _) & _). apply K3; lra.
Qed.

(** edt.sec2.3.reserves@equal-bursts: more than B / ((1 + alpha N) (1 + alpha M)) is free at all times; exactly that, from the first drop
    on, if N = 0. *)
Theorem reserves :
  ((1 <= N)%nat -> forall t, 0 <= t <= tau -> B / ((1 + alpha * n) * (1 + alpha * m)) < free sw Q t) /\
  (N = O -> (forall t, 0 <= t <= tau -> B / ((1 + alpha * n) * (1 + alpha * m)) <= free sw Q t) /\
            (forall t, first <= t <= tau -> free sw Q t = B / ((1 + alpha * n) * (1 + alpha * m)))).
Proof.
  destruct (reserve M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded tau_nonneg scenario) as [K1 K2].
  pose proof (am_pos M alpha M_pos alpha_pos) as Ham. pose proof (an_pos N alpha alpha_pos) as Han. split.
  - intros HN t Ht. apply Rlt_le_trans with (eq11_free M N alpha B C R); [|auto].
    pose proof (ports_ge N HN). assert (Pan : 0 < alpha * n) by (apply mul_pos; lra).
    destruct (slow_dec M N alpha C R) as [c|c]; [rewrite eq11_slow by auto; unfold F_slow|rewrite eq11_fast by auto; unfold F_fast].
    + apply div_lt_div; [apply mul_pos; lra|lra|]. apply Rmult_lt_compat_l; auto. pose proof (mul_pos (alpha * m) (alpha * n)). lra.
    + pose proof (fast_den M N alpha C R M_pos alpha_pos C_pos overloaded c). apply div_lt_div; [apply mul_pos; lra|apply mul_pos; lra|].
      pose proof (mul_pos (B * (1 + alpha * n)) (alpha * n * C) ltac:(apply mul_pos; lra) ltac:(apply mul_pos; lra)). lra.
  - intros E. split; [intros t Ht; specialize (K1 t Ht); lra|]. intros t Ht. pose proof first_pos as Fp.
    assert (E0 : n = 0) by (rewrite E; reflexivity).
    destruct (slow_dec M N alpha C R) as [c|c].
    + rewrite eq10_slow in * by auto. destruct (evolution_a M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded tau_nonneg scenario c t ltac:(lra)) as (F & _).
      rewrite F, Rmin_right by lra. rewrite (F_slow_at_t1 M N alpha B C R) by auto. unfold F_slow. rewrite E0. field; lra.
    + rewrite eq10_fast in * by auto. destruct (fast_start M N alpha B C R) as [S1 S2]; auto.
      destruct (micro_burst_unique M N Z alpha B C (fun _ _ => R) tau Ar Q D
         (W_fast M N alpha B C R) (w_fast M N alpha B C R) (V_fast M N alpha B C) (v_fast M N alpha B C))
        as (UF & _); auto; [intros; lra|apply fast_class; auto|].
      rewrite UF by lra. rewrite fast_free by auto. rewrite (Rmin_right t (t_fast M N alpha B C R)) by lra. unfold F0, t_fast. rewrite E0.
      field. repeat split; lra.
Qed.

End Trajectory.

(** edt.sec2.3.not-starved: from an instant on, which no trajectory decides, all M + N overloaded ports have the same share. *)
Theorem not_starved M N Z alpha B C R : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R ->
  exists t_end, 0 < t_end /\ forall tau Ar Q D, t_end <= tau -> micro_burst M N Z alpha B C (fun _ _ => R) tau Ar Q D ->
    forall t i, t_end <= t <= tau -> (i < M + N)%nat -> Q i t = alpha * B / (1 + alpha * (INR M + INR N)).
Proof.
  intros HM Ha HB HC HR. destruct (slow_dec M N alpha C R) as [c|c].
  - pose proof (t1_pos M N alpha B C R HM Ha HB HR). exists (t_slow M N alpha B C R). split; auto. intros tau Ar Q D Htau scenario t i Ht Hi.
    destruct (evolution_a M N Z alpha B C R tau Ar Q D HM Ha HB HC HR ltac:(lra) scenario c t ltac:(lra)) as (_ & _ & _ & _ & _ & K). apply K; auto; lra.
  - pose proof (am_pos M alpha HM Ha) as Ham. pose proof (an_pos N alpha Ha) as Han.
    pose proof (ports_ge M HM). assert (P : 0 < t_meet M N alpha B C).
    { unfold t_meet. apply Rdiv_lt_0_compat; repeat apply Rmult_lt_0_compat; lra. }
    exists (t_meet M N alpha B C). split; [auto|]. intros tau Ar Q D Htau scenario t i Ht Hi.
    destruct (evolution_b M N Z alpha B C R tau Ar Q D HM Ha HB HC HR ltac:(lra) scenario c) as (_ & Ev).
    destruct (Ev t ltac:(lra)) as (_ & _ & _ & _ & _ & _ & K). apply K; auto; lra.
Qed.

(** ** One rate (edt.sec3.specific-to-general) *)

Theorem equal_rates M N alpha B C R : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R ->
  (condition2 M N alpha C (fun _ => R) <-> slow M N alpha C R) /\
  (drains M N alpha C (fun _ => R) 0 <-> ~ slow M N alpha C R) /\
  recursion14 M N alpha B C (fun _ => R) 1 = (t_slow M N alpha B C R, F_slow M N alpha B) /\
  (~ slow M N alpha C R -> recursion31 M N alpha B C (fun _ => R) 1 = (t_fast M N alpha B C R, F_fast M N alpha B C R)).
Proof.
  intros HM Ha HB HC HR. pose proof (ports_ge M HM) as Hm. pose proof (am_pos M alpha HM Ha) as Ham. pose proof (an_pos N alpha Ha) as Han.
  assert (EG : G M C (fun _ => R) 0 = INR M * (R - C)) by (unfold G; rewrite Nat.sub_0_r, sum_const; ring).
  assert (E : alpha * ((1 + alpha * INR N) * C / alpha) = (1 + alpha * INR N) * C) by (field; lra).
  assert (C2 : condition2 M N alpha C (fun _ => R) <-> slow M N alpha C R).
  { rewrite slow_iff by auto. unfold condition2. rewrite sum_const. split; intros K.
    - apply (Rmult_le_compat_l alpha) in K; lra.
    - apply Rmult_le_reg_l with alpha; lra. }
  split; auto. split; [|split].
  - rewrite <- C2. unfold drains, condition2. rewrite Nat.add_0_r, EG, sum_const. split; intros K; lra.
  - assert (Ed : 0 < (R - C) * (1 + alpha * INR N) + alpha * (INR M * (R - C))).
    { pose proof (mul_pos (R - C) (1 + alpha * INR N)). pose proof (mul_pos (alpha * INR M) (R - C)). lra. }
    simpl. rewrite Nat.add_0_r, EG. f_equal; unfold F0, t_slow, F_slow; field; repeat split; lra.
  - intros H. pose proof (fast_den M N alpha C R HM Ha HC HR H) as Hd. simpl. rewrite Nat.add_0_r, EG.
    f_equal; unfold F0, t_fast, F_fast; field; repeat split; lra.
Qed.
