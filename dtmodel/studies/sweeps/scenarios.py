"""Sweeps of fluid scenarios: every parameter of switch, policy, traffic and seed may be an axis."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any, final

from dtmodel.base import units
from dtmodel.base.documents import choice, only_keys, required, sequence, table
from dtmodel.base.errors import InputError
from dtmodel.base.schemas import declared
from dtmodel.fluid import Run, run_scenario
from dtmodel.fluid.batch import RunSummary, can_run
from dtmodel.fluid.scenario import Scenario
from dtmodel.fluid.simulation import ERROR_BOUND, summaries, written
from dtmodel.studies.sweeps.axes import Axis, exactly, read_axis, steps, unit_of
from dtmodel.studies.sweeps.columns import Columns, unread
from dtmodel.studies.sweeps.grid import ScenarioGrid
from dtmodel.studies.sweeps.plan import Measure, read_settings

_RELATIVE = {"s": "the end of the run", "bytes": "the buffer, or the bytes offered if these are more"}
MEASURES = {
    "first_drop": Measure("first_drop", "s", "the infimum of the instants from which on a queue loses bytes"),
    "free_at_first_drop": Measure("free_at_first_drop", "bytes", "the free buffer at the first drop of a queue"),
    "dropped": Measure("dropped", "bytes", "the bytes that a queue lost"),
    "drained": Measure("drained", "bytes", "the bytes that a queue sent"),
}
"""The measures of each queue; with times to sample its length is another."""

_CHUNK = {"exact": 250, "float": 5_000}
_WORTH, _IN_CORE = 100, 140_000
"""The number of points that justifies a process: of exact runs, and in the core per queue and piece of traffic."""


@final
@dataclass(frozen=True)
class ScenarioPlan(ScenarioGrid):
    """A sweep of scenarios that is ready to run."""

    @cached_property
    def _columns(self) -> Columns:
        return Columns(self)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures of each queue."""
        queues = ("queue", tuple(map(float, self.queues)), "")
        found, exact = list[Measure](), self.settings.arithmetic == "exact"
        for name in self.asked:
            of = MEASURES.get(name, Measure(name, "bytes", "the length of a queue"))
            times = (("time", tuple(map(float, self.sample)), "s"),) if name == "length" else ()
            about = (("error_bound", ERROR_BOUND), ("error_bound_relative_to", _RELATIVE[of.unit]))
            found.append(Measure(name, of.unit, of.says, along=(*times, queues), about=() if exact else about))
        if not exact:
            says = "true if rounding errors could change the events, so that an exact run was rounded"
            found.append(Measure("rounded", "", says, "bool"))
        return tuple(found)

    @property
    def worth(self) -> int:
        """The number of points that justifies a process; outside the core that of exact runs."""
        if self.settings.arithmetic == "exact":
            return _WORTH
        apart = self.points // max(len(self.tree["policies"]), 1)  # their axis is the first
        firsts = [self.scenario(point) for point in range(0, self.points, apart)]
        if not all(map(can_run, firsts)):
            return _WORTH
        longest = max(sum(1 + len(queue.arrivals.times) for queue in first.queues) for first in firsts)
        return max(_WORTH, _IN_CORE // longest)

    def compute(self, begin: int, end: int) -> dict[str, Any]:
        """Run the scenarios of these points; in floats in one call, as far as the native core decides them."""
        if self.settings.arithmetic == "exact":
            return self._one_by_one(range(begin, end))
        import numpy as np

        decided, found = self._columns.compute(begin, end)
        left = np.flatnonzero(~decided)
        rest = self._one_by_one([begin + at for at in left.tolist()])
        rounded = np.zeros(end - begin, bool)
        rounded[left] = rest["rounded"]
        for name, values in found.items():
            values[left] = np.array(rest[name], float).reshape(len(left), values.shape[1])
        return {**{name: values.ravel() for name, values in found.items()}, "rounded": rounded}

    def _one_by_one(self, points: Sequence[int]) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {measure.name: [] for measure in self.measures}
        scenarios = [self._read(point) for point in points]
        in_floats = self.settings.arithmetic == "float"
        in_core = summaries(scenarios) if in_floats else [None] * len(scenarios)
        for point, scenario, summary in zip(points, scenarios, in_core, strict=True):
            run = self._run(scenario, point) if summary is None else None
            for name in self.asked:
                found[name] += self._told(summary, name) if run is None else self._seen(run, name)
            if in_floats:
                found["rounded"].append(run is not None and run.arithmetic == "rounded")
        return found

    def _read(self, point: int) -> Scenario:
        """Return the scenario at a point, which errors name."""
        try:
            scenario = self.scenario(point)
        except InputError as error:
            raise error.within(self.where(point)) from error
        if max(self.queues, default=-1) < len(scenario.queues):
            return scenario
        accepted = f"queue {max(self.queues)}, which is looked at"
        raise InputError("queues", len(scenario.queues), accepted).within(self.where(point))

    def _run(self, scenario: Scenario, point: int) -> Run[Any]:
        try:
            return run_scenario(scenario, float if self.settings.arithmetic == "float" else Fraction)
        except InputError as error:
            raise error.within(self.where(point)) from error

    def _told(self, summary: RunSummary | None, name: str) -> list[Any]:
        """Return a measure of the native core for the chosen queues."""
        rows = summary.lengths if summary and name == "length" else [getattr(summary, name)]
        return [row[queue] for row in rows for queue in self.queues]

    def _seen(self, run: Run[Any], name: str) -> list[Any]:
        if name == "length":
            return [written(run.queue(q).at(type(run.until)(time))) for time in self.sample for q in self.queues]
        return [written(getattr(run, name)(queue)) for queue in self.queues]


def read_scenario_plan(document: Mapping[str, Any]) -> ScenarioPlan:
    """Read a sweep of scenarios, and make the scenario with every value of every axis, as a check.

    Raises `InputError` naming the field.
    """
    only_keys(document, declared("sweep", branch=0).allowed, "")
    content = table(document["scenario"], "scenario")
    policies = table(document.get("policies", {}), "policies")
    listed = table(document.get("axes", {}), "axes")
    axes = tuple(read_axis(name, table(axis, f"axes.{name}"), unit_of) for name, axis in listed.items())
    if policies:
        if "policy" in content:
            accepted = "no policy beside policies, which stand side by side"
            raise InputError("scenario.policy", content["policy"], accepted)
        names = tuple(map(str, policies))
        axes = (Axis("policy", ("policy",), names, names, ""), *axes)
    for axis in axes:
        if any(steps(place)[0] in ("sample", "id", "version") for place in axis.places):
            raise InputError(f"axes.{axis.name}.set", axis.places, "places in switch, policy, queues, until or seed")
    settings = read_settings(document, axes, _CHUNK)
    tree = {**content, "policies": policies, "seed": document.get("seed", 0)}
    required(tree, ("switch", "queues", "until"), "scenario.")
    sample = [units.seconds(t, f"sample[{i}]") for i, t in enumerate(sequence(content.get("sample", []), "sample"))]
    plan = ScenarioPlan(settings, tree, (), (), tuple(sample))
    first = _checked(plan, document)
    names_of = (*MEASURES, "length") if sample else tuple(MEASURES)
    asked = [choice(name, "measure", names_of) for name in sequence(document.get("measure", list(names_of)), "measure")]
    looked = sequence(document.get("of", list(range(len(first.queues)))), "of")
    queues = [units.count(queue, f"of[{index}]") for index, queue in enumerate(looked)]
    if any(queue >= len(first.queues) for queue in queues) or not queues:
        raise InputError("of", queues, f"queues from 0 to {len(first.queues) - 1}, one at least")
    return ScenarioPlan(settings, exactly(tree), tuple(dict.fromkeys(asked)), tuple(sorted(set(queues))), tuple(sample))


def _checked(plan: ScenarioPlan, document: Mapping[str, Any]) -> Scenario:
    """Make the scenario with every listed value of each axis, as written, and the first values of the other axes."""
    own = [document.get("axes", {}).get(axis.name, {}) for axis in plan.settings.axes]
    written = [each.get("values", axis.values) for each, axis in zip(own, plan.settings.axes, strict=True)]
    first = [values[0] for values in written]
    scenario = _made(plan, first, 0)
    for number, values in enumerate(written):
        for place in [len(values) - 1] if "from" in own[number] else unread(plan, first, number, values):
            changed = [*first[:number], values[place], *first[number + 1 :]]
            _made(plan, changed, place * prod(plan.shape[number + 1 :]))
    return scenario


def _made(plan: ScenarioPlan, values: Sequence[Any], point: int) -> Scenario:
    try:
        return plan.made(values)
    except InputError as error:
        if error.field.startswith("axes."):
            raise
        raise error.within(plan.where(point)) from error
