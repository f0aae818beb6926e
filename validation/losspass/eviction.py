"""Sections 3.1 to 3.2.2: evicting large packets for small ones; runs and published numbers."""

from fractions import Fraction
from itertools import pairwise, product

from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.theory.losspass.formulas import full_port

from .absorption import another_policy_absorbs_a_packet_that_losspass_loses
from .counting import instant, port, ports
from .histories import (
    DOMAIN,
    History,
    Moment,
    _refused,
    _tail_drop,
    all_histories,
    find,
    history,
    last_decision,
    proves,
    refutation,
    settings_of,
)

LETTERS = [("arrive", "large", 1), ("arrive", "small", 1), ("depart", "any")]


def compare_losses(B: int, B_l: int, trace: tuple[tuple[object, ...], ...], reading: str) -> None:
    """Check every part of the theorem on one trace, event by event."""
    losspass = history(settings_of("intended", B, B_l), trace)
    other = history(settings_of(reading, B), trace)
    rescued = evicted = 0
    for one, two in zip(losspass.moments, other.moments, strict=True):
        check(one.small_after + one.large_after == two.small_after + two.large_after, "equally long")
        served = [m.step.decision == "depart" for m in (one, two)]
        check(served[0] == served[1], "equal throughput")
        lost = [(m.step.packet if m.step.decision == "drop" else m.step.victim) for m in (one, two)]
        check((lost[0] is None) == (lost[1] is None), "both lose a packet or neither does")
        if one.step.decision == "evict":
            check(one.arrives("small") and two.step.decision == "drop", "tail drop loses the small packet")
            rescued, evicted = rescued + 1, evicted + 1
        else:
            check(lost[0] == lost[1], "the same packet")
    subsets = losspass.lost("small") <= other.lost("small"), other.lost("large") <= losspass.lost("large")
    check(all(subsets), "packet for packet and class by class")
    check(len(other.lost("small") - losspass.lost("small")) == rescued, "small packets saved")
    check(len(losspass.lost("large") - other.lost("large")) == evicted, "large packets lost in exchange")


def alone(item: History) -> frozenset[int]:
    """The small packets that a port of their own with the same buffer loses."""
    queue, lost, number = 0, set(), -1
    for letter in item.letters:
        number += letter[0] == "arrive"
        if letter[0] == "depart":
            queue = max(0, queue - 1)
        elif letter[1] == "small":
            if queue < item.buffer:
                queue += 1
            else:
                lost.add(number)
    return frozenset(lost)


def _losses(item: History) -> int:
    return len(item.lost("small") | item.lost("large"))


@evidence("losspass.sec3.1.evict", "losspass.slides.evict", form="printed", strength="exact")
def a_large_packet_can_be_too_short_to_evict() -> Outcome:
    """A small packet meets a port that cannot hold it, Q_l is not empty, and nothing is evicted."""
    found = find(lambda h: _refused(h) and bool(h.moments[-1].before[1]))
    return refutation(found, last_decision(found, "evict"), "the tail of Q_l is shorter than the arriving packet")


@evidence("losspass.sec3.1.irrelevant", form="assumed", strength="exact")
def with_dividing_sizes_the_room_is_b_minus_q_s() -> Outcome:
    """No reserve, burst of unit packets, victims of any whole sizes: B - Q_s packets are taken, whatever Q_l."""
    cases = 0
    for B, B_l, small, victims in ports(5, 3):
        if B_l == 0:
            check(instant(port(B, 0, small, victims), 1) == B - small, f"B={B} Q_s={small} victims={victims}")
            cases += 1
    return Agrees(cases, "B up to 5, up to 3 victims of whole sizes, a burst of packets of size 1")


@evidence("losspass.sec3.1.irrelevant", form="printed", strength="exact")
def the_room_depends_on_what_large_flows_hold() -> Outcome:
    """A small packet no longer than B - Q_s is dropped although B_l = 0."""
    found = find(lambda h: _refused(h) and h.moments[-1].size <= h.buffer - h.moments[-1].small, reserves=False)
    last = found.moments[-1]
    claimed = {"final": {"small": [[last.step.packet, last.size]]}}
    return refutation(found, claimed, "B - Q_s holds the packet, Algorithm 1 drops it")


@evidence("losspass.sec3.1.irrelevant@evictable", form="printed", strength="exact")
def what_can_be_evicted_is_what_large_flows_hold() -> Outcome:
    """Equation (6) at two shares of one full port."""
    few, many = (full_port(Fraction(128_000), Fraction(tau)) for tau in ("1/4", "3/4"))
    check(few < many, "fewer large bytes, less room")
    return Conflict("losspass.eq6", "By (6) the room at a full port is B tau, the bytes that large flows hold.",
                    {"tau = 1/4": few, "tau = 3/4": many})  # fmt: skip


