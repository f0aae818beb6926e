"""Scenarios in flat arrays for the native core, and the results that the core writes."""

import ctypes
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import accumulate, chain, compress
from math import frexp, inf, isnan
from operator import and_
from typing import Any, NamedTuple, final

from dtmodel.base import budgets
from dtmodel.base.errors import InputError
from dtmodel.base.vectors import Vector, distinct, enclosed, floats, holds, key_of, vector
from dtmodel.fluid.scenario import Scenario, of_equal
from dtmodel.native.library import ARRAYS, Arrays, loaded
from dtmodel.policies.memory import Form
from dtmodel.policies.policy import Part, Policy
from dtmodel.policies.threshold import Threshold

DONE, UNDECIDED = 0, 4
_INTEGERS = (
    "queue_begin", "piece_begin", "sample_begin", "length_begin", "number_begin", "residue", "until", "piece_time",
    "sample_time",
)  # fmt: skip
TYPES = {"steady": "b", "status": "i", "form": "i", "events": "q", **dict.fromkeys(_INTEGERS, "q")}
_OF_QUEUE = ("rate", "slope", "offset", "initial", "reserve", "cap", "count")
_PRIME = 2**61 - 1
_STEEP = 2.0**19
"""The largest slope of a threshold at which a float of F gives the length of a queue within 1e-9 of the buffer."""
BESIDE = 2**16 / 1.001
"""Floats decide nothing about a rate if the gap to the rate of its queue is this small a part of the latter."""
_AFTER = 2**62
"""Ticks after every run."""
_NUMBERS = {"plain": 0, "counters": 1, "complete": 2, "caps": 3}
"""The numbers by which the core identifies the forms of a memory; reserves without caps run as caps."""
Traffic = tuple[Sequence[Any], Sequence[Any], Any]
"""The times and the rates of the arrivals of a queue, and the rate of the queue."""


def can_run(scenario: Scenario) -> bool:
    """Return True if the native core is installed and runs scenarios of this policy."""
    return loaded()[0] is not None and None not in _layout(scenario)[1]


def _form_of_each(
    policy: Policy, buffer: Fraction, n: int, lumped: tuple[tuple[int, ...], ...]
) -> tuple[tuple[Part, ...], list[Form | None]]:
    """Return the parts of the buffer, and the form of the memory of each; None if the core cannot run that part."""
    parts, limits, found = tuple(policy.parts(buffer, n, *lumped)), policy.thresholds(n), list[Form | None]()
    for part in parts:
        form = policy.form(part)
        unbounded = form is not None and form.name == "complete"
        if any((limits[queue] is None) != unbounded for queue in part.queues):
            form = None
        capped = any(limit is not None and limit.cap is not None for limit in map(limits.__getitem__, part.queues))
        if form is not None and (any(part.reserves) or capped):
            form = replace(form, name="caps") if form.name == "plain" else None
        found.append(form)
    return parts, found


def _layout(scenario: Scenario) -> tuple[tuple[Part, ...], list[Form | None]]:
    return of_equal(_form_of_each, scenario.policy, scenario.switch.buffer, len(scenario.queues), scenario.lumped)


class RunSummary(NamedTuple):
    """The results of one scenario in a batch, for each queue; `lengths` are those at each time of the sample.

    `first_drop` and `free_at_first_drop` are None without a drop; `bound` is the largest possible error of a length.
    """

    first_drop: Sequence[float | None]
    free_at_first_drop: Sequence[float | None]
    dropped: Sequence[float]
    drained: Sequence[float]
    lengths: Sequence[Sequence[float]]
    bound: float
    events: int


