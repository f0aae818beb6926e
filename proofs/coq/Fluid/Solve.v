(** The free buffer as the solution of one scalar equation,

      a x + sum_(k<n) min(g_k, al x) + sum_(k<p) max(h_k, al x) = c,

    as an explicit maximum and minimum of affine solutions, with its right derivative when g, h, c move.  *)
Require Import Reals Lra Lia.
From DT Require Import Calculus.
Open Scope R_scope.

Section Solve.
Variable al : R.
Hypothesis al_pos : 0 < al.

Fixpoint solve_min (n : nat) (g : nat -> R) (a c : R) : R :=
  match n with
  | O => c / a
  | S k => Rmax (solve_min k g a (c - g k)) (solve_min k g (a + al) c)
  end.

Fixpoint solve (p : nat) (h : nat -> R) (n : nat) (g : nat -> R) (a c : R) : R :=
  match p with
  | O => solve_min n g a c
  | S k => Rmin (solve k h n g a (c - h k)) (solve k h n g (a + al) c)
  end.

Fixpoint slope_min (n : nat) (g dg : nat -> R) (a c dc : R) : R :=
  match n with
  | O => dc / a
  | S k => max_slope (solve_min k g a (c - g k)) (solve_min k g (a + al) c)
                     (slope_min k g dg a (c - g k) (dc - dg k)) (slope_min k g dg (a + al) c dc)
  end.

Fixpoint slope (p : nat) (h dh : nat -> R) (n : nat) (g dg : nat -> R) (a c dc : R) : R :=
  match p with
  | O => slope_min n g dg a c dc
  | S k => min_slope (solve k h n g a (c - h k)) (solve k h n g (a + al) c)
                     (slope k h dh n g dg a (c - h k) (dc - dh k)) (slope k h dh n g dg (a + al) c dc)
  end.

(** The left side of the equation. *)
Definition total (p : nat) (h : nat -> R) (n : nat) (g : nat -> R) (a x : R) : R :=
  a * x + sum n (fun k => Rmin (g k) (al * x)) + sum p (fun k => Rmax (h k) (al * x)).

Lemma total_increases p h n g a x y : 0 < a -> x < y -> total p h n g a x < total p h n g a y.
Proof.
  intros Ha H. unfold total.
  assert (a * x < a * y) by (apply Rmult_lt_compat_l; auto).
  assert (K : al * x <= al * y) by (apply Rmult_le_compat_l; lra).
  assert (sum n (fun k => Rmin (g k) (al * x)) <= sum n (fun k => Rmin (g k) (al * y))).
  { apply sum_le. intros. apply Rle_min_compat_l, K. }
  assert (sum p (fun k => Rmax (h k) (al * x)) <= sum p (fun k => Rmax (h k) (al * y))).
  { apply sum_le. intros. apply Rle_max_compat_l, K. }
  lra.
Qed.

Lemma total_le_iff p h n g a x y : 0 < a -> total p h n g a x <= total p h n g a y -> x <= y.
Proof.
  intros Ha H. destruct (Rle_dec x y) as [|c]; auto.
  assert (K := total_increases p h n g a y x Ha). lra.
Qed.

