(** Finite sums, right derivatives and continuity on an interval: the little analysis
    that the fluid model needs.  Only the standard library of Coq 8.16.            *)
Require Import Reals Lra Lia.

(** The library's tactics, but what they find is checked once, when a proof is closed. *)
Ltac lra := unfold Rdiv in *; xlra_R rchecker_abstract.
Ltac nra := unfold Rdiv in *; xnra_R rchecker_abstract.

Open Scope R_scope.

(** ** Definitions *)

(** [sum n f] = f 0 + f 1 + ... + f (n-1). *)
Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S k => sum k f + f k end.

(** [right_derivative f t l]: f has the right derivative l at t. *)
Definition right_derivative (f : R -> R) (t l : R) : Prop :=
  forall eps, 0 < eps -> exists delta, 0 < delta /\
    forall h, 0 < h < delta -> Rabs (f (t + h) - f t - l * h) <= eps * h.

(** [continuous_on f s tau]: f is continuous on the closed interval [s, tau]. *)
Definition continuous_on (f : R -> R) (s tau : R) : Prop :=
  forall t, s <= t <= tau -> limit1_in f (fun u => s <= u <= tau) (f t) t.

(** Right derivatives of |f|, max(f, g) and min(f, g), from values and right derivatives. *)
Definition abs_slope (x d : R) : R :=
  if Rlt_dec 0 x then d else if Rlt_dec x 0 then - d else Rabs d.
Definition max_slope (x y dx dy : R) : R :=
  if Rlt_dec y x then dx else if Rlt_dec x y then dy else Rmax dx dy.
Definition min_slope (x y dx dy : R) : R :=
  if Rlt_dec x y then dx else if Rlt_dec y x then dy else Rmin dx dy.

(** ** Sums *)

Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof. induction n; simpl; intros H; auto. rewrite IHn, H; auto. Qed.

Lemma sum_plus n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
Proof. induction n; simpl; [lra|]. rewrite IHn. lra. Qed.

Lemma sum_minus n f g : sum n (fun i => f i - g i) = sum n f - sum n g.
Proof. induction n; simpl; [lra|]. rewrite IHn. lra. Qed.

Lemma sum_opp n f : sum n (fun i => - f i) = - sum n f.
Proof. induction n; simpl; [lra|]. rewrite IHn. lra. Qed.

Lemma sum_scal n k f : sum n (fun i => k * f i) = k * sum n f.
Proof. induction n; simpl; [lra|]. rewrite IHn. lra. Qed.

Lemma sum_const n k : sum n (fun _ => k) = INR n * k.
Proof. induction n; [simpl; lra|]. rewrite S_INR. simpl. rewrite IHn. lra. Qed.

Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof.
  induction n; simpl; intros H; [lra|].
  assert (sum n f <= sum n g) by (apply IHn; auto). assert (f n <= g n) by auto. lra.
Qed.

Lemma sum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
Proof.
  induction n; simpl; intros H; [lra|].
  assert (0 <= sum n f) by (apply IHn; auto). assert (0 <= f n) by auto. lra.
Qed.

Lemma sum_zero n f : (forall i, (i < n)%nat -> f i = 0) -> sum n f = 0.
Proof. intros H. rewrite (sum_ext n f (fun _ => 0) H), sum_const. lra. Qed.

(** A term of a non-negative sum is at most the sum. *)
Lemma sum_term_le n f k :
  (forall i, (i < n)%nat -> 0 <= f i) -> (k < n)%nat -> f k <= sum n f.
Proof.
  induction n; intros H Hk; [lia|]. simpl.
  assert (0 <= sum n f) by (apply sum_nonneg; auto).
  assert (0 <= f n) by auto.
  destruct (Nat.eq_dec k n) as [->|]; [lra|].
  assert (f k <= sum n f) by (apply IHn; [auto|lia]). lra.
Qed.

Lemma sum_split m n f : sum (m + n) f = sum m f + sum n (fun i => f (m + i)%nat).
Proof.
  induction n; [rewrite Nat.add_0_r; simpl; lra|].
  rewrite Nat.add_succ_r. simpl. rewrite IHn. lra.
Qed.

(** ** Right derivatives *)

Section RightDerivative.
Variable t : R.

Lemma rd_ext f g l :
  (exists d, 0 < d /\ forall h, 0 <= h < d -> f (t + h) = g (t + h)) ->
  right_derivative g t l -> right_derivative f t l.
Proof.
  intros (d & Hd & E) H eps He. destruct (H eps He) as (d' & Hd' & H').
  exists (Rmin d d'). split; [apply Rmin_pos; auto|]. intros h Hh.
  assert (Rmin d d' <= d) by apply Rmin_l. assert (Rmin d d' <= d') by apply Rmin_r.
  assert (E0 : f t = g t) by (rewrite <- (Rplus_0_r t); apply E; lra).
  rewrite E, E0 by lra. apply H'. lra.
Qed.

Lemma rd_affine f l :
  (exists d, 0 < d /\ forall h, 0 <= h < d -> f (t + h) = f t + l * h) -> right_derivative f t l.
Proof.
  intros (d & Hd & E) eps He. exists d. split; auto. intros h Hh.
  rewrite E by lra. replace (f t + l * h - f t - l * h) with 0 by lra.
  rewrite Rabs_R0. apply Rmult_le_pos; lra.
Qed.

Lemma rd_const k : right_derivative (fun _ => k) t 0.
Proof. apply rd_affine. exists 1. split; [lra|]. intros. lra. Qed.

Lemma rd_linear k b : right_derivative (fun u => k * u + b) t k.
Proof. apply rd_affine. exists 1. split; [lra|]. intros. lra. Qed.

Lemma rd_plus f g l m :
  right_derivative f t l -> right_derivative g t m -> right_derivative (fun u => f u + g u) t (l + m).
Proof.
  intros Hf Hg eps He.
  destruct (Hf (eps / 2)) as (d & Hd & H); [lra|].
  destruct (Hg (eps / 2)) as (d' & Hd' & H'); [lra|].
  exists (Rmin d d'). split; [apply Rmin_pos; auto|]. intros h Hh.
  assert (Rmin d d' <= d) by apply Rmin_l. assert (Rmin d d' <= d') by apply Rmin_r.
  specialize (H h ltac:(lra)). specialize (H' h ltac:(lra)).
  replace (f (t + h) + g (t + h) - (f t + g t) - (l + m) * h)
    with ((f (t + h) - f t - l * h) + (g (t + h) - g t - m * h)) by lra.
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

Lemma rd_scal k f l : right_derivative f t l -> right_derivative (fun u => k * f u) t (k * l).
Proof.
  intros Hf eps He. assert (0 <= Rabs k) by apply Rabs_pos.
  assert (Hp : 0 < eps / (Rabs k + 1)) by (apply Rdiv_lt_0_compat; lra).
  destruct (Hf _ Hp) as (d & Hd & H'). exists d. split; auto. intros h Hh.
  specialize (H' h Hh).
  replace (k * f (t + h) - k * f t - k * l * h) with (k * (f (t + h) - f t - l * h)) by ring.
  rewrite Rabs_mult.
  apply Rle_trans with (Rabs k * (eps / (Rabs k + 1) * h)).
  - apply Rmult_le_compat_l; auto.
  - replace (eps * h) with ((Rabs k + 1) * (eps / (Rabs k + 1) * h)) by (field; lra).
    apply Rmult_le_compat_r; [|lra]. apply Rmult_le_pos; lra.
Qed.

Lemma rd_eq f l m : right_derivative f t l -> l = m -> right_derivative f t m.
Proof. intros H <-. exact H. Qed.

Lemma rd_opp f l : right_derivative f t l -> right_derivative (fun u => - f u) t (- l).
Proof.
  intros H. apply rd_ext with (fun u => (-1) * f u).
  - exists 1. split; [lra|]. intros. lra.
  - eapply rd_eq; [apply rd_scal, H|lra].
Qed.

Lemma rd_minus f g l m :
  right_derivative f t l -> right_derivative g t m -> right_derivative (fun u => f u - g u) t (l - m).
Proof. intros Hf Hg. unfold Rminus. apply rd_plus; auto. apply rd_opp; auto. Qed.

Lemma rd_sum n (f : nat -> R -> R) d :
  (forall i, (i < n)%nat -> right_derivative (f i) t (d i)) ->
  right_derivative (fun u => sum n (fun i => f i u)) t (sum n d).
Proof.
  induction n; simpl; intros H; [apply rd_const|].
  apply rd_plus; auto.
Qed.

(** A right derivative is unique. *)
Lemma rd_unique f l m : right_derivative f t l -> right_derivative f t m -> l = m.
Proof.
  intros Hl Hm. apply cond_eq. intros eps He.
  destruct (Hl (eps / 3)) as (d & Hd & H); [lra|].
  destruct (Hm (eps / 3)) as (d' & Hd' & H'); [lra|].
  pose (h := Rmin d d' / 2).
  assert (0 < Rmin d d') by (apply Rmin_pos; auto).
  assert (Rmin d d' <= d) by apply Rmin_l. assert (Rmin d d' <= d') by apply Rmin_r.
  assert (Hh : 0 < h) by (unfold h; lra).
  specialize (H h ltac:(unfold h in *; lra)). specialize (H' h ltac:(unfold h in *; lra)).
  assert (E : (l - m) * h = (f (t + h) - f t - m * h) - (f (t + h) - f t - l * h)) by ring.
  assert (K : Rabs ((l - m) * h) <= 2 * (eps / 3) * h).
  { rewrite E. unfold Rminus at 1. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
  rewrite Rabs_mult, (Rabs_right h) in K by lra.
  apply Rmult_le_reg_r in K; lra.
Qed.

(** A function with a right derivative is continuous from the right. *)
Lemma rd_right_continuous f l :
  right_derivative f t l -> forall eps, 0 < eps ->
  exists d, 0 < d /\ forall h, 0 <= h < d -> Rabs (f (t + h) - f t) < eps.
Proof.
  intros H eps He. destruct (H 1 Rlt_0_1) as (d & Hd & H').
  assert (0 <= Rabs l) by apply Rabs_pos.
  assert (Hp : 0 < eps / (Rabs l + 2)) by (apply Rdiv_lt_0_compat; lra).
  exists (Rmin d (eps / (Rabs l + 2))). split; [apply Rmin_pos; auto|]. intros h Hh.
  destruct (Req_dec h 0) as [->|Hz].
  { rewrite Rplus_0_r, Rminus_diag_eq, Rabs_R0; auto. }
  assert (Rmin d (eps / (Rabs l + 2)) <= d) by apply Rmin_l.
  assert (Rmin d (eps / (Rabs l + 2)) <= eps / (Rabs l + 2)) by apply Rmin_r.
  specialize (H' h ltac:(lra)).
  replace (f (t + h) - f t) with ((f (t + h) - f t - l * h) + l * h) by ring.
  eapply Rle_lt_trans; [apply Rabs_triang|]. rewrite Rabs_mult, (Rabs_right h) by lra.
  assert (K : (Rabs l + 2) * h < eps).
  { assert (L : h < eps / (Rabs l + 2)) by lra.
    apply (Rmult_lt_compat_l (Rabs l + 2)) in L; [|lra].
    replace ((Rabs l + 2) * (eps / (Rabs l + 2))) with eps in L by (field; lra). lra. }
  lra.
Qed.

(** Where f t > 0, f stays positive for a while. *)
Lemma rd_stays_positive f l :
  right_derivative f t l -> 0 < f t -> exists d, 0 < d /\ forall h, 0 <= h < d -> 0 < f (t + h).
Proof.
  intros H Hp. destruct (rd_right_continuous f l H (f t) Hp) as (d & Hd & K).
  exists d. split; auto. intros h Hh. specialize (K h Hh). apply Rabs_def2 in K. lra.
Qed.

Lemma rd_abs f l : right_derivative f t l -> right_derivative (fun u => Rabs (f u)) t (abs_slope (f t) l).
Proof.
  intros H. unfold abs_slope. destruct (Rlt_dec 0 (f t)) as [Hp|Hp].
  { destruct (rd_stays_positive f l H Hp) as (d & Hd & K).
    apply rd_ext with f; auto. exists d. split; auto. intros h Hh. apply Rabs_right.
    specialize (K h Hh). lra. }
  destruct (Rlt_dec (f t) 0) as [Hn|Hn].
  { destruct (rd_stays_positive (fun u => - f u) (- l) (rd_opp f l H)) as (d & Hd & K); [lra|].
    apply rd_ext with (fun u => - f u); [|apply rd_opp, H].
    exists d. split; auto. intros h Hh. apply Rabs_left. specialize (K h Hh). simpl in K. lra. }
  assert (E : f t = 0) by lra. intros eps He. destruct (H eps He) as (d & Hd & K).
  exists d. split; auto. intros h Hh. specialize (K h Hh).
  rewrite E, Rabs_R0, Rminus_0_r in *.
  replace (Rabs l * h) with (Rabs (l * h)) by (rewrite Rabs_mult, (Rabs_right h); lra).
  eapply Rle_trans; [apply Rabs_triang_inv2|exact K].
Qed.

Lemma Rmax_abs x y : Rmax x y = / 2 * (x + y + Rabs (x - y)).
Proof.
  destruct (Rle_dec x y) as [H|H].
  - rewrite Rmax_right, Rabs_left1; lra.
  - rewrite Rmax_left, Rabs_right; lra.
Qed.

Lemma Rmin_abs x y : Rmin x y = / 2 * (x + y - Rabs (x - y)).
Proof.
  destruct (Rle_dec x y) as [H|H].
  - rewrite Rmin_left, Rabs_left1; lra.
  - rewrite Rmin_right, Rabs_right; lra.
Qed.

Lemma rd_max f g l m :
  right_derivative f t l -> right_derivative g t m ->
  right_derivative (fun u => Rmax (f u) (g u)) t (max_slope (f t) (g t) l m).
Proof.
  intros Hf Hg.
  apply rd_ext with (fun u => / 2 * (f u + g u + Rabs (f u - g u))).
  { exists 1. split; [lra|]. intros. apply Rmax_abs. }
  eapply rd_eq.
  - apply rd_scal, rd_plus; [apply rd_plus; eauto|]. apply rd_abs. apply rd_minus; eauto.
  - unfold abs_slope, max_slope. destruct (Rlt_dec (g t) (f t)), (Rlt_dec (f t) (g t)), (Rlt_dec 0 (f t - g t)),
      (Rlt_dec (f t - g t) 0); try lra. rewrite Rmax_abs. lra.
Qed.

Lemma rd_min f g l m :
  right_derivative f t l -> right_derivative g t m ->
  right_derivative (fun u => Rmin (f u) (g u)) t (min_slope (f t) (g t) l m).
Proof.
  intros Hf Hg.
  apply rd_ext with (fun u => / 2 * (f u + g u - Rabs (f u - g u))).
  { exists 1. split; [lra|]. intros. apply Rmin_abs. }
  eapply rd_eq.
  - apply rd_scal, rd_minus; [apply rd_plus; eauto|]. apply rd_abs. apply rd_minus; eauto.
  - unfold abs_slope, min_slope. destruct (Rlt_dec (g t) (f t)), (Rlt_dec (f t) (g t)), (Rlt_dec 0 (f t - g t)),
      (Rlt_dec (f t - g t) 0); try lra. rewrite Rmin_abs. lra.
Qed.

(** f stopped at the instant c. *)
Lemma rd_stop_before f l c : t < c -> right_derivative f t l -> right_derivative (fun u => f (Rmin u c)) t l.
Proof.
  intros Hc. apply rd_ext. exists (c - t). split; [lra|]. intros h Hh. rewrite Rmin_left; [reflexivity|lra].
Qed.

Lemma rd_stop_after f c : c <= t -> right_derivative (fun u => f (Rmin u c)) t 0.
Proof.
  intros Hc. apply rd_ext with (fun _ => f c); [|apply rd_const].
  exists 1. split; [lra|]. intros h Hh. rewrite Rmin_right; [reflexivity|lra].
Qed.

End RightDerivative.

(** ** Continuity on an interval *)

Section Continuity.
Variables s tau : R.

Lemma continuous_const k : continuous_on (fun _ => k) s tau.
Proof. intros t _ eps He. exists 1. split; [lra|]. intros. simpl. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0; auto. Qed.

Lemma continuous_linear k b : continuous_on (fun u => k * u + b) s tau.
Proof.
  intros t _. apply limit_plus; [apply limit_mul|].
  - intros eps He. exists 1. split; [lra|]. intros. simpl. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0; auto.
  - intros eps He. exists eps. split; [lra|]. intros x [_ H]. exact H.
  - intros eps He. exists 1. split; [lra|]. intros. simpl. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0; auto.
Qed.

Lemma continuous_plus f g :
  continuous_on f s tau -> continuous_on g s tau -> continuous_on (fun u => f u + g u) s tau.
Proof. intros Hf Hg t Ht. apply limit_plus; auto. Qed.

Lemma continuous_opp f : continuous_on f s tau -> continuous_on (fun u => - f u) s tau.
Proof. intros Hf t Ht. apply limit_Ropp; auto. Qed.

Lemma continuous_minus f g :
  continuous_on f s tau -> continuous_on g s tau -> continuous_on (fun u => f u - g u) s tau.
Proof. intros Hf Hg t Ht. apply limit_minus; auto. Qed.

Lemma continuous_scal k f : continuous_on f s tau -> continuous_on (fun u => k * f u) s tau.
Proof.
  intros Hf t Ht. apply (limit_mul (fun _ => k) f); auto.
  exact (continuous_const k t Ht).
Qed.

Lemma continuous_ext f g :
  (forall u, s <= u <= tau -> f u = g u) -> continuous_on g s tau -> continuous_on f s tau.
Proof.
  intros E H t Ht eps He. destruct (H t Ht eps He) as (d & Hd & K). exists d. split; auto.
  intros x Hx. rewrite (E x), (E t); [apply K; auto|auto|apply Hx].
Qed.

Lemma continuous_abs f : continuous_on f s tau -> continuous_on (fun u => Rabs (f u)) s tau.
Proof.
  intros H t Ht eps He. destruct (H t Ht eps He) as (d & Hd & K). exists d. split; auto.
  intros x Hx. specialize (K x Hx). simpl in *. unfold R_dist in *.
  eapply Rle_lt_trans; [apply Rabs_triang_inv2|exact K].
Qed.

Lemma continuous_max f g :
  continuous_on f s tau -> continuous_on g s tau -> continuous_on (fun u => Rmax (f u) (g u)) s tau.
Proof.
  intros Hf Hg. apply continuous_ext with (fun u => / 2 * (f u + g u + Rabs (f u - g u))).
  - intros. apply Rmax_abs.
  - apply continuous_scal, continuous_plus; [apply continuous_plus|apply continuous_abs, continuous_minus]; auto.
Qed.

Lemma continuous_min f g :
  continuous_on f s tau -> continuous_on g s tau -> continuous_on (fun u => Rmin (f u) (g u)) s tau.
Proof.
  intros Hf Hg. apply continuous_ext with (fun u => / 2 * (f u + g u - Rabs (f u - g u))).
  - intros. apply Rmin_abs.
  - apply continuous_scal, continuous_minus; [apply continuous_plus|apply continuous_abs, continuous_minus]; auto.
Qed.

Lemma continuous_sum n (f : nat -> R -> R) :
  (forall i, (i < n)%nat -> continuous_on (f i) s tau) ->
  continuous_on (fun u => sum n (fun i => f i u)) s tau.
Proof.
  induction n; simpl; intros H; [apply continuous_const|]. apply continuous_plus; auto.
Qed.

Lemma continuous_stop f c :
  s <= c -> continuous_on f s tau -> continuous_on (fun u => f (Rmin u c)) s tau.
Proof.
  intros Hc H t Ht eps He.
  assert (Hm : s <= Rmin t c <= tau).
  { split; [apply Rmin_glb; lra|]. eapply Rle_trans; [apply Rmin_l|lra]. }
  destruct (H _ Hm eps He) as (d & Hd & K). exists d. split; auto.
  intros x [[Hx Hx'] Hd']. apply K. split.
  - split; [apply Rmin_glb; lra|]. eapply Rle_trans; [apply Rmin_l|lra].
  - simpl in *. unfold R_dist in *. revert Hd'. unfold Rabs, Rmin.
    destruct (Rle_dec x c), (Rle_dec t c); repeat (destruct (Rcase_abs _)); lra.
Qed.

Lemma continuous_sub f a b : s <= a -> b <= tau -> continuous_on f s tau -> continuous_on f a b.
Proof.
  intros Ha Hb H t Ht eps He. destruct (H t ltac:(lra) eps He) as (d & Hd & K). exists d. split; auto.
  intros x [Hx Hx']. apply K. split; auto. lra.
Qed.

(** Two pieces that meet at c. *)
Lemma continuous_glue f g c : s <= c <= tau -> continuous_on f s c -> continuous_on g c tau -> f c = g c ->
  continuous_on (fun t => if Rlt_dec t c then f t else g t) s tau.
Proof.
  intros Hc Hf Hg E t Ht eps He. destruct (Rlt_dec t c) as [Hl|Hl].
  { destruct (Hf t ltac:(lra) eps He) as (d & Hd & K).
    exists (Rmin d (c - t)). split; [apply Rmin_pos; lra|]. intros x [Hx Hd'].
    assert (Rmin d (c - t) <= d) by apply Rmin_l. assert (Rmin d (c - t) <= c - t) by apply Rmin_r.
    simpl in *. unfold R_dist in *. assert (Hxc : x < c) by (apply Rabs_def2 in Hd'; lra).
    destruct (Rlt_dec x c); [|lra]. apply K. split; lra. }
  destruct (Hg t ltac:(lra) eps He) as (d & Hd & K).
  destruct (Req_dec t c) as [->|Hne].
  { destruct (Hf c ltac:(lra) eps He) as (d' & Hd' & K').
    exists (Rmin d d'). split; [apply Rmin_pos; lra|]. intros x [Hx Hx'].
    assert (Rmin d d' <= d) by apply Rmin_l. assert (Rmin d d' <= d') by apply Rmin_r.
    simpl in *. destruct (Rlt_dec x c); [rewrite <- E; apply K'|apply K]; split; lra. }
  exists (Rmin d (t - c)). split; [apply Rmin_pos; lra|]. intros x [Hx Hx'].
  assert (Rmin d (t - c) <= d) by apply Rmin_l. assert (Rmin d (t - c) <= t - c) by apply Rmin_r.
  simpl in *. unfold R_dist in *. assert (Hxc : c < x) by (apply Rabs_def2 in Hx'; lra).
  destruct (Rlt_dec x c); [lra|]. apply K. split; lra.
Qed.

(** A continuous function whose right derivative is nowhere positive does not grow. *)
Lemma nonincreasing f d :
  s <= tau -> continuous_on f s tau ->
  (forall t, s <= t < tau -> right_derivative f t (d t) /\ d t <= 0) -> f tau <= f s.
Proof.
  intros Hst Hc Hd.
  destruct (Rle_dec (f tau) (f s)) as [|Hno]; auto. exfalso.
  assert (Hlt : s < tau). { destruct Hst as [|E]; auto. rewrite E in Hno. lra. }
  pose (eps := (f tau - f s) / (2 * (tau - s))).
  assert (He : 0 < eps) by (apply Rdiv_lt_0_compat; lra).
  assert (Hee : eps * (tau - s) < f tau - f s).
  { replace (eps * (tau - s)) with ((f tau - f s) / 2) by (unfold eps; field; lra). lra. }
  pose (E := fun t => s <= t <= tau /\ forall u, s <= u <= t -> f u - f s <= eps * (u - s)).
  assert (Es : E s). { split; [lra|]. intros u Hu. replace u with s by lra. lra. }
  destruct (completeness E) as (m & Hub & Hlub).
  { exists tau. intros x Hx. apply Hx. }
  { exists s. exact Es. }
  assert (Hms : s <= m) by (apply Hub; exact Es).
  assert (Hmt : m <= tau) by (apply Hlub; intros x Hx; apply Hx).
  assert (Hbelow : forall u, s <= u < m -> f u - f s <= eps * (u - s)).
  { intros u Hu. destruct (Rle_dec (f u - f s) (eps * (u - s))) as [|Hn]; auto. exfalso.
    assert (m <= u); [|lra]. apply Hlub. intros x Hx.
    destruct (Rle_dec x u) as [|Hxu]; auto. exfalso. apply Hn. apply Hx. lra. }
  assert (Hm : f m - f s <= eps * (m - s)).
  { destruct (Req_dec m s) as [->|Hne]; [lra|].
    destruct (Rle_dec (f m - f s) (eps * (m - s))) as [|Hn]; auto. exfalso.
    pose (g := f m - f s - eps * (m - s)). assert (Hg : 0 < g) by (unfold g; lra).
    destruct (Hc m ltac:(lra) g Hg) as (dl & Hdl & K).
    pose (u := Rmax s (m - dl / 2)).
    assert (Hu : s <= u < m) by (unfold u; split; [apply Rmax_l|apply Rmax_lub_lt; lra]).
    assert (Hu2 : m - dl / 2 <= u) by apply Rmax_r.
    specialize (Hbelow u Hu).
    assert (K' : Rabs (f u - f m) < g).
    { apply (K u). split; [lra|]. simpl. unfold R_dist. rewrite Rabs_left; lra. }
    apply Rabs_def2 in K'. assert (eps * (u - s) <= eps * (m - s)) by (apply Rmult_le_compat_l; lra).
    unfold g in *. lra. }
  destruct (Rle_lt_or_eq_dec m tau Hmt) as [Hlt'|Heq].
  2: { subst m. lra. }
  destruct (Hd m ltac:(lra)) as [Hr Hn].
  destruct (Hr eps He) as (dl & Hdl & K).
  assert (HE : E (Rmin (m + dl / 2) tau)).
  { assert (Rmin (m + dl / 2) tau <= m + dl / 2) by apply Rmin_l.
    split; [split; [apply Rmin_glb; lra|apply Rmin_r]|].
    intros u Hu. destruct (Rlt_dec u m) as [|Hum]; [apply Hbelow; lra|].
    destruct (Req_dec u m) as [->|Hne]; auto.
    specialize (K (u - m) ltac:(lra)). replace (m + (u - m)) with u in K by lra.
    assert (K1 : f u - f m - d m * (u - m) <= eps * (u - m)) by (eapply Rle_trans; [apply Rle_abs|exact K]). assert (d m * (u - m) <= 0).
    { assert (0 <= (- d m) * (u - m)) by (apply Rmult_le_pos; lra). lra. }
    lra. }
  apply Hub in HE. assert (m < Rmin (m + dl / 2) tau) by (apply Rmin_glb_lt; lra). lra.
Qed.

End Continuity.
