"""Arrays of float64 with bounds on their rounding errors (running error analysis)."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Any, final

import numpy as np

_UNIT = 2.0**-53
_SLACK = 1 + 2.0**-20
"""A factor that covers the rounding of the bounds, which are floats, too."""
_TINY = 2.0**-1070
"""The absolute error of subnormal numbers and of their bounds."""
_DOUBTS: ContextVar[list[Any] | None] = ContextVar("doubts", default=None)


@contextmanager
def doubts() -> Iterator[list[Any]]:
    """Collect the elements at which comparisons of rounded numbers are too close to decide.

    >>> import numpy as np
    >>> with doubts() as found:
    ...     less = Rounded(np.array([0.3, 0.4]), 1e-17) < Fraction(3, 10)
    >>> [doubt.tolist() for doubt in found]
    [[True, False]]
    """
    found: list[Any] = []
    token = _DOUBTS.set(found)
    try:
        yield found
    finally:
        _DOUBTS.reset(token)


def nearest(value: Fraction) -> Rounded:
    """Return the nearest float with its error.

    >>> nearest(Fraction(1, 2)).error, 0 < nearest(Fraction(1, 3)).error < 2.0**-54
    (0.0, True)
    """
    try:
        made = value.numerator / value.denominator
    except OverflowError:
        return Rounded(np.float64(np.inf if value > 0 else -np.inf), np.inf)
    if made.as_integer_ratio() == value.as_integer_ratio():
        return Rounded(np.float64(made))
    return Rounded(np.float64(made), float(abs(Fraction(made) - value)) * _SLACK + _TINY)


class _Compared(ABC):
    """Numbers that are compared element by element; undecided comparisons are recorded."""

    @abstractmethod
    def _compared(self, other: Any, holds: Callable[[Any, Any], Any]) -> Any:
        """Compare the floats, and record the elements at which the bounds leave the result open."""

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, operator.ge)

    def __eq__(self, other: object) -> Any:
        return self._compared(other, operator.eq)

    def __hash__(self) -> int:
        return id(self)


@final
class Rounded(_Compared):
    """Numbers in float64 (`value`), each with a bound on its distance from the exact result (`error`).

    >>> import numpy as np
    >>> third = Rounded(np.array([1.0])) / 3
    >>> bool(third.error[0] < 1e-16), bool((third - third.value)[0].error >= third.error[0])
    (True, True)
    """

    __array_ufunc__ = None

    def __init__(self, value: Any, error: Any = 0.0) -> None:
        self.value, self.error = value, error

    def flat(self, shape: tuple[int, ...]) -> Rounded:
        """Broadcast numbers that share one bound to a shape and flatten them; a scalar stays a scalar."""
        if np.ndim(self.value) == 0:
            return self
        return Rounded(np.broadcast_to(self.value, shape).reshape(-1), self.error)

    def __getitem__(self, index: Any) -> Rounded:
        return Rounded(self.value[index], self.error[index] if np.ndim(self.error) else self.error)

    def __add__(self, other: Any) -> Rounded:
        o = _rounded(other)
        value = self.value + o.value
        part = value - self.value
        lost = abs((self.value - (value - part)) + (o.value - part))  # the exact rounding error (Knuth's TwoSum)
        return Rounded(value, (self.error + o.error + lost) * _SLACK)

    __radd__ = __add__

    def __neg__(self) -> Rounded:
        return Rounded(-self.value, self.error)

    def __sub__(self, other: Any) -> Rounded:
        difference: Rounded = self + -_rounded(other)
        return difference

    def __rsub__(self, other: Any) -> Rounded:
        difference: Rounded = -self + other
        return difference

    def __mul__(self, other: Any) -> Rounded:
        o = _rounded(other)
        value = self.value * o.value
        error = abs(self.value) * o.error + abs(o.value) * self.error + self.error * o.error
        kept = _kept(self, o) & (_short(self, o) | _whole(self, o, value))
        return Rounded(value, np.where(kept, 0.0, (error + _UNIT * abs(value)) * _SLACK + _TINY))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Rounded:
        o = _rounded(other)
        value, room = self.value / o.value, (abs(o.value) - o.error) / _SLACK
        error = np.where(room > 0, (self.error + abs(value) * o.error + _TINY) / room, np.inf)
        back = Rounded(value)
        kept = _kept(self, o) & (value * o.value == self.value) & (_short(back, o) | _whole(back, o, self.value))
        return Rounded(value, np.where(kept, 0.0, (error + _UNIT * abs(value)) * _SLACK + _TINY))

    def __rtruediv__(self, other: Any) -> Rounded:
        quotient: Rounded = _rounded(other) / self
        return quotient

    def __floordiv__(self, other: Any) -> Rounded:
        quotient: Rounded = self / other
        return quotient.floor()

    def __pow__(self, power: int) -> Rounded:
        result = self
        for _ in range(power - 1):
            result = result * self
        return result

    def _compared(self, other: Any, holds: Callable[[Any, Any], Any]) -> Any:
        o = _rounded(other)
        noted = _DOUBTS.get()
        if noted is not None:
            error = self.error + o.error
            noted.append((error != 0) & ~(abs(self.value - o.value) > error * _SLACK))
        return holds(self.value, o.value)

    def minimum(self, values: Any) -> Rounded:
        """Return the least of several."""
        return self._extreme(values, "minimum")

    def maximum(self, values: Any) -> Rounded:
        """Return the greatest of several."""
        return self._extreme(values, "maximum")

    def _extreme(self, values: Any, which: str) -> Rounded:
        each = [_rounded(value) for value in values]
        value = getattr(np, which).reduce(np.broadcast_arrays(*(one.value for one in each)))
        return Rounded(value, np.maximum.reduce(np.broadcast_arrays(*(one.error for one in each))))

    def where(self, condition: Any) -> Rounded:
        """Return the numbers with NaN where a condition does not hold."""
        return Rounded(np.where(condition, self.value, np.nan), self.error)

    def otherwise(self, condition: Any, other: Any) -> Rounded:
        """Return the numbers with another one where a condition does not hold."""
        o = _rounded(other)
        return Rounded(np.where(condition, self.value, o.value), np.where(condition, self.error, o.error))

    def floor(self) -> Rounded:
        """Return the floor; close to an integer its error may be 1."""
        return self._to_whole(np.floor)

    def ceil(self) -> Rounded:
        """Return the ceiling; close to an integer its error may be 1."""
        return self._to_whole(np.ceil)

    def _to_whole(self, whole: Any) -> Rounded:
        low, high = (np.nextafter(self.value + sign * self.error, sign * np.inf) for sign in (-1, 1))
        sure = (self.error == 0) | (whole(low) == whole(high))
        return Rounded(whole(self.value), np.where(sure, 0.0, 1 + self.error))


@final
class Relative(_Compared):
    """Non-negative numbers in float64 with one bound on their relative errors.

    Sums, products and quotients update this bound without reading the numbers. Other operations raise
    FloatingPointError; the caller must set NumPy to raise it on overflow and underflow, too.

    >>> import numpy as np
    >>> third = Relative(np.array([1.0, 2.0])) / 3
    >>> third.relative < 2.0**-52, len(third.value)
    (True, 2)
    """

    __array_ufunc__ = None

    def __init__(self, value: Any, relative: float = 0.0) -> None:
        self.value, self.relative = value, relative

    @classmethod
    def of(cls, number: Any) -> Relative:
        """Wrap exact numbers, or one number with its bound."""
        if type(number) is Relative:
            return number
        if type(number) is int and number >= 0:
            return cls(number)
        rounded = _rounded(number)
        if type(rounded.error) is float and rounded.error == 0:
            if type(number) in (int, float, Fraction) and number < 0:
                _unsure()
            return cls(rounded.value)
        if not rounded.value > rounded.error / _UNIT / 2:  # negative, or too small for all bits
            _unsure()
        return cls(rounded.value, float(rounded.error / rounded.value))

    def __add__(self, other: Any) -> Relative:
        o = self.of(other)
        return Relative(self.value + o.value, (max(self.relative, o.relative) + _UNIT) * _SLACK)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Relative:
        o = self.of(other)
        return Relative(self.value * o.value, (self.relative + o.relative + _UNIT) * _SLACK)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Relative:
        o = self.of(other)
        return Relative(self.value / o.value, (self.relative + o.relative + _UNIT) * _SLACK)

    def __rtruediv__(self, other: Any) -> Relative:
        return self.of(other) / self

    def _compared(self, other: Any, holds: Callable[[Any, Any], Any]) -> Any:
        o = self.of(other)
        noted, most = _DOUBTS.get(), max(self.relative, o.relative) * _SLACK
        if most and noted is not None:
            noted.append(abs(self.value - o.value) <= (self.value + o.value) * most)
        return holds(self.value, o.value)

    def _unsure(self, *_: Any) -> Any:
        _unsure()

    __sub__ = __rsub__ = __neg__ = __pow__ = __floordiv__ = _unsure
    minimum = maximum = floor = ceil = where = otherwise = _unsure


def _unsure() -> None:
    raise FloatingPointError("no bound that is one number")


def off_nearest(value: Any) -> Any:
    """Return the maximum distance of numbers from their nearest floats: half the spacing, infinity for infinity.

    >>> off_nearest(1.0) == 2.0**-53 + 2.0**-1070
    True
    """
    return _UNIT * abs(value) + _TINY


def _rounded(value: Any) -> Rounded:
    """Wrap an exact number or array; a fraction becomes its nearest float with an error."""
    if type(value) is Rounded:
        return value
    return nearest(value) if type(value) is Fraction else Rounded(value)


def _kept(one: Rounded, other: Rounded) -> Any:
    return (one.error == 0) & (other.error == 0)


def _short(*factors: Rounded) -> Any:
    """Return True if both factors have so few bits that their product is exact."""
    return np.logical_and(*(np.float32(factor.value) == factor.value for factor in factors))


def _whole(one: Rounded, other: Rounded, product: Any) -> Any:
    """Return True if both factors are integers and floats represent their product."""
    return (np.floor(one.value) == one.value) & (np.floor(other.value) == other.value) & (abs(product) < 1 / _UNIT)
