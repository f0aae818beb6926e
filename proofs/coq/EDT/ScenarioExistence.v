(** The scenario of the DT/EDT paper, Section 3, has a trajectory, whatever the rates are, as long as they are piecewise constant:
    what the theorems say of every trajectory of the scenario is said of one at least.   *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence Scenario.
Open Scope R_scope.

Theorem scenario_exists M N Z alpha B C Rate tau Ar :
  0 < alpha -> 0 <= B -> 0 <= C -> (forall i t, (i < M)%nat -> 0 <= t < tau -> 0 <= Rate i t) ->
  burst_arrivals M N Z C Rate 0 tau Ar -> piecewise_constant (M + N + Z) 0 tau Ar ->
  exists Q D, micro_burst M N Z alpha B C Rate tau Ar Q D.
Proof.
  intros Ha HB HC HR A P. assert (HN := pos_INR N).
  assert (HS : 0 < 1 + alpha * INR N) by (assert (0 <= alpha * INR N) by (apply Rmult_le_pos; lra); lra).
  set (share := alpha * F0 N alpha B).
  assert (S0 : 0 <= share) by (apply Rmult_le_pos; [lra|]; apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
  pose (q := fun i => by_class M N (fun _ _ => 0) (fun _ => share) i 0).
  destruct (fluid_exists (dt_switch (M + N + Z) alpha B C) Ar 0 tau q) as (Q & D & H & E); auto.
  - split; simpl; intros; [lra|]. destruct (class_of M N Z i) as [c|[c|c]]; auto.
    + rewrite (burst_ports _ _ _ _ _ _ _ _ A); auto.
    + pose proof (steady_ports _ _ _ _ _ _ _ _ A i t c). lra.
    + pose proof (other_ports _ _ _ _ _ _ _ _ A i t c). lra.
  - intros i _. unfold q, by_class. destruct (Nat.ltb i M), (Nat.ltb i (M + N)); lra.
  - simpl in E. exists Q, D. split; auto. split; intros i Hi; try (rewrite E by lia; unfold q).
    + apply by_class_burst; auto.
    + rewrite by_class_steady by auto. unfold threshold, free. simpl. rewrite (sum_ext _ _ q) by auto.
      unfold q. rewrite sum_by_class, sum_zero by auto. unfold share, F0. field. lra.
    + apply by_class_other. lia.
Qed.

Theorem scenario_exists_instance : exists M N Z alpha B C Rate tau Ar,
  0 < alpha /\ 0 <= B /\ 0 <= C /\ (forall i t, (i < M)%nat -> 0 <= t < tau -> 0 <= Rate i t) /\
  burst_arrivals M N Z C Rate 0 tau Ar /\ piecewise_constant (M + N + Z) 0 tau Ar /\
  M = 1%nat /\ N = 1%nat /\ Rate 0%nat 0 = 7 /\ Rate 0%nat 1 = 0 /\ tau = 2.
Proof.
  pose (Rate := fun (_ : nat) t => if Rlt_dec t 1 then 7 else 0).
  exists 1%nat, 1%nat, 0%nat, 1, 6, 1, Rate, 2, (by_class 1 1 Rate (fun _ => 1)).
  split; [lra|]. split; [lra|]. split; [lra|]. split; [intros; unfold Rate; destruct (Rlt_dec t 1); lra|].
  split; [|split].
  - split; intros i t Hi Ht; [apply by_class_burst; auto|rewrite by_class_steady; lra || lia|lia].
  - exists 2%nat, INR. split; [reflexivity|]. split; [simpl; lra|]. split; [intros; apply lt_INR; lia|].
    intros k i t Hk Hi Ht. destruct i as [|[|]]; [| |lia].
    + rewrite !by_class_burst by lia. unfold Rate. destruct k as [|[|]]; simpl in *; [| |lia]; repeat destruct (Rlt_dec _ _); lra.
    + rewrite !by_class_steady by lia. reflexivity.
  - unfold Rate. destruct (Rlt_dec 0 1), (Rlt_dec 1 1); repeat split; lra.
Qed.
