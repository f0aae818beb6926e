"""Theorem 4 of the DT/EDT paper, bursts whose rate rises and falls: as printed and as corrected.

The rate here is 2, then 5, then 2 again; both statements agree on it, but not on all rates:

>>> phases = {"R": [(0, 2), (1, 5), (2, 2)], "d_1": 1, "d_2": 2, "d_3": 3}
>>> for theorem in (theorem4, theorem4_corrected):
...     print(theorem.evaluate(alpha=1, B=6, C=1, bursts=1, steady=1, **phases))
first_drop = 1.21429 s (17/14 s), free_at_first_drop = 1.85714 B (13/7 B), case b
first_drop = 1.21429 s (17/14 s), free_at_first_drop = 1.85714 B (13/7 B)
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dtmodel.base import units
from dtmodel.base.errors import MISSING, InputError
from dtmodel.theorems.evaluation import Evaluated, never
from dtmodel.theorems.quantities import Pieces, Symbol
from dtmodel.theorems.statement import Branch, Formula, Statement
from dtmodel.theory.dt import formulas as dt_formulas
from dtmodel.theory.edt import varying_formulas as formulas
from dtmodel.theory.edt.runs import bursts_beside_any, bursts_in_phases
from dtmodel.theory.edt.varying_rates import (
    BACKGROUND,
    Shared,
    arrived,
    first_drop_at,
    theorem4_roots,
    varying_first_drop,
)


def _printed_phases(
    alpha: Fraction, B: Fraction, C: Fraction, M: Fraction, N: Fraction,
    R: Pieces, d_1: Fraction, d_2: Fraction, d_3: Fraction, t_3: Fraction | None,
) -> Evaluated:  # fmt: skip
    """Return the first drop by (43) to (51), or None, and the case; `InputError` unless R(t) is as in (42)."""
    _in_phases(Fraction(dt_formulas.rate_bound(alpha, C, M, N)), R, d_1, d_2, d_3)
    roots = theorem4_roots(Shared(alpha, B, C, int(N)), int(M), R, d_1, d_3)

    def at_t_1(case: str) -> Evaluated:
        free = formulas.free_when_followed(alpha, B, C, M, N, arrived(R, t_1), t_1) if t_1 is not None else None
        return first_drop_at(t_1, free, case)

    def at_t_2(case: str) -> Evaluated:
        spans = (arrived(R, t_2), arrived(R, d_1), d_1, t_2) if t_2 is not None else ()
        return first_drop_at(t_2, formulas.free_when_left_behind(alpha, B, C, M, N, *spans) if spans else None, case)

    t_1 = _the_root(roots.t1, "t_1")
    if t_1 is not None and d_1 > t_1:
        return at_t_1("a")
    t_2 = _the_root(roots.t2, "t_2")
    if t_2 is not None and d_2 > t_2:
        return at_t_2("b")
    if t_3 is None:
        raise InputError("t_3", MISSING, "a time: cases c) and d) depend on t_3, which Theorem 4 does not define")
    above = formulas.steady_excess(alpha, C, M, N, arrived(R, t_3), arrived(R, d_1), d_1, t_3) > 0
    case, time, drop = ("c", t_2, at_t_2) if above else ("d", t_1, at_t_1)
    return drop(case) if time is not None and d_3 > time else first_drop_at(None, None, case)


def _phases(
    alpha: Fraction, B: Fraction, C: Fraction, M: Fraction, N: Fraction,
    R: Pieces, R_b: Pieces | None, d_1: Fraction, d_2: Fraction, d_3: Fraction,
) -> Evaluated:  # fmt: skip
    """Return the first drop by Theorem 4 as corrected; `InputError` if R(t) is not as in (42), or less than C."""
    _in_phases(Fraction(dt_formulas.rate_bound(alpha, C, M, N)), R, d_1, d_2, d_3)
    for value in _rates_in(R, Fraction(0), d_3):
        if value < C:
            raise InputError("R", units.plain(value), f"R(t) >= C, {units.plain(C)} bytes/s, while the bursts last")
    drop = varying_first_drop(Shared(alpha, B, C, int(N), R_b), [R] * int(M), d_3)
    return first_drop_at(*(drop or (never, None)))


def _in_phases(bound: Fraction, R: Pieces, d_1: Fraction, d_2: Fraction, d_3: Fraction) -> None:
    """Check (42), with R(d_1) and R(d_2) in the phase that they begin; `bound` separates slow rates from fast ones."""
    if not d_1 <= d_2 <= d_3:
        raise InputError("d_2", units.plain(d_2), f"a time from d_1 = {units.plain(d_1)} to d_3 = {units.plain(d_3)} s")
    for begin, end, fast in ((Fraction(0), d_1, False), (d_1, d_2, True), (d_2, d_3, False)):
        for value in _rates_in(R, begin, end):
            if (value > bound) != fast:
                limit = f"{'more than' if fast else 'at most'} {units.plain(bound)} bytes/s"
                raise InputError("R", units.plain(value), f"(42): {limit} from {begin} to {end} s")


def _rates_in(rate: Pieces, begin: Fraction, end: Fraction) -> list[Fraction]:
    """List the values of a rate from `begin` on and before `end`."""
    pieces = [(Fraction(0), Fraction(0)), *rate] if not rate or rate[0][0] > 0 else list(rate)
    stops = [*(time for time, _ in pieces[1:]), max(end, pieces[-1][0]) + 1]
    return [value for (start, value), stop in zip(pieces, stops, strict=True) if max(start, begin) < min(stop, end)]


def _the_root(roots: tuple[Fraction, ...], name: str) -> Fraction | None:
    if len(roots) > 1:
        raise InputError("rate", [units.plain(root) for root in roots], f"a rate for which (43) determines {name}")
    return roots[0] if roots else None


def _arrivals(until: str) -> Callable[[], Any]:
    """Return a function that makes the integral of R from 0 to a time."""

    def integral() -> Any:
        import sympy

        s = sympy.Symbol("s", nonnegative=True)
        rate = sympy.Function("R", nonnegative=True)(s)
        sign = "nonnegative" if until.startswith("d") else "positive"
        return sympy.Integral(rate, (s, 0, sympy.Symbol(until, **{sign: True})))

    return integral


_SYMBOLS = (
    Symbol(r"\alpha", "control parameter"),
    Symbol("B", "shared buffer", "bytes"),
    Symbol("C", "rate of every port", "bytes/s"),
    Symbol("M", "ports with bursts, empty at time 0", domain="number", aliases=("bursts",)),
    Symbol("N", "ports in steady state at time 0", domain="count", aliases=("steady",)),
    Symbol("R(t)", "arrival rate of every burst", "bytes/s", "pieces", "R", aliases=("burst_rate",)),
    Symbol("d_1", "end of the slow phase of R(t)", "s", "nonnegative"),
    Symbol("d_2", "end of the fast phase", "s", "nonnegative"),
    Symbol("d_3", "end of the last phase", "s", "nonnegative"),
    Symbol("t_1", "when the bursts meet a threshold that the steady ports follow", "s"),
    Symbol("t_2", "when they meet one that has left them behind", "s"),
    Symbol("A(t_1)", "arrivals until then", "bytes", name="A_t1", stands=_arrivals("t_1")),
    Symbol("A(t_2)", "arrivals until then", "bytes", name="A_t2", stands=_arrivals("t_2")),
    Symbol("A(d_1)", "arrivals in the slow phase", "bytes", name="A_d1", stands=_arrivals("d_1")),
    Symbol("F(t_1)", "free buffer at $t_1$", "bytes", "real", name="free_1"),
    Symbol("F(t_2)", "free buffer at $t_2$", "bytes", "real", name="free_2"),
)
_PRINTED = (
    *_SYMBOLS,
    Symbol("t_3", "a time that the paper does not define", "s", optional=True),
    Symbol("A(t_3)", "arrivals until then", "bytes", name="A_t3", stands=_arrivals("t_3")),
)
_CORRECTED = (
    *_SYMBOLS,
    Symbol("t_0", "when the steady ports meet the threshold again, the first time after $d_2$", "s"),
    BACKGROUND,
)


def _roots() -> tuple[Any, ...]:
    """Return the equations (43)."""
    at = {symbol.name: symbol.sympy for symbol in _SYMBOLS}
    shared = (at["alpha"], at["B"], at["C"], at["M"], at["N"])
    first = formulas.slow_phase(*shared, at["A_t1"], at["t_1"])
    second = formulas.fast_phase(*shared, at["A_t2"], at["A_d1"], at["d_1"], at["t_2"])
    return _none(first), _none(second)


def _none(expression: Any) -> Any:
    """Return the equation that sets an expression to 0."""
    import sympy

    return sympy.Eq(expression, 0, evaluate=False)


def integrated(statement: Statement, rate: Any, time: Any) -> Any:
    """Return the conclusions of Theorem 4, the `statement`, with its integrals evaluated where SymPy can.

    `rate` is R(t), a SymPy expression in the symbol `time`. The times t_1 and t_2 are roots of two conclusions;
    `varying_rates` has exact values.
    """
    import sympy

    arrivals = next(iter(_arrivals("t_1")().atoms(sympy.core.function.AppliedUndef)))
    return statement.conclusions.replace(arrivals.func, sympy.Lambda(time, rate)).doit()


_FREES = (
    Formula("free_1", formulas.free_when_followed, symbols="alpha B C M N A_t1 t_1"),
    Formula("free_2", formulas.free_when_left_behind, symbols="alpha B C M N A_t2 A_d1 d_1 t_2"),
)
_SAID = ("$<first>$ at $t_1$", "$<second>$ at $t_2$", "$<is free_1>$", "$<is free_2>$")
_NOTES = (
    Formula("first", lambda *of: _none(formulas.slow_phase(*of)), symbols="alpha B C M N A_t1 t_1"),
    Formula("second", lambda *of: _none(formulas.fast_phase(*of)), symbols="alpha B C M N A_t2 A_d1 d_1 t_2"),
    Formula("lasts_1", lambda d_3, t_1: d_3 > t_1),
    Formula("lasts_2", lambda d_3, t_2: d_3 > t_2),
)


def _left_behind(
    d_1: Any, t_1: Any, d_2: Any, t_2: Any, alpha: Any, C: Any, M: Any, N: Any, A_t3: Any, A_d1: Any, t_3: Any
) -> Any:
    """Return the condition of case c)."""
    return (d_1 <= t_1) & (d_2 <= t_2) & (formulas.steady_excess(alpha, C, M, N, A_t3, A_d1, d_1, t_3) > 0)


theorem4 = Statement(
    "edt.thm4",
    "Theorem 4: rates that rise and fall",
    _PRINTED,
    (r"$R(t)$ as in (42)",),
    _SAID,
    branches=(
        Branch(lambda d_1, t_1: d_1 > t_1, ("packets are dropped, the first at $t_1$",), "(44), (45)"),
        Branch(
            lambda d_1, t_1, d_2, t_2: (d_1 <= t_1) & (d_2 > t_2),
            ("packets are dropped, the first at $t_2$",),
            "(46), (47)",
        ),
        Branch(
            _left_behind,
            ("then the steady ports are above the threshold at $t_3$", "packets are dropped if $<lasts_2>$"),
            "(48), (49)",
        ),
        Branch("otherwise", ("packets are dropped if $<lasts_1>$",), "(50), (51)"),
    ),
    source="DT/EDT paper, Section 3.3, Theorem 4, equations (42) to (51)",
    formulas=_FREES,
    notes=_NOTES,
    relations=_roots,
    along=_printed_phases,
    observe=bursts_beside_any,
)
"""Theorem 4 as printed; the paper does not define its $t_3$, which is therefore an input."""

theorem4_corrected = Statement(
    "edt.ours.theorem4",
    "Theorem 4, corrected",
    _CORRECTED,
    (
        "$<enough>$ while the bursts last",
        r"(42) with $R(d_1)$ and $R(d_2)$ counted in one phase each",
        "$t_1$ is the infimum of the times at which the left side of the first equation exceeds its right side",
        "$t_2$ is the same for the second equation, looking only after $d_1$; either may be infinite",
    ),
    _SAID,
    branches=(
        Branch(lambda d_1, t_1: d_1 > t_1, ("the first packets are dropped at $t_1$",), "(44), (45)"),
        Branch(
            lambda d_1, t_1, t_2, t_0: (d_1 <= t_1) & (t_2 < t_0),
            ("they are dropped at $t_2$, if $<lasts_2>$",),
            "(46) to (49)",
        ),
        Branch(
            lambda d_1, t_1, t_2, t_0: (d_1 <= t_1) & (t_2 >= t_0),
            ("they are dropped at $t_1$, if $<lasts_1>$",),
            "(50), (51)",
        ),
    ),
    source="own theorem, after Theorem 4 of the DT/EDT paper",
    formulas=_FREES,
    notes=(*_NOTES, Formula("enough", lambda R, C: R >= C)),
    relations=_roots,
    along=_phases,
    observe=bursts_in_phases,
)
"""The conclusions that the proof of Theorem 4 establishes, with the assumptions that it uses."""
