"""The cycle of largest ratio in the product of a policy's states and the optimum's, by Bellman and Ford in integers.

For a ratio p / q an edge weighs q times the packets that the optimum sends, less p times those of the policy. If a
cycle weighs more than 0, its ratio is the next p / q; if no potential rises any more, no cycle has a larger ratio.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple, final

from dtmodel.base.errors import ModelError
from dtmodel.native.library import loaded
from dtmodel.studies.competitive.tables import OptimumTable, PolicyTable

_EVERY = 8
"""The sweeps between two searches for a cycle."""

Event = tuple[int, bool] | None
"""The port of an arrival, with True if the optimum accepts the packet; None for the departures of a slot."""


class Found(NamedTuple):
    """The largest ratio, the policy's state and the events of a cycle that has it, and the potentials.

    `ratio`: None if it is infinite. `potential`: one row for each state of the policy, one column for each of the
    optimum; without a finite ratio None.
    """

    ratio: Fraction | None
    state: int
    cycle: list[Event]
    potential: Any


class _Product(ctypes.Structure):
    """The product as the core reads it: ``dtmodel_product``."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in ("states", "optima", "ports", "p", "q")),
        *((name, ctypes.c_void_p) for name in ("arrive", "depart", "sent", "accept", "drain", "gained",
                                               "potential", "edge", "colour")),
    ]  # fmt: skip


def native_search() -> Any:
    """Return the library with the search; None if it is missing, or was compiled from other sources."""
    library, _ = loaded()
    if library is None or not hasattr(library, "dtmodel_ratio_cycle"):
        return None
    library.dtmodel_ratio_sweep.restype = library.dtmodel_ratio_cycle.restype = ctypes.c_int64
    return library


