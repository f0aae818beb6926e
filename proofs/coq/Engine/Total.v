(** The engine always answers.

      [engine_total]  in a switch of n queues without negative weights and services, from all lengths and under all rational
                      arrivals of m pieces, after at most m ((4 n + 1) (n + 1)^n + 1) steps.

    Between its bends the equation of F' is that of a straight line, so that the engine finds its root ([slope_balanced]); it
    stops before a queue would cross 0 or its threshold ([next_event_fits]), and events decrease ([Events.v]).                  *)
Require Import QArith Qreals Qabs Reals Lra Lia List Bool.
From DT Require Import Calculus Fluid Existence Engine Events Pieces.
Import ListNotations.
Open Scope R_scope.

(** ** Rational comparisons *)

Lemma le_bool x y : Q2R x <= Q2R y -> Qle_bool x y = true.
Proof. intros H. apply Qle_bool_iff, Rle_Qle, H. Qed.

Lemma eq_bool x y : Q2R x = Q2R y -> Qeq_bool x y = true.
Proof. intros H. apply Qeq_bool_iff, eqR_Qeq, H. Qed.

Lemma eq_bool_real x y : Qeq_bool x y = true -> Q2R x = Q2R y.
Proof. intros H. apply Qeq_eqR, Qeq_bool_iff, H. Qed.

Lemma less_bool x y : Q2R x < Q2R y -> less_q x y = true.
Proof. intros H. destruct (less_q_case x y) as [[E _]|[_ K]]; [auto|lra]. Qed.

Lemma not_zero_q x : Q2R x <> 0 -> ~ (x == 0)%Q.
Proof. intros H E. apply H. apply Qeq_eqR in E. rewrite Q2R_0 in E. auto. Qed.

Lemma abs_q x : 0 <= Q2R x -> Q2R (Qabs x) = Q2R x.
Proof.
  intros H. apply Qeq_eqR, Qabs_pos, Rle_Qle. rewrite Q2R_0. auto.
Qed.

(** ** The root *)

Section Root.
Variable w : rational_switch.
Variables a q : list Q.
Let n := queues_q w.
Let A (i : nat) : R := Q2R (item_q a i).
Let real (i : nat) : R := Q2R (item_q q i).
Hypothesis sane_w : forall i, (i < n)%nat -> 0 <= Q2R (weights_q w i) /\ 0 <= Q2R (services_q w i) /\ 0 <= Q2R (item_q a i).

Lemma rates_real x i : (i < n)%nat -> Q2R (item_q (rates_q w a q x) i) = grows (real_switch w) A real (Q2R x) i.
Proof.
  intros Hi. destruct (sane_w i Hi) as (K & C & L). unfold rates_q. rewrite item_table_q by auto. unfold grows.
  apply growth_rule. simpl. rewrite <- Q2R_mult. replace (threshold_if (real_switch w) real i) with (Q2R (threshold_q w q i)) by apply threshold_q_real.
  apply rate_q_rule; auto.
Qed.

Definition balance_of (y : R) : R := y + sum n (grows (real_switch w) A real y).

Lemma balance_real x : Q2R (x + sum_q n (item_q (rates_q w a q x))) = balance_of (Q2R x).
Proof. rewrite Q2R_plus, sum_q_real. unfold balance_of. f_equal. apply sum_ext. intros. apply rates_real; auto. Qed.

Lemma fold_greatest (P : Q -> bool) all : forall b,
  let l := fold_left (fun b e => if P e && less_q b e then e else b) all b in
  (l = b \/ P l = true) /\ Q2R b <= Q2R l /\ forall e, In e all -> P e = true -> Q2R e <= Q2R l.
Proof.
  induction all as [|e all IH]; intros b; cbn [fold_left]; [split; [auto|split; [lra|intros e []]]|].
  set (b' := if P e && less_q b e then e else b). destruct (IH b') as (I1 & I2 & I3).
  assert (B : (b' = b \/ P b' = true) /\ Q2R b <= Q2R b' /\ (P e = true -> Q2R e <= Q2R b')).
  { unfold b'. destruct (P e) eqn:Pe; cbn [andb]; [|split; [auto|split; [lra|congruence]]].
    destruct (less_q_case b e) as [[-> H]|[-> H]]; (split; [auto|split; [lra|intros; lra]]). }
  destruct B as (B1 & B2 & B3). split; [|split; [lra|]].
  - destruct I1 as [->|I1]; auto.
  - intros f [<-|Hf] Pf; [specialize (B3 Pf); lra|auto].
