"""Pools, PFC and headroom: Section II-A executed on every short list of events."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy

from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.packet.l2bm_switch import Packet, passages
from dtmodel.packet.pfc import Egress, Event, Ingress, Link, Pools, Step, arrived_after, headroom, run
from dtmodel.provers import smt

ONE = Fraction(1)
SWITCH = Pools(
    2 * ONE,
    4 * ONE,
    {"lossy": Ingress(ONE, reserved=ONE), "lossless": Ingress(ONE, lossless=True, headroom=ONE, resume_below=ONE / 2)},
    {"a": Egress(), "b": Egress(ONE)},
)
DOMAIN = "all lists of up to 4 events: 1-byte packets from a lossy and a lossless port to two egress queues, departures"


def runs(length: int = 4) -> Iterator[tuple[tuple[Event, ...], list[Step]]]:
    """Every list of exactly `length` events (prefixes included in the steps), and its steps."""
    arrivals: list[Event] = [("arrive", source, target, ONE) for source in SWITCH.ingress for target in SWITCH.egress]
    for events in product([*arrivals, ("depart", "a"), ("depart", "b")], repeat=length):
        yield events, run(SWITCH, events)


@evidence("l2bm.ours.pools-agree", "l2bm.eq5", "l2bm.sec2a.counters", "l2bm.tab1.Q", "l2bm.tab1.Qout", "l2bm.tab1.Qin",
          form="printed", strength="sampled")  # fmt: skip
def both_pools_count_the_bytes_in_the_memory() -> Outcome:
    """Add up the counters after every event of every short list."""
    cases = 0
    for _, steps in runs():
        for step in steps:
            check(sum(step.ingress.values()) == sum(step.egress.values()) == step.stored, f"{step}")
        cases += 1
    return Agrees(cases, DOMAIN)


@evidence("l2bm.eq1.reserved-first", form="printed", strength="sampled")
def a_queue_within_its_reserve_leaves_the_shared_pool_alone() -> Outcome:
    """On every short run the lossless packets are decided alike with or without a lossy one before."""
    cases = 0
    for events, steps in runs():
        lossy_bytes = [step.ingress["lossy"] for step in steps]
        if max(lossy_bytes) <= 1:  # never beyond its reserve: leave its events out, and nothing changes for the other
            others = [e for e in events if e[0] == "arrive" and e[1] == "lossless" and e[2] == "a"]
            alone = [step.decision for step in run(SWITCH, others)]
            beside = [step.decision for step in run(SWITCH, [("arrive", "lossy", "a", ONE), *others])]
            check(beside[1:] == alone, f"{events}")
            cases += 1
    return Agrees(cases, DOMAIN)


@evidence("l2bm.sec2a.static", form="printed", strength="sampled")
def the_reserve_of_an_idle_queue_serves_nobody_else() -> Outcome:
    """On every short run the reserve's owner is always admitted to it, however full the rest is."""
    cases = 0
    for events, steps in runs():
        if steps[-1].ingress["lossy"] == 0:
            more = run(SWITCH, [*events, ("arrive", "lossy", "a", ONE)])
            check(more[-1].decision == "enqueue", f"{events}")
            cases += 1
    return Agrees(cases, DOMAIN)


@evidence("l2bm.sec2a.lossy-drop", "l2bm.sec2a.headroom-lossy", form="printed", strength="sampled")
def a_refused_lossy_packet_changes_no_counter() -> Outcome:
    """On every short run a dropped packet leaves all counters as they were, and no lossy packet goes into headroom."""
    cases = 0
    for events, steps in runs():
        for event, before, step in zip(events[1:], steps, steps[1:], strict=False):
            if step.decision == "drop":
                check((before.ingress, before.egress) == (step.ingress, step.egress), f"{events}")
            check(step.decision != "headroom" or event[1] == "lossless", f"{events}")
        cases += 1
    return Agrees(cases, DOMAIN)


@evidence("l2bm.sec2a.resume", form="printed", strength="sampled")
def a_queue_resumes_only_after_it_has_fallen() -> Outcome:
    """On every short run a pause ends at a departure, never at an arrival to the paused queue."""
    cases = 0
    for events, steps in runs():
        for event, before, step in zip(events[1:], steps, steps[1:], strict=False):
            if before.paused and not step.paused:
                check(event[0] == "depart", f"{events}")
            cases += 1
    return Agrees(cases, DOMAIN)


