"""Section 3.3: equations (1) to (4), the largest queue of synchronised windows; runs and published numbers."""

from fractions import Fraction
from itertools import product

from dtmodel.ledger import (
    Agrees,
    Conflict,
    Outcome,
    Proved,
    check,
    evidence,
    refuted_by_values,
)
from dtmodel.theory.losspass.ecn import largest_queue, total_less

from ..support.losspass.rounds import Rounds
from .histories import history, settings_of
from .published import GBPS, KIB, US, line_of_pipe
from .senders import DELAYS, DOMAIN, FLOWS, GRID, THRESHOLDS, observe, run

SIZES = "D from 1 to 12, K up to 12, N from 1 to 5"


@evidence("losspass.eq1", "losspass.eq3", form="printed", strength="exact")
def windows_below_the_pipe_give_a_negative_queue() -> Outcome:
    """One window of one packet on a pipe of two packets."""
    check(total_less(Fraction(1), Fraction(2)) == -1, "the printed queue is -1")
    says = "q = N w - D = -1: a queue of -1 packets"
    return refuted_by_values({"N": 1, "w": 1, "D": 2}, "N*w - D >= 0", says, ["N*w >= 0"])


@evidence("losspass.eq2", form="printed", strength="exact")
def two_windows_that_start_apart_stay_apart() -> Outcome:
    """Windows 1 and 3, both growing by one a round and halved together, keep a positive difference."""
    one, two = Fraction(1), Fraction(3)
    for _ in range(20):
        one, two = (one + 1, two + 1) if one + two < 12 else (one / 2, two / 2)
    check(one != two, "the windows differ")
    values = {"w1": "1", "w2": "3"}
    return refuted_by_values(
        values, "(w1 + 1)/2 == (w2 + 1)/2", "after growing and a common cut the windows still differ"
    )


@evidence("losspass.eq4", form="printed", strength="exact")
def a_short_buffer_ends_the_growth() -> Outcome:
    """B = 1, K = 1, N = 1: the queue cannot exceed B."""
    check(largest_queue(Fraction(1), 1, buffer=Fraction(1)) == 1, "the queue ends at B")
    values = {"B": "1", "K": "1", "N": "1"}
    return refuted_by_values(values, "K + N <= B", "K + N = 2 packets do not fit into a buffer of one", ["K <= B"])


@evidence("losspass.eq4@packets", form="printed", strength="exact")
def whole_windows_may_stop_short_of_k_plus_n() -> Outcome:
    """The smallest D + K + N for which the largest queue is not K + N."""
    found = min((D + K + N, D, K, N) for D, K, N in GRID if Rounds(D, K, N).largest_queue != K + N)
    _, D, K, N = found
    check(max(N * w - D for w in run(D, K, N)) != K + N, "round by round")
    says = "the first marked round has fewer packets queued"
    return refuted_by_values({"D": D, "K": K, "N": N}, "N*(floor((K + D)/N) + 1) - D == K + N", says)


@evidence("losspass.eq4@ack-clocked", form="assumed", strength="exact")
def the_largest_queue_is_k_plus_n() -> Outcome:
    """For every K above N the largest queue is exactly K + N."""
    cases = [(D, K, N) for D, K, N in product(DELAYS, THRESHOLDS, FLOWS) if K > N]
    for case in cases:
        check(observe(*case)[0] == case[1] + case[2], f"{case}")
    return Agrees(len(cases), DOMAIN + ", K > N")


@evidence("losspass.eq4@ack-clocked", form="printed", strength="exact")
def small_thresholds_stop_short_of_k_plus_n() -> Outcome:
    """The smallest D + K + N for which it is not K + N."""
    every = product(DELAYS, THRESHOLDS, FLOWS)
    _, D, K, N = min((D + K + N, D, K, N) for D, K, N in every if observe(D, K, N)[0] != K + N)
    q = observe(D, K, N)[0]
    return refuted_by_values(
        {"D": D, "K": K, "N": N, "q": q}, "q == K + N", "the largest queue of the simulation", ["q <= K + N", "D > 0"]
    )


