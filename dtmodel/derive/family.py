"""A family of scenarios: the document of `dtmodel derive`, read and validated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from keyword import iskeyword
from math import ceil, floor
from typing import Any

from dtmodel import units
from dtmodel.derive.domain import FREE, LENGTH, TIME, Grade, definitions
from dtmodel.derive.language import Relation, Term, read_expression, read_symbols
from dtmodel.documents import choice, identity, only_keys, only_version_1, sequence, table
from dtmodel.errors import InputError
from dtmodel.weights import NORMALISATIONS

COUNT: Grade = (1, 0, -1)
SLOPE: Grade = (-1, 0, 1)
RATE: Grade = (0, -1, 1)
PURE: Grade = (0, 0, 0)
_NAME = re.compile("[A-Za-z][A-Za-z0-9]*(_+[A-Za-z0-9]+)*")
_UNITS = {FREE: units.bytes_, LENGTH: units.bytes_, TIME: units.seconds, RATE: units.rate}

ASKS: Mapping[str, bool] = {"first_drop": False, "dropped": True, "length": True, "threshold": True, "recovered": False}
"""The questions, and whether they are about a time."""
_TIMES = ("at", "by")


@dataclass(frozen=True)
class QueueClass:
    """`count` identical queues: their arrivals (time, rate), initial length (None: steady) and rate (None: C)."""

    count: Term
    arrivals: tuple[tuple[Term, Term], ...]
    initial: Term | None
    rate: Term | None


@dataclass(frozen=True)
class PolicyTerms:
    """A policy by name, with its parameters as expressions: one for the policy, or one for each class.

    `priorities` are those of ABM's classes, `normalisation` is L2BM's.
    """

    name: str
    common: Mapping[str, Term | None]
    each: Mapping[str, tuple[Term | None, ...]]
    priorities: tuple[int, ...] = ()
    normalisation: str = "sum"


@dataclass(frozen=True)
class Ask:
    """A question: its kind, the class that it is about, and the time where it needs one."""

    kind: str
    queue: int
    time: Term | None


@dataclass(frozen=True)
class Family:
    """What `dtmodel derive` is asked: symbols with domains, a policy, classes of queues, questions.

    >>> family = read_family({"symbols": {"B": "> 0", "C": "> 0", "R": "> C"}, "policy": {"name": "complete"},
    ...     "switch": {"buffer": "B", "rate": "C"}, "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}]})
    >>> family.queues[0].count.text, family.asks[0].kind
    ('1', 'first_drop')
    """

    id: str | int | None
    symbols: dict[str, tuple[Relation, ...]]
    policy: PolicyTerms
    buffer: Term
    rate: Term
    until: Term | None
    queues: tuple[QueueClass, ...]
    asks: tuple[Ask, ...]

    @property
    def defined(self) -> dict[str, Term]:
        """The symbols that ``==`` defines, each by symbols that are not."""
        return definitions(self.symbols)

    def graded(self) -> Iterator[tuple[Term, Grade]]:
        """Yield every expression with what it measures."""
        yield self.buffer, FREE
        yield self.rate, RATE
        if self.until is not None:
            yield self.until, TIME
        for queue in self.queues:
            yield queue.count, COUNT
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
        yield from _policy_grades(self.policy)


_COMMON: Mapping[str, Mapping[str, Grade]] = {
    "dt": {},
    "edt": {"cn2": LENGTH, "tm1": TIME, "tm2": TIME},
    "complete": {},
    "static": {},
    "weighted": {},
    "abm": {},
    "l2bm": {"alpha": SLOPE},
    "pools": {},
}
_EACH: Mapping[str, Mapping[str, Grade]] = {
    "dt": {"alpha": SLOPE},
    "edt": {"alpha": SLOPE},
    "complete": {},
    "static": {"sizes": LENGTH},
    "weighted": {"weights": SLOPE},
    "abm": {"alphas": PURE, "drains": PURE},
    "l2bm": {"sojourns": TIME},
    "pools": {"alpha": SLOPE, "reserved": LENGTH, "cap": LENGTH},
}


def _policy_grades(policy: PolicyTerms) -> Iterator[tuple[Term, Grade]]:
    for key, value in policy.common.items():
        if value is not None:
            # A sum of sojourn times counts queues, and alpha makes up for it; their means do not.
            summed = policy.name == "l2bm" and policy.normalisation == "sum"
            yield value, (-2, 0, 2) if summed else _COMMON[policy.name][key]
    for key, values in policy.each.items():
        for value in values:
            if value is not None:
                yield value, _EACH[policy.name][key]


def read_family(document: Mapping[str, Any]) -> Family:
    """Read a family from its document.

    Raises `InputError` if a key, a symbol, an expression or a question is not accepted.
    """
    document = table(document, "document")
    only_keys(document, ("id", "version", "symbols", "policy", "switch", "until", "queues", "ask"), "")
    only_version_1(document)
    for key in ("symbols", "policy", "switch", "queues", "ask"):
        if key not in document:
            raise InputError(key, "nothing", "a value: it is required")
    declared = table(document["symbols"], "symbols")
    for name in declared:
        if not isinstance(name, str) or not _NAME.fullmatch(name) or iskeyword(name) or name == "never":
            raise InputError("symbols", name, "names of letters, digits and inner underscores that Python does not use")
    symbols, names = read_symbols(declared)
    switch = table(document["switch"], "switch")
    only_keys(switch, ("buffer", "rate"), "switch.")
    buffer = _read_term(switch.get("buffer"), "switch.buffer", names, FREE)
    rate = _read_term(switch.get("rate"), "switch.rate", names, RATE)
    queues = tuple(
        _read_queue(table(queue, f"queues[{i}]"), f"queues[{i}].", names)
        for i, queue in enumerate(sequence(document["queues"], "queues"))
    )
    if not queues:
        raise InputError("queues", [], "at least one class of queues")
    policy = _read_policy(table(document["policy"], "policy"), len(queues), names)
    for name in {queue.count.text for queue in queues} & symbols.keys():
        _refuse_no_whole_number(name, symbols[name])
    for index, queue in enumerate(queues):
        if queue.initial is None and policy.name == "complete":
            raise InputError(f"queues[{index}].initial", "steady", "a length: complete sharing has no thresholds")
        if queue.initial is None and not queue.arrivals:
            raise InputError(f"queues[{index}].arrivals", [], "a rate from time 0 on, since the queue is steady")
    until = None if document.get("until") is None else _read_term(document["until"], "until", names, TIME)
    return Family(
        identity(document) if "id" in document else None,
        symbols,
        policy,
        buffer,
        rate,
        until,
        queues,
        tuple(_read_asks(sequence(document["ask"], "ask"), len(queues), names, until)),
    )


def _read_term(value: Any, field: str, names: Mapping[str, Term | None], grade: Grade) -> Term:
    """Read an expression, or a number with the unit of what it is: ``"1/2 MB"``, ``"100 Gbps"``, ``"2 ms"``."""
    if grade in _UNITS and units.has_unit(value):
        value = _UNITS[grade](value, field)
    return read_expression(value, field, names)


def _read_queue(document: Mapping[str, Any], where: str, names: Mapping[str, Term | None]) -> QueueClass:
    only_keys(document, ("count", "arrivals", "initial", "rate"), where)
    arrivals = []
    for index, piece in enumerate(sequence(document.get("arrivals", []), f"{where}arrivals")):
        field = f"{where}arrivals[{index}]"
        pair = sequence(piece, field)
        if len(pair) != 2:
            raise InputError(field, piece, "a pair of a time and a rate")
        arrivals.append((_read_term(pair[0], field, names, TIME), _read_term(pair[1], field, names, RATE)))
    initial = document.get("initial", 0)
    own, count = document.get("rate"), read_expression(document.get("count", 1), f"{where}count", names)
    if not count.names and Fraction(count.value({})).denominator != 1:
        raise InputError(f"{where}count", units.plain(count.value({})), "a whole number of queues, or one with symbols")
    return QueueClass(
        count,
        tuple(arrivals),
        None if initial == "steady" else _read_term(initial, f"{where}initial", names, LENGTH),
        None if own is None else _read_term(own, f"{where}rate", names, RATE),
    )


def _refuse_no_whole_number(name: str, relations: Sequence[Relation]) -> None:
    """Refuse the domain of a count if its bounds that are numbers leave none that is whole."""
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


def _read_policy(document: Mapping[str, Any], queues: int, names: Mapping[str, Term | None]) -> PolicyTerms:
    name = choice(document.get("name"), "policy.name", tuple(_EACH))
    if name == "pools":
        return _read_pools(document, queues, names)
    common, each = _COMMON[name], _EACH[name]
    own = {"abm": ("priorities",), "l2bm": ("normalisation",)}.get(name, ())
    only_keys(document, ("name", *common, *each, *own), "policy.")
    optional = {"tm1", "tm2"}
    priorities = _read_priorities(document, queues) if name == "abm" else ()
    normalisation = choice(document.get("normalisation", "sum"), "policy.normalisation", NORMALISATIONS)

    def one(value: Any, key: str, field: str) -> Term | None:
        if value is None and key in optional:
            return None
        return _read_term(value, field, names, {**common, **each}[key])

    def several(key: str) -> tuple[Term | None, ...]:
        value = document.get(key)
        if key == "alphas" and isinstance(value, list | tuple):  # one for each priority
            if len(value) <= max(priorities):
                raise InputError("policy.alphas", value, f"one for each of the priorities up to {max(priorities)}")
            return tuple(one(value[p], key, f"policy.alphas[{p}]") for p in priorities)
        if not isinstance(value, list | tuple):
            return (one(value, key, f"policy.{key}"),) * queues
        if len(value) != queues:
            raise InputError(f"policy.{key}", value, f"one for each of the {queues} classes of queues")
        return tuple(one(item, key, f"policy.{key}[{index}]") for index, item in enumerate(value))

    return PolicyTerms(
        name,
        {key: one(document.get(key), key, f"policy.{key}") for key in common},
        {key: several(key) for key in each},
        priorities,
        normalisation,
    )


def _read_priorities(document: Mapping[str, Any], queues: int) -> tuple[int, ...]:
    """Read ABM's priority of each class; all are 0 unless the document says otherwise."""
    listed = sequence(document.get("priorities", [0] * queues), "policy.priorities")
    if len(listed) != queues:
        raise InputError("policy.priorities", listed, f"one for each of the {queues} classes of queues")
    return tuple(units.count(value, f"policy.priorities[{index}]") for index, value in enumerate(listed))


def _read_pools(document: Mapping[str, Any], queues: int, names: Mapping[str, Term | None]) -> PolicyTerms:
    """Read reserves and caps, as a scenario writes them: one entry of ``limits`` for each class."""
    only_keys(document, ("name", "limits"), "policy.")
    limits = sequence(document.get("limits"), "policy.limits")
    if len(limits) != queues:
        raise InputError("policy.limits", limits, f"one for each of the {queues} classes of queues")
    each: dict[str, list[Term | None]] = {key: [] for key in _EACH["pools"]}
    for index, item in enumerate(limits):
        where = f"policy.limits[{index}]"
        limit = table(item, where)
        only_keys(limit, tuple(each), f"{where}.")
        if limit.get("alpha") is None and limit.get("cap") is None:
            raise InputError(f"{where}.cap", "nothing", "a static limit for a class without alpha")
        for key, values in each.items():
            value = limit.get(key)
            values.append(None if value is None else _read_term(value, f"{where}.{key}", names, _EACH["pools"][key]))
    if len({value is None for value in each["alpha"]}) > 1:
        raise InputError("policy.limits", limits, "an alpha for every class, or for none")
    return PolicyTerms("pools", {}, {key: tuple(values) for key, values in each.items()})


def _read_asks(
    documents: Sequence[Any], queues: int, names: Mapping[str, Term | None], until: Term | None
) -> Iterator[Ask]:
    if not documents:
        raise InputError("ask", [], "at least one question")
    seen: set[str] = set()
    for index, item in enumerate(documents):
        where = f"ask[{index}]"
        document = table(item, where)
        kinds = [key for key in document if key in ASKS]
        if len(kinds) != 1:
            raise InputError(where, dict(document), f"one of {', '.join(ASKS)}")
        (kind,) = kinds
        only_keys(document, (kind, *_TIMES) if ASKS[kind] else (kind,), f"{where}.")
        queue = document[kind]
        if kind == "recovered" and queue is True:
            queue = 0
        if isinstance(queue, bool) or not isinstance(queue, int) or not 0 <= queue < queues:
            raise InputError(f"{where}.{kind}", queue, f"a class of queues from 0 to {queues - 1}")
        if kind in seen:
            raise InputError(where, kind, "each question once")
        seen.add(kind)
        yield Ask(kind, queue, _read_time(document, where, names, until) if ASKS[kind] else None)


def _read_time(document: Mapping[str, Any], where: str, names: Mapping[str, Term | None], until: Term | None) -> Term:
    """Read the time that a question is about; by default the end."""
    given = [key for key in _TIMES if key in document]
    if len(given) > 1 or not (given or until):
        raise InputError(f"{where}.at", given or "nothing", "one time, at or by which: the family has no until")
    if given:
        return _read_term(document[given[0]], f"{where}.{given[0]}", names, TIME)
    assert until is not None
    return until
