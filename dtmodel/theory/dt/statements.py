"""Theorems 1, 2 and 3 of the DT/EDT paper as objects: as printed, and corrected where necessary.

Their mathematics is in `dtmodel.theory.dt.formulas`, with which `evaluate` computes. A printed theorem refuses inputs
outside its assumptions; a corrected one takes rates in any order, and bursts that lose nothing.

>>> from dtmodel import Switch
>>> switch = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
>>> print(theorem1.evaluate(switch, alpha=1, steady=2, bursts=1, burst_rate="2 Gbps"))
first_drop = 2 ms (1/500 s), free_at_first_drop = 250 KB, case a
>>> theorem1_corrected.evaluate(switch, alpha=1, N=2, bursts=2, R="2 Gbps", durations=["2 ms", "9 ms"]).drops
(True, True)
>>> theorem3_corrected.evaluate(Switch(4, 12, 1), alpha=1, N=1, burst_rates=[2, 9, 1]).first_drop
[Fraction(3, 1), Fraction(3, 8), never]
>>> theorem1.cases[0].conclusions
(Eq(t_1, B*alpha/((-C + R)*(alpha*(M + N) + 1))), Eq(F, B/(alpha*(M + N) + 1)))
"""

from collections.abc import Callable
from typing import Any

from dtmodel.theorems.quantities import Symbol
from dtmodel.theorems.statement import Branch, Formula, Statement
from dtmodel.theory.dt import drops, formulas, series
from dtmodel.theory.dt.runs import bursts_of_many_rates, bursts_of_one_rate

SYMBOLS = (
    Symbol(r"\alpha", "control parameter of DT"),
    Symbol("B", "shared buffer", "bytes"),
    Symbol("C", "rate of every port", "bytes/s"),
    Symbol("P", "number of ports", domain="number", optional=True),
    Symbol("M", "ports that a burst reaches at time 0", domain="number", aliases=("bursts",)),
    Symbol("N", "ports in steady state before, each offered at least $C$", domain="count", aliases=("steady",)),
)

_DURATION = Symbol(
    "d_k", "duration of the burst at port $k$", "s", "nonnegative", many=True, optional=True, aliases=("durations",)
)

_ONE = (
    Symbol("R", "arrival rate of every burst", "bytes/s", aliases=("burst_rate",)),
    _DURATION,
    Symbol("t_1", "first drop, if the bursts last longer", "s", name="first_drop"),
    Symbol("F", "free buffer then", "bytes", name="free_at_first_drop"),
)

_MANY = (
    Symbol("k", "a port with a burst, in the order of the rates", domain="number"),
    Symbol("R", "arrival rates of the bursts, in this order", "bytes/s", many=True, aliases=("burst_rates",)),
    Symbol("R_k", "arrival rate of the burst at port $k$", "bytes/s", series=("R", 0)),
    Symbol("R_{k+1}", "that of the next", "bytes/s", series=("R", 1), name="R_next"),
    _DURATION,
    Symbol("t_k", "when queue $k$ first meets the threshold", "s", series=("t", 0), name="first_drop"),
    Symbol("t_{k-1}", "when the queue before it did; 0 for the first", "s", "nonnegative", "before", series=("t", -1)),
    Symbol("F_k", "free buffer at $t_k$", "bytes", series=("F", 0), name="free_at_first_drop"),
    Symbol("F_{k-1}", "free buffer at $t_{k-1}$", "bytes", series=("F", -1), name="free_before"),
    Symbol("G_k", "$<slower>$", "bytes/s", series=("G", 0)),
    Symbol("G_1", "rate at which all of them grow together", "bytes/s"),
    Symbol("F_0", "free buffer before the bursts", "bytes", name="free_0"),
)