@evidence("losspass.sec3.3.trident", form="printed", strength="exact")
def trident_holds_its_pipe() -> Outcome:
    """192 KB (either KB) against 10 Gbps times 100 us."""
    check(10 * GBPS * 100 * US == 125_000, "125,000 bytes")
    check(min(192_000, 192 * KIB) >= 125_000, "either unit")
    return Agrees(2, "KB of 1000 and of 1024")


@evidence("losspass.sec3.3.modern@tomahawk", form="printed", strength="exact")
def a_modern_switch_without_room_for_its_pipe() -> Outcome:
    """512 KiB against 100 Gbps times 85.2 us = 1,065,000 bytes."""
    return line_of_pipe()


@evidence("losspass.sec3.3.lp-qmax", "losspass.sec3.3.equivalent", form="printed", strength="exact")
def unmarked_large_packets_fill_the_port() -> Outcome:
    """Packets of one byte until nothing fits: every port of 1 to 4 bytes ends full of large packets, and stays so.

    So does the same port with tail drop, which is ECN with K = B (losspass.ours.ecn-b).
    """
    for reading, B in product(("intended", "droptail-2q"), range(1, 5)):
        item = history(settings_of(reading, B), [("arrive", "large", 1)] * (B + 1))
        check([m.large_after for m in item.moments] == [*range(1, B + 1), B], f"{reading}, B = {B}")
    return Proved("Q_l = B is reached; no port ever holds more (losspass.ours.feasible)", {"B": "4", "Q_l": "4"})


@evidence("losspass.sec3.3.lp-qmax@marked", form="printed", strength="exact")
def marks_keep_large_flows_from_filling_the_port() -> Outcome:
    """K_l = 45 packets, two flows: at most 70,500 of 128,000 bytes."""
    longest = largest_queue(Fraction(45 * 1500), 2, segment=Fraction(1500))
    check(longest < 128_000, "shorter than B")
    arithmetic = {"K_l + N a": longest, "B": 128_000}
    return Conflict(
        "losspass.sec3.2.4.kl",
        "Marked at K_l, large flows never fill the port; the analysis lets them fill it.",
        arithmetic,
    )


@evidence("losspass.ours.integer-peak", form="printed", strength="exact")
def the_largest_queue_in_whole_packets() -> Outcome:
    """Rounds run one by one: the largest queue is K + N - ((K + D) mod N)."""
    for D, K, N in GRID:
        q = max(max(0, N * w - D) for w in run(D, K, N))
        check(q == Rounds(D, K, N).largest_queue == K + N - (K + D) % N, f"D={D} K={K} N={N}")
        check(q <= K + N and (q > K or N * 1 - D <= K), "between K + 1 and K + N")
    return Agrees(len(GRID), SIZES)


@evidence("losspass.ours.ack-clocked", form="printed", strength="exact")
def the_largest_queue_and_line_rate_packet_by_packet() -> Outcome:
    """At most K + N from the start on; in the period, busy iff K >= N (ceil(D/N) - 1) + 1, for D > N."""
    cases = 0
    for D, K, N in product(DELAYS, THRESHOLDS, FLOWS):
        largest, busy = observe(D, K, N)
        check(largest <= K + N, f"queue: D={D} K={K} N={N}")
        check(busy == (D <= N or N * (-(-D // N) - 1) + 1 <= K), f"line rate: D={D} K={K} N={N}")
        cases += 1
    check(observe(5, 5, 4) == (9, False), "four flows need more than K = C RTT = 5")
    check(observe(3, 2, 1, rests=False) == (3, True), "without the rest after a cut K = 2 is enough for D = 3, N = 1")
    return Agrees(cases, DOMAIN)
