"""Many points of a sweep in one call of the native core, from columns instead of scenarios.

The data of a point are the traffic of each queue, and the frame, which is the rest. Each of them depends on few axes,
so it is made once for all points that share it, by the code that makes whole scenarios.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, final

from dtmodel.base import units
from dtmodel.base.documents import sequence
from dtmodel.base.errors import InputError
from dtmodel.fluid.batch import BESIDE, Batch, Ticks, can_run
from dtmodel.fluid.scenario import Scenario
from dtmodel.fluid.switch import Arrivals
from dtmodel.studies.sweeps.axes import put, steps
from dtmodel.studies.sweeps.grid import ScenarioGrid
from dtmodel.studies.sweeps.leaves import Leaf, leaves_of
from dtmodel.studies.sweeps.traffic import on_off

_NUMBERS = 1_000_000
"""The approximate number of numbers in one call of the core."""
_KEPT = 100_000
"""The largest number of frames and traffics cached from one chunk to the next."""
_OF_FRAME = (
    "buffer", "tick", "until", "form", "counting", "growth", "hold", "rate", "slope", "offset", "initial", "count",
    "steady", "reserve", "cap", "kind", "sample_time",
)  # fmt: skip


class _Frame(NamedTuple):
    """A scenario without its traffic: columns for the core (None if it cannot run them), and limits for the traffic."""

    columns: dict[str, Sequence[float]] | None
    until: Fraction
    rates: tuple[Fraction, ...]
    steady: tuple[bool, ...]


class _Traffic(NamedTuple):
    """The traffic of one queue, its rates in floats, and its times up to the end of the run in ticks.

    It is `apart` if floats or ticks do not distinguish a number in it from another number.
    """

    arrivals: Arrivals
    rates: list[float]
    times: list[int]
    apart: bool


class _Apart(Exception):  # noqa: N818 -- not an error: these points are made one by one
    """The points cannot be combined from frames and traffic."""


@final
class Columns:
    """The points of a sweep of scenarios in floats, as columns for the native core.

    `plan`: the sweep.
    """

    def __init__(self, plan: ScenarioGrid) -> None:
        self.plan = plan
        self._last: tuple[dict[str, Any], Scenario] | None = (
            None  # that of a frame, and its document without the policy
        )
        self._frames: dict[int, _Frame] = {}
        self._traffic: dict[tuple[int, int], _Traffic] = {}
        self._exactly: dict[object, dict[float, Fraction]] = {}  # the exact number of each float or tick of a kind
        self._leaves: dict[int, tuple[list[Leaf], list[Leaf]] | None] = {}
        self._beside: dict[tuple[int, int, Fraction], Any] = {}

    def compute(self, begin: int, end: int) -> tuple[Any, dict[str, Any]]:
        """Run the points from `begin` to `end` as far as possible.

        Returns an array that is True for each point that the core decided, and the values of each measure, a row per
        point.
        """
        import numpy as np

        decided = np.zeros(end - begin, bool)
        found = {name: np.full((end - begin, self._size(name)), np.nan) for name in self.plan.asked}
        if len(self._traffic) + len(self._frames) > _KEPT:
            kept: dict[Any, Any]
            for kept in (self._frames, self._traffic, self._exactly, self._leaves, self._beside):
                kept.clear()
        try:
            built = self._built(np.arange(begin, end))
        except (_Apart, InputError, ArithmeticError, LookupError):
            return decided, found
        step = max(1, _NUMBERS // sum(values.shape[1] for values in built.values()))
        for first in range(0, len(decided), step):
            rows = np.flatnonzero(built["good"][first : first + step, 0]) + first
            if len(rows):
                own = built if len(rows) == len(decided) else {name: values[rows] for name, values in built.items()}
                self._run(own, rows, decided, found)
        return decided, found

    def _size(self, name: str) -> int:
        return len(self.plan.queues) * (len(self.plan.sample) if name == "length" else 1)

    def _run(self, built: Mapping[str, Any], rows: Any, decided: Any, found: dict[str, Any]) -> None:
        """Run combined points, and write the core's results into the rows of these points."""
        import numpy as np

        n, queues, samples = len(rows), built["rate"].shape[1], built["sample_time"].shape[1]
        pieces = built["piece_time"].shape[1]
        begins = np.arange(n + 1)
        ends = (begins[:-1, None] * pieces + built["pieces"]).ravel()
        columns = {name: built[name] for name in (*_OF_FRAME, "piece_time", "piece_rate")}
        columns |= {"queue_begin": begins * queues, "sample_begin": begins * samples, "number_begin": begins * 0}
        columns |= {"length_begin": begins * queues * samples, "piece_begin": np.append(ends, n * pieces)}
        batch = Batch()
        for name, values in columns.items():
            array = batch.arrays[name]
            del array[:]
            array.frombytes(np.ascontiguousarray(values, array.typecode).tobytes())
        batch.run()
        answers = {name: np.frombuffer(batch.arrays[name], batch.arrays[name].typecode) for name in ("status", *found)}
        decided[rows] = answers["status"] == 0
        looked = list(self.plan.queues)
        for name, values in found.items():
            said = answers[name].reshape(n, -1, queues)
            if name == "length":  # the core sorts the times
                said = said[:, _ranks(self.plan.sample)]
            values[rows] = said[..., looked].reshape(n, -1)

    # ---- points, combined

    def _built(self, points: Any) -> dict[str, Any]:
        """Return columns with a row for each point: the arrays of the core, the offsets of pieces, and the validity."""
        import numpy as np

        places = np.unravel_index(points, self.plan.shape) if self.plan.shape else ()
        frames, which = self._parts_of(places, None)
        number = len(frames[0].rates)
        if any(len(frame.rates) != number for frame in frames) or max(self.plan.queues) >= number:
            raise _Apart
        read = next((frame.columns for frame in frames if frame.columns is not None), None)
        if read is None:
            raise _Apart
        good = np.array([frame.columns is not None for frame in frames])[which]
        columns = [frame.columns or read for frame in frames]
        built = {name: np.array([each[name] for each in columns])[which] for name in _OF_FRAME}
        times, rates, widths = [], [], [0]
        for queue in range(number):
            made = self._from_leaves(places, len(points), frames, queue) or self._combined(places, frames, queue)
            times.append(made[0])
            rates.append(made[1])
            good &= made[2]
            widths.append(widths[-1] + times[-1].shape[1])
        none = np.zeros((len(points), 0))
        built |= {"piece_time": np.concatenate(times or [none], 1), "piece_rate": np.concatenate(rates or [none], 1)}
        return built | {"pieces": np.tile(widths[:-1], (len(points), 1)), "good": good[:, None]}

    def _combined(self, places: Sequence[Any], frames: Sequence[_Frame], queue: int) -> tuple[Any, Any, Any]:
        """Return times, rates and the validity of the traffic of a queue, made once for the points that share it."""
        import numpy as np

        traffic, which = self._parts_of(places, queue)
        if len({(len(each.times), len(each.rates)) for each in traffic}) > 1:
            raise _Apart
        times = np.array([each.times for each in traffic], np.int64)[which]
        offered = np.array([each.rates for each in traffic], float)
        return times, offered[which, : times.shape[1]], _faithful(traffic, offered, frames, queue)[which]

    def _from_leaves(
        self, places: Sequence[Any], points: int, frames: Sequence[_Frame], queue: int
    ) -> tuple[Any, Any, Any] | None:
        """Return times, rates and the validity of the traffic of a queue from the values of single axes.

        None if axes change more than single numbers, or a piece begins after the end of the run.
        """
        import numpy as np

        if queue not in self._leaves:
            self._leaves[queue] = leaves_of(self.plan, queue, self._clashes)
        if (leaves := self._leaves[queue]) is None or not leaves[0]:
            return None
        good, rows = np.ones(points, bool), []
        for each, kind in zip(leaves, (np.int64, float), strict=True):
            rows.append(np.empty((points, len(each)), kind))
            for place, leaf in enumerate(each):
                rows[-1][:, place] = leaf.at(places, leaf.numbers)
                good &= ~leaf.at(places, leaf.apart)
        times, rates = rows
        if times.max() > Ticks(frames[0].until).rounded(frames[0].until):
            return None
        good &= (np.diff(times) > 0).all(1)
        for rate in {frame.rates[queue] for frame in frames}:
            for place, leaf in enumerate(leaves[1]):
                key = queue, place, rate
                if key not in self._beside:
                    self._beside[key] = leaf.beside(rate)
                good &= ~leaf.at(places, self._beside[key])
        least = max((frame.rates[queue] for frame in frames if frame.steady[queue]), default=None)
        if least is not None and (good & (np.where(times[:, 0] == 0, rates[:, 0], 0.0) < float(least))).any():
            raise _Apart
        return times, rates, good

    def _parts_of(self, places: Sequence[Any], queue: int | None) -> tuple[list[Any], Any]:
        """Return the different frames of points, or traffics of a queue, and the index of that of each point."""
        import numpy as np

        axes = [at for at, axis in enumerate(self.plan.settings.axes) if _touches(axis.places, queue)]
        shape, own = [self.plan.shape[at] for at in axes], [places[at] for at in axes]
        numbers = np.ravel_multi_index(own, shape) if axes else np.zeros(len(places[0]) if places else 1, np.int64)
        unique, first, which = np.unique(numbers, return_index=True, return_inverse=True)
        found = []
        for number, at in zip(unique.tolist(), first.tolist(), strict=True):
            kept: dict[Any, Any] = self._frames if queue is None else self._traffic
            key: Any = number if queue is None else (queue, number)
            if key not in kept:
                values = [axis.values[place[at]] for axis, place in zip(self.plan.settings.axes, places, strict=True)]
                kept[key] = self._frame(values) if queue is None else self._traffic_of(queue, values, axes)
            found.append(kept[key])
        return found, which

    def _frame(self, values: Sequence[Any]) -> _Frame:
        document = self.plan.document(values)
        rest = {key: part for key, part in document.items() if key != "policy"}
        same = self._last is not None and self._last[0] == rest
        scenario = self._last[1].under(document) if self._last and same else Scenario.read(document)
        self._last = rest, scenario
        columns: dict[str, Sequence[float]] | None = None
        if can_run(scenario):
            batch = Batch()
            try:
                batch.add(scenario)
                columns = {name: batch.arrays[name] for name in _OF_FRAME}
            except ArithmeticError:
                columns = None
        queues = scenario.queues
        rates, steady = tuple(queue.rate for queue in queues), tuple(queue.initial is None for queue in queues)
        return _Frame(columns, scenario.until, rates, steady)

    def _traffic_of(self, queue: int, values: Sequence[Any], axes: Sequence[int]) -> _Traffic:
        tree: Any = self.plan.tree
        for at in axes:
            for place in self.plan.settings.axes[at].places:
                tree = put(tree, steps(place), values[at])
        given, where = tree["queues"][queue].get("arrivals", []), f"queues[{queue}].arrivals"
        until = units.seconds(tree["until"], "until", positive=True)
        if isinstance(given, Mapping):
            given = on_off(given, units.count(tree["seed"], "seed"), queue, until, where)
        arrivals = Arrivals(sequence(given, where), where)
        times = [time for time in arrivals.times if time <= until]
        named, rates = [*times, until, Fraction(0), *self.plan.sample], [float(rate) for rate in arrivals.rates]
        counted = [*map(Ticks(until).rounded, named)]
        apart = [
            *self._clashes("rate", zip(rates, arrivals.rates, strict=True)),
            *self._clashes("time", ((float(time), time) for time in (*arrivals.times, until))),
            *self._clashes(until, zip(counted, named, strict=True)),
        ]
        return _Traffic(arrivals, rates, counted[: len(times)], any(apart))

    def _clashes(self, kind: object, pairs: Iterable[tuple[float, Fraction]]) -> list[bool]:
        """Return True for each float or tick that stands for another exact number as well."""
        known = self._exactly.setdefault(kind, {})
        return [(own := known.setdefault(rounded, exact)) is not exact and own != exact for rounded, exact in pairs]


