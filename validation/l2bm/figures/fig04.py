"""Ingress queues under different congestion: equal at first, one empties three times as fast as the other.

Two ingress queues hold 6 packets each at time 0: one's lie in an idle output, the other's behind 12 of a third ingress
queue in a congested one; both get a packet every other packet time. DT gives both one threshold; L2BM's recorder sees
that the second queue's packets stay longer, and gives it less. B = 60 packets, alpha = 1/2.

Claims: l2bm.fig4, l2bm.sec3b.same-length, l2bm.eq1, l2bm.eq2, l2bm.eq3, l2bm.eq4.
"""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel.packet.l2bm.switch import PortPacket, passages
from dtmodel.plot.style import PALETTE, Figure

from ...support.l2bm.ingress import IngressPacket, Moment, ingress_moments

ONE = Fraction(1)
BUFFER, ALPHA, HELD, BEHIND, UNTIL = Fraction(60), Fraction(1, 2), 6, 12, 24
QUEUES = ("to an idle output", "to a congested output")


@dataclass(frozen=True)
class FigureData:
    """What each arrival at the two queues met, under each policy, and when the first packets of each were gone."""

    moments: dict[str, dict[int, tuple[Moment, ...]]]
    empty: tuple[Fraction, Fraction]


def arrivals() -> list[IngressPacket]:
    """The packets at time 0, the third queue's first, and one for each of the two every other packet time."""
    start = [IngressPacket(ONE * 0, 2, 1, ONE)] * BEHIND
    start += [IngressPacket(ONE * 0, queue, queue, ONE) for _ in range(HELD) for queue in (0, 1)]
    return start + [IngressPacket(Fraction(t), queue, queue, ONE) for t in range(1, UNTIL, 2) for queue in (0, 1)]


def data() -> FigureData:
    """Run both policies on the same packets."""
    packets = arrivals()
    moments = {}
    for name, policy in (("DT", "dt"), ("L2BM", "l2bm")):
        found = ingress_moments(BUFFER, ALPHA, [ONE, ONE], packets, ingress_queues=3, policy=policy, reading="clocked")
        pairs = list(zip(packets, found, strict=True))
        moments[name] = {queue: tuple(m for p, m in pairs if p.ingress == queue and p.time) for queue in (0, 1)}
    near, far = (passages([PortPacket(ONE * 0, ONE)] * count, ONE)[-1].end for count in (HELD, BEHIND + HELD))
    return FigureData(moments, (near, far))


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Compare with Section III-B: equal queues empty in different times, and the faster one gets more."""
    first = {name: [float(moments[queue][0].threshold) for queue in (0, 1)] for name, moments in shown.moments.items()}
    empty = [str(time) for time in shown.empty]
    return [
        ("6 packets each are gone after (packet times)", "different times", ", ".join(empty)),
        ("first thresholds under DT (packets)", "equal", ", ".join(f"{x:.1f}" for x in first["DT"])),
        ("first thresholds under L2BM (packets)", "the first larger", ", ".join(f"{x:.1f}" for x in first["L2BM"])),
    ]


def draw(shown: FigureData) -> Figure:
    """Draw lengths, averages and thresholds at the arrivals of both queues."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.6), layout="constrained")
    lengths, stays, thresholds = figure.subplots(1, 3)
    for queue, label in enumerate(QUEUES):
        style = {"color": PALETTE[queue], "ls": ("-", "--")[queue], "marker": ("o", "s")[queue], "ms": 4}
        met = shown.moments["DT"][queue]
        times = [float(moment.time) for moment in met]
        lengths.plot([0.0, *times], [HELD, *(float(moment.lengths[queue]) for moment in met)], label=label, **style)
        stays.plot(times, [float(moment.true or 0) for moment in met], **style)
        for name, moments in shown.moments.items():
            filled = PALETTE[queue] if name == "L2BM" else "white"
            limits = [min(float(moment.threshold), float(BUFFER)) for moment in moments[queue]]
            thresholds.plot(times, limits, **style, mfc=filled, lw=policy_width(name), label=f"{name}, {label}")
    lengths.set(title="(a) ingress queues", ylabel="length (packets)")
    stays.set(title="(b) what their packets still stay", ylabel="average (packet times)")
    thresholds.set(title="(c) their thresholds, at most B", ylabel="threshold (packets)")
    for axes in figure.axes:
        axes.set(xlabel="time (packet times)", xlim=(0, UNTIL), ylim=(0, None))
        axes.spines[["top", "right"]].set_visible(False)
    handles, labels = thresholds.get_legend_handles_labels()
    figure.legend(handles, labels, frameon=False, fontsize="small", loc="outside lower center", ncols=4)
    return figure


def policy_width(name: str) -> float:
    """L2BM's lines are wide, DT's narrow with open marks."""
    return 1.8 if name == "L2BM" else 0.8
