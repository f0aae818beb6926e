"""Figure 22 with senders that react: mean completion times of queries, by the size of a response, over ten readings.

The kept result of `dtmodel experiment edt.fig22`: for each size the median over 20 seeds in each reading of TCP; a
mark is the median of the readings, its bar their range. The band is where the paper finds EDT's queries shorter.
"""

from dataclasses import dataclass
from statistics import median

from dtmodel.base import units
from dtmodel.plot.style import Figure, policy_style

from ...support.experiments import Kept
from .burst_panels import axes_of, panels
from .fig22 import BAND

SIZES = (100, 130, 150, 170)
POLICIES = ("DT", "EDT")


@dataclass(frozen=True)
class FigureData:
    """Least, middle and greatest median over the readings by policy, for each size in KB.

    `times`: of the completion of queries in seconds. `timeouts`: of the part of the responses with a timeout.
    """

    times: dict[str, tuple[tuple[float, float, float], ...]]
    timeouts: dict[str, tuple[tuple[float, float, float], ...]]


def over_readings(kept: Kept, measure: str, policy: str) -> tuple[tuple[float, float, float], ...]:
    """Return least, middle and greatest median over the readings for each size."""
    found = []
    for size in SIZES:
        medians = sorted(median(kept.rows[reading, policy, 1000.0 * size][measure]) for reading in kept.readings)
        found.append((medians[0], median(medians), medians[-1]))
    return tuple(found)


def data() -> FigureData:
    """Read the kept result."""
    kept = Kept.read("edt.fig22")
    times, timeouts = (
        {policy: over_readings(kept, measure, policy) for policy in POLICIES} for measure in ("query_mean", "timeouts")
    )
    return FigureData(times, timeouts)


def published(data: FigureData) -> list[tuple[str, object, object]]:
    """Compare with the quoted parts of the flows with a timeout at 150 KB."""
    at = SIZES.index(150)
    ranges = {name: [units.show_percent(part, 0) for part in each[at]] for name, each in data.timeouts.items()}
    return [
        (f"timeouts under {name} at 150 KB", quoted, f"{ranges[name][0]} to {ranges[name][-1]} over the readings")
        for name, quoted in (("DT", "64 %"), ("EDT", "10 %"))
    ]


def draw(data: FigureData) -> Figure:
    """Draw the completion times with the range of the readings."""
    figure, (axes,) = panels(1, "Completion time of queries over TCP")
    axes.axvspan(*BAND, color="0.92", lw=0, label="shorter queries in the paper")
    for shift, mark, (name, rows) in zip((-1, 1), "os", data.times.items(), strict=True):
        middle = [1000 * row[1] for row in rows]
        bars = [[1000 * (row[1] - row[0]) for row in rows], [1000 * (row[2] - row[1]) for row in rows]]
        axes.errorbar([size + shift for size in SIZES], middle, bars, fmt=mark, capsize=3, label=name,
                      **{key: value for key, value in policy_style(name).drawn.items() if key == "color"})  # fmt: skip
    axes_of(axes, {"xlabel": "size of a response (KB)", "ylabel": "completion time (ms)"})
    axes.set_xlim(90, 180)
    return figure
