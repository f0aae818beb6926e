"""EDT's counters and timers along a trajectory, for its certificate: their actions, with inequalities as proofs.

``proofs/checker/counters.py`` reads this text and derives the same inequalities in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dtmodel.derive.algebra.number import Ratio

if TYPE_CHECKING:
    from dtmodel.derive.search.answers import Phase

Goal = tuple[Ratio, bool]


@dataclass(frozen=True)
class CounterSettings:
    """The counting number of C2, the timers TM1 and TM2 (None if they never expire), and the buffer."""

    cn2: Ratio
    tm1: Ratio | None
    tm2: Ratio | None
    buffer: Ratio


@dataclass
class _Queue:
    """The counter of a class, the expiry of its timers, True if uncontrolled; `vain`: a loss resets the count first."""

    c2: Ratio
    tm1: Ratio | None = None
    tm2: Ratio | None = None
    uncontrolled: bool = False
    vain: bool = False


@dataclass
class Counted:
    """The counters of all classes, phase by phase.

    `counts`, `rates`: one for each class. `ends`: the end of the trajectory: ``loss``, ``time``, ``until`` or
    ``never``. `at_end`: whether events at the start of the last phase matter. `sign`: returns the sign of a function in
    the cell. `written`: for each phase the ``uncontrolled`` queues, the ``overflow`` at its start and the changes of
    ``counts``. `goals` (list of (Ratio, bool)): terms that must be nonnegative, or positive if the second item is true.
    """

    settings: CounterSettings
    phases: Sequence[Phase]
    counts: Sequence[Ratio]
    rates: Sequence[Ratio]
    ends: str
    at_end: bool
    sign: Callable[[Ratio], int]
    written: list[dict[str, Any]] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.zero = self.settings.cn2 - self.settings.cn2
        self.queues = [_Queue(self.zero) for _ in self.counts]
        for phase, after in zip(self.phases, [*self.phases[1:], None], strict=True):
            last = after is None and self.ends in {"time", "until"}
            overflow = None
            if not last or self.at_end:
                overflow, goals = self._begin(phase)
                self.goals += goals
                if last and overflow is None and not phase.free and any(queue.uncontrolled for queue in self.queues):
                    self.goals.append((self.zero, True))  # the end does not decide whether a full buffer overflows
            settles = after is not None or self.ends == "never"  # counters after the end do not matter
            each = self._settle(phase) if settles else [{"grows": False, "then": None} for _ in self.queues]
            for k, queue in enumerate(self.queues if settles else ()):
                self.goals += self._pass(queue, phase, after, k, each[k])
            uncontrolled = [not slope for slope, _ in phase.thresholds]
            self.written.append({"uncontrolled": uncontrolled, "overflow": overflow, "counts": each})

    def _begin(self, phase: Phase) -> tuple[Mapping[str, Any] | None, list[Goal]]:
        """Apply arrivals, TM2, c2 and TM1 at the start of a phase, then an overflow."""
        now, cn2, goals = phase.begin, self.settings.cn2, list[Goal]()
        for k, queue in enumerate(self.queues):
            net = phase.offered[k] - self.rates[k]
            if queue.uncontrolled:
                expired = queue.tm2 is not None and queue.tm2 == now
                if expired or self.sign(net) < 0:
                    goals += [] if expired else [(-net, True)]
                    self.queues[k] = _Queue(self.zero)
                else:
                    goals.append((net, False))
                    goals += [] if queue.tm2 is None else [(queue.tm2 - now, True)]
            elif queue.vain:
                continue
            elif queue.c2 == cn2 and self.sign(net) > 0:
                goals.append((net, True))
                end = None if self.settings.tm2 is None else now + self.settings.tm2
                self.queues[k] = _Queue(self.zero, tm2=end, uncontrolled=True)
            else:
                goals.append((-net, False) if queue.c2 == cn2 else (cn2 - queue.c2, True))
                if queue.tm1 is not None and queue.tm1 == now:
                    self.queues[k] = _Queue(self.zero)
                elif queue.tm1 is not None:
                    goals.append((queue.tm1 - now, True))
        before = [k for k, queue in enumerate(self.queues) if queue.uncontrolled]
        if before == [k for k, (slope, _) in enumerate(phase.thresholds) if not slope]:
            return None, [*goals, *([(phase.free, True)] if before and phase.free else [])]
        overflow, more = self._overflow(phase, before)
        for k in before:
            self.queues[k] = _Queue(self.zero)
        return overflow, [*goals, *more]

    def _overflow(self, phase: Phase, before: Sequence[int]) -> tuple[dict[str, Any], list[Goal]]:
        """Prove that the buffer overflows: an uncontrolled queue exceeds its share, or all queues fill the buffer."""
        share = self.settings.buffer / sum((self.counts[k] for k in before), self.zero)
        for k in before:
            beyond, net = phase.lengths[k] - share, phase.offered[k] - self.rates[k]
            if (not beyond or self.sign(beyond) > 0) and self.sign(net) > 0:
                return {"before": list(before), "full": k}, [(beyond, False), (net, True), (self.counts[k], True)]
        growth = self.zero
        for k, (n, rate) in enumerate(zip(self.counts, self.rates, strict=True)):
            if k in before:
                growth = growth + n * (phase.offered[k] - rate)
            elif phase.lengths[k]:
                growth = growth - n * rate
        room = [(share - phase.lengths[k], True) for k in before]
        return {"before": list(before), "full": None}, [*room, (growth, True)]

    def _settle(self, phase: Phase) -> list[dict[str, Any]]:
        """Reset counters on losses and start TM1 on growth; return the growing classes."""
        found = []
        for k, queue in enumerate(self.queues):
            slope, lost = phase.slopes[k], phase.losses[k]
            grows = not queue.uncontrolled and not lost and bool(slope) and self.sign(slope) > 0
            found.append({"grows": grows, "then": None})
            if queue.uncontrolled:
                continue
            if lost:
                self.goals.append((lost, True))
                self.queues[k] = _Queue(self.zero)
                continue
            self.goals.append((slope, True) if grows else (-slope, False))
            if grows and queue.tm1 is None and self.settings.tm1 is not None:
                queue.tm1 = phase.begin + self.settings.tm1
        return found

    def _pass(self, queue: _Queue, phase: Phase, after: Phase | None, k: int, how: dict[str, Any]) -> Iterator[Goal]:
        """Advance a counter through a phase, and record its change in `how`."""
        slope, cn2, tm1 = phase.slopes[k], self.settings.cn2, self.settings.tm1
        never_full = list[Goal]()
        if queue.tm1 is not None and tm1 is not None and how["grows"]:
            never_full = [(cn2 - queue.c2 - slope * (queue.tm1 - phase.begin), True), (cn2 - slope * tm1, True)]
        if after is None:
            yield from never_full if self.ends == "never" else ()
            return
        if queue.uncontrolled:
            if queue.tm2 is not None:
                yield queue.tm2 - after.begin, False
            return
        if phase.losses[k]:
            return
        grown = queue.c2 + slope * (after.begin - phase.begin)
        resumes = after is not self.phases[-1] or self.ends == "never"
        if never_full and all(self.sign(goal) > 0 for goal, _ in never_full) and (after.losses[k] or not resumes):
            how["then"] = "vain"
            yield from never_full
            self.queues[k] = _Queue(self.zero, vain=True)
        elif queue.tm1 is not None and tm1 is not None and how["grows"] and self.sign(after.begin - queue.tm1) > 0:
            times, since = 1, after.begin - queue.tm1
            while self.sign(since - tm1) > 0:
                times, since = times + 1, since - tm1
            how["then"] = times
            yield from never_full
            yield since, True
            yield tm1 - since, False
            queue.c2, queue.tm1 = slope * since, after.begin + tm1 - since
        elif not grown or self.sign(grown) < 0:
            how["then"] = "empty"
            yield -grown, False
            queue.c2, queue.tm1 = self.zero, None
        else:
            how["then"] = "counted"
            yield grown, True
            yield cn2 - grown, False
            if queue.tm1 is not None:
                yield queue.tm1 - after.begin, False
            queue.c2 = grown
