"""Section 5.3: the settings of the testbed, the rate limiter, and the rule of admission; arithmetic of Section 5.2."""

from __future__ import annotations

from fractions import Fraction
from math import exp, floor, log, sqrt

import sympy as sp

from dtmodel.ledger import Agrees, Conflict, Outcome, Proved, check, evidence
from dtmodel.policies import Threshold, ThresholdAdmission
from dtmodel.provers import smt
from dtmodel.theory import edt_formulas
from dtmodel.theory.edt import Bursts, EdtSettings, edt_drop_time

from .edt_common import refutes
from .edt_pictures import MS

F = Fraction
KB, KIB = F(256_000), F(256 * 1024)
RATE = F(999_000_000, 8)


def sizes_that_give(bound: Fraction, number: int) -> list[int]:
    """Packet sizes for which the bound, rounded down to packets, is `number`."""
    return [size for size in range(64, 9001) if floor(bound / size) == number]


@evidence("edt.sec5.3.cn2", form="printed", strength="exact")
def with_packets_of_1500_bytes_it_is_not_20() -> Outcome:
    """18.96 for 256,000 bytes, 19.42 for 256 KiB: neither rounds to 20."""
    values = {"alpha": 1, "KB": 256_000, "KiB": 262_144, "P": 4, "packet": 1500}
    largest = "4*alpha*max(KB, KiB) / (2 + alpha*P)**2 / packet"
    return refutes(values, [], f"{largest} >= 20 - 1/2", "19.42 packets at most")


@evidence("edt.sec5.3.cn2", form="assumed", strength="exact")
def with_packets_of_about_1400_bytes_it_is() -> Outcome:
    """The sizes that give 20 here, and those that give 8 in Section 5.1 as well."""
    here = {name: edt_formulas.cn2_paper(F(1), buffer, 4) for name, buffer in (("KB", KB), ("KiB", KIB))}
    there = {"KB": edt_formulas.cn2_paper(F(1), F(10**6), 16), "KiB": edt_formulas.cn2_paper(F(1), F(2**20), 16)}
    twenty = {name: sizes_that_give(bound, 20) for name, bound in here.items()}
    both = {name: [size for size in sizes_that_give(there[name], 8) if size in twenty[name]] for name in here}
    check([(s[0], s[-1]) for s in twenty.values()] == [(1355, 1422), (1388, 1456)], "sizes for 20")
    ends = [(s[0], s[-1]) for s in both.values()]
    check(ends == [(1372, 1422), (1439, 1456)] and 1448 in both["KiB"], "sizes for both")
    return Agrees(4 * 8937, "every packet size from 64 to 9000 bytes, both meanings of KB")


@evidence("edt.sec5.3.tm1", "edt.sec5.3.tm2", form="printed", strength="exact")
def tm1_is_20_36ths_of_10_ms() -> Outcome:
    """Equation (78) in the rounding interval of 5.56 ms, from the same d as TM2."""
    value = edt_formulas.tm1_paper(F(1), 4, 10 * MS) / MS
    check(value == F(50, 9) and abs(value - F("5.56")) <= F(1, 200), f"{float(value)} ms")
    return Agrees(1, "the single value")


@evidence("edt.sec5.3.rate", form="printed", strength="exact")
def the_buffer_fills_in_two_milliseconds() -> Outcome:
    """B / C for both meanings of KB."""
    for buffer in (KB, KIB):
        bound = edt_formulas.d_bound(buffer, RATE, 2 * RATE)
        check(2 * MS < bound < F(21, 10) * MS < 10 * MS, f"{float(bound / MS)} ms")
    return Agrees(2, "both meanings of KB")


@evidence("edt.sec5.3.rate-limiter", form="printed", strength="smt")
def the_rate_limiter_limits_the_rate() -> Outcome:
    """By induction: the bytes sent up to a packet, without it, are at most R times the time since the first."""
    sent, now, size, later, R = sp.symbols("sent now size later R", positive=True)
    known = [sent <= R * now, (later - now) * R >= size]
    return smt.prove(known, sent + size <= R * later).proved("each packet buys its own time")


