"""Sections 2.2 and 3.3: equation (5), the headroom that ECN leaves; runs and published numbers."""

from fractions import Fraction

from dtmodel.ledger import Agrees, Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.theory.losspass.ecn import headroom, largest_queue, least_threshold

from .histories import DOMAIN, History, Moment, all_histories, proves

PIPE_10G = Fraction(125000)
PORT_192K = Fraction(192000)
RESPONSE = 32_000  # Section 2.2: items of 32 KB, with 1 KB = 1,000 bytes as for the ports of 128 and 192 KB


@evidence("losspass.eq5", form="printed", strength="exact")
def headroom_as_printed_can_be_negative() -> Outcome:
    """B = K = N = 1: B - (K + N) = -1, but no burst has a negative size."""
    check(headroom(Fraction(1), Fraction(1), 1) == 0, "the clamped headroom is 0")
    return refuted_by_values({"B": "1", "K": "1", "N": "1"}, "B - (K + N) >= 0", "a headroom of -1 packet", ["K <= B"])


@evidence("losspass.sec2.2.marks", form="printed", strength="exact")
def a_mark_compares_the_length_with_the_packet_in_it() -> Outcome:
    """Per queue and per port: marked iff the length after enqueueing exceeds the threshold."""
    cases = 0
    for K in range(2):
        for mark in ((K, None, None), (None, K, None), (None, None, K)):

            def holds(_: History, m: Moment, K: int = K, mark: tuple[int | None, ...] = mark) -> bool:
                if not m.size or not m.left:
                    return True
                small, large = m.small_after, m.large_after
                own = mark[0] is not None and m.arrives("small") and small > K
                own = own or (mark[1] is not None and m.arrives("large") and large > K)
                return (m.step.packet in m.marked) == (own or (mark[2] is not None and small + large > K))

            cases += proves(all_histories("intended", mark), holds, f"marks at {mark}")
    return Agrees(cases, DOMAIN + ", thresholds 0 and 1 of either queue and of the port")


@evidence("losspass.eq5.k-dominates", "losspass.sec2.2.headroom", form="printed", strength="exact")
def two_flows_are_little_beside_45_packets() -> Outcome:
    """The testbed: 2 of 47 packets, and 3,000 of 57,500 bytes of headroom, are at most a tenth."""
    B, K, N, a = Fraction(128_000), 45, 2, Fraction(1500)
    left = headroom(B, K * a, N, a)
    check(Fraction(N, K + N) < Fraction(1, 10), "N against K")
    check(left == B - (K + N) * a and (B - K * a - left) / left < Fraction(1, 10), f"{left}")
    return Proved("2/47 and 6/115", {"K": "45", "N": "2", "left": "57500"}, ["10*N <= K + N", "10*N*1500 <= left"])


@evidence("losspass.sec2.2.fundamental", form="printed", strength="exact")
def a_port_with_room_for_pipe_and_burst_has_no_trade_off() -> Outcome:
    """Section 3.3's own port: at the least K for line rate two flows leave room for two responses."""
    least = least_threshold(PIPE_10G, 2, segment=Fraction(1500))
    check(headroom(PORT_192K, least, 2, Fraction(1500)) >= 2 * RESPONSE, "both at once")
    says = "line rate and the whole burst at once"
    statement = "K + A < D or burst > B - (K + A)"
    return refuted_by_values(
        {"B": PORT_192K, "D": PIPE_10G, "K": least, "A": 3000, "burst": 2 * RESPONSE}, statement, says, ["D <= B"]
    )


@evidence("losspass.sec2.2.high-k-burst", "losspass.slides.high-k-burst", form="printed", strength="exact")
def a_high_threshold_can_leave_enough() -> Outcome:
    """K = C RTT on Section 3.3's own port leaves 64,000 bytes: one response of 32 KB is absorbed."""
    left = headroom(PORT_192K, PIPE_10G, 2, Fraction(1500))
    check(left >= RESPONSE, "room for a response")
    says = "K >= C RTT, and the burst is absorbed"
    statement = "burst > B - (K + A)"
    given = ["K >= D", "D <= B"]
    return refuted_by_values(
        {"B": PORT_192K, "D": PIPE_10G, "K": PIPE_10G, "A": 3000, "burst": RESPONSE}, statement, says, given
    )


@evidence("losspass.sec2.2.low-k-burst@any-burst", form="printed", strength="exact")
def a_low_threshold_can_leave_too_little() -> Outcome:
    """Testbed, K = 41 packets, below C RTT of 62,500 bytes: two responses of 32 KB are 500 bytes too long.

    With 1 KB = 1,024 bytes in port and responses they would fit.
    """
    threshold = Fraction(41 * 1500)
    left = headroom(Fraction(128_000), threshold, 2, Fraction(1500))
    check(threshold < 62_500 and left < 2 * RESPONSE, "below the pipe, and yet too little room")
    check(headroom(Fraction(128 * 1024), threshold, 2, Fraction(1500)) >= 2 * 32 * 1024, "units of 1,024 bytes")
    says = "K < C RTT, and the burst is not absorbed"
    statement = "burst <= B - (K + A)"
    given = ["K < D", "D <= B"]
    return refuted_by_values(
        {"B": 128_000, "D": 62_500, "K": threshold, "A": 3000, "burst": 2 * RESPONSE}, statement, says, given
    )


@evidence("losspass.sec2.2.before-b", form="printed", strength="exact")
def a_threshold_just_below_the_buffer_marks_too_late() -> Outcome:
    """B = 10, K = 9, two flows: the queue meets B before the marks are obeyed."""
    longest = largest_queue(Fraction(9), 2, buffer=Fraction(10))
    check(longest == 10, "the queue reaches B")
    return refuted_by_values({"B": 10, "K": 9, "longest": longest}, "longest < B", "the overshoot ends at B", ["K < B"])


@evidence("losspass.intro.high-k-burst", form="printed", strength="exact")
def the_testbed_at_the_pipe_cannot_hold_two_responses() -> Outcome:
    """Testbed, K = C RTT: two background flows leave 62,500 bytes, two responses of 32 KB are 64,000."""
    left = headroom(Fraction(128_000), Fraction(62_500), 2, Fraction(1500))
    check(left < 2 * RESPONSE, "both responses fit")
    return Proved(f"{left} bytes are left", {"K": "62500", "D": "62500", "left": str(left)}, ["K >= D"])