_SETTING = (
    r"a switch of $P$ ports of rate $C$ shares a buffer $B$ under DT with $<in alpha>$",
    "at time 0 $N$ further ports are in steady state, the others empty; $<in M>$, $<in N>$, $<fits>$",
)
_ONE_RATE = r"bursts of one rate $<overloads>$ begin at time 0 at ports $1, \dots, M$"
_MANY_RATES = (
    r"bursts begin at time 0 at ports $1, \dots, M$",
    lambda R_k, C: R_k > C,
    lambda R_k, R_next: R_k >= R_next,
)
_QUIET = "a burst of rate at most $C$ loses nothing, and the others do as they would without it"
_OTHERS_LAST = "every other burst lasts longer than that"


def _overloads(R: Any, C: Any) -> Any:
    return R > C


def _fits(M: Any, N: Any, P: Any) -> Any:
    return M + N <= P


def _one_rate_cases(loses: str) -> tuple[Branch, ...]:
    says = (f"{loses} $<d_k > first_drop>$", "then $<is free_at_first_drop>$")
    slow = (
        Formula("first_drop", lambda alpha, B, M, N, R, C: formulas.slow_drop_time(alpha, B, M, N, R - C)),
        Formula("free_at_first_drop", formulas.slow_free),
    )
    fast = (
        Formula("first_drop", lambda alpha, B, C, M, N, R: formulas.fast_drop_time(alpha, B, C, M, N, R - C)),
        Formula("free_at_first_drop", lambda alpha, B, C, M, N, R: formulas.fast_free(alpha, B, C, M, N, R - C)),
    )
    return (
        Branch(lambda R, alpha, C, M, N: R <= formulas.rate_bound(alpha, C, M, N), says, "(2)-(5)", slow),
        Branch(lambda R, alpha, C, M, N: R > formulas.rate_bound(alpha, C, M, N), says, "(6)-(9)", fast),
    )


def _falls(R: Any) -> Any:
    """Rates that do not increase: R_1 >= ... >= R_M."""
    return series.falling(R)


def _all_overload(R: Any, C: Any) -> Any:
    """Rates with R_k > C."""
    return series.exceeding(R, C)


def _all_fit(R: Any, N: Any, P: Any) -> Any:
    """Rates of at most P - N ports."""
    return len(R) + N <= P


def _follows(R: Any, alpha: Any, C: Any, N: Any) -> Any:
    """Rates that exceed C by at most (1 + alpha N) C / alpha in sum."""
    return series.whole_growth(C, R) <= formulas.growth_bound(alpha, C, N)


def _outruns(R: Any, alpha: Any, C: Any, N: Any) -> Any:
    """Rates that exceed C by more than (1 + alpha N) C / alpha in sum."""
    return formulas.drains(alpha, C, N, series.whole_growth(C, R))


def _all_follow(R: Any) -> tuple[str, ...]:
    """Return the case of each port under rates at which all queues follow the threshold."""
    return ("follow",) * len(R)


def _growths(R: Callable[[Any], Any], k: Any, C: Any, M: Any) -> Any:
    """Return the rate at which the queues of ports k to M grow together."""
    import sympy

    i = sympy.Symbol("i", integer=True)
    return sympy.Sum(R(i) - C, (i, k, M))


def _slower(k: Any, C: Any, M: Any) -> Any:
    """Return the growth of ports k to M as a sum with an index."""
    import sympy

    return _growths(lambda i: sympy.Symbol(f"R_{i}"), k, C, M)


def _sums() -> tuple[Any, ...]:
    """Return the recursion of G, and the initial values of t and F."""
    import sympy

    at = {symbol.name: symbol.sympy for symbol in (*SYMBOLS, *_MANY)}
    k, R, G, F, t = at["k"], *(at[name].func for name in ("R_k", "G_k", "free_at_first_drop", "first_drop"))
    return (
        sympy.Eq(G(k), _growths(R, k, at["C"], at["M"])),
        sympy.Eq(F(0), formulas.initial_free(at["alpha"], at["B"], at["N"])),
        sympy.Eq(t(0), 0, evaluate=False),
    )


def _growth_sum() -> tuple[Any, ...]:
    return _sums()[:1]


