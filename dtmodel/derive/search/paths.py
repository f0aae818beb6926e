"""Exploration of all paths of a family through the fluid engine; an undecided comparison splits a path."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.derive.algebra.clock import now, tell
from dtmodel.derive.algebra.consequences import Facts, Sign
from dtmodel.derive.algebra.domain import ONE, Domain, read_domain
from dtmodel.derive.algebra.number import Field, LimitError, Polynomial, Ratio, in_ring
from dtmodel.derive.algebra.open_set import Arena, Literal
from dtmodel.derive.algebra.signs import Choice, SignDecision, SignPath
from dtmodel.derive.algebra.writing import Writer
from dtmodel.derive.search.answers import Observed
from dtmodel.derive.search.cases import grade_of, relation_text
from dtmodel.derive.search.family import Family
from dtmodel.derive.search.run import run_family, without_empty

END = "_end"
_EXPLORING = 0.85  # of the time; the rest is for regions and faces
_CONTRADICTION = "domains that do not contradict one another and leave an open set"


@dataclass(frozen=True)
class Limits:
    """The limits of an exploration.

    - `paths`: the number of paths.
    - `seconds`: the time for everything.
    - `events`: the number of phases in a path.
    - `solver`: the seconds for each question to the solver.
    - `expiries`: the number of times that EDT's timers expire in a path.

    Raises `InputError` if a limit is negative or not a number, or a count is not whole.

    >>> from dtmodel import derive
    >>> theorem = derive({
    ...     "symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "R": ">= 0"},
    ...     "policy": {"name": "dt", "alpha": "alpha"}, "switch": {"buffer": "B", "rate": "C"},
    ...     "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}],
    ... }, Limits(paths=1))
    >>> theorem.complete, theorem.open[0]
    (False, '1 paths that were not followed: the limit of paths or seconds')
    """

    paths: int = 2000
    seconds: float = 300
    events: int = 60
    solver: float = 5
    expiries: int = 3

    def __post_init__(self) -> None:
        for name in ("paths", "events", "expiries"):
            units.count(getattr(self, name), name)
        for name in ("seconds", "solver"):
            if not isinstance(seconds := getattr(self, name), int | float) or not seconds >= 0:
                raise InputError(name, seconds, "a number of seconds of at least 0")


@dataclass
class Cell:
    """An open set of parameters on which all runs take the same path.

    `answers`: for each key a function, or None. `needed`: atoms that must not be 0 for the whole run to have this form
    on the cell's boundary. `limits`: atoms that must not be 0 for the answers there to be the limits of those in the
    cell. `fewest`: both without distances that may be 0 because they grow.
    """

    literals: list[Literal]
    decisions: list[SignDecision | Choice]
    answers: dict[str, Ratio | None]
    observed: Observed
    needed: set[Any]
    limits: set[Any]
    fewest: tuple[set[Any], set[Any]]

    @property
    def key(self) -> tuple[tuple[str, Ratio | None], ...]:
        """The answers, as a key for grouping."""
        return tuple(sorted(self.answers.items()))


@dataclass(frozen=True)
class SymbolsProblem(ABC):
    """Symbols in a ring: on the whole domain, or on a face, where one symbol depends on the others.

    `ring`: the free symbols, and the end. `values`: every symbol as a function of the free ones. `weak`: free symbols
    that may be 0. `bounds` (tuple of (polynomial, strict)): further polynomials that are positive (strict) or
    nonnegative.
    """

    domain: Domain
    ring: Field
    values: Mapping[str, Ratio]
    weak: frozenset[str]
    bounds: tuple[tuple[Polynomial, bool], ...]

    @property
    @abstractmethod
    def continuous(self) -> bool:
        """True if runs depend continuously on the symbols."""


@dataclass(frozen=True)
class DeclaredProblem(SymbolsProblem):
    """Declared symbols in a ring, without runs."""

    @property
    def continuous(self) -> bool:
        """True: answers are functions."""
        return True


@dataclass(frozen=True)
class FamilyProblem(SymbolsProblem):
    """A family with its symbols in a ring."""

    family: Family

    @property
    def continuous(self) -> bool:
        """True if runs depend continuously on the symbols, which EDT's counters and timers prevent."""
        return self.family.policy.continuous and not self.family.steady


@dataclass(frozen=True)
class Solved:
    """A case in inner symbols: its signs, its answers, and a point in it, or near it if it has no `rational` one."""

    signs: tuple[Sign, ...]
    answers: Mapping[str, Ratio | None]
    example: Mapping[str, Fraction]
    rational: bool = True


