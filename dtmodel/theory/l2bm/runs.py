"""Steady states and first drops under weights and in pools, read from a run of the fluid model."""

from fractions import Fraction
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.policies.formulas import QueueLimits

Seen = list[tuple[dict[str, Any], dict[str, Any]]]
"""The inputs of a statement, and the results observed in the run, for each of several queues."""


def steady_weights(run: Any) -> Seen:
    """Read the end of a run as a steady state of queues that are offered more than their rates."""
    weights = _weights(run)
    active = _settled(run)
    held = {index: run.queue(index).at(run.until) for index in active}
    B, total = run.scenario.switch.buffer, sum(held.values(), Fraction(0))
    W = sum((weights[index] for index in active), Fraction(0))
    return [
        ({"B": B, "w_i": weights[index], "W": W}, {"held": held[index], "occupancy": total, "free": B - total})
        for index in active
    ]


def lengths_at_drops(run: Any) -> Seen:
    """Read a run under weights: the length at its first drop of each queue that was empty or steady at first."""
    weights, B = _weights(run), run.scenario.switch.buffer
    met = [i for i, queue in enumerate(run.scenario.queues) if not queue.initial and run.first_drop(i) is not None]
    if not met:
        raise InputError("run", "no drop", "a run in which a queue that is empty or steady at first loses bytes")
    values = [{"B": B, "Q": B - run.free_at_first_drop(i), "alpha": weights[i]} for i in met]
    return list(zip(values, ({"limit": run.queue(i).at(run.first_drop(i))} for i in met), strict=True))


def burst_with_a_reserve(run: Any) -> Seen:
    """Read a run of one pool: one lasting burst at an empty queue beside steady ones, and its first drop."""
    size, limits = _one_pool(run)
    queues = run.scenario.queues
    bursts = [i for i, queue in enumerate(queues) if queue.initial is not None and any(queue.arrivals.rates)]
    if len(bursts) != 1 or queues[bursts[0]].initial or len(set(queues[bursts[0]].arrivals.rates)) != 1:
        raise InputError("run", f"{len(bursts)} bursts", "one lasting burst at an empty queue beside steady ones")
    (k,) = bursts
    drop, growth, limit = run.first_drop(k), queues[k].arrivals.rates[0] - queues[k].rate, limits[k]
    if drop is None or drop * growth <= limit.reserved:
        raise InputError("run", "no drop", "a run in which the burst passes its reserve and loses bytes")

    def free(time: Fraction) -> Fraction:
        used = (run.queue(i).at(time) - limits[i].reserved for i in range(len(queues)))
        return Fraction(size - sum(max(part, Fraction(0)) for part in used))

    begin = limit.reserved / growth
    values = {
        "r": limit.reserved,
        "alpha": limit.alpha,
        "c": limit.cap or size * 10**9,
        "F_0": free(Fraction(0)),
        "growth": growth,
        "fall": (free(begin) - free(drop)) / (drop - begin),
    }
    return [(values, {"first_drop": drop})]


def _one_pool(run: Any) -> tuple[Fraction, dict[int, Any]]:
    """Return the size of the one pool of a run, and the limits of its queues."""
    policy, queues = run.scenario.policy, len(run.scenario.queues)
    part, *others = policy.parts(run.scenario.switch.buffer, queues)
    if others:
        raise InputError("run", f"{1 + len(others)} pools", "one pool")
    form, limits = policy.form(part), policy.thresholds(queues)
    own = dict(zip(part.queues, part.reserves or (Fraction(0),) * queues, strict=True))
    weighs = all(limits[i] and limits[i].slope and limits[i].offset == reserve for i, reserve in own.items())
    if form is None or form.name != "plain" or not weighs:
        raise InputError("run", type(policy).__name__, "a run under one pool in which every queue has a weight")
    caps = {i: None if limits[i].cap is None else limits[i].cap - reserve for i, reserve in own.items()}
    return part.size, {i: QueueLimits(limits[i].slope, reserve, caps[i]) for i, reserve in own.items()}


