"""Packets of a trace that arrive at one instant: their order decides who loses, and can be chosen."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal, final

from dtmodel.base.documents import choice


@final
class Ties:
    """The batches of a trace with the packets of each instant in a chosen order, and the numbers of their records.

    - `ties`: ``"order"`` keeps the order of the records; ``"random"`` draws one; ``"fair"`` takes one packet of each
      port in turn, beginning with the next port at each instant.
    - `ports`, `seed` (int): the number of ports, and the seed of random orders.
    - `count` (int): the packets so far that arrive at the instant of another.
    """

    def __init__(
        self, batches: Iterable[tuple[Any, ...]], ties: Literal["order", "random", "fair"] = "order",
        ports: int = 1, seed: int = 0,
    ) -> None:  # fmt: skip
        self.ties, self.ports, self.seed, self.count = choice(ties, "ties", ("order", "random", "fair")), ports, seed, 0
        self._batches, self._instants = batches, 0

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Yield times, ports, sizes, numbers of records, and marks if there are any, with an instant in one batch."""
        import numpy as np

        random, kept, first = np.random.default_rng(self.seed), None, 0
        for batch in self._batches:
            columns = [*batch[:3], np.arange(first, first + len(batch[0])), *batch[4:]]
            first += len(batch[0])
            if kept is not None:
                columns = [np.concatenate(both) for both in zip(kept, columns, strict=True)]
            last = int(np.argmax(columns[0] == columns[0][-1])) if len(columns[0]) else 0
            kept = [column[last:] for column in columns]
            if last:
                yield self._ordered([column[:last] for column in columns], random)
        if kept is not None and len(kept[0]):
            yield self._ordered(kept, random)

    def _ordered(self, columns: list[Any], random: Any) -> tuple[Any, ...]:
        import numpy as np

        times, ports = columns[:2]
        instants = np.concatenate(([0], np.cumsum(times[1:] != times[:-1])))
        together = np.bincount(instants)
        self.count += int(together[together > 1].sum())
        if self.ties == "random":
            order = np.lexsort((random.random(len(times)), instants))
        elif self.ties == "fair":
            turn = (ports + instants + self._instants) % self.ports
            order = np.lexsort((turn, _places(instants, ports), instants))
        else:
            order = np.arange(len(times))
        self._instants += int(instants[-1]) + 1
        return tuple(column[order] for column in columns)


def _places(instants: Any, ports: Any) -> Any:
    """Return for each packet the number of packets of its port before it at its instant."""
    import numpy as np

    order = np.lexsort((np.arange(len(ports)), ports, instants))
    keys = np.stack((instants[order], ports[order].astype(np.int64)))
    begins = np.concatenate(([True], (keys[:, 1:] != keys[:, :-1]).any(axis=0)))
    starts = np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order)) - starts
    return places
