(** Statements about all trajectories of DT that are false, and what is so on one switch only: from runs of the engine inside Coq.

      [not_below_threshold]   a queue can be longer than its threshold (Section 2.3);
      [not_as_long]           in case b a burst first loses bytes while it is shorter than the steady queues (Section 3.1);
      [not_while_dropping]    and the free buffer is not (11) for as long as bytes are lost;
      [not_the_integral]      with pauses a queue is longer than (57) says;
      [not_by_47]             and more is free at the first loss than (47) says;
      [not_exceeding]         under the hypothesis of Theorem 2 the steady queues are not longer than the threshold at first;
      [not_one_further]       with N_k = N + k - 1 in its definition, L is too large for (31);
      [end_at_the_drop]       a burst that ends at the drop time saves another one;
      [steady_rate_matters]   the rates of the steady ports matter where a burst ends early;
      [beyond_L]              neither (14) nor (31), continued, gives the drop times of ports after L.                  *)
Require Import QArith Qreals Reals Lra Lia List.
From DT Require Import Calculus Fluid Scenario Theorem1 Theorem1Statements Theorem2 Theorem3Drain Engine Straight.
Import ListNotations.
Open Scope R_scope.

Definition rational_dt (n : nat) (alpha B C : Q) : rational_switch := RationalSwitch n (fun _ => alpha) (fun _ => 0%Q) (fun _ => C) B.

Ltac rationals := unfold Q2R in *; simpl Qnum in *; simpl Qden in *.

(** ** A burst of rate 4 beside a steady port of rate 2: alpha = 1, B = 12, C = 1 *)

Definition four_and_two (i : nat) (_ : R) : R := if Nat.eq_dec i 0 then 4 else 2.

