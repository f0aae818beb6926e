"""Ratios of completion times and of losses under two policies in kept results with flows that arrive."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from statistics import fmean

from dtmodel.ledger.evidence import Repeated

from .experiments import Kept

SMALL, MEDIUM, LARGE = range(3)
"""Classes of flows: below 100 KB, up to 10 MB, and above."""
NEAR = (0.95, 1.05)
"""Ratios that are "similar": DynaQ's paper calls a gap of 0.95 so."""


@dataclass(frozen=True)
class Ratio:
    """A measure under an `old` policy over that under a `new` one: above 1 if the new one is better.

    `part`: the class of the flows, or the number of the queue; None for a measure of all flows.
    """

    kept: Kept
    old: str
    new: str
    measure: str
    part: int | None = None

    def of(self, reading: str, policy: str, seed: int, load: float) -> float | None:
        """Return the measure of a seed; None if it has no flow of the class."""
        found = self.kept.of(reading, policy, seed, self.measure, load)
        value: float | None = found if self.part is None else found[self.part]
        return value

    def of_seed(self, reading: str, seed: int, load: float = 0) -> float:
        """Return the ratio in a seed."""
        old, new = (self.of(reading, policy, seed, load) or 0.0 for policy in (self.old, self.new))
        return quotient(old, new)

    def of_means(self, reading: str, load: float = 0) -> float:
        """Return the ratio of the means over all seeds."""

        def mean(policy: str) -> float:
            found = [self.of(reading, policy, seed, load) for seed in self.kept.numbers]
            return fmean(value for value in found if value is not None)

        return quotient(mean(self.old), mean(self.new))

    def over(
        self, pick: Callable[[Sequence[float]], float] = fmean, loads: Sequence[float] = (0,)
    ) -> Callable[[str, int], float]:
        """Return a value of a reading, for all its seeds: the mean of the ratios over the loads, or the one picked."""

        def value(reading: str, seed: int) -> float:
            del seed
            return pick([self.of_means(reading, load) for load in loads])

        return value

    def logarithmic(self, loads: Sequence[float] = (0,)) -> Callable[[str, int], float]:
        """Return the geometric mean over the loads of new over old in a seed: below 1 if the new one is better."""

        def value(reading: str, seed: int) -> float:
            return exp(-fmean(log(self.of_seed(reading, seed, load)) for load in loads))

        return value

    def alike(self, loads: Sequence[float] = (0,)) -> Repeated:
        """Return the readings in which the mean over the loads of the ratios of means over all seeds is near 1."""
        mean = self.over(loads=loads)
        return self.kept.within(lambda reading: NEAR[0] <= mean(reading, 1) <= NEAR[1], f"{self.old} as {self.new}")

    def sooner(self, loads: Sequence[float] = (0,)) -> Repeated:
        """Return the readings in which the interval of the mean log ratio, new over old, is below 0."""
        return self.kept.sooner(self.logarithmic(loads), f"{self.new} sooner than {self.old} ({self.measure})")


def quotient(old: float, new: float) -> float:
    """Return old over new: 1 if both are 0, and infinite if the new value alone is.

    >>> quotient(3, 2), quotient(0, 0), quotient(1, 0)
    (1.5, 1.0, inf)
    """
    if new:
        return old / new
    return inf if old else 1.0
