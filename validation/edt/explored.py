"""Every reachable state of small EDT switches: counters and timers in runs of any length, and loops for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from dtmodel.explore import Graph, Lasso, always, reachable_graph, shortest_lasso
from dtmodel.ledger import Agrees, Counterexample, Outcome, Witness, check, evidence
from dtmodel.packet.edt import READINGS, run_trace
from dtmodel.packet.edt_system import (
    EdtSwitch,
    Label,
    PortState,
    SwitchState,
    Watched,
    WatchedState,
    as_events,
)

TWO = "all states of two ports with B = 4, alpha = 1, cn1 = cn2 = 2, timers that expire at any instant"
ONE = "all states of one port with B = 6, alpha = 1, cn1, cn2 in 2, 3, timers that expire at any instant"
TICKS = "all states of two ports with B = 4, alpha = 1, cn1 = cn2 = TM1 = 2, TM2 = 3 ticks"


BOUND = 20_000
"""More states than any of these switches has: a broken rule that makes one infinite is found soon."""


class Moment(NamedTuple):
    """A step of one port: the port before and after it, the event, and whether it is the event's port."""

    before: PortState
    after: PortState
    label: Label
    decision: str
    here: bool


@cache
def graph(system: EdtSwitch) -> Graph[SwitchState, Label]:
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


@evidence("edt.ours.counter-ranges", form="printed", strength="sampled")
def the_counters_stay_below_their_numbers() -> Outcome:
    """Check every reachable state of every reading, with one port and with two."""
    states = 0
    for reading, signed in ((name, reading.c2_signed) for name, reading in READINGS.items()):
        for system in (EdtSwitch(2, 4, reading=reading), *one_port(reading)):
            for state in graph(system).steps:
                for port in state:
                    check(0 <= port.c1 < system.cn1 and port.c2 < system.cn2, f"{port} of {system}")
                    check(port.c2 >= (-system.buffer if signed else 0), f"{port} of {system}")
                    check(port.controlled or port.c2 == 0, f"{port} of {system}")
                states += 1
    return Agrees(states, f"{TWO}; {ONE}; five readings")


@evidence("edt.sec4.2.c2.works", "edt.sec4.2.c2.triggers", "edt.sec4.2.rule1.reset", "edt.fig7.initial",
          form="printed", strength="sampled")  # fmt: skip
def c2_alone_frees_a_port_and_drops_reset_it() -> Outcome:
    """Check every step: C2 rests while uncontrolled, only its number frees the port and starts TM2, drops reset it."""

    def rule(m: Moment) -> bool:
        freed = m.before.controlled and not m.after.controlled
        full = m.before.controlled and m.here and m.decision == "enqueue" and m.before.c2 + 1 == 2
        reset = not (m.here and m.decision == "drop") or m.after.c2 == 0
        rests = m.after.controlled or m.after.c2 == 0
        return freed == full and (not freed or m.after.tm2 is not None) and reset and rests

    system = EdtSwitch(2, 4)
    check(list(system.initial()) == [(PortState(), PortState())], "the ports begin controlled")
    return holds(rule, "C2", system, domain=TWO)


@evidence("edt.ours.one-timer", "edt.sec4.2.tm2.starts", "edt.sec4.2.tm2.stops", form="printed", strength="sampled")
def each_timer_runs_in_its_own_state() -> Outcome:
    """Check every step: TM1 runs iff C2 > 0, TM2 iff uncontrolled, and it starts with the change of state only."""

    def rule(m: Moment) -> bool:
        tm1, tm2 = m.after.tm1 is not None, m.after.tm2 is not None
        started = tm2 and m.before.tm2 is None
        known = started == (m.before.controlled and not m.after.controlled)
        return tm1 == (m.after.c2 > 0) and tm2 == (not m.after.controlled) and not (tm1 and tm2) and known

    return holds(rule, "timers", EdtSwitch(2, 4), *one_port(), domain=f"{TWO}; {ONE}")


@evidence("edt.fig7.return.overflow", "edt.sec4.2.tm2.reset-overflow", form="printed", strength="sampled")
def an_overflow_returns_both_ports_in_every_state() -> Outcome:
    """Let a packet arrive at each port in every state in which the buffer is full."""
    cases, system = 0, EdtSwitch(2, 4)
    for state in graph(system).steps:
        if sum(port.length for port in state) == system.buffer:
            for i in range(system.ports):
                decision, after = system.step(state, ("arrive", i))
                check(decision == "drop" and all(p.controlled and p.tm2 is None for p in after), f"{state}")
                cases += 1
    check(cases > 0, "no state with a full buffer")
    return Agrees(cases, TWO)


