"""The switch and the bursts for which a policy is set."""

from dataclasses import dataclass, replace
from fractions import Fraction


@dataclass(frozen=True)
class PolicySetting:
    """A switch on which bursts reach M empty ports together while the queues of N other ports are steady.

    - `ports`: P, at least M + N; the other ports are idle.
    - `buffer`, `rate`: B in bytes, and the rate C of every port in bytes per second.
    - `bursts`, `steady`: M and N. Queues 0 to M - 1 are those of the bursts; the N steady queues follow.
    - `burst_rate`, `duration`: the rate of each burst in bytes per second, and its duration in seconds.
    - `alpha`: the control parameter of policies that have one like DT's.
    - `rates` (tuple): the rate of each port if they differ; `rate` is then that of the slowest port with a burst.

    >>> gigabit = Fraction(125_000_000)
    >>> setting = PolicySetting(8, Fraction(10**6), gigabit, 2, 3, 2 * gigabit, Fraction(1, 100))
    >>> setting.queues, str(setting.share)
    (5, '125000')
    """

    ports: int
    buffer: Fraction
    rate: Fraction
    bursts: int
    steady: int
    burst_rate: Fraction
    duration: Fraction
    alpha: Fraction = Fraction(1)
    rates: tuple[Fraction, ...] = ()

    def with_bursts(self, bursts: int, steady: int) -> "PolicySetting":
        """Return the setting with M = `bursts`, which reach the first ports, and N = `steady`.

        >>> one, rates = Fraction(1), (Fraction(4), Fraction(1))
        >>> mixed = PolicySetting(2, 9 * one, one, 2, 0, 8 * one, one, rates=rates)
        >>> str(mixed.with_bursts(1, 1).rate)
        '4'
        """
        rate = min(self.rates[:bursts], default=self.rate)
        return replace(self, bursts=bursts, steady=steady, rate=rate)

    @property
    def queues(self) -> int:
        """M + N, the number of queues that hold bytes."""
        return self.bursts + self.steady

    @property
    def share(self) -> Fraction:
        """B / P, a port's part of the buffer in bytes."""
        return self.buffer / self.ports
