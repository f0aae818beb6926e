"""EDT's state machine in runs of any length and with any settings: its sentences as invariants and rules of a step.

Each proof takes every path of every step of `dtmodel.packet.edt.Port` from every state that satisfies the invariant
(`machine.invariant`, which `counters_and_timers_keep_the_invariant` shows to be one), and lets z3 and cvc5 derive the
rule. Where a sentence speaks of the past (the length at the last reset, the last arrival), the proof carries an unknown
that remembers it, with an invariant of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product

from dtmodel.ledger import Outcome, check, evidence
from dtmodel.packet.edt import READINGS, EdtPolicy, Port, Settings
from dtmodel.provers.every_path import Number, Truth, all_of, any_of, every_path, implies, same, truth

from .machine import Machine, Step, counters, invariant, same_truth

PORTS = 64
"""Ports of the switches whose passing on of signals is recorded."""


class _Heard:
    """A port that records what it hears."""

    tm1 = tm2 = 0

    def __init__(self) -> None:
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> object:
        return lambda *_: self.calls.append(name)


def heard(ports: int) -> list[tuple[str, list[list[str]]]]:
    """Return what each port hears of each event at port 0, as the policy passes it on, the passing of time left out."""
    found = []
    for event in ("enqueue", "depart", "drop", "overflow"):
        policy = EdtPolicy(Settings(1, 1, 1, None, None), ports, 1)
        listeners = [_Heard() for _ in range(ports)]
        policy.ports[:] = listeners  # type: ignore[assignment]  # they only listen
        if event == "enqueue":
            policy.enqueued(0, 1, 0)
        elif event == "depart":
            policy.dequeued(0, 1, 0)
        elif event == "drop":
            policy.dropped(0, 0)
        else:
            policy.overflowed(0)
        found.append((event, [[call for call in each.calls if call != "tick"] for each in listeners]))
    return found


def check_that_ports_are_separate() -> None:
    """Check that an event reaches its own port only, an overflow all of them, for switches of up to 64 ports."""
    own = {"enqueue": ["enqueued"], "depart": ["dequeued"], "drop": ["arrived", "dropped"], "overflow": ["control"]}
    for ports in range(1, PORTS + 1):
        for event, calls in heard(ports):
            others = ["control"] if event == "overflow" else []
            check(calls == [own[event], *[others] * (ports - 1)], f"{event}: {calls}")


def stays_in(step: Step) -> Truth:
    return invariant(step.after)


@evidence("edt.ours.counter-ranges", form="printed", strength="smt")
def counters_and_timers_keep_the_invariant() -> Outcome:
    """In each reading, with each timer or without: a fresh port satisfies the invariant, and every step keeps it."""
    for reading, tm1, tm2 in product(READINGS, (True, False), (True, False)):
        machine = Machine(reading, tm1=tm1, tm2=tm2)
        fresh = Port(machine.settings)
        fresh.start(0)
        machine.given.prove(machine.hypotheses, invariant(fresh))
        found = machine.prove(stays_in)
    check_that_ports_are_separate()
    return found.proved("0 <= C1 < cn1, C2 < cn2, C2 = 0 while uncontrolled, C2 >= 0 unless signed: in every run")


@evidence("edt.ours.one-timer", "edt.sec4.2.tm2.starts", "edt.sec4.2.tm2.stops", form="printed", strength="smt")
def a_timer_runs_in_its_own_state_and_restarts_with_its_trigger_only() -> Outcome:
    """The invariant says which timer runs; TM2 starts iff the port is freed, and stops iff it returns."""

    def rule(step: Step) -> Truth:
        before, after = step.before, step.after
        started, stopped = after.tm2 is not None and before.tm2 is None, after.tm2 is None and before.tm2 is not None
        kept = truth(True) if None in (before.tm2, after.tm2) else same(before.tm2, after.tm2)
        tm1 = same_truth(counters(after)[1] > 0, after.tm1 is not None)
        both = after.tm1 is not None and after.tm2 is not None
        tm2 = (after.tm2 is not None) != after.controlled
        return all_of(tm1, tm2, not both, started == step.freed, stopped == step.returned, kept)

    for reading in ("arrivals", "c1-resets-c2", "signed"):
        Machine(reading).prove(rule)
    return Machine().prove(rule).proved("TM1 runs iff C2 > 0, TM2 iff the port is uncontrolled: in every run")


@evidence("edt.fig7.return.timeout", "edt.sec4.1.adv2.period", "edt.sec4.3.bounded", form="printed", strength="smt")
def an_uncontrolled_period_is_at_most_tm2() -> Outcome:
    """TM2's end lies TM2 after the instant at which the port was freed, as long as it is; it ends the period then."""
    machine = Machine()
    freed_at, last = machine.given.real("freed_at"), machine.given.real("last")

    def due(port: Port, since: Number) -> Truth:
        return truth(True) if port.tm2 is None else same(port.tm2, since + machine.settings.tm2)

    def rule(step: Step) -> Truth:
        since = machine.now if step.freed else freed_at
        over = step.event == "tick" and not step.before.controlled
        ended = same_truth(Number.of(step.before.tm2) <= machine.now, step.returned) if over else truth(True)
        short = truth(step.after.controlled) | (machine.now - since < machine.settings.tm2)
        known = implies(step.event == "tick", ended & short)
        return implies(due(step.before, freed_at), due(step.after, since) & known)

    found = machine.prove(rule, more=[freed_at <= last, last <= machine.now])
    return found.proved("after every passing of time an uncontrolled port was freed less than TM2 ago")


