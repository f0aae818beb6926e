(** Between two changes of the arrivals a switch has finitely many events.

      [events_decrease]  from event to event a whole number decreases;
      [events_at_most]   at first it is at most (4 n + 1) (n + 1)^n in a switch of n queues.

    An event is a queue that runs empty or meets its threshold.  Where a queue meets it from below F' may rise, but stays
    below the rate u_i at which this queue could not follow; everywhere else F' falls.  A queue that is not below its
    threshold is not below it again before F' exceeds u_i, so that only queues of larger u_i make it meet it from below anew.   *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence.
Open Scope R_scope.

(** ** One queue *)

(** Its rate below, above or on a threshold T that grows at y. *)
Definition queue_rate (c a q T y : R) : R :=
  if Rlt_dec q T then highest_of c a q else if Rlt_dec T q then lowest_of c q else clip y (lowest_of c q) (highest_of c a q).

Lemma growth_rule c a q T y v : queue_rule c a q T y v -> v = queue_rate c a q T y.
Proof.
  intros (H1 & H2 & H3). unfold queue_rate. destruct (Rlt_dec q T); [auto|]. destruct (Rlt_dec T q); [auto|]. apply H3. lra.
Qed.

(** Whether it can meet the threshold from below before F' exceeds the rate at which it cannot follow. *)
Definition can_meet (c a q T y : R) : nat :=
  if Rlt_dec q T then if Rlt_dec 0 q then 1 else if Rlt_dec c a then 1 else 0
  else if Rlt_dec (a - c) y then if Rlt_dec 0 q then 1 else if Rlt_dec c a then 1 else 0 else 0.

(** How many events of other kinds it can have while F' falls. *)
Definition other_events (c a q T y : R) : nat :=
  if Rlt_dec T q then
    if Rlt_dec 0 q then if Rlt_dec (- c) y then 4 else 1 else if Rlt_dec 0 y then 3 else 0
  else if Rlt_dec q T then if Rlt_dec 0 q then 2 else if Rlt_dec c a then 2 else 1
  else if Rlt_dec (highest_of c a q) y then 2 else if Rlt_dec 0 q then 1 else if Rlt_dec 0 y then 1 else 0.

Lemma other_events_few c a q T y : (other_events c a q T y <= 4)%nat.
Proof. unfold other_events. repeat destruct (Rlt_dec _ _); lia. Qed.

Lemma can_meet_few c a q T y : (can_meet c a q T y <= 1)%nat.
Proof. unfold can_meet. repeat destruct (Rlt_dec _ _); lia. Qed.

Lemma growth_moves c a q T k y z : 0 <= k -> 0 <= a -> y <= z -> queue_rate c a q T (k * y) <= queue_rate c a q T (k * z).
Proof.
  intros Hk Ha H. unfold queue_rate. destruct (Rlt_dec q T); [lra|]. destruct (Rlt_dec T q); [lra|].
  apply clip_mono, Rmult_le_compat_l; auto.
Qed.

Section Step.
Variables c a q T y v d q' T' : R.
Hypotheses (Hc : 0 <= c) (Ha : 0 <= a) (Hq : 0 <= q) (Hv : v = queue_rate c a q T y) (Hd : 0 < d) (Hq' : 0 <= q') (Eq : q' = q + v * d).
Hypotheses (ET : T' = T + y * d) (below : q < T -> q' <= T') (above : T < q -> T' <= q').

(** It meets the threshold from below, and is not empty for ever. *)
Definition meets_from_below : Prop := q < T /\ q' = T' /\ (0 < q' \/ c < a).

Let w := v * d.
Let z := y * d.


Lemma signs r : (r < 0 /\ r * d < 0) \/ (r = 0 /\ r * d = 0) \/ (0 < r /\ 0 < r * d).
Proof.
  destruct (Rtotal_order r 0) as [S|[S|S]]; [left|right; left|right; right]; split; auto.
  - assert (0 < - r * d) by (apply Rmult_lt_0_compat; lra). lra.
  - rewrite S. ring.
  - apply Rmult_lt_0_compat; auto.
Qed.

Lemma lowest_highest q0 : (0 < q0 /\ lowest_of c q0 = - c /\ highest_of c a q0 = a - c) \/
  (q0 <= 0 /\ lowest_of c q0 = 0 /\ ((a <= c /\ highest_of c a q0 = 0) \/ (c < a /\ highest_of c a q0 = a - c))).
Proof.
  unfold lowest_of, highest_of. destruct (Rlt_dec 0 q0); [left; lra|right]. split; [lra|]. split; [apply Rmax_left; lra|].
  destruct (Rlt_dec c a); [right; split; [auto|apply Rmax_right; lra]|left; split; [lra|apply Rmax_left; lra]].
Qed.

Lemma lowest_highest_order q0 : lowest_of c q0 <= highest_of c a q0.
Proof. destruct (lowest_highest q0) as [?|(? & ? & [?|?])]; lra. Qed.

Lemma growth_above_lowest q0 T0 y0 : lowest_of c q0 <= queue_rate c a q0 T0 y0.
Proof.
  assert (O := lowest_highest_order q0). unfold queue_rate. destruct (Rlt_dec q0 T0); [auto|]. destruct (Rlt_dec T0 q0); [lra|].
  apply clip_bounds; auto.
Qed.

Lemma sides : (q < T /\ v = highest_of c a q) \/ (T < q /\ v = lowest_of c q) \/
  (q = T /\ ((y < lowest_of c q /\ v = lowest_of c q) \/ (lowest_of c q <= y <= highest_of c a q /\ v = y) \/
             (highest_of c a q < y /\ v = highest_of c a q))).
Proof.
  assert (O := lowest_highest_order q). rewrite Hv. unfold queue_rate. destruct (Rlt_dec q T); [auto|]. destruct (Rlt_dec T q); [auto|].
  right. right. split; [lra|]. destruct (Rlt_dec y (lowest_of c q)); [left; rewrite clip_low; lra|].
  destruct (Rlt_dec (highest_of c a q) y); [right; right; rewrite clip_high; lra|right; left; rewrite clip_inside; lra].
Qed.

(** How the gap moves. *)
Lemma gap : (y - v) * d = (T' - q') - (T - q).
Proof. rewrite Eq, ET. ring. Qed.

(** Alive, its highest rate is a - c. *)
Lemma highest_alive q0 : 0 < q0 \/ c < a -> highest_of c a q0 = a - c.
Proof. destruct (lowest_highest q0) as [?|(? & ? & [?|?])]; lra. Qed.

Lemma highest_later : v = highest_of c a q -> v <= highest_of c a q'.
Proof.
  intros E. destruct (lowest_highest q) as [P|(P & P1 & [[P2 P3]|[P2 P3]])];
    destruct (lowest_highest q') as [P'|(P' & P1' & [[P2' P3']|[P2' P3']])]; try lra.
  destruct (signs v) as [V|[V|V]]; lra.
Qed.

Lemma lowest_later : v = lowest_of c q -> v <= lowest_of c q'.
Proof.
  intros E. destruct (lowest_highest q) as [P|(P & P1 & _)]; destruct (lowest_highest q') as [P'|(P' & P1' & _)]; try lra.
  destruct (signs v) as [V|[V|V]]; lra.
Qed.

Lemma meets_slowly : meets_from_below -> y < a - c /\ v = a - c.
Proof.
  intros (M1 & M2 & M3). assert (G := gap).
  assert (E : v = highest_of c a q) by (destruct sides as [[S1 S2]|[[S1 S2]|[S1 S2]]]; [auto|exfalso; lra|exfalso; lra]).
  assert (V : v = a - c).
  { rewrite E. apply highest_alive. destruct M3 as [M3|M3]; [|auto]. destruct (lowest_highest q) as [P|(P & P1 & [[P2 P3]|[P2 P3]])]; auto.
    - left. lra.
    - exfalso. assert (v = 0) by lra. destruct (signs v) as [V|[V|V]]; lra. }
  split; [|auto]. destruct (signs (y - v)) as [V'|[V'|V']]; lra.
Qed.

(** What its rate is then, for the same y. *)
Lemma next_rate : ~ meets_from_below -> v <= queue_rate c a q' T' y.
Proof.
  intros M. assert (G := growth_above_lowest q' T' y). assert (O' := lowest_highest_order q'). assert (W := gap).
  destruct sides as [[S1 S2]|[[S1 S2]|[S1 [[S2 S3]|[[S2 S3]|[S2 S3]]]]]].
  - assert (H := highest_later S2). unfold queue_rate. destruct (Rlt_dec q' T'); [auto|]. specialize (below S1).
    destruct (Rlt_dec T' q'); [exfalso; lra|].
    assert (E : q' <= 0 /\ a <= c).
    { split; [destruct (Rle_dec q' 0); [auto|]|destruct (Rle_dec a c); [auto|]]; exfalso; apply M; unfold meets_from_below;
        (split; [auto|split; [lra|]]); [left|right]; lra. }
    destruct (lowest_highest q') as [P'|(P' & P1' & [[P2' P3']|[P2' P3']])]; try lra.
    apply Rle_trans with 0; [lra|]. rewrite <- P1'. apply clip_bounds; auto.
  - assert (H := lowest_later S2). lra.
  - assert (H := lowest_later S3). lra.
  - assert (q' = T') by (clear - W S1 S3; rewrite S3 in W; lra). unfold queue_rate. destruct (Rlt_dec q' T'); [lra|]. destruct (Rlt_dec T' q'); [lra|].
    assert (y <= highest_of c a q').
    { destruct (lowest_highest q) as [P|(P & P1 & [[P2 P3]|[P2 P3]])];
        destruct (lowest_highest q') as [P'|(P' & P1' & [[P2' P3']|[P2' P3']])]; try lra.
      destruct (signs v) as [V|[V|V]]; lra. }
    rewrite S3. destruct (Rlt_dec y (lowest_of c q')); [rewrite clip_low|rewrite clip_inside]; lra.
  - assert (H := highest_later S3). unfold queue_rate. destruct (Rlt_dec q' T'); [auto|]. exfalso. destruct (signs (y - v)) as [V|[V|V]]; lra.
Qed.

(** The rate of a queue that meets the threshold does not fall for a y at which it cannot follow. *)
Lemma next_rate_meets u : meets_from_below -> a - c <= u -> queue_rate c a q' T' u = v.
Proof.
  intros M H. destruct (meets_slowly M) as [_ E]. destruct M as (M1 & M2 & M3). rewrite M2 in *. unfold queue_rate.
  destruct (Rlt_dec T' T'); [lra|]. assert (O' := lowest_highest_order T'). assert (A := highest_alive T' M3).
  rewrite clip_high; lra.
Qed.

(** The numbers go on. *)
Lemma not_below_later : T <= q -> y <= highest_of c a q -> T' <= q'.
Proof.
  intros Q Y. assert (W := gap). destruct sides as [[S1 S2]|[[S1 S2]|[S1 [[S2 S3]|[[S2 S3]|[S2 S3]]]]]]; try lra; auto;
    destruct (signs (y - v)) as [V|[V|V]]; lra.
Qed.

Lemma dead_later : q <= 0 -> a <= c -> q' = 0.
Proof.
  intros Q A. destruct (lowest_highest q) as [P|(P & P1 & [[P2 P3]|[P2 P3]])]; try lra.
  assert (v = 0) by (destruct sides as [[S1 S2]|[[S1 S2]|[S1 [[S2 S3]|[[S2 S3]|[S2 S3]]]]]]; lra).
  destruct (signs v) as [V|[V|V]]; lra.
Qed.

Lemma can_meet_later y' : y' <= a - c \/ ~ meets_from_below /\ y' <= y -> (can_meet c a q' T' y' <= can_meet c a q T y)%nat.
Proof.
  intros H.
  assert (K : 0 < q \/ c < a -> ~ q < T -> ~ a - c < y -> can_meet c a q' T' y' = 0%nat).
  { intros A Q Y. assert (N := highest_alive q A). assert (B := not_below_later ltac:(lra) ltac:(lra)). unfold can_meet.
    destruct (Rlt_dec q' T'); [lra|]. destruct (Rlt_dec (a - c) y'); [lra|auto]. }
  assert (F := can_meet_few c a q' T' y'). unfold can_meet at 2.
  destruct (Rlt_dec 0 q) as [Q|Q]; [|destruct (Rlt_dec c a) as [A|A]].
  - destruct (Rlt_dec q T) as [|N]; [auto|]. destruct (Rlt_dec (a - c) y) as [|N']; [auto|]. rewrite K; auto.
  - destruct (Rlt_dec q T) as [|N]; [auto|]. destruct (Rlt_dec (a - c) y) as [|N']; [auto|]. rewrite K; auto.
  - assert (Z := dead_later ltac:(lra) ltac:(lra)). unfold can_meet. rewrite Z. destruct (Rlt_dec 0 0); [lra|]. destruct (Rlt_dec c a); [lra|].
    repeat destruct (Rlt_dec _ _); auto.
Qed.

Lemma can_meet_met y' : meets_from_below -> y' <= a - c -> can_meet c a q T y = 1%nat /\ can_meet c a q' T' y' = 0%nat.
Proof.
  intros M H. destruct (meets_slowly M) as [_ E]. destruct M as (M1 & M2 & M3).
  unfold can_meet. split.
  - destruct (Rlt_dec q T); [|lra]. destruct (Rlt_dec 0 q); [auto|]. destruct (Rlt_dec c a); [auto|].
    assert (Z := dead_later ltac:(lra) ltac:(lra)). lra.
  - destruct (Rlt_dec q' T'); [lra|]. destruct (Rlt_dec (a - c) y'); [lra|auto].
Qed.

Lemma other_events_later y' : ~ meets_from_below -> y' <= y -> (other_events c a q' T' y' <= other_events c a q T y)%nat /\
  ((0 < q /\ q' = 0) \/ (q <> T /\ q' = T') -> (other_events c a q' T' y' < other_events c a q T y)%nat).
Proof.
  intros M H. assert (W := gap). assert (S := sides). unfold other_events. clear Hv.
  destruct S as [[S1 S2]|[[S1 S2]|[S1 S2]]].
  - (* below *)
    specialize (below S1). clear above. destruct (Rlt_dec T q); [lra|]. destruct (Rlt_dec q T); [|lra]. destruct (Rlt_dec T' q'); [lra|].
    destruct (Rlt_dec q' T') as [B|B].
    + destruct (Rlt_dec 0 q) as [Q|Q], (Rlt_dec 0 q') as [Q'|Q'], (Rlt_dec c a) as [A|A]; try (split; [lia|intros; lia || lra]).
      * exfalso. assert (v = a - c) by (rewrite S2; apply highest_alive; auto). destruct (signs v) as [V|[V|V]]; lra.
      * exfalso. assert (v = 0) by (destruct (lowest_highest q) as [P|(P & P1 & [[P2 P3]|[P2 P3]])]; lra). destruct (signs v) as [V|[V|V]]; lra.
    + assert (E : q' <= 0 /\ a <= c).
      { split; [destruct (Rle_dec q' 0); [auto|]|destruct (Rle_dec a c); [auto|]]; exfalso; apply M; unfold meets_from_below;
          (split; [auto|split; [lra|]]); [left|right]; lra. }
      assert (q' = 0) by lra. assert (Y : y < v) by (destruct (signs (y - v)) as [V|[V|V]]; lra).
      assert (v <= 0) by (rewrite S2; destruct (lowest_highest q) as [P|(P & P1 & [[P2 P3]|[P2 P3]])]; lra).
      assert (highest_of c a q' = 0) by (destruct (lowest_highest q') as [P|(P & P1 & [[P2 P3]|[P2 P3]])]; lra).
      destruct (Rlt_dec (highest_of c a q') y'); [lra|]. destruct (Rlt_dec 0 q'); [lra|]. destruct (Rlt_dec 0 y'); [lra|].
      destruct (Rlt_dec 0 q), (Rlt_dec c a); split; intros; lia.
  - (* above *)
    specialize (above S1). clear below M. destruct (Rlt_dec T q); [|lra]. destruct (Rlt_dec q' T'); [lra|].
    destruct (Rlt_dec 0 q) as [Q|Q].
    + assert (Ev : v = - c) by (destruct (lowest_highest q) as [P|(P & _)]; lra).
      destruct (Rlt_dec (- c) y) as [Y|Y].
      * destruct (Rlt_dec T' q'), (Rlt_dec 0 q'), (Rlt_dec (- c) y'), (Rlt_dec 0 y'), (Rlt_dec (highest_of c a q') y');
          split; intros; lia || lra.
      * destruct (Rlt_dec T' q') as [B|B]; [|exfalso; destruct (signs (y - v)) as [V|[V|V]]; lra].
        destruct (Rlt_dec 0 q') as [Q'|Q'].
        -- destruct (Rlt_dec (- c) y'); [lra|]. split; [lia|]. intros [K|K]; lra.
        -- destruct (Rlt_dec 0 y'); [lra|]. split; intros; lia.
    + assert (Ev : v = 0) by (destruct (lowest_highest q) as [P|(P & P1 & _)]; lra).
      assert (q' = 0) by (destruct (signs v) as [V|[V|V]]; lra). destruct (Rlt_dec 0 q'); [lra|].
      destruct (Rlt_dec T' q') as [B|B].
      * destruct (Rlt_dec 0 y'), (Rlt_dec 0 y); split; intros; lia || lra.
      * assert (0 < y) by (destruct (signs (y - v)) as [V|[V|V]]; lra). destruct (Rlt_dec 0 y); [|lra].
        destruct (Rlt_dec (highest_of c a q') y'), (Rlt_dec 0 y'); split; intros; lia.
  - (* on *)
    clear below above M.
    destruct (Rlt_dec T q); [lra|]. destruct (Rlt_dec q T); [lra|].
    destruct S2 as [[S2 S3]|[[S2 S3]|[S2 S3]]].
    + (* it falls below *)
      assert (B : T' < q') by (destruct (signs (y - v)) as [V|[V|V]]; lra).
      assert (N : ~ highest_of c a q < y) by (assert (O := lowest_highest_order q); lra).
      destruct (Rlt_dec T' q'); [|lra]. destruct (Rlt_dec (highest_of c a q) y); [lra|].
      destruct (Rlt_dec 0 q) as [Q|Q].
      * assert (Ev : v = - c) by (destruct (lowest_highest q) as [P|(P & _)]; lra).
        destruct (Rlt_dec 0 q').
        -- destruct (Rlt_dec (- c) y'); [lra|]. split; [lia|]. intros [K|K]; lra.
        -- destruct (Rlt_dec 0 y'); [lra|]. split; intros; lia.
      * assert (Ev : v = 0) by (destruct (lowest_highest q) as [P|(P & P1 & _)]; lra).
        assert (q' = 0) by (destruct (signs v) as [V|[V|V]]; lra). destruct (Rlt_dec 0 q'); [lra|].
        destruct (Rlt_dec 0 y'); [lra|]. split; [lia|]. intros [K|K]; lra.
    + (* it stays *)
      assert (B : T' = q') by (destruct (signs (y - v)) as [V|[V|V]]; lra).
      destruct (Rlt_dec T' q'); [lra|]. destruct (Rlt_dec q' T'); [lra|].
      destruct (Rlt_dec (highest_of c a q) y); [lra|].
      destruct (Rlt_dec 0 q) as [Q|Q].
      * destruct (Rlt_dec 0 q') as [Q'|Q'].
        -- assert (highest_of c a q' = highest_of c a q) by (destruct (lowest_highest q) as [P|(P & _)], (lowest_highest q') as [P'|(P' & _)]; lra).
           destruct (Rlt_dec (highest_of c a q') y'); [lra|]. split; [lia|]. intros [K|K]; lra.
        -- assert (v < 0) by (destruct (signs v) as [V|[V|V]]; lra). assert (0 <= highest_of c a q') by (destruct (lowest_highest q') as [P|(P & P1 & [[P2 P3]|[P2 P3]])]; lra).
           destruct (Rlt_dec (highest_of c a q') y'); [lra|]. destruct (Rlt_dec 0 y'); [lra|]. split; intros; lia.
      * assert (L0 : 0 <= y) by (destruct (lowest_highest q) as [P|(P & P1 & _)]; lra).
        destruct (Rlt_dec 0 y) as [Y|Y].
        -- assert (A : c < a) by (destruct (lowest_highest q) as [P|(P & P1 & [[P2 P3]|[P2 P3]])]; lra). assert (0 < q') by (destruct (signs v) as [V|[V|V]]; lra).
           assert (highest_of c a q' = highest_of c a q) by (rewrite !highest_alive; auto).
           destruct (Rlt_dec (highest_of c a q') y'); [lra|]. destruct (Rlt_dec 0 q'); [|lra]. split; [lia|]. intros [K|K]; lra.
        -- assert (q' = 0) by (destruct (signs v) as [V|[V|V]]; lra).
           assert (0 <= highest_of c a q') by (destruct (lowest_highest q') as [P|(P & P1 & [[P2 P3]|[P2 P3]])]; lra).
           destruct (Rlt_dec (highest_of c a q') y'); [lra|]. destruct (Rlt_dec 0 q'); [lra|]. destruct (Rlt_dec 0 y'); [lra|].
           split; [lia|]. intros [K|K]; lra.
    + (* it cannot follow *)
      assert (B : q' < T') by (destruct (signs (y - v)) as [V|[V|V]]; lra).
      destruct (Rlt_dec T' q'); [lra|]. destruct (Rlt_dec q' T'); [|lra]. destruct (Rlt_dec (highest_of c a q) y); [|lra].
      destruct (Rlt_dec 0 q') as [Q'|Q'].
      * split; [lia|]. intros [K|K]; lra.
      * destruct (Rlt_dec c a) as [A|A].
        -- split; [lia|]. intros [K|K]; [|lra]. exfalso. assert (v = a - c) by (rewrite S3; apply highest_alive; auto).
           destruct (signs v) as [V|[V|V]]; lra.
        -- split; intros; lia.
Qed.
End Step.

(** ** Whole numbers *)

Fixpoint total_of (n : nat) (f : nat -> nat) : nat := match n with O => 0 | S m => total_of m f + f m end.

Lemma total_le n f g : (forall i, (i < n)%nat -> (f i <= g i)%nat) -> (total_of n f <= total_of n g)%nat.
Proof. induction n; simpl; intros H; [lia|]. specialize (IHn ltac:(auto)). specialize (H n ltac:(lia)). lia. Qed.

Lemma total_lt n f g j : (forall i, (i < n)%nat -> (f i <= g i)%nat) -> (j < n)%nat -> (f j < g j)%nat -> (total_of n f < total_of n g)%nat.
Proof.
  induction n; simpl; intros H Hj Hl; [lia|]. assert (L := total_le n f g ltac:(auto)). assert (K := H n ltac:(lia)).
  destruct (Nat.eq_dec j n) as [->|]; [lia|]. specialize (IHn ltac:(auto) ltac:(lia) Hl). lia.
Qed.

Lemma total_scal n m f : total_of n (fun i => m * f i)%nat = (m * total_of n f)%nat.
Proof. induction n; simpl; [lia|]. rewrite IHn. lia. Qed.

Lemma total_const n m : total_of n (fun _ => m) = (n * m)%nat.
Proof. induction n; simpl; [lia|]. rewrite IHn. lia. Qed.

(** Others grow by a little, one falls by more. *)
Lemma total_falls n f g W j : (0 < W)%nat -> (forall i, (i < n)%nat -> (S n * f i <= S n * g i + W)%nat) -> (j < n)%nat ->
  (f j + W <= g j)%nat -> (total_of n f < total_of n g)%nat.
Proof.
  intros HW H Hj Hf.
  assert (A : forall l, (l <= n)%nat -> (S n * total_of l f <= S n * total_of l g + l * W)%nat /\
    ((j < l)%nat -> (S n * total_of l f + S n * W <= S n * total_of l g + l * W)%nat)).
  { induction l as [|l IH]; intros Hl; [split; intros; simpl; lia|]. destruct (IH ltac:(lia)) as [I1 I2]. specialize (H l ltac:(lia)).
    cbn [total_of]. rewrite !Nat.mul_add_distr_l. rewrite (Nat.mul_succ_l l). split; [lia|]. intros Hjl.
    destruct (Nat.eq_dec j l) as [->|]; [|specialize (I2 ltac:(lia)); lia].
    assert (S n * f l + S n * W <= S n * g l)%nat by (rewrite <- Nat.mul_add_distr_l; apply Nat.mul_le_mono_l; auto). lia. }
  destruct (A n (le_n n)) as [_ A2]. specialize (A2 Hj). apply (Nat.mul_lt_mono_pos_l (S n)); [lia|].
  rewrite (Nat.mul_succ_l n W) in A2. lia.
Qed.

Lemma greatest_index n (P : nat -> Prop) (u : nat -> R) : (forall i, P i \/ ~ P i) ->
  (forall i, (i < n)%nat -> ~ P i) \/ exists i, (i < n)%nat /\ P i /\ forall j, (j < n)%nat -> P j -> u j <= u i.
Proof.
  intros D. induction n as [|n IH]; [left; intros; lia|]. destruct IH as [IH|(i & Hi & Pi & M)], (D n) as [Dn|Dn].
  - right. exists n. split; [lia|]. split; [auto|]. intros j Hj Pj. destruct (Nat.eq_dec j n) as [->|]; [lra|]. exfalso. apply (IH j); auto. lia.
  - left. intros i Hi. destruct (Nat.eq_dec i n) as [->|]; auto. apply IH. lia.
  - right. destruct (Rle_dec (u n) (u i)).
    + exists i. split; [lia|]. split; [auto|]. intros j Hj Pj. destruct (Nat.eq_dec j n) as [->|]; [auto|]. apply M; [lia|auto].
    + exists n. split; [lia|]. split; [auto|]. intros j Hj Pj. destruct (Nat.eq_dec j n) as [->|]; [lra|]. specialize (M j ltac:(lia) Pj). lra.
  - right. exists i. split; [lia|]. split; [auto|]. intros j Hj Pj. destruct (Nat.eq_dec j n) as [->|]; [contradiction|]. apply M; [lia|auto].
Qed.

(** ** All queues *)

Section Events.
Variable sw : switch.
Variable A : nat -> R.
Let n := ports sw.
Hypothesis sane_now : forall i, (i < n)%nat -> 0 <= gain sw i /\ 0 <= service sw i /\ 0 <= A i.

Definition grows (q : nat -> R) (x : R) (i : nat) : R := queue_rate (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x).
Definition balanced (q : nat -> R) (x : R) : Prop := x + sum n (grows q x) = 0.

Lemma grows_more q x y : x <= y -> sum n (grows q x) <= sum n (grows q y).
Proof. intros H. apply sum_le. intros i Hi. destruct (sane_now i Hi) as (K & C & L). apply growth_moves; auto. Qed.

(** No F' is further from 0. *)
Definition fastest : R := sum n (fun i => service sw i + A i).

Lemma grows_bounds q x i : (i < n)%nat -> - (service sw i + A i) <= grows q x i <= service sw i + A i.
Proof.
  intros Hi. destruct (sane_now i Hi) as (K & C & L). unfold grows, queue_rate.
  assert (E : forall q0, - service sw i <= lowest_of (service sw i) q0 <= 0 /\ lowest_of (service sw i) q0 <= highest_of (service sw i) (A i) q0 <= service sw i + A i).
  { intros q0. destruct (lowest_highest (service sw i) (A i) C q0) as [P|(P & P1 & [[P2 P3]|[P2 P3]])]; lra. }
  specialize (E (q i)). destruct (Rlt_dec (q i) (threshold_if sw q i)); [lra|]. destruct (Rlt_dec (threshold_if sw q i) (q i)); [lra|].
  assert (B := clip_bounds (gain sw i * x) (lowest_of (service sw i) (q i)) (highest_of (service sw i) (A i) (q i)) ltac:(lra)). lra.
Qed.

Lemma balanced_bounds q x : balanced q x -> - fastest <= x <= fastest.
Proof.
  unfold balanced, fastest. intros H.
  assert (U := sum_le n (grows q x) (fun i => service sw i + A i) ltac:(intros; apply grows_bounds; auto)).
  assert (L := sum_le n (fun i => - (service sw i + A i)) (grows q x) ltac:(intros; apply grows_bounds; auto)).
  rewrite sum_opp in L. lra.
Qed.

(** The F' from which queue i cannot follow its threshold. *)
Definition leaves_at (i : nat) : R :=
  if Rlt_dec 0 (gain sw i) then (A i - service sw i) / gain sw i else if Rlt_dec (A i - service sw i) 0 then - (fastest + 1) else fastest + 1.
Definition rank (i : nat) : nat := total_of n (fun j => if Rlt_dec (leaves_at j) (leaves_at i) then 1 else 0)%nat.
Definition meeting_weight (i : nat) : nat := (S n ^ rank i)%nat.
Definition meetings_left (q : nat -> R) (x : R) : nat :=
  total_of n (fun i => can_meet (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x) * meeting_weight i)%nat.
Definition others_left (q : nat -> R) (x : R) : nat :=
  total_of n (fun i => other_events (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x)).
Definition events_left (q : nat -> R) (x : R) : nat := (meetings_left q x * S (4 * n) + others_left q x)%nat.

Lemma others_few q x : (others_left q x <= 4 * n)%nat.
Proof.
  unfold others_left. replace (4 * n)%nat with (total_of n (fun _ => 4%nat)) by (rewrite total_const; lia).
  apply total_le. intros. apply other_events_few.
Qed.

Lemma weight_positive i : (0 < meeting_weight i)%nat.
Proof. unfold meeting_weight. assert (S n ^ rank i <> 0)%nat by (apply Nat.pow_nonzero; lia). lia. Qed.

Lemma rank_less i : (i < n)%nat -> (rank i < n)%nat.
Proof.
  intros Hi. unfold rank. replace n with (total_of n (fun _ => 1%nat)) at 2 by (rewrite total_const; lia).
  apply total_lt with i; auto; [intros j Hj; destruct (Rlt_dec _ _); lia|destruct (Rlt_dec _ _); [lra|lia]].
Qed.

Lemma weight_less i j : (i < n)%nat -> leaves_at i < leaves_at j -> (S n * meeting_weight i <= meeting_weight j)%nat.
Proof.
  intros Hi H. unfold meeting_weight. rewrite <- Nat.pow_succ_r'. apply Nat.pow_le_mono_r; [lia|]. unfold rank.
  apply (total_lt n _ _ i); auto.
  - intros l Hl. destruct (Rlt_dec (leaves_at l) (leaves_at i)), (Rlt_dec (leaves_at l) (leaves_at j)); try lia; lra.
  - destruct (Rlt_dec (leaves_at i) (leaves_at i)), (Rlt_dec (leaves_at i) (leaves_at j)); try lia; lra.
Qed.

Lemma events_at_most q x : (events_left q x < (4 * n + 1) * (n + 1) ^ n)%nat.
Proof.
  rewrite !Nat.add_1_r.
  assert (M : (meetings_left q x < S n ^ n)%nat).
  { apply (Nat.mul_lt_mono_pos_l (S n)); [lia|]. unfold meetings_left. rewrite <- total_scal.
    apply Nat.le_lt_trans with (total_of n (fun _ => S n ^ n)%nat).
    - apply total_le. intros i Hi. assert (F := can_meet_few (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x)).
      assert (W : (S n * meeting_weight i <= S n ^ n)%nat).
      { unfold meeting_weight. rewrite <- Nat.pow_succ_r'. apply Nat.pow_le_mono_r; [lia|]. apply rank_less; auto. }
      destruct (can_meet _ _ _ _ _) as [|[|]]; lia.
    - rewrite total_const. assert (S n ^ n <> 0)%nat by (apply Nat.pow_nonzero; lia). rewrite Nat.mul_succ_l. lia. }
  assert (O := others_few q x). unfold events_left.
  apply Nat.lt_le_trans with (S (meetings_left q x) * S (4 * n))%nat; [cbn [Nat.mul]; lia|].
  rewrite (Nat.mul_comm (S (4 * n))). apply Nat.mul_le_mono_r. auto.
Qed.

(** An event: a queue runs empty, or meets its threshold. *)
Definition queue_event (q q' : nat -> R) (i : nat) : Prop := (0 < q i /\ q' i = 0) \/ (q i <> threshold_if sw q i /\ q' i = threshold_if sw q' i).

Theorem events_decrease q x d q' x' : (forall i, (i < n)%nat -> 0 <= q i) -> balanced q x -> 0 < d ->
  (forall i, (i < n)%nat -> q' i = q i + grows q x i * d /\ 0 <= q' i /\
     (q i < threshold_if sw q i -> q' i <= threshold_if sw q' i) /\ (threshold_if sw q i < q i -> threshold_if sw q' i <= q' i)) ->
  balanced q' x' -> (exists i, (i < n)%nat /\ queue_event q q' i) -> (events_left q' x' < events_left q x)%nat.
Proof.
  intros Hq Hx Hd Hs Hx' (e & He & Ee).
  assert (ET : forall i, threshold_if sw q' i = threshold_if sw q i + gain sw i * x * d).
  { intros i. unfold threshold_if. rewrite (sum_ext _ q' (fun j => q j + d * grows q x j)) by (intros j Hj; rewrite (proj1 (Hs j Hj)); ring).
    rewrite sum_plus, sum_scal. unfold balanced in Hx. change (sum (ports sw) (fun j => q j)) with (sum (ports sw) q).
    assert (E : sum (ports sw) (grows q x) = - x) by (unfold n in Hx; lra).
    change (fun j => grows q x j) with (grows q x). rewrite E. ring. }
  set (M := fun i => meets_from_below (service sw i) (A i) (q i) (threshold_if sw q i) (q' i) (threshold_if sw q' i)).
  assert (D : forall i, M i \/ ~ M i).
  { intros i. unfold M, meets_from_below. destruct (Rlt_dec (q i) (threshold_if sw q i)) as [a1|a1]; [|right; intros (b1 & _); auto].
    destruct (Req_dec (q' i) (threshold_if sw q' i)) as [a2|a2]; [|right; intros (_ & b2 & _); auto].
    destruct (Rlt_dec 0 (q' i)) as [a3|a3]; [left; auto|]. destruct (Rlt_dec (service sw i) (A i)) as [a4|a4]; [left; auto|].
    right. intros (_ & _ & [b3|b3]); auto. }
  destruct (greatest_index n M leaves_at D) as [None|(m & Hm & Mm & Top)].
  - assert (X : x' <= x).
    { destruct (Rle_dec x' x) as [|N]; auto. exfalso. unfold balanced in *. assert (G := grows_more q' x x' ltac:(lra)).
      assert (sum n (grows q x) <= sum n (grows q' x)); [|lra]. apply sum_le. intros i Hi.
      destruct (sane_now i Hi) as (K & C & L). destruct (Hs i Hi) as (H1 & H2 & H3 & H4).
      apply (next_rate (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x) (grows q x i) d); auto. apply None; auto. }
    assert (Y : forall i, (i < n)%nat -> gain sw i * x' <= gain sw i * x) by (intros i Hi; apply Rmult_le_compat_l; auto; apply sane_now; auto).
    assert (M1 : (meetings_left q' x' <= meetings_left q x)%nat).
    { apply total_le. intros i Hi. apply Nat.mul_le_mono_r. destruct (sane_now i Hi) as (K & C & L). destruct (Hs i Hi) as (H1 & H2 & H3 & H4).
      apply (can_meet_later (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x) (grows q x i) d); auto. right. split; auto. apply None; auto. }
    assert (O1 : forall i, (i < n)%nat ->
      (other_events (service sw i) (A i) (q' i) (threshold_if sw q' i) (gain sw i * x') <=
       other_events (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x))%nat /\
      (queue_event q q' i -> (other_events (service sw i) (A i) (q' i) (threshold_if sw q' i) (gain sw i * x') <
       other_events (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x))%nat)).
    { intros i Hi. destruct (sane_now i Hi) as (K & C & L). destruct (Hs i Hi) as (H1 & H2 & H3 & H4).
      apply (other_events_later (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x) (grows q x i) d); auto. apply None; auto. }
    assert (O2 : (others_left q' x' < others_left q x)%nat).
    { unfold others_left. apply total_lt with e; auto; [intros i Hi; apply O1; auto|apply O1; auto]. }
    unfold events_left. apply Nat.add_le_lt_mono; auto. apply Nat.mul_le_mono_r. auto.
  - assert (Slow : forall i, (i < n)%nat -> M i -> gain sw i * x < A i - service sw i).
    { intros i Hi Mi. destruct (sane_now i Hi) as (K & C & L). destruct (Hs i Hi) as (H1 & H2 & H3 & H4).
      apply (meets_slowly (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x) (grows q x i) d (q' i) (threshold_if sw q' i)); auto. }
    assert (X : x' < leaves_at m).
    { assert (Bx := balanced_bounds q x Hx). assert (Bx' := balanced_bounds q' x' Hx'). set (u := leaves_at m) in *.
      destruct (Rlt_dec fastest u) as [F|F]; [lra|].
      assert (Pos : forall i, (i < n)%nat -> M i -> 0 < gain sw i /\ x < leaves_at i /\ A i - service sw i <= gain sw i * u).
      { intros i Hi Mi. specialize (Slow i Hi Mi). specialize (Top i Hi Mi). revert Top. unfold leaves_at. destruct (Rlt_dec 0 (gain sw i)) as [K|K].
        - intros Top. split; [auto|]. split.
          + apply Rmult_lt_reg_l with (gain sw i); auto. replace (gain sw i * ((A i - service sw i) / gain sw i)) with (A i - service sw i) by (field; lra). auto.
          + replace (A i - service sw i) with (gain sw i * ((A i - service sw i) / gain sw i)) by (field; lra). apply Rmult_le_compat_l; lra.
        - destruct (sane_now i Hi) as (K' & _). assert (K0 : gain sw i = 0) by lra. destruct (Rlt_dec (A i - service sw i) 0); [|lra].
          intros _. exfalso. rewrite K0, Rmult_0_l in Slow. lra. }
      destruct (Rlt_dec x' u) as [|N]; auto. exfalso. destruct (Pos m Hm Mm) as (_ & Xm & _). fold u in Xm.
      assert (G := grows_more q' u x' ltac:(lra)). unfold balanced in *.
      assert (sum n (grows q x) <= sum n (grows q' u)); [|lra]. apply sum_le. intros i Hi.
      destruct (sane_now i Hi) as (K & C & L). destruct (Hs i Hi) as (H1 & H2 & H3 & H4). destruct (D i) as [Mi|Mi].
      + right. symmetry. apply (next_rate_meets (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x) (grows q x i) d (q' i) (threshold_if sw q' i)); auto.
        apply Pos; auto.
      + apply Rle_trans with (grows q' x i); [|apply growth_moves; auto; lra].
        apply (next_rate (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x) (grows q x i) d); auto. }
    assert (Low : forall i, (i < n)%nat -> leaves_at m <= leaves_at i -> gain sw i * x' <= A i - service sw i).
    { intros i Hi Hl. assert (Bx' := balanced_bounds q' x' Hx'). assert (X' : x' < leaves_at i) by lra. revert X'. unfold leaves_at.
      destruct (sane_now i Hi) as (K & C & L). destruct (Rlt_dec 0 (gain sw i)).
      - intros X'. left. apply Rmult_lt_compat_l with (r := gain sw i) in X'; auto.
        replace (gain sw i * ((A i - service sw i) / gain sw i)) with (A i - service sw i) in X' by (field; lra). auto.
      - assert (E0 : gain sw i = 0) by lra. rewrite E0, Rmult_0_l. destruct (Rlt_dec (A i - service sw i) 0); intros; lra. }
    assert (M1 : (meetings_left q' x' < meetings_left q x)%nat).
    { unfold meetings_left. apply (total_falls n _ _ (meeting_weight m) m); auto using weight_positive.
      - intros i Hi. destruct (sane_now i Hi) as (K & C & L). destruct (Hs i Hi) as (H1 & H2 & H3 & H4).
        destruct (Rlt_dec (leaves_at i) (leaves_at m)) as [Hl|Hl].
        + assert (W := weight_less i m Hi Hl). assert (F := can_meet_few (service sw i) (A i) (q' i) (threshold_if sw q' i) (gain sw i * x')).
          destruct (can_meet _ _ (q' i) _ _) as [|[|]]; lia.
        + assert (F : (can_meet (service sw i) (A i) (q' i) (threshold_if sw q' i) (gain sw i * x') <=
                       can_meet (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x))%nat).
          { apply (can_meet_later (service sw i) (A i) (q i) (threshold_if sw q i) (gain sw i * x) (grows q x i) d); auto. left. apply Low; auto. lra. }
          assert (F' := Nat.mul_le_mono_r _ _ (meeting_weight i) F). apply (Nat.mul_le_mono_l _ _ (S n)) in F'. lia.
      - destruct (sane_now m Hm) as (K & C & L). destruct (Hs m Hm) as (H1 & H2 & H3 & H4).
        assert (CM : can_meet (service sw m) (A m) (q m) (threshold_if sw q m) (gain sw m * x) = 1%nat /\
                     can_meet (service sw m) (A m) (q' m) (threshold_if sw q' m) (gain sw m * x') = 0%nat).
        { apply (can_meet_met (service sw m) (A m) (q m) (threshold_if sw q m) (gain sw m * x) (grows q x m) d); auto using Rle_refl. }
        destruct CM as [C1 C2].
        rewrite C1, C2. lia. }
    assert (O1 := others_few q' x'). unfold events_left.
    apply Nat.lt_le_trans with (S (meetings_left q' x') * S (4 * n))%nat; [cbn [Nat.mul]; lia|].
    apply Nat.le_trans with (meetings_left q x * S (4 * n))%nat; [apply Nat.mul_le_mono_r; auto|lia].
Qed.

End Events.
