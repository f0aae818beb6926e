"""Section III-B: equation (2), how long packets stay; runs and published numbers."""

from fractions import Fraction

from dtmodel.ledger import Agrees, Counterexample, Outcome, Witness, check, evidence, refuted_by_values
from dtmodel.packet.l2bm.switch import PortPacket, passages
from dtmodel.packet.l2bm.trace import arrive, depart, request, run_trace

from .scenarios import ends_otherwise, runs

DRAINED = request(arrive("0", "a", "1"), arrive("0", "b", "3"), depart("1", "a"))
"""Two packets due at 1 and 3; the first leaves on time: the other has 2 left, the printed quotient says 3."""


DOMAIN = "all lists of up to 4 events: 1-byte packets from a lossy and a lossless port to two egress queues, departures"


@evidence("l2bm.sec3b.location", "l2bm.sec3b.same-length", "l2bm.sec3d.rate-location", form="printed", strength="exact")
def equal_ingress_queues_that_empty_at_different_times() -> Outcome:
    """Two packets each: one queue's lie behind 3 bytes of a common output, the other's go to an idle one."""
    now, one = Fraction(0), Fraction(1)
    two = [PortPacket(now, one)] * 2
    near, far = passages(two, one), passages([PortPacket(now, 3 * one), *two], one)
    check((near[-1].end, far[-1].end) == (2 * one, 5 * one), "the ends of the last packets")
    return Agrees(1, "an existence statement: equal ingress lengths and rates, empty after 2 s and after 5 s")


@evidence("l2bm.sec1.more-packets", form="printed", strength="exact")
def three_packets_that_are_gone_before_one() -> Outcome:
    """Send three packets through an idle port, and one through a port where 5 bytes wait already, at 1 byte/s."""
    now, one = Fraction(0), Fraction(1)
    many = passages([PortPacket(now, one)] * 3, one)
    few = passages([PortPacket(now, 5 * one), PortPacket(now, one)], one)
    check(many[-1].end == 3 and few[-1].end == 6, "the ends of the last packets")
    return Agrees(1, "an existence statement: three packets are gone after 3 s, one after 6 s")


@evidence("l2bm.sec3b.single-packet", form="printed", strength="exact")
def one_packet_and_two_different_averages() -> Outcome:
    """A packet due at 1 with another due at 1 or at 9."""
    averages = {
        run_trace(request(arrive("0", "a", "1"), arrive("0", "b", other)))["final"]["mean"] for other in ("1", "9")
    }
    check(averages == {"1", "5"}, f"{averages}")
    return Agrees(1, "an existence statement")


@evidence("l2bm.sec3c.maintained@current", form="printed", strength="exact")
def the_printed_average_rises_as_the_queue_drains() -> Outcome:
    """Replay packets due at 1, 2 and 3 that leave on time: 2, 5/2, 3, where 2, 3/2, 1 are left on average."""
    events = [arrive("0", "a", "1"), arrive("0", "b", "2"), arrive("0", "c", "3"), depart("1", "a"), depart("2", "b")]
    return Counterexample(Witness("trace", request(*events), {"final": {"mean": "3"}}, {"final": {"mean": "1"}}))


@evidence("l2bm.sec3d.rate-location@independent", form="printed", strength="exact")
def twice_the_rate_halves_the_stay_at_the_same_place() -> Outcome:
    """Replay a packet at the same place of an output queue drained at 1 and at 2: 4 s and 2 s."""
    at_one = run_trace(request(arrive("0", "x", "4", "1")))["final"]["mean"]
    check(at_one == "4", "the stay at rate 1")
    trace = request(arrive("0", "x", "4", "2"))
    return Counterexample(Witness("trace", trace, {"final": {"mean": "2"}}, {"final": {"mean": "4"}}, "4 at rate 1"))


