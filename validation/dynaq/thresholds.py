"""Section 3.2: equations (2) to (4), thresholds and satisfaction thresholds; runs and published numbers."""

from fractions import Fraction
from itertools import product

from dtmodel.base.units import plain
from dtmodel.ledger import (
    Agrees,
    Conflict,
    Counterexample,
    Outcome,
    Proved,
    Witness,
    check,
    evidence,
)
from dtmodel.modelcheck import explore
from dtmodel.packet.dynaq.algorithm import Amount, DynaQ, DynaQPort
from dtmodel.packet.dynaq.schemes import PMSB, PQL
from dtmodel.packet.dynaq.states import AnyOrder, PortState
from dtmodel.theory.dynaq import formulas as dynaq
from dtmodel.theory.dynaq.sheet import PRESETS, Preset

from .runs import SMALL, every_arrival, fill, paced, refuted_by, request, steps_of, worst_deficit_run
from .settings import numbers


def _beyond(state: PortState) -> bool:
    return any(q > T for q, T in zip(state.lengths, state.thresholds, strict=True))


def least_margin(preset: Preset) -> Fraction:
    """Return the smallest S_i - WBDP_i of a preset, less the worst deficit (M - 1)(L - 1)."""
    B, BDP, L, weights = numbers(preset)
    margin = min((B - BDP) * share for share in dynaq.shares(weights))
    return margin - dynaq.worst_deficit(len(weights), L, Fraction(1))


def covered(name: str) -> Fraction:
    """Return what the headroom of a preset leaves after the worst deficit, which it covers."""
    left = least_margin(PRESETS[name])
    B, BDP, L, weights = numbers(PRESETS[name])
    check(left >= 0 and all(dynaq.covers(B, BDP, weights, L)), f"{name}: {left}")
    return left


def uncovered(name: str, order: tuple[int, ...] | None = None) -> Amount:
    """Drive the port of a preset until its first, active queue is refused below its weighted BDP; return T there."""
    B, BDP, L, weights = numbers(PRESETS[name])
    if order is not None:
        weights = tuple(weights[i] for i in order)
    port, labels = worst_deficit_run(DynaQ(B, weights), L, 1)
    wbdp = BDP * dynaq.shares(weights)[0]
    check(port.thresholds[0] < wbdp and port.lengths[0] > 0, f"T = {port.thresholds[0]} covers {wbdp}")
    last = steps_of(request(port.rules, labels))[-1]
    check(last["decision"] == "drop" and last["reason"].startswith("line 3"), f"{last}")
    return port.thresholds[0]


@evidence(
    "dynaq.eq7.necessary", "dynaq.sec3.2.1.guideline1", "dynaq.sec3.2.1.guideline2", form="printed", strength="exact"
)
def a_busy_link_needs_one_packet() -> Outcome:
    """The paced link is never idle although at most two packets are queued, however large C RTT is."""
    return paced("the link is never idle with at most 2 bytes queued, for any C RTT")


@evidence("dynaq.fn1", "dynaq.table1", form="printed", strength="exact")
def every_quantity_of_table_1_is_determined() -> Outcome:
    """In every reachable state each queue is satisfied or not, and thresholds, lengths and extras are numbers."""
    cases = 0
    for rules in SMALL:
        for state, p, size in every_arrival(rules, (1,)):
            S, B = rules.satisfaction, rules.buffer
            check(len(S) == len(state.thresholds) == len(rules.weights), "M of each")
            check(sum(state.thresholds) == B and 0 <= sum(state.lengths) <= B and size <= B, f"{state}")
            check(0 <= p < len(S) and min(state.thresholds) >= 0, f"{state}")
            cases += 1
    return Agrees(cases, "every reachable state of small ports")


