(** DT/EDT paper, Sections 3.1 and 4.3: how many bytes a burst loses, and when all is as before.

      [lost_bytes]          without a pause a port loses (R - C) d - Q(d) by d, whatever the policy does with it;
      [bytes_lost_dt]       Q(d) under DT, in both cases (edt.ours.bytes-lost.dt);
      [after_overflow], [bytes_lost_edt]    Q(d) under EDT for slow bursts, before and after the overflow;
      [recovery_dt], [recovery_edt]         all is as before at d + Q(d) / C (edt.ours.recovery);
      [figure_11], [jump]   the lengths until the overflow, and the uncontrolled threshold.                    *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds Theorem1Evolution Theorem5 Theorem1Statements FreeBuffer FreeBufferExtremes FreeBufferUse ThresholdRule Recovery Theorem5Lengths.
Open Scope R_scope.

(** A queue with the right derivative D that is offered R > C all the time, at a port that sends C. *)
Theorem lost_bytes n alpha B C R tau Ar Q D k L : 0 < C -> C < R -> 0 <= tau -> (k < n)%nat ->
  (forall t, 0 <= t < tau -> Ar k t = R) -> Q k 0 = 0 -> continuous_on (Q k) 0 tau -> (forall t, 0 <= t < tau -> right_derivative (Q k) t (D k t)) ->
  continuous_on L 0 tau -> L 0 = 0 -> (forall t, 0 <= t < tau -> right_derivative L t (rejected (dt_switch n alpha B C) Ar Q D k t)) ->
  L tau = (R - C) * tau - Q k tau.
Proof.
  intros HC HR Ht Hk HA Q0 CQ DQ CL L0 DL.
  assert (K : L tau - (R - C) * tau + Q k tau = L 0 - (R - C) * 0 + Q k 0); [|lra].
  apply (constant_of_slope (fun t => L t - (R - C) * t + Q k t)); auto.
  - apply continuous_plus; auto. apply continuous_minus; auto. apply continuous_ext with (fun u => (R - C) * u + 0); [intros; ring|apply continuous_linear].
  - intros t Htt. eapply rd_eq.
    + apply rd_plus; [apply rd_minus; [apply DL; auto|]|apply DQ; auto].
      apply rd_ext with (fun u => (R - C) * u + 0); [exists 1; split; [lra|]; intros; ring|apply rd_linear].
    + unfold rejected, highest. simpl. rewrite HA by auto. destruct (Rlt_dec 0 (Q k t)); [ring|]. rewrite Rmax_right; lra.
Qed.

Section Lost.
Variables (M N Z : nat) (alpha B C R : real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (overloaded : C < R).
Notation m := (INR M).
Notation n := (INR N).
Notation r := (R - C).
Notation sw := (dt_switch (M + N + Z) alpha B C).
Notation share := (alpha * B / (1 + alpha * (m + n))).
Notation over := (overflow M N alpha B C R).

(** ** DT *)

(** [d] is the duration of the bursts, L the bytes that port k has lost by then. *)
Theorem bytes_lost_dt d Ar Q D L k : 0 <= d -> micro_burst M N Z alpha B C (fun _ _ => R) d Ar Q D -> (k < M)%nat ->
  continuous_on L 0 d -> L 0 = 0 -> (forall t, 0 <= t < d -> right_derivative L t (rejected sw Ar Q D k t)) ->
  L d = r * d - Q k d /\
  (slow M N alpha C R -> Q k d = Rmin (r * d) share) /\
  (~ slow M N alpha C R ->
     let t_2 := t_fast M N alpha B C R in
     let t_3 := t_meet M N alpha B C in
     t_2 < t_3 /\ r * t_2 + alpha * n * C / (1 + alpha * m) * (t_3 - t_2) = share /\
     Q k d = if Rle_dec d t_2 then r * d else if Rle_dec d t_3 then r * t_2 + alpha * n * C / (1 + alpha * m) * (d - t_2) else share).
Proof.
  intros Hd Hm Hk CL L0 DL. pose proof (am_pos M alpha M_pos alpha_pos) as Ham. pose proof (an_pos N alpha alpha_pos) as Han. split; [|split].
  - destruct Hm as [A S T]. apply (lost_bytes (M + N + Z) alpha B C R d Ar Q D k L); auto; try lia.
    + intros t Ht. apply (burst_ports _ _ _ _ _ _ _ _ A k t Hk Ht).
    + apply (burst_empty _ _ _ _ _ _ _ S k Hk).
    + apply (length_continuous _ _ _ _ _ _ T). simpl. lia.
    + intros t Ht. apply (length_slope _ _ _ _ _ _ T); [simpl; lia|auto].
  - intros c. destruct (evolution_a M N Z alpha B C R d Ar Q D M_pos alpha_pos B_pos C_pos overloaded Hd Hm c d ltac:(lra)) as (_ & E & _).
    rewrite (E k Hk). assert (Et : r * t_slow M N alpha B C R = share) by (unfold t_slow; field; repeat split; lra).
    destruct (Rle_dec d (t_slow M N alpha B C R)) as [K|K].
    + rewrite (Rmin_left d) by lra. pose proof (Rmult_le_compat_l r _ _ ltac:(lra) K). rewrite Rmin_left; lra.
    + rewrite (Rmin_right d) by lra. pose proof (Rmult_le_compat_l r (t_slow M N alpha B C R) d ltac:(lra) ltac:(lra)). rewrite Rmin_right; lra.
  - intros c t_2 t_3. destruct (evolution_b M N Z alpha B C R d Ar Q D M_pos alpha_pos B_pos C_pos overloaded Hd Hm c) as (Ho & Ev).
    fold t_2 t_3 in Ho, Ev. pose proof (fast_den M N alpha C R M_pos alpha_pos C_pos overloaded c) as Hden.
    assert (Es : r * t_2 + alpha * n * C / (1 + alpha * m) * (t_3 - t_2) = share) by (unfold t_2, t_3, t_fast, t_meet; field; repeat split; lra).
    split; [lra|]. split; [exact Es|]. destruct (Ev d ltac:(lra)) as (E & _). rewrite (E k Hk).
    destruct (Rle_dec d t_2); [rewrite !Rmin_left by lra; ring|]. rewrite (Rmin_right d t_2) by lra.
    destruct (Rle_dec d t_3); [rewrite Rmin_left by lra; ring|]. rewrite Rmin_right by lra. exact Es.
Qed.

(** ** EDT, slow bursts *)

(** Controlled until u, uncontrolled until the overflow, controlled from then on; the bursts last until tau. *)
Record overflow_run (u tau : real) (Ar Q D : nat -> real -> real) : Prop := {
  or_order : over <= tau;
  or_bursts : forall i t, (i < M)%nat -> 0 <= t < tau -> Ar i t = R;
  or_steady : forall i t, (M <= i < M + N)%nat -> over <= t < tau -> C * (1 + alpha * m / (1 + alpha * n)) <= Ar i t;
  or_others : forall i t, (M + N <= i < M + N + Z)%nat -> over <= t < tau -> 0 <= Ar i t <= C;
  or_before : edt_run M N Z alpha B C R u over Ar Q D;
  or_after : trajectory sw Ar over tau Q D
}.

(** From the overflow on: edt.ours.unfairness, edt.thm5.proof.overflow. *)
Theorem after_overflow u tau Ar Q D : slow M N alpha C R -> u <= eq10_time M N alpha B C R -> overflow_run u tau Ar Q D ->
  let e := over + x_common M N alpha B C in
  over = B / (m * r) /\ 0 < x_common M N alpha B C /\ x_common M N alpha B C = (B / m - share) / C /\ share < B / m /\
  (* until the overflow the bursts grow at R - C and lose nothing; then the buffer is full, and theirs *)
  (forall i t, (i < M)%nat -> 0 <= t <= over -> Q i t = r * t) /\
  (forall i t, (i < M)%nat -> 0 <= t < over -> rejected sw Ar Q D i t = 0) /\ free sw Q over = 0 /\
  (forall i, (i < M)%nat -> Q i over = B / m) /\ (forall j, (M <= j < M + N)%nat -> Q j over = 0) /\
  (* from then on they drain at C to the common length, and lose all that arrives *)
  (forall i t, (i < M)%nat -> over <= t <= tau -> Q i t = Rmax (B / m - C * (t - over)) share) /\
  (forall i t, (i < M)%nat -> over <= t < tau -> t < e -> D i t = - C /\ rejected sw Ar Q D i t = R) /\
  (forall i t, (i < M)%nat -> e <= t < tau -> D i t = 0 /\ rejected sw Ar Q D i t = r) /\
  (forall j t, (M <= j < M + N)%nat -> over <= t <= tau -> Q j t = threshold sw Q j t) /\
  (forall i t, (i < M + N)%nat -> e <= t <= tau -> Q i t = share).
Proof.
  intros c Hu [H1 H2 H3 H4 H5 H6] e. pose proof (ports_ge M M_pos) as Hm. pose proof (am_pos M alpha M_pos alpha_pos) as Ham. pose proof (an_pos N alpha alpha_pos) as Han.
  pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Ho.
  destruct (edt_lengths M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded u over Ar Q D Hu ltac:(lra) H5) as (K1 & K2 & _ & K4 & K5).
  destruct (K5 c) as [K6 K7]. destruct (K1 over ltac:(lra)) as [(S1 & S2 & S3) Fo].
  assert (B1 : forall i, (i < M)%nat -> Q i over = B / m) by (intros i Hi; rewrite S1 by auto; exact K6).
  assert (B2 : forall j, (M <= j < M + N)%nat -> Q j over = 0) by (intros j Hj; rewrite S2 by auto; exact K7).
  destruct (common_length M N Z alpha B C R over tau Ar Q D M_pos alpha_pos B_pos C_pos overloaded) as (C1 & C2 & C3 & C4 & C5); auto.
  { intros i t Hi Ht. apply H2; auto; lra. }
  assert (Ex : x_common M N alpha B C = (B / m - share) / C) by (unfold x_common; field; repeat split; lra).
  split; [rewrite (over_is_slow M N alpha B C R c); reflexivity|]. split; [exact C1|]. split; [exact Ex|].
  split. { apply Rnot_le_lt. intros K. assert ((B / m - share) / C <= 0); [|lra].
           apply Rmult_le_reg_r with C; auto. replace ((B / m - share) / C * C) with (B / m - share) by (field; lra). lra. }
  split; [intros i t Hi Ht; destruct (K1 t Ht) as [(S & _) _]; apply S; auto|]. split; [intros i t Hi Ht; apply K2; auto|].
  split; [rewrite Fo; exact K4|]. split; [exact B1|]. split; [exact B2|]. split; [exact C2|].
  split; [intros i t Hi Ht Hlt; apply C5; auto|]. split; [intros i t Hi Ht; apply C5; auto; unfold e in Ht; lra|]. split; [exact C3|].
  intros i t Hi Ht. apply C4; auto; unfold e in Ht; lra.
Qed.

Lemma overflow_slope u tau Ar Q D k : slow M N alpha C R -> u <= eq10_time M N alpha B C R -> overflow_run u tau Ar Q D -> (k < M)%nat ->
  continuous_on (Q k) 0 tau /\ (forall t, 0 <= t < tau -> right_derivative (Q k) t (D k t)) /\ Q k 0 = 0.
Proof.
  intros c Hu [H1 H2 H3 H4 [[Hu0 Hut] A S T1 T2] H6] Hk. pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Ho.
  assert (Join : forall x f, 0 <= x <= tau -> continuous_on f 0 x -> continuous_on f x tau -> continuous_on f 0 tau).
  { intros x f Hx Ca Cb. apply continuous_ext with (fun t => if Rlt_dec t x then f t else f t); [intros t Ht; destruct (Rlt_dec t x); auto|].
    apply continuous_glue; auto. }
  split; [|split].
  - apply (Join over); [lra| |apply (length_continuous _ _ _ _ _ _ H6); simpl; lia].
    apply continuous_ext with (fun t => if Rlt_dec t u then Q k t else Q k t); [intros t Ht; destruct (Rlt_dec t u); auto|].
    apply continuous_glue; auto; [apply (length_continuous _ _ _ _ _ _ T1)|apply (length_continuous _ _ _ _ _ _ T2)]; simpl; lia.
  - intros t Ht. destruct (Rlt_dec t u); [apply (length_slope _ _ _ _ _ _ T1); [simpl; lia|lra]|].
    destruct (Rlt_dec t over); [apply (length_slope _ _ _ _ _ _ T2); [simpl; lia|lra]|apply (length_slope _ _ _ _ _ _ H6); [simpl; lia|lra]].
  - apply (burst_empty _ _ _ _ _ _ _ S k Hk).
Qed.

(** edt.ours.bytes-lost.edt: a burst of the duration d, before the overflow or after it. *)
Theorem bytes_lost_edt u d tau Ar Q D L k : slow M N alpha C R -> u <= eq10_time M N alpha B C R -> overflow_run u tau Ar Q D ->
  (k < M)%nat -> 0 <= d <= tau ->
  continuous_on L 0 d -> L 0 = 0 -> (forall t, 0 <= t < d -> right_derivative L t (rejected sw Ar Q D k t)) ->
  L d = r * d - Q k d /\
  Q k d = if Rle_dec d (B / (m * r)) then r * d else Rmax (B / m - C * (d - B / (m * r))) share.
Proof.
  intros c Hu Ho Hk Hd CL L0 DL.
  destruct (overflow_slope u tau Ar Q D k c Hu Ho Hk) as (CQ & DQ & Q0).
  pose proof (after_overflow u tau Ar Q D c Hu Ho) as K.
  destruct K as (E & _ & _ & _ & K1 & _ & _ & _ & _ & K2 & _). split.
  - apply (lost_bytes (M + N + Z) alpha B C R d Ar Q D k L); auto; try lra; try lia.
    + intros t Ht. apply (or_bursts _ _ _ _ _ Ho); auto; lra.
    + apply (continuous_sub 0 tau); [lra|lra|auto].
    + intros t Ht. apply DQ. lra.
  - rewrite <- E. destruct (Rle_dec d over); [apply K1; auto; lra|apply K2; auto; lra].
Qed.

(** ** Until all is as before *)

(** After the end of the bursts, at d: nothing comes to their ports, and the steady ports can follow the rising threshold. *)
Record after_end (d e : real) (Ar : nat -> real -> real) : Prop := {
  ae_bursts : forall i t, (i < M)%nat -> d <= t < e -> Ar i t = 0;
  ae_steady : forall i t, (M <= i < M + N)%nat -> d <= t < e -> C * (1 + alpha * m / (1 + alpha * n)) <= Ar i t;
  ae_others : forall i t, (M + N <= i < M + N + Z)%nat -> d <= t < e -> 0 <= Ar i t <= C
}.

(** As before: the bursts' queues are empty, the steady ones at their steady length. *)
Definition as_before (Q : nat -> real -> real) (t : real) : Prop :=
  (forall i, (i < M)%nat -> Q i t = 0) /\ (forall i, (M <= i < M + N)%nat -> Q i t = alpha * B / (1 + alpha * n)) /\
  (forall i, (M + N <= i < M + N + Z)%nat -> Q i t = 0).

Lemma V0_is : alpha * F0 N alpha B = alpha * B / (1 + alpha * n).
Proof. unfold F0, Rdiv. ring. Qed.

(** edt.ours.recovery under DT; without a loss d + Q(d) / C is R d / C. *)
Theorem recovery_dt d q0 Ar Q D : 0 <= d -> micro_burst M N Z alpha B C (fun _ _ => R) d Ar Q D ->
  (forall k, (k < M)%nat -> Q k d = q0) -> after_end d (d + q0 / C) Ar -> trajectory sw Ar d (d + q0 / C) Q D ->
  as_before Q (d + q0 / C) /\ (d <= eq10_time M N alpha B C R -> d + q0 / C = R * d / C).
Proof.
  intros Hd Hm Hq [E1 E2 E3] T. pose proof (am_pos M alpha M_pos alpha_pos) as Ham. pose proof (an_pos N alpha alpha_pos) as Han.
  assert (Ex : exists W w V v, class_trajectory M N alpha B C (fun _ _ => R) 0 d W w V v /\ (forall i, (i < M)%nat -> W i 0 = 0) /\
      V 0 = alpha * F0 N alpha B /\ alpha * class_free M N B W V d <= V d <= alpha * F0 N alpha B /\ (d <= eq10_time M N alpha B C R -> W 0%nat d = r * d)).
  { destruct (slow_dec M N alpha C R) as [c|c].
    - destruct (slow_start M N alpha B C R) as [S1 S2]; auto. exists (W_slow M N alpha B C R), (w_slow M N alpha B C R), (V_slow M N alpha B C R), (v_slow M N alpha B C R).
      split; [apply slow_class; auto|]. split; [auto|]. split; [auto|]. rewrite slow_free by auto. split.
      + unfold V_slow. pose proof (t1_pos M N alpha B C R M_pos alpha_pos B_pos overloaded).
        assert (0 <= alpha * (m * r / (1 + alpha * n) * Rmin d (t_slow M N alpha B C R))); [|lra].
        apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [|apply Rmin_glb; lra].
        apply Rmult_le_pos; [apply Rmult_le_pos; [apply pos_INR|lra]|left; apply Rinv_0_lt_compat; lra].
      + rewrite eq10_slow by auto. intros K. unfold W_slow. rewrite Rmin_left; lra.
    - destruct (fast_start M N alpha B C R) as [S1 S2]; auto. exists (W_fast M N alpha B C R), (w_fast M N alpha B C R), (V_fast M N alpha B C), (v_fast M N alpha B C).
      split; [apply fast_class; auto|]. split; [auto|]. split; [auto|]. split.
      + pose proof (V_fast_ge M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded c d Hd). split; [lra|]. unfold V_fast.
        pose proof (t2_pos M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded c). pose proof (t2_lt_t3 M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded c).
        assert (0 <= C * Rmin d (t_meet M N alpha B C)); [|lra]. apply Rmult_le_pos; [lra|]. apply Rmin_glb; lra.
      + rewrite eq10_fast by auto. intros K. pose proof (t2_lt_t3 M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded c). unfold W_fast. rewrite !Rmin_left by lra. ring. }
  destruct Ex as (W & w & V & v & Cl & HW & HV & [HVa HVb] & Hr).
  destruct (micro_burst_unique M N Z alpha B C (fun _ _ => R) d Ar Q D W w V v) as (UF & UW & UV & UO & _); auto; [intros; lra|].
  assert (Eq0 : forall k, (k < M)%nat -> W k d = q0) by (intros k Hk; rewrite <- UW by (auto; lra); apply Hq; auto).
  assert (Eq : 0 <= q0) by (rewrite <- (Eq0 0%nat) by lia; apply (cl_burst_nonneg _ _ _ _ _ _ _ _ _ _ _ _ Cl); [lia|lra]).
  assert (EF : class_free M N B W V d = B - m * q0 - n * V d).
  { unfold class_free. rewrite (sum_ext M _ (fun _ => q0)) by auto. rewrite sum_const. ring. }
  assert (Free : 0 <= class_free M N B W V d).
  { rewrite <- UF by lra. destruct (reserve M N Z alpha B C R d Ar Q D M_pos alpha_pos B_pos C_pos overloaded Hd Hm) as [K1 K2].
    specialize (K1 d ltac:(lra)). assert (0 < B / ((1 + alpha * n) * (1 + alpha * m))) by (apply Rdiv_lt_0_compat; auto; apply mul_pos; lra). lra. }
  rewrite V0_is in HVb. rewrite EF in *. split.
  - destruct (recovery_from M N Z alpha B C sw d q0 (V d) Ar Q D) as (R1 & R2 & R3 & _); auto.
    + intros i. simpl. lra.
    + intros i Hi. apply UV; auto; lra.
    + intros i Hi. apply UO; auto; lra.
    + split; [|split]; auto.
  - intros K. rewrite <- (Eq0 0%nat), (Hr K) by lia. field. lra.
Qed.

(** edt.ours.recovery under EDT: any time until the overflow, whether the bursts are controlled when they end or not. *)
Theorem recovery_edt u d Ar Q D sw' : u <= eq10_time M N alpha B C R -> 0 <= d <= over -> edt_run M N Z alpha B C R u d Ar Q D ->
  sw' = sw \/ sw' = edt_switch M (M + N + Z) alpha B C ->
  after_end d (d + r * d / C) Ar -> trajectory sw' Ar d (d + r * d / C) Q D ->
  (forall k, (k < M)%nat -> Q k d = r * d) /\ d + r * d / C = R * d / C /\ as_before Q (d + r * d / C).
Proof.
  intros Hu Hd Hrun Hsw [E1 E2 E3] T.
  destruct (edt_lengths M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded u d Ar Q D Hu ltac:(lra) Hrun) as (K1 & _ & _ & _ & _).
  destruct (K1 d ltac:(lra)) as [(S1 & S2 & S3) Fo]. split; [exact S1|]. split; [field; lra|].
  destruct (V_above M N alpha B C R M_pos alpha_pos C_pos overloaded d ltac:(lra)) as [Va Vb]. rewrite V0_is in Vb.
  destruct (F_edt_pos M N alpha B C R M_pos alpha_pos C_pos overloaded d) as (_ & Fp & _). specialize (Fp ltac:(lra)).
  assert (Sw : ports sw' = (M + N + Z)%nat /\ buffer sw' = B /\ (forall i, service sw' i = C) /\ (forall i, (M <= i)%nat -> gain sw' i = alpha /\ offset sw' i = 0) /\ (forall i, 0 <= gain sw' i)).
  { destruct Hsw as [->| ->]; simpl; (split; [auto|]; split; [auto|]; split; [auto|]; split).
    - auto.
    - intros; lra.
    - intros i Hi. destruct (Nat.ltb_spec i M); [lia|auto].
    - intros i. destruct (i <? M)%nat; lra. }
  destruct Sw as (P1 & P2 & P3 & P4 & P5).
  destruct (recovery_from M N Z alpha B C sw' d (r * d) (V_edt M N alpha B C R d) Ar Q D) as (R1 & R2 & R3 & _); auto.
  - apply Rmult_le_pos; lra.
  - split; [|split]; auto.
Qed.

(** ... and slow bursts that end after the overflow. *)
Theorem recovery_edt_after u d q0 Ar Q D : slow M N alpha C R -> u <= eq10_time M N alpha B C R -> overflow_run u d Ar Q D ->
  (forall k, (k < M)%nat -> Q k d = q0) -> after_end d (d + q0 / C) Ar -> trajectory sw Ar d (d + q0 / C) Q D -> as_before Q (d + q0 / C).
Proof.
  intros c Hu Ho Hq [E1 E2 E3] T. pose proof (am_pos M alpha M_pos alpha_pos) as Ham. pose proof (an_pos N alpha alpha_pos) as Han. pose proof (ports_ge M M_pos) as Hm.
  pose proof (after_overflow u d Ar Q D c Hu Ho) as K.
  destruct K as (_ & Xp & Ex & Sb & _ & _ & _ & B1 & B2 & K2 & _ & _ & K3 & K4). pose proof (or_order _ _ _ _ _ Ho) as Hle.
  assert (Sp : 0 < share) by (apply Rdiv_lt_0_compat; [apply mul_pos; auto|lra]).
  assert (Eq : q0 = Rmax (B / m - C * (d - over)) share) by (rewrite <- (Hq 0%nat) by lia; apply K2; [lia|lra]).
  assert (Q1 : share <= q0) by (rewrite Eq; apply Rmax_r).
  assert (Q2 : q0 <= B / m).
  { rewrite Eq. apply Rmax_lub; [|lra]. assert (0 <= C * (d - over)) by (apply Rmult_le_pos; lra). lra. }
  (* the other queues: those of the quiet ports stay empty *)
  assert (Others : forall i, (M + N <= i < M + N + Z)%nat -> Q i d = 0).
  { intros i Hi. destruct Ho as [H1 H2 H3 H4 H5 H6].
    destruct (edt_lengths M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded u over Ar Q D Hu ltac:(lra) H5) as (L1 & _).
    destruct (L1 over ltac:(pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded); lra)) as [(_ & _ & S3) _].
    destruct (underloaded_stays_empty sw Ar over d Q D i) as [E _]; auto; simpl; try lia; try lra.
    - split; simpl; [intros; lra|]. intros j t Hj Ht. destruct (class_of M N Z j Hj) as [x|[x|x]].
      + rewrite H2 by (auto; pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded); lra). lra.
      + pose proof (H3 j t x Ht). assert (0 < alpha * m / (1 + alpha * n)) by (apply Rdiv_lt_0_compat; lra).
        pose proof (mul_pos C (1 + alpha * m / (1 + alpha * n)) C_pos ltac:(lra)). lra.
      + apply (H4 j t x Ht).
    - intros t Ht. apply (H4 i t Hi Ht).
    - apply E. lra. }
  set (v0 := alpha * (B - m * q0) / (1 + alpha * n)).
  assert (St : forall j, (M <= j < M + N)%nat -> Q j d = v0).
  { intros j Hj. (* all steady queues are on the threshold, hence equal *)
    assert (Fd : free sw Q d = B - m * q0 - n * (alpha * free sw Q d)).
    { unfold free at 1. simpl. rewrite sum_split, sum_split. rewrite (sum_ext M _ (fun _ => q0)) by auto.
      rewrite (sum_ext N _ (fun _ => alpha * free sw Q d)).
      - rewrite (sum_zero Z) by (intros; apply Others; lia). rewrite !sum_const. ring.
      - intros i Hi. rewrite (K3 (M + i)%nat d) by (try lia; lra). unfold threshold. simpl. ring. }
    rewrite (K3 j d) by (auto; lra). unfold threshold, v0. simpl. apply Rmult_eq_reg_r with (1 + alpha * n); [|lra].
    replace (alpha * (B - m * q0) / (1 + alpha * n) * (1 + alpha * n)) with (alpha * (B - m * q0)) by (field; lra).
    replace (B - m * q0) with (free sw Q d + n * (alpha * free sw Q d)) by lra. ring. }
  assert (Room : 0 <= B - m * q0).
  { apply (Rmult_le_compat_l m) in Q2; [|lra]. replace (m * (B / m)) with B in Q2 by (field; lra). lra. }
  assert (Ev : alpha * (B - m * q0 - n * v0) = v0) by (unfold v0; field; lra).
  assert (Vp : 0 <= v0) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra]).
  destruct (recovery_from M N Z alpha B C sw d q0 v0 Ar Q D) as (R1 & R2 & R3 & _); auto; try lra.
  - intros i. simpl. lra.
  - apply Rmult_le_reg_l with alpha; auto. lra.
  - apply div_le_div; try lra. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; [lra|].
    pose proof (Rmult_le_pos m q0 ltac:(lra) ltac:(lra)). lra.
  - split; [|split]; auto.
