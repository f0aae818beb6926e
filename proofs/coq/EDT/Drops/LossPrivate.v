(** Bytes lost under DT as a functional of the arrivals: M equal flows that never come too fast see a private buffer each.

      [private_exists], [private_buffer]   each flow's queue, and what it rejects, are those of a queue alone with the length share for its own;
      [flows_guaranteed] so the bounds of LossBounds.v hold with this share;
      [private_step]     while the rate is constant: what is held, and what is lost;
      [private_run]      for piecewise-constant rates, a recursion from change to change;
      [dt_lost_pieces]   both together, for every trajectory of DT;
      [on_off_lost], [on_off_passes]   on/off flows lose exactly what [lost_share] allows, and pass its bucket.             *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence Scenario ThresholdRule GuaranteesReserve LossBounds.
Open Scope R_scope.

(** ** A queue alone that may be as long as share *)

Definition private (share C : real) : switch := Switch 1 (fun _ => 0) (fun _ => share) (fun _ => C) share.

Section Private.
Variables (share C s tau : real) (Ar X x : nat -> real -> real).
Hypotheses (share_pos : 0 < share) (C_nonneg : 0 <= C) (ordered : s <= tau).
Hypothesis arrives : forall t, s <= t < tau -> 0 <= Ar 0%nat t.
Hypothesis alone : trajectory (private share C) Ar s tau X x.
Hypothesis starts : X 0%nat s <= share.

Lemma private_rule t : s <= t < tau ->
  (X 0%nat t < share -> x 0%nat t = highest (private share C) Ar 0 (X 0%nat t) t) /\
  (share < X 0%nat t -> x 0%nat t = - C) /\
  (X 0%nat t = share -> x 0%nat t = clip 0 (- C) (Ar 0%nat t - C)).
Proof.
  intros Ht. destruct (length_rule _ _ _ _ _ _ alone 0%nat t ltac:(simpl; lia) Ht) as (R1 & R2 & R3).
  unfold threshold, threshold_slope, lowest in *. simpl in *. replace (share + 0 * free (private share C) X t) with share in * by ring.
  split; [exact R1|]. split; intros H.
  - destruct (Rlt_dec 0 (X 0%nat t)); lra.
  - rewrite (R3 H), Rmult_0_l. unfold highest. destruct (Rlt_dec 0 (X 0%nat t)); [reflexivity|lra].
Qed.

Lemma private_within t : s <= t <= tau -> 0 <= X 0%nat t <= share.
Proof.
  split; [apply (length_nonneg _ _ _ _ _ _ alone); [simpl; lia|auto]|].
  assert (K : Rmax (X 0%nat t) share <= Rmax (X 0%nat s) share).
  { apply (nonincreasing s t (fun u => Rmax (X 0%nat u) share) (fun u => max_slope (X 0%nat u) share (x 0%nat u) 0)); [lra| |].
    - apply continuous_max; [|apply continuous_const]. apply (continuous_sub s tau); [lra|lra|]. apply (length_continuous _ _ _ _ _ _ alone). simpl. lia.
    - intros u Hu. split; [apply rd_max; [apply (length_slope _ _ _ _ _ _ alone); [simpl; lia|lra]|apply rd_const]|].
      destruct (private_rule u ltac:(lra)) as (_ & R2 & R3). unfold max_slope.
      destruct (Rlt_dec share (X 0%nat u)) as [c|c]; [rewrite (R2 c); lra|]. destruct (Rlt_dec (X 0%nat u) share); [lra|].
      rewrite R3 by lra. apply Rmax_lub; [|lra]. apply Rmax_lub; [lra|apply Rmin_l]. }
  rewrite (Rmax_right (X 0%nat s)) in K by auto. apply Rle_trans with (2 := K). apply Rmax_l.
Qed.

(** How fast the queue moves. *)
Lemma private_slope t : s <= t < tau ->
  (X 0%nat t < share -> x 0%nat t = highest (private share C) Ar 0 (X 0%nat t) t) /\ (X 0%nat t = share -> x 0%nat t = Rmin 0 (Ar 0%nat t - C)).
Proof.
  intros Ht. destruct (private_rule t Ht) as (R1 & _ & R3). split; auto. intros H. rewrite (R3 H). apply Rmax_right.
  specialize (arrives t Ht). apply Rmin_glb; lra.
Qed.

(** While the rate is r. *)
Lemma private_length r : (forall t, s <= t < tau -> Ar 0%nat t = r) -> X 0%nat tau = Rmin share (Rmax 0 (X 0%nat s + (r - C) * (tau - s))).
Proof.
  intros Hr. destruct (Req_dec s tau) as [E|Hne].
  { pose proof (private_within s ltac:(lra)). rewrite <- E. replace (s - s) with 0 by ring. rewrite Rmult_0_r, Rplus_0_r, (Rmax_right 0), Rmin_right; lra. }
  assert (r0 : 0 <= r) by (rewrite <- (Hr s) by lra; apply arrives; lra).
  set (a := X 0%nat s) in *. pose proof (private_within s ltac:(lra)) as W0. fold a in W0.
  set (line := fun u => (r - C) * u + (a - (r - C) * s)).
  set (Y := fun (_ : nat) u => Rmin (Rmax (line u) 0) share).
  set (y := fun (_ : nat) u => min_slope (Rmax (line u) 0) share (max_slope (line u) 0 (r - C) 0) 0).
  assert (Line : forall u, line u = a + (r - C) * (u - s)) by (intros; unfold line; ring).
  assert (Mono : forall u, s <= u -> (C <= r -> a <= line u) /\ (r <= C -> line u <= a)).
  { intros u Hu. rewrite Line. split; intros.
    - assert (0 <= (r - C) * (u - s)) by (apply Rmult_le_pos; lra). lra.
    - assert (0 <= (C - r) * (u - s)) by (apply Rmult_le_pos; lra). lra. }
  assert (T : trajectory (private share C) Ar s tau Y y).
  { split; intros j.
    - intros t Hj Ht. apply Rmin_glb; [apply Rmax_r|lra].
    - intros Hj. apply continuous_min; [apply continuous_max|]; [apply continuous_linear|apply continuous_const|apply continuous_const].
    - intros t Hj Ht. apply (rd_min t (fun u => Rmax (line u) 0) (fun _ => share)); [|apply rd_const].
      apply (rd_max t line (fun _ => 0)); [apply rd_linear|apply rd_const].
    - intros t Hj Ht. simpl in Hj. assert (j = 0%nat) by lia. subst j.
      unfold obeys, threshold, threshold_slope, highest, lowest. simpl. rewrite (Hr t Ht), !Rmult_0_l, Rplus_0_r.
      unfold Y, y, min_slope, max_slope. destruct (Mono t ltac:(lra)) as [M1 M2]. generalize dependent (line t). intros l M1 M2.
      destruct (Rle_dec C r) as [c|c]; [specialize (M1 c)|specialize (M2 ltac:(lra))]; clear alone arrives Hr Mono Line.
      + rewrite (Rmax_left l 0) by lra. rewrite (Rmax_right 0 (r - C)) by lra.
        assert (Sl : (if Rlt_dec 0 l then r - C else if Rlt_dec l 0 then 0 else Rmax (r - C) 0) = r - C)
          by (destruct (Rlt_dec 0 l); auto; destruct (Rlt_dec l 0); [lra|]; apply Rmax_left; lra).
        destruct (Rlt_dec l share) as [k|k].
        * rewrite Rmin_left by lra. destruct (Rlt_dec 0 l); lra.
        * rewrite Rmin_right by lra. destruct (Rlt_dec 0 share); [|lra]. repeat split; intros; try lra. rewrite clip_inside by lra.
          destruct (Rlt_dec share l); auto. apply Rmin_right. lra.
      + rewrite (Rmax_left 0 (r - C)), (Rmax_left 0 (- C)) by lra. destruct (Rlt_dec 0 l) as [k|k].
        * rewrite (Rmax_left l 0), (Rmin_left l share) by lra. destruct (Rlt_dec 0 l); [|lra]. repeat split; intros; try lra.
          -- destruct (Rlt_dec l share); lra.
          -- rewrite clip_high by lra. destruct (Rlt_dec l share); [lra|]. destruct (Rlt_dec share l); [lra|]. apply Rmin_left. lra.
        * rewrite (Rmax_right l 0), (Rmin_left 0 share) by lra. destruct (Rlt_dec 0 share); [|lra]. destruct (Rlt_dec 0 0); [lra|].
          repeat split; intros; try lra. destruct (Rlt_dec l 0); auto. apply Rmax_right. lra. }
  assert (U : X 0%nat tau = Y 0%nat tau).
  { apply (fluid_unique (private share C) Ar s tau X x Y y); auto; try (simpl; lia); try lra.
    - split; intros; simpl; try lra. simpl in H. assert (i = 0%nat) by lia. subst i. apply arrives; auto.
    - intros j Hj. simpl in Hj. assert (j = 0%nat) by lia. subst j. fold a. unfold Y. rewrite Line. replace (s - s) with 0 by ring.
      rewrite Rmax_left, Rmin_left; lra. }
  rewrite U. unfold Y. rewrite Line, Rmin_comm, (Rmax_comm 0). reflexivity.
Qed.

Theorem private_step r L : (forall t, s <= t < tau -> Ar 0%nat t = r) -> loses (private share C) Ar X x 0 s tau L ->
  X 0%nat tau = Rmin share (Rmax 0 (X 0%nat s + (r - C) * (tau - s))) /\ L tau = Rmax 0 (X 0%nat s + (r - C) * (tau - s) - share).
Proof.
  intros Hr HL. pose proof (private_length r Hr) as V. split; [exact V|]. destruct HL as [L0 Lc Ld].
  pose proof (private_within s ltac:(lra)) as W0. set (a := X 0%nat s) in *.
  destruct (Rle_dec C r) as [c|c].
  - assert (K : L tau + X 0%nat tau - (r - C) * tau = L s + X 0%nat s - (r - C) * s).
    { apply (constant_of_slope (fun u => L u + X 0%nat u - (r - C) * u)); auto.
      - apply continuous_minus; [apply continuous_plus; auto; apply (length_continuous _ _ _ _ _ _ alone); simpl; lia|].
        apply continuous_ext with (fun u => (r - C) * u + 0); [intros; ring|apply continuous_linear].
      - intros t Ht. eapply rd_eq.
        + apply rd_minus; [apply rd_plus; [apply Ld; auto|apply (length_slope _ _ _ _ _ _ alone); [simpl; lia|auto]]|].
          apply rd_affine with (l := r - C). exists 1. split; [lra|]. intros. ring.
        + unfold rejected, highest. simpl. rewrite (Hr t Ht). destruct (Rlt_dec 0 (X 0%nat t)); [ring|]. rewrite Rmax_right by lra. ring. }
    fold a in K. assert (0 <= (r - C) * (tau - s)) by (apply Rmult_le_pos; lra).
    rewrite (Rmax_right 0) in V by lra. unfold Rmin in V. unfold Rmax. destruct (Rle_dec share _), (Rle_dec 0 _); lra.
  - assert (K : L tau = L s).
    { apply constant_of_slope; auto. intros t Ht. eapply rd_eq; [apply Ld; auto|]. pose proof (private_within t ltac:(lra)).
      destruct (private_slope t Ht) as [S1 S2]. unfold rejected. destruct (Req_dec (X 0%nat t) share) as [e|e].
      - rewrite (S2 e), (Hr t Ht). unfold highest. simpl. rewrite (Hr t Ht). rewrite Rmin_right by lra. destruct (Rlt_dec 0 (X 0%nat t)); lra.
      - rewrite S1 by lra. ring. }
    assert (0 <= (C - r) * (tau - s)) by (apply Rmult_le_pos; lra). rewrite K, Rmax_left; lra.
Qed.

End Private.

(** ** Piecewise-constant rates *)

(** What is held, and what has been lost, after the first k pieces, of lengths [len] and rates [r], from a bytes on. *)
Fixpoint held_after (share C a : real) (r len : nat -> real) (k : nat) : real :=
  match k with O => a | S j => Rmin share (Rmax 0 (held_after share C a r len j + (r j - C) * len j)) end.
Definition lost_after (share C a : real) (r len : nat -> real) (k : nat) : real :=
  sum k (fun j => Rmax 0 (held_after share C a r len j + (r j - C) * len j - share)).
Definition begins (s : real) (len : nat -> real) (k : nat) : real := s + sum k len.

Lemma loses_later sw Ar Q D i s u tau L : s <= u -> loses sw Ar Q D i s tau L -> loses sw Ar Q D i u tau (fun t => L t - L u).
Proof.
  intros H [L0 Lc Ld]. split; [ring| |].
  - apply continuous_minus; [apply (continuous_sub s tau); auto; lra|apply continuous_const].
  - intros t Ht. eapply rd_eq; [apply rd_minus; [apply Ld; lra|apply rd_const]|ring].
Qed.

Lemma loses_shorten sw Ar Q D i s u tau L : u <= tau -> loses sw Ar Q D i s tau L -> loses sw Ar Q D i s u L.
Proof. intros H [L0 Lc Ld]. split; auto; [apply (continuous_sub s tau); auto; lra|]. intros t Ht. apply Ld. lra. Qed.

Lemma begins_0 s len : begins s len 0 = s.
Proof. unfold begins. simpl. ring. Qed.

Lemma begins_mono s len m : (forall k, (k < m)%nat -> 0 < len k) -> forall j k, (j < k <= m)%nat -> begins s len j < begins s len k.
Proof.
  intros Hl j. induction k; intros Hk; [lia|]. specialize (Hl k ltac:(lia)) as Hlk. unfold begins in *. simpl.
  destruct (Nat.eq_dec j k) as [->|]; [lra|]. specialize (IHk ltac:(lia)). lra.
Qed.

Lemma begins_within s len m k : (forall k, (k < m)%nat -> 0 < len k) -> (k <= m)%nat -> s <= begins s len k <= begins s len m.
Proof.
  intros Hl Hk. pose proof (begins_mono s len m Hl) as Mono. split.
  - destruct k; [rewrite begins_0; lra|]. rewrite <- (begins_0 s len) at 1. left. apply Mono. lia.
  - destruct (Nat.eq_dec k m) as [->|]; [lra|left; apply Mono; lia].
Qed.

Lemma held_within share C a r len k : 0 <= a <= share -> 0 <= held_after share C a r len k <= share.
Proof. destruct k; simpl; [auto|]. split; [apply Rmin_glb; [lra|apply Rmax_l]|apply Rmin_l]. Qed.

Lemma private_held share C s m r len Ar X x : 0 < share -> 0 <= C -> (forall k, (k < m)%nat -> 0 < len k) -> (forall k, (k < m)%nat -> 0 <= r k) ->
  (forall k t, (k < m)%nat -> begins s len k <= t < begins s len (S k) -> Ar 0%nat t = r k) ->
  trajectory (private share C) Ar s (begins s len m) X x -> X 0%nat s <= share ->
  forall k, (k <= m)%nat -> X 0%nat (begins s len k) = held_after share C (X 0%nat s) r len k.
Proof.
  intros Hs HC Hl Hr HA T HX. induction k; intros Hk; [rewrite begins_0; reflexivity|]. specialize (IHk ltac:(lia)).
  pose proof (begins_mono s len m Hl k (S k) ltac:(lia)) as M2. destruct (begins_within s len m k Hl ltac:(lia)). destruct (begins_within s len m (S k) Hl ltac:(lia)).
  assert (X0 : 0 <= X 0%nat s) by (apply (length_nonneg _ _ _ _ _ _ T); [simpl; lia|lra]).
  rewrite (private_length share C (begins s len k) (begins s len (S k)) Ar X x Hs HC ltac:(lra)) with (r := r k).
  - rewrite IHk. replace (begins s len (S k) - begins s len k) with (len k) by (unfold begins; simpl; ring). reflexivity.
  - intros t Ht. rewrite (HA k t) by (auto; lia). apply Hr. lia.
  - apply (trajectory_shorten _ _ _ (begins s len m)); [lra|]. apply (trajectory_later _ _ s); auto.
  - rewrite IHk. apply held_within. lra.
  - intros t Ht. apply HA; auto; lia.
Qed.

Theorem private_run share C s m r len Ar X x L : 0 < share -> 0 <= C -> (forall k, (k < m)%nat -> 0 < len k) -> (forall k, (k < m)%nat -> 0 <= r k) ->
  (forall k t, (k < m)%nat -> begins s len k <= t < begins s len (S k) -> Ar 0%nat t = r k) ->
  trajectory (private share C) Ar s (begins s len m) X x -> X 0%nat s <= share -> loses (private share C) Ar X x 0 s (begins s len m) L ->
  forall k, (k <= m)%nat -> X 0%nat (begins s len k) = held_after share C (X 0%nat s) r len k /\ L (begins s len k) = lost_after share C (X 0%nat s) r len k.
Proof.
  intros Hs HC Hl Hr HA T HX HL k Hk. pose proof (private_held share C s m r len Ar X x Hs HC Hl Hr HA T HX) as Held. split; [auto|].
  assert (X0 : 0 <= X 0%nat s) by (apply (length_nonneg _ _ _ _ _ _ T); [simpl; lia|]; destruct (begins_within s len m m Hl (Nat.le_refl m)); lra).
  induction k; [rewrite begins_0; apply (lost_nothing _ _ _ _ _ _ _ _ HL)|].
  pose proof (begins_mono s len m Hl k (S k) ltac:(lia)) as M2. destruct (begins_within s len m k Hl ltac:(lia)). destruct (begins_within s len m (S k) Hl ltac:(lia)).
  destruct (private_step share C (begins s len k) (begins s len (S k)) Ar X x Hs HC ltac:(lra)) with (r := r k) (L := fun t => L t - L (begins s len k)) as [_ S2].
  - intros t Ht. rewrite (HA k t) by (auto; lia). apply Hr. lia.
  - apply (trajectory_shorten _ _ _ (begins s len m)); [lra|]. apply (trajectory_later _ _ s); auto.
  - rewrite Held by lia. apply held_within. lra.
  - intros t Ht. apply HA; auto; lia.
  - apply (loses_shorten _ _ _ _ _ _ _ (begins s len m)); [lra|]. apply (loses_later _ _ _ _ _ s); auto.
  - replace (begins s len (S k) - begins s len k) with (len k) in S2 by (unfold begins; simpl; ring).
    rewrite Held, IHk in S2 by lia. unfold lost_after in *. simpl. lra.
Qed.

(** ** M equal flows under DT *)

Section Flows.
Variables (M N Z : nat) (alpha B C s tau : real) (R : real -> real) (Ar Q D X x : nat -> real -> real).
Hypotheses (M_pos : (1 <= M)%nat) (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C) (ordered : s <= tau).
Notation m := (INR M).
Notation n := (INR N).
Notation sw := (dt_switch (M + N + Z) alpha B C).
Notation share := (alpha * B / (1 + alpha * (m + n))).

Hypothesis flows : forall i t, (i < M)%nat -> s <= t < tau -> Ar i t = R t.
Hypothesis never_fast : forall t, s <= t < tau -> 0 <= R t <= C * (1 + (1 + alpha * n) / (alpha * m)).
Hypothesis steady : forall i t, (M <= i < M + N)%nat -> s <= t < tau -> C * (1 + alpha * m / (1 + alpha * n)) <= Ar i t.
Hypothesis others : forall i t, (M + N <= i < M + N + Z)%nat -> s <= t < tau -> 0 <= Ar i t <= C.
Hypothesis alone : trajectory (private share C) (fun _ => R) s tau X x.
Hypothesis starts : X 0%nat s <= share.

Let V (t : real) : real := alpha * (B - m * X 0%nat t) / (1 + alpha * n).
Let v (t : real) : real := - (alpha * m * x 0%nat t / (1 + alpha * n)).

Theorem private_exists : trajectory sw Ar s tau (by_class M N (fun _ => X 0%nat) V) (by_class M N (fun _ => x 0%nat) v).
Proof.
  assert (Hm : 1 <= m) by (change 1 with (INR 1); apply le_INR; auto). pose proof (pos_INR N) as Hn.
  assert (Ham : 0 < alpha * m) by (apply Rmult_lt_0_compat; lra). assert (Han : 0 <= alpha * n) by (apply Rmult_le_pos; lra).
  assert (Sp : 0 < share) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra).
  assert (Ha : forall t, s <= t < tau -> 0 <= R t) by (intros; apply never_fast; auto).
  assert (Within : forall t, s <= t <= tau -> 0 <= X 0%nat t <= share) by (intros; apply (private_within share C s tau (fun _ => R) X x); auto; lra).
  assert (Slope : forall t, s <= t < tau -> (X 0%nat t < share -> x 0%nat t = highest (private share C) (fun _ => R) 0 (X 0%nat t) t) /\ (X 0%nat t = share -> x 0%nat t = Rmin 0 (R t - C)))
    by (intros t Ht; apply (private_slope share C s tau (fun _ => R) X x); auto; lra).
  set (F := fun t => (B - m * X 0%nat t) / (1 + alpha * n)).
  assert (EF : forall t, class_free M N B (fun _ => X 0%nat) V t = F t) by (intros; unfold class_free, V, F; rewrite sum_const; field; lra).
  assert (EV : forall t, V t = alpha * F t) by (intros; unfold V, F; field; lra).
  assert (Ev : forall t, alpha * class_slope M N (fun _ => x 0%nat) v t = v t) by (intros; unfold class_slope, v; rewrite sum_const; field; lra).
  assert (Below : forall t, alpha * F t - X 0%nat t = (share - X 0%nat t) * (1 + alpha * (m + n)) / (1 + alpha * n)) by (intros; unfold F; field; repeat split; lra).
  assert (Fp : forall t, s <= t <= tau -> 0 < alpha * F t).
  { intros t Ht. specialize (Within t Ht). assert (m * X 0%nat t <= m * share) by (apply Rmult_le_compat_l; lra).
    assert (Lt : m * share < B). { apply Rmult_lt_reg_l with alpha; auto. replace (alpha * (m * share)) with (alpha * B - share * (1 + alpha * n)) by (field; repeat split; lra).
      assert (0 < share * (1 + alpha * n)) by (apply Rmult_lt_0_compat; lra). lra. }
    apply Rmult_lt_0_compat; auto. apply Rdiv_lt_0_compat; lra. }
  assert (Same : forall t, s <= t <= tau -> (X 0%nat t < alpha * F t <-> X 0%nat t < share) /\ (X 0%nat t = alpha * F t <-> X 0%nat t = share)).
  { intros t Ht. specialize (Below t). set (g := (1 + alpha * (m + n)) / (1 + alpha * n)) in *.
    assert (Hg : 0 < g) by (apply Rdiv_lt_0_compat; lra).
    replace ((share - X 0%nat t) * (1 + alpha * (m + n)) / (1 + alpha * n)) with ((share - X 0%nat t) * g) in Below by (unfold g; field; lra).
    split; split; intros H.
    - apply Rnot_le_lt. intros c. assert (0 <= (X 0%nat t - share) * g) by (apply Rmult_le_pos; lra). lra.
    - assert (0 < (share - X 0%nat t) * g) by (apply Rmult_lt_0_compat; lra). lra.
    - assert (K : (share - X 0%nat t) * g = 0) by lra. apply Rmult_integral in K. lra.
    - rewrite H in Below |- *. replace ((share - share) * g) with 0 in Below by ring. lra. }
  (* how far the flows may move the threshold *)
  assert (Up : forall t, s <= t < tau -> - C <= x 0%nat t /\ alpha * m * x 0%nat t <= (1 + alpha * n) * C).
  { intros t Ht. specialize (Within t ltac:(lra)). destruct (Slope t Ht) as [S1 S2]. destruct (never_fast t Ht) as [R0 R1].
    assert (R2 : alpha * m * (R t - C) <= (1 + alpha * n) * C).
    { apply Rle_trans with (alpha * m * (C * (1 + (1 + alpha * n) / (alpha * m)) - C)); [apply Rmult_le_compat_l; lra|]. right. field. lra. }
    assert (R3 : 0 <= (1 + alpha * n) * C) by (apply Rmult_le_pos; lra).
    assert (In : x 0%nat t = R t - C \/ x 0%nat t = 0).
    { destruct (Req_dec (X 0%nat t) share) as [e|e]; [rewrite (S2 e); unfold Rmin; destruct (Rle_dec _ _); auto|].
      rewrite S1 by lra. unfold highest. destruct (Rlt_dec _ _); auto. unfold Rmax. destruct (Rle_dec _ _); auto. }
    destruct In as [-> | ->]; lra. }
  assert (Ups : forall t, s <= t < tau -> - C <= v t <= alpha * m * C / (1 + alpha * n)).
  { intros t Ht. destruct (Up t Ht) as [U1 U2]. unfold v. split.
    - assert (alpha * m * x 0%nat t / (1 + alpha * n) <= C); [|lra]. apply Rmult_le_reg_r with (1 + alpha * n); [lra|].
      replace (alpha * m * x 0%nat t / (1 + alpha * n) * (1 + alpha * n)) with (alpha * m * x 0%nat t) by (field; lra). lra.
    - unfold Rdiv. rewrite <- Ropp_mult_distr_l_reverse. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
      rewrite <- Ropp_mult_distr_r_reverse. apply Rmult_le_compat_l; lra. }
  assert (Cx : continuous_on (X 0%nat) s tau) by (apply (length_continuous _ _ _ _ _ _ alone); simpl; lia).
  assert (Dx : forall t, s <= t < tau -> right_derivative (X 0%nat) t (x 0%nat t)) by (intros; apply (length_slope _ _ _ _ _ _ alone); [simpl; lia|auto]).
  set (g := - (alpha * m / (1 + alpha * n))).
  assert (EVg : forall t, V t = g * X 0%nat t + alpha * B / (1 + alpha * n)) by (intros; unfold V, g; field; lra).
  split; intros i; [intros t|..|intros t|intros t]; intros Hi; try (intros Ht); destruct (class_of M N Z i Hi) as [c|[c|c]].
  - rewrite by_class_burst by auto. apply Within; auto.
  - rewrite by_class_steady, EV by auto. left. apply Fp; auto.
  - rewrite by_class_other by lia. lra.
  - apply continuous_ext with (X 0%nat); [intros; rewrite by_class_burst by auto; reflexivity|auto].
  - apply continuous_ext with (fun t => g * X 0%nat t + alpha * B / (1 + alpha * n)); [intros; rewrite by_class_steady by auto; apply EVg|].
    apply continuous_plus; [apply continuous_scal; auto|apply continuous_const].
  - apply continuous_ext with (fun _ => 0); [intros; apply by_class_other; lia|apply continuous_const].
  - rewrite by_class_burst by auto. apply rd_ext with (X 0%nat); [|apply Dx; auto]. exists 1; split; [lra|]; intros; rewrite by_class_burst by auto; reflexivity.
  - rewrite by_class_steady by auto. apply rd_ext with (fun t => g * X 0%nat t + alpha * B / (1 + alpha * n)).
    { exists 1; split; [lra|]; intros; rewrite by_class_steady by auto; apply EVg. }
    eapply rd_eq; [apply rd_plus; [apply rd_scal, Dx; auto|apply rd_const]|]. unfold v, g. lra.
  - rewrite by_class_other by lia. apply rd_ext with (fun _ => 0); [|apply rd_const]. exists 1; split; [lra|]; intros; apply by_class_other; lia.
  - destruct (Slope t Ht) as [S1 S2]. destruct (Same t ltac:(lra)) as [K1 K2]. specialize (Within t ltac:(lra)). destruct (never_fast t Ht) as [Hr _].
    unfold obeys, threshold, threshold_slope. rewrite free_by_class, slope_by_class, EF, Ev, !by_class_burst by auto.
    unfold highest, lowest in *. simpl in *. rewrite (flows i t c Ht), Rplus_0_l. repeat split; intros H.
    + apply S1, K1, H.
    + assert (X 0%nat t = share \/ X 0%nat t < share) as [e|e] by lra; [apply K2 in e|apply K1 in e]; lra.
    + apply K2 in H. rewrite (S2 H). destruct (Rlt_dec 0 (X 0%nat t)); [|lra]. assert (Ev' : v t = - (alpha * m / (1 + alpha * n)) * x 0%nat t) by (unfold v; field; lra).
      rewrite (S2 H) in Ev'. assert (G : 0 < alpha * m / (1 + alpha * n)) by (apply Rdiv_lt_0_compat; lra). revert Ev'. unfold Rmin. destruct (Rle_dec 0 (R t - C)) as [e|e]; intros Ev'.
      * rewrite Ev', clip_inside; lra.
      * assert (0 <= alpha * m / (1 + alpha * n) * (C - R t)) by (apply Rmult_le_pos; lra). rewrite clip_high; lra.
  - pose proof (Fp t ltac:(lra)) as Fp'. destruct (Ups t Ht) as [V1 V2]. specialize (steady i t c Ht).
    unfold obeys, threshold, threshold_slope. rewrite free_by_class, slope_by_class, EF, Ev, !by_class_steady, EV by auto.
    unfold highest, lowest. simpl. repeat split; intros H; try lra. destruct (Rlt_dec 0 (alpha * F t)); [|lra].
    rewrite clip_inside; [reflexivity|]. lra.
  - pose proof (Fp t ltac:(lra)) as Fp'. specialize (others i t c Ht).
    unfold obeys, threshold, threshold_slope. rewrite free_by_class, slope_by_class, EF, Ev, !by_class_other by lia.
    unfold highest, lowest. simpl. destruct (Rlt_dec 0 0); [lra|]. rewrite Rmax_left; lra.
Qed.

Hypothesis moves : trajectory sw Ar s tau Q D.
Hypothesis flows_start : forall i, (i < M)%nat -> Q i s = X 0%nat s.
Hypothesis steady_start : forall i, (M <= i < M + N)%nat -> Q i s = alpha * (B - m * X 0%nat s) / (1 + alpha * n).
Hypothesis others_start : forall i, (M + N <= i < M + N + Z)%nat -> Q i s = 0.

(** Each flow has a buffer of its own, of the length that it has in the steady state of all M + N. *)
Theorem private_buffer i : (i < M)%nat -> (forall t, s <= t <= tau -> Q i t = X 0%nat t) /\
  (forall t, s <= t < tau -> D i t = x 0%nat t /\ rejected sw Ar Q D i t = rejected (private share C) (fun _ => R) X x 0 t).
Proof.
  intros Hi.
  assert (Hm : 1 <= m) by (change 1 with (INR 1); apply le_INR; auto). pose proof (pos_INR N) as Hn.
  assert (Ham : 0 < alpha * m) by (apply Rmult_lt_0_compat; lra). assert (Han : 0 <= alpha * n) by (apply Rmult_le_pos; lra).
  assert (Sane : sane sw Ar s tau).
  { split; intros j; simpl; [lra|]. intros t Hj Ht. destruct (class_of M N Z j Hj) as [c|[c|c]].
    - rewrite flows by auto. apply never_fast; auto.
    - apply Rle_trans with (2 := steady j t c Ht). apply Rmult_le_pos; [lra|].
      assert (0 <= alpha * m / (1 + alpha * n)) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]). lra.
    - apply (others j t c Ht). }
  destruct (fluid_unique sw Ar s tau Q D _ _ Sane moves private_exists) with (i := i) as [U1 U2].
  - intros j Hj. destruct (class_of M N Z j Hj) as [c|[c|c]].
    + rewrite by_class_burst by auto. apply flows_start; auto.
    + rewrite by_class_steady by auto. apply steady_start; auto.
    + rewrite by_class_other by lia. apply others_start; auto.
  - simpl. lia.
  - assert (E1 : forall t, s <= t <= tau -> Q i t = X 0%nat t) by (intros t Ht; rewrite (U1 t Ht), by_class_burst by auto; reflexivity).
    assert (E2 : forall t, s <= t < tau -> D i t = x 0%nat t) by (intros t Ht; rewrite (U2 t Ht), by_class_burst by auto; reflexivity).
    split; auto. split; auto. unfold rejected, highest. rewrite E1, E2, flows by (auto; lra). reflexivity.
