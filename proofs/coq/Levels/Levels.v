(** Limits on several levels: queues in ports, ports in a buffer, to any depth.

    A port may hold a F of the free buffer F, and each of its queues w times what the port may still take.

      [levels_compose]  queues on their thresholds are together one queue of weight a W / (1 + W), W the sum of their weights;
      [levels_unique]   the slope of the free buffer is unique on every tree, and there is one;
      [levels_tree]     a tree of any depth whose limits are all reached is one queue of its weight, and [levels_steady]
                        gives the free buffer;
      [levels_in_turn]  queues of one port that are filled in turn, and [levels_in_turn_more] that all at once take no more.  *)
Require Import Reals Lra Lia.
From DT Require Import Calculus.
Open Scope R_scope.

(** ** Queues on their thresholds *)

Section Steady.
Variables (n : nat) (w q : nat -> R) (a F : R).
Hypothesis w_pos : forall i, (i < n)%nat -> 0 < w i.
Notation W := (sum n w).
Hypothesis on : forall i, (i < n)%nat -> q i = w i * (a * F - sum n q).

Lemma levels_weight : 0 <= W.
Proof. apply sum_nonneg. intros; left; auto. Qed.

Lemma levels_total : sum n q = (a * F - sum n q) * W.
Proof. rewrite <- sum_scal. apply sum_ext. intros i Hi. rewrite on at 1 by auto. ring. Qed.

Theorem levels_compose : sum n q = a * W / (1 + W) * F /\ forall i, (i < n)%nat -> q i = w i / (1 + W) * (a * F).
Proof.
  pose proof levels_weight. pose proof levels_total as T.
  assert (E : sum n q = a * W / (1 + W) * F).
  { apply Rmult_eq_reg_r with (1 + W); [|lra]. replace (a * W / (1 + W) * F * (1 + W)) with (a * F * W) by (field; lra). lra. }
  split; [exact E|]. intros i Hi. rewrite on by auto. rewrite E. field. lra.
Qed.

Theorem levels_room : 0 < a * F -> sum n q < a * F.
Proof.
  intros L. pose proof levels_weight. destruct levels_compose as [E _]. rewrite E.
  apply Rmult_lt_reg_r with (1 + W); [lra|]. replace (a * W / (1 + W) * F * (1 + W)) with (a * F * W) by (field; lra). lra.
Qed.
End Steady.

Theorem levels_meet k p a F q : 0 < p -> 0 <= k -> q = p * (a * F - k * q) <-> q = p * a / (1 + k * p) * F.
Proof.
  intros Hp Hk. assert (0 < 1 + k * p) by (pose proof (Rmult_le_pos k p); lra). split; intros E.
  - apply Rmult_eq_reg_r with (1 + k * p); [|lra]. replace (p * a / (1 + k * p) * F * (1 + k * p)) with (p * (a * F)) by (field; lra). lra.
  - rewrite E. field. lra.
Qed.

Theorem levels_shield n p a u y phi : 0 < p -> 0 <= n -> 0 < a ->
  y = a * phi - (n * p * y + u) -> phi + (n * p * y + u) = 0 ->
  phi = - (u / ((1 + n * p) * (1 + a * (n * p) / (1 + n * p)))).
Proof.
  intros Hp Hn Ha Y E. assert (0 <= n * p) by (apply Rmult_le_pos; lra).
  assert (X : (1 + n * p) * (1 + a * (n * p) / (1 + n * p)) = 1 + n * p + a * (n * p)) by (field; lra).
  assert (0 <= a * (n * p)) by (apply Rmult_le_pos; lra). rewrite X.
  assert (Z : (1 + n * p) * y = a * phi - u) by lra.
  assert (phi * (1 + n * p + a * (n * p)) = - u).
  { replace (phi * (1 + n * p + a * (n * p))) with (phi * (1 + n * p) + n * p * (a * phi)) by ring.
    replace (a * phi) with ((1 + n * p) * y + u) by lra.
    replace (phi * (1 + n * p) + n * p * ((1 + n * p) * y + u)) with ((phi + (n * p * y + u)) * (1 + n * p) - u) by ring. rewrite E. ring. }
  apply Rmult_eq_reg_r with (1 + n * p + a * (n * p)); [|lra].
  replace (- (u / (1 + n * p + a * (n * p))) * (1 + n * p + a * (n * p))) with (- u) by (field; lra). lra.