@evidence(
    "dynaq.sec3.2.3.work-conservation@one-unequal", "dynaq.sec1.up-to-port-buffer", "dynaq.sec3.2.1.up-to-port-buffer",
    "dynaq.sec3.2.1.free-space@all", "dynaq.sec5.1.only-exception@any-limit", form="printed", strength="exact",
)  # fmt: skip
def one_active_queue_with_unequal_weights_is_stopped_early() -> Outcome:
    """The paper's weights 4:3:2:1 and 85 KB: queue 3 alone is refused at 42 KB, and none holds the BDP of 62.5 KB."""
    held = {
        (tie, admit): [fill(DynaQ(85_000, (4, 3, 2, 1), tie, admit), (p,), 1500)[0].lengths[p] for p in range(4)]
        for tie, admit in product(("low", "high"), ("port", "recheck"))
    }
    for (tie, _), lengths in held.items():
        stops = [58_500, 51_000, 42_000, 60_000]
        check(lengths == (stops if tie == "low" else [q - 3_000 for q in stops]), f"{held}")
    rules = DynaQ(85_000, (4, 3, 2, 1))
    port, labels = fill(rules, (2,), 1500)
    check(port.lengths[2] == 42_000 and port.lengths[2] < 62_500, f"{port.lengths}")
    check(port.thresholds[0] >= 1500 and port.thresholds[1] >= 1500, "queues 1 and 2 still have thresholds to give")
    says = "the candidate, queue 4, has less than a packet left; queues 1 and 2, empty, keep 25.5 and 16.5 KB"
    return refuted_by(rules, labels, says, decision="enqueue")


@evidence("dynaq.sec3.2.1.free-space", form="printed", strength="exact")
def a_queue_alone_holds_more_than_its_share() -> Outcome:
    """Fill the port of every preset with each queue alone, under both admission checks and tie-breaks."""
    cases = 0
    for preset, admit, tie in product(PRESETS.values(), ("port", "recheck"), ("low", "high")):
        B, _, size, weights = numbers(preset)
        rules = DynaQ(B, weights, admit=admit, tie_break=tie)
        for queue, share in enumerate(rules.satisfaction):
            port, _ = fill(rules, (queue,), int(size))
            check(port.lengths[queue] > share, f"{rules}: queue {queue + 1} stops at {port.lengths[queue]}")
            cases += 1
    return Agrees(cases, "every queue of every setting of the paper, alone, packets of its size")


@evidence("dynaq.sec3.2.1.threshold-means", form="printed", strength="exact")
def a_queue_can_be_longer_than_its_threshold() -> Outcome:
    """Find the shortest run to q_i > T_i: queue 1 fills the port, and queue 2 takes from it."""
    rules = DynaQ(2, (1, 1))
    found = explore(AnyOrder(rules, (1,)), _beyond).found
    check(found is not None and len(found) == 3, f"{found}")
    asked = request(rules, found.labels if found else ())
    expected = {"final": {"thresholds": ["1", "1"], "queues": ["2", "0"]}}
    claimed = {"final": {"queues": ["1", "0"]}}
    return Counterexample(Witness("trace", asked, expected, claimed, "q_1 = 2 > T_1 = 1"), "three arrivals suffice")


@evidence("dynaq.sec3.2.1.every-arrival@each", form="printed", strength="exact")
def most_arrivals_adjust_nothing() -> Outcome:
    """The first packet of an empty port fits its threshold."""
    asked = request(DynaQ(2, (1, 1)), [("arrive", 0, 1)])
    answer = {"final": {"thresholds": ["1", "1"]}}
    claimed = {"final": {"thresholds": ["2", "0"]}}
    says = "a packet within the threshold ends at line 1"
    return Counterexample(Witness("trace", asked, answer, claimed, says), says)


@evidence("dynaq.sec3.2.1.drop-rule", "dynaq.sec3.2.2.drop-rule", form="printed", strength="exact")
def line_3_refuses_barely_satisfied_victims_too() -> Outcome:
    """A victim with T_v = S_v is satisfied (footnote 1); the text adjusts, line 3 drops."""
    rules = DynaQ(4, (1, 1))
    steps = steps_of(request(rules, [("arrive", 1, 1), ("arrive", 0, 2), ("arrive", 0, 1)]))
    check(steps[2]["decision"] == "drop" and steps[2]["victim"] == 2, str(steps[2]))
    check(steps[1]["thresholds"] == ["2", "2"], "queue 2 is satisfied: T_2 = S_2")
    return Conflict(
        "dynaq.alg1.line3.second",
        "the text protects a victim that is unsatisfied, line 3 one that would become so",
        {"T_v": "2", "S_v": "2", "q_v": "1", "size": "1", "text": "adjust", "line 3": "drop"},
    )


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


