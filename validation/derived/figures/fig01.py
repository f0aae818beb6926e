"""Under which policy M bursts beside N steady ports lose bytes last, by the rate of the bursts and alpha.

First row: of all policies of the atlas. DT, ABM, L2BM and reserves never outlast the even split, and complete sharing,
whose busy ports have filled the buffer, lasts not at all (derived.ours.atlas.split, .reserves and .complete), so that
EDT, with bursts that are recognised and timers that do not expire, and the even split are left. Second row: without the
even split; a reserve is half of a port's even share. Third row: of thresholds in proportion to the free buffer, DT, ABM
with one priority and L2BM with equal sojourn times.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from dtmodel.derive import derive
from dtmodel.plot.style import policy_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dtmodel.derive import DerivedTheorem

POINTS = 97
PANELS = ((1, 2), (4, 2), (4, 8))
"""M bursts beside N steady ports."""
THRESHOLDS = ("DT", "ABM", "L2BM")
WITHOUT_SPLIT = ("EDT", "reserves and pool", *THRESHOLDS)
ALL = ("static partition", *WITHOUT_SPLIT)
_POLICIES: Mapping[str, Mapping[str, Any]] = {
    "DT": {"name": "dt", "alpha": "alpha"},
    "ABM": {"name": "abm", "alphas": "alpha", "drains": [1, 1]},
    "L2BM": {"name": "weighted", "weights": "alpha*(M + N)"},
    "EDT": {"name": "edt", "alpha": "alpha", "cn2": "c_2"},
    "static partition": {"name": "static", "sizes": "B/(M + N)"},
    "reserves and pool": {"name": "pools", "limits": [{"alpha": "alpha", "reserved": "B/(2*(M + N))"}] * 2},
}
_SYMBOLS = {"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "N": ">= 0", "R": "> C", "R_b": ">= C",
            "c_2": "> 0, <= alpha*B/((1 + alpha*M)*(1 + alpha*N))"}  # fmt: skip

_HATCHES = (None, "//", "..")
"""For each policy that a row shows, to tell them apart in black and white."""


@dataclass(frozen=True)
class FigureData:
    """The rates R / C across, the alphas up, and for each row of panels and each (M, N) the best policy at each."""

    rates: tuple[float, ...]
    alphas: tuple[float, ...]
    best: dict[tuple[tuple[str, ...], int, int], tuple[tuple[str, ...], ...]]


@cache
def theorem(policy: str) -> DerivedTheorem:
    """Derive when bursts beside steady ports first lose bytes under a policy."""
    return derive({
        "symbols": _SYMBOLS,
        "policy": _POLICIES[policy],
        "switch": {"buffer": "B", "rate": "C"},
        "queues": [{"count": "M", "arrivals": [["0", "R"]]},
                   {"count": "N", "initial": "steady", "arrivals": [["0", "R_b"]]}],
        "ask": [{"first_drop": 0}],
    })  # fmt: skip


def data(points: int = POINTS, rows: Sequence[tuple[str, ...]] = (ALL, WITHOUT_SPLIT, THRESHOLDS)) -> FigureData:
    """Find the best policy for R / C from 1 to 9 and alpha from 1/16 to 16; of several the first."""
    import numpy as np

    rates = 1 + 8 * (np.arange(points) + 1) / points
    alphas = 2 ** np.linspace(-4, 4, points)
    R, alpha = np.meshgrid(rates, alphas)
    found = {}
    for M, N in PANELS:
        values = {"alpha": alpha, "B": 1, "C": 1, "M": M, "N": N, "R": R, "R_b": R}
        values["c_2"] = alpha / (2 * (1 + alpha * M) * (1 + alpha * N))
        drops = {name: theorem(name).lambdify()(**values) for name in {name for row in rows for name in row}}
        for row in rows:
            places = np.argmax([drops[name] for name in row], axis=0)
            found[row, M, N] = tuple(tuple(row[place] for place in across) for across in places)
    return FigureData(tuple(map(float, rates)), tuple(map(float, alphas)), found)


def draw(data: FigureData) -> Figure:
    """Draw a panel for each row and each (M, N)."""
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    rows = list(dict.fromkeys(row for row, _, _ in data.best))
    figure = Figure(figsize=(9, 3 * len(rows)), layout="constrained")
    grid = figure.subplots(len(rows), len(PANELS), sharex=True, sharey=True, squeeze=False)
    for row, line in zip(rows, grid, strict=True):
        seen = {name for panel in PANELS for across in data.best[row, *panel] for name in across}
        names = [name for name in row if name in seen]
        colours = ListedColormap([policy_style(name).colour for name in names])
        for (M, N), axes in zip(PANELS, line, strict=True):
            places = [[names.index(name) for name in across] for across in data.best[row, M, N]]
            axes.pcolormesh(data.rates, data.alphas, places, cmap=colours, vmin=-0.5, vmax=len(names) - 0.5,
                            shading="nearest", rasterized=True)  # fmt: skip
            for place, hatch in enumerate(_HATCHES[: len(names)]):
                here = [[float(each == place) for each in across] for across in places]
                axes.contourf(data.rates, data.alphas, here, levels=[0.5, 1.5], colors="none", hatches=[hatch])
            axes.set_yscale("log", base=2)
            axes.set_xlim(1, data.rates[-1])
            axes.set_ylim(data.alphas[0], data.alphas[-1])
            axes.set_title(f"M = {M}, N = {N}", fontsize="small")
        handles = [Patch(facecolor=policy_style(name).colour, hatch=hatch, label=name)
                   for name, hatch in zip(names, _HATCHES, strict=False)]  # fmt: skip
        line[0].legend(handles=handles, loc="lower right", fontsize="x-small", framealpha=1)
        line[0].set_ylabel(r"$\alpha$")
    for axes in grid[-1]:
        axes.set_xlabel("R / C")
    return figure
