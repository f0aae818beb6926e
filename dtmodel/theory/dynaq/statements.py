"""DynaQ's equations, the schemes beside it, and ours about Algorithm 1, as objects to compute with and to read.

The exact numbers are in `dtmodel.theory.dynaq`, the verdicts in the ledger under the same ids.

>>> refused_queue_deficit.conclusions
(deficit <= (L - g)*(M - 1),)
>>> weighted_thresholds.evaluate(B="85 KB", C="1 Gbps", RTT="500 us", w_i=1, W=4, T_i="20 KB").margin
Fraction(5625, 1)
"""

from typing import Any

from dtmodel.theorems.operations import least, rounded_down
from dtmodel.theorems.quantities import Symbol
from dtmodel.theorems.statement import Branch, Formula, Statement
from dtmodel.theorems.writing import searched
from dtmodel.theory.dynaq import formulas, schemes
from dtmodel.theory.dynaq.runs import output_rates, quotas

_M = Symbol("M", "number of service queues of the port", domain="number")
_B = Symbol("B", "port buffer", "bytes")
_C = Symbol("C", "link capacity", "bytes/s")
_RTT = Symbol("RTT", "base round-trip time", "s")
_W_I = Symbol("w_i", "weight of queue $i$")
_W = Symbol(searched(sum, "w"), "sum of the weights", name="W")
_WBDP = Symbol("WBDP_i", "weighted bandwidth-delay product of queue $i$", "bytes")
_T_I = Symbol("T_i", "dropping threshold of queue $i$", "bytes", "nonnegative")
_S_I = Symbol("S_i", "satisfaction threshold of queue $i$", "bytes")
_LAMBDA = Symbol(r"\lambda", "coefficient of the transport: 1 for ECN*, 0.17 for DCTCP", name="lam")
_P = Symbol("p, v", "the queue of the arriving packet $P$, and the victim", name="p")
_L = Symbol("L", "the packet size", "bytes")
_G = Symbol("g", "common divisor of all packet sizes", "bytes")
_S_P = Symbol("S_p", "satisfaction threshold of queue $p$", "bytes")
_T_P = Symbol("T_p", "dropping threshold of queue $p$", "bytes", "nonnegative")
_DEFICIT = Symbol("S_p - T_p", "by how much the queue is below its satisfaction threshold", "bytes", "real", "deficit")

_PAPER = "DynaQ paper, "
_OURS = "own theorem, on DynaQ paper, Algorithm 1"
_ALGORITHM = "Algorithm 1 moves thresholds from packet to packet; dtmodel.trace runs it"
_WINDOW = "it speaks of a sender's window, which no run has"
_MARKS = "it speaks of marked packets, which no run has"


def _part_of_all(w_i: Any, W: Any) -> Any:
    return w_i <= W


def _several(M: Any) -> Any:
    return M >= 2


def _several_active(A: Any) -> Any:
    return A >= 2


def _may_give(T_i: Any, L: Any, q_i: Any, S_i: Any) -> Any:
    """Return the condition on a victim as an expression that contains an equation."""
    import sympy

    return (T_i >= L) & (sympy.Eq(q_i, 0) | (T_i - L >= S_i))


