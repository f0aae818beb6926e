"""Section 4.1 and Figures 7 to 9: when a port is controlled; proofs."""

from collections.abc import Callable
from functools import partial
from itertools import product
from types import NoneType, SimpleNamespace
from typing import Any

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import slack, smt
from dtmodel.ledger.provers.symbolic_execution import (
    PathCondition,
    Unknown,
    Unknowns,
    all_of,
    every_path,
    same,
)
from dtmodel.policies.edt import CountersAndTimers
from dtmodel.policies.edt_circuit import READINGS, CircuitSettings, EdtPolicy, EdtPort
from dtmodel.policies.memory import Alarms
from dtmodel.theory.edt import formulas as edt

from . import derivation
from .derivation import B, M, alpha, r
from .machine import Later, Machine, Step, _follows, _growth_of_c2, check_that_ports_are_separate, policy


def _signalled(machine: Machine, state: Callable[[], EdtPort], signal: str, run: str) -> EdtPort:
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


def _equal(one: EdtPort, other: EdtPort) -> PathCondition:
    pairs = [(getattr(one, name), getattr(other, name)) for name in ("c1", "c2", "tm1", "tm2")]
    numbers = [same(a, b) for a, b in pairs if not {type(a), type(b)} & {NoneType, Later}]
    kinds = [[(type(each) if type(each) in (NoneType, Later) else Unknown) for each in pair] for pair in pairs]
    shapes = all(a is b for a, b in kinds) and one.controlled == other.controlled
    return all_of(shapes, *numbers)


PORTS = 64
"""The largest switch whose thresholds are computed; `the_number_of_uncontrolled_ports` is for any number of ports."""


def thresholds(given: Unknowns) -> list[PathCondition]:
    """Say what each port's threshold must be, for every number of ports and of uncontrolled ones up to `PORTS`."""
    alpha, buffer, free = (given.real(name) for name in ("alpha", "buffer", "free"))
    wanted: dict[str, PathCondition] = {}
    for ports in range(1, PORTS + 1):
        for n in range(ports + 1):
            switch = policy(given, ports, n)
            for port in {0, ports - n - 1, ports - n, ports - 1} & set(range(ports)):
                value = switch.threshold(port, free)
                right = same(value, alpha * free) if switch.ports[port].controlled else same(value * n, buffer)
                wanted[right.text] = right
    return list(wanted.values())


def the_number_of_uncontrolled_ports() -> smt.Proof:
    """Prove by induction over ports that n lies in 0 .. P, and in 1 .. P if one of them is uncontrolled."""
    n, ports, one = sp.symbols("n ports one", integer=True)
    smt.prove([sp.Eq(n, 0), sp.Eq(ports, 0)], [n >= 0, n <= ports])
    smt.prove([n >= 0, n <= ports, sp.Eq(one, 1)], n + one >= 1)
    return smt.prove([n >= 0, n <= ports, one >= 0, one <= 1], [n + one >= 0, n + one <= ports + 1])


def _admitted(given: Unknowns, uncontrolled: int) -> bool:
    length, free, now = (given.real(name) for name in ("length", "free", "now"))
    return policy(given, PORTS, uncontrolled).admits(PORTS - 1, length, free, now)


@evidence("edt.sec4.1.larger-alpha", form="printed", strength="symbolic")
def the_free_buffer_falls_with_alpha() -> Outcome:
    """B / (1 + alpha n) less the same with a larger alpha."""
    more = sp.Symbol("more", positive=True)
    free = B / (1 + alpha * M)
    return slack.certificate(free - free.subs(alpha, alpha + more), {}, strict=True).proved("F falls")


@evidence("edt.sec4.1.large-alpha-unfair", form="printed", strength="symbolic")
def a_large_alpha_starves_a_second_port() -> Outcome:
    """The limits of alpha B / (1 + alpha) and of alpha B / (1 + alpha)^2, for alpha to infinity."""
    derivation.same(sp.limit(alpha * B / (1 + alpha), alpha, sp.oo), B, "one port holds B")
    derivation.same(sp.limit(edt.limit_of_growth(alpha, B, 1, 1), alpha, sp.oo), 0, "the second one nothing")
    return Proved("two limits", {"alpha": "99", "B": "100", "first": "99", "second": "99/100"})


