"""Quoted numbers, unit conversions and settings of Sections 1 to 5, recomputed."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from dtmodel.ledger import Agrees, Outcome, Proved, check, evidence
from dtmodel.provers import smt

from .common import names, values

GBPS = Fraction(125_000_000)  # bytes/s
US, MS = Fraction(1, 10**6), Fraction(1, 10**3)
KIB, MIB = 1024, 1024**2
TESTBED = {"C": GBPS, "RTT": 500 * US, "B": Fraction(128_000), "RTO": 10 * MS}
SIMULATION = {"C": 10 * GBPS, "RTT": Fraction("85.2") * US, "RTO": 5 * MS}


@evidence("losspass.sec3.2.2.24", form="printed", strength="exact")
def rounds_of_small_victims() -> Outcome:
    """Evict packets of 64 bytes one by one until 1500 bytes are free."""
    free = rounds = 0
    while free < 1500:
        free, rounds = free + 64, rounds + 1
    check(rounds == 24 == -(-1500 // 64), "24 rounds")
    return Proved("23 victims free 1472 bytes, 24 free 1536", {"P": "1500", "v": "64"})


@evidence("losspass.sec3.2.2.two", form="printed", strength="exact")
def two_victims_can_be_enough() -> Outcome:
    """A victim of 64 bytes before one of 1500, no free byte."""
    return values("2 < evictions", ["v1 < P", "v1 + v2 >= P"], "two victims free 1564 bytes",
                  P=1500, v1=64, v2=1500, evictions=2)  # fmt: skip


@evidence("losspass.sec2.1.tomahawk@binary", form="printed", strength="exact")
def sixteen_mib_over_32_ports() -> Outcome:
    """16 MiB over 4 times 8 ports."""
    check(Fraction(16 * MIB, 4 * 8) == 512 * KIB, "512 KiB")
    return Proved("16 MiB/32 = 512 KiB", {"ports": "32"})


@evidence("losspass.sec2.1.tomahawk@decimal", form="printed", strength="exact")
def sixteen_mb_over_32_ports() -> Outcome:
    """16 MB over 4 times 8 ports are 500 KB, outside the rounding interval of 512."""
    check(not names("512", Fraction(16_000, 32)), "500 is not 512")
    return values("S/(4*8) == 512000", says="500,000 bytes", S=16_000_000)


@evidence("losspass.sec2.1.multiple", "losspass.slides.timeout", form="printed", strength="exact")
def one_timeout_multiplies_a_round_trip() -> Outcome:
    """(RTT + RTO)/RTT in the testbed and in the simulations."""
    factors = [1 + s["RTO"] / s["RTT"] for s in (TESTBED, SIMULATION)]
    check(all(factor >= 2 for factor in factors), "a multiple")
    return Agrees(2, f"factors {float(factors[0]):.0f} and {float(factors[1]):.1f}")


@evidence("losspass.sec2.2.nodes", "losspass.sec5.1.servers", form="printed", strength="exact")
def seven_nodes() -> Outcome:
    """1 + 4 + 2 = 7 and 1 + 6 = 7."""
    check(1 + 4 + 2 == 7, "client, servers, background")
    check(1 + 6 == 7, "receiver and senders")
    return Agrees(2, "Sections 2.2 and 5.1")


@evidence("losspass.intro.10ms-small", form="printed", strength="exact")
def a_timeout_against_10_kb() -> Outcome:
    """(RTT + S/C + T)/(RTT + S/C) for 10 KB in the testbed."""
    factor = 1 + TESTBED["RTO"] / (TESTBED["RTT"] + 10_000 / TESTBED["C"])
    check(factor > 10, "more than ten")
    return Proved(f"the factor is {float(factor):.1f}", {"S": "10000"})


@evidence("losspass.intro.10ms-large", form="printed", strength="exact")
def a_timeout_against_10_mb() -> Outcome:
    """T/(RTT + S/C) and the number of round trips for 10 MB in the testbed."""
    duration = TESTBED["RTT"] + 10_000_000 / TESTBED["C"]
    check(TESTBED["RTO"] / duration < Fraction(1, 6), "less than a sixth")
    check(duration / TESTBED["RTT"] == 161, "161 round trips")
    return Proved(f"{float(TESTBED['RTO'] / duration):.3f} of {float(duration * 1000)} ms", {"S": "10000000"})


@evidence("losspass.intro.one-rtt", form="printed", strength="exact")
def two_segments_do_not_hold_10_kb() -> Outcome:
    """An initial window of 2 packets of 1460 bytes."""
    return values("IW*1460 >= S", ["IW >= 1"], "2920 bytes in the first round trip", IW=2, S=10_000)


@evidence("losspass.intro.one-rtt", form="assumed", strength="smt")
def seven_segments_hold_10_kb() -> Outcome:
    """7 * 1460 = 10,220 bytes; 6 would not do."""
    check(6 * 1460 < 10_000, "6 are too few")
    W = sp.Symbol("W", integer=True)
    return smt.prove([W >= 7], 1460 * W >= 10_000).proved()


@evidence("losspass.sec3.3.trident", form="printed", strength="exact")
def trident_holds_its_pipe() -> Outcome:
    """192 KB (either KB) against 10 Gbps times 100 us."""
    check(10 * GBPS * 100 * US == 125_000, "125,000 bytes")
    check(min(192_000, 192 * KIB) >= 125_000, "either unit")
    return Agrees(2, "KB of 1000 and of 1024")


@evidence("losspass.sec5.1.bdp", "losspass.sec5.1.k45.line-rate", form="printed", strength="exact")
def the_testbeds_pipe() -> Outcome:
    """62,500 bytes, against B and K = 45 packets (of 1460 or 1500 bytes)."""
    bdp = TESTBED["C"] * TESTBED["RTT"]
    check(bdp == 62_500, "62,500 bytes")
    check(min(128_000, 128 * KIB) >= bdp, "B")
    check(all(45 * packet >= bdp for packet in (1460, 1500)), "K")
    return Agrees(4, "two units of KB, two packet sizes")


@evidence("losspass.sec5.1.k45@kib-frame", "losspass.sec5.1.k45@kb-data", form="printed", strength="exact")
def readings_of_66_kb_that_fit() -> Outcome:
    """45 * 1500/1024 = 65.9 and 45 * 1460/1000 = 65.7 round to 66; 45 * 1460/1024 = 64.2 does not."""
    check(names("66", Fraction(45 * 1500, 1024)), "KiB, frames")
    check(names("66", Fraction(45 * 1460, 1000)), "KB, data")
    check(not names("66", Fraction(45 * 1460, 1024)), "KiB, data")
    return Agrees(2, "the two readings")


@evidence("losspass.sec5.1.k45@kb-frame", form="printed", strength="exact")
def a_reading_of_66_kb_that_does_not_fit() -> Outcome:
    """45 * 1500/1000 = 67.5."""
    return values("65.5 <= K/1000 and K/1000 < 66.5", ["K == 45*1500"], "67.5 KB", K=67_500)


@evidence("losspass.sec5.1.rtt-min", form="printed", strength="exact")
def a_minimum_rtt_above_the_base_rtt() -> Outcome:
    """No smallest RTT is above the base RTT."""
    return values("RTTmin <= RTT", ["RTT > 0"], "10 ms is 20 times the base RTT", RTTmin="1/100", RTT="1/2000")


@evidence("losspass.sec5.1.rtt-min", "losspass.sec5.1.rto", form="repaired", strength="exact")
def a_timeout_above_the_base_rtt() -> Outcome:
    """RTO_min = 10 ms is 20 base RTTs, a possible timeout."""
    check(TESTBED["RTO"] / TESTBED["RTT"] == 20, "20")
    return Proved("10 ms/500 us = 20", {"RTO": "1/100", "RTT": "1/2000"}, ["RTO >= RTT"])


@evidence("losspass.sec5.1.rto", form="printed", strength="exact")
def twenty_round_trips() -> Outcome:
    """10 ms/500 us."""
    check(TESTBED["RTO"] / TESTBED["RTT"] == 20, "20")
    return Proved("20", {"RTO": "1/100", "RTT": "1/2000"})


@evidence("losspass.sec5.2.rto", form="printed", strength="exact")
def fifty_eight_round_trips() -> Outcome:
    """5 ms/85.2 us."""
    factor = SIMULATION["RTO"] / SIMULATION["RTT"]
    check(58 < factor < 59, "between 58 and 59")
    return Proved(f"{float(factor):.2f}", {"RTO": "1/200", "RTT": "213/2500000"})


@evidence("losspass.sec5.1.classes", form="printed", strength="smt")
def the_classes_partition_the_sizes() -> Outcome:
    """Every size is in exactly one of (0, 100 KB], (100 KB, 10 MB], (10 MB, infinity)."""
    x = sp.Symbol("x", positive=True)
    low, high = 100_000, 10_000_000
    classes = [x <= low, sp.And(x > low, x <= high), x > high]
    for k, one in enumerate(classes):
        smt.prove([one], [sp.Not(other) for j, other in enumerate(classes) if j != k])
    return smt.prove([x > 0], sp.Or(*classes)).proved()


@evidence("losspass.sec5.1.demotion", form="printed", strength="exact")
def a_medium_flow_stays_in_the_small_queue() -> Outcome:
    """A flow of 500 KB is demoted never (T = 1 MB) and counted as medium."""
    says = "all of its packets are in Q_s, the metrics call it medium"
    return values("S <= 100000", ["S <= T", "S <= 10000000"], says, S=500_000, T=1_000_000)


@evidence("losspass.sec5.1.1.burst", form="printed", strength="exact")
def sixteen_responses_exceed_the_port() -> Outcome:
    """16 times 32 KB against 128 KB, in either unit: beyond B something is lost, whatever is evicted."""
    check(all(Fraction(16 * 32 * kilo, 128 * kilo) == 4 for kilo in (1000, KIB)), "four times the port")
    return Proved("512 KB against a port of 128 KB", {"B": "128000", "burst": "512000"}, ["burst > B"])


@evidence("losspass.fig8.range", form="printed", strength="smt")
def the_guaranteed_ratio_is_a_valid_reserve() -> Outcome:
    """K_l alpha <= K_l = 45 packets <= B for alpha in [0, 1]."""
    alpha = sp.Symbol("alpha", nonnegative=True)
    return smt.prove([alpha <= 1], 45 * 1500 * alpha <= 128_000).proved()


@evidence(
    "losspass.sec5.2.servers", "losspass.sec5.2.spines", "losspass.sec5.2.pairs", form="printed", strength="exact"
)
def the_topology_adds_up() -> Outcome:
    """8 * 24 = 192; 8 * 2 uplinks are 8 for each of 2 spines; ordered pairs counted one by one."""
    check(8 * 24 == 192, "servers")
    check(8 * 2 == 2 * 8, "one uplink from every leaf to every spine")
    check(sum(a != b for a, b in product(range(192), repeat=2)) == 192 * 191 == 36_672, "pairs")
    return Agrees(3, "servers, uplinks, pairs")


@evidence("losspass.sec5.2.pairs-used", form="printed", strength="exact")
def five_thousand_flows_leave_pairs_out() -> Outcome:
    """5,000 flows over 36,672 pairs reach at most 5000/36672 of them, if no two share one."""
    reached = Fraction(5000, 192 * 191)
    check(1 - reached >= Fraction(86, 100), "86 %")
    return Proved(
        f"at most {float(100 * reached):.1f} % of the pairs carry a flow", {"flows": "5000", "pairs": "36672"}
    )


@evidence("losspass.sec5.2.k84", form="printed", strength="exact")
def the_simulations_pipe_and_84_packets() -> Outcome:
    """106,500 bytes against 84 packets of 1460 or 1500 bytes."""
    bdp = SIMULATION["C"] * SIMULATION["RTT"]
    check(bdp == 106_500 and bdp / 1500 == 71, "71 packets")
    check(all(84 * packet >= bdp for packet in (1460, 1500)), "K")
    return Agrees(2, "two packet sizes")


@evidence("losspass.sec5.2.k45", form="printed", strength="exact")
def the_simulations_pipe_and_45_packets() -> Outcome:
    """106,500 bytes against 45 packets of 1500 bytes."""
    return values("K >= C*RTT", says="67,500 bytes against 106,500", K=67_500, C=1_250_000_000, RTT="213/2500000")


@evidence("losspass.sec5.2.buffers", form="printed", strength="exact")
def an_even_share_of_the_leaf() -> Outcome:
    """9 MB (either unit) over 26 ports against 106,500 bytes."""
    check(all(Fraction(size, 26) >= 106_500 for size in (9_000_000, 9 * MIB)), "B >= C RTT at 10 Gbps")
    return Agrees(2, "MB decimal and binary")


@evidence("losspass.sec5.2.uplinks", form="printed", strength="exact")
def an_even_share_is_too_small_for_40_gbps() -> Outcome:
    """9 MB (either unit) over 26 ports against 40 Gbps times 85.2 us."""
    check(Fraction(9 * MIB, 26) < 426_000, "binary too")
    return values(
        "S/26 >= C*RTT", says="346,153 bytes against 426,000", S=9_000_000, C=5_000_000_000, RTT="213/2500000"
    )


@evidence(
    "losspass.sec4.1.lookup", "losspass.sec4.1.arbiter", "losspass.slides.clock2", form="printed", strength="exact"
)
def cycles_add_up() -> Outcome:
    """Section 4.1's list: match, update; conditions, free, link."""
    cycles = {"match": 1, "update": 1, "conditions": 1, "free": 1, "link": 1}
    check(cycles["match"] + cycles["update"] == 2, "look-up")
    check(cycles["conditions"] + cycles["free"] + cycles["link"] == 3, "arbiter")
    check(sum(cycles.values()) == 5, "total")
    return Agrees(3, "look-up, arbiter, total; freeing the victim is one of them")


