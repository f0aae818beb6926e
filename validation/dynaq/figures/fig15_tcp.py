"""Figure 15 over TCP: completion times by the load in a leaf-spine under schemes of ECN.

A line is the median of the readings and of the seeds; the bands are the ranges of the readings and of all seeds.
"""

from ...support.experiments import Kept
from ...support.tcp_figures import ALL_FLOWS, TcpFigure, compared, draw, published

__all__ = ["data", "draw", "published"]


def data() -> TcpFigure:
    """Read the kept result."""
    return compared(Kept.read("dynaq.fig15"), ALL_FLOWS)
