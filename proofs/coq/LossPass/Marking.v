(** LossPass paper, Sections 2.2, 3.2.4 and 3.3: which packets line 15 marks, and which of them evictions remove. *)
Require Import List Arith Lia Bool Permutation.
From DT Require Import AlgorithmPort.
Import ListNotations.

(** A threshold, if there is one, is exceeded by the queue as it is when line 15 is reached: with the packet. *)
Definition exceeded (K : option nat) (q : list packet) : bool := match K with Some k => k <? bytes q | None => false
  end.
Definition marks (Ks Kl Kport : option nat) (P : packet) (p : port) : bool :=
  exceeded (match kind P with Small => Ks | Large => Kl end) (match kind P with Small => Qs p | Large => Ql p end)
  || exceeded Kport (buffered p).

(** Line 15 is reached if the packet was enqueued. *)
Definition enqueued (p p' : port) : bool := length (dropped p') =? length (dropped p).

(** The port after a trace, and the packets that were marked. *)
Inductive marking (schedule : port -> port -> Prop) (rd : reading) (B Bl : nat) (Ks Kl Kport : option nat) :
  list event -> port -> list packet -> Prop :=
| marking_empty : marking schedule rd B Bl Ks Kl Kport [] empty_port []
| marking_arrival es p m P : marking schedule rd B Bl Ks Kl Kport es p m ->
    let p' := arrive rd B Bl P p in
    marking schedule rd B Bl Ks Kl Kport (es ++ [Arrival P]) p'
      (if enqueued p p' && marks Ks Kl Kport P p' then m ++ [P] else m)
| marking_service es p m p' : marking schedule rd B Bl Ks Kl Kport es p m -> schedule p p' ->
    marking schedule rd B Bl Ks Kl Kport (es ++ [Service]) p' m.

(** Marks change no decision (losspass.sec3.2.4.queueing): the port is that of the same trace without them. *)
Theorem losspass_marks_change_nothing S rd B Bl Ks Kl Kport es p m :
  marking S rd B Bl Ks Kl Kport es p m -> run S rd B Bl es p.
Proof. intros H. induction H; econstructor; eauto. Qed.

Lemma marking_exists rd B Bl Ks Kl Kport es : exists m, marking priority rd B Bl Ks Kl Kport es (port_after rd B Bl
  es) m.
Proof.
  induction es as [|e es (m & IH)] using rev_ind; [exists []; constructor|].
  unfold port_after in *. rewrite fold_left_app. simpl. destruct e as [P|].
  - eexists. apply (marking_arrival priority rd B Bl Ks Kl Kport es _ m P IH).
  - eexists. eapply marking_service; [exact IH|]. apply serve_first_priority.
Qed.

Lemma not_exceeded K B q : (forall k, K = Some k -> B <= k) -> bytes q <= B -> exceeded K q = false.
Proof. intros H L. destruct K as [k|]; [|reflexivity]. apply Nat.ltb_ge. specialize (H k eq_refl). lia. Qed.

Lemma queue_bytes p B : bytes (buffered p) <= B -> bytes (Qs p) <= B /\ bytes (Ql p) <= B.
Proof. unfold buffered. rewrite bytes_app. lia. Qed.

(** losspass.ours.ecn-b: thresholds of at least B mark no packet; so ECN with K = B is tail drop, whatever marks do. *)
Theorem losspass_ecn_b rd B Bl Ks Kl Kport es p m :
  (forall K k, In K [Ks; Kl; Kport] -> K = Some k -> B <= k) ->
  marking departure rd B Bl Ks Kl Kport es p m -> m = [] /\ run departure rd B Bl es p.
Proof.
  intros HK H. split; [|apply (losspass_marks_change_nothing _ _ _ _ _ _ _ _ _ _ H)].
  induction H as [|es p m P H IH p'|es p m p' H IH S]; auto.
  pose proof (losspass_feasible _ _ _ _ _ (run_arrival _ _ _ _ _ _ P (losspass_marks_change_nothing _ _ _ _ _ _ _ _ _
    _ H))) as F.
  fold p' in F. destruct (queue_bytes p' B F) as [FS FL]. subst m.
  unfold marks. rewrite (not_exceeded Kport B) by (auto; intros; eapply HK; eauto; simpl; auto).
  rewrite (not_exceeded _ B); [rewrite andb_false_r; reflexivity| |destruct (kind P); auto].
  intros k E. apply (HK _ k) in E; auto. simpl. destruct (kind P); auto.
Qed.

(** K_s = B and no threshold of the port (losspass.sec3.2.4.ks, only-large): only large packets are marked. *)
Theorem losspass_ks_b rd B Bl Kl es p m : marking departure rd B Bl (Some B) Kl None es p m ->
  Forall (fun P => kind P = Large) m.
