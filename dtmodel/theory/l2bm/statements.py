"""The equations of L2BM, and the theorems about them, as objects to compute with and to read.

>>> print(least_weight.title)
Total weight of L2BM
>>> steady_thresholds.evaluate(B=6, w_i=1, W=2).held
Fraction(2, 1)
"""

from typing import Any

from dtmodel.policies import formulas as weights
from dtmodel.theorems.operations import least
from dtmodel.theorems.quantities import Symbol
from dtmodel.theorems.statement import Branch, Formula, Statement
from dtmodel.theorems.writing import searched, tex_of
from dtmodel.theory import threshold_family
from dtmodel.theory.l2bm import formulas, runs

__all__ = [
    "abm", "abm_burst", "against_dt", "average_sojourn", "bookkeeping", "first_drop_under_weights", "ingress_threshold",
    "least_weight", "lossless_headroom", "pool_steady", "reserve_first_drop", "steady_thresholds",
    "weighted_threshold",
]  # fmt: skip

_B = Symbol("B", "shared buffer", "bytes")
_Q = Symbol("Q", "sum of all queues", "bytes", "nonnegative")
_N = Symbol("n", "active queues", domain="number")
_ALPHA = Symbol(r"\alpha", "control parameter")
_ALPHA_P = Symbol(r"\alpha_p", "control parameter of priority $p$")
_TAU = Symbol(r"\tau_i", "average sojourn time of queue $i$", "s")
_C = Symbol("C", "normaliser", "s")
_W_I = Symbol("w_i", "weight of queue $i$")
_W = Symbol("W", f"total weight, ${searched(sum, 'w_i', 'i')}$")
_S = Symbol("S", f"${searched(sum, _TAU.latex, 'i')}$", "s")
_H = Symbol("H", f"${searched(sum, f'1/{_TAU.latex}', 'i')}$", "1/s")

SYMBOLS = (_B, _N, _ALPHA, _TAU, _C, _W_I, _W, _H)

_POSITIVE = "$<in alpha>$ and $<in tau_i>$ for all $n$ active queues, $<in n>$"
_SUM = (_POSITIVE, "the normaliser is $S$, as in the paper")
_OURS = "own theorem, on the L2BM paper, equations (8) and (9)"
_SOJOURNS = "it speaks of sojourn times of packets, which no run has; dtmodel.trace keeps them"


def _equal(left: Any, right: Any) -> Any:
    import sympy

    return sympy.Eq(left, right, evaluate=False)


def _numbered(*numbers: int) -> tuple[Any, ...]:
    return tuple(formulas.equations()[f"eq{number}"] for number in numbers)


def _fits(Q: Any, B: Any) -> Any:
    return Q <= B


ingress_threshold = Statement(
    id="l2bm.eq1",
    title="DT at the ingress",
    symbols=(_B, _Q, _ALPHA, Symbol("B_i^p", "threshold of priority $p$ of port $i$", "bytes", "nonnegative", "limit")),
    assumes=(_fits,),
    says=("$<is limit>$",),
    formulas=(Formula("limit", lambda alpha, B, Q: alpha * (B - Q)),),
    relations=lambda: _numbered(1),
    source="L2BM paper, equation (1)",
    observe=runs.lengths_at_drops,
)

average_sojourn = Statement(
    id="l2bm.eq2",
    title="The average sojourn time of an ingress queue",
    symbols=(
        Symbol("t_{total}", "remaining sojourn times in sum", "s", "nonnegative"),
        Symbol("N_i", "packets in the queue", domain="number"),
        _TAU,
    ),
    assumes=("no packet has left later than due",),
    says=(r"$<is tau_i>$",),
    formulas=(Formula("tau_i", lambda t_total, N_i: t_total / N_i),),
    relations=lambda: _numbered(2),
    source="L2BM paper, equation (2)",
    no_run=_SOJOURNS,
)

