"""ABM (SIGCOMM 2022) with the congested queues of each priority and their drain rates given: constant weights."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self, final

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity
from dtmodel.policies import formulas
from dtmodel.policies.parameters import PolicyParameter, unchecked
from dtmodel.policies.policy import Configured, Policy
from dtmodel.policies.setting import PolicySetting
from dtmodel.policies.threshold import Threshold


@final
@dataclass(frozen=True, init=False)
class ABM(Policy):
    """T_i = w_i (B - sum Q), with w = alpha_p / n_p times the queue's share of its port's rate.

    Parameters
    ----------
    alphas : sequence of quantities
        alpha_p of each priority, greater than 0.
    priorities : sequence of int
        The priority of each queue; n_p is the number of queues of priority p, all of them congested.
    drains : sequence of quantities
        The drain rate of each queue as a fraction of its port's rate, in (0, 1].

    Raises
    ------
    InputError
        If a value is not accepted, or a priority has no alpha.

    Examples
    --------
    >>> [str(weight) for weight in ABM(["1/2", 1], [0, 0, 1], [1, 1, "1/2"]).weights]
    ['1/4', '1/4', '1/2']
    """

    alphas: tuple[Fraction, ...]
    priorities: tuple[int, ...]
    drains: tuple[Fraction, ...]
    counts: tuple[int, ...] = ()
    parameters = (
        PolicyParameter("alphas", "number", many="priorities"),
        PolicyParameter("priorities", "index", many="each", default=0, positive=False),
        PolicyParameter("drains", "number", many="each", most=1, spoken="shares"),
    )

    def __init__(self, alphas: Sequence[Quantity], priorities: Sequence[int], drains: Sequence[Quantity]) -> None:
        self._take(alphas=alphas, priorities=priorities, drains=drains)

    def consistent(self) -> None:
        """Refuse a drain rate without a priority, and a priority without an alpha."""
        if len(self.drains) != len(self.priorities):
            accepted = f"one for each of the {len(self.priorities)} queues"
            raise InputError("policy.drains", len(self.drains), accepted)
        for index, priority in enumerate(self.priorities):
            if priority >= len(self.alphas):
                raise InputError(f"policy.priorities[{index}]", priority, f"an index below {len(self.alphas)}")

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """The weight of each queue."""
        congested: dict[int, Any] = {}
        for p, many in zip(self.priorities, self.counts or (1,) * len(self.priorities), strict=True):
            congested[p] = congested.get(p, 0) + many
        each = zip(self.priorities, self.drains, strict=True)
        return tuple(formulas.abm_weight(self.alphas[p], share, congested[p]) for p, share in each)

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        """Return the thresholds of `queues` queues, in order."""
        self.each("priorities", queues)
        return tuple(map(Threshold, self.weights))

    def counting(self, counts: Sequence[int] = ()) -> Self:
        """Return the policy for queues that stand for `counts` identical queues each, all of them congested."""
        return unchecked(type(self), **{**vars(self), "counts": tuple(counts)})

    def occupied(self) -> Iterator[tuple[Sequence[int], str]]:
        """Yield the queues of each priority."""
        for p in dict.fromkeys(self.priorities):
            queues = [queue for queue, own in enumerate(self.priorities) if own == p]
            yield queues, "at least one queue of each of ABM's priorities"

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Set one priority, with all queues congested."""
        n, note = setting.queues, "its weights stay as they are when the bursts begin"
        said = f"alpha = {units.plain(setting.alpha)}, {n} congested queues"
        policy = cls([setting.alpha], [0] * n, [1] * n)
        return (Configured("ABM", said, policy, "l2bm.ours.first-drop", note=note),)