@dataclass
class SymbolicExploration:
    """The cells, the open parts, and the cases of the theorem that is made from them."""

    problem: FamilyProblem
    arena: Arena
    facts: Facts
    cells: list[Cell] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    paths: int = 0
    cases: Sequence[Solved] = ()

    @property
    def continuous(self) -> bool:
        """True if runs depend continuously on the symbols."""
        return self.problem.continuous

    @property
    def cyclic(self) -> bool:
        """True if some run repeats a cycle for ever."""
        return any(cell.observed.period for cell in self.cells)


def read_problem(family: Family, *others: Family) -> FamilyProblem:
    """Write the symbols of a family, and of families to compare it with, in slacks and units."""
    families = (family, *others)
    graded = [pair for each in families for pair in each.graded()]
    slopes = [e.text for e, grade in graded if grade == (-1, 0, 1)]
    units = [text for each in families for text in (each.buffer.text, each.rate.text)]
    counts = [count for each in families for count in each.lumps]
    symbols = {name: relations for each in families for name, relations in each.symbols.items()}
    domain = read_domain(symbols, graded, list(dict.fromkeys(units)), list(dict.fromkeys(slopes)), counts)
    return FamilyProblem(**vars(declared_problem(domain)), family=family)


def declared_problem(domain: Domain) -> DeclaredProblem:
    """Write the symbols of a domain in its slacks and units; raise `InputError` if declarations are contradictory."""
    ring = Field([END, *domain.inner.names])
    into = {name: ring.symbol(name) for name in domain.inner.names}
    values = {name: value.replaced(into, ring) for name, value in domain.inside().items()}
    bounds = []
    for relation in domain.hypotheses:
        difference = relation.left.value(values) - relation.right.value(values) + ring(0)
        whole = difference.top * difference.bottom * (-1 if relation.sign in {"<", "<="} else 1)
        if not any(c > 0 for c in whole.coeffs()):
            raise InputError(relation.right.field, f"{relation.sign} {relation.right.text}", _CONTRADICTION)
        bounds.append((whole, relation.sign in {"<", ">"}))
    weak = frozenset(name for name in ring.names if domain.weak(name))
    return DeclaredProblem(domain, ring, values, weak, tuple(bounds))


def domain_facts(problem: SymbolsProblem, limits: Limits, deadline: float) -> Facts:
    """Return the facts of a problem's domain; raise `InputError` if they are contradictory."""
    arena = Arena(problem.ring, limits.solver, fixed=frozenset({END}), deadline=deadline)
    always, guards = _bounds(problem, arena)
    hypotheses = [Literal(sign.atom, sign.sign) for sign in always]
    if not arena.points_of(hypotheses) and arena.ask(hypotheses) == "unsat":
        raise InputError("symbols", literal_text(problem.domain, hypotheses), _CONTRADICTION)
    return Facts(arena, problem.weak, always, guards)


def explore_cells(problem: FamilyProblem, limits: Limits, deadline: float) -> SymbolicExploration:
    """Follow every path of a family."""
    problem = replace(problem, family=without_empty(problem.family, problem.values))
    ring, facts = problem.ring, domain_facts(problem, limits, deadline)
    ring.expiries = limits.expiries
    arena, guards = facts.arena, facts.guards
    hypotheses = [Literal(sign.atom, sign.sign) for sign in facts.always]
    result = SymbolicExploration(problem, arena, facts)
    begin = now()
    enough = begin + _EXPLORING * (deadline - begin)
    stack: list[list[SignDecision | Choice]] = [[]]
    while stack:
        if result.paths >= limits.paths or now() > enough:
            result.open.append(f"{len(stack)} paths that were not followed: the limit of paths or seconds")
            break
        path = SignPath(arena, stack.pop(), hypotheses)
        result.paths += 1
        ring.sign, ring.earliest = _judge(path, ring), _chooser(path, ring)
        try:
            if all(path.sign(guard) > 0 for guard in guards):
                end, one = ring.symbol(END), problem.values[ONE]
                observed = run_family(problem.family, problem.values, ring, end, one, limits.events, limits.expiries)
                if path.alive or (answer := arena.ask(path.literals)) == "sat":
                    result.cells.append(_cell(path, observed, arena))
                elif answer == "unknown":
                    result.open.append("a cell in which no point is known")
        except LimitError as error:
            result.open.append(str(error))
        except ZeroDivisionError:  # a question about a class without queues
            result.open.append("a run in which something is shared among no queues")
        stack += path.alternatives
        tell(result.paths, result.paths + len(stack), partial(_answers_text, result))
        for wanted in path.open:
            result.open.append(
                f"undecided: {literal_text(problem.domain, wanted[-1:])} beside {len(wanted) - 1} other signs"
            )
    result.open = list(dict.fromkeys(result.open))
    return result


