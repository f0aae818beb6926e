"""Random DT settings, biased to the corners, and what the exact engine answers for them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dtmodel import DT, Arrivals, Switch, simulate
from dtmodel.theory.dt import formulas

ALPHAS = [Fraction(a) for a in ("1/64", "1/8", "1/2", "1", "2", "8", "64")]


@dataclass(frozen=True)
class Case:
    """A switch, N steady ports of the given rates, and bursts of the given rates in decreasing order."""

    switch: Switch
    alpha: Fraction
    rates: tuple[Fraction, ...]
    steady: tuple[Fraction, ...]

    @property
    def N(self) -> int:
        return len(self.steady)


def fraction(rng: random.Random, most: int) -> Fraction:
    return Fraction(rng.randint(1, most), rng.choice([1, 1, 2, 3, 7]))


def case(rng: random.Random) -> Case:
    """Draw a case: one rate in a fifth of them (at the boundary in a tenth), ties, fast and slow bursts mixed."""
    M, N = rng.choice([1, 2, 2, 3, 4, 6]), rng.choice([0, 0, 1, 1, 2, 3, 6])
    alpha = rng.choice([*ALPHAS, fraction(rng, 9)])
    B, C = fraction(rng, 60), fraction(rng, 5)
    scale = rng.choice([Fraction(1, 20), Fraction(1, 3), 1, 1, 4, 30])
    rates = [C + scale * fraction(rng, 20) * rng.choice([1, 1, Fraction(1, 9), 5]) for _ in range(M)]
    kind = rng.randrange(10)
    if kind == 0:
        rates = [formulas.rate_bound(alpha, C, M, N)] * M
    elif kind == 1:
        rates = [rates[0]] * M
    elif kind == 2:
        rates = rng.choices(rates, k=M)
    steady = tuple(C + rng.choice([0, 0, Fraction(1, 9), 1, 50]) for _ in range(N))
    spare = rng.choice([0, 0, 1, 5])
    return Case(Switch(M + N + spare, B, C), alpha, tuple(sorted(rates, reverse=True)), steady)


def run(given: Case, until: Fraction, ends: Sequence[Fraction | None] = ()):
    """Run the exact engine; `ends` are the durations of the bursts, None for one that lasts."""
    M = len(given.rates)
    ends = ends or [None] * M
    arrivals = {
        port: Arrivals.constant(rate) if end is None else Arrivals([(0, rate), (end, 0)] if end else [])
        for port, (rate, end) in enumerate(zip(given.rates, ends, strict=True))
    }
    arrivals |= {M + port: Arrivals.constant(rate) for port, rate in enumerate(given.steady)}
    initial = {M + port: "steady" for port in range(given.N)}
    return simulate(given.switch, DT(given.alpha), arrivals, initial=initial, until=until)