@evidence("edt.sec5.3.queues-hold-packets", form="printed", strength="smt")
def a_receive_queue_that_is_served_faster_stays_empty() -> Outcome:
    """A queue offered less than it is served does not grow."""
    offered, served, slope = sp.symbols("offered served slope", real=True)
    return smt.prove([offered < served, sp.Eq(slope, offered - served)], slope < 0).proved("it empties, and stays so")


@evidence("edt.sec5.3.admission", form="printed", strength="exact")
def the_two_rules_of_admission_differ_at_equality() -> Outcome:
    """A queue of 3 with 3 bytes free and alpha = 1: Section 2.3 drops, Section 5.3 admits."""
    strict = ThresholdAdmission([Threshold(F(1))]).admits(0, 3, 3, 0)
    larger_only = not 3 > 1 * 3
    check(strict != larger_only, "the decisions differ")
    return Conflict("edt.sec2.3.admission@strict", "one drops at equality, the other admits", {"Q": 3, "T": 3})


@evidence("edt.sec5.2.bursts", "edt.sec5.2.load", "edt.sec5.2.twice", form="printed", strength="exact")
def the_loads_add_up_to_20_percent() -> Outcome:
    """2 Gbps for 2 of 60 ms are 66.7 Mbps; 0.133 Gbps more are 199.7 Mbps, all within the rounding of 0.133."""
    burst = F(2) * F(2, 60)
    check(burst == F(1, 15), "bursts")
    for background in (F("0.1325"), F("0.1335")):
        check(abs(burst + background - F("0.2")) < F("0.001") and abs(background / burst - 2) < F("0.013"), "the sum")
    return Agrees(2, "both ends of the rounding interval")


@evidence("edt.sec5.2.lognormal", form="printed", strength="symbolic")
def a_lognormal_with_equal_mean_and_deviation() -> Outcome:
    """Mean exp(m + s^2 / 2), variance (exp(s^2) - 1) mean^2: equal to mean^2 iff s^2 = ln 2."""
    square = sp.Symbol("s2", positive=True)
    check(sp.solve(sp.Eq(sp.exp(square) - 1, 1), square) == [sp.log(2)], "one solution")
    sigma = sqrt(log(2))
    mean = exp(log(2.0) - sigma * sigma / 2 + sigma * sigma / 2)
    check(abs(mean - 2.0) < 1e-12, "the mean")
    return Proved("exp(s^2) = 2 has one solution", {"mean": "2 ms", "s^2": "ln 2"})


@evidence("edt.sec5.2.d-bound", form="printed", strength="exact")
def a_megabyte_at_a_gigabit_is_8_ms() -> Outcome:
    """B / (2 C - C)."""
    check(edt_formulas.d_bound(F(10**6), F(125 * 10**6), F(250 * 10**6)) == 8 * MS, "8 ms")
    return Agrees(1, "the single value")


@evidence("edt.fig18.label", form="printed", strength="exact")
def one_panel_is_named_for_two_parameters() -> Outcome:
    """There are two panels: the first is named for d, so the other parameter is in the second."""
    values = {"panel_of_d": 1, "panel_of_cn1": 2}
    return refutes(values, [], "panel_of_d == panel_of_cn1", "two parameters, two panels")


@evidence("edt.fig18.label", form="repaired", strength="exact")
def two_panels_for_two_parameters() -> Outcome:
    """One for each."""
    panels = {"a": "d", "b": "cn1"}
    check(sorted(panels.values()) == ["cn1", "d"], "one parameter a panel")
    return Agrees(2, "the two panels")


@evidence("edt.fig18.d-1ms.reason", form="printed", strength="exact")
def with_one_millisecond_tm2_expires_before_the_buffer_is_full() -> Outcome:
    """The exact drop time of a burst alone: one cycle after DT would have dropped, before the overflow at 8 ms."""
    bursts = Bursts(F(1), F(10**6), F(125 * 10**6), 1, 0, F(250 * 10**6))
    settings = EdtSettings(edt_formulas.cn2_paper(F(1), bursts.B, 16), edt_formulas.tm1_paper(F(1), 16, MS), MS)
    check(settings.tm1 is not None and settings.cn2 / bursts.r < settings.tm1, "the counter reaches its number")
    drop = edt_drop_time(bursts, settings)
    check(bursts.dt_drop == 4 * MS <= drop < bursts.overflow == 8 * MS, f"{float(drop / MS)} ms")
    return Agrees(1, "the single scenario")
