"""First drops under DT for bursts of any rates and durations: the corrected theorems, in exact numbers.

Inputs may have units. `dtmodel.theory.dt.printed` evaluates the theorems as printed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from dtmodel.base import units
from dtmodel.base.units import Quantity
from dtmodel.theory.dt import formulas
from dtmodel.theory.dt.inputs import SharedBuffer, following_bursts, read_durations, read_rates, read_setting
from dtmodel.theory.dt.stages import Regime, first_hits, joint_growth


@dataclass(frozen=True)
class FirstDrop:
    """The first drop of M bursts of one rate, by Theorem 1.

    Attributes
    ----------
    time : Fraction or None
        The first drop in seconds, if the bursts last longer; None if they never lose a byte (R <= C).
    free_buffer : Fraction or None
        F at that time in bytes.
    case : {"a", "b", "none"}
        a if the steady queues follow the threshold, b if they drain at C, "none" if R <= C.
    drops : tuple of bool or None
        For the given durations, True if the port loses bytes; None where another burst ends early, a case that the
        theorem does not cover. Empty if no durations were given.

    Examples
    --------
    >>> from dtmodel import Switch
    >>> from dtmodel.theory.dt import theorem1
    >>> said = theorem1.evaluate(Switch(16, "1 MB", "1 Gbps"), alpha=1, steady=2, bursts=1, burst_rate="2 Gbps")
    >>> said.case, str(said.time)
    ('a', '1/500')
    """

    time: Fraction | None
    free_buffer: Fraction | None
    case: Literal["a", "b", "none"]
    drops: tuple[bool | None, ...] = ()

    def __str__(self) -> str:
        if self.time is None or self.free_buffer is None:
            return "no drop: the bursts do not overload their ports"
        time, free = units.show_seconds(self.time), units.show_bytes(self.free_buffer)
        return f"first drop at {time}, free buffer {free}, case {self.case}"


@dataclass(frozen=True)
class PortDrop:
    """The first drop of one of M bursts of different rates, by Theorems 2 and 3.

    Attributes
    ----------
    time : Fraction or None
        t_k in seconds; None for a burst that does not overload its port (R_k <= C).
    free_buffer : Fraction or None
        F(t_k) in bytes.
    regime : {"follow", "drain", "mixed", "none"}
        The state at t_k of the ports that met the threshold before: all follow it (Theorem 2), all drain at C (Theorem
        3 up to L), or some are still above it (Theorem 3 beyond L, which the paper does not cover).
    above : int
        The number of those ports that are longer than the threshold at t_k.
    drops : bool or None
        For the given durations, True if the port loses bytes; None if none were given or the theorem does not decide.

    Examples
    --------
    >>> from dtmodel import Switch
    >>> from dtmodel.theory.dt import theorem3_corrected
    >>> said = theorem3_corrected.evaluate(Switch(4, 6, 1), alpha=1, steady=1, burst_rates=[4, 3])
    >>> said[0].regime, str(said[0].time)
    ('drain', '3/7')
    """

    time: Fraction | None
    free_buffer: Fraction | None
    regime: Regime
    above: int
    drops: bool | None = None


def first_drop(
    switch: SharedBuffer,
    *,
    alpha: Quantity,
    steady: int,
    bursts: int,
    burst_rate: Quantity,
    durations: Sequence[Quantity] | None = None,
) -> FirstDrop:
    """Evaluate Theorem 1 as corrected: M bursts of one rate begin at time 0 beside N ports in steady state.

    Parameters
    ----------
    switch : SharedBuffer
        P, B and C.
    alpha : quantity
        The control parameter, greater than 0.
    steady, bursts : int
        N >= 0 and M >= 1, together at most P.
    burst_rate : quantity
        R in bytes per second or with a unit.
    durations : sequence of quantity, optional
        d_1, ..., d_M in seconds.

    Raises
    ------
    InputError
        If an argument is out of range.

    Examples
    --------
    >>> from dtmodel import Switch
    >>> switch = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
    >>> print(first_drop(switch, alpha=1, steady=2, bursts=1, burst_rate="2 Gbps"))
    first drop at 2 ms (1/500 s), free buffer 250 KB, case a
    """
    M = units.count(bursts, "bursts", least=1)
    setting = read_setting(switch, alpha, steady, M)
    R = units.rate(burst_rate, "burst_rate")
    lengths = read_durations(durations, M)
    if R <= setting.C:
        return FirstDrop(None, None, "none", (False,) * len(lengths))
    r = R - setting.C
    if formulas.rate_bound(setting.alpha, setting.C, M, setting.N) >= R:
        time = formulas.slow_drop_time(setting.alpha, setting.B, M, setting.N, r)
        free = formulas.slow_free(setting.alpha, setting.B, M, setting.N)
        return FirstDrop(time, free, "a", _decide([time] * len(lengths), ["follow"] * len(lengths), lengths))
    time = formulas.fast_drop_time(setting.alpha, setting.B, setting.C, M, setting.N, r)
    free = formulas.fast_free(setting.alpha, setting.B, setting.C, M, setting.N, r)
    return FirstDrop(time, free, "b", _decide([time] * len(lengths), ["drain"] * len(lengths), lengths))


def following_drops(
    switch: SharedBuffer,
    *,
    alpha: Quantity,
    steady: int,
    burst_rates: Sequence[Quantity],
    durations: Sequence[Quantity] | None = None,
) -> tuple[PortDrop, ...]:
    """Evaluate Theorem 2 as corrected, without recursion, for rates under which all queues follow the threshold.

    Parameters
    ----------
    switch, alpha, steady, burst_rates, durations
        As for `first_drops`; the rates must not increase.

    Raises
    ------
    InputError
        If an argument is out of range, or the bursts grow together faster than (1 + alpha N) C / alpha.

    Examples
    --------
    >>> from dtmodel import Switch
    >>> for drop in following_drops(Switch(4, 12, 1), alpha=1, steady=1, burst_rates=[2, 2], durations=[4, 2]):
    ...     print(drop.time, drop.free_buffer, drop.drops)
    3 3 None
    3 3 False
    """
    setting, rates = following_bursts(switch, alpha, steady, burst_rates)
    lengths = read_durations(durations, len(rates))
    sizes = [
        (setting.alpha, setting.B, setting.N + k - 1, rate - setting.C, joint_growth(setting, rates, k))
        for k, rate in enumerate(rates, 1)
    ]
    times = [Fraction(formulas.follow_drop_time(*size)) for size in sizes]
    sure = _decide(times, ["follow"] * len(times), lengths) or (None,) * len(times)
    return tuple(
        PortDrop(time, Fraction(formulas.follow_free(*size)), "follow", 0, drops)
        for time, size, drops in zip(times, sizes, sure, strict=True)
    )


def first_drops(
    switch: SharedBuffer,
    *,
    alpha: Quantity,
    steady: int,
    burst_rates: Sequence[Quantity],
    durations: Sequence[Quantity] | None = None,
) -> tuple[PortDrop, ...]:
    """Evaluate Theorems 2 and 3 as corrected: every port, every mixture of regimes; rates in any order.

    Parameters
    ----------
    switch : SharedBuffer
        P, B and C.
    alpha : quantity
        The control parameter, greater than 0.
    steady : int
        N >= 0.
    burst_rates : sequence of quantity
        R_1, ..., R_M; at least one, at most P - N.
    durations : sequence of quantity, optional
        d_1, ..., d_M in seconds, in the order of the rates.

    Returns
    -------
    tuple of PortDrop
        In the order of the rates.

    Raises
    ------
    InputError
        If an argument is out of range.

    Examples
    --------
    >>> from dtmodel import Switch
    >>> switch = Switch(ports=4, buffer=12, rate=1)
    >>> for drop in first_drops(switch, alpha=1, steady=1, burst_rates=[2, 9, 1]):
    ...     print(drop.time, drop.free_buffer, drop.regime)
    3 3 follow
    3/8 3 drain
    None None none
    """
    setting, rates = read_rates(switch, alpha, steady, burst_rates)
    lengths = read_durations(durations, len(rates))
    order = sorted((k for k, R in enumerate(rates) if R > setting.C), key=lambda k: -rates[k])
    hits = first_hits(setting, [rates[k] for k in order])
    ends = [lengths[k] for k in order] if lengths else []
    decided = _decide([hit.time for hit in hits], [hit.regime for hit in hits], ends)
    sure = decided or (None,) * len(hits)
    answers = {
        k: PortDrop(hit.time, hit.free, hit.regime, hit.above, drops)
        for k, hit, drops in zip(order, hits, sure, strict=True)
    }
    never = PortDrop(None, None, "none", 0, False if lengths else None)
    return tuple(answers.get(k, never) for k in range(len(rates)))


def _decide(
    times: Sequence[Fraction], regimes: Sequence[Regime], durations: Sequence[Fraction]
) -> tuple[bool | None, ...]:
    """Return for each port True, False, or None if no theorem decides whether it drops.

    Until the first burst ends, no duration matters; while all ports that met the threshold drain at C, the end of their
    bursts changes nothing either. A burst that ends at the very instant at which another meets the threshold can turn
    the threshold up and so save the other (edt.ours.end-at-the-drop). No port ever drops before the first of the times
    (edt.ours.no-earlier-drop).
    """
    answers: list[bool | None] = []
    for k, duration in enumerate(durations):
        end = min(duration, times[k])
        unheeded = [regimes[k] == "drain" and met < end and met <= d for met, d in zip(times, durations, strict=True)]
        others = [d for j, d in enumerate(durations) if j != k and not unheeded[j]]
        if duration <= min(times):
            answers.append(False)
        elif duration > times[k]:
            answers.append(True if all(d > end for d in others) else None)
        else:
            answers.append(False if all(d >= end for d in others) else None)
    return tuple(answers)