Proof.
  intros H. induction H as [|es p m P H IH p'|es p m p' H IH S]; auto.
  pose proof (losspass_feasible _ _ _ _ _ (run_arrival _ _ _ _ _ _ P (losspass_marks_change_nothing _ _ _ _ _ _ _ _ _
    _ H))) as F.
  fold p' in F. destruct (queue_bytes p' B F) as [FS _]. unfold marks. destruct (kind P) eqn:K; simpl.
  - replace (B <? bytes (Qs p')) with false by (symmetry; apply Nat.ltb_ge; exact FS). rewrite andb_false_r. exact IH.
  - destruct (enqueued p p' && _); auto. apply Forall_app. auto.
Qed.

(** ** Evictions remove marked packets first (losspass.ours.evicts-marks) *)

Lemma marked_arrived S rd B Bl Ks Kl Kport es p m : marking S rd B Bl Ks Kl Kport es p m -> incl m (packets es).
Proof.
  intros H. induction H as [|es p m P H IH p'|es p m p' H IH D]; [intros x []| |]; rewrite packets_app.
  - destruct (enqueued p p' && marks Ks Kl Kport P p').
    + apply incl_app; [apply incl_appl, IH|apply incl_appr, incl_refl].
    + apply incl_appl, IH.
  - apply incl_appl, IH.
Qed.

Lemma in_port rd B Bl es p : run departure rd B Bl es p -> incl (Ql p) (packets es).
Proof.
  intros H x Hx. destruct (losspass_balance _ _ _ _ _ H) as [E _]. apply Permutation_sym in E.
  eapply Permutation_in; [exact E|]. rewrite !in_app_iff. unfold buffered. rewrite in_app_iff. auto.
Qed.

(** A packet of Q_l is marked exactly if the bytes up to it, counted from the head, exceed K_l. *)
Definition by_place (k : nat) (q m : list packet) : Prop :=
  forall x P y, q = x ++ P :: y -> (In P m <-> k < bytes (x ++ [P])).

Lemma last_are_marked k m q : by_place k q m ->
  exists u t, q = u ++ t /\ Forall (fun P => ~ In P m) u /\ Forall (fun P => In P m) t.
Proof.
  induction q as [|P q IH] using rev_ind; intros G; [exists [], []; auto|].
  destruct (Nat.ltb_spec k (bytes (q ++ [P]))) as [L|L].
  - destruct IH as (u & t & E & U & T).
    { intros x Q y Eq. apply (G x Q (y ++ [P])). rewrite Eq, <- app_assoc. reflexivity. }
    exists u, (t ++ [P]). rewrite E, app_assoc. repeat split; auto. apply Forall_app. split; auto.
    constructor; auto. apply (G q P []); auto.
  - exists (q ++ [P]), []. rewrite app_nil_r. repeat split; auto. apply Forall_forall. intros Q HQ X.
    apply in_split in HQ as (x & y & Eq). apply (G x Q y Eq) in X. rewrite Eq, !bytes_app in L. simpl in L.
    rewrite bytes_app, bytes_one in X. unfold bytes in *. simpl in L. lia.
Qed.

(** Any sizes, K_s = B: a packet is marked only while Q_l > K_l; as long as Q_l is not served its marked packets are its
    last ones, so that the tail, which an eviction removes, is marked if any is. *)
Theorem losspass_evicts_marks (S : port -> port -> Prop) k B Bl es p m :
  (forall x y, S x y -> departure x y /\ Ql y = Ql x) -> NoDup (packets es) ->
  marking S intended B Bl (Some B) (Some k) None es p m ->
  (forall P, let p' := arrive intended B Bl P p in
     (enqueued p p' && marks (Some B) (Some k) None P p' = true) -> k < bytes (Ql p')) /\
  (exists u t, Ql p = u ++ t /\ Forall (fun P => ~ In P m) u /\ Forall (fun P => In P m) t).
Proof.
  intros HS N H.
  assert (Dep : forall es p m, marking S intended B Bl (Some B) (Some k) None es p m ->
    run departure intended B Bl es p).
  { clear - HS. intros es p m H. apply (runs S). { intros x y Hxy. apply HS, Hxy. }
    apply (losspass_marks_change_nothing _ _ _ _ _ _ _ _ _ _ H). }
  split.
  - intros P p' E. apply andb_true_iff in E as [_ E]. unfold marks in E. simpl in E. rewrite orb_false_r in E.
    pose proof (losspass_feasible _ _ _ _ _ (run_arrival _ _ _ _ _ _ P (Dep _ _ _ H))) as F.
    fold p' in F. destruct (queue_bytes p' B F) as [FS _]. destruct (kind P); apply Nat.ltb_lt in E; [lia|exact E].
  - apply (last_are_marked k). induction H as [|es p m P H IH p'|es p m p' H IH D].
    + intros x P y E. destruct x; discriminate.
    + rewrite packets_app in N. simpl in N. pose proof (NoDup_remove_1 _ _ _ N) as N0.
      rewrite app_nil_r in N0. pose proof (NoDup_remove_2 _ _ _ N) as NP. rewrite app_nil_r in NP.
      specialize (IH N0). pose proof (marked_arrived _ _ _ _ _ _ _ _ _ _ H) as Im.
      pose proof (in_port _ _ _ _ _ (Dep _ _ _ H)) as Iq. pose proof (Dep _ _ _ H) as R.
      pose proof (losspass_feasible _ _ _ _ _ (run_arrival _ _ _ _ _ _ P R)) as F. fold p' in F.
      destruct (queue_bytes p' B F) as [FS _].
      destruct (kind P) eqn:K.
      * (* small: no mark, and Q_l is as before or without its tail *)
        replace (marks (Some B) (Some k) None P p') with false
          by (unfold marks; rewrite K; simpl; symmetry; rewrite orb_false_r; apply Nat.ltb_ge; exact FS).
        rewrite andb_false_r. destruct (arrive_cases intended B Bl P p) as [E|[(E & _)|(v & r & V & _ & _ & _ & _ &
          E)]];
          fold p' in E; rewrite E.
        -- exact IH.
        -- unfold enqueue. rewrite K. exact IH.
        -- simpl. unfold enqueue. rewrite K. simpl. apply victim_tail in V. intros x Q y Eq.
           apply (IH x Q (y ++ [v])). rewrite V, Eq, <- app_assoc. reflexivity.
      * destruct (arrive_cases intended B Bl P p) as [E|[(E & _)|(v & r & _ & K' & _)]]; [| |congruence];
        fold p' in E; rewrite E.
        -- unfold enqueued. simpl. rewrite app_length. simpl.
           replace (length (dropped p) + 1 =? length (dropped p)) with false by (symmetry; apply Nat.eqb_neq; lia).
           exact IH.
        -- replace (enqueued p (enqueue P p)) with true
             by (unfold enqueued, enqueue; rewrite K; simpl; symmetry; apply Nat.eqb_refl).
           assert (M : marks (Some B) (Some k) None P (enqueue P p) = (k <? bytes (Ql p ++ [P])))
             by (unfold marks, enqueue; rewrite K; simpl; apply orb_false_r).
           rewrite M. simpl andb. unfold enqueue. rewrite K. simpl. intros x Q y Eq.
           destruct y as [|z y] using rev_ind; [|clear IHy].
           ++ apply app_inj_tail in Eq as [<- <-]. destruct (Nat.ltb_spec k (bytes (Ql p ++ [P]))) as [L|L].
              ** rewrite in_app_iff. simpl. tauto.
              ** split; intros X; [|lia]. elim NP. apply Im, X.
           ++ replace (x ++ Q :: y ++ [z]) with ((x ++ Q :: y) ++ [z]) in Eq by (rewrite <- app_assoc; reflexivity).
              apply app_inj_tail in Eq as [Eq <-]. specialize (IH x Q y Eq). rewrite <- IH.
              assert (QP : Q <> P) by (intros ->; apply NP, Iq; rewrite Eq; apply in_elt).
              destruct (k <? bytes (Ql p ++ [P])); [|tauto]. rewrite in_app_iff. simpl. split; [|tauto].
              intros [X|[X|[]]]; [exact X|congruence].
    + rewrite packets_app in N. simpl in N. rewrite app_nil_r in N. destruct (HS _ _ D) as [_ ->]. auto.
Qed.

(** The hypotheses can hold: two large packets of one byte, K_l = 1: the second, the tail, is marked. *)
Theorem losspass_marks_instance :
  let es := [Arrival (Packet 0 Large 1); Arrival (Packet 1 Large 1)] in
  let S := fun x y => departure x y /\ Ql y = Ql x in
  marking S intended 2 0 (Some 2) (Some 1) None es (port_after intended 2 0 es) [Packet 1 Large 1] /\
  NoDup (packets es) /\ one_size 1 es.
Proof.
  intros es S. split; [|split; repeat constructor; simpl; intuition congruence].
  apply (marking_arrival S intended 2 0 (Some 2) (Some 1) None [Arrival (Packet 0 Large 1)]
    (port_after intended 2 0 [Arrival (Packet 0 Large 1)]) [] (Packet 1 Large 1)).
  apply (marking_arrival S intended 2 0 (Some 2) (Some 1) None [] empty_port [] (Packet 0 Large 1)). constructor.
Qed.
