(** L2BM paper, Section III-B, Algorithm 1: the recorder of one ingress queue, line by line, over any list of events;
    the repairs of its line 14; and what each of them records.  The claims l2bm.ours.*, from bookkeeping to idle-lines. *)
Require Import Reals Lra Lia List.
Import ListNotations.
Open Scope R_scope.

(** ** Algorithm 1 *)

(** What is kept: t_total, N and t_prev. *)
Record recorder := Recorder { total : R; packets : nat; updated : R }.

(** Lines 2 to 11: a packet enqueues at [now]; its output queue holds q bytes, itself included, and drains at mu. *)
Definition enqueue (r : recorder) (now q mu : R) : recorder :=
  let interval := match packets r with O => 0 | _ => now - updated r end in      (* lines 3 to 7 *)
  let delta := q / mu - INR (packets r) * interval in                            (* line 8 *)
  Recorder (total r + delta) (1 + packets r) now.                                (* lines 9 to 11 *)

(** The same without lines 3, 5, 6 and 7: the interval is always now - t_prev. *)
Definition enqueue_plain (r : recorder) (now q mu : R) : recorder :=
  Recorder (total r + (q / mu - INR (packets r) * (now - updated r))) (1 + packets r) now.

(** Lines 12 to 14, as printed and as repaired; [due] is the due time of the packet that leaves. *)
Inductive reading := Literal | Clocked | Reset | Stamped.

Definition dequeue (how : reading) (r : recorder) (now due : R) : recorder :=
  let elapsed := now - updated r in
  let removed := total r - INR (packets r) * elapsed in
  match how with
  | Literal => Recorder (total r - elapsed) (packets r - 1) (updated r)
  | Clocked => Recorder removed (packets r - 1) now
  | Reset => Recorder (match packets r with 1%nat => 0 | _ => removed end) (packets r - 1) now
  | Stamped => Recorder (removed - (due - now)) (packets r - 1) now
  end.

(** ** Traces *)

(** Packet number k of the queue (in the order of arrival, from 0) leaves; if there is none, nothing happens. *)
Inductive event := Arrive (now q mu : R) | Depart (now : R) (k : nat).

(** The recorder, and what it knows nothing of: the due times of the packets present, (due, left) of those that have
    departed ever and of those of the current busy period, and the times of the last arrival and of the last event. *)
Record state := State { kept : recorder; present : list R; departed : list (R * R); period : list (R * R);
                        last_arrival : R; last_event : R }.

Fixpoint without {A} (k : nat) (l : list A) : list A :=
  match l, k with [], _ => [] | _ :: t, O => t | h :: t, Datatypes.S j => h :: without j t end.

Definition step (how : reading) (s : state) (e : event) : state :=
  match e with
  | Arrive now q mu => State (enqueue (kept s) now q mu) (present s ++ [now + q / mu]) (departed s) (period s) now now
  | Depart now k =>
      match nth_error (present s) k with
      | None => s
      | Some due => State (dequeue how (kept s) now due) (without k (present s)) (departed s ++ [(due, now)])
                          (match without k (present s) with [] => [] | _ => period s ++ [(due, now)] end)
                          (last_arrival s) now
      end
  end.

(** Line 1; t_prev has any value t0 at first. *)
Definition start (t0 : R) : state := State (Recorder 0 0 t0) [] [] [] t0 t0.
Definition run (how : reading) (t0 : R) (events : list event) : state := fold_left (step how) events (start t0).

Definition add_up {A} (f : A -> R) (l : list A) : R := fold_right (fun x y => f x + y) 0 l.

(** What the packets present have left at t, together; the sum of D - a over departures; their average (equation (2)). *)
Definition left_at (s : state) (t : R) : R := add_up (fun due => due - t) (present s).
Definition deviation (l : list (R * R)) : R := add_up (fun d => fst d - snd d) l.
Definition mean (s : state) : R := total (kept s) / INR (packets (kept s)).
Definition when_due (s : state) : Prop := forall d, In d (departed s) -> snd d = fst d.

(** ** Sums over lists *)