Qed.

(** ** Figure 11 and the proof of Theorem 5 *)

(** Slow bursts: (R - C) t through the falling threshold alpha F up to B / M; the steady queues follow it down to 0. *)
Theorem figure_11 u Ar Q D : slow M N alpha C R -> u <= eq10_time M N alpha B C R -> edt_run M N Z alpha B C R u over Ar Q D ->
  over = B / (m * r) /\
  (forall i t, (i < M)%nat -> 0 <= t <= over -> Q i t = r * t) /\
  (forall j t, (M <= j < M + N)%nat -> 0 <= t <= over -> Q j t = threshold sw Q j t /\ Q j t = alpha * (B - m * (r * t)) / (1 + alpha * n)) /\
  (forall i t, (i < M)%nat -> threshold (edt_switch M (M + N + Z) alpha B C) Q i t = B / m) /\
  (forall i, (i < M)%nat -> Q i over = B / m) /\ (forall j, (M <= j < M + N)%nat -> Q j over = 0 /\ threshold sw Q j over = 0) /\
  (forall i t, (i < M)%nat -> 0 <= t < over -> rejected sw Ar Q D i t = 0).
Proof.
  intros c Hu Hrun. destruct (edt_lengths M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded u over Ar Q D Hu ltac:(lra) Hrun) as (K1 & K2 & K3 & K4 & K5).
  destruct (K5 c) as [K6 K7]. pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Ho. specialize (K3 c).
  split; [rewrite (over_is_slow M N alpha B C R c); reflexivity|]. split; [intros i t Hi Ht; destruct (K1 t Ht) as [(S & _) _]; apply S; auto|]. split.
  { intros j t Hj Ht. destruct (K1 t Ht) as [(_ & S & _) Fo]. rewrite (S j Hj). rewrite <- (K3 t Ht). split; [|reflexivity].
    unfold threshold. rewrite Fo. destruct (F_edt_slow M N alpha B C R alpha_pos t c) as [_ E]. rewrite E. simpl. ring. }
  split; [intros i t Hi; unfold threshold; simpl; destruct (Nat.ltb_spec i M); [ring|lia]|].
  destruct (K1 over ltac:(lra)) as [(S1 & S2 & _) Fo].
  split; [intros i Hi; rewrite S1 by auto; exact K6|]. split; [intros j Hj; split; [rewrite S2 by auto; exact K7|]|intros i t Hi Ht; apply K2; auto].
  unfold threshold. rewrite Fo, K4. simpl. ring.
