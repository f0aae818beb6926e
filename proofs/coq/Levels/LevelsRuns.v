(** Runs on two levels: queues that are alike within each port are queues of one level.

    Port j may hold a_j F of the free buffer F, and each of its queues p_j times what the port may still take.  Within a port the
    queues have one service, one arrival rate and, at the start, one length.

      [levels_alike]       they have one length at every instant;
      [levels_run]         the run is the run of one level with the weights a p / (1 + k p), k the queues of the port, and
      [levels_run_back]    every run of that level is one of the two levels;
      [levels_first_drop]  hence Theorem 1 with the weight A_k of a burst of k queues beside N ports of weight A_n.          *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence SteadyStateFirstDrop.
Open Scope R_scope.

Section Levels.
Variables (n : nat) (port : nat -> nat) (a p service : nat -> R) (B : R) (Ar : nat -> R -> R) (s tau : R).

(** The sum of x over the queues of the port of queue i. *)
Definition sum_in_port (x : nat -> R) (i : nat) : R := sum n (fun j => if Nat.eq_dec (port j) (port i) then x j else 0).
Definition port_size (i : nat) : R := sum_in_port (fun _ => 1) i.

(** The switch of one level, which has the weight of a queue whose siblings are alike. *)
Definition one_level : switch := Switch n (fun i => a i * p i / (1 + port_size i * p i)) (fun _ => 0) service B.

(** Threshold and rule of a queue whose length q grows at v, with a threshold T that grows at y. *)
Definition nested (Q : nat -> R -> R) (i : nat) (t : R) : R := p i * (a i * free one_level Q t - sum_in_port (fun j => Q j t) i).
Definition nested_slope (D : nat -> R -> R) (i : nat) (t : R) : R := p i * (a i * free_slope one_level D t - sum_in_port (fun j => D j t) i).
Definition level_rule (i : nat) (t q T v y : R) : Prop :=
  (q < T -> v = highest one_level Ar i q t) /\ (T < q -> v = lowest one_level i q) /\
  (q = T -> v = clip y (lowest one_level i q) (highest one_level Ar i q t)).

(** A run of the two levels on [s, tau]. *)
Record two_level_run (Q D : nat -> R -> R) : Prop := {
  run_nonneg : forall i t, (i < n)%nat -> s <= t <= tau -> 0 <= Q i t;
  run_continuous : forall i, (i < n)%nat -> continuous_on (Q i) s tau;
  run_slope : forall i t, (i < n)%nat -> s <= t < tau -> right_derivative (Q i) t (D i t);
  run_rule : forall i t, (i < n)%nat -> s <= t < tau -> level_rule i t (Q i t) (nested Q i t) (D i t) (nested_slope D i t)
}.

Hypothesis sane_a : forall i, (i < n)%nat -> 0 <= a i.
Hypothesis sane_p : forall i, (i < n)%nat -> 0 <= p i.
Hypothesis sane_service : forall i, (i < n)%nat -> 0 <= service i.
Hypothesis sane_arrivals : forall i t, (i < n)%nat -> s <= t < tau -> 0 <= Ar i t.
Hypothesis one_port : forall i j, (i < n)%nat -> (j < n)%nat -> port i = port j ->
  a i = a j /\ p i = p j /\ service i = service j /\ forall t, Ar i t = Ar j t.

Lemma in_port_same x i j : port i = port j -> sum_in_port x i = sum_in_port x j.
Proof. intros E. unfold sum_in_port. rewrite E. reflexivity. Qed.

(** Of two queues with one threshold the longer grows no faster, and equal ones grow alike. *)
Lemma rule_alike i j t q r T v u y : (i < n)%nat -> (j < n)%nat -> port i = port j -> s <= t < tau ->
  level_rule i t q T v y -> level_rule j t r T u y -> (q < r -> u <= v) /\ (q = r -> v = u).
Proof.
  intros Hi Hj E Ht (V1 & V2 & V3) (U1 & U2 & U3). destruct (one_port i j Hi Hj E) as (_ & _ & Es & Ea).
  assert (L : forall x, lowest one_level j x = lowest one_level i x) by (intros x; unfold lowest; simpl; rewrite Es; reflexivity).
  assert (H : forall x, highest one_level Ar j x t = highest one_level Ar i x t) by (intros x; unfold highest; simpl; rewrite Es, Ea; reflexivity).
  pose proof (sane_arrivals i t Hi Ht) as A. pose proof (lowest_le_highest one_level Ar i q t A) as Oq.
  pose proof (lowest_le_highest one_level Ar i r t A) as Or. split.
  - intros Hqr. pose proof (lowest_antitone one_level i q r (sane_service i Hi) ltac:(lra)) as Lm.
    pose proof (highest_antitone one_level Ar i q r t ltac:(lra)) as Hm. rewrite ?L, ?H in *.
    pose proof (clip_bounds y _ _ Oq) as Cq. pose proof (clip_bounds y _ _ Or) as Cr.
    destruct (Rtotal_order q T) as [K|[K|K]]; [rewrite (V1 K)|rewrite (V3 K)|rewrite (V2 K)];
      (destruct (Rtotal_order r T) as [M|[M|M]]; [rewrite (U1 M)|rewrite (U3 M)|rewrite (U2 M)]); try lra.
  - intros ->. rewrite ?L, ?H in *.
    destruct (Rtotal_order r T) as [K|[K|K]]; [rewrite (V1 K), (U1 K)|rewrite (V3 K), (U3 K)|rewrite (V2 K), (U2 K)]; reflexivity.
Qed.

Section Alike.
Variables (Q D T Y : nat -> R -> R).
Hypothesis moving : forall i, (i < n)%nat -> continuous_on (Q i) s tau.
Hypothesis sloping : forall i t, (i < n)%nat -> s <= t < tau -> right_derivative (Q i) t (D i t).
Hypothesis ruled : forall i t, (i < n)%nat -> s <= t < tau -> level_rule i t (Q i t) (T i t) (D i t) (Y i t).
Hypothesis level : forall i j t, (i < n)%nat -> (j < n)%nat -> port i = port j -> T i t = T j t /\ Y i t = Y j t.
Hypothesis begin : forall i j, (i < n)%nat -> (j < n)%nat -> port i = port j -> Q i s = Q j s.

Lemma alike i j t : (i < n)%nat -> (j < n)%nat -> port i = port j -> s <= t <= tau -> Q i t = Q j t.
Proof.
  intros Hi Hj E Ht. assert (K : Rabs (Q i t - Q j t) <= Rabs (Q i s - Q j s)).
  { apply (nonincreasing s t (fun u => Rabs (Q i u - Q j u)) (fun u => abs_slope (Q i u - Q j u) (D i u - D j u))); [lra| |].
    - apply continuous_abs, continuous_minus; apply continuous_sub with (s := s) (tau := tau); auto; lra.
    - intros u Hu. split; [apply (rd_abs u (fun u0 => Q i u0 - Q j u0)), rd_minus; apply sloping; auto; lra|].
      assert (Hu' : s <= u < tau) by lra. destruct (level i j u Hi Hj E) as [ET EY].
      pose proof (ruled i u Hi Hu') as Ri. pose proof (ruled j u Hj Hu') as Rj. rewrite ET, EY in Ri.
      destruct (rule_alike i j u _ _ _ _ _ _ Hi Hj E Hu' Ri Rj) as [Less Same].
      destruct (rule_alike j i u _ _ _ _ _ _ Hj Hi (eq_sym E) Hu' Rj Ri) as [More _].
      unfold abs_slope. destruct (Rlt_dec 0 (Q i u - Q j u)) as [P|P]; [specialize (More ltac:(lra)); lra|].
      destruct (Rlt_dec (Q i u - Q j u) 0) as [N|N]; [specialize (Less ltac:(lra)); lra|].
      rewrite Same by lra. replace (D j u - D j u) with 0 by ring. rewrite Rabs_R0. lra. }
  rewrite (begin i j Hi Hj E) in K. replace (Q j s - Q j s) with 0 in K by ring. rewrite Rabs_R0 in K. pose proof (Rabs_pos (Q i t - Q j t)) as P.
  destruct (Req_dec (Q i t - Q j t) 0) as [Z|Z]; [lra|]. apply Rabs_no_R0 in Z. lra.
Qed.

Lemma slopes_alike i j t : (i < n)%nat -> (j < n)%nat -> port i = port j -> s <= t < tau -> D i t = D j t.
Proof.
  intros Hi Hj E Ht. apply (rd_unique t (Q i)); [apply sloping; auto|].
  apply rd_ext with (Q j); [|apply sloping; auto]. exists (tau - t). split; [lra|]. intros h Hh. symmetry. apply alike; auto. lra.
Qed.

Lemma port_total i t : (i < n)%nat -> s <= t <= tau -> sum_in_port (fun j => Q j t) i = port_size i * Q i t.
Proof.
  intros Hi Ht. unfold port_size, sum_in_port. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros j Hj.
  destruct (Nat.eq_dec (port j) (port i)) as [E|]; [|ring]. rewrite (alike j i t) by auto. ring.
Qed.

Lemma port_slope i t : (i < n)%nat -> s <= t < tau -> sum_in_port (fun j => D j t) i = port_size i * D i t.
Proof.
  intros Hi Ht. unfold port_size, sum_in_port. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros j Hj.
  destruct (Nat.eq_dec (port j) (port i)) as [E|]; [|ring]. rewrite (slopes_alike j i t) by auto. ring.
Qed.
End Alike.

Lemma size_nonneg i : 0 <= port_size i.
Proof. apply sum_nonneg. intros j _. destruct (Nat.eq_dec (port j) (port i)); lra. Qed.

(** A threshold p (x - k q) that depends on the queue itself, and the one p x / (1 + k p) that does not. *)
Lemma own_part k p0 x q : 0 <= k -> 0 <= p0 -> (q < p0 * (x - k * q) <-> q < p0 * x / (1 + k * p0)) /\
  (p0 * (x - k * q) < q <-> p0 * x / (1 + k * p0) < q) /\ (q = p0 * (x - k * q) <-> q = p0 * x / (1 + k * p0)).
Proof.
  intros Hk Hp. assert (P : 0 < 1 + k * p0) by (pose proof (Rmult_le_pos k p0 Hk Hp); lra). set (w := p0 * x / (1 + k * p0)).
  assert (E : w * (1 + k * p0) = p0 * x) by (unfold w; field; lra).
  assert (M : forall y z, y < z -> y * (1 + k * p0) < z * (1 + k * p0)) by (intros y z L; apply Rmult_lt_compat_r; auto).
  assert (M' : forall y z, y * (1 + k * p0) < z * (1 + k * p0) -> y < z) by (intros y z L; apply Rmult_lt_reg_r with (1 + k * p0); auto).
  split; [|split]; split; intros L.
  - apply M'. lra.
  - apply M in L. lra.
  - apply M'. lra.
  - apply M in L. lra.
  - apply Rmult_eq_reg_r with (1 + k * p0); lra.
  - assert (q * (1 + k * p0) = p0 * x) by (rewrite L at 1; exact E). lra.
Qed.

Lemma own_clip k p0 x v l u : 0 <= k -> 0 <= p0 -> l <= u ->
  v = clip (p0 * (x - k * v)) l u <-> v = clip (p0 * x / (1 + k * p0)) l u.
Proof.
  intros Hk Hp Hlu. destruct (own_part k p0 x v Hk Hp) as (L & G & E). destruct (own_part k p0 x l Hk Hp) as (Ll & Gl & El).
  destruct (own_part k p0 x u Hk Hp) as (Lu & Gu & Eu). set (w := p0 * x / (1 + k * p0)) in *. split; intros H.
  - pose proof (clip_bounds (p0 * (x - k * v)) l u Hlu) as C. rewrite <- H in C. unfold clip, Rmax, Rmin in H |- *.
    destruct (Rle_dec (p0 * (x - k * v)) u) as [A|A].
    + destruct (Rle_dec l (p0 * (x - k * v))) as [A'|A'].
      * apply E in H. subst v. destruct (Rle_dec w u); destruct (Rle_dec l w); destruct (Rle_dec l u); lra.
      * subst v. assert (w < l) by (apply Gl; lra). destruct (Rle_dec w u); destruct (Rle_dec l w); destruct (Rle_dec l u); lra.
    + destruct (Rle_dec l u) as [A'|A']; [|lra]. subst v. assert (u < w) by (apply Lu; lra).
      destruct (Rle_dec w u); destruct (Rle_dec l u); lra.
  - pose proof (clip_bounds w l u Hlu) as C. rewrite <- H in C. unfold clip, Rmax, Rmin in H.
    destruct (Rle_dec w u) as [A|A].
    + destruct (Rle_dec l w) as [A'|A'].
      * apply E in H. unfold clip. rewrite <- H, Rmin_left, Rmax_right by lra. reflexivity.
      * subst v. assert (p0 * (x - k * l) < l) by (apply Gl; lra). unfold clip. rewrite Rmin_left, Rmax_left by lra. reflexivity.
    + destruct (Rle_dec l u) as [A'|A']; [|lra]. subst v. assert (u < p0 * (x - k * u)) by (apply Lu; lra).
      unfold clip. rewrite Rmin_right, Rmax_right by lra. reflexivity.
Qed.

(** The rule of a queue in a port of k alike is that of one level. *)
Lemma rule_same i t q v F f : (i < n)%nat -> s <= t < tau ->
  level_rule i t q (p i * (a i * F - port_size i * q)) v (p i * (a i * f - port_size i * v)) <->
  level_rule i t q (0 + a i * p i / (1 + port_size i * p i) * F) v (a i * p i / (1 + port_size i * p i) * f).
Proof.
  intros Hi Ht. pose proof (size_nonneg i) as Hk. pose proof (sane_p i Hi) as Hp.
  assert (P : 0 < 1 + port_size i * p i) by (pose proof (Rmult_le_pos (port_size i) (p i) Hk Hp); lra).
  replace (0 + a i * p i / (1 + port_size i * p i) * F) with (p i * (a i * F) / (1 + port_size i * p i)) by (field; lra).
  replace (a i * p i / (1 + port_size i * p i) * f) with (p i * (a i * f) / (1 + port_size i * p i)) by (field; lra).
  destruct (own_part (port_size i) (p i) (a i * F) q Hk Hp) as (L & G & E).
  pose proof (lowest_le_highest one_level Ar i q t (sane_arrivals i t Hi Ht)) as O.
  pose proof (own_clip (port_size i) (p i) (a i * f) v _ _ Hk Hp O) as C. unfold level_rule. rewrite L, G, E, C. reflexivity.
Qed.

Theorem levels_alike Q D : two_level_run Q D ->
  (forall i j, (i < n)%nat -> (j < n)%nat -> port i = port j -> Q i s = Q j s) ->
  forall i j t, (i < n)%nat -> (j < n)%nat -> port i = port j -> s <= t <= tau -> Q i t = Q j t.
Proof.
  intros H H0. apply (alike Q D (nested Q) (nested_slope D)); try apply H; auto.
  intros i j t Hi Hj E. destruct (one_port i j Hi Hj E) as (Ea & Ep & _). unfold nested, nested_slope.
  rewrite Ea, Ep, !(in_port_same _ i j E). auto.
Qed.

Theorem levels_run Q D : two_level_run Q D ->
  (forall i j, (i < n)%nat -> (j < n)%nat -> port i = port j -> Q i s = Q j s) -> trajectory one_level Ar s tau Q D.
Proof.
  intros H H0. assert (Lev : forall i j t, (i < n)%nat -> (j < n)%nat -> port i = port j ->
    nested Q i t = nested Q j t /\ nested_slope D i t = nested_slope D j t).
  { intros i j t Hi Hj E. destruct (one_port i j Hi Hj E) as (Ea & Ep & _). unfold nested, nested_slope.
    rewrite Ea, Ep, !(in_port_same _ i j E). auto. }
  split; try apply H. intros i t Hi Ht. simpl in Hi. pose proof (run_rule Q D H i t Hi Ht) as R.
  unfold nested, nested_slope in R.
  rewrite (port_total Q D (nested Q) (nested_slope D)), (port_slope Q D (nested Q) (nested_slope D)) in R; try apply H; auto; try lra.
  apply rule_same in R; auto.
Qed.

Theorem levels_run_back Q D : trajectory one_level Ar s tau Q D ->
  (forall i j, (i < n)%nat -> (j < n)%nat -> port i = port j -> Q i s = Q j s) -> two_level_run Q D.
Proof.
  intros H H0. assert (Lev : forall i j t, (i < n)%nat -> (j < n)%nat -> port i = port j ->
    threshold one_level Q i t = threshold one_level Q j t /\ threshold_slope one_level D i t = threshold_slope one_level D j t).
  { intros i j t Hi Hj E. destruct (one_port i j Hi Hj E) as (Ea & Ep & _). unfold threshold, threshold_slope, port_size. simpl.
    unfold port_size. rewrite Ea, Ep, (in_port_same _ i j E). auto. }
  split; try apply H. intros i t Hi Ht. unfold nested, nested_slope.
  rewrite (port_total Q D (threshold one_level Q) (threshold_slope one_level D)),
    (port_slope Q D (threshold one_level Q) (threshold_slope one_level D)); try apply H; auto; try lra.
  apply rule_same; auto. apply (length_rule _ _ _ _ _ _ H); auto.
Qed.
End Levels.

(** ** The first drop *)

Lemma sum_of_two n (burst : nat -> bool) x y :
  sum n (fun i => if burst i then x else y) = x * sum n (fun i => if burst i then 1 else 0) + y * sum n (fun i => if burst i then 0 else 1).
Proof. rewrite <- !sum_scal, <- sum_plus. apply sum_ext. intros i _. destruct (burst i); ring. Qed.

Lemma Rmin_times m x y : 0 < m -> m * Rmin x y = Rmin (m * x) (m * y).
Proof.
  intros H. unfold Rmin. destruct (Rle_dec x y) as [L|L]; destruct (Rle_dec (m * x) (m * y)) as [K|K]; auto; exfalso.
  - apply K, Rmult_le_compat_l; lra.
  - apply L, Rmult_le_reg_l with m; auto.
Qed.

Definition weight_of_port (a p x : R) : R := a * x * p / (1 + x * p).

(** M ports of k queues each receive bursts of rate R_ from time 0 on, beside N ports of m steady queues each; all send at C. *)
Section FirstDrop.
Variables (n : nat) (port : nat -> nat) (burst : nat -> bool) (a p B C R_ Rb k m M N tau : R) (Q D : nat -> R -> R).
Hypothesis a_pos : 0 < a.
Hypothesis p_pos : 0 < p.
Hypothesis B_pos : 0 < B.
Hypothesis C_pos : 0 < C.
Hypothesis R_more : C < R_.
Hypothesis Rb_more : C <= Rb.
Hypothesis k_pos : 0 < k.
Hypothesis m_pos : 0 < m.
Hypothesis N_nonneg : 0 <= N.
Hypothesis tau_pos : 0 < tau.
Hypothesis same_kind : forall i j, (i < n)%nat -> (j < n)%nat -> port i = port j -> burst i = burst j.
Hypothesis sizes : forall i, (i < n)%nat -> port_size n port i = if burst i then k else m.
Hypothesis bursts : sum n (fun i => if burst i then 1 else 0) = M * k.
Hypothesis steady : sum n (fun i => if burst i then 0 else 1) = N * m.
Let service (i : nat) : R := if burst i then C / k else C / m.
Let rate (i : nat) : R := if burst i then R_ / k else Rb / m.
Let Ar (i : nat) (_ : R) : R := rate i.
Notation alpha := (fun _ : nat => a).
Notation factor := (fun _ : nat => p).
Notation sw := (one_level n port alpha factor service B).
Hypothesis runs : two_level_run n port alpha factor service B Ar 0 tau Q D.
Hypothesis start : forall i, (i < n)%nat -> Q i 0 = if burst i then 0 else nested n port alpha factor service B Q i 0.

Lemma gain_is i : (i < n)%nat -> gain sw i = if burst i then a * p / (1 + k * p) else a * p / (1 + m * p).
Proof. intros Hi. simpl. rewrite sizes by auto. destruct (burst i); reflexivity. Qed.

Lemma start_alike i j : (i < n)%nat -> (j < n)%nat -> port i = port j -> Q i 0 = Q j 0.
Proof.
  intros Hi Hj E. rewrite !start, (same_kind i j Hi Hj E) by auto. destruct (burst j); auto. unfold nested. rewrite (in_port_same n port _ i j E). reflexivity.
Qed.

Lemma rates_pos : 0 < C / k /\ 0 < C / m /\ C / k < R_ / k /\ C / m <= Rb / m.
Proof.
  assert (0 < / k) by (apply Rinv_0_lt_compat; auto). assert (0 < / m) by (apply Rinv_0_lt_compat; auto). unfold Rdiv.
  repeat split; [apply Rmult_lt_0_compat|apply Rmult_lt_0_compat|apply Rmult_lt_compat_r|apply Rmult_le_compat_r]; lra.
Qed.

Lemma on_one_level : trajectory sw Ar 0 tau Q D.
Proof.
  destruct rates_pos as (P1 & P2 & P3 & P4). apply levels_run; auto; try (intros; lra).
  - intros i _. unfold service. destruct (burst i); lra.
  - intros i t _ _. unfold Ar, rate. destruct (burst i); lra.
  - intros i j Hi Hj E. unfold service, Ar, rate. rewrite (same_kind i j Hi Hj E). auto.
  - exact start_alike.
Qed.

Lemma parts_pos x : 0 < x -> 0 < 1 + x * p /\ 0 < a * p / (1 + x * p) /\ x * (a * p / (1 + x * p)) = weight_of_port a p x.
Proof.
  intros Hx. assert (P : 0 < 1 + x * p) by (pose proof (Rmult_lt_0_compat x p Hx p_pos); lra). split; auto. split.
  - apply Rdiv_lt_0_compat; auto. apply Rmult_lt_0_compat; auto.
  - unfold weight_of_port. field. lra.
Qed.

Lemma steady_level i : (i < n)%nat -> burst i = false -> Q i 0 = threshold sw Q i 0.
Proof.
  intros Hi Hb. pose proof (start i Hi) as S. rewrite Hb in S. unfold nested in S. destruct (parts_pos m m_pos) as (Pm & _).
  assert (E : sum_in_port n port (fun j => Q j 0) i = m * Q i 0).
  { replace m with (port_size n port i) by (rewrite sizes, Hb; auto). unfold port_size, sum_in_port. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros j Hj.
    destruct (Nat.eq_dec (port j) (port i)) as [P|]; [|ring]. rewrite (start_alike j i) by auto. ring. }
  rewrite E in S. unfold threshold. rewrite gain_is, Hb by auto. change (offset sw i) with 0.
  set (F := free sw Q 0) in *. apply Rmult_eq_reg_r with (1 + m * p); [|lra]. replace ((0 + a * p / (1 + m * p) * F) * (1 + m * p)) with (p * (a * F)) by (field; lra). lra.
Qed.

Lemma steady_weight : sum n (fun i => if burst i then 0 else gain sw i) = N * weight_of_port a p m.
Proof.
  destruct (parts_pos m m_pos) as (_ & _ & E). transitivity (sum n (fun i => if burst i then 0 else a * p / (1 + m * p))).
  - apply sum_ext. intros i Hi. pose proof (gain_is i Hi) as G. destruct (burst i); auto.
  - rewrite sum_of_two, steady, <- E. ring.
Qed.

Lemma free_pos : 0 < free sw Q 0.
Proof.
  destruct (parts_pos m m_pos) as (Pm & Gm & Em). assert (W : 0 < m * (a * p / (1 + m * p))) by (apply Rmult_lt_0_compat; auto). rewrite Em in W.
  assert (E : free sw Q 0 = B - free sw Q 0 * (N * weight_of_port a p m)).
  { unfold free at 1. change (buffer sw) with B. f_equal. rewrite <- steady_weight, <- sum_scal. change (ports sw) with n. apply sum_ext. intros i Hi.
    destruct (burst i) eqn:Hb; [rewrite start, Hb by auto; ring|]. rewrite steady_level by auto. unfold threshold. change (offset sw i) with 0. ring. }
  assert (P : 0 <= N * weight_of_port a p m) by (apply Rmult_le_pos; lra). apply Rnot_le_lt. intros L.
  assert (0 <= - free sw Q 0 * (N * weight_of_port a p m)) by (apply Rmult_le_pos; lra). lra.
Qed.

Theorem levels_first_drop phi i : phi + N * Rmin (weight_of_port a p m * phi) C = M * (R_ - C) -> (i < n)%nat -> burst i = true ->
  let F_0 := B / (1 + N * weight_of_port a p m) in let t := weight_of_port a p k * F_0 / (R_ - C + weight_of_port a p k * phi) in
  (forall u, 0 <= u <= t -> u <= tau -> free sw Q u = F_0 - phi * u) /\
  (forall j u, (j < n)%nat -> burst j = true -> 0 <= u < t -> u < tau -> rejected sw Ar Q D j u = 0) /\
  (t < tau -> drops_first_at sw Ar Q D i 0 t).
Proof.
  intros Hphi Hi Hb F_0 t. destruct rates_pos as (P1 & P2 & P3 & P4). destruct (parts_pos k k_pos) as (Pk & Gk & Ek).
  destruct (parts_pos m m_pos) as (Pm & Gm & Em).
  assert (Each : forall j, (j < n)%nat -> burst j = true -> gain sw j * F_0 / (rate j - service j + gain sw j * phi) = t).
  { intros j Hj Hbj. rewrite gain_is by auto. unfold rate, service. rewrite Hbj. unfold t. rewrite <- Ek.
    set (g := a * p / (1 + k * p)) in *.
    replace (R_ / k - C / k + g * phi) with ((R_ - C + k * g * phi) * / k) by (field; lra).
    destruct (Req_dec (R_ - C + k * g * phi) 0) as [Z|Z]; [rewrite Z; unfold Rdiv; rewrite Rmult_0_l, Rinv_0; ring|]. field. split; lra. }
  destruct (first_drop_weights sw burst rate tau Ar Q D) with (phi := phi) (k := i) as (K1 & K2 & K3); auto.
  - intros j Hj. rewrite gain_is by auto. simpl. unfold service. destruct (burst j); split; lra.
  - intros j _. simpl. unfold service, rate. destruct (burst j); lra.
  - intros j Hj. destruct (burst j) eqn:Hbj; [|apply steady_level; auto]. rewrite start, Hbj by auto. unfold threshold. rewrite gain_is, Hbj by auto.
    change (offset sw j) with 0. pose proof free_pos. assert (0 < a * p / (1 + k * p) * free sw Q 0) by (apply Rmult_lt_0_compat; auto). lra.
  - exact on_one_level.
  - intros j Hj Hbj. rewrite start, Hbj by auto. reflexivity.
  - unfold left_behind, inflow. transitivity (phi + N * Rmin (weight_of_port a p m * phi) C).
    + f_equal. transitivity (sum n (fun j => if burst j then 0 else Rmin (a * p / (1 + m * p) * phi) (C / m))).
      * apply sum_ext. intros j Hj. rewrite gain_is by auto. simpl. unfold service. destruct (burst j); auto.
      * rewrite sum_of_two, steady. replace (Rmin (weight_of_port a p m * phi) C) with (m * Rmin (a * p / (1 + m * p) * phi) (C / m)); [ring|].
        rewrite Rmin_times by auto. f_equal; [rewrite <- Em; ring|field; lra].
    + rewrite Hphi. symmetry. transitivity (sum n (fun j => if burst j then R_ / k - C / k else 0)).
      * apply sum_ext. intros j Hj. simpl. unfold service, rate. destruct (burst j); auto.
      * rewrite sum_of_two, bursts. field. lra.
  - intros j Hj Hbj. change (buffer sw) with B. change (ports sw) with n. rewrite steady_weight. fold F_0. rewrite !Each by auto. lra.
  - change (buffer sw) with B in K1, K2, K3. change (ports sw) with n in K1, K2, K3. rewrite steady_weight in K1, K2, K3. fold F_0 in K1, K2, K3.
    change (Fluid.service sw i) with (service i) in K1, K2, K3. rewrite (Each i) in K1, K2, K3 by auto. auto.
Qed.
End FirstDrop.

(** Two queues of one port receive 1 each and send 1/2 each, beside a port with a steady queue; a = p = 1, B = 3: A_2 = 2/3 and A_1 = 1/2,
    F falls from 2 at 2/3, and both drop first at 12/13. *)
Theorem levels_first_drop_instance :
  let port := fun i => if Nat.eq_dec i 2 then 1%nat else 0%nat in let burst := fun i => if Nat.eq_dec i 2 then false else true in
  let service := fun i => if burst i then 1 / 2 else 1 / 1 in let Ar := fun i (_ : R) => if burst i then 2 / 2 else 1 / 1 in
  exists Q D, two_level_run 3 port (fun _ => 1) (fun _ => 1) service 3 Ar 0 1 Q D /\
  (forall i, (i < 3)%nat -> Q i 0 = if burst i then 0 else nested 3 port (fun _ => 1) (fun _ => 1) service 3 Q i 0) /\
  drops_first_at (one_level 3 port (fun _ => 1) (fun _ => 1) service 3) Ar Q D 0 0 (12 / 13).
Proof.
  intros port burst service Ar. set (sw := one_level 3 port (fun _ => 1) (fun _ => 1) service 3).
  assert (Sizes : forall i, (i < 3)%nat -> port_size 3 port i = if burst i then 2 else 1).
  { intros [|[|[|i]]] Hi; unfold port_size, sum_in_port, port, burst; simpl; try lra; lia. }
  assert (Srv : forall i, 0 <= service i /\ forall t, 0 <= Ar i t) by (intros i; unfold service, Ar; destruct (burst i); split; intros; lra).
  destruct (fluid_exists sw Ar 0 1 (fun i => if burst i then 0 else 1)) as (Q & D & T & E).
  { split; [|intros; apply Srv]. intros i Hi. split; [|apply Srv]. simpl. rewrite Sizes by auto. destruct (burst i); lra. }
  { exists 1%nat, (fun k => INR k). simpl. repeat split; intros; lra || (assert (k = 0%nat) by lia; subst k; simpl; lra). }
  { intros i _. destruct (burst i); lra. }
  assert (E' : forall i, (i < 3)%nat -> Q i 0 = if burst i then 0 else 1) by (intros i Hi; apply E; auto).
  assert (Q0 : Q 0%nat 0 = 0) by (apply (E' 0%nat); lia). assert (Q1 : Q 1%nat 0 = 0) by (apply (E' 1%nat); lia).
  assert (Q2 : Q 2%nat 0 = 1) by (apply (E' 2%nat); lia).
  assert (Kind : forall i j, port i = port j -> burst i = burst j).
  { intros i j. unfold port, burst. destruct (Nat.eq_dec i 2); destruct (Nat.eq_dec j 2); auto; discriminate. }
  assert (Run : two_level_run 3 port (fun _ => 1) (fun _ => 1) service 3 Ar 0 1 Q D).
  { apply levels_run_back; auto; try (intros; lra); try (intros; apply Srv).
    - intros i j _ _ P. unfold service, Ar. rewrite (Kind i j P). auto.
    - intros i j Hi Hj P. rewrite !E', (Kind i j P) by auto. auto. }
  assert (Start : forall i, (i < 3)%nat -> Q i 0 = if burst i then 0 else nested 3 port (fun _ => 1) (fun _ => 1) service 3 Q i 0).
  { intros [|[|[|i]]] Hi; [exact Q0|exact Q1| |lia]. unfold burst, nested, free, sum_in_port, port. simpl. rewrite Q0, Q1, Q2. lra. }
  exists Q, D. split; [exact Run|]. split; [exact Start|].
  destruct (levels_first_drop 3 port burst 1 1 3 1 2 1 2 1 1 1 1 Q D) with (phi := 2 / 3) (i := 0%nat) as (_ & _ & K); auto; try lra; try lia.
  - simpl. lra.
  - simpl. lra.
  - unfold weight_of_port. rewrite Rmin_left by lra. lra.
  - unfold weight_of_port in K. replace (1 * 2 * 1 / (1 + 2 * 1) * (3 / (1 + 1 * (1 * 1 * 1 / (1 + 1 * 1)))) / (2 - 1 + 1 * 2 * 1 / (1 + 2 * 1) * (2 / 3))) with (12 / 13) in K by field.
    apply K. lra.
Qed.
