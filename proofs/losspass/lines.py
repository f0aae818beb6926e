# ruff: noqa: SIM300 - upper-case names are symbols of the paper, not constants
"""The lines of Algorithm 1 at every arrival at any port: all paths of the packet engine, with unknown sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.packet.losspass_arbiter import READINGS, Packet
from dtmodel.provers.every_path import Path, Truth, all_of, any_of, same

from .arrivals import GIVEN, PORT, Arrived, B, P, arrivals, b, holds, k_l, k_p, k_s, l, s, tail

BOTH = ("intended", "literal")


def both(goal: Callable[[Arrived], Truth | bool], detail: str, **options: Any) -> Proved:
    """Prove a statement in the intended reading and in the print."""
    _, literal = (holds(reading, goal, detail, **options) for reading in BOTH)
    return literal


def evicts(arrived: Arrived) -> bool:
    """Whether a packet is evicted."""
    return arrived.evicts


@evidence("losspass.alg1.line1", "losspass.ours.feasible", form="printed", strength="smt")
def no_arrival_carries_a_port_beyond_its_buffer() -> Outcome:
    """From s + l <= B every arrival in every reading ends with at most B bytes; departures only remove some."""
    every = [path for reading in READINGS for path in arrivals(reading)]
    PORT.prove_each([(path.condition, path.result.after.s + path.result.after.l <= B) for path in every], GIVEN)
    fits = {True: P + s + l <= B, False: P + s + l > B}
    return both(lambda a: fits[a.step.decision == "enqueue"], "line 1 is true iff the packet does not fit")


@evidence("losspass.alg1.line2", form="printed", strength="smt")
def whoever_evicts_is_small() -> Outcome:
    """No path of a large packet reaches line 5, in either reading."""
    return both(lambda a: a.kind == "small", "the packet is small", where=evicts)


@evidence("losspass.alg1.line5", "losspass.sec3.2.one-eviction", "losspass.sec3.2.2.single",
          form="printed", strength="smt")  # fmt: skip
def the_one_victim_is_the_tail() -> Outcome:
    """On every path the queues lose nothing but, with an eviction, the tail of Q_l."""

    def loses(a: Arrived) -> bool:
        kept = a.changes(enters=a.left, leaves=-1 if a.evicts else None)
        return kept and (not a.evicts or a.step.victim == a.before.large[-1].number)

    return both(loses, "an eviction removes the tail of Q_l and nothing else, and only an eviction removes anything")


@evidence("losspass.sec4.1.head.line3", form="printed", strength="smt")
def the_one_victim_is_the_head_in_the_reading_head() -> Outcome:
    """The reading "head": one packet leaves, the head, and the arriving one is in the port, which holds at most B."""

    def fine(a: Arrived) -> Truth:
        one = a.changes(enters=True, leaves=0) and a.step.victim == a.before.large[0].number
        return all_of(one, a.after.s + a.after.l <= B, a.after.s <= B - b)

    return holds("head", fine, "the head makes room", where=evicts)


@evidence("losspass.intro.drop-vs-evict", form="printed", strength="smt")
def dropped_packets_were_never_buffered() -> Outcome:
    """Intended: a path ends in a drop with both queues as they were, or the packet is in and a victim was buffered."""

    def packets(a: Arrived) -> list[Packet]:
        return [item for item in a.before.large if isinstance(item, Packet)]

    def fine(a: Arrived) -> bool:
        dropped = a.step.decision == "drop"
        return a.changes() if dropped else a.left and a.step.victim in (None, *(p.number for p in packets(a)))

    return holds("intended", fine, "dropped on arrival or evicted from Q_l")


@evidence("losspass.sec4.1.no-loops", form="printed", strength="smt")
def an_arrival_is_at_most_one_removal_and_one_insertion() -> Outcome:
    """Every path leaves the queues, of whatever length, as they were but for a packet taken out and one put in."""
    return both(
        lambda a: a.changes(enters=a.left, leaves=-1 if a.evicts else None), "one packet out and one in at most"
    )


@evidence("losspass.alg1.line12", form="printed", strength="smt")
def whatever_fits_is_enqueued() -> Outcome:
    """A path that does not enqueue, or that evicts, is one of overflow."""
    return both(
        lambda a: True if a.step.decision == "enqueue" and a.left and not a.evicts else a.overflows,
        "what fits is enqueued without an eviction",
    )


@evidence("losspass.alg1.line6", "losspass.alg1.line10", form="repaired", strength="smt")
def with_line_10_mended_no_packet_is_enqueued_and_dropped() -> Outcome:
    """Intended: on every path the packet is left iff it was not dropped, and one that evicted is left."""
    return holds(
        "intended",
        lambda a: a.left == (a.step.decision in ("enqueue", "evict")) and (a.left or not a.evicts),
        "enqueued and left, or dropped",
    )


@evidence("losspass.alg1.line14", form="printed", strength="smt")
def every_printed_path_ends_in_the_marking_step() -> Outcome:
    """Literal, any K_s and K_l: the packet is marked iff the length of its queue at the end exceeds the threshold."""

    def marked(a: Arrived) -> Truth:
        exceeds: Truth = a.own > (k_s if a.kind == "small" else k_l)
        return exceeds if a.marked else ~exceeds

    return holds("literal", marked, "marked by the length alone, dropped or not", marks=(True, True, False))


@evidence("losspass.alg1.line15", form="repaired", strength="smt")
def with_line_15_mended_every_marked_packet_is_buffered() -> Outcome:
    """Intended, any thresholds of queues and port: no path marks a packet that is not left."""
    return holds("intended", lambda a: a.left or not a.marked, "marked, so buffered", marks=(True, True, True))


@evidence("losspass.sec2.2.marks", form="printed", strength="smt")
def a_mark_tells_that_the_length_exceeds_k() -> Outcome:
    """Any thresholds: a buffered packet is marked iff its queue, or the port, is longer than K with it."""

    def marked(a: Arrived) -> Truth:
        own = a.own > (k_s if a.kind == "small" else k_l)
        exceeds = any_of(own, a.after.s + a.after.l > k_p)
        return exceeds if a.marked else ~exceeds

    return holds("intended", marked, "marked iff longer than K", marks=(True, True, True), where=lambda a: a.left)


@evidence("losspass.sec3.2.4.ks", "losspass.sec3.2.4.only-large", "losspass.slides.ks", form="printed", strength="smt")
def with_k_s_at_b_no_path_marks_a_small_packet() -> Outcome:
    """K_s = B and any K_l: the paths that mark a small packet are impossible."""
    return both(
        lambda a: a.kind == "large" or not a.marked, "no small packet is marked",
        marks=(True, True, False), given=(same(k_s, B),),
    )  # fmt: skip


@evidence("losspass.sec3.2.4.per-port", form="printed", strength="smt")
def a_small_packet_is_marked_for_the_bytes_of_large_ones() -> Outcome:
    """Per-port marking: if the large packets alone exceed K, a small packet that is buffered is marked."""
    return holds(
        "intended", lambda a: True if a.marked else a.after.l <= k_p, "marked whenever Q_l exceeds K",
        marks=(False, False, True), where=lambda a: a.kind == "small" and a.left,
    )  # fmt: skip


@evidence("losspass.sec3.2.4.queueing", form="printed", strength="smt")
def no_path_looks_at_marks_or_thresholds_before_it_has_decided() -> Outcome:
    """With thresholds every path is one of the paths without, continued by comparisons with K after the decision."""
    plain = {(path.result.kind, path.decisions): path.result for path in arrivals("intended")}
    thresholds = {k.text for k in (k_s, k_l, k_p)}
    for path in arrivals("intended", (True, True, True)):
        marking = [i for i, decision in enumerate(path.decisions) if decision.names & thresholds]
        first = marking[0] if marking else len(path.decisions)
        decided = plain.get((path.result.kind, path.decisions[:first]))
        check(marking == list(range(first, len(path.decisions))), f"a comparison after K: {path.decisions}")
        check(decided is not None and decided.step == path.result.step, f"{path.decisions}")
    return holds("intended", lambda a: a.left, "an eviction takes place whatever is marked", where=evicts,
                 marks=(True, True, True))  # fmt: skip


@evidence("losspass.ours.literal-line10", form="printed", strength="smt")
def whoever_meets_an_overflow_in_the_print_is_lost() -> Outcome:
    """Literal: a path that leaves the packet in the port is one without overflow, where tail drop enqueues as well."""
    return holds("literal", lambda a: ~a.overflows if a.left else True, "left, so no overflow")


def as_tail_drop(a: Arrived) -> Truth:
    """Enqueue what fits and drop the rest, nothing else."""
    if a.step.decision == "enqueue":
        return all_of(a.changes(enters=True), ~a.overflows)
    return all_of(a.step.decision == "drop", a.changes(), a.overflows)


@evidence("losspass.sec3.2.existing", form="printed", strength="smt")
def struck_out_lines_leave_tail_drop() -> Outcome:
    """Without lines 2 to 9 every path enqueues what fits and drops the rest."""
    return holds("droptail-2q", as_tail_drop, "tail drop")


@evidence("losspass.sec3.3.only-small", form="printed", strength="smt")
def with_an_empty_large_queue_every_path_is_tail_drops() -> Outcome:
    """Q_l empty: every path of every arrival enqueues what fits and drops the rest."""
    return both(as_tail_drop, "tail drop", where=lambda a: a.shape == "empty")


@evidence("losspass.sec5.2.2.only-difference", form="printed", strength="smt")
def only_small_packets_at_a_full_port_are_treated_differently() -> Outcome:
    """A path that is not tail drop's is that of a small packet that meets an overflow."""

    def fine(a: Arrived) -> Truth:
        return any_of(as_tail_drop(a), all_of(a.kind == "small", a.overflows))

    return holds("intended", fine, "tail drop but for a small packet at a full port")


