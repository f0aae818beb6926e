"""Theorem 5 of the DT/EDT paper, when EDT loses its first packet: as printed and as corrected.

Examples
--------
>>> bursts = Bursts.of(alpha=2, buffer=12, rate=1, bursts=2, steady=1, burst_rate=2)
>>> print(theorem5.evaluate(bursts), theorem5_corrected.evaluate(bursts, EdtSettings(cn2=Fraction(1))))
6 4
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from dtmodel import units
from dtmodel.errors import InputError
from dtmodel.theory import citations
from dtmodel.theory.dt import formulas as dt_formulas
from dtmodel.theory.edt import formulas as edt_formulas
from dtmodel.theory.edt.drops import Bursts, EdtSettings
from dtmodel.theory.statement import Case, Statement, Symbol, tex

__all__ = ["overflow_drop", "printed_overflow", "theorem5", "theorem5_corrected"]


def printed_overflow(bursts: Bursts) -> Fraction:
    """Evaluate Theorem 5 as printed: a burst loses packets if it lasts longer than this.

    Raises
    ------
    InputError
        If M > N R / (R - C), which footnote 9 excludes.
    """
    if edt_formulas.footnote9(bursts.M, bursts.N, bursts.R, bursts.C) < 0:
        most = bursts.N * bursts.R / bursts.r
        raise InputError("bursts", bursts.M, f"footnote 9: M <= N R / (R - C) = {units.plain(most)}")
    return Fraction(edt_formulas.slow_overflow(bursts.B, bursts.M, bursts.r))


def overflow_drop(bursts: Bursts, settings: EdtSettings) -> Fraction:
    """Evaluate Theorem 5 as corrected: when the buffer overflows and the first packets are lost.

    Raises
    ------
    InputError
        If the counter is not full in time for TM1 or before DT would drop, or TM2 expires before the overflow.
    """
    counting = settings.cn2 / bursts.r
    if counting > bursts.dt_drop:
        raise InputError("cn2", units.plain(settings.cn2), f"at most {units.show_bytes(bursts.r * bursts.dt_drop)}")
    if settings.tm1 is not None and counting > settings.tm1:
        raise InputError("tm1", units.plain(settings.tm1), f"at least cn2 / (R - C) = {units.show_seconds(counting)}")
    if settings.tm2 is not None and counting + settings.tm2 < bursts.overflow:
        least = units.show_seconds(bursts.overflow - counting)
        raise InputError("tm2", units.plain(settings.tm2), f"at least {least}, so that the buffer is full before")
    return bursts.overflow


_alpha, _B, _C, _M, _N, _R = sympy.symbols("alpha B C M N R")
_r = sympy.Symbol("r")
_SYMBOLS = (
    Symbol("M", "ports that bursts hit at time 0"),
    Symbol("N", "ports in steady state before"),
    Symbol("R", "rate of every burst", "bytes/s"),
    Symbol("C", "rate of every port", "bytes/s"),
    Symbol("B", "buffer", "bytes"),
    Symbol("d_k", "duration of the burst to port k", "s"),
)
_SLOW = tex(edt_formulas.slow_overflow(_B, _M, _r), {_r: "(R - C)"})
_FAST = tex(edt_formulas.fast_overflow(_alpha, _B, _C, _M, _N, _r), {_r: "(R - C)"})
_MOST = tex(_M + edt_formulas.footnote9(_M, _N, _R, _C))
_BOUND = tex(dt_formulas.rate_bound(_alpha, _C, _M, _N))

theorem5 = Statement(
    "edt.thm5",
    "Theorem 5: first loss under EDT",
    _SYMBOLS,
    (rf"$M \leq {_MOST}$ (footnote 9)",),
    (f"port $k$ loses packets if $d_k > {_SLOW}$",),
    source="DT/EDT paper, Section 4.3, Theorem 5, equations (79) and (80)",
    bibtex=citations.DT_EDT,
    evaluate=printed_overflow,
)
"""Theorem 5 as printed."""

theorem5_corrected = Statement(
    "edt.ours.theorem5",
    "First loss under EDT, for every M and N",
    (*_SYMBOLS, Symbol(r"\alpha", "control parameter"), Symbol("c_{n2}", "counting number of C2", "bytes")),
    (
        "all bursts last until then",
        "$c_{n2} / (R - C)$ is at most TM1 and at most the drop time of DT; TM2 does not expire before",
    ),
    cases=(
        Case(
            rf"$R \leq {_BOUND}$ or $N = 0$",
            (f"the first packets are lost at ${_SLOW}$, when all queues of steady ports are empty",),
            "(80)",
        ),
        Case("otherwise", (f"the first packets are lost at ${_FAST}$, which is earlier",)),
    ),
    source="own theorem, after Section 4.3 of the DT/EDT paper",
    bibtex=citations.DT_EDT,
    evaluate=overflow_drop,
)
"""When the buffer overflows under EDT, without the assumption of footnote 9."""
