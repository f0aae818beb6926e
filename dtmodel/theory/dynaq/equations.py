r"""DynaQ's equations (1) to (7), the schemes of Section 2.3 and our bounds as SymPy objects: one function each, cached.

They carry the paper's symbols; `W` is :math:`\sum w`, and sums over queues stand for themselves (`sum_q` is
:math:`\sum_i q_i`). They are what the exact
functions of `dtmodel.theory.dynaq` and `dtmodel.theory.dynaq.schemes` compute on symbols.

Examples
--------
>>> weighted_bdp_equation()
Eq(WBDP_i, C*RTT*w_i/W)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import sympy

from dtmodel.theory.dynaq import formulas as dynaq
from dtmodel.theory.dynaq import schemes

__all__ = [
    "alone",
    "deficit",
    "extra_buffer_equation",
    "fair_sharing",
    "initial_threshold",
    "margin",
    "mq_ecn_equation",
    "output_rate_equation",
    "pmsb_port_equation",
    "pmsb_queue_threshold",
    "pql_quota",
    "satisfaction_threshold",
    "symbol",
    "tcn_equation",
    "together",
    "weighted_bdp_equation",
    "work_conservation",
]

_LATEX = {
    "W": r"\sum w", "WBDP_i": "WBDP_i", "sum_q": r"\sum_{i=1}^M q_i", "T_init_i": r"T_i^{init}", "T_ex_i": r"T_i^{ex}",
    "q_max_i": r"q_i^{max}", "mu_i": r"\mu_i", "lambda_i": r"\lambda_i", "alpha_i": r"\alpha_i",
    "sum_T_A": r"\sum_{i \in A} T_i", "sum_S_A": r"\sum_{i \in A} S_i", "A": "|A|", "S_min": r"\min_{i \neq p} S_i",
}  # fmt: skip


def symbol(name: str) -> Any:
    """Return a positive symbol of the paper, or several whose names are separated by blanks."""
    return sympy.symbols(name, positive=True)


def latex(expression: Any) -> str:
    r"""Write an expression with the paper's symbols.

    Examples
    --------
    >>> latex(satisfaction_threshold())
    'S_{i} = \\frac{B w_{i}}{\\sum w}'
    """
    names = {s: _LATEX[str(s)] for s in expression.free_symbols if str(s) in _LATEX}
    return str(sympy.latex(expression, symbol_names=names, order="none"))


def _of_one_queue(compute: Callable[[Sequence[Any]], Sequence[Any]]) -> Any:
    """Run a function of all weights on those of queue i and of the others together, which are W - w_i."""
    w_i, others, W = symbol("w_i others W")
    return compute([w_i, others])[0].subs(others, W - w_i)


@cache
def weighted_bdp_equation() -> Any:
    """The weighted BDP of a queue, equation (1)."""
    C, RTT, wbdp = symbol("C RTT WBDP_i")
    return sympy.Eq(wbdp, _of_one_queue(lambda weights: dynaq.weighted_bdp(C, RTT, weights)))


@cache
def initial_threshold() -> Any:
    """The threshold of a queue at the start, equation (2)."""
    B, T = symbol("B T_init_i")
    return sympy.Eq(T, _of_one_queue(lambda weights: dynaq.initial_thresholds(B, weights)))


@cache
def extra_buffer_equation() -> Any:
    """The extra buffer of a queue, equation (3)."""
    T, S, more = symbol("T_i S_i T_ex_i")
    return sympy.Eq(more, dynaq.extra_buffer([T], [S])[0])


@cache
def satisfaction_threshold() -> Any:
    """The satisfaction threshold of a queue, equation (4)."""
    B, S = symbol("B S_i")
    return sympy.Eq(S, _of_one_queue(lambda weights: dynaq.satisfaction_thresholds(B, weights)))


@cache
def output_rate_equation() -> Any:
    """The output rate of an empty queue, equation (5)."""
    mu, lam, alpha = symbol("mu_i lambda_i alpha_i")
    return sympy.Eq(mu, dynaq.output_rate(lam, alpha))


@cache
def fair_sharing() -> Any:
    """The condition for fair sharing, inequality (6)."""
    longest, wbdp = symbol("q_max_i WBDP_i")
    return sympy.Ge(longest, wbdp)


@cache
def work_conservation() -> Any:
    """The condition for work conservation, inequality (7)."""
    queued, C, RTT = symbol("sum_q C RTT")
    return sympy.Ge(queued, dynaq.bdp(C, RTT))


@cache
def margin() -> Any:
    r"""Return :math:`S_i - WBDP_i`, positive exactly when B exceeds the BDP.

    Examples
    --------
    >>> margin()
    w_i*(B - C*RTT)/W
    """
    B, C, RTT = symbol("B C RTT")
    return _of_one_queue(lambda weights: dynaq.margins(B, C, RTT, weights))


@cache
def pql_quota() -> Any:
    """PQL's quota: the buffer in proportion to the weights. Section 2.3."""
    B, quota = symbol("B Q_i")
    return sympy.Eq(quota, _of_one_queue(lambda weights: schemes.pql_quotas(B, weights)))


@cache
def pmsb_port_equation() -> Any:
    """PMSB's port threshold. Section 2.3."""
    C, RTT, lam, K = symbol("C RTT lambda K")
    return sympy.Eq(K, schemes.pmsb_port_threshold(dynaq.bdp(C, RTT), lam))


@cache
def pmsb_queue_threshold() -> Any:
    """PMSB's queue threshold. Section 2.3."""
    C, RTT, lam, K_i = symbol("C RTT lambda K_i")
    BDP = dynaq.bdp(C, RTT)
    return sympy.Eq(K_i, _of_one_queue(lambda weights: schemes.pmsb_queue_thresholds(BDP, weights, lam)))


@cache
def mq_ecn_equation() -> Any:
    """MQ-ECN's threshold. Section 2.3."""
    quantum, T_round, C, RTT, lam, K_i = symbol("quantum_i T_round C RTT lambda K_i")
    return sympy.Eq(K_i, schemes.mq_ecn_threshold(quantum, T_round, C, RTT, lam))


@cache
def tcn_equation() -> Any:
    """TCN's sojourn-time threshold. Section 2.3."""
    RTT, lam, T = symbol("RTT lambda T")
    return sympy.Eq(T, schemes.tcn_threshold(RTT, lam))


@cache
def deficit() -> Any:
    """Bound S_p - T_p when line 3 refuses queue p a packet of L bytes (ours)."""
    S, T, M, L, g = symbol("S_p T_p M L g")
    return sympy.Le(S - T, dynaq.shortfall(M, L, g))


@cache
def alone() -> Any:
    """Bound T_p when line 3 refuses queue p a packet and the others are empty. Ours."""
    S, T, M, L, least = symbol("S_p T_p M L S_min")
    return sympy.Gt(T, S + (M - 1) * (least - L))


@cache
def together() -> Any:
    """Bound the thresholds of queues that are active from the start, the others idle. Ours."""
    T, S, M, A, L = symbol("sum_T_A sum_S_A M A L")
    return sympy.Le(T, S + (M - A) * L)
