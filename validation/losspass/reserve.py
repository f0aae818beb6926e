"""Section 3.2.3: the reserve, starvation and a limit for small flows; runs and published numbers."""

from dtmodel.ledger import Agrees, Counterexample, Outcome, Witness, check, evidence
from dtmodel.packet.losspass.trace import run_trace

from ..support.losspass.states import LossPassPortState, as_events
from . import histories
from .explored import (
    EVERY_STATE,
    TWO_QUEUES,
    Moment,
    _beyond_the_room,
    _evicting,
    _less_than_the_reserve,
    _refused_from_the_reserve,
    graph,
    holds,
    moments,
    ports,
    refutation,
    shortest,
    starving,
)
from .histories import DOMAIN, History, all_histories, find, history, last_decision, proves, settings_of


@evidence("losspass.sec3.2.3.limit", "losspass.sec3.2.3.reserve", form="printed", strength="exact")
def the_shortest_run_beyond_the_room() -> Outcome:
    """Search all runs for the shortest to Q_s > B - B_l: line 12 lets it happen."""
    run = shortest(_beyond_the_room)
    return refutation(run, "drop", "line 12 does not look at the reserve: Q_s > B - B_l")


@evidence("losspass.sec3.2.3.reserve", "losspass.sec3.2.3.limit", form="printed", strength="exact")
def small_packets_fill_the_reserve() -> Outcome:
    """Small packets enter a port of which a part, not all of it, is reserved for large ones."""
    found = find(lambda h: 0 < h.room < h.moments[-1].small_after)
    return histories.refutation(
        found, last_decision(found, "drop"), "line 12 does not look at the reserve: Q_s > B - B_l"
    )


@evidence("losspass.sec3.2.3.any-space", form="printed", strength="exact")
def the_shortest_run_to_a_large_packet_kept_out() -> Outcome:
    """Search all runs for the shortest to a large packet within B_l that is dropped although Q_l is empty."""
    return refutation(shortest(_refused_from_the_reserve), "enqueue", "small packets hold the whole reserve")


@evidence("losspass.sec3.2.3.any-space", form="printed", strength="exact")
def large_packets_can_be_kept_out() -> Outcome:
    """A large packet no longer than B_l < B is dropped although Q_l is empty."""
    found = find(lambda h: h.room > 0 and h.moments[-1].arrives("large") and h.moments[-1].step.decision == "drop"
                 and not h.moments[-1].before[1] and h.moments[-1].size <= h.settings.reserve_large)  # fmt: skip
    return histories.refutation(found, last_decision(found, "enqueue"), "small packets hold the whole reserve")


@evidence("losspass.sec3.2.3.starvation@service", form="printed", strength="exact")
def the_shortest_loop_that_starves_large_packets() -> Outcome:
    """Search all runs of all ports with a positive reserve for the shortest lasso, and write it as a trace."""
    found = [(port, starving(port)) for port in ports(service="strict") if port.reserve]
    loops = [(len(lasso.stem) + len(lasso.cycle), port, lasso) for port, lasso in found if lasso is not None]
    total, port, lasso = min(loops, key=lambda row: row[0])
    check(lasso.cycle.states[0] == lasso.cycle.states[-1] and total == 3, f"{total} events")
    request = {
        "algorithm": "losspass",
        "buffer": port.buffer,
        "reserve_large": port.reserve,
        "events": as_events(lasso.labels(2)),
    }
    final = run_trace(request)["final"]
    says = "two rounds of a loop of 2 events that can go on for ever; the large packet is never served"
    return Counterexample(Witness("trace", request, {"final": final}, {"final": {"large": []}}, says), says)


@evidence("losspass.intro.reserve", form="printed", strength="exact")
def a_packet_longer_than_the_reserve_is_evicted() -> Outcome:
    """B = 2, B_l = 1: a large packet of 2, a small one of 1, a service; each slot evicts the large packet."""
    slot = [("arrive", "large", 2), ("arrive", "small", 1), ("depart", "any")]
    item = history(settings_of("intended", 2, 1), slot * 4)
    check([m.step.decision for m in item.moments] == ["enqueue", "evict", "depart"] * 4, "each slot evicts")
    check(all(not m.after[0] and not m.after[1] for m in item.moments[2::3]), "a slot ends with an empty port")
    shown = history(item.settings, item.letters[:2])
    return histories.refutation(shown, last_decision(shown, "drop"), "the only large packet is longer than B_l = 1")


