"""Laws of the fluid model: what must stay equal, or ordered, when a scenario is changed.

A law takes a scenario document with plain numbers, a source of choices and a number type. It returns False where it
does not apply and otherwise asserts; with floats equality is up to `TOLERANCE` of the buffer, of the bytes lost or sent
by a queue if they are more, or of the duration.
"""

import copy
from fractions import Fraction

from dtmodel.fluid import run_scenario
from dtmodel.fluid.scenario import Scenario
from dtmodel.strategies.scenario_generator import rescaled

TOLERANCE = 1e-9
ZERO = Fraction(0)
EACH = {"weighted": ("weights",), "abm": ("priorities", "drains"), "l2bm": ("sojourns",), "static": ("sizes",)}


class Outcome:
    """What a run did, by queue."""

    def __init__(self, document, number):
        scenario = Scenario.read(document)
        run = run_scenario(scenario, number)
        self.count, self.until, self.buffer = len(run.queues), number(scenario.until), number(scenario.switch.buffer)
        self.first = [run.first_drop(i) for i in range(self.count)]
        self.free = [run.free_at_first_drop(i) for i in range(self.count)]
        self.dropped = [run.dropped(i) for i in range(self.count)]
        self.drained = [run.drained(i) for i in range(self.count)]
        self.rows = [[queue.at(number(time)) for queue in run.queues] for time in scenario.sample]

    def totals(self):
        return [*self.dropped, *self.drained, *(length for row in self.rows for length in row)]


def near(ours, other, scale):
    """Exact numbers are equal, floats close beside `scale`."""
    if isinstance(ours, Fraction) and isinstance(other, Fraction):
        return ours == other
    return abs(ours - other) <= TOLERANCE * float(scale)


def same(ours, other, number, times=True):
    """Two outcomes are one."""
    offered = [max(ours.buffer, *both) for both in zip(ours.dropped, ours.drained, strict=True)]
    scales = [*offered, *offered, *(ours.buffer for row in ours.rows for _ in row)]
    triples = zip(ours.totals(), other.totals(), scales, strict=True)
    assert all(near(a, b, scale) for a, b, scale in triples), (ours.totals(), other.totals())
    if times and number is Fraction:
        assert (ours.first, ours.free) == (other.first, other.free)


def scaling(document, random, number):
    """Other units of bytes and of time scale the answer."""
    size, time = random.choice((Fraction(3), Fraction(1, 7))), random.choice((Fraction(2), Fraction(1, 3)))
    ours, other = Outcome(document, number), Outcome(rescaled(document, size, time), number)
    other.first = [None if t is None else t / number(time) for t in other.first]
    other.free = [None if f is None else f / number(size) for f in other.free]
    other.dropped, other.drained = ([x / number(size) for x in xs] for xs in (other.dropped, other.drained))
    other.rows = [[x / number(size) for x in row] for row in other.rows]
    same(ours, other, number)
    return True


def permutation(document, random, number):
    """Renumbering the queues renumbers the answer."""
    count = len(document["queues"])
    order = list(range(count))
    random.shuffle(order)
    if order == sorted(order):
        return False
    changed = copy.deepcopy(document)
    changed["queues"] = [document["queues"][i] for i in order]
    rules = changed["policy"]
    for key in EACH.get(rules["name"], ()):
        rules[key] = [rules[key][i] for i in order] + rules[key][count:]
    if rules["name"] == "pools":
        rules["limits"] = [rules["limits"][i] for i in order]
        for pool in rules.get("pools", []):
            pool["queues"] = [order.index(i) for i in pool["queues"]]
    ours, other = Outcome(document, number), Outcome(changed, number)
    for name in ("first", "free", "dropped", "drained"):
        setattr(ours, name, [getattr(ours, name)[i] for i in order])
    ours.rows = [[row[i] for i in order] for row in ours.rows]
    same(ours, other, number)
    return True


