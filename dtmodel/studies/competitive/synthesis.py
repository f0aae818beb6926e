"""Limits of threshold policies that no counterexample so far refutes.

A limit t(s), which never rises with the number s of packets in the buffer, admits a packet that fits if its queue is
shorter than t(s). The worst arrivals of one policy are as bad for every other that decides alike on them. Their
decisions bound t(s) from below and above for each s: a box, and the next candidate is in none of the boxes.
"""

from collections.abc import Iterable, Sequence

from dtmodel.policies.steps import Steps
from dtmodel.studies.competitive.walks import Slot

Box = tuple[tuple[int, int], ...]
"""For each number of packets in the buffer the least and the largest limit with the same decisions."""


def candidate(boxes: Sequence[Box], buffer: int) -> tuple[int, ...] | None:
    """Return limits that are in none of the `boxes`; None if there are none."""
    waiting: list[tuple[tuple[int, ...], Sequence[Box]]] = [((), boxes)]
    while waiting:
        limits, around = waiting.pop()
        held, last = len(limits), limits[-1] if limits else buffer
        if any(all(low == 0 and high >= buffer for low, high in box[held:]) for box in around):
            continue
        if held == buffer:
            return limits
        for limit in (*range(min(last, held + 1)), last):  # a queue is not longer than `held`
            waiting.append(((*limits, limit), [box for box in around if box[held][0] <= limit <= box[held][1]]))
    return None


def box_of(slots: Iterable[Slot], ports: int, buffer: int) -> Box:
    """Return the limits that decide on the arrivals of some `slots` as they were decided."""
    lengths, box = [0] * ports, [(0, buffer)] * buffer
    for slot in slots:
        for port, admitted, *_ in slot.arrivals:
            if (held := sum(lengths)) < buffer:
                low, high = box[held]
                box[held] = (max(low, lengths[port] + 1), high) if admitted else (low, min(high, lengths[port]))
            lengths[port] += admitted
        lengths = [max(length - 1, 0) for length in lengths]
    return tuple(box)


def policy_of(limits: Sequence[int]) -> Steps:
    """Return the policy with a limit for each number of packets in the buffer, as few steps as possible."""
    before = (len(limits), *limits[:-1])
    steps = [
        (held, limit)
        for held, (last, limit) in enumerate(zip(before, limits, strict=True))
        if limit <= held and (limit < last or limit == held)
    ]
    return Steps([held for held, _ in steps], [limit for _, limit in steps])
