"""DynaQ paper, Figure 11, open loop: Jain's index of the active queues of eight, which stop one after the other.

Queue i offers 1.2 i times the link, as it has 2 i senders in the paper; queues 2 to 8 stop from 200 to 500 time units
in steps of 50. The port has 128 packets (192 KB) and WRR with equal weights. Senders do not react to drops: that PQL
loses throughput when queue 1 is alone needs windows that react.

Claims: dynaq.sec5.2.1.fig11, dynaq.sec5.2.1.pql-85.
"""

from dtmodel.plot.style import Figure

from . import stopping_queues
from .stopping_queues import M, Quoted, Sharing, sharing

BUFFER = 128
LOADS = tuple(1.2 * i for i in range(1, M + 1))
QUOTED = (
    Quoted("fairness", "BestEffort", 0.67, (410, 410)),
    Quoted("utilisation", "PQL, queue 1 alone", 0.85, (500, 600)),
)


def data() -> Sharing:
    """Return index and total by scheme and bin."""
    return sharing(BUFFER, LOADS)


def draw(shown: Sharing) -> Figure:
    """Draw index and total by time, and what the text quotes of closed-loop senders."""
    return stopping_queues.draw(shown, QUOTED)


def published(shown: Sharing) -> list[tuple[str, str, str]]:
    """Compare with what the text quotes of closed-loop senders."""
    return [
        ("BestEffort, least index (at 410 ms in the paper)", "0.67", f"{shown.least('BestEffort', 600):.2f}"),
        ("DynaQ, least index", "near 1", f"{shown.least('DynaQ', 600):.2f}"),
        ("PQL, queue 1 alone (parts of C)", "0.85", f"{shown.total['PQL'][-1]:.2f}"),
    ]
