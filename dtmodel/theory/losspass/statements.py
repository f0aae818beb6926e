"""The equations of ECN and LossPass, and the theorems about them, as objects to compute with and to read.

Source: LossPass paper, Section 3.3, and own theorems; the claims named by each id hold the proofs.

>>> BURST_AT.evaluate(B="8 KB", q="4 KB", tau="1/2").burst
Fraction(6000, 1)
"""

from fractions import Fraction
from typing import Any

from dtmodel.theorems.operations import rounded_up
from dtmodel.theorems.quantities import Symbol
from dtmodel.theorems.statement import Branch, Formula, Statement
from dtmodel.theorems.writing import searched
from dtmodel.theory.losspass import ecn, formulas

_WINDOWS_ARE_NONE = "it speaks of senders' windows, which no run has"
_NO_EVICTION = "the fluid model evicts nothing; dtmodel.trace runs the algorithm, packet by packet"

_B = Symbol("B", "port buffer", "bytes")
_K = Symbol("K", "marking threshold", "bytes", "nonnegative")
_N = Symbol("N", "large flows", domain="number")
_A = Symbol("a", "packet by which a window grows", "bytes")
_D = Symbol("D", "bandwidth-delay product of the link", "bytes")
_TAU = Symbol(r"\tau", "share of the buffered bytes that belongs to large flows", domain="share")
_RESERVE = Symbol("B_l", "reserve of the large queue", "bytes", "nonnegative")
_BETA = Symbol(
    r"\beta", r"share of its window that a marked sender gives up (a half; for DCTCP half of $\alpha$)", domain="share"
)
_ROOM = Symbol(r"\mu", "instant burst that is absorbed", "bytes", "nonnegative", "burst")
_MU_ECN = Symbol(r"\mu_{max}^{ECN}", "largest burst that ECN absorbs", "bytes", "real", "mu_ecn")
_MU_LP = Symbol(r"\mu_{max}^{LP}", "largest burst that LossPass absorbs", "bytes", "nonnegative", "mu_losspass")

_WINDOWS = (
    "$N$ synchronised windows grow by one packet of $a$ bytes a round trip",
    "a mark is obeyed one round trip later",
)


def _marks_fit(K: Any, N: Any, a: Any, B: Any) -> Any:
    return ecn.marked_length(K, N, a) <= B


QUEUE = Statement(
    "losspass.eq3",
    "The queue at a bottleneck",
    (
        Symbol(searched(sum, "w_i", "i"), "sum of the windows", "bytes", name="windows"),
        Symbol("w", "common window", "bytes"),
        _N,
        _D,
        Symbol("q", "length of the queue", "bytes", "real", "queue"),
        Symbol("q(t)", "its length for windows that are all equal", "bytes", "real", "common_queue"),
    ),
    ("the windows fill the pipe", "for (3): all windows are equal, (2)"),
    ("$<is queue>$", "$<is common_queue>$"),
    formulas=(
        Formula("queue", ecn.total_less, symbols="windows D"),
        Formula("common_queue", ecn.common_queue, symbols="N w D"),
    ),
    source="LossPass paper, Section 3.3, equations (1) to (3)",
    no_run=_WINDOWS_ARE_NONE,
)

LONGEST_QUEUE = Statement(
    "losspass.eq4",
    "The longest queue under ECN",
    (_K, _N, _A, Symbol("q_{max}", "longest queue", "bytes", name="q_max")),
    _WINDOWS,
    ("$<is q_max>$",),
    formulas=(Formula("q_max", ecn.marked_length, symbols="K N a"),),
    source="LossPass paper, Section 3.3, equation (4), with its unit",
    no_run=_WINDOWS_ARE_NONE,
)

HEADROOM = Statement(
    "losspass.eq5",
    "The headroom of ECN",
    (_B, _K, _N, _A, _MU_ECN),
    (*_WINDOWS, _marks_fit),
    (r"$<is mu_ecn>$",),
    formulas=(Formula("mu_ecn", ecn.printed_headroom, symbols="B K N a"),),
    source="LossPass paper, Section 3.3, equation (5), with its unit",
    no_run=_WINDOWS_ARE_NONE,
)

FULL_PORT = Statement(
    "losspass.eq6",
    "The burst that LossPass absorbs at a full port",
    (_B, _TAU, _MU_LP),
    ("the port is full, there is no reserve, and no packet of the large queue is smaller than an arriving one",),
    (r"$<is mu_losspass>$",),
    formulas=(Formula("mu_losspass", formulas.full_port, symbols="B tau"),),
    source="LossPass paper, Section 3.3, equation (6)",
    no_run=_NO_EVICTION,
)

