"""Chip readings: the meaning of a buffer configuration on each chip, as data with the evidence for each part."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import ceil, floor
from typing import Any, Literal

from dtmodel.base import units
from dtmodel.base.documents import choice
from dtmodel.policies.formulas import QueueLimits
from dtmodel.switches.profile import BufferProfile, PoolEntry, Profile, read_buffer_profile


@dataclass(frozen=True)
class Chip:
    """The meaning of a buffer configuration on one chip.

    - `name`, `cell`: the name of the preset, and the size of a cell in bytes.
    - `size_holds_headroom`: the profiles whose ``size`` contains their headroom: all lossless ones, none, or those in
      a pool without shared headroom whose size is at least xoff.
    - `pool_holds`: the parts of the memory that the size of an ingress pool contains beside the shared cells: the
      shared headroom, the reserves of all lossless queues, or their sizes.
    - `at_most_egress`: True if an ingress pool shares at most the size of the egress pool of lossless queues.
    - `ingress_slices`, `egress_slices`, `headroom_slices`: the parts of each memory, of which a queue reaches one.
    - `given_as_seen`: True if a pool without shared headroom is one slice, without reserves.
    - `egress_pool`: the rounding of an egress pool to the cells of a slice.
    - `alpha_ends`: True if dynamic_th -8 is a weight of 0, and 7 no limit; `endless_port`: the weight of a port with 7.
    - `ports`: a queue below a limited port follows the room of its port ("nested") or the free pool ("pool").
    - `headroom_of`: a paused queue takes its own shared headroom, or that of all lossless queues of its port.
    - `lost_headroom`, `lost_headroom_400g`: cells of a queue's own headroom that take no packet; more of them at 400G.
    - `resume`: the pause ends when the queue has fallen by ``xon_offset``, or to ``xon``.
    - `guessed`: True if no source says whether reserves and headroom lie inside the pools.
    - `evidence`: the public source for each part; the other parts are inferred.
    """

    name: str
    cell: int
    size_holds_headroom: Literal["always", "never", "without shared headroom"] = "without shared headroom"
    pool_holds: tuple[str, ...] = ()
    at_most_egress: bool = False
    ingress_slices: int = 1
    egress_slices: int = 1
    headroom_slices: int = 1
    given_as_seen: bool = False
    egress_pool: Literal["up", "down"] = "down"
    alpha_ends: bool = False
    endless_port: int | Literal["no limit"] = "no limit"
    ports: Literal["nested", "pool"] = "pool"
    headroom_of: Literal["queue", "port"] = "queue"
    lost_headroom: int = 0
    lost_headroom_400g: int = 0
    resume: Literal["xon_offset", "xon"] = "xon_offset"
    guessed: bool = False
    evidence: Mapping[str, str] = field(default_factory=dict, compare=False)

    def parts(self) -> list[tuple[str, str, str]]:
        """Return each part of the reading as text, with the evidence for it."""
        names = [each.name for each in fields(self) if each.name not in ("name", "guessed", "evidence")]
        return [(name, _shown(getattr(self, name)), self.evidence.get(name, "inferred")) for name in names]


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return " and ".join(value) or "nothing"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@cache
def chips() -> Mapping[str, Chip]:
    """Return the readings of all presets by name."""
    read = tomllib.loads((files("dtmodel.switches") / "chips.toml").read_text(encoding="utf-8"))
    return {name: Chip(name, **_inherited(read, name)) for name in read}


def _inherited(read: Mapping[str, dict[str, Any]], name: str) -> dict[str, Any]:
    own = dict(read[name])
    base = _inherited(read, own.pop("like")) if "like" in own else {}
    evidence = base.get("evidence", {}) | own.get("evidence", {})
    made = base | own | {"evidence": evidence}
    return made | ({"pool_holds": tuple(made["pool_holds"])} if "pool_holds" in made else {})


def chip(name: str | None) -> Chip:
    """Return the reading of a preset such as ``"th"``, the generic one for None; `InputError` for another name."""
    return chips()[choice(name or "generic", "chip", tuple(chips()))]


@dataclass(frozen=True)
class Reading:
    """A configuration as one chip reads it, in cells of `cell` bytes, with the lossless groups of the whole switch."""

    chip: Chip
    config: BufferProfile
    cell: Fraction = Fraction(1)
    lossless_groups: int | None = None

    def own(self, profile: Profile) -> int:
        """Return the cells that belong to one queue of a profile alone."""
        inside = profile.headroom if self.holds_headroom(profile) else 0
        return ceil(max(profile.reserved - inside, Fraction(0)) / self.cell)

    def holds_headroom(self, profile: Profile) -> bool:
        """Return True if the size of a profile contains its headroom."""
        if not profile.lossless or not profile.headroom:
            return False
        if (holds := self.chip.size_holds_headroom) in ("always", "never"):
            return holds == "always"
        return not self.config.pools[profile.pool].headroom and profile.reserved >= profile.headroom

    def weight(self, profile: Profile) -> tuple[Fraction | None, int | None]:
        """Return alpha and the static limit in cells of a profile; None for the one that does not limit it."""
        exponent = profile.exponent
        if exponent is None:
            return None, floor((profile.cap or Fraction(0)) / self.cell)
        if self.chip.alpha_ends and exponent >= 7:
            return None, None
        if self.chip.alpha_ends and exponent <= -8:
            return None, 0
        return profile.alpha, None

    def port_weight(self, queue: str, side: str) -> tuple[Fraction | None, int | None]:
        """Return alpha and the static limit in cells of the port of a queue, as `weight` does."""
        if (profile := self.config.port_profile(queue, side)) is None:
            return None, None
        limits, end = self.weight(profile), self.chip.endless_port
        return (Fraction(end), None) if isinstance(end, int) and limits == (None, None) else limits

    def limits(self, profile: Profile, side: str) -> QueueLimits:
        """Return the limits of a queue of a profile, in cells."""
        alpha, cap = self.weight(profile)
        if alpha is None and cap is None:
            cap = self.shared(self.config.pools[profile.pool], side)
        return QueueLimits(alpha, self.own(profile), cap, f"BUFFER_PROFILE.{profile.name}")

    def slices(self, pool: PoolEntry, side: str) -> int:
        """Return the number of slices of a pool."""
        if self.as_seen(pool):
            return 1
        return self.chip.ingress_slices if side == "ingress" else self.chip.egress_slices

    def as_seen(self, pool: PoolEntry) -> bool:
        """Return True if a pool is read as the part of the memory that one queue reaches."""
        return self.chip.given_as_seen and not pool.headroom and not self._shared_headroom()

    def _shared_headroom(self) -> bool:
        return any(pool.headroom for pool in self.config.pools.values())

    def shared(self, pool: PoolEntry, side: str) -> int:
        """Return S': the cells that the queues of one slice of a pool share."""
        slices = self.slices(pool, side)
        if side == "egress":
            return (ceil if self.chip.egress_pool == "up" else floor)(pool.size / self.cell / slices)
        whole = floor(pool.size / self.cell) - sum(self.inside(pool).values())
        if self.chip.at_most_egress:
            whole = min([whole, *(floor(size / self.cell) for size in self._egress_lossless())])
        return max(whole, 0) // slices

    def _egress_lossless(self) -> list[Fraction]:
        return [pool.size for pool in self.config.pools.values() if pool.side == "egress" and "lossless" in pool.name]

    def inside(self, pool: PoolEntry) -> dict[str, int]:
        """Return the cells of the parts of the memory that the size of an ingress pool contains, by part."""
        if self.as_seen(pool):
            return {}
        parts = {"headroom": floor(pool.headroom / self.cell)} | self.promised(pool)
        return {name: parts[name] for name in self.chip.pool_holds}

    def promised(self, pool: PoolEntry) -> dict[str, int]:
        """Return the cells of the reserves, and of the sizes, of all lossless groups of a pool."""
        each = [self.config.profiles[name] for name in self.config.ingress.values()]
        members = [profile for profile in each if profile.pool == pool.name and profile.lossless]
        factor = Fraction(self.lossless_groups or len(members), len(members) or 1)
        reserves = sum(map(self.own, members))
        sizes = sum(ceil(profile.reserved / self.cell) for profile in members)
        return {"reserves": floor(factor * reserves), "sizes": floor(factor * sizes)}

    def headroom_pool(self, pool: PoolEntry) -> int:
        """Return H': the cells of one slice of the shared headroom of a pool."""
        return floor(pool.headroom / self.cell) // self.chip.headroom_slices

    @property
    def keeps_reserves_outside(self) -> bool:
        """True if the reading says that reserves and headroom lie beside the pools."""
        return "pool_holds" in self.chip.evidence and not self.chip.pool_holds and not self.chip.guessed


