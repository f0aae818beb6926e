"""Kept results of experiments with senders that react, held against the tolerances that were written before them.

A result is the answer of ``dtmodel experiment ID --json`` in ``validation/results/experiment-<paper>-<figure>.json``.
It counts only if its hash of the tolerances is that of ``validation/readings.toml`` today, with the figure's own file
if that has readings. Draws are integers, so that a point that is run again has the same numbers to the last digit that
is kept. Where a point takes seconds, a result has the measures of a short run besides (`probe`), which is run again
whenever the result is read.
"""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite, log, sqrt
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any

from dtmodel.base.units import rate
from dtmodel.companion.experiments import experiment_document, narrowed, rules
from dtmodel.ledger import check
from dtmodel.ledger.evidence import Repeated
from dtmodel.network.experiment import Experiment, measured

RESULTS = Path(__file__).parents[1] / "results"
PROBE_SIZES = [["1 KB", 0], ["300 KB", 1]]
"""Sizes of flows that are equally likely, so that a short run takes a moment whatever a figure's flows are."""


def result_of(name: str) -> Path:
    """Return the file with the result of the experiment of a figure."""
    return RESULTS / f"experiment-{name.replace('.', '-')}.json"


def tolerance(name: str) -> float:
    """Return one of the tolerances by which runs decide claims."""
    rules_of = tomllib.loads(RESULTS.with_name("readings.toml").read_text(encoding="utf-8"))
    return float(rules_of["tolerance"][name])


@cache
def probe(name: str) -> dict[str, Any]:
    """Return the measures of a short run of a figure: first reading, last policy, 2,000 segments or ten flows."""
    document = experiment_document(name)
    seconds = float(2000 * 1500 / rate(document["network"]["rate"], "rate"))
    work = {**document["workload"]}
    if "long" in work:
        work |= {"duration": seconds, "every": seconds}
    if "incast" in work:
        work["incast"] = {**work["incast"], "start": seconds / 4, "queries": 1}
    if "poisson" in work:
        work["poisson"] = {**work["poisson"], "flows": 10 * work["poisson"].get("responses", 1), "sizes": PROBE_SIZES}
    reading, policy = next(iter(document["readings"])), [*document["policies"]][-1]
    short = Experiment.read(narrowed({**document, "workload": work}, [reading], [policy]))
    setting = short.setting(reading, policy, [*short.sizes, None][0])
    return {key: [_kept(value) for value in values] for key, values in measured(setting, setting.run(1)).items()}


def _flat(values: Any) -> Iterator[float | None]:
    """Yield the numbers of nested lists."""
    if isinstance(values, list):
        for each in values:
            yield from _flat(each)
    else:
        yield values


def _kept(value: float) -> float | None:
    return float(f"{value:.6g}") if isfinite(value) else None


