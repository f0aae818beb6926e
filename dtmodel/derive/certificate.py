"""Certificates of derived theorems: the symbolic trajectory of each open cell, and why its inequalities hold.

``proofs/check_certificates.py`` verifies them with nothing but the standard library. It makes the inequalities itself
from the trajectory, in the order of `Trajectory.goals`; each is shown by a product of factors, and each factor by its
coefficients, by a condition of the cell, or by an identity with one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from dtmodel import units
from dtmodel.derive.closure import Closed, Closure
from dtmodel.derive.counters import Counted, CounterSettings
from dtmodel.derive.explore import example_of
from dtmodel.derive.facts import Sign
from dtmodel.derive.identity import combination, terms_of
from dtmodel.derive.number import Key, Polynomial, Ratio, factors_of, key_of
from dtmodel.derive.signs import Literal
from dtmodel.derive.trajectory import Chosen, Law, Trajectory, last_away
from dtmodel.errors import InputError

if TYPE_CHECKING:
    from dtmodel.derive.explore import Cell, SymbolicExploration
    from dtmodel.derive.family import Ask

_NODES = 4000
_STEPS = 3


def derived_certificate(found: SymbolicExploration, seconds: float) -> dict[str, Any]:
    """Return the certificate of what was explored; `DerivedTheorem.certificate` says what it holds.

    Raises `InputError` if nothing was found.
    """
    if not found.cells:
        raise InputError("theorem", "no case", "a theorem that says something")
    found.arena.deadline = time.monotonic() + seconds
    each = [_certificate(_about(ask, found)) for ask in found.problem.family.asks]
    return each[0] if len(each) == 1 else {"kind": "derived", "questions": each}


def _about(ask: Ask, found: SymbolicExploration) -> SymbolicExploration:
    """Return what was explored as if nothing else had been asked: cells, cases, and the runs up to the answer."""
    keys = {ask.kind, "free_at_first_drop"} if ask.kind == "first_drop" else {ask.kind}

    def only(answers: Mapping[str, Ratio | None]) -> dict[str, Ratio | None]:
        return {key: answer for key, answer in answers.items() if key in keys}

    def about(cell: Cell) -> Cell:
        seen, answers = cell.observed, only(cell.answers)
        if ask.time is not None:
            last = [phase.begin == _value(ask.time, found) for phase in seen.phases]
        else:
            last = [answers.get("first_drop") is not None and phase.losses[ask.queue] != 0 for phase in seen.phases]
        phases = seen.phases[: last.index(True) + 1] if True in last else seen.phases
        return replace(cell, answers=answers, observed=replace(seen, answers=answers, phases=phases))

    problem = replace(found.problem, family=replace(found.problem.family, asks=(ask,)))
    cases = [replace(case, answers=only(case.answers)) for case in found.cases]
    return replace(found, problem=problem, cells=[about(cell) for cell in found.cells], cases=cases)


def _certificate(found: SymbolicExploration) -> dict[str, Any]:
    """Return the certificate of what was explored about one question."""
    family = found.problem.family
    settings, sojourns, (ask,) = _settings(found), _sojourns(found), family.asks
    each = [list(_laws(cell, found)) for cell in found.cells]
    laws = [replace(law, alpha=None) for law in each[0]] if sojourns else each[0]
    trajectories = [_trajectory(cell, own, ask, settings, found) for cell, own in zip(found.cells, each, strict=True)]
    if sojourns:
        trajectories = [
            replace(trajectory, chosen=_chosen(trajectory.laws, sojourns, family.policy.normalisation, found))
            for trajectory in trajectories
        ]
    shown, undecided = list[dict[str, Any]](), list[str]()
    for number, (cell, trajectory) in enumerate(zip(found.cells, trajectories, strict=True)):
        shown.append(_cell(cell, trajectory, found))
        if found.arena.late() and "smt" in shown[-1]["proofs"]:
            undecided.append(f"cell {number}")
    whole = [cell for cell in shown if "smt" not in cell["proofs"]]
    complete = not found.open and not found.facts.guards
    common = [ratio for own in each for law in own for ratio in law.ratios()] + [_value(family.buffer, found)]
    common += [*sojourns, *(Ratio(time.field, time.bottom, time.top) for time in sojourns)]
    times = [None if term is None else _value(term, found) for term in (ask.time, family.until)]
    common += [time for time in times if time is not None]
    coverage = _coverage(found) if complete else None
    undecided += ["coverage"] if found.arena.late() else []
    closure = _closure(trajectories, common, shown, found) if complete else None
    undecided += ["closure"] if found.arena.late() else []
    return {
        "kind": "derived",
        "units": list(found.problem.domain.units),
        "symbols": list(found.problem.ring.names[1:]),
        "domain": [_poly(sign.atom.poly * sign.sign, found) for sign in found.facts.always],
        "buffer": _ratio(_value(family.buffer, found), found),
        "counters": settings
        and {key: None if v is None else _ratio(v, found) for key, v in vars(settings).items() if key != "buffer"},
        "sojourns": sojourns
        and {
            "which": family.policy.normalisation,
            "alpha": _ratio(_value(family.policy.common["alpha"], found), found),
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
            name: None if time is None else _ratio(time, found)
            for name, time in zip(("at", "until"), times, strict=True)
        },
        "cells": whole,
        "left_out": [cell["conditions"] for cell in shown if "smt" in cell["proofs"]],
        "coverage": coverage,
        "closure": closure,
        "undecided": undecided,
    }


def _sojourns(found: SymbolicExploration) -> list[Ratio]:
    """Return the sojourn times of L2BM's classes if the constant is one of them."""
    policy = found.problem.family.policy
    if policy.normalisation not in {"least", "greatest"}:
        return []
    return [_value(time, found) for time in policy.each["sojourns"]]


