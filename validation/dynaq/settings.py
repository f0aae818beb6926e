"""The paper's settings: buffers, BDPs, margins and headroom, schedules and numbers of flows."""

from __future__ import annotations

from fractions import Fraction

from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.packet.dynaq import DynaQ
from dtmodel.theory import dynaq
from dtmodel.theory import service_queue_schemes as schemes
from dtmodel.theory.dynaq_parameters import PRESETS, Preset
from dtmodel.units import bytes_, plain, rate, seconds

from .common import request, worst_deficit_run

KB = Fraction(1000)
"""The text's 62.5 KB for 1 Gbps and 500 us says that a KB is 1,000 bytes."""


def numbers(preset: Preset) -> tuple[Fraction, Fraction, Fraction, tuple[Fraction, ...]]:
    """Return B, the BDP, the packet and the weights of a preset."""
    B, C, RTT = bytes_(preset.buffer, "B"), rate(preset.rate, "C"), seconds(preset.rtt, "RTT")
    return B, C * RTT, bytes_(preset.packet, "L"), tuple(map(Fraction, preset.weights))


def least_margin(preset: Preset) -> Fraction:
    """Return the smallest S_i - WBDP_i of a preset, less the worst deficit (M - 1)(L - 1)."""
    B, BDP, L, weights = numbers(preset)
    margin = min((B - BDP) * share for share in dynaq.shares(weights))
    return margin - dynaq.worst_deficit(len(weights), L, Fraction(1))


def covered(name: str) -> Proved:
    """Prove that the headroom of a preset covers the worst deficit."""
    left = least_margin(PRESETS[name])
    B, BDP, L, weights = numbers(PRESETS[name])
    check(left >= 0 and all(dynaq.covers(B, BDP, weights, L)), f"{name}: {left}")
    return Proved(f"{plain(left)} bytes are left after the worst deficit", {"left": plain(left)}, ["left >= 0"])


def uncovered(name: str, order: tuple[int, ...] | None = None) -> Counterexample:
    """Drive the port of a preset to the worst deficit of its first queue, below its weighted BDP."""
    preset = PRESETS[name]
    B, BDP, L, weights = numbers(preset)
    if order is not None:
        weights = tuple(weights[i] for i in order)
    rules = DynaQ(B, weights)
    port, labels = worst_deficit_run(rules, L, 1)
    wbdp = BDP * dynaq.shares(weights)[0]
    check(port.thresholds[0] < wbdp, f"T = {port.thresholds[0]} covers {wbdp}")
    thresholds = [plain(T) for T in port.thresholds]
    says = f"an active queue is refused a packet of {plain(L)} bytes at T = {thresholds[0]} < WBDP = {plain(wbdp)}"
    return Counterexample(
        Witness(
            "trace",
            request(rules, labels),
            {"final": {"thresholds": thresholds}},
            {"final": {"thresholds": [plain(wbdp), *thresholds[1:]]}},
            says,
        ),
        says,
    )


@evidence("dynaq.sec3.2.2.headroom@testbed", form="printed", strength="exact")
def the_headroom_of_the_testbed_with_four_queues() -> Outcome:
    """Compare (85,000 - 62,500)/4 = 5,625 with 3 x 1,499 = 4,497."""
    return covered("testbed")


@evidence("dynaq.sec3.2.2.headroom@rack-10g", form="printed", strength="exact")
def the_headroom_of_the_10_gbps_rack() -> Outcome:
    """Compare (192,000 - 105,000)/8 = 10,875 with 7 x 1,499 = 10,493."""
    return covered("rack-10g")


@evidence("dynaq.sec3.2.2.headroom@fabric-10g", form="printed", strength="exact")
def the_headroom_of_the_10_gbps_fabric() -> Outcome:
    """Compare (192,000 - 106,500)/8 = 10,687.5 with 10,493."""
    return covered("fabric-10g")


@evidence("dynaq.sec3.2.2.headroom@testbed-5", form="printed", strength="exact")
def the_headroom_of_the_testbed_with_five_queues() -> Outcome:
    """Drive 85 KB with 5 queues to T = 17,000 - 4 x 1,499 = 11,004 < 12,500."""
    return uncovered("testbed-5")


@evidence("dynaq.sec3.2.2.headroom@testbed-weights", form="printed", strength="exact")
def the_headroom_of_the_testbed_with_unequal_weights() -> Outcome:
    """Drive 85 KB with weights 4:3:2:1 to T = 8,500 - 4,497 = 4,003 < 6,250 for the queue of weight 1."""
    return uncovered("testbed-weights", (3, 2, 1, 0))


@evidence("dynaq.sec3.2.2.headroom@rack-100g", form="printed", strength="exact")
def the_headroom_of_the_100_gbps_rack() -> Outcome:
    """Drive 1 MB with 8 queues and 9,000-byte packets to T = 125,000 - 7 x 8,999 = 62,007 < 62,500."""
    return uncovered("rack-100g")


