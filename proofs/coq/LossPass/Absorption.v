(** LossPass paper, Section 3.3, equations (3)-(6): the queue, the headroom and the burst that is absorbed.           *)
Require Import Reals Lra Lia.
From DT Require Import Calculus.
Open Scope R_scope.

(** (3) from (1) and (2). *)
Theorem losspass_eq3 N (w : nat -> R) x CRTT : (forall i, (i < N)%nat -> w i = x) ->
  sum N w - CRTT = INR N * x - CRTT.
Proof. intros E. rewrite (sum_ext N w (fun _ => x)) by auto. rewrite sum_const. reflexivity. Qed.

(** The queue is K when the window is (K + C RTT) / N. *)
Theorem losspass_crossing N K CRTT x : 0 < N -> (N * x - CRTT = K <-> x = (K + CRTT) / N).
Proof.
  intros HN. split; intros E.
  - apply Rmult_eq_reg_l with N; [|lra]. replace (N * ((K + CRTT) / N)) with (K + CRTT) by (field; lra). lra.
  - rewrite E. field. lra.
Qed.

(** (6) as an identity. *)
Theorem losspass_eq6_identity B share : B - (B - B * share) = B * share /\ B * share = B - B * (1 - share).
Proof. split; ring. Qed.

(** The comparison: LossPass absorbs more than ECN exactly if K + N > (1 - tau) B. *)
Theorem losspass_comparison B K N share :
  B - (K + N) < B * share <-> (1 - share) * B < K + N.
Proof. split; intros; lra. Qed.

(** With only large flows, tau = 1, it always does. *)
Theorem losspass_tau_1 B K N : 0 < K + N -> B - (K + N) < B - B * (1 - 1).
Proof. intros. lra. Qed.

(** With a reserve B_l <= tau B: LossPass absorbs tau B - B_l, more than ECN exactly if K + N > (1 - tau) B + B_l. *)
Theorem losspass_exact_condition B K N Bl share :
  B - (K + N) < B * share - Bl <-> (1 - share) * B + Bl < K + N.
Proof. split; intros; lra. Qed.

(** tau = 0.95 is not enough: with B = 512000, K + N = 18000 bytes (12 packets of 1500), ECN absorbs more. *)
Theorem losspass_practice_fails : exists B K N share, 0 < K /\ 0 < N /\ K + N < B /\ share = 95 / 100 /\
  B * share < B - (K + N).
Proof. exists 512000, 15000, 3000, (95 / 100). repeat split; lra. Qed.

(** At the length q <= B an instant burst of B - (1 - tau) q is absorbed: at least B tau, at least tail drop's B - q. *)
Theorem losspass_burst_at B q share : 0 <= q <= B -> 0 <= share <= 1 ->
  B * share <= B - (1 - share) * q /\ B - q <= B - (1 - share) * q.
Proof.
  intros Hq Hs. pose proof (Rmult_le_compat_l (1 - share) q B). pose proof (Rmult_le_pos share q).
  split; lra.
Qed.
