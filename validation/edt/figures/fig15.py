"""Three bursts of 6 ms beside a long-lived flow, the third 3 ms later: how fairly they share the buffer.

(a) DT, (b) EDT in the reading in which a dropped packet resets C1: the part of the time in which each queue, while it
is not empty, is at most as long as shown. The index is Jain's, of the three mean lengths while not empty: so come out
the published 0.992 and 0.998, in packets and in the fluid; with C1 reset by entering packets only it would be 0.896.
"""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel.plot.style import Figure
from dtmodel.policies.edt_circuit import READINGS

from .burst_panels import MS, Traffic, axes_of, fluid, jain, lengths_while_busy, mean_while_busy, packets, panels

BURST = Traffic(duration=6 * MS)
TRAFFIC = (BURST, BURST, Traffic(3 * MS, 6 * MS), Traffic(steady=True))
UNTIL = 25 * MS


@dataclass(frozen=True)
class FigureData:
    """Jain's index by policy and reading, for packets and for the fluid, and the sampled lengths."""

    index: dict[str, float]
    fluid: dict[str, Fraction]
    lengths: dict[str, list[list[float]]]


def data() -> FigureData:
    """Run DT and every reading of EDT."""
    lengths = {}
    for name in ("dt", *READINGS):
        found = packets(name, TRAFFIC, UNTIL, sample=2e-5)
        lengths[name] = [lengths_while_busy(found, port) for port in range(3)]
    index = {name: float(jain([sum(each) / len(each) for each in three])) for name, three in lengths.items()}
    runs = {name: fluid(name, TRAFFIC, UNTIL) for name in ("dt", "edt")}
    exact = {name: jain([mean_while_busy(run, port) for port in range(3)]) for name, run in runs.items()}
    return FigureData(index, exact, {name: lengths[name] for name in ("dt", "arrivals")})


def published(data: FigureData) -> list[tuple[str, object, object]]:
    """Compare with the quoted indices."""
    return [
        ("Jain's index, DT", 0.992, round(data.index["dt"], 4)),
        ("Jain's index, EDT", 0.998, round(data.index["arrivals"], 4)),
        ("Jain's index, EDT, C1 by the letter", 0.998, round(data.index["circuit"], 4)),
        ("Jain's index, DT, fluid", 0.992, round(float(data.fluid["dt"]), 4)),
        ("Jain's index, EDT, fluid", 0.998, round(float(data.fluid["edt"]), 4)),
    ]


def draw(data: FigureData) -> Figure:
    """Draw the distributions."""
    figure, axes = panels(2, "Queue lengths of three bursts")
    for each, (name, three) in zip(axes, data.lengths.items(), strict=True):
        for port, lengths in enumerate(three, 1):
            ordered = sorted(length / 1000 for length in lengths)
            each.plot(ordered, [(k + 1) / len(ordered) for k in range(len(ordered))], label=f"port {port}")
        title = "DT" if name == "dt" else "EDT"
        axes_of(
            each,
            {"title": f"{title}: index {data.index[name]:.4f}", "xlabel": "length (KB)", "ylabel": "part of the time"},
        )
    return figure
