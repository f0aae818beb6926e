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


def validate(family: Family, values: Mapping[str, Ratio], facts: Facts) -> None:
    """Raise `InputError` unless the model's requirements are proved in the whole domain.

    Sizes must be nonnegative, times must increase, and steady queues must stay steady.
    """
    zero = facts.arena.ring(0)
    for expression, value, relation, accepted in _demands(family, {n: zero + v for n, v in values.items()}, zero):
        if not _holds(value, relation, facts):
            raise InputError(expression.field, expression.text, accepted)


def _demands(family: Family, values: Mapping[str, Ratio], zero: Ratio) -> Iterator[Demand]:
    def value(expression: Term) -> Ratio:
        result: Ratio = zero + expression.value(values)
        return result

    positive = [family.buffer, family.rate, *(q.rate for q in family.queues if q.rate is not None)]
    positive += [e for e in family.policy.common.values() if e is not None]
    for key, each in family.policy.each.items():
        if key not in {"reserved", "sizes"}:
            positive += [e for e in each if e is not None]
        else:
            for size in each:
                if size is not None:
                    yield size, value(size), ">=", "a size that is nowhere negative"
    positive += [] if family.until is None else [family.until]
    for expression in positive:
        yield expression, value(expression), ">", "an expression that is positive everywhere in the domain"
    for share in family.policy.each.get("drains", ()):
        if share is not None:
            yield share, 1 - value(share), ">=", "a fraction of at most 1 everywhere in the domain"
    for classes, accepted in family.policy.occupied():
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


def _room(family: Family, value: Callable[[Term], Ratio]) -> Iterator[Demand]:
    """Yield the requirement that the buffer holds the initial lengths and the reserves."""
    each, zero = family.policy.each, value(family.buffer) - value(family.buffer)
    left, owned = value(family.buffer), zero
    for index, queue in enumerate(family.queues):
        reserve, size = each.get("reserved"), family.policy.size(index)
        if reserve is not None and reserve[index] is not None:
            owned = owned + value(queue.count) * value(reserve[index])  # type: ignore[arg-type]  # not None
        if size is not None and queue.initial is not None:
            least = value(size) - value(queue.initial)
            yield queue.initial, least, ">=", f"a length of at most {size.text}, all that it may hold"
        held = size if size is not None else queue.initial
        if held is not None:
            left = left - value(queue.count) * value(held)
    if "reserved" in each:
        accepted = "reserves that leave something of the buffer everywhere in the domain"
        yield family.buffer, value(family.buffer) - owned, ">", accepted
    what = "initial lengths" if not {"sizes", "reserved"} & set(each) else "sizes and initial lengths"
    yield family.buffer, left - owned, ">=", f"{what} that the buffer holds everywhere in the domain"


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
