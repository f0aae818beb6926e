"""The same-size theorem and the isolation of small flows, on every trace of a stated size."""

from __future__ import annotations

from itertools import product

from dtmodel.ledger import Agrees, Outcome, check, evidence

from .common import History, history, settings_of

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
