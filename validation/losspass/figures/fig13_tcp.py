"""Figure 13 over TCP (with Figure 14): completion times with and without ECN, and with ECN*.

A mark is the median of the readings and of the seeds; the bars are the ranges of the readings and of all seeds.
"""

from ...support.experiments import Kept
from ...support.tcp_figures import ALL_FLOWS, TcpFigure, compared, draw, published

__all__ = ["data", "draw", "published"]


def data() -> TcpFigure:
    """Read the kept result."""
    return compared(Kept.read("losspass.fig13"), ALL_FLOWS)
