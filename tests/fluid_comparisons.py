"""Every fluid policy beside its second implementation, and what every exact run must satisfy."""

from fractions import Fraction
from itertools import pairwise

import reference_edt
import reference_fluid
import reference_pools

from dtmodel.base import units
from dtmodel.fluid import run_scenario
from dtmodel.fluid.scenario import Scenario

ZERO = Fraction(0)


def weights(document):
    """The weight of each queue, for the policies that have one, from their definitions."""
    rules, queues = document["policy"], document["queues"]

    def number(value):
        return units.number(value, "a weight")

    if rules["name"] in {"dt", "edt"}:
        common = rules.get("alpha", 1)
        return [number(queue.get("alpha", common)) for queue in queues]
    if rules["name"] == "weighted":
        return list(map(number, rules["weights"]))
    if rules["name"] == "abm":
        mine = [int(number(p)) for p in rules["priorities"]]
        shares = zip(mine, map(number, rules["drains"]), strict=True)
        return [number(rules["alphas"][p]) / mine.count(p) * drain for p, drain in shares]
    times = [units.seconds(tau, "tau") for tau in rules["sojourns"]]
    constant = {
        "sum": sum(times),
        "mean": sum(times) / len(times),
        "harmonic": 1 / (sum(1 / tau for tau in times) / len(times)),
        "least": min(times),
        "greatest": max(times),
    }[rules.get("normalisation", "sum")]
    return [number(rules["alpha"]) * constant / tau for tau in times]


def steady_free(room, limits):
    """Solve F + sum of min(a F, cap) = room; a or cap may be None."""

    def filled(free):
        return free + sum(
            (cap if a is None else a * free if cap is None else min(a * free, cap) for a, cap in limits), ZERO
        )

    points = sorted({ZERO, *(cap / a for a, cap in limits if a is not None and cap is not None), room})
    for low, high in pairwise(points):
        if filled(low) <= room <= filled(high):
            rise = (filled(high) - filled(low)) / (high - low)
            return low + (room - filled(low)) / rise
    assert filled(points[0]) == room, "the steady queues do not fit"
    return points[0]


class Plain:
    """The numbers of a scenario, without the package's objects."""

    def __init__(self, document):
        scenario = Scenario.read(document)
        self.document, self.name = document, document["policy"]["name"]
        self.buffer, self.until = scenario.switch.buffer, scenario.until
        self.rates = [queue.rate for queue in scenario.queues]
        self.offers = [list(zip(q.arrivals.times, q.arrivals.rates, strict=True)) for q in scenario.queues]
        self.held = [queue.initial for queue in scenario.queues]
        self.sample = list(scenario.sample)

    def start(self, thresholds):
        """Initial lengths under thresholds a F + b."""
        steady = [limit for length, limit in zip(self.held, thresholds, strict=True) if length is None]
        room = self.buffer - sum((q for q in self.held if q is not None), ZERO) - sum((b for _, b in steady), ZERO)
        free = room / (1 + sum((a for a, _ in steady), ZERO))
        return [a * free + b if q is None else q for q, (a, b) in zip(self.held, thresholds, strict=True)]

    def offered(self, queue):
        times = [time for time, _ in self.offers[queue]] + [self.until]
        return sum(
            (
                rate * max(ZERO, min(end, self.until) - begin)
                for (begin, rate), end in zip(self.offers[queue], times[1:], strict=True)
            ),
            ZERO,
        )


def _threshold_run(plain, times):
    if plain.name == "static":
        thresholds = [(ZERO, units.bytes_(size, "size")) for size in plain.document["policy"]["sizes"]]
        thresholds = thresholds[: len(plain.rates)]
    else:
        thresholds = [(w, ZERO) for w in weights(plain.document)]
    initial = plain.start(thresholds)
    done = reference_fluid.run(plain.buffer, plain.rates, thresholds, plain.offers, initial, plain.until, times)
    return initial, done["first"], done["dropped"], dict(zip(times, done["rows"], strict=True))


def _edt_run(plain, times):
    alphas = weights(plain.document)
    initial = plain.start([(a, ZERO) for a in alphas])
    rules = plain.document["policy"]
    timers = [None if (t := rules.get(name)) is None else units.seconds(t, name) for name in ("tm1", "tm2")]
    cn2 = units.bytes_(rules["cn2"], "cn2")
    done = reference_edt.run(
        plain.buffer, alphas, plain.rates, plain.offers, initial, plain.until, cn2, *timers, samples=times
    )
    return initial, done["first"], done["dropped"], dict(zip(times, done["rows"], strict=True))


