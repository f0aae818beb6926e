"""Statements about Algorithm 1 checked at every event of every small trace, for both readings."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from dtmodel.ledger import Agrees, Outcome, Proved, check, evidence
from dtmodel.packet.losspass_arbiter import READINGS, Settings

from .common import DOMAIN, History, Moment, all_histories, history, proves, settings_of
from .naive import event_sequences, naive

BOTH = ("intended", "literal")
EVICTS = ("evict", "evict+drop")


@evidence("losspass.alg1.line1", "losspass.ours.feasible", form="printed", strength="exact")
def overflow_is_what_does_not_fit() -> Outcome:
    """Line 1 is true iff the packet does not fit beside what is buffered; no reading ever holds more than B."""

    def holds(h: History, m: Moment) -> bool:
        fits = m.size + m.small + m.large <= h.buffer
        enqueued_at_once = m.step.decision == "enqueue"
        return (not m.size or fits == enqueued_at_once) and m.small_after + m.large_after <= h.buffer

    return Agrees(sum(proves(all_histories(reading), holds, reading) for reading in BOTH), DOMAIN)


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


@evidence("losspass.intro.drop-vs-evict", form="printed", strength="exact")
def drops_are_of_arriving_and_evictions_of_buffered_packets() -> Outcome:
    """A dropped packet is in no queue before the event; a victim is in Q_l before it."""

    def holds(_: History, m: Moment) -> bool:
        before = {p.number for queue in m.before for p in queue}
        dropped = m.step.decision == "drop" and m.step.packet in before
        return not dropped and (m.step.victim is None or m.step.victim in before)

    return Agrees(proves(all_histories("intended"), holds, "dropped or evicted"), DOMAIN)


@evidence("losspass.sec4.1.no-loops", form="printed", strength="exact")
def an_arrival_changes_two_packets_at_most() -> Outcome:
    """Packets removed and inserted by one arrival, both readings."""

    def holds(_: History, m: Moment) -> bool:
        before = {p.number for queue in m.before for p in queue}
        after = {p.number for queue in m.after for p in queue}
        return len(before - after) <= 1 and len(after - before) <= 1

    return Agrees(sum(proves(all_histories(reading), holds, reading) for reading in BOTH), DOMAIN)


@evidence("losspass.alg1.line12", form="printed", strength="exact")
def what_fits_is_enqueued() -> Outcome:
    """A packet that fits is enqueued without a victim, whatever its class and the reserve."""

    def holds(h: History, m: Moment) -> bool:
        fits = bool(m.size) and not h.overflows(m)
        return not fits or (m.step.decision == "enqueue" and m.step.victim is None and m.left)

    return Agrees(sum(proves(all_histories(reading), holds, reading) for reading in BOTH), DOMAIN)


@evidence("losspass.alg1.line6", "losspass.alg1.line10", form="repaired", strength="exact")
def with_line_10_mended_the_packet_stays() -> Outcome:
    """In the intended reading a packet is left iff it was not dropped, and one that evicted is never dropped."""

    def holds(_: History, m: Moment) -> bool:
        dropped = m.step.decision in ("drop", "evict+drop")
        return not m.size or (m.left != dropped and not (dropped and m.step.victim is not None))

    return Agrees(proves(all_histories("intended"), holds, "intended"), DOMAIN)


@evidence("losspass.alg1.line14", form="printed", strength="exact")
def in_the_print_every_packet_reaches_the_marking_step() -> Outcome:
    """With thresholds of 0, a literal packet is marked iff its queue is not empty when the algorithm ends."""

    def holds(_: History, m: Moment) -> bool:
        own = m.small_after if m.arrives("small") else m.large_after
        return not m.size or (m.step.packet in m.marked) == (own > 0)

    return Agrees(proves(all_histories("literal", (0, 0, None)), holds, "literal, K_s = K_l = 0"), DOMAIN)


@evidence("losspass.alg1.line15", form="repaired", strength="exact")
def with_line_15_mended_only_buffered_packets_are_marked() -> Outcome:
    """In the intended reading a packet that becomes marked is in the port."""

    def holds(_: History, m: Moment) -> bool:
        return not m.size or m.step.packet not in m.marked or m.left

    return Agrees(proves(all_histories("intended", (0, 0, None)), holds, "intended, K_s = K_l = 0"), DOMAIN)


@evidence("losspass.sec2.2.marks", form="printed", strength="exact")
def a_mark_compares_the_length_with_the_packet_in_it() -> Outcome:
    """Per queue and per port: marked iff the length after enqueueing exceeds the threshold."""
    cases = 0
    for K in range(2):
        for mark in ((K, None, None), (None, K, None), (None, None, K)):

            def holds(_: History, m: Moment, K: int = K, mark: tuple[int | None, ...] = mark) -> bool:
                if not m.size or not m.left:
                    return True
                small, large = m.small_after, m.large_after
                own = mark[0] is not None and m.arrives("small") and small > K
                own = own or (mark[1] is not None and m.arrives("large") and large > K)
                return (m.step.packet in m.marked) == (own or (mark[2] is not None and small + large > K))

            cases += proves(all_histories("intended", mark), holds, f"marks at {mark}")
    return Agrees(cases, DOMAIN + ", thresholds 0 and 1 of either queue and of the port")


@evidence(
    "losspass.sec3.2.4.ks", "losspass.sec3.2.4.only-large", "losspass.slides.ks", form="printed", strength="exact"
)
def only_large_packets_are_marked() -> Outcome:
    """With K_s = B (3, at least every B) and any K_l, a marked packet is large."""
    cases = 0
    for K_l in range(2):

        def holds(_: History, m: Moment) -> bool:
            return not m.arrives("small") or m.step.packet not in m.marked

        cases += proves(all_histories("intended", (3, K_l, None)), holds, "small packets are unmarked")
    return Agrees(cases, DOMAIN + ", K_l 0 and 1")


@evidence("losspass.sec3.2.4.per-port", form="printed", strength="exact")
def per_port_marks_hit_the_burst() -> Outcome:
    """Two large packets stay unmarked at K = 2; the small one that follows is marked, they are not."""
    item = history(
        settings_of("intended", 3, 0, (None, None, 2)), [("arrive", "large", 1)] * 2 + [("arrive", "small", 1)]
    )
    check(item.moments[-1].marked == {2}, "only the small packet is marked")
    return Proved("packet 2 is small and the only marked one", {"B": "3", "K": "2"})


@evidence("losspass.sec3.2.4.queueing", form="printed", strength="exact")
def marks_change_no_decision() -> Outcome:
    """With and without marks every step is the same."""
    cases = 0
    for plain, marked in zip(all_histories("intended"), all_histories("intended", (0, 0, None)), strict=True):
        check([m.step for m in plain.moments] == [m.step for m in marked.moments], f"{plain.letters}")
        cases += 1
    return Agrees(cases, DOMAIN)


@evidence("losspass.ours.evicts-marks", form="printed", strength="exact")
def marked_packets_are_the_last_of_the_large_queue() -> Outcome:
    """K_s = B, large packets of one size, no departures: along Q_l marks never end, so the tail's go first."""
    cases = 0
    for B, K_l in product(range(1, 5), range(3)):
        letters = [("arrive", "large", 1), ("arrive", "small", 1)]
        for trace in product(letters, repeat=6):
            item = history(settings_of("intended", B, 0, (B, K_l, None)), trace)
            for m in item.moments:
                flags = [p.number in m.marked for p in m.after[1]]
                check(flags == sorted(flags), f"marks are at the end of Q_l: {trace}")
                check(
                    not m.arrives("large") or m.step.packet not in m.marked or m.large_after > K_l, "marked above K_l"
                )
            cases += 1
    return Agrees(cases, "all arrivals of 6 packets of one size, B up to 4, K_l up to 2")


