"""``dtmodel params profile``: what a switch's buffer configuration means, in bytes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dtmodel.errors import InputError

if TYPE_CHECKING:
    from dtmodel.buffer_profile import BufferProfile
    from dtmodel.theory.buffer_profile_parameters import SharedPool

__all__ = ["command"]


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--side", type=click.Choice(["ingress", "egress"]), default="ingress", show_default=True)
@click.option("--active", multiple=True, help='An overloaded queue such as "Ethernet0|3"; repeat it. All by default.')
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(file: Path, side: str, active: tuple[str, ...], as_json: bool) -> None:
    """Read the buffer tables of a SONiC configuration (JSON) and work out thresholds, reserves and headroom."""
    from dtmodel.buffer_profile import read_buffer_profile
    from dtmodel.cli.params import show
    from dtmodel.documents import table
    from dtmodel.theory.buffer_profile_parameters import parameters

    try:
        document = json.loads(file.read_text(encoding="utf-8"), parse_float=str)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError("file", str(file), f"a readable JSON file ({error})") from error
    profile = read_buffer_profile(table(document, "file"))
    show(parameters(_pools(profile, side, active or tuple(profile.side(side)))), as_json)


def _pools(profile: BufferProfile, side: str, active: tuple[str, ...]) -> list[SharedPool]:
    from dtmodel.theory.buffer_profile import Limit, pool_steady_state
    from dtmodel.theory.buffer_profile_parameters import Group, SharedPool

    if not active:
        raise InputError("active", "none", f"at least one {side} queue")
    numbers = Counter(profile.profile_of(queue, side).name for queue in active)
    pools = []
    for pool in profile.pools.values():
        members = [
            (profile.profiles[name], number)
            for name, number in numbers.items()
            if profile.profiles[name].pool == pool.name
        ]
        if members:
            limits = [(Limit(p.alpha, p.reserved, p.cap), p, number) for p, number in members]
            free = pool_steady_state(pool.size, [limit for limit, _, number in limits for _ in range(number)]).free
            groups = [Group(p.name, number, limit, p.headroom, p.resumes(free)) for limit, p, number in limits]
            pools.append(SharedPool(pool.name, pool.size, tuple(groups)))
    return pools
