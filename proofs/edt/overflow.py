"""After the overflow of EDT: steady ports that cannot follow the rising threshold; proofs."""

import sympy as sp

from dtmodel.derive import derive
from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import smt
from dtmodel.theory.dt import formulas as dt
from dtmodel.theory.edt import formulas as edt

from .derivation import B, C, M, N, alpha, free_slope, r, same

v, x = sp.symbols("v x", nonnegative=True)
n = sp.Symbol("n", positive=True)
"""What a steady port is offered above C, a time, and N >= 1."""

COMMON = edt.growth_at_slow_drop(alpha, B, M, N)


def lagging(held: sp.Expr) -> None:
    """Certify the motion from the instant at which N ports that hold `held` meet the threshold while M ports drain.

    While the bursts drain F' = M C - N v, and a port that grows at v <= alpha M C / (1 + alpha N) stays below alpha F;
    then the bursts follow the threshold, which falls slower than C, and such a port is below it up to the common
    length.
    """
    rise = edt.rising_threshold(alpha, C, M, N)
    drains = free_slope(N * v, M, 0)
    same(drains, M * C - N * v, "F' while the bursts drain")
    same((alpha * drains - v) / (1 + alpha * N), rise - v, "how the threshold moves away from a port that lags")
    follows = free_slope(N * v, 0, M)
    same(follows, -N * v / (1 + alpha * M), "F' while the bursts follow")
    smt.prove([v * (1 + alpha * n) <= alpha * M * C], alpha * n * v <= (1 + alpha * M) * C)
    free = (B - N * (held + v * x)) / (1 + alpha * M)
    gap = alpha * free - (held + v * x)
    same(
        gap * (1 + alpha * M) / (1 + alpha * (M + N)),
        COMMON - held - v * x,
        "below the threshold up to the common length",
    )


@evidence("edt.ours.steady-uncontrolled", form="printed", strength="smt")
@evidence("edt.ours.steady-uncontrolled.any", form="printed", strength="smt")
def a_port_that_lags_counts_up_to_the_common_length() -> Outcome:
    """From V the steady queues drain to the threshold; what they then grow by without a loss is the bound on cn2.

    Ports that follow lose v - alpha M C / (1 + alpha N) > 0 all the time; where the bursts are the shorter queues,
    these meet the threshold first, and the steady ports only drain. A counter that grows at v is full in time iff
    v TM1 >= cn2.
    """
    V, own, tm1, cn2, rate = sp.symbols("V own TM1 c_n2 rate", positive=True)
    drained = edt.drained_to_threshold(alpha, C, M + N, V)
    meets = V - C * drained
    same(meets, alpha * (M + N) * C * drained, "the meeting")
    same(COMMON - meets, edt.growth_to_common(alpha, B, M, N, V), "what they grow by")
    lagging(meets)
    lagging(sp.Integer(0))
    same(COMMON, edt.growth_to_common(alpha, B, M, N, 0), "slow bursts")
    smt.prove([own <= V, sp.Eq(M * own + n * V, B)], (M + n) * V >= B)
    smt.prove([own > V, sp.Eq(M * own + n * V, B)], (M + n) * V < B)
    found = smt.prove([rate * tm1 < cn2, x <= tm1], rate * x < cn2)
    return found.proved("full at cn2 / (R_b - C) after the meeting, if it gets full at all")


@evidence("edt.ours.steady-take-all", "edt.ours.steady-peak", "edt.ours.alternation", form="printed", strength="smt")
def uncontrolled_they_grow_until_the_buffer_is_theirs() -> Outcome:
    """F = (B - N v u) / (1 + alpha M) once the bursts follow: 0 at u = B / (N v); each then holds B / N = T_2.

    By then the bursts have met the threshold, and are empty. A port that returns to the controlled state at u loses iff
    v u is at least the common length; else it counts again. With the groups exchanged the same holds from there on.
    """
    rate, u = sp.symbols("v u", positive=True)
    lagging(sp.Integer(0))
    full = edt.slow_overflow(B, N, rate)
    same((B - N * rate * x).subs(x, full), 0, "F")
    same(rate * full, B / N, "T_2")
    lags = rate * (1 + alpha * n) <= alpha * M * C
    smt.prove([lags], n * rate < M * C)  # so that B / M - C u is below 0 at u = B / (N v): the bursts have met it
    smt.prove([lags, r * (1 + alpha * M) <= alpha * n * C], [M * r < (1 + alpha * n) * C / alpha])  # slow, too
    same(rate * edt.slow_overflow(B, M, rate), B / M, "and the other group")
    found = smt.prove(
        [rate * u * (1 + alpha * (M + n)) >= alpha * B], rate * u * (1 + alpha * M) >= alpha * (B - n * rate * u)
    )
    return found.proved("a controlled port is on or above the threshold from the common length on")


