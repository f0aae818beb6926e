"""Signs of polynomials on an open set: by coefficients, by exact sample points, and by a solver for what is left.

All symbols are positive in the open set that is explored (`Arena`); a path through it (`SignPath`) adds the signs of
irreducible factors, its atoms, which all paths share.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dtmodel.derive.identity import Identity, Terms, identity_of_terms, terms_of
from dtmodel.derive.number import Field, Key, LimitError, Polynomial, factors_of, fraction_at, key_of
from dtmodel.derive.solver import Question

_POINTS = 256
_NEAR = 96
_SURE = 1e-11
_ROUNDED = 1e-9  # of the sum of all terms: what is solved for twice is that near to 0
_LARGE = 1e300
_BITS = 600  # no product of powers of coordinates is more or less than so many powers of 2, if floats decide its sign


@dataclass(eq=False)
class IrreduciblePolynomial:
    """An irreducible polynomial whose sign a path may ask for.

    `known`: the sign that all positive values of the symbols give it, 0 if it depends on them.
    """

    number: int
    poly: Polynomial
    known: int
    powers: Any
    factors: Any
    signs: list[int] = field(default_factory=list)

    def at(self, point: Sequence[Fraction]) -> int:
        """Return the sign at a point."""
        value = fraction_at(self.poly, point)
        return (value > 0) - (value < 0)

    def __repr__(self) -> str:
        """Show the polynomial."""
        return str(self.poly)


class Literal(NamedTuple):
    """A fact: an atom has a sign."""

    atom: IrreduciblePolynomial
    sign: int


class SignDecision(NamedTuple):
    """A sign on a path and how it was found: ``split``, ``identity``, ``solver``, or ``assumed``: the rest is open."""

    literal: Literal
    how: str


class Choice(NamedTuple):
    """Which of some times is the earliest on a path, and the signs that say so."""

    place: int
    literals: tuple[Literal, ...]
    how: str


def _float(number: Fraction) -> float:
    """Round a coordinate; one that floats cannot hold is NaN and decides no sign, so that the exact point does."""
    try:
        rounded = float(number)
    except OverflowError:
        return math.nan
    return rounded if 1 / _LARGE < rounded < _LARGE else math.nan


def _ratio(coefficient: int, largest: int) -> float:
    """Divide; what is so small that floats lose it is NaN and decides no sign."""
    ratio = coefficient / largest
    return ratio if abs(ratio) > 2.0 ** (_BITS - 1000) else math.nan


def _values(powers: Any, factors: Any, points: Any, without: int) -> Any:
    """Return the values of a polynomial in floats, as if one symbol were 1."""
    points = points.copy()
    points[:, without] = 1
    return _terms(powers, factors, points).sum(axis=1)


def _terms(powers: Any, factors: Any, points: Any) -> Any:
    """Return the terms of a polynomial in floats; what is beyond them is not a number, and has no sign."""
    with np.errstate(all="ignore"):
        return np.prod(points[:, None, :] ** powers[None, :, :], axis=2) * factors


def _rounded_signs(atom: IrreduciblePolynomial, points: Any) -> Any:
    """Return the signs of an atom in floats; 0 where rounding could have made another one."""
    terms = _terms(atom.powers, atom.factors, points)
    with np.errstate(all="ignore"):
        value, size = terms.sum(axis=1), np.abs(terms).sum(axis=1)
    return np.where(np.abs(value) <= _ROUNDED * size, 0, np.sign(value))


class Arena:
    """The open set of positive symbols, its atoms, and sample points that all paths share.

    `ring`: the symbols, all positive. `solver_seconds`: how long the solver may take over one question. `seed`: of the
    sample points. `fixed`: symbols that no atom contains; they are 1 at all points. `deadline`: when, by
    `time.monotonic`, the solver is asked no more: all that is asked later is unknown.
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
        self._floats: Any = np.zeros((0, len(ring.names)))
        self._keys: dict[Key, IrreduciblePolynomial] = {}
        self._factors: dict[Key, tuple[int, tuple[tuple[IrreduciblePolynomial, int], ...]]] = {}
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
        """Keep a sample point; return its number."""
        self.points.append(point)
        self._floats = np.vstack([self._floats, np.array([[_float(x) for x in point]])])
        return len(self.points) - 1

    def factored(self, poly: Polynomial) -> tuple[int, tuple[tuple[IrreduciblePolynomial, int], ...]]:
        """Return the sign of the content, and the irreducible factors with their multiplicities."""
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
        """Return what is kept of a polynomial, and the sign that it was turned by."""
        turned = -1 if poly.leading_coefficient() < 0 else 1
        poly = poly * turned
        key = key_of(poly)
        if key not in self._keys:
            signs = {1 if c > 0 else -1 for c in poly.coeffs()}
            known = signs.pop() if len(signs) == 1 else 0
            powers = np.array([[int(p) for p in m] for m in poly.monoms()], dtype=int)
            largest = max(abs(int(c)) for c in poly.coeffs())  # which may be beyond all floats
            factors = np.array([_ratio(int(c), largest) for c in poly.coeffs()])
            self._keys[key] = IrreduciblePolynomial(len(self.atoms), poly, known, powers, factors)
            self.atoms.append(self._keys[key])
        return self._keys[key], turned

    def positive(self, atom: IrreduciblePolynomial, weak: Collection[str]) -> bool:
        """Tell whether some term of an atom has no symbol that may be 0."""
        places = [place for place, name in enumerate(self.ring.names) if name in weak]
        return any(not any(powers[place] for place in places) for powers in atom.poly.monoms())

    def late(self) -> bool:
        """Tell whether the deadline is over: what is not proved now is not going to be."""
        return time.monotonic() > self.deadline

    def identity(self, goal: Literal, premise: Literal) -> Identity | None:
        """Find an identity that shows one literal where another one holds; each is looked for once."""
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
        """Return the signs of an atom at all sample points: in floats where they are certain, else exactly."""
        begin = len(atom.signs)
        if begin < len(self.points):
            atom.signs.extend(self._signs_at(atom, self._floats[begin:], self.points[begin:]))
        return atom.signs

    @property
    def rounded(self) -> Any:
        """The sample points in floats."""
        return self._floats

    def points_of(self, literals: Iterable[Literal]) -> list[int]:
        """Return the numbers of the sample points where literals hold."""
        alive = list(range(len(self.points)))
        for atom, sign in literals:
            signs = self.signs(atom)
            alive = [point for point in alive if signs[point] == sign]
        return alive

    def _signs_at(self, atom: IrreduciblePolynomial, floats: Any, points: Sequence[tuple[Fraction, ...]]) -> list[int]:
        terms = _terms(atom.powers, atom.factors, floats)
        with np.errstate(all="ignore"):  # what overflows or underflows is beyond `_BITS`, and decided exactly
            bits = (np.abs(np.log2(floats)) @ atom.powers.T).max(axis=1)
            value, size = terms.sum(axis=1), np.abs(terms).sum(axis=1)
        return [
            (1 if v > 0 else -1) if b < _BITS and abs(v) > _SURE * s else atom.at(point)
            for b, v, s, point in zip(bits, value, size, points, strict=True)
        ]

    def moved(self, points: Any, table: Mapping[int, int], atom: IrreduciblePolynomial, weak: Collection[str]) -> Any:
        """Return points, in floats, where the atoms have the signs of a table, from some where but for one they do.

        A symbol is given the value that makes the atom 0 if it is to be. What rounding may decide is taken to be 0: the
        points say only for which signs no proof need be looked for.
        """
        if table[atom.number]:
            return points[_rounded_signs(atom, points) == table[atom.number]]
        found = []
        for place in [place for place, power in enumerate(atom.powers.max(axis=0)) if power == 1]:
            slope = atom.powers[:, place] == 1
            rest, rise = (_values(atom.powers[rows], atom.factors[rows], points, place) for rows in (~slope, slope))
            each = points.copy()
            with np.errstate(all="ignore"):
                each[:, place] = -rest / rise
            lowest = each[:, place] >= 0 if self.ring.names[place] in weak else each[:, place] > 0
            found.append(each[lowest])
        moved = np.concatenate(found) if found else points[:0]
        for number, sign in table.items():
            moved = moved[_rounded_signs(self.atoms[number], moved) == sign]
        return moved[:_POINTS]

    def near(self, point: tuple[Fraction, ...], spread: float) -> tuple[Fraction, ...]:
        """Return a point beside another."""
        moved = []
        for name, value in zip(self.ring.names, point, strict=True):
            if name in self.fixed or self.random.random() < 0.5 or math.isnan(_float(value)):
                moved.append(value)
                continue
            scaled = _float(value) * 2 ** self.random.gauss(0, spread)
            grain = 2 ** max(0, 12 - int(np.log2(scaled)))
            moved.append(Fraction(max(1, round(scaled * grain)), grain))
        return tuple(moved)

    def search(self, literals: Sequence[Literal], seeds: Sequence[int], want: int = 1) -> list[int]:
        """Look beside sample points for others where the literals hold; return the numbers of those found."""
        found: list[int] = []
        for spread in (0.4, 1.5, 3.0) if self.ring.names else ():
            points = [self.near(self.points[self.random.choice(seeds)], spread) for _ in range(_NEAR)] if seeds else []
            if not points:
                break
            floats = np.array([[_float(x) for x in point] for point in points])
            good = [True] * len(points)
            for literal in literals:
                signs = self._signs_at(literal.atom, floats, points)
                good = [g and s == literal.sign for g, s in zip(good, signs, strict=True)]
            found += [self.add_point(p) for p, g in zip(points, good, strict=True) if g][: want - len(found)]
            if len(found) >= want:
                break
        return found

    def ask(self, literals: Iterable[Literal]) -> str:
        """Ask the solver whether literals can hold together: ``sat`` (a point is kept), ``unsat`` or ``unknown``."""
        wanted = list(literals)
        key = frozenset((literal.atom.number, literal.sign) for literal in wanted)
        if key not in self._answers:
            self._answers[key] = self._ask(wanted)
        return self._answers[key]

    def solve(self, question: Question) -> tuple[str, list[tuple[Fraction, ...]]]:
        """Ask the solver, unless it is too late."""
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


