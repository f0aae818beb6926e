"""``dtmodel sweep``: a scenario or a statement at every point of a grid of named axes."""

from pathlib import Path

import click

from dtmodel.base.documents import read_documents, unique_keys
from dtmodel.base.errors import InputError
from dtmodel.base.extras import need
from dtmodel.cli import _pictures
from dtmodel.cli.console import echo_json
from dtmodel.cli.progress import progress
from dtmodel.cli.samples import sample_options

SWEPT = ("scenario", "statement")
"""Of what there are examples."""


@click.command()
@click.argument("file")
@sample_options("sweep", SWEPT, "sweep.json", "KIND")
@click.option("--output", "-o", required=True, metavar="OUT", help="The folder of the sweep; what it has is kept.")
@click.option(
    "--jobs", "-j", type=click.IntRange(min=1), help="Worker processes at most (default: cores); few points have none."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON: points, chunks, and how many were computed now.")
@click.option("--plot", metavar="FILE", help="Draw a heat map into a PNG, PDF or SVG file.")
@click.option("--show", metavar="NAME", help="What the heat map shows (default: what is measured first).")
@click.option("--at", multiple=True, metavar="AXIS=VALUE", help="Draw only there; repeat it for more axes.")
def command(
    file: str, output: str, jobs: int | None, as_json: bool, plot: str | None, show: str | None, at: tuple[str, ...]
) -> None:
    """Sweep named axes over any parameter of a scenario, with policies side by side, or of a statement.

    FILE is TOML or JSON; "-" is standard input. OUT gets a Parquet file for each chunk as soon as it is done. A sweep
    that was interrupted, or killed, goes on where it was and ends with the same files.
    """
    need("pyarrow", "xarray", "joblib", *(["matplotlib"] if plot else []))
    from dtmodel.studies.sweeps.running import read_plan, run_plan

    (document, *others) = list(read_documents(file))
    if others:
        raise InputError(others[0].where, "a second sweep", "one sweep a file")
    try:
        plan = read_plan(document.content)
        with progress("sweep", "points") as heard:
            folder = run_plan(plan, Path(output), jobs or -1, heard)
    except InputError as error:
        raise error.within(document.where) from error
    if as_json:
        echo_json({"out": output, "points": plan.points, "chunks": len(plan.chunks), "computed": folder.computed})
    else:
        now = f"{folder.computed:,} of them computed now"
        click.echo(f"{output}: {plan.points:,} points in {len(plan.chunks):,} chunks, {now}")
    if plot:
        from dtmodel.plot.heatmaps import heat_map

        _pictures.draw_into(Path(plot), [heat_map(folder.dataset(), show, _chosen(at))], "--plot")


def _chosen(at: tuple[str, ...]) -> dict[str, str]:
    pairs = [text.partition("=") for text in at]
    for name, equals, _ in pairs:
        if not equals:
            raise InputError("--at", name, "AXIS=VALUE")
    return unique_keys(((name.strip(), value.strip()) for name, _, value in pairs), "--at")