weighted_thresholds = Statement(
    "dynaq.eq4",
    "Weighted BDP and thresholds",
    (
        _B,
        _C,
        _RTT,
        _W_I,
        _W,
        _WBDP,
        Symbol("T_i^{init}", "threshold at the start", "bytes", name="T_init"),
        _T_I,
        _S_I,
        Symbol("T_i^{ex}", "extra buffer", "bytes", "real", "extra"),
        Symbol("S_i - WBDP_i", "margin", "bytes", "real", "margin"),
    ),
    ("$<in w_i>$", _part_of_all),
    (
        "$<is WBDP_i>$",
        "$<is T_init>$",
        "$<extra = by_thresholds>$",
        "$<is S_i>$",
        r"$<is margin>$, positive for every queue if and only if $<B > bdp>$",
    ),
    formulas=(
        Formula("WBDP_i", lambda C, RTT, w_i, W: formulas.part(formulas.bdp(C, RTT), w_i, W)),
        Formula("T_init", formulas.part, symbols="B w_i W"),
        Formula("S_i", formulas.part, symbols="B w_i W"),
        Formula("extra", lambda T_i, B, w_i, W: formulas.surplus_threshold(T_i, formulas.part(B, w_i, W))),
        Formula("margin", formulas.surplus, symbols="B C RTT w_i W"),
    ),
    notes=(
        Formula("by_thresholds", formulas.surplus_threshold, symbols="T_i S_i"),
        Formula("bdp", formulas.bdp, symbols="C RTT"),
    ),
    source=_PAPER + "equations (1) to (4)",
    no_run=_ALGORITHM,
)

rate_of_a_queue = Statement(
    "dynaq.eq5",
    "The output rate of a queue",
    (
        Symbol(r"\lambda_i", "rate at which queue $i$ is offered traffic", "bytes/s", "nonnegative"),
        Symbol(r"\alpha_i", "its fair share of the link", "bytes/s"),
        Symbol(r"\mu_i", "its output rate", "bytes/s", "nonnegative"),
    ),
    ("queue $i$ is empty; one with a backlog has its fair share",),
    (r"$<is mu_i>$",),
    formulas=(Formula("mu_i", formulas.output_rate, symbols="lambda_i alpha_i"),),
    source=_PAPER + "equation (5)",
    observe=output_rates,
)

fair_sharing_condition = Statement(
    "dynaq.eq6.necessary",
    "The condition for fair sharing",
    (_C, _RTT, _W_I, _W, Symbol("q_i^{max}", "longest possible queue $i$", "bytes", name="q_max")),
    ("one window that is halved whenever the buffer is full; the other queues are never empty", _part_of_all),
    (r"$<is q_max>$",),
    formulas=(Formula("q_max", lambda C, RTT, w_i, W: formulas.part(formulas.bdp(C, RTT), w_i, W), ">="),),
    source=_PAPER + "inequality (6)",
    no_run=_WINDOW,
)

work_conservation_condition = Statement(
    "dynaq.eq7.necessary",
    "The condition for work conservation",
    (_C, _RTT, Symbol(searched(sum, "q_i", "i"), "sum of all queues", "bytes", name="queued")),
    ("one window that is halved whenever the buffer is full",),
    (r"$<is queued>$",),
    formulas=(Formula("queued", formulas.bdp, ">=", symbols="C RTT"),),
    source=_PAPER + "inequality (7)",
    no_run=_WINDOW,
)

conditions = Statement(
    "dynaq.ours.joint",
    "The conditions for fair sharing and work conservation",
    (_B, _C, _RTT),
    ("one window that is halved whenever the buffer is full; open-loop traffic needs one packet of buffer",),
    (
        "lengths with (6) for all queues and (7) at one instant fit into the buffer if and only if $<is B>$",
        "an empty port violates (7)",
    ),
    formulas=(Formula("B", formulas.bdp, ">=", symbols="C RTT"),),
    source=_PAPER + "equations (5) to (7), corrected",
    no_run=_WINDOW,
)


def _sum_of_thresholds(T_k: Any, M: Any) -> Any:
    """Return the sum of all thresholds in SymPy."""
    import sympy

    return sympy.Sum(T_k, (sympy.Symbol("k", integer=True, positive=True), 1, M))


def _one_each(T: Any, S: Any) -> Any:
    """As many satisfaction thresholds as dropping thresholds."""
    return len(S) == len(T)


