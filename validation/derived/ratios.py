"""Competitive ratios with unit packets, by the search for the worst cycle and its certificate."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from dtmodel import DT, LQD, ratio
from dtmodel.ledger import Agrees, check, evidence
from dtmodel.policies import Admission, Credence, Harmonic, Policy, Steps
from dtmodel.studies.competitive import synthesize

ONE = Fraction(1)


BOUND = {B: Fraction(6 * B - 6, 4 * B - 5) if B % 3 == 2 else Fraction(3, 2) for B in range(2, 13)}
"""The ratio of the policy of thirds by the buffer."""


def _thirds(buffer: int) -> Steps:
    """Return the policy of thirds: a packet enters if its queue is short enough, or both are."""
    return Steps([buffer - buffer // 3], [buffer // 3])


Decisions = dict[tuple[tuple[int, int], int], bool]
"""For lengths of the queues and the port of a packet, True if it enters."""


@dataclass(frozen=True)
class _Decided(Policy):
    """A policy without memory: some decisions are given, the others are those of another policy."""

    decisions: Decisions
    others: Policy

    def thresholds(self, queues: int) -> tuple[None, ...]:
        """Return None for each queue."""
        return (None,) * queues

    def admission(self, ports: int, buffer: Any, account: Any) -> Admission:
        """Return an admission that looks decisions up."""
        return _Lookup(self.decisions, self.others.admission(ports, buffer, account))


class _Lookup(Admission):
    def __init__(self, decisions: Decisions, others: Admission) -> None:
        self.decisions, self.others = decisions, others

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        key = (self.lengths[0], self.lengths[1]), port
        return self.decisions[key] if key in self.decisions else self.others.admits(port, length, free, now)


def _all_are(cases: Iterator[tuple[Policy, int, int, Fraction]], said: str) -> Agrees:
    """Compare ratios, each of which is strict, with those that a statement says."""
    number = 0
    for policy, ports, buffer, expected in cases:
        found = ratio(policy, ports=ports, buffer=buffer)
        check(found.additive == 0, f"{policy}, N = {ports}, B = {buffer}: additive constant {found.additive}")
        check(found.ratio == expected, f"{policy}, N = {ports}, B = {buffer}: {found.ratio}, not {expected}")
        number += 1
    return Agrees(number, said)


@evidence("derived.ours.ratio-any-ports", form="printed", strength="exact")
def dt_exceeds_the_bound_for_any_ports_nowhere() -> Agrees:
    """N = 2 and 3, four alphas and buffers of up to 5 packets: at least one burst, at most the bound."""
    number = 0
    for ports in (2, 3):
        for alpha in (Fraction(1, 3), ONE, 2 * ONE, 5 * ONE):
            for buffer in range(1, 6):
                burst = Fraction(buffer, ceil(alpha * buffer / (1 + alpha)))
                found = ratio(DT(alpha), ports=ports, buffer=buffer).ratio
                check(found is not None and burst <= found <= max(burst, ports), f"{alpha}, {ports}, {buffer}: {found}")
                number += 1
    return Agrees(number, "switches")


@evidence("derived.ours.ratio-credence", form="printed", strength="exact")
def wrong_predictions_cost_credence_no_more_than_the_ports() -> Agrees:
    """N = 2 and 3, both constant predictions and buffers of up to 5 packets."""
    cases = [(N, B, said) for N, most in ((2, 5), (3, 3)) for B in range(1, most + 1) for said in ("sent", "lost")]
    for ports, buffer, prediction in cases:
        found = ratio(Credence(prediction), ports=ports, buffer=buffer).ratio
        check(found is not None and found <= ports, f"{prediction}, N = {ports}, B = {buffer}: {found}")
    return Agrees(len(cases), "switches")


@evidence("derived.ours.ratio-dt-two-ports", form="printed", strength="exact")
def the_worst_cycle_of_dt_at_two_ports_is_one_burst() -> Agrees:
    """Four alphas up to 1 and buffers of up to 11 packets."""
    alphas = (Fraction(1, 3), Fraction(1, 2), Fraction(3, 4), ONE)
    cases = ((alpha, buffer) for alpha in alphas for buffer in range(1, 12))
    burst = ((DT(alpha), 2, B, Fraction(B, ceil(alpha * B / (1 + alpha)))) for alpha, B in cases)
    return _all_are(burst, "switches, ==")


@evidence("derived.ours.ratio-harmonic-two-ports", form="printed", strength="exact")
def the_worst_cycle_of_harmonic_at_two_ports_is_one_burst() -> Agrees:
    """Buffers of 2 to 14 packets."""
    return _all_are(((Harmonic(), 2, B, Fraction(B, 2 * B // 3)) for B in range(2, 15)), "buffers, ==")


@evidence("derived.ours.ratio-thirds", form="printed", strength="exact")
def the_ratio_of_thirds_is_its_bound() -> Agrees:
    """Buffers of 2 to 12 packets."""
    return _all_are(((_thirds(B), 2, B, bound) for B, bound in BOUND.items()), "buffers, ==")


def _cycle(decisions: Decisions, buffer: int, bound: Fraction) -> Decisions:
    """Return the decisions on arrivals that are as bad as a `bound`, under the policy of thirds except for `decisions`.

    The result is empty if no arrivals are as bad.
    """
    found = ratio(_Decided(decisions, _thirds(buffer)), ports=2, buffer=buffer)
    if found.ratio is not None and found.ratio < bound:
        return {}
    lengths, asked = [0, 0], Decisions()
    for slot in (*found.prefix, *found.cycle):
        for port, admitted, *_ in slot.arrivals:
            if sum(lengths) < buffer:
                asked[(lengths[0], lengths[1]), port] = admitted
            lengths[port] += admitted
        lengths = [max(length - 1, 0) for length in lengths]
    return asked


@evidence("derived.ours.ratio-no-push-out", form="printed", strength="exact")
def no_policy_without_memory_is_better_than_thirds() -> Agrees:
    """Every policy that decides by the two lengths has arrivals that are as bad, for buffers of 2 to 7 packets."""
    number = 0
    for buffer in range(2, 8):
        waiting = [Decisions()]
        while waiting:
            fixed = waiting.pop()
            asked = _cycle(fixed, buffer, BOUND[buffer])
            check(bool(asked), f"B = {buffer}: {fixed} is better")
            number += 1
            kept = dict(fixed)
            for each, admitted in asked.items():
                if each not in fixed:
                    waiting.append({**kept, each: not admitted})
                    kept[each] = admitted
    return Agrees(number, "sets of policies")


@evidence("derived.ours.ratio-least-threshold", form="printed", strength="exact")
def no_threshold_policy_is_better_than_the_found_one() -> Agrees:
    """N = 3 with buffers of 3 to 7 packets, N = 2 with 2 to 8."""
    least = {(3, 3): Fraction(3, 2), (3, 4): Fraction(5, 3), (3, 5): Fraction(5, 3), (3, 6): Fraction(8, 5),
             (3, 7): Fraction(7, 4), **{(2, B): BOUND[B] for B in range(2, 9)}}  # fmt: skip
    for (ports, buffer), value in least.items():
        found = synthesize(ports=ports, buffer=buffer).least.ratio
        check(found == value, f"N = {ports}, B = {buffer}: {found}, not {value}")
    return Agrees(len(least), "switches, ==")


@evidence("derived.ours.ratio-lqd", form="printed", strength="exact")
def the_ratio_of_longest_queue_drop_follows_the_formula() -> Agrees:
    """Buffers of 2 to 18 packets."""
    formula = ((LQD(), 2, B, Fraction(4, 3) if B % 2 else Fraction(4 * B - 4, 3 * B - 2)) for B in range(2, 19))
    return _all_are(formula, "buffers, ==")


@evidence("derived.ours.ratio-published", form="printed", strength="exact")
def single_switches_have_less_than_the_lower_bounds() -> Agrees:
    """LQD for N = 2 and B = 2 to 18, and for N = 3 and B = 3 to 8; odd B for N = 2 against the published value."""
    switches = [(2, B) for B in range(2, 19)] + [(3, B) for B in range(3, 9)]
    for ports, buffer in switches:
        found = ratio(LQD(), ports=ports, buffer=buffer).ratio
        check(found is not None and found <= Fraction(4, 3), f"N = {ports}, B = {buffer}: {found}")
        published = Fraction(4 * buffer - 4, 3 * buffer - 2)
        check(ports > 2 or (found != published) == bool(buffer % 2), f"B = {buffer}: {found}")
    check(Fraction(4, 3) ** 2 < 2, "4/3 is below the root of 2")
    return Agrees(len(switches), "switches")


@evidence("derived.ours.ratio-harmonic", form="printed", strength="exact")
def the_worst_cycle_of_harmonic_is_one_burst() -> Agrees:
    """N = 3 with buffers of 2 to 9 packets, N = 4 with 3 to 6."""
    switches = [(3, B) for B in range(2, 10)] + [(4, B) for B in range(3, 7)]
    sums = {3: Fraction(11, 6), 4: Fraction(25, 12)}
    return _all_are(((Harmonic(), N, B, Fraction(B, int(B / sums[N]))) for N, B in switches), "switches, ==")


@evidence("derived.ours.ratio-beyond", form="printed", strength="exact")
def one_burst_is_not_the_worst_beyond() -> Agrees:
    """The two switches of the statement."""
    cases: list[tuple[Policy, int, int, Fraction]] = [(DT(1), 3, 7, Fraction(9, 5)), (DT(2), 2, 20, Fraction(38, 23))]
    return _all_are(iter(cases), "switches, ==")
