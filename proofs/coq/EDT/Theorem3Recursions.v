(** DT/EDT paper, Section 3.2: the recursions (14) and (31) as equations.

    The executable forms of the claims suppose functions t and F of which the printed equations hold.  There is one
    such pair: what satisfies (14) is [recursion14], what satisfies (31) [recursion31].  Port k of the paper is k - 1 here. *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Forms Scenario Theorem2 Theorem3Drain.
Open Scope R_scope.

Section Recursions.
Variables (M N : nat) (alpha B C : real) (R t F : nat -> real).
Notation g k := (sum (M - k) (fun i => R (k + i)%nat - C)).
Notation n k := (INR N + (1 + INR k) - 1).

Lemma ports_before k : INR (N + k) = n k.
Proof. rewrite plus_INR. ring. Qed.

(** D_k, the rate at which queue k and the threshold approach each other while all ports before it drain. *)
Lemma closing k : R k - C + alpha * (g k - n k * C) = fall M N alpha C R k + (R k - C).
Proof. unfold fall, G. rewrite ports_before. ring. Qed.

Lemma left_over_product k :
  product k (fun j => (R j - C + alpha * (g j - n j * C) - alpha * R j) / (R j - C + alpha * (g j - n j * C))) =
  left_over M N alpha C R k.
Proof. induction k; [reflexivity|]. simpl. rewrite IHk, closing. reflexivity. Qed.

Hypothesis t_first : t 0%nat = 0.
Hypothesis F_first : F 0%nat = B / (1 + alpha * INR N).

Theorem recursion14_only :
  (forall k, t (S k) = alpha * (F k + alpha * F k * n k + g k * t k) / ((R k - C) * (1 + alpha * n k) + alpha * g k)) ->
  (forall k, F (S k) = F k - g k * (t (S k) - t k) / (1 + alpha * n k)) ->
  forall k, recursion14 M N alpha B C R k = (t k, F k).
Proof.
  intros Ht HF. induction k.
  - simpl. rewrite t_first, F_first. reflexivity.
  - simpl. rewrite IHk, ports_before, (HF k), (Ht k). reflexivity.
Qed.

Theorem recursion31_only :
  (forall k, t (S k) = alpha * (F k + (g k - n k * C) * t k) / (alpha * (g k - n k * C) + R k - C)) ->
  (forall k, F (S k) = F k - (g k - n k * C) * (t (S k) - t k)) ->
  forall k, recursion31 M N alpha B C R k = (t k, F k).
Proof.
  intros Ht HF. induction k.
  - simpl. rewrite t_first, F_first. reflexivity.
  - simpl. rewrite IHk, ports_before, (HF k), (Ht k).
    replace (alpha * (g k - n k * C) + R k - C) with (alpha * (g k - n k * C) + (R k - C)) by ring. reflexivity.
Qed.

End Recursions.
