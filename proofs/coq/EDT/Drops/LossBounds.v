(** Bytes lost, and not only the first one: a bound for arrivals that a token bucket lets through.

      [lost_bound]      whatever the policy: a queue that rejects only while it holds at least theta loses no more than this;
      [lost_share]      in closed form: arrivals that never come faster than P;
      [lost_any_peak]   the same for arrivals of any rate;
      [bucket_exists]   arrivals of at most sigma + rho (v - u) bytes between any u and v pass such a bucket;
      [dt_lost]         DT, whatever comes to the other ports.

    The bound decreases along max(Q - m y, - (m - lambda) y), y being what the arrivals have taken out of the bucket. *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence ThresholdRule GuaranteesReserve.
Open Scope R_scope.

(** What arrivals at the rate a have taken out of a bucket of sigma bytes that is full at s and filled at rho: never more than sigma. *)
Record conforms (rho sigma : R) (a : R -> R) (s tau : R) (y : R -> R) : Prop := {
  taken_nothing : y s = 0;
  taken_within : forall t, s <= t <= tau -> 0 <= y t <= sigma;
  taken_continuous : continuous_on y s tau;
  taken_slope : forall t, s <= t < tau -> right_derivative y t (if Rlt_dec 0 (y t) then a t - rho else Rmax 0 (a t - rho))
}.

(** What a queue of a switch has lost since s: the integral of what it rejects. *)
Record loses (sw : switch) (Ar Q D : nat -> R -> R) (i : nat) (s tau : R) (L : R -> R) : Prop := {
  lost_nothing : L s = 0;
  lost_continuous : continuous_on L s tau;
  lost_slope : forall t, s <= t < tau -> right_derivative L t (rejected sw Ar Q D i t)
}.

(** A queue of any policy: it never rejects more than arrives at it, and only while it holds at least theta. *)
Record guaranteed (sw : switch) (Ar Q D : nat -> R -> R) (i : nat) (s tau theta : R) : Prop := {
  g_nonneg : forall t, s <= t <= tau -> 0 <= Q i t;
  g_continuous : continuous_on (Q i) s tau;
  g_slope : forall t, s <= t < tau -> right_derivative (Q i) t (D i t);
  g_rejects : forall t, s <= t < tau -> 0 <= rejected sw Ar Q D i t;
  g_only : forall t, s <= t < tau -> 0 < rejected sw Ar Q D i t -> theta <= Q i t
}.

Section Bound.
Variables (sw : switch) (Ar Q D : nat -> R -> R) (i : nat) (s tau theta sigma rho : R) (y L : R -> R).
Hypotheses (ordered : s <= tau) (sends : 0 <= service sw i).
Hypothesis arrives : forall t, s <= t < tau -> 0 <= Ar i t.
Hypothesis rate : 0 <= rho.
Hypothesis queue : guaranteed sw Ar Q D i s tau theta.
Hypothesis bucket : conforms rho sigma (Ar i) s tau y.
Hypothesis loss : loses sw Ar Q D i s tau L.
Notation C := (service sw i).
Notation taken t := (if Rlt_dec 0 (y t) then Ar i t - rho else Rmax 0 (Ar i t - rho)).

(** With some slack: lambda sigma < theta. *)
Lemma slack_bound m lambda kappa : 0 < lambda <= m -> lambda * sigma < theta -> (m - lambda) * rho <= kappa ->
  (forall t, s <= t < tau -> (1 - m) * Ar i t + m * rho - C <= kappa) -> L tau <= Q i s + kappa * (tau - s) + (m - lambda) * sigma.
Proof.
  intros Hl Hlt Hk Hm.
  set (f := fun u => Q i u + (- m) * y u). set (g := fun u => (- (m - lambda)) * y u).
  assert (K0 : 0 <= kappa) by (assert (0 <= (m - lambda) * rho) by (apply Rmult_le_pos; lra); lra).
  assert (G : L tau + Rmax (f tau) (g tau) - kappa * tau <= L s + Rmax (f s) (g s) - kappa * s).
  { apply (nonincreasing s tau (fun u => L u + Rmax (f u) (g u) - kappa * u)
      (fun u => rejected sw Ar Q D i u + max_slope (f u) (g u) (D i u + (- m) * taken u) ((- (m - lambda)) * taken u) - kappa)); auto.
    - apply continuous_minus; [apply continuous_plus; [apply (lost_continuous _ _ _ _ _ _ _ _ loss)|apply continuous_max]|].
      + unfold f. apply continuous_plus; [apply (g_continuous _ _ _ _ _ _ _ _ queue)|apply continuous_scal, (taken_continuous _ _ _ _ _ _ bucket)].
      + unfold g. apply continuous_scal, (taken_continuous _ _ _ _ _ _ bucket).
      + apply continuous_ext with (fun u => kappa * u + 0); [intros; ring|apply continuous_linear].
    - intros t Ht. pose proof (taken_slope _ _ _ _ _ _ bucket t Ht) as Dy. split.
      + apply rd_minus; [apply rd_plus; [apply (lost_slope _ _ _ _ _ _ _ _ loss); auto|apply rd_max]|].
        * unfold f. apply rd_plus; [apply (g_slope _ _ _ _ _ _ _ _ queue); auto|apply rd_scal; exact Dy].
        * unfold g. apply rd_scal. exact Dy.
        * apply rd_affine. exists 1. split; [lra|]. intros. ring.
      + clear Dy. specialize (Hm t Ht). pose proof (arrives t Ht) as Ha.
        pose proof (g_nonneg _ _ _ _ _ _ _ _ queue t ltac:(lra)) as Hq. pose proof (taken_within _ _ _ _ _ _ bucket t ltac:(lra)) as Hy.
        pose proof (g_rejects _ _ _ _ _ _ _ _ queue t Ht) as Hr. pose proof (g_only _ _ _ _ _ _ _ _ queue t Ht) as Ho.
        assert (S : Ar i t - rho <= taken t) by (destruct (Rlt_dec 0 (y t)); [lra|apply Rmax_r]).
        assert (S1 : m * (Ar i t - rho) <= m * taken t) by (apply Rmult_le_compat_l; lra).
        assert (S2 : (m - lambda) * (Ar i t - rho) <= (m - lambda) * taken t) by (apply Rmult_le_compat_l; lra).
        assert (S3 : 0 <= (m - lambda) * Ar i t) by (apply Rmult_le_pos; lra).
        assert (S4 : ~ 0 < y t -> 0 <= m * taken t).
        { intros Hn. apply Rmult_le_pos; [lra|]. destruct (Rlt_dec 0 (y t)); [lra|apply Rmax_l]. }
        assert (Ly : lambda * y t <= lambda * sigma) by (apply Rmult_le_compat_l; lra).
        assert (L0 : 0 <= lambda * y t) by (apply Rmult_le_pos; lra).
        assert (L1 : 0 < y t -> 0 < lambda * y t) by (intros; apply Rmult_lt_0_compat; lra).
        assert (E : rejected sw Ar Q D i t + D i t = highest sw Ar i (Q i t) t) by (unfold rejected; ring).
        assert (Low : Q i t < theta -> rejected sw Ar Q D i t = 0) by (intros; destruct Hr as [Hr|]; auto; specialize (Ho Hr); lra).
        revert E Low. generalize (rejected sw Ar Q D i t) (D i t). intros r d E Low. unfold highest in E.
        clear Hr Ho. unfold f, g, max_slope. revert S S1 S2 S4. generalize (taken t). intros w S S1 S2 S4.
        destruct (Rlt_dec (- (m - lambda) * y t) (Q i t + - m * y t)) as [c|c].
        { assert (0 < Q i t) by lra. destruct (Rlt_dec 0 (Q i t)); lra. }
        assert (r = 0) by (apply Low; lra). subst r.
        destruct (Rlt_dec (Q i t + - m * y t) (- (m - lambda) * y t)); [lra|]. unfold Rmax at 1. destruct (Rle_dec _ _); [lra|].
        destruct (Rlt_dec 0 (Q i t)); [lra|]. assert (Y : ~ 0 < y t) by (intros Hp; specialize (L1 Hp); lra). specialize (S4 Y).
        unfold Rmax in E. destruct (Rle_dec 0 (Ar i t - C)); lra. }
  assert (Z : y s = 0) by apply (taken_nothing _ _ _ _ _ _ bucket). assert (Z' : L s = 0) by apply (lost_nothing _ _ _ _ _ _ _ _ loss).
  pose proof (g_nonneg _ _ _ _ _ _ _ _ queue s ltac:(lra)) as Hq.
  assert (A : Rmax (f s) (g s) = Q i s) by (unfold f, g; rewrite Z; rewrite Rmax_left; lra).
  pose proof (Rmax_r (f tau) (g tau)) as Bd. unfold g at 1 in Bd.
  pose proof (taken_within _ _ _ _ _ _ bucket tau ltac:(lra)) as Hy.
  assert ((m - lambda) * y tau <= (m - lambda) * sigma) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** Whatever the policy. The free number m says how much of a burst may be expected to stay. *)
Theorem lost_bound m kappa : 0 < theta -> 0 < sigma -> theta <= m * sigma -> (m * sigma - theta) * rho <= kappa * sigma ->
  (forall t, s <= t < tau -> (1 - m) * Ar i t + m * rho - C <= kappa) -> L tau <= Q i s + kappa * (tau - s) + (m * sigma - theta).
Proof.
  intros Ht Hs Hm Hk Ha. apply Rnot_lt_le. intros Hn.
  set (gap := L tau - (Q i s + kappa * (tau - s) + (m * sigma - theta))) in *. assert (Hg : 0 < gap) by (unfold gap; lra). 
  set (w := sigma + rho * (tau - s)). assert (Hw : 0 < w) by (unfold w; assert (0 <= rho * (tau - s)) by (apply Rmult_le_pos; lra); lra).
  set (e := Rmin (theta / sigma / 2) (gap / w / 2)).
  assert (P1 : 0 < theta / sigma) by (apply Rdiv_lt_0_compat; lra). assert (P2 : 0 < gap / w) by (apply Rdiv_lt_0_compat; lra).
  assert (He : 0 < e) by (apply Rmin_pos; lra). assert (E1 : e <= theta / sigma / 2) by apply Rmin_l. assert (E2 : e <= gap / w / 2) by apply Rmin_r.
  assert (Et : theta / sigma * sigma = theta) by (field; lra).
  assert (Hml : theta / sigma <= m) by (apply Rmult_le_reg_r with sigma; lra).
  assert (Ek : (m - theta / sigma) * rho <= kappa) by (apply Rmult_le_reg_r with sigma; [lra|]; replace ((m - theta / sigma) * rho * sigma) with ((m * sigma - theta / sigma * sigma) * rho) by ring; rewrite Et; exact Hk).
  assert (Hes : 0 < e * sigma) by (apply Rmult_lt_0_compat; lra). assert (Her : 0 <= e * rho) by (apply Rmult_le_pos; lra).
  pose proof (slack_bound m (theta / sigma - e) (kappa + e * rho)) as K.
  assert (Ew : e * w <= gap / 2). { apply Rle_trans with (gap / w / 2 * w); [apply Rmult_le_compat_r; lra|]. right. field. lra. }
  unfold w in Ew. rewrite Rmult_plus_distr_l in Ew.
  assert (L tau <= Q i s + (kappa + e * rho) * (tau - s) + (m - (theta / sigma - e)) * sigma); [|unfold gap in *; lra].
  apply K; [lra|lra|lra|]. intros t Htt. specialize (Ha t Htt). lra.
Qed.

End Bound.

(** ** Closed forms *)

Section Forms.
Variables (sw : switch) (Ar Q D : nat -> R -> R) (i : nat) (s tau theta sigma rho : R) (y L : R -> R).
Hypothesis ordered : s <= tau.
Hypothesis arrives : forall t, s <= t < tau -> 0 <= Ar i t.
Hypothesis rate : 0 <= rho.
Hypothesis queue : guaranteed sw Ar Q D i s tau theta.
Hypothesis bucket : conforms rho sigma (Ar i) s tau y.
Hypotheses (loss : loses sw Ar Q D i s tau L) (room : 0 < theta <= sigma).
Notation C := (service sw i).

(** Arrivals that never come faster than P, and of which no more than C theta / sigma is lasting (rho <= C is enough). *)
Theorem lost_share P : 0 <= C -> 0 < P -> rho <= P -> rho * theta <= C * sigma -> (forall t, s <= t < tau -> Ar i t <= P) ->
  L tau <= Q i s + (sigma + rho * (tau - s)) * Rmax 0 (1 - C / P - theta / sigma * (1 - rho / P)).
Proof.
  intros HC HP Hr Hrt Hpeak.
  set (x := 1 - C / P - theta / sigma * (1 - rho / P)).
  assert (Ex : x * (P * sigma) = sigma * (P - C) - theta * (P - rho)) by (unfold x; field; lra).
  assert (Pos : 0 < P * sigma) by (apply Rmult_lt_0_compat; lra).
  destruct (Rle_dec 0 x) as [c|c].
  - rewrite Rmax_right by auto.
    set (m := 1 - (C - theta * rho / sigma) / P). assert (Em : m * sigma - theta = x * sigma) by (unfold m, x; field; lra).
    assert (Xs : 0 <= x * sigma) by (apply Rmult_le_pos; lra).
    replace (Q i s + (sigma + rho * (tau - s)) * x) with (Q i s + rho * x * (tau - s) + (m * sigma - theta)) by (rewrite Em; ring).
    apply (lost_bound sw Ar Q D i s tau theta sigma rho y L); auto; try lra; [rewrite Em; right; ring|].
    intros t Ht. specialize (Hpeak t Ht).
    assert (M1 : m <= 1).
    { apply Rmult_le_reg_r with (P * sigma); auto. replace (m * (P * sigma)) with (P * sigma - (C * sigma - rho * theta)) by (unfold m; field; lra). lra. }
    assert ((1 - m) * Ar i t <= (1 - m) * P) by (apply Rmult_le_compat_l; lra).
    assert ((1 - m) * P + m * rho - C = rho * x) by (unfold m, x; field; lra). lra.
  - rewrite Rmax_left, Rmult_0_r by lra.
    assert (Ts : theta / sigma * sigma = theta) by (field; lra).
    replace (Q i s + 0) with (Q i s + 0 * (tau - s) + (theta / sigma * sigma - theta)) by (rewrite Ts; ring).
    apply (lost_bound sw Ar Q D i s tau theta sigma rho y L); auto; try lra; rewrite ?Ts; try lra.
    intros t Ht. specialize (Hpeak t Ht).
    assert (M1 : theta / sigma <= 1) by (apply Rmult_le_reg_r with sigma; lra).
    assert (A : (1 - theta / sigma) * Ar i t <= (1 - theta / sigma) * P) by (apply Rmult_le_compat_l; lra).
    assert (Neg : x * P <= 0) by (assert (0 <= (- x) * P) by (apply Rmult_le_pos; lra); lra).
    replace (x * P) with ((1 - theta / sigma) * P + theta / sigma * rho - C) in Neg by (unfold x; field; lra). lra.
Qed.

(** Arrivals of any rate. *)
Theorem lost_any_peak : 0 <= C -> L tau <= Q i s + (sigma - theta) + Rmax (rho - C) (rho * (1 - theta / sigma)) * (tau - s).
Proof.
  intros HC. set (k := Rmax (rho - C) (rho * (1 - theta / sigma))).
  assert (K1 : rho - C <= k) by apply Rmax_l. assert (K2 : rho * (1 - theta / sigma) <= k) by apply Rmax_r.
  replace (Q i s + (sigma - theta) + k * (tau - s)) with (Q i s + k * (tau - s) + (1 * sigma - theta)) by ring.
  apply (lost_bound sw Ar Q D i s tau theta sigma rho y L); auto; try lra.
  - replace ((1 * sigma - theta) * rho) with (rho * (1 - theta / sigma) * sigma) by (field; lra). apply Rmult_le_compat_r; lra.
  - intros. lra.
Qed.

(** A burst that fits, at a rate that the port can send for ever: nothing is lost. *)
Theorem lost_no_byte : Q i s = 0 -> sigma = theta -> rho <= C -> L tau <= 0.
Proof.
  intros Q0 E H. assert (HC : 0 <= C) by lra. pose proof (lost_any_peak HC) as K. rewrite Q0, E in K.
  replace (1 - theta / theta) with 0 in K by (field; lra). rewrite Rmult_0_r, Rmax_right in K by lra. lra.
Qed.

End Forms.

(** ** Arrivals of at most sigma + rho (v - u) bytes between u and v *)

Section Bucket.
Variables (rho sigma s tau : R) (a A : R -> R).
Hypotheses (ordered : s <= tau) (rate : 0 <= rho) (depth : 0 <= sigma).
Hypothesis arrives : forall t, s <= t < tau -> 0 <= a t.
Hypothesis pieces : piecewise_constant 1 s tau (fun _ => a).
Hypothesis counted : continuous_on A s tau.
Hypothesis counts : forall t, s <= t < tau -> right_derivative A t (a t).
Hypothesis bounded : forall u v, s <= u <= v -> v <= tau -> A v - A u <= sigma + rho * (v - u).

(** The bucket is a queue that no threshold limits, served at rho. *)
Theorem bucket_exists : exists y, conforms rho sigma a s tau y.
Proof.
  destruct (fluid_exists (Switch 1 (fun _ => 0) (fun _ => sigma + 1) (fun _ => rho) 0) (fun _ => a) s tau (fun _ => 0)) as (Y & W & T & E0).
  { split; intros; simpl; [lra|auto]. }
  { exact pieces. }
  { intros; lra. }
  exists (Y 0%nat).
  assert (Yn : forall t, s <= t <= tau -> 0 <= Y 0%nat t) by (intros; apply (length_nonneg _ _ _ _ _ _ T); [simpl; lia|auto]).
  assert (Yc : continuous_on (Y 0%nat) s tau) by (apply (length_continuous _ _ _ _ _ _ T); simpl; lia).
  assert (Yd : forall t, s <= t < tau -> right_derivative (Y 0%nat) t (W 0%nat t)) by (intros; apply (length_slope _ _ _ _ _ _ T); [simpl; lia|auto]).
  assert (Yr : forall t, s <= t < tau -> Y 0%nat t < sigma + 1 -> W 0%nat t = if Rlt_dec 0 (Y 0%nat t) then a t - rho else Rmax 0 (a t - rho)).
  { intros t Ht Hy. destruct (length_rule _ _ _ _ _ _ T 0%nat t ltac:(simpl; lia) Ht) as (R1 & _ & _).
    unfold threshold in R1. simpl in R1. apply R1. lra. }
  assert (Yu : forall t, s <= t < tau -> 0 < Y 0%nat t -> W 0%nat t <= a t - rho).
  { intros t Ht Hy. pose proof (rate_bounds _ (fun _ => a) _ _ 0%nat t (arrives t Ht) (length_rule _ _ _ _ _ _ T 0%nat t ltac:(simpl; lia) Ht)) as K.
    unfold highest in K. destruct (Rlt_dec 0 (Y 0%nat t)); [|lra]. simpl in K. lra. }
  (* before an instant with more than sigma the bucket was, less long ago than any time, nearly full *)
  assert (Top : forall t, s <= t <= tau -> Y 0%nat t <= sigma).
  { intros t Ht. apply Rnot_lt_le. intros Hn. set (gap := Y 0%nat t - sigma). assert (Hg : 0 < gap) by (unfold gap; lra).
    pose (E := fun u => s <= u <= t /\ Y 0%nat u <= gap / 2).
    assert (Es : E s) by (split; [lra|]; rewrite (E0 0%nat ltac:(simpl; lia)); lra).
    destruct (completeness E) as (m & Hub & Hlub); [exists t; intros x Hx; apply Hx|exists s; exact Es|].
    assert (Hsm : s <= m) by (apply Hub; exact Es). assert (Hmt : m <= t) by (apply Hlub; intros x Hx; apply Hx).
    assert (Low : Y 0%nat m <= gap / 2).
    { apply Rnot_lt_le. intros Hm. destruct (Yc m ltac:(lra) (Y 0%nat m - gap / 2) ltac:(lra)) as (d & Hd & K).
      assert (B : is_upper_bound E (m - d / 2)); [|apply Hlub in B; lra].
      intros x [Hx Hxy]. pose proof (Hub x (conj Hx Hxy)) as Hxm. apply Rnot_lt_le. intros Hc.
      assert (K' : Rabs (Y 0%nat x - Y 0%nat m) < Y 0%nat m - gap / 2).
      { apply (K x). split; [lra|]. simpl. unfold R_dist. rewrite Rabs_left1; lra. }
      apply Rabs_def2 in K'. lra. }
    assert (Hlt : m < t) by (destruct Hmt as [|Em]; auto; subst m; unfold gap in *; lra).
    assert (Above : forall u, m < u <= t -> gap / 2 < Y 0%nat u).
    { intros u Hu. apply Rnot_le_lt. intros Hc. assert (u <= m); [|lra]. apply Hub. split; [lra|auto]. }
    assert (At : Y 0%nat m = gap / 2 \/ Y 0%nat m < gap / 2) by lra.
    assert (Eq : Y 0%nat m = gap / 2).
    { destruct At as [|At]; auto. exfalso. destruct (Yc m ltac:(lra) (gap / 2 - Y 0%nat m) ltac:(lra)) as (d & Hd & K).
      set (u := Rmin (m + d / 2) t). assert (u <= m + d / 2) by apply Rmin_l. assert (u <= t) by apply Rmin_r.
      assert (m < u) by (apply Rmin_glb_lt; lra). specialize (Above u ltac:(lra)).
      assert (K' : Rabs (Y 0%nat u - Y 0%nat m) < gap / 2 - Y 0%nat m) by (apply (K u); split; [lra|]; simpl; unfold R_dist; rewrite Rabs_right; lra).
      apply Rabs_def2 in K'. lra. }
    assert (G : Y 0%nat t - A t + rho * t <= Y 0%nat m - A m + rho * m).
    { apply (nonincreasing m t (fun u => Y 0%nat u - A u + rho * u) (fun u => W 0%nat u - a u + rho)); [lra| |].
      - apply continuous_plus; [apply continuous_minus; apply (continuous_sub s tau); auto; lra|].
        apply continuous_ext with (fun u => rho * u + 0); [intros; ring|apply continuous_linear].
      - intros u Hu. split.
        + apply rd_plus; [apply rd_minus; [apply Yd|apply counts]; lra|]. apply rd_affine. exists 1. split; [lra|]. intros. ring.
        + assert (0 < Y 0%nat u) by (destruct (Req_dec u m) as [->|]; [lra|]; specialize (Above u ltac:(lra)); lra).
          specialize (Yu u ltac:(lra) H). lra. }
    pose proof (bounded m t ltac:(lra) ltac:(lra)) as Bd. unfold gap in *. lra. }
  split; [apply E0; simpl; lia|intros; split; auto|exact Yc|].
  intros t Ht. rewrite <- Yr; auto. specialize (Top t ltac:(lra)). lra.
Qed.

End Bucket.

(** ** DT *)

Lemma trajectory_guaranteed sw Ar s tau Q D i theta : sane sw Ar s tau -> trajectory sw Ar s tau Q D -> (i < ports sw)%nat ->
  (forall t, s <= t < tau -> 0 < rejected sw Ar Q D i t -> theta <= Q i t) -> guaranteed sw Ar Q D i s tau theta.
Proof.
  intros [_ Sa] T Hi Ho. split; auto.
  - intros t Ht. apply (length_nonneg _ _ _ _ _ _ T); auto.
  - apply (length_continuous _ _ _ _ _ _ T); auto.
  - intros t Ht. apply (length_slope _ _ _ _ _ _ T); auto.
  - intros t Ht. pose proof (rate_bounds sw Ar Q D i t (Sa i t Hi Ht) (length_rule _ _ _ _ _ _ T i t Hi Ht)) as K. unfold rejected. lra.
Qed.

(** A port of DT that begins empty, beside n - 1 others to which comes whatever comes: at most this is lost. *)
Theorem dt_lost n alpha B C N K Ar s tau Q D i sigma rho P A L : 0 < alpha -> 0 < B -> 0 <= C -> s <= tau ->
  sane (dt_switch n alpha B C) Ar s tau -> trajectory (dt_switch n alpha B C) Ar s tau Q D -> (members n K <= N)%nat ->
  (forall j, (j < n)%nat -> Q j s = if K j then alpha * B / (1 + alpha * INR N) else 0) ->
  (i < n)%nat -> K i = false -> 0 < P -> 0 <= rho <= P -> rho <= C -> 0 < sigma ->
  piecewise_constant 1 s tau (fun _ => Ar i) -> continuous_on A s tau -> (forall t, s <= t < tau -> right_derivative A t (Ar i t)) ->
  (forall u v, s <= u <= v -> v <= tau -> A v - A u <= sigma + rho * (v - u)) -> (forall t, s <= t < tau -> Ar i t <= P) ->
  loses (dt_switch n alpha B C) Ar Q D i s tau L ->
  L tau <= (sigma + rho * (tau - s)) * Rmax 0 (1 - C / P - alpha * B / ((1 + alpha) ^ n * sigma) * (1 - rho / P)).
Proof.
  intros Ha HB HC Ho Sa T HK Start Hi HKi HP Hr HrC Hs Pieces Ac Ad Ab Peak HL.
  assert (Pw : 0 < (1 + alpha) ^ n) by (apply pow_lt; lra).
  set (share := alpha * B / (1 + alpha) ^ n). assert (Sp : 0 < share) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra).
  assert (Ar0 : forall t, s <= t < tau -> 0 <= Ar i t) by (intros; apply Sa; auto).
  destruct (bucket_exists rho sigma s tau (Ar i) A) as (y & Hy); auto; try lra.
  set (theta := Rmin share sigma). assert (T1 : theta <= share) by apply Rmin_l. assert (T2 : theta <= sigma) by apply Rmin_r.
  assert (T3 : 0 < theta) by (apply Rmin_pos; lra).
  assert (G : guaranteed (dt_switch n alpha B C) Ar Q D i s tau theta).
  { apply trajectory_guaranteed; auto. intros t Ht Hj. apply Rle_trans with share; auto.
    apply (dt_least_share n alpha B C N K Ar s tau Q D); auto; lra. }
  assert (RT : rho * theta <= C * sigma) by (apply Rmult_le_compat; lra).
  pose proof (lost_share (dt_switch n alpha B C) Ar Q D i s tau theta sigma rho y L Ho Ar0 ltac:(lra) G Hy HL ltac:(lra) P) as F.
  simpl in F. specialize (F HC HP ltac:(lra) RT Peak). rewrite (Start i Hi), HKi, Rplus_0_l in F.
  apply Rle_trans with (1 := F). apply Rmult_le_compat_l; [assert (0 <= rho * (tau - s)) by (apply Rmult_le_pos; lra); lra|].
  assert (Es : alpha * B / ((1 + alpha) ^ n * sigma) = share / sigma) by (unfold share; field; lra). rewrite Es.
  unfold theta, Rmin. destruct (Rle_dec share sigma); [lra|].
  assert (D1 : sigma / sigma = 1) by (field; lra). rewrite D1.
  assert (D2 : 1 - C / P - 1 * (1 - rho / P) <= 0).
  { apply Rmult_le_reg_r with P; auto. replace ((1 - C / P - 1 * (1 - rho / P)) * P) with (rho - C) by (field; lra). lra. }
  rewrite Rmax_left by exact D2. apply Rmax_l.
Qed.