Qed.

(** So it loses something only with its share: [lost_share] and [lost_any_peak] hold of it with theta = share. *)
Theorem flows_guaranteed i : (i < M)%nat -> guaranteed sw Ar Q D i s tau share.
Proof.
  intros Hi. destruct (private_buffer i Hi) as [E1 E2].
  assert (Hm : 1 <= m) by (change 1 with (INR 1); apply le_INR; auto). pose proof (pos_INR N) as Hn.
  assert (0 <= alpha * (m + n)) by (apply Rmult_le_pos; lra).
  assert (Sp : 0 < share) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra).
  assert (Ha : forall t, s <= t < tau -> 0 <= R t) by (intros; apply never_fast; auto).
  pose proof (length_rule _ _ _ _ _ _ alone 0%nat) as Rule.
  split.
  - intros t Ht. apply (length_nonneg _ _ _ _ _ _ moves); [simpl; lia|auto].
  - apply (length_continuous _ _ _ _ _ _ moves). simpl. lia.
  - intros t Ht. apply (length_slope _ _ _ _ _ _ moves); [simpl; lia|auto].
  - intros t Ht. destruct (E2 t Ht) as [_ ->]. pose proof (rate_bounds (private share C) (fun _ => R) X x 0%nat t (Ha t Ht) (Rule t ltac:(simpl; lia) Ht)).
    unfold rejected. lra.
  - intros t Ht. destruct (E2 t Ht) as [_ ->]. rewrite E1 by lra. intros Hj. apply Rnot_lt_le. intros c.
    destruct (private_slope share C s tau (fun _ => R) X x Sp ltac:(lra) Ha alone t Ht) as [S1 _]. unfold rejected in Hj. lra.
