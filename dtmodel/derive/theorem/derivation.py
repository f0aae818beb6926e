"""`derive`: read a family, explore all of its paths, and return the result as a theorem."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.derive.algebra.clock import ended_by_interrupt
from dtmodel.derive.algebra.consequences import Sign
from dtmodel.derive.algebra.domain import Domain
from dtmodel.derive.algebra.number import Ratio, in_ring, key_of
from dtmodel.derive.search.boundaries import solve
from dtmodel.derive.search.cases import Condition, DerivedCase, condition, grade_of, relation_text
from dtmodel.derive.search.family import Family, read_family
from dtmodel.derive.search.paths import Limits, Solved, domain_facts, read_problem
from dtmodel.derive.search.validation import validate
from dtmodel.derive.theorem.derived import DerivedTheorem
from dtmodel.derive.theorem.orders import alike, in_all_orders, in_order


def derive(document: Mapping[str, Any], limits: Limits | None = None) -> DerivedTheorem:
    """Derive a theorem about a policy and a family of scenarios.

    The family is the `document`: ``symbols`` with domains, ``policy``, ``switch``, ``queues``, ``ask``, optionally
    ``until``. `limits` are those of the search; after them, or after Ctrl-C, the theorem has the cases that were found
    and names the parts that are `open`; another call begins anew. Raises `InputError` if the document is not accepted.

    >>> theorem = derive({
    ...     "symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "N": ">= 0", "R": "> C", "R_b": ">= C"},
    ...     "policy": {"name": "dt", "alpha": "alpha"}, "switch": {"buffer": "B", "rate": "C"},
    ...     "queues": [{"count": "M", "arrivals": [["0", "R"]]},
    ...                {"count": "N", "initial": "steady", "arrivals": [["0", "R_b"]]}],
    ...     "ask": [{"first_drop": 0}]})
    >>> print(theorem)
    If R <= C*(1 + (1 + alpha*N)/(alpha*M)):
      first_drop = alpha*B/(r*(1 + alpha*(M + N)))
      free_at_first_drop = B/(1 + alpha*(M + N))
    If R > C*(1 + (1 + alpha*N)/(alpha*M)):
      first_drop = alpha*B/((1 + alpha*N)*(r*(1 + alpha*M) - alpha*C*N))
      free_at_first_drop = B*r/((1 + alpha*N)*(r*(1 + alpha*M) - alpha*C*N))
    with r = R - C
    """
    limits, family = _limits(limits), read_family(document)
    if alike(family):
        return in_all_orders(_derived(read_family(in_order(family)), limits), family)
    return _derived(family, limits)


def _derived(family: Family, limits: Limits) -> DerivedTheorem:
    """Derive the theorem about a family whose classes are not alike, or in order."""
    begin = time.monotonic()
    problem = read_problem(family)
    facts = domain_facts(problem, limits, float("inf"))
    validate(family, problem.values, facts)
    asked = facts.arena.calls
    with ended_by_interrupt():
        solution, _ = solve(problem, limits, begin + limits.seconds)
    strength = "smt" if asked + solution.questions else "certificate"
    written: dict[Any, Condition] = {}
    letters = partial(_letters, family, problem.domain)
    cases = tuple(_case(problem.domain, case, strength, written, letters) for case in solution.cases)
    statistics = {
        "paths": solution.paths,
        "cells": solution.cells,
        "answers": solution.answers,
        "questions": asked + solution.questions,
    }
    left = (*solution.open, *(_left(problem.domain, *each, limits) for each in solution.uncovered))
    seconds = time.monotonic() - begin
    return DerivedTheorem(
        family, problem.domain, cases, not left, left, seconds=seconds, statistics=statistics, found=solution.found
    )


def _letters(family: Family, domain: Domain) -> Sequence[Any]:
    """Return the symbols of the outer field; SymPy is imported when a case is asked for its condition."""
    from dtmodel.derive.theorem.symbolic import outer_letters

    return outer_letters(family, domain)


def _limits(value: object) -> Limits:
    if value is not None and not isinstance(value, Limits):
        raise InputError("limits", value, "Limits, such as Limits(seconds=10), or None")
    return value or Limits()


def _left(domain: Domain, zero: Sign | None, answer: str, limits: Limits) -> str:
    """Describe a part of the domain that may not be covered, with the reason."""
    where = f"where {relation_text(domain, zero.atom.poly, '==')}" if zero else "where no condition is an equality"
    if answer == "sat":
        return f"{where}: the cases do not cover all of it"
    return f"{where}: not proved to be covered, with the solver's limit of {limits.solver:g} s for a question"


def _case(
    domain: Domain,
    solved: Solved,
    strength: str,
    written: dict[Any, Condition],
    letters: Callable[[], Sequence[Any]],
) -> DerivedCase:
    """Restore a case to all symbols; conditions that several cases share are written once."""
    example = domain.outside_point(solved.example)
    when = []
    for sign in solved.signs:
        relation = "==" if sign.sign == 0 else ">" if sign.strict else ">="
        poly = in_ring(sign.atom.poly, domain.inner) * (sign.sign or 1)
        key = (key_of(poly), relation)
        if key not in written:
            written[key] = condition(domain, domain.restore(poly), relation, example)
        when.append(written[key])
    answers = {
        key: None if value is None else domain.restore_ratio(_inner(domain, value), grade_of(key))
        for key, value in solved.answers.items()
    }
    return DerivedCase(tuple(when), answers, strength, example, letters)


def _inner(domain: Domain, ratio: Ratio) -> Ratio:
    return Ratio(domain.inner, in_ring(ratio.top, domain.inner), in_ring(ratio.bottom, domain.inner))
