"""Cases for the whole domain: those of the open cells, and those of the faces on which none of them is proved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise

from dtmodel.base.errors import InputError
from dtmodel.derive.algebra.clock import now
from dtmodel.derive.algebra.consequences import Facts, Sign
from dtmodel.derive.algebra.number import Field, LimitError, Polynomial, Ratio, in_ring
from dtmodel.derive.algebra.open_set import Arena, IrreduciblePolynomial, Literal
from dtmodel.derive.algebra.reals import simplest_between
from dtmodel.derive.search.paths import (
    Cell,
    FamilyProblem,
    Limits,
    Solved,
    SymbolicExploration,
    example_of,
    explore_cells,
)
from dtmodel.derive.search.regions import Regions, bounded, closures_covered, describe_groups
from dtmodel.derive.search.roots import answers_at, roots_of


@dataclass
class Solution:
    """The cases of a problem, the open parts, the statistics, and the open cells.

    `uncovered`: zeros of an atom (None: elsewhere) without a case: ``sat`` if so somewhere, else ``unknown``.
    """

    cases: list[Solved] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    uncovered: list[tuple[Sign | None, str]] = field(default_factory=list)
    paths: int = 0
    cells: int = 0
    answers: int = 0
    questions: int = 0
    found: SymbolicExploration | None = None


def solve(problem: FamilyProblem, limits: Limits, deadline: float, depth: int = 3) -> tuple[Solution, Facts]:
    """Find the cases of a problem and of its faces, which have at most `depth` equalities."""
    found = explore_cells(problem, limits, deadline)
    regions, closed = _regions(found)
    solution = Solution(open=[*found.open, *regions.open], paths=found.paths, cells=len(found.cells))
    solution.found = found
    solution.answers = len({cell.key for cell in found.cells})
    facts = found.facts
    faces = Faces(problem, facts, limits, deadline, depth, solution)
    whole = set[object]()
    for signs, cell, proved in regions.cases:
        case = Solved(tuple(signs), cell.answers, example_of(found, cell))
        if proved or found.open:  # with open parts, each cell is its own case
            solution.cases.append(case)
            continue
        parts = faces.separated(case, _inner_atoms(signs, cell, found))
        if not facts.arena.late():
            solution.cases += parts
        elif cell.key not in whole:  # all regions of an answer have the same cells
            whole.add(cell.key)
            solution.cases += _open_cells(cell, found)
    if found.open:
        solution.open.append("faces: not explored, since the open cells are not complete")
    elif not closed and not _complete(solution, facts):
        for alone in (True, False):  # whole faces before their intersections
            atoms = _faces(solution, facts)
            for atom in atoms:
                faces.add(atom, [Sign(other, 0, strict=True) for other in atoms if alone and other is not atom])
            solution.cases = _merge(solution.cases, facts)
            if _complete(solution, facts):
                break
        solution.cases = [case for case in solution.cases if case.rational]  # irrational points stay open
        if not _complete(solution, facts):
            solution.uncovered = [] if facts.arena.late() else _uncovered(solution, facts)
            if facts.arena.late():
                solution.open.append("the cases are not proved to cover the domain")
    found.cases = solution.cases
    solution.questions += found.arena.calls
    if (solution.open or solution.uncovered) and now() > deadline:
        solution.open.insert(0, "the limit of seconds was reached" if now() < math.inf else "interrupted")
    return solution, facts


def _regions(found: SymbolicExploration) -> tuple[Regions, bool]:
    """Return the regions of the answers, and whether the closures of all cells are known to lie in them."""
    groups = describe_groups(found)
    regions = bounded(groups, found)
    if not found.continuous or found.open or _covered([signs for signs, *_ in regions.cases], found.facts):
        return regions, False
    for cell in found.cells:
        cell.needed, cell.limits = cell.fewest
    regions = bounded(groups, found, wide=True)
    return regions, closures_covered(regions, found)


def _complete(solution: Solution, facts: Facts) -> bool:
    return _covered([case.signs for case in solution.cases], facts)


def _covered(cases: Sequence[Sequence[Sign]], facts: Facts) -> bool:
    return not facts.arena.late() and (facts.covered([], cases) or facts.outside([], cases) == "unsat")


def _uncovered(solution: Solution, facts: Facts) -> list[tuple[Sign | None, str]]:
    """Return the zeros of atoms that may not be covered, with the solver's answer; None stands for other points."""
    cases = [case.signs for case in solution.cases]
    zeros = [Sign(atom, 0, strict=False) for atom in _faces(solution, facts)]
    inside = [zero.negation for zero in zeros]
    parts = [(zero, facts.outside([zero], cases)) for zero in zeros]
    return [(zero, why) for zero, why in [*parts, (None, facts.outside(inside, cases))] if why != "unsat"]


