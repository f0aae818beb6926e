"""Dynamic Threshold: the threshold of every queue is alpha times the free buffer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self, final

from dtmodel.base import units
from dtmodel.base.documents import only_keys
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity
from dtmodel.policies.policy import Configured, Policy, read_alpha
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

    def __init__(self, alpha: Quantity | Sequence[Quantity] = 1) -> None:
        read: Fraction | tuple[Fraction, ...]
        if units.is_sequence(alpha):
            read = units.each(units.number, alpha, "policy.alpha", least=1, positive=True)
        else:
            read = units.number(alpha, "policy.alpha", positive=True)
        object.__setattr__(self, "alpha", read)

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        """Return the thresholds of `queues` queues, in order."""
        if isinstance(self.alpha, Fraction):
            return (Threshold(self.alpha),) * queues
        if len(self.alpha) != queues:
            raise InputError(
                "policy.alpha", list(map(units.plain, self.alpha)), f"one alpha for each of the {queues} queues"
            )
        return tuple(Threshold(alpha) for alpha in self.alpha)

    @classmethod
    def read(cls, document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> Self:
        """Make the policy from ``{"name": "dt", "alpha": a}``."""
        only_keys(document, ("name", "alpha"), "policy.")
        return cls(read_alpha(document, alphas, queues))

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Use the alpha of the setting."""
        said = f"alpha = {units.plain(setting.alpha)}"
        return (Configured("DT", said, cls(setting.alpha), "edt.ours.theorem1"),)