def _chosen(laws: Sequence[Law], sojourns: Sequence[Ratio], which: str, found: SymbolicExploration) -> Chosen:
    """Return which sojourn time is the constant of a cell, and what makes it the least or the greatest."""
    alpha = _value(found.problem.family.policy.common["alpha"], found)
    place = next(k for k, time in enumerate(sojourns) if laws[0].alpha == alpha * time / sojourns[0])
    turn = 1 if which == "least" else -1
    return Chosen(place, [((time - sojourns[place]) * turn, False) for time in sojourns])


def _settings(found: SymbolicExploration) -> CounterSettings | None:
    """Return EDT's counting number and timers; None for other policies."""
    family = found.problem.family
    if family.policy.name != "edt":
        return None
    cn2, tm1, tm2 = (None if term is None else _value(term, found) for term in family.policy.common.values())
    return CounterSettings(cast("Ratio", cn2), tm1, tm2, _value(family.buffer, found))


def _closure(
    trajectories: Sequence[Trajectory], common: Sequence[Ratio], shown: Sequence[Any], found: SymbolicExploration
) -> Any:
    """Say why the theorem holds on boundaries, too; None if that takes too many steps."""
    facts = found.facts
    borders = [Sign(atom, 1, strict=True) for atom in facts.borders()]
    denominators = {key_of(ratio.bottom): ratio.bottom for ratio in common}
    cells, numbers = [], []
    for cell, trajectory, document in zip(found.cells, trajectories, shown, strict=True):
        whole = "smt" not in document["proofs"]
        own = [ratio.bottom for ratio in trajectory.ratios(cell.answers)]
        denominators |= {key_of(poly): poly for poly in own}
        polys = [*(ratio.bottom for ratio in common), *own, *trajectory.needed()] if whole else []
        atoms = dict.fromkeys(atom for poly in polys for atom, _ in found.arena.factored(poly)[1])
        needed = [atom for atom in atoms if not (atom.known and facts.positive(atom))]
        signs = [Sign(atom, sign, strict=not whole) for atom, sign in cell.literals]
        cells.append(Closed([*signs, *(() if whole else borders)], needed, cell.answers, whole))
        numbers.append(sum(other.shown == whole for other in cells[:-1]))
    said = [answer for case in found.cases for answer in case.answers.values() if answer is not None]
    denominators |= {key_of(answer.bottom): answer.bottom for answer in said}
    closure = Closure(facts, cells, found.cases)
    if not closure.complete:
        return None
    return {
        "weak": sorted(facts.weak),
        "strict": [sign.strict for sign in facts.always],
        "denominators": [_factors(poly, found) for poly in denominators.values()],
        "cases": [
            {
                "when": [[_poly(s.atom.poly * (s.sign or 1), found), s.sign != 0, s.strict] for s in case.signs],
                "answers": {key: None if a is None else _ratio(a, found) for key, a in case.answers.items()},
            }
            for case in found.cases
        ],
        "apart": [
            {
                "signs": [[_poly(atom.poly, found), sign] for atom, sign in signs],
                "how": how if how == "smt" else {"turn": how["turn"], "from": _sum(how["from"], found)},
            }
            for signs, how in closure.apart
        ],
        "tree": _tree(closure.tree, numbers, found),
    }


