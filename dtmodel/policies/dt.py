"""Dynamic Threshold: the threshold of every queue is alpha times the free buffer."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from dtmodel.base import units
from dtmodel.base.units import Quantity
from dtmodel.policies.parameters import PolicyParameter
from dtmodel.policies.policy import Configured, Policy
from dtmodel.policies.setting import PolicySetting
from dtmodel.policies.threshold import Threshold


@final
@dataclass(frozen=True, init=False)
class DT(Policy):
    """Dynamic Threshold: T_i = alpha_i (B - sum Q) (DT/EDT paper, equation (1)).

    Parameters
    ----------
    alpha : quantity or sequence of quantities
        One alpha for all queues, or one for each queue; greater than 0.

    Raises
    ------
    InputError
        If an alpha is not a number greater than 0.

    Examples
    --------
    >>> DT(alpha="1/2").thresholds(2)[0].at(Fraction(10))
    Fraction(5, 1)
    """

    alpha: Fraction | tuple[Fraction, ...]
    parameters = (PolicyParameter("alpha", many="either", default=1),)

    def __init__(self, alpha: Quantity | Sequence[Quantity] = 1) -> None:
        self._take(alpha=alpha)

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        """Return the thresholds of `queues` queues, in order."""
        return tuple(map(Threshold, self.each("alpha", queues)))

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Use the alpha of the setting."""
        said = f"alpha = {units.plain(setting.alpha)}"
        return (Configured("DT", said, cls(setting.alpha), "edt.ours.theorem1"),)
