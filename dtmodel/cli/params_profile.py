"""``dtmodel params profile``: what a switch's buffer configuration means in bytes and packets, and what is wrong."""

import click

from dtmodel.base.errors import InputError
from dtmodel.cli.options import AnswerForm, Word, answer_forms
from dtmodel.cli.statuses import Status


@click.command()
@click.argument("file")
@click.option("--side", type=Word(["ingress", "egress"]), default="ingress", show_default=True)
@click.option("--active", multiple=True, help='An overloaded queue such as "Ethernet0|3"; repeat it. All by default.')
@click.option("--packet", help="Count packets of this size until a pause or a drop.")
@click.option("--cell", default="1", show_default=True, help="The cells in which the chip stores packets, in bytes.")
@click.option("--sources", default=1, show_default=True, help="How many queues of each profile get them, in turn.")
@click.option("--cable", help="Length of every cable, such as 40m.  [default: CABLE_LENGTH]")
@click.option("--rate", help="Rate of every link, such as 100Gbps.  [default: PORT.speed]")
@click.option("--frame", help="The largest frame in bytes.  [default: PORT.mtu, else 9216]")
@click.option("--reaction", help="How late a sender reacts to a pause.  [default: the pause quanta of IEEE 802.3]")
@click.option("--memory", help="All that the switch has: pools, reserves and headroom must fit.")
@answer_forms
def command(file: str, side: str, active: tuple[str, ...], form: AnswerForm, **given: str | None) -> int:
    """Read the buffer tables of a SONiC configuration (JSON): thresholds, reserves, headroom, packets.

    It checks the headroom of each lossless queue against its cable, and what is promised against what there is. A FAIL
    is exit status 1, in every form of the answer.
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