@evidence("dynaq.sec3.2.2.buffer-exceeds-bdp", form="printed", strength="exact")
def every_setting_has_more_buffer_than_bdp() -> Outcome:
    """Compare B with C RTT in the settings: 85 > 62.5, 192 > 105, 192 > 106.5, 1,000 > 500 KB."""
    found = {name: numbers(preset)[:2] for name, preset in PRESETS.items()}
    check(all(B > BDP for B, BDP in found.values()), f"{found}")
    return Agrees(len(found), "the six settings of the paper")


@evidence("dynaq.sec2.1.equal", form="printed", strength="exact")
def equal_weights_are_equal_shares() -> Outcome:
    """Evaluate w_i / sum w for weights 1 and 1."""
    check(dynaq.shares([Fraction(1), Fraction(1)]) == (Fraction(1, 2), Fraction(1, 2)), "shares")
    return Proved("1/2 each", {"w1": "1", "w2": "1"}, ["w1 / (w1 + w2) == w2 / (w1 + w2)"])


@evidence("dynaq.sec3.2.2.S-minimum", form="printed", strength="exact")
def the_satisfaction_threshold_is_not_a_minimum() -> Outcome:
    """Compare S_i with WBDP_i in the testbed."""
    B, BDP, _, weights = numbers(PRESETS["testbed"])
    S, wbdp = B * dynaq.shares(weights)[0], BDP * dynaq.shares(weights)[0]
    check(wbdp < S, f"{S}, {wbdp}")
    return Conflict(
        "dynaq.sec3.2.2.wbdp-enough",
        "S_i cannot be the least buffer that gives the share if the smaller WBDP_i is enough for it",
        {"S_i": plain(S), "WBDP_i": plain(wbdp)},
    )


@evidence("dynaq.sec5.1.bdp", form="printed", strength="exact")
def the_bdp_of_the_testbed() -> Outcome:
    """Multiply 1 Gbps by 500 us."""
    BDP = numbers(PRESETS["testbed"])[1]
    check(Fraction(625, 10) * KB == BDP, f"{BDP}")
    example = {"C": "125000000", "RTT": "1/2000", "BDP": "62500"}
    return Proved("125,000,000 x 0.0005 = 62,500 bytes", example, ["C * RTT == BDP"])


@evidence("dynaq.sec5.2.1.shallow", form="printed", strength="exact")
def the_bdps_of_the_racks() -> Outcome:
    """Multiply 10 Gbps by 84 us and 100 Gbps by 40 us: 105 KB below 192 KB, 500 KB below 1 MB."""
    ten, hundred = numbers(PRESETS["rack-10g"]), numbers(PRESETS["rack-100g"])
    check((ten[1], hundred[1]) == (105 * KB, 500 * KB) and ten[1] < ten[0] and hundred[1] < hundred[0], f"{ten}")
    return Proved("105,000 < 192,000 and 500,000 < 1,000,000", {"B10": "192000", "B100": "1000000"})


@evidence("dynaq.sec2.3.bdp-everywhere", form="printed", strength="exact")
def no_setting_has_a_bdp_for_each_queue() -> Outcome:
    """Compare M BDPs with B: 250 > 85, 840 > 192, 4,000 > 1,000 KB."""
    cases = [(len(weights) * BDP, B) for B, BDP, _, weights in map(numbers, PRESETS.values())]
    check(all(needed > B for needed, B in cases), f"{cases}")
    return Agrees(len(cases), "the six settings of the paper")


@evidence("dynaq.sec5.1.ecn-thresholds", form="printed", strength="exact")
def the_marking_thresholds_of_dctcp_and_tcn_agree() -> Outcome:
    """At 1 Gbps 240 us are 30 KB; both are 0.48 of C RTT."""
    C, RTT = Fraction(125_000_000), Fraction(1, 2000)
    check(C * Fraction(240, 10**6) == 30 * KB, "30 KB")
    lam = 30 * KB / (C * RTT)
    check(lam == Fraction(12, 25) and schemes.tcn_threshold(RTT, lam) == Fraction(240, 10**6), f"{lam}")
    return Proved("both have lambda = 12/25", {"K": "30000", "T": "3/12500", "lam": "12/25"})


@evidence("dynaq.sec5.1.theory-gap", form="printed", strength="exact")
def the_chosen_thresholds_differ_from_the_theory() -> Outcome:
    """Compare 0.48 with the 0.17 of Section 2.3: 30 KB with 10.6 KB."""
    theory = schemes.pmsb_port_threshold(Fraction(62_500), Fraction(17, 100))
    check(theory == 10_625 and theory < 30 * KB / 2, f"{theory}")
    return Proved("0.17 C RTT = 10,625 bytes, about a third of 30 KB", {"theory": "10625", "chosen": "30000"})