Qed.

End Flows.

(** Every trajectory of DT, for rates that are constant on k pieces: what each of the M flows holds and has lost after each of them.
    The flows begin with a bytes each, the steady ports on their threshold: with the length of the steady state if a = 0. *)
Theorem dt_lost_pieces M N Z alpha B C s k a r len Ar Q D i L :
  (1 <= M)%nat -> 0 < alpha -> 0 < B -> 0 < C ->
  (forall j, (j < k)%nat -> 0 < len j /\ 0 <= r j <= C * (1 + (1 + alpha * INR N) / (alpha * INR M))) ->
  (forall h j t, (h < M)%nat -> (j < k)%nat -> begins s len j <= t < begins s len (S j) -> Ar h t = r j) ->
  (forall h t, (M <= h < M + N)%nat -> s <= t < begins s len k -> C * (1 + alpha * INR M / (1 + alpha * INR N)) <= Ar h t) ->
  (forall h t, (M + N <= h < M + N + Z)%nat -> s <= t < begins s len k -> 0 <= Ar h t <= C) ->
  let share := alpha * B / (1 + alpha * (INR M + INR N)) in
  trajectory (dt_switch (M + N + Z) alpha B C) Ar s (begins s len k) Q D ->
  0 <= a <= share -> (forall h, (h < M)%nat -> Q h s = a) ->
  (forall h, (M <= h < M + N)%nat -> Q h s = alpha * (B - INR M * a) / (1 + alpha * INR N)) ->
  (forall h, (M + N <= h < M + N + Z)%nat -> Q h s = 0) ->
  (i < M)%nat -> loses (dt_switch (M + N + Z) alpha B C) Ar Q D i s (begins s len k) L ->
  forall j, (j <= k)%nat -> Q i (begins s len j) = held_after share C a r len j /\ L (begins s len j) = lost_after share C a r len j.