@evidence("losspass.sec3.2.1.scheduler", form="printed", strength="smt")
def nothing_but_the_queues_decides() -> Outcome:
    """Every run starts from two queues and nothing else: at no point of a history, with marks that may not be read.

    The engine decides on every path, so what it decides is a function of contents and lengths, whatever made them.
    """
    return both(lambda a: a.step.decision in ("enqueue", "evict", "evict+drop", "drop"), "decided from the queues")


@evidence("losspass.sec3.2.1.two-queues", "losspass.sec3.2.1.only-large", "losspass.sec3.2.1.pointer",
          form="printed", strength="smt")  # fmt: skip
def every_packet_enters_the_queue_of_its_class() -> Outcome:
    """Inductive: a path puts the packet into the queue of its class or into none, so Q_l's tail is a large packet."""
    return both(lambda a: a.changes(enters=a.left, leaves=-1 if a.evicts else None), "classes stay apart")


@evidence("losspass.table1.definition", form="printed", strength="smt")
def refused_by_line_3_is_longer_than_the_tail() -> Outcome:
    """A path that line 3 refuses while Q_l holds a packet is that of a small packet with P > v at an overflow."""

    def missed(a: Arrived) -> Truth:
        refused = "line 3:" in a.step.reason and "empty" not in a.step.reason
        defined = all_of(a.kind == "small", a.shape != "empty", a.overflows, P > tail)
        return defined if refused else ~defined

    return holds("intended", missed, "missed iff refused by line 3")


