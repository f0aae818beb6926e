"""The parameter sheet of DT for a switch: thresholds, occupancy, reserve, the first drop and the burst it absorbs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dtmodel.base import budgets, units
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity, brief, bytes_, count, number, plain, rate, show_bytes, show_rate, show_seconds
from dtmodel.theorems.writing import searched, tex_of
from dtmodel.theory import threshold_family
from dtmodel.theory.dt import formulas
from dtmodel.theory.sheet import Explanation, Sheet, SheetRow, explained
from dtmodel.theory.threshold_family import Burst, Held, WeightedDrop, left_at, meets

_PAPER = "DT/EDT paper"
_SPEEDS = "l2bm.ours.first-drop"
"""The claim of the first drop among ports of several speeds."""
_OVERLOADED = "N queues stay offered at least their drain rate, the others are empty"


def parameters(
    *,
    ports: int,
    buffer: Quantity,
    rate_: Quantity | Sequence[Quantity],
    alpha: Quantity = 1,
    steady: int = 0,
    bursts: int = 1,
    burst_rate: Quantity | None = None,
) -> Sheet:
    """Compute the sheet for P `ports`, B bytes of `buffer` and ports of C = `rate_` bytes/s, or of a rate for each.

    N `steady` ports sit on their thresholds when M `bursts` of one `burst_rate` R (without one the first drop is left
    out) reach empty ports; with several rates the first M ports, and the next N are steady. Raises `InputError` if a
    value is out of range, or N + M > P.
    """
    P, N, M = count(ports, "ports", least=1), count(steady, "steady"), count(bursts, "bursts", least=1)
    asked = N if burst_rate is None else N + M
    if asked > P:
        raise InputError("bursts + steady", asked, f"at most {P}, the number of ports")
    budgets.keep_within("events", asked, "ports")
    B, read = bytes_(buffer, "buffer", positive=True), units.rates(rate_, "rate", P)
    each = read if len(read) > 1 else read * max(asked, 1)
    C, a = each[0], number(alpha, "alpha", positive=True)
    rows = [*_steady(B, a, N)]
    warnings = []
    mixed = len(set(each[:asked])) > 1
    numbers = {r"\alpha": plain(a), "B": brief(show_bytes(B)), "C": brief(show_rate(C)), "N": str(N), "M": str(M)}
    if burst_rate is not None:
        R = rate(burst_rate, "burst_rate")
        bursting = [Burst(a, own, R) for own in each[:M] if own < R]
        if bursting:
            drop = threshold_family.weighted_first_drop(B, [Held(a, own) for own in each[M:asked]], bursting)
            C = bursting[drop.burst].rate
            rows += _first(drop, R, a, C, N) if not mixed else _first_of_speeds(drop, R, a, each[M:asked])
            numbers |= _found(drop, R, rows[2].value) | {"C": brief(show_rate(C))}
        else:
            rows.append(SheetRow("first_drop", "t", None, "seconds", "", f"{_PAPER}, Theorem 1", "R <= C: no drop"))
            warnings.append(f"a burst of rate {show_rate(R)} does not overload a port of {show_rate(C)}: no drop")
    full = threshold_family.occupancy(a * P)
    if full > Fraction(19, 20):
        free = units.show_percent(1 - full)
        warnings.append(f"with all {P} ports overloaded a newcomer finds {free} of the buffer free")
    alone = {"alone": (rows[3].formula, {"N": "1"})}
    made = explained(rows, _EXPLANATIONS, numbers, own=alone)
    if mixed:  # Theorem 1 has ports of one speed
        made = tuple(replace(row, claim=row.claim.replace("edt.ours.theorem1", _SPEEDS)) for row in made)
    return Sheet("Dynamic Threshold", made, tuple(warnings))


def _found(drop: WeightedDrop, R: Fraction, reserve: object) -> dict[str, str]:
    """Return the values of R, F_0, phi and t in the formulas of the first drop."""
    return {
        "R": brief(show_rate(R)), "F_0": brief(show_bytes(bytes_(reserve, "reserve"))),
        r"\varphi": brief(show_rate(drop.fall)), "t": brief(show_seconds(drop.time)),
    }  # fmt: skip


def _steady(B: Fraction, a: Fraction, N: int) -> Iterator[SheetRow]:
    free = Fraction(formulas.initial_free(a, B, N))
    reserve = tex_of(formulas.initial_free, "alpha", "B", "N")
    held, taken = tex_of(_threshold, "alpha", "B", "N"), tex_of(_occupancy, "alpha", "B", "N")
    yield SheetRow("threshold", "T", _threshold(a, B, N), "bytes", held, f"{_PAPER}, equation (1)", _OVERLOADED)
    yield SheetRow("occupancy", searched(sum, "Q"), _occupancy(a, B, N), "bytes", taken, f"{_PAPER}, Section 2")
    yield SheetRow("reserve", "F_0", free, "bytes", reserve, f"{_PAPER}, Section 2", _OVERLOADED)
    yield SheetRow(
        "alone", "T_1", _threshold(a, B, 1), "bytes", held, "l2bm.sec1.unused-free", "one queue alone, N = 1"
    )


def _threshold(alpha: Any, B: Any, N: Any) -> Any:
    return formulas.threshold(alpha, formulas.initial_free(alpha, B, N))


def _occupancy(alpha: Any, B: Any, N: Any) -> Any:
    return N * _threshold(alpha, B, N)


def _keeps_up(alpha: Any, fall: Any, C: Any) -> Any:
    return alpha * fall <= C


def _first(drop: WeightedDrop, R: Fraction, a: Fraction, C: Fraction, N: int) -> Iterator[SheetRow]:
    follows = N == 0 or _keeps_up(a, drop.fall, C)
    source = f"{_PAPER}, Theorem 1, case {'a' if follows else 'b'}, as corrected (edt.ours.theorem1)"
    lasting = "all bursts last longer than until then"
    formula = tex_of(lambda a, F, R, C, fall: meets(a, a * F, R - C, fall), "alpha", "F_0", "R", "C", r"\varphi")
    yield SheetRow("first_drop", "t", drop.time, "seconds", formula, source, lasting)
    left = tex_of(left_at, "F_0", r"\varphi", "t")
    yield SheetRow("free_at_first_drop", "F(t)", drop.free, "bytes", left, source, lasting)
    yield SheetRow("absorbed", "R t", R * drop.time, "bytes", "", source, "at each burst port, until the first drop")
    yield SheetRow(
        "fall", r"\varphi", drop.fall, "bytes/s",
        tex_of(lambda a, C, M, N, R, phi: formulas.fall_left(a, C, M, N, R - C, phi), "alpha", *"CMNR", r"\varphi"),
        "l2bm.ours.first-drop",
    )  # fmt: skip
    yield SheetRow(
        "steady_ports_follow", tex_of(_keeps_up, "alpha", r"\varphi", "C") if N else "", follows, "", "", source,
        "whether the steady queues keep up with the falling threshold" if N else "no port is overloaded before",
    )  # fmt: skip


def _first_of_speeds(drop: WeightedDrop, R: Fraction, a: Fraction, held: Sequence[Fraction]) -> list[SheetRow]:
    """Return the rows of the first drop among ports of several speeds; C is that of the port that drops first."""
    source = "own theorem l2bm.ours.first-drop: ports of several speeds"
    balance = r"\varphi + \sum_i \min(\alpha \varphi, C_i) = \sum_j (R - C_j)"
    found = [replace(row, source=source) for row in _first(drop, R, a, min(held, default=R), len(held))]
    return [replace(row, formula=balance) if row.name == "fall" else row for row in found]


_EXPLANATIONS: dict[str, Explanation] = {
    "threshold": ("guarantees", "Each steady port holds this much.", "edt.eq1"),
    "occupancy": ("guarantees", "All steady ports together hold this much.", "l2bm.ours.steady-state"),
    "reserve": ("guarantees", "This much stays free for ports that are not overloaded yet.", "edt.eq16"),
    "alone": ("guarantees", "A port that is overloaded alone holds this much.", "l2bm.sec1.unused-free"),
    "first_drop": ("guarantees", "The bursts first lose bytes this long after they begin.", "edt.ours.theorem1"),
    "free_at_first_drop": ("guarantees", "The free buffer at the first drop.", "edt.ours.theorem1"),
    "absorbed": ("guarantees", "Each burst brings this much before its first drop.", "edt.ours.theorem1"),
    "fall": ("guarantees", "The free buffer falls at this rate until the first drop.", "l2bm.ours.first-drop"),
    "steady_ports_follow": ("guarantees", "True if the steady ports stay on their falling thresholds.",
                            "edt.ours.theorem1"),
}  # fmt: skip
"""The group of each row, its meaning, and its claim."""
