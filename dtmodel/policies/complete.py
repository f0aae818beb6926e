"""Complete sharing: everything is admitted until the buffer is full.

While sum Q < B every queue moves at R_i - C_i. While sum Q = B every queue admits the same fraction p of its arrivals,
the largest p in [0, 1] for which the total does not grow.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, final

from dtmodel.base.documents import only_keys
from dtmodel.base.units import Quantity
from dtmodel.policies.admission import Account, Admission, ThresholdAdmission
from dtmodel.policies.memory import Changes, Form, Memory, Number, State
from dtmodel.policies.policy import Configured, Part, Policy, refuse_alphas
from dtmodel.policies.setting import PolicySetting


@final
@dataclass(frozen=True)
class CompleteSharing(Policy):
    """No threshold: all is admitted until the buffer is full, then from every queue the same fraction.

    Examples
    --------
    >>> from dtmodel import Arrivals, Switch, simulate
    >>> run = simulate(Switch(2, 6, 1), CompleteSharing(), {0: Arrivals.constant(3)}, until=4)
    >>> str(run.first_drop(0)), str(run.free_at_first_drop(0))
    ('3', '0')
    """

    def thresholds(self, queues: int) -> tuple[None, ...]:
        """No threshold for any of the queues."""
        return (None,) * queues

    def memory(self, part: Part, number: type[Number]) -> Memory[Number]:
        """What finds the fraction that a full buffer admits."""
        del part, number
        return FullBuffer()

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """What decides on packets: no threshold, since a full buffer thins what flows and not packets."""
        del buffer, account
        return ThresholdAdmission(self.thresholds(ports))

    @classmethod
    def read(cls, document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> Self:
        """Make it from ``{"name": "complete"}``."""
        del queues
        only_keys(document, ("name",), "policy.")
        refuse_alphas(alphas)
        return cls()

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Let the overloaded ports begin with the full buffer between them: that is where overload leads."""
        if not setting.steady:
            return (Configured("complete sharing", "", cls()),)
        note = "without thresholds no queue is steady: the overloaded ports begin with the full buffer between them"
        return (Configured("complete sharing", "", cls(), held=setting.buffer / setting.steady, note=note),)


@final
class FullBuffer(Memory[Number]):
    """Thins what arrives while the buffer is full."""

    def form(self) -> Form:
        """A full buffer, which has no numbers of its own."""
        return Form("complete")

    def wakes(self, state: State[Number]) -> tuple[Number, ...]:
        """Never by itself: the engine says when the buffer is full."""
        del state
        return ()

    def act(self, state: State[Number]) -> Changes[Number]:
        """Change nothing: complete sharing has no thresholds."""
        del state
        return {}

    def admitted(self, state: State[Number]) -> Number | None:
        """Return the common fraction while the buffer is full."""
        if state.free > 0:
            return None
        return admitted_fraction(
            _together(state.counts, state.rates),
            _together(state.counts, state.offered),
            [state.empty(queue) for queue in range(len(state.rates))],
            state.decide,
        )


def admitted_fraction(
    rates: Sequence[Number],
    offered: Sequence[Number],
    empty: Sequence[bool],
    decide: Callable[[Number, Number], Number] = lambda difference, _: difference,
) -> Number | None:
    """The largest p below 1 for which the queues, admitting p R_i each, do not grow in total; None: p = 1.

    An empty queue grows from p = C_i / R_i on. From p = 1 downwards one such queue after the other drops out of the
    sums, until p = sum C / sum R of those that are left is not below the next of these points.

    `rates`, `offered`: C_i and R_i, in bytes per second. `empty`: which queues are. `decide`: takes a difference and
    what it is measured by, and returns its sign or 0, where rounding matters.

    >>> from fractions import Fraction as F
    >>> admitted_fraction([F(1), F(1)], [F(3), F(1)], [False, False])
    Fraction(1, 2)
    """
    served, wanted, kinks = _zero(rates), _zero(rates), []
    for rate, offer, idle in zip(rates, offered, empty, strict=True):
        if not idle or offer > rate:
            served, wanted = served + rate, wanted + offer
            if idle:
                kinks.append((rate / offer, rate, offer))
    if decide(wanted - served, served) <= 0:
        return None
    for kink, rate, offer in sorted(kinks, reverse=True):
        if wanted <= offer or decide(served - kink * wanted, served) >= 0:
            break
        served, wanted = served - rate, wanted - offer
    return served / wanted


def _together(counts: Sequence[Number], each: Sequence[Number]) -> list[Number]:
    """What identical queues have together; products with 1 cost as much as any."""
    return [value if count == 1 else count * value for count, value in zip(counts, each, strict=True)]


def _zero(rates: Sequence[Number]) -> Number:
    return rates[0] - rates[0]
