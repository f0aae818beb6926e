(** DT/EDT paper, Section 3.3, varying rates: what FirstDrop.v, FirstDropAny.v and FirstDropSlowPorts.v suppose of lengths and excess
    there is for all piecewise-constant rates.

      [reflections_exist]   the two reflections of [any_arrivals], for bursts of any rates;
      [excess_exists]       the excess of [any_bursts], for rates of C and more;
      [lagging_exists]      the excess of [slow_ports], beside steady ports of any rate from C on.                          *)
Require Import Reals Lra Lia.
From DT Require Import Calculus Fluid Existence Scenario FirstDrop FirstDropLag FirstDropAny FirstDropSlowPorts.
Open Scope R_scope.

(** ** Piecewise-constant rates *)

Lemma piecewise_lasts n s tau Ar t : piecewise_constant n s tau Ar -> s <= t < tau ->
  exists d, 0 < d /\ forall i u, (i < n)%nat -> t <= u < t + d -> Ar i u = Ar i t.
Proof.
  intros (m & c & Es & Et & Hc & P) Ht. destruct (piece_of c m t) as (k & Hk & E); [lra|].
  exists (c (S k) - t). split; [lra|]. intros i u Hi Hu. rewrite (P k i u), (P k i t); auto; lra.
Qed.

Lemma piecewise_bounded n s tau Ar : piecewise_constant n s tau Ar ->
  exists K, 0 <= K /\ forall i t, (i < n)%nat -> s <= t < tau -> Ar i t <= K.
Proof.
  intros (m & c & Es & Et & Hc & P). exists (sum m (fun k => sum n (fun i => Rabs (Ar i (c k))))).
  split; [apply sum_nonneg; intros; apply sum_nonneg; intros; apply Rabs_pos|].
  intros i t Hi Ht. destruct (piece_of c m t) as (k & Hk & E); [lra|]. rewrite (P k i t Hk Hi E).
  apply Rle_trans with (Rabs (Ar i (c k))); [apply Rle_abs|].
  apply Rle_trans with (sum n (fun i => Rabs (Ar i (c k)))).
  - apply (sum_term_le n (fun j => Rabs (Ar j (c k)))); auto. intros; apply Rabs_pos.
  - apply (sum_term_le m (fun k => sum n (fun i => Rabs (Ar i (c k))))); auto. intros; apply sum_nonneg; intros; apply Rabs_pos.
Qed.

(** ** Two reflections *)

(** Queues of the service c that nothing limits: a switch with a static threshold that none can reach. *)
Lemma unlimited_queues n c K tau a : 0 <= c -> 0 <= K -> 0 <= tau -> (forall i t, (i < n)%nat -> 0 <= t < tau -> 0 <= a i t <= K) ->
  (forall t, 0 <= t < tau -> exists d, 0 < d /\ forall i u, (i < n)%nat -> t <= u < t + d -> u < tau -> a i u = a i t) ->
  exists y, (forall i, (i < n)%nat -> y i 0 = 0 /\ continuous_on (y i) 0 tau) /\
    (forall i t, (i < n)%nat -> 0 <= t <= tau -> 0 <= y i t <= K * t) /\
    forall i t, (i < n)%nat -> 0 <= t < tau -> right_derivative (y i) t (reflected c (y i t) (a i t)).
