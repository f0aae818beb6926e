"""A family at given numbers with its queues one by one, as the second implementation of the fluid model takes them."""

from fractions import Fraction

import fluid_comparisons

from dtmodel.derive.algebra.language import Term

MOST = 6
"""Queues; the second implementation looks at every one at every event."""


def disagreement(family, values, said):
    """Run the second implementation; return what it says where that differs from `said`, False if it cannot be asked.

    It can if counts are whole and few, and the run has an end; it knows first drops, lengths, and bytes lost by then.
    """
    counts = [Fraction(each.count.value(values)) for each in family.queues]
    if any(count.denominator > 1 for count in counts) or not 0 < sum(counts) <= MOST:
        return False
    if any(ask.kind in {"recovered", "threshold"} or not counts[ask.queue] for ask in family.asks):
        return False
    times = {ask.kind: Fraction(ask.time.value(values)) for ask in family.asks if ask.time is not None}
    end = _end(family, values, said, times.values())
    if not end:
        return False
    document = scenario(family, values, [int(count) for count in counts])
    _, other = fluid_comparisons.compare(document | {"until": str(end), "sample": sorted(map(str, times.values()))})
    found = {}
    for ask in family.asks:
        place = int(sum(counts[: ask.queue]))
        if ask.kind == "first_drop":
            found["first_drop"] = other["first"][place]
        elif ask.kind == "length":
            found["length"] = other["rows"][times["length"]][place]
        elif times[ask.kind] == end:
            found["dropped"] = other["dropped"][place]
    return {key: (value, said[key]) for key, value in found.items() if value != said[key]}


def _end(family, values, said, times):
    """Return until when to run; 0 where nothing says so."""
    if len(times) == len(family.asks):
        return max(times)
    if family.until is not None:
        return Fraction(family.until.value(values))
    return 0 if said["first_drop"] is None else max([*times, said["first_drop"] + 1])


def scenario(family, values, counts):
    """Return the family as a scenario in which each class is as many queues as it counts."""

    def text(term):
        return str(Fraction(term.value(values))) if isinstance(term, Term) else term

    policy, own = family.policy, family.policy.values
    whose = [k for k, count in enumerate(counts) for _ in range(count)]
    each = {key: [text(terms[k]) for k in whose] for key, terms in own.items() if isinstance(terms, tuple)
            and key != "alphas"}  # fmt: skip
    common = {key: text(term) for key, term in own.items() if not isinstance(term, tuple) and term is not None}
    rules = {"name": policy.name, **common}
    if policy.name == "pools":
        rules["limits"] = [{key: each[key][i] for key in each if each[key][i] is not None} for i in range(len(whose))]
        rules["limits"] = [{"alpha": "oo"} | limit for limit in rules["limits"]]
    elif policy.name == "abm":  # a priority of its own for each queue, whose alpha is shared before
        mine = each["priorities"]
        shared = [str(Fraction(text(own["alphas"][p])) / mine.count(p)) for p in mine]
        rules |= {"priorities": list(range(len(whose))), "alphas": shared, "drains": each["drains"]}
    elif policy.name in {"l2bm", "static", "weighted"}:
        rules |= each
    queues = [
        {
            "arrivals": [[text(time), text(rate)] for time, rate in one.arrivals],
            "initial": "steady" if one.initial is None else text(one.initial),
            "rate": text(one.rate or family.rate),
            **({"alpha": each["alpha"][i]} if policy.name in {"dt", "edt"} and "alpha" in each else {}),
        }
        for i, one in enumerate(family.queues[k] for k in whose)
    ]
    switch = {"ports": len(queues), "buffer": text(family.buffer), "rate": text(family.rate)}
    return {"switch": switch, "policy": rules, "queues": queues}
