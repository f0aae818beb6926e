"""Certificates of derived theorems: the symbolic trajectory of each open cell, and why its inequalities hold.

``proofs/check_certificates.py`` verifies them with nothing but the standard library. It makes the inequalities itself
from the trajectory, in the order of `_Trajectory.goals`; each is shown by a product of factors, and each factor by its
coefficients, by a condition of the cell, or by an identity with one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from dtmodel import units
from dtmodel.derive.closure import Closed, Closure
from dtmodel.derive.counters import Counted, CounterSettings
from dtmodel.derive.explore import example_of
from dtmodel.derive.facts import Sign
from dtmodel.derive.identity import combination, terms_of
from dtmodel.derive.number import Key, Polynomial, Ratio, factors_of, key_of
from dtmodel.derive.signs import Literal
from dtmodel.errors import InputError

if TYPE_CHECKING:
    from dtmodel.derive.explore import Cell, SymbolicExploration
    from dtmodel.derive.family import Ask
    from dtmodel.derive.run import Phase

_NODES = 4000
_STEPS = 3


def derived_certificate(found: SymbolicExploration) -> dict[str, Any]:
    """Return the certificate of what was explored; `DerivedTheorem.certificate` says what it holds.

    Raises
    ------
    InputError
        If the family has several questions, or nothing was found.
    """
    family = found.problem.family
    if len(family.asks) > 1:
        raise InputError("ask", [ask.kind for ask in family.asks], "one question")
    if not found.cells:
        raise InputError("theorem", "no case", "a theorem that says something")
    settings, sojourns, (ask,) = _settings(found), _sojourns(found), family.asks
    each = [list(_laws(cell, found)) for cell in found.cells]
    laws = [replace(law, alpha=None) for law in each[0]] if sojourns else each[0]
    trajectories = [_trajectory(cell, own, ask, settings, found) for cell, own in zip(found.cells, each, strict=True)]
    if sojourns:
        trajectories = [
            replace(trajectory, chosen=_chosen(trajectory.laws, sojourns, family.policy.normalisation, found))
            for trajectory in trajectories
        ]
    shown = [_cell(cell, trajectory, found) for cell, trajectory in zip(found.cells, trajectories, strict=True)]
    whole = [cell for cell in shown if "smt" not in cell["proofs"]]
    complete = not found.open and not found.facts.guards
    common = [ratio for own in each for law in own for ratio in law.ratios()] + [_value(family.buffer, found)]
    common += [*sojourns, *(Ratio(time.field, time.bottom, time.top) for time in sojourns)]
    times = [None if term is None else _value(term, found) for term in (ask.time, family.until)]
    common += [time for time in times if time is not None]
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
        "coverage": _coverage(found) if complete else None,
        "closure": _closure(trajectories, common, shown, found) if complete else None,
    }


def _sojourns(found: SymbolicExploration) -> list[Ratio]:
    """Return the sojourn times of L2BM's classes if the constant is one of them."""
    policy = found.problem.family.policy
    if policy.normalisation not in {"least", "greatest"}:
        return []
    return [_value(time, found) for time in policy.each["sojourns"]]


def _chosen(laws: Sequence[_Law], sojourns: Sequence[Ratio], which: str, found: SymbolicExploration) -> _Chosen:
    """Return which sojourn time is the constant of a cell, and what makes it the least or the greatest."""
    alpha = _value(found.problem.family.policy.common["alpha"], found)
    place = next(k for k, time in enumerate(sojourns) if laws[0].alpha == alpha * time / sojourns[0])
    turn = 1 if which == "least" else -1
    return _Chosen(place, [((time - sojourns[place]) * turn, False) for time in sojourns])


def _settings(found: SymbolicExploration) -> CounterSettings | None:
    """Return EDT's counting number and timers; None for other policies."""
    family = found.problem.family
    if family.policy.name != "edt":
        return None
    cn2, tm1, tm2 = (None if term is None else _value(term, found) for term in family.policy.common.values())
    return CounterSettings(cast("Ratio", cn2), tm1, tm2, _value(family.buffer, found))


