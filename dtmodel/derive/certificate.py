"""Certificates of derived theorems: the symbolic trajectory of each open cell, and why its inequalities hold.

``proofs/check_certificates.py`` verifies them with nothing but the standard library. It makes the inequalities itself
from the trajectory, in the order of `_goals`; each is shown by a product of factors, and each factor by its
coefficients, by a condition of the cell, or by an identity with one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dtmodel import units
from dtmodel.derive.facts import Sign
from dtmodel.derive.identity import combination, terms_of
from dtmodel.derive.number import Polynomial, Ratio
from dtmodel.derive.signs import Literal
from dtmodel.errors import InputError

if TYPE_CHECKING:
    from dtmodel.derive.explore import Cell, SymbolicExploration
    from dtmodel.derive.run import Phase

__all__ = ["derived_certificate"]

_POLICIES = ("dt", "weighted", "abm", "l2bm")
_ASKS = ("first_drop", "dropped", "length", "threshold")
_NODES = 4000
_STEPS = 3


def derived_certificate(found: SymbolicExploration) -> dict[str, Any]:
    """Return the certificate of what was explored; `DerivedTheorem.certificate` says what it holds.

    Raises
    ------
    InputError
        If the family is not one of the DT law with one question that is known here.
    """
    family = found.problem.family
    if family.policy.name not in _POLICIES or family.until is not None:
        raise InputError("policy.name", family.policy.name, f"one of {', '.join(_POLICIES)}, without an end")
    if len(family.asks) > 1 or family.asks[0].kind not in _ASKS:
        raise InputError("ask", [ask.kind for ask in family.asks], f"one question: {', '.join(_ASKS)}")
    first, (ask,) = found.cells[0].observed, family.asks
    classes = [
        {
            "count": _ratio(count, found),
            "rate": _ratio(_value(queue.rate or family.rate, found), found),
            "alpha": _ratio(first.phases[0].thresholds[index][0], found),
            "arrivals": [[_ratio(_value(e, found), found) for e in piece] for piece in queue.arrivals],
            "initial": None if queue.initial is None else _ratio(_value(queue.initial, found), found),
        }
        for index, (queue, count) in enumerate(zip(family.queues, first.counts, strict=True))
    ]
    shown = [_cell(cell, ask.queue, found) for cell in found.cells]
    whole = [cell for cell in shown if "smt" not in cell["proofs"]]
    return {
        "kind": "derived",
        "units": list(found.problem.domain.units),
        "symbols": list(found.problem.ring.names[1:]),
        "domain": [_poly(sign.atom.poly * sign.sign, found) for sign in found.facts.always],
        "buffer": _ratio(_value(family.buffer, found), found),
        "classes": classes,
        "asked": ask.queue,
        "at": None if ask.time is None else _ratio(_value(ask.time, found), found),
        "cells": whole,
        "left_out": [cell["conditions"] for cell in shown if "smt" in cell["proofs"]],
        "coverage": None if found.open or found.facts.guards else _coverage(found),
    }


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


def _cell(cell: Cell, asked: int, found: SymbolicExploration) -> dict[str, Any]:
    conditions = [Sign(atom, sign, strict=True) for atom, sign in cell.literals]
    phases = cell.observed.phases
    ends = "time"
    if "first_drop" in cell.answers:
        ends = "loss" if cell.answers["first_drop"] is not None else "never"
    if ends == "never":
        phases = phases[:-1]  # which lasts as long as one likes
    return {
        "conditions": [_poly(sign.atom.poly * sign.sign, found) for sign in conditions],
        "ends": ends,
        "answers": {key: None if a is None else _ratio(a, found) for key, a in cell.answers.items()},
        "phases": [
            {
                "begin": _ratio(phase.begin, found),
                "free": _ratio(phase.free, found),
                "lengths": [_ratio(length, found) for length in phase.lengths],
                "slopes": [_ratio(slope, found) for slope in phase.slopes],
                "where": list(phase.where),
                "pieces": list(phase.pieces),
            }
            for phase in phases
        ],
        "proofs": [_proof(goal, conditions, found) for goal in _goals(phases, ends, asked, found)],
    }


def _goals(phases: Sequence[Phase], ends: str, asked: int, found: SymbolicExploration) -> Iterator[Ratio]:
    """Yield what must not be negative, a last loss positive, in the order in which the checker makes it."""
    family = found.problem.family
    for phase, after in zip(phases, [*phases[1:], None], strict=True):
        if after is not None:
            yield after.begin - phase.begin
        elif ends == "time":
            return
        for k, queue in enumerate(family.queues):
            piece = phase.pieces[k]
            if piece >= 0:
                yield phase.begin - _value(queue.arrivals[piece][0], found)
            if piece + 1 < len(queue.arrivals):
                yield _value(queue.arrivals[piece + 1][0], found) - (phase if after is None else after).begin
            yield from _moves(phase, after, k, _value(queue.rate or family.rate, found))
            if after is None and ends == "never" and phase.where[k] != "empty":
                yield phase.slopes[k]
                yield phase.thresholds[k][0] * phase.free_slope - phase.slopes[k]
    if ends == "loss":
        yield phases[-1].losses[asked]


def _moves(phase: Phase, after: Phase | None, k: int, rate: Ratio) -> Iterator[Ratio]:
    """Yield what makes a queue lie where it lies from the beginning of a phase to its end."""
    if phase.where[k] == "empty":
        yield rate - phase.offered[k]
    elif phase.where[k] == "on":
        yield phase.slopes[k] + rate
        yield phase.offered[k] - rate - phase.slopes[k]
    else:
        sign = 1 if phase.where[k] == "below" else -1
        yield (phase.threshold(k) - phase.lengths[k]) * sign
        if after is not None:
            yield (phase.thresholds[k][0] * after.free - after.lengths[k]) * sign
            yield after.lengths[k]


def _proof(goal: Ratio, conditions: Sequence[Sign], found: SymbolicExploration) -> Any:
    """Show a goal by the factors of its numerator and denominator; ``"smt"`` where one is not shown."""
    both = [_product(poly, conditions, found) for poly in (goal.top, goal.bottom)]
    return "smt" if None in both else both


def _product(poly: Polynomial, conditions: Sequence[Sign], found: SymbolicExploration) -> dict[str, Any] | None:
    content, factors = (poly, []) if poly.is_zero() else poly.factor()
    if poly.is_zero():
        return {"number": "0", "factors": []}
    shown = []
    for factor, power in factors:
        how = _why(factor, conditions, found)
        if how is None:
            return None
        shown.append([_poly(factor, found), int(power), how])
    return {"number": units.plain(int(content)), "factors": shown}


def _why(factor: Polynomial, conditions: Sequence[Sign], found: SymbolicExploration) -> dict[str, Any] | None:
    """Say why a factor has a sign."""
    signs = {1 if c > 0 else -1 for c in factor.coeffs()}
    if len(signs) == 1:
        return {"sign": signs.pop()}
    given = [sign.atom.poly * sign.sign for sign in (*conditions, *found.facts.always)]
    for sign in (1, -1):
        how = _because(factor * sign, given, found)
        if how is not None:
            return {"sign": sign, "from": how}
    return None


def _because(goal: Polynomial, given: Sequence[Polynomial], found: SymbolicExploration) -> list[Any] | None:
    """Write a goal as a sum of conditions, times positive monomials, and of terms that are not negative."""
    names, premises = found.problem.ring.names, [terms_of(poly) for poly in given]
    for steps in range(1, _STEPS + 1):
        sum_ = combination(terms_of(goal), premises, steps)
        if sum_ is not None:
            return [
                [place, str(number), {name: power for name, power in zip(names, monomial, strict=True) if power}]
                for place, number, monomial in sum_
            ]
    return None
