(** An engine of the model in rational numbers, which Coq runs, and its proof.

      [engine_correct]  what [engine_run] returns are the lengths of a trajectory at the instants of its events;
      [engine_only]     and of every trajectory from these lengths.

    From event to event the engine finds F' as the root of the equation of [Existence.v], goes as far as the next event, and
    checks both; the proof rests on the checks alone.  [Total.v] proves that it always answers.                *)
Require Import QArith Qreals Qabs Reals Lra Lia List Bool.
From DT Require Import Calculus Fluid Existence.
Import ListNotations.
Open Scope R_scope.

(** ** The engine *)

Record rational_switch := RationalSwitch {
  queues_q : nat; weights_q : nat -> Q; offsets_q : nat -> Q; services_q : nat -> Q; memory_q : Q
}.

Definition real_switch (w : rational_switch) : switch :=
  Switch (queues_q w) (fun i => Q2R (weights_q w i)) (fun i => Q2R (offsets_q w i)) (fun i => Q2R (services_q w i)) (Q2R (memory_q w)).

Section Engine.
Local Open Scope Q_scope.
Variable w : rational_switch.

Definition less_q (x y : Q) : bool := negb (Qle_bool y x).
Definition item_q (l : list Q) (i : nat) : Q := nth i l 0.
Definition table_q (f : nat -> Q) : list Q := map (fun i => Qred (f i)) (seq 0 (queues_q w)).
Fixpoint sum_q (n : nat) (f : nat -> Q) : Q := match n with O => 0 | S k => Qred (sum_q k f + f k) end.

Definition lowest_q (c q : Q) : Q := if less_q 0 q then - c else 0.
Definition highest_q (c a q : Q) : Q := if less_q 0 q then a - c else if less_q c a then a - c else 0.
Definition clip_q (x l u : Q) : Q := if less_q x l then l else if less_q u x then u else x.
Definition threshold_q (q : list Q) (i : nat) : Q := offsets_q w i + weights_q w i * (memory_q w - sum_q (queues_q w) (item_q q)).

(** How fast a queue of length q below a threshold t, or on or above it, grows if the threshold grows at y. *)
Definition rate_q (c a q t y : Q) : Q :=
  if less_q q t then highest_q c a q else if less_q t q then lowest_q c q else clip_q y (lowest_q c q) (highest_q c a q).
Definition rates_q (a q : list Q) (x : Q) : list Q :=
  table_q (fun i => rate_q (services_q w i) (item_q a i) (item_q q i) (threshold_q q i) (weights_q w i * x)).