_GIVEN = (_all_overload, _falls, _all_fit)
_START = Formula("free_0", formulas.initial_free)
_NOTES = (
    Formula("fits", _fits),
    Formula("lasts", lambda d_k, first_drop: d_k > first_drop),
    Formula("slower", _slower),
)
_FOLLOW_RECURSION = (
    Formula(
        "first_drop",
        lambda alpha, N, k, R_k, C, G_k, before, free_before: formulas.printed_follow_time(
            alpha, N + k - 1, R_k - C, G_k, (before, free_before)
        ),
    ),
    Formula(
        "free_at_first_drop",
        lambda alpha, N, k, G_k, before, free_before, first_drop: formulas.printed_follow_free(
            alpha, N + k - 1, G_k, (before, free_before), first_drop
        ),
    ),
)
_DRAIN_RECURSION = (
    Formula(
        "first_drop",
        lambda alpha, C, N, k, R_k, G_k, before, free_before: formulas.printed_drain_time(
            alpha, C, N + k - 1, R_k - C, G_k, (before, free_before)
        ),
    ),
    Formula(
        "free_at_first_drop",
        lambda C, N, k, G_k, before, free_before, first_drop: formulas.printed_drain_free(
            C, N + k - 1, G_k, (before, free_before), first_drop
        ),
    ),
)
_NO_RECURSION = (
    Formula(
        "first_drop", lambda alpha, B, N, k, R_k, C, G_k: formulas.follow_drop_time(alpha, B, N + k - 1, R_k - C, G_k)
    ),
    Formula(
        "free_at_first_drop",
        lambda alpha, B, N, k, R_k, C, G_k: formulas.follow_free(alpha, B, N + k - 1, R_k - C, G_k),
    ),
)
_RECURSION = ("$<is first_drop>$", "$<is free_at_first_drop>$, $<is free_0>$")
_PORT_DROPS = "port $k$ loses bytes if $<lasts>$"
_L = Symbol("L", "the last $k$ with $<G_k > bound_k>$", domain="count")


def _ports(drop: Any, free: Any = series.free_at_drops) -> tuple[Branch, ...]:
    """Return the formulas of both results, port by port; F is computed from t unless given."""
    return (Branch("", formulas=(Formula("first_drop", drop), Formula("free_at_first_drop", free))),)


theorem1 = Statement(
    id="edt.thm1",
    title="Theorem 1 (as printed)",
    symbols=(*SYMBOLS, *_ONE),
    assumes=(*_SETTING, _ONE_RATE),
    given=(_overloads, _fits),
    branches=_one_rate_cases("port $k$ loses bytes if"),
    source="DT/EDT paper, Section 3.1, equations (2)-(11)",
    decides=drops.printed_alike,
    observe=bursts_of_one_rate,
)

theorem1_corrected = Statement(
    id="edt.ours.theorem1",
    title="Theorem 1 (corrected)",
    symbols=(*SYMBOLS, *_ONE),
    assumes=(*_SETTING, _ONE_RATE, _QUIET, _OTHERS_LAST),
    given=(_fits, _overloads),
    branches=_one_rate_cases("port $k$ loses bytes if and only if"),
    source="own theorem, after the DT/EDT paper, Section 3.1",
    beyond=drops.if_overloaded,
    decides=drops.decided_alike,
    observe=bursts_of_one_rate,
)

theorem2 = Statement(
    id="edt.thm2",
    title="Theorem 2 (as printed)",
    symbols=(*SYMBOLS, *_MANY),
    assumes=(*_SETTING, *_MANY_RATES, lambda G_1, alpha, C, N: G_1 <= formulas.growth_bound(alpha, C, N)),
    given=(*_GIVEN, _follows),
    says=(_PORT_DROPS, *_RECURSION),
    formulas=_FOLLOW_RECURSION,
    notes=(*_NOTES, _START),
    relations=_sums,
    sequence=_ports(
        lambda alpha, B, C, N, R: [time for time, _ in series.recursive_follows(alpha, B, C, N, R)],
        lambda alpha, B, C, N, R: [free for _, free in series.recursive_follows(alpha, B, C, N, R)],
    ),
    source="DT/EDT paper, Section 3.2, equations (13)-(29)",
    by_port=_all_follow,
    decides=drops.printed,
    observe=bursts_of_many_rates,
)

