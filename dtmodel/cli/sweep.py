"""``dtmodel sweep``: evaluate a scenario or a statement at every point of a grid of named axes."""

from pathlib import Path

import click

from dtmodel.base.documents import read_documents
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.extras import need
from dtmodel.cli import _pictures
from dtmodel.cli.console import echo_json
from dtmodel.cli.options import both_or_neither, claim_options, pairs_of, picture_option
from dtmodel.cli.progress import progress
from dtmodel.cli.samples import sample_options

SWEPT = ("scenario", "statement")
"""The kinds of sweeps with an example."""
_MANY = 10
"""The share of exact runs in a sweep in floats, in percent, beyond which a warning says so."""


@click.command()
@click.argument("file")
@sample_options("sweep", SWEPT, "sweep", "KIND")
@click.option("--output", "-o", required=True, metavar="OUT",
              help="Folder of the sweep; its finished chunks are reused.")  # fmt: skip
@click.option("--jobs", "-j", type=click.IntRange(min=1),
              help="Largest number of worker processes (default: number of cores).")  # fmt: skip
@click.option("--json", "as_json", is_flag=True,
              help="Print JSON: numbers of points, chunks, new points and exact runs.")  # fmt: skip
@picture_option("--plot", "Draw a heat map into a PNG, PDF or SVG file.")
@click.option("--show", metavar="NAME", help="Quantity in the heat map (default: the first one).")
@click.option("--at", multiple=True, metavar="AXIS=VALUE",
              help="Fix an axis of the heat map or the claim (repeatable).")  # fmt: skip
@claim_options("the exact results at the point --at")
def command(
    file: str, output: str, jobs: int | None, as_json: bool, plot: Path | None, show: str | None, at: tuple[str, ...],
    folder: str | None, claim: str | None,
) -> None:  # fmt: skip
    """Evaluate a scenario, under one policy or several, or a statement on a grid of parameters.

    FILE is TOML or JSON; "-" is standard input. The command writes a Parquet file into OUT for each finished chunk. If
    a sweep was interrupted or killed, the same command continues it, with the same files at the end. In floats, points
    whose events rounding could change are run exactly and rounded, which is slower; the command prints their number.
    """
    both_or_neither(folder, claim)
    if (at and not (plot or folder)) or (show and not plot):
        raise InputError("--plot", MISSING, "--plot FILE together with --show; --plot FILE or --claim FOLDER with --at")
    need("pyarrow", "xarray", "joblib", *(["matplotlib"] if plot else []))
    from dtmodel.native.library import status
    from dtmodel.studies.sweeps.running import read_plan, run_plan

    (document, *others) = list(read_documents(file))
    if others:
        raise InputError(others[0].where, "a second sweep", "one sweep in each file")
    try:
        plan = read_plan(document.content)
        with progress("sweep", "points") as heard:
            made = run_plan(plan, Path(output), jobs or -1, heard)
    except InputError as error:
        raise error.within(document.where) from error
    rounded = made.rounded()
    if as_json:
        numbers = {"points": plan.points, "chunks": len(plan.chunks), "computed": made.computed}
        echo_json({"out": output, **numbers} | ({} if rounded is None else {"rounded": rounded}))
    else:
        now = f"{made.computed:,} of them computed now"
        exact = "" if rounded is None else f"; {rounded:,} points run exactly and rounded"
        click.echo(f"{output}: {plan.points:,} points in {len(plan.chunks):,} chunks, {now}{exact}")
    if rounded and rounded * 100 > _MANY * plan.points and status() == "native core":
        share = f"{rounded:,} of {plan.points:,} points"
        click.echo(f"warning: {share} were run exactly and rounded, which is slower than runs in floats", err=True)
    if folder:
        from dtmodel.companion import to_claim

        written = to_claim(document.content, claim or "", folder, at=pairs_of("--at", at, "AXIS=VALUE"))
        click.echo(f"written: {', '.join(map(str, written))}", err=True)
    if plot:
        from dtmodel.plot.heatmaps import heat_map

        _pictures.draw_into(plot, [heat_map(made.dataset(), show, pairs_of("--at", at, "AXIS=VALUE"))])
