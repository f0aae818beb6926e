(** DT/EDT paper, Section 4.2: the state machine of EDT's ports, in the fluid model, for any number of ports.

    A port is controlled, with the threshold T_1 = alpha F, or uncontrolled, with T_2 = B / n for n uncontrolled ports. While it
    is controlled and loses nothing, C_2 counts the growth of its queue, down to 0 at least; a loss resets C_2. TM_1 runs while
    C_2 > 0 and resets it when it expires. A controlled port that is offered more than C becomes uncontrolled when C_2 = cn_2, and TM_2
    starts; it is controlled again when it is offered less than C, when TM_2 expires, or when the buffer overflows.

    [machine_run tau p] says that ports which are at rest at 0 have the states [p] at tau, after finitely many phases in which nothing
    happens and every queue moves on a straight line ([fluid_pieces]: under piecewise-constant arrivals all trajectories have
    finitely many straight pieces).
      [at_every_time]     every instant of a run is in a phase of it;
      [port_at_every_time]    which threshold a port has then, and for how long it can be uncontrolled, whatever comes;
      [nothing_gained]    no port ever gets a lost byte back;
      [trajectory_join], [trajectory_of]   phases with the same uncontrolled ports are one trajectory.                              *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid.
Open Scope R_scope.

(** [started]: when TM_1 was, in a controlled port with C_2 > 0, and when TM_2 was, in an uncontrolled one. *)
Record port_state := Port { uncontrolled : bool; counter : R; started : R }.
Definition at_rest : port_state := Port false 0 0.

Fixpoint many (n : nat) (f : nat -> bool) : nat := match n with O => O | S k => ((if f k then 1 else 0) + many k f)%nat end.

Section Machine.
Variables (n : nat) (alpha B C cn2 TM1 TM2 : R) (Ar Q D : nat -> R -> R).

(** The thresholds while the ports are in the states [p]. *)
Definition edt_state (p : nat -> port_state) : switch :=
  Switch n (fun i => if uncontrolled (p i) then 0 else alpha)
           (fun i => if uncontrolled (p i) then B / INR (many n (fun j => uncontrolled (p j))) else 0) (fun _ => C) B.

Definition loses (i : nat) (t : R) : Prop := 0 < rejected (dt_switch n alpha B C) Ar Q D i t.

(** Nothing is free, and with these thresholds the queues would grow together, or an uncontrolled port would lose something. *)
Definition buffer_overflows (t : R) (p : nat -> port_state) : Prop :=
  free (edt_state p) Q t = 0 /\ (exists i, (i < n)%nat /\ uncontrolled (p i) = true) /\
  exists v, (forall i, (i < n)%nat -> obeys (edt_state p) Ar Q v i t) /\
    (free_slope (edt_state p) v t < 0 \/
     exists i, (i < n)%nat /\ uncontrolled (p i) = true /\ 0 < rejected (edt_state p) Ar Q v i t).

(** Port i at t, in a phase that began at s in the states [p]. *)
Definition passed (s t : R) (p : nat -> port_state) (i : nat) : port_state :=
  if uncontrolled (p i) then p i else
  Port false (if Rlt_dec 0 (rejected (dt_switch n alpha B C) Ar Q D i s) then 0 else Rmax 0 (counter (p i) + D i s * (t - s)))
             (if Rlt_dec 0 (counter (p i)) then started (p i) else s).

(** What a port that is offered a does at t: it becomes controlled, or uncontrolled, or TM_1 expires. *)
Definition acted (t a : R) (x : port_state) : port_state :=
  if uncontrolled x then if Rlt_dec a C then at_rest else if Rle_dec (started x + TM2) t then at_rest else x
  else if Rle_dec cn2 (counter x) then if Rlt_dec C a then Port true 0 t else
    if Rle_dec (started x + TM1) t then at_rest else x
  else if Rlt_dec 0 (counter x) then if Rle_dec (started x + TM1) t then at_rest else x
  else x.

(** All that happens at t: then the overflow is looked for, and returns every uncontrolled port. *)
Definition happens (t : R) (p p' : nat -> port_state) : Prop :=
  let q := fun i => acted t (Ar i t) (p i) in
  (buffer_overflows t q -> forall i, (i < n)%nat -> p' i = if uncontrolled (q i) then at_rest else q i) /\
  (~ buffer_overflows t q -> forall i, (i < n)%nat -> p' i = q i).

Record phase (s e : R) (p : nat -> port_state) : Prop := {
  phase_order : s < e;
  phase_moves : trajectory (edt_state p) Ar s e Q D;
  phase_straight : forall i t, (i < n)%nat -> s <= t < e -> D i t = D i s /\ (loses i t <-> loses i s);
  phase_quiet : forall t, s < t < e -> ~ buffer_overflows t p /\ forall i, (i < n)%nat -> acted t (Ar i t) (passed s t p i) = passed s t p i
}.

Inductive machine_run : R -> (nat -> port_state) -> Prop :=
| run_begins : machine_run 0 (fun _ => at_rest)
| run_goes_on s e p p' : machine_run s p -> phase s e p -> happens e (passed s e p) p' -> machine_run e p'.

(** ** Runs *)

Lemma run_nonneg t p : machine_run t p -> 0 <= t.
Proof. induction 1 as [|s e p p' H IH [Ho _ _ _] Hh]; lra. Qed.

Lemma at_every_time tau p t : machine_run tau p -> 0 <= t < tau ->
  exists s e q, machine_run s q /\ phase s e q /\ s <= t < e /\ e <= tau.
Proof.
  induction 1 as [|s e p p' H IH Hp Hh]; intros Ht; [lra|]. destruct (Rlt_dec t s) as [c|c].
  - destruct IH as (s' & e' & q & H1 & H2 & H3 & H4); [lra|]. destruct Hp as [Ho _ _ _]. exists s', e', q. split; [auto|split; [auto|lra]].
  - exists s, e, p. split; [auto|split; [auto|lra]].
Qed.

(** A run that no phase takes across X has a phase that begins there, if it goes on beyond. *)
Lemma begins_at X tau p : machine_run tau p -> 0 <= X < tau ->
  (forall s e q, machine_run s q -> phase s e q -> s < X -> e <= tau -> e <= X) ->
  exists e q, machine_run X q /\ phase X e q /\ e <= tau.
Proof.
  intros H Ht Hno. destruct (at_every_time tau p X H Ht) as (s & e & q & H1 & H2 & H3 & H4).
  destruct (Rlt_dec s X) as [c|c]; [specialize (Hno s e q H1 H2 c H4); lra|].
  replace s with X in * by lra. exists e, q. auto.
Qed.

Lemma nothing_gained tau p i t : (forall j u, (j < n)%nat -> 0 <= u < tau -> 0 <= Ar j u) -> (i < n)%nat ->
  machine_run tau p -> 0 <= t < tau -> 0 <= rejected (dt_switch n alpha B C) Ar Q D i t.
Proof.
  intros HA Hi H Ht. destruct (at_every_time tau p t H Ht) as (s & e & q & _ & Hp & H3 & H4).
  assert (K := rate_bounds (edt_state q) Ar Q D i t (HA i t Hi Ht) (length_rule _ _ _ _ _ _ (phase_moves _ _ _ Hp) i t Hi H3)).
  unfold rejected. change (highest (edt_state q) Ar i (Q i t) t) with (highest (dt_switch n alpha B C) Ar i (Q i t) t) in K. lra.
Qed.

Lemma run_slope tau p i t : (i < n)%nat -> machine_run tau p -> 0 <= t < tau -> right_derivative (Q i) t (D i t).
Proof.
  intros Hi H Ht. destruct (at_every_time tau p t H Ht) as (s & e & q & _ & Hp & H3 & H4).
  apply (length_slope _ _ _ _ _ _ (phase_moves _ _ _ Hp)); auto.
Qed.

(** What a phase does not reach. *)
Lemma quiet_controlled s e p i t : phase s e p -> (i < n)%nat -> s < t < e -> uncontrolled (p i) = false ->
  (C < Ar i t -> counter (passed s t p i) < cn2) /\ (0 < counter (passed s t p i) -> t < started (passed s t p i) + TM1).
Proof.
  intros H Hi Ht Hc. destruct (phase_quiet _ _ _ H t Ht) as [_ K]. specialize (K i Hi). revert K. unfold passed. rewrite Hc.
  match goal with |- context [Port false ?c ?t0] => generalize c t0 end. intros c t0. unfold acted, at_rest. cbn [uncontrolled counter started].
  destruct (Rle_dec cn2 c), (Rlt_dec C (Ar i t)), (Rlt_dec 0 c), (Rle_dec (t0 + TM1) t); try discriminate; intros K; try injection K; intros; split; intros; lra.
Qed.

Lemma quiet_uncontrolled s e p i t : phase s e p -> (i < n)%nat -> s < t < e -> uncontrolled (p i) = true ->
  C <= Ar i t /\ t < started (p i) + TM2.
Proof.
  intros H Hi Ht Hc. destruct (phase_quiet _ _ _ H t Ht) as [_ K]. specialize (K i Hi). unfold passed, acted in K. rewrite !Hc in K.
  destruct (Rlt_dec (Ar i t) C); [rewrite <- K in Hc; discriminate|]. destruct (Rle_dec _ t); [rewrite <- K in Hc; discriminate|lra].
Qed.

(** What is uncontrolled was made so less than TM_2 ago, and is offered C at least. *)
Lemma made_uncontrolled t p i : 0 < TM2 -> (i < n)%nat -> machine_run t p -> uncontrolled (p i) = true ->
  C <= Ar i t /\ started (p i) <= t < started (p i) + TM2.
Proof.
  intros HT Hi H. induction H as [|s e p p' H IH Hp [H1 H2]]; [discriminate|].
  pose (q := acted e (Ar i e) (passed s e p i)).
  assert (Hq : uncontrolled q = true -> C <= Ar i e /\ started q <= e < started q + TM2).
  { destruct Hp as [Ho _ _ _]. unfold q, passed. destruct (uncontrolled (p i)) eqn:U; unfold acted; cbn [uncontrolled counter started at_rest].
    - rewrite U. specialize (IH eq_refl). destruct (Rlt_dec (Ar i e) C); [discriminate|]. destruct (Rle_dec (started (p i) + TM2) e); [discriminate|]. intros _. lra.
    - repeat match goal with |- context [if ?c then _ else _] => destruct c end; cbn [uncontrolled started at_rest]; try discriminate; intros _; lra. }
  intros U. assert (K : ~ ~ (C <= Ar i e /\ started (p' i) <= e < started (p' i) + TM2)).
  { intros K. assert (N : ~ buffer_overflows e (fun i => acted e (Ar i e) (passed s e p i))).
    - intros O. rewrite (H1 O i Hi) in U. destruct (uncontrolled (acted e (Ar i e) (passed s e p i))) eqn:V; [discriminate|congruence].
    - apply K. rewrite (H2 N i Hi) in *. apply Hq, U. }
  clear - K.
  destruct (Rle_dec C (Ar i e)), (Rle_dec (started (p' i)) e), (Rlt_dec e (started (p' i) + TM2)); tauto.
Qed.

(** At every instant of a run each port has one threshold: T_1 = alpha F while it is controlled, T_2 = B / n while it is not, for less
    than TM_2 since it became so, and while it is offered C at least. *)
Theorem port_at_every_time tau last i t : 0 < TM2 -> (i < n)%nat -> machine_run tau last -> 0 <= t < tau ->
  exists s e p, machine_run s p /\ phase s e p /\ s <= t < e /\ e <= tau /\
    (uncontrolled (p i) = false -> threshold (edt_state p) Q i t = alpha * free (edt_state p) Q t) /\
    (uncontrolled (p i) = true -> threshold (edt_state p) Q i t = B / INR (many n (fun j => uncontrolled (p j))) /\
       C <= Ar i t /\ started (p i) <= t < started (p i) + TM2).
Proof.
  intros HT Hi H Ht. destruct (at_every_time tau last t H Ht) as (s & e & p & H1 & H2 & H3 & H4). exists s, e, p.
  split; [auto|]. split; [auto|]. split; [auto|]. split; [auto|]. split; intros U.
  - unfold threshold. simpl. rewrite U. ring.
  - split; [unfold threshold; simpl; rewrite U; ring|]. destruct (made_uncontrolled s p i HT Hi H1 U) as [K1 K2].
    destruct (Rlt_dec s t) as [c|c]; [|replace t with s by lra; auto].
    destruct (quiet_uncontrolled s e p i t H2 Hi ltac:(lra) U). split; [auto|lra].
Qed.

(** Without an uncontrolled port there is no overflow; nor while something is free. *)
Lemma no_overflow t p : (forall i, (i < n)%nat -> uncontrolled (p i) = false) -> ~ buffer_overflows t p.
Proof. intros H (_ & (i & Hi & K) & _). rewrite H in K by auto. discriminate. Qed.

End Machine.

(** ** Switches that agree, and trajectories that follow each other *)

Definition same_switch (sw sw' : switch) : Prop :=
  ports sw = ports sw' /\ buffer sw = buffer sw' /\
  forall i, (i < ports sw)%nat -> gain sw i = gain sw' i /\ offset sw i = offset sw' i /\ service sw i = service sw' i.

Lemma same_obeys sw sw' Ar Q D i t : same_switch sw sw' -> (i < ports sw)%nat -> obeys sw Ar Q D i t -> obeys sw' Ar Q D i t.
Proof.
  intros (Ep & Eb & E) Hi. destruct (E i Hi) as (Eg & Eo & Es).
  unfold obeys, threshold, threshold_slope, free, free_slope, lowest, highest. rewrite Ep, Eb, Eg, Eo, Es. auto.
Qed.

Lemma same_sym sw sw' : same_switch sw sw' -> same_switch sw' sw.
Proof.
  intros (Ep & Eb & E). repeat split; auto; rewrite <- Ep in *; destruct (E i) as (? & ? & ?); auto.
Qed.

Lemma trajectory_of sw sw' Ar s tau Q D : same_switch sw sw' -> trajectory sw Ar s tau Q D -> trajectory sw' Ar s tau Q D.
Proof.
  intros S [T1 T2 T3 T4]. assert (Ep := proj1 S). split; rewrite <- Ep; auto.
  intros i t Hi Ht. apply (same_obeys sw sw'); auto.
Qed.

Lemma trajectory_join sw Ar a b c Q D : a <= b <= c -> trajectory sw Ar a b Q D -> trajectory sw Ar b c Q D -> trajectory sw Ar a c Q D.
Proof.
  intros Ho T1 T2. split; intros i.
  - intros t Hi Ht. destruct (Rle_dec t b); [apply (length_nonneg _ _ _ _ _ _ T1)|apply (length_nonneg _ _ _ _ _ _ T2)]; auto; lra.
  - intros Hi. apply continuous_ext with (fun t => if Rlt_dec t b then Q i t else Q i t); [intros t _; destruct (Rlt_dec t b); auto|].
    apply continuous_glue; auto; [apply (length_continuous _ _ _ _ _ _ T1)|apply (length_continuous _ _ _ _ _ _ T2)]; auto.
  - intros t Hi Ht. destruct (Rlt_dec t b); [apply (length_slope _ _ _ _ _ _ T1)|apply (length_slope _ _ _ _ _ _ T2)]; auto; lra.
  - intros t Hi Ht. destruct (Rlt_dec t b); [apply (length_rule _ _ _ _ _ _ T1)|apply (length_rule _ _ _ _ _ _ T2)]; auto; lra.
Qed.

Lemma point sw Ar t Q D : (forall i, (i < ports sw)%nat -> 0 <= Q i t) -> trajectory sw Ar t t Q D.
Proof.
  intros H. split; intros i; [intros u Hi Hu; replace u with t by lra; auto| |intros; lra|intros; lra].
  intros _. apply continuous_ext with (fun _ => Q i t); [intros u Hu; f_equal; lra|apply continuous_const].
Qed.

(** ** Which ports are uncontrolled *)

Lemma many_first n M f : (M <= n)%nat -> (forall i, (i < n)%nat -> f i = (i <? M)%nat) -> many n f = M.
Proof.
  intros HM H. assert (K : forall k, (k <= n)%nat -> many k f = Nat.min k M).
  { induction k; intros Hk; [reflexivity|]. cbn [many]. rewrite IHk, H by lia. destruct (Nat.ltb_spec k M); lia. }
  rewrite K by auto. lia.
Qed.

Lemma all_controlled n alpha B C p : (forall i, (i < n)%nat -> uncontrolled (p i) = false) -> same_switch (edt_state n alpha B C p) (dt_switch n alpha B C).
Proof. intros H. repeat split; simpl in *; rewrite H; auto. Qed.
