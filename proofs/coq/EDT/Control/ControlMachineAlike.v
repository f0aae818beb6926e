(** DT/EDT paper, Sections 4.1 and 4.2: what the state machines of two ports that are treated alike do.

      [alike_ports]   ports with equal arrivals and equal lengths at first have equal lengths, states, counters and timers in every run. *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Theorem1Evolution ControlMachine ControlMachineGoes.
Open Scope R_scope.

Notation real := Rdefinitions.R.

Section Alike.
Variables (n : nat) (alpha B C cn2 TM1 TM2 : real) (Ar : nat -> real -> real).
Hypotheses (alpha_nonneg : 0 <= alpha) (C_nonneg : 0 <= C).
Notation machine := (machine_run n alpha B C cn2 TM1 TM2 Ar).
Notation does := (acted C cn2 TM1 TM2).
Notation sw p := (edt_state n alpha B C p).

(** Ports that are treated alike stay alike. *)
Theorem alike_ports Q D i k tau p : (i < n)%nat -> (k < n)%nat -> (forall j t, (j < n)%nat -> 0 <= t <= tau -> 0 <= Ar j t) ->
  (forall t, 0 <= t <= tau -> Ar i t = Ar k t) -> Q i 0 = Q k 0 -> machine Q D tau p -> p i = p k /\ forall t, 0 <= t <= tau -> Q i t = Q k t.
Proof.
  intros Hi Hk HA Eq E0 H. induction H as [|s e p p' H IH Hp Hh].
  - split; [reflexivity|]. intros t Ht. replace t with 0 by lra. exact E0.
  - pose proof (phase_order _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as Hse. pose proof (run_nonneg _ _ _ _ _ _ _ _ _ _ _ _ H) as Hs.
    destruct IH as [IHp IHQ]; [intros; apply HA; auto; lra|intros; apply Eq; lra|].
    pose proof (phase_moves _ _ _ _ _ _ _ _ _ _ _ _ _ Hp) as T.
    assert (K : forall t, s <= t <= e -> Q i t = Q k t).
    { apply (equal_queues (sw p) Ar s e Q D i k); auto.
      - split; [intros j Hj; split; [apply state_gains; auto|exact C_nonneg]|intros j t Hj Ht; apply HA; auto; lra].
      - simpl. rewrite IHp. reflexivity.
      - simpl. rewrite IHp. reflexivity.
      - intros t Ht. apply Eq. lra.
      - apply IHQ. lra. }
    split; [|intros t Ht; destruct (Rle_dec t s); [apply IHQ|apply K]; lra].
    assert (ED : D i s = D k s).
    { apply (rd_unique s (Q i)); [apply (length_slope _ _ _ _ _ _ T); [exact Hi|lra]|].
      apply (rd_ext s (Q i) (Q k)); [exists (e - s); split; [lra|intros h Hh0; apply K; lra]|apply (length_slope _ _ _ _ _ _ T); [exact Hk|lra]]. }
    assert (ER : rejected (dt_switch n alpha B C) Ar Q D i s = rejected (dt_switch n alpha B C) Ar Q D k s).
    { unfold rejected, highest. rewrite ED, (Eq s), (K s) by lra. reflexivity. }
    assert (EA : does e (Ar i e) (passed n alpha B C Ar Q D s e p i) = does e (Ar k e) (passed n alpha B C Ar Q D s e p k)).
    { rewrite (Eq e) by lra. f_equal. unfold passed. rewrite IHp, ER, ED. reflexivity. }
    destruct Hh as [H1 H2].
    set (q := fun j => does e (Ar j e) (passed n alpha B C Ar Q D s e p j)) in *.
    assert (OD : buffer_overflows n alpha B C Ar Q e q \/ ~ buffer_overflows n alpha B C Ar Q e q) by (apply overflow_decided; auto; intros; apply HA; auto; lra).
    destruct OD as [O|O].
    + rewrite (H1 O i Hi), (H1 O k Hk). unfold q. cbv beta. rewrite EA. reflexivity.
    + rewrite (H2 O i Hi), (H2 O k Hk). exact EA.
Qed.

End Alike.
