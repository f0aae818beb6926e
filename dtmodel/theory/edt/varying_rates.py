r"""DT when the arrival rates vary in time: the threshold as a functional of the arrivals, and Theorem 4.

The paper treats one shape of R(t) (Theorem 4) and denies a general condition. This module has one. Let
$X_i(t) = Q_i(0) + A_i(t) - C t$ for the ports with bursts, A_i their arrivals. Until the first of them loses a byte,

- $Q_i(t) = X_i(t) - \min(0, \min_{s \leq t} X_i(s))$: reflection at the empty queue; S is their sum;
- $e(t) = Z(t) - \min_{s \leq t} Z(s)$ with $Z(t) = \alpha S(t) - (1 + \alpha N) C t$: the excess of the N steady queues
  over the threshold, reflected again, as they drain at C until they meet it;
- $T(t) = \frac{\alpha}{1 + \alpha N} (B - S(t) - N e(t))$,

and the first byte is lost at $\inf \{ t : Q_i(t) > T(t), R_i(t) > 0 \text{ for some } i \}$ (a queue without arrivals
may lie above a falling threshold and loses nothing). If the steady ports are offered too little to follow a rising
threshold, they lie below it (e < 0) and approach it at their own pace; `excess` covers that case, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.theorems.evaluation import Evaluated
from dtmodel.theorems.quantities import Pieces, Symbol, read_pieces
from dtmodel.theory.edt import varying_formulas as formulas
from dtmodel.theory.edt.formulas import rising_threshold

PiecewiseLinear = tuple[tuple[Fraction, Fraction], ...]
"""A continuous piecewise-linear function: pairs (time, value), linear between them."""


@dataclass(frozen=True)
class Shared:
    """The switch: alpha, B, C, and N steady ports with the rates `background` (None if they follow any threshold)."""

    alpha: Fraction
    B: Fraction
    C: Fraction
    N: int
    background: Pieces | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", units.number(self.alpha, "alpha", positive=True))
        object.__setattr__(self, "B", units.bytes_(self.B, "B", positive=True))
        object.__setattr__(self, "C", units.rate(self.C, "C", positive=True))
        object.__setattr__(self, "N", units.count(self.N, "N"))
        if self.background is not None:
            object.__setattr__(self, "background", read_pieces(self.background, "background"))
        for time, rate in self.background or ():
            if rate < self.C:
                raise InputError("background", f"{rate} from {time} s on", f"at least the port's rate, {self.C}")
        if self.N and self.background is not None and not (self.background and self.background[0][0] == 0):
            raise InputError("background", str(self.background), "a rate from time 0 on: the ports are in steady state")


class Drop(NamedTuple):
    """The first loss of a burst: its `time` in seconds, and the `free` buffer then in bytes."""

    time: Fraction
    free: Fraction


BACKGROUND = Symbol(
    "R_b(t)", "arrival rate of every steady port; without it they follow any threshold", "bytes/s", "pieces", "R_b",
    optional=True, aliases=("background",),
)  # fmt: skip


def first_drop_at(time: Any, free: Any, case: str | None = None) -> Evaluated:
    """Return the answer of a theorem on rates that vary.

    >>> print(first_drop_at(Fraction(1), Fraction(6), "a"))
    first_drop = 1 s, free_at_first_drop = 6 B, case a
    """
    results = {"first_drop": time, "free_at_first_drop": free}
    return Evaluated(results, case, units={"first_drop": "s", "free_at_first_drop": "bytes"})


def arrived(rate: Pieces, time: Fraction) -> Fraction:
    """Return the integral of a `rate`, pairs (time, rate), from 0 to `time`."""
    ends = [*(begin for begin, _ in rate), time][1:]
    return sum((r * (min(end, time) - b) for (b, r), end in zip(rate, ends, strict=True) if b < time), Fraction(0))


def queue_path(rate: Pieces, C: Fraction, until: Fraction, initial: Fraction = Fraction(0)) -> PiecewiseLinear:
    """Return Q(t) of a queue that loses nothing, from its `initial` length: X(t) reflected at 0."""
    times = sorted({Fraction(0), until, *(t for t, _ in rate if 0 < t < until)})
    free = tuple((t, initial + arrived(rate, t) - C * t) for t in times)
    return _less_running_minimum(free, Fraction(0))


def excess(lower: PiecewiseLinear, upper: PiecewiseLinear | None) -> PiecewiseLinear:
    """Return e(t), the excess of the steady queues over the threshold; negative where they lie below it.

    While e > 0 the ports drain at C, and e moves along Z(t), `lower`. While e < 0 it moves along `upper`: Z(t) plus the
    arrivals of each port times 1 + alpha N. If `upper` is None, the ports follow any threshold, and e is Z reflected at
    0.

    >>> path = queue_path(read_pieces([(0, 2)]), Fraction(1), Fraction(4))
    >>> excess(path, None)[0][1]
    Fraction(0, 1)
    """
    if upper is None:
        return _less_running_minimum(lower, lower[0][1])
    times = sorted({t for t, _ in (*lower, *upper)})
    points = [(times[0], Fraction(0))]
    for begin, end in pairwise(times):
        down, up = (_at(path, end) - _at(path, begin) for path in (lower, upper))
        points += _follow(points[-1][1], (begin, end), down, up)
    return tuple(points)


def threshold_path(shared: Shared, queues: Sequence[PiecewiseLinear]) -> PiecewiseLinear:
    """Return T(t) while the ports with bursts lose nothing and the lengths of their queues are `queues`."""
    s = shared
    times = sorted({t for path in queues for t, _ in path})
    total = [(t, sum((_at(path, t) for path in queues), Fraction(0))) for t in times]
    lower = tuple((t, formulas.excess_line(s.alpha, s.C, s.N, S, t)) for t, S in total)
    upper = None
    if s.background is not None:
        cuts = sorted({*times, *(t for t, _ in s.background if t < times[-1])})
        upper = tuple((t, _at(lower, t) + (1 + s.alpha * s.N) * arrived(s.background, t)) for t in cuts)
    above = excess(lower, upper)
    all_times = sorted({*times, *(t for t, _ in above)})
    sums = tuple(total)
    return tuple((t, formulas.threshold_beside(s.alpha, s.B, s.N, _at(sums, t), _at(above, t))) for t in all_times)


def varying_first_drop(shared: Shared, bursts: Sequence[Pieces], until: Fraction) -> Drop | None:
    """Return the first loss of `bursts` of any rates into empty queues; None if there is none before `until`."""
    until = units.seconds(until, "until")
    bursts = [read_pieces(rate, f"bursts[{i}]") for i, rate in enumerate(units.sequence(bursts, "bursts"))]
    queues = [queue_path(rate, shared.C, until) for rate in bursts]
    if not queues:
        return None
    threshold = threshold_path(shared, queues)
    times = sorted({t for path in (*queues, threshold) for t, _ in path})
    found = [
        time
        for path, rate in zip(queues, bursts, strict=True)
        if (time := _first_loss(path, threshold, times, rate)) is not None
    ]
    if not found:
        return None
    time = min(found)
    return Drop(time, _at(threshold, time) / shared.alpha)


def keeps_up(shared: Shared, bursts: int, background: Fraction) -> bool:
    """Tell if ports offered `background` bytes/s follow every threshold that `bursts` draining queues can raise."""
    background = units.rate(background, "background")
    return bool(background - shared.C >= rising_threshold(shared.alpha, shared.C, bursts, shared.N))


class Roots(NamedTuple):
    """The roots `t1` and `t2` of the equations (43), in seconds, increasing; two ends stand for an interval of roots.

    >>> Roots(t1=(Fraction(17, 4),), t2=(Fraction(1), Fraction(21, 5))).t1
    (Fraction(17, 4),)
    """

    t1: tuple[Fraction, ...]
    t2: tuple[Fraction, ...]


def theorem4_roots(shared: Shared, M: int, rate: Pieces, d1: Fraction, until: Fraction) -> Roots:
    """Return every root in [0, until] of the two equations (43), for a piecewise-constant R(t) and d_1."""
    a, N, C = shared.alpha, shared.N, shared.C
    times = sorted({Fraction(0), until, *(t for t, _ in rate if t < until)})

    def first(t: Fraction) -> Fraction:
        return Fraction(formulas.slow_phase(a, shared.B, C, M, N, arrived(rate, t), t))

    before = arrived(rate, d1)

    def second(t: Fraction) -> Fraction:
        return Fraction(formulas.fast_phase(a, shared.B, C, M, N, arrived(rate, t), before, d1, t))

    one, two = (tuple((t, value(t)) for t in times) for value in (first, second))
    return Roots(_roots(one), _roots(two))


def _less_running_minimum(path: PiecewiseLinear, ceiling: Fraction) -> PiecewiseLinear:
    """Subtract min(ceiling, running minimum) from a path; the result has a kink where a new minimum begins."""
    least = min(ceiling, path[0][1])
    points = [(path[0][0], path[0][1] - least)]
    for (begin, low), (end, high) in pairwise(path):
        if high < least:
            if low > least:
                points.append((begin + (low - least) / (low - high) * (end - begin), Fraction(0)))
            least = high
        points.append((end, high - least))
    return tuple(points)


def _follow(
    e: Fraction, span: tuple[Fraction, Fraction], down: Fraction, up: Fraction
) -> list[tuple[Fraction, Fraction]]:
    """Move e over a span in which it changes by `down` while positive and by `up` while negative."""
    begin, end = span
    change = down if e > 0 else up if e < 0 else down if down > 0 else up if up < 0 else Fraction(0)
    if e * (e + change) >= 0:
        return [(end, e + change)]
    crossing = begin + (end - begin) * (e / -change)
    rest = (end - crossing) / (end - begin)
    return [(crossing, Fraction(0)), *_follow(Fraction(0), (crossing, end), down * rest, up * rest)]


def _at(path: PiecewiseLinear, time: Fraction) -> Fraction:
    """Evaluate a path from its first point on; after its last it is constant."""
    for (begin, low), (end, high) in pairwise(path):
        if time <= end:
            return low + (high - low) * (time - begin) / (end - begin)
    return path[-1][1]


def _first_loss(
    path: PiecewiseLinear, bound: PiecewiseLinear, times: Sequence[Fraction], rate: Pieces
) -> Fraction | None:
    """Return the infimum of the times at which a path lies above its bound while bytes arrive."""
    for begin, end in pairwise(times):
        low, high = _at(path, begin) - _at(bound, begin), _at(path, end) - _at(bound, end)
        if max(low, high) > 0 and arrived(rate, end) > arrived(rate, begin):
            return begin if low >= 0 else begin + (end - begin) * -low / (high - low)
    return None


def _roots(path: PiecewiseLinear) -> tuple[Fraction, ...]:
    found = {t for t, value in path if value == 0}
    for (begin, low), (end, high) in pairwise(path):
        if low * high < 0:
            found.add(begin + (end - begin) * -low / (high - low))
    return tuple(sorted(found))
