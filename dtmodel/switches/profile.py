"""Buffer configurations of switches: the buffer tables of a SONiC configuration, read into exact limits.

The tables are those of SONiC's documented schema (sonic-swss, ``doc/swss-schema.md``): ``BUFFER_POOL`` (``type``,
``mode``, ``size``, ``xoff``), ``BUFFER_PROFILE`` (``pool``, ``size``, ``dynamic_th`` or ``static_th``, ``xon``,
``xon_offset``, ``xoff``), ``BUFFER_PG`` (ingress) and ``BUFFER_QUEUE`` (egress), whose keys are
``"port[,port]|index[-index]"`` (on a chassis ``"host|asic|port|index"``), and the profiles of whole ports in
``BUFFER_PORT_INGRESS_PROFILE_LIST`` and ``BUFFER_PORT_EGRESS_PROFILE_LIST``. A field that is in no table of this list
is named in a warning.

``dynamic_th`` n means alpha = 2^n; ``static_th`` is a limit in bytes; the one that a profile has decides, whatever the
mode of its pool. ``size`` is the queue's reserve; ``xoff`` of a profile is the headroom of a lossless queue, which
pauses above reserve + threshold and resumes at max(xon, reserve + threshold - xon_offset); ``size`` of a pool is shared
by its queues. Chips differ in the meaning of these fields: see `dtmodel.switches.chips`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel.base import budgets, units
from dtmodel.base.documents import choice, required
from dtmodel.base.errors import MISSING, InputError, one_of
from dtmodel.policies import Pool, QueueLimits, SharedPools
from dtmodel.policies.formulas import power_of_two, resume_threshold
from dtmodel.switches.tables import buffer_tables, without_reference

_POOL_KEYS = ("type", "mode", "size", "xoff", "percentage")
_PROFILE_KEYS = (
    "pool", "size", "dynamic_th", "static_th", "xon", "xon_offset", "xoff", "packet_discard_action", "headroom_type",
    "mode",
)  # fmt: skip
_EXPONENTS = range(-128, 128)
"""The values of an int8, which the switch abstraction interface has for them."""
_KEY = re.compile(r"(?P<ports>.+)\|(?P<first>\d+)(?:-(?P<last>\d+))?")
_NUMBERED = re.compile(r"(\D+)(\d+)")
_RANGE = re.compile(r"(\D+)(\d+)-(?:\1)?(\d+)")
_DYNAMIC = (
    "a size in bytes: with the dynamic buffer model sizes and lossless profiles are in APPL_DB; dump it with "
    '"sonic-db-dump -n APPL_DB -k BUFFER* -y", or give the memory of the switch with --memory'
)


@dataclass(frozen=True)
class PoolEntry:
    """A pool of the configuration, ``ingress``, ``egress`` or ``both``, ``dynamic`` or ``static``; sizes in bytes."""

    name: str
    side: str
    mode: str
    size: Fraction
    headroom: Fraction


@dataclass(frozen=True)
class Profile:
    """The limits of one queue by its profile: ``size``, ``dynamic_th`` or ``static_th`` (else None), xoff.

    `xon` and `xon_offset` set the resume threshold; a `lossless` queue pauses instead of dropping.
    """

    name: str
    pool: str
    reserved: Fraction
    exponent: int | None
    cap: Fraction | None
    headroom: Fraction
    xon: Fraction | None
    xon_offset: Fraction | None
    lossless: bool

    @property
    def alpha(self) -> Fraction | None:
        """The weight 2 ** dynamic_th; None if the limit is static."""
        return None if self.exponent is None else Fraction(power_of_two(Fraction(self.exponent)))

    def threshold(self, free: Fraction) -> Fraction:
        """Return the length at which the queue drops or pauses: reserve + alpha F (or the static limit), F = `free`."""
        shared = self.cap if self.alpha is None else self.alpha * free
        return self.reserved + (shared or Fraction(0))

    def resumes(self, free: Fraction) -> Fraction | None:
        """Return the length at which a paused queue resumes if its pool has `free` bytes free; None for a lossy one."""
        if not self.lossless:
            return None
        pause = self.threshold(free)
        return Fraction(resume_threshold(self.xon or 0, pause, pause if self.xon_offset is None else self.xon_offset))


@dataclass(frozen=True)
class BufferProfile:
    """The buffer configuration of a switch: pools and profiles by name, and the profile of each queue and whole port.

    `warnings`: one sentence for each field that is ignored.
    """

    pools: Mapping[str, PoolEntry]
    profiles: Mapping[str, Profile]
    ingress: Mapping[str, str]
    egress: Mapping[str, str]
    ports: Mapping[str, Mapping[str, tuple[str, ...]]]
    warnings: tuple[str, ...] = ()

    def port_profile(self, queue: str, side: str) -> Profile | None:
        """Return the profile of the port of a `queue` in the queue's pool; None if the port has none."""
        pool = self.profile_of(queue, side).pool
        names = self.ports[side].get(queue.rpartition("|")[0], ())
        return next((self.profiles[name] for name in names if self.profiles[name].pool == pool), None)

    def side(self, side: str) -> Mapping[str, str]:
        """The queues of one `side`: ``"ingress"`` or ``"egress"``."""
        return self.ingress if choice(side, "side", ("ingress", "egress")) == "ingress" else self.egress

    def profile_of(self, queue: str, side: str = "ingress", field: str = "queue") -> Profile:
        """The profile of a `queue` such as ``"Ethernet0|3"`` of one `side`; `field` names it in an error."""
        queues = self.side(side)
        if queue not in queues:
            accepted = one_of(list(queues)[:8], queue) if queues else "a queue; this side has no queue"
            raise InputError(field, queue, accepted)
        return self.profiles[queues[queue]]

    def policy(self, queues: Sequence[str], side: str = "ingress") -> SharedPools:
        """Return the fluid policy of some `queues` of one `side`; the first drop of a lossless one is its pause."""
        profiles = [self.profile_of(queue, side) for queue in queues]
        limits = [QueueLimits(p.alpha, p.reserved, p.cap, f"BUFFER_PROFILE.{p.name}") for p in profiles]
        members: dict[str, list[int]] = {}
        for index, profile in enumerate(profiles):
            members.setdefault(profile.pool, []).append(index)
        return SharedPools(limits, [Pool(self.pools[name].size, tuple(each)) for name, each in members.items()])


