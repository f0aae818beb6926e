(** Any thresholds o_i + alpha_i F, any services, any lengths at the beginning: when a switch is in its steady state.

      [steady_balance]   what the steady state is;
      [settles]          the distance from it falls at 2 delta, if every queue is offered delta more than it sends, or delta less;
      [settled]          so it is reached, and by when;
      [settled_within]   from any lengths that fit, within B / delta.                                                          *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence.
Open Scope R_scope.

(** The length of queue i while [free_then] is free: on its threshold if it is [busy], else empty. *)
Definition rests (sw : switch) (busy : nat -> bool) (free_then : R) (i : nat) : R :=
  if busy i then offset sw i + gain sw i * free_then else 0.
(** The free buffer of the steady state. *)
Definition free_at_rest (sw : switch) (busy : nat -> bool) : R :=
  (buffer sw - sum (ports sw) (fun i => if busy i then offset sw i else 0)) / (1 + sum (ports sw) (fun i => if busy i then gain sw i else 0)).
Notation steady sw busy := (rests sw busy (free_at_rest sw busy)).

Lemma steady_denominator sw (busy : nat -> bool) : (forall i, (i < ports sw)%nat -> 0 <= gain sw i) -> 0 < 1 + sum (ports sw) (fun i => if busy i then gain sw i else 0).
Proof.
  intros G. assert (0 <= sum (ports sw) (fun i => if busy i then gain sw i else 0)); [|lra].
  apply sum_nonneg. intros i Hi. destruct (busy i); [auto|lra].
Qed.

(** It is the only F that is left free by these lengths. *)
Theorem steady_balance sw (busy : nat -> bool) F : (forall i, (i < ports sw)%nat -> 0 <= gain sw i) ->
  (F = buffer sw - sum (ports sw) (rests sw busy F) <-> F = free_at_rest sw busy).
Proof.
  intros G. pose proof (steady_denominator sw busy G) as Hd.
  assert (E : sum (ports sw) (rests sw busy F) = sum (ports sw) (fun i => if busy i then offset sw i else 0) + F * sum (ports sw) (fun i => if busy i then gain sw i else 0)).
  { rewrite <- sum_scal, <- sum_plus. apply sum_ext. intros i _. unfold rests. destruct (busy i); ring. }
  rewrite E. unfold free_at_rest. split; intros H.
  - apply Rmult_eq_reg_r with (1 + sum (ports sw) (fun i => if busy i then gain sw i else 0)); [|lra]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - rewrite H at 1. apply Rmult_eq_reg_r with (1 + sum (ports sw) (fun i => if busy i then gain sw i else 0)); [|lra]. rewrite H. field. lra.
Qed.

Section Settling.
Variables (sw : switch) (busy : nat -> bool) (delta s tau : R) (Ar Q D : nat -> R -> R).
Hypotheses (ordered : s <= tau) (moves_at_all : 0 < delta).
Hypothesis kinds : forall i, (i < ports sw)%nat -> 0 <= gain sw i /\ delta <= service sw i.
Hypothesis fits : forall i, (i < ports sw)%nat -> 0 <= steady sw busy i.
Hypothesis offered : forall i t, (i < ports sw)%nat -> s <= t < tau ->
  if busy i then service sw i + delta <= Ar i t else 0 <= Ar i t <= service sw i - delta.
Hypothesis moves : trajectory sw Ar s tau Q D.

Let q (i : nat) : R := steady sw busy i.
Let F : R := free_at_rest sw busy.
Definition off (t : R) : R := Rabs (free sw Q t - F) + sum (ports sw) (fun i => Rabs (Q i t - q i)).
Definition off_slope (t : R) : R := abs_slope (free sw Q t - F) (free_slope sw D t) + sum (ports sw) (fun i => abs_slope (Q i t - q i) (D i t)).

Lemma gains_nonneg i : (i < ports sw)%nat -> 0 <= gain sw i.
Proof. intros Hi. apply (kinds i Hi). Qed.

Lemma free_off t : free sw Q t - F = - sum (ports sw) (fun i => Q i t - q i).
Proof.
  rewrite sum_minus. assert (E : F = buffer sw - sum (ports sw) (rests sw busy F)) by (apply steady_balance; [apply gains_nonneg|reflexivity]).
  unfold free. fold q. change (rests sw busy F) with q in E. rewrite E at 1. ring.
Qed.

Lemma arrives_nonneg i t : (i < ports sw)%nat -> s <= t < tau -> 0 <= Ar i t.
Proof. intros Hi Ht. specialize (offered i t Hi Ht). destruct (kinds i Hi). destruct (busy i); lra. Qed.

(** While more is free, a queue that is short grows, and no queue that rests falls; and the other way round. *)
Lemma one_queue i t : (i < ports sw)%nat -> s <= t < tau ->
  ((F < free sw Q t \/ (free sw Q t = F /\ 0 <= free_slope sw D t)) ->
     abs_slope (Q i t - q i) (D i t) <= D i t /\ (Q i t < q i -> abs_slope (Q i t - q i) (D i t) <= D i t - 2 * delta)) /\
  ((free sw Q t < F \/ (free sw Q t = F /\ free_slope sw D t <= 0)) ->
     abs_slope (Q i t - q i) (D i t) <= - D i t /\ (q i < Q i t -> abs_slope (Q i t - q i) (D i t) <= - D i t - 2 * delta)).
Proof.
  intros Hi Ht. destruct (kinds i Hi) as [G S]. pose proof (offered i t Hi Ht) as O. pose proof (fits i Hi) as Qs. fold (q i) in Qs.
  pose proof (length_nonneg _ _ _ _ _ _ moves i t Hi ltac:(lra)) as Q0. pose proof (length_rule _ _ _ _ _ _ moves i t Hi Ht) as Rule.
  pose proof (rate_bounds sw Ar Q D i t (arrives_nonneg i t Hi Ht) Rule) as Bd. pose proof (lowest_le_highest sw Ar i (Q i t) t (arrives_nonneg i t Hi Ht)) as LH.
  assert (Hi1 : busy i = true -> delta <= highest sw Ar i (Q i t) t).
  { intros e. rewrite e in O. unfold highest. destruct (Rlt_dec 0 (Q i t)); [lra|]. apply Rle_trans with (2 := Rmax_r _ _). lra. }
  assert (Lo1 : lowest sw i (Q i t) <= 0) by (unfold lowest; destruct (Rlt_dec 0 (Q i t)); [lra|rewrite Rmax_left; lra]).
  assert (Lo2 : 0 < Q i t -> lowest sw i (Q i t) <= - delta) by (intros; unfold lowest; destruct (Rlt_dec 0 (Q i t)); lra).
  assert (Lo3 : Q i t = 0 -> lowest sw i (Q i t) = 0) by (intros ->; unfold lowest; destruct (Rlt_dec 0 0); [lra|rewrite Rmax_left; lra]).
  assert (Hi2 : busy i = false -> (0 < Q i t -> highest sw Ar i (Q i t) t <= - delta) /\ (Q i t = 0 -> highest sw Ar i (Q i t) t = 0)).
  { intros e. rewrite e in O. unfold highest. split; [intros; destruct (Rlt_dec 0 (Q i t)); lra|]. intros ->. destruct (Rlt_dec 0 0); [lra|rewrite Rmax_left; lra]. }
  destruct Rule as (R1 & R2 & R3).
  assert (Th : busy i = true -> threshold sw Q i t - q i = gain sw i * (free sw Q t - F)) by (intros e; unfold threshold, q, rests; rewrite e; unfold F; ring).
  assert (Idle : busy i = false -> q i = 0) by (intros e; unfold q, rests; rewrite e; reflexivity).
  unfold abs_slope. split; intros Hf.
  - (* more is free *)
    assert (Short : Q i t < q i -> delta <= D i t).
    { intros H. destruct (busy i) eqn:e; [|rewrite Idle in H by auto; lra]. specialize (Th eq_refl).
      assert (0 <= gain sw i * (free sw Q t - F)) by (apply Rmult_le_pos; lra). rewrite R1 by lra. apply Hi1; auto. }
    assert (At : Q i t = q i -> 0 <= D i t).
    { intros H. destruct (busy i) eqn:e; [|rewrite Idle in H by auto; rewrite Lo3 in Bd by auto; lra]. specialize (Th eq_refl). specialize (Hi1 eq_refl).
      assert (P : 0 <= gain sw i * (free sw Q t - F)) by (apply Rmult_le_pos; lra).
      destruct P as [P|P]; [rewrite R1 by lra; lra|]. rewrite R3 by lra. unfold clip. apply Rle_trans with (2 := Rmax_r _ _). apply Rmin_glb; [|lra].
      unfold threshold_slope. destruct Hf as [Hf|[_ Hf]]; [|apply Rmult_le_pos; lra].
      symmetry in P. apply Rmult_integral in P. destruct P as [P|P]; [rewrite P; lra|lra]. }
    destruct (Rlt_dec 0 (Q i t - q i)); [split; intros; lra|]. destruct (Rlt_dec (Q i t - q i) 0); [specialize (Short ltac:(lra)); split; intros; lra|].
    specialize (At ltac:(lra)). rewrite Rabs_right by lra. split; intros; lra.
  - (* less is free *)
    assert (Long : q i < Q i t -> D i t <= - delta).
    { intros H. destruct (busy i) eqn:e; [|destruct (Hi2 eq_refl) as [K _]; specialize (K ltac:(lra)); lra]. specialize (Th eq_refl).
      assert (0 <= gain sw i * (F - free sw Q t)) by (apply Rmult_le_pos; lra). rewrite R2 by lra. apply Lo2. lra. }
    assert (At : Q i t = q i -> D i t <= 0).
    { intros H. destruct (busy i) eqn:e; [|destruct (Hi2 eq_refl) as [_ K]; rewrite K in Bd by (rewrite Idle in H; auto); lra]. specialize (Th eq_refl).
      assert (P : 0 <= gain sw i * (F - free sw Q t)) by (apply Rmult_le_pos; lra).
      destruct P as [P|P]; [rewrite R2 by lra; lra|]. rewrite R3 by lra. unfold clip. apply Rmax_lub; [lra|]. apply Rle_trans with (1 := Rmin_l _ _).
      unfold threshold_slope. destruct Hf as [Hf|[_ Hf]].
      - symmetry in P. apply Rmult_integral in P. destruct P as [P|P]; [rewrite P; lra|lra].
      - assert (0 <= gain sw i * - free_slope sw D t) by (apply Rmult_le_pos; lra). lra. }
    destruct (Rlt_dec 0 (Q i t - q i)); [specialize (Long ltac:(lra)); split; intros; lra|]. destruct (Rlt_dec (Q i t - q i) 0); [split; intros; lra|].
    specialize (At ltac:(lra)). rewrite Rabs_left1 by lra. split; intros; lra.
Qed.

(** A sum of which no term is negative, and one at least by as much. *)
Lemma sum_gap n (f g : nat -> R) k c : (forall i, (i < n)%nat -> f i <= g i) -> (k < n)%nat -> f k <= g k - c -> sum n f <= sum n g - c.
Proof.
  intros H Hk Hc. assert (0 <= g k - f k) by (specialize (H k Hk); lra).
  pose proof (sum_term_le n (fun i => g i - f i) k) as K. cbv beta in K. rewrite sum_minus in K.
  assert (g k - f k <= sum n g - sum n f); [|lra]. apply K; auto. intros i Hi. specialize (H i Hi). lra.
Qed.

Lemma some_below n (f : nat -> R) : sum n f <= 0 -> (exists k, (k < n)%nat /\ f k < 0) \/ (forall i, (i < n)%nat -> f i = 0).
Proof.
  induction n; intros H; [right; intros; lia|]. simpl in H. destruct (Rlt_dec (f n) 0) as [c|c]; [left; exists n; split; [lia|auto]|].
  destruct IHn as [(k & Hk & Hf)|Z]; [lra|left; exists k; split; [lia|auto]|]. right. intros i Hi.
  rewrite (sum_zero n f) in H by auto. destruct (Nat.eq_dec i n) as [->|]; [lra|apply Z; lia].
Qed.

Lemma off_falls t : s <= t < tau -> off_slope t <= 0 /\ (0 < off t -> off_slope t <= - (2 * delta)).
Proof.
  intros Ht. pose proof (free_off t) as E. set (n := ports sw) in *.
  assert (Z : (forall i, (i < n)%nat -> Q i t - q i = 0) -> off t = 0).
  { intros H. unfold off. fold n. rewrite E, (sum_zero n (fun i => Q i t - q i)) by auto. rewrite sum_zero; [rewrite Ropp_0, Rabs_R0; lra|]. intros i Hi. rewrite H by auto. apply Rabs_R0. }
  assert (Es : free_slope sw D t = - sum n (fun i => D i t)) by reflexivity.
  assert (Case : (F < free sw Q t \/ (free sw Q t = F /\ 0 <= free_slope sw D t)) \/ (free sw Q t < F \/ (free sw Q t = F /\ free_slope sw D t <= 0))).
  { destruct (Rtotal_order (free sw Q t) F) as [c|[c|c]]; [auto| |auto]. destruct (Rle_dec 0 (free_slope sw D t)); [left|right]; right; split; lra. }
  unfold off_slope. fold n. destruct Case as [c|c].
  - assert (A : abs_slope (free sw Q t - F) (free_slope sw D t) = - sum n (fun i => D i t)).
    { rewrite <- Es. unfold abs_slope. destruct (Rlt_dec 0 (free sw Q t - F)); auto. destruct (Rlt_dec (free sw Q t - F) 0); [exfalso; destruct c as [|[]]; lra|].
      apply Rabs_right. destruct c as [|[]]; lra. }
    rewrite A. assert (S : forall i, (i < n)%nat -> abs_slope (Q i t - q i) (D i t) <= D i t) by (intros i Hi; apply (one_queue i t); auto).
    split; [pose proof (sum_le n _ _ S); lra|]. intros Hp.
    destruct (some_below n (fun i => Q i t - q i)) as [(k & Hk & Hf)|H]; [destruct c as [|[]]; lra| |specialize (Z H); lra].
    pose proof (sum_gap n _ (fun i => D i t) k (2 * delta) S Hk) as K. cbv beta in K.
    assert (sum n (fun i => abs_slope (Q i t - q i) (D i t)) <= sum n (fun i => D i t) - 2 * delta); [|lra].
    apply K. apply (one_queue k t); auto. lra.
  - assert (A : abs_slope (free sw Q t - F) (free_slope sw D t) = sum n (fun i => D i t)).
    { unfold abs_slope. destruct (Rlt_dec 0 (free sw Q t - F)); [exfalso; destruct c as [|[]]; lra|]. destruct (Rlt_dec (free sw Q t - F) 0); [lra|].
      rewrite Rabs_left1; [lra|]. destruct c as [|[]]; lra. }
    rewrite A. assert (S : forall i, (i < n)%nat -> abs_slope (Q i t - q i) (D i t) <= - D i t) by (intros i Hi; apply (one_queue i t); auto).
    split; [pose proof (sum_le n _ _ S) as K; rewrite sum_opp in K; lra|]. intros Hp.
    destruct (some_below n (fun i => - (Q i t - q i))) as [(k & Hk & Hf)|H].
    + rewrite sum_opp. destruct c as [|[]]; lra.
    + pose proof (sum_gap n _ (fun i => - D i t) k (2 * delta) S Hk) as K. cbv beta in K. rewrite sum_opp in K.
      assert (sum n (fun i => abs_slope (Q i t - q i) (D i t)) <= - sum n (fun i => D i t) - 2 * delta); [|lra].
      apply K. apply (one_queue k t); auto. lra.
    + assert (off t = 0); [|lra]. apply Z. intros i Hi. specialize (H i Hi). cbv beta in H. lra.
Qed.

Lemma off_continuous : continuous_on off s tau.
Proof.
  unfold off. apply continuous_plus.
  - apply continuous_abs, continuous_minus; [eapply free_continuous; eauto|apply continuous_const].
  - apply continuous_sum. intros i Hi. apply continuous_abs, continuous_minus; [apply (length_continuous _ _ _ _ _ _ moves); auto|apply continuous_const].
Qed.

Lemma off_derivative t : s <= t < tau -> right_derivative off t (off_slope t).
Proof.
  intros Ht. unfold off, off_slope. apply rd_plus.
  - apply (rd_abs t (fun u => free sw Q u - F)). eapply rd_eq; [apply rd_minus; [eapply free_has_slope; eauto|apply rd_const]|ring].
  - apply rd_sum. intros i Hi. apply (rd_abs t (fun u => Q i u - q i)). eapply rd_eq; [apply rd_minus; [apply (length_slope _ _ _ _ _ _ moves); auto|apply rd_const]|ring].
Qed.

Theorem settles t : s <= t <= tau -> off t <= Rmax 0 (off s - 2 * delta * (t - s)).
Proof.
  intros Ht. destruct (Rle_dec (off t) 0) as [c|c]; [apply Rle_trans with (1 := c), Rmax_l|]. apply Rle_trans with (2 := Rmax_r _ _).
  assert (Pos : forall u, s <= u <= t -> 0 < off u).
  { intros u Hu. assert (off t <= off u); [|lra]. apply (nonincreasing u t off off_slope); [lra| |].
    - apply (continuous_sub s tau); [lra|lra|apply off_continuous].
    - intros v Hv. split; [apply off_derivative; lra|apply off_falls; lra]. }
  assert (G : off t + 2 * delta * t <= off s + 2 * delta * s); [|lra].
  apply (nonincreasing s t (fun u => off u + 2 * delta * u) (fun u => off_slope u + 2 * delta)); [lra| |].
  - apply continuous_plus; [apply (continuous_sub s tau); [lra|lra|apply off_continuous]|].
    apply continuous_ext with (fun u => 2 * delta * u + 0); [intros; ring|apply continuous_linear].
  - intros u Hu. split.
    + apply rd_plus; [apply off_derivative; lra|]. apply rd_affine. exists 1. split; [lra|]. intros. ring.
    + destruct (off_falls u ltac:(lra)) as [_ K]. specialize (K (Pos u ltac:(lra))). lra.
Qed.

(** Steady from then on. *)
Theorem settled t : s <= t <= tau -> off s <= 2 * delta * (t - s) ->
  free sw Q t = F /\ forall i, (i < ports sw)%nat -> Q i t = q i.
Proof.
  intros Ht H. pose proof (settles t Ht) as K. rewrite Rmax_left in K by lra. unfold off in K.
  pose proof (Rabs_pos (free sw Q t - F)) as P. assert (N : forall i, (i < ports sw)%nat -> 0 <= Rabs (Q i t - q i)) by (intros; apply Rabs_pos).
  pose proof (sum_nonneg (ports sw) _ N) as P'. assert (Zero : forall x, Rabs x <= 0 -> x = 0).
  { intros x Hx. destruct (Req_dec x 0) as [|Hn]; auto. apply Rabs_pos_lt in Hn. lra. }
  split; [assert (free sw Q t - F = 0) by (apply Zero; lra); lra|]. intros i Hi.
  pose proof (sum_term_le (ports sw) (fun i => Rabs (Q i t - q i)) i N Hi) as T. cbv beta in T. assert (Q i t - q i = 0) by (apply Zero; lra). lra.
Qed.

(** From any lengths that fit into the buffer. *)
Theorem settled_within t : 0 <= free sw Q s -> 0 <= F -> buffer sw <= delta * (t - s) -> t <= tau ->
  free sw Q t = F /\ forall i, (i < ports sw)%nat -> Q i t = q i.
Proof.
  intros Hf HF Hb Ht.
  assert (Nq : forall i, (i < ports sw)%nat -> 0 <= Q i s) by (intros; apply (length_nonneg _ _ _ _ _ _ moves); auto; lra).
  assert (Sq : sum (ports sw) (fun i => Q i s) = buffer sw - free sw Q s) by (unfold free; ring).
  pose proof (free_off s) as E. rewrite sum_minus, Sq in E.
  assert (A : sum (ports sw) (fun i => Rabs (Q i s - q i)) <= sum (ports sw) (fun i => Q i s) + sum (ports sw) q).
  { rewrite <- sum_plus. apply sum_le. intros i Hi. specialize (Nq i Hi). pose proof (fits i Hi) as K. fold (q i) in K. apply Rabs_le. lra. }
  assert (B0 : 0 <= buffer sw) by (pose proof (sum_nonneg (ports sw) _ Nq) as K; cbv beta in K; lra).
  assert (Hst : s <= t). { apply Rnot_lt_le. intros c. assert (0 < delta * (s - t)) by (apply Rmult_lt_0_compat; lra). lra. }
  apply settled; [lra|]. unfold off. rewrite Sq in A. change (sum (ports sw) (fun i => q i)) with (sum (ports sw) q) in E.
  assert (Rabs (free sw Q s - F) <= 2 * buffer sw - (buffer sw - free sw Q s) - sum (ports sw) q) by (apply Rabs_le; lra). lra.
Qed.

End Settling.

(** Two ports, alpha = 1, B = 6, C = 1: one is empty and offered 2, the other holds 6 and is offered nothing; after six seconds all is steady. *)
Theorem settled_instance : let sw := dt_switch 2 1 6 1 in let busy := fun i => if Nat.eq_dec i 0 then true else false in
  exists Ar Q D, (forall i t, (i < 2)%nat -> 0 <= t < 6 -> if busy i then 1 + 1 <= Ar i t else 0 <= Ar i t <= 1 - 1) /\
  trajectory sw Ar 0 6 Q D /\ Q 0%nat 0 = 0 /\ Q 1%nat 0 = 6 /\ free sw Q 6 = 3 /\ Q 0%nat 6 = 3 /\ Q 1%nat 6 = 0.
Proof.
  intros sw busy. set (Ar := fun (i : nat) (_ : R) => if Nat.eq_dec i 0 then 2 else 0).
  destruct (fluid_exists sw Ar 0 6 (fun i => if Nat.eq_dec i 0 then 0 else 6)) as (Q & D & T & E).
  { split; intros; simpl; [lra|]. unfold Ar. destruct (Nat.eq_dec i 0); lra. }
  { exists 1%nat, (fun k => 6 * INR k). simpl. repeat split; intros; try lra. assert (k = 0%nat) by lia. subst k. simpl. lra. }
  { intros i _. destruct (Nat.eq_dec i 0); lra. }
  assert (F3 : free_at_rest sw busy = 3) by (unfold free_at_rest; simpl; field).
  assert (O : forall i t, (i < 2)%nat -> 0 <= t < 6 -> if busy i then 1 + 1 <= Ar i t else 0 <= Ar i t <= 1 - 1).
  { intros i t _ _. unfold busy, Ar. destruct (Nat.eq_dec i 0); lra. }
  assert (Q0 : Q 0%nat 0 = 0) by (apply E; simpl; lia). assert (Q1 : Q 1%nat 0 = 6) by (apply E; simpl; lia).
  destruct (settled_within sw busy 1 0 6 Ar Q D) with (t := 6) as [K1 K2]; auto; try lra; rewrite ?F3; try lra.
  - intros i _. simpl. lra.
  - intros i _. unfold rests, busy. simpl. destruct (Nat.eq_dec i 0); lra.
  - unfold free. simpl. rewrite Q0, Q1. lra.
  - simpl. lra.
  - exists Ar, Q, D. split; [exact O|]. split; [exact T|]. split; [exact Q0|]. split; [exact Q1|].
    rewrite K1, (K2 0%nat), (K2 1%nat), F3 by (simpl; lia). unfold rests, busy. simpl. lra.
Qed.
