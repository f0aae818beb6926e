"""The parameter sheets of all systems through one call: ``sheet("edt", switch, duration="10 ms")``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

from dtmodel.base import budgets, units
from dtmodel.base.documents import choice, only_keys, table
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.units import Quantity
from dtmodel.fluid.switch import Switch
from dtmodel.policies.formulas import QueueLimits

if TYPE_CHECKING:
    from dtmodel.switches.profile import BufferProfile
    from dtmodel.switches.sheet import Group, Packets, SharedPool
    from dtmodel.theory.sheet import Check, Sheet

SYSTEMS = {
    "dt": "dtmodel.theory.dt.sheet",
    "edt": "dtmodel.theory.edt.sheet",
    "losspass": "dtmodel.theory.losspass.sheet",
    "dynaq": "dtmodel.theory.dynaq.sheet",
    "l2bm": "dtmodel.theory.l2bm.sheet",
    "abm": "dtmodel.theory.abm.sheet",
    "pools": "dtmodel.studies.sheets:pool_parameters",
    "profile": "dtmodel.studies.sheets",
}
"""The systems, and the module that makes the sheet, with its function ``parameters`` or the one after the colon."""


def sheet(system: str, switch: Switch | Mapping[str, Any] | None = None, /, **settings: Any) -> Sheet:
    """Compute the parameters of a system for a switch, with formula, assumption, source and warnings.

    Parameters
    ----------
    system : {"dt", "edt", "losspass", "dynaq", "l2bm", "abm", "pools", "profile"}
        The buffer management; ``"profile"`` is a switch's own buffer configuration.
    switch : Switch or mapping, optional
        Ports, buffer and rate, if the system uses them (LossPass and DynaQ manage one port: its buffer and rate); for
        ``"profile"`` the SONiC configuration. Without it these are settings, too.
    **settings
        The options of ``dtmodel params SYSTEM``, with underscores.

    Returns
    -------
    Sheet

    Raises
    ------
    InputError
        For an unknown system or setting, a missing setting, or a value that is not accepted.

    Examples
    --------
    >>> switch = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
    >>> sheet("dt", switch, steady=2, burst_rate="2 Gbps")["first_drop"]
    Fraction(1, 500)
    >>> sheet("l2bm", switch, sojourns=["1 us", "9 us"])["weight_2"]
    Fraction(5, 36)
    """
    module, _, function = SYSTEMS[choice(system, "system", tuple(SYSTEMS))].partition(":")
    make = getattr(import_module(module), function or "parameters")
    known = {name.removesuffix("_"): parameter for name, parameter in signature(make).parameters.items()}
    given = _measures(switch, known) if isinstance(switch, Switch) else {} if switch is None else {"switch": switch}
    for name in (*settings, *given):
        if name not in known or (name in settings and name in given):
            value = settings.get(name, switch)
            raise InputError(name, value, f"a Switch and, each once, the settings of {system}: {', '.join(known)}")
    given |= settings
    for name, parameter in known.items():
        if parameter.default is Parameter.empty and name not in given:
            raise InputError(name, MISSING, f"a value: {system} needs it")
    made: Sheet = make(**{known[name].name: value for name, value in given.items()})
    return made


def parameters(
    switch: Mapping[str, Any],
    *,
    side: str = "ingress",
    active: Sequence[str] = (),
    packet: Quantity | None = None,
    cell: Quantity = 1,
    sources: int = 1,
    check: bool = False,
    cable: str | None = None,
    rate: Quantity | None = None,
    frame: Quantity | None = None,
    reaction: Quantity | None = None,
    memory: Quantity | None = None,
) -> Sheet:
    """Compute the sheet of a switch's buffer configuration.

    `switch`: the buffer tables of a SONiC configuration. `side` ({"ingress", "egress"}): the side of the queues.
    `active`: the overloaded queues, such as ``"Ethernet0|3"``; by default all of the side. `packet`, `cell`: count
    packets of this size, stored in cells of this size, in bytes. `sources`: the number of queues of each profile that
    receive the packets in turn. `check`: check headroom and sums, as any of the following does. `cable`, `rate`,
    `frame`, `reaction`: the links into the switch, as in `dtmodel.switches.checks.CableFacts`. `memory`: the whole
    memory of the switch, in bytes.
    """
    from dtmodel.switches.checks import CableFacts, checks
    from dtmodel.switches.profile import read_buffer_profile
    from dtmodel.switches.sheet import parameters as of_pools

    document = table(switch, "switch")
    profile = read_buffer_profile(document)
    choice(side, "side", ("ingress", "egress"))
    facts = CableFacts(cable, rate, frame, reaction, packet, cell)
    found: tuple[Check, ...] = ()
    if check or any(value is not None for value in (cable, rate, frame, reaction, memory)):
        total = None if memory is None else units.bytes_(memory, "memory", positive=True)
        found = checks(profile, document, facts, total)
    pools = _pools(profile, side, tuple(active) or tuple(profile.side(side)))
    return of_pools(pools, _packets(packet, cell, sources), found)


def pool_parameters(
    *,
    buffer: Quantity,
    queues: Sequence[Mapping[str, Any]],
    packet: Quantity | None = None,
    cell: Quantity = 1,
    sources: int = 1,
) -> Sheet:
    """Compute the sheet of one shared pool.

    `buffer`: the shared bytes, without reserves and headroom. `queues`: overloaded queues as mappings with ``alpha`` or
    ``cap`` or both, ``reserved`` and ``headroom`` (default 0), ``count`` (default 1) and ``name``. `packet`, `cell`,
    `sources`: as for a switch's configuration.

    >>> sheet("pools", buffer="4 MB", queues=[{"alpha": 1, "reserved": "10 KB", "count": 3}])["pool.queue1.threshold"]
    Fraction(1010000, 1)
    """
    from dtmodel.switches.sheet import SharedPool
    from dtmodel.switches.sheet import parameters as of_pools

    size = units.bytes_(buffer, "buffer", positive=True)
    groups = tuple(_group(queue, i) for i, queue in enumerate(units.sequence(queues, "queues", least=1)))
    if len({group.name for group in groups}) < len(groups):
        raise InputError("queues", [group.name for group in groups], "a name of its own for each kind of queue")
    made = of_pools([SharedPool("pool", size, groups)], _packets(packet, cell, sources))
    rows = (
        replace(row, source="as given", formula="", assumption="") if row.source.startswith("BUFFER_") else row
        for row in made.parameters
    )
    return replace(made, title="A shared pool, with its queues overloaded", parameters=tuple(rows))


def _group(queue: Mapping[str, Any], index: int) -> Group:
    from dtmodel.switches.sheet import Group

    field = f"queues[{index}]"
    only_keys(table(queue, field), ("name", "alpha", "cap", "reserved", "headroom", "count"), f"{field}.")
    limit = QueueLimits(queue.get("alpha"), queue.get("reserved", 0), queue.get("cap"), field)
    number = units.count(queue.get("count", 1), f"{field}.count", least=1)
    budgets.keep_within("events", number, f"{field}.count")
    headroom = units.bytes_(queue.get("headroom", 0), f"{field}.headroom")
    return Group(str(queue.get("name", f"queue{index + 1}")), number, limit, headroom)


def _packets(packet: Quantity | None, cell: Quantity, sources: int) -> Packets | None:
    from dtmodel.switches.sheet import Packets

    if packet is None:
        return None
    return Packets(
        units.whole_bytes(packet, "packet"), units.whole_bytes(cell, "cell"), units.count(sources, "sources", least=1)
    )


def _measures(switch: Switch, known: Mapping[str, object]) -> dict[str, Any]:
    return {name: getattr(switch, name) for name in ("ports", "buffer", "rate") if name in known}


def _pools(profile: BufferProfile, side: str, active: Sequence[str]) -> list[SharedPool]:
    from dtmodel.switches.formulas import pool_steady_state
    from dtmodel.switches.sheet import Group, SharedPool

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
            limits = [(QueueLimits(p.alpha, p.reserved, p.cap), p, number) for p, number in members]
            free = pool_steady_state(pool.size, [limit for limit, _, number in limits for _ in range(number)]).free
            groups = [Group(p.name, number, limit, p.headroom, p.resumes(free)) for limit, p, number in limits]
            pools.append(SharedPool(pool.name, pool.size, tuple(groups)))
    return pools
