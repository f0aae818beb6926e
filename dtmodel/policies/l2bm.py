"""L2BM, with the mean sojourn times of the queues given, so that its weights are constant in a run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self, final

from dtmodel.base import units
from dtmodel.base.units import Quantity
from dtmodel.policies import formulas
from dtmodel.policies.parameters import PolicyParameter, unchecked
from dtmodel.policies.policy import Configured, Policy
from dtmodel.policies.setting import PolicySetting
from dtmodel.policies.threshold import Threshold

_ALPHA = Fraction(1, 8)
"""The alpha of the paper."""
_SOJOURNS = (1, 3)
"""The sojourn times of bursts and of overloaded ports, up to a common factor, which changes no weight."""


@final
@dataclass(frozen=True, init=False)
class L2BM(Policy):
    """T_i = w_i (B - sum Q), with w_i = alpha C / tau_i (its paper's equation (4)).

    Parameters
    ----------
    alpha : quantity
        Greater than 0.
    sojourns : sequence of quantities
        tau_i of each queue in seconds, greater than 0.
    normalisation : str
        The definition of C, one of `dtmodel.policies.formulas.NORMALISATIONS`.

    Raises
    ------
    InputError
        If a value is not accepted.

    Examples
    --------
    >>> [str(weight) for weight in L2BM("1/8", [1, 1, 1, 9]).weights]
    ['3/2', '3/2', '3/2', '1/6']
    """

    alpha: Fraction
    sojourns: tuple[Fraction, ...]
    normalisation: str
    counts: tuple[int, ...] = ()
    parameters = (
        PolicyParameter("alpha", default=1),
        PolicyParameter("sojourns", "s", many="each"),
        PolicyParameter("normalisation", "word", default="sum", words=formulas.NORMALISATIONS),
    )
    also: ClassVar = {"L2BM, harmonic": {"normalisation": "harmonic"}}

    def __init__(self, alpha: Quantity, sojourns: Sequence[Quantity], normalisation: str = "sum") -> None:
        self._take(alpha=alpha, sojourns=sojourns, normalisation=normalisation)

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """The weight of each queue."""
        constant = formulas.sojourn_constant(self.sojourns, self.normalisation, self.counts)
        return tuple(formulas.l2bm_weight(self.alpha, constant, tau) for tau in self.sojourns)

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        """Return the thresholds of `queues` queues, in order."""
        self.each("sojourns", queues)
        return tuple(map(Threshold, self.weights))

    def counting(self, counts: Sequence[int] = ()) -> Self:
        """Return the policy for queues that stand for `counts` identical queues each."""
        return unchecked(type(self), **{**vars(self), "counts": tuple(counts)})

    def unit_of(self, parameter: PolicyParameter) -> str:
        """Return the unit; in a sum of sojourn times alpha compensates the number of queues, in a mean it does not."""
        summed = parameter.name == "alpha" and self.normalisation == "sum"
        return "slope per queue" if summed else parameter.unit

    def occupied(self) -> Iterator[tuple[Sequence[int], str]]:
        """Yield each queue if C is a sojourn time, all queues together if it is a mean."""
        queues = range(len(self.sojourns))
        if self.normalisation in ("least", "greatest"):
            yield from (([k], "at least one queue: L2BM's constant is one of the sojourn times") for k in queues)
        if self.normalisation == "mean":
            yield queues, "at least one queue in all: L2BM's constant is the mean of the sojourn times"

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured, ...]:
        """Set shorter sojourn times for the bursts, with two normalisations."""
        sojourns = [_SOJOURNS[0]] * setting.bursts + [_SOJOURNS[1]] * setting.steady
        said = f"alpha = {units.plain(_ALPHA)}, sojourn times {_SOJOURNS[0]}:{_SOJOURNS[1]}"
        claim, note = "l2bm.ours.first-drop", "its weights stay as they are when the bursts begin"
        return tuple(
            Configured(name, said, cls(_ALPHA, sojourns, how), claim, note=note)
            for name, how in (("L2BM", "sum"), ("L2BM, harmonic", "harmonic"))
        )