Qed.

Theorem levels_in_turn n p a F (q : nat -> R) : 0 < p -> 0 < a ->
  (forall j, (j < n)%nat -> q j = p * (a * (F - sum (S j) q) - sum (S j) q)) ->
  forall j, (j < n)%nat -> q j = p * a * F / (1 + p + p * a) ^ (S j).
Proof.
  intros Hp Ha on. assert (0 < p * a) by (apply Rmult_lt_0_compat; auto). assert (D : 0 < 1 + p + p * a) by lra.
  assert (next : forall j, (S j < n)%nat -> q (S j) = q j / (1 + p + p * a)).
  { intros j Hj. pose proof (on j ltac:(lia)) as one. pose proof (on (S j) Hj) as two. simpl in one, two.
    apply Rmult_eq_reg_r with (1 + p + p * a); [|lra]. replace (q j / (1 + p + p * a) * (1 + p + p * a)) with (q j) by (field; lra). lra. }
  induction j as [|j IH]; intros Hj.
  - pose proof (on 0%nat Hj) as first. simpl in first |- *. apply Rmult_eq_reg_r with (1 + p + p * a); [|lra].
    replace (p * a * F / ((1 + p + p * a) * 1) * (1 + p + p * a)) with (p * a * F) by (field; lra). lra.
  - rewrite next, IH by lia. assert ((1 + p + p * a) ^ S j <> 0) by (apply pow_nonzero; lra).
    change ((1 + p + p * a) ^ S (S j)) with ((1 + p + p * a) * (1 + p + p * a) ^ S j). field. split; lra.
Qed.

(** ** What holds of the numbers *)

Theorem levels_neutral a p B : 0 < a -> 0 < p -> 0 < B -> p * a * B / (1 + p + p * a) = p * B / (1 + p) <-> a = 1 + p.
Proof.
  intros Ha Hp HB. assert (0 < p * a) by (apply Rmult_lt_0_compat; auto). split; intros E.
  - assert (K : p * a * B * (1 + p) = p * B * (1 + p + p * a)).
    { apply Rmult_eq_reg_r with (/ (1 + p + p * a) * / (1 + p)); [|apply Rgt_not_eq, Rmult_lt_0_compat; apply Rinv_0_lt_compat; lra].
      transitivity (p * a * B / (1 + p + p * a)); [field; lra|rewrite E; field; lra]. }
    assert (P : 0 < p * B) by (apply Rmult_lt_0_compat; auto). apply Rmult_eq_reg_l with (p * B); [|lra]. lra.
  - rewrite E. field. split; nra.
Qed.

Theorem levels_slice alpha B s Q : 0 < alpha -> 0 < s -> Q = alpha * (B / s - Q) <-> Q = alpha * B / (1 + alpha) / s.
Proof.
  intros Ha Hs. split; intros E.
  - apply Rmult_eq_reg_r with (1 + alpha); [|lra]. replace (alpha * B / (1 + alpha) / s * (1 + alpha)) with (alpha * (B / s)) by (field; lra). lra.
  - rewrite E. field. lra.
Qed.

Lemma part_below a x : 0 < a -> 0 <= x -> a * x / (1 + x) < a.
Proof.
  intros Ha Hx. apply Rmult_lt_reg_r with (1 + x); [lra|]. replace (a * x / (1 + x) * (1 + x)) with (a * x) by (field; lra). lra.
Qed.

Lemma part_grows a x y : 0 < a -> 0 <= x -> x < y -> a * x / (1 + x) < a * y / (1 + y).
Proof.
  intros Ha Hx H. apply Rmult_lt_reg_r with ((1 + x) * (1 + y)); [apply Rmult_lt_0_compat; lra|].
  replace (a * x / (1 + x) * ((1 + x) * (1 + y))) with (a * x * (1 + y)) by (field; lra).
  replace (a * y / (1 + y) * ((1 + x) * (1 + y))) with (a * y * (1 + x)) by (field; lra). nra.
