"""Rational numbers of many points at once: floats with bounds of their errors, and fractions where these do not decide.

A number is the sum of two floats, `high` and `low`, up to an `error`, 0 or at least 2 u |low| with u = 2^-53; high is
the float nearest to that sum. Each operation adds its own rounding to the errors of its operands: at most
4 u^2 (|a| + |b|) for a sum, 16 u^2 |a b| for a product and 32 u^2 |a / b| for a quotient.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterator, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property, partial
from itertools import compress
from math import lcm
from typing import Any, Self, final

from dtmodel.base.errors import InputError

_SLACK = 1 + 2.0**-20
"""A factor that covers the rounding of the bounds, which are floats, too."""
_TINY = 2.0**-1060
"""A bound of the errors of subnormal numbers."""
_SUM, _PRODUCT, _QUOTIENT = 2.0**-104, 2.0**-102, 2.0**-101
_AT_ONCE = 1_000_000
"""The approximate number of numbers that are sorted together."""
_KEYS, _KEPT = dict[tuple[object, ...], object](), 100_000
"""The keys of constants and of operations on operands with given keys, and the number of these."""


@final
class Divided(Exception):  # noqa: N818 -- not an error: the points are computed in two groups
    """A condition that holds at some points only, those where `rows` is True."""

    def __init__(self, rows: Any) -> None:
        super().__init__("a condition that holds at some points only")
        self.rows = rows


def holds(condition: Any) -> bool:
    """Return the truth of a condition, or of an array of conditions; raise `Divided` unless all of them agree."""
    if not isinstance(condition, bool) and condition.any() and not condition.all():
        raise Divided(condition)
    return condition if isinstance(condition, bool) else bool(condition[0])


@final
class Truth:
    """A condition at many points, `rows`; as a bool it raises `Divided` unless all points agree."""

    def __init__(self, rows: Any) -> None:
        self.rows = rows

    def __bool__(self) -> bool:
        return holds(self.rows)


def _two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """Return a sum in floats and its exact rounding error (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _two_product(a: Any, b: Any) -> tuple[Any, Any]:
    """Return a product in floats and its exact rounding error (Dekker), from factors of 26 bits (Veltkamp)."""
    product, far = a * b, 2.0**27 + 1
    a_1, b_1 = far * a - (far * a - a), far * b - (far * b - b)
    a_2, b_2 = a - a_1, b - b_1
    return product, ((a_1 * b_1 - product) + a_1 * b_2 + a_2 * b_1) + a_2 * b_2


def _sum(a: Vector, b: Vector, sign: int = 1) -> tuple[Any, Any, Any]:
    total, rest = _two_sum(a.high, sign * b.high)
    error = a.error + b.error + _SUM * (abs(a.high) + abs(b.high))
    return *_two_sum(total, rest + (a.low + sign * b.low)), error * _SLACK


_difference = partial(_sum, sign=-1)


def _product(a: Vector, b: Vector) -> tuple[Any, Any, Any]:
    product, rest = _two_product(a.high, b.high)
    error = a.error * (abs(b.high) + b.error) + b.error * abs(a.high) + _PRODUCT * abs(product)
    return *_two_sum(product, rest + (a.high * b.low + a.low * b.high)), error * _SLACK + _TINY


def _quotient(a: Vector, b: Vector) -> tuple[Any, Any, Any]:
    import numpy as np

    quotient, room = a.high / b.high, abs(b.high) / _SLACK - b.error
    product, rest = _two_product(quotient, b.high)
    more = ((((a.high - product) - rest) + a.low) - quotient * b.low) / b.high
    error = (a.error + abs(quotient) * b.error + _TINY) / room + _QUOTIENT * abs(quotient)
    if np.any(room <= 0):
        raise ZeroDivisionError("a number that may be 0 at some points")
    return *_two_sum(quotient, more), error * _SLACK + _TINY


def _operators(operation: Callable[[Any, Any], Any], compute: Callable[[Any, Any], Any], neutral: int) -> Any:
    """Return the methods of an operation, of the operand on the left and of that on the right."""

    def joined(a: Any, b: Any) -> Vector:
        one, two = vector(a), vector(b)
        key = _key(operation, one.key, two.key)
        return Vector(compute(one, two), key, lambda rows: [*map(operation, one.exact(rows), two.exact(rows))])

    def left(self: Vector, other: Any) -> Any:
        return self if not isinstance(other, Vector) and other == neutral else joined(self, other)

    return left, lambda self, other: joined(other, self)


def _comparison(holds: Callable[[Any, Any], Any]) -> Any:
    def compared(self: Vector, other: Any) -> Any:
        if not isinstance(other, Vector | Fraction | int):
            return NotImplemented
        given = vector(other)
        plain = not isinstance(other, Vector) and not other
        difference, _, error = (self.high, 0, self.error * _SLACK) if plain else _difference(self, given)
        rows = holds(difference, 0)
        doubts = [] if self.key == given.key else (~(abs(difference) > error)).nonzero()[0].tolist()
        rows[doubts] = [*map(holds, self.exact(doubts), given.exact(doubts))]
        return Truth(rows)

    return compared


@final
class Wholes(Sequence[Fraction]):
    """Numbers as `whole` numbers over one denominator, `under`; a fraction is made when it is read."""

    def __init__(self, whole: Sequence[int], under: int) -> None:
        self.whole, self.under = whole, under

    @classmethod
    def spaced(cls, low: Fraction, high: Fraction, number: int) -> Self:
        """Return equally spaced numbers.

        >>> [str(value) for value in Wholes.spaced(Fraction(1, 2), Fraction(1), 3)]
        ['1/2', '3/4', '1']
        """
        common = lcm(low.denominator, high.denominator)
        begin, step = (number - 1) * int(low * common), int((high - low) * common)
        whole = range(begin, begin + number * step, step) if step else [begin] * number
        return cls(whole, common * (number - 1))

    def __len__(self) -> int:
        return len(self.whole)

    def __getitem__(self, place: Any) -> Any:
        return Fraction(self.whole[place], self.under)


@final
class Vector:
    """A rational number at each of many points, as NumPy arrays and with a function that computes some exactly.

    Vectors with equal keys are results of the same operations on the same numbers. Caches cannot keep a vector.

    >>> halves = Vector.of([Fraction(1, 2), Fraction(1, 3)])
    >>> (halves / (1 + 2 * halves)).floats().tolist()
    [0.25, 0.2]
    """

    __array_ufunc__ = None

    def __init__(self, parts: Any, key: Hashable, exact: Callable[[Sequence[int]], list[Fraction]]) -> None:
        self.high, self.low, self.error = parts
        self.key, self.exact, self._near = key, exact, None

    @classmethod
    def of(cls, values: Sequence[Fraction]) -> Self:
        """Make a vector of exact numbers."""
        import numpy as np

        if isinstance(values, Wholes):
            over, under = np.array([values.whole, [values.under] * len(values)])
        else:
            over, under = np.array([value.as_integer_ratio() for value in values]).T
        if over.dtype == np.int64 and max(abs(over).max(), under.max()) < 2**53:  # floats have them, and what is left
            high, (product, rest) = over / under, _two_product(over / under, under * 1.0)
            low = ((over - product) - rest) / under
            parts: Any = high, low, 2.0**-52 * abs(low)
        else:
            parts = np.array([enclosed(value) for value in values], float).T
        return cls(parts, object(), lambda rows: [values[row] for row in rows])

    def at(self, places: Any) -> Vector:
        """Return the numbers at some places, in the order of these."""
        parts = [part[places] for part in (self.high, self.low, self.error)]
        return Vector(parts, self.key, lambda rows: self.exact(places[rows].tolist()))

    __add__, __radd__ = _operators(operator.add, _sum, 0)[:1] * 2
    _less, __rsub__ = _operators(operator.sub, _difference, 0)
    _times = _operators(operator.mul, _product, 1)[0]
    __truediv__, __rtruediv__ = _operators(operator.truediv, _quotient, 1)
    __lt__, __le__, __gt__, __ge__, __eq__, __ne__ = (
        _comparison(getattr(operator, name)) for name in ("lt", "le", "gt", "ge", "eq", "ne")
    )

    def __sub__(self, other: Any) -> Any:
        return Fraction(0) if isinstance(other, Vector) and other.key == self.key else self._less(other)

    def __mul__(self, other: Any) -> Any:
        return self._times(other) if isinstance(other, Vector) or other else other

    __rmul__ = __mul__

    def __bool__(self) -> bool:
        return bool(self != 0)

    def floats(self) -> Any:
        """Return the float nearest to each number."""
        if self._near is None:
            low, high = (self.high + (self.low + sign * 2 * self.error) for sign in (-1, 1))  # beyond the error
            decided = (low == self.high) & (self.high == high)
            self._near = self._settled(self.high, decided, float)
        return self._near

    def whole(self, exponent: Any) -> Any:
        """Return the integers nearest to the numbers times 2^exponent (one, or one each), by the rule of `round`."""
        import numpy as np

        scale = 2.0**exponent
        high, low, error = (part * scale for part in (self.high, self.low, self.error))
        near = np.rint(high)
        rest = (high - near) + low
        found = near.astype(np.int64) + np.rint(rest).astype(np.int64)
        decided = abs(rest - np.rint(rest)) + error < 0.5 - 2.0**-20
        scales = np.broadcast_to(exponent, found.shape)
        return self._settled(found, decided, lambda value, by: round(value * Fraction(2) ** int(by)), scales)

    def _settled(self, found: Any, decided: Any, compute: Callable[..., Any], *beside: Any) -> Any:
        """Return the numbers that were found, computed exactly, with those `beside`, where they are not decided."""
        if doubts := (~decided).nonzero()[0].tolist():
            found = found.copy()
            found[doubts] = [*map(compute, self.exact(doubts), *(each[doubts] for each in beside))]
        return found


@final
class Texts:
    """The `values` at one place of many documents, or those of `rows`; a reader of quantities makes a vector of them.

    >>> numbers = Texts(["1/2", "1/3"]).read("numbers", Fraction, together=lambda values: None)
    >>> [str(number) for number in numbers.exact([1, 0])]
    ['1/3', '1/2']
    """

    def __init__(self, values: Sequence[Any]) -> None:
        import numpy as np

        self.values = values
        self.rows: Any = np.arange(len(values))
        self._made = dict[object, tuple[Vector, Any, dict[int, InputError]]]()
        self._alike = all(value == values[0] for value in values)

    def at(self, rows: Any) -> Any:
        """Return the values at some places, or the one value if no vector suits; raise `Divided` if that differs."""
        if self._alike:
            holds(self._ranks[rows] == self._ranks[rows[0]])
            return self.values[rows[0]]
        some = copy(self)
        some.rows = rows
        return some

    @cached_property
    def _ranks(self) -> Any:
        """An integer for each value, equal for equal ones."""
        import numpy as np

        ranks = dict[Any, int]()
        return np.array([ranks.setdefault(value, len(ranks)) for value in self.values])

    def read(self, kind: object, read: Callable[[Any], Fraction], together: Callable[[Any], Any]) -> Vector:
        """Return the values as numbers of a `kind`, read once; raise an error of those that fail, or `Divided`.

        All are read `together`, or each with `read` if that returns None.
        """
        if kind not in self._made:
            self._made[kind] = self._read(read, together)
        vector, wrong, errors = self._made[kind]
        if errors and holds(wrong[self.rows]):
            raise errors[wrong.nonzero()[0][0]]
        return vector.at(self.rows)

    def _read(
        self, read: Callable[[Any], Fraction], together: Callable[[Any], Any]
    ) -> tuple[Vector, Any, dict[int, InputError]]:
        import numpy as np

        exact = isinstance(self.values, Wholes) or {*map(type, self.values)} == {Fraction}
        known = self.values if exact else together(self.values)
        if known is not None:
            return Vector.of(known), None, {}
        numbers, errors = list[Fraction](), dict[int, InputError]()
        for place, value in enumerate(self.values):
            try:
                numbers.append(read(value))
            except InputError as error:
                numbers.append(Fraction(0))
                errors[place] = error
        return Vector.of(numbers), np.isin(range(len(numbers)), [*errors]), errors

    def divides(self, refused: object) -> bool:
        """Give one value at a time from now on if a reader `refused` these values, and return True then."""
        own = isinstance(refused, Texts) and refused.values is self.values
        self._alike |= own
        return own


def vector(value: Any) -> Vector:
    """Return a vector, or one that has the same number at every point."""
    if isinstance(value, Vector):
        return value
    return Vector(enclosed(value), _key(value), lambda rows: [value] * len(rows))


def _key(*parts: object) -> object:
    """Return one object for equal parts: hashes of different numbers may be equal, as those of -1 and -2 are."""
    if len(_KEYS) >= _KEPT:
        _KEYS.clear()
    return _KEYS.setdefault(parts, object())


def enclosed(value: Fraction) -> tuple[float, float, float]:
    """Return the nearest float, the rest as a float, and a bound of its error."""
    over, under = value.as_integer_ratio()
    part, whole = (high := over / under).as_integer_ratio()
    rest = over * whole - part * under
    low = rest / (under * whole)
    return high, low, abs(low) * 2.0**-52 + _TINY if rest else 0.0


def floats(value: Any) -> Any:
    """Return the nearest float of a number, or the array of those of a vector."""
    if type(value) is Fraction:  # several times faster than Python converts it
        over, under = value.as_integer_ratio()
        return over / under
    return value.floats() if type(value) is Vector else float(value)


def key_of(value: Any) -> Hashable:
    """Return a key by which equal numbers are found: a number itself, or the key of a vector."""
    return value.key if type(value) is Vector else value


def distinct(numbers: list[Any], rounded: Sequence[Any], names: str) -> None:
    """Raise `ArithmeticError` if two different numbers, exact or vectors, are `rounded` to one."""
    plain, seen = [type(near) in (int, float) for near in rounded], dict[Any, Any]()
    some = numbers if all(plain) else [*compress(numbers, plain)]
    if [*map(seen.setdefault, compress(rounded, plain), some)] != some:
        raise ArithmeticError(names)
    if some is numbers:
        return
    import numpy as np

    others = {key_of(numbers[k]): (numbers[k], rounded[k]) for k, single in enumerate(plain) if not single}
    wrong = np.zeros(len(next(iter(others.values()))[1]), bool)
    for number, near in others.values():
        for at in np.isin(near, [*seen]).nonzero()[0].tolist():
            wrong[at] |= _exact(number, at) != seen[near[at].item()]
    for one, other, at in _equal(*zip(*others.values(), strict=True)):
        wrong[at] |= _exact(one, at) != _exact(other, at)
    if holds(wrong):
        raise ArithmeticError(names)


def _equal(numbers: Sequence[Any], rounded: Sequence[Any]) -> Iterator[tuple[Any, Any, int]]:
    """Yield two numbers and a row for neighbours in the order of the row that are `rounded` to one."""
    import numpy as np

    step = 1 + _AT_ONCE // len(numbers)
    for begin in range(0, len(rounded[0]), step):
        rows = np.stack([near[begin : begin + step] for near in rounded])
        order = np.argsort(rows, axis=0)
        rows = np.take_along_axis(rows, order, axis=0)
        for place, row in zip(*(rows[1:] == rows[:-1]).nonzero(), strict=True):
            yield numbers[order[place, row]], numbers[order[place + 1, row]], begin + int(row)


def _exact(number: Any, row: int) -> Fraction:
    exact: Fraction = number.exact([row])[0] if type(number) is Vector else number
    return exact
