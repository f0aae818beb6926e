"""The cycle of largest ratio in the product of a policy's states and the optimum's, by Bellman and Ford in integers.

For a ratio p / q an edge weighs q times the optimum's packets less p times the policy's; a positive cycle gives the
next ratio, until no potential rises.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import chain
from typing import Any, NamedTuple, final

from dtmodel.base.errors import ModelError
from dtmodel.native.library import loaded
from dtmodel.studies.competitive.tables import OptimumTable, PolicyTable

_EVERY = 8
"""The sweeps between two searches for a cycle."""

_MOST_PORTS = 62
"""The most ports whose kinds of edges have numbers of one byte."""

Event = tuple[int, bool] | None
"""The port of an arrival, with True if the optimum accepts the packet; None for the departures of a slot."""


class Found(NamedTuple):
    """The largest ratio, None if it is infinite, with the policy's state, a cycle that has it, and its potentials."""

    ratio: Fraction | None
    state: int
    cycle: list[Event]
    potential: array[int] | None


class _Product(ctypes.Structure):
    """The product as the core reads it: ``dtmodel_product``."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in ("states", "optima", "ports", "p", "q")),
        *((name, ctypes.c_void_p) for name in ("arrive", "depart", "sent", "accept", "drain", "gained",
                                               "potential", "edge", "colour")),
    ]  # fmt: skip


def native_search(ports: int) -> Any:
    """Return the library with the search; None if it is missing, or if its edges, in bytes, are fewer than needed."""
    library, _ = loaded()
    if library is None or ports > _MOST_PORTS or not hasattr(library, "dtmodel_ratio_cycle"):
        return None
    library.dtmodel_ratio_sweep.restype = library.dtmodel_ratio_cycle.restype = ctypes.c_int64
    return library


@final
class Product:
    """The product of the table of a policy and that of the optimum, with potentials and an edge for each state."""

    def __init__(self, policy: PolicyTable, optimum: OptimumTable) -> None:
        self.policy, self.optimum = policy, optimum
        fillings = [lengths for lengths, _ in policy.states], optimum.states
        self.sent, self.gained = (array("i", [sum(map(bool, lengths)) for lengths in each]) for each in fillings)
        self.held = [sum(lengths) for lengths, _ in policy.states]
        self.kept = [sum(lengths) for lengths in optimum.states]
        self.columns, self.size = len(self.kept), len(self.held) * len(self.kept)
        self.native = native_search(len(optimum.accept))

    def worst(self, enough: Fraction | None = None) -> Found:
        """Return the largest ratio of a cycle with potentials, or the first cycle of a ratio of at least `enough`."""
        state, (ratio, cycle) = self.policy.start, self._bursts()
        while enough is None or ratio < enough:
            if (place := self._rise(ratio)) is None:
                break
            state, (cycle, optimum, policy) = place // self.columns, self._cycle(place)
            if not policy:
                return Found(None, state, cycle, None)
            ratio = Fraction(optimum, policy)
        else:
            return Found(ratio, state, cycle, None)
        if self._ways(ratio)[0]():
            raise ModelError("a potential that the search called final still rises")
        return Found(ratio, state, cycle, array("q", self.potential))

    def _bursts(self) -> tuple[Fraction, list[Event]]:
        """Return the largest ratio of a burst at one port that fills the buffer and drains to the start, or else 1."""
        best: tuple[Fraction, list[Event]] = Fraction(1), [(0, True), None]
        buffer, arrive, depart = self.kept[0], self.policy.arrive, self.policy.depart
        for port in range(len(self.optimum.accept)):
            full = reduce(lambda state, port: arrive[state][port], [port] * buffer, self.policy.start)
            state, held = reduce(lambda state, _: depart[state], range(buffer), full), self.held[full]
            if state == self.policy.start and held and Fraction(buffer, held) > best[0]:
                best = Fraction(buffer, held), [*[(port, True)] * buffer, *[None] * buffer]
        return best

    def _rise(self, ratio: Fraction) -> int | None:
        """Raise the potentials from those of draining until they stay; return a place on a cycle if they cannot."""
        held, kept = ([unit * count for count in counts] for unit, counts in
                      ((ratio.numerator, self.held), (ratio.denominator, self.kept)))  # fmt: skip
        potential, edge = [optimum - own for own in held for optimum in kept], [0] * self.size
        self.potential: array[int] | list[int] = array("q", potential) if self.native else potential
        self.edge: array[int] | list[int] = array("b", edge) if self.native else edge
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
            self.clock, self.seen, self.risen = 1, [0] * len(self.held), [0] * len(self.held)
            return lambda: self._sweep(ratio), self._search
        ports = len(self.optimum.accept)
        flat = [array("i", chain.from_iterable(rows)) for rows in (self.policy.arrive, self.optimum.accept)]
        arrays: tuple[Any, ...] = (
            flat[0], array("i", self.policy.depart), self.sent, flat[1], array("i", self.optimum.drain), self.gained,
            self.potential, self.edge, array("i", bytes(4 * self.size)),
        )  # fmt: skip
        numbers = (len(self.held), self.columns, ports, ratio.numerator, ratio.denominator)
        made = _Product(*numbers, *(each.buffer_info()[0] for each in arrays))
        made.arrays = arrays  # they live as long as the functions
        return (lambda: self.native.dtmodel_ratio_sweep(ctypes.byref(made)),
                lambda: self.native.dtmodel_ratio_cycle(ctypes.byref(made)))  # fmt: skip

    def _sweep(self, ratio: Fraction) -> int:
        """Raise the potentials once along the edges to states that have risen since; return the number of changes."""
        changed, gains = 0, [ratio.denominator * count for count in self.gained]
        nothing = [0] * self.columns
        for state, sent in enumerate(self.sent):
            departing = [gain - ratio.numerator * sent for gain in gains]
            before, self.seen[state], self.clock = self.seen[state], self.clock, self.clock + 1
            for edge, (after, column) in enumerate(self._edges(state), 1):
                if self.risen[after] >= before:
                    changed += self._raise(state, after, column, departing if edge == 1 else nothing, edge)
        return changed

    def _raise(self, state: int, after: int, column: Sequence[int], gains: list[int], edge: int) -> int:
        """Raise the potentials of one state of the policy along one kind of edge; return the number of changes."""
        changed, potential, own, base = 0, self.potential, state * self.columns, after * self.columns
        for place, there, gain in zip(range(own, own + self.columns), column, gains, strict=True):
            if (value := potential[base + there] + gain) > potential[place]:
                potential[place], self.edge[place] = value, edge
                changed += 1
        if changed:
            self.risen[state] = self.clock
        return changed

    def _edges(self, state: int) -> Iterator[tuple[int, Sequence[int]]]:
        """Yield the next states by kinds of edges: departures, and for each port a packet rejected and one accepted."""
        yield self.policy.depart[state], self.optimum.drain
        for after, accept in zip(self.policy.arrive[state], self.optimum.accept, strict=True):
            yield after, range(self.columns)
            yield after, accept

    def _search(self) -> int:
        """Return a place on a cycle of chosen edges; -1 if there is none."""
        colour = array("i", bytes(4 * self.size))
        for begin in range(self.size):
            place = begin
            while self.edge[place] and not colour[place]:
                colour[place] = begin + 1
                place = self._after(place)
            if self.edge[place] and colour[place] == begin + 1:
                return place
        return -1

    def _after(self, place: int) -> int:
        """Return the place at the end of the chosen edge from a place."""
        state, optimum = divmod(place, self.columns)
        after, column = [*self._edges(state)][self.edge[place] - 1]
        return after * self.columns + column[optimum]

    def _walk(self, begin: int) -> Iterator[tuple[int, int, int]]:
        """Yield the policy's state, the optimum's and the edge along the cycle from a place."""
        place = begin
        while True:
            yield *divmod(place, self.columns), self.edge[place]
            if (place := self._after(place)) == begin:
                return

    def _cycle(self, begin: int) -> tuple[list[Event], int, int]:
        """Return the events of the cycle from a place, and the packets that the optimum and the policy send on it."""
        steps = [*self._walk(begin)]
        sent = [(self.gained[filling], self.sent[state]) for state, filling, edge in steps if edge == 1]
        events: list[Event] = [None if edge == 1 else ((edge - 2) // 2, edge % 2 == 1) for _, _, edge in steps]
        return events, sum(gained for gained, _ in sent), sum(own for _, own in sent)
