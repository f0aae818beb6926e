"""One style for every picture: the colour and the line of each policy, and units that fit.

The colours are those of Okabe and Ito, which colour-blind people tell apart; the kind of line tells policies apart in
black and white.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["BUSY", "BYTES", "FREE_AREA", "GREY", "LOST", "TIMES", "LineStyle", "policy_style", "unit"]


class LineStyle(NamedTuple):
    """How the lines of a policy are drawn: a colour, and dashes as (on, off, ...) in points; none for a solid line."""

    colour: str
    dashes: tuple[float, ...] = ()


_POLICIES = {
    "DT": LineStyle("#0072b2"),
    "EDT": LineStyle("#d55e00", (7, 2)),
    "ABM": LineStyle("#009e73", (5, 2, 1, 2)),
    "L2BM": LineStyle("#cc79a7", (3, 2)),
    "static partition": LineStyle("#56b4e9", (9, 2, 3, 2)),
    "complete sharing": LineStyle("#000000", (1, 1.5)),
    "reserves and pool": LineStyle("#e69f00", (5, 2, 1, 2, 1, 2)),
    "LossPass": LineStyle("#009e73", (7, 2)),
    "DynaQ": LineStyle("#cc79a7", (5, 2, 1, 2)),
    "ECN": LineStyle("#e69f00", (3, 2)),
}
_OTHER = LineStyle("#666666")

GREY = "0.2"
FREE_AREA = "0.88"
"""The area of the free buffer."""
LOST = "#d55e00"
"""What is lost: hatched, so that it is seen without colour, too."""
BUSY = "#7f7f7f"
"""The queue of a port that was overloaded before."""

TIMES = ((1.0, "s", 1.0), (1e-3, "ms", 1e3), (1e-6, "us", 1e6), (0.0, "ns", 1e9))
BYTES = ((2e6, "MB", 1e-6), (1e3, "KB", 1e-3), (0.0, "B", 1.0))


def policy_style(name: str) -> LineStyle:
    """Return the style of a policy; what stands behind a comma in its name says how it is set.

    Examples
    --------
    >>> policy_style("L2BM, harmonic") == policy_style("L2BM"), policy_style("my own").colour
    (True, '#666666')
    """
    return _POLICIES.get(name.partition(",")[0], _OTHER)


def unit(size: float, scales: tuple[tuple[float, str, float], ...]) -> tuple[str, float]:
    """Return the unit in which a size is read best, and the factor from base units to it.

    Examples
    --------
    >>> unit(0.004, TIMES), unit(750_000, BYTES)
    (('ms', 1000.0), ('KB', 0.001))
    """
    return next((name, factor) for least, name, factor in scales if size >= least)
