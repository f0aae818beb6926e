"""``dtmodel params losspass``: both absorbable bursts, utilisation and the least K for one port."""

import click

from dtmodel.cli.options import AnswerForm, answer_forms


@click.command()
@click.option("--rate", required=True, help="Link capacity C, such as 10Gbps.")
@click.option("--rtt", required=True, help="Base round-trip time, such as 100us.")
@click.option("--buffer", required=True, help="Port buffer B, such as 128KB.")
@click.option("--flows", required=True, type=int, help="Number N of large flows.")
@click.option("--threshold", required=True, help='Marking threshold K: bytes, or "45 packets".')
@click.option("--tau", required=True, help="Share tau of the buffered bytes that belongs to large flows, from 0 to 1.")
@click.option(
    "--reserve", default="0", show_default=True, help='Reserve B_l of the large queue: bytes, or "9 packets".'
)
@click.option("--segment", default="1500", show_default=True, help="Bytes by which a window grows.")
@click.option("--cut", default="1/2", show_default=True, help="Fraction by which a marked sender cuts its window.")
@answer_forms
def command(form: AnswerForm, **given: str | int) -> None:
    """Compare LossPass with ECN for one port: absorbable bursts, utilisation, the least K for line rate."""
    from dtmodel.cli.params import print_sheet
    from dtmodel.studies.sheets import sheet

    print_sheet(sheet("losspass", **given), form)
