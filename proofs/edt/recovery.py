"""Section 4.3 and Figure 11: overflow, unfairness, bytes lost and recovery; proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.ledger.provers import slack, smt
from dtmodel.theory.edt import formulas as edt

from .derivation import FAST_BURSTS, B, C, M, N, alpha, certify_fast_overflow, r, same

OVERFLOWING = {"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"}


@evidence("edt.thm5.proof.jump", form="assumed", strength="symbolic")
def steady_ports_keep_the_threshold_below_b_over_m() -> Outcome:
    """Certify alpha F <= B / M from F <= B / (1 + alpha N), if alpha M <= 1 + alpha N."""
    highest = alpha * B / (1 + alpha * N)
    m = sp.Symbol("m", positive=True)
    gap = (1 + alpha * N) - alpha * m
    same(B / m - highest, B * gap / (m * (1 + alpha * N)), "the gap")
    u, n = sp.symbols("u n", positive=True)
    return smt.prove([u * m <= 1 + u * n], (1 + u * n) - u * m >= 0).proved("B / M - alpha F has that sign")


@evidence("edt.sec4.3.unfair-phase", form="assumed", strength="smt")
def the_threshold_of_the_steady_ports_stays_below_b_over_m() -> Outcome:
    """F falls from B / (1 + alpha N) in both cases, F' = -M r / (1 + alpha N) or -(M r - N C); so alpha F < B / M."""
    free, u, n, m = sp.symbols("F u n m", positive=True)
    smt.prove([u * m * r > (1 + u * n) * C], m * r - n * C > 0)
    known = [u * m <= 1 + u * n, free * (1 + u * n) < B]
    return smt.prove(known, u * free * m < B).proved("alpha F M < B from F (1 + alpha N) < B")


@evidence("edt.sec4.3.unfair-duration", form="printed", strength="symbolic")
def the_phase_is_shorter_than_the_time_to_the_overflow() -> Outcome:
    """t_1 > 0, and the overflow of fast bursts is earlier still."""
    begin = sp.Symbol("t_1", positive=True)
    certify_fast_overflow()
    time = edt.slow_overflow(B, M, r)
    return slack.certificate(time - edt.duration_of_unfairness(B, M, r, begin), {}, strict=True).proved("t_1 > 0")


@evidence("edt.ours.unfairness", form="printed", strength="symbolic")
def the_bursts_drain_to_the_common_length() -> Outcome:
    """From B / M at C to alpha B / (1 + alpha (M + N)); then T = alpha F with all M + N queues equal."""
    common = alpha * B / (1 + alpha * (M + N))
    same((B / M - common) / C, B * (1 + alpha * N) / (M * C * (1 + alpha * (M + N))), "the duration")
    passed = sp.Symbol("tau", nonnegative=True)
    F = sp.Symbol("F")
    (free,) = sp.solve(sp.Eq(F, B - M * (B / M - C * passed) - N * alpha * F), F)
    same(free, M * C * passed / (1 + alpha * N), "F while the steady queues follow the threshold")
    same((alpha * free).subs(passed, (B / M - common) / C), common, "the threshold then")
    return slack.certificate(B / M - common, {}, strict=True).proved("the queues of the bursts fall to it")


@evidence("edt.ours.bytes-lost.dt", "edt.ours.bytes-lost.edt", "edt.ours.recovery", form="printed", strength="symbolic")
def slopes_after_the_first_loss_obey_the_fluid_law() -> Outcome:
    """With n queues on the threshold and m draining, F' = m C / (1 + alpha n), and a queue on it can follow."""
    draining, on = sp.symbols("m n", positive=True)
    slope = sp.Symbol("Fdot")
    (solved,) = sp.solve(sp.Eq(slope, draining * C - on * alpha * slope), slope)
    same(alpha * solved, alpha * draining * C / (1 + alpha * on), "T'")
    # Fast bursts under DT: N drain, M follow; their rate R - C exceeds what the threshold rises.
    slack.certificate(r - alpha * N * C / (1 + alpha * M), FAST_BURSTS)
    # While all drain no queue follows; the shorter ones meet the threshold after Q / (C (1 + alpha (M + N))).
    queue, passed = sp.symbols("Q tau", positive=True)
    meeting = sp.solve(sp.Eq(queue - C * passed, alpha * (M + N) * C * passed), passed)[0]
    same(meeting, queue / (C * (1 + alpha * (M + N))), "the meeting")
    # When the bursts are gone: N steady queues that can follow M draining ones, and are no longer than at first, are
    # on the threshold, so that all is as before; a burst without a loss is gone at d + (R - C) d / C.
    offered = C * (1 + alpha * M / (1 + alpha * N))
    same((alpha * solved).subs({draining: M, on: N}), offered - C, "what a steady port must gain to follow")
    held = sp.Symbol("held", positive=True)
    smt.prove([held * (1 + alpha * N) <= alpha * B], held <= alpha * (B - N * held))
    same(passed + r * passed / C, (C + r) * passed / C, "R d / C")
    # What is lost is what arrived less what was sent and what is left: R d - C d - Q(d).
    return Proved("the pieces of Q(d); the bytes lost follow by conservation", OVERFLOWING)
