"""Section 3.2: Algorithm 1, line by line; runs and published numbers."""

from fractions import Fraction
from functools import partial
from itertools import product

from dtmodel.ledger import Agrees, Outcome, Proved, check, evidence
from dtmodel.modelcheck import always
from dtmodel.packet.losspass.algorithm import READINGS, PortSettings

from . import explored
from .explored import (
    EVERY_STATE,
    TWO_QUEUES,
    _beyond_the_room,
    _fits,
    _less_than_the_reserve,
    _refused_from_the_reserve,
    holds,
    ports,
    shortest,
    starving,
)
from .histories import (
    DOMAIN,
    History,
    Moment,
    all_histories,
    alphabet,
    find,
    history,
    last_decision,
    proves,
    refutation,
    settings_of,
)
from .reference import naive

BOTH = ("intended", "literal")
EVICTS = ("evict", "evict+drop")


def _evictable(item: History) -> bool:
    """Whether at the last event lines 1 to 3 hold."""
    last = item.moments[-1]
    tail = last.before[1][-1:]
    return last.arrives("small") and item.overflows(last) and bool(tail) and last.size <= tail[0].size


@evidence("losspass.alg1.line1", "losspass.ours.feasible", form="printed", strength="exact")
def overflow_is_what_does_not_fit() -> Outcome:
    """Line 1 is true iff the packet does not fit beside what is buffered; no reading ever holds more than B."""

    def holds(h: History, m: Moment) -> bool:
        fits = m.size + m.small + m.large <= h.buffer
        enqueued_at_once = m.step.decision == "enqueue"
        return (not m.size or fits == enqueued_at_once) and m.small_after + m.large_after <= h.buffer

    return Agrees(sum(proves(all_histories(reading), holds, reading) for reading in BOTH), DOMAIN)


@evidence("losspass.alg1.line1", "losspass.ours.feasible", form="printed", strength="exact")
def no_run_of_any_length_holds_more_than_b() -> Outcome:
    """In every reachable state of every reading with two queues the port holds at most B bytes."""
    states = 0
    for reading in TWO_QUEUES:
        for port in ports(reading):
            result = always(port, partial(_fits, port.buffer), bound=1000)
            check(result.complete, f"{port}: more than B bytes")
            states += result.states
    return Agrees(states, f"{EVERY_STATE}, {len(TWO_QUEUES)} readings")


@evidence("losspass.alg1.line2", "losspass.alg1.line5", "losspass.sec3.2.one-eviction", "losspass.sec3.2.2.single",
          form="printed", strength="exact")  # fmt: skip
def only_small_packets_evict_and_only_the_tail() -> Outcome:
    """An evicting packet is small; the victim is one, the tail of Q_l; nothing else leaves but by departing."""

    def holds(_: History, m: Moment) -> bool:
        gone = {p.number for q in m.before for p in q} - {p.number for q in m.after for p in q}
        if m.step.decision in EVICTS:
            return m.arrives("small") and gone == {m.before[1][-1].number} == {m.step.victim}
        return gone == ({m.step.packet} if m.step.decision == "depart" else set()) and m.step.victim is None

    return Agrees(sum(proves(all_histories(reading), holds, reading) for reading in BOTH), DOMAIN)


@evidence("losspass.alg1.line3@empty", form="printed", strength="exact")
def line_3_is_reached_with_an_empty_large_queue() -> Outcome:
    """Small packets alone fill the port; the next one reaches line 3."""
    found = find(
        lambda h: h.overflows(h.moments[-1]) and h.moments[-1].arrives("small") and not h.moments[-1].before[1]
    )
    check("Q_l is empty" in found.moments[-1].step.reason, "line 3 was reached")
    return refutation(found, {"final": {"large": [[0, "1"]]}}, "line 3 asks for the tail of an empty queue")


@evidence("losspass.alg1.line4", form="printed", strength="exact")
def line_4_forbids_what_the_prose_allows() -> Outcome:
    """With line 10 mended: lines 1 to 3 hold, Q_s would stay within B - B_l, and yet there is no eviction."""
    found = find(
        lambda h: (
            _evictable(h)
            and h.moments[-1].small + h.moments[-1].size <= h.room
            and h.moments[-1].step.decision == "drop"
        ),
        "mend-line10",
    )
    return refutation(found, last_decision(found, "evict"), "the printed line 4 refuses a packet that Q_s has room for")


