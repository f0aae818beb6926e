(** Packets of p bytes beside the fluid: how far apart they can be, for ever.

      [offsets_within]   a switch whose thresholds are off by at most eps bytes;
      [packets_nearly]   one that takes or refuses whole packets when they are complete follows the rule to within some packets;
      [packets_within]   so its lengths stay within so many packets of the trajectory.                                       *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence Nearly.
Open Scope R_scope.

(** ** Thresholds that are off *)

Theorem offsets_within n w o o' c B Ar eps s tau a Q D P V :
  0 <= eps -> 0 <= a -> (forall i, (i < n)%nat -> w i <= a /\ Rabs (o' i - o i) <= eps) -> sane (Switch n w o c B) Ar s tau ->
  trajectory (Switch n w o c B) Ar s tau Q D -> trajectory (Switch n w o' c B) Ar s tau P V ->
  (forall i, (i < n)%nat -> P i s = Q i s) ->
  forall t i, s <= t <= tau -> (i < n)%nat -> Rabs (P i t - Q i t) <= eps * (2 * (1 + a) ^ (half_up n - 1) - 1).
Proof.
  intros He Ha Hw Hs H H' Same. apply (nearly_within (Switch n w o c B) Ar eps s tau a Q D P V); auto; [intros i Hi; apply (Hw i Hi)|].
  destruct (trajectory_nearly (Switch n w o' c B) Ar eps s tau P V He Hs H') as [N1 N2 N3 N4]. split; auto.
  intros i t Hi Ht. simpl in Hi. destruct (Hw i Hi) as [_ E]. apply abs_within in E. destruct Hs as [Hg H0]. destruct (Hg i Hi) as [_ Sv]. specialize (H0 i t Hi Ht).
  assert (Rule := length_rule _ _ _ _ _ _ H' i t Hi Ht). assert (Bd := rate_bounds _ _ _ _ _ _ H0 Rule).
  destruct (N4 i t Hi Ht) as (V1 & V2 & _ & _). destruct Rule as (R1 & R2 & _).
  assert (T : threshold (Switch n w o' c B) P i t = threshold (Switch n w o c B) P i t + (o' i - o i)) by (unfold threshold; change (free (Switch n w o' c B) P t) with (free (Switch n w o c B) P t); simpl; ring).
  rewrite T in R1, R2. split; [auto|]. split; [auto|]. split.
  - intros K1 K2. rewrite R2 by lra. unfold lowest. destruct (Rlt_dec 0 (P i t)); simpl; lra.
  - intros K. rewrite R1 by lra. unfold highest. destruct (Rlt_dec 0 (P i t)); [apply Rle_refl|apply Rmax_r].
Qed.

(** ** Whole packets *)

(** P i t are the bytes of queue i that have come, of packets that are admitted, and have not been sent; q i t those of packets
    that have come as a whole and have not been sent as a whole.  A queue sends at [service] while q i t > 0.  A packet that is
    coming at t is complete at an instant c, within [wait]; then it is admitted or refused as a whole, by lengths that the
    packets seen then have, which are within p of P: all bytes of an admitted packet, and none of a refused one, are in P. *)
Record in_packets (sw : switch) (Ar : nat -> R -> R) (p room wait s tau later : R) (P V q : nat -> R -> R) : Prop := {
  packets_later : tau <= later;
  packets_nonneg : forall i t, (i < ports sw)%nat -> s <= t <= tau -> 0 <= P i t;
  packets_continuous : forall i, (i < ports sw)%nat -> continuous_on (P i) s later;
  packets_slope : forall i t, (i < ports sw)%nat -> s <= t < later -> right_derivative (P i) t (V i t);
  packets_whole : forall i t, (i < ports sw)%nat -> s <= t < tau -> 0 <= q i t /\ Rabs (P i t - q i t) <= p;
  packets_sent : forall i t, (i < ports sw)%nat -> s <= t < later ->
    - service sw i <= V i t <= Ar i t /\ (0 < q i t -> V i t <= Ar i t - service sw i);
  packets_fate : forall i t, (i < ports sw)%nat -> s <= t < tau -> 0 < Ar i t -> exists c seen,
    t < c <= t + wait /\ c <= later /\ (forall j, (j < ports sw)%nat -> Rabs (seen j - P j c) <= p) /\
    let least := offset sw i + gain sw i * (buffer sw - sum (ports sw) seen) in
    (seen i <= least /\ forall u, t <= u < c -> Ar i u - service sw i <= V i u) \/
    (least <= seen i + room /\ forall u, t <= u < c -> V i u <= 0 /\ (0 < q i u -> V i u <= - service sw i))
}.

(** Within how many bytes the rule is followed: n queues of weights of at most a, offered at most r, of packets that come within [wait]. *)
Definition packet_slack (n : nat) (a p room wait r : R) : R := (1 + a * INR n) * (p + r * wait) + room.

Theorem packets_nearly sw Ar p room wait r s tau later a P V q :
  0 <= p -> 0 <= room -> 0 <= wait -> 0 <= a -> (forall i, (i < ports sw)%nat -> 0 <= gain sw i <= a /\ 0 <= service sw i <= r) ->
  (forall i t, (i < ports sw)%nat -> s <= t < later -> 0 <= Ar i t <= r) ->
  in_packets sw Ar p room wait s tau later P V q -> nearly sw Ar (packet_slack (ports sw) a p room wait r) s tau P V.
Proof.
  intros Hp Hr Hw Ha Hg HA H. assert (Lt := packets_later _ _ _ _ _ _ _ _ _ _ _ H). split.
  { apply (packets_nonneg _ _ _ _ _ _ _ _ _ _ _ H). }
  { intros i Hi. apply (continuous_sub s later); [lra|lra|]. apply (packets_continuous _ _ _ _ _ _ _ _ _ _ _ H); auto. }
  { intros i t Hi Ht. apply (packets_slope _ _ _ _ _ _ _ _ _ _ _ H); auto; lra. }
  intros i t Hi Ht. destruct (Hg i Hi) as [G S]. assert (A0 := HA i t Hi ltac:(lra)). destruct (packets_whole _ _ _ _ _ _ _ _ _ _ _ H i t Hi Ht) as [q0 W].
  apply abs_within in W. destruct (packets_sent _ _ _ _ _ _ _ _ _ _ _ H i t Hi ltac:(lra)) as [[S1 S2] S3]. assert (N := pos_INR (ports sw)).
  set (X := p + r * wait). assert (r0 : 0 <= r * wait) by (apply Rmult_le_pos; lra).
  assert (aN : 0 <= a * INR (ports sw)) by (apply Rmult_le_pos; auto). unfold packet_slack. fold X.
  assert (aX : 0 <= a * INR (ports sw) * X) by (apply Rmult_le_pos; unfold X; lra).
  assert (Big : p <= (1 + a * INR (ports sw)) * X + room) by (unfold X in *; lra).
  assert (Sends : (1 + a * INR (ports sw)) * X + room < P i t -> 0 < q i t) by (intros; lra).
  split; [auto|]. split; [intros K; apply S3, Sends, K|].
  destruct (Req_dec (Ar i t) 0) as [Z|NZ].
  { split; [intros K _; specialize (S3 (Sends K)); lra|intros _; lra]. }
  destruct (packets_fate _ _ _ _ _ _ _ _ _ _ _ H i t Hi Ht ltac:(lra)) as (c & seen & Hc & Hct & Near & Fate). cbv zeta in Fate.
  assert (rw : r * (c - t) <= r * wait) by (apply Rmult_le_compat_l; lra).
  (* what queues change by between t and c *)
  assert (Change : forall j, (j < ports sw)%nat -> - (r * wait) <= P j c - P j t <= r * wait).
  { intros j Hj. assert (Line : forall k, (forall u, t <= u < c -> - r <= k * V j u <= r) -> k * P j c - k * P j t <= r * (c - t)).
    { intros k Hk. assert (k * P j c - r * c <= k * P j t - r * t); [|lra].
      apply (nonincreasing t c (fun u => k * P j u - r * u) (fun u => k * V j u - r)); [lra| |].
      - apply continuous_minus; [apply continuous_scal; apply (continuous_sub s later); [lra|lra|apply (packets_continuous _ _ _ _ _ _ _ _ _ _ _ H); auto]|].
        apply continuous_ext with (fun u => r * u + 0); [intros; ring|apply continuous_linear].
      - intros u Hu. split; [|specialize (Hk u Hu); lra]. apply rd_minus; [apply rd_scal, (packets_slope _ _ _ _ _ _ _ _ _ _ _ H); auto; lra|].
        apply rd_ext with (fun w => r * w + 0); [exists 1; split; [lra|]; intros; ring|apply rd_linear]. }
    assert (Vb : forall u, t <= u < c -> - r <= V j u <= r).
    { intros u Hu. destruct (packets_sent _ _ _ _ _ _ _ _ _ _ _ H j u Hj ltac:(lra)) as [[K1 K2] _]. destruct (Hg j Hj) as [_ ?]. specialize (HA j u Hj ltac:(lra)). lra. }
    assert (L1 := Line 1 ltac:(intros u Hu; specialize (Vb u Hu); lra)). assert (L2 := Line (-1) ltac:(intros u Hu; specialize (Vb u Hu); lra)). lra. }
  assert (Total : - (INR (ports sw) * X) <= sum (ports sw) seen - sum (ports sw) (fun j => P j t) <= INR (ports sw) * X).
  { rewrite <- sum_minus, <- !sum_const. rewrite <- sum_opp. split; apply sum_le; intros j Hj; specialize (Near j Hj); apply abs_within in Near;
      specialize (Change j Hj); unfold X; lra. }
  set (Y := sum (ports sw) seen - sum (ports sw) (fun j => P j t)) in *.
  assert (GY : - (a * INR (ports sw) * X) <= gain sw i * Y <= a * INR (ports sw) * X).
  { assert (M : gain sw i * (INR (ports sw) * X) <= a * (INR (ports sw) * X)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos; unfold X; lra|lra]).
    split; [apply Rle_trans with (gain sw i * - (INR (ports sw) * X)); [lra|]|apply Rle_trans with (gain sw i * (INR (ports sw) * X)); [|lra]];
      apply Rmult_le_compat_l; lra. }
  assert (Least : offset sw i + gain sw i * (buffer sw - sum (ports sw) seen) = threshold sw P i t - gain sw i * Y) by (unfold threshold, free, Y; ring).
  rewrite Least in Fate. assert (Ni := Near i Hi). apply abs_within in Ni. assert (Ci := Change i Hi).
  destruct Fate as [[Adm Rule]|[Ref Rule]].
  - split; [intros _ K; exfalso; unfold X in *; lra|]. intros _. apply Rule. lra.
  - split; [intros K _; apply (Rule t ltac:(lra)), Sends, K|]. intros K. exfalso. unfold X in *. lra.
Qed.

Theorem packets_within sw Ar p room wait r s tau later a Q D P V q :
  0 <= p -> 0 <= room -> 0 <= wait -> 0 <= a -> (forall i, (i < ports sw)%nat -> 0 <= gain sw i <= a /\ 0 <= service sw i <= r) ->
  (forall i t, (i < ports sw)%nat -> s <= t < later -> 0 <= Ar i t <= r) ->
  trajectory sw Ar s tau Q D -> in_packets sw Ar p room wait s tau later P V q -> (forall i, (i < ports sw)%nat -> P i s = Q i s) ->
  forall t i, s <= t < tau -> (i < ports sw)%nat ->
    Rabs (q i t - Q i t) <= p + packet_slack (ports sw) a p room wait r * (2 * (1 + a) ^ (half_up (ports sw) - 1) - 1).
Proof.
  intros Hp Hr Hw Ha Hg HA H K Same t i Ht Hi.
  assert (r0 : 0 <= r * wait) by (destruct (Hg i Hi) as [_ S]; apply Rmult_le_pos; lra).
  assert (Slack : 0 <= packet_slack (ports sw) a p room wait r).
  { unfold packet_slack. assert (0 <= a * INR (ports sw)) by (apply Rmult_le_pos; [auto|apply pos_INR]). assert (0 <= (1 + a * INR (ports sw)) * (p + r * wait)) by (apply Rmult_le_pos; lra). lra. }
  assert (B := nearly_within sw Ar _ s tau a Q D P V Slack Ha ltac:(intros j Hj; apply (Hg j Hj))
    ltac:(split; [intros j Hj; destruct (Hg j Hj); lra|assert (Lt := packets_later _ _ _ _ _ _ _ _ _ _ _ K); intros j u Hj Hu; apply (HA j u Hj); lra])
    H (packets_nearly sw Ar p room wait r s tau later a P V q Hp Hr Hw Ha Hg HA K) Same t i ltac:(lra) Hi).
  destruct (packets_whole _ _ _ _ _ _ _ _ _ _ _ K i t Hi Ht) as [_ W].
  replace (q i t - Q i t) with (- (P i t - q i t) + (P i t - Q i t)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra.
Qed.

(** ** Instances *)

(** Two bursts of rate 3 to two ports of rate 1: the threshold of one is 1/2 too high, of the other 1/2 too low. *)
Theorem offsets_within_instance : exists Q D P V, let o' := fun i => if Nat.eq_dec i 0 then 1 / 2 else - (1 / 2) in
  sane (dt_switch 2 1 6 1) (fun _ _ => 3) 0 9 /\ (forall i, (i < 2)%nat -> Rabs (o' i - 0) = 1 / 2) /\
  trajectory (dt_switch 2 1 6 1) (fun _ _ => 3) 0 9 Q D /\
  trajectory (Switch 2 (fun _ => 1) o' (fun _ => 1) 6) (fun _ _ => 3) 0 9 P V /\ (forall i, (i < 2)%nat -> Q i 0 = 0 /\ P i 0 = 0).
Proof.
  set (o' := fun i => if Nat.eq_dec i 0 then 1 / 2 else - (1 / 2)).
  assert (Ex : forall o, exists Q D, trajectory (Switch 2 (fun _ => 1) o (fun _ => 1) 6) (fun _ _ => 3) 0 9 Q D /\ forall i, (i < 2)%nat -> Q i 0 = 0).
  { intros o. apply (fluid_exists (Switch 2 (fun _ => 1) o (fun _ => 1) 6) (fun _ _ => 3) 0 9 (fun _ => 0)); [split; simpl; intros; lra| |intros; lra].
    exists 1%nat, (fun k => 9 * INR k). simpl. repeat split; intros; try lra. assert (k = 0%nat) by lia. subst k. simpl. lra. }
  destruct (Ex (fun _ => 0)) as (Q & D & H & E). destruct (Ex o') as (P & V & H' & E').
  exists Q, D, P, V. split; [split; simpl; intros; lra|]. split; [|split; [exact H|split; [exact H'|intros i Hi; split; auto]]].
  intros i _. unfold o'. destruct (Nat.eq_dec i 0); [rewrite Rabs_right|rewrite Rabs_left]; lra.
Qed.

(** One packet of 1 byte that comes at rate 2 to a port of rate 1. *)
Theorem packets_within_instance : exists Q D P V q,
  let sw := dt_switch 1 1 6 1 in
  trajectory sw (fun _ _ => 2) 0 (1 / 2) Q D /\ in_packets sw (fun _ _ => 2) 1 0 (1 / 2) 0 (1 / 2) (1 / 2) P V q /\
  P 0%nat 0 = Q 0%nat 0 /\ P 0%nat (1 / 2) = 1 /\ Q 0%nat (1 / 2) = 1 / 2.
Proof.
  exists (fun _ t => 1 * t + 0), (fun _ _ => 1), (fun _ t => 2 * t + 0), (fun _ _ => 2), (fun _ _ => 0). cbv zeta.
  split; [|split; [|lra]].
  - split; simpl; intros; [lra|apply continuous_linear|apply rd_linear|].
    assert (Lo : 1 * t + 0 < threshold (dt_switch 1 1 6 1) (fun _ t => 1 * t + 0) i t) by (unfold threshold, free; simpl; lra).
    split; [intros _|split; intros; lra]. unfold highest. destruct (Rlt_dec 0 (1 * t + 0)); simpl; [lra|]. rewrite Rmax_right; lra.
  - split; simpl; intros; try lra.
    + apply continuous_linear.
    + apply rd_linear.
    + split; [lra|]. apply Rabs_le. lra.
    + exists (1 / 2), (fun _ => 0). split; [lra|]. split; [lra|]. split; [intros; apply Rabs_le; lra|]. left. split; [lra|]. intros. lra.
Qed.
