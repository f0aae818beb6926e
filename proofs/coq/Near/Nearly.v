(** A switch that follows the rule of the model only to within eps bytes, and how far it strays.

      [nearly_close]   the lengths of any set of queues together stay near those of the trajectory, for ever and under all
                       arrivals: within any bound that grows enough from one queue to the next;
      [nearly_within]  each length within (2 (1 + alpha)^(h - 1) - 1) eps bytes, h half the number of queues, rounded up. *)
Require Import Reals Lra Lia Bool.
From DT Require Import Calculus Fluid.
Open Scope R_scope.

(** ** What holds at the beginning, holds for a while from any instant on, and in the limit, holds always *)

Lemma real_induction (P : R -> Prop) s tau :
  (forall t, ~ ~ P t -> P t) -> P s -> (forall t, s < t <= tau -> (forall u, s <= u < t -> P u) -> P t) ->
  (forall t, s <= t < tau -> P t -> exists d, 0 < d /\ forall u, t <= u < t + d -> u <= tau -> P u) ->
  forall t, s <= t <= tau -> P t.
Proof.
  intros Stable P0 Closed Open t Ht. set (E := fun u => s <= u <= tau /\ forall v, s <= v <= u -> P v).
  assert (E0 : E s) by (split; [lra|]; intros v Hv; replace v with s by lra; auto).
  destruct (completeness E) as (m & Hub & Hlub); [exists tau; intros u [Hu _]; lra|exists s; auto|].
  assert (Hm : s <= m <= tau) by (split; [apply Hub; auto|apply Hlub; intros u [Hu _]; lra]).
  assert (Before : forall u, s <= u < m -> P u).
  { intros u Hu. apply Stable. intros N. assert (m <= u); [|lra]. apply Hlub. intros v [Hv Pv].
    destruct (Rle_dec v u) as [|L]; [auto|]. exfalso. apply N, Pv. lra. }
  assert (At : P m) by (destruct (Req_dec m s) as [->|]; [auto|]; apply Closed; [lra|auto]).
  destruct (Rlt_dec m tau) as [L|L].
  - destruct (Open m ltac:(lra) At) as (d & Hd & K). set (u := Rmin tau (m + d / 2)).
    assert (u <= tau) by apply Rmin_l. assert (u <= m + d / 2) by apply Rmin_r.
    assert (m < u) by (apply Rmin_glb_lt; lra).
    assert (E u); [|specialize (Hub u ltac:(auto)); lra]. split; [lra|]. intros v Hv.
    destruct (Rlt_dec v m); [apply Before; lra|apply K; lra].
  - destruct (Req_dec t m) as [->|]; [auto|apply Before; lra].
Qed.

Lemma abs_within x y : Rabs x <= y -> - y <= x <= y.
Proof. intros H. assert (A := Rle_abs x). assert (B := Rle_abs (- x)). rewrite Rabs_Ropp in B. lra. Qed.

(** The sum of x over the queues of a set, and how many they are. *)
Definition over_set (A : nat -> bool) (n : nat) (x : nat -> R) : R := sum n (fun i => if A i then x i else 0).
Fixpoint how_many (A : nat -> bool) (n : nat) : nat :=
  match n with O => O | S k => (if A k then S (how_many A k) else how_many A k) end.
Definition less_one (A : nat -> bool) (i : nat) (j : nat) : bool := A j && negb (Nat.eqb j i).

Lemma how_many_le A n : (how_many A n <= n)%nat.
Proof. induction n; simpl; [lia|]. destruct (A n); lia. Qed.

Lemma how_many_rest A n : how_many (fun i => negb (A i)) n = (n - how_many A n)%nat.
Proof. induction n; [reflexivity|]. assert (L := how_many_le A n). cbn [how_many]. destruct (A n); cbn [negb]; lia. Qed.

Lemma over_rest A n x : sum n x = over_set A n x + over_set (fun i => negb (A i)) n x.
Proof. unfold over_set. rewrite <- sum_plus. apply sum_ext. intros i _. destruct (A i); simpl; lra. Qed.

Lemma without_other A i j : j <> i -> less_one A i j = A j.
Proof. intros H. unfold less_one. apply Nat.eqb_neq in H. rewrite H. apply andb_true_r. Qed.

Lemma without_it A i : less_one A i i = false.
Proof. unfold less_one. rewrite Nat.eqb_refl. apply andb_false_r. Qed.