@evidence("l2bm.sec2a.three-parts", form="printed", strength="sampled")
def the_memory_holds_reserves_service_pool_and_headroom_at_most() -> Outcome:
    """On every short run what is stored fits into the three parts."""
    parts = SWITCH.ingress_pool + sum(q.reserved + q.headroom for q in SWITCH.ingress.values())
    cases = 0
    for events, steps in runs():
        check(all(step.stored <= parts for step in steps), f"{events}")
        cases += 1
    return Agrees(cases, DOMAIN)


@evidence("l2bm.sec2a.admission", "l2bm.sec2a.lossless", form="printed", strength="exact")
def a_lossless_packet_beyond_its_threshold_is_stored() -> Outcome:
    """Run two lossless packets: the second is beyond the threshold and is stored nevertheless, in the headroom."""
    decisions = [step.decision for step in run(SWITCH, [("arrive", "lossless", "a", ONE)] * 2)]
    check(decisions == ["enqueue", "headroom"], f"{decisions}")
    said = "beyond the ingress threshold one drops, the other stores"
    return Conflict("l2bm.sec2a.lossless", said, {"decisions": ", ".join(decisions)})


@evidence("l2bm.ours.headroom", form="printed", strength="symbolic")
@evidence("l2bm.sec2a.headroom-size", form="assumed", strength="symbolic")
def no_more_than_the_headroom_arrives() -> Outcome:
    """With frames under way for s and r the headroom exceeds what arrives by C (s + r) >= 0, 0 in the worst case."""
    C, p, react, Ms, Mr, F, s, r = sympy.symbols("C p react M_s M_r F s r", nonnegative=True)
    stops = Mr / C - r + F / C + p + react + Ms / C - s
    bound = 2 * C * p + C * react + Ms + Mr + F
    check(sympy.simplify(bound - C * (stops + p) - C * (s + r)) == 0, "the difference")
    for rate, wire in product((1, 3), (0, 2)):
        link = Link(Fraction(rate), Fraction(wire), ONE, 4 * ONE, 5 * ONE, ONE)
        check(arrived_after(link, Fraction(0), Fraction(0)) == headroom(link), "not attained")
        check(headroom(link) - arrived_after(link, ONE / 2, ONE) == rate * Fraction(3, 2), "the difference")
    return Proved("H - arrived = C (s + r)", {"C": "1", "p": "1", "M": "2", "H": "4"}, ["H == 2*C*p + M"])


@evidence("l2bm.sec2a.headroom-size", form="printed", strength="exact")
def the_same_delays_at_twice_the_rate_need_more() -> Outcome:
    """Two links with the same MTU, reaction time and propagation delay, one twice as fast."""
    slow, fast = (headroom(Link(Fraction(rate), ONE, ONE, ONE, ONE)) for rate in (1, 2))
    check(slow != fast, "the same headroom")
    values = {"C": "1", "fast": "2", "p": "1", "reaction": "1"}
    statement = "C * (2*p + reaction) == fast * (2*p + reaction)"
    return Counterexample(Witness("values", {"values": values, "hypotheses": ["fast > C > 0"], "statement": statement}))


@evidence("l2bm.ours.accounting", form="printed", strength="symbolic")
def the_estimate_misses_by_the_stated_terms() -> Outcome:
    """While the packet waits the port sends its class's q_f bytes, others, or nothing; then every three packets."""
    q, qf, mu, others, idle, arrived = sympy.symbols("q q_f mu o s t", positive=True)
    left = arrived + qf / mu + others + idle
    check(sympy.simplify((arrived + q / mu) - left - ((q - qf) / mu - others - idle)) == 0, "the decomposition")
    choices = list(product((0, 1), (1, 2), (0, 1)))
    for first, second, third in product(choices, repeat=3):
        times = [Fraction(first[0]), Fraction(first[0] + second[0]), Fraction(first[0] + second[0] + third[0])]
        given = zip(times, (first, second, third), strict=True)
        packets = [Packet(time, Fraction(size), group) for time, (_, size, group) in given]
        for counter in ("fluid", "start", "end"):
            for through in passages(packets, ONE, counter=counter, pauses=[(0, (ONE, 2 * ONE))]):
                error = through.counted - through.others - through.suspended
                check(through.due - through.end == error, f"{packets}")
    return Proved(
        "D - a = (q - q_f)/mu - o - s",
        {"q": "4", "q_f": "1", "mu": "1", "D": "7", "a": "4"},
        ["D - a == (q - q_f) / mu"],
    )