@final
class Batch:
    """Scenarios for the native core in flat arrays; `ties`: run at once in numbers that decide ties."""

    def __init__(self, *, ties: bool = False) -> None:
        self._ties = ties
        self._scenarios: list[tuple[Scenario, int | None]] = []
        self.arrays: dict[str, array[Any]] = {name: array(TYPES.get(name, "d")) for name in ARRAYS}
        for name in _INTEGERS[:5]:
            self.arrays[name].append(0)
        self._places: list[list[int]] = []  # the rank of each sample time of a scenario

    def __len__(self) -> int:
        return len(self.arrays["until"])

    def add(self, scenario: Scenario, only: int | None = None) -> None:
        """Add a `scenario` that the core can run; of a buffer in several parts, `only` the part with this index."""
        new = columns_of(scenario, only, ties=self._ties)
        arrays, order, pieces = self.arrays, order_of(new["sample_time"]), len(self.arrays["piece_time"])
        placed = {
            "piece_begin": [pieces + end for end in new["piece_begin"]],
            "sample_time": [new["sample_time"][place] for place in order],
        }
        for name, values in (new | placed).items():
            arrays[name].fromlist(values)
        self._places.append(order_of(order))
        self._scenarios.append((scenario, only))
        for name, of in (("number", "high"), ("queue", "rate"), ("sample", "sample_time")):
            arrays[f"{name}_begin"].append(len(arrays[of]))
        arrays["length_begin"].append(arrays["length_begin"][-1] + len(new["rate"]) * len(order))

    def run(self) -> int:
        """Run all scenarios, and return the number of those that the core did not finish."""
        left = int(loaded()[0].dtmodel_run(ctypes.byref(self.prepared())))
        if left < 0:
            sizes = {name: len(values) for name, values in self.arrays.items()}
            raise InputError("batch", str(sizes), "arrays that fit together")
        return left

    def prepared(self) -> ctypes.Structure:
        """Make room for the results, and return the structure that the core reads."""
        arrays, n, queues = self.arrays, len(self), len(self.arrays["rate"])
        self._see_that_it_fits()
        sizes = dict.fromkeys(("first_drop", "free_at_first_drop", "dropped", "drained"), queues)
        sizes |= {"status": n, "events": n, "bound": n, "length": arrays["length_begin"][-1]}
        for name, size in sizes.items():
            if len(arrays[name]) != size:
                arrays[name] = array(arrays[name].typecode, [0]) * size
        numbers = (n, queues, *(len(arrays[name]) for name in ("piece_time", "sample_time", "length", "high")))
        return Arrays(*numbers, budgets.limit("phases"), *(arrays[name].buffer_info()[0] for name in ARRAYS))

    def _see_that_it_fits(self) -> None:
        """Raise `InputError` if an array is shorter than others imply, which the core cannot detect."""
        arrays, n, queues = self.arrays, len(self), len(self.arrays["rate"])
        expected = dict.fromkeys(("queue_begin", "sample_begin", "length_begin", "number_begin"), n + 1)
        expected |= dict.fromkeys(("buffer", "tick", "form", "counting", "growth", "hold"), n)
        expected |= dict.fromkeys(("slope", "offset", "initial", "count", "steady", "reserve", "cap"), queues)
        expected |= {"piece_begin": queues + 1, "piece_rate": len(arrays["piece_time"])}
        expected["low"] = expected["residue"] = len(arrays["high"])
        for name, size in expected.items():
            if len(arrays[name]) != size:
                raise InputError(f"batch.{name}", len(arrays[name]), f"{size} elements")
        if not 0 <= arrays["length_begin"][-1] <= len(arrays["sample_time"]) * queues:
            raise InputError("batch.length_begin", arrays["length_begin"][-1], "a length for each sample and queue")

    def outcomes(self) -> list[RunSummary | None]:
        """Run all scenarios, and return the results of each; None if floats or the budget of phases decide nothing."""
        if len(self):
            self.run()
        found, state = [self._outcome(number) for number in range(len(self))], self.arrays["status"]
        again = [] if self._ties else [k for k in range(len(self._scenarios)) if state[k] >= UNDECIDED]
        if again:
            batch = Batch(ties=True)
            for scenario, only in map(self._scenarios.__getitem__, again):
                batch.add(scenario, only)
            for number, outcome in zip(again, batch.outcomes(), strict=True):
                found[number] = outcome
        return found

    def _outcome(self, number: int) -> RunSummary | None:
        arrays = self.arrays
        if arrays["status"][number] != DONE:
            return None
        begin, end = arrays["queue_begin"][number : number + 2]
        first, last = arrays["length_begin"][number : number + 2]
        rows = [arrays["length"][at : at + end - begin].tolist() for at in range(first, last, max(end - begin, 1))]
        drops, frees = (
            [None if isnan(value) else value for value in arrays[name][begin:end]]
            for name in ("first_drop", "free_at_first_drop")
        )
        dropped, drained = (arrays[name][begin:end].tolist() for name in ("dropped", "drained"))
        lengths = [rows[place] if rows else [] for place in self._places[number]]
        return RunSummary(drops, frees, dropped, drained, lengths, arrays["bound"][number], arrays["events"][number])