@evidence("losspass.sec4.1.percent", form="printed", strength="exact")
def five_of_800_cycles() -> Outcome:
    """5/800 = 0.625 % lies in the rounding interval of 0.63 (half up)."""
    check(Fraction(500, 800) == Fraction("0.625"), "0.625 %")
    check(names("0.63", Fraction("0.625")), "[0.625, 0.635)")
    return Proved("0.625 is the lower end of [0.625, 0.635)", {"cycles": "5", "of": "800"})


@evidence("losspass.sec4.1.nanoseconds", "losspass.sec4.1.hundreds", form="printed", strength="exact")
def cycles_in_nanoseconds() -> Outcome:
    """5 and 800 cycles at 10^9 a second."""
    check([Fraction(n, 10**9) * 10**9 for n in (5, 800)] == [5, 800], "ns")
    check(len(str(800)) == 3, "hundreds: three digits")
    return Agrees(2, "5 and 800 cycles")


@evidence("losspass.sec4.1.line-rate", form="printed", strength="exact")
def five_cycles_keep_up_with_small_packets() -> Outcome:
    """64 bytes (84 with preamble and gap) at 100 Gbps last longer than 5 ns."""
    check(all(Fraction(size) / (100 * GBPS) >= Fraction(5, 10**9) for size in (64, 84)), "5 ns")
    return Agrees(2, "64 bytes, and 84 on the wire")


