"""``dtmodel params profile``: check the buffer configuration of a switch, with thresholds in bytes and packets."""

import click

from dtmodel.base.errors import InputError
from dtmodel.cli.options import AnswerForm, Word, answer_forms
from dtmodel.cli.statuses import Status


@click.command()
@click.argument("file")
@click.option("--side", type=Word(["ingress", "egress"]), default="ingress", show_default=True,
              help="Side of the switch to compute.")  # fmt: skip
@click.option("--active", multiple=True, help='A steady queue, such as "Ethernet0|3" (repeatable).  [default: all]')
@click.option("--packet", help="Packet size; the sheet then counts packets until a pause or a drop.")
@click.option("--cell", default="1", show_default=True, help="Cell size of the chip, in bytes.")
@click.option("--sources", default=1, show_default=True, help="Queues of each profile that receive packets in turn.")
@click.option("--cable", help="Length of every cable, such as 40m.  [default: CABLE_LENGTH]")
@click.option("--rate", help="Rate of every link, such as 100Gbps.  [default: PORT.speed]")
@click.option("--frame", help="Largest frame in bytes.  [default: PORT.mtu, else 9216]")
@click.option("--reaction", help="Reaction time of a sender to a pause.  [default: the pause quanta of IEEE 802.3]")
@click.option("--memory", help="Total memory of the switch, which must hold all pools, reserves and headroom.")
@answer_forms
def command(file: str, side: str, active: tuple[str, ...], form: AnswerForm, **given: str | None) -> int:
    """Check the buffer tables of a SONiC configuration (JSON): thresholds, reserves, headroom, packets.

    The command compares the headroom of each lossless queue with its cable, and the reserves with the memory. The exit
    status is 1 if a check fails.
    """
    from dtmodel.base.documents import read_documents
    from dtmodel.cli.params import print_sheet
    from dtmodel.studies.sheets import sheet

    first, *more = read_documents(file)
    if more:
        raise InputError("file", file, "one configuration")
    made = sheet("profile", first.content, side=side, active=active, check=True, **given)
    print_sheet(made, form)
    return Status.DIFFERS if any(found.verdict == "FAIL" for found in made.checks) else Status.AS_RECORDED
