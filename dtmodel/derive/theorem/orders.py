"""Classes of queues that are alike but for one symbol each: a theorem for one order of the symbols holds for all."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise, permutations
from typing import Any, TypeVar

from dtmodel.derive.algebra.domain import Domain
from dtmodel.derive.algebra.language import Term
from dtmodel.derive.algebra.number import Ratio
from dtmodel.derive.search.cases import DerivedCase, said_case
from dtmodel.derive.search.family import Family
from dtmodel.derive.search.paths import read_problem
from dtmodel.derive.search.policies import Least
from dtmodel.derive.theorem.data import TheoremData

AnyTheorem = TypeVar("AnyTheorem", bound=TheoremData)
_MOST = 4
"""The most symbols that are ordered: they have 24 orders."""


def alike(family: Family) -> tuple[str, ...]:
    """Return symbols that may be exchanged: each stands in one class of queues, and these classes are alike.

    No question is about the classes, and the symbols do not count queues. There is no symbol, or there are several.
    """
    document, declared, found = family.document, family.document["symbols"], defaultdict[str, list[str]](list)
    queues = [str(sorted(queue.items())) for queue in document["queues"]]
    rest = [*declared.values(), *(document.get(key) for key in ("policy", "switch", "until", "ask"))]
    uses = Counter(word for part in (*queues, *rest) for word in {*re.findall(r"\w+", str(part))})
    asked, left = {queue for ask in family.asks for queue in ask.queues}, family.defined.keys() | family.counts
    for place, queue in enumerate(queues):
        own = [name for name in declared if uses[name] == 1 and re.search(rf"\b{name}\b", queue)]
        if len(own) == 1 and place not in asked and family.policy.tree is None and own[0] not in left:
            limits = _texts(tuple(family.policy.of([place]).values.values()))
            found[str((re.sub(rf"\b{own[0]}\b", "", queue), declared[own[0]], limits))].append(own[0])
    most = max(found.values(), key=len, default=[])
    return tuple(most[:_MOST]) if len(most) > 1 else ()


def _texts(value: Any) -> Any:
    """Return the values of a policy's parameters as texts and numbers."""
    if isinstance(value, Least | tuple):
        return [_texts(each) for each in (value.terms if isinstance(value, Least) else value)]
    return value.text if isinstance(value, Term) else value


def in_order(family: Family) -> dict[str, Any]:
    """Return the document of a family in which symbols that may be exchanged are in increasing order."""
    symbols = dict(family.document["symbols"])
    for low, high in pairwise(alike(family)):
        symbols[high] = f">= {low}, {symbols[high]}"
    return {**family.document, "symbols": symbols}


def in_all_orders(ordered: AnyTheorem, family: Family) -> AnyTheorem:
    """Return the theorem about a family from the one in which symbols that may be exchanged are in order.

    It has each case once for every order of the symbols, renamed and with this order as a further condition.
    """
    from dtmodel.derive.theorem.symbolic import outer_letters

    domain, order = read_problem(family).domain, alike(family)
    symbols, letters, cases = domain.outside(), partial(outer_letters, family, domain), list[DerivedCase]()
    for names in permutations(order):
        each = [renamed(case, ordered.domain, domain, dict(zip(order, names, strict=True))) for case in ordered.cases]
        beside = said_case(domain, [(symbols[high] - symbols[low], ">=") for low, high in pairwise(names)], {}).when
        cases += [replace(case, when=(*beside, *case.when), letters=letters) for case in each]
    return replace(ordered, family=family, domain=domain, cases=tuple(cases), alike=order, ordered=ordered)


def renamed(case: DerivedCase, before: Domain, domain: Domain, names: Mapping[str, str]) -> DerivedCase:
    """Return a case of one domain in another one with the same symbols, some of which get the names of others."""
    symbols, outer = domain.outside(), before.outer
    into = before.slack_values(
        {slack.symbol: symbols[names.get(slack.symbol, slack.symbol)] for slack in before.slacks}
    )
    when = [(Ratio(outer, c.poly, outer.one).replaced(into, domain.outer), c.relation) for c in case.when]
    answers = {key: None if a is None else a.replaced(into, domain.outer) for key, a in case.answers.items()}
    moved = replace(said_case(domain, when, answers), strength=case.strength)
    if not case.example:
        return moved
    values = before.symbol_values(dict(zip(outer.names, case.example, strict=True)))
    point = domain.slack_values({names.get(name, name): value for name, value in values.items()})
    return replace(moved, example=tuple(point[name] for name in domain.outer.names))
