"""``dtmodel replay-trace``: the drops of each policy on a measured trace."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtmodel import policies
from dtmodel.base import units
from dtmodel.base.documents import parse_json, unique_keys
from dtmodel.base.errors import InputError
from dtmodel.base.extras import need
from dtmodel.base.tables import Cells
from dtmodel.cli.console import console, echo_json, print_cells
from dtmodel.cli.options import Word
from dtmodel.fluid.switch import Switch
from dtmodel.policies import PolicySetting

if TYPE_CHECKING:
    from dtmodel.fluid import Run
    from dtmodel.packet.engine import Lost
    from dtmodel.studies.traces import PolicyLosses

_SHOWN = 10


@click.command()
@click.argument("file")
@click.option("--ports", required=True, type=int, help="Number P of ports, which are numbered from 0.")
@click.option("--buffer", required=True, help="Shared buffer B, such as 16MB.")
@click.option("--rate", required=True, help="Rate C of every port, such as 100Gbps, or of each port, such as "
              "10Gbps,40Gbps.")  # fmt: skip
@click.option("--policy", "named", multiple=True, required=True, metavar="POLICY", help="A policy (repeatable): "
              "dt:alpha=1/2, a name alone (configured as in dtmodel compare, with alpha = 1), or an object as in "
              "scenario files.")  # fmt: skip
@click.option("--columns", help="Names of the three columns, and of a fourth with the class or prediction of each "
              "packet if a policy reads it.  [default: time,port,bytes, or time,port,rate]")  # fmt: skip
@click.option("--rates", "of_rates", is_flag=True, help="The third column is a rate in bytes/s: run the fluid model.")
@click.option("--time-unit", default="s", show_default=True, type=Word(["s", "ms", "us", "ns"]),
              help="Unit of the time column.")  # fmt: skip
@click.option("--exact", is_flag=True, help="Compute in exact fractions, instead of floats.")
@click.option(
    "--losses",
    metavar="FOLDER",
    help="Write the dropped packets, one Parquet file for each policy in its order, with the number of the record and "
    "the further columns of FILE.",
)
@click.option("--ties", type=Word(["order", "random", "fair"]), default="order", show_default=True,
              help="Order of packets that arrive at one instant: of the records, random, or one of each port in turn.",
)  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Seed of --ties random.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with all ports.")
def command(
    file: str, ports: int, buffer: str, rate: str, named: tuple[str, ...], columns: str | None, of_rates: bool,
    time_unit: str, exact: bool, losses: str | None, ties: Any, seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Replay a trace of packets under each policy: the drops by port, the first drop and the free buffer then.

    FILE is Parquet or CSV with headings. Its columns are the time at which a packet has arrived, its output port and
    its bytes. The command reads FILE once, in batches, so that the memory does not depend on its length. With --rates
    the whole trace stays in memory, within a budget.
    """
    need("pyarrow")
    from dtmodel.studies.traces import TraceColumns, read_batches, replay_rates, replay_trace
    from dtmodel.studies.traces.columns import keep_columns
    from dtmodel.studies.traces.ties import Ties
    from dtmodel.studies.traces.writing import RecordFile

    time, port, size, mark = _names(columns or ("time,port,rate" if of_rates else "time,port,bytes"), of_rates)
    switch = Switch(ports, buffer, rate)
    chosen = {text: policy_named(text, switch) for text in named}
    columns_read = TraceColumns(time, port, size, time_unit, of_rates, mark)
    batches = read_batches(file, ports, columns_read, exact=exact)
    if of_rates:
        if losses:
            raise InputError("--losses", losses, "no --losses with --rates (a trace of rates has no packets)")
        _tell_runs(replay_rates(batches, switch, chosen, exact=exact), as_json)
        return
    with ExitStack() as files:
        heard = {}
        for number, text in enumerate(chosen if losses else ()):
            Path(str(losses)).mkdir(parents=True, exist_ok=True)
            table = {"time": "float", "port": "int", "bytes": "int", "free": "float", "record": "int"}
            heard[text] = _hearing(files.enter_context(RecordFile(Path(str(losses)) / f"{number}.parquet", table)))
        tied = Ties(batches, ties, ports, seed)
        done = replay_trace(tied, switch, chosen, exact=exact, heard=heard)
    for number in range(len(heard)):
        keep_columns(Path(str(losses)) / f"{number}.parquet", file, columns_read)
    if as_json:
        echo_json([_document(name, account) | {"tied": tied.count} for name, account in done.items()])
        return
    for name, account in done.items():
        print_cells(console(), _cells(name, account))
    if tied.count:
        decides = {"order": "the order of the records decides", "random": "a random order decides",
                   "fair": "one packet of each port in turn is taken"}[ties]  # fmt: skip
        click.echo(f"{tied.count:,} packets arrive at the instant of another: {decides} who loses (--ties)")


