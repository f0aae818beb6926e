"""``dtmodel params dynaq``: thresholds, satisfaction thresholds and least buffer of a port with service queues."""

import click

from dtmodel.cli.options import AnswerForm, answer_forms


@click.command("dynaq")
@click.option("--buffer", help="Port buffer B, such as 85KB.")
@click.option("--rate", help="Link rate C, such as 1Gbps.")
@click.option("--rtt", help="Base round-trip time, such as 500us.")
@click.option("--weights", help="Weight of each queue, such as 4,3,2,1 or 4:3:2:1.")
@click.option("--queues", help="Number of queues (default: number of weights); without --weights they are equal.")
@click.option("--packet", help="Largest packet L.  [default: 1500 bytes]")
@click.option("--granularity", default="1", show_default=True, help="Granularity g of packet sizes, in bytes.")
@click.option("--preset", "name", help="A setting of the paper: testbed, testbed-5, testbed-weights, rack-10g, ...")
@answer_forms
def command(
    *, buffer: str | None, rate: str | None, rtt: str | None, weights: str | None, queues: str | None,
    packet: str | None, granularity: str, name: str | None, form: AnswerForm,
) -> None:  # fmt: skip
    """Compute thresholds, margins and guarantees of DynaQ for one port."""
    from dtmodel.base import budgets
    from dtmodel.base.errors import MISSING, InputError
    from dtmodel.base.units import count
    from dtmodel.cli.params import print_sheet
    from dtmodel.studies.parameter_sheets import sheet
    from dtmodel.theory.dynaq.sheet import preset

    if name is not None:
        given = {"buffer": buffer, "rate": rate, "rtt": rtt, "weights": weights, "queues": queues, "packet": packet}
        for field, value in given.items():
            if value is not None:
                raise InputError(field, value, "no options with --preset except --granularity and --json")
        print_sheet(preset(name, granularity=granularity), form)
        return
    for field, value in {"buffer": buffer, "rate": rate, "rtt": rtt}.items():
        if value is None:
            raise InputError(field, MISSING, "a value, or --preset")
    if weights is None and queues is None:
        raise InputError("weights", MISSING, "weights, or --queues, or --preset")
    if queues is not None:
        budgets.keep_within("events", count(queues, "queues", least=1) ** 2, "queues")
    parts = weights.replace(":", ",").split(",") if weights is not None else ["1"] * count(queues, "queues", least=1)
    if queues is not None and count(queues, "queues", least=1) != len(parts):
        raise InputError("weights", weights, f"{queues} weights, one for each queue")
    settings = {"rtt": rtt, "weights": parts, "packet": packet or 1500, "granularity": granularity}
    print_sheet(sheet("dynaq", buffer=buffer, rate=rate, **settings), form)
