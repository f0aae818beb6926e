"""Head-of-line blocking: five input queues with packets for output 1 in front keep outputs 2 to 5 idle.

Behind each head stands a packet for another output. In a slot an input sends at most one packet and an output takes at
most one; a number says which input the packet comes from. (a) First in, first out. (b) Any packet of a queue may go.

Claims: edt.fig1.head-of-line.
"""

from dataclasses import dataclass

from dtmodel.plot.style import PALETTE, Figure

PORTS = 5
Sent = dict[tuple[int, int], int]
"""By slot and output: the input whose packet left."""


@dataclass(frozen=True)
class FigureData:
    """What left in each slot, with input queues and without blocking."""

    sent: dict[str, Sent]


def slots(*, blocking: bool) -> Sent:
    """Empty the queues: each output in turn takes from the first input that has sent nothing in this slot."""
    waiting = {source: [1, source] for source in range(1, PORTS + 1)}
    sent: Sent = {}
    slot = 0
    while any(waiting.values()):
        slot += 1
        idle = set(waiting)
        for output in range(PORTS, 0, -1):  # output 1, which all want, takes what is left
            able = [s for s in sorted(idle) if output in (waiting[s][:1] if blocking else waiting[s])]
            if able:
                sent[slot, output] = able[0]
                waiting[able[0]].remove(output)
                idle.discard(able[0])
    return sent


def data() -> FigureData:
    """Empty the queues in both ways."""
    return FigureData({"(a) input queues": slots(blocking=True), "(b) without blocking": slots(blocking=False)})


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Compare with the ports that the text calls blocked: 2, 3, 4 and 5."""
    first = {name: [output for slot, output in sent if slot == 1] for name, sent in shown.sent.items()}
    blocked, free = (PORTS - len(outputs) for outputs in first.values())
    return [("outputs without a packet in slot 1", "4", str(blocked)), ("the same, without blocking", "", str(free))]


def draw(shown: FigureData) -> Figure:
    """Draw a square for each packet that left, by slot and output."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    figure = Figure(figsize=(9, 3.4), layout="constrained")
    last = max(slot for sent in shown.sent.values() for slot, _ in sent)
    for axes, (name, sent) in zip(figure.subplots(1, 2, sharey=True), shown.sent.items(), strict=True):
        for (slot, output), source in sent.items():
            axes.add_patch(Rectangle((slot - 0.45, output - 0.45), 0.9, 0.9, fc=PALETTE[5], ec="black"))
            axes.annotate(str(source), (slot, output), ha="center", va="center")
        axes.set(title=name, xlabel="slot", xlim=(0.4, last + 0.6), xticks=range(1, last + 1))
        axes.set(ylim=(0.4, PORTS + 0.6), yticks=range(1, PORTS + 1))
        axes.plot([], [], "s", ms=11, mfc=PALETTE[5], mec="black", label="a packet, by its input")
        axes.spines[["top", "right"]].set_visible(False)
    figure.axes[0].set_ylabel("output")
    figure.axes[1].legend(frameon=False, fontsize="small", loc="upper right")
    return figure