weighted_threshold = Statement(
    id="l2bm.eq3",
    title="Thresholds weighted by sojourn times",
    symbols=(_B, _Q, _ALPHA, _TAU, _C, _W_I, Symbol("T_i", "threshold of queue $i$", "bytes", "nonnegative")),
    assumes=("the queue holds a packet", _fits),
    says=("$<is w_i>$", "$<is T_i>$"),
    formulas=(
        Formula("w_i", weights.l2bm_weight, symbols="alpha C tau_i"),
        Formula("T_i", lambda alpha, C, tau_i, B, Q: weights.l2bm_weight(alpha, C, tau_i) * (B - Q)),
    ),
    relations=lambda: _numbered(3, 4),
    source="L2BM paper, equations (3) and (4)",
    no_run=_SOJOURNS,
)

steady_thresholds = Statement(
    id="l2bm.ours.steady-state",
    title="Steady state of any weights",
    symbols=(
        _B,
        _W_I,
        _W,
        Symbol(searched(sum, "Q_i", "i"), "sum of all queues", "bytes", name="occupancy"),
        Symbol("Q_i", "length of queue $i$", "bytes", name="held"),
        Symbol("F", "free buffer", "bytes", name="free"),
    ),
    assumes=("every active queue lies on its threshold: $<held = threshold>$", lambda w_i, W: w_i <= W),
    says=(r"$<is occupancy>$", "$<is held>$", "$<is free>$"),
    formulas=(
        Formula("occupancy", lambda W, B: threshold_family.held_bytes(B, W, W)),
        Formula("held", threshold_family.held_bytes, symbols="B w_i W"),
        Formula("free", threshold_family.left_free, symbols="B W"),
    ),
    notes=(Formula("threshold", lambda w_i, free: w_i * free),),
    relations=lambda: _numbered(5, 6, 7, 8, 9),
    source="L2BM paper, equations (5)-(9), for any weights",
    observe=runs.steady_weights,
)

least_weight = Statement(
    id="l2bm.ours.least-weight",
    title="Total weight of L2BM",
    symbols=(_N, _ALPHA, _TAU, _S, _H, _W_I, _W, Symbol("W_{min}", "its least, over all sojourn times", name="least")),
    assumes=(*_SUM, lambda tau_i, S: tau_i <= S, lambda S, H, n: n**2 <= S * H),
    says=(
        r"$<is w_i>$, and it is at least $\alpha$",
        r"$<is W>$, and it is at least $<least>$, with equality if and only if all $\tau_i$ are equal",
    ),
    formulas=(
        Formula("w_i", weights.l2bm_weight, symbols="alpha S tau_i"),
        Formula("W", lambda alpha, S, H: alpha * S * H),
        Formula("least", formulas.least_sum, symbols="alpha n"),
    ),
    source="own theorem, on the L2BM paper, equations (3) and (4)",
    no_run=_SOJOURNS,
)

against_dt = Statement(
    id="l2bm.ours.below-dt-steady",
    title="L2BM against DT with the same alpha, in steady state",
    symbols=(
        _B,
        _N,
        _ALPHA,
        _TAU,
        _C,
        _S,
        _H,
        Symbol(searched(min, _TAU.latex, "i"), "the least of them", "s", name="fastest"),
        Symbol("T_i", "threshold of queue $i$ under L2BM", "bytes", name="l2bm"),
        Symbol("T_{DT}", "threshold of every queue under DT", "bytes", name="dt"),
    ),
    assumes=(_POSITIVE, lambda tau_i, H: tau_i * H >= 1),
    says=("$<is l2bm>$ and $<is dt>$", "queue $i$ is below DT's threshold if and only if $<below>$"),
    branches=(
        Branch(
            lambda S, C: _equal(C, S),
            (
                "then, with more than one queue, the total occupancy exceeds DT's",
                "the fastest queue is above DT's threshold",
            ),
        ),
        Branch(lambda C, n, H: _equal(C, n / H), ("the total occupancy is DT's",)),
        Branch(
            lambda fastest, C: _equal(C, fastest),
            ("the total occupancy is at most DT's, and no weight exceeds $\\alpha$",),
        ),
    ),
    formulas=(
        Formula(
            "l2bm",
            lambda alpha, C, tau_i, B, H: threshold_family.held_bytes(
                B, weights.l2bm_weight(alpha, C, tau_i), alpha * C * H
            ),
        ),
        Formula("dt", lambda alpha, B, n: threshold_family.held_bytes(B, alpha, formulas.equal_total(alpha, n))),
    ),
    notes=(Formula("below", formulas.sojourn_below_dt, symbols="alpha C tau_i n H"),),
    source=_OURS,
    no_run=_SOJOURNS,
)