@evidence("edt.sec4.1.adv2.period", "edt.fig7.return.timeout", form="printed", strength="sampled")
def tm2_ends_every_uncontrolled_period() -> Outcome:
    """TM2 is between 1 and 3 ticks while a port is uncontrolled and loses one in each tick; no loop avoids its end."""

    def rule(m: Moment) -> bool:
        if m.before.tm2 is None:
            return m.after.tm2 in {None, 3}
        left = m.before.tm2 - (m.label == ("tick",))
        return m.after.tm2 in {None, left} and (m.after.controlled if left == 0 else 1 <= left <= 3)

    found = holds(rule, "TM2", EdtSwitch(2, 4, tm1=2, tm2=3, time="ticks"), domain=TICKS)
    check(uncontrolled_for_ever(EdtSwitch(1, 4, tm1=2, tm2=3, time="ticks"), 0) is None, "a loop without its end")
    return found


def uncontrolled_for_ever(system: EdtSwitch, packets: int) -> Lasso[SwitchState, Label] | None:
    """Return a loop in which the port is uncontrolled, of more ticks than `packets` times its arrivals."""

    def allowed(state: SwitchState, label: Label, after: SwitchState) -> bool:
        del label
        return not state[0].controlled and not after[0].controlled

    def weight(state: SwitchState, label: Label, after: SwitchState) -> int:
        del state, after
        return -1 if label == ("tick",) else packets * (label[0] == "arrive")

    return shortest_lasso(graph(system), allowed, weight, longest=len(graph(system).steps))


@evidence("edt.sec4.1.timeout-scenario", form="printed", strength="sampled")
def a_background_of_the_ports_rate_holds_the_port_for_ever() -> Outcome:
    """Without TM2 there is a loop of one arrival and one tick at the same queue length; with TM2 there is none."""
    cases = 0
    for cn1, length in product((2, 3), (1, 2, 3)):
        system = served(cn1)
        held = [s for s in graph(system).steps if not s[0].controlled and s[0].length == length and s[0].c1 == 1]
        for state in held:
            after = system.step(system.step(state, ("arrive", 0))[1], ("tick",))[1]
            check(after == state, f"{state} becomes {after}")
            cases += 1
        check(bool(held), f"no uncontrolled port holds {length}")
        check(uncontrolled_for_ever(served(cn1, tm2=3), 0) is None, "a loop in spite of TM2")
    return Agrees(cases, "all states of one port with B = 6, alpha = 1, cn1 = 2, 3, cn2 = 2, one packet sent in a tick")


@evidence("edt.ours.stuck-free", form="printed", strength="exact")
def an_empty_queue_makes_no_pulse() -> Outcome:
    """Find the loop of one tick without arrivals for cn1 = 3, 4, and no loop below the rate C for cn1 = 1, 2."""
    cases = 0
    for cn1, cn2 in product((1, 2, 3, 4), (2, 3)):
        lasso = uncontrolled_for_ever(served(cn1, cn2), 1)
        check((lasso is not None) == (cn1 >= 3), f"cn1 = {cn1}, cn2 = {cn2}: {lasso}")
        check(lasso is None or lasso.cycle.labels == (("tick",),), f"the loop is {lasso}")
        cases += 1
    return Agrees(
        cases, "all states and loops of one port with B = 6, alpha = 1, cn2 = 2, 3, one packet sent in a tick"
    )


@evidence("edt.ours.retriggered", form="printed", strength="exact")
def a_port_is_freed_again_each_time_tm2_expires() -> Outcome:
    """Find the shortest loop below the rate C each of whose ticks begins uncontrolled, and replay it as a trace."""

    def allowed(state: SwitchState, label: Label, after: SwitchState) -> bool:
        del after
        return label[0] == "arrive" or not state[0].controlled

    def weight(state: SwitchState, label: Label, after: SwitchState) -> int:
        del state, after
        return 1 if label[0] == "arrive" else -1

    systems = [served(cn1, tm1=2, tm2=3, buffer=4) for cn1 in (2, 3)]
    none, loop = (shortest_lasso(graph(s), allowed, weight, longest=len(graph(s).steps)) for s in systems)
    check(none is None and loop is not None, "a loop for cn1 = 3 only")
    if loop is not None:
        labels = loop.cycle.labels
        check((labels.count(("tick",)), labels.count(("arrive", 0))) == (3, 2), f"the loop is {labels}")
        freed = sum(s[0].controlled for s in loop.cycle.states[:-1])
        check(0 < freed < len(labels), "TM2 expires in the loop")
        ends = [state_after(systems[1], loop.labels(rounds)) for rounds in (1, 2, 3)]
        check(ends[0] == ends[1] == ends[2], "the trace comes back to the same state")
    return Agrees(sum(len(graph(s).steps) for s in systems), "all states and loops of one port with B = 4, alpha = 1")


def state_after(system: EdtSwitch, labels: tuple[Label, ...]) -> tuple[Any, ...]:
    """Run labels as a trace of the packet model; return the state and counters of port 1."""
    port = run_trace(request(system, labels))["final"]["ports"][0]
    return tuple(port[key] for key in ("state", "queue", "c1", "c2"))


