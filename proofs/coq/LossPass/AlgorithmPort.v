(** LossPass paper, Section 3.2: one output port under Algorithm 1, packet by packet, for any trace.

    Q_s and Q_l are the queues of small and of large flows, from head to tail; they share the buffer of B bytes, of
    which B_l are reserved for Q_l. The print can be read in several ways: a [reading] says how. [intended] is what the
    prose describes: line 4 asks for "at most", line 10 is reached only if nothing was enqueued. [tail_drop] is the
    same algorithm with lines 2 to 9 struck out. Sizes are whole numbers of bytes (or of any smaller unit).           *)
Require Import List Arith Lia Bool Permutation.
Import ListNotations.

(** ** The port *)

Inductive class := Small | Large.
Record packet := Packet { number : nat; kind : class; size : nat }.
Definition bytes (q : list packet) : nat := list_sum (map size q).

(** The two queues, and what became of all the other packets that arrived. *)
Record port := Port { Qs : list packet; Ql : list packet;
                      departed : list packet; dropped : list packet; evicted : list packet }.
Definition empty_port : port := Port [] [] [] [] [].
Definition buffered (p : port) : list packet := Qs p ++ Ql p.
Definition lost (p : port) : list packet := dropped p ++ evicted p.

Definition is (c : class) (P : packet) : bool :=
  match c, kind P with Small, Small | Large, Large => true | _, _ => false end.
Definition count (c : class) (q : list packet) : nat := length (filter (is c) q).

(** ** Algorithm 1 *)

(** The packet P_t^l of line 3 with the rest of Q_l: its tail; its head in the variant of Section 4.1; or none. *)
Inductive choice := Tail | Head | Nobody.
Definition victim_of (c : choice) (q : list packet) : option (packet * list packet) :=
  match c with
  | Tail => match rev q with [] => None | v :: r => Some (v, rev r) end
  | Head => match q with [] => None | v :: r => Some (v, r) end
  | Nobody => None
  end.

Record reading := Reading { line4_printed : bool; line10_printed : bool; line12_limited : bool; victim : choice }.
Definition intended : reading := Reading false false false Tail.
Definition literal : reading := Reading true true false Tail.
Definition limited : reading := Reading false false true Tail.
Definition tail_drop : reading := Reading false false false Nobody.

Definition enqueue (P : packet) (p : port) : port :=
  match kind P with
  | Small => Port (Qs p ++ [P]) (Ql p) (departed p) (dropped p) (evicted p)
  | Large => Port (Qs p) (Ql p ++ [P]) (departed p) (dropped p) (evicted p)
  end.
Definition drop (P : packet) (p : port) : port := Port (Qs p) (Ql p) (departed p) (dropped p ++ [P]) (evicted p).
Definition evict (v : packet) (rest : list packet) (p : port) : port :=
  Port (Qs p) rest (departed p) (dropped p) (evicted p ++ [v]).

(** Line 1; line 4 as meant, P.len + Q_s.len <= B - B_l, and as printed, with >=. *)
Definition overflows (B : nat) (P : packet) (p : port) : bool := B <? size P + bytes (buffered p).
Definition line4 (rd : reading) (B Bl : nat) (P : packet) (p : port) : bool :=
  if line4_printed rd then B <=? size P + bytes (Qs p) + Bl else size P + bytes (Qs p) + Bl <=? B.

Definition arrive (rd : reading) (B Bl : nat) (P : packet) (p : port) : port :=
  if overflows B P p then                                               (* line 1 *)
    match kind P, victim_of (victim rd) (Ql p) with                     (* line 2 *)
    | Small, Some (v, rest) =>
        if (size P <=? size v) && line4 rd B Bl P p then                (* lines 3 and 4 *)
          if line10_printed rd then drop P (evict v rest p)             (* lines 5, 6, and 10 after them *)
          else enqueue P (evict v rest p)                               (* lines 5 and 6 *)
        else drop P p                                                   (* line 10 *)
    | _, _ => drop P p                                                  (* line 10 *)
    end
  else if line12_limited rd && is Small P && (B <? size P + bytes (Qs p) + Bl) then drop P p
  else enqueue P p.                                                     (* line 12 *)

(** ** Traces *)

(** A service lets the head of one of the queues depart, or nothing. *)
Inductive departure : port -> port -> Prop :=
| serve_small P q p : Qs p = P :: q -> departure p (Port q (Ql p) (departed p ++ [P]) (dropped p) (evicted p))
| serve_large P q p : Ql p = P :: q -> departure p (Port (Qs p) q (departed p ++ [P]) (dropped p) (evicted p))
| serve_none p : departure p p.