def _closure(
    trajectories: Sequence[_Trajectory], common: Sequence[Ratio], shown: Sequence[Any], found: SymbolicExploration
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


def _laws(cell: Cell, found: SymbolicExploration) -> Iterator[_Law]:
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
        yield _Law(
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
        if nodes > _NODES:
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
    cell: Cell, laws: Sequence[_Law], ask: Ask, settings: CounterSettings | None, found: SymbolicExploration
) -> _Trajectory:
    phases = cell.observed.phases
    until = None if found.problem.family.until is None else _value(found.problem.family.until, found)
    last = "never" if until is None else "until"
    ends = "time" if ask.time is not None else "loss" if cell.answers.get("first_drop") is not None else last
    if ends == "never":
        phases = phases[:-1]  # which lasts as long as one likes
    away = _away(phases) if ask.kind == "recovered" else None
    if settings is None:
        return _Trajectory(phases, laws, ends, ask.queue, until, away)
    point = list(example_of(found, cell).values())
    value, counts, rates = Ratio.at, [law.count for law in laws], [law.rate for law in laws]
    at_end = ask.kind == "threshold" and (until is None or _value(ask.time, found) != until)
    counted = Counted(settings, phases, counts, rates, ends, at_end, lambda ratio: _sign(value(ratio, point)))
    return _Trajectory(phases, laws, ends, ask.queue, until, away, counted)


def _sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)


def _cell(cell: Cell, trajectory: _Trajectory, found: SymbolicExploration) -> dict[str, Any]:
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


def _away(phases: Sequence[Phase]) -> list[int] | None:
    """Return the last phase that begins with other lengths than at time 0, and a class that has another."""
    first = phases[0].lengths
    apart = [[k for k, q in enumerate(phase.lengths) if q != first[k]] for phase in phases]
    return next(([i, apart[i][0]] for i in range(len(phases) - 1, -1, -1) if apart[i]), None)


@dataclass(frozen=True)
class _Law:
    """A class of queues: its threshold is reserve + min(alpha F, cap); without both the buffer alone bounds it."""

    count: Ratio
    rate: Ratio
    alpha: Ratio | None
    reserve: Ratio
    cap: Ratio | None
    initial: Ratio | None
    arrivals: Sequence[tuple[Ratio, Ratio]]

    def ratios(self) -> Iterator[Ratio]:
        """Yield all numbers of the class."""
        yield from (each for each in (self.count, self.rate, self.alpha, self.reserve, self.cap, self.initial) if each)
        yield from chain.from_iterable(self.arrivals)

    def capped(self, threshold: tuple[Ratio, Ratio]) -> bool:
        """Tell whether a threshold (slope, offset) is reserve + cap."""
        return self.cap is not None and (self.alpha is None or threshold[0].top.is_zero())

    def margins(self, phase: Phase, k: int, free: Ratio, length: Ratio, unit: int) -> Iterator[Ratio]:
        """Yield what stays at least 0 while class k lies as in a phase; with the unit 0: how fast each grows."""
        capped, where = self.capped(phase.thresholds[k]), phase.where[k]
        if where == "in its reserve":
            yield length
            yield self.reserve * unit - length
        elif where in {"below", "above"}:
            yield length - self.reserve * unit
            if self.alpha is not None or self.cap is not None:
                slope, offset = phase.thresholds[k]
                room = slope * free + offset * unit - length
                yield room if where == "below" else -room
        if self.alpha is not None and self.cap is not None:
            turn = self.alpha * free - self.cap * unit
            yield turn if capped else -turn


@dataclass(frozen=True)
class _Chosen:
    """Which sojourn time L2BM's constant is in a cell, and why."""

    place: int
    goals: Sequence[tuple[Ratio, bool]]


