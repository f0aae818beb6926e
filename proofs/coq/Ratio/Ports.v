(** Competitive ratios of policies without push-out, with unit packets: upper bounds by potentials, lower bounds by one burst.

      [any_ports]        a policy that refuses packets only while its buffer holds K is max(B / K, N)-competitive;
      [dt_any_ports]     so is DT with any alpha, K the least integer of at least alpha B / (1 + alpha);
      [two_ports]        for N = 2 a bound below 2, if the port that is refused holds enough itself;
      [dt_two_ports]     DT with alpha = u / v <= 1 has exactly B / K, K the least integer of at least alpha B / (1 + alpha);
      [harmonic_two_ports]   Harmonic has exactly B / K, K the integer part of 2 B / 3;
      [thirds_two_ports]     a threshold policy with 3/2, or (6 B - 6) / (4 B - 5) where B = 2 mod 3.

    A state has the queues of the policy and of the optimum, and what both have sent. The policy is a two_reached of relations,
    which may overlap: it may remember anything. A bound p / q is one of throughputs after all queues have drained, and before. *)
Require Import ZArith Lia List.
Import ListNotations.
Local Open Scope Z_scope.

(** 1 if a queue has a packet to send *)
Definition port_sends (x : Z) : Z := if 0 <? x then 1 else 0.

(** The queue after a slot *)
Definition after_slot (x : Z) : Z := Z.max 0 (x - 1).

Lemma port_sends_after_slot x : 0 <= x ->
  after_slot x = x - port_sends x /\ 0 <= port_sends x <= 1 /\ port_sends x <= x /\ (port_sends x = 0 -> x = 0).
Proof. unfold port_sends, after_slot. intros H. destruct (Z.ltb_spec 0 x); lia. Qed.

(** ** Any number of ports *)

Definition packets_in (l : list Z) : Z := fold_right Z.add 0 l.

Lemma packets_in_app l r : packets_in (l ++ r) = packets_in l + packets_in r.
Proof. induction l as [|x l IH]; simpl; [reflexivity|]. unfold packets_in in *. simpl. lia. Qed.

Lemma packets_in_at l x r : packets_in (l ++ x :: r) = packets_in l + x + packets_in r.
Proof. rewrite packets_in_app. unfold packets_in at 2. simpl. fold (packets_in r). lia. Qed.

Section AnyPorts.

Variables (N : nat) (B : Z).

(** [refuses a i]: the policy may refuse a packet that arrives at port i while its queues are a. *)
Variable refuses : list Z -> nat -> Prop.

Inductive reached : list Z -> list Z -> Z -> Z -> Prop :=
| reached_start : reached (repeat 0 N) (repeat 0 N) 0 0
| reached_arrival a1 x x' a2 o1 y y' o2 sent best :
    reached (a1 ++ x :: a2) (o1 ++ y :: o2) sent best -> length a1 = length o1 ->
    x' = x + 1 \/ (x' = x /\ refuses (a1 ++ x :: a2) (length a1)) ->
    y' = y \/ (y' = y + 1 /\ packets_in (o1 ++ y :: o2) < B) ->
    reached (a1 ++ x' :: a2) (o1 ++ y' :: o2) sent best
| reached_departures a o sent best :
    reached a o sent best ->
    reached (map after_slot a) (map after_slot o) (sent + packets_in (map port_sends a)) (best + packets_in (map port_sends o)).

Lemma packets_in_slot l : Forall (fun x => 0 <= x) l ->
  packets_in (map after_slot l) = packets_in l - packets_in (map port_sends l) /\
  0 <= packets_in (map port_sends l) <= packets_in l /\
  packets_in (map port_sends l) <= Z.of_nat (length l) /\
  (packets_in (map port_sends l) = 0 -> packets_in l = 0) /\ Forall (fun x => 0 <= x) (map after_slot l).
Proof.
  induction 1 as [|x l Hx Hl IH]; simpl; [unfold packets_in; simpl; repeat split; auto; lia|].
  destruct (port_sends_after_slot x Hx) as (E & Hb & Hle & Hz). unfold packets_in in *. simpl.
  destruct IH as (I1 & I2 & I3 & I4 & I5). repeat split; try lia. constructor; [unfold after_slot; lia|exact I5].
