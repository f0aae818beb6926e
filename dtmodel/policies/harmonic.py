"""Harmonic (Kesselman and Mansour, INFOCOM 2002): the m longest queues together hold at most B H_m / H_N."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, Self, final

from dtmodel.policies.admission import Account, Admission
from dtmodel.policies.policy import Configured, WithoutThresholds
from dtmodel.policies.setting import PolicySetting


@final
@dataclass(frozen=True)
class Harmonic(WithoutThresholds):
    """Harmonic, with packets only: its limits bind sums of the longest queues, which are not thresholds.

    A packet enters if afterwards, for each m from 1 to N, the m longest of the N queues hold at most B H_m / H_N
    together, with H_m = 1 + 1/2 + ... + 1/m. So the longest queue holds at most B / H_N, and all queues at most B.

    Examples
    --------
    >>> from dtmodel.packet.arrivals import listed
    >>> from dtmodel.packet.engine import run_packets
    >>> streams = [listed([(0, 1)] * 6), listed([(0, 1)] * 3)]
    >>> done = run_packets(buffer=6, rates=[1, 1], policy=Harmonic(), streams=streams, until=9)
    >>> done.sent
    [4, 2]
    """

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return an admission with the limits of the longest queues."""
        number: Any = float if type(buffer) is float else Fraction
        sums = [*accumulate(Fraction(1, m) for m in range(1, ports + 1))]
        return _LongestQueues([number(Fraction(buffer) * part / sums[-1]) for part in sums])

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Return a variant without a fluid policy, whose note gives the reason."""
        note = "packets only: it bounds sums of queues, which the fluid model does not (dtmodel replay-trace runs it)"
        return (Configured("Harmonic", "", None, note=note, packets=cls()),)


@final
class _LongestQueues(Admission):
    """Admits a packet while the m longest queues hold at most `limits[m - 1]` with it, for each m."""

    def __init__(self, limits: Sequence[Any]) -> None:
        self.limits = limits

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        lengths = [*self.lengths]
        lengths[port] = length + self.arriving
        held = accumulate(sorted(lengths, reverse=True))
        return all(together <= limit for together, limit in zip(held, self.limits, strict=True))

    def in_ticks(self, second: int) -> Self:
        return self
