"""Every reachable state of small LossPass ports: runs of any length, shortest traces, loops that go on for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, Literal, NamedTuple

from dtmodel.explore import Graph, Lasso, always, reachable_graph, shortest_lasso
from dtmodel.ledger import Agrees, Counterexample, Outcome, Witness, check, evidence
from dtmodel.packet.losspass import run_trace
from dtmodel.packet.losspass_arbiter import READINGS
from dtmodel.packet.losspass_system import Label, LossPassPort, PortState, as_events

Service = Literal["strict", "free"]
TWO_QUEUES = [name for name, reading in READINGS.items() if not reading.fifo]
DOMAIN = "all states of ports with B up to 3, every reserve and size, services in any order: runs of any length"


class Moment(NamedTuple):
    """A step from a reachable state."""

    port: LossPassPort
    before: PortState
    label: Label
    decision: str
    after: PortState

    @property
    def room(self) -> int:
        """B - B_l."""
        return self.port.buffer - self.port.reserve

    @property
    def overflows(self) -> bool:
        """Line 1."""
        return self.label[0] == "arrive" and bool(self.label[2] + sum(map(sum, self.before)) > self.port.buffer)


Run = tuple[LossPassPort, tuple[Label, ...]]


def ports(reading: str = "intended", service: Service = "free", *, one_size: bool = False) -> Iterator[LossPassPort]:
    """Yield the ports of the domain, small buffers first."""
    for B in (1, 2, 3):
        for B_l in range(B + 1):
            yield LossPassPort(B, B_l, (1,) if one_size else tuple(range(1, B + 1)), reading, service)


@cache
def graph(port: LossPassPort) -> Graph[PortState, Label]:
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
    return Agrees(cases, DOMAIN + (", packets of one byte" if one_size else ""))


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
        raise AssertionError(f"no run violates the statement in {DOMAIN}")
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


def _fits(buffer: int, state: PortState) -> bool:
    return sum(map(sum, state)) <= buffer


def _beyond_the_room(m: Moment) -> bool:
    return sum(m.after.small) > m.room


def _refused_from_the_reserve(m: Moment) -> bool:
    within = m.label[0] == "arrive" and m.label[1] == "large" and m.label[2] <= m.port.reserve
    return within and not m.before.large and m.decision == "drop"


def _less_than_the_reserve(m: Moment) -> bool:
    return m.decision == "evict" and sum(m.after.large) < m.port.reserve


def starving(port: LossPassPort, extra: int = 0) -> Lasso[PortState, Label] | None:
    """Return a loop with a service in which large packets wait and none is served, evicted or added.

    With `extra` the loop has that many more services than small packets arrive.
    """

    def waits(state: PortState, label: Label, after: PortState) -> bool:
        del label
        return bool(state.large) and after.large == state.large

    def weight(state: PortState, label: Label, after: PortState) -> int:
        del state, after
        return -1 if label[0] == "depart" else extra if label[1] == "small" else 0

    return shortest_lasso(graph(port), waits, weight)


@evidence("losspass.alg1.line1", "losspass.ours.feasible", form="printed", strength="exact")
def no_run_of_any_length_holds_more_than_b() -> Outcome:
    """In every reachable state of every reading with two queues the port holds at most B bytes."""
    states = 0
    for reading in TWO_QUEUES:
        for port in ports(reading):
            result = always(port, partial(_fits, port.buffer), bound=1000)
            check(result.complete, f"{port}: more than B bytes")
            states += result.states
    return Agrees(states, f"{DOMAIN}, {len(TWO_QUEUES)} readings")


@evidence("losspass.ours.reserve", form="printed", strength="exact")
def evictions_start_above_the_reserve_and_end_within_the_room() -> Outcome:
    """Check every eviction from every reachable state."""

    def rule(m: Moment) -> bool:
        return m.decision != "evict" or (sum(m.before.large) > m.port.reserve and sum(m.after.small) <= m.room)

    return holds(rule, "reserve", "intended", "head")


@evidence("losspass.sec3.2.allowed", form="repaired", strength="exact")
def with_line_4_mended_evictions_keep_small_packets_within_the_room() -> Outcome:
    """Check every step at which the mended line 4 lets a packet in in the place of another."""
    readings = ("intended", "limited", "head", "mend-line4", "mend-lines-4-10")

    def rule(m: Moment) -> bool:
        return m.decision != "evict" or sum(m.after.small) <= m.room

    return holds(rule, "line 4", *readings)


@evidence("losspass.ours.limited", form="printed", strength="exact")
def a_limited_line_12_keeps_small_packets_within_the_room_for_ever() -> Outcome:
    """Q_s <= B - B_l in every state; with packets of one byte large ones are dropped only if Q_l >= B_l."""
    kept = holds(lambda m: not _beyond_the_room(m), "Q_s <= B - B_l", "limited")

    def rule(m: Moment) -> bool:
        dropped = m.decision == "drop" and m.label[1] == "large"
        return not dropped or sum(m.before.large) >= m.port.reserve

    dropped = holds(rule, "drops", "limited", one_size=True)
    return Agrees(kept.cases + dropped.cases, DOMAIN)


@evidence("losspass.ours.literal-line10", form="printed", strength="exact")
def the_printed_line_10_loses_every_packet_that_meets_an_overflow() -> Outcome:
    """After an overflow the queues hold no packet that they did not hold before, and Q_s is as it was."""

    def rule(m: Moment) -> bool:
        return not m.overflows or (
            m.after.small == m.before.small and m.after.large in {m.before.large, m.before.large[:-1]}
        )

    return holds(rule, "line 10", "literal")


@evidence("losspass.sec3.2.3.limit", "losspass.sec3.2.3.reserve", form="printed", strength="exact")
def the_shortest_run_beyond_the_room() -> Outcome:
    """Search all runs for the shortest to Q_s > B - B_l: line 12 lets it happen."""
    run = shortest(_beyond_the_room)
    return refutation(run, "drop", "line 12 does not look at the reserve: Q_s > B - B_l")


@evidence("losspass.sec3.2.3.any-space", form="printed", strength="exact")
def the_shortest_run_to_a_large_packet_kept_out() -> Outcome:
    """Search all runs for the shortest to a large packet within B_l that is dropped although Q_l is empty."""
    return refutation(shortest(_refused_from_the_reserve), "enqueue", "small packets hold the whole reserve")


@evidence("losspass.sec3.2.3.guarantee", form="printed", strength="exact")
def the_shortest_run_to_an_eviction_from_the_reserve() -> Outcome:
    """Search all runs for the shortest to an eviction that leaves Q_l with less than B_l."""
    return refutation(shortest(_less_than_the_reserve), "drop", "the only victim was longer than Q_l - B_l")


@evidence("losspass.ours.fewest-events", form="printed", strength="exact")
def no_run_is_shorter_than_the_recorded_ones() -> Outcome:
    """Compare the lengths of the shortest runs and of the shortest lasso with those of the recorded traces."""
    found = [len(shortest(f)[1]) for f in (_beyond_the_room, _refused_from_the_reserve, _less_than_the_reserve)]
    check(found == [1, 2, 2], f"the shortest runs have {found} events")
    lassos = [lasso for port in ports("intended", "strict") if (lasso := starving(port)) is not None]
    check(bool(lassos), "no port starves")
    lengths = min((len(lasso.stem) + len(lasso.cycle), len(lasso.cycle)) for lasso in lassos)
    check(lengths == (3, 2), f"the shortest lasso has {lengths} events in all and in its cycle")
    return Agrees(len(found) + len(lassos), DOMAIN)


@evidence("losspass.ours.locked-out", form="printed", strength="exact")
def small_packets_lock_large_ones_out_for_ever() -> Outcome:
    """On every port: fill it, then repeat (large packet dropped, service, small packet); the state comes back."""
    loops = 0
    for port in ports(one_size=True, service="strict"):
        full = PortState((1,) * port.buffer, ())
        check(full in graph(port).steps, "small packets fill the port")
        state = full
        for label, decision in ((("arrive", "large", 1), "drop"), (("depart", "any"), "depart"),
                                (("arrive", "small", 1), "enqueue")):  # fmt: skip
            step, state = port.step(state, label)
            check(step.decision == decision, f"{port}: {label} ends in {step.decision}")
        check(state == full, "the loop closes")
        loops += 1
    for port in ports("limited", "strict", one_size=True):
        state = PortState((1,) * (port.buffer - port.reserve), ())
        step, _ = port.step(state, ("arrive", "large", 1))
        check((step.decision == "enqueue") == (port.reserve > 0), "the reading 'limited' has room for it")
    return Agrees(loops, "ports of 1 to 3 bytes, packets of one byte, every reserve, in the intended reading")


@evidence("losspass.ours.limited-admits", form="printed", strength="exact")
def a_limited_line_12_admits_large_packets_and_keeps_one() -> Outcome:
    """Check every large packet that meets an empty Q_l, and every small one that meets a Q_l of one packet."""

    def rule(m: Moment) -> bool:
        if m.label[0] == "arrive" and m.label[1] == "large" and not m.before.large and m.label[2] <= m.port.reserve:
            return m.decision == "enqueue"
        alone = len(m.before.large) == 1 and m.before.large[0] <= m.port.reserve
        return not alone or m.decision != "evict"

    return holds(rule, "limited", "limited")


def _evicting(port: LossPassPort) -> Lasso[PortState, Label] | None:
    """Return a loop in which large packets are buffered, one at a time, and none is served or dropped on arrival."""

    def allowed(state: PortState, label: Label, after: PortState) -> bool:
        buffered = len(after.large) > len(state.large)
        unserved = label[0] == "arrive" or after.large == state.large
        return unserved and len(after.large) <= 1 and (label[:2] != ("arrive", "large") or buffered)

    def weight(state: PortState, label: Label, after: PortState) -> int:
        del label
        return -1 if len(after.large) > len(state.large) else 0

    return shortest_lasso(graph(port), allowed, weight)


@evidence("losspass.ours.evicted-for-ever", form="printed", strength="exact")
def without_a_reserve_every_large_packet_can_be_evicted() -> Outcome:
    """Find the shortest such loop on every port without a reserve; with one, check that the last packet stays."""
    cases = 0
    for port in ports(service="strict", one_size=True):
        lasso = _evicting(port)
        check((lasso is not None) == (port.reserve == 0), f"{port}: {lasso}")
        check(lasso is None or len(lasso.cycle) == 3, f"{port}: {lasso}")
        cases += 1
    for port in ports(one_size=True):
        for moment in moments(port):
            last_evicted = moment.decision == "evict" and not moment.after.large
            check(not (last_evicted and port.reserve), f"{moment}")
            cases += 1
    return Agrees(cases, DOMAIN + ", packets of one byte")


@evidence("losspass.ours.starvation-load", form="printed", strength="exact")
def starvation_needs_as_many_small_packets_as_services() -> Outcome:
    """For every reading and port: the loop exists, and none in which fewer small packets arrive than are served."""
    cases = 0
    for reading in TWO_QUEUES:
        for port in ports(reading, "strict"):
            admits_small = reading != "limited" or port.reserve < port.buffer
            check((starving(port) is not None) == (port.buffer >= 2 and admits_small), f"{port}: a loop")
            check(starving(port, extra=1) is None, f"{port}: a loop with fewer small packets than services")
            cases += 1
    return Agrees(
        cases, "all states and loops of ports with B up to 3, every reading, reserve and size, strict priority"
    )


@evidence("losspass.sec3.2.3.starvation", form="printed", strength="exact")
def the_shortest_loop_that_starves_large_packets() -> Outcome:
    """Search all runs of all ports with a positive reserve for the shortest lasso, and write it as a trace."""
    found = [(port, starving(port)) for port in ports(service="strict") if port.reserve]
    loops = [(len(lasso.stem) + len(lasso.cycle), port, lasso) for port, lasso in found if lasso is not None]
    total, port, lasso = min(loops, key=lambda row: row[0])
    check(lasso.cycle.states[0] == lasso.cycle.states[-1] and total == 3, f"{total} events")
    request = {
        "algorithm": "losspass",
        "buffer": port.buffer,
        "reserve_large": port.reserve,
        "events": as_events(lasso.labels(2)),
    }
    final = run_trace(request)["final"]
    says = "two rounds of a loop of 2 events that can go on for ever; the large packet is never served"
    return Counterexample(Witness("trace", request, {"final": final}, {"final": {"large": []}}, says), says)