def request(system: EdtSwitch, labels: tuple[Label, ...]) -> dict[str, Any]:
    """Write a run as a trace request."""
    names = ("ports", "buffer", "alpha", "cn1", "cn2", "tm1", "tm2", "reading")
    settings = {name: getattr(system, name) for name in names}
    return {"algorithm": "edt", **settings, "events": as_events(system, labels)}


@evidence("edt.sec4.2.c2.value@floored", form="repaired", strength="sampled")
def c2_is_the_growth_above_the_lowest_point_in_every_run() -> Outcome:
    """In every state of a switch with an observer, C2 of a controlled port is its length less the least since."""
    return compared("circuit", lambda state, i: state.switch[i].length - state.least[i])


@evidence("edt.sec4.2.c2.value@signed", form="printed", strength="sampled")
def signed_c2_is_the_growth_since_its_reset_in_every_run() -> Outcome:
    """The same for the reading 'signed' and the length at the last reset."""
    return compared("signed", lambda state, i: state.switch[i].length - state.first[i])


def compared(reading: str, growth: Callable[[WatchedState, int], int]) -> Agrees:
    """Compare C2 of every controlled port with what the observer has seen."""
    cases = 0
    for system in (EdtSwitch(2, 3, reading=reading), *one_port(reading)):
        for state in watched(system).steps:
            for i, port in enumerate(state.switch):
                check(not port.controlled or port.c2 == growth(state, i), f"{state} of {system}")
                cases += 1
    return Agrees(cases, f"{TWO.replace('B = 4', 'B = 3')}; {ONE}; with an observer")


@evidence("edt.ours.freed-by-growth", form="printed", strength="sampled")
def a_growth_by_cn2_and_nothing_else_frees_a_port() -> Outcome:
    """In every step of a switch with an observer, the port is freed iff a packet enters and the growth is cn2."""
    cases, freed = 0, 0
    for system in (EdtSwitch(2, 3), *one_port()):
        for state, steps in watched(system).steps.items():
            for label, after in steps:
                for i, (old, new) in enumerate(zip(state.switch, after.switch, strict=True)):
                    enters = label == ("arrive", i) and new.length > old.length
                    grown = enters and old.controlled and new.length - state.least[i] >= system.cn2
                    check(grown == (old.controlled and not new.controlled), f"{label} in {state} of {system}")
                    cases, freed = cases + 1, freed + grown
    check(freed > 0, "no port is ever freed")
    return Agrees(cases, f"{TWO.replace('B = 4', 'B = 3')}; {ONE}; with an observer")


@evidence("edt.sec4.2.c1.underloaded@arrivals", form="printed", strength="sampled")
def c1_that_hears_drops_never_exceeds_the_departures_since_an_arrival() -> Outcome:
    """In every state C1 is at most the number of departures since the last arrival, which the observer counts."""
    states = 0
    for system in (EdtSwitch(2, 3, reading="arrivals"), *one_port("arrivals")):
        result = always(
            Watched(system), lambda s: all(p.c1 <= n for p, n in zip(s.switch, s.quiet, strict=True)), bound=BOUND
        )
        check(result.complete, f"C1 counts across an arrival: {result.found}")
        states += result.states
    return Agrees(states, f"{TWO.replace('B = 4', 'B = 3')}; {ONE}; reading 'arrivals', with an observer")


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


@evidence("edt.sec4.2.c1.underloaded@enqueue", form="printed", strength="exact")
def the_shortest_run_to_a_pulse_of_c1_at_full_load() -> Outcome:
    """Search all runs of two ports with B = 6: an arrival is dropped between the two departures that C1 counts."""
    system, run = returned_under_load(6)
    check(run is not None and len(run) == 9, f"the shortest run is {run}")
    trace = request(system, run or ())
    answer = run_trace(trace)
    port, other = answer["final"]["ports"]
    check(answer["steps"][-2]["decision"] == "drop" and port["state"] == "controlled", "it returned under full load")
    claimed = {"final": {"ports": [{**port, "state": "uncontrolled"}, other]}}
    expected = {"final": {"ports": [port, other]}}
    return Counterexample(Witness("trace", trace, expected, claimed, "a packet arrived between the departures"))


@evidence("edt.ours.c1-smallest-switch", form="printed", strength="exact")
def five_packets_of_buffer_are_too_few_for_a_false_pulse() -> Outcome:
    """Visit all states with B = 1 to 5, and search the shortest run for B = 6, 7, 8."""
    runs = [returned_under_load(buffer)[1] for buffer in range(1, 9)]
    lengths = [None if run is None else len(run) for run in runs]
    check(lengths == [None, None, None, None, None, 9, 10, 10], f"the shortest runs have {lengths} events")
    return Agrees(len(lengths), "all runs of two ports with B = 1..8, alpha = 1, cn1 = cn2 = 2, no timers")
