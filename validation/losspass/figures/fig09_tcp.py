"""Figure 9 over TCP: completion times by the load in a leaf-spine, web search.

A line is the median of the readings and of the seeds; the bands are the ranges of the readings and of all seeds.
"""

from ...support.experiments import Kept
from ...support.tcp_figures import FLOWS, TcpFigure, compared, draw, published

__all__ = ["data", "draw", "published"]


def data() -> TcpFigure:
    """Read the kept result."""
    return compared(Kept.read("losspass.fig9"), FLOWS)
