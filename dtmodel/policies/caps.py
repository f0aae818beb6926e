"""The caps of thresholds in a fluid run: T = min(a F + b, cap) is affine on either side of F = (cap - b) / a."""

from collections.abc import Callable, Mapping, Sequence
from typing import final

from dtmodel.policies.memory import Changes, Memory, Number, State
from dtmodel.policies.threshold import Threshold


def caps_of(limits: Sequence[Threshold | None], number: type[Number]) -> "Caps[Number] | None":
    """Return a memory for the caps of some thresholds in the given numbers; None if no threshold has a cap."""
    laws = laws_of(limits, number)
    return Caps(laws) if laws else None


def laws_of(limits: Sequence[Threshold | None], number: type[Number]) -> dict[int, tuple[Number, Number, Number]]:
    """Return slope, offset and cap of each threshold that has a cap, in the given numbers."""
    return {
        queue: (number(limit.slope), number(limit.offset), number(limit.cap))
        for queue, limit in enumerate(limits)
        if limit is not None and limit.cap is not None
    }


@final
class Caps(Memory[Number]):
    """The caps that bind, by `laws` (a, b, cap): the cap while F > (cap - b) / a; `full` thins arrivals."""

    def __init__(
        self,
        laws: Mapping[int, tuple[Number, Number, Number]],
        full: Callable[[State[Number]], Number | None] | None = None,
    ) -> None:
        self.full: Callable[[State[Number]], Number | None] | None = full
        self.laws: dict[int, tuple[Number, Number, Number]] = dict(laws)
        self.turns: dict[int, Number] = {queue: (cap - b) / a for queue, (a, b, cap) in self.laws.items()}
        self.capped: set[int] = set()
        self.turning: set[int] = set()
        self._times: dict[int, Number] = {}
        self._started = False

    continuous = True

    def wakes(self, state: State[Number]) -> set[Number]:
        """Return the instants at which a cap begins or ceases to bind."""
        self._times = {}
        for queue, turn in self.turns.items():
            if state.free_slope != 0 and queue not in self.turning:
                wait = (turn - state.free) / state.free_slope
                if wait > 0:
                    self._times[queue] = state.now + wait
        return set(self._times.values())

    def act(self, state: State[Number]) -> Changes[Number]:
        """Set the caps that bind at the start; afterwards `settled` sets them."""
        if self._started:
            return {}
        self._started = True
        self.turning = {queue for queue, turn in self.turns.items() if state.free == turn}
        return self._hold({queue for queue, turn in self.turns.items() if state.free > turn})

    def admitted(self, state: State[Number]) -> Number | None:
        """Return the fraction of the arrivals that a full pool admits."""
        return None if self.full is None or state.free > 0 else self.full(state)

    def settled(self, state: State[Number]) -> Changes[Number]:
        """Set the caps that bind in this phase; at the turning point F', which keeps its sign, decides."""
        return self._hold(
            {
                queue
                for queue, turn in self.turns.items()
                if (state.free_slope if queue in self.turning else state.free - turn) > 0
            }
        )

    def passed(self, state: State[Number], begin: Number) -> None:
        """Note which turning points F has reached."""
        reached = {queue for queue, time in self._times.items() if time <= state.now}
        self.turning = reached | {queue for queue in self.turning if state.free == self.turns[queue]}

    def _hold(self, capped: set[int]) -> dict[int, tuple[Number, Number]]:
        """Return the thresholds that change if exactly these caps bind."""
        changes = {}
        for queue in sorted(capped ^ self.capped):
            slope, offset, cap = self.laws[queue]
            changes[queue] = (slope - slope, cap) if queue in capped else (slope, offset)
        self.capped = capped
        return changes
