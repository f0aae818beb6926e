"""Checks of a buffer configuration: headroom against cables, sums against pools and the memory.

The headroom that a link needs is `dtmodel.packet.pfc.pfc_headroom` (claim ``l2bm.ours.headroom``): twice the cable, the
sender's reaction, the largest frame at either end, the pause frame; a switch that also puts the packet that causes the
pause into the headroom needs that much more. By default speed and frame are those of the tables ``PORT`` (``speed`` in
Mbps, ``mtu``) and ``CABLE_LENGTH``, or of a profile's name such as ``pg_lossless_100000_40m_profile``; light takes 1 s
for 198,000 km of cable; and the reaction time of a sender is the maximum of IEEE 802.3 (31B.3.7) at its speed, in
quanta of 512 bits. A frame on the wire is longer than ``mtu``: SONiC adds 22 bytes of header, tag and checksum; set
``frame`` to include them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from dtmodel.base import units
from dtmodel.base.documents import table
from dtmodel.base.units import Quantity, show_bytes, show_rate
from dtmodel.packet.pfc import Link, pfc_headroom
from dtmodel.switches.formulas import in_cells
from dtmodel.switches.profile import BufferProfile, PoolEntry, Profile
from dtmodel.theory.sheet import Check, CheckVerdict

_LIGHT = 198_000_000  # metres of cable per second
_QUANTA = {
    100: 1, 1000: 2, 10_000: 67, 25_000: 80, 40_000: 118, 50_000: 147, 100_000: 394, 200_000: 453, 400_000: 905,
    800_000: 905,
}  # fmt: skip
"""The longest reaction time of a sender in pause quanta, by the speed in Mbps: IEEE 802.3, 31B.3.7."""
_NAMED = re.compile(r"pg_lossless_(?P<speed>\d+)_(?P<metres>\d+)m_profile")
_FRAME = Fraction(9216)
_HEADROOM = "l2bm.ours.headroom"


@dataclass(frozen=True, init=False)
class CableFacts:
    """Properties of the links into a switch; for None the tables of the configuration apply.

    `cable`: the length of every cable, such as ``"40m"``. `rate`, `frame`, `reaction`: the rate of every link, the
    largest frame in bytes, and the reaction time of a sender to a pause. `packet`, `cell`: the size of all packets, and
    of the cells that store them, so that arriving bytes occupy more memory. With None and 1, bytes are counted.

    >>> str(CableFacts(cable="40 m").metres)
    '40'
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
    profile: BufferProfile, document: Mapping[str, Any], facts: CableFacts, memory: Fraction | None = None
) -> tuple[Check, ...]:
    """Check a switch's buffer configuration against its profile and the facts of its cables.

    `profile`: the buffer tables, as read. `document`: the whole configuration, for its tables of ports and cables.
    `facts`: values that override these tables. `memory`: the whole memory of the switch, in bytes.

    >>> from dtmodel.switches.profile import read_buffer_profile
    >>> document = {"BUFFER_POOL": {"p": {"type": "ingress", "mode": "dynamic", "size": "100000"}},
    ...             "BUFFER_PROFILE": {"x": {"pool": "p", "dynamic_th": "0", "xoff": "40000"}},
    ...             "BUFFER_PG": {"Ethernet0|3": {"profile": "x"}}}
    >>> [check.verdict for check in checks(read_buffer_profile(document), document, CableFacts("5m", "100 Gbps"))]
    ['FAIL', 'PASS']
    """
    found = [*_headrooms(profile, document, facts)]
    for pool in profile.pools.values():
        found += _pool_sums(profile, pool)
    if memory is not None:
        found.append(_memory_sum(profile, memory))
    return tuple(found)


def _headrooms(profile: BufferProfile, document: Mapping[str, Any], facts: CableFacts) -> Iterator[Check]:
    """Yield one check for each lossless profile and kind of link into its queues."""
    links: Counter[tuple[str, Fraction | None, Fraction | None, Fraction]] = Counter()
    for queue, name in profile.ingress.items():
        if profile.profiles[name].lossless:
            links[(name, *_link(queue.partition("|")[0], name, document, facts))] += 1
    for (name, rate, metres, frame), number in links.items():
        yield _headroom(profile.profiles[name], rate, metres, (frame, number), facts)


def _link(
    port: str, name: str, document: Mapping[str, Any], facts: CableFacts
) -> tuple[Fraction | None, Fraction | None, Fraction]:
    """Return rate, metres and largest frame of the link into a port: given, of the tables, or of the profile's name."""
    entry = table(_tables(document, "PORT").get(port, {}), f"PORT.{port}")
    rows = (table(row, f"CABLE_LENGTH.{name}") for name, row in _tables(document, "CABLE_LENGTH").items())
    cables = next((row[port] for row in rows if port in row), None)
    named = _NAMED.fullmatch(name)
    speed = entry.get("speed") or (named and named["speed"])
    metres = cables or (named and named["metres"])
    mtu = entry.get("mtu")
    frame = facts.frame or (units.whole_bytes(mtu, f"PORT.{port}.mtu") if mtu else _FRAME)
    given = units.number(speed, f"PORT.{port}.speed", positive=True) * 125_000 if speed else None
    length = units.metres(str(metres), f"CABLE_LENGTH.{port}") if metres else None
    return facts.rate or given, length if facts.metres is None else facts.metres, frame


