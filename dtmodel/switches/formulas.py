r"""Steady states and first drops of real buffer configurations: reserves, a shared pool, static limits, cells.

Queue i owns r_i bytes and may take min(alpha_i F, c_i) of a pool of S bytes, F of which are free.

*Steady state.* The free part of the pool is the only root of

.. math:: F + \sum_i \min(\alpha_i F, c_i) = S,

and queue i holds r_i + min(alpha_i F, c_i).

*First drop.* A burst of rate R > C at an empty queue with reserve r first fills that reserve, which takes r / (R - C)
and leaves the pool alone, and then drops as `dtmodel.theory.threshold_family` says, or when it has c in the pool:

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
    """The free part of the pool, what is taken from it, and each queue's threshold, reserve included, in bytes.

    Parameters
    ----------
    free, taken : Fraction
        Of the pool, in bytes.
    thresholds : tuple of Fraction
        One for each queue, in bytes.

    Examples
    --------
    >>> found = pool_steady_state(Fraction(12), [QueueLimits(1), QueueLimits(1)])
    >>> str(found.free), [str(T) for T in found.thresholds]
    ('4', ['4', '4'])
    """

    free: Fraction
    taken: Fraction
    thresholds: tuple[Fraction, ...]


def pool_steady_state(size: Fraction, limits: Sequence[QueueLimits]) -> PoolSteadyState:
    """Solve F + sum min(alpha_i F, c_i) = S: every queue of the pool on its threshold.

    Parameters
    ----------
    size : Fraction
        S in bytes.
    limits : sequence of QueueLimits
        Of each overloaded queue.

    Raises
    ------
    InputError
        For no queue, or static limits that exceed the pool.

    Examples
    --------
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
    # Whichever queues one counts with their caps, the others with alpha F: the sum is at least the left side, and equal
    # to it if one counts those with the least cap / alpha, so many of them as bind. Hence the greatest of the roots.
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
    """Return when a burst at an empty queue first drops, against queues of the pool that sit on their thresholds.

    Parameters
    ----------
    size : Fraction
        The pool in bytes.
    held : sequence of (QueueLimits, rate)
        The queues on their thresholds and their drain rates; their caps must not bind.
    burst : QueueLimits
        The burst's queue; `rate` its drain rate C, `arrival` the burst's rate R > C.
    rate, arrival : Fraction
        C and R of the burst's queue, in bytes per second.

    Raises
    ------
    InputError
        If R <= C, or the cap of a held queue binds (simulate that).

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
    """Return what a queue of q bytes takes from the pool beyond its reserve r.

    `q`, `r`: length and reserve, in bytes.

    >>> beyond_own(5, 3), beyond_own(2, 3)
    (2, 0)
    """
    return greatest(0, q - r)


def pool_free(S: Any, taken: Any) -> Any:
    """Return what is free of a pool of S bytes.

    `S`, `taken`: the pool, and what is taken of it, in bytes.

    >>> pool_free(10, 4)
    6
    """
    return S - taken


def in_cells(size: Fraction, cell: Fraction) -> Fraction:
    """Return the bytes that a packet occupies in a memory of cells: its size rounded up.

    Parameters
    ----------
    size, cell : Fraction
        Of the packet and of a cell, in bytes.

    Examples
    --------
    >>> str(in_cells(Fraction(209), Fraction(208)))
    '416'
    """
    if cell <= 0:
        raise InputError("cell", plain(cell), "a size greater than 0")
    return Fraction(whole_cells(size, cell))


def whole_cells(size: Any, cell: Any) -> Any:
    """Return a size rounded up to cells.

    `size`, `cell`: of the packet and of a cell, in bytes.

    >>> whole_cells(Fraction(209), 208)
    416
    """
    return rounded_up(size / cell) * cell


def packets_in_each(k: Any, room: Any, s: Any) -> Any:
    """Return how many packets that take `s` bytes have room in all of `k` queues.

    `k`: how many queues. `room`, `s`: in each, and what a packet takes, in bytes.

    >>> packets_in_each(2, Fraction(10), 4)
    4
    """
    return k * rounded_down(room / s)
