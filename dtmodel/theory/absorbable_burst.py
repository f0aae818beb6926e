"""The burst of small flows that one output port absorbs before its first loss, under each policy.

The result is a volume in bytes, exact in the fluid limit. While a burst of rate R arrives and the port's large flows
send on at rate a, the queue grows at R + a - C under any work-conserving scheduler, so a room of x bytes absorbs
$x R/(R + a - C)$ bytes of burst; an instant burst brings x, and one with R + a <= C has no limit (None). Under
LossPass no large packet takes the place of a small one: with strict priority the queue of small packets grows at R - C
for any a. The other ports hold a constant amount meanwhile.

- ``port`` is the `FilledPort` at which the burst arrives.

Sources: LossPass paper, Section 3.3 and Algorithm 1 (intended reading); DT/EDT paper for DT and EDT.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from dtmodel.base.errors import InputError
from dtmodel.policies import EDT, Policy
from dtmodel.policies.formulas import uncontrolled_share
from dtmodel.policies.threshold import free_beside
from dtmodel.theory.losspass.ecn import headroom


@dataclass(frozen=True)
class FilledPort:
    """A port before the burst, with sizes in bytes and rates in bytes per second.

    `buffer` is B, shared by the policy: the port's own for tail drop, ECN and LossPass, the switch's for the others.
    `small` and `large` flows fill the port, and `others` is the sum of all other ports in the same buffer (complete
    sharing, DT, EDT). `line` is C, `burst` is R, None for an instant burst, and `background` is the rate a of large
    flows during the burst. Raises `InputError` if a size is negative or exceeds the buffer.

    >>> str(FilledPort(buffer=Fraction(10), small=Fraction(1), large=Fraction(2)).length)
    '3'
    """

    buffer: Fraction
    small: Fraction = Fraction(0)
    large: Fraction = Fraction(0)
    others: Fraction = Fraction(0)
    line: Fraction = Fraction(0)
    burst: Fraction | None = None
    background: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        for name in ("small", "large", "others", "line", "background"):
            if getattr(self, name) < 0:
                raise InputError(name, getattr(self, name), "at least 0")
        if self.buffer <= 0 or self.length + self.others > self.buffer:
            raise InputError("buffer", self.buffer, f"more than 0 and at least the {self.length + self.others} B in it")
        if self.burst is not None and self.burst <= 0:
            raise InputError("burst", self.burst, "a rate greater than 0, or none for an instant burst")

    @property
    def length(self) -> Fraction:
        """The length of the port's queue."""
        return self.small + self.large

    @property
    def growth(self) -> Fraction | None:
        """The rate R + a - C at which the queue grows while everything is admitted; None if the burst is instant."""
        return None if self.burst is None else self.burst + self.background - self.line

    def volume(self, room: Fraction, growth: Fraction | None) -> Fraction | None:
        """Return the volume of a burst that fills `room` bytes at the rate `growth`; None if the room never fills."""
        if self.burst is None or growth is None:
            return room
        return room * self.burst / growth if growth > 0 else None


class AbsorbingPolicy(ABC):
    """A policy as seen by a burst: the room that it leaves to the burst at a port.

    >>> class Half(AbsorbingPolicy):
    ...     def room(self, port):
    ...         return max(Fraction(0), port.buffer / 2 - port.length)
    >>> str(absorbable_burst(Half(), FilledPort(buffer=Fraction(10), large=Fraction(4))))
    '1'
    """

    @abstractmethod
    def room(self, port: FilledPort) -> Fraction:
        """Return the growth of the queue until its first loss, in bytes."""

    def growth(self, port: FilledPort) -> Fraction | None:
        """Return the rate at which the room fills; None if the burst is instant."""
        return port.growth


@final
@dataclass(frozen=True)
class TailDrop(AbsorbingPolicy):
    """Tail drop: the port has the buffer B to itself and drops packets that do not fit.

    >>> str(TailDrop().room(FilledPort(buffer=Fraction(10), large=Fraction(4))))
    '6'
    """

    def room(self, port: FilledPort) -> Fraction:
        """Return B - Q_s - Q_l."""
        return port.buffer - port.length


@final
@dataclass(frozen=True)
class Sharing(AbsorbingPolicy):
    """A shared buffer whose `policy` bounds the port by its threshold, or by the buffer alone if it has none.

    >>> from dtmodel.policies import DT, CompleteSharing
    >>> port = FilledPort(buffer=Fraction(10), large=Fraction(2), others=Fraction(4))
    >>> [str(Sharing(policy).room(port)) for policy in (DT(1), CompleteSharing())]
    ['1', '4']
    """

    policy: Policy

    def ceiling(self, port: FilledPort) -> Fraction:
        """Return the length at which the queue meets its threshold, or at which it fills the buffer."""
        (limit,), room = self.policy.thresholds(1), port.buffer - port.others
        return room if limit is None else limit.at(free_beside(room, [(1, limit)]))

    def room(self, port: FilledPort) -> Fraction:
        """Return the room below the threshold."""
        return max(Fraction(0), self.ceiling(port) - port.length)


