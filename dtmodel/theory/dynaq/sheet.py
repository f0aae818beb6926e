"""The parameter sheet of DynaQ for one port, and the paper's own settings."""

import operator
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import nsmallest
from typing import Any

from dtmodel.base import budgets, units
from dtmodel.base.errors import InputError, one_of
from dtmodel.base.units import Quantity, brief, bytes_, plain, rate, seconds, show_bytes, show_rate, show_seconds
from dtmodel.theorems.operations import least
from dtmodel.theorems.writing import searched, tex_of
from dtmodel.theory.dynaq import formulas as dynaq
from dtmodel.theory.dynaq.hardware import cycles
from dtmodel.theory.sheet import Explanation, Sheet, SheetRow, explained

__all__ = ["PRESETS", "Preset", "preset"]

_PAPER = "DynaQ paper"
_ALL = searched(sum, "w")
_DEFICIT, _ALONE = "own theorem, dynaq.ours.deficit", "own theorem, dynaq.ours.alone"


@dataclass(frozen=True)
class Preset:
    """A setting of the paper.

    Sizes, rates and times are strings with units: `buffer`, `rate`, `rtt` and `packet`; each service queue has one of
    the `weights`, and `title` is the heading.

    >>> PRESETS["testbed"].weights
    (1, 1, 1, 1)
    """

    title: str
    buffer: str
    rate: str
    rtt: str
    weights: tuple[int, ...]
    packet: str


PRESETS = {
    "testbed": Preset(
        "1 Gbps testbed, 4 equal queues (Section 5.1.1)", "85 KB", "1 Gbps", "500 us", (1,) * 4, "1500 B"
    ),
    "testbed-5": Preset("1 Gbps testbed, 5 queues (Section 5.1.2)", "85 KB", "1 Gbps", "500 us", (1,) * 5, "1500 B"),
    "testbed-weights": Preset(
        "1 Gbps testbed, weights 4:3:2:1 (Section 5.1.1)", "85 KB", "1 Gbps", "500 us", (4, 3, 2, 1), "1500 B"
    ),
    "rack-10g": Preset("10 Gbps rack, 8 queues (Section 5.2.1)", "192 KB", "10 Gbps", "84 us", (1,) * 8, "1500 B"),
    "rack-100g": Preset(
        "100 Gbps rack, 8 queues, jumbo frames (Section 5.2.1)", "1 MB", "100 Gbps", "40 us", (1,) * 8, "9000 B"
    ),
    "fabric-10g": Preset(
        "10 Gbps leaf-spine, 8 queues (Section 5.2.2)", "192 KB", "10 Gbps", "85.2 us", (1,) * 8, "1500 B"
    ),
}
"""The settings of the paper; it does not state packet sizes at 10 and 100 Gbps: 1500 and 9000 bytes are assumed."""


@dataclass(frozen=True)
class _Given:
    buffer: Fraction
    rate: Fraction
    rtt: Fraction
    weights: tuple[Fraction, ...]
    packet: Fraction
    granularity: Fraction

    @property
    def bdp(self) -> Fraction:
        return Fraction(dynaq.bdp(self.rate, self.rtt))

    @property
    def satisfaction(self) -> tuple[Fraction, ...]:
        return dynaq.satisfaction_thresholds(self.buffer, self.weights)


def preset(name: str, *, granularity: Quantity = 1) -> Sheet:
    """Compute the sheet for the setting called `name`, a key of `PRESETS`.

    `granularity` is the greatest common divisor of all packet sizes, in bytes.

    >>> preset("testbed-5")["covered_1"], preset("testbed-5", granularity=20)["covered_1"]
    (False, False)
    """
    if name not in PRESETS:
        raise InputError("preset", name, one_of(PRESETS, name))
    p = PRESETS[name]
    return parameters(p.buffer, p.rate, p.rtt, p.weights, packet=p.packet, granularity=granularity)


def parameters(
    buffer: Quantity,
    rate_: Quantity,
    rtt: Quantity,
    weights: Sequence[Quantity],
    *,
    packet: Quantity = 1500,
    granularity: Quantity = 1,
) -> Sheet:
    """Compute the sheet for a port `buffer` B, a line of C = `rate_` bytes/s, a base `rtt` and `weights`.

    `packet` is L, the largest packet, and `granularity` is g, the greatest common divisor of all sizes: 1 byte if they
    are unknown. Raises `InputError` for values out of range, a buffer smaller than a packet, or a granularity that does
    not divide L.
    """
    given = _Given(
        bytes_(buffer, "buffer", positive=True),
        rate(rate_, "rate", positive=True),
        seconds(rtt, "rtt", positive=True),
        units.each(units.number, weights, "weights", positive=True),
        bytes_(packet, "packet", positive=True),
        bytes_(granularity, "granularity", positive=True),
    )
    budgets.keep_within("events", len(given.weights) ** 2, "weights")
    if not given.weights:
        raise InputError("weights", [], "a number greater than 0 for each queue")
    if given.packet > given.buffer:
        raise InputError("buffer", buffer, "a buffer that holds a packet")
    if (given.packet / given.granularity).denominator != 1:
        raise InputError("granularity", granularity, "a size that divides the largest packet")
    numbers = _numbers(given)
    rows = [*explained(_port(given), _EXPLANATIONS, numbers)]
    for i in range(len(given.weights)):
        rows += explained(_queue(given, i), _EXPLANATIONS, numbers | _own_numbers(given, i))
    return Sheet("DynaQ for one port", tuple(rows), tuple(_warnings(given)))


