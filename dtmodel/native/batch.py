"""Scenarios in flat arrays for the native core, and what it says of them."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import frexp, isnan
from typing import Any, NamedTuple, final

from dtmodel import budgets
from dtmodel.errors import InputError
from dtmodel.native.library import ARRAYS, Arrays, loaded
from dtmodel.scenario import Scenario

__all__ = ["Batch", "RunSummary", "Traced", "can_run", "traced"]

_DONE, _OVER_BUDGET = 0, 1


def can_run(scenario: Scenario) -> bool:
    """Whether the native core is there and runs scenarios of this policy."""
    if loaded()[0] is None:
        return False
    policy, n = scenario.policy, len(scenario.queues)
    parts = policy.parts(scenario.switch.buffer, n, *scenario.lumped)
    return (
        len(parts) == 1
        and not any(parts[0].reserves)
        and parts[0].queues == tuple(range(n))
        and None not in policy.thresholds(n)
        and policy.memory(parts[0], Fraction) is None
    )


class RunSummary(NamedTuple):
    """What a batch says of one scenario: numbers for each queue, and its length at each time of the sample.

    `bound` is by how many bytes lengths may be wrong.
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
    """Scenarios for the native core, one after the other in flat arrays.

    Examples
    --------
    >>> Batch().outcomes()
    []
    """

    def __init__(self) -> None:
        integers = ("queue_begin", "piece_begin", "sample_begin", "length_begin", "until", "piece_time", "sample_time")
        self.arrays: dict[str, array[Any]] = {
            name: array("q" if name in integers or name == "events" else "b" if name == "steady" else "d")
            for name in ARRAYS
        }
        self.arrays["status"] = array("i")
        for name in integers[:4]:
            self.arrays[name].append(0)
        self._places: list[list[int]] = []  # of each sample of a scenario among its samples in order

    def __len__(self) -> int:
        return len(self.arrays["until"])

    def add(self, scenario: Scenario) -> None:
        """Add a scenario that the core can run.

        Raises
        ------
        ArithmeticError
            If its instants are too close to each other for the core.
        """
        exponent = _exponent(scenario.until)
        ticks = {time: _ticks(time, exponent) for time in _times(scenario)}
        if len(set(ticks.values())) < len(ticks):
            raise ArithmeticError("two instants")
        arrays, n = self.arrays, len(scenario.queues)
        (part,) = scenario.policy.parts(scenario.switch.buffer, n, *scenario.lumped)
        order = sorted(range(len(scenario.sample)), key=scenario.sample.__getitem__)
        new = _columns(scenario, ticks) | {  # all of it before any of it is kept: a number may be too large for a float
            "buffer": [float(part.size)],
            "tick": [2.0**-exponent],
            "until": [ticks[scenario.until]],
            "sample_time": [ticks[scenario.sample[place]] for place in order],
        }
        pieces = len(arrays["piece_time"])
        new["piece_begin"] = [pieces + end for end in new["piece_begin"]]
        for name, values in new.items():
            arrays[name].extend(values)
        self._places.append(sorted(range(len(order)), key=order.__getitem__))
        arrays["queue_begin"].append(len(arrays["rate"]))
        arrays["sample_begin"].append(len(arrays["sample_time"]))
        arrays["length_begin"].append(arrays["length_begin"][-1] + n * len(scenario.sample))

    def run(self) -> int:
        """Run all of it, and return how many scenarios the core did not finish.

        Raises
        ------
        InputError
            If the arrays do not fit together.
        """
        left = int(loaded()[0].dtmodel_run(ctypes.byref(self.prepared())))
        if left < 0:
            sizes = {name: len(values) for name, values in self.arrays.items()}
            raise InputError("batch", str(sizes), "arrays that fit together")
        return left

    def prepared(self) -> ctypes.Structure:
        """Make room for the answers, and return what the core reads."""
        arrays, n, queues = self.arrays, len(self), len(self.arrays["rate"])
        self._see_that_it_fits()
        sizes = {"status": n, "events": n, "bound": n, "length": arrays["length_begin"][-1]}
        for name in ("first_drop", "free_at_first_drop", "dropped", "drained"):
            sizes[name] = queues
        for name, size in sizes.items():
            kind = arrays[name].typecode
            arrays[name] = array(kind, bytes(size * array(kind).itemsize))
        numbers = (n, queues, len(arrays["piece_time"]), len(arrays["sample_time"]), sizes["length"])
        return Arrays(*numbers, budgets.limit("phases"), *(arrays[name].buffer_info()[0] for name in ARRAYS))

    def _see_that_it_fits(self) -> None:
        """See that no array is shorter than others say, which the core cannot know."""
        arrays, n, queues = self.arrays, len(self), len(self.arrays["rate"])
        expected = dict.fromkeys(("queue_begin", "sample_begin", "length_begin"), n + 1)
        expected |= dict.fromkeys(("buffer", "tick"), n) | {"piece_begin": queues + 1}
        expected |= dict.fromkeys(("slope", "offset", "initial", "count", "steady"), queues)
        expected["piece_rate"] = len(arrays["piece_time"])
        for name, size in expected.items():
            if len(arrays[name]) != size:
                raise InputError(f"batch.{name}", len(arrays[name]), f"{size} elements")
        if not 0 <= arrays["length_begin"][-1] <= len(arrays["sample_time"]) * queues:
            raise InputError("batch.length_begin", arrays["length_begin"][-1], "a length for each sample and queue")

    def outcomes(self) -> list[RunSummary | None]:
        """Run all of it, and return what happens in each scenario.

        None where floats cannot decide it, or the run has more phases than the budget allows.
        """
        if len(self):
            self.run()
        return [self._outcome(number) for number in range(len(self))]

    def _outcome(self, number: int) -> RunSummary | None:
        arrays = self.arrays
        if arrays["status"][number] != _DONE:
            return None
        begin, end = arrays["queue_begin"][number : number + 2]
        first, last = arrays["length_begin"][number : number + 2]
        rows = [arrays["length"][at : at + end - begin] for at in range(first, last, max(end - begin, 1))]
        drops, frees = (
            [None if isnan(value) else value for value in arrays[name][begin:end]]
            for name in ("first_drop", "free_at_first_drop")
        )
        dropped, drained = (arrays[name][begin:end] for name in ("dropped", "drained"))
        lengths = [rows[place] if rows else [] for place in self._places[number]]
        return RunSummary(drops, frees, dropped, drained, lengths, arrays["bound"][number], arrays["events"][number])