Lemma add_up_app {A} (f : A -> R) l m : add_up f (l ++ m) = add_up f l + add_up f m.
Proof. unfold add_up. induction l; simpl; [lra|]. rewrite IHl. lra. Qed.

Lemma add_up_without {A} (f : A -> R) k x l : nth_error l k = Some x -> add_up f l = f x + add_up f (without k l).
Proof.
  unfold add_up. revert k. induction l as [|y l IH]; intros [|k] E; simpl in *; try discriminate.
  - injection E as ->. reflexivity.
  - rewrite (IH k E). lra.
Qed.

Lemma length_without {A} k (x : A) l : nth_error l k = Some x -> length l = Datatypes.S (length (without k l)).
Proof.
  revert k. induction l as [|y l IH]; intros [|k] E; simpl in *; try discriminate; auto.
Qed.

Lemma add_up_shift l t u : add_up (fun due => due - t) l = add_up (fun due => due - u) l + INR (length l) * (u - t).
Proof.
  unfold add_up. induction l as [|x l IH]; [simpl; lra|]. simpl length. rewrite S_INR. simpl. rewrite IH. lra.
Qed.

Lemma deviation_on_time l : (forall d, In d l -> snd d = fst d) -> deviation l = 0.
Proof.
  unfold deviation, add_up. induction l as [|d l IH]; intros K; simpl; [lra|].
  rewrite IH, (K d) by (intros; try apply K; simpl; auto). lra.
Qed.

Lemma run_app how t0 l m : run how t0 (l ++ m) = fold_left (step how) m (run how t0 l).
Proof. apply fold_left_app. Qed.

Lemma invariant how (P : state -> Prop) t0 events :
  P (start t0) -> (forall s e, P s -> P (step how s e)) -> P (run how t0 events).
Proof. unfold run. intros H0 Hs. revert H0. generalize (start t0). induction events; simpl; auto. Qed.

(** ** Lines 3, 5, 6 and 7 *)

Lemma same_total a b N u : a = b -> Recorder a N u = Recorder b N u.
Proof. intros ->. reflexivity. Qed.

Lemma enqueue_is_plain r now q mu : enqueue r now q mu = enqueue_plain r now q mu.
Proof. destruct r as [T [|N] u]; [|reflexivity]. apply same_total. simpl. lra. Qed.

(** l2bm.ours.idle-lines: they have no effect; without a packet the interval is multiplied by 0, whatever t_prev. *)
Theorem l2bm_idle_lines r now q mu : enqueue r now q mu = enqueue_plain r now q mu /\
  (packets r = 0%nat -> forall t, enqueue r now q mu = enqueue_plain (Recorder (total r) 0 t) now q mu).
Proof.
  split; [apply enqueue_is_plain|]. intros E t. rewrite enqueue_is_plain. destruct r as [T N u]. simpl in E. subst N.
  apply same_total. simpl. lra.
Qed.

(** ** The identities *)

(** What the error of each reading is. *)
Definition error (how : reading) (s : state) : R :=
  match how with Literal | Clocked => deviation (departed s) | Reset => deviation (period s) | Stamped => 0 end.

Definition sound (how : reading) (s : state) : Prop :=
  packets (kept s) = length (present s) /\
  updated (kept s) = match how with Literal => last_arrival s | _ => last_event s end /\
  total (kept s) = left_at s (updated (kept s)) + error how s.

