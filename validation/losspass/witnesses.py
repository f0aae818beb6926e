"""The prose about Algorithm 1 in its intended reading: the smallest traces on which it is false."""

from __future__ import annotations

from fractions import Fraction

from dtmodel.ledger import Counterexample, Outcome, Proved, check, evidence

from .common import History, find, history, last_decision, refutation, settings_of, values


@evidence("losspass.sec3.1.evict", "losspass.slides.evict", form="printed", strength="exact")
def a_large_packet_can_be_too_short_to_evict() -> Outcome:
    """A small packet meets a port that cannot hold it, Q_l is not empty, and nothing is evicted."""
    found = find(lambda h: _refused(h) and bool(h.moments[-1].before[1]))
    return refutation(found, last_decision(found, "evict"), "the tail of Q_l is shorter than the arriving packet")


@evidence("losspass.sec3.1.irrelevant", form="printed", strength="exact")
def the_room_depends_on_what_large_flows_hold() -> Outcome:
    """A small packet no longer than B - Q_s is dropped although B_l = 0."""
    found = find(lambda h: _refused(h) and h.moments[-1].size <= h.buffer - h.moments[-1].small, reserves=False)
    last = found.moments[-1]
    claimed = {"final": {"small": [[last.step.packet, last.size]]}}
    return refutation(found, claimed, "B - Q_s holds the packet, Algorithm 1 drops it")


@evidence("losspass.eq6", form="printed", strength="exact")
def a_full_port_can_absorb_less_than_b_tau() -> Outcome:
    """At a full port with B_l = 0 a burst of one packet, no longer than B tau = Q_l, is lost."""
    found = find(lambda h: _refused(h) and _full(h) and h.moments[-1].size <= h.moments[-1].large, reserves=False)
    last = found.moments[-1]
    claimed = {"final": {"small": [[last.step.packet, last.size]]}}
    return refutation(found, claimed, "B tau bytes could be evicted, and a burst of as many is lost")


@evidence("losspass.eq6@reserve", form="printed", strength="exact")
def the_reserve_lowers_the_burst() -> Outcome:
    """At a full port with B_l > 0 and packets of one byte a burst within B tau is lost."""
    found = find(lambda h: _refused(h) and _full(h) and h.moments[-1].size <= h.moments[-1].large
                 and all(letter[-1] == 1 for letter in h.letters if letter[0] == "arrive"))  # fmt: skip
    check(found.settings.reserve_large > 0, "only the reserve stands in the way")
    return refutation(found, last_decision(found, "evict"), "the reserve keeps the large packet, B tau counts it")


@evidence("losspass.sec3.2.3.reserve", "losspass.sec3.2.3.limit", form="printed", strength="exact")
def small_packets_fill_the_reserve() -> Outcome:
    """One small packet enters an empty port whose whole buffer is reserved for large ones."""
    found = find(lambda h: h.moments[-1].small_after > h.room)
    return refutation(found, last_decision(found, "drop"), "line 12 does not look at the reserve: Q_s > B - B_l")


@evidence("losspass.sec3.2.3.any-space", form="printed", strength="exact")
def large_packets_can_be_kept_out() -> Outcome:
    """A large packet no longer than B_l is dropped although Q_l is empty."""
    found = find(lambda h: h.moments[-1].arrives("large") and h.moments[-1].step.decision == "drop"
                 and not h.moments[-1].before[1] and h.moments[-1].size <= h.settings.reserve_large)  # fmt: skip
    return refutation(found, last_decision(found, "enqueue"), "small packets hold the whole reserve")


@evidence("losspass.sec3.2.3.guarantee", form="printed", strength="exact")
def a_long_victim_leaves_less_than_the_reserve() -> Outcome:
    """An eviction leaves Q_l with less than B_l."""
    found = find(lambda h: h.moments[-1].step.decision == "evict"
                 and h.moments[-1].large_after < h.settings.reserve_large)  # fmt: skip
    return refutation(found, {"final": {"large": [[0, "1"]]}}, "the only victim was longer than Q_l - B_l")


@evidence("losspass.sec3.2.3.starvation", "losspass.intro.reserve", "losspass.fig8.prevents",
          form="printed", strength="exact")  # fmt: skip
