"""Theorem 4 of the DT/EDT paper, bursts whose rate rises and falls: as printed and as corrected.

The rate here is 2, then 5, then 2 again; both statements agree on it, but not on all rates:

>>> from fractions import Fraction as F
>>> rate, shared = [(F(0), F(2)), (F(1), F(5)), (F(2), F(2))], Shared(F(1), F(6), F(1), 1)
>>> for theorem in (theorem4, theorem4_corrected):
...     print(*map(str, theorem.evaluate(shared, 1, rate, (F(1), F(2), F(3)))))
17/14 13/7
17/14 13/7
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dtmodel.base import units
from dtmodel.base.errors import MISSING, InputError
from dtmodel.theorems.quantities import Symbol
from dtmodel.theorems.statement import Branch, Formula, Statement
from dtmodel.theory.dt import formulas as dt_formulas
from dtmodel.theory.edt import varying_formulas as formulas
from dtmodel.theory.edt.runs import bursts_in_phases
from dtmodel.theory.edt.varying_rates import (
    Drop,
    Pieces,
    Shared,
    arrived,
    read_pieces,
    theorem4_roots,
    varying_first_drop,
)

Ends = tuple[Fraction, Fraction, Fraction]
"""d_1, d_2 and d_3."""


def printed_first_drop(shared: Shared, M: int, rate: Pieces, ends: Ends, t3: Fraction | None = None) -> Drop | None:
    """Evaluate Theorem 4 as printed, (43) to (51): the first drop and the free buffer then; None if no case applies.

    `rate` is R(t) in the three phases of (42), and `ends` are d_1, d_2 and d_3. `t3` is t_3, which the paper does not
    define; it is needed where neither a) nor b) applies. Raises `InputError` if R(t) is not as in (42), (43) has
    several roots before d_3, or t_3 is needed and not given.

    >>> from dtmodel.theory.edt.varying_rates import read_pieces
    >>> shared = Shared(Fraction(1), Fraction(6), Fraction(1), 2)
    >>> drop = printed_first_drop(shared, 1, read_pieces([(0, 2), (9, 0)]), (Fraction(9),) * 3)
    >>> str(drop.time), str(drop.free)
    ('3/2', '3/2')
    """
    rate, (d1, d2, d3) = _phases(shared, M, rate, ends)
    roots = theorem4_roots(shared, M, rate, d1, d3)
    t1 = _the_root(roots.t1, "t_1")
    if t1 is not None and d1 > t1:
        return Drop(t1, _free_when_followed(shared, M, rate, t1))
    t2 = _the_root(roots.t2, "t_2")
    if t2 is not None and d2 > t2:
        return Drop(t2, _free_when_left_behind(shared, M, rate, d1, t2))
    if t3 is None:
        raise InputError("t3", MISSING, "a time: cases c) and d) depend on t_3, which Theorem 4 does not define")
    t3 = units.seconds(t3, "t3")
    if _excess(shared, M, rate, d1, t3) > 0:
        late = t2 is not None and d3 > t2
        return Drop(t2, _free_when_left_behind(shared, M, rate, d1, t2)) if t2 is not None and late else None
    return Drop(t1, _free_when_followed(shared, M, rate, t1)) if t1 is not None and d3 > t1 else None


def first_drop_of_phases(shared: Shared, M: int, rate: Pieces, ends: Ends) -> Drop | None:
    """Evaluate Theorem 4 as corrected: the first drop of M bursts of one rate R(t) >= C in the phases of (42).

    Raises `InputError` if R(t) is not as in (42), or less than C before d_3.

    >>> from dtmodel.theory.edt.varying_rates import read_pieces
    >>> shared = Shared(Fraction(1), Fraction(6), Fraction(1), 2)
    >>> ends = (Fraction(0), Fraction(0), Fraction(9))
    >>> str(first_drop_of_phases(shared, 1, read_pieces([(0, 2), (9, 0)]), ends).time)
    '3/2'
    """
    rate, (_, _, d3) = _phases(shared, M, rate, ends)
    slow = [value for value in _rates_in(rate, Fraction(0), d3) if value < shared.C]
    if slow:
        raise InputError(
            "rate", units.plain(slow[0]), f"R(t) >= C, {units.plain(shared.C)} bytes/s, while the bursts last"
        )
    return varying_first_drop(shared, [rate] * M, d3)


def _phases(shared: Shared, M: int, rate: Pieces, ends: Ends) -> tuple[Pieces, Ends]:
    """Read R(t) and the ends of its phases, and check (42), with R(d_1) and R(d_2) in the phase that they begin."""
    units.count(M, "M", least=1)
    rate = read_pieces(rate)
    times = [units.seconds(d, "ends") for d in units.sequence(ends, "ends")]
    if len(times) != 3:
        raise InputError("ends", [units.plain(d) for d in times], "d_1, d_2 and d_3")
    d1, d2, d3 = times
    if not 0 <= d1 <= d2 <= d3:
        raise InputError("ends", [units.plain(d) for d in ends], "0 <= d_1 <= d_2 <= d_3")
    bound = Fraction(dt_formulas.rate_bound(shared.alpha, shared.C, M, shared.N))
    for begin, end, fast in ((Fraction(0), d1, False), (d1, d2, True), (d2, d3, False)):
        for value in _rates_in(rate, begin, end):
            if (value > bound) != fast:
                accepted = (
                    f"(42): {'more than' if fast else 'at most'} {units.plain(bound)} bytes/s from {begin} to {end} s"
                )
                raise InputError("rate", units.plain(value), accepted)
    return rate, (d1, d2, d3)


def _rates_in(rate: Pieces, begin: Fraction, end: Fraction) -> list[Fraction]:
    """List the values of a rate from `begin` on and before `end`."""
    pieces = [(Fraction(0), Fraction(0)), *rate] if not rate or rate[0][0] > 0 else list(rate)
    stops = [*(time for time, _ in pieces[1:]), max(end, pieces[-1][0]) + 1]
    return [value for (start, value), stop in zip(pieces, stops, strict=True) if max(start, begin) < min(stop, end)]


def _the_root(roots: tuple[Fraction, ...], name: str) -> Fraction | None:
    if len(roots) > 1:
        raise InputError("rate", [units.plain(root) for root in roots], f"a rate for which (43) determines {name}")
    return roots[0] if roots else None


def _excess(shared: Shared, M: int, rate: Pieces, d1: Fraction, t3: Fraction) -> Fraction:
    s = shared
    return Fraction(formulas.steady_excess(s.alpha, s.C, M, s.N, arrived(rate, t3), arrived(rate, d1), d1, t3))


def _free_when_followed(shared: Shared, M: int, rate: Pieces, t1: Fraction) -> Fraction:
    s = shared
    return Fraction(formulas.free_when_followed(s.alpha, s.B, s.C, M, s.N, arrived(rate, t1), t1))


def _free_when_left_behind(shared: Shared, M: int, rate: Pieces, d1: Fraction, t2: Fraction) -> Fraction:
    s, before = shared, arrived(rate, d1)
    return Fraction(formulas.free_when_left_behind(s.alpha, s.B, s.C, M, s.N, arrived(rate, t2), before, d1, t2))


def _arrivals(until: str) -> Callable[[], Any]:
    """Return a function that makes the integral of R from 0 to a time."""

    def integral() -> Any:
        import sympy

        s = sympy.Symbol("s", nonnegative=True)
        rate = sympy.Function("R", nonnegative=True)(s)
        return sympy.Integral(rate, (s, 0, sympy.Symbol(until, positive=True)))

    return integral


_SYMBOLS = (
    Symbol(r"\alpha", "control parameter"),
    Symbol("B", "shared buffer", "bytes"),
    Symbol("C", "rate of every port", "bytes/s"),
    Symbol("M", "ports with bursts, empty at time 0", domain="number"),
    Symbol("N", "ports in steady state at time 0", domain="count"),
    Symbol("R(t)", "arrival rate of every burst", "bytes/s", name="R"),
    Symbol("d_1", "end of the slow phase of R(t)", "s"),
    Symbol("d_2", "end of the fast phase", "s"),
    Symbol("d_3", "end of the last phase", "s"),
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
    Symbol("t_3", "a time that the paper does not define", "s"),
    Symbol("A(t_3)", "arrivals until then", "bytes", name="A_t3", stands=_arrivals("t_3")),
)
_CORRECTED = (
    *_SYMBOLS,
    Symbol("t_0", "when the steady ports meet the threshold again, the first time after $d_2$", "s"),
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
    """Return the conclusions of Theorem 4, the `statement`, for a `rate` R(t), a SymPy expression in the symbol `time`.

    The integrals are evaluated where SymPy can. The times t_1 and t_2 are then the roots of two of the conclusions;
    `varying_rates` has exact values. A rate that rises from C = 1 by 1 in every second meets the threshold after the
    square root of 2 seconds:

    >>> import sympy
    >>> t = sympy.Symbol("t")
    >>> said = integrated(theorem4_corrected, 1 + t, t)
    >>> at = {symbol.name: symbol.sympy for symbol in theorem4_corrected.symbols if symbol.name != "R"}
    >>> numbers = {at["alpha"]: 1, at["B"]: 3, at["C"]: 1, at["M"]: 1, at["N"]: 1}
    >>> sympy.solve(said[2].subs(numbers), at["t_1"])
    [sqrt(2)]
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
    ask=printed_first_drop,
    observe=bursts_in_phases,
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
    ask=first_drop_of_phases,
    observe=bursts_in_phases,
)
"""The conclusions that the proof of Theorem 4 establishes, with the assumptions that it uses."""
