"""FollowLQD (Credence paper, NSDI 2024): the thresholds are the queue lengths of a virtual switch under LQD."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self, final

from dtmodel.base.units import Quantity, whole
from dtmodel.policies.admission import Account, Admission
from dtmodel.policies.parameters import PolicyParameter
from dtmodel.policies.policy import Configured, WithoutThresholds
from dtmodel.policies.setting import PolicySetting


@final
@dataclass(frozen=True, init=False)
class FollowLQD(WithoutThresholds):
    """FollowLQD, with packets only: it drops on arrival, and follows a virtual switch that pushes packets out.

    The virtual switch gets the same arrivals, under longest queue drop with the tie rule of `LQD`; each of its queues
    drains at the rate C. A packet enters if its queue is then not longer than its virtual queue.

    Parameters
    ----------
    rate : quantity
        The rate C of each port in bytes per second; 1 by default, for unit packets in slots.

    Examples
    --------
    >>> from dtmodel.packet.arrivals import listed
    >>> from dtmodel.packet.engine import run_packets
    >>> streams = [listed([(0, 1)] * 4), listed([(0, 1)] * 3)]
    >>> done = run_packets(buffer=4, rates=[1, 1], policy=FollowLQD(), streams=streams, until=9)
    >>> done.sent
    [4, 0]
    """

    rate: Fraction
    parameters = (PolicyParameter("rate", "number", default=1),)

    def __init__(self, rate: Quantity = 1) -> None:
        self._take(rate=rate)

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return an admission with the virtual switch, at first empty."""
        return Follower(buffer, float(self.rate) if type(buffer) is float else self.rate, [0] * ports)

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Return a variant without a fluid policy, whose note gives the reason."""
        note = "packets only: its thresholds are lengths under LQD, which pushes out (dtmodel replay-trace runs it)"
        return (Configured("FollowLQD", "", None, note=note, packets=cls(setting.rate)),)


@final
class Follower(Admission):
    """The virtual switch: a `buffer` and its queue lengths `virtual`, each of which drains at `rate`.

    `guarded`: a packet enters while every queue is below its equal share of the buffer. `trusted`: otherwise it enters
    if its virtual queue is long enough, or (None) if its mark is 1.
    """

    def __init__(
        self, buffer: Any, rate: Any, virtual: Sequence[Any], *, guarded: bool = False, trusted: bool | None = True
    ) -> None:
        self.buffer, self.rate, self.virtual = buffer, rate, [*virtual]
        self.guarded, self.trusted = guarded, trusted
        self.since: Any = 0
        self.overflown = False

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        """Let the packet arrive at the virtual switch, too; return True if it enters."""
        self._arrive(port, now)
        trusted = self.marked(1, "a prediction (1 if LQD sends the packet)") if self.trusted is None else self.trusted
        if self.guarded and max(self.lengths) * len(self.virtual) < self.buffer:
            return True
        return bool(trusted and length + self.arriving <= self.virtual[port])

    def overflowed(self, now: Any) -> None:
        """Note that the packet does not fit."""
        self.overflown = True

    def dropped(self, port: int, now: Any) -> None:
        """Let a packet that does not fit arrive at the virtual switch."""
        if self.overflown:  # `admits` was not called
            self._arrive(port, now)
        self.overflown = False

    def remembered(self, now: Any) -> tuple[Any, ...]:
        """Return the lengths of the virtual queues."""
        self._drain(now)
        return tuple(self.virtual)

    def recall(self, remembered: Any) -> None:
        """Restore the lengths of the virtual queues."""
        self.virtual, self.since = [*remembered], 0

    def in_ticks(self, second: int) -> Self:
        """Return itself with whole numbers and a rate in bytes per tick."""
        self.rate, self.buffer = whole(Fraction(self.rate) / second), whole(self.buffer)
        return self

    def _drain(self, now: Any) -> None:
        sent = self.rate * (now - self.since)
        self.virtual, self.since = [max(length - sent, 0) for length in self.virtual], now

    def _arrive(self, port: int, now: Any) -> None:
        """Let a packet arrive at the virtual switch, under LQD."""
        self._drain(now)
        virtual, size = self.virtual, self.arriving
        while (excess := sum(virtual) + size - self.buffer) > 0:
            longest = virtual.index(max(virtual))
            if virtual[longest] <= virtual[port] + size:
                return
            virtual[longest] -= min(size, excess)
        virtual[port] += size