Proof.
  intros Hc HK Htau Ha Lasts. set (Ar := fun i t => if Rlt_dec t tau then a i t else 0).
  set (sw := Switch n (fun _ => 0) (fun _ => K * tau + 1) (fun _ => c) 0).
  assert (HA : forall i t, (i < n)%nat -> 0 <= t -> 0 <= Ar i t <= K).
  { intros i t Hi Ht. unfold Ar. destruct (Rlt_dec t tau); [apply Ha; auto; lra|lra]. }
  destruct (fluid_continues sw Ar 0 K (fun _ => 0)) as (Y & W & E & H); [intros; simpl; lra|exact HA| |intros; lra|].
  { intros t Ht. unfold Ar. destruct (Rlt_dec t tau) as [c'|c'].
    - destruct (Lasts t ltac:(lra)) as (d & Hd & L). exists (Rmin d (tau - t)). split; [apply Rmin_pos; lra|].
      intros i u Hi Hu. pose proof (Rmin_l d (tau - t)). pose proof (Rmin_r d (tau - t)). destruct (Rlt_dec u tau); [apply L; auto; lra|lra].
    - exists 1. split; [lra|]. intros i u _ Hu. destruct (Rlt_dec u tau); lra. }
  specialize (H tau). exists Y.
  assert (Nn : forall i t, (i < n)%nat -> 0 <= t <= tau -> 0 <= Y i t) by (intros; apply (length_nonneg _ _ _ _ _ _ H); auto).
  assert (Up : forall i t, (i < n)%nat -> 0 <= t <= tau -> Y i t <= K * t).
  { intros i t Hi Ht. assert (G : Y i t - (K * t + 0) <= Y i 0 - (K * 0 + 0)).
    { apply (nonincreasing 0 t (fun u => Y i u - (K * u + 0)) (fun u => W i u - K)); [lra| |].
      - apply continuous_minus; [|apply continuous_linear]. apply (continuous_sub 0 tau); [lra|lra|apply (length_continuous _ _ _ _ _ _ H); auto].
      - intros u Hu. split; [apply rd_minus; [apply (length_slope _ _ _ _ _ _ H); auto; lra|apply rd_linear]|].
        destruct (HA i u Hi ltac:(lra)). pose proof (rate_bounds sw Ar Y W i u ltac:(lra) (length_rule _ _ _ _ _ _ H i u Hi ltac:(lra))) as [_ B].
        assert (highest sw Ar i (Y i u) u <= K); [|lra]. unfold highest. simpl. destruct (Rlt_dec 0 (Y i u)); [lra|]. apply Rmax_lub; lra. }
    rewrite (E i Hi) in G. lra. }
  split; [|split; [intros; split; auto|]].
  - intros i Hi. split; [apply E; auto|apply (length_continuous _ _ _ _ _ _ H); auto].
  - intros i t Hi Ht. destruct (length_rule _ _ _ _ _ _ H i t Hi Ht) as (Below & _ & _).
    replace (reflected c (Y i t) (a i t)) with (W i t); [apply (length_slope _ _ _ _ _ _ H); auto|].
    rewrite Below.
    + unfold highest, reflected, Ar. simpl. destruct (Rlt_dec t tau); [reflexivity|lra].
    + unfold threshold. simpl. pose proof (Up i t Hi ltac:(lra)). pose proof (Rmult_le_compat_l K t tau HK ltac:(lra)). lra.
Qed.

(** What the server of such a queue leaves undone is constant for a while. *)
Lemma reflected_lasts C tau y a t d : 0 <= t < tau -> 0 < d -> (forall u, t <= u < t + d -> u < tau -> a u = a t) ->
  continuous_on y 0 tau -> (forall u, 0 <= u <= tau -> 0 <= y u) -> (forall u, 0 <= u < tau -> right_derivative y u (reflected C (y u) (a u))) ->
  exists e, 0 < e /\ forall u, t <= u < t + e -> u < tau -> reflected C (y u) (a u) = reflected C (y t) (a t).
Proof.
  intros Ht Hd Same Cont Nn Slope. destruct (Rlt_dec 0 (y t)) as [p|p].
  - destruct (rd_stays_positive t y (reflected C (y t) (a t)) (Slope t Ht) p) as (e & He & Pos).
    exists (Rmin d e). split; [apply Rmin_pos; auto|]. intros u Hu Hut. pose proof (Rmin_l d e). pose proof (Rmin_r d e).
    rewrite (Same u) by lra. unfold reflected. destruct (Rlt_dec 0 (y t)); [|lra]. destruct (Rlt_dec 0 (y u)) as [q|q]; [reflexivity|].
    exfalso. apply q. replace u with (t + (u - t)) by ring. apply Pos. lra.
  - assert (Z : y t = 0) by (pose proof (Nn t ltac:(lra)); lra). exists d. split; [auto|]. intros u Hu Hut. rewrite (Same u) by lra.
    destruct (Rlt_dec C (a t)) as [o|o].
    + unfold reflected. destruct (Rlt_dec 0 (y u)), (Rlt_dec 0 (y t)); try lra; rewrite ?Rmax_right; lra.
    + assert (Zu : y u = 0).
      { apply Rle_antisym; [|apply Nn; lra]. rewrite <- Z.
        apply (nonincreasing t u y (fun v => reflected C (y v) (a v))); [lra|apply (continuous_sub 0 tau); auto; lra|].
        intros v Hv. split; [apply Slope; lra|]. rewrite (Same v) by lra. unfold reflected.
        destruct (Rlt_dec 0 (y v)); [lra|]. apply Rmax_lub; lra. }
      rewrite Zu, Z. reflexivity.