@evidence("losspass.alg1.absorbs@intended", form="printed", strength="exact")
def the_intended_reading_saves_a_small_packet() -> Outcome:
    """One large packet fills the port: LossPass buffers the small one that tail drop loses."""
    trace = [("arrive", "large", 1), ("arrive", "small", 1)]
    losspass, taildrop = (history(settings_of(reading, 1), trace) for reading in ("intended", "droptail-2q"))
    check(losspass.lost("small") == frozenset() and taildrop.lost("small") == {1}, "saved")
    return Proved("packet 1 is in the port under LossPass", {"B": "1"})


@evidence("losspass.ours.literal-line10", form="printed", strength="exact")
def the_print_saves_nothing() -> Outcome:
    """Literal: a packet that meets an overflow is never left, so from the same state tail drop loses no other one."""

    def holds(h: History, m: Moment) -> bool:
        return not h.overflows(m) or not m.left

    return Agrees(proves(all_histories("literal"), holds, "literal"), DOMAIN)


@evidence("losspass.sec3.2.existing", form="printed", strength="exact")
def without_lines_2_to_9_it_is_tail_drop() -> Outcome:
    """The reading without eviction enqueues iff the packet fits, and drops otherwise."""

    def holds(h: History, m: Moment) -> bool:
        return not m.size or m.step.decision == ("drop" if h.overflows(m) else "enqueue")

    return Agrees(proves(all_histories("droptail-2q"), holds, "tail drop"), DOMAIN)


