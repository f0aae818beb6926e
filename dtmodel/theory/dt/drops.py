"""Verdicts by port: bursts that end, rates in any order, and bursts that do not overload their ports.

- ``values`` are a theorem's numbers by name, ``evaluate`` evaluates it at others, ``d_k`` are durations of bursts;
- ``first_drop`` and ``case`` are its results, for all ports or for each.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.theorems.evaluation import Evaluated, never
from dtmodel.theory.dt import formulas, series

Values = Mapping[str, Any]
Drops = tuple[bool | None, ...]


def if_overloaded(values: Values, _: Callable[[Values], Evaluated]) -> Evaluated | None:
    """Evaluate Theorem 1 for a rate of at most C, at which no burst loses a byte.

    >>> one = Fraction(1)
    >>> if_overloaded({"C": one, "M": 2, "N": 0, "R": one, "d_k": [9 * one, 9 * one]}, dict).drops
    (False, False)
    """
    if values["R"] > values["C"] or not _fits(values["M"], values):
        return None
    quiet = (False,) * _ports(values["d_k"], values["M"]) if "d_k" in values else ()
    return Evaluated({"first_drop": never, "free_at_first_drop": None}, "never", quiet)


def in_order_of_rates(values: Values, evaluate: Callable[[Values], Evaluated]) -> Evaluated | None:
    """Evaluate Theorem 2 or 3 for rates in another order: sorted, without the bursts of at most C, which lose nothing.

    >>> one = Fraction(1)
    >>> def reversed_order(values): return Evaluated({"first_drop": [2, 3], "free_at_first_drop": [1, 1]}, ("a", "b"))
    >>> in_order_of_rates({"C": one, "N": 0, "R": [2 * one, one, 9 * one]}, reversed_order).first_drop
    [3, never, 2]
    """
    R, C = values["R"], values["C"]
    order = sorted((k for k, rate in enumerate(R) if rate > C), key=lambda k: -R[k])
    if order == list(range(len(R))) or not _fits(len(R), values):
        return None
    ports = {name: values[name] for name in ("R", "d_k") if name in values}
    for name in ports:
        _ports(values[name], len(R))
    inner = evaluate({**values, **{name: [of[k] for k in order] for name, of in ports.items()}}) if order else None

    def placed(found: Sequence[Any], quiet: Any) -> list[Any]:
        known = dict(zip(order, found, strict=False))
        return [known.get(k, quiet) for k in range(len(R))]

    made = {
        "first_drop": placed(inner.first_drop if inner else [], never),
        "free_at_first_drop": placed(inner.free_at_first_drop if inner else [], None),
    }
    drops = tuple(placed(inner.drops if inner else (), False)) if "d_k" in values else ()
    return Evaluated(made, tuple(placed(inner.case if inner else (), "never")), drops)


def regimes(
    alpha: Fraction, B: Fraction, C: Fraction, N: int, R: Sequence[Fraction], first_drop: Sequence[Fraction]
) -> tuple[str | None, ...]:
    """Return the state in which port k meets the threshold, by the ports that met it before.

    They all drain at C (``"drain"``, up to port L of Theorem 3), all follow the threshold (``"follow"``, Theorem 2), or
    some are still above it (``"mixed"``): then the port of the highest line V - C t is, the first that met it.

    >>> one = Fraction(1)
    >>> R = [13 * one, 3 * one, 2 * one]
    >>> regimes(one, 12 * one, one, 1, R, [3 * one / 13, one, 2 * one])
    ('drain', 'mixed', 'mixed')
    >>> regimes(one, 12 * one, one, 1, [2 * one], [3 * one])
    ('follow',)
    """
    highest = formulas.threshold(alpha, formulas.initial_free(alpha, B, N)) if N else R[0] * first_drop[0]
    return tuple(
        "drain" if drains else "mixed" if highest > rate * time else "follow"
        for drains, rate, time in zip(series.draining(alpha, C, N, R), R, first_drop, strict=True)
    )


def printed_alike(d_k: Sequence[Fraction], M: int, first_drop: Fraction) -> Drops:
    """Return True for a burst of Theorem 1 that lasts longer, else None: the print states nothing of shorter bursts.

    >>> printed_alike([Fraction(9), Fraction(8)], 2, Fraction(8))
    (True, None)
    """
    return printed(d_k, [first_drop] * _ports(d_k, M))


def printed(d_k: Sequence[Fraction], first_drop: Sequence[Fraction | None]) -> Drops:
    """Return True for a burst of Theorem 2 or 3 that lasts longer, else None.

    >>> printed([Fraction(2), Fraction(9)], [Fraction(1), None])
    (True, None)
    """
    _ports(d_k, len(first_drop))
    return tuple((t is not None and d > t) or None for d, t in zip(d_k, first_drop, strict=True))


def decided_alike(d_k: Sequence[Fraction], M: int, first_drop: Fraction, case: str) -> Drops:
    """Return for each burst of Theorem 1 True or False if it loses bytes, and None if the theorem does not decide.

    >>> decided_alike([Fraction(9), Fraction(8)], 2, Fraction(8), "a")
    (None, False)
    """
    return decided(d_k, [first_drop] * _ports(d_k, M), ["drain" if case == "b" else "follow"] * int(M))


def decided(d_k: Sequence[Fraction], first_drop: Sequence[Fraction], case: Sequence[str]) -> Drops:
    """Return for each burst True or False if it loses bytes, and None if no theorem decides.

    Until the first burst ends, no duration matters; while all ports that met the threshold drain at C, the end of their
    bursts changes nothing either. A burst that ends at the very instant at which another meets the threshold can turn
    the threshold up and so save the other (edt.ours.end-at-the-drop). No port ever drops before the first of the times
    (edt.ours.no-earlier-drop).

    >>> drops, cases = [Fraction(3), Fraction(5)], ["follow", "follow"]
    >>> decided([Fraction(1), Fraction(9)], drops, cases), decided([Fraction(3), Fraction(1)], drops, cases)
    ((False, None), (False, False))
    """
    _ports(d_k, len(first_drop))
    answers: list[bool | None] = []
    for k, duration in enumerate(d_k):
        end = min(duration, first_drop[k])
        unheeded = [case[k] == "drain" and met < end and met <= d for met, d in zip(first_drop, d_k, strict=True)]
        others = [d for j, d in enumerate(d_k) if j != k and not unheeded[j]]
        if duration <= min(first_drop):
            answers.append(False)
        elif duration > first_drop[k]:
            answers.append(True if all(d > end for d in others) else None)
        else:
            answers.append(False if all(d >= end for d in others) else None)
    return tuple(answers)


def _fits(M: int, values: Values) -> bool:
    return "P" not in values or bool(M + values["N"] <= values["P"])


def _ports(d_k: Sequence[Fraction], M: int) -> int:
    """Return the number of bursts; raise `InputError` if there is not one duration for each."""
    if len(d_k) != M:
        raise InputError("d_k", f"{len(d_k)} durations", f"a list of {M}, one for each burst")
    return len(d_k)
