"""Section 3.2: Algorithm 1, line by line; proofs."""

from itertools import product
from typing import Any

import sympy as sp

from dtmodel.ledger import Outcome, check, evidence, refuted_by_values
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import PathCondition, all_of, same
from dtmodel.packet.losspass.algorithm import READINGS, Class, Packet
from dtmodel.packet.losspass.trace import run_trace

from . import step
from .arrivals import (
    GIVEN,
    PORT,
    SHAPES,
    Arrived,
    B,
    Held,
    P,
    arrivals,
    both,
    evicts,
    holds,
    k_l,
    k_s,
    l,
    names,
    runs,
    s,
)
from .step import LINE_3, LINE_4, LINE_4_PRINTED, OVERFLOW, STATE, b, v
from .systems import port_of_any_reading


def accounted(a: Arrived) -> PathCondition:
    """Say that a packet is buffered, dropped, or in the place of its victim, and that the lengths are the bytes."""
    place = None if a.step.victim is None else -1 if a.before.large[-1].number == a.step.victim else 0
    victim = next((p for p in a.before.large if isinstance(p, Packet) and p.number == a.step.victim), None)
    dropped = a.step.decision in ("drop", "evict+drop")
    small, large = (P if a.left and a.kind == kind else 0 for kind in ("small", "large"))
    lost: Any = victim.size if victim is not None else 0
    lengths_fit = all_of(same(a.after.s, s + small), same(a.after.l, l + large - lost))
    return all_of(a.changes(enters=a.left, leaves=place), dropped != a.left, lengths_fit)


def _names(port: Held) -> list[list[int]]:
    return [names(port.small), names(port.large)]


@evidence("losspass.ours.feasible", "losspass.alg1.line1", form="printed", strength="symbolic")
def the_buffer_bounds_the_port_by_identities() -> Outcome:
    """Certify s + l <= B for every reading: each way to change the lengths keeps it."""
    return port_of_any_reading().certificate().proved()


@evidence("losspass.alg1.line1", "losspass.ours.feasible", form="printed", strength="smt")
def no_arrival_carries_a_port_beyond_its_buffer() -> Outcome:
    """From s + l <= B every arrival in every reading ends with at most B bytes; departures only remove some."""
    every = [path for reading in READINGS for path in arrivals(reading)]
    PORT.prove_each([(path.condition, path.result.after.s + path.result.after.l <= B) for path in every], GIVEN)
    fits = {True: P + s + l <= B, False: P + s + l > B}
    return both(lambda a: fits[a.step.decision == "enqueue"], "line 1 is true iff the packet does not fit")


@evidence("losspass.ours.feasible", "losspass.alg1.line1", form="printed", strength="smt")
def the_port_never_holds_more_than_its_buffer() -> Outcome:
    """Inductive over all ways to change the lengths: line 12, lines 5 and 6, line 10 after them, and a departure."""
    smt.prove([*STATE, step.P + step.s + step.l <= step.B], [step.s + step.P + step.l <= step.B])
    smt.prove([*STATE, OVERFLOW, LINE_3], step.s + step.P + step.l - v <= step.B)
    smt.prove([*STATE, OVERFLOW, LINE_3], step.s + step.l - v <= step.B)
    return smt.prove(STATE, step.s + step.l - v <= step.B).proved(
        "the empty port holds 0 <= B, and every step keeps s + l <= B"
    )


@evidence("losspass.alg1.line2", form="printed", strength="smt")
def whoever_evicts_is_small() -> Outcome:
    """No path of a large packet reaches line 5, in either reading."""
    return both(lambda a: a.kind == "small", "the packet is small", where=evicts)


@evidence(
    "losspass.alg1.line3", "losspass.sec3.2.2.single", "losspass.sec4.1.head.line3", form="printed", strength="smt"
)
def one_victim_that_is_large_enough_makes_room() -> Outcome:
    """From any state, line 3 implies that the port holds the packet after one eviction (tail or head alike)."""
    return smt.prove([*STATE, OVERFLOW, LINE_3], step.s + step.l - v + step.P <= step.B).proved()


@evidence("losspass.alg1.line3.needed", "losspass.intro.multiple", form="printed", strength="kernel")
def free_bytes_and_one_victim_can_be_enough() -> Outcome:
    """One large packet of one byte in a port of two; the arriving one of two is larger, one eviction fits it."""
    events = [["arrive", None, "large", 1], ["arrive", None, "small", 2]]
    steps = run_trace({"algorithm": "losspass", "buffer": 2, "events": events})["steps"]
    check([step["decision"] for step in steps] == ["enqueue", "drop"], f"{steps}")
    values = {"B": "2", "s": "0", "l": "1", "v": "1", "P": "2"}
    given = ["s >= 0", "0 < v <= l", "s + l <= B", "v < P <= B", "P + s + l > B"]
    return refuted_by_values(values, "s + l - v + P > B", "one eviction would be enough, line 3 refuses it", given)


