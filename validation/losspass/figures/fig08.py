"""What a guaranteed buffer costs, open loop: by the ratio alpha of B_l to K_l = 45 packets, at the testbed's port.

Left: lost packets by class at 70 % load, the same open-loop arrivals for every alpha; the paper's figure shows
completion times. A reserve of more than large flows hold when a query comes lets nothing be evicted, as Droptail-2Q.
Right: the largest instant burst, where marks hold Q_l at K_l + N and at a full port of which large flows hold 95 %;
dotted is ECN with the same threshold.

Claims: losspass.eq5, losspass.ours.reserve-burst.
"""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel.plot.style import Figure, policy_style
from dtmodel.theory.losspass.ecn import headroom
from dtmodel.theory.losspass.formulas import room_with_reserve

from .open_loop import Losses, losses
from .tradeoff import BUFFER, FLOWS, MTU, SHARE

LOAD, K = 0.7, 45
ALPHAS = tuple(Fraction(i, 5) for i in range(6))


@dataclass(frozen=True)
class FigureData:
    """Losses by alpha, and under Droptail-2Q; the bursts (bytes) by alpha, with marks and at a full port; ECN's."""

    losses: tuple[Losses, ...]
    droptail: Losses
    marked: tuple[Fraction, ...]
    full: tuple[Fraction, ...]
    ecn: Fraction


def data() -> FigureData:
    """Run the arrivals with each reserve."""
    held, reserves = (K + FLOWS) * MTU, [alpha * K * MTU for alpha in ALPHAS]
    small = (1 - SHARE) * BUFFER
    return FigureData(
        tuple(losses("intended", LOAD, int(alpha * K)) for alpha in ALPHAS),
        losses("droptail-2q", LOAD),
        tuple(room_with_reserve(BUFFER, Fraction(0), held, reserve) for reserve in reserves),
        tuple(room_with_reserve(BUFFER, small, BUFFER - small, reserve) for reserve in reserves),
        headroom(BUFFER, K * MTU, FLOWS, MTU),
    )


def draw(shown: FigureData) -> Figure:
    """Draw the losses and the bursts."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    alphas = [float(alpha) for alpha in ALPHAS]
    for kind, marker, style in (("small", "o", ":"), ("large", "s", "-.")):
        (line,) = left.plot(alphas, [point.percent(kind) for point in shown.losses], marker=marker, label=kind)
        left.axhline(shown.droptail.percent(kind), color=line.get_color(), ls=style, label=f"{kind}, Droptail-2Q")
    left.set(xlabel=r"guaranteed ratio $\alpha$", ylabel="lost packets (%)", ylim=(0, None))
    left.legend(frameon=False, fontsize="small")
    for bursts, label in ((shown.full, "full port, 95 % large"), (shown.marked, "with marks")):
        right.plot(alphas, [float(burst / 1000) for burst in bursts], marker="o", label=label)
    right.axhline(float(shown.ecn / 1000), **{**policy_style("ECN").drawn, "ls": ":"}, label="ECN, K = 45 packets")
    right.set(xlabel=r"guaranteed ratio $\alpha$", ylabel="absorbable burst (KB)", ylim=(0, 140))
    right.legend(frameon=False, fontsize="small", loc="lower left")
    return figure


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Compare with what the text says of the trend, and with ECN at alpha = 1."""
    lost = {kind: [f"{shown.losses[i].percent(kind):.1f}" for i in (0, -1)] for kind in ("small", "large")}
    return [
        ("large flows, alpha from 0 to 1", "improve", " to ".join(lost["large"]) + " % lost"),
        ("small flows, alpha from 0 to 1", "degrade more", " to ".join(lost["small"]) + " % lost"),
        ("burst with marks, alpha = 1 (KB)", "", f"{float(shown.marked[-1] / 1000):g}"),
        ("burst under ECN (KB)", "", f"{float(shown.ecn / 1000):g}"),
    ]
