"""The formulas of the documents, written a second time from their text, to hold the statements against."""

from fractions import Fraction
from math import ceil, floor
from typing import Any


def bound(alpha: Any, C: Any, M: Any, N: Any) -> Any:
    return C * (1 + (1 + alpha * N) / (alpha * M))


def t(alpha: Any, B: Any, C: Any, M: Any, N: Any, R: Any) -> Any:
    """Equation (10)."""
    if bound(alpha, C, M, N) >= R:
        return alpha * B / ((1 + alpha * (M + N)) * (R - C))
    return alpha * B / ((1 + alpha * N) * ((1 + alpha * M) * (R - C) - alpha * N * C))


def free(alpha: Any, B: Any, C: Any, M: Any, N: Any, R: Any) -> Any:
    """Equation (11), by F = T / alpha."""
    return (R - C) * t(alpha, B, C, M, N, R) / alpha


def free_1(alpha: Any, B: Any, C: Any, M: Any, N: Any, t_1: Any, A_t1: Any, **_: Any) -> Any:
    """Equation (45): what is free beside M queues of A - C t and N ports on the threshold."""
    return (B - M * (A_t1 - C * t_1)) / (1 + alpha * N)


def free_2(alpha: Any, B: Any, C: Any, M: Any, N: Any, d_1: Any, t_2: Any, A_t2: Any, A_d1: Any, **_: Any) -> Any:
    """Equation (47): from what is free at d_1 on, the steady ports drain at C."""
    at_d1 = (B - M * (A_d1 - C * d_1)) / (1 + alpha * N)
    return at_d1 - M * (A_t2 - A_d1 - C * (t_2 - d_1)) + N * C * (t_2 - d_1)


def overflow(alpha: Any, B: Any, C: Any, M: Any, N: Any, R: Any, **_: Any) -> Any:
    """When the buffer is full: the steady ports are empty by then, or still drain from the threshold at time 0."""
    if bound(alpha, C, M, N) >= R:
        return B / (M * (R - C))
    return (B / (1 + alpha * N)) / (M * (R - C) - N * C)


def abm_tolerance(B: Any, alpha_p: Any, n_p: Any, gamma: Any, A: Any) -> Any:
    """The queue q = w F while F falls from B / (1 + W) as fast as q grows: q (1 + 1/w) = B / (1 + W)."""
    return B / (1 + A - alpha_p / n_p) / (1 + n_p / (alpha_p * gamma))


def packets(B: Any, B_l: Any, Q_s: Any, m: Any, v: Any, s: Any) -> Any:
    """Evict one victim after the other, as Algorithm 1 does."""
    free, left, absorbed = B - Q_s - m * v, m, 0
    while True:
        if free >= s:
            free, absorbed = free - s, absorbed + 1
        elif left and v >= s and Q_s + (absorbed + 1) * s <= B - B_l:
            free, left = free + v, left - 1
        else:
            return absorbed


def utilisation(D: Any, K: Any, N: Any, a: Any, beta: Any, *, actual: bool) -> Any:
    """What one tooth sends over what it could: windows from m to W, by one N a a trip."""
    W = D + K + N * a
    m, step = (1 - beta) * W, N * a
    starved, busy = (D - m) / step, (W - D) / step if not actual else (W**2 - D**2) / (2 * D * step)
    idle = (D - m) ** 2 / (2 * step) / D
    return 1 - idle / (starved + busy)