@evidence("losspass.alg1.line3.needed", "losspass.intro.multiple", form="assumed", strength="smt")
def without_free_bytes_one_smaller_victim_is_not_enough() -> Outcome:
    """With s + l = B a victim shorter than the packet frees less than the packet needs."""
    none_free = sp.Eq(step.s + step.l, step.B)
    return smt.prove([*STATE, OVERFLOW, none_free, v < step.P], step.s + step.l - v + step.P > step.B).proved()


@evidence("losspass.alg1.line4", "losspass.sec3.2.allowed", form="repaired", strength="smt")
def line_4_mended_is_exactly_the_allowed_length() -> Outcome:
    """With "at most", an eviction happens iff Q_s stays within B - B_l after line 6, given lines 1 and 3."""
    after = step.s + step.P
    smt.prove([*STATE, OVERFLOW, LINE_3, after <= step.B - b], LINE_4)
    return smt.prove([*STATE, OVERFLOW, LINE_3, LINE_4], after <= step.B - b).proved()


@evidence("losspass.alg1.line6", "losspass.alg1.line10", form="repaired", strength="smt")
def with_line_10_mended_no_packet_is_enqueued_and_dropped() -> Outcome:
    """Line 10 mended alone, and intended: a packet is left iff it was not dropped, and one that evicted is left."""
    alone, _ = (
        holds(
            reading,
            lambda a: a.left == (a.step.decision in ("enqueue", "evict")) and (a.left or not a.evicts),
            "enqueued and left, or dropped",
        )
        for reading in ("mend-line10", "intended")
    )
    return alone


@evidence("losspass.alg1.line12", form="printed", strength="smt")
def whatever_fits_is_enqueued() -> Outcome:
    """A path that does not enqueue, or that evicts, is one of overflow."""
    return both(
        lambda a: True if a.step.decision == "enqueue" and a.left and not a.evicts else a.overflows,
        "what fits is enqueued without an eviction",
    )


@evidence("losspass.alg1.line14", form="printed", strength="smt")
def every_printed_path_ends_in_the_marking_step() -> Outcome:
    """Literal, any K_s and K_l: the packet is marked iff the length of its queue at the end exceeds the threshold."""

    def marked(a: Arrived) -> PathCondition:
        exceeds: PathCondition = a.own > (k_s if a.kind == "small" else k_l)
        return exceeds if a.marked else ~exceeds

    return holds("literal", marked, "marked by the length alone, dropped or not", marks=(True, True, False))


@evidence("losspass.ours.balance", form="printed", strength="smt")
def no_packet_is_lost_from_the_books() -> Outcome:
    """Inductive, every reading: an arrival adds its packet or drops it, a victim leaves; a service takes one head."""
    orders: tuple[Class, Class] = ("small", "large")
    for reading in READINGS:
        outcome = holds(reading, accounted, "each packet is in one place, and the lengths are the sums of the sizes")
        for letter, older in product((("depart", q) for q in ("any", "small", "large")), orders):
            for path in runs(reading, [letter], SHAPES, SHAPES, older):
                before, after, (step,) = path.result
                kept = [[n for n in names(queue) if n != step.packet] for queue in (before.small, before.large)]
                check([names(after.small), names(after.large)] == kept, f"{reading}: {step}")
                heads = [names(queue)[0] for queue in (before.small, before.large) if queue]
                check(step.packet in heads if step.decision == "depart" else kept == _names(before), f"{step}")
    return outcome


@evidence("losspass.ours.literal-line4", form="printed", strength="smt")
def printed_line_4_asks_for_a_victim_of_the_same_size() -> Outcome:
    """With B_l = 0, lines 1, 3 and 4 as printed imply s + l = B and l = v = P."""
    conditions = [*STATE, sp.Eq(b, 0), OVERFLOW, LINE_3, LINE_4_PRINTED]
    for goal in (
        step.s + step.l >= step.B,
        step.l <= step.P,
        v <= step.P,
    ):  # the converses stand in the state and in line 3
        proof = smt.prove(conditions, goal)
    return proof.proved("s + l = B and l = v = P")


@evidence("losspass.ours.literal-line10", form="printed", strength="smt")
def whoever_meets_an_overflow_in_the_print_is_lost() -> Outcome:
    """Literal: a path that leaves the packet in the port is one without overflow, where tail drop enqueues as well."""
    return holds("literal", lambda a: ~a.overflows if a.left else True, "left, so no overflow")
