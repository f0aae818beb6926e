"""Where one derived theorem's answer exceeds another's: regions of the symbols of both."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel.derive.explore import FamilyProblem, Limits, domain_facts, read_problem
from dtmodel.derive.facts import Facts, Sign
from dtmodel.derive.number import Polynomial, Ratio
from dtmodel.derive.theorem import Condition, DerivedTheorem, condition
from dtmodel.documents import choice
from dtmodel.errors import InputError

__all__ = ["DerivedComparison", "compare_theorems"]

OUTCOMES = (">", "==", "<")


@dataclass(frozen=True)
class DerivedComparison:
    """Where the answer of the first theorem exceeds, equals or falls below that of the second; "never" exceeds all.

    Attributes
    ----------
    key : str
        The answer.
    greater, equal, less : tuple of (Condition, ...)
        Regions: in each all conditions hold. Those of one outcome may overlap, those of two do not.
    complete : bool
        Whether the regions are proved to cover the domain.
    """

    key: str
    greater: tuple[tuple[Condition, ...], ...]
    equal: tuple[tuple[Condition, ...], ...]
    less: tuple[tuple[Condition, ...], ...]
    complete: bool

    def document(self) -> dict[str, Any]:
        """Return the regions as texts."""
        outcomes = {"greater": self.greater, "equal": self.equal, "less": self.less}
        shown = {name: [[c.text for c in region] for region in regions] for name, regions in outcomes.items()}
        return {"key": self.key, **shown, "complete": self.complete}

    def __str__(self) -> str:
        """Write one line a region."""
        lines = []
        for sign, regions in zip(OUTCOMES, (self.greater, self.equal, self.less), strict=True):
            for region in regions:
                when = " and ".join(c.text for c in region)
                lines.append(f"{sign} if {when}" if when else f"{sign} always")
        return "\n".join(lines)


Region = tuple[Sign, ...]
Case = tuple[list[Sign], Ratio | None]


def compare_theorems(first: DerivedTheorem, second: DerivedTheorem, key: str, seconds: float) -> DerivedComparison:
    """Compare two theorems; `DerivedTheorem.compare` says how.

    Raises
    ------
    InputError
        If a symbol is declared in two ways, or an answer is not in both.
    """
    for theorem in (first, second):
        choice(key, "key", theorem.keys)
    for name in first.family.symbols.keys() & second.family.symbols.keys():
        mine, other = (_declared(theorem, name) for theorem in (first, second))
        if mine != other:
            raise InputError(f"symbols.{name}", ", ".join(other), f"{', '.join(mine)}, as in the other theorem")
    problem = read_problem(first.family, second.family)
    facts = domain_facts(problem, Limits(), time.monotonic() + seconds)
    found: dict[str, list[Region]] = {outcome: [] for outcome in OUTCOMES}
    cases = [[_moved(theorem, case, key, problem, facts) for case in theorem.cases] for theorem in (first, second)]
    for signs, mine_ in cases[0]:
        for others, its in cases[1]:
            for outcome, more in _outcomes(mine_, its, facts):
                region = tuple(dict.fromkeys([*signs, *others, *more]))
                if not facts.impossible(region):
                    found[outcome].append(region)
    complete = first.complete and second.complete and facts.covered([], [r for rs in found.values() for r in rs])
    simple = {outcome: _simplified(outcome, found, facts) for outcome in OUTCOMES}
    greater, equal, less = (tuple(_shown(r, problem) for r in simple[outcome]) for outcome in OUTCOMES)
    return DerivedComparison(key, greater, equal, less, complete)


def _declared(theorem: DerivedTheorem, name: str) -> list[str]:
    return sorted(f"{r.sign} {r.right.text}" for r in theorem.family.symbols[name])


def _moved(theorem: DerivedTheorem, case: Any, key: str, problem: FamilyProblem, facts: Facts) -> Case:
    """Write a case in the symbols of both theorems."""
    into: dict[str, Ratio] = {}
    for slack in theorem.domain.slacks:
        plain = slack.bound is None or slack.symbol in theorem.domain.relaxed
        bound = 0 if plain or slack.bound is None else slack.bound.value(problem.values)
        into[slack.symbol if plain else slack.name] = problem.values[slack.symbol] - bound
    outer = theorem.domain.outer
    signs: list[Sign] = []
    for c in case.when:
        ratio = Ratio(outer, c.poly, outer.one).replaced(into, problem.ring)
        signs += _signs(ratio.top * ratio.bottom, c.relation, facts)
    answer = case.answers[key]
    return signs, None if answer is None else answer.replaced(into, problem.ring)


def _signs(poly: Polynomial, relation: str, facts: Facts) -> list[Sign]:
    """Write a relation to 0 as signs of what is not positive at sight."""
    if poly.is_zero():
        return [] if relation != ">" else [Sign(facts.one, -1, strict=True)]
    sign, factors = facts.arena.factored(poly)
    product, nonzero = facts.arena.ring.one, []
    for atom, power in factors:
        if relation != "==" and power % 2 == 0:
            nonzero += [] if atom.known and facts.positive(atom) else [Sign(atom, 0, strict=True)]
        elif atom.known and facts.positive(atom):
            sign *= atom.known
        else:
            product = product * atom.poly
    if product.is_one():
        return [Sign(facts.one, sign if relation != "==" else -1, strict=True), *(nonzero if relation == ">" else [])]
    whole, turned = facts.arena.atom(product)
    if relation == "==":
        return [Sign(whole, 0, strict=False)]
    return [Sign(whole, sign * turned, relation == ">"), *(nonzero if relation == ">" else [])]


def _outcomes(mine: Ratio | None, its: Ratio | None, facts: Facts) -> Iterable[tuple[str, list[Sign]]]:
    """Return how two answers compare, and where."""
    if mine is None or its is None:
        yield "==" if mine is its else ">" if mine is None else "<", []
        return
    difference = mine - its
    whole = difference.top * difference.bottom
    if whole.is_zero():
        yield "==", []
        return
    for outcome, poly, relation in ((">", whole, ">"), ("==", difference.top, "=="), ("<", -whole, ">")):
        yield outcome, _signs(poly, relation, facts)


def _simplified(outcome: str, found: Mapping[str, Sequence[Region]], facts: Facts) -> list[Region]:
    """Leave out conditions without which a region still meets none of another outcome, then regions inside others."""
    others = [region for other in OUTCOMES if other != outcome for region in found[other]]
    wide: list[Region] = []
    for region in found[outcome]:
        kept = list(region)
        for sign in sorted(region, key=lambda s: -len(s.atom.poly)):
            rest = [other for other in kept if other is not sign]
            if all(facts.impossible([*rest, *other]) for other in others):
                kept = rest
        wide.append(tuple(kept))
    wide = list(dict.fromkeys(wide))
    for region in sorted(wide, key=len, reverse=True):
        rest_ = [other for other in wide if other is not region]
        if rest_ and facts.impossible(region, rest_):
            wide = rest_
    return wide


def _shown(region: Region, problem: FamilyProblem) -> tuple[Condition, ...]:
    domain, inner = problem.domain, problem.domain.inner
    shown = []
    for sign in region:
        terms = {tuple(map(int, powers[1:])) or (0,): c for powers, c in sign.atom.poly.terms()}
        poly = domain.restore(inner.context.from_dict(terms)) * (sign.sign or 1)
        relation = ("!=" if sign.strict else "==") if sign.sign == 0 else ">" if sign.strict else ">="
        shown.append(condition(domain, poly, relation, [Fraction(0)] * len(domain.outer.names)))
    return tuple(shown)
