(** LossPass paper, Section 3.3, in whole packets: N equal windows, a round at a time.

    D = C RTT in packets. A round with N w > K + D packets outstanding has more than K in the queue and is marked; then
    the window is halved and rounded down, to at least one packet, else it grows by one. It starts at one packet.
    *)
Require Import Arith Lia.

Definition halved (w : nat) : nat := Nat.max 1 (w / 2).
Fixpoint window (D K N round : nat) : nat :=
  match round with
  | O => 1
  | S i => let w := window D K N i in if K + D <? N * w then halved w else S w
  end.

(** The first window whose round is marked. *)
Definition peak (D K N : nat) : nat := S ((K + D) / N).

Section Rounds.
Variables D K N : nat.
Hypothesis HN : 1 <= N.

Lemma marked w : K + D < N * w <-> peak D K N <= w.
Proof.
  unfold peak. pose proof (Nat.div_mod (K + D) N ltac:(lia)). pose proof (Nat.mod_upper_bound (K + D) N ltac:(lia)).
  set (q := (K + D) / N) in *. set (r := (K + D) mod N) in *. split; intros; nia.
Qed.

Lemma halved_le w : 1 <= w -> halved w <= w.
Proof. intros H. unfold halved. pose proof (Nat.div_le_upper_bound w 2 w ltac:(lia) ltac:(lia)). lia. Qed.

Lemma window_bounds i : 1 <= window D K N i <= peak D K N.
Proof.
  induction i as [|i IH]; [unfold peak; simpl; lia|]. simpl.
  destruct (Nat.ltb_spec (K + D) (N * window D K N i)) as [M|M].
  - pose proof (halved_le (window D K N i)). unfold halved in *. lia.
  - assert (~ peak D K N <= window D K N i) by (rewrite <- marked; lia). lia.
Qed.

(** The peak comes back for ever. *)
Lemma peak_again i : exists j, i <= j /\ window D K N j = peak D K N.
Proof.
  pose proof (window_bounds i) as Bi. remember (peak D K N - window D K N i) as n eqn:E.
  revert i Bi E. induction n as [|n IH]; intros i Bi E; [exists i; lia|].
  assert (M : window D K N (S i) = S (window D K N i)).
  { simpl. destruct (Nat.ltb_spec (K + D) (N * window D K N i)) as [M|M]; auto. apply marked in M. lia. }
  destruct (IH (S i)) as (j & Hj & Ej); [rewrite M; lia|rewrite M; lia|]. exists j. split; [lia|exact Ej].
Qed.

(** losspass.ours.integer-peak: the largest queue is K + N - ((K + D) mod N), between K + 1 and K + N; it is reached
    again and again. *)
Theorem losspass_integer_peak : let q_max := K + N - (K + D) mod N in
  (forall i, N * window D K N i - D <= q_max) /\
  (forall i, exists j, i <= j /\ N * window D K N j - D = q_max) /\ K + 1 <= q_max <= K + N.
Proof.
  intros q. pose proof (Nat.mod_upper_bound (K + D) N ltac:(lia)) as R.
  assert (P : N * peak D K N - D = q).
  { unfold q, peak. pose proof (Nat.div_mod (K + D) N ltac:(lia)). rewrite Nat.mul_succ_r. lia. }
  split; [|split; [|unfold q; lia]].
  - intros i. rewrite <- P. pose proof (window_bounds i). nia.
  - intros i. destruct (peak_again i) as (j & Hj & E). exists j. rewrite E. auto.
Qed.

(** After the first peak no window is below half of it. *)
Lemma after_peak i j : window D K N i = peak D K N -> i <= j -> halved (peak D K N) <= window D K N j.
Proof.
  intros E H. induction H as [|j H IH].
  - rewrite E. apply halved_le. unfold peak. lia.
  - simpl. destruct (Nat.ltb_spec (K + D) (N * window D K N j)) as [M|M]; [|lia].
    apply marked in M. pose proof (window_bounds j). replace (window D K N j) with (peak D K N) by lia. lia.
Qed.

Lemma ceiling x : N * ((D + N - 1) / N) >= D /\ (D <= N * x -> (D + N - 1) / N <= x).
Proof.
  pose proof (Nat.div_mod (D + N - 1) N ltac:(lia)). pose proof (Nat.mod_upper_bound (D + N - 1) N ltac:(lia)).
  set (c := (D + N - 1) / N) in *. set (r := (D + N - 1) mod N) in *. split; [nia|]. intros. nia.
Qed.

(** losspass.ours.least-k-packets: for D > N all rounds but the first few fill the link exactly if floor((K + D)/N) >=
    2 ceil(D/N) - 1, that is K >= N (2 ceil(D/N) - 1) - D. *)
Theorem losspass_least_k : N < D -> let c := (D + N - 1) / N in
  ((exists n, forall i, n <= i -> D <= N * window D K N i) <-> 2 * c - 1 <= (K + D) / N) /\
  (2 * c - 1 <= (K + D) / N <-> N * (2 * c - 1) - D <= K).
Proof.
  intros HD c. assert (C2 : 2 <= c).
  { destruct (ceiling 1) as [F _]. fold c in F. destruct c as [|[|]]; nia. }
  split.
  - assert (E : D <= N * halved (peak D K N) <-> 2 * c - 1 <= (K + D) / N).
    { unfold halved, peak. pose proof (Nat.div_mod (S ((K + D) / N)) 2 ltac:(lia)).
      pose proof (Nat.mod_upper_bound (S ((K + D) / N)) 2 ltac:(lia)).
      set (b := (K + D) / N) in *. set (h := S b / 2) in *. set (r := S b mod 2) in *.
      destruct (ceiling (Nat.max 1 h)) as [F G]. fold c in F, G. split; intros X; [specialize (G X); lia|].
      assert (c <= Nat.max 1 h) by lia. nia. }
    rewrite <- E. split.
    + intros (n & H). destruct (peak_again n) as (j & Hj & P). specialize (H (S j) ltac:(lia)). simpl in H.
      rewrite P in H.
      replace (K + D <? N * peak D K N) with true in H; [exact H|]. symmetry. apply Nat.ltb_lt, marked. lia.
    + intros H. destruct (peak_again 0) as (j & _ & P). exists j. intros i Hi. pose proof (after_peak j i P Hi). nia.
  - pose proof (Nat.div_mod (K + D) N ltac:(lia)). pose proof (Nat.mod_upper_bound (K + D) N ltac:(lia)).
    set (b := (K + D) / N) in *. set (r := (K + D) mod N) in *. split; intros; nia.
Qed.

(** (4) in whole packets (losspass.eq4@packets): K + N is the largest queue if N divides K + D. *)
Theorem losspass_dividing : (K + D) mod N = 0 ->
  (forall i, N * window D K N i - D <= K + N) /\ (forall i, exists j, i <= j /\ N * window D K N j - D = K + N).
Proof. intros E. pose proof losspass_integer_peak as H. simpl in H. rewrite E, Nat.sub_0_r in H. tauto. Qed.

End Rounds.
