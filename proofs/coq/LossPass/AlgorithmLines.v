(** LossPass paper, Algorithm 1 line by line: what each line guarantees, and what packets of one size add. *)
Require Import List Arith Lia Bool Permutation.
From DT Require Import AlgorithmPort.
Import ListNotations.

(** ** Line by line *)

(** Line 3 (losspass.alg1.line3; head or tail alike): a victim as long as the packet makes room by one eviction. *)
Theorem losspass_line3 c B P p v rest : bytes (buffered p) <= B -> victim_of c (Ql p) = Some (v, rest) ->
  size P <= size v -> bytes (buffered (enqueue P (evict v rest p))) <= B.
Proof. intros F V L. apply evict_bytes in V. rewrite enqueue_bytes. lia. Qed.

(** losspass.ours.one-eviction: with the free bytes B - sum Q it is enough exactly if P <= v + B - sum Q. *)
Theorem losspass_one_eviction c B P p v rest : bytes (buffered p) <= B -> victim_of c (Ql p) = Some (v, rest) ->
  overflows B P p = true ->
  (bytes (buffered (enqueue P (evict v rest p))) <= B <-> size P <= size v + (B - bytes (buffered p))).
Proof. intros F V O. apply evict_bytes in V. rewrite enqueue_bytes. lia. Qed.

(** Line 4 as meant (losspass.alg1.line4): after lines 1 to 3 it evicts iff Q_s stays within B - B_l. *)
Theorem losspass_line4 B Bl P p v rest : kind P = Small -> victim_of Tail (Ql p) = Some (v, rest) ->
  overflows B P p = true -> size P <= size v ->
  let p' := arrive intended B Bl P p in
  (bytes (Qs (enqueue P (evict v rest p))) + Bl <= B <-> p' = enqueue P (evict v rest p)) /\
  (B < bytes (Qs (enqueue P (evict v rest p))) + Bl <-> p' = drop P p).
Proof.
  intros K V O L p'. assert (E : bytes (Qs (enqueue P (evict v rest p))) = size P + bytes (Qs p)).
  { unfold enqueue. rewrite K. simpl. rewrite bytes_app, bytes_one. lia. }
  assert (D : drop P p <> enqueue P (evict v rest p)).
  { intros X. apply (f_equal (fun x => length (dropped x))) in X. unfold enqueue in X. rewrite K in X. simpl in X.
    rewrite app_length in X. simpl in X. lia. }
  rewrite E. unfold p', arrive. rewrite O, K. change (victim intended) with Tail. rewrite V.
  apply Nat.leb_le in L. rewrite L. unfold line4. simpl.
  destruct (Nat.leb_spec (size P + bytes (Qs p) + Bl) B); split; split; intros; auto; try lia; congruence.
Qed.

(** Lines 2 and 5 (losspass.alg1.line2, line5): an arrival evicts nothing, or is small and evicts one packet, the tail
    of Q_l, whose place it takes; Q_s loses nothing. Whether it evicts does not depend on the scheduler. *)
