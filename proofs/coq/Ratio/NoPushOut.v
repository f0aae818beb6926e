(** No policy without push-out has less than the policy of thirds at two ports, with unit packets: lower bounds.

      [no_better]        a bound for every policy, if for each length K of a queue one of two continuations is as bad;
      [thirds_best]      no ratio below 3/2, or (6 B - 6) / (4 B - 5) where B = 2 mod 3, whatever constant is added.

    A policy is any function of the past: the events so far, the last of them first and an arrival, decide whether the
    packet enters, if there is room. So a policy may remember anything. [thirds_two_ports] has the bound that is attained. *)
Require Import ZArith Lia List Bool.
From DT Require Import Ports.
Import ListNotations.
Local Open Scope Z_scope.

Inductive event : Set := first_arrives | second_arrives | departures.

Definition admitted (B : Z) (decide : list event -> bool) (h : list event) (a b : Z) : bool := (a + b <? B) && decide h.

Inductive online (B : Z) (decide : list event -> bool) : list event -> Z -> Z -> Z -> Z -> Z -> Z -> Prop :=
| online_start : online B decide [] 0 0 0 0 0 0
| online_first h a b o w o' sent best :
    online B decide h a b o w sent best -> o' = o \/ (o' = o + 1 /\ o + w < B) ->
    online B decide (first_arrives :: h) (if admitted B decide (first_arrives :: h) a b then a + 1 else a) b o' w sent best
| online_second h a b o w w' sent best :
    online B decide h a b o w sent best -> w' = w \/ (w' = w + 1 /\ o + w < B) ->
    online B decide (second_arrives :: h) a (if admitted B decide (second_arrives :: h) a b then b + 1 else b) o w' sent best
| online_departures h a b o w sent best :
    online B decide h a b o w sent best ->
    online B decide (departures :: h) (after_slot a) (after_slot b) (after_slot o) (after_slot w)
      (sent + port_sends a + port_sends b) (best + port_sends o + port_sends w).

Lemma online_equal B decide h a b o w sent best a' b' o' w' sent' best' :
  online B decide h a b o w sent best -> a = a' -> b = b' -> o = o' -> w = w' -> sent = sent' -> best = best' ->
  online B decide h a' b' o' w' sent' best'.
Proof. intros. subst. assumption. Qed.

Lemma admits_one B decide h a b : let a' := if admitted B decide h a b then a + 1 else a in
  a <= a' <= a + 1 /\ (a + b <= B -> a' + b <= B).
Proof. unfold admitted. destruct (Z.ltb_spec (a + b) B); simpl; [destruct (decide h)|]; lia. Qed.

Ltac slot_by_cases := unfold port_sends, after_slot in *;
  repeat match goal with
    | |- context [Z.ltb ?x ?y] => destruct (Z.ltb_spec x y)
    | H : context [Z.ltb ?x ?y] |- _ => destruct (Z.ltb_spec x y)
  end; lia.

Section NoBetter.

Variable B : Z.
Variable decide : list event -> bool.
Let on := online B decide.

(** A burst of B packets at the first port: the optimum may accept all of them, or one. *)
Lemma burst_first h a sent best : 0 <= a <= B -> on h a 0 0 0 sent best ->
  forall n, 0 <= n -> n <= B -> exists h' K, 0 <= K <= B /\ on h' K 0 n 0 sent best /\ on h' K 0 (Z.min n 1) 0 sent best.