def coarse(document):
    """True if a rate would fill the buffer more than 2^18 times until the end: floats promise nothing of such a run."""
    rates = [Fraction(rate) for queue in document["queues"] for _, rate in queue["arrivals"]]
    fastest = max([Fraction(document["switch"]["rate"]), *rates])
    return fastest * Fraction(document["until"]) > Fraction(document["switch"]["buffer"]) * 2**18


def time_shift(document, random, number):
    """Beginning later changes nothing but the times."""
    start = random.choice((Fraction(1), Fraction(5, 3)))
    changed = copy.deepcopy(document)
    for queue in changed["queues"]:
        if queue.get("initial", "0") != "0":
            return False
        queue["arrivals"] = [[str(Fraction(t) + start), r] for t, r in queue["arrivals"]]
    changed["until"] = str(Fraction(document["until"]) + start)
    changed["sample"] = [str(Fraction(t) + start) for t in document["sample"]]
    if number is float and coarse(changed):
        return False
    ours, other = Outcome(document, number), Outcome(changed, number)
    other.first = [None if t is None else t - number(start) for t in other.first]
    same(ours, other, number)
    return True


def prefix(document, random, number):
    """Running longer does not change the beginning."""
    changed = document | {"until": str(Fraction(document["until"]) * random.choice((2, Fraction(4, 3))))}
    ours, other = Outcome(document, number), Outcome(changed, number)
    other.free = [f if t is not None and t < ours.until else None for t, f in zip(other.first, other.free, strict=True)]
    other.first = [t if t is not None and t < ours.until else None for t in other.first]
    run = run_scenario(Scenario.read(changed), number)
    other.dropped = [run.queue(i).dropped(ours.until) for i in range(ours.count)]
    other.drained = [run.queue(i).drained(ours.until) for i in range(ours.count)]
    same(ours, other, number)
    return True


def doubled(document, place):
    """Two copies of a queue, and one queue that is twice as large: the documents of both."""
    two, one = copy.deepcopy(document), copy.deepcopy(document)
    two["queues"].append(copy.deepcopy(two["queues"][place]))
    two["switch"]["ports"] = one["switch"]["ports"] = max(document["switch"]["ports"], len(two["queues"]))
    queue = one["queues"][place]
    queue["rate"] = str(2 * Fraction(queue.get("rate", one["switch"]["rate"])))
    queue["arrivals"] = [[t, str(2 * Fraction(r))] for t, r in queue["arrivals"]]
    if queue.get("initial", "0") != "steady":
        queue["initial"] = str(2 * Fraction(queue.get("initial", "0")))
    rules = one["policy"]
    if rules["name"] == "dt":
        queue["alpha"] = str(2 * Fraction(queue.get("alpha", rules["alpha"])))
    elif rules["name"] == "weighted":
        rules["weights"][place] = str(2 * Fraction(rules["weights"][place]))
        two["policy"]["weights"].append(two["policy"]["weights"][place])
    elif rules["name"] == "static":
        count = len(document["queues"])
        half = str(Fraction(rules["sizes"][place]) / 2)
        two["policy"]["sizes"] = [*rules["sizes"][:count], half]
        two["policy"]["sizes"][place] = half
        one["queues"][place]["initial"] = document["queues"][place].get("initial", "0")
        if queue["initial"] != "steady":
            for twin in (two["queues"][place], two["queues"][-1]):
                twin["initial"] = str(Fraction(queue["initial"]) / 2)
    return two, one


def restarting(document, random, number):
    """Beginning again with the lengths of any instant continues the run, for a policy that remembers nothing."""
    if document["policy"]["name"] == "edt":
        return False
    until = Fraction(document["until"])
    cut = until * random.randint(1, 6) / 7
    exact = run_scenario(Scenario.read(document), Fraction)
    changed = copy.deepcopy(document) | {"until": str(until - cut), "sample": []}
    for place, queue in enumerate(changed["queues"]):
        now = [piece for piece in queue["arrivals"] if Fraction(piece[0]) <= cut][-1:]
        later = [[str(Fraction(t) - cut), r] for t, r in queue["arrivals"] if Fraction(t) > cut]
        queue["arrivals"] = [["0", rate] for _, rate in now] + later
        queue["initial"] = str(exact.queue(place).at(cut))
    rest = run_scenario(Scenario.read(changed), number)
    for place, queue in enumerate(exact.queues):
        scale = queue.at(until) + queue.dropped() + queue.drained() + Fraction(document["switch"]["buffer"])
        end = rest.queue(place).at(number(until - cut))
        assert near(end, queue.at(until), scale)
        assert near(rest.dropped(place), queue.dropped() - queue.dropped(cut), scale)
        assert near(rest.drained(place), queue.drained() - queue.drained(cut), scale)
    return True