@evidence("losspass.intro.reserve@drops", form="printed", strength="exact")
def small_packets_replacing_each_other_keep_large_ones_out() -> Outcome:
    """B = 2, B_l = 1, Q_l empty throughout, so that any scheduler serves Q_s: each slot ends as it began."""
    slot = [("arrive", "large", 1), ("depart", "any"), ("arrive", "small", 1)]
    item = history(settings_of("intended", 2, 1), [*[("arrive", "small", 1)] * 2, *slot * 3, slot[0]])
    states = [[p.size for p in moment.after[0]] for moment in item.moments[1::3]]
    check(all(not moment.after[1] for moment in item.moments), "Q_l is not empty")
    check(len(states) == 4 and all(state == [1, 1] for state in states), "a slot ends in another state")
    check({m.step.decision for m in item.moments if m.arrives("large")} == {"drop"}, "a large packet enters")
    shown = history(item.settings, item.letters[: 2 + len(slot) + 1])
    return histories.refutation(shown, last_decision(shown, "enqueue"), "small packets hold the reserve for ever")


@evidence("losspass.sec3.2.3.starvation@service", "losspass.fig8.prevents@strict-priority",
          form="printed", strength="exact")  # fmt: skip
def strict_priority_starves_whatever_the_reserve() -> Outcome:
    """One small packet a slot: after every slot the port is in the same state, and the large packet still waits."""
    slot = [("arrive", "small", 1), ("depart", "any")]
    for B_l in range(3):
        item = history(settings_of("intended", 2, B_l), [("arrive", "large", 1), *slot * 5])
        states = [moment.after for moment in item.moments[::2]]
        check(all(state == states[0] for state in states), "every slot ends in the state in which it began")
        check(all(m.step.packet != 0 for m in item.moments[1:]), "packet 0 is never served")
    shortest = history(settings_of("intended", 2, 1), [("arrive", "large", 1), *slot])
    check(shortest.moments[0].after == shortest.moments[-1].after, "a loop: the slot can be repeated for ever")
    return histories.refutation(
        shortest, {"final": {"large": []}}, "the loop of events 1 and 2 repeats and never serves Q_l"
    )


@evidence("losspass.sec3.2.3.guarantee", form="printed", strength="exact")
def the_shortest_run_to_an_eviction_from_the_reserve() -> Outcome:
    """Search all runs for the shortest to an eviction that leaves Q_l with less than B_l."""
    return refutation(shortest(_less_than_the_reserve), "drop", "the only victim was longer than Q_l - B_l")


@evidence("losspass.sec3.2.3.guarantee", form="printed", strength="exact")
def a_long_victim_leaves_less_than_the_reserve() -> Outcome:
    """An eviction leaves Q_l with less than B_l."""
    found = find(lambda h: h.moments[-1].step.decision == "evict"
                 and h.moments[-1].large_after < h.settings.reserve_large)  # fmt: skip
    return histories.refutation(found, {"final": {"large": [[0, "1"]]}}, "the only victim was longer than Q_l - B_l")


@evidence("losspass.ours.locked-out", form="printed", strength="exact")
def small_packets_lock_large_ones_out_for_ever() -> Outcome:
    """On every port: fill it, then repeat (large packet dropped, service, small packet); the state comes back."""
    loops = 0
    for port in ports(one_size=True, service="strict"):
        full = LossPassPortState((1,) * port.buffer, ())
        check(full in graph(port).steps, "small packets fill the port")
        state = full
        for label, decision in ((("arrive", "large", 1), "drop"), (("depart", "any"), "depart"),
                                (("arrive", "small", 1), "enqueue")):  # fmt: skip
            step, state = port.step(state, label)
            check(step.decision == decision, f"{port}: {label} ends in {step.decision}")
        check(state == full, "the loop closes")
        loops += 1
    for port in ports("limited", "strict", one_size=True):
        state = LossPassPortState((1,) * (port.buffer - port.reserve), ())
        step, _ = port.step(state, ("arrive", "large", 1))
        check((step.decision == "enqueue") == (port.reserve > 0), "the reading 'limited' has room for it")
    return Agrees(loops, "ports of 1 to 3 bytes, packets of one byte, every reserve, in the intended reading")


