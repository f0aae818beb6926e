"""Theorems 1 to 3 and 5 of the DT/EDT paper as they are derived, and as `dtmodel.theory` computes them: proofs."""

from typing import Any

from dtmodel.companion import deriving
from dtmodel.derive import DerivedTheorem
from dtmodel.derive.theorem.certificate import stands_alone
from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.theory.dt import formulas as dt
from dtmodel.theory.edt import formulas as edt

from .derivation import certified, kept, proved, words


def _theorem1(s: Any) -> dict[str, Any]:
    """Equations (10), (11) and the lengths of (69) and (71)."""
    r = s.R - s.C
    return {
        "t_slow": dt.slow_drop_time(s.alpha, s.B, s.M, s.N, r),
        "F_slow": dt.slow_free(s.alpha, s.B, s.M, s.N),
        "q_slow": edt.growth_at_slow_drop(s.alpha, s.B, s.M, s.N),
        "t_fast": dt.fast_drop_time(s.alpha, s.B, s.C, s.M, s.N, r),
        "F_fast": dt.fast_free(s.alpha, s.B, s.C, s.M, s.N, r),
        "q_fast": edt.growth_at_fast_drop(s.alpha, s.B, s.C, s.M, s.N, r),
    }


@evidence("derived.ours.theorem1", form="printed", strength="symbolic")
def theorem_1_is_derived_and_is_that_of_the_theory() -> Outcome:
    """Derive Theorem 1; (10), (11) and the lengths of (69) and (71) are the same functions."""
    return proved("derived.ours.theorem1", "theorems", _theorem1)


def _theorem5(s: Any) -> dict[str, Any]:
    """The drop of DT with the lengths in (69) and (71), and the overflow: (80), and what is true beyond it."""
    r, theorem1 = s.R - s.C, _theorem1(s)
    return {
        **theorem1,
        "slow_counted": theorem1["q_slow"] - s.c_2,
        "fast_counted": theorem1["q_fast"] - s.c_2,
        "over_slow": edt.slow_overflow(s.B, s.M, r),
        "over_fast": edt.fast_overflow(s.alpha, s.B, s.C, s.M, s.N, r),
    }


@evidence("derived.ours.theorem5", form="printed", strength="symbolic")
def theorem_5_and_what_is_beyond_it_are_derived() -> Outcome:
    """Derive the first drop under EDT for any counting number and TM1, and a TM2 that outlasts the overflow."""
    return proved("derived.ours.theorem5", "theorems", _theorem5)


def _above(ratio: Any, theorem: DerivedTheorem) -> bool:
    """Tell whether a function is positive everywhere in the domain, at sight."""
    return theorem.domain.positive(ratio.top) and theorem.domain.positive(ratio.bottom)


@evidence("derived.ours.growth", form="printed", strength="symbolic")
def lengths_at_the_first_drop_are_70_to_72() -> Outcome:
    """Derive Theorem 1; (70), (71) and (72) follow from its cases by identities of functions."""
    its = kept("derived.ours.growth")
    theorem = deriving.derived_again(its)
    certificate = certified(theorem)
    check(stands_alone(certificate), "the certificate of Theorem 1 rests on solvers")
    value, s = words("derived.ours.growth", "theorems", theorem), theorem.domain.outside()
    alpha, B, C, M, N, P = (s[name] for name in ("alpha", "B", "C", "M", "N", "P"))
    r, (slow, fast) = s["R"] - C, theorem.cases
    rate, limit, q_slow, q_fast = (value(name) for name in ("fast", "limit", "q_slow", "q_fast"))
    (condition,) = fast.when
    check((condition.poly, condition.relation) == (rate.top, ">"), "bursts are fast where (70) is not")
    check(r * slow.answers["first_drop"] == q_slow, "slow bursts have another length")
    check(r * fast.answers["first_drop"] == q_fast, "fast bursts have another length")
    check(limit == edt.limit_of_growth(alpha, B, M, N), "the limit of (71) is another")
    check(value("number") == edt.cn2_paper(alpha, B, P), "(72) is another")
    check(value("over_slow") == q_slow - limit, "slow bursts are longer by something else")
    check(value("over_fast") == q_fast - limit, "fast bursts are longer by something else")
    denominator = r + rate + C  # positive where bursts are fast
    shorter = (q_slow - q_fast) / (N * rate) * denominator
    for part in (value("over_slow") / N, value("over_fast") / N * denominator, shorter):
        check(_above(part, theorem), f"{part} is not seen to be positive")
    more = P - M - N
    rest = alpha * (4 + alpha * (2 * (M + N) + more))
    gap = alpha * (M - N) * alpha * (M - N) + more * rest
    check((limit - value("number")) * (2 + alpha * P) ** 2 == limit * gap, "(71) exceeds (72) by something else")
    check(_above(limit, theorem) and _above(rest, theorem), "(71) may be less than (72)")
    detail = f"certificate of {len(certificate['cells'])} cells verified, boundaries included; the rest is identities"
    return Proved(detail, its["example"], deriving.declared(theorem), certificate)


def _held(s: Any) -> tuple[Any, Any]:
    """What is free at first, and what the steady ports hold of the buffer then."""
    free = dt.initial_free(s.alpha, s.B, s.N)
    return free, s.N * s.alpha * free


