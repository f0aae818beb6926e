"""Section 3.2.3: equation (7), work conservation; runs and published numbers."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from dtmodel.ledger import Agrees, Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.modelcheck import reachable_graph, shortest_lasso
from dtmodel.packet.dynaq.algorithm import DynaQ
from dtmodel.packet.dynaq.schemes import BestEffort
from dtmodel.packet.dynaq.states import AnyOrder, Label, PortState, Scheduled, ServedState
from dtmodel.packet.schedulers import DeficitRoundRobin, PriorityOver, StrictPriority, WeightedRoundRobin
from dtmodel.theory.dynaq import formulas as dynaq
from dtmodel.theory.dynaq.schemes import sawtooth_utilisation
from dtmodel.theory.dynaq.sheet import PRESETS

from ..support.dynaq.ports import serve
from .runs import fill, refuted_by, states_in_which
from .settings import numbers


@evidence("dynaq.eq7.sufficient", form="printed", strength="exact")
def a_port_with_packets_serves_one() -> Outcome:
    """Every scheduler here picks a queue unless all are empty: sum q >= C RTT > 0 keeps the link busy."""
    cases = 0
    for scheduler in (
        StrictPriority(), WeightedRoundRobin((2, 1, 1)), DeficitRoundRobin((2, 1, 1)),
        PriorityOver(1, WeightedRoundRobin((1, 2))),
    ):  # fmt: skip
        for code in range(4**3):
            queues = [[2] * (code // 4**i % 4) for i in range(3)]
            picked, _ = scheduler.pick(scheduler.start(), queues)
            check((picked is None) == (not any(queues)), f"{scheduler} picks {picked} from {queues}")
            check(picked is None or bool(queues[picked]), f"{scheduler} picks an empty queue")
            cases += 1
    return Agrees(cases, "four schedulers, three queues with up to three packets each")


@evidence("dynaq.sec3.2.3.preserves", "dynaq.sec3.2.3.ensures-eq7", form="printed", strength="exact")
def two_of_four_queues_leave_the_link_idle_at_times() -> Outcome:
    """85 KB, C RTT = 62.5 KB, four equal queues, two active: 42 KB in all, and a halving window each uses 0.987."""
    rules = DynaQ(85_000, (1, 1, 1, 1))
    port, labels = fill(rules, (0, 1), 1500)
    held = sum(port.lengths)
    used = sawtooth_utilisation(Fraction(held, 2), Fraction(62_500, 2))
    check(held == 42_000 and Fraction("0.9865") <= used < Fraction("0.9875"), f"{held}, {float(used)}")
    says = "refused with 42 of 85 KB queued, less than C RTT, so that windows that halve leave the link idle at times"
    return refuted_by(rules, labels, says, decision="enqueue")


@evidence("dynaq.sec3.2.3.work-conservation@two-active", form="printed", strength="exact")
def two_active_queues_cannot_use_what_the_idle_ones_have() -> Outcome:
    """Three equal queues and 6 bytes, two active: both are refused with 4 bytes queued, 2 free and T_3 = 2 idle."""
    rules = DynaQ(6, (1, 1, 1))
    port, labels = fill(rules, (0, 1), 1)
    check(sum(port.lengths) == 4 and port.thresholds == (2, 2, 2), f"{port.lengths}, {port.thresholds}")
    says = "queue 1, active, is the candidate although the empty queue 3 has 2 bytes to give and the port has room"
    return refuted_by(rules, labels, says, decision="enqueue")


@evidence("dynaq.sec3.1.work-conservation", form="printed", strength="exact")
def a_link_without_packets_is_idle() -> Outcome:
    """Serve nothing for one unit of time."""
    tally = serve(BestEffort(4), WeightedRoundRobin((1, 1)), [(3, 0, 1)], rate=1, until=3, queues=2)
    says = "no packet arrives before t = 3: the link is idle until then under any scheme"
    return refuted_by_values({"idle": tally.idle}, "idle == 0", says)


@evidence("dynaq.sec3.1.work-conservation", form="assumed", strength="exact")
def every_scheduler_picks_a_packet_if_there_is_one() -> Outcome:
    """Pick from every combination of three queues of up to three packets."""
    cases = 0
    for scheduler in (StrictPriority(), WeightedRoundRobin((3, 2, 1))):
        for code in range(1, 4**3):
            queues = [[1] * (code // 4**i % 4) for i in range(3)]
            picked, _ = scheduler.pick(scheduler.start(), queues)
            check(picked is not None and bool(queues[picked]), f"{scheduler}: {queues}")
            cases += 1
    return Agrees(cases, "two schedulers, all combinations with a packet")


@evidence("dynaq.ours.backlogged", form="printed", strength="exact")
def a_backlogged_queue_gets_its_share() -> Outcome:
    """Find no lasso: with WRR a queue that holds a packet at every service gets its share, whatever the buffer does."""
    states = 0
    for rules in (DynaQ(2, (1, 1)), DynaQ(3, (1, 1)), DynaQ(2, (1, 1), admit="recheck")):
        system = Scheduled(rules, (1,), WeightedRoundRobin((1, 1)), watched=0, period=2)
        graph = reachable_graph(system)

        def busy(state: ServedState, label: Label, after: ServedState) -> bool:
            del after
            return label[0] == "arrive" or bool(state.port.contents[0])

        def less(state: ServedState, label: Label, after: ServedState) -> int:
            del state, after
            return 0 if label[0] == "arrive" else (2 if label[1] == 0 else 0) - 1

        check(shortest_lasso(graph, busy, less, longest=len(graph.steps)) is None, f"{rules}")
        states += len(graph.steps)
    return Agrees(states, "all cycles of two equal queues with 2 or 3 bytes, one packet size")


@evidence("dynaq.ours.alone", form="printed", strength="exact")
def the_formula_for_one_active_queue_agrees_with_the_port() -> Outcome:
    """Compare `threshold_alone` with a port in which one queue sends, for several weights, sizes and every queue."""
    cases = 0
    for weights in ((1, 1), (1, 1, 1, 1), (4, 3, 2, 1), (1, 2, 3), (5, 1, 1)):
        for size in (1, 2, 3):
            rules = DynaQ(60, weights)
            S = [Fraction(value) for value in rules.satisfaction]
            for p in range(len(weights)):
                port, _ = fill(rules, (p,), size)
                check(port.thresholds[p] == dynaq.threshold_alone(S, p, Fraction(size)), f"{weights}, {size}, {p}")
                check(port.thresholds[p] > dynaq.threshold_alone_bound(S, p, Fraction(size)), "the bound")
                cases += 1
    return Agrees(cases, "five sets of weights, packets of 1, 2 and 3 bytes, every queue")


@evidence("dynaq.ours.together", form="printed", strength="exact")
def two_active_queues_stay_below_the_bound() -> Outcome:
    """Explore ports, two queues active from the start, the others never: T_1 + T_2 <= S_1 + S_2 + (M - 2) L."""
    states = 0
    for rules, sizes in ((DynaQ(8, (1, 1, 1, 1)), (1,)), (DynaQ(9, (1, 1, 1)), (1, 2)), (DynaQ(8, (2, 1, 1)), (1,))):
        S, L, idle = rules.satisfaction, max(sizes), tuple(range(2, len(rules.weights)))

        def fine(state: PortState, bound: object = S[0] + S[1] + len(idle) * L) -> bool:
            return bool(state.thresholds[0] + state.thresholds[1] <= bound)  # type: ignore[operator]  # exact numbers

        states += states_in_which(AnyOrder(rules, sizes, busy=(0, 1), silent=idle), fine)
    return Agrees(states, "every reachable state of three ports")


@evidence("dynaq.ours.not-at-every-instant", form="printed", strength="exact")
def an_empty_port_violates_equation_7() -> Outcome:
    """At the start, and whenever the port has run empty, sum q = 0 < C RTT whatever the buffer is."""
    port = DynaQ(4, (1, 1))
    check(sum(port.initial) == 4, "thresholds")
    return Proved("the initial state has sum q = 0", {"sum_q": "0", "C_RTT": "1"}, ["sum_q < C_RTT"])


def _fit_beside(j: int, wanted: Sequence[int], parts: Sequence[int], B: int) -> bool:
    """Return whether the queues `wanted` can hold their parts while queue j alone holds all of them."""
    scheme, lengths = BestEffort(B), [sum(parts) if i == j else 0 for i in range(len(parts))]
    for i in wanted:
        while lengths[i] < parts[i] and scheme.admit((), lengths, i, 1)[0]:
            lengths[i] += 1
    return all(lengths[i] == parts[i] for i in wanted)


@evidence("dynaq.ours.joint-room", form="printed", strength="exact")
def what_one_queue_leaves_to_the_others() -> Outcome:
    """Give one queue a BDP of whole packets, then let the others grow to their parts while there is room."""
    cases = 0
    for weights in ((1, 1), (2, 1, 1), (1, 2, 3)):
        parts = [4 * w for w in weights]
        BDP = sum(parts)
        for B, j in product(range(BDP, 2 * BDP + 1), range(len(parts))):
            others = [i for i in range(len(parts)) if i != j]
            least = max(parts[i] for i in others)
            check(all(_fit_beside(j, [i], parts, B) for i in others) == (least <= B - BDP), f"{B} {j}: one")
            check(_fit_beside(j, others, parts, B) == (BDP - parts[j] <= B - BDP), f"{B} {j}: all")
            cases += 1
    size, D, _, shares = numbers(PRESETS["testbed"])
    part = D * dynaq.shares(shares)[0]
    check(D + part <= size < 2 * D - part, f"{D + part}, {2 * D - part}")
    return Agrees(cases, "three sets of weights, all buffers from BDP to 2 BDP, each queue as the one that has a BDP")
