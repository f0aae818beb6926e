(** LossPass paper, Sections 2.2 and 3.3, and DynaQ's sawtooth: windows that grow, overshoot K and are cut.

    u is the sum of the N windows, D = C RTT the pipe; below D the link carries u per base RTT, from D on it is busy.
    The windows grow once a base RTT, or once an actual round trip, which lasts max(1, u/D) base RTTs. From the trough
    m to the peak W = D + K + N a (a the packet size) [lasted] and [carried] are time and carried bytes as functions of
    u. *)
Require Import Reals Lra Lia.
From DT Require Import Calculus.
Open Scope R_scope.

Inductive growth := Base | Actual.
Definition round_trip (g : growth) (D u : R) : R := match g with Base => 1 | Actual => Rmax 1 (u / D) end.
Definition throughput (D u : R) : R := Rmin 1 (u / D).
Definition tooth (g : growth) (D m W : R) (lasted carried : R -> R) : Prop :=
  continuous_on lasted m W /\ continuous_on carried m W /\
  forall u, m <= u < W -> right_derivative lasted u (round_trip g D u) /\
                          right_derivative carried u (round_trip g D u * throughput D u).

(** The part of the link that is used. *)
Definition used (m W : R) (lasted carried : R -> R) : R := (carried W - carried m) / (lasted W - lasted m).

(** ** Integrals *)

(** What has the right derivative of g grows as g does. *)
Lemma same_growth f g d s t : s <= t -> continuous_on f s t -> continuous_on g s t ->
  (forall u, s <= u < t -> right_derivative f u (d u) /\ right_derivative g u (d u)) -> f t - f s = g t - g s.
Proof.
  intros Hst Cf Cg H.
  assert (A : f t - g t <= f s - g s).
  { apply (nonincreasing s t (fun u => f u - g u) (fun _ => 0)); auto; [apply continuous_minus; auto|].
    intros u Hu. destruct (H u Hu) as [F G]. split; [|lra]. eapply rd_eq; [apply rd_minus; eauto|lra]. }
  assert (C : g t - f t <= g s - f s).
  { apply (nonincreasing s t (fun u => g u - f u) (fun _ => 0)); auto; [apply continuous_minus; auto|].
    intros u Hu. destruct (H u Hu) as [F G]. split; [|lra]. eapply rd_eq; [apply rd_minus; eauto|lra]. }
  lra.
Qed.

Lemma square_continuous k s t : continuous_on (fun u => k * (u * u)) s t.
Proof.
  intros u Hu. assert (C : continuity_pt (fun u => k * (u * u)) u) by reg.
  intros eps He. destruct (C eps He) as (d & Hd & K). exists d. split; auto. intros x [Hx Hxd].
  destruct (Req_dec u x) as [->|n].
  - simpl. unfold R_dist. replace (_ - _) with 0 by ring. rewrite Rabs_R0. exact He.
  - apply K. split; [split; [exact I|exact n]|exact Hxd].
Qed.

Lemma square_rd k u : right_derivative (fun u => k * (u * u)) u (2 * k * u).
Proof.
  intros eps He. exists (eps / (Rabs k + 1)). pose proof (Rabs_pos k) as P.
  assert (0 < eps / (Rabs k + 1)) by (apply Rdiv_lt_0_compat; lra). split; [auto|]. intros h Hh.
  replace (k * ((u + h) * (u + h)) - k * (u * u) - 2 * k * u * h) with (k * (h * h)) by ring.
  rewrite Rabs_mult, (Rabs_pos_eq (h * h)) by nra. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [lra|].
  apply Rle_trans with (Rabs k * (eps / (Rabs k + 1))); [apply Rmult_le_compat_l; lra|].
  apply Rle_trans with ((Rabs k + 1) * (eps / (Rabs k + 1))); [apply Rmult_le_compat_r; lra|].
  right. field. lra.
Qed.

Lemma grows_linearly f k s t : s <= t -> continuous_on f s t ->
  (forall u, s <= u < t -> right_derivative f u k) -> f t - f s = k * (t - s).
Proof.
  intros Hst Cf H. rewrite (same_growth f (fun u => k * u + 0) (fun _ => k) s t); [ring|auto|auto| |].
  - apply continuous_linear.
  - split; [auto|apply rd_linear].
