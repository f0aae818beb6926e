"""DynaQ: weighted BDP, thresholds, and the guarantees of Algorithm 1, in exact rationals.

The symbols are those of `dtmodel.theory.dynaq`; g is 1 byte if the sizes are unknown, and L if all packets have one.

Source: DynaQ paper, Sections 2.1, 3.2.2 and 3.2.3; functions marked as ours are proved in `proofs/dynaq`.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.theorems.operations import greatest, least, rounded_down


def shares(weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
    r"""Return :math:`w_i / \sum w`.

    Raises `InputError` if there is no weight, or one is not positive.

    >>> shares([4, 3, 2, 1])
    (Fraction(2, 5), Fraction(3, 10), Fraction(1, 5), Fraction(1, 10))
    """
    if not weights or any(weight <= 0 for weight in weights):
        raise InputError("weights", list(weights), "a number greater than 0 for each queue")
    total = sum(weights, Fraction(0))
    return tuple(weight / total for weight in weights)


def _parts(whole: Any, weights: Sequence[Any]) -> tuple[Any, ...]:
    shares(weights)  # raises InputError for invalid weights
    return tuple(part(whole, weight, sum(weights)) for weight in weights)


def part(whole: Any, weight: Any, weights: Any) -> Any:
    """Return a queue's share of a whole by its weight, where `weights` is the sum: equations (1), (2) and (4).

    >>> part(Fraction(6), 1, 3)
    Fraction(2, 1)
    """
    return whole * weight / weights


def surplus(B: Any, C: Any, RTT: Any, weight: Any, weights: Any) -> Any:
    """Return by how much a queue's satisfaction threshold exceeds its weighted BDP.

    >>> surplus(Fraction(9), 1, 3, 1, 3)
    Fraction(2, 1)
    """
    return part(B - bdp(C, RTT), weight, weights)


def surplus_threshold(T: Any, S: Any) -> Any:
    """Return the part of a threshold beyond the satisfaction threshold, equation (3).

    >>> surplus_threshold(3, 2)
    1
    """
    return T - S


def alone_bound(S_p: Any, others: Any, smallest: Any, L: Any) -> Any:
    """Return a bound that T_p exceeds at a refusal beside empty queues, whose S_i are at least `smallest`. Ours.

    >>> alone_bound(20, 2, 10, 5)
    30
    """
    return S_p + others * (smallest - L)


def together_bound(S_A: Any, idle: Any, L: Any) -> Any:
    """Return the most to which the thresholds of active queues, S_A in sum, can add up beside `idle` queues. Ours.

    >>> together_bound(40, 1, 5)
    45
    """
    return S_A + idle * L


def bdp(C: Any, RTT: Any) -> Any:
    """Return the bandwidth-delay product C RTT, in bytes.

    >>> bdp(Fraction(125_000_000), Fraction(1, 2000))
    Fraction(62500, 1)
    """
    return C * RTT


def weighted_bdp(C: Fraction, RTT: Fraction, weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
    r"""Return :math:`WBDP_i = C \times RTT \times w_i / \sum w`, equation (1)."""
    return _parts(bdp(C, RTT), weights)


def initial_thresholds(B: Fraction, weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
    r"""Return :math:`T_i^{init} = B w_i / \sum w`, equation (2)."""
    return _parts(B, weights)


def satisfaction_thresholds(B: Fraction, weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
    r"""Return :math:`S_i = B w_i / \sum w`, equation (4), which equal the thresholds of equation (2)."""
    return _parts(B, weights)


def extra_buffer(T: Sequence[Fraction], S: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return the extra buffer T_i - S_i, equation (3); the extras sum to 0 as long as the thresholds sum to B."""
    return tuple(surplus_threshold(a, b) for a, b in zip(T, S, strict=True))