@evidence("edt.fig7.return.overflow", "edt.sec4.2.tm2.reset-overflow", form="printed", strength="smt")
def an_overflow_stops_tm2_of_every_port() -> Outcome:
    """From every state the signal leaves a port controlled, without TM2; the policy gives it to every port."""
    check_that_ports_are_separate()

    def rule(step: Step) -> bool:
        return step.after.controlled and step.after.tm2 is None

    for reading in READINGS:
        Machine(reading).prove(rule, "overflow")
    return Machine().prove(rule, "overflow").proved("controlled, TM2 stopped: in every reading")


@evidence("edt.sec4.2.c2.works", "edt.sec4.2.c2.triggers", "edt.sec4.2.rule1.reset", "edt.fig7.initial",
          "edt.sec4.2.c2.too-small", form="printed", strength="smt")  # fmt: skip
def c2_counts_in_the_controlled_state_and_alone_ends_it() -> Outcome:
    """The port is freed iff a packet enters and C2 reaches its number; else C2 follows the packets, and drops reset it.

    A number that one packet reaches frees a controlled port with the next packet that enters.
    """
    for reading in ("circuit", "arrivals"):
        machine = Machine(reading)
        check(Port(machine.settings).controlled, "a port begins controlled")
        found = machine.prove(partial(_counts, machine))
    return found.proved("C2 moves while the port is controlled, and frees it when it reaches its number")


def _counts(machine: Machine, step: Step) -> Truth:
    (_, c2), (_, counted) = counters(step.before), counters(step.after)
    if step.event == "drop":
        return same(counted, 0)
    if not step.before.controlled:
        return same(counted, 0)  # it rests, and starts at 0 when the port returns
    if step.event == "enqueue":
        freed = same_truth(c2 + machine.size >= machine.cn2, step.freed)
        started = same(step.after.tm2, machine.now + machine.settings.tm2) if step.freed else truth(True)
        one_is_enough = implies(machine.size >= machine.cn2, step.freed)
        return all_of(freed, started, one_is_enough, step.freed or same(counted, c2 + machine.size))
    stays = truth(not step.freed)
    if step.event == "depart":
        return stays & (same(counted, c2 - machine.size) | (same(counted, 0) & (c2 <= machine.size)))
    return stays & (same(counted, 0) if step.expired else same(counted, c2))


@evidence("edt.sec4.2.tm1.expires", "edt.sec4.2.tm1.reset", form="printed", strength="smt")
def tm1_resets_c2_and_starts_from_its_default_each_time() -> Outcome:
    """An expiry leaves C2 at 0 and TM1 at rest; so does C2's number; every start is for the whole counting time."""
    machine = Machine()

    def rule(step: Step) -> Truth:
        before, after = step.before, step.after
        if step.event == "tick" and before.tm1 is not None:
            gone = same(after.c2, 0) & (after.tm1 is None)
            return implies(before.tm1 <= machine.now, gone) & same_truth(before.tm1 <= machine.now, step.expired)
        started = before.tm1 is None and after.tm1 is not None
        whole = same(after.tm1, machine.now + machine.settings.tm1) if started else truth(True)
        moved = started or after.tm1 is None or after.tm1 is before.tm1
        return all_of(whole, moved, not step.freed or after.tm1 is None)

    return machine.prove(rule).proved("TM1 resets C2 when it expires, and is at its default after C2's number")


