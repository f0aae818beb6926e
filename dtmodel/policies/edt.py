"""Enhanced Dynamic Threshold (DT/EDT paper, Section 4): counters, timers and the overflow signal.

Every queue is controlled (with DT's threshold T_1 = alpha F) or uncontrolled (T_2 = B / n, where n is the number of
uncontrolled queues). In the fluid model a controlled queue counts its growth in c2 while it loses nothing. The events
of one instant happen in this order:

1. arrivals change; 2. an uncontrolled queue with R < C becomes controlled; 3. TM2 expires; 4. a queue whose c2 reaches
cn2 while R > C becomes uncontrolled and starts TM2; 5. TM1 expires and resets c2; 6. the buffer overflows, and every
queue becomes controlled; 7. queues meet their thresholds, and a controlled queue that loses bytes resets its c2.

With packets, the circuit in the paper decides (`dtmodel.policies.edt_circuit`). The counters and timers run on any
numbers; for certificates of derived theorems and in compiled code they are written again (`dtmodel.derive`, `native/`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import Any, final

from dtmodel.base import units
from dtmodel.base.units import Quantity
from dtmodel.policies.admission import Account, Admission
from dtmodel.policies.edt_circuit import CircuitSettings, EdtPolicy
from dtmodel.policies.formulas import edt_counting_number, edt_growth_timer, uncontrolled_share
from dtmodel.policies.memory import Changes, Form, Memory, Number, State
from dtmodel.policies.parameters import Parameter
from dtmodel.policies.policy import Configured, Part, Policy
from dtmodel.policies.setting import PolicySetting
from dtmodel.policies.threshold import Threshold


@final
@dataclass(frozen=True, init=False)
class EDT(Policy):
    """Enhanced Dynamic Threshold: DT while controlled, T = B / n for n uncontrolled queues (DT/EDT paper, Section 4).

    Parameters
    ----------
    alpha : quantity or sequence of quantities
        The control parameter, as for `DT`.
    cn2 : quantity
        The counting number of C2 in bytes, greater than 0: the growth without a loss that makes a queue uncontrolled.
    tm1, tm2 : quantity or None
        The durations of the timers TM1 and TM2 in seconds, greater than 0; None if the timer never expires.

    Raises
    ------
    InputError
        If a value is not accepted.

    Examples
    --------
    >>> EDT(alpha=1, cn2="12 KB", tm1="2.1 ms", tm2="10 ms").tm2
    Fraction(1, 100)
    """

    alpha: Fraction | tuple[Fraction, ...]
    cn2: Fraction
    tm1: Fraction | None
    tm2: Fraction | None
    parameters = (
        Parameter("alpha", many="either", default=1),
        Parameter("cn2", "bytes"),
        Parameter("tm1", "s", default=None),
        Parameter("tm2", "s", default=None),
    )

    def __init__(
        self,
        alpha: Quantity | Sequence[Quantity],
        cn2: Quantity,
        tm1: Quantity | None = None,
        tm2: Quantity | None = None,
    ) -> None:
        self._take(alpha=alpha, cn2=cn2, tm1=tm1, tm2=tm2)

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        """Return the thresholds of `queues` queues in the controlled state, in order."""
        return tuple(map(Threshold, self.each("alpha", queues)))

    def memory(self, part: Part, number: type[Number]) -> CountersAndTimers[Number]:
        """Return the counters and timers of all queues, at 0."""
        limits = self.thresholds(len(part.queues))
        tm1, tm2 = (None if timer is None else number(timer) for timer in (self.tm1, self.tm2))
        alphas: list[Number] = [number(limit.slope) for limit in limits]
        return CountersAndTimers(alphas, number(self.cn2), tm1, tm2)

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return the circuit in the paper, with cn1 = 3."""
        number = float if type(buffer) is float else Fraction
        cn2, tm1, tm2 = (None if value is None else number(value) for value in (self.cn2, self.tm1, self.tm2))
        alphas = [number(limit.slope) for limit in self.thresholds(ports)]
        circuit = EdtPolicy(CircuitSettings(alphas[0], 3, cn2, tm1, tm2), ports, buffer, account)
        for port, alpha in zip(circuit.ports, alphas, strict=True):
            port.settings = replace(port.settings, alpha=alpha)
        return circuit

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Set cn2 by equation (73) of the paper, TM1 by (78), TM2 = d, and d by (81) with bursts of at least 2 C."""
        alpha, d = setting.alpha, max(setting.buffer / setting.rate, setting.duration)
        cn2 = Fraction(edt_counting_number(alpha, setting.buffer, setting.ports))
        tm1 = Fraction(edt_growth_timer(alpha, setting.ports, d))
        numbers = f"cn2 = {units.show_bytes(cn2)}, TM1 = {units.show_seconds(tm1)}, TM2 = {units.show_seconds(d)}"
        said = f"alpha = {units.plain(alpha)}, {numbers}"
        return (Configured("EDT", said, cls(alpha, cn2, tm1, d), "edt.ours.drop-time"),)


@final
class CountersAndTimers(Memory[Number]):
    """The state of every queue in the fluid model, its counter c2 and its timers.

    `alphas`: of each queue. `cn2`: the counting number of C2, in bytes. `tm1`, `tm2`: the durations of TM1 and TM2 in
    seconds; None if the timer never expires. `uncontrolled`: the queues that are uncontrolled now. `overflows`: the
    instants at which the buffer overflowed.
    """

    def __init__(
        self, alphas: Sequence[Number], cn2: Number, tm1: Number | None = None, tm2: Number | None = None
    ) -> None:
        self.zero: Number = cn2 - cn2
        self.alphas: list[Number] = list(alphas)
        self.cn2: Number = cn2
        self.tm1: Number | None = tm1
        self.tm2: Number | None = tm2
        self.uncontrolled: set[int] = set()
        self.overflows: list[Number] = []
        self.c2: list[Number] = [self.zero for _ in alphas]
        self.tm1_ends: dict[int, Number] = {}
        self.tm2_ends: dict[int, Number] = {}
        self._reached: dict[int, Number] = {}
        self._vain: set[int] = set()
        self._owed: dict[int, tuple[Number, Number, Number]] = {}

    def form(self) -> Form:
        """Return cn2, TM1 and TM2."""
        tm1, tm2 = (inf if timer is None else timer for timer in (self.tm1, self.tm2))
        return Form("counters", self.cn2, tm1, tm2)

    def wakes(self, state: State[Number]) -> list[Number]:
        """Return the instants at which timers expire and counters reach cn2, once for queues of one kind."""
        self._look_ahead(state)
        counting = {queue: end for queue, end in self.tm1_ends.items() if queue not in self._vain}
        kinds = state.kinds
        return [
            instant
            for instants in (counting, self.tm2_ends, self._reached)
            for _, instant in {(kinds[queue], instant) for queue, instant in instants.items()}
        ]

    def act(self, state: State[Number]) -> Changes[Number]:
        """Apply events 2 to 5 of an instant, and return the thresholds that change."""
        now, offered, rates = state.now, state.offered, state.rates
        expired = {queue for queue, end in self.tm2_ends.items() if end <= now}
        ended = {queue for queue in self.uncontrolled if offered[queue] < rates[queue]}
        counted = {
            queue
            for queue, count in enumerate(self.c2)
            if count and count >= self.cn2 and offered[queue] > rates[queue] and queue not in self.uncontrolled
        }
        changes = {}
        if ended or expired or counted:
            changes = self._change(state, (self.uncontrolled - ended - expired) | counted)
        for queue in [queue for queue, end in self.tm1_ends.items() if end <= now]:
            self._reset(queue)
        return changes

    def settled(self, state: State[Number]) -> Changes[Number]:
        """Apply the events that the new phase causes.

        If the buffer overflows, every queue becomes controlled. Otherwise drops reset c2, and growth starts TM1.
        """
        if self._overflows(state):
            self.overflows.append(state.now)
            return self._change(state, set())
        for queue in self._counting(state):
            if state.rejects(queue):
                self._reset(queue)
                continue
            if queue in self._owed:
                self._restart(queue, *self._owed.pop(queue), state.now)
            if self.tm1 is not None and queue not in self.tm1_ends and state.slope(queue) > 0:
                self.tm1_ends[queue] = state.now + self.tm1
        return {}

    def passed(self, state: State[Number], begin: Number) -> None:
        """Add the growth of the phase to the counters."""
        now, step = state.now, state.now - begin
        for queue in self._counting(state):
            if state.rejects(queue):
                continue
            slope, count = state.slope(queue), self.c2[queue]
            grown = count + slope * step
            if slope < 0 < count:
                state.decide(grown, state.buffer)
            self.c2[queue] = max(grown, self.zero)
            if queue in self._vain:
                self._owed[queue] = (grown, slope, self.tm1_ends.pop(queue))
                self.c2[queue] = self.zero
                continue
            if self._reached.get(queue) == now:
                self.c2[queue] = self.cn2
            elif self.c2[queue] <= 0:
                self._reset(queue)

    def _counting(self, state: State[Number]) -> list[int]:
        """Return the controlled queues that count or may begin to; with c2 = 0 and no arrivals a queue does not."""
        return [
            queue
            for queue, count in enumerate(self.c2)
            if queue not in self.uncontrolled
            and (count or state.offered[queue] or queue in self.tm1_ends or queue in self._owed)
        ]

    def _look_ahead(self, state: State[Number]) -> None:
        """Find the instant at which each rising counter reaches cn2, and the queues that grow in vain.

        A queue grows in vain if its TM1 expires first, now and, at this growth, again and again.
        """
        self._reached, self._vain = {}, set()
        for queue in self._counting(state):
            if state.rejects(queue):
                continue
            slope, count = state.slope(queue), self.c2[queue]
            if slope <= 0:
                continue
            time = state.now + (self.cn2 - count) / slope
            end = self.tm1_ends.get(queue)
            in_vain = (
                end is not None
                and self.tm1 is not None
                and time > end
                and state.decide(slope * self.tm1 - self.cn2, self.cn2) < 0
            )
            if in_vain:
                self._vain.add(queue)
            else:
                self._reached[queue] = time

    def _restart(self, queue: int, grown: Number, slope: Number, end: Number, now: Number) -> None:
        """Set c2 and TM1 of a queue that grew in vain to their present values; a loss would reset them anyway."""
        assert self.tm1 is not None
        since = now - end
        if since > 0:
            since = since % self.tm1
            grown, end = slope * since, now + self.tm1 - since
        if since:
            self.c2[queue], self.tm1_ends[queue] = grown, end

    def _overflows(self, state: State[Number]) -> bool:
        if state.free > 0 or not self.uncontrolled:
            return False
        return state.decide(state.free_slope, max(state.rates)) < 0 or any(
            state.rejects(queue) for queue in self.uncontrolled
        )

    def _reset(self, queue: int) -> None:
        self.c2[queue] = self.zero
        self.tm1_ends.pop(queue, None)
        self._owed.pop(queue, None)

    def _change(self, state: State[Number], uncontrolled: set[int]) -> dict[int, tuple[Number, Number]]:
        """Make exactly these queues uncontrolled, and return the thresholds that change."""
        changes = {}
        for queue in self.uncontrolled - uncontrolled:
            self.tm2_ends.pop(queue, None)
            changes[queue] = (self.alphas[queue], self.zero)
        for queue in uncontrolled - self.uncontrolled:
            self._reset(queue)
            if self.tm2 is not None:
                self.tm2_ends[queue] = state.now + self.tm2
        self.uncontrolled = uncontrolled
        together = sum((state.counts[queue] for queue in uncontrolled), self.zero)
        for queue in uncontrolled:
            changes[queue] = (self.zero, uncontrolled_share(state.buffer, together))
        return changes
