"""Theorem 5 of the DT/EDT paper, when EDT loses its first packet: as printed and as corrected.

>>> bursts = {"B": 12, "C": 1, "bursts": 2, "steady": 1, "burst_rate": 2}
>>> print(theorem5.evaluate(**bursts).first_drop, theorem5_corrected.evaluate(**bursts, alpha=2, cn2=1).first_drop)
6 4
"""

from fractions import Fraction
from typing import Any

from dtmodel.theorems.evaluation import Evaluated
from dtmodel.theorems.quantities import Pieces, Symbol
from dtmodel.theorems.statement import Branch, Formula, Statement
from dtmodel.theory.dt import formulas as dt_formulas
from dtmodel.theory.edt import formulas as edt_formulas
from dtmodel.theory.edt import runs, varying_formulas
from dtmodel.theory.edt.varying_rates import BACKGROUND, Shared, first_drop_at, varying_first_drop

_SYMBOLS = (
    Symbol(r"\alpha", "control parameter"),
    Symbol("B", "buffer", "bytes"),
    Symbol("C", "rate of every port", "bytes/s"),
    Symbol("P", "number of ports", domain="number", optional=True),
    Symbol("M", "ports that bursts hit at time 0", domain="number", aliases=("bursts",)),
    Symbol("N", "ports in steady state before", domain="count", aliases=("steady",)),
    Symbol("R", "rate of every burst", "bytes/s", aliases=("burst_rate",)),
    Symbol("d_k", "duration of the burst to port k", "s"),
    Symbol("t_2", "first loss of bursts that last", "s", name="first_drop"),
)
_MANY_RUNS = "it is the least over all numbers of ports and all rates; `counting_rule` checks a run"
_COUNTER = (Symbol("c_{n2}", "counting number of C2", "bytes", aliases=("cn2",)),)
_TIMERS = (
    Symbol("TM_1", "how long C2 may take to its number", "s", optional=True, aliases=("tm1",)),
    Symbol("TM_2", "how long a port is uncontrolled", "s", optional=True, aliases=("tm2",)),
)
_PORTS = Symbol("P", "number of ports", domain="number")
_DURATION = Symbol("d", "duration of the bursts", "s")


def _overloads(R: Any, C: Any) -> Any:
    return R > C


def _fits(M: Any, N: Any, P: Any) -> Any:
    return M + N <= P


def _counted(c_n2: Any, alpha: Any, B: Any, C: Any, M: Any, N: Any, R: Any) -> Any:
    """C2 counts up to cn2 before DT would drop: Rule 2, (69)."""
    return edt_formulas.recognised(alpha, B, C, M, N, R, c_n2)


def _counted_in_time(TM_1: Any, c_n2: Any, R: Any, C: Any) -> Any:
    """TM1 is at least cn2 / (R - C)."""
    return c_n2 <= (R - C) * TM_1


def _full_in_time(TM_2: Any, c_n2: Any, alpha: Any, B: Any, C: Any, M: Any, N: Any, R: Any) -> Any:
    """TM2 does not expire before the buffer is full."""
    until, rate_bound = c_n2 / (R - C) + TM_2, dt_formulas.rate_bound(alpha, C, M, N)
    fast = (M * (R - C) - N * C) * until >= dt_formulas.initial_free(alpha, B, N)
    return ((rate_bound >= R) & (M * (R - C) * until >= B)) | ((rate_bound < R) & fast)


def _ratio(rho: Any) -> Any:
    return rho >= 1


_FITS = Formula("fits", _fits)
_SLOW = Formula("first_drop", lambda B, M, R, C: edt_formulas.slow_overflow(B, M, R - C))
_FAST = Formula("first_drop", lambda alpha, B, C, M, N, R: edt_formulas.fast_overflow(alpha, B, C, M, N, R - C))

theorem5 = Statement(
    "edt.thm5",
    "Theorem 5: first loss under EDT",
    _SYMBOLS,
    (lambda M, N, R, C: M <= edt_formulas.most_bursts(N, R, C),),
    ("port $k$ loses packets if $<d_k > first_drop>$",),
    formulas=(_SLOW,),
    given=(_overloads, _fits),
    source="DT/EDT paper, Section 4.3, Theorem 5, equations (79) and (80); the assumption is footnote 9",
    observe=runs.bursts_that_overflow,
)
"""Theorem 5 as printed."""