Proof.
  intros HM Ha HB HC Hr Flow Steady Other share T Ra S1 S2 S3 Hi HL.
  assert (Hm : 1 <= INR M) by (change 1 with (INR 1); apply le_INR; auto). pose proof (pos_INR N) as Hn.
  assert (Ham : 0 < alpha * INR M) by (apply Rmult_lt_0_compat; lra). assert (Han : 0 <= alpha * INR N) by (apply Rmult_le_pos; lra).
  assert (Sp : 0 < share) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra).
  assert (Hl : forall j, (j < k)%nat -> 0 < len j) by (intros; apply Hr; auto).
  pose proof (begins_0 s len) as B0. pose proof (begins_mono s len k Hl) as Mono.
  assert (In : forall t, s <= t < begins s len k -> exists j, (j < k)%nat /\ begins s len j <= t < begins s len (S j)).
  { intros t Ht. apply piece_of. rewrite B0. auto. }
  assert (Fast : forall t, s <= t < begins s len k -> 0 <= Ar 0%nat t <= C * (1 + (1 + alpha * INR N) / (alpha * INR M))).
  { intros t Ht. destruct (In t Ht) as (j & Hj & Hjt). rewrite (Flow 0%nat j t) by (auto; lia). apply Hr; auto. }
  destruct (fluid_exists (private share C) (fun _ => Ar 0%nat) s (begins s len k) (fun _ => a)) as (X & x & TX & EX).
  { split; intros; simpl; [lra|]. apply Fast. auto. }
  { exists k, (begins s len). split; [auto|]. split; [auto|]. split; [intros; apply Mono; lia|].
    intros j h t Hj _ Ht. rewrite (Flow 0%nat j t), (Flow 0%nat j (begins s len j)); auto; try lia. lra. }
  { intros; lra. }
  assert (EX0 : X 0%nat s = a) by (apply EX; simpl; lia).
  assert (Each : forall h, (h < M)%nat -> (forall t, s <= t <= begins s len k -> Q h t = X 0%nat t) /\
    (forall t, s <= t < begins s len k -> D h t = x 0%nat t /\ rejected (dt_switch (M + N + Z) alpha B C) Ar Q D h t = rejected (private share C) (fun _ => Ar 0%nat) X x 0 t)).
  { apply (private_buffer M N Z alpha B C s (begins s len k) (Ar 0%nat)); auto; rewrite ?EX0; auto; try apply Ra.
    intros h t Hh Ht. destruct (In t Ht) as (j & Hj & Hjt). rewrite (Flow h j t), (Flow 0%nat j t); auto; lia. }
  destruct (Each i Hi) as [E1 E2].
  assert (HLX : loses (private share C) (fun _ => Ar 0%nat) X x 0 s (begins s len k) L).
  { destruct HL as [L0 Lc Ld]. split; auto. intros t Ht. destruct (E2 t Ht) as [_ E]. rewrite <- E. apply Ld; auto. }
  intros j Hj. rewrite E1 by (apply begins_within; auto). rewrite <- EX0.
  apply (private_run share C s k r len (fun _ => Ar 0%nat) X x L); auto; try lra.
  intros h Hh. apply (Hr h Hh).