Qed.

Lemma length_at (l r : list Z) x y : length (l ++ x :: r) = length (l ++ y :: r).
Proof. rewrite !app_length. reflexivity. Qed.

Lemma positive_at l x x' r : 0 <= x' -> Forall (fun z => 0 <= z) (l ++ x :: r) -> Forall (fun z => 0 <= z) (l ++ x' :: r).
Proof.
  intros Hx H. apply Forall_app in H. destruct H as [Hl Hr]. inversion Hr; subst.
  apply Forall_app. split; [exact Hl|]. constructor; auto.
Qed.

Theorem any_ports p q K : 0 < q -> q * Z.of_nat N <= p -> q <= p -> q * B <= p * K ->
  (forall a i, Forall (fun x => 0 <= x) a -> refuses a i -> K <= packets_in a) ->
  forall a o sent best, reached a o sent best ->
  q * best <= p * sent /\ q * (best + packets_in o) <= p * (sent + packets_in a).
Proof.
  intros Hq HN Hqp HK Hr.
  assert (Zero : packets_in (repeat 0 N) = 0) by (clear; induction N as [|n IH]; [reflexivity|exact IH]).
  assert (Inv : forall a o sent best, reached a o sent best ->
    Forall (fun x => 0 <= x) a /\ Forall (fun x => 0 <= x) o /\ length a = N /\ length o = N /\
    q * best <= p * sent /\ q * (best + packets_in o) <= p * (sent + packets_in a)).
  { induction 1 as [|a1 x x' a2 o1 y y' o2 sent best _ IH Hlen Hx Hy|a o sent best _ IH].
    - rewrite Zero, repeat_length. repeat split; try lia; apply Forall_forall; intros z Hz; apply repeat_spec in Hz; lia.
    - destruct IH as (Fa & Fo & La & Lo & I0 & I1). pose proof Fa as Fa'. pose proof Fo as Fo'.
      apply Forall_app in Fa'. destruct Fa' as [_ Fa']. inversion_clear Fa' as [|? ? Px _].
      apply Forall_app in Fo'. destruct Fo' as [_ Fo']. inversion_clear Fo' as [|? ? Py _].
      assert (Hx' : 0 <= x') by (destruct Hx as [|[]]; lia). assert (Hy' : 0 <= y') by (destruct Hy as [|[]]; lia).
      rewrite (length_at a1 a2 x' x), (length_at o1 o2 y' y).
      repeat split; auto; try (eapply positive_at; eauto; fail).
      rewrite !packets_in_at in *. destruct Hx as [->|[-> Hf]].
      + destruct Hy as [->|[-> _]]; nia.
      + destruct Hy as [->|[-> Hroom]]; [exact I1|]. apply (Hr _ _ Fa) in Hf. rewrite packets_in_at in Hf.
        assert (q * (packets_in o1 + (y + 1) + packets_in o2) <= p * (packets_in a1 + x + packets_in a2)) by nia. lia.
    - destruct IH as (Fa & Fo & La & Lo & I0 & I1).
      destruct (packets_in_slot a Fa) as (Ea & Ha & Hal & Haz & Fa'). destruct (packets_in_slot o Fo) as (Eo & Ho & Hol & _ & Fo').
      rewrite !map_length, Ea, Eo. repeat split; auto; [|nia].
      destruct (Z.eq_dec (packets_in (map port_sends a)) 0) as [E|E]; [rewrite (Haz E) in *|]; nia. }
  intros a o sent best H. destruct (Inv a o sent best H) as (_ & _ & _ & _ & H0 & H1). auto.
Qed.

End AnyPorts.

(** DT with alpha = u / v at N ports: q_i < alpha (B - packets_in q) *)
Definition dt_refuses_at (u v B : Z) (a : list Z) (i : nat) : Prop := u * (B - packets_in a) <= v * nth i a 0.

Lemma nth_le_packets_in a : Forall (fun x => 0 <= x) a -> forall i, nth i a 0 <= packets_in a.
Proof.
  induction 1 as [|x a Hx Ha IH]; intros i; [destruct i; unfold packets_in; simpl; lia|].
  assert (0 <= packets_in a) by (destruct (packets_in_slot a Ha) as (_ & ? & _); lia).
  change (packets_in (x :: a)) with (x + packets_in a). destruct i; simpl; [lia|]. specialize (IH i). lia.
Qed.

Theorem dt_any_ports N u v B K p q : 0 < u -> 0 < v -> (u + v) * K < u * B + (u + v) ->
  0 < q -> q * Z.of_nat N <= p -> q <= p -> q * B <= p * K ->
  forall a o sent best, reached N B (dt_refuses_at u v B) a o sent best ->
  q * best <= p * sent /\ q * (best + packets_in o) <= p * (sent + packets_in a).
Proof.
  intros Hu Hv HK Hq HN Hqp HB. apply (any_ports N B _ p q K); auto.
  intros a i Ha Hf. unfold dt_refuses_at in Hf. pose proof (nth_le_packets_in a Ha i) as Hi.
  assert (v * nth i a 0 <= v * packets_in a) by (apply Z.mul_le_mono_nonneg_l; lia). nia.
Qed.

(** All that [any_ports] and [dt_any_ports] suppose holds together: DT with alpha = 1, B = 4 and K = 2 at two ports. *)
Theorem any_ports_instance : exists u v B K p q sent best,
  0 < u /\ 0 < v /\ (u + v) * K < u * B + (u + v) /\ 0 < q /\ q * Z.of_nat 2 <= p /\ q <= p /\ q * B <= p * K /\
  (forall a i, Forall (fun x => 0 <= x) a -> dt_refuses_at u v B a i -> K <= packets_in a) /\
  reached 2 B (dt_refuses_at u v B) [0; 0] [0; 0] sent best.
Proof.
  exists 1, 1, 4, 2, 2, 1, 0, 0. repeat split; try lia.
  - intros a i Ha Hf. unfold dt_refuses_at in Hf. pose proof (nth_le_packets_in a Ha i). lia.
  - apply (reached_start 2).
Qed.

(** ** Two ports *)

Section TwoPorts.

Variable B : Z.

(** [admits x y], [refuses x y]: a packet at a port of length x beside one of length y. *)
Variables admits refuses : Z -> Z -> Prop.

Inductive two_reached : Z -> Z -> Z -> Z -> Z -> Z -> Prop :=
| two_reached_start : two_reached 0 0 0 0 0 0
| two_reached_first a b o w a' o' sent best :
    two_reached a b o w sent best -> (a' = a + 1 /\ admits a b) \/ (a' = a /\ refuses a b) ->
    o' = o \/ (o' = o + 1 /\ o + w < B) -> two_reached a' b o' w sent best
| two_reached_second a b o w b' w' sent best :
    two_reached a b o w sent best -> (b' = b + 1 /\ admits b a) \/ (b' = b /\ refuses b a) ->
    w' = w \/ (w' = w + 1 /\ o + w < B) -> two_reached a b' o w' sent best
| two_reached_departures a b o w sent best :
    two_reached a b o w sent best ->
    two_reached (after_slot a) (after_slot b) (after_slot o) (after_slot w)
      (sent + port_sends a + port_sends b) (best + port_sends o + port_sends w).

(** What the policy keeps about two lengths, whichever port has which *)
Definition symmetric_kept (P : Z -> Z -> Prop) : Prop :=
  P 0 0 /\ (forall x y, 0 <= x -> 0 <= y -> P x y -> P y x) /\
  (forall x y, 0 <= x -> 0 <= y -> P x y -> admits x y -> P (x + 1) y) /\
  (forall x y, 0 <= x -> 0 <= y -> P x y -> P (after_slot x) (after_slot y)).

Lemma two_reached_keeps P : symmetric_kept P -> forall a b o w sent best, two_reached a b o w sent best ->
  0 <= a /\ 0 <= b /\ 0 <= o /\ 0 <= w /\ (0 <= B -> o + w <= B) /\ P a b.
Proof.
  intros (H0 & Hs & Ha & Hl).
  induction 1 as [|a b o w a' o' sent best _ IH Hx Hy|a b o w b' w' sent best _ IH Hx Hy|a b o w sent best _ IH].
  - repeat split; auto; lia.
  - destruct IH as (? & ? & ? & ? & ? & ?).
    repeat split; try (destruct Hx as [[]|[]]; destruct Hy as [|[]]; lia).
    destruct Hx as [[-> ?]|[-> _]]; auto.
  - destruct IH as (? & ? & ? & ? & ? & ?).
    repeat split; try (destruct Hx as [[]|[]]; destruct Hy as [|[]]; lia).
    destruct Hx as [[-> ?]|[-> _]]; auto. apply Hs; try lia. apply Ha; auto.
  - destruct IH as (? & ? & ? & ? & ? & ?). unfold after_slot. repeat split; try lia. apply Hl; auto.
Qed.

(** The potential max(0, o + w - rho (a + b), (2 - rho) min(o, B - 1) - rho a, and with w and b), with
    rho = (r + 2 e) / (r + e), so that r is (2 - rho) q and e is (rho - 1) q. *)
Definition within_potential (r e a b o w sent best : Z) : Prop :=
  let D := (r + e) * best - (r + 2 * e) * sent in
  D <= 0 /\ D + (r + e) * (o + w) <= (r + 2 * e) * (a + b) /\
  D + r * Z.min o (B - 1) <= (r + 2 * e) * a /\ D + r * Z.min w (B - 1) <= (r + 2 * e) * b.

Lemma bounded_swap r e a b o w sent best : within_potential r e a b o w sent best -> within_potential r e b a w o sent best.
Proof. unfold within_potential. intros (H0 & H1 & H2 & H3). repeat split; lia. Qed.

Lemma scaled_min r x y z : 0 <= r -> x <= y + z -> 0 <= z -> r * Z.min x (B - 1) <= r * Z.min y (B - 1) + r * z.
Proof. intros Hr Hx Hz. rewrite <- Z.mul_add_distr_l. apply Z.mul_le_mono_nonneg_l; lia. Qed.

Lemma bounded_arrival r e a b o w a' o' sent best : 0 <= r -> 0 <= e ->
  within_potential r e a b o w sent best ->
  a' = a + 1 \/ (a' = a /\ (r + e) * B <= (r + 2 * e) * (a + b) /\ r * (B - 1) <= (r + 2 * e) * a) ->
  o' = o \/ (o' = o + 1 /\ o + w < B) -> within_potential r e a' b o' w sent best.
