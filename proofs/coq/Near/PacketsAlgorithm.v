(** A switch that takes whole packets, run step by step, and how far it strays from the fluid: for ever within so many packets.

      [packet_run]         the algorithm: a packet enters if, when it is complete, its queue is below the threshold and the packet
                           fits; each port sends what it holds one after the other, and nothing is interrupted;
      [algorithm_packets]  its queues have what [in_packets] supposes;
      [algorithm_fluid]    for these arrivals there is a trajectory of the model;
      [algorithm_within]   so the queues stay within a bound of it; [algorithm_dt]: in packets, under DT.                     *)
Require Import Reals Lra Lia List.
From DT Require Import Calculus Fluid Existence Nearly Packets.
Import ListNotations.
Open Scope R_scope.

(** ** The algorithm *)

(** A packet that comes to a port at a constant rate, from its first bit to its last. *)
Record parcel := Parcel { to_port : nat; parcel_bytes : R; first_bit : R; last_bit : R }.
(** One that was admitted, and the instant at which its last bit is sent. *)
Record entered := Entered { what : parcel; leaves : R }.

(** The sum of f over those of a list that are at port j. *)
Fixpoint on_port {A : Type} (place : A -> nat) (f : A -> R) (j : nat) (l : list A) : R :=
  match l with [] => 0 | x :: rest => (if Nat.eq_dec (place x) j then f x else 0) + on_port place f j rest end.

Definition entered_at (k : entered) : nat := to_port (what k).

(** The packets that queue j holds at t: complete, and not yet sent. *)
Definition waiting (past : list entered) (j : nat) (t : R) : R :=
  on_port entered_at (fun k => if Rle_dec (last_bit (what k)) t then if Rlt_dec t (leaves k) then parcel_bytes (what k) else 0 else 0) j past.

(** When port j, at c or later, has sent all that it was given. *)
Fixpoint idle_from (past : list entered) (j : nat) (c : R) : R :=
  match past with [] => c | k :: rest => Rmax (if Nat.eq_dec (entered_at k) j then leaves k else c) (idle_from rest j c) end.

Section Algorithm.
Variable sw : switch.

Definition free_beside (past : list entered) (t : R) : R := buffer sw - sum (ports sw) (fun j => waiting past j t).

(** Whether a packet enters that is complete now. *)
Definition parcel_enters (past : list entered) (x : parcel) : Prop :=
  waiting past (to_port x) (last_bit x) < offset sw (to_port x) + gain sw (to_port x) * free_beside past (last_bit x) /\
  parcel_bytes x <= free_beside past (last_bit x).

Lemma parcel_enters_dec past x : {parcel_enters past x} + {~ parcel_enters past x}.
Proof.
  unfold parcel_enters. destruct (Rlt_dec (waiting past (to_port x) (last_bit x)) (offset sw (to_port x) + gain sw (to_port x) * free_beside past (last_bit x)));
    [|right; tauto]. destruct (Rle_dec (parcel_bytes x) (free_beside past (last_bit x))); [left|right]; tauto.
Qed.

Definition packet_step (past : list entered) (x : parcel) : list entered :=
  if parcel_enters_dec past x then Entered x (idle_from past (to_port x) (last_bit x) + parcel_bytes x / service sw (to_port x)) :: past else past.

(** All packets, the latest first. *)
Fixpoint packet_run (xs : list parcel) : list entered := match xs with [] => [] | x :: earlier => packet_step (packet_run earlier) x end.

(** ** What comes *)

(** The rate of what comes from b to e, h bytes in all, and how much has come. *)
Definition pulse (b e h t : R) : R := if Rle_dec b t then if Rlt_dec t e then h / (e - b) else 0 else 0.
Definition ramp (b e h t : R) : R := h / (e - b) * (Rmin e (Rmax b t) - b).

(** The rate at which packets come to port i. *)
Definition offered (xs : list parcel) (i : nat) (t : R) : R :=
  on_port to_port (fun x => pulse (first_bit x) (last_bit x) (parcel_bytes x) t) i xs.

(** Packets of at most p bytes, each coming within [wait] and no faster than r, one after the other at each port, from s on; they
    are listed by the instants at which they are complete. *)
Record orderly (p wait r s : R) (xs : list parcel) : Prop := {
  each_packet : forall x, In x xs -> (to_port x < ports sw)%nat /\ 0 < parcel_bytes x <= p /\ s <= first_bit x < last_bit x /\
    last_bit x <= first_bit x + wait /\ parcel_bytes x <= r * (last_bit x - first_bit x);
  in_order : ForallOrdPairs (fun x y => last_bit y <= last_bit x /\ (to_port x = to_port y -> last_bit y <= first_bit x)) xs
}.

(** ** Sums at one port *)

