"""Section II-A: pause, resume and headroom; proofs."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import sympy

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import (
    PathCondition,
    Unknown,
    all_of,
    every_path,
    implies,
    same,
)
from dtmodel.packet.l2bm.trace import arrive, request, run_trace
from dtmodel.packet.pfc import Link, _resume, arrived_after, pfc_headroom

from .derivation import nonnegative
from .induction import Log, induction, recorded, traces
from .memory import Step, Switch, arrivals, departures, prove, switches

ZERO = Fraction(0)


def _longer_and_still_paused(step: Step) -> PathCondition:
    """Whether the arrival itself leaves x paused, and lengthens it by no less than it adds to its headroom."""
    old, new = step.before, step.after
    longer = Unknown.of(new.ingress["x"]) - old.ingress["x"]
    beyond = Unknown.of(new.beyond["x"]) - old.beyond["x"]
    return all_of("x" in new.paused, longer >= beyond, beyond >= 0, same(new.ingress["y"], old.ingress["y"]))


def _still_paused(switch: Switch, more: Sequence[Any] = (ZERO, ZERO, ZERO)) -> tuple[bool, Any]:
    """Whether the rule that ends pauses leaves x paused, with more in x, its headroom, and y; and x's threshold."""
    state = switch.state()
    state.ingress["x"] += more[0]
    state.beyond["x"] += more[1]
    state.ingress["y"] += more[2]
    _resume(state)
    return "x" in state.paused, state.threshold("x")


def _second_threshold(switch: Switch, still: bool, threshold: Any) -> PathCondition:
    """Whether x stays paused exactly above its pausing threshold less the distance, and above 0."""
    Q, below = switch.real("Q", "resume_below")
    above = all_of(Q > 0, threshold - below < Q)
    return above if still else ~above


def _no_more_than(arrived: Unknown, step: Step) -> PathCondition:
    return Unknown.of(step.after.beyond["x"]) <= arrived


ONE = Fraction(1)


@evidence("l2bm.sec3d.pause.enqueue", "l2bm.sec3b.qout-immediate", form="printed", strength="symbolic")
def the_estimate_is_made_of_length_and_rate_alone() -> Outcome:
    """Line 8's first term is Q_out / mu, positive since Q_out contains the packet; an earlier pause changes nothing."""
    length, own, mu = sympy.symbols("length own mu", positive=True)
    certificate = nonnegative((length + own) / mu, strict=True)
    paused = run_trace(request(["pause", "0"], arrive("1", "x", "1")))["final"]["total"]
    check(paused == run_trace(request(arrive("1", "x", "1")))["final"]["total"], "the pause shows")
    return Proved(certificate, {"Q": "3", "mu": "1", "s": "3"}, ["s == Q / mu"])


@evidence("l2bm.sec3d.pause.fewer", form="assumed", strength="symbolic")
def later_departures_alone_only_lower_the_recorded_average() -> Outcome:
    """The identity holds sum (D - a): later a, same D, lower total; every pair of short traces; then C / tau grows."""
    induction()
    same: dict[Log, set[Fraction]] = {}
    for log in traces():
        arrivals = tuple(event for event in log if event[0] == "arrive")
        gone = tuple(sorted(("depart", Fraction(0), due) for what, _, due in log if what == "depart"))
        late = sum((now for what, now, _ in log if what == "depart"), Fraction(0))
        same.setdefault((*arrivals, *gone), set()).add(recorded(log).total + late)
    check(all(len(totals) == 1 for totals in same.values()), "the total depends on more than the departure times")
    C, tau, lost = sympy.symbols("C tau lost", positive=True)
    certificate = nonnegative(C / tau - C / (tau + lost))
    return Proved(certificate, {"C": "4", "tau": "3", "paused": "1"}, ["C / paused >= C / tau"])


