(** DT/EDT paper, Section 4: the first loss under EDT for any counting number and timers (edt.ours.drop-time).

    Equal bursts begin together. The counter C_2 of a burst counts the growth of its queue, R - C, from 0; if TM_1 expires
    before it has reached cn_2, that is if TM_1 < phi = cn_2 / (R - C), it is reset, again and again, and the port stays
    controlled. If not, the port becomes uncontrolled after phi, for TM_2, and then controlled again with the counter at 0. So
    up to the first loss, which resets the counter, and the overflow, from which on all ports are controlled, a burst port is
    controlled from k L to k L + phi for every k, L = phi + TM_2, and uncontrolled in between: [controlled_at].
      [drop_time]       the first loss is at t_DT, or at the end of the phase in which t_DT falls, or at the overflow;
      [never_earlier]   so it is never earlier than under DT.                                                *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Theorem1 CountersBounds Theorem1Evolution Theorem5 Theorem1Statements FreeBuffer FreeBufferExtremes FreeBufferUse Theorem5Lengths.
Open Scope R_scope.

(* R is an arrival rate here. *)
Notation real := Rdefinitions.R.

Section Timed.
Variables (M N Z : nat) (alpha B C R cn2 TM1 TM2 : real).
Hypothesis M_pos : (1 <= M)%nat.
Hypothesis alpha_pos : 0 < alpha.
Hypothesis B_pos : 0 < B.
Hypothesis C_pos : 0 < C.
Hypothesis overloaded : C < R.
Hypothesis cn2_pos : 0 < cn2.
Hypothesis TM2_nonneg : 0 <= TM2.

Notation drop := (eq10_time M N alpha B C R).
Notation over := (overflow M N alpha B C R).
Notation sw := (dt_switch (M + N + Z) alpha B C).
Definition phi : real := cn2 / (R - C).
Definition period : real := phi + TM2.

(** When the bursts are controlled. *)
Definition controlled_at (t : real) : Prop :=
  TM1 < phi \/ over <= t \/ exists k : nat, INR k * period <= t < INR k * period + phi.

Record timed_run (tau : real) (Ar Q D : nat -> real -> real) : Prop := {
  tr_arrivals : burst_arrivals M N Z C (fun _ _ => R) 0 tau Ar;
  tr_start : starts_steady M N Z alpha B C Q;
  tr_controlled : forall a b, 0 <= a -> a <= b -> b <= tau -> (forall t, a <= t < b -> controlled_at t) -> trajectory sw Ar a b Q D;
  tr_uncontrolled : forall a b, 0 <= a -> a <= b -> b <= tau -> (forall t, a <= t < b -> ~ controlled_at t) ->
    trajectory (edt_switch M (M + N + Z) alpha B C) Ar a b Q D
}.

(** The first loss, given that t_DT = k L + s with 0 <= s < L. *)
Definition first_loss (k : nat) (s : real) : real :=
  if Rlt_dec TM1 phi then drop else if Rlt_dec s phi then drop else Rmin (INR (S k) * period) over.

Lemma phi_pos : 0 < phi.
Proof. unfold phi. apply Rdiv_lt_0_compat; lra. Qed.

Lemma period_pos : 0 < period.
Proof. pose proof phi_pos. unfold period. lra. Qed.

Lemma multiples i j : (i <= j)%nat -> INR i * period <= INR j * period.
Proof. intros H. apply Rmult_le_compat_r; [pose proof period_pos; lra|apply le_INR, H]. Qed.

Lemma free_phase j t : ~ TM1 < phi -> INR j * period + phi <= t < INR (S j) * period -> t < over -> ~ controlled_at t.
Proof.
  intros H1 Ht Ho [K|[K|(i & Hi)]]; [contradiction|lra|]. destruct (Nat.le_gt_cases i j) as [c|c].
  - pose proof (multiples i j c). lra.
  - pose proof (multiples (S j) i c). lra.
Qed.

Section Run.
Variables (tau : real) (Ar Q D : nat -> real -> real).
Hypothesis tau_nonneg : 0 <= tau.
Hypothesis run : timed_run tau Ar Q D.
Notation state := (state M N Z alpha B C R Q).
Notation lossless a b := (forall i t, (i < M)%nat -> a <= t < b -> rejected sw Ar Q D i t = 0).

Lemma sub_arrivals a b : 0 <= a -> b <= tau -> burst_arrivals M N Z C (fun _ _ => R) a b Ar.
Proof.
  intros Ha Hb. pose proof (tr_arrivals _ _ _ _ run) as A. split; intros i t Hi Ht;
    [apply (burst_ports _ _ _ _ _ _ _ _ A)|apply (steady_ports _ _ _ _ _ _ _ _ A i)|apply (other_ports _ _ _ _ _ _ _ _ A i)]; auto; lra.
Qed.

Lemma controlled_step a b : 0 <= a -> a <= b -> b <= tau -> b <= drop -> state a -> (forall t, a <= t < b -> controlled_at t) -> state b /\ lossless a b.
Proof.
  intros Ha Hab Hb Hd Sa Hc.
  destruct (controlled_until M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded a b Ar Q D ltac:(lra) (sub_arrivals a b Ha Hb) Sa Hd
              (tr_controlled _ _ _ _ run a b Ha Hab Hb Hc)) as [K1 K2].
  split; [apply K1; lra|]. intros i t Hi Ht. apply K2; auto.
Qed.

Lemma uncontrolled_step a b : 0 <= a -> a <= b -> b <= tau -> b <= over -> state a -> (forall t, a <= t < b -> ~ controlled_at t) -> state b /\ lossless a b.
Proof.
  intros Ha Hab Hb Hd Sa Hc.
  destruct (uncontrolled_until M N Z alpha B C R M_pos alpha_pos C_pos overloaded a b Ar Q D ltac:(lra) (sub_arrivals a b Ha Hb) Sa Hd
              (tr_uncontrolled _ _ _ _ run a b Ha Hab Hb Hc)) as [K1 K2].
  split; [apply K1; lra|]. intros i t Hi Ht. apply K2; auto.
Qed.

Lemma join a b c : lossless a b -> lossless b c -> lossless a c.
Proof. intros H1 H2 i t Hi Ht. destruct (Rlt_dec t b); [apply H1; auto; lra|apply H2; auto; lra]. Qed.

(** One controlled phase, cut at tau and at the drop of DT. *)
Lemma phase_c j e : INR j * period <= e -> e <= INR j * period + phi -> e <= tau -> e <= drop -> state (INR j * period) ->
  state e /\ lossless (INR j * period) e.
Proof.
  intros H1 H2 H3 H4 S. apply controlled_step; auto.
  - apply Rmult_le_pos; [apply pos_INR|pose proof period_pos; lra].
  - intros t Ht. right. right. exists j. lra.
Qed.

Lemma phase_f j e : ~ TM1 < phi -> INR j * period + phi <= e -> e <= INR (S j) * period -> e <= tau -> e <= over -> state (INR j * period + phi) ->
  state e /\ lossless (INR j * period + phi) e.
Proof.
  intros H0 H1 H2 H3 H4 S. pose proof phi_pos. apply uncontrolled_step; auto.
  - assert (0 <= INR j * period) by (apply Rmult_le_pos; [apply pos_INR|pose proof period_pos; lra]). lra.
  - intros t Ht. apply (free_phase j); auto; lra.
Qed.

Lemma next j : INR (S j) * period = INR j * period + phi + TM2.
Proof. rewrite S_INR. unfold period. ring. Qed.

(** Until the beginning of phase k, if that is not after the drop of DT. *)
Lemma until_phase k : ~ TM1 < phi -> INR k * period <= drop ->
  (INR k * period <= tau -> state (INR k * period)) /\ lossless 0 (Rmin (INR k * period) tau).
Proof.
  intros H0. pose proof phi_pos as Pp. pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Ho.
  induction k; intros Hk.
  - simpl. rewrite Rmult_0_l. split; [intros _; apply state_start; auto; apply (tr_start _ _ _ _ run)|].
    intros i t Hi Ht. pose proof (Rmin_l 0 tau). lra.
  - rewrite next in Hk. destruct IHk as [IH1 IH2]; [lra|].
    assert (Kp : 0 <= INR k * period) by (apply Rmult_le_pos; [apply pos_INR|pose proof period_pos; lra]).
    destruct (Rle_dec (INR k * period) tau) as [c|c].
    2: { split; [intros K; rewrite next in K; lra|]. rewrite Rmin_right in * by (rewrite ?next; lra). exact IH2. }
    rewrite (Rmin_left (INR k * period)) in IH2 by lra. specialize (IH1 c).
    destruct (Rle_dec (INR k * period + phi) tau) as [c1|c1].
    + destruct (phase_c k (INR k * period + phi)) as [S1 L1]; auto; try lra.
      destruct (Rle_dec (INR (S k) * period) tau) as [c2|c2].
      * rewrite next in c2. destruct (phase_f k (INR (S k) * period)) as [S2 L2]; auto; try (rewrite next; lra).
        split; [intros _; exact S2|]. rewrite Rmin_left by (rewrite next; lra). apply (join _ (INR k * period + phi)); auto. apply (join _ (INR k * period)); auto.
      * destruct (phase_f k tau) as [S2 L2]; auto; try lra; try (rewrite next in *; lra).
        split; [intros K; lra|]. rewrite Rmin_right by lra. apply (join _ (INR k * period + phi)); auto. apply (join _ (INR k * period)); auto.
    + destruct (phase_c k tau) as [S1 L1]; auto; try lra.
      split; [intros K; rewrite next in K; lra|]. rewrite Rmin_right by (rewrite next; lra). apply (join _ (INR k * period)); auto.
Qed.

(** A controlled stretch that begins before the drop of DT and goes beyond it. *)
Lemma loses_at_drop a e : 0 <= a <= drop -> drop < e -> drop < tau -> state a -> (forall t, a <= t < e -> controlled_at t) ->
  forall i t, (i < M)%nat -> drop <= t < Rmin e tau -> 0 < rejected sw Ar Q D i t.
Proof.
  intros Ha He Ht Sa Hc. pose proof (Rmin_l e tau). pose proof (Rmin_r e tau). assert (drop < Rmin e tau) by (apply Rmin_glb_lt; auto).
  apply (controlled_after M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded a (Rmin e tau) Ar Q D); auto; try lra;
    try (apply sub_arrivals; lra).
  apply (tr_controlled _ _ _ _ run); try lra. intros u Hu. apply Hc. lra.
Qed.

(** [loses_from X]: nothing is lost before X, and from X on every burst loses bytes for a while. *)
Definition loses_from (X : real) : Prop :=
  (forall i t, (i < M)%nat -> 0 <= t < X -> t < tau -> rejected sw Ar Q D i t = 0) /\
  (X < tau -> exists d, 0 < d /\ forall i t, (i < M)%nat -> X <= t < X + d -> t < tau -> 0 < rejected sw Ar Q D i t).

Lemma loses_drop a e : 0 <= a <= drop -> drop < e -> lossless 0 (Rmin a tau) -> (a <= tau -> state a) -> (forall t, a <= t < e -> controlled_at t) -> loses_from drop.
Proof.
  intros Ha He L Sa Hc. split.
  - intros i t Hi Ht Htau. destruct (Rlt_dec t a) as [c|c]; [apply L; auto; split; [lra|apply Rmin_glb_lt; lra]|].
    destruct (controlled_step a (Rmin drop tau)) as [_ K]; try lra.
    + apply Rmin_glb; lra.
    + apply Rmin_r.
    + apply Rmin_l.
    + apply Sa. lra.
    + intros u Hu. apply Hc. pose proof (Rmin_l drop tau). lra.
    + apply K; auto. split; [lra|apply Rmin_glb_lt; lra].
  - intros Htau. exists (e - drop). split; [lra|]. intros i t Hi Ht Htt. apply (loses_at_drop a e); auto; try lra.
    + apply Sa. lra.
    + split; [lra|]. apply Rmin_glb_lt; lra.
Qed.

Theorem drop_time k s : drop = INR k * period + s -> 0 <= s < period ->
  drop <= first_loss k s <= over /\ loses_from (first_loss k s).
Proof.
  intros Ed Hs. pose proof phi_pos as Pp. pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Ho.
  assert (Kp : 0 <= INR k * period) by (apply Rmult_le_pos; [apply pos_INR|pose proof period_pos; lra]).
  unfold first_loss. destruct (Rlt_dec TM1 phi) as [c|c].
  { split; [lra|]. apply (loses_drop 0 over); try lra.
    - intros i t Hi Ht. pose proof (Rmin_l 0 tau). lra.
    - intros _. apply state_start; auto. apply (tr_start _ _ _ _ run).
    - intros t Ht. left. exact c. }
  destruct (until_phase k c ltac:(lra)) as [Sk Lk].
  destruct (Rlt_dec s phi) as [d|d].
  { split; [lra|]. apply (loses_drop (INR k * period) (INR k * period + phi)); auto; try lra.
    intros t Ht. right. right. exists k. exact Ht. }
  (* t_DT falls into an uncontrolled phase *)
  set (X := Rmin (INR (S k) * period) over). pose proof (Rmin_l (INR (S k) * period) over) as X1. pose proof (Rmin_r (INR (S k) * period) over) as X2.
  fold X in X1, X2. pose proof (next k) as En. assert (Ep : period = phi + TM2) by reflexivity.
  assert (Xd : drop < X) by (apply Rmin_glb_lt; lra).
  assert (Before : INR k * period + phi <= tau -> state (INR k * period + phi) /\ lossless 0 (INR k * period + phi)).
  { intros K. destruct (phase_c k (INR k * period + phi)) as [S1 L1]; auto; try lra; [apply Sk; lra|]. split; auto.
    apply (join _ (INR k * period)); auto. rewrite Rmin_left in Lk by lra. exact Lk. }
  split; [lra|]. split.
  - intros i t Hi Ht Htau. destruct (Rlt_dec t (INR k * period)) as [e|e]; [apply Lk; auto; split; [lra|apply Rmin_glb_lt; lra]|].
    destruct (Rlt_dec t (INR k * period + phi)) as [g|g].
    + destruct (phase_c k (Rmin (INR k * period + phi) tau)) as [_ L1].
      * apply Rmin_glb; lra.
      * apply Rmin_l.
      * apply Rmin_r.
      * eapply Rle_trans; [apply Rmin_l|lra].
      * apply Sk. lra.
      * apply L1; auto. split; [lra|apply Rmin_glb_lt; lra].
    + destruct (Before ltac:(lra)) as [S1 _]. destruct (phase_f k (Rmin X tau)) as [_ L2]; auto.
      * apply Rmin_glb; lra.
      * eapply Rle_trans; [apply Rmin_l|lra].
      * apply Rmin_r.
      * eapply Rle_trans; [apply Rmin_l|lra].
      * apply L2; auto. split; [lra|apply Rmin_glb_lt; lra].
  - intros Htau. destruct (Before ltac:(lra)) as [S1 _]. destruct (phase_f k X) as [S2 _]; auto; try lra.
    (* controlled from X on: as long as phi, or for ever *)
    assert (Ctrl : forall t, X <= t < X + phi -> controlled_at t).
    { intros t Ht. unfold X in Ht. destruct (Rle_dec (INR (S k) * period) over) as [h|h].
      - rewrite Rmin_left in Ht by auto. right. right. exists (S k). exact Ht.
      - rewrite Rmin_right in Ht by lra. right. left. lra. }
    set (b := Rmin (X + phi) tau). assert (Xb : X < b) by (apply Rmin_glb_lt; lra). pose proof (Rmin_l (X + phi) tau) as B1. pose proof (Rmin_r (X + phi) tau) as B2.
    fold b in B1, B2.
    destruct (controlled_above M N Z alpha B C R M_pos alpha_pos B_pos C_pos overloaded X b Ar Q D (sub_arrivals X b ltac:(lra) ltac:(lra)) S2 Xd Xb) as (dd & Hdd & Kd).
    { apply (tr_controlled _ _ _ _ run); try lra. intros t Ht. apply Ctrl. lra. }
    exists (Rmin dd (b - X)). split; [apply Rmin_pos; lra|]. intros i t Hi Ht Htt. pose proof (Rmin_l dd (b - X)). pose proof (Rmin_r dd (b - X)).
    rewrite Kd by (auto; lra). lra.
Qed.

(** edt.abstract.edt-absorbs-more: no byte is lost under EDT before DT would lose one. *)
Theorem never_earlier : forall i t, (i < M)%nat -> 0 <= t < drop -> t < tau -> rejected sw Ar Q D i t = 0.
Proof.
  pose proof period_pos as Pp. pose proof (drop_before_over M N alpha B C R M_pos alpha_pos B_pos C_pos overloaded) as Ho.
  assert (Ex : exists (k : nat) (s : real), drop = INR k * period + s /\ 0 <= s < period).
  { destruct (archimed (drop / period)) as [U1 U2].
    assert (Q0 : 0 < drop / period) by (apply Rdiv_lt_0_compat; lra).
    assert (P : (0 < up (drop / period))%Z) by (apply lt_IZR; lra).
    pose (k := Z.to_nat (up (drop / period) - 1)).
    assert (Ek : INR k = IZR (up (drop / period)) - 1) by (unfold k; rewrite INR_IZR_INZ, Z2Nat.id, minus_IZR by lia; reflexivity).
    exists k, (drop - INR k * period). split; [ring|].
    assert (E : drop / period * period = drop) by (field; lra).
    pose proof (Rmult_lt_compat_r period _ _ Pp U1). pose proof (Rmult_le_compat_r period _ _ ltac:(lra) U2).
    rewrite Ek. lra. }
  destruct Ex as (k & s & Ed & Hs). destruct (drop_time k s Ed Hs) as [[K1 K2] [K3 _]]. intros i t Hi Ht Htau. apply K3; auto; lra.
Qed.

End Run.
End Timed.

(** The hypotheses can hold: Theorem 5's instance, with cn_2 = 1 (so phi = 1) and TM_2 = 9: uncontrolled from 1 to the overflow at 6. *)
Theorem drop_time_instance : exists Ar Q D, timed_run 1 1 0 1 6 1 2 1 1 9 6 Ar Q D.
Proof.
  destruct theorem5_instance as (S & _ & Eo & Ar & Q & D & [O A St T1 T2]). exists Ar, Q, D.
  assert (Ov : overflow 1 1 1 6 1 2 = 6) by (rewrite (over_is_slow 1 1 1 6 1 2 S); exact Eo).
  assert (Ph : phi 1 2 1 = 1) by (unfold phi; field). assert (Pe : period 1 2 1 9 = 10) by (unfold period; rewrite Ph; ring).
  assert (Cn : forall t, 0 <= t < 1 -> controlled_at 1 1 1 6 1 2 1 1 9 t).
  { intros t Ht. right. right. exists 0%nat. rewrite Ph, Pe. simpl. lra. }
  assert (Fr : forall t, 1 <= t < 6 -> ~ controlled_at 1 1 1 6 1 2 1 1 9 t).
  { intros t Ht [K|[K|(k & Hk)]]; [lra|lra|]. rewrite Ph, Pe in Hk. destruct k; [simpl in Hk; lra|].
    rewrite S_INR in Hk. pose proof (pos_INR k). lra. }
  split; auto.
  - intros a b Ha Hab Hb Hc. destruct (Rlt_dec a b) as [l|l].
    + destruct (Rle_dec b 1) as [c|c]; [apply trajectory_later with 0; [lra|]; apply trajectory_shorten with 1; auto|exfalso].
      pose (t := Rmax a ((1 + b) / 2)). assert (T1' : t < b) by (apply Rmax_lub_lt; lra). pose proof (Rmax_l a ((1 + b) / 2)). pose proof (Rmax_r a ((1 + b) / 2)).
      apply (Fr t); [unfold t in *; lra|]. apply Hc. unfold t in *. lra.
    + replace b with a by lra. destruct (Rle_dec a 1); [apply trajectory_later with 0; [lra|]; apply trajectory_shorten with 1; auto|].
      assert (Tr : trajectory (edt_switch 1 (1 + 1 + 0) 1 6 1) Ar a a Q D) by (apply trajectory_later with 1; [lra|]; apply trajectory_shorten with 6; auto; lra).
      split; intros; try lra; [apply (length_nonneg _ _ _ _ _ _ Tr); auto|apply (length_continuous _ _ _ _ _ _ Tr); auto].
  - intros a b Ha Hab Hb Hc. destruct (Rlt_dec a b) as [l|l].
    + destruct (Rle_dec 1 a) as [c|c]; [apply trajectory_later with 1; [lra|]; apply trajectory_shorten with 6; auto|exfalso].
      apply (Hc a); [lra|]. apply Cn. lra.
    + replace b with a by lra. destruct (Rle_dec 1 a); [apply trajectory_later with 1; [lra|]; apply trajectory_shorten with 6; auto; lra|].
      assert (Tr : trajectory (dt_switch (1 + 1 + 0) 1 6 1) Ar a a Q D) by (apply trajectory_later with 0; [lra|]; apply trajectory_shorten with 1; auto; lra).
      split; intros; try lra; [apply (length_nonneg _ _ _ _ _ _ Tr); auto|apply (length_continuous _ _ _ _ _ _ Tr); auto].
Qed.
