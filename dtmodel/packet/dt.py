"""Dynamic Threshold for packets: a packet enters while its queue is shorter than alpha times the free memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["DtPolicy"]


class DtPolicy:
    """DT/EDT paper, Section 2.3: a packet may not enter when the queue length is at least T = alpha (B - sum Q).

    Parameters
    ----------
    alphas : sequence of number
        alpha of each port.

    Examples
    --------
    >>> DtPolicy([2]).admits(0, 5, 3, 0), DtPolicy([2]).admits(0, 6, 3, 0)
    (True, False)
    """

    def __init__(self, alphas: Sequence[Any]) -> None:
        self.alphas = list(alphas)

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        """Whether the queue of `port` is below its threshold."""
        del now
        return bool(length < self.alphas[port] * free)

    def enqueued(self, port: int, size: Any, now: Any) -> None:
        """Hear that a packet entered; DT remembers nothing."""

    def dequeued(self, port: int, size: Any, now: Any) -> None:
        """Hear that a packet was sent; DT remembers nothing."""

    def dropped(self, port: int, now: Any) -> None:
        """Hear that a packet was dropped; DT remembers nothing."""

    def overflowed(self, now: Any) -> None:
        """Hear of an overflow; DT does not mind."""
