"""Why a derived theorem holds on boundaries, too: all signs that its conditions can have, 0 included, gone through.

The trajectory of a cell obeys the model on the boundary of the cell as well, where the denominators in it and what must
be positive for a loss are not 0. Elsewhere, as where there are no steady ports, the family of the face on which
something is 0 has cells of its own. So each set of signs that can be belongs to a cell of which all conditions are at
least 0; and the theorem is right there, if the answers of each case that can hold are those of the cell there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any

from dtmodel.derive.arena import IrreduciblePolynomial, Literal
from dtmodel.derive.facts import Facts, Product, Sign
from dtmodel.derive.number import Ratio
from dtmodel.derive.refutation import refutation

if TYPE_CHECKING:
    from dtmodel.derive.explore import Solved

_NODES = 200
_QUESTIONS = 8

Table = dict[int, int]
"""Signs of atoms, by their numbers."""
_Answers = Mapping[str, Ratio | None]
_SignOf = Callable[[IrreduciblePolynomial], int | None]


@dataclass(frozen=True)
class Closed:
    """A cell: its conditions, atoms that must not be 0, its answers, and whether its trajectory is shown.

    `zero`: the atom that is 0 on the face in which the cell lies.
    """

    signs: Sequence[Sign]
    needed: Sequence[IrreduciblePolynomial]
    answers: Mapping[str, Ratio | None]
    shown: bool
    zero: IrreduciblePolynomial | None = None


@dataclass
class Closure:
    """The walk through all signs.

    `face`: returns the cells of the face on which an atom is 0; they come to `cells` where no other cell is left.
    `apart` (list of (signs, reason)): signs that cannot hold together: a sum that shows it, or ``"smt"``. `tree`:
    ``["split", atom, {sign: tree}]``, or what a set of signs comes to: ``["apart", number]``, ``["cell", number, number
    of the case, why other cases that hold say the same]``, ``["left out", number]``, ``["open"]``. `complete`: whether
    the walk came to its end.
    """

    facts: Facts
    cells: list[Closed]
    cases: Sequence[Solved]
    face: Callable[[IrreduciblePolynomial], Sequence[Closed]]
    apart: list[tuple[Sequence[tuple[IrreduciblePolynomial, int]], Any]] = field(default_factory=list)
    nodes: int = 0
    questions: int = 0

    def __post_init__(self) -> None:
        """Begin with what the domain says."""
        self._clauses: list[frozenset[tuple[int, int]]] = []
        always = self.facts.always
        self._weak = {sign.atom.number: sign.sign for sign in always if not sign.strict}
        self._faces: set[int] = set()
        table, points = dict[int, int](), self.facts.arena.rounded
        for atom, sign, _ in (sign for sign in always if sign.strict):
            table[atom.number] = sign
            points = self._moved(points, table, atom)
        self.tree = self._walk(table, points)

    @property
    def complete(self) -> bool:
        """Whether the walk came to its end."""
        return self.nodes <= _NODES

    def _moved(self, points: Any, table: Table, atom: IrreduciblePolynomial) -> Any:
        return self.facts.arena.moved(points, table, atom, self.facts.weak)

    def _walk(self, table: Table, points: Any) -> list[Any]:
        """Go through all signs that can be beside those of a table; `points`: where these are, as far as is known."""
        self.nodes += 1
        if not self.complete or self.facts.arena.late():
            return ["open"]
        decided = self._decided(table)
        if not isinstance(decided, IrreduciblePolynomial):
            return decided
        each = {}
        for sign in self._possible(decided):
            wider = {**table, decided.number: sign}
            there = self._moved(points, wider, decided)
            excluded = None if len(there) else self._excluded(wider)
            each[sign] = self._walk(wider, there) if excluded is None else ["apart", excluded]
        return ["split", decided, each]

    def _decided(self, table: Table) -> IrreduciblePolynomial | list[Any]:
        """Return what signs come to, or an atom of which the sign matters."""
        sign = self._sign(table)
        for number, cell in enumerate(self._cells(table)):
            if cell.zero is not None and sign(cell.zero) != 0:
                continue
            free = list(_free(cell.signs, sign))
            free += [self._zero(atom, sign) for atom in (() if False in free else cell.needed)]
            if False in free:
                continue
            atoms = [atom for atom in free if isinstance(atom, IrreduciblePolynomial)]
            if atoms:
                return atoms[0]
            if not cell.shown:
                return ["left out", number]
            settled = self._case(cell, sign)
            if settled is not None:
                return settled if isinstance(settled, IrreduciblePolynomial) else ["cell", number, *settled]
        return ["open"]

    def _cells(self, table: Table) -> Iterator[Closed]:
        """Yield all cells, and where they are not enough those of the faces on which something is 0."""
        yield from self.cells
        for number in [number for number, sign in table.items() if not sign and number not in self._faces]:
            self._faces.add(number)
            found = self.face(self.facts.arena.atoms[number])
            self.cells += found
            yield from found

    def _case(self, cell: Closed, sign: _SignOf) -> IrreduciblePolynomial | list[Any] | None:
        """Return the case that holds where a cell does, or an atom that is to be known first; None: not shown."""
        held, waiting, others = None, None, list[Any]()
        for number, case in enumerate(self.cases):
            free = list(_free(case.signs, sign))
            if False in free:
                continue
            atoms = [atom for atom in free if isinstance(atom, IrreduciblePolynomial)]
            if case.answers != cell.answers:
                alike = atoms[0] if atoms else self._alike(case.answers, cell.answers, sign)
                if not isinstance(alike, list):
                    return alike
                others.append([number, alike])
            if atoms:
                waiting = waiting or atoms[0]
            elif held is None:
                held = number
        return waiting if held is None else [held, others]

    def _alike(self, case: _Answers, cell: _Answers, sign: _SignOf) -> IrreduciblePolynomial | list[Any] | None:
        """Return for each answer of a case what is 0 and by which the difference to that of a cell can be divided.

        An atom, if its sign decides; None, if the answers differ.
        """
        shown = []
        for key, mine in case.items():
            its = cell[key]
            if mine is None or its is None:
                if mine is not its:
                    return None
                continue
            factored = self.facts.arena.factored
            top = mine.top * its.bottom - its.top * mine.bottom
            zeros = [] if top.is_zero() else [atom for atom, _ in factored(top)[1] if sign(atom) == 0]
            nonzero = [self._zero(atom, sign) for atom, _ in factored(mine.bottom)[1]]
            if False in nonzero or not (zeros or top.is_zero()):
                return None
            unknown = [atom for atom in nonzero if isinstance(atom, IrreduciblePolynomial)]
            if unknown:
                return unknown[0]
            shown.append([key, zeros[0].poly, top / zeros[0].poly] if zeros else [key, top, top])
        return shown

    def _zero(self, atom: IrreduciblePolynomial, sign: _SignOf) -> IrreduciblePolynomial | bool:
        """Tell whether an atom is not 0; itself, if that is not known."""
        value = sign(atom)
        return atom if value is None else value != 0

    def _sign(self, table: Table) -> _SignOf:
        def sign(atom: IrreduciblePolynomial) -> int | None:
            return atom.known if atom.known and self.facts.positive(atom) else table.get(atom.number)

        return sign

    def _possible(self, atom: IrreduciblePolynomial) -> tuple[int, ...]:
        known = atom.known or self._weak.get(atom.number, 0)
        return (known, 0) if known else (1, -1, 0)

    def _excluded(self, table: Table) -> int | None:
        """Return which signs are shown by a sum not to hold together, of those that there are."""
        signs = set(table.items())
        for number, clause in enumerate(self._clauses):
            if clause <= signs:
                return number
        atoms, facts = self.facts.arena.atoms, self.facts
        each = [Literal(atoms[number], sign) for number, sign in table.items()]
        given = [(atom.poly * (sign or 1), ">" if sign else "=") for atom, sign in each]
        before = facts.arena.calls
        found = refutation(given, facts.weak, facts.arena, ask=self.questions < _QUESTIONS)
        self.questions += facts.arena.calls > before
        return None if found is None else self._keep([each[place] for place in found.places], found.parts or "smt")

    def _keep(self, clause: Sequence[tuple[IrreduciblePolynomial, int]], how: Any) -> int:
        self._clauses.append(frozenset((atom.number, sign) for atom, sign in clause))
        self.apart.append((clause, how))
        return len(self.apart) - 1


def _free(signs: Sequence[Sign | Product], sign_of: _SignOf) -> Iterator[IrreduciblePolynomial | bool]:
    """Yield for each sign whether it holds; an atom that is to be known for that, if it is not known."""
    for sign in signs:
        atoms = sign.atoms if isinstance(sign, Product) else (sign.atom,)
        values = [sign_of(atom) for atom in atoms]
        if 0 not in values and None in values:
            yield atoms[values.index(None)]
        else:
            yield Sign(atoms[0], sign.sign, sign.strict).holds(prod(value or 0 for value in values))
