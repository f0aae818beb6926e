"""Theorem 4 for smooth rates R(t), in floats: integrals by quadrature, times by root finding (SciPy).

`curved_rates` handles piecewise-linear rates exactly and encloses any other rate; this module is faster, without a
proof.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import NamedTuple, final

from dtmodel.base import budgets, extras, units
from dtmodel.base.errors import InputError
from dtmodel.theory.edt import varying_formulas as formulas
from dtmodel.theory.edt.varying_rates import Shared


class SmoothDrop(NamedTuple):
    """The first loss: its time (s), the free buffer then (bytes), and the estimated error of the time (s), not a bound.

    >>> SmoothDrop(time=1.0, free=2.0, error=1e-9).free
    2.0
    """

    time: float
    free: float
    error: float


def smooth_first_drop(
    shared: Shared, M: int, rate: Callable[[float], float], until: units.Quantity, *, cells: int = 256
) -> SmoothDrop | None:
    """Return the first loss of M equal bursts of a smooth R(t) >= C; None if none is found before `until`.

    `rate` maps a float to R(t) in bytes/s and is continuous; the steady ports follow every threshold. A loss that
    begins and ends within one of the `cells` is missed, and so are two changes within one cell of whether the steady
    ports keep up. Raises `InputError` for an input out of range, `BudgetError` for more cells than the budget
    ``events``, `ExtraError` without SciPy.

    >>> ramp = smooth_first_drop(Shared(Fraction(1), Fraction(3), Fraction(1), 1), 1, lambda t: 1 + t, Fraction(9))
    >>> abs(ramp.time - 2**0.5) < 1e-12
    True
    """
    extras.need("scipy")
    count = units.count(cells, "cells", least=1)
    budgets.keep_within("events", count, "cells")
    units.count(M, "M", least=1)
    until = units.seconds(until, "until", positive=True)
    path = _Path(shared, M, _checked(rate, shared.C), _turning(shared, M))
    for cell in range(count):
        begin, end = (float(until * k / count) for k in (cell, cell + 1))
        found = path.cross(begin, end)
        if found is not None:
            return found
        path.advance(begin, end)
    return None


def _turning(shared: Shared, M: int) -> float:
    """Return the R at which the steady ports can just follow the threshold."""
    from dtmodel.theory.dt.formulas import rate_bound

    return float(rate_bound(shared.alpha, shared.C, M, shared.N))


def _checked(rate: Callable[[float], float], C: Fraction) -> Callable[[float], float]:
    if not callable(rate):
        raise InputError("rate", rate, "a function of the time in seconds")

    def checked(t: float) -> float:
        value = rate(t)
        if not _is_number(value) or not float(C) <= value < float("inf"):
            raise InputError("rate", f"{value} at {t} s", f"a rate of at least C = {C} throughout")
        return float(value)

    return checked


def _is_number(value: object) -> bool:
    """Tell whether a value is one real number; a spline may return it in an array without a dimension."""
    if hasattr(value, "dtype"):
        return value.shape == () and value.dtype.kind in "iuf"  # type: ignore[attr-defined]  # so NumPy's arrays have
    return isinstance(value, Real) and not isinstance(value, bool)


@final
@dataclass
class _Path:
    """The bytes that arrived by the end of the last cell, and the least Z so far."""

    shared: Shared
    M: int
    rate: Callable[[float], float]
    turning: float
    arrived: float = 0.0
    least: float = 0.0
    error: float = 0.0

    def arrivals(self, begin: float, end: float) -> tuple[float, float]:
        """Return the bytes that arrive between two times, and the error that the quadrature estimates."""
        from scipy.integrate import quad

        value, error = quad(self.rate, begin, end, epsabs=0, epsrel=1e-13)[:2] if end > begin else (0.0, 0.0)
        return float(value), float(error)

    def line(self, begin: float, t: float) -> float:
        """Return Z(t), along which the excess of the steady ports moves."""
        s, held = self.shared, self.M * self.queue(begin, t)
        return float(formulas.excess_line(float(s.alpha), float(s.C), s.N, held, t))

    def queue(self, begin: float, t: float) -> float:
        """Return the length of each burst's queue."""
        return self.arrived + self.arrivals(begin, t)[0] - float(self.shared.C) * t

    def least_by(self, begin: float, t: float) -> float:
        """Return the least Z up to t: at the ends, or where R(t) passes the rate that the steady ports can follow."""
        from scipy.optimize import brentq

        ends = (self.rate(begin) - self.turning, self.rate(t) - self.turning)
        inner = []
        if ends[0] < 0 < ends[1]:
            inner = [self.line(begin, float(brentq(lambda s: self.rate(s) - self.turning, begin, t)))]
        return min(self.least, self.line(begin, t), *inner)

    def gap(self, begin: float, t: float) -> float:
        """Return by how much the queues exceed the threshold, computed as if nothing were lost."""
        return self.queue(begin, t) - self.threshold(begin, t)

    def threshold(self, begin: float, t: float) -> float:
        """Return the threshold T(t) in bytes if nothing were lost until then."""
        s, queue = self.shared, self.queue(begin, t)
        above = self.line(begin, t) - self.least_by(begin, t)
        return float(formulas.threshold_beside(float(s.alpha), float(s.B), s.N, self.M * queue, above))

    def cross(self, begin: float, end: float) -> SmoothDrop | None:
        """Return the time within a cell at which the queues meet the threshold."""
        from scipy.optimize import brentq

        if self.gap(begin, end) <= 0:
            return None
        time = float(brentq(lambda t: self.gap(begin, t), begin, end, xtol=1e-15 * end, rtol=1e-14))
        rise = self.gap(begin, end) / (end - time) if end > time else 1.0
        moved = (self.error + self.arrivals(begin, time)[1]) * (1 + float(self.shared.alpha)) * self.M
        return SmoothDrop(time, self.threshold(begin, time) / float(self.shared.alpha), moved / rise + 1e-14 * end)

    def advance(self, begin: float, end: float) -> None:
        """Move to the next cell."""
        self.least = self.least_by(begin, end)
        arrived, error = self.arrivals(begin, end)
        self.arrived, self.error = self.arrived + arrived, self.error + error
