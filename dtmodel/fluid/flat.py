"""Documents of scenarios in the arrays of the native core, without an object for each.

Lines of a file mostly have one form: a policy with thresholds in proportion to F, and the traffic of single queues.
`FlatScenario.read` takes valid documents of this form alone; `Scenario.read` reads all others, and names their errors.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, chain
from math import inf, lcm
from typing import Any, NamedTuple, Self, final

from dtmodel.base import units
from dtmodel.base.documents import identity, once, sequence
from dtmodel.base.errors import InputError
from dtmodel.fluid.batch import BESIDE, Ticks, apart, near, of_memory
from dtmodel.fluid.scenario import Scenario, alphas_of, read_policy
from dtmodel.native.library import loaded

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


class _Weights(NamedTuple):
    """The thresholds w F of queues, with w in units of 1 / `unit` and in floats, and the columns of the memory."""

    scaled: tuple[int, ...]
    unit: int
    slopes: list[float]
    memory: Mapping[str, list[float]]


def _read_weights(
    document: Mapping[str, Any], where: str, alphas: tuple[tuple[int, Any], ...], queues: int
) -> _Weights | None:
    policy = read_policy(document, where, alphas, queues).counting()
    form = policy.form(*policy.parts(Fraction(1), queues)) if policy.proportional else None
    if form is None:
        return None
    weights = [limit.slope for limit in policy.thresholds(queues) if limit is not None]
    unit = lcm(*(weight.denominator for weight in weights))
    scaled = tuple(weight.numerator * (unit // weight.denominator) for weight in weights)
    return _Weights(scaled, unit, [*map(float, weights)], of_memory(form))


def _columns(document: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the entries of a scenario by array; one of many errors if the document is of another form."""
    switch, queues = document["switch"], document["queues"]
    weights = once(_read_weights, document["policy"], alphas_of(queues), len(queues), where="policy.")
    known = document.keys() <= _TOP and switch.keys() <= _SWITCH and all(queue.keys() <= _QUEUE for queue in queues)
    if weights is None or not known or type(queues) is not list or len(queues) > units.count(switch["ports"], ""):
        raise LookupError
    until, speed = units.seconds(document["until"], "", positive=True), units.rate(switch["rate"], "", positive=True)
    buffer, n = units.bytes_(switch["buffer"], "", positive=True), len(queues)
    speeds = [units.rate(queue["rate"], "") if "rate" in queue else speed for queue in queues]
    steady = [queue.get("initial") == "steady" for queue in queues]
    run = _Instants(until)
    traffic = [*map(run.traffic, queues, speeds, steady)]
    kinds = dict[object, int]()
    places = ((rate.numerator, rate.denominator, weight) for rate, weight in zip(speeds, weights.scaled, strict=True))
    return weights.memory | {
        "buffer": [near(buffer)],
        "tick": [2.0**-run.ticks.exponent],
        "until": [run.ticks.of(until)],
        "sample_time": [run.sampled(time) for time in sequence(document.get("sample", []), "")],
        "rate": [*map(near, speeds)],
        "slope": weights.slopes,
        "offset": [0.0] * n,
        "initial": _lengths(queues, steady, weights, buffer),
        "reserve": [0.0] * n,
        "cap": [inf] * n,
        "count": [1.0] * n,
        "steady": steady,
        "kind": [kinds.setdefault(place, len(kinds)) for place in places],
        "piece_time": [*chain(*(times for times, _ in traffic))],
        "piece_rate": [*chain(*(rates for _, rates in traffic))],
        "piece_begin": [*accumulate(len(times) for times, _ in traffic)],
    }


def _lengths(
    queues: Sequence[Mapping[str, Any]], steady: Sequence[bool], weights: _Weights, buffer: Fraction
) -> list[float]:
    """Return the lengths at time 0; steady queues are at w F, and F is the room beside others over 1 + sum of w."""
    held = [0 if on else units.bytes_(q.get("initial", 0), "") for q, on in zip(queues, steady, strict=True)]
    room = buffer - sum(filter(None, held))
    if room < 0:
        raise ArithmeticError
    parts = [weight if on else 0 for weight, on in zip(weights.scaled, steady, strict=True)]
    over, under = room.numerator, room.denominator * (weights.unit + sum(parts))
    return [over * part / under if on else near(own) for on, part, own in zip(steady, parts, held, strict=True)]


@final
class _Instants:
    """The instants and rates of one run; an `ArithmeticError` for those that floats or ticks do not tell apart."""

    def __init__(self, until: Fraction) -> None:
        self.ticks, self.end = Ticks(until), near(until)
        self._times, self._rates = {self.end: until}, dict[float, Fraction]()

    def sampled(self, given: Any) -> int:
        """Return a sample time, at most the end of the run, in ticks."""
        tick = self.ticks.of(units.seconds(given, ""))
        if tick > self.ticks.of(self._times[self.end]):
            raise ArithmeticError
        return tick

    def traffic(self, queue: Mapping[str, Any], speed: Fraction, steady: bool) -> tuple[list[int], list[float]]:
        """Return the times in ticks, up to the end of the run, and rates of the traffic of a queue of rate `speed`."""
        own, last, times, rates = near(speed), -1.0, list[int](), list[float]()
        for piece in sequence(queue.get("arrivals", []), ""):
            start, given = piece if type(piece) is list else ()
            time, rate = units.seconds(start, ""), units.rate(given, "")
            instant, offered = apart(self._times, near(time), time), apart(self._rates, near(rate), rate)
            beside = abs(offered - own) * BESIDE < own and rate != speed
            if beside or instant <= last or (steady and last < 0 and (time or rate < speed)):
                raise ArithmeticError
            last = instant
            if instant <= self.end:
                times.append(self.ticks.of(time))
                rates.append(offered)
        if steady and last < 0:
            raise ArithmeticError
        return times, rates