Proof.
  intros Ha H n0 Hn0. pattern n0. apply natlike_ind; [| |exact Hn0]; clear n0 Hn0.
  - intros _. exists h, a. split; [lia|]. split; exact H.
  - intros n Hn IH Hle. destruct (IH ltac:(lia)) as (h' & K & HK & All & One).
    destruct (admits_one B decide (first_arrives :: h') K 0) as [_ Room].
    exists (first_arrives :: h'), (if admitted B decide (first_arrives :: h') K 0 then K + 1 else K). split.
    + destruct (admits_one B decide (first_arrives :: h') K 0). lia.
    + split; [apply online_first with n; [exact All|lia]|].
      apply online_first with (Z.min n 1); [exact One|lia].
Qed.

Lemma drain_first h K sent best : 0 <= K <= B -> 0 <= B -> on h K 0 B 0 sent best ->
  exists h', on h' 0 0 0 0 (sent + K) (best + B).
Proof.
  intros HK HB H.
  assert (D : forall n, 0 <= n -> n <= B ->
    exists h', on h' (Z.max 0 (K - n)) 0 (B - n) 0 (sent + Z.min K n) (best + n)).
  { intros n0 Hn0. pattern n0. apply natlike_ind; [| |exact Hn0]; clear n0 Hn0.
    - intros _. exists h. apply (online_equal _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H); lia.
    - intros n Hn IH Hle. destruct (IH ltac:(lia)) as (h' & I). exists (departures :: h'). apply online_departures in I.
      apply (online_equal _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ I); slot_by_cases. }
  destruct (D B ltac:(lia) ltac:(lia)) as (h' & I). exists h'.
  apply (online_equal _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ I); lia.
Qed.

(** A burst of B - 1 packets at the second port, all of which the optimum accepts *)
Lemma burst_second h K sent best : 0 <= K <= B -> on h K 0 1 0 sent best ->
  forall n, 0 <= n -> n <= B - 1 -> exists h' b, 0 <= b /\ K + b <= B /\ on h' K b 1 n sent best.
Proof.
  intros HK H n0 Hn0. pattern n0. apply natlike_ind; [| |exact Hn0]; clear n0 Hn0.
  - intros _. exists h, 0. split; [lia|]. split; [lia|exact H].
  - intros n Hn IH Hle. destruct (IH ltac:(lia)) as (h' & b & Hb & HKb & I).
    exists (second_arrives :: h'), (if admitted B decide (second_arrives :: h') K b then b + 1 else b).
    assert (R : forall c : bool, (c = true -> K + b < B) -> 0 <= (if c then b + 1 else b) /\ K + (if c then b + 1 else b) <= B)
      by (intros [] Hc; [specialize (Hc eq_refl)|clear Hc]; lia).
    destruct (R (admitted B decide (second_arrives :: h') K b)) as [R0 R1].
    { unfold admitted. intros E. apply andb_prop in E. destruct E as [E _]. apply Z.ltb_lt in E. exact E. }
    split; [exact R0|]. split; [exact R1|]. apply online_second with n; [exact I|lia].
Qed.

(** B - 1 slots, and a packet at the first port before each but the first of them *)
Lemma one_a_slot h K b sent best : 0 <= K -> 0 <= b -> K + b <= B -> 2 <= B -> on h K b 1 (B - 1) sent best ->
  forall n, 0 <= n -> n <= B - 2 -> exists h' a sent', 0 <= a <= B /\ sent' <= sent + (n + 1) + Z.min b (n + 1) /\
    a + Z.max 0 (b - (n + 1)) <= B /\ on h' a (Z.max 0 (b - (n + 1))) 0 (B - 2 - n) sent' (best + 2 * (n + 1)).
Proof.
  intros HK Hb HKb HB H n0 Hn0. pattern n0. apply natlike_ind; [| |exact Hn0]; clear n0 Hn0.
  - intros _. exists (departures :: h), (after_slot K), (sent + port_sends K + port_sends b).
    apply online_departures in H. repeat split; try slot_by_cases.
    apply (online_equal _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H); slot_by_cases.
  - intros n Hn IH Hle. destruct (IH ltac:(lia)) as (h' & a & sent' & Ha & Hsent & Hroom & I).
    pose proof (online_first _ _ _ _ _ _ _ 1 _ _ I ltac:(lia)) as I1. clear I. rename I1 into I.
    pose proof (admits_one B decide (first_arrives :: h') a (Z.max 0 (b - (n + 1)))) as [A A']. specialize (A' Hroom).
    set (a' := if admitted B decide (first_arrives :: h') a (Z.max 0 (b - (n + 1))) then a + 1 else a) in *.
    apply online_departures in I.
    exists (departures :: first_arrives :: h'), (after_slot a'), (sent' + port_sends a' + port_sends (Z.max 0 (b - (n + 1)))).
    clearbody a'. repeat split; try slot_by_cases.
    apply (online_equal _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ I); slot_by_cases.
Qed.

Variables p q : Z.

(** For each length K of the first queue after the burst one of the two continuations is as bad as p / q. *)
Definition always_bad : Prop := forall K, 0 <= K <= B -> p * K <= q * B \/ p * (2 * B - 1 - K) <= q * (2 * B - 2).

Lemma round h a sent best : 2 <= B -> 0 <= p -> 0 < q -> always_bad -> 0 <= a <= B -> on h a 0 0 0 sent best ->
  exists h' a' sent' best', 0 <= a' <= B /\ on h' a' 0 0 0 sent' best' /\ best < best' /\
    p * (sent' - sent) <= q * (best' - best).
Proof.
  intros HB Hp Hq Bad Ha H.
  destruct (burst_first h a sent best Ha H B ltac:(lia) ltac:(lia)) as (h1 & K & HK & All & One).
  rewrite Z.min_r in One by lia.
  assert (First : p * K <= q * B -> exists h' a' sent' best', 0 <= a' <= B /\ on h' a' 0 0 0 sent' best' /\ best < best' /\
    p * (sent' - sent) <= q * (best' - best)).
  { intros G. destruct (drain_first h1 K sent best HK ltac:(lia) All) as (h' & I).
    exists h', 0, (sent + K), (best + B). replace (sent + K - sent) with K by lia.
    replace (best + B - best) with B by lia. repeat split; auto; lia. }
  destruct (Z.eq_dec K 0) as [->|HK0]; [apply First; nia|].
  destruct (Bad K HK) as [G|G]; [exact (First G)|].
  destruct (burst_second h1 K sent best HK One (B - 1) ltac:(lia) ltac:(lia)) as (h2 & b & Hb & HKb & Two).
  destruct (one_a_slot h2 K b sent best ltac:(lia) Hb HKb HB Two (B - 2) ltac:(lia) ltac:(lia))
    as (h' & a' & sent' & Ha' & Hsent & _ & I).
  exists h', a', sent', (best + (2 * B - 2)). split; [exact Ha'|]. split.
  - apply (online_equal _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ I); lia.
  - split; [lia|]. replace (best + (2 * B - 2) - best) with (2 * B - 2) by lia.
    assert (p * (sent' - sent) <= p * (2 * B - 1 - K)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

Lemma rounds : 2 <= B -> 0 <= p -> 0 < q -> always_bad -> forall n, 0 <= n ->
  exists h a sent best, 0 <= a <= B /\ on h a 0 0 0 sent best /\ n <= best /\ p * sent <= q * best.
Proof.
  intros HB Hp Hq Bad. apply natlike_ind.
  - exists [], 0, 0, 0. repeat split; try lia. apply online_start.
  - intros n Hn (h & a & sent & best & Ha & H & Hbest & G).
    destruct (round h a sent best HB Hp Hq Bad Ha H) as (h' & a' & sent' & best' & Ha' & H' & More & G').
    exists h', a', sent', best'. repeat split; auto; lia.
Qed.

(** No p' / q' below p / q is a bound, whatever constant is added. *)
Theorem no_better p' q' c : 2 <= B -> 0 <= p -> 0 < q -> 0 <= p' -> always_bad ->
  (forall h a b o w sent best, online B decide h a b o w sent best -> q' * best <= p' * sent + c) ->
  p * q' <= p' * q.
Proof.
  intros HB Hp Hq Hp' Bad Bound. destruct (Z.le_gt_cases (p * q') (p' * q)) as [|Less]; [assumption|exfalso].
  destruct (rounds HB Hp Hq Bad (Z.abs (p * c) + 1) ltac:(lia)) as (h & a & sent & best & _ & H & Hbest & G).
  specialize (Bound h a 0 0 0 sent best H).
  assert (p * (q' * best) <= p * (p' * sent + c)) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (p' * (p * sent) <= p' * (q * best)) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert ((p * q' - p' * q) * best <= p * c) by lia.
  assert (1 * best <= (p * q' - p' * q) * best) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

End NoBetter.

(** With [thirds_two_ports]: the policy of thirds is the best deterministic one without push-out. *)
Theorem thirds_best B m decide p q c : 2 <= B -> 3 * m <= B < 3 * m + 3 -> 0 <= p ->
  (forall h a b o w sent best, online B decide h a b o w sent best -> q * best <= p * sent + c) ->
  (B <> 3 * m + 2 -> 3 * q <= 2 * p) /\ (B = 3 * m + 2 -> (6 * B - 6) * q <= (4 * B - 5) * p).
Proof.
  intros HB Hm Hp Bound. split; intros E.
  - apply (no_better B decide 3 2) in Bound; try lia. intros K HK. lia.
  - apply (no_better B decide (6 * B - 6) (4 * B - 5)) in Bound; try lia. intros K HK.
    destruct (Z.le_gt_cases K (2 * m + 1)); [left|right]; nia.
Qed.

(** All that [thirds_best] supposes holds together: the policy that admits whatever fits is 2-competitive. *)
Lemma all_that_fits B h a b o w sent best : 0 < B -> online B (fun _ => true) h a b o w sent best ->
  0 <= a /\ 0 <= b /\ 0 <= o /\ 0 <= w /\ o + w <= B /\ best <= 2 * sent /\ best + o + w <= 2 * (sent + a + b).
Proof.
  intros HB. induction 1 as [|h a b o w o' sent best _ IH Hy|h a b o w w' sent best _ IH Hy|h a b o w sent best _ IH].
  - lia.
  - unfold admitted. destruct (Z.ltb_spec (a + b) B); cbn [andb]; lia.
  - unfold admitted. destruct (Z.ltb_spec (a + b) B); cbn [andb]; lia.
  - slot_by_cases.
Qed.

Theorem thirds_best_instance : exists B m decide p q c, 2 <= B /\ 3 * m <= B < 3 * m + 3 /\ 0 <= p /\
  (forall h a b o w sent best, online B decide h a b o w sent best -> q * best <= p * sent + c).
Proof.
  exists 5, 1, (fun _ => true), 2, 1, 0. repeat split; try lia. intros h a b o w sent best H.
  apply all_that_fits in H; lia.
Qed.
