"""A family of scenarios: the document of `dtmodel derive`, read and validated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from keyword import iskeyword
from math import ceil, floor
from typing import Any

from dtmodel.base.documents import identity, only_keys, only_version_1, required, sequence, table, word_or
from dtmodel.base.errors import MISSING, InputError, one_of
from dtmodel.derive.algebra.dimensions import COUNT, FREE, LENGTH, RATE, TIME, Grade, read_count, read_term
from dtmodel.derive.algebra.domain import definitions
from dtmodel.derive.algebra.language import Relation, Term, read_expression, read_symbols
from dtmodel.derive.search.policies import PolicyTerms, read_policy_terms, tree_terms
from dtmodel.derive.search.trees import read_tree

_NAME = re.compile("[A-Za-z][A-Za-z0-9]*(_+[A-Za-z0-9]+)*")

ASKS: Mapping[str, bool] = {
    "first_drop": False, "length_at_first_drop": False, "dropped": True, "length": True, "threshold": True,
    "recovered": False, "buffer_share": True, "loss_share": True, "loss_rate": True, "period": True,
}  # fmt: skip
"""The kinds of questions, and whether they take a time."""
LONG_RUN = ("buffer_share", "loss_share", "loss_rate", "period")
"""The kinds of questions about the long run alone: a queue's part of the buffer and of all losses, its loss rate, and
the duration of the cycle that the lengths repeat for ever, 0 if they settle."""
STEADY = ("length", "threshold", *LONG_RUN)
"""The kinds of questions that have a limit as time goes on, or under EDT a mean over a cycle."""
AT_A_DROP = ("first_drop", "length_at_first_drop")
"""The kinds of questions that a first loss answers."""
_TIMES = ("at", "by")


@dataclass(frozen=True)
class QueueClass:
    """`count` identical queues: their arrivals (time, rate), initial length (None if steady) and rate (None for C)."""

    count: Term
    arrivals: tuple[tuple[Term, Term], ...]
    initial: Term | None
    rate: Term | None


@dataclass(frozen=True)
class Ask:
    """A question: its kind, its class of queues, and its time if the kind needs one.

    `others`: further classes, any of which may lose first. `suffix`: the end of its keys if its kind is asked twice.
    `steady`: whether it is about the limit as time goes on.
    """

    kind: str
    queue: int
    time: Term | None
    others: tuple[int, ...] = ()
    suffix: str = ""
    steady: bool = False

    @property
    def queues(self) -> tuple[int, ...]:
        """The classes of queues that the question is about."""
        return (self.queue, *self.others)

    @property
    def keys(self) -> dict[str, str]:
        """The name of each answer with the suffix, and without it."""
        kinds = [self.kind, "free_at_first_drop"] if self.kind == "first_drop" else [self.kind]
        return {kind + self.suffix: kind for kind in kinds}

    @property
    def key(self) -> str:
        """The name of the first answer."""
        return self.kind + self.suffix


@dataclass(frozen=True)
class Declared:
    """The symbols of a statement without a family: their relations, and the `counts`, which are whole numbers."""

    symbols: Mapping[str, tuple[Relation, ...]]
    counts: frozenset[str]
    defined: Mapping[str, Term] = field(default_factory=dict)


@dataclass(frozen=True)
class Family:
    """The input of `dtmodel derive`: symbols with domains, a policy, classes of queues, questions."""

    id: str | int | None
    symbols: dict[str, tuple[Relation, ...]]
    policy: PolicyTerms
    buffer: Term
    rate: Term
    until: Term | None
    queues: tuple[QueueClass, ...]
    asks: tuple[Ask, ...]
    document: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def defined(self) -> dict[str, Term]:
        """The symbols that ``==`` defines, each as a term of undefined symbols."""
        return definitions(self.symbols)

    @property
    def lumps(self) -> list[Term]:
        """The number of queues in each class, or below a group in each class of the group."""
        if self.policy.tree and self.policy.below:
            return [limit.count for limit in self.policy.tree.classes]
        return [queue.count for queue in self.queues]

    @property
    def steady(self) -> bool:
        """True if a question is about the long run."""
        return any(ask.steady for ask in self.asks)

    @property
    def counts(self) -> frozenset[str]:
        """The symbols that count queues."""
        return frozenset(_counting(self.queues, self.policy) & self.symbols.keys())

    def graded(self) -> Iterator[tuple[Term, Grade]]:
        """Yield every expression with its grade."""
        yield self.buffer, FREE
        yield self.rate, RATE
        if self.until is not None:
            yield self.until, TIME
        for queue in self.queues:
            yield from () if self.policy.below else ((queue.count, COUNT),)
            for time, rate in queue.arrivals:
                yield time, TIME
                yield rate, RATE
            if queue.initial is not None:
                yield queue.initial, LENGTH
            if queue.rate is not None:
                yield queue.rate, RATE
        for ask in self.asks:
            if ask.time is not None:
                yield ask.time, TIME
        yield from self.policy.graded()


def read_family(document: Mapping[str, Any]) -> Family:
    """Read a family from its document; raise `InputError` if a key, symbol, expression or question is not accepted."""
    document = table(document, "document")
    only_keys(document, ("id", "version", "symbols", "policy", "switch", "until", "queues", "ask"), "")
    only_version_1(document)
    required(document, ("symbols", "policy", "switch", "queues", "ask"), "")
    declared = table(document["symbols"], "symbols")
    for name in declared:
        if not isinstance(name, str) or not _NAME.fullmatch(name) or iskeyword(name) or name == "never":
            raise InputError("symbols", name, "names of letters, digits and inner underscores that Python does not use")
    symbols, names = read_symbols(declared)
    switch = table(document["switch"], "switch")
    only_keys(switch, ("buffer", "rate"), "switch.")
    buffer = read_term(switch.get("buffer", MISSING), "switch.buffer", names, FREE)
    rate = read_term(switch.get("rate", MISSING), "switch.rate", names, RATE)
    queues = tuple(
        _read_queue(table(queue, f"queues[{i}]"), f"queues[{i}].", names)
        for i, queue in enumerate(sequence(document["queues"], "queues"))
    )
    if not queues:
        raise InputError("queues", [], "at least one class of queues")
    asked = [table(ask, f"ask[{index}]") for index, ask in enumerate(sequence(document["ask"], "ask"))]
    limit = any("threshold" in ask for ask in asked)
    policy, queues = _read_policy(table(document["policy"], "policy"), queues, names, limit=limit)
    for name in _counting(queues, policy) & symbols.keys():
        _refuse_no_whole_number(name, symbols[name])
    for index, queue in enumerate(queues):
        if queue.initial is None and not policy.steady(index):
            raise InputError(f"queues[{index}].initial", "steady", "a length: the queue has no threshold")
        if queue.initial is None and not queue.arrivals:
            raise InputError(f"queues[{index}].arrivals", [], "a rate from time 0 on, since the queue is steady")
    until = None if document.get("until") is None else read_term(document["until"], "until", names, TIME)
    return Family(
        identity(document) if "id" in document else None,
        symbols,
        policy,
        buffer,
        rate,
        until,
        queues,
        _told_apart(list(_read_asks(asked, len(queues), names, until))),
        document,
    )


def _read_policy(
    document: Mapping[str, Any], queues: tuple[QueueClass, ...], names: Mapping[str, Term | None], *, limit: bool
) -> tuple[PolicyTerms, tuple[QueueClass, ...]]:
    """Read the policy; in a tree a class has as many queues as all groups above it have together.

    `limit`: whether a question is about the limits of queues, which laws of one level are only where queues meet them.
    """
    if document.get("name") != "hierarchy":
        return read_policy_terms(document, len(queues), names), queues
    tree = read_tree(document, [queue.count for queue in queues], names)
    each = [(f"queues[{index}].count", tree.all_of(each)) for index, each in enumerate(tree.classes)]
    counts = [read_expression(text, field, names) for field, text in each]
    policy = tree_terms(tree, names, below=not tree.alike or (limit and bool(tree.groups)))
    return policy, tuple(replace(queue, count=n) for queue, n in zip(queues, counts, strict=True))


def _counting(queues: Sequence[QueueClass], policy: PolicyTerms) -> set[str]:
    """Return the symbols that count queues, and in a tree also groups and pools."""
    if policy.tree is None:
        return {queue.count.text for queue in queues}
    return {name for count in policy.tree.counts for name in count.names}


def _read_queue(document: Mapping[str, Any], where: str, names: Mapping[str, Term | None]) -> QueueClass:
    only_keys(document, ("count", "arrivals", "initial", "rate"), where)
    arrivals = []
    for index, piece in enumerate(sequence(document.get("arrivals", []), f"{where}arrivals")):
        field = f"{where}arrivals[{index}]"
        pair = sequence(piece, field)
        if len(pair) != 2:
            raise InputError(field, piece, "a pair of a time and a rate")
        arrivals.append((read_term(pair[0], field, names, TIME), read_term(pair[1], field, names, RATE)))

    def length(value: Any, field: str) -> Term:
        return read_term(value, field, names, LENGTH)

    initial = word_or(length, document.get("initial", 0), f"{where}initial", ("steady",))
    own = document.get("rate")
    return QueueClass(
        read_count(document, where[:-1], names),
        tuple(arrivals),
        None if initial == "steady" else initial,
        None if own is None else read_term(own, f"{where}rate", names, RATE),
    )


def _refuse_no_whole_number(name: str, relations: Sequence[Relation]) -> None:
    """Raise `InputError` if no whole number lies between the numeric bounds of a count."""
    bounds = [(r.sign, Fraction(r.right.value({}))) for r in relations if r.left.text == name and not r.right.names]
    least = max(
        (floor(b) + 1 if sign == ">" else ceil(b) for sign, b in bounds if sign in {">", ">=", "=="}), default=0
    )
    most = min(
        (ceil(b) - 1 if sign == "<" else floor(b) for sign, b in bounds if sign in {"<", "<=", "=="}), default=least
    )
    if least > most:
        said = ", ".join(f"{r.sign} {r.right.text}" for r in relations)
        raise InputError(f"symbols.{name}", said, "bounds with a whole number between them: it counts queues")


def _read_asks(
    documents: Sequence[Any], queues: int, names: Mapping[str, Term | None], until: Term | None
) -> Iterator[Ask]:
    if not documents:
        raise InputError("ask", [], "at least one question")
    seen: set[tuple[Any, ...]] = set()
    for index, item in enumerate(documents):
        where = f"ask[{index}]"
        document = table(item, where)
        kinds = [key for key in document if key in ASKS]
        if len(kinds) != 1:
            raise InputError(where, dict(document), one_of(ASKS, next(iter(document), None)))
        (kind,) = kinds
        only_keys(document, (kind, *_TIMES) if ASKS[kind] else (kind,), f"{where}.")
        queue = document[kind]
        if kind in {"recovered", "period"} and queue is True:
            queue = 0
        each = list(queue) if kind == "first_drop" and isinstance(queue, list | tuple) and queue else [queue]
        for one in each:
            if isinstance(one, bool) or not isinstance(one, int) or not 0 <= one < queues:
                raise InputError(f"{where}.{kind}", queue, f"a class of queues from 0 to {queues - 1}")
        steady = document.get("at", "steady" if kind in LONG_RUN else None) == "steady"
        time = _read_time(document, where, names, until) if ASKS[kind] and not steady else None
        asked = Ask(kind, each[0], time, tuple(each[1:]), steady=steady)
        if steady and (until is not None or kind not in STEADY):
            accepted = f"a time: only {', '.join(STEADY)} become steady, in a family without an end"
            raise InputError(f"{where}.at", "steady", accepted)
        if kind in LONG_RUN and (not steady or "by" in document):
            raise InputError(f"{where}.{kind}", queue, '"steady" as its time: it is about the long run')
        question = (kind, *sorted(each), time and time.text) if kind not in {"recovered", "period"} else (kind,)
        if question in seen or len({*each}) < len(each):
            raise InputError(where, kind, "each question once")
        seen.add(question)
        yield asked


def _told_apart(asks: Sequence[Ask]) -> tuple[Ask, ...]:
    """Give the keys of questions of one kind the numbers of their classes, or their own numbers from 1."""
    found = []
    for ask in asks:
        alike = [other for other in asks if other.kind == ask.kind]
        classes = ["_".join(map(str, other.queues)) for other in alike]
        names = classes if len({*classes}) == len(alike) else [str(number + 1) for number in range(len(alike))]
        found.append(replace(ask, suffix=f"_{names[alike.index(ask)]}") if len(alike) > 1 else ask)
    return tuple(found)


def _read_time(document: Mapping[str, Any], where: str, names: Mapping[str, Term | None], until: Term | None) -> Term:
    """Read the time of a question; the default is the end."""
    given = [key for key in _TIMES if key in document]
    if len(given) > 1 or not (given or until):
        raise InputError(f"{where}.at", given or MISSING, 'one of "at" and "by", or an "until" of the family')
    if given:
        return read_term(document[given[0]], f"{where}.{given[0]}", names, TIME)
    assert until is not None
    return until
