"""``dtmodel ratio``: the exact competitive ratio of a policy, and the worst arrivals."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dtmodel.base import budgets, units
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.files import write_whole
from dtmodel.base.tables import Cells
from dtmodel.cli.console import console, echo_json, print_cells
from dtmodel.cli.replay_trace import policy_named
from dtmodel.fluid.switch import Switch
from dtmodel.policies import typed

if TYPE_CHECKING:
    from dtmodel.studies.competitive import CompetitiveRatio, Slot, UnitArrival


@click.command()
@click.option("--policy", "named", metavar="POLICY", help="A policy: dt:alpha=1/2, a name alone "
              "(configured as in dtmodel compare, with alpha = 1), or an object as in scenario files.")  # fmt: skip
@click.option("--synthesize", is_flag=True,
              help="Find the threshold policy with the least ratio, in place of --policy.")  # fmt: skip
@click.option("--ports", required=True, type=int, help="Number N of ports, which are numbered from 0.")
@click.option("--buffer", required=True, help="Shared buffer B in packets.")
@click.option("--trace", "trace", metavar="FILE",
              help="Write the worst arrivals as CSV for dtmodel replay-trace --rate 1.")  # fmt: skip
@click.option("--rounds", default=1, show_default=True, help="Number of times that --trace repeats the cycle.")
@click.option("--certificate", metavar="FILE", help="Write a certificate that proofs/check_certificates.py checks.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    named: str | None, synthesize: bool, ports: int, buffer: str, trace: str | None, rounds: int,
    certificate: str | None, as_json: bool
) -> None:  # fmt: skip
    """Compute the exact competitive ratio of a policy: the throughput of the optimum over its own, at worst.

    Packets have one size. In a slot any number of them arrive, one after another at any ports; then every port with a
    packet sends one. The optimum has read all arrivals in advance, and accepts or rejects each packet. The worst
    arrivals are a prefix and a cycle that can be repeated for ever.

    With --synthesize the policy is the best of those that admit a packet if its queue is shorter than a limit t(s),
    which does not rise with the number s of packets in the buffer.
    """
    from dtmodel.studies import competitive

    size = units.count(buffer, "--buffer", least=1)
    budgets.keep_within("queues", ports, "--ports")
    if (named is None) != synthesize:
        raise InputError("--policy", MISSING if named is None else named, "either a policy or --synthesize")
    if named is None:
        best = competitive.synthesize(ports=ports, buffer=size)
        found, said, document = best.least, typed(best.least.policy), best.document()
    else:
        found = competitive.ratio(policy_named(named, Switch(ports, size, 1)), ports=ports, buffer=size)
        said, document = named, found.document()
    if trace:
        lines = [f"{time},{port},{length}\n" for time, port, length in found.trace(rounds)]
        write_whole(Path(trace), "".join(["time,port,bytes\n", *lines]))
    if certificate:
        write_whole(Path(certificate), json.dumps(found.certificate()) + "\n")
    if as_json:
        echo_json(document)
        return
    out = console()
    out.print(_summary(said, found))
    rows = [(part, slot) for part in ("prefix", "cycle") for slot in getattr(found, part)]
    cells = [(str(time), part, *_row(slot)) for time, (part, slot) in enumerate(rows)]
    print_cells(out, Cells("Worst arrivals", ("slot", "part", "arrivals", "policy", "optimum"), tuple(cells)))


def _summary(named: str, found: CompetitiveRatio) -> str:
    where = f"{named}, N = {found.ports}, B = {found.buffer}: competitive ratio"
    if found.ratio is None or found.additive is None:
        return f"{where} infinite"
    constant = "" if not found.additive else f", with the additive constant {units.plain(found.additive)}"
    decimal = "" if found.ratio.denominator == 1 else f" = {float(found.ratio):.6g}"
    return f"{where} {units.plain(found.ratio)}{decimal}{constant} ({found.engine})"


def _row(slot: Slot) -> tuple[str, str, str]:
    groups = [(said, len([*same])) for said, same in groupby(map(_arrival, slot.arrivals))]
    said = ", ".join(f"{count} x {text}" if count > 1 else text for text, count in groups)
    return said, " ".join(map(str, slot.policy)), " ".join(map(str, slot.optimum))


def _arrival(arrival: UnitArrival) -> str:
    """Return the port of a packet with those that take it.

    >>> from dtmodel.studies.competitive import UnitArrival
    >>> _arrival(UnitArrival(1, admitted=True, accepted=False, pushed_out=0))
    '1: policy (pushes out 0)'
    """
    taken = {(True, True): "both", (True, False): "policy", (False, True): "optimum", (False, False): "neither"}
    pushed = "" if arrival.pushed_out is None else f" (pushes out {arrival.pushed_out})"
    return f"{arrival.port}: {taken[arrival.admitted, arrival.accepted]}{pushed}"
