"""The open set of positive symbols: irreducible polynomials, exact sample points, a solver, for all paths."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from importlib import import_module
from itertools import repeat
from typing import Any, NamedTuple

from dtmodel.derive.algebra.clock import now
from dtmodel.derive.algebra.identity import Identity, Terms, identity_of_terms, terms_of
from dtmodel.derive.algebra.number import Field, Key, Polynomial, factors_of, fraction_at, key_of
from dtmodel.derive.algebra.solver import Question

Point = list[float]
"""A sample point in floats; a coordinate outside their range is NaN."""

_POINTS = 256
_NEAR = 96
_MANY = 64  # from here on numpy is faster
_SURE = 1e-11
_ROUNDED = 1e-9  # relative to the sum of all terms: smaller values of a polynomial count as 0
_LARGE = 1e300
_SMALL = 2.0**-60
_LOW = 10  # fewer factors than this, each between the small number and its inverse, fit into floats
_BITS = 600  # floats decide a sign only if the exponents of all products of powers of coordinates are within this bound


@dataclass(eq=False)
class IrreduciblePolynomial:
    """An irreducible polynomial ("atom") whose sign decides between paths, or is `known` (else 0).

    `places`: for each term the symbols that it multiplies.
    """

    number: int
    poly: Polynomial
    known: int
    places: list[list[int]]
    factors: list[float]
    signs: list[int] = field(default_factory=list)

    @cached_property
    def degree(self) -> int:
        """The number of factors of the longest term."""
        return max(map(len, self.places))

    def at(self, point: Sequence[Fraction]) -> int:
        """Return the sign at a point."""
        value = fraction_at(self.poly, point)
        return (value > 0) - (value < 0)

    def __repr__(self) -> str:
        return str(self.poly)


class Literal(NamedTuple):
    """A fact: an atom has a sign."""

    atom: IrreduciblePolynomial
    sign: int


def _float(number: Fraction) -> float:
    """Convert a coordinate; a value outside the range of floats is NaN, so that the exact point decides."""
    try:
        rounded = float(number)
    except OverflowError:
        return math.nan
    return rounded if 1 / _LARGE < rounded < _LARGE else math.nan


def _ratio(coefficient: int, largest: int) -> float:
    """Divide; an underflow is NaN, so that the exact point decides."""
    ratio = coefficient / largest
    return ratio if abs(ratio) > 2.0 ** (_BITS - 1000) else math.nan


def _terms(atom: IrreduciblePolynomial, point: Point) -> list[float]:
    """Return the terms of an atom in floats; one that overflows is infinite."""
    terms = []
    for term, places in zip(atom.factors, atom.places, strict=True):
        for place in places:
            term *= point[place]  # noqa: PLW2901 - the innermost loop of a derivation
        terms.append(term)
    return terms


def rounded_sign(atom: IrreduciblePolynomial, point: Point) -> int:
    """Return the sign of an atom in floats; 0 if rounding may have changed the sign, or floats cannot hold it."""
    terms = _terms(atom, point)
    value = sum(terms)
    return (value > 0) - (value < 0) if abs(value) > _ROUNDED * sum(map(abs, terms)) else 0


def _sure_sign(atom: IrreduciblePolynomial, point: Point) -> int:
    """Return the sign of an atom in floats if rounding errors cannot change it, else 0."""
    if not (min(point) > _SMALL and max(point) < 1 / _SMALL and atom.degree < _LOW):
        bits = [abs(math.log2(x)) for x in point]
        if not all(sum(bits[place] for place in places) < _BITS for places in atom.places):
            return 0
    terms = _terms(atom, point)
    value = sum(terms)
    return (value > 0) - (value < 0) if abs(value) > _SURE * sum(map(abs, terms)) else 0


@cache
def _numpy() -> Any:
    """Return numpy, or None where it is not installed."""
    try:
        return import_module("numpy")
    except ImportError:
        return None


def _sure_signs(atom: IrreduciblePolynomial, points: Sequence[Point]) -> Iterable[int]:
    """Return the signs of an atom at points where floats are far from all bounds, else 0; zeros without numpy."""
    np = _numpy() if len(points) > _MANY else None
    if np is None:
        return repeat(0)
    each = np.array(points)
    with np.errstate(all="ignore"):
        terms = np.array(atom.factors) * np.stack([each[:, places].prod(axis=1) for places in atom.places], axis=1)
        value, least = terms.sum(axis=1), _SURE * abs(terms).sum(axis=1)
    near = ((each > _SMALL) & (each < 1 / _SMALL)).all(axis=1) & (atom.degree < _LOW)
    return list(map(int, near * (1 * (value > least) - (value < -least))))


def _sign_at(atom: IrreduciblePolynomial, point: tuple[Fraction, ...], rounded: Point) -> int:
    """Return the sign of an atom at a point, which is given in floats, too."""
    return _sure_sign(atom, rounded) or atom.at(point)


class Arena:
    """The open set of positive symbols with its atoms and sample points (drawn with `seed`).

    `solver_seconds`: the limit for each question, `unknown` after the `deadline`. `fixed`: symbols that are 1, in no
    atom.
    """

    def __init__(
        self,
        ring: Field,
        solver_seconds: float = 5,
        seed: int = 15,
        fixed: frozenset[str] = frozenset(),
        deadline: float = float("inf"),
    ) -> None:
        self.ring = ring
        self.fixed = fixed
        self.random = random.Random(seed)
        self.solver_seconds = solver_seconds
        self.deadline = deadline
        self.calls = 0
        self.atoms: list[IrreduciblePolynomial] = []
        self.points: list[tuple[Fraction, ...]] = []
        self._floats: list[Point] = []
        self._keys: dict[Key, IrreduciblePolynomial] = {}
        self._factors: dict[Key, tuple[int, tuple[tuple[IrreduciblePolynomial, int], ...]]] = {}
        self._held: dict[Literal, tuple[int, int]] = {}
        self._answers: dict[frozenset[tuple[int, int]], str] = {}
        self._terms: dict[tuple[int, int], Terms] = {}
        self._identities: dict[tuple[int, int, int, int], Identity | None] = {}
        for _ in range(_POINTS if ring.names else 1):
            self.add_point(
                tuple(
                    Fraction(1) if name in fixed else Fraction(round(2 ** self.random.uniform(0, 8)), 16)
                    for name in ring.names
                )
            )

    def add_point(self, point: tuple[Fraction, ...]) -> int:
        """Store a sample point; return its number."""
        self.points.append(point)
        self._floats.append([*map(_float, point)])
        return len(self.points) - 1

    def factored(self, poly: Polynomial) -> tuple[int, tuple[tuple[IrreduciblePolynomial, int], ...]]:
        """Return the sign of the content, and the atoms with their multiplicities."""
        key = key_of(poly)
        if key not in self._factors:
            content, factors = factors_of(poly)
            sign, found = (1 if content > 0 else -1), []
            for factor, power in factors:
                atom, turned = self.atom(factor)
                sign *= turned**power
                found.append((atom, power))
            self._factors[key] = (sign, tuple(found))
        return self._factors[key]

    def atom(self, poly: Polynomial) -> tuple[IrreduciblePolynomial, int]:
        """Return the stored atom of an irreducible polynomial, and the sign of the polynomial relative to it."""
        turned = -1 if poly.leading_coefficient() < 0 else 1
        poly = poly * turned
        key = key_of(poly)
        if key not in self._keys:
            signs = {1 if c > 0 else -1 for c in poly.coeffs()}
            known = signs.pop() if len(signs) == 1 else 0
            places = [[k for k, power in enumerate(each) for _ in range(int(power))] for each in poly.monoms()]
            largest = max(abs(int(c)) for c in poly.coeffs())  # which may be beyond all floats
            factors = [_ratio(int(c), largest) for c in poly.coeffs()]
            self._keys[key] = IrreduciblePolynomial(len(self.atoms), poly, known, places, factors)
            self.atoms.append(self._keys[key])
        return self._keys[key], turned

    def positive(self, atom: IrreduciblePolynomial, weak: Collection[str]) -> bool:
        """Return True if some term of an atom has no symbol that may be 0."""
        places = [place for place, name in enumerate(self.ring.names) if name in weak]
        return any(not any(powers[place] for place in places) for powers in atom.poly.monoms())

    def late(self) -> bool:
        """Return True after the deadline."""
        return now() > self.deadline

    def identity(self, goal: Literal, premise: Literal) -> Identity | None:
        """Find an identity that proves one literal from another; the result is cached."""
        key = (goal.atom.number, goal.sign, premise.atom.number, premise.sign)
        if key not in self._identities:
            self._identities[key] = identity_of_terms(self._terms_of(goal), self._terms_of(premise))
        return self._identities[key]

    def _terms_of(self, literal: Literal) -> Terms:
        key = (literal.atom.number, literal.sign)
        if key not in self._terms:
            self._terms[key] = terms_of(literal.atom.poly * literal.sign)
        return self._terms[key]

    def signs(self, atom: IrreduciblePolynomial) -> list[int]:
        """Return the signs of an atom at all sample points: in floats if they are certain, else exactly."""
        begin = len(atom.signs)
        if begin < len(self.points):
            points, near = self.points[begin:], self._floats[begin:]
            sure = _sure_signs(atom, near)
            atom.signs.extend(s or _sign_at(atom, p, f) for s, p, f in zip(sure, points, near, strict=False))
        return atom.signs

    @property
    def rounded(self) -> list[Point]:
        """The sample points in floats."""
        return self._floats

    def held(self, literals: Iterable[Literal]) -> int:
        """Return the sample points at which literals hold: a number with a bit for each point."""
        alive = (1 << len(self.points)) - 1
        for literal in literals:
            known, bits = self._held.get(literal, (0, 0))
            if known < len(self.points):
                fresh = self.signs(literal.atom)[known:]
                bits |= sum(1 << place for place, sign in enumerate(fresh, known) if sign == literal.sign)
                self._held[literal] = len(self.points), bits
            alive &= bits
        return alive

    def points_of(self, literals: Iterable[Literal]) -> list[int]:
        """Return the numbers of the sample points at which literals hold."""
        bits = self.held(literals)
        return [place for place in range(bits.bit_length()) if bits >> place & 1]

    def moved(
        self,
        points: list[Point],
        table: Mapping[int, Collection[int]],
        atom: IrreduciblePolynomial,
        weak: Collection[str],
    ) -> list[Point]:
        """Return points, in floats, at which all atoms have allowed signs, moved to the zero of this atom.

        Values within rounding errors count as 0, since the points only show for which signs a proof is impossible.
        """
        inside = [point for point in points if rounded_sign(atom, point) in table[atom.number]]
        if inside or 0 not in table[atom.number]:
            return inside
        places = [place for place, degree in enumerate(atom.poly.degrees()) if degree == 1]
        found = [moved for place in places for moved in self._solved(points, atom, place, weak)]
        for number, signs in table.items():
            found = [point for point in found if rounded_sign(self.atoms[number], point) in signs]
        return found[:_POINTS]

    def _solved(
        self, points: Iterable[Point], atom: IrreduciblePolynomial, place: int, weak: Collection[str]
    ) -> Iterator[Point]:
        """Yield the points with one coordinate changed so that an atom, linear in it, is 0 there."""
        slope = [place in places for places in atom.places]
        least = 0.0 if self.ring.names[place] in weak else math.ulp(0.0)
        for point in points:
            terms = _terms(atom, [*point[:place], 1.0, *point[place + 1 :]])
            rise = sum(term for term, rises in zip(terms, slope, strict=False) if rises)
            rest = sum(term for term, rises in zip(terms, slope, strict=False) if not rises)
            value = -rest / rise if rise else math.nan
            if least <= value < math.inf:
                yield [*point[:place], value, *point[place + 1 :]]

    def near(self, place: int, spread: float) -> tuple[Fraction, ...]:
        """Return a random neighbour of a sample point."""
        moved = []
        for name, value, rounded in zip(self.ring.names, self.points[place], self._floats[place], strict=True):
            if name in self.fixed or self.random.random() < 0.5 or math.isnan(rounded):
                moved.append(value)
                continue
            scaled = rounded * 2 ** self.random.gauss(0, spread)
            grain = 2 ** max(0, 12 - int(math.log2(scaled)))
            moved.append(Fraction(max(1, round(scaled * grain)), grain))
        return tuple(moved)

    def search(self, literals: Sequence[Literal], seeds: Sequence[int], want: int = 1) -> list[int]:
        """Search neighbours of sample points for points at which literals hold; return their numbers."""
        found: list[int] = []
        for spread in (0.4, 1.5, 3.0) if self.ring.names else ():
            points = [self.near(self.random.choice(seeds), spread) for _ in range(_NEAR)] if seeds else []
            if not points:
                break
            inside = [(point, [*map(_float, point)]) for point in points]
            for atom, sign in reversed(literals):  # the newest excludes most
                inside = [each for each in inside if _sign_at(atom, *each) == sign]
            found += [self.add_point(point) for point, _ in inside][: want - len(found)]
            if len(found) >= want:
                break
        return found

    def ask(self, literals: Iterable[Literal]) -> str:
        """Return whether literals can hold together: ``sat`` (with a new sample point), ``unsat`` or ``unknown``."""
        wanted = list(literals)
        key = frozenset((literal.atom.number, literal.sign) for literal in wanted)
        if key not in self._answers:
            self._answers[key] = self._ask(wanted)
        return self._answers[key]

    def solve(self, question: Question) -> tuple[str, list[tuple[Fraction, ...]]]:
        """Call the solver, unless the deadline is over."""
        if self.late():
            return "unknown", []
        self.calls += 1
        return question.ask(self.solver_seconds, self.deadline)

    def _ask(self, literals: list[Literal]) -> str:
        question = Question(self.ring.names)
        for name in self.ring.names:
            question.positive(name)
        for literal in literals:
            question.sign(literal.atom.poly, ">" if literal.sign > 0 else "<")
        result, model = self.solve(question)
        if result != "sat":
            return result
        for point in model:
            if all(x > 0 for x in point) and all(lit.atom.at(point) == lit.sign for lit in literals):
                self.add_point(point)
                return "sat"
        return "unknown"