Qed.

Lemma grows_as_square f D s t : D <> 0 -> s <= t -> continuous_on f s t ->
  (forall u, s <= u < t -> right_derivative f u (u / D)) -> f t - f s = (t * t - s * s) / (2 * D).
Proof.
  intros HD Hst Cf H. rewrite (same_growth f (fun u => / (2 * D) * (u * u)) (fun u => u / D) s t); [field;
    auto|auto|auto| |].
  - apply square_continuous.
  - split; [auto|]. eapply rd_eq; [apply square_rd|field; auto].
Qed.

Lemma throughput_below D u : 0 < D -> u <= D -> throughput D u = u / D /\ round_trip Actual D u = 1.
Proof.
  intros HD Hu. assert (u / D <= 1) by (apply Rmult_le_reg_r with D; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l;
    lra).
  unfold throughput, round_trip. rewrite Rmin_right, Rmax_left; auto.
Qed.

Lemma throughput_above D u : 0 < D -> D <= u -> throughput D u = 1 /\ round_trip Actual D u = u / D.
Proof.
  intros HD Hu. assert (1 <= u / D) by (apply Rmult_le_reg_r with D; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l;
    lra).
  unfold throughput, round_trip. rewrite Rmin_left, Rmax_right; auto.
Qed.

(** ** Utilisation *)

(** Time and carried bytes of one tooth. *)
Lemma tooth_integrals g D m W lasted carried : 0 < D -> m <= D -> D <= W -> tooth g D m W lasted carried ->
  lasted W - lasted m = D - m + match g with Base => W - D | Actual => (W * W - D * D) / (2 * D) end /\
  carried W - carried m = (D * D - m * m) / (2 * D) + match g with Base => W - D | Actual => (W * W - D * D) / (2 *
    D) end.
