"""Section II-A: pause, resume and headroom; runs and published numbers."""

from fractions import Fraction

from dtmodel.ledger import Agrees, Counterexample, Outcome, Witness, check, evidence, refuted_by_values
from dtmodel.packet.l2bm.trace import arrive, depart, request, run_trace
from dtmodel.packet.pfc import Egress, Ingress, Link, PfcEvent, PfcStep, Pools, pfc_headroom, run_pools

from ..support.l2bm.ingress import IngressPacket, ingress_moments
from .scenarios import runs

ONE, ZERO = Fraction(1), Fraction(0)
DOMAIN = "all lists of up to 4 events: 1-byte packets from a lossy and a lossless port to two egress queues, departures"


@evidence("l2bm.sec3d.pause.ignored", form="printed", strength="exact")
def a_pause_of_two_seconds_costs_two_seconds_for_ever() -> Outcome:
    """Replay one packet due at 1 whose output is paused from 1/2 to 5/2: the total ends at -2, not 0."""
    trace = request(arrive("0", "x", "1"), ["pause", "1/2"], ["resume", "5/2"], depart("3", "x"))
    return Counterexample(Witness("trace", trace, {"final": {"total": "-2"}}, {"final": {"total": "0"}}))


@evidence("l2bm.sec3d.pause.fewer", form="printed", strength="exact")
def a_packet_that_is_held_up_lengthens_the_next_estimate() -> Outcome:
    """Replay 1 byte at 0 and half a byte at 1, rate 1: without a pause 1/2 on average, with the first held up 3/4."""
    plain = request(arrive("0", "x", "1"), depart("1", "x"), arrive("1", "y", "1/2"))
    check(run_trace(plain)["final"]["mean"] == "1/2", "the run without a pause")
    paused = request(arrive("0", "x", "1"), ["pause", "0"], arrive("1", "y", "3/2"))
    says = "the recorded average, 1/2 without the pause: the weight C / tau falls by a third for any fixed C"
    return Counterexample(Witness("trace", paused, {"final": {"mean": "3/4"}}, {"final": {"mean": "1/2"}}, says))


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


@evidence("l2bm.sec2a.headroom-size", form="printed", strength="exact")
def the_same_delays_at_twice_the_rate_need_more() -> Outcome:
    """Two links with the same MTU, reaction time and propagation delay, one twice as fast."""
    slow, fast = (pfc_headroom(Link(Fraction(rate), ONE, ONE, ONE, ONE)) for rate in (1, 2))
    check(slow != fast, "the same headroom")
    statement = "C * (2*p + reaction) == fast * (2*p + reaction)"
    return refuted_by_values({"C": "1", "fast": "2", "p": "1", "reaction": "1"}, statement, "", ["fast > C > 0"])


def _resumed_with_headroom_in_use() -> list[PfcStep]:
    """TCP 4 bytes, RDMA until it is paused, TCP's departure, RDMA again; headroom for the one packet that asks."""
    rdma = Ingress(ONE, lossless=True, headroom=ONE, resume_below=ONE / 2)
    pools = Pools(8 * ONE, 99 * ONE, {"rdma": rdma, "tcp": Ingress(ONE)}, {"a": Egress(), "b": Egress()})
    events: list[PfcEvent] = [("arrive", "tcp", "b", 4 * ONE), *[("arrive", "rdma", "a", ONE)] * 3, ("depart", "b")]
    events += [("arrive", "rdma", "a", ONE)] * 3
    return run_pools(pools, events)


@evidence("l2bm.abstract.lossless", form="printed", strength="exact")
def headroom_in_use_is_none() -> Outcome:
    """Run a queue that resumes with its headroom in use: the packet that asks for the next pause is lost."""
    steps = _resumed_with_headroom_in_use()
    check([steps[3].decision, steps[-1].decision] == ["headroom", "drop"], f"{steps}")
    values = {"headroom": "1", "in_use": "1", "asks": "1", "follows": "0"}
    given = ["0 < in_use <= headroom", "asks + follows <= headroom", "asks > 0", "follows >= 0"]
    return refuted_by_values(values, "asks + follows <= headroom - in_use", "a packet is lost", given)


@evidence("l2bm.abstract.lossless", "l2bm.sec2b.dual-guarantee", form="assumed", strength="sampled")
def enough_headroom_takes_all_that_is_in_flight() -> Outcome:
    """Run 1 to 5 packets that arrive after the pause, with headroom for just so many."""
    cases = 0
    for number in range(1, 6):
        queue = Ingress(ONE, lossless=True, headroom=Fraction(number), resume_below=ONE / 2)
        pools = Pools(2 * ONE, 4 * ONE, {"in": queue}, {"a": Egress()})
        steps = run_pools(pools, [("arrive", "in", "a", ONE)] * (1 + number))
        check(all(step.decision != "drop" for step in steps), f"{number} in flight")
        cases += 1
    return Agrees(cases, "1 to 5 packets in flight, as much headroom")


@evidence("l2bm.ours.resume-at-arrival", form="printed", strength="exact")
def an_arrival_elsewhere_raises_a_paused_queue_threshold() -> Outcome:
    """B = 10, alpha = 1: queue 0 of 5 bytes is refused one more at T = 5; a slow byte at queue 1 later T is 20."""
    probe, slow = IngressPacket(ZERO, 0, 0, ONE), IngressPacket(ZERO, 1, 1, ONE)
    arrivals = [IngressPacket(ZERO, 0, 0, 5 * ONE), probe, slow, probe]
    moments = ingress_moments(10 * ONE, ONE, [ONE, ONE / 20], arrivals, ingress_queues=2)
    check([m.decision for m in moments] == ["enqueue", "drop", "enqueue", "enqueue"], f"{moments}")
    check([m.threshold for m in moments] == [10, 5, Fraction(25, 4), 20], f"{moments}")
    return Agrees(1, "an existence statement: nothing leaves between the pause and its end")


@evidence("l2bm.ours.headroom-in-use", form="printed", strength="exact")
def headroom_in_use_at_the_resume_loses_a_packet() -> Outcome:
    """Run RDMA until it is paused, let TCP's departure end the pause, run RDMA again: its headroom is still in use."""
    steps = _resumed_with_headroom_in_use()
    paused = [sorted(step.paused) for step in steps[3:5]]
    check(paused == [["rdma"], []] and steps[3].decision == "headroom", f"{paused}")
    decisions = [step.decision for step in steps[5:]]
    check(decisions == ["enqueue", "enqueue", "drop"], f"{decisions}")
    check(
        steps[6].paused == frozenset() and "rdma" in steps[7].paused,
        "the pause is asked for by the packet that is lost",
    )
    return Agrees(1, "an existence statement: one packet arrives after the pause was asked for, headroom for one")
