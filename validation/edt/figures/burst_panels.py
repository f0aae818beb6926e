"""The switch of Section 5.1 in the fluid and packet engines, and what its figures measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dtmodel import DT, EDT, Arrivals, Switch, simulate
from dtmodel.fluid import Run
from dtmodel.packet.arrivals import constant
from dtmodel.packet.engine import PacketRun, run_packets
from dtmodel.plot.style import Axes, Figure
from dtmodel.policies.edt_circuit import READINGS, CircuitSettings, EdtPolicy
from dtmodel.theory.edt import formulas as edt_formulas

MS = Fraction(1, 1000)
ALPHA, B, C, P = Fraction(1), Fraction(1_000_000), Fraction(125_000_000), 16
CN2: Fraction = edt_formulas.cn2_paper(ALPHA, B, P)
TM2 = 10 * MS
TM1: Fraction = edt_formulas.tm1_paper(ALPHA, P, TM2)
SIZE = 1500.0


@dataclass(frozen=True)
class Traffic:
    """Traffic of rate 2 C to one port: from `start` for `duration` (None: for ever), in seconds; or steady before 0."""

    start: Fraction = Fraction(0)
    duration: Fraction | None = None
    steady: bool = False

    def arrivals(self) -> Arrivals:
        """Make the fluid arrivals."""
        return Arrivals.burst(2 * C, self.duration, self.start) if self.duration else Arrivals([(self.start, 2 * C)])


def fluid(policy: str, traffic: Sequence[Traffic], until: Fraction) -> Run[Fraction]:
    """Run ``"dt"`` or ``"edt"`` exactly."""
    chosen = DT(ALPHA) if policy == "dt" else EDT(ALPHA, CN2, TM1, TM2)
    arrivals = {port: each.arrivals() for port, each in enumerate(traffic)}
    steady = {port: "steady" for port, each in enumerate(traffic) if each.steady}
    return simulate(Switch(P, B, C), chosen, arrivals, until=until, initial=steady)


def packets(
    policy: str, traffic: Sequence[Traffic], until: Fraction, *, sample: float | None = None, cn2: Fraction = CN2
) -> PacketRun:
    """Run ``"dt"`` or a reading of the EDT state machine with packets of 1500 bytes."""
    buffer, rate, ports = float(B), float(C), len(traffic)
    settings = CircuitSettings(
        float(ALPHA), 3, float(cn2), float(TM1), float(TM2), READINGS.get(policy, READINGS["circuit"])
    )
    chosen = DT(ALPHA) if policy == "dt" else EdtPolicy(settings, ports, buffer)
    held = int(ALPHA * B / (1 + ALPHA * sum(each.steady for each in traffic)) / int(SIZE))
    streams = [
        constant(2 * rate, SIZE, start=float(t.start), stop=float(t.start + t.duration) if t.duration else None)
        for t in traffic
    ]
    initial = [[SIZE] * held if each.steady else [] for each in traffic]
    return run_packets(
        buffer=buffer,
        rates=[rate] * ports,
        policy=chosen,
        streams=streams,
        until=float(until),
        initial=initial,
        sample=sample,
    )


def jain(values: Sequence[Any]) -> Any:
    """Jain's index of fairness: (sum x)^2 / (n sum x^2)."""
    return sum(values) ** 2 / (len(values) * sum(value * value for value in values))


def mean_length(result: Run[Fraction], port: int, begin: Fraction, end: Fraction) -> Fraction:
    """The mean length of a queue between two instants, exactly."""
    queue = result.queue(port)
    times = [begin, *(t for t in queue.breakpoints if begin < t < end), end]
    area = sum(((queue.at(a) + queue.at(b)) / 2 * (b - a) for a, b in pairwise(times)), Fraction(0))
    return area / (end - begin)


def mean_while_busy(result: Run[Fraction], port: int) -> Fraction:
    """The mean length of a queue over the time in which it is not empty, exactly."""
    queue = result.queue(port)
    busy = [(a, b) for a, b in pairwise(queue.breakpoints) if queue.at(a) > 0 or queue.at(b) > 0]
    area = sum(((queue.at(a) + queue.at(b)) / 2 * (b - a) for a, b in busy), Fraction(0))
    return area / sum((b - a for a, b in busy), Fraction(0))


def lengths_while_busy(result: PacketRun, port: int) -> list[float]:
    """The sampled lengths of a packet queue that are not 0."""
    return [float(lengths[port]) for _, lengths in result.samples if lengths[port] > 0]


def trajectory(result: Run[Fraction], port: int) -> tuple[list[float], list[float]]:
    """Times in ms and lengths in KB at the corners of a queue's trajectory."""
    times = result.queue(port).breakpoints
    return [float(t / MS) for t in times], [float(result.queue(port).at(t)) / 1000 for t in times]


def panels(count: int, title: str) -> tuple[Figure, list[Axes]]:
    """Make a figure with panels side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.2 * count, 4.0), layout="constrained")
    figure.suptitle(title)
    return figure, list(figure.subplots(1, count, squeeze=False)[0])


def axes_of(axes: Axes, labels: Mapping[str, str]) -> None:
    """Label the axes, start them at 0, and put the legend where there is room."""
    axes.set(**labels)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize="small")
