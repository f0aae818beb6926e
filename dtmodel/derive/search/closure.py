"""Proof that a derived theorem holds on boundaries: a walk through all signs of its conditions, 0 included.

The trajectory of a cell obeys the model on the cell's boundary, too, where its denominators, and the terms that must be
positive for a loss, are not 0. Elsewhere, such as without steady ports, the family of the face on which a term is 0 has
its own cells. So each possible set of signs belongs to a cell all of whose conditions are nonnegative, and the theorem
is right there if each case that can hold has the answers of this cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from dtmodel.derive.algebra.consequences import Facts, Product, Sign
from dtmodel.derive.algebra.number import Ratio
from dtmodel.derive.algebra.open_set import IrreduciblePolynomial, Point, rounded_sign
from dtmodel.derive.algebra.refutation import refutation

if TYPE_CHECKING:
    from dtmodel.derive.search.paths import Solved

_NODES = 1000

Signs = frozenset[int]
"""The possible signs of an atom: a subset of -1, 0 and 1."""
Table = dict[int, Signs]
"""The possible signs of atoms, by their numbers."""
_Answers = Mapping[str, Ratio | None]
_SignsOf = Callable[[IrreduciblePolynomial], Signs]
_ZERO, _ANY = Signs({0}), Signs({-1, 0, 1})


class Split(NamedTuple):
    """An atom, and the signs among which the walk branches."""

    atom: IrreduciblePolynomial
    signs: tuple[Signs, ...]


@dataclass(frozen=True)
class Closed:
    """A cell: conditions, atoms that must not be 0, answers, True if proved; `zero`: the atom of its face."""

    signs: Sequence[Sign]
    needed: Sequence[IrreduciblePolynomial]
    answers: Mapping[str, Ratio | None]
    shown: bool
    zero: IrreduciblePolynomial | None = None


@dataclass
class Closure:
    """The walk through all signs.

    `face`: returns the cells of the face on which an atom is 0; they are added to `cells` if no other cell is left.
    `apart` (list of (signs, reason)): contradictory signs, with a sum that proves it, or ``"smt"``. `tree`: ``["split",
    atom, {signs: tree}]``, or the result of a set of signs: ``["apart", number]``, ``["cell", number, number of the
    case, reason why other cases agree]``, ``["left out", number]``, ``["open"]``.
    """

    facts: Facts
    cells: list[Closed]
    cases: Sequence[Solved]
    face: Callable[[IrreduciblePolynomial], Sequence[Closed]]
    apart: list[tuple[Sequence[tuple[IrreduciblePolynomial, Signs]], Any]] = field(default_factory=list)
    nodes: int = 0

    def __post_init__(self) -> None:
        self._clauses: list[Table] = []
        self._faces: set[int] = set()
        table, points = dict[int, Signs](), self.facts.arena.rounded
        for atom, sign, strict in self.facts.always:
            table[atom.number] = Signs({sign} if strict else {sign, 0})
            points = self._moved(points, table, atom)
        self.tree = self._walk(table, points)

    @property
    def complete(self) -> bool:
        """True if the walk has ended."""
        return self.nodes <= _NODES

    def used(self) -> Iterator[int]:
        """Yield the places of the cells to which sets of signs belong."""
        waiting = [self.tree]
        while waiting:
            kind, *rest = waiting.pop()
            if kind == "split":
                waiting += rest[1].values()
            elif kind == "cell":
                yield rest[0]

    def _moved(self, points: list[Point], table: Table, atom: IrreduciblePolynomial) -> list[Point]:
        return self.facts.arena.moved(points, table, atom, self.facts.weak)

    def _walk(self, table: Table, points: list[Point]) -> list[Any]:
        """Go through all possible signs beside those of a table; `points`: known points with these signs."""
        self.nodes += 1
        if not self.complete or self.facts.arena.late():
            return ["open"]
        decided = self._decided(table, points) or self._elsewhere(table, points)
        if not isinstance(decided, Split):
            return decided
        each = {}
        for signs in decided.signs:
            wider = {**table, decided.atom.number: signs}
            there = self._moved(points, wider, decided.atom)
            excluded = None if there else self._excluded(wider, ask=False)
            each[signs] = self._walk(wider, there) if excluded is None else ["apart", excluded]
        return ["split", decided.atom, each]

    def _decided(self, table: Table, points: list[Point]) -> Split | list[Any] | None:
        """Return the result of signs, or the next split: for a cell that contains the first point; None for neither."""
        sign, here = self._sign(table), self._sign_at(points[0]) if points else self._sign(table)
        for number, cell in self._cells(sign, here):
            free = next((each for each in self._waiting(cell, sign) if isinstance(each, Split)), None)
            if free:
                return free
            if not cell.shown:
                return ["left out", number]
            settled = self._case(cell, sign)
            if settled is not None:
                return settled if isinstance(settled, Split) else ["cell", number, *settled]
        return None

    def _elsewhere(self, table: Table, points: list[Point]) -> Split | list[Any]:
        """Return the result of signs that belong to no cell: impossible (by a solver), or on a face."""
        excluded = None if points else self._excluded(table, ask=True)
        if excluded is not None:
            return ["apart", excluded]
        for number in [number for number, signs in table.items() if signs == _ZERO and number not in self._faces]:
            self._faces.add(number)
            self.cells += self.face(self.facts.arena.atoms[number])
            decided = self._decided(table, points)
            if decided:
                return decided
        weak = next((number for number, signs in table.items() if len(signs) > 1), None)
        return ["open"] if weak is None else _each(self.facts.arena.atoms[weak], table[weak])

    def _cells(self, sign: _SignsOf, here: _SignsOf) -> Iterator[tuple[int, Closed]]:
        """Yield the cells that may hold, first those that contain a point."""
        tried = set[int]()
        for of in (here, sign):
            for number, cell in enumerate(self.cells):
                if number not in tried and all(False not in self._waiting(cell, each) for each in (sign, of)):
                    tried.add(number)
                    yield number, cell

    def _waiting(self, cell: Closed, sign: _SignsOf) -> Iterator[Split | bool]:
        """Yield for each condition of a cell whether it holds, or the split that decides it."""
        if cell.zero is not None:
            yield sign(cell.zero) == _ZERO
        yield from _free(cell.signs, sign)
        for atom in cell.needed:
            yield _nonzero(atom, sign)

    def _sign_at(self, point: Point) -> _SignsOf:
        """Return a function for the signs of atoms at a point, in floats."""
        known = dict[int, Signs]()

        def sign(atom: IrreduciblePolynomial) -> Signs:
            if atom.number not in known:
                known[atom.number] = Signs({rounded_sign(atom, point)})
            return known[atom.number]

        return sign

    def _case(self, cell: Closed, sign: _SignsOf) -> Split | list[Any] | None:
        """Return the case that holds where a cell does, or the split that decides it; None if it is not proved."""
        held, waiting, others = None, None, list[Any]()
        for number, case in enumerate(self.cases):
            free = list(_free(case.signs, sign))
            if False in free:
                continue
            unknown = next((each for each in free if isinstance(each, Split)), None)
            if case.answers != cell.answers:
                alike = unknown or self._alike(case.answers, cell.answers, sign)
                if not isinstance(alike, list):
                    return alike
                others.append([number, alike])
            if unknown:
                waiting = waiting or unknown
            elif held is None:
                held = number
        return waiting if held is None else [held, others]

    def _alike(self, case: _Answers, cell: _Answers, sign: _SignsOf) -> Split | list[Any] | None:
        """Return for each answer a vanishing factor of its difference to a cell's, or a split; None if they differ."""
        shown = []
        for key, mine in case.items():
            its = cell[key]
            if mine is None or its is None:
                if mine is not its:
                    return None
                continue
            factored = self.facts.arena.factored
            top = mine.top * its.bottom - its.top * mine.bottom
            factors = [] if top.is_zero() else [atom for atom, _ in factored(top)[1]]
            zeros = [atom for atom in factors if sign(atom) == _ZERO]
            waiting = [_nonzero(atom, sign) for atom, _ in factored(mine.bottom)[1]]
            waiting += [] if zeros or top.is_zero() else [_nonzero(atom, sign) for atom in factors if 0 in sign(atom)]
            if False in waiting or not (zeros or top.is_zero() or any(isinstance(each, Split) for each in waiting)):
                return None
            unknown = next((each for each in waiting if isinstance(each, Split)), None)
            if unknown:
                return unknown
            shown.append([key, zeros[0].poly, top / zeros[0].poly] if zeros else [key, top, top])
        return shown

    def _sign(self, table: Table) -> _SignsOf:
        def sign(atom: IrreduciblePolynomial) -> Signs:
            if atom.known and self.facts.positive(atom):
                return Signs({atom.known})
            return table.get(atom.number, Signs({atom.known, 0}) if atom.known else _ANY)

        return sign

    def _excluded(self, table: Table, *, ask: bool) -> int | None:
        """Return the place in `apart` of a proof that the signs of a table are contradictory; None if there is none."""
        for number, clause in enumerate(self._clauses):
            if all(atom in table and table[atom] <= signs for atom, signs in clause.items()):
                return number
        atoms, facts = self.facts.arena.atoms, self.facts
        each = [(atoms[number], signs) for number, signs in table.items() if signs != {-1, 1}]
        relation = {0: ">=", 1: ">"}
        given = [
            (atom.poly * (sum(signs) or 1), "=" if signs == _ZERO else relation[min(map(abs, signs))])
            for atom, signs in each
        ]
        found = refutation(given, facts.weak, facts.arena, ask=ask)
        if found is None:
            return None
        self._clauses.append({each[place][0].number: each[place][1] for place in found.places})
        self.apart.append(([each[place] for place in found.places], found.parts or "smt"))
        return len(self.apart) - 1


