"""Identities that prove a polynomial nonnegative where another one is."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import NamedTuple

from dtmodel.derive.algebra.number import Polynomial

Terms = dict[tuple[int, ...], Fraction]


class Identity(NamedTuple):
    """goal = number * monomial * premise + rest, with nonnegative coefficients in the rest."""

    number: Fraction
    monomial: tuple[int, ...]
    rest: Terms


def identity_of_terms(wanted: Terms, given: Terms) -> Identity | None:
    """Find an identity that proves a wanted polynomial >= 0 where a given one and all symbols are nonnegative.

    >>> from dtmodel.derive.algebra.number import Field
    >>> x, y = Field(["x", "y"]).symbols
    >>> identity_of_terms(terms_of((x * x + x - x * y).top), terms_of((x - y).top)).rest
    {(1, 0): Fraction(1, 1)}
    """
    negative = [m for m, c in wanted.items() if c < 0]
    if not negative:
        return Identity(Fraction(0), (0,) * len(next(iter(wanted), ())), wanted)
    sources = [m for m, c in given.items() if c < 0]
    tried: set[tuple[int, ...]] = set()
    for target, source in product(negative[:1], sources):
        monomial = tuple(a - b for a, b in zip(target, source, strict=True))
        if min(monomial, default=0) < 0 or monomial in tried:
            continue
        tried.add(monomial)
        moved = {tuple(a + b for a, b in zip(m, monomial, strict=True)): c for m, c in given.items()}
        lower = max((wanted.get(m, Fraction(0)) / c for m, c in moved.items() if c < 0), default=Fraction(0))
        upper = min((wanted.get(m, Fraction(0)) / c for m, c in moved.items() if c > 0), default=lower)
        if 0 < lower <= upper and all(m in moved for m in negative):
            rest = {m: wanted.get(m, Fraction(0)) - lower * moved.get(m, Fraction(0)) for m in {*wanted, *moved}}
            return Identity(lower, monomial, {m: c for m, c in rest.items() if c})
    return None


def terms_of(poly: Polynomial) -> Terms:
    """Return the coefficients of a polynomial by the powers of their monomials."""
    return {tuple(map(int, powers)): Fraction(int(c)) for powers, c in poly.terms()}