Lemma without_beyond A i n x : (n <= i)%nat -> over_set (less_one A i) n x = over_set A n x /\ how_many (less_one A i) n = how_many A n.
Proof.
  intros H. induction n; [split; reflexivity|]. destruct IHn as [E F]; [lia|]. unfold over_set in *. cbn [sum how_many].
  rewrite without_other, E, F by lia. auto.
Qed.

Lemma over_without A i n x : (i < n)%nat -> A i = true ->
  over_set A n x = over_set (less_one A i) n x + x i /\ how_many A n = S (how_many (less_one A i) n).
Proof.
  intros H Ai. induction n; [lia|]. unfold over_set in *. cbn [sum how_many]. destruct (Nat.eq_dec i n) as [->|Hn].
  - destruct (without_beyond A n n x ltac:(lia)) as [E F]. unfold over_set in E. rewrite without_it, E, F, Ai. split; [ring|reflexivity].
  - rewrite without_other by lia. destruct IHn as [E F]; [lia|]. rewrite E, F. destruct (A n); split; try ring; reflexivity.
Qed.

(** ** Queues that do not rise once they are too long *)

(** The sum over any k queues is between - c k and c k. *)
Definition bounded_by (n : nat) (c : nat -> R) (x : nat -> R) : Prop := forall A, Rabs (over_set A n x) <= c (how_many A n).

Lemma over_opp A n x : over_set A n (fun i => - x i) = - over_set A n x.
Proof. unfold over_set. rewrite <- sum_opp. apply sum_ext. intros i _. destruct (A i); ring. Qed.

Section Rises.
Variables (n : nat) (a eps g : R) (c : nat -> R).
Hypotheses (a_nonneg : 0 <= a) (g_pos : 0 < g).
(** How the bound grows from one queue to the next. *)
Hypothesis grows : forall k, (k < n)%nat ->
  eps + g <= c (S k) - c k /\ eps + g <= c (S k) - c k + a * (c (S k) - c (n - S k)%nat).

Lemma while_longest x t0 t1 v :
  t0 <= t1 -> (forall i, (i < n)%nat -> continuous_on (x i) t0 t1) ->
  (forall i t, (i < n)%nat -> t0 <= t < t1 -> right_derivative (x i) t (v i t)) ->
  (forall i t, (i < n)%nat -> t0 <= t < t1 -> eps < x i t -> eps < x i t + a * sum n (fun j => x j t) -> v i t <= 0) ->
  bounded_by n c (fun i => x i t0) -> let m := g / (INR n + 1 + 2 * a * INR n) in
  (forall i t, (i < n)%nat -> t0 <= t <= t1 -> Rabs (x i t - x i t0) < m) -> forall A, over_set A n (fun i => x i t1) <= c (how_many A n).
