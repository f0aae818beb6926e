"""Documents of scenarios in the arrays of the native core, without an object for each.

Lines of a file mostly have one form: a policy with thresholds in proportion to F, and the traffic of single queues.
`FlatScenario.read` takes valid documents of this form alone; `Scenario.read` reads all others, and names their errors.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf, lcm
from typing import Any, NamedTuple, Self, final

from dtmodel.base import units
from dtmodel.base.documents import identity, once, sequence
from dtmodel.base.errors import InputError
from dtmodel.fluid.batch import BESIDE, Ticks, of_memory
from dtmodel.fluid.scenario import Scenario, alphas_of, read_policy
from dtmodel.native.library import loaded

_ZERO = Fraction(0)
_TOP = frozenset({"id", "switch", "policy", "queues", "until", "sample"})
_SWITCH, _QUEUE = frozenset({"ports", "buffer", "rate"}), frozenset({"arrivals", "initial", "rate", "alpha"})


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

    scaled: tuple[int, ...]
    unit: int
    columns: Mapping[str, list[Any]]


def _read_frame(
    document: Mapping[str, Any], where: str, alphas: tuple[tuple[int, Any], ...], queues: int
) -> _Frame | None:
    policy = read_policy(document, where, alphas, queues).counting()
    form = policy.form(*policy.parts(Fraction(1), queues)) if policy.proportional else None
    if form is None:
        return None
    weights = [limit.slope for limit in policy.thresholds(queues) if limit is not None]
    unit = lcm(*(weight.denominator for weight in weights))
    scaled = tuple(weight.numerator * (unit // weight.denominator) for weight in weights)
    fixed = {"offset": 0.0, "reserve": 0.0, "cap": inf, "count": 1.0}
    columns = {"slope": [*map(float, weights)]} | {name: [number] * queues for name, number in fixed.items()}
    return _Frame(scaled, unit, of_memory(form) | columns)


def _columns(document: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the entries of a scenario by array; one of many errors if the document is of another form."""
    switch, queues = document["switch"], document["queues"]
    frame = once(_read_frame, document["policy"], alphas_of(queues), len(queues), where="policy.")
    known = document.keys() <= _TOP and switch.keys() <= _SWITCH and all(queue.keys() <= _QUEUE for queue in queues)
    if (
        frame is None
        or not known
        or type(queues) is not list
        or len(queues) > units.count(switch["ports"], "", least=1)
    ):
        raise LookupError
    speed = units.rate(switch["rate"], "", positive=True)
    speeds = [units.rate(queue["rate"], "") if "rate" in queue else speed for queue in queues]
    rates = [rate.as_integer_ratio() for rate in speeds]
    kinds, places = dict[object, int](), zip(rates, frame.scaled, strict=True)
    buffer, steady = units.bytes_(switch["buffer"], "", positive=True), [q.get("initial") == "steady" for q in queues]
    traffic = _Traffic(document["until"])
    for each in zip(queues, speeds, steady, strict=True):
        traffic.add(*each)
    return {
        **frame.columns,
        "buffer": [buffer.numerator / buffer.denominator],
        "rate": [over / under for over, under in rates],
        "initial": _lengths(queues, steady, frame, buffer),
        "steady": steady,
        "kind": [kinds.setdefault(place, len(kinds)) for place in places],
        **traffic.columns(sequence(document.get("sample", []), "")),
    }


def _lengths(
    queues: Sequence[Mapping[str, Any]], steady: Sequence[bool], frame: _Frame, buffer: Fraction
) -> list[float]:
    """Return the lengths at time 0; steady queues are at w F, and F is the room beside others over 1 + sum of w."""
    held = [_ZERO if on else units.bytes_(q.get("initial", 0), "") for q, on in zip(queues, steady, strict=True)]
    room = buffer - sum(held) if any(held) else buffer
    parts = [weight if on else 0 for weight, on in zip(frame.scaled, steady, strict=True)]
    over, under = room.numerator, room.denominator * (frame.unit + sum(parts))
    if over < 0:
        raise ArithmeticError
    return [over * w / under if w else own.numerator / own.denominator for w, own in zip(parts, held, strict=True)]


@final
class _Traffic:
    """The instants and rates of one run, each as it is given, exact, and as a float."""

    def __init__(self, until: Any) -> None:
        self.until = units.seconds(until, "", positive=True)
        self.end = self.until.numerator / self.until.denominator
        self.times, self.rates = [(until, self.until, self.end)], [("0", _ZERO, 0.0)]
        self.kept, self.offered, self.ends = list[Fraction](), list[float](), list[int]()

    def add(self, queue: Mapping[str, Any], speed: Fraction, steady: bool) -> None:
        """Add the traffic of a queue of rate `speed`; `ArithmeticError` if its times or rates need a closer look."""
        own, last = speed.numerator / speed.denominator, -1.0
        for piece in sequence(queue.get("arrivals", []), ""):
            start, offer = sequence(piece, "")
            time, rate = units.seconds(start, ""), units.rate(offer, "")
            at, near = time.numerator / time.denominator, rate.numerator / rate.denominator
            beside = abs(near - own) * BESIDE < own and rate != speed
            if beside or at <= last or (steady and last < 0 and (time or rate < speed)):
                raise ArithmeticError
            last = at
            self.times.append((start, time, at))
            self.rates.append((offer, rate, near))
            if at <= self.end:
                self.kept.append(time)
                self.offered.append(near)
        if steady and last < 0:
            raise ArithmeticError
        self.ends.append(len(self.kept))

    def columns(self, sample: Sequence[Any]) -> dict[str, list[Any]]:
        """Return the entries of traffic and of the times to `sample`; or `ArithmeticError`, for the careful reader."""
        ticks, exact = Ticks(self.until), [self.until, *(units.seconds(time, "") for time in sample), *self.kept]
        counted = [*map(ticks.rounded, exact)]
        given, *times = zip(*self.times, strict=True)
        _told_apart(given, *times)
        _told_apart(*zip(*self.rates, strict=True))
        _told_apart(("0", *sample, *given), [_ZERO, *exact], [0, *counted])
        if max(counted) > counted[0]:
            raise ArithmeticError
        first = len(sample) + 1
        return {
            "tick": [2.0**-ticks.exponent],
            "until": counted[:1],
            "sample_time": counted[1:first],
            "piece_time": counted[first:],
            "piece_rate": self.offered,
            "piece_begin": self.ends,
        }


def _told_apart(given: Sequence[Any], exact: Sequence[Fraction], rounded: Sequence[float]) -> None:
    """Raise `ArithmeticError` if two numbers are rounded to one; equal numbers are mostly written alike."""
    if len({*rounded}) < len({*given}) and len({*rounded}) < len({*exact}):
        raise ArithmeticError