Qed.

(** If alpha M <= 1 + alpha N the threshold of the bursts increases, to B / M, when they become uncontrolled. *)
Theorem jump u tau Ar Q D i : alpha * m <= 1 + alpha * n -> 0 < u -> u <= eq10_time M N alpha B C R -> tau <= over -> u <= tau ->
  edt_run M N Z alpha B C R u tau Ar Q D -> (i < M)%nat ->
  threshold (edt_switch M (M + N + Z) alpha B C) Q i u = B / m /\ threshold sw Q i u < threshold (edt_switch M (M + N + Z) alpha B C) Q i u.
Proof.
  intros H Hu0 Hu Htau Hut Hrun Hi. pose proof (steady_denominator N alpha alpha_pos) as Hn. pose proof (ports_ge M M_pos) as Hm.
  destruct (edt_lengths M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded u tau Ar Q D Hu Htau Hrun) as (K1 & _).
  destruct (K1 u ltac:(lra)) as [_ Fo].
  assert (E : threshold (edt_switch M (M + N + Z) alpha B C) Q i u = B / m) by (unfold threshold; simpl; destruct (Nat.ltb_spec i M); [ring|lia]).
  rewrite E. unfold threshold. rewrite Fo. simpl.
  assert (Less : F_edt M N alpha B C R u < B / (1 + alpha * n)).
  { destruct (slow_dec M N alpha C R) as [c|c].
    - destruct (F_edt_slow M N alpha B C R alpha_pos u c) as [E1 _]. rewrite E1. apply div_lt_div; auto.
      pose proof (mul_pos m (r * u) ltac:(lra) ltac:(apply mul_pos; lra)). apply Rmult_lt_compat_r; lra.
    - destruct (F_edt_fast M N alpha B C R alpha_pos u c) as [E1 _]. rewrite E1. unfold F0. apply fast_iff in c; auto.
      assert (0 < m * r - n * C) by (apply Rmult_lt_reg_l with alpha; lra). pose proof (mul_pos (m * r - n * C) u). lra. }
  pose proof (Rmult_lt_compat_l alpha _ _ alpha_pos Less) as L2.
  assert (alpha * (B / (1 + alpha * n)) <= B / m); [|lra].
  replace (alpha * (B / (1 + alpha * n))) with (alpha * B / (1 + alpha * n)) by (unfold Rdiv; ring).
  apply div_le_div; [lra|lra|]. pose proof (Rmult_le_compat_l B _ _ ltac:(lra) H). lra.
Qed.

End Lost.