theorem5_corrected = Statement(
    "edt.ours.theorem5",
    "First loss under EDT, for every M and N",
    (*_SYMBOLS, *_COUNTER, *_TIMERS),
    (
        "all bursts last until then",
        "$<counting>$ is at most TM1 and at most the drop time of DT; TM2 does not expire before",
    ),
    given=(_overloads, _fits, _counted, _counted_in_time, _full_in_time),
    branches=(
        Branch(
            lambda R, alpha, C, M, N: R <= dt_formulas.rate_bound(alpha, C, M, N),
            ("the first packets are lost at $<first_drop>$, when all queues of steady ports are empty",),
            "(80)",
            (_SLOW,),
        ),
        Branch(
            lambda R, alpha, C, M, N: R > dt_formulas.rate_bound(alpha, C, M, N),
            ("the first packets are lost at $<first_drop>$, which is earlier if there are steady ports",),
            "",
            (_FAST,),
        ),
    ),
    notes=(Formula("counting", lambda c_n2, R, C: c_n2 / (R - C)),),
    source="own theorem, after Section 4.3 of the DT/EDT paper",
    observe=runs.bursts_under_edt,
)
"""Theorem 5 as corrected: the time of the overflow under EDT, without the assumption of footnote 9."""

counting_rule = Statement(
    "edt.eq69",
    "Rule 2: a burst is recognised before DT drops it",
    (*_SYMBOLS[:-2], *_COUNTER),
    ("bursts of one rate $<overloads>$ begin at time 0",),
    given=(_overloads, _fits),
    branches=(
        Branch(
            lambda R, alpha, C, M, N: R <= dt_formulas.rate_bound(alpha, C, M, N),
            (r"$<is c_n2>$",),
            "(69)",
            (Formula("c_n2", edt_formulas.growth_at_slow_drop, "<="),),
        ),
        Branch(
            lambda R, alpha, C, M, N: R > dt_formulas.rate_bound(alpha, C, M, N),
            (r"$<is c_n2>$",),
            "(69)",
            (
                Formula(
                    "c_n2",
                    lambda alpha, B, C, M, N, R: edt_formulas.growth_at_fast_drop(alpha, B, C, M, N, R - C),
                    "<=",
                ),
            ),
        ),
    ),
    source="DT/EDT paper, Section 4.2, (69)",
    observe=runs.growth_until_drop,
)

counting_limit = Statement(
    "edt.eq71.limit",
    "The counting number that fits the fastest burst",
    (*_SYMBOLS[:-3], *_COUNTER),
    ("faster and faster bursts",),
    (r"$<is c_n2>$",),
    formulas=(Formula("c_n2", edt_formulas.limit_of_growth, "<="),),
    given=(_fits,),
    source="DT/EDT paper, Section 4.2, (71)",
    no_run="it is a limit, of faster and faster bursts; `counting_rule` checks runs",
)

counting_number = Statement(
    "edt.eq73",
    "Rule 3: the counting number cn2",
    (*_SYMBOLS[:2], _PORTS, *_SYMBOLS[4:6], *_COUNTER),
    ("bursts of one rate that begin together, for every rate above $C$ and every $<fits>$",),
    (r"$<is c_n2>$ is the largest that obeys Rule 2",),
    formulas=(Formula("c_n2", edt_formulas.cn2_paper),),
    notes=(_FITS,),
    source="DT/EDT paper, Section 4.2, (73)",
    no_run=_MANY_RUNS,
)

counting_number_corrected = Statement(
    "edt.ours.cn2",
    "The counting number cn2 for whole numbers of ports",
    (*_SYMBOLS[:2], _PORTS, *_SYMBOLS[4:6], *_COUNTER),
    ("bursts of one rate that begin together, for every rate above $C$ and all whole $M$ and $N$ with $<fits>$",),
    (r"$<is c_n2>$ is the largest that obeys Rule 2",),
    formulas=(Formula("c_n2", edt_formulas.cn2_integer),),
    notes=(_FITS,),
    source="own theorem, after the DT/EDT paper, Section 4.2",
    no_run=_MANY_RUNS,
)

counting_number_ratio = Statement(
    "edt.ours.cn2-ratio",
    "A counting number cn2 for bursts of different rates",
    (*_SYMBOLS[:2], _PORTS, *_SYMBOLS[4:6], Symbol(r"\rho", "greatest ratio of two bursts' rates above C"), *_COUNTER),
    (
        r"bursts that begin together, none offered more above $C$ than $\rho$ times what another is, and $<fits>$",
        r"TM1 and TM2 do not expire before the slowest one has grown by $c_{n2}$",
    ),
    (r"a $<is c_n2>$ obeys Rule 2",),
    given=(_ratio,),
    formulas=(Formula("c_n2", edt_formulas.cn2_ratio, "<="),),
    notes=(_FITS,),
    source="own theorem, after the DT/EDT paper, Section 4.2, (73)",
    no_run=_MANY_RUNS,
)

