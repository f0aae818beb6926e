"""Occamy (EuroSys 2025): DT with a large alpha, and packets of queues above their threshold are expelled."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self, final

from dtmodel.base import units
from dtmodel.base.units import Quantity, whole
from dtmodel.policies.admission import Account, Admission
from dtmodel.policies.expulsion import Expulsion
from dtmodel.policies.parameters import PolicyParameter
from dtmodel.policies.policy import Configured, WithoutThresholds
from dtmodel.policies.setting import PolicySetting


@final
@dataclass(frozen=True, init=False)
class Occamy(WithoutThresholds):
    """Occamy with ideal expulsion, with packets only: the fluid model does not take admitted bytes away.

    A packet enters while its queue is shorter than T = alpha F, as under DT. Before that the longest queue above T, the
    first of several, loses its first waiting packet, until no queue with a waiting packet is above T. (A switch expels
    at a limited rate, which this model leaves out.)

    Parameters
    ----------
    alpha : quantity
        The control parameter, greater than 0.

    Examples
    --------
    >>> from dtmodel.packet.arrivals import listed
    >>> from dtmodel.packet.engine import run_packets
    >>> streams = [listed([(0, 1)] * 9), listed([(0, 1)] * 4)]
    >>> done = run_packets(buffer=10, rates=[1, 1], policy=Occamy(4), streams=streams, until=0)
    >>> [len([lost for lost in done.lost if lost.port == port]) for port in (0, 1)]
    [4, 0]
    """

    alpha: Fraction
    parameters = (PolicyParameter("alpha", default=8),)

    def __init__(self, alpha: Quantity = 8) -> None:
        self._take(alpha=alpha)

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return an admission that expels from the longest queue above its threshold."""
        return _Expelling(float(self.alpha) if type(buffer) is float else self.alpha)

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Use the alpha of the setting."""
        note = "ideal expulsion, by formula: the fluid model does not expel (dtmodel replay-trace runs packets)"
        said, alpha = f"alpha = {units.plain(setting.alpha)}", setting.alpha
        return (Configured("Occamy", said, None, note=note, packets=cls(alpha), expulsion=Expulsion(alpha)),)


@final
class _Expelling(Admission):
    """Admits below T = `alpha` F, and expels from the longest queue above it."""

    def __init__(self, alpha: Any) -> None:
        self.alpha = alpha

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        return bool(length < self.alpha * free)

    def expelled(self, lengths: Sequence[Any], free: Any, candidates: Sequence[int]) -> int | None:
        longest = max(candidates, key=lambda candidate: lengths[candidate], default=None)
        return longest if longest is not None and lengths[longest] > self.alpha * free else None

    def in_ticks(self, second: int) -> Self:
        self.alpha = whole(self.alpha)
        return self
