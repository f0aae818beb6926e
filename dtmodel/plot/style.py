"""One style for all pictures: the colour (of Okabe and Ito) and line style of each policy, areas, suitable units."""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from matplotlib import axes, figure

Axes: TypeAlias = "axes.Axes"
Figure: TypeAlias = "figure.Figure"
"""The types of matplotlib, for annotations without importing it."""

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""The colours in the order in which curves take them."""


class LineStyle(NamedTuple):
    """A colour of matplotlib, and the lengths (on, off, ...) of dashes in points; none for a solid line."""

    colour: str
    dashes: tuple[float, ...] = ()

    @property
    def drawn(self) -> dict[str, Any]:
        """The keyword arguments of matplotlib's `plot`."""
        return {"color": self.colour, "ls": (0, self.dashes) if self.dashes else "-"}


_POLICIES = {
    "DT": LineStyle("#0072b2"),
    "EDT": LineStyle("#d55e00", (7, 2)),
    "ABM": LineStyle("#009e73", (5, 2, 1, 2)),
    "L2BM": LineStyle("#cc79a7", (3, 2)),
    "static partition": LineStyle("#56b4e9", (9, 2, 3, 2)),
    "complete sharing": LineStyle("#000000", (1, 1.5)),
    "reserves and pool": LineStyle("#e69f00", (5, 2, 1, 2, 1, 2)),
    "hierarchy": LineStyle("#0072b2", (5, 2, 1, 2)),
    "LossPass": LineStyle("#009e73", (7, 2)),
    "DynaQ": LineStyle("#cc79a7", (5, 2, 1, 2)),
    "ECN": LineStyle("#e69f00", (3, 2)),
}
_OTHER = LineStyle("#666666")

GREY = "0.2"
FREE_AREA: dict[str, Any] = {"color": "0.9", "lw": 0, "zorder": 0}
"""The fill of the free buffer."""
LOST_AREA: dict[str, Any] = {"facecolor": "none", "edgecolor": "0.25", "hatch": "////", "lw": 0.6, "zorder": 1}
"""The fill of lost bytes: hatched, so that it is visible without colour."""

TIMES = ((1.0, "s", 1.0), (1e-3, "ms", 1e3), (1e-6, "us", 1e6), (0.0, "ns", 1e9))
"""The units of an axis: the least largest value for which each is used, its name, and the factor to it."""
BYTES = ((2e6, "MB", 1e-6), (1e3, "KB", 1e-3), (0.0, "B", 1.0))


def policy_style(name: str) -> LineStyle:
    """Return the style of a policy; a part of its `name` after a comma, which names parameters, does not matter."""
    return _POLICIES.get(name.partition(",")[0], _OTHER)


def styled() -> AbstractContextManager[None]:
    """Return a context in which matplotlib's default colours are those of `PALETTE`, with four line styles.

    >>> from matplotlib import pyplot
    >>> with styled():
    ...     pyplot.rcParams["axes.prop_cycle"].by_key()["linestyle"][:3]
    ['-', '--', '-.']
    """
    import matplotlib as mpl
    from matplotlib.rcsetup import cycler

    kinds = [("-", "--", "-.", ":")[number % 4] for number in range(len(PALETTE))]
    return mpl.rc_context({"axes.prop_cycle": cycler(color=PALETTE, linestyle=kinds)})


def unit(size: float, scales: tuple[tuple[float, str, float], ...]) -> tuple[str, float]:
    """Return a suitable unit for a size in base units, and the factor to it, from `TIMES` or `BYTES`."""
    fitting = ((name, factor) for least, name, factor in scales if size >= least)
    return next(fitting, scales[-1][1:])  # a size of NaN, of an empty picture, has the last unit