Qed.

(** Both reflections exist, for all piecewise-constant arrivals. *)
Theorem reflections_exist M N alpha C tau R : 0 <= alpha -> 0 <= C -> 0 <= tau ->
  (forall i t, (i < M)%nat -> 0 <= t < tau -> 0 <= R i t) -> piecewise_constant M 0 tau R ->
  exists q e de, any_arrivals M N alpha C tau R q e de.
Proof.
  intros Ha HC Htau HR P. destruct (piecewise_bounded M 0 tau R P) as (K & HK & Bound).
  assert (Lasts : forall t, 0 <= t < tau -> exists d, 0 < d /\ forall i u, (i < M)%nat -> t <= u < t + d -> u < tau -> R i u = R i t).
  { intros t Ht. destruct (piecewise_lasts M 0 tau R t P Ht) as (d & Hd & L). exists d. split; auto. }
  destruct (unlimited_queues M C K tau R HC HK Htau) as (q & Q1 & Q2 & Q3); [intros; split; auto|exact Lasts|].
  set (a := fun (_ : nat) t => alpha * sum M (fun i => reflected C (q i t) (R i t) + C)).
  assert (Each : forall i t, (i < M)%nat -> 0 <= t < tau -> 0 <= reflected C (q i t) (R i t) + C <= K + C).
  { intros i t Hi Ht. pose proof (HR i t Hi Ht). pose proof (Bound i t Hi Ht). unfold reflected. destruct (Rlt_dec 0 (q i t)); [lra|].
    pose proof (Rmax_l 0 (R i t - C)). assert (Rmax 0 (R i t - C) <= K) by (apply Rmax_lub; lra). lra. }
  set (c := (1 + alpha * INR N) * C + alpha * (INR M * C)).
  assert (Hm : 0 <= INR M * C) by (apply Rmult_le_pos; [apply pos_INR|auto]).
  assert (Hc : 0 <= c).
  { unfold c. pose proof (Rmult_le_pos alpha (INR M * C) Ha Hm). pose proof (Rmult_le_pos (alpha * INR N) C (Rmult_le_pos _ _ Ha (pos_INR N)) HC). lra. }
  destruct (unlimited_queues 1 c (alpha * (INR M * (K + C))) tau a Hc) as (y & Y1 & Y2 & Y3); auto.
  - apply Rmult_le_pos; [auto|]. apply Rmult_le_pos; [apply pos_INR|lra].
  - intros i t _ Ht. unfold a. split; [apply Rmult_le_pos; auto; apply sum_nonneg; intros; apply Each; auto|].
    apply Rmult_le_compat_l; auto. rewrite <- (sum_const M (K + C)). apply sum_le. intros; apply Each; auto.
  - intros t Ht.
    destruct (for_a_while M (fun i h => t + h < tau -> reflected C (q i (t + h)) (R i (t + h)) = reflected C (q i t) (R i t))) as (d & Hd & L).
    { intros i Hi. destruct (Lasts t Ht) as (d & Hd & L). destruct (Q1 i Hi) as [_ Cont].
      destruct (reflected_lasts C tau (q i) (R i) t d Ht Hd) as (e & He & Le); auto; [intros; apply Q2; auto|].
      exists e. split; auto. intros h Hh Hlt. apply Le; lra. }
    exists d. split; auto. intros j u _ Hu Hut. unfold a. f_equal. apply sum_ext. intros i Hi. f_equal.
    specialize (L i (u - t) Hi ltac:(lra)). replace (t + (u - t)) with u in L by ring. apply L, Hut.
  - exists q, (y 0%nat), (fun t => reflected c (y 0%nat t) (a 0%nat t)). destruct (Y1 0%nat ltac:(lia)) as [Y0 Yc].
    split.
    + exact HR.
    + intros i t Hi Ht Hp. destruct (Lasts t Ht) as (d & Hd & L). exists d. split; auto. intros u Hu Hut. rewrite (L i u); auto.
    + intros i Hi. apply Q1; auto.
    + intros i t Hi Ht. apply Q2; auto.
    + exists (K * tau + 1). intros i t Hi Ht. destruct (Q2 i t Hi Ht). pose proof (Rmult_le_compat_l K t tau HK ltac:(lra)). lra.
    + intros i Hi. apply Q1; auto.
    + exact Q3.
    + exact Y0.
    + intros t Ht. apply Y2; [lia|auto].
    + exact Yc.
    + intros t Ht. apply Y3; [lia|auto].
    + intros t Ht dZ. assert (E : a 0%nat t - c = dZ) by (unfold a, c, dZ; rewrite sum_plus, sum_const; ring).
      unfold reflected. split; intros Y; rewrite E.
      * destruct (Rlt_dec 0 (y 0%nat t)); [reflexivity|contradiction].
      * destruct (Rlt_dec 0 (y 0%nat t)); [lra|apply Rmax_comm].
