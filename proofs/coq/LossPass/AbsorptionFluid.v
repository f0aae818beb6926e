(** LossPass paper, Sections 3.2.1 and 3.3, in the fluid limit: a burst that takes time; the share of large bytes. *)
Require Import Reals Lra Lia.
Open Scope R_scope.

(** losspass.ours.burst-service, fluid: the small queue grows at R - C under strict priority, so mu bytes of room last
    until t = mu/(R - C), when mu R/(R - C) bytes have arrived. The count in packets, k = m + ceil(m/(r - 1)) - 1 of
    size a for mu = m a and R = r C, differs from that by at most one packet: it is its limit for a to 0. *)
Theorem losspass_burst_fluid C Rate mu t : 0 < C < Rate -> (Rate - C) * t = mu ->
  Rate * t = mu * Rate / (Rate - C) /\
  forall (r m : nat) a, (2 <= r)%nat -> (1 <= m)%nat -> 0 < a -> mu = INR m * a -> Rate = INR r * C ->
    let k := (m + (m + (r - 1) - 1) / (r - 1) - 1)%nat in
    mu * Rate / (Rate - C) - a <= INR k * a < mu * Rate / (Rate - C).
Proof.
  intros HC Ht. split; [rewrite <- Ht; field; lra|]. intros r m a Hr Hm Ha -> -> k.
  assert (B : ((r - 1) * k < m * r <= (r - 1) * (k + 1))%nat).
  { pose proof (Nat.div_mod (m + (r - 1) - 1) (r - 1) ltac:(lia)) as E.
    pose proof (Nat.mod_upper_bound (m + (r - 1) - 1) (r - 1) ltac:(lia)) as M.
    unfold k. set (c := ((m + (r - 1) - 1) / (r - 1))%nat) in *. set (x := ((m + (r - 1) - 1) mod (r - 1))%nat) in *.
    assert (Hd : exists d, r = S d /\ (1 <= d)%nat) by (exists (r - 1)%nat; lia). destruct Hd as (d & Ed & Hd).
    assert (Hc : exists e, c = S e) by (exists (c - 1)%nat; nia). destruct Hc as (e & Ee).
    clearbody c x. subst r c. replace (S d - 1)%nat with d in * by lia.
      replace (m + S e - 1)%nat with (m + e)%nat by lia.
    split; nia. }
  destruct B as [B1 B2]. apply lt_INR in B1. apply le_INR in B2. rewrite !mult_INR in *.
  rewrite plus_INR, minus_INR in B2 by lia. rewrite minus_INR in B1 by lia. simpl INR in B1, B2.
  assert (Hr' : 1 < INR r) by (apply (lt_INR 1); lia).
  replace (INR m * a * (INR r * C) / (INR r * C - C)) with (INR m * INR r * a / (INR r - 1)) by (field; split; nra).
  assert (F : INR m * INR r * a / (INR r - 1) * (INR r - 1) = INR m * INR r * a) by (field; lra).
  split; apply Rnot_lt_le || apply Rnot_le_lt; intros K.
  - apply (Rmult_lt_compat_r (INR r - 1)) in K; [|lra]. rewrite Rmult_minus_distr_r, F in K.
    apply (Rmult_le_compat_r a) in B2; [|lra]. lra.
  - apply (Rmult_le_compat_r (INR r - 1)) in K; [|lra]. rewrite F in K.
    apply (Rmult_lt_compat_r a) in B1; [|lra]. lra.
Qed.

(** losspass.ours.largest-share: if the first T bytes of every flow count as small, the share of large bytes is at
    most 1 - T P(S > T)/E[S]; E is the expectation over any distribution of flow sizes S >= 0: monotone and linear. *)
Theorem losspass_largest_share (E : (R -> R) -> R) T :
  (forall f g, (forall S, 0 <= S -> f S <= g S) -> E f <= E g) ->
  (forall k f, E (fun S => k * f S) = k * E f) -> (forall f g, E (fun S => f S - g S) = E f - E g) ->
  0 <= T -> 0 < E (fun S => S) ->
  E (fun S => S - Rmin S T) / E (fun S => S) <= 1 - T * E (fun S => if Rlt_dec T S then 1 else 0) / E (fun S => S).
Proof.
  intros Hm Hs Hd HT HE. rewrite Hd.
  assert (P : T * E (fun S => if Rlt_dec T S then 1 else 0) <= E (fun S => Rmin S T)).
  { rewrite <- Hs. apply Hm. intros S HS. destruct (Rlt_dec T S); [rewrite Rmin_right; lra|].
    rewrite Rmin_left; lra. }
  replace (1 - T * E (fun S => if Rlt_dec T S then 1 else 0) / E (fun S => S))
    with ((E (fun S => S) - T * E (fun S => if Rlt_dec T S then 1 else 0)) / E (fun S => S)) by (field; lra).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, HE|lra].
Qed.

(** The hypotheses can hold: the mean over a flow of one byte and one of three. *)
Theorem losspass_fluid_instance : let E := fun f : R -> R => (f 1 + f 3) / 2 in
  (forall f g, (forall S, 0 <= S -> f S <= g S) -> E f <= E g) /\
  (forall k f, E (fun S => k * f S) = k * E f) /\ (forall f g, E (fun S => f S - g S) = E f - E g) /\
  0 < E (fun S => S) /\ (4 - 1) * 1 = 3.
Proof.
  intros E. unfold E. repeat split; intros; try lra. pose proof (H 1 ltac:(lra)). pose proof (H 3 ltac:(lra)). lra.
Qed.