EXACT_CONDITION = Statement(
    "losspass.ours.exact-condition",
    "When LossPass absorbs a larger burst than ECN",
    (_B, _K, _N, _A, _TAU, _RESERVE, _MU_ECN, _MU_LP),
    (
        _marks_fit,
        lambda B_l, tau, B: B_l <= formulas.full_port(B, tau),
        "ECN at its longest queue, LossPass at a full port, instant bursts",
    ),
    (r"$<is mu_ecn>$ and $<is mu_losspass>$", "$<more>$ iff $<larger>$"),
    notes=(
        Formula("more", lambda mu_losspass, mu_ecn: mu_losspass > mu_ecn),
        Formula("larger", lambda B, K, N, a, tau, B_l: ecn.marked_length(K, N, a) > (1 - tau) * B + B_l),
    ),
    formulas=(
        Formula("mu_ecn", ecn.printed_headroom, symbols="B K N a"),
        Formula("mu_losspass", lambda B, tau, B_l: formulas.full_port(B, tau) - B_l),
    ),
    source="Own theorem, correcting LossPass paper, Section 3.3",
    no_run=_WINDOWS_ARE_NONE,
)

BURST_AT = Statement(
    "losspass.ours.burst-at",
    "The burst that LossPass absorbs at any length",
    (_B, Symbol("q", "length of the queue", "bytes", "nonnegative"), _TAU, _ROOM),
    (lambda q, B: q <= B, "packets are infinitely small", "an instant burst, no reserve"),
    (r"$<is burst>$",),
    formulas=(Formula("burst", formulas.room_at, symbols="B q tau"),),
    source="Own theorem, generalising LossPass paper, equation (6)",
    no_run=_NO_EVICTION,
)

EQUAL_OCCUPANCY = Statement(
    "losspass.ours.background-equal",
    "ECN and LossPass at equal occupancy",
    (
        _B,
        Symbol("q", "length of the queue", "bytes", "nonnegative"),
        _TAU,
        Symbol("R", "burst rate", "bytes/s"),
        Symbol("C", "line rate", "bytes/s"),
        Symbol("a", "rate at which large flows send on", "bytes/s", "nonnegative"),
        Symbol(r"\mu^{ECN}", "burst that ECN absorbs", "bytes", name="mu_ecn"),
        Symbol(r"\mu^{LP}", "burst that LossPass absorbs", "bytes", name="mu_losspass"),
    ),
    (
        "packets are infinitely small",
        "both hold the same when the burst begins; LossPass serves small flows first and has no reserve",
        lambda q, B: q < B,
        lambda R, C: R > C,
    ),
    (r"$<is mu_ecn>$", r"$<is mu_losspass>$, which is more if large flows hold something or send on"),
    formulas=(
        Formula("mu_ecn", lambda B, q, R, C, a: formulas.served_meanwhile(ecn.total_less(B, q), R, C - a)),
        Formula("mu_losspass", lambda B, q, tau, R, C: formulas.served_meanwhile(formulas.room_at(B, q, tau), R, C)),
    ),
    source="Own theorem, on LossPass paper, Sections 3.3 and 5",
    no_run=_NO_EVICTION,
)

BURST = Statement(
    "losspass.ours.reserve-burst",
    "The burst that LossPass absorbs, in the fluid limit",
    (
        _B,
        _RESERVE,
        Symbol("Q_s", "length of the small queue", "bytes", "nonnegative"),
        Symbol("Q_l", "length of the large queue", "bytes", "nonnegative"),
        Symbol("R", "burst rate", "bytes/s"),
        Symbol("C", "line rate", "bytes/s"),
        _ROOM,
        Symbol(r"\mu_R", "burst of rate $R$ that is absorbed", "bytes", "nonnegative", "burst_at_rate"),
    ),
    (
        "packets are infinitely small",
        "strict priority, small flows first",
        lambda B_l, B: B_l <= B,
        lambda Q_s, Q_l, B: Q_s + Q_l <= B,
        lambda R, C: R > C,
    ),
    (
        "an instant burst brings $<is burst>$, for a full port without reserve what large flows hold",
        "a burst of rate $R$ brings $<at_rate>$",
    ),
    formulas=(
        Formula("burst", formulas.room_with_reserve, symbols="B Q_s Q_l B_l"),
        Formula(
            "burst_at_rate",
            lambda B, Q_s, Q_l, B_l, R, C: formulas.served_meanwhile(
                formulas.room_with_reserve(B, Q_s, Q_l, B_l), R, C
            ),
        ),
    ),
    notes=(Formula("at_rate", formulas.served_meanwhile, symbols="burst R C"),),
    source="Own theorem, generalising LossPass paper, equation (6)",
    no_run=_NO_EVICTION,
)


