(** Events do not accumulate: every trajectory under piecewise-constant arrivals has finitely many straight pieces.

      [fluid_pieces_constant]  under constant arrivals at most (4 n + 1) (n + 1)^n in a switch of n queues;
      [fluid_pieces]           under arrivals of m pieces at most m times as many.                          *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence Events.
Open Scope R_scope.

(** At most k straight pieces from s to tau. *)
Fixpoint straight_pieces (n : nat) (Q : nat -> R -> R) (k : nat) (s tau : R) : Prop :=
  s = tau \/ match k with
  | O => False
  | S l => exists c v, s < c /\ (forall i t, (i < n)%nat -> s <= t <= c -> Q i t = Q i s + v i * (t - s)) /\ straight_pieces n Q l c tau
  end.

Lemma straight_pieces_join n Q k l c tau : forall s, straight_pieces n Q k s c -> straight_pieces n Q l c tau -> straight_pieces n Q (k + l) s tau.
Proof.
  assert (More : forall m s, straight_pieces n Q l s tau -> straight_pieces n Q (m + l) s tau).
  { assert (One : forall m s, straight_pieces n Q m s tau -> straight_pieces n Q (S m) s tau).
    { induction m as [|m IH]; intros s [H|H]; try (left; exact H); [destruct H|]. right. destruct H as (e & v & H1 & H2 & H3).
      exists e, v. split; [auto|]. split; [auto|]. apply IH, H3. }
    induction m; intros s H; [exact H|]. apply One, IHm, H. }
  induction k as [|k IH]; intros s [H|H] Hl; [subst; auto|destruct H|subst; apply (More (S k)); auto|].
  right. destruct H as (e & v & H1 & H2 & H3). exists e, v. auto.
Qed.

(** ** As far as the next event *)

(** z + k h stays positive until r, if z is. *)
Definition uncrossed (z k r : R) : Prop := 0 < z -> 0 <= z + k * r.

Lemma uncrossed_before z k r d : uncrossed z k r -> 0 <= d <= r -> uncrossed z k d.
Proof.
  intros H Hd Hz. specialize (H Hz). destruct (Rle_dec 0 k).
  - assert (0 <= k * d) by (apply Rmult_le_pos; lra). lra.
  - assert (k * r <= k * d) by (apply Rmult_le_compat_neg_l; lra). lra.
Qed.

Lemma nearest m (z k : nat -> R) r : 0 < r ->
  exists d, 0 < d <= r /\ (forall j, (j < m)%nat -> uncrossed (z j) (k j) d) /\ (d = r \/ exists j, (j < m)%nat /\ 0 < z j /\ z j + k j * d = 0).
Proof.
  intros Hr. induction m as [|m (d & D1 & D2 & D3)]; [exists r; split; [lra|split; [intros; lia|auto]]|].
  assert (Keep : uncrossed (z m) (k m) d -> exists d, 0 < d <= r /\ (forall j, (j < S m)%nat -> uncrossed (z j) (k j) d) /\
    (d = r \/ exists j, (j < S m)%nat /\ 0 < z j /\ z j + k j * d = 0)).
  { intros H. exists d. split; [auto|]. split; [intros j Hj; destruct (Nat.eq_dec j m) as [->|]; [auto|apply D2; lia]|].
    destruct D3 as [D3|(j & Hj & E)]; [auto|right; exists j; split; [lia|auto]]. }
  destruct (Rlt_dec 0 (z m)) as [Z|Z]; [|apply Keep; intros ?; lra].
  destruct (Rle_dec 0 (z m + k m * d)) as [U|U]; [apply Keep; intros ?; auto|].
  assert (Km : k m < 0).
  { destruct (Rlt_dec (k m) 0) as [|N]; auto. exfalso. assert (0 <= k m * d) by (apply Rmult_le_pos; lra). lra. }
  set (e := z m / - k m). assert (E : z m + k m * e = 0) by (unfold e; field; lra).
  assert (P : 0 < e) by (apply Rdiv_lt_0_compat; lra).
  assert (L : e < d).
  { destruct (Rlt_dec e d) as [|N]; auto. exfalso. assert (k m * e <= k m * d) by (apply Rmult_le_compat_neg_l; lra). lra. }
  exists e. split; [lra|]. split.
  - intros j Hj. destruct (Nat.eq_dec j m) as [->|]; [intros ?; lra|]. apply uncrossed_before with d; [apply D2; lia|lra].
  - right. exists m. split; [lia|auto].
Qed.

Section Pieces.
Variable sw : switch.
Variable Ar : nat -> R -> R.
Variable A : nat -> R.
Let n := ports sw.
Hypothesis sane_now : forall i, (i < n)%nat -> 0 <= gain sw i /\ 0 <= service sw i /\ 0 <= A i.

Lemma rates_now s tau Q D : trajectory sw Ar s tau Q D -> s < tau -> (forall i, (i < n)%nat -> Ar i s = A i) ->
  let q i := Q i s in let x := - sum n (fun i => D i s) in
  balanced sw A q x /\ forall i, (i < n)%nat -> D i s = grows sw A q x i /\
    queue_rule (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x) (D i s).
Proof.
  intros H Hs HA q x.
  assert (E : forall i, (i < n)%nat -> D i s = grows sw A q x i /\ queue_rule (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x) (D i s)).
  { intros i Hi. assert (HR : queue_rule (service sw i) (Ar i s) (q i) (threshold_if sw q i) (gain sw i * x) (D i s)).
    { apply (length_rule _ _ _ _ _ _ H); auto. lra. }
    rewrite HA in HR by auto. split; [apply growth_rule|]; exact HR. }
  split; [|exact E]. unfold balanced. change (ports sw) with n.
  rewrite (sum_ext n (grows sw A q x) (fun i => D i s)) by (intros i Hi; symmetry; apply E; auto). unfold x. lra.
Qed.

Definition events_left_at (Q D : nat -> R -> R) (t : R) : nat := events_left sw A (fun i => Q i t) (- sum n (fun i => D i t)).

Lemma one_piece s tau Q D : trajectory sw Ar s tau Q D -> s < tau -> (forall i t, (i < n)%nat -> s <= t < tau -> Ar i t = A i) ->
  exists c, s < c <= tau /\ (forall i t, (i < n)%nat -> s <= t <= c -> Q i t = Q i s + D i s * (t - s)) /\
    (c = tau \/ (events_left_at Q D c < events_left_at Q D s)%nat).
Proof.
  intros H Hs HA. destruct (rates_now s tau Q D H Hs) as [B R]; [intros; apply HA; auto; lra|].
  set (q := fun i => Q i s) in *. set (x := - sum n (fun i => D i s)) in *. cbv zeta in *.
  assert (Hq : forall i, (i < n)%nat -> 0 <= q i) by (intros i Hi; apply (length_nonneg _ _ _ _ _ _ H); auto; lra).
  set (g := fun i => threshold_if sw q i - q i). set (k := fun i => gain sw i * x - D i s).
  destruct (nearest n q (fun i => D i s) (tau - s) ltac:(lra)) as (d1 & P1 & U1 & E1).
  destruct (nearest n g k d1 ltac:(lra)) as (d2 & P2 & U2 & E2).
  destruct (nearest n (fun i => - g i) (fun i => - k i) d2 ltac:(lra)) as (d & P3 & U3 & E3).
  assert (W1 : forall i, (i < n)%nat -> uncrossed (q i) (D i s) d) by (intros i Hi; apply uncrossed_before with d1; [auto|lra]).
  assert (W2 : forall i, (i < n)%nat -> uncrossed (g i) (k i) d) by (intros i Hi; apply uncrossed_before with d2; [auto|lra]).
  assert (Pos : forall i, (i < n)%nat -> 0 <= q i + D i s * d).
  { intros i Hi. destruct (sane_now i Hi) as (K & C & L). destruct (Hq i Hi) as [P|P]; [apply W1; auto|]. rewrite <- P, Rplus_0_l.
    apply Rmult_le_pos; [|lra]. rewrite (proj1 (R i Hi)). eapply Rle_trans; [|apply growth_above_lowest; auto].
    rewrite <- P. unfold lowest_of. destruct (Rlt_dec 0 0); [lra|]. apply Rmax_l. }
  assert (Fits : forall i, (i < n)%nat ->
    (q i < threshold_if sw q i -> q i + D i s * d <= threshold_if sw q i + gain sw i * x * d) /\
    (threshold_if sw q i < q i -> threshold_if sw q i + gain sw i * x * d <= q i + D i s * d)).
  { intros i Hi. specialize (W2 i Hi). specialize (U3 i Hi). unfold uncrossed, g, k in W2, U3.
    split; intros N; [specialize (W2 ltac:(lra))|specialize (U3 ltac:(lra))]; lra. }
  assert (Sane : sane sw Ar s (s + d)).
  { split; [intros i Hi; destruct (sane_now i Hi) as (? & ? & ?); auto|]. intros i t Hi Ht. rewrite HA by (auto; lra). apply sane_now; auto. }
  assert (Line : trajectory sw Ar s (s + d) (fun i u => q i + D i s * (u - s)) (fun i _ => D i s)).
  { apply straight; [exact Pos|]. intros i h Hi Hh. rewrite HA by (auto; lra). destruct (sane_now i Hi) as (K & C & L). destruct (Fits i Hi) as [F1 F2].
    apply queue_rule_until with d; auto; try (apply Pos; auto). apply R; auto. }
  assert (E : forall i t, (i < n)%nat -> s <= t <= s + d -> Q i t = q i + D i s * (t - s)).
  { intros i t Hi Ht. apply (fluid_unique sw Ar s (s + d) Q D _ _ Sane (trajectory_shorten sw Ar s tau (s + d) Q D ltac:(lra) H) Line); auto.
    intros j Hj. unfold q. ring. }
  exists (s + d). split; [lra|]. split; [exact E|]. destruct (Req_dec (s + d) tau) as [|N]; [auto|right].
  assert (Ev : exists i, (i < n)%nat /\ ((0 < q i /\ q i + D i s * d = 0) \/ (g i <> 0 /\ g i + k i * d = 0))).
  { destruct E3 as [->|(i & Hi & E3 & E3')]; [|exists i; split; [auto|right; split; lra]].
    destruct E2 as [->|(i & Hi & E2 & E2')]; [|exists i; split; [auto|right; split; lra]].
    destruct E1 as [->|(i & Hi & E1 & E1')]; [lra|]. exists i. auto. }
  destruct Ev as (e & He & Ev).
  destruct (rates_now (s + d) tau Q D) as [B' _]; [apply trajectory_later with s; [lra|auto]|lra|intros; apply HA; auto; lra|].
  assert (ET : forall i, threshold_if sw (fun i => Q i (s + d)) i = threshold_if sw q i + gain sw i * x * d).
  { intros i. unfold threshold_if. change (ports sw) with n. rewrite (sum_ext n (fun i => Q i (s + d)) (fun j => q j + d * D j s)).
    - rewrite sum_plus, sum_scal. unfold x. change (fun j => q j) with q. ring.
    - intros j Hj. rewrite E by (auto; lra). ring. }
  assert (EQ : forall i, (i < n)%nat -> Q i (s + d) = q i + D i s * d) by (intros i Hi; rewrite E by (auto; lra); ring).
  unfold events_left_at. apply events_decrease with d; auto; [lra| |].
  - intros i Hi. change (ports sw) with n in Hi. destruct (Fits i Hi) as [F1 F2]. rewrite ET, EQ by auto.
    split; [rewrite (proj1 (R i Hi)); reflexivity|]. split; [apply Pos; auto|]. split; [exact F1|exact F2].
  - exists e. split; [exact He|]. change (queue_event sw q (fun i => Q i (s + d)) e). unfold queue_event. rewrite ET, EQ by auto. unfold g, k in Ev. destruct Ev as [[V1 V2]|[V1 V2]]; [left; auto|right; split; lra].
Qed.

Lemma pieces_left tau Q D k : forall s, trajectory sw Ar s tau Q D -> s <= tau -> (forall i t, (i < n)%nat -> s <= t < tau -> Ar i t = A i) ->
  (events_left_at Q D s < k)%nat -> straight_pieces n Q k s tau.
Proof.
  induction k as [|k IH]; intros s H Hs HA Hk; [lia|]. destruct Hs as [Hs|Hs]; [|left; exact Hs]. right.
  destruct (one_piece s tau Q D H Hs HA) as (c & Hc & E & L). exists c, (fun i => D i s). split; [apply Hc|]. split; [exact E|].
  destruct L as [L|L]; [rewrite L; destruct k; left; reflexivity|].
  apply IH; [apply trajectory_later with s; [lra|auto]|lra|intros; apply HA; auto; lra|lia].
Qed.
End Pieces.

(** ** Every trajectory *)

Definition most_events (n : nat) : nat := ((4 * n + 1) * (n + 1) ^ n)%nat.

(** Under constant arrivals every trajectory consists of at most (4 n + 1) (n + 1)^n straight pieces. *)
Theorem fluid_pieces_constant sw Ar s tau Q D : s <= tau -> sane sw Ar s tau ->
  (forall i t, (i < ports sw)%nat -> s <= t < tau -> Ar i t = Ar i s) -> trajectory sw Ar s tau Q D ->
  straight_pieces (ports sw) Q (most_events (ports sw)) s tau.
Proof.
  intros Hs [G HA] C H. destruct Hs as [Hs|Hs]; [|destruct (most_events (ports sw)); left; exact Hs].
  assert (S0 : forall i, (i < ports sw)%nat -> 0 <= gain sw i /\ 0 <= service sw i /\ 0 <= Ar i s).
  { intros i Hi. destruct (G i Hi). split; [auto|]. split; [auto|]. apply HA; auto. lra. }
  apply (pieces_left sw Ar (fun i => Ar i s) S0 tau Q D); auto; [lra|]. apply events_at_most.
Qed.

(** Under arrivals of m pieces it has at most m times as many. *)
Theorem fluid_pieces sw Ar s tau Q D (c : nat -> R) m : sane sw Ar s tau -> c 0%nat = s -> c m = tau -> (forall k, (k < m)%nat -> c k < c (S k)) ->
  (forall k i t, (k < m)%nat -> (i < ports sw)%nat -> c k <= t < c (S k) -> Ar i t = Ar i (c k)) -> trajectory sw Ar s tau Q D ->
  straight_pieces (ports sw) Q (m * most_events (ports sw)) s tau.
Proof.
  intros [G HA] Es <- Hc HP H.
  assert (Up : forall j l, (j + l <= m)%nat -> c j <= c (j + l)%nat).
  { intros j. induction l as [|l IH]; intros Hl; [rewrite Nat.add_0_r; lra|]. specialize (IH ltac:(lia)). specialize (Hc (j + l)%nat ltac:(lia)).
    rewrite Nat.add_succ_r. lra. }
  assert (Le : forall j l, (j <= l)%nat -> (l <= m)%nat -> c j <= c l) by (intros j l H1 H2; replace l with (j + (l - j))%nat by lia; apply Up; lia).
  assert (K : forall l, (l <= m)%nat -> straight_pieces (ports sw) Q (l * most_events (ports sw)) s (c l)); [|apply K; auto].
  induction l as [|l IH]; intros Hl; [left; auto|]. rewrite Nat.mul_succ_l. apply straight_pieces_join with (c l); [apply IH; lia|].
  assert (c 0%nat <= c l) by (apply Le; lia). assert (c (S l) <= c m) by (apply Le; lia). specialize (Hc l ltac:(lia)).
  apply fluid_pieces_constant with Ar D; [lra| |intros; apply HP; auto|].
  - split; [auto|]. intros i t Hi Ht. apply HA; auto. lra.
  - apply trajectory_later with s; [lra|]. apply trajectory_shorten with (c m); [lra|auto].
Qed.

(** The trajectory of [fluid_exists_instance]: two queues, the second one above its threshold at first, arrivals of two pieces or more. *)
Theorem fluid_pieces_instance : exists sw Ar Q D c m, sane sw Ar 0 2 /\ c 0%nat = 0 /\ c m = 2 /\ (forall k, (k < m)%nat -> c k < c (S k)) /\
  (forall k i t, (k < m)%nat -> (i < ports sw)%nat -> c k <= t < c (S k) -> Ar i t = Ar i (c k)) /\ trajectory sw Ar 0 2 Q D /\
  ports sw = 2%nat /\ Q 1%nat 0 = 5.
Proof.
  destruct fluid_exists_instance as (sw & Ar & q & H1 & H2 & H3 & H4 & _ & _ & H7 & _).
  destruct (fluid_exists sw Ar 0 2 q H1 H2 H3) as (Q & D & T & E). destruct H2 as (m & c & C1 & C2 & C3 & C4).
  exists sw, Ar, Q, D, c, m. repeat (split; [assumption|]). rewrite E by lia. exact H7.
Qed.
