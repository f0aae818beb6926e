"""``dtmodel params pools``: reserves, weights and static limits in one shared pool."""

import click

from dtmodel.base.documents import unique_keys
from dtmodel.base.errors import InputError
from dtmodel.cli.options import AnswerForm, answer_forms


@click.command()
@click.option("--buffer", required=True, help="Shared buffer B, such as 4MB.")
@click.option("--queue", "queues", multiple=True, required=True, metavar="KEY=VALUE,...",
              help='Steady queues, such as "alpha=1/8,reserved=10KB,cap=1MB,headroom=40KB,count=4,name=lossless" '
                   "(repeatable).")  # fmt: skip
@click.option("--packet", help="Packet size; the sheet then counts packets until a pause or a drop.")
@click.option("--cell", default="1", show_default=True, help="Cell size of the chip, in bytes.")
@click.option("--sources", default=1, show_default=True, help="Queues of each kind that receive packets in turn.")
@click.option("--overhead", default="0", show_default=True, help="Bytes that are stored beside each packet.")
@answer_forms
def command(buffer: str, queues: tuple[str, ...], form: AnswerForm, **given: str | None) -> None:
    """Compute thresholds in a shared pool, and the number of packets until a pause or a drop."""
    from dtmodel.cli.params import print_sheet
    from dtmodel.studies.sheets import sheet

    print_sheet(sheet("pools", buffer=buffer, queues=[_read(queue) for queue in queues], **given), form)


def _read(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(equals for _, equals, _ in pairs):
        raise InputError("--queue", text, "KEY=VALUE pairs between commas")
    return unique_keys(((key.strip(), value.strip()) for key, _, value in pairs), "--queue")
