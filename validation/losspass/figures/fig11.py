"""Packet loss by load, open loop: LossPass moves losses from small to large flows, and loses as many in all.

Queries beside large packets at the testbed's port, the same arrivals for every scheme: no sender reacts, so that the
rates are far above the paper's. Droptail and Droptail-2Q lose the same packets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtmodel.plot.style import policy_style

from .open_loop import Losses, losses

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FigureData", "data", "draw", "published"]

LOADS = (0.5, 0.6, 0.7, 0.8, 0.9)
SCHEMES = {"Droptail": "droptail", "Droptail-2Q": "droptail-2q", "LossPass": "intended"}


@dataclass(frozen=True)
class FigureData:
    """What each scheme lost, load by load."""

    losses: dict[str, tuple[Losses, ...]]


def data() -> FigureData:
    """Run the three schemes at every load."""
    return FigureData({name: tuple(losses(reading, load) for load in LOADS) for name, reading in SCHEMES.items()})


def draw(shown: FigureData) -> Figure:
    """Draw a panel for each class."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.4), layout="constrained")
    for axes, kind in zip(figure.subplots(1, 2), ("small", "large"), strict=True):
        for name, label in (("Droptail-2Q", "Droptail, Droptail-2Q"), ("LossPass", "LossPass")):
            percent = [point.percent(kind) for point in shown.losses[name]]
            axes.plot([100 * load for load in LOADS], percent, marker="o", label=label, **policy_style(name).drawn)
        axes.set(title=f"{kind} flows", xlabel="load (%)", ylabel="lost packets (%)", ylim=(0, None))
        axes.legend(frameon=False, fontsize="small", loc="upper left")
    return figure


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Compare with the text: the ranges over the loads, and the two tail drops."""
    droptail, queues, losspass = (shown.losses[name] for name in SCHEMES)
    equal = all(sum(a.lost.values()) == sum(b.lost.values()) for a, b in zip(losspass, queues, strict=True))

    def over_loads(points: tuple[Losses, ...], kind: str) -> str:
        percent = [point.percent(kind) for point in points]
        return f"{min(percent):.2f} to {max(percent):.2f}"

    return [
        ("small flows, Droptail-2Q (%)", "0.16 to 0.22", over_loads(queues, "small")),
        ("small flows, LossPass (%)", "0.09 to 0.10", over_loads(losspass, "small")),
        ("large flows, Droptail-2Q (%)", "0.20 on average", over_loads(queues, "large")),
        ("large flows, LossPass (%)", "0.64 on average", over_loads(losspass, "large")),
        ("Droptail and Droptail-2Q", "slightly different", "the same losses" if droptail == queues else "others"),
        ("all losses, LossPass and Droptail-2Q", "", "equally many" if equal else "others"),
    ]