FORMULAS: dict[str, dict[str, Any]] = {
    "edt.thm1": {"first_drop": t, "free_at_first_drop": free},
    "edt.ours.theorem1": {"first_drop": t, "free_at_first_drop": free},
    "edt.thm5": {"first_drop": lambda B, C, M, R: B / (M * R - M * C)},
    "edt.ours.theorem5": {"first_drop": overflow},
    "edt.eq69": {"c_n2": lambda alpha, B, C, M, N, R: (R - C) * t(alpha, B, C, M, N, R)},
    "edt.eq71.limit": {"c_n2": lambda alpha, B, M, N: alpha * B / (1 + alpha * (M + N) + alpha**2 * M * N)},
    "edt.eq73": {"c_n2": lambda alpha, B, P: alpha * B / (1 + alpha * P / 2) ** 2},
    "edt.ours.cn2": {
        "c_n2": lambda alpha, B, P: min(
            alpha * B / ((1 + alpha * M) * (1 + alpha * (P - M))) for M in range(1, int(P) + 1)
        )
    },
    "edt.ours.cn2-ratio": {
        "c_n2": lambda alpha, B, P, rho: alpha * B / (1 + alpha + rho * (1 + alpha * P - alpha)) ** 2 * rho * 4
    },
    "edt.ours.counter-ranges": {"C_1": lambda c_n1: c_n1, "C_2": lambda c_n2: c_n2},
    "edt.eq77": {"growth": lambda alpha, B, P, d: alpha * B / (d + alpha * P * d)},
    "edt.eq78": {"TM_1": lambda alpha, P, d: (1 + alpha * P) / (1 + alpha * P / 2) ** 2 * d},
    "edt.eq81": dict.fromkeys(("d", "TM_2"), lambda B, C, R_min, d_mb: max(B / (R_min - C), d_mb)),
    "edt.ours.first-drop": {
        "Z": lambda alpha, C, N, t, S: alpha * (S - N * C * t) - C * t,
        "T": lambda alpha, B, N, S, e: alpha / (1 + alpha * N) * (B - S - N * e),
    },
    "edt.thm4": {"free_1": free_1, "free_2": free_2},
    "edt.ours.theorem4": {"free_1": free_1, "free_2": free_2},
    "losspass.eq3": {"queue": lambda windows, D: windows - D, "common_queue": lambda w, N, D: sum([w] * int(N)) - D},
    "losspass.eq4": {"q_max": lambda K, N, a: K + a * N},
    "losspass.eq5": {"mu_ecn": lambda B, K, N, a: B - K - a * N},
    "losspass.eq6": {"mu_losspass": lambda B, tau: B - (1 - tau) * B},
    "losspass.ours.exact-condition": {
        "mu_ecn": lambda B, K, N, a: B - K - a * N,
        "mu_losspass": lambda B, tau, B_l: tau * B - B_l,
    },
    "losspass.ours.burst-at": {"burst": lambda B, q, tau: B - q + tau * q},
    "losspass.ours.background-equal": {
        "mu_ecn": lambda B, q, R, C, a: R * (B - q) / (R + a - C),
        "mu_losspass": lambda B, q, tau, R, C: R * (B - q + tau * q) / (R - C),
    },
    "losspass.ours.reserve-burst": {
        "burst": lambda B, B_l, Q_s, Q_l: B - Q_s - min(Q_l, B_l),
        "burst_at_rate": lambda B, B_l, Q_s, Q_l, R, C: (B - Q_s - min(Q_l, B_l)) / (1 - C / R),
    },
    "losspass.ours.burst-in-packets": {"packets": packets},
    "losspass.ours.line-rate": {"K": lambda D, N, a, beta: D / (1 - beta) - D - N * a},
    "losspass.ours.dctcp-line-rate": {
        "share": lambda D, K, N, a: 2 - 2 * D / (D + K + N * a),
        "margin": lambda D, K, N, a: (
            4 * (share := 1 - D / (D + K + N * a)) ** 2 * (1 - share / 2)
            - (2 * (w := (D + K) / (N * a)) + 1) / (w + 1) ** 2
        ),
    },
    "losspass.ours.utilisation": {
        "peak": lambda D, K, N, a: D + K + N * a,
        "trough": lambda D, K, N, a, beta: D + K + N * a - beta * (D + K + N * a),
        "base": lambda **v: utilisation(**v, actual=False),
        "actual": lambda **v: utilisation(**v, actual=True),
    },
    "losspass.ours.same-size": {
        "held_LP": lambda held_TD: held_TD,
        "small_LP": lambda small_TD, saved: -(saved - small_TD),
        "large_LP": lambda large_TD, saved: saved + large_TD,
    },
    "losspass.ours.least-k-packets": {
        "K": lambda D, N: next(
            K for K in range(1000) if all(floor((k + D) / N) >= 2 * ceil(D / N) - 1 for k in (K, K + 1, K + 2))
        )
    },
    "dynaq.eq4": {
        "WBDP_i": lambda C, RTT, w_i, W: C * RTT / (W / w_i),
        "T_init": lambda B, w_i, W: B / (W / w_i),
        "S_i": lambda B, w_i, W: B / (W / w_i),
        "extra": lambda B, w_i, W, T_i: T_i - B / (W / w_i),
        "margin": lambda B, C, RTT, w_i, W: B / (W / w_i) - C * RTT / (W / w_i),
    },
    "dynaq.eq5": {"mu_i": lambda lambda_i, alpha_i: min(alpha_i, lambda_i)},
    "dynaq.eq6.necessary": {"q_max": lambda C, RTT, w_i, W: C * RTT / (W / w_i)},
    "dynaq.eq7.necessary": {"queued": lambda C, RTT: C * RTT},
    "dynaq.ours.joint": {"B": lambda C, RTT: C * RTT},
    "dynaq.ours.active-satisfied": {
        "B": lambda T: Fraction(sum(T)),
        "after": lambda T, S: [min(S[k], T[k]) for k in range(len(T))],
    },
    "dynaq.ours.deficit": {"deficit": lambda M, L, g: M * L - L - M * g + g},
    "dynaq.ours.alone": {"T_p": lambda M, L, S_p, S_min: S_p + M * S_min - S_min - M * L + L},
    "dynaq.ours.together": {"T_A": lambda M, L, A, S_A: S_A + M * L - A * L},
    "dynaq.ours.recovery-rounds": {"n": lambda H, L: (L + H) / L, "t": lambda H, L, W, C: (L + H) * W / C},
    "dynaq.ours.repair": {"deficit": lambda M, L: M * L - L},
    "dynaq.sec2.3.pql-quota": {"Q_i": lambda B, w_i, W: B / (W / w_i)},
    "dynaq.sec2.3.pmsb.k": {
        "K": lambda C, RTT, lam: lam * RTT * C,
        "K_i": lambda C, RTT, lam, w_i, W: lam * RTT * C / (W / w_i),
    },
    "dynaq.sec2.3.mq-ecn.k": {
        "K_i": lambda quantum_i, T_round, C, RTT, lam: min(quantum_i * RTT * lam / T_round, C * RTT * lam)
    },
    "dynaq.sec2.3.tcn.t": {"T": lambda RTT, lam: lam * RTT},
    "l2bm.eq1": {"limit": lambda B, Q, alpha: alpha * B - alpha * Q},
    "l2bm.eq2": {"tau_i": lambda t_total, N_i: t_total / N_i},
    "l2bm.eq3": {
        "w_i": lambda alpha, tau_i, C: C / tau_i * alpha,
        "T_i": lambda B, Q, alpha, tau_i, C: C / tau_i * alpha * (B - Q),
    },
    "l2bm.ours.steady-state": {
        "occupancy": lambda B, W: B - B / (1 + W),
        "held": lambda B, w_i, W: w_i * (B - (B - B / (1 + W))),
        "free": lambda B, W: B - B * W / (1 + W),
    },
    "l2bm.ours.least-weight": {
        "w_i": lambda alpha, tau_i, S: alpha * (1 + (S - tau_i) / tau_i),
        "W": lambda alpha, S, H: alpha * S * H,
        "least": lambda n, alpha: alpha * n * n,
    },
    "l2bm.ours.below-dt-steady": {
        "l2bm": lambda B, alpha, tau_i, C, H: B / (tau_i / (alpha * C) + tau_i * H),
        "dt": lambda B, n, alpha: B / (1 / alpha + n),
    },
    "l2bm.ours.abm-bound": {"w_i": lambda alpha_p, n_p, gamma: alpha_p * gamma / n_p},
    "l2bm.ours.abm-burst": {
        "held": abm_tolerance,
        "burst": lambda B, alpha_p, n_p, gamma, A, C, R: abm_tolerance(B, alpha_p, n_p, gamma, A) / (1 - gamma * C / R),
        "first_drop": lambda B, alpha_p, n_p, gamma, A, C, R: (
            abm_tolerance(B, alpha_p, n_p, gamma, A) / (R - gamma * C)
        ),
    },
    "l2bm.ours.first-drop": {
        "fall": lambda inflow, draining, W_F, **_: (inflow - draining) / (1 + W_F),
        "free_0": lambda B, W_S, **_: B / (1 + W_S),
        "drop": lambda B, W_S, w_k, growth, inflow, draining, W_F: (
            1 / ((growth / w_k + (inflow - draining) / (1 + W_F)) / (B / (1 + W_S)))
        ),
    },
    "l2bm.ours.headroom": {"headroom": lambda C, p, r, M_s, M_r, F: 2 * C * p + C * r + M_s + M_r + F},
    "l2bm.ours.bookkeeping": {"t_total": lambda D, a, t_prev: sum(D) - sum(a) - (len(D) - len(a)) * t_prev},
    "l2bm.ours.pool-steady": {
        "free": lambda S, A, caps: (S - caps) / (1 + A),
        "held": lambda S, A, caps, r, alpha, c: r + min(alpha * (S - caps) / (1 + A), c),
    },
    "l2bm.ours.reserve-first-drop": {
        "first_drop": lambda r, alpha, c, F_0, growth, fall: min(
            r / growth + F_0 / (growth / alpha + fall), (r + c) / growth
        )
    },
}
"""By id of the statement and name of the result."""


