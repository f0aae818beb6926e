r"""DynaQ's statements, and ours about Algorithm 1, as mathematics: what is assumed, what holds, where it comes from.

The exact numbers are in `dtmodel.theory.dynaq`, the verdicts in the ledger under the same ids.

Examples
--------
>>> print(refused_queue_deficit.conclusions[0])
$S_{p} - T_{p} \leq \left(-1 + M\right) \left(L - g\right)$
"""

from __future__ import annotations

from dtmodel.theory import citations
from dtmodel.theory.dynaq import equations as formulas
from dtmodel.theory.statement import Case, Statement, Symbol

__all__ = [
    "active_queues_together",
    "conditions",
    "invariants",
    "one_active_queue",
    "refused_queue_deficit",
    "repair",
    "weighted_thresholds",
]

SYMBOLS = (
    Symbol("M", "number of service queues of the port"),
    Symbol("B", "port buffer", "bytes"),
    Symbol("C", "link capacity", "bytes/s"),
    Symbol("RTT", "base round-trip time", "s"),
    Symbol("w_i", "weight of queue $i$"),
    Symbol("T_i", "dropping threshold of queue $i$", "bytes"),
    Symbol("q_i", "length of queue $i$", "bytes"),
    Symbol("S_i", "satisfaction threshold of queue $i$", "bytes"),
    Symbol("p, v", "the queue of the arriving packet $P$, and the victim"),
    Symbol("L, g", "the packet size, and what every packet size is a multiple of", "bytes"),
)

_PAPER = "DynaQ paper, "
_OURS = "own theorem, on DynaQ paper, Algorithm 1"

weighted_thresholds = Statement(
    "dynaq.eq4",
    "Weighted BDP and thresholds",
    SYMBOLS,
    (r"$w_i > 0$",),
    (
        f"${formulas.latex(formulas.weighted_bdp_equation())}$",
        f"${formulas.latex(formulas.initial_threshold())}$",
        f"${formulas.latex(formulas.extra_buffer_equation())}$",
        f"${formulas.latex(formulas.satisfaction_threshold())}$",
        r"$S_i > WBDP_i$ for every queue if and only if $B > C \times RTT$",
    ),
    source=_PAPER + "equations (1) to (4)",
    bibtex=citations.DYNAQ,
)

conditions = Statement(
    "dynaq.ours.joint",
    "The conditions for fair sharing and work conservation",
    SYMBOLS,
    ("one window that is halved whenever the buffer is full; open-loop traffic needs one packet of buffer",),
    (
        r"$\mu_i = \min(\lambda_i, \alpha_i)$ while queue $i$ is empty, and $\mu_i = \alpha_i$ while it is not",
        f"fair sharing: ${formulas.latex(formulas.fair_sharing())}$",
        f"work conservation: ${formulas.latex(formulas.work_conservation())}$",
        r"lengths that satisfy both at one instant fit into the buffer if and only if $B \geq C \times RTT$",
        "an empty port violates the second",
    ),
    source=_PAPER + "equations (5) to (7), corrected",
    bibtex=citations.DYNAQ,
)

invariants = Statement(
    "dynaq.ours.active-satisfied",
    "What Algorithm 1 keeps",
    SYMBOLS,
    ("thresholds start at $T_i = S_i$",),
    (
        r"$\sum_i T_i = B$ and $T_i \geq 0$",
        r"$q_i > 0$ and $T_i \geq S_i$: the step leaves $T_i \geq S_i$",
        r"$q_i > 0$ and $T_i < S_i$: the step does not lower $T_i$",
    ),
    source=_OURS,
    bibtex=citations.DYNAQ,
)

refused_queue_deficit = Statement(
    "dynaq.ours.deficit",
    "The deficit of a refused queue",
    SYMBOLS,
    (r"line 3 refuses a packet of $L$ bytes for queue $p$", r"every packet size is a multiple of $g$"),
    (f"${formulas.latex(formulas.deficit())}$", "with one packet size the queue is satisfied", "the bound is attained"),
    source=_OURS,
    bibtex=citations.DYNAQ,
)

one_active_queue = Statement(
    "dynaq.ours.alone",
    "One active queue",
    SYMBOLS,
    (r"line 3 refuses a packet of $L$ bytes for queue $p$", "all other queues are empty"),
    cases=(
        Case("equal weights", (r"$T_p > B - (M-1) L$",)),
        Case("any weights", (f"${formulas.latex(formulas.alone())}$, and not much more from the start",)),
    ),
    source=_OURS,
    bibtex=citations.DYNAQ,
)

active_queues_together = Statement(
    "dynaq.ours.together",
    "Several active queues",
    SYMBOLS,
    (r"the queues in $A$, $|A| \geq 2$, are active from the start, the others idle",),
    (f"${formulas.latex(formulas.together())}$",),
    source=_OURS,
    bibtex=citations.DYNAQ,
)

repair = Statement(
    "dynaq.ours.repair",
    "The smallest repair of line 2",
    SYMBOLS,
    (r"$v$ is sought among $i \neq p$ with $T_i \geq L$ and ($q_i = 0$ or $T_i - L \geq S_i$)",),
    (
        r"a packet is refused only if every other empty queue has less than $L$ of threshold left",
        r"$\sum_i T_i = B$, $T_i \geq 0$, the satisfaction of active queues and $S_p - T_p < (M-1)L$ remain",
    ),
    source=_OURS,
    bibtex=citations.DYNAQ,
)
