"""DynaQ paper, Figure 11(a), open loop: Jain's index of the active queues of eight, which stop one after the other.

Queue i offers 0.6 i times the link, as it has 2 i senders in the paper; queues 2 to 8 stop from 200 to 500 time units
in steps of 50. The port has 128 packets (192 KB) and WRR with equal weights. Senders do not react to drops.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtmodel.packet.dynaq.algorithm import DynaQ
from dtmodel.packet.dynaq.schemes import PQL, BestEffort, DynaQScheme, Scheme
from dtmodel.packet.schedulers import WeightedRoundRobin

from .series import fairness, throughputs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

M, BUFFER, SCALE = 8, 128, 2.0
LOADS = tuple(0.6 * i for i in range(1, M + 1))
STOPS = (700 * SCALE, *(SCALE * (200 + 50 * (i - 2)) for i in range(2, M + 1)))
ENDS = tuple(SCALE * 50 * n for n in range(1, 11))


@dataclass(frozen=True)
class Fairness:
    """Jain's index in each bin of time that ends at `ends`, by scheme."""

    ends: tuple[float, ...]
    index: Mapping[str, tuple[float, ...]]


def data() -> Fairness:
    """Return the fairness by scheme and bin, in the paper's milliseconds."""
    schemes: dict[str, Scheme] = {
        "BestEffort": BestEffort(BUFFER),
        "PQL": PQL((BUFFER // M,) * M),
        "DynaQ": DynaQScheme(DynaQ(BUFFER, (1,) * M)),
        "DynaQ, recheck": DynaQScheme(DynaQ(BUFFER, (1,) * M, admit="recheck")),
    }
    series = throughputs(schemes, WeightedRoundRobin((1,) * M), LOADS, STOPS, ENDS)
    return Fairness(tuple(end / SCALE for end in ENDS), fairness(series, STOPS))


def published(shown: Fairness) -> list[tuple[str, str, str]]:
    """Compare with what the text quotes."""
    return [
        ("BestEffort, least index (410 ms in the paper)", "0.67", f"{min(shown.index['BestEffort']):.2f} (open loop)")
    ]


def draw(shown: Fairness) -> Figure:
    """Draw a step for each scheme."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    for name, values in shown.index.items():
        axes.step((0.0, *shown.ends), (values[0], *values), label=name)
    axes.set_xlabel("time (the paper's ms)")
    axes.set_ylabel("Jain's index of active queues")
    axes.set_ylim(0, 1.05)
    axes.legend(fontsize="small")
    return figure
