"""Three servers respond together on the testbed of Section 5.3: the part that is lost, by the size of a response.

Open loop, at line rate: 256 KB, ports of 999 Mbps, the testbed's settings of EDT, the exact fluid engine. The paper's
figure shows the completion times of queries over TCP; the band is where it finds EDT's shorter.
"""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel import DT, EDT, Arrivals, Switch, simulate
from dtmodel.base import units
from dtmodel.plot.style import Figure, policy_style

from .burst_panels import MS, axes_of, panels

KB = 1000
B, C, SERVERS = Fraction(256 * KB), Fraction(999 * 10**6, 8), 3
POLICIES = {"DT": DT(1), "EDT": EDT(1, Fraction(20 * 1500), Fraction("5.56") * MS, 10 * MS)}
SIZES = tuple(range(20, 211, 2))
BAND = (100, 170)


@dataclass(frozen=True)
class FigureData:
    """The lost part of all bytes by policy, for each size of a response in KB."""

    lost: dict[str, tuple[Fraction, ...]]


def lost_part(policy: str, size: Fraction | int) -> Fraction:
    """Run one query with responses of `size` KB and return the lost part of its bytes."""
    duration = size * KB / C
    run = simulate(Switch(4, B, C), POLICIES[policy], {0: Arrivals.burst(SERVERS * C, duration)}, until=2 * duration)
    return run.queue(0).dropped() / (SERVERS * size * KB)


def data() -> FigureData:
    """Run every size under both policies."""
    return FigureData({name: tuple(lost_part(name, size) for size in SIZES) for name in POLICIES})


def published(data: FigureData) -> list[tuple[str, object, object]]:
    """Compare with the quoted sizes, and with the flows that time out at 150 KB."""
    first = {name: next(s for s, x in zip(SIZES, lost, strict=True) if x > 0) - 2 for name, lost in data.lost.items()}
    lost = {name: units.show_percent(each[SIZES.index(150)], 0) for name, each in data.lost.items()}
    return [
        ("DT loses above (KB)", "100, where EDT begins to gain", first["DT"]),
        ("EDT loses above (KB)", "170, where it no longer gains", first["EDT"]),
        ("DT at 150 KB", "64 % of the flows time out", f"{lost['DT']} of the bytes are lost"),
        ("EDT at 150 KB", "10 % of the flows time out", f"{lost['EDT']} of the bytes are lost"),
    ]


def draw(data: FigureData) -> Figure:
    """Draw the lost part against the size of a response."""
    figure, (axes,) = panels(1, "Lost part of a query's responses")
    axes.axvspan(*BAND, color="0.92", lw=0, label="shorter queries in the paper")
    for name, lost in data.lost.items():
        axes.plot(SIZES, [100 * float(x) for x in lost], label=name, **policy_style(name).drawn)
    axes_of(axes, {"xlabel": "size of a response (KB)", "ylabel": "lost (%)"})
    return figure
