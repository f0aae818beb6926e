"""Figure 4 over TCP: mean lengths of the two active queues.

A mark is the median of the readings of TCP and of the seeds; the bars are the ranges of the readings and of all seeds.
"""

from ...support.experiments import Kept
from ...support.tcp_figures import LENGTHS, TcpFigure, compared, draw, published

__all__ = ["data", "draw", "published"]


def data() -> TcpFigure:
    """Read the kept result."""
    return compared(Kept.read("dynaq.fig4"), LENGTHS)