Qed.

(** ** On/off flows *)

Section OnOff.
Variables (theta C P rho sigma : real).
Hypotheses (theta_pos : 0 < theta) (C_nonneg : 0 <= C) (sigma_pos : 0 < sigma) (rates : 0 < rho < P) (emptied : rho * theta <= C * sigma).
Hypothesis filled : theta * (P - rho) <= sigma * (P - C).

(** On at the rate P until the bucket is empty, then off until it is full. *)
Definition on_off_rate (j : nat) : real := if Nat.even j then P else 0.
Definition on_off_len (j : nat) : real := if Nat.even j then sigma / (P - rho) else sigma / rho.

Lemma on_off_even k : Nat.even (2 * k) = true.
Proof. rewrite Nat.even_mul. reflexivity. Qed.
Lemma on_off_odd k : Nat.even (S (2 * k)) = false.
Proof. rewrite Nat.even_succ, <- Nat.negb_even, on_off_even. reflexivity. Qed.

Notation held := (held_after theta C 0 on_off_rate on_off_len).
Notation lost := (lost_after theta C 0 on_off_rate on_off_len).
Notation each := (sigma * (P - C) / (P - rho) - theta).

Lemma on_off_step k : held (2 * k) = 0 -> held (S (2 * k)) = theta /\ held (2 * S k) = 0 /\ lost (S (2 * k)) = lost (2 * k) + each /\ lost (2 * S k) = lost (S (2 * k)).
Proof.
  intros H. pose proof (on_off_even k) as E. pose proof (on_off_odd k) as O.
  assert (F1 : (P - C) * (sigma / (P - rho)) = sigma * (P - C) / (P - rho)) by (field; lra).
  assert (F2 : 0 <= each). { apply Rmult_le_reg_r with (P - rho); [lra|]. replace (each * (P - rho)) with (sigma * (P - C) - theta * (P - rho)) by (field; lra). lra. }
  assert (F3 : theta + (0 - C) * (sigma / rho) <= 0). { apply Rmult_le_reg_r with rho; [lra|]. replace ((theta + (0 - C) * (sigma / rho)) * rho) with (rho * theta - C * sigma) by (field; lra). lra. }
  assert (R1 : on_off_rate (2 * k) = P) by (unfold on_off_rate; rewrite E; reflexivity).
  assert (R2 : on_off_rate (S (2 * k)) = 0) by (unfold on_off_rate; rewrite O; reflexivity).
  assert (L1 : on_off_len (2 * k) = sigma / (P - rho)) by (unfold on_off_len; rewrite E; reflexivity).
  assert (L2 : on_off_len (S (2 * k)) = sigma / rho) by (unfold on_off_len; rewrite O; reflexivity).
  replace (2 * S k)%nat with (S (S (2 * k))) by lia. remember (2 * k)%nat as j eqn:Ej. clear Ej.
  assert (Step : forall h, held (S h) = Rmin theta (Rmax 0 (held h + (on_off_rate h - C) * on_off_len h))) by reflexivity.
  assert (More : forall h, lost (S h) = lost h + Rmax 0 (held h + (on_off_rate h - C) * on_off_len h - theta)) by reflexivity.
  assert (H1 : held (S j) = theta) by (rewrite Step, H, R1, L1, Rplus_0_l, F1, Rmax_right, Rmin_left; lra).
  split; [exact H1|]. split; [|split].
  - rewrite Step, H1, R2, L2, Rmax_left, Rmin_right; lra.
  - rewrite More, H, R1, L1, Rplus_0_l, F1, (Rmax_right 0 each); lra.
  - rewrite (More (S j)), H1, R2, L2, Rmax_left; lra.
