(* What the instances in hypotheses_hold.toml begin with: tactics, and runs from which several are made. *)
Ltac met := intros; first [eassumption | reflexivity | lia | lra | solve [simpl in *; lra] | solve [simpl in *; lia] | solve [unfold Theorem1.slow; simpl; lra] | solve [eauto] | tauto | exact 0%nat | exact true | exact AlgorithmQueues.PortRoom | exact (AlgorithmPort.Packet 0 AlgorithmPort.Large 1)].
Ltac ports := intros; try (exfalso; lia); try (exfalso; simpl in *; lia);
  do 3 try match goal with i : nat |- _ => destruct i; try (exfalso; lia); try (exfalso; simpl in *; lia) end.
Ltac all_met := try met; try solve [ports; met]; try solve [ports; simpl; repeat destruct (Rlt_dec _ _); lra].
Module Worlds.
Import Calculus Fluid Existence Scenario ScenarioExistence Theorem1 Theorem4 Theorem5 Theorem5Lengths RecoveryBytesLost ControlMachine Theorem5Timed Theorem1Statements.

Lemma held_long n a tau : 0 < tau -> piecewise_constant n 0 tau (fun i _ => a i).
Proof.
  intros H. exists 1%nat, (fun k => tau * INR k). split; [simpl; ring|]. split; [simpl; ring|]. split; [|reflexivity].
  intros k Hk. assert (k = 0%nat) by lia. subst. simpl. lra.
Qed.

(* From any lengths, under constant arrivals. *)
Lemma runs sw a K q : (forall i, (i < ports sw)%nat -> 0 <= gain sw i /\ 0 <= service sw i) -> (forall i, 0 <= a i <= K) -> (forall i, 0 <= q i) ->
  exists Q D, (forall i, (i < ports sw)%nat -> Q i 0 = q i) /\ (forall tau, trajectory sw (fun i _ => a i) 0 tau Q D) /\ forall tau, sane sw (fun i _ => a i) 0 tau.
Proof.
  intros G A Hq. destruct (fluid_continues sw (fun i _ => a i) 0 K q) as (Q & D & H1 & H2); auto.
  - intros t _. exists 1. split; [lra|auto].
  - exists Q, D. split; [exact H1|]. split; [exact H2|]. intros tau. split; [exact G|]. intros. apply A.
Qed.

