"""The state machine of EDT (DT/EDT paper, Figures 7 to 9) with whole packets, real counters and timers.

Each port has a state decision module: C1 counts successive departures, C2 the growth of the queue while the port is
controlled; TM1 bounds the time in which C2 must reach its number, TM2 the time that the port stays uncontrolled. The
text of the paper is ambiguous; each reading of it has a name:

====================  ==============================================================================================
reading               meaning
====================  ==============================================================================================
``circuit``           C1's pulse resets TM2 (the paragraph on TM2); a packet that *enters* resets C1; TM1 starts when
                      C2 leaves 0 and stops when it returns; C2 does not go below 0
``arrivals``          as ``circuit``, but a packet that arrives resets C1 even if it is dropped
``c1-resets-c2``      as ``circuit``, but C1's pulse resets C2 (the paragraph on C1)
``free-running``      as ``circuit``, but TM1 runs all the time, and resets C2 whenever it expires
``signed``            as ``circuit``, but C2 goes below 0
====================  ==============================================================================================
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Self, final

from dtmodel.base import budgets
from dtmodel.base.units import whole
from dtmodel.policies.admission import Account, Admission, PacketForm
from dtmodel.policies.formulas import uncontrolled_share
from dtmodel.policies.threshold import Threshold


@dataclass(frozen=True)
class CircuitReading:
    """A reading of the paper: a dropped packet resets C1, C1's pulse resets C2, TM1 never stops, C2 may be negative."""

    c1_hears_drops: bool = False
    c1_resets_c2: bool = False
    tm1_runs_always: bool = False
    c2_signed: bool = False


READINGS: Mapping[str, CircuitReading] = {
    "circuit": CircuitReading(),
    "arrivals": CircuitReading(c1_hears_drops=True),
    "c1-resets-c2": CircuitReading(c1_resets_c2=True),
    "free-running": CircuitReading(tm1_runs_always=True),
    "signed": CircuitReading(c2_signed=True),
}
"""The readings by name; ``circuit`` is the circuit that the paper draws."""


@dataclass(frozen=True)
class CircuitSettings:
    """The parameters of EDT on a switch: alpha, counting numbers (C1: packets, C2: bytes), timers, `reading`."""

    alpha: Any
    cn1: int
    cn2: Any
    tm1: Any | None
    tm2: Any | None
    reading: CircuitReading = READINGS["circuit"]