Qed.

(** At the end of each of its bursts such a flow has lost as much as any flow of this bucket and this peak may. *)
Theorem on_off_lost k s : lost (S (2 * k)) = (INR k + 1) * each /\
  lost (S (2 * k)) = (sigma + rho * (begins s on_off_len (S (2 * k)) - s)) * (1 - C / P - theta / sigma * (1 - rho / P)).
Proof.
  assert (A : held (2 * k) = 0 /\ lost (2 * k) = INR k * each /\ sum (2 * k) on_off_len = INR k * (sigma / (P - rho) + sigma / rho)).
  { induction k; [simpl; unfold lost_after; simpl; repeat split; lra|]. destruct IHk as (I1 & I2 & I3). destruct (on_off_step k I1) as (S1 & S2 & S3 & S4).
    split; [exact S2|]. rewrite S_INR. split; [rewrite S4, S3, I2; ring|].
    replace (2 * S k)%nat with (S (S (2 * k))) by lia. change (sum (S (S (2 * k))) on_off_len) with (sum (2 * k) on_off_len + on_off_len (2 * k) + on_off_len (S (2 * k))).
    rewrite I3. unfold on_off_len. rewrite on_off_even, on_off_odd. ring. }
  destruct A as (A1 & A2 & A3). destruct (on_off_step k A1) as (_ & _ & S3 & _).
  assert (E : lost (S (2 * k)) = (INR k + 1) * each) by (rewrite S3, A2; ring).
  split; auto. rewrite E. unfold begins. change (sum (S (2 * k)) on_off_len) with (sum (2 * k) on_off_len + on_off_len (2 * k)). rewrite A3.
  unfold on_off_len. rewrite on_off_even. field. lra.