def an_idle_queue_changes_nothing(document, random, number):
    """One more queue that is offered nothing changes nothing for the others."""
    del random
    rules, changed = document["policy"], copy.deepcopy(document)
    if rules["name"] not in {"dt", "edt", "complete", "weighted"}:
        return False
    changed["queues"].append({"arrivals": []})
    changed["switch"]["ports"] = max(document["switch"]["ports"], len(changed["queues"]))
    if rules["name"] == "weighted":
        changed["policy"]["weights"].append("1")
    ours, other = Outcome(document, number), Outcome(changed, number)
    assert other.first.pop() is None
    for values in (other.free, other.dropped, other.drained, *other.rows):
        values.pop()
    same(ours, other, number)
    return True


def merging(document, random, number):
    """Two equal queues are one queue of twice the rate, traffic, weight and length."""
    if document["policy"]["name"] not in {"dt", "weighted", "static", "complete"} or not document["queues"]:
        return False
    place = random.randrange(len(document["queues"]))
    two, one = doubled(document, place)
    held = sum(Fraction(q.get("initial", "0")) for q in two["queues"] if q.get("initial") != "steady")
    if held > Fraction(document["switch"]["buffer"]):
        return False
    ours, other = Outcome(two, number), Outcome(one, number)
    for name in ("dropped", "drained"):
        values = getattr(ours, name)
        setattr(ours, name, [*values[:place], values[place] + values[-1], *values[place + 1 : -1]])
    ours.rows = [[*row[:place], row[place] + row[-1], *row[place + 1 : -1]] for row in ours.rows]
    assert ours.first[place] == ours.first[-1]
    ours.first, ours.free = ours.first[:-1], ours.free[:-1]
    same(ours, other, number)
    return True


def conservation(document, random, number):
    """Bytes are neither made nor lost, no queue is negative, and the buffer holds what there is."""
    del random
    scenario = Scenario.read(document)
    run = run_scenario(scenario, number)
    buffer, until = number(scenario.switch.buffer), number(scenario.until)
    for queue, given in zip(run.queues, scenario.queues, strict=True):
        offered = number(given.arrivals.offered(scenario.until))
        kept = queue.at(number(0)) + offered - queue.dropped() - queue.drained()
        assert near(kept, queue.at(until), offered + buffer)
    for time in {time for queue in run.queues for time in queue.breakpoints}:
        lengths = [queue.at(time) for queue in run.queues]
        slack = number(0) if number is Fraction else TOLERANCE * buffer
        assert min(lengths) >= -slack
        assert sum(lengths, number(0)) <= buffer + slack
    return True


def first_drop_within_thresholds(document, random, number):
    """At a first drop a queue is at its threshold or above it, so that F is at most B / (1 + alpha)."""
    del random
    if document["policy"]["name"] not in {"dt", "weighted", "abm", "l2bm"}:
        return False
    scenario = Scenario.read(document)
    run = run_scenario(scenario, number)
    drops = [(i, t) for i in range(len(run.queues)) if (t := run.first_drop(i)) is not None]
    for i, time in drops:
        queue = run.queue(i)
        slack = number(0) if number is Fraction else TOLERANCE * number(scenario.switch.buffer)
        assert queue.at(time) >= queue.threshold_at(time) - slack
    return bool(drops)


