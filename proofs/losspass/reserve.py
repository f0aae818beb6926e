"""Section 3.2.3: the reserve, starvation and a limit for small flows; proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import CodePath, PathCondition, all_of, same
from dtmodel.packet.losspass.algorithm import READINGS

from . import step
from .arrivals import (
    ARRIVING,
    GIVEN,
    PORT,
    SHAPES,
    TWO_QUEUES,
    Arrived,
    B,
    P,
    Ran,
    arrivals,
    b,
    back,
    evicts,
    front,
    holds,
    l,
    names,
    runs,
    s,
    tail,
)
from .step import LINE_3, LINE_4, OVERFLOW, STATE
from .systems import port_of_one_size, port_with_reserve


def concerns_the_last_packet(path: CodePath[Arrived]) -> bool:
    """Whether a path evicts the only packet of Q_l, its head."""
    arrived = path.result
    return arrived.evicts and arrived.shape == "one"


def decisions(ran: Ran) -> list[str]:
    """Return what each event ended in."""
    return [step.decision for step in ran.steps]


def starves(reading: str) -> Proved:
    """Prove the loop of a small packet and a service beside a large packet that waits."""

    def waits(ran: Ran) -> PathCondition:
        served = decisions(ran) == ["enqueue", "depart"] and ran.steps[1].packet == ARRIVING and not ran.after.small
        return all_of(served and names(ran.after.large) == names(ran.before.large), same(ran.after.l, l))

    paths = runs(reading, [("arrive", "small"), ("depart", "any")], ("empty",), ("one", "two", "many"))
    room = [l + P <= B, *([B - b >= P] if READINGS[reading].line12_limited else [])]
    return PORT.prove_paths(paths, waits, "one small packet a service, and Q_l waits as it was", given=[*GIVEN, *room])


@evidence("losspass.sec3.2.3.guarantee", form="assumed", strength="symbolic")
def the_guaranteed_length_by_identities() -> Outcome:
    """Certify that with packets of one size an eviction leaves at least B_l in Q_l, in every reachable state."""
    return port_of_one_size(False).certificate().proved()


@evidence("losspass.sec3.2.3.guarantee", form="assumed", strength="smt")
def whole_packets_keep_the_reserve() -> Outcome:
    """In units of the one packet size: an eviction leaves at least B_l in Q_l."""
    r, S, L = sp.symbols("r S L", integer=True)
    n = sp.Symbol("n", real=True)  # the buffer need not be a whole number of packets
    state = [S >= 0, r >= 0, r <= n, L >= 1, n >= S + L, n < 1 + S + L, n - r >= 1 + S]
    return smt.prove(state, r <= L - 1).proved()


@evidence("losspass.ours.locked-out", form="printed", strength="smt")
def a_port_full_of_small_packets_never_buffers_a_large_one() -> Outcome:
    """Any B, B_l and number of packets of one size: large packet dropped, service, small packet; as it was before."""
    loop = [("arrive", "large"), ("depart", "any"), ("arrive", "small")]

    def returns(ran: Ran) -> PathCondition:
        turned = decisions(ran) == ["drop", "depart", "enqueue"] and not ran.after.large
        turned = turned and names(ran.after.small) == [*names(ran.before.small)[1:], ARRIVING + 1]
        return all_of(turned, same(ran.after.s, B), same(ran.after.l, 0))

    one_size = [same(front, P), same(back, P), same(s, B)]
    holds("intended", lambda a: True if a.step.decision == "enqueue" else a.overflows, "small packets fill the port")
    paths = runs("intended", loop, ("one", "two", "many"), ("empty",))
    return PORT.prove_paths(
        paths, returns, "a full Q_s is full again and no large packet is in", given=[*GIVEN, *one_size]
    )


@evidence("losspass.ours.limited-admits", form="printed", strength="smt")
def the_limited_reading_keeps_what_the_reserve_holds() -> Outcome:
    """From Q_s <= B - B_l: a large packet P <= B_l at an empty Q_l is enqueued; an only one v <= B_l is not evicted."""

    def fine(a: Arrived) -> PathCondition | bool:
        if a.kind == "large" and a.shape == "empty" and a.step.decision != "enqueue":
            return all_of(b < P)
        return tail > b if a.evicts and a.shape == "one" else True

    kept = holds("limited", lambda a: a.after.s <= B - b, "Q_s stays within B - B_l", given=(s <= B - b,))
    check(bool(kept.example), "the invariant")
    return holds("limited", fine, "admitted and kept", given=(s <= B - b,))


@evidence("losspass.intro.reserve", form="assumed", strength="smt")
@evidence("losspass.ours.evicted-for-ever", form="printed", strength="smt")
def with_a_reserve_of_a_packet_the_head_stays() -> Outcome:
    """One packet size, B_l at least one packet: evicting the only packet of Q_l is impossible; else the tail goes."""
    check(any(map(concerns_the_last_packet, arrivals("intended"))), "the last packet can be evicted with a small B_l")

    def fine(a: Arrived) -> PathCondition | bool:
        small_reserve = ~(same(P, tail) & (b >= P))
        return small_reserve if a.shape == "one" else a.changes(enters=True, leaves=-1)

    return holds("intended", fine, "the head is not the victim", where=evicts)


@evidence("losspass.ours.starvation-load", form="printed", strength="smt")
def starving_takes_a_small_packet_for_each_service() -> Outcome:
    """Every reading with two queues, any port: the loop of one packet a service; and services <= small packets.

    While Q_l waits unserved every service takes a packet from Q_s, and only a small packet that arrives adds one: over
    a loop the number in Q_s does not change, so that at least as many small packets arrive as are served.
    """
    outcomes = [starves(reading) for reading in TWO_QUEUES]
    for reading in TWO_QUEUES:
        for path in arrivals(reading):
            a = path.result
            more = len(a.after.small) - len(a.before.small)
            check(more == (a.kind == "small" and a.left), f"{reading}: {a.step}")
        for departed in runs(reading, [("depart", "any")], SHAPES, ("one", "two", "many")):
            before, after, _ = departed.result
            fewer = len(before.small) - len(after.small)
            check(fewer == bool(before.small) and (bool(fewer) or len(after.large) < len(before.large)), reading)
    arrived, enqueued, served = sp.symbols("arrived enqueued served", integer=True)
    smt.prove([enqueued <= arrived, sp.Eq(enqueued - served, 0), enqueued >= 0], served <= arrived)
    return outcomes[0]


@evidence("losspass.ours.reserve", form="printed", strength="symbolic")
def the_reserve_by_identities() -> Outcome:
    """Certify what an eviction of the intended reading needs and leaves, in every reachable state."""
    return port_with_reserve(limited=False).certificate().proved()


@evidence("losspass.ours.reserve", form="printed", strength="smt")
def an_eviction_needs_more_than_the_reserve() -> Outcome:
    """Lines 1 and 4 (mended) imply Q_l > B_l before and Q_s <= B - B_l after."""
    return smt.prove([*STATE, OVERFLOW, LINE_4], [step.l > step.b, step.s + step.P <= step.B - step.b]).proved()


@evidence("losspass.ours.limited", form="printed", strength="symbolic")
def the_limited_line_12_by_identities() -> Outcome:
    """Certify Q_s <= B - B_l for all sizes, and that a full port of one size has Q_l >= B_l."""
    limited = port_with_reserve(limited=True).certificate()
    port_of_one_size(True).certificate()
    return Proved("Q_s <= B - B_l is kept; with one size a full port has Q_l >= B_l", limited.example)


@evidence("losspass.ours.limited", form="printed", strength="smt")
def limiting_line_12_limits_the_small_queue() -> Outcome:
    """Inductive: if Q_s <= B - B_l before, then after either way to enqueue; and a full port then has Q_l >= B_l."""
    r, S, L = sp.symbols("r S L", integer=True)
    n = sp.Symbol("n", real=True)  # the buffer need not be a whole number of packets
    full = [S >= 0, L >= 0, r >= 0, r <= n, n - r >= S, n >= S + L, n < 1 + S + L]
    smt.prove(full, r <= L)
    smt.prove(
        [*STATE, step.s <= step.B - step.b, step.P + step.s <= step.B - step.b, step.P + step.s + step.l <= step.B],
        step.s + step.P <= step.B - step.b,
    )
    return smt.prove(
        [*STATE, step.s <= step.B - step.b, OVERFLOW, LINE_3, LINE_4], step.s + step.P <= step.B - step.b
    ).proved()
