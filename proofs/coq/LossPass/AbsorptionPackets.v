(** LossPass paper, Section 3.3, equation (6) and beyond: how much of a burst of small packets the port absorbs. *)
Require Import List Arith Lia Bool Permutation.
From DT Require Import AlgorithmPort.
Import ListNotations.

(** An instant burst: its packets arrive one after the other, and nothing is served meanwhile. *)
Definition burst (B Bl : nat) (ps : list packet) (p : port) : port :=
  fold_left (fun p P => arrive intended B Bl P p) ps p.

Lemma burst_snoc B Bl ps P p : burst B Bl (ps ++ [P]) p = arrive intended B Bl P (burst B Bl ps p).
Proof. unfold burst. rewrite fold_left_app. reflexivity. Qed.

(** ** Packets of any size (losspass.ours.burst-in-packets, small-tail) *)

(** From F bytes of room: F/s packets, and on, if line 3 and line 4 let the next packet evict the next victim. [small]
    are the bytes of Q_s to begin with, [victims] Q_l from the tail on. *)
Fixpoint absorbed (B Bl s small F : nat) (victims : list packet) : nat :=
  match victims with
  | [] => F / s
  | v :: rest => if (s <=? size v) && (small + (F / s + 1) * s + Bl <=? B)
                 then absorbed B Bl s small (F + size v) rest else F / s
  end.

Lemma absorbed_least B Bl s small victims F : 0 < s -> F / s <= absorbed B Bl s small F victims.
Proof.
  intros Hs. revert F. induction victims as [|v rest IH]; intros F; simpl; [lia|].
  destruct (_ && _); [|lia]. eapply Nat.le_trans; [|apply IH]. apply Nat.div_le_mono; lia.
Qed.

(** After k packets of s bytes: F is what was free and has been evicted. *)
Definition halfway (B s small : nat) (p : port) (k F : nat) : Prop :=
  bytes (Qs p) = small + k * s /\ F + small + bytes (Ql p) = B /\ k * s <= F.