@evidence("l2bm.sec2a.resume", form="printed", strength="smt")
def no_arrival_ends_a_pause() -> Outcome:
    """A paused x is longer than its second threshold after every event; an arrival lengthens it and lowers that.

    The arrival is x's own, or y's, which only takes from the pool; the second threshold is below the pausing one.
    """
    for switch in switches():
        if not switch.lossless:
            continue
        waiting = list(every_path(partial(_still_paused, switch)))
        above = [(path.condition, _second_threshold(switch, *path.result)) for path in waiting]
        switch.given.prove_each(above, switch.hypotheses(), "QF_NRA")
        paused = all_of(*(implies(path.condition, path.result[0]) for path in waiting))
        prove(switch, arrivals(switch), _longer_and_still_paused)
        more: list[Any] = switch.real("x_more", "x_beyond_more", "y_more")
        longer = [*(number >= 0 for number in more), more[1] <= more[0]]
        others = every_path(partial(_still_paused, switch, more))
        later = [(path.condition, path.result[0]) for path in others]
        found = switch.given.prove_each(later, [*switch.hypotheses(), paused, *longer], "QF_NRA")
    return found.proved("a queue that is paused before an arrival is paused after it")


@evidence("l2bm.ours.headroom", form="printed", strength="symbolic")
@evidence("l2bm.sec2a.headroom-size", form="assumed", strength="symbolic")
def no_more_than_the_headroom_arrives() -> Outcome:
    """With frames under way for s and r the headroom exceeds what arrives by C (s + r) >= 0, 0 in the worst case."""
    C, p, react, Ms, Mr, F, s, r = sympy.symbols("C p react M_s M_r F s r", nonnegative=True)
    stops = Mr / C - r + F / C + p + react + Ms / C - s
    bound = 2 * C * p + C * react + Ms + Mr + F
    check(sympy.simplify(bound - C * (stops + p) - C * (s + r)) == 0, "the difference")
    for rate, wire in product((1, 3), (0, 2)):
        link = Link(Fraction(rate), Fraction(wire), ONE, 4 * ONE, 5 * ONE, ONE)
        check(arrived_after(link, Fraction(0), Fraction(0)) == pfc_headroom(link), "not attained")
        check(pfc_headroom(link) - arrived_after(link, ONE / 2, ONE) == rate * Fraction(3, 2), "the difference")
    return Proved("H - arrived = C (s + r)", {"C": "1", "p": "1", "M": "2", "H": "4"}, ["H == 2*C*p + M"])


@evidence("l2bm.abstract.lossless", "l2bm.sec2b.dual-guarantee", form="assumed", strength="smt")
def free_headroom_takes_all_that_follows_a_pause() -> Outcome:
    """Headroom bytes <= arrived since the pause <= headroom: every path admits it and keeps the first relation.

    An egress queue with a limit has room for the packet. In `arrived` are the headroom bytes that the pause found, too.
    """
    for switch in switches():
        if not switch.lossless:
            continue
        arrived, size, beyond, headroom = switch.real("arrived", "size", "beyond", "headroom")
        enough = [beyond <= arrived, arrived + size <= headroom]
        if switch.egress_limited:
            A, E, egress_pool, alpha_a = switch.real("A", "E", "egress_pool", "alpha_a")
            enough += [A + size <= alpha_a * (egress_pool - A - E), size <= egress_pool - A - E]

        def rule(step: Step, arrived: Unknown = arrived, size: Unknown = size) -> PathCondition:
            return (step.after.beyond["x"] <= arrived + size) & (step.decision != "drop")

        found = prove(switch, arrivals(switch), rule, *enough)
        prove(switch, departures(switch), partial(_no_more_than, arrived), beyond <= arrived)
    return found.proved("no packet is dropped at the ingress while no more than the headroom has come")


@evidence("l2bm.sec2b.needs-pfc", form="printed", strength="smt")
def an_overloaded_queue_outgrows_every_buffer() -> Outcome:
    """What is offered less what is sent, q + (R - C) t, is at most B exactly until (B - q) / (R - C)."""
    B, C, R, q, t = sympy.symbols("B C R q t", real=True)
    given = [B > 0, C > 0, R > C, q >= 0, q <= B, t >= 0]
    smt.prove([*given, (R - C) * t > B - q], q + (R - C) * t > B)
    found = smt.prove([*given, (R - C) * t <= B - q], q + (R - C) * t <= B)
    return found.proved("from (B - q) / (R - C) on bytes are lost, and none before")
