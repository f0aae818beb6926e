"""Refutations: sums of products that prove polynomial signs contradictory, found in floats and then exactly.

The products of nonnegative premises and monomials are nonnegative. A sum of them without positive coefficients is 0,
and so is each; a positive one is a contradiction. A linear program selects, exact algebra computes multiples.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import combinations, product
from math import gcd, prod
from typing import TYPE_CHECKING, Any, NamedTuple

import flint

from dtmodel.derive.algebra.identity import identity_of_terms, terms_of
from dtmodel.derive.algebra.number import Polynomial
from dtmodel.derive.algebra.solver import Question

if TYPE_CHECKING:
    from dtmodel.derive.algebra.open_set import Arena

Premise = tuple[Polynomial, str]
"""A polynomial that is ``>``, ``>=`` or ``=`` 0."""

_QUICK = ((1, 0, 9), (2, 0, 2))
"""Searches: the number of premises in a product, the excess of degrees, and the maximum degree of monomials."""
_BEFORE = ((2, 1, 1),)
"""Searches before a call of the solver."""
_SLOW = ((2, 1, 3), (2, 1, 4), (3, 1, 1))
"""Searches with the contradictory premises that the solver finds, and with all, which may allow shorter sums."""
_COLUMNS = 3000
_CODES = 2**62
_ZERO = (1e-9, 1e-7, 1e-11)


class Summand(NamedTuple):
    """A summand: the places of the premises that are multiplied, a number and a monomial."""

    places: tuple[int, ...]
    number: int
    monomial: tuple[int, ...]


class _Multiples(NamedTuple):
    """Products of premises times monomials, by row: powers, codes of terms, `factors`, True if positive, if 0."""

    places: tuple[int, ...]
    monomials: Any
    codes: Any
    factors: Any
    sure: Any
    nothing: bool


class Refutation(NamedTuple):
    """The places of contradictory premises, and the sum that proves it; None if it rests on a solver."""

    places: list[int]
    parts: list[Summand] | None


def refutation(
    premises: Sequence[Premise], weak: Collection[str], arena: Arena, *, ask: bool = True
) -> Refutation | None:
    """Find a sum that proves premises contradictory for nonnegative symbols (`weak`: may be 0); None without one.

    The solver of the `arena` selects the contradictory premises if `ask` is true.
    """
    parts = None if arena.late() else _by_one(premises)
    if parts is not None:
        return _renamed(range(len(premises)), parts)
    if find_spec("scipy") is None:  # no linear programs: only the solver can show a contradiction
        core = _core(premises, weak, arena) if ask else []
        return Refutation(core, None) if core else None
    places = [place for place, name in enumerate(arena.ring.names) if name in weak]
    for size in (*_QUICK, *(_BEFORE if ask else ())):
        parts = None if arena.late() else _Search(premises, places, *size).found()
        if parts is not None:
            return _renamed(range(len(premises)), parts)
    core = _core(premises, weak, arena) if ask else []
    for size, chosen in product(_SLOW, (core, range(len(premises)))) if core else ():
        parts = None if arena.late() else _Search([premises[place] for place in chosen], places, *size).found()
        if parts is not None:
            return _renamed(chosen, parts)
    return Refutation(core, None) if core else None


def _by_one(premises: Sequence[Premise]) -> list[Summand] | None:
    """Return a sum of the last premise, if it is ``>`` 0, and a multiple of another one."""
    *others, (last, relation) = premises
    goal = terms_of(-last)
    for place, (poly, _) in enumerate(others) if relation == ">" else ():
        found = identity_of_terms(goal, terms_of(poly))
        if found is not None:
            number, monomial, _ = found
            parts = [Summand((len(others),), number.denominator, (0,) * len(monomial))]
            return parts + [Summand((place,), number.numerator, monomial)] * (number > 0)
    return None


def _renamed(places: Sequence[int], parts: Sequence[Summand]) -> Refutation:
    used = sorted({place for part in parts for place in part.places})
    renamed = [part._replace(places=tuple(used.index(place) for place in part.places)) for part in parts]
    return Refutation([places[place] for place in used], renamed)


def _core(premises: Sequence[Premise], weak: Collection[str], arena: Arena) -> list[int]:
    """Return the places of a minimal set of premises that the solver finds contradictory."""

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
    """All products of up to `count` premises times monomials up to a `degree`, with a bound on their degrees."""

    def __init__(self, premises: Sequence[Premise], weak: Sequence[int], count: int, more: int, degree: int) -> None:
        import numpy as np

        self.premises, self.weak, self.count, self.degree = premises, weak, count, degree
        highest = np.array([[int(power) for power in poly.degrees()] for poly, _ in premises]).max(axis=0)
        self.box = np.where(highest > 0, highest + more, 0)
        sizes = [int(size) + 1 for size in self.box]
        self.fits = prod(sizes) < _CODES
        radix = [prod(sizes[place + 1 :]) for place in range(len(sizes))]
        self.radix = np.array(radix, dtype=np.int64 if self.fits else object)

    def found(self) -> list[Summand] | None:
        each = list(self._products()) if self.fits else []
        count = sum(len(one.monomials) for one in each)
        if not 0 < count <= _COLUMNS:
            return None
        import numpy as np
        from scipy.optimize import linprog
        from scipy.sparse import csc_array, csr_array

        codes, rows = np.unique(np.concatenate([one.codes.ravel() for one in each]), return_inverse=True)
        try:
            values = np.concatenate([np.tile(one.factors.astype(float), len(one.monomials)) for one in each])
        except OverflowError:  # a number beyond all floats: no linear program
            return None
        ends = np.cumsum([len(one.factors) for one in each for _ in one.monomials])
        table = csc_array((values, rows, np.concatenate([[0], ends])), shape=(len(codes), count))
        table.sort_indices()
        powers = [codes // self.radix[place] % (int(self.box[place]) + 1) for place in self.weak]
        sure_rows = np.all([power == 0 for power in powers] or [codes >= 0], axis=0)
        more = np.concatenate([one.sure for one in each]).astype(float) - table.T @ sure_rows
        costs = [0 * one.sure if one.nothing else 2 * len(one.places) - 1 + one.monomials.sum(axis=1) for one in each]
        answer = linprog(
            np.concatenate(costs),
            A_ub=table, b_ub=np.zeros(len(codes)), A_eq=csr_array(more[None, :]), b_eq=[1.0],
            bounds=[(None if one.nothing else 0, None) for one in each for _ in one.monomials], method="highs-ds",
        )  # fmt: skip
        if answer.status:
            return None
        surely = {code for code, is_sure in zip(codes.tolist(), sure_rows, strict=True) if is_sure}
        return next(filter(None, (self._exactly(each, answer.x, surely, zero) for zero in _ZERO)), None)

    def _products(self) -> Iterator[_Multiples]:
        import numpy as np

        for count in range(1, self.count + 1):
            for places in combinations(range(len(self.premises)), count):
                poly = prod(self.premises[place][0] for place in places)
                powers = np.array([[int(power) for power in monomial] for monomial in poly.monoms()])
                room = self.box - powers.max(axis=0)
                if room.min() < 0:
                    continue
                monomials = _monomials(tuple(map(int, room)), self.degree)
                relations = {self.premises[place][1] for place in places}
                sure = ~monomials[:, self.weak].any(axis=1) & (relations == {">"})
                codes = (powers @ self.radix)[None, :] + (monomials @ self.radix)[:, None]
                factors = np.array([int(factor) for factor in poly.coeffs()], dtype=object)
                yield _Multiples(places, monomials, codes, factors, sure, "=" in relations)

    def _exactly(self, each: Sequence[_Multiples], found: Any, surely: set[int], zero: float) -> list[Summand] | None:
        """Return exact multiples of the columns in use: a vertex of the linear program determines them."""
        columns = [(one, row) for one in each for row in range(len(one.monomials))]
        used = [(column, number) for column, number in zip(columns, found, strict=True) if abs(number) > zero]
        rows: dict[int, list[int]] = {}
        sums: dict[int, float] = {}
        for place, ((one, row), number) in enumerate(used):
            for code, factor in zip(one.codes[row].tolist(), one.factors.tolist(), strict=True):
                rows.setdefault(code, [0] * len(used))[place] += factor
                sums[code] = sums.get(code, 0.0) + factor * number
        tight = [rows[code] for code, value in sums.items() if abs(value) <= zero]
        space, dimension = flint.fmpz_mat(tight or [[0] * len(used)]).nullspace()
        if int(dimension) != 1:
            return None
        exact = [int(space[place, 0]) for place in range(len(used))]
        turn = 1 if sum(e * n for e, (_, n) in zip(exact, used, strict=True)) > 0 else -1
        whole = gcd(*exact)
        exact = [number * turn // whole for number in exact]
        if any(number <= 0 and not one.nothing for number, ((one, _), _) in zip(exact, used, strict=True)):
            return None
        left = {code: sum(map(int.__mul__, row, exact)) for code, row in rows.items()}
        more = any(one.sure[row] for (one, row), _ in used) or any(left[code] < 0 for code in surely & left.keys())
        if not more or any(value > 0 for value in left.values()):
            return None
        parts = [((one, row), number) for ((one, row), _), number in zip(used, exact, strict=True) if number]
        return [Summand(one.places, number, tuple(one.monomials[row].tolist())) for (one, row), number in parts]


@lru_cache(maxsize=4096)
def _monomials(room: tuple[int, ...], degree: int) -> Any:
    """Return the powers of all monomials up to a degree, with a bound for each symbol."""
    import numpy as np

    each = [powers for powers in product(*(range(min(place, degree) + 1) for place in room)) if sum(powers) <= degree]
    return np.array(each, dtype=int)