@evidence("l2bm.sec2a.round-robin", form="printed", strength="exact")
def small_packets_get_less_than_their_share() -> Outcome:
    """One queue sends packets of 64 bytes, the seven others of 1500: in turn, the first gets 64 of 10564 bytes."""
    values = {"own": "64", "other": "1500"}
    statement = "own / (own + 7 * other) >= 1/8"
    return Counterexample(Witness("values", {"values": values, "hypotheses": ["own > 0"], "statement": statement}))


@evidence("l2bm.sec2a.round-robin", form="assumed", strength="symbolic")
def equal_packets_share_equally() -> Outcome:
    """Of m <= 8 backlogged queues with packets of one size each sends one packet a round: 1/m >= 1/8 of the link."""
    size, absent = sympy.symbols("size absent", nonnegative=True)
    m = 8 - absent
    check(sympy.simplify(size / (m * size) - sympy.Rational(1, 8) - absent / (8 * m)) == 0, "the share")
    packets = [Packet(Fraction(0), ONE, group) for group in range(8) for _ in range(2)]
    ends = sorted(
        through.end for packet, through in zip(packets, passages(packets, ONE), strict=True) if packet.group == 3
    )
    check(ends[1] - ends[0] == 8, "a round")
    return Proved("1/m - 1/8 = (8 - m) / (8 m)", {"m": "8"}, ["1/m >= 1/8"])


@evidence("l2bm.abstract.lossless", "l2bm.sec2b.dual-guarantee", form="printed", strength="exact")
def too_little_headroom_loses() -> Outcome:
    """Run two lossless packets that arrive after the pause, with headroom for one: the second is dropped."""
    decisions = [step.decision for step in run(SWITCH, [("arrive", "lossless", "a", ONE)] * 3)]
    check(decisions == ["enqueue", "headroom", "drop"], f"{decisions}")
    values = {"in_flight": "2", "headroom": "1"}
    return Counterexample(
        Witness(
            "values",
            {"values": values, "hypotheses": ["headroom > 0"], "statement": "max(0, in_flight - headroom) == 0"},
        )
    )


@evidence("l2bm.abstract.lossless", "l2bm.sec2b.dual-guarantee", form="assumed", strength="sampled")
def enough_headroom_takes_all_that_is_in_flight() -> Outcome:
    """Run 1 to 5 packets that arrive after the pause, with headroom for just so many."""
    cases = 0
    for number in range(1, 6):
        queue = Ingress(ONE, lossless=True, headroom=Fraction(number), resume_below=ONE / 2)
        pools = Pools(2 * ONE, 4 * ONE, {"in": queue}, {"a": Egress()})
        steps = run(pools, [("arrive", "in", "a", ONE)] * (1 + number))
        check(all(step.decision != "drop" for step in steps), f"{number} in flight")
        cases += 1
    return Agrees(cases, "1 to 5 packets in flight, as much headroom")


@evidence("l2bm.sec2b.two-thresholds", form="printed", strength="exact")
def either_threshold_stops_a_packet() -> Outcome:
    """Two runs of two packets: one is stopped by the egress threshold alone, one by the ingress threshold alone."""
    tight = Pools(8 * ONE, 2 * ONE, {"in": Ingress(ONE)}, {"b": Egress(ONE)})
    narrow = Pools(2 * ONE, 8 * ONE, {"in": Ingress(ONE)}, {"b": Egress(ONE)})
    for pools in (tight, narrow):
        decisions = [step.decision for step in run(pools, [("arrive", "in", "b", ONE)] * 2)]
        check(decisions == ["enqueue", "drop"], f"{decisions}")
    return Agrees(2, "an existence statement: the egress threshold stops one packet, the ingress threshold another")


@evidence("l2bm.sec2a.egress-reserve", form="printed", strength="smt")
def admitted_bytes_stay_within_reserve_and_pool() -> Outcome:
    """A packet takes from the pool what its reserve cannot hold, if that much is free: the pool is never overdrawn.

    Then induct over queues: each holds its part of the reserve and its part of the pool.
    """
    Q, size, r, S, others = sympy.symbols("Q size r S others", nonnegative=True)
    taken, now = sympy.Max(0, Q - r), sympy.Max(0, Q + size - r)
    smt.prove([taken + others <= S, now - taken <= S - taken - others], now + others <= S)
    held, reserves = sympy.symbols("held reserves", nonnegative=True)
    found = smt.prove([held <= reserves + others], held + Q <= reserves + r + others + taken)
    return found.proved("sum Q <= sum r + sum (Q - r)^+ <= reserves + S")
