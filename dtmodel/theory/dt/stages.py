r"""First drops of bursts of different rates under DT: every port, every mixture of regimes.

The theorem (edt.ours.theorem3). Let N ports be in steady state, the others empty, and let bursts of rates
$R_1 \ge \dots \ge R_M$ begin at time 0 and last. A port that has met the threshold at time t_j with the length T(t_j)
has from then on the length

.. math:: Q_j(t) = \max\{T(t),\; V_j - C t\}, \qquad V_j = T(t_j) + C t_j,

the longer of the threshold and the line on which it drains (for the N steady ports t_j = 0, V_j = alpha F_0). Hence
port k meets the threshold, and loses bytes from then on, at the one t at which queues and free buffer sum to B:

.. math:: \frac{r_k t}{\alpha} + N \max\{r_k t, \alpha F_0 - C t\}
          + \sum_{j<k} \max\{r_k t, R_j t_j - C t\} + \sum_{i \ge k} (R_i - C) t = B, \qquad r_k = R_k - C.

The left side is a maximum of straight lines, one for each set of ports that are still above the threshold; those sets
are nested by V_j, and shrink after port L. `dtmodel.theory.dt.meetings` has each root in closed form.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from dtmodel.theory.dt import formulas
from dtmodel.theory.dt.meetings import exact_meetings
from dtmodel.theory.dt.series import growth_sums, recursive_drains, recursive_follows

Regime = Literal["follow", "drain", "mixed", "none"]


@dataclass(frozen=True)
class Setting:
    """The numbers of a theorem: alpha, B (bytes), C (bytes/s), N ports in steady state.

    >>> Setting(Fraction(1), Fraction(6), Fraction(1), 2).N
    2
    """

    alpha: Fraction
    B: Fraction
    C: Fraction
    N: int

    @property
    def F_0(self) -> Fraction:
        """The free buffer before the bursts, equation (16)."""
        return Fraction(formulas.initial_free(self.alpha, self.B, self.N))


@dataclass(frozen=True)
class Hit:
    """The event that port k meets the threshold: t_k in seconds, F(t_k) in bytes, and the state of the earlier ports.

    `above` counts the earlier ports that are longer than the threshold at t_k. `regime` is "drain" if all of them drain
    at C (k <= L), "follow" if all are on the threshold, "mixed" otherwise.

    >>> Hit(Fraction(1), Fraction(2), 1, "follow").above
    1
    """

    time: Fraction
    free: Fraction
    above: int
    regime: Regime


def first_hits(setting: Setting, rates: Sequence[Fraction]) -> tuple[Hit, ...]:
    """Return a `Hit` for each burst, for rates R_1 >= R_2 >= ... >= R_M > C.

    The threshold falls faster than C until the first of three bursts has met it; when the others meet it, the steady
    port is still longer than the threshold:

    >>> setting = Setting(Fraction(1), Fraction(12), Fraction(1), 1)
    >>> for hit in first_hits(setting, [Fraction(13), Fraction(3), Fraction(2)]):
    ...     print(hit.time, hit.free, hit.above, hit.regime)
    3/13 36/13 1 drain
    1 2 1 mixed
    2 2 1 mixed
    """
    sums = growth_sums(setting.C, rates)
    met = exact_meetings(setting.alpha, setting.B, setting.C, setting.N, rates)
    return tuple(
        Hit(
            time,
            Fraction(formulas.free_at_drop(setting.alpha, rate - setting.C, time)),
            above,
            regime_of(setting, k, growing, above),
        )
        for k, ((time, above), rate, growing) in enumerate(zip(met, rates, sums, strict=True), 1)
    )


def joint_growth(setting: Setting, rates: Sequence[Fraction], k: int) -> Fraction:
    """Return G_k, the rate at which the queues that have not met the threshold before port k (from 1) grow together.

    >>> joint_growth(Setting(Fraction(1), Fraction(6), Fraction(1), 2), [Fraction(3), Fraction(2)], 1)
    Fraction(3, 1)
    """
    return sum((rate - setting.C for rate in rates[k - 1 :]), Fraction(0))


def regime_of(setting: Setting, k: int, growing: Fraction, above: int) -> Regime:
    """Return the regime just before port k (from 1) meets the threshold, for G_k in `growing` and the ports `above` it.

    >>> setting = Setting(Fraction(1), Fraction(6), Fraction(1), 1)
    >>> regime_of(setting, 1, Fraction(2), 0), regime_of(setting, 1, Fraction(9), 1)
    ('follow', 'drain')
    """
    if _drains(setting, k, growing):
        return "drain"
    return "mixed" if above else "follow"


def drain_stages(setting: Setting, rates: Sequence[Fraction]) -> int:
    """Return L of Theorem 3: the largest k with alpha G_k > (1 + alpha (N + k - 1)) C, or 0.

    >>> drain_stages(Setting(Fraction(1), Fraction(6), Fraction(1), 1), [Fraction(4), Fraction(3)])
    1
    """
    stages = (k for k, _ in enumerate(rates, 1) if _drains(setting, k, joint_growth(setting, rates, k)))
    return max(stages, default=0)


def printed_follow(setting: Setting, rates: Sequence[Fraction]) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return (t_k, F_k) by the recursion of Theorem 2 as printed, equation (14), in any regime.

    >>> setting = Setting(Fraction(1), Fraction(6), Fraction(1), 1)
    >>> printed_follow(setting, [Fraction(2), Fraction(2)])[0]
    (Fraction(3, 2), Fraction(3, 2))
    """
    return tuple(recursive_follows(setting.alpha, setting.B, setting.C, setting.N, rates))


def printed_drain(setting: Setting, rates: Sequence[Fraction]) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return (t_k, F_k) for k = 1..L by the recursion of Theorem 3 as printed, equation (31).

    >>> setting = Setting(Fraction(1), Fraction(6), Fraction(1), 1)
    >>> printed_drain(setting, [Fraction(4), Fraction(3)])[0]
    (Fraction(3, 7), Fraction(9, 7))
    """
    stages = drain_stages(setting, rates)
    return tuple(recursive_drains(setting.alpha, setting.B, setting.C, setting.N, rates, stages))


def _drains(setting: Setting, k: int, growing: Fraction) -> bool:
    return bool(formulas.drains(setting.alpha, setting.C, setting.N + k - 1, growing))
