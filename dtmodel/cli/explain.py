"""``dtmodel explain``: from sampled counters, the drops that a threshold could, must or cannot have caused."""

import json
from pathlib import Path
from typing import Any

import click

from dtmodel.base.files import write_whole
from dtmodel.cli.console import echo_json
from dtmodel.cli.options import Word
from dtmodel.cli.samples import printed_and_done, sample_text


@click.command()
@click.argument("counters")
@click.option("--example", is_flag=False, flag_value="explain.csv", type=Word(["explain.csv"]), is_eager=True,
              expose_value=False, callback=printed_and_done("--example", lambda name: sample_text("examples", name)),
              help="Print sample COUNTERS.", metavar="")  # fmt: skip
@click.option("--profile", help="Buffer configuration (as for dtmodel params profile): B, alpha, reserves, PORT.speed.")
@click.option("--chip", help="Reading of the profile, such as th (see dtmodel params profile --help).")
@click.option("--side", type=Word(["ingress", "egress"]), default="egress", show_default=True,
              help="Side of the switch whose queues are counted.")  # fmt: skip
@click.option("--memory", help="Size of pools that have none in the profile.")
@click.option("--buffer", help="Shared buffer B, such as 16MB.  [default: that of the profile]")
@click.option("--alpha", help="Weight alpha of every queue.  [default: that of the profile]")
@click.option("--rate", help="Rate of every port, such as 100Gbps.  [default: PORT.speed]")
@click.option("--certificate", metavar="FILE",
              help="Write the proofs of cannot and must; proofs/check_certificates.py checks them.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with the witnesses and the certificate.")
def command(counters: str, profile: str | None, certificate: str | None, as_json: bool, **given: Any) -> None:
    """Explain the drops between samples of counters under DT: the threshold could, must or cannot have caused them.

    COUNTERS is a CSV file with the columns time, port, queue, in, out, dropped, watermark: cumulative bytes of one
    queue a port, with a row of every queue at every time; in contains the dropped bytes. "could": some arrivals give
    these samples while the threshold drops all these bytes. "must": under all such arrivals each queue is at or above
    its threshold at every instant. "cannot": there are no such arrivals. All are decided exactly; rates of arrivals
    have no limit.
    """
    from dtmodel.studies.explain import explain
    from dtmodel.switches.tables import read_file

    answer = explain(counters, read_file(profile) if profile else None, **given)
    if certificate:
        write_whole(Path(certificate), json.dumps(answer["certificate"]) + "\n")
    if as_json:
        echo_json(answer)
        return
    for interval in answer["intervals"]:
        click.echo(f"{interval['from']} s to {interval['to']} s: {interval['verdict']}: {interval['reason']}")
        for port in interval["ports"]:
            click.echo(f"  port {port['port']}, queue {port['queue']}, {port['dropped']} B dropped: "
                       f"{port['verdict']}: {port['reason']}")  # fmt: skip
    if not answer["intervals"]:
        click.echo("no interval has drops")
    click.echo(f"not covered: {'; '.join(answer['not_covered'])}")
