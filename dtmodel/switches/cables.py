r"""The headroom that a cable needs: the plain formula, the delay of the interfaces, and a vendor's rule beside it.

After a pause is decided the link still delivers 2 C p + C r + 2 M + 64 B (`dtmodel.packet.pfc`): the cable twice, the
sender's reaction, the largest frame at either end, the pause frame. The interfaces at the two ends delay both frames
and the pause, each by at most the bit times that IEEE 802.3 allows. A vendor that counts cells multiplies by their
occupancy. Light takes 1 s for 198,000 km of cable.

The longest reaction of a sender is given by IEEE 802.3 (31B.3.7) in quanta of 512 bits; the 67 quanta at 10G are those
of SONiC's rules (``buffer_headroom_*.lua``), where 60 quanta (30,720 bit times) are the number of Cisco's paper on PFC.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity, brief, show_bytes, show_rate, show_seconds
from dtmodel.packet.pfc import Link, pfc_headroom
from dtmodel.policies.formulas import pause_headroom
from dtmodel.theorems.operations import rounded_up
from dtmodel.theorems.writing import tex_of
from dtmodel.theory.sheet import Explanation, Sheet, SheetRow, explained

LIGHT = 198_000_000  # metres of cable per second
QUANTA = {
    100: 1, 1000: 2, 10_000: 67, 25_000: 80, 40_000: 118, 50_000: 147, 100_000: 394, 200_000: 453, 400_000: 905,
    800_000: 905,
}  # fmt: skip
"""The longest reaction time of a sender in pause quanta, by the speed in Mbps."""
_INTERFACE = {10_000: 8_192, 25_000: 6_144, 40_000: 24_576, 100_000: 122_880}
"""The longest delay of an interface in bit times, by the speed in Mbps: IEEE 802.3."""
HEADER = 22
"""The bytes of header, tag and checksum that a frame has beside the MTU."""
_SMALL = 64


def _megabits(rate: Fraction) -> int:
    """Return a rate in Mbps; 0 if it is not whole, since the standard has whole speeds alone."""
    found = rate / 125_000
    return int(found) if found.denominator == 1 else 0


def reaction_time(rate: Fraction) -> Fraction | None:
    """Return the longest reaction time of a sender at a rate, in seconds; None if no source has it."""
    quanta = QUANTA.get(_megabits(rate))
    return None if quanta is None else Fraction(64 * quanta) / rate


def quanta_source(rate: Fraction) -> str:
    """Return the source of the reaction time at a rate."""
    quanta = QUANTA.get(_megabits(rate))
    return "SONiC, 67 quanta" if quanta == 67 else f"IEEE 802.3, 31B.3.7, {quanta} quanta"


def interface_bytes(rate: Fraction) -> Fraction | None:
    """Return the bytes that arrive during the longest delay of one interface; None if no source has it."""
    bits = _INTERFACE.get(_megabits(rate))
    return None if bits is None else Fraction(bits, 8)


def on_cable(C: Any, p: Any) -> Any:
    """Return the bytes on the cable in both directions."""
    return 2 * C * p


def cell_occupancy(L: Any, q: Any, f: Any) -> Any:
    """Return the cells' bytes for each byte of a mix of packets, of which a part `q` has 64 bytes, the others `L`.

    `f`: the bytes of cells for each byte of the small packets.

    >>> str(cell_occupancy(Fraction(1024), Fraction(1, 2), Fraction(3)))
    '21/17'
    """
    return 1 + _SMALL / (q * _SMALL + (1 - q) * L) * (f - 1)


def small_factor(cell: Fraction) -> Fraction:
    """Return the bytes of cells for each byte of the small packets, by the vendor's rule: a whole number."""
    return Fraction(rounded_up(cell / _SMALL if cell > 2 * _SMALL else 2 * cell / (1 + cell)))


def vendor_headroom(L: Any, M: Any, D: Any, o: Any) -> Any:
    """Return the headroom of a vendor's rule, in whole units of 1,024 bytes.

    `L`, `M`: the largest lossless packet and the largest packet. `D`: the bytes of the delays. `o`: the cell occupancy.

    >>> vendor_headroom(1024, 9100, 4000, Fraction(1))
    14336
    """
    return rounded_up((L + (M + D) * o) / 1024) * 1024


def _equal_frames(C: Any, p: Any, r: Any, M: Any, F: Any) -> Any:
    return pause_headroom(C, p, r, M, M, F)