Qed.

End OnOff.

(** Such a flow conforms to a bucket of sigma bytes that is filled at rho: it empties it, and lets it fill again. *)
Theorem on_off_passes P rho sigma s m a : 0 < sigma -> 0 < rho < P ->
  (forall j t, (j < m)%nat -> begins s (on_off_len P rho sigma) j <= t < begins s (on_off_len P rho sigma) (S j) -> a t = on_off_rate P j) ->
  exists y, conforms rho sigma a s (begins s (on_off_len P rho sigma) m) y.
Proof.
  intros Hs Hr HA. set (len := on_off_len P rho sigma) in *. set (r := on_off_rate P) in *.
  assert (Hl : forall j, (j < m)%nat -> 0 < len j) by (intros; unfold len, on_off_len; destruct (Nat.even j); apply Rdiv_lt_0_compat; lra).
  assert (Hr0 : forall j, 0 <= r j) by (intros; unfold r, on_off_rate; destruct (Nat.even j); lra).
  pose proof (begins_0 s len) as B0. pose proof (begins_mono s len m Hl) as Mono.
  assert (In : forall t, s <= t < begins s len m -> exists j, (j < m)%nat /\ begins s len j <= t < begins s len (S j)) by (intros; apply piece_of; rewrite B0; auto).
  assert (Pos : forall t, s <= t < begins s len m -> 0 <= a t) by (intros t Ht; destruct (In t Ht) as (j & Hj & Hjt); rewrite (HA j t Hj Hjt); apply Hr0).
  destruct (fluid_exists (private sigma rho) (fun _ => a) s (begins s len m) (fun _ => 0)) as (X & x & T & E).
  { split; intros; simpl; [lra|]. auto. }
  { exists m, (begins s len). split; [auto|]. split; [auto|]. split; [intros; apply Mono; lia|].
    intros j h t Hj _ Ht. rewrite (HA j t), (HA j (begins s len j)); auto. lra. }
  { intros; lra. }
  assert (X0 : X 0%nat s = 0) by (apply E; simpl; lia).
  assert (Held : forall k, (k <= m)%nat -> X 0%nat (begins s len k) = held_after sigma rho 0 r len k).
  { rewrite <- X0. apply (private_held sigma rho s m r len (fun _ => a) X x); auto; lra. }
  assert (Zero : forall k, held_after sigma rho 0 r len (2 * k) = 0).
  { induction k; [reflexivity|]. apply (on_off_step sigma rho P rho sigma); auto; lra. }
  exists (X 0%nat). split; auto.
  - apply (private_within sigma rho s (begins s len m) (fun _ => a) X x); auto; lra.
  - apply (length_continuous _ _ _ _ _ _ T). simpl. lia.
  - intros t Ht. eapply rd_eq; [apply (length_slope _ _ _ _ _ _ T); [simpl; lia|auto]|].
    destruct (private_slope sigma rho s (begins s len m) (fun _ => a) X x Hs ltac:(lra) Pos T t Ht) as [S1 S2].
    pose proof (private_within sigma rho s (begins s len m) (fun _ => a) X x Hs ltac:(lra) T ltac:(lra) t ltac:(lra)) as W.
    destruct (Req_dec (X 0%nat t) sigma) as [e|e]; [|rewrite S1 by lra; reflexivity].
    destruct (In t Ht) as (j & Hj & Hjt). rewrite (S2 e), (HA j t Hj Hjt), e. destruct (Rlt_dec 0 sigma); [|lra].
    unfold r, on_off_rate. destruct (Nat.even j) eqn:Ev; [|rewrite Rmin_right; lra].
    apply Nat.even_spec in Ev. destruct Ev as (k & ->). destruct (begins_within s len m (2 * k) Hl ltac:(lia)).
    assert (K : X 0%nat t = Rmin sigma (Rmax 0 (X 0%nat (begins s len (2 * k)) + (P - rho) * (t - begins s len (2 * k))))).
    { apply (private_length sigma rho (begins s len (2 * k)) t (fun _ => a) X x); auto; try lra.
      - intros u Hu. apply Pos. lra.
      - apply (trajectory_shorten _ _ _ (begins s len m)); [lra|]. apply (trajectory_later _ _ s); auto.
      - rewrite Held by lia. rewrite Zero. lra.
      - intros u Hu. rewrite (HA (2 * k)%nat u) by (auto; lra). unfold r, on_off_rate. rewrite on_off_even. reflexivity. }
    assert (Len : begins s len (S (2 * k)) - begins s len (2 * k) = sigma / (P - rho)).
    { unfold begins. change (sum (S (2 * k)) len) with (sum (2 * k) len + len (2 * k)%nat). unfold len at 2, on_off_len. rewrite on_off_even. ring. }
    rewrite Held, Zero, Rplus_0_l in K by lia.
    assert (Lt : (P - rho) * (t - begins s len (2 * k)) < sigma).
    { apply Rlt_le_trans with ((P - rho) * (sigma / (P - rho))); [apply Rmult_lt_compat_l; lra|]. right. field. lra. }
    assert (Rmax 0 ((P - rho) * (t - begins s len (2 * k))) < sigma) by (apply Rmax_lub_lt; lra).
    rewrite Rmin_right in K; lra.