Qed.

Lemma fold_least (P : Q -> bool) all : forall b,
  let u := fold_left (fun b e => if P e && less_q e b then e else b) all b in
  (u = b \/ P u = true) /\ Q2R u <= Q2R b /\ forall e, In e all -> P e = true -> Q2R u <= Q2R e.
Proof.
  induction all as [|e all IH]; intros b; cbn [fold_left]; [split; [auto|split; [lra|intros e []]]|].
  set (b' := if P e && less_q e b then e else b). destruct (IH b') as (I1 & I2 & I3).
  assert (B : (b' = b \/ P b' = true) /\ Q2R b' <= Q2R b /\ (P e = true -> Q2R b' <= Q2R e)).
  { unfold b'. destruct (P e) eqn:Pe; cbn [andb]; [|split; [auto|split; [lra|congruence]]].
    destruct (less_q_case e b) as [[-> H]|[-> H]]; (split; [auto|split; [lra|intros; lra]]). }
  destruct B as (B1 & B2 & B3). split; [|split; [lra|]].
  - destruct I1 as [->|I1]; auto.
  - intros f [<-|Hf] Pf; [specialize (B3 Pf); lra|auto].
Qed.

(** A queue's rate is a straight line between the bends. *)
Lemma straight_between i L U y : (i < n)%nat -> L <= y <= U ->
  (forall e, In e (bends_q w a q i) -> Q2R e <= L \/ U <= Q2R e) ->
  (U - L) * grows (real_switch w) A real y i =
  (U - y) * grows (real_switch w) A real L i + (y - L) * grows (real_switch w) A real U i.
Proof.
  intros Hi Hy Hb. destruct (sane_w i Hi) as (K & C & L0). unfold grows, queue_rate.
  destruct (Rlt_dec (real i) (threshold_if (real_switch w) real i)) as [|N1]; [ring|].
  destruct (Rlt_dec (threshold_if (real_switch w) real i) (real i)) as [|N2]; [ring|].
  assert (LH := lowest_highest_order (service (real_switch w) i) (A i) C L0 (real i)).
  destruct (Req_dec (gain (real_switch w) i) 0) as [G|G]; [rewrite G, !Rmult_0_l; ring|].
  assert (G0 : 0 < gain (real_switch w) i) by (simpl in *; lra).
  unfold bends_q in Hb. assert (On : Q2R (item_q q i) = Q2R (threshold_q w q i)) by (rewrite threshold_q_real; change (real i = threshold_if (real_switch w) real i); lra).
  apply eq_bool in On. rewrite On in Hb. clear On.
  destruct (Qeq_bool (weights_q w i) 0) eqn:E.
  { apply eq_bool_real in E. rewrite Q2R_0 in E. simpl in G. lra. }
  cbn [andb negb] in Hb. assert (NZ : ~ (weights_q w i == 0)%Q) by (apply not_zero_q; simpl in G0; lra).
  assert (B1 := Hb _ (or_introl eq_refl)). assert (B2 := Hb _ (or_intror (or_introl eq_refl))). clear Hb.
  rewrite Q2R_div, lowest_q_real in B1 by auto. rewrite Q2R_div, highest_q_real in B2 by auto.
  change (Q2R (weights_q w i)) with (gain (real_switch w) i) in B1, B2. change (Q2R (services_q w i)) with (service (real_switch w) i) in B1, B2.
  change (Q2R (item_q q i)) with (real i) in B1, B2. change (Q2R (item_q a i)) with (A i) in B2.
  set (k := gain (real_switch w) i) in *. set (lo := lowest_of (service (real_switch w) i) (real i)) in *.
  set (hi := highest_of (service (real_switch w) i) (A i) (real i)) in *.
  assert (D : forall z r, z / k <= r -> z <= k * r).
  { intros z r H. replace z with (k * (z / k)) by (field; lra). apply Rmult_le_compat_l; lra. }
  assert (D' : forall z r, r <= z / k -> k * r <= z).
  { intros z r H. replace z with (k * (z / k)) by (field; lra). apply Rmult_le_compat_l; lra. }
  assert (M1 : k * L <= k * y) by (apply Rmult_le_compat_l; lra). assert (M2 : k * y <= k * U) by (apply Rmult_le_compat_l; lra).
  destruct B1 as [B1|B1]; [apply D in B1|apply D' in B1; rewrite !clip_low by lra; ring].
  destruct B2 as [B2|B2]; [apply D in B2; rewrite !clip_high by lra; ring|apply D' in B2].
  rewrite !clip_inside by lra. ring.
Qed.

Lemma slope_balanced : balance_of (Q2R (slope_q w a q)) = 0.
Proof.
  unfold slope_q. set (m := (1 + sum_q (queues_q w) (fun i => Qabs (services_q w i) + Qabs (item_q a i)))%Q).
  set (f := fun x => (x + sum_q (queues_q w) (item_q (rates_q w a q x)))%Q). cbv zeta.
  set (all := flat_map (bends_q w a q) (seq 0 (queues_q w))).
  assert (Rm : Q2R m = 1 + fastest (real_switch w) A).
  { unfold m. rewrite Q2R_plus, sum_q_real. f_equal; [unfold Q2R; simpl; lra|]. apply sum_ext. intros i Hi. destruct (sane_w i Hi) as (K & C & L).
    rewrite Q2R_plus, !abs_q by auto. reflexivity. }
  assert (Rf : forall x, Q2R (f x) = balance_of (Q2R x)) by (intros; apply balance_real).
  assert (Bd : forall y, - fastest (real_switch w) A <= sum n (grows (real_switch w) A real y) <= fastest (real_switch w) A).
  { intros y. assert (G := balanced_bounds (real_switch w) A sane_w). unfold balanced in G.
    assert (U := sum_le n (grows (real_switch w) A real y) (fun i => service (real_switch w) i + A i) ltac:(intros; apply grows_bounds; auto)).
    assert (L := sum_le n (fun i => - (service (real_switch w) i + A i)) (grows (real_switch w) A real y) ltac:(intros; apply grows_bounds; auto)).
    rewrite sum_opp in L. unfold fastest. change (ports (real_switch w)) with n. lra. }
  destruct (fold_greatest (fun e => Qle_bool (f e) 0) all (- m)%Q) as (L1 & L2 & L3).
  destruct (fold_least (fun e => Qle_bool 0 (f e)) all m) as (U1 & U2 & U3).
  set (l := fold_left (fun b e => if Qle_bool (f e) 0 && less_q b e then e else b) all (- m)%Q) in *.
  set (u := fold_left (fun b e => if Qle_bool 0 (f e) && less_q e b then e else b) all m) in *. cbv beta in *.
  assert (Fl : balance_of (Q2R l) <= 0).
  { destruct L1 as [->|L1]; [|apply le_q in L1; rewrite Rf, Q2R_0 in L1; auto]. rewrite Q2R_opp. unfold balance_of. specialize (Bd (- Q2R m)). lra. }
  assert (Fu : 0 <= balance_of (Q2R u)).
  { destruct U1 as [->|U1]; [|apply le_q in U1; rewrite Rf, Q2R_0 in U1; auto]. unfold balance_of. specialize (Bd (Q2R m)). lra. }
  assert (LU : Q2R l <= Q2R u).
  { destruct (Rle_dec (Q2R l) (Q2R u)) as [|N]; auto. exfalso. unfold balance_of in *.
    assert (G := grows_more (real_switch w) A sane_w real (Q2R u) (Q2R l) ltac:(lra)). change (ports (real_switch w)) with n in G. lra. }
  assert (Bends : forall i e, (i < n)%nat -> In e (bends_q w a q i) -> Q2R e <= Q2R l \/ Q2R u <= Q2R e).
  { intros i e Hi He. assert (In e all) by (unfold all; apply in_flat_map; exists i; split; [apply in_seq; unfold n in Hi; lia|auto]).
    destruct (Rle_dec (balance_of (Q2R e)) 0) as [N|N].
    - left. apply L3; auto. apply le_bool. rewrite Rf, Q2R_0. auto.
    - right. apply U3; auto. apply le_bool. rewrite Rf, Q2R_0. lra. }
  assert (Line : forall y, Q2R l <= y <= Q2R u ->
    (Q2R u - Q2R l) * balance_of y = (Q2R u - y) * balance_of (Q2R l) + (y - Q2R l) * balance_of (Q2R u)).
  { intros y Hy. unfold balance_of. rewrite !Rmult_plus_distr_l, <- !sum_scal.
    rewrite (sum_ext n (fun i => (Q2R u - Q2R l) * grows (real_switch w) A real y i)
      (fun i => (Q2R u - y) * grows (real_switch w) A real (Q2R l) i + (y - Q2R l) * grows (real_switch w) A real (Q2R u) i))
      by (intros i Hi; apply straight_between; auto; intros; eapply Bends; eauto).
    rewrite sum_plus. ring. }
  change (balance_of (Q2R (Qred (if Qeq_bool (f l) (f u) then l else l - f l * (u - l) / (f u - f l)))%Q) = 0).
  rewrite Q2R_red. destruct (Qeq_bool (f l) (f u)) eqn:E.
  { apply eq_bool_real in E. rewrite !Rf in E. lra. }
  assert (NE : balance_of (Q2R l) < balance_of (Q2R u)).
  { destruct (Rlt_dec (balance_of (Q2R l)) (balance_of (Q2R u))) as [|N]; auto. rewrite eq_bool in E; [discriminate|]. rewrite !Rf. lra. }
  rewrite Q2R_minus, Q2R_div, Q2R_mult, !Q2R_minus, !Rf by (apply not_zero_q; rewrite Q2R_minus, !Rf; lra).
  set (L := Q2R l) in *. set (U := Q2R u) in *. set (FL := balance_of L) in *. set (FU := balance_of U) in *.
  assert (L < U) by (destruct LU as [|LU]; [auto|]; unfold FL, FU in NE; rewrite LU in NE; lra).
  set (y := L - FL * (U - L) / (FU - FL)).
  assert (Y1 : (y - L) * (FU - FL) = - FL * (U - L)) by (unfold y; field; lra).
  assert (Hy : L <= y <= U).
  { split; apply Rmult_le_reg_r with (FU - FL); try lra.
    - assert (0 <= - FL * (U - L)) by (apply Rmult_le_pos; lra). lra.
    - assert (0 <= FU * (U - L)) by (apply Rmult_le_pos; lra). lra. }
  specialize (Line y Hy). fold FL FU in Line. apply Rmult_eq_reg_l with (U - L); [|lra]. rewrite Line, Rmult_0_r.
  replace ((U - y) * FL + (y - L) * FU) with ((y - L) * (FU - FL) + FL * (U - L)) by ring. rewrite Y1. ring.
Qed.
End Root.

(** ** The next event *)

Lemma until_right z k r : 0 < Q2R r ->
  0 < Q2R (until_q z k r) <= Q2R r /\ uncrossed (Q2R z) (Q2R k) (Q2R (until_q z k r)) /\
  (until_q z k r = r \/ (0 < Q2R z /\ Q2R z + Q2R k * Q2R (until_q z k r) = 0)).
Proof.
  intros Hr. unfold until_q, uncrossed. assert (N0 := Q2R_0).
  destruct (less_q_case 0 z) as [[-> Z]|[-> Z]]; rewrite N0 in Z; cbn [andb]; [|split; [lra|split; [lra|auto]]].
  destruct (less_q_case k 0) as [[-> K]|[-> K]]; rewrite N0 in K; cbn [andb].
  - assert (E : Q2R (z / - k) = Q2R z / - Q2R k) by (rewrite Q2R_div, Q2R_opp by (apply not_zero_q; rewrite Q2R_opp; lra); reflexivity).
    assert (P : 0 < Q2R z / - Q2R k) by (apply Rdiv_lt_0_compat; lra).
    assert (F : Q2R z + Q2R k * (Q2R z / - Q2R k) = 0) by (field; lra).
    destruct (less_q_case (z / - k) r) as [[-> L]|[-> L]]; rewrite E in *.
    + split; [lra|]. split; [lra|]. right. lra.
    + split; [lra|]. split; [|auto]. intros _. assert (Q2R k * (Q2R z / - Q2R k) <= Q2R k * Q2R r) by (apply Rmult_le_compat_neg_l; lra). lra.
  - split; [lra|]. split; [|auto]. intros _. assert (0 <= Q2R k * Q2R r) by (apply Rmult_le_pos; lra). lra.
Qed.

Section Next.
Variable w : rational_switch.
Variables q v : list Q.
Variable x : Q.

Definition gap_q (i : nat) : Q := threshold_q w q i - item_q q i.
Definition closing_q (i : nat) : Q := weights_q w i * x - item_q v i.
Definition uncrossed_by (i : nat) (d : R) : Prop :=
  uncrossed (Q2R (item_q q i)) (Q2R (item_q v i)) d /\ uncrossed (Q2R (gap_q i)) (Q2R (closing_q i)) d /\
  uncrossed (- Q2R (gap_q i)) (- Q2R (closing_q i)) d.
Definition stops_at (i : nat) (d : R) : Prop :=
  (0 < Q2R (item_q q i) /\ Q2R (item_q q i) + Q2R (item_q v i) * d = 0) \/
  (Q2R (gap_q i) <> 0 /\ Q2R (gap_q i) + Q2R (closing_q i) * d = 0).

Lemma fold_next S : forall r, 0 < Q2R r ->
  let d := fold_left (fun d i =>
    let gap := threshold_q w q i - item_q q i in
    let closing := weights_q w i * x - item_q v i in
    until_q (item_q q i) (item_q v i) (until_q gap closing (until_q (- gap) (- closing) d)))%Q S r in
  0 < Q2R d <= Q2R r /\ (forall i, In i S -> uncrossed_by i (Q2R d)) /\ (d = r \/ exists i, In i S /\ stops_at i (Q2R d)).
Proof.
  induction S as [|i S IH]; intros r Hr; cbn [fold_left]; [split; [lra|split; [intros i []|auto]]|].
  set (r1 := until_q (- gap_q i) (- closing_q i) r). set (r2 := until_q (gap_q i) (closing_q i) r1).
  set (r3 := until_q (item_q q i) (item_q v i) r2).
  destruct (until_right (- gap_q i) (- closing_q i) r Hr) as (P1 & N1 & E1). fold r1 in P1, N1, E1. rewrite !Q2R_opp in N1. rewrite !Q2R_opp in E1.
  destruct (until_right (gap_q i) (closing_q i) r1 ltac:(lra)) as (P2 & N2 & E2). fold r2 in P2, N2, E2.
  destruct (until_right (item_q q i) (item_q v i) r2 ltac:(lra)) as (P3 & N3 & E3). fold r3 in P3, N3, E3.
  destruct (IH r3 ltac:(lra)) as (I1 & I2 & I3). fold (gap_q i) (closing_q i). cbv zeta. change (threshold_q w q i - item_q q i)%Q with (gap_q i) in *.
  change (weights_q w i * x - item_q v i)%Q with (closing_q i) in *. fold r1 r2 r3 in I1, I2, I3 |- *.
  set (d := fold_left _ S r3) in *. split; [lra|]. split.
  - intros j [<-|Hj]; [|auto]. unfold uncrossed_by. split; [|split].
    + apply uncrossed_before with (Q2R r3); [auto|lra].
    + apply uncrossed_before with (Q2R r2); [auto|lra].
    + apply uncrossed_before with (Q2R r1); [auto|lra].
  - destruct I3 as [->|(j & Hj & Ej)]; [|right; exists j; split; [right; auto|auto]].
    destruct E3 as [->|E3]; [|right; exists i; split; [left; auto|left; auto]].
    destruct E2 as [->|[E2 E2']]; [|right; exists i; split; [left; auto|right; split; [lra|auto]]].
    destruct E1 as [->|[E1 E1']]; [auto|]. right. exists i. split; [left; auto|]. right. split; lra.
Qed.

Lemma next_event_fits r : 0 < Q2R r ->
  let d := next_event_q w q v x r in
  0 < Q2R d <= Q2R r /\ (forall i, (i < queues_q w)%nat -> uncrossed_by i (Q2R d)) /\
  (Q2R d = Q2R r \/ exists i, (i < queues_q w)%nat /\ stops_at i (Q2R d)).
Proof.
  intros Hr. cbv zeta. unfold next_event_q. rewrite Q2R_red. destruct (fold_next (seq 0 (queues_q w)) r Hr) as (F1 & F2 & F3).
  split; [auto|]. split; [intros i Hi; apply F2, in_seq; lia|]. destruct F3 as [F3|(i & Hi & E)]; [left; apply (f_equal Q2R F3)|]. right. exists i. apply in_seq in Hi. split; [lia|auto].
Qed.
End Next.

(** ** The answer *)

Section Answers.
Variable w : rational_switch.
Let n := queues_q w.
Definition real_lengths (q : list Q) (i : nat) : R := Q2R (item_q q i).

Lemma piece_of_engine a q r :
  (forall i, (i < n)%nat -> 0 <= Q2R (weights_q w i) /\ 0 <= Q2R (services_q w i) /\ 0 <= Q2R (item_q a i)) ->
  (forall i, (i < n)%nat -> 0 <= Q2R (item_q q i)) -> 0 < Q2R r ->
  let x := slope_q w a q in let v := rates_q w a q x in let d := next_event_q w q v x r in
  let left := events_left (real_switch w) (real_lengths a) in
  piece_right_q w a q x d = true /\ Qle_bool d r = true /\ (forall i, (i < n)%nat -> 0 <= Q2R (item_q (moves_q w q v d) i)) /\
  (Q2R d = Q2R r \/ (left (real_lengths (moves_q w q v d)) (Q2R (slope_q w a (moves_q w q v d))) < left (real_lengths q) (Q2R x))%nat).
Proof.
  intros HS Hq Hr. cbv zeta. set (x := slope_q w a q). set (v := rates_q w a q x). set (d := next_event_q w q v x r). set (q' := moves_q w q v d).
  destruct (next_event_fits w q v x r Hr) as (D1 & D2 & D3). fold d in D1, D2, D3.
  assert (B := slope_balanced w a q HS). fold x in B.
  assert (V : forall i, (i < n)%nat -> Q2R (item_q v i) = grows (real_switch w) (real_lengths a) (real_lengths q) (Q2R x) i) by (intros; apply rates_real; auto).
  assert (M : forall i, (i < n)%nat -> Q2R (item_q q' i) = Q2R (item_q q i) + Q2R (item_q v i) * Q2R d).
  { intros i Hi. unfold q', moves_q. rewrite item_table_q, Q2R_plus, Q2R_mult by auto. reflexivity. }
  assert (Pos : forall i, (i < n)%nat -> 0 <= Q2R (item_q q i) + Q2R (item_q v i) * Q2R d).
  { intros i Hi. destruct (D2 i Hi) as (U & _). destruct (Hq i Hi) as [P|P]; [apply U; auto|]. rewrite <- P, Rplus_0_l.
    apply Rmult_le_pos; [|lra]. rewrite V by auto. destruct (HS i Hi) as (K & C & L).
    eapply Rle_trans; [|apply growth_above_lowest; auto]. unfold real_lengths. rewrite <- P. unfold lowest_of. destruct (Rlt_dec 0 0); [lra|]. apply Rmax_l. }
  assert (G : forall i, Q2R (gap_q w q i) = threshold_if (real_switch w) (real_lengths q) i - real_lengths q i).
  { intros i. unfold gap_q. rewrite Q2R_minus, threshold_q_real. reflexivity. }
  assert (Cl : forall i, Q2R (closing_q w v x i) = gain (real_switch w) i * Q2R x - Q2R (item_q v i)).
  { intros i. unfold closing_q. rewrite Q2R_minus, Q2R_mult. reflexivity. }
  assert (Fits : forall i, (i < n)%nat ->
    (real_lengths q i < threshold_if (real_switch w) (real_lengths q) i -> Q2R (item_q q i) + Q2R (item_q v i) * Q2R d <=
       threshold_if (real_switch w) (real_lengths q) i + gain (real_switch w) i * Q2R x * Q2R d) /\
    (threshold_if (real_switch w) (real_lengths q) i < real_lengths q i ->
       threshold_if (real_switch w) (real_lengths q) i + gain (real_switch w) i * Q2R x * Q2R d <= Q2R (item_q q i) + Q2R (item_q v i) * Q2R d)).
  { intros i Hi. destruct (D2 i Hi) as (_ & U1 & U2). unfold uncrossed in U1, U2. rewrite G, Cl in U1, U2. unfold real_lengths in *.
    split; intros H; [specialize (U1 ltac:(lra))|specialize (U2 ltac:(lra))]; lra. }
  split.
  { unfold piece_right_q. rewrite less_bool by (rewrite Q2R_0; lra). fold v. cbn [andb].
    rewrite eq_bool by (rewrite Q2R_0; unfold v; rewrite balance_real; auto). cbn [andb]. apply forallb_forall. intros i Hi. apply in_seq in Hi.
    assert (Hi' : (i < n)%nat) by (unfold n; lia). destruct (HS i Hi') as (K & C & L). destruct (Fits i Hi') as [F1 F2]. unfold fits_q. fold v.
    rewrite !le_bool by (rewrite ?Q2R_0, ?Q2R_plus, ?Q2R_mult; auto). cbn [andb].
    destruct (less_q_case (item_q q i) (threshold_q w q i)) as [[-> H]|[-> H]].
    - apply le_bool. rewrite !Q2R_plus, !Q2R_mult. rewrite threshold_q_real in *. apply F1. exact H.
    - destruct (less_q_case (threshold_q w q i) (item_q q i)) as [[-> H']|[-> H']]; [|reflexivity].
      apply le_bool. rewrite !Q2R_plus, !Q2R_mult. rewrite threshold_q_real in *. apply F2. exact H'. }
  split; [apply le_bool; lra|]. split; [intros i Hi; rewrite M by auto; auto|].
  destruct D3 as [D3|(e & He & De)]; [auto|]. right.
  assert (ET : forall i, threshold_if (real_switch w) (real_lengths q') i =
    threshold_if (real_switch w) (real_lengths q) i + gain (real_switch w) i * Q2R x * Q2R d).
  { intros i. unfold threshold_if. rewrite (sum_ext _ (real_lengths q') (fun j => real_lengths q j + Q2R d * grows (real_switch w) (real_lengths a) (real_lengths q) (Q2R x) j)).
    - rewrite sum_plus, sum_scal. unfold balance_of in B. change (fun k => grows (real_switch w) (real_lengths a) (real_lengths q) (Q2R x) k)
        with (grows (real_switch w) (real_lengths a) (real_lengths q) (Q2R x)). change (fun j => real_lengths q j) with (real_lengths q).
      change (sum (queues_q w) (grows (real_switch w) (fun k => Q2R (item_q a k)) (fun l => Q2R (item_q q l)) (Q2R x)))
        with (sum (ports (real_switch w)) (grows (real_switch w) (real_lengths a) (real_lengths q) (Q2R x))) in B.
      replace (sum (ports (real_switch w)) (grows (real_switch w) (real_lengths a) (real_lengths q) (Q2R x))) with (- Q2R x) by lra. ring.
    - intros j Hj. change (ports (real_switch w)) with n in Hj. unfold real_lengths at 1. rewrite M by auto. rewrite V by auto. unfold real_lengths. ring. }
  apply events_decrease with (Q2R d).
  - intros i Hi. apply HS; auto.
  - intros i Hi. apply Hq; auto.
  - exact B.
  - lra.
  - intros i Hi. change (ports (real_switch w)) with n in Hi. destruct (Fits i Hi) as [F1 F2]. assert (E : real_lengths q' i = Q2R (item_q q i) + Q2R (item_q v i) * Q2R d) by (apply M; auto).
    rewrite ET, E, <- V by auto. split; [reflexivity|]. split; [apply Pos; auto|]. split; [exact F1|exact F2].
  - apply slope_balanced; auto.
  - exists e. split; [exact He|]. unfold queue_event. assert (E : real_lengths q' e = Q2R (item_q q e) + Q2R (item_q v e) * Q2R d) by (apply M; auto).
    rewrite ET, E. destruct De as [[E1 E2]|[E1 E2]]; [left; split; auto|right]. rewrite G in E1, E2. rewrite Cl in E2. unfold real_lengths in *. split; lra.
Qed.

Fixpoint sane_arrivals (arrivals : list (Q * list Q)) : Prop :=
  match arrivals with
  | [] => True
  | (r, a) :: rest => 0 <= Q2R r /\ (forall i, (i < n)%nat -> 0 <= Q2R (item_q a i)) /\ sane_arrivals rest
  end.

Lemma few_events a q x : (events_left (real_switch w) a q x < most_events n)%nat.
Proof. apply events_at_most. Qed.

Lemma engine_answers fuel : (forall i, (i < n)%nat -> 0 <= Q2R (weights_q w i) /\ 0 <= Q2R (services_q w i)) ->
  forall t q arrivals steps, (forall i, (i < n)%nat -> 0 <= Q2R (item_q q i)) -> sane_arrivals arrivals -> (steps <= fuel)%nat ->
  match arrivals with
  | [] => (0 < steps)%nat
  | (r, a) :: rest => ((if Qeq_bool r 0 then 1 else events_left (real_switch w) (real_lengths a) (real_lengths q) (Q2R (slope_q w a q)) + 2) +
                      length rest * S (most_events n) < steps)%nat
  end -> exists trace, engine_run w fuel t q arrivals = Some trace /\ (length trace <= steps)%nat.
Proof.
  intros HS. induction fuel as [|more IH]; intros t q arrivals steps Hq HA Hs Hn.
  { destruct arrivals as [|[r a] rest]; lia. }
  assert (Next : forall t' q' rest, (forall i, (i < n)%nat -> 0 <= Q2R (item_q q' i)) -> sane_arrivals rest ->
    (length rest * S (most_events n) < pred steps)%nat -> exists trace, engine_run w more t' q' rest = Some trace /\ (length trace <= pred steps)%nat).
  { intros t' q' [|[r a] rest] Hq' HA' Hl; apply IH; auto; try lia. cbn [length] in Hl.
    assert (E := few_events (real_lengths a) (real_lengths q') (Q2R (slope_q w a q'))). destruct (Qeq_bool r 0); lia. }
  cbn [engine_run]. destruct arrivals as [|[r a] rest]; [exists [(t, q)]; split; [reflexivity|simpl; lia]|].
  destruct HA as (Hr & Ha & HA). destruct (Qeq_bool r 0) eqn:Er.
  { destruct (Next t q rest Hq HA ltac:(lia)) as (trace & E & L). exists trace. split; [exact E|lia]. }
  assert (Rr : 0 < Q2R r).
  { destruct Hr as [Hr|Hr]; auto. rewrite eq_bool in Er; [discriminate|]. rewrite Q2R_0. auto. }
  assert (HSa : forall i, (i < n)%nat -> 0 <= Q2R (weights_q w i) /\ 0 <= Q2R (services_q w i) /\ 0 <= Q2R (item_q a i)).
  { intros i Hi. destruct (HS i Hi). auto. }
  destruct (piece_of_engine a q r HSa Hq Rr) as (P1 & P2 & P3 & P4).
  set (x := slope_q w a q) in *. set (v := rates_q w a q x) in *. set (d := next_event_q w q v x r) in *. set (q' := moves_q w q v d) in *.
  rewrite P1, P2. cbn [andb].
  assert (T : Q2R (Qred (r - d)) = Q2R r - Q2R d) by (rewrite Q2R_red; apply Q2R_minus).
  destruct (IH (Qred (t + d)) q' ((Qred (r - d), a) :: rest) (pred steps)) as (trace & E & L); auto; try lia.
  - cbn [sane_arrivals]. apply le_q in P2. rewrite T. split; [lra|auto].
  - destruct (Qeq_bool (Qred (r - d)) 0) eqn:Ez; [destruct P4; lia|]. destruct P4 as [P4|P4]; [|lia].
    rewrite eq_bool in Ez; [discriminate|]. rewrite T, Q2R_0. lra.
  - rewrite E. exists ((t, q) :: trace). split; [reflexivity|simpl; lia].
Qed.
End Answers.

(** The engine answers after at most m ((4 n + 1) (n + 1)^n + 1) steps: m pieces of arrivals, n queues. *)
Theorem engine_total w fuel t q arrivals :
  (forall i, (i < queues_q w)%nat -> 0 <= Q2R (weights_q w i) /\ 0 <= Q2R (services_q w i)) ->
  (forall i, (i < queues_q w)%nat -> 0 <= Q2R (item_q q i)) -> sane_arrivals w arrivals ->
  (length arrivals * (most_events (queues_q w) + 1) < fuel)%nat ->
  exists trace, engine_run w fuel t q arrivals = Some trace /\
    (length trace <= S (length arrivals * (most_events (queues_q w) + 1)))%nat.
Proof.
  intros HS Hq HA Hf. apply engine_answers; auto. destruct arrivals as [|[r a] rest]; [lia|]. cbn [length] in *.
  assert (E := few_events w (real_lengths a) (real_lengths q) (Q2R (slope_q w a q))). destruct (Qeq_bool r 0); nia.
Qed.

Theorem engine_total_instance : exists w q arrivals, (forall i, (i < queues_q w)%nat -> 0 <= Q2R (weights_q w i) /\ 0 <= Q2R (services_q w i)) /\
  (forall i, (i < queues_q w)%nat -> 0 <= Q2R (item_q q i)) /\ sane_arrivals w arrivals /\ queues_q w = 2%nat /\ length arrivals = 1%nat.
Proof.
  exists two_ports, [0%Q; 3%Q], [(1%Q, [7%Q; 1%Q])].
  split; [intros i _; simpl; unfold Q2R; simpl; lra|]. split; [exact two_ports_start|]. split; [|split; reflexivity].
  split; [unfold Q2R; simpl; lra|]. split; [|exact I]. intros [|[|i]] Hi; unfold Q2R; simpl in *; [lra|lra|lia].
Qed.
