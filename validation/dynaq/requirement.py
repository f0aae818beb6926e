"""Sections 1 and 2.1: equation (1), the weighted bandwidth-delay product; runs and published numbers."""

from fractions import Fraction

from dtmodel.ledger import Agrees, Outcome, Proved, check, evidence
from dtmodel.packet.dynaq.algorithm import DynaQ
from dtmodel.packet.dynaq.schemes import BestEffort
from dtmodel.packet.dynaq.states import Label
from dtmodel.packet.schedulers import WeightedRoundRobin
from dtmodel.theory.dynaq import formulas as dynaq

from ..support.dynaq.ports import serve
from ..support.shares import Shares
from .figures import fig01
from .runs import largest, paced, refuted_by, request, steps_of


@evidence("dynaq.sec2.1.fig1", form="printed", strength="sampled")
def queue_1_gets_less_than_half() -> Outcome:
    """The rate of 8 flows in queue 1 against 24 in queue 2 under BestEffort: at most 0.95 of half of what both send."""
    shares = Shares.read("dynaq.fig1")

    def holds(reading: str, seed: int) -> bool:
        first, second = shares.rates((reading, "BestEffort", seed), 0, 12)
        return first < 0.95 * (first + second) / 2

    return shares.kept.always(holds, "queue 1 below 0.95 of half")


@evidence("dynaq.sec2.1.requires", "dynaq.sec1.enough-buffer", "dynaq.eq6.necessary", form="printed", strength="exact")
def paced_traffic_needs_one_packet_of_buffer() -> Outcome:
    """Two queues paced at their fair share keep the link busy with one packet each, however large C RTT is."""
    return paced("open-loop traffic at the fair share is served in full with one packet of buffer, for any RTT")


@evidence(
    "dynaq.sec1.monopolise", "dynaq.sec2.1.best-effort", "dynaq.sec3.2.3.best-effort", form="printed", strength="exact"
)
def one_queue_takes_all_of_a_best_effort_buffer() -> Outcome:
    """For every buffer up to 64 packets, one queue fills it and the other is refused its first packet."""
    for B in range(1, 65):
        check(largest(BestEffort(B), 2, (0,), 1) == [B, 0], f"B = {B}")
        check(not BestEffort(B).admit((), (B, 0), 1, 1)[0], f"B = {B}")
    return Proved("q_1 = B and the largest q_2 is 0 < WBDP_2", {"B": "64", "q_1": "64", "q_2": "0"})


@evidence("dynaq.sec2.1.servers", "dynaq.sec5.1.1.servers", form="printed", strength="exact")
def the_servers_of_the_experiments() -> Outcome:
    """Add up: 1 receiver and 4 senders make the 5 servers; 2 senders and 1 receiver make 3; 24 flows meet 8."""
    check(1 + 4 == 5 and 3 + 1 == 4 and 2 + 1 == 3 and 3 * 8 == 24, "servers")
    return Proved("4 + 1 = 5 and 2 + 1 = 3 servers", {"senders": "4", "receivers": "1"})


@evidence("dynaq.sec2.1.equal", form="printed", strength="exact")
def equal_weights_are_equal_shares() -> Outcome:
    """Evaluate w_i / sum w for weights 1 and 1."""
    check(dynaq.shares([Fraction(1), Fraction(1)]) == (Fraction(1, 2), Fraction(1, 2)), "shares")
    return Proved("1/2 each", {"w1": "1", "w2": "1"}, ["w1 / (w1 + w2) == w2 / (w1 + w2)"])


@evidence("dynaq.sec2.1.violated", form="printed", strength="exact")
def a_scheduler_of_equal_weights_serves_one_queue_only() -> Outcome:
    """WRR with equal weights and a best-effort buffer of 2: the queue that arrives first after a departure gets all."""
    arrivals = [(t, i, 1) for t in range(40) for i in (1, 1, 0)]
    tally = serve(BestEffort(2), WeightedRoundRobin((1, 1)), arrivals, rate=1, until=40, queues=2)
    check(tally.sent == (0, 40) and tally.offered[0] == 40, f"{tally}")
    return Proved("queue 1 offers twice its share and sends nothing in 40 services", {"sent1": "0", "sent2": "40"})


@evidence("dynaq.sec2.1.fig1@open-loop", form="printed", strength="exact")
def the_queue_with_fewer_flows_gets_neither_link_nor_room() -> Outcome:
    """Read throughput and lengths of queue 1 off the picture's data, all bins but the first."""
    shown = fig01.data()
    bins = shown.series.rows["BestEffort"][1:]
    share = sum(row[0] for row in bins) / len(bins)
    check(abs(share - 1 / 4) <= 1 / 100, f"queue 1 gets {share}")
    check(shown.lengths.mean(0) <= 2, f"queue 1 holds {shown.lengths.mean(0)} KB")
    return Agrees(1, "8 and 24 flows on the arrivals of the picture")


@evidence("dynaq.sec1.not-take@room", "dynaq.sec3.2.1.prevents-taking@room", form="printed", strength="exact")
def room_is_taken_beside_an_unsatisfied_active_queue() -> Outcome:
    """Queue 2 is active with T_2 = 1 < S_2 = 2; a packet of queue 1 takes the last byte, and queue 2 is refused."""
    fills, wakes = [("arrive", 0, 1)] * 4, [("depart", 0), ("arrive", 1, 1)]
    labels: list[Label] = [*fills, *wakes, ("depart", 0), ("arrive", 0, 1), ("arrive", 1, 1)]
    for admit in ("recheck", "port"):
        rules = DynaQ(4, (1, 1), admit=admit)
        before, taken, refused = steps_of(request(rules, labels))[-3:]
        check((before["thresholds"], before["queues"]) == (["3", "1"], ["2", "1"]), f"{before}")
        check(taken["decision"] == "enqueue" and taken["queues"] == ["3", "1"], f"{taken}")
        check(refused["reason"] == "the port is full", f"{refused}")
    return refuted_by(rules, labels, "q_2 = 1 and T_2 = 1 < S_2 = 2, but queue 1 holds the rest", decision="enqueue")
