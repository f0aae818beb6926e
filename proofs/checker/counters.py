"""EDT's counters and timers along the trajectory of a cell, for the kind ``derived``.

A controlled queue has the threshold alpha F and counts in c2 what it grows by while it loses nothing, but never below
0; a loss sets c2 to 0. TM1 runs from when it begins to grow until c2 is 0, and sets c2 to 0 when it ends. When c2 is
cn2 and more arrives than is sent, the queue is uncontrolled from then on: the threshold of all that are is B, divided
by their number. It is controlled again when less arrives than is sent, when TM2 ends, which began with that, or when
the buffer is full and what they hold goes on growing, or one of them has all its share and goes on. A phase ends at
the latest when a timer does, unless TM1 sets a counter to 0 before it is full, again and again, which may go on in a
phase.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .algebra import Ratio, RefusedError, refuse_unless, times
from .ratios import ZERO, Goal, add, equal, minus, of, product

__all__ = ["Counters", "share"]


def share(buffer: Ratio, classes: list[Any], members: list[int]) -> Ratio:
    """Return the threshold of these classes if they are the uncontrolled ones."""
    together = ZERO
    for k in members:
        together = add(together, classes[k]["count"])
    refuse_unless(bool(together[0]), "nobody is uncontrolled")
    return times(buffer[0], together[1]), times(buffer[1], together[0])


@dataclass
class _State:
    """A class of queues: c2, when TM1 and TM2 end, whether it is uncontrolled, or has grown in vain till a loss."""

    c2: Ratio = ZERO
    tm1: Ratio | None = None
    tm2: Ratio | None = None
    free: bool = False
    vain: bool = False


class Counters:
    """The counters of all classes, phase by phase."""

    def __init__(self, settings: dict[str, Ratio | None], buffer: Ratio, classes: list[Any]) -> None:
        cn2 = settings["cn2"]
        if cn2 is None:
            raise RefusedError("there is no counting number")
        self.cn2, self.tm1, self.tm2 = cn2, settings["tm1"], settings["tm2"]
        self.buffer, self.classes, self.states = buffer, classes, [_State() for _ in classes]

    def offered(self, phase: Any, k: int) -> Ratio:
        """Return what arrives at a class in a phase."""
        piece = phase["pieces"][k]
        arrives: Ratio = self.classes[k]["arrivals"][piece][1] if piece >= 0 else ZERO
        return arrives

    def begin(self, phase: Any, losses: list[Ratio] | None) -> Iterator[Goal]:
        """Yield why at the beginning of a phase just those are uncontrolled that are."""
        now, members, overflow = phase["begin"], phase["uncontrolled"], phase["overflow"]
        after = [k for k, free in enumerate(members) if free]
        before = after if overflow is None else overflow["before"]
        refuse_unless(len(members) == len(self.classes), "whether each class is uncontrolled")
        refuse_unless(before == sorted({k for k in before if 0 <= k < len(members)}), "who was uncontrolled")
        for k, state in enumerate(self.states):
            net = minus(self.offered(phase, k), self.classes[k]["rate"])
            if state.free and k in before:
                yield net, False
                if state.tm2 is not None:
                    yield minus(state.tm2, now), True
            elif state.free:
                if state.tm2 is None or not equal(state.tm2, now):
                    yield minus(ZERO, net), True
                self.states[k] = _State()
            elif k in before:
                refuse_unless(equal(state.c2, self.cn2), "a counter is not full")
                yield net, True
                self.states[k] = _State(tm2=None if self.tm2 is None else add(now, self.tm2), free=True)
            elif not state.vain:
                yield (minus(ZERO, net), False) if equal(state.c2, self.cn2) else (minus(self.cn2, state.c2), True)
                if state.tm1 is not None and equal(state.tm1, now):
                    self.states[k] = _State()
                elif state.tm1 is not None:
                    yield minus(state.tm1, now), True
        if overflow is not None:
            refuse_unless(bool(before) and not after, "an overflow returns all uncontrolled queues")
            yield from self.overflows(phase, before, overflow["full"])
            for k in before:
                self.states[k] = _State()
        elif before and phase["free"][0]:
            yield phase["free"], True
        for k in before if overflow is None and not phase["free"][0] else ():
            refuse_unless(losses is not None and not losses[k][0], "a full buffer overflows")

    def overflows(self, phase: Any, before: list[int], full: int | None) -> Iterator[Goal]:
        """Yield why the buffer, which is full, overflows."""
        refuse_unless(equal(phase["free"], ZERO), "a buffer that is not full overflows")
        own = share(self.buffer, self.classes, before)
        if full is not None:
            refuse_unless(full in before, "a controlled queue lets the buffer overflow")
            yield minus(phase["lengths"][full], own), False
            yield minus(self.offered(phase, full), self.classes[full]["rate"]), True
            yield self.classes[full]["count"], True
            return
        growth = ZERO
        for k in before:
            yield minus(own, phase["lengths"][k]), True
        for k, queue in enumerate(self.classes):
            if k in before:
                growth = add(growth, product(queue["count"], minus(self.offered(phase, k), queue["rate"])))
            elif phase["lengths"][k][0]:
                growth = minus(growth, product(queue["count"], queue["rate"]))
        yield growth, True

    def settle(self, phase: Any, losses: list[Ratio]) -> Iterator[Goal]:
        """Yield who loses something and who grows: the one sets c2 to 0, the other starts TM1."""
        for k, state in enumerate(self.states):
            if state.free:
                continue
            if losses[k][0]:
                yield losses[k], True
                self.states[k] = _State()
                continue
            refuse_unless(not state.vain, "what a counter has come to matters, and is not said")
            grows = phase["counts"][k]["grows"]
            yield (phase["slopes"][k], True) if grows else (minus(ZERO, phase["slopes"][k]), False)
            if grows and state.tm1 is None and self.tm1 is not None:
                state.tm1 = add(phase["begin"], self.tm1)

    def forever(self, phase: Any, losses: list[Ratio]) -> Iterator[Goal]:
        """Yield why nothing happens after the last phase has begun."""
        for k, state in enumerate(self.states):
            if state.free:
                refuse_unless(state.tm2 is None, "a timer ends some time")
            elif not losses[k][0] and phase["counts"][k]["grows"]:
                yield from self.vain(phase, k, state)

    def vain(self, phase: Any, k: int, state: _State) -> Iterator[Goal]:
        """Yield why a counter that grows is never full: TM1 sets it to 0 before, each time."""
        end, tm1 = self.running(state)
        slope = phase["slopes"][k]
        yield minus(minus(self.cn2, state.c2), product(slope, minus(end, phase["begin"]))), True
        yield minus(self.cn2, product(slope, tm1)), True

    def running(self, state: _State) -> tuple[Ratio, Ratio]:
        """Return when TM1 ends, and what it counts down from."""
        if state.tm1 is None or self.tm1 is None:
            raise RefusedError("a counter grows without a timer")
        return state.tm1, self.tm1

    def go(self, phase: Any, end: Ratio, losses: list[Ratio]) -> Iterator[Goal]:
        """Yield what the counters come to at the end of a phase."""
        for k, state in enumerate(self.states):
            if state.free:
                if state.tm2 is not None:
                    yield minus(state.tm2, end), False
            elif not losses[k][0]:
                yield from self.counted(phase, end, k, state)

    def counted(self, phase: Any, end: Ratio, k: int, state: _State) -> Iterator[Goal]:
        """Yield what the counter of a controlled class comes to."""
        slope, how = phase["slopes"][k], phase["counts"][k]
        grown = add(state.c2, product(slope, minus(end, phase["begin"])))
        if how["then"] == "empty":
            yield minus(ZERO, grown), False
            state.c2, state.tm1 = ZERO, None
        elif how["then"] == "counted":
            yield grown, True
            yield minus(self.cn2, grown), False
            if state.tm1 is not None:
                yield minus(state.tm1, end), False
            state.c2 = grown
        elif how["then"] == "vain":
            refuse_unless(how["grows"], "a counter that does not grow")
            yield from self.vain(phase, k, state)
            self.states[k] = _State(vain=True)
        else:
            refuse_unless(type(how["then"]) is int and how["then"] > 0, "how often a timer ended")
            refuse_unless(how["grows"], "a counter that does not grow")
            yield from self.vain(phase, k, state)
            first, tm1 = self.running(state)
            since = minus(minus(end, first), of(tm1, how["then"] - 1))
            yield since, True
            yield minus(tm1, since), False
            state.c2, state.tm1 = product(slope, since), minus(add(end, tm1), since)
