"""Values of the symbols of Theorems 1 to 3 in a run of the fluid model, and the first drop of each burst."""

from fractions import Fraction
from typing import Any

from dtmodel.base.errors import InputError

Seen = list[tuple[dict[str, Any], dict[str, Any]]]
"""The inputs of a statement, and the results observed in the run, for one queue or for each of several."""


def bursts_of_one_rate(run: Any) -> Seen:
    """Read a run as bursts of one rate: the symbols of Theorem 1, and the first drop with the free buffer then."""
    values, index = alike(run)
    seen = {"first_drop": run.first_drop(index), "free_at_first_drop": run.free_at_first_drop(index)}
    return [(values, seen)]


def alike(run: Any) -> tuple[dict[str, Any], int]:
    """Read a run as bursts of one rate: the symbols of Theorem 1, and the index of one of the bursts."""
    values, bursts = of_one_rate(run, one_alpha(run))
    return values, bursts[0]


def of_one_rate(run: Any, alpha: Fraction) -> tuple[dict[str, Any], list[int]]:
    """Read a run as bursts of one rate: the symbols of Theorem 1, and the indices of the bursts."""
    values, bursts = read_bursts(run, alpha)
    rates = {rate for _, rate in bursts}
    if len(rates) != 1:
        raise InputError("run", f"bursts of {len(rates)} rates", "bursts of one rate")
    return {**values, "M": len(bursts), "R": rates.pop()}, [index for index, _ in bursts]


def bursts_of_many_rates(run: Any) -> Seen:
    """Read a run as bursts of rates that differ: the symbols of Theorems 2 and 3, and each port's first drop."""
    values, bursts = read_bursts(run, one_alpha(run))
    ordered = sorted(bursts, key=lambda burst: burst[1], reverse=True)
    drops = [run.first_drop(index) for index, _ in ordered]
    frees = [run.free_at_first_drop(index) for index, _ in ordered]
    return [({**values, "R": [rate for _, rate in ordered]}, {"first_drop": drops, "free_at_first_drop": frees})]


def one_alpha(run: Any) -> Fraction:
    """Read alpha of a run under DT; raise `InputError` under another policy, or if queues have different alphas."""
    policy = run.scenario.policy
    alphas = set(policy.weights_of(run.scenario.switch.buffer, len(run.scenario.queues)) or ())
    if len(alphas) != 1:
        raise InputError("run", type(policy).__name__, "a run under DT with one alpha")
    return Fraction(alphas.pop())


def read_bursts(run: Any, alpha: Fraction) -> tuple[dict[str, Any], list[tuple[int, Fraction]]]:
    """Read alpha, B, C, P and N of a run in which all bursts lose bytes, and the index and the rate of each burst."""
    scenario = run.scenario
    steady, bursts = 0, []
    for index, queue in enumerate(scenario.queues):
        rates = queue.arrivals.rates
        varies = rates and len({*rates, queue.arrivals.at(Fraction(0))}) > 1
        if queue.rate != scenario.switch.rate or queue.count != 1 or varies:
            accepted = "constant arrivals at one port of rate C"
            raise InputError(f"queues[{index}]", "another rate, several ports, or arrivals that vary", accepted)
        if queue.initial is None:
            steady += 1
        elif queue.initial:
            raise InputError(f"queues[{index}].initial", queue.initial, "0, or steady")
        elif rates and rates[0] > 0:
            if run.first_drop(index) is None:
                raise InputError("run", f"no drop at queue {index}", "a run in which every burst meets the threshold")
            bursts.append((index, rates[0]))
    switch = scenario.switch
    return {"alpha": alpha, "B": switch.buffer, "C": switch.rate, "P": switch.ports, "N": steady}, bursts
