"""Sections 3.1 to 3.2.2: evicting large packets for small ones; proofs."""

from fractions import Fraction
from itertools import product

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import slack, smt
from dtmodel.ledger.provers.symbolic_execution import PathCondition, every_path
from dtmodel.packet.losspass.algorithm import Arrival, Class
from dtmodel.theory.losspass.formulas import room_at

from . import arrivals, coupling, step
from .arrivals import Arrived, both, floors, holds, ruled, small, tail
from .coupling import BEFORE, EVICTS, FREE, FULL, LOST, PORTS, L, M, S, isolation_is_least, keeps, m, t
from .step import LINE_3, LINE_4, OVERFLOW, STATE, P, b, l, s, v
from .systems import coupled_ports, isolated_small_flows, least_loss

C, T, B = sp.symbols("C T B", positive=True)
tau = sp.Symbol("tau", nonnegative=True)
n, k = sp.symbols("n k", integer=True)
KINDS: tuple[Class, Class] = ("small", "large")


def look_ups(queue: tuple[str, ...]) -> int:
    """Search one queue from the tail for a large packet, one packet a look-up."""
    count = 0
    for kind in reversed(queue):
        count += 1
        if kind == "large":
            break
    return count


@evidence("losspass.sec3.2.1.scheduler", form="printed", strength="symbolic")
def decisions_look_at_lengths_head_and_tail_only() -> Outcome:
    """Every path at every port, whichever class came before the other: the same questions, the same decisions.

    Nothing between head and tail can be looked at, nor which packets are marked.
    """
    asked: set[str] = set()
    for reading, kind, *shapes in product(arrivals.BOTH, KINDS, arrivals.SHAPES, arrivals.SHAPES):
        first, second = (_decided(reading, kind, (shapes[0], shapes[1]), older) for older in KINDS)
        check(first == second, f"{reading}: a {kind} packet at {shapes}")
        asked |= {name for questions in first for question in questions for name in question.names}
    asked = {name for name in asked if name.isidentifier() and name != "not"}
    check(asked == {"B", "P", "b", "s", "l", "v"}, f"{asked}")
    return Proved("P, B, B_l, both lengths and the tail of Q_l decide", {"P": "1", "B": "2"})


def _decided(
    reading: str, kind: Class, shapes: tuple[arrivals.Shape, arrivals.Shape], older: Class
) -> dict[tuple[PathCondition, ...], str]:
    """What each path decides about a packet, by what it asks."""

    def run() -> str:
        return arrivals.port_at(reading, shapes, older=older).arrive(Arrival(kind, arrivals.P)).decision

    return {path.decisions: path.result for path in every_path(run)}


@evidence("losspass.sec3.1.evict", "losspass.slides.evict", form="assumed", strength="smt")
def packets_of_one_size_are_always_exchanged() -> Outcome:
    """With P = v, Q_l not empty and room in B - B_l, lines 3 and 4 hold and the port holds the packet afterwards."""
    return smt.prove(
        [*STATE, sp.Eq(P, v), P + s <= step.B - b, OVERFLOW], [LINE_3, LINE_4, s + l - v + P <= step.B]
    ).proved()


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


@evidence("losspass.sec3.1.limit", form="assumed", strength="smt")
def a_packet_that_the_tail_can_make_room_for_is_taken() -> Outcome:
    """With P <= v and Q_s + P <= B - B_l every path leaves the small packet in the port, which stays within B.

    In the fluid limit a full port absorbs B - (1 - tau) q, which is positive for tau > 0.
    """
    share = sp.Symbol("share", positive=True)  # tau = share/(1 + share)
    rest, queue = sp.Symbol("rest", nonnegative=True), sp.Symbol("queue", positive=True)
    slack.certificate(B - (1 - tau) * queue, {B: queue + rest, tau: share / (1 + share)}, strict=True)
    check(room_at(Fraction(8), Fraction(8), Fraction(1, 4)) == 2, "the numeric form at a full port")
    given = (tail >= arrivals.P, arrivals.s + arrivals.P <= arrivals.B - arrivals.b)
    return holds("intended", lambda a: a.left and a.step.decision in ("enqueue", "evict"), "taken", given=given,
                 where=lambda a: small(a) and a.shape != "empty")  # fmt: skip


@evidence("losspass.sec3.1.impact", "losspass.slides.impact", form="printed", strength="symbolic")
def the_impact_of_a_timeout_falls_with_the_size() -> Outcome:
    """T/(RTT + S/C) for sizes S and S + h differ by a positive amount."""
    R, S, h = sp.symbols("R S h", positive=True)
    return slack.certificate(T / (R + S / C) - T / (R + (S + h) / C), {}, strict=True).proved()


@evidence("losspass.ours.same-size", form="printed", strength="smt")
@evidence("losspass.sec3.3.lp-line-rate", "losspass.sec3.1.passes", "losspass.slides.passes",
          form="assumed", strength="smt")  # fmt: skip
