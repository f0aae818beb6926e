r"""The theorems about ECN and LossPass as objects: mathematics in Jupyter, text in a terminal.

Source: LossPass paper, Section 3.3, and own theorems; the claims named by each id hold the proofs.
"""

from __future__ import annotations

from dtmodel.theory import citations
from dtmodel.theory.statement import Case, Statement, Symbol

__all__ = ["BURST", "BURST_IN_PACKETS", "EXACT_CONDITION", "LINE_RATE", "SAME_SIZE", "UTILISATION", "statements"]

_B = Symbol("B", "port buffer", "bytes")
_K = Symbol("K", "marking threshold", "bytes")
_N = Symbol("N", "large flows")
_A = Symbol("a", "packet by which a window grows", "bytes")
_D = Symbol("D", r"bandwidth-delay product, $C \cdot RTT$", "bytes")
_TAU = Symbol(r"\tau", "share of the buffered bytes that belongs to large flows")
_RESERVE = Symbol("B_l", "reserve of the large queue", "bytes")
_BETA = Symbol(r"\beta", r"share of its window that a marked sender gives up ($1/2$, or $\alpha/2$ for DCTCP)")

_WINDOWS = (
    "$N$ synchronised windows grow by one packet of $a$ bytes a round trip",
    "a mark is obeyed one round trip later",
    "$K + N a \\le B$",
)

EXACT_CONDITION = Statement(
    "losspass.ours.exact-condition",
    "When LossPass absorbs a larger burst than ECN",
    (_B, _K, _N, _A, _TAU, _RESERVE),
    ("$K + N a \\le B$ and $B_l \\le \\tau B$", "ECN at its longest queue, LossPass at a full port, instant bursts"),
    (r"$\mu_{LP} > \mu_{ECN}$ iff $K + N a > (1 - \tau) B + B_l$",),
    source="Own theorem, correcting LossPass paper, Section 3.3",
    bibtex=citations.LOSSPASS,
)

BURST = Statement(
    "losspass.ours.reserve-burst",
    "The burst that LossPass absorbs, in the fluid limit",
    (
        _B,
        _RESERVE,
        Symbol("Q_s, Q_l", "lengths of the queues", "bytes"),
        Symbol("R, C", "burst and line rate", "bytes/s"),
    ),
    ("packets are infinitely small", "strict priority, small flows first"),
    (
        r"an instant burst brings $\mu = B - Q_s - \min\{Q_l, B_l\}$, for a full port without reserve $B \tau$",
        r"a burst of rate $R > C$ brings $\mu R/(R - C)$",
    ),
    source="Own theorem, generalising LossPass paper, equation (6)",
    bibtex=citations.LOSSPASS,
)

BURST_IN_PACKETS = Statement(
    "losspass.ours.burst-in-packets",
    "The burst that LossPass absorbs, in packets",
    (
        Symbol("s", "size of the burst's packets", "bytes"),
        Symbol("v_1, v_2, \\dots", "packets of the large queue, from the tail", "bytes"),
        Symbol("F", "free bytes", "bytes"),
    ),
    ("the burst is instant",),
    (
        r"$n_j = \lfloor (F + v_1 + \dots + v_j)/s \rfloor$ packets are absorbed",
        r"$j$ is the first number with $v_{j+1} < s$ or $Q_s + (n_j + 1) s > B - B_l$",
    ),
    source="Own theorem, generalising LossPass paper, equation (6)",
    bibtex=citations.LOSSPASS,
)

LINE_RATE = Statement(
    "losspass.ours.line-rate",
    "Line rate under ECN",
    (_D, _K, _N, _A, _BETA),
    _WINDOWS,
    (r"the link is never idle iff $K + N a \ge \frac{\beta}{1 - \beta} D$",),
    (Case(r"$\beta = 1/2$", (r"iff $K \ge D - N a$",)),),
    source="Own theorem, correcting LossPass paper, Section 3.3",
    bibtex=citations.LOSSPASS,
)

UTILISATION = Statement(
    "losspass.ours.utilisation",
    "Link utilisation under ECN",
    (_D, _K, _N, _A, _BETA),
    (*_WINDOWS, r"$W = D + K + N a$, $m = (1 - \beta) W < D$"),
    (),
    (
        Case("windows grow once a base round trip", (r"$U = 1 - \frac{(D - m)^2}{2 D (W - m)}$",)),
        Case("windows grow once an actual round trip", (r"$U = 1 - \frac{(D - m)^2}{W^2 + D^2 - 2 D m}$",)),
    ),
    source="Own theorem",
    bibtex=citations.LOSSPASS,
)

SAME_SIZE = Statement(
    "losspass.ours.same-size",
    "LossPass and tail drop on packets of one size",
    (_B, _RESERVE),
    (
        "all packets have one size",
        "both ports see the same arrivals and service opportunities",
        "their schedulers are work-conserving, and may differ",
    ),
    (
        "both ports hold equally many packets at all times, so they send and lose equally many",
        "a small packet that LossPass loses is lost by tail drop",
        "a large packet that tail drop loses is lost by LossPass",
        "as many large packets are lost in addition as small ones are saved, each at the same arrival",
    ),
    source="Own theorem",
    bibtex=citations.LOSSPASS,
)


def statements() -> tuple[Statement, ...]:
    """Return the statements of this module.

    Examples
    --------
    >>> [statement.id.rsplit(".", 1)[1] for statement in statements()]
    ['exact-condition', 'reserve-burst', 'burst-in-packets', 'line-rate', 'utilisation', 'same-size']
    """
    return EXACT_CONDITION, BURST, BURST_IN_PACKETS, LINE_RATE, UTILISATION, SAME_SIZE
