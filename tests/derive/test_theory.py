"""Derived theorems say what `dtmodel.theory` says: as functions, or at every point that is tried."""

from fractions import Fraction
from random import Random

import families
import pytest

from dtmodel import Switch
from dtmodel.derive import derive
from dtmodel.theory.dt import formulas as dt
from dtmodel.theory.dt import theorem1_corrected, theorem3_corrected
from dtmodel.theory.edt import drops as edt_drops
from dtmodel.theory.edt import formulas as edt
from dtmodel.theory.threshold_family import Burst, Held, weighted_first_drop

C = Fraction(1)


def test_theorem_1_is_10_and_11_as_functions_of_all_symbols():
    theorem = derive(families.THEOREM1)
    s = theorem.domain.outside()
    alpha, B, C, M, N, r = s["alpha"], s["B"], s["C"], s["M"], s["N"], s["R"] - s["C"]
    slow, fast = (case.answers for case in theorem.cases)
    assert slow["first_drop"] == dt.slow_drop_time(alpha, B, M, N, r)
    assert slow["free_at_first_drop"] == dt.slow_free(alpha, B, M, N)
    assert fast["first_drop"] == dt.fast_drop_time(alpha, B, C, M, N, r)
    assert fast["free_at_first_drop"] == dt.fast_free(alpha, B, C, M, N, r)


def draws(count, seed):
    """Yield random settings: alpha, B, N, and three rates above C = 1 that fall; ties on boundaries among them."""
    random = Random(seed)
    for _ in range(count):
        rates = sorted({1 + Fraction(random.randint(1, 24), random.choice((2, 3, 4))) for _ in range(9)}, reverse=True)
        alpha = Fraction(random.choice((1, 2, 3)), random.choice((1, 2, 4)))
        yield alpha, Fraction(random.randint(1, 9)), random.randint(0, 3), random.sample(rates[:-1], 2) + rates[-1:]


@pytest.mark.parametrize("name", ["TWO_RATES", "THREE_RATES"])
def test_the_slowest_of_several_rates_is_theorems_2_and_3(name):
    theorem, seen = derive(getattr(families, name)), set()
    many = 2 if name == "TWO_RATES" else 3
    for alpha, B, N, drawn in draws(250, 3):
        rates = sorted(drawn, reverse=True)[-many:]
        values = {f"R_{k + 1}": rate for k, rate in enumerate(rates)}
        values |= {"alpha": alpha, "B": B, "C": C, "N": Fraction(N), "R_b": rates[0]}
        answer = theorem.exact(**values)
        every = theorem3_corrected.evaluate(Switch(9, B, 1), alpha=alpha, steady=N, burst_rates=rates)
        assert answer == {name: drops[-1] for name, drops in every.items()}
        seen.add(theorem.cases.index(theorem.case_at(**values)))
    assert len(seen) >= 2


def test_two_alphas_are_the_weights_of_the_family():
    theorem, seen = derive(families.TWO_ALPHAS), set()
    for alpha, B, N, (beta, _, rate) in draws(250, 4):
        M = 1 + N % 2
        values = {"alpha": alpha, "beta": beta - 1, "B": B, "C": C, "M": M, "N": N, "R": rate, "R_b": 2}
        drop = weighted_first_drop(B, [Held(beta - 1, C)] * N, [Burst(alpha, C, rate)] * M)
        assert theorem.exact(**values) == {"first_drop": drop.time, "free_at_first_drop": drop.free}
        seen.add(theorem.cases.index(theorem.case_at(**values)))
    assert seen == set(range(len(theorem.cases)))


@pytest.mark.xdist_group("enhanced_dt")
def test_enhanced_dt_is_69_79_and_80_as_functions_of_all_symbols(enhanced_dt):
    s = enhanced_dt.domain.outside()
    alpha, B, C, M, N, r, c_2 = s["alpha"], s["B"], s["C"], s["M"], s["N"], s["R"] - s["C"], s["c_2"]
    dropped, slow, dropped_fast, fast = enhanced_dt.cases
    assert dropped.answers["first_drop"] == dt.slow_drop_time(alpha, B, M, N, r)
    assert slow.answers["first_drop"] == edt.slow_overflow(B, M, r)
    assert dropped_fast.answers["first_drop"] == dt.fast_drop_time(alpha, B, C, M, N, r)
    assert fast.answers["first_drop"] == edt.fast_overflow(alpha, B, C, M, N, r)
    grown = (edt.growth_at_slow_drop(alpha, B, M, N), edt.growth_at_fast_drop(alpha, B, C, M, N, r))
    for growth, missed, counted in zip(grown, (dropped, dropped_fast), (slow, fast), strict=True):
        assert [c.relation for c in (missed.when[1], counted.when[1])] == [">", ">="]
        assert missed.when[1].poly in ((c_2 - growth).top, (growth - c_2).top)
        assert counted.when[1].poly == -missed.when[1].poly


@pytest.mark.xdist_group("enhanced_dt")
def test_enhanced_dt_is_69_and_the_overflow_beyond_it(enhanced_dt):
    theorem, seen = enhanced_dt, set()
    for alpha, B, N, (share, _, rate) in draws(250, 5):
        M, c_n2 = 1 + N % 2, B / share
        values = {"alpha": alpha, "B": B, "C": C, "M": M, "N": N, "R": rate, "R_b": 2, "c_2": c_n2}
        slow = dt.rate_bound(alpha, C, M, N) >= rate
        if edt.recognised(alpha, B, C, M, N, rate, c_n2):
            r = rate - C
            expected = edt.slow_overflow(B, M, r) if slow else edt.fast_overflow(alpha, B, C, M, N, r)
        else:
            expected = theorem1_corrected.evaluate(Switch(9, B, 1), alpha=alpha, N=N, M=M, R=rate).first_drop
        assert theorem.exact(**values)["first_drop"] == expected, values
        seen.add(theorem.cases.index(theorem.case_at(**values)))
    assert len(seen) >= 3


@pytest.mark.parametrize(
    ("document", "cases"), [(families.EXPIRING, 6), pytest.param(families.EXPIRES, 12, marks=pytest.mark.exhaustive)]
)
def test_bursts_whose_tm2_expires_once_before_the_overflow_are_those_of_the_theory(document, cases):
    theorem, seen, random = derive(document), set(), Random(9)
    assert theorem.complete, theorem.open
    assert len(theorem.cases) == cases
    for alpha, B, ports, (_, _, rate) in draws(600, 6):
        M, N = 1 + random.randrange(3), ports if cases > 6 else 0
        bursts = edt_drops.Bursts.of(alpha=alpha, buffer=B, rate=C, bursts=M, steady=N, burst_rate=rate)
        least = B / (2 * M * bursts.r)
        c_2 = bursts.dt_drop * bursts.r * Fraction(random.randrange(1, 40), 30)
        T_1, T_2 = (c_2 / bursts.r * Fraction(n, 8) for n in (random.randrange(4, 40), random.randrange(64)))
        T_2 = max(T_2, least)
        values = {"alpha": alpha, "B": B, "C": C, "M": M, "R": rate, "c_2": c_2, "T_1": T_1, "T_2": T_2}
        values |= {"N": N, "R_b": rate} if cases > 6 else {}
        expected = edt_drops.edt_drop_time(bursts, edt_drops.EdtSettings(c_2, T_1, T_2))
        assert theorem.exact(**values)["first_drop"] == expected, values
        seen.add(theorem.cases.index(theorem.case_at(**values)))
    assert seen == set(range(cases))