Qed.

Theorem levels_bound a p n B : 0 < a -> 0 < p -> 1 <= n -> 0 < B ->
  a * n * p / (1 + n * p) * B / (1 + a * n * p / (1 + n * p)) < a * B / (1 + a).
Proof.
  intros Ha Hp Hn HB. assert (X : 0 < n * p) by (apply Rmult_lt_0_compat; lra). pose proof (part_below a (n * p) Ha ltac:(lra)) as A.
  replace (a * n * p) with (a * (n * p)) by ring. assert (P : 0 < a * (n * p) / (1 + n * p)) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra).
  pose proof (part_grows B (a * (n * p) / (1 + n * p)) a HB ltac:(lra) A) as G.
  rewrite (Rmult_comm _ B), (Rmult_comm a B). exact G.
Qed.

Theorem levels_more a p n : 0 < a -> 0 < p -> 1 <= n -> a * n * p / (1 + n * p) < a * (n + 1) * p / (1 + (n + 1) * p).
Proof.
  intros Ha Hp Hn. replace (a * n * p) with (a * (n * p)) by ring. replace (a * (n + 1) * p) with (a * ((n + 1) * p)) by ring.
  apply part_grows; auto; [apply Rmult_le_pos|]; nra.
Qed.

Theorem levels_fairness a p n m : 0 < a -> 0 < p -> 1 <= n -> 1 <= m ->
  a * n * p / (1 + n * p) * m * (1 + n * p) = a * m * p / (1 + m * p) * n * (1 + m * p) /\
  (n <= m \/ a * n * p / (1 + n * p) * m < a * m * p / (1 + m * p) * n).
Proof.
  intros Ha Hp Hn Hm. assert (0 < n * p) by (apply Rmult_lt_0_compat; lra). assert (0 < m * p) by (apply Rmult_lt_0_compat; lra).
  split; [field; lra|]. destruct (Rle_lt_dec n m) as [?|L]; [left; auto|right].
  apply Rmult_lt_reg_r with ((1 + n * p) * (1 + m * p)); [apply Rmult_lt_0_compat; lra|].
  replace (a * n * p / (1 + n * p) * m * ((1 + n * p) * (1 + m * p))) with (a * (n * p) * m * (1 + m * p)) by (field; lra).
  replace (a * m * p / (1 + m * p) * n * ((1 + n * p) * (1 + m * p))) with (a * (n * p) * m * (1 + n * p)) by (field; lra).
  apply Rmult_lt_compat_l; [repeat apply Rmult_lt_0_compat; lra|]. apply Rplus_lt_compat_l, Rmult_lt_compat_r; lra.
Qed.

(** An output queue of q bytes beside [rest] others at the egress, where the ingress has room for one more. *)
Theorem levels_egress a S_E S_I : 0 < a -> 0 < S_E -> 0 < S_I ->
  S_I <= S_E * a / (1 + a) <-> forall q rest, 0 <= q -> 0 <= rest -> q + rest < S_I -> q < a * (S_E - q - rest).
Proof.
  intros Ha HE HI. assert (X : S_E * a / (1 + a) * (1 + a) = S_E * a) by (field; lra). split.
  - intros H q rest Hq Hr L. assert (K : (q + rest) * (1 + a) < S_E * a).
    { rewrite <- X. apply Rmult_lt_compat_r; lra. }
    nra.
  - intros H. destruct (Rle_lt_dec S_I (S_E * a / (1 + a))) as [|L]; auto. exfalso.
    assert (0 < S_E * a / (1 + a)) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra).
    specialize (H (S_E * a / (1 + a)) 0 ltac:(lra) ltac:(lra) ltac:(lra)). nra.
Qed.

(** ** The slope of the free buffer on a tree *)

(** A queue grows at clip (a x, lo, hi) if the room that its limit follows grows at x; a port passes up what its children grow at
    in a room of slope y = a x - that sum. *)
Inductive tree := Queue (a lo hi : R) | Port (a : R) (n : nat) (child : nat -> tree).