(** A work-conserving scheduler lets one depart whenever there is one; with strict priority it is small if possible. *)
Definition work_conserving (p p' : port) : Prop := departure p p' /\ (buffered p <> [] -> p' <> p).
Definition priority (p p' : port) : Prop := work_conserving p p' /\ (Qs p <> [] -> Ql p' = Ql p).

Inductive event := Arrival (P : packet) | Service.
Definition packets (es : list event) : list packet :=
  flat_map (fun e => match e with Arrival P => [P] | Service => [] end) es.

(** The port after the events es, from the empty port; [schedule] may choose anew at every service. *)
Inductive run (schedule : port -> port -> Prop) (rd : reading) (B Bl : nat) : list event -> port -> Prop :=
| run_empty : run schedule rd B Bl [] empty_port
| run_arrival es p P : run schedule rd B Bl es p -> run schedule rd B Bl (es ++ [Arrival P]) (arrive rd B Bl P p)
| run_service es p p' : run schedule rd B Bl es p -> schedule p p' -> run schedule rd B Bl (es ++ [Service]) p'.

Lemma run_snoc S rd B Bl es e p : run S rd B Bl (es ++ [e]) p ->
  exists p0, run S rd B Bl es p0 /\ match e with Arrival P => p = arrive rd B Bl P p0 | Service => S p0 p end.
Proof.
  intros H. inversion H as [E|es' p' P R E E'|es' p' p'' R D E E'].
  - destruct es; discriminate.
  - apply app_inj_tail in E as [-> <-]. exists p'. auto.
  - apply app_inj_tail in E as [-> <-]. exists p'. auto.
Qed.

(** ** Lengths and victims *)

Lemma bytes_app q r : bytes (q ++ r) = bytes q + bytes r.
Proof. unfold bytes. rewrite map_app, list_sum_app. reflexivity. Qed.

Lemma bytes_one P : bytes [P] = size P.
Proof. unfold bytes. simpl. lia. Qed.

Lemma count_app c q r : count c (q ++ r) = count c q + count c r.
Proof. unfold count. rewrite filter_app, app_length. reflexivity. Qed.

Lemma packets_app es e : packets (es ++ e) = packets es ++ packets e.
Proof. unfold packets. apply flat_map_app. Qed.

Lemma victim_tail q v r : victim_of Tail q = Some (v, r) <-> q = r ++ [v].
Proof.
  simpl. split.
  - destruct (rev q) eqn:E; [discriminate|]. intros H. injection H as <- <-.
    rewrite <- (rev_involutive q), E. reflexivity.
  - intros ->. rewrite rev_app_distr. simpl. rewrite rev_involutive. reflexivity.
Qed.

Lemma victim_none c q : c <> Nobody -> victim_of c q = None -> q = [].
Proof.
  destruct c; simpl; intros Hc H; [| |congruence].
  - destruct (rev q) eqn:E; [|discriminate]. rewrite <- (rev_involutive q), E. reflexivity.
  - destruct q; [reflexivity|discriminate].
Qed.

(** Whichever packet it is, the victim is in Q_l, and the rest is what it was. *)
Lemma victim_permutation c q v r : victim_of c q = Some (v, r) -> Permutation q (v :: r).
Proof.
  destruct c; intros H; [apply victim_tail in H as ->|destruct q; [discriminate|]|discriminate].
  - apply Permutation_sym, Permutation_cons_append.
  - simpl in H. injection H as <- <-. apply Permutation_refl.
Qed.

Lemma bytes_permutation q r : Permutation q r -> bytes q = bytes r.
Proof. unfold bytes. induction 1; simpl; lia. Qed.

Lemma count_permutation c q r : Permutation q r -> count c q = count c r.
Proof. unfold count. induction 1; simpl; repeat destruct (is c _); simpl; lia. Qed.

Lemma victim_bytes c q v r : victim_of c q = Some (v, r) -> bytes q = size v + bytes r.
Proof. intros H. apply victim_permutation, bytes_permutation in H. exact H. Qed.

(** ** What an arrival can do *)

(** In words: it is dropped; enqueued where it fits (line 12); takes the victim's place; or the victim alone goes. *)
Lemma arrive_cases rd B Bl P p :
  let p' := arrive rd B Bl P p in
  (p' = drop P p) \/
  (p' = enqueue P p /\ size P + bytes (buffered p) <= B /\
     (line12_limited rd = true -> kind P = Small -> size P + bytes (Qs p) + Bl <= B)) \/
  (exists v rest, victim_of (victim rd) (Ql p) = Some (v, rest) /\ kind P = Small /\
     B < size P + bytes (buffered p) /\ size P <= size v /\ line4 rd B Bl P p = true /\
     p' = if line10_printed rd then drop P (evict v rest p) else enqueue P (evict v rest p)).
Proof.
  unfold arrive, overflows, is. destruct (Nat.ltb_spec B (size P + bytes (buffered p))) as [O|O].
  - destruct (kind P) eqn:K; [|auto]. destruct (victim_of (victim rd) (Ql p)) as [[v r]|] eqn:V; [|auto].
    destruct (Nat.leb_spec (size P) (size v)); simpl; [|auto]. destruct (line4 rd B Bl P p) eqn:L; [|auto].
    right. right. exists v, r. repeat split; auto.
  - destruct (line12_limited rd) eqn:L, (kind P) eqn:K; simpl; try (right; left; repeat split; auto; congruence).
    destruct (Nat.ltb_spec B (size P + bytes (Qs p) + Bl)); auto 8.
Qed.

Lemma enqueue_bytes P p : bytes (buffered (enqueue P p)) = size P + bytes (buffered p).
Proof. unfold enqueue, buffered. destruct (kind P); simpl; rewrite ?bytes_app, ?bytes_one; lia. Qed.

Lemma evict_bytes c v rest p : victim_of c (Ql p) = Some (v, rest) ->
  size v + bytes (buffered (evict v rest p)) = bytes (buffered p).
Proof. intros H. apply victim_bytes in H. unfold buffered. simpl. rewrite !bytes_app. lia. Qed.

Lemma departure_bytes p p' : departure p p' -> bytes (buffered p') <= bytes (buffered p).
Proof.
  intros H. destruct H as [P q p E|P q p E|p]; unfold buffered; simpl; rewrite ?bytes_app, ?E; auto;
  change (bytes (P :: q)) with (size P + bytes q); lia.
Qed.

(** ** The invariants *)

(** Line 1 (losspass.alg1.line1): the test is true exactly when the packet does not fit. *)
Theorem losspass_line1 B P p : overflows B P p = true <-> ~ bytes (buffered (enqueue P p)) <= B.
Proof. unfold overflows. rewrite enqueue_bytes, Nat.ltb_lt. lia. Qed.

(** losspass.ours.feasible: whatever the reading, the scheduler and the trace, no more than B bytes are buffered. *)
Theorem losspass_feasible rd B Bl es p : run departure rd B Bl es p -> bytes (buffered p) <= B.
Proof.
  intros H. induction H as [|es p P _ IH|es p p' _ IH D]; [apply Nat.le_0_l| |].
  - destruct (arrive_cases rd B Bl P p) as [->|[(-> & F & _)|(v & r & V & _ & _ & F & _ & ->)]].
    + exact IH.
    + rewrite enqueue_bytes. exact F.
    + apply evict_bytes in V. destruct (line10_printed rd); [|rewrite enqueue_bytes; lia].
      change (buffered (drop P (evict v r p))) with (buffered (evict v r p)). lia.
  - apply departure_bytes in D. lia.
Qed.

Definition everything (p : port) : list packet := departed p ++ dropped p ++ evicted p ++ buffered p.

Definition packet_dec (P Q : packet) : {P = Q} + {P <> Q}.
Proof. repeat decide equality. Defined.

Lemma everything_enqueue P p : Permutation (everything (enqueue P p)) (everything p ++ [P]).
Proof.
  apply (Permutation_count_occ packet_dec). intros X. unfold everything, enqueue, buffered.
  destruct (kind P); simpl; rewrite ?count_occ_app; simpl; destruct (packet_dec _ _); lia.
Qed.

Lemma everything_drop P p : Permutation (everything (drop P p)) (everything p ++ [P]).
Proof.
  apply (Permutation_count_occ packet_dec). intros X. unfold everything, buffered.
  simpl; rewrite ?count_occ_app; simpl; destruct (packet_dec _ _); lia.
Qed.

Lemma everything_evict c v rest p : victim_of c (Ql p) = Some (v, rest) ->
  Permutation (everything (evict v rest p)) (everything p).
Proof.
  intros H. apply victim_permutation in H. apply (Permutation_count_occ packet_dec). intros X.
  apply (Permutation_count_occ packet_dec) with (x := X) in H. unfold everything, buffered. simpl in *.
  rewrite ?count_occ_app; simpl; destruct (packet_dec _ _); lia.
Qed.

Lemma everything_departure p p' : departure p p' -> Permutation (everything p') (everything p).
Proof.
  intros H. apply (Permutation_count_occ packet_dec). intros X. unfold everything, buffered.
  destruct H as [P q p E|P q p E|p]; simpl; rewrite ?E, ?count_occ_app; simpl; try destruct (packet_dec _ _); lia.
Qed.

Lemma everything_arrive rd B Bl P p : Permutation (everything (arrive rd B Bl P p)) (everything p ++ [P]).
Proof.
  destruct (arrive_cases rd B Bl P p) as [->|[(-> & _)|(v & r & V & _ & _ & _ & _ & ->)]].
  - apply everything_drop.
  - apply everything_enqueue.
  - apply everything_evict in V. destruct (line10_printed rd).
    + etransitivity; [apply everything_drop|]. apply Permutation_app_tail, V.
    + etransitivity; [apply everything_enqueue|]. apply Permutation_app_tail, V.
Qed.

(** losspass.ours.balance: the packets that arrived are those that departed, were dropped, were evicted, or are
    buffered; distinct packets are one of these only. *)
Theorem losspass_balance rd B Bl es p : run departure rd B Bl es p ->
  let all := departed p ++ dropped p ++ evicted p ++ buffered p in
  Permutation (packets es) all /\ (NoDup (packets es) -> NoDup all).
Proof.
  intros H all. assert (E : Permutation (packets es) all).
  { unfold all. change (Permutation (packets es) (everything p)). clear all.
    induction H as [|es p P _ IH|es p p' _ IH D]; [constructor| |]; rewrite packets_app; simpl.
    - etransitivity; [apply Permutation_app_tail, IH|]. apply Permutation_sym, everything_arrive.
    - rewrite app_nil_r. etransitivity; [apply IH|]. apply Permutation_sym, everything_departure, D. }
  split; auto. apply Permutation_NoDup, E.
Qed.

(** Q_s holds small packets only; Q_l, and what was evicted, large ones only (losspass.sec3.2.1.only-large, line5). *)
Theorem losspass_classes rd B Bl es p : run departure rd B Bl es p ->
  Forall (fun P => kind P = Small) (Qs p) /\ Forall (fun P => kind P = Large) (Ql p) /\
  Forall (fun P => kind P = Large) (evicted p).
Proof.
  intros H. induction H as [|es p P _ (I1 & I2 & I3)|es p p' _ (I1 & I2 & I3) D]; [repeat constructor| |].
  - destruct (arrive_cases rd B Bl P p) as [->|[(-> & _)|(v & r & V & K & _ & _ & _ & ->)]].
    + auto.
    + unfold enqueue. destruct (kind P) eqn:K; simpl; rewrite ?Forall_app; repeat split; auto.
    + apply victim_permutation in V. pose proof (Permutation_Forall V I2) as F. inversion F; subst.
      destruct (line10_printed rd); unfold enqueue; rewrite ?K; simpl; rewrite ?Forall_app; repeat split; auto.
  - destruct D as [P q p E|P q p E|p]; simpl; auto.
    + rewrite E in I1. inversion I1; auto.
    + rewrite E in I2. inversion I2; auto.
Qed.

(** ** Packets of one size *)

Definition one_size (a : nat) (es : list event) : Prop := Forall (fun P => size P = a) (packets es).

Lemma bytes_one_size a q : Forall (fun P => size P = a) q -> bytes q = a * length q.
Proof. intros H. induction H; [unfold bytes; simpl; lia|]. change (bytes (x :: l)) with (size x + bytes l). simpl.
  lia. Qed.

(** Every packet in the port or lost has the size of all. *)
Lemma run_one_size rd B Bl a es p : run departure rd B Bl es p -> one_size a es ->
  Forall (fun P => size P = a) (everything p).
Proof. intros H A. eapply Permutation_Forall; [|exact A]. apply (losspass_balance rd B Bl es p H). Qed.

Lemma one_size_queues a p : Forall (fun P => size P = a) (everything p) ->
  bytes (Qs p) = a * length (Qs p) /\ bytes (Ql p) = a * length (Ql p) /\
  bytes (buffered p) = a * length (buffered p) /\ Forall (fun P => size P = a) (Ql p).
Proof.
  unfold everything, buffered. rewrite !Forall_app. intros (_ & _ & _ & S & L).
  rewrite !(bytes_one_size a); auto. rewrite Forall_app. auto.
Qed.

(** ** The hypotheses can hold *)

(** Strict priority; the port that it gives, for every trace and every reading. *)
Definition serve_first (p : port) : port :=
  match Qs p, Ql p with
  | P :: q, _ => Port q (Ql p) (departed p ++ [P]) (dropped p) (evicted p)
  | [], P :: q => Port (Qs p) q (departed p ++ [P]) (dropped p) (evicted p)
  | [], [] => p
  end.
Definition port_after (rd : reading) (B Bl : nat) (es : list event) : port :=
  fold_left (fun p e => match e with Arrival P => arrive rd B Bl P p | Service => serve_first p end) es empty_port.

Lemma departed_longer P p q r : Port q r (departed p ++ [P]) (dropped p) (evicted p) <> p.
Proof.
  intros E. apply (f_equal (fun x => length (departed x))) in E. simpl in E. rewrite app_length in E. simpl in E. lia.
Qed.

Lemma serve_first_priority p : priority p (serve_first p).
Proof.
  unfold priority, work_conserving, serve_first, buffered. destruct (Qs p) as [|P q] eqn:E, (Ql p) as [|Q r] eqn:F.
  - split; [split; [constructor|]|]; intros N; destruct N; reflexivity.
  - split; [split|]; [|intros _; apply departed_longer|congruence].
    pose proof (serve_large Q r p F) as D. rewrite E in D. exact D.
  - split; [split|]; [|intros _; apply departed_longer|reflexivity].
    pose proof (serve_small P q p E) as D. rewrite F in D. exact D.
  - split; [split|]; [|intros _; apply departed_longer|reflexivity].
    pose proof (serve_small P q p E) as D. rewrite F in D. exact D.
Qed.

Theorem losspass_run_exists rd B Bl es : run priority rd B Bl es (port_after rd B Bl es).
Proof.
  induction es as [|e es IH] using rev_ind; [constructor|]. unfold port_after in *. rewrite fold_left_app. simpl.
  destruct e; econstructor; eauto. apply serve_first_priority.
Qed.

(** Every run under strict priority is one of a work-conserving scheduler, and that one of any scheduler. *)
Lemma runs (S S' : port -> port -> Prop) rd B Bl es p : (forall x y, S x y -> S' x y) ->
  run S rd B Bl es p -> run S' rd B Bl es p.
Proof. intros I H. induction H; econstructor; eauto. Qed.

Lemma priority_conserves rd B Bl es p : run priority rd B Bl es p -> run work_conserving rd B Bl es p.
Proof. apply runs. intros x y [H _]. exact H. Qed.

Lemma conserving_departs rd B Bl es p : run work_conserving rd B Bl es p -> run departure rd B Bl es p.
Proof. apply runs. intros x y [H _]. exact H. Qed.

(** Two bytes of buffer, packets of one byte: two large ones, then a small one, then a service.  *)
Definition two_large_one_small : list event :=
  [Arrival (Packet 0 Large 1); Arrival (Packet 1 Large 1); Arrival (Packet 2 Small 1); Service].

Theorem losspass_instance :
  run priority intended 2 0 two_large_one_small
    (Port [] [Packet 0 Large 1] [Packet 2 Small 1] [] [Packet 1 Large 1]) /\
  run work_conserving tail_drop 2 0 two_large_one_small
    (Port [] [Packet 1 Large 1] [Packet 0 Large 1] [Packet 2 Small 1] []) /\
  run priority literal 2 0 two_large_one_small
    (Port [] [Packet 1 Large 1] [Packet 0 Large 1] [Packet 2 Small 1] []) /\
  NoDup (packets two_large_one_small) /\ one_size 1 two_large_one_small.
Proof.
  repeat split.
  - exact (losspass_run_exists intended 2 0 two_large_one_small).
  - exact (priority_conserves _ _ _ _ _ (losspass_run_exists tail_drop 2 0 two_large_one_small)).
  - exact (losspass_run_exists literal 2 0 two_large_one_small).
  - repeat constructor; simpl; intuition congruence.
  - repeat constructor.
Qed.