@dataclass(frozen=True)
class Kept:
    """The kept result of the experiment of a figure.

    `name`: the id of the figure. `rows`: the measures of all seeds by reading, policy and size of the responses or
    load, which is 0 if there are none.
    """

    name: str
    rows: Mapping[tuple[str, str, float], Mapping[str, Sequence[Any]]]
    seeds: int

    @classmethod
    def read(cls, name: str) -> "Kept":
        """Read a result with all readings of its paper and the hash of the rules in force, and repeat its short run."""
        answer = json.loads(result_of(name).read_text(encoding="utf-8"))
        check(answer["rules"] == rules(name), f"{name} was run by other tolerances and readings: run it again")
        rows = {
            (row["reading"], row["policy"], row.get("size", row.get("load", 0.0))): row["measures"]
            for row in answer["rows"]
        }
        readings = {reading for reading, _, _ in rows}
        check(readings == {*experiment_document(name)["readings"]}, "the readings are those of the paper")
        short = answer.get("probe", {})
        check(short == {key: probe(name)[key] for key in short}, f"{name}: the short run is not as kept")
        return cls(name, rows, answer["seeds"])

    @classmethod
    def with_handshake(cls, name: str) -> "Kept":
        """Read two results, one with a sample of the round trip from the handshake, whose readings are others."""
        plain, sampled = cls.read(name), cls.read(f"{name}-handshake")
        check(plain.seeds == sampled.seeds, "the seeds are as many")
        others = {
            (f"{reading}, handshake sample", policy, size): row for (reading, policy, size), row in sampled.rows.items()
        }
        return cls(name, {**plain.rows, **others}, plain.seeds)

    @property
    def readings(self) -> tuple[str, ...]:
        """The readings in the order of the file."""
        return tuple(dict.fromkeys(reading for reading, _, _ in self.rows))

    def seeds_with(
        self, reading: str, measure: str, size: float, policies: tuple[str, str], holds: Callable[[Any, Any], bool]
    ) -> int:
        """Return the number of seeds in which a relation between the measures of two policies holds."""
        first, second = (self.rows[reading, policy, size][measure] for policy in policies)
        return sum(holds(x, y) for x, y in zip(first, second, strict=True))

    def direction(self, measure: str, sizes: Sequence[float], less: str, more: str) -> Repeated:
        """Return the readings in which a measure is less under one policy than under another at every size.

        In each at least as many seeds agree as the tolerances ask for.
        """
        needed = int(tolerance("seeds_that_agree"))
        check(self.seeds == tolerance("seeds"), "the seeds are as many as the tolerances ask for")

        def agrees(reading: str) -> bool:
            counts = [self.seeds_with(reading, measure, size, (less, more), lambda x, y: x < y) for size in sizes]
            return min(counts) >= needed

        told = f"{less} below {more} in {needed} of {self.seeds} paired seeds"
        return self.repeated([reading for reading in self.readings if agrees(reading)], told)

    def size(self, measure: str, policy: str, size: float, published: float, digits: int) -> Repeated:
        """Return all readings if the published number lies between the medians of the readings, rounded as printed."""
        return self.number(lambda reading, seed: self.of(reading, policy, seed, measure, size), published, digits)

    def number(
        self, value: Callable[[str, int], float], published: float, digits: int, *others: Callable[[str, int], float]
    ) -> Repeated:
        """Return all readings if the published number lies between the medians of a value, rounded as printed.

        `others`: the same value in other settings of which the paper does not say which one it has.
        """
        medians = [
            round(median(found(each, seed) for seed in self.numbers), digits)
            for found in (value, *others)
            for each in self.readings
        ]
        inside = min(medians) <= published <= max(medians)
        told = f"medians from {min(medians)} to {max(medians)} in {len(self.readings)} readings, published {published}"
        return self.repeated(self.readings if inside else (), told)

    def all_of(self, *parts: Repeated) -> Repeated:
        """Return the readings that reproduce every part of a result."""
        agree = [each for each in self.readings if all(each in part.reproduced for part in parts)]
        return self.repeated(agree, "; ".join(part.detail for part in parts))

    def always(self, holds: Callable[[str, int], bool], told: str) -> Repeated:
        """Return the readings in which a relation holds in every seed."""
        check(self.seeds >= tolerance("seeds_of_long_runs"), "the seeds are as many as the tolerances ask for")
        agree = [reading for reading in self.readings if all(holds(reading, seed) for seed in self.numbers)]
        return self.repeated(agree, told)

    def within(self, holds: Callable[[str], bool], told: str) -> Repeated:
        """Return the readings in which a relation between numbers over all seeds holds."""
        return self.repeated([reading for reading in self.readings if holds(reading)], told)

    def often(self, holds: Callable[[str, int], bool], told: str) -> Repeated:
        """Return the readings in which a relation holds in as many seeds as a direction asks for."""
        check(self.seeds == tolerance("seeds"), "the seeds are as many as the tolerances ask for")
        needed = tolerance("seeds_that_agree")
        return self.within(lambda each: sum(holds(each, seed) for seed in self.numbers) >= needed, told)

    def sooner(self, ratio: Callable[[str, int], float], told: str) -> Repeated:
        """Return the readings in which the interval of the mean of logarithms of a ratio over the seeds is below 0."""
        return self.repeated([each for each in self.readings if self._upper(ratio, each) < 0], told)

    def _upper(self, ratio: Callable[[str, int], float], reading: str) -> float:
        from scipy import stats

        logs = [log(ratio(reading, seed)) for seed in self.numbers]
        times = float(stats.t.ppf((1 + tolerance("interval")) / 2, len(logs) - 1))
        return fmean(logs) + times * stdev(logs) / sqrt(len(logs))

    @property
    def numbers(self) -> range:
        """The numbers of the seeds."""
        return range(1, self.seeds + 1)

    def of(self, reading: str, policy: str, seed: int, measure: str, size: float = 0) -> Any:
        """Return a measure of a run."""
        return self.rows[reading, policy, size][measure][seed - 1]

    def repeated(self, reproduced: Sequence[str], told: str) -> Repeated:
        """Return the outcome with the readings that are not among those in which the result was reproduced."""
        missed = [reading for reading in self.readings if reading not in reproduced]
        return Repeated(list(reproduced), missed, self.seeds, rules(self.name), told)

    def run_again(self, reading: str, policy: str, seed: int, size: float = 0) -> None:
        """Run a point again and compare its measures with those that are kept."""
        given = str(int(size) if size == int(size) else size) if size else None
        setting = Experiment.read(experiment_document(self.name)).setting(reading, policy, given)
        found = measured(setting, setting.run(seed))
        for name, values in self.rows[reading, policy, size].items():
            was, again = list(_flat(values[seed - 1])), [*map(_kept, found[name])]
            check(was == again, f"{self.name}: {name} was {was}, is {again}")