def parameters(
    *,
    cable: str,
    rate: Quantity,
    mtu: Quantity = 9100,
    reaction: Quantity | None = None,
    interface: Quantity | None = None,
    cell: Quantity | None = None,
    small: Quantity = "1/2",
    lossless_mtu: Quantity = 1024,
    mac_phy: Quantity = 0,
    gearbox: Quantity = 0,
    pipeline: Quantity = 0,
) -> Sheet:
    """Compute the headroom of a link from the length of its `cable` alone; by default with the bounds of the standard.

    `mtu`: the largest packet without its header of 22 bytes. `reaction`, `interface`: seconds. `cell`, `small`,
    `lossless_mtu`: the size of the cells, the part of packets that have 64 bytes, and the size of the others.
    `mac_phy`, `gearbox`, `pipeline`: bytes that arrive during these delays.
    """
    C = units.rate(rate, "rate", positive=True)
    p, M = units.metres(cable, "cable") / LIGHT, units.whole_bytes(mtu, "mtu") + HEADER
    r = reaction_time(C) if reaction is None else units.seconds(reaction, "reaction")
    if r is None:
        raise InputError("reaction", None, f"a time: IEEE 802.3 has no pause quanta for {show_rate(C)}")
    of_one = interface_bytes(C) if interface is None else C * units.seconds(interface, "interface")
    part = units.number(small, "small")
    if part > 1:
        raise InputError("small", small, "a part of at most 1")
    delays = [
        units.bytes_(value, name)
        for value, name in ((mac_phy, "mac_phy"), (gearbox, "gearbox"), (pipeline, "pipeline"))
    ]
    plain = pfc_headroom(Link(C, p, r, M, M))
    numbers = {"C": brief(show_rate(C)), "p": brief(show_seconds(p)), "r": brief(show_seconds(r)),
               "M": brief(show_bytes(M)), "F": "64 B"}  # fmt: skip
    rows = [
        SheetRow("frame", "M", M, "bytes", "MTU + 22", "SONiC"),
        SheetRow("cable", "", on_cable(C, p), "bytes", tex_of(on_cable, "C", "p"), "198,000 km of cable a second"),
        SheetRow("reaction", "", C * r, "bytes", tex_of(lambda C, r: C * r, "C", "r"),
                 quanta_source(C) if reaction is None else "given"),
        SheetRow("headroom", "H", plain, "bytes", tex_of(_equal_frames, *"CprMF"), "IEEE 802.1Qbb", _LATE),
        SheetRow("interface", "I", of_one, "bytes", "", _BOUND if interface is None else "given",
                 "" if of_one is not None else "no bound is known at this rate"),
        SheetRow("with_interfaces", "", None if of_one is None else plain + 2 * of_one, "bytes", "H + 2 I", _BOUND,
                 _LATE),
    ]  # fmt: skip
    more = _cells(units.whole_bytes(lossless_mtu, "lossless_mtu"), M - HEADER, C * (2 * p + r), part, delays, cell)
    return Sheet("Headroom of a link", (*explained(rows, _EXPLANATIONS, numbers), *more))


def _cells(
    L: Fraction, M: Fraction, link: Fraction, part: Fraction, delays: list[Fraction], cell: Quantity | None
) -> Iterator[SheetRow]:
    """Yield the rows of a vendor's rule, in cells if their size is given."""
    size = Fraction(1) if cell is None else units.whole_bytes(cell, "cell")
    factor = small_factor(size)
    o = cell_occupancy(L, part, factor)
    D = link + delays[0] + 2 * delays[1] + delays[2]
    numbers = {"L": brief(show_bytes(L)), "M": brief(show_bytes(M)), "D": brief(show_bytes(D)), "q": units.plain(part),
               "f": units.plain(factor), "o": units.plain(o)}  # fmt: skip
    yield from explained(
        (
            SheetRow("occupancy", "o", o, "", tex_of(cell_occupancy, "L", "q", "f"), _VENDOR),
            SheetRow("delays", "D", D, "bytes", r"2 C p + C r + mac\_phy + 2 gearbox + pipeline", _VENDOR),
            SheetRow("vendor", "", vendor_headroom(L, M, D, o), "bytes", tex_of(vendor_headroom, "L", "M", "D", "o"),
                     _VENDOR),
        ),
        _EXPLANATIONS,
        numbers,
    )  # fmt: skip


_LATE = "the sender reacts as late as IEEE 802.1Qbb allows"
_BOUND = "the longest delay of an interface in IEEE 802.3"
_VENDOR = "buffer_headroom_mellanox.lua (sonic-swss)"
_HEADROOM = "l2bm.ours.headroom"
_EXPLANATIONS: dict[str, Explanation] = {
    "frame": ("settings", "The largest frame on the wire.", ""),
    "cable": ("settings", "The bytes on the cable in both directions.", ""),
    "reaction": ("settings", "The bytes that arrive while the sender reacts.", ""),
    "interface": ("settings", "The bytes that arrive during the delay of one interface.", ""),
    "headroom": ("guarantees", "The bytes that can still arrive after the pause is decided.", _HEADROOM),
    "with_interfaces": ("guarantees", "The same bytes with the delay of the interfaces at both ends.", _HEADROOM),
    "occupancy": ("settings", "The bytes of cells for each byte of packets.", ""),
    "delays": ("settings", "The bytes of cable, reaction and the delays of the vendor's rule.", ""),
    "vendor": ("guarantees", "The headroom of the vendor's rule.", ""),
}
