"""Inputs of Theorems 1 to 3: quantities with units, checked against the assumptions of each theorem."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Protocol

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity
from dtmodel.theory.dt import formulas
from dtmodel.theory.dt.stages import Setting, joint_growth


class SharedBuffer(Protocol):
    """The attributes of a switch that a theorem reads; `dtmodel.Switch` has them.

    Examples
    --------
    >>> from dtmodel import Switch
    >>> holder: SharedBuffer = Switch(4, 6, 1)
    >>> holder.ports
    4
    """

    @property
    def ports(self) -> int:
        """The number of output ports, P."""

    @property
    def buffer(self) -> Fraction:
        """The shared buffer B, in bytes."""

    @property
    def rate(self) -> Fraction:
        """The rate of every port, C, in bytes per second."""


def read_setting(switch: SharedBuffer, alpha: Quantity, steady: object, bursts: int) -> Setting:
    """Check and read alpha, N and the switch; raise `InputError` if one is not accepted, or M + N > P.

    >>> from dtmodel import Switch
    >>> read_setting(Switch(4, "1 MB", "1 Gbps"), "1/2", 2, 1).alpha
    Fraction(1, 2)
    """
    N = units.count(steady, "steady")
    ports = units.count(switch.ports, "switch.ports", least=1)
    if bursts + N > ports:
        raise InputError("bursts + steady", bursts + N, f"at most {ports}, the number of ports")
    buffer = units.bytes_(switch.buffer, "switch.buffer", positive=True)
    return Setting(
        units.number(alpha, "alpha", positive=True), buffer, units.rate(switch.rate, "switch.rate", positive=True), N
    )


def read_rates(
    switch: SharedBuffer, alpha: Quantity, steady: int, burst_rates: Sequence[Quantity]
) -> tuple[Setting, list[Fraction]]:
    """Check and read a setting and the rates of its bursts; M + N ports must exist.

    >>> from dtmodel import Switch
    >>> setting, rates = read_rates(Switch(4, 6, 1), 1, 2, [3, 2])
    >>> setting.N, [str(R) for R in rates]
    (2, ['3', '2'])
    """
    rates = units.each(units.rate, burst_rates, "burst_rates", least=1)
    return read_setting(switch, alpha, steady, len(rates)), list(rates)


def read_durations(durations: Sequence[Quantity] | None, M: int) -> list[Fraction]:
    """Check and read one duration for each of M bursts; empty if they are not given.

    >>> read_durations(["2 ms", "1 ms"], 2)
    [Fraction(1, 500), Fraction(1, 1000)]
    """
    if durations is None:
        return []
    read = units.each(units.seconds, durations, "durations", least=1)
    if len(read) != M:
        raise InputError("durations", durations, f"a list of {M} durations, one for each burst")
    return list(read)


def following_bursts(
    switch: SharedBuffer, alpha: Quantity, steady: int, burst_rates: Sequence[Quantity]
) -> tuple[Setting, list[Fraction]]:
    """Check and read bursts under which all queues can follow the threshold: the assumptions of Theorem 2.

    >>> from dtmodel import Switch
    >>> [str(R) for R in following_bursts(Switch(4, 6, 1), 1, 2, [2, 2])[1]]
    ['2', '2']
    """
    setting, rates = ordered_bursts(switch, alpha, steady, burst_rates)
    if formulas.drains(setting.alpha, setting.C, setting.N, joint_growth(setting, rates, 1)):
        raise InputError("burst_rates", _listed(rates), f"rates that exceed C by at most {_bound(setting)} in sum")
    return setting, rates


def draining_bursts(
    switch: SharedBuffer, alpha: Quantity, steady: int, burst_rates: Sequence[Quantity]
) -> tuple[Setting, list[Fraction]]:
    """Check and read bursts that make the threshold fall faster than queues can drain: the assumptions of Theorem 3.

    >>> from dtmodel import Switch
    >>> [str(R) for R in draining_bursts(Switch(4, 6, 1), 1, 1, [5, 4])[1]]
    ['5', '4']
    """
    setting, rates = ordered_bursts(switch, alpha, steady, burst_rates)
    if not formulas.drains(setting.alpha, setting.C, setting.N, joint_growth(setting, rates, 1)):
        raise InputError("burst_rates", _listed(rates), f"rates that exceed C by more than {_bound(setting)} in sum")
    return setting, rates


def ordered_bursts(
    switch: SharedBuffer, alpha: Quantity, steady: int, burst_rates: Sequence[Quantity]
) -> tuple[Setting, list[Fraction]]:
    """Check and read bursts with R_1 >= ... >= R_M > C.

    >>> from dtmodel import Switch
    >>> ordered_bursts(Switch(4, 6, 1), 1, 2, [3, 2])[1]
    [Fraction(3, 1), Fraction(2, 1)]
    """
    setting, rates = read_rates(switch, alpha, steady, burst_rates)
    for k, rate in enumerate(rates):
        overloading(rate, setting, f"burst_rates[{k}]")
    if any(before < after for before, after in pairwise(rates)):
        raise InputError("burst_rates", _listed(rates), "rates that do not increase: R_1 >= R_2 >= ... >= R_M")
    return setting, rates


def overloading(rate: Fraction, setting: Setting, field: str) -> Fraction:
    """Check that a burst overloads its port, R > C; `field` names the argument in the error.

    >>> from fractions import Fraction
    >>> from dtmodel.theory.dt.stages import Setting
    >>> overloading(Fraction(3), Setting(Fraction(1), Fraction(6), Fraction(1), 2), "burst_rate")
    Fraction(3, 1)
    """
    if rate <= setting.C:
        raise InputError(
            field, units.plain(rate), f"R > C: more than the port's rate, {units.plain(setting.C)} bytes/s"
        )
    return rate


def _bound(setting: Setting) -> str:
    bound = Fraction(formulas.growth_bound(setting.alpha, setting.C, setting.N))
    return f"(1 + alpha N) C / alpha = {units.plain(bound)} bytes/s"


def _listed(rates: Sequence[Fraction]) -> list[str]:
    return [units.plain(rate) for rate in rates]
