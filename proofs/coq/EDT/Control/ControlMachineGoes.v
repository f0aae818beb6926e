(** DT/EDT paper, Section 4.2: the state machines never get stuck, whatever comes ([machine_run]).

      [overflow_decided]   at every instant the buffer overflows or not;
      [settled_state]      after what happens at an instant nothing more happens at it;
      [machine_goes_on]    every run goes on for a while, in any switch, for all arrivals that are constant for a while.
    That the instants at which something happens do not come ever closer is not shown.                              *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence ThresholdRule OverflowSlowPorts ControlMachine Theorem5Exists.
Open Scope R_scope.

Notation real := Rdefinitions.R.

Lemma bounded_search (P : nat -> Prop) n : (forall i, (i < n)%nat -> P i \/ ~ P i) -> (exists i, (i < n)%nat /\ P i) \/ ~ (exists i, (i < n)%nat /\ P i).
Proof.
  induction n; intros H; [right; intros (i & Hi & _); lia|]. destruct IHn as [(i & Hi & K)|K]; [intros; apply H; lia|left; exists i; split; [lia|auto]|].
  destruct (H n ltac:(lia)) as [L|L]; [left; exists n; split; [lia|auto]|right]. intros (i & Hi & Pi).
  destruct (Nat.eq_dec i n) as [->|]; [contradiction|]. apply K. exists i. split; [lia|auto].
Qed.

Lemma small_enough (P : nat -> real -> Prop) s n : (forall i, (i < n)%nat -> exists d, 0 < d /\ forall t, s < t < s + d -> P i t) ->
  exists d, 0 < d /\ forall i t, (i < n)%nat -> s < t < s + d -> P i t.
Proof.
  induction n; intros H; [exists 1; split; [lra|intros; lia]|]. destruct IHn as (d & Hd & K); [intros; apply H; lia|]. destruct (H n ltac:(lia)) as (d' & Hd' & K').
  exists (Rmin d d'). split; [apply Rmin_pos; auto|]. intros i t Hi Ht. pose proof (Rmin_l d d'). pose proof (Rmin_r d d').
  destruct (Nat.eq_dec i n) as [->|]; [apply K'; lra|apply K; [lia|lra]].
Qed.

(** What is less than b at s, and moves on a straight line, is so for a while. *)
Lemma line_below a c b s : a < b -> exists d, 0 < d /\ forall t, s < t < s + d -> a + c * (t - s) < b.
Proof.
  intros H. pose proof (Rabs_pos c) as Hc. exists ((b - a) / (Rabs c + 1)). assert (P : 0 < (b - a) / (Rabs c + 1)) by (apply Rdiv_lt_0_compat; lra). split; [exact P|].
  intros t Ht. assert (K : (Rabs c + 1) * (t - s) < b - a).
  { apply Rlt_le_trans with ((Rabs c + 1) * ((b - a) / (Rabs c + 1))); [apply Rmult_lt_compat_l; lra|right; field; lra]. }
  pose proof (Rmult_le_compat_r (t - s) c (Rabs c) ltac:(lra) (Rle_abs c)). lra.
Qed.

Section Goes.
Variables (n : nat) (alpha B C cn2 TM1 TM2 : real) (Ar : nat -> real -> real).
Hypotheses (alpha_nonneg : 0 <= alpha) (C_nonneg : 0 <= C) (cn2_pos : 0 < cn2) (TM1_pos : 0 < TM1) (TM2_pos : 0 < TM2).
Notation machine := (machine_run n alpha B C cn2 TM1 TM2 Ar).
Notation does := (acted C cn2 TM1 TM2).
Notation sw p := (edt_state n alpha B C p).

Lemma state_gains p i : 0 <= gain (sw p) i.
Proof. simpl. destruct (uncontrolled (p i)); lra. Qed.

Lemma overflow_decided Q t p : (forall i, (i < n)%nat -> 0 <= Ar i t) -> buffer_overflows n alpha B C Ar Q t p \/ ~ buffer_overflows n alpha B C Ar Q t p.
Proof.
  intros HA. destruct (Req_EM_T (free (sw p) Q t) 0) as [f|f]; [|right; intros (K & _); contradiction].
  destruct (bounded_search (fun i => uncontrolled (p i) = true) n) as [u|u].
  { intros i _. destruct (uncontrolled (p i)); [left; reflexivity|right; discriminate]. }
  2: { right. intros (_ & K & _). contradiction. }
  destruct (one_slope (sw p) Ar Q t) as (x & (D & HD & _) & One); [intros; apply state_gains|exact HA|]. destruct (One D HD) as [Fx Gx].
  destruct (Rlt_dec (free_slope (sw p) D t) 0) as [s|s]; [left; split; [auto|split; [auto|exists D; auto]]|].
  destruct (bounded_search (fun i => uncontrolled (p i) = true /\ 0 < rejected (sw p) Ar Q D i t) n) as [r|r].
  { intros i _. destruct (uncontrolled (p i)), (Rlt_dec 0 (rejected (sw p) Ar Q D i t)); [left; auto|right; tauto|right; intros [K _]; discriminate|right; tauto]. }
  { left. split; [auto|]. split; [auto|]. exists D. split; [auto|]. right. exact r. }
  right. intros (_ & _ & w & Hw & K). destruct (One w Hw) as [Fw Gw]. destruct K as [K|(i & Hi & U & K)]; [lra|]. apply r. exists i. split; [auto|]. split; [auto|].
  replace (rejected (sw p) Ar Q D i t) with (rejected (sw p) Ar Q w i t); [exact K|]. unfold rejected. rewrite Gx, Gw by auto. reflexivity.
Qed.

Lemma does_twice t a x : does t a (does t a x) = does t a x.
Proof.
  destruct x as [u c s]. unfold acted at 2 3. cbn [uncontrolled counter started].
  assert (Rest : does t a at_rest = at_rest).
  { unfold acted, at_rest. cbn [uncontrolled counter started]. destruct (Rle_dec cn2 0); [lra|]. destruct (Rlt_dec 0 0); [lra|reflexivity]. }
  destruct u.
  - destruct (Rlt_dec a C) as [h1|h1]; [exact Rest|]. destruct (Rle_dec (s + TM2) t) as [h2|h2]; [exact Rest|]. unfold acted. cbn [uncontrolled counter started].
    destruct (Rlt_dec a C); [contradiction|]. destruct (Rle_dec (s + TM2) t); [contradiction|reflexivity].
  - destruct (Rle_dec cn2 c) as [h1|h1].
    + destruct (Rlt_dec C a) as [h2|h2].
      * unfold acted. cbn [uncontrolled counter started]. destruct (Rlt_dec a C); [lra|]. destruct (Rle_dec (t + TM2) t); [lra|reflexivity].
      * destruct (Rle_dec (s + TM1) t) as [h3|h3]; [exact Rest|]. unfold acted. cbn [uncontrolled counter started].
        destruct (Rle_dec cn2 c); [|contradiction]. destruct (Rlt_dec C a); [contradiction|]. destruct (Rle_dec (s + TM1) t); [contradiction|reflexivity].
    + destruct (Rlt_dec 0 c) as [h2|h2].
      * destruct (Rle_dec (s + TM1) t) as [h3|h3]; [exact Rest|]. unfold acted. cbn [uncontrolled counter started].
        destruct (Rle_dec cn2 c); [contradiction|]. destruct (Rlt_dec 0 c); [|contradiction]. destruct (Rle_dec (s + TM1) t); [contradiction|reflexivity].
      * unfold acted. cbn [uncontrolled counter started]. destruct (Rle_dec cn2 c); [contradiction|]. destruct (Rlt_dec 0 c); [contradiction|reflexivity].
Qed.

Lemma rest_stays t a : does t a at_rest = at_rest.
Proof. unfold acted, at_rest. cbn [uncontrolled counter started]. destruct (Rle_dec cn2 0); [lra|]. destruct (Rlt_dec 0 0); [lra|reflexivity]. Qed.

Lemma settled_state Q D s p : machine Q D s p -> (forall i, (i < n)%nat -> 0 <= Ar i s) ->
  ~ buffer_overflows n alpha B C Ar Q s p /\ forall i, (i < n)%nat -> does s (Ar i s) (p i) = p i.
Proof.
  intros H HA. destruct H as [|a s p p' H Hp [H1 H2]].
  - split; [apply no_overflow; reflexivity|]. intros i _. apply rest_stays.
  - set (q := fun i => does s (Ar i s) (passed n alpha B C Ar Q D a s p i)) in *. destruct (overflow_decided Q s q HA) as [O|O].
    + assert (E : forall i, (i < n)%nat -> p' i = if uncontrolled (q i) then at_rest else q i) by (exact (H1 O)). split.
      * apply no_overflow. intros i Hi. rewrite E by auto. destruct (uncontrolled (q i)) eqn:U; [reflexivity|exact U].
      * intros i Hi. rewrite E by auto. destruct (uncontrolled (q i)); [apply rest_stays|apply does_twice].
    + assert (E : forall i, (i < n)%nat -> p' i = q i) by (exact (H2 O)). split.
      * intros K. apply O. revert K. apply overflows_states. exact E.
      * intros i Hi. rewrite E by auto. apply does_twice.
Qed.

(** For a while nothing happens at a port. *)
Lemma quiet_for_a_while D s p i (Q : nat -> real -> real) : does s (Ar i s) (p i) = p i ->
  exists d, 0 < d /\ forall t, s < t < s + d -> does t (Ar i s) (passed n alpha B C Ar Q D s t p i) = passed n alpha B C Ar Q D s t p i.
Proof.
  intros H. unfold passed. destruct (p i) as [u c st]. cbn [uncontrolled counter started] in *. unfold acted in H. cbn [uncontrolled counter started] in H.
  assert (Idle : forall t y, does t (Ar i s) (Port false 0 y) = Port false 0 y).
  { intros t y. unfold acted. cbn [uncontrolled counter started]. destruct (Rle_dec cn2 0); [lra|]. destruct (Rlt_dec 0 0); [lra|reflexivity]. }
  destruct u.
  - destruct (Rlt_dec (Ar i s) C) as [h1|h1]; [discriminate|]. destruct (Rle_dec (st + TM2) s) as [h2|h2]; [discriminate|].
    exists (st + TM2 - s). split; [lra|]. intros t Ht. unfold acted. cbn [uncontrolled counter started]. destruct (Rlt_dec (Ar i s) C); [contradiction|].
    destruct (Rle_dec (st + TM2) t); [lra|reflexivity].
  - destruct (Rlt_dec 0 (rejected (dt_switch n alpha B C) Ar Q D i s)) as [l|l]; [exists 1; split; [lra|]; intros; apply Idle|].
    set (y := if Rlt_dec 0 c then st else s).
    (* TM_1 does not expire for a while *)
    assert (Late : 0 < y + TM1 - s).
    { unfold y. destruct (Rlt_dec 0 c) as [h|h]; [|lra]. destruct (Rle_dec cn2 c); [destruct (Rlt_dec C (Ar i s)); [discriminate|]|];
        (destruct (Rle_dec (st + TM1) s) as [g|g]; [|lra]); injection H; intros; lra. }
    destruct (Rle_dec cn2 c) as [h1|h1].
    + (* full, at a port that is offered C at most *)
      destruct (Rlt_dec C (Ar i s)) as [h2|h2]; [discriminate|]. exists (y + TM1 - s). split; [exact Late|]. intros t Ht. unfold acted. cbn [uncontrolled counter started].
      destruct (Rlt_dec C (Ar i s)); [contradiction|].
      destruct (Rle_dec (y + TM1) t); [lra|]. destruct (Rle_dec cn2 (Rmax 0 (c + D i s * (t - s)))); [reflexivity|].
      destruct (Rlt_dec 0 (Rmax 0 (c + D i s * (t - s)))); reflexivity.
    + destruct (line_below c (D i s) cn2 s ltac:(lra)) as (d & Hd & K). exists (Rmin d (y + TM1 - s)). split; [apply Rmin_pos; auto|]. intros t Ht.
      pose proof (Rmin_l d (y + TM1 - s)). pose proof (Rmin_r d (y + TM1 - s)). specialize (K t ltac:(lra)).
      assert (Less : Rmax 0 (c + D i s * (t - s)) < cn2) by (apply Rmax_lub_lt; lra). unfold acted. cbn [uncontrolled counter started].
      destruct (Rle_dec cn2 (Rmax 0 (c + D i s * (t - s)))); [lra|]. destruct (Rlt_dec 0 (Rmax 0 (c + D i s * (t - s)))); [|reflexivity].
      destruct (Rle_dec (y + TM1) t); [lra|reflexivity].
Qed.

(** Every run goes on. *)
Theorem machine_goes_on Q D s p : machine Q D s p -> (forall i, (i < n)%nat -> 0 <= Ar i s /\ 0 <= Q i s) ->
  (exists d, 0 < d /\ forall i u, (i < n)%nat -> s <= u < s + d -> Ar i u = Ar i s) ->
  exists Q' D' e p', s < e /\ machine Q' D' e p' /\ (forall i, (i < n)%nat -> 0 <= Q' i e) /\
    (forall i t, (i < n)%nat -> 0 <= t <= s -> Q' i t = Q i t) /\ (forall i t, (i < n)%nat -> 0 <= t < s -> D' i t = D i t).
Proof.
  intros H Hn (d0 & Hd0 & Const). assert (HA : forall i, (i < n)%nat -> 0 <= Ar i s) by (intros; apply Hn; auto).
  destruct (settled_state Q D s p H HA) as [Calm Fix].
  destruct (fluid_local (sw p) Ar s d0 (fun i => Q i s)) as (d1 & v & Hd1 & T); auto.
  { intros i Hi. split; [apply state_gains|exact C_nonneg]. }
  set (X := fun i u => Q i s + v i * (u - s)) in *. set (Y := fun (i : nat) (_ : real) => v i) in *.
  assert (X0 : forall i, X i s = Q i s) by (intros; unfold X; ring).
  assert (Ob : forall t, s <= t < s + d1 -> forall i, (i < n)%nat -> obeys (sw p) Ar X Y i t) by (intros t Ht i Hi; apply (length_rule _ _ _ _ _ _ T); auto).
  (* what is rejected is constant for a while *)
  destruct (small_enough (fun i t => t < s + d1 -> t < s + d0 -> rejected (sw p) Ar X Y i t = rejected (sw p) Ar X Y i s) s n) as (d2 & Hd2 & Rej).
  { intros i Hi. destruct (Hn i Hi) as [_ Hq].
    assert (R0 : rejected (sw p) Ar X Y i s = highest (sw p) Ar i (Q i s) s - v i) by (unfold rejected; rewrite X0; reflexivity).
    destruct (Rlt_dec 0 (Q i s)) as [g|g].
    - destruct (line_below (- Q i s) (- v i) 0 s ltac:(lra)) as (d & Hd & K). exists d. split; auto. intros t Ht _ H0. specialize (K t Ht). rewrite R0.
      unfold rejected, highest. rewrite Const by (auto; lra). assert (P : 0 < X i t) by (unfold X; lra). destruct (Rlt_dec 0 (X i t)); [|lra]. destruct (Rlt_dec 0 (Q i s)); [reflexivity|lra].
    - exists 1. split; [lra|]. intros t Ht Hl H0. rewrite R0. unfold rejected, highest. rewrite Const by (auto; lra). simpl service.
      assert (Eq : Q i s = 0) by lra. destruct (Rlt_dec 0 (Q i s)); [lra|]. destruct (Rlt_dec 0 (X i t)) as [k|k]; [|reflexivity].
      pose proof (rate_bounds (sw p) Ar X Y i s (HA i Hi) (Ob s ltac:(lra) i Hi)) as [_ Up]. unfold highest in Up. rewrite X0, Eq in Up. simpl in Up. destruct (Rlt_dec 0 0); [lra|].
      destruct (Rle_dec C (Ar i s)); [rewrite Rmax_right by lra; reflexivity|]. rewrite Rmax_left in Up by lra. exfalso.
      unfold X in k. rewrite Eq in k. pose proof (Rmult_le_compat_r (t - s) (v i) 0 ltac:(lra) Up). lra. }
  (* nothing happens at any port for a while *)
  destruct (small_enough (fun i t => does t (Ar i s) (passed n alpha B C Ar X Y s t p i) = passed n alpha B C Ar X Y s t p i) s n) as (d3 & Hd3 & Quiet).
  { intros i Hi. apply quiet_for_a_while. auto. }
  (* nor does the buffer overflow *)
  assert (Fr : forall t, free (sw p) X t = free (sw p) Q s + free_slope (sw p) Y s * (t - s)).
  { intros t. unfold free, free_slope, X, Y. simpl.
    assert (K : forall k, sum k (fun i => Q i s + v i * (t - s)) = sum k (fun i => Q i s) + sum k v * (t - s)) by (induction k; simpl; [ring|rewrite IHk; ring]).
    rewrite K. change (sum n (fun i => v i)) with (sum n v). ring. }
  assert (Over : exists d4, 0 < d4 /\ forall t, s < t < s + d4 -> t < s + d1 -> t < s + d0 -> t < s + d2 -> ~ buffer_overflows n alpha B C Ar X t p).
  { destruct (Rtotal_order (free (sw p) Q s) 0) as [f|[f|f]].
    - destruct (line_below (free (sw p) Q s) (free_slope (sw p) Y s) 0 s f) as (d & Hd & K). exists d. split; auto. intros t Ht _ _ _ (F & _). rewrite Fr in F. specialize (K t Ht). lra.
    - exists 1. split; [lra|]. intros t Ht H1 H2 H3 (F & U & w & Hw & K). rewrite Fr, f in F.
      assert (At : forall i, (i < n)%nat -> 0 <= Ar i t) by (intros; rewrite Const by (auto; lra); auto).
      destruct (one_slope (sw p) Ar X t ltac:(intros; apply state_gains) At) as (x & _ & One).
      destruct (One w Hw) as [Fw Gw]. destruct (One Y (Ob t ltac:(lra))) as [Fy Gy]. change (free_slope (sw p) Y t) with (free_slope (sw p) Y s) in Fy.
      apply Calm. apply overflows_ext with X; [intros; apply X0|]. split; [rewrite Fr, f; ring|]. split; [exact U|]. exists Y. split; [apply Ob; lra|].
      destruct K as [K|(i & Hi & Ui & K)]; [left; lra|right]. exists i. split; [auto|]. split; [auto|]. rewrite <- (Rej i t) by (auto; lra).
      replace (rejected (sw p) Ar X Y i t) with (rejected (sw p) Ar X w i t); [exact K|]. unfold rejected. rewrite Gw, Gy by auto. reflexivity.
    - destruct (line_below (- free (sw p) Q s) (- free_slope (sw p) Y s) 0 s ltac:(lra)) as (d & Hd & K). exists d. split; auto. intros t Ht _ _ _ (F & _). rewrite Fr in F. specialize (K t Ht). lra. }
  destruct Over as (d4 & Hd4 & Over). set (d := Rmin (Rmin d0 d1) (Rmin d2 (Rmin d3 d4))).
  assert (Hd : 0 < d) by (unfold d; repeat apply Rmin_pos; auto).
  assert (Le : d <= d0 /\ d <= d1 /\ d <= d2 /\ d <= d3 /\ d <= d4).
  { unfold d. pose proof (Rmin_l (Rmin d0 d1) (Rmin d2 (Rmin d3 d4))). pose proof (Rmin_r (Rmin d0 d1) (Rmin d2 (Rmin d3 d4))). pose proof (Rmin_l d0 d1). pose proof (Rmin_r d0 d1).
    pose proof (Rmin_l d2 (Rmin d3 d4)). pose proof (Rmin_r d2 (Rmin d3 d4)). pose proof (Rmin_l d3 d4). pose proof (Rmin_r d3 d4). lra. }
  set (e := s + d / 2). assert (He : s < e < s + d) by (unfold e; lra).
  assert (Hp : phase n alpha B C cn2 TM1 TM2 Ar X Y s e p).
  { split; [lra|apply (trajectory_shorten (sw p) Ar s (s + d1)); auto; lra| |].
    - intros i t Hi Ht. split; [reflexivity|]. unfold loses. destruct (Req_EM_T t s) as [->|g]; [reflexivity|].
      assert (K := Rej i t Hi ltac:(lra) ltac:(lra) ltac:(lra)). change (rejected (sw p) Ar X Y i) with (rejected (dt_switch n alpha B C) Ar X Y i) in K. rewrite K. reflexivity.
    - intros t Ht. split; [apply Over; lra|]. intros i Hi. rewrite Const by (auto; lra). apply Quiet; auto. lra. }
  assert (Hh : exists p', happens n alpha B C cn2 TM1 TM2 Ar X e (passed n alpha B C Ar X Y s e p) p').
  { destruct (overflow_decided X e (fun i => does e (Ar i e) (passed n alpha B C Ar X Y s e p i))) as [O|O]; [intros; rewrite Const by (auto; lra); auto| |].
    - eexists (fun i => if uncontrolled (does e (Ar i e) (passed n alpha B C Ar X Y s e p i)) then at_rest else _). split; [intros _ i Hi; reflexivity|intros K; contradiction].
    - eexists (fun i => _). split; [intros K; contradiction|intros _ i Hi; reflexivity]. }
  destruct Hh as [p' Hh]. exists (glue s Q X), (glue s D Y), e, p'. split; [lra|].
  split; [apply (run_extends n alpha B C cn2 TM1 TM2 Ar Q D X Y s e p p'); auto|]. split; [|split].
  - intros i Hi. unfold glue. destruct (Rlt_dec e s); [lra|]. apply (length_nonneg _ _ _ _ _ _ T); [exact Hi|lra].
  - intros i t Hi Ht. unfold glue. destruct (Rlt_dec t s); [reflexivity|]. replace t with s by lra. apply X0.
  - intros i t Hi Ht. unfold glue. destruct (Rlt_dec t s); [reflexivity|lra].
Qed.

End Goes.
