"""Figure 10 over TCP: completion times with four queues of DRR, at a load of 60 %.

A mark is the median of the readings of TCP and of the seeds; the bars are the ranges of the readings and of all seeds.
"""

from ...support.experiments import Kept
from ...support.tcp_figures import FLOWS, TcpFigure, compared, draw, published

__all__ = ["data", "draw", "published"]


def data() -> TcpFigure:
    """Read the kept result."""
    return compared(Kept.read("dynaq.fig10"), FLOWS)
