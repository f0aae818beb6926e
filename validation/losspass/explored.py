"""LossPass ports as finite systems, explored completely."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Literal, NamedTuple

from dtmodel.ledger import Agrees, Counterexample, Witness, check
from dtmodel.modelcheck import Graph, Lasso, reachable_graph, shortest_lasso
from dtmodel.packet.losspass.algorithm import READINGS
from dtmodel.packet.losspass.trace import run_trace

from ..support.losspass.states import Label, LossPassPort, LossPassPortState, as_events

Service = Literal["strict", "free"]
TWO_QUEUES = [name for name, reading in READINGS.items() if not reading.fifo]
EVERY_STATE = "all states of ports with B up to 3, every reserve and size, services in any order: runs of any length"


class Moment(NamedTuple):
    """A step from a reachable state."""

    port: LossPassPort
    before: LossPassPortState
    label: Label
    decision: str
    after: LossPassPortState

    @property
    def room(self) -> int:
        """Return B - B_l, what is not reserved."""
        return self.port.buffer - self.port.reserve

    @property
    def overflows(self) -> bool:
        """Tell whether line 1 of the algorithm holds: the packet does not fit."""
        return self.label[0] == "arrive" and bool(self.label[2] + sum(map(sum, self.before)) > self.port.buffer)


Run = tuple[LossPassPort, tuple[Label, ...]]


def ports(reading: str = "intended", service: Service = "free", *, one_size: bool = False) -> Iterator[LossPassPort]:
    """Yield the ports of the domain, small buffers first."""
    for B in (1, 2, 3):
        for B_l in range(B + 1):
            yield LossPassPort(B, B_l, (1,) if one_size else tuple(range(1, B + 1)), reading, service)


@cache
def graph(port: LossPassPort) -> Graph[LossPassPortState, Label]:
    """Return all states and steps of a port."""
    return reachable_graph(port, bound=1000)  # far more than any has


def moments(port: LossPassPort) -> Iterator[Moment]:
    """Yield every step from every reachable state, in the order of the distance of the state."""
    for state in graph(port).steps:
        for label in port.labels(state):
            step, after = port.step(state, label)
            yield Moment(port, state, label, step.decision, after)


def holds(rule: Callable[[Moment], bool], what: str, *readings: str, one_size: bool = False) -> Agrees:
    """Check a rule at every step of every port of the domain."""
    cases = 0
    for reading in readings:
        for port in ports(reading, one_size=one_size):
            for moment in moments(port):
                check(rule(moment), f"{what}: {moment}")
                cases += 1
    return Agrees(cases, EVERY_STATE + (", packets of one byte" if one_size else ""))


def shortest(violates: Callable[[Moment], bool], reading: str = "intended") -> Run:
    """Return a run with the fewest events whose last step violates, on the smallest such port; raise if none does."""
    best: Run | None = None
    for port in ports(reading):
        for moment in moments(port):
            if violates(moment):
                run = (*graph(port).run_to(moment.before).labels, moment.label)
                if best is None or len(run) < len(best[1]):
                    best = port, run
                break  # later states are at least as far away
    if best is None:
        raise AssertionError(f"no run violates the statement in {EVERY_STATE}")
    return best


def refutation(run: Run, decision: str, says: str) -> Counterexample:
    """Make a counterexample of a run: the statement claims that its last event ends in `decision`."""
    port, labels = run
    request = {
        "algorithm": "losspass",
        "reading": port.reading,
        "buffer": port.buffer,
        "reserve_large": port.reserve,
        "events": as_events(labels),
    }
    steps: list[dict[str, Any]] = [{"decision": step["decision"]} for step in run_trace(request)["steps"]]
    claimed = {"steps": [*({} for _ in steps[:-1]), {"decision": decision}]}
    detail = f"{says}; {len(labels)} events, the fewest of any run"
    return Counterexample(Witness("trace", request, {"steps": steps}, claimed, says), detail)


def _fits(buffer: int, state: LossPassPortState) -> bool:
    return sum(map(sum, state)) <= buffer


def _beyond_the_room(m: Moment) -> bool:
    return sum(m.after.small) > m.room


def _refused_from_the_reserve(m: Moment) -> bool:
    within = m.label[0] == "arrive" and m.label[1] == "large" and m.label[2] <= m.port.reserve
    return within and not m.before.large and m.decision == "drop"


def _less_than_the_reserve(m: Moment) -> bool:
    return m.decision == "evict" and sum(m.after.large) < m.port.reserve


def starving(port: LossPassPort, extra: int = 0) -> Lasso[LossPassPortState, Label] | None:
    """Return a loop with a service in which large packets wait and none is served, evicted or added.

    With `extra` the loop has that many more services than small packets arrive.
    """

    def waits(state: LossPassPortState, label: Label, after: LossPassPortState) -> bool:
        del label
        return bool(state.large) and after.large == state.large

    def weight(state: LossPassPortState, label: Label, after: LossPassPortState) -> int:
        del state, after
        return -1 if label[0] == "depart" else extra if label[1] == "small" else 0

    return shortest_lasso(graph(port), waits, weight)


def _evicting(port: LossPassPort) -> Lasso[LossPassPortState, Label] | None:
    """Return a loop in which large packets are buffered, one at a time, and none is served or dropped on arrival."""

    def allowed(state: LossPassPortState, label: Label, after: LossPassPortState) -> bool:
        buffered = len(after.large) > len(state.large)
        unserved = label[0] == "arrive" or after.large == state.large
        return unserved and len(after.large) <= 1 and (label[:2] != ("arrive", "large") or buffered)

    def weight(state: LossPassPortState, label: Label, after: LossPassPortState) -> int:
        del label
        return -1 if len(after.large) > len(state.large) else 0

    return shortest_lasso(graph(port), allowed, weight)