def _faces(solution: Solution, facts: Facts) -> list[IrreduciblePolynomial]:
    atoms = {atom.number: atom for atom in facts.borders()}
    atoms |= {sign.atom.number: sign.atom for case in solution.cases for sign in case.signs if sign.strict}
    return list(atoms.values())


@dataclass
class Faces:
    """The faces of a problem, each of which is solved once."""

    problem: FamilyProblem
    facts: Facts
    limits: Limits
    deadline: float
    depth: int
    solution: Solution
    solved: dict[int, list[Solved] | None] = field(default_factory=dict)

    def cases(self, atom: IrreduciblePolynomial) -> list[Solved] | None:
        """Return the cases of the face on which an atom is 0; None if it is not solved."""
        if atom.number not in self.solved:
            self.solved[atom.number] = self._cases(atom)
        return self.solved[atom.number]

    def _cases(self, atom: IrreduciblePolynomial) -> list[Solved] | None:
        if not self.depth or now() > self.deadline:
            return None
        try:
            parts = face_of(self.problem, atom, self.facts)
        except ZeroDivisionError:  # a symbol of the family would have no value
            return None
        return [case for part in parts for case in self._lifted(part, atom)] if parts else self._at_roots(atom)

    def _at_roots(self, atom: IrreduciblePolynomial) -> list[Solved] | None:
        """Return the cases of a face that consists of a few irrational points; None for other faces, or at a limit."""
        problem, equality = self.problem, Sign(atom, 0, strict=False)
        if len(problem.ring.names) != 2:
            return None
        symbol, found = problem.ring.symbols[1], roots_of(atom.poly, problem)
        between = [simplest_between(*pair) for pair in pairwise(found)]
        cases = []
        for place, root in enumerate(found):
            beside = [(above, 1) for above in between[:place][-1:]] + [(below, -1) for below in between[place:][:1]]
            signs = [equality]
            for limit, sign in beside:
                turn, ((limiting, _),) = self.facts.arena.factored((symbol - limit).top)
                signs.append(Sign(limiting, sign * turn, strict=True))
            try:
                answers = answers_at(root, problem, self.limits)
            except (LimitError, ZeroDivisionError):
                return None
            near = dict(zip(problem.ring.names, (Fraction(1), root.low), strict=True))
            cases.append(Solved(tuple(signs), answers, near, rational=False))
        return cases

    def _lifted(self, part: FacePart, atom: IrreduciblePolynomial) -> list[Solved]:
        try:
            inner, _ = solve(part.problem, self.limits, self.deadline, self.depth - 1)
        except InputError:  # the part is outside the domain
            return []
        self.solution.paths += inner.paths
        self.solution.questions += inner.questions
        signs = [Sign(atom, 0, strict=False), *part.signs]
        return [_lifted(case, signs, self.facts.arena, part.eliminated, part.value) for case in inner.cases]

    def add(self, atom: IrreduciblePolynomial, beside: Sequence[Sign]) -> None:
        """Add the cases of a face, if it is not covered where the signs `beside` hold."""
        part, cases = [Sign(atom, 0, strict=False), *beside], self.solution.cases
        if self.facts.arena.late() or self.facts.impossible(part, [case.signs for case in cases]):
            return
        others = [case.signs for case in cases]
        cases += [case for case in self.cases(atom) or [] if not self.facts.impossible(case.signs, others)]

    def separated(self, case: Solved, atoms: Sequence[IrreduciblePolynomial]) -> list[Solved]:
        """Divide a case by the atoms on whose zeros inside it the case's answers are not proved."""
        if not atoms or self.facts.arena.late():
            return [case]
        atom, *rest = atoms
        inside = (*case.signs, Sign(atom, 0, strict=False))
        if self.facts.impossible(inside) or self._alike(case, inside, self.cases(atom)):
            return self.separated(case, rest)
        parts = [self._part(case, Sign(atom, sign, strict=True)) for sign in (1, -1)]
        return [each for part in parts for each in self.separated(part, rest) if not self.facts.impossible(part.signs)]

    def _part(self, case: Solved, sign: Sign) -> Solved:
        """Return the part of a case where a sign holds, with a point in it."""
        found, signs, arena = self.solution.found, (*case.signs, sign), self.facts.arena
        inside = [Literal(each.atom, each.sign) for each in signs if each.sign]
        wide = [[*cell.literals, *inside] for cell in (found.cells if found else ()) if cell.answers == case.answers]
        place = next((p for ask in (False, True) for each in wide
                      if not ask or arena.ask(each) == "sat" for p in arena.points_of(each)), None)  # fmt: skip
        point = case.example if place is None else dict(zip(arena.ring.names, arena.points[place], strict=True))
        return replace(case, signs=signs, example=point)

    def _alike(self, case: Solved, inside: Sequence[Sign], found: Sequence[Solved] | None) -> bool:
        if not found or not self.facts.impossible(inside, [other.signs for other in found]):
            return False
        return all(_same(case, other, [*inside, *other.signs], self.facts) for other in found)


