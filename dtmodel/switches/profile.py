"""Buffer configurations of switches: the buffer tables of a SONiC configuration, read into exact limits.

The tables are those of SONiC's documented schema (sonic-swss, ``doc/swss-schema.md``): ``BUFFER_POOL`` (``type``,
``mode``, ``size``, ``xoff``), ``BUFFER_PROFILE`` (``pool``, ``size``, ``dynamic_th`` or ``static_th``, ``xon``,
``xon_offset``, ``xoff``), ``BUFFER_PG`` (ingress) and ``BUFFER_QUEUE`` (egress), whose keys are
``"port[,port]|index[-index]"``. Other tables of the file are ignored.

``dynamic_th`` n means alpha = 2^n; ``static_th`` is a limit in bytes; ``size`` is the queue's reserve; ``xoff`` of a
profile is the headroom of a lossless queue, which pauses above reserve + threshold and resumes at max(xon, reserve +
threshold - xon_offset); ``size`` of a pool is shared by its queues. On some switches ``size`` of a lossless profile
contains the headroom, and dynamic_th = -8 means alpha = 0: check the vendor's manual.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel.base import budgets, units
from dtmodel.base.documents import choice, only_keys, table
from dtmodel.base.errors import MISSING, InputError, one_of
from dtmodel.policies import Pool, QueueLimits, SharedPools
from dtmodel.policies.formulas import power_of_two, resume_threshold

_POOL_KEYS = ("type", "mode", "size", "xoff", "percentage")
_PROFILE_KEYS = ("pool", "size", "dynamic_th", "static_th", "xon", "xon_offset", "xoff", "packet_discard_action")
_EXPONENTS = range(-8, 9)
_KEY = re.compile(r"(?P<ports>[^|]+)\|(?P<first>\d+)(?:-(?P<last>\d+))?")
_REFERENCE = re.compile(r"\[(?:BUFFER_POOL|BUFFER_PROFILE)[|:](?P<name>[^\]]+)\]")


@dataclass(frozen=True)
class PoolEntry:
    """A pool of the configuration.

    `name`, `side`, `mode`: the name; ``ingress``, ``egress`` or ``both``; ``dynamic`` or ``static``. `size`,
    `headroom`: the size and the shared headroom in bytes.

    >>> PoolEntry("p", "ingress", "dynamic", Fraction(1000), Fraction(0)).side
    'ingress'
    """

    name: str
    side: str
    mode: str
    size: Fraction
    headroom: Fraction


@dataclass(frozen=True)
class Profile:
    """The limits of one queue by its profile.

    `reserved`: the queue's own bytes. `alpha`: 2 ** dynamic_th in a dynamic pool. `cap`: static_th in a static pool, in
    bytes. `headroom`: xoff in bytes; 0 for a lossy queue. `xon`, `xon_offset`: the lengths that set the resume
    threshold.

    >>> document = {
    ...     "BUFFER_POOL": {"p": {"type": "ingress", "mode": "dynamic", "size": "1000"}},
    ...     "BUFFER_PROFILE": {"q": {"pool": "p", "size": "10", "dynamic_th": "-1"}},
    ... }
    >>> str(read_buffer_profile(document).profiles["q"].alpha)
    '1/2'
    """

    name: str
    pool: str
    reserved: Fraction
    alpha: Fraction | None
    cap: Fraction | None
    headroom: Fraction
    xon: Fraction | None
    xon_offset: Fraction | None

    @property
    def lossless(self) -> bool:
        """True if the queue pauses instead of dropping."""
        return self.headroom > 0

    def threshold(self, free: Fraction) -> Fraction:
        """Return the length at which the queue drops or pauses: reserve + alpha F (or the static limit), F = `free`."""
        shared = self.cap if self.alpha is None else self.alpha * free
        return self.reserved + (shared or Fraction(0))

    def resumes(self, free: Fraction) -> Fraction | None:
        """Return the length at which a paused queue resumes if its pool has `free` bytes free; None for a lossy one.

        Raises `InputError` if that is not below the pausing threshold.
        """
        if not self.lossless:
            return None
        pause = self.threshold(free)
        resume = Fraction(resume_threshold(self.xon or 0, pause, pause if self.xon_offset is None else self.xon_offset))
        if resume >= pause:
            accepted = f"a resume threshold below the pausing threshold of {units.plain(pause)} bytes"
            raise InputError(f"BUFFER_PROFILE.{self.name}.xon", units.plain(resume), accepted)
        return resume


@dataclass(frozen=True)
class BufferProfile:
    """The buffer configuration of a switch.

    >>> document = {
    ...     "BUFFER_POOL": {"p": {"type": "ingress", "mode": "dynamic", "size": "1000"}},
    ...     "BUFFER_PROFILE": {"q": {"pool": "p", "size": "10", "dynamic_th": "-1"}},
    ... }
    >>> read_buffer_profile(document).pools["p"].mode
    'dynamic'
    """

    pools: Mapping[str, PoolEntry]
    profiles: Mapping[str, Profile]
    ingress: Mapping[str, str]
    egress: Mapping[str, str]

    def side(self, side: str) -> Mapping[str, str]:
        """The queues of one `side`: ``"ingress"`` or ``"egress"``."""
        return self.ingress if choice(side, "side", ("ingress", "egress")) == "ingress" else self.egress

    def profile_of(self, queue: str, side: str = "ingress") -> Profile:
        """The profile of a `queue` such as ``"Ethernet0|3"`` of one `side`."""
        queues = self.side(side)
        if queue not in queues:
            raise InputError(
                "queue", queue, one_of(list(queues)[:8], queue) if queues else "a queue; this side has no queue"
            )
        return self.profiles[queues[queue]]

    def policy(self, queues: Sequence[str], side: str = "ingress") -> SharedPools:
        """Return the fluid policy of some `queues` of one `side`, in the given order; the other queues are empty.

        For a lossless queue the engine's first drop is its first pause.

        >>> document = {"BUFFER_POOL": {"p": {"type": "ingress", "mode": "dynamic", "size": "1000"}},
        ...             "BUFFER_PROFILE": {"x": {"pool": "p", "size": "10", "dynamic_th": "-3"}},
        ...             "BUFFER_PG": {"Ethernet0,Ethernet4|0": {"profile": "x"}}}
        >>> read_buffer_profile(document).policy(["Ethernet0|0", "Ethernet4|0"]).limits[1].alpha
        Fraction(1, 8)
        """
        profiles = [self.profile_of(queue, side) for queue in queues]
        limits = [QueueLimits(p.alpha, p.reserved, p.cap, f"BUFFER_PROFILE.{p.name}") for p in profiles]
        members: dict[str, list[int]] = {}
        for index, profile in enumerate(profiles):
            members.setdefault(profile.pool, []).append(index)
        return SharedPools(limits, [Pool(self.pools[name].size, tuple(each)) for name, each in members.items()])


def read_buffer_profile(document: Mapping[str, Any]) -> BufferProfile:
    """Read the buffer tables of a SONiC configuration.

    `document`: the configuration, as parsed from its JSON. Raises `InputError` for a missing table, field, pool or
    profile, a dynamic threshold in a static pool or a static one in a dynamic pool, a negative size, or a resume
    threshold that is never below the pausing threshold.

    >>> document = {
    ...     "BUFFER_POOL": {"p": {"type": "ingress", "mode": "dynamic", "size": "1000"}},
    ...     "BUFFER_PROFILE": {"q": {"pool": "p", "size": "10", "dynamic_th": "-1"}},
    ... }
    >>> str(read_buffer_profile(document).pools["p"].size)
    '1000'
    """
    for name in ("BUFFER_POOL", "BUFFER_PROFILE"):
        if name not in document:
            raise InputError(name, MISSING, "a table: this is not a SONiC buffer configuration")
    entries = table(document["BUFFER_POOL"], "BUFFER_POOL")
    pools = {name: _pool(name, table(entry, f"BUFFER_POOL.{name}")) for name, entry in entries.items()}
    entries = table(document["BUFFER_PROFILE"], "BUFFER_PROFILE")
    profiles = {name: _profile(name, table(e, f"BUFFER_PROFILE.{name}"), pools) for name, e in entries.items()}
    ingress = dict(_queues(document, "BUFFER_PG", "ingress", profiles, pools))
    egress = dict(_queues(document, "BUFFER_QUEUE", "egress", profiles, pools))
    return BufferProfile(pools, profiles, ingress, egress)


def _pool(name: str, entry: Mapping[str, Any]) -> PoolEntry:
    field = f"BUFFER_POOL.{name}"
    only_keys(entry, _POOL_KEYS, f"{field}.")
    side = choice(entry.get("type", MISSING), f"{field}.type", ("ingress", "egress", "both"))
    mode = choice(entry.get("mode", MISSING), f"{field}.mode", ("dynamic", "static"))
    size = units.bytes_(_required(entry, "size", field), f"{field}.size")
    return PoolEntry(name, side, mode, size, units.bytes_(entry.get("xoff", 0), f"{field}.xoff"))


def _profile(name: str, entry: Mapping[str, Any], pools: Mapping[str, PoolEntry]) -> Profile:
    field = f"BUFFER_PROFILE.{name}"
    only_keys(entry, _PROFILE_KEYS, f"{field}.")
    pool = pools.get(_name(_required(entry, "pool", field)))
    if pool is None:
        raise InputError(f"{field}.pool", entry["pool"], f"one of the pools {', '.join(pools)}")
    wanted, other = ("dynamic_th", "static_th") if pool.mode == "dynamic" else ("static_th", "dynamic_th")
    if other in entry or wanted not in entry:
        raise InputError(f"{field}.{wanted}", entry.get(wanted, MISSING), f"{wanted} alone: {pool.name} is {pool.mode}")
    alpha, cap = None, None
    if wanted == "dynamic_th":
        alpha = _alpha(entry["dynamic_th"], f"{field}.dynamic_th")
    else:
        cap = units.bytes_(entry["static_th"], f"{field}.static_th")
    sizes = {
        key: units.bytes_(entry[key], f"{field}.{key}") for key in ("size", "xoff", "xon", "xon_offset") if key in entry
    }
    zero = Fraction(0)
    profile = Profile(
        name,
        pool.name,
        sizes.get("size", zero),
        alpha,
        cap,
        sizes.get("xoff", zero),
        sizes.get("xon"),
        sizes.get("xon_offset"),
    )
    if pool.size:
        profile.resumes(pool.size)  # the highest threshold, with the whole pool free
    return profile


def _alpha(value: object, field: str) -> Fraction:
    exponent = units.number(value, field, signed=True)
    if exponent.denominator != 1 or int(exponent) not in _EXPONENTS:
        raise InputError(
            field, value, f"a whole number from {_EXPONENTS[0]} to {_EXPONENTS[-1]}: alpha is 2 to its power"
        )
    return Fraction(power_of_two(exponent))


def _queues(
    document: Mapping[str, Any], name: str, side: str, profiles: Mapping[str, Profile], pools: Mapping[str, PoolEntry]
) -> Iterator[tuple[str, str]]:
    for key, entry in table(document.get(name, {}), name).items():
        match = _KEY.fullmatch(key)
        if match is None:
            raise InputError(f"{name}.{key}", key, 'a key "port|index" such as "Ethernet0,Ethernet4|3-4"')
        reference = _name(_required(table(entry, f"{name}.{key}"), "profile", f"{name}.{key}"))
        if reference == "NULL":
            continue
        if reference not in profiles:
            raise InputError(f"{name}.{key}.profile", reference, f"one of the profiles {', '.join(profiles)}")
        where = pools[profiles[reference].pool].side
        if where not in (side, "both"):
            raise InputError(f"{name}.{key}.profile", reference, f"a profile of an {side} pool; its pool is {where}")
        first, last = int(match["first"]), int(match["last"] or match["first"])
        if last < first:
            raise InputError(f"{name}.{key}", key, f"indices in order, such as {last}-{first}")
        ports = match["ports"].split(",")
        budgets.keep_within("events", len(ports) * (last + 1 - first), f"{name}.{key}")
        for port in ports:
            for index in range(first, last + 1):
                yield f"{port.strip()}|{index}", reference


def _required(entry: Mapping[str, Any], key: str, field: str) -> Any:
    if key not in entry:
        raise InputError(f"{field}.{key}", MISSING, "a value: it is required")
    return entry[key]


def _name(reference: object) -> str:
    """Return the name in ``"[BUFFER_POOL|name]"``, the older form, or the name itself."""
    match = _REFERENCE.fullmatch(str(reference))
    return match["name"] if match else str(reference)