@evidence("losspass.sec4.1.tens", form="printed", strength="exact")
def the_timer_is_less_than_ten_sojourns() -> Outcome:
    """10 ms against B/C of the testbed (either KB)."""
    check(all(TESTBED["RTO"] < 10 * Fraction(size) / GBPS for size in (128_000, 128 * KIB)), "either unit")
    return values("RTO >= 10*B/C", says="a full port drains in 1.024 ms", RTO="1/100", B=128_000, C=125_000_000)


@evidence("losspass.sec4.1.head", form="printed", strength="exact")
def removing_the_head_moves_the_head_pointer() -> Outcome:
    """The list 0 -> 1: after removing the head the head pointer is 1."""
    links = {0: 1}
    head = 0
    return values("after == before", says="the head pointer is updated", before=head, after=links[head])


@evidence("losspass.sec4.2.idle", form="printed", strength="exact")
def dropping_at_the_egress_wastes_a_slot() -> Outcome:
    """Two packets, the first evicted: in slot 1 nothing is sent although packet 1 waits."""
    waiting, evicted, sent = [0, 1], {0}, []
    for _ in range(2):
        packet = waiting.pop(0)
        sent.append(None if packet in evicted else packet)
    check(sent == [None, 1], "slot 1 is idle")
    return Proved("slot 1 carries nothing", {"waiting": "1"})