@evidence("losspass.alg1.line4.forbids", form="printed", strength="exact")
def line_4_forbids_evictions_without_a_reserve() -> Outcome:
    """With B_l = 0, the setting of the paper's evaluation, line 4 as printed never lets a packet in."""
    found = find(lambda h: _evictable(h) and h.moments[-1].step.decision == "drop", "mend-line10", reserves=False)
    return refutation(found, last_decision(found, "evict"), "with B_l = 0 the printed line 4 refuses the packet")


@evidence("losspass.alg1.line6", "losspass.alg1.line10", form="repaired", strength="exact")
def with_line_10_mended_the_packet_stays() -> Outcome:
    """With line 10 mended, alone or not: a packet is left iff it was not dropped; one that evicted is left."""

    def holds(_: History, m: Moment) -> bool:
        dropped = m.step.decision in ("drop", "evict+drop")
        return not m.size or (m.left != dropped and not (dropped and m.step.victim is not None))

    cases = sum(proves(all_histories(reading), holds, reading) for reading in ("mend-line10", "intended"))
    return Agrees(cases, DOMAIN)


@evidence("losspass.alg1.line6", "losspass.alg1.line10", "losspass.alg1.absorbs@literal",
          form="printed", strength="exact")  # fmt: skip
def line_10_drops_what_line_6_enqueued() -> Outcome:
    """One large packet fills the port; a small one evicts it and is dropped: the port is empty."""
    found = find(lambda h: h.moments[-1].step.victim is not None and not h.moments[-1].left, "literal")
    check(found.moments[-1].after == ((), ()), "neither packet is left")
    return refutation(found, last_decision(found, "evict"), "the packet was enqueued and dropped; neither is left")


@evidence("losspass.alg1.line12", form="printed", strength="exact")
def what_fits_is_enqueued() -> Outcome:
    """A packet that fits is enqueued without a victim, whatever its class and the reserve."""

    def holds(h: History, m: Moment) -> bool:
        fits = bool(m.size) and not h.overflows(m)
        return not fits or (m.step.decision == "enqueue" and m.step.victim is None and m.left)

    return Agrees(sum(proves(all_histories(reading), holds, reading) for reading in BOTH), DOMAIN)


@evidence("losspass.alg1.line14", form="printed", strength="exact")
def in_the_print_every_packet_reaches_the_marking_step() -> Outcome:
    """With thresholds of 0, a literal packet is marked iff its queue is not empty when the algorithm ends."""

    def holds(_: History, m: Moment) -> bool:
        own = m.small_after if m.arrives("small") else m.large_after
        return not m.size or (m.step.packet in m.marked) == (own > 0)

    return Agrees(proves(all_histories("literal", (0, 0, None)), holds, "literal, K_s = K_l = 0"), DOMAIN)


@evidence("losspass.alg1.absorbs@intended", form="printed", strength="exact")
def the_intended_reading_saves_a_small_packet() -> Outcome:
    """One large packet fills the port: LossPass buffers the small one that tail drop loses."""
    trace = [("arrive", "large", 1), ("arrive", "small", 1)]
    losspass, taildrop = (history(settings_of(reading, 1), trace) for reading in ("intended", "droptail-2q"))
    check(losspass.lost("small") == frozenset() and taildrop.lost("small") == {1}, "saved")
    return Proved("packet 1 is in the port under LossPass", {"B": "1"})


@evidence("losspass.sec3.2.allowed", form="repaired", strength="exact")
def mended_line_4_keeps_small_packets_within_the_room() -> Outcome:
    """Check every step at which the mended line 4 lets a packet in in the place of another."""
    readings = ("intended", "limited", "head", "mend-line4", "mend-lines-4-10")

    def rule(m: explored.Moment) -> bool:
        return m.decision != "evict" or sum(m.after.small) <= m.room

    return holds(rule, "line 4", *readings)


