"""The parameter sheets of all systems through one call: ``sheet("edt", switch, duration="10 ms")``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

from dtmodel.base import budgets, units
from dtmodel.base.documents import choice, only_keys, table
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.units import Quantity
from dtmodel.fluid.switch import Switch
from dtmodel.policies.formulas import QueueLimits, endless

if TYPE_CHECKING:
    from dtmodel.switches.chips import Reading
    from dtmodel.switches.formulas import PortLimits
    from dtmodel.switches.sheet import Group, Packets, SharedPool
    from dtmodel.theory.sheet import Check, Sheet

SYSTEMS = {
    "dt": "dtmodel.theory.dt.sheet",
    "edt": "dtmodel.switches.edt",
    "losspass": "dtmodel.theory.losspass.sheet",
    "dynaq": "dtmodel.theory.dynaq.sheet",
    "l2bm": "dtmodel.theory.l2bm.sheet",
    "abm": "dtmodel.theory.abm.sheet",
    "pools": "dtmodel.studies.parameter_sheets:pool_parameters",
    "profile": "dtmodel.studies.parameter_sheets",
    "pfc": "dtmodel.switches.cables",
}
"""The systems, and the module that makes the sheet, with its function ``parameters`` or the one after the colon."""
_FLAT = {"edt": "dtmodel.theory.edt.sheet"}
"""Systems whose sheet adds settings to those of another one, and the module of that one."""


def sheet(system: str, switch: Switch | Mapping[str, Any] | None = None, /, **given: Any) -> Sheet:
    """Compute the parameters of a system for a switch, with formula, assumption, source and warnings.

    Parameters
    ----------
    system : {"dt", "edt", "losspass", "dynaq", "l2bm", "abm", "pools", "profile", "pfc"}
        The buffer management; ``"profile"`` is a switch's own buffer configuration.
    switch : Switch or mapping, optional
        Ports, buffer and rate, if the system uses them (LossPass and DynaQ manage one port: its buffer and rate); for
        ``"profile"`` the SONiC configuration. Without it these are settings, too.
    **given
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
    make, known = _maker(system), settings(system)
    own = _measures(switch, known) if isinstance(switch, Switch) else {} if switch is None else {"switch": switch}
    for name in (*given, *own):
        if name not in known or (name in given and name in own):
            value = given.get(name, switch)
            raise InputError(name, value, f"a Switch and, each once, the settings of {system}: {', '.join(known)}")
    values = own | given
    for name, parameter in known.items():
        if parameter.default is Parameter.empty and name not in values:
            raise InputError(name, MISSING, f"a value: {system} needs it")
    made: Sheet = make(**{known[name].name: value for name, value in values.items()})
    return made


def settings(system: str) -> Mapping[str, Parameter]:
    """Return the settings of a system by their names, each with its default."""
    makers = [_maker(system), *([import_module(_FLAT[system]).parameters] if system in _FLAT else [])]
    found = {name: parameter for make in reversed(makers) for name, parameter in signature(make).parameters.items()}
    kept = (name for name, parameter in found.items() if parameter.kind is not Parameter.VAR_KEYWORD)
    return {name.removesuffix("_"): found[name] for name in kept}


def _maker(system: str) -> Callable[..., Sheet]:
    module, _, function = SYSTEMS[choice(system, "system", tuple(SYSTEMS))].partition(":")
    make: Callable[..., Sheet] = getattr(import_module(module), function or "parameters")
    return make


