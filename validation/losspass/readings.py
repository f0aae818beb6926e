"""Algorithm 1 as printed: the smallest traces on which its lines do something else than the prose says."""

from __future__ import annotations

from dtmodel.ledger import Outcome, Proved, check, evidence

from .common import History, find, history, last_decision, refutation, settings_of, values


def _evictable(item: History) -> bool:
    """Whether at the last event lines 1 to 3 hold."""
    last = item.moments[-1]
    tail = last.before[1][-1:]
    return last.arrives("small") and item.overflows(last) and bool(tail) and last.size <= tail[0].size


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
    """The same with B_l = 0, the setting of the paper's evaluation."""
    found = find(lambda h: _evictable(h) and h.moments[-1].step.decision == "drop", "mend-line10", reserves=False)
    return refutation(found, last_decision(found, "evict"), "with B_l = 0 the printed line 4 refuses the packet")


@evidence("losspass.sec3.2.allowed", form="printed", strength="exact")
def line_4_allows_what_the_prose_forbids() -> Outcome:
    """With line 10 mended: an eviction carries Q_s beyond B - B_l."""
    found = find(lambda h: h.moments[-1].step.decision == "evict" and h.moments[-1].small_after > h.room, "mend-line10")
    return refutation(found, last_decision(found, "drop"), "the printed line 4 lets Q_s grow beyond B - B_l")


@evidence("losspass.alg1.line6", "losspass.alg1.line10", "losspass.alg1.absorbs@literal",
          form="printed", strength="exact")  # fmt: skip
def line_10_drops_what_line_6_enqueued() -> Outcome:
    """One large packet fills the port; a small one evicts it and is dropped: the port is empty."""
    found = find(lambda h: h.moments[-1].step.victim is not None and not h.moments[-1].left, "literal")
    check(found.moments[-1].after == ((), ()), "neither packet is left")
    return refutation(found, last_decision(found, "evict"), "the packet was enqueued and dropped; neither is left")


@evidence("losspass.alg1.line15", form="printed", strength="exact")
def line_15_marks_a_dropped_packet() -> Outcome:
    """A large packet that does not fit is dropped in line 10 and marked in line 15."""
    mark = (None, 0, None)
    found = find(
        lambda h: h.moments[-1].step.decision == "drop" and h.moments[-1].step.packet in h.moments[-1].marked,
        "literal",
        mark=mark,
    )
    return refutation(found, {"final": {"marked": [0]}}, "packet 1 was dropped and is marked")


@evidence("losspass.alg1.line3.empty", form="printed", strength="exact")
def line_3_is_reached_with_an_empty_large_queue() -> Outcome:
    """Small packets alone fill the port; the next one reaches line 3."""
    found = find(
        lambda h: h.overflows(h.moments[-1]) and h.moments[-1].arrives("small") and not h.moments[-1].before[1]
    )
    check("Q_l is empty" in found.moments[-1].step.reason, "line 3 was reached")
    return refutation(found, {"final": {"large": [[0, "1"]]}}, "line 3 asks for the tail of an empty queue")


@evidence("losspass.alg1.line3.needed", "losspass.intro.multiple", form="printed", strength="kernel")
def free_bytes_and_one_victim_can_be_enough() -> Outcome:
    """One large packet of one byte in a port of two; the arriving one of two is larger, one eviction fits it."""
    found = find(lambda h: h.moments[-1].arrives("small") and h.moments[-1].step.decision == "drop"
                 and bool(h.moments[-1].before[1]) and h.moments[-1].size > h.moments[-1].before[1][-1].size
                 and h.moments[-1].small + h.moments[-1].large - h.moments[-1].before[1][-1].size
                 + h.moments[-1].size <= h.buffer)  # fmt: skip
    last = found.moments[-1]
    return values(
        "s + l - v + P > B",
        ["s >= 0", "0 < v <= l", "s + l <= B", "v < P <= B", "P + s + l > B"],
        "one eviction would be enough, line 3 refuses it",
        B=found.buffer,
        s=last.small,
        l=last.large,
        v=last.before[1][-1].size,
        P=last.size,
    )


@evidence("losspass.alg1.reads.next", form="printed", strength="exact")
def the_next_packet_reads_what_this_one_writes() -> Outcome:
    """Two small packets meet a port with one large one: with the old tail the second would evict it again."""
    letters = [("arrive", "large", 1), ("arrive", "small", 1), ("arrive", "small", 1)]
    item = history(settings_of("intended", 1), letters)
    stale = item.moments[1].before[1]  # what the third packet would read before lines 5 and 6 have written
    check(bool(stale) and not item.moments[2].before[1], "the tail pointer has changed in between")
    decided = [m.step.decision for m in item.moments]
    check(decided == ["enqueue", "evict", "drop"] and stale[-1].number == item.moments[1].step.victim, f"{decided}")
    return Proved("read before the write, the tail pointer names a packet gone", {"B": "1", "packets": "3"})


@evidence("losspass.sec4.1.uncounted", form="printed", strength="exact")
def the_five_cycles_leave_lines_out() -> Outcome:
    """A packet that evicts and is marked passes lines 1 to 6, 14 and 15; cycles are given for 2 to 6 only."""
    passed, counted = {1, 2, 3, 4, 5, 6, 14, 15}, {2, 3, 4, 5, 6}
    return values("passed == counted", ["counted < passed"], "lines 1, 14 and 15 have no cycle",
                  passed=len(passed), counted=len(counted & passed))  # fmt: skip