Lemma fast_run : engine_run (rational_dt 2 1 12 1) 40 0 [0%Q; 6%Q] [(2%Q, [4%Q; 2%Q])] =
  Some [(0%Q, [0%Q; 6%Q]); ((6 # 5)%Q, [(18 # 5)%Q; (24 # 5)%Q]); (2%Q, [4%Q; 4%Q])].
Proof. vm_compute. reflexivity. Qed.

Lemma rational_real n (alpha B C : Z) : real_switch (rational_dt n (inject_Z alpha) (inject_Z B) (inject_Z C)) = dt_switch n (IZR alpha) (IZR B) (IZR C).
Proof.
  assert (I : forall z, Q2R (inject_Z z) = IZR z) by (intros; unfold Q2R; simpl; field).
  unfold real_switch, dt_switch, rational_dt. simpl. rewrite !I. replace (Q2R 0) with 0 by (unfold Q2R; simpl; lra). reflexivity.
Qed.

Lemma fast_trajectory : exists X D, micro_burst 1 1 0 1 12 1 (fun _ _ => 4) 2 four_and_two X D /\
  (forall x, 0 <= x <= 6 / 5 -> X 0%nat x = 3 * x /\ X 1%nat x = 6 - x) /\ (forall x, 0 <= x < 6 / 5 -> D 0%nat x = 3) /\
  (forall x, 6 / 5 <= x <= 2 -> X 0%nat x = 3 + x / 2 /\ X 1%nat x = 6 - x) /\ (forall x, 6 / 5 <= x < 2 -> D 0%nat x = 1 / 2).
Proof.
  assert (A : arrive_q (rational_dt 2 1 12 1) (Q2R 0) [(2%Q, [4%Q; 2%Q])] four_and_two).
  { split; [|exact I]. intros [|[|i]] t Hi _; unfold Q2R, four_and_two; simpl in *; [lra|lra|lia]. }
  assert (P : forall i, (i < queues_q (rational_dt 2 1 12 1))%nat -> 0 <= Q2R (item_q [0%Q; 6%Q] i)) by (intros [|[|i]] Hi; unfold Q2R; simpl in *; [lra|lra|lia]).
  destruct (engine_correct _ _ _ _ _ _ _ fast_run P A) as (X & D & T & E & _).
  assert (Sw := rational_real 2 1 12 1). change (rational_dt 2 (inject_Z 1) (inject_Z 12) (inject_Z 1)) with (rational_dt 2 1 12 1) in Sw.
  assert (End : Q2R 0 = 0 /\ Q2R 0 + lasting_q [(2%Q, [4%Q; 2%Q])] = 2) by (cbn [lasting_q]; unfold Q2R; simpl; lra). destruct End as [Z0 Z2].
  assert (S : sane (real_switch (rational_dt 2 1 12 1)) four_and_two (Q2R 0) (Q2R 0 + lasting_q [(2%Q, [4%Q; 2%Q])])).
  { rewrite Sw. split; simpl; intros; [lra|]. unfold four_and_two. destruct (Nat.eq_dec i 0); lra. }
  destruct (engine_straight _ _ _ _ _ _ _ _ _ fast_run A S T E) as ((_ & L1) & (_ & L2) & _).
  rewrite Z2, Z0, Sw in T.
  destruct (L1 0%nat ltac:(simpl; lia)) as [a1 a2]. destruct (L1 1%nat ltac:(simpl; lia)) as [b1 _].
  destruct (L2 0%nat ltac:(simpl; lia)) as [c1 c2]. destruct (L2 1%nat ltac:(simpl; lia)) as [d1 _].
  assert (E0 := E 0%nat ltac:(simpl; lia)). assert (E1 := E 1%nat ltac:(simpl; lia)).
  cbn [item_q nth] in *. rationals.
  exists X, D. split.
  - split; [|split|exact T].
    + split; intros i t Hi _; unfold four_and_two; destruct (Nat.eq_dec i 0); try lra; try lia.
    + intros i Hi. replace i with 0%nat by lia. replace 0 with (0 * / 1) by field. rewrite E0. lra.
    + intros i Hi. replace i with 1%nat by lia. unfold threshold, free. simpl. replace 0 with (0 * / 1) by field. rewrite E0, E1. lra.
    + intros i Hi. lia.
  - split; [|split; [|split]].
    + intros x Hx. rewrite a1, b1 by lra. split; lra.
    + intros x Hx. rewrite a2 by lra. lra.
    + intros x Hx. rewrite c1, d1 by lra. split; lra.
    + intros x Hx. rewrite c2 by lra. lra.
Qed.

Lemma fast_case : ~ slow 1 1 1 1 4.
Proof. unfold slow. simpl. lra. Qed.

Lemma fast_rejects X D x : 0 < X 0%nat x -> rejected (dt_switch 2 1 12 1) four_and_two X D 0 x = 3 - D 0%nat x.
Proof. intros H. unfold rejected, highest. destruct (Rlt_dec 0 (X 0%nat x)); [|lra]. unfold four_and_two. simpl. lra. Qed.

Theorem not_below_threshold : ~ (forall M N Z alpha B C Rate tau Ar X D, 0 < alpha -> 0 < B -> 0 < C ->
  micro_burst M N Z alpha B C Rate tau Ar X D ->
  forall i t, (i < M + N + Z)%nat -> 0 <= t <= tau -> X i t <= threshold (dt_switch (M + N + Z) alpha B C) X i t).
Proof.
  intros claim. destruct fast_trajectory as (X & D & T & a & _).
  specialize (claim 1%nat 1%nat 0%nat 1 12 1 (fun _ _ => 4) 2 four_and_two X D ltac:(lra) ltac:(lra) ltac:(lra) T 1%nat (6 / 5) ltac:(lia) ltac:(lra)).
  destruct (a (6 / 5) ltac:(lra)) as [a0 a1]. unfold threshold, free in claim. simpl in claim. rewrite a0, a1 in claim. lra.
Qed.

Theorem not_as_long : ~ (forall M N Z alpha B C R0 tau Ar X D i j t1, 0 < alpha -> 0 < B -> 0 < C -> C < R0 -> ~ slow M N alpha C R0 ->
  micro_burst M N Z alpha B C (fun _ _ => R0) tau Ar X D -> (i < M)%nat -> (M <= j < M + N)%nat -> 0 <= t1 < tau ->
  drops_first_at (dt_switch (M + N + Z) alpha B C) Ar X D i 0 t1 -> X i t1 = X j t1).
Proof.
  intros claim. destruct fast_trajectory as (X & D & T & a & b & c & d).
  assert (Drop : drops_first_at (dt_switch 2 1 12 1) four_and_two X D 0 0 (6 / 5)).
  { split.
    - intros t Ht. unfold rejected, highest. destruct (Rlt_dec 0 (X 0%nat t)) as [p|p]; unfold four_and_two; simpl.
      + rewrite (b t) by lra. lra.
      + rewrite (b t) by lra. rewrite Rmax_right; lra.
    - exists (4 / 5). split; [lra|]. intros t Ht. rewrite fast_rejects by (destruct (c t ltac:(lra)); lra). rewrite (d t) by lra. lra. }
  specialize (claim 1%nat 1%nat 0%nat 1 12 1 4 2 four_and_two X D 0%nat 1%nat (6 / 5) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) fast_case T ltac:(lia) ltac:(lia) ltac:(lra) Drop).
  destruct (a (6 / 5) ltac:(lra)) as [a0 a1]. lra.
Qed.

Theorem not_while_dropping : ~ (forall M N Z alpha B C R0 tau Ar X D i t, 0 < alpha -> 0 < B -> 0 < C -> C < R0 ->
  micro_burst M N Z alpha B C (fun _ _ => R0) tau Ar X D -> (i < M)%nat -> 0 <= t < tau ->
  0 < rejected (dt_switch (M + N + Z) alpha B C) Ar X D i t ->
  (slow M N alpha C R0 -> free (dt_switch (M + N + Z) alpha B C) X t = F_slow M N alpha B) /\
  (~ slow M N alpha C R0 -> free (dt_switch (M + N + Z) alpha B C) X t = F_fast M N alpha B C R0)).
Proof.
  intros claim. destruct fast_trajectory as (X & D & T & _ & _ & c & d). destruct (c (8 / 5) ltac:(lra)) as [c0 c1].
  assert (Loses : 0 < rejected (dt_switch 2 1 12 1) four_and_two X D 0 (8 / 5)) by (rewrite fast_rejects, d; lra).
  destruct (claim 1%nat 1%nat 0%nat 1 12 1 4 2 four_and_two X D 0%nat (8 / 5) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) T ltac:(lia) ltac:(lra) Loses) as [_ F].
  specialize (F fast_case). unfold free, F_fast in F. simpl in F. rewrite c0, c1 in F. field_simplify in F; lra.
Qed.

(** ** No arrivals for a second, then a burst of rate 9, beside a steady port of rate 2: alpha = 1, B = 6, C = 1 *)

Definition late (t : R) : R := if Rlt_dec t 1 then 0 else 9.
Definition late_and_two (i : nat) (t : R) : R := if Nat.eq_dec i 0 then late t else 2.

Lemma late_run : engine_run (rational_dt 2 1 6 1) 40 0 [0%Q; 3%Q] [(1%Q, [0%Q; 2%Q]); ((1 # 8)%Q, [9%Q; 2%Q])] =
  Some [(0%Q, [0%Q; 3%Q]); (1%Q, [0%Q; 3%Q]); ((9 # 8)%Q, [1%Q; (23 # 8)%Q])].
Proof. vm_compute. reflexivity. Qed.

Lemma late_trajectory : exists X D, micro_burst 1 1 0 1 6 1 (fun _ => late) (9 / 8) late_and_two X D /\
  X 0%nat (9 / 8) = 1 /\ X 1%nat (9 / 8) = 23 / 8 /\ (forall x, 0 <= x < 1 -> X 0%nat x = 0 /\ D 0%nat x = 0) /\ (forall x, 1 <= x < 9 / 8 -> D 0%nat x = 8).
Proof.
  set (al := [(1%Q, [0%Q; 2%Q]); ((1 # 8)%Q, [9%Q; 2%Q])]).
  assert (A : arrive_q (rational_dt 2 1 6 1) (Q2R 0) al late_and_two).
  { unfold al. split; [|split; [|exact I]].
    - intros [|[|i]] t Hi Ht; unfold Q2R, late_and_two, late in *; simpl in *; [destruct (Rlt_dec t 1); lra|lra|lia].
    - intros [|[|i]] t Hi Ht; unfold Q2R, late_and_two, late in *; simpl in *; [destruct (Rlt_dec t 1); lra|lra|lia]. }
  assert (P : forall i, (i < queues_q (rational_dt 2 1 6 1))%nat -> 0 <= Q2R (item_q [0%Q; 3%Q] i)) by (intros [|[|i]] Hi; unfold Q2R; simpl in *; [lra|lra|lia]).
  destruct (engine_correct _ _ _ _ _ _ _ late_run P A) as (X & D & T & E & _).
  assert (Sw := rational_real 2 1 6 1). change (rational_dt 2 (inject_Z 1) (inject_Z 6) (inject_Z 1)) with (rational_dt 2 1 6 1) in Sw.
  assert (End : Q2R 0 = 0 /\ Q2R 0 + lasting_q al = 9 / 8) by (unfold al; cbn [lasting_q]; unfold Q2R; simpl; lra). destruct End as [Z0 Z2].
  assert (S : sane (real_switch (rational_dt 2 1 6 1)) late_and_two (Q2R 0) (Q2R 0 + lasting_q al)).
  { rewrite Sw. split; simpl; intros; [lra|]. unfold late_and_two, late. destruct (Nat.eq_dec i 0); [destruct (Rlt_dec t 1)|]; lra. }
  destruct (engine_straight _ _ _ _ _ _ _ _ _ late_run A S T E) as ((_ & L1) & (_ & L2) & _). fold al in T.
  rewrite Z2, Z0, Sw in T.
  destruct (L1 0%nat ltac:(simpl; lia)) as [a1 a2]. destruct (L2 0%nat ltac:(simpl; lia)) as [c1 c2]. destruct (L2 1%nat ltac:(simpl; lia)) as [d1 _].
  assert (E0 := E 0%nat ltac:(simpl; lia)). assert (E1 := E 1%nat ltac:(simpl; lia)).
  cbn [item_q nth] in *. rationals.
  exists X, D. split.
  - split; [|split|exact T].
    + split; intros i t Hi Ht; unfold late_and_two; destruct (Nat.eq_dec i 0); try lra; try lia; reflexivity.
    + intros i Hi. replace i with 0%nat by lia. replace 0 with (0 * / 1) by field. rewrite E0. lra.
    + intros i Hi. replace i with 1%nat by lia. unfold threshold, free. simpl. replace 0 with (0 * / 1) by field. rewrite E0, E1. lra.
    + intros i Hi. lia.
  - split; [rewrite c1 by lra; lra|]. split; [rewrite d1 by lra; lra|]. split.
    + intros x Hx. rewrite a1, a2 by lra. split; lra.
    + intros x Hx. rewrite c2 by lra. lra.
Qed.

(** (57), A the integral of the rate: slow bursts up to d1, then fast ones, and nothing is lost. *)
Theorem not_the_integral : ~ (forall M N Z alpha B C Rate A tau Ar X D d1, 0 < alpha -> 0 < B -> 0 < C ->
  micro_burst M N Z alpha B C (fun _ => Rate) tau Ar X D -> A 0 = 0 -> continuous_on A 0 tau ->
  (forall t, 0 <= t < tau -> right_derivative A t (Rate t)) -> 0 <= d1 <= tau ->
  (forall t, 0 <= t < d1 -> 0 <= Rate t /\ slow M N alpha C (Rate t)) -> (forall t, d1 <= t < tau -> ~ slow M N alpha C (Rate t)) ->
  (forall i t, (i < M)%nat -> 0 <= t < tau -> rejected (dt_switch (M + N + Z) alpha B C) Ar X D i t = 0) ->
  forall i t, (i < M)%nat -> d1 <= t <= tau -> X i t = A t - C * t).
Proof.
  intros claim. destruct late_trajectory as (X & D & T & x0 & _ & a & c).
  specialize (claim 1%nat 1%nat 0%nat 1 6 1 late (fun t => Rmax 0 (9 * t + -9)) (9 / 8) late_and_two X D 1 ltac:(lra) ltac:(lra) ltac:(lra) T).
  assert (K : X 0%nat (9 / 8) = Rmax 0 (9 * (9 / 8) + -9) - 1 * (9 / 8)); [|rewrite Rmax_right in K; lra].
  apply claim; try lra; try lia.
  - apply Rmax_left. lra.
  - apply continuous_max; [apply continuous_const|apply continuous_linear].
  - intros t Ht. eapply rd_eq; [apply rd_max; [apply rd_const|apply rd_linear]|]. unfold max_slope, late.
    destruct (Rlt_dec (9 * t + -9) 0), (Rlt_dec t 1); try lra. destruct (Rlt_dec 0 (9 * t + -9)); [lra|]. apply Rmax_right. lra.
  - intros t Ht. unfold late, slow. simpl. destruct (Rlt_dec t 1); lra.
  - intros t Ht. unfold late, slow. simpl. destruct (Rlt_dec t 1); lra.
  - intros i t Hi Ht. replace i with 0%nat by lia. unfold rejected, highest, late_and_two, late. simpl.
    destruct (Rlt_dec t 1).
    + destruct (a t ltac:(lra)) as [z0 z1]. rewrite z0, z1. destruct (Rlt_dec 0 0); [lra|]. rewrite Rmax_left; lra.
    + rewrite c by lra. destruct (Rlt_dec 0 (X 0%nat t)); [lra|]. rewrite Rmax_right; lra.
Qed.

(** ... until half a second later: the burst meets the threshold at 6/5. *)

Lemma meets_run : engine_run (rational_dt 2 1 6 1) 40 0 [0%Q; 3%Q] [(1%Q, [0%Q; 2%Q]); ((1 # 2)%Q, [9%Q; 2%Q])] =
  Some [(0%Q, [0%Q; 3%Q]); (1%Q, [0%Q; 3%Q]); ((6 # 5)%Q, [(8 # 5)%Q; (14 # 5)%Q]); ((3 # 2)%Q, [(7 # 4)%Q; (5 # 2)%Q])].
Proof. vm_compute. reflexivity. Qed.

Lemma meets_trajectory : exists X D, micro_burst 1 1 0 1 6 1 (fun _ => late) (3 / 2) late_and_two X D /\
  X 0%nat (6 / 5) = 8 / 5 /\ X 1%nat (6 / 5) = 14 / 5 /\ (forall x, 0 <= x < 1 -> X 0%nat x = 0 /\ D 0%nat x = 0) /\
  (forall x, 1 <= x < 6 / 5 -> D 0%nat x = 8) /\ (forall x, 6 / 5 <= x < 3 / 2 -> D 0%nat x = 1 / 2).
Proof.
  set (al := [(1%Q, [0%Q; 2%Q]); ((1 # 2)%Q, [9%Q; 2%Q])]).
  assert (A : arrive_q (rational_dt 2 1 6 1) (Q2R 0) al late_and_two).
  { unfold al. split; [|split; [|exact I]]; intros [|[|i]] t Hi Ht; unfold Q2R, late_and_two, late in *; simpl in *; try destruct (Rlt_dec t 1); lra || lia. }
  assert (P : forall i, (i < queues_q (rational_dt 2 1 6 1))%nat -> 0 <= Q2R (item_q [0%Q; 3%Q] i)) by (intros [|[|i]] Hi; unfold Q2R; simpl in *; [lra|lra|lia]).
  destruct (engine_correct _ _ _ _ _ _ _ meets_run P A) as (X & D & T & E & _).
  assert (Sw := rational_real 2 1 6 1). change (rational_dt 2 (inject_Z 1) (inject_Z 6) (inject_Z 1)) with (rational_dt 2 1 6 1) in Sw.
  assert (End : Q2R 0 = 0 /\ Q2R 0 + lasting_q al = 3 / 2) by (unfold al; cbn [lasting_q]; unfold Q2R; simpl; lra). destruct End as [Z0 Z2].
  assert (S : sane (real_switch (rational_dt 2 1 6 1)) late_and_two (Q2R 0) (Q2R 0 + lasting_q al)).
  { rewrite Sw. split; simpl; intros; [lra|]. unfold late_and_two, late. destruct (Nat.eq_dec i 0); [destruct (Rlt_dec t 1)|]; lra. }
  destruct (engine_straight _ _ _ _ _ _ _ _ _ meets_run A S T E) as ((_ & L1) & (_ & L2) & (_ & L3) & _). fold al in T.
  rewrite Z2, Z0, Sw in T.
  destruct (L1 0%nat ltac:(simpl; lia)) as [a1 a2]. destruct (L2 0%nat ltac:(simpl; lia)) as [c1 c2]. destruct (L2 1%nat ltac:(simpl; lia)) as [d1 _].
  destruct (L3 0%nat ltac:(simpl; lia)) as [_ e2]. assert (E0 := E 0%nat ltac:(simpl; lia)). assert (E1 := E 1%nat ltac:(simpl; lia)).
  cbn [item_q nth] in *. rationals.
  exists X, D. split.
  - split; [|split|exact T].
    + split; intros i t Hi Ht; unfold late_and_two; destruct (Nat.eq_dec i 0); try lra; try lia; reflexivity.
    + intros i Hi. replace i with 0%nat by lia. replace 0 with (0 * / 1) by field. rewrite E0. lra.
    + intros i Hi. replace i with 1%nat by lia. unfold threshold, free. simpl. replace 0 with (0 * / 1) by field. rewrite E0, E1. lra.
    + intros i Hi. lia.
  - split; [rewrite c1 by lra; lra|]. split; [rewrite d1 by lra; lra|]. split; [|split].
    + intros x Hx. rewrite a1, a2 by lra. split; lra.
    + intros x Hx. rewrite c2 by lra. lra.
    + intros x Hx. rewrite e2 by lra. lra.
Qed.

(** (47), at t_2 by (43), A the integral of the rate: slow bursts up to d1, then fast ones that meet the threshold first. *)
Theorem not_by_47 : ~ (forall M N Z alpha B C Rate A tau Ar X D d1 t1 t_2 i, 0 < alpha -> 0 < B -> 0 < C ->
  micro_burst M N Z alpha B C (fun _ => Rate) tau Ar X D -> A 0 = 0 -> continuous_on A 0 tau ->
  (forall t, 0 <= t < tau -> right_derivative A t (Rate t)) -> 0 <= d1 <= t_2 -> t_2 < tau ->
  (forall t, 0 <= t < d1 -> 0 <= Rate t /\ slow M N alpha C (Rate t)) -> (forall t, d1 <= t < tau -> ~ slow M N alpha C (Rate t)) ->
  (1 + alpha * INR M) * A t_2 - (1 + alpha * INR M + alpha * INR N) * C * t_2 =
    (alpha * B + alpha * INR N * (alpha * INR M * A d1 - (1 + alpha * INR M + alpha * INR N) * C * d1)) / (1 + alpha * INR N) ->
  (i < M)%nat -> d1 <= t1 < tau -> drops_first_at (dt_switch (M + N + Z) alpha B C) Ar X D i 0 t1 ->
  free (dt_switch (M + N + Z) alpha B C) X t1 =
    (B + INR N * (alpha * INR M * A d1 - (1 + alpha * INR M + alpha * INR N) * C * d1)) / (1 + alpha * INR N) + (INR M + INR N) * C * t_2 - INR M * A t_2).
Proof.
  intros claim. destruct meets_trajectory as (X & D & T & x0 & x1 & a & b & c).
  specialize (claim 1%nat 1%nat 0%nat 1 6 1 late (fun t => Rmax 0 (9 * t + -9)) (3 / 2) late_and_two X D 1 (6 / 5) (13 / 10) 0%nat ltac:(lra) ltac:(lra) ltac:(lra) T).
  assert (F : free (dt_switch 2 1 6 1) X (6 / 5) = 8 / 5) by (unfold free; simpl; rewrite x0, x1; lra).
  cbv beta in claim. rewrite (Rmax_right 0 (9 * (13 / 10) + -9)), (Rmax_left 0 (9 * 1 + -9)) in claim by lra. simpl INR in claim. simpl plus in claim. rewrite F in claim.
  assert (K : 8 / 5 = 7 / 5); [|lra]. transitivity ((6 + 1 * (1 * 1 * 0 - (1 + 1 * 1 + 1 * 1) * 1 * 1)) / (1 + 1 * 1) + (1 + 1) * 1 * (13 / 10) - 1 * (9 * (13 / 10) + -9)); [|lra].
  apply claim; try lra; try lia.
  - apply Rmax_left. lra.
  - apply continuous_max; [apply continuous_const|apply continuous_linear].
  - intros t Ht. eapply rd_eq; [apply rd_max; [apply rd_const|apply rd_linear]|]. unfold max_slope, late.
    destruct (Rlt_dec (9 * t + -9) 0), (Rlt_dec t 1); try lra. destruct (Rlt_dec 0 (9 * t + -9)); [lra|]. apply Rmax_right. lra.
  - intros t Ht. unfold late, slow. simpl. destruct (Rlt_dec t 1); lra.
  - intros t Ht. unfold late, slow. simpl. destruct (Rlt_dec t 1); lra.
  - split.
    + intros t Ht. unfold rejected, highest, late_and_two, late. simpl. destruct (Rlt_dec t 1).
      * destruct (a t ltac:(lra)) as [z0 z1]. rewrite z0, z1. destruct (Rlt_dec 0 0); [lra|]. rewrite Rmax_left; lra.
      * rewrite b by lra. destruct (Rlt_dec 0 (X 0%nat t)); [lra|]. rewrite Rmax_right; lra.
    + exists (3 / 10). split; [lra|]. intros t Ht. unfold rejected, highest, late_and_two, late. simpl. destruct (Rlt_dec t 1); [lra|].
      rewrite c by lra. destruct (Rlt_dec 0 (X 0%nat t)); [lra|]. rewrite Rmax_right; lra.
Qed.

(** ** A burst of rate 2 beside a steady port of rate 2: alpha = 1, B = 12, C = 1 *)

Definition two_and_two (_ : nat) (_ : R) : R := 2.

Lemma follows_run : engine_run (rational_dt 2 1 12 1) 40 0 [0%Q; 6%Q] [(2%Q, [2%Q; 2%Q])] = Some [(0%Q, [0%Q; 6%Q]); (2%Q, [2%Q; 5%Q])].
Proof. vm_compute. reflexivity. Qed.

(** Under the hypothesis of Theorem 2 the steady queues are not longer than the threshold for a while. *)
Theorem not_exceeding : ~ (forall M N Z alpha B C R0 tau Ar X D j, (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C -> 0 < tau ->
  (forall i, (i < M)%nat -> C < R0 i) -> (forall i k, (i <= k < M)%nat -> R0 k <= R0 i) -> sum M (fun i => R0 i - C) <= (1 + alpha * INR N) * C / alpha ->
  micro_burst M N Z alpha B C (fun i _ => R0 i) tau Ar X D -> (M <= j < M + N)%nat ->
  exists d, 0 < d /\ forall t, 0 < t < d -> t < tau -> threshold (dt_switch (M + N + Z) alpha B C) X j t < X j t).
Proof.
  intros claim.
  assert (A : arrive_q (rational_dt 2 1 12 1) (Q2R 0) [(2%Q, [2%Q; 2%Q])] two_and_two).
  { split; [|exact I]. intros [|[|i]] t Hi _; unfold Q2R, two_and_two; simpl in *; [lra|lra|lia]. }
  assert (P : forall i, (i < queues_q (rational_dt 2 1 12 1))%nat -> 0 <= Q2R (item_q [0%Q; 6%Q] i)) by (intros [|[|i]] Hi; unfold Q2R; simpl in *; [lra|lra|lia]).
  destruct (engine_correct _ _ _ _ _ _ _ follows_run P A) as (X & D & T & E & _).
  assert (Sw := rational_real 2 1 12 1). change (rational_dt 2 (inject_Z 1) (inject_Z 12) (inject_Z 1)) with (rational_dt 2 1 12 1) in Sw.
  assert (End : Q2R 0 = 0 /\ Q2R 0 + lasting_q [(2%Q, [2%Q; 2%Q])] = 2) by (cbn [lasting_q]; unfold Q2R; simpl; lra). destruct End as [Z0 Z2].
  assert (S : sane (real_switch (rational_dt 2 1 12 1)) two_and_two (Q2R 0) (Q2R 0 + lasting_q [(2%Q, [2%Q; 2%Q])])).
  { rewrite Sw. split; simpl; intros; [lra|]. unfold two_and_two. lra. }
  destruct (engine_straight _ _ _ _ _ _ _ _ _ follows_run A S T E) as ((_ & L1) & _).
  rewrite Z2, Z0, Sw in T.
  destruct (L1 0%nat ltac:(simpl; lia)) as [a1 _]. destruct (L1 1%nat ltac:(simpl; lia)) as [b1 _].
  assert (E0 := E 0%nat ltac:(simpl; lia)). assert (E1 := E 1%nat ltac:(simpl; lia)). cbn [item_q nth] in *. rationals.
  destruct (claim 1%nat 1%nat 0%nat 1 12 1 (fun _ => 2) 2 two_and_two X D 1%nat) as (d & Hd & K); try lra; try lia; try (simpl; lra); try (intros; lra).
  { split; [|split|exact T].
    - split; intros i t Hi _; unfold two_and_two; try lra; try lia.
    - intros i Hi. replace i with 0%nat by lia. replace 0 with (0 * / 1) by field. rewrite E0. lra.
    - intros i Hi. replace i with 1%nat by lia. unfold threshold, free. simpl. replace 0 with (0 * / 1) by field. rewrite E0, E1. lra.
    - intros i Hi. lia. }
  pose proof (Rmin_l (d / 2) 1). pose proof (Rmin_r (d / 2) 1). assert (0 < Rmin (d / 2) 1) by (apply Rmin_glb_lt; lra).
  specialize (K (Rmin (d / 2) 1) ltac:(lra) ltac:(lra)). unfold threshold, free in K. simpl in K. rewrite a1, b1 in K by lra. lra.
Qed.

(** ** Two bursts, of the rates 5 and 5/2: alpha = 1, B = 12, C = 1 *)

Definition five_and_half (i : nat) : R := if Nat.eq_dec i 0 then 5 else 5 / 2.

Lemma half_run : engine_run (rational_dt 2 1 12 1) 40 0 [0%Q; 0%Q] [(3%Q, [5%Q; (5 # 2)%Q])] =
  Some [(0%Q, [0%Q; 0%Q]); ((24 # 19)%Q, [(96 # 19)%Q; (36 # 19)%Q]); ((8 # 3)%Q, [4%Q; 4%Q]); (3%Q, [4%Q; 4%Q])].
Proof. vm_compute. reflexivity. Qed.

(** (31) up to the largest k for which G_k is above (1 + alpha (N_k - 1)) C / alpha with N_k = N + k - 1; k is counted from 0. *)
Theorem not_one_further : ~ (forall M N Z alpha B C R0 tau Ar X D k, 0 < alpha -> 0 < B -> 0 < C ->
  (forall i, (i < M)%nat -> C < R0 i) -> (forall i j, (i <= j < M)%nat -> R0 j <= R0 i) -> (1 + alpha * INR N) * C / alpha < sum M (fun i => R0 i - C) ->
  micro_burst M N Z alpha B C (fun i _ => R0 i) tau Ar X D -> (k < M)%nat ->
  (1 + alpha * (INR (N + k) - 1)) * C / alpha < sum (M - k) (fun i => R0 (k + i)%nat - C) ->
  t31 M N alpha B C R0 k < tau -> drops_first_at (dt_switch (M + N + Z) alpha B C) Ar X D k 0 (t31 M N alpha B C R0 k)).
Proof.
  intros claim. set (Ar := fun (i : nat) (_ : R) => five_and_half i).
  assert (A : arrive_q (rational_dt 2 1 12 1) (Q2R 0) [(3%Q, [5%Q; (5 # 2)%Q])] Ar).
  { split; [|exact I]. intros [|[|i]] t Hi _; unfold Q2R, Ar, five_and_half; simpl in *; [lra|lra|lia]. }
  assert (P : forall i, (i < queues_q (rational_dt 2 1 12 1))%nat -> 0 <= Q2R (item_q [0%Q; 0%Q] i)) by (intros [|[|i]] Hi; unfold Q2R; simpl in *; [lra|lra|lia]).
  destruct (engine_correct _ _ _ _ _ _ _ half_run P A) as (X & D & T & E & _).
  assert (Sw := rational_real 2 1 12 1). change (rational_dt 2 (inject_Z 1) (inject_Z 12) (inject_Z 1)) with (rational_dt 2 1 12 1) in Sw.
  assert (End : Q2R 0 = 0 /\ Q2R 0 + lasting_q [(3%Q, [5%Q; (5 # 2)%Q])] = 3) by (cbn [lasting_q]; unfold Q2R; simpl; lra). destruct End as [Z0 Z2].
  assert (S : sane (real_switch (rational_dt 2 1 12 1)) Ar (Q2R 0) (Q2R 0 + lasting_q [(3%Q, [5%Q; (5 # 2)%Q])])).
  { rewrite Sw. split; simpl; intros; [lra|]. unfold Ar, five_and_half. destruct (Nat.eq_dec i 0); lra. }
  destruct (engine_straight _ _ _ _ _ _ _ _ _ half_run A S T E) as (_ & _ & (_ & L3) & _).
  rewrite Z2, Z0, Sw in T. destruct (L3 1%nat ltac:(simpl; lia)) as [a1 a2].
  assert (E0 := E 0%nat ltac:(simpl; lia)). assert (E1 := E 1%nat ltac:(simpl; lia)). cbn [item_q nth] in *. rationals.
  assert (t2 : t31 2 0 1 12 1 five_and_half 1 = 54 / 19).
  { unfold t31, five_and_half. cbn [Theorem3Drain.recursion31 fst snd]. unfold Theorem2.G, F0. simpl. field. }
  destruct (claim 2%nat 0%nat 0%nat 1 12 1 five_and_half 3 Ar X D 1%nat) as [K _]; try lra; try lia; try (unfold five_and_half; simpl; lra).
  { intros i Hi. unfold five_and_half. destruct (Nat.eq_dec i 0); lra. }
  { intros i j Hij. unfold five_and_half. destruct (Nat.eq_dec i 0), (Nat.eq_dec j 0); lra || lia. }
  { split; [|split|exact T].
    - split; intros i t Hi _; [reflexivity|lia|lia].
    - intros i Hi. destruct i as [|[|i]]; [| |lia]; replace 0 with (0 * / 1) by field; rewrite ?E0, ?E1; lra.
    - intros i Hi. lia.
    - intros i Hi. lia. }
  rewrite t2 in K. specialize (K (8 / 3) ltac:(lra)). unfold rejected, highest in K. rewrite a2 in K by lra. unfold Ar, five_and_half in K. simpl in K.
  rewrite a1 in K by lra. destruct (Rlt_dec 0 _) in K; lra.
Qed.

(** ** What is so on one switch only *)

(** What the engine answers of a switch with whole numbers, as a trajectory. *)
Lemma engine_lines n (alpha B C : Z) al q trace Ar : engine_run (rational_dt n (inject_Z alpha) (inject_Z B) (inject_Z C)) 60 0 q al = Some trace ->
  (0 <= alpha)%Z -> (0 <= C)%Z -> (forall i, (i < n)%nat -> 0 <= Q2R (item_q q i)) -> (forall i t, (i < n)%nat -> 0 <= Ar i t) ->
  arrive_q (rational_dt n (inject_Z alpha) (inject_Z B) (inject_Z C)) (Q2R 0) al Ar ->
  exists X D, trajectory (dt_switch n (IZR alpha) (IZR B) (IZR C)) Ar 0 (lasting_q al) X D /\ (forall i, (i < n)%nat -> X i 0 = Q2R (item_q q i)) /\ straight_q (rational_dt n (inject_Z alpha) (inject_Z B) (inject_Z C)) X D trace.
Proof.
  intros Run Ha Hc P N A. destruct (engine_correct _ _ _ _ _ _ _ Run P A) as (X & D & T & E & _).
  assert (S : sane (real_switch (rational_dt n (inject_Z alpha) (inject_Z B) (inject_Z C))) Ar (Q2R 0) (Q2R 0 + lasting_q al)).
  { rewrite rational_real. apply IZR_le in Ha, Hc. split; simpl; intros; [lra|auto]. }
  exists X, D. split; [|split].
  - rewrite rational_real in T. replace (Q2R 0) with 0 in T by (unfold Q2R; simpl; lra). rewrite Rplus_0_l in T. exact T.
  - intros i Hi. rewrite <- E by exact Hi. f_equal. unfold Q2R; simpl; lra.
  - exact (engine_straight _ _ _ _ _ _ _ _ _ Run A S T E).
Qed.

(** Two bursts of rate 5/4 would drop at 4; where the second ends then, the first loses nothing, until 5. *)
Theorem end_at_the_drop : exists Ar X D, eq10_time 2 0 1 3 1 (5 / 4) = 4 /\ (forall t, 0 <= t < 5 -> Ar 0%nat t = 5 / 4) /\
  (forall t, 0 <= t < 4 -> Ar 1%nat t = 5 / 4) /\ (forall t, 4 <= t < 5 -> Ar 1%nat t = 0) /\ trajectory (dt_switch 2 1 3 1) Ar 0 5 X D /\
  (forall i, (i < 2)%nat -> X i 0 = 0) /\ forall t, 0 <= t < 5 -> rejected (dt_switch 2 1 3 1) Ar X D 0 t = 0.
Proof.
  set (al := [(4%Q, [(5 # 4)%Q; (5 # 4)%Q]); (1%Q, [(5 # 4)%Q; 0%Q])]).
  set (Ar := fun (i : nat) t => if Nat.eq_dec i 0 then 5 / 4 else if Rlt_dec t 4 then 5 / 4 else 0).
  destruct (engine_lines 2 1 3 1 al [0%Q; 0%Q] [(0%Q, [0%Q; 0%Q]); (4%Q, [1%Q; 1%Q]); (5%Q, [(5 # 4)%Q; 0%Q])] Ar) as (X & D & T & E & (_ & L1) & (_ & L2) & _).
  { vm_compute. reflexivity. } { lia. } { lia. }
  { intros [|[|i]] Hi; unfold Q2R; simpl in *; [lra|lra|lia]. }
  { intros i t _. unfold Ar. destruct (Nat.eq_dec i 0); [lra|]. destruct (Rlt_dec t 4); lra. }
  { unfold al. split; [|split; [|exact I]]; intros [|[|i]] t Hi Ht; unfold Q2R, Ar in *; simpl in *; try destruct (Rlt_dec t 4); lra || lia. }
  assert (Z5 : lasting_q al = 5) by (unfold al; cbn [lasting_q]; unfold Q2R; simpl; lra). rewrite Z5 in T.
  destruct (L1 0%nat ltac:(simpl; lia)) as [_ a2]. destruct (L2 0%nat ltac:(simpl; lia)) as [_ c2]. cbn [item_q nth] in *. rationals.
  exists Ar, X, D. split; [|split; [|split; [|split; [|split; [exact T|split]]]]].
  - unfold eq10_time. destruct (Rle_dec _ _) as [c|c]; [unfold t_slow; simpl; field|exfalso; apply c; simpl; lra].
  - intros t _. reflexivity.
  - intros t Ht. unfold Ar. simpl. destruct (Rlt_dec t 4); lra.
  - intros t Ht. unfold Ar. simpl. destruct (Rlt_dec t 4); lra.
  - intros i Hi. rewrite E by auto. destruct i as [|[|i]]; [| |lia]; unfold Q2R; simpl; lra.
  - assert (D0 : forall t, 0 <= t < 5 -> D 0%nat t = 1 / 4) by (intros t Ht; destruct (Rlt_dec t 4); [rewrite a2 by lra|rewrite c2 by lra]; lra).
    intros t Ht. unfold rejected, highest, Ar. simpl. rewrite D0 by auto. destruct (Rlt_dec 0 (X 0%nat t)); [lra|]. rewrite Rmax_right; lra.
Qed.

(** Bursts of the rates 3/2 and 2, of which the second ends at 3, beside a steady port that is offered b. *)
Definition three_rates (b : R) (i : nat) (t : R) : R := if Nat.eq_dec i 0 then 3 / 2 else if Nat.eq_dec i 1 then (if Rlt_dec t 3 then 2 else 0) else b.

Ltac three_lines al b :=
  unfold al; split; [|split; [|exact I]]; intros [|[|[|i]]] t Hi Ht; unfold Q2R, three_rates in *; simpl in *; try destruct (Rlt_dec t 3); lra || lia.

Lemma drops_of_lines n alpha B C Ar X D i t1 e d1 a : (i < n)%nat -> C < a -> 0 <= t1 < e -> (forall t, 0 <= t < e -> Ar i t = a) ->
  (forall t, 0 <= t < t1 -> D i t = a - C) -> (forall t, t1 <= t < e -> D i t = d1) -> d1 < a - C -> drops_first_at (dt_switch n alpha B C) Ar X D i 0 t1.
Proof.
  intros Hi Ha Ht HA D0 D1 Hd. assert (K : forall t, 0 <= t < e -> rejected (dt_switch n alpha B C) Ar X D i t = a - C - D i t).
  { intros t Htt. unfold rejected, highest. simpl. rewrite HA by auto. destruct (Rlt_dec 0 (X i t)); [reflexivity|]. rewrite Rmax_right; lra. }
  split; [intros t Htt; rewrite K, D0 by lra; ring|]. exists (e - t1). split; [lra|]. intros t Htt. rewrite K, D1 by lra. lra.
Qed.

(** Where a burst ends early the rates of the steady ports matter: the first burst loses from 33/4 on, or from 8 on. *)
Theorem steady_rate_matters : exists X D X' D', trajectory (dt_switch 3 1 12 1) (three_rates 1) 0 12 X D /\ trajectory (dt_switch 3 1 12 1) (three_rates 2) 0 12 X' D' /\
  (forall i, (i < 3)%nat -> X i 0 = X' i 0) /\ (X 0%nat 0 = 0 /\ X 1%nat 0 = 0 /\ X 2%nat 0 = threshold (dt_switch 3 1 12 1) X 2 0) /\
  drops_first_at (dt_switch 3 1 12 1) (three_rates 1) X D 0 0 (33 / 4) /\ drops_first_at (dt_switch 3 1 12 1) (three_rates 2) X' D' 0 0 8.
Proof.
  set (al := [(3%Q, [(3 # 2)%Q; 2%Q; 1%Q]); (9%Q, [(3 # 2)%Q; 0%Q; 1%Q])]). set (al' := [(3%Q, [(3 # 2)%Q; 2%Q; 2%Q]); (9%Q, [(3 # 2)%Q; 0%Q; 2%Q])]).
  assert (Pos : forall i, (i < 3)%nat -> 0 <= Q2R (item_q [0%Q; 0%Q; 6%Q] i)) by (intros [|[|[|i]]] Hi; unfold Q2R; simpl in *; lra || lia).
  assert (Arr : forall b i t, 0 <= b -> 0 <= three_rates b i t) by (intros b i t Hb; unfold three_rates; destruct (Nat.eq_dec i 0), (Nat.eq_dec i 1), (Rlt_dec t 3); lra).
  destruct (engine_lines 3 1 12 1 al [0%Q; 0%Q; 6%Q] [(0%Q, [0%Q; 0%Q; 6%Q]); (3%Q, [(3 # 2)%Q; 3%Q; (15 # 4)%Q]); (6%Q, [3%Q; 0%Q; (15 # 4)%Q]);
    ((33 # 4)%Q, [(33 # 8)%Q; 0%Q; (15 # 4)%Q]); (12%Q, [(33 # 8)%Q; 0%Q; (15 # 4)%Q])] (three_rates 1)) as (X & D & T & E & (_ & L1) & (_ & L2) & (_ & L3) & (_ & L4) & _).
  { vm_compute. reflexivity. } { lia. } { lia. } { exact Pos. } { intros; apply Arr; lra. } { three_lines al 1. }
  destruct (engine_lines 3 1 12 1 al' [0%Q; 0%Q; 6%Q] [(0%Q, [0%Q; 0%Q; 6%Q]); (3%Q, [(3 # 2)%Q; 3%Q; (15 # 4)%Q]); (6%Q, [3%Q; 0%Q; (9 # 2)%Q]);
    (8%Q, [4%Q; 0%Q; 4%Q]); (12%Q, [4%Q; 0%Q; 4%Q])] (three_rates 2)) as (X' & D' & T' & E' & (_ & K1) & (_ & K2) & (_ & K3) & (_ & K4) & _).
  { vm_compute. reflexivity. } { lia. } { lia. } { exact Pos. } { intros; apply Arr; lra. } { three_lines al' 2. }
  assert (Z1 : lasting_q al = 12) by (unfold al; cbn [lasting_q]; unfold Q2R; simpl; lra). assert (Z2 : lasting_q al' = 12) by (unfold al'; cbn [lasting_q]; unfold Q2R; simpl; lra).
  rewrite Z1 in T. rewrite Z2 in T'.
  destruct (L1 0%nat ltac:(simpl; lia)) as [_ l1]. destruct (L2 0%nat ltac:(simpl; lia)) as [_ l2]. destruct (L3 0%nat ltac:(simpl; lia)) as [_ l3]. destruct (L4 0%nat ltac:(simpl; lia)) as [_ l4].
  destruct (K1 0%nat ltac:(simpl; lia)) as [_ k1]. destruct (K2 0%nat ltac:(simpl; lia)) as [_ k2]. destruct (K3 0%nat ltac:(simpl; lia)) as [_ k3]. destruct (K4 0%nat ltac:(simpl; lia)) as [_ k4].
  assert (X0 := E 0%nat ltac:(lia)). assert (X1 := E 1%nat ltac:(lia)). assert (X2 := E 2%nat ltac:(lia)).
  cbn [item_q nth] in *. rationals.
  exists X, D, X', D'. split; [exact T|]. split; [exact T'|]. split; [intros i Hi; rewrite E, E' by auto; reflexivity|]. split; [|split].
  - split; [lra|]. split; [lra|]. unfold threshold, free. simpl. rewrite X0, X1, X2. lra.
  - apply (drops_of_lines 3 1 12 1) with (e := 12) (d1 := 0) (a := 3 / 2); try lra; try lia; [intros; reflexivity| |intros t Ht; rewrite l4 by lra; lra].
    intros t Ht. destruct (Rlt_dec t 3); [rewrite l1 by lra; lra|]. destruct (Rlt_dec t 6); [rewrite l2 by lra|rewrite l3 by lra]; lra.
  - apply (drops_of_lines 3 1 12 1) with (e := 12) (d1 := 0) (a := 3 / 2); try lra; try lia; [intros; reflexivity| |intros t Ht; rewrite k4 by lra; lra].
    intros t Ht. destruct (Rlt_dec t 3); [rewrite k1 by lra; lra|]. destruct (Rlt_dec t 6); [rewrite k2 by lra|rewrite k3 by lra]; lra.
Qed.

(** Bursts of the rates 4 and 3 beside a steady port: L = 1, and the second meets the threshold at 6/5, where (14) continued says 33/28 and (31) 9/7. *)
Theorem beyond_L : exists R0 Ar X D, last_stage 2 1 1 1 R0 1 /\ t31 2 1 1 12 1 R0 0 = 6 / 7 /\ micro_burst 2 1 0 1 12 1 (fun i _ => R0 i) 2 Ar X D /\
  drops_first_at (dt_switch 3 1 12 1) Ar X D 0 0 (6 / 7) /\ free (dt_switch 3 1 12 1) X (6 / 7) = 18 / 7 /\ drops_first_at (dt_switch 3 1 12 1) Ar X D 1 0 (6 / 5) /\
  (18 / 7 * (1 + 1 * 2) + 2 * (6 / 7)) / (2 * (1 + 1 * 2) + 1 * 2) = 33 / 28 /\ t31 2 1 1 12 1 R0 1 = 9 / 7.
Proof.
  set (R0 := fun i => if Nat.eq_dec i 0 then 4 else 3). set (Ar := fun (i : nat) (_ : R) => if Nat.eq_dec i 0 then 4 else if Nat.eq_dec i 1 then 3 else 2).
  set (al := [(2%Q, [4%Q; 3%Q; 2%Q])]).
  destruct (engine_lines 3 1 12 1 al [0%Q; 0%Q; 6%Q] [(0%Q, [0%Q; 0%Q; 6%Q]); ((6 # 7)%Q, [(18 # 7)%Q; (12 # 7)%Q; (36 # 7)%Q]); ((6 # 5)%Q, [(12 # 5)%Q; (12 # 5)%Q; (24 # 5)%Q]);
    (2%Q, [(8 # 3)%Q; (8 # 3)%Q; 4%Q])] Ar) as (X & D & T & E & (_ & L1) & (_ & L2) & (_ & L3) & _).
  { vm_compute. reflexivity. } { lia. } { lia. } { intros [|[|[|i]]] Hi; unfold Q2R; simpl in *; lra || lia. }
  { intros i t _. unfold Ar. destruct (Nat.eq_dec i 0), (Nat.eq_dec i 1); lra. }
  { unfold al. split; [|exact I]. intros [|[|[|i]]] t Hi Ht; unfold Q2R, Ar; simpl in *; lra || lia. }
  assert (Z1 : lasting_q al = 2) by (unfold al; cbn [lasting_q]; unfold Q2R; simpl; lra). rewrite Z1 in T.
  destruct (L1 0%nat ltac:(simpl; lia)) as [_ l1]. destruct (L2 0%nat ltac:(simpl; lia)) as [x0 l2]. destruct (L3 0%nat ltac:(simpl; lia)) as [_ l3].
  destruct (L1 1%nat ltac:(simpl; lia)) as [_ k1]. destruct (L2 1%nat ltac:(simpl; lia)) as [x1 k2]. destruct (L3 1%nat ltac:(simpl; lia)) as [_ k3]. destruct (L2 2%nat ltac:(simpl; lia)) as [x2 _].
  assert (X0 := E 0%nat ltac:(lia)). assert (X1 := E 1%nat ltac:(lia)). assert (X2 := E 2%nat ltac:(lia)). cbn [item_q nth] in *. rationals.
  exists R0, Ar, X, D. split; [|split; [|split; [|split; [|split; [|split; [|split]]]]]].
  - split; [lia|split]; intros k Hk; [replace k with 0%nat by lia|replace k with 1%nat by lia]; unfold drains, Theorem2.G, R0; simpl; lra.
  - unfold t31, R0. cbn [Theorem3Drain.recursion31 fst snd]. unfold Theorem2.G, F0. simpl. field.
  - split; [|split|exact T].
    + split; intros i t Hi _; unfold Ar, R0; destruct (Nat.eq_dec i 0), (Nat.eq_dec i 1); try lra; try lia.
    + intros i Hi. destruct i as [|[|i]]; [lra|lra|lia].
    + intros i Hi. replace i with 2%nat by lia. unfold threshold, free. simpl. rewrite X0, X1, X2. lra.
    + intros i Hi. lia.
  - apply (drops_of_lines 3 1 12 1) with (e := 6 / 5) (d1 := - (1 / 2)) (a := 4); try lra; try lia; [intros; reflexivity|intros t Ht; rewrite l1 by lra; lra|intros t Ht; rewrite l2 by lra; lra].
  - unfold free. simpl. rewrite x0, x1, x2 by lra. lra.
  - apply (drops_of_lines 3 1 12 1) with (e := 2) (d1 := 1 / 3) (a := 3); try lra; try lia; [intros; reflexivity| |intros t Ht; rewrite k3 by lra; lra].
    intros t Ht. destruct (Rlt_dec t (6 / 7)); [rewrite k1 by lra|rewrite k2 by lra]; lra.
  - lra.
  - unfold t31, R0. cbn [Theorem3Drain.recursion31 fst snd]. unfold Theorem2.G, F0. simpl. field.
Qed.
