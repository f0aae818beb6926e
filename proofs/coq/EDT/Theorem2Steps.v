(** DT/EDT paper, Section 3.2: further steps of the proofs of Theorems 2 and 3, and why stages drain or do not.

      [at_start]          (17)-(19): the first instants, with the common slope D of the steady queues;
      [cannot_follow], [eq21_contradiction]     (19)-(21);
      [first_steps]       with t_0 = 0 and F_0 the recursions (14) and (31) begin with (25), (26) and (37), (38);
      [meets_at]          t_k of (14) is when queue k meets the threshold;
      [numbered]          the ports can be numbered so that R_1 >= ... >= R_M;
      [stage_slopes]      whether T' < - C does not depend on which queues are on the threshold;
      [rise]              after t_L: - C <= T' < R_k - C.

    Ports are counted from 0.                                                                              *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 Solve Theorem2Mixed Theorem2 Theorem3 Theorem3Meeting Theorem3EveryPort Theorem2Stages CountersBounds Theorem1Evolution.
Open Scope R_scope.

(** ** (19)-(21) *)

(** A queue on or above its threshold that falls faster than C drains at C. *)
Theorem cannot_follow n alpha B C Ar s tau Q D i t : trajectory (dt_switch n alpha B C) Ar s tau Q D -> (i < n)%nat -> s <= t < tau ->
  0 <= Ar i t -> 0 < Q i t -> threshold (dt_switch n alpha B C) Q i t <= Q i t ->
  threshold_slope (dt_switch n alpha B C) D i t < - C -> D i t = - C.
Proof.
  intros H Hi Ht HA Hq Hth Hs. destruct (length_rule _ _ _ _ _ _ H i t Hi Ht) as (_ & K2 & K3).
  assert (El : lowest (dt_switch n alpha B C) i (Q i t) = - C) by (unfold lowest; simpl; destruct (Rlt_dec 0 (Q i t)); lra).
  rewrite El in *. destruct Hth as [c|c]; [apply K2, c|]. rewrite K3 by auto. apply clip_low; [lra|].
  unfold highest. simpl. destruct (Rlt_dec 0 (Q i t)); lra.
Qed.

(** (21) with D = - C contradicts T' < - C. *)
Theorem eq21_contradiction alpha n C G D T' : 0 < alpha -> G <= (1 + alpha * n) * C / alpha ->
  T' = - (alpha * G) - alpha * n * D -> D = - C -> - C <= T' /\ ~ T' < - C.
Proof. intros Ha HG HT HD. pose proof (eq21 alpha n C G D T' Ha HG HT) as K. rewrite HD in K. split; lra. Qed.

(** ** The first instants *)

Section Steps.
Variables (M N Z : nat) (alpha B C : real) (R : nat -> real).
Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C).
Hypothesis overloaded : forall i, (i < M)%nat -> C < R i.
Hypothesis sorted : forall i j, (i <= j < M)%nat -> R j <= R i.

Notation r := (fun i => R i - C).
Notation G := (G M C R).
Notation V0 := (alpha * F0 N alpha B).
Notation sw := (dt_switch (M + N + Z) alpha B C).

(** A positive instant before the first meeting. *)
Lemma first_meeting_2 : condition2 M N alpha C R -> (1 <= M)%nat ->
  0 < t_closed M N alpha B C R 0 /\ forall j, (j < M)%nat -> t_closed M N alpha B C R 0 <= t_closed M N alpha B C R j.
Proof.
  intros Hc HM. split; [apply t_closed_pos; auto|]. intros j Hj.
  apply (hit_monotone M N alpha B C R _ _ (meeting_follow M N alpha B C R alpha_pos B_pos C_pos overloaded sorted Hc)); lia.
Qed.

Lemma not_condition2 : ~ condition2 M N alpha C R -> exists L, last_stage M N alpha C R L /\ (1 <= L)%nat.
Proof.
  intros Hn. destruct (last_stage_exists M N alpha C R alpha_pos C_pos overloaded) as [L HL]. exists L. split; auto.
  destruct (Nat.eq_dec L 0) as [e|e]; [exfalso|lia]. subst L. apply Hn. unfold condition2. destruct (Nat.eq_dec M 0) as [z|z].
  - rewrite z. simpl. pose proof (den1 alpha alpha_pos N).
    apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; auto].
  - destruct HL as (_ & _ & Hd). specialize (Hd 0%nat ltac:(lia)). unfold drains in Hd.
    rewrite Nat.add_0_r in Hd. unfold Theorem2.G in Hd. rewrite Nat.sub_0_r in Hd. apply Rnot_lt_le. exact Hd.
Qed.

Lemma condition2_dec : condition2 M N alpha C R \/ ~ condition2 M N alpha C R.
Proof. unfold condition2. destruct (Rle_dec (sum M (fun i => R i - C)) ((1 + alpha * INR N) * C / alpha)); auto. Qed.

(** (17)-(19), in Theorems 2 and 3: D is - alpha G_1 / (1 + alpha N) where the steady queues can follow, - C where not. *)
Theorem at_start tau Ar Q D : (1 <= M)%nat -> 0 < tau -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  exists DD d, 0 < d <= tau /\
    ((condition2 M N alpha C R /\ DD = - (alpha * G 0 / (1 + alpha * INR N))) \/ (~ condition2 M N alpha C R /\ DD = - C)) /\
    (forall t, 0 <= t <= d ->
       (forall j, (M <= j < M + N)%nat -> Q j t = V0 + DD * t) /\
       free sw Q t = F0 N alpha B - G 0 * t - INR N * DD * t /\
       forall i, threshold sw Q i t = alpha * (F0 N alpha B - G 0 * t - INR N * DD * t)) /\
    (forall j, (M <= j < M + N)%nat -> right_derivative (Q j) 0 DD) /\
    (forall i, right_derivative (threshold sw Q i) 0 (- alpha * G 0 - alpha * INR N * DD)).
Proof.
  intros HM Htau Hm. pose proof (den1 alpha alpha_pos N) as Hn.
  assert (Key : exists DD d, 0 < d <= tau /\
    ((condition2 M N alpha C R /\ DD = - (alpha * G 0 / (1 + alpha * INR N))) \/ (~ condition2 M N alpha C R /\ DD = - C)) /\
    (forall t, 0 <= t <= d ->
       (forall j, (M <= j < M + N)%nat -> Q j t = V0 + DD * t) /\ free sw Q t = F0 N alpha B - G 0 * t - INR N * DD * t)).
  { destruct condition2_dec as [Hc|Hc].
    - destruct (first_meeting_2 Hc HM) as [P1 P2]. exists (- (alpha * G 0 / (1 + alpha * INR N))), (Rmin tau (t_closed M N alpha B C R 0)).
      pose proof (Rmin_l tau (t_closed M N alpha B C R 0)). pose proof (Rmin_r tau (t_closed M N alpha B C R 0)).
      split; [split; [apply Rmin_pos; auto|lra]|]. split; [auto|]. intros t Ht.
      pose proof (stage2 M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted tau Ar Q D ltac:(lra) Hc Hm 0 ltac:(lia) t ltac:(lra)) as S.
      simpl in S. destruct S as (F & _ & _ & V & _).
      { split; intros j Hj; [lia|]. specialize (P2 j ltac:(lia)). lra. }
      rewrite Nat.add_0_r in F. split; [|rewrite F; field; lra].
      intros j Hj. rewrite (V j Hj). unfold threshold. rewrite F. simpl. field. lra.
    - destruct (not_condition2 Hc) as (L & HL & HL1). pose proof (L_le M N alpha C R L HL).
      pose proof (t31_pos M N alpha B C R alpha_pos B_pos C_pos overloaded L HL 0 ltac:(lia)) as P1.
      exists (- C), (Rmin tau (t31 M N alpha B C R 0)).
      pose proof (Rmin_l tau (t31 M N alpha B C R 0)). pose proof (Rmin_r tau (t31 M N alpha B C R 0)).
      split; [split; [apply Rmin_pos; auto|lra]|]. split; [auto|]. intros t Ht.
      pose proof (stage3 M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted L tau Ar Q D HL HL1 ltac:(lra) Hm 0 ltac:(lia) t ltac:(lra)) as S.
      simpl in S. destruct S as (F & _ & _ & V & _).
      { intros; lia. }
      { intros j Hj. destruct (t31_sorted M N alpha B C R alpha_pos B_pos C_pos overloaded sorted L HL 0 j ltac:(lia) ltac:(lia)). lra. }
      rewrite Nat.add_0_r in F. split; [|rewrite F; ring]. intros j Hj. destruct (V j Hj) as [E _]. rewrite E. ring. }
  destruct Key as (DD & d & Hd & HDD & K). exists DD, d. split; auto. split; auto.
  assert (Th : forall t, 0 <= t <= d -> forall i, threshold sw Q i t = alpha * (F0 N alpha B - G 0 * t - INR N * DD * t)).
  { intros t Ht i. destruct (K t Ht) as [_ F]. unfold threshold. rewrite F. simpl. ring. }
  split; [intros t Ht; destruct (K t Ht); split; [|split]; auto|]. split.
  - intros j Hj. apply rd_ext with (fun u => DD * u + V0); [|apply rd_linear]. exists d. split; [lra|]. intros h Hh.
    destruct (K (0 + h) ltac:(lra)) as [V _]. rewrite (V j Hj). ring.
  - intros i. apply rd_ext with (fun u => (- alpha * G 0 - alpha * INR N * DD) * u + alpha * F0 N alpha B); [|apply rd_linear].
    exists d. split; [lra|]. intros h Hh. rewrite Th by lra. ring.
Qed.

(** t_0 = 0 and F_0: the first steps of (14) and (31) are (25), (26) and (37), (38). *)
Theorem first_steps :
  let t25 := alpha * F0 N alpha B * (1 + alpha * INR N) / ((R 0%nat - C) * (1 + alpha * INR N) + alpha * G 0) in
  let t37 := alpha * F0 N alpha B / (alpha * (G 0 - INR N * C) + (R 0%nat - C)) in
  recursion14 M N alpha B C R 0 = (0, B / (1 + alpha * INR N)) /\ recursion31 M N alpha B C R 0 = (0, B / (1 + alpha * INR N)) /\
  recursion14 M N alpha B C R 1 = (t25, F0 N alpha B - G 0 * t25 / (1 + alpha * INR N)) /\
  recursion31 M N alpha B C R 1 = (t37, F0 N alpha B - (G 0 - INR N * C) * t37).
Proof.
  intros t25 t37. split; [reflexivity|]. split; [reflexivity|]. simpl. rewrite Nat.add_0_r. split.
  - replace (F0 N alpha B + alpha * F0 N alpha B * INR N + G 0 * 0) with (F0 N alpha B * (1 + alpha * INR N)) by ring.
    unfold t25. rewrite Rminus_0_r, !Rmult_assoc. reflexivity.
  - rewrite Rmult_0_r, Rplus_0_r, Rminus_0_r. reflexivity.
Qed.

(** t_k of (14) is when queue k meets the threshold for the first time; the t_k are in order, with equality iff the rates are equal. *)
Theorem meets_at tau Ar Q D k : 0 <= tau -> condition2 M N alpha C R -> micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D ->
  (k < M)%nat ->
  let t := fst (recursion14 M N alpha B C R (S k)) in
  (forall u, 0 <= u < t -> u <= tau -> Q k u < threshold sw Q k u) /\ (t <= tau -> Q k t = threshold sw Q k t) /\
  ((S k < M)%nat -> t <= fst (recursion14 M N alpha B C R (S (S k))) /\
                    (t = fst (recursion14 M N alpha B C R (S (S k))) <-> R k = R (S k))).
Proof.
  intros Htau Hc Hm Hk t. assert (Et : t = t_closed M N alpha B C R k) by (unfold t; rewrite theorem2_closed_form; auto).
  pose proof (meeting_follow M N alpha B C R alpha_pos B_pos C_pos overloaded sorted Hc) as Me.
  pose proof (threshold_follow M N Z alpha B C R alpha_pos B_pos C_pos overloaded Hc tau Ar Q D Htau Hm) as Th.
  destruct (drops_follow M N Z alpha B C R alpha_pos B_pos C_pos overloaded sorted Hc tau Ar Q D Htau Hm k Hk) as (_ & _ & Len).
  rewrite Et. split; [|split].
  - intros u Hu Hut. rewrite Len by lra. destruct (Rlt_dec u (t_closed M N alpha B C R k)); [|lra]. rewrite Th by lra.
    apply (hit_before _ _ _ _ _ _ _ _ Me k u Hk); lra.
  - intros Hle. pose proof (hit_pos _ _ _ _ _ _ _ _ Me k Hk) as P. rewrite Len by lra.
    destruct (Rlt_dec (t_closed M N alpha B C R k) (t_closed M N alpha B C R k)); [lra|]. rewrite Th by lra.
    rewrite (hit_at _ _ _ _ _ _ _ _ Me k Hk). apply Rmax_left. lra.
  - intros HS. rewrite (theorem2_closed_form M N alpha B C R alpha_pos overloaded (S k) HS). simpl.
    apply (order2 M N alpha B C R alpha_pos B_pos overloaded sorted k HS).
Qed.

End Steps.

(** ** Numbering the ports *)

(** Ports of any rates can be numbered in the order of their rates: p is one-to-one on the M ports. *)
Theorem numbered M (R : nat -> real) : exists p : nat -> nat,
  (forall i, (i < M)%nat -> (p i < M)%nat) /\ (forall i j, (i < M)%nat -> (j < M)%nat -> p i = p j -> i = j) /\
  forall i j, (i <= j < M)%nat -> R (p j) <= R (p i).
Proof.
  assert (Best : forall q k, (k < M)%nat -> exists b, (k <= b < M)%nat /\ forall j, (k <= j < M)%nat -> R (q j) <= R (q b)).
  { intros q k Hk. assert (K : forall d, (k + d < M)%nat -> exists b, (k <= b <= k + d)%nat /\ forall j, (k <= j <= k + d)%nat -> R (q j) <= R (q b)).
    { induction d; intros Hd.
      - exists k. split; [lia|]. intros j Hj. replace j with k by lia. lra.
      - destruct IHd as (b & Hb & Kb); [lia|]. destruct (Rle_dec (R (q (k + S d)%nat)) (R (q b))) as [c|c].
        + exists b. split; [lia|]. intros j Hj. destruct (Nat.eq_dec j (k + S d)) as [->|]; [exact c|apply Kb; lia].
        + exists (k + S d)%nat. split; [lia|]. intros j Hj. destruct (Nat.eq_dec j (k + S d)) as [->|]; [lra|].
          specialize (Kb j ltac:(lia)). lra. }
    destruct (K (M - 1 - k)%nat ltac:(lia)) as (b & Hb & Kb). exists b. split; [lia|]. intros j Hj. apply Kb. lia. }
  assert (Sel : forall k, (k <= M)%nat -> exists p : nat -> nat,
    (forall i, (i < M)%nat -> (p i < M)%nat) /\ (forall i j, (i < M)%nat -> (j < M)%nat -> p i = p j -> i = j) /\
    forall i j, (i < k)%nat -> (i <= j < M)%nat -> R (p j) <= R (p i)).
  { induction k; intros Hk.
    - exists (fun i => i). split; [auto|]. split; [auto|]. intros; lia.
    - destruct IHk as (p & P1 & P2 & P3); [lia|]. destruct (Best p k ltac:(lia)) as (b & Hb & Kb).
      pose (s := fun i => if Nat.eq_dec i k then b else if Nat.eq_dec i b then k else i).
      assert (S1 : forall i, (i < M)%nat -> (s i < M)%nat).
      { intros i Hi. unfold s. destruct (Nat.eq_dec i k); [lia|]. destruct (Nat.eq_dec i b); lia. }
      assert (S2 : forall i j, s i = s j -> i = j).
      { intros i j. unfold s. destruct (Nat.eq_dec i k), (Nat.eq_dec j k), (Nat.eq_dec i b), (Nat.eq_dec j b); lia. }
      assert (S3 : forall i, (i < k)%nat -> s i = i).
      { intros i Hi. unfold s. destruct (Nat.eq_dec i k); [lia|]. destruct (Nat.eq_dec i b); lia. }
      assert (S4 : forall j, (k <= j < M)%nat -> (k <= s j < M)%nat).
      { intros j Hj. unfold s. destruct (Nat.eq_dec j k); [lia|]. destruct (Nat.eq_dec j b); lia. }
      exists (fun i => p (s i)). split; [auto|]. split; [intros i j Hi Hj E; apply S2, P2; auto|].
      intros i j Hi Hj. destruct (Nat.eq_dec i k) as [->|e].
      + replace (s k) with b by (unfold s; destruct (Nat.eq_dec k k); [reflexivity|lia]). apply Kb, S4. lia.
      + rewrite (S3 i) by lia. destruct (Nat.lt_ge_cases j k) as [c|c]; [rewrite (S3 j) by lia; apply P3; lia|].
        apply P3; [lia|]. specialize (S4 j ltac:(lia)). lia. }
  destruct (Sel M ltac:(lia)) as (p & P1 & P2 & P3). exists p. split; auto. split; auto. intros i j Hij. apply P3; lia.
Qed.

(** ** Whether a stage drains does not depend on which queues are on the threshold *)

(** At an instant at which k bursts and the N steady queues are on the threshold or above it, and the others below it:
    if alpha G_(k+1) > (1 + alpha (N + k)) C then T' < - C and all N + k drain at C, so that none stays on the threshold;
    if not, T' >= - C. *)
Theorem stage_slopes M N Z alpha B C R tau Ar Q D k t :
  0 < alpha -> 0 < C -> (forall i, (i < M)%nat -> C < R i) -> (k <= M)%nat -> 0 <= t < tau ->
  micro_burst M N Z alpha B C (fun i _ => R i) tau Ar Q D -> 0 < threshold (dt_switch (M + N + Z) alpha B C) Q 0 t ->
  let sw := dt_switch (M + N + Z) alpha B C in
  let met := fun j => (j < k)%nat \/ (M <= j < M + N)%nat in
  (forall j, met j -> threshold sw Q j t <= Q j t) -> (forall j, (k <= j < M)%nat -> Q j t < threshold sw Q j t) ->
  (drains M N alpha C R k -> threshold_slope sw D 0 t < - C /\ forall j, met j -> D j t = - C) /\
  (~ drains M N alpha C R k -> - C <= threshold_slope sw D 0 t).
Proof.
  intros Ha HC HR Hk Ht [A S T] HT sw met Hmet Hbelow. fold sw in HT.
  assert (Arr : forall j, (j < M + N + Z)%nat -> 0 <= Ar j t).
  { intros j Hj. destruct (class_of M N Z j Hj) as [c|[c|c]].
    - rewrite (burst_ports _ _ _ _ _ _ _ _ A j t c) by auto. specialize (HR j c). lra.
    - pose proof (steady_ports _ _ _ _ _ _ _ _ A j t c Ht). lra.
    - pose proof (other_ports _ _ _ _ _ _ _ _ A j t c Ht). lra. }
  assert (Th : forall j, threshold sw Q j t = threshold sw Q 0 t) by reflexivity.
  assert (Ts : forall j, threshold_slope sw D j t = threshold_slope sw D 0 t) by reflexivity.
  assert (Sane : sane sw Ar 0 tau).
  { split; simpl; [intros; lra|]. intros j u Hj Hu. destruct (class_of M N Z j Hj) as [c|[c|c]].
    - rewrite (burst_ports _ _ _ _ _ _ _ _ A j u c) by auto. specialize (HR j c). lra.
    - pose proof (steady_ports _ _ _ _ _ _ _ _ A j u c Hu). lra.
    - pose proof (other_ports _ _ _ _ _ _ _ _ A j u c Hu). lra. }
  assert (Low : forall j, met j -> - C <= D j t).
  { intros j Hj. apply (drain_at_most_C sw Ar 0 tau Q D j t Sane T); auto. simpl. destruct Hj; lia. }
  assert (Grow : forall j, (k <= j < M)%nat -> D j t = R j - C).
  { intros j Hj. destruct (length_rule _ _ _ _ _ _ T j t ltac:(simpl; lia) Ht) as (K & _). rewrite (K (Hbelow j Hj)).
    unfold highest. simpl. rewrite (burst_ports _ _ _ _ _ _ _ _ A j t) by (auto; lia). pose proof (HR j ltac:(lia)).
    destruct (Rlt_dec 0 (Q j t)); [reflexivity|]. apply Rmax_right. lra. }
  assert (Rest : forall j, (M + N <= j < M + N + Z)%nat -> D j t = 0).
  { intros j Hj. apply (rd_unique t (Q j)); [apply (length_slope _ _ _ _ _ _ T); simpl; [lia|auto]|].
    apply rd_ext with (fun _ => 0); [|apply rd_const]. exists (tau - t). split; [lra|]. intros h Hh.
    destruct (underloaded_stays_empty sw Ar 0 tau Q D j Sane T ltac:(simpl; lia)) as [E _].
    - intros u Hu. apply (other_ports _ _ _ _ _ _ _ _ A j u Hj Hu).
    - apply (other_empty _ _ _ _ _ _ _ S j Hj).
    - apply E. lra. }
  pose proof (den1 alpha Ha (N + k)) as Hden.
  assert (Slope : threshold_slope sw D 0 t
      = - (alpha * (G M C R k + sum k (fun j => D j t) + sum N (fun j => D (M + j)%nat t)))).
  { unfold threshold_slope, free_slope. simpl. rewrite sum_split, sum_split.
    rewrite (sum_zero Z) by (intros j Hj; apply Rest; lia).
    replace M with (k + (M - k))%nat at 1 by lia. rewrite sum_split.
    rewrite (sum_ext (M - k) (fun i => D (k + i)%nat t) (fun i => R (k + i)%nat - C)) by (intros; apply Grow; lia).
    unfold G. ring. }
  assert (Lo : - (INR (N + k) * C) <= sum k (fun j => D j t) + sum N (fun j => D (M + j)%nat t)).
  { assert (L1 : sum k (fun _ => - C) <= sum k (fun j => D j t)) by (apply sum_le; intros; apply Low; left; auto).
    assert (L2 : sum N (fun _ => - C) <= sum N (fun j => D (M + j)%nat t)) by (apply sum_le; intros; apply Low; right; lia).
    rewrite sum_const in L1, L2. rewrite plus_INR. lra. }
  assert (Iff : drains M N alpha C R k <-> (1 + alpha * INR (N + k)) * C < alpha * G M C R k).
  { unfold drains. assert (E : alpha * ((1 + alpha * INR (N + k)) * C / alpha) = (1 + alpha * INR (N + k)) * C) by (field; lra).
    split; intros K; [apply (Rmult_lt_compat_l alpha) in K; auto; lra|apply Rmult_lt_reg_l with alpha; lra]. }
  assert (Drain : threshold_slope sw D 0 t < - C -> forall j, met j -> D j t = - C).
  { intros K j Hj. apply (cannot_follow (M + N + Z) alpha B C Ar 0 tau Q D j t T); auto.
    - destruct Hj; lia.
    - apply Arr. destruct Hj; lia.
    - specialize (Hmet j Hj). rewrite Th in Hmet. lra. }
  split.
  - intros Hd. apply Iff in Hd.
    assert (K : threshold_slope sw D 0 t < - C).
    { rewrite Slope. pose proof (Rmult_le_compat_l alpha _ _ ltac:(lra) Lo). lra. }
    split; auto.
  - intros Hd. apply Rnot_lt_le. intros K. specialize (Drain K). apply Hd, Iff.
    rewrite Slope in K. rewrite (sum_ext k _ (fun _ => - C)) in K by (intros; apply Drain; left; auto).
    rewrite (sum_ext N _ (fun _ => - C)) in K by (intros; apply Drain; right; lia). rewrite !sum_const in K. rewrite plus_INR. lra.
Qed.
