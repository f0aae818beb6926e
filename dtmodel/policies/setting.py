"""The switch and the bursts for which a policy is set."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class PolicySetting:
    """A switch, and bursts that reach M of its empty ports together while N others are overloaded.

    Attributes
    ----------
    ports : int
        P, at least M + N; the other ports are idle.
    buffer, rate : Fraction
        B in bytes, and the rate C of every port in bytes per second.
    bursts, steady : int
        M and N. The queues of a policy that is set for it are the M of the bursts, then the N overloaded ones.
    burst_rate, duration : Fraction
        The rate of each burst in bytes per second, and how long it lasts in seconds.
    alpha : Fraction
        The control parameter of those policies that have one like DT's.

    Examples
    --------
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

    @property
    def queues(self) -> int:
        """M + N, the queues that hold anything."""
        return self.bursts + self.steady

    @property
    def share(self) -> Fraction:
        """B / P, a port's part of the buffer in bytes."""
        return self.buffer / self.ports
