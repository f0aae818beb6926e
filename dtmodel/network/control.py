"""Congestion control by RFC 5681, 8257 (DCTCP, alpha in 1024ths), 9438 (CUBIC) and ECN*: growth, reductions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Protocol, final

from dtmodel.network.integers import cube_root

_ONE = 1024


class Sender(Protocol):
    """The numbers of a connection that a control reads and sets: windows and sequence numbers in segments, times."""

    window: int
    threshold: int
    credit: int
    una: int
    high: int
    reduced_until: int
    recovering: bool
    least_trip: int
    srtt: int


class Control(ABC):
    """Growth and reduction of the window by RFC 5681: one segment a window, and half after a loss."""

    def grow(self, flow: Sender, newly: int, now: int) -> None:
        """Grow the window of `flow` after `newly` acknowledged segments."""
        del now
        if flow.window < flow.threshold:
            flow.window += min(newly, 2)
            return
        flow.credit += newly
        if flow.credit >= flow.window:
            flow.credit -= flow.window
            flow.window += 1

    @abstractmethod
    def reduced(self, flow: Sender, flight: int) -> int:
        """Return the window after a loss with `flight` segments outstanding."""

    def echoed(self, flow: Sender, newly: int, marked: bool) -> bool:
        """Note an acknowledgement; return True if the window must not grow."""
        del flow, newly, marked
        return False


def half(control: Control, flow: Sender, flight: int) -> int:
    """Return half of the segments that are outstanding."""
    del control, flow
    return max(flight // 2, 2)


@final
class Reno(Control):
    """The control of RFC 5681, without marks."""

    reduced = half


class MarkedControl(Control):
    """A control that reduces the window once for each window in which a mark is echoed."""

    reduced = half

    @abstractmethod
    def marked_window(self, flow: Sender) -> int:
        """Return the window after a mark."""

    def echoed(self, flow: Sender, newly: int, marked: bool) -> bool:
        """Reduce the window at the first mark of a window."""
        del newly
        if marked and flow.una > flow.reduced_until and not flow.recovering:
            flow.window = flow.threshold = self.marked_window(flow)
            flow.credit, flow.reduced_until = 0, flow.high
        return flow.una <= flow.reduced_until


@final
class EcnStar(MarkedControl):
    """ECN*: a mark halves the window."""

    def marked_window(self, flow: Sender) -> int:
        """Return half of the window."""
        return max(flow.window // 2, 2)


@final
class Dctcp(MarkedControl):
    """DCTCP: alpha is a moving average (1/16) of the marked part of each window, which is reduced by alpha / 2."""

    def __init__(self) -> None:
        self.alpha, self.total, self.echoes, self.end = _ONE, 0, 0, 0

    def marked_window(self, flow: Sender) -> int:
        """Return the window after a mark."""
        return max(flow.window - flow.window * self.alpha // (2 * _ONE), 2)

    def echoed(self, flow: Sender, newly: int, marked: bool) -> bool:
        """Count marks, renew alpha at the end of a window, and reduce the window at its first mark."""
        self.total += newly
        self.echoes += newly * marked
        if flow.una > self.end:
            part = _ONE * self.echoes // max(self.total, 1)
            self.alpha = min(self.alpha - -(-self.alpha // 16) + (part + 15) // 16, _ONE)
            self.total, self.echoes, self.end = 0, 0, flow.high
        return super().echoed(flow, newly, marked)


@final
class Cubic(Control):
    """CUBIC: the window follows C (t - K)^3 + W_max with C = 0.4 and beta = 0.7, and is never below Reno's."""

    def __init__(self) -> None:
        self.most = self.last = self.origin = self.wait = 0
        self.epoch = -1

    def grow(self, flow: Sender, newly: int, now: int) -> None:
        """Grow the window towards the cubic function of the time since the last loss."""
        if flow.window < flow.threshold:
            flow.window += min(newly, 2)
            return
        if self.epoch < 0:
            self.epoch, self.origin = now, max(self.most, flow.window)
            self.wait = cube_root((self.origin - flow.window) * 10**10 // 4)
            self.last = flow.window
        ms = (now + flow.least_trip - self.epoch) // 10**9 - self.wait
        reno = self.last + 3 * 3 * (now - self.epoch) // (17 * max(flow.srtt, 1))
        target = max(self.origin + 4 * ms**3 // 10**10, reno)
        flow.credit += newly
        step = max(flow.window // (target - flow.window), 2) if target > flow.window else 100 * flow.window
        if flow.credit >= step:
            flow.credit = 0
            flow.window += 1

    def reduced(self, flow: Sender, flight: int) -> int:
        """Return seven tenths of the window, and note the maximum, lower if it falls (fast convergence)."""
        del flight
        self.most = flow.window if flow.window >= self.most else flow.window * 17 // 20
        self.epoch = -1
        return max(flow.window * 7 // 10, 2)


MADE: dict[str, Callable[[], Control]] = {"newreno": Reno, "dctcp": Dctcp, "ecn*": EcnStar, "cubic": Cubic}
CONTROLS = tuple(MADE)