@evidence("dynaq.sec1.ports", form="printed", strength="exact")
def two_cards_of_four_ports() -> Outcome:
    """Multiply."""
    check(2 * 4 == 8, "ports")
    return Proved("2 x 4 = 8 ports", {"cards": "2", "ports": "4"})


@evidence("dynaq.sec2.1.servers", "dynaq.sec5.1.1.servers", form="printed", strength="exact")
def the_servers_of_the_experiments() -> Outcome:
    """Add up: 1 receiver and 4 senders make the 5 servers; 2 senders and 1 receiver make 3; 24 flows meet 8."""
    check(1 + 4 == 5 and 3 + 1 == 4 and 2 + 1 == 3 and 3 * 8 == 24, "servers")
    return Proved("4 + 1 = 5 and 2 + 1 = 3 servers", {"senders": "4", "receivers": "1"})


@evidence("dynaq.sec5.1.1.flows", form="printed", strength="exact")
def two_to_the_i_flows() -> Outcome:
    """Queue 4 has 2^4 = 16 flows, and queue 2 twice as many as queue 1."""
    flows = {i: 2**i for i in (1, 2, 3, 4)}
    check(flows[4] == 16 and flows[2] == 2 * flows[1], f"{flows}")
    return Proved("2, 4, 8 and 16 flows", {"flows": ["2", "4", "8", "16"]})


def active(stops: dict[int, Fraction], queues: int, time: Fraction) -> set[int]:
    """Return the queues that are active just after a time."""
    return {i for i in range(1, queues + 1) if i not in stops or stops[i] > time}


@evidence("dynaq.sec5.1.1.schedule", form="printed", strength="exact")
def who_is_active_in_the_testbed() -> Outcome:
    """Queues 4, 3, 2, 1 stop at 10, 15, 20, 25 s: two are left from 15 to 20 s, one from 20 to 25 s."""
    stops = {4: Fraction(10), 3: Fraction(15), 2: Fraction(20), 1: Fraction(25)}
    seen = [active(stops, 4, Fraction(t)) for t in (0, 10, 15, 20, 25)]
    check(seen == [{1, 2, 3, 4}, {1, 2, 3}, {1, 2}, {1}, set()], f"{seen}")
    return Proved("4, 3, 2, 1 active queues", {"active": ["4", "3", "2", "1", "0"]})


STOPS_10G = {i: Fraction(200 + 50 * (i - 2)) for i in range(2, 9)}


@evidence("dynaq.sec5.2.1.schedule", form="printed", strength="exact")
def who_is_active_in_the_rack() -> Outcome:
    """Queues 2 to 8 stop from 200 ms on every 50 ms: queue 3 at 250 ms, queue 8 at 500 ms; queue 1 is left."""
    check(STOPS_10G[3] == 250 and STOPS_10G[8] == 500, f"{STOPS_10G}")
    check(active(STOPS_10G, 8, Fraction(500)) == {1}, "queue 1 alone")
    return Proved("queue i stops at 200 + 50 (i - 2) ms", {"stop3": "250", "stop8": "500"})


@evidence("dynaq.sec5.2.1.jain-067", form="printed", strength="exact")
def the_fairness_index_at_410_ms_is_possible() -> Outcome:
    """Queues 1, 7 and 8 are active at 410 ms: the index lies in [1/3, 1]; one starved queue of three gives 2/3."""
    n = len(active(STOPS_10G, 8, Fraction(410)))
    starved = Fraction((1 + 1 + 0) ** 2, n * (1 + 1 + 0))
    check(n == 3 and starved == Fraction(2, 3) and abs(starved - Fraction(67, 100)) <= Fraction(5, 1000), f"{n}")
    return Proved("2/3 rounds to 0.67: two queues equal, one with nothing", {"n": "3", "index": "2/3"})


@evidence("dynaq.sec5.2.1.flows-2048", form="printed", strength="exact")
def queue_8_has_2048_flows() -> Outcome:
    """Evaluate 2^(3 + 8)."""
    check(2 ** (3 + 8) == 2048, "2048")
    return Proved("2^11 = 2048", {"i": "8", "flows": "2048"})


@evidence("dynaq.sec5.2.1.jain-024", form="printed", strength="exact")
def the_fairness_index_of_024_is_possible_and_worse_than_in_proportion_to_flows() -> Outcome:
    """With 8 queues the index lies in [1/8, 1]; shares in proportion to 2^(3+i) flows would give 0.37."""
    flows = [Fraction(2 ** (3 + i)) for i in range(1, 9)]
    proportional = sum(flows) ** 2 / (8 * sum(x * x for x in flows))
    quoted = Fraction(24, 100)
    check(Fraction(1, 8) <= quoted < proportional < Fraction(38, 100), f"{proportional}")
    return Proved(f"1/8 <= 0.24 < {float(proportional):.2f}", {"quoted": "6/25", "least": "1/8"}, ["least <= quoted"])


