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
from dtmodel.policies.memory import Alarms, Changes, Form, Memory, Number, State
from dtmodel.policies.parameters import PolicyParameter
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
        PolicyParameter("alpha", many="either", default=1),
        PolicyParameter("cn2", "bytes"),
        PolicyParameter("tm1", "s", default=None),
        PolicyParameter("tm2", "s", default=None),
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
    """The state, counter c2 and timers of every queue; a count is a line in time until the queue's motion changes.

    `overflows` has the instants of overflows of the buffer; `expired` is True if a timer expired in the last `act`.
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
        self.expired = False
        self.c2: dict[int, Number] = {}  # the counts other than 0 of the queues without a line
        self._lines: dict[int, tuple[Number, Number, Number]] = {}  # an instant, the count then, and its growth rate
        self._full: Alarms[Number] = Alarms()  # the instants at which counters reach cn2
        self._tm1_ends: Alarms[Number] = Alarms()
        self._tm2_ends: Alarms[Number] = Alarms()
        self._vain: dict[int, Number] = {}  # the end of TM1 of each queue that grows in vain
        self._owed: dict[int, tuple[Number, Number, Number]] = {}
        self._restarted: set[int] = set()

    def form(self) -> Form:
        """Return cn2, TM1 and TM2."""
        tm1, tm2 = (inf if timer is None else timer for timer in (self.tm1, self.tm2))
        return Form("counters", self.cn2, tm1, tm2)

    def state(self, now: Number) -> list[tuple[Any, ...]]:
        """Return for each queue whether it is uncontrolled, its count, and the time that is left on its timers."""
        found = list[tuple[Any, ...]]()
        for queue in range(len(self.alphas)):
            begin, count, slope = self._lines.get(queue, (now, self.c2.get(queue, self.zero), self.zero))
            ends = self._tm1_ends.get(queue), self._vain.get(queue), self._tm2_ends.get(queue)
            left: list[Any] = [None if end is None else end - now for end in ends]
            found.append((queue in self.uncontrolled, count + slope * (now - begin), *left))
        return found

    def wakes(self, state: State[Number]) -> list[Number]:
        """Return the instants at which timers expire and counters reach cn2; of exact instants the first of each."""
        while (queue := self._tm1_ends.next()) is not None and self._fallen(queue, state.now):
            self._reset(queue)
        return [instant for alarms in (self._tm1_ends, self._tm2_ends, self._full) for instant in alarms.instants()]

    def act(self, state: State[Number]) -> Changes[Number]:
        """Apply events 2 to 5 of an instant, and return the thresholds that change."""
        now, offered, rates, changed = state.now, state.offered, state.rates, {*state.changed}
        reached = self._full.taken(now)
        for queue in reached:
            self._lines.pop(queue)
            self.c2[queue] = self.cn2
        for queue in changed:
            self._stop(queue, now)
        over, expired = self._tm1_ends.taken(now), self._tm2_ends.taken(now)
        self.expired = bool(over or expired)
        ended = {queue for queue in self.uncontrolled & changed if offered[queue] < rates[queue]}
        counted = {
            queue
            for queue in changed.union(reached) - self.uncontrolled
            if queue in self.c2 and self.c2[queue] >= self.cn2 and offered[queue] > rates[queue]
        }
        changes = {}
        if ended or expired or counted:
            changes = self._change(state, self.uncontrolled.difference(ended, expired) | counted)
        for queue in over:
            self._reset(queue)
        self._restarted.update(reached, over)
        return changes

    def settled(self, state: State[Number]) -> Changes[Number]:
        """Apply the events of a phase: an overflow controls every queue; else drops reset c2, growth starts TM1."""
        if self._overflows(state):
            self.overflows.append(state.now)
            return self._change(state, set())
        for queue in sorted({*state.changed, *self._restarted} - self.uncontrolled):
            self._stop(queue, state.now)
            if queue in self.c2 or state.offered[queue] or queue in self._tm1_ends or queue in self._owed:
                self._start(queue, state)
        self._restarted.clear()
        return {}

    def _start(self, queue: int, state: State[Number]) -> None:
        """Begin the line of a queue that counts or may begin to; with c2 = 0 and no arrivals a queue does not."""
        if state.rejects(queue):
            self._reset(queue)
            return
        now, slope = state.now, state.slope(queue)
        if queue in self._owed:
            self._restart(queue, *self._owed.pop(queue), now)
        count = self.c2.pop(queue, self.zero)
        self._lines[queue] = now, count, slope
        if slope > 0:
            if self.tm1 is not None and queue not in self._tm1_ends:
                self._tm1_ends[queue] = now + self.tm1
            self._look_ahead(queue, now + (self.cn2 - count) / slope, slope)

    def _look_ahead(self, queue: int, time: Number, slope: Number) -> None:
        """Note the `time` at which a rising counter reaches cn2, unless TM1 expires first, now and again."""
        end = self._tm1_ends.get(queue)
        if end is not None and self.tm1 is not None and time > end and slope * self.tm1 < self.cn2:
            self._vain[queue] = end
            self._tm1_ends.pop(queue)
        else:
            self._full[queue] = time

    def _stop(self, queue: int, now: Number) -> None:
        """End the line of a queue, and set c2 to its value."""
        if queue not in self._lines:
            return
        begin, count, slope = self._lines.pop(queue)
        grown, end = count + slope * (now - begin), self._vain.pop(queue, None)
        self._full.pop(queue)
        if end is not None:
            self._owed[queue] = (grown, slope, end)
        elif grown <= 0:
            self._reset(queue)
        else:
            self.c2[queue] = grown

    def _restart(self, queue: int, grown: Number, slope: Number, end: Number, now: Number) -> None:
        """Set c2 and TM1 of a queue that grew in vain to their present values; a loss would reset them anyway."""
        assert self.tm1 is not None
        since = now - end
        if since > 0:
            since = since % self.tm1
            grown, end = slope * since, now + self.tm1 - since
        if since:
            self.c2[queue], self._tm1_ends[queue] = grown, end

    def _fallen(self, queue: int, now: Number) -> bool:
        """Return True if a count has fallen to 0 along its line."""
        begin, count, slope = self._lines.get(queue, (now, self.zero, self.zero))
        return begin != now and count + slope * (now - begin) <= 0

    def _overflows(self, state: State[Number]) -> bool:
        if state.free > 0 or not self.uncontrolled:
            return False
        return state.free_slope < 0 or any(state.rejects(queue) for queue in self.uncontrolled)

    def _reset(self, queue: int) -> None:
        for kept in (self.c2, self._lines, self._vain, self._owed):
            kept.pop(queue, None)
        for alarms in (self._full, self._tm1_ends):
            alarms.pop(queue)

    def _change(self, state: State[Number], uncontrolled: set[int]) -> dict[int, tuple[Number, Number]]:
        """Make exactly these queues uncontrolled, and return the thresholds that change."""
        changes = {}
        for queue in self.uncontrolled - uncontrolled:
            self._tm2_ends.pop(queue)
            self._restarted.add(queue)
            changes[queue] = (self.alphas[queue], self.zero)
        for queue in uncontrolled - self.uncontrolled:
            self._reset(queue)
            if self.tm2 is not None:
                self._tm2_ends[queue] = state.now + self.tm2
        self.uncontrolled = uncontrolled
        together = sum((state.counts[queue] for queue in uncontrolled), self.zero)
        for queue in uncontrolled:
            changes[queue] = (self.zero, uncontrolled_share(state.buffer, together))
        return changes