@evidence("edt.sec4.1.T1", "edt.sec4.1.T2", "edt.fig8.multiplexer", "edt.fn6", form="printed", strength="smt")
@evidence("edt.sec4.1.two-thresholds", "edt.fn6.range", form="repaired", strength="smt")
def the_state_of_a_port_chooses_one_of_two_thresholds() -> Outcome:
    """T_1 = alpha F if the port is controlled, else T_2 = B / n with 1 <= n <= P: one of P values, at most B."""
    given = Unknowns()
    known = [given.real("alpha") > 0, given.real("buffer") > 0, given.real("free") >= 0]
    found = given.prove(known, all_of(*thresholds(given)), "QF_NRA")
    the_number_of_uncontrolled_ports()
    B, others = sp.symbols("B others", nonnegative=True)
    slack.certificate(B - B / (1 + others), {})
    return found.proved("alpha F or B / n, by the state alone; n is in 1 .. P where T_2 is used")


@evidence("edt.fig7.initial", form="printed", strength="smt")
def a_fresh_switch_has_the_thresholds_of_dt() -> Outcome:
    """Every port of a new switch is controlled, with T = alpha F; that C2 alone ends it is proved of every step."""
    given = Unknowns()
    alpha, buffer, free = (given.real(name) for name in ("alpha", "buffer", "free"))
    wanted = []
    for ports in range(1, PORTS + 1):
        fresh = EdtPolicy(CircuitSettings(alpha, 3, 1, None, None), ports, buffer)
        check(all(port.controlled for port in fresh.ports), f"a port of {ports} begins uncontrolled")
        wanted += [same(fresh.threshold(port, free), alpha * free) for port in range(ports)]
    return given.prove([alpha > 0, buffer > 0], all_of(*wanted), "QF_NRA").proved("EDT is DT until C2 frees a port")


@evidence("edt.fig7.return.underloaded", form="printed", strength="smt")
def an_underloaded_port_is_controlled() -> Outcome:
    """Run the fluid model's rule for changes of state on unknown rates, counters and timers of two queues."""
    given = Unknowns()
    names = [[f"{name}{queue}" for queue in (0, 1)] for name in ("R", "C", "c2", "end")]
    offered, rates, counts, ends = ([given.real(name) for name in pair] for pair in names)
    cn2, now = given.real("cn2"), given.real("now")
    wanted = []
    for other_free, timed in product((True, False), ((), (0,), (1,), (0, 1))):
        before = {0, 1} if other_free else {0}

        def run(before: set[int] = before, timed: tuple[int, ...] = timed) -> set[int]:
            after = [before]
            state: Any = SimpleNamespace(offered=offered, rates=rates, now=now, changed={0, 1})
            alarms = {queue: ends[queue] for queue in timed}
            memory: Any = SimpleNamespace(
                c2=dict(enumerate(counts)), cn2=cn2, uncontrolled=set(before), _stop=lambda *_: None,
                _full=Alarms(), _tm1_ends=Alarms(), _tm2_ends=Alarms(alarms), _restarted=set(),
                _change=lambda _, free: after.append(free),
            )  # fmt: skip
            CountersAndTimers.act(memory, state)
            return after[-1]

        for path in every_path(run):
            wanted.append((path.condition & (offered[0] < rates[0]), 0 not in path.result))
    hypotheses = [cn2 > 0, *(rate > 0 for rate in rates), *(Unknown.of(each) >= 0 for each in offered)]
    return given.prove_each(wanted, hypotheses).proved("it has returned after the event, whatever the others do")