def _tree(tree: list[Any], numbers: Sequence[int], found: SymbolicExploration) -> list[Any]:
    """Write what signs come to, cells by their place among those that are shown, or left out."""
    kind, *rest = tree
    if kind == "split":
        atom, each = rest
        return ["split", _poly(atom.poly, found), [[s, _tree(below, numbers, found)] for s, below in each.items()]]
    if kind == "cell":
        cell, case, others = rest
        alike = [[n, [[key, _poly(p, found), _poly(q, found)] for key, p, q in each]] for n, each in others]
        return [kind, numbers[cell], case, alike]
    return [kind, numbers[rest[0]]] if kind == "left out" else tree


def _factors(poly: Polynomial, found: SymbolicExploration) -> dict[str, Any]:
    content, factors = factors_of(poly)
    each = [[_poly(factor, found), power] for factor, power in factors]
    return {"number": units.plain(content), "factors": each}


def _sum(parts: Sequence[Any], found: SymbolicExploration) -> list[Any]:
    names = found.problem.ring.names
    return [
        [place, str(number), {name: power for name, power in zip(names, monomial, strict=True) if power}]
        for place, number, monomial in parts
    ]


def _laws(cell: Cell, found: SymbolicExploration) -> Iterator[Law]:
    """Yield what bounds each class of queues, and what arrives."""
    family, first = found.problem.family, cell.observed
    each = {
        key: [None if term is None else _value(term, found) for term in terms]
        for key, terms in family.policy.each.items()
    }
    nothing: list[Ratio | None] = [None] * len(family.queues)
    pools, static = family.policy.name == "pools", family.policy.name == "static"
    for k, queue in enumerate(family.queues):
        alpha = each["alpha"][k] if pools else first.phases[0].thresholds[k][0]
        yield Law(
            first.counts[k],
            _value(queue.rate or family.rate, found),
            None if static or family.policy.name == "complete" else alpha,
            each.get("reserved", nothing)[k] or found.problem.ring(0),
            each["sizes"][k] if static else each.get("cap", nothing)[k],
            None if queue.initial is None else _value(queue.initial, found),
            [(_value(time, found), _value(rate, found)) for time, rate in queue.arrivals],
        )


def _coverage(found: SymbolicExploration) -> Any:
    """Say which signs cannot hold together, so that all signs of the conditions that can are those of a cell.

    Each with a sum that shows it, or ``"smt"``; None if that is not known either. The checker goes through all signs in
    the same way.
    """
    cells = [list(cell.literals) for cell in found.cells]
    domain = [Literal(sign.atom, sign.sign) for sign in found.facts.always]
    apart: dict[frozenset[Literal], Any] = {}
    solved: list[list[Literal]] = []
    nodes = 0

    def closed(signs: dict[int, Literal], new: Literal) -> bool:
        """Tell whether a new sign cannot hold beside those that there are already."""
        if any(clause <= {new, *signs.values()} for clause in apart):
            return True
        for goal in (new, *signs.values()):
            others = [lit for lit in (new, *signs.values()) if lit is not goal]
            how = _because(goal.atom.poly * -goal.sign, [lit.atom.poly * lit.sign for lit in others], found)
            if how is not None:
                used = [others[place] for place, _, _ in how]
                renamed = [[place, *how[place][1:]] for place in range(len(how))]
                apart[frozenset({goal, *used})] = [goal, *used], renamed
                return True
        return False

    def covered(signs: dict[int, Literal]) -> bool:
        nonlocal nodes
        nodes += 1
        left = [cell for cell in cells if all(signs.get(lit.atom.number, lit) == lit for lit in cell)]
        if nodes > _NODES or found.arena.late():
            return False
        if not left:
            solved.append(list(signs.values()))
            return found.arena.ask(signs.values()) == "unsat"
        free = [literal for literal in left[0] if literal.atom.number not in signs]
        if not free:
            return True
        each = [Literal(free[0].atom, sign) for sign in (1, -1)]
        return all(closed(signs, lit) or covered({**signs, lit.atom.number: lit}) for lit in each)

    if not covered({literal.atom.number: literal for literal in domain}):
        return None

    def written(signs: Sequence[Literal], how: Any) -> dict[str, Any]:
        return {"conditions": [_poly(lit.atom.poly * lit.sign, found) for lit in signs], "how": how}

    shown = [written(signs, {"sign": -1, "from": how}) for signs, how in apart.values()]
    return [*shown, *(written(signs, "smt") for signs in solved)]


