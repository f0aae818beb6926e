"""The schemes that the DynaQ paper analyses (Sections 2.3 and 3.2.3): PQL, PMSB, MQ-ECN, TCN.

`lam` is the paper's coefficient of the transport: 1 for ECN*, 0.17 for DCTCP. Sizes in bytes, times in seconds.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.theorems.operations import least
from dtmodel.theory.dynaq.formulas import part, shares


def pql_quotas(B: Fraction, weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return PQL's static quotas, the buffer in proportion to the weights."""
    shares(weights)  # raises InputError for invalid weights
    return tuple(part(B, weight, sum(weights)) for weight in weights)


def pmsb_port_threshold(BDP: Any, lam: Any) -> Any:
    r"""Return PMSB's port threshold :math:`K = C \times RTT \times \lambda`."""
    return BDP * lam


def pmsb_queue_thresholds(BDP: Fraction, weights: Sequence[Fraction], lam: Fraction) -> tuple[Fraction, ...]:
    r"""Return PMSB's queue thresholds :math:`K_i = \frac{w_i}{\sum w} C \times RTT \times \lambda`; they sum to K."""
    shares(weights)  # raises InputError for invalid weights
    return tuple(part(pmsb_port_threshold(BDP, lam), weight, sum(weights)) for weight in weights)


def mq_ecn_threshold(quantum: Any, T_round: Any, C: Any, RTT: Any, lam: Any) -> Any:
    r"""Return MQ-ECN's threshold :math:`K_i = \min(quantum_i / T_{round}, C) \times RTT \times \lambda`."""
    if T_round <= 0:
        raise InputError("T_round", T_round, "a time greater than 0")
    return round_threshold(quantum, T_round, C, RTT, lam)


def round_threshold(quantum: Any, T_round: Any, C: Any, RTT: Any, lam: Any) -> Any:
    """Return the threshold of a queue that gets `quantum` bytes in each round of `T_round` seconds.

    >>> round_threshold(Fraction(6), Fraction(2), Fraction(4), 5, Fraction(1, 3))
    Fraction(5, 1)
    """
    return least(quantum / T_round, C) * RTT * lam


def tcn_threshold(RTT: Any, lam: Any) -> Any:
    r"""Return TCN's sojourn-time threshold :math:`T = RTT \times \lambda`."""
    return RTT * lam


def sawtooth_utilisation(buffer: Fraction, BDP: Fraction) -> Fraction:
    """Return the share of its link that one flow gets which halves its window when `buffer` is full. Ours.

    The window w grows by one unit a round trip from (BDP + buffer)/2 to BDP + buffer; a round trip takes max(1, w/BDP)
    base RTTs. The link is never idle exactly when buffer >= BDP; without a buffer the share is 3/4.
    """
    if buffer >= BDP:
        return Fraction(1)
    top = 1 + Fraction(buffer) / Fraction(BDP)
    low = top / 2
    below, above = 1 - low, (top**2 - 1) / 2  # time with an idle link now and then, and with a full one
    return ((1 - low**2) / 2 + above) / (below + above)
