"""Priority flow control a second time, from its description: every counter added up afresh from the packets."""

from fractions import Fraction
from math import ceil

ZERO = Fraction(0)


def run(pools, events):
    """Return the steps: (decision, paused, ingress, egress, stored, headroom)."""
    packets, paused, steps = [], set(), []  # packets: [ingress, egress, size, of it in the headroom]

    def held(name):
        return sum((size for inward, _, size, _ in packets if inward == name), ZERO)

    def waiting(name):
        return sum((size for _, outward, size, _ in packets if outward == name), ZERO)

    def shared(name, more=ZERO):
        return max(ZERO, held(name) - headroom[name] + more - pools.ingress[name].reserved)

    def free():
        return pools.ingress_pool - sum((shared(name) for name in pools.ingress), ZERO)

    def threshold(name):
        queue = pools.ingress[name]
        limit = queue.alpha * free()
        return queue.reserved + (limit if queue.cap is None else min(limit, queue.cap))

    def egress_admits(name, size):
        alpha = pools.egress[name].alpha
        room = pools.egress_pool - sum(map(waiting, pools.egress), ZERO)
        return alpha is None or (waiting(name) + size <= alpha * room and size <= room)

    def arrive(name, out, size):
        queue = pools.ingress[name]
        if not egress_admits(out, size):
            return "drop"
        if held(name) + size <= threshold(name) and shared(name, size) - shared(name) <= free():
            packets.append([name, out, size, False])
            return "enqueue"
        if not queue.lossless:
            return "drop"
        paused.add(name)
        if headroom[name] + size > queue.headroom:
            return "drop"
        headroom[name] += size
        packets.append([name, out, size, True])
        return "headroom"

    headroom = dict.fromkeys(pools.ingress, ZERO)
    for event in events:
        if event[0] == "arrive":
            cell = pools.cell
            size = event[3] if cell is None else ceil(event[3] / cell) * cell
            decision = arrive(event[1], event[2], size)
        else:
            decision = "idle"
            mine = [packet for packet in packets if packet[1] == event[1]]
            if mine:
                decision = "depart"
                name, _, size, _ = mine[0]
                packets.remove(mine[0])
                headroom[name] = max(ZERO, headroom[name] - size)
        for other in sorted(paused):
            if held(other) <= max(ZERO, threshold(other) - pools.ingress[other].resume_below):
                paused.discard(other)
        steps.append(
            (
                decision,
                frozenset(paused),
                {name: held(name) for name in pools.ingress},
                {name: waiting(name) for name in pools.egress},
                sum((packet[2] for packet in packets), ZERO),
                dict(headroom),
            )
        )
    return steps
