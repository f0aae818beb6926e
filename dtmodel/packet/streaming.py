"""The answer to a trace request as it comes: step by step, in constant memory, or collected for as long as it fits."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel.documents import collected
from dtmodel.errors import InputError
from dtmodel.rationals import EXACT
from dtmodel.units import plain, seconds


@dataclass(frozen=True)
class TraceStream:
    """The steps of a trace, which are made when they are asked for, once.

    Parameters
    ----------
    id : str or int
        The request's.
    steps : iterator of mapping
        One for each event.
    final : callable
        Describes the final state, once the steps are over.
    brief : iterator of mapping, optional
        The same steps, to be asked for instead, with what many entries share said once.

    Examples
    --------
    >>> steps = [{"decision": "enqueue", "queues": ["1", "5"]}, {"decision": "depart", "queues": ["0", "5"]}]
    >>> list(TraceStream("a", iter(steps), dict).changes().steps)[1]
    {'decision': 'depart', 'queues': {'1': '0'}}
    """

    id: str | int
    steps: Iterator[Mapping[str, Any]]
    final: Callable[[], Mapping[str, Any]]
    brief: Iterator[Mapping[str, Any]] | None = None

    def collect(self) -> dict[str, Any]:
        """Return the whole answer, if it is within the budget ``output``.

        Raises
        ------
        BudgetError
            If it is not.
        """
        return {"id": self.id, "steps": collected(self.steps, "events"), "final": self.final()}

    def changes(self) -> "TraceStream":
        """Leave out of the lists of a step whatever is as it was in the step before; entries count from 1."""
        return TraceStream(self.id, _changes(self.steps if self.brief is None else self.brief), self.final)


def in_order(value: object, field: str, last: Fraction) -> Fraction:
    """Read the time of an event, which is not before `last`, that of the event before it.

    `value`: what was given. `field`: what an error calls it.

    >>> in_order("2 s", "events[1][1]", Fraction(1)) == 2
    True
    """
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