def _ranks(times: Sequence[Fraction]) -> list[int]:
    """Return the rank of each time, which is its place in the core."""
    order = sorted(range(len(times)), key=times.__getitem__)
    return sorted(order, key=order.__getitem__)


def _touches(places: Sequence[str], queue: int | None) -> bool:
    """Return True if an axis changes the traffic of a queue, or with None anything except traffic."""
    for head, *rest in map(steps, places):
        traffic = len(rest) > 1 and rest[1] == "arrivals" and head == "queues"
        if head in ("until", "seed") or (queue is None and not traffic):
            return True
        if queue is not None and head == "queues" and (not rest or rest[0] == queue):
            return True
    return False


def _faithful(traffic: Sequence[_Traffic], offered: Any, frames: Sequence[_Frame], queue: int) -> Any:
    """Return True for each traffic without a rate that is close to, but not equal to, the rate of the queue.

    A steady queue must be offered at least its rate.
    """
    import numpy as np

    good = np.array([not each.apart for each in traffic])
    for rate in {frame.rates[queue] for frame in frames}:
        for at, piece in np.argwhere(abs(offered - float(rate)) * BESIDE < float(rate)).tolist():
            good[at] &= traffic[at].arrivals.rates[piece] == rate
    least = max((frame.rates[queue] for frame in frames if frame.steady[queue]), default=None)
    if least is not None and any(each.arrivals.at(Fraction(0)) < least for each in traffic):
        raise _Apart
    return good
