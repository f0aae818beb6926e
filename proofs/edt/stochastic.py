"""Section 5.2: simulations with random traffic, Figures 17 to 20; proofs."""

from fractions import Fraction
from math import exp, log, sqrt

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence


@evidence("edt.sec5.2.lognormal", form="printed", strength="symbolic")
def a_lognormal_with_equal_mean_and_deviation() -> Outcome:
    """Mean exp(m + s^2 / 2), variance (exp(s^2) - 1) mean^2: equal to mean^2 iff s^2 = ln 2."""
    square = sp.Symbol("s2", positive=True)
    check(sp.solve(sp.Eq(sp.exp(square) - 1, 1), square) == [sp.log(2)], "one solution")
    sigma = sqrt(log(2))
    mean = exp(log(2.0) - sigma * sigma / 2 + sigma * sigma / 2)
    check(abs(mean - 2.0) < 1e-12, "the mean")
    return Proved("exp(s^2) = 2 has one solution", {"mean": "2 ms", "s^2": "ln 2"})


@evidence("edt.sec4.4.either@sec5.2", form="printed", strength="symbolic")
def few_bursts_are_longer_than_the_buffer_is_deep() -> Outcome:
    """Cantelli: P(X - mean >= x) <= var / (var + x^2), for every distribution; the lognormal tail besides."""
    mean, deviation = Fraction(2), Fraction(2)
    bound = Fraction(8 * 10**6) * 1000 / (2 * 10**9 - 10**9)
    check(bound == 8, f"B / (R_min - C) is {bound} ms")
    x = bound - mean
    check(deviation**2 / (deviation**2 + x**2) == Fraction(1, 10), "Cantelli's bound")
    attained = ((Fraction(9, 10), Fraction(4, 3)), (Fraction(1, 10), bound))
    first, second = (sum(part * time**power for part, time in attained) for power in (1, 2))
    check((first, second - first**2) == (mean, deviation**2), "no such distribution attains it")
    sigma = sp.sqrt(sp.log(2))
    tail = sp.erfc((sp.log(4) + sigma**2 / 2) / (sigma * sp.sqrt(2))) / 2
    check(sp.Rational(1, 100) < tail < sp.Rational(2, 100) + sp.Rational(1, 1000), f"lognormal tail {sp.N(tail)}")
    return Proved("at most 1/10, and 2 % for the lognormal", {"B": "8", "mean": "2", "tail": "1/10"}, ["mean < B"])