@evidence("losspass.sec3.2.allowed", form="printed", strength="exact")
def line_4_allows_what_the_prose_forbids() -> Outcome:
    """Read literally: an eviction for a packet with which Q_s exceeds B - B_l."""

    def beyond(h: History) -> bool:
        last = h.moments[-1]
        return last.step.decision in EVICTS and last.small + last.size > h.room

    found = find(beyond, "literal")
    return refutation(found, last_decision(found, "drop"), "the printed line 4 evicts for a Q_s beyond B - B_l")


@evidence("losspass.ours.fewest-events", form="printed", strength="exact")
def no_run_is_shorter_than_the_recorded_ones() -> Outcome:
    """Compare the lengths of the shortest runs and of the shortest lasso with those of the recorded traces."""
    found = [len(shortest(f)[1]) for f in (_beyond_the_room, _refused_from_the_reserve, _less_than_the_reserve)]
    check(found == [1, 2, 2], f"the shortest runs have {found} events")
    lassos = [lasso for port in ports("intended", "strict") if (lasso := starving(port)) is not None]
    check(bool(lassos), "no port starves")
    lengths = min((len(lasso.stem) + len(lasso.cycle), len(lasso.cycle)) for lasso in lassos)
    check(lengths == (3, 2), f"the shortest lasso has {lengths} events in all and in its cycle")
    return Agrees(len(found) + len(lassos), EVERY_STATE)


@evidence("losspass.ours.two-implementations", form="printed", strength="exact")
def engine_and_naive_implementation_agree() -> Outcome:
    """Decision by decision, victim by victim, mark by mark, queue by queue."""
    cases = 0
    mark = (1, 0, 2)
    for B in (1, 2, 3):
        for events in product(alphabet(range(1, B + 1), ("any", "large")), repeat=3):
            for B_l in range(B + 1):
                for reading in ("intended", "literal", "droptail-2q"):
                    other = naive(events, B, B_l, mark=mark, literal=reading == "literal", evict="tail" not in reading)
                    settings = PortSettings(
                        Fraction(B), Fraction(B_l), Fraction(1), Fraction(0), Fraction(2), READINGS[reading]
                    )
                    h = history(settings, events)
                    last = h.moments[-1]
                    check(
                        [(m.step.decision, m.step.packet, m.step.victim) for m in h.moments] == other.steps, f"{events}"
                    )
                    queues = [[p.number for p in queue] for queue in last.after]
                    check([*queues, sorted(last.marked)] == [other.small, other.large, other.marked], f"{events}")
                    cases += 1
    return Agrees(cases, "all traces of up to 3 events, B up to 3, all sizes and reserves, three readings, marks")


@evidence("losspass.ours.balance", form="printed", strength="exact")
def packets_balance() -> Outcome:
    """Arrived = departed + dropped + evicted + buffered, each packet once, in every reading."""
    cases = 0
    for reading in READINGS:
        for h in all_histories(reading):
            departed = [m.step.packet for m in h.moments if m.step.decision == "depart"]
            dropped = [m.step.packet for m in h.moments if m.step.decision in ("drop", "evict+drop")]
            evicted = [m.step.victim for m in h.moments if m.step.victim is not None]
            left = [p.number for queue in h.moments[-1].after for p in queue]
            arrived = sum(letter[0] == "arrive" for letter in h.letters)
            everything = sorted(n for n in (*departed, *dropped, *evicted, *left) if n is not None)
            check(everything == list(range(arrived)), f"{reading}: {h.letters}")
            cases += 1
    return Agrees(cases, DOMAIN + ", all readings")


@evidence("losspass.ours.literal-line10", form="printed", strength="exact")
def the_print_saves_nothing() -> Outcome:
    """Literal: a packet that meets an overflow is never left, so from the same state tail drop loses no other one."""

    def holds(h: History, m: Moment) -> bool:
        return not h.overflows(m) or not m.left

    return Agrees(proves(all_histories("literal"), holds, "literal"), DOMAIN)


@evidence("losspass.ours.literal-line10", form="printed", strength="exact")
def printed_line_10_loses_what_meets_an_overflow() -> Outcome:
    """After an overflow the queues hold no packet that they did not hold before, and Q_s is as it was."""

    def rule(m: explored.Moment) -> bool:
        return not m.overflows or (
            m.after.small == m.before.small and m.after.large in {m.before.large, m.before.large[:-1]}
        )

    return holds(rule, "line 10", "literal")
