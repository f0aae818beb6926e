"""Schedulers and one port with service queues a second time, as plain loops."""

from fractions import Fraction

import reference_dynaq


def strict(queues):
    """Yield the first queue that holds a packet."""
    while True:
        yield next((i for i, queue in enumerate(queues) if queue), None)


def weighted(queues, weights):
    """Yield weighted round robin: up to `weights[i]` packets of a queue, an empty queue loses its turn."""
    while True:
        for i, weight in enumerate(weights):
            for _ in range(weight):
                while not any(queues):
                    yield None
                if not queues[i]:
                    break
                yield i


def deficit(queues, quanta):
    """Yield deficit round robin: the deficit goes when the last packet is picked."""
    owed = [0] * len(quanta)
    while True:
        for i, quantum in enumerate(quanta):
            while not any(queues):
                yield None
            if queues[i]:
                owed[i] += quantum
            while queues[i] and queues[i][0] <= owed[i]:
                owed[i] = 0 if len(queues[i]) == 1 else owed[i] - queues[i][0]
                yield i
                while not any(queues):
                    yield None


def below_priority(queues, first, rest):
    """Yield the first queues by priority, and what `rest` (a loop over the other queues) says when they are empty."""
    while True:
        top = next((i for i, queue in enumerate(queues[:first]) if queue), None)
        if top is not None:
            yield top
        else:
            pick = next(rest)
            yield None if pick is None else first + pick


def best_effort(buffer):
    return lambda lengths, _queue, size: sum(lengths) + size <= buffer


def quotas(limits):
    return lambda lengths, queue, size: lengths[queue] + size <= limits[queue]


def pmsb(buffer, port, limits):
    def admit(lengths, queue, size):
        both = sum(lengths) + size > port and lengths[queue] + size > limits[queue]
        return not both and sum(lengths) + size <= buffer

    return admit


def dynaq(buffer, weights, **options):
    share = {i: Fraction(buffer) * weight / sum(weights) for i, weight in enumerate(weights, 1)}
    limit = dict(share)

    def admit(lengths, queue, size):
        queues = {i: [(None, Fraction(length))] if length else [] for i, length in enumerate(lengths, 1)}
        return reference_dynaq.arrive(options, buffer, share, limit, queues, queue + 1, size)[0] == "enqueue"

    return admit


def serve(admit, scheduler, arrivals, rate, until, queues):
    """Return (offered, sent, lost, held, idle) of a port; `queues` are the lists that the scheduler looks at.

    The packet in service still occupies the buffer, but is no longer in its list.
    """
    count = len(queues)
    offered, sent, lost = [0] * count, [0] * count, [0] * count
    serving, done, now, idle = None, None, 0, 0
    pending = list(arrivals)

    def lengths():
        return [sum(queue) + (serving[1] if serving and serving[0] == i else 0) for i, queue in enumerate(queues)]

    while True:
        if serving is None and any(queues):
            pick = next(scheduler)
            serving = (pick, queues[pick].pop(0))
            done = now + Fraction(serving[1]) / rate
        if serving is not None and done <= until and (not pending or done <= pending[0][0]):
            now = done
            sent[serving[0]] += serving[1]
            serving = None
            continue
        if not pending or pending[0][0] >= until:
            idle += until - now if serving is None else 0
            return offered, sent, lost, lengths(), idle
        time, queue, size = pending.pop(0)
        idle += time - now if serving is None else 0
        now = time
        offered[queue] += size
        if admit(lengths(), queue, size):
            queues[queue].append(size)
        else:
            lost[queue] += size
