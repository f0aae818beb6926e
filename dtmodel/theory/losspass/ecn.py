"""The queue under ECN: N synchronised windows at one bottleneck, with every clamp, in fluid and in exact rationals.

The symbols are those of `dtmodel.theory.losspass`. Source: LossPass paper, Section 3.3, equations (1)-(5).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from dtmodel.base.errors import InputError
from dtmodel.theorems.operations import greatest, least

Growth = Literal["base", "actual"]
"""A window grows by one segment per base RTT, or per actual round trip (base RTT plus queueing delay)."""

_HALF = Fraction(1, 2)


def total_less(windows: Any, bdp: Any) -> Any:
    """Return the queue of windows of this sum: the bytes beyond D, equation (1)."""
    return windows - bdp


def common_queue(flows: Any, window: Any, bdp: Any) -> Any:
    """Return the queue of N windows of one size: the bytes beyond D, equation (3).

    >>> common_queue(2, 3, 5)
    1
    """
    return flows * window - bdp


def marked_length(threshold: Any, flows: Any, segment: Any) -> Any:
    """Return K + N a, the longest queue that marks allow: equation (4).

    >>> marked_length(45, 2, 1)
    47
    """
    return threshold + overshoot(flows, segment, 1)


def length_within(buffer: Any, threshold: Any, flows: Any, segment: Any) -> Any:
    """Return the longest queue that marks allow, equation (4), in a finite buffer.

    >>> length_within(40, 45, 2, 1)
    40
    """
    return least(buffer, marked_length(threshold, flows, segment))


def uncut(cut: Any, window: Any) -> Any:
    """Return the remainder of a window after a cut.

    >>> uncut(Fraction(1, 4), 8)
    Fraction(6, 1)
    """
    return (1 - cut) * window


def printed_headroom(buffer: Any, threshold: Any, flows: Any, segment: Any) -> Any:
    """Return the buffer less the longest queue that marks allow: equation (5).

    >>> printed_headroom(85, 45, 2, 1)
    38
    """
    return buffer - marked_length(threshold, flows, segment)


def full_link(bdp: Any, flows: Any, cut: Any, segment: Any) -> Any:
    """Return the least threshold at which a link is never idle, without the clamp at 0 (losspass.ours.line-rate).

    >>> full_link(8, 2, Fraction(1, 2), 1)
    Fraction(6, 1)
    """
    return cut / (1 - cut) * bdp - overshoot(flows, segment, 1)


def dctcp_margin(bdp: Any, threshold: Any, flows: Any, segment: Any) -> Any:
    r"""Return $\alpha^2 (1 - \alpha/4)$ at the largest $\alpha$ of a busy link, less its value at DCTCP's fixed point.

    At the fixed point $\alpha^2 (1 - \alpha/4) = (2 w + 1)/(w + 1)^2$ with $w = (D + K)/(N a)$.
    """
    step = overshoot(flows, segment, 1)
    peak = bdp + threshold + step
    return (2 * (peak - bdp) ** 2 * (peak + bdp) - step * peak * (2 * peak - step)) / peak**3


def used_once_a_base_trip(D: Any, W: Any, m: Any) -> Any:
    """Return the utilisation of windows that sum to W, shrink to a sum of `m` < D, and grow once a base round trip.

    >>> used_once_a_base_trip(Fraction(4), Fraction(6), Fraction(3))
    Fraction(23, 24)
    """
    return 1 - (D - m) ** 2 / (2 * D * (W - m))


def used_once_an_actual_trip(D: Any, W: Any, m: Any) -> Any:
    """Return the utilisation of windows that sum to W, shrink to a sum of `m` < D, and grow once an actual round trip.

    >>> used_once_an_actual_trip(Fraction(4), Fraction(6), Fraction(3))
    Fraction(27, 28)
    """
    return 1 - (D - m) ** 2 / (W**2 + D**2 - 2 * D * m)


def overshoot(flows: Any, segment: Any = Fraction(1), delay: Any = Fraction(1)) -> Any:
    """Return $N a d$, the growth of N windows during the d round trips before senders react to a mark."""
    return flows * segment * delay


def largest_queue(
    threshold: Fraction, flows: int, *, segment: Fraction = Fraction(1), buffer: Fraction | None = None
) -> Fraction:
    r"""Return $q_{max} = \min\{B, K + N a\}$: equation (4) with its clamp and its unit."""
    if buffer is None:
        return Fraction(marked_length(threshold, flows, segment))
    return Fraction(length_within(buffer, threshold, flows, segment))


def headroom(buffer: Fraction, threshold: Fraction, flows: int, segment: Fraction = Fraction(1)) -> Fraction:
    r"""Return $\max\{0, B - (K + N a)\}$: equation (5) with its clamp."""
    return buffer - largest_queue(threshold, flows, segment=segment, buffer=buffer)


def least_threshold(bdp: Fraction, flows: int, cut: Fraction = _HALF, segment: Fraction = Fraction(1)) -> Fraction:
    r"""Return the smallest K with full utilisation: $\max\{0, \frac{\beta}{1-\beta} D - N a\}$.

    >>> least_threshold(Fraction(8), 2), least_threshold(Fraction(8), 2, cut=Fraction(1, 4))
    (Fraction(6, 1), Fraction(2, 3))
    """
    return Fraction(greatest(0, full_link(bdp, flows, cut, segment)))


@dataclass(frozen=True)
class Sawtooth:
    """The periodic regime of N synchronised windows that grow, cross K, overshoot and are cut to a share 1 - beta.

    `bdp`, `threshold` and `buffer` are D, K and B (None if it is unlimited), in one unit, as is the `segment` a;
    `flows` is N >= 1, and `cut` is beta, in (0, 1]. When K + N a > B the queue is cut by losses at B instead of marks.
    Raises `InputError` if a parameter is out of range.

    Between D and the peak the link is never idle; below D it carries the windows' sum per base RTT. With growth
    "actual" a round trip lasts max(RTT, sum/C), so that the sum of the windows grows by N a per round trip.

    >>> tooth = Sawtooth(bdp=Fraction(8), threshold=Fraction(2), flows=2)
    >>> tooth.peak, tooth.trough, tooth.line_rate, tooth.utilisation("base"), tooth.utilisation("actual")
    (Fraction(12, 1), Fraction(6, 1), False, Fraction(23, 24), Fraction(27, 28))
    """

    bdp: Fraction
    threshold: Fraction
    flows: int
    cut: Fraction = _HALF
    segment: Fraction = Fraction(1)
    buffer: Fraction | None = None

    def __post_init__(self) -> None:
        if self.bdp <= 0:
            raise InputError("bdp", self.bdp, "a size greater than 0")
        if self.threshold < 0:
            raise InputError("threshold", self.threshold, "a size of at least 0")
        if self.flows < 1:
            raise InputError("flows", self.flows, "a whole number of at least 1")
        if not 0 < self.cut <= 1:
            raise InputError("cut", self.cut, "a share greater than 0 and at most 1")
        if self.segment <= 0:
            raise InputError("segment", self.segment, "a size greater than 0")
        if self.buffer is not None and self.buffer < 0:
            raise InputError("buffer", self.buffer, "a size of at least 0")

    @property
    def largest_queue(self) -> Fraction:
        """The queue at the peak."""
        return largest_queue(self.threshold, self.flows, segment=self.segment, buffer=self.buffer)

    @property
    def peak(self) -> Fraction:
        """The sum of the windows at the peak, D + q_max."""
        return self.bdp + self.largest_queue

    @property
    def trough(self) -> Fraction:
        """The sum of the windows after the cut, (1 - beta) (D + q_max)."""
        return Fraction(uncut(self.cut, self.peak))

    @property
    def line_rate(self) -> bool:
        """True if the link is never idle: (1 - beta)(D + q_max) >= D."""
        return self.trough >= self.bdp

    def period(self, growth: Growth = "actual") -> Fraction:
        """Return the length of one tooth in units of the base RTT, windows growing once per `growth`."""
        D, W, m = self.bdp, self.peak, self.trough
        step = self.flows * self.segment
        busy_from = max(m, D)
        starved = (busy_from - m) / step
        busy = (W - busy_from) / step if growth == "base" else (W**2 - busy_from**2) / (2 * step * D)
        return starved + busy

    def utilisation(self, growth: Growth = "actual") -> Fraction:
        r"""Return the share of C that is used, windows growing once per `growth`; 1 where `line_rate` holds.

        With $W$ the peak and $m$ the trough: $1 - \frac{(D-m)^2}{2D(W-m)}$ when windows grow once per base RTT, and
        $1 - \frac{(D-m)^2}{W^2 + D^2 - 2Dm}$ when they grow once per actual round trip.
        """
        if self.line_rate:
            return Fraction(1)
        D, W, m = self.bdp, self.peak, self.trough
        return Fraction((used_once_a_base_trip if growth == "base" else used_once_an_actual_trip)(D, W, m))
