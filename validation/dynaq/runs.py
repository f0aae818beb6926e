"""Trace requests and witnesses for DynaQ, and small ports that are run."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dtmodel.base.units import plain
from dtmodel.ledger import Counterexample, Witness, check
from dtmodel.modelcheck import always, reachable_graph
from dtmodel.packet.dynaq.algorithm import Amount, DynaQ, DynaQPort
from dtmodel.packet.dynaq.schemes import Scheme
from dtmodel.packet.dynaq.states import AnyOrder, Label, PortState, as_events
from dtmodel.packet.dynaq.trace import run_trace

from ..support.dynaq.ties import AnyTies

PACED = {
    "algorithm": "dynaq",
    "buffer": "2",
    "weights": ["1", "1"],
    "events": [["arrive", None, 1, 1], ["arrive", None, 2, 1], ["depart", None, 1], ["depart", None, 2]] * 2,
}
"""Two queues that send at their fair share: one packet of each in the buffer, and every service finds a packet."""


def states_in_which(system: AnyOrder | AnyTies, fine: Callable[[PortState], bool]) -> int:
    """Check that something is so in every reachable state of a port, and return how many there are."""
    result = always(system, fine)
    check(result.complete, f"{result.found}")
    return result.states


def paced(says: str) -> Counterexample:
    """Every service of the paced arrivals finds a packet; the claim needs one that does not."""
    expected = {"steps": [{"decision": "enqueue"}] * 2 + [{"decision": "depart"}] * 2}
    expected["steps"] *= 2
    claimed = {"steps": [*expected["steps"][:-1], {"decision": "idle"}]}
    return Counterexample(Witness("trace", PACED, expected, claimed, says), says)


def request(rules: DynaQ, labels: Iterable[Label]) -> dict[str, Any]:
    """Return the trace request of a run."""
    return {
        "algorithm": "dynaq",
        "buffer": plain(rules.buffer),
        "weights": [plain(weight) for weight in rules.weights],
        "tie_break": rules.tie_break,
        "admit": rules.admit,
        **({} if rules.victims == "printed" else {"victims": rules.victims}),
        "events": as_events(labels),
    }


def steps_of(asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the steps of the answer."""
    steps: list[dict[str, Any]] = run_trace(asked)["steps"]
    return steps


def changed(steps: list[dict[str, Any]], index: int, **values: object) -> list[dict[str, Any]]:
    """Return the decisions and victims of the steps, with some values of one step replaced."""
    kept = [{key: step[key] for key in ("decision", "victim")} for step in steps]
    kept[index] |= values
    return kept


def refuted_by(rules: DynaQ, labels: Iterable[Label], detail: str, **claimed: object) -> Counterexample:
    """Refute a claim about the last arrival of a run: `claimed` is what the claim says of that step."""
    asked = request(rules, labels)
    steps = steps_of(asked)
    last = max(i for i, event in enumerate(asked["events"]) if event[0] == "arrive")
    check(any(steps[last][key] != value for key, value in claimed.items()), f"the run does not show it: {steps[last]}")
    expected = {"steps": changed(steps, last, **{key: steps[last][key] for key in claimed})}
    return Counterexample(Witness("trace", asked, expected, {"steps": changed(steps, last, **claimed)}, detail), detail)


def worst_deficit_run(rules: DynaQ, L: Amount, g: Amount) -> tuple[DynaQPort, list[Label]]:
    """Drive a port to the worst deficit of queue 0, (M - 1)(L - g), in which a packet of L bytes is refused.

    Queue 1 sends packets of L - g bytes until it has taken (M - 1)(L - g) from every other queue, all of them idle.
    Queue 0 wakes up, and each of the others takes from queue 1 until its extra is L - g: then no victim has a whole L
    to spare.
    """
    port, M = DynaQPort(rules), len(rules.weights)
    S, size = rules.satisfaction, L - g
    labels: list[Label] = []

    def arrive(i: int, amount: Amount) -> None:
        labels.append(("arrive", i, amount))
        port.arrive(i, amount)

    def drain(i: int) -> None:
        while len(port.packets[i]) > 1:
            labels.append(("depart", i))
            port.depart(i)

    while any(port.thresholds[i] - S[i] > -(M - 1) * size for i in range(M) if i != 1):
        arrive(1, size)
    drain(1)
    arrive(0, size)
    for k in range(2, M):
        while port.thresholds[k] - S[k] < size:
            arrive(k, size)
        drain(k)
    while port.lengths[0] + L <= port.thresholds[0]:
        arrive(0, L)
    arrive(0, L)
    check(port.thresholds[0] == Fraction(S[0]) - (M - 1) * size, f"queue 1 ended at {port.thresholds[0]}")
    return port, labels


def fill(rules: DynaQ, active: tuple[int, ...], size: int) -> tuple[DynaQPort, list[Label]]:
    """Let the active queues send packets in turn, with no departure, until each of them is refused one."""
    port, labels = DynaQPort(rules), []
    waiting = list(active)
    while waiting:
        for p in tuple(waiting):
            labels.append(("arrive", p, size))
            if port.arrive(p, size).decision == "drop":
                waiting.remove(p)
    return port, labels


SMALL = (
    DynaQ(4, (1, 1)), DynaQ(6, (1, 2)), DynaQ(3, (1, 1, 1)), DynaQ(4, (2, 1, 1), admit="recheck"),
    DynaQ(5, (1, 1)), DynaQ(2, (1, 1), tie_break="low", admit="recheck"), DynaQ(4, (1, 1, 1, 1)), DynaQ(3, (1,)),
)  # fmt: skip
"""Small ports: equal and unequal weights, whole and fractional thresholds, one to four queues, each admission check."""


def every_arrival(rules: DynaQ, sizes: tuple[int, ...]) -> list[tuple[PortState, int, int]]:
    """Return every arrival in every reachable state of a port."""
    graph = reachable_graph(AnyOrder(rules, sizes))
    return [(state, p, size) for state in graph.steps for p in range(len(rules.weights)) for size in sizes]


def largest(scheme: Scheme, queues: int, active: Sequence[int], size: int) -> list[int]:
    """Return what the active queues hold when each has been refused a packet, with no departure."""
    memory, lengths, waiting = scheme.start(), [0] * queues, list(active)
    while waiting:
        for p in tuple(waiting):
            admitted, memory = scheme.admit(memory, lengths, p, size)
            if admitted:
                lengths[p] += size
            else:
                waiting.remove(p)
    return lengths