Lemma sound_step how s e : sound how s -> sound how (step how s e).
Proof.
  intros (HN & Hu & Ht). destruct e as [now q mu|now k].
  - unfold step. rewrite enqueue_is_plain. unfold sound, left_at, enqueue_plain in *. simpl. split; [|split].
    + rewrite app_length, HN. simpl. lia.
    + destruct how; reflexivity.
    + rewrite add_up_app, Ht, HN, (add_up_shift (present s) (updated (kept s)) now). unfold add_up at 3. simpl.
      destruct how; simpl; lra.
  - unfold step. destruct (nth_error (present s) k) as [due|] eqn:E; [|repeat split; auto].
    pose proof (length_without k due _ E) as L. pose proof (add_up_without (fun x => x - updated (kept s)) k due _ E) as A.
    unfold sound, left_at in *. set (rest := without k (present s)) in *.
    assert (D : forall l, deviation (l ++ [(due, now)]) = deviation l + (due - now)).
    { intros l. unfold deviation. rewrite add_up_app. unfold add_up at 2. simpl. lra. }
    assert (NN : INR (packets (kept s)) = INR (length rest) + 1) by (rewrite HN, L, S_INR; lra).
    pose proof (add_up_shift rest (updated (kept s)) now) as Sh.
    destruct how; cbn [dequeue kept present departed period last_arrival last_event packets updated total error] in *;
      (split; [lia|]); (split; [auto|]); rewrite ?D.
    + lra.
    + rewrite NN. lra.
    + destruct rest as [|x rest'].
      * rewrite HN, L. simpl. unfold deviation, add_up. simpl. lra.
      * rewrite L in HN. destruct (packets (kept s)) as [|[|N]]; try discriminate HN.
        rewrite D, NN. lra.
    + rewrite NN. lra.
Qed.

Lemma sound_run how t0 events : sound how (run how t0 events).
Proof.
  apply invariant; [|apply sound_step]. unfold sound, left_at, add_up. simpl.
  split; [auto|split; [destruct how; auto|]]. destruct how; simpl; unfold deviation, add_up; simpl; lra.
Qed.

(** l2bm.ours.bookkeeping: the printed total on every trace; t_prev is the last arrival. *)
Theorem l2bm_bookkeeping t0 events : let s := run Literal t0 events in
  total (kept s) = left_at s (updated (kept s)) + deviation (departed s) /\
  updated (kept s) = last_arrival s /\ packets (kept s) = length (present s).
Proof. destruct (sound_run Literal t0 events) as (HN & Hu & Ht). auto. Qed.

(** l2bm.ours.clocked: with the repaired line 14 t_prev is the last event; while packets leave when due the total is
    the sum of what is left at it. *)
Theorem l2bm_clocked t0 events : let s := run Clocked t0 events in
  total (kept s) = left_at s (updated (kept s)) + deviation (departed s) /\ updated (kept s) = last_event s /\
  (when_due s -> total (kept s) = left_at s (last_event s)).
Proof.
  destruct (sound_run Clocked t0 events) as (HN & Hu & Ht). repeat split; auto. intros K. rewrite Ht, Hu. simpl.
  rewrite deviation_on_time by auto. lra.
Qed.

(** l2bm.ours.stamped: no error, whenever packets leave. *)
Theorem l2bm_stamped t0 events : let s := run Stamped t0 events in
  total (kept s) = left_at s (updated (kept s)) /\ updated (kept s) = last_event s.
Proof. destruct (sound_run Stamped t0 events) as (HN & Hu & Ht). simpl in *. split; auto. lra. Qed.

(** l2bm.ours.reset: only the departures of the current busy period remain in the error. *)
Theorem l2bm_reset t0 events : let s := run Reset t0 events in
  total (kept s) = left_at s (updated (kept s)) + deviation (period s) /\ updated (kept s) = last_event s.
Proof. destruct (sound_run Reset t0 events) as (HN & Hu & Ht). auto. Qed.

(** ** The reader's repair *)

(** The queue itself does not depend on the recorder. *)
Definition same_queue (s s' : state) : Prop :=
  present s = present s' /\ departed s = departed s' /\ last_event s = last_event s'.

Lemma same_queue_run how how' t0 events : same_queue (run how t0 events) (run how' t0 events).
Proof.
  unfold run. assert (G : same_queue (start t0) (start t0)) by (repeat split). revert G.
  generalize (start t0) at 1 3. generalize (start t0). induction events as [|e events IH]; intros s' s G; simpl; auto.
  apply IH. destruct G as (E1 & E2 & E3). destruct e as [now q mu|now k]; simpl.
  - repeat split; simpl; auto. rewrite E1. auto.
  - rewrite <- E1. destruct (nth_error (present s) k); [|repeat split; auto]. repeat split; simpl; auto. rewrite E2. auto.
Qed.

(** l2bm.ours.current: t_total / N - (t - t_prev) of the printed recorder is the average of what is left at t while
    packets leave when due; at the last event it is the clocked average on every trace. *)
Theorem l2bm_current t0 events : let s := run Literal t0 events in let c := run Clocked t0 events in
  let read := fun t => mean s - (t - updated (kept s)) in
  present s <> [] ->
  (when_due s -> forall t, read t = left_at s t / INR (length (present s))) /\ read (last_event s) = mean c.
Proof.
  intros s c read Hne. destruct (sound_run Literal t0 events) as (HN & Hu & Ht). fold s in HN, Hu, Ht.
  destruct (sound_run Clocked t0 events) as (HN' & Hu' & Ht'). fold c in HN', Hu', Ht'.
  destruct (same_queue_run Literal Clocked t0 events) as (E1 & E2 & E3). fold s c in E1, E2, E3.
  assert (P : 0 < INR (length (present s))) by (apply lt_0_INR; destruct (present s); [tauto|simpl; lia]).
  assert (G : forall t, read t = (left_at s t + deviation (departed s)) / INR (length (present s))).
  { intros t. unfold read, mean. rewrite HN, Ht. unfold left_at. simpl error.
    rewrite (add_up_shift (present s) (updated (kept s)) t). field. lra. }
  split.
  - intros K t. rewrite G, deviation_on_time by auto. f_equal. lra.
  - rewrite G. unfold mean. rewrite HN', Ht', Hu', <- E3. unfold left_at. simpl error. rewrite <- E1, <- E2. reflexivity.
Qed.

(** ** Pauses *)

(** Events on wall time, with the pauses of the output; [running]: the same on a clock that stands still in a pause. *)
Inductive wall := At (e : event) | Pause (now : R) | Resume (now : R).

Definition retime (clock : R -> R) (e : event) : event :=
  match e with Arrive now q mu => Arrive (clock now) q mu | Depart now k => Depart (clock now) k end.

Fixpoint running (since : option R) (suspended : R) (l : list wall) : list event :=
  match l with
  | [] => []
  | At e :: m =>
      retime (fun now => (match since with Some p => p | None => now end) - suspended) e :: running since suspended m
  | Pause now :: m => running (Some now) suspended m
  | Resume now :: m => running None (match since with Some p => suspended + (now - p) | None => suspended end) m
  end.

Lemma running_app_plain l m : running None 0 (map At l ++ m) = l ++ running None 0 m.
Proof.
  induction l as [|e l IH]; simpl; auto. rewrite IH. f_equal. destruct e; simpl; f_equal; lra.
Qed.

Lemma running_during p l m : running (Some p) 0 (map At l ++ m) = map (retime (fun _ => p)) l ++ running (Some p) 0 m.
Proof.
  induction l as [|e l IH]; simpl; auto. rewrite IH. f_equal. destruct e; simpl; f_equal; lra.
Qed.

Lemma running_after P l : running None P (map (fun e => At (retime (fun now => now + P) e)) l) = l.
Proof.
  induction l as [|e l IH]; simpl; auto. rewrite IH. f_equal. destruct e; simpl; f_equal; lra.
Qed.

(** l2bm.ours.pause-aware: a pause of any length P from p on delays all later events by P; on the running clock the
    recorder is that of the run without the pause (what happened during the pause happens at p). *)
Theorem l2bm_pause_aware t0 before during after p P :
  run Clocked t0 (running None 0 (map At before ++ [Pause p] ++ map At during ++ [Resume (p + P)] ++
                                  map (fun e => At (retime (fun now => now + P) e)) after)) =
  run Clocked t0 (before ++ map (retime (fun _ => p)) during ++ after).
Proof.
  f_equal. rewrite running_app_plain. f_equal. simpl. rewrite running_during. f_equal. simpl.
  replace (0 + (p + P - p)) with P by lra. apply running_after.
Qed.

(** l2bm.ours.pause-error: two runs with the same packets present and the same last arrival; of the packets that have
    left, those in [late] (m of them) left P later in the second run.  Its printed total is lower by m P for ever. *)
Theorem l2bm_pause_error t0 events paused P others late : let s := run Literal t0 events in
  let s' := run Literal t0 paused in
  present s' = present s -> last_arrival s' = last_arrival s ->
  (forall f : R * R -> R, add_up f (departed s) = add_up f (others ++ late)) ->
  (forall f : R * R -> R, add_up f (departed s') = add_up f (others ++ map (fun d => (fst d, snd d + P)) late)) ->
  forall more, total (kept (run Literal t0 (paused ++ more))) =
               total (kept (run Literal t0 (events ++ more))) - INR (length late) * P.
Proof.
  intros s s' Ep Ea Ed Ed' more.
  destruct (sound_run Literal t0 events) as (HN & Hu & Ht). fold s in HN, Hu, Ht.
  destruct (sound_run Literal t0 paused) as (HN' & Hu' & Ht'). fold s' in HN', Hu', Ht'.
  assert (E : deviation (departed s') = deviation (departed s) - INR (length late) * P).
  { unfold deviation. rewrite Ed, Ed', !add_up_app. clear. unfold add_up.
    induction late as [|d l IH]; [simpl; lra|]. simpl length. rewrite S_INR. simpl. lra. }
  rewrite !run_app. fold s s'.
  assert (G : present s' = present s /\ packets (kept s') = packets (kept s) /\ updated (kept s') = updated (kept s) /\
    total (kept s') = total (kept s) - INR (length late) * P).
  { repeat split; try congruence. rewrite Ht, Ht', Hu, Hu'. unfold left_at. simpl error. rewrite E, Ep, Ea. lra. }
  clear - G. revert G. generalize s s'. induction more as [|e more IH]; intros u v (E1 & E2 & E3 & E4); simpl; auto.
  apply IH. destruct e as [now q mu|now k]; unfold step.
  - rewrite !enqueue_is_plain. unfold enqueue_plain. simpl. rewrite E1, E2, E3, E4. repeat split. lra.
  - rewrite E1. destruct (nth_error (present u) k); simpl; [|auto]. rewrite E2, E3, E4. repeat split. lra.
Qed.

(** One packet, due at 1, that leaves at 1, or at 3 after a pause of 2 s. *)
Theorem l2bm_pause_error_instance : let s := run Literal 0 [Arrive 0 1 1; Depart 1 0] in
  let s' := run Literal 0 [Arrive 0 1 1; Depart 3 0] in let late := [(1, 1)] in
  present s' = present s /\ last_arrival s' = last_arrival s /\
  (forall f : R * R -> R, add_up f (departed s) = add_up f ([] ++ late)) /\
  (forall f : R * R -> R, add_up f (departed s') = add_up f ([] ++ map (fun d => (fst d, snd d + 2)) late)) /\
  total (kept s') = total (kept s) - 1 * 2.
Proof.
  cbn. replace (0 + 1 / 1) with 1 by field. replace (1 + 2) with 3 by lra. repeat split. lra.
Qed.

(** ** A queue that drains *)

Lemma weight_falls alpha c x m m' : 0 <= alpha -> 0 <= x -> 0 < m -> m <= m' ->
  alpha * ((c * m' + x) / m') <= alpha * ((c * m + x) / m).
Proof.
  intros Ha Hx Hm Hle. apply Rmult_le_compat_l; auto. replace ((c * m' + x) / m') with (c + x * / m') by (field; lra).
  replace ((c * m + x) / m) with (c + x * / m) by (field; lra).
  apply Rplus_le_compat_l, Rmult_le_compat_l; auto. apply Rinv_le_contravar; lra.
Qed.

(** l2bm.ours.stale-mean: the packets have left when due, and the next one, which has the least left, does so, too.  Then
    the printed average does not fall, so no threshold w F rises (with x in C besides c times the own average, c = 0 or
    1); and the average of what is left at any t from t_prev on is not above it. *)
Theorem l2bm_stale_mean t0 events : let s := run Literal t0 events in when_due s -> present s <> [] ->
  (forall t, updated (kept s) <= t -> left_at s t / INR (length (present s)) <= mean s) /\
  (forall k now, nth_error (present s) k = Some now -> (forall due, In due (present s) -> now <= due) ->
    let s' := run Literal t0 (events ++ [Depart now k]) in present s' <> [] ->
    when_due s' /\ last_arrival s' = last_arrival s /\ mean s <= mean s' /\
    (0 < mean s -> forall alpha c x, 0 <= alpha -> 0 <= x ->
      alpha * ((c * mean s' + x) / mean s') <= alpha * ((c * mean s + x) / mean s))).
Proof.
  intros s Due Hne. destruct (sound_run Literal t0 events) as (HN & Hu & Ht). fold s in HN, Hu, Ht.
  simpl error in Ht. rewrite deviation_on_time in Ht by auto. rewrite Rplus_0_r in Ht.
  assert (P : 0 < INR (length (present s))) by (apply lt_0_INR; destruct (present s); [tauto|simpl; lia]).
  split.
  - intros t Hle. unfold mean. rewrite HN, Ht. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto|].
    unfold left_at. rewrite (add_up_shift (present s) (updated (kept s)) t).
    pose proof (Rmult_le_pos (INR (length (present s))) (t - updated (kept s))). lra.
  - intros k now E Least s' Hne'. unfold s' in *. rewrite run_app in *. fold s in Hne' |- *.
    cbn [fold_left step] in *. rewrite E in *. cbn [kept present departed last_arrival] in *.
    pose proof (length_without k now _ E) as L. set (rest := without k (present s)) in *.
    assert (P' : 0 < INR (length rest)) by (apply lt_0_INR; destruct rest; [tauto|simpl; lia]).
    assert (M : mean s <= mean (State (dequeue Literal (kept s) now now) rest (departed s ++ [(now, now)])
                 (match rest with [] => [] | _ => period s ++ [(now, now)] end) (last_arrival s) now)).
    { unfold mean. cbn [kept dequeue total packets]. rewrite HN, L.
      replace (Datatypes.S (length rest) - 1)%nat with (length rest) by lia.
      set (e := now - updated (kept s)).
      assert (K : INR (length (present s)) * e <= total (kept s)).
      { rewrite Ht. unfold left_at. rewrite (add_up_shift (present s) (updated (kept s)) now). fold e.
        assert (0 <= add_up (fun due => due - now) (present s)); [|lra]. clear - Least. unfold add_up.
        induction (present s) as [|y l IH]; simpl; [lra|]. specialize (Least y (or_introl eq_refl)) as Hy.
        assert (0 <= fold_right (fun x y : R => x - now + y) 0 l) by (apply IH; intros; apply Least; simpl; auto). lra. }
      rewrite L, S_INR in K. rewrite S_INR. apply Rmult_le_reg_r with ((INR (length rest) + 1) * INR (length rest)).
      { apply Rmult_lt_0_compat; lra. }
      replace (total (kept s) / (INR (length rest) + 1) * ((INR (length rest) + 1) * INR (length rest)))
        with (total (kept s) * INR (length rest)) by (field; lra).
      replace ((total (kept s) - e) / INR (length rest) * ((INR (length rest) + 1) * INR (length rest)))
        with ((total (kept s) - e) * (INR (length rest) + 1)) by (field; lra). lra. }
    repeat split; auto.
    + intros d Hd. cbn [departed] in Hd. apply in_app_or in Hd. destruct Hd as [Hd|[<-|[]]]; auto.
    + intros Hm alpha c x Ha Hx. apply weight_falls; auto.
Qed.

(** ** Packets that leave late *)

(** Departures from an empty queue change nothing. *)
Lemma idle_departures how s events : present s = [] -> (forall e, In e events -> exists now k, e = Depart now k) ->
  fold_left (step how) events s = s.
Proof.
  intros E. induction events as [|e events IH]; intros All; simpl; auto.
  destruct (All e (or_introl eq_refl)) as (now & k & ->). simpl. rewrite E.
  replace (nth_error (@nil R) k) with (@None R) by (destruct k; auto). apply IH. intros; apply All; simpl; auto.
Qed.

(** l2bm.ours.can-be-negative: one packet, late; the total is negative, and stays what it is while nothing arrives. *)
Theorem l2bm_can_be_negative t0 t q mu a idle : t + q / mu < a ->
  (forall e, In e idle -> exists now k, e = Depart now k) ->
  let s := run Literal t0 ([Arrive t q mu; Depart a 0] ++ idle) in
  present s = [] /\ total (kept s) = t + q / mu - a /\ total (kept s) < 0.
Proof.
  intros Late All s. unfold s. rewrite run_app, idle_departures; auto. cbn. repeat split; lra.
Qed.

(** l2bm.ours.can-be-zero: a packet that is 1 s late, and a new one of 1 s: equation (3) divides by 0. *)
Theorem l2bm_can_be_zero : let s := run Literal 0 [Arrive 0 1 1; Depart 2 0; Arrive 2 1 1] in
  packets (kept s) = 1%nat /\ length (present s) = 1%nat /\ mean s = 0.
Proof. cbn. unfold mean. cbn. repeat split. field. Qed.

(** l2bm.ours.drift: every packet leaves d after it was due; then the total of the empty queue is - m d. *)
Theorem l2bm_drift t0 events d : let s := run Literal t0 events in
  present s = [] -> (forall x, In x (departed s) -> snd x = fst x + d) ->
  total (kept s) = - (INR (length (departed s)) * d).
Proof.
  intros s E Late. destruct (sound_run Literal t0 events) as (_ & _ & Ht). fold s in Ht. simpl error in Ht.
  rewrite Ht. unfold left_at. rewrite E. unfold deviation. clear - Late. unfold add_up at 1. simpl.
  induction (departed s) as [|x l IH]; [unfold add_up; simpl; lra|]. simpl length. rewrite S_INR. unfold add_up in *. simpl.
  pose proof (Late x (or_introl eq_refl)). specialize (IH ltac:(intros; apply Late; simpl; auto)). lra.
Qed.

(** ... without bound: one packet of 1 s after the other, each late by d > 0, [m] of them. *)
Fixpoint rounds (d : R) (m : nat) : list event :=
  match m with O => [] | Datatypes.S k =>
    rounds d k ++ [Arrive (INR k * (1 + d)) 1 1; Depart (INR (Datatypes.S k) * (1 + d)) 0] end.

Lemma beyond x : exists m, x < INR m.
Proof.
  destruct (archimed x) as [K _]. exists (Z.to_nat (up x)). rewrite INR_IZR_INZ.
  apply Rlt_le_trans with (IZR (up x)); auto. apply IZR_le. lia.
Qed.

Theorem l2bm_drift_unbounded d M : 0 < d -> exists m, let s := run Literal 0 (rounds d m) in
  present s = [] /\ length (departed s) = m /\ (forall x, In x (departed s) -> snd x = fst x + d) /\ total (kept s) < M.
Proof.
  intros Hd.
  assert (K : forall m, let s := run Literal 0 (rounds d m) in
    present s = [] /\ length (departed s) = m /\ (forall x, In x (departed s) -> snd x = fst x + d)).
  { induction m as [|m (E1 & E2 & E3)]; [simpl; repeat split; intros x []|].
    cbn [rounds]. rewrite run_app. set (s := run Literal 0 (rounds d m)) in *.
    cbn [fold_left step present]. rewrite E1. cbn [app nth_error without present departed]. repeat split.
    - rewrite app_length, E2. simpl. lia.
    - intros x Hx. apply in_app_or in Hx. destruct Hx as [Hx|[<-|[]]]; auto. cbn [fst snd]. rewrite S_INR. field. }
  destruct (beyond (- M / d)) as (m & Hm). exists m. destruct (K m) as (E1 & E2 & E3).
  repeat split; auto. rewrite (l2bm_drift 0 (rounds d m) d E1 E3), E2.
  apply (Rmult_lt_compat_r d) in Hm; auto. replace (- M / d * d) with (- M) in Hm by (field; lra). lra.
Qed.
