"""Figure 19 over TCP: completion times of flows that 15 hosts send to one at once, under DT and EDT.

A mark is the median of the readings and of the seeds; the bars are the ranges of the readings and of all seeds.
"""

from ...support.experiments import Kept
from ...support.tcp_figures import FLOWS, TcpFigure, compared, draw, published

__all__ = ["data", "draw", "published"]


def data() -> TcpFigure:
    """Read the kept result."""
    return compared(Kept.read("edt.fig19"), FLOWS)
