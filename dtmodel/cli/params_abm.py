"""``dtmodel params abm``: weights, thresholds and reserves of ABM."""

import click

from dtmodel.base.units import count
from dtmodel.cli.options import AnswerForm, answer_forms


@click.command()
@click.option("--buffer", required=True, help="Shared buffer B, such as 4MB.")
@click.option("--alpha", "alphas", multiple=True, default=("1",), show_default=True,
              help="alpha_p of priority 0, 1, ...; repeat it.")  # fmt: skip
@click.option("--queue", "queues", multiple=True, required=True, metavar="PRIORITY[:SHARE]",
              help="An overloaded queue: its priority, and the part of its port's rate that drains it; repeat it.",
)  # fmt: skip
@click.option("--rate", help="Rate C of every port; with --burst-rate, for a first drop.")
@click.option("--burst-rate", help="Rate R of a burst at an empty queue.")
@click.option("--burst-priority", default=0, show_default=True, help="The priority of that queue.")
@answer_forms
def command(
    buffer: str, alphas: tuple[str, ...], queues: tuple[str, ...], form: AnswerForm, **given: str | int
) -> None:
    """Work out ABM's weights and thresholds, what stays free, and the first drop of a burst."""
    from dtmodel.cli.params import print_sheet
    from dtmodel.studies.sheets import sheet

    parts = [queue.partition(":") for queue in queues]
    priorities = [count(priority, "--queue") for priority, _, _ in parts]
    drains = [share or "1" for _, _, share in parts]
    print_sheet(sheet("abm", buffer=buffer, alphas=alphas, priorities=priorities, drains=drains, **given), form)
