"""Arrays of float64 beside a bound on what rounding did to them: running error analysis."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, final

__all__ = ["Rounded"]

_UNIT = 2.0**-53
_SLACK = 1 + 2.0**-20
"""The bounds are computed in floats themselves; this covers what is rounded there."""


@final
class Rounded:
    """Numbers of float64 and, for each, a bound on the distance from what exact arithmetic would give.

    Examples
    --------
    >>> import numpy as np
    >>> third = Rounded(np.array([1.0])) / 3
    >>> bool(third.error[0] < 1e-16), bool((third - third.value)[0].error >= third.error[0])
    (True, True)
    """

    __array_ufunc__ = None

    def __init__(self, value: Any, error: Any = 0.0) -> None:
        self.value, self.error = value, error

    def __getitem__(self, index: Any) -> Rounded:
        import numpy as np

        return Rounded(self.value[index], np.broadcast_to(self.error, np.shape(self.value))[index])

    def _after(self, value: Any, error: Any, other: Rounded, *, exact: Any = True) -> Rounded:
        """Return a result with its error; there is none where whole numbers below 2**53 give one, `exact` allowing."""
        import numpy as np

        whole = (error == 0) & (np.floor(self.value) == self.value) & (np.floor(other.value) == other.value)
        kept = whole & (np.floor(value) == value) & (abs(value) < 1 / _UNIT) & exact
        return Rounded(value, np.where(kept, 0.0, (error + _UNIT * abs(value)) * _SLACK))

    def __add__(self, other: Any) -> Rounded:
        o = _rounded(other)
        return self._after(self.value + o.value, self.error + o.error, o)

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
        error = abs(self.value) * o.error + abs(o.value) * self.error + self.error * o.error
        return self._after(self.value * o.value, error, o)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Rounded:
        import numpy as np

        o = _rounded(other)
        value, room = self.value / o.value, abs(o.value) - o.error
        error = np.where(room > 0, (self.error + abs(value) * o.error) / room, np.inf)
        return self._after(value, error, o, exact=value * o.value == self.value)

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

    def __lt__(self, other: Any) -> Any:
        return self.value < _rounded(other).value

    def __le__(self, other: Any) -> Any:
        return self.value <= _rounded(other).value

    def __gt__(self, other: Any) -> Any:
        return self.value > _rounded(other).value

    def __ge__(self, other: Any) -> Any:
        return self.value >= _rounded(other).value

    def __eq__(self, other: object) -> Any:
        return self.value == _rounded(other).value

    def __hash__(self) -> int:
        return id(self)

    def minimum(self, values: Any) -> Rounded:
        """Return the least of several."""
        return self._extreme(values, "minimum")

    def maximum(self, values: Any) -> Rounded:
        """Return the greatest of several."""
        return self._extreme(values, "maximum")

    def _extreme(self, values: Any, which: str) -> Rounded:
        import numpy as np

        each = [_rounded(value) for value in values]
        value = getattr(np, which).reduce(np.broadcast_arrays(*(one.value for one in each)))
        return Rounded(value, np.maximum.reduce(np.broadcast_arrays(*(one.error for one in each))))

    def where(self, condition: Any) -> Rounded:
        """Return NaN where a condition does not hold."""
        import numpy as np

        return Rounded(np.where(condition, self.value, np.nan), self.error)

    def otherwise(self, condition: Any, other: Any) -> Rounded:
        """Return another number where a condition does not hold."""
        import numpy as np

        o = _rounded(other)
        return Rounded(np.where(condition, self.value, o.value), np.where(condition, self.error, o.error))

    def floor(self) -> Rounded:
        """Return the floor; near a whole number it may be off by 1."""
        import numpy as np

        return self._to_whole(np.floor)

    def ceil(self) -> Rounded:
        """Return the ceiling; near a whole number it may be off by 1."""
        import numpy as np

        return self._to_whole(np.ceil)

    def _to_whole(self, whole: Any) -> Rounded:
        sure = whole(self.value - self.error) == whole(self.value + self.error)
        return Rounded(whole(self.value), (1 - sure) * (1 + self.error))


def _rounded(value: Any) -> Rounded:
    """Wrap a number or an array that is exact as it stands, or a fraction as the nearest float."""
    if isinstance(value, Rounded):
        return value
    if isinstance(value, Fraction):
        return Rounded(float(value), _UNIT * abs(float(value)))
    return Rounded(value)
