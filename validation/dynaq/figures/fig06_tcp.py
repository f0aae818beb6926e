"""Figure 6 over TCP: throughput of four queues of weights 4, 3, 2 and 1.

A line is the median of the readings of TCP and of the seeds; the bands are the ranges of the readings and of all seeds.
"""

from ...support.tcp_figures import TcpFigure, draw, over_time, published

__all__ = ["data", "draw", "published"]


def data() -> TcpFigure:
    """Read the kept result."""
    return over_time("dynaq.fig6")