Lemma next_packet B Bl s small p k F P : 0 < s -> kind P = Small -> size P = s -> halfway B s small p k F ->
  let n := absorbed B Bl s small F (rev (Ql p)) in let p' := arrive intended B Bl P p in
  (k < n -> Qs p' = Qs p ++ [P] /\ dropped p' = dropped p /\ exists F', halfway B s small p' (S k) F' /\
     absorbed B Bl s small F' (rev (Ql p')) = n) /\
  (k = n -> p' = drop P p).
Proof.
  intros Hs K SP (H1 & H2 & H3) n p'. unfold p', arrive, overflows. rewrite K, SP. unfold buffered.
    rewrite bytes_app, H1.
  change (victim intended) with Tail. destruct (Nat.ltb_spec B (s + (small + k * s + bytes (Ql p)))) as [O|O].
  - assert (E : F / s = k) by (symmetry; apply (Nat.div_unique F s k (F - k * s)); lia).
    destruct (victim_of Tail (Ql p)) as [[v r]|] eqn:V.
    + apply victim_tail in V. assert (R : rev (Ql p) = v :: rev r) by (rewrite V, rev_app_distr; reflexivity).
      assert (N : n = if (s <=? size v) && (small + (k + 1) * s + Bl <=? B)
                      then absorbed B Bl s small (F + size v) (rev r) else k)
        by (unfold n; rewrite R; simpl; rewrite E; reflexivity).
      unfold line4. simpl line4_printed. cbv iota. rewrite SP, H1.
      replace (s + (small + k * s) + Bl) with (small + (k + 1) * s + Bl) by lia.
      destruct (Nat.leb_spec s (size v)) as [L|L]; simpl andb in *; cbv iota in *; [|split; [lia|reflexivity]].
      destruct (small + (k + 1) * s + Bl <=? B); [|split; [lia|reflexivity]].
      assert (M : S k <= n).
      { rewrite N. eapply Nat.le_trans; [|apply absorbed_least; auto]. apply Nat.div_le_lower_bound; lia. }
      split; [intros _|lia]. simpl line10_printed. cbv iota. unfold enqueue. rewrite K. simpl.
      split; [reflexivity|]. split; [reflexivity|]. exists (F + size v). split; [|symmetry; exact N].
      unfold halfway. simpl. rewrite V, bytes_app, bytes_one in H2. rewrite bytes_app, bytes_one, H1. lia.
    + apply victim_none in V; [|discriminate]. split; [|reflexivity]. unfold n. rewrite V. simpl. lia.
  - simpl andb. cbv iota. unfold enqueue. rewrite K. simpl.
    assert (S k <= n).
    { eapply Nat.le_trans; [|apply absorbed_least; auto]. apply Nat.div_le_lower_bound; lia. }
    split; [intros _|lia]. split; [reflexivity|]. split; [reflexivity|]. exists F. split; [|reflexivity].
    unfold halfway. simpl. rewrite bytes_app, bytes_one, H1. lia.
Qed.

(** losspass.ours.burst-in-packets: exactly so many packets of s bytes are buffered; the next one is dropped. *)
Theorem losspass_burst_in_packets B Bl s p ps : 0 < s -> bytes (buffered p) <= B ->
  Forall (fun P => kind P = Small /\ size P = s) ps ->
  let n := absorbed B Bl s (bytes (Qs p)) (B - bytes (buffered p)) (rev (Ql p)) in
  (length ps <= n -> Qs (burst B Bl ps p) = Qs p ++ ps /\ dropped (burst B Bl ps p) = dropped p) /\
  (length ps = n -> forall P, kind P = Small -> size P = s -> burst B Bl (ps ++ [P]) p = drop P (burst B Bl ps p)).
Proof.
  intros Hs HB HP n.
  assert (H : length ps <= n -> Qs (burst B Bl ps p) = Qs p ++ ps /\ dropped (burst B Bl ps p) = dropped p /\
    exists F, halfway B s (bytes (Qs p)) (burst B Bl ps p) (length ps) F /\
      absorbed B Bl s (bytes (Qs p)) F (rev (Ql (burst B Bl ps p))) = n).
  { induction ps as [|P ps IH] using rev_ind; intros L.
    - simpl. rewrite app_nil_r. repeat split; auto. exists (B - bytes (buffered p)). split; [|reflexivity].
      unfold halfway, buffered in *. rewrite bytes_app in *. lia.
    - apply Forall_app in HP as [HP HP1]. inversion HP1 as [|? ? [K SP] _]. rewrite app_length in L. simpl in L.
      destruct (IH HP ltac:(lia)) as (Q & D & F & Hw & A). rewrite burst_snoc.
      destruct (next_packet B Bl s (bytes (Qs p)) (burst B Bl ps p) (length ps) F P Hs K SP Hw) as [G _].
      rewrite A in G. destruct (G ltac:(lia)) as (Q' & D' & F' & Hw' & A').
      rewrite Q', D', Q, D, app_assoc. repeat split. exists F'. rewrite app_length. simpl. rewrite Nat.add_1_r. auto. }
  split; intros L; [destruct (H L) as (Q & D & _); auto|]. intros P K SP.
  destruct (H ltac:(lia)) as (_ & _ & F & Hw & A). rewrite burst_snoc.
  destruct (next_packet B Bl s (bytes (Qs p)) (burst B Bl ps p) (length ps) F P Hs K SP Hw) as [_ G].
  apply G. rewrite A. exact L.
Qed.

(** losspass.ours.small-tail: a tail of Q_l that is smaller than every packet of the burst: a full port absorbs
    nothing. *)
Theorem losspass_small_tail B Bl p rest v ps : bytes (buffered p) = B -> Ql p = rest ++ [v] ->
  Forall (fun P => size v < size P) ps ->
  buffered (burst B Bl ps p) = buffered p /\ dropped (burst B Bl ps p) = dropped p ++ ps.
Proof.
  intros HB HQ HP. assert (E : Qs (burst B Bl ps p) = Qs p /\ Ql (burst B Bl ps p) = Ql p /\
    dropped (burst B Bl ps p) = dropped p ++ ps).
  { induction ps as [|P ps IH] using rev_ind; [simpl; rewrite app_nil_r; auto|].
    apply Forall_app in HP as [HP HP1]. inversion HP1 as [|? ? L _]. destruct (IH HP) as (Q & R & D).
      rewrite burst_snoc.
    set (q := burst B Bl ps p) in *. assert (X : arrive intended B Bl P q = drop P q).
    { unfold arrive, overflows, buffered in *. rewrite Q, R, HB. replace (B <? size P + B) with true by
        (symmetry; apply Nat.ltb_lt; lia).
      destruct (kind P); [|reflexivity]. rewrite HQ. change (victim intended) with Tail.
      rewrite (proj2 (victim_tail (rest ++ [v]) v rest) eq_refl).
      replace (size P <=? size v) with false by (symmetry; apply Nat.leb_gt; lia). reflexivity. }
    rewrite X. simpl. rewrite Q, R, D, app_assoc. auto. }
  unfold buffered. destruct E as (-> & -> & ->). auto.
Qed.

(** ** Packets of one size *)

(** A port that holds only packets of size a, at most n of them, and room for m more small ones. *)
Definition uniform (a n r : nat) (p : port) (m : nat) : Prop :=
  Forall (fun P => size P = a) (buffered p) /\ length (Qs p) + length (Ql p) <= n /\
  length (Qs p) + Nat.min (length (Ql p)) r + m = n.

Lemma uniform_lengths a n r p m : uniform a n r p m ->
  bytes (Qs p) = a * length (Qs p) /\ bytes (Ql p) = a * length (Ql p).
Proof. intros (F & _). unfold buffered in F. apply Forall_app in F as [F G]. rewrite !(bytes_one_size a); auto. Qed.

Lemma uniform_arrival a n r p m P : 0 < a -> kind P = Small -> size P = a -> uniform a n r p m ->
  let p' := arrive intended (a * n) (a * r) P p in
  (1 <= m -> Qs p' = Qs p ++ [P] /\ dropped p' = dropped p /\ uniform a n r p' (m - 1)) /\ (m = 0 -> p' = drop P p).
Proof.
  intros Ha K SP U p'. destruct (uniform_lengths a n r p m U) as [SQ SL]. destruct U as (F & U1 & U2).
  unfold p', arrive, overflows, buffered in *. rewrite K, bytes_app, SP, SQ, SL.
  change (victim intended) with Tail. destruct (Nat.ltb_spec (a * n) (a + (a * length (Qs p) + a * length (Ql p))))
    as [O|O].
  - assert (Full : length (Qs p) + length (Ql p) = n) by nia.
    destruct (victim_of Tail (Ql p)) as [[v q]|] eqn:V.
    + apply victim_tail in V. rewrite V, app_length in *. simpl in *. apply Forall_app in F as [F G].
      apply Forall_app in G as [G G1]. inversion G1 as [|? ? SV _].
      replace (a <=? size v) with true by (symmetry; apply Nat.leb_le; lia). simpl andb. cbv iota.
      unfold line4. simpl line4_printed. cbv iota. rewrite SP, SQ.
      destruct (Nat.leb_spec (a + a * length (Qs p) + a * r) (a * n)) as [L|L].
      * assert (1 + length (Qs p) + r <= n) by nia. simpl line10_printed. cbv iota. unfold enqueue. rewrite K. simpl.
        split; [intros _|lia]. repeat split; auto; unfold buffered; simpl; rewrite ?Forall_app, ?app_length; simpl;
          auto; lia.
      * assert (n < 1 + length (Qs p) + r) by nia. split; [lia|reflexivity].
    + apply victim_none in V; [|discriminate]. rewrite V in *. simpl in *. split; [lia|reflexivity].
  - assert (1 + length (Qs p) + length (Ql p) <= n) by nia. simpl andb. cbv iota. unfold enqueue. rewrite K. simpl.
    apply Forall_app in F as [F G].
    split; [intros _|lia]. repeat split; auto; unfold buffered; simpl; rewrite ?Forall_app, ?app_length; simpl; auto;
      lia.
Qed.

Lemma run_uniform a n r es p : 0 < a -> run departure intended (a * n) (a * r) es p -> one_size a es ->
  uniform a n r p (n - length (Qs p) - Nat.min (length (Ql p)) r).
Proof.
  intros Ha H A. pose proof (losspass_feasible _ _ _ _ _ H) as F. pose proof (run_one_size _ _ _ _ _ _ H A) as G.
  destruct (one_size_queues a p G) as (_ & _ & E & _). unfold uniform. unfold everything in G. rewrite !Forall_app in G.
  destruct G as (_ & _ & _ & G). unfold buffered in *. rewrite app_length in E.
  assert (length (Qs p) + length (Ql p) <= n) by nia. split; [exact G|]. lia.
Qed.

(** losspass.ours.reserve-burst, and (6): B - Q_s - min(Q_l, B_l) bytes, whatever the size a, so in the limit too. *)
Theorem losspass_burst a n r es p ps : 0 < a -> run departure intended (a * n) (a * r) es p -> one_size a es ->
  Forall (fun P => kind P = Small /\ size P = a) ps ->
  let mu := a * n - bytes (Qs p) - Nat.min (bytes (Ql p)) (a * r) in
  (bytes ps <= mu -> Qs (burst (a * n) (a * r) ps p) = Qs p ++ ps /\ dropped (burst (a * n) (a * r) ps p) = dropped
    p) /\
  (bytes ps = mu -> forall P, kind P = Small -> size P = a ->
     burst (a * n) (a * r) (ps ++ [P]) p = drop P (burst (a * n) (a * r) ps p)).
Proof.
  intros Ha H A HP mu. pose proof (run_uniform a n r es p Ha H A) as U.
  set (m := n - length (Qs p) - Nat.min (length (Ql p)) r) in *.
  assert (M : mu = a * m).
  { destruct (uniform_lengths a n r p m U) as [SQ SL]. unfold mu, m. rewrite SQ, SL, Nat.mul_min_distr_l,
    !Nat.mul_sub_distr_l.
    reflexivity. }
  assert (P : bytes ps = a * length ps).
  { apply bytes_one_size. eapply Forall_impl; [|exact HP]. intros Q [_ E]. exact E. }
  assert (G : length ps <= m -> Qs (burst (a * n) (a * r) ps p) = Qs p ++ ps /\
    dropped (burst (a * n) (a * r) ps p) = dropped p /\ uniform a n r (burst (a * n) (a * r) ps p) (m - length ps)).
  { clear P. induction ps as [|P ps IH] using rev_ind; intros L; [simpl; rewrite app_nil_r, Nat.sub_0_r; auto|].
    apply Forall_app in HP as [HP HP1]. inversion HP1 as [|? ? [K SP] _]. rewrite app_length in *. simpl in *.
    destruct (IH HP ltac:(lia)) as (Q & D & V). rewrite burst_snoc.
    destruct (uniform_arrival a n r _ _ P Ha K SP V) as [X _]. destruct (X ltac:(lia)) as (Q' & D' & V').
    rewrite Q', D', Q, D, app_assoc. repeat split; try apply V'.
    destruct V' as (_ & _ & V'). clear - V' L. lia. }
  rewrite M, P. clear M P H A U. split; intros L.
  - apply Nat.mul_le_mono_pos_l in L; auto. destruct (G L) as (Q & D & _). auto.
  - intros R K SR. apply Nat.mul_cancel_l in L; [|lia]. destruct (G ltac:(lia)) as (_ & _ & V). rewrite burst_snoc.
    destruct (uniform_arrival a n r _ _ R Ha K SR V) as [_ X]. apply X. lia.
Qed.

(** ** Service during the burst (losspass.ours.burst-service) *)

(** The first k packets of a burst f, r of them a slot, and one service after each slot. *)
Fixpoint slots (r : nat) (f : nat -> packet) (k : nat) : list event :=
  match k with
  | O => []
  | S j => slots r f j ++ Arrival (f j) :: (if S j mod r =? 0 then [Service] else [])
  end.

(** Strict priority leaves no choice. *)
Lemma priority_unique rd B Bl es p : run priority rd B Bl es p -> p = port_after rd B Bl es.
Proof.
  intros H. induction H as [|es p P _ IH|es p p' _ IH [[D W] F]]; [reflexivity| |]; unfold port_after in *;
    rewrite fold_left_app; simpl; rewrite <- IH; [reflexivity|]. clear IH.
  unfold serve_first. destruct D as [P q p E|P q p E|p].
  - rewrite E. reflexivity.
  - destruct (Qs p) as [|R s] eqn:G; [rewrite E; simpl; reflexivity|]. exfalso. specialize (F ltac:(discriminate)).
    apply (f_equal (@length packet)) in F. rewrite E in F. simpl in F. lia.
  - unfold buffered in W. destruct (Qs p) eqn:G, (Ql p) eqn:L; auto; destruct W; auto; discriminate.
Qed.

Lemma div_plus x t r : 1 <= r -> (x + t) / r <= x / r + t.
Proof.
  intros Hr. apply Nat.lt_succ_r, Nat.div_lt_upper_bound; [lia|].
  pose proof (Nat.div_mod x r ltac:(lia)). pose proof (Nat.mod_upper_bound x r ltac:(lia)). nia.
Qed.

Lemma next_slot r j : 1 <= r -> S j / r = j / r + (if S j mod r =? 0 then 1 else 0).
Proof.
  intros Hr. pose proof (Nat.div_mod j r ltac:(lia)) as E. pose proof (Nat.mod_upper_bound j r ltac:(lia)) as M.
  destruct (Nat.eq_dec (S (j mod r)) r) as [F|F].
  - assert (X : S j = (j / r + 1) * r) by nia. rewrite X, Nat.div_mul, Nat.mod_mul by lia. reflexivity.
  - assert (D : S j / r = j / r) by (symmetry; apply (Nat.div_unique _ _ _ (S (j mod r))); lia).
    assert (R : S j mod r = S (j mod r)) by (symmetry; apply (Nat.mod_unique _ _ (j / r)); lia).
    rewrite D, R. simpl. lia.
Qed.

(** The burst ends at the first k for which k less the services, k/r, is mu. *)
Lemma last_packet r mu : 2 <= r -> 1 <= mu -> let k := mu + (mu + (r - 1) - 1) / (r - 1) - 1 in
  k - k / r = mu /\ forall j, j < k -> j - j / r < mu.
Proof.
  intros Hr Hm k. pose proof (Nat.div_mod (mu + (r - 1) - 1) (r - 1) ltac:(lia)) as E.
  pose proof (Nat.mod_upper_bound (mu + (r - 1) - 1) (r - 1) ltac:(lia)) as M.
  set (c := (mu + (r - 1) - 1) / (r - 1)) in *. set (x := (mu + (r - 1) - 1) mod (r - 1)) in *.
  assert (Hc : 1 <= c) by nia. assert (L : (c - 1) * (r - 1) < mu) by nia. assert (U : mu <= c * (r - 1)) by nia.
  assert (R : r * (c - 1) = (c - 1) * (r - 1) + (c - 1)) by (rewrite <- (Nat.sub_add 1 r) at 1 by lia; ring).
  assert (R' : r + r * (c - 1) = c * (r - 1) + c) by (rewrite <- (Nat.sub_add 1 c) at 2 3 by lia; rewrite R; lia).
  assert (D : k / r = c - 1) by (symmetry; apply (Nat.div_unique k r (c - 1) (k - r * (c - 1))); unfold k; lia).
  assert (D' : (k - 1) / r = c - 1)
    by (symmetry; apply (Nat.div_unique (k - 1) r (c - 1) (k - 1 - r * (c - 1))); unfold k; lia).
  split; [unfold k in *; lia|]. intros j Hj. pose proof (div_plus j (k - 1 - j) r ltac:(lia)) as P.
  replace (j + (k - 1 - j)) with (k - 1) in P by lia. rewrite D' in P. unfold k in *. lia.
Qed.

(** losspass.ours.burst-service: strict priority, packets of one byte, r >= 2 of them and one departure a slot: of a
    burst that follows any trace mu + ceil(mu/(r - 1)) - 1 packets are absorbed, mu the instant burst; the next one is
    lost. *)
Theorem losspass_burst_service r n Bl es f : 2 <= r -> one_size 1 es -> (forall i, kind (f i) = Small /\
  size (f i) = 1) ->
  let p := port_after intended n Bl es in
  let mu := n - bytes (Qs p) - Nat.min (bytes (Ql p)) Bl in
  let k := mu + (mu + (r - 1) - 1) / (r - 1) - 1 in 1 <= mu ->
  (forall j, j <= k -> dropped (port_after intended n Bl (es ++ slots r f j)) = dropped p) /\
  dropped (port_after intended n Bl (es ++ slots r f k ++ [Arrival (f k)])) = dropped p ++ [f k].
Proof.
  intros Hr A Hf p mu k Hmu. destruct (last_packet r mu Hr Hmu) as [K1 K2]. fold k in K1, K2.
  assert (After : forall es e, port_after intended n Bl (es ++ [e]) =
    match e with Arrival P => arrive intended n Bl P (port_after intended n Bl es)
               | Service => serve_first (port_after intended n Bl es) end).
  { intros es' e. unfold port_after. rewrite fold_left_app. reflexivity. }
  assert (U : uniform 1 n Bl p mu).
  { pose proof (conserving_departs _ _ _ _ _ (priority_conserves _ _ _ _ _ (losspass_run_exists intended n Bl es)))
    as H.
    fold p in H. replace n with (1 * n) in H by lia. replace Bl with (1 * Bl) in H by lia.
    pose proof (run_uniform 1 n Bl es p ltac:(lia) H A) as U. destruct (uniform_lengths _ _ _ _ _ U) as [SQ SL].
    unfold mu. rewrite SQ, SL, !Nat.mul_1_l. exact U. }
  assert (Step : forall q m P, kind P = Small -> size P = 1 -> uniform 1 n Bl q m ->
    let q' := arrive intended n Bl P q in
    (1 <= m -> Qs q' = Qs q ++ [P] /\ dropped q' = dropped q /\ uniform 1 n Bl q' (m - 1)) /\ (m = 0 -> q' = drop P q)).
  { intros q m P KP SP V. pose proof (uniform_arrival 1 n Bl q m P ltac:(lia) KP SP V) as X.
    rewrite !Nat.mul_1_l in X. exact X. }
  assert (G : forall j, j <= k -> let q := port_after intended n Bl (es ++ slots r f j) in
    dropped q = dropped p /\ uniform 1 n Bl q (mu - (j - j / r))).
  { induction j as [|j IH]; intros Hj.
    - simpl. rewrite app_nil_r, Nat.sub_0_r. auto.
    - destruct (IH ltac:(lia)) as [D V]. set (q := port_after intended n Bl (es ++ slots r f j)) in *.
      pose proof (K2 j ltac:(lia)) as L. destruct (Hf j) as [KP SP].
      destruct (Step q _ (f j) KP SP V) as [X _]. destruct (X ltac:(lia)) as (Q & D' & V').
      assert (N : S j / r = j / r + (if S j mod r =? 0 then 1 else 0)) by (apply next_slot; lia).
      assert (B : j / r <= j) by (apply Nat.div_le_upper_bound; clear - Hr; nia). simpl slots.
      destruct (S j mod r =? 0).
      + assert (E : es ++ slots r f j ++ [Arrival (f j); Service] = ((es ++ slots r f j) ++ [Arrival (f j)]) ++
        [Service])
          by (rewrite <- !app_assoc; reflexivity).
        rewrite E, !After. fold q. clear E. set (q' := arrive intended n Bl (f j) q) in *.
        unfold serve_first. destruct (Qs q') as [|R t] eqn:E; [destruct (Qs q); discriminate|]. simpl.
          split; [congruence|].
        destruct V' as (F & U1 & U2). rewrite E in U1, U2. unfold uniform, buffered in *. rewrite E in F. simpl in *.
        inversion F. split; [auto|]. cbv iota in N. rewrite N. clear - U1 U2 L B.
        generalize dependent (j / r). intros x L B U2. rewrite Nat.add_1_r. split; lia.
      + rewrite app_assoc, After. fold q. split; [congruence|]. rewrite N.
        replace (mu - (S j - (j / r + 0))) with (mu - (j - j / r) - 1); [exact V'|]. clear - L B.
        generalize dependent (j / r). intros x L B. lia. }
  split; [intros j Hj; apply (G j Hj)|]. destruct (G k (le_n k)) as [D V]. rewrite app_assoc, After.
  destruct (Hf k) as [KP SP]. destruct (Step _ _ (f k) KP SP V) as [_ X]. rewrite X by lia. simpl. rewrite D.
    reflexivity.
Qed.

(** The hypotheses can hold: two large bytes fill a port; two small ones are absorbed at once, three with a service. *)
Theorem losspass_bursts_instance :
  let es := [Arrival (Packet 0 Large 1); Arrival (Packet 1 Large 1)] in
  let f := fun i => Packet (2 + i) Small 1 in
  let p := port_after intended (1 * 2) (1 * 0) es in
  run departure intended (1 * 2) (1 * 0) es p /\ one_size 1 es /\ bytes (buffered p) = 2 /\
  2 - bytes (Qs p) - Nat.min (bytes (Ql p)) 0 = 2 /\ Ql p = [Packet 0 Large 1] ++ [Packet 1 Large 1] /\
  dropped (port_after intended 2 0 (es ++ slots 2 f 3)) = [] /\
  dropped (port_after intended 2 0 (es ++ slots 2 f 3 ++ [Arrival (f 3)])) = [f 3].
Proof.
  intros es f p. split; [|repeat split; repeat constructor].
  exact (conserving_departs _ _ _ _ _ (priority_conserves _ _ _ _ _ (losspass_run_exists intended 2 0 es))).
Qed.
