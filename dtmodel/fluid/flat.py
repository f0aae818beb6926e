"""Documents of scenarios in the arrays of the native core, without an object for each.

Lines of a file mostly have one form: a policy with thresholds in proportion to F, and the traffic of single queues.
`FlatScenario.read` takes valid documents of this form alone; `Scenario.read` reads all others, and names their errors.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, chain
from math import inf, lcm
from typing import Any, NamedTuple, Self

from dtmodel.base import units
from dtmodel.base.documents import identity, once, sequence
from dtmodel.base.errors import InputError
from dtmodel.fluid.batch import BESIDE, Ticks, of_memory
from dtmodel.fluid.scenario import Scenario, alphas_of, read_policy
from dtmodel.native.library import loaded

_TOP = frozenset({"id", "switch", "policy", "queues", "until", "sample"})
_SWITCH, _QUEUE = frozenset({"ports", "buffer", "rate"}), frozenset({"arrivals", "initial", "rate", "alpha"})
_FIXED = {"offset": 0.0, "reserve": 0.0, "cap": inf, "count": 1.0}


class FlatScenario(NamedTuple):
    """A scenario in `columns`, the entries of the arrays of a `Batch`, and the document that has its `id`."""

    id: str | int
    columns: dict[str, list[Any]]
    document: Mapping[str, Any]

    @classmethod
    def read(cls, document: Mapping[str, Any], default_id: str | int) -> Self | None:
        """Read a document that is valid and of the common form; None if it may be another one."""
        try:
            return cls(identity(document, default_id), _columns(document), document) if loaded()[0] else None
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, InputError):
            return None

    def scenario(self) -> Scenario:
        """Return the scenario as an object."""
        return Scenario.read(self.document, self.id)


class _Frame(NamedTuple):
    """The thresholds w F of queues, with w in units of 1 / `unit`, and the columns that a policy determines."""

    scaled: Sequence[int]
    unit: int
    columns: Mapping[str, list[Any]]


def _read_frame(
    document: Mapping[str, Any], where: str, alphas: tuple[tuple[int, Any], ...], queues: int
) -> _Frame | None:
    policy = read_policy(document, where, alphas, queues).counting()
    form = policy.form(*policy.parts(Fraction(1), queues)) if policy.proportional else None
    if form is None:
        return None
    ratios = [limit.slope.as_integer_ratio() for limit in policy.thresholds(queues) if limit is not None]
    unit, fixed = lcm(*(under for _, under in ratios)), {name: [number] * queues for name, number in _FIXED.items()}
    slopes = [over / under for over, under in ratios]
    return _Frame([over * (unit // under) for over, under in ratios], unit, of_memory(form) | {"slope": slopes} | fixed)


def _columns(document: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the entries of a scenario by array; one of many errors if the document is of another form."""
    switch, queues, kinds = document["switch"], document["queues"], dict[object, int]()
    frame = once(_read_frame, document["policy"], alphas_of(queues), len(queues), where="policy.")
    known = document.keys() <= _TOP and switch.keys() <= _SWITCH and all(queue.keys() <= _QUEUE for queue in queues)
    if (
        frame is None
        or not known
        or type(queues) is not list
        or len(queues) > units.count(switch["ports"], "", least=1)
    ):
        raise LookupError
    buffer, speed = units.bytes_(switch["buffer"], "", positive=True), units.rate(switch["rate"], "", positive=True)
    speeds = [units.rate(queue["rate"], "") if "rate" in queue else speed for queue in queues]
    rates, steady = [rate.as_integer_ratio() for rate in speeds], [q.get("initial") == "steady" for q in queues]
    return {
        **frame.columns,
        "buffer": [buffer.numerator / buffer.denominator],
        "rate": [over / under for over, under in rates],
        "initial": _lengths(queues, steady, frame, buffer),
        "steady": steady,
        "kind": [kinds.setdefault(place, len(kinds)) for place in zip(rates, frame.scaled, strict=True)],
        **_in_time(document, [*map(_pieces, queues, speeds, steady)]),
    }


def _lengths(queues: Sequence[Any], steady: Sequence[bool], frame: _Frame, buffer: Fraction) -> list[float]:
    """Return the lengths at time 0; steady queues are at w F, and F is the room beside others over 1 + sum of w."""
    held = [units.bytes_(0 if on else q.get("initial", 0), "") for q, on in zip(queues, steady, strict=True)]
    room = buffer - sum(held) if any(held) else buffer
    parts = [weight if on else 0 for weight, on in zip(frame.scaled, steady, strict=True)]
    over, under = room.numerator, room.denominator * (frame.unit + sum(parts))
    if over < 0:
        raise ArithmeticError
    return [over * w / under if w else own.numerator / own.denominator for w, own in zip(parts, held, strict=True)]


def _pieces(queue: Mapping[str, Any], speed: Fraction, steady: bool) -> list[tuple[Fraction, float, Fraction, float]]:
    """Return times and rates of traffic, exact and in floats; `ArithmeticError` if `Scenario.read` must look closer."""
    own, last, pieces = speed.numerator / speed.denominator, -1.0, list[tuple[Fraction, float, Fraction, float]]()
    for piece in sequence(queue.get("arrivals", []), ""):
        start, offer = sequence(piece, "")
        time, rate = units.seconds(start, ""), units.rate(offer, "")
        at, offered = time.numerator / time.denominator, rate.numerator / rate.denominator
        beside = abs(offered - own) * BESIDE < own and rate != speed
        if beside or at <= last or (steady and not pieces and (time or rate < speed)):
            raise ArithmeticError
        last = at
        pieces.append((time, at, rate, offered))
    if steady and not pieces:
        raise ArithmeticError
    return pieces


def _in_time(
    document: Mapping[str, Any], pieces: Sequence[Sequence[tuple[Fraction, float, Fraction, float]]]
) -> dict[str, list[Any]]:
    """Return the entries of times and of the rates then; `ArithmeticError` if two numbers are rounded to one."""
    until, sample = units.seconds(document["until"], "", positive=True), sequence(document.get("sample", []), "")
    ticks, end, first = Ticks(until), until.numerator / until.denominator, len(sample) + 1
    kept, every = [[piece for piece in each if piece[1] <= end] for each in pieces], [*chain(*pieces)]
    exact = [until, *(units.seconds(time, "") for time in sample), *(piece[0] for piece in chain(*kept))]
    counted = [*map(ticks.rounded, exact)]
    _told_apart([until, *(piece[0] for piece in every)], [end, *(piece[1] for piece in every)])
    _told_apart([piece[2] for piece in every], [piece[3] for piece in every])
    _told_apart([Fraction(0), *exact], [0, *counted])
    if max(counted) > counted[0]:
        raise ArithmeticError
    return {
        "tick": [2.0**-ticks.exponent],
        "until": counted[:1],
        "sample_time": counted[1:first],
        "piece_time": counted[first:],
        "piece_rate": [piece[3] for piece in chain(*kept)],
        "piece_begin": [*accumulate(map(len, kept))],
    }


def _told_apart(exact: list[Fraction], rounded: Sequence[float]) -> None:
    if [*map(dict[float, Fraction]().setdefault, rounded, exact)] != exact:
        raise ArithmeticError
