"""``dtmodel params dt``: thresholds, occupancy, reserve and the first drop under Dynamic Threshold."""

import click

from dtmodel.cli.options import AnswerForm, answer_forms


@click.command()
@click.option("--ports", required=True, type=int, help="Number P of ports.")
@click.option("--buffer", required=True, help="Shared buffer B, such as 1MB.")
@click.option("--rate", required=True, help="Rate C of every port, such as 10Gbps.")
@click.option("--alpha", default="1", show_default=True, help="Control parameter alpha.")
@click.option("--steady", default=0, show_default=True, help="Number N of steady ports (on their thresholds).")
@click.option("--bursts", default=1, show_default=True, help="Number M of empty ports that bursts reach together.")
@click.option("--burst-rate", default=None, help="Rate R of each burst; the first drop needs it.")
@answer_forms
def command(
    ports: int, buffer: str, rate: str, alpha: str, steady: int, bursts: int, burst_rate: str | None, form: AnswerForm
) -> None:
    """Compute thresholds, occupancy, free buffer and the first drop of bursts under DT."""
    from dtmodel.cli.params import print_sheet
    from dtmodel.studies.sheets import sheet

    given = {"ports": ports, "buffer": buffer, "rate": rate, "alpha": alpha, "steady": steady, "bursts": bursts}
    print_sheet(sheet("dt", **given, burst_rate=burst_rate), form)