@evidence("losspass.sec3.1.passes", "losspass.slides.passes", form="printed", strength="exact")
def a_loss_is_not_always_passed_on() -> Outcome:
    """With two sizes LossPass can lose a small packet that tail drop saves."""
    return losspass_can_lose_a_small_packet_that_tail_drop_saves()


@evidence("losspass.sec3.1.minimised", form="printed", strength="exact")
def line_3_refuses_what_another_policy_saves() -> Outcome:
    """The witness of losspass.sec3.3.as-many."""
    return another_policy_absorbs_a_packet_that_losspass_loses()


@evidence("losspass.sec3.1.minimised@flows", form="printed", strength="exact")
def as_few_lost_packets_can_be_of_more_flows() -> Outcome:
    """B = 2, packets of flows 1, 2, 1, 2 at once: both flows lose one; dropping the two of flow 2 spares flow 1."""
    flows, B = (1, 2, 1, 2), 2
    losspass = history(settings_of("intended", B), [("arrive", "small", 1)] * len(flows)).lost("small")
    kept = [number for number, flow in enumerate(flows) if flow == 1]
    other = frozenset(range(len(flows))) - frozenset(kept)
    check(len(kept) <= B and len(losspass) == len(other) == 2, "two of four packets are lost by either")
    hit = {name: len({flows[n] for n in lost}) for name, lost in (("losspass", losspass), ("other", other))}
    return refuted_by_values(hit, "losspass <= other", "both flows lose a packet, with the other policy one does")


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


@evidence("losspass.sec3.2.1.two-queues", "losspass.sec3.2.1.only-large", form="printed", strength="exact")
def two_queues_keep_the_classes_apart() -> Outcome:
    """Q_l never holds a small packet nor Q_s a large one; the algorithm names two queues, and 4 to 8 are at least 2."""

    def holds(_: History, m: Moment) -> bool:
        return all(p.kind == kind for kind, queue in zip(("small", "large"), m.after, strict=True) for p in queue)

    check(min(range(4, 9)) >= 2, "4 to 8 queues")
    return Agrees(proves(all_histories("intended"), holds, "classes"), DOMAIN)


@evidence("losspass.sec3.2.1.tagging", form="printed", strength="exact")
def a_tag_is_a_function_of_the_offset() -> Outcome:
    """The tag of byte k is small iff k < T: along a flow it changes once at most, from small to large."""
    cases = 0
    for T, size in product(range(8), range(1, 12)):
        tags = ["small" if k < T else "large" for k in range(size)]
        check(sum(a != b for a, b in pairwise(tags)) <= 1 and tags.count("small") == min(T, size), f"{T} {size}")
        cases += 1
    return Agrees(cases, "T up to 7 and flows of up to 11 bytes")


@evidence("losspass.sec3.1.limit", form="printed", strength="exact")
def a_short_tail_makes_a_full_port_refuse() -> Outcome:
    """Find the shortest run to a full port with large packets that refuses a small one, without a reserve."""

    def refused(h: History) -> bool:
        last = h.moments[-1]
        return _refused(h) and last.arrives("small") and last.large > 0 and last.small + last.large == h.buffer

    found = find(refused, reserves=False)
    return refutation(found, last_decision(found, "evict"), "the tail of Q_l is shorter than the packet")


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


@evidence("losspass.ours.isolation", "losspass.sec3.2.1.priority", form="printed", strength="exact")
def small_flows_lose_what_they_would_lose_alone() -> Outcome:
    """Strict priority, no reserve: the lost small packets are those of a port of their own."""
    cases = 0
    for B in (1, 2, 3, 4):
        for trace in product(LETTERS, repeat=7):
            item = history(settings_of("intended", B), trace)
            check(item.lost("small") == alone(item), f"{trace} on {B}")
            cases += 1
    return Agrees(cases, "all traces of up to 7 events, packets of one size, B up to 4 packets")


@evidence("losspass.sec3.2.1.only-small@exclusively", form="printed", strength="exact")
def a_large_flow_starts_in_the_small_queue() -> Outcome:
    """A flow of 12 MB with T = 1 MB: the tag of Section 3.2.1 puts its first megabyte into Q_s."""
    T, size = 1_000_000, 12_000_000
    small = min(T, size)
    check(size > 10_000_000 and small > 0, "a large flow with bytes in Q_s")
    return Conflict("losspass.sec3.2.1.tagging", "The first T bytes of every flow, a large one too, go to Q_s.",
                    {"flow": size, "T": T, "bytes in Q_s": small})  # fmt: skip