abm = Statement(
    id="l2bm.ours.abm-bound",
    title="The weights of ABM",
    symbols=(
        _ALPHA_P,
        Symbol("n_p", "congested queues of the priority", domain="number"),
        Symbol(r"\gamma", "drain rate of the queue, of its port's rate", domain="share"),
        _W_I,
    ),
    says=("$<is w_i>$", f"they add up to at most ${searched(sum, _ALPHA_P.latex, 'p')}$ over the congested priorities"),
    formulas=(Formula("w_i", weights.abm_weight, symbols="alpha_p gamma n_p"),),
    source="ABM (SIGCOMM 2022), for the L2BM paper; the bound is an own theorem",
    no_run="a run has the weights, and not the priorities and drain rates that they come from",
)


abm_burst = Statement(
    id="l2bm.ours.abm-burst",
    title="The burst tolerance of ABM",
    symbols=(
        _B,
        _ALPHA_P,
        Symbol("n_p", "congested queues of the priority, with that of the burst", domain="number"),
        Symbol(r"\gamma", "drain rate of the burst's queue, of its port's rate", domain="share"),
        Symbol("A", f"${searched(sum, _ALPHA_P.latex, 'p')}$ over the congested priorities"),
        Symbol("C", "rate of the burst's port", "bytes/s"),
        Symbol("R", "arrival rate of the burst", "bytes/s"),
        Symbol("t", "first drop of the burst, if it lasts longer", "s", name="first_drop"),
        Symbol("b", "bytes of the burst until then", "bytes", name="burst"),
        Symbol("q", "length of its queue then", "bytes", name="held"),
    ),
    assumes=(
        "the burst begins at an empty queue, and every other congested queue lies on its threshold",
        lambda R, gamma, C: gamma * C < R,
        lambda alpha_p, A: alpha_p <= A,
    ),
    says=("$<is held>$, whatever $R$ is", "$<is burst>$", "$<is first_drop>$"),
    formulas=(
        Formula("held", threshold_family.tolerance, ">=", symbols="B alpha_p n_p gamma A"),
        Formula("burst", threshold_family.burst_tolerance, ">=", symbols="B alpha_p n_p gamma A C R"),
        Formula("first_drop", threshold_family.time_tolerance, ">=", symbols="B alpha_p n_p gamma A C R"),
    ),
    source="own theorem, about ABM (SIGCOMM 2022)",
    no_run="a run has the weights, and not the priorities and drain rates that they come from",
)

_GROWTH = Symbol("R_k - C_k", "growth of burst $k$'s queue", "bytes/s", name="growth")
_PHI = Symbol(r"\varphi", "rate at which the free buffer falls", "bytes/s", "nonnegative", "fall")


def _weighted_drop(B: Any, W_S: Any, w_k: Any, growth: Any, inflow: Any, draining: Any, W_F: Any) -> Any:
    """Return the time at which one burst would first drop."""
    fall = threshold_family.falls_at(inflow, draining, W_F)
    return threshold_family.meets(w_k, w_k * threshold_family.left_free(B, W_S), growth, fall)


def _pool_taken(free: Any) -> Any:
    """Return the free part of a pool plus the queues on their thresholds: an expression with a sum."""
    import sympy

    each = tex_of(lambda *of: least(*weights.shared_limits(*of)), r"\alpha_i", "c_i", "F")
    return free + sympy.Symbol(f"{{{searched(sum, each, 'i')}}}")  # in braces SymPy writes it as it is