Fixpoint sane_tree (t : tree) : Prop :=
  match t with Queue a lo hi => 0 <= a /\ lo <= hi | Port a n child => 0 <= a /\ forall i, sane_tree (child i) end.

Fixpoint passes_up (t : tree) (x e : R) : Prop :=
  match t with
  | Queue a lo hi => e = Rmax lo (Rmin (a * x) hi)
  | Port a n child => exists g : nat -> R, e = sum n g /\ forall i, (i < n)%nat -> passes_up (child i) (a * x - sum n g) (g i)
  end.

(** Nondecreasing, and no steeper than K. *)
Definition gentle (K : R) (g : R -> R) : Prop := 0 <= K /\ forall x y, x <= y -> 0 <= g y - g x <= K * (y - x).

Lemma gentle_continuous K g : gentle K g -> continuity g.
Proof.
  intros [HK G] x eps He. exists (eps / (K + 1)). assert (0 < eps / (K + 1)) by (apply Rdiv_lt_0_compat; lra). split; auto.
  intros y [_ near]. simpl in *. unfold R_dist in *.
  assert (D : Rabs (g y - g x) <= K * Rabs (y - x)).
  { destruct (Rle_dec x y).
    - destruct (G x y) as [? ?]; auto. rewrite !Rabs_pos_eq by lra. lra.
    - destruct (G y x) as [? ?]; [lra|]. rewrite !Rabs_left1 by lra. lra. }
  apply Rle_lt_trans with (K * Rabs (y - x)); auto. pose proof (Rabs_pos (y - x)).
  apply Rle_lt_trans with ((K + 1) * Rabs (y - x)); [lra|].
  apply Rlt_le_trans with ((K + 1) * (eps / (K + 1))); [apply Rmult_lt_compat_l; lra|]. right. field. lra.
Qed.

Lemma gentle_sum n (K : nat -> R) (g : nat -> R -> R) : (forall i, gentle (K i) (g i)) -> gentle (sum n K) (fun x => sum n (fun i => g i x)).
Proof.
  intros G. split.
  - apply sum_nonneg. intros i _. apply G.
  - intros x y H. induction n as [|n IH]; simpl; [lra|]. destruct (proj2 (G n) x y H). lra.
Qed.

(** y + g y = l has one root, which grows with l no faster than l. *)
Lemma root_exists K g l : gentle K g -> { y : R | y + g y = l }.
Proof.
  intros G. pose proof (gentle_continuous K g G) as C. destruct G as [_ G].
  assert (H : continuity (fun y => y + g y - l)).
  { apply continuity_minus; [apply continuity_plus; [apply derivable_continuous, derivable_id|exact C]|apply continuity_const; intros ? ?; auto]. }
  destruct (Rle_lt_dec 0 (g l)) as [P|P].
  - destruct (IVT_cor _ (l - g l) l H) as [y [_ E]]; [lra| |exists y; lra].
    destruct (G (l - g l) l ltac:(lra)). replace (l + g l - l) with (g l) by ring.
    rewrite <- (Rmult_0_l (g l)). apply Rmult_le_compat_r; lra.
  - destruct (IVT_cor _ l (l - g l) H) as [y [_ E]]; [lra| |exists y; lra].
    destruct (G l (l - g l) ltac:(lra)). replace (l + g l - l) with (g l) by ring.
    assert (0 <= l - g l + g (l - g l) - l) by lra.
    rewrite <- (Rmult_0_l (l - g l + g (l - g l) - l)). apply Rmult_le_compat_r; lra.
Qed.

Lemma root_grows K g x y l m : gentle K g -> x + g x = l -> y + g y = m -> l <= m -> x <= y.
Proof. intros [_ G] X Y H. destruct (Rle_lt_dec x y); auto. destruct (G y x ltac:(lra)). lra. Qed.

Lemma root_unique K g x y l : gentle K g -> x + g x = l -> y + g y = l -> x = y.
Proof. intros G X Y. apply Rle_antisym; eapply root_grows; eauto; lra. Qed.

