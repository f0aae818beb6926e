"""Shares of a link in the kept result of an experiment, over the phases in which its active queues stay the same."""

from collections.abc import Sequence
from dataclasses import dataclass

from dtmodel.base.units import rate, seconds
from dtmodel.companion.experiments import experiment_document

from .dynaq.ports import jain
from .experiments import Kept, tolerance

Phase = tuple[float, float, tuple[int, ...]]
"""Begin and end in seconds, and the numbers of the queues that are active, from 0."""


@dataclass(frozen=True)
class Shares:
    """The throughput of the queues of one port in a kept result.

    `every`: seconds between two samples. `link`: the rate of the port in Gbps. `weights`: of the queues.
    """

    kept: Kept
    every: float
    link: float
    weights: tuple[int, ...]

    @classmethod
    def read(cls, name: str) -> "Shares":
        """Read the result of the experiment of a figure."""
        document = experiment_document(name)
        network = document["network"]
        every, link = seconds(document["workload"]["every"], "every"), rate(network["rate"], "rate")
        weights = tuple(network.get("weights", [1] * network.get("queues", 1)))
        return cls(Kept.read(name), float(every), float(link) * 8e-9, weights)

    def rates(self, run: tuple[str, str, int], begin: float, end: float) -> list[float]:
        """Return the mean rate in Gbps of each queue in a run: its reading, policy and seed."""
        size = next(size for _, _, size in self.kept.rows)
        windows = self.kept.of(*run, "throughput", size)[round(begin / self.every) : round(end / self.every)]
        return [8e-9 * sum(column) / len(windows) for column in zip(*windows, strict=True)]

    def index(self, run: tuple[str, str, int], phase: Phase) -> float:
        """Return Jain's index of the active queues over their weights."""
        begin, end, active = phase
        found = self.rates(run, begin, end)
        return float(jain([round(10**9 * found[queue] / self.weights[queue]) for queue in active]))

    def fair(self, run: tuple[str, str, int], phases: Sequence[Phase]) -> bool:
        """Return True if every phase has an index from which on sharing is fair."""
        return all(self.index(run, phase) >= tolerance("fair") for phase in phases)

    def unfair(self, run: tuple[str, str, int], phase: Phase) -> bool:
        """Return True if the index of a phase is below that of unfair sharing."""
        return self.index(run, phase) < tolerance("unfair")

    def full(self, run: tuple[str, str, int], phases: Sequence[Phase]) -> bool:
        """Return True if the link is in full use in every phase."""
        least = tolerance("full") * self.link
        return all(sum(self.rates(run, begin, end)) >= least for begin, end, _ in phases)

    def lost(self, run: tuple[str, str, int], phases: tuple[Phase, Phase], length: float) -> float:
        """Return the Gbps by which all queues send less in the first `length` seconds of a phase than before it."""
        before, after = phases
        return sum(self.rates(run, *before[:2])) - sum(self.rates(run, after[0], after[0] + length))


def falling(stops: Sequence[tuple[int, float]], queues: int, end: float) -> list[Phase]:
    """Return the phases of queues that start together and stop one after the other: (queue, time) in order.

    >>> falling([(1, 2.0)], 2, 3.0)
    [(0.0, 2.0, (0, 1)), (2.0, 3.0, (0,))]
    """
    active, phases, begin = set(range(queues)), list[Phase](), 0.0
    for queue, stop in [*stops, (-1, end)]:
        phases.append((begin, stop, tuple(sorted(active))))
        active.discard(queue)
        begin = stop
    return phases
