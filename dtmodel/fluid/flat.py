"""Documents of scenarios in the arrays of the native core, without an object for each.

Lines of a file mostly have one form: a policy with thresholds in proportion to F, and the traffic of single queues.
`FlatScenario.read` takes valid documents of this form alone; `Scenario.read` reads all others, and names their errors.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain
from math import inf, lcm
from operator import ge
from typing import Any, NamedTuple, Self

from dtmodel.base import units
from dtmodel.base.documents import identity, once
from dtmodel.base.errors import InputError
from dtmodel.base.vectors import floats
from dtmodel.fluid.batch import in_time, of_memory
from dtmodel.fluid.scenario import Scenario, alphas_of, read_policy
from dtmodel.native.library import loaded

_TOP = frozenset({"id", "switch", "policy", "queues", "until", "sample"})
_SWITCH, _QUEUE = frozenset({"ports", "buffer", "rate"}), frozenset({"arrivals", "initial", "rate", "alpha"})
_FIXED = {"offset": 0.0, "reserve": 0.0, "cap": inf, "count": 1.0}


class FlatScenario(NamedTuple):
    """A scenario in `columns`, the entries of the arrays of a `Batch`; `read_whole` makes it an object."""

    id: str | int
    columns: dict[str, list[Any]]
    read_whole: Callable[[], Scenario]

    @classmethod
    def read(cls, document: Mapping[str, Any], default_id: str | int) -> Self | None:
        """Read a document that is valid and of the common form; None if it may be another one."""
        whole = partial(Scenario.read, document, default_id)
        try:
            return cls(identity(document, default_id), _columns(document), whole) if loaded()[0] else None
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, InputError):
            return None


_Frame = tuple[Sequence[int], int, Mapping[str, list[Any]]]
"""The thresholds w F of queues: w in units, the units in 1; and the columns that a policy determines."""


def _read_frame(document: Mapping[str, Any], alphas: tuple[tuple[int, Any], ...], queues: int) -> _Frame | None:
    policy = read_policy(document, alphas, queues).counting()
    form = policy.form(*policy.parts(Fraction(1), queues)) if policy.proportional else None
    if form is None:
        return None
    ratios = [limit.slope.as_integer_ratio() for limit in policy.thresholds(queues) if limit is not None]
    unit, fixed = lcm(*(under for _, under in ratios)), {name: [number] * queues for name, number in _FIXED.items()}
    slopes = [over / under for over, under in ratios]
    return [over * (unit // under) for over, under in ratios], unit, of_memory(form) | {"slope": slopes} | fixed


def _columns(document: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the entries of a scenario by array; one of many errors if the document is of another form."""
    kinds: dict[object, int] = {}
    switch, queues = document["switch"], document["queues"]
    frame = once(_read_frame, document["policy"], alphas_of(queues), len(queues))
    fits = document.keys() <= _TOP and switch.keys() <= _SWITCH and _QUEUE.issuperset(chain(*queues))
    if frame is None or not fits or len(queues) > units.count(switch["ports"], "", least=1):
        raise LookupError
    buffer, speed = units.bytes_(switch["buffer"], "", positive=True), units.rate(switch["rate"], "", positive=True)
    until, sample = units.seconds(document["until"], "", positive=True), document.get("sample", [])
    pieces = [queue.get("arrivals", []) for queue in queues]
    if {*map(type, (queues, sample, *pieces)), *map(type, chain(*pieces))} != {list}:
        raise LookupError
    begun = [[units.seconds(time, "") for time, _ in each] for each in pieces]
    offered = [[units.rate(rate, "") for _, rate in each] for each in pieces]
    exact = [units.rate(queue["rate"], "") if "rate" in queue else speed for queue in queues]
    traffic = [*zip(begun, offered, exact, strict=True)]
    times = in_time(until, [units.seconds(time, "") for time in sample], traffic)
    rates, steady = [rate.as_integer_ratio() for rate in exact], [q.get("initial") == "steady" for q in queues]
    speeds = [over / under for over, under in rates]
    if max(times["sample_time"], default=0) > times["until"][0]:
        raise LookupError
    for on, begin, own, (at, _, _) in zip(steady, [0, *times["piece_begin"]], speeds, traffic, strict=False):
        if any(map(ge, at, at[1:])) or (on and (at[0] or times["piece_rate"][begin] < own)):
            raise LookupError
    weights, unit, columns = frame
    return {
        **columns,
        "buffer": [floats(buffer)],
        "rate": speeds,
        "initial": _lengths(queues, steady, weights, unit, buffer),
        "steady": steady,
        "kind": [kinds.setdefault(place, len(kinds)) for place in zip(rates, weights, strict=True)],
        **times,
    }


def _lengths(
    queues: Sequence[Any], steady: Sequence[bool], weights: Sequence[int], unit: int, buffer: Fraction
) -> list[float]:
    """Return the lengths at time 0; steady queues are at w F, and F is the room beside others over 1 + sum of w."""
    given = zip(queues, steady, strict=True)
    held = [units.bytes_(queue["initial"], "") if not on and "initial" in queue else 0 for queue, on in given]
    room = buffer - sum(held) if any(held) else buffer
    parts = [weight if on else 0 for weight, on in zip(weights, steady, strict=True)]
    over, under = room.numerator, room.denominator * (unit + sum(parts))
    if over < 0:
        raise ArithmeticError
    return [over * w / under if w else floats(own) for w, own in zip(parts, held, strict=True)]
