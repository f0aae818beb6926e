"""``dtmodel params abm``: weights, thresholds, drain times, free buffer and first drop under ABM."""

import click

from dtmodel.base.units import count
from dtmodel.cli.options import AnswerForm, answer_forms, sheet_options


@click.command()
@sheet_options("abm", buffer="Shared buffer B, such as 4MB.")
@click.option("--alpha", "alphas", multiple=True, default=("1",), show_default=True,
              help="alpha_p of priority 0, then 1, and so on (repeatable).")  # fmt: skip
@click.option("--queue", "queues", multiple=True, required=True, metavar="PRIORITY[:SHARE]",
              help="A steady queue: its priority, and its share of the port rate (repeatable).")  # fmt: skip
@sheet_options(
    "abm",
    rate="Rate C of every port, for drain times and the first drop.",
    burst_rate="Rate R of a burst that reaches an empty queue.",
    burst_priority="Priority of the queue with the burst.",
)
@answer_forms
def command(
    buffer: str, alphas: tuple[str, ...], queues: tuple[str, ...], form: AnswerForm, **given: str | int
) -> None:
    """Compute weights, thresholds, drain times, the free buffer, and burst tolerance and first drop under ABM."""
    from dtmodel.cli.params import print_sheet
    from dtmodel.studies.parameter_sheets import sheet

    parts = [queue.partition(":") for queue in queues]
    priorities = [count(priority, "--queue") for priority, _, _ in parts]
    drains = [share or "1" for _, _, share in parts]
    print_sheet(sheet("abm", buffer=buffer, alphas=alphas, priorities=priorities, drains=drains, **given), form)