@evidence("l2bm.sec3b.state@two-values", form="printed", strength="exact")
def total_and_counter_do_not_determine_the_next_total() -> Outcome:
    """Replay a packet of 2 s from time 0 and from time 1: the same total and count; after one more at 2, 1 and 2."""
    finals = []
    for start in ("0", "1"):
        before = run_trace(request(arrive(start, "a", "2")))["final"]
        check((before["total"], before["packets"]) == ("2", 1), f"{before}")
        finals.append(run_trace(request(arrive(start, "a", "2"), arrive("2", "b", "1")))["final"]["total"])
    check(finals == ["1", "2"], f"{finals}")
    trace = request(arrive("0", "a", "2"), arrive("2", "b", "1"))
    return Counterexample(Witness("trace", trace, {"final": {"total": "1"}}, {"final": {"total": "2"}}, "2 from 1"))


@evidence("l2bm.sec3d.burst.longer.ingress", form="printed", strength="exact")
def a_burst_to_an_idle_output_shortens_the_average() -> Outcome:
    """Replay a packet of 10 s, then one of 1 s of the burst: from 10 to 11/2."""
    events = [arrive("0", "a", "10"), arrive("0", "b", "1")]
    averages = [run_trace(request(*events[:count]))["final"]["mean"] for count in (1, 2)]
    check(averages == ["10", "11/2"], f"{averages}")
    statement = "(queued + burst) / 2 > queued"
    return refuted_by_values({"queued": "10", "burst": "1"}, statement, "", ["burst > 0"])


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


@evidence("l2bm.tab1.N@everywhere", form="printed", strength="exact")
def one_port_with_two_packets() -> Outcome:
    """One active port with one ingress queue of two packets: equation (2) needs 2, equation (5) needs 1."""
    final = run_trace(request(arrive("0", "a", "1"), arrive("0", "b", "2")))["final"]
    check(final["packets"] == 2, f"{final}")
    return refuted_by_values({"ports": "1", "packets": "2"}, "ports == packets", "", ["ports >= 1"])


@evidence("l2bm.tab1.tau", form="printed", strength="exact")
def an_empty_queue_has_none() -> Outcome:
    """Replay a queue that has emptied."""
    trace = request(arrive("0", "x", "1"), depart("1", "x"))
    return Counterexample(Witness("trace", trace, {"final": {"mean": None}}, {"final": {"mean": "0"}}))


@evidence("l2bm.tab1.tau.whole", form="printed", strength="exact")
def the_record_is_neither_whole_stay_nor_time_spent() -> Outcome:
    """Replay packets that stay 0 to 4 and 2 to 8: 4 at time 2, where the whole stays average 5, the times spent 1."""
    stays, spent = (Fraction(4), Fraction(6)), (Fraction(2), Fraction(0))
    check((sum(stays) / 2, sum(spent) / 2) == (5, 1), "the worked instance")
    trace = request(arrive("0", "a", "4"), arrive("2", "b", "6"))
    says = "the whole stays average 5, what is left averages 4"
    return ends_otherwise(trace, {"mean": "4"}, {"mean": "5"}, says)


@evidence("l2bm.eq2", form="printed", strength="exact")
def the_quotient_is_stale_after_a_departure() -> Outcome:
    """Replay two packets of which one has left on time."""
    return ends_otherwise(DRAINED, {"mean": "3"}, {"mean": "2"}, "the packet left has 2 s to go, not 3")


@evidence("l2bm.eq2.any-time", form="printed", strength="exact")
def a_late_packet_spoils_what_can_be_known() -> Outcome:
    """Replay a packet that leaves 1 s late as another of 1 s comes: 0 is recorded, at the instant of the update."""
    trace = request(arrive("0", "x", "1"), depart("2", "x"), arrive("2", "y", "1"))
    return ends_otherwise(trace, {"mean": "0", "updated": "2"}, {"mean": "1"}, "the packet has 1 s to go")


@evidence("l2bm.eq2.any-time@quotient", form="printed", strength="exact")
def the_recorder_keeps_the_value_of_the_last_arrival() -> Outcome:
    """Replay the same trace: at time 1 the average occupying time left is 2, the module says 3."""
    return ends_otherwise(DRAINED, {"mean": "3", "updated": "0"}, {"mean": "2"}, "read at time 1")
