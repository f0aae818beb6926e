"""Sentences about pools, balance and the evaluation, executed: fluid runs, lists of packets, quoted numbers.

Source: L2BM paper, Sections II-A, III-D and IV-B.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.packet.l2bm_switch import Packet, passages
from dtmodel.packet.pfc import Egress, Ingress, Pools, run

from .fluid_checks import scenario
from .pools import a_queue_within_its_reserve_leaves_the_shared_pool_alone
from .printed import LOADS, PAUSES

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


@evidence("l2bm.sec4b.weaken", form="printed", strength="exact")
def the_average_latency_grows_sevenfold() -> Outcome:
    """3.7 ms against 0.48 ms, for a request of the same size."""
    return Agrees(len(AVERAGES), f"5, 10 and 15 senders: by a factor of {_grows()}")


@evidence("l2bm.eq1.reserved-count", form="printed", strength="exact")
def bytes_in_a_reserve_lower_the_threshold_of_equation_1() -> Outcome:
    """One byte within a reserve of 2, B = 8, alpha = 1: the others' thresholds fall from 8 to 7."""
    values = {"alpha": "1", "B": "8", "reserve": "2", "held": "1"}
    statement = "alpha * (B - held) == alpha * B"
    return Counterexample(
        Witness("values", {"values": values, "hypotheses": ["0 < held <= reserve"], "statement": statement})
    )


@evidence("l2bm.eq1.reserved-count", form="assumed", strength="sampled")
def counted_beyond_the_reserves_they_lower_none() -> Outcome:
    """Every short run of the pools that count so: the lossless decisions do not see a lossy packet in its reserve."""
    return a_queue_within_its_reserve_leaves_the_shared_pool_alone()


@evidence("l2bm.sec2a.separately", form="printed", strength="sampled")
def a_paused_class_does_not_hold_up_another() -> Outcome:
    """Send every three packets of two classes, one of them paused: the other leaves as if it were alone."""
    cases = 0
    choices = list(product((0, 1), (1, 2), (0, 1)))
    for given in product(choices, repeat=3):
        packets = [Packet(Fraction(time), Fraction(size), group) for time, size, group in sorted(given)]
        others = [packet for packet in packets if packet.group == 1]
        beside = passages(packets, ONE, pauses=[(0, (0 * ONE, 100 * ONE))])
        ends = [through.end for packet, through in zip(packets, beside, strict=True) if packet.group == 1]
        check(ends == [through.end for through in passages(others, ONE)], f"{packets}")
        cases += 1
    return Agrees(cases, "three packets of sizes 1, 2, at times 0, 1, in two classes, the first paused for 100 s")


@evidence("l2bm.sec4b.peak", form="printed", strength="symbolic")
def more_senders_of_one_request_pile_up_more() -> Outcome:
    """N senders at the link's rate C need x / (N C), while x / N leaves: x (1 - 1/N) is left; then the engine."""
    N, d, x, C = sympy.symbols("N d x C", positive=True)
    peak = (N * C - C) * x / (N * C)
    check(sympy.simplify(peak - x * (1 - 1 / N)) == 0, "the peak")
    growth = sympy.simplify(peak.subs(N, N + d) - peak)
    check(sympy.simplify(growth - d * x / (N * (N + d))) == 0, "the growth, a product of positive factors")
    for senders, held in ((5, "48"), (10, "54"), (15, "56")):
        one = scenario((ONE,), steady=0, until="60", sample=(str(60 // senders),))
        one["queues"] = [{"arrivals": [["0", str(senders)], [str(60 // senders), "0"]]}]
        final = answer({**one, "policy": {"name": "complete"}}, 1)
        check(final["queues"] == [[held]], f"{final}")
    return Proved("x (1 - 1/N)", {"N": "5", "more": "10", "x": "1"}, ["x * (1 - 1/more) > x * (1 - 1/N)"])


@evidence("l2bm.sec4a.dt-small.dt2", form="printed", strength="exact")
def the_smaller_alpha_pauses_more() -> Outcome:
    """Compare DT with DT2 in every column of Table II."""
    for column, load in enumerate(LOADS):
        check(PAUSES["DT"][column] > PAUSES["DT2"][column], load)
    return Agrees(len(LOADS), "all columns")
