"""Open-loop counterparts of the sharing figures: queues that stop one after the other, throughput in bins of time."""

import heapq
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dtmodel.packet.dynaq.schemes import Scheme
from dtmodel.packet.schedulers import Scheduler

from ...support.dynaq.ports import Arrival, jain, serve_until
from ..experiments import poisson


@dataclass(frozen=True)
class Series:
    """For each scheme, one row for each bin of time with one throughput for each queue, as parts of the link."""

    ends: tuple[float, ...]
    rows: Mapping[str, tuple[tuple[float, ...], ...]]


def stopping(seed: int, loads: Sequence[float], stops: Sequence[float]) -> Iterator[Arrival]:
    """Yield Poisson arrivals of each queue until it stops."""
    streams = []
    for queue, (load, stop) in enumerate(zip(loads, stops, strict=True)):
        stream = poisson(f"{seed}/{queue}", load, queue)
        streams.append(itertools.takewhile(lambda arrival, stop=stop: arrival[0] < stop, stream))  # type: ignore[misc]  # a default binds the loop's value
    yield from heapq.merge(*streams)


def throughputs(
    schemes: Mapping[str, Scheme],
    scheduler: Scheduler,
    loads: Sequence[float],
    stops: Sequence[float],
    ends: Sequence[float],
) -> Series:
    """Serve the same arrivals under each scheme and read off what each queue sent in each bin."""
    queues = len(loads)
    spans = [end - start for start, end in pairwise((0.0, *ends))]
    rows = {}
    for name, scheme in schemes.items():
        port = serve_until(scheme, scheduler, stopping(0, loads, stops), rate=1, ends=ends, queues=queues)
        sent = [(0,) * queues, *(tally.sent for tally in port)]
        rows[name] = tuple(
            tuple((after[i] - before[i]) / span for i in range(queues))
            for (before, after), span in zip(pairwise(sent), spans, strict=True)
        )
    return Series(tuple(ends), rows)


def fairness(series: Series, stops: Sequence[float]) -> Mapping[str, tuple[float, ...]]:
    """Return Jain's index of the throughputs of the active queues in each bin."""
    starts = [0.0, *series.ends[:-1]]
    return {
        name: tuple(
            float(jain([round(10**6 * x) for x, stop in zip(row, stops, strict=True) if stop > start]))
            for row, start in zip(rows, starts, strict=True)
        )
        for name, rows in series.rows.items()
    }
