"""Certificates of derived theorems: for each open cell its symbolic trajectory, and why every inequality of it holds.

``proofs/check_certificates.py`` verifies them with nothing but the standard library. It makes the inequalities itself
from the trajectory, in the order of `_goals`; each is shown by a product of factors, and each factor by its
coefficients, by a condition of the cell, or by an identity with one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dtmodel import units
from dtmodel.derive.facts import Sign
from dtmodel.derive.identity import positive_identity
from dtmodel.derive.number import Polynomial, Ratio
from dtmodel.errors import InputError

if TYPE_CHECKING:
    from dtmodel.derive.explore import Cell, SymbolicExploration
    from dtmodel.derive.run import Phase

__all__ = ["derived_certificate"]

_POLICIES = ("dt", "weighted", "abm", "l2bm")


def derived_certificate(found: SymbolicExploration) -> dict[str, Any]:
    """Return the certificate of what was explored; `DerivedTheorem.certificate` says what it holds.

    Raises
    ------
    InputError
        If the family is not one of the DT law that asks for a first drop.
    """
    family = found.problem.family
    if family.policy.name not in _POLICIES or family.until is not None:
        raise InputError("policy.name", family.policy.name, f"one of {', '.join(_POLICIES)}, without an end")
    if [ask.kind for ask in family.asks] != ["first_drop"]:
        raise InputError("ask", [ask.kind for ask in family.asks], "a first drop alone")
    cells = [cell for cell in found.cells if cell.answers["first_drop"] is not None]
    first = cells[0].observed if cells else None
    counts = [] if first is None else first.counts
    classes = [
        {
            "count": _ratio(count, found),
            "rate": _ratio(_value(queue.rate or family.rate, found), found),
            "alpha": _ratio(first.phases[0].thresholds[index][0], found),
            "arrivals": [[_ratio(_value(e, found), found) for e in piece] for piece in queue.arrivals],
            "initial": None if queue.initial is None else _ratio(_value(queue.initial, found), found),
        }
        for index, (queue, count) in enumerate(zip(family.queues, counts, strict=True))
        if first is not None
    ]
    asked = family.asks[0].queue
    shown = [_cell(cell, asked, found) for cell in cells]
    whole = [cell for cell in shown if "smt" not in cell["proofs"]]
    return {
        "kind": "derived",
        "units": list(found.problem.domain.units),
        "symbols": list(found.problem.ring.names[1:]),
        "domain": [_poly(sign.atom.poly * sign.sign, found) for sign in found.facts.always],
        "buffer": _ratio(_value(family.buffer, found), found),
        "classes": classes,
        "asked": asked,
        "cells": whole,
        "left_out": {"never": len(found.cells) - len(cells), "smt": len(shown) - len(whole)},
    }


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
    return {
        "conditions": [_poly(sign.atom.poly * sign.sign, found) for sign in conditions],
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
        "proofs": [_proof(goal, conditions, found) for goal in _goals(phases, asked, found)],
    }


def _goals(phases: Sequence[Phase], asked: int, found: SymbolicExploration) -> Iterator[Ratio]:
    """Yield what must not be negative, the last one positive, in the order in which the checker makes it."""
    family = found.problem.family
    rates = [_value(queue.rate or family.rate, found) for queue in family.queues]
    for phase, after in zip(phases, [*phases[1:], None], strict=True):
        if after is not None:
            yield after.begin - phase.begin
        for k, queue in enumerate(family.queues):
            piece = phase.pieces[k]
            if piece >= 0:
                yield phase.begin - _value(queue.arrivals[piece][0], found)
            if piece + 1 < len(queue.arrivals):
                yield _value(queue.arrivals[piece + 1][0], found) - (phase if after is None else after).begin
            room = phase.threshold(k) - phase.lengths[k]
            later = None if after is None else phase.thresholds[k][0] * after.free - after.lengths[k]
            if phase.where[k] == "empty":
                yield rates[k] - phase.offered[k]
            elif phase.where[k] == "on":
                yield phase.slopes[k] + rates[k]
                yield phase.offered[k] - rates[k] - phase.slopes[k]
            else:
                sign = 1 if phase.where[k] == "below" else -1
                yield room * sign
                if after is not None and later is not None:
                    yield later * sign
                    yield after.lengths[k]
    yield phases[-1].losses[asked]


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
    for place, condition in enumerate([*conditions, *found.facts.always]):
        given = condition.atom.poly * condition.sign
        for sign in (1, -1):
            if factor * sign == given:
                return {"sign": sign, "condition": place}
            identity = positive_identity(factor * sign, given)
            if identity is not None:
                names = found.problem.ring.names
                monomial = {name: power for name, power in zip(names, identity.monomial, strict=True) if power}
                return {"sign": sign, "condition": place, "times": [str(identity.number), monomial]}
    return None