@dataclass
class EdtPort:
    """The state decision module of one port: its state, its counters, and the expiry of each running timer."""

    settings: CircuitSettings
    controlled: bool = True
    c1: int = 0
    c2: Any = 0
    tm1: Any | None = None
    tm2: Any | None = None

    def tick(self, now: Any) -> None:
        """Apply the timers that have expired."""
        if self.tm2 is not None and self.tm2 <= now:
            self.control()
        if self.tm1 is not None and self.tm1 <= now:
            self.c2, self.tm1 = 0, self._next_expiry(self.tm1, now) if self.settings.reading.tm1_runs_always else None

    def _next_expiry(self, expired: Any, now: Any) -> Any:
        """Return the next instant at which a TM1 that never stops expires, after it expired."""
        again = expired + self.settings.tm1
        if again <= now:  # perhaps it has expired a billion times
            again += self.settings.tm1 * ((now - again) // self.settings.tm1 + 1)
        return again

    def arrived(self) -> None:
        """Note that a packet arrived, admitted or not."""
        if self.settings.reading.c1_hears_drops:
            self.c1 = 0

    def enqueued(self, amount: Any, now: Any) -> None:
        """Process a pulse of `amount` on the enqueue signal."""
        self.c1 = 0
        if not self.controlled:
            return
        self.c2 += amount
        if self.c2 >= self.settings.cn2:
            self.controlled, self.c2 = False, 0
            self.tm2 = None if self.settings.tm2 is None else now + self.settings.tm2
            self.tm1 = None
            self.start(now)
        elif self.tm1 is None and self.c2 > 0 and self.settings.tm1 is not None:
            self.tm1 = now + self.settings.tm1

    def dequeued(self, amount: Any) -> None:
        """Process a pulse of `amount` on the dequeue signal."""
        if self.controlled:
            self.c2 = self.c2 - amount if self.settings.reading.c2_signed else max(self.c2 - amount, 0)
            self._stop_tm1()
        self.c1 += 1
        if self.c1 >= self.settings.cn1:
            self.c1 = 0
            if self.settings.reading.c1_resets_c2:
                self.c2 = 0
                self._stop_tm1()
            elif not self.controlled:
                self.control()

    def dropped(self) -> None:
        """Process a pulse on the packet dropping signal: C2 resets itself."""
        if self.controlled:
            self.c2 = 0
            self._stop_tm1()

    def control(self) -> None:
        """Return to the controlled state, with C2 at 0."""
        if not self.controlled:
            self.controlled, self.c2, self.tm2 = True, 0, None

    def start(self, now: Any) -> None:
        """Start TM1 if it never stops."""
        if self.settings.reading.tm1_runs_always and self.settings.tm1 is not None:
            self.tm1 = now + self.settings.tm1

    def _stop_tm1(self) -> None:
        if self.c2 <= 0 and not self.settings.reading.tm1_runs_always:
            self.tm1 = None


FEW = 8
"""Up to this number of ports, every tick checks all timers; with more, only after the first may have expired."""


@final
class EdtPolicy(Admission):
    """EDT for the packet engine; `account` is the amount that C2 counts for a packet, by default its bytes."""

    def __init__(self, settings: CircuitSettings, ports: int, buffer: Any, account: Account | None = None) -> None:
        self.settings, self.buffer = settings, buffer
        self.account = account or (lambda size: size)
        budgets.keep_within("work", ports, "ports")
        self.ports = [EdtPort(settings) for _ in range(ports)]
        for port in self.ports:
            port.start(0)
        self._quiet: Any | None = None  # no timer expires before; None if that instant is not known

    def threshold(self, port: int, free: Any) -> Any:
        """Return T_1 = alpha F of a controlled port, T_2 = B / n of an uncontrolled one."""
        if self.ports[port].controlled:
            return self.ports[port].settings.alpha * free
        return uncontrolled_share(self.buffer, sum(not each.controlled for each in self.ports))

    def form(self) -> PacketForm | None:
        """Return the parameters of the circuits in their initial state, in the reading ``circuit``."""
        shared, nothing = self.settings, self.buffer - self.buffer
        alike = all(port == EdtPort(replace(shared, alpha=port.settings.alpha)) for port in self.ports)
        if not alike or shared.reading != READINGS["circuit"]:
            return None
        limits = tuple(Threshold(port.settings.alpha, nothing) for port in self.ports)
        return PacketForm(limits, (shared.cn1, shared.cn2, shared.tm1 or 0, shared.tm2 or 0))

    def in_ticks(self, second: int) -> Self | None:
        """Convert the timers to ticks; None if TM1 never stops, as it already started in seconds."""
        if self.settings.reading.tm1_runs_always:
            return None
        self.settings = _in_ticks(self.settings, second)
        for port in self.ports:
            port.settings = _in_ticks(port.settings, second)
        return self

    def tick(self, now: Any) -> None:
        """Apply the timers of every port that have expired."""
        if self._quiet is not None and now < self._quiet:
            return
        for port in self.ports:
            if port.tm1 is not None or port.tm2 is not None:
                port.tick(now)
        if len(self.ports) > FEW:
            self._quiet = min(_ends(self.ports), default=inf)

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        """Return True if the queue of `port` is below the threshold of its state."""
        self.tick(now)
        self.ports[port].arrived()
        return bool(length < self.threshold(port, free))

    def enqueued(self, port: int, size: Any, now: Any) -> None:
        """Note that a packet entered."""
        self.ports[port].enqueued(self.account(size), now)
        if self._quiet is not None:
            self._quiet = min([self._quiet, *_ends([self.ports[port]])])

    def dequeued(self, port: int, size: Any, now: Any) -> None:
        """Note that a packet was sent."""
        self.tick(now)
        self.ports[port].dequeued(self.account(size))

    def dropped(self, port: int, now: Any) -> None:
        """Note that a packet was dropped."""
        self.tick(now)
        self.ports[port].arrived()
        self.ports[port].dropped()

    def overflowed(self, now: Any) -> None:
        """Note an overflow: every port becomes controlled."""
        self.tick(now)
        for port in self.ports:
            port.control()

    def wakes(self, now: Any) -> Any:
        """Return the instant at which the next timer expires."""
        return min(_ends(self.ports), default=None)

    def remembered(self, now: Any) -> tuple[Any, ...]:
        """Return the state, counters and timers of every port."""
        self.tick(now)
        timers = [[None if end is None else end - now for end in (port.tm1, port.tm2)] for port in self.ports]
        return tuple((port.controlled, port.c1, port.c2, *left) for port, left in zip(self.ports, timers, strict=True))

    def recall(self, remembered: Any) -> None:
        """Restore states, counters and timers."""
        self.ports = [EdtPort(port.settings, *state) for port, state in zip(self.ports, remembered, strict=True)]
        self._quiet = None


def _in_ticks(own: CircuitSettings, second: int) -> CircuitSettings:
    tm1, tm2 = (None if timer is None else whole(timer * second) for timer in (own.tm1, own.tm2))
    return replace(own, alpha=whole(own.alpha), cn2=whole(own.cn2), tm1=tm1, tm2=tm2)


def _ends(ports: Sequence[EdtPort]) -> list[Any]:
    """Return the expiry instants of the running timers of these ports."""
    return [end for port in ports for end in (port.tm1, port.tm2) if end is not None]
