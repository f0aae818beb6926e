"""Lengths at drops under static quotas, and output rates, read from a run of the fluid model."""

from typing import Any

from dtmodel.base.errors import InputError

Seen = list[tuple[dict[str, Any], dict[str, Any]]]
"""The inputs of a statement, and the results observed in the run, for each of several queues."""


def quotas(run: Any) -> Seen:
    """Read a run under constant thresholds that divide the buffer: the length of each queue at its first drop."""
    policy, queues = run.scenario.policy, range(len(run.scenario.queues))
    limits = policy.thresholds(len(queues))
    if any(limit is None or limit.slope for limit in limits):
        raise InputError("run", type(policy).__name__, "a run under a static partition")
    met = [index for index in queues if run.first_drop(index) is not None]
    if not met:
        raise InputError("run", "no drop", "a run in which a queue loses bytes")
    common = {"B": run.scenario.switch.buffer, "W": sum(limit.offset for limit in limits)}
    return [
        ({**common, "w_i": limits[index].offset}, {"Q_i": run.queue(index).at(run.first_drop(index))}) for index in met
    ]


def output_rates(run: Any) -> Seen:
    """Read the output rates of a run's queues that are empty at first and offered a constant rate."""
    found = []
    for index, queue in enumerate(run.scenario.queues):
        if queue.initial == 0 and len(set(queue.arrivals.rates)) == 1 and not queue.arrivals.times[0]:
            values = {"lambda_i": queue.arrivals.rates[0], "alpha_i": queue.rate}
            found.append((values, {"mu_i": run.drained(index) / run.until}))
    if not found:
        raise InputError("run", "no queue that is empty at first, of a constant rate", "a run with such a queue")
    return found