def read_buffer_profile(document: Mapping[str, Any], memory: Fraction | None = None) -> BufferProfile:
    """Read the buffer tables of a SONiC configuration; `memory` is the size of pools that have none, in bytes."""
    tables = buffer_tables(document)
    for name in ("BUFFER_POOL", "BUFFER_PROFILE"):
        if name not in tables:
            accepted = "a table: this file has no buffer pools and profiles of a SONiC configuration"
            raise InputError(name, MISSING, accepted)
    pools = {name: _pool(name, entry, memory) for name, entry in tables["BUFFER_POOL"].items()}
    profiles = {name: _profile(name, entry, pools) for name, entry in tables["BUFFER_PROFILE"].items()}
    given = [list(_queues(tables, name, profiles)) for name in ("BUFFER_PG", "BUFFER_QUEUE")]
    ingress, egress = map(dict, given)
    warnings = [*_unknown(tables), *_replaced(given[0]), *_replaced(given[1])]
    warnings += [*_crossed("ingress", ingress, profiles, pools), *_crossed("egress", egress, profiles, pools)]
    ports = {side: _ports(tables, side, profiles) for side in ("ingress", "egress")}
    return BufferProfile(pools, profiles, ingress, egress, ports, tuple(warnings))


def _unknown(tables: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Iterator[str]:
    """Yield a warning for each field that is not a field of SONiC's schema."""
    for name, known in (("BUFFER_POOL", _POOL_KEYS), ("BUFFER_PROFILE", _PROFILE_KEYS)):
        for of, entry in tables[name].items():
            for key in entry:
                if key not in known:
                    yield f"{name}.{of}.{key} is not a field of this table and is ignored"
            if entry.get("headroom_type") == "dynamic" and "xoff" not in entry:
                yield f"{name}.{of} is read as lossy: the switch computes its xon, xoff and size, which are in APPL_DB"


def _replaced(given: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield a warning for each profile that a later entry replaces."""
    last, said = dict(given), "{} has the profiles {} and {}, and the later one is read"
    return (said.format(queue, name, last[queue]) for queue, name in given if name != last[queue])


def _crossed(
    side: str, queues: Mapping[str, str], profiles: Mapping[str, Profile], pools: Mapping[str, PoolEntry]
) -> Iterator[str]:
    """Yield a warning for each profile of one side whose pool belongs to the other side."""
    for name in dict.fromkeys(queues.values()):
        pool = pools[profiles[name].pool]
        if pool.side not in (side, "both"):
            yield f"{name} limits {side} queues and its pool {pool.name} is of the {pool.side} side"


def _pool(name: str, entry: Mapping[str, Any], memory: Fraction | None) -> PoolEntry:
    field = f"BUFFER_POOL.{name}"
    side = choice(entry.get("type", MISSING), f"{field}.type", ("ingress", "egress", "both"))
    mode = choice(entry.get("mode", "dynamic"), f"{field}.mode", ("dynamic", "static"))
    if "size" not in entry and memory is None:
        raise InputError(f"{field}.size", MISSING, _DYNAMIC)
    given, percent = entry.get("size"), str(entry.get("size")).strip().endswith("%")
    part = units.number(str(given).strip(" %") if percent else entry.get("percentage", 100), f"{field}.percentage")
    if percent and memory is None:
        accepted = f"a size in bytes, or --memory, of which this is {units.plain(part)} %"
        raise InputError(f"{field}.size", given, accepted)
    size = size_of(memory and memory * part / 100 if given is None or percent else given, f"{field}.size")
    return PoolEntry(name, side, mode, size, size_of(entry.get("xoff", 0), f"{field}.xoff"))


def size_of(value: object, field: str, *, positive: bool = False) -> Fraction:
    """Read a number of bytes that a switch keeps in 64 bits."""
    size = units.bytes_(value, field, positive=positive)
    if size >= 1 << 64:
        raise InputError(field, value, "a size below 2^64 bytes")
    return size


def _profile(name: str, entry: Mapping[str, Any], pools: Mapping[str, PoolEntry]) -> Profile:
    field = f"BUFFER_PROFILE.{name}"
    required(entry, ("pool",), f"{field}.")
    pool = pools.get(without_reference(entry["pool"]))
    if pool is None:
        raise InputError(f"{field}.pool", entry["pool"], f"one of the pools {', '.join(pools)}")
    if ("dynamic_th" in entry) == ("static_th" in entry):
        wanted = "dynamic_th" if pool.mode == "dynamic" else "static_th"
        accepted = "one of dynamic_th and static_th, which says how the queue is limited"
        raise InputError(f"{field}.{wanted}", entry.get(wanted, MISSING), accepted)
    exponent = _exponent(entry["dynamic_th"], f"{field}.dynamic_th") if "dynamic_th" in entry else None
    keys = ("size", "static_th", "xoff", "xon", "xon_offset")
    size, cap, xoff, xon, offset = (size_of(entry[key], f"{field}.{key}") if key in entry else None for key in keys)
    lossless, zero = bool(xoff) or None not in (xoff, xon), Fraction(0)
    return Profile(name, pool.name, size or zero, exponent, cap, xoff or zero, xon, offset, lossless)


def _exponent(value: object, field: str) -> int:
    exponent = units.number(value, field, signed=True)
    if exponent.denominator != 1 or int(exponent) not in _EXPONENTS:
        accepted = f"a whole number from {_EXPONENTS[0]} to {_EXPONENTS[-1]}: alpha is 2 to its power"
        raise InputError(field, value, accepted)
    return int(exponent)


def _queues(
    tables: Mapping[str, Mapping[str, Any]], name: str, profiles: Mapping[str, Profile]
) -> Iterator[tuple[str, str]]:
    for key, entry in tables.get(name, {}).items():
        match = _KEY.fullmatch(key)
        if match is None:
            raise InputError(f"{name}.{key}", key, 'a key "port|index" such as "Ethernet0,Ethernet4|3-4"')
        required(entry, ("profile",), f"{name}.{key}.")
        reference = without_reference(entry["profile"])
        if reference in ("NULL", ""):
            continue
        if reference not in profiles:
            raise InputError(f"{name}.{key}.profile", reference, f"one of the profiles {', '.join(profiles)}")
        first, last = int(match["first"]), int(match["last"] or match["first"])
        if last < first:
            raise InputError(f"{name}.{key}", key, f"indices in order, such as {last}-{first}")
        host, bar, ports = match["ports"].rpartition("|")
        budgets.keep_within("events", len(ports.split(",")) * (last + 1 - first), f"{name}.{key}")
        for port in _each_port(ports, tables.get("PORT", {}), f"{name}.{key}"):
            for index in range(first, last + 1):
                yield f"{host}{bar}{port}|{index}", reference


def _each_port(ports: str, known: Mapping[str, Any], field: str) -> Iterator[str]:
    """Yield the ports of a list such as ``"Ethernet0,Ethernet8-Ethernet16"``; a range has those of the table PORT."""
    for port in filter(None, map(str.strip, ports.split(","))):
        match = _RANGE.fullmatch(port)
        found = [each for each in map(_NUMBERED.fullmatch, known) if match and each and each[1] == match[1]]
        inside = [each[0] for each in found if match and int(match[2]) <= int(each[2]) <= int(match[3])]
        if match and not inside:
            raise InputError(field, port, "ports with commas between, or a range that has ports of the table PORT")
        yield from inside or [port]


def _ports(
    tables: Mapping[str, Mapping[str, Any]], side: str, profiles: Mapping[str, Profile]
) -> dict[str, tuple[str, ...]]:
    """Return the names of the profiles of whole ports."""
    name, found = f"BUFFER_PORT_{side.upper()}_PROFILE_LIST", {}
    for key, entry in tables.get(name, {}).items():
        listed = entry.get("profile_list", [])
        parts = listed.split(",") if isinstance(listed, str) else units.sequence(listed, f"{name}.{key}.profile_list")
        names = [without_reference(each) for each in parts if each]
        for each in names:
            if each not in profiles:
                raise InputError(f"{name}.{key}.profile_list", each, f"one of the profiles {', '.join(profiles)}")
        found.update(dict.fromkeys(_each_port(key, tables.get("PORT", {}), f"{name}.{key}"), tuple(names)))
    return found
