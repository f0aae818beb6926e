"""Longest queue drop: a packet that does not fit pushes out the last packets of the longest queue."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self, final

from dtmodel.policies.admission import Account, Admission, PacketForm
from dtmodel.policies.expulsion import Expulsion
from dtmodel.policies.policy import Configured, WithoutThresholds
from dtmodel.policies.setting import PolicySetting


@final
@dataclass(frozen=True)
class LQD(WithoutThresholds):
    """Longest queue drop, with packets only: pushing out is not a threshold, so the fluid model cannot run it.

    A packet that does not fit pushes out last packets of the longest queue until it fits. If its own queue would be
    among the longest, the packet itself is dropped, and no packet is pushed out. Of several longest queues the first
    loses a packet.

    Examples
    --------
    >>> from dtmodel.packet.arrivals import listed
    >>> from dtmodel.packet.engine import run_packets
    >>> streams = [listed([(0, 1), (0, 1), (0, 1), (0, 1)]), listed([(0, 1), (0, 1), (0, 1)])]
    >>> done = run_packets(buffer=4, rates=[1, 1], policy=LQD(), streams=streams, until=9)
    >>> done.sent, [lost.port for lost in done.lost]
    ([2, 2], [0, 0, 1])
    """

    also: ClassVar = {"longest queue drop": {}}

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return an admission that pushes packets out of the longest queue."""
        return _PushOut(PacketForm((None,) * ports, pushes=True))

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Return a variant with formulas in place of a fluid policy."""
        note = "by formula: the fluid model does not push packets out (dtmodel replay-trace runs packets)"
        name = "longest queue drop"
        return (Configured(name, "", None, note=note, packets=cls(), expulsion=Expulsion(None)),)


@final
class _PushOut(Admission):
    """Admits every packet that fits; else it pushes packets out of the longest queue."""

    def __init__(self, form: PacketForm) -> None:
        self._form = form

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        return True

    def victim(self, port: int, size: Any, lengths: Sequence[Any], candidates: Sequence[int]) -> int | None:
        longest = max(candidates, key=lambda candidate: lengths[candidate], default=None)
        return None if longest is None or lengths[longest] <= lengths[port] + size else longest

    def form(self) -> PacketForm:
        return self._form

    def in_ticks(self, second: int) -> Self:
        return self