Proof.
  intros HD Hm HW (Cl & Cc & H).
  assert (L1 : lasted D - lasted m = 1 * (D - m)).
  { apply grows_linearly; [auto|apply (continuous_sub m W); auto; lra|]. intros u Hu.
    destruct (H u ltac:(lra)) as [L _].
    destruct (throughput_below D u HD ltac:(lra)) as [_ E]. destruct g; [exact L|rewrite E in L; exact L]. }
  assert (C1 : carried D - carried m = (D * D - m * m) / (2 * D)).
  { apply grows_as_square; [lra|auto|apply (continuous_sub m W); auto; lra|]. intros u Hu.
    destruct (H u ltac:(lra)) as [_ C]. destruct (throughput_below D u HD ltac:(lra)) as [T E].
    eapply rd_eq; [exact C|]. destruct g; [simpl; lra|rewrite E; lra]. }
  assert (P : forall f, continuous_on f m W -> (forall u, D <= u < W -> right_derivative f u (round_trip g D u)) ->
    f W - f D = match g with Base => W - D | Actual => (W * W - D * D) / (2 * D) end).
  { intros f Cf Hf. assert (Cf' : continuous_on f D W) by (apply (continuous_sub m W); auto; lra). destruct g.
    - rewrite (grows_linearly f 1 D W); auto. lra.
    - apply grows_as_square; auto; [lra|]. intros u Hu. specialize (Hf u Hu).
      destruct (throughput_above D u HD ltac:(lra)) as [_ E]. rewrite E in Hf. exact Hf. }
  pose proof (P lasted Cl (fun u Hu => proj1 (H u ltac:(lra)))) as L2.
  assert (C2 : carried W - carried D = match g with Base => W - D | Actual => (W * W - D * D) / (2 * D) end).
  { apply P; auto. intros u Hu. destruct (H u ltac:(lra)) as [_ C].
    destruct (throughput_above D u HD ltac:(lra)) as [T _]. rewrite T in C. eapply rd_eq; [exact C|lra]. }
  split; lra.
Qed.

(** losspass.ours.utilisation: the share of the link that is used between the trough m < D and the peak W. *)
Theorem losspass_utilisation g D m W lasted carried : 0 < D -> 0 <= m < D -> D <= W -> tooth g D m W lasted carried ->
  used m W lasted carried = match g with
    | Base => 1 - (D - m) ^ 2 / (2 * D * (W - m))
    | Actual => 1 - (D - m) ^ 2 / (W ^ 2 + D ^ 2 - 2 * D * m)
    end.
Proof.
  intros HD Hm HW H. destruct (tooth_integrals g D m W lasted carried HD ltac:(lra) HW H) as [L C].
  unfold used. rewrite L, C. destruct g; field; repeat split; nra.
Qed.

(** A trough of at least D uses all of the link. *)
Theorem losspass_full_link g D m W lasted carried : 0 < D -> D <= m -> m < W -> tooth g D m W lasted carried ->
  used m W lasted carried = 1.
Proof.
  intros HD Hm HW (Cl & Cc & H). unfold used.
  rewrite (same_growth carried lasted (round_trip g D) m W); [|lra|auto|auto|].
  - assert (P : lasted m + (W - m) <= lasted W).
    { pose proof (nonincreasing m W (fun u => 1 * u + 0 - lasted u) (fun u => 1 - round_trip g D u)) as N.
      cut (1 * W + 0 - lasted W <= 1 * m + 0 - lasted m); [lra|]. apply N; [lra| |].
      - apply continuous_minus; [apply continuous_linear|auto].
      - intros u Hu. split; [apply rd_minus; [apply rd_linear|apply H; auto]|].
        destruct g; simpl; [lra|]. pose proof (Rmax_l 1 (u / D)). lra. }
    field. lra.
  - intros u Hu. destruct (H u Hu) as [L C]. destruct (throughput_above D u HD ltac:(lra)) as [T _].
    split; [|exact L]. eapply rd_eq; [exact C|]. rewrite T. lra.
Qed.

(** losspass.ours.three-quarters: halving windows use more than 3/4 of the link for every K >= 0, however they grow. *)
Theorem losspass_three_quarters g D W lasted carried : 0 < D -> D < W -> tooth g D (W / 2) W lasted carried ->
  3 / 4 < used (W / 2) W lasted carried.
Proof.
  intros HD HW H. destruct (Rlt_le_dec (W / 2) D) as [Hm|Hm].
  - rewrite (losspass_utilisation g D (W / 2) W) by (auto; lra). destruct g.
    + cut ((D - W / 2) ^ 2 / (2 * D * (W - W / 2)) < 1 / 4); [lra|].
      apply Rmult_lt_reg_r with (2 * D * (W - W / 2)); [nra|].
      replace ((D - W / 2) ^ 2 / (2 * D * (W - W / 2)) * (2 * D * (W - W / 2))) with ((D - W / 2) ^ 2) by (field;
        lra). nra.
    + cut ((D - W / 2) ^ 2 / (W ^ 2 + D ^ 2 - 2 * D * (W / 2)) < 1 / 4); [lra|].
      assert (0 < W ^ 2 + D ^ 2 - 2 * D * (W / 2)) by nra.
      apply Rmult_lt_reg_r with (W ^ 2 + D ^ 2 - 2 * D * (W / 2)); auto.
      replace ((D - W / 2) ^ 2 / (W ^ 2 + D ^ 2 - 2 * D * (W / 2)) * (W ^ 2 + D ^ 2 - 2 * D * (W / 2)))
        with ((D - W / 2) ^ 2) by (field; lra). nra.
  - rewrite (losspass_full_link g D (W / 2) W) by (auto; lra). lra.
Qed.

(** dynaq.ours.sawtooth: a window that is halved when a buffer of b is full uses 3/4 to all of the link, all exactly
    if b >= BDP; and with PQL's quotas in the paper's settings 0.93, 0.88 and 0.89 (to half a percent). *)
Theorem dynaq_sawtooth BDP b lasted carried : 0 < BDP -> 0 <= b ->
  tooth Actual BDP ((BDP + b) / 2) (BDP + b) lasted carried ->
  let U := used ((BDP + b) / 2) (BDP + b) lasted carried in
  3 / 4 <= U <= 1 /\ (U = 1 <-> BDP <= b) /\
  (BDP = 62500 -> b = 21250 -> Rabs (U - 93 / 100) <= 1 / 200) /\
  (BDP = 105000 -> b = 24000 -> Rabs (U - 88 / 100) <= 1 / 200) /\
  (BDP = 500000 -> b = 125000 -> Rabs (U - 89 / 100) <= 1 / 200).
Proof.
  intros HD Hb H U. destruct (Rlt_le_dec b BDP) as [Hm|Hm].
  - assert (E : U = 1 - (BDP - (BDP + b) / 2) ^ 2 / ((BDP + b) ^ 2 + BDP ^ 2 - 2 * BDP * ((BDP + b) / 2)))
      by (apply (losspass_utilisation Actual BDP _ _ lasted carried); auto; lra).
    set (P := (BDP + b) ^ 2 + BDP ^ 2 - 2 * BDP * ((BDP + b) / 2)) in *. set (Q := (BDP - (BDP + b) / 2) ^ 2) in *.
    assert (HP : 0 < P) by (unfold P; nra). assert (HQ : 0 < Q) by (unfold Q; nra).
    assert (0 < Q / P) by (apply Rdiv_lt_0_compat; auto).
    assert (Q / P <= 1 / 4).
    { apply Rmult_le_reg_r with P; auto. replace (Q / P * P) with Q by (field; lra). unfold P, Q. nra. }
    split; [lra|]. split; [split; intros; lra|].
    rewrite E. unfold P, Q. repeat split; intros -> ->; apply Rabs_le; split; lra.
  - assert (E : U = 1) by (apply (losspass_full_link Actual BDP _ _ lasted carried); auto; lra).
    repeat split; intros; lra.
Qed.

(** In closed form, with or without a buffer of the BDP. *)
Definition halving (D b : R) : R := if Rle_dec D b then 1 else 1 - (D - b) ^ 2 / (4 * (D ^ 2 + D * b + b ^ 2)).
Theorem losspass_halving D b lasted carried : 0 < D -> 0 <= b ->
  tooth Actual D ((D + b) / 2) (D + b) lasted carried -> used ((D + b) / 2) (D + b) lasted carried = halving D b.
Proof.
  intros HD Hb H. unfold halving. destruct (Rle_dec D b) as [L|L].
  - apply (losspass_full_link Actual D _ _ lasted carried); auto; lra.
  - rewrite (losspass_utilisation Actual D _ _ lasted carried) by (auto; lra). field; repeat split; nra.
Qed.

(** dynaq.ours.pql-by-active: one such window for each of n active queues, quota B/M on a part C/n of the link.
    Testbed (85 KB, 62.5 KB, M = 4): 0.93, 0.99, 1, 1; rack at 10 Gbps (192 KB, 105 KB, M = 8): from 0.88 up to 1 for
    n = 5 to 8. *)
Theorem dynaq_pql_by_active : let testbed := fun n => halving (62500 / n) (85000 / 4) in
  let rack := fun n => halving (105000 / n) (192000 / 8) in
  Rabs (testbed 1 - 93 / 100) <= 1 / 200 /\ Rabs (testbed 2 - 99 / 100) <= 1 / 200 /\ testbed 1 < testbed 2 < 1 /\
  testbed 3 = 1 /\ testbed 4 = 1 /\
  Rabs (rack 1 - 88 / 100) <= 1 / 200 /\ rack 1 < rack 2 < rack 3 /\ rack 3 < rack 4 < 1 /\
  rack 5 = 1 /\ rack 6 = 1 /\ rack 7 = 1 /\ rack 8 = 1.
Proof.
  assert (less : forall D b, D <= b -> halving D b = 1) by (intros D b H; unfold halving; destruct (Rle_dec D b); [reflexivity|contradiction]).
  assert (more : forall D b, b < D -> halving D b = 1 - (D - b) ^ 2 / (4 * (D ^ 2 + D * b + b ^ 2)))
    by (intros D b H; unfold halving; destruct (Rle_dec D b); [lra|reflexivity]).
  intros testbed rack. unfold testbed, rack.
  rewrite (less (62500 / 3)), (less (62500 / 4)), (less (105000 / 5)), (less (105000 / 6)), (less (105000 / 7)), (less (105000 / 8)), !more by lra.
  repeat split; try apply Rabs_le; try split; lra.
Qed.

(** The hypotheses can hold: for every trough and peak there is a tooth. *)
Theorem losspass_tooth_exists g D m W : 0 < D -> exists lasted carried, tooth g D m W lasted carried.
Proof.
  intros HD.
  assert (Below : forall u, continuous_on (fun v => Rmin v D) m W /\ (u < D ->
    right_derivative (fun v => Rmin v D) u 1) /\
     (D <= u -> right_derivative (fun v => Rmin v D) u 0)).
  { repeat split.
    - apply continuous_min; [|apply continuous_const].
      apply continuous_ext with (fun v => 1 * v + 0); [intros; lra|apply continuous_linear].
    - intros Hu. apply rd_affine. exists (D - u). split; [lra|]. intros h Hh. rewrite !Rmin_left; lra.
    - intros Hu. apply rd_affine. exists 1. split; [lra|]. intros h Hh. rewrite !Rmin_right; lra. }
  assert (Pieces : forall c, continuous_on (fun v => c * (Rmin v D * Rmin v D)) m W /\ forall u,
     (u < D -> right_derivative (fun v => c * (Rmin v D * Rmin v D)) u (2 * c * u)) /\
     (D <= u -> right_derivative (fun v => c * (Rmin v D * Rmin v D)) u 0)).
  { split.
    - intros t Ht. apply limit_mul; [apply (continuous_const m W c t Ht)|]. apply limit_mul; apply (Below t); exact Ht.
    - split; intros Hu.
      + apply rd_ext with (fun v => c * (v * v)); [|apply square_rd]. exists (D - u). split; [lra|]. intros h Hh.
        rewrite Rmin_left; lra.
      + apply rd_ext with (fun _ => c * (D * D)); [|apply rd_const]. exists 1. split; [lra|]. intros h Hh.
        rewrite Rmin_right; lra. }
  assert (P1 := fun c u (L : u < D) => proj1 (proj2 (Pieces c) u) L).
  assert (P2 := fun c u (L : D <= u) => proj2 (proj2 (Pieces c) u) L).
  assert (B1 := fun u (L : u < D) => proj1 (proj2 (Below u)) L).
  assert (B2 := fun u (L : D <= u) => proj2 (proj2 (Below u)) L).
  destruct g.
  - exists (fun u => 1 * u + 0), (fun u => / (2 * D) * (Rmin u D * Rmin u D) + (1 * u + 0 - Rmin u D)).
    split; [apply continuous_linear|]. split.
    + apply continuous_plus; [apply Pieces|]. apply continuous_minus; [apply continuous_linear|apply (Below 0)].
    + split; [apply rd_linear|]. destruct (Rlt_le_dec u D) as [L|L].
      * destruct (throughput_below D u HD ltac:(lra)) as [-> _]. eapply rd_eq.
        -- apply rd_plus; [first [apply P1; exact L|apply P2; exact L]|apply rd_minus;
           [apply rd_linear|first [apply B1; exact L|apply B2; exact L]]].
        -- simpl. field. lra.
      * destruct (throughput_above D u HD L) as [-> _]. eapply rd_eq.
        -- apply rd_plus; [first [apply P1; exact L|apply P2; exact L]|apply rd_minus;
           [apply rd_linear|first [apply B1; exact L|apply B2; exact L]]].
        -- simpl. lra.
  - exists (fun u => / (2 * D) * (u * u) - / (2 * D) * (Rmin u D * Rmin u D) + Rmin u D),
    (fun u => / (2 * D) * (u * u)).
    split; [|split; [apply square_continuous|]].
    + apply continuous_plus; [apply continuous_minus; [apply square_continuous|apply Pieces]|apply (Below 0)].
    + intros u Hu. destruct (Rlt_le_dec u D) as [L|L].
      * destruct (throughput_below D u HD ltac:(lra)) as [-> E]. rewrite E. split.
        -- eapply rd_eq; [exact (rd_plus _ _ _ _ _ (rd_minus _ _ _ _ _ (square_rd _ u) (P1 _ u L)) (B1 u L))|lra].
        -- eapply rd_eq; [apply square_rd|]. field. lra.
      * destruct (throughput_above D u HD L) as [-> E]. rewrite E. split.
        -- eapply rd_eq; [exact (rd_plus _ _ _ _ _ (rd_minus _ _ _ _ _ (square_rd _ u) (P2 _ u L)) (B2 u L))|field;
           lra].
        -- eapply rd_eq; [apply square_rd|]. field. lra.
Qed.

(** ** Thresholds *)

(** losspass.ours.line-rate: with a cut of beta the link is busy all the time exactly if K + N a >= beta/(1 - beta) D;
    for halving exactly if K >= D - N a. *)
Theorem losspass_line_rate D K N a beta : 0 < D -> 0 < beta < 1 -> 0 <= K -> 0 < N -> 0 < a ->
  let W := D + K + N * a in
  ((forall u, (1 - beta) * W <= u <= W -> throughput D u = 1) <-> beta / (1 - beta) * D <= K + N * a) /\
  ((forall u, W / 2 <= u <= W -> throughput D u = 1) <-> D - N * a <= K).
Proof.
  intros HD Hb HK HN Ha W. assert (Hna : 0 < N * a) by (apply Rmult_lt_0_compat; auto).
  assert (E : forall m, m <= W -> ((forall u, m <= u <= W -> throughput D u = 1) <-> D <= m)).
  { intros m Hm. split.
    - intros H. apply Rnot_lt_le. intros C. specialize (H m ltac:(lra)).
      destruct (throughput_below D m HD ltac:(lra)) as [T _]. rewrite T in H.
      assert (m = D) by (apply Rmult_eq_reg_r with (/ D); [unfold Rdiv in H; rewrite H, Rinv_r;
        lra|apply Rinv_neq_0_compat; lra]).
      lra.
    - intros H u Hu. apply throughput_above; lra. }
  split; rewrite E.
  - assert (F : beta / (1 - beta) * D * (1 - beta) = beta * D) by (field; lra). unfold W. split; intros H.
    all: nra.
  - unfold W. nra.
  - unfold W. split; intros; lra.
  - unfold W. lra.
Qed.

(** Before (4), and (4): with (K + D)/N a window at the crossing and one packet more a round trip, q = N w - D runs
    from K to K + N within the round trip that a mark takes; one window carries it from K to K + 1. *)
Theorem losspass_overshoot N K D t : 0 < N -> 0 <= t <= 1 ->
  let q := N * ((K + D) / N + t) - D in
  q = K + N * t /\ q <= K + N /\ (t = 0 -> q = K) /\ (t = 1 -> q = K + N) /\ (t = 1 -> N = 1 -> q = K + 1).
Proof. intros HN Ht q. assert (E : q = K + N * t) by (unfold q; field; lra). repeat split; intros; subst; nra. Qed.

(** Section 3.3: halved at B >= C RTT, and K = B >= C RTT. *)
Theorem losspass_halved_at_B B D : D <= B -> D <= (D + B) / 2.
Proof. lra. Qed.

Theorem losspass_K_is_B K B D : K = B -> D <= B -> D <= K.
Proof. lra. Qed.

(** Section 3.3: K >= C RTT is sufficient when windows are halved. *)
Theorem losspass_sufficient D K N a : 0 < D -> D <= K -> 0 < N -> 0 < a ->
  let W := D + K + N * a in forall u, W / 2 <= u <= W -> throughput D u = 1.
Proof.
  intros HD HK HN Ha W. assert (Hna : 0 < N * a) by (apply Rmult_lt_0_compat; auto).
  apply (losspass_line_rate D K N a (1 / 2)); lra.
Qed.

(** The same in a buffer of B, in which windows are halved at K + N a or at B, whichever comes first. *)
Theorem losspass_sufficient_in D K N a B : 0 < D -> D <= K -> D <= B -> 0 <= N -> 0 <= a ->
  let W := D + Rmin (K + N * a) B in forall u, W / 2 <= u <= W -> throughput D u = 1.
Proof.
  intros HD HK HB HN Ha W u Hu. assert (Hna : 0 <= N * a) by (apply Rmult_le_pos; auto).
  assert (D <= Rmin (K + N * a) B) by (apply Rmin_glb; lra). apply Rmin_left. unfold W in Hu.
  apply Rmult_le_reg_r with D; auto. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l; lra.
Qed.
