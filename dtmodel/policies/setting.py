"""How a policy is set for a switch: what it is told of the switch, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dtmodel.policies.policy import Policy


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


@dataclass(frozen=True)
class Configured:
    """A policy as it is set for a switch.

    Attributes
    ----------
    name : str
        What it is called beside others, such as ``"L2BM, harmonic mean"``.
    settings : str
        What it is set to, for people.
    policy : Policy or None
        None: the fluid model does not run it, and `note` says why.
    claim : str
        The claim of the ledger that says when bursts faster than their ports first lose something; empty: none does.
    held : Fraction or None
        What each overloaded port holds when the bursts begin, in bytes; None: what its threshold allows.
    note : str
        What to know beside the numbers.

    Examples
    --------
    >>> from dtmodel import DT
    >>> Configured("DT", "alpha = 1", DT(1)).held is None
    True
    """

    name: str
    settings: str
    policy: Policy | None
    claim: str = ""
    held: Fraction | None = None
    note: str = ""