def complete_drops_last(document, random, number):
    """No policy's first drop is later than that of complete sharing, which drops only when the buffer is full."""
    del random
    if any(queue.get("initial") == "steady" for queue in document["queues"]):
        return False
    plain = _plain_queues(document)
    theirs, ours = (
        [t for t in Outcome(document | changed, number).first if t is not None]
        for changed in ({}, {"policy": {"name": "complete"}, "queues": plain})
    )
    if not ours:
        return False
    assert theirs
    slack = 0 if number is Fraction else TOLERANCE * float(Fraction(document["until"]))
    assert min(theirs) <= min(ours) + slack
    return True


def without_drops_all_are_complete(document, random, number):
    """A policy that drops nothing is complete sharing."""
    del random
    if any(queue.get("initial") == "steady" for queue in document["queues"]):
        return False
    ours = Outcome(document, number)
    if any(t is not None for t in ours.first):
        return False
    same(ours, Outcome(document | {"policy": {"name": "complete"}, "queues": _plain_queues(document)}, number), number)
    return True


def _plain_queues(document):
    return [{key: value for key, value in queue.items() if key != "alpha"} for queue in document["queues"]]


def _equal(document, changed, number):
    same(Outcome(document, number), Outcome(document | changed, number), number)
    return True


def _alphas(document):
    return [queue.get("alpha", document["policy"]["alpha"]) for queue in document["queues"]]


def edt_that_never_counts_is_dt(document, random, number):
    """EDT with a cn2 beyond the buffer is DT."""
    if document["policy"]["name"] != "dt":
        return False
    cn2 = str(Fraction(document["switch"]["buffer"]) + 1)
    timers = {"tm1": random.choice((None, "2")), "tm2": random.choice((None, "1"))}
    rules = {"name": "edt", "alpha": document["policy"]["alpha"], "cn2": cn2, **timers}
    return _equal(document, {"policy": rules}, number)


def weighted_is_dt(document, random, number):
    """DT with an alpha for each queue is the weighted policy with these weights."""
    del random
    if document["policy"]["name"] != "dt" or not document["queues"]:
        return False
    rules = {"name": "weighted", "weights": _alphas(document)}
    return _equal(document, {"policy": rules, "queues": _plain_queues(document)}, number)


def one_pool_is_dt(document, random, number):
    """One pool of the whole buffer without reserves or caps is DT."""
    del random
    if document["policy"]["name"] != "dt" or not document["queues"]:
        return False
    rules = {"name": "pools", "limits": [{"alpha": alpha} for alpha in _alphas(document)]}
    return _equal(document, {"policy": rules, "queues": _plain_queues(document)}, number)


def one_dt_queue_is_static(document, random, number):
    """A single queue under DT has the constant threshold alpha B / (1 + alpha)."""
    del random
    if document["policy"]["name"] != "dt" or len(document["queues"]) != 1:
        return False
    alpha = Fraction(_alphas(document)[0])
    size = alpha * Fraction(document["switch"]["buffer"]) / (1 + alpha)
    if (
        document["queues"][0].get("initial") not in {None, "steady"}
        and Fraction(document["queues"][0]["initial"]) > size
    ):
        return False
    rules = {"name": "static", "sizes": [str(size)]}
    return _equal(document, {"policy": rules, "queues": _plain_queues(document)}, number)


def static_of_everything_is_complete(document, random, number):
    """A single queue that owns the whole buffer is completely shared."""
    del random
    if document["policy"]["name"] != "complete" or len(document["queues"]) != 1:
        return False
    return _equal(document, {"policy": {"name": "static", "sizes": [document["switch"]["buffer"]]}}, number)


def caps_are_static(document, random, number):
    """A pool whose queues have caps alone is a static partition."""
    del random
    rules = document["policy"]
    count = len(document["queues"])
    if rules["name"] != "static" or not count or any(Fraction(size) == 0 for size in rules["sizes"][:count]):
        return False
    limits = [{"alpha": None, "cap": size} for size in rules["sizes"][:count]]
    return _equal(document, {"policy": {"name": "pools", "limits": limits}}, number)


