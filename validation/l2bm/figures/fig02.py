"""How PFC works: a queue that passes its threshold asks for a pause, headroom takes what is in flight, and it resumes.

A lossless and a lossy port send a packet a slot to one output, which sends one a slot. The pool has 64 packets, alpha =
1/2 for both; the way to the sender takes 4 slots, its reaction 2. The lossless queue pauses above its threshold and
resumes 4 packets below it; its headroom is 2 C p + C r and a frame at either end. The lossy one loses what is above its
own threshold.

Claims: l2bm.fig2, l2bm.sec2a.resume, l2bm.ours.headroom.
"""

from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, pairwise
from typing import NamedTuple

from dtmodel.packet.pfc import Egress, Ingress, Link, PfcEvent, Pools, pfc_headroom, pool_steps
from dtmodel.plot.style import PALETTE, Figure

ONE = Fraction(1)
POOL, ALPHA, BELOW, SLOTS, LOSSY_UNTIL = Fraction(64), Fraction(1, 2), Fraction(4), 100, 55
LINK = Link(ONE, 4 * ONE, 2 * ONE, ONE, ONE, pause_frame=Fraction(0))
"""In packets and slots."""


class Slot(NamedTuple):
    """After a slot: both queues, the pausing threshold, what of the lossless queue lies in headroom, and its pause."""

    lossless: Fraction
    lossy: Fraction
    threshold: Fraction
    headroom: Fraction
    paused: bool


@dataclass(frozen=True)
class FigureData:
    """The slots, and how many packets each port lost."""

    slots: tuple[Slot, ...]
    lost: dict[str, int]


def data() -> FigureData:
    """Play the slots one by one: the sender stops so long after the queue asks as the way and the reaction take."""
    rdma = Ingress(ALPHA, lossless=True, headroom=pfc_headroom(LINK), resume_below=BELOW)
    pools = Pools(POOL, 9 * POOL, {"lossless": rdma, "lossy": Ingress(ALPHA)}, {"out": Egress()})
    late = int(2 * LINK.propagation + LINK.reaction)  # from the queue's state to the packets that it stopped
    coming: deque[PfcEvent] = deque()
    port = pool_steps(pools, (coming.popleft() for _ in count()))
    slots: list[Slot] = []
    lost, beyond, held = {"lossless": 0, "lossy": 0}, Fraction(0), Fraction(0)
    for slot in range(SLOTS):
        arriving = [] if slot >= late and slots[slot - late].paused else ["lossless"]
        arriving += ["lossy"] if slot < LOSSY_UNTIL else []
        now: list[PfcEvent] = [*(("arrive", source, "out", ONE) for source in arriving), ("depart", "out")]
        coming.extend(now)
        for event, step in zip(now, port, strict=False):
            if step.decision == "drop":
                lost[str(event[1])] += 1
            elif step.decision == "headroom":
                beyond += ONE
            elif step.ingress["lossless"] < held:  # a packet that leaves gives headroom back first
                beyond -= min(beyond, ONE)
            held = step.ingress["lossless"]
        threshold = ALPHA * (POOL - (held - beyond) - step.ingress["lossy"])
        slots.append(Slot(held, step.ingress["lossy"], threshold, beyond, "lossless" in step.paused))
    return FigureData(tuple(slots), lost)


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Compare with what the text says of lossless and lossy packets."""
    pauses = sum(not before.paused and after.paused for before, after in pairwise(shown.slots))
    ends = [after for before, after in pairwise(shown.slots) if before.paused and not after.paused]
    low = sum(slot.lossless <= max(Fraction(0), slot.threshold - BELOW) for slot in ends)
    return [
        ("lossless packets lost", "0", str(shown.lost["lossless"])),
        ("lossy packets lost", "those above the threshold", str(shown.lost["lossy"])),
        ("packets in headroom, at most", "", f"{max(slot.headroom for slot in shown.slots)} of {pfc_headroom(LINK)}"),
        ("pauses; resumed at or below the lower threshold", "all", f"{pauses}; {low} of {len(ends)}"),
    ]


def draw(shown: FigureData) -> Figure:
    """Draw both queues, the two thresholds and the pauses."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.2), layout="constrained")
    axes = figure.add_subplot()
    times = range(1, SLOTS + 1)
    lossless, lossy, thresholds, _, paused = (
        [float(value) for value in column] for column in zip(*shown.slots, strict=True)
    )
    axes.fill_between(times, 0, 1, where=paused, step="post", transform=axes.get_xaxis_transform(), color="0.9", lw=0,
                      label="paused")  # fmt: skip
    axes.step(times, lossless, where="post", color=PALETTE[0], lw=2, label="lossless queue")
    axes.step(times, lossy, where="post", color=PALETTE[1], ls="--", label="lossy queue")
    axes.step(times, thresholds, where="post", color="black", ls=":", lw=1.6, label="pausing threshold")
    resume = [max(0.0, threshold - float(BELOW)) for threshold in thresholds]
    axes.step(times, resume, where="post", color="black", ls="-.", lw=0.9, label="resuming threshold")
    used = [(time, slot) for time, slot in zip(times, shown.slots, strict=True) if slot.headroom]
    axes.vlines([time + 0.5 for time, _ in used], [float(slot.lossless - slot.headroom) for _, slot in used],
                [float(slot.lossless) for _, slot in used], color=PALETTE[3], lw=3, label="in headroom")  # fmt: skip
    axes.set(xlabel="time (slots)", ylabel="length (packets)", xlim=(0, SLOTS), ylim=(0, None))
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(frameon=False, fontsize="small", loc="outside lower center", ncols=3)
    return figure
