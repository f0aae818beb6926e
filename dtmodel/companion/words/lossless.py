"""The words for queues that lose nothing, and for steady queues beside them, from arrival rates alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dtmodel.base.expressions import Never, never

__all__ = ["LOSSLESS"]

Rates = Sequence[Sequence[Fraction]]
"""Pairs of a time and the rate from then on."""


@dataclass(frozen=True)
class _Piece:
    """A number that changes at a constant rate from `begin` on."""

    begin: Fraction
    value: Fraction
    slope: Fraction

    def at(self, time: Fraction) -> Fraction:
        return self.value + self.slope * (time - self.begin)


def lossless(rates: Rates, drain: Fraction, time: Fraction) -> Fraction:
    """Return the length of a queue, empty at 0, that is offered `rates`, drains at `drain` and loses nothing."""
    return _at(_length(rates, drain), time).at(time)


def excess(
    rates: Sequence[Rates], drain: Fraction, alpha: Fraction, steady: Fraction, offered: Rates | Never, time: Fraction
) -> Fraction:
    """Return the excess of `steady` queues over their threshold, beside queues that are offered `rates`.

    The threshold is `alpha` times the free bytes. Each steady queue is `offered` a rate, or any rate if this is never.
    """
    return _at(_excess(rates, drain, alpha, steady, offered), time).at(time)


def soon_after(
    rates: Sequence[Rates], drain: Fraction, alpha: Fraction, steady: Fraction, offered: Rates | Never, time: Fraction
) -> Fraction:
    """Return a time after `time` up to which the lengths and the excess change at constant rates."""
    later = [piece.begin for piece in _excess(rates, drain, alpha, steady, offered) if piece.begin > time]
    return (time + min(later, default=time + 2)) / 2


def rate_at(rates: Rates, time: Fraction) -> Any:
    """Return the rate at `time`; 0 before the first pair."""
    return next((rate for begin, rate in reversed(rates) if begin <= time), Fraction(0))


def _at(pieces: Sequence[_Piece], time: Fraction) -> _Piece:
    return next(piece for piece in reversed(pieces) if piece.begin <= time)


def _length(rates: Rates, drain: Fraction) -> list[_Piece]:
    """Return the length as pieces: it falls to 0 and stays there."""
    pieces = [_Piece(Fraction(0), Fraction(0), Fraction(0))]
    for (begin, rate), end in zip(rates, [*(time for time, _ in rates[1:]), never], strict=True):
        pieces += _moved(begin, end, pieces[-1].at(begin), rate - drain, never)
    return pieces


def _excess(
    rates: Sequence[Rates], drain: Fraction, alpha: Fraction, steady: Fraction, offered: Rates | Never
) -> list[_Piece]:
    lengths = [_length(each, drain) for each in rates]
    own: Any = [(Fraction(0), never)] if isinstance(offered, Never) else offered
    turns = sorted({Fraction(0), *(time for time, _ in own), *(piece.begin for each in lengths for piece in each)})
    pieces = [_Piece(Fraction(0), Fraction(0), Fraction(0))]
    for begin, end in pairwise([*turns, never]):
        down = alpha * sum(_at(each, begin).slope for each in lengths) - (1 + alpha * steady) * drain
        pieces += _moved(begin, end, pieces[-1].at(begin), down, rate_at(own, begin) * (1 + alpha * steady))
    return pieces


def _moved(begin: Fraction, end: Any, value: Fraction, down: Fraction, up: Any) -> list[_Piece]:
    """Return the pieces of a number from `begin` to `end`: it moves at `down` above 0, and at `down` + `up` below.

    At 0 it rises if `down` is positive, falls if `down` + `up` is negative, and rests otherwise.
    """
    rest = max(down, Fraction(0)) + min(down + up, Fraction(0))
    slope = (down if value > 0 else down + up) if value else rest
    if value * slope >= 0 or begin - value / slope >= end:
        return [_Piece(begin, value, slope)]
    return [_Piece(begin, value, slope), _Piece(begin - value / slope, Fraction(0), rest)]


LOSSLESS: Mapping[str, Any] = {"lossless": lossless, "excess": excess, "soon_after": soon_after, "rate_at": rate_at}