def a_larger_alpha_drops_less_alone(document, random, number):
    """Of a single queue, a larger alpha drops no more and no earlier."""
    rules = document["policy"]
    if rules["name"] != "dt" or len(document["queues"]) != 1 or document["queues"][0].get("initial") == "steady":
        return False
    larger = str(Fraction(_alphas(document)[0]) * random.choice((2, Fraction(10, 9), 100)))
    changed = document | {"policy": rules | {"alpha": larger}, "queues": _plain_queues(document)}
    ours, other = Outcome(document, number), Outcome(changed, number)
    assert other.dropped[0] <= ours.dropped[0] or near(other.dropped[0], ours.dropped[0], ours.dropped[0])
    if number is Fraction and other.first[0] is not None:
        assert ours.first[0] is not None
        assert ours.first[0] <= other.first[0]
    return True


def a_vanishing_alpha_holds_nothing(document, random, number):
    """As alpha goes to 0, no queue that begins empty holds more than alpha B."""
    del random
    if document["policy"]["name"] != "dt" or any(q.get("initial", "0") != "0" for q in document["queues"]):
        return False
    alpha = Fraction(1, 10**6)
    changed = document | {"policy": {"name": "dt", "alpha": str(alpha)}, "queues": _plain_queues(document)}
    ours = Outcome(changed, number)
    slack = number(0) if number is Fraction else TOLERANCE * ours.buffer
    assert all(length <= number(alpha) * ours.buffer + slack for row in ours.rows for length in row)
    return True


def a_growing_alpha_fills_the_buffer(document, random, number):
    """As alpha goes to infinity, the first drop finds at most B / (1 + alpha) of the buffer free."""
    del random
    if document["policy"]["name"] != "dt":
        return False
    alpha = Fraction(10**6)
    queues = _plain_queues(document)
    ours = Outcome(document | {"policy": {"name": "dt", "alpha": str(alpha)}, "queues": queues}, number)
    found = [free for free in ours.free if free is not None]
    slack = number(0) if number is Fraction else TOLERANCE * ours.buffer
    assert all(free <= ours.buffer / number(1 + alpha) + slack for free in found)
    return bool(found)


def floats_are_near_exact_numbers(document, random, number):
    """A run in floats is near the exact run, first drops included."""
    del random
    if number is Fraction:
        return False
    ours, other = Outcome(document, float), Outcome(document, Fraction)
    same(ours, other, float)
    for mine, true in zip([*ours.first, *ours.free], [*other.first, *other.free], strict=True):
        assert (mine is None) == (true is None), (ours.first, other.first)
    scales = [ours.until] * ours.count + [ours.buffer] * ours.count
    pairs = zip([*ours.first, *ours.free], [*other.first, *other.free], scales, strict=True)
    assert all(mine is None or near(mine, true, scale) for mine, true, scale in pairs)
    return True


LAWS = (
    scaling,
    permutation,
    time_shift,
    prefix,
    restarting,
    an_idle_queue_changes_nothing,
    merging,
    conservation,
    first_drop_within_thresholds,
    complete_drops_last,
    without_drops_all_are_complete,
    edt_that_never_counts_is_dt,
    weighted_is_dt,
    one_pool_is_dt,
    one_dt_queue_is_static,
    static_of_everything_is_complete,
    caps_are_static,
    a_larger_alpha_drops_less_alone,
    a_vanishing_alpha_holds_nothing,
    a_growing_alpha_fills_the_buffer,
    floats_are_near_exact_numbers,
)
UNDER = {
    law: name
    for name, laws in {
        "dt": (
            edt_that_never_counts_is_dt,
            weighted_is_dt,
            one_pool_is_dt,
            one_dt_queue_is_static,
            a_larger_alpha_drops_less_alone,
            a_vanishing_alpha_holds_nothing,
            a_growing_alpha_fills_the_buffer,
        ),
        "complete": (static_of_everything_is_complete,),
        "static": (caps_are_static,),
    }.items()
    for law in laws
}
"""The only policy that a law speaks of, for the laws that speak of one."""
