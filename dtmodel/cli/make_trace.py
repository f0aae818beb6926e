"""``dtmodel make-trace``: a seeded trace of packets, to replay."""

from pathlib import Path
from typing import Any

import click

from dtmodel.base.extras import need
from dtmodel.cli.options import Word
from dtmodel.fluid.switch import Switch
from dtmodel.packet.flow_sizes import FLOW_SIZES

_PATTERNS = ("poisson", "on-off", "incast")


@click.command()
@click.argument("file")
@click.option("--ports", required=True, type=int, help="Number P of ports.")
@click.option("--rate", required=True, help="Rate C of every port, and of every sender.")
@click.option("--duration", required=True, help="Time within which flows begin, such as 5ms.")
@click.option("--pattern", default="poisson", show_default=True, type=Word(_PATTERNS), help="Arrival pattern of flows.")
@click.option("--sizes", default="web-search", show_default=True, type=Word(FLOW_SIZES), help="Distribution of sizes.")
@click.option("--load", default="1/2", show_default=True,
              help="Average arrival rate, as a fraction of the rate of all ports.")  # fmt: skip
@click.option("--senders", default=16, show_default=True, help="Number of flows in an incast.")
@click.option("--packet", default=1460, show_default=True, help="Size of a full packet in bytes.")
@click.option("--seed", default=0, show_default=True, help="Seed of the random numbers.")
def command(file: str, ports: int, rate: str, **given: Any) -> None:
    """Write a seeded trace of packets (time, port, bytes) to FILE: Parquet if its name ends in .parquet, else CSV."""
    need("pyarrow")
    from dtmodel.studies.traces import generated_packets
    from dtmodel.studies.traces.writing import RecordFile

    packets = generated_packets(Switch(ports, 1, rate), **given)
    with RecordFile(Path(file), {"time": "float", "port": "int", "bytes": "int"}) as records:
        number = 0
        for packet in packets:
            records.add(*packet)
            number += 1
    click.echo(f"{file}: {number:,} packets")
