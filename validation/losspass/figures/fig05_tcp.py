"""Figure 5 over TCP: queries beside two flows that last, with LossPass and with ECN.

A mark is the median of the readings of TCP and of the seeds; the bars are the ranges of the readings and of all seeds.
"""

from ...support.experiments import Kept
from ...support.tcp_figures import QUERIES, TcpFigure, compared, draw, published

__all__ = ["data", "draw", "published"]


def data() -> TcpFigure:
    """Read the kept result."""
    return compared(Kept.read("losspass.fig5"), QUERIES)
