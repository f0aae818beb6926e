"""The words for queues that lose nothing, and for steady queues beside them, from arrival rates alone."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dtmodel.base.expressions import Never, never

__all__ = ["LOSSLESS"]

Rates = Sequence[Sequence[Fraction]]
"""Pairs of a time and the rate from then on."""
_Pieces = list[tuple[Fraction, Fraction, Fraction]]
"""A number that changes at constant rates: from each time on its value and its slope; 0 before."""


def lossless(rates: Rates, drain: Fraction, time: Fraction) -> Fraction:
    """Return the length of a queue, empty at 0, that is offered `rates`, drains at `drain` and loses nothing."""
    return _at(_length(rates, drain), time)[0]


def excess(
    rates: Sequence[Rates], drain: Fraction, alpha: Fraction, steady: Fraction, offered: Rates | Never, time: Fraction
) -> Fraction:
    """Return the excess of `steady` queues over their threshold, beside queues that are offered `rates`.

    The threshold is `alpha` times the free bytes. Each steady queue is `offered` a rate, or any rate if this is never.
    """
    return _at(_excess(rates, drain, alpha, steady, offered), time)[0]


def soon_after(
    rates: Sequence[Rates], drain: Fraction, alpha: Fraction, steady: Fraction, offered: Rates | Never, time: Fraction
) -> Fraction:
    """Return a time after `time` up to which the lengths and the excess change at constant rates."""
    later = [begin for begin, *_ in _excess(rates, drain, alpha, steady, offered) if begin > time]
    return (time + min(later, default=time + 2)) / 2


def rate_at(rates: Rates, time: Fraction) -> Any:
    """Return the rate at `time`; 0 before the first pair."""
    return next((rate for begin, rate in reversed(rates) if begin <= time), Fraction(0))


def _at(pieces: _Pieces, time: Fraction) -> tuple[Fraction, Fraction]:
    begin, value, slope = next(
        (piece for piece in reversed(pieces) if piece[0] <= time), (time, Fraction(0), Fraction(0))
    )
    return value + slope * (time - begin), slope


def _length(rates: Rates, drain: Fraction) -> _Pieces:
    pieces = [(Fraction(0),) * 3]
    for (begin, rate), end in zip(rates, [*(time for time, _ in rates[1:]), never], strict=True):
        pieces += _moved(begin, end, _at(pieces, begin)[0], rate - drain, never)
    return pieces


def _excess(
    rates: Sequence[Rates], drain: Fraction, alpha: Fraction, steady: Fraction, offered: Rates | Never
) -> _Pieces:
    lengths, all_steady = [_length(each, drain) for each in rates], 1 + alpha * steady
    own: Any = [(Fraction(0), never)] if isinstance(offered, Never) else offered
    turns = sorted({Fraction(0), *(time for time, _ in own), *(piece[0] for each in lengths for piece in each)})
    pieces = [(Fraction(0),) * 3]
    for begin, end in pairwise([*turns, never]):
        down = alpha * sum(_at(each, begin)[1] for each in lengths) - all_steady * drain
        pieces += _moved(begin, end, _at(pieces, begin)[0], down, all_steady * rate_at(own, begin))
    return pieces


def _moved(begin: Fraction, end: Any, value: Fraction, down: Fraction, up: Any) -> _Pieces:
    """Return the pieces of a number from `begin` to `end`: it moves at `down` above 0, and at `down` + `up` below.

    At 0 it rises if `down` is positive, falls if `down` + `up` is negative, and rests otherwise.
    """
    rest = max(down, Fraction(0)) + min(down + up, Fraction(0))
    slope = (down if value > 0 else down + up) if value else rest
    crosses = value * slope < 0 and begin - value / slope < end
    return [(begin, value, slope), *([(begin - value / slope, Fraction(0), rest)] if crosses else [])]


LOSSLESS: Mapping[str, Any] = {"lossless": lossless, "excess": excess, "soon_after": soon_after, "rate_at": rate_at}