def _free(B: Any, Q_s: Any, m: Any, v: Any) -> Any:
    return B - Q_s - m * v


def _room_after(F: Any, j: Any, s: Any) -> Any:
    """Return the number of packets for which there is room after j evictions: an expression with a sum."""
    import sympy

    i = sympy.Symbol("i", integer=True)
    return formulas.packets_in(F + sympy.Sum(sympy.Symbol("v_i"), (i, 1, j)), s)


def _evicting(B: Any, B_l: Any, Q_s: Any, m: Any, v: Any, s: Any) -> Any:
    """Return the packets that are absorbed when victims are large enough."""
    free = _free(B, Q_s, m, v)
    most = formulas.packets_in(B - B_l - Q_s, s)
    return formulas.packets_in(free + formulas.equal_evictions(free, m, v, s, most) * v, s)


BURST_IN_PACKETS = Statement(
    "losspass.ours.burst-in-packets",
    "The burst that LossPass absorbs, in packets",
    (
        _B,
        _RESERVE,
        Symbol("Q_s", "length of the small queue", "bytes", "nonnegative"),
        Symbol("m", "packets of the large queue, here of one size", domain="count"),
        Symbol("v", "their size", "bytes"),
        Symbol("s", "size of the burst's packets", "bytes"),
        Symbol("n", "packets that are absorbed", domain="count", name="packets"),
        Symbol("v_{j+1}", "sizes in the large queue, from the tail, if there are several", "bytes", name="v_next"),
        Symbol("n_j", "packets for which there is room after $j$ evictions", domain="count"),
        Symbol("j", "evictions", domain="count"),
        Symbol("F", "free bytes, $<free>$", "bytes", "nonnegative"),
    ),
    ("the burst is instant", lambda B, Q_s, m, v: Q_s + m * v <= B, lambda B_l, B: B_l <= B),
    ("$<n_j = room>$ packets are absorbed", "$j$ is the first number with $<refused>$"),
    (
        Branch(
            lambda v, s: v < s,
            ("$<is packets>$",),
            "",
            (Formula("packets", lambda B, Q_s, m, v, s: formulas.packets_in(_free(B, Q_s, m, v), s)),),
        ),
        Branch(lambda v, s: v >= s, ("$<is packets>$",), "", (Formula("packets", _evicting),)),
    ),
    notes=(
        Formula("free", _free),
        Formula("room", _room_after),
        Formula("refused", lambda v_next, s, Q_s, n_j, B, B_l: (v_next < s) | (Q_s + (n_j + 1) * s > B - B_l)),
    ),
    source="Own theorem, generalising LossPass paper, equation (6)",
    no_run=_NO_EVICTION,
)

_NOT_FULL = "the buffer, $B$, holds the queue at its longest, $<longest>$"

_LONGEST = Formula("longest", _marks_fit)

LINE_RATE = Statement(
    "losspass.ours.line-rate",
    "Line rate under ECN",
    (_B, _D, _K, _N, _A, _BETA),
    (*_WINDOWS, _NOT_FULL, lambda beta: beta < 1),
    (r"the link is never idle iff $<is K>$", r"for windows that are halved: iff $<halved>$"),
    formulas=(Formula("K", ecn.full_link, ">=", symbols="D N beta a"),),
    notes=(_LONGEST, Formula("halved", lambda K, D, N, a: K >= ecn.full_link(D, N, Fraction(1, 2), a))),
    source="Own theorem, correcting LossPass paper, Section 3.3",
    no_run=_WINDOWS_ARE_NONE,
)

DCTCP_LINE_RATE = Statement(
    "losspass.ours.dctcp-line-rate",
    "Line rate under DCTCP",
    (
        _D,
        _K,
        _N,
        _A,
        Symbol(
            r"\alpha_{max}", "largest share of marks with which the link is never idle", domain="number", name="share"
        ),
        Symbol(
            "m", "margin of the share of marks at the fixed point, which rises with $K$", domain="real", name="margin"
        ),
    ),
    (*_WINDOWS, r"$\alpha$ is at DCTCP's fixed point, and the buffer is never full"),
    ("$<is share>$", "$<is margin>$: the link is never idle iff $<fills>$", "the least $K$ has a margin of 0, or is 0"),
    formulas=(
        Formula("share", lambda D, K, N, a: 2 * ecn.marked_length(K, N, a) / _peak(D, K, N, a)),
        Formula("margin", ecn.dctcp_margin, symbols="D K N a"),
    ),
    notes=(Formula("fills", lambda margin: margin >= 0),),
    source="Own theorem, after the analysis of DCTCP (Alizadeh et al., SIGCOMM 2010, Section 3.3)",
    no_run=_WINDOWS_ARE_NONE,
)


