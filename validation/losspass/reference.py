"""LossPass's Algorithm 1 a second time: packets as tuples in one list, lengths added up whenever they are asked for."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

Row = Sequence[Any]
"""An event as in a trace request, without its time: ("arrive", class, size) or ("depart", queue)."""


class Answer(NamedTuple):
    """What a trace did, in plain tuples: (decision, packet, victim) a step; numbers of packets head to tail; marks."""

    steps: list[tuple[str, int | None, int | None]]
    small: list[int]
    large: list[int]
    marked: list[int]


def naive(
    events: Iterable[Row],
    B: Any,
    B_l: Any = 0,
    *,
    mark: tuple[Any, Any, Any] = (None, None, None),
    literal: bool = False,
    evict: bool = True,
) -> Answer:
    """Execute the print (`literal`) or the intended reading; without `evict`, tail drop with two queues."""
    buffered: list[tuple[int, str, Any]] = []
    steps: list[tuple[str, int | None, int | None]] = []
    marked: set[int] = set()
    number = -1

    def length(kind: str) -> Any:
        return sum(size for _, k, size in buffered if k == kind)

    for event in events:
        if event[0] == "depart":
            wanted = ["small", "large"] if event[1] == "any" else [event[1]]
            waiting = [p for kind in wanted for p in buffered if p[1] == kind]
            if waiting:
                buffered.remove(waiting[0])
                steps.append(("depart", waiting[0][0], None))
            else:
                steps.append(("idle", None, None))
            continue
        number += 1
        p = (number, event[1], event[2])
        victim = None
        enqueued = False
        if p[2] + length("small") + length("large") > B:  # line 1
            tail = [x for x in buffered if x[1] == "large"][-1:]
            claim = p[2] + length("small")
            line4 = claim >= B - B_l if literal else claim <= B - B_l
            if evict and p[1] == "small" and tail and p[2] <= tail[0][2] and line4:  # lines 2 to 4
                victim = tail[0]
                buffered.remove(victim)  # line 5
                buffered.append(p)  # line 6
                enqueued = True
            if literal or not enqueued:
                buffered = [x for x in buffered if x != p]  # line 10
        else:
            buffered.append(p)  # line 12
            enqueued = True
        left = p in buffered
        if (literal or enqueued) and _exceeds(p[1], length("small"), length("large"), mark):  # lines 14 and 15
            marked.add(number)
        decision = ("evict" if left else "evict+drop") if victim else ("enqueue" if left else "drop")
        steps.append((decision, number, victim[0] if victim else None))
    return Answer(
        steps, [x[0] for x in buffered if x[1] == "small"], [x[0] for x in buffered if x[1] == "large"], sorted(marked)
    )


def _exceeds(kind: str, small: Any, large: Any, mark: tuple[Any, Any, Any]) -> bool:
    K_s, K_l, K = mark
    own, threshold = (small, K_s) if kind == "small" else (large, K_l)
    return bool((threshold is not None and own > threshold) or (K is not None and small + large > K))