def _complete_run(plain, times):
    args = (plain.buffer, plain.rates, plain.offers, plain.held, plain.until, times)
    done = reference_fluid.run_complete(*args)
    return plain.held, done["first"], done["dropped"], dict(zip(times, done["rows"], strict=True))


def _pools_run(plain, times):
    limits = [
        (
            None if (a := each.get("alpha")) in (None, "oo") else units.number(a, "alpha"),
            units.bytes_(each.get("reserved", 0), "reserved"),
            None if (c := each.get("cap")) is None else units.bytes_(c, "cap"),
        )
        for each in plain.document["policy"]["limits"]
    ]
    count = len(plain.rates)
    whole = [{"size": plain.buffer - sum((r for _, r, _ in limits), ZERO), "queues": range(count)}]
    initial, first, dropped = [ZERO] * count, [None] * count, [ZERO] * count
    rows = {time: [ZERO] * count for time in times}
    for pool in plain.document["policy"].get("pools") or whole:
        members, size = [int(i) for i in pool["queues"]], units.bytes_(pool["size"], "size")
        mine = [limits[i] for i in members]
        others = sum((max(ZERO, plain.held[i] - limits[i][1]) for i in members if plain.held[i] is not None), ZERO)
        free = steady_free(size - others, [(limits[i][0], limits[i][2]) for i in members if plain.held[i] is None])
        for i in members:
            alpha, reserved, cap = limits[i]
            most = cap if alpha is None else alpha * free if cap is None else min(alpha * free, cap)
            initial[i] = reserved + most if plain.held[i] is None else plain.held[i]
        columns = [list(column) for column in zip(*mine, strict=True)] if mine else [[], [], []]
        result = reference_pools.run(
            size,
            [plain.rates[i] for i in members],
            *columns,
            [plain.offers[i] for i in members],
            [initial[i] for i in members],
            plain.until,
            times,
        )
        for place, i in enumerate(members):
            first[i], dropped[i] = result[0][place], result[1][place]
            for time in times:
                rows[time][i] = result[2][time][0][place]
    return initial, first, dropped, rows


def reference(document, times):
    """Return (initial, first, dropped, rows) from the second implementation; rows at every time of `times`."""
    plain = Plain(document)
    runner = {"edt": _edt_run, "complete": _complete_run, "pools": _pools_run}.get(plain.name, _threshold_run)
    return runner(plain, times)


def compare(document):
    """Return what the package says of a scenario, and what the second implementation says."""
    plain, run = Plain(document), run_scenario(Scenario.read(document), Fraction)
    count = len(plain.rates)
    ours_first = [run.first_drop(i) for i in range(count)]
    times = sorted({*plain.sample, ZERO, plain.until, *(t for t in ours_first if t is not None)})
    initial, first, dropped, rows = reference(document, times)
    ours = {
        "initial": [run.queue(i).at(ZERO) for i in range(count)],
        "first": ours_first,
        "dropped": [run.dropped(i) for i in range(count)],
        "drained": [run.drained(i) for i in range(count)],
        "rows": {time: [run.queue(i).at(time) for i in range(count)] for time in times},
    }
    final = rows[plain.until]
    other = {
        "initial": list(initial),
        "first": list(first),
        "dropped": list(dropped),
        "drained": [initial[i] + plain.offered(i) - dropped[i] - final[i] for i in range(count)],
        "rows": rows,
    }
    if plain.name != "pools":  # the free buffer at a first drop, from the lengths then
        ours["free"] = [run.free_at_first_drop(i) for i in range(count)]
        other["free"] = [None if t is None else plain.buffer - sum(rows[t], ZERO) for t in ours_first]
    check_run(run, plain)
    return ours, other


def check_run(run, plain):
    """Bounds and conservation at every instant at which something changes."""
    times = sorted({t for queue in run.queues for t in queue.breakpoints} | {plain.until})
    for time in times:
        lengths = [queue.at(time) for queue in run.queues]
        assert all(length >= 0 for length in lengths), ("a negative queue", time, lengths)
        assert sum(lengths, ZERO) <= plain.buffer, ("more than the buffer", time, lengths)
    for i, queue in enumerate(run.queues):
        kept = queue.at(ZERO) + plain.offered(i) - queue.dropped() - queue.drained() - queue.at(plain.until)
        assert kept == 0, ("bytes are lost or made", i, kept)
        assert 0 <= queue.drained() <= plain.rates[i] * plain.until, ("more than the link carries", i)
        assert (queue.first_drop is None) == (queue.dropped() == 0), ("a first drop without a drop", i)
        if queue.first_drop is not None:
            assert 0 <= queue.first_drop < plain.until, ("a first drop after the end", i)
            assert queue.dropped(queue.first_drop) == 0, ("a drop before the first drop", i)