invariants = Statement(
    "dynaq.ours.active-satisfied",
    "Invariants of Algorithm 1",
    (
        _M,
        Symbol("k", "a queue", domain="number"),
        Symbol("T", "thresholds before a step", "bytes", "nonnegative", many=True),
        Symbol("S", "satisfaction thresholds", "bytes", many=True),
        Symbol("T_k", "threshold of queue $k$ before a step", "bytes", "nonnegative", series=("T", 0)),
        Symbol("S_k", "satisfaction threshold of queue $k$", "bytes", series=("S", 0)),
        Symbol("T_k'", "its threshold after the step", "bytes", "nonnegative", "after", series=("T_next", 0)),
        _B,
    ),
    ("thresholds start at the satisfaction thresholds",),
    (
        "at all times $<is B>$ and $<in T_k>$",
        "a step leaves every queue that holds something a threshold of $<is after>$",
    ),
    formulas=(Formula("B", _sum_of_thresholds), Formula("after", least, ">=", symbols="T_k S_k")),
    given=(_one_each,),
    sequence=(
        Branch(
            "",
            formulas=(
                Formula("B", sum, symbols="T"),
                Formula("after", lambda T, S: [least(*pair) for pair in zip(T, S, strict=False)]),
            ),
        ),
    ),
    source=_OURS,
    no_run=_ALGORITHM,
)

refused_queue_deficit = Statement(
    "dynaq.ours.deficit",
    "The deficit of a refused queue",
    (_M, _L, _G, _P, _DEFICIT),
    (
        r"line 3 refuses a packet of $L$ bytes for queue $p$",
        r"every packet size is a multiple of $g$",
        lambda g, L: L <= g * rounded_down(L / g),
    ),
    (r"$<is deficit>$", "with one packet size the queue is satisfied", "the bound is attained"),
    formulas=(Formula("deficit", formulas.shortfall, "<=", symbols="M L g"),),
    source=_OURS,
    no_run=_ALGORITHM,
)

recovery = Statement(
    "dynaq.ours.recovery-rounds",
    "Recovery of a queue that wakes up",
    (
        _L,
        Symbol("H", "sum of the other queues' deficits below their satisfaction thresholds", "bytes", "nonnegative"),
        Symbol(searched(sum, "w"), "sum of the weights: the packets of a round of WRR", "number", name="W"),
        _C,
        Symbol("n", "rounds in which the queue can be refused, and the one after which it is not", "number"),
        Symbol("t", "the time that they take", "s"),
        Symbol("T_v", "threshold of the queue that gives", "bytes"),
        Symbol("q_v", "its length", "bytes", "nonnegative"),
    ),
    (
        r"all packets have one size, $L$",
        "a victim must also have $<spares>$: it gives only what it does not use",
        r"a queue that was refused within its $S$ has a claim, which outlives a round; others yield to it",
        "the queue asks at the end of every round, for a packet within its $S$",
    ),
    (r"$<is n>$", r"$<is t>$", "one round, if no other queue lacks anything"),
    formulas=(
        Formula("n", formulas.waking_rounds, "<=", symbols="H L"),
        Formula("t", formulas.waking_time, "<=", symbols="H L W C"),
    ),
    notes=(Formula("spares", lambda T_v, L, q_v: T_v - L >= q_v),),
    source=_OURS,
    no_run=_ALGORITHM,
)

one_active_queue = Statement(
    "dynaq.ours.alone",
    "One active queue",
    (
        _M,
        _L,
        _S_P,
        Symbol(searched(min, "S_i", "i", but="p"), "the least of the others", "bytes", name="S_min"),
        _T_P,
        _B,
    ),
    (r"line 3 refuses a packet of $L$ bytes for queue $p$", "all other queues are empty", _several),
    (r"$<is T_p>$, and not much more from the start", r"for equal weights $<T_p > equal>$"),
    formulas=(Formula("T_p", lambda S_p, M, S_min, L: formulas.alone_bound(S_p, M - 1, S_min, L), ">"),),
    notes=(Formula("equal", lambda B, M, L: B - (M - 1) * L),),
    source=_OURS,
    no_run=_ALGORITHM,
)