Theorem losspass_line5 B Bl P p : let p' := arrive intended B Bl P p in
  (evicted p' = evicted p /\ (p' = enqueue P p \/ p' = drop P p)) \/
  (kind P = Small /\ exists rest v, Ql p = rest ++ [v] /\ Ql p' = rest /\ Qs p' = Qs p ++ [P] /\
     evicted p' = evicted p ++ [v] /\ dropped p' = dropped p).
Proof.
  intros p'. destruct (arrive_cases intended B Bl P p) as [E|[(E & _)|(v & r & V & K & _ & _ & _ & E)]]; fold p' in E.
  - left. rewrite E. auto.
  - left. rewrite E. unfold enqueue. destruct (kind P); auto.
  - right. split; [exact K|]. apply victim_tail in V. exists r, v. rewrite E. simpl. unfold enqueue. rewrite K. auto.
Qed.

(** Line 12 (losspass.alg1.line12): what fits is enqueued, whatever its class and the reserve. *)
Theorem losspass_line12 B Bl P p : overflows B P p = false -> arrive intended B Bl P p = enqueue P p.
Proof. intros O. unfold arrive. rewrite O. reflexivity. Qed.

(** Lines 2 to 9 struck out (losspass.sec3.2.existing); a port without large packets (losspass.sec3.3.only-small). *)
Theorem losspass_tail_drop B Bl P p :
  arrive tail_drop B Bl P p = (if overflows B P p then drop P p else enqueue P p) /\
  (Ql p = [] -> arrive intended B Bl P p = arrive tail_drop B Bl P p).
Proof.
  unfold arrive. simpl. split; [destruct (kind P); reflexivity|]. intros ->. destruct (kind P); reflexivity.
Qed.

Lemma evicts rd B Bl P p : evicted (arrive rd B Bl P p) <> evicted p ->
  exists v rest, victim_of (victim rd) (Ql p) = Some (v, rest) /\ kind P = Small /\
    B < size P + bytes (buffered p) /\ size P <= size v /\ line4 rd B Bl P p = true /\
    arrive rd B Bl P p = if line10_printed rd then drop P (evict v rest p) else enqueue P (evict v rest p).
Proof.
  intros H. destruct (arrive_cases rd B Bl P p) as [E|[(E & _)|C]]; auto; destruct H; rewrite E; [reflexivity|].
  unfold enqueue. destruct (kind P); reflexivity.
Qed.

(** losspass.ours.reserve: an eviction starts only with Q_l > B_l and ends with Q_s <= B - B_l. *)
Theorem losspass_reserve B Bl P p : let p' := arrive intended B Bl P p in evicted p' <> evicted p ->
  Bl < bytes (Ql p) /\ bytes (Qs p') + Bl <= B.
Proof.
  intros p' H. apply evicts in H as (v & r & _ & K & O & _ & L & E). fold p' in E. rewrite E.
  unfold line4, buffered in *. simpl in *. apply Nat.leb_le in L. rewrite bytes_app in O.
  unfold enqueue. rewrite K. simpl. rewrite bytes_app, bytes_one. lia.
Qed.

(** losspass.ours.eviction-cost: against tail drop from the same state an eviction leaves V - P >= 0 bytes less. *)
Theorem losspass_eviction_cost B Bl P p : let p' := arrive intended B Bl P p in evicted p' <> evicted p ->
  exists v, evicted p' = evicted p ++ [v] /\ size P <= size v /\
    bytes (buffered p') + (size v - size P) = bytes (buffered (arrive tail_drop B Bl P p)).
Proof.
  intros p' H. apply evicts in H as (v & r & V & K & O & L & _ & E). fold p' in E. exists v.
  destruct (losspass_tail_drop B Bl P p) as [-> _]. apply Nat.ltb_lt in O. unfold overflows. rewrite O, E. simpl.
  rewrite enqueue_bytes. apply evict_bytes in V. repeat split; auto; [unfold enqueue; rewrite K; reflexivity|].
  change (buffered (drop P p)) with (buffered p). lia.
Qed.

(** losspass.ours.literal-line4: without reserve the printed line 4 asks for a full port with P bytes in Q_l. *)
Theorem losspass_literal_line4 B P p v rest : bytes (buffered p) <= B -> victim_of Tail (Ql p) = Some (v, rest) ->
  overflows B P p = true -> size P <= size v -> line4 literal B 0 P p = true ->
  bytes (buffered p) = B /\ bytes (Ql p) = size P.
Proof.
  intros F V O L E. apply victim_bytes in V. unfold line4 in E. simpl in E. apply Nat.leb_le in E.
  unfold buffered in *. rewrite bytes_app in *. lia.
Qed.

(** losspass.ours.literal-line10: as printed, a packet that meets an overflow is dropped, as by tail drop, and not
    left in the buffer. *)
Theorem losspass_literal_line10 B Bl P p : overflows B P p = true -> let p' := arrive literal B Bl P p in
  dropped p' = dropped p ++ [P] /\ dropped (arrive tail_drop B Bl P p) = dropped p ++ [P] /\
  (~ In P (buffered p) -> ~ In P (buffered p')).
Proof.
  intros O p'. destruct (losspass_tail_drop B Bl P p) as [-> _]. rewrite O.
  destruct (arrive_cases literal B Bl P p) as [E|[(_ & F & _)|(v & r & V & _ & _ & _ & _ & E)]].
  - unfold p'. rewrite E. auto.
  - apply Nat.ltb_lt in O. lia.
  - unfold p'. rewrite E. simpl. repeat split; auto. intros N I. apply N. unfold buffered in *. simpl in I.
    apply in_app_iff in I as [I|I]; apply in_app_iff; auto. right.
    apply victim_permutation, Permutation_sym in V. eapply Permutation_in; [exact V|right; exact I].
