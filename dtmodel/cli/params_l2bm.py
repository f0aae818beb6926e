"""``dtmodel params l2bm``: weights, thresholds, occupancy and reserve of L2BM, side by side with DT."""

import click

from dtmodel.base.errors import MISSING, InputError
from dtmodel.cli.options import AnswerForm, answer_forms, sheet_options


@click.command()
@sheet_options("l2bm", buffer="Shared buffer B, such as 4MB.")
@click.option("--sojourn", "sojourns", multiple=True, help="Average sojourn time of a queue (repeatable).")
@click.option("--weight", "weights", multiple=True, help="Weight of a queue, instead of its sojourn time (repeatable).")
@sheet_options(
    "l2bm",
    alpha="Control parameter alpha.",
    normalisation="Normalisation C of the weights: sum (as in the paper), mean, harmonic, least, greatest, or a time.",
)
@answer_forms
def command(
    buffer: str, sojourns: tuple[str, ...], weights: tuple[str, ...], alpha: str, normalisation: str, form: AnswerForm
) -> None:
    """Compare the steady states of L2BM and DT, at the same alpha and at the same total weight."""
    from dtmodel.cli.params import print_sheet
    from dtmodel.studies.parameter_sheets import sheet

    times, each = ([part for given in group for part in given.split(",")] for group in (sojourns, weights))
    if not sojourns and not weights:
        raise InputError("sojourns", MISSING, "a time for each queue, or --weight for each")
    settings = {"sojourns": times, "weights": each, "alpha": alpha, "normalisation": normalisation}
    print_sheet(sheet("l2bm", buffer=buffer, **settings), form)