@evidence("losspass.sec3.2.1.only-large@classes", form="printed", strength="exact")
def a_medium_flow_ends_in_the_large_queue() -> Outcome:
    """A flow of 2 MB with T = 1 MB: the tag of Section 3.2.1 puts its second megabyte into Q_l."""
    T, size, large = 1_000_000, 2_000_000, 10_000_000
    rest = max(0, size - T)
    check(rest > 0 and size <= large, "a flow that is not large with bytes in Q_l")
    return Conflict("losspass.sec5.1.classes", "A flow of more than T bytes need not be large.",
                    {"flow": size, "T": T, "bytes in Q_l": rest, "large above": large})  # fmt: skip


@evidence("losspass.sec3.2.2.24", form="assumed", strength="exact")
def rounds_of_small_victims() -> Outcome:
    """Evict packets of 64 bytes one by one until 1500 bytes are free: 24 rounds iff fewer than 28 were free before."""
    for before in range(1500):
        free, rounds = before, 0
        while free < 1500:
            free, rounds = free + 64, rounds + 1
        check((rounds == 24) == (before < 28), f"{rounds} rounds beside {before} free bytes")
    return Agrees(1500, "every number of free bytes that does not hold the packet")


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


@evidence("losspass.sec3.2.no-vacancy", form="printed", strength="exact")
def line_1_holds_with_free_bytes_left() -> Outcome:
    """The shortest trace in which a packet overflows a port that still has free bytes."""
    found = find(lambda h: h.overflows(h.moments[-1]) and 0 < h.moments[-1].small + h.moments[-1].large < h.buffer)
    return refutation(found, last_decision(found, "enqueue"), "the port has a free byte, and line 1 is true")


@evidence("losspass.sec7.minimise@any-order", form="printed", strength="exact")
def another_order_finishes_small_flows_earlier_on_average() -> Outcome:
    """Q_s holds two packets of one flow and then one of another: first-in first-out ends them in slots 2 and 3."""
    arrivals = [("arrive", "small", 1)] * 3
    item = history(settings_of("intended", 3), [*arrivals, *[("depart", "any")] * 3])
    served = [m.step.packet for m in item.moments[3:]]
    check(served == [0, 1, 2], "first in, first out")
    losspass = Fraction((served.index(1) + 1) + (served.index(2) + 1), 2)
    order = [2, 0, 1]  # the shorter flow first
    other = Fraction((order.index(1) + 1) + (order.index(2) + 1), 2)
    says = "the shorter flow first: 2 slots in place of 5/2 on average"
    return refuted_by_values({"losspass": losspass, "other": other}, "losspass <= other", says)


@evidence("losspass.ours.same-size", "losspass.ours.eviction-cost", form="printed", strength="exact")
def losses_packet_for_packet() -> Outcome:
    """LossPass against tail drop with two queues under strict priority and with one queue first-in first-out."""
    cases = 0
    for B in (1, 2, 3):
        for trace in product(LETTERS, repeat=5):
            for B_l in range(B + 1):
                for reading in ("droptail-2q", "droptail"):
                    compare_losses(B, B_l, trace, reading)
                    cases += 1
    return Agrees(cases, "all traces of up to 5 events, packets of one size, B up to 3, all reserves, two schedulers")


@evidence("losspass.ours.same-size.sizes", form="printed", strength="exact")
def every_part_of_the_theorem_needs_one_size() -> Outcome:
    """All three smallest traces exist."""
    for search in (
        losspass_can_lose_a_small_packet_that_tail_drop_saves,
        losspass_can_save_a_large_packet_that_tail_drop_loses,
        losspass_can_lose_more_packets_in_total,
    ):
        check(isinstance(search(), Counterexample), "a witness")
    return Proved("three witnesses: losspass.ours.any-size.small, .large and .total", {"sizes": "1 and 2 bytes"})


@evidence("losspass.ours.any-size.small", form="printed", strength="exact")
def losspass_can_lose_a_small_packet_that_tail_drop_saves() -> Outcome:
    """The smallest trace, in events and then in bytes of buffer."""
    found = find(lambda h: bool(h.lost("small") - _tail_drop(h).lost("small")), events=5, reserves=False)
    return refutation(found, last_decision(found, _tail_drop(found).moments[-1].step.decision), "tail drop has room")


@evidence("losspass.ours.any-size.large", form="printed", strength="exact")
def losspass_can_save_a_large_packet_that_tail_drop_loses() -> Outcome:
    """The smallest trace, in events and then in bytes of buffer."""
    found = find(lambda h: bool(_tail_drop(h).lost("large") - h.lost("large")), reserves=False)
    return refutation(found, last_decision(found, _tail_drop(found).moments[-1].step.decision), "tail drop has no room")


@evidence("losspass.ours.any-size.total", form="printed", strength="exact")
def losspass_can_lose_more_packets_in_total() -> Outcome:
    """The smallest trace, in events and then in bytes of buffer."""
    found = find(lambda h: _losses(h) > _losses(_tail_drop(h)), events=5, reserves=False)
    return refutation(
        found, last_decision(found, _tail_drop(found).moments[-1].step.decision), "two losses against one"
    )
