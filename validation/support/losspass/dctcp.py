"""The queue under DCTCP: its fixed point alpha, and the thresholds at which the link is never idle.

The symbols are those of `dtmodel.theory.losspass`.

Source: DCTCP's own analysis, reference [5] of the LossPass paper.
"""

from fractions import Fraction


def crossing_window(threshold: Fraction, bdp: Fraction, flows: int) -> Fraction:
    r"""Return $w = (K + C \cdot RTT)/N$, the common window at which the queue is K (the step before equation (4)).

    >>> crossing_window(Fraction(4), Fraction(8), 3)
    Fraction(4, 1)
    """
    return (threshold + bdp) / flows


def dctcp_line_rate(bdp: Fraction, threshold: Fraction, flows: int) -> bool:
    r"""Tell exactly whether the link is never idle under DCTCP's sawtooth.

    DCTCP's alpha solves $\alpha^2 (1 - \alpha/4) = (2w + 1)/(w + 1)^2$ with $w = (D + K)/N$, and is at most 1. The
    queue stays non-negative iff $\alpha \le 2 (K + N)/(D + K + N)$, and the left side grows with alpha: a comparison
    of rationals decides. (A bound of at least 1 always holds, so that alpha need not be limited to 1.)

    >>> dctcp_line_rate(Fraction(400), Fraction(68), 117), dctcp_line_rate(Fraction(400), Fraction(77), 117)
    (False, True)
    """
    w = crossing_window(threshold, bdp, flows)
    largest = 2 * (threshold + flows) / (bdp + threshold + flows)
    return _fixed_point(largest) >= (2 * w + 1) / (w + 1) ** 2


def dctcp_alpha(
    bdp: Fraction, threshold: Fraction, flows: int, tolerance: Fraction = Fraction(1, 10**9)
) -> tuple[Fraction, Fraction]:
    """Return an interval with rational ends that holds DCTCP's alpha and is no wider than `tolerance`.

    >>> low, high = dctcp_alpha(Fraction(60), Fraction(20), 2)
    >>> low <= high, float(round(low, 6)), float(round(high, 6))
    (True, 0.225989, 0.225989)
    """
    w = crossing_window(threshold, bdp, flows)
    wanted = (2 * w + 1) / (w + 1) ** 2
    low, high = Fraction(0), Fraction(1)
    if _fixed_point(high) <= wanted:
        return high, high
    while high - low > tolerance:
        middle = (low + high) / 2
        low, high = (middle, high) if _fixed_point(middle) <= wanted else (low, middle)
    return low, high


def _fixed_point(alpha: Fraction) -> Fraction:
    return alpha**2 * (1 - alpha / 4)