def _open_cells(cell: Cell, found: SymbolicExploration) -> list[Solved]:
    """Return the cells with the answers of one, each without its boundary, which is not proved."""
    borders = [Sign(atom, 1, strict=True) for atom in found.facts.borders()]
    return [
        Solved(
            (*(Sign(*literal, True) for literal in other.literals), *borders), other.answers, example_of(found, other)
        )
        for other in found.cells
        if other.key == cell.key
    ]


def _inner_atoms(signs: Sequence[Sign], cell: Cell, found: SymbolicExploration) -> list[IrreduciblePolynomial]:
    """Return the atoms that separate the cells of a case."""
    group = [other for other in found.cells if other.key == cell.key]
    atoms = {literal.atom.number: literal.atom for other in group for literal in other.literals}
    decided = {sign.atom.number for sign in (*signs, *found.facts.always)}
    return [atom for number, atom in atoms.items() if number not in decided]


@dataclass(frozen=True)
class FacePart:
    """A part of a face, where `signs` hold, with one symbol (`eliminated`) as a function (`value`) of the others."""

    problem: FamilyProblem
    eliminated: str
    value: Ratio
    signs: tuple[Sign, ...]


def face_of(problem: FamilyProblem, atom: IrreduciblePolynomial, facts: Facts) -> list[FacePart]:
    """Express one symbol (of low degree) by the others where an atom is 0; two parts if the slope's sign is open."""
    degrees = [list(map(int, other.poly.degrees())) for other in facts.arena.atoms]
    found = []
    for place, degree in enumerate(atom.poly.degrees()):
        if degree == 1:
            content, factors = facts.arena.factored(atom.poly.derivative(place))
            unknown = [(factor, power) for factor, power in factors if not (factor.known and facts.positive(factor))]
            if len(unknown) < 2 and all(power % 2 for _, power in unknown):
                highest = max(each[place] for each in degrees)
                found.append((len(unknown), highest, len(factors), place, content, unknown))
    if not found:
        return []
    *_, place, content, unknown = min(found, key=lambda each: each[:4])
    choices = [(Sign(unknown[0][0], sign, strict=True),) for sign in (1, -1)] if unknown else [()]
    return [_part(problem, atom, place, signs, content) for signs in choices]