def one_size_couples_losspass_with_tail_drop() -> Outcome:
    """Every event keeps the invariant, whichever class each scheduler serves; the ports are full together."""
    smt.prove(BEFORE, [sp.Eq(coupling.s + coupling.l, t + m)])  # so "full" and "not empty" mean the same for both
    keeps([FREE], (coupling.s + 1, coupling.l, t + 1, m, *LOST))  # a small packet fits in both
    keeps([FREE], (coupling.s, coupling.l + 1, t, m + 1, *LOST))  # a large packet fits in both
    keeps([FULL], (coupling.s, coupling.l, t, m, S, L + 1, coupling.T, M + 1))  # a large packet is dropped by both
    keeps(
        [FULL], (coupling.s, coupling.l, t, m, S + 1, L, coupling.T + 1, M)
    )  # a small packet without an eviction is dropped by both
    proof = keeps(
        EVICTS, (coupling.s + 1, coupling.l - 1, t, m, S, L + 1, coupling.T + 1, M)
    )  # tail drop loses it, LossPass a large one
    for one in ((coupling.s - 1, coupling.l), (coupling.s, coupling.l - 1)):
        for two in ((t - 1, m), (t, m - 1)):
            served = [x >= 0 for x in (*one, *two)]
            keeps(served, (*one, *two, *LOST))
    return Proved("all events keep s + l = t + m, S <= T, L >= M, S + L = T + M", proof.example)


@evidence("losspass.ours.same-size", form="printed", strength="symbolic")
@evidence("losspass.sec3.3.lp-line-rate", "losspass.sec3.1.passes", "losspass.slides.passes",
          form="assumed", strength="symbolic")  # fmt: skip
def the_coupling_by_identities() -> Outcome:
    """Certify that every event keeps s + l = t + m, S <= T, L >= M, S + L = T + M."""
    return coupled_ports().certificate().proved()


@evidence("losspass.ours.isolation", "losspass.sec3.2.1.priority", form="printed", strength="symbolic")
@evidence("losspass.sec3.3.as-many", "losspass.sec3.1.minimised", form="assumed", strength="symbolic")
def the_isolation_by_identities() -> Outcome:
    """Certify that LossPass with strict priority is the port of its own for small flows, and that this loses least."""
    isolated = isolated_small_flows().certificate()
    least_loss().certificate()
    return Proved("Q_s = i, and any policy keeps T + x >= J + i and T >= J", isolated.example)


@evidence("losspass.sec3.1.gain", "losspass.slides.good-deal", form="printed", strength="symbolic")
def as_a_slowdown_the_small_flow_gains_more() -> Outcome:
    """T/(RTT + S/C) for S less the same for a longer flow S + h is positive."""
    T, R, C, S, h = sp.symbols("T R C S h", positive=True)
    return slack.certificate(T / (R + S / C) - T / (R + (S + h) / C), {}, strict=True).proved()


@evidence("losspass.alg1.line5", "losspass.sec3.2.one-eviction", "losspass.sec3.2.2.single",
          form="printed", strength="smt")  # fmt: skip
def the_one_victim_is_the_tail() -> Outcome:
    """On every path the queues lose nothing but, with an eviction, the tail of Q_l."""

    def loses(a: Arrived) -> bool:
        kept = a.changes(enters=a.left, leaves=-1 if a.evicts else None)
        return kept and (not a.evicts or a.step.victim == a.before.large[-1].number)

    return both(loses, "an eviction removes the tail of Q_l and nothing else, and only an eviction removes anything")


@evidence("losspass.sec3.2.1.search", "losspass.slides.victim", form="printed", strength="smt")
def the_worst_search_looks_at_every_packet() -> Outcome:
    """Induction over n: 1 if the tail is large, else 1 more than the worst of n - 1; max(1, 1 + (n - 1)) = n."""
    for size in range(1, 7):
        rest = ("large", *("small",) * (size - 1))
        check(look_ups(rest) == size and look_ups((*rest, "small")) == 1 + look_ups(rest), f"{size} packets")
        check(look_ups((*rest, "large")) == 1, "a large tail")
    worst = sp.Symbol("worst", integer=True)
    smt.prove([n >= 2, sp.Eq(worst, n - 1)], sp.Eq(sp.Max(1, 1 + worst), n))
    return smt.prove([sp.Eq(n, 1)], sp.Eq(sp.Max(1, 0), n)).proved(
        "max(1, 1 + (n - 1)) = n for n >= 2, and 1 for n = 1"
    )


