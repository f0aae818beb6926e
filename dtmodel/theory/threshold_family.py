r"""The threshold family: every queue i may hold T_i = w_i F + b_i bytes, F = B - sum Q the free buffer.

Its members differ only in the weights: one alpha for all (DT), one for each queue, ABM's and L2BM's. This module
derives the steady state and the first drop once, for any weights.

*Steady state.* If every queue of a set S sits on its threshold, with W the sum of its weights and b that of its offsets

.. math:: F = \frac{B - b}{1 + W}, \qquad Q_i = w_i F + b_i, \qquad \sum_S Q_i = \frac{W B + b}{1 + W}.

*First drop.* Let bursts k of rates R_k > C_k start at time 0 against a steady set S whose queues stay overloaded. Until
the first drop the free buffer falls at the constant rate phi, the only root of

.. math:: \varphi + \sum_{i \in S} \min(w_i \varphi, C_i) = \sum_k (R_k - C_k),

(a queue of S follows its threshold if w_i phi <= C_i and otherwise drains at C_i), and burst k first loses bytes at

.. math:: t_k = \frac{w_k F_0 + b_k - q_k}{R_k - C_k + w_k \varphi}.

With all weights alpha, one burst rate and no offsets these are Theorems 1 to 3 of the DT/EDT paper.

The functions call

- B ``buffer`` or ``B``, w_i ``weight`` and their sum ``total_weight``, R_k - C_k ``growth``, summed up ``inflow``;
- the queues of S ``held``, the others ``bursts``, and F and phi ``free`` and ``fall``.

Sources: DT: DT/EDT paper, equation (1), after Choudhury and Hahne 1998. ABM: Addanki et al., "ABM: Active Buffer
Management in Datacenters", SIGCOMM 2022. L2BM: its paper, equations (3) to (9), see `dtmodel.theory.l2bm`.
The closed forms above are our own (claims ``l2bm.ours.steady-state`` and ``l2bm.ours.first-drop``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity, bytes_, count, each, number, plain, rate, sequence
from dtmodel.policies.abm import ABM
from dtmodel.policies.formulas import abm_weight
from dtmodel.policies.threshold import Threshold, free_beside

if TYPE_CHECKING:
    import sympy

__all__ = [
    "Burst", "Held", "SteadyState", "WeightedDrop", "abm_weights", "dt_weights", "fairness", "steady_state",
    "weighted_first_drop",
]  # fmt: skip


@dataclass(frozen=True)
class SteadyState:
    """The state with every queue on its threshold, in bytes.

    `free` is F, the reserve for a newcomer, `occupancy` the sum of all queues, and `thresholds` has T_i = Q_i.

    >>> found = steady_state(6, [1, 1])
    >>> str(found.free), [str(T) for T in found.thresholds]
    ('2', ['2', '2'])
    """

    free: Fraction
    occupancy: Fraction
    thresholds: tuple[Fraction, ...]


@dataclass(frozen=True)
class Held:
    """A queue of the steady set.

    Its threshold has a `weight` and an `offset` in bytes; it drains at the `rate` C_i, in bytes per second.

    >>> str(Held(Fraction(1), rate=Fraction(1)).offset)
    '0'
    """

    weight: Fraction
    rate: Fraction
    offset: Fraction = Fraction(0)


@dataclass(frozen=True)
class Burst:
    """A queue that a burst fills.

    Its threshold has a `weight` and an `offset` in bytes. It drains at the `rate` C_k and is offered the `arrival` rate
    R_k > C_k, in bytes per second; its length at time 0 is `initial`, in bytes.

    >>> str(Burst(Fraction(1), rate=Fraction(1), arrival=Fraction(2)).offset)
    '0'
    """

    weight: Fraction
    rate: Fraction
    arrival: Fraction
    offset: Fraction = Fraction(0)
    initial: Fraction = Fraction(0)


@dataclass(frozen=True)
class WeightedDrop:
    """The first drop under any weights.

    `time` is in seconds after the bursts began, `burst` the lowest index of those that drop first, `free` the free
    buffer then in bytes, and `fall` is phi in bytes per second. For each burst, `times` has the t_k at which it would
    drop if none dropped before.

    >>> held = [Held(Fraction(1), Fraction(1))] * 2
    >>> drop = weighted_first_drop(6, held, [Burst(Fraction(1), Fraction(1), Fraction(2))])
    >>> str(drop.time), str(drop.free)
    ('3/2', '3/2')
    """

    time: Fraction
    burst: int
    free: Fraction
    fall: Fraction
    times: tuple[Fraction, ...]


def dt_weights(alpha: Quantity, queues: int) -> tuple[Fraction, ...]:
    """Return the weights of DT: one `alpha` for each of a number of `queues`.

    >>> dt_weights("1/2", 2)
    (Fraction(1, 2), Fraction(1, 2))
    """
    return (number(alpha, "alpha", positive=True),) * count(queues, "queues", least=1)


def abm_weights(
    alphas: Sequence[Quantity], priorities: Sequence[int], drains: Sequence[Quantity]
) -> tuple[Fraction, ...]:
    """Return the weights of ABM: alpha_p / n_p times the queue's drain rate as a fraction of its port's rate.

    `alphas` has alpha_p > 0 for each priority, `priorities` that of each congested queue, of which n_p have priority p,
    and `drains` mu / b of each queue, in (0, 1]. Raises `InputError` if there is no queue or a value is out of range.

    >>> abm_weights(["1/2", 1], [0, 0, 1], [1, 1, "1/2"])
    (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))
    """
    priorities, drains = sequence(priorities, "priorities"), sequence(drains, "drains")
    if not priorities or len(priorities) != len(drains):
        accepted = "one priority for each of at least one queue, and as many drain rates"
        raise InputError("priorities", priorities, accepted)
    try:
        return ABM(alphas, priorities, drains).weights
    except InputError as error:
        raise InputError(error.field.removeprefix("policy."), error.value, error.accepted) from error


def steady_state(
    buffer: Quantity, weights: Sequence[Quantity], offsets: Sequence[Quantity] | None = None
) -> SteadyState:
    """Solve Q_i = w_i (B - sum Q) + b_i for all queues together (equations (5) to (9) for any weights).

    The `weights` w_i are greater than 0, and the `offsets` b_i, 0 by default, sum to at most B. Raises `InputError` if
    they do not, or there is no active queue.

    >>> steady_state(6, [1, 1]).thresholds
    (Fraction(2, 1), Fraction(2, 1))
    """
    size = bytes_(buffer, "buffer", positive=True)
    factors = list(each(number, weights, "weights", least=1, positive=True))
    extra = each(bytes_, [0] * len(factors) if offsets is None else offsets, "offsets")
    if len(extra) != len(factors) or sum(extra) > size:
        accepted = f"one for each queue, together at most {plain(size)} bytes"
        raise InputError("offsets", [plain(b) for b in extra], accepted)
    free = Fraction(left_free(size - sum(extra), sum(factors)))
    thresholds = tuple(w * free + b for w, b in zip(factors, extra, strict=True))
    return SteadyState(free, sum(thresholds, Fraction(0)), thresholds)


def occupancy(total_weight: Fraction) -> Fraction:
    """Return the occupied fraction W / (1 + W) of the buffer in steady state, without offsets (equation (8))."""
    return total_weight / (1 + total_weight)


def held_bytes(B: Any, weight: Any, total_weight: Any) -> Any:
    """Return the bytes in queues of this weight while all queues sit on their thresholds (equation (9)).

    >>> held_bytes(Fraction(6), 1, 2)
    Fraction(2, 1)
    """
    return weight * B / (1 + total_weight)


def left_free(B: Any, total_weight: Any) -> Any:
    """Return the free buffer when all queues are on their thresholds."""
    return B / (1 + total_weight)


def left_at(free: Any, fall: Any, time: Any) -> Any:
    """Return the free buffer after it has fallen for `time` seconds.

    >>> left_at(5, 2, 1)
    3
    """
    return free - fall * time


def tolerance(B: Any, alpha_p: Any, n_p: Any, gamma: Any, A: Any) -> Any:
    """Return the length up to which ABM lets a burst's queue grow beside steady queues, at whatever rate.

    The weights of the other congested queues, n_p - 1 of its priority and any number of others, add up to at most
    A - alpha_p / n_p, A the sum of alpha over the congested priorities; and F falls no faster than the queue grows.

    >>> tolerance(6, *[Fraction(1)] * 3, 2)
    Fraction(3, 2)
    """
    weight = abm_weight(alpha_p, gamma, n_p)
    return meets(weight, weight * left_free(B, A - alpha_p / n_p), 1, 1)


def time_tolerance(B: Any, alpha_p: Any, n_p: Any, gamma: Any, A: Any, C: Any, R: Any) -> Any:
    """Return the time for which a burst of rate R loses nothing at least.

    >>> time_tolerance(6, *[Fraction(1)] * 3, 2, 1, 4)
    Fraction(1, 2)
    """
    return tolerance(B, alpha_p, n_p, gamma, A) / (R - gamma * C)


def burst_tolerance(B: Any, alpha_p: Any, n_p: Any, gamma: Any, A: Any, C: Any, R: Any) -> Any:
    """Return the bytes of which a burst of rate R loses none.

    >>> burst_tolerance(6, *[Fraction(1)] * 3, 2, 1, 4)
    Fraction(2, 1)
    """
    return R * time_tolerance(B, alpha_p, n_p, gamma, A, C, R)


def falls_at(inflow: Any, draining: Any, following: Any) -> Any:
    """Return the rate at which the free buffer falls.

    The rates C_i of the queues that drain sum to `draining`, and the weights of those that follow to `following`.
    """
    return (inflow - draining) / (1 + following)


def meets(weight: Any, room: Any, growth: Any, fall: Any) -> Any:
    """Return the time at which a growing queue, `room` bytes below its falling threshold at time 0, meets it."""
    return room / (growth + weight * fall)


def fall_rate(held: Sequence[Held], inflow: Fraction) -> Fraction:
    """Solve phi + sum min(w_i phi, C_i) = inflow for phi, the rate at which the free buffer falls.

    The left side increases strictly and is concave, piecewise linear with break points C_i / w_i.
    """
    return free_beside(inflow, [(1, Threshold(queue.weight, cap=queue.rate)) for queue in held])


def weighted_first_drop(buffer: Quantity, held: Sequence[Held], bursts: Sequence[Burst]) -> WeightedDrop:
    """Return the first drop of several bursts against queues that sit on their thresholds.

    The other queues of the switch are empty and receive nothing. Each queue of `held` stays offered at least C_i.
    Raises `InputError` if there is no burst, R_k <= C_k, an initial length is above the threshold, or the buffer fills
    before any threshold is met (only offsets allow that).

    >>> one = Fraction(1)
    >>> weighted_first_drop(6, [Held(one, one)], [Burst(one, one, Fraction(3))])
    WeightedDrop(time=Fraction(1, 1), burst=0, free=Fraction(2, 1), fall=Fraction(1, 1), times=(Fraction(1, 1),))
    """
    size = bytes_(buffer, "buffer", positive=True)
    _check(held, bursts)
    initial = sum((b.initial for b in bursts), Fraction(0)) + sum((q.offset for q in held), Fraction(0))
    free = Fraction(left_free(size - initial, sum((q.weight for q in held), Fraction(0))))
    fall = fall_rate(held, sum((b.arrival - b.rate for b in bursts), Fraction(0)))
    times = tuple(_meets(index, burst, free, fall) for index, burst in enumerate(bursts))
    time = min(times)
    left = Fraction(left_at(free, fall, time))
    if left < 0:
        raise InputError("offsets", plain(left), "thresholds that are met before the buffer is full")
    return WeightedDrop(time, times.index(time), left, fall, times)


def fairness(shares: Sequence[Fraction]) -> Fraction:
    """Return Jain's index (sum x)^2 / (n sum x^2) of the `shares` x: 1 if they are equal, 1/n if one queue has all.

    >>> fairness([Fraction(1), Fraction(3)])
    Fraction(4, 5)
    """
    squares = sum(x * x for x in shares)
    if not squares:
        raise InputError("shares", "all 0", "at least one share greater than 0")
    return Fraction(sum(shares) ** 2) / (len(shares) * squares)


@cache
def steady_state_formulas() -> dict[str, sympy.Expr]:
    """The steady state in SymPy, over the symbols B, W (total weight), w (one queue's weight)."""
    import sympy

    B, W, w = sympy.symbols("B W w", positive=True)
    Q = sympy.Symbol("Q")
    (total,) = sympy.solve(sympy.Eq(Q, W * (B - Q)), Q)
    return {"occupancy": total, "free": sympy.factor(B - total), "threshold": sympy.factor(w * (B - total))}


def _check(held: Sequence[Held], bursts: Sequence[Burst]) -> None:
    if not bursts:
        raise InputError("bursts", [], "at least one burst")
    named = [(f"held[{i}]", q.weight, q.rate, q.offset) for i, q in enumerate(held)]
    named += [(f"bursts[{i}]", b.weight, b.rate, b.offset) for i, b in enumerate(bursts)]
    for name, weight, drain, offset in named:
        number(weight, f"{name}.weight")
        rate(drain, f"{name}.rate", positive=True)
        bytes_(offset, f"{name}.offset")
    for index, burst in enumerate(bursts):
        bytes_(burst.initial, f"bursts[{index}].initial")
        if burst.arrival <= burst.rate:
            accepted = f"a rate above {plain(burst.rate)}, the drain rate"
            raise InputError(f"bursts[{index}].arrival", plain(burst.arrival), accepted)


def _meets(index: int, burst: Burst, free: Fraction, fall: Fraction) -> Fraction:
    room = burst.weight * free + burst.offset - burst.initial
    if room < 0:
        accepted = "a length that is at most the queue's threshold"
        raise InputError(f"bursts[{index}].initial", plain(burst.initial), accepted)
    return Fraction(meets(burst.weight, room, burst.arrival - burst.rate, fall))
