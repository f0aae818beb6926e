"""Figure 23 over TCP: completion times of flows under DT and EDT.

Half of the readings have a sample of the round trip from the handshake. A mark is the median of the readings of TCP and
of the seeds; the bars are the ranges of the readings and of all seeds.
"""

from ...support.experiments import Kept
from ...support.tcp_figures import FLOWS, TcpFigure, compared, draw, published

__all__ = ["data", "draw", "published"]


def data() -> TcpFigure:
    """Read the kept result."""
    return compared(Kept.with_handshake("edt.fig23"), FLOWS)
