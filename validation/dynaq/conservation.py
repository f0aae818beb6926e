"""Work conservation: what one, two or more active queues can hold, and the repaired line 2, by exploration."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from dtmodel.explore import always, explore
from dtmodel.ledger import Agrees, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.packet.dynaq import DynaQ, Port, algorithm1
from dtmodel.packet.dynaq_systems import AnyOrder, Label, PortState
from dtmodel.theory import dynaq

from .common import refuted_by, request


def fill(rules: DynaQ, active: tuple[int, ...], size: int) -> tuple[Port, list[Label]]:
    """Let the active queues send packets in turn, with no departure, until each of them is refused one."""
    port, labels = Port(rules), []
    waiting = list(active)
    while waiting:
        for p in tuple(waiting):
            labels.append(("arrive", p, size))
            if port.arrive(p, size).decision == "drop":
                waiting.remove(p)
    return port, labels


@evidence(
    "dynaq.sec3.2.3.work-conservation@one-unequal", "dynaq.sec1.up-to-port-buffer", "dynaq.sec3.2.1.up-to-port-buffer",
    "dynaq.sec3.2.1.free-space", form="printed", strength="exact",
)  # fmt: skip
def one_active_queue_with_unequal_weights_is_stopped_early() -> Outcome:
    """The paper's weights 4:3:2:1 and 85 KB: queue 3 alone is refused at 42 KB, below the BDP of 62.5 KB."""
    rules = DynaQ(85_000, (4, 3, 2, 1))
    port, labels = fill(rules, (2,), 1500)
    check(port.lengths[2] == 42_000 and port.lengths[2] < 62_500, f"{port.lengths}")
    check(port.thresholds[0] >= 1500 and port.thresholds[1] >= 1500, "queues 1 and 2 still have thresholds to give")
    says = "the candidate, queue 4, has less than a packet left; queues 1 and 2, empty, keep 25.5 and 16.5 KB"
    return refuted_by(rules, labels, says, decision="enqueue")


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


@evidence(
    "dynaq.sec3.2.3.work-conservation@two-active", "dynaq.sec3.2.3.ensures-eq7", "dynaq.sec3.2.3.preserves",
    form="printed", strength="exact",
)  # fmt: skip
def two_active_queues_cannot_use_what_the_idle_ones_have() -> Outcome:
    """Three equal queues and 6 bytes, two active: both are refused with 4 bytes queued, 2 free and T_3 = 2 idle."""
    rules = DynaQ(6, (1, 1, 1))
    port, labels = fill(rules, (0, 1), 1)
    check(sum(port.lengths) == 4 and port.thresholds == (2, 2, 2), f"{port.lengths}, {port.thresholds}")
    says = "queue 1, active, is the candidate although the empty queue 3 has 2 bytes to give and the port has room"
    return refuted_by(rules, labels, says, decision="enqueue")


@evidence("dynaq.sec5.1.1.enough-buffer", form="printed", strength="exact")
def in_the_papers_own_port_two_queues_hold_less_than_the_bdp() -> Outcome:
    """The testbed: 85 KB, 4 equal queues, 1,500-byte packets; two queues fill 42 KB of the BDP of 62.5 KB."""
    rules = DynaQ(85_000, (1, 1, 1, 1))
    port, labels = fill(rules, (0, 1), 1500)
    total = sum(port.thresholds[:2])
    S = [Fraction(value) for value in rules.satisfaction]
    check(total <= dynaq.threshold_of_always_active(S, (0, 1), Fraction(1500)) < 62_500, f"{total}")
    asked = request(rules, labels)
    answer = {"final": {"queues": [str(q) for q in port.lengths]}}
    claimed = {"final": {"queues": ["31500", "31500", "0", "0"]}}
    says = f"{sum(port.lengths)} bytes queued when both are refused; a BDP would take 62,500"
    return Counterexample(Witness("trace", asked, answer, claimed, says), says)