def _kept_up(fall: Any) -> Any:
    """Return the fall of the free buffer plus the drain of queues on their thresholds: an expression with a sum."""
    import sympy

    each = tex_of(lambda w, phi, C: least(w * phi, C), "w_i", r"\varphi", "C_i")
    return fall + sympy.Symbol(searched(sum, each, r"i \in S"))


first_drop_under_weights = Statement(
    id="l2bm.ours.first-drop",
    title="First drop under any weights",
    symbols=(
        _B,
        Symbol(searched(sum, "w_i", r"i \in S"), "weights of the queues on their thresholds", "", "nonnegative", "W_S"),
        Symbol("w_k", "weight of the burst's queue"),
        _GROWTH,
        Symbol(searched(sum, "(R_k - C_k)", "k"), "growth of all bursts", "bytes/s", name="inflow"),
        Symbol(searched(sum, "C_i", r"i \in D"), "rates of those left behind", "bytes/s", "nonnegative", "draining"),
        Symbol(searched(sum, "w_i", r"i \in S \setminus D"), "weights of those that follow", "", "nonnegative", "W_F"),
        Symbol("F_0", "free buffer before", "bytes", name="free_0"),
        _PHI,
        Symbol("t_k", "when burst $k$ would first drop", "s", name="drop"),
    ),
    assumes=(
        r"queues $i \in S$ lie on their thresholds and stay offered at least $C_i$",
        r"bursts that exceed the rates of their ports begin at time 0 at empty queues and last",
        "$D$ are the queues that drain more slowly than their thresholds fall",
        lambda inflow, draining: inflow > draining,
        lambda growth, inflow: growth <= inflow,
        lambda W_F, W_S: W_F <= W_S,
    ),
    says=(
        "$<is fall>$, the one root of $<is inflow>$",
        "$<is free_0>$",
        f"the first drop is at ${searched(min, 't_k', 'k')}$, $<drop = drop_note>$",
    ),
    formulas=(
        Formula("fall", threshold_family.falls_at, symbols="inflow draining W_F"),
        Formula("free_0", threshold_family.left_free, symbols="B W_S"),
        Formula("drop", _weighted_drop),
    ),
    notes=(
        Formula("inflow", _kept_up),
        Formula("drop_note", lambda w_k, free_0, growth, fall: threshold_family.meets(w_k, w_k * free_0, growth, fall)),
    ),
    source="own theorem; for equal weights Theorems 1 to 3 of the DT/EDT paper",
    observe=runs.first_drop_beside_steady_queues,
)

lossless_headroom = Statement(
    id="l2bm.ours.headroom",
    title="The headroom of a lossless queue",
    symbols=(
        Symbol("C", "link rate", "bytes/s"),
        Symbol("p", "propagation delay", "s", "nonnegative"),
        Symbol("r", "reaction time", "s", "nonnegative"),
        Symbol("M_s", "largest frame at the sender", "bytes", "nonnegative"),
        Symbol("M_r", "largest frame at the receiver", "bytes", "nonnegative"),
        Symbol("F", "pause frame", "bytes", "nonnegative"),
        Symbol("X", "arrivals after a pause was requested", "bytes", "nonnegative", "headroom"),
    ),
    assumes=("the queue asks for a pause when it passes its threshold",),
    says=(r"$<is headroom>$, and the bound is attained",),
    formulas=(Formula("headroom", weights.pause_headroom, "<="),),
    source="own theorem, on the L2BM paper, Section 2",
    no_run="it speaks of a link that is paused; dtmodel.packet.pfc runs it",
)

