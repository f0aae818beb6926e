"""EDT's ports as finite systems, explored completely."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from dtmodel.ledger import Agrees, check
from dtmodel.modelcheck import Graph, Lasso, reachable_graph, shortest_lasso
from dtmodel.packet.edt.trace import run_trace

from ..support.edt.states import EdtPortState, EdtSwitch, Label, PortStates, Watched, WatchedState, as_events

TWO_PORTS = "all states of two ports with B = 4, alpha = 1, cn1 = cn2 = 2, timers that expire at any instant"
ONE_PORT = "all states of one port with B = 6, alpha = 1, cn1, cn2 in 2, 3, timers that expire at any instant"
TICKS = "all states of two ports with B = 4, alpha = 1, cn1 = cn2 = TM1 = 2, TM2 = 3 ticks"
BOUND = 20_000
"""More states than any of these switches has: a broken rule that makes one infinite is found soon."""


class Moment(NamedTuple):
    """A step of one port: the port before and after it, the event, and whether it is the event's port."""

    before: EdtPortState
    after: EdtPortState
    label: Label
    decision: str
    here: bool


@cache
def graph(system: EdtSwitch) -> Graph[PortStates, Label]:
    """Return all states and steps of a switch."""
    return reachable_graph(system, bound=BOUND)


@cache
def watched(system: EdtSwitch) -> Graph[WatchedState, Label]:
    """Return all states and steps of a switch with its observer."""
    return reachable_graph(Watched(system), bound=BOUND)


def moments(system: EdtSwitch) -> Iterator[Moment]:
    """Yield what every step from every reachable state does to every port."""
    for state in graph(system).steps:
        for label in system.labels(state):
            decision, after = system.step(state, label)
            for i, (old, new) in enumerate(zip(state, after, strict=True)):
                yield Moment(old, new, label, decision, label[-1] == i)


def holds(rule: Callable[[Moment], bool], what: str, *systems: EdtSwitch, domain: str) -> Agrees:
    """Check a rule at every step of every port."""
    cases = 0
    for system in systems:
        for moment in moments(system):
            check(rule(moment), f"{what}: {moment} of {system}")
            cases += 1
    return Agrees(cases, domain)


def one_port(reading: str = "circuit") -> list[EdtSwitch]:
    """Return one port with each pair of counting numbers."""
    return [EdtSwitch(1, 6, cn1, cn2, reading=reading) for cn1, cn2 in product((2, 3), (2, 3))]


def served(cn1: int, cn2: int = 2, tm1: int | None = None, tm2: int | None = None, buffer: int = 6) -> EdtSwitch:
    """Return one port that sends a packet in each tick while it holds one."""
    return EdtSwitch(1, buffer, cn1, cn2, tm1, tm2, time="served")


def uncontrolled_for_ever(system: EdtSwitch, packets: int) -> Lasso[PortStates, Label] | None:
    """Return a loop in which the port is uncontrolled, of more ticks than `packets` times its arrivals."""

    def allowed(state: PortStates, label: Label, after: PortStates) -> bool:
        del label
        return not state[0].controlled and not after[0].controlled

    def weight(state: PortStates, label: Label, after: PortStates) -> int:
        del state, after
        return -1 if label == ("tick",) else packets * (label[0] == "arrive")

    return shortest_lasso(graph(system), allowed, weight, longest=len(graph(system).steps))


def state_after(system: EdtSwitch, labels: tuple[Label, ...]) -> tuple[Any, ...]:
    """Run labels as a trace of the packet model; return the state and counters of port 1."""
    port = run_trace(request(system, labels))["final"]["ports"][0]
    return tuple(port[key] for key in ("state", "queue", "c1", "c2"))


def request(system: EdtSwitch, labels: tuple[Label, ...]) -> dict[str, Any]:
    """Write a run as a trace request."""
    names = ("ports", "buffer", "alpha", "cn1", "cn2", "tm1", "tm2", "reading")
    settings = {name: getattr(system, name) for name in names}
    return {"algorithm": "edt", **settings, "events": as_events(system, labels)}


def compared(reading: str, growth: Callable[[WatchedState, int], int]) -> Agrees:
    """Compare C2 of every controlled port with what the observer has seen."""
    cases = 0
    for system in (EdtSwitch(2, 3, reading=reading), *one_port(reading)):
        for state in watched(system).steps:
            for i, port in enumerate(state.switch):
                check(not port.controlled or port.c2 == growth(state, i), f"{state} of {system}")
                cases += 1
    return Agrees(cases, f"{TWO_PORTS.replace('B = 4', 'B = 3')}; {ONE_PORT}; with an observer")


def returned_under_load(buffer: int) -> tuple[EdtSwitch, tuple[Label, ...] | None]:
    """Return a shortest run to a departure that returns a port at which a packet arrived since its last departure."""
    system = EdtSwitch(2, buffer, tm1=None, tm2=None)
    run = first_step(Watched(system), lambda s, label, t: _pulse_under_load(system.cn1, s, label, t))
    return system, run


def _pulse_under_load(cn1: int, state: WatchedState, label: Label, after: WatchedState) -> bool:
    if label[0] != "depart":
        return False
    i = label[1]
    returned = not state.switch[i].controlled and after.switch[i].controlled
    return returned and state.quiet[i] < cn1 - 1


def first_step(
    system: Watched, wanted: Callable[[WatchedState, Label, WatchedState], bool]
) -> tuple[Label, ...] | None:
    """Return a shortest run whose last step is wanted: breadth first, stopping at the first."""
    back: dict[WatchedState, tuple[Label, ...]] = dict.fromkeys(system.initial(), ())
    queue = list(back)
    for state in queue:  # grows while it is read
        check(len(queue) <= BOUND, "more states than the switch can have")
        for label, after in system.successors(state):
            if wanted(state, label, after):
                return (*back[state], label)
            if after not in back:
                back[after] = (*back[state], label)
                queue.append(after)
    return None
