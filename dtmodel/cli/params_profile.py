"""``dtmodel params profile``: what a switch's buffer configuration means, in bytes."""

from __future__ import annotations

import click

from dtmodel.errors import InputError

__all__ = ["command"]


@click.command()
@click.argument("file")
@click.option("--side", type=click.Choice(["ingress", "egress"]), default="ingress", show_default=True)
@click.option("--active", multiple=True, help='An overloaded queue such as "Ethernet0|3"; repeat it. All by default.')
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(file: str, side: str, active: tuple[str, ...], as_json: bool) -> None:
    """Read the buffer tables of a SONiC configuration (JSON) and work out thresholds, reserves and headroom."""
    from dtmodel.cli.params import show
    from dtmodel.documents import read_documents
    from dtmodel.sheets import sheet

    first, *more = read_documents(file)
    if more:
        raise InputError("file", file, "one configuration")
    show(sheet("profile", first.content, side=side, active=active), as_json)
