r"""What is proved about L2BM, as statements that render as mathematics.

Examples
--------
>>> print(least_weight.title)
Total weight of L2BM
"""

from __future__ import annotations

from dtmodel.theory import citations
from dtmodel.theory.statement import Case, Statement, Symbol

__all__ = ["against_dt", "bookkeeping", "first_drop_under_weights", "least_weight", "steady_thresholds"]

SYMBOLS = (
    Symbol("B", "shared buffer", "bytes"),
    Symbol("n", "active queues"),
    Symbol(r"\alpha", "control parameter"),
    Symbol(r"\tau_i", "average sojourn time of queue $i$", "s"),
    Symbol("C", "normaliser", "s"),
    Symbol("w_i", r"weight of queue $i$, $\alpha C / \tau_i$"),
    Symbol("W", r"total weight, $\sum_i w_i$"),
    Symbol("H", r"$\sum_i 1 / \tau_i$", "1/s"),
)

_POSITIVE = (r"$\alpha > 0$ and $\tau_i > 0$ for all $n \geq 1$ active queues",)
_SUM = (*_POSITIVE, r"$C = \sum_j \tau_j$, as in the paper")

steady_thresholds = Statement(
    id="l2bm.ours.steady-state",
    title="Steady state of any weights",
    symbols=SYMBOLS,
    assumptions=(r"every active queue lies on its threshold $T_i = w_i (B - \sum_j Q_j)$, $w_i > 0$",),
    conclusions=(
        r"$\sum_i Q_i = \frac{W B}{1 + W}$",
        r"$Q_i = T_i = \frac{w_i B}{1 + W}$",
        r"$\frac{B}{1 + W}$ stays free",
    ),
    source="L2BM paper, equations (5)-(9), for any weights",
    bibtex=citations.L2BM,
)

least_weight = Statement(
    id="l2bm.ours.least-weight",
    title="Total weight of L2BM",
    symbols=SYMBOLS,
    assumptions=_SUM,
    conclusions=(
        r"$w_i = \alpha (1 + \sum_{j \neq i} \tau_j / \tau_i) \geq \alpha$",
        r"$W \geq \alpha n^2$, with equality if and only if all $\tau_i$ are equal",
    ),
    source="own theorem, on the L2BM paper, equations (3) and (4)",
    bibtex=citations.L2BM,
)

against_dt = Statement(
    id="l2bm.ours.below-dt-steady",
    title="L2BM against DT with the same alpha, in steady state",
    symbols=SYMBOLS,
    assumptions=_POSITIVE,
    conclusions=(r"queue $i$ is below DT's threshold if and only if $C (1 + \alpha n) < \tau_i (1 + \alpha C H)$",),
    cases=(
        Case(
            r"$C = \sum_j \tau_j$, $n \geq 2$",
            ("the total occupancy exceeds DT's", "the fastest queue is above DT's threshold"),
        ),
        Case("$C = n / H$", ("the total occupancy is DT's",)),
        Case(r"$C = \min_j \tau_j$", ("the total occupancy is at most DT's, and no weight exceeds $\\alpha$",)),
    ),
    source="own theorem, on the L2BM paper, equations (8) and (9)",
    bibtex=citations.L2BM,
)

first_drop_under_weights = Statement(
    id="l2bm.ours.first-drop",
    title="First drop under any weights",
    symbols=(
        *SYMBOLS[:1],
        Symbol("w_i", "weight of queue $i$"),
        Symbol("C_i", "rate at which queue $i$ drains", "bytes/s"),
        Symbol("R_k", "rate of burst $k$", "bytes/s"),
        Symbol(r"\varphi", "rate at which the free buffer falls", "bytes/s"),
    ),
    assumptions=(
        r"queues $i \in S$ lie on their thresholds and stay offered at least $C_i$",
        r"bursts of rates $R_k > C_k$ begin at time 0 at empty queues and last",
    ),
    conclusions=(
        r"$\varphi + \sum_{i \in S} \min\{w_i \varphi, C_i\} = \sum_k (R_k - C_k)$ has one root $\varphi$",
        r"the first drop is at $\min_k \frac{w_k F_0}{R_k - C_k + w_k \varphi}$",
        r"$F_0 = \frac{B}{1 + \sum_{i \in S} w_i}$ is free before",
    ),
    source="own theorem; for equal weights Theorems 1 to 3 of the DT/EDT paper",
    bibtex=citations.L2BM,
)

bookkeeping = Statement(
    id="l2bm.ours.bookkeeping",
    title="What Algorithm 1 keeps",
    symbols=(
        Symbol("D_k", "when packet $k$ is due: its arrival plus its output queue's length over its rate", "s"),
        Symbol("a_k", "when packet $k$ departs", "s"),
        Symbol("t_{prev}", "the last arrival", "s"),
    ),
    conclusions=(r"$t_{total} = \sum_{present} (D_k - t_{prev}) + \sum_{departed} (D_k - a_k)$ on every trace",),
    source="own theorem, on the L2BM paper, Algorithm 1",
    bibtex=citations.L2BM,
)
