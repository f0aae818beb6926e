"""Experiments with senders that react, as sweeps: a point for each reading, policy, size of responses and seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, final

from dtmodel.base import budgets, units
from dtmodel.base.errors import InputError
from dtmodel.network.experiment import ALONG, Experiment, Setting, measured
from dtmodel.studies.sweeps.axes import Axis
from dtmodel.studies.sweeps.plan import Measure, Plan, Settings

_SAID = {
    "query_mean": ("s", "the mean completion time of a query"),
    "query_p99": ("s", "the 99th percentile of the completion times of queries"),
    "timeouts": ("", "the part of the responses with a retransmission timeout"),
    "flow_mean": ("s", "the mean completion time of the flows of a class"),
    "flow_p99": ("s", "the 99th percentile of the completion times of the flows of a class"),
    "all_mean": ("s", "the mean completion time of all flows"),
    "loss": ("", "the lost part of the packets of data of the flows of a class"),
    "loss_of_queue": ("", "the lost part of the packets of data of a queue"),
    "length": ("bytes", "the mean length of a queue in an interval"),
    "throughput": ("bytes/s", "the throughput of a queue in an interval"),
}


@final
@dataclass(frozen=True)
class ExperimentPlan(Plan):
    """An experiment whose points are ready to run; equal seeds are paired draws."""

    experiment: Experiment

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures of the workload."""
        setting = self._settings(0)[0]
        work, along = setting.workload, dict[str, tuple[tuple[str, tuple[float, ...], str], ...]]()
        queues = (("queue", tuple(map(float, range(setting.queues))), ""),)
        if work.incast:
            along |= {"query_mean": (), "query_p99": (), "timeouts": ()}
        if work.poisson:
            classes = (("class", (0.0, *map(float, work.poisson.classes)), "bytes"),)
            along |= {"flow_mean": classes, "flow_p99": classes, "all_mean": (), "loss_of_queue": queues}
            along["loss"] = classes
        if work.long:
            times = tuple(step * work.every / 1e12 for step in range(work.duration // work.every))
            along |= {"length": (("time", times, "s"), *queues)} if work.lengths else {}
            along["throughput"] = (("time", times, "s"), *queues)
        return tuple(Measure(name, *_SAID[name], "float", axes) for name, axes in along.items())

    @property
    def worth(self) -> int:
        """One point justifies a process of its own."""
        return 1

    def compute(self, begin: int, end: int) -> dict[str, Any]:
        """Run the experiment at these points."""
        found: dict[str, list[float]] = {measure.name: [] for measure in self.measures}
        for point in range(begin, end):
            setting, seed = self._settings(point)
            for name, values in measured(setting, setting.run(seed)).items():
                found[name] += values
        return found

    def _settings(self, point: int) -> tuple[Setting, int]:
        reading, policy, size, seed = (axis.values[place] for axis, place in self.places(point))
        return self.experiment.setting(reading, policy, size), int(seed)


@cache
def _size(value: Any) -> float | str:
    if value is None:
        return "none"
    if (size := units.bytes_(value, "size")) >= 2**64:
        raise InputError("size", value, "less than 2^64 bytes")
    return float(size)


def read_experiment_plan(document: Mapping[str, Any]) -> ExperimentPlan:
    """Read an experiment; raise `InputError` naming the field, also for more points than the budget allows."""
    experiment = Experiment.read(document)
    sizes, along = experiment.sizes or (None,), experiment.along
    points = len(experiment.readings) * len(experiment.policies) * len(sizes) * experiment.seeds
    budgets.keep_within("points", points, "seeds")
    seeds = tuple(range(1, experiment.seeds + 1))
    value: Any = (lambda load: float(units.number(load, "load"))) if along == "load" else _size
    unit = "bytes" if along != "load" and sizes != (None,) else ""
    axes = (
        Axis("reading", ("readings",), tuple(experiment.readings), tuple(experiment.readings), ""),
        Axis("policy", ("policies",), tuple(experiment.policies), tuple(experiment.policies), ""),
        Axis(along or "size", (f"workload.{ALONG.get(along, '')}.{along}",), sizes, tuple(map(value, sizes)), unit),
        Axis("seed", ("seeds",), seeds, tuple(map(float, seeds)), ""),
    )
    return ExperimentPlan(Settings(document, axes, "float", 1), experiment)
