"""Section III-B: Algorithm 1, the recorder of sojourn times; runs and published numbers."""

from fractions import Fraction
from itertools import accumulate, product

from dtmodel.ledger import Agrees, Outcome, check, evidence, refuted_by_values
from dtmodel.packet.l2bm.switch import PortPacket, passages
from dtmodel.packet.l2bm.trace import arrive, depart, request, run_trace

from ..support.l2bm.events import trace_events
from ..support.l2bm.ingress import IngressPacket, ingress_moments
from .scenarios import ends_otherwise


@evidence("l2bm.alg1.index", form="printed", strength="exact")
def one_total_for_two_queues_mixes_them() -> Outcome:
    """Two queues with a packet each, of 1 s and of 3 s: the recorder that both share holds 4 s, each N is 1."""
    shared = request(arrive("0", "a", "1"), arrive("0", "b", "3"))
    total = run_trace(shared)["final"]["total"]
    statement = "total / N_1 == left_1 and total / N_2 == left_2"
    hypotheses = ["N_1 == 1", "N_2 == 1", "total == left_1 + left_2"]
    values = {"total": total, "N_1": "1", "N_2": "1", "left_1": "1", "left_2": "3"}
    return refuted_by_values(values, statement, "", hypotheses)


@evidence("l2bm.alg1.index", form="repaired", strength="exact")
def a_recorder_for_each_queue_gives_its_average() -> Outcome:
    """Enqueue up to three packets in each of two queues at once: each recorder's mean is its packets' average."""
    cases = 0
    for first, second in product((("1",), ("1", "3"), ("2", "2", "5")), repeat=2):
        for left in (first, second):
            final = run_trace(request(*(arrive("0", f"p{i}", item) for i, item in enumerate(left))))["final"]
            mean = Fraction(final["total"]) / len(left)
            check(mean == sum(map(Fraction, left)) / len(left), f"{left}: {mean}")
            cases += 1
    return Agrees(cases, "two queues of one to three packets that arrive together")


@evidence("l2bm.alg1.line2", form="printed", strength="exact")
def a_switch_forgets_the_packets_that_it_drops() -> Outcome:
    """Run a small switch with the packets that it drops and without them: the others meet the same thresholds."""
    one, dropped = Fraction(1), 0
    for code in product(product((0, 1), (0 * one, one / 2)), repeat=5):
        times = accumulate(gap for _, gap in code)
        packets = [IngressPacket(time, i, 0, one) for time, (i, _) in zip(times, code, strict=True)]
        met = ingress_moments(4 * one, one / 2, [one], packets, ingress_queues=2)
        admitted = [packet for packet, moment in zip(packets, met, strict=True) if moment.decision == "enqueue"]
        again = ingress_moments(4 * one, one / 2, [one], admitted, ingress_queues=2)
        check(again == [moment for moment in met if moment.decision == "enqueue"], f"{packets}")
        dropped += len(packets) - len(admitted)
    check(dropped > 0, "nothing is dropped")
    return Agrees(dropped, "dropped packets of all sequences of five, two ingress queues, gaps of 0 and 1/2 s")


@evidence("l2bm.alg1.line4", "l2bm.sec3b.last-update", form="printed", strength="exact")
def a_departure_leaves_t_prev() -> Outcome:
    """Replay an arrival at 0 and a departure at 1: t_prev is still 0."""
    trace = request(arrive("0", "a", "1"), arrive("0", "b", "3"), depart("1", "a"))
    return ends_otherwise(trace, {"updated": "0", "total": "3"}, {"updated": "1"}, "the total was updated at 1")


@evidence("l2bm.alg1.line8.estimate", form="printed", strength="exact")
def under_round_robin_the_link_is_shared() -> Outcome:
    """Send two packets of one class and one of another through a port of rate 1: one leaves 1 s late."""
    one = Fraction(1)
    packets = [PortPacket(0 * one, one, 0), PortPacket(0 * one, one, 0), PortPacket(0 * one, one, 1)]
    through = passages(packets, one)
    check([p.end - p.due for p in through[:2]] == [0, 1], "the second packet is not late by 1")
    events = trace_events(packets[:2], through[:2], one)
    return ends_otherwise(request(*events), {"total": "-1"}, {"total": "0"})


@evidence("l2bm.alg1.line14@last-arrival", "l2bm.alg1.total", "l2bm.alg1.total.empty", "l2bm.sec3b.one-recorder",
          "l2bm.alg1.total.nonnegative", form="printed", strength="exact")  # fmt: skip
def a_packet_that_leaves_late_spoils_the_total() -> Outcome:
    """Replay one packet that leaves 1 s after it was due."""
    trace = request(arrive("0", "x", "1"), depart("2", "x"))
    return ends_otherwise(trace, {"total": "-1"}, {"total": "0"}, "the queue is empty")


@evidence("l2bm.alg1.line14@now", form="printed", strength="exact")
def after_a_departure_the_total_is_old() -> Outcome:
    """Replay packets due at 1 and 3, the first leaves at 1: 2 s are left, the total says 3."""
    trace = request(arrive("0", "a", "1"), arrive("0", "b", "3"), depart("1", "a"))
    return ends_otherwise(trace, {"total": "3"}, {"total": "2"})


@evidence("l2bm.alg1.line14.remaining", form="printed", strength="exact")
def a_packet_that_departs_when_due_has_nothing_left() -> Outcome:
    """Replay one packet that leaves when due: nothing is left of its 1 s, yet the total falls from 1 to 0."""
    trace = request(arrive("0", "x", "1"), depart("1", "x"))
    return ends_otherwise(trace, {"total": "0"}, {"total": "1"}, "1 - 0 left = 1")


@evidence("l2bm.ours.can-be-zero", form="printed", strength="exact")
def a_late_packet_and_a_new_one_cancel() -> Outcome:
    """Replay a packet 1 s late and a new one of 1 s: the total is 0 with a packet queued."""
    final = run_trace(request(arrive("0", "x", "1"), depart("2", "x"), arrive("2", "y", "1")))["final"]
    check(final["packets"] == 1 and final["mean"] == "0", f"{final}")
    return Agrees(1, "an existence statement: the instance itself")