counter_ranges = Statement(
    "edt.ours.counter-ranges",
    "The ranges of EDT's counters",
    (
        Symbol("C_1", "packets counted towards control", "", "count"),
        Symbol("c_{n1}", "counting number of C1", "", "number"),
        Symbol("C_2", "bytes counted towards freedom", "bytes", "nonnegative"),
        *_COUNTER,
    ),
    ("after every event, in every reading, for every TM1 and TM2",),
    ("$<is C_1>$", "$<is C_2>$", "$C_2$ is 0 while the port is uncontrolled"),
    formulas=(Formula("C_1", lambda c_n1: c_n1, "<"), Formula("C_2", lambda c_n2: c_n2, "<")),
    source="own theorem, on the DT/EDT paper, Section 4",
    no_run="it speaks of counters of packets; dtmodel.trace runs them",
)

slow_rate = Statement(
    "edt.eq77",
    "The rate up to which a burst needs no help",
    (*_SYMBOLS[:2], _PORTS, _DURATION, Symbol("R - C", "growth of a burst's queue", "bytes/s", name="growth")),
    ("bursts of one rate that begin together and last $d$",),
    ("nothing is lost if $<is growth>$",),
    formulas=(Formula("growth", edt_formulas.growth_limit, "<="),),
    source="DT/EDT paper, Section 4.2, (77)",
    observe=runs.slowest_growth,
)

first_timer = Statement(
    "edt.eq78",
    "The timer TM1",
    (_SYMBOLS[0], _PORTS, _DURATION, Symbol("TM_1", "how long C2 may take to its number", "s")),
    ("$c_{n2}$ by (73), bursts that last $d$",),
    ("$<is TM_1>$",),
    formulas=(Formula("TM_1", edt_formulas.tm1_paper),),
    source="DT/EDT paper, Section 4.2, (78)",
    observe=runs.time_to_count,
)

second_timer = Statement(
    "edt.eq81",
    "The timer TM2 and d",
    (
        *_SYMBOLS[1:3],
        Symbol("R_{min}", "rate of the smoothest burst", "bytes/s"),
        Symbol("d_{mb}", "how long most bursts last", "s"),
        _DURATION,
        Symbol("TM_2", "how long a port is uncontrolled", "s"),
    ),
    (lambda R_min, C: R_min > C,),
    (r"$<is d>$", "$TM_2$ set to $d$ never expires before a burst has ended or filled the buffer"),
    formulas=(
        Formula("d", edt_formulas.smallest_duration, ">="),
        Formula("TM_2", edt_formulas.smallest_duration, ">="),
    ),
    source="DT/EDT paper, Section 4.4, (81)",
    observe=runs.burst_that_fills,
)


def _reflection() -> tuple[Any, ...]:
    """Return the excess of the steady queues over the threshold, as a functional of Z."""
    import sympy

    t, s = sympy.Symbol("t", nonnegative=True), sympy.Symbol("s", nonnegative=True)
    Z, least = sympy.Function("Z", real=True), sympy.Function("inf")
    e = sympy.Symbol("e", nonnegative=True)
    return (sympy.Eq(e, Z(t) - least(Z(s), s, 0, t)),)


def _first_of_any(
    alpha: Fraction, B: Fraction, C: Fraction, N: Fraction, R_i: list[Pieces], R_b: Pieces | None, until: Fraction
) -> Evaluated:
    """Return the first drop of bursts of any rates; None if there is none before `until`."""
    found = varying_first_drop(Shared(alpha, B, C, int(N), R_b), R_i, until)
    return first_drop_at(*(found or (None, None)))


_EXCEEDS = "the first byte is lost at the infimum of the times at which the queue of an arriving burst exceeds $T$"
varying_rates = Statement(
    "edt.ours.first-drop",
    "The threshold beside arrivals that vary in any way",
    (
        *_SYMBOLS[:3],
        _SYMBOLS[5],
        Symbol(
            "R_i(t)", "arrival rates of the bursts", "bytes/s", "pieces", "R_i", many=True, aliases=("burst_rates",)
        ),
        BACKGROUND,
        Symbol("t_e", "end of the time that is examined", "s", "nonnegative", name="until"),
        Symbol("t", "time", "s", "nonnegative"),
        Symbol("S", "sum of the queues with bursts", "bytes", "nonnegative"),
        Symbol("e", "how far the steady ports lie above the threshold: $Z$ less its minimum", "bytes", "nonnegative"),
        Symbol("Z", "along which $e$ moves while the steady ports drain", "bytes", "real"),
        Symbol("T", "threshold", "bytes", "real"),
    ),
    (r"the steady ports are offered enough to follow a rising threshold; no burst has lost a byte",),
    ("$<is Z>$", "$<is T>$", _EXCEEDS),
    formulas=(Formula("Z", varying_formulas.excess_line), Formula("T", varying_formulas.threshold_beside)),
    relations=_reflection,
    source="own theorem, on the DT/EDT paper, Section 3.3",
    along=_first_of_any,
    observe=runs.any_arrivals,
)