def _part(
    problem: FamilyProblem, atom: IrreduciblePolynomial, place: int, signs: tuple[Sign, ...], content: int
) -> FacePart:
    ring, name = problem.ring, problem.ring.names[place]
    turn = content * (signs[0].sign if signs else 1)  # the sign of the slope
    slope = atom.poly.derivative(place) * turn
    smaller = Field([other for other in ring.names if other != name])
    into = {other: smaller.symbol(other) for other in smaller.names}
    rest = ring.ratio(slope * ring.symbol(name).top - atom.poly * turn, slope)
    value = rest.replaced(into, smaller)
    into[name] = value
    values = {symbol: whole.replaced(into, smaller) for symbol, whole in problem.values.items()}
    given = [*problem.bounds, *((sign.atom.poly * sign.sign, sign.strict) for sign in signs)]
    bounds = [(Ratio(ring, poly, ring.one).replaced(into, smaller), strict) for poly, strict in given]
    if not value.top.is_zero():
        bounds.append((value, name not in problem.weak))
    polys = tuple((ratio.top * ratio.bottom, strict) for ratio, strict in bounds)
    own = replace(problem, ring=smaller, values=values, weak=problem.weak - {name}, bounds=polys)
    return FacePart(own, name, value, signs)


def _lifted(case: Solved, beside: Sequence[Sign], arena: Arena, eliminated: str, value: Ratio) -> Solved:
    """Convert a case of a part of a face to a case of the whole domain."""
    signs = list(beside)
    for sign in case.signs:
        content, ((atom, _),) = arena.factored(in_ring(sign.atom.poly, arena.ring))
        signs.append(Sign(atom, sign.sign * content, sign.strict))
    answers = {
        key: None
        if ratio is None
        else arena.ring.ratio(in_ring(ratio.top, arena.ring), in_ring(ratio.bottom, arena.ring))
        for key, ratio in case.answers.items()
    }
    point = dict(case.example)
    point[eliminated] = value.at([point[name] for name in value.field.names])
    return Solved(tuple(signs), answers, point)


def _merge(cases: list[Solved], facts: Facts) -> list[Solved]:
    """Extend cases to boundaries on which they have the same answers, and drop the cases that become superfluous."""
    merged = list(cases)
    for index, case in enumerate(cases):
        if facts.arena.late():
            return merged
        others = merged[:index] + merged[index + 1 :]
        for sign in [sign for sign in case.signs if sign.strict and sign.sign]:
            merged[index] = _widened(merged[index], sign, others, facts)
    for case in sorted(merged, key=lambda case: -sum(not sign.sign for sign in case.signs)):
        if facts.arena.late() or all(sign.sign for sign in case.signs):
            continue
        others = [other for other in merged if other is not case]
        if facts.impossible(case.signs, [o.signs for o in others]):
            merged = others
    return [replace(case, signs=tuple(s for s in case.signs if not facts.simply((), s))) for case in merged]


def _widened(case: Solved, sign: Sign, others: Sequence[Solved], facts: Facts) -> Solved:
    """Return the case with a weaker sign, if other cases have its answers on all that this adds."""
    equality = Sign(sign.atom, 0, strict=False)
    added = [equality if other is sign else other for other in case.signs]
    if facts.arena.late() or not facts.impossible(added, [other.signs for other in others]):
        return case
    for other in others:
        if not _same(case, other, [*added, *other.signs], facts):
            return case
    return replace(case, signs=tuple(s._replace(strict=False) if s is sign else s for s in case.signs))


def _same(case: Solved, other: Solved, signs: Sequence[Sign], facts: Facts) -> bool:
    """Return True if two cases have equal answers wherever the signs hold."""
    if all(case.answers[key] == other.answers[key] for key in case.answers):
        return all(a is None or _never_zero(a.bottom, signs, facts) for a in case.answers.values())
    if facts.impossible(signs):
        return True
    for key, first in case.answers.items():
        second = other.answers[key]
        if first is None or second is None:
            if first is not second:
                return False
        elif not _never_zero(first.bottom, signs, facts) or not facts.impossible(signs, nonzero=(first - second).top):
            return False
    return True


def _never_zero(poly: Polynomial, signs: Sequence[Sign], facts: Facts) -> bool:
    _, factors = facts.arena.factored(poly)
    return all(
        (atom.known and facts.positive(atom)) or facts.impossible([*signs, Sign(atom, 0, strict=False)])
        for atom, _ in factors
    )
