"""The microburst that LossPass absorbs from any lengths Q_s and Q_l, and the condition to exceed ECN's headroom.

Source: LossPass paper, Section 3.3, equations (5) and (6), and Algorithm 1 in its intended reading.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.theorems.operations import greatest, least, rounded_down, rounded_up
from dtmodel.theory.losspass.ecn import headroom


def full_port(B: Any, tau: Any) -> Any:
    """Return the bytes that eviction frees in a full port: equation (6)."""
    return B * tau


def beyond_reserve(B: Any, tau: Any, B_l: Any) -> Any:
    """Return the burst that a full port absorbs if B_l bytes of large flows are never evicted: (6) with the reserve.

    >>> beyond_reserve(100, Fraction(1, 2), 10)
    Fraction(40, 1)
    """
    return greatest(0, full_port(B, tau) - B_l)


def equal_share(B: Any, q: Any, B_l: Any) -> Any:
    """Return the share of large flows at which LossPass at a full port absorbs as much as ECN at a queue of `q`.

    >>> equal_share(Fraction(100), 40, 10)
    Fraction(7, 10)
    """
    return (B - q + B_l) / B


def room_at(B: Any, q: Any, tau: Any) -> Any:
    """Return the free and the evictable bytes of a port that holds q (losspass.ours.burst-at)."""
    return B - (1 - tau) * q


def room_with_reserve(B: Any, Q_s: Any, Q_l: Any, B_l: Any = 0) -> Any:
    """Return the room that an instant burst finds beside a reserve (losspass.ours.reserve-burst)."""
    return B - Q_s - least(Q_l, B_l)


def served_meanwhile(mu: Any, R: Any, C: Any) -> Any:
    """Return the bytes of a burst of rate `R` that fill a room of `mu` bytes while C of it is served.

    >>> served_meanwhile(Fraction(4), 3, 1)
    Fraction(6, 1)
    """
    return mu * R / (R - C)


def packets_in(F: Any, s: Any) -> Any:
    """Return the number of whole packets of s bytes in F bytes.

    >>> packets_in(Fraction(7), 2)
    3
    """
    return rounded_down(F / s)


def equal_evictions(F: Any, m: Any, v: Any, s: Any, most: Any) -> Any:
    """Return how many of m victims of v bytes are evicted for packets of s bytes, of which `most` may be buffered.

    >>> equal_evictions(Fraction(1), 4, Fraction(2), Fraction(1), 5)
    2
    """
    return least(m, greatest(0, rounded_up((most * s - F) / v)))


def burst_in_packets(
    buffer: Fraction, small: Fraction, victims: Sequence[Fraction], size: Fraction, reserve: Fraction = Fraction(0)
) -> int:
    r"""Return how many packets of `size` of an instant small burst are buffered before the first is lost.

    `victims` are the packets of Q_l from the tail to the head, $v_1, v_2, \dots$ With $F = B - Q_s - \sum v_i$ the free
    buffer, i evictions make room for $n_i = \lfloor (F + v_1 + \dots + v_i)/s \rfloor$ packets. The next eviction needs
    $v_{i+1} \ge s$ (line 3) and $Q_s + (n_i + 1) s \le B - B_l$ (line 4); the first i that fails one ends the burst.

    A tail of 64 bytes protects everything behind it:

    >>> MTU = Fraction(1500)
    >>> burst_in_packets(3 * MTU, Fraction(0), [MTU] * 3, MTU)
    3
    >>> burst_in_packets(3 * MTU + 64, Fraction(0), [Fraction(64)] + [MTU] * 3, MTU)
    0
    """
    free = buffer - small - sum(victims, Fraction(0))
    for victim in victims:
        absorbed = floor(free / size)
        if victim < size or small + (absorbed + 1) * size > buffer - reserve:
            break
        free += victim
    return floor(free / size)


def burst_of_equal_victims(
    buffer: Fraction, small: Fraction, count: int, victim: Fraction, size: Fraction, *, reserve: Fraction = Fraction(0)
) -> int:
    r"""Return `burst_in_packets` in closed form for `count` victims of one size v.

    If v < s: $\lfloor F/s \rfloor$. Otherwise $j = \min\{m, \max\{0, \lceil (M s - F)/v \rceil\}\}$ evictions happen,
    with $M = \lfloor (B - B_l - Q_s)/s \rfloor$, and $\lfloor (F + j v)/s \rfloor$ packets are buffered.
    """
    free = buffer - small - count * victim
    if victim < size:
        return int(packets_in(free, size))
    most = packets_in(buffer - reserve - small, size)
    return int(packets_in(free + equal_evictions(free, count, victim, size, most) * victim, size))


def burst_in_slots(instant: int, arrivals: int) -> int:
    r"""Return how many unit packets are buffered or sent before the first loss, `arrivals` then one departure a slot.

    `instant` is the size of an absorbable instant burst, $\mu$ packets. With r >= 2 arrivals a slot and strict
    priority: $\mu + \lceil \mu/(r - 1) \rceil - 1$ if $\mu \ge 1$, else 0. Divided by a packet's size this tends to the
    fluid $\mu R/(R - C)$.
    """
    if arrivals < 2:
        raise InputError("arrivals", arrivals, "a whole number of at least 2: fewer never fill the port")
    return instant + ceil(Fraction(instant, arrivals - 1)) - 1 if instant >= 1 else 0


@dataclass(frozen=True)
class Comparison:
    """Both absorbable bursts and the exact condition between them; see `compare_with_ecn`.

    - `ecn`, `losspass`: the absorbable bursts in bytes.
    - `least_share`: LossPass absorbs more iff tau exceeds this.
    - `largest_buffer`: among the buffers that hold K + N a, LossPass absorbs more iff B is below this; None if tau = 1,
      without a bound.

    >>> found = compare_with_ecn(Fraction(200), Fraction(20), 2, Fraction(1))
    >>> [str(found.ecn), str(found.losspass)]
    ['178', '200']
    """

    ecn: Fraction
    losspass: Fraction
    least_share: Fraction
    largest_buffer: Fraction | None

    @property
    def larger(self) -> str:
        """The mechanism that absorbs more: "losspass", "ecn" or "equal"."""
        return "losspass" if self.losspass > self.ecn else "ecn" if self.ecn > self.losspass else "equal"


def compare_with_ecn(
    buffer: Fraction,
    threshold: Fraction,
    flows: int,
    tau: Fraction,
    *,
    reserve: Fraction = Fraction(0),
    segment: Fraction = Fraction(1),
) -> Comparison:
    r"""Compare ECN at its largest queue with LossPass at a full port.

    With $q = \min\{B, K + N a\}$: $\mu_{ECN} = B - q$ and $\mu_{LP} = \max\{0, \tau B - B_l\}$. LossPass absorbs more,
    strictly, iff $\tau > (B - q + B_l)/B$; where K + N a <= B that is $K + N a > (1 - \tau) B + B_l$.

    The switch of the paper's Section 2.1 (512 KB per port) with K = 10 packets, two flows and tau = 0.95:

    >>> result = compare_with_ecn(Fraction(512_000), Fraction(15_000), 2, Fraction("0.95"), segment=Fraction(1500))
    >>> result.ecn, result.losspass, result.larger, result.largest_buffer
    (Fraction(494000, 1), Fraction(486400, 1), 'ecn', Fraction(360000, 1))
    """
    _share(tau)
    if buffer <= 0:
        raise InputError("buffer", buffer, "a size greater than 0")
    if threshold < 0:
        raise InputError("threshold", threshold, "a size of at least 0")
    _within("reserve", reserve, buffer)
    ecn = headroom(buffer, threshold, flows, segment)
    losspass = Fraction(beyond_reserve(buffer, tau, reserve))
    marked = threshold + flows * segment
    largest = (marked - reserve) / (1 - tau) if tau < 1 else None
    return Comparison(ecn, losspass, Fraction(equal_share(buffer, buffer - ecn, reserve)), largest)


def _share(tau: Fraction) -> None:
    if not 0 <= tau <= 1:
        raise InputError("tau", tau, "a share from 0 to 1")


def _within(field: str, value: Fraction, buffer: Fraction) -> None:
    if not 0 <= value <= buffer:
        raise InputError(field, value, f"a size from 0 to the buffer, {units.plain(buffer)} bytes")
