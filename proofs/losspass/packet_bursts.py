# ruff: noqa: SIM300 - upper-case names are symbols of the paper, not constants
"""Instant bursts packet by packet at any port: an induction over the packets of the burst and over the victims."""

from __future__ import annotations

import sympy as sp

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.provers import smt
from dtmodel.provers.every_path import Truth, all_of, same, truth

from .arrivals import Arrived, B, P, b, holds, l, s, tail

FREE = B - s - l


def small(a: Arrived) -> bool:
    """Whether a small packet arrives."""
    return a.kind == "small"


def ruled(a: Arrived) -> Truth:
    """Say what becomes of a small packet: enqueued iff F holds it, else in a victim's place, or nothing changes."""
    may = (P <= tail) & (s + P <= B - b) if a.shape != "empty" else truth(False)
    if a.step.decision == "enqueue":
        return all_of(FREE >= P, a.changes(enters=True))
    if a.step.decision == "evict":
        return all_of(FREE < P, may, a.changes(enters=True, leaves=-1))
    return all_of(FREE < P, ~may, a.changes())


@evidence("losspass.ours.burst-in-packets", form="printed", strength="smt")
def the_burst_is_the_floor_at_the_first_victim_that_stays() -> Outcome:
    """Induction with f = F + V - n s free bytes after n packets and victims of V bytes: f >= 0 at all times.

    The engine enqueues while f >= s, so until n is the floor of (F + V)/s; there it evicts the next victim iff it is at
    least s long and Q_s + (n + 1) s <= B - B_l, and else refuses this packet and, nothing having changed, all others.
    """
    outcome = holds("intended", ruled, "enqueue, evict or refuse", where=small)
    return floors() and outcome


def floors() -> Proved:
    """Prove the arithmetic of the induction: the free bytes, and that they are below s exactly at the floor."""
    n = sp.Symbol("n", integer=True)
    F, V, v, size = sp.symbols("F V v s", positive=True)
    free = F + V - n * size
    state = [n >= 0, free >= 0]
    smt.prove([*state, free >= size], free - size >= 0)  # line 12: n + 1
    smt.prove([*state, free < size, v >= size], [F + (V + v) - (n + 1) * size >= 0])  # lines 5 and 6
    smt.prove([*state, free < size], [n * size <= F + V, F + V < (n + 1) * size])  # n is the floor
    return smt.prove([*state, n * size <= F + V, F + V < (n + 1) * size], free < size).proved(
        "f < s iff n is the floor"
    )


@evidence("losspass.ours.small-tail", form="printed", strength="smt")
def a_full_port_with_a_short_tail_refuses_every_packet() -> Outcome:
    """At s + l = B with v < P no path takes the packet, and the port is as it was for the next one."""

    def refused(a: Arrived) -> bool:
        return a.step.decision == "drop" and a.changes()

    given = (same(s + l, B), tail < P)
    return holds("intended", refused, "dropped, and nothing changes", given=given,
                 where=lambda a: small(a) and a.shape != "empty")  # fmt: skip


@evidence("losspass.sec3.1.irrelevant", form="assumed", strength="smt")
def with_dividing_sizes_the_burst_is_b_minus_q_s() -> Outcome:
    """B_l = 0, v >= s, F and every victim whole numbers of packets: the burst ends at n s = B - Q_s.

    It ends where no victim is left (V = Q_l), or where Q_s + (n + 1) s > B; n s = F + V at the floor, in whole packets.
    """
    holds("intended", ruled, "enqueue, evict or refuse", where=small)
    floors()
    n, F, V, L, room = sp.symbols("n F V L room", integer=True)  # in packets; room = B - Q_s = F + L
    port = [n >= 0, F >= 0, V >= 0, V <= L, sp.Eq(room, F + L), sp.Eq(n, F + V)]
    smt.prove([*port, sp.Eq(V, L)], sp.Eq(n, room))
    return smt.prove([*port, n + 1 > room], sp.Eq(n, room)).proved("n s = B - Q_s packets, whatever Q_l is")
