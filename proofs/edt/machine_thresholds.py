"""Which threshold EDT holds a port to: the definitions of Section 4.1, on unknown buffers, lengths and free space."""

from __future__ import annotations

from functools import partial
from itertools import product
from types import SimpleNamespace
from typing import Any

import sympy as sp

from dtmodel.ledger import Outcome, check, evidence
from dtmodel.packet.edt import EdtPolicy, Port, Settings
from dtmodel.policies.edt import CountersAndTimers
from dtmodel.provers import slack, smt
from dtmodel.provers.every_path import Number, Truth, Unknowns, all_of, every_path, same

from .machine import same_truth

PORTS = 64
"""The largest switch whose thresholds are computed; `the_number_of_uncontrolled_ports` is for any number of ports."""


def policy(given: Unknowns, ports: int, uncontrolled: int) -> EdtPolicy:
    """Return a switch with unknown alpha and buffer, whose last ports are uncontrolled."""
    found = EdtPolicy(Settings(given.real("alpha"), 3, 1, None, None), ports, given.real("buffer"))
    found.ports[:] = [Port(found.settings, controlled=i < ports - uncontrolled) for i in range(ports)]
    return found


def thresholds(given: Unknowns) -> list[Truth]:
    """Say what each port's threshold must be, for every number of ports and of uncontrolled ones up to `PORTS`."""
    alpha, buffer, free = (given.real(name) for name in ("alpha", "buffer", "free"))
    wanted: dict[str, Truth] = {}
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
        fresh = EdtPolicy(Settings(alpha, 3, 1, None, None), ports, buffer)
        check(all(port.controlled for port in fresh.ports), f"a port of {ports} begins uncontrolled")
        wanted += [same(fresh.threshold(port, free), alpha * free) for port in range(ports)]
    return given.prove([alpha > 0, buffer > 0], all_of(*wanted), "QF_NRA").proved("EDT is DT until C2 frees a port")


def _admitted(given: Unknowns, uncontrolled: int) -> bool:
    length, free, now = (given.real(name) for name in ("length", "free", "now"))
    return policy(given, PORTS, uncontrolled).admits(PORTS - 1, length, free, now)


@evidence("edt.sec4.1.aggressive", form="assumed", strength="smt")
def below_its_share_an_uncontrolled_port_is_admitted_whatever_is_free() -> Outcome:
    """Every path of the admission: for a packet that fits it depends on Q < B / n alone, not on the free space."""
    given = Unknowns()
    length, buffer, free = (given.real(name) for name in ("length", "buffer", "free"))
    wanted = []
    for n in range(1, PORTS + 1):
        for path in every_path(partial(_admitted, given, n)):
            wanted.append((path.condition & (length * n < buffer), path.result is True))
    found = given.prove_each(wanted, [buffer > 0, free > 0, length >= 0], "QF_NRA")
    return found.proved("an uncontrolled queue below B / n admits a packet that fits, however little else is free")


@evidence("edt.sec4.2.tm2.length", form="printed", strength="smt")
def until_tm2_expires_it_changes_no_admission_and_then_dt_decides() -> Outcome:
    """Every path of an admission at an uncontrolled port: Q < B / n before TM2 has expired, Q < alpha F from then on.

    A burst that ends by then is never judged by DT; a queue at or above alpha F when TM2 expires loses what comes next.
    """
    given = Unknowns()
    length, free, now, end = (given.real(name) for name in ("length", "free", "now", "end"))
    alpha, buffer = given.real("alpha"), given.real("buffer")
    wanted = []
    for n in range(1, 9):

        def admitted(n: int = n) -> bool:
            switch = policy(given, n, n)
            switch.ports[0].tm2 = end
            return switch.admits(0, length, free, now)

        for path in every_path(admitted):
            running = (now >= end) | same_truth(length * n < buffer, path.result is True)
            expired = (now < end) | same_truth(length < alpha * free, path.result is True)
            wanted.append((path.condition, running & expired))
    known = [alpha > 0, buffer > 0, free >= 0, length >= 0]
    return given.prove_each(wanted, known, "QF_NRA").proved("TM2 decides by its expiry alone")


@evidence("edt.fig7.return.underloaded", form="printed", strength="smt")
def a_port_that_is_offered_less_than_it_sends_is_not_among_the_uncontrolled() -> Outcome:
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
            state: Any = SimpleNamespace(offered=offered, rates=rates, now=now)
            memory: Any = SimpleNamespace(
                c2=counts, cn2=cn2, tm1_ends={}, uncontrolled=set(before),
                tm2_ends={queue: ends[queue] for queue in timed}, _change=lambda _, free: after.append(free),
            )  # fmt: skip
            CountersAndTimers.act(memory, state)
            return after[-1]

        for path in every_path(run):
            wanted.append((path.condition & (offered[0] < rates[0]), 0 not in path.result))
    hypotheses = [cn2 > 0, *(rate > 0 for rate in rates), *(Number.of(each) >= 0 for each in offered)]
    return given.prove_each(wanted, hypotheses).proved("it has returned after the event, whatever the others do")
