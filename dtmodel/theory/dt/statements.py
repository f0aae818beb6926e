"""Theorems 1, 2 and 3 of the DT/EDT paper as objects: as printed, and as corrected where they need it.

Each is a `Statement` with symbols, assumptions, cases, conclusions, source and citation; its mathematics is written by
SymPy from the same formulas (`dtmodel.theory.dt.formulas`) that `evaluate` computes with. A printed theorem evaluates
the print and refuses what it does not speak of; ``theorem3_corrected`` speaks of every port, whatever the rates are.

Examples
--------
>>> from dtmodel import Switch
>>> switch = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
>>> print(theorem1.evaluate(switch, alpha=1, steady=2, bursts=1, burst_rate="2 Gbps"))
first drop at 2 ms (1/500 s), free buffer 250 KB, case a
"""

from __future__ import annotations

from typing import Any

import sympy

from dtmodel.theory import citations
from dtmodel.theory.dt import formulas, printed
from dtmodel.theory.dt.drops import FirstDrop, PortDrop, first_drop, first_drops, following_drops
from dtmodel.theory.statement import Case, Statement, Symbol, tex

__all__ = [
    "FirstDrop",
    "PortDrop",
    "first_drop",
    "first_drops",
    "theorem1",
    "theorem1_corrected",
    "theorem2",
    "theorem2_corrected",
    "theorem3",
    "theorem3_corrected",
]

SYMBOLS = (
    Symbol(r"\alpha", "control parameter of DT", ""),
    Symbol("B", "shared buffer", "bytes"),
    Symbol("C", "rate of every port", "bytes/s"),
    Symbol("P", "number of ports", ""),
    Symbol("M", "ports that a burst reaches at time 0", ""),
    Symbol("N", "ports in steady state before, each offered at least $C$", ""),
    Symbol("R", "arrival rate of a burst, of port $k$: $R_k$", "bytes/s"),
    Symbol("d_k", "duration of the burst at port $k$", "s"),
    Symbol("F", "free buffer", "bytes"),
)

_MANY = (
    Symbol("t_k", "when queue $k$ first meets the threshold", "s"),
    Symbol("F_k", "free buffer at $t_k$", "bytes"),
    Symbol("G_k", r"$\sum_{i=k}^{M} (R_i - C)$", "bytes/s"),
)

_SETTING = (
    r"a switch of $P$ ports of rate $C$ shares a buffer $B$ under DT with $\alpha > 0$",
    r"at time 0 ports $M+1, \dots, M+N$ are in steady state, the others empty; $M \geq 1$, $N \geq 0$, $M + N \leq P$",
)
_ONE_RATE = r"bursts of one rate $R > C$ begin at time 0 at ports $1, \dots, M$"
_MANY_RATES = r"bursts of rates $R_1 \geq \dots \geq R_M > C$ begin at time 0 at ports $1, \dots, M$"
_QUIET = "a burst of rate at most $C$ loses nothing, and the others do as they would without it"
_OTHERS_LAST = "every other burst lasts longer than that"

_alpha, _B, _C, _M, _N, _k = sympy.symbols("alpha B C M N k")
_r, _r_k, _G_k, _F, _t, _t_k = sympy.symbols("r r_k G_k F_{k-1} t_{k-1} t_k")
_EXCESS = {_r: "(R - C)", _r_k: "(R_k - C)"}
_n = _N + _k - 1


def _tex(expression: Any) -> str:
    return tex(expression, _EXCESS)


def _one_rate_cases(condition: str) -> tuple[Case, ...]:
    bound = _tex(formulas.rate_bound(_alpha, _C, _M, _N))
    slow = formulas.slow_drop_time(_alpha, _B, _M, _N, _r), formulas.slow_free(_alpha, _B, _M, _N)
    fast = formulas.fast_drop_time(_alpha, _B, _C, _M, _N, _r), formulas.fast_free(_alpha, _B, _C, _M, _N, _r)
    return tuple(
        Case(f"$R {sign} {bound}$", (f"{condition} $d_k > {_tex(time)}$", f"then $F = {_tex(free)}$"), numbers)
        for sign, (time, free), numbers in ((r"\leq", slow, "(2)-(5)"), (">", fast, "(6)-(9)"))
    )


def _recursion(time: Any, free: Any) -> tuple[str, ...]:
    return (
        f"$t_k = {_tex(time)}$, $t_0 = 0$",
        f"$F_k = {_tex(free)}$, $F_0 = {_tex(formulas.initial_free(_alpha, _B, _N))}$",
    )


def _follow_recursion() -> tuple[str, ...]:
    time = formulas.printed_follow_time(_alpha, _n, _r_k, _G_k, (_t, _F))
    return _recursion(time, formulas.printed_follow_free(_alpha, _n, _G_k, (_t, _F), _t_k))


