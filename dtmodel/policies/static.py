"""Static partition: every queue owns a part of the buffer."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import Any, final

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity
from dtmodel.policies.parameters import PolicyParameter
from dtmodel.policies.policy import Configured, Policy
from dtmodel.policies.setting import PolicySetting
from dtmodel.policies.threshold import Threshold


@final
@dataclass(frozen=True, init=False)
class StaticPartition(Policy):
    """Each queue owns a part of the buffer: T_i is constant.

    Parameters
    ----------
    sizes : sequence of quantities
        The parts in bytes, one for each queue; their sum is at most B.

    Raises
    ------
    InputError
        If the sizes are not a list of sizes.

    Examples
    --------
    >>> StaticPartition(["1 KB", "2 KB"]).thresholds(2)[1].offset
    Fraction(2000, 1)
    """

    sizes: tuple[Fraction, ...]
    parameters = (PolicyParameter("sizes", "bytes", many="each", positive=False),)

    def __init__(self, sizes: Sequence[Quantity]) -> None:
        self._take(sizes=sizes)

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        """Return the thresholds of `queues` queues, in order."""
        if len(self.sizes) < queues:
            accepted = f"one size for each of the {queues} queues"
            raise InputError("policy.sizes", list(map(units.plain, self.sizes)), accepted)
        return tuple(Threshold(Fraction(0), size) for size in self.sizes[:queues])

    def owned(self, queue: int) -> tuple[Any, Any]:
        """Return None, as no part is shared, and the part of the queue."""
        return None, self.sizes[queue]

    def start(
        self, buffer: Fraction, held: Sequence[Fraction | None], counts: Sequence[int] = ()
    ) -> tuple[Fraction, ...]:
        """Return the lengths at time 0; none exceeds its part, or it would take the part of another queue."""
        if sum(n * size for n, size in zip_longest(counts, self.sizes, fillvalue=1)) > buffer:
            accepted = f"sizes of together at most {units.plain(buffer)} bytes, the buffer"
            raise InputError("policy.sizes", list(map(units.plain, self.sizes)), accepted)
        lengths = super().start(buffer, held, counts)
        for index, (length, size) in enumerate(zip(lengths, self.sizes, strict=False)):
            if length > size:
                accepted = f"at most {units.plain(size)} bytes, the part of this queue"
                raise InputError(f"queues[{index}].initial", units.plain(length), accepted)
        return lengths

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Give every port of the switch an equal part."""
        said = f"{units.show_bytes(setting.share)} for each port"
        return (Configured("static partition", said, cls([setting.share] * setting.queues)),)