def _peak(D: Any, K: Any, N: Any, a: Any) -> Any:
    return D + ecn.marked_length(K, N, a)


def _trough(D: Any, K: Any, N: Any, a: Any, beta: Any) -> Any:
    return (1 - beta) * _peak(D, K, N, a)


UTILISATION = Statement(
    "losspass.ours.utilisation",
    "Link utilisation under ECN",
    (
        _B,
        _D,
        _K,
        _N,
        _A,
        _BETA,
        Symbol("W", "sum of the windows at the peak", "bytes", name="peak"),
        Symbol("m", "sum of the windows after the cut", "bytes", name="trough"),
        Symbol("U", "share of the link when windows grow once a base round trip", domain="share", name="base"),
        Symbol("U^*", "share when windows grow once an actual round trip", domain="share", name="actual"),
    ),
    (*_WINDOWS, _NOT_FULL, lambda D, K, N, a, beta: _trough(D, K, N, a, beta) < D, lambda beta: beta > 0),
    ("$<is peak>$", "$<is trough>$"),
    (
        Branch("windows grow once a base round trip", ("$<base = as_base>$",)),
        Branch("windows grow once an actual round trip", ("$<actual = as_actual>$",)),
    ),
    formulas=(
        Formula("peak", _peak, symbols="D K N a"),
        Formula("trough", _trough, symbols="D K N a beta"),
        Formula(
            "base", lambda D, K, N, a, beta: ecn.used_once_a_base_trip(D, _peak(D, K, N, a), _trough(D, K, N, a, beta))
        ),
        Formula(
            "actual",
            lambda D, K, N, a, beta: ecn.used_once_an_actual_trip(D, _peak(D, K, N, a), _trough(D, K, N, a, beta)),
        ),
    ),
    notes=(
        _LONGEST,
        Formula("as_base", ecn.used_once_a_base_trip, symbols="D peak trough"),
        Formula("as_actual", ecn.used_once_an_actual_trip, symbols="D peak trough"),
    ),
    source="Own theorem",
    no_run=_WINDOWS_ARE_NONE,
)

LEAST_THRESHOLD_IN_PACKETS = Statement(
    "losspass.ours.least-k-packets",
    "The least marking threshold in whole packets",
    (
        Symbol("D", "bandwidth-delay product in packets", domain="number"),
        _N,
        Symbol("K", "marking threshold in packets", domain="count"),
    ),
    ("whole windows, halved and rounded down", lambda D, N: D > N),
    (r"the link is filled iff $<is K>$",),
    formulas=(Formula("K", lambda D, N: N * (2 * rounded_up(D / N) - 1) - D, ">="),),
    source="Own theorem, after LossPass paper, Section 3.3",
    no_run=_WINDOWS_ARE_NONE,
)


SAME_SIZE = Statement(
    "losspass.ours.same-size",
    "LossPass and tail drop on packets of one size",
    (
        Symbol("n_{TD}", "packets that tail drop holds", domain="count", name="held_TD"),
        Symbol("s_{TD}", "small packets that tail drop has lost", domain="count", name="small_TD"),
        Symbol("l_{TD}", "large packets that tail drop has lost", domain="count", name="large_TD"),
        Symbol("x", "small packets that LossPass has saved of those", domain="count", name="saved"),
        Symbol("n_{LP}", "packets that LossPass holds", domain="count", name="held_LP"),
        Symbol("s_{LP}", "small packets that LossPass has lost", domain="count", name="small_LP"),
        Symbol("l_{LP}", "large packets that LossPass has lost", domain="count", name="large_LP"),
    ),
    (
        "all packets have one size",
        "both ports see the same arrivals and service opportunities",
        "their schedulers are work-conserving, and may differ",
        lambda saved, small_TD: saved <= small_TD,
    ),
    (
        "at all times $<is held_LP>$: both ports send and lose equally many",
        "$<is small_LP>$, $<in saved>$: a small packet that LossPass loses is lost by tail drop",
        "$<is large_LP>$: each large packet that is lost in addition is so at the arrival of a saved one",
        "a large packet that tail drop loses is lost by LossPass",
    ),
    formulas=(
        Formula("held_LP", lambda held_TD: held_TD),
        Formula("small_LP", lambda small_TD, saved: small_TD - saved),
        Formula("large_LP", lambda large_TD, saved: large_TD + saved),
    ),
    source="Own theorem",
    no_run=_NO_EVICTION,
)