Qed.

(** Alone, with alpha = 1, B = 6, C = 1, four seconds at the rate 2: one byte is lost, as much as [dt_lost] allows with sigma = 4 and rho = 1. *)
Theorem dt_lost_instance : exists Ar Q D A L, sane (dt_switch 1 1 6 1) Ar 0 4 /\ trajectory (dt_switch 1 1 6 1) Ar 0 4 Q D /\ Q 0%nat 0 = 0 /\
  piecewise_constant 1 0 4 Ar /\ continuous_on A 0 4 /\ (forall t, 0 <= t < 4 -> right_derivative A t (Ar 0%nat t)) /\
  (forall u v, 0 <= u <= v -> v <= 4 -> A v - A u <= 4 + 1 * (v - u)) /\ (forall t, 0 <= t < 4 -> Ar 0%nat t = 2) /\
  loses (dt_switch 1 1 6 1) Ar Q D 0 0 4 L /\ L 4 = 1 /\
  (4 + 1 * (4 - 0)) * Rmax 0 (1 - 1 / 2 - 1 * 6 / ((1 + 1) ^ 1 * 4) * (1 - 1 / 2)) = 1.
Proof.
  destruct (fluid_exists (dt_switch 1 1 6 1) (fun _ _ => 2) 0 4 (fun _ => 0)) as (Q & D & T & E).
  { split; intros; simpl; lra. }
  { exists 1%nat, (fun k => 4 * INR k). simpl. repeat split; intros; try lra. assert (k = 0%nat) by lia. subst k. simpl. lra. }
  { intros; lra. }
  assert (E0 : Q 0%nat 0 = 0) by (apply E; simpl; lia).
  assert (HL : loses (dt_switch 1 1 6 1) (fun _ _ => 2) Q D 0 0 4 (fun t => 1 * t + 0 - Q 0%nat t)).
  { split; [lra| |].
    - apply continuous_minus; [apply continuous_linear|apply (length_continuous _ _ _ _ _ _ T); simpl; lia].
    - intros t Ht. eapply rd_eq; [apply rd_minus; [apply rd_linear|apply (length_slope _ _ _ _ _ _ T); [simpl; lia|auto]]|].
      unfold rejected, highest. simpl. destruct (Rlt_dec 0 (Q 0%nat t)); [ring|]. rewrite Rmax_right; lra. }
  exists (fun _ _ => 2), Q, D, (fun t => 2 * t + 0), (fun t => 1 * t + 0 - Q 0%nat t).
  split; [split; intros; simpl; lra|]. split; [exact T|]. split; [exact E0|]. split.
  { exists 1%nat, (fun k => 4 * INR k). simpl. repeat split; intros; try lra. assert (k = 0%nat) by lia. subst k. simpl. lra. }
  split; [apply continuous_linear|]. split; [intros; apply rd_linear|]. split; [intros; lra|]. split; [auto|]. split; [exact HL|]. split.
  - assert (B4 : begins 0 (fun _ => 4) 1 = 4) by (unfold begins; simpl; ring).
    destruct (dt_lost_pieces 1 0 0 1 6 1 0 1 0 (fun _ => 2) (fun _ => 4) (fun _ _ => 2) Q D 0 (fun t => 1 * t + 0 - Q 0%nat t)) with (j := 1%nat) as [_ K];
      rewrite ?B4; try lra; try lia; auto; simpl; intros; try lia; try lra; auto;
      try (match goal with |- Q ?h 0 = 0 => replace h with 0%nat by lia; exact E0 end).
    rewrite B4 in K. rewrite K. unfold lost_after. simpl. rewrite Rmax_right; lra.
  - rewrite Rmax_right; lra.
Qed.
