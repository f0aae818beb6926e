"""``dtmodel compare``: every policy on one switch and one scenario."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dtmodel.base.errors import InputError
from dtmodel.base.extras import need
from dtmodel.cli.console import console, echo_json, print_cells
from dtmodel.cli.options import AnswerForm, answer_forms, picture_option

if TYPE_CHECKING:
    from dtmodel.studies.compare import PolicyComparison


@click.command()
@click.option("--ports", required=True, type=int, help="Number P of ports.")
@click.option("--buffer", required=True, help="Shared buffer B, such as 64MB.")
@click.option("--rate", required=True, help="Rate C of every port, such as 100Gbps, or of each port, with "
              "commas between; bursts reach the first ones.")  # fmt: skip
@click.option("--steady", default=0, show_default=True, help="Number N of steady ports (on their thresholds).")
@click.option("--bursts", default=1, show_default=True, help="Number M of empty ports that bursts reach together.")
@click.option("--burst-rate", help="Rate R of each burst.  [default: 2 C]")
@click.option("--duration", help="Duration of the bursts.  [default: B / (R - C), so that one burst fills the buffer]")
@click.option("--steady-rate", help="Arrival rate of each steady port, at least C.  [default: 2 C]")
@click.option("--alpha", default="1", show_default=True, help="Control parameter of DT and similar policies.")
@click.option("--policy", "among", multiple=True,
              help="Compare only this policy, named as in the table or in scenario files (repeatable).")  # fmt: skip
@picture_option("--plot", "Draw the run of every policy into a PNG, PDF or SVG file.")
@answer_forms
def command(
    ports: int, buffer: str, rate: str, among: tuple[str, ...], plot: Path | None, form: AnswerForm,
    **given: str | int | None,
) -> None:  # fmt: skip
    """Compare every policy on one switch: bursts reach empty ports at the same time, beside steady ports.

    Each policy is configured for the switch. Every number is exact: the result of the fluid engine, and the prediction
    of the claim.
    """
    from dtmodel.fluid.switch import Switch
    from dtmodel.studies.compare import compare

    if plot:
        need("matplotlib")
    known = {name: value for name, value in given.items() if value is not None}
    try:
        compared = compare(Switch(ports, buffer, rate), among=among or None, **known)  # type: ignore[arg-type]  # by name
    except InputError as error:
        raise type(error)(_as_options(error.field), error.value, error.accepted) from error
    if form == "json":
        echo_json(compared.document())
    elif form == "csv":
        click.echo(compared.csv(), nl=False)
    elif form == "markdown":
        click.echo(compared.markdown())
    else:
        _print(compared)
    if plot:
        from dtmodel.cli import _pictures

        _pictures.draw_into(plot, [compared.plot()])


def _as_options(field: str) -> str:
    """Replace the fields of an error by the options of the command line.

    >>> _as_options("switch.buffer"), _as_options("bursts + steady"), _as_options("among[0]")
    ('--buffer', '--bursts + --steady', '--policy')
    """
    words = (re.sub(r"\[.*", "", word.removeprefix("switch.")) for word in field.split(" + "))
    return " + ".join("--" + ("policy" if word == "among" else word.replace("_", "-")) for word in words)


def _print(compared: PolicyComparison) -> None:
    from rich.text import Text

    out = console()
    print_cells(out, compared.numbers())
    for name, text in compared.says().items():
        out.print(Text.assemble((f"{name}: ", "dim"), text))
    print_cells(out, compared.spread.table().without_empty())
    out.print(compared.spread.advice)