(** What every tree passes up is one function of the slope of the room that it follows. *)
Lemma grows_function t : sane_tree t -> { g : R -> R & { K : R | gentle K g /\ forall x e, passes_up t x e <-> e = g x } }.
Proof.
  induction t as [a lo hi|a n child IH]; intros H; simpl in H.
  - exists (fun x => Rmax lo (Rmin (a * x) hi)), a. split; [|reflexivity]. destruct H as [Ha Hl]. split; auto. intros x y Hxy.
    assert (a * x <= a * y) by (apply Rmult_le_compat_l; auto). replace (a * (y - x)) with (a * y - a * x) by ring.
    unfold Rmax, Rmin. repeat destruct Rle_dec; lra.
  - assert (each : forall i, { g : R -> R & { K : R | gentle K g /\ forall x e, passes_up (child i) x e <-> e = g x } }) by (intros i; apply IH, H).
    set (f := fun i => projT1 (each i)). set (L := fun i => proj1_sig (projT2 (each i))).
    assert (soft : forall i, gentle (L i) (f i)) by (intros i; unfold f, L; destruct (each i) as [? [? [? ?]]]; auto).
    assert (same : forall i x e, passes_up (child i) x e <-> e = f i x) by (intros i; unfold f; destruct (each i) as [? [? [? ?]]]; auto).
    set (G := fun y => sum n (fun i => f i y)). assert (GG : gentle (sum n L) G) by (apply gentle_sum; auto).
    set (Y := fun x => proj1_sig (root_exists _ G (a * x) GG)).
    assert (is : forall x, Y x + G (Y x) = a * x) by (intros x; unfold Y; destruct root_exists; auto).
    exists (fun x => G (Y x)), a. split.
    + split; [apply H|]. intros x y Hxy. assert (a * x <= a * y) by (apply Rmult_le_compat_l; [apply H|auto]).
      assert (Y x <= Y y) by (eapply root_grows; eauto). destruct (proj2 GG (Y x) (Y y)); auto. pose proof (is x). pose proof (is y).
      replace (a * (y - x)) with (a * y - a * x) by ring. lra.
    + intros x e. simpl. split.
      * intros [g [E each_one]]. assert (R : a * x - sum n g = Y x).
        { apply root_unique with (K := sum n L) (g := G) (l := a * x); auto.
          assert (sum n g = G (a * x - sum n g)) by (unfold G; apply sum_ext; intros i Hi; apply same; auto). lra. }
        rewrite E. unfold G. apply sum_ext. intros i Hi. rewrite <- R. apply same. auto.
      * intros E. exists (fun i => f i (Y x)). fold (G (Y x)). split; [exact E|]. intros i Hi. apply same.
        f_equal. pose proof (is x). unfold G in *. lra.
Qed.

(** On a buffer with any trees below it exactly one slope of the free buffer is minus what they grow at together. *)
Theorem levels_unique n (child : nat -> tree) : (forall i, sane_tree (child i)) ->
  exists! phi, exists g : nat -> R, phi + sum n g = 0 /\ forall i, (i < n)%nat -> passes_up (child i) phi (g i).
Proof.
  intros H. pose (whole := fun i => grows_function (child i) (H i)).
  set (f := fun i => projT1 (whole i)). set (L := fun i => proj1_sig (projT2 (whole i))).
  assert (soft : forall i, gentle (L i) (f i)) by (intros i; unfold f, L; destruct (whole i) as [? [? [? ?]]]; auto).
  assert (same : forall i x e, passes_up (child i) x e <-> e = f i x) by (intros i; unfold f; destruct (whole i) as [? [? [? ?]]]; auto).
  pose proof (gentle_sum n L f soft) as G. destruct (root_exists _ _ 0 G) as [phi E]. exists phi. split.
  - exists (fun i => f i phi). split; auto. intros i Hi. apply same. reflexivity.
  - intros psi [g [Z each]]. apply root_unique with (K := sum n L) (g := fun x => sum n (fun i => f i x)) (l := 0); auto.
    rewrite <- Z. f_equal. apply sum_ext. intros i Hi. symmetry. apply same. auto.
Qed.

(** A port of two queues beside a queue of its own. *)
Theorem levels_unique_instance : forall i, sane_tree ((fun i => match i with O => Port 2 2 (fun _ => Queue 1 (-1) 1) | _ => Queue 1 (-1) 1 end) i).
Proof. intros [|i]; simpl; repeat split; try lra; intros; lra. Qed.