active_queues_together = Statement(
    "dynaq.ours.together",
    "Several active queues",
    (
        _M,
        _L,
        Symbol("|A|", "active queues", domain="number", name="A"),
        Symbol(searched(sum, "S_i", r"i \in A"), "their satisfaction thresholds in sum", "bytes", name="S_A"),
        Symbol(searched(sum, "T_i", r"i \in A"), "their thresholds in sum", "bytes", name="T_A"),
    ),
    ("the queues in $A$, $<several_active>$, are active from the start, the others idle", lambda A, M: A <= M),
    (r"$<is T_A>$",),
    formulas=(Formula("T_A", lambda S_A, M, A, L: formulas.together_bound(S_A, M - A, L), "<="),),
    given=(_several_active,),
    source=_OURS,
    no_run=_ALGORITHM,
)

repair = Statement(
    "dynaq.ours.repair",
    "The smallest repair of line 2",
    (_M, _L, _P, _DEFICIT, _T_I, _S_I, Symbol("q_i", "length of queue $i$", "bytes", "nonnegative")),
    ("$v$ is sought among the other queues, those with $<may_give>$", _several),
    (
        r"line 3 refuses a packet only if every other empty queue has less than $L$ of threshold left",
        "the thresholds still add up to the buffer, none falls below 0, and active queues remain satisfied",
        "$<is deficit>$ remains",
    ),
    formulas=(Formula("deficit", lambda M, L: (M - 1) * L, "<"),),
    notes=(Formula("may_give", _may_give),),
    source=_OURS,
    no_run=_ALGORITHM,
)

pql = Statement(
    "dynaq.sec2.3.pql-quota",
    "PQL: static quotas",
    (_B, _W_I, _W, Symbol("Q_i", "quota of queue $i$", "bytes")),
    (_part_of_all,),
    ("$<is Q_i>$, whatever the other queues do",),
    formulas=(Formula("Q_i", formulas.part, symbols="B w_i W"),),
    source=_PAPER + "Section 2.3",
    observe=quotas,
)

pmsb = Statement(
    "dynaq.sec2.3.pmsb.k",
    "PMSB: thresholds of port and queue",
    (
        _C,
        _RTT,
        _LAMBDA,
        _W_I,
        _W,
        Symbol("K", "threshold of the port", "bytes"),
        Symbol("K_i", "threshold of queue $i$", "bytes"),
    ),
    (_part_of_all,),
    ("$<is K>$", "$<is K_i>$; they add up to $K$"),
    formulas=(
        Formula("K", lambda C, RTT, lam: schemes.pmsb_port_threshold(formulas.bdp(C, RTT), lam)),
        Formula(
            "K_i",
            lambda C, RTT, lam, w_i, W: formulas.part(schemes.pmsb_port_threshold(formulas.bdp(C, RTT), lam), w_i, W),
        ),
    ),
    source=_PAPER + "Section 2.3",
    no_run=_MARKS,
)

mq_ecn = Statement(
    "dynaq.sec2.3.mq-ecn.k",
    "MQ-ECN: a threshold by rounds",
    (
        Symbol("quantum_i", "quantum of queue $i$ in a round", "bytes"),
        Symbol("T_{round}", "the time that a round takes", "s"),
        _C,
        _RTT,
        _LAMBDA,
        Symbol("K_i", "threshold of queue $i$", "bytes"),
    ),
    ("the scheduler serves every queue once in a round",),
    ("$<is K_i>$",),
    formulas=(Formula("K_i", schemes.round_threshold, symbols="quantum_i T_round C RTT lam"),),
    source=_PAPER + "Section 2.3",
    no_run=_MARKS,
)

tcn = Statement(
    "dynaq.sec2.3.tcn.t",
    "TCN: a sojourn time",
    (_RTT, _LAMBDA, Symbol("T", "sojourn time from which packets are marked", "s")),
    (),
    ("$<is T>$",),
    formulas=(Formula("T", schemes.tcn_threshold, symbols="RTT lam"),),
    source=_PAPER + "Section 2.3",
    no_run=_MARKS,
)