def _numbers(given: _Given) -> dict[str, str]:
    """Return the values of the symbols that all formulas share."""
    sizes = {"B": given.buffer, "BDP": given.bdp, "L": given.packet, "g": given.granularity}
    shown = {"C": show_rate(given.rate), "RTT": show_seconds(given.rtt), "M": str(len(given.weights))}
    shown |= {_ALL: plain(sum(given.weights)), searched(sum, "w_q", "q"): plain(sum(given.weights))}
    return {name: brief(text) for name, text in (shown | {n: show_bytes(s) for n, s in sizes.items()}).items()}


def _own_numbers(given: _Given, i: int) -> dict[str, str]:
    """Return the values of the symbols of queue `i`."""
    n, S = i + 1, given.satisfaction[i]
    share = brief(show_bytes(dynaq.weighted_bdp(given.rate, given.rtt, given.weights)[i]))
    sure = dynaq.guaranteed_threshold(S, len(given.weights), given.packet, given.granularity)
    alone = dynaq.threshold_alone(given.satisfaction, i, given.packet)
    return {
        "w_i": plain(given.weights[i]), "S_i": brief(show_bytes(S)), "WBDP_i": share, f"WBDP_{{{n}}}": share,
        f"T^{{min}}_{{{n}}}": brief(show_bytes(sure)), f"T^{{alone}}_{{{n}}}": brief(show_bytes(alone)),
    }  # fmt: skip


def _port(given: _Given) -> Iterator[SheetRow]:
    M = len(given.weights)
    deficit = dynaq.worst_deficit(M, given.packet, given.granularity)
    yield SheetRow("bdp", "BDP", given.bdp, "bytes", tex_of(dynaq.bdp, "C", "RTT"), f"{_PAPER}, Section 2.1")
    yield SheetRow(
        "worst_deficit", "D", deficit, "bytes", tex_of(dynaq.shortfall, *"MLg"), _DEFICIT,
        "a queue that keeps at least one packet, and is refused one of L bytes by Algorithm 1",
    )  # fmt: skip
    if M > 1:
        others = searched(min, "w_i", "i", but="p")
        need = dynaq.buffer_for_one_active_queue(given.bdp, given.weights, given.packet)
        yield SheetRow(
            "buffer_one_active", "B_1", need, "bytes",
            searched(max, tex_of(dynaq.buffer_alone, "BDP", "M", "L", _ALL, "w_p", others), "p"),
            _ALONE,
            "with this buffer any queue that is alone can hold a BDP",
        )  # fmt: skip
        two = nsmallest(2, range(M), key=given.satisfaction.__getitem__)
        worst = dynaq.threshold_of_always_active(given.satisfaction, two, given.packet)
        yield SheetRow(
            "pair_threshold", r"T_i + T_j", worst, "bytes",
            tex_of(lambda B, S, M, L: least(B, dynaq.together_bound(S, M - 2, L)), "B", "S_i + S_j", "M", "L"),
            "own theorem, dynaq.ours.together",
            "the most that the thresholds of the two queues with the smallest weights can add up to when both are "
            "active from the start and the others idle; the queues can be longer",
        )  # fmt: skip
    yield SheetRow(
        "cycles", "n", cycles(M).total, "", tex_of(lambda M: cycles(M).total, "M"),
        f"{_PAPER}, Section 4.1",
        "the paper's accounting: an addition with its comparison costs one cycle",
    )  # fmt: skip


