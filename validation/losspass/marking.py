"""Section 3.2.4 and line 15: ECN marks; runs and published numbers."""

from itertools import product

from dtmodel.ledger import Agrees, Outcome, Proved, check, evidence

from .histories import DOMAIN, History, Moment, all_histories, find, history, proves, refutation, settings_of


@evidence("losspass.alg1.line15", form="repaired", strength="exact")
def with_line_15_mended_only_buffered_packets_are_marked() -> Outcome:
    """In the intended reading a packet that becomes marked is in the port."""

    def holds(_: History, m: Moment) -> bool:
        return not m.size or m.step.packet not in m.marked or m.left

    return Agrees(proves(all_histories("intended", (0, 0, None)), holds, "intended, K_s = K_l = 0"), DOMAIN)


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


@evidence("losspass.sec3.2.4.per-port", form="printed", strength="exact")
def per_port_marks_hit_the_burst() -> Outcome:
    """Two large packets stay unmarked at K = 2; the small one that follows is marked, they are not."""
    item = history(
        settings_of("intended", 3, 0, (None, None, 2)), [("arrive", "large", 1)] * 2 + [("arrive", "small", 1)]
    )
    check(item.moments[-1].marked == {2}, "only the small packet is marked")
    return Proved("packet 2 is small and the only marked one", {"B": "3", "K": "2"})


@evidence("losspass.sec3.2.4.may-not", form="printed", strength="exact")
def the_burst_alone_is_marked() -> Outcome:
    """B = 3, K = 2: two large packets reach K unmarked; two of three small ones evict them, all three are marked."""
    letters = [("arrive", "large", 1)] * 2 + [("arrive", "small", 1)] * 3
    item = history(settings_of("intended", 3, 0, (None, None, 2)), letters)
    check([m.step.decision for m in item.moments] == ["enqueue"] * 3 + ["evict"] * 2, "evictions let the burst in")
    check(item.moments[-1].marked == {2, 3, 4}, "the small packets are marked, and they alone")
    return Proved("packets 2 to 4 are the burst and the only marked ones", {"B": "3", "K": "2"})


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


@evidence("losspass.sec3.2.4.together@always", form="printed", strength="exact")
def the_marked_packet_is_the_one_that_is_evicted() -> Outcome:
    """K_s = B, K_l = 1: the burst evicts the only packet that carries a mark; no mark reaches a sender."""
    found = find(
        lambda h: h.moments[-1].step.victim in h.moments[-1].marked if h.moments[-1].step.victim is not None else False,
        mark=(3, 1, None),
    )
    check(
        not any(p.number in found.moments[-1].marked for queue in found.moments[-1].after for p in queue), "none left"
    )
    kept = [[p.number, p.size] for p in found.moments[-1].before[1]]
    return refutation(found, {"final": {"large": kept}}, "the eviction removed the mark with its packet")


@evidence("losspass.sec3.2.4.together", form="printed", strength="exact")
def a_mark_can_survive_the_burst() -> Outcome:
    """B = 3, K_l = 1: of two marked packets the burst evicts the last, and the other departs with its mark."""
    letters = [("arrive", "large", 1)] * 3 + [("arrive", "small", 1), *[("depart", "any")] * 3]
    item = history(settings_of("intended", 3, 0, (3, 1, None)), letters)
    check(item.moments[3].step.decision == "evict" and item.lost("small") == frozenset(), "the burst is absorbed")
    last = item.moments[-1]
    check(last.marked == {1, 2} and item.moments[3].step.victim == 2, "of two marked packets the last is evicted")
    check(last.step.decision == "depart" and last.step.packet == 1, "a marked packet is delivered")
    return Proved("packet 1 departs with its mark", {"B": "3", "K_l": "1"})


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
    """K_s = B, large packets of one and two bytes, no departures: along Q_l marks never end, so the tail's go first."""
    cases = 0
    for B, K_l in product(range(2, 5), range(3)):
        letters = [("arrive", "large", 1), ("arrive", "large", 2), ("arrive", "small", 1)]
        for trace in product(letters, repeat=5):
            item = history(settings_of("intended", B, 0, (B, K_l, None)), trace)
            for m in item.moments:
                flags = [p.number in m.marked for p in m.after[1]]
                check(flags == sorted(flags), f"marks are at the end of Q_l: {trace}")
                check(
                    not m.arrives("large") or m.step.packet not in m.marked or m.large_after > K_l, "marked above K_l"
                )
            cases += 1
    return Agrees(cases, "all arrivals of 5 packets of two sizes, B up to 4, K_l up to 2")
