"""Policies with a weight for each queue, T_i = w_i (B - sum Q): given weights, ABM and L2BM.

The weights are constant in a run: the scenario gives ABM's numbers of congested queues and drain rates, and L2BM's
sojourn times. (In a switch they change with the queues.)
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self, final

from dtmodel.base import units
from dtmodel.base.documents import choice, only_keys, required, sequence
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity
from dtmodel.policies import formulas as weights
from dtmodel.policies.policy import Configured, Policy, refuse_alphas
from dtmodel.policies.setting import PolicySetting
from dtmodel.policies.threshold import Threshold

_L2BM_ALPHA = Fraction(1, 8)
"""The alpha of L2BM's paper."""
_SOJOURNS = (1, 3)
"""L2BM's sojourn times of bursts and of overloaded ports, up to a common factor, which changes no weight."""


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

    def __init__(self, weights: Sequence[Quantity]) -> None:
        each = units.each(units.number, weights, "policy.weights", least=1, positive=True)
        object.__setattr__(self, "weights", each)

    @classmethod
    def abm(
        cls,
        alphas: Sequence[Quantity],
        priorities: Sequence[int],
        drains: Sequence[Quantity],
        counts: Sequence[int] = (),
    ) -> Self:
        """ABM (SIGCOMM 2022): w = alpha_p / n_p times the queue's share of its port's rate.

        Parameters
        ----------
        alphas : sequence of quantities
            alpha_p of each priority, greater than 0.
        priorities : sequence of int
            The priority of each queue; n_p is the number of queues of priority p, all of them congested.
        drains : sequence of quantities
            The drain rate of each queue as a fraction of its port's rate, in (0, 1].
        counts : sequence of int, optional
            The number of identical queues that each queue stands for; default: 1.

        Examples
        --------
        >>> [str(w) for w in Weighted.abm(["1/2", 1], [0, 0, 1], [1, 1, "1/2"]).weights]
        ['1/4', '1/4', '1/2']
        """
        factors = units.each(units.number, alphas, "policy.alphas", positive=True)
        shares = units.each(units.number, drains, "policy.drains", positive=True)
        classes = enumerate(sequence(priorities, "policy.priorities"))
        numbers = [units.count(p, f"policy.priorities[{i}]") for i, p in classes]
        if len(numbers) != len(shares):
            raise InputError("policy.drains", len(shares), f"one for each of the {len(numbers)} queues")
        for index, (priority, share) in enumerate(zip(numbers, shares, strict=True)):
            if priority >= len(factors):
                raise InputError(f"policy.priorities[{index}]", priority, f"an index below {len(factors)}")
            if share > 1:
                raise InputError(f"policy.drains[{index}]", units.plain(share), "a fraction of at most 1")
        congested: Counter[int] = Counter()
        for priority, many in zip(numbers, _counts(counts, len(numbers)) or [1] * len(numbers), strict=True):
            congested[priority] += many
        return cls(
            [weights.abm_weight(factors[p], share, congested[p]) for p, share in zip(numbers, shares, strict=True)]
        )

    @classmethod
    def l2bm(
        cls, alpha: Quantity, sojourns: Sequence[Quantity], normalisation: str = "sum", counts: Sequence[int] = ()
    ) -> Self:
        """L2BM (its paper's equation (4)): w_i = alpha C / tau_i.

        Parameters
        ----------
        alpha : quantity
            Greater than 0.
        sojourns : sequence of quantities
            tau_i of each queue in seconds, greater than 0.
        normalisation : str
            The definition of C, one of `dtmodel.policies.formulas.NORMALISATIONS`.
        counts : sequence of int, optional
            As for `abm`.

        Examples
        --------
        >>> [str(w) for w in Weighted.l2bm("1/8", [1, 1, 1, 9]).weights]
        ['3/2', '3/2', '3/2', '1/6']
        """
        factor = units.number(alpha, "policy.alpha", positive=True)
        times = units.each(units.seconds, sojourns, "policy.sojourns", least=1, positive=True)
        choice(normalisation, "policy.normalisation", weights.NORMALISATIONS)
        constant = weights.sojourn_constant(times, normalisation, _counts(counts, len(times)))
        return cls([weights.l2bm_weight(factor, constant, tau) for tau in times])

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        """Return the thresholds of `queues` queues, in order."""
        if len(self.weights) != queues:
            raise InputError(
                "policy.weights", list(map(units.plain, self.weights)), f"one weight for each of the {queues} queues"
            )
        return tuple(Threshold(weight) for weight in self.weights)

    @classmethod
    def read(cls, document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> Self:
        """Make the policy from ``{"name": "weighted", "weights": [...]}``."""
        _check(document, alphas, ("weights",))
        return _fitting(cls(document["weights"]), queues)

    @classmethod
    def read_abm(
        cls, document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int, counts: Sequence[int] = ()
    ) -> Self:
        """Make the policy from ``{"name": "abm", "alphas": [...], "priorities": [...], "drains": [...]}``."""
        keys = ("alphas", "priorities", "drains")
        _check(document, alphas, keys)
        _each_count(document["priorities"], "policy.priorities", counts)
        factors, priorities, drains = (document[key] for key in keys)
        return _fitting(cls.abm(factors, priorities, drains, counts), queues)

    @classmethod
    def read_l2bm(
        cls, document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int, counts: Sequence[int] = ()
    ) -> Self:
        """Make the policy from ``{"name": "l2bm", "alpha": a, "sojourns": [...], "normalisation": word}``."""
        _check(document, alphas, ("sojourns",), ("alpha", "normalisation"))
        _each_count(document["sojourns"], "policy.sojourns", counts)
        alpha, normalisation = document.get("alpha", 1), document.get("normalisation", "sum")
        return _fitting(cls.l2bm(alpha, document["sojourns"], normalisation, counts), queues)

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured, ...]:
        """Set ABM with one priority, all queues congested, and L2BM with shorter sojourn times for the bursts."""
        n, (short, long) = setting.queues, _SOJOURNS
        abm = cls.abm([setting.alpha], [0] * n, [1] * n)
        sojourns = [short] * setting.bursts + [long] * setting.steady
        said = f"alpha = {units.plain(_L2BM_ALPHA)}, sojourn times {short}:{long}"
        claim, note = "l2bm.ours.first-drop", "its weights stay as they are when the bursts begin"
        return (
            Configured("ABM", f"alpha = {units.plain(setting.alpha)}, {n} congested queues", abm, claim, note=note),
            Configured("L2BM", said, cls.l2bm(_L2BM_ALPHA, sojourns), claim, note=note),
            Configured("L2BM, harmonic", said, cls.l2bm(_L2BM_ALPHA, sojourns, "harmonic"), claim, note=note),
        )


def _each_count(values: Any, field: str, counts: Sequence[int]) -> None:
    if counts and len(sequence(values, field)) != len(counts):
        raise InputError(field, values, f"one for each of the {len(counts)} queues")


def _fitting(policy: Weighted, queues: int) -> Weighted:
    policy.thresholds(queues)
    return policy


def _check(
    document: Mapping[str, Any], alphas: Mapping[int, Quantity], needed: tuple[str, ...], more: tuple[str, ...] = ()
) -> None:
    refuse_alphas(alphas)
    only_keys(document, ("name", *needed, *more), "policy.")
    required(document, needed, "policy.")


def _counts(counts: Sequence[int], queues: int) -> list[int]:
    read = [units.count(many, f"counts[{i}]", least=1) for i, many in enumerate(sequence(counts, "counts"))]
    if read and len(read) != queues:
        raise InputError("counts", len(read), f"one for each of the {queues} queues")
    return read