def needed_memory(reading: Reading) -> Fraction:
    """Return the bytes of the ingress pools, with the reserves and the headroom that lie beside them."""
    total, holds = Fraction(0), reading.chip.pool_holds
    for pool in reading.config.pools.values():
        if pool.side not in ("ingress", "both"):
            continue
        each = [reading.config.profiles[name] for name in reading.config.ingress.values()]
        members = [profile for profile in each if profile.pool == pool.name]
        heads = pool.headroom or sum((profile.headroom for profile in members), Fraction(0))
        reserves = sum(map(reading.own, members))
        total += pool.size
        total += 0 if "headroom" in holds or "sizes" in holds else heads
        total += 0 if "reserves" in holds or "sizes" in holds else reserves
    return total


def reading_of(
    document: Mapping[str, Any], name: str | None, memory: Fraction | None, lossless_groups: int | None
) -> Reading:
    """Read the buffer tables of a configuration as a chip does, with the settings of `dtmodel.switches.counts`.

    The generic reading takes the first convention for reserves and headroom that fits into the memory, if it is given.
    """
    read, config = chip(name), read_buffer_profile(document, memory)
    whole = None if lossless_groups is None else units.count(lossless_groups, "lossless_groups", least=1)
    reading = Reading(read, config, lossless_groups=whole)
    if reading.chip.name != "generic" or memory is None:
        return reading
    conventions: tuple[tuple[str, ...], ...] = ((), ("reserves",), ("headroom", "reserves"))
    tried = [replace(reading, chip=replace(reading.chip, pool_holds=parts, guessed=False)) for parts in conventions]
    return next((each for each in tried if needed_memory(each) <= memory), tried[0])
