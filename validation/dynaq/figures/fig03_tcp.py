"""Figure 3 over TCP: throughput of two active queues of four of equal weight.

A line is the median of the readings of TCP and of the seeds; the bands are the ranges of the readings and of all seeds.
"""

from ...support.tcp_figures import TcpFigure, draw, over_time, published

__all__ = ["data", "draw", "published"]


def data() -> TcpFigure:
    """Read the kept result."""
    return over_time("dynaq.fig3")
