"""The answer to a trace request: step by step in constant memory, or collected within the output budget."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel.base.documents import choice, collected, only_keys, only_version_1
from dtmodel.base.errors import InputError
from dtmodel.base.rationals import EXACT
from dtmodel.base.schemas import declared
from dtmodel.base.units import count, plain, seconds


@dataclass(frozen=True)
class TraceStream:
    """The steps of a trace, computed on demand; they can be iterated once.

    - `id` (str or int): the request's.
    - `steps`, `brief` (iterator of mapping): a step for each event; optionally, an alternative in which values shared
      by many entries appear once.
    - `final` (callable): returns the final state after the last step.

    >>> steps = [{"decision": "enqueue", "queues": ["1", "5"]}, {"decision": "depart", "queues": ["0", "5"]}]
    >>> list(TraceStream("a", iter(steps), dict).changes().steps)[1]
    {'decision': 'depart', 'queues': {'1': '0'}}
    """

    id: str | int
    steps: Iterator[Mapping[str, Any]]
    final: Callable[[], Mapping[str, Any]]
    brief: Iterator[Mapping[str, Any]] | None = None

    def collect(self) -> dict[str, Any]:
        """Return the whole answer, or raise `BudgetError` if it exceeds the budget ``output``."""
        return {"id": self.id, "steps": collected(self.steps, "events"), "final": self.final()}

    def changes(self) -> "TraceStream":
        """Reduce the lists of each step to the entries that differ from the step before, by number from 1."""
        return TraceStream(self.id, _changes(self.steps if self.brief is None else self.brief), self.final)


def check_head(request: Mapping[str, Any], algorithm: str) -> None:
    """Raise `InputError` if a trace request has an unknown key, another version or another algorithm."""
    only_keys(request, declared(f"trace-{algorithm}").allowed, "")
    only_version_1(request)
    choice(request.get("algorithm", algorithm), "algorithm", (algorithm,))


def outcome(decision: str, reason: str, packet: int | None = None, victim: int | None = None) -> dict[str, Any]:
    """Return the entries that the steps of every algorithm have."""
    return {"decision": decision, "reason": reason, "victim": victim, "packet": packet}


def numbered(value: object, field: str, what: str, most: int) -> int:
    """Return the index, from 0, of a queue or port that counts from 1."""
    accepted = f"a {what} from 1 to {most}"
    try:
        number = count(value, field, least=1)
    except InputError:
        raise InputError(field, value, accepted) from None
    if number > most:
        raise InputError(field, value, accepted)
    return number - 1


def in_order(value: object, field: str, last: Fraction) -> Fraction:
    """Read the time of an event and check that it is at least `last`, the time of the event before it."""
    now: Fraction = EXACT(seconds(value, field))
    if now < last:
        raise InputError(field, value, f"a time of at least {plain(last)}: events come in the order of time")
    return now


def _changes(steps: Iterator[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    before: Mapping[str, Any] = {}
    for step in steps:
        yield {
            key: _changed(before.get(key), value) if isinstance(value, list) else value for key, value in step.items()
        }
        before = step


def _changed(before: list[Any] | None, now: list[Any]) -> dict[str, Any]:
    if before is None:
        return {str(number): value for number, value in enumerate(now, 1)}
    return {
        str(number): {key: value for key, value in new.items() if old[key] != value} if isinstance(new, dict) else new
        for number, (old, new) in enumerate(zip(before, now, strict=True), 1)
        if old is not new and old != new
    }