@evidence("dynaq.sec3.2.2.buffer-exceeds-bdp@settings", form="printed", strength="exact")
def every_setting_has_more_buffer_than_bdp() -> Outcome:
    """Compare B with C RTT in the settings: 85 > 62.5, 192 > 105, 192 > 106.5, 1,000 > 500 KB."""
    found = {name: numbers(preset)[:2] for name, preset in PRESETS.items()}
    check(all(B > BDP for B, BDP in found.values()), f"{found}")
    return Agrees(len(found), "the six settings of the paper")


@evidence("dynaq.ours.headroom-covers", form="printed", strength="exact")
def three_settings_cover_the_worst_deficit() -> Outcome:
    """Compare S - WBDP with (M - 1)(L - 1): 5,625 with 4,497; 10,875 and 10,687.5 with 10,493."""
    left = [covered(name) for name in ("testbed", "rack-10g", "fabric-10g")]
    check(left == [1128, 382, Fraction(389, 2)], f"{left}")
    B, BDP, L, weights = numbers(PRESETS["fabric-10g"])
    check(all(dynaq.covers(B, BDP, weights[1:], L)), "without a threshold for the SPQ queue")
    return Agrees(len(left), "three settings of the paper")


@evidence("dynaq.ours.headroom-too-small", form="printed", strength="exact")
def three_settings_do_not_cover_the_worst_deficit() -> Outcome:
    """Drive queue 1 to T = S - (M - 1)(L - 1): 11,004 < 12,500, 4,003 < 6,250, 62,007 < 62,500; then it is refused."""
    names = {"testbed-5": None, "testbed-weights": (3, 2, 1, 0), "rack-100g": None}
    lowest = [uncovered(name, order) for name, order in names.items()]
    check(lowest == [11_004, 4_003, 62_007], f"{lowest}")
    return Agrees(len(lowest), "three settings of the paper")


@evidence("dynaq.ours.ecn-mode-static", form="printed", strength="exact")
def a_static_threshold_can_drop_before_the_port_marks() -> Outcome:
    """Fill one queue of the testbed under static thresholds, and ask at each packet whether PMSB would mark it."""
    B, BDP, L, weights = numbers(PRESETS["testbed"])
    for coefficient, marks in ((Fraction(1), False), (Fraction(30_000) / BDP, False), (Fraction("0.17"), True)):
        K = BDP * coefficient
        quota, scheme = B / 4, PMSB(B, K, tuple(K * share for share in dynaq.shares(weights)))
        limited, held, marked = PQL(tuple(B * share for share in dynaq.shares(weights))), Fraction(0), False
        while limited.admit((), (held, 0, 0, 0), 0, L)[0]:
            marked = marked or not scheme.admit((), (held, 0, 0, 0), 0, L)[0]
            held += L
        check(quota - L < held <= quota and marked == marks == (held > K), f"{coefficient}: {held}")
    return Agrees(3, "one active queue of the testbed, lambda = 1, 0.48 and 0.17")


@evidence("dynaq.ours.thresholds-unbounded", form="printed", strength="exact")
def thresholds_alone_do_not_bound_the_occupancy() -> Outcome:
    """With no check of the port's room, a cycle of four events adds a byte to queue 1 and restores everything else."""
    port = DynaQPort(DynaQ(2, (1, 1), admit="thresholds"))
    for _ in range(2):
        port.arrive(0, 1)
    before = []
    for _ in range(5):
        before.append((port.thresholds, tuple(port.lengths)))
        port.arrive(1, 1)
        port.depart(1)
        port.arrive(0, 1)
    check(len({T for T, _ in before}) == 1, f"{before}")
    check([q for _, q in before] == [(2 + n, 0) for n in range(5)], f"{before}")
    return Proved(
        "each round: queue 2 comes and goes, queue 1 takes its threshold back and grows", {"B": "2", "q": "6"}
    )
