(** LossPass paper, Sections 3.2.1 and 3.2.3: what can go on for ever, and what takes two packet sizes. *)
Require Import List Arith Lia Bool Permutation.
From DT Require Import AlgorithmPort AlgorithmLines.
Import ListNotations.

(** ** Large packets locked out (losspass.ours.locked-out) *)

(** n small packets; then, for ever, a service, a small packet, and a large one. *)
Fixpoint locked (n : nat) (f g : nat -> packet) (m : nat) : list event :=
  match m with
  | O => map (fun i => Arrival (f i)) (seq 0 n)
  | S j => locked n f g j ++ [Service; Arrival (f (n + j)); Arrival (g j)]
  end.

(** Whatever B_l: with packets of one size a, B = a n, no large packet is ever buffered; each is dropped. *)
Theorem losspass_locked_out a n Bl f g m p : 0 < a -> 1 <= n ->
  (forall i, kind (f i) = Small /\ size (f i) = a) -> (forall i, kind (g i) = Large /\ size (g i) = a) ->
  run work_conserving intended (a * n) Bl (locked n f g m) p ->
  Ql p = [] /\ evicted p = [] /\ length (Qs p) = n /\ dropped p = map g (seq 0 m).
Proof.
  intros Ha Hn Hf Hg. assert (G : run work_conserving intended (a * n) Bl (locked n f g m) p ->
    Forall (fun P => size P = a) (Qs p) /\ Ql p = [] /\ evicted p = [] /\ length (Qs p) = n /\
      dropped p = map g (seq 0 m)).
  2: { intros H. apply G, H. }
  assert (Fits : forall P q k, kind P = Small -> size P = a -> Forall (fun P => size P = a) (Qs q) -> Ql q = [] ->
    length (Qs q) = k -> k < n -> arrive intended (a * n) Bl P q = enqueue P q).
  { intros P q k K SP F L E Hk. apply losspass_line12. unfold overflows, buffered. rewrite L, app_nil_r, SP.
    rewrite (bytes_one_size a _ F). apply Nat.ltb_ge. nia. }
  revert p. induction m as [|m IH]; intros p H; cbn [locked] in H.
  - assert (Fill : forall k p, k <= n -> run work_conserving intended (a * n) Bl (map (fun i => Arrival (f i)) (seq 0
    k)) p ->
      Forall (fun P => size P = a) (Qs p) /\ Ql p = [] /\ evicted p = [] /\ length (Qs p) = k /\ dropped p = []).
    { clear p H. induction k as [|k IHk]; intros p Hk H.
      - inversion H as [E|es' ? ? ? E|es' ? ? ? ? E]; [repeat split; constructor|destruct es';
        discriminate|destruct es'; discriminate].
      - rewrite seq_S, map_app in H. simpl in H. apply run_snoc in H as (q & H & ->).
        destruct (IHk q ltac:(lia) H) as (F & L & V & E & D). destruct (Hf k) as [K SP].
        rewrite (Fits (f k) q k K SP F L E Hk). unfold enqueue. rewrite K. simpl.
        rewrite Forall_app, app_length, L, V, E, D. simpl. repeat split; auto. lia. }
    destruct (Fill n p (le_n n) H) as (F & L & V & E & D). auto.
  - rewrite seq_S, map_app.
    replace (locked n f g m ++ [Service; Arrival (f (n + m)); Arrival (g m)])
      with (((locked n f g m ++ [Service]) ++ [Arrival (f (n + m))]) ++ [Arrival (g m)]) in H
      by (rewrite <- !app_assoc; reflexivity).
    apply run_snoc in H as (p2 & H & ->). apply run_snoc in H as (p1 & H & ->). apply run_snoc in H as (p0 & H & W).
    destruct (IH p0 H) as (F & L & V & EL & D). destruct W as [De W]. destruct (Hf (n + m)) as [K SP],
      (Hg m) as [Kg Sg].
    assert (X : exists q, Qs p1 = q /\ Forall (fun P => size P = a) q /\ S (length q) = n /\ Ql p1 = [] /\
      evicted p1 = [] /\
      dropped p1 = map g (seq 0 m)).
    { inversion De as [P q p' Q X Y|P q p' Q X Y|p' X Y]; subst p' p1.
      - exists q. rewrite Q in F, EL. inversion F. simpl in *. repeat split; auto.
      - rewrite L in Q. discriminate.
      - destruct W; auto. unfold buffered. rewrite L, app_nil_r. intros Q. rewrite Q in EL. simpl in EL. lia. }
    destruct X as (q & X & F' & E' & L' & V' & D'). rewrite <- X in F', E'.
    rewrite (Fits (f (n + m)) p1 (length (Qs p1)) K SP F' L' eq_refl ltac:(lia)).
    unfold arrive, overflows, buffered, enqueue. rewrite K. simpl. rewrite L', app_nil_r, Kg, Sg, bytes_app,
      bytes_one, SP.
    rewrite (bytes_one_size a _ F'). replace (a * n <? a + (a * length (Qs p1) + a)) with true by
      (symmetry; apply Nat.ltb_lt; nia). simpl. rewrite Forall_app, app_length, V', D'. simpl.
    repeat split; auto; lia.
Qed.

(** ** The reading 'limited', and a reserve of a packet (losspass.ours.limited-admits, evicted-for-ever) *)

(** If line 12 too keeps Q_s within B - B_l, a large packet of at most B_l bytes that meets an empty Q_l is buffered,
    and one that is alone in Q_l is not evicted. *)
Theorem losspass_limited_lets_in B Bl es p P : Bl <= B -> run departure limited B Bl es p ->
  (kind P = Large -> size P <= Bl -> Ql p = [] -> arrive limited B Bl P p = enqueue P p) /\
  (forall v, Ql p = [v] -> size v <= Bl -> evicted (arrive limited B Bl P p) = evicted p /\
    In v (Ql (arrive limited B Bl P p))).
Proof.
  intros HB H. pose proof (losspass_limited B Bl es p HB H) as Q. split.
  - intros K SP L. unfold arrive, overflows, buffered. rewrite L, app_nil_r, K.
    replace (B <? size P + bytes (Qs p)) with false by (symmetry; apply Nat.ltb_ge; lia).
    unfold is. rewrite K. reflexivity.
  - intros v L Sv. destruct (arrive_cases limited B Bl P p) as [->|[(-> & _)|(w & r & V & K & O & _ & L4 & _)]].
    + simpl. rewrite L. simpl. auto.
    + unfold enqueue. destruct (kind P); simpl; rewrite L; simpl; auto.
    + exfalso. unfold line4, buffered in *. simpl in L4. apply Nat.leb_le in L4.
      rewrite bytes_app, L, bytes_one in O. lia.
Qed.

(** With packets of one size, of which B_l holds at least one, the head of Q_l is never evicted. *)
Theorem losspass_head_stays a B Bl es p P v q : run departure intended B Bl es p -> one_size a es -> a <= Bl ->
  Ql p = v :: q -> exists q', Ql (arrive intended B Bl P p) = v :: q'.
Proof.
  intros H A Ha L. destruct (arrive_cases intended B Bl P p) as [->|[(-> & _)|(w & r & V & K & O & _ & L4 & ->)]].
  - simpl. eauto.
  - unfold enqueue. destruct (kind P); simpl; rewrite L; simpl; eauto.
  - simpl. unfold enqueue. rewrite K. simpl. apply victim_tail in V. destruct r as [|x r].
    + exfalso. unfold line4, buffered in *. simpl in L4. apply Nat.leb_le in L4. rewrite bytes_app, V in O.
      destruct (one_size_queues a p (run_one_size _ _ _ _ _ _ H A)) as (_ & _ & _ & F). rewrite V in F.
        inversion F as [|? ? SW _].
      simpl in O. rewrite bytes_one in O. lia.
    + rewrite V in L. simpl in L. injection L as -> _. eauto.
Qed.

(** Without a reserve: a large packet, a small one, a service, for ever; each large packet is buffered, and evicted. *)
Fixpoint evicting (f g : nat -> packet) (m : nat) : list event :=
  match m with O => [] | S j => evicting f g j ++ [Arrival (g j); Arrival (f j); Service] end.
Theorem losspass_evicted_for_ever a f g m : 0 < a ->
  (forall i, kind (f i) = Small /\ size (f i) = a) -> (forall i, kind (g i) = Large /\ size (g i) = a) ->
  run priority intended a 0 (evicting f g m) (Port [] [] (map f (seq 0 m)) [] (map g (seq 0 m))) /\
  (1 <= m -> run priority intended a 0 (evicting f g (m - 1) ++ [Arrival (g (m - 1))])
     (Port [] [g (m - 1)] (map f (seq 0 (m - 1))) [] (map g (seq 0 (m - 1))))).
Proof.
  intros Ha Hf Hg.
  assert (R : forall m, port_after intended a 0 (evicting f g m) = Port [] [] (map f (seq 0 m)) [] (map g (seq 0 m)) /\
    port_after intended a 0 (evicting f g m ++ [Arrival (g m)]) = Port [] [g m] (map f (seq 0 m)) [] (map g (seq 0 m))).
  { assert (One : forall j, arrive intended a 0 (g j) (Port [] [] (map f (seq 0 j)) [] (map g (seq 0 j))) =
      Port [] [g j] (map f (seq 0 j)) [] (map g (seq 0 j))).
    { intros j. destruct (Hg j) as [K S]. rewrite losspass_line12; [unfold enqueue; rewrite K; reflexivity|].
      unfold overflows. rewrite S. apply Nat.ltb_ge. unfold buffered, bytes. simpl. lia. }
    assert (P : forall es e, port_after intended a 0 (es ++ [e]) =
      match e with Arrival P => arrive intended a 0 P (port_after intended a 0 es)
                 | Service => serve_first (port_after intended a 0 es) end)
      by (intros es e; unfold port_after; rewrite fold_left_app; reflexivity).
    intros j. induction j as [|j [IH IH']]; [split; [reflexivity|exact (One 0)]|].
    assert (E : port_after intended a 0 (evicting f g (S j)) =
      Port [] [] (map f (seq 0 (S j))) [] (map g (seq 0 (S j)))).
    { rewrite !seq_S, !map_app. cbn [evicting]. replace (evicting f g j ++ [Arrival (g j); Arrival (f j); Service])
        with (((evicting f g j ++ [Arrival (g j)]) ++ [Arrival (f j)]) ++ [Service]) by (rewrite <- !app_assoc;
          reflexivity).
      rewrite !(P _ Service), (P _ (Arrival (f j))), IH'. destruct (Hf j) as [K S], (Hg j) as [Kg Sg].
      unfold arrive, overflows, buffered, line4, bytes. simpl. rewrite K, S, Sg. simpl.
      replace (a <? a + (a + 0)) with true by (symmetry; apply Nat.ltb_lt; lia).
      rewrite Nat.leb_refl, !Nat.add_0_r, Nat.leb_refl. simpl. unfold enqueue. rewrite K. simpl. unfold serve_first.
        simpl.
      reflexivity. }
    split; [exact E|]. rewrite P, E. exact (One (S j)). }
  split.
  - destruct (R m) as [<- _]. apply losspass_run_exists.
  - intros _. destruct (R (m - 1)) as [_ <-]. apply losspass_run_exists.
Qed.

(** ** Strict priority starves large packets (losspass.ours.starvation-load) *)

(** In every reading and whatever B_l, if the port has room for a packet of each class: a large packet waits for ever.
    *)
Fixpoint starving (L : packet) (f : nat -> packet) (m : nat) : list event :=
  match m with O => [Arrival L] | S j => starving L f j ++ [Arrival (f j); Service] end.
Theorem losspass_starved rd B Bl L f s m : kind L = Large -> (forall i, kind (f i) = Small /\ size (f i) = s) ->
  size L + s <= B -> (line12_limited rd = true -> s + Bl <= B) ->
  run priority rd B Bl (starving L f m) (Port [] [L] (map f (seq 0 m)) [] []).
Proof.
  intros K Hf HB HL. assert (R : port_after rd B Bl (starving L f m) = Port [] [L] (map f (seq 0 m)) [] []).
  { induction m as [|j IH].
    - unfold port_after. simpl. unfold arrive, overflows, is, enqueue. rewrite K, andb_false_r. simpl.
      replace (B <? size L + bytes (buffered empty_port)) with false; [reflexivity|].
      symmetry. apply Nat.ltb_ge. unfold buffered, bytes. simpl. lia.
    - rewrite seq_S, map_app. unfold port_after in *. cbn [starving]. rewrite fold_left_app, IH. simpl.
      destruct (Hf j) as [Kf Sf].
      unfold arrive, overflows, is, enqueue, buffered, bytes. simpl. rewrite Kf, Sf, !Nat.add_0_r.
      replace (B <? s + size L) with false by (symmetry; apply Nat.ltb_ge; lia).
      destruct (line12_limited rd); simpl.
      + specialize (HL eq_refl). replace (B <? s + Bl) with false by (symmetry; apply Nat.ltb_ge; lia).
        unfold serve_first. simpl. reflexivity.
      + unfold serve_first. simpl. reflexivity. }
  rewrite <- R. apply losspass_run_exists.
Qed.

(** From p the events es lead to p', and at every service large packets wait while another one is served. *)
Definition services (es : list event) : nat := length (filter (fun e => match e with Service => true | _ => false
  end) es).
Inductive waits (rd : reading) (B Bl : nat) (p : port) : list event -> port -> Prop :=
| waits_none : waits rd B Bl p [] p
| waits_arrival es q P : waits rd B Bl p es q -> waits rd B Bl p (es ++ [Arrival P]) (arrive rd B Bl P q)
| waits_service es q q' : waits rd B Bl p es q -> priority q q' -> Ql q <> [] -> Ql q' = Ql q ->
    waits rd B Bl p (es ++ [Service]) q'.

(** It takes as many small packets as services: with fewer Q_s ends shorter than it began, so there is no such loop. *)
Theorem losspass_starvation_load rd B Bl p es p' : waits rd B Bl p es p' ->
  length (Qs p') + services es <= length (Qs p) + count Small (packets es) /\
  (count Small (packets es) < services es -> length (Qs p') < length (Qs p)).
Proof.
  intros H. assert (G : length (Qs p') + services es <= length (Qs p) + count Small (packets es)).
  { induction H as [|es q P H IH|es q q' H IH W N L]; [unfold services, count; simpl; lia| |];
      unfold services in *; rewrite packets_app, count_app, filter_app, app_length; simpl.
    - assert (length (Qs (arrive rd B Bl P q)) <= length (Qs q) + count Small [P]).
      { unfold count. simpl. destruct (arrive_cases rd B Bl P q) as [->|[(-> & _)|(v & r & _ & K & _ & _ & _ & ->)]].
        - simpl. lia.
        - unfold enqueue. destruct (kind P); simpl; rewrite ?app_length; simpl; lia.
        - rewrite K. simpl. destruct (line10_printed rd); simpl; [lia|]. unfold enqueue. rewrite K. simpl.
          rewrite app_length. simpl. lia. }
      lia.
    - destruct W as [[D W] _]. change (count Small []) with 0. inversion D as [P t r Q X Y|P t r Q X Y|r X Y]; subst;
      simpl in *.
      + rewrite Q in IH. simpl in IH. lia.
      + rewrite Q in L. apply (f_equal (@length packet)) in L. simpl in L. lia.
      + destruct W; auto. unfold buffered. intros E. apply app_eq_nil in E as [_ E]. contradiction. }
  split; [exact G|lia].
Qed.

(** ** Packets of two sizes (losspass.ours.same-size.sizes) *)

(** LossPass loses a small packet that tail drop saves; saves a large one that tail drop loses; loses more in total. *)
Theorem losspass_two_sizes :
  (exists es B p t P, run priority intended B 0 es p /\ run priority tail_drop B 0 es t /\
     kind P = Small /\ In P (lost p) /\ ~ In P (lost t)) /\
  (exists es B p t P, run priority intended B 0 es p /\ run priority tail_drop B 0 es t /\
     kind P = Large /\ ~ In P (lost p) /\ In P (lost t)) /\
  (exists es B p t, run priority intended B 0 es p /\ run priority tail_drop B 0 es t /\
    length (lost t) < length (lost p)).
Proof.
  set (l := fun i s => Packet i Large s). set (s := fun i z => Packet i Small z). repeat split.
  - exists [Arrival (l 0 2); Arrival (s 1 1); Arrival (s 2 1); Service; Arrival (s 3 2)], 2.
    eexists. eexists. exists (s 3 2). split; [apply losspass_run_exists|]. split; [apply losspass_run_exists|].
    simpl. intuition discriminate.
  - exists [Arrival (l 0 2); Arrival (s 1 1); Arrival (l 2 1)], 2.
    eexists. eexists. exists (l 2 1). split; [apply losspass_run_exists|]. split; [apply losspass_run_exists|].
    simpl. intuition discriminate.
  - exists [Arrival (l 0 2); Arrival (l 1 1); Arrival (s 2 1); Service; Arrival (s 3 2)], 3.
    eexists. eexists. split; [apply losspass_run_exists|]. split; [apply losspass_run_exists|]. simpl. lia.
Qed.