(** ** Queues on their thresholds, to any depth *)

(** Where every limit of a tree is reached, e are the bytes below it, in a room of [room] bytes. *)
Fixpoint on_limits (t : tree) (room e : R) : Prop :=
  match t with
  | Queue a lo hi => e = a * room
  | Port a n child => exists g : nat -> R, e = sum n g /\ forall i, (i < n)%nat -> on_limits (child i) (a * room - sum n g) (g i)
  end.

(** The weight of a tree as one queue: that of a port is a W / (1 + W), W the sum of those below it. *)
Fixpoint tree_weight (t : tree) : R :=
  match t with
  | Queue a lo hi => a
  | Port a n child => a * sum n (fun i => tree_weight (child i)) / (1 + sum n (fun i => tree_weight (child i)))
  end.

Lemma weight_nonneg t : sane_tree t -> 0 <= tree_weight t.
Proof.
  induction t as [a lo hi|a n child IH]; intros H; simpl in *; [apply H|].
  assert (W : 0 <= sum n (fun i => tree_weight (child i))) by (apply sum_nonneg; intros i _; apply IH, H).
  apply Rmult_le_pos; [apply Rmult_le_pos; [apply H|auto]|]. left. apply Rinv_0_lt_compat. lra.
Qed.

Theorem levels_tree t : sane_tree t -> forall room e, on_limits t room e <-> e = tree_weight t * room.
Proof.
  induction t as [a lo hi|a n child IH]; intros H room e; simpl in *; [reflexivity|].
  set (W := sum n (fun i => tree_weight (child i))).
  assert (P : 0 <= W) by (apply sum_nonneg; intros i _; apply weight_nonneg, H). split.
  - intros (g & E & below). assert (T : sum n g = (a * room - sum n g) * W).
    { unfold W. rewrite <- sum_scal. apply sum_ext. intros i Hi. rewrite (Rmult_comm _ (tree_weight (child i))).
      apply IH; [apply H|auto]. }
    rewrite E. apply Rmult_eq_reg_r with (1 + W); [|lra]. replace (a * W / (1 + W) * room * (1 + W)) with (W * (a * room)) by (field; lra). lra.
  - intros E. exists (fun i => tree_weight (child i) * (a * room / (1 + W))).
    assert (T : sum n (fun i => tree_weight (child i) * (a * room / (1 + W))) = a * room / (1 + W) * W).
    { unfold W at 3. rewrite <- sum_scal. apply sum_ext. intros i _. ring. }
    rewrite T. split; [rewrite E; field; lra|]. intros i Hi. apply IH; [apply H|]. f_equal. field. lra.
Qed.

Theorem levels_steady n (child : nat -> tree) S F (g : nat -> R) : (forall i, sane_tree (child i)) -> F + sum n g = S ->
  (forall i, (i < n)%nat -> on_limits (child i) F (g i)) -> F = S / (1 + sum n (fun i => tree_weight (child i))).
Proof.
  intros H E on. assert (P : 0 <= sum n (fun i => tree_weight (child i))) by (apply sum_nonneg; intros i _; apply weight_nonneg, H).
  assert (T : sum n g = F * sum n (fun i => tree_weight (child i))).
  { rewrite <- sum_scal. apply sum_ext. intros i Hi. rewrite Rmult_comm. apply levels_tree; auto. }
  apply Rmult_eq_reg_r with (1 + sum n (fun i => tree_weight (child i))); [|lra].
  replace (S / (1 + sum n (fun i => tree_weight (child i))) * (1 + sum n (fun i => tree_weight (child i)))) with S by (field; lra). lra.
Qed.

(** ** One after another, on one level, and all at once *)

Theorem level_in_turn n alpha F (q : nat -> R) : 0 < alpha -> (forall j, (j < n)%nat -> q j = alpha * (F - sum (S j) q)) ->
  forall j, (j < n)%nat -> q j = alpha * F / (1 + alpha) ^ (S j).
