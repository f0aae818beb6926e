(** DT/EDT paper, Sections 4.2-4.4 and 5: EDT's counting number and timers, and what no policy can do.

      [rule2]            when the counter of a burst reaches cn_2 before DT drops: (69), Rule 2, and a number that is too large;
      [eq71_identity]    (71), first line;
      [d_simple], [r_min]    the length of TM_2, of which TimersMachine.v has the rest;
      [unfair_duration]  the phase between the counter's end and the overflow;
      [no_policy_8ms]    Figure 14: 2 Gbps to a port of 1 Gbps with 1 MB;
      [jain]             the bounds of Jain's index.                                                         *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds Theorem1Evolution Theorem5 Theorem1Statements FreeBuffer FreeBufferExtremes FreeBufferUse.
Open Scope R_scope.

(** (71), first line. *)
Theorem eq71_identity M N alpha B C R : (R - C) * t_fast M N alpha B C R
  = alpha * B * (R - C) / ((1 + alpha * INR N) * ((1 + alpha * INR M) * (R - C) - alpha * INR N * C)).
Proof. unfold t_fast, Rdiv. ring. Qed.

(** ** The counter C_2 *)

Section Counter.
Variables (M N Z : nat) (alpha B C R tau cn2 : real) (Ar Q D : nat -> real -> real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R) (cn2_pos : 0 < cn2).
Notation drop := (eq10_time M N alpha B C R).
Hypothesis lasts : drop < tau.
Hypothesis scenario : micro_burst M N Z alpha B C (fun _ _ => R) tau Ar Q D.

Lemma grown_until_drop k t : (k < M)%nat -> 0 <= t <= drop -> Q k t = (R - C) * t.
Proof.
  intros Hk Ht. pose proof (first_pos M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Fp.
  destruct (slow_dec M N alpha C R) as [c|c].
  - rewrite eq10_slow in * by auto.
    destruct (evolution_a M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded ltac:(lra) scenario c t ltac:(lra)) as (_ & E & _).
    rewrite (E k Hk), Rmin_left; lra.
  - rewrite eq10_fast in * by auto.
    destruct (evolution_b M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded ltac:(lra) scenario c) as (Ho & Ev).
    destruct (Ev t ltac:(lra)) as (E & _). rewrite (E k Hk), !Rmin_left by lra. ring.
Qed.

(** The queue, and with it a fresh counter, has grown by cn_2 at an instant up to the first drop of DT iff cn_2 / (R - C) is
    at most the drop time, iff (69) holds.  It is at cn_2 / (R - C) then; and if not, it stays below cn_2 until the drop. *)
Theorem rule2 k : (k < M)%nat ->
  ((exists t, 0 <= t <= drop /\ Q k t = cn2) <-> cn2 / (R - C) <= drop) /\
  (cn2 / (R - C) <= drop <-> cn2 <= (R - C) * drop) /\
  (slow M N alpha C R -> (cn2 / (R - C) <= drop <-> cn2 <= (R - C) * t_slow M N alpha B C R)) /\
  (~ slow M N alpha C R -> (cn2 / (R - C) <= drop <-> cn2 <= (R - C) * t_fast M N alpha B C R)) /\
  (cn2 / (R - C) <= drop -> Q k (cn2 / (R - C)) = cn2 /\
     forall t, 0 <= t < cn2 / (R - C) -> Q k t < cn2 /\ rejected (dt_switch (M + N + Z) alpha B C) Ar Q D k t = 0) /\
  ((R - C) * drop < cn2 -> forall t, 0 <= t <= drop -> Q k t < cn2) /\
  (forall TM1, cn2 <= TM1 * (R - C) <-> cn2 / (R - C) <= TM1).
Proof.
  intros Hk. assert (E : (R - C) * (cn2 / (R - C)) = cn2) by (field; lra).
  assert (P : 0 < cn2 / (R - C)) by (apply Rdiv_lt_0_compat; lra).
  assert (Iff : forall x, cn2 / (R - C) <= x <-> cn2 <= (R - C) * x).
  { intros x. split; intros K; [apply (Rmult_le_compat_l (R - C)) in K; lra|apply Rmult_le_reg_l with (R - C); lra]. }
  split; [split|split; [apply Iff|split; [|split; [|split; [|split]]]]].
  - intros (t & Ht & Hq). rewrite grown_until_drop in Hq by auto. apply Iff.
    pose proof (Rmult_le_compat_l (R - C) t drop ltac:(lra) ltac:(lra)). lra.
  - intros K. exists (cn2 / (R - C)). split; [lra|]. rewrite grown_until_drop by (auto; lra). exact E.
  - intros c. rewrite <- (eq10_slow M N alpha B C R c). apply Iff.
  - intros c. rewrite <- (eq10_fast M N alpha B C R c). apply Iff.
  - intros K. split; [rewrite grown_until_drop by (auto; lra); exact E|]. intros t Ht. split.
    + rewrite grown_until_drop by (auto; lra). pose proof (Rmult_lt_compat_l (R - C) t (cn2 / (R - C)) ltac:(lra) ltac:(lra)). lra.
    + pose proof (first_pos M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded).
      destruct (theorem1 M N Z alpha B C R tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded ltac:(lra) scenario k Hk) as [_ K2].
      destruct (K2 lasts) as ((K3 & _) & _). apply K3. lra.
  - intros K t Ht. rewrite grown_until_drop by auto. pose proof (Rmult_le_compat_l (R - C) t drop ltac:(lra) ltac:(lra)). lra.
  - intros TM1. rewrite Iff. split; intros K; lra.
Qed.

End Counter.

(** ** The timer TM_2 *)

Lemma overflow_at_most M N alpha B C R : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R ->
  overflow M N alpha B C R <= over_slow M B C R.
Proof.
  intros HM Ha HB HC HR. unfold overflow. destruct (Rle_dec R _) as [c|c]; [lra|].
  destruct (theorem5_exact_condition M N alpha B C R HM Ha HB HC HR c) as [K1 K2].
  destruct (Nat.eq_dec N 0) as [e|e]; [rewrite K2; auto; lra|]. left. apply K1. lia.
Qed.

(** Section 4.4: with K >= 2 inputs of the rate C the rate is at least 2 C, and (81) with R_min = 2 C is d >= B / C if d_mb <= B / C. *)
Theorem r_min K C : (2 <= K)%nat -> 0 < C -> 2 * C <= INR K * C.
Proof. intros HK HC. apply le_INR in HK. apply Rmult_le_compat_r; [lra|]. simpl in HK. lra. Qed.

Theorem d_simple B C d d_mb : 0 < B -> 0 < C -> d_mb <= B / C -> (Rmax (B / (2 * C - C)) d_mb <= d <-> B / C <= d).
Proof.
  intros HB HC H. replace (2 * C - C) with C by ring. split; intros K.
  - pose proof (Rmax_l (B / C) d_mb). lra.
  - apply Rmax_lub; lra.
Qed.

(** Section 4.3: t_2 - t_1 < B / (M (R - C)), t_2 the overflow and t_1 > 0 the instant at which the bursts become uncontrolled. *)
Theorem unfair_duration M N alpha B C R t_1 : (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> C < R -> 0 < t_1 ->
  overflow M N alpha B C R - t_1 < B / (INR M * (R - C)).
Proof.
  intros HM Ha HB HC HR Ht. pose proof (overflow_at_most M N alpha B C R HM Ha HB HC HR) as K. unfold over_slow in K. lra.
Qed.

(** ** No policy *)

(** A port of the rate C that loses nothing of a burst of the rate R holds at least (R - C) t bytes at t: no longer than
    B / (R - C); with R = 2 Gbps, C = 1 Gbps (in bytes per second) and B = 10^6 bytes that is 8 ms. *)
Theorem no_policy_8ms n (Q : nat -> real -> real) t : (1 <= n)%nat -> (forall i, (i < n)%nat -> 0 <= Q i t) ->
  sum n (fun i => Q i t) <= 1000000 -> (250000000 - 125000000) * t <= Q 0%nat t -> t <= 8 / 1000.
Proof.
  intros Hn H0 HB HQ. pose proof (sum_term_le n (fun i => Q i t) 0 H0 ltac:(lia)) as K. simpl in K. lra.
Qed.

(** ** Jain's index *)

Lemma square_of_sum n x : sum n x * sum n x <= INR n * sum n (fun i => x i * x i).
Proof.
  induction n; [simpl; lra|]. rewrite S_INR. simpl. set (s := sum n x) in *. set (q := sum n (fun i => x i * x i)) in *. set (y := x n).
  (* 2 s y <= q + n y^2, since n (q - 2 s y + n y^2) >= s^2 - 2 s n y + n^2 y^2 *)
  assert (Q0 : 0 <= q) by (apply sum_nonneg; intros; apply Rle_0_sqr).
  assert (K : 2 * s * y <= q + INR n * (y * y)).
  { destruct (Nat.eq_dec n 0) as [e|e].
    - assert (s = 0) by (unfold s; rewrite e; reflexivity). rewrite e. simpl. rewrite H. lra.
    - assert (P : 0 < INR n) by (apply lt_0_INR; lia). apply Rmult_le_reg_l with (INR n); auto.
      pose proof (Rle_0_sqr (s - INR n * y)) as Sq. unfold Rsqr in Sq. lra. }
  lra.
Qed.

Lemma sum_of_squares n x : (forall i, (i < n)%nat -> 0 <= x i) -> sum n (fun i => x i * x i) <= sum n x * sum n x.
Proof.
  induction n; intros H; [simpl; lra|]. simpl. specialize (IHn ltac:(auto)).
  assert (S0 : 0 <= sum n x) by (apply sum_nonneg; auto). pose proof (Rmult_le_pos _ _ S0 (H n ltac:(lia))). lra.
Qed.

Definition jain_index (n : nat) (x : nat -> real) : real := sum n x * sum n x / (INR n * sum n (fun i => x i * x i)).

(** Of n numbers that are not negative, and not all 0, it is between 1/n and 1; equal ones have 1, a single one 1/n. *)
Theorem jain n x : (1 <= n)%nat -> (forall i, (i < n)%nat -> 0 <= x i) -> (exists i, (i < n)%nat /\ 0 < x i) ->
  1 / INR n <= jain_index n x <= 1 /\ jain_index n (fun _ => 1) = 1 /\ jain_index n (fun i => match i with O => 1 | _ => 0 end) = 1 / INR n.
Proof.
  intros Hn H (i & Hi & Hx). assert (P : 0 < INR n) by (apply lt_0_INR; lia).
  assert (Q0 : 0 < sum n (fun i => x i * x i)).
  { apply Rlt_le_trans with (x i * x i); [apply Rmult_lt_0_compat; auto|].
    apply (sum_term_le n (fun i => x i * x i) i); auto. intros j Hj. apply Rmult_le_pos; auto. }
  pose proof (Rmult_lt_0_compat _ _ P Q0) as PQ. unfold jain_index. split; [split|split].
  - apply div_le_div; auto. pose proof (sum_of_squares n x H). pose proof (Rmult_le_compat_l (INR n) _ _ ltac:(lra) H0). lra.
  - apply Rmult_le_reg_r with (INR n * sum n (fun i => x i * x i)); auto.
    replace (sum n x * sum n x / (INR n * sum n (fun i => x i * x i)) * (INR n * sum n (fun i => x i * x i))) with (sum n x * sum n x) by (field; lra).
    pose proof (square_of_sum n x). lra.
  - rewrite !sum_const. field. lra.
  - assert (E : forall f : nat -> real, (forall j, f (S j) = 0) -> sum n f = f 0%nat).
    { intros f Hf. destruct n as [|k]; [lia|]. clear - Hf. induction k; simpl in *; [lra|]. rewrite Hf. lra. }
    rewrite !E by (intros; ring). field. lra.
Qed.
