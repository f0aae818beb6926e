(** DT/EDT paper, Section 3.2: the stages of Theorem 3 that drain, equation (31), and the lengths up to t_L.

    Port k of the paper is port k - 1 here.  [recursion31 k] is the printed (t_k, F_k), [last_stage L] the printed L.
      [last_stage_exists], [last_stage_unique]    the stages that drain come first;
      [theorem3_product]                          t_k without recursion;
      [fall_class]                                up to t_L the threshold falls faster than C, and all that met it drain at C.  *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Scenario Solve Theorem2Mixed Theorem2.
Open Scope R_scope.

Section Drain.
Variables (M N Z : nat) (alpha B C : real) (R : nat -> real).

Notation r := (fun i => R i - C).
Notation G := (G M C R).

(** The threshold falls faster than C while the ports k .. M-1 grow: G_k > (1 + alpha (N + k - 1)) C / alpha. *)
Definition drains (k : nat) : Prop := (1 + alpha * INR (N + k)) * C / alpha < G k.

(** L is the number of such k; they come first. *)
Definition last_stage (L : nat) : Prop :=
  (L <= M)%nat /\ (forall k, (k < L)%nat -> drains k) /\ (forall k, (L <= k < M)%nat -> ~ drains k).

(** Equation (31) as printed; [recursion31 0] = (0, F_0). *)
Fixpoint recursion31 (k : nat) : real * real :=
  match k with
  | O => (0, F0 N alpha B)
  | S j =>
      let (t, F) := recursion31 j in
      let t' := alpha * (F + (G j - INR (N + j) * C) * t)
                / (alpha * (G j - INR (N + j) * C) + (R j - C)) in
      (t', F - (G j - INR (N + j) * C) * (t' - t))
  end.

(** When port k (from 0) meets the threshold, k < L. *)
Definition t31 (k : nat) : real := fst (recursion31 (S k)).

(** From t_L on port L follows the threshold, the ports before it drain on their lines R_j t_j - C t. *)
Definition line3 (L j : nat) : real := if (j <? L - 1)%nat then R j * t31 j else 0.
Definition meets3 (L k : nat) (t : real) : real := meets M N L alpha C r (line3 L) (alpha * F0 N alpha B) k t.

Hypotheses (alpha_pos : 0 < alpha) (B_pos : 0 < B) (C_pos : 0 < C).
Hypothesis overloaded : forall i, (i < M)%nat -> C < R i.
Hypothesis sorted : forall i j, (i <= j < M)%nat -> R j <= R i.

Notation V0 := (alpha * F0 N alpha B).

(** How fast the threshold falls at stage k. *)
Definition fall (k : nat) : real := alpha * (G k - INR (N + k) * C).

Lemma drains_iff k : drains k <-> C < fall k.
Proof.
  unfold drains, fall. split; intros H.
  - apply (Rmult_lt_compat_l alpha) in H; auto.
    replace (alpha * ((1 + alpha * INR (N + k)) * C / alpha)) with ((1 + alpha * INR (N + k)) * C) in H by (field; lra). lra.
  - apply Rmult_lt_reg_l with alpha; auto.
    replace (alpha * ((1 + alpha * INR (N + k)) * C / alpha)) with ((1 + alpha * INR (N + k)) * C) by (field; lra). lra.
Qed.

Lemma fall_step k : (k < M)%nat -> fall (S k) = fall k - alpha * R k.
Proof.
  intros H. unfold fall. rewrite (G_step M C R k H), Nat.add_succ_r, S_INR. ring.
Qed.

Lemma G_end : G M = 0.
Proof. unfold Theorem2.G. rewrite Nat.sub_diag. reflexivity. Qed.

(** The printed L exists and is unique. *)
Lemma drains_before k : (S k < M)%nat -> drains (S k) -> drains k.
Proof.
  intros H. rewrite !drains_iff, fall_step by lia. pose proof (overloaded k ltac:(lia)).
  pose proof (Rmult_lt_0_compat alpha (R k)). lra.
Qed.