Proof.
  intros T Hc Hd Rule B m Near A. set (k := how_many A n).
  assert (N := pos_INR n). assert (aN : 0 <= a * INR n) by (apply Rmult_le_pos; auto).
  assert (M : m * (INR n + 1 + 2 * a * INR n) = g) by (unfold m; field; lra).
  assert (M0 : 0 < m) by (unfold m; apply Rdiv_lt_0_compat; lra).
  assert (Total : forall t A', t0 <= t <= t1 -> Rabs (over_set A' n (fun i => x i t) - over_set A' n (fun i => x i t0)) <= INR n * m).
  { intros t A' Ht. rewrite <- sum_const. unfold over_set. rewrite <- sum_minus. eapply Rle_trans; [|apply sum_le; intros i Hi; left; apply (Near i t Hi Ht)].
    clear - N. induction n; simpl; [rewrite Rabs_R0; lra|]. eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; [apply IHn0, pos_INR|].
    destruct (A' n0); [lra|]. rewrite Rminus_0_r, Rabs_R0. apply Rabs_pos. }
  destruct (Rle_dec (over_set A n (fun i => x i t0)) (c k - INR n * m)) as [Far|Long].
  { specialize (Total t1 A ltac:(lra)). apply abs_within in Total. fold k. lra. }
  apply Rnot_le_lt in Long. apply Rle_trans with (over_set A n (fun i => x i t0)); [|apply abs_within, B].
  unfold over_set. apply sum_le. intros i Hi. destruct (A i) eqn:Ai; [|lra].
  apply (nonincreasing t0 t1 (x i) (v i)); auto. intros t Ht. split; [auto|].
  destruct (over_without A i n (fun j => x j t0) Hi Ai) as [S1 S2]. fold k in S2.
  assert (B1 := abs_within _ _ (B (less_one A i))). assert (B2 := abs_within _ _ (B (fun j => negb (A j)))). rewrite how_many_rest in B2. fold k in B2.
  assert (Ek := over_rest A n (fun j => x j t0)).
  assert (L := how_many_le A n). fold k in L.
  destruct (grows (how_many (less_one A i) n) ltac:(lia)) as [G1 G2]. rewrite <- S2 in G1, G2.
  assert (X : Rabs (sum n (fun j => x j t) - sum n (fun j => x j t0)) <= INR n * m).
  { assert (W := Total t (fun _ => true) ltac:(lra)). exact W. }
  apply abs_within in X. assert (Xi := Near i t Hi ltac:(lra)). apply Rabs_def2 in Xi.
  cbv beta in *. assert (0 <= m * (2 * (a * INR n))) by (apply Rmult_le_pos; lra).
  apply Rule; auto; [lra|].
  assert (a * (c k - c (n - k)%nat - 2 * INR n * m) <= a * sum n (fun j => x j t)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma never_longer x v s tau : (forall i, (i < n)%nat -> continuous_on (x i) s tau) ->
  (forall i t, (i < n)%nat -> s <= t < tau -> right_derivative (x i) t (v i t)) ->
  (forall i t, (i < n)%nat -> s <= t < tau -> eps < x i t -> eps < x i t + a * sum n (fun j => x j t) -> v i t <= 0) ->
  (forall i t, (i < n)%nat -> s <= t < tau -> eps < - x i t -> eps < - x i t - a * sum n (fun j => x j t) -> 0 <= v i t) ->
  bounded_by n c (fun i => x i s) -> forall t, s <= t <= tau -> bounded_by n c (fun i => x i t).
Proof.
  intros Hc Hd Rule Rule' B0. apply real_induction; auto.
  - intros t NN A. apply Rnot_lt_le. intros K. apply NN. intros B. specialize (B A). lra.
  - intros t Ht Before A. apply Rnot_lt_le. intros K.
    assert (C : continuous_on (fun u => over_set A n (fun i => x i u)) s tau).
    { unfold over_set. apply (continuous_sum s tau n (fun i u => if A i then x i u else 0)). intros i Hi. destruct (A i); [auto|apply continuous_const]. }
    apply continuous_abs in C. destruct (C t ltac:(lra) (Rabs (over_set A n (fun i => x i t)) - c (how_many A n)) ltac:(lra)) as (d & Hd0 & Near).
    set (u := Rmax s (t - d / 2)). assert (s <= u) by apply Rmax_l. assert (t - d / 2 <= u) by apply Rmax_r.
    assert (u < t) by (apply Rmax_lub_lt; lra).
    assert (W := Near u). simpl in W. unfold R_dist in W. specialize (W ltac:(split; [lra|apply Rabs_def1; lra])).
    apply Rabs_def2 in W. specialize (Before u ltac:(lra) A). simpl in Before. lra.
  - intros t Ht B. set (m := g / (INR n + 1 + 2 * a * INR n)).
    assert (M0 : 0 < m).
    { unfold m. apply Rdiv_lt_0_compat; [auto|]. assert (N := pos_INR n). assert (0 <= a * INR n) by (apply Rmult_le_pos; auto). lra. }
    assert (Near : forall N, (N <= n)%nat -> exists d, 0 < d /\ forall i u, (i < N)%nat -> t <= u < t + d -> u <= tau -> Rabs (x i u - x i t) < m).
    { induction N as [|N IH]; intros HN; [exists 1; split; [lra|]; intros; lia|].
      destruct IH as (d & Hd0 & K); [lia|]. destruct (Hc N ltac:(lia) t ltac:(lra) m M0) as (d' & Hd' & K').
      exists (Rmin d d'). assert (Rmin d d' <= d) by apply Rmin_l. assert (Rmin d d' <= d') by apply Rmin_r.
      split; [apply Rmin_pos; auto|]. intros i u Hi Hu Hu'. destruct (Nat.eq_dec i N) as [->|]; [|apply K; try lia; lra].
      simpl in K'. unfold R_dist in K'. apply K'. split; [lra|apply Rabs_def1; lra]. }
    destruct (Near n ltac:(lia)) as (d & Hd0 & K). exists d. split; [auto|]. intros u Hu Hu'.
    assert (Sub : forall i, (i < n)%nat -> continuous_on (x i) t u) by (intros i Hi; apply (continuous_sub s tau); auto; lra).
    intros A. apply Rabs_le. split.
    + assert (W := while_longest (fun i w => - x i w) t u (fun i w => - v i w) ltac:(lra)). cbv beta in W.
      assert (E := over_opp A n (fun i => x i u)). cbv beta in E. rewrite <- (Ropp_involutive (over_set A n _)), <- E. apply Ropp_le_contravar. apply W.
      * intros i Hi. apply continuous_opp; auto.
      * intros i w Hi Hw. apply rd_opp, Hd; auto; lra.
      * intros i w Hi Hw. rewrite sum_opp. intros K1 K2. assert (0 <= v i w) by (apply Rule'; auto; lra). lra.
      * intros A'. assert (E' := over_opp A' n (fun i => x i t)). cbv beta in E'. rewrite E', Rabs_Ropp. apply B.
      * intros i w Hi Hw. replace (- x i w - - x i t) with (- (x i w - x i t)) by ring. rewrite Rabs_Ropp. apply K; auto; lra.
    + apply (while_longest x t u v); auto; try lra.
      * intros i w Hi Hw. apply Hd; auto; lra.
      * intros i w Hi Hw. apply Rule; auto; lra.
      * intros i w Hi Hw. apply K; auto; lra.
Qed.
End Rises.

(** ** The rule to within eps bytes *)

(** Every queue sends at most [service], and at that rate if it holds more than eps; it admits everything if it is more than
    eps below its threshold, and nothing if it is more than eps above: between them whatever it likes. *)
Definition nearly_obeys (sw : switch) (Ar : nat -> R -> R) (eps : R) (P D : nat -> R -> R) (i : nat) (t : R) : Prop :=
  - service sw i <= D i t /\
  (eps < P i t -> D i t <= Ar i t - service sw i) /\
  (eps < P i t -> threshold sw P i t + eps < P i t -> D i t <= - service sw i) /\
  (P i t < threshold sw P i t - eps -> Ar i t - service sw i <= D i t).

Record nearly (sw : switch) (Ar : nat -> R -> R) (eps s tau : R) (P D : nat -> R -> R) : Prop := {
  nearly_nonneg : forall i t, (i < ports sw)%nat -> s <= t <= tau -> 0 <= P i t;
  nearly_continuous : forall i, (i < ports sw)%nat -> continuous_on (P i) s tau;
  nearly_slope : forall i t, (i < ports sw)%nat -> s <= t < tau -> right_derivative (P i) t (D i t);
  nearly_rule : forall i t, (i < ports sw)%nat -> s <= t < tau -> nearly_obeys sw Ar eps P D i t
}.

(** Every trajectory follows the rule, to within any eps. *)
Theorem trajectory_nearly sw Ar eps s tau Q D :
  0 <= eps -> sane sw Ar s tau -> trajectory sw Ar s tau Q D -> nearly sw Ar eps s tau Q D.
Proof.
  intros He [Hg Ha] H. split; [apply (length_nonneg _ _ _ _ _ _ H)|apply (length_continuous _ _ _ _ _ _ H)|apply (length_slope _ _ _ _ _ _ H)|].
  intros i t Hi Ht. assert (Rule := length_rule _ _ _ _ _ _ H i t Hi Ht). specialize (Ha i t Hi Ht). destruct (Hg i Hi) as [_ Sv].
  assert (Bd := rate_bounds sw Ar Q D i t Ha Rule). unfold lowest, highest in *. destruct Rule as (R1 & R2 & _). unfold lowest, highest in R1, R2.
  destruct (Rlt_dec 0 (Q i t)).
  - split; [lra|]. split; [lra|]. split; [lra|]. intros K. rewrite R1; lra.
  - assert (M := Rmax_l 0 (- service sw i)). split; [lra|]. split; [lra|]. split; [lra|]. intros K. rewrite R1 by lra. apply Rmax_r.
Qed.

Section Close.
Variables (sw : switch) (Ar : nat -> R -> R) (eps s tau a : R) (Q D P V : nat -> R -> R).
Hypothesis eps_nonneg : 0 <= eps.
Hypothesis weights : forall i, (i < ports sw)%nat -> gain sw i <= a.
Hypotheses (meant : sane sw Ar s tau) (exact : trajectory sw Ar s tau Q D) (near : nearly sw Ar eps s tau P V).

Lemma apart_free t : free sw P t - free sw Q t = - sum (ports sw) (fun i => P i t - Q i t).
Proof. unfold free. rewrite sum_minus. ring. Qed.

(** A queue that is longer than it should be by more than eps, and still so by its threshold, does not rise against it. *)
Lemma too_long i t : (i < ports sw)%nat -> s <= t < tau -> 0 <= a -> eps < P i t - Q i t ->
  eps < P i t - Q i t + a * sum (ports sw) (fun j => P j t - Q j t) -> V i t - D i t <= 0.
Proof.
  intros Hi Ht Ha L1 L2. destruct meant as [G A0]. destruct (G i Hi) as [G0 S0]. specialize (A0 i t Hi Ht). specialize (weights i Hi).
  assert (Q0 := length_nonneg _ _ _ _ _ _ exact i t Hi ltac:(lra)). assert (Rule := length_rule _ _ _ _ _ _ exact i t Hi Ht).
  assert (Bd := rate_bounds sw Ar Q D i t A0 Rule). destruct (nearly_rule _ _ _ _ _ _ _ near i t Hi Ht) as (V1 & V2 & V3 & V4).
  assert (F := apart_free t). assert (Above : - service sw i <= D i t).
  { destruct Bd as [Bd _]. unfold lowest in Bd. destruct (Rlt_dec 0 (Q i t)); [lra|]. assert (M := Rmax_r 0 (- service sw i)). lra. }
  destruct (Rlt_dec (Q i t) (threshold sw Q i t)) as [c|c].
  - destruct Rule as (R1 & _). rewrite (R1 c). specialize (V2 ltac:(lra)). unfold highest. destruct (Rlt_dec 0 (Q i t)); [lra|].
    assert (M := Rmax_r 0 (Ar i t - service sw i)). lra.
  - assert (threshold sw P i t + eps < P i t); [|specialize (V3 ltac:(lra) ltac:(lra)); lra].
    unfold threshold in *. set (X := sum (ports sw) (fun j => P j t - Q j t)) in *.
    assert (E : gain sw i * free sw P t = gain sw i * free sw Q t - gain sw i * X) by (replace (free sw P t) with (free sw Q t - X) by lra; ring).
    rewrite E. assert (eps < P i t - Q i t + gain sw i * X); [|lra]. destruct (Rle_dec 0 X) as [p|p]; [assert (0 <= gain sw i * X) by (apply Rmult_le_pos; auto); lra|].
    assert (gain sw i * - X <= a * - X) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(** And one that is shorter does not fall against it. *)
Lemma too_short i t : (i < ports sw)%nat -> s <= t < tau -> 0 <= a -> eps < Q i t - P i t ->
  eps < Q i t - P i t + a * sum (ports sw) (fun j => Q j t - P j t) -> D i t - V i t <= 0.
Proof.
  intros Hi Ht Ha L1 L2. destruct meant as [G A0]. destruct (G i Hi) as [G0 S0]. specialize (A0 i t Hi Ht). specialize (weights i Hi).
  assert (Q0 := length_nonneg _ _ _ _ _ _ exact i t Hi ltac:(lra)). assert (Rule := length_rule _ _ _ _ _ _ exact i t Hi Ht).
  assert (Bd := rate_bounds sw Ar Q D i t A0 Rule). destruct (nearly_rule _ _ _ _ _ _ _ near i t Hi Ht) as (V1 & V2 & V3 & V4).
  assert (F := apart_free t). set (X := sum (ports sw) (fun j => Q j t - P j t)) in *.
  assert (X' : sum (ports sw) (fun j => P j t - Q j t) = - X) by (unfold X; rewrite <- sum_opp; apply sum_ext; intros; ring).
  rewrite X' in F.
  assert (P0 := nearly_nonneg _ _ _ _ _ _ _ near i t Hi ltac:(lra)).
  destruct (Rlt_dec (threshold sw Q i t) (Q i t)) as [c|c].
  - destruct Rule as (_ & R2 & _). rewrite (R2 c). unfold lowest. destruct (Rlt_dec 0 (Q i t)); lra.
  - assert (Up : D i t <= Ar i t - service sw i) by (destruct Bd as [_ Bd]; unfold highest in Bd; destruct (Rlt_dec 0 (Q i t)); lra).
    assert (P i t < threshold sw P i t - eps); [|specialize (V4 ltac:(lra)); lra]. unfold threshold in *.
    assert (E : gain sw i * free sw P t = gain sw i * free sw Q t + gain sw i * X) by (replace (free sw P t) with (free sw Q t + X) by lra; ring).
    rewrite E. assert (eps < Q i t - P i t + gain sw i * X); [|lra]. destruct (Rle_dec 0 X) as [p|p]; [assert (0 <= gain sw i * X) by (apply Rmult_le_pos; auto); lra|].
    assert (gain sw i * - X <= a * - X) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(** The lengths of any set of queues together, from the same lengths on. *)
Definition strays (n : nat) (a eps : R) (c : nat -> R) : Prop :=
  c 0%nat = 0 /\ exists g, 0 < g /\ forall k, (k < n)%nat ->
    eps + g <= c (S k) - c k /\ eps + g <= c (S k) - c k + a * (c (S k) - c (n - S k)%nat).

Theorem nearly_close c : 0 <= a -> strays (ports sw) a eps c -> (forall i, (i < ports sw)%nat -> P i s = Q i s) ->
  forall t A, s <= t <= tau -> Rabs (over_set A (ports sw) (fun i => P i t - Q i t)) <= c (how_many A (ports sw)).
Proof.
  intros Ha (c0 & g & g0 & grow) Same t A Ht.
  assert (Zero : forall f : nat -> R, (forall i, (i < ports sw)%nat -> f i = 0) -> bounded_by (ports sw) c f).
  { intros f Hf B. unfold over_set. rewrite sum_zero, Rabs_R0 by (intros i Hi; destruct (B i); auto).
    assert (Up : forall k, (k <= ports sw)%nat -> 0 <= c k).
    { induction k; intros Hk; [lra|]. destruct (grow k ltac:(lia)). specialize (IHk ltac:(lia)). lra. }
    apply Up, how_many_le. }
  assert (Cont : forall i, (i < ports sw)%nat -> continuous_on (P i) s tau /\ continuous_on (Q i) s tau).
  { intros i Hi. split; [apply (nearly_continuous _ _ _ _ _ _ _ near)|apply (length_continuous _ _ _ _ _ _ exact)]; auto. }
  assert (Slope : forall i u, (i < ports sw)%nat -> s <= u < tau -> right_derivative (P i) u (V i u) /\ right_derivative (Q i) u (D i u)).
  { intros i u Hi Hu. split; [apply (nearly_slope _ _ _ _ _ _ _ near)|apply (length_slope _ _ _ _ _ _ exact)]; auto. }
  apply (never_longer (ports sw) a eps g c Ha g0 grow (fun i u => P i u - Q i u) (fun i u => V i u - D i u) s tau); auto.
  - intros i Hi. apply continuous_minus; apply Cont; auto.
  - intros i u Hi Hu. apply rd_minus; apply Slope; auto.
  - intros i u Hi Hu. apply too_long; auto.
  - intros i u Hi Hu L1 L2. assert (D i u - V i u <= 0); [|lra]. apply too_short; auto; [lra|].
    rewrite (sum_ext _ _ (fun j => - (P j u - Q j u))), sum_opp by (intros; ring). lra.
  - apply Zero. intros i Hi. rewrite Same by auto. ring.
Qed.
End Close.

(** ** The bound in closed form *)

(** Half the number of queues, rounded up; what the k-th queue adds to the bound, and the bound for k queues. *)
Definition half_up (n : nat) : nat := Nat.div2 (S n).
Definition adds (n : nat) (a : R) (k : nat) : R := 2 * (1 + a) ^ (half_up n - S k) - 1.
Definition together (n : nat) (a eps : R) (k : nat) : R := eps * sum k (adds n a).

Lemma half_up_bounds n : (n <= 2 * half_up n)%nat /\ (2 * half_up n <= S n)%nat.
Proof. unfold half_up. assert (H := Nat.div2_odd (S n)). destruct (Nat.odd (S n)); simpl Nat.b2n in H; lia. Qed.

Lemma adds_least n a k : 0 <= a -> 1 <= adds n a k.
Proof. intros Ha. unfold adds. assert (1 <= (1 + a) ^ (half_up n - S k)) by (apply pow_R1_Rle; lra). lra. Qed.

Lemma around_half n a m : 0 <= a -> (m <= half_up n)%nat ->
  a * (sum (half_up n + m) (adds n a) - sum (half_up n - m) (adds n a)) = 2 * (1 + a) ^ m - 2.
Proof.
  intros Ha. induction m; intros Hm; [rewrite Nat.add_0_r, Nat.sub_0_r; simpl; ring|]. specialize (IHm ltac:(lia)).
  rewrite Nat.add_succ_r. cbn [sum]. replace (half_up n - m)%nat with (S (half_up n - S m)) in IHm by lia. cbn [sum] in IHm.
  assert (E1 : adds n a (half_up n + m) = 1) by (unfold adds; replace (half_up n - S (half_up n + m))%nat with 0%nat by lia; simpl; ring).
  assert (E2 : adds n a (half_up n - S m) = 2 * (1 + a) ^ m - 1) by (unfold adds; replace (half_up n - S (half_up n - S m))%nat with m by lia; reflexivity).
  rewrite E1, E2 in *. cbn [pow]. nra.
Qed.

Lemma sum_up n a j k : 0 <= a -> (j <= k)%nat -> sum j (adds n a) <= sum k (adds n a).
Proof. intros Ha H. induction H; [lra|]. cbn [sum]. assert (L := adds_least n a m Ha). lra. Qed.

Lemma together_strays n a eps e : 0 <= a -> 0 <= eps < e -> strays n a eps (together n a e).
Proof.
  intros Ha He. split; [unfold together; simpl; ring|]. exists (e - eps). split; [lra|]. intros k Hk. unfold together. cbn [sum].
  assert (L := adds_least n a k Ha). replace (eps + (e - eps)) with (e * 1) by ring. split; [nra|].
  set (s1 := sum k (adds n a) + adds n a k). assert (S1 : s1 = sum (S k) (adds n a)) by reflexivity.
  assert (K : 1 <= adds n a k + a * (s1 - sum (n - S k) (adds n a))).
  { destruct (le_dec (n - S k) (S k)) as [l|l].
    - assert (sum (n - S k) (adds n a) <= s1) by (rewrite S1; apply sum_up; auto). assert (0 <= a * (s1 - sum (n - S k) (adds n a))) by (apply Rmult_le_pos; lra). lra.
    - destruct (half_up_bounds n) as [h1 h2]. assert (W := around_half n a (half_up n - S k) Ha ltac:(lia)).
      replace (half_up n - (half_up n - S k))%nat with (S k) in W by lia. rewrite <- S1 in W.
      assert (sum (n - S k) (adds n a) <= sum (half_up n + (half_up n - S k)) (adds n a)) by (apply sum_up; [auto|lia]).
      assert (a * sum (n - S k) (adds n a) <= a * sum (half_up n + (half_up n - S k)) (adds n a)) by (apply Rmult_le_compat_l; auto).
      unfold adds at 1. lra. }
  replace (e * s1 - e * sum k (adds n a) + a * (e * s1 - e * sum (n - S k) (adds n a)))
    with (e * (adds n a k + a * (s1 - sum (n - S k) (adds n a)))) by (unfold s1; ring).
  apply Rmult_le_compat_l; lra.
Qed.

(** The lengths of each k queues together, at every instant, under all arrivals. *)
Theorem nearly_together sw Ar eps s tau a Q D P V :
  0 <= eps -> 0 <= a -> (forall i, (i < ports sw)%nat -> gain sw i <= a) -> sane sw Ar s tau ->
  trajectory sw Ar s tau Q D -> nearly sw Ar eps s tau P V -> (forall i, (i < ports sw)%nat -> P i s = Q i s) ->
  forall t A, s <= t <= tau -> Rabs (over_set A (ports sw) (fun i => P i t - Q i t)) <= together (ports sw) a eps (how_many A (ports sw)).
Proof.
  intros He Ha Hg Hs H N Same t A Ht. set (k := how_many A (ports sw)).
  set (u := sum k (adds (ports sw) a)). assert (U : 0 <= u) by (apply sum_nonneg; intros i _; assert (L := adds_least (ports sw) a i Ha); lra).
  apply Rnot_lt_le. intros K. set (x := Rabs (over_set A (ports sw) (fun i => P i t - Q i t))) in *. unfold together in K. fold u in K.
  set (e := eps + (x - eps * u) / (2 * (u + 1))).
  assert (Hx : 0 < (x - eps * u) / (2 * (u + 1))) by (apply Rdiv_lt_0_compat; lra).
  assert (B := nearly_close sw Ar eps s tau a Q D P V He Hg Hs H N (together (ports sw) a e) Ha (together_strays (ports sw) a eps e Ha ltac:(unfold e; lra)) Same t A Ht).
  fold x k in B. unfold together in B. fold u in B. unfold e in B.
  assert (E : (x - eps * u) / (2 * (u + 1)) * (2 * (u + 1)) = x - eps * u) by (field; lra). nra.
Qed.

(** And each of them. *)
Theorem nearly_within sw Ar eps s tau a Q D P V :
  0 <= eps -> 0 <= a -> (forall i, (i < ports sw)%nat -> gain sw i <= a) -> sane sw Ar s tau ->
  trajectory sw Ar s tau Q D -> nearly sw Ar eps s tau P V -> (forall i, (i < ports sw)%nat -> P i s = Q i s) ->
  forall t i, s <= t <= tau -> (i < ports sw)%nat -> Rabs (P i t - Q i t) <= eps * (2 * (1 + a) ^ (half_up (ports sw) - 1) - 1).
Proof.
  intros He Ha Hg Hs H N Same t i Ht Hi. assert (B := nearly_together sw Ar eps s tau a Q D P V He Ha Hg Hs H N Same t (fun j => Nat.eqb j i) Ht).
  destruct (over_without (fun j => Nat.eqb j i) i (ports sw) (fun i => P i t - Q i t) Hi (Nat.eqb_refl i)) as [E F].
  assert (Z : forall n, over_set (less_one (fun j => Nat.eqb j i) i) n (fun i => P i t - Q i t) = 0 /\ how_many (less_one (fun j => Nat.eqb j i) i) n = 0%nat).
  { induction n; [split; reflexivity|]. destruct IHn as [Z1 Z2]. unfold over_set in *. cbn [sum how_many].
    replace (less_one (fun j => Nat.eqb j i) i n) with false by (unfold less_one; destruct (Nat.eqb n i); reflexivity). rewrite Z1, Z2. split; [ring|reflexivity]. }
  destruct (Z (ports sw)) as [Z1 Z2]. rewrite Z1 in E. rewrite Z2 in F. rewrite E, F in B.
  rewrite Rplus_0_l in B. unfold together, adds in B. cbn [sum] in B. rewrite Rplus_0_l in B. exact B.
Qed.

(** A port of rate 1 that is offered 2 and, until a byte has come, sends nothing. *)
Theorem nearly_within_instance : let sw := dt_switch 1 1 6 1 in exists Q D P V,
  sane sw (fun _ _ => 2) 0 (1 / 2) /\ trajectory sw (fun _ _ => 2) 0 (1 / 2) Q D /\ nearly sw (fun _ _ => 2) 1 0 (1 / 2) P V /\
  P 0%nat 0 = Q 0%nat 0 /\ P 0%nat (1 / 2) = 1 /\ Q 0%nat (1 / 2) = 1 / 2.
Proof.
  intros sw. exists (fun _ t => 1 * t + 0), (fun _ _ => 1), (fun _ t => 2 * t + 0), (fun _ _ => 2).
  split; [split; simpl; intros; lra|]. split; [|split; [|lra]].
  - split; simpl; intros; [lra|apply continuous_linear|apply rd_linear|].
    assert (Lo : 1 * t + 0 < threshold sw (fun _ t => 1 * t + 0) i t) by (unfold threshold, free; simpl; lra).
    split; [intros _|split; intros; lra]. unfold highest. destruct (Rlt_dec 0 (1 * t + 0)); simpl; [lra|]. rewrite Rmax_right; lra.
  - split; simpl; intros; [lra|apply continuous_linear|apply rd_linear|]. unfold nearly_obeys. simpl. repeat split; intros; lra.
Qed.
