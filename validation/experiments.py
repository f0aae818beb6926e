"""Run the experiments of figures again and compare them with the kept results, or keep the results of a full run.

`python -m validation.experiments` runs every point of experiments with queries alone again, and the first point of the
others. `python -m validation.experiments edt.fig22` runs all of a figure and writes its result, in minutes or hours.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from dtmodel.base.documents import pretty_json
from dtmodel.companion.experiments import experiment_answer, experiment_document, experiments
from dtmodel.studies.sweeps.running import read_plan, run_plan

from .support.experiments import RESULTS, Kept, probe, result_of


def keep(name: str, folder: Path) -> None:
    """Run all of the experiment of a figure and write its result; finished points in a folder are used again."""
    document = experiment_document(name)
    answer = experiment_answer(document, run_plan(read_plan(document), folder, 1).dataset())
    command = f"python -m validation.experiments {name}"
    result = {"command": command, **answer, "probe": probe(name)}
    result_of(name).write_text(pretty_json(result, width=400) + "\n", encoding="utf-8")


def repeat(name: str) -> int:
    """Run points of a kept result again and return their number."""
    kept, queries = Kept.read(name), {*experiment_document(name)["workload"]} == {"incast"}
    rows = [*kept.rows] if queries else [*kept.rows][:1]
    seeds = range(1, kept.seeds + 1) if queries else (1,)
    for reading, policy, size in rows:
        for seed in seeds:
            kept.run_again(reading, policy, seed, size)
    return len(rows) * len(seeds)


def main(names: list[str]) -> None:
    """Keep the results of the figures that are named, or repeat all kept ones."""
    for name in names:
        with TemporaryDirectory() as folder:
            keep(name, Path(folder) / "points")
    for name in [] if names else experiments():
        if result_of(name).exists():
            print(f"{name}: {repeat(name)} points are as kept in {RESULTS.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