@evidence("edt.fig7.return.underloaded@packets", form="assumed", strength="smt")
def between_arrivals_three_slots_apart_three_packets_leave() -> Outcome:
    """Departures of a queue of 3 end at whole times; after an arrival in [n, n + 1) the next is not before n + 3."""
    given = Unknowns()
    n, at, gap = given.whole("n"), given.real("at"), given.real("gap")
    known = [n <= at, at < n + 1, gap >= 3]
    inside = all_of(*((at < n + k) & (n + k <= at + gap) for k in (1, 2, 3)))
    return given.prove(known, inside).proved("n + 1, n + 2 and n + 3 lie between the arrivals: C1 reaches 3")


@evidence("edt.fig7.return.overflow", "edt.sec4.2.tm2.reset-overflow", form="printed", strength="smt")
def an_overflow_stops_tm2_of_every_port() -> Outcome:
    """From every state the signal leaves a port controlled, without TM2; the policy gives it to every port."""
    check_that_ports_are_separate()

    def rule(step: Step) -> bool:
        return step.after.controlled and step.after.tm2 is None

    for reading in READINGS:
        Machine(reading).prove(rule, "overflow")
    return Machine().prove(rule, "overflow").proved("controlled, TM2 stopped: in every reading")


@evidence("edt.sec4.1.recognition", form="assumed", strength="smt")
def a_queue_below_its_threshold_grows_and_loses_nothing() -> Outcome:
    """Below the threshold Q' = R - C > 0, and a distance to the threshold takes a positive time to close."""
    slope, room, speed, time = sp.symbols("slope room speed time", real=True)
    smt.prove([sp.Eq(slope, r)], slope > 0)
    return smt.prove([room > 0, speed > 0, sp.Eq(time * speed, room)], time > 0).proved("no loss for a while")


@evidence("edt.fig9.inputs", form="printed", strength="smt")
def two_runs_with_equal_pulses_stay_in_equal_states() -> Outcome:
    """The policy hears of two runs with unknown lengths, free buffers and packet sizes: each signal leads to one state.

    C2 counts packets, as its pulses do.
    """
    signals = ("admits", "enqueued", "dequeued", "dropped", "overflowed")
    for machine in map(Machine, READINGS):
        for state, signal in product(list(machine.states()), signals):
            one, other = ([*every_path(partial(_signalled, machine, state, signal, run))] for run in "12")
            equal = [
                (left.condition & right.condition, _equal(left.result, right.result))
                for left, right in product(one, other)
            ]
            found = machine.given.prove_each(equal, machine.hypotheses, "QF_NIRA")
    return found.proved("the state after a signal depends on the state before it and the time alone")


@evidence("edt.sec4.1.aggressive", form="assumed", strength="smt")
def below_its_share_a_free_port_is_always_admitted() -> Outcome:
    """Every path of the admission: for a packet that fits it depends on Q < B / n alone, not on the free space."""
    given = Unknowns()
    length, buffer, free = (given.real(name) for name in ("length", "buffer", "free"))
    wanted = []
    for n in range(1, PORTS + 1):
        for path in every_path(partial(_admitted, given, n)):
            wanted.append((path.condition & (length * n < buffer), path.result is True))
    found = given.prove_each(wanted, [buffer > 0, free > 0, length >= 0], "QF_NRA")
    return found.proved("an uncontrolled queue below B / n admits a packet that fits, however little else is free")


@evidence("edt.ours.freed-by-growth", form="printed", strength="smt")
@evidence("edt.sec4.2.c2.value@floored", form="repaired", strength="smt")
def a_floored_c2_is_the_length_less_its_least() -> Outcome:
    """Every step keeps C2 = Q - min Q, and frees a controlled port iff a packet carries it cn2 above min Q."""
    proofs = []
    for reading in ("circuit", "arrivals", "free-running"):
        machine, obeyed = _growth_of_c2(reading)
        rule = partial(_follows, machine=machine, lowest=True)
        proofs.append(machine.prove(rule, more=obeyed))
    return proofs[0].proved("C2 = Q - min Q since the reset, in every run of three readings")
