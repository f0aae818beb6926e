"""``dtmodel params pfc``: the headroom that a paused link needs, from its cable alone."""

import click

from dtmodel.cli.options import AnswerForm, answer_forms


@click.command()
@click.option("--cable", required=True, help="Length of the cable, such as 300m.")
@click.option("--rate", required=True, help="Rate of the link, such as 100Gbps.")
@click.option("--mtu", default="9100", show_default=True, help="Largest packet; its frame has 22 bytes more.")
@click.option("--reaction", help="Reaction time of the sender.  [default: the pause quanta of the rate]")
@click.option("--interface", help="Delay of one interface.  [default: the longest that IEEE 802.3 allows]")
@click.option("--cell", help="Cell size of the chip, in bytes, for the vendor's rule.")
@click.option("--small", default="1/2", show_default=True, help="Part of the packets that have 64 bytes.")
@click.option("--lossless-mtu", default="1024", show_default=True, help="Size of the other lossless packets.")
@click.option("--mac-phy", default="0", show_default=True, help="Bytes that arrive during the delay of MAC and PHY.")
@click.option("--gearbox", default="0", show_default=True, help="Bytes that arrive during the delay of one gearbox.")
@click.option("--pipeline", default="0", show_default=True, help="Bytes that arrive during the delay of the pipeline.")
@answer_forms
def command(form: AnswerForm, **given: str | None) -> None:
    """Compute the PFC headroom of a cable: the plain formula, the interfaces, and a vendor's rule beside them."""
    from dtmodel.cli.params import print_sheet
    from dtmodel.studies.sheets import sheet

    print_sheet(sheet("pfc", **given), form)