Theorem last_stage_exists : exists L, last_stage L.
Proof.
  assert (K : forall n, (n <= M)%nat -> exists L, (L <= n)%nat /\ (forall k, (k < L)%nat -> drains k) /\
                                      (forall k, (L <= k < n)%nat -> ~ drains k)).
  { induction n; intros Hn.
    - exists O. repeat split; intros; lia.
    - destruct (IHn ltac:(lia)) as (L & H1 & H2 & H3).
      destruct (Rlt_dec ((1 + alpha * INR (N + n)) * C / alpha) (G n)) as [c|c].
      + exists (S n). repeat split; [lia| |intros; lia].
        intros k Hk. assert (J : forall d, (d <= n)%nat -> drains (n - d)).
        { induction d; intros Hd; [rewrite Nat.sub_0_r; exact c|].
          apply drains_before; [lia|]. replace (S (n - S d)) with (n - d)%nat by lia. apply IHd. lia. }
        replace k with (n - (n - k))%nat by lia. apply J. lia.
      + exists L. repeat split; [lia|auto|]. intros k Hk. destruct (Nat.eq_dec k n) as [->|]; [exact c|apply H3; lia]. }
  destruct (K M ltac:(lia)) as (L & H). exists L. exact H.
Qed.

Lemma last_stage_unique L L' : last_stage L -> last_stage L' -> L = L'.
Proof.
  intros (A1 & A2 & A3) (B1 & B2 & B3). destruct (Nat.lt_trichotomy L L') as [H|[H|H]]; auto; exfalso.
  - apply (A3 L ltac:(lia)), B2, H.
  - apply (B3 L' ltac:(lia)), A2, H.
Qed.

(** ** The recursion *)

Variable L : nat.
Hypothesis stage : last_stage L.

Lemma L_le : (L <= M)%nat.
Proof. apply stage. Qed.

Lemma fall_fast k : (k < L)%nat -> C < fall k.
Proof. intros H. apply drains_iff, stage, H. Qed.

(** F_0 - sum of R_j t_j over the ports that have met the threshold. *)
Definition rest (k : nat) : real := F0 N alpha B - sum k (fun j => R j * t31 j).

Lemma recursion31_spec k : (k <= L)%nat ->
  snd (recursion31 k) + (G k - INR (N + k) * C) * fst (recursion31 k) = rest k /\
  (forall j, k = S j -> 0 < t31 j /\ alpha * rest j = (fall j + (R j - C)) * t31 j /\
                       snd (recursion31 k) = (R j - C) * t31 j / alpha).
Proof.
  pose proof L_le as HL. induction k; intros H.
  - split; [|intros j E; discriminate]. unfold rest. simpl. lra.
  - destruct (IHk ltac:(lia)) as [E P]. pose proof (fall_fast k ltac:(lia)) as Hf.
    pose proof (overloaded k ltac:(lia)) as Ho.
    assert (Et : t31 k = alpha * rest k / (fall k + (R k - C))).
    { unfold t31, fall. simpl. destruct (recursion31 k) as [t F]. simpl in *. rewrite <- E. reflexivity. }
    assert (Hr : 0 < rest k).
    { destruct k as [|j].
      - unfold rest. simpl. pose proof (V0_pos N alpha B alpha_pos B_pos) as V.
        apply Rmult_lt_reg_l with alpha; lra.
      - destruct (P j eq_refl) as (T0 & T1 & T2).
        pose proof (fall_step j ltac:(lia)) as Fs. pose proof (overloaded j ltac:(lia)).
        assert (E3 : alpha * rest (S j) = (fall (S j) + (R j - C)) * t31 j).
        { unfold rest in *. simpl. rewrite Fs. lra. }
        apply Rmult_lt_reg_l with alpha; auto. rewrite Rmult_0_r, E3. apply Rmult_lt_0_compat; lra. }
    assert (Tp : 0 < t31 k).
    { rewrite Et. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; auto|lra]. }
    assert (E2 : alpha * rest k = (fall k + (R k - C)) * t31 k) by (rewrite Et; field; lra).
    assert (ES : snd (recursion31 (S k)) = (R k - C) * t31 k / alpha).
    { apply Rmult_eq_reg_l with alpha; [|lra].
      replace (alpha * ((R k - C) * t31 k / alpha)) with ((R k - C) * t31 k) by (field; lra).
      transitivity (alpha * rest k - fall k * t31 k); [|rewrite E2; ring].
      unfold t31, fall. simpl. destruct (recursion31 k) as [t F]. simpl in *. rewrite <- E. ring. }
    split.
    + rewrite ES. fold (t31 k). pose proof (fall_step k ltac:(lia)) as Fs. unfold fall in Fs.
      apply Rmult_eq_reg_l with alpha; [|lra].
      replace (alpha * ((R k - C) * t31 k / alpha + (G (S k) - INR (N + S k) * C) * t31 k))
        with ((R k - C) * t31 k + alpha * (G (S k) - INR (N + S k) * C) * t31 k) by (field; lra).
      rewrite Fs. unfold rest in *. simpl. unfold fall in E2. lra.
    + intros j Ej. injection Ej as <-. auto.
Qed.

Lemma t31_pos k : (k < L)%nat -> 0 < t31 k.
Proof. intros H. apply (proj2 (recursion31_spec (S k) ltac:(lia)) k eq_refl). Qed.

Lemma rest_is k : (k < L)%nat -> alpha * rest k = (fall k + (R k - C)) * t31 k.
Proof. intros H. apply (proj2 (recursion31_spec (S k) ltac:(lia)) k eq_refl). Qed.

Lemma F31_is k : (k < L)%nat -> snd (recursion31 (S k)) = (R k - C) * t31 k / alpha.
Proof. intros H. apply (proj2 (recursion31_spec (S k) ltac:(lia)) k eq_refl). Qed.

Lemma rest_pos k : (k < L)%nat -> 0 < rest k.
Proof.
  intros H. pose proof L_le. pose proof (fall_fast k H). pose proof (overloaded k ltac:(lia)). pose proof (t31_pos k H).
  apply Rmult_lt_reg_l with alpha; auto. rewrite rest_is, Rmult_0_r by auto. apply Rmult_lt_0_compat; lra.
Qed.

(** t_(k+1) (R_(k+1) - C + fall) = t_k (R_k - C + fall). *)
Lemma t31_step k : (S k < L)%nat -> (fall (S k) + (R (S k) - C)) * t31 (S k) = (fall (S k) + (R k - C)) * t31 k.
Proof.
  intros H. pose proof L_le. pose proof (rest_is k ltac:(lia)) as E1. pose proof (rest_is (S k) H) as E2.
  pose proof (fall_step k ltac:(lia)) as Fs. rewrite <- E2. unfold rest in *. simpl. rewrite Fs. lra.
Qed.

Lemma t31_next k : (S k < L)%nat -> t31 k <= t31 (S k) /\ R (S k) * t31 (S k) <= R k * t31 k.
Proof.
  intros H. pose proof L_le. pose proof (t31_step k H) as E. pose proof (t31_pos k ltac:(lia)) as P1.
  pose proof (fall_fast (S k) H) as Hf. pose proof (overloaded (S k) ltac:(lia)) as Ho.
  pose proof (sorted k (S k) ltac:(lia)) as Hs.
  set (f := fall (S k)) in *. assert (Hd : 0 < f + (R (S k) - C)) by lra. split.
  - apply Rmult_le_reg_l with (f + (R (S k) - C)); auto. rewrite E. apply Rmult_le_compat_r; lra.
  - apply Rmult_le_reg_l with (f + (R (S k) - C)); auto.
    replace ((f + (R (S k) - C)) * (R (S k) * t31 (S k))) with (R (S k) * ((f + (R (S k) - C)) * t31 (S k))) by ring.
    rewrite E. assert (K : 0 <= (f - C) * (R k - R (S k)) * t31 k).
    { apply Rmult_le_pos; [apply Rmult_le_pos|]; lra. }
    lra.
Qed.

Lemma t31_sorted i j : (i <= j)%nat -> (j < L)%nat -> t31 i <= t31 j /\ R j * t31 j <= R i * t31 i.
Proof.
  intros H. induction H; intros HL; [lra|].
  destruct (IHle ltac:(lia)). destruct (t31_next m HL). lra.
Qed.

Lemma line_le_V0 k : (k < L)%nat -> R k * t31 k <= V0.
Proof.
  intros H. destruct (t31_sorted 0 k ltac:(lia) H) as [_ K]. apply Rle_trans with (R 0%nat * t31 0%nat); auto.
  pose proof L_le. pose proof (rest_is 0 ltac:(lia)) as E. pose proof (fall_fast 0 ltac:(lia)).
  pose proof (t31_pos 0 ltac:(lia)). unfold rest in E. simpl in E. rewrite Rminus_0_r in E. rewrite E.
  apply Rmult_le_compat_r; lra.
Qed.

(** Ports of one rate meet the threshold together. *)
Lemma theorem3_ties k : (S k < L)%nat -> R k = R (S k) -> t31 k = t31 (S k).
Proof.
  intros H E. pose proof L_le. pose proof (t31_step k H) as St. rewrite <- E in St.
  pose proof (fall_fast (S k) H). pose proof (overloaded k ltac:(lia)).
  apply Rmult_eq_reg_l with (fall (S k) + (R k - C)); lra.
Qed.

(** t_k without recursion: alpha F_0 / D_k times the product of (D_j - alpha R_j) / D_j, D_j = R_j - C + fall j. *)
Fixpoint left_over (k : nat) : real :=
  match k with O => 1 | S j => left_over j * ((fall j + (R j - C) - alpha * R j) / (fall j + (R j - C))) end.

Theorem theorem3_product k : (k < L)%nat ->
  t31 k = alpha * F0 N alpha B / (fall k + (R k - C)) * left_over k /\ 0 < left_over k.
Proof.
  pose proof L_le as HL. assert (K : forall j, (j < L)%nat -> rest j = F0 N alpha B * left_over j).
  { induction j; intros Hj; [unfold rest; simpl; lra|].
    specialize (IHj ltac:(lia)). pose proof (fall_fast j ltac:(lia)). pose proof (overloaded j ltac:(lia)).
    pose proof (rest_is j ltac:(lia)) as E. simpl. rewrite <- Rmult_assoc, <- IHj.
    assert (Et : t31 j = alpha * rest j / (fall j + (R j - C))) by (rewrite E; field; lra).
    replace (rest (S j)) with (rest j - R j * t31 j) by (unfold rest; simpl; ring). rewrite Et. field. lra. }
  intros Hk. pose proof (fall_fast k Hk). pose proof (overloaded k ltac:(lia)). pose proof (rest_is k Hk) as E. split.
  - rewrite (K k Hk) in E. apply Rmult_eq_reg_l with (fall k + (R k - C)); [|lra]. rewrite <- E. field. lra.
  - pose proof (rest_pos k Hk) as P. rewrite (K k Hk) in P.
    assert (F0p : 0 < F0 N alpha B).
    { apply Rmult_lt_reg_l with alpha; auto. pose proof (V0_pos N alpha B alpha_pos B_pos). lra. }
    apply Rmult_lt_reg_l with (F0 N alpha B); lra.
Qed.

(** ** Up to t_L: the threshold falls faster than C *)

Definition W_fall (i : nat) (t : real) : real :=
  if (i <? L)%nat then Rmin ((R i - C) * t) (R i * t31 i - C * t) else (R i - C) * t.
Definition w_fall (i : nat) (t : real) : real :=
  if (i <? L)%nat then (if Rlt_dec t (t31 i) then R i - C else - C) else R i - C.
Definition V_fall (t : real) : real := V0 - C * t.
Definition v_fall (_ : real) : real := - C.
Notation F_fall := (class_free M N B W_fall V_fall).
Notation dF_fall := (class_slope M N w_fall v_fall).

Lemma W_fall_before i t : (i < L)%nat -> t <= t31 i -> W_fall i t = (R i - C) * t.
Proof.
  intros H Ht. pose proof L_le. pose proof (overloaded i ltac:(lia)). unfold W_fall.
  destruct (Nat.ltb_spec i L); [|lia]. apply Rmin_left.
  pose proof (Rmult_le_compat_l (R i) t (t31 i)). lra.
Qed.

Lemma W_fall_after i t : (i < L)%nat -> t31 i <= t -> W_fall i t = R i * t31 i - C * t.
Proof.
  intros H Ht. pose proof L_le. pose proof (overloaded i ltac:(lia)). unfold W_fall.
  destruct (Nat.ltb_spec i L); [|lia]. apply Rmin_right.
  pose proof (Rmult_le_compat_l (R i) (t31 i) t). lra.
Qed.

Lemma W_fall_rest i t : (L <= i)%nat -> W_fall i t = (R i - C) * t.
Proof. intros H. unfold W_fall. destruct (Nat.ltb_spec i L); [lia|auto]. Qed.

(** The free buffer while ports 0 .. k-1 have met the threshold. *)
Lemma F_fall_stage k t : (k <= L)%nat -> (forall i, (i < k)%nat -> t31 i <= t) ->
  (forall i, (k <= i < L)%nat -> t <= t31 i) -> F_fall t = rest k - (G k - INR (N + k) * C) * t.
Proof.
  intros Hk H1 H2. pose proof L_le. unfold class_free, V_fall, rest.
  replace M with (k + (M - k))%nat at 1 by lia. rewrite sum_split.
  rewrite (sum_ext k _ (fun i => R i * t31 i - C * t)) by (intros; apply W_fall_after; auto; lia).
  rewrite (sum_ext (M - k) _ (fun i => (R (k + i)%nat - C) * t)).
  2: { intros i Hi. destruct (Nat.lt_ge_cases (k + i) L).
       - apply W_fall_before; auto. apply H2. lia.
       - apply W_fall_rest; auto. }
  rewrite sum_minus, sum_const.
  rewrite (sum_ext (M - k) _ (fun i => t * (R (k + i)%nat - C))) by (intros; ring).
  rewrite sum_scal. fold (Theorem2.G M C R k). rewrite plus_INR.
  assert (E : F0 N alpha B + INR N * V0 = B).
  { unfold F0. pose proof (den1 alpha alpha_pos N). field. lra. }
  rewrite <- E at 1. ring.
Qed.

Lemma dF_fall_stage k t : (k <= L)%nat -> (forall i, (i < k)%nat -> t31 i <= t) ->
  (forall i, (k <= i < L)%nat -> t < t31 i) -> alpha * dF_fall t = - fall k.
Proof.
  intros Hk H1 H2. pose proof L_le. unfold class_slope, v_fall, fall.
  replace M with (k + (M - k))%nat at 1 by lia. rewrite sum_split.
  rewrite (sum_ext k _ (fun _ => - C)).
  2: { intros i Hi. unfold w_fall. specialize (H1 i Hi). destruct (Nat.ltb_spec i L); [|lia].
       destruct (Rlt_dec t (t31 i)); lra. }
  rewrite (sum_ext (M - k) _ (fun i => R (k + i)%nat - C)).
  2: { intros i Hi. unfold w_fall. destruct (Nat.ltb_spec (k + i) L); auto.
       specialize (H2 (k + i)%nat ltac:(lia)). destruct (Rlt_dec t (t31 (k + i)%nat)); lra. }
  rewrite sum_const. fold (Theorem2.G M C R k). rewrite plus_INR. ring.
Qed.

(** At every instant the ports that have met the threshold are the first k. *)
Lemma stage_at t : exists k, (k <= L)%nat /\ (forall i, (i < k)%nat -> t31 i <= t) /\
                             (forall i, (k <= i < L)%nat -> t < t31 i).
Proof.
  assert (K : forall n, (n <= L)%nat -> exists k, (k <= n)%nat /\ (forall i, (i < k)%nat -> t31 i <= t) /\
                             (forall i, (k <= i < n)%nat -> t < t31 i)).
  { induction n; intros Hn.
    - exists O. repeat split; intros; lia.
    - destruct (IHn ltac:(lia)) as (k & H1 & H2 & H3). destruct (Rlt_dec t (t31 n)) as [c|c].
      + exists k. repeat split; auto. intros i Hi. destruct (Nat.eq_dec i n) as [->|]; auto. apply H3. lia.
      + exists (S n). repeat split; auto; [|intros; lia].
        intros i Hi. destruct (t31_sorted i n ltac:(lia) ltac:(lia)). lra. }
  apply K. lia.
Qed.

Hypothesis L_pos : (1 <= L)%nat.
Notation last := (L - 1)%nat.
Notation s := (t31 last).

Lemma stage_before t : t < s -> exists k, (k < L)%nat /\ (forall i, (i < k)%nat -> t31 i <= t) /\
                             (forall i, (k <= i < L)%nat -> t < t31 i).
Proof.
  intros Ht. destruct (stage_at t) as (k & H1 & H2 & H3). exists k. repeat split; auto.
  destruct (Nat.eq_dec k L) as [->|]; [|lia]. specialize (H2 last ltac:(lia)). lra.
Qed.

Lemma fall_slope t : t < s -> alpha * dF_fall t < - C.
Proof.
  intros Ht. destruct (stage_before t Ht) as (k & H1 & H2 & H3).
  rewrite (dF_fall_stage k t) by (auto; lia). pose proof (fall_fast k H1). lra.
Qed.

Lemma W_fall_continuous i a b : continuous_on (W_fall i) a b.
Proof.
  unfold W_fall. destruct (i <? L)%nat.
  - apply continuous_min.
    + apply continuous_ext with (fun u => (R i - C) * u + 0); [intros; lra|apply continuous_linear].
    + apply continuous_ext with (fun u => (- C) * u + R i * t31 i); [intros; lra|apply continuous_linear].
  - apply continuous_ext with (fun u => (R i - C) * u + 0); [intros; lra|apply continuous_linear].
Qed.

Lemma W_fall_slope i t : (i < M)%nat -> right_derivative (W_fall i) t (w_fall i t).
Proof.
  intros Hi. unfold w_fall. destruct (Nat.ltb_spec i L) as [c|c].
  - destruct (Rlt_dec t (t31 i)) as [d|d].
    + apply rd_ext with (fun u => (R i - C) * u + 0); [|apply rd_linear].
      exists (t31 i - t). split; [lra|]. intros h Hh. rewrite W_fall_before by (auto; lra). lra.
    + apply rd_ext with (fun u => (- C) * u + R i * t31 i); [|apply rd_linear].
      exists 1. split; [lra|]. intros h Hh. rewrite W_fall_after by (auto; lra). lra.
  - apply rd_ext with (fun u => (R i - C) * u + 0); [|apply rd_linear].
    exists 1. split; [lra|]. intros h Hh. rewrite W_fall_rest by auto. lra.
Qed.

Lemma V_fall_slope t : right_derivative V_fall t (v_fall t).
Proof.
  apply rd_ext with (fun u => (- C) * u + V0); [|apply rd_linear].
  exists 1. split; [lra|]. intros; unfold V_fall; lra.
Qed.

(** T(t) + C t does not grow. *)
Lemma threshold_falls a b : 0 <= a -> a <= b -> b <= s -> alpha * F_fall b + C * b <= alpha * F_fall a + C * a.
Proof.
  intros Ha Hab Hb.
  apply (nonincreasing a b (fun t => alpha * F_fall t + C * t) (fun t => alpha * dF_fall t + C)); auto.
  - apply continuous_plus.
    + apply continuous_scal. unfold class_free. apply continuous_minus; [apply continuous_minus|apply continuous_scal].
      * apply continuous_const.
      * apply continuous_sum. intros; apply W_fall_continuous.
      * apply continuous_ext with (fun u => (- C) * u + V0); [intros; unfold V_fall; lra|apply continuous_linear].
    + apply continuous_ext with (fun u => C * u + 0); [intros; lra|apply continuous_linear].
  - intros t Ht. split; [|pose proof (fall_slope t ltac:(lra)); lra].
    apply rd_plus.
    + apply rd_scal. unfold class_free, class_slope. apply rd_minus.
      * eapply rd_eq; [apply rd_minus; [apply rd_const|apply rd_sum; intros; apply W_fall_slope; auto]|lra].
      * apply rd_scal, V_fall_slope.
    + apply rd_ext with (fun u => C * u + 0); [|apply rd_linear]. exists 1. split; [lra|]. intros; lra.
Qed.

Lemma F_fall_at k : (k < L)%nat -> F_fall (t31 k) = (R k - C) * t31 k / alpha.
Proof.
  intros H. rewrite (F_fall_stage k) by (first [lia | intros i Hi; apply t31_sorted; lia]).
  pose proof (rest_is k H) as E. unfold fall in E. apply Rmult_eq_reg_l with alpha; [|lra].
  replace (alpha * ((R k - C) * t31 k / alpha)) with ((R k - C) * t31 k) by (field; lra). lra.
Qed.

Lemma T_fall_at k : (k < L)%nat -> alpha * F_fall (t31 k) = (R k - C) * t31 k.
Proof. intros H. rewrite F_fall_at by auto. field. lra. Qed.

Lemma fall_start : (forall i, (i < M)%nat -> W_fall i 0 = 0) /\ V_fall 0 = V0 /\ alpha * F_fall 0 = V0.
Proof.
  assert (K1 : forall i, (i < M)%nat -> W_fall i 0 = 0).
  { intros i Hi. destruct (Nat.lt_ge_cases i L).
    - rewrite W_fall_before; auto; [ring|]. left. apply t31_pos; auto.
    - rewrite W_fall_rest by auto. ring. }
  repeat split; auto; [unfold V_fall; ring|].
  unfold class_free. rewrite sum_zero by auto. unfold V_fall, F0. pose proof (den1 alpha alpha_pos N). field. lra.
Qed.

Lemma fall_class tau : tau <= s -> class_trajectory M N alpha B C (fun i _ => R i) 0 tau W_fall w_fall V_fall v_fall.
Proof.
  intros Htau. pose proof L_le as HL. pose proof (t31_pos last ltac:(lia)) as Hs.
  pose proof (line_le_V0 last ltac:(lia)) as HV. pose proof (overloaded last ltac:(lia)) as Hol.
  assert (Rs : 0 < (R last - C) * s) by (apply Rmult_lt_0_compat; lra).
  assert (Hend : forall t, 0 <= t < s -> (R last - C) * t < alpha * F_fall t).
  { intros t Ht. pose proof (threshold_falls t s ltac:(lra) ltac:(lra) ltac:(lra)) as K.
    rewrite T_fall_at in K by lia. pose proof (Rmult_lt_compat_l (R last) t s). lra. }
  split.
  - intros; apply W_fall_continuous.
  - apply continuous_ext with (fun u => (- C) * u + V0); [intros; unfold V_fall; lra|apply continuous_linear].
  - intros i t Hi Ht. pose proof (overloaded i Hi). destruct (Nat.lt_ge_cases i L).
    + destruct (Rle_dec t (t31 i)).
      * rewrite W_fall_before by auto. apply Rmult_le_pos; lra.
      * rewrite W_fall_after by (auto; lra). destruct (t31_sorted i last ltac:(lia) ltac:(lia)).
        pose proof (Rmult_le_compat_l C t s). lra.
    + rewrite W_fall_rest by auto. apply Rmult_le_pos; lra.
  - intros t Ht. unfold V_fall. pose proof (Rmult_le_compat_l C t s). lra.
  - intros; apply W_fall_slope; auto.
  - intros; apply V_fall_slope.
  - intros t Ht. pose proof (Hend t ltac:(lra)). pose proof (Rmult_le_pos (R last - C) t).
    apply Rmult_lt_reg_l with alpha; lra.
  - intros i t Hi Ht. pose proof (fall_slope t ltac:(lra)) as Hsl. pose proof (overloaded i Hi) as Ho.
    set (sl := alpha * dF_fall t) in *. clearbody sl.
    unfold w_fall. destruct (Nat.ltb_spec i L) as [c|c].
    + destruct (Rlt_dec t (t31 i)) as [d|d].
      * rewrite W_fall_before by (auto; lra).
        destruct (t31_sorted i last ltac:(lia) ltac:(lia)).
        pose proof (threshold_falls t (t31 i) ltac:(lra) ltac:(lra) ltac:(lra)) as K.
        rewrite T_fall_at in K by auto. pose proof (Rmult_lt_compat_l (R i) t (t31 i)).
        repeat split; lra.
      * rewrite W_fall_after by (auto; lra). pose proof (t31_pos i c).
        pose proof (threshold_falls (t31 i) t ltac:(lra) ltac:(lra) ltac:(lra)) as K.
        rewrite T_fall_at in K by auto. repeat split; try lra.
        intros _. rewrite clip_low; lra.
    + rewrite W_fall_rest by auto. pose proof (Hend t ltac:(lra)). pose proof (sorted last i ltac:(lia)).
      pose proof (Rmult_le_compat_r t (R i - C) (R last - C)). repeat split; lra.
  - intros t Ht. pose proof (fall_slope t ltac:(lra)) as Hsl.
    pose proof (threshold_falls 0 t ltac:(lra) ltac:(lra) ltac:(lra)) as K.
    destruct fall_start as (_ & _ & K0). rewrite K0 in K.
    set (sl := alpha * dF_fall t) in *. set (T := alpha * F_fall t) in *. clearbody sl T. unfold V_fall, v_fall.
    destruct (Rle_lt_or_eq_dec T (V0 - C * t) ltac:(lra)) as [a|a].
    + left. split; auto.
    + right. repeat split; [lra|lra|]. rewrite Rmax_right; lra.
Qed.

End Drain.