def _tables(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return table(document.get(name, {}), name)


def _headroom(
    profile: Profile, rate: Fraction | None, metres: Fraction | None, link: tuple[Fraction, int], facts: CableFacts
) -> Check:
    title = f"headroom of {profile.name}"
    if rate is None or metres is None:
        missing = "rate" if rate is None else "cable"
        return Check(title, "WARN", f"not checked: say --{missing}, or add the table that has it", "", _HEADROOM)
    quanta = _QUANTA.get(int(rate / 125_000))
    if facts.reaction is None and quanta is None:
        said = f"not checked: say --reaction; IEEE 802.3 has no pause quanta for {show_rate(rate)}"
        return Check(title, "WARN", said, "", _HEADROOM)
    reaction = Fraction(64 * (quanta or 0)) / rate if facts.reaction is None else facts.reaction
    frame, number = link
    need = pfc_headroom(Link(rate, metres / _LIGHT, reaction, frame, frame))
    if facts.packet is not None:
        need = ceil(need / facts.packet) * in_cells(facts.packet, facts.cell)
    have = profile.headroom
    verdict: CheckVerdict = "FAIL" if have < need else "WARN" if have > 2 * need else "PASS"
    short = f"{_short(need - have)} too little: packets are lost after a pause"
    enough = "enough for the bytes after a pause, beside the packet that causes it"
    words = {"FAIL": short, "WARN": "more than twice the needed headroom", "PASS": enough}[verdict]
    queues = "1 queue" if number == 1 else f"{number} queues"
    link_words = f"at {show_rate(rate)} over {units.plain(metres)} m, for {queues}"
    numbers = f"{_short(have)} against 2 C p + C r + 2 M + 64 B = {_short(need)}"
    return Check(f"{title} {link_words}", verdict, words, numbers, _HEADROOM)


def _pool_sums(profile: BufferProfile, pool: PoolEntry) -> Iterator[Check]:
    """Compare the promised bytes of a pool with its size, and the headroom of its queues with the shared headroom."""
    each = [p for side in (profile.ingress, profile.egress) for p in map(profile.profiles.get, side.values()) if p]
    members = [p for p in each if p.pool == pool.name]
    if not members:
        return
    reserved = sum((p.reserved for p in members), Fraction(0))
    heads = sum((p.headroom for p in members), Fraction(0))
    if pool.headroom:
        yield _shared_headroom(pool, heads, max(p.headroom for p in members))
    promised = reserved if pool.headroom else reserved + heads
    verdict: CheckVerdict = "FAIL" if promised > pool.size else "WARN" if 2 * promised > pool.size else "PASS"
    words = {
        "FAIL": "more is promised than the pool has",
        "WARN": "more than half of it is promised: if it comes out of the pool, little is shared",
        "PASS": "most of it is shared",
    }[verdict]
    what = "reserves" if pool.headroom or not heads else "reserves and headroom"
    yield Check(
        f"{what} in {pool.name}",
        verdict,
        words,
        f"{_short(promised)} of {_short(pool.size)}",
        "l2bm.eq1.reserved-first",
    )


def _shared_headroom(pool: PoolEntry, heads: Fraction, largest: Fraction) -> Check:
    title, numbers = f"shared headroom of {pool.name}", f"{_short(heads)} against {_short(pool.headroom)}"
    if largest > pool.headroom:
        return Check(title, "FAIL", "a single queue may need more than all share", numbers, _HEADROOM)
    if heads > pool.headroom:
        together = int(pool.headroom / largest)
        said = f"oversubscribed: safe while at most {together} of the queues pause at once"
        return Check(title, "WARN", said, numbers, _HEADROOM)
    return Check(title, "PASS", "enough for all queues at once", numbers, _HEADROOM)


def _memory_sum(profile: BufferProfile, memory: Fraction) -> Check:
    """Compare pools, reserves and headroom of the ingress side with the memory."""
    total = Fraction(0)
    for pool in profile.pools.values():
        if pool.side in ("ingress", "both"):
            members = [p for p in map(profile.profiles.get, profile.ingress.values()) if p and p.pool == pool.name]
            heads = pool.headroom or sum((p.headroom for p in members), Fraction(0))
            total += pool.size + heads + sum((p.reserved for p in members), Fraction(0))
    verdict: CheckVerdict = "FAIL" if total > memory else "PASS"
    words = "more than there is" if total > memory else "it fits"
    numbers = f"{_short(total)} of {_short(memory)}"
    return Check("pools, reserves and headroom in the memory", verdict, words, numbers, "l2bm.eq1.reserved-first")


def _short(size: Fraction) -> str:
    return units.brief(show_bytes(size))