pool_steady = Statement(
    id="l2bm.ours.pool-steady",
    title="Reserves and caps in steady state",
    symbols=(
        Symbol("S", "pool", "bytes"),
        Symbol(searched(sum, r"\alpha_i", "U"), "weights of queues whose cap does not bind", "", "nonnegative", "A"),
        Symbol(searched(sum, "c_i", "K"), "caps of the others", "bytes", "nonnegative", "caps"),
        Symbol("r", "reserve of a queue", "bytes", "nonnegative"),
        Symbol(r"\alpha", "its weight"),
        Symbol("c", "its cap", "bytes"),
        Symbol("F", "free part of the pool", "bytes", "nonnegative", "free"),
        Symbol("Q", "length of the queue", "bytes", "nonnegative", "held"),
    ),
    assumes=("$<is S>$: every queue is on its threshold", lambda caps, S: caps <= S),
    says=("$<is free>$", "$<held = held_note>$"),
    formulas=(
        Formula("free", lambda S, caps, A: threshold_family.left_free(S - caps, A)),
        Formula("held", lambda r, alpha, c, S, caps, A: r + least(alpha * threshold_family.left_free(S - caps, A), c)),
    ),
    notes=(Formula("S", _pool_taken), Formula("held_note", lambda r, alpha, free, c: r + least(alpha * free, c))),
    source="own theorem, on shared pools with reserves and caps",
    observe=runs.steady_pool,
)

reserve_first_drop = Statement(
    id="l2bm.ours.reserve-first-drop",
    title="The first drop of a burst with a reserve and a cap",
    symbols=(
        Symbol("r", "reserve of the burst's queue", "bytes", "nonnegative"),
        Symbol(r"\alpha", "its weight"),
        Symbol("c", "its cap", "bytes"),
        Symbol("F_0", "free part of the pool before", "bytes"),
        Symbol("R - C", "growth of the burst's queue", "bytes/s", name="growth"),
        _PHI,
        Symbol("t", "first drop", "s", name="first_drop"),
    ),
    assumes=("the queue is empty at first, and the others of the pool lie on thresholds",),
    says=("$<is first_drop>$",),
    formulas=(
        Formula(
            "first_drop",
            lambda r, alpha, c, F_0, growth, fall: (
                r / growth + least(threshold_family.meets(alpha, alpha * F_0, growth, fall), c / growth)
            ),
        ),
    ),
    source="own theorem, on shared pools with reserves and caps",
    observe=runs.burst_with_a_reserve,
)


def _total(D_k: Any, a_k: Any, t_prev: Any, n: Any, m: Any) -> Any:
    """Return the total over the packets, numbered as they departed, in SymPy: sums over packets."""
    import sympy

    k = sympy.Symbol("k", integer=True, positive=True)
    present = sympy.Sum(D_k - t_prev, (k, n + 1, n + m))
    return present + sympy.Sum(D_k - a_k, (k, 1, n))


def _total_of(D: Any, a: Any, t_prev: Any) -> Any:
    departed = [due - left for due, left in zip(D, a, strict=False)]
    return sum(departed) + sum(due - t_prev for due in D[len(a) :])


def _no_more_than_came(a: Any, D: Any) -> Any:
    """No more departures than packets."""
    return len(a) <= len(D)


bookkeeping = Statement(
    id="l2bm.ours.bookkeeping",
    title="Bookkeeping of Algorithm 1",
    symbols=(
        Symbol("k", "a packet: those that have departed come first", domain="number"),
        Symbol("D", "when each packet is due", "s", "nonnegative", many=True),
        Symbol("a", "when those departed that have", "s", "nonnegative", many=True, least=0),
        Symbol(
            "D_k",
            "the arrival of packet $k$ plus its output queue's length over its rate",
            "s",
            "nonnegative",
            series=("D", 0),
        ),
        Symbol("a_k", "its departure", "s", "nonnegative", series=("a", 0)),
        Symbol("t_{prev}", "the last arrival", "s", "nonnegative"),
        Symbol("n", "packets that have departed", domain="count"),
        Symbol("m", "packets that are present", domain="count"),
        Symbol("t_{total}", "the total that is kept", "s", "real"),
    ),
    assumes=("the printed reading, on every trace",),
    given=(_no_more_than_came,),
    says=("$<is t_total>$",),
    formulas=(Formula("t_total", _total),),
    sequence=(Branch("", formulas=(Formula("t_total", _total_of),)),),
    source="own theorem, on the L2BM paper, Algorithm 1",
    no_run=_SOJOURNS,
)
