(** LossPass beside another port on the same trace, packets of one size: tail drop; small flows alone; any policy.

    Both ports see the same arrivals and the same services; each has a scheduler of its own. The theorems hold for every
    trace, so at every moment of every trace.                                                                         *)
Require Import List Arith Lia Bool Permutation.
From DT Require Import AlgorithmPort AlgorithmLines.
Import ListNotations.

(** ** One event more *)

Lemma one_size_snoc a es e : one_size a (es ++ [e]) ->
  one_size a es /\ match e with Arrival P => size P = a | Service => True end.
Proof.
  unfold one_size. rewrite packets_app, Forall_app. intros [H K]. destruct e; simpl in K; [|auto].
  inversion K; auto.
Qed.

(** A work-conserving service takes one packet, if there is one, from the buffer. *)
Lemma service_lengths p p' : work_conserving p p' ->
  dropped p' = dropped p /\ evicted p' = evicted p /\ length (buffered p') = pred (length (buffered p)) /\
  length (departed p') + length (buffered p') = length (departed p) + length (buffered p).
Proof.
  intros [D W]. destruct D as [P q p E|P q p E|p]; unfold buffered in *; simpl; rewrite ?E, ?app_length; simpl.
  - repeat split; lia.
  - repeat split; lia.
  - destruct (Qs p ++ Ql p) eqn:E; [|destruct W; congruence].
    apply app_eq_nil in E as [-> ->]. auto.
Qed.

(** What an arrival does to the port under Algorithm 1 and under tail drop when both are equally long. *)
Lemma arrival_pair a B Bl Bt es p t P : run departure intended B Bl es p -> run departure tail_drop B Bt es t ->
  one_size a (es ++ [Arrival P]) -> length (buffered p) = length (buffered t) ->
  let p' := arrive intended B Bl P p in let t' := arrive tail_drop B Bt P t in
  overflows B P p = overflows B P t /\
  (overflows B P p = false -> p' = enqueue P p /\ t' = enqueue P t) /\
  (overflows B P p = true -> t' = drop P t /\
     (p' = drop P p \/ exists v rest, kind P = Small /\ kind v = Large /\ Ql p = rest ++ [v] /\
        p' = enqueue P (evict v rest p))).
Proof.
  intros Rp Rt A L p' t'. apply one_size_snoc in A as [A SP].
  destruct (one_size_queues a p (run_one_size _ _ _ _ _ _ Rp A)) as (_ & _ & Bp & _).
  destruct (one_size_queues a t (run_one_size _ _ _ _ _ _ Rt A)) as (_ & _ & Bt' & _).
  assert (O : overflows B P p = overflows B P t) by (unfold overflows; congruence).
  split; [exact O|]. unfold t', arrive. rewrite <- O. split; intros E; rewrite E.
  - unfold p', arrive. rewrite E. auto.
  - split; [destruct (kind P); reflexivity|].
    destruct (arrive_cases intended B Bl P p) as [C|[(_ & F & _)|(v & r & V & K & _ & _ & _ & C)]].
    + auto.
    + apply Nat.ltb_lt in E. lia.
    + right. exists v, r. apply victim_tail in V.
      destruct (losspass_classes _ _ _ _ _ Rp) as (_ & G & _). rewrite V in G. apply Forall_app in G as [_ G].
      inversion G; auto.
Qed.

Lemma enqueue_length P p : length (buffered (enqueue P p)) = S (length (buffered p)) /\
  departed (enqueue P p) = departed p /\ dropped (enqueue P p) = dropped p /\ evicted (enqueue P p) = evicted p.
Proof. unfold enqueue, buffered. destruct (kind P); simpl; rewrite ?app_length; simpl; repeat split; lia. Qed.

Lemma drop_keeps P p : buffered (drop P p) = buffered p.
Proof. reflexivity. Qed.

(** ** The same-size theorem *)

(** losspass.ours.same-size: the ports hold, send and lose equally many packets; a small packet that LossPass loses is
    lost by tail drop, a large one that tail drop loses by LossPass; each eviction saves one small packet for one
    large one. *)
Theorem losspass_same_size a B Bl Bt es p t : one_size a es ->
  run work_conserving intended B Bl es p -> run work_conserving tail_drop B Bt es t ->
  length (buffered p) = length (buffered t) /\ length (departed p) = length (departed t) /\
  (forall P, kind P = Small -> In P (lost p) -> In P (lost t)) /\
  (forall P, kind P = Large -> In P (lost t) -> In P (lost p)) /\
  length (lost p) = length (lost t) /\
  count Small (lost t) = count Small (lost p) + length (evicted p) /\
  count Large (lost p) = count Large (lost t) + length (evicted p).
Proof.
  revert p t. induction es as [|e es IH] using rev_ind; intros p t A Rp Rt.
  - inversion Rp; [|destruct es; discriminate|destruct es; discriminate].
    inversion Rt; [|destruct es; discriminate|destruct es; discriminate]. repeat split; auto.
  - apply run_snoc in Rp as (p0 & Rp & Ep). apply run_snoc in Rt as (t0 & Rt & Et).
    pose proof A as AA. apply one_size_snoc in A as [A SP].
    destruct (IH p0 t0 A Rp Rt) as (I1 & I2 & I3 & I4 & I5 & I6 & I7). unfold lost in *.
    destruct e as [P|].
    + destruct (arrival_pair a B Bl Bt es p0 t0 P (conserving_departs _ _ _ _ _ Rp) (conserving_departs _ _ _ _ _ Rt)
        AA I1) as (_ & C1 & C2).
      rewrite <- Ep, <- Et in *. destruct (overflows B P p0).
      * destruct (C2 eq_refl) as [-> [->|(v & r & KP & KV & V & ->)]]; clear C1 C2.
        -- rewrite !drop_keeps. simpl. rewrite !count_app, !app_length in *. repeat split; try lia; intros Q KQ IQ;
           [specialize (I3 Q KQ)|specialize (I4 Q KQ)]; rewrite ?in_app_iff in *; tauto.
        -- destruct (enqueue_length P (evict v r p0)) as (E1 & -> & -> & ->). simpl.
           assert (L : S (length (buffered (evict v r p0))) = length (buffered p0))
             by (unfold buffered; simpl; rewrite V, !app_length; simpl; lia).
           rewrite !count_app, !app_length in *. unfold count, is in *. simpl. rewrite KP, KV. simpl.
           rewrite drop_keeps.
           repeat split; try lia; intros Q KQ IQ; [specialize (I3 Q KQ)|specialize (I4 Q KQ)];
             rewrite ?in_app_iff in *; simpl in *.
           ++ destruct IQ as [?|[?|[->|[]]]]; [tauto|tauto|congruence].
           ++ destruct IQ as [[?|[->|[]]]|?]; [tauto|congruence|tauto].
      * destruct (C1 eq_refl) as [-> ->].
        destruct (enqueue_length P p0) as (-> & -> & -> & ->), (enqueue_length P t0) as (-> & -> & -> & ->).
        repeat split; auto.
    + apply service_lengths in Ep as (-> & -> & P1 & P2), Et as (-> & -> & T1 & T2). repeat split; auto; lia.
Qed.

(** ... and arrival by arrival: the ports are full together; neither loses a packet that fits; at a full port tail
    drop loses the one that arrives, and so does LossPass, unless that is small and it evicts one large packet
    instead. *)
Theorem losspass_same_size_arrival a B Bl Bt es p t P : one_size a (es ++ [Arrival P]) ->
  run work_conserving intended B Bl es p -> run work_conserving tail_drop B Bt es t ->
  let p' := arrive intended B Bl P p in let t' := arrive tail_drop B Bt P t in
  overflows B P p = overflows B P t /\
  (overflows B P p = false -> lost p' = lost p /\ lost t' = lost t) /\
  (overflows B P p = true -> evicted t' = evicted t /\ dropped t' = dropped t ++ [P] /\
     (evicted p' = evicted p /\ dropped p' = dropped p ++ [P] \/
      kind P = Small /\ dropped p' = dropped p /\ exists v, kind v = Large /\ evicted p' = evicted p ++ [v])).
Proof.
  intros A Rp Rt p' t'. pose proof (one_size_snoc _ _ _ A) as [A0 _].
  destruct (losspass_same_size a B Bl Bt es p t A0 Rp Rt) as (L & _).
  destruct (arrival_pair a B Bl Bt es p t P (conserving_departs _ _ _ _ _ Rp) (conserving_departs _ _ _ _ _ Rt) A L)
    as (O & C1 & C2).
  fold p' in C1, C2. fold t' in C1, C2. split; [exact O|]. split; intros E.
  - destruct (C1 E) as [-> ->]. unfold lost.
    destruct (enqueue_length P p) as (_ & _ & -> & ->), (enqueue_length P t) as (_ & _ & -> & ->). auto.
  - destruct (C2 E) as [-> [->|(v & r & KP & KV & V & ->)]]; simpl; repeat split; auto.
    right. destruct (enqueue_length P (evict v r p)) as (_ & _ & -> & ->). eauto.
Qed.

(** ** Small flows alone *)

(** The same trace without its large packets: the services stay. *)
Definition small_only (es : list event) : list event :=
  filter (fun e => match e with Arrival P => is Small P | Service => true end) es.

Lemma small_only_snoc es e : small_only (es ++ [e]) =
  small_only es ++ (if match e with Arrival P => is Small P | Service => true end then [e] else []).
Proof. unfold small_only. rewrite filter_app. reflexivity. Qed.

Lemma filter_none c q : Forall (fun P => kind P = c) q ->
  filter (is Small) q = match c with Small => q | Large => [] end.
Proof.
  intros H. induction H as [|P q E _ IH]; [destruct c; reflexivity|]. simpl. rewrite IH. rewrite E.
  destruct c; reflexivity.
Qed.

(** Strict priority serves the head of Q_s if there is one, else a large packet or nothing. *)
Lemma priority_service p p' : priority p p' -> dropped p' = dropped p /\ evicted p' = evicted p /\
  match Qs p with
  | P :: q => Qs p' = q /\ departed p' = departed p ++ [P]
  | [] => Qs p' = [] /\ (departed p' = departed p \/ exists P q, Ql p = P :: q /\ departed p' = departed p ++ [P])
  end.
Proof.
  intros [[D W] F]. destruct D as [P q p E|P q p E|p]; simpl in *.
  - rewrite E. auto.
  - rewrite E in F. destruct (Qs p) eqn:G; [eauto 8|]. specialize (F ltac:(discriminate)).
    apply (f_equal (@length packet)) in F. simpl in F. lia.
  - destruct (Qs p) eqn:G; auto. destruct W; auto. unfold buffered. rewrite G. discriminate.
Qed.

(** losspass.ours.isolation: under strict priority and without reserve Q_s is, at every moment, the queue of a port
    that small flows have for themselves, with the whole buffer B; the same small packets are lost and depart, in one
    order. *)
Theorem losspass_isolation a B Bi es p i : one_size a es ->
  run priority intended B 0 es p -> run work_conserving tail_drop B Bi (small_only es) i ->
  Qs p = buffered i /\ filter (is Small) (lost p) = lost i /\ filter (is Small) (departed p) = departed i.
Proof.
  intros A Rp Ri. assert (G : Ql i = [] /\ evicted i = [] /\ Qs p = Qs i /\
    filter (is Small) (dropped p) = dropped i /\ filter (is Small) (departed p) = departed i).
  { revert p i A Rp Ri. induction es as [|e es IH] using rev_ind; intros p i A Rp Ri.
    - inversion Rp; [|destruct es; discriminate|destruct es; discriminate].
      inversion Ri; [|destruct es; discriminate|destruct es; discriminate]. repeat split; auto.
    - rewrite small_only_snoc in Ri. apply run_snoc in Rp as (p0 & Rp & Ep).
      apply one_size_snoc in A as [A SP].
      destruct (losspass_classes _ _ _ _ _ (conserving_departs _ _ _ _ _ (priority_conserves _ _ _ _ _ Rp)))
        as (KS & KL & _).
      destruct (one_size_queues a p0 (run_one_size _ _ _ _ _ _ (conserving_departs _ _ _ _ _
        (priority_conserves _ _ _ _ _ Rp)) A)) as (SQ & SL & SB & FL).
      destruct e as [P|]; [destruct (is Small P) eqn:K; unfold is in K; destruct (kind P) eqn:KP; try discriminate|].
      + apply run_snoc in Ri as (i0 & Ri & ->). destruct (IH p0 i0 A Rp Ri) as (I1 & I2 & I3 & I4 & I5).
        assert (Bi0 : bytes (buffered i0) = bytes (Qs p0)) by (unfold buffered; rewrite I1, I3, app_nil_r; auto).
        rewrite Ep. unfold arrive, overflows. rewrite KP, Bi0. simpl.
        destruct (Nat.ltb_spec B (size P + bytes (buffered p0))) as [O|O].
        * destruct (rev (Ql p0)) as [|v r] eqn:V.
          -- assert (N : Ql p0 = []) by (rewrite <- (rev_involutive (Ql p0)), V; reflexivity).
             unfold buffered in O. rewrite N, app_nil_r in O. apply Nat.ltb_lt in O. rewrite O.
             simpl. rewrite filter_app. simpl. rewrite KP. rewrite I4. auto.
          -- assert (V' : victim_of Tail (Ql p0) = Some (v, rev r)) by (simpl; rewrite V; reflexivity).
             apply victim_tail in V'. rewrite V' in FL. apply Forall_app in FL as [_ FL]. inversion FL as [|? ? SV _].
             replace (size P <=? size v) with true by (symmetry; apply Nat.leb_le; lia).
             unfold line4. rewrite Nat.add_0_r.
             destruct (Nat.leb_spec (size P + bytes (Qs p0)) B), (Nat.ltb_spec B (size P + bytes (Qs p0))); try lia.
             ++ unfold enqueue. rewrite KP. simpl. rewrite I3. auto.
             ++ simpl. rewrite filter_app. simpl. rewrite KP. rewrite I4. auto.
        * unfold buffered in O. rewrite bytes_app in O.
          destruct (Nat.ltb_spec B (size P + bytes (Qs p0))); try lia. unfold enqueue. rewrite KP. rewrite I3.
            auto.
      + rewrite app_nil_r in Ri. rewrite Ep. unfold arrive.
        rewrite KP. destruct (overflows B P p0).
        * simpl. rewrite filter_app. simpl. rewrite KP, app_nil_r. auto.
        * unfold enqueue. rewrite KP. simpl. auto.
      + apply run_snoc in Ri as (i0 & Ri & Ei). destruct (IH p0 i0 A Rp Ri) as (I1 & I2 & I3 & I4 & I5).
        apply priority_service in Ep as (D & E & S). rewrite D, I4.
        destruct Ei as [De W]. inversion De as [P q j F X Y|P q j F X Y|j X Y]; subst; simpl.
        * rewrite I3, F in S. destruct S as [-> ->]. rewrite filter_app, I5. simpl.
          rewrite I3, F in KS. inversion KS as [|? ? KP _]. rewrite KP. auto.
        * rewrite I1 in F. discriminate.
        * destruct (Qs p0) eqn:Q.
          -- destruct S as [-> [->|(P & q & F & ->)]]; auto. rewrite filter_app, I5. simpl. rewrite F in KL.
             inversion KL as [|? ? KP _]. rewrite KP, app_nil_r. auto.
          -- destruct W; auto. unfold buffered. rewrite <- I3. discriminate. }
  destruct G as (G1 & G2 & G3 & G4 & G5). unfold buffered, lost. rewrite G1, G2, app_nil_r, filter_app, G4.
  destruct (losspass_classes _ _ _ _ _ (conserving_departs _ _ _ _ _ (priority_conserves _ _ _ _ _ Rp))) as (_ & _ & E).
  rewrite (filter_none Large _ E). auto.
Qed.

(** ** Any policy *)

(** Any way to use the buffer and the line: at an arrival and at a service it may lose whatever it likes, and a
    service lets one packet depart at most, whichever; b is what it holds, at most B bytes after each event, l what it
    lost. *)
Inductive policy (B : nat) : list event -> list packet -> list packet -> Prop :=
| policy_empty : policy B [] [] []
| policy_arrival es b l P b' l' : policy B es b l -> Permutation (b ++ [P]) (b' ++ l') -> bytes b' <= B ->
    policy B (es ++ [Arrival P]) b' (l ++ l')
| policy_service es b l d b' l' : policy B es b l -> Permutation b (d ++ b' ++ l') -> length d <= 1 ->
    policy B (es ++ [Service]) b' (l ++ l').

Lemma policy_snoc B es e b l : policy B (es ++ [e]) b l -> exists b0 l0 l', policy B es b0 l0 /\ l = l0 ++ l' /\
  match e with
  | Arrival P => Permutation (b0 ++ [P]) (b ++ l') /\ bytes b <= B
  | Service => exists d, Permutation b0 (d ++ b ++ l') /\ length d <= 1
  end.
Proof.
  intros H. inversion H as [E|es' b0 l0 P b' l' R M F E|es' b0 l0 d b' l' R M F E].
  - destruct es; discriminate.
  - apply app_inj_tail in E as [-> <-]. exists b0, l0, l'. auto.
  - apply app_inj_tail in E as [-> <-]. exists b0, l0, l'. eauto 6.
Qed.

(** A policy holds only packets that arrived, so with one size at most B / a of them. *)
Lemma policy_sizes a B es b l : one_size a es -> policy B es b l -> Forall (fun P => size P = a) b.
Proof.
  revert b l. induction es as [|e es IH] using rev_ind; intros b l A H.
  - inversion H; [constructor|destruct es; discriminate|destruct es; discriminate].
  - apply one_size_snoc in A as [A SP]. apply policy_snoc in H as (b0 & l0 & l' & H & _ & C).
    pose proof (IH b0 l0 A H) as I. destruct e as [P|].
    + destruct C as [C _]. assert (F : Forall (fun P => size P = a) (b0 ++ [P])) by (apply Forall_app; auto).
      apply (Permutation_Forall C), Forall_app in F as [F _]. exact F.
    + destruct C as (d & C & _). apply (Permutation_Forall C) in I. apply Forall_app in I as [_ I].
      apply Forall_app in I as [I _]. exact I.
Qed.

Lemma count_length c q : count c q <= length q.
Proof. unfold count. induction q; simpl; [lia|]. destruct (is c a); simpl; lia. Qed.

Lemma count_one c P : count c [P] = if is c P then 1 else 0.
Proof. unfold count. cbn [filter]. destruct (is c P); reflexivity. Qed.

Lemma one_size_small_only a es : one_size a es -> one_size a (small_only es).
Proof.
  induction es as [|e es IH] using rev_ind; intros A; [constructor|]. apply one_size_snoc in A as [A SP].
  rewrite small_only_snoc. unfold one_size. rewrite packets_app. apply Forall_app. split; [apply IH, A|].
  destruct e as [P|]; [|constructor]. destruct (is Small P); repeat constructor. exact SP.
Qed.

(** Beside the small flows' own port i: a policy has lost, and has lost or holds, at least as many small packets. *)
Lemma alone_is_least a B Bi es i b l : one_size a es -> run work_conserving tail_drop B Bi (small_only es) i ->
  policy B es b l ->
  length (lost i) + length (buffered i) <= count Small l + count Small b /\ length (lost i) <= count Small l.
Proof.
  revert i b l. induction es as [|e es IH] using rev_ind; intros i b l A R H.
  - inversion R; [|destruct es; discriminate|destruct es; discriminate]. simpl. lia.
  - pose proof (policy_sizes a B _ b l A H) as F. rewrite small_only_snoc in R.
    apply one_size_snoc in A as [A SP]. apply policy_snoc in H as (b0 & l0 & l' & H & -> & C). rewrite count_app.
    destruct e as [P|].
    + destruct C as [C W]. apply (count_permutation Small) in C. rewrite !count_app in C.
      destruct (is Small P) eqn:K.
      * apply run_snoc in R as (i0 & R & ->). destruct (IH i0 b0 l0 A R H) as [I1 I2].
        rewrite count_one, K in C.
        destruct (losspass_tail_drop B Bi P i0) as [-> _]. unfold overflows.
        destruct (Nat.ltb_spec B (size P + bytes (buffered i0))) as [O|O].
        -- rewrite drop_keeps. unfold lost in *. simpl. rewrite !app_length in *. simpl.
           pose proof (conserving_departs _ _ _ _ _ R) as D.
           pose proof (run_one_size _ _ _ _ _ _ D (one_size_small_only a es A)) as G.
           apply one_size_queues in G as (_ & _ & G & _).
           rewrite (bytes_one_size a b F) in W. pose proof (count_length Small b).
           assert (length b <= length (buffered i0)) by nia. lia.
        -- destruct (enqueue_length P i0) as (-> & _ & E & E'). unfold lost in *. rewrite E, E'. lia.
      * rewrite app_nil_r in R. destruct (IH i b0 l0 A R H) as [I1 I2].
        lia.
    + destruct C as (d & C & W). apply (count_permutation Small) in C. rewrite !count_app in C.
      apply run_snoc in R as (i0 & R & S). destruct (IH i0 b0 l0 A R H) as [I1 I2].
      apply service_lengths in S as (D & E & L & _). unfold lost in *. rewrite D, E, L.
      pose proof (count_length Small d). lia.
Qed.

(** losspass.ours.isolation, sec3.3.as-many, sec3.1.minimised: at no time has a policy with this buffer and line lost
    fewer small packets than LossPass has under strict priority and without reserve. *)
Theorem losspass_least a B es p b l : one_size a es -> run priority intended B 0 es p -> policy B es b l ->
  count Small (lost p) <= count Small l.
Proof.
  intros A R H. pose proof (priority_conserves _ _ _ _ _ (losspass_run_exists tail_drop B 0 (small_only es))) as Ri.
  destruct (losspass_isolation a B 0 es p _ A R Ri) as (_ & E & _).
  destruct (alone_is_least a B 0 es _ b l A Ri H) as [_ L]. unfold count at 1. rewrite E. exact L.
Qed.

(** LossPass itself is such a policy, in every reading, with any reserve and scheduler, and so is tail drop. *)
Theorem losspass_is_policy rd B Bl es p : run departure rd B Bl es p ->
  exists l, Permutation l (lost p) /\ policy B es (buffered p) l.
Proof.
  intros H. induction H as [|es p P R (l & L & IH)|es p p' R (l & L & IH) D].
  - exists []. split; [constructor|constructor].
  - pose proof (losspass_feasible _ _ _ _ _ (run_arrival _ _ _ _ _ _ P R)) as F.
    destruct (arrive_cases rd B Bl P p) as [E|[(E & _)|(v & r & V & K & _ & _ & _ & E)]]; rewrite E in *; clear E.
    + exists (l ++ [P]). split; [unfold lost in *; simpl; rewrite L; rewrite <- !app_assoc;
        apply Permutation_app_head, Permutation_app_comm|]. econstructor; eauto.
    + exists (l ++ []). rewrite app_nil_r. split.
      * destruct (enqueue_length P p) as (_ & _ & X & Y). unfold lost in *. rewrite X, Y. exact L.
      * rewrite <- (app_nil_r l). econstructor; eauto. rewrite app_nil_r. unfold enqueue, buffered.
        destruct (kind P); simpl; rewrite <- ?app_assoc; [|apply Permutation_refl].
        apply Permutation_app_head, Permutation_app_comm.
    + apply victim_permutation in V. destruct (line10_printed rd).
      * exists (l ++ [v; P]). split.
        -- unfold lost in *. simpl. rewrite L, <- !app_assoc. apply Permutation_app_head.
           apply (Permutation_trans (l' := (evicted p ++ [v]) ++ [P])); [rewrite <- app_assoc; apply Permutation_refl|].
           apply Permutation_sym, Permutation_cons_append.
        -- econstructor; eauto. unfold buffered. rewrite <- !app_assoc. apply Permutation_app_head.
           rewrite V. apply Permutation_cons_app with (l1 := r) (l2 := [P]). apply Permutation_refl.
      * exists (l ++ [v]). split.
        -- unfold lost, enqueue in *. rewrite K. rewrite L, <- !app_assoc. apply Permutation_refl.
        -- econstructor; eauto. unfold buffered, enqueue. rewrite K. simpl. rewrite <- !app_assoc.
           apply Permutation_app_head. rewrite V. apply Permutation_sym.
           apply (Permutation_trans (l' := P :: v :: r)); [|etransitivity; [apply perm_swap|]].
           ++ apply perm_skip, Permutation_sym, Permutation_cons_append.
           ++ apply perm_skip, Permutation_cons_append.
  - destruct D as [P q p E|P q p E|p].
    + exists (l ++ []). rewrite app_nil_r. split; [exact L|]. rewrite <- (app_nil_r l).
      apply (policy_service B es _ l [P] _ [] IH); [|auto]. unfold buffered. rewrite E, app_nil_r.
        apply Permutation_refl.
    + exists (l ++ []). rewrite app_nil_r. split; [exact L|]. rewrite <- (app_nil_r l).
      apply (policy_service B es _ l [P] _ [] IH); [|auto]. unfold buffered. simpl. rewrite E, app_nil_r.
      apply Permutation_sym, Permutation_middle.
    + exists (l ++ []). rewrite app_nil_r. split; [exact L|]. rewrite <- (app_nil_r l).
      apply (policy_service B es _ l [] _ [] IH); [|auto]. rewrite app_nil_r. apply Permutation_refl.
Qed.

(** The hypotheses can hold: on one trace LossPass spares the small packet that another policy, tail drop, loses. *)
Theorem losspass_pairs_instance : let es := two_large_one_small in one_size 1 es /\
  (exists p i l, run priority intended 2 0 es p /\ run work_conserving tail_drop 2 0 (small_only es) i /\
     policy 2 es (buffered p) l /\ count Small l = 0) /\
  (exists b l, policy 2 es b l /\ count Small l = 1).
Proof.
  intros es. destruct losspass_instance as (I & T & _ & _ & A). split; [exact A|]. split.
  - pose proof (losspass_is_policy _ _ _ _ _ (conserving_departs _ _ _ _ _ (priority_conserves _ _ _ _ _ I)))
      as (l & L & H).
    eexists. eexists. exists l. split; [exact I|]. split; [|split; [exact H|]].
    + exact (priority_conserves _ _ _ _ _ (losspass_run_exists tail_drop 2 0 (small_only es))).
    + rewrite (count_permutation _ _ _ L). reflexivity.
  - pose proof (losspass_is_policy _ _ _ _ _ (conserving_departs _ _ _ _ _ T)) as (l & L & H).
    eexists. exists l. split; [exact H|]. rewrite (count_permutation _ _ _ L). reflexivity.
Qed.