@final
class Product:
    """The product of the table of a policy and that of the optimum, with potentials and an edge for each state."""

    def __init__(self, policy: PolicyTable, optimum: OptimumTable) -> None:
        import numpy as np

        def whole(values: Any) -> Any:
            return np.ascontiguousarray(values, np.int32)

        self.arrive, self.depart, self.sent = whole(policy.arrive), whole(policy.depart), whole(policy.sent)
        self.accept, self.drain, self.gained = whole(optimum.accept), whole(optimum.drain), whole(optimum.gained)
        self.held = whole([sum(lengths) for lengths, _ in policy.states])
        self.kept = whole([sum(lengths) for lengths in optimum.states])
        self.potential = np.zeros((len(policy.states), len(optimum.states)), np.int64)
        self.edge = np.zeros(self.potential.shape, np.int8)
        self.colour = np.zeros(self.potential.shape, np.int32)
        self.start = policy.start
        self.native = native_search()

    def worst(self) -> Found:
        """Return the largest ratio of a cycle, and the potentials that show that no cycle has a larger one."""
        state, (ratio, cycle) = self.start, self._bursts()
        while (place := self._rise(ratio)) is not None:
            (state, _), cycle = divmod(place, self.potential.shape[1]), [*self._cycle(place)]
            optimum, policy = self._sent(place)
            if not policy:
                return Found(None, state, cycle, None)
            ratio = Fraction(optimum, policy)
        if self._sweep(ratio):
            raise ModelError("a potential that the search called final still rises")
        return Found(ratio, state, cycle, self.potential)

    def _bursts(self) -> tuple[Fraction, list[Event]]:
        """Return the largest ratio of a burst at one port that fills the optimum's buffer, and drains to the start.

        Without one the ratio is 1: that of one packet at a time.
        """
        best: tuple[Fraction, list[Event]] = Fraction(1), [(0, True), None]
        buffer = int(self.kept[0])
        for port in range(self.arrive.shape[1]):
            state = self.start
            for _ in range(buffer):
                state = self.arrive[state, port]
            held = int(self.held[state])
            for _ in range(buffer):
                state = self.depart[state]
            if state == self.start and held and Fraction(buffer, held) > best[0]:
                best = Fraction(buffer, held), [*[(port, True)] * buffer, *[None] * buffer]
        return best

    def _rise(self, ratio: Fraction) -> int | None:
        """Raise the potentials from those of draining until they stay; return a place on a cycle if they cannot."""
        self.potential[:] = ratio.denominator * self.kept[None, :] - ratio.numerator * self.held[:, None]
        self.edge[:] = 0
        sweep, search = self._ways(ratio)
        sweeps = 0
        while sweep():
            sweeps += 1
            if sweeps % _EVERY == 0 and (place := search()) >= 0:
                return place
        return None

    def _ways(self, ratio: Fraction) -> tuple[Callable[[], int], Callable[[], int]]:
        """Return functions that sweep once and that search for a cycle, in compiled code if it is there."""
        if self.native is None:
            return lambda: self._sweep(ratio), self._search
        arrays = (self.arrive, self.depart, self.sent, self.accept, self.drain, self.gained, self.potential, self.edge,
                  self.colour)  # fmt: skip
        numbers = (*self.potential.shape, self.arrive.shape[1], ratio.numerator, ratio.denominator)
        made = _Product(*numbers, *(array.ctypes.data for array in arrays))
        return (lambda: self.native.dtmodel_ratio_sweep(ctypes.byref(made)),
                lambda: self.native.dtmodel_ratio_cycle(ctypes.byref(made)))  # fmt: skip

    def _sweep(self, ratio: Fraction) -> int:
        """Raise the potentials once along every kind of edge; return the number of changes."""
        changed = 0
        gain = ratio.denominator * self.gained[None, :] - ratio.numerator * self.sent[:, None]
        changed += self._raise(self.potential[self.depart][:, self.drain] + gain, 1)
        for port, accept in enumerate(self.accept):
            for taken in (False, True):
                rows = self.potential[self.arrive[:, port]]
                changed += self._raise(rows[:, accept] if taken else rows, 2 + 2 * port + taken)
        return changed

    def _raise(self, values: Any, edge: int) -> int:
        higher = values > self.potential
        self.potential[higher], self.edge[higher] = values[higher], edge
        return int(higher.sum())

    def _search(self) -> int:
        """Return a place on a cycle of chosen edges; -1 if there is none."""
        import numpy as np

        columns = self.potential.shape[1]
        there = np.arange(self.potential.size).reshape(self.potential.shape)
        rows, places = np.indices(self.potential.shape, sparse=True)
        for edge in range(1, 2 + 2 * len(self.accept)):
            state, optimum = self._next(rows, places, edge)
            there = np.where(self.edge == edge, state * columns + optimum, there)
        ahead = there.ravel()
        for _ in range(int(self.potential.size).bit_length()):
            ahead = ahead[ahead]
        on = ahead[self.edge.ravel()[ahead] != 0]
        return int(on[0]) if on.size else -1

    def _next(self, state: Any, optimum: Any, edge: int) -> tuple[Any, Any]:
        if edge == 1:
            return self.depart[state], self.drain[optimum]
        port = (edge - 2) // 2
        return self.arrive[state, port], self.accept[port][optimum] if edge % 2 else optimum

    def _walk(self, begin: int) -> Iterator[tuple[int, int, int]]:
        """Yield the policy's state, the optimum's and the edge along the cycle from a place."""
        place = begin
        while True:
            state, optimum = divmod(place, self.potential.shape[1])
            yield state, optimum, (edge := int(self.edge[state, optimum]))
            after = self._next(state, optimum, edge)
            place = int(after[0]) * self.potential.shape[1] + int(after[1])
            if place == begin:
                return

    def _cycle(self, begin: int) -> Iterator[Event]:
        return (None if edge == 1 else ((edge - 2) // 2, edge % 2 == 1) for _, _, edge in self._walk(begin))

    def _sent(self, begin: int) -> tuple[int, int]:
        """Return the packets that the optimum and the policy send along the cycle from a place."""
        slots = [(int(self.gained[o]), int(self.sent[s])) for s, o, edge in self._walk(begin) if edge == 1]
        return sum(gained for gained, _ in slots), sum(sent for _, sent in slots)