@evidence("dynaq.sec5.1.1.quanta", form="printed", strength="exact")
def the_quanta_of_the_weights() -> Outcome:
    """Multiply 4, 3, 2, 1 by 1.5 KB; the share of queue 4 is 1/10."""
    check([w * 1500 for w in (4, 3, 2, 1)] == [6000, 4500, 3000, 1500], "quanta")
    check(dynaq.shares([Fraction(w) for w in (4, 3, 2, 1)])[3] == Fraction(1, 10), "share")
    return Proved("6, 4.5, 3 and 1.5 KB; 1/(4 + 3 + 2 + 1) = 0.1", {"quanta": ["6000", "4500", "3000", "1500"]})


@evidence("dynaq.sec5.1.1.share", form="printed", strength="exact")
def throughput_shares_add_up_to_one() -> Outcome:
    """R_i / sum R sums to 1 whenever something was sent."""
    for rates in ((1, 2, 3), (Fraction(1, 3), 0, 7)):
        check(sum(Fraction(r) / sum(rates) for r in rates) == 1, f"{rates}")
    return Proved("sum of shares = 1", {"R": ["1", "2", "3"]})


@evidence("dynaq.sec5.1.2.queues", "dynaq.sec5.2.2.queues", form="printed", strength="exact")
def one_priority_queue_and_the_rest() -> Outcome:
    """1 + 4 = 5 queues in the testbed, 1 + 7 = 8 in the simulation."""
    check(len(PRESETS["testbed-5"].weights) == 1 + 4 and len(PRESETS["fabric-10g"].weights) == 1 + 7, "queues")
    return Proved("5 and 8 queues", {"testbed": "5", "simulation": "8"})


@evidence("dynaq.sec5.1.2.small-in-spq", "dynaq.sec5.2.2.small-in-spq", form="printed", strength="exact")
def small_flows_stay_in_the_priority_queue() -> Outcome:
    """A flow of at most 100 KB never passes the demotion threshold of 100 KB."""
    demotion, small = 100 * KB, 100 * KB
    check(small <= demotion < 10_000 * KB, "bytes below the priority queue")
    return Proved(
        "0 bytes of a small flow are demoted", {"demotion": "100000", "small": "100000"}, ["small <= demotion"]
    )


@evidence("dynaq.sec5.1.2.spq-threshold", form="printed", strength="kernel")
def a_priority_queue_without_a_threshold_takes_the_others_room() -> Outcome:
    """With thresholds over the DRR queues only, a priority queue that fills the port leaves them nothing of S_i."""
    says = "T_1 + T_2 = B = 4 and the priority queue holds 4: a packet of queue 1 within T_1 = S_1 finds no room"
    values = {"B": "4", "S1": "2", "T1": "2", "q1": "0", "priority": "4", "size": "1"}
    given = ["q1 >= 0", "size > 0", "q1 + size <= T1", "0 < S1 <= T1 <= B", "0 <= priority <= B"]
    data = {"values": values, "hypotheses": given, "statement": "priority + q1 + size <= B"}
    return Counterexample(Witness("values", data, says=says), says)


@evidence("dynaq.sec5.2.2.hosts", form="printed", strength="exact")
def the_hosts_and_pairs_of_the_fabric() -> Outcome:
    """12 leaves with 12 downlinks make 144 hosts and 144 x 143 ordered pairs; uplinks match downlinks."""
    check(12 * 12 == 144 and 144 * 143 == 20_592 and 12 * 10 == 12 * 10, "pairs")
    return Proved("144 hosts, 20,592 pairs, 120 Gbps up and down", {"hosts": "144", "pairs": "20592"})


@evidence("dynaq.sec5.2.2.evenly", form="printed", strength="exact")
def seven_does_not_divide_the_pairs() -> Outcome:
    """20,592 = 7 x 2,941 + 5."""
    says = "7 services of 20,592 pairs: 2,941 each and 5 left"
    data = {"values": {"pairs": "20592", "services": "7"}, "statement": "pairs % services == 0"}
    return Counterexample(Witness("values", data, says=says), says)


@evidence("dynaq.sec5.2.2.evenly", form="assumed", strength="exact")
def as_even_as_possible() -> Outcome:
    """Classes of 2,941 and 2,942 pairs differ by one."""
    check(5 * 2942 + 2 * 2941 == 20_592, "classes")
    return Proved("5 x 2,942 + 2 x 2,941 = 20,592", {"pairs": "20592"})