def _judge(path: SignPath, ring: Field) -> Any:
    """Return a function for the signs of polynomials on a path; the end is later than everything."""
    return lambda poly: path.sign(_far(poly, ring))


def _far(poly: Polynomial, ring: Field) -> Polynomial:
    """Return a polynomial with the sign that a polynomial has if the end is late enough."""
    highest = int(poly.degrees()[0])
    if not highest:
        return poly
    terms = {(0, *map(int, powers[1:])): c for powers, c in poly.terms() if int(powers[0]) == highest}
    return ring.context.from_dict(terms)


def _chooser(path: SignPath, ring: Field) -> Any:
    """Return a function for the earliest of some times on a path."""
    return lambda differences: path.earliest([[_far(poly, ring) for poly in row] for row in differences])


def _bounds(problem: SymbolsProblem, arena: Arena) -> tuple[list[Sign], list[Polynomial]]:
    """Return the facts of the domain beside the slacks: signs of atoms, and products of several that may be 0."""
    signs, guards = [], []
    for poly, strict in problem.bounds:
        if poly.is_zero() and not strict:  # on a face
            continue
        sign, factors = arena.factored(poly)
        unknown = [atom for atom, power in factors if power % 2 and not atom.known]
        zeros = [atom for atom, _ in factors if not (atom.known and arena.positive(atom, problem.weak))]
        for atom, power in factors:
            sign *= atom.known if power % 2 and atom.known else 1
        if len(unknown) == 1 and (strict or zeros == unknown):
            signs.append(Sign(unknown[0], sign, strict))
        elif unknown or (sign < 0 and zeros and not strict):  # if one factor is 0, the others may have any sign
            guards.append(poly)
        elif sign < 0:
            raise InputError("symbols", str(poly), _CONTRADICTION)
    return signs, guards


def _cell(path: SignPath, observed: Observed, arena: Arena) -> Cell:
    kept = [term for term, rate in observed.first if rate is None or not _grows(path, rate)]
    all_, few = (_nonzero(observed, first, arena) for first in ([term for term, _ in observed.first], kept))
    return Cell(path.literals, path.decisions, observed.answers, observed, *all_, few)


def _grows(path: SignPath, rate: Ratio) -> bool:
    """Return True if the signs on a path imply that a rate is positive, or if it is always 0."""
    return not rate or path.known_sign(_far(rate.top * rate.bottom, path.arena.ring)) > 0


def _nonzero(observed: Observed, first: Sequence[Ratio], arena: Arena) -> tuple[set[Any], set[Any]]:
    """Return the atoms that must not be 0 for the form of a whole run, and those for its answers."""
    answers = [answer for answer in observed.answers.values() if answer is not None]
    lasting = [ratio for phase in observed.phases for ratio in (phase.begin, phase.free, *phase.lengths)]
    start = [ratio.top for ratio in (*first, *observed.needed)]
    for_good = observed.answers.get("recovered", 0) is None  # not only beyond the limits of all breakpoints
    return (
        _factors(arena, [*start, *(ratio.bottom for ratio in lasting)]),
        _factors(arena, [*start, *(ratio.bottom for ratio in (lasting if for_good else answers))]),
    )


def _factors(arena: Arena, polys: Sequence[Polynomial]) -> set[Any]:
    known = [_far(poly, arena.ring) for poly in polys if not poly.is_zero()]
    return {atom for poly in known for atom, _ in arena.factored(poly)[1]}


def example_of(found: SymbolicExploration, cell: Cell) -> dict[str, Fraction]:
    """Return a point inside a cell."""
    place = found.arena.points_of(cell.literals)[0]  # every cell was found at a point
    return dict(zip(found.arena.ring.names, found.arena.points[place], strict=True))


def _answers_text(found: SymbolicExploration) -> str:
    """Write the answers of the newest cell; empty without a cell, or on a face, whose symbols are others."""
    domain = found.problem.domain
    if not found.cells or set(found.arena.ring.names) != {END, *domain.inner.names}:
        return ""
    writer, said = Writer(domain), list[str]()
    for key, value in found.cells[-1].answers.items():
        parts = None if value is None else (in_ring(value.top, domain.inner), in_ring(value.bottom, domain.inner))
        restored = parts and domain.restore_ratio(Ratio(domain.inner, *parts), grade_of(key))
        said.append(f"{key} = {writer.ratio(restored) if restored else 'never' if parts is None else 0}")
    return ", ".join(said)


def literal_text(domain: Domain, literals: Sequence[Literal]) -> str:
    """Write literals for a message."""
    return " and ".join(relation_text(domain, atom.poly * sign, ">") for atom, sign in literals)
