"""Decimals as texts print them, and the numbers that they can stand for."""

from fractions import Fraction


def interval(text: str) -> tuple[Fraction, Fraction]:
    """Return the rounding interval of a printed decimal: from half a unit below (included) to half a unit above.

    Examples
    --------
    >>> interval("0.63")
    (Fraction(5, 8), Fraction(127, 200))
    """
    digits = len(text.split(".")[1]) if "." in text else 0
    half = Fraction(1, 2 * 10**digits)
    return Fraction(text) - half, Fraction(text) + half


def names(text: str, value: Fraction | float) -> bool:
    """Tell whether a printed decimal is the value, rounded."""
    low, high = interval(text)
    return low <= value < high
