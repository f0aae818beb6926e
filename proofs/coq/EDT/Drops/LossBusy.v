(** Bytes lost by queues that are offered more than they send, whatever the others do: unequal flows, fast or slow, under DT.

      [lost_balance]   what a queue that always sends has lost: what came, less what was sent and what it holds more;
      [lost_busy]      within the distance from the steady state of what it loses in the steady state;
      [lost_settled]   and exactly that once the switch has settled.                                                          *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence ThresholdRule GuaranteesReserve LossBounds ScenarioSettling.
Open Scope R_scope.

Section Busy.
Variables (sw : switch) (Ar Q D : nat -> R -> R) (s tau : R) (i : nat) (A L : R -> R).
Hypotheses (own : (i < ports sw)%nat) (moves : trajectory sw Ar s tau Q D).
Hypothesis comes : forall t, s <= t < tau -> right_derivative A t (Ar i t).
Hypotheses (comes_continuous : continuous_on A s tau) (loss : loses sw Ar Q D i s tau L).

(** A queue that is never offered less than it sends. *)
Theorem lost_balance t : (forall u, s <= u < tau -> service sw i <= Ar i u) -> s <= t <= tau ->
  L t = Q i s + (A t - A s) - service sw i * (t - s) - Q i t.
Proof.
  intros Hb Ht. set (f := fun u => L u + Q i u - A u + service sw i * u).
  assert (C : continuous_on f s t).
  { apply (continuous_sub s tau); [lra|lra|]. unfold f. apply continuous_plus; [apply continuous_minus; [apply continuous_plus|auto]|].
    - apply (lost_continuous _ _ _ _ _ _ _ _ loss).
    - apply (length_continuous _ _ _ _ _ _ moves); auto.
    - apply continuous_ext with (fun u => service sw i * u + 0); [intros; ring|apply continuous_linear]. }
  assert (Z : forall u, s <= u < t -> right_derivative f u 0).
  { intros u Hu. eapply rd_eq.
    - unfold f. apply rd_plus; [apply rd_minus; [apply rd_plus|apply comes; lra]|].
      + apply (lost_slope _ _ _ _ _ _ _ _ loss). lra.
      + apply (length_slope _ _ _ _ _ _ moves); auto; lra.
      + apply rd_affine with (l := service sw i). exists 1. split; [lra|]. intros. ring.
    - unfold rejected, highest. specialize (Hb u ltac:(lra)). destruct (Rlt_dec 0 (Q i u)); [|rewrite Rmax_right by lra]; ring. }
  assert (Dn : f t <= f s) by (apply (nonincreasing s t f (fun _ => 0)); [lra|auto|intros u Hu; split; [apply Z; auto|lra]]).
  assert (Up : - f t <= - f s).
  { apply (nonincreasing s t (fun u => - f u) (fun _ => - 0)); [lra|apply continuous_opp; auto|]. intros u Hu. split; [apply rd_opp, Z; auto|lra]. }
  unfold f in Dn, Up. rewrite (lost_nothing _ _ _ _ _ _ _ _ loss) in Dn, Up. lra.
Qed.

Variables (busy : nat -> bool) (delta : R).
Hypothesis delta_pos : 0 < delta.
Hypothesis kinds : forall j, (j < ports sw)%nat -> 0 <= gain sw j /\ delta <= service sw j.
Hypothesis fits : forall j, (j < ports sw)%nat -> 0 <= rests sw busy (free_at_rest sw busy) j.
Hypothesis offered : forall j t, (j < ports sw)%nat -> s <= t < tau -> if busy j then service sw j + delta <= Ar j t else 0 <= Ar j t <= service sw j - delta.
Hypothesis it_is : busy i = true.
Notation rest := (offset sw i + gain sw i * free_at_rest sw busy).

Lemma never_less u : s <= u < tau -> service sw i <= Ar i u.
Proof. intros Hu. specialize (offered i u own Hu). rewrite it_is in offered. lra. Qed.

Lemma rests_at : rests sw busy (free_at_rest sw busy) i = rest.
Proof. unfold rests. rewrite it_is. reflexivity. Qed.

Theorem lost_busy t : s <= t <= tau ->
  Rabs (L t - (Q i s + (A t - A s) - service sw i * (t - s) - rest)) <= Rmax 0 (off sw busy Q s - 2 * delta * (t - s)).
Proof.
  intros Ht. rewrite (lost_balance t never_less Ht). apply Rle_trans with (off sw busy Q t).
  - replace (Q i s + (A t - A s) - service sw i * (t - s) - Q i t - (Q i s + (A t - A s) - service sw i * (t - s) - rest)) with (- (Q i t - rest)) by ring.
    rewrite Rabs_Ropp, <- rests_at. unfold off.
    assert (S := sum_term_le (ports sw) (fun j => Rabs (Q j t - rests sw busy (free_at_rest sw busy) j)) i ltac:(intros; apply Rabs_pos) own).
    cbv beta in S. assert (P := Rabs_pos (free sw Q t - free_at_rest sw busy)). lra.
  - apply (settles sw busy delta s tau Ar Q D); auto; lra.
Qed.

Theorem lost_settled t : s <= t <= tau -> off sw busy Q s <= 2 * delta * (t - s) ->
  L t = Q i s + (A t - A s) - service sw i * (t - s) - rest.
Proof.
  intros Ht H. rewrite (lost_balance t never_less Ht). destruct (settled sw busy delta s tau Ar Q D) with (t := t) as [_ K]; auto; try lra.
  rewrite (K i own), rests_at. reflexivity.
Qed.

End Busy.

(** Two bursts of rates 4 and 2 to an empty switch of two ports of rate 1, B = 6: the first one is fast. By 4 it has lost 10 bytes. *)
Theorem lost_busy_instance : let sw := dt_switch 2 1 6 1 in let r := fun i : nat => if Nat.eq_dec i 0 then 4 else 2 in
  exists Q D L, trajectory sw (fun i _ => r i) 0 4 Q D /\ (forall i, (i < 2)%nat -> Q i 0 = 0) /\
  loses sw (fun i _ => r i) Q D 0 0 4 L /\ off sw (fun _ => true) Q 0 = 8 /\ L 4 = 10.
Proof.
  intros sw r. destruct (fluid_exists sw (fun i _ => r i) 0 4 (fun _ => 0)) as (Q & D & T & E).
  { split; intros; simpl; [lra|]. unfold r. destruct (Nat.eq_dec i 0); lra. }
  { exists 1%nat, (fun k => 4 * INR k). simpl. repeat split; intros; try lra. assert (k = 0%nat) by lia. subst k. simpl. lra. }
  { intros; lra. }
  assert (Fr : free_at_rest sw (fun _ => true) = 2) by (unfold free_at_rest; simpl; field).
  assert (Off : off sw (fun _ => true) Q 0 = 8).
  { unfold off, free, rests. rewrite Fr. simpl. rewrite (E 0%nat), (E 1%nat) by (simpl; lia). rewrite Rabs_right, Rabs_left by lra. lra. }
  set (L := fun t => (3 * t + 0) - Q 0%nat t).
  assert (Loss : loses sw (fun i _ => r i) Q D 0 0 4 L).
  { split.
    - unfold L. rewrite (E 0%nat) by (simpl; lia). lra.
    - unfold L. apply continuous_minus; [apply continuous_linear|apply (length_continuous _ _ _ _ _ _ T); simpl; lia].
    - intros t Ht. eapply rd_eq; [unfold L; apply rd_minus; [apply rd_linear|apply (length_slope _ _ _ _ _ _ T); [simpl; lia|auto]]|].
      unfold rejected, highest, r. simpl. destruct (Rlt_dec 0 (Q 0%nat t)); [|rewrite Rmax_right by lra]; lra. }
  exists Q, D, L. split; [exact T|]. split; [intros i Hi; apply E; exact Hi|]. split; [exact Loss|]. split; [exact Off|].
  rewrite (lost_settled sw (fun i _ => r i) Q D 0 4 0 (fun t => 4 * t + 0) L ltac:(simpl; lia) T) with (busy := fun _ => true) (delta := 1); auto.
  - rewrite Fr, (E 0%nat) by (simpl; lia). simpl. lra.
  - intros t _. apply rd_linear.
  - apply continuous_linear.
  - lra.
  - intros j _. simpl. lra.
  - intros j _. unfold rests. rewrite Fr. simpl. lra.
  - intros j t _ _. simpl. unfold r. destruct (Nat.eq_dec j 0); lra.
  - lra.
  - rewrite Off. lra.
Qed.