Proof.
  intros Ha on. assert (next : forall j, (S j < n)%nat -> q (S j) = q j / (1 + alpha)).
  { intros j Hj. pose proof (on j ltac:(lia)) as one. pose proof (on (S j) Hj) as two. simpl in one, two.
    apply Rmult_eq_reg_r with (1 + alpha); [|lra]. replace (q j / (1 + alpha) * (1 + alpha)) with (q j) by (field; lra). lra. }
  induction j as [|j IH]; intros Hj.
  - pose proof (on 0%nat Hj) as first. simpl in first |- *. apply Rmult_eq_reg_r with (1 + alpha); [|lra].
    replace (alpha * F / ((1 + alpha) * 1) * (1 + alpha)) with (alpha * F) by (field; lra). lra.
  - rewrite next, IH by lia. assert ((1 + alpha) ^ S j <> 0) by (apply pow_nonzero; lra).
    change ((1 + alpha) ^ S (S j)) with ((1 + alpha) * (1 + alpha) ^ S j). field. split; lra.
Qed.

Lemma powers_sum n c x : 0 < x -> sum n (fun j => c * x / (1 + x) ^ (S j)) = c * (1 - / (1 + x) ^ n).
Proof.
  intros Hx. induction n as [|n IH]; [simpl; field|].
  change (sum n (fun j => c * x / (1 + x) ^ S j) + c * x / (1 + x) ^ S n = c * (1 - / (1 + x) ^ S n)).
  rewrite IH. assert ((1 + x) ^ n <> 0) by (apply pow_nonzero; lra). change ((1 + x) ^ S n) with ((1 + x) * (1 + x) ^ n). field. split; lra.
Qed.

(** All at once c n x / (1 + n x) is taken; in turn at least as much. *)
Lemma powers_more n c x : 0 <= c -> 0 < x -> c * (INR n * x) / (1 + INR n * x) <= sum n (fun j => c * x / (1 + x) ^ (S j)).
Proof.
  intros Hc Hx. rewrite powers_sum by auto. pose proof (poly n x Hx) as L. pose proof (pos_INR n) as I.
  assert (P : 0 < 1 + INR n * x) by (pose proof (Rmult_le_pos (INR n) x I); lra).
  replace (c * (INR n * x) / (1 + INR n * x)) with (c * (1 - / (1 + INR n * x))) by (field; lra).
  apply Rmult_le_compat_l; [auto|]. apply Rplus_le_compat_l, Ropp_le_contravar, Rinv_le_contravar; auto.
Qed.

Theorem level_in_turn_more n alpha F : 0 < alpha -> 0 <= F ->
  INR n * alpha * F / (1 + INR n * alpha) <= sum n (fun j => alpha * F / (1 + alpha) ^ (S j)).
Proof.
  intros Ha HF. pose proof (powers_more n F alpha HF Ha) as L. replace (INR n * alpha * F) with (F * (INR n * alpha)) by ring.
  replace (alpha * F) with (F * alpha) by ring. exact L.
Qed.

Theorem levels_in_turn_more n p a F : 0 < p -> 0 < a -> 0 <= F ->
  a * INR n * p / (1 + INR n * p) * F / (1 + a * INR n * p / (1 + INR n * p)) <= sum n (fun j => p * a * F / (1 + p + p * a) ^ (S j)).
