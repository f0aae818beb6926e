"""The settings of EDT for a switch: cn2, TM1, TM2, cn1 and d, their assumptions, and the cases outside them."""

from fractions import Fraction
from math import floor
from typing import Any

from dtmodel.base import budgets, units
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity
from dtmodel.policies.formulas import power_of_two
from dtmodel.theorems.operations import greatest
from dtmodel.theorems.writing import searched, tex_of
from dtmodel.theory.dt import formulas as dt_formulas
from dtmodel.theory.edt import formulas
from dtmodel.theory.edt.drops import Bursts, EdtSettings
from dtmodel.theory.edt.inverse import best_alpha, carried_in, rate_cases, smallest_buffer, tried_power, worst_ports
from dtmodel.theory.sheet import Explanation, Sheet, SheetRow, explained

_PAPER = "DT/EDT paper, "
_CASES = 100
"""The number of cases that the sheet evaluates for each port: those of all alphas, and of the other questions."""
Own = dict[str, tuple[str, dict[str, str]]]
Worst = dict[str, tuple[int, int]]
_EQUAL = "bursts of one rate that begin together, for every M + N <= P"
_COUNTED = "; C2 counts whole packets, or bytes if cn2 is less than one"


def parameters(
    *,
    ports: int,
    buffer: Quantity,
    rate: Quantity,
    alpha: Quantity = 1,
    packet: Quantity = 1500,
    duration: Quantity | None = None,
    smallest_rate: Quantity | None = None,
    burst_rate: Quantity | None = None,
) -> Sheet:
    """Compute the settings of EDT and their guarantees, for P `ports` of C = `rate`, a `buffer` B and `alpha`.

    `packet` is the unit in which C2 counts, at most the buffer. `duration` is d_mb, the duration of most bursts; by
    default it is at most the time in which the smoothest burst fills the buffer. `smallest_rate` is R_min, the rate of
    that burst, 2 C by default. `burst_rate` is R, for which the inverse questions are answered, R_min by default.
    Raises `InputError` if a value is not accepted, a packet is larger than the buffer, or a burst is not faster than
    its port.
    """
    P = units.count(ports, "ports", least=1)
    C = units.one_rate(rate, "rate", "equations (73) and (78) of the DT/EDT paper")
    budgets.keep_within("events", _CASES * P, "ports")
    B, a = units.bytes_(buffer, "buffer", positive=True), units.number(alpha, "alpha", positive=True)
    size = units.bytes_(packet, "packet", positive=True)
    if size > B:
        raise InputError("packet", packet, f"a packet no larger than the buffer, {units.show_bytes(B)}")
    slowest = _faster(smallest_rate, 2 * C, C, "smallest_rate")
    R = _faster(burst_rate, slowest, C, "burst_rate")
    least = 0 if duration is None else units.seconds(duration, "duration", positive=True)
    d = Fraction(_duration_of(B, C, slowest, least))
    cn2, best = Fraction(formulas.cn2_paper(a, B, P)), Fraction(formulas.cn2_integer(a, B, P))
    settings = EdtSettings(floor(cn2 / size) * size or cn2, Fraction(formulas.tm1_paper(a, P, d)), d)
    worth, own, worst = _worth(a, B, C, P, R, d, settings)
    numbers = _numbers(a, B, C, P, d) | {"R_{min}": units.brief(units.show_rate(slowest))}
    own["d"] = _duration(duration)
    half = ((P + 1) // 2, P // 2)
    worst |= {"cn2_best": half, "cn2_best_packets": half} | ({} if P % 2 else {"cn2": half, "cn2_packets": half})
    rows = explained((*_settings(settings, cn2, best, size, d), *worth), _EXPLANATIONS, numbers, own=own, worst=worst)
    title = f"EDT: {P} ports of {units.show_rate(C)} sharing {units.show_bytes(B)}, alpha = {units.plain(a)}"
    title += f"; bursts of R = {units.show_rate(R)}"
    title += f", none slower than R_min = {units.show_rate(slowest)}" if slowest != R else ""
    title += " (2 C, as none is given)" if burst_rate is None and smallest_rate is None else ""
    return Sheet(title, rows, _warn(a, B, C, P, R, d, (cn2, best, size), slowest))


def _numbers(a: Fraction, B: Fraction, C: Fraction, P: int, d: Fraction) -> dict[str, str]:
    shown = {"B": units.show_bytes(B), "C": units.show_rate(C), "d": units.show_seconds(d)}
    return {r"\alpha": units.plain(a), "P": str(P)} | {name: units.brief(text) for name, text in shown.items()}


def _duration(duration: Quantity | None) -> tuple[str, dict[str, str]]:
    """Return the formula of d, with the given d_mb if there is one."""
    if duration is None:
        return tex_of(formulas.d_bound, "B", "C", "R_{min}"), {}
    given = units.brief(units.show_seconds(units.seconds(duration, "duration")))
    return tex_of(_duration_of, *_DURATION), {"d_{mb}": given}


def _duration_of(B: Any, C: Any, R_min: Any, d_mb: Any) -> Any:
    """Return d, equation (81): the time in which the slowest burst fills the buffer, or d_mb."""
    return greatest(formulas.d_bound(B, C, R_min), d_mb)


_DURATION = ("B", "C", "R_{min}", "d_{mb}")
"""The symbols of equation (81)."""


def _faster(value: Quantity | None, default: Fraction, C: Fraction, field: str) -> Fraction:
    result = default if value is None else units.rate(value, field, positive=True)
    if result <= C:
        raise InputError(field, value, f"more than the port's rate {units.show_rate(C)}: slower traffic makes no queue")
    return result


def _settings(
    settings: EdtSettings, cn2: Fraction, best: Fraction, size: Fraction, d: Fraction
) -> tuple[SheetRow, ...]:
    paper = tex_of(formulas.cn2_paper, "alpha", "B", "P")
    whole = tex_of(formulas.cn2_integer, "alpha", "B", "P")
    tm1 = tex_of(formulas.tm1_paper, "alpha", "P", "d")
    return (
        SheetRow("cn2", "c_{n2}", cn2, "bytes", paper, _PAPER + "equation (73)", _EQUAL),
        SheetRow("cn2_packets", "c_{n2}", floor(cn2 / size), "packets", paper, _PAPER + "equation (73)",
                  "rounded down"),
        SheetRow("cn2_best", "c_{n2}^*", best, "bytes", whole, "own theorem edt.ours.cn2", _EQUAL),
        SheetRow("cn2_best_packets", "c_{n2}^*", floor(best / size), "packets", whole, "own theorem edt.ours.cn2",
                  "rounded down"),
        SheetRow("d", "d", d, "seconds", tex_of(_duration_of, *_DURATION), _PAPER + "equation (81)",
                  "no burst is slower than R_min"),
        SheetRow("tm1", "TM_1", settings.tm1, "seconds", tm1, _PAPER + "equation (78)", "d >= B / C"),
        SheetRow("tm2", "TM_2", settings.tm2, "seconds", "d", _PAPER + "Section 4.4"),
        SheetRow("cn1", "c_{n1}", 3, "packets", "3", _PAPER + "Section 4.4",
                  "packets of one size come evenly, and a dropped packet resets C1 too"),
    )  # fmt: skip


def _worth(
    a: Fraction, B: Fraction, C: Fraction, P: int, R: Fraction, d: Fraction, settings: EdtSettings
) -> tuple[tuple[SheetRow, ...], Own, Worst]:
    """Return the rows of guarantees, and for each the case that bounds it."""
    own, overflow = "own theorem edt.ours.drop-time", "own theorem edt.ours.theorem5"
    dt = worst_ports(alpha=a, B=B, C=C, P=P, R=R, policy="dt")
    longest = worst_ports(alpha=a, B=B, C=C, P=P, R=R, settings=settings)
    carried = None
    if P * C >= R:
        carried = worst_ports(alpha=a, B=B, C=C, P=P, R=R, settings=settings, carried=True)
    fastest, N, M = min(rate_cases(alpha=a, B=B, C=C, P=P, d=d))
    smallest = smallest_buffer(alpha=a, C=C, P=P, R=R, d=d)
    least = Bursts(a, smallest, C, *worst_ports(alpha=a, B=smallest, C=C, P=P, R=R)[1:], R)
    alpha, lasting = best_alpha(B=B, C=C, P=P, R=R, policy="dt")
    best = worst_ports(alpha=alpha, B=B, C=C, P=P, R=R, policy="dt")
    slow = Fraction(formulas.growth_limit(a, B, P, d))
    slow_rate = tex_of(lambda C, *of: C + formulas.growth_limit(*of), "C", "alpha", *"BPd")
    tried = rf"\alpha = {tex_of(power_of_two, 'k')}, {tex_of(tried_power, 'k')}"
    rows = (
        SheetRow("slow_rate", "R", C + slow, "bytes/s", slow_rate,
                  _PAPER + "equation (77)", "d >= B / C"),
        SheetRow("longest_burst_dt", "d", dt[0], "seconds", searched(min, "t_{DT}", *"MN"),
                  _PAPER + "Theorem 1", _EQUAL),
        SheetRow("longest_burst", "d", longest[0], "seconds", searched(min, "t_{EDT}", *"MN"), own, _EQUAL + _COUNTED),
        SheetRow("longest_burst_carried", "d", carried and carried[0], "seconds",
                  searched(min, "t_{EDT}", tex_of(carried_in, *"MNRCP")), own,
                  "bursts that P inputs of rate C can bring" + _COUNTED),
        SheetRow("largest_rate", "R", fastest, "bytes/s", searched(min, "R(d)", *"MN"), overflow, _EQUAL),
        SheetRow("smallest_buffer", "B", smallest, "bytes", searched(max, "B(R, d)", *"MN"), overflow, _EQUAL),
        SheetRow("best_alpha", r"\alpha^*", alpha, "", tried, _PAPER + "Theorem 1", _EQUAL),
        SheetRow("best_alpha_burst", "d", lasting, "seconds", searched(max, searched(min, "t_{DT}", *"MN"), tried),
                  _PAPER + "Theorem 1", "DT with that alpha"),
    )  # fmt: skip
    shown = {
        "longest_burst_dt": _dt_case(Bursts(a, B, C, *dt[1:], R)),
        "longest_burst": _edt_case(Bursts(a, B, C, *longest[1:], R), longest[0]),
        "longest_burst_carried": _edt_case(Bursts(a, B, C, *carried[1:], R), carried[0]) if carried else ("", {}),
        "largest_rate": (tex_of(formulas.overflow_rate, "alpha", *"BCMNd"), {"M": str(M), "N": str(N)}),
        "smallest_buffer": (_buffer(slow=least.slow), _ports(least)),
        "best_alpha": ("", {}),
        "best_alpha_burst": _dt_case(Bursts(alpha, B, C, *best[1:], R)),
    }
    worst = {"longest_burst_dt": dt[1:], "longest_burst": longest[1:], "largest_rate": (M, N),
             "smallest_buffer": (least.M, least.N), "best_alpha_burst": best[1:]}  # fmt: skip
    return rows, shown, worst | ({"longest_burst_carried": carried[1:]} if carried else {})


def _buffer(*, slow: bool) -> str:
    """Return the buffer that bursts fill in d, in LaTeX."""
    if slow:
        return tex_of(lambda d, M, R, C: d * formulas.slow_filling(M, R - C), *"dMRC")
    return tex_of(lambda d, alpha, C, M, N, R: d * formulas.fast_filling(alpha, C, M, N, R - C), "d", "alpha", *"CMNR")


def _ports(bursts: Bursts) -> dict[str, str]:
    """Return the values of M, N, R and alpha."""
    shown = {"M": str(bursts.M), "N": str(bursts.N), "R": units.brief(units.show_rate(bursts.R))}
    return shown | {r"\alpha": units.plain(bursts.alpha)}


def _dt_case(bursts: Bursts) -> tuple[str, dict[str, str]]:
    """Return the formula of DT's first drop in the case that applies, and its numbers."""
    if bursts.slow:
        formula = tex_of(lambda a, B, M, N, R, C: dt_formulas.slow_drop_time(a, B, M, N, R - C), *"aBMNRC")
    else:
        formula = tex_of(lambda a, B, M, N, R, C: dt_formulas.fast_drop_time(a, B, C, M, N, R - C), *"aBMNRC")
    return formula, _ports(bursts) | {"a": units.plain(bursts.alpha)}


def _edt_case(bursts: Bursts, time: Fraction) -> tuple[str, dict[str, str]]:
    """Return the formula of EDT's first drop in the case that applies, and its numbers; empty between timers."""
    if time == bursts.dt_drop:
        return _dt_case(bursts)
    if time != bursts.overflow:
        return "", {}
    if bursts.slow:
        formula = tex_of(lambda B, M, R, C: formulas.slow_overflow(B, M, R - C), *"BMRC")
    else:
        formula = tex_of(lambda a, B, M, N, R, C: formulas.fast_overflow(a, B, C, M, N, R - C), *"aBMNRC")
    return formula, _ports(bursts) | {"a": units.plain(bursts.alpha)}


def _warn(
    a: Fraction, B: Fraction, C: Fraction, P: int, R: Fraction, d: Fraction,
    counting: tuple[Fraction, Fraction, Fraction], slowest: Fraction,
) -> tuple[str, ...]:  # fmt: skip
    cn2, best, size = counting
    said = []
    if cn2 < size:
        said.append("cn2 is less than one packet: every packet would free its port; count bytes, or use a larger one.")
    if best > cn2:
        said.append(f"P is odd: (73) is not tight; {units.show_bytes(best)} are safe too (edt.ours.cn2).")
    if d * C < B:
        said.append("d is less than B / C: with TM1 by (78) a burst may be lost that (77) calls safe (edt.eq77).")
    if P * C < R:
        said.append(f"{P} inputs of {units.show_rate(C)} cannot carry a burst of {units.show_rate(R)}.")
    elif slowest < R:
        said.append("Several such bursts at once may exceed the rate of the inputs: see longest_burst_carried.")
    if a * R > C * (1 + 2 * a) and P >= 2:
        said.append("The burst outruns a steady port: the buffer is full before (80) says so (edt.ours.theorem5).")
    said.append("cn2 does not protect bursts of different rates or starts, nor one with a running TM1 (edt.eq73).")
    said.append("If only packets that enter reset C1, a port above a shrunken T_2 returns at full load (edt.fig15).")
    return tuple(said)


_EXPLANATIONS: dict[str, Explanation] = {
    "cn2": ("settings", "Setting of C2: a port whose queue grew by this much without a loss is overloaded.",
            "edt.eq73"),
    "cn2_packets": ("settings", "That setting in whole packets, for a counter of packets.", "edt.eq73"),
    "cn2_best": ("settings", "The largest setting of C2 that is safe for all whole numbers M and N.", "edt.ours.cn2"),
    "cn2_best_packets": ("settings", "The largest safe setting in whole packets.", "edt.ours.cn2"),
    "d": ("settings", "The longest burst that TM1 and TM2 are set for.", "edt.eq81"),
    "tm1": ("settings", "Setting of TM1: the counter of a queue that grows more slowly is reset.",
            "edt.eq78"),
    "tm2": ("settings", "Setting of TM2: no port stays uncontrolled for longer.", "edt.sec4.4.three-parameters"),
    "cn1": ("settings", "Setting of C1: this many departures without an arrival end the uncontrolled state.",
            "edt.sec4.4.cn1.three"),
    "slow_rate": ("guarantees", "A burst of duration d and at most this rate loses nothing.",
                  "edt.eq77"),
    "longest_burst_dt": ("guarantees", "Bursts of rate R and at most this duration lose nothing under DT alone.",
                         "edt.ours.theorem1"),
    "longest_burst": ("guarantees", "Bursts of rate R and at most this duration lose nothing with these settings.",
                      "edt.ours.drop-time"),
    "longest_burst_carried": ("guarantees", "As before, if the bursts must come in by P inputs of rate C.",
                              "edt.ours.drop-time"),
    "largest_rate": ("inverse questions", "The fastest bursts of duration d that lose nothing.", "edt.ours.theorem5"),
    "smallest_buffer": ("inverse questions", "With this buffer bursts of rate R and duration d lose nothing.",
                        "edt.ours.theorem5"),
    "best_alpha": ("inverse questions", "Power of two, 1/128 to 128, with which DT alone takes the longest bursts.",
                   "edt.ours.theorem1"),
    "best_alpha_burst": ("inverse questions", "Then bursts of rate R may last this long under DT.",
                         "edt.ours.theorem1"),
}  # fmt: skip
"""The group of each row, its meaning, and its claim."""
