"""Conversion of witnesses (scenarios, traces, values) into values for the symbols of executable statements."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.base.expressions import Undefined, evaluate, parse
from dtmodel.base.units import bytes_
from dtmodel.companion.words.packets import exact
from dtmodel.fluid.scenario import QueueScenario, Scenario


def witnesses(report: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the id of a claim and a converted witness, for all witnesses in a report of ``dtmodel verify --json``."""
    for claim in report["claims"]:
        for item in claim["evidence"]:
            witness = (item["outcome"] or {}).get("witness")
            for values in instances(witness["kind"], witness["data"]) if witness else ():
                yield claim["id"], values


def instances(kind: str, data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield values for the symbols of executable statements from a witness; nothing if it cannot be converted.

    >>> data = {"switch": {"ports": 2, "buffer": 6, "rate": 1}, "policy": {"name": "dt", "alpha": 1}, "until": 9,
    ...         "queues": [{"arrivals": [[0, 3], [2, 0]]}, {"arrivals": [[0, 2]], "initial": "steady"}]}
    >>> [[str(names[name]) for name in "BMN"] for names in instances("fluid", data)]  # one rate, and a list of rates
    [['6', '1', '1'], ['6', '1', '1']]
    """
    try:
        if kind == "values":
            yield {name: evaluate(parse(str(value)), {}) for name, value in data["values"].items()}
        elif kind == "fluid":
            yield from _bursts(Scenario.read(dict(data)), data["policy"])
        elif kind == "trace":
            yield from _trace(data)
    except (InputError, Undefined):
        return


def _bursts(scenario: Scenario, policy: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Convert a scenario with bursts from time 0 on beside steady queues, under DT or EDT."""
    slopes = {getattr(limit, "slope", None) for limit in scenario.policy.thresholds(len(scenario.queues))}
    steady = [queue for queue in scenario.queues if queue.initial is None]
    bursts = [queue for queue in scenario.queues if queue.initial is not None]
    simple = all(queue.initial == 0 and _single(queue) for queue in bursts) and all(
        len(queue.arrivals.times) == 1 for queue in steady
    )
    if policy["name"] not in ("dt", "edt") or len(slopes) != 1 or None in slopes or not bursts or not simple:
        return
    late = 1000 * scenario.until  # in place of never: long after the end of the run
    rates = sorted(((queue.arrivals.rates[0], [*queue.arrivals.times, late][1]) for queue in bursts), reverse=True)
    offered = {queue.arrivals.rates[0] for queue in steady} or {scenario.switch.rate}
    names: dict[str, Any] = {
        "alpha": slopes.pop(), "B": scenario.switch.buffer, "C": scenario.switch.rate, "M": Fraction(len(bursts)),
        "N": Fraction(len(steady)), "R_b": min(offered), "d": [end for _, end in rates],
    }  # fmt: skip
    if policy["name"] == "edt":
        timers = {key: getattr(scenario.policy, key) for key in ("cn2", "tm1", "tm2")}
        names |= {key: late if value is None else value for key, value in timers.items()}
    if len({rate for rate, _ in rates}) == 1:
        yield names | {"R": rates[0][0]}
    yield names | {"R": [rate for rate, _ in rates]}


def _single(queue: QueueScenario) -> bool:
    """Return True if packets arrive at one rate from time 0 on, with or without an end."""
    times, rates = queue.arrivals.times, queue.arrivals.rates
    return bool(times) and times[0] == 0 < rates[0] and rates[1:] in ((), (0,))


def _trace(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if data["algorithm"] not in ("losspass", "dynaq"):
        return
    events = [[event[0], *exact(list(event[2:]))] for event in data["events"]]
    sizes = [event[2] for event in events if event[0] == "arrive"]
    most = max(sizes, default=Fraction(1))
    names: dict[str, Any] = {"E": events, "s": most, "B": bytes_(data["buffer"], "buffer")}
    if data["algorithm"] == "losspass":
        reserve = bytes_(data.get("reserve_large", 0), "reserve")
        yield names | {"B_l": reserve, "reading": data.get("reading", "intended")}
    else:
        w = [Fraction(weight) for weight in data["weights"]]
        choices = {"admit": data.get("admit", "port"), "tie": data.get("tie_break", "low")}
        yield names | {"w": w, "M": Fraction(len(w)), **choices}
