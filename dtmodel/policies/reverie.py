"""Reverie (NSDI 2024): thresholds in proportion to the free buffer for queue lengths behind a low-pass filter."""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self, final

from dtmodel.base import units
from dtmodel.base.units import Quantity, whole
from dtmodel.policies.admission import Account, Admission
from dtmodel.policies.parameters import PolicyParameter
from dtmodel.policies.policy import Configured, WithoutThresholds
from dtmodel.policies.setting import PolicySetting


@final
@dataclass(frozen=True, init=False)
class Reverie(WithoutThresholds):
    """Reverie, with packets only: a packet that fits enters while the filtered length L of its queue is below alpha F.

    After each packet that a queue of length Q sends, L becomes gamma L + (1 - gamma) Q, or Q if that is less. Congested
    queues of a priority are not counted: alpha is alpha_p / n_p. In an exact run with gamma = p / q each packet
    multiplies the denominator of L by q until L is Q again, so long exact traces are slow; floats are not.

    Parameters
    ----------
    alpha : quantity
        The control parameter, greater than 0.
    gamma : quantity
        The weight of the past, from 0 to 1; 0.99 by default, as in the authors' public simulator.

    Raises
    ------
    InputError
        If a value is not accepted.

    Examples
    --------
    >>> from dtmodel.packet.engine import run_packets
    >>> for gamma in ("0", "3/4"):
    ...     burst = [(Fraction(k, 2), 1, None) for k in range(24)]
    ...     done = run_packets(buffer=8, rates=[1], policy=Reverie(1, gamma), streams=[burst], until=20)
    ...     print(done.first_drop(0).time)
    4
    11/2
    """

    alpha: Fraction
    gamma: Fraction
    parameters = (
        PolicyParameter("alpha", default=1),
        PolicyParameter("gamma", "number", default=Fraction(99, 100), positive=False, most=1),
    )
    by_name = True

    def __init__(self, alpha: Quantity = 1, gamma: Quantity = "0.99") -> None:
        self._take(alpha=alpha, gamma=gamma)

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return an admission that filters the length of each queue."""
        number: Any = float if type(buffer) is float else whole
        return _Filtered(number(self.alpha), number(self.gamma), ports)

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Use the alpha of the setting."""
        note = "packets only: a filtered length is not linear in time (dtmodel replay-trace runs it)"
        policy = cls(setting.alpha)
        said = f"alpha = {units.plain(policy.alpha)}, gamma = {units.plain(policy.gamma)}"
        return (Configured("Reverie", said, None, note=note, packets=policy),)


@final
class _Filtered(Admission):
    """Admits below T = `alpha` F, which it compares with the filtered lengths."""

    def __init__(self, alpha: Any, gamma: Any, ports: int) -> None:
        self.alpha, self.gamma, self.filtered = alpha, gamma, [0 * alpha] * ports

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        return bool(self.filtered[port] < self.alpha * free)

    def dequeued(self, port: int, size: Any, now: Any) -> None:
        length = self.lengths[port]
        self.filtered[port] = length - max(self.gamma * (length - self.filtered[port]), 0)

    def remembered(self, now: Any) -> Hashable:
        return tuple(self.filtered)

    def recall(self, remembered: Any) -> None:
        self.filtered = [*remembered]

    def in_ticks(self, second: int) -> Self:
        return self