@evidence("edt.sec4.2.tm1.always@counting", form="printed", strength="smt")
def a_growth_by_cn2_within_tm1_frees_the_port() -> Outcome:
    """While it is not freed, C2 is at least the growth since C2 was 0, and TM1 ends no sooner than TM1 after that.

    As C2 stays below its number, so does the growth.
    """
    machine = Machine()
    grown, since = machine.given.real("grown"), machine.given.real("since")
    within = [since <= machine.now, machine.now < since + machine.settings.tm1]

    def held(port: Port, growth: Number) -> Truth:
        running = truth(True) if port.tm1 is None else port.tm1 >= since + machine.settings.tm1
        return (counters(port)[1] >= growth) & running

    def rule(step: Step) -> Truth:
        if not step.before.controlled or step.freed:
            return truth(True)
        growth = {"enqueue": grown + machine.size, "depart": grown - machine.size}.get(step.event, grown)
        return implies(held(step.before, grown), held(step.after, growth) & (growth < machine.cn2))

    begins = Port(machine.settings)
    machine.given.prove(machine.hypotheses, held(begins, Number.of(0)))
    found = machine.prove(rule, "enqueue", "depart", "overflow", "tick", more=within)
    return found.proved("a port that is not freed has grown by less than cn2")


def _growth_of_c2(reading: str) -> tuple[Machine, list[Truth]]:
    """Return a machine and what its unknown queue obeys: its lengths at the last reset of C2, the least since, now."""
    machine = Machine(reading)
    first, least, queue = (machine.given.real(name) for name in ("first", "least", "queue"))
    return machine, [least >= 0, least <= first, least <= queue]


def _follows(step: Step, machine: Machine, *, lowest: bool) -> Truth:
    """Whether C2 of a controlled port stays its growth since the reset, or above the lowest point since then."""
    queue, mark = machine.given.real("queue"), machine.given.real("least" if lowest else "first")
    length = {"enqueue": queue + machine.size, "depart": queue - machine.size}.get(step.event, queue)
    reset = step.event == "drop" or step.expired or step.before.controlled != step.after.controlled
    (_, c2), (_, counted) = counters(step.before), counters(step.after)
    marks = [length] if reset else [mark, length] if lowest else [mark]
    smallest = [all_of(*(one <= other for other in marks)) for one in marks]
    growth = any_of(*(low & same(counted, length - one) for low, one in zip(smallest, marks, strict=True)))
    freed = truth(True)
    if lowest:
        grown = queue + machine.size - mark >= machine.cn2 if step.event == "enqueue" else truth(False)
        freed = truth(not step.before.controlled) | same_truth(grown, step.freed)
    given = all_of(
        truth(not step.before.controlled) | same(c2, queue - mark), truth(step.event != "depart") | (length >= 0)
    )
    return implies(given, (truth(not step.after.controlled) | growth) & freed)


@evidence("edt.sec4.2.c2.value@signed", form="printed", strength="smt")
def a_signed_c2_is_the_length_less_that_at_its_reset() -> Outcome:
    """Every step keeps C2 = Q - Q(reset), the reset being a drop, an expiry of TM1 or a change of state."""
    machine, obeyed = _growth_of_c2("signed")
    found = machine.prove(lambda step: _follows(step, machine, lowest=False), more=obeyed)
    return found.proved("C2 = Q - Q(reset) in every run")


@evidence("edt.ours.freed-by-growth", form="printed", strength="smt")
@evidence("edt.sec4.2.c2.value@floored", form="repaired", strength="smt")
def a_floored_c2_is_the_length_less_the_least_since_its_reset() -> Outcome:
    """Every step keeps C2 = Q - min Q, and frees a controlled port iff a packet carries it cn2 above min Q."""
    machine, obeyed = _growth_of_c2("circuit")
    found = machine.prove(lambda step: _follows(step, machine, lowest=True), more=obeyed)
    return found.proved("C2 = Q - min Q since the reset, in every run")


@evidence("edt.sec4.2.c1.underloaded@arrivals", form="printed", strength="smt")
def c1_that_hears_drops_measures_the_time_without_an_arrival() -> Outcome:
    """A departure takes one unit of time: C1 departures after the last arrival are C1 - 1 units after it at least."""
    machine = Machine("arrivals")
    arrived, left = machine.given.real("arrived"), machine.given.real("left")

    def quiet(c1: Number, last_in: Number, last_out: Number) -> Truth:
        return (c1 <= 0) | (last_out - last_in >= c1 - 1)

    def rule(step: Step) -> Truth:
        (c1, _), (counted, _) = counters(step.before), counters(step.after)
        last_in = machine.now if step.event in ("enqueue", "drop") else arrived
        last_out = machine.now if step.event == "depart" else left
        apart = truth(step.event != "depart") | (machine.now >= left + 1)
        pulse = truth(step.event == "depart") & (c1 + 1 >= machine.cn1)
        said = implies(pulse, machine.now - arrived >= machine.cn1 - 1)
        return implies(quiet(c1, arrived, left) & apart, quiet(counted, last_in, last_out) & said)

    found = machine.prove(rule, more=[arrived <= machine.now, left <= machine.now])
    return found.proved("at a pulse the last arrival is cn1 - 1 packet times ago or more")


