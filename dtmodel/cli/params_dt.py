"""``dtmodel params dt``: thresholds, occupancy, reserve and the first drop under Dynamic Threshold."""

import click

from dtmodel.cli.options import AnswerForm, answer_forms, sheet_options


@click.command()
@sheet_options(
    "dt",
    ports="Number P of ports.",
    buffer="Shared buffer B, such as 1MB.",
    rate="Rate C of every port, such as 10Gbps, or of each port, with commas between; bursts reach the first ones.",
    alpha="Control parameter alpha.",
    steady="Number N of steady ports (on their thresholds).",
    bursts="Number M of empty ports that bursts reach together.",
    burst_rate="Rate R of each burst; the first drop needs it.",
)
@answer_forms
def command(form: AnswerForm, **given: str | int | None) -> None:
    """Compute thresholds, occupancy, free buffer and the first drop of bursts under DT."""
    from dtmodel.cli.params import print_sheet
    from dtmodel.studies.sheets import sheet

    print_sheet(sheet("dt", **given), form)