def margins(B: Fraction, C: Fraction, RTT: Fraction, weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return S_i - WBDP_i = (B - BDP) w_i / sum w: positive for every queue exactly when B > BDP.

    >>> margins(Fraction(85_000), Fraction(125_000_000), Fraction(1, 2000), [1, 1, 1, 1])[0]
    Fraction(5625, 1)
    """
    return _parts(B - bdp(C, RTT), weights)


def output_rate(offered: Any, fair: Any, *, backlogged: bool = False) -> Any:
    r"""Return :math:`\mu_i = \min(\lambda_i, \alpha_i)`, equation (5), or :math:`\alpha_i` with a backlog (ours)."""
    return fair if backlogged else least(offered, fair)


def worst_deficit(M: int, L: Fraction, g: Fraction) -> Fraction:
    """Return :math:`(M-1)(L-g)`, the largest deficit at which an active queue is refused (`dynaq.ours.deficit`)."""
    if g <= 0 or g > L:
        raise InputError("granularity", g, f"a size greater than 0 and at most the largest packet, {L}")
    return Fraction(shortfall(M, L, g))


def shortfall(M: Any, L: Any, g: Any) -> Any:
    """Return :math:`(M-1)(L-g)`, for numbers and for symbols. Ours.

    >>> shortfall(4, 1500, 1)
    4497
    """
    return (M - 1) * (L - g)


def kept(S_i: Any, deficit: Any) -> Any:
    """Return the remainder of a satisfaction threshold after a deficit; at least 0. Ours.

    >>> kept(3, 5)
    0
    """
    return greatest(0, S_i - deficit)


def waking_rounds(lacking: Any, L: Any) -> Any:
    r"""Return the most rounds after which a queue that was refused within its S is not refused again. Ours.

    Queues give only buffer that they do not use, and yield to claims that outlive a round; all packets have L bytes.
    `lacking` is :math:`\sum_{j \ne p} \max(0, S_j - T_j)`; in a round every queue beyond its S sends a packet
    (`dynaq.ours.recovery-rounds`).
    """
    return 1 + lacking / L


def waking_time(lacking: Any, L: Any, W: Any, C: Any) -> Any:
    """Return the most time that `waking_rounds` takes under WRR, whose rounds send up to W packets. Ours."""
    return waking_rounds(lacking, L) * L * W / C


def guaranteed_threshold(S_i: Fraction, M: int, L: Fraction, g: Fraction) -> Fraction:
    """Return the least threshold at which Algorithm 1 can refuse an active queue a packet; at least 0. Ours."""
    return Fraction(kept(S_i, worst_deficit(M, L, g)))


def covers(
    B: Fraction, BDP: Fraction, weights: Sequence[Fraction], L: Fraction, g: Fraction = Fraction(1)
) -> tuple[bool, ...]:
    """Tell for each queue whether its guaranteed threshold still holds its weighted BDP. Ours."""
    M = len(weights)
    return tuple(guaranteed_threshold(B * share, M, L, g) >= BDP * share for share in shares(weights))


def threshold_alone(S: Sequence[Fraction], p: int, s: Fraction) -> Fraction:
    """Return the largest threshold of queue `p` when it alone sends, packets of `s` bytes, from the start. Ours.

    Algorithm 1 takes from the queue with the largest extra (the lowest index among equals) until that one has less than
    a packet left. With unequal weights the larger queues keep more than a packet, unused.
    """
    packets = [S_i // s for i, S_i in enumerate(S) if i != p]
    rounds = min(packets, default=0)  # in each round every other queue gives one packet, in the order of the indices
    last = packets.index(rounds) if packets else 0  # queues that give one more before one runs short
    return S[p] + (rounds * len(packets) + last) * s


def whole_packets(T: Any, L: Any) -> Any:
    """Return the longest queue of packets of L bytes within a threshold. Ours.

    >>> whole_packets(Fraction(84_250), 1500)
    84000
    """
    return L * rounded_down(T / L)


def threshold_alone_bound(S: Sequence[Fraction], p: int, L: Fraction) -> Fraction:
    r"""Return a bound that T_p exceeds when Algorithm 1 refuses queue p a packet while the others are empty. Ours.

    It is :math:`S_p + (M-1)(\min_{i \ne p} S_i - L)` after any history; for equal weights B - (M-1) L.
    """
    others = [S_i for i, S_i in enumerate(S) if i != p]
    return Fraction(alone_bound(S[p], len(others), min(others), L)) if others else S[p]


def threshold_of_always_active(S: Sequence[Fraction], active: Sequence[int], L: Fraction) -> Fraction:
    r"""Return the most to which the thresholds of queues that are `active` from the start can add up. Ours.

    With two or more of them it is :math:`\sum_{i \in A} S_i + (M - |A|) L`: an idle queue gives only while its extra is
    the largest, and the extra of an active queue never falls below 0.
    """
    if len(set(active)) < 2:
        raise InputError("active", list(active), "two queues or more (a single one meets only empty queues)")
    own, idle = sum((S[i] for i in set(active)), Fraction(0)), len(S) - len(set(active))
    return min(sum(S, Fraction(0)), Fraction(together_bound(own, idle, L)))


def buffer_for_one_active_queue(BDP: Fraction, weights: Sequence[Fraction], L: Fraction) -> Fraction:
    """Return a buffer with which any queue that is alone can always hold a BDP, under Algorithm 1 as printed. Ours.

    Line 3 refuses a packet only above `threshold_alone_bound`, where less than a packet fits below the threshold.
    """
    parts = shares(weights)
    M = len(parts)
    others = [min((part for j, part in enumerate(parts) if j != i), default=Fraction(0)) for i in range(M)]
    return max(Fraction(buffer_alone(BDP, M, L, Fraction(1), parts[i], others[i])) for i in range(M))


def buffer_alone(BDP: Any, M: Any, L: Any, W: Any, w_p: Any, smallest: Any) -> Any:
    """Return the buffer with which a queue of weight w_p, of W in all, can hold a BDP alone. Ours.

    >>> buffer_alone(62_500, 4, 1500, Fraction(4), 1, 1)
    Fraction(68500, 1)
    """
    return (BDP + M * L) * W / (w_p + (M - 1) * smallest)