class _UnknownSignError(Exception):
    """A sign is not known on a path, and is not to be asked for."""


class SignPath:
    """One way through the splits: the decisions so far, and the judge of the signs that come next.

    `script`: what earlier paths have decided for this one. `hypotheses`: what holds on all paths.
    """

    def __init__(
        self, arena: Arena, script: Sequence[SignDecision | Choice], hypotheses: Sequence[Literal] = ()
    ) -> None:
        self.arena = arena
        self.script = list(script)
        self.hypotheses = tuple(hypotheses)
        self.decisions: list[SignDecision | Choice] = []
        self.alternatives: list[list[SignDecision | Choice]] = []
        self.open: list[list[Literal]] = []
        self._asking = True
        self._signs: dict[int, int] = {}
        for atom, sign in hypotheses:
            self._signs[atom.number] = sign
        self._alive = list(range(len(arena.points)))
        self._seen = len(arena.points)
        for literal in hypotheses:
            self._keep(literal)

    @property
    def literals(self) -> list[Literal]:
        """What holds on this path, hypotheses included."""
        found = list(self.hypotheses)
        for decision in self.decisions:
            found += decision.literals if isinstance(decision, Choice) else [decision.literal]
        return found

    @property
    def alive(self) -> list[int]:
        """The sample points on this path."""
        if self._seen < len(self.arena.points):
            fresh = list(range(self._seen, len(self.arena.points)))
            for atom, sign in self.literals:
                signs = self.arena.signs(atom)
                fresh = [point for point in fresh if signs[point] == sign]
            self._alive += fresh
            self._seen = len(self.arena.points)
        return self._alive

    def sign(self, poly: Polynomial) -> int:
        """Return the sign of a polynomial on this path."""
        sign, factors = self.arena.factored(poly)
        for atom, power in factors:
            if power % 2 and atom.known < 0:
                sign = -sign
            elif power % 2 and not atom.known:
                sign *= self._atom_sign(atom)
            elif not atom.known:
                self._atom_sign(atom)  # an even power is positive only where the atom is not 0
        return sign

    def without_asking(self, function: Callable[[], list[Any]]) -> list[Any] | None:
        """Call a function; return None where it asks for a sign that does not follow from those on this path."""
        self._asking = False
        try:
            return function()
        except (_UnknownSignError, LimitError):
            return None
        finally:
            self._asking = True

    def _atom_sign(self, atom: IrreduciblePolynomial) -> int:
        if atom.number not in self._signs:
            if not self._asking:
                return self._seen_sign(atom)
            decision = self.script.pop(0) if self.script else self._decide(atom)
            if isinstance(decision, Choice) or decision.literal.atom is not atom:
                raise RuntimeError("the run is not the same when it is repeated")
            self._take(decision)
        return self._signs[atom.number]

    def _seen_sign(self, atom: IrreduciblePolynomial) -> int:
        signs = {self.arena.signs(atom)[point] for point in self.alive}
        for sign in signs if len(signs) == 1 else ():
            if self._evident(Literal(atom, sign)) or self.arena.ask([*self.literals, Literal(atom, -sign)]) == "unsat":
                return sign
        raise _UnknownSignError

    def _take(self, decision: SignDecision | Choice) -> None:
        for literal in decision.literals if isinstance(decision, Choice) else [decision.literal]:
            self._keep(literal)
            self._signs[literal.atom.number] = literal.sign
        self.decisions.append(decision)

    def earliest(self, differences: Sequence[Sequence[Polynomial]]) -> int | None:
        """Return which of some times is the earliest: one split for all that can be.

        `differences`: for each time, what has the sign of every other one minus it. Returns: the index; None if the
        signs that decide are not those of single atoms, and pairs have to be compared.
        """
        if not self._asking:
            return None
        conditions = [self._conditions(each) for each in self._without_late(differences)]
        if any(found is None for found in conditions):
            return None
        possible = [(i, found) for i, found in enumerate(conditions) if found is not None and found[0]]
        sure = [i for i, (_, literals) in possible if not literals]
        if sure:
            return sure[0]
        if self.script:
            choice = self.script.pop(0)
            if not isinstance(choice, Choice):
                raise RuntimeError("the run is not the same when it is repeated")
        else:
            choice = self._choose([(i, tuple(literals)) for i, (_, literals) in possible])
        self._take(choice)
        return choice.place

    def _without_late(self, differences: Sequence[Sequence[Polynomial]]) -> list[list[Polynomial]]:
        """Leave out the comparisons with times that another one is known to come before.

        The one that is the earliest comes before that other one, too. A time that is late itself keeps the comparison.
        """
        places = range(len(differences))
        late = [any(self._known_sign(poly) < 0 for poly in row) for row in differences]
        rows = []
        for place, row in enumerate(differences):
            others = [other for other in places if other != place]
            rows.append([poly for other, poly in zip(others, row, strict=True) if late[place] or not late[other]])
        return rows

    def _known_sign(self, poly: Polynomial) -> int:
        """Return the sign of a polynomial as far as it is known on this path; else 0."""
        sign, factors = self.arena.factored(poly)
        for atom, power in factors:
            sign *= (atom.known or self._signs.get(atom.number, 0)) ** (1 if power % 2 else 2)
        return sign

    def _conditions(self, polys: Sequence[Polynomial]) -> tuple[bool, list[Literal]] | None:
        """Return whether all can be positive, and the signs that they need; None if a sign depends on two atoms."""
        literals: list[Literal] = []
        for poly in polys:
            sign, factors = self.arena.factored(poly)
            unknown: list[IrreduciblePolynomial] = []
            for atom, power in factors:
                known = atom.known or self._signs.get(atom.number, 0)
                if not known and power % 2:
                    unknown.append(atom)
                elif power % 2:
                    sign *= known
            if len(unknown) > 1:
                return None
            if unknown:
                literals.append(Literal(unknown[0], sign))
            elif sign < 0:
                return False, []
        return not any(Literal(atom, -sign) in literals for atom, sign in literals), literals

    def _choose(self, possible: Sequence[tuple[int, tuple[Literal, ...]]]) -> Choice:
        counted: list[tuple[int, Choice]] = []
        for index, literals in possible:
            points = self.alive
            for atom, sign in literals:
                signs = self.arena.signs(atom)
                points = [point for point in points if signs[point] == sign]
            if points or self._can_be(literals):
                counted.append((len(points), Choice(index, literals, "split")))
        if not counted:
            raise LimitError("which of some events is the first is not decided")
        counted.sort(key=lambda item: -item[0])
        self.alternatives += [[*self.decisions, choice] for _, choice in counted[1:]]
        return counted[0][1]

    def _can_be(self, literals: Sequence[Literal]) -> bool:
        """Tell whether literals can hold on this path; what is not decided is left open."""
        if any(self._evident(Literal(atom, -sign)) for atom, sign in literals):
            return False
        wanted = [*self.literals, *literals]
        if self.arena.search(wanted, self.alive):
            return True
        answer = self.arena.ask(wanted)
        if answer == "unknown":
            self.open.append(wanted)
        return answer == "sat"

    def _keep(self, literal: Literal) -> None:
        alive = self.alive
        signs = self.arena.signs(literal.atom)
        self._alive = [point for point in alive if signs[point] == literal.sign]

    def _decide(self, atom: IrreduciblePolynomial) -> SignDecision:
        signs = self.arena.signs(atom)
        alive = self.alive
        above = sum(1 for point in alive if signs[point] > 0)
        below = sum(1 for point in alive if signs[point] < 0)
        if above and below:
            return self._split(Literal(atom, 1 if above >= below else -1))
        likely = Literal(atom, 1 if above or not below else -1)
        other = Literal(atom, -likely.sign)
        if self._evident(likely):
            return SignDecision(likely, "identity")
        if self.arena.search([*self.literals, other], alive):
            return self._split(likely)
        answer = self.arena.ask([*self.literals, other])
        if answer == "sat":
            if not above and not below and self.arena.ask([*self.literals, likely]) == "unsat":
                return SignDecision(other, "solver")
            return self._split(likely)
        if answer == "unknown":
            self.open.append([*self.literals, other])
            return SignDecision(likely, "assumed")
        return SignDecision(likely, "solver")

    def _evident(self, goal: Literal) -> bool:
        return any(self.arena.identity(goal, literal) is not None for literal in self.literals)

    def _split(self, literal: Literal) -> SignDecision:
        other = SignDecision(Literal(literal.atom, -literal.sign), "split")
        self.alternatives.append([*self.decisions, other])
        return SignDecision(literal, "split")