def parameters(
    switch: Mapping[str, Any],
    *,
    chip: str | None = None,
    side: str = "ingress",
    active: Sequence[str] = (),
    packet: Quantity | None = None,
    cell: Quantity | None = None,
    group: str | int | None = None,
    queue: str | None = None,
    fill: str = "sequence",
    groups: int | None = None,
    overhead: Quantity = 0,
    descriptors: int | None = None,
    lossless_groups: int | None = None,
    leak: int | None = None,
    egress_memory: int = 0,
    margin: int = 2,
    flow: Sequence[str] = (),
    drain: Quantity | Sequence[Quantity] = 0,
    fan_in: int = 2,
    check: bool = False,
    cable: str | None = None,
    rate: Quantity | None = None,
    frame: Quantity | None = None,
    reaction: Quantity | None = None,
    memory: Quantity | None = None,
) -> Sheet:
    """Compute the sheet of a switch's buffer configuration.

    `switch`: the buffer tables of a SONiC configuration. `chip`: its reading, such as ``"th"``. `side` ({"ingress",
    "egress"}): the side of the queues. `active`: the overloaded queues, such as ``"Ethernet0|3"``; by default all of
    the side. `packet`, `cell`, `group`, `queue`, `fill`, `groups`, `overhead`, `descriptors`, `lossless_groups`: count
    packets, as in `dtmodel.switches.counts`. `leak`, `egress_memory`, `margin`: the packets that leave before the
    output is blocked, the cells beside the shared memory, and the uncertainty in packets of a tester. `flow`: flows
    that both sides count, such as ``"Ethernet0|3 to Ethernet8"``. `drain`: the rate of their outputs, as in `counts`.
    `fan_in`: the number of inputs whose packets go to one output. `check`: check headroom and sums, as any of the
    following does.
    `cable`, `rate`, `frame`, `reaction`: the links into the switch, as in `dtmodel.switches.checks.CableFacts`.
    `memory`: the whole memory of the switch, in bytes.
    """
    from dtmodel.switches.checks import CableFacts, checks
    from dtmodel.switches.chips import reading_of
    from dtmodel.switches.sheet import parameters as of_pools

    document = table(switch, "switch")
    total = None if memory is None else units.bytes_(memory, "memory", positive=True)
    reading = reading_of(document, chip, total, lossless_groups)
    profile = reading.config
    choice(side, "side", ("ingress", "egress"))
    facts = CableFacts(cable, rate, frame, reaction, packet, reading.chip.cell if cell is None else cell)
    found: tuple[Check, ...] = ()
    if check or any(value is not None for value in (cable, rate, frame, reaction, memory)):
        found = checks(reading, document, facts, total, units.count(fan_in, "fan_in", least=1))
    queues = tuple(active) or tuple(profile.side(side))
    pools = _pools(reading, side, queues) if queues else []
    sheet = of_pools(pools, checks=found)
    own = [pool for pool in profile.pools.values() if pool.side in (side, "both")]
    sliced = [pool.name for pool in own if reading.slices(pool, side) > 1]
    notes = [f"{name}: one slice of the memory is computed, with all the queues named in it" for name in sliced]
    notes += [f"{pool.name}: no shared headroom: read as one slice (inferred)" for pool in own if reading.as_seen(pool)]
    sheet = replace(sheet, warnings=(*profile.warnings, *notes, *sheet.warnings))
    if packet is None:
        if flow or drain:
            raise InputError("packet", MISSING, "a packet size to count flows with")
        return sheet if chip else replace(sheet, warnings=(*sheet.warnings, _UNNAMED))
    from dtmodel.switches.answers import flow_counts
    from dtmodel.switches.count_rows import counted
    from dtmodel.switches.counting import ask

    question = ask(reading, packet=packet, cell=cell, group=group, queue=queue, fill=fill, groups=groups,
                   overhead=overhead, descriptors=descriptors)  # fmt: skip
    beside, wide = units.count(egress_memory, "egress_memory"), units.count(margin, "margin")
    sender = None if leak is None else (units.count(leak, "leak"), beside, wide)
    flows = flow_counts(question, document, flow, drain, rate)
    return counted(sheet, question, side, sender, flows, named=chip is not None)


_UNNAMED = "no --chip: the file is read as generic; chips differ in its meaning (count with --packet to compare them)"


def pool_parameters(
    *,
    buffer: Quantity,
    queues: Sequence[Mapping[str, Any]],
    packet: Quantity | None = None,
    cell: Quantity = 1,
    sources: int = 1,
    overhead: Quantity = 0,
) -> Sheet:
    """Compute the sheet of one shared pool.

    `buffer`: the shared bytes, without reserves and headroom. `queues`: overloaded queues as mappings with ``alpha`` or
    ``cap`` or both, ``reserved`` and ``headroom`` (default 0), ``count`` (default 1) and ``name``. `packet`, `cell`:
    count packets of this size, stored in cells of this size, in bytes. `sources`: the number of queues of each kind
    that receive the packets in turn. `overhead`: the bytes that are stored beside each packet. With a weight of
    ``"inf"`` only the pool limits a queue; a weight of 0 leaves it its reserve.
    """
    from dtmodel.switches.sheet import SharedPool
    from dtmodel.switches.sheet import parameters as of_pools

    size = units.bytes_(buffer, "buffer", positive=True)
    groups = tuple(_group(queue, i, size) for i, queue in enumerate(units.sequence(queues, "queues", least=1)))
    if len({group.name for group in groups}) < len(groups):
        raise InputError("queues", [group.name for group in groups], "a name of its own for each kind of queue")
    made = of_pools([SharedPool("pool", size, groups)], _packets(packet, cell, sources, overhead))
    rows = (
        replace(row, source="as given", formula="", assumption="") if row.source.startswith("BUFFER_") else row
        for row in made.parameters
    )
    return replace(made, title="A shared pool, with its queues overloaded", parameters=tuple(rows))


