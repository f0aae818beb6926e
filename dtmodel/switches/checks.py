"""Checks of a buffer configuration: headroom against cables, sums against pools and the memory, ingress against egress.

The headroom that a link needs is `dtmodel.packet.pfc.pfc_headroom` (claim ``l2bm.ours.headroom``): twice the cable, the
sender's reaction, the largest frame at either end, the pause frame; a switch that also puts the packet that causes the
pause into the headroom needs that much more. By default speed and frame are those of the tables ``PORT`` (``speed`` in
Mbps, ``mtu``) and ``CABLE_LENGTH``, or of a profile's name such as ``pg_lossless_100000_40m_profile``. Reaction times
and the delay of interfaces: `dtmodel.switches.cables`. A frame on the wire is longer than ``mtu``: SONiC adds 22 bytes
of header, tag and checksum; set ``frame`` to include them.

Reserves and shared headroom lie inside a pool or beside it as the chip reading says, in all checks alike.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from dtmodel.base import units
from dtmodel.base.units import Quantity, show_bytes, show_rate
from dtmodel.packet.pfc import Link, pfc_headroom
from dtmodel.switches.cables import (
    LIGHT,
    cell_occupancy,
    interface_bytes,
    quanta_source,
    reaction_time,
    small_factor,
    vendor_headroom,
)
from dtmodel.switches.chips import Reading, needed_memory
from dtmodel.switches.counting import group_of, path_of
from dtmodel.switches.formulas import in_cells
from dtmodel.switches.profile import BufferProfile, PoolEntry, Profile
from dtmodel.switches.tables import buffer_tables
from dtmodel.theory.sheet import Check, CheckVerdict

_NAMED = re.compile(r"pg_lossless_(?P<speed>\d+)_(?P<metres>\d+)m_profile")
_FRAME = Fraction(9216)
_HEADROOM = "l2bm.ours.headroom"


@dataclass(frozen=True, init=False)
class CableFacts:
    """Properties of the links into a switch; for None the tables of the configuration apply.

    `frame`: the largest frame. `reaction`: the time of a sender. `packet`, `cell`: the size of all packets and cells,
    so that arriving bytes occupy more memory; with None and 1, bytes are counted.
    """

    metres: Fraction | None
    rate: Fraction | None
    frame: Fraction | None
    reaction: Fraction | None
    packet: Fraction | None
    cell: Fraction

    def __init__(
        self, cable: str | None = None, rate: Quantity | None = None, frame: Quantity | None = None,
        reaction: Quantity | None = None, packet: Quantity | None = None, cell: Quantity = 1,
    ) -> None:  # fmt: skip
        values = {
            "metres": None if cable is None else units.metres(cable, "cable"),
            "rate": None if rate is None else units.rate(rate, "rate", positive=True),
            "frame": None if frame is None else units.whole_bytes(frame, "frame"),
            "reaction": None if reaction is None else units.seconds(reaction, "reaction"),
            "packet": None if packet is None else units.whole_bytes(packet, "packet"),
            "cell": units.whole_bytes(cell, "cell"),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)


def checks(
    reading: Reading, document: Mapping[str, Any], facts: CableFacts, memory: Fraction | None = None, fan_in: int = 2
) -> tuple[Check, ...]:
    """Check a buffer configuration, in bytes, against its chip reading and cables (`facts` override the document's).

    `fan_in`: the number of input ports whose lossy packets go to one output.
    """
    profile, tables = reading.config, buffer_tables(document)
    found = [*_headrooms(profile, tables, facts), *_resumptions(profile)]
    for pool in profile.pools.values():
        found += _pool_sums(reading, pool)
    if memory is not None:
        found.append(_memory_sum(reading, memory))
    return (*found, *_sides(reading, fan_in))


def _resumptions(profile: BufferProfile) -> Iterator[Check]:
    """Yield a warning for each profile whose queues resume at or above the length at which they pause."""
    for name in dict.fromkeys(profile.ingress.values()):
        each = profile.profiles[name]
        pause = each.threshold(profile.pools[each.pool].size)
        if each.lossless and pause and (resume := each.resumes(profile.pools[each.pool].size) or 0) >= pause:
            numbers = f"{_short(Fraction(resume))} against {_short(pause)}"
            yield Check(
                f"xon of {name}", "WARN", "the pause never ends below its threshold", numbers, "l2bm.sec2a.resume"
            )


def _headrooms(profile: BufferProfile, document: Mapping[str, Any], facts: CableFacts) -> Iterator[Check]:
    """Yield one check for each lossless profile and kind of link into its queues."""
    links: Counter[tuple[str, Fraction | None, Fraction | None, Fraction]] = Counter()
    for queue, name in profile.ingress.items():
        if profile.profiles[name].lossless:
            links[(name, *link(queue.rpartition("|")[0], name, document, facts))] += 1
    pattern = next(iter(document.get("LOSSLESS_TRAFFIC_PATTERN", {}).values()), None)
    for (name, rate, metres, frame), number in links.items():
        yield _headroom(profile.profiles[name], rate, metres, (frame, number), facts, pattern)


def link(
    port: str, name: str, document: Mapping[str, Any], facts: CableFacts
) -> tuple[Fraction | None, Fraction | None, Fraction]:
    """Return rate, metres and largest frame of the link into a port: given, of the tables, or of the profile's name."""
    port = port.rpartition("|")[2]  # on a chassis the host and the ASIC stand before the port
    entry = document.get("PORT", {}).get(port, {})
    rows = document.get("CABLE_LENGTH", {}).values()
    cables = next((row[port] for row in rows if port in row), None)
    named = _NAMED.fullmatch(name)
    speed = entry.get("speed") or (named and named["speed"])
    metres = cables or (named and named["metres"])
    mtu = entry.get("mtu")
    frame = facts.frame or (units.whole_bytes(mtu, f"PORT.{port}.mtu") if mtu else _FRAME)
    given = units.number(speed, f"PORT.{port}.speed", positive=True) * 125_000 if speed else None
    length = units.metres(str(metres), f"CABLE_LENGTH.{port}") if metres else None
    return facts.rate or given, length if facts.metres is None else facts.metres, frame


def _headroom(
    profile: Profile, rate: Fraction | None, metres: Fraction | None, link: tuple[Fraction, int], facts: CableFacts,
    pattern: Mapping[str, Any] | None,
) -> Check:  # fmt: skip
    title = f"headroom of {profile.name}"
    if rate is None or metres is None:
        missing = "rate" if rate is None else "cable"
        return Check(title, "WARN", f"not checked: say --{missing}, or add the table that has it", "", _HEADROOM)
    reaction = reaction_time(rate) if facts.reaction is None else facts.reaction
    if reaction is None:
        said = f"not checked: say --reaction; IEEE 802.3 has no pause quanta for {show_rate(rate)}"
        return Check(title, "WARN", said, "", _HEADROOM)
    frame, number = link
    need = pfc_headroom(Link(rate, metres / LIGHT, reaction, frame, frame))
    formula, delay = "2 C p + C r + 2 M + 64 B", 2 * (interface_bytes(rate) or Fraction(0))
    cells = need
    if facts.packet is not None:
        cells = ceil(need / facts.packet) * in_cells(facts.packet, facts.cell)
    have = profile.headroom
    source = "" if facts.reaction is not None or "SONiC" not in quanta_source(rate) else f", r of {quanta_source(rate)}"
    verdict, words = _compared(have, need, delay, cells)
    rule = _vendor(facts, pattern, rate * (2 * metres / LIGHT + reaction), frame)
    queues = "1 queue" if number == 1 else f"{number} queues"
    link_words = f"at {show_rate(rate)} over {units.plain(metres)} m, for {queues}"
    numbers = f"{_short(have)} against {formula} = {_short(need)}{source}{rule}"
    return Check(f"{title} {link_words}", verdict, words, numbers, _HEADROOM)


def _vendor(facts: CableFacts, pattern: Mapping[str, Any] | None, delays: Fraction, frame: Fraction) -> str:
    """Return the headroom of a vendor's rule for the traffic pattern of the file, in words."""
    if pattern is None or facts.cell == 1:
        return ""
    mtu = units.whole_bytes(pattern.get("mtu", 1024), "LOSSLESS_TRAFFIC_PATTERN.mtu")
    small = units.number(pattern.get("small_packet_percentage", 50), "LOSSLESS_TRAFFIC_PATTERN.small_packet_percentage")
    need = vendor_headroom(mtu, frame, delays, cell_occupancy(mtu, small / 100, small_factor(facts.cell)))
    return f"; with the traffic pattern of the file, by a vendor's rule: {_short(Fraction(need))}"


def _compared(have: Fraction, need: Fraction, delay: Fraction, cells: Fraction) -> tuple[CheckVerdict, str]:
    """Return the verdict on a headroom, given the `delay` of both interfaces and the size of packets in `cells`."""
    if have < need:
        late = "packets may be lost if the sender reacts as late as 802.1Qbb allows"
        return "FAIL", f"{_short(need - have)} too little: {late}"
    if have < need + delay:
        longest = f"the longest interface delays of IEEE 802.3 ({_short(delay)} for both ends) are not covered"
        return "WARN", f"enough for the bytes after a pause, but {longest}"
    if have < cells:
        return "WARN", f"enough for bytes, but such packets take up to {_short(cells)} in cells"
    if have > 2 * (need + delay):
        return "WARN", "more than twice the needed headroom"
    return "PASS", "enough for the bytes after a pause, beside the packet that causes it"


def _pool_sums(reading: Reading, pool: PoolEntry) -> Iterator[Check]:
    """Compare the promised bytes of a pool with its size, and the headroom of its queues with the shared headroom."""
    members = _members(reading.config, pool)
    if not members:
        return
    reserved = sum(map(reading.own, members))
    heads = sum((p.headroom for p in members), Fraction(0))
    if pool.headroom:
        yield _shared_headroom(pool, heads, max(p.headroom for p in members))
    promised = Fraction(reserved) if pool.headroom else reserved + heads
    kind = "reserves" if pool.headroom or not heads else "reserves and headroom"
    verdict: CheckVerdict = "WARN" if 2 * promised > pool.size else "PASS"
    if reading.keeps_reserves_outside:
        where, verdict, words = "beside", "PASS", "they lie outside the pool, which shares all of its bytes"
    elif promised > pool.size:
        where, verdict, words = "in", "FAIL", "more is promised than the pool has"
        if reading.chip.guessed:
            verdict, words = "WARN", f"{words}: name --chip or --memory if they lie outside it"
    else:
        where = "in"
        more = "more than half of it is promised: if it comes out of the pool, little is shared"
        words = more if verdict == "WARN" else "most of it is shared"
    numbers = f"{_short(promised)} of {_short(pool.size)}"
    yield Check(f"{kind} {where} {pool.name}", verdict, words, numbers, "l2bm.eq1.reserved-first")


def _members(profile: BufferProfile, pool: PoolEntry) -> list[Profile]:
    names = [name for side in (profile.ingress, profile.egress) for name in side.values()]
    return [profile.profiles[name] for name in names if profile.profiles[name].pool == pool.name]


def _shared_headroom(pool: PoolEntry, heads: Fraction, largest: Fraction) -> Check:
    title, numbers = f"shared headroom of {pool.name}", f"{_short(heads)} against {_short(pool.headroom)}"
    if largest > pool.headroom:
        return Check(title, "FAIL", "a single queue may need more than all share", numbers, _HEADROOM)
    if heads > pool.headroom:
        together = int(pool.headroom / largest)
        said = f"oversubscribed: safe while at most {together} of the queues pause at once"
        return Check(title, "WARN", said, numbers, _HEADROOM)
    return Check(title, "PASS", "enough for all queues at once", numbers, _HEADROOM)


def _memory_sum(reading: Reading, memory: Fraction) -> Check:
    """Compare pools, reserves and headroom of the ingress side with the memory."""
    total = needed_memory(reading)
    verdict: CheckVerdict = "FAIL" if total > memory else "PASS"
    words = "more than there is" if total > memory else "it fits"
    numbers = f"{_short(total)} of {_short(memory)}"
    return Check("pools, reserves and headroom in the memory", verdict, words, numbers, "l2bm.eq1.reserved-first")


def _sides(reading: Reading, fan_in: int) -> Iterator[Check]:
    """Yield a check for each lossy queue whose packets come from lossy groups of so many input ports."""
    config, seen = reading.config, set()
    for queue, name in config.egress.items():
        group = group_of(config, queue)
        if group is None or (name, config.ingress[group]) in seen or config.profiles[name].cap is not None:
            continue
        seen.add((name, config.ingress[group]))
        ingress, egress = path_of(reading, group, "ingress"), path_of(reading, queue, "egress")
        first = fan_in * (ingress.own + ingress.together(fan_in))
        held = egress.own + egress.stored()
        verdict: CheckVerdict = "WARN" if first < held else "PASS"
        who = "the ingress groups refuse" if first < held else "the queue refuses"
        yield Check(
            f"{config.ingress[group]} on {fan_in} inputs against {name}", verdict, f"{who} first",
            f"{_short(Fraction(first))} in all groups against {_short(Fraction(held))} in the queue",
        )  # fmt: skip


def _short(size: Fraction) -> str:
    return units.brief(show_bytes(size))