def _value(term: Any, found: SymbolicExploration) -> Ratio:
    value: Ratio = found.problem.ring(0) + term.value(found.problem.values)
    return value


def _poly(poly: Polynomial, found: SymbolicExploration) -> list[Any]:
    names = found.problem.ring.names
    return [
        [units.plain(int(c)), {name: int(p) for name, p in zip(names, powers, strict=False) if p}]
        for powers, c in poly.terms()
    ]


def _ratio(ratio: Ratio, found: SymbolicExploration) -> list[Any]:
    return [_poly(ratio.top, found), _poly(ratio.bottom, found)]


def _trajectory(
    cell: Cell, laws: Sequence[Law], ask: Ask, settings: CounterSettings | None, found: SymbolicExploration
) -> Trajectory:
    phases = cell.observed.phases
    until = None if found.problem.family.until is None else _value(found.problem.family.until, found)
    last = "never" if until is None else "until"
    ends = "time" if ask.time is not None else "loss" if cell.answers.get("first_drop") is not None else last
    if ends == "never":
        phases = phases[:-1]  # which lasts as long as one likes
    away = last_away(phases) if ask.kind == "recovered" else None
    if settings is None:
        return Trajectory(phases, laws, ends, ask.queue, until, away)
    point = list(example_of(found, cell).values())
    value, counts, rates = Ratio.at, [law.count for law in laws], [law.rate for law in laws]
    at_end = ask.kind == "threshold" and (until is None or _value(ask.time, found) != until)
    counted = Counted(settings, phases, counts, rates, ends, at_end, lambda ratio: _sign(value(ratio, point)))
    return Trajectory(phases, laws, ends, ask.queue, until, away, counted)


def _sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)


def _cell(cell: Cell, trajectory: Trajectory, found: SymbolicExploration) -> dict[str, Any]:
    conditions = [Sign(atom, sign, strict=True) for atom, sign in cell.literals]
    reasons = _Reasons(conditions, found)
    return {
        "conditions": [_poly(sign.atom.poly * sign.sign, found) for sign in conditions],
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
    """Why inequalities hold where all of some conditions do; each factor is asked about once."""

    def __init__(self, conditions: Sequence[Sign], found: SymbolicExploration) -> None:
        self.given = [sign.atom.poly * sign.sign for sign in (*conditions, *found.facts.always)]
        self.found = found
        self._known: dict[Key, dict[str, Any] | None] = {}

    def proof(self, goal: Ratio) -> Any:
        """Show a goal by the factors of its numerator and denominator; ``"smt"`` where one is not shown."""
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
        """Say why a factor has a sign, or a positive symbol times it."""
        signs = {1 if c > 0 else -1 for c in factor.coeffs()}
        if len(signs) == 1:
            return {"sign": signs.pop()}
        ring, weak = self.found.problem.ring, self.found.facts.weak
        for name in (None, *(name for name in ring.names[1:] if name not in weak)):
            by = ring.one if name is None else ring.symbol(name).top
            for sign in (1, -1):
                how = _because(factor * by * sign, self.given, self.found, _STEPS if name is None else 1)
                if how is not None:
                    return {"sign": sign, "from": how} | ({} if name is None else {"times": name})
        return None


def _because(
    goal: Polynomial, given: Sequence[Polynomial], found: SymbolicExploration, most: int = _STEPS
) -> list[Any] | None:
    """Write a goal as a sum of conditions, times positive monomials, and of terms that are not negative."""
    premises = [terms_of(poly) for poly in given]
    for steps in range(1, most + 1):
        sum_ = combination(terms_of(goal), premises, steps, found.arena.late)
        if sum_ is not None:
            return _sum(sum_, found)
    return None