class Traced(NamedTuple):
    """The trajectories of one part: breakpoints of F, segments (instant, length, slope, loss, ...), thresholds."""

    queues: tuple[int, ...]
    times: Sequence[float]
    free: Sequence[float]
    segments: Sequence[Sequence[tuple[float, ...]]]
    limits: Sequence[Sequence[tuple[float, ...]]]


def traced(scenario: Scenario) -> list[Traced]:
    """Run a scenario in the native core and keep its trajectories, for each part of its buffer."""
    return [_traced(scenario, number, part) for number, part in enumerate(_layout(scenario)[0])]


def _traced(scenario: Scenario, number: int, part: Part) -> Traced:
    library, n = loaded()[0], range(len(part.queues))
    for ties in (False, True):
        batch = Batch(ties=ties)
        batch.add(scenario, number)
        given = batch.prepared()
        made = library.dtmodel_trace(ctypes.byref(given))
        state = batch.arrays["status"][0]
        if ties or state < UNDECIDED:
            break
        library.dtmodel_forget(made)
    try:  # floats may have many phases where an exact run has few, and a steep threshold multiplies what F rounds
        if not made or state != DONE or max(batch.arrays["slope"], default=0) > _STEEP:
            raise ArithmeticError("rounding leaves open which bytes a queue loses, or when")
        times, values = zip(*_rows(library, made, 0, 2), strict=True)
        segments, limits = ([_rows(library, made, 2 * i + at, width) for i in n] for at, width in ((1, 8), (2, 3)))
        return Traced(part.queues, times, values, segments, limits)
    finally:
        library.dtmodel_forget(made)


def _rows(library: Any, made: int, which: int, width: int) -> list[tuple[float, ...]]:
    rows = ctypes.POINTER(ctypes.c_double)()
    number = library.dtmodel_rows(made, which, ctypes.byref(rows))
    return list(zip(*[iter(rows[:number])] * width, strict=True))


def order_of(values: Sequence[Any]) -> list[int]:
    """Return the places of values in ascending order; of this order, the rank of each value."""
    return sorted(range(len(values)), key=values.__getitem__)


def columns_of(scenario: Scenario, only: int | None = None, *, ties: bool = False) -> dict[str, list[Any]]:
    """Return the entries of a scenario by array; `ArithmeticError` if the core cannot run it."""
    parts, forms = _layout(scenario)
    form = forms[only or 0]
    if loaded()[0] is None or form is None or (only is None and len(parts) > 1):
        raise ArithmeticError("no core, a memory in Python, or the free buffer of all parts together")
    part = parts[only or 0]
    queues, rows = [scenario.queues[queue] for queue in part.queues], _of_queues(scenario, part)
    columns = {name: [floats(row[place]) for row in rows] for place, name in enumerate(_OF_QUEUE)}
    if form.name in ("counters", "caps"):
        distinct([row[0] for row in rows], columns["rate"], "two rates of queues")
        distinct([row[1] for row in rows], columns["slope"], "two slopes")
    return columns | {
        **of_memory(form),
        **in_time(scenario.until, scenario.sample, [(q.arrivals.times, q.arrivals.rates, q.rate) for q in queues]),
        "buffer": [floats(part.size)],
        "steady": [queue.initial is None for queue in queues],
        **(_numbers(scenario, part, form) if ties else {}),
    }


def in_time(until: Fraction, sample: Sequence[Fraction], traffic: Sequence[Traffic]) -> dict[str, list[Any]]:
    """Return the entries of times and traffic; `ArithmeticError` if two are one tick, or floats do not suit."""
    times, rates = ([number for each in traffic for number in each[place]] for place in (0, 1))
    end, near, offered = floats(until), [*map(floats, times)], [*map(floats, rates)]
    distinct([until, *times], [end, *near], "two instants")
    distinct(rates, offered, "two rates")
    _see_that_floats_suit(traffic, iter(offered))
    exponent, inside = _exponent(until), [time <= end for time in near]
    kept = [*map(_anywhere, inside)]
    before, exact = [0, *accumulate(kept)], [until, *sample, *compress(times, kept)]
    first, counted = 1 + len(sample), [_ticks(time, exponent) for time in exact]
    for place, on in enumerate(compress(inside, kept), first):
        if on is not True:  # a piece that begins after the run at some points is empty there
            counted[place] = counted[place] * on + (_AFTER + place) * ~on
    distinct([*exact, 0], [*counted, 0], "two instants")
    return {
        "tick": [2.0**-exponent],
        "until": counted[:1],
        "sample_time": counted[1:first],
        "piece_time": counted[first:],
        "piece_rate": [
            rate if on is True else rate * on for rate, on in compress(zip(offered, inside, strict=True), kept)
        ],
        "piece_begin": [before[place] for place in accumulate(len(each[0]) for each in traffic)],
    }


