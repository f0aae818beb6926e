"""Bursts under policies that expel packets at once: no queue stays above T = alpha F, or in LQD above the others.

Beside N steady queues, which are on the threshold, M bursts grow at R - C until they meet it: with F + N T + M q = B
and T = alpha F a burst of q bytes leaves F = (B - M q) / (1 + N alpha), and q = T at alpha B / (1 + (M + N) alpha). LQD
is the limit of large alpha: its buffer is full, and a burst loses nothing until it is as long as every other queue.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from dtmodel.policies.setting import PolicySetting


@final
@dataclass(frozen=True)
class Expulsion:
    """Ideal expulsion above T = `alpha` F; above the other queues of a full buffer if `alpha` is None.

    >>> quick = PolicySetting(2, Fraction(6), Fraction(1), 1, 1, Fraction(3), Fraction(9))
    >>> [str(Expulsion(alpha).meeting(quick)) for alpha in (Fraction(1), Fraction(4), None)]
    ['2', '8/3', '3']
    """

    alpha: Fraction | None

    def share(self, queues: int) -> Fraction:
        """Return the length of each of some queues on the threshold, as a share of the buffer that they leave."""
        return Fraction(1, queues) if self.alpha is None else self.alpha / (1 + queues * self.alpha)

    def meeting(self, setting: PolicySetting) -> Fraction:
        """Return the length at which the bursts meet the threshold."""
        return setting.buffer * self.share(setting.queues)

    def lossless(self, setting: PolicySetting) -> Fraction | None:
        """Return the longest duration of the bursts without loss; None if they are not faster than their ports."""
        fill = setting.burst_rate - setting.rate
        return self.meeting(setting) / fill if fill > 0 else None

    def free(self, setting: PolicySetting, length: Fraction) -> Fraction:
        """Return the free buffer beside bursts of a `length` up to the meeting."""
        left, N = setting.buffer - setting.bursts * length, setting.steady
        return left - N * self.share(N) * left if N else left

    def lengths(self, setting: PolicySetting) -> list[Fraction]:
        """Return the queue lengths at the end of the bursts: those of the bursts first."""
        grown = max(setting.burst_rate - setting.rate, Fraction(0)) * setting.duration
        length, N = min(grown, self.meeting(setting)), setting.steady
        steady = [self.share(N) * (setting.buffer - setting.bursts * length)] * N if N else []
        return [length] * setting.bursts + steady

    def recovery(self, setting: PolicySetting, steady_rate: Fraction) -> Fraction | None:
        """Return the time after the bursts until every queue has its earlier length; None if the steady ones have not.

        The bursts drain at C. The steady queues grow as fast as their threshold rises, but not faster than the
        arrivals at `steady_rate` let them.
        """
        M, N = setting.bursts, setting.steady
        length, growth = self.lengths(setting)[0], steady_rate - setting.rate
        missing = self.share(N) * M * length if N else Fraction(0)
        if missing and not growth:
            return None
        return max(length / setting.rate, missing / growth if missing else Fraction(0))