@evidence("losspass.sec3.3.only-small", form="printed", strength="exact")
def with_small_packets_only_it_is_tail_drop() -> Outcome:
    """Every step while Q_l is empty and no large packet arrives is tail drop's."""

    def holds(h: History, m: Moment) -> bool:
        expected = "drop" if h.overflows(m) else "enqueue"
        return not m.arrives("small") or bool(m.before[1]) or m.step.decision == expected

    return Agrees(proves(all_histories("intended"), holds, "only small"), DOMAIN)


@evidence("losspass.sec5.2.2.only-difference", form="printed", strength="exact")
def losspass_and_droptail_2q_differ_at_a_full_port_only() -> Outcome:
    """From the same state, both decide alike unless a small packet overflows; departures are alike."""

    def holds(h: History, m: Moment) -> bool:
        if m.arrives("small") and h.overflows(m):
            return m.step.decision in ("drop", "evict")  # tail drop: always drop
        usual = "drop" if h.overflows(m) else "enqueue"
        return not m.size or m.step.decision == usual

    return Agrees(proves(all_histories("intended"), holds, "only difference"), DOMAIN)


@evidence("losspass.sec3.2.1.scheduler", form="printed", strength="exact")
def the_decision_depends_on_the_queues_only() -> Outcome:
    """Histories that end in equal queue contents (sizes) decide alike about equal arrivals, however they got there."""
    decided: dict[object, object] = {}
    cases = 0
    for h in all_histories("intended"):
        for m in h.moments:
            if m.size:
                contents = tuple(tuple(p.size for p in queue) for queue in m.before)
                key = (h.settings, contents, m.event)
                check(decided.setdefault(key, m.step.decision) == m.step.decision, f"{key}")
                cases += 1
    return Agrees(cases, DOMAIN)


@evidence("losspass.sec3.2.1.two-queues", "losspass.sec3.2.1.only-large", form="printed", strength="exact")
def two_queues_keep_the_classes_apart() -> Outcome:
    """Q_l never holds a small packet nor Q_s a large one; the algorithm names two queues, and 4 to 8 are at least 2."""

    def holds(_: History, m: Moment) -> bool:
        return all(p.kind == kind for kind, queue in zip(("small", "large"), m.after, strict=True) for p in queue)

    check(min(range(4, 9)) >= 2, "4 to 8 queues")
    return Agrees(proves(all_histories("intended"), holds, "classes"), DOMAIN)