@evidence("losspass.sec3.2.1.only-small", form="printed", strength="smt")
def a_flow_of_at_most_t_bytes_has_no_place_beyond_them() -> Outcome:
    """Bytes before a packet, its own > 0 and those behind it are at most T: it is small, and enters Q_s or none."""
    before, own, behind, T = sp.symbols("before own behind T", integer=True)
    smt.prove([before >= 0, own >= 1, behind >= 0, before + own + behind <= T], before < T)
    return every_packet_enters_the_queue_of_its_class()


@evidence("losspass.sec3.2.1.two-queues", "losspass.sec3.2.1.only-large", "losspass.sec3.2.1.pointer",
          "losspass.sec3.2.1.tagging", form="printed", strength="smt")  # fmt: skip
def every_packet_enters_the_queue_of_its_class() -> Outcome:
    """Inductive: a path puts the packet into the queue of its class or into none, so Q_l's tail is a large packet."""
    return both(lambda a: a.changes(enters=a.left, leaves=-1 if a.evicts else None), "classes stay apart")


@evidence("losspass.sec3.2.1.tagging", form="printed", strength="smt")
def a_byte_once_large_stays_large() -> Outcome:
    """Byte k is small iff k < T: of two bytes the later one is large if the earlier is, and min(T, S) are small."""
    T, S, later = sp.symbols("T S later", integer=True)
    small = sp.Symbol("small", integer=True)  # the number of k from 0 to S - 1 with k < T
    given = [T >= 0, S >= 0]
    smt.prove([*given, k >= 0, k >= T, later > k], later >= T)
    counted = sp.Eq(small, sp.Min(T, k))  # of the first k bytes
    smt.prove([*given, k >= 0, counted, k < T], sp.Eq(small + 1, sp.Min(T, k + 1)))
    return smt.prove([*given, k >= 0, counted, k >= T], sp.Eq(small, sp.Min(T, k + 1))).proved(
        "the tag of byte k is a function of k and T alone, and min(T, S) bytes are small"
    )


@evidence("losspass.ours.isolation", "losspass.sec3.2.1.priority", form="printed", strength="smt")
def strict_priority_isolates_small_flows() -> Outcome:
    """Under strict priority, without reserve, Q_s is the queue i of a port of its own; and i loses least."""
    i = sp.Symbol("i", integer=True)
    same = [*PORTS, sp.Eq(coupling.b, 0), sp.Eq(coupling.s, i)]
    enqueues = sp.Or(FREE, sp.And(coupling.l >= 1, 1 + coupling.s <= coupling.B))
    smt.prove([*same, enqueues], i < coupling.B)
    smt.prove([*same, i < coupling.B], enqueues)
    smt.prove([*same, coupling.s >= 1], i >= 1)  # served by both, or (s = i = 0) by neither
    return isolation_is_least()


@evidence("losspass.sec3.2.2.cells", form="printed", strength="smt")
def a_longer_victim_frees_at_least_as_many_cells() -> Outcome:
    """If p is the least and w any number of cells with P <= p c and v <= w c, then P <= v implies p <= w."""
    p, w = sp.symbols("p w", integer=True)
    c = sp.Symbol("c", positive=True)
    least = (p - 1) * c < P
    proof = smt.prove([P > 0, least, p * c >= P, v <= w * c, v >= P, p >= 1, w >= 1], p <= w)
    return Proved("the least p with P <= p c is at most every w with v <= w c", proof.example)


@evidence("losspass.sec3.2.no-vacancy", form="assumed", strength="smt")
def one_size_overflows_a_full_port_only() -> Outcome:
    """In packets: 1 + s + l > B and s + l <= B leave s + l = B, in whole numbers."""
    b, s, l = sp.symbols("b s l", integer=True)
    return smt.prove([b >= 1, s >= 0, l >= 0, s + l <= b, 1 + s + l > b], sp.Eq(s + l, b)).proved()


@evidence("losspass.ours.one-eviction", form="printed", strength="smt")
def one_eviction_is_enough_iff_it_makes_the_room() -> Outcome:
    """Both directions: room after one eviction iff P <= v + F; line 3 is the case F = 0."""
    room, condition = s + l - v + P <= step.B, v + (step.B - s - l) >= P
    smt.prove([*STATE, OVERFLOW, room], condition)
    smt.refute([*STATE, OVERFLOW, room], LINE_3)  # line 3 is not necessary
    return smt.prove([*STATE, OVERFLOW, condition], room).proved("room after one eviction iff P <= v + F")


@evidence("losspass.ours.eviction-cost", "losspass.sec3.4.same-port", form="printed", strength="smt")
def an_eviction_never_lengthens_the_port() -> Outcome:
    """Tail drop leaves s + l bytes, an eviction s + l - v + P: v - P >= 0 less, and 0 for one size."""
    smt.prove([*STATE, OVERFLOW, LINE_3, sp.Eq(P, v)], sp.Eq(s + l - v + P, s + l))
    return smt.prove([*STATE, OVERFLOW, LINE_3], s + l - v + P <= s + l).proved()
