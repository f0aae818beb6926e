"""Figure 20 over TCP: completion times of flows between random hosts, under DT and EDT.

A mark is the median of the readings and of the seeds; the bars are the ranges of the readings and of all seeds.
"""

from ...support.experiments import Kept
from ...support.tcp_figures import ALL_FLOWS, TcpFigure, compared, draw, published

__all__ = ["data", "draw", "published"]


def data() -> TcpFigure:
    """Read the kept result."""
    return compared(Kept.read("edt.fig20"), ALL_FLOWS)
