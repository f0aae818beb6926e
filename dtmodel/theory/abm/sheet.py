"""The parameter sheet of ABM (Addanki et al., SIGCOMM 2022); its closed forms are our own."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from dtmodel.base import budgets, units
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.units import Quantity, brief, count, number, plain, rate, sequence, show_bytes, show_rate
from dtmodel.policies.formulas import abm_weight
from dtmodel.theorems.writing import searched, tex_of
from dtmodel.theory import threshold_family
from dtmodel.theory.sheet import Explanation, Sheet, SheetRow, explained
from dtmodel.theory.threshold_family import Burst, Held, SteadyState, WeightedDrop

_PAPER = "ABM paper, its threshold"
_STEADY = "every queue is overloaded and congested, and drains at its given share of the rate"
_ISOLATED = "A adds up alpha_p over the congested priorities; other priorities may have any number of queues"
_FILLED = "n_p queues of the priority are congested; the free buffer is at most B"
_BESIDE = "a burst reaches an empty queue of a port of its own, and every other congested queue is on its threshold"
_LASTING = "the burst lasts longer; its queue counts as congested before, and the others rest where that leaves them"


def parameters(
    *,
    buffer: Quantity,
    alphas: Sequence[Quantity],
    priorities: Sequence[int],
    drains: Sequence[Quantity] = (),
    rate_: Quantity | None = None,
    burst_rate: Quantity | None = None,
    burst_priority: int = 0,
) -> Sheet:
    """Compute the sheet for B bytes of `buffer`, alpha_p of each priority, and the priority of each overloaded queue.

    `drains` are the parts of its port's rate, in (0, 1], at which each queue drains, 1 by default. With `rate_` C of
    every port the sheet has drain times; with `burst_rate` R > C the first drop of a burst of `burst_priority` at an
    empty queue. Raises `InputError` if a value is out of range.
    """
    alphas = sequence(alphas, "alphas")
    priorities = [count(p, "priorities") for p in sequence(priorities, "priorities")]
    B = units.bytes_(buffer, "buffer", positive=True)
    shares = tuple(sequence(drains, "drains")) or (1,) * len(priorities)
    budgets.keep_within("events", len(priorities) ** 2, "priorities")
    weights = threshold_family.abm_weights(alphas, priorities, shares)
    state = threshold_family.steady_state(B, weights)
    bound = sum((number(alphas[p], f"alphas[{p}]") for p in set(priorities)), Fraction(0))
    numbers = {
        "B": brief(show_bytes(B)),
        "W": plain(sum(weights)),
        "A": plain(bound),
        "F": brief(show_bytes(state.free)),
    }
    if rate_ is None and burst_rate is not None:
        raise InputError("rate", MISSING, "the rate of the ports beside that of the burst")
    C = None if rate_ is None else rate(rate_, "rate", positive=True)
    rows = [*explained(_totals(B, weights, bound, state), _EXPLANATIONS, numbers)]
    for i, (weight, threshold) in enumerate(zip(weights, state.thresholds, strict=True)):
        p = priorities[i]
        own = {r"\alpha_p": plain(number(alphas[p], "alphas")), r"\gamma": plain(number(shares[i], "drains")),
               "n_p": str(list(priorities).count(p)), "w": plain(weight)}  # fmt: skip
        least = weight * threshold_family.left_free(B, bound)
        rows += explained(_queue(i + 1, weight, threshold, least), _EXPLANATIONS, numbers | own)
        if C is not None:
            own |= {"C": brief(show_rate(C)), "T": brief(show_bytes(threshold))}
            longest = _drain_bound(number(alphas[p], "alphas"), B, list(priorities).count(p), C)
            times = _drain(i + 1, _drain_time(threshold, number(shares[i], "drains"), C), longest)
            rows += explained(times, _EXPLANATIONS, numbers | own)
    p = count(burst_priority, "burst_priority")
    if p >= len(alphas):
        raise InputError("burst_priority", burst_priority, f"an index below {len(alphas)}")
    a, n = number(alphas[p], f"alphas[{p}]"), list(priorities).count(p) + 1
    tolerant = B, a, n, 1, sum((number(alphas[q], f"alphas[{q}]") for q in {p, *priorities}), Fraction(0))
    own = {r"\alpha_p": plain(a), "n_p": str(n), "A": plain(tolerant[-1])}
    rows += explained([_tolerance(*tolerant)], _EXPLANATIONS, numbers | own)
    if C is not None and burst_rate is not None:
        R = rate(burst_rate, "burst_rate", positive=True)
        first, *rest = threshold_family.abm_weights(alphas, [p, *priorities], [1, *shares])
        held = [Held(w, C * number(share, "drains")) for w, share in zip(rest, shares, strict=True)]
        drop = threshold_family.weighted_first_drop(B, held, [Burst(first, C, R)])
        free = threshold_family.steady_state(B, rest).free
        own = {"C": brief(show_rate(C)), "R": brief(show_rate(R)), "w": plain(first), "F_0": brief(show_bytes(free)),
               r"\varphi": brief(show_rate(drop.fall)), "t": brief(units.show_seconds(drop.time))}  # fmt: skip
        rows += explained(_burst(drop, R), _EXPLANATIONS, own)
    return Sheet("ABM, with every queue named overloaded", tuple(rows))


def _totals(B: Fraction, weights: Sequence[Fraction], bound: Fraction, state: SteadyState) -> Iterator[SheetRow]:
    left = tex_of(threshold_family.left_free, "B", "A")
    held = tex_of(lambda W, B: threshold_family.held_bytes(B, W, W), "W", "B")
    yield SheetRow("total_weight", "W", sum(weights, Fraction(0)), "", searched(sum, "w_i", "i"), _PAPER)
    yield SheetRow("occupancy", searched(sum, "Q"), state.occupancy, "bytes", held, "l2bm.ours.steady-state", _STEADY)
    free = tex_of(threshold_family.left_free, "B", "W")
    yield SheetRow("reserve", "F", state.free, "bytes", free, "l2bm.ours.steady-state", _STEADY)
    yield SheetRow(
        "reserve_bound", r"F_{min}", threshold_family.left_free(B, bound), "bytes", left,
        "l2bm.ours.abm-bound",
        "A adds up alpha_p over the congested priorities, for any number of queues",
    )  # fmt: skip


def _queue(i: int, weight: Fraction, threshold: Fraction, least: Fraction) -> Iterator[SheetRow]:
    formula = tex_of(abm_weight, r"\alpha_p", r"\gamma", "n_p")
    yield SheetRow(f"weight_{i}", f"w_{i}", weight, "", formula, _PAPER)
    yield SheetRow(f"threshold_{i}", f"T_{i}", threshold, "bytes", "w F", "l2bm.ours.steady-state", _STEADY)
    isolated = tex_of(lambda w, B, A: w * threshold_family.left_free(B, A), "w", "B", "A")
    yield SheetRow(f"isolation_{i}", f"T_{{min, {i}}}", least, "bytes", isolated, "l2bm.ours.abm-bound", _ISOLATED)


def _drain_time(T: Any, gamma: Any, C: Any) -> Any:
    """Return the time in which a queue drains from its threshold."""
    return T / (gamma * C)


def _drain_bound(alpha: Any, B: Any, n: Any, C: Any) -> Any:
    """Return the drain time of the largest threshold, alpha_p gamma B / n_p."""
    return alpha * B / (n * C)


def _drain(i: int, time: Fraction, bound: Fraction) -> Iterator[SheetRow]:
    formula = tex_of(_drain_time, "T", r"\gamma", "C")
    largest = tex_of(_drain_bound, r"\alpha_p", "B", "n_p", "C")
    yield SheetRow(f"drain_time_{i}", f"d_{i}", time, "seconds", formula, "l2bm.ours.abm-drain", _STEADY)
    yield SheetRow(f"drain_bound_{i}", f"d_{{max, {i}}}", bound, "seconds", largest, "l2bm.ours.abm-drain", _FILLED)


def _tolerance(*given: Any) -> SheetRow:
    formula = tex_of(lambda B, alpha, n, A: threshold_family.tolerance(B, alpha, n, 1, A), "B", r"\alpha_p", "n_p", "A")
    length = threshold_family.tolerance(*given)
    return SheetRow("tolerance", "q", length, "bytes", formula, "l2bm.ours.abm-burst", _BESIDE)


def _burst(drop: WeightedDrop, R: Fraction) -> Iterator[SheetRow]:
    source = "l2bm.ours.first-drop"
    formula = tex_of(
        lambda w, F, R, C, fall: threshold_family.meets(w, w * F, R - C, fall), "w", "F_0", "R", "C", r"\varphi"
    )
    yield SheetRow("first_drop", "t", drop.time, "seconds", formula, source, _LASTING)
    left = tex_of(threshold_family.left_at, "F_0", r"\varphi", "t")
    yield SheetRow("free_at_first_drop", "F(t)", drop.free, "bytes", left, source, _LASTING)
    yield SheetRow("absorbed", "R t", R * drop.time, "bytes", "", source, _LASTING)


_EXPLANATIONS: dict[str, Explanation] = {
    "total_weight": ("guarantees", "The sum of all weights, which alone determines the free buffer.", ""),
    "occupancy": ("guarantees", "All queues together hold this much.", "l2bm.ours.steady-state"),
    "reserve": ("guarantees", "This much stays free for a newcomer.", "l2bm.ours.steady-state"),
    "reserve_bound": ("guarantees", "No number of queues of these priorities leaves less free.", "l2bm.ours.abm-bound"),
    "weight_i": ("settings", "The weight of the queue.", ""),
    "threshold_i": ("guarantees", "The queue holds this much.", "l2bm.ours.steady-state"),
    "isolation_i": ("guarantees", "Queues of other priorities, however many, leave this one at least so much.",
                    "l2bm.ours.abm-bound"),
    "drain_time_i": ("guarantees", "The queue drains in this time.", "l2bm.ours.abm-drain"),
    "drain_bound_i": ("guarantees", "No traffic at other queues makes the queue drain for longer.",
                      "l2bm.ours.abm-drain"),
    "tolerance": ("guarantees", "At whatever rate a burst comes, its queue grows so far before it loses bytes.",
                  "l2bm.ours.abm-burst"),
    "first_drop": ("guarantees", "The burst first loses bytes this long after it begins.",
                   "l2bm.ours.first-drop"),
    "free_at_first_drop": ("guarantees", "The free buffer at the first drop.", "l2bm.ours.first-drop"),
    "absorbed": ("guarantees", "The burst brings this much before its first drop.", "l2bm.ours.first-drop"),
}  # fmt: skip
"""The group of each row, its meaning, and its claim."""
