"""Certificates of derived theorems: the symbolic trajectory of each open cell, and proofs of its inequalities.

``proofs/check_certificates.py`` verifies them with the standard library alone. It rebuilds the inequalities from the
trajectory, in the order of `Trajectory.goals`. Each inequality is proved by the signs of its factors, and each factor
by its coefficients, or by a sum of products of conditions that contradicts the opposite sign.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from dtmodel.base import extras, units
from dtmodel.base.errors import InputError
from dtmodel.derive.algebra.consequences import Product, Sign
from dtmodel.derive.algebra.number import Key, Polynomial, Ratio, factors_of, fraction_at, in_ring, key_of
from dtmodel.derive.algebra.open_set import IrreduciblePolynomial, Literal
from dtmodel.derive.algebra.refutation import Summand, refutation
from dtmodel.derive.search.boundaries import face_of
from dtmodel.derive.search.cases import grade_of
from dtmodel.derive.search.closure import Closed, Closure
from dtmodel.derive.search.family import LONG_RUN
from dtmodel.derive.search.paths import Limits, Solved, example_of, explore_cells
from dtmodel.derive.search.phases import Law, Trajectory
from dtmodel.derive.search.symbolic_trajectory import (
    asked_alone,
    certifiable,
    common_ratios,
    counter_settings,
    nonzero_atoms,
    sojourns_of,
    trajectories_of,
    value_of,
)

if TYPE_CHECKING:
    from dtmodel.derive.search.cases import DerivedCase, grade_of
    from dtmodel.derive.search.paths import Cell, SymbolicExploration

_NODES = 4000


def has_certificate(found: SymbolicExploration) -> bool:
    """Return True if a certificate states the policy and the questions; it does not state shares of the long run."""
    return certifiable(found) and not any(ask.kind in LONG_RUN for ask in found.problem.family.asks)


def derived_certificate(found: SymbolicExploration, seconds: float, said: Sequence[DerivedCase] = ()) -> dict[str, Any]:
    """Return the certificate of an exploration, with its own cases or with stated ones.

    `DerivedTheorem.certificate` documents its contents. Raises `InputError` if there are no cells or the policy is of
    another form, and `ExtraError` without scipy.
    """
    if not found.cells:
        raise InputError("theorem", "no case", "a theorem with cases")
    if several := next((ask for ask in found.problem.family.asks if ask.others), None):
        raise InputError("ask", list(several.queues), "questions about one class, for a certificate")
    if share := next((ask.kind for ask in found.problem.family.asks if ask.kind in LONG_RUN), None):
        raise InputError("ask", share, "questions that are not about the long run alone, for a certificate")
    if found.cyclic:
        raise InputError("ask", "steady", "lengths that settle, for a certificate: here they repeat a cycle")
    if not found.problem.family.policy.certifiable:
        accepted = "limits that are one expression each, for a certificate: here the least of several may bind"
        raise InputError("policy.limits", found.problem.family.document["policy"]["limits"], accepted)
    if not has_certificate(found):
        accepted = "a policy that certificates have: thresholds reserve + min(alpha F, cap), complete sharing or EDT"
        raise InputError("policy.name", found.problem.family.policy.name, accepted)
    extras.need("scipy")
    found.arena.deadline = time.monotonic() + seconds
    if said:
        found = replace(found, cases=[here for case in said for here in _said(case, found)])
    each = [_certificate(asked_alone(ask, found)) for ask in found.problem.family.asks]
    return each[0] if len(each) == 1 else {"kind": "derived", "questions": each}


def stands_alone(certificate: Mapping[str, Any]) -> bool:
    """Return True if a certificate proves all of a theorem, boundaries included, without a solver."""
    if "questions" in certificate:
        return all(map(stands_alone, certificate["questions"]))
    closure, covering = certificate["closure"], certificate["coverage"]
    if closure is None or covering is None or any(each["how"] == "smt" for each in (*covering, *closure["apart"])):
        return False
    waiting = [closure["tree"]]
    while waiting:
        kind, *rest = waiting.pop()
        if kind in {"open", "left out"}:
            return False
        waiting += [below for _, below in rest[1]] if kind == "split" else []
    return True


def _said(case: DerivedCase, found: SymbolicExploration) -> Iterator[Solved]:
    """Yield a stated case in the symbols of the cells, unless a condition is a false relation between numbers."""
    ring, domain, signs = found.problem.ring, found.problem.domain, list[Any]()
    for condition in case.when:
        ratio, relation = domain.normalised(Ratio(domain.outer, condition.poly, domain.outer.one)), condition.relation
        poly = in_ring(ratio.top * ratio.bottom, ring)
        sign, factors = (0, ()) if poly.is_zero() else found.arena.factored(poly)
        atoms = [atom for atom, power in factors for _ in range(2 - power % 2)]
        if atoms:
            turn = 0 if relation in {"==", "!="} else sign
            signs.append(Product(tuple(atoms), turn, strict=relation in {">", "!="}))
        elif not {">": sign > 0, ">=": sign >= 0, "==": sign == 0, "!=": sign != 0}[relation]:
            return
    answers = dict[str, Ratio | None]()
    for key, answer in case.answers.items():
        inner = None if answer is None else domain.normalised(answer, grade_of(key))
        answers[key] = None if inner is None else Ratio(ring, in_ring(inner.top, ring), in_ring(inner.bottom, ring))
    yield Solved(tuple(signs), answers, {})


def _certificate(found: SymbolicExploration) -> dict[str, Any]:
    family, trajectories = found.problem.family, trajectories_of(found)
    settings, sojourns, (ask,) = counter_settings(found), sojourns_of(found), family.asks
    laws = [replace(law, alpha=None) if sojourns else law for law in trajectories[0].laws]
    shown = list(_shown(found, trajectories, found))
    late = [f"cell {number}" for number, each in enumerate(shown) if found.arena.late() and not each.closed.shown]
    complete = not found.open and not found.facts.guards
    coverage = _coverage(found) if complete else None
    late += ["coverage"] if found.arena.late() else []
    closure, on_faces, faces = _closure(found, trajectories, shown) if complete else (None, [], [])
    late += ["closure"] if found.arena.late() else []
    return {
        "kind": "derived",
        "units": list(found.problem.domain.units),
        "symbols": list(found.problem.ring.names[1:]),
        "domain": [_poly(sign.atom.poly * sign.sign, found) for sign in found.facts.always],
        "buffer": _ratio(value_of(family.buffer, found), found),
        "counters": settings
        and {key: None if v is None else _ratio(v, found) for key, v in vars(settings).items() if key != "buffer"},
        "sojourns": sojourns
        and {
            "which": family.policy.values["normalisation"],
            "alpha": _ratio(value_of(family.policy.values["alpha"], found), found),
            "times": [_ratio(time, found) for time in sojourns],
        },
        "classes": [
            {key: None if v is None else _ratio(v, found) for key, v in vars(law).items() if key != "arrivals"}
            | {"arrivals": [[_ratio(each, found) for each in piece] for piece in law.arrivals]}
            for law in laws
        ],
        "question": ask.kind,
        "asked": ask.queue,
        **{
            name: None if time is None else _ratio(value_of(time, found), found)
            for name, time in (("at", ask.time), ("until", family.until))
        },
        "cells": [*(each.document for each in shown if each.closed.shown), *on_faces],
        "faces": faces,
        "left_out": [each.document["conditions"] for each in shown if not each.closed.shown],
        "coverage": coverage,
        "closure": closure,
        "undecided": late,
    }


class _Shown(NamedTuple):
    """A cell in three forms: as written, as `Closure` uses it, and its denominators."""

    document: dict[str, Any]
    closed: Closed
    bottoms: list[Polynomial]


def _shown(
    found: SymbolicExploration,
    trajectories: Sequence[Trajectory],
    whole: SymbolicExploration,
    zero: IrreduciblePolynomial | None = None,
    beside: Sequence[IrreduciblePolynomial] = (),
) -> Iterator[_Shown]:
    """Yield each cell of an exploration: of the whole domain, or of a face (`zero` is 0, atoms `beside` are not)."""
    arena, borders = whole.arena, [Sign(atom, 1, strict=True) for atom in whole.facts.borders()]
    common = common_ratios(found, trajectories)

    def lifted(poly: Polynomial) -> Polynomial:
        return in_ring(poly, arena.ring)

    for cell, trajectory in zip(found.cells, trajectories, strict=True):
        reasons = _Reasons(cell, found)
        document = _cell(cell, trajectory, reasons, found)
        shown = "smt" not in document["proofs"]
        needed = [atom.poly for atom in nonzero_atoms(trajectory, cell.answers, common, found)] if shown else []
        atoms = [atom for poly in (*needed, *reasons.needed) for atom, _ in arena.factored(lifted(poly))[1]]
        atoms += beside
        signs = [Sign(zero, 0, strict=False)] if zero else []
        for atom, sign in cell.literals:
            same, turned = arena.atom(lifted(atom.poly))
            signs.append(Sign(same, sign * turned, strict=not shown))
        answers = {
            key: None if a is None else arena.ring.ratio(lifted(a.top), lifted(a.bottom))
            for key, a in cell.answers.items()
        }
        bottoms = [lifted(ratio.bottom) for ratio in (*common, *trajectory.ratios(cell.answers))]
        yield _Shown(document, Closed([*signs, *(() if shown else borders)], atoms, answers, shown, zero), bottoms)


def _closure(
    found: SymbolicExploration, trajectories: Sequence[Trajectory], shown: Sequence[_Shown]
) -> tuple[dict[str, Any] | None, list[Any], list[Any]]:
    """Prove the theorem on boundaries; return the proof, the cells of faces that it uses, and the faces.

    The proof is None if it takes too many steps.
    """
    facts = found.facts
    more, faces = list[_Shown](), list[dict[str, Any]]()

    def on_face(zero: IrreduciblePolynomial) -> list[Closed]:
        face = _face(zero, trajectories[0].laws, found)
        if face is None:
            return []
        document, explored, its, beside = face
        each = [one for one in _shown(explored, its, found, zero, beside) if one.closed.shown]
        for one in each:
            one.document["face"] = len(faces)
        faces.append(document)
        more.extend(each)
        return [one.closed for one in each]

    closure = Closure(facts, [each.closed for each in shown], found.cases, on_face)
    if not closure.complete:
        return None, [], []
    used = set(closure.used())
    on_faces = [(number, each) for number, each in enumerate(more, len(shown)) if number in used]
    held = sorted({each.document["face"] for _, each in on_faces})
    for _, each in on_faces:
        each.document["face"] = held.index(each.document["face"])
    numbers = {n: sum(other.closed.shown == each.closed.shown for other in shown[:n]) for n, each in enumerate(shown)}
    inside = sum(each.closed.shown for each in shown)
    numbers |= {number: place for place, (number, _) in enumerate(on_faces, inside)}
    bottoms = [poly for each in (*shown, *(each for _, each in on_faces)) for poly in each.bottoms]
    bottoms += [answer.bottom for case in found.cases for answer in case.answers.values() if answer is not None]
    document = {
        "weak": sorted(facts.weak),
        "strict": [sign.strict for sign in facts.always],
        "denominators": [_factors(poly, found) for poly in {key_of(poly): poly for poly in bottoms}.values()],
        "cases": [
            {
                "when": [[_product(sign, found), sign.sign != 0, sign.strict] for sign in case.signs],
                "answers": {key: None if a is None else _ratio(a, found) for key, a in case.answers.items()},
            }
            for case in found.cases
        ],
        "apart": [
            {
                "signs": [[_poly(atom.poly, found), sorted(its)] for atom, its in signs],
                "how": how if how == "smt" else {"from": _sum(how, found)},
            }
            for signs, how in closure.apart
        ],
        "tree": _tree(closure.tree, numbers, found),
    }
    return document, [each.document for _, each in on_faces], [faces[place] for place in held]


def _face(
    zero: IrreduciblePolynomial, laws: Sequence[Law], found: SymbolicExploration
) -> tuple[dict[str, Any], SymbolicExploration, list[Trajectory], list[IrreduciblePolynomial]] | None:
    """Explore the face on which an atom is 0, and return it with its conditions; None if that is not possible."""
    try:
        parts = face_of(found.problem, zero, found.facts)
        if len(parts) != 1:  # no part, or two with opposite signs of a slope
            return None
        problem, name, value = parts[0].problem, parts[0].eliminated, parts[0].value
        explored = explore_cells(problem, Limits(expiries=found.problem.ring.expiries), found.arena.deadline)
        if not explored.cells or explored.cyclic:
            return None
        explored = asked_alone(explored.problem.family.asks[0], explored)
        its, ring = trajectories_of(explored), problem.ring
        queues, left = found.problem.family.queues, explored.problem.family.queues
        kept = [k for k, queue in enumerate(queues) if any(queue is other for other in left)]
        into = {other: ring.symbol(other) for other in ring.names} | {name: value}
        for k, law in zip(kept, its[0].laws, strict=True):
            if [ratio.replaced(into, ring) for ratio in laws[k].ratios()] != list(law.ratios()):
                return None  # the policy is a different one on the face
    except (InputError, ZeroDivisionError):  # the face is outside the domain, or a symbol has no value
        return None
    numbers = [*common_ratios(found, ()), *(ratio for k in kept for ratio in laws[k].ratios())]
    bottoms = [in_ring(value.bottom, found.problem.ring), *(ratio.bottom for ratio in numbers)]
    atoms = dict.fromkeys(atom for poly in bottoms for atom, _ in found.arena.factored(poly)[1])
    beside = [atom for atom in atoms if not (atom.known and found.facts.positive(atom))]
    return {"symbol": name, "value": _ratio(value, explored), "kept": kept}, explored, its, beside


def _tree(tree: list[Any], numbers: Mapping[int, int], found: SymbolicExploration) -> list[Any]:
    """Write the tree of signs; cells are numbered by their place among the shown or the omitted ones."""
    kind, *rest = tree
    if kind == "split":
        atom, each = rest
        below = [[sorted(signs), _tree(its, numbers, found)] for signs, its in each.items()]
        return ["split", _poly(atom.poly, found), below]
    if kind == "cell":
        cell, case, others = rest
        alike = [[n, [[key, _poly(p, found), _poly(q, found)] for key, p, q in each]] for n, each in others]
        return [kind, numbers[cell], case, alike]
    return [kind, numbers[rest[0]]] if kind == "left out" else tree


def _product(sign: Sign | Product, found: SymbolicExploration) -> list[Any]:
    first, *rest = sign.atoms if isinstance(sign, Product) else (sign.atom,)
    return [_poly(first.poly * (sign.sign or 1), found), *(_poly(atom.poly, found) for atom in rest)]


def _factors(poly: Polynomial, found: SymbolicExploration) -> dict[str, Any]:
    content, factors = factors_of(poly)
    each = [[_poly(factor, found), power] for factor, power in factors]
    return {"number": units.plain(content), "factors": each}


def _sum(parts: Sequence[Summand], found: SymbolicExploration) -> list[Any]:
    names = found.problem.ring.names
    return [
        [list(places), str(number), {name: power for name, power in zip(names, monomial, strict=True) if power}]
        for places, number, monomial in parts
    ]


def _coverage(found: SymbolicExploration) -> Any:
    """Prove that every combination of signs of the conditions that is possible is that of a cell.

    Each impossible combination has a sum that excludes it, or ``"smt"``; None if one is not decided. The checker goes
    through all signs in the same order.
    """
    cells = [list(cell.literals) for cell in found.cells]
    domain = [Literal(sign.atom, sign.sign) for sign in found.facts.always]
    apart: dict[frozenset[Literal], Any] = {}
    nodes = 0

    def closed(signs: dict[int, Literal], new: Literal) -> bool:
        """Return True if a new sign contradicts the signs so far."""
        if any(clause <= {new, *signs.values()} for clause in apart):
            return True
        if found.arena.points_of((new, *signs.values())):
            return False
        each = [*signs.values(), new]
        how = refutation([(lit.atom.poly * lit.sign, ">") for lit in each], (), found.arena)
        if how is not None:
            clause = [each[place] for place in how.places]
            apart[frozenset(clause)] = clause, "smt" if how.parts is None else {"from": _sum(how.parts, found)}
        return how is not None

    def covered(signs: dict[int, Literal]) -> bool:
        nonlocal nodes
        nodes += 1
        left = [cell for cell in cells if all(signs.get(lit.atom.number, lit) == lit for lit in cell)]
        if nodes > _NODES or found.arena.late():
            return False
        if not left:
            return False
        free = [literal for literal in left[0] if literal.atom.number not in signs]
        if not free:
            return True
        each = [Literal(free[0].atom, sign) for sign in (1, -1)]
        return all(closed(signs, lit) or covered({**signs, lit.atom.number: lit}) for lit in each)

    if not covered({literal.atom.number: literal for literal in domain}):
        return None

    return [
        {"conditions": [_poly(lit.atom.poly * lit.sign, found) for lit in signs], "how": how}
        for signs, how in apart.values()
    ]


def _poly(poly: Polynomial, found: SymbolicExploration) -> list[Any]:
    names = found.problem.ring.names
    return [
        [units.plain(int(c)), {name: int(p) for name, p in zip(names, powers, strict=False) if p}]
        for powers, c in poly.terms()
    ]


def _ratio(ratio: Ratio, found: SymbolicExploration) -> list[Any]:
    return [_poly(ratio.top, found), _poly(ratio.bottom, found)]


def _cell(cell: Cell, trajectory: Trajectory, reasons: _Reasons, found: SymbolicExploration) -> dict[str, Any]:
    return {
        "conditions": [_poly(literal.atom.poly * literal.sign, found) for literal in cell.literals],
        "ends": trajectory.ends,
        "away": trajectory.away,
        "chosen": trajectory.chosen and trajectory.chosen.place,
        "rising": trajectory.rising(),
        "answers": {key: None if a is None else _ratio(a, found) for key, a in cell.answers.items()},
        "phases": [
            {
                "begin": _ratio(phase.begin, found),
                "free": _ratio(phase.free, found),
                "lengths": [_ratio(length, found) for length in phase.lengths],
                "slopes": [_ratio(slope, found) for slope in phase.slopes],
                "where": list(phase.where),
                "capped": [law.capped(phase.thresholds[k]) for k, law in enumerate(trajectory.laws)],
                "pieces": list(phase.pieces),
                "fraction": None if phase.fraction is None else _ratio(phase.fraction, found),
            }
            | (trajectory.counted.written[number] if trajectory.counted else {})
            for number, phase in enumerate(trajectory.phases)
        ],
        "proofs": [reasons.proof(goal) if goal or not strict else "smt" for goal, strict in trajectory.goals()],
    }


class _Reasons:
    """Proofs of inequalities under some conditions; each factor is proved once."""

    def __init__(self, cell: Cell, found: SymbolicExploration) -> None:
        self.given = [atom.poly * sign for atom, sign in cell.literals]
        self.needed: list[Polynomial] = []  # must not be 0 for proofs where conditions are 0
        self.point = list(example_of(found, cell).values())
        self.found = found
        self._known: dict[Key, dict[str, Any] | None] = {}

    def proof(self, goal: Ratio) -> Any:
        """Prove a goal by the factors of its numerator and denominator; ``"smt"`` if one is not proved."""
        both = [self._product(poly) for poly in (goal.top, goal.bottom)]
        return "smt" if None in both else both

    def _product(self, poly: Polynomial) -> dict[str, Any] | None:
        if poly.is_zero():
            return {"number": "0", "factors": []}
        content, factors = factors_of(poly)
        shown = []
        for factor, power in factors:
            key = key_of(factor)
            if key not in self._known:
                self._known[key] = self._why(factor)
            if self._known[key] is None:
                return None
            shown.append([_poly(factor, self.found), power, self._known[key]])
        return {"number": units.plain(content), "factors": shown}

    def _why(self, factor: Polynomial) -> dict[str, Any] | None:
        """Prove that a factor has the sign that it has at a point of the cell."""
        signs = {1 if c > 0 else -1 for c in factor.coeffs()}
        if len(signs) == 1:
            return {"sign": signs.pop()}
        sign = 1 if fraction_at(factor, self.point) > 0 else -1
        arena, weak, turned = self.found.arena, self.found.facts.weak, factor * -sign
        for relation, may in ((">=", weak), (">", ())):  # some hold only inside, or where some conditions are not 0
            how = refutation([*((poly, relation) for poly in self.given), (turned, ">")], may, arena)
            if how is not None and how.parts is not None:
                parts = [part._replace(places=tuple(how.places[place] for place in part.places)) for part in how.parts]
                self.needed += self._beside(parts)
                return {"sign": sign, "from": _sum(parts, self.found)}
        return None

    def _beside(self, parts: Sequence[Summand]) -> list[Polynomial]:
        """Return the fewest factors that multiply the goal in a sum and may be 0."""
        ring, weak = self.found.problem.ring, self.found.facts.weak
        each = [
            [self.given[place] for place in part.places if place < len(self.given)]
            + [ring.symbol(n).top for n, power in zip(ring.names, part.monomial, strict=True) if power and n in weak]
            for part in parts
            if len(self.given) in part.places
        ]
        return min(each, key=len, default=[])