(* What goes on after d under other arrivals. *)
Lemma goes_on sw sw' Ar Q D d a K q : (forall i, (i < ports sw')%nat -> 0 <= gain sw' i /\ 0 <= service sw' i) -> (forall i, 0 <= a i <= K) ->
  ports sw = ports sw' -> (forall i, (i < ports sw)%nat -> 0 <= Q i d) -> q = Q 0%nat d ->
  exists Ar' Q' D', (forall i t, t < d -> Ar' i t = Ar i t) /\ (forall i t, d <= t -> Ar' i t = a i) /\ (forall i t, (i < ports sw)%nat -> t <= d -> Q' i t = Q i t) /\
    (forall i t, t < d -> D' i t = D i t) /\ (forall e, trajectory sw' Ar' d e Q' D') /\ Q' 0%nat d = q.
Proof.
  intros G A Hp Hq Eq. destruct (fluid_continues sw' (fun i _ => a i) d K (fun i => Rmax 0 (Q i d))) as (X & Y & H1 & H2); auto.
  { intros t _. exists 1. split; [lra|auto]. } { intros. apply Rmax_l. }
  assert (E : forall i, (i < ports sw)%nat -> X i d = Q i d) by (intros i Hi; rewrite H1 by (rewrite <- Hp; auto); apply Rmax_right; auto).
  pose (Ar' := fun i t => if Rlt_dec t d then Ar i t else a i). pose (Q' := fun i t => if Rle_dec t d then Q i t else X i t). pose (D' := fun i t => if Rlt_dec t d then D i t else Y i t).
  exists Ar', Q', D'. split; [intros; unfold Ar'; destruct (Rlt_dec t d); [auto|lra]|]. split; [intros; unfold Ar'; destruct (Rlt_dec t d); [lra|auto]|].
  split; [intros; unfold Q'; destruct (Rle_dec t d); [auto|lra]|]. split; [intros; unfold D'; destruct (Rlt_dec t d); [auto|lra]|].
  split; [|unfold Q'; destruct (Rle_dec d d); [auto|lra]].
  intros e. apply (OverflowSlowPorts.trajectory_ext sw' (fun i _ => a i) Ar' d e X Q' Y D'); [| |apply H2].
  - intros i t Hi Ht. unfold Ar', D'. destruct (Rlt_dec t d); [lra|auto].
  - intros i t Hi Ht. unfold Q'. destruct (Rle_dec t d); [replace t with d by lra; apply E; rewrite Hp; auto|auto].
Qed.

(* A burst beside a steady port that is offered Rb, from rates that change at 1 and at 2. *)
Lemma beside Rate Rb B tau : 0 < B -> 2 <= tau -> 1 <= Rb -> (forall t, 0 <= Rate t) -> (forall t, 0 <= t < 1 -> Rate t = Rate 0) -> (forall t, 1 <= t < 2 -> Rate t = Rate 1) ->
  (forall t, 2 <= t -> Rate t = Rate 2) ->
  exists Ar Q D, (forall t1, 0 <= t1 <= tau -> micro_burst 1 1 0 1 B 1 (fun _ => Rate) t1 Ar Q D) /\ forall t, Ar 1%nat t = Rb.
Proof.
  intros HB Ht Hb Low C1 C2 C3. pose (Ar := by_class 1 1 (fun _ => Rate) (fun _ => Rb)).
  assert (A0 : Ar 0%nat = Rate) by reflexivity. assert (A1 : Ar 1%nat = fun _ => Rb) by reflexivity.
  destruct (scenario_exists 1 1 0 1 B 1 (fun _ => Rate) (tau + 1) Ar) as (Q & D & [B1 B2 B3]); auto; try lra.
  - split; intros i t Hi Hit; [replace i with 0%nat by lia; rewrite A0; reflexivity|replace i with 1%nat by lia; rewrite A1; lra|lia].
  - exists 3%nat, (fun k => match k with O => 0 | 1%nat => 1 | 2%nat => 2 | _ => tau + 1 end). split; [reflexivity|]. split; [reflexivity|]. split.
    + intros [|[|[|]]] Hk; try lra; lia.
    + intros k i t Hk Hi Hit. destruct i as [|[|]]; [rewrite A0|rewrite A1; reflexivity|lia]. destruct k as [|[|[|]]]; try lia; [apply C1|apply C2|apply C3]; lra.
  - exists Ar, Q, D. split; [|intros; rewrite A1; reflexivity]. intros t1 H1. split; [|exact B2|apply (trajectory_shorten _ _ 0 (tau + 1)); auto; lra].
    destruct B1 as [D1 D2 D3]. split; intros; [apply D1|apply D2|apply D3]; auto; lra.
Qed.

Lemma three B : 0 < B -> exists Ar Q D, forall t1, 0 <= t1 <= 4 -> micro_burst 1 1 0 1 B 1 (fun _ => R4) t1 Ar Q D.
Proof.
  intros HB. destruct (beside R4 1 B 4) as (Ar & Q & D & H & _); try lra; try (intros; unfold R4; repeat destruct (Rlt_dec _ _); lra).
  exists Ar, Q, D. exact H.
Qed.

Lemma paused : exists Ar Q D, (forall t1, 0 <= t1 <= 2 -> micro_burst 1 1 0 1 6 1 (fun _ => FirstDropAny.R_pause) t1 Ar Q D) /\ forall t, Ar 1%nat t = 3 / 2.
Proof. apply beside; try lra; intros; unfold FirstDropAny.R_pause; repeat destruct (Rlt_dec _ _); lra. Qed.
Lemma stopped : exists Ar Q D, (forall t1, 0 <= t1 <= 2 -> micro_burst 1 1 0 1 6 1 (fun _ => FirstDropSlowPorts.R_stop) t1 Ar Q D) /\ forall t, Ar 1%nat t = 1.
Proof. apply beside; try lra; intros; unfold FirstDropSlowPorts.R_stop; repeat destruct (Rlt_dec _ _); lra. Qed.

Lemma counted t : 0 <= t -> 2 * t <= A4 t <= 2 * t + 3 /\ (t <= 1 -> A4 t = 2 * t) /\ (1 <= t <= 2 -> A4 t = 5 * t - 3) /\ (2 <= t -> A4 t = 2 * t + 3).
Proof. intros H. unfold A4, Rmin. repeat destruct (Rle_dec _ _); repeat split; intros; lra. Qed.

(* With so much room nothing is lost, and the bursts meet the threshold at the end. *)
Lemma room : exists Ar Q D, forall t1, 0 <= t1 <= 4 -> micro_burst 1 1 0 1 21 1 (fun _ => R4) t1 Ar Q D /\ no_loss_before 1 1 0 1 21 1 t1 Ar Q D.
Proof.
  destruct (three 21 ltac:(lra)) as (Ar & Q & D & H). exists Ar, Q, D. intros t1 Ht. split; [auto|].
  apply (theorem4 1 1 0 1 21 1 1 2 4 R4 A4); auto; try lra; [exact theorem4_instance|].
  pose proof (counted 1 ltac:(lra)) as (_ & K & _). specialize (K ltac:(lra)).
  split; intros t Hit; intros; pose proof (counted t ltac:(lra)) as (K1 & K2 & K3 & K4); unfold within54, within60, rhs60, lhs63; simpl; [lra|]. rewrite K.
  destruct (Rle_dec t 1), (Rle_dec t 2); try (rewrite K2 by lra); try (rewrite K3 by lra); try (rewrite K4 by lra); split; intros; lra.
Qed.

(* The run of [drop_time_instance], and what is lost in it. *)
Lemma run_continuous n alpha B C cn2 TM1 TM2 Ar Q D tau p i : (i < n)%nat -> machine_run n alpha B C cn2 TM1 TM2 Ar Q D tau p -> continuous_on (Q i) 0 tau.
Proof.
  intros Hi H. induction H as [|s e p p' H IH Hp Hh].
  - apply continuous_ext with (fun _ => Q i 0); [intros u Hu; f_equal; lra|apply continuous_const].
  - apply continuous_ext with (fun t => if Rlt_dec t s then Q i t else Q i t); [intros t _; destruct (Rlt_dec t s); auto|].
    pose proof (run_nonneg _ _ _ _ _ _ _ _ _ _ _ _ H). pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp).
    apply continuous_glue; auto; [lra|]. apply (length_continuous _ _ _ _ _ _ (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ Hp)). exact Hi.
Qed.

Lemma alone : exists Ar Q D p, burst_arrivals 1 0 0 1 (fun _ _ => 2) 0 8 Ar /\ starts_steady 1 0 0 1 6 1 Q /\ machine_run (1 + 0 + 0) 1 6 1 1 9 9 Ar Q D 8 p /\
  phi 1 2 1 = 1 /\ eq10_time 1 0 1 6 1 2 = 3 /\ overflow 1 0 1 6 1 2 = 6 /\ slow 1 0 1 1 2 /\ overflow_run 1 0 0 1 6 1 2 1 8 Ar Q D /\
  (exists q, machine_run (1 + 0 + 0) 1 6 1 1 9 9 Ar Q D 6 q) /\
  exists L, continuous_on L 0 8 /\ L 0 = 0 /\ forall t, 0 <= t < 8 -> right_derivative L t (rejected (dt_switch (1 + 0 + 0) 1 6 1) Ar Q D 0 t).
Proof.
  destruct drop_time_instance as (Ar & Q & D & p & A & S & H & E1 & E2 & E3). exists Ar, Q, D, p. do 6 (split; [auto|]).
  assert (Sl : slow 1 0 1 1 2) by (unfold slow; simpl; lra). split; [auto|]. split; [|split].
  - replace (overflow_run 1 0 0 1 6 1 2 1 8 Ar Q D) with (overflow_run 1 0 0 1 6 1 2 (phi 1 2 1) 8 Ar Q D) by (rewrite E1; reflexivity). apply (overflow_schedule 1 0 0 1 6 1 2 1 9 9) with (last := p); auto; try lra; try lia.
  - destruct (first_at_over 1 0 1 6 1 2 1 9 9) as (F1 & F2 & F3); auto; try lra; try lia.
    destruct (begins_at (1 + 0 + 0) 1 6 1 1 9 9 Ar Q D 6 8 p H ltac:(lra)) as (e & q & Hq & _); [|exists q; exact Hq].
    intros a e q H1 H2 H3 H4. rewrite <- E3, <- F3.
    apply (one_working 1 0 0 1 6 1 2 1 9 9 ltac:(lia) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) 8 Ar Q D A S 0 (eq10_time 1 0 1 6 1 2) F1 F2 a e q H1 H2); [rewrite F3, E3|]; auto.
  - exists (fun t => 1 * t + 0 - Q 0%nat t). split; [|split].
    + apply continuous_minus; [apply continuous_linear|]. apply (run_continuous (1 + 0 + 0) 1 6 1 1 9 9 Ar Q D 8 p); [simpl; lia|exact H].
    + rewrite (burst_empty _ _ _ _ _ _ _ S) by lia. ring.
    + intros t Ht. eapply rd_eq; [apply rd_minus; [apply rd_linear|apply (run_slope (1 + 0 + 0) 1 6 1 1 9 9 Ar Q D 8 p 0 t); [simpl; lia|exact H|exact Ht]]|].
      unfold rejected, highest. simpl. rewrite (burst_ports _ _ _ _ _ _ _ _ A) by (lia || lra). destruct (Rlt_dec 0 (Q 0%nat t)); [ring|]. rewrite Rmax_right; lra.
Qed.
End Worlds.