def _two_rates(s: Any) -> dict[str, Any]:
    """The recursion-free forms of Theorems 2 and 3, without ports on the threshold and with one."""
    r_1, r_2 = s.R_1 - s.C, s.R_2 - s.C
    D_1 = dt.closing_rate(s.alpha, s.C, s.N, r_1, r_1 + r_2)
    D_2 = dt.closing_rate(s.alpha, s.C, s.N + 1, r_2, r_2)
    free, held = _held(s)
    return {
        "t_all": dt.follow_drop_time(s.alpha, s.B, s.N + 1, r_2, r_2),
        "t_one": dt.mixed_drop_time(s.alpha, s.B, s.C, r_2, r_2, 1, (s.N, held)),
        "t_none": dt.drain_drop_time(s.alpha, free, D_2, (dt.drain_factor(s.alpha, s.R_1, D_1),)),
    }


@evidence("derived.ours.two-rates", form="printed", strength="symbolic")
def the_slower_of_two_rates_is_that_of_the_theory() -> Outcome:
    """Derive when the slower of two bursts drops; the forms of Theorems 2 and 3 are the same functions."""
    return proved("derived.ours.two-rates", "theorems", _two_rates)


def _fastest(s: Any, inflow: Any) -> dict[str, Any]:
    """The first drop of the fastest burst, of Theorems 2 and 3."""
    r, (free, _) = s.R_1 - s.C, _held(s)
    return {
        "t_slow": dt.follow_drop_time(s.alpha, s.B, s.N, r, inflow),
        "t_fast": dt.drain_drop_time(s.alpha, free, dt.closing_rate(s.alpha, s.C, s.N, r, inflow), ()),
    }


@evidence("derived.ours.two-rates.faster", form="printed", strength="symbolic")
def the_faster_of_two_rates_is_that_of_the_theory() -> Outcome:
    """Derive when the faster of two bursts drops; the forms of Theorems 2 and 3 are the same functions."""
    theory = lambda s: _fastest(s, s.R_1 + s.R_2 - 2 * s.C)  # noqa: E731
    return proved("derived.ours.two-rates.faster", "theorems", theory)


@evidence("derived.ours.three-rates.fastest", form="printed", strength="symbolic")
def the_fastest_of_three_rates_is_that_of_the_theory() -> Outcome:
    """Derive when the fastest of three bursts drops; the forms of Theorems 2 and 3 are the same functions."""
    theory = lambda s: _fastest(s, s.R_1 + s.R_2 + s.R_3 - 3 * s.C)  # noqa: E731
    return proved("derived.ours.three-rates.fastest", "theorems", theory)


def _second(s: Any) -> dict[str, Any]:
    """The first drop of the second of three rates, of Theorems 2 and 3."""
    r, inflow, (free, held) = s.R_2 - s.C, s.R_2 + s.R_3 - 2 * s.C, _held(s)
    D_1 = dt.closing_rate(s.alpha, s.C, s.N, s.R_1 - s.C, s.R_1 - s.C + inflow)
    D_2 = dt.closing_rate(s.alpha, s.C, s.N + 1, r, inflow)
    return {
        "t_all": dt.follow_drop_time(s.alpha, s.B, s.N + 1, r, inflow),
        "t_first": dt.mixed_drop_time(s.alpha, s.B, s.C, r, inflow, 1, (s.N, held)),
        "t_none": dt.drain_drop_time(s.alpha, free, D_2, (dt.drain_factor(s.alpha, s.R_1, D_1),)),
    }


@evidence("derived.ours.three-rates.second", form="printed", strength="symbolic")
def the_second_of_three_rates_is_that_of_the_theory() -> Outcome:
    """Derive when the second of three bursts drops; the forms of Theorems 2 and 3 are the same functions."""
    return proved("derived.ours.three-rates.second", "theorems", _second)


def _slowest(s: Any) -> dict[str, Any]:
    """The first drop of the slowest of three rates, of Theorems 2 and 3."""
    r, r_1, r_2, (free, held) = s.R_3 - s.C, s.R_1 - s.C, s.R_2 - s.C, _held(s)
    D_1 = dt.closing_rate(s.alpha, s.C, s.N, r_1, r_1 + r_2 + r)
    D_2 = dt.closing_rate(s.alpha, s.C, s.N + 1, r_2, r_2 + r)
    D_3 = dt.closing_rate(s.alpha, s.C, s.N + 2, r, r)
    factors = (dt.drain_factor(s.alpha, s.R_1, D_1), dt.drain_factor(s.alpha, s.R_2, D_2))
    drained = s.R_1 * dt.drain_drop_time(s.alpha, free, D_1, ())  # the line of the fastest, which left at its drop
    return {
        "t_all": dt.follow_drop_time(s.alpha, s.B, s.N + 2, r, r),
        "t_both": dt.mixed_drop_time(s.alpha, s.B, s.C, r, r, 2, (s.N, held)),
        "t_second": dt.mixed_drop_time(s.alpha, s.B, s.C, r, r, 1, (s.N + 1, held + drained)),
        "t_none": dt.drain_drop_time(s.alpha, free, D_3, factors),
    }


@evidence("derived.ours.three-rates", form="printed", strength="symbolic")
def the_slowest_of_three_rates_is_that_of_the_theory() -> Outcome:
    """Derive when the slowest of three bursts drops; the forms of Theorems 2 and 3 are the same functions."""
    return proved("derived.ours.three-rates", "theorems", _slowest)