Qed.

(** ** Packets of one size *)

(** losspass.sec3.2.3.guarantee: packets of one size that divides B_l: an eviction leaves Q_l at least B_l. *)
Theorem losspass_guarantee a r B es p P : run departure intended B (a * r) es p ->
  one_size a (es ++ [Arrival P]) ->
  let p' := arrive intended B (a * r) P p in evicted p' <> evicted p -> a * r <= bytes (Ql p').
Proof.
  intros H A p' E. apply evicts in E as (v & q & V & K & O & _ & L & E). fold p' in E.
  unfold one_size in A. rewrite packets_app in A. apply Forall_app in A as [A AP].
  assert (SP : size P = a) by (inversion AP; auto).
  destruct (one_size_queues a p (run_one_size _ _ _ _ _ _ H A)) as (_ & _ & _ & F).
  rewrite E. simpl. unfold enqueue. rewrite K. simpl.
  destruct (one_size_queues a p (run_one_size _ _ _ _ _ _ H A)) as (SQ & SL & _ & _).
  pose proof (victim_bytes _ _ _ _ V) as W. unfold line4, buffered in *. simpl in L. apply Nat.leb_le in L.
  rewrite bytes_app in O. apply victim_permutation in V. pose proof (Permutation_Forall V F) as G.
  pose proof (Permutation_length V) as N. simpl in N. apply Forall_inv_tail, bytes_one_size in G.
  rewrite G. assert (r < length (Ql p)) by nia. nia.
Qed.

(** losspass.ours.limited: if line 12 too asks for P.len + Q_s.len <= B - B_l, Q_s never exceeds that; and with
    packets of one size that divides B_l a large packet is dropped only if Q_l >= B_l. *)
Theorem losspass_limited B Bl es p : Bl <= B -> run departure limited B Bl es p -> bytes (Qs p) + Bl <= B.
Proof.
  intros HB H. induction H as [|es p P _ IH|es p p' _ IH D]; [exact HB| |].
  - destruct (arrive_cases limited B Bl P p) as [->|[(-> & _ & L)|(v & r & V & K & _ & _ & L & ->)]].
    + exact IH.
    + unfold enqueue. destruct (kind P) eqn:K; [|exact IH]. simpl. rewrite bytes_app, bytes_one.
      specialize (L eq_refl eq_refl). lia.
    + unfold line4 in L. simpl in *. apply Nat.leb_le in L. unfold enqueue. rewrite K. simpl.
      rewrite bytes_app, bytes_one. lia.
  - destruct D as [P q p E|P q p E|p]; simpl; auto. rewrite E in IH.
    change (bytes (P :: q)) with (size P + bytes q) in IH. lia.
Qed.

Theorem losspass_limited_admits a B r es p P : a * r <= B -> run departure limited B (a * r) es p ->
  one_size a (es ++ [Arrival P]) -> kind P = Large ->
  dropped (arrive limited B (a * r) P p) <> dropped p -> a * r <= bytes (Ql p).
Proof.
  intros Hr H A K D. pose proof (losspass_limited _ _ _ _ Hr H) as Q.
  unfold one_size in A. rewrite packets_app in A. apply Forall_app in A as [A AP].
  assert (SP : size P = a) by (inversion AP; auto).
  destruct (one_size_queues a p (run_one_size _ _ _ _ _ _ H A)) as (SQ & SL & SB & _).
  unfold arrive, overflows, is, enqueue in D. rewrite K in D. simpl in D.
  destruct (Nat.ltb_spec B (size P + bytes (buffered p))) as [O|]; [|destruct D; reflexivity].
  unfold buffered in *. rewrite bytes_app, SQ, SL in O. rewrite SQ in Q.
  assert (r < 1 + length (Ql p)) by nia. nia.
Qed.

(** losspass.sec3.2.no-vacancy: with one size that divides B line 1 is true only of a port without a free byte. *)
Theorem losspass_no_vacancy a n Bl es p P : run departure intended (a * n) Bl es p -> one_size a (es ++ [Arrival P]) ->
  overflows (a * n) P p = true -> bytes (buffered p) = a * n.
Proof.
  intros H A O. pose proof (losspass_feasible _ _ _ _ _ H) as F. apply Nat.ltb_lt in O.
  unfold one_size in A. rewrite packets_app in A. apply Forall_app in A as [A AP].
  assert (SP : size P = a) by (inversion AP; auto).
  destruct (one_size_queues a p (run_one_size _ _ _ _ _ _ H A)) as (_ & _ & SB & _).
  rewrite SP, SB in O. rewrite SB in *. assert (length (buffered p) = n) by nia. nia.
Qed.

(** losspass.sec3.1.evict: packets of one size, Q_l not empty, room in B - B_l: the small packet is always exchanged. *)
Theorem losspass_exchanged a B Bl es p P : run departure intended B Bl es p -> one_size a (es ++ [Arrival P]) ->
  kind P = Small -> overflows B P p = true -> Ql p <> [] -> size P + bytes (Qs p) + Bl <= B ->
  let p' := arrive intended B Bl P p in evicted p' <> evicted p /\ In P (Qs p') /\ dropped p' = dropped p.
Proof.
  intros H A K O N L. unfold one_size in A. rewrite packets_app in A. apply Forall_app in A as [A AP].
  assert (SP : size P = a) by (inversion AP; auto).
  destruct (one_size_queues a p (run_one_size _ _ _ _ _ _ H A)) as (_ & _ & _ & F).
  destruct (victim_of Tail (Ql p)) as [[v r]|] eqn:V; [|apply victim_none in V; congruence].
  pose proof (Permutation_Forall (victim_permutation _ _ _ _ V) F) as G. inversion G; subst.
  unfold arrive. rewrite O, K. change (victim intended) with Tail. rewrite V.
  replace (size P <=? size v) with true by (symmetry; apply Nat.leb_le; lia).
  unfold line4. simpl. apply Nat.leb_le in L. rewrite L. unfold enqueue. rewrite K. simpl. repeat split.
  - intros E. apply (f_equal (@length packet)) in E. rewrite app_length in E. simpl in E. lia.
  - apply in_or_app. right. left. reflexivity.
Qed.

(** The hypotheses can hold: a full port of two bytes with two large packets, and a small packet that arrives. *)
Theorem losspass_lines_instance :
  let v := Packet 1 Large 1 in let P := Packet 2 Small 1 in
  let p := Port [] [Packet 0 Large 1; v] [] [] [] in
  let es := [Arrival (Packet 0 Large 1); Arrival v] in
  run departure intended 2 1 es p /\ one_size 1 (es ++ [Arrival P]) /\ ~ In P (buffered p) /\
  bytes (buffered p) <= 2 /\ victim_of Tail (Ql p) = Some (v, [Packet 0 Large 1]) /\
  overflows 2 P p = true /\ size P <= size v /\ evicted (arrive intended 2 1 P p) <> evicted p.
Proof.
  intros v P p es. split; [exact (conserving_departs _ _ _ _ _ (priority_conserves _ _ _ _ _
    (losspass_run_exists intended 2 1 es)))|].
  repeat split; simpl; try (repeat constructor; fail); [intuition discriminate|discriminate].
Qed.

(** The same for the printed line 4 (one byte of buffer), and for the reading 'limited'. *)
Theorem losspass_readings_instance :
  line4 literal 1 0 (Packet 1 Small 1) (Port [] [Packet 0 Large 1] [] [] []) = true /\
  let es := [Arrival (Packet 0 Large 1); Arrival (Packet 1 Large 1)] in
  exists p, run departure limited (1 * 2) (1 * 1) es p /\ one_size 1 (es ++ [Arrival (Packet 2 Large 1)]) /\
    dropped (arrive limited (1 * 2) (1 * 1) (Packet 2 Large 1) p) <> dropped p.
Proof.
  split; [reflexivity|]. intros es. exists (port_after limited 2 1 es).
    split; [|split; [repeat constructor|discriminate]].
  exact (conserving_departs _ _ _ _ _ (priority_conserves _ _ _ _ _ (losspass_run_exists limited 2 1 es))).
Qed.