@evidence("dynaq.ours.together", form="printed", strength="exact")
def two_active_queues_stay_below_the_bound_in_every_reachable_state() -> Outcome:
    """Explore ports, two queues active from the start, the others never: T_1 + T_2 <= S_1 + S_2 + (M - 2) L."""
    states = 0
    for rules, sizes in ((DynaQ(8, (1, 1, 1, 1)), (1,)), (DynaQ(9, (1, 1, 1)), (1, 2)), (DynaQ(8, (2, 1, 1)), (1,))):
        S, L, idle = rules.satisfaction, max(sizes), tuple(range(2, len(rules.weights)))

        def fine(state: PortState, bound: object = S[0] + S[1] + len(idle) * L) -> bool:
            return bool(state.thresholds[0] + state.thresholds[1] <= bound)  # type: ignore[operator]  # exact numbers

        result = always(AnyOrder(rules, sizes, busy=(0, 1), silent=idle), fine)
        check(result.complete, f"{result.found}")
        states += result.states
    return Agrees(states, "every reachable state of three ports")


@evidence("dynaq.ours.repair", form="printed", strength="exact")
def the_repaired_line_2_leaves_only_remainders() -> Outcome:
    """Explore repaired ports: a packet that the algorithm refuses leaves every idle queue with less than its size."""
    states = 0
    for weights in ((1, 1, 1), (2, 1, 1), (1, 2)):
        for tie_break in ("low", "high"):
            rules = DynaQ(8, weights, victims="eligible", tie_break=tie_break)

            def fine(state: PortState, rules: DynaQ = rules) -> bool:
                T, q = state.thresholds, state.lengths
                return all(
                    algorithm1(rules, T, q, p, 2).decision == "enqueue"
                    or all(T[i] < 2 for i in range(len(T)) if i != p and q[i] == 0)
                    for p in range(len(T))
                )

            result = always(AnyOrder(rules, (2,)), fine)
            check(result.complete, f"{result.found}")
            states += result.states
    return Agrees(states, "every reachable state of six repaired ports")


@evidence("dynaq.ours.repair-is-needed", form="printed", strength="exact")
def the_printed_line_2_refuses_where_the_repaired_one_does_not() -> Outcome:
    """The runs that refute work conservation pass under the repair, in the paper's ports as well."""
    for B, weights, active, least in (
        (8, (1, 1, 1, 1), (0, 1), 8), (85_000, (4, 3, 2, 1), (2,), 80_500), (85_000, (1, 1, 1, 1), (0, 1), 82_000),
    ):  # fmt: skip
        size = 1 if B == 8 else 1500
        printed, _ = fill(DynaQ(B, weights), active, size)
        repaired, _ = fill(DynaQ(B, weights, victims="eligible"), active, size)
        check(sum(printed.lengths) < least <= sum(repaired.lengths), f"{printed.lengths}, {repaired.lengths}")
    return Proved("queues 1 and 2 of the testbed: 42 KB as printed, 82 KB or more repaired", {"B": "85000"})


@evidence("dynaq.ours.half-forever", form="printed", strength="exact")
def two_queues_can_be_held_to_half_of_the_buffer_for_ever() -> Outcome:
    """Explore a port of 8 bytes, queues 1 and 2 of four always active, ties to the low index: 4 bytes at most."""
    states = 0
    for admit in ("port", "recheck"):
        system = AnyOrder(DynaQ(8, (1, 1, 1, 1), admit=admit), (1,), busy=(0, 1), silent=(2, 3))
        result = explore(system, partial(_holds_more, 4))
        check(result.complete, f"{result.found}")
        states += result.states
    return Agrees(states, "every reachable state under both admission checks")


def _holds_more(most: int, state: PortState) -> bool:
    return sum(state.lengths) > most


@evidence("dynaq.ours.leapfrog", form="printed", strength="exact")
def one_lent_packet_lets_two_queues_fill_the_port_beyond_their_thresholds() -> Outcome:
    """The same port and queues with ties to the high index: they hold 42 KB each at thresholds near 21 KB."""
    port, _ = fill(DynaQ(85_000, (1,) * 4, tie_break="high"), (0, 1), 1500)
    check(port.lengths == [42_000, 42_000, 0, 0] and max(port.thresholds) < 23_000, f"{port.lengths}")
    careful, _ = fill(DynaQ(85_000, (1,) * 4, tie_break="high", admit="recheck"), (0, 1), 1500)
    check(sum(careful.lengths) == 45_000, f"{careful.lengths}")
    return Proved(
        "a packet of threshold goes to and fro, and each move admits a packet; with the recheck 45 KB are held",
        {"q": ["42000", "42000", "0", "0"], "T": [str(T) for T in port.thresholds]},
    )
