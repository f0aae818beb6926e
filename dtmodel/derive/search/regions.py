"""From cells to cases: the fewest regions in which each answer holds, proved equal to the cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Any

from dtmodel.derive.algebra.consequences import Facts, Sign
from dtmodel.derive.algebra.number import Polynomial
from dtmodel.derive.algebra.open_set import IrreduciblePolynomial, Literal
from dtmodel.derive.search.paths import Cell, SymbolicExploration
from dtmodel.derive.search.symbolic_trajectory import (
    asked_alone,
    certifiable,
    common_ratios,
    nonzero_atoms,
    trajectories_of,
)

Described = tuple[list[Cell], list[list[Literal]]]
_PER_CELL = 24
_ROUNDS = 12


@dataclass
class Regions:
    """The cases of a theorem, in inner symbols.

    `cases` (list of (list of Sign, Cell, bool)): the region of an answer, a cell with the answer, and whether it is
    proved on the zeros of atoms, too. `open`: the parts that are not proved.
    """

    cases: list[tuple[list[Sign], Cell, bool]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)


def describe_groups(found: SymbolicExploration) -> list[Described]:
    """Group the cells by their answers, and describe each group up to sets without volume."""
    groups: dict[Any, list[Cell]] = defaultdict(list)
    for cell in found.cells:
        groups[cell.key].append(cell)
    learner = _Learner(found, found.facts)
    return [
        (group, learner.describe(group, [cell for cell in found.cells if cell.key != group[0].key]))
        for group in groups.values()
    ]


def bounded(groups: Sequence[Described], found: SymbolicExploration, *, wide: bool = False) -> Regions:
    """Return the region of each answer with the proved part of its boundary; `wide`: with as much of it as possible."""
    result, facts = Regions(), found.facts
    if found.cells and not found.continuous:
        _keep_trajectories(found)
    for group, conjunctions in groups:
        described = conjunctions
        proved = [_with_boundary(each, group, found, wide=wide) for each in described]
        if facts.guards and None in proved:  # only the cells then imply the strict bounds of the domain
            described, proved = [cell.literals for cell in group], [None] * len(group)
        for conjunction, closed in zip(described, proved, strict=True):
            signs = closed
            if signs is None:
                signs = [Sign(literal.atom, literal.sign, True) for literal in conjunction]
                signs += [Sign(atom, 1, True) for atom in facts.borders()]
                signs += [sign._replace(strict=True) for sign in facts.always if not sign.strict]
            result.cases.append((signs, _cell_in(conjunction, group, facts), closed is not None))
    return result


def _cell_in(conjunction: Sequence[Literal], group: Sequence[Cell], facts: Facts) -> Cell:
    """Return a cell whose sample point lies in the conjunction."""
    held = facts.arena.held(conjunction)
    return next((cell for cell in group if held >> facts.arena.points_of(cell.literals)[0] & 1), group[0])


def _keep_trajectories(found: SymbolicExploration) -> None:
    """Record for each cell the atoms that must not be 0 for its trajectory on boundaries, where limits do not help.

    These are all atoms if a trajectory does not state what the memory of the policy compares.
    """
    if not certifiable(found):
        for cell in found.cells:
            cell.needed = cell.limits = {literal.atom for literal in cell.literals}
        return
    needed: list[set[IrreduciblePolynomial]] = [set() for _ in found.cells]
    for ask in found.problem.family.asks:
        own = asked_alone(ask, found)
        each = trajectories_of(own)
        common = common_ratios(own, each)
        for cell, trajectory, atoms in zip(own.cells, each, needed, strict=True):
            atoms |= set(nonzero_atoms(trajectory, cell.answers, common, own))
    for cell, atoms in zip(found.cells, needed, strict=True):
        cell.needed = cell.limits = atoms


def closed_cell(cell: Cell, facts: Facts) -> list[Sign]:
    """Return the signs where the answers of a cell hold, its boundary included: `needed` atoms must not be 0."""
    signs = [Sign(atom, sign, atom in cell.needed) for atom, sign in cell.literals]
    decided = {sign.atom.number for sign in signs}
    for atom in cell.needed:
        if atom.number not in decided and atom.known and not facts.positive(atom):
            signs.append(Sign(atom, atom.known, True))
    return signs


def _with_boundary(
    conjunction: Sequence[Literal], group: Sequence[Cell], found: SymbolicExploration, *, wide: bool
) -> list[Sign] | None:
    """Extend a region by the part of its boundary that is proved."""
    facts = found.facts
    if facts.arena.late():
        return None
    cells = [closed_cell(cell, facts) for cell in group]
    needed = [{atom.number for atom in cell.needed} for cell in group]
    limits = {atom.number for cell in group for atom in cell.limits}
    everything = {literal.atom.number for literal in conjunction}
    extra = [Sign(a, a.known, True) for a in set.union(*(c.limits for c in group)) if a.known and not facts.positive(a)]
    always = set.intersection(*needed) & limits

    def held(strict: set[int], beside: Sequence[Sign]) -> list[Sign] | None:
        signs = [*(Sign(atom, sign, atom.number in strict) for atom, sign in conjunction), *beside]
        by_limits = found.continuous and _by_limits(signs, group, facts)
        shown = not facts.arena.late() and (by_limits or facts.covered(signs, cells))
        return signs if shown else None

    for strict in (always, always | (limits & everything), set.union(*needed), everything):
        shared = _shared(conjunction, group, facts) if wide and strict == always and not facts.guards else []
        for beside in [[], *filter(None, (extra, shared))]:
            signs = held(strict, beside)
            for number in (strict & everything) - always if signs is not None and wide else ():
                less = held(strict - {number}, beside)
                if less is not None:
                    strict, signs = strict - {number}, less  # noqa: PLW2901 - as much of the boundary as is proved
            if signs is not None:
                return signs
    return None


def _shared(conjunction: Sequence[Literal], group: Sequence[Cell], facts: Facts) -> list[Sign]:
    """Return the signs that all cells of a group have beside a conjunction, without those that the others imply."""
    common = set.intersection(*(set(cell.literals) for cell in group)) - set(conjunction)
    beside = [Sign(*literal, False) for literal in group[0].literals if literal in common]
    return _independent(beside, [Sign(*literal, False) for literal in conjunction], facts)


def _independent(signs: list[Sign], known: Sequence[Sign], facts: Facts) -> list[Sign]:
    """Return the signs that do not follow from known ones and from each other."""
    for sign in sorted(signs, key=lambda sign: -len(sign.atom.poly)):
        rest = [other for other in signs if other is not sign]
        if not facts.arena.late() and facts.simply([*known, *rest], sign):
            signs = rest
    return signs


def closures_covered(regions: Regions, found: SymbolicExploration) -> bool:
    """Return True if the closures of all cells lie in proved regions, which then cover the domain.

    The cells cover the open set of the domain up to zeros of atoms. If each point of the domain is a limit of points of
    this set, it is one of points of a single cell, since there are finitely many.
    """
    proved = [(signs, cell.key) for signs, cell, proved in regions.cases if proved]

    def inside(cell: Cell) -> bool:
        own = (signs for signs, key in proved if key == cell.key)
        return any(all(_on_closure(sign, cell, found.facts) for sign in signs) for signs in own)

    limits = not found.open and _grow_together(found.facts.always, found.facts)
    return limits and all(map(inside, found.cells))


def _on_closure(sign: Sign, cell: Cell, facts: Facts) -> bool:
    """Return True if a sign holds at all limits of points of a cell; a strict one must not become 0 there."""
    if sign.strict:
        return facts.follows([Sign(*literal, False) for literal in cell.literals], sign)
    inside = [Sign(*literal, True) for literal in cell.literals]
    return facts.simply(inside, sign) or facts.arena.ask([*cell.literals, Literal(sign.atom, -sign.sign)]) == "unsat"


def _by_limits(signs: Sequence[Sign], group: Sequence[Cell], facts: Facts) -> bool:
    """Return True if the answers hold in a region as limits of those inside, since runs are continuous in the symbols.

    Every point of the region must be a limit of points inside: there is a direction in which all conditions that may be
    equalities grow, those of the domain included. The atoms that the limits need must not be 0.
    """
    if not _grow_together([*signs, *facts.always], facts):
        return False
    limits = {atom.number: atom for cell in group for atom in cell.limits}
    return all(_nonzero(atom, signs, facts) for atom in limits.values())


def _grow_together(signs: Sequence[Sign], facts: Facts) -> bool:
    """Return True if raising or lowering some symbols makes every term that may be 0 grow, and none fall."""
    weak = [*(sign.atom.poly * sign.sign for sign in signs if not sign.strict), *facts.guards]
    growing: set[int] = set()
    for place, name in enumerate(facts.arena.ring.names):
        for turn in (1, -1) if name not in facts.weak else (1,):
            slopes = [poly.derivative(place) * turn for poly in weak]
            if all(c > 0 for slope in slopes for c in slope.coeffs()):
                growing |= {i for i, s in enumerate(slopes) if not s.is_zero() and _surely_positive(s, facts)}
    return len(growing) == len(weak)


def _surely_positive(poly: Polynomial, facts: Facts) -> bool:
    if any(c < 0 for c in poly.coeffs()):
        return False
    return all(facts.positive(atom) for atom, _ in facts.arena.factored(poly)[1])


def _nonzero(atom: IrreduciblePolynomial, signs: Sequence[Sign], facts: Facts) -> bool:
    if atom.known:
        return facts.positive(atom) or facts.follows(signs, Sign(atom, atom.known, True))
    return any(facts.follows(signs, Sign(atom, sign, True)) for sign in (1, -1))


class _Learner:
    """Finds the smallest conjunctions from sample points, and proves them."""

    def __init__(self, found: SymbolicExploration, facts: Facts) -> None:
        self.arena, self.facts, self.all_found = found.arena, facts, not found.open
        pool = {literal.atom.number: literal.atom for cell in found.cells for literal in cell.literals}
        always = {sign.atom.number for sign in facts.always}
        self.pool = sorted(
            (atom for atom in pool.values() if atom.number not in always),
            key=lambda atom: (len(atom.poly), atom.poly.total_degree(), atom.number),
        )
        for cell in found.cells:
            seeds = self.arena.points_of(cell.literals)
            self.arena.search(cell.literals, seeds, max(0, _PER_CELL - len(seeds)))

    def describe(self, group: Sequence[Cell], others: Sequence[Cell]) -> list[list[Literal]]:
        """Return conjunctions whose union is the group's cells up to sets without volume.

        If some cells are missing, points outside the known cells may belong to them: each cell is then its own region.
        """
        if not self.all_found:
            each = [_independent([Sign(*one, True) for one in cell.literals], (), self.facts) for cell in group]
            return [[Literal(sign.atom, sign.sign) for sign in signs] for signs in each]
        for _ in range(_ROUNDS):
            if self.arena.late():
                break
            inside, outside = ([self.arena.held(cell.literals) for cell in cells] for cells in (group, others))
            learned = self._learn(group, inside, reduce(or_, outside, 0))
            known = len(self.arena.points)
            if self._proved(learned, group, others):
                return learned
            if len(self.arena.points) == known:
                break
        return [list(cell.literals) for cell in group]

    def _learn(self, group: Sequence[Cell], inside: Sequence[int], outside: int) -> list[list[Literal]]:
        left, held = reduce(or_, inside), self.arena.held
        single = self._smallest(left, outside)
        if single is not None:
            return [single]
        learned: list[list[Literal]] = []
        for cell, points in zip(group, inside, strict=True):
            if not left & points:
                continue
            conjunction = [literal for literal in cell.literals if literal.atom in self.pool]
            for literal in sorted(conjunction, key=lambda lit: -self.pool.index(lit.atom)):
                shorter = [other for other in conjunction if other is not literal]
                if not held(shorter) & outside:
                    conjunction = shorter
            learned.append(conjunction)
            left &= ~held(conjunction)
        return learned

    def _smallest(self, inside: int, outside: int) -> list[Literal] | None:
        """Return the fewest literals that hold at all points inside; each point outside violates one of them."""
        if not outside:
            return []
        candidates: list[tuple[Literal, int]] = []
        for literal in (Literal(atom, sign) for atom in self.pool for sign in (1, -1)):
            held = self.arena.held([literal])
            if not inside & ~held and outside & ~held:
                candidates.append((literal, outside & ~held))
        for size in (1, 2, 3):
            for chosen in combinations(candidates[:40], size):
                if reduce(or_, [excluded for _, excluded in chosen]) == outside:
                    return [literal for literal, _ in chosen]
        picked: list[Literal] = []
        while outside:
            best = max(candidates, key=lambda c: (c[1] & outside).bit_count(), default=None)
            if best is None or not best[1] & outside:
                return None
            picked.append(best[0])
            outside &= ~best[1]
        return picked

    def _proved(self, learned: Sequence[Sequence[Literal]], group: Sequence[Cell], others: Sequence[Cell]) -> bool:
        """Prove that the conjunctions contain the group's cells and meet no other; a refutation adds a sample point."""
        for cell in group:
            if self.arena.late() or not any(self._inside(cell, conjunction) for conjunction in learned):
                return False
        pairs = ((cell, conjunction) for cell in others for conjunction in learned)
        return all(not self.arena.late() and self._apart(*pair) for pair in pairs)

    def _inside(self, cell: Cell, conjunction: Sequence[Literal]) -> bool:
        premises = [Sign(atom, sign, True) for atom, sign in cell.literals]
        for literal in conjunction:
            if self.facts.simply(premises, Sign(*literal, True)):
                continue
            if self.arena.ask([*cell.literals, Literal(literal.atom, -literal.sign)]) != "unsat":
                return False
        return True

    def _apart(self, cell: Cell, conjunction: Sequence[Literal]) -> bool:
        signs = {atom.number: sign for atom, sign in cell.literals}
        if any(signs.get(atom.number, sign) != sign for atom, sign in conjunction):
            return True
        premises = [Sign(atom, sign, True) for atom, sign in cell.literals]
        for literal in conjunction:
            if self.facts.simply(premises, Sign(literal.atom, -literal.sign, True)):
                return True
        return self.arena.ask([*cell.literals, *conjunction]) == "unsat"
