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

from dtmodel.base.curves import Curve, line, total
from dtmodel.base.errors import InputError
from dtmodel.base.units import plain
from dtmodel.policies.forest import Node, remaining
from dtmodel.policies.formulas import QueueLimits
from dtmodel.theorems.operations import greatest, least, rounded_down, rounded_up
from dtmodel.theory.threshold_family import Held, fall_rate


@dataclass(frozen=True)
class PoolSteadyState:
    """The steady state of a pool in bytes: free, taken, and each queue's threshold with its reserve."""

    free: Fraction
    taken: Fraction
    thresholds: tuple[Fraction, ...]


@dataclass(frozen=True)
class PortLimits:
    """The limit of a port in the pool, and the indices of its queues; `nested`: their weights multiply its room."""

    alpha: Fraction | None
    cap: Fraction | None
    queues: tuple[int, ...]
    nested: bool = False

    def law(self) -> Curve:
        """Return the largest number of bytes of the port as a function of the free bytes of the pool."""
        return _law(self.alpha, self.cap)


def pool_steady_state(
    size: Fraction, limits: Sequence[QueueLimits], ports: Sequence[PortLimits] = ()
) -> PoolSteadyState:
    """Solve F + sum min(alpha_i F, c_i) = S: every queue of the pool is on its threshold; `InputError` without queues.

    If the static limits exceed the pool, or the limits of queues that of their port, thresholds do not determine the
    division; then it is that of equal sources, each of which gets as much as the others or its own limit.
    """
    if not limits:
        raise InputError("limits", [], "at least one active queue")
    inside = {queue for port in ports for queue in port.queues}
    branches = [port for port in ports if port.queues]
    branches += [PortLimits(None, None, (q,)) for q in range(len(limits)) if q not in inside]
    wanted = [_branch(port, limits) for port in branches]
    free = max(Fraction(0), remaining(total((1, each) for each in wanted))(size))
    taken = _equal_shares([each(free) for each in wanted], size - free)
    thresholds = [limit.reserved for limit in limits]
    for port, held in zip(branches, taken, strict=True):
        room = port.law()(free) - held if port.nested else free
        shares = _equal_shares([limits[queue].shared(room) for queue in port.queues], held)
        for queue, share in zip(port.queues, shares, strict=True):
            thresholds[queue] += share
    return PoolSteadyState(free, size - free, tuple(thresholds))


def _law(alpha: Fraction | None, cap: Fraction | None) -> Curve:
    return Node(None, alpha, Fraction(0), cap).law()


def _branch(port: PortLimits, limits: Sequence[QueueLimits]) -> Curve:
    """Return the bytes that the queues of a port hold on their thresholds as a function of the free bytes."""
    inside = total((1, _law(limits[queue].alpha, limits[queue].cap)) for queue in port.queues)
    if port.alpha is None and port.cap is None:
        return inside
    if port.nested:
        return inside.after(remaining(inside)).lower(line(Fraction(1))).after(port.law())
    return inside.lower(port.law())


def _equal_shares(wanted: Sequence[Fraction], most: Fraction) -> Sequence[Fraction]:
    """Divide `most` bytes equally, but for those that want less; all get the wanted amounts if these fit."""
    if sum(wanted) <= most:
        return wanted
    level = total((1, line(Fraction(1)).lower(line(Fraction(0), each))) for each in wanted).last(most)
    return [min(each, level) for each in wanted]


