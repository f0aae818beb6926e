"""Signs that polynomials cannot have together: sums of products that say so, found in floats and then exactly.

If no premise is negative, neither is a product of premises times a monomial in symbols that are not negative. A sum of
such products of which no coefficient is positive is therefore 0, term by term and coefficient by coefficient; that
cannot be if one of them is more than 0. Which products, says a linear program; which multiples, exact linear algebra.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, product
from math import gcd, prod
from typing import TYPE_CHECKING, Any, NamedTuple

import flint
import numpy as np

from dtmodel.derive.number import Polynomial
from dtmodel.derive.solver import Question

if TYPE_CHECKING:
    from dtmodel.derive.signs import Arena

Premise = tuple[Polynomial, str]
"""A polynomial that is ``>``, ``>=`` or ``=`` 0."""

_QUICK = ((1, 0, 9), (2, 0, 2))
"""Of how many premises products are, by how much their degrees may be higher, and the highest degree of monomials."""
_SLOW = ((2, 1, 3), (2, 1, 4))
"""The same for the fewest premises that a solver says to be enough."""
_COLUMNS = 2500
_CODES = 2**62
_ZERO = (1e-9, 1e-7, 1e-11)


class Summand(NamedTuple):
    """A summand: premises, by their places, that are multiplied with each other, a number and a monomial."""

    places: tuple[int, ...]
    number: int
    monomial: tuple[int, ...]


class _Column(NamedTuple):
    """A product of premises times a monomial: the codes of its monomials, and whether it is more than 0, or just 0."""

    places: tuple[int, ...]
    monomial: tuple[int, ...]
    codes: Any
    factors: Any
    sure: bool
    nothing: bool


class Refutation(NamedTuple):
    """Premises, by their places, that cannot hold together, and the sum that shows it; None: a solver says so."""

    places: list[int]
    parts: list[Summand] | None


def refutation(
    premises: Sequence[Premise], weak: Collection[str], arena: Arena, *, ask: bool = True
) -> Refutation | None:
    """Find a sum that shows that premises cannot hold together where no symbol is negative; None: perhaps they can.

    `weak`: the symbols that may be 0. `arena`: the symbols, and the solver, which says which premises are enough, if
    it may be asked (`ask`). The places in the sum are those among the premises that are used.

    >>> from dtmodel.derive.number import Field
    >>> from dtmodel.derive.signs import Arena
    >>> ring = Field(["x", "y"])
    >>> x, y = (symbol.top for symbol in ring.symbols)
    >>> found = refutation([(x - y, ">"), (x + y, ">"), (y - x * x, ">"), (x - 1, ">=")], (), Arena(ring))
    >>> found.places, [tuple(part) for part in found.parts]
    ([0, 2, 3], [((0,), 1, (0, 0)), ((1,), 1, (0, 0)), ((2,), 1, (1, 0))])
    """
    places = [place for place, name in enumerate(arena.ring.names) if name in weak]
    for size in _QUICK:
        parts = None if arena.late() else _Search(premises, places, *size).found()
        if parts is not None:
            return _renamed(range(len(premises)), parts)
    core = _core(premises, weak, arena) if ask else []
    for size in _SLOW if core else ():
        parts = None if arena.late() else _Search([premises[place] for place in core], places, *size).found()
        if parts is not None:
            return _renamed(core, parts)
    return Refutation(core, None) if core else None


def _renamed(places: Sequence[int], parts: Sequence[Summand]) -> Refutation:
    used = sorted({place for part in parts for place in part.places})
    renamed = [part._replace(places=tuple(used.index(place) for place in part.places)) for part in parts]
    return Refutation([places[place] for place in used], renamed)


def _core(premises: Sequence[Premise], weak: Collection[str], arena: Arena) -> list[int]:
    """Return the places of premises of which the solver says that they cannot hold together, none too many."""

    def impossible(places: Sequence[int]) -> bool:
        question = Question(arena.ring.names)
        for name in arena.ring.names:
            question.positive(name, ">=" if name in weak else ">")
        for place in places:
            question.sign(*premises[place])
        return arena.solve(question)[0] == "unsat"

    core = list(range(len(premises)))
    if not impossible(core):
        return []
    for place in range(len(premises)):
        fewer = [other for other in core if other != place]
        core = fewer if fewer and impossible(fewer) else core
    return core


class _Search:
    """All products of up to `count` premises times monomials up to a `degree`, of degrees that are not too high."""

    def __init__(self, premises: Sequence[Premise], weak: Collection[int], count: int, more: int, degree: int) -> None:
        self.premises, self.weak, self.count, self.degree = premises, weak, count, degree
        highest = np.array([[int(power) for power in poly.degrees()] for poly, _ in premises]).max(axis=0)
        self.box = np.where(highest > 0, highest + more, 0)
        sizes = [int(size) + 1 for size in self.box]
        self.radix = [prod(sizes[place + 1 :]) for place in range(len(sizes))]
        self.fits = prod(sizes) < _CODES

    def found(self) -> list[Summand] | None:
        """Return a sum that shows it."""
        columns = list(self._columns()) if self.fits else []
        if not columns or len(columns) > _COLUMNS:
            return None
        from scipy.optimize import linprog
        from scipy.sparse import csc_array, csr_array

        codes, rows = np.unique(np.concatenate([column.codes for column in columns]), return_inverse=True)
        each = np.repeat(np.arange(len(columns)), [len(column.codes) for column in columns])
        values = np.concatenate([column.factors for column in columns]).astype(float)
        table = csc_array((values, (rows, each)), shape=(len(codes), len(columns)))
        powers = {place: codes // self.radix[place] % (int(self.box[place]) + 1) for place in self.weak}
        sure_rows = np.all([power == 0 for power in powers.values()] or [codes >= 0], axis=0)
        more = np.array([float(column.sure) for column in columns]) - table.T @ sure_rows
        answer = linprog(
            [0.0 if column.nothing else 2 * len(column.places) - 1 + sum(column.monomial) for column in columns],
            A_ub=table, b_ub=np.zeros(len(codes)), A_eq=csr_array(more[None, :]), b_eq=[1.0],
            bounds=[(None if column.nothing else 0, None) for column in columns], method="highs-ds",
        )  # fmt: skip
        if answer.status:
            return None
        return next(filter(None, (self._exactly(columns, answer.x, codes, sure_rows, zero) for zero in _ZERO)), None)

    def _columns(self) -> Iterator[_Column]:
        for count in range(1, self.count + 1):
            for places in combinations(range(len(self.premises)), count):
                poly = prod(self.premises[place][0] for place in places)
                powers = np.array([[int(power) for power in monomial] for monomial in poly.monoms()])
                room = self.box - powers.max(axis=0)
                if room.min() < 0:
                    continue
                factors = np.array([int(factor) for factor in poly.coeffs()], dtype=object)
                codes = powers @ np.array(self.radix)
                relations = {self.premises[place][1] for place in places}
                for monomial in product(*(range(min(int(r), self.degree) + 1) for r in room)):
                    if sum(monomial) <= self.degree:
                        sure = relations == {">"} and not any(monomial[place] for place in self.weak)
                        moved = codes + sum(map(int.__mul__, monomial, self.radix))
                        yield _Column(places, monomial, moved, factors, sure, "=" in relations)

    def _exactly(
        self, columns: Sequence[_Column], found: Any, codes: Any, sure_rows: Any, zero: float
    ) -> list[Summand] | None:
        """Return exact multiples of the columns that are used: of those at a corner there is one solution."""
        used = [column for column, number in zip(columns, found, strict=True) if abs(number) > zero]
        numbers = [number for number in found if abs(number) > zero]
        rows: dict[int, list[int]] = {}
        sums: dict[int, float] = {}
        for place, (column, number) in enumerate(zip(used, numbers, strict=True)):
            for code, factor in zip(column.codes.tolist(), column.factors.tolist(), strict=True):
                rows.setdefault(code, [0] * len(used))[place] += factor
                sums[code] = sums.get(code, 0.0) + factor * number
        tight = [rows[code] for code, value in sums.items() if abs(value) <= zero]
        space, dimension = flint.fmpz_mat(tight or [[0] * len(used)]).nullspace()
        if int(dimension) != 1:
            return None
        exact = [int(space[place, 0]) for place in range(len(used))]
        turn = 1 if sum(e * n for e, n in zip(exact, numbers, strict=True)) > 0 else -1
        whole = gcd(*exact)
        exact = [number * turn // whole for number in exact]
        if any(number <= 0 and not column.nothing for number, column in zip(exact, used, strict=True)):
            return None
        left = {code: sum(map(int.__mul__, row, exact)) for code, row in rows.items()}
        surely = dict(zip(codes.tolist(), sure_rows.tolist(), strict=True))
        more = any(c.sure for c in used) or any(value < 0 and surely[code] for code, value in left.items())
        if not more or any(value > 0 for value in left.values()):
            return None
        parts = zip(used, exact, strict=True)
        return [Summand(column.places, number, column.monomial) for column, number in parts if number]
