"""``dtmodel params edt``: cn2, TM1, TM2, cn1 and d for a switch, and the bursts that they protect."""

import click

from dtmodel.cli.options import AnswerForm, answer_forms


@click.command()
@click.option("--ports", required=True, type=int, help="Number P of ports.")
@click.option("--buffer", required=True, help="Shared buffer B, such as 1MB.")
@click.option("--rate", required=True, help="Rate C of every port, such as 1Gbps.")
@click.option("--alpha", default="1", show_default=True, help="Control parameter alpha of DT.")
@click.option("--packet", default="1500", show_default=True, help="Size of the packets that C2 counts, in bytes.")
@click.option("--duration", help="Duration of most bursts, such as 10ms.  [default: B / (R_min - C)]")
@click.option("--smallest-rate", help="Rate R_min of the smoothest burst.  [default: 2 C]")
@click.option("--burst-rate", help="Rate R for the inverse questions.  [default: R_min]")
@answer_forms
def command(form: AnswerForm, ports: int, buffer: str, rate: str, **given: str | None) -> None:
    """Compute the settings of EDT for a switch: counters, timers, the longest lossless burst, and warnings."""
    from dtmodel.cli.params import print_sheet
    from dtmodel.studies.sheets import sheet

    known = {name: value for name, value in given.items() if value is not None}
    print_sheet(sheet("edt", ports=ports, buffer=buffer, rate=rate, **known), form)
