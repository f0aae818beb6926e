"""Under which policy M bursts beside N steady ports lose bytes last, by the rate of the bursts and alpha.

Above: EDT, with bursts that are recognised and timers that do not expire, against the buffer split evenly among the
busy ports, which beats DT, ABM and L2BM everywhere (derived.ours.atlas.split). Below: the best of these three, ABM with
one priority, L2BM with equal sojourn times. The borders are those that `compare` finds for all symbols.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from dtmodel.derive import derive
from dtmodel.plot.style import policy_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dtmodel.derive.comparing import DerivedComparison

POINTS = 32
PANELS = ((1, 2), (4, 2), (4, 8))
"""M bursts beside N steady ports."""
THRESHOLDS = ("DT", "ABM", "L2BM")
MEMORY = ("EDT", "static partition")
_POLICIES: Mapping[str, Mapping[str, Any]] = {
    "DT": {"name": "dt", "alpha": "alpha"},
    "ABM": {"name": "abm", "alphas": "alpha", "drains": [1, 1]},
    "L2BM": {"name": "weighted", "weights": "alpha*(M + N)"},
    "EDT": {"name": "edt", "alpha": "alpha", "cn2": "c_2"},
    "static partition": {"name": "static", "sizes": "B/(M + N)"},
}
_SYMBOLS = {"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "N": ">= 0", "R": "> C", "R_b": ">= C"}
_RECOGNISED = {"c_2": "> 0, <= alpha*B/((1 + alpha*M)*(1 + alpha*N))"}

_HATCHES = (None, "//", "..")
"""For each policy of a row, to tell them apart in black and white."""


@dataclass(frozen=True)
class FigureData:
    """The rates R / C across, the alphas up, and for each row of panels and each (M, N) the best policy at each."""

    rates: tuple[Fraction, ...]
    alphas: tuple[Fraction, ...]
    best: dict[tuple[tuple[str, ...], int, int], tuple[tuple[str, ...], ...]]


@cache
def comparisons(policies: tuple[str, ...]) -> dict[tuple[str, str], DerivedComparison]:
    """Compare each two policies for all symbols."""
    symbols = _SYMBOLS | (_RECOGNISED if "EDT" in policies else {})
    theorems = {
        name: derive({
            "symbols": symbols,
            "policy": _POLICIES[name],
            "switch": {"buffer": "B", "rate": "C"},
            "queues": [{"count": "M", "arrivals": [["0", "R"]]},
                       {"count": "N", "initial": "steady", "arrivals": [["0", "R_b"]]}],
            "ask": [{"first_drop": 0}],
        })
        for name in policies
    }  # fmt: skip
    return {pair: theorems[pair[0]].compare(theorems[pair[1]]) for pair in combinations(policies, 2)}


def best(policies: tuple[str, ...], **values: Fraction) -> str:
    """Return the policy that is outlasted by none of the others; of several the first."""
    given = {"B": Fraction(1), "C": Fraction(1), "R_b": values["R"]} | values
    given |= {"c_2": given["alpha"] / 2 / ((1 + given["alpha"] * given["M"]) * (1 + given["alpha"] * given["N"]))}
    worse = set()
    for (one, other), comparison in comparisons(policies).items():
        how = comparison.at(**{name: value for name, value in given.items() if name in comparison.symbols})
        assert how is not None, f"{one} and {other} are not compared at {given}"
        worse |= {other} if how == ">" else {one} if how == "<" else set()
    return next(name for name in policies if name not in worse)


def data(points: int = POINTS, rows: Sequence[tuple[str, ...]] = (MEMORY, THRESHOLDS)) -> FigureData:
    """Find the best policy for R / C from 1 to 9 and alpha from 1/16 to 16."""
    rates = tuple(1 + Fraction(8 * (step + 1), points) for step in range(points))
    alphas = tuple(Fraction(2 ** (8 * step / (points - 1) - 4)).limit_denominator(1000) for step in range(points))
    found = {
        (row, M, N): tuple(
            tuple(best(row, M=Fraction(M), N=Fraction(N), R=R, alpha=alpha) for R in rates) for alpha in alphas
        )
        for row in rows
        for M, N in PANELS
    }
    return FigureData(rates, alphas, found)


def draw(data: FigureData) -> Figure:
    """Draw a panel for each row and each (M, N)."""
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    rows = list(dict.fromkeys(row for row, _, _ in data.best))
    figure = Figure(figsize=(9, 3 * len(rows)), layout="constrained")
    grid = figure.subplots(len(rows), len(PANELS), sharex=True, sharey=True, squeeze=False)
    for row, line in zip(rows, grid, strict=True):
        colours = ListedColormap([policy_style(name).colour for name in row])
        for (M, N), axes in zip(PANELS, line, strict=True):
            places = [[row.index(name) for name in across] for across in data.best[row, M, N]]
            axes.pcolormesh(list(map(float, data.rates)), list(map(float, data.alphas)), places, cmap=colours,
                            vmin=-0.5, vmax=len(row) - 0.5, shading="nearest")  # fmt: skip
            for place, hatch in zip(range(len(row)), _HATCHES, strict=False):
                here = [[float(each == place) for each in across] for across in places]
                axes.contourf(list(map(float, data.rates)), list(map(float, data.alphas)), here, levels=[0.5, 1.5],
                              colors="none", hatches=[hatch])  # fmt: skip
            axes.set_yscale("log", base=2)
            axes.set_title(f"M = {M}, N = {N}", fontsize="small")
        handles = [Patch(facecolor=policy_style(name).colour, hatch=hatch, label=name)
                   for name, hatch in zip(row, _HATCHES, strict=False)]  # fmt: skip
        line[-1].legend(handles=handles, loc="upper right", fontsize="x-small")
        line[0].set_ylabel(r"$\alpha$")
    for axes in grid[-1]:
        axes.set_xlabel("R / C")
    return figure
