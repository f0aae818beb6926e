"""Sentences about pools, balance and the evaluation, executed: fluid runs, lists of packets, quoted numbers.

Source: L2BM paper, Sections II-A, III-D and IV-B.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from dtmodel.fluid import answer
from dtmodel.ledger import Conflict, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.packet.pfc import Egress, Ingress, Pools, run

from .fluid_checks import scenario

ONE = Fraction(1)
AVERAGES = {5: Fraction("0.48"), 10: Fraction("2.5"), 15: Fraction("3.7")}
"""Section IV-B: L2BM's average latency in ms at most, by the number of senders."""


@evidence("l2bm.sec3d.balance", form="printed", strength="exact")
def a_balanced_queue_can_stay_empty() -> Outcome:
    """Run one queue that is offered exactly what it drains, alpha = 1, B = 60: it holds 0, its threshold is 60."""
    balanced = scenario((ONE,), steady=0, burst="1")
    return Counterexample(
        Witness("fluid", balanced, {"queues": [["0"]]}, {"queues": [["60"]]}, "equation (6) would want Q = T = 60 - Q")
    )


@evidence("l2bm.sec3d.balance", form="assumed", strength="symbolic")
def a_queue_that_gains_reaches_its_threshold() -> Outcome:
    """At gain r > 0 a queue of weight w meets w (B - Q) at t = w B / (r (1 + w)); then two runs of the engine."""
    w, B, r, t = sympy.symbols("w B r t", positive=True)
    (meets,) = sympy.solve(sympy.Eq(r * t, w * (B - r * t)), t)
    check(sympy.simplify(meets - w * B / (r * (1 + w))) == 0, "the time")
    for rate, time in (("2", "30"), ("4", "10")):  # B = 60, weight 1, drained at 1
        final = answer(scenario((ONE,), steady=0, burst=rate, until="40", sample=(time, "40")), 1)
        check(final["queues"] == [["30"], ["30"]] and final["first_drop"] == [time], f"{final}")
    return Proved("then it stays there", {"w": "1", "B": "60", "r": "1", "t": "30"}, ["r * t == w * (B - r * t)"])


def _egress_drop() -> tuple[str, ...]:
    """Two lossless packets whose ingress queue has room, and whose egress queue has room for one."""
    roomy = Ingress(8 * ONE, lossless=True, headroom=8 * ONE, resume_below=ONE / 2)
    steps = run(Pools(8 * ONE, 2 * ONE, {"in": roomy}, {"out": Egress(ONE)}), [("arrive", "in", "out", ONE)] * 2)
    return tuple(step.decision for step in steps)


@evidence("l2bm.sec2a.egress-discard", form="printed", strength="exact")
def the_egress_threshold_discards_a_lossless_packet() -> Outcome:
    """Run two lossless packets with headroom for eight: the egress threshold discards the second."""
    decisions = _egress_drop()
    check(decisions == ("enqueue", "drop"), f"{decisions}")
    return Conflict(
        "l2bm.abstract.lossless", "a lossless packet is lost at the egress", {"decisions": ", ".join(decisions)}
    )


@evidence("l2bm.eq1.B", form="printed", strength="exact")
def the_whole_memory_is_not_for_sharing() -> Outcome:
    """Memory 10, of which 5 are reserves and headroom; the service pool is full, and (1) still allows 5 alpha."""
    values = {"memory": "10", "aside": "5", "held": "5", "alpha": "1/16"}
    hypotheses = ["0 < aside < memory", "held == memory - aside"]
    statement = "alpha * (memory - held) <= alpha * (memory - aside - held)"
    says = "the threshold that equation (1) gives, against alpha times what is free to be shared"
    return Counterexample(
        Witness("values", {"values": values, "hypotheses": hypotheses, "statement": statement}, says=says)
    )


@evidence("l2bm.eq1.B", form="assumed", strength="symbolic")
def of_the_service_pool_it_gives_what_is_free() -> Outcome:
    """With B the service pool, alpha (B - Q) is alpha times the free bytes, between 0 and alpha B."""
    alpha, free, held = sympy.symbols("alpha free held", nonnegative=True)
    pool = free + held
    check(sympy.expand(alpha * (pool - held) - alpha * free) == 0, "the free bytes")
    check(sympy.expand(alpha * pool - alpha * free - alpha * held) == 0, "what is missing to alpha B, which is >= 0")
    return Proved("alpha free", {"alpha": "1/16", "B": "5", "Q": "5"}, ["alpha * (B - Q) == 0"])


def _grows() -> Fraction:
    """By what factor the average latency bound grows from 5 to 15 senders."""
    check(AVERAGES[5] < AVERAGES[10] < AVERAGES[15], "no growth")
    factor = AVERAGES[15] / AVERAGES[5]
    check(factor > 2, "an insignificant growth")
    return factor


@evidence("l2bm.sec4b.no-influence@general", form="printed", strength="exact")
def the_average_latency_grows_sevenfold() -> Outcome:
    """3.7 ms against 0.48 ms, for a request of the same size."""
    return Conflict("l2bm.sec4b.weaken", "the average latency grows with the senders", {"factor": _grows()})