Qed.

(** ... and so do those of bursts that never come more slowly than they are sent, whose lengths are what has come less C t. *)
Theorem excess_exists M N alpha C tau R : 0 <= alpha -> 0 <= C -> 0 <= tau ->
  (forall i t, (i < M)%nat -> 0 <= t < tau -> C <= R i t) -> piecewise_constant M 0 tau R ->
  exists A e de, any_bursts M N alpha C tau R A e de.
Proof.
  intros Ha HC Htau HR P. destruct (reflections_exist M N alpha C tau R Ha HC Htau) as (q & e & de & H); auto.
  { intros i t Hi Ht. specialize (HR i t Hi Ht). lra. }
  assert (Same : forall i t, (i < M)%nat -> 0 <= t < tau -> reflected C (q i t) (R i t) = R i t - C).
  { intros i t Hi Ht. specialize (HR i t Hi Ht). unfold reflected. destruct (Rlt_dec 0 (q i t)); [|rewrite Rmax_right]; lra. }
  exists (fun i t => q i t + (C * t + 0)), e, de. split.
  - exact HR.
  - intros i Hi. rewrite (q_start _ _ _ _ _ _ _ _ _ H i Hi). lra.
  - intros i Hi. apply continuous_plus; [apply (q_continuous _ _ _ _ _ _ _ _ _ H i Hi)|apply continuous_linear].
  - intros i t Hi Ht. eapply rd_eq; [apply rd_plus; [apply (q_slope _ _ _ _ _ _ _ _ _ H i t Hi Ht)|apply rd_linear]|]. rewrite Same; auto. ring.
  - apply (e_start _ _ _ _ _ _ _ _ _ H).
  - apply (e_nonneg _ _ _ _ _ _ _ _ _ H).
  - apply (e_continuous _ _ _ _ _ _ _ _ _ H).
  - apply (e_slope _ _ _ _ _ _ _ _ _ H).
  - intros t Ht dZ. pose proof (e_rule _ _ _ _ _ _ _ _ _ H t Ht) as K. cbv zeta in K.
    rewrite (sum_ext M _ (fun i => R i t - C)) in K by (intros; apply Same; auto). exact K.
Qed.

(** ** Steady ports that may lag *)

(** The excess beside ports that may lag is that of one queue on a threshold of its own: a port that is offered lambda R_b and
    sends lambda C, lambda = (1 + alpha N) / (1 + alpha), in a buffer that is so large that it is never empty. *)
Section Lagging.
Variables (M N : nat) (alpha C tau K : real) (R : nat -> real -> real) (Rb : real -> real).
Hypotheses (alpha_pos : 0 < alpha) (C_nonneg : 0 <= C) (tau_nonneg : 0 <= tau).
Notation lam := ((1 + alpha * INR N) / (1 + alpha)).
Notation y0 := (lam * C * tau + 1).
Definition beside_one (i : nat) (t : real) : real := if lt_dec i M then R i t else lam * Rb t.
Definition one_more : switch :=
  Switch (M + 1) (fun i => if lt_dec i M then 0 else alpha) (fun i => if lt_dec i M then K * tau + 1 else 0)
    (fun i => if lt_dec i M then C else lam * C) (y0 * (1 + alpha) / alpha).

Lemma lam_is : 0 < lam /\ (1 + alpha) * lam = 1 + alpha * INR N.
Proof.
  pose proof (Rmult_le_pos alpha (INR N) ltac:(lra) (pos_INR N)). split; [apply Rdiv_lt_0_compat; lra|field; lra].