@evidence("edt.ours.constant-rates", form="printed", strength="smt")
def a_port_that_outgrows_every_threshold_stays_controlled() -> Outcome:
    """On its threshold a busy port has Q' = alpha F', and F' + Q' is at most S, the rates of the others together.

    It grows by more than alpha S / (1 + alpha) below its threshold, so it never leaves the threshold downwards, and
    counts nothing. Of k ports that have lost nothing since they became controlled, one with less than B / k grows,
    since T_2 = B / n is at least that, up to the instant at which each holds B / k: the buffer is full then, and
    overflows or T_1 = 0. So one of them more is controlled for good after at most B / (k delta); then DT settles within
    B / delta.
    """
    growth, others, slope, rate, shortest = sp.symbols("r S s delta l", positive=True)
    outgrows = growth * (1 + alpha) > alpha * others
    smt.prove([outgrows, slope + alpha * slope <= others], growth > alpha * slope)
    smt.prove([outgrows, slope + growth <= others], growth > alpha * slope)
    k, uncontrolled = sp.symbols("k n", positive=True)
    smt.prove([uncontrolled <= k, shortest * k < B], shortest * uncontrolled < B)
    rounds = sum(B / (size * rate) for size in (1, 2, 3)) + B / rate
    found = smt.prove([rate > 0, B > 0], rounds <= 4 * B / rate)
    return found.proved("a busy port that has lost a byte while controlled loses bytes from then on")


@evidence("edt.ours.alternation.approached", form="printed", strength="symbolic")
def the_distance_from_the_cycle_is_halved_and_turned() -> Outcome:
    """From lengths of 6 - d and 1 + d / 2, all counters 0, the ports hold 1 - d / 4 and 6 + d / 2 after 10 seconds.

    They are in each other's place then, with -d / 2 for d: the port that returns has not counted, and the other one
    loses bytes on its threshold. At t = 10 they hold 5 and 3/2, with d = 1.
    """
    arrivals = [["0", "3/2"]]
    family = {
        "symbols": {"y": ">= 0, <= 2"},  # 1 + d
        "policy": {"name": "edt", "alpha": "1", "cn2": "1", "tm2": "8"},
        "switch": {"buffer": "8", "rate": "1"},
        "ask": [{"length": 0, "at": "10"}, {"length": 1, "at": "10"}, {"threshold": 0, "at": "10"}],
    }
    lengths = {"returns": "7 - y", "controlled": "(1 + y)/2"}
    theorem = derive({**family, "queues": [{"arrivals": arrivals, "initial": each} for each in lengths.values()]})
    check(theorem.complete and len(theorem.cases) == 1, f"{theorem.open}, {len(theorem.cases)} cases")
    said, y = theorem.document()["cases"][0], sp.Symbol("y")
    same(sp.sympify(said["length_0"]), 1 - (y - 1) / 4, "the port that was controlled for 8 s is on its threshold")
    same(sp.sympify(said["length_1"]), 6 + (y - 1) / 2, "the port that returns")
    same(sp.sympify(said["threshold"]), 1 - (y - 1) / 4, "T = F")
    return Proved("d becomes -d / 2 in each 10 seconds", {"y": "1"}, ["y >= 0"])


@evidence("edt.ours.steady-uncontrolled.at-2C", form="printed", strength="smt")
def at_twice_the_rate_one_burst_more_is_needed() -> Outcome:
    """With alpha = 1 and r = C slow means M <= N + 1, lagging M >= N + 1, growing M < N + 2 for fast bursts."""
    bursts, steady, left = sp.symbols("M N V", positive=True)
    rise, bound = edt.rising_threshold(1, C, bursts, steady), dt.rate_bound(1, C, bursts, steady)
    same((rise - C) * (1 + steady), (bursts - steady - 1) * C, "what a port lags by")
    same((bound - 2 * C) * bursts, (1 + steady - bursts) * C, "slow")
    fast = edt.fast_overflow(1, B, C, bursts, steady, C)
    held = edt.left_at_overflow(1, B, C, steady, fast)
    grown = edt.growth_to_common(1, B, bursts, steady, left) * (1 + bursts + steady)
    same(
        B - (bursts + steady) * held, B * bursts * (steady + 2 - bursts) / ((1 + steady) * (bursts - steady)), "growth"
    )
    same(grown, B - (bursts + steady) * left, "what they grow by, times 1 + M + N")
    whole, others = sp.symbols("M N", integer=True)
    found = smt.prove([whole > others + 1, others >= 1], whole >= others + 2)
    return found.proved("for whole numbers only M = N + 1 is left")