Lemma on_port_app {A} (place : A -> nat) f j l m : on_port place f j (l ++ m) = on_port place f j l + on_port place f j m.
Proof. induction l as [|x l IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma on_port_ext {A} (place : A -> nat) f g j l : (forall x, In x l -> place x = j -> f x = g x) -> on_port place f j l = on_port place g j l.
Proof.
  induction l as [|x l IH]; intros H; [reflexivity|]. simpl in *. rewrite IH by auto. destruct (Nat.eq_dec (place x) j); [rewrite H by auto|]; reflexivity.
Qed.

Lemma on_port_zero {A} (place : A -> nat) f j l : (forall x, In x l -> place x = j -> f x = 0) -> on_port place f j l = 0.
Proof.
  intros H. rewrite (on_port_ext place f (fun _ => 0)) by auto. induction l as [|x l IH]; simpl; [reflexivity|]. rewrite IH by (intros; apply H; simpl; auto).
  destruct (Nat.eq_dec (place x) j); ring.
Qed.

Lemma on_port_minus {A} (place : A -> nat) f g j l : on_port place (fun x => f x - g x) j l = on_port place f j l - on_port place g j l.
Proof. induction l as [|x l IH]; simpl; [ring|rewrite IH]. destruct (Nat.eq_dec (place x) j); ring. Qed.

Lemma on_port_nonneg {A} (place : A -> nat) f j l : (forall x, In x l -> 0 <= f x) -> 0 <= on_port place f j l.
Proof.
  induction l as [|x l IH]; intros H; simpl in *; [lra|]. assert (0 <= on_port place f j l) by auto. assert (0 <= f x) by auto.
  destruct (Nat.eq_dec (place x) j); lra.
Qed.

(** If of any two at one port one counts nothing, the sum is that of one. *)
Lemma one_at_a_time {A} (place : A -> nat) f j p l : 0 <= p -> (forall x, In x l -> 0 <= f x <= p) ->
  ForallOrdPairs (fun x y => place x = place y -> f x = 0 \/ f y = 0) l -> 0 <= on_port place f j l <= p.
Proof.
  intros Hp H O. induction O as [|x l O1 O2 IH]; simpl; [lra|]. assert (Hl : 0 <= on_port place f j l <= p) by (apply IH; intros; apply H; simpl; auto).
  assert (Hx := H x ltac:(simpl; auto)). destruct (Nat.eq_dec (place x) j) as [E|]; [|lra].
  destruct (Req_dec (f x) 0) as [Z|NZ]; [lra|]. rewrite on_port_zero; [lra|]. intros y Hy Ey. rewrite Forall_forall in O1.
  destruct (O1 y Hy ltac:(congruence)); [contradiction|auto].
Qed.

(** ** One packet on its way *)

Lemma pulse_off b e h t : t < b \/ e <= t -> pulse b e h t = 0.
Proof. intros H. unfold pulse. destruct (Rle_dec b t); [destruct (Rlt_dec t e)|]; lra. Qed.

Lemma pulse_nonneg b e h t : b < e -> 0 <= h -> 0 <= pulse b e h t.
Proof.
  intros Hb Hh. unfold pulse. destruct (Rle_dec b t); [destruct (Rlt_dec t e)|]; try lra.
  apply Rmult_le_pos; [auto|]. left. apply Rinv_0_lt_compat. lra.
Qed.

Lemma ramp_before b e h t : b < e -> t <= b -> ramp b e h t = 0.
Proof. intros H Ht. unfold ramp. rewrite Rmax_left, Rmin_right by lra. ring. Qed.

Lemma ramp_after b e h t : b < e -> e <= t -> ramp b e h t = h.
Proof. intros H Ht. unfold ramp. rewrite Rmax_right, Rmin_left by lra. field. lra. Qed.

Lemma ramp_within b e h t : b < e -> 0 <= h -> 0 <= ramp b e h t <= h.
Proof.
  intros H Hh. assert (K : 0 <= h / (e - b)) by (apply Rmult_le_pos; [auto|left; apply Rinv_0_lt_compat; lra]). unfold ramp.
  assert (E : h / (e - b) * (e - b) = h) by (field; lra).
  assert (B : b <= Rmin e (Rmax b t)) by (apply Rmin_glb; [lra|apply Rmax_l]). assert (B' : Rmin e (Rmax b t) <= e) by apply Rmin_l.
  split; [apply Rmult_le_pos; lra|]. rewrite <- E at 2. apply Rmult_le_compat_l; lra.
Qed.

Lemma ramp_slope b e h t : b < e -> right_derivative (ramp b e h) t (pulse b e h t).
Proof.
  intros H. unfold pulse. destruct (Rle_dec b t) as [L|L]; [destruct (Rlt_dec t e) as [K|K]|].
  - apply rd_affine. exists (e - t). split; [lra|]. intros d Hd. unfold ramp. rewrite !Rmax_right, !Rmin_right by (try rewrite Rmax_right; lra). ring.
  - apply rd_affine. exists 1. split; [lra|]. intros d Hd. rewrite !ramp_after by lra. ring.
  - apply rd_affine. exists (b - t). split; [lra|]. intros d Hd. rewrite !ramp_before by lra. ring.
Qed.

Lemma ramp_continuous b e h s tau : continuous_on (ramp b e h) s tau.
Proof.
  unfold ramp. apply (continuous_scal s tau (h / (e - b)) (fun t => Rmin e (Rmax b t) - b)). apply continuous_minus; [|apply continuous_const].
  apply (continuous_min s tau (fun _ => e) (fun t => Rmax b t)); [apply continuous_const|].
  apply (continuous_max s tau (fun _ => b) (fun t => t)); [apply continuous_const|].
  apply continuous_ext with (fun u => 1 * u + 0); [intros; ring|apply continuous_linear].
Qed.

(** ** What is admitted *)

Definition starts (k : entered) : R := leaves k - parcel_bytes (what k) / service sw (entered_at k).

(** Bytes of admitted packets that have come to port j and are not sent, and their rate of growth. *)
Definition come_bytes (ks : list entered) (j : nat) (t : R) : R := on_port entered_at (fun k => ramp (first_bit (what k)) (last_bit (what k)) (parcel_bytes (what k)) t) j ks.
Definition sent_bytes (ks : list entered) (j : nat) (t : R) : R := on_port entered_at (fun k => ramp (starts k) (leaves k) (parcel_bytes (what k)) t) j ks.
Definition coming (ks : list entered) (j : nat) (t : R) : R := on_port entered_at (fun k => pulse (first_bit (what k)) (last_bit (what k)) (parcel_bytes (what k)) t) j ks.
Definition sending (ks : list entered) (j : nat) (t : R) : R := on_port entered_at (fun k => pulse (starts k) (leaves k) (parcel_bytes (what k)) t) j ks.

Lemma run_in xs k : In k (packet_run xs) -> In (what k) xs.
Proof.
  induction xs as [|x xs IH]; simpl; [auto|]. unfold packet_step. destruct (parcel_enters_dec (packet_run xs) x); [intros [E|H]; [subst k|]|]; auto.
Qed.

Lemma run_split l x l' : exists newer, packet_run (l ++ x :: l') = newer ++ packet_step (packet_run l') x /\ forall k, In k newer -> In (what k) l.
Proof.
  induction l as [|y l (newer & E & H)]; [exists []; split; [reflexivity|intros k []]|]. simpl. unfold packet_step at 1.
  destruct (parcel_enters_dec (packet_run (l ++ x :: l')) y) as [e|e].
  - exists (Entered y (idle_from (packet_run (l ++ x :: l')) (to_port y) (last_bit y) + parcel_bytes y / service sw (to_port y)) :: newer).
    split; [simpl; rewrite <- E; reflexivity|]. intros k [K|K]; [subst k; auto|auto].
  - exists newer. split; [auto|]. intros k K. right. auto.
Qed.

Lemma idle_after ks j c : c <= idle_from ks j c.
Proof. induction ks as [|k ks IH]; simpl; [lra|]. eapply Rle_trans; [exact IH|apply Rmax_r]. Qed.

Lemma idle_sent ks j c k : In k ks -> entered_at k = j -> leaves k <= idle_from ks j c.
Proof.
  induction ks as [|y ks IH]; simpl; [intros []|]. intros [E|K] Ej.
  - subst y. destruct (Nat.eq_dec (entered_at k) j); [apply Rmax_l|congruence].
  - eapply Rle_trans; [apply IH; auto|apply Rmax_r].
Qed.

Lemma idle_is ks j c : idle_from ks j c = c \/ exists k, In k ks /\ entered_at k = j /\ leaves k = idle_from ks j c.
Proof.
  induction ks as [|y ks IH]; simpl; [auto|]. assert (A := idle_after ks j c).
  destruct (Nat.eq_dec (entered_at y) j) as [E|E].
  - destruct (Rle_dec (leaves y) (idle_from ks j c)) as [L|L].
    + rewrite Rmax_right by lra. destruct IH as [IH|(k & K & ?)]; [auto|right; exists k; auto].
    + rewrite Rmax_left by lra. right. exists y. auto.
  - rewrite Rmax_right by lra. destruct IH as [IH|(k & K & ?)]; [auto|right; exists k; auto].
Qed.

Section Run.
Variables p wait r s : R.
Hypothesis serves : forall i, (i < ports sw)%nat -> 0 < service sw i.
Hypothesis p_nonneg : 0 <= p.

Lemma orderly_less x xs : orderly p wait r s (x :: xs) -> orderly p wait r s xs.
Proof. intros [H O]. split; [intros; apply H; simpl; auto|]. inversion O. auto. Qed.

(** What each admitted packet, and any two, have. *)
Record lawful_queues (ks : list entered) : Prop := {
  each_kept : forall k, In k ks -> (entered_at k < ports sw)%nat /\ 0 < parcel_bytes (what k) <= p /\ s <= first_bit (what k) < last_bit (what k) /\
    last_bit (what k) <= starts k < leaves k;
  kept_in_order : ForallOrdPairs (fun k y => last_bit (what y) <= last_bit (what k) /\
    (entered_at k = entered_at y -> last_bit (what y) <= first_bit (what k) /\ leaves y <= starts k)) ks;
  (** A port that holds a packet sends one. *)
  busy : forall k t, In k ks -> last_bit (what k) <= t < leaves k -> exists y, In y ks /\ entered_at y = entered_at k /\ starts y <= t < leaves y
}.

Lemma run_sound xs : orderly p wait r s xs -> lawful_queues (packet_run xs).
Proof.
  induction xs as [|x xs IH]; intros H; [split; simpl; [intros k []|constructor|intros k t []]|].
  specialize (IH (orderly_less x xs H)). simpl. unfold packet_step. destruct (parcel_enters_dec (packet_run xs) x) as [_|_]; [|auto].
  destruct H as [H O]. destruct (H x ltac:(simpl; auto)) as (X1 & X2 & X3 & X4 & X5). inversion O as [|x' xs' O1 O2]; subst. rewrite Forall_forall in O1.
  set (c := idle_from (packet_run xs) (to_port x) (last_bit x)). set (k := Entered x (c + parcel_bytes x / service sw (to_port x))).
  assert (C : 0 < parcel_bytes x / service sw (to_port x)) by (apply Rdiv_lt_0_compat; [lra|apply serves; auto]).
  assert (S : starts k = c) by (unfold starts, k, entered_at; simpl; ring). assert (L : leaves k = c + parcel_bytes x / service sw (to_port x)) by reflexivity.
  assert (A := idle_after (packet_run xs) (to_port x) (last_bit x)). fold c in A. split.
  - intros y [E|Hy]; [subst y|apply (each_kept _ IH); auto]. unfold entered_at at 1. rewrite S, L. simpl. repeat split; try tauto; lra.
  - constructor; [|apply (kept_in_order _ IH)]. apply Forall_forall. intros y Hy. destruct (O1 (what y) (run_in xs y Hy)) as [P1 P2]. split; [exact P1|].
    intros E. split; [apply P2, E|]. rewrite S. apply idle_sent; [auto|symmetry; exact E].
  - intros y t [E|Hy] Ht.
    + subst y. simpl in Ht. destruct (Rle_dec c t) as [K|K].
      { exists k. rewrite S, L. simpl in *. repeat split; auto; lra. }
      destruct (idle_is (packet_run xs) (to_port x) (last_bit x)) as [Z|(y & Y1 & Y2 & Y3)]; [fold c in Z; lra|fold c in Y3].
      destruct (O1 (what y) (run_in xs y Y1)) as [P1 _]. destruct (busy _ IH y t Y1 ltac:(lra)) as (z & Z1 & Z2 & Z3).
      exists z. split; [right; auto|]. split; [rewrite Z2, Y2; reflexivity|auto].
    + destruct (busy _ IH y t Hy Ht) as (z & Z1 & Z2 & Z3). exists z. split; [right; auto|auto].
Qed.

Section Entered.
Variable ks : list entered.
Hypothesis fine : lawful_queues ks.

Lemma weaken_pairs (Rel Rel' : entered -> entered -> Prop) l : (forall k y, In k l -> In y l -> Rel k y -> Rel' k y) -> ForallOrdPairs Rel l -> ForallOrdPairs Rel' l.
Proof.
  intros W H. induction H as [|k l H1 H2 IH]; constructor.
  - rewrite Forall_forall in *. intros y Hy. apply W; simpl; auto.
  - apply IH. intros; apply W; simpl; auto.
Qed.

(** What has come of packets that are not complete, and has been sent of those that have not left: of one packet. *)
Lemma come_part j t : 0 <= on_port entered_at (fun k => ramp (first_bit (what k)) (last_bit (what k)) (parcel_bytes (what k)) t -
  (if Rle_dec (last_bit (what k)) t then parcel_bytes (what k) else 0)) j ks <= p.
Proof.
  apply one_at_a_time; auto.
  - intros k Hk. destruct (each_kept _ fine k Hk) as (_ & K1 & K2 & _). destruct (Rle_dec (last_bit (what k)) t).
    + rewrite ramp_after by lra. lra.
    + assert (W := ramp_within (first_bit (what k)) (last_bit (what k)) (parcel_bytes (what k)) t ltac:(lra) ltac:(lra)). lra.
  - eapply weaken_pairs; [|apply (kept_in_order _ fine)]. cbv beta. intros k y Hk Hy [_ P] E. destruct (P E) as [P1 _].
    destruct (each_kept _ fine k Hk) as (_ & K1 & K2 & _). destruct (each_kept _ fine y Hy) as (_ & Y1 & Y2 & _).
    destruct (Rle_dec t (first_bit (what k))) as [L|L].
    + left. rewrite ramp_before by lra. destruct (Rle_dec (last_bit (what k)) t); lra.
    + right. rewrite ramp_after by lra. destruct (Rle_dec (last_bit (what y)) t); lra.
Qed.

Lemma sent_part j t : 0 <= on_port entered_at (fun k => ramp (starts k) (leaves k) (parcel_bytes (what k)) t - (if Rle_dec (leaves k) t then parcel_bytes (what k) else 0)) j ks <= p.
Proof.
  apply one_at_a_time; auto.
  - intros k Hk. destruct (each_kept _ fine k Hk) as (_ & K1 & _ & K2). destruct (Rle_dec (leaves k) t).
    + rewrite ramp_after by lra. lra.
    + assert (W := ramp_within (starts k) (leaves k) (parcel_bytes (what k)) t ltac:(lra) ltac:(lra)). lra.
  - eapply weaken_pairs; [|apply (kept_in_order _ fine)]. cbv beta. intros k y Hk Hy [_ P] E. destruct (P E) as [_ P1].
    destruct (each_kept _ fine k Hk) as (_ & K1 & _ & K2). destruct (each_kept _ fine y Hy) as (_ & Y1 & _ & Y2).
    destruct (Rle_dec t (starts k)) as [L|L].
    + left. rewrite ramp_before by lra. destruct (Rle_dec (leaves k) t); lra.
    + right. rewrite ramp_after by lra. destruct (Rle_dec (leaves y) t); lra.
Qed.

Lemma near_whole j t : 0 <= waiting ks j t /\ Rabs (come_bytes ks j t - sent_bytes ks j t - waiting ks j t) <= p.
Proof.
  split.
  - apply on_port_nonneg. intros k Hk. destruct (each_kept _ fine k Hk) as (_ & K & _). destruct (Rle_dec _ _); [destruct (Rlt_dec _ _)|]; lra.
  - assert (A := come_part j t). assert (B := sent_part j t). rewrite on_port_minus in A, B. fold (come_bytes ks j t) in A. fold (sent_bytes ks j t) in B.
    assert (E : waiting ks j t = on_port entered_at (fun k => if Rle_dec (last_bit (what k)) t then parcel_bytes (what k) else 0) j ks -
      on_port entered_at (fun k => if Rle_dec (leaves k) t then parcel_bytes (what k) else 0) j ks).
    { rewrite <- on_port_minus. apply on_port_ext. intros k Hk _. destruct (each_kept _ fine k Hk) as (_ & _ & _ & K).
      destruct (Rle_dec (last_bit (what k)) t), (Rlt_dec t (leaves k)), (Rle_dec (leaves k) t); lra. }
    rewrite E. apply Rabs_le. lra.
Qed.

Lemma never_negative j t : 0 <= come_bytes ks j t - sent_bytes ks j t.
Proof.
  unfold come_bytes, sent_bytes. rewrite <- on_port_minus. apply on_port_nonneg. intros k Hk. destruct (each_kept _ fine k Hk) as (_ & K1 & K2 & K3).
  assert (W := ramp_within (first_bit (what k)) (last_bit (what k)) (parcel_bytes (what k)) t ltac:(lra) ltac:(lra)).
  assert (W' := ramp_within (starts k) (leaves k) (parcel_bytes (what k)) t ltac:(lra) ltac:(lra)).
  destruct (Rle_dec t (starts k)); [rewrite (ramp_before (starts k)) by lra; lra|rewrite (ramp_after (first_bit (what k))) by lra; lra].
Qed.

Lemma sums_continuous (b e : entered -> R) j u v : continuous_on (fun t => on_port entered_at (fun k => ramp (b k) (e k) (parcel_bytes (what k)) t) j ks) u v.
Proof.
  clear fine. induction ks as [|k l IH]; simpl; [apply continuous_const|]. apply (continuous_plus u v (fun t => if Nat.eq_dec (entered_at k) j then ramp (b k) (e k) (parcel_bytes (what k)) t else 0)); [|exact IH].
  destruct (Nat.eq_dec (entered_at k) j); [apply ramp_continuous|apply continuous_const].
Qed.

Lemma sums_slope (b e : entered -> R) j t : (forall k, In k ks -> b k < e k) ->
  right_derivative (fun t => on_port entered_at (fun k => ramp (b k) (e k) (parcel_bytes (what k)) t) j ks) t (on_port entered_at (fun k => pulse (b k) (e k) (parcel_bytes (what k)) t) j ks).
Proof.
  clear fine. induction ks as [|k l IH]; intros H; simpl; [apply rd_const|].
  apply (rd_plus t (fun t => if Nat.eq_dec (entered_at k) j then ramp (b k) (e k) (parcel_bytes (what k)) t else 0)); [|apply IH; intros; apply H; simpl; auto].
  destruct (Nat.eq_dec (entered_at k) j); [apply ramp_slope, H; simpl; auto|apply rd_const].
Qed.

(** A port sends one packet at a time, at its rate, and sends while it holds any. *)
Lemma sends_one j t : (j < ports sw)%nat -> 0 <= sending ks j t <= service sw j.
Proof.
  intros Hj. replace (sending ks j t) with (on_port entered_at (fun k => if Nat.eq_dec (entered_at k) j then pulse (starts k) (leaves k) (parcel_bytes (what k)) t else 0) j ks).
  2: { apply on_port_ext. intros k _ E. destruct (Nat.eq_dec (entered_at k) j); [reflexivity|contradiction]. }
  apply one_at_a_time; [left; auto| |].
  - intros k Hk. destruct (Nat.eq_dec (entered_at k) j) as [E|]; [|specialize (serves j Hj); lra]. destruct (each_kept _ fine k Hk) as (_ & K1 & K2 & K3).
    split; [apply pulse_nonneg; lra|]. assert (Sj := serves j Hj). unfold pulse. destruct (Rle_dec _ _); [destruct (Rlt_dec _ _)|]; try lra.
    right. unfold starts. rewrite E. field. lra.
  - eapply weaken_pairs; [|apply (kept_in_order _ fine)]. cbv beta. intros k y Hk Hy [_ P] E. destruct (P E) as [_ P1].
    destruct (Nat.eq_dec (entered_at k) j), (Nat.eq_dec (entered_at y) j); auto. destruct (Rlt_dec t (starts k)); [left|right]; apply pulse_off; lra.
Qed.

Lemma sends_while_busy j t : (j < ports sw)%nat -> 0 < waiting ks j t -> service sw j <= sending ks j t.
Proof.
  intros Hj Hw. assert (E : exists k, In k ks /\ entered_at k = j /\ last_bit (what k) <= t < leaves k).
  { revert Hw. unfold waiting. clear fine. induction ks as [|k l IH]; simpl; intros Hw; [lra|].
    destruct (Nat.eq_dec (entered_at k) j) as [E|]; [|destruct IH as (y & ? & ?); [lra|exists y; auto]].
    destruct (Rle_dec (last_bit (what k)) t), (Rlt_dec t (leaves k)); try (destruct IH as (y & ? & ?); [lra|exists y; auto]).
    exists k. auto. }
  destruct E as (k & Hk & Ek & Ht). destruct (busy _ fine k t Hk Ht) as (y & Hy & Ey & Hty). rewrite Ek in Ey. clear k Hk Ek Ht Hw.
  assert (Sj := serves j Hj).
  assert (Y : pulse (starts y) (leaves y) (parcel_bytes (what y)) t = service sw j).
  { unfold pulse. destruct (Rle_dec _ _); [destruct (Rlt_dec _ _)|]; try lra. destruct (each_kept _ fine y Hy) as (_ & K1 & _).
    unfold starts. rewrite Ey. field. lra. }
  rewrite <- Y. unfold sending. apply in_split in Hy. destruct Hy as (l & l' & El).
  assert (N : forall z, In z ks -> 0 <= pulse (starts z) (leaves z) (parcel_bytes (what z)) t).
  { intros z Hz. destruct (each_kept _ fine z Hz) as (_ & K1 & _ & K2). apply pulse_nonneg; lra. }
  rewrite El in N. rewrite El, on_port_app. simpl. destruct (Nat.eq_dec (entered_at y) j); [|contradiction].
  assert (0 <= on_port entered_at (fun k => pulse (starts k) (leaves k) (parcel_bytes (what k)) t) j l) by (apply on_port_nonneg; intros; apply N, in_or_app; auto).
  assert (0 <= on_port entered_at (fun k => pulse (starts k) (leaves k) (parcel_bytes (what k)) t) j l') by (apply on_port_nonneg; intros; apply N, in_or_app; simpl; auto).
  lra.
Qed.

End Entered.

(** ** The run follows the rule to within packets *)

Section Xs.
Variable xs : list parcel.
Hypothesis neat : orderly p wait r s xs.

Lemma offered_bounds i t : 0 <= r -> 0 <= offered xs i t <= r.
Proof.
  intros Hr. apply one_at_a_time; auto.
  - intros x Hx. destruct (each_packet _ _ _ _ _ neat x Hx) as (_ & X1 & X2 & _ & X3). split; [apply pulse_nonneg; lra|].
    unfold pulse. destruct (Rle_dec _ _); [destruct (Rlt_dec _ _)|]; try lra.
    apply Rmult_le_reg_r with (last_bit x - first_bit x); [lra|]. replace (parcel_bytes x / (last_bit x - first_bit x) * (last_bit x - first_bit x)) with (parcel_bytes x) by (field; lra). lra.
  - assert (I := in_order _ _ _ _ _ neat). induction I as [|x l I1 I2 IH]; constructor.
    + rewrite Forall_forall in *. intros y Hy E. destruct (I1 y Hy) as [_ P]. specialize (P E).
      destruct (Rlt_dec t (first_bit x)); [left|right]; apply pulse_off; lra.
    + apply IH. split; [intros; apply (each_packet _ _ _ _ _ neat); simpl; auto|auto].
Qed.

(** Of the packets that come to a port at one instant there is one. *)
Lemma only_one l x l' t : xs = l ++ x :: l' -> first_bit x <= t < last_bit x ->
  forall y, In y (l ++ l') -> to_port y = to_port x -> pulse (first_bit y) (last_bit y) (parcel_bytes y) t = 0.
Proof.
  intros E Ht y Hy Ey. assert (I := in_order _ _ _ _ _ neat). rewrite E in I. clear E. apply pulse_off. apply in_app_or in Hy.
  induction l as [|z l IH]; simpl in I; inversion I as [|z' l0 I1 I2]; subst; rewrite Forall_forall in I1.
  - destruct Hy as [[]|Hy]. destruct (I1 y Hy) as [_ P]. specialize (P ltac:(auto)). lra.
  - destruct Hy as [[K|Hy]|Hy]; [subst z|apply IH; auto|apply IH; auto].
    destruct (I1 x ltac:(apply in_or_app; simpl; auto)) as [_ P]. specialize (P ltac:(auto)). lra.
Qed.

Lemma offered_one l x l' t : xs = l ++ x :: l' -> first_bit x <= t < last_bit x -> offered xs (to_port x) t = pulse (first_bit x) (last_bit x) (parcel_bytes x) t.
Proof.
  intros E Ht. unfold offered. rewrite E, on_port_app. simpl. destruct (Nat.eq_dec (to_port x) (to_port x)); [|contradiction].
  assert (O := only_one l x l' t E Ht). rewrite !on_port_zero; [ring| |]; intros; apply O; auto; apply in_or_app; auto.
Qed.

End Xs.

Lemma coming_le xs j t : orderly p wait r s xs -> 0 <= coming (packet_run xs) j t <= offered xs j t.
Proof.
  induction xs as [|x xs IH]; intros H; [unfold coming, offered; simpl; lra|]. specialize (IH (orderly_less x xs H)).
  destruct (each_packet _ _ _ _ _ H x ltac:(simpl; auto)) as (_ & X1 & X2 & _).
  assert (N := pulse_nonneg (first_bit x) (last_bit x) (parcel_bytes x) t ltac:(lra) ltac:(lra)). unfold coming, offered in *. simpl. unfold packet_step.
  destruct (parcel_enters_dec (packet_run xs) x); unfold entered_at in *; simpl; destruct (Nat.eq_dec (to_port x) j); lra.
Qed.

(** What the algorithm compares with, when a packet is complete, are lengths near those of the bytes. *)
Lemma seen_near newer past j c : lawful_queues (newer ++ past) -> lawful_queues past -> (forall k, In k newer -> c <= last_bit (what k)) ->
  (forall k, In k past -> last_bit (what k) <= c) ->
  Rabs (waiting past j c - (come_bytes (newer ++ past) j c - sent_bytes (newer ++ past) j c)) <= p.
Proof.
  intros F F' New Old. unfold come_bytes, sent_bytes. rewrite !on_port_app.
  rewrite (on_port_zero entered_at (fun k => ramp (starts k) (leaves k) (parcel_bytes (what k)) c) j newer).
  2: { intros k Hk _. destruct (each_kept _ F k ltac:(apply in_or_app; auto)) as (_ & K1 & _ & K2). specialize (New k Hk). apply ramp_before; lra. }
  assert (N : 0 <= on_port entered_at (fun k => ramp (first_bit (what k)) (last_bit (what k)) (parcel_bytes (what k)) c) j newer <= p).
  { apply one_at_a_time; auto.
    - intros k Hk. destruct (each_kept _ F k ltac:(apply in_or_app; auto)) as (_ & K1 & K2 & _).
      assert (W := ramp_within (first_bit (what k)) (last_bit (what k)) (parcel_bytes (what k)) c ltac:(lra) ltac:(lra)). lra.
    - assert (I := kept_in_order _ F). assert (E : forall k, In k newer -> first_bit (what k) < last_bit (what k)).
      { intros k Hk. destruct (each_kept _ F k ltac:(apply in_or_app; auto)) as (_ & _ & K2 & _). lra. }
      clear F. induction newer as [|k l IH]; simpl in I; inversion I as [|k' l' I1 I2]; subst; constructor.
      + rewrite Forall_forall in *. intros y Hy Ey. left. destruct (I1 y ltac:(apply in_or_app; auto)) as [_ P]. destruct (P Ey) as [P1 _].
        assert (Hn := New y ltac:(simpl; auto)). apply ramp_before; [apply E; simpl; auto|lra].
      + apply IH; auto; intros; [apply New|apply E]; simpl; auto. }
  assert (S := sent_part past F' j c). rewrite on_port_minus in S.
  assert (W : waiting past j c = on_port entered_at (fun k => ramp (first_bit (what k)) (last_bit (what k)) (parcel_bytes (what k)) c) j past -
    on_port entered_at (fun k => if Rle_dec (leaves k) c then parcel_bytes (what k) else 0) j past).
  { rewrite <- on_port_minus. apply on_port_ext. intros k Hk _. destruct (each_kept _ F' k Hk) as (_ & K1 & K2 & K3). specialize (Old k Hk).
    rewrite ramp_after by lra. destruct (Rle_dec (last_bit (what k)) c), (Rlt_dec c (leaves k)), (Rle_dec (leaves k) c); lra. }
  rewrite W. apply Rabs_le. lra.
Qed.

Lemma orderly_past l x l' : orderly p wait r s (l ++ x :: l') -> orderly p wait r s l' /\
  (forall y, In y l' -> last_bit y <= last_bit x) /\ (forall y, In y l -> last_bit x <= last_bit y).
Proof.
  induction l as [|z l IH]; simpl; intros H.
  - split; [apply (orderly_less x), H|]. split; [|intros y []]. intros y Hy. assert (I := in_order _ _ _ _ _ H). inversion I as [|x' l0 I1 I2]; subst.
    rewrite Forall_forall in I1. destruct (I1 y Hy). auto.
  - destruct (IH (orderly_less z _ H)) as (A & B & C). split; [auto|]. split; [auto|]. intros y [E|Hy]; [subst y|auto].
    assert (I := in_order _ _ _ _ _ H). inversion I as [|x' l0 I1 I2]; subst. rewrite Forall_forall in I1.
    destruct (I1 x ltac:(apply in_or_app; simpl; auto)). auto.
Qed.

Theorem algorithm_packets xs room tau : 0 <= wait -> 0 <= r -> orderly p wait r s xs ->
  (forall i, (i < ports sw)%nat -> 0 <= gain sw i /\ 0 <= room /\ offset sw i + gain sw i * p <= room) ->
  in_packets sw (offered xs) p room wait s tau (tau + wait)
    (fun i t => come_bytes (packet_run xs) i t - sent_bytes (packet_run xs) i t) (fun i t => coming (packet_run xs) i t - sending (packet_run xs) i t) (waiting (packet_run xs)).
Proof.
  intros Hw Hr H Room. assert (F := run_sound xs H). split.
  - lra.
  - intros i t _ _. apply never_negative; auto.
  - intros i _. unfold come_bytes, sent_bytes. apply continuous_minus; apply sums_continuous.
  - intros i t _ _. unfold come_bytes, sent_bytes, coming, sending. apply rd_minus; apply sums_slope; intros k Hk; destruct (each_kept _ F k Hk) as (_ & _ & K1 & K2); lra.
  - intros i t _ _. apply near_whole; auto.
  - intros i t Hi _. assert (A := coming_le xs i t H). assert (B := sends_one (packet_run xs) F i t Hi).
    split; [lra|]. intros Hq. assert (K := sends_while_busy (packet_run xs) F i t Hi Hq). lra.
  - intros i t Hi Ht Pos.
    assert (X : exists x, In x xs /\ to_port x = i /\ first_bit x <= t < last_bit x).
    { revert Pos. unfold offered. clear. induction xs as [|x l IH]; simpl; intros Pos; [lra|].
      destruct (Nat.eq_dec (to_port x) i) as [E|]; [|destruct IH as (y & ? & ?); [lra|exists y; auto]]. unfold pulse at 1 in Pos.
      destruct (Rle_dec (first_bit x) t), (Rlt_dec t (last_bit x)); try (destruct IH as (y & ? & ?); [lra|exists y; auto]). exists x. auto. }
    destruct X as (x & Hx & Ei & Htx). destruct (each_packet _ _ _ _ _ H x Hx) as (_ & X1 & X2 & X3 & _).
    apply in_split in Hx. destruct Hx as (l & l' & Exs).
    assert (Past := H). rewrite Exs in Past. destruct (orderly_past l x l' Past) as (Hl' & Old & New).
    destruct (run_split l x l') as (newer & Er & Hn). rewrite <- Exs in Er.
    assert (F' := run_sound l' Hl').
    exists (last_bit x), (fun j => waiting (packet_run l') j (last_bit x)). split; [lra|]. split; [lra|]. split.
    { intros j Hj. assert (Old' : forall k, In k (packet_run l') -> last_bit (what k) <= last_bit x) by (intros k Hk; apply Old, (run_in l'), Hk).
      unfold packet_step in Er. destruct (parcel_enters_dec (packet_run l') x) as [e|e]; rewrite Er in F |- *.
      - change (newer ++ ?k :: packet_run l') with (newer ++ [k] ++ packet_run l') in *. rewrite app_assoc in *. apply seen_near; [auto|auto| |auto].
        intros k Hk. apply in_app_or in Hk. destruct Hk as [Hk|[Hk|[]]]; [apply New, Hn, Hk|subst k; simpl; lra].
      - apply seen_near; [auto|auto| |auto]. intros k Hk. apply New, Hn, Hk. }
    cbv zeta. assert (In' : forall u, t <= u < last_bit x -> first_bit x <= u < last_bit x) by (intros; lra).
    assert (Other : forall u, t <= u < last_bit x -> forall m, (forall k, In k m -> In (what k) (l ++ l')) ->
      on_port entered_at (fun k => pulse (first_bit (what k)) (last_bit (what k)) (parcel_bytes (what k)) u) i m = 0).
    { intros u Hu m Hm. apply on_port_zero. intros k Hk Ek. apply (only_one xs H l x l' u Exs (In' u Hu)); [apply Hm, Hk|unfold entered_at in Ek; congruence]. }
    assert (Olds : forall k, In k (packet_run l') -> In (what k) (l ++ l')) by (intros k Hk; apply in_or_app; right; apply (run_in l'), Hk).
    assert (News : forall k, In k newer -> In (what k) (l ++ l')) by (intros k Hk; apply in_or_app; left; apply Hn, Hk).
    destruct (Room i Hi) as (G & R0 & Rm). unfold packet_step in Er. destruct (parcel_enters_dec (packet_run l') x) as [e|e].
    + left. destruct e as [e _]. unfold free_beside in e. rewrite Ei in e. split; [lra|]. intros u Hu.
      assert (S := sends_one (packet_run xs) F i u Hi).
      assert (E : coming (packet_run xs) i u = offered xs i u).
      { rewrite <- Ei, (offered_one xs H l x l' u Exs (In' u Hu)), Ei. unfold coming. rewrite Er, on_port_app. simpl. rewrite !(Other u Hu) by auto.
        unfold entered_at at 1. simpl. destruct (Nat.eq_dec (to_port x) i); [ring|contradiction]. }
      rewrite E. lra.
    + right. assert (Z : forall u, t <= u < last_bit x -> coming (packet_run xs) i u = 0).
      { intros u Hu. unfold coming. rewrite Er, on_port_app, !(Other u Hu) by auto. ring. }
      split.
      * unfold parcel_enters, free_beside in e. rewrite Ei in e. set (f := buffer sw - sum (ports sw) (fun j => waiting (packet_run l') j (last_bit x))) in *.
        assert (N := near_whole (packet_run l') F' i (last_bit x)).
        destruct (Rlt_dec (waiting (packet_run l') i (last_bit x)) (offset sw i + gain sw i * f)) as [c|c]; [|lra].
        assert (f <= p) by (apply Rnot_lt_le; intros K; apply e; lra). assert (gain sw i * f <= gain sw i * p) by (apply Rmult_le_compat_l; auto). lra.
      * intros u Hu. rewrite (Z u Hu). assert (S := sends_one (packet_run xs) F i u Hi). split; [lra|]. intros Hq.
        assert (K := sends_while_busy (packet_run xs) F i u Hi Hq). lra.
Qed.

(** The queues that whole packets are taken from begin empty, and so does the fluid. *)
Lemma begins_empty xs i : orderly p wait r s xs -> come_bytes (packet_run xs) i s - sent_bytes (packet_run xs) i s = 0.
Proof.
  intros H. assert (F := run_sound xs H). unfold come_bytes, sent_bytes. rewrite !on_port_zero; [ring| |]; intros k Hk _; destruct (each_kept _ F k Hk) as (_ & _ & K1 & K2);
    apply ramp_before; lra.
Qed.

End Run.

(** ** The trajectory exists *)

Lemma offered_steady xs i t : exists d, 0 < d /\ forall u, t <= u < t + d -> offered xs i u = offered xs i t.
Proof.
  unfold offered. induction xs as [|x xs (d & Hd & IH)]; [exists 1; split; [lra|reflexivity]|]. simpl.
  assert (E : exists e, 0 < e /\ forall u, t <= u < t + e -> pulse (first_bit x) (last_bit x) (parcel_bytes x) u = pulse (first_bit x) (last_bit x) (parcel_bytes x) t).
  { unfold pulse. destruct (Rlt_dec t (first_bit x)) as [A|A].
    - exists (first_bit x - t). split; [lra|]. intros u Hu. destruct (Rle_dec (first_bit x) u), (Rle_dec (first_bit x) t); try lra; reflexivity.
    - destruct (Rlt_dec t (last_bit x)) as [B|B].
      + exists (last_bit x - t). split; [lra|]. intros u Hu. destruct (Rle_dec (first_bit x) u), (Rle_dec (first_bit x) t), (Rlt_dec u (last_bit x)); lra.
      + exists 1. split; [lra|]. intros u Hu. destruct (Rle_dec (first_bit x) u), (Rle_dec (first_bit x) t), (Rlt_dec u (last_bit x)); lra. }
  destruct E as (e & He & E). exists (Rmin d e). assert (Rmin d e <= d) by apply Rmin_l. assert (Rmin d e <= e) by apply Rmin_r.
  split; [apply Rmin_pos; auto|]. intros u Hu. rewrite IH, E by lra. reflexivity.
Qed.

Theorem algorithm_fluid xs p wait r s : 0 <= r -> (forall i, (i < ports sw)%nat -> 0 <= gain sw i /\ 0 < service sw i) -> orderly p wait r s xs ->
  exists Q D, (forall tau, trajectory sw (offered xs) s tau Q D) /\ forall i, (i < ports sw)%nat -> Q i s = 0.
Proof.
  intros Hr Hg H. destruct (fluid_continues sw (offered xs) s r (fun _ => 0)) as (Q & D & E & T).
  - intros i Hi. destruct (Hg i Hi). lra.
  - intros i t Hi Ht. apply (offered_bounds p wait r s xs H); auto.
  - intros t Ht. assert (N : forall n, exists d, 0 < d /\ forall i u, (i < n)%nat -> t <= u < t + d -> offered xs i u = offered xs i t).
    { induction n as [|n (d & Hd & IH)]; [exists 1; split; [lra|intros; lia]|]. destruct (offered_steady xs n t) as (e & He & K). exists (Rmin d e).
      assert (Rmin d e <= d) by apply Rmin_l. assert (Rmin d e <= e) by apply Rmin_r. split; [apply Rmin_pos; auto|]. intros i u Hi Hu.
      destruct (Nat.eq_dec i n) as [->|]; [apply K; lra|apply IH; [lia|lra]]. }
    destruct (N (ports sw)) as (d & Hd & K). exists d. auto.
  - intros; lra.
  - exists Q, D. auto.
Qed.

Theorem algorithm_within xs p room wait r s tau a Q D : 0 <= p -> 0 <= room -> 0 <= wait -> 0 <= a -> 0 <= r ->
  (forall i, (i < ports sw)%nat -> 0 <= gain sw i <= a /\ 0 < service sw i <= r /\ offset sw i + gain sw i * p <= room) ->
  orderly p wait r s xs -> trajectory sw (offered xs) s tau Q D -> (forall i, (i < ports sw)%nat -> Q i s = 0) ->
  forall t i, s <= t < tau -> (i < ports sw)%nat ->
    Rabs (waiting (packet_run xs) i t - Q i t) <= p + packet_slack (ports sw) a p room wait r * (2 * (1 + a) ^ (half_up (ports sw) - 1) - 1).
Proof.
  intros Hp Hm Hw Ha Hr Hg H T Z. assert (S : forall i, (i < ports sw)%nat -> 0 < service sw i) by (intros i Hi; destruct (Hg i Hi) as (_ & ? & _); lra).
  apply (packets_within sw (offered xs) p room wait r s tau (tau + wait) a Q D (fun i t => come_bytes (packet_run xs) i t - sent_bytes (packet_run xs) i t)
    (fun i t => coming (packet_run xs) i t - sending (packet_run xs) i t) (waiting (packet_run xs))); auto.
  - intros i Hi. destruct (Hg i Hi) as (? & ? & _). lra.
  - intros i t _ _. apply (offered_bounds p wait r s xs H); auto.
  - apply (algorithm_packets p wait r s S Hp); auto. intros i Hi. destruct (Hg i Hi) as (? & ? & ?). lra.
  - intros i Hi. rewrite (begins_empty p wait r s S xs i H), (Z i Hi). reflexivity.
Qed.

End Algorithm.

(** Under DT in packets: n ports of rate C, weights of at most a, packets of at most p bytes that each come within p/C. *)
Theorem algorithm_dt n w B C p r s tau a xs Q D : 0 <= p -> 0 < C <= r -> 0 <= a -> (forall i, (i < n)%nat -> 0 <= w i <= a) ->
  let sw := Switch n w (fun _ => 0) (fun _ => C) B in
  orderly sw p (p / C) r s xs -> trajectory sw (offered xs) s tau Q D -> (forall i, (i < n)%nat -> Q i s = 0) ->
  forall t i, s <= t < tau -> (i < n)%nat ->
    Rabs (waiting (packet_run sw xs) i t - Q i t) <= p * (1 + ((1 + a * INR n) * (1 + r / C) + a) * (2 * (1 + a) ^ (half_up n - 1) - 1)).
Proof.
  intros Hp HC Ha Hw sw H T Z t i Ht Hi. assert (W : 0 <= p / C) by (apply Rmult_le_pos; [auto|left; apply Rinv_0_lt_compat; lra]).
  assert (aP : 0 <= a * p) by (apply Rmult_le_pos; auto).
  assert (K := algorithm_within sw xs p (a * p) (p / C) r s tau a Q D Hp aP W Ha ltac:(lra)
    ltac:(intros j Hj; specialize (Hw j Hj); simpl; assert (w j * p <= a * p) by (apply Rmult_le_compat_r; lra); lra) H T Z t i Ht Hi).
  eapply Rle_trans; [exact K|]. right. unfold packet_slack. simpl. field. lra.
Qed.

(** Two packets of one byte at rate 2 to a port of rate 1 that has room for one; the second comes to a queue on its threshold. *)
Theorem algorithm_dt_instance : let sw := Switch 1 (fun _ => 1 / 2) (fun _ => 0) (fun _ => 1) 1 in
  let first := Parcel 0 1 0 (1 / 2) in let second := Parcel 0 1 (1 / 2) 1 in
  orderly sw 1 (1 / 1) 2 0 [second; first] /\ packet_run sw [second; first] = [Entered first (3 / 2)] /\
  exists Q D, (forall tau, trajectory sw (offered [second; first]) 0 tau Q D) /\ forall i, (i < 1)%nat -> Q i 0 = 0.
Proof.
  intros sw first second. assert (O : orderly sw 1 (1 / 1) 2 0 [second; first]).
  { split.
    - intros x [E|[E|[]]]; subst x; simpl; repeat split; try lia; lra.
    - repeat constructor; simpl; intros; lra. }
  assert (R1 : packet_run sw [first] = [Entered first (3 / 2)]).
  { simpl. unfold packet_step. destruct (parcel_enters_dec sw [] first) as [e|e].
    - simpl. f_equal. f_equal. lra.
    - exfalso. apply e. unfold parcel_enters, free_beside, waiting. simpl. lra. }
  split; [auto|]. split; [|apply (algorithm_fluid sw [second; first] 1 (1 / 1) 2 0); auto; simpl; intros; lra].
  change (packet_step sw (packet_run sw [first]) second = [Entered first (3 / 2)]). rewrite R1. unfold packet_step.
  destruct (parcel_enters_dec sw [Entered first (3 / 2)] second) as [[e _]|e]; [|reflexivity]. exfalso. revert e.
  unfold free_beside, waiting. simpl. destruct (Rle_dec (1 / 2) 1), (Rlt_dec 1 (3 / 2)); lra.
Qed.
