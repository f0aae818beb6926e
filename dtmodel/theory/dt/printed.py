"""Theorems 1 to 3 of the DT/EDT paper evaluated as printed, only within their assumptions.

The print states that a port loses bytes *if* its burst lasts long enough, and does not cover shorter bursts: the result
for a given duration is True or None, never False. `dtmodel.theory.dt.drops` has the corrected theorems.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from dtmodel.base import units
from dtmodel.base.units import Quantity
from dtmodel.theory.dt import formulas
from dtmodel.theory.dt.drops import FirstDrop, PortDrop
from dtmodel.theory.dt.inputs import (
    SharedBuffer,
    draining_bursts,
    following_bursts,
    overloading,
    read_durations,
    read_setting,
)
from dtmodel.theory.dt.stages import Regime, printed_drain, printed_follow


def one_rate_drop(
    switch: SharedBuffer,
    *,
    alpha: Quantity,
    steady: int,
    bursts: int,
    burst_rate: Quantity,
    durations: Sequence[Quantity] | None = None,
) -> FirstDrop:
    """Evaluate Theorem 1 as printed, equations (10) and (11): M bursts of one rate R > C.

    The print needs only the port's own burst to last; the others may end at any time. Raises `InputError` if R <= C or
    an argument is not accepted.

    >>> from dtmodel import Switch
    >>> one_rate_drop(Switch(4, 12, 1), alpha=1, steady=0, bursts=2, burst_rate="3/2", durations=[9, 2])
    FirstDrop(time=Fraction(8, 1), free_buffer=Fraction(4, 1), case='a', drops=(True, None))
    """
    M = units.count(bursts, "bursts", least=1)
    setting = read_setting(switch, alpha, steady, M)
    R = overloading(units.rate(burst_rate, "burst_rate"), setting, "burst_rate")
    lengths = read_durations(durations, M)
    a, B, C, N = setting.alpha, setting.B, setting.C, setting.N
    if formulas.rate_bound(a, C, M, N) >= R:
        time, free = formulas.slow_drop_time(a, B, M, N, R - C), formulas.slow_free(a, B, M, N)
        return FirstDrop(time, free, "a", tuple(_printed(time, d) for d in lengths))
    time, free = formulas.fast_drop_time(a, B, C, M, N, R - C), formulas.fast_free(a, B, C, M, N, R - C)
    return FirstDrop(time, free, "b", tuple(_printed(time, d) for d in lengths))


def follow_drops(
    switch: SharedBuffer,
    *,
    alpha: Quantity,
    steady: int,
    burst_rates: Sequence[Quantity],
    durations: Sequence[Quantity] | None = None,
) -> tuple[PortDrop, ...]:
    """Evaluate Theorem 2 as printed, the recursion (14), for rates under which all queues follow the threshold.

    The arguments are those of `dtmodel.theory.dt.drops.first_drops`; the rates must not increase. Raises `InputError`
    if the bursts grow together faster than (1 + alpha N) C / alpha.

    >>> from dtmodel import Switch
    >>> [str(drop.time) for drop in follow_drops(Switch(4, 12, 1), alpha=1, steady=1, burst_rates=[2, 2])]
    ['3', '3']
    """
    setting, rates = following_bursts(switch, alpha, steady, burst_rates)
    return _drops(printed_follow(setting, rates), "follow", lambda _: 0, read_durations(durations, len(rates)))


def drain_drops(
    switch: SharedBuffer,
    *,
    alpha: Quantity,
    steady: int,
    burst_rates: Sequence[Quantity],
    durations: Sequence[Quantity] | None = None,
) -> tuple[PortDrop, ...]:
    """Evaluate Theorem 3 as printed, the recursion (31), for its ports 1 to L.

    The arguments are those of `dtmodel.theory.dt.drops.first_drops`; the rates must not increase. Raises `InputError`
    if the bursts grow together no faster than (1 + alpha N) C / alpha.

    >>> from dtmodel import Switch
    >>> [str(drop.time) for drop in drain_drops(Switch(4, 12, 1), alpha=1, steady=1, burst_rates=[13, 3, 2])]
    ['3/13']
    """
    setting, rates = draining_bursts(switch, alpha, steady, burst_rates)
    lengths = read_durations(durations, len(rates))
    return _drops(printed_drain(setting, rates), "drain", lambda port: setting.N + port, lengths)


def _drops(
    points: Sequence[tuple[Fraction, Fraction]],
    regime: Regime,
    above: Callable[[int], int],
    lengths: Sequence[Fraction],
) -> tuple[PortDrop, ...]:
    return tuple(
        PortDrop(time, free, regime, above(k), _printed(time, lengths[k]) if lengths else None)
        for k, (time, free) in enumerate(points)
    )


def _printed(time: Fraction, duration: Fraction) -> bool | None:
    """Return True if the duration exceeds t_k; otherwise None, as the printed theorem does not decide."""
    return True if duration > time else None
