"""The part of a burst that is lost, by its duration, for one burst of 2 Gbps beside two steady ports (1 MB, 1 Gbps).

Lines: our closed forms of the bytes lost, which are the exact fluid engine's; dots: packets of 1500 bytes.
"""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel.base import units
from dtmodel.plot.style import PALETTE, Figure, policy_style
from dtmodel.theory.edt.drops import Bursts, dt_lost, edt_lost

from .burst_panels import ALPHA, MS, B, C, Traffic, axes_of, packets, panels

DURATIONS = tuple(Fraction(k, 2) * MS for k in range(1, 41))
PUBLISHED = (2, 8)
"""From which duration DT and EDT lose packets, in ms."""
DOTS = tuple(k * MS for k in (1, 2, 4, 8, 9, 12, 16, 20))


@dataclass(frozen=True)
class FigureData:
    """The times of the first loss (s), and the lost part by duration: fluid and packets."""

    first: dict[str, Fraction]
    lost: dict[str, list[Fraction]]
    packets: dict[str, list[float]]


def data() -> FigureData:
    """Compute the lost parts."""
    s = Bursts(ALPHA, B, C, 1, 2, 2 * C)
    lost = {
        "dt": [dt_lost(s, d) / (s.R * d) for d in DURATIONS],
        "edt": [edt_lost(s, d) / (s.R * d) for d in DURATIONS],
    }
    dots = {}
    for name, reading in (("dt", "dt"), ("edt", "circuit")):
        runs = [packets(reading, (Traffic(duration=d), *[Traffic(steady=True)] * 2), d) for d in DOTS]
        dots[name] = [float(run.dropped(0) / run.offered[0]) for run in runs]
    return FigureData({"dt": s.dt_drop, "edt": s.overflow}, lost, dots)


def published(data: FigureData) -> list[tuple[str, object, object]]:
    """Compare with the quoted numbers."""
    more = data.first["edt"] / data.first["dt"] - 1
    return [
        ("DT loses from (ms)", PUBLISHED[0], data.first["dt"] / MS),
        ("EDT loses from (ms)", PUBLISHED[1], data.first["edt"] / MS),
        ("additional traffic absorbed", "300 %", units.show_percent(more, 0)),
    ]


def draw(data: FigureData) -> Figure:
    """Draw the lost part against the duration."""
    figure, (axes,) = panels(1, "Lost part of a burst by its duration")
    for name, marker in (("dt", "o"), ("edt", "s")):
        axes.plot(
            [float(d / MS) for d in DURATIONS],
            [100 * float(x) for x in data.lost[name]],
            **policy_style(name.upper()).drawn,
            label=name.upper(),
        )
        axes.plot(
            [float(d / MS) for d in DOTS],
            [100 * x for x in data.packets[name]],
            marker,
            mfc="none",
            label=f"{name.upper()}, with packets",
            color=policy_style(name.upper()).colour,
        )
    axes.plot(PUBLISHED, [0] * len(PUBLISHED), "*", ms=13, mfc=PALETTE[4], mec="black", clip_on=False, zorder=5,
              label="published: losses begin")  # fmt: skip
    axes_of(axes, {"xlabel": "duration (ms)", "ylabel": "lost (%)"})
    return figure
