"""Limits of the queues that change in steps as the buffer fills, as in the best policies for two and three ports."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self, final

from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity, whole
from dtmodel.policies.admission import Account, Admission
from dtmodel.policies.parameters import PolicyParameter
from dtmodel.policies.policy import Configured, WithoutThresholds
from dtmodel.policies.setting import PolicySetting


@final
@dataclass(frozen=True, init=False)
class Steps(WithoutThresholds):
    """Limits in steps, with packets only: a threshold of the fluid model has no jumps.

    A packet that fits enters unless, for some k, the buffer holds at least `levels[k]` and its queue `limits[k]`.

    Parameters
    ----------
    levels : sequence of quantities
        Bytes in the buffer from which on each limit binds.
    limits : sequence of quantities
        The length in bytes at which a queue takes no packet, one for each level.

    Raises
    ------
    InputError
        If a value is not accepted.

    Examples
    --------
    >>> from dtmodel import ratio
    >>> [str(ratio(Steps([level], [limit]), ports=2, buffer=6).ratio) for level, limit in ((4, 2), (0, 4))]
    ['3/2', '3/2']
    """

    levels: tuple[Fraction, ...]
    limits: tuple[Fraction, ...]
    parameters = tuple(PolicyParameter(name, "bytes", many="each", positive=False) for name in ("levels", "limits"))
    by_name = True

    def __init__(self, levels: Sequence[Quantity], limits: Sequence[Quantity]) -> None:
        self._take(levels=levels, limits=limits)

    def consistent(self) -> None:
        """Refuse a level without a limit, and a limit without a level."""
        if len(self.limits) != len(self.levels):
            raise InputError("policy.limits", len(self.limits), f"one for each of the {len(self.levels)} levels")

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return an admission that compares with the limits."""
        number: Any = float if type(buffer) is float else whole
        steps = zip(self.levels, self.limits, strict=True)
        return _Stepped([(buffer - number(level), number(limit)) for level, limit in steps])

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Set the limit that is best for two ports: a third of the buffer once two thirds of it are full."""
        third = setting.buffer / 3
        note = "packets only: its limits jump, which the fluid model does not (dtmodel replay-trace runs it)"
        said = "a limit of B / 3 once 2 B / 3 are full"
        return (Configured("Steps", said, None, note=note, packets=cls([2 * third], [third])),)


@final
class _Stepped(Admission):
    """Admits unless at most `free` is free and the queue has `limit`, for one of the `steps` (free, limit)."""

    def __init__(self, steps: Sequence[tuple[Any, Any]]) -> None:
        self.steps = steps

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        return all(length < limit or free > most for most, limit in self.steps)

    def in_ticks(self, second: int) -> Self:
        self.steps = [(whole(most), whole(limit)) for most, limit in self.steps]
        return self