def steady_pool(run: Any) -> Seen:
    """Read the end of a run as a steady state of one pool with reserves and caps."""
    size, limits = _one_pool(run)
    active = _settled(run)
    held = {index: run.queue(index).at(run.until) for index in active}
    free = size - sum((held[index] - limits[index].reserved for index in active), Fraction(0))
    bound = {i for i in active if limits[i].cap is not None and limits[i].alpha * free >= limits[i].cap}
    A = sum((limits[i].alpha or 0 for i in active if i not in bound), Fraction(0))
    common = {"S": size, "A": A, "caps": sum((limits[i].cap or 0 for i in bound), Fraction(0))}

    def own(i: int) -> dict[str, Any]:
        return {"r": limits[i].reserved, "alpha": limits[i].alpha, "c": limits[i].cap or size * 10**9}

    return [({**common, **own(i)}, {"free": free, "held": held[i]}) for i in active]


def first_drop_beside_steady_queues(run: Any) -> Seen:
    """Read a run of lasting bursts that begin at empty queues beside steady ones: phi, F_0 and the first drop."""
    weights, scenario = _weights(run), run.scenario
    steady, bursts = [], []
    for index, queue in enumerate(scenario.queues):
        rates = queue.arrivals.rates
        if len(set(rates)) > 1 or queue.initial or (rates and queue.arrivals.times[0] > 0):
            accepted = "constant arrivals at an empty queue, or a steady one"
            raise InputError(f"queues[{index}]", "other arrivals", accepted)
        if queue.initial is None:
            steady.append(index)
        elif rates and rates[0] > queue.rate:
            bursts.append(index)
        elif rates and rates[0] > 0:
            raise InputError(f"queues[{index}]", rates[0], "a burst of R > C")
    drops = {index: run.first_drop(index) for index in bursts if run.first_drop(index) is not None}
    if not drops:
        raise InputError("run", "no drop", "a run in which a burst meets its threshold")
    time, first = min((time, index) for index, time in drops.items())
    growth = {index: scenario.queues[index].arrivals.rates[0] - scenario.queues[index].rate for index in bursts}
    held = [sum(run.queue(i).at(t) for i in range(len(scenario.queues))) for t in (Fraction(0), time)]
    fall = (held[1] - held[0]) / time
    left = [i for i in steady if weights[i] * fall > scenario.queues[i].rate]
    values = {
        "B": scenario.switch.buffer,
        "W_S": sum((weights[i] for i in steady), Fraction(0)),
        "w_k": weights[first],
        "growth": growth[first],
        "inflow": sum(growth.values(), Fraction(0)),
        "draining": sum((scenario.queues[i].rate for i in left), Fraction(0)),
        "W_F": sum((weights[i] for i in steady if i not in left), Fraction(0)),
    }
    return [(values, {"fall": fall, "free_0": scenario.switch.buffer - held[0], "drop": time})]


def _weights(run: Any) -> list[Fraction]:
    policy = run.scenario.policy
    weights = policy.weights_of(run.scenario.switch.buffer, len(run.scenario.queues))
    if weights is None:
        raise InputError("run", type(policy).__name__, "a run under weights: Weighted, or DT")
    return list(weights)


def _settled(run: Any) -> list[int]:
    """Return the queues that are offered more than their rates, in a run that no longer changes at its end."""
    active = []
    for index, queue in enumerate(run.scenario.queues):
        length = run.queue(index)
        begin = max((time for time in (Fraction(0), *length.breakpoints) if time < run.until), default=Fraction(0))
        if length.at(run.until) != length.at((begin + run.until) / 2):
            raise InputError("run", f"queue {index} changes at the end", "a run that has reached a steady state")
        if queue.arrivals.at(run.until) > queue.rate:
            active.append(index)
        elif length.at(run.until):
            accepted = "an empty queue there"
            raise InputError(f"queues[{index}]", "a queue that is offered no more than its rate", accepted)
    return active