def _queue(given: _Given, i: int) -> Iterator[SheetRow]:
    n, M = i + 1, len(given.weights)
    S, alone = given.satisfaction[i], dynaq.threshold_alone(given.satisfaction, i, given.packet)
    wbdp = dynaq.weighted_bdp(given.rate, given.rtt, given.weights)[i]
    sure = dynaq.guaranteed_threshold(S, M, given.packet, given.granularity)
    own, needed, least, most = f"S_{{{n}}}", f"WBDP_{{{n}}}", f"T^{{min}}_{{{n}}}", f"T^{{alone}}_{{{n}}}"

    def row(name: str, symbol: str, value: Any, formula: str, source: str, assumption: str = "") -> SheetRow:
        unit: Any = "" if isinstance(value, bool) else "bytes"
        return SheetRow(f"{name}_{n}", symbol, value, unit, formula, source, assumption)

    share = tex_of(lambda C, RTT, *of: dynaq.part(dynaq.bdp(C, RTT), *of), "C", "RTT", "w_i", _ALL)
    kept = tex_of(lambda S, M, L, g: dynaq.kept(S, dynaq.shortfall(M, L, g)), "S_i", *"MLg")
    fills = tex_of(lambda T, L, BDP: dynaq.whole_packets(T, L) >= BDP, most, "L", "BDP")
    yield row("satisfaction", own, S, tex_of(dynaq.part, "B", "w_i", _ALL), f"{_PAPER}, equations (2) and (4)")
    yield row("weighted_bdp", needed, wbdp, share, f"{_PAPER}, equation (1)")
    beyond = tex_of(dynaq.surplus_threshold, "S_i", "WBDP_i")
    yield row("margin", f"{own} - {needed}", S - wbdp, beyond, f"{_PAPER}, Section 3.2.2")
    yield row(
        "guaranteed", least, sure, kept, _DEFICIT, "below this threshold line 3 refuses an active queue no packet"
    )
    yield row("covered", tex_of(operator.ge, least, needed), sure >= wbdp, "", _DEFICIT)
    sends = "the queue alone sends, packets of L bytes, from the start; ties to the lowest index"
    yield row("alone", most, alone, "", _ALONE, sends)
    yield row("alone_fills", fills, dynaq.whole_packets(alone, given.packet) >= given.bdp, "", _ALONE)


def _pairs_below(S: Sequence[Fraction], bound: Fraction) -> int:
    """Count the pairs whose sum is below `bound`."""
    ordered = sorted(S)
    return sum(bisect_left(ordered, bound - S_i, 0, i) for i, S_i in enumerate(ordered))


def _warnings(given: _Given) -> Iterator[str]:
    M = len(given.weights)
    if given.buffer <= given.bdp:
        yield "B is not larger than the BDP: no queue's satisfaction threshold exceeds its weighted BDP."
    if min(given.satisfaction) < given.packet:
        yield "A satisfaction threshold is smaller than a packet: Algorithm 1 can drop at an empty port."
    covered = dynaq.covers(given.buffer, given.bdp, given.weights, given.packet, given.granularity)
    lost = [str(i + 1) for i, fine in enumerate(covered) if not fine]
    if lost:
        yield (
            f"Packets of different sizes can leave an active queue short of its weighted BDP: queue {', '.join(lost)}. "
            "With one packet size this cannot happen."
        )
    alone = [dynaq.threshold_alone(given.satisfaction, i, given.packet) for i in range(M)]
    held = [dynaq.whole_packets(T, given.packet) for T in alone]
    if min(held) < given.bdp:
        shown = ", ".join(f"{i + 1} ({show_bytes(q)})" for i, q in enumerate(held) if q < given.bdp)
        yield f"A single active queue cannot fill the BDP of {show_bytes(given.bdp)}: queue {shown}."
    if M > 2:
        pairs = M * (M - 1) // 2
        short = (
            pairs if given.buffer < given.bdp else _pairs_below(given.satisfaction, given.bdp - (M - 2) * given.packet)
        )
        if short:
            yield (
                f"{short} of {pairs} pairs of queues that are active from the start have thresholds for less than a "
                "BDP together while the others are idle."
            )
    yield (
        "A full port refuses packets also below their thresholds: a queue that wakes up while others hold more than "
        "their thresholds is not protected until they have drained."
    )


_EXPLANATIONS: dict[str, Explanation] = {
    "bdp": ("guarantees", "The buffer that all queues together need for line rate.", "dynaq.eq1"),
    "worst_deficit": ("guarantees", "The largest deficit below its share at which line 3 refuses a queue a packet.",
                      "dynaq.ours.deficit"),
    "buffer_one_active": ("inverse questions", "With this buffer a queue that is alone fills the line.",
                          "dynaq.ours.alone"),
    "pair_threshold": ("guarantees", "The thresholds of the two queues with the least weights add up to at most this.",
                       "dynaq.ours.together"),
    "cycles": ("settings", "Clock cycles that a decision takes in hardware.", ""),
    "satisfaction_i": ("settings", "The share of the buffer that the queue is entitled to.", "dynaq.eq4"),
    "weighted_bdp_i": ("guarantees", "The buffer that the queue needs for its share of the line.", "dynaq.eq1"),
    "margin_i": ("guarantees", "Its share of the buffer exceeds the weighted BDP by this much.", ""),
    "guaranteed_i": ("guarantees", "Line 3 refuses no packet of the queue below this threshold.", "dynaq.ours.deficit"),
    "covered_i": ("guarantees", "True if that threshold covers the weighted BDP.", "dynaq.ours.deficit"),
    "alone_i": ("guarantees", "The queue may hold this much when it alone is active.", "dynaq.ours.alone"),
    "alone_fills_i": ("guarantees", "True if that fills the line.", "dynaq.ours.alone"),
}  # fmt: skip
"""The group of each row, its meaning, and its claim."""