def _group(queue: Mapping[str, Any], index: int, size: Fraction) -> Group:
    from dtmodel.switches.sheet import Group

    field = f"queues[{index}]"
    only_keys(table(queue, field), ("name", "alpha", "cap", "reserved", "headroom", "count"), f"{field}.")
    alpha, cap = queue.get("alpha"), queue.get("cap")
    if str(alpha) == "0" or endless(alpha):
        most = size if endless(alpha) else Fraction(0)
        alpha, cap = None, most if cap is None else min(most, units.bytes_(cap, f"{field}.cap"))
    limit = QueueLimits(alpha, queue.get("reserved", 0), cap, field)
    number = units.count(queue.get("count", 1), f"{field}.count", least=1)
    budgets.keep_within("events", number, f"{field}.count")
    headroom = units.bytes_(queue.get("headroom", 0), f"{field}.headroom")
    return Group(str(queue.get("name", f"queue{index + 1}")), number, limit, headroom)


def _packets(packet: Quantity | None, cell: Quantity, sources: int, overhead: Quantity) -> Packets | None:
    from dtmodel.switches.sheet import Packets

    if packet is None:
        return None
    sizes = units.whole_bytes(packet, "packet"), units.whole_bytes(cell, "cell")
    return Packets(*sizes, units.count(sources, "sources", least=1), units.bytes_(overhead, "overhead"))


def _measures(switch: Switch, known: Mapping[str, object]) -> dict[str, Any]:
    rate = switch.speeds if len(switch.speeds) > 1 else switch.rate
    values = {"ports": switch.ports, "buffer": switch.buffer, "rate": rate}
    return {name: value for name, value in values.items() if name in known}


def _pools(reading: Reading, side: str, active: Sequence[str]) -> list[SharedPool]:
    from dtmodel.policies.formulas import resume_threshold
    from dtmodel.switches.sheet import READING, Group, SharedPool

    config, pools = reading.config, []
    numbers = Counter(config.profile_of(queue, side, "active").name for queue in active)
    for pool in config.pools.values():
        members = [config.profiles[name] for name in numbers if config.profiles[name].pool == pool.name]
        if not members:
            continue
        order = sorted(active, key=lambda queue: list(numbers).index(config.side(side)[queue]))
        queues = [queue for queue in order if config.profile_of(queue, side).pool == pool.name]
        groups = tuple(
            Group(p.name, numbers[p.name], reading.limits(p, side), p.headroom, p.xon if p.lossless else None)
            for p in members
        )
        size = Fraction(reading.shared(pool, side))
        said = "" if reading.chip.name == "generic" else f"; chip reading {reading.chip.name}"
        made = SharedPool(pool.name, size, groups, _ports(reading, side, queues), READING + said)
        free = made.state().free
        resumes = []
        for group, p in zip(groups, members, strict=True):
            pause = group.limit.reserved + group.limit.shared(free)
            offset = pause if p.xon_offset is None else p.xon_offset
            resume = Fraction(resume_threshold(p.xon or 0, pause, offset)) if p.lossless else None
            resumes.append(replace(group, resume=resume))
        pools.append(replace(made, groups=tuple(resumes)))
    return pools


def _ports(reading: Reading, side: str, queues: Sequence[str]) -> tuple[PortLimits, ...]:
    """Return the limits of the ports of some queues, numbered in their order; unlimited ports are left out."""
    from dtmodel.switches.formulas import PortLimits

    members: dict[str, list[int]] = {}
    for number, queue in enumerate(queues):
        members.setdefault(queue.rpartition("|")[0], []).append(number)
    found = []
    for of_port in members.values():
        alpha, cap = reading.port_weight(queues[of_port[0]], side)
        if alpha is not None or cap is not None:
            most = None if cap is None else Fraction(cap)
            found.append(PortLimits(alpha, most, tuple(of_port), reading.chip.ports == "nested"))
    return tuple(found)
