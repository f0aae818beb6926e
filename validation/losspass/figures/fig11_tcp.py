"""Figure 11 over TCP (with Figure 12): losses and completion times by the load in a leaf-spine without ECN.

A line is the median of the readings and of the seeds; the bands are the ranges of the readings and of all seeds.
"""

from ...support.experiments import Kept
from ...support.tcp_figures import FLOWS, TcpFigure, compared, draw, of_class, published

__all__ = ["data", "draw", "published"]


def data() -> TcpFigure:
    """Read the kept result."""
    lost = {
        f"lost, {size} (%)": of_class("loss", part, 100) for part, size in ((0, "below 0.1 MB"), (2, "above 10 MB"))
    }
    return compared(Kept.read("losspass.fig11"), lost | FLOWS)
