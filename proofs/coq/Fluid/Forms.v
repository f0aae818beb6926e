(** How the executable form of a claim follows from its theorem: a few steps that such proofs have in common.

    The propositions are written by machine from the claims; [plain T] is what closes them where nothing else is said. *)
Require Import Reals Lra Lia.
From DT Require Export Calculus.
Open Scope R_scope.

(** Whole numbers are not negative, and at least 1 where that is supposed. *)
Ltac whole := repeat match goal with
  | n : nat |- _ => lazymatch goal with _ : 0 <= INR n |- _ => fail | _ => pose proof (pos_INR n) end
  | h : (1 <= ?n)%nat |- _ =>
    lazymatch goal with _ : 1 <= INR n |- _ => fail | _ => assert (1 <= INR n) by (apply (le_INR 1); exact h) end
  end.

(** The theorem T says it, part by part; its hypotheses are among those of the claim, or follow by arithmetic. *)
Ltac plain T :=
  intros; whole; repeat match goal with |- _ /\ _ => split end; eapply T;
  solve [assumption | lia | lra | tauto | intros; auto; lra].

(** The product of the first n values of f, 1 of none. *)
Fixpoint product (n : nat) (f : nat -> R) : R := match n with O => 1 | S k => product k f * f k end.

Lemma inverses n tau : sum n (fun i => 1 / tau i) = sum n (fun i => / tau i).
Proof. apply sum_ext. intros. unfold Rdiv. ring. Qed.

(** The sum of a list whose first element became x. *)
Lemma sum_changed n f x : (1 <= n)%nat -> sum n (fun i => if Nat.eq_dec i 0 then x else f i) = sum n f - f 0%nat + x.
Proof.
  induction n as [| [| n] IH]; intros H; [lia | simpl; lra |].
  change (sum (S (S n)) f) with (sum (S n) f + f (S n)).
  change (sum (S (S n)) (fun i => if Nat.eq_dec i 0 then x else f i))
    with (sum (S n) (fun i => if Nat.eq_dec i 0 then x else f i) + (if Nat.eq_dec (S n) 0 then x else f (S n))).
  rewrite IH by lia. destruct (Nat.eq_dec (S n) 0); [lia | lra].
Qed.