@evidence("losspass.sec3.2.2.missed", "losspass.table1.definition", form="printed", strength="exact")
def a_missed_chance_is_a_refusal_of_line_3() -> Outcome:
    """At a full port, small and longer than the tail of Q_l: line 3's refusals; some would fit by two evictions."""
    missed = 0

    def holds(h: History, m: Moment) -> bool:
        defined = m.arrives("small") and h.overflows(m) and bool(m.before[1]) and m.size > m.before[1][-1].size
        return defined == ("line 3:" in m.step.reason and "empty" not in m.step.reason)

    cases = proves(all_histories("intended"), holds, "missed chances")
    for h in all_histories("intended"):
        last = h.moments[-1]
        if "line 3:" in last.step.reason and len(last.before[1]) > 1 and last.size <= h.buffer - last.small:
            missed += 1
    check(missed > 0, "some refused packet would fit after several evictions")
    return Agrees(cases, f"{DOMAIN}; {missed} of the refused packets would fit after several evictions")


@evidence("losspass.sec4.1.head.line3", form="printed", strength="exact")
def evicting_the_head_makes_room_as_well() -> Outcome:
    """The reading 'head': one eviction, of the head, and the port holds the packet."""

    def holds(h: History, m: Moment) -> bool:
        evicted = m.step.decision == "evict"
        return not evicted or (m.left and m.step.victim == m.before[1][0].number and m.small_after <= h.room)

    return Agrees(proves(all_histories("head"), holds, "head"), DOMAIN)


@evidence("losspass.ours.limited", form="printed", strength="exact")
def the_limited_reading_keeps_the_limit() -> Outcome:
    """The reading 'limited': Q_s <= B - B_l after every event."""
    return Agrees(proves(all_histories("limited"), lambda h, m: m.small_after <= h.room, "limited"), DOMAIN)


@evidence("losspass.ours.reserve", form="printed", strength="exact")
def evictions_respect_the_reserve() -> Outcome:
    """Before an eviction Q_l > B_l, after it Q_s <= B - B_l."""

    def holds(h: History, m: Moment) -> bool:
        return m.step.decision != "evict" or (m.large > h.settings.reserve_large and m.small_after <= h.room)

    return Agrees(proves(all_histories("intended"), holds, "reserve"), DOMAIN)


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


@evidence("losspass.ours.two-implementations", form="printed", strength="exact")
def engine_and_naive_implementation_agree() -> Outcome:
    """Decision by decision, victim by victim, mark by mark, queue by queue."""
    cases = 0
    mark = (1, 0, 2)
    for B in (1, 2, 3):
        for events in event_sequences(3, range(1, B + 1), ("any", "large")):
            for B_l in range(B + 1):
                for reading in ("intended", "literal", "droptail-2q"):
                    other = naive(events, B, B_l, mark=mark, literal=reading == "literal", evict="tail" not in reading)
                    settings = Settings(
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


@evidence("losspass.sec3.2.1.search", "losspass.slides.victim", form="printed", strength="exact")
def a_mixed_queue_is_searched_from_end_to_end() -> Outcome:
    """Over all arrangements of up to 8 packets the worst search from the tail takes n look-ups."""
    cases = 0
    for n in range(1, 9):
        worst = 0
        for queue in product(("small", "large"), repeat=n):
            found = next((k for k, kind in enumerate(reversed(queue), 1) if kind == "large"), n)
            worst = max(worst, found)
            cases += 1
        check(worst == n, f"{n} packets")
    return Agrees(cases, "all queues of up to 8 packets")


@evidence("losspass.sec3.2.1.pointer", form="printed", strength="exact")
def the_tail_pointer_takes_one_look_up() -> Outcome:
    """In every reachable state the last packet of Q_l, if there is one, is a large one."""

    def holds(_: History, m: Moment) -> bool:
        return not m.after[1] or m.after[1][-1].kind == "large"

    return Agrees(proves(all_histories("intended"), holds, "tail pointer"), DOMAIN)


@evidence("losspass.sec3.2.1.tagging", form="printed", strength="exact")
def a_tag_is_a_function_of_the_offset() -> Outcome:
    """The tag of byte k is small iff k < T: along a flow it changes once at most, from small to large."""
    cases = 0
    for T, size in product(range(8), range(1, 12)):
        tags = ["small" if k < T else "large" for k in range(size)]
        check(sum(a != b for a, b in pairwise(tags)) <= 1 and tags.count("small") == min(T, size), f"{T} {size}")
        cases += 1
    return Agrees(cases, "T up to 7 and flows of up to 11 bytes")