@dataclass(frozen=True)
class _Trajectory:
    """The phases of a cell; it ends with a loss of the class that is asked about, at a time, the end, or never."""

    phases: Sequence[Phase]
    laws: Sequence[_Law]
    ends: str
    asked: int
    until: Ratio | None
    away: Sequence[int] | None
    counted: Counted | None = None
    chosen: _Chosen | None = None

    def goals(self) -> Iterator[tuple[Ratio, bool]]:
        """Yield what must not be negative, or must be positive, in the order in which the checker makes it."""
        yield from self.chosen.goals if self.chosen else ()
        for phase, after in zip(self.phases, [*self.phases[1:], None], strict=True):
            if after is not None:
                yield after.begin - phase.begin, self.counted is not None
            now = self._margins(phase, phase.free, phase.lengths, 1)
            slopes = self._margins(phase, phase.free_slope, phase.slopes, 0)
            if after is None and self.ends == "loss":
                for value, slope, rising in zip(now, slopes, self.rising(), strict=True):
                    yield value, not rising
                    yield from ((slope, False),) if rising else ()
            else:
                later = slopes if after is None else self._margins(phase, after.free, after.lengths, 1)
                yield from ((value, False) for value in now)
                yield from ((value, False) for value in later if after is not None or self.ends == "never")
            if after is not None or self.ends not in {"time", "until"}:
                yield from self._moves(phase, after)
        yield from self.counted.goals if self.counted else ()
        if self.ends == "loss":
            yield self.phases[-1].losses[self.asked], True
            yield from () if self.until is None else ((self.until - self.phases[-1].begin, True),)
        if self.away is not None:
            last, k = self.away
            apart = self.phases[last].lengths[k] - self.phases[0].lengths[k]
            yield apart * apart, True
            yield self.laws[k].count, True

    def rising(self) -> list[bool]:
        """Return what is not shown to be positive when the loss begins, since it is seen not to fall."""
        phase = self.phases[-1]
        if self.ends != "loss":
            return []
        now = self._margins(phase, phase.free, phase.lengths, 1)
        slopes = self._margins(phase, phase.free_slope, phase.slopes, 0)
        seen = [all(c > 0 for c in (*slope.top.coeffs(), *slope.bottom.coeffs())) for slope in slopes]
        return [value.top.is_zero() or sure for value, sure in zip(now, seen, strict=True)]

    def _margins(self, phase: Phase, free: Ratio, lengths: Sequence[Ratio], unit: int) -> list[Ratio]:
        each = (law.margins(phase, k, free, lengths[k], unit) for k, law in enumerate(self.laws))
        return [free, *chain.from_iterable(each)]

    def _moves(self, phase: Phase, after: Phase | None) -> Iterator[tuple[Ratio, bool]]:
        """Yield that arrivals do not change within a phase, and what makes queues move as they do."""
        if phase.fraction is not None:
            yield phase.fraction, False
            yield 1 - phase.fraction, False
        for k, law in enumerate(self.laws):
            piece = phase.pieces[k]
            if piece >= 0:
                yield phase.begin - law.arrivals[piece][0], False
            if piece + 1 < len(law.arrivals):
                yield law.arrivals[piece + 1][0] - (phase if after is None else after).begin, after is None
            admitted = phase.offered[k] if phase.fraction is None else phase.fraction * phase.offered[k]
            if phase.where[k] == "empty":
                yield law.rate - admitted, False
            elif phase.where[k] == "on":
                yield phase.slopes[k] + law.rate, False
                yield phase.offered[k] - law.rate - phase.slopes[k], False

    def ratios(self, answers: Mapping[str, Ratio | None]) -> Iterator[Ratio]:
        """Yield all that is written of a trajectory and its answers."""
        for phase in self.phases:
            yield from (phase.begin, phase.free, *phase.lengths, *phase.slopes)
            yield from () if phase.fraction is None else (phase.fraction,)
        yield from (answer for answer in answers.values() if answer is not None)

    def needed(self) -> Iterator[Polynomial]:
        """Yield what must not be 0 for all inequalities to hold where conditions are 0, denominators included."""
        for goal, strict in self.goals():
            yield goal.bottom
            yield from (goal.top,) if strict else ()


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
        """Say why a factor has a sign."""
        signs = {1 if c > 0 else -1 for c in factor.coeffs()}
        if len(signs) == 1:
            return {"sign": signs.pop()}
        for sign in (1, -1):
            how = _because(factor * sign, self.given, self.found)
            if how is not None:
                return {"sign": sign, "from": how}
        return None


def _because(goal: Polynomial, given: Sequence[Polynomial], found: SymbolicExploration) -> list[Any] | None:
    """Write a goal as a sum of conditions, times positive monomials, and of terms that are not negative."""
    premises = [terms_of(poly) for poly in given]
    for steps in range(1, _STEPS + 1):
        sum_ = combination(terms_of(goal), premises, steps)
        if sum_ is not None:
            return _sum(sum_, found)
    return None