def _drain_recursion() -> tuple[str, ...]:
    time = formulas.printed_drain_time(_alpha, _C, _n, _r_k, _G_k, (_t, _F))
    return _recursion(time, formulas.printed_drain_free(_C, _n, _G_k, (_t, _F), _t_k))


def _no_recursion() -> tuple[str, ...]:
    time = formulas.follow_drop_time(_alpha, _B, _n, _r_k, _G_k)
    free = formulas.follow_free(_alpha, _B, _n, _r_k, _G_k)
    return (f"$t_k = {_tex(time)}$", f"$F_k = {_tex(free)}$")


def _growth(sign: str) -> str:
    return rf"$\sum_{{i=1}}^{{M}} (R_i - C) {sign} {_tex(formulas.growth_bound(_alpha, _C, _N))}$"


def _balance() -> str:
    def above(length: Any, drained: Any) -> Any:
        R_j, t_j, F_0 = sympy.symbols("R_j t_j F_0")
        lines = sympy.Sum(sympy.Max(length, R_j * t_j - drained), (sympy.Symbol("j"), 1, _k - 1))
        return _N * sympy.Max(length, _alpha * F_0 - drained) + lines

    return f"${_tex(formulas.accounted(_alpha, _C, (_r_k, _G_k), above, sympy.Symbol('t')))} = B$"


_PORT_DROPS = "port $k$ loses bytes if $d_k > t_k$"
_L = Symbol("L", rf"the largest $k \leq M$ with $G_k > {_tex(formulas.growth_bound(_alpha, _C, _n))}$")

theorem1 = Statement(
    id="edt.thm1",
    title="Theorem 1 (as printed)",
    symbols=SYMBOLS,
    assumptions=(*_SETTING, _ONE_RATE),
    cases=_one_rate_cases("port $k$ loses bytes if"),
    source="DT/EDT paper, Section 3.1, equations (2)-(11)",
    bibtex=citations.DT_EDT,
    evaluate=printed.one_rate_drop,
)

theorem1_corrected = Statement(
    id="edt.ours.theorem1",
    title="Theorem 1 (corrected)",
    symbols=SYMBOLS,
    assumptions=(*_SETTING, _ONE_RATE, _QUIET, _OTHERS_LAST),
    cases=_one_rate_cases("port $k$ loses bytes if and only if"),
    source="own theorem, after the DT/EDT paper, Section 3.1",
    bibtex=citations.DT_EDT,
    evaluate=first_drop,
)

theorem2 = Statement(
    id="edt.thm2",
    title="Theorem 2 (as printed)",
    symbols=(*SYMBOLS, *_MANY),
    assumptions=(*_SETTING, _MANY_RATES, _growth(r"\leq")),
    conclusions=(_PORT_DROPS, *_follow_recursion()),
    source="DT/EDT paper, Section 3.2, equations (13)-(29)",
    bibtex=citations.DT_EDT,
    evaluate=printed.follow_drops,
)

theorem2_corrected = Statement(
    id="edt.ours.theorem2",
    title="Theorem 2 (corrected, without recursion)",
    symbols=(*SYMBOLS, *_MANY),
    assumptions=(*_SETTING, _MANY_RATES, _growth(r"\leq"), _OTHERS_LAST),
    conclusions=("port $k$ loses bytes if and only if $d_k > t_k$", *_no_recursion()),
    source="own theorem, after the DT/EDT paper, Section 3.2",
    bibtex=citations.DT_EDT,
    evaluate=following_drops,
)

theorem3 = Statement(
    id="edt.thm3",
    title="Theorem 3 (as printed)",
    symbols=(*SYMBOLS, *_MANY, _L),
    assumptions=(*_SETTING, _MANY_RATES, _growth(">")),
    conclusions=(r"for $k = 1, \dots, L$ " + _PORT_DROPS, *_drain_recursion()),
    source="DT/EDT paper, Section 3.2, equations (30)-(41)",
    bibtex=citations.DT_EDT,
    evaluate=printed.drain_drops,
)

theorem3_corrected = Statement(
    id="edt.ours.theorem3",
    title="First drops under DT: every port, every mixture of regimes",
    symbols=(*SYMBOLS, *_MANY),
    assumptions=(*_SETTING, _MANY_RATES, _QUIET, _OTHERS_LAST),
    conclusions=(
        "port $k$ loses bytes if and only if $d_k > t_k$, where $t_k$ is the one root at or after $t_{k-1}$ of",
        _balance(),
        rf"the free buffer is then $F_k = {_tex(formulas.free_at_drop(_alpha, _r_k, _t_k))}$",
    ),
    source="own theorem; the DT/EDT paper, Section 3.2, has the ports up to L",
    bibtex=citations.DT_EDT,
    evaluate=first_drops,
)
