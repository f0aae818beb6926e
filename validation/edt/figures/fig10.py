"""Two curves of a queue: a sawtooth that rises while the port is overloaded, and one that changes between the states.

Whole packets in the circuit of Figure 9, a line of one packet a ms. Curve 1 is offered two packets a ms for as long as
it lasts; curve 2 gets three packets in every other 4 ms. C1 counts packets that leave one after the other, and reaches
cn1 = 3 in the second curve only.

Claims: edt.fig10.sawtooth, edt.fn8.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel.packet.edt.trace import run_trace
from dtmodel.plot.style import PALETTE, Figure

CN1, SERVED = 3, 16
Curve = tuple[tuple[Fraction, int], ...]


@dataclass(frozen=True)
class FigureData:
    """By curve: (time in ms, queue in packets) after each event, and how many packets left one after the other."""

    lengths: dict[str, Curve]
    successive: dict[str, int]


def events(arrivals: Sequence[Fraction]) -> list[list[Any]]:
    """List arrivals, and departures while a packet is there: one in each ms, at its end."""
    coming = sorted(arrivals)
    made: list[tuple[Fraction, list[Any]]] = [(time, ["arrive", str(time), 1, 1]) for time in coming]
    free = Fraction(0)
    for time in coming:
        free = max(free, time) + 1
        made.append((free, ["depart", str(free), 1]))
    return [event for time, event in sorted(made, key=lambda item: (item[0], item[1][0] == "arrive")) if time <= SERVED]


def data() -> FigureData:
    """Run both curves through the circuit."""
    steady = [Fraction(0), *(Fraction(2 * k + 1, 4) for k in range(2 * SERVED))]
    changing = [Fraction(4 * k) + Fraction(n, 4) for k in range(SERVED // 4) for n in range(3)]
    lengths, successive = {}, {}
    for name, arrivals in (("curve 1: overloaded", steady), ("curve 2: changing", changing)):
        listed = events(arrivals)
        request = {"algorithm": "edt", "ports": 1, "buffer": 99, "alpha": 1, "cn1": CN1, "cn2": 50, "events": listed}
        steps = run_trace(request)["steps"]
        queue = [int(step["ports"][0]["queue"]) for step in steps]
        lengths[name] = tuple((Fraction(event[1]), length) for event, length in zip(listed, queue, strict=True))
        successive[name] = longest([str(event[0]) for event in listed])
    return FigureData(lengths, successive)


def longest(kinds: Sequence[str]) -> int:
    """The most departures without an arrival between them."""
    most = run = 0
    for kind in kinds:
        run = run + 1 if kind == "depart" else 0
        most = max(most, run)
    return most


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Compare with Section 4.4: usually one packet leaves before the next arrives, and cn1 = 3 sees the pause."""
    first, second = shown.successive.values()
    return [
        ("packets that leave one after the other, overloaded", "1", str(first)),
        ("the same, changing: C1 reaches cn1 =", str(CN1), str(second)),
    ]


def draw(shown: FigureData) -> Figure:
    """Draw both curves as steps."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 3.8), layout="constrained")
    axes = figure.add_subplot()
    for number, (name, points) in enumerate(shown.lengths.items()):
        times = [0.0, *(float(time) for time, _ in points)]
        axes.step(times, [0, *(length for _, length in points)], where="post", color=PALETTE[number],
                  ls=("-", "--")[number], label=name)  # fmt: skip
    axes.set(xlabel="time (ms)", ylabel="queue (packets)", xlim=(0, SERVED), ylim=(0, None))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize="small", loc="upper left")
    return figure
