"""Requirements of the fluid model on a family, everywhere in its domain: positive sizes, increasing times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dtmodel.base.errors import InputError
from dtmodel.derive.algebra.consequences import Facts
from dtmodel.derive.algebra.language import Term
from dtmodel.derive.algebra.number import Ratio
from dtmodel.derive.algebra.solver import Question
from dtmodel.derive.search.family import Family

Demand = tuple[Term, Ratio, str, str]
_RESERVES = "reserves that leave something of the buffer"


def validate(family: Family, values: Mapping[str, Ratio], facts: Facts) -> None:
    """Raise `InputError` unless it is proved that sizes are nonnegative, times rise, and steady queues stay so."""
    zero = facts.arena.ring(0)
    for expression, value, relation, accepted in _demands(family, {n: zero + v for n, v in values.items()}, zero):
        if not _holds(value, relation, facts):
            raise InputError(expression.field, expression.text, accepted)


def _demands(family: Family, values: Mapping[str, Ratio], zero: Ratio) -> Iterator[Demand]:
    def value(expression: Term) -> Ratio:
        result: Ratio = zero + expression.value(values)
        return result

    positive = [family.buffer, family.rate, *(q.rate for q in family.queues if q.rate is not None)]
    for parameter, term in family.policy.terms():
        if parameter.positive:
            positive.append(term)
        else:
            yield term, value(term), ">=", "a size that is nowhere negative"
        if parameter.most is not None:
            accepted = f"a fraction of at most {parameter.most} everywhere in the domain"
            yield term, parameter.most - value(term), ">=", accepted
    positive += [] if family.until is None else [family.until]
    for expression in positive:
        yield expression, value(expression), ">", "an expression that is positive everywhere in the domain"
    yield from _pools(family, value)
    for classes, accepted in family.policy.at((), lambda term: term).occupied():
        together = sum((value(family.queues[k].count) for k in classes), zero)
        yield family.queues[classes[0]].count, together, ">", accepted
    for ask in family.asks:
        if ask.time is not None:
            yield ask.time, value(ask.time), ">=", "a time that is nowhere negative"
            if family.until is not None:
                yield ask.time, value(family.until) - value(ask.time), ">=", f"a time up to {family.until.text}"
    for queue in family.queues:
        sign, wanted = (">=", "a count that is nowhere negative") if queue.count.names else (">", "a count of queues")
        yield queue.count, value(queue.count), sign, wanted
        before: Term | None = None
        for time, rate in queue.arrivals:
            yield rate, value(rate), ">=", "a rate that is nowhere negative"
            if before is None:
                yield time, value(time), ">=", "a time that is nowhere negative"
            else:
                yield time, value(time) - value(before), ">", "times that increase everywhere in the domain"
            before = time
        if queue.initial is not None:
            yield queue.initial, value(queue.initial), ">=", "a length that is nowhere negative"
        else:
            own = queue.rate or family.rate
            accepted = f"at time 0 a rate of at least {own.text}, since the queue is steady"
            begin, rate = queue.arrivals[0]
            yield rate, (zero - 1 if value(begin) else value(rate) - value(own)), ">=", accepted
    yield from _room(family, value)


def _pools(family: Family, value: Callable[[Term], Ratio]) -> Iterator[Demand]:
    """Yield that a buffer holds pools and reserves, sizes are nonnegative, no factor is 0: answers would jump there."""
    tree = family.policy.tree
    for group in tree.groups if tree else ():
        if group.alpha is not None:
            yield group.alpha, value(group.alpha), ">", "a factor above 0 everywhere in the domain"
    if tree and family.policy.below:
        pools = [pool.size for pool in tree.pools if pool.size is not None]
        sign, accepted = (">=", "pools and reserves that the buffer holds") if pools else (">", _RESERVES)
        left = tree.spare(value(family.buffer), [value(count) for count in tree.counts], value)
        yield family.buffer, left, sign, f"{accepted} everywhere in the domain"
        yield from ((term, value(term), ">=", "a number that is nowhere negative") for term in (*pools, *tree.counts))


def _room(family: Family, value: Callable[[Term], Ratio]) -> Iterator[Demand]:
    """Yield the requirement that the buffer holds the initial lengths and the reserves."""
    left = value(family.buffer)
    owned = left - left
    policy, owning, reserving = family.policy.at((), lambda term: term), False, False
    for index, queue in enumerate(family.queues):
        reserve, size = policy.owned(index)
        if reserve is not None:
            owned, reserving = owned + value(queue.count) * value(reserve), True
        if size is not None and queue.initial is not None:
            least = value(size) - value(queue.initial)
            yield queue.initial, least, ">=", f"a length of at most {size.text}, all that it may hold"
        held = size if size is not None else queue.initial
        if held is not None:
            left = left - value(queue.count) * value(held)
        owning = owning or size is not None
    if reserving:
        yield family.buffer, value(family.buffer) - owned, ">", f"{_RESERVES} everywhere in the domain"
    sizes = "sizes and initial lengths" if owning or reserving else "initial lengths"
    yield family.buffer, left - owned, ">=", f"{sizes} that the buffer holds everywhere in the domain"


def _holds(value: Ratio, relation: str, facts: Facts) -> bool:
    """Return True if a function is positive, or nonnegative, everywhere in the domain."""
    if value.top.is_zero():
        return relation == ">="
    whole = value.top * value.bottom
    if all(c > 0 for c in whole.coeffs()):
        _, factors = facts.arena.factored(whole)
        return relation == ">=" or all(facts.positive(atom) for atom, _ in factors)
    question = Question(facts.arena.ring.names)
    facts.state(question)
    question.sign(whole, "<" if relation == ">=" else "<=")
    return facts.arena.solve(question)[0] == "unsat"