def burst_first_drop(
    size: Fraction, held: Sequence[tuple[QueueLimits, Fraction]], burst: QueueLimits, rate: Fraction, arrival: Fraction
) -> Fraction:
    """Return the first drop of a burst with these limits, C and R, at an empty queue beside steady queues, `held`.

    `held` has limits and drain rates. Raises `InputError` if R <= C, or if a cap of them binds (simulate that case).
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
    """Return the bytes that a queue of `q` bytes takes from the pool beyond its reserve `r`."""
    return greatest(0, q - r)


def pool_free(S: Any, taken: Any) -> Any:
    """Return the free bytes of a pool of `S` bytes of which `taken` are used."""
    return S - taken


def in_cells(size: Fraction, cell: Fraction) -> Fraction:
    """Return the bytes that a packet of `size` occupies in a memory of cells of size `cell`: its size rounded up."""
    if cell <= 0:
        raise InputError("cell", plain(cell), "a size greater than 0")
    return Fraction(whole_cells(size, cell))


def whole_cells(size: Any, cell: Any) -> Any:
    """Return a `size` in bytes rounded up to whole cells of size `cell`."""
    return rounded_up(size / cell) * cell


def cells_of_packet(packet: Any, overhead: Any, cell: Any) -> Any:
    """Return the cells that a packet takes with the bytes that the chip stores beside it.

    >>> cells_of_packet(Fraction(64), 0, 208), cells_of_packet(Fraction(200), 16, 208)
    (1, 2)
    """
    return rounded_up((packet + overhead) / cell)


def headroom_groups(H: Any, x: Any) -> Any:
    """Return the number of groups with a headroom of `x` cells each that fill a headroom pool of `H` cells."""
    return rounded_up(H / x)


def headroom_partial(H: Any, n: Any, x: Any) -> Any:
    """Return the cells of a headroom pool of `H` that are left for the last of `n` groups."""
    return H - (n - 1) * x


def packets_in_each(k: Any, room: Any, s: Any) -> Any:
    """Return the number of packets of `s` stored bytes that fit into `k` queues with `room` bytes each."""
    return k * rounded_down(room / s)


def stored_at_pause(r: Any, w: Any, S: Any, U: Any) -> Any:
    """Return the cells that a queue holds when its pool refuses the next one.

    `r`, `w`: the queue's own cells and its weight. `S`, `U`: the shared cells of its slice, and the part of them that
    other queues hold.

    >>> stored_at_pause(6, Fraction(1), 13071, 0)
    6542
    """
    return r + rounded_up(w * (S - U) / (1 + w))


def stored_below_cap(r: Any, c: Any, room: Any) -> Any:
    """Return the cells of a queue (r its own) when its static limit of `c` shared cells, or their `room`, is full."""
    return r + least(c, room)


def added_by_port(w: Any, S: Any, U: Any, V: Any) -> Any:
    """Return the shared cells that a port adds to its `V` until its weight `w` in the pool refuses the next one.

    >>> added_by_port(Fraction(1), 100, 30, 20), added_by_port(Fraction(0), 100, 30, 0)
    (25, 0)
    """
    return rounded_up((w * (S - U) - V) / (1 + w))


def stored_at_pause_of_port(r: Any, p: Any, a: Any, S: Any, U: Any, V: Any) -> Any:
    """Return the cells that a queue holds when its port has no room for the next one.

    `r`, `p`, `a`: the queue's own cells, its weight in the room of its port, and the weight of the port in the pool.
    `S`, `U`, `V`: the shared cells of the slice, the part that other queues hold, and the part of it on this port.

    >>> stored_at_pause_of_port(0, Fraction(1), Fraction(1), 10000, 3334, 3334)
    1111
    """
    return r + rounded_up((p * a * (S - U) - p * V) / (1 + p + p * a))


def dropped_packet(n: Any, H: Any) -> Any:
    """Return the number of the first packet that is dropped, after `n` before the pause and `H` in the headroom."""
    return n + H + 1


def stored_together(r: Any, w: Any, S: Any, n: Any) -> Any:
    """Return the cells in each of `n` queues of different ports that fill to their thresholds at once."""
    return r + rounded_down(w * S / (1 + n * w))


def fall_to_resume(o: Any, w: Any) -> Any:
    """Return the cells that leave a queue until it is `o` cells below its threshold, which rises by `w` for each.

    >>> fall_to_resume(11, Fraction(1))
    6
    """
    return rounded_up(o / (1 + w))


def beyond_marks(size: Any, xon: Any, xoff: Any, cell: Any) -> Any:
    """Return the cells of a profile's `size` beyond those of its `xon` and `xoff`, if the size contains its headroom.

    >>> beyond_marks(Fraction(1000), Fraction(300), Fraction(500), 100)
    2
    """
    return greatest(0, rounded_up(size / cell) - rounded_up(xon / cell) - rounded_up(xoff / cell))
