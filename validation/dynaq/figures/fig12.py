"""DynaQ paper, Figure 12, open loop: as Figure 11 at 100 Gbps, with 1 MB for frames of 9 KB.

Queue i offers 1.2 i times the link, as it has 2 i senders in the paper; queues 2 to 8 stop from 200 to 500 time units
in steps of 50. The port has 111 packets and WRR with equal weights. Senders do not react to drops: what BestEffort and
PQL lose when queues stop needs windows that react.

Claims: dynaq.sec5.2.1.fig12.
"""

from dtmodel.plot.style import Figure

from . import stopping_queues
from .stopping_queues import M, Quoted, Sharing, sharing

BUFFER = 111
LOADS = tuple(1.2 * i for i in range(1, M + 1))
QUOTED = (Quoted("utilisation", "BestEffort", 0.908, (500, 500)),)


def data() -> Sharing:
    """Return index and total by scheme and bin."""
    return sharing(BUFFER, LOADS)


def draw(shown: Sharing) -> Figure:
    """Draw index and total by time, and what the text quotes of closed-loop senders."""
    return stopping_queues.draw(shown, QUOTED)


def published(shown: Sharing) -> list[tuple[str, str, str]]:
    """Compare with what the text quotes of closed-loop senders."""
    return [
        ("BestEffort, least index", "less than 1", f"{shown.least('BestEffort', 600):.2f}"),
        ("DynaQ, least index", "near 1", f"{shown.least('DynaQ', 600):.2f}"),
        ("BestEffort at 500 ms (parts of C)", "0.908", f"{shown.total['BestEffort'][10]:.3f}"),
    ]
