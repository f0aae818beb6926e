"""Complete sharing: the switch admits everything until the buffer is full; then every queue admits the same fraction p.

While sum Q < B every queue changes at R_i - C_i; at B, p is the largest in [0, 1] for which the total does not grow,
or 0 if no byte leaves (`dtmodel.fluid.engine`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from dtmodel.policies.admission import Account, Admission, ThresholdAdmission
from dtmodel.policies.memory import Changes, Form, Memory, Number, State, Total
from dtmodel.policies.policy import Configured, Part, WithoutThresholds
from dtmodel.policies.setting import PolicySetting


@final
@dataclass(frozen=True)
class CompleteSharing(WithoutThresholds):
    """Everything is admitted until the buffer is full, then an equal fraction of the arrivals of each queue.

    Examples
    --------
    >>> from dtmodel import Arrivals, Switch, simulate
    >>> run = simulate(Switch(2, 6, 1), CompleteSharing(), {0: Arrivals.constant(3)}, until=4)
    >>> str(run.first_drop(0)), str(run.free_at_first_drop(0))
    ('3', '0')
    """

    def memory(self, part: Part, number: type[Number]) -> Memory[Number]:
        """Return the memory that computes the fraction admitted by a full buffer."""
        return FullBuffer(number)

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return an admission without thresholds: a full buffer thins flows, not packets."""
        return ThresholdAdmission(self.thresholds(ports))

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Start with a full buffer that the N overloaded ports share equally, where overload leads."""
        if not setting.steady:
            return (Configured("complete sharing", "", cls()),)
        note = "without thresholds no queue is steady: the overloaded ports begin with the full buffer between them"
        return (Configured("complete sharing", "", cls(), held=setting.buffer / setting.steady, note=note),)


@final
class FullBuffer(Memory[Number]):
    """Thins the arrivals while the buffer is full; of the other queues it keeps the sums of C_i and R_i."""

    continuous = True

    def __init__(self, number: type[Number]) -> None:
        self._rates: Total[Number] = Total(number)
        self._offered: Total[Number] = Total(number)
        self._idle: set[int] = set()
        self._changed: set[int] = set()

    def form(self) -> Form:
        """Return the form of complete sharing, which has no parameters."""
        return Form("complete")

    def wakes(self, state: State[Number]) -> tuple[Number, ...]:
        """Return no instant: the engine itself stops when the buffer becomes full."""
        return ()

    def act(self, state: State[Number]) -> Changes[Number]:
        """Change nothing: complete sharing has no thresholds."""
        return {}

    def admitted(self, state: State[Number]) -> Number | None:
        """Return the common fraction while the buffer is full."""
        self._changed.update(state.changed)
        if state.free > 0:
            return None
        for queue in sorted(self._changed.union(self._idle)):
            self._count(queue, state)
        self._changed.clear()
        rates: list[Number] = [self._rates.value]
        offered: list[Number] = [self._offered.value]
        for queue in sorted(self._idle):
            rates.append(state.counts[queue] * state.rates[queue])
            offered.append(state.counts[queue] * state.offered[queue])
        return admitted_fraction(rates, offered, [False] + [True] * len(self._idle))

    def _count(self, queue: int, state: State[Number]) -> None:
        """Add a queue to the sums unless it is empty; note it if a part of its arrivals could make it grow."""
        count, rate, offered = state.counts[queue], state.rates[queue], state.offered[queue]
        empty = state.empty(queue)
        (self._idle.add if empty and offered > rate else self._idle.discard)(queue)
        self._rates.put(queue, rate - rate if empty else count * rate)
        self._offered.put(queue, rate - rate if empty else count * offered)


def admitted_fraction(
    rates: Sequence[Number], offered: Sequence[Number], empty: Sequence[bool], full: Sequence[bool] = ()
) -> Number | None:
    """Return the largest p below 1 for which queues that admit p R_i each do not grow in total; None if p = 1.

    An empty queue grows only for p above C_i / R_i; one at its static limit, in `full`, shrinks only below. From p = 1
    down, at each C_i / R_i, an empty queue leaves the sums and one at its limit enters them, until p = sum C / sum R is
    at least the next.
    """
    served, wanted, kinks = _zero(rates), _zero(rates), []
    for rate, offer, idle, bound in zip(rates, offered, empty, full or [False] * len(rates), strict=True):
        if (idle and offer <= rate) or (bound and offer > rate):
            kinks += [(rate / offer, rate, offer)] if bound else []
            continue
        served, wanted = served + rate, wanted + offer
        if idle:
            kinks.append((rate / offer, -rate, -offer))
    if wanted <= served:
        return None
    for kink, rate, offer in sorted(kinks, reverse=True):
        if wanted <= -offer or served >= kink * wanted:
            break
        served, wanted = served + rate, wanted + offer
    return served / wanted


def _zero(rates: Sequence[Number]) -> Number:
    return rates[0] - rates[0]
