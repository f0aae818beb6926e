"""Packet loss by load, open loop: LossPass moves losses from small to large flows, and loses as many in all.

Queries beside large packets at the testbed's port, the same arrivals for every scheme: no sender reacts, so that the
rates are far above the paper's. Droptail and Droptail-2Q lose the same packets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from dtmodel.plot.style import Figure, policy_style

from .open_loop import Losses, losses

LOADS = (0.5, 0.6, 0.7, 0.8, 0.9)
PUBLISHED = {
    ("small", "Droptail-2Q"): (0.16, 0.22), ("small", "LossPass"): (0.09, 0.10),
    ("large", "Droptail-2Q"): (0.20,), ("large", "LossPass"): (0.64,),
}  # fmt: skip
"""In percent: the range over the loads, or the mean."""
SCHEMES = {"Droptail": "droptail", "Droptail-2Q": "droptail-2q", "LossPass": "intended"}


@dataclass(frozen=True)
class FigureData:
    """What each scheme lost, load by load."""

    losses: dict[str, tuple[Losses, ...]]


def data() -> FigureData:
    """Run the three schemes at every load."""
    return FigureData({name: tuple(losses(reading, load) for load in LOADS) for name, reading in SCHEMES.items()})


def draw(shown: FigureData) -> Figure:
    """Draw a panel for each class; what the text says of a scheme is a band in its colour, LossPass's hatched."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.9), layout="constrained")
    for axes, kind in zip(figure.subplots(1, 2), ("small", "large"), strict=True):
        for name, label, hatch in (("Droptail-2Q", "Droptail, Droptail-2Q", ""), ("LossPass", "LossPass", "////")):
            percent = [point.percent(kind) for point in shown.losses[name]]
            style = policy_style(name)
            axes.plot([100 * load for load in LOADS], percent, marker="o", label=label, **style.drawn)
            said = PUBLISHED[kind, name]
            band = {"color": style.colour, "alpha": 0.5, "hatch": hatch, "ls": style.drawn["ls"]}
            axes.fill_between([50, 90], min(said), max(said), label=f"published, {name}: {_range(said)} %", **band)
        axes.set_yscale("symlog", linthresh=0.1)
        axes.set(title=f"{kind} flows", xlabel="load (%)", ylabel="lost packets (%)", ylim=(0, None))
        axes.legend(frameon=False, fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2)
    return figure


def _range(percent: Sequence[float]) -> str:
    return " to ".join(f"{each:.2f}" for each in percent)


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Compare with the text: the ranges over the loads, and the two tail drops."""
    droptail, queues, losspass = (shown.losses[name] for name in SCHEMES)
    equal = all(sum(a.lost.values()) == sum(b.lost.values()) for a, b in zip(losspass, queues, strict=True))

    def row(kind: str, name: str) -> tuple[str, str, str]:
        percent, said = [point.percent(kind) for point in shown.losses[name]], PUBLISHED[kind, name]
        found = (min(percent), max(percent)) if len(said) == 2 else (fmean(percent),)
        return f"{kind} flows, {name}, {'range' if len(said) == 2 else 'mean'} (%)", _range(said), _range(found)

    return [
        *(row(kind, name) for kind, name in PUBLISHED),
        ("Droptail and Droptail-2Q", "slightly different", "the same losses" if droptail == queues else "others"),
        ("all losses, LossPass and Droptail-2Q", "", "equally many" if equal else "others"),
    ]
