"""A burst of 6 ms to port 3 beside two steady ports: DT drops it from 2 ms on, EDT takes it whole.

16 ports of 1 Gbps, 1 MB, alpha = 1, every overloaded port offered 2 Gbps. Lines: the exact fluid engine; dots: packets
of 1500 bytes. Time counts from the beginning of the burst (0.15 s in the original).
"""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel.plot.style import PALETTE, Figure

from .burst_panels import MS, Traffic, axes_of, fluid, packets, panels, trajectory

STEADY = Traffic(steady=True)
TRAFFIC = (Traffic(duration=6 * MS), STEADY, STEADY)
UNTIL = 15 * MS


@dataclass(frozen=True)
class FigureData:
    """For each policy: the first drop of the burst (s), its bytes lost, and the curves in ms and KB."""

    first_drop: dict[str, Fraction | None]
    lost: dict[str, Fraction]
    curves: dict[str, dict[str, tuple[list[float], list[float]]]]
    dots: dict[str, dict[str, tuple[list[float], list[float]]]]
    lost_packets: dict[str, float]


def data() -> FigureData:
    """Run both policies in both engines."""
    runs = {name: fluid(name, TRAFFIC, UNTIL) for name in ("dt", "edt")}
    samples = {
        name: packets(reading, TRAFFIC, UNTIL, sample=5e-4) for name, reading in (("dt", "dt"), ("edt", "circuit"))
    }
    labels = {"port 3 (burst)": 0, "ports 1 and 2": 1}
    return FigureData(
        {name: run.first_drop(0) for name, run in runs.items()},
        {name: run.dropped(0) for name, run in runs.items()},
        {name: {label: trajectory(run, port) for label, port in labels.items()} for name, run in runs.items()},
        {
            name: {
                label: ([t * 1e3 for t, _ in found.samples], [q[port] / 1e3 for _, q in found.samples])
                for label, port in labels.items()
            }
            for name, found in samples.items()
        },
        {name: float(found.dropped(0)) for name, found in samples.items()},
    )


def published(data: FigureData) -> list[tuple[str, object, object]]:
    """Compare with the text."""
    return [
        ("DT drops packets of the burst", True, data.lost["dt"] > 0),
        ("EDT drops none", Fraction(0), data.lost["edt"]),
        ("EDT drops none, with packets", 0.0, data.lost_packets["edt"]),
    ]


def draw(data: FigureData) -> Figure:
    """Draw DT and EDT side by side."""
    figure, axes = panels(2, "Queues with a burst of 6 ms")
    for each, name in zip(axes, ("dt", "edt"), strict=True):
        for number, (label, (times, lengths)) in enumerate(data.curves[name].items()):
            each.plot(times, lengths, color=PALETTE[number], ls=("-", "--")[number], label=label)
            marks, colour = ("o", "x")[number], PALETTE[number]
            each.plot(*data.dots[name][label], marks, color=colour, ms=3.5, label=f"{label}, with packets")
        axes_of(each, {"title": name.upper(), "xlabel": "time (ms)", "ylabel": "length (KB)"})
        each.set_ylim(0, 1000)
        each.legend(frameon=False, fontsize="small", loc="upper right")
    return figure
