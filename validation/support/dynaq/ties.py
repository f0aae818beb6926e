"""A DynaQ port that may break a tie in line 2 in every way, as a finite system for `dtmodel.modelcheck`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import final

from dtmodel.packet.dynaq.algorithm import Amount, DynaQ, Ruling, admission, rule, settle
from dtmodel.packet.dynaq.states import Label, PortState, departed, enqueued


@final
@dataclass(frozen=True)
class AnyTies:
    """`AnyOrder` with every way to break a tie in line 2: queues of equal weight are symmetric.

    A proof about this system holds for every tie-break. States are represented with the queues of each weight in order,
    so that far fewer have to be visited.

    >>> from dtmodel.modelcheck import explore
    >>> from dtmodel.packet.dynaq.states import AnyOrder
    >>> explore(AnyTies(DynaQ(6, (1, 1, 1)), (1,))).states < explore(AnyOrder(DynaQ(6, (1, 1, 1)), (1,))).states
    True
    """

    rules: DynaQ
    sizes: tuple[Amount, ...]

    def initial(self) -> Iterable[PortState]:
        """Yield the empty port."""
        yield PortState(self.rules.initial, ((),) * len(self.rules.weights))

    def successors(self, state: PortState) -> Iterator[tuple[Label, PortState]]:
        """Yield every arrival with every victim that line 2 allows, and every departure."""
        lengths = state.lengths
        for p in range(len(lengths)):
            for size in self.sizes:
                for ruling in self._rulings(state.thresholds, lengths, p, size):
                    yield ("arrive", p, size), enqueued(state, ruling, p, size)
        for i, packets in enumerate(state.contents):
            if packets:
                yield ("depart", i), departed(state, i)

    def canonical(self, state: PortState) -> PortState:
        """Sort the queues of each weight."""
        weights = self.rules.weights
        rows = sorted(zip(weights, state.thresholds, state.contents, strict=True))
        places = sorted(range(len(weights)), key=lambda i: weights[i])
        placed = dict(zip(places, rows, strict=True))
        ordered = [placed[i] for i in range(len(weights))]
        return PortState(tuple(row[1] for row in ordered), tuple(row[2] for row in ordered))

    def _rulings(self, T: tuple[Amount, ...], q: tuple[Amount, ...], p: int, size: Amount) -> Iterator[Ruling]:
        S = self.rules.satisfaction
        others = [i for i in range(len(T)) if i != p]
        if q[p] + size <= T[p] or not others:
            yield rule(self.rules, T, q, p, size)
            return
        largest = max(T[i] - S[i] for i in others)
        for v in others:
            if T[v] - S[v] == largest:
                yield admission(self.rules, settle(self.rules, T, q, (p, v), size), q, p, size)
