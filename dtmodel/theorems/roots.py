"""Root search for equations that are not polynomial: integers and steps one by one, sign changes in floats."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, Self, final

from dtmodel.base import extras
from dtmodel.base.errors import InputError
from dtmodel.base.mathtext import MathDisplay, array_of, latex_words, symbol_of
from dtmodel.base.units import brief
from dtmodel.theorems.evaluation import number_latex, shown
from dtmodel.theorems.quantities import Symbol

__all__ = ["FloatRoot", "Solutions"]

MOST_WHOLE = 4096
"""The search tries whole numbers up to this one."""
MOST_STEPS = 64
"""The search tries at most this many steps of a floor or a ceiling in an interval."""
_HALVINGS = 24
_DECADES = range(-12, 16)
_PER_DECADE = 64
_SMALL = 1e-6


@final
@dataclass(frozen=True)
class FloatRoot:
    """A root in floats: the difference of the two sides changes its sign between `low` and `high`.

    >>> float(FloatRoot(1.0, 1.0000000000000002))
    1.0
    """

    low: float
    high: float

    def __float__(self) -> float:
        return self.low


def placed(name: str, unit: str, found: Any, *, latex: bool) -> str:
    r"""Write a solution as a value of a symbol with this `name` and `unit`, or as a set in which the symbol lies."""
    symbol = symbol_of(name) if latex else name
    if isinstance(found, Fraction):
        return f"{symbol} = {number_latex(found, unit) if latex else shown(found, unit)}"
    if isinstance(found, FloatRoot):
        number = brief(shown(Fraction(found.low), unit))
        return rf"{symbol} \approx \text{{{latex_words(number)}}}" if latex else f"{symbol} = about {number}"
    import sympy

    relation = (r"\in" if latex else "in") if isinstance(found, sympy.Set) else "="
    return f"{symbol} {relation} {sympy.latex(found) if latex else found}" + (
        (rf"\ \text{{{unit}}}" if latex else f" {unit}") if unit else ""
    )


_ALONE: Callable[..., str] = partial(placed, "x", "")


@final
class Solutions(tuple[Any, ...], MathDisplay):  # noqa: SLOT001 - a tuple has no room for slots
    """The values `found` for a symbol, at which a result has a given value.

    In order: exact fractions and algebraic numbers of SymPy, increasing; SymPy sets of solutions; each `FloatRoot`.
    `missed` describes the parts of the domain that the search omitted; `why` is the reason if there is no solution.
    `write` returns a solution as text, or in LaTeX.

    >>> Solutions([Fraction(1, 2)]).missed
    ''
    >>> Solutions([], why="at most 2 s, as alpha tends to infinity")
    none: at most 2 s, as alpha tends to infinity
    >>> print(Solutions([Fraction(1, 2)], write=partial(placed, "alpha", "")))
    alpha = 0.5 (1/2)
    """

    missed: str
    why: str
    write: Callable[..., str]

    def __new__(
        cls,
        found: Iterable[Any],
        missed: str = "",
        why: str = "",
        write: Callable[..., str] = _ALONE,
    ) -> Self:
        """Make the tuple of solutions."""
        made = super().__new__(cls, tuple(found))
        made.missed, made.why, made.write = missed, why, write
        return made

    def __repr__(self) -> str:
        return super().__repr__() if self or not self.why else f"none: {self.why}"

    def __str__(self) -> str:
        said = " or ".join(self.write(each, latex=False) for each in self) if self else f"none: {self.why}"
        return f"{said}; not searched: {self.missed}" if self.missed else said

    def latex(self) -> str:
        """Return the solutions in LaTeX, as values of their symbol or as sets in which it lies."""
        said = r"\ \text{or}\ ".join(self.write(each, latex=True) for each in self)
        lines = [said or rf"\text{{none: {latex_words(self.why)}}}"]
        lines += [rf"\text{{not searched: {latex_words(self.missed)}}}"] if self.missed else []
        return array_of(lines) if self.missed else said or lines[0]


def whole_roots(difference: Callable[[Fraction], Any], least: int) -> list[Fraction]:
    """Return the whole numbers from `least` to `MOST_WHOLE` at which a difference is exactly 0.

    >>> whole_roots(lambda n: n // 2 - 3, 1)
    [Fraction(6, 1), Fraction(7, 1)]
    """
    return [Fraction(n) for n in range(least, MOST_WHOLE + 1) if difference(Fraction(n)) == 0]


def near_roots(difference: Callable[[Fraction], Any], symbol: Symbol, span: Any) -> tuple[list[Any], str]:
    """Return intervals of a `span` in which a step function crosses or equals 0, found on a grid, and the omissions.

    >>> from sympy import Interval, oo
    >>> (found,), missed = near_roots(lambda x: x // 2 - 3, Symbol("x", "a length", "bytes"), Interval.open(0, oo))
    >>> 5 < found.start < 6, 8 <= found.end < 9, missed[:20]
    (True, True, 'roots between two of')
    """
    import sympy

    known: list[Any] = [
        Fraction(int(end.p), int(end.q)) if end.is_Rational else float(end) for end in (span.inf, span.sup)
    ]
    closed = [end for end, number in zip(known, (span.inf, span.sup), strict=True) if number in span]
    grid = sorted({*closed, *(Fraction(x) for x in _grid(symbol) if known[0] < x < known[1])})
    signs = [_sign(difference(point)) for point in grid]
    spans = list[tuple[Any, Any]]()
    for (left, at_left), (right, at_right) in pairwise(zip(grid, signs, strict=True)):
        if at_left and at_left == at_right:
            continue
        low = _narrowed(difference, left, right, (at_left,))[0] if at_left else left
        high = _narrowed(difference, left, right, (at_left, 0))[1] if at_right else right
        if spans and spans[-1][1] == low:
            low = spans.pop()[0]
        spans.append((low, high))
    if spans and not signs[0] and spans[0][0] == grid[0]:  # beyond the grid the steps themselves are examined
        spans[0] = (span.inf, spans[0][1])
    if spans and not signs[-1] and spans[-1][1] == grid[-1]:
        spans[-1] = (spans[-1][0], span.sup)
    missed = f"roots between two of the {len(grid)} numbers tried if the result is on one side of it at both"
    return [sympy.Interval(*map(sympy.sympify, ends)) for ends in spans], missed


def _sign(value: Fraction) -> int:
    return int(value > 0) - int(value < 0)


def _narrowed(
    difference: Callable[[Fraction], Any], left: Fraction, right: Fraction, signs: tuple[int, ...]
) -> tuple[Fraction, Fraction]:
    """Bisect an interval until it is short; the function has one of the given signs at its left end."""
    for _ in range(_HALVINGS):
        middle = (left + right) / 2
        left, right = (middle, right) if _sign(difference(middle)) in signs else (left, middle)
    return left, right


def between_steps(expression: Any, letter: Any, span: Any) -> Iterator[tuple[Any, Any, bool]]:
    """Yield a function with floors and ceilings of a symbol as functions without them.

    Yields an expression, its interval, and whether steps were omitted. Raises `InputError` if a rounded expression is
    not a quotient of linear terms.

    >>> from sympy import Interval, floor
    >>> from sympy.abc import x
    >>> list(between_steps(floor(x / 2), x, Interval.Ropen(1, 4)))
    [(0, Interval.Ropen(1, 2), False), (1, Interval.Ropen(2, 4), False)]
    """
    import sympy

    if span.is_FiniteSet:
        for point in span:
            yield expression.subs(letter, point), sympy.FiniteSet(point), False
        return
    atoms = [atom for atom in expression.atoms(sympy.floor, sympy.ceiling) if atom.has(letter)]
    innermost = [atom for atom in atoms if not atom.args[0].atoms(sympy.floor, sympy.ceiling)]
    if not innermost:
        yield expression, span, False
        return
    atom = min(innermost, key=str)
    over, under = sympy.fraction(sympy.cancel(atom.args[0]))
    if not all(part.is_polynomial(letter) and sympy.degree(part, letter) <= 1 for part in (over, under)):
        raise InputError(str(letter), atom, "a symbol that is rounded in quotients of linear terms only")
    poles = sympy.FiniteSet(*sympy.solve(under, letter))
    whole = sympy.Complement(span, poles)
    for part in whole.args if whole.is_Union else [whole]:
        for value, cell, last in _cells(atom, over / under, letter, part):
            for made, where, more in between_steps(expression.xreplace({atom: value}), letter, cell):
                yield made, where, more or last


def _cells(atom: Any, argument: Any, letter: Any, part: Any) -> Iterator[tuple[Any, Any, bool]]:
    """Yield the values of a floor or a ceiling of a monotone argument, each with its interval."""
    import sympy

    ends = [sympy.limit(argument, letter, end, side) for end, side in ((part.inf, "+"), (part.sup, "-"))]
    rising, (low, high) = ends[0] < ends[1], sorted(ends)
    first = sympy.floor(low) if low > -sympy.oo else sympy.floor(high) - MOST_STEPS if high < sympy.oo else -MOST_STEPS
    stop = min(sympy.ceiling(high), first + MOST_STEPS)
    up = isinstance(atom, sympy.ceiling)

    def reached(value: Any) -> Any:
        """Return the point at which the argument has a value; a point beyond the ends if there is none."""
        if value in (low, high):
            return part.inf if (value == low) == rising else part.sup
        if low < value < high:
            return sympy.solve(argument - value, letter)[0]
        return sympy.oo if (value >= high) == rising else -sympy.oo

    for step in range(int(first) - 1, int(stop) + 1):  # between step and step + 1
        at_step, at_next = reached(sympy.Integer(step)), reached(sympy.Integer(step + 1))
        cell = sympy.Interval(*((at_step, at_next, up, not up) if rising else (at_next, at_step, not up, up)))
        endless = (step == int(stop) and stop < high) or (step == int(first) - 1 and low == -sympy.oo)
        inside = cell.intersect(part)
        if inside is not sympy.S.EmptySet:
            yield sympy.Integer(step + up), inside, endless


def crossings(difference: Callable[[float], float], symbol: Symbol) -> tuple[list[FloatRoot], str]:
    """Return the sign changes without a jump on a grid of the symbol's domain, and the omissions of the search.

    >>> roots, missed = crossings(lambda x: x**3 - 2, Symbol("x", "a length", "bytes"))
    >>> [round(root.low, 6) for root in roots], missed[:14]
    ([1.259921], 'two roots betw')
    """
    extras.need("scipy")
    grid = list(_grid(symbol))
    found = []
    points = list(_finite(difference, grid))
    for place, (point, value) in enumerate(points):
        around = [other for _, other in (*points[max(0, place - 1) : place], *points[place + 1 : place + 2])]
        if value == 0 and all(around):  # many zeros in a row are an underflow
            found.append(FloatRoot(point, point))
    for (left, at_left), (right, at_right) in pairwise(points):
        if at_left and at_right and (at_left > 0) != (at_right > 0):
            root = _refined(difference, left, right, _SMALL * (abs(at_left) + abs(at_right)))
            found += [root] if root else []
    missed = f"two roots between neighbours of the {len(grid)} numbers from {grid[0]:g} to {grid[-1]:g} that were tried"
    return sorted(found, key=float), f"{missed}, roots that are touched without a change of sign, and those beyond"


def _grid(symbol: Symbol) -> Iterator[float]:
    """Yield increasing numbers of the domain, 64 a decade."""
    if symbol.domain == "share":
        yield from (step / 4096 for step in range(4097))
        return
    positive = [10.0 ** (decade + step / _PER_DECADE) for decade in _DECADES for step in range(_PER_DECADE)]
    if symbol.domain == "real":
        yield from (-value for value in reversed(positive))
    if symbol.domain != "positive":
        yield 0.0
    yield from positive


def _finite(difference: Callable[[float], float], grid: list[float]) -> Iterator[tuple[float, float]]:
    for point in grid:
        try:
            value = float(difference(point))
        except (ArithmeticError, ValueError, TypeError):  # outside the domain of the formula
            continue
        if abs(value) < float("inf"):
            yield point, value


def _refined(difference: Callable[[float], float], left: float, right: float, small: float) -> FloatRoot | None:
    """Narrow a sign change to neighbouring floats; None if the difference jumps over 0."""
    from math import nextafter

    from scipy.optimize import brentq

    try:
        middle = float(brentq(difference, left, right, xtol=5e-324, rtol=8.9e-16))
        if difference(middle) == 0:
            return FloatRoot(middle, middle)
        low, high, step = middle, middle, 1
        while (difference(low) > 0) == (difference(high) > 0):
            for _ in range(step):
                low, high = max(left, nextafter(low, left)), min(right, nextafter(high, right))
            step *= 2
        return FloatRoot(low, high) if abs(difference(high) - difference(low)) <= small else None
    except ZeroDivisionError:  # a pole
        return None