def steps(alpha: Any, B: Any, C: Any, N: Any, R: Any) -> list[tuple[Any, Any]]:
    """Follow the free buffer from drop to drop: every port that met the threshold stays on it or drains at C."""
    above, free, time = [(N, alpha * B / (1 + alpha * N))], B / (1 + alpha * N), Fraction(0)
    found: list[tuple[Any, Any]] = []
    for k, rate in enumerate(R):
        growing = sum(r - C for r in R[k:])
        while True:  # the free buffer falls at phi until a port comes back to the threshold, or port k meets it
            on = sum(n for n, length in above if length <= alpha * free)
            off = [(n, length) for n, length in above if length > alpha * free]
            phi = (growing - sum(n for n, _ in off) * C) / (1 + alpha * on)
            if alpha * phi > C:
                off, on = above, 0
                phi = growing - sum(n for n, _ in off) * C
            meeting = (
                (alpha * free - (rate - C) * time) / (rate - C + alpha * phi) if rate - C + alpha * phi > 0 else None
            )
            back = [(length - alpha * free) / (C - alpha * phi) for _, length in off if alpha * phi < C]
            step = min([x for x in (meeting, *back) if x is not None and (x > 0 or x is meeting)])
            above = [
                (n, length - C * step if (n, length) in off else alpha * (free - phi * step)) for n, length in above
            ]
            free, time = free - phi * step, time + step
            if step == meeting:
                break
        found.append((time, free))
        above.append((1, alpha * free))
    return found


SEQUENCES: dict[str, Any] = {
    "first_drop": lambda **v: [time for time, _ in steps(**v)],
    "free_at_first_drop": lambda **v: [left for _, left in steps(**v)],
}
"""The results of all ports of Theorems 2 and 3."""
