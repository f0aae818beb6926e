(** Between the instants that the engine names every trajectory is straight: lengths and rates at all times.

      [engine_straight]  what the engine of [Engine.v] answers, at every time.                                   *)
Require Import QArith Qreals Reals Lra Lia List Bool.
From DT Require Import Calculus Fluid Engine.
Import ListNotations.
Open Scope R_scope.

Section Straight.
Variable w : rational_switch.

(** From each instant to the next, (t, q) to (u, p), queue i grows at (p i - q i) / (u - t). *)
Fixpoint straight_q (X D : nat -> R -> R) (trace : list (Q * list Q)) : Prop :=
  match trace with
  | (t, q) :: (((u, p) :: _) as rest) =>
    (Q2R t < Q2R u /\ forall i, (i < queues_q w)%nat ->
       let v := (Q2R (item_q p i) - Q2R (item_q q i)) / (Q2R u - Q2R t) in
       (forall x, Q2R t <= x <= Q2R u -> X i x = Q2R (item_q q i) + v * (x - Q2R t)) /\
       (forall x, Q2R t <= x < Q2R u -> D i x = v)) /\ straight_q X D rest
  | _ => True
  end.

Lemma trace_head fuel : forall t q arrivals trace, engine_run w fuel t q arrivals = Some trace -> exists rest, trace = (t, q) :: rest.
Proof.
  induction fuel as [|more IH]; intros t q [|[r a] rest] trace; cbn [engine_run]; try discriminate; [intros [= <-]; eauto|].
  destruct (Qeq_bool r 0); [apply IH|]. destruct (piece_right_q _ _ _ _ _ && Qle_bool _ r); [|discriminate].
  destruct (engine_run w more _ _ _) as [tail|]; [|discriminate]. intros [= <-]. eauto.
Qed.

Theorem engine_straight fuel : forall t q arrivals trace Ar X D,
  engine_run w fuel t q arrivals = Some trace -> arrive_q w (Q2R t) arrivals Ar ->
  sane (real_switch w) Ar (Q2R t) (Q2R t + lasting_q arrivals) ->
  trajectory (real_switch w) Ar (Q2R t) (Q2R t + lasting_q arrivals) X D ->
  (forall i, (i < queues_q w)%nat -> X i (Q2R t) = Q2R (item_q q i)) -> straight_q X D trace.
Proof.
  induction fuel as [|more IH]; intros t q arrivals trace Ar X D; [discriminate|]. cbn [engine_run].
  destruct arrivals as [|[r a] rest]; [intros [= <-] _ _ _ _; exact I|].
  destruct (Qeq_bool r 0) eqn:Er.
  { intros H [_ HA]. apply Qeq_bool_iff, Qeq_eqR in Er. rewrite Q2R_0 in Er. cbn [lasting_q]. rewrite Er in *.
    rewrite Rplus_0_r in HA. rewrite Rplus_0_l. apply (IH t q rest trace Ar X D H HA). }
  set (x := slope_q w a q). set (v := rates_q w a q x). set (d := next_event_q w q v x r).
  destruct (piece_right_q w a q x d && Qle_bool d r) eqn:Ep; [|discriminate]. apply andb_true_iff in Ep. destruct Ep as [Ep Edr].
  apply le_q in Edr.
  destruct (engine_run w more (Qred (t + d)) (moves_q w q v d) ((Qred (r - d), a) :: rest)) as [tail|] eqn:Et; [|discriminate].
  cbn [option_map]. intros [= <-] [HA HR] S T E. cbn [lasting_q] in *.
  assert (L := lasting_nonneg _ _ _ _ _ _ Et). cbn [lasting_q] in L.
  assert (T1 : Q2R (Qred (t + d)) = Q2R t + Q2R d) by (rewrite Q2R_red; apply Q2R_plus).
  assert (T2 : Q2R (Qred (r - d)) = Q2R r - Q2R d) by (rewrite Q2R_red; apply Q2R_minus). rewrite T2 in L.
  assert (D0 : 0 < Q2R d).
  { unfold piece_right_q in Ep. rewrite !andb_true_iff in Ep. destruct Ep as [[Hd _] _].
    destruct (less_q_case 0 d) as [[_ K]|[K _]]; [rewrite Q2R_0 in K; lra|congruence]. }
  assert (Hq : forall i, (i < queues_q w)%nat -> 0 <= Q2R (item_q q i)).
  { intros i Hi. rewrite <- E by auto. apply (length_nonneg _ _ _ _ _ _ T); [exact Hi|lra]. }
  destruct (piece_trajectory w Ar (Q2R t) a q x d Ep Hq) as (_ & Hn & H); [intros; apply HA; auto; lra|]. fold v in H, Hn.
  assert (U := fluid_unique (real_switch w) Ar (Q2R t) (Q2R t + Q2R d) X D _ _
    ltac:(destruct S as [G A]; split; [exact G|intros; apply A; auto; lra])
    ltac:(eapply trajectory_shorten; [|exact T]; lra) H ltac:(intros i Hi; rewrite E by exact Hi; ring)).
  assert (M : forall i, (i < queues_q w)%nat -> Q2R (item_q (moves_q w q v d) i) = Q2R (item_q q i) + Q2R (item_q v i) * Q2R d).
  { intros i Hi. unfold moves_q. rewrite item_table_q, Q2R_plus, Q2R_mult by auto. reflexivity. }
  destruct (trace_head _ _ _ _ _ Et) as (more_trace & ->). cbn [straight_q]. split.
  - rewrite T1. split; [lra|]. intros i Hi. rewrite M by auto.
    replace ((Q2R (item_q q i) + Q2R (item_q v i) * Q2R d - Q2R (item_q q i)) / (Q2R t + Q2R d - Q2R t)) with (Q2R (item_q v i)) by (field; lra).
    destruct (U i Hi) as [U1 U2]. split; [exact U1|exact U2].
  - apply (IH (Qred (t + d)) (moves_q w q v d) ((Qred (r - d), a) :: rest) _ Ar X D Et).
    + cbn [arrive_q]. rewrite T1, T2. split; [intros; apply HA; auto; lra|].
      replace (Q2R t + Q2R d + (Q2R r - Q2R d)) with (Q2R t + Q2R r) by ring. exact HR.
    + cbn [lasting_q]. rewrite T1, T2. destruct S as [G A]. split; [exact G|]. intros; apply A; auto; lra.
    + cbn [lasting_q]. rewrite T1, T2. replace (Q2R t + Q2R d + (Q2R r - Q2R d + lasting_q rest)) with (Q2R t + (Q2R r + lasting_q rest)) by ring.
      apply trajectory_later with (Q2R t); [lra|exact T].
    + intros i Hi. rewrite T1, M by auto. destruct (U i Hi) as [U1 _]. rewrite U1 by lra. ring.
Qed.
End Straight.
