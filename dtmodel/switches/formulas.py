r"""Steady states and first drops of real buffer configurations: reserves, a shared pool, static limits, cells.

Queue i owns r_i bytes and may take min(alpha_i F, c_i) of a pool of S bytes, F of which are free.

*Steady state.* The free part of the pool is the only root of

.. math:: F + \sum_i \min(\alpha_i F, c_i) = S,

and queue i holds r_i + min(alpha_i F, c_i).

*First drop.* A burst of rate R > C at an empty queue with reserve r first fills that reserve, which takes r / (R - C)
and does not change the pool, and then drops as in `dtmodel.theory.threshold_family`, or when it has c in the pool:

.. math:: t = \frac{r}{R - C} + \min\left(\frac{\alpha F_0}{R - C + \alpha \varphi}, \frac{c}{R - C}\right).

Claims ``l2bm.ours.pool-steady`` and ``l2bm.ours.reserve-first-drop``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.base.units import plain
from dtmodel.policies.formulas import QueueLimits
from dtmodel.theorems.operations import greatest, rounded_down, rounded_up
from dtmodel.theory.threshold_family import Held, fall_rate


@dataclass(frozen=True)
class PoolSteadyState:
    """The steady state of a pool, in bytes.

    - `free`, `taken`: the free and the used bytes of the pool.
    - `thresholds`: the threshold of each queue, reserve included.

    >>> found = pool_steady_state(Fraction(12), [QueueLimits(1), QueueLimits(1)])
    >>> str(found.free), [str(T) for T in found.thresholds]
    ('4', ['4', '4'])
    """

    free: Fraction
    taken: Fraction
    thresholds: tuple[Fraction, ...]


def pool_steady_state(size: Fraction, limits: Sequence[QueueLimits]) -> PoolSteadyState:
    """Solve F + sum min(alpha_i F, c_i) = S: every queue of the pool is on its threshold.

    `size`: S in bytes. `limits`: the limits of each steady queue. Raises `InputError` if no queue is given, or if
    static limits exceed the pool.

    >>> one = Fraction(1)
    >>> state = pool_steady_state(Fraction(55), [QueueLimits(2 * one, 3 * one, 9 * one), QueueLimits(one)])
    >>> str(state.free), [str(t) for t in state.thresholds]
    ('23', ['12', '23'])
    """
    if not limits:
        raise InputError("limits", [], "at least one active queue")
    taken = sum((limit.shared(size) for limit in limits if limit.alpha is None), Fraction(0))
    if taken > size:
        raise InputError("limits", plain(taken), f"static limits of together at most {plain(size)} bytes")
    # For any set of queues counted with their caps, and the others with alpha F, the sum is at least the left side; it
    # is equal for the set of the caps that bind, which have the least cap / alpha. Hence F is the greatest root.
    weight = sum((limit.alpha for limit in limits if limit.alpha is not None), Fraction(0))
    free = (size - taken) / (1 + weight)
    both = [(x.cap / x.alpha, x.cap, x.alpha) for x in limits if x.alpha is not None and x.cap is not None]
    for _, cap, alpha in sorted(both):
        taken, weight = taken + cap, weight - alpha
        free = max(free, (size - taken) / (1 + weight))
    return PoolSteadyState(free, size - free, tuple(x.reserved + x.shared(free) for x in limits))


def burst_first_drop(
    size: Fraction, held: Sequence[tuple[QueueLimits, Fraction]], burst: QueueLimits, rate: Fraction, arrival: Fraction
) -> Fraction:
    """Return the first drop of a burst at an empty queue, beside steady queues of the pool.

    Parameters
    ----------
    size : Fraction
        The pool in bytes.
    held : sequence of (QueueLimits, rate)
        The steady queues and their drain rates; their caps must not bind.
    burst : QueueLimits
        The limits of the burst's queue.
    rate, arrival : Fraction
        The drain rate C and the arrival rate R > C of the burst's queue, in bytes per second.

    Raises
    ------
    InputError
        If R <= C, or if the cap of a steady queue binds (simulate that case).

    Examples
    --------
    >>> one = Fraction(1)
    >>> str(burst_first_drop(Fraction(6), [(QueueLimits(one), one)], QueueLimits(one, reserved=4 * one), one, 3 * one))
    '3'
    """
    if arrival <= rate:
        raise InputError("arrival", plain(arrival), f"a rate above {plain(rate)}, the drain rate")
    free = pool_steady_state(size, [limit for limit, _ in held]).free if held else size
    steady: list[Held] = []
    for index, (limit, drain) in enumerate(held):
        if limit.alpha is None or (limit.cap is not None and limit.cap < limit.alpha * free):
            raise InputError(f"held[{index}].cap", plain(limit.cap or 0), "a cap that does not bind in steady state")
        steady.append(Held(limit.alpha, drain))
    growth = arrival - rate
    fall = fall_rate(steady, growth)
    waits = [] if burst.alpha is None else [burst.alpha * free / (growth + burst.alpha * fall)]
    waits += [] if burst.cap is None else [burst.cap / growth]
    return burst.reserved / growth + min(waits)


def beyond_own(q: Any, r: Any) -> Any:
    """Return the bytes that a queue of `q` bytes takes from the pool beyond its reserve `r`.

    >>> beyond_own(5, 3), beyond_own(2, 3)
    (2, 0)
    """
    return greatest(0, q - r)


def pool_free(S: Any, taken: Any) -> Any:
    """Return the free bytes of a pool of `S` bytes of which `taken` are used.

    >>> pool_free(10, 4)
    6
    """
    return S - taken


def in_cells(size: Fraction, cell: Fraction) -> Fraction:
    """Return the bytes that a packet of `size` occupies in a memory of cells of size `cell`: its size rounded up.

    >>> str(in_cells(Fraction(209), Fraction(208)))
    '416'
    """
    if cell <= 0:
        raise InputError("cell", plain(cell), "a size greater than 0")
    return Fraction(whole_cells(size, cell))


def whole_cells(size: Any, cell: Any) -> Any:
    """Return a `size` in bytes rounded up to whole cells of size `cell`.

    >>> whole_cells(Fraction(209), 208)
    416
    """
    return rounded_up(size / cell) * cell


def packets_in_each(k: Any, room: Any, s: Any) -> Any:
    """Return the number of packets of `s` stored bytes that fit into `k` queues with `room` bytes each.

    >>> packets_in_each(2, Fraction(10), 4)
    4
    """
    return k * rounded_down(room / s)