@evidence("edt.sec4.4.cn1.not-too-large", form="printed", strength="smt")
def a_free_port_without_arrivals_counts_its_departures() -> Outcome:
    """A packet that enters leaves C1 at 0; each departure adds 1, and returns the port iff that makes cn1."""
    machine = Machine()

    def rule(step: Step) -> Truth:
        (c1, _), (counted, _) = counters(step.before), counters(step.after)
        if step.event == "enqueue":
            return same(counted, 0)
        if step.before.controlled:
            return truth(True)
        return same_truth(c1 + 1 >= machine.cn1, step.returned) & (step.returned or same(counted, c1 + 1))

    return machine.prove(rule, "enqueue", "depart").proved("cn1 departures after the last entry, and not before")


@evidence("edt.fig9.inputs", form="printed", strength="smt")
def two_runs_with_equal_pulses_stay_in_equal_states() -> Outcome:
    """The policy hears of two runs with unknown lengths, free buffers and packet sizes: each signal leads to one state.

    C2 counts packets, as its pulses do.
    """
    machine = Machine()
    for state, signal in product(list(machine.states()), ("admits", "enqueued", "dequeued", "dropped", "overflowed")):
        one, other = ([*every_path(partial(_signalled, machine, state, signal, run))] for run in "12")
        equal = [
            (left.condition & right.condition, _equal(left.result, right.result)) for left, right in product(one, other)
        ]
        found = machine.given.prove_each(equal, machine.hypotheses, "QF_NIRA")
    return found.proved("the state after a signal depends on the state before it and the time alone")


def _signalled(machine: Machine, state: Callable[[], Port], signal: str, run: str) -> Port:
    """Return port 0 of a policy after a signal; whatever the signal does not carry is an unknown of the run."""
    policy = EdtPolicy(machine.settings, 2, machine.given.real(f"buffer{run}"), account=lambda _: 1)
    policy.ports[0] = state()
    size, length, free = (machine.given.real(f"{name}{run}") for name in ("size", "length", "free"))
    if signal == "admits":
        policy.admits(0, length, free, machine.now)
    elif signal == "overflowed":
        policy.overflowed(machine.now)
    elif signal == "dropped":
        policy.dropped(0, machine.now)
    else:
        getattr(policy, signal)(0, size, machine.now)
    return policy.ports[0]


def _equal(one: Port, other: Port) -> Truth:
    pairs = [(getattr(one, name), getattr(other, name)) for name in ("c1", "c2", "tm1", "tm2")]
    numbers = [same(a, b) for a, b in pairs if a is not None and b is not None]
    shapes = all((a is None) == (b is None) for a, b in pairs) and one.controlled == other.controlled
    return all_of(shapes, *numbers)


def never_empty_with_cn1_of_two() -> None:
    """Prove: with cn1 = 2 <= cn2 an uncontrolled port holds 2 - C1 packets at least, so it never stops to send.

    Each of its departures but the first then follows an entry: a second in succession returns the port.
    """
    machine, obeyed = _growth_of_c2("circuit")
    queue, least = machine.given.real("queue"), machine.given.real("least")

    def rule(step: Step) -> Truth:
        (c1, c2), (counted, _) = counters(step.before), counters(step.after)
        length = {"enqueue": queue + 1, "depart": queue - 1}.get(step.event, queue)
        held = implies(not step.before.controlled, queue >= 2 - c1) & implies(
            step.before.controlled, c2 <= queue - least
        )
        again = truth(step.event != "depart" or step.returned) | (same(c1, 0) & same(counted, 1))
        stays = truth(step.after.controlled) | ((length >= 2 - counted) & (length >= 1))
        return implies(held, stays & implies(not step.before.controlled, again))

    machine.prove(rule, more=[*obeyed, same(machine.cn1, 2), machine.cn2 >= 2, same(machine.size, 1)])


@evidence("edt.ours.stuck-free", form="printed", strength="smt")
def an_empty_queue_makes_no_pulse_and_two_departures_do() -> Outcome:
    """For cn1 = 3, 4 and cn2 = 2, 3 a run that ends empty and uncontrolled; for cn1 = 1, 2 a proof that none does."""
    for cn1, cn2 in product((3, 4), (2, 3)):
        port = Port(Settings(1, cn1, cn2, None, None))
        for heard_of in "eee" + "ddedd":
            port.enqueued(1, 0) if heard_of == "e" else port.dequeued(1)
        check(not port.controlled and port.c1 == 2, f"cn1 = {cn1}, cn2 = {cn2}")
    never_empty_with_cn1_of_two()
    machine = Machine()

    def rule(step: Step) -> bool:
        return step.after.controlled

    found = machine.prove(rule, "depart", more=[same(machine.cn1, 1)])
    return found.proved("with cn1 <= 2 <= cn2 each departure but the first needs an entry of its own")
