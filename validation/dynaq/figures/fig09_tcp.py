"""Figure 9 over TCP: completion times by the load under schemes of ECN, with a queue of strict priority.

A line is the median of the readings and of the seeds; the bands are the ranges of the readings and of all seeds.
"""

from ...support.experiments import Kept
from ...support.tcp_figures import ALL_FLOWS, TcpFigure, compared, draw, published

__all__ = ["data", "draw", "published"]


def data() -> TcpFigure:
    """Read the kept results."""
    return compared(Kept.with_handshake("dynaq.fig9"), ALL_FLOWS)