Proof.
  unfold within_potential. intros Hr He (H0 & H1 & H2 & H3) Hx Hy.
  assert (M : r * Z.min (o + 1) (B - 1) <= r * (B - 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (M1 : r * Z.min (o + 1) (B - 1) <= r * Z.min o (B - 1) + r * 1) by (apply scaled_min; lia).
  destruct Hx as [->|(-> & Hf & Hg)]; destruct Hy as [->|[-> Hroom]]; repeat split; try lia.
  assert (S : (r + e) * (o + 1 + w) <= (r + e) * B) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

Lemma at_least r x : 0 <= r -> 0 < x -> r <= r * x.
Proof. intros Hr Hx. rewrite <- (Z.mul_1_r r) at 1. apply Z.mul_le_mono_nonneg_l; lia. Qed.

(** The bound on one queue after departures; that on the other follows by symmetry. *)
Lemma bounded_departures_one r e a b o w sent best : 0 <= r -> 0 <= e -> 0 < B ->
  0 <= a -> 0 <= b -> 0 <= o -> 0 <= w -> o + w <= B -> within_potential r e a b o w sent best ->
  let D := (r + e) * (best + port_sends o + port_sends w) - (r + 2 * e) * (sent + port_sends a + port_sends b) in
  D <= 0 /\ D + (r + e) * (after_slot o + after_slot w) <= (r + 2 * e) * (after_slot a + after_slot b) /\
  D + r * Z.min (after_slot o) (B - 1) <= (r + 2 * e) * after_slot a.
Proof.
  unfold within_potential. intros Hr He HB Ha Hb Ho Hw HW (H0 & H1 & H2 & H3).
  assert (Po : 0 < o -> r <= r * o /\ e <= e * o) by (intros H; split; apply at_least; lia).
  assert (Pw : 0 < w -> r <= r * w /\ e <= e * w) by (intros H; split; apply at_least; lia).
  assert (Mo : Z.min o (B - 1) = o \/ (Z.min o (B - 1) = o - 1 /\ w = 0 /\ o = B)) by lia.
  assert (Mw : Z.min w (B - 1) = w \/ (Z.min w (B - 1) = w - 1 /\ o = 0 /\ w = B)) by lia.
  assert (Ml : Z.min (after_slot o) (B - 1) = after_slot o) by (unfold after_slot; lia). rewrite Ml. clear Ml.
  unfold port_sends, after_slot.
  destruct (Z.ltb_spec 0 o) as [Lo|Lo]; [destruct (Po Lo); rewrite (Z.max_r 0 (o - 1)) by lia|assert (o = 0) by lia; subst o];
  (destruct (Z.ltb_spec 0 w) as [Lw|Lw]; [destruct (Pw Lw); rewrite (Z.max_r 0 (w - 1)) by lia|assert (w = 0) by lia; subst w]);
  (destruct (Z.ltb_spec 0 a) as [La|La]; [rewrite (Z.max_r 0 (a - 1)) by lia|assert (a = 0) by lia; subst a]);
  (destruct (Z.ltb_spec 0 b) as [Lb|Lb]; [rewrite (Z.max_r 0 (b - 1)) by lia|assert (b = 0) by lia; subst b]);
  rewrite ?(Z.max_l 0 (0 - 1)) by lia;
  (destruct Mo as [Mo|(Mo & ? & ?)]; [rewrite Mo in H2|try lia; try (rewrite Mo in H2)]);
  (destruct Mw as [Mw|(Mw & ? & ?)]; [rewrite Mw in H3|try lia; try (rewrite Mw in H3)]);
  cbv zeta; repeat split; lia.
Qed.

Lemma bounded_departures r e a b o w sent best : 0 <= r -> 0 <= e -> 0 < B ->
  0 <= a -> 0 <= b -> 0 <= o -> 0 <= w -> o + w <= B -> within_potential r e a b o w sent best ->
  within_potential r e (after_slot a) (after_slot b) (after_slot o) (after_slot w) (sent + port_sends a + port_sends b) (best + port_sends o + port_sends w).
Proof.
  intros Hr He HB Ha Hb Ho Hw HW H.
  destruct (bounded_departures_one r e a b o w sent best) as (D0 & D1 & D2); auto.
  destruct (bounded_departures_one r e b a w o sent best) as (_ & _ & D3); auto; [lia|apply bounded_swap; auto|].
  unfold within_potential. cbv zeta in *. repeat split; lia.
Qed.

Theorem two_ports P p q : 0 < q -> q <= p <= 2 * q -> 0 < B -> symmetric_kept P ->
  (forall x y, 0 <= x -> 0 <= y -> P x y -> refuses x y -> q * B <= p * (x + y) /\ (2 * q - p) * (B - 1) <= p * x) ->
  forall a b o w sent best, two_reached a b o w sent best ->
  q * best <= p * sent /\ q * (best + o + w) <= p * (sent + a + b).
Proof.
  intros Hq Hpq HB HP Hf.
  assert (E : exists r e, 0 <= r /\ 0 <= e /\ q = r + e /\ p = r + 2 * e) by (exists (2 * q - p), (p - q); lia).
  destruct E as (r & e & Hr & He & -> & ->). replace (2 * (r + e) - (r + 2 * e)) with r in Hf by lia.
  assert (Inv : forall a b o w sent best, two_reached a b o w sent best -> within_potential r e a b o w sent best).
  { intros a b o w sent best H.
    induction H as [|a b o w a' o' sent best H IH Hx Hy|a b o w b' w' sent best H IH Hx Hy|a b o w sent best H IH].
    - unfold within_potential. rewrite Z.min_l by lia. lia.
    - destruct (two_reached_keeps P HP _ _ _ _ _ _ H) as (A & A' & O & O' & W & Hp).
      apply (bounded_arrival r e a b o w); auto.
      destruct Hx as [[-> _]|[-> Hx]]; [auto|right]. destruct (Hf a b A A' Hp Hx). auto.
    - destruct (two_reached_keeps P HP _ _ _ _ _ _ H) as (A & A' & O & O' & W & Hp).
      apply bounded_swap. apply (bounded_arrival r e b a w o); auto using bounded_swap.
      + destruct Hx as [[-> _]|[-> Hx]]; [auto|right].
        destruct HP as (_ & Hs & _). destruct (Hf b a A' A (Hs a b A A' Hp) Hx). auto.
      + destruct Hy as [->|[-> ?]]; [auto|right; split; [auto|lia]].
    - destruct (two_reached_keeps P HP _ _ _ _ _ _ H) as (A & A' & O & O' & W & _).
      apply bounded_departures; auto. apply W; lia. }
  intros a b o w sent best H. destruct (Inv a b o w sent best H) as (H0 & H1 & _). cbv zeta in *. lia.
Qed.

Lemma two_reached_equal a b o w sent best a' b' o' w' sent' best' : two_reached a b o w sent best ->
  a = a' -> b = b' -> o = o' -> w = w' -> sent = sent' -> best = best' -> two_reached a' b' o' w' sent' best'.
Proof. intros. subst. assumption. Qed.

(** A burst of B packets at one port, of which the policy admits K *)
Lemma one_burst K : 0 <= K <= B -> (forall x, 0 <= x < K -> admits x 0) -> refuses K 0 -> two_reached 0 0 0 0 K B.
Proof.
  intros HK Ha Hr.
  assert (Up : forall n, 0 <= n -> n <= B -> two_reached (Z.min n K) 0 n 0 0 0).
  { apply (natlike_ind (fun n => n <= B -> two_reached (Z.min n K) 0 n 0 0 0)).
    - intros _. rewrite Z.min_l by lia. apply two_reached_start.
    - intros n Hn IH Hle. apply (two_reached_first (Z.min n K) 0 n 0); [apply IH; lia| |right; lia].
      destruct (Z.lt_ge_cases n K); [left|right].
      + rewrite !Z.min_l by lia. split; [lia|apply Ha; lia].
      + rewrite !Z.min_r by lia. auto. }
  assert (Down : forall n, 0 <= n -> n <= B -> two_reached (Z.max 0 (K - n)) 0 (B - n) 0 (Z.min n K) n).
  { apply (natlike_ind (fun n => n <= B -> two_reached (Z.max 0 (K - n)) 0 (B - n) 0 (Z.min n K) n)).
    - intros HB. apply (two_reached_equal _ _ _ _ _ _ _ _ _ _ _ _ (Up B ltac:(lia) ltac:(lia))); lia.
    - intros n Hn IH Hle. assert (H : two_reached (Z.max 0 (K - n)) 0 (B - n) 0 (Z.min n K) n) by (apply IH; lia).
      apply two_reached_departures in H. apply (two_reached_equal _ _ _ _ _ _ _ _ _ _ _ _ H); unfold port_sends, after_slot;
        repeat match goal with |- context [Z.ltb ?x ?y] => destruct (Z.ltb_spec x y) end; lia. }
  apply (two_reached_equal _ _ _ _ _ _ _ _ _ _ _ _ (Down B ltac:(lia) ltac:(lia))); lia.
Qed.

End TwoPorts.

(** ** Instances. A ratio is exact if it is a bound and one burst attains it. *)

Definition competitive (B : Z) (admits refuses : Z -> Z -> Prop) (p q : Z) : Prop :=
  forall a b o w sent best, two_reached B admits refuses a b o w sent best ->
  q * best <= p * sent /\ q * (best + o + w) <= p * (sent + a + b).

Definition exactly (B : Z) (admits refuses : Z -> Z -> Prop) (p q : Z) : Prop :=
  competitive B admits refuses p q /\ two_reached B admits refuses 0 0 0 0 q p.

(** DT with alpha = u / v: x < alpha (B - x - y) *)
Definition dt_admits (u v B x y : Z) : Prop := v * x < u * (B - x - y).
Definition dt_refuses (u v B x y : Z) : Prop := u * (B - x - y) <= v * x.

(** K = ceil(alpha B / (1 + alpha)) is the integer with alpha B / (1 + alpha) <= K < alpha B / (1 + alpha) + 1. *)
Theorem dt_two_ports u v B K : 0 < u <= v -> 0 < B -> u * B <= (u + v) * K < u * B + (u + v) ->
  exactly B (dt_admits u v B) (dt_refuses u v B) B K.
Proof.
  intros Hu HB HK. assert (HK0 : 0 < K) by nia. assert (HKB : K <= B) by nia.
  assert (Half : 2 * K <= B + 1) by nia.
  split.
  - set (P := fun x y : Z => x <= K /\ y <= K).
    assert (HP : symmetric_kept (dt_admits u v B) P).
    { unfold symmetric_kept, P, dt_admits, after_slot. repeat split; intros; try lia. nia. }
    assert (Sum : forall x y, 0 <= x -> 0 <= y -> dt_refuses u v B x y -> K <= x + y) by (unfold dt_refuses; intros; nia).
    destruct (Z.le_gt_cases (2 * K) B) as [Hs|Hs].
    + (* B / K is at least 2: the second condition is empty for the bound 2, and B / K is weaker still *)
      intros a b o w sent best H.
      assert (G : forall a b o w sent best, two_reached B (dt_admits u v B) (dt_refuses u v B) a b o w sent best ->
        (0 <= a /\ 0 <= b /\ 0 <= o /\ 0 <= w) /\ K * best <= B * sent /\ K * (best + o + w) <= B * (sent + a + b)).
      { clear a b o w sent best H.
        induction 1 as [|a b o w a' o' sent best H IH Hx Hy|a b o w b' w' sent best H IH Hx Hy|a b o w sent best H IH].
        - lia.
        - destruct IH as ((A & A' & O & O') & I0 & I1). split; [destruct Hx as [[]|[]]; destruct Hy as [|[]]; lia|]. split; [exact I0|].
          destruct Hx as [[-> _]|[-> Hf]]; destruct Hy as [->|[-> Hroom]]; try nia. specialize (Sum a b A A' Hf).
          assert (K * (o + 1 + w) <= K * B) by (apply Z.mul_le_mono_nonneg_l; lia).
          assert (B * K <= B * (a + b)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
        - destruct IH as ((A & A' & O & O') & I0 & I1). split; [destruct Hx as [[]|[]]; destruct Hy as [|[]]; lia|]. split; [exact I0|].
          destruct Hx as [[-> _]|[-> Hf]]; destruct Hy as [->|[-> Hroom]]; try nia. specialize (Sum b a A' A Hf).
          assert (K * (o + (w + 1)) <= K * B) by (apply Z.mul_le_mono_nonneg_l; lia).
          assert (B * K <= B * (a + b)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
        - destruct IH as ((A & A' & O & O') & I0 & I1).
          destruct (port_sends_after_slot a A) as (Ea & Ba & La & Za), (port_sends_after_slot b A') as (Eb & Bb & Lb & Zb),
            (port_sends_after_slot o O) as (Eo & Bo & Lo & Zo), (port_sends_after_slot w O') as (Ew & Bw & Lw & Zw).
          rewrite Ea, Eb, Eo, Ew. split; [lia|]. split; [|lia].
          destruct (Z.eq_dec (port_sends a + port_sends b) 0) as [E|E].
          + rewrite (Za ltac:(lia)), (Zb ltac:(lia)) in *. change (port_sends 0) with 0. nia.
          + assert (K * (port_sends o + port_sends w) <= K * 2) by (apply Z.mul_le_mono_nonneg_l; lia).
            assert (B * 1 <= B * (port_sends a + port_sends b)) by (apply Z.mul_le_mono_nonneg_l; lia). lia. }
      apply G. exact H.
    + intros a b o w sent best. apply (two_ports B _ _ P); auto; try lia.
      unfold P. intros x y Hx Hy [Px Py] Hf. split; [specialize (Sum x y Hx Hy Hf); nia|].
      assert (E : 2 * K = B + 1) by lia. replace (2 * K - B) with 1 by lia.
      assert (0 < x \/ B = 1); [|nia].
      destruct (Z.eq_dec x 0) as [->|]; [right|left; lia]. unfold dt_refuses in Hf. nia.
  - apply one_burst; try lia; unfold dt_admits, dt_refuses; intros; nia.
Qed.

(** Harmonic, N = 2: no queue above K = floor(2 B / 3), and room *)
Definition harmonic_admits (B x y : Z) : Prop := 3 * (x + 1) <= 2 * B /\ x + y < B.
Definition harmonic_refuses (B x y : Z) : Prop := 2 * B < 3 * (x + 1) \/ B <= x + y.

Theorem harmonic_two_ports B K : 2 <= B -> 3 * K <= 2 * B < 3 * K + 3 ->
  exactly B (harmonic_admits B) (harmonic_refuses B) B K.
Proof.
  intros HB HK. split.
  - intros a b o w sent best. apply (two_ports B _ _ (fun x y => x <= K /\ y <= K /\ x + y <= B)); try lia.
    + unfold symmetric_kept, harmonic_admits, after_slot. repeat split; intros; lia.
    + unfold harmonic_refuses. intros x y Hx Hy (Px & Py & Pxy) Hf.
      assert (K <= x + y) by lia. assert (2 * K - B <= x) by lia. split; [nia|].
      assert (0 <= 2 * K - B) by lia. nia.
  - apply one_burst; unfold harmonic_admits, harmonic_refuses; intros; lia.
Qed.

(** Room, and x below m = floor(B / 3) or x + y below ceil(2 B / 3) = B - m *)
Definition thirds_admits (B m x y : Z) : Prop := x + y < B /\ (x < m \/ x + y < B - m).
Definition thirds_refuses (B m x y : Z) : Prop := B <= x + y \/ (m <= x /\ B - m <= x + y).

Theorem thirds_two_ports B m : 2 <= B -> 3 * m <= B < 3 * m + 3 ->
  (B <> 3 * m + 2 -> competitive B (thirds_admits B m) (thirds_refuses B m) 3 2) /\
  (B = 3 * m + 2 -> competitive B (thirds_admits B m) (thirds_refuses B m) (6 * B - 6) (4 * B - 5)).
Proof.
  intros HB Hm.
  assert (HP : symmetric_kept (thirds_admits B m) (fun x y => x <= B - m /\ y <= B - m /\ x + y <= B))
    by (unfold symmetric_kept, thirds_admits, after_slot; repeat split; intros; lia).
  assert (HR : forall x y, 0 <= x -> 0 <= y -> x <= B - m /\ y <= B - m /\ x + y <= B -> thirds_refuses B m x y ->
    m <= x /\ B - m <= x + y) by (unfold thirds_refuses; intros; lia).
  split; intros Hc a b o w sent best.
  - apply (two_ports B _ _ _ 3 2 ltac:(lia) ltac:(lia) ltac:(lia) HP).
    intros x y Hx Hy HPxy Hf. destruct (HR x y Hx Hy HPxy Hf). lia.
  - apply (two_ports B _ _ _ (6 * B - 6) (4 * B - 5) ltac:(lia) ltac:(lia) ltac:(lia) HP).
    intros x y Hx Hy HPxy Hf. destruct (HR x y Hx Hy HPxy Hf). subst B. split; nia.
Qed.
