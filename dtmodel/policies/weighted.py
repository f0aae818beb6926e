"""Policies with a given weight for each queue, T_i = w_i (B - sum Q)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from dtmodel.base.units import Quantity
from dtmodel.policies.parameters import PolicyParameter
from dtmodel.policies.policy import Policy
from dtmodel.policies.threshold import Threshold


@final
@dataclass(frozen=True, init=False)
class Weighted(Policy):
    """T_i = w_i (B - sum Q).

    Parameters
    ----------
    weights : sequence of quantities
        w_i, greater than 0, one for each queue.

    Raises
    ------
    InputError
        If a weight is not a number greater than 0, or if the list is empty.

    Examples
    --------
    >>> Weighted(["1/2", 2]).thresholds(2)[1].at(Fraction(10))
    Fraction(20, 1)
    """

    weights: tuple[Fraction, ...]
    parameters = (PolicyParameter("weights", many="each"),)

    def __init__(self, weights: Sequence[Quantity]) -> None:
        self._take(weights=weights)

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        """Return the thresholds of `queues` queues, in order."""
        return tuple(map(Threshold, self.each("weights", queues)))
