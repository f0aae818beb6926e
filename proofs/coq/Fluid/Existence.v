(** Trajectories exist: in every switch of [Fluid.v], under arrivals that are constant for a while after every instant.

      [fluid_local]      from every state there is a trajectory for a while, along a straight line;
      [fluid_continues]  a trajectory from every state on the whole half-line, for bounded arrivals;
      [fluid_exists]     a trajectory from every state under all piecewise-constant arrivals.

    The rates of growth at an instant solve one equation for F', whose left side increases ([root]).  Straight lines
    with these rates obey the rule for a while.  The lengths that trajectories reach never move faster than a
    constant, so they have limits, and by [fluid_unique] the limits are a trajectory, too; hence none ends.            *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid.
Open Scope R_scope.

(** ** Arithmetic of one queue *)

Lemma stays_positive z k : 0 < z -> exists d, 0 < d /\ forall h, 0 <= h < d -> 0 < z + k * h.
Proof.
  intros Hz. assert (Hk := Rabs_pos k). exists (z / (Rabs k + 1)). split; [apply Rdiv_lt_0_compat; lra|].
  intros h Hh. assert (K : (Rabs k + 1) * h < z).
  { replace z with ((Rabs k + 1) * (z / (Rabs k + 1))) by (field; lra). apply Rmult_lt_compat_l; lra. }
  assert (- k * h <= Rabs k * h); [|lra]. apply Rmult_le_compat_r; [lra|]. rewrite <- Rabs_Ropp. apply Rle_abs.
Qed.

Lemma for_a_while n (P : nat -> R -> Prop) :
  (forall i, (i < n)%nat -> exists d, 0 < d /\ forall h, 0 <= h < d -> P i h) ->
  exists d, 0 < d /\ forall i h, (i < n)%nat -> 0 <= h < d -> P i h.
Proof.
  induction n; intros H; [exists 1; split; [lra|]; intros; lia|].
  destruct IHn as (d & Hd & K); [auto|]. destruct (H n ltac:(lia)) as (e & He & K').
  exists (Rmin d e). split; [apply Rmin_pos; auto|]. intros i h Hi Hh.
  assert (Rmin d e <= d) by apply Rmin_l. assert (Rmin d e <= e) by apply Rmin_r.
  destruct (Nat.eq_dec i n) as [->|]; [apply K'|apply K; [lia|]]; lra.
Qed.

(** A queue of length q that grows at v, under a threshold T that grows at y, with service c and arrivals a. *)
Definition lowest_of (c q : R) : R := if Rlt_dec 0 q then - c else Rmax 0 (- c).
Definition highest_of (c a q : R) : R := if Rlt_dec 0 q then a - c else Rmax 0 (a - c).
Definition queue_rule (c a q T y v : R) : Prop :=
  (q < T -> v = highest_of c a q) /\ (T < q -> v = lowest_of c q) /\ (q = T -> v = clip y (lowest_of c q) (highest_of c a q)).

(** A little later, when the queue is q'. *)
Lemma queue_later c a q q' v h : 0 <= c -> 0 <= q -> 0 < h -> (0 < q -> 0 < q') -> q' = q + v * h ->
  (v = highest_of c a q -> 0 <= q' /\ v = highest_of c a q') /\ (v = lowest_of c q -> 0 <= q' /\ v = lowest_of c q') /\
  (lowest_of c q <= v <= highest_of c a q -> 0 <= q' /\ lowest_of c q' <= v <= highest_of c a q').
Proof.
  intros Hc Hq Hh Hp E.
  assert (S1 : 0 < v -> 0 < v * h) by (intros; apply Rmult_lt_0_compat; lra).
  assert (S2 : v = 0 -> v * h = 0) by (intros ->; lra).
  assert (M : Rmax 0 (- c) = 0) by (apply Rmax_left; lra).
  assert (N : (0 <= a - c /\ Rmax 0 (a - c) = a - c) \/ (a - c < 0 /\ Rmax 0 (a - c) = 0)).
  { destruct (Rle_dec 0 (a - c)); [left; split; [|apply Rmax_right]|right; split; [|apply Rmax_left]]; lra. }
  unfold highest_of, lowest_of. rewrite M.
  destruct (Rlt_dec 0 q) as [Hq0|Hq0].
  { specialize (Hp Hq0). destruct (Rlt_dec 0 q'); [|lra]. repeat split; intros; lra. }
  assert (q = 0) by lra. destruct N as [[N ->]|[N ->]];
    destruct (Rtotal_order v 0) as [V|[V|V]]; try (specialize (S1 V)); try (specialize (S2 V));
    destruct (Rlt_dec 0 q'); repeat split; intros; lra.
Qed.

(** The rule holds all the time in which the queue is not empty and does not meet the threshold, if it is not on it. *)
Lemma queue_rule_until c a q T y v d : 0 <= c -> 0 <= a -> 0 <= q -> queue_rule c a q T y v ->
  0 <= q + v * d -> (q < T -> q + v * d <= T + y * d) -> (T < q -> T + y * d <= q + v * d) ->
  forall h, 0 <= h < d -> 0 <= q + v * h /\ queue_rule c a (q + v * h) (T + y * h) y v.
Proof.
  intros Hc Ha Hq (H1 & H2 & H3) Ep Eb Ea h Hh.
  destruct (Req_dec h 0) as [->|Hne]; [rewrite !Rmult_0_r, !Rplus_0_r; repeat split; auto|].
  assert (between : forall z k, 0 < z -> 0 <= z + k * d -> 0 < z + k * h).
  { intros z k Hz Hk. apply Rmult_lt_reg_r with d; [lra|]. replace ((z + k * h) * d) with (z * (d - h) + h * (z + k * d)) by ring.
    assert (0 < z * (d - h)) by (apply Rmult_lt_0_compat; lra). assert (0 <= h * (z + k * d)) by (apply Rmult_le_pos; lra). lra. }
  assert (Hp : 0 < q -> 0 < q + v * h) by (intros; apply between; auto).
  assert (Gb : q < T -> q + v * h < T + y * h).
  { intros E. specialize (Eb E). assert (K := between (T - q) (y - v) ltac:(lra) ltac:(lra)). lra. }
  assert (Ga : T < q -> T + y * h < q + v * h).
  { intros E. specialize (Ea E). assert (K := between (q - T) (v - y) ltac:(lra) ltac:(lra)). lra. }
  assert (Hh0 : 0 < h) by lra.
  destruct (queue_later c a q (q + v * h) v h Hc Hq Hh0 Hp eq_refl) as (L1 & L2 & L3).
  assert (LH : lowest_of c q <= highest_of c a q).
  { unfold lowest_of, highest_of. destruct (Rlt_dec 0 q); [lra|]. apply Rle_max_compat_l. lra. }
  destruct (Rtotal_order q T) as [E|[E|E]].
  - destruct (L1 (H1 E)) as [P V]. specialize (Gb E). clear - P V Gb. repeat split; intros; auto; lra.
  - specialize (H3 E). destruct (Rlt_dec y (lowest_of c q)) as [C1|C1].
    + rewrite clip_low in H3 by (clear - LH C1; lra). destruct (L2 H3) as [P V].
      assert (K : y * h < v * h) by (apply Rmult_lt_compat_r; [exact Hh0|rewrite H3; exact C1]). clear - P V E K. repeat split; intros; auto; lra.
    + destruct (Rlt_dec (highest_of c a q) y) as [C2|C2].
      * rewrite clip_high in H3 by (clear - LH C2; lra). destruct (L1 H3) as [P V].
        assert (K : v * h < y * h) by (apply Rmult_lt_compat_r; [exact Hh0|rewrite H3; exact C2]). clear - P V E K. repeat split; intros; auto; lra.
      * clear - H3 LH C1 C2 L3 E. rewrite clip_inside in H3 by lra. subst y. destruct (L3 ltac:(lra)) as [P V]. clear L3.
        repeat split; intros; try lra. rewrite clip_inside; lra.
  - destruct (L2 (H2 E)) as [P V]. specialize (Ga E). clear - P V Ga. repeat split; intros; auto; lra.
Qed.

Lemma rule_stays c a q T y v : 0 <= c -> 0 <= a -> 0 <= q -> queue_rule c a q T y v ->
  exists d, 0 < d /\ forall h, 0 <= h < d -> 0 <= q + v * h /\ queue_rule c a (q + v * h) (T + y * h) y v.
Proof.
  intros Hc Ha Hq HR.
  assert (P : exists d, 0 < d /\ 0 <= q + v * d).
  { destruct (Rlt_dec 0 q) as [Hp|Hp].
    - destruct (stays_positive q v Hp) as (d & Hd & K). exists (d / 2). specialize (K (d / 2)). lra.
    - exists 1. split; [lra|]. destruct (queue_later c a q (q + v * 1) v 1) as (L1 & L2 & L3); try lra.
      destruct HR as (H1 & H2 & H3). destruct (Rtotal_order q T) as [E|[E|E]]; [apply L1|apply L3|apply L2]; auto.
      rewrite (H3 E). apply clip_bounds. unfold lowest_of, highest_of. destruct (Rlt_dec 0 q); [lra|]. apply Rle_max_compat_l. lra. }
  destruct P as (d & Hd & P).
  assert (G : forall z k, exists e, 0 < e /\ (0 < z -> forall h, 0 <= h < e -> 0 < z + k * h)).
  { intros z k. destruct (Rlt_dec 0 z) as [Hz|Hz]; [|exists 1; split; [lra|]; intros; lra].
    destruct (stays_positive z k Hz) as (e & He & K). exists e. auto. }
  destruct (G (T - q) (y - v)) as (e & He & K). destruct (G (q - T) (v - y)) as (e' & He' & K').
  set (m := Rmin d (Rmin e e' / 2)). assert (0 < Rmin e e') by (apply Rmin_pos; auto).
  assert (Hm : 0 < m) by (apply Rmin_pos; lra). assert (m <= d) by apply Rmin_l. assert (m <= Rmin e e' / 2) by apply Rmin_r.
  assert (Rmin e e' <= e) by apply Rmin_l. assert (Rmin e e' <= e') by apply Rmin_r.
  exists m. split; auto. apply queue_rule_until; auto.
  - destruct (Rle_dec 0 v) as [V|V]; [assert (0 <= v * m) by (apply Rmult_le_pos; lra); lra|].
    assert (v * d <= v * m) by (apply Rmult_le_compat_neg_l; lra). lra.
  - intros E. specialize (K ltac:(lra) m ltac:(lra)). lra.
  - intros E. specialize (K' ltac:(lra) m ltac:(lra)). lra.
Qed.

(** The threshold that queue i has when the lengths are q. *)
Definition threshold_if (sw : switch) (q : nat -> R) (i : nat) : R :=
  offset sw i + gain sw i * (buffer sw - sum (ports sw) q).

(** Straight lines that obey the rule are a trajectory. *)
Lemma straight sw Ar t d q v : (forall i, (i < ports sw)%nat -> 0 <= q i + v i * d) ->
  (forall i h, (i < ports sw)%nat -> 0 <= h < d -> 0 <= q i + v i * h /\
     queue_rule (service sw i) (Ar i (t + h)) (q i + v i * h) (threshold_if sw q i + gain sw i * - sum (ports sw) v * h)
       (gain sw i * - sum (ports sw) v) (v i)) ->
  trajectory sw Ar t (t + d) (fun i u => q i + v i * (u - t)) (fun i _ => v i).
Proof.
  intros He K. split; intros i.
  - intros u Hi Hu. destruct (Req_dec u (t + d)) as [->|Hne]; [|apply (K i (u - t)); auto; lra].
    replace (t + d - t) with d by ring. auto.
  - intros Hi. apply continuous_ext with (fun u => v i * u + (q i - v i * t)); [intros; ring|apply continuous_linear].
  - intros u Hi Hu. apply rd_affine. exists 1. split; [lra|]. intros. ring.
  - intros u Hi Hu. destruct (K i (u - t) Hi ltac:(lra)) as [_ HR]. replace (t + (u - t)) with u in HR by ring.
    assert (E : threshold sw (fun i u => q i + v i * (u - t)) i u = threshold_if sw q i + gain sw i * - sum (ports sw) v * (u - t)).
    { unfold threshold, free, threshold_if. rewrite sum_plus.
      rewrite (sum_ext _ (fun j => v j * (u - t)) (fun j => (u - t) * v j)) by (intros; ring).
      rewrite sum_scal. change (fun j => q j) with q. change (fun j => v j) with v. ring. }
    rewrite <- E in HR. exact HR.
Qed.

(** ** The rates of growth at an instant *)

Section Existence.
Variable sw : switch.
Variable Ar : nat -> R -> R.
Variable s : R.
Hypothesis gains : forall i, (i < ports sw)%nat -> 0 <= gain sw i /\ 0 <= service sw i.
Hypothesis arrivals : forall i t, (i < ports sw)%nat -> s <= t -> 0 <= Ar i t.
Hypothesis steps : forall t, s <= t -> exists d, 0 < d /\ forall i u, (i < ports sw)%nat -> t <= u < t + d -> Ar i u = Ar i t.

(** How fast queue i grows when the lengths are q, if F' = x. *)
Definition growth_if (t : R) (q : nat -> R) (i : nat) (x : R) : R :=
  if Rlt_dec (q i) (threshold_if sw q i) then highest sw Ar i (q i) t
  else if Rlt_dec (threshold_if sw q i) (q i) then lowest sw i (q i)
  else clip (gain sw i * x) (lowest sw i (q i)) (highest sw Ar i (q i) t).
Definition slope_balance (t : R) (q : nat -> R) (x : R) : R := x + sum (ports sw) (fun i => growth_if t q i x).

Lemma growth_if_moves t q i x y : (i < ports sw)%nat -> s <= t -> x <= y ->
  0 <= growth_if t q i y - growth_if t q i x <= gain sw i * (y - x).
Proof.
  intros Hi Ht H. destruct (gains i Hi) as [G _]. assert (A := arrivals i t Hi Ht).
  assert (P : 0 <= gain sw i * (y - x)) by (apply Rmult_le_pos; lra). unfold growth_if.
  destruct (Rlt_dec (q i) (threshold_if sw q i)); [lra|]. destruct (Rlt_dec (threshold_if sw q i) (q i)); [lra|].
  pose proof (lowest_le_highest sw Ar i (q i) t A) as LH.
  generalize dependent (lowest sw i (q i)). generalize dependent (highest sw Ar i (q i) t). intros u l LH.
  assert (E : gain sw i * (y - x) = gain sw i * y - gain sw i * x) by ring. rewrite E in *.
  unfold clip, Rmax, Rmin. repeat destruct (Rle_dec _ _); lra.
Qed.

Lemma balance_moves t q x y : s <= t -> x <= y ->
  y - x <= slope_balance t q y - slope_balance t q x <= (1 + sum (ports sw) (gain sw)) * (y - x).
Proof.
  intros Ht H. unfold slope_balance.
  assert (0 <= sum (ports sw) (fun i => growth_if t q i y - growth_if t q i x)).
  { apply sum_nonneg. intros. apply growth_if_moves; auto. }
  assert (sum (ports sw) (fun i => growth_if t q i y - growth_if t q i x) <= sum (ports sw) (fun i => (y - x) * gain sw i)).
  { apply sum_le. intros. rewrite Rmult_comm. apply growth_if_moves; auto. }
  rewrite sum_scal in *. rewrite sum_minus in *. lra.
Qed.

Lemma balance_continuous t q : s <= t -> continuity (slope_balance t q).
Proof.
  intros Ht x eps He. set (K := 1 + sum (ports sw) (gain sw)).
  assert (HK : 1 <= K) by (assert (0 <= sum (ports sw) (gain sw)) by (apply sum_nonneg; intros; apply gains; auto); unfold K; lra).
  exists (eps / K). split; [apply Rdiv_lt_0_compat; lra|]. intros y [_ Hy]. simpl in *. unfold R_dist in *.
  assert (B : forall z w, z <= w -> w - z < eps / K -> Rabs (slope_balance t q w - slope_balance t q z) < eps).
  { intros z w Hzw Hd. destruct (balance_moves t q z w Ht Hzw) as [B1 B2]. fold K in B2. rewrite Rabs_right by lra.
    assert (K * (w - z) < K * (eps / K)) by (apply Rmult_lt_compat_l; lra).
    replace (K * (eps / K)) with eps in * by (field; lra). lra. }
  destruct (Rle_dec x y) as [H|H].
  - apply B; [auto|]. rewrite Rabs_right in Hy; lra.
  - rewrite Rabs_minus_sym. apply B; [lra|]. rewrite Rabs_left in Hy; lra.
Qed.

Lemma root t q : s <= t -> { x | slope_balance t q x = 0 }.
Proof.
  intros Ht. pose (b := Rabs (slope_balance t q 0) + 1). assert (Hb := Rabs_pos (slope_balance t q 0)).
  assert (Hu := Rle_abs (slope_balance t q 0)). assert (Hl := Rle_abs (- slope_balance t q 0)). rewrite Rabs_Ropp in Hl.
  destruct (IVT (slope_balance t q) (- b) b) as (x & _ & E); [apply balance_continuous; auto|unfold b; lra| | |exists x; auto].
  - destruct (balance_moves t q (- b) 0 Ht) as [B _]; unfold b in *; lra.
  - destruct (balance_moves t q 0 b Ht) as [B _]; unfold b in *; lra.
Qed.

(** The rates of growth of the queues at the instant t, when the lengths are q. *)
Definition velocity (t : R) (q : nat -> R) (i : nat) : R :=
  match Rle_dec s t with left Ht => growth_if t q i (proj1_sig (root t q Ht)) | right _ => 0 end.

Lemma velocity_rule t q i : s <= t -> (i < ports sw)%nat ->
  queue_rule (service sw i) (Ar i t) (q i) (threshold_if sw q i) (gain sw i * - sum (ports sw) (velocity t q)) (velocity t q i).
Proof.
  intros Ht Hi. unfold velocity. destruct (Rle_dec s t) as [H|H]; [|lra].
  destruct (root t q H) as (x & E). simpl. unfold slope_balance in E.
  assert (X : - sum (ports sw) (fun j => growth_if t q j x) = x) by lra.
  change (fun i0 => growth_if t q i0 x) with (fun j => growth_if t q j x). rewrite X.
  unfold growth_if. repeat split; intros K;
    destruct (Rlt_dec (q i) (threshold_if sw q i)); try lra; destruct (Rlt_dec (threshold_if sw q i) (q i)); try lra; reflexivity.
Qed.

(** ** For a while *)

Definition line_from (t : R) (q : nat -> R) (i : nat) (u : R) : R := q i + velocity t q i * (u - t).

Lemma line_from_moves t q : s <= t -> (forall i, (i < ports sw)%nat -> 0 <= q i) ->
  exists d, 0 < d /\ trajectory sw Ar t (t + d) (line_from t q) (fun i _ => velocity t q i).
Proof.
  intros Ht Hq. destruct (steps t Ht) as (e & He & Hs).
  destruct (for_a_while (ports sw) (fun i h => 0 <= q i + velocity t q i * h /\
    queue_rule (service sw i) (Ar i t) (q i + velocity t q i * h)
      (threshold_if sw q i + gain sw i * - sum (ports sw) (velocity t q) * h)
      (gain sw i * - sum (ports sw) (velocity t q)) (velocity t q i))) as (d & Hd & K).
  { intros i Hi. destruct (gains i Hi) as [_ Hc]. apply rule_stays; auto. apply velocity_rule; auto. }
  exists (Rmin d e / 2). assert (Hm : 0 < Rmin d e) by (apply Rmin_pos; auto).
  assert (Rmin d e <= d) by apply Rmin_l. assert (Rmin d e <= e) by apply Rmin_r.
  split; [lra|]. apply straight.
  - intros i Hi. apply K; auto. lra.
  - intros i h Hi Hh. rewrite (Hs i (t + h) Hi ltac:(lra)). apply K; auto. lra.
Qed.

(** ** For ever *)

Variable K : R.
Hypothesis bounded : forall i t, (i < ports sw)%nat -> s <= t -> Ar i t <= K.
Variable q0 : nat -> R.
Hypothesis nonneg : forall i, (i < ports sw)%nat -> 0 <= q0 i.

Definition fastest_move (i : nat) : R := service sw i + Rabs K.

Lemma fastest_nonneg i : (i < ports sw)%nat -> 0 <= fastest_move i.
Proof. intros Hi. unfold fastest_move. destruct (gains i Hi). assert (H1 := Rabs_pos K). lra. Qed.

Lemma slope_bounds u Q D i t : (i < ports sw)%nat -> trajectory sw Ar s u Q D -> s <= t < u ->
  - fastest_move i <= D i t <= fastest_move i.
Proof.
  intros Hi H Ht. destruct (gains i Hi) as [_ Hc]. assert (Ha := arrivals i t Hi ltac:(lra)).
  assert (Hb := bounded i t Hi ltac:(lra)). assert (Hk := Rle_abs K). assert (Hk' := Rabs_pos K).
  assert (HD := rate_bounds sw Ar Q D i t Ha (length_rule _ _ _ _ _ _ H i t Hi Ht)).
  unfold fastest_move. revert HD. unfold lowest, highest. destruct (Rlt_dec 0 (Q i t)); [lra|].
  assert (Rmax 0 (- service sw i) = 0) by (apply Rmax_left; lra).
  assert (Rmax 0 (Ar i t - service sw i) <= Rabs K) by (apply Rmax_lub; lra). lra.
Qed.

Lemma moves_slowly u Q D i v w : (i < ports sw)%nat -> trajectory sw Ar s u Q D -> s <= v -> v <= w -> w <= u ->
  Q i v - fastest_move i * (w - v) <= Q i w <= Q i v + fastest_move i * (w - v).
Proof.
  intros Hi H Hv Hvw Hw. assert (Hc := continuous_sub s u (Q i) v w Hv Hw (length_continuous _ _ _ _ _ _ H i Hi)). split.
  - assert (G := nonincreasing v w (fun t => (- fastest_move i) * t - Q i t) (fun t => (- fastest_move i) - D i t) Hvw).
    cut ((- fastest_move i) * w - Q i w <= (- fastest_move i) * v - Q i v); [lra|]. apply G.
    + apply continuous_minus; auto. apply continuous_ext with (fun t => - fastest_move i * t + 0); [intros; ring|apply continuous_linear].
    + intros t Ht. split; [|assert (B := slope_bounds u Q D i t Hi H ltac:(lra)); lra].
      apply rd_minus; [|apply (length_slope _ _ _ _ _ _ H); auto; lra]. apply rd_affine. exists 1. split; [lra|]. intros. ring.
  - assert (G := nonincreasing v w (fun t => Q i t - fastest_move i * t) (fun t => D i t - fastest_move i) Hvw).
    cut (Q i w - fastest_move i * w <= Q i v - fastest_move i * v); [lra|]. apply G.
    + apply continuous_minus; auto. apply continuous_ext with (fun t => fastest_move i * t + 0); [intros; ring|apply continuous_linear].
    + intros t Ht. split; [|assert (B := slope_bounds u Q D i t Hi H ltac:(lra)); lra].
      apply rd_minus; [apply (length_slope _ _ _ _ _ _ H); auto; lra|]. apply rd_affine. exists 1. split; [lra|]. intros. ring.
Qed.

(** A trajectory from q0 on [s, u], and how long queue i is at least at u by what such trajectories have before. *)
Definition started_from (u : R) (Q D : nat -> R -> R) : Prop :=
  trajectory sw Ar s u Q D /\ forall i, (i < ports sw)%nat -> Q i s = q0 i.
Definition reached_from (i : nat) (u x : R) : Prop :=
  exists v Q D, s <= v <= u /\ started_from v Q D /\ x = Q i v - fastest_move i * (u - v).

Lemma sane_until t u : s <= t -> sane sw Ar t u.
Proof. intros Ht. split; auto. intros. apply arrivals; auto; lra. Qed.

Lemma started_shorten u v Q D : v <= u -> started_from u Q D -> started_from v Q D.
Proof. intros Hv [H E]. split; auto. eapply trajectory_shorten; eauto. Qed.

Lemma started_unique u Q D Q' D' : started_from u Q D -> started_from u Q' D' ->
  forall i v, (i < ports sw)%nat -> s <= v <= u -> Q i v = Q' i v.
Proof.
  intros [H E] [H' E'] i v Hi Hv.
  apply (fluid_unique sw Ar s u Q D Q' D' (sane_until s u (Rle_refl s)) H H'); auto.
  intros j Hj. rewrite E, E'; auto.
Qed.

Lemma started_here : started_from s (fun i _ => q0 i) (fun _ _ => 0).
Proof.
  split; [|auto]. split; intros; auto; try lra. apply continuous_const.
Qed.

Lemma reached_bound i u : (i < ports sw)%nat -> s <= u -> bound (reached_from i u).
Proof.
  intros Hi Hu. exists (q0 i + fastest_move i * (u - s)). intros x (v & Q & D & Hv & [H E] & ->).
  assert (M := moves_slowly v Q D i s v Hi H (Rle_refl s) ltac:(lra) (Rle_refl v)). rewrite E in M by auto.
  assert (P := fastest_nonneg i Hi). assert (0 <= fastest_move i * (u - v)) by (apply Rmult_le_pos; lra).
  assert (fastest_move i * (u - v) + fastest_move i * (v - s) = fastest_move i * (u - s)) by ring. lra.
Qed.

Lemma reached_some i u : s <= u -> exists x, reached_from i u x.
Proof.
  intros Hu. exists (q0 i - fastest_move i * (u - s)). exists s, (fun i _ => q0 i), (fun _ _ => 0).
  split; [lra|]. split; [apply started_here|reflexivity].
Qed.

Definition reach_limit (i : nat) (u : R) : R :=
  match lt_dec i (ports sw), Rle_dec s u with
  | left Hi, left Hu => proj1_sig (completeness (reached_from i u) (reached_bound i u Hi Hu) (reached_some i u Hu))
  | _, _ => q0 i
  end.

Lemma reach_limit_lub i u : (i < ports sw)%nat -> s <= u -> is_lub (reached_from i u) (reach_limit i u).
Proof.
  intros Hi Hu. unfold reach_limit. destruct (lt_dec i (ports sw)); [|lia]. destruct (Rle_dec s u); [|lra].
  exact (proj2_sig (completeness _ _ _)).
Qed.

(** It is the length wherever there is a trajectory. *)
Lemma reach_limit_length i u Q D : (i < ports sw)%nat -> s <= u -> started_from u Q D -> reach_limit i u = Q i u.
Proof.
  intros Hi Hu H. destruct (reach_limit_lub i u Hi Hu) as [B L]. apply Rle_antisym.
  - apply L. intros x (v & Q' & D' & Hv & H' & ->).
    rewrite (started_unique v Q' D' Q D H' (started_shorten u v Q D ltac:(lra) H) i v Hi ltac:(lra)).
    assert (M := moves_slowly u Q D i v u Hi (proj1 H) ltac:(lra) ltac:(lra) (Rle_refl u)). lra.
  - apply B. exists u, Q, D. split; [lra|]. split; auto. ring.
Qed.

Lemma reach_limit_slowly i u w : (i < ports sw)%nat -> s <= u -> u <= w ->
  reach_limit i u - fastest_move i * (w - u) <= reach_limit i w <= reach_limit i u + fastest_move i * (w - u).
Proof.
  intros Hi Hu Hw. destruct (reach_limit_lub i u Hi Hu) as [B L]. destruct (reach_limit_lub i w Hi ltac:(lra)) as [B' L'].
  assert (P := fastest_nonneg i Hi). split.
  - cut (reach_limit i u <= reach_limit i w + fastest_move i * (w - u)); [lra|]. apply L. intros x (v & Q & D & Hv & H & ->).
    assert (R := B' (Q i v - fastest_move i * (w - v)) ltac:(exists v, Q, D; split; [lra|auto])).
    assert (fastest_move i * (w - v) = fastest_move i * (w - u) + fastest_move i * (u - v)) by ring. lra.
  - apply L'. intros x (v & Q & D & Hv & H & ->). destruct (Rle_dec v u) as [Hvu|Hvu].
    + assert (R := B (Q i v - fastest_move i * (u - v)) ltac:(exists v, Q, D; split; [lra|auto])).
      assert (0 <= fastest_move i * (w - u)) by (apply Rmult_le_pos; lra).
      assert (fastest_move i * (w - v) = fastest_move i * (w - u) + fastest_move i * (u - v)) by ring. lra.
    + assert (M := moves_slowly v Q D i u v Hi (proj1 H) ltac:(lra) ltac:(lra) (Rle_refl v)).
      rewrite <- (reach_limit_length i u Q D Hi Hu) in M by (eapply started_shorten; [|exact H]; lra).
      assert (0 <= fastest_move i * (w - v)) by (apply Rmult_le_pos; lra).
      assert (fastest_move i * (v - u) + fastest_move i * (w - v) = fastest_move i * (w - u)) by ring. lra.
Qed.

Lemma reach_limit_continuous i u : (i < ports sw)%nat -> continuous_on (reach_limit i) s u.
Proof.
  intros Hi t Ht eps He. assert (P := fastest_nonneg i Hi).
  exists (eps / (fastest_move i + 1)). split; [apply Rdiv_lt_0_compat; lra|]. intros x [Hx Hd]. simpl in *. unfold R_dist in *.
  assert (G : forall z w, s <= z -> z <= w -> w - z < eps / (fastest_move i + 1) -> Rabs (reach_limit i w - reach_limit i z) < eps).
  { intros z w Hz Hzw Hdd. destruct (reach_limit_slowly i z w Hi Hz Hzw).
    assert ((fastest_move i + 1) * (w - z) < (fastest_move i + 1) * (eps / (fastest_move i + 1))) by (apply Rmult_lt_compat_l; lra).
    replace ((fastest_move i + 1) * (eps / (fastest_move i + 1))) with eps in * by (field; lra). apply Rabs_def1; lra. }
  destruct (Rle_dec t x) as [H|H].
  - apply G; [lra|auto|]. rewrite Rabs_right in Hd; lra.
  - rewrite Rabs_minus_sym. apply G; [lra|lra|]. rewrite Rabs_left in Hd; lra.
Qed.

Definition reach_limit_rate (i : nat) (t : R) : R := velocity t (fun j => reach_limit j t) i.

(** Where trajectories come as near as one likes to m, the limit is one as far as m. *)
Lemma reach_limit_started m : s <= m -> (forall u, s <= u < m -> ~ ~ exists Q D, started_from u Q D) ->
  started_from m reach_limit reach_limit_rate.
Proof.
  intros Hm near.
  assert (N : forall i u, (i < ports sw)%nat -> s <= u < m -> 0 <= reach_limit i u).
  { intros i u Hi Hu. destruct (Rle_dec 0 (reach_limit i u)) as [|C]; auto. exfalso. apply (near u Hu). intros (Q & D & H).
    apply C. rewrite (reach_limit_length i u Q D Hi ltac:(lra) H). apply (length_nonneg _ _ _ _ _ _ (proj1 H)); auto; lra. }
  assert (I : forall i, (i < ports sw)%nat -> reach_limit i s = q0 i).
  { intros i Hi. apply (reach_limit_length i s _ _ Hi (Rle_refl s) started_here). }
  split; [|auto]. split; intros i.
  - intros t Hi Ht. destruct (Rlt_dec t m) as [Hl|Hl]; [apply N; auto; lra|]. replace t with m by lra. clear t Ht Hl.
    destruct (Req_dec s m) as [<-|Hne]; [rewrite I; auto|].
    destruct (Rle_dec 0 (reach_limit i m)) as [|C]; auto. exfalso. assert (P := fastest_nonneg i Hi).
    set (h := Rmin (m - s) (- reach_limit i m / (fastest_move i + 1) / 2)).
    assert (E0 : 0 < - reach_limit i m / (fastest_move i + 1)) by (apply Rdiv_lt_0_compat; lra).
    assert (h <= m - s) by apply Rmin_l. assert (h <= - reach_limit i m / (fastest_move i + 1) / 2) by apply Rmin_r.
    assert (0 < h) by (apply Rmin_pos; lra).
    assert (S := reach_limit_slowly i (m - h) m Hi ltac:(lra) ltac:(lra)). assert (S' := N i (m - h) Hi ltac:(lra)).
    replace (m - (m - h)) with h in S by ring.
    assert ((fastest_move i + 1) * h <= (fastest_move i + 1) * (- reach_limit i m / (fastest_move i + 1) / 2))
      by (apply Rmult_le_compat_l; lra).
    replace ((fastest_move i + 1) * (- reach_limit i m / (fastest_move i + 1) / 2)) with (- reach_limit i m / 2) in * by (field; lra). lra.
  - intros Hi. apply reach_limit_continuous, Hi.
  - intros t Hi Ht. destruct (line_from_moves t (fun j => reach_limit j t)) as (d & Hd & H); [lra|intros; apply N; auto; lra|].
    apply rd_ext with (line_from t (fun j => reach_limit j t) i); [|apply (length_slope _ _ _ _ _ _ H); auto; lra].
    exists (Rmin d (m - t)). split; [apply Rmin_pos; lra|]. intros h Hh.
    assert (Rmin d (m - t) <= d) by apply Rmin_l. assert (Rmin d (m - t) <= m - t) by apply Rmin_r.
    destruct (Req_dec (reach_limit i (t + h)) (line_from t (fun j => reach_limit j t) i (t + h))) as [|C]; auto. exfalso.
    apply (near (t + h)); [lra|]. intros (Q & D & H'). apply C.
    rewrite (reach_limit_length i (t + h) Q D Hi ltac:(lra) H').
    destruct (fluid_unique sw Ar t (t + h) Q D (line_from t (fun j => reach_limit j t))
      (fun j _ => velocity t (fun k => reach_limit k t) j))
      with (i := i) as [U _]; auto.
    + apply sane_until. lra.
    + apply (trajectory_later sw Ar s); [lra|apply H'].
    + apply (trajectory_shorten sw Ar t (t + d)); [lra|exact H].
    + intros j Hj. unfold line_from.
      rewrite <- (reach_limit_length j t Q D Hj ltac:(lra) (started_shorten (t + h) t Q D ltac:(lra) H')). ring.
    + apply U. lra.
  - intros t Hi Ht. destruct (line_from_moves t (fun j => reach_limit j t)) as (d & Hd & H); [lra|intros; apply N; auto; lra|].
    apply (obeys_ext sw Ar _ _ (line_from t (fun j => reach_limit j t)) (fun j _ => velocity t (fun k => reach_limit k t) j)); auto.
    + intros j Hj. split; [unfold line_from; ring|reflexivity].
    + apply (length_rule _ _ _ _ _ _ H); auto; lra.
Qed.

Lemma reach_limit_continues : forall tau, started_from tau reach_limit reach_limit_rate.
Proof.
  intros tau. destruct (Rle_dec s tau) as [Hst|Hst].
  2: { split; [|apply (proj2 (reach_limit_started s (Rle_refl s) ltac:(intros; lra)))].
       split; intros; try lra. intros t Ht. lra. }
  pose (E := fun u => s <= u <= tau /\ exists Q D, started_from u Q D).
  destruct (completeness E) as (m & Hub & Hlub).
  { exists tau. intros u Hu. apply Hu. }
  { exists s. split; [lra|]. exists (fun i _ => q0 i), (fun _ _ => 0). apply started_here. }
  assert (Hms : s <= m). { apply Hub. split; [lra|]. exists (fun i _ => q0 i), (fun _ _ => 0). apply started_here. }
  assert (Hmt : m <= tau) by (apply Hlub; intros u Hu; apply Hu).
  assert (G : started_from m reach_limit reach_limit_rate).
  { apply reach_limit_started; auto. intros u Hu no. assert (m <= u); [|lra]. apply Hlub. intros v (Hv & Q & D & H).
    destruct (Rle_dec v u) as [|C]; auto. exfalso. apply no. exists Q, D. apply (started_shorten v); auto; lra. }
  destruct (Rle_lt_or_eq_dec m tau Hmt) as [Hlt|<-]; auto. exfalso.
  destruct (line_from_moves m (fun j => reach_limit j m) Hms) as (d & Hd & H).
  { intros j Hj. apply (length_nonneg _ _ _ _ _ _ (proj1 G)); auto; lra. }
  set (e := Rmin d (tau - m)). assert (e <= d) by apply Rmin_l. assert (e <= tau - m) by apply Rmin_r.
  assert (0 < e) by (apply Rmin_pos; lra).
  assert (E (m + e)); [|assert (m + e <= m) by (apply Hub; auto); lra].
  split; [lra|]. exists (glue m reach_limit (line_from m (fun j => reach_limit j m))),
    (glue m reach_limit_rate (fun j _ => velocity m (fun k => reach_limit k m) j)). split.
  - apply fluid_glue; [lra|apply G| |].
    + apply (trajectory_shorten sw Ar m (m + d)); [lra|exact H].
    + intros j Hj. unfold line_from. ring.
  - intros j Hj. unfold glue. destruct (Rlt_dec s m) as [|C]; [apply (proj2 G); auto|].
    replace m with s by lra. unfold line_from. rewrite Rminus_diag_eq, Rmult_0_r, Rplus_0_r by reflexivity.
    apply (reach_limit_length j s _ _ Hj (Rle_refl s) started_here).
Qed.

End Existence.

(** ** The theorems *)

Lemma trajectory_arrivals sw Ar Ar' s tau Q D : (forall i t, (i < ports sw)%nat -> s <= t < tau -> Ar i t = Ar' i t) ->
  trajectory sw Ar s tau Q D -> trajectory sw Ar' s tau Q D.
Proof.
  intros E H. split; try apply H. intros i t Hi Ht. assert (O := length_rule _ _ _ _ _ _ H i t Hi Ht).
  unfold obeys, highest in *. rewrite <- (E i t Hi Ht). exact O.
Qed.

(** From every state, while the arrivals are constant, a trajectory along a straight line. *)
Theorem fluid_local sw Ar t e q :
  (forall i, (i < ports sw)%nat -> 0 <= gain sw i /\ 0 <= service sw i) ->
  (forall i, (i < ports sw)%nat -> 0 <= Ar i t /\ 0 <= q i) ->
  0 < e -> (forall i u, (i < ports sw)%nat -> t <= u < t + e -> Ar i u = Ar i t) ->
  exists d v, 0 < d /\ trajectory sw Ar t (t + d) (fun i u => q i + v i * (u - t)) (fun i _ => v i).
Proof.
  intros G A He P. set (Ar' := fun i (_ : R) => Ar i t).
  assert (A' : forall i u, (i < ports sw)%nat -> t <= u -> 0 <= Ar' i u) by (intros; apply A; auto).
  assert (P' : forall u, t <= u -> exists d, 0 < d /\ forall i w, (i < ports sw)%nat -> u <= w < u + d -> Ar' i w = Ar' i u).
  { intros. exists 1. split; [lra|reflexivity]. }
  destruct (line_from_moves sw Ar' t G A' P' t q (Rle_refl t)) as (d & Hd & H); [intros; apply A; auto|].
  exists (Rmin d e), (velocity sw Ar' t G A' t q). split; [apply Rmin_pos; auto|].
  assert (Rmin d e <= d) by apply Rmin_l. assert (Rmin d e <= e) by apply Rmin_r.
  apply trajectory_arrivals with Ar'; [intros; symmetry; apply P; auto; lra|].
  apply (trajectory_shorten sw Ar' t (t + d)); [lra|exact H].
Qed.

(** One trajectory for all time, from lengths [q]. *)
Theorem fluid_continues sw Ar s K q :
  (forall i, (i < ports sw)%nat -> 0 <= gain sw i /\ 0 <= service sw i) ->
  (forall i t, (i < ports sw)%nat -> s <= t -> 0 <= Ar i t <= K) ->
  (forall t, s <= t -> exists d, 0 < d /\ forall i u, (i < ports sw)%nat -> t <= u < t + d -> Ar i u = Ar i t) ->
  (forall i, (i < ports sw)%nat -> 0 <= q i) ->
  exists Q D, (forall i, (i < ports sw)%nat -> Q i s = q i) /\ forall tau, trajectory sw Ar s tau Q D.
Proof.
  intros G A P Hq. assert (A0 := fun i t Hi Ht => proj1 (A i t Hi Ht)). assert (AK := fun i t Hi Ht => proj2 (A i t Hi Ht)).
  assert (H := reach_limit_continues sw Ar s G A0 P K AK q Hq).
  exists (reach_limit sw Ar s G A0 K AK q Hq), (reach_limit_rate sw Ar s G A0 K AK q Hq).
  split; [apply (H s)|]. intros tau. apply (H tau).
Qed.

(** Arrivals that are constant from each of the instants c 0 = s < c 1 < ... < c m = tau to the next. *)
Definition piecewise_constant (n : nat) (s tau : R) (Ar : nat -> R -> R) : Prop :=
  exists m c, c 0%nat = s /\ c m = tau /\ (forall k, (k < m)%nat -> c k < c (S k)) /\
    forall k i t, (k < m)%nat -> (i < n)%nat -> c k <= t < c (S k) -> Ar i t = Ar i (c k).

Lemma piece_of (c : nat -> R) m t : c 0%nat <= t < c m -> exists k, (k < m)%nat /\ c k <= t < c (S k).
Proof.
  induction m; intros H; [lra|]. destruct (Rlt_dec t (c m)) as [C|C].
  - destruct IHm as (k & Hk & E); [lra|]. exists k. split; [lia|auto].
  - exists m. split; [lia|lra].
Qed.

(** Under piecewise-constant arrivals there is a trajectory from every state; by [fluid_unique] it is the only one. *)
Theorem fluid_exists sw Ar s tau q :
  sane sw Ar s tau -> piecewise_constant (ports sw) s tau Ar -> (forall i, (i < ports sw)%nat -> 0 <= q i) ->
  exists Q D, trajectory sw Ar s tau Q D /\ forall i, (i < ports sw)%nat -> Q i s = q i.
Proof.
  intros [G A] (m & c & Es & Et & Hc & P) Hq.
  pose (K := sum m (fun k => sum (ports sw) (fun i => Rabs (Ar i (c k))))).
  assert (HK : forall i t, (i < ports sw)%nat -> s <= t < tau -> Ar i t <= K).
  { intros i t Hi Ht. destruct (piece_of c m t) as (k & Hk & E); [lra|]. rewrite (P k i t Hk Hi E).
    apply Rle_trans with (Rabs (Ar i (c k))); [apply Rle_abs|].
    apply Rle_trans with (sum (ports sw) (fun i => Rabs (Ar i (c k)))).
    - apply (sum_term_le (ports sw) (fun j => Rabs (Ar j (c k)))); auto. intros; apply Rabs_pos.
    - apply (sum_term_le m (fun k => sum (ports sw) (fun i => Rabs (Ar i (c k))))); auto.
      intros; apply sum_nonneg; intros; apply Rabs_pos. }
  assert (K0 : 0 <= K) by (apply sum_nonneg; intros; apply sum_nonneg; intros; apply Rabs_pos).
  pose (Ar' := fun i t => if Rlt_dec t tau then Ar i t else 0).
  destruct (fluid_continues sw Ar' s K q G) as (Q & D & E & H); auto.
  - intros i t Hi Ht. unfold Ar'. destruct (Rlt_dec t tau); [split; [apply A|apply HK]; auto; lra|lra].
  - intros t Ht. unfold Ar'. destruct (Rlt_dec t tau) as [Hl|Hl].
    + destruct (piece_of c m t) as (k & Hk & Ek); [lra|].
      exists (Rmin (c (S k) - t) (tau - t)). split; [apply Rmin_pos; lra|]. intros i u Hi Hu.
      assert (Rmin (c (S k) - t) (tau - t) <= c (S k) - t) by apply Rmin_l.
      assert (Rmin (c (S k) - t) (tau - t) <= tau - t) by apply Rmin_r.
      destruct (Rlt_dec u tau); [|lra]. rewrite (P k i u Hk Hi), (P k i t Hk Hi); auto; lra.
    + exists 1. split; [lra|]. intros i u _ Hu. destruct (Rlt_dec u tau); [lra|reflexivity].
  - exists Q, D. split; auto. apply trajectory_arrivals with Ar'; auto.
    intros i t _ Ht. unfold Ar'. destruct (Rlt_dec t tau); [auto|lra].
Qed.

(** Two queues with different weights and services, the second one above its threshold at first; queue 0 is offered 7 for a time. *)
Theorem fluid_exists_instance : exists sw Ar q,
  sane sw Ar 0 2 /\ piecewise_constant (ports sw) 0 2 Ar /\ (forall i, (i < ports sw)%nat -> 0 <= q i) /\
  ports sw = 2%nat /\ Ar 0%nat 0 = 7 /\ Ar 0%nat 1 = 0 /\ q 1%nat = 5 /\ threshold_if sw q 1 = 1 / 2.
Proof.
  exists (Switch 2 (fun i => / INR (S i)) (fun _ => 0) (fun i => INR i + 1) 6),
    (fun _ t => if Rlt_dec t 1 then 7 else 0), (fun i => if Nat.eq_dec i 0 then 0 else 5).
  split; [split|].
  - simpl. intros i _. assert (P := pos_INR i). split; [|lra]. left. apply Rinv_0_lt_compat. change (0 < INR (S i)). rewrite S_INR. lra.
  - intros. destruct (Rlt_dec t 1); lra.
  - split; [|repeat split; simpl].
    + exists 2%nat, INR. split; [reflexivity|]. split; [simpl; lra|]. split; [intros; apply lt_INR; lia|].
      intros k i t Hk _ Ht. destruct k as [|[|]]; simpl in *; [| |lia]; repeat destruct (Rlt_dec _ _); lra.
    + intros i _. destruct (Nat.eq_dec i 0); lra.
    + destruct (Rlt_dec 0 1); lra.
    + destruct (Rlt_dec 1 1); lra.
    + unfold threshold_if. simpl. lra.
Qed.

(** The burst of this queue ends at 1; the other rates go on for ever. *)
Theorem fluid_continues_instance : exists sw Ar K q,
  (forall i, (i < ports sw)%nat -> 0 <= gain sw i /\ 0 <= service sw i) /\
  (forall i t, (i < ports sw)%nat -> 0 <= t -> 0 <= Ar i t <= K) /\
  (forall t, 0 <= t -> exists d, 0 < d /\ forall i u, (i < ports sw)%nat -> t <= u < t + d -> Ar i u = Ar i t) /\
  (forall i, (i < ports sw)%nat -> 0 <= q i) /\ ports sw = 2%nat /\ Ar 0%nat 0 = 7 /\ Ar 0%nat 1 = 0 /\ Ar 1%nat 1 = 3.
Proof.
  exists (dt_switch 2 1 6 1), (fun i t => if Nat.eq_dec i 0 then if Rlt_dec t 1 then 7 else 0 else 3), 7, (fun _ => 0).
  simpl. split; [intros; lra|]. split; [intros; destruct (Nat.eq_dec i 0); [destruct (Rlt_dec t 1)|]; lra|].
  split; [|repeat split; intros; try lra; destruct (Rlt_dec _ _); lra].
  intros t Ht. destruct (Rlt_dec t 1) as [H|H].
  - exists (1 - t). split; [lra|]. intros i u _ Hu. destruct (Nat.eq_dec i 0); auto. destruct (Rlt_dec u 1); lra.
  - exists 1. split; [lra|]. intros i u _ Hu. destruct (Nat.eq_dec i 0); auto. destruct (Rlt_dec u 1); lra.
Qed.