class Traced(NamedTuple):
    """The trajectories of one scenario: the free buffer, and of each queue when its segments begin and what they are.

    A segment has a length, a slope, what it loses and sends, and 1 if it is on the threshold.
    """

    times: Sequence[float]
    free: Sequence[float]
    segments: Sequence[Sequence[tuple[float, tuple[float, ...]]]]


def traced(scenario: Scenario) -> Traced:
    """Run a scenario in the native core and keep its trajectories.

    Raises
    ------
    ArithmeticError
        If rounding cannot decide what happens.
    BudgetError
        If the run has more phases than the budget allows.
    """
    batch = Batch()
    batch.add(scenario)
    library, given = loaded()[0], batch.prepared()
    made = library.dtmodel_trace(ctypes.byref(given))
    try:
        state, tick = batch.arrays["status"][0], batch.arrays["tick"][0]
        if state == _OVER_BUDGET:
            budgets.keep_within("phases", batch.arrays["events"][0], "until")
        if not made or state != _DONE:
            raise ArithmeticError("rounding cannot decide what a queue loses, or when")
        number = library.dtmodel_free_points(made)
        times, values = array("q", bytes(8 * number)), array("d", bytes(8 * number))
        library.dtmodel_free_copy(made, times.buffer_info()[0], values.buffer_info()[0])
        segments = [_segments(library, made, queue, tick) for queue in range(len(scenario.queues))]
        return Traced([time * tick for time in times], values, segments)
    finally:
        library.dtmodel_forget(made)


def _segments(library: Any, made: int, queue: int, tick: float) -> list[tuple[float, tuple[float, ...]]]:
    number = library.dtmodel_segments(made, queue)
    times, rows = array("q", bytes(8 * number)), array("d", bytes(40 * number))
    library.dtmodel_segments_copy(made, queue, times.buffer_info()[0], rows.buffer_info()[0])
    return [(time * tick, tuple(rows[5 * place : 5 * place + 5])) for place, time in enumerate(times)]


def _columns(scenario: Scenario, ticks: Mapping[Fraction, int]) -> dict[str, list[Any]]:
    """Return what the queues of a scenario add to the arrays."""
    queues, policy = scenario.queues, scenario.policy
    lengths = policy.start(scenario.switch.buffer, [queue.initial for queue in queues], *scenario.lumped)
    limits = [limit for limit in policy.thresholds(len(queues)) if limit is not None]
    pieces = [
        [
            (ticks[time], float(rate))
            for time, rate in zip(q.arrivals.times, q.arrivals.rates, strict=True)
            if time in ticks
        ]
        for q in queues
    ]
    return {
        "rate": [float(queue.rate) for queue in queues],
        "slope": [float(limit.slope) for limit in limits],
        "offset": [float(limit.offset) for limit in limits],
        "initial": [float(length) for length in lengths],
        "count": [queue.count for queue in queues],
        "steady": [queue.initial is None for queue in queues],
        "piece_time": [time for each in pieces for time, _ in each],
        "piece_rate": [rate for each in pieces for _, rate in each],
        "piece_begin": list(accumulate(map(len, pieces))),
    }


def _times(scenario: Scenario) -> set[Fraction]:
    """Return the instants that a scenario names, as far as the run goes."""
    times = {scenario.until, Fraction(0), *scenario.sample}
    return times.union(*((t for t in queue.arrivals.times if t <= scenario.until) for queue in scenario.queues))


def _exponent(until: Fraction) -> int:
    """Return how many times a second is halved for one tick: a run has 2^60 of them or twice that."""
    exponent = 61 - frexp(float(until))[1]
    if abs(exponent) > 1000:
        raise ArithmeticError("how long the run is")
    return exponent


def _ticks(time: Fraction, exponent: int) -> int:
    scale = Fraction(2) ** exponent
    return round(time * scale)