def _anywhere(condition: Any) -> bool:
    """Return True if a condition holds at some point."""
    return condition if isinstance(condition, bool) else bool(condition.any())


def _see_that_floats_suit(traffic: Sequence[Traffic], offered: Iterator[Any]) -> None:
    """Raise `ArithmeticError` if a rate, `offered` in floats, is too close to that of its queue."""
    for _, rates, own in traffic:
        near = floats(own)
        for rate, rounded in zip(rates, offered, strict=False):
            beside = abs(rounded - near) * BESIDE < near
            if _anywhere(beside):
                close = rate != own, (rate - own) * 2**16 < own, (own - rate) * 2**16 < own
                if holds(reduce(and_, (getattr(each, "rows", each) for each in close), beside)):
                    raise ArithmeticError("a rate beside another")


def of_memory(form: Form) -> dict[str, list[float]]:
    """Return the entries of a memory by array."""
    timers = {"counting": [floats(form.cn2)], "growth": [floats(form.tm1)], "hold": [floats(form.tm2)]}
    return {"form": [_NUMBERS[form.name]], **timers}


def _of_queues(scenario: Scenario, part: Part) -> list[tuple[Fraction | float, ...]]:
    """Return the numbers of each queue of one part, in the order of `_OF_QUEUE`; a cap is infinite if there is none."""
    given, rows = scenario.policy.thresholds(len(scenario.queues)), list[tuple[Fraction | float, ...]]()
    for index, reserve in zip(part.queues, part.reserves or [Fraction(0)] * len(part.queues), strict=True):
        queue, limit = scenario.queues[index], given[index] or Threshold(Fraction(0), part.size)
        cap = inf if limit.cap is None else limit.cap
        rows.append(
            (queue.rate, limit.slope, limit.offset, scenario.lengths[index], reserve, cap, Fraction(queue.count))
        )
    return rows


def _numbers(scenario: Scenario, part: Part, form: Form) -> dict[str, list[Any]]:
    """Return all numbers of one part of a scenario: each as the sum of two floats, and modulo p = 2^61 - 1."""
    end = floats(scenario.until)
    exact: list[Any] = [part.size, scenario.until, form.cn2, form.tm1, form.tm2]
    exact += chain(*_of_queues(scenario, part))
    for arrivals in (scenario.queues[queue].arrivals for queue in part.queues):
        pairs = zip(arrivals.times, arrivals.rates, strict=True)
        exact += [number for pair in pairs if _anywhere(floats(pair[0]) <= end) for number in pair]
    parts = {key: _in_parts(number) for key, number in {key_of(one): one for one in exact}.items()}
    rows = zip(*(parts[key_of(number)] for number in exact), strict=True)
    return dict(zip(("high", "low", "residue"), map(list, rows), strict=True))


def _in_parts(number: Any) -> Sequence[Any]:
    if isinstance(number, Vector):
        return [*zip(*map(_in_parts, number.exact(range(len(number.high)))), strict=True)]
    near, rest = (number, 0.0) if type(number) is float else enclosed(number)[:2]
    return near, rest, hash(number) if number >= 0 else _PRIME - hash(-number)  # Python's hash is modulo this prime


def _exponent(until: Fraction) -> Any:
    """Return the number of halvings of a second that make a tick, at each point; a run lasts 2^60 to 2^61 ticks."""
    near = floats(until)
    if type(near) is float:
        exponent: Any = 61 - frexp(near)[1]
    else:
        import numpy as np

        exponent = 61 - np.frexp(near)[1].astype(int)
        if (exponent == exponent[0]).all():
            exponent = int(exponent[0])
    mantissa = near / 2.0 ** (60 - exponent)
    if not holds((abs(exponent) <= 1000) & (mantissa >= 1) & (mantissa < 2)):
        raise ArithmeticError("the duration of the run")
    return exponent


def _ticks(time: Any, exponent: Any) -> Any:
    """Convert an instant in seconds to ticks of the core, rounded as `round` does."""
    if type(time) is Vector or type(exponent) is not int:
        return vector(time).whole(exponent)
    over, under = time.as_integer_ratio()
    whole, rest = divmod(over << max(exponent, 0), under := under << max(-exponent, 0))
    return whole + (2 * rest > under or (2 * rest == under and whole % 2))