@evidence("losspass.alg1.reads", form="printed", strength="smt")
def lines_2_to_4_write_nothing() -> Outcome:
    """A path that stops in lines 2 to 4 leaves everything as it was; one that passes does what lines 5 and 6 do."""

    def fine(a: Arrived) -> Truth:
        if a.step.decision == "drop":
            return all_of(a.changes(), same(a.after.s, s), same(a.after.l, l))
        return all_of(a.changes(enters=True, leaves=-1), same(a.after.s, s + P), same(a.after.l, l - tail))

    return holds("intended", fine, "lines 2 to 4 only read", where=lambda a: "line 1:" in a.step.reason)


def concerns_the_last_packet(path: Path[Arrived]) -> bool:
    """Whether a path evicts the only packet of Q_l, its head."""
    arrived = path.result
    return arrived.evicts and arrived.shape == "one"


@evidence("losspass.ours.evicted-for-ever", form="printed", strength="smt")
def with_a_reserve_of_a_packet_the_head_stays() -> Outcome:
    """One packet size, B_l at least one packet: evicting the only packet of Q_l is impossible; else the tail goes."""
    check(any(map(concerns_the_last_packet, arrivals("intended"))), "the last packet can be evicted with a small B_l")

    def fine(a: Arrived) -> Truth | bool:
        small_reserve = ~(same(P, tail) & (b >= P))
        return small_reserve if a.shape == "one" else a.changes(enters=True, leaves=-1)

    return holds("intended", fine, "the head is not the victim", where=evicts)


@evidence("losspass.ours.limited-admits", form="printed", strength="smt")
def the_reading_limited_admits_and_keeps_a_packet_within_the_reserve() -> Outcome:
    """From Q_s <= B - B_l: a large packet P <= B_l at an empty Q_l is enqueued; an only one v <= B_l is not evicted."""

    def fine(a: Arrived) -> Truth | bool:
        if a.kind == "large" and a.shape == "empty" and a.step.decision != "enqueue":
            return all_of(P > b)
        return tail > b if a.evicts and a.shape == "one" else True

    kept = holds("limited", lambda a: a.after.s <= B - b, "Q_s stays within B - B_l", given=(s <= B - b,))
    check(bool(kept.example), "the invariant")
    return holds("limited", fine, "admitted and kept", given=(s <= B - b,))