def _tell_runs(runs: dict[str, Run[Any]], as_json: bool) -> None:
    if not as_json:
        for name, run in runs.items():
            click.echo(f"{name}\n{run!r}")
        return
    told = ("first_drop", "free_at_first_drop", "dropped", "drained")
    answers = [
        {"policy": name, "arithmetic": run.arithmetic, "error_bound": run.error_bound}
        | {of: [_number(getattr(run, of)(port)) for port in range(len(run.queues))] for of in told}
        for name, run in runs.items()
    ]
    echo_json(answers)


def _names(text: str, of_rates: bool) -> tuple[str, str, str, str]:
    match text.split(","):
        case [time, port, size, *mark] if len(mark) < 2 - of_rates:
            return time, port, size, "".join(mark)
    raise InputError("--columns", text, f"three{'' if of_rates else ' or four'} names with commas between")


def policy_named(text: str, switch: Switch) -> policies.Policy:
    """Read a policy from the command line; a name alone is configured for the switch, with alpha = 1."""
    if not set(text) & set("{:"):
        P, B, C = switch.ports, switch.buffer, min(switch.speeds)
        way = policies.configured(text, PolicySetting(P, B, C, P, 0, 2 * C, B / C), "--policy")[0]
        if (configured := way.policy or way.packets) is not None:
            return configured
    if text.lstrip().startswith("{"):
        try:
            document = parse_json(text, "--policy")
        except ValueError as error:
            raise InputError("--policy", text, f"JSON ({error})") from error
    else:
        name, _, rest = text.partition(":")
        pairs = [pair.partition("=") for pair in rest.split(",") if pair]
        given = [("name", name), *((key, None if value == "null" else value) for key, _, value in pairs)]
        document = unique_keys(given, "--policy")
    try:
        return policies.read(document, {}, switch.ports)
    except InputError as error:
        raise error.within("--policy") from error


def _hearing(file: Any) -> Any:
    def heard(lost: Lost) -> None:
        file.add(float(lost.time), lost.port, int(lost.size), float(lost.free), lost.burst)

    return heard


def _document(name: str, account: PolicyLosses) -> dict[str, Any]:
    first = [
        None if lost is None else {"time": _number(lost.time), "free": _number(lost.free)} for lost in account.first
    ]
    return {
        "policy": name, "packets": account.packets, "bytes": account.bytes, "lost_packets": account.lost_packets,
        "lost_bytes": account.lost_bytes, "first_loss": first, "longest": [_number(x) for x in account.longest],
        "least_free": _number(account.least_free), "engine": account.engine,
    }  # fmt: skip


def _number(value: Any) -> str | float | None:
    return value if value is None or isinstance(value, float) else units.plain(value)


def _cells(name: str, account: PolicyLosses) -> Cells:
    order = sorted(range(len(account.bytes)), key=lambda port: (-account.lost_bytes[port], port))
    rows = []
    for port in order[:_SHOWN]:
        first = account.first[port]
        then = (
            ("", "")
            if first is None
            else (_brief(units.show_seconds, first.time), _brief(units.show_bytes, first.free))
        )
        lost = _brief(units.show_bytes, account.lost_bytes[port])
        offered, longest = (_brief(units.show_bytes, x) for x in (account.bytes[port], account.longest[port]))
        rows.append((str(port), offered, lost, f"{account.lost_packets[port]:,}", *then, longest))
    lost, offered = (_brief(units.show_bytes, sum(x)) for x in (account.lost_bytes, account.bytes))
    more = f"; the {_SHOWN} of {len(account.bytes)} ports with the most drops" if len(account.bytes) > _SHOWN else ""
    free = _brief(units.show_bytes, account.least_free)
    title = f"{name}: {lost} of {offered} lost; least free buffer {free}{more}; engine: {account.engine}"
    return Cells(title, ("port", "offered", "lost", "packets", "first loss", "free then", "longest queue"), tuple(rows))


def _brief(show: Any, value: Any) -> str:
    from fractions import Fraction

    return units.brief(show(Fraction(value)))
