"""The sawtooth in whole packets: N synchronised senders with whole windows, one round at a time.

In a round every sender has w packets outstanding; the queue is max(0, N w - D). A round that ends with more than K
packets queued marks, and the next window is floor((1 - beta) w), at least 1; otherwise it is w + 1.

Source: the model under equation (4) of the LossPass paper, in whole packets.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from dtmodel.base.errors import InputError


@dataclass(frozen=True)
class Rounds:
    """The periodic regime of the model in rounds.

    `bdp` and `threshold` are D and K in packets, `flows` is N, and `cut` is beta, in (0, 1].

    >>> Rounds(bdp=4, threshold=4, flows=3).windows()
    [1, 2, 3]
    >>> Rounds(bdp=4, threshold=4, flows=3).largest_queue, Rounds(bdp=4, threshold=4, flows=3).utilisation
    (5, Fraction(18, 19))
    """

    bdp: int
    threshold: int
    flows: int
    cut: Fraction = Fraction(1, 2)

    def __post_init__(self) -> None:
        for name, least in (("bdp", 1), ("threshold", 0), ("flows", 1)):
            if getattr(self, name) < least:
                raise InputError(name, getattr(self, name), f"a whole number of at least {least}")
        if not 0 < self.cut <= 1:
            raise InputError("cut", self.cut, "a share greater than 0 and at most 1")

    @property
    def peak_window(self) -> int:
        """The first window whose round marks: floor((K + D)/N) + 1."""
        return (self.threshold + self.bdp) // self.flows + 1

    @property
    def trough_window(self) -> int:
        """The window after a cut: max(1, floor((1 - beta) peak))."""
        return max(1, floor((1 - self.cut) * self.peak_window))

    @property
    def largest_queue(self) -> int:
        """The largest queue, K + N - ((K + D) mod N): equation (4) less the remainder of whole windows."""
        return self.threshold + self.flows - (self.threshold + self.bdp) % self.flows

    @property
    def line_rate(self) -> bool:
        """True if every round fills the link: N times the trough is at least D."""
        return self.flows * self.trough_window >= self.bdp

    @property
    def utilisation(self) -> Fraction:
        r"""The packets of one period over the packet times that its rounds last, $\sum N w / \sum \max(D, N w)$.

        In closed form, with a and b the trough and the peak and $c = \min(b, \max(a - 1, \lfloor D/N \rfloor))$ the
        last window that does not fill the link.
        """
        D, N, a, b = self.bdp, self.flows, self.trough_window, self.peak_window
        c = min(b, max(a - 1, D // N))
        sent = Fraction(N * (a + b) * (b - a + 1), 2)
        lasted = D * (c - a + 1) + Fraction(N * (c + 1 + b) * (b - c), 2)
        return sent / lasted

    def windows(self) -> list[int]:
        """Return the windows of one period, from the trough to the first that is marked, by running the rounds."""
        w = self.trough_window
        windows = [w]
        while self.flows * w - self.bdp <= self.threshold:
            w += 1
            windows.append(w)
        return windows


def least_threshold_in_packets(bdp: int, flows: int, cut: Fraction = Fraction(1, 2)) -> int:
    r"""Return the smallest K such that it and every larger K fill the link.

    The trough must hold $\lceil D/N \rceil$ packets, so the peak must be at least
    $b = \lceil \lceil D/N \rceil / (1 - \beta) \rceil$, hence $K \ge N (b - 1) - D$, which is not negative because
    $b > \lceil D/N \rceil$. One packet a flow fills a link of at most N packets; with beta = 1, no larger one.

    >>> least_threshold_in_packets(8, 2), least_threshold_in_packets(4, 3), least_threshold_in_packets(9, 1)
    (6, 5, 8)
    """
    needed = -(-bdp // flows)
    if needed == 1:
        return 0
    if cut == 1:
        raise InputError("cut", cut, "a share below 1: windows cut to nothing never fill a link of more than N packets")
    peak = ceil(needed / (1 - cut))
    return flows * (peak - 1) - bdp
