"""Experiments with one port of DynaQ: thresholds in motion, and the bytes that a queue holds in the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from dtmodel.packet.dynaq import DynaQ, as_events, run_trace
from dtmodel.packet.dynaq.algorithm import Amount, DynaQPort
from dtmodel.packet.dynaq.states import Label
from dtmodel.packet.schedulers import Memory, WeightedRoundRobin

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_QUEUES = 4


def threshold_history(wake: int = 60, admit: str = "port", tie_break: str = "low") -> Figure:
    """Draw thresholds and lengths of four queues of a port of 40 packets that wake up one after another.

    Queue 1 offers packets alone until arrival `wake`, then queues 2, 3 and 1 offer 40 each. After every second arrival
    a packet leaves, by round robin. `admit` and `tie_break`: as in `dtmodel.packet.dynaq.DynaQ`.

    >>> [axes.get_ylabel() for axes in threshold_history(wake=20).axes]
    ['queue 1', 'queue 2', 'queue 3', 'queue 4']
    """
    from dtmodel.plot.picture import Picture

    rules = DynaQ(40, (1,) * _QUEUES, tie_break, admit)
    rows = list(_history(rules, [(0, wake), (1, 40), (2, 40), (0, 40)]))
    figure = Picture(figsize=(8, 5), layout="constrained")
    for i, axes in enumerate(figure.subplots(_QUEUES, 1, sharex=True, sharey=True)):
        axes.step(range(len(rows)), [float(T[i]) for T, _ in rows], color="C3", label="threshold")
        axes.fill_between(range(len(rows)), [float(q[i]) for _, q in rows], step="pre", alpha=0.5, label="length")
        axes.axhline(float(rules.satisfaction[i]), color="0.5", linestyle=":", label="S")
        axes.set_ylabel(f"queue {i + 1}")
    figure.axes[0].legend(loc="upper right", ncols=3, fontsize="small")
    figure.axes[-1].set_xlabel("arrival")
    return figure


def _history(rules: DynaQ, plan: Sequence[tuple[int, int]]) -> Iterator[tuple[Sequence[Amount], Sequence[Amount]]]:
    port, scheduler = DynaQPort(rules), WeightedRoundRobin((1,) * len(rules.weights))
    memory = scheduler.start()
    for queue, packets in plan:
        for n in range(packets):
            port.arrive(queue, 1)
            if n % 2:
                memory = _serve(port, scheduler, memory)
            yield port.thresholds, tuple(port.lengths)


def steps_of(rules: DynaQ, labels: Iterable[Label]) -> str:
    """Return the events of an explored path of a port with these `rules`, a line each, with decisions and reasons.

    `labels`: the steps of the path.

    >>> print(steps_of(DynaQ(4, (1, 1)), [("arrive", 0, 1)]))
    arrive 1 (1 B) enqueue  T = ['2', '2']  q = ['1', '0']  line 1: within the threshold
    """
    events = as_events(labels)
    request = {"buffer": str(rules.buffer), "weights": [str(w) for w in rules.weights], "events": events}
    return "\n".join(_line(event, step) for event, step in zip(events, run_trace(request)["steps"], strict=True))


def _line(event: list[object], step: dict[str, object]) -> str:
    size = f" ({event[3]} B)" if len(event) == 4 else ""
    said = f"{event[0]} {event[2]}{size}"
    return f"{said:<14} {step['decision']:<8} T = {step['thresholds']}  q = {step['queues']}  {step['reason']}".rstrip()


def held_when_refused(rules: DynaQ, active: Sequence[int], size: int) -> list[Amount]:
    """Return the bytes of each queue when every `active` queue has been refused a packet of `size`, with no departure.

    `rules`: the configuration of the port.

    >>> held_when_refused(DynaQ(4, (1, 1)), [0], 1)
    [4, 0]
    """
    port, waiting = DynaQPort(rules), list(active)
    while waiting:
        waiting = [queue for queue in waiting if port.arrive(queue, size).decision == "enqueue"]
    return port.lengths


def held_after_waking(rules: DynaQ, services: int = 60, size: int = 1500) -> list[Amount]:
    """Return the bytes of queue 1 before each of some `services`, if queue 2 has filled the port and refills it first.

    `rules`: the configuration of the port. Packets have one `size`, and the queues are served by round robin.

    >>> held_after_waking(DynaQ(2, (1, 1)), services=3, size=1)
    [0, 0, 0]
    """
    port, scheduler = DynaQPort(rules), WeightedRoundRobin((1,) * len(rules.weights))
    memory, held = scheduler.start(), []
    while port.arrive(1, size).decision == "enqueue":
        pass
    for _ in range(services):
        for queue in (1, 0):
            port.arrive(queue, size)
        held.append(port.lengths[0])
        memory = _serve(port, scheduler, memory)
    return held


def _serve(port: DynaQPort, scheduler: WeightedRoundRobin, memory: Memory) -> Memory:
    served, after = scheduler.pick(memory, [[size for _, size in queue] for queue in port.packets])
    if served is not None:
        port.depart(served)
    return after
