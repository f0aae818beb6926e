"""Theorem and engine agree exactly: drop times and free buffers, over both cases, their boundary and every mixture."""

import random
from collections import Counter

import pytest
from dt_cases import Case, case, run

from dtmodel.theory import dt
from dtmodel.theory.dt import formulas
from dtmodel.theory.dt.series import draining, recursive_drains, recursive_follows


def compare(given: Case) -> Counter[str]:
    """Check theory against engine on one case; return which situations it covered."""
    answer = dt.theorem3_corrected.evaluate(given.switch, alpha=given.alpha, steady=given.N, R=given.rates)
    times, frees, ports = answer.first_drop, answer.free_at_first_drop, range(len(given.rates))
    found = run(given, 2 * max(times) + 1)
    assert [found.first_drop(k) for k in ports] == times
    assert [found.free_at_first_drop(k) for k in ports] == frees
    seen = Counter(answer.case)
    setting = (given.alpha, given.switch.buffer, given.switch.rate, given.N)
    L = sum(draining(given.alpha, given.switch.rate, given.N, given.rates))
    points = list(zip(times, frees, strict=True))
    assert recursive_drains(*setting, given.rates, L) == points[:L]
    if L == 0:
        assert recursive_follows(*setting, given.rates) == points
    if len(set(given.rates)) == 1:
        M, R = len(given.rates), given.rates[0]
        first = dt.theorem1.evaluate(given.switch, alpha=given.alpha, steady=given.N, bursts=M, burst_rate=R)
        assert tuple(first.values()) == points[0]
        at_bound = formulas.rate_bound(given.alpha, given.switch.rate, M, given.N) == R
        seen[f"case {first.case}"] += 1
        seen["boundary"] += at_bound
    seen["beyond L"] += sum(case != "drain" for case in answer.case[L:]) if L else 0
    return seen


def covered(seen: Counter[str], least: int) -> None:
    for situation in ("follow", "drain", "mixed", "case a", "case b", "boundary", "beyond L"):
        assert seen[situation] >= least, (situation, seen)


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(2, 26))])
def test_theory_and_engine_agree_on_500_random_switches(seed: int) -> None:
    rng, seen = random.Random(seed), Counter[str]()
    for _ in range(500):
        seen += compare(case(rng))
    covered(seen, 20)


@pytest.mark.exhaustive
def test_theory_and_engine_agree_on_every_small_switch() -> None:
    """All alpha in {1/2, 1, 2}, C = 1, B = 12, N <= 2, and up to three bursts of whole rates from 2 to 8."""
    from fractions import Fraction
    from itertools import combinations_with_replacement, product

    from dtmodel import Switch

    for alpha, N, M in product((Fraction(1, 2), Fraction(1), Fraction(2)), range(3), range(1, 4)):
        for rates in combinations_with_replacement(range(8, 1, -1), M):
            steady = (Fraction(1),) * N
            compare(Case(Switch(M + N, 12, 1), alpha, tuple(map(Fraction, rates)), steady))
