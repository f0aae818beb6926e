"""``dtmodel experiment``: policies side by side under senders that react, in readings of the transport."""

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from dtmodel.base.errors import InputError
from dtmodel.base.extras import need
from dtmodel.cli.console import console, echo_json, print_cells
from dtmodel.cli.progress import progress
from dtmodel.cli.samples import sample_options
from dtmodel.companion.experiments import experiment_answer, experiment_document, experiments, narrowed, table_of


@click.command()
@click.argument("file", metavar="[FILE|ID]", required=False)
@sample_options("experiment", ("incast",), "experiment.json", "KIND")
@click.option("--output", "-o", metavar="OUT",
              help="Folder of the runs; finished ones are reused (default: none is kept).")  # fmt: skip
@click.option("--reading", "readings", multiple=True, metavar="NAME", help="Run only this reading (repeatable).")
@click.option("--policy", "policies", multiple=True, metavar="NAME", help="Run only this policy (repeatable).")
@click.option("--seeds", type=click.IntRange(min=1), metavar="N", help="Run the seeds 1 to N.")
@click.option("--jobs", "-j", type=click.IntRange(min=1),
              help="Largest number of worker processes (default: number of cores).")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON: the measures of every seed.")
def command(
    file: str | None, output: str | None, readings: tuple[str, ...], policies: tuple[str, ...], seeds: int | None,
    jobs: int | None, as_json: bool,
) -> None:  # fmt: skip
    """Run policies side by side under senders that react: TCP in named readings, on paired draws.

    FILE is TOML or JSON; ID is a published figure, such as edt.fig22. Without either, the figures are listed. The
    answer has the measures for each reading, policy and size: medians over the seeds, or with --json those of each
    seed. With -o an interrupted experiment continues.
    """
    if file is None:
        _list(as_json=as_json)
        return
    need("pyarrow", "xarray", "joblib")
    from dtmodel.studies.sweeps.running import read_plan, run_plan

    document = narrowed(experiment_document(file), readings, policies, seeds)
    if "workload" not in document:
        raise InputError("workload", "missing", "the traffic of an experiment: incast, poisson or long")
    try:
        plan = read_plan(document)
    except InputError as error:
        raise error.within(file) from error
    with TemporaryDirectory() as folder, progress("experiment", "runs") as heard:
        made = run_plan(plan, Path(output) if output else Path(folder) / "experiment", jobs or -1, heard)
        answer = experiment_answer(document, made.dataset())
    if as_json:
        echo_json(answer)
    else:
        print_cells(console(), table_of(answer))


def _list(*, as_json: bool) -> None:
    for name in experiments():
        title = experiment_document(name)["title"]
        if as_json:
            echo_json({"id": name, "title": title})
        else:
            click.echo(f"{name}  {title}")