Qed.
End Lagging.

Theorem lagging_exists M N alpha C tau R Rb : 0 < alpha -> 0 <= C -> 0 <= tau ->
  (forall i t, (i < M)%nat -> 0 <= t < tau -> 0 <= R i t) -> (forall t, 0 <= t < tau -> C <= Rb t) ->
  piecewise_constant (M + 1) 0 tau (fun i t => if lt_dec i M then R i t else Rb t) ->
  exists q e de, slow_ports M N alpha C tau R Rb q e de.
Proof.
  intros Ha HC Htau HR HRb P. destruct (piecewise_bounded (M + 1) 0 tau _ P) as (K & HK & Bound).
  destruct (lam_is N alpha Ha) as [Lp Le]. set (lam := (1 + alpha * INR N) / (1 + alpha)) in *.
  set (Ar := beside_one M N alpha R Rb). set (sw := one_more M N alpha C tau K). set (y0 := lam * C * tau + 1).
  assert (LC : 0 <= lam * C) by (apply Rmult_le_pos; lra).
  assert (ArR : forall i t, (i < M)%nat -> Ar i t = R i t) by (intros i t Hi; unfold Ar, beside_one; destruct (lt_dec i M); [reflexivity|lia]).
  assert (ArB : forall t, Ar M t = lam * Rb t) by (intros; unfold Ar, beside_one; destruct (lt_dec M M); [lia|reflexivity]).
  assert (HA : forall i t, (i < M + 1)%nat -> 0 <= t < tau -> 0 <= Ar i t).
  { intros i t Hi Ht. destruct (lt_dec i M) as [c|c]; [rewrite ArR; auto|]. replace i with M by lia. rewrite ArB.
    apply Rmult_le_pos; [lra|]. specialize (HRb t Ht). lra. }
  destruct (fluid_exists sw Ar 0 tau (fun i => if lt_dec i M then 0 else y0)) as (Q & D & H & E).
  { split; [|exact HA]. intros i Hi. simpl. fold lam. destruct (lt_dec i M); split; lra. }
  { destruct P as (m & c & E0 & Em & Up & P). exists m, c. repeat (split; [assumption|]). intros k i t Hk Hi Ht.
    specialize (P k i t Hk Hi Ht). unfold Ar, beside_one. simpl in P. destruct (lt_dec i M); [exact P|rewrite P; reflexivity]. }
  { intros i Hi. destruct (lt_dec i M); [lra|]. unfold y0. pose proof (Rmult_le_pos _ _ LC Htau). lra. }
  assert (Own : forall i, (i < M)%nat -> gain sw i = 0 /\ offset sw i = K * tau + 1 /\ service sw i = C).
  { intros i Hi. simpl. destruct (lt_dec i M); [auto|lia]. }
  assert (Last : gain sw M = alpha /\ offset sw M = 0 /\ service sw M = lam * C).
  { simpl. destruct (lt_dec M M); [lia|auto]. }
  destruct Last as (G & O & Sv).
  assert (Up : forall i t, (i < M)%nat -> 0 <= t <= tau -> Q i t <= K * t).
  { intros i t Hi Ht. assert (X : Q i t - (K * t + 0) <= Q i 0 - (K * 0 + 0)).
    { apply (nonincreasing 0 t (fun u => Q i u - (K * u + 0)) (fun u => D i u - K)); [lra| |].
      - apply continuous_minus; [|apply continuous_linear]. apply (continuous_sub 0 tau); [lra|lra|apply (length_continuous _ _ _ _ _ _ H); simpl; lia].
      - intros u Hu. split; [apply rd_minus; [apply (length_slope _ _ _ _ _ _ H); [simpl; lia|lra]|apply rd_linear]|].
        pose proof (HA i u ltac:(lia) ltac:(lra)) as A0. pose proof (Bound i u ltac:(lia) ltac:(lra)) as AK. simpl in AK. destruct (lt_dec i M); [|lia].
        pose proof (rate_bounds sw Ar Q D i u A0 (length_rule _ _ _ _ _ _ H i u ltac:(simpl; lia) ltac:(lra))) as [_ B].
        assert (highest sw Ar i (Q i u) u <= K); [|lra]. unfold highest. destruct (Own i Hi) as (_ & _ & ->). rewrite ArR by auto.
        destruct (Rlt_dec 0 (Q i u)); [lra|]. apply Rmax_lub; lra. }
    rewrite (E i) in X by (simpl; lia). destruct (lt_dec i M); [lra|lia]. }
  assert (Free : forall i t, (i < M)%nat -> 0 <= t < tau -> D i t = reflected C (Q i t) (R i t)).
  { intros i t Hi Ht. destruct (length_rule _ _ _ _ _ _ H i t ltac:(simpl; lia) Ht) as (Below & _ & _). destruct (Own i Hi) as (Gi & Oi & Si).
    rewrite Below; [unfold highest, reflected; rewrite Si, ArR by auto; reflexivity|].
    unfold threshold. rewrite Gi, Oi. pose proof (Up i t Hi ltac:(lra)). pose proof (Rmult_le_compat_l K t tau HK ltac:(lra)). lra. }
  assert (Pos : forall t, 0 <= t <= tau -> 0 < Q M t).
  { intros t Ht. assert (X : - Q M t + (- (lam * C) * t + 0) <= - Q M 0 + (- (lam * C) * 0 + 0)).
    { apply (nonincreasing 0 t (fun u => - Q M u + (- (lam * C) * u + 0)) (fun u => - D M u + - (lam * C))); [lra| |].
      - apply continuous_plus; [|apply continuous_linear]. apply continuous_opp, (continuous_sub 0 tau); [lra|lra|apply (length_continuous _ _ _ _ _ _ H); simpl; lia].
      - intros u Hu. split; [apply rd_plus; [apply rd_opp, (length_slope _ _ _ _ _ _ H); [simpl; lia|lra]|apply rd_linear]|].
        pose proof (rate_bounds sw Ar Q D M u (HA M u ltac:(lia) ltac:(lra)) (length_rule _ _ _ _ _ _ H M u ltac:(simpl; lia) ltac:(lra))) as [B _].
        unfold lowest in B. rewrite Sv in B. destruct (Rlt_dec 0 (Q M u)); [lra|]. pose proof (Rmax_r 0 (- (lam * C))). lra. }
    rewrite (E M) in X by (simpl; lia). destruct (lt_dec M M); [lia|].
    pose proof (Rmult_le_compat_l (lam * C) t tau LC ltac:(lra)). unfold y0 in X. lra. }
  set (e := fun t => Q M t - threshold sw Q M t). set (de := fun t => D M t - threshold_slope sw D M t).
  exists Q, e, de. split.
  - exact HR.
  - intros i t Hi Ht Hp. destruct (piecewise_lasts (M + 1) 0 tau _ t P Ht) as (d & Hd & L). exists d. split; auto. intros u Hu _.
    specialize (L i u ltac:(lia) Hu). simpl in L. destruct (lt_dec i M); [rewrite L; auto|lia].
  - exact HRb.
  - intros i Hi. rewrite (E i) by (simpl; lia). destruct (lt_dec i M); [reflexivity|lia].
  - intros i t Hi Ht. apply (length_nonneg _ _ _ _ _ _ H); [simpl; lia|auto].
  - exists (K * tau + 1). intros i t Hi Ht. pose proof (Up i t Hi Ht). pose proof (Rmult_le_compat_l K t tau HK ltac:(lra)). lra.
  - intros i Hi. apply (length_continuous _ _ _ _ _ _ H); simpl; lia.
  - intros i t Hi Ht. rewrite <- (Free i t Hi Ht). apply (length_slope _ _ _ _ _ _ H); [simpl; lia|auto].
  - unfold e, threshold, free. rewrite G, O. simpl ports. rewrite sum_split. simpl (sum 1 _). rewrite Nat.add_0_r.
    assert (Z : sum M (fun i => Q i 0) = 0).
    { apply sum_zero. intros i Hi. rewrite (E i) by (simpl; lia). destruct (lt_dec i M); [reflexivity|lia]. }
    rewrite Z, (E M) by (simpl; lia).
    destruct (lt_dec M M); [lia|]. simpl buffer. fold lam y0. field. lra.
  - unfold e. apply continuous_minus; [apply (length_continuous _ _ _ _ _ _ H); simpl; lia|]. unfold threshold.
    apply continuous_plus; [apply continuous_const|]. apply continuous_scal. unfold free. apply continuous_minus; [apply continuous_const|].
    apply continuous_sum. intros i Hi. apply (length_continuous _ _ _ _ _ _ H i Hi).
  - intros t Ht. unfold e, de. apply rd_minus; [apply (length_slope _ _ _ _ _ _ H); [simpl; lia|auto]|]. unfold threshold, threshold_slope.
    eapply rd_eq; [apply rd_plus; [apply rd_const|apply rd_scal, rd_minus; [apply rd_const|apply rd_sum; intros i Hi; apply (length_slope _ _ _ _ _ _ H i t Hi Ht)]]|].
    unfold free_slope. ring.
  - intros t Ht dZ up. set (S := sum M (fun i => reflected C (Q i t) (R i t))) in *.
    destruct (length_rule _ _ _ _ _ _ H M t ltac:(simpl; lia) Ht) as (Below & Above & On). specialize (Pos t ltac:(lra)).
    assert (Lo : lowest sw M (Q M t) = - (lam * C)) by (unfold lowest; rewrite Sv; destruct (Rlt_dec 0 (Q M t)); [reflexivity|lra]).
    assert (Hi : highest sw Ar M (Q M t) t = lam * Rb t - lam * C) by (unfold highest; rewrite Sv, ArB; destruct (Rlt_dec 0 (Q M t)); [reflexivity|lra]).
    assert (X : threshold_slope sw D M t = - alpha * (S + D M t)).
    { unfold threshold_slope, free_slope. rewrite G. simpl ports. rewrite sum_split. simpl (sum 1 _). rewrite Nat.add_0_r.
      rewrite (sum_ext M _ (fun i => reflected C (Q i t) (R i t))) by (intros; apply Free; auto). fold S. ring. }
    assert (DZ : dZ = alpha * S - (1 + alpha) * (lam * C)) by (unfold dZ; fold S; rewrite <- Le; ring).
    assert (UP : up = alpha * S + (1 + alpha) * (lam * Rb t - lam * C)) by (unfold up; rewrite DZ, <- Le; ring).
    assert (DE : de t = alpha * S + (1 + alpha) * D M t) by (unfold de; rewrite X; ring).
    split; [|split].
    + intros Pe. rewrite DE, Above by (unfold e in Pe; lra). rewrite Lo, DZ. ring.
    + intros Ne. rewrite DE, Below by (unfold e in Ne; lra). rewrite Hi, UP. ring.
    + intros Ze. specialize (On ltac:(unfold e in Ze; lra)). rewrite Lo, Hi, X in On.
      assert (Order : - (lam * C) <= lam * Rb t - lam * C).
      { specialize (HRb t Ht). pose proof (Rmult_le_pos lam (Rb t) ltac:(lra) ltac:(lra)). lra. }
      assert (Scale : forall a b, a <= b -> (1 + alpha) * a <= (1 + alpha) * b) by (intros; apply Rmult_le_compat_l; lra).
      unfold clip in On. destruct (Rle_dec (- alpha * (S + D M t)) (lam * Rb t - lam * C)) as [c|c].
      * rewrite Rmin_left in On by lra. destruct (Rle_dec (- (lam * C)) (- alpha * (S + D M t))) as [d|d].
        -- rewrite Rmax_right in On by lra. assert (Z : de t = 0) by lra. rewrite Z.
           pose proof (Scale _ _ d) as d'. pose proof (Scale _ _ c) as c'. rewrite <- On in d', c'.
           destruct (Rlt_dec 0 dZ); [lra|]. destruct (Rlt_dec up 0); lra.
        -- rewrite Rmax_left in On by lra. assert (E' : de t = dZ) by (rewrite DE, On, DZ; ring). rewrite E'.
           destruct (Rlt_dec 0 dZ) as [g|g]; [reflexivity|]. exfalso. rewrite On in d. rewrite DZ in g. lra.
      * rewrite Rmin_right, Rmax_right in On by lra. assert (E' : de t = up) by (rewrite DE, On, UP; ring). rewrite E'.
        assert (Neg : up < 0) by (rewrite UP; rewrite On in c; lra).
        destruct (Rlt_dec 0 dZ) as [g|g].
        -- pose proof (Scale _ _ Order). rewrite DZ in g. rewrite UP in Neg. lra.
        -- destruct (Rlt_dec up 0); [reflexivity|lra].
Qed.