Proof.
  intros Hp Ha HF. pose proof (pos_INR n) as I. assert (X : 0 < p * (1 + a)) by (apply Rmult_lt_0_compat; lra).
  assert (P : 0 <= INR n * p) by (apply Rmult_le_pos; lra). assert (P' : 0 <= a * (INR n * p)) by (apply Rmult_le_pos; lra).
  assert (C : 0 <= a / (1 + a) * F).
  { apply Rmult_le_pos; auto. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra. }
  pose proof (powers_more n (a / (1 + a) * F) (p * (1 + a)) C X) as L.
  replace (a / (1 + a) * F * (INR n * (p * (1 + a))) / (1 + INR n * (p * (1 + a))))
    with (a * INR n * p / (1 + INR n * p) * F / (1 + a * INR n * p / (1 + INR n * p))) in L by (field; repeat split; lra).
  replace (1 + p + p * a) with (1 + p * (1 + a)) by ring.
  replace (sum n (fun j => p * a * F / (1 + p * (1 + a)) ^ S j)) with (sum n (fun j => a / (1 + a) * F * (p * (1 + a)) / (1 + p * (1 + a)) ^ S j)); auto.
  apply sum_ext. intros j _. assert ((1 + p * (1 + a)) ^ S j <> 0) by (apply pow_nonzero; lra). field. split; lra.
Qed.

(** ** A new queue on a port of n others that are alike, where limits follow the pool *)

Theorem levels_full a p n F : 0 < a -> 0 < p -> 1 <= n -> 0 < F -> a <= n * p ->
  n * Rmin (p * F) (a * F / n) = a * F /\ forall u, 0 < u -> a * (F - u) < n * Rmin (p * F) (a * F / n) + u.
Proof.
  intros Ha Hp Hn HF L. assert (E : n * Rmin (p * F) (a * F / n) = a * F).
  { rewrite Rmin_right; [field; lra|]. apply Rmult_le_reg_r with n; [lra|]. replace (a * F / n * n) with (a * F) by (field; lra).
    replace (p * F * n) with (n * p * F) by ring. apply Rmult_le_compat_r; lra. }
  split; auto. intros u Hu. rewrite E. assert (0 < a * u) by (apply Rmult_lt_0_compat; auto). lra.
Qed.

Theorem levels_not_full a p n F : 0 < a -> 0 < p -> 1 <= n -> 0 < F -> n * p < a ->
  n * Rmin (p * F) (a * F / n) = n * (p * F) /\
  exists d, 0 < d /\ forall u, 0 < u <= d -> n * (p * F) + u <= a * (F - u) /\ u <= p * (F - u).
Proof.
  intros Ha Hp Hn HF L. assert (G : 0 < (a - n * p) * F) by (apply Rmult_lt_0_compat; lra). assert (K : 0 < p * F) by (apply Rmult_lt_0_compat; auto).
  split.
  - rewrite Rmin_left; auto. apply Rmult_le_reg_r with n; [lra|]. replace (a * F / n * n) with (a * F) by (field; lra). lra.
  - exists (Rmin ((a - n * p) * F / (1 + a)) (p * F / (1 + p))). split.
    + apply Rmin_pos; apply Rdiv_lt_0_compat; lra.
    + intros u [Hu Hd]. pose proof (Rmin_l ((a - n * p) * F / (1 + a)) (p * F / (1 + p))) as M1.
      pose proof (Rmin_r ((a - n * p) * F / (1 + a)) (p * F / (1 + p))) as M2.
      assert (U1 : u * (1 + a) <= (a - n * p) * F).
      { replace ((a - n * p) * F) with ((a - n * p) * F / (1 + a) * (1 + a)) by (field; lra). apply Rmult_le_compat_r; lra. }
      assert (U2 : u * (1 + p) <= p * F).
      { replace (p * F) with (p * F / (1 + p) * (1 + p)) by (field; lra). apply Rmult_le_compat_r; lra. }
      split; lra.
Qed.

(** A port of factor 2 over two queues of factor 1, in a room of 3; the same with F = 3; and two queues filled in turn, F = 9. *)
Theorem levels_tree_instance : let t := Port 2 2 (fun _ => Queue 1 (-1) 1) in sane_tree t /\ on_limits t 3 4.
Proof. split; [simpl; repeat split; intros; lra|]. exists (fun _ => 2). split; [simpl; lra|]. intros i _. simpl. lra. Qed.

Theorem levels_room_instance : let q := fun _ : nat => 2 in (forall i, (i < 2)%nat -> q i = 1 * (2 * 3 - sum 2 q)) /\ 0 < 2 * 3.
Proof. split; [intros i _; simpl; lra|lra]. Qed.

Theorem levels_in_turn_instance : let q := fun i => if Nat.eq_dec i 0 then 3 else 1 in
  forall j, (j < 2)%nat -> q j = 1 * (1 * (9 - sum (S j) q) - sum (S j) q).
Proof. intros q [|[|j]] Hj; [simpl; unfold q; simpl; lra|unfold q; simpl; lra|lia]. Qed.
