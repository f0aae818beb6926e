"""A family at given numbers as `dtmodel.simulate` runs it: the answers of a theorem from trajectories alone."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dtmodel.derive.family import Ask, Family, PolicyTerms
from dtmodel.derive.language import Term
from dtmodel.fluid.simulation import Run, simulate
from dtmodel.policies.complete import CompleteSharing
from dtmodel.policies.dt import DT
from dtmodel.policies.edt import EDT
from dtmodel.policies.policy import Policy
from dtmodel.policies.pools import SharedPools
from dtmodel.policies.static import StaticPartition
from dtmodel.policies.weighted import Weighted
from dtmodel.switch import Arrivals, Switch
from dtmodel.weights import QueueLimits, abm_weight, l2bm_weight, sojourn_constant

Values = Mapping[str, Fraction]


def simulated(family: Family, values: Values, end: Fraction) -> dict[str, Fraction | None] | None:
    """Return the answers at given values of the symbols; None where a count is not whole, or what is asked about is 0.

    `values`: a number for each symbol. `end`: later than everything, for a family without an end.

    >>> from dtmodel.derive.family import read_family
    >>> family = read_family({"symbols": {"B": "> 0"}, "policy": {"name": "dt", "alpha": 1},
    ...     "switch": {"buffer": "B", "rate": 1}, "queues": [{"arrivals": [[0, 3]]}], "ask": [{"first_drop": 0}]})
    >>> str(simulated(family, {"B": Fraction(8)}, Fraction(99))["first_drop"])
    '2'
    """
    counts = [Fraction(queue.count.value(values)) for queue in family.queues]
    if any(n.denominator > 1 for n in counts) or any(not counts[ask.queue] for ask in family.asks):
        return None
    present = [index for index, n in enumerate(counts) if n]
    ports = {index: port for port, index in enumerate(present)}
    until = end if family.until is None else Fraction(family.until.value(values))
    queues = [family.queues[index] for index in present]
    arrivals = [[(t.value(values), rate.value(values)) for t, rate in queue.arrivals] for queue in queues]
    run = simulate(
        Switch(sum(int(n) for n in counts), _exact(family.buffer, values), _exact(family.rate, values)),
        _policy(family.policy, values, present, [int(counts[index]) for index in present]),
        {port: Arrivals(pieces) for port, pieces in enumerate(arrivals) if pieces},
        until=until,
        initial={p: "steady" if q.initial is None else _exact(q.initial, values) for p, q in enumerate(queues)},
        rates={p: _exact(q.rate, values) for p, q in enumerate(queues) if q.rate is not None},
        counts={port: int(counts[index]) for port, index in enumerate(present)},
    )
    answers: dict[str, Fraction | None] = {}
    for ask in family.asks:
        answers |= _answer(run, ask, ports[ask.queue], values, len(present))
    return answers


def _exact(term: Any, values: Values) -> Fraction:
    return Fraction(term.value(values))


def _policy(policy: PolicyTerms, values: Values, present: list[int], counts: list[int]) -> Policy:
    def exact(term: Term | None) -> Any:
        return None if term is None else _exact(term, values)

    each = {key: [exact(terms[i]) for i in present] for key, terms in policy.each.items()}
    common = {key: exact(term) for key, term in policy.common.items()}
    makers: Mapping[str, Any] = {
        "dt": lambda: DT(each["alpha"]),
        "edt": lambda: EDT(each["alpha"], common["cn2"], common["tm1"], common["tm2"]),
        "weighted": lambda: Weighted(each["weights"]),
        "static": lambda: StaticPartition(each["sizes"]),
        "complete": CompleteSharing,
        "pools": lambda: SharedPools(
            [QueueLimits(a, r or 0, c) for a, r, c in zip(each["alpha"], each["reserved"], each["cap"], strict=True)]
        ),
        "abm": lambda: Weighted(_abm(each, [policy.priorities[i] for i in present], counts)),
        "l2bm": lambda: Weighted(
            [l2bm_weight(common["alpha"], sojourn_constant(each["sojourns"], policy.normalisation, counts), tau)
             for tau in each["sojourns"]]
        ),
    }  # fmt: skip
    made: Policy = makers[policy.name]()
    return made


def _abm(each: Mapping[str, list[Any]], priorities: list[int], counts: list[int]) -> list[Fraction]:
    congested = {p: sum(n for n, own in zip(counts, priorities, strict=True) if own == p) for p in priorities}
    return [
        abm_weight(alpha, share, congested[p])
        for alpha, share, p in zip(each["alphas"], each["drains"], priorities, strict=True)
    ]


def _answer(run: Run[Any], ask: Ask, port: int, values: Values, ports: int) -> dict[str, Fraction | None]:
    if ask.kind == "first_drop":
        return {"first_drop": run.first_drop(port), "free_at_first_drop": run.free_at_first_drop(port)}
    if ask.kind == "recovered":
        return {"recovered": _recovered(run, ports)}
    queue, time = run.queue(port), _exact(ask.time, values)
    asked: dict[str, Any] = {"dropped": queue.dropped, "length": queue.at, "threshold": queue.threshold_at}
    return {ask.kind: asked[ask.kind](time)}


def _recovered(run: Run[Any], ports: int) -> Fraction | None:
    """Return the time from which on all lengths are those of time 0, for good."""
    queues = [run.queue(port) for port in range(ports)]
    times = sorted({time for queue in queues for time in queue.breakpoints} | {Fraction(0)})
    away = [any(queue.at(time) != queue.at(0) for queue in queues) for time in times]
    if away[-1]:
        return None
    return next((times[i + 1] for i in range(len(times) - 2, -1, -1) if away[i]), Fraction(0))
