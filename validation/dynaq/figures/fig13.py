"""DynaQ paper, Figure 13, open loop: as Figure 12, with 2^(3+i) senders in queue i, 2,048 in queue 8.

A sender offers 0.07 of the link, so that queue 1 fills it alone; a ms stands for one packet time. The port has 111
packets and WRR with equal weights. Senders do not react to drops.

Claims: dynaq.sec5.2.1.fig13, dynaq.sec5.2.1.jain-024.
"""

from dtmodel.plot.style import Figure

from . import stopping_queues
from .stopping_queues import M, Quoted, Sharing, sharing

BUFFER = 111
LOADS = tuple(0.07 * 2 ** (3 + i) for i in range(1, M + 1))
QUOTED = (
    Quoted("fairness", "BestEffort", 0.24, (0, 200)),
    Quoted("utilisation", "PQL, below it", 0.945, (500, 600)),
)


def data() -> Sharing:
    """Return index and total by scheme and bin."""
    return sharing(BUFFER, LOADS, scale=1.0)


def draw(shown: Sharing) -> Figure:
    """Draw index and total by time, and what the text quotes of closed-loop senders."""
    return stopping_queues.draw(shown, QUOTED)


def published(shown: Sharing) -> list[tuple[str, str, str]]:
    """Compare with what the text quotes of closed-loop senders."""
    return [
        ("BestEffort, index in the first 200 ms", "0.24", f"{shown.least('BestEffort', 200):.2f}"),
        ("DynaQ, least index", "near 1", f"{shown.least('DynaQ', 600):.2f}"),
        ("PQL from 500 ms on (parts of C)", "below 0.945", f"{shown.total['PQL'][-1]:.3f}"),
    ]