theorem2_corrected = Statement(
    id="edt.ours.theorem2",
    title="Theorem 2 (corrected, without recursion)",
    symbols=(*SYMBOLS, *_MANY),
    assumes=(
        *_SETTING,
        *_MANY_RATES,
        lambda G_1, alpha, C, N: G_1 <= formulas.growth_bound(alpha, C, N),
        _OTHERS_LAST,
    ),
    given=(*_GIVEN[::-1], _follows),
    says=("port $k$ loses bytes if and only if $<lasts>$", "$<is first_drop>$", "$<is free_at_first_drop>$"),
    formulas=_NO_RECURSION,
    notes=_NOTES,
    relations=_growth_sum,
    sequence=_ports(series.closed_follow_times, series.closed_follow_frees),
    source="own theorem, after the DT/EDT paper, Section 3.2",
    beyond=drops.in_order_of_rates,
    by_port=_all_follow,
    decides=drops.decided,
    observe=bursts_of_many_rates,
)

theorem3 = Statement(
    id="edt.thm3",
    title="Theorem 3 (as printed)",
    symbols=(*SYMBOLS, *_MANY, _L),
    assumes=(*_SETTING, *_MANY_RATES, lambda G_1, alpha, C, N: G_1 > formulas.growth_bound(alpha, C, N)),
    given=(*_GIVEN, _outruns),
    says=("for $k$ from 1 to $L$ " + _PORT_DROPS, *_RECURSION),
    formulas=_DRAIN_RECURSION,
    notes=(*_NOTES, _START, Formula("bound_k", lambda alpha, C, N, k: formulas.growth_bound(alpha, C, N + k - 1))),
    relations=_sums,
    sequence=_ports(series.stage_times),
    source="DT/EDT paper, Section 3.2, equations (30)-(41)",
    by_port=lambda first_drop: tuple(time and "drain" for time in first_drop),
    decides=drops.printed,
    observe=bursts_of_many_rates,
)


def _accounted(alpha: Any, C: Any, N: Any, k: Any, R_k: Any, G_k: Any, first_drop: Any, free_0: Any) -> Any:
    """Return the sum of all queues and the free buffer when port k meets the threshold, with a sum over ports."""
    import sympy

    def above(length: Any, drained: Any) -> Any:
        j = sympy.Symbol("j", integer=True)
        if isinstance(first_drop, sympy.Symbol):
            earlier = sympy.Symbol("R_j") * sympy.Symbol("t_j")
        else:
            earlier = R_k.func(j) * first_drop.func(j)
        lines = sympy.Sum(sympy.Max(length, earlier - drained), (j, 1, k - 1))
        return N * sympy.Max(length, alpha * free_0 - drained) + lines

    return formulas.accounted(alpha, C, (R_k - C, G_k), above, first_drop)


theorem3_corrected = Statement(
    id="edt.ours.theorem3",
    title="First drops under DT: every port, every mixture of regimes",
    symbols=(*SYMBOLS, *_MANY),
    assumes=(*_SETTING, *_MANY_RATES, _QUIET, _OTHERS_LAST),
    given=_GIVEN[::-1],
    says=(
        "port $k$ loses bytes if and only if $<lasts>$, where $t_k$ is the one root at or after $t_{k-1}$ of",
        "$<is B>$",
        "the free buffer is then $<is free_at_first_drop>$",
    ),
    formulas=(
        Formula("B", _accounted),
        Formula(
            "free_at_first_drop", lambda alpha, R_k, C, first_drop: formulas.free_at_drop(alpha, R_k - C, first_drop)
        ),
    ),
    notes=_NOTES,
    relations=_growth_sum,
    sequence=_ports(series.meeting_times),
    source="own theorem; the DT/EDT paper, Section 3.2, has the ports up to L",
    beyond=drops.in_order_of_rates,
    by_port=drops.regimes,
    decides=drops.decided,
    observe=bursts_of_many_rates,
)