@final
@dataclass(frozen=True)
class Ecn(AbsorbingPolicy):
    """Tail drop with ECN marks that hold large flows at K, at the port's longest queue, K + N a (equation (5)).

    `threshold` is K and `segment` a, in bytes, and `flows` is N.

    >>> str(Ecn(Fraction(4), flows=2).room(FilledPort(buffer=Fraction(10))))
    '4'
    """

    threshold: Fraction
    flows: int
    segment: Fraction = Fraction(1)

    def room(self, port: FilledPort) -> Fraction:
        """Return max(0, B - (K + N a)), independent of the present queue."""
        return headroom(port.buffer, self.threshold, self.flows, self.segment)


@final
@dataclass(frozen=True)
class LossPass(AbsorbingPolicy):
    """Eviction of large packets under strict priority, with a `reserve` B_l for Q_l, in bytes.

    >>> str(LossPass(Fraction(3)).room(FilledPort(buffer=Fraction(10), large=Fraction(10))))
    '7'
    """

    reserve: Fraction = Fraction(0)

    def growth(self, port: FilledPort) -> Fraction | None:
        """Return R - C: strict priority serves small packets first, and no large packet takes their place."""
        return None if port.burst is None else port.burst - port.line

    def room(self, port: FilledPort) -> Fraction:
        """Return B - Q_s - min(Q_l, B_l), where Q_l includes its growth until the port is full."""
        if not 0 <= self.reserve <= port.buffer:
            raise InputError("reserve", self.reserve, f"a size from 0 to the buffer, {port.buffer} bytes")
        brought = port.background * (port.buffer - port.length) / port.growth if port.growth else Fraction(0)
        return port.buffer - port.small - min(port.large + brought, self.reserve)


@final
@dataclass(frozen=True)
class EnhancedDynamicThreshold(AbsorbingPolicy):
    """EDT: DT until the queue has grown by cn2 within TM1, then B/n for at most TM2.

    `policy` has the parameters; `uncontrolled` is n, the number of uncontrolled ports, this one included.

    >>> port = FilledPort(buffer=Fraction(10), line=Fraction(1), burst=Fraction(2))
    >>> str(EnhancedDynamicThreshold(EDT(1, cn2=4)).room(port))
    '10'
    """

    policy: EDT
    uncontrolled: int = 1

    def room(self, port: FilledPort) -> Fraction:
        """Return the growth of the queue until its first loss, in bytes."""
        if self.uncontrolled < 1:
            raise InputError("uncontrolled", self.uncontrolled, "a whole number of at least 1")
        ceiling = Sharing(self.policy).ceiling(port)
        start = length = port.length
        slope = port.growth
        while self._is_recognised(length, ceiling, slope):
            length += self.policy.cn2
            share = Fraction(uncontrolled_share(port.buffer, self.uncontrolled))
            top, tm2 = max(length, min(share, port.buffer - port.others)), self.policy.tm2
            expiry = None if tm2 is None or slope is None else length + slope * tm2
            if expiry is None or expiry > top:
                return top - start
            if expiry >= ceiling:
                return expiry - start
            length = expiry
        return max(Fraction(0), ceiling - start)

    def _is_recognised(self, length: Fraction, ceiling: Fraction, slope: Fraction | None) -> bool:
        """Tell whether the queue can grow by cn2 before DT rejects and before TM1 expires."""
        cn2, tm1 = self.policy.cn2, self.policy.tm1
        in_time = tm1 is None or slope is None or cn2 <= slope * tm1
        return in_time and length + cn2 <= ceiling


def absorbable_burst(policy: AbsorbingPolicy, port: FilledPort) -> Fraction | None:
    """Return the bytes of burst that `port` takes under `policy` before its first loss; None if the line keeps up.

    Raises `InputError` if a parameter of the policy is out of range for this port. A full port of 128 KB, 95 % of it
    large flows, and a burst at twice the line's rate, while the large flows send nothing, or at the line's rate:

    >>> policies = TailDrop(), Ecn(Fraction(66_000), 2, Fraction(1500)), LossPass(), LossPass(reserve=Fraction(66_000))
    >>> for background in Fraction(0), Fraction(1):
    ...     rates = {"line": Fraction(1), "burst": Fraction(2), "background": background}
    ...     port = FilledPort(Fraction(128_000), Fraction(6_400), Fraction(121_600), **rates)
    ...     print([int(absorbable_burst(policy, port)) for policy in policies])
    [0, 118000, 243200, 111200]
    [0, 59000, 243200, 111200]
    """
    growth = policy.growth(port)
    endless = growth is not None and growth <= 0
    return None if endless else port.volume(policy.room(port), growth)