def strict_priority_starves_whatever_the_reserve() -> Outcome:
    """One small packet a slot: after every slot the port is in the same state, and the large packet still waits."""
    slot = [("arrive", "small", 1), ("depart", "any")]
    for B_l in range(3):
        item = history(settings_of("intended", 2, B_l), [("arrive", "large", 1), *slot * 5])
        states = [moment.after for moment in item.moments[::2]]
        check(all(state == states[0] for state in states), "every slot ends in the state in which it began")
        check(all(m.step.packet != 0 for m in item.moments[1:]), "packet 0 is never served")
    shortest = history(settings_of("intended", 2, 2), [("arrive", "large", 1), *slot])
    check(shortest.moments[0].after == shortest.moments[-1].after, "a loop: the slot can be repeated for ever")
    return refutation(shortest, {"final": {"large": []}}, "the loop of events 1 and 2 repeats and never serves Q_l")


@evidence("losspass.sec3.2.4.together", form="printed", strength="exact")
def the_marked_packet_is_the_one_that_is_evicted() -> Outcome:
    """K_s = B, K_l = 0: the burst evicts the only packet that carries a mark; no mark reaches a sender."""
    found = find(
        lambda h: h.moments[-1].step.victim in h.moments[-1].marked if h.moments[-1].step.victim is not None else False,
        mark=(3, 0, None),
    )
    check(
        not any(p.number in found.moments[-1].marked for queue in found.moments[-1].after for p in queue), "none left"
    )
    return refutation(found, {"final": {"large": [[0, "1"]]}}, "the eviction removed the mark with its packet")


@evidence("losspass.sec3.3.equivalent", form="printed", strength="exact")
def losspass_evicts_where_ecn_at_b_drops() -> Outcome:
    """The same arrivals to LossPass and to tail drop with marks at K = B end differently."""
    found = find(lambda h: h.moments[-1].after != _tail_drop(h).moments[-1].after, reserves=False)
    other = history(settings_of("droptail-2q", int(found.buffer), 0, (None, None, int(found.buffer))), found.letters)
    check(not other.moments[-1].marked, "ECN with K = B marks nothing")
    return refutation(found, last_decision(found, other.moments[-1].step.decision), "LossPass evicts, ECN drops")


@evidence("losspass.sec3.3.lp-line-rate", form="printed", strength="exact")
def an_eviction_can_leave_fewer_bytes_to_send() -> Outcome:
    """After the same arrivals the port holds fewer bytes than under tail drop, so the link runs dry earlier."""
    found = find(lambda h: _bytes(h) < _bytes(_tail_drop(h)), reserves=False)
    left = _tail_drop(found).moments[-1].after
    claimed = {"final": {"large": [[p.number, p.size] for p in left[1]]}}
    return refutation(found, claimed, "one byte is left to send; tail drop would have two")


@evidence("losspass.sec3.3.as-many", form="printed", strength="exact")
def another_policy_absorbs_a_packet_that_losspass_loses() -> Outcome:
    """B = 2: evicting the one large byte makes room for the small packet of two bytes; line 3 refuses."""
    found = find(lambda h: _refused(h) and h.moments[-1].size + h.moments[-1].small <= h.buffer, reserves=False)
    return refutation(found, last_decision(found, "evict"), "evicting large packets until it fits would absorb it")


@evidence("losspass.sec6.complementary", form="printed", strength="exact")
def a_shrinking_buffer_breaks_line_3() -> Outcome:
    """The port holds two bytes when its B becomes 1: one eviction of one byte does not make room for another."""
    return values(
        "s + l - v + P <= B",
        ["P + s + l > B", "P <= v", "P <= B"],
        "two bytes in a port of one",
        B=1,
        s=0,
        l=2,
        v=1,
        P=1,
    )


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


def _refused(item: History) -> bool:
    """Whether the last event drops a small packet that meets an overflow."""
    last = item.moments[-1]
    return last.arrives("small") and last.step.decision == "drop"


def _full(item: History) -> bool:
    return item.moments[-1].small + item.moments[-1].large == item.buffer


def _bytes(item: History) -> Fraction:
    return item.moments[-1].small_after + item.moments[-1].large_after


def _losses(item: History) -> int:
    return len(item.lost("small") | item.lost("large"))


def _tail_drop(item: History) -> History:
    """Run tail drop with two queues on the same events."""
    return history(settings_of("droptail-2q", int(item.buffer)), item.letters)