@evidence("losspass.ours.limited-admits", form="printed", strength="exact")
def a_limited_line_12_admits_large_packets_and_keeps_one() -> Outcome:
    """Check every large packet that meets an empty Q_l, and every small one that meets a Q_l of one packet."""

    def rule(m: Moment) -> bool:
        if m.label[0] == "arrive" and m.label[1] == "large" and not m.before.large and m.label[2] <= m.port.reserve:
            return m.decision == "enqueue"
        alone = len(m.before.large) == 1 and m.before.large[0] <= m.port.reserve
        return not alone or m.decision != "evict"

    return holds(rule, "limited", "limited")


@evidence("losspass.ours.evicted-for-ever", form="printed", strength="exact")
def without_a_reserve_every_large_packet_can_be_evicted() -> Outcome:
    """Find the shortest such loop on every port without a reserve; with one, check that the last packet stays."""
    cases = 0
    for port in ports(service="strict", one_size=True):
        lasso = _evicting(port)
        check((lasso is not None) == (port.reserve == 0), f"{port}: {lasso}")
        check(lasso is None or len(lasso.cycle) == 3, f"{port}: {lasso}")
        cases += 1
    for port in ports(one_size=True):
        for moment in moments(port):
            last_evicted = moment.decision == "evict" and not moment.after.large
            check(not (last_evicted and port.reserve), f"{moment}")
            cases += 1
    return Agrees(cases, EVERY_STATE + ", packets of one byte")


@evidence("losspass.ours.starvation-load", form="printed", strength="exact")
def starvation_needs_as_many_small_packets_as_services() -> Outcome:
    """For every reading and port: the loop exists, and none in which fewer small packets arrive than are served."""
    cases = 0
    for reading in TWO_QUEUES:
        for port in ports(reading, "strict"):
            admits_small = reading != "limited" or port.reserve < port.buffer
            check((starving(port) is not None) == (port.buffer >= 2 and admits_small), f"{port}: a loop")
            check(starving(port, extra=1) is None, f"{port}: a loop with fewer small packets than services")
            cases += 1
    return Agrees(
        cases, "all states and loops of ports with B up to 3, every reading, reserve and size, strict priority"
    )


@evidence("losspass.ours.reserve", form="printed", strength="exact")
def evictions_respect_the_reserve() -> Outcome:
    """Before an eviction Q_l > B_l, after it Q_s <= B - B_l."""

    def holds(h: History, m: histories.Moment) -> bool:
        return m.step.decision != "evict" or (m.large > h.settings.reserve_large and m.small_after <= h.room)

    return Agrees(proves(all_histories("intended"), holds, "reserve"), DOMAIN)


@evidence("losspass.ours.reserve", form="printed", strength="exact")
def evictions_respect_reserve_and_room() -> Outcome:
    """Check every eviction from every reachable state."""

    def rule(m: Moment) -> bool:
        return m.decision != "evict" or (sum(m.before.large) > m.port.reserve and sum(m.after.small) <= m.room)

    return holds(rule, "reserve", "intended", "head")


@evidence("losspass.ours.limited", form="printed", strength="exact")
def the_limited_reading_keeps_the_limit() -> Outcome:
    """The reading 'limited': Q_s <= B - B_l after every event."""
    return Agrees(proves(all_histories("limited"), lambda h, m: m.small_after <= h.room, "limited"), DOMAIN)


@evidence("losspass.ours.limited", form="printed", strength="exact")
def a_limited_line_12_keeps_small_packets_in_their_room() -> Outcome:
    """Q_s <= B - B_l in every state; with packets of one byte large ones are dropped only if Q_l >= B_l."""
    kept = holds(lambda m: not _beyond_the_room(m), "Q_s <= B - B_l", "limited")

    def rule(m: Moment) -> bool:
        dropped = m.decision == "drop" and m.label[1] == "large"
        return not dropped or sum(m.before.large) >= m.port.reserve

    dropped = holds(rule, "drops", "limited", one_size=True)
    return Agrees(kept.cases + dropped.cases, EVERY_STATE)