Lemma solve_min_correct n g : forall a c, 0 < a -> total 0 (fun _ => 0) n g a (solve_min n g a c) = c.
Proof.
  induction n; intros a c Ha.
  - unfold total. simpl. field. lra.
  - set (x1 := solve_min n g a (c - g n)). set (x2 := solve_min n g (a + al) c).
    assert (E1 := IHn a (c - g n) Ha). assert (E2 := IHn (a + al) c ltac:(lra)).
    fold x1 in E1. fold x2 in E2.
    assert (U : forall x, total 0 (fun _ => 0) (S n) g a x = total 0 (fun _ => 0) n g a x + Rmin (g n) (al * x))
      by (intros; unfold total; simpl; lra).
    assert (E2' : total 0 (fun _ => 0) n g a x2 + al * x2 = c) by (rewrite <- E2; unfold total; lra).
    rewrite U. simpl. fold x1 x2. destruct (Rle_dec x2 x1) as [H|H].
    + rewrite Rmax_left by lra.
      assert (total 0 (fun _ => 0) n g a x2 <= total 0 (fun _ => 0) n g a x1).
      { destruct H as [H|H]; [left; apply total_increases; auto|rewrite H; lra]. }
      assert (al * x2 <= al * x1) by (apply Rmult_le_compat_l; lra).
      rewrite Rmin_left; lra.
    + rewrite Rmax_right by lra.
      assert (total 0 (fun _ => 0) n g a x1 < total 0 (fun _ => 0) n g a x2) by (apply total_increases; lra).
      rewrite Rmin_right; lra.
Qed.

Lemma solve_correct p h n g : forall a c, 0 < a -> total p h n g a (solve p h n g a c) = c.
Proof.
  induction p; intros a c Ha.
  - pose proof (solve_min_correct n g a c Ha) as E. unfold total in *. simpl in *. lra.
  - set (x1 := solve p h n g a (c - h p)). set (x2 := solve p h n g (a + al) c).
    assert (E1 := IHp a (c - h p) Ha). assert (E2 := IHp (a + al) c ltac:(lra)).
    fold x1 in E1. fold x2 in E2.
    assert (U : forall x, total (S p) h n g a x = total p h n g a x + Rmax (h p) (al * x))
      by (intros; unfold total; simpl; lra).
    assert (E2' : total p h n g a x2 + al * x2 = c) by (rewrite <- E2; unfold total; lra).
    rewrite U. simpl. fold x1 x2. destruct (Rle_dec x1 x2) as [H|H].
    + rewrite Rmin_left by lra.
      assert (total p h n g a x1 <= total p h n g a x2).
      { destruct H as [H|H]; [left; apply total_increases; auto|rewrite H; lra]. }
      assert (al * x1 <= al * x2) by (apply Rmult_le_compat_l; lra).
      rewrite Rmax_left; lra.
    + rewrite Rmin_right by lra.
      assert (total p h n g a x2 < total p h n g a x1) by (apply total_increases; lra).
      rewrite Rmax_right; lra.
Qed.

Lemma solve_unique p h n g a c x : 0 < a -> total p h n g a x = c -> x = solve p h n g a c.
Proof.
  intros Ha H. apply Rle_antisym; apply (total_le_iff p h n g a); auto; rewrite solve_correct; lra.
Qed.

(** ** Moving terms *)

Section Moving.
Variables (t : R) (g dg h dh : nat -> R -> R).
Hypothesis g_slope : forall k, right_derivative (g k) t (dg k t).
Hypothesis h_slope : forall k, right_derivative (h k) t (dh k t).

Lemma solve_min_slope n : forall a c dc, 0 < a -> right_derivative c t dc ->
  right_derivative (fun u => solve_min n (fun k => g k u) a (c u)) t
    (slope_min n (fun k => g k t) (fun k => dg k t) a (c t) dc).
Proof.
  induction n; intros a c dc Ha Hc; simpl.
  - eapply rd_eq; [|reflexivity]. apply rd_ext with (fun u => / a * c u).
    { exists 1. split; [lra|]. intros. unfold Rdiv. lra. }
    eapply rd_eq; [apply rd_scal, Hc|]. unfold Rdiv. lra.
  - apply (rd_max t (fun u => solve_min n (fun k => g k u) a (c u - g n u))
                    (fun u => solve_min n (fun k => g k u) (a + al) (c u))).
    + apply (IHn a (fun u => c u - g n u)); auto. apply rd_minus; auto.
    + apply IHn; auto. lra.
Qed.

Lemma solve_slope p n : forall a c dc, 0 < a -> right_derivative c t dc ->
  right_derivative (fun u => solve p (fun k => h k u) n (fun k => g k u) a (c u)) t
    (slope p (fun k => h k t) (fun k => dh k t) n (fun k => g k t) (fun k => dg k t) a (c t) dc).
Proof.
  induction p; intros a c dc Ha Hc; simpl.
  - apply solve_min_slope; auto.
  - apply (rd_min t (fun u => solve p (fun k => h k u) n (fun k => g k u) a (c u - h p u))
                    (fun u => solve p (fun k => h k u) n (fun k => g k u) (a + al) (c u))).
    + apply (IHp a (fun u => c u - h p u)); auto. apply rd_minus; auto.
    + apply IHp; auto. lra.
Qed.

End Moving.

Lemma solve_min_continuous s tau g n : (forall k, continuous_on (g k) s tau) ->
  forall a c, 0 < a -> continuous_on c s tau ->
  continuous_on (fun u => solve_min n (fun k => g k u) a (c u)) s tau.
Proof.
  intros Hg. induction n; intros a c Ha Hc; simpl.
  - apply continuous_ext with (fun u => / a * c u); [intros; unfold Rdiv; lra|]. apply continuous_scal; auto.
  - apply continuous_max; [|apply IHn; auto; lra].
    apply (IHn a (fun u => c u - g n u)); auto. apply continuous_minus; auto.
Qed.

Lemma solve_continuous s tau h p g n :
  (forall k, continuous_on (g k) s tau) -> (forall k, continuous_on (h k) s tau) ->
  forall a c, 0 < a -> continuous_on c s tau ->
  continuous_on (fun u => solve p (fun k => h k u) n (fun k => g k u) a (c u)) s tau.
Proof.
  intros Hg Hh. induction p; intros a c Ha Hc; simpl.
  - apply solve_min_continuous; auto.
  - apply continuous_min; [|apply IHp; auto; lra].
    apply (IHp a (fun u => c u - h p u)); auto. apply continuous_minus; auto.
Qed.

End Solve.
