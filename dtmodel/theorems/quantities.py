"""The symbols of statements, and the reading of values for them.

- ``value`` is a number, exact or with a unit, an expression of SymPy, or an array.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from math import gcd, lcm
from typing import Any, Literal, final

from dtmodel.base import budgets, units
from dtmodel.base.errors import MISSING, InputError, one_of
from dtmodel.theorems.operations import is_array, is_symbolic

__all__ = ["Numbers", "Symbol"]

Domain = Literal["positive", "nonnegative", "real", "count", "number", "share", "pieces"]
"""Greater than 0; at least 0; any; whole and at least 0; whole and at least 1; from 0 to 1; a rate that varies."""

Pieces = Sequence[tuple[Fraction, Fraction]]
"""A piecewise-constant rate: pairs (time, rate), times increasing, 0 before the first."""

_ASSUMPTIONS: dict[Domain, dict[str, bool]] = {
    "positive": {"positive": True},
    "nonnegative": {"nonnegative": True},
    "real": {"real": True},
    "count": {"integer": True, "nonnegative": True},
    "number": {"integer": True, "positive": True},
    "share": {"nonnegative": True},
    "pieces": {"positive": True},
}
_WORDS = {
    "positive": "greater than 0", "nonnegative": "of at least 0", "real": "that is finite",
    "count": "that is whole and at least 0", "number": "that is whole and at least 1", "share": "from 0 to 1",
    "pieces": "or pairs of a time and a rate",
}  # fmt: skip
_EXACT_IN_FLOATS = 2**53


@dataclass(frozen=True)
class Symbol:
    r"""One symbol of a statement.

    - `latex`: the symbol in LaTeX, without dollar signs.
    - `meaning`: its meaning in words.
    - `unit`: its unit; empty for a number.
    - `domain` (``"positive"``, ``"nonnegative"``, ``"real"``, ``"count"``, ``"number"``, ``"share"`` or ``"pieces"``):
      the domain of its values; "pieces" is a function of time, given as pairs of a time and the rate from then on.
    - `name`: the keyword for its value; by default the LaTeX without backslashes and braces.
    - `series` (tuple of str and int): for an element of a series, its letter and its offset from k: ``("t", -1)`` is
      t(k - 1).
    - `many`: whether its value is a list, one for each port (queue, packet).
    - `least`: the minimum length of the list.
    - `optional`: whether it may be omitted; hypotheses on it are then not tested.
    - `stands` (callable): returns the SymPy expression that it stands for, such as an integral.
    - `aliases`: further keywords for its value, in words: ``"steady"`` for N.

    >>> alpha = Symbol(r"\alpha", "control parameter")
    >>> alpha.name, alpha.sympy, alpha.sympy.is_positive
    ('alpha', alpha, True)
    """

    latex: str
    meaning: str
    unit: str = ""
    domain: Domain = "positive"
    name: str = ""
    series: tuple[str, int] | None = None
    many: bool = False
    least: int = 1
    optional: bool = False
    stands: Callable[[], Any] | None = None
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", re.sub(r"[\\{}]", "", self.latex))

    @property
    def sympy(self) -> Any:
        """The SymPy symbol, or the element of a series, with its sign and integrality."""
        import sympy

        if self.stands is not None:
            return self.stands()
        assumptions = _ASSUMPTIONS[self.domain]
        if self.series is None:
            plain = re.sub(r"[\\{}]", "", self.latex)
            return sympy.Symbol(plain if re.fullmatch(r"\w+", plain) else self.name, **assumptions)
        letter, before = self.series
        return sympy.Function(letter, **assumptions)(sympy.Symbol("k", integer=True, positive=True) + before)

    @property
    def written(self) -> Any:
        """The SymPy symbol used for LaTeX: a plain letter, also for an element of a series."""
        import sympy

        return sympy.Symbol(self.name, **_ASSUMPTIONS[self.domain])

    def within(self, value: Any) -> Any:
        """Test the sign of a value: the result is a bool, a relation for an expression, or an array for an array.

        >>> Symbol("N", "ports", domain="count").within(-1)
        False
        """
        return value > 0 if self.domain == "positive" else value >= (1 if self.domain == "number" else 0)

    def exact(self, value: object) -> Any:
        """Read a number, which may have a unit, exactly.

        >>> Symbol("B", "buffer", "bytes").exact("1 KB")
        Fraction(1000, 1)
        """
        if not self.many:
            return self.one(value, self.name)
        items = self.items(value)
        kinds = set(map(type, items))
        if self.domain == "positive" and items and kinds <= {int, Fraction}:  # nothing to read
            numbers = Numbers(items if int not in kinds else map(Fraction, items))
            over, under = numbers.parts
            if min(over) > 0:
                budgets.digits(max(*over, *under), self.name)
                return numbers
        return [self.one(item, f"{self.name}[{index}]") for index, item in enumerate(items)]

    @cached_property
    def rounded(self) -> Any:
        """The method `exact` with the nearest floats of its numbers, and a cache in which the budget is a key."""
        from dtmodel.theorems.rounding import nearest

        def read(value: object, _digits: int) -> tuple[Any, Any]:
            exact = self.exact(value)
            return exact, [*map(nearest, exact)] if self.many else nearest(exact)

        return lru_cache(maxsize=1000)(read)

    def items(self, value: object) -> list[Any]:
        """Return the elements of a list of values."""
        return units.sequence(value, self.name, least=self.least, accepted="a list")

    def one(self, value: object, field: str) -> Any:
        """Read one number exactly, as the `field` of an input."""
        if type(value) is not Fraction and is_symbolic(value):
            value = _fraction(value, field)
        if self.domain == "pieces":
            return read_pieces(value, field)
        if self.domain in ("count", "number"):
            return Fraction(units.count(value, field, least=1 if self.domain == "number" else 0))
        if self.domain == "real":
            return units.exact(value, field)
        read = units.READERS.get(self.unit, units.number)(value, field, positive=self.domain == "positive")
        if self.domain == "share" and read > 1:
            raise InputError(field, value, "a share from 0 to 1")
        return read

    def symbolic(self, value: object) -> Any:
        """Read a number or a SymPy expression, whose assumptions must imply the domain of the symbol."""
        if self.many:
            return [self._expression(item, f"{self.name}[{index}]") for index, item in enumerate(self.items(value))]
        return self._expression(value, self.name)

    def _expression(self, value: object, field: str) -> Any:
        import sympy

        if not is_symbolic(value) or getattr(value, "is_number", False):
            read = self.one(value, field)
            return sympy.Rational(read.numerator, read.denominator)
        if not isinstance(value, sympy.Expr):
            raise InputError(field, value, "a number or an expression of SymPy")
        for fact in _ASSUMPTIONS[self.domain]:
            if not getattr(value, f"is_{fact}"):
                accepted = f"an expression that is {fact} by the assumptions of its symbols ({fact}=True)"
                raise InputError(field, value, accepted)
        return value

    def array(self, value: object) -> Any:
        """Read an array of numbers, or one number, as float64.

        Raises `InputError` if the elements are not numbers of at most 64 bits, or are integers that float64 does not
        represent.
        """
        import numpy as np

        if not is_array(value):
            exact = self.exact(value)
            return [np.float64(float(item)) for item in exact] if self.many else np.float64(float(exact))
        raw = np.asarray(value)
        if raw.dtype.kind not in "iuf" or raw.dtype.itemsize > 8:
            raise InputError(self.name, f"an array of {raw.dtype}", "an array of whole numbers or of floats")
        if raw.dtype.kind in "iu" and raw.size and max(-int(raw.min()), int(raw.max())) > _EXACT_IN_FLOATS:
            accepted = "whole numbers of at most 2**53, which float64 holds exactly"
            raise InputError(self.name, f"{raw.dtype} up to {max(-int(raw.min()), int(raw.max()))}", accepted)
        floats = in_floats(value if isinstance(value, np.ma.MaskedArray) else raw)
        if not self.many:
            return floats
        if floats.shape[-1] < self.least:
            raise InputError(self.name, raw.tolist(), f"an array whose last axis has at least {self.least}")
        return [floats[..., k] for k in range(floats.shape[-1])]

    def accepts(self, value: Any) -> Any:
        """Test for each element of an array whether it lies in the domain of the symbol."""
        if not self.many:
            return self._accepts(value)
        import numpy as np

        return self._accepts(np.stack(np.broadcast_arrays(*value), axis=-1)).all(axis=-1) if value else True

    def _accepts(self, value: Any) -> Any:
        import numpy as np

        fine = np.isfinite(value)
        if self.domain == "real":
            return fine
        fine &= self.within(value)
        if self.domain in ("count", "number"):
            fine &= np.floor(value) == value
        return fine & (value <= 1) if self.domain == "share" else fine

    @property
    def accepted(self) -> str:
        """The domain of its values in words."""
        return f"a number {_WORDS[self.domain]}"


def in_floats(array: Any) -> Any:
    """Return an array in float64, with NaN for masked elements.

    >>> import numpy as np
    >>> in_floats(np.ma.masked_array([2, 3], mask=[False, True])).tolist()
    [2.0, nan]
    """
    import numpy as np

    floats = array if array.dtype == np.float64 else array.astype(np.float64)
    return floats.filled(np.nan) if isinstance(floats, np.ma.MaskedArray) else floats


@final
class Numbers(list[Fraction]):
    """Positive fractions that cache their integer multiples of a common unit, which are faster to compare and add.

    >>> Numbers([Fraction(4, 3), Fraction(2)]).whole
    ([2, 3], Fraction(2, 3))
    """

    @cached_property
    def parts(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The numerators and the denominators."""
        over, under = zip(*map(Fraction.as_integer_ratio, self), strict=True)
        return over, under

    @cached_property
    def whole(self) -> tuple[list[int], Fraction]:
        """The numbers as integer multiples of their largest common unit, and this unit."""
        over, under = self.parts
        divisor, multiple = gcd(*over), lcm(*under)
        if multiple == 1:
            made = [top // divisor for top in over]
        else:
            made = [top // divisor * (multiple // bottom) for top, bottom in zip(over, under, strict=True)]
        return made, Fraction(divisor, multiple)

    def beside(self, one: Fraction) -> tuple[int, list[int], Fraction]:
        """Return `one` and these numbers as integer multiples of their largest common unit, and this unit.

        >>> Numbers([Fraction(4, 3), Fraction(2)]).beside(Fraction(1, 3))
        (1, [4, 6], Fraction(1, 3))
        """
        made, unit = self.whole
        divisor, multiple = gcd(unit.numerator, one.numerator), lcm(unit.denominator, one.denominator)
        times = unit.numerator // divisor * (multiple // unit.denominator)
        own = one.numerator // divisor * (multiple // one.denominator)
        return own, made if times == 1 else [times * number for number in made], Fraction(divisor, multiple)


def _fraction(value: Any, field: str) -> Fraction:
    if not getattr(value, "is_Rational", False):
        raise InputError(field, value, "an exact number: whole, a fraction, or a number with its unit")
    return Fraction(int(value.p), int(value.q))


def read_pieces(rate: object, field: str = "rate") -> Pieces:
    """Read a piecewise-constant `rate`, pairs of quantities whose times increase; `field` names it in an error.

    >>> [(str(time), str(rate)) for time, rate in read_pieces([(0, "2 Gbps"), ("1 ms", 5)])]
    [('0', '250000000'), ('1/1000', '5')]
    """
    rows = [units.sequence(row, field) for row in units.sequence(rate, field)]
    if wrong := [row for row in rows if len(row) != 2]:
        raise InputError(field, wrong[0], "pairs of a time and a rate")
    pieces = [(units.seconds(time, f"{field} (time)"), units.rate(value, field)) for time, value in rows]
    for (before, _), (after, _) in pairwise(pieces):
        if after <= before:
            raise InputError(f"{field} (time)", units.plain(after), f"a time after {units.plain(before)} s")
    return pieces


def only_named(values: Mapping[str, object], symbols: Sequence[Symbol], results: Sequence[str]) -> None:
    """Raise `InputError` if a keyword is not a symbol, or a symbol that is not optional has no value."""
    names = [symbol.name for symbol in symbols]
    for name in values:
        if name not in names:
            accepted = one_of([word for symbol in symbols for word in (symbol.name, *symbol.aliases)], name)
            raise InputError(name, values[name], accepted + (" (results)" if name in results else ""))
    for symbol in symbols:
        if symbol.name not in values and not symbol.optional:
            raise InputError(symbol.name, MISSING, f"a value: {symbol.accepted} ({symbol.unit or 'no unit'})")
