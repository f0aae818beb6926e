"""``dtmodel params pools``: reserves, weights and static limits in one shared pool."""

import click

from dtmodel.base.documents import unique_keys
from dtmodel.base.errors import InputError
from dtmodel.cli.options import AnswerForm, answer_forms, sheet_options


@click.command()
@sheet_options("pools", buffer="Shared bytes, without reserves and headroom, such as 4MB.")
@click.option("--queue", "queues", multiple=True, required=True, metavar="KEY=VALUE,...",
              help='Steady queues, such as "alpha=1/8,reserved=10KB,cap=1MB,headroom=40KB,count=4,name=lossless" '
                   "(repeatable).")  # fmt: skip
@sheet_options(
    "pools",
    packet="Packet size; the sheet then counts packets until a pause or a drop.",
    cell="Cell size of the chip, in bytes.",
    sources="Queues of each kind that receive packets in turn.",
    overhead="Bytes that are stored beside each packet.",
)
@answer_forms
def command(buffer: str, queues: tuple[str, ...], form: AnswerForm, **given: str | None) -> None:
    """Compute thresholds in a shared pool, and the number of packets until a pause or a drop."""
    from dtmodel.cli.params import print_sheet
    from dtmodel.studies.parameter_sheets import sheet

    print_sheet(sheet("pools", buffer=buffer, queues=[_read(queue) for queue in queues], **given), form)


def _read(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(equals for _, equals, _ in pairs):
        raise InputError("--queue", text, "KEY=VALUE pairs between commas")
    return unique_keys([(key.strip(), value.strip()) for key, _, value in pairs], "--queue")
