"""Kept results of experiments with senders that react, held against the tolerances that were written before them.

A result is the answer of ``dtmodel experiment ID --json`` in ``validation/results/experiment-<paper>-<figure>.json``.
It counts only if its hash of the tolerances is that of ``validation/readings.toml`` today. Draws are integers, so that
a point that is run again has the same numbers to the last digit that is kept.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from dtmodel.companion.experiments import experiment_document, rules, tolerances
from dtmodel.ledger import check
from dtmodel.ledger.evidence import Repeated
from dtmodel.network.experiment import Experiment, measured

RESULTS = Path(__file__).parents[1] / "results"


def result_of(name: str) -> Path:
    """Return the file with the result of the experiment of a figure."""
    return RESULTS / f"experiment-{name.replace('.', '-')}.json"


@dataclass(frozen=True)
class Kept:
    """The kept result of the experiment of a figure.

    `name`: the id of the figure. `rows`: the measures of all seeds by reading, policy and size of the responses, which
    is 0 without queries.
    """

    name: str
    rows: Mapping[tuple[str, str, float], Mapping[str, Sequence[Any]]]
    seeds: int

    @classmethod
    def read(cls, name: str) -> "Kept":
        """Read a result; it must have all readings of its paper, and the hash of the rules in force."""
        answer = json.loads(result_of(name).read_text(encoding="utf-8"))
        check(answer["rules"] == rules(), f"{name} was run by other tolerances and readings: run it again")
        rows = {(row["reading"], row["policy"], row.get("size", 0.0)): row["measures"] for row in answer["rows"]}
        readings = {reading for reading, _, _ in rows}
        check(readings == {*experiment_document(name)["readings"]}, "the readings are those of the paper")
        return cls(name, rows, answer["seeds"])

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
        needed = int(tolerances()["seeds_that_agree"])
        check(self.seeds == tolerances()["seeds"], "the seeds are as many as the tolerances ask for")

        def agrees(reading: str) -> bool:
            counts = [self.seeds_with(reading, measure, size, (less, more), lambda x, y: x < y) for size in sizes]
            return min(counts) >= needed

        told = f"{less} below {more} in {needed} of {self.seeds} paired seeds"
        return self._repeated([reading for reading in self.readings if agrees(reading)], told)

    def size(self, measure: str, policy: str, size: float, published: float, digits: int) -> Repeated:
        """Return all readings if the published number lies between the medians of the readings, rounded as printed."""
        medians = [round(median(self.rows[reading, policy, size][measure]), digits) for reading in self.readings]
        inside = min(medians) <= published <= max(medians)
        told = f"medians from {min(medians)} to {max(medians)} in {len(medians)} readings, published {published}"
        return self._repeated(self.readings if inside else (), told)

    def _repeated(self, reproduced: Sequence[str], told: str) -> Repeated:
        missed = [reading for reading in self.readings if reading not in reproduced]
        return Repeated(list(reproduced), missed, self.seeds, rules(), told)

    def run_again(self, reading: str, policy: str, size: Any, seed: int) -> None:
        """Run a point again and compare its measures with those that are kept."""
        setting = Experiment.read(experiment_document(self.name)).setting(reading, policy, size)
        found = measured(setting, setting.run(seed))
        for name, values in self.rows[reading, policy, float(size or 0)].items():
            again = float(f"{found[name][0]:.6g}")
            check(values[seed - 1] == again, f"{self.name}: {name} was {values[seed - 1]}, is {again}")