(** F' by interpolation between the two bends next to the root. *)
Definition bends_q (a q : list Q) (i : nat) : list Q :=
  if Qeq_bool (item_q q i) (threshold_q q i) && negb (Qeq_bool (weights_q w i) 0)
  then [lowest_q (services_q w i) (item_q q i) / weights_q w i;
        highest_q (services_q w i) (item_q a i) (item_q q i) / weights_q w i] else [].
Definition slope_q (a q : list Q) : Q :=
  let f x := x + sum_q (queues_q w) (item_q (rates_q a q x)) in
  let m := 1 + sum_q (queues_q w) (fun i => Qabs (services_q w i) + Qabs (item_q a i)) in
  let all := flat_map (bends_q a q) (seq 0 (queues_q w)) in
  let l := fold_left (fun b e => if Qle_bool (f e) 0 && less_q b e then e else b) all (- m) in
  let u := fold_left (fun b e => if Qle_bool 0 (f e) && less_q e b then e else b) all m in
  Qred (if Qeq_bool (f l) (f u) then l else l - f l * (u - l) / (f u - f l)).

(** The time until a queue is empty or meets its threshold, at most r. *)
Definition until_q (z k r : Q) : Q := if less_q 0 z && less_q k 0 && less_q (z / - k) r then z / - k else r.
Definition next_event_q (q v : list Q) (x r : Q) : Q :=
  Qred (fold_left (fun d i =>
    let gap := threshold_q q i - item_q q i in
    let closing := weights_q w i * x - item_q v i in
    until_q (item_q q i) (item_q v i) (until_q gap closing (until_q (- gap) (- closing) d))) (seq 0 (queues_q w)) r).

Definition moves_q (q v : list Q) (d : Q) : list Q := table_q (fun i => item_q q i + item_q v i * d).

(** What is checked of a piece of length d. *)
Definition fits_q (a q : list Q) (x d : Q) (i : nat) : bool :=
  let t := threshold_q q i in
  let v := item_q (rates_q a q x) i in
  Qle_bool 0 (services_q w i) && Qle_bool 0 (item_q a i) && Qle_bool 0 (item_q q i + v * d) &&
  (if less_q (item_q q i) t then Qle_bool (item_q q i + v * d) (t + weights_q w i * x * d)
   else if less_q t (item_q q i) then Qle_bool (t + weights_q w i * x * d) (item_q q i + v * d) else true).
Definition piece_right_q (a q : list Q) (x d : Q) : bool :=
  less_q 0 d && Qeq_bool (x + sum_q (queues_q w) (item_q (rates_q a q x))) 0 && forallb (fits_q a q x d) (seq 0 (queues_q w)).

(** Arrivals are a list of durations with rates; the answer is a list of instants with lengths. *)
Fixpoint engine_run (fuel : nat) (t : Q) (q : list Q) (arrivals : list (Q * list Q)) : option (list (Q * list Q)) :=
  match fuel, arrivals with
  | O, _ => None
  | _, [] => Some [(t, q)]
  | S more, (r, a) :: rest =>
    if Qeq_bool r 0 then engine_run more t q rest else
    let x := slope_q a q in
    let v := rates_q a q x in
    let d := next_event_q q v x r in
    if piece_right_q a q x d && Qle_bool d r
    then option_map (cons (t, q)) (engine_run more (Qred (t + d)) (moves_q q v d) ((Qred (r - d), a) :: rest)) else None
  end.

End Engine.

(** ** What it says of real numbers *)

Lemma Q2R_0 : Q2R 0 = 0.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma Q2R_red x : Q2R (Qred x) = Q2R x.
Proof. apply Qeq_eqR, Qred_correct. Qed.

Lemma le_q x y : Qle_bool x y = true -> Q2R x <= Q2R y.
Proof. intros H. apply Qle_Rle, Qle_bool_iff, H. Qed.

Lemma less_q_case x y : (less_q x y = true /\ Q2R x < Q2R y) \/ (less_q x y = false /\ Q2R y <= Q2R x).
Proof.
  unfold less_q. destruct (Qle_bool y x) eqn:E; simpl; [right|left]; (split; [reflexivity|]); [apply le_q, E|].
  apply Qlt_Rlt, Qnot_le_lt. intros H. apply Qle_bool_iff in H. congruence.
Qed.

Lemma sum_q_real n f : Q2R (sum_q n f) = sum n (fun i => Q2R (f i)).
Proof. induction n; cbn [sum_q sum]; [apply Q2R_0|]. rewrite Q2R_red, Q2R_plus, IHn. reflexivity. Qed.

Lemma item_table_q w f i : (i < queues_q w)%nat -> Q2R (item_q (table_q w f) i) = Q2R (f i).
Proof.
  intros Hi. unfold item_q, table_q. rewrite (nth_indep _ 0%Q (Qred (f 0%nat))) by (rewrite map_length, seq_length; auto).
  rewrite (map_nth (fun j => Qred (f j))), seq_nth by auto. apply Q2R_red.
Qed.

Lemma lowest_q_real c q : 0 <= Q2R c -> Q2R (lowest_q c q) = lowest_of (Q2R c) (Q2R q).
Proof.
  intros Hc. unfold lowest_q, lowest_of. destruct (less_q_case 0 q) as [[-> H]|[-> H]]; rewrite Q2R_0 in H;
    destruct (Rlt_dec 0 (Q2R q)); try lra; [apply Q2R_opp|]. rewrite Q2R_0, Rmax_left; lra.
Qed.

Lemma highest_q_real c a q : Q2R (highest_q c a q) = highest_of (Q2R c) (Q2R a) (Q2R q).
Proof.
  unfold highest_q, highest_of. destruct (less_q_case 0 q) as [[-> H]|[-> H]]; rewrite Q2R_0 in H;
    destruct (Rlt_dec 0 (Q2R q)); try lra; [apply Q2R_minus|].
  destruct (less_q_case c a) as [[-> K]|[-> K]]; [rewrite Q2R_minus, Rmax_right|rewrite Q2R_0, Rmax_left]; lra.
Qed.

Lemma clip_q_real x l u : Q2R l <= Q2R u -> Q2R (clip_q x l u) = clip (Q2R x) (Q2R l) (Q2R u).
Proof.
  intros H. unfold clip_q. destruct (less_q_case x l) as [[-> K]|[-> K]]; [rewrite clip_low; lra|].
  destruct (less_q_case u x) as [[-> K']|[-> K']]; [rewrite clip_high|rewrite clip_inside]; lra.
Qed.

Lemma rate_q_rule c a q t y : 0 <= Q2R c -> 0 <= Q2R a ->
  queue_rule (Q2R c) (Q2R a) (Q2R q) (Q2R t) (Q2R y) (Q2R (rate_q c a q t y)).
Proof.
  intros Hc Ha. unfold rate_q. destruct (less_q_case q t) as [[-> H]|[-> H]]; [rewrite highest_q_real; split; [auto|split; intros; lra]|].
  destruct (less_q_case t q) as [[-> H']|[-> H']]; [rewrite lowest_q_real by auto; split; [intros; lra|split; [auto|intros; lra]]|].
  split; [intros; lra|]. split; [intros; lra|]. intros _. rewrite clip_q_real; rewrite lowest_q_real, highest_q_real by auto; auto.
  unfold lowest_of, highest_of. destruct (Rlt_dec 0 (Q2R q)); [lra|]. apply Rle_max_compat_l. lra.
Qed.

Section Correct.
Variable w : rational_switch.
Let real (l : list Q) (i : nat) : R := Q2R (item_q l i).

Lemma threshold_q_real q i : Q2R (threshold_q w q i) = threshold_if (real_switch w) (real q) i.
Proof. unfold threshold_q, threshold_if. simpl. rewrite Q2R_plus, Q2R_mult, Q2R_minus, sum_q_real. reflexivity. Qed.

(** A piece that passes the checks is a trajectory. *)
Lemma piece_trajectory Ar s a q x d : piece_right_q w a q x d = true -> (forall i, (i < queues_q w)%nat -> 0 <= real q i) ->
  (forall i u, (i < queues_q w)%nat -> s <= u < s + Q2R d -> Ar i u = real a i) ->
  0 < Q2R d /\ (forall i, (i < queues_q w)%nat -> 0 <= real (moves_q w q (rates_q w a q x) d) i) /\
  trajectory (real_switch w) Ar s (s + Q2R d) (fun i u => real q i + real (rates_q w a q x) i * (u - s))
    (fun i _ => real (rates_q w a q x) i).
Proof.
  unfold piece_right_q. rewrite !andb_true_iff, forallb_forall. intros [[Hd Hx] Hf] Hq HA.
  set (v := rates_q w a q x) in *.
  assert (D : 0 < Q2R d) by (destruct (less_q_case 0 d) as [[_ K]|[K _]]; [rewrite Q2R_0 in K; auto|congruence]).
  assert (X : - sum (queues_q w) (real v) = Q2R x).
  { apply Qeq_bool_iff, Qeq_eqR in Hx. rewrite Q2R_plus, sum_q_real, Q2R_0 in Hx.
    change (fun i => Q2R (item_q v i)) with (real v) in Hx. lra. }
  assert (F : forall i, (i < queues_q w)%nat -> fits_q w a q x d i = true) by (intros; apply Hf, in_seq; lia).
  assert (E : forall i, (i < queues_q w)%nat -> 0 <= real q i + real v i * Q2R d).
  { intros i Hi. specialize (F i Hi). unfold fits_q in F. rewrite !andb_true_iff in F. destruct F as [[_ F] _].
    apply le_q in F. rewrite Q2R_0, Q2R_plus, Q2R_mult in F. exact F. }
  split; [auto|]. split.
  { intros i Hi. unfold moves_q, real. rewrite item_table_q, Q2R_plus, Q2R_mult by auto. apply E. auto. }
  apply straight; [auto|]. simpl. intros i h Hi Hh. rewrite HA by (auto; lra). rewrite X, <- threshold_q_real.
  specialize (F i Hi). unfold fits_q in F. rewrite !andb_true_iff in F. fold v in F. destruct F as [[[Fc Fa] Fe] Ft].
  apply le_q in Fc. apply le_q in Fa. rewrite Q2R_0 in Fc, Fa.
  apply queue_rule_until with (d := Q2R d); auto.
  - unfold real, v, rates_q. rewrite item_table_q by auto. rewrite <- Q2R_mult. apply rate_q_rule; auto.
  - intros K. unfold real in *. destruct (less_q_case (item_q q i) (threshold_q w q i)) as [[B _]|[B C]]; [rewrite B in Ft|lra].
    apply le_q in Ft. rewrite !Q2R_plus, !Q2R_mult in Ft. lra.
  - intros K. unfold real in *. destruct (less_q_case (item_q q i) (threshold_q w q i)) as [[B C]|[B _]]; [lra|rewrite B in Ft].
    destruct (less_q_case (threshold_q w q i) (item_q q i)) as [[B' _]|[B' C]]; [rewrite B' in Ft|lra].
    apply le_q in Ft. rewrite !Q2R_plus, !Q2R_mult in Ft. lra.
Qed.

(** The arrivals are these from s on, and when the list ends. *)
Fixpoint arrive_q (s : R) (arrivals : list (Q * list Q)) (Ar : nat -> R -> R) : Prop :=
  match arrivals with
  | [] => True
  | (r, a) :: rest => (forall i t, (i < queues_q w)%nat -> s <= t < s + Q2R r -> Ar i t = real a i) /\ arrive_q (s + Q2R r) rest Ar
  end.
Fixpoint lasting_q (arrivals : list (Q * list Q)) : R :=
  match arrivals with [] => 0 | (r, _) :: rest => Q2R r + lasting_q rest end.

(** Lengths Q pass through what the engine says. *)
Definition passes_q (Q : nat -> R -> R) (trace : list (QArith_base.Q * list QArith_base.Q)) : Prop :=
  forall t q i, In (t, q) trace -> (i < queues_q w)%nat -> Q i (Q2R t) = real q i.

Lemma engine_correct_ fuel : forall t q arrivals trace Ar,
  engine_run w fuel t q arrivals = Some trace -> (forall i, (i < queues_q w)%nat -> 0 <= real q i) -> arrive_q (Q2R t) arrivals Ar ->
  exists Q D, trajectory (real_switch w) Ar (Q2R t) (Q2R t + lasting_q arrivals) Q D /\
    (forall i, (i < queues_q w)%nat -> Q i (Q2R t) = real q i) /\ passes_q Q trace /\
    0 <= lasting_q arrivals /\ forall u p, In (u, p) trace -> Q2R t <= Q2R u <= Q2R t + lasting_q arrivals.
Proof.
  induction fuel as [|more IH]; intros t q arrivals trace Ar; [discriminate|]. cbn [engine_run].
  destruct arrivals as [|[r a] rest].
  { intros [= <-] Hq _. exists (fun i _ => real q i), (fun _ _ => 0). cbn [lasting_q]. rewrite Rplus_0_r.
    assert (One : forall u p, In (u, p) [(t, q)] -> u = t /\ p = q) by (intros u p [H|[]]; inversion H; auto).
    split; [split; intros; auto; try lra; apply continuous_const|]. split; [auto|].
    split; [intros u p i Hu _; destruct (One u p Hu) as [-> ->]; reflexivity|]. split; [lra|].
    intros u p Hu. destruct (One u p Hu) as [-> ->]. lra. }
  destruct (Qeq_bool r 0) eqn:Er.
  { intros H Hq [_ HA]. apply Qeq_bool_iff, Qeq_eqR in Er. rewrite Q2R_0 in Er. cbn [lasting_q]. rewrite Er in *. rewrite Rplus_0_r in HA.
    rewrite Rplus_0_l. apply (IH t q rest trace Ar H Hq HA). }
  set (x := slope_q w a q). set (v := rates_q w a q x). set (d := next_event_q w q v x r).
  destruct (piece_right_q w a q x d && Qle_bool d r) eqn:Ep; [|discriminate]. apply andb_true_iff in Ep. destruct Ep as [Ep Edr].
  apply le_q in Edr.
  destruct (engine_run w more (Qred (t + d)) (moves_q w q v d) ((Qred (r - d), a) :: rest)) as [tail|] eqn:Et; [|discriminate].
  cbn [option_map]. intros [= <-] Hq [HA HR].
  destruct (piece_trajectory Ar (Q2R t) a q x d Ep Hq) as (Hd & Hn & H); [intros; apply HA; auto; lra|]. fold v in H, Hn.
  assert (T1 : Q2R (Qred (t + d)) = Q2R t + Q2R d) by (rewrite Q2R_red; apply Q2R_plus).
  assert (T2 : Q2R (Qred (r - d)) = Q2R r - Q2R d) by (rewrite Q2R_red; apply Q2R_minus).
  destruct (IH _ _ _ _ Ar Et Hn) as (Q & D & H' & E' & P' & L' & B').
  { cbn [arrive_q]. rewrite T1, T2. split; [intros; apply HA; auto; lra|].
    replace (Q2R t + Q2R d + (Q2R r - Q2R d)) with (Q2R t + Q2R r) by ring. exact HR. }
  cbn [lasting_q] in *. rewrite T1 in E'. rewrite T1, T2 in H'. rewrite T2 in L'.
  assert (B : forall u p, In (u, p) tail -> Q2R t + Q2R d <= Q2R u <= Q2R t + (Q2R r + lasting_q rest)).
  { intros u p Hu. specialize (B' u p Hu). rewrite T1, T2 in B'. lra. }
  replace (Q2R t + Q2R d + (Q2R r - Q2R d + lasting_q rest)) with (Q2R t + (Q2R r + lasting_q rest)) in H' by ring.
  exists (glue (Q2R t + Q2R d) (fun i u => real q i + real v i * (u - Q2R t)) Q), (glue (Q2R t + Q2R d) (fun i _ => real v i) D).
  assert (G : forall i u, (i < queues_q w)%nat -> u = Q2R t ->
    glue (Q2R t + Q2R d) (fun i u => real q i + real v i * (u - Q2R t)) Q i u = real q i).
  { intros i u Hi ->. unfold glue. destruct (Rlt_dec (Q2R t) (Q2R t + Q2R d)); [ring|lra]. }
  split; [|split; [|split; [|split]]].
  - apply fluid_glue; [lra|exact H|exact H'|]. intros i Hi. change (ports (real_switch w)) with (queues_q w) in Hi. rewrite E' by auto.
    unfold moves_q, real. rewrite item_table_q, Q2R_plus, Q2R_mult by auto. ring.
  - intros i Hi. apply G; auto.
  - intros u p i [Hu|Hu] Hi; [inversion Hu; subst; apply G; auto|]. rewrite <- (P' u p i Hu Hi). unfold glue.
    destruct (Rlt_dec (Q2R u) (Q2R t + Q2R d)) as [c|c]; [|reflexivity]. specialize (B u p Hu). lra.
  - lra.
  - intros u p [Hu|Hu]; [inversion Hu; subst; lra|]. specialize (B u p Hu). lra.
Qed.

End Correct.

Theorem engine_correct w fuel t q arrivals trace Ar :
  engine_run w fuel t q arrivals = Some trace -> (forall i, (i < queues_q w)%nat -> 0 <= Q2R (item_q q i)) ->
  arrive_q w (Q2R t) arrivals Ar ->
  exists Q D, trajectory (real_switch w) Ar (Q2R t) (Q2R t + lasting_q arrivals) Q D /\
    (forall i, (i < queues_q w)%nat -> Q i (Q2R t) = Q2R (item_q q i)) /\ passes_q w Q trace.
Proof.
  intros H Hq HA. destruct (engine_correct_ w fuel t q arrivals trace Ar H Hq HA) as (Q & D & T & E & P & _).
  exists Q, D. auto.
Qed.

Lemma lasting_nonneg w fuel : forall t q arrivals trace, engine_run w fuel t q arrivals = Some trace -> 0 <= lasting_q arrivals.
Proof.
  induction fuel as [|more IH]; intros t q [|[r a] rest] trace; cbn [engine_run lasting_q]; try discriminate; [lra|].
  destruct (Qeq_bool r 0) eqn:Er.
  - intros H. apply Qeq_bool_iff, Qeq_eqR in Er. rewrite Q2R_0 in Er. specialize (IH _ _ _ _ H). lra.
  - set (d := next_event_q _ _ _ _ _). destruct (piece_right_q w a q _ d && Qle_bool d r) eqn:Ep; [|discriminate].
    destruct (engine_run w more _ _ _) as [tail|] eqn:Et; [|discriminate]. intros _. specialize (IH _ _ _ _ Et).
    cbn [lasting_q] in IH. rewrite Q2R_red, Q2R_minus in IH. apply andb_true_iff in Ep. destruct Ep as [Ep _].
    unfold piece_right_q in Ep. rewrite !andb_true_iff in Ep. destruct Ep as [[Hd _] _].
    destruct (less_q_case 0 d) as [[_ K]|[K _]]; [rewrite Q2R_0 in K; lra|congruence].
Qed.

Theorem engine_only w fuel t q arrivals trace Ar Q D :
  engine_run w fuel t q arrivals = Some trace -> arrive_q w (Q2R t) arrivals Ar ->
  sane (real_switch w) Ar (Q2R t) (Q2R t + lasting_q arrivals) ->
  trajectory (real_switch w) Ar (Q2R t) (Q2R t + lasting_q arrivals) Q D ->
  (forall i, (i < queues_q w)%nat -> Q i (Q2R t) = Q2R (item_q q i)) -> passes_q w Q trace.
Proof.
  intros H HA S T E.
  assert (L := lasting_nonneg _ _ _ _ _ _ H).
  assert (Hq : forall i, (i < queues_q w)%nat -> 0 <= Q2R (item_q q i)).
  { intros i Hi. rewrite <- E by auto. apply (length_nonneg _ _ _ _ _ _ T); auto. lra. }
  destruct (engine_correct_ w fuel t q arrivals trace Ar H Hq HA) as (Q' & D' & T' & E' & P & _ & B).
  intros u p i Hu Hi. rewrite <- (P u p i Hu Hi).
  apply (fluid_unique (real_switch w) Ar _ _ Q D Q' D' S T T'); auto; [|apply (B u p Hu)].
  intros j Hj. rewrite E, E'; auto.
Qed.

(** ** An instance, and a witness *)

Definition two_ports : rational_switch := RationalSwitch 2 (fun _ => 1%Q) (fun _ => 0%Q) (fun _ => 1%Q) 6.
Definition burst_and_steady (i : nat) (_ : R) : R := if Nat.eq_dec i 0 then 7 else 1.

Lemma two_ports_run : engine_run two_ports 20 0 [0%Q; 3%Q] [(1%Q, [7%Q; 1%Q])] =
  Some [(0%Q, [0%Q; 3%Q]); ((3 # 11)%Q, [(18 # 11)%Q; (30 # 11)%Q]); (1%Q, [2%Q; 2%Q])].
Proof. vm_compute. reflexivity. Qed.

Lemma two_ports_arrive : arrive_q two_ports (Q2R 0) [(1%Q, [7%Q; 1%Q])] burst_and_steady.
Proof. split; [|exact I]. intros [|[|i]] t Hi _; unfold Q2R, burst_and_steady; simpl in *; [lra|lra|lia]. Qed.

Lemma two_ports_real : real_switch two_ports = dt_switch 2 1 6 1.
Proof.
  unfold real_switch, dt_switch. simpl. rewrite Q2R_0. replace (Q2R 1) with 1 by (unfold Q2R; simpl; lra).
  replace (Q2R 6) with 6 by (unfold Q2R; simpl; lra). reflexivity.
Qed.

Lemma two_ports_start i : (i < 2)%nat -> 0 <= Q2R (item_q [0%Q; 3%Q] i).
Proof. destruct i as [|[|i]]; intros Hi; unfold Q2R; simpl; [lra|lra|lia]. Qed.

Theorem engine_instance : exists w fuel q arrivals trace Ar Q D,
  engine_run w fuel 0 q arrivals = Some trace /\ arrive_q w (Q2R 0) arrivals Ar /\
  sane (real_switch w) Ar (Q2R 0) (Q2R 0 + lasting_q arrivals) /\ (forall i, (i < queues_q w)%nat -> 0 <= Q2R (item_q q i)) /\
  trajectory (real_switch w) Ar (Q2R 0) (Q2R 0 + lasting_q arrivals) Q D /\
  (forall i, (i < queues_q w)%nat -> Q i (Q2R 0) = Q2R (item_q q i)) /\ queues_q w = 2%nat /\ length trace = 3%nat.
Proof.
  destruct (engine_correct _ _ _ _ _ _ _ two_ports_run two_ports_start two_ports_arrive) as (Q & D & T & E & _).
  do 5 eexists. exists burst_and_steady, Q, D. split; [exact two_ports_run|]. split; [exact two_ports_arrive|].
  split; [|split; [exact two_ports_start|split; [exact T|split; [exact E|split; reflexivity]]]].
  rewrite two_ports_real. split; simpl; intros; [lra|]. unfold burst_and_steady. destruct (Nat.eq_dec i 0); lra.
Qed.

(** A burst of rate 7 comes to an empty port beside a steady one (alpha = 1, B = 6, C = 1): when it meets the threshold, at
    3 / 11, the steady queue is longer than the threshold. *)
Theorem longer_than_threshold : exists Q D,
  trajectory (dt_switch 2 1 6 1) (fun i _ => if Nat.eq_dec i 0 then 7 else 1) 0 1 Q D /\
  Q 0%nat 0 = 0 /\ Q 1%nat 0 = threshold (dt_switch 2 1 6 1) Q 1 0 /\
  Q 0%nat (3 / 11) = threshold (dt_switch 2 1 6 1) Q 0 (3 / 11) /\
  threshold (dt_switch 2 1 6 1) Q 1 (3 / 11) < Q 1%nat (3 / 11).
Proof.
  destruct (engine_correct _ _ _ _ _ _ _ two_ports_run two_ports_start two_ports_arrive) as (Q & D & T & E & P).
  exists Q, D. assert (N0 := Q2R_0). assert (N1 : Q2R 1 = 1) by (unfold Q2R; simpl; lra).
  assert (N : Q2R (3 # 11) = 3 / 11) by (unfold Q2R; simpl; lra).
  rewrite two_ports_real in T. cbn [lasting_q] in T. rewrite N0, N1, Rplus_0_l, Rplus_0_r in T. split; [exact T|].
  assert (A0 := E 0%nat ltac:(simpl; lia)). assert (A1 := E 1%nat ltac:(simpl; lia)).
  assert (B0 := P _ _ 0%nat (or_intror (or_introl eq_refl)) ltac:(simpl; lia)).
  assert (B1 := P _ _ 1%nat (or_intror (or_introl eq_refl)) ltac:(simpl; lia)).
  rewrite N in B0, B1. rewrite N0 in A0, A1. cbn [item_q nth] in *.
  assert (V : Q2R 3 = 3 /\ Q2R (18 # 11) = 18 / 11 /\ Q2R (30 # 11) = 30 / 11) by (unfold Q2R; simpl; lra).
  destruct V as (V1 & V2 & V3). unfold threshold, free. simpl. rewrite N0 in A0. lra.
Qed.