def _nonzero(atom: IrreduciblePolynomial, signs_of: _SignsOf) -> Split | bool:
    """Return whether an atom is nonzero, or the split that decides it."""
    signs = signs_of(atom)
    return _each(atom, signs) if 0 in signs and len(signs) > 1 else 0 not in signs


def _each(atom: IrreduciblePolynomial, signs: Signs) -> Split:
    return Split(atom, tuple(Signs({sign}) for sign in (1, -1, 0) if sign in signs))


def _free(signs: Sequence[Sign | Product], signs_of: _SignsOf) -> Iterator[Split | bool]:
    """Yield for each sign whether it holds, or the split that decides it."""
    for sign in signs:
        atoms = sign.atoms if isinstance(sign, Product) else (sign.atom,)
        possible, one = [signs_of(atom) for atom in atoms], Sign(atoms[0], sign.sign, sign.strict)
        held = Signs({each for each in _ANY if one.holds(each)})
        values = {prod(each) for each in product(*possible)}
        if values <= held or not values & held:
            yield values <= held
        elif len(atoms) == 1:
            yield Split(atoms[0], tuple(filter(None, (possible[0] & held, possible[0] - held))))
        else:
            yield next(_each(*pair) for pair in zip(atoms, possible, strict=True) if len(pair[1]) > 1)
