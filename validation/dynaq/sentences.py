"""Sentences of Sections 1 to 6 that a small port, a link or an inequality decides."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import sympy

from dtmodel.ledger import Agrees, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.packet.dynaq import DynaQ, algorithm1
from dtmodel.packet.schedulers import StrictPriority, WeightedRoundRobin
from dtmodel.packet.service_queues import BestEffort, serve
from dtmodel.provers import smt
from dtmodel.theory import service_queue_schemes as schemes

from .common import refuted_by


def values(statement: str, says: str, hypotheses: tuple[str, ...] = (), **numbers: object) -> Counterexample:
    """Refute a statement by numbers."""
    data = {
        "values": {name: str(value) for name, value in numbers.items()},
        "hypotheses": list(hypotheses),
        "statement": statement,
    }
    return Counterexample(Witness("values", data, says=says), says)


@evidence("dynaq.sec1.cycles@any-number", form="printed", strength="exact")
def thirty_two_queues_take_nine_cycles() -> Outcome:
    """Evaluate the paper's accounting for the 32 queues of Section 3.2.2."""
    return values("cycles <= 7", "1 + 5 + 2 + 1 cycles with 32 queues", queues=32, cycles=schemes.cycles(32).total)


@evidence("dynaq.sec1.cycles@any-number", form="assumed", strength="exact")
def up_to_eight_queues_take_up_to_seven_cycles() -> Outcome:
    """Evaluate it for 1 to 8 queues."""
    counted = [schemes.cycles(M).total for M in range(1, 9)]
    check(max(counted) == counted[-1] == 7, f"{counted}")
    return Agrees(8, "1 to 8 queues; 7 is attained")


@evidence("dynaq.sec1.per-port-fairness", form="printed", strength="smt")
def a_port_with_more_leaves_another_with_less() -> Outcome:
    """Prove for n ports: if one exceeds memory/n, the others together have less than (n - 1) memory/n."""
    memory, n, x, rest = sympy.symbols("memory n x rest", positive=True)
    proof = smt.prove([n >= 2, x + rest <= memory, n * x > memory], n * rest < (n - 1) * memory)
    return proof.proved("the n - 1 others average less than memory/n, so that one of them has less")


@evidence("dynaq.sec2.1.violated", form="printed", strength="exact")
def a_scheduler_of_equal_weights_serves_one_queue_only() -> Outcome:
    """WRR with equal weights and a best-effort buffer of 2: the queue that arrives first after a departure gets all."""
    arrivals = [(t, i, 1) for t in range(40) for i in (1, 1, 0)]
    tally = serve(BestEffort(2), WeightedRoundRobin((1, 1)), arrivals, rate=1, until=40, queues=2)
    check(tally.sent == (0, 40) and tally.offered[0] == 40, f"{tally}")
    return Proved("queue 1 offers twice its share and sends nothing in 40 services", {"sent1": "0", "sent2": "40"})


@evidence("dynaq.sec2.3.mq-ecn.no-round", form="printed", strength="exact")
def under_strict_priority_a_queue_may_never_be_served() -> Outcome:
    """The first queue gets a packet in every service: the scheduler's state repeats, and the second is never picked."""
    scheduler, queues = StrictPriority(), [[1], [1]]
    picked, memory = scheduler.pick(scheduler.start(), queues)
    check(picked == 0 and memory == scheduler.start(), "a lasso of one service")
    arrivals = [(0, 1, 1), *((t, 0, 1) for t in range(40))]
    tally = serve(BestEffort(9), StrictPriority(), [(0, 0, 1), *arrivals], rate=1, until=40, queues=2)
    check(tally.sent == (40, 0), f"{tally}")
    return Proved("no service of queue 2: there is no round, and quantum / T_round has no value", {"sent2": "0"})


@evidence("dynaq.sec2.3.pql-not-work-conserving", form="printed", strength="exact")
def a_quota_below_the_bdp_does_not_fill_the_link() -> Outcome:
    """Evaluate the use of the link by one halving window with the testbed's quota and with a BDP."""
    quota, D = Fraction(85_000, 4), Fraction(62_500)
    used = schemes.sawtooth_utilisation(quota, D)
    check(quota < D and used < 1 and schemes.sawtooth_utilisation(D, D) == 1, f"{used}")
    return Proved(f"{float(used):.2f} of the link with 21.25 of 62.5 KB", {"used": str(used)}, ["used < 1"])


@evidence("dynaq.sec2.3.tcn.dequeue", form="printed", strength="exact")
def one_queue_at_a_constant_rate_knows_the_sojourn_time_at_arrival() -> Outcome:
    """A FIFO link of rate C with q bytes before the packet: it waits q / C, which is known when it arrives."""
    backlog, rate = 3, 1
    departures = [Fraction(k + 1, rate) for k in range(backlog)]  # of the packets before it, each of one byte
    says = "with one queue the time until the packet's service starts is its backlog over the rate of the link"
    return values("sojourn != backlog / C", says, backlog=backlog, C=rate, sojourn=departures[-1])


@evidence("dynaq.sec2.3.tcn.dequeue", form="assumed", strength="exact")
def with_two_queues_later_arrivals_decide_the_sojourn_time() -> Outcome:
    """Two futures of one state under WRR: the packet starts after 1 or after 3 services of the other queue and its own.

    Three packets of queue 1 are followed by none, or by two packets of queue 2.
    """
    waits = []
    for others in (0, 2):
        scheduler = WeightedRoundRobin((1, 1))
        queues, memory, served = [[1] * 3, [1] * others], scheduler.start(), 0
        while len(queues[0]) > 1:
            picked, memory = scheduler.pick(memory, queues)
            check(picked is not None, "a packet waits")
            queues[picked or 0].pop()
            served += 1
        while scheduler.pick(memory, queues)[0] != 0:
            picked, memory = scheduler.pick(memory, queues)
            queues[picked or 0].pop()
            served += 1
        waits.append(served)
    check(waits[0] == 2 and waits[1] > waits[0], f"{waits}")
    return Proved("the same state at arrival, two sojourn times", {"alone": str(waits[0]), "shared": str(waits[1])})


@evidence("dynaq.sec3.1.work-conservation", form="printed", strength="exact")
def a_link_without_packets_is_idle() -> Outcome:
    """Serve nothing for one unit of time."""
    tally = serve(BestEffort(4), WeightedRoundRobin((1, 1)), [(3, 0, 1)], rate=1, until=3, queues=2)
    says = "no packet arrives before t = 3: the link is idle until then under any scheme"
    return values("idle == 0", says, idle=tally.idle)


@evidence("dynaq.sec3.1.work-conservation", form="assumed", strength="exact")
def every_scheduler_picks_a_packet_if_there_is_one() -> Outcome:
    """Pick from every combination of three queues of up to three packets."""
    cases = 0
    for scheduler in (StrictPriority(), WeightedRoundRobin((3, 2, 1))):
        for code in range(1, 4**3):
            queues = [[1] * (code // 4**i % 4) for i in range(3)]
            picked, _ = scheduler.pick(scheduler.start(), queues)
            check(picked is not None and bool(queues[picked]), f"{scheduler}: {queues}")
            cases += 1
    return Agrees(cases, "two schedulers, all combinations with a packet")


@evidence("dynaq.sec3.1.fair-any-time", form="printed", strength="exact")
def after_one_packet_one_queue_is_ahead() -> Outcome:
    """Two backlogged queues of equal weight after one service."""
    arrivals = [(0, i, 1) for i in (0, 1, 0, 1)]
    tally = serve(BestEffort(9), WeightedRoundRobin((1, 1)), arrivals, rate=1, until=1, queues=2)
    return values("sent1 == sent2", "one packet was sent, by one queue", sent1=tally.sent[0], sent2=tally.sent[1])


@evidence("dynaq.sec3.1.fair-any-time", form="assumed", strength="exact")
def after_whole_rounds_the_shares_are_the_weights() -> Outcome:
    """Backlogged queues with weights 1:1 and 4:3:2:1 after 1 to 5 rounds."""
    cases = 0
    for weights in ((1, 1), (4, 3, 2, 1)):
        for rounds in range(1, 6):
            arrivals = [(0, i, 1) for i in range(len(weights)) for _ in range(30)]
            scheduler, until = WeightedRoundRobin(weights), rounds * sum(weights)
            tally = serve(BestEffort(999), scheduler, arrivals, rate=1, until=until, queues=len(weights))
            check(tally.sent == tuple(rounds * w for w in weights), f"{tally}")
            cases += 1
    return Agrees(cases, "two sets of weights, 1 to 5 rounds; the scheduler's state is the same after each round")


@evidence("dynaq.alg1.line2.exists", form="printed", strength="exact")
def one_queue_has_no_victim() -> Outcome:
    """A port of one queue: the second packet exceeds the threshold, and there is no other queue."""
    return refuted_by(DynaQ(1, (1,)), [("arrive", 0, 1)] * 2, "the argmax is over no queue at all", victim=1)


@evidence("dynaq.alg1.line2.exists", form="assumed", strength="exact")
def two_queues_or_more_have_a_victim() -> Outcome:
    """For 2 to 32 queues and each sender, a packet beyond the threshold has a victim other than its own queue."""
    cases = 0
    for M in range(2, 33):
        rules = DynaQ(M, (1,) * M)
        for p in range(M):
            ruling = algorithm1(rules, rules.initial, [1] * M, p, 1)
            check(ruling.victim is not None and ruling.victim != p, f"M = {M}, queue {p}: {ruling}")
            cases += 1
    return Agrees(cases, "2 to 32 queues, every sender: the M - 1 other queues are never an empty set")


@evidence("dynaq.sec3.2.2.order@equality", form="printed", strength="exact")
def the_sum_is_smaller_between_lines_6_and_7() -> Outcome:
    """Follow one adjustment of a port of 4 bytes: 2 + 2, then 2 + 1, then 3 + 1."""
    T_p, T_v, size = 2, 2, 1
    between, after = T_p + (T_v - size), (T_p + size) + (T_v - size)
    check(after == 4, f"{after}")
    return values("between == B", "after line 6 and before line 7 the sum is 3, not 4", B=4, between=between)


@evidence("dynaq.sec3.2.3.wc-definition", form="printed", strength="smt")
def rates_that_conserve_work_exist_under_overload() -> Outcome:
    """Prove for two queues: with an overload and lambda_1 below its share, alpha_2 = C - lambda_1 makes the sum C."""
    x, y, C, s = sympy.symbols("x y C s", positive=True)  # lambda_1, lambda_2, capacity, share of queue 1
    overload = [x + y > C, x < s, s < C]
    alpha = C - x
    proof = smt.prove(overload, sympy.And(alpha > 0, alpha < y, alpha > C - s))
    check(sympy.expand(x + alpha - C) == 0, "the sum")
    return proof.proved("mu_1 = lambda_1 and mu_2 = min(lambda_2, C - lambda_1) = C - lambda_1, above its own share")


@evidence("dynaq.ours.stale-length", form="printed", strength="exact")
def a_stale_length_takes_the_threshold_of_an_active_queue() -> Outcome:
    """Run line 3 with the length 1 of the victim, and with 0, its length before the last packet."""
    rules = DynaQ(4, (1, 1))
    true, stale = (algorithm1(rules, rules.initial, [2, q], 0, 1) for q in (1, 0))
    check(true.decision == "drop" and true.thresholds == rules.initial, f"{true}")
    check(stale.decision == "enqueue" and stale.thresholds[1] < rules.satisfaction[1], f"{stale}")
    example = {"T_v": str(stale.thresholds[1]), "S_v": str(rules.satisfaction[1]), "q_v": "1"}
    return Proved("T_2 falls to 1 < S_2 = 2 although queue 2 holds a packet", example, ["T_v < S_v", "q_v > 0"])


@evidence("dynaq.sec5.2.2.non-blocking", form="printed", strength="exact")
def two_flows_on_one_uplink_block() -> Outcome:
    """Two hosts of a leaf send at the rate of their links, and both flows are hashed to one uplink."""
    says = "20 Gbps are offered to an uplink of 10 Gbps although no host is overloaded"
    return values("offered <= uplink", says, ("host <= uplink",), host=10, uplink=10, offered=10 + 10)


@evidence("dynaq.sec5.2.2.non-blocking", form="assumed", strength="symbolic")
def traffic_spread_over_the_spines_fits() -> Outcome:
    """Spread evenly, 12 hosts at full rate load each uplink, and each downlink of a spine, with one host's rate."""
    rate = sympy.Symbol("rate", positive=True)
    hosts = spines = 12
    up = sum(rate / spines for _ in range(hosts))  # one uplink: a twelfth of each host of the leaf
    down = sum(rate / spines for _ in range(hosts))  # one link to a leaf: a twelfth of what its hosts may receive
    check(sympy.simplify(up - rate) == 0 and sympy.simplify(down - rate) == 0, f"{up}, {down}")
    return Proved("each link carries at most 12/12 of a host's rate", {"hosts": "12", "spines": "12"})


@evidence("dynaq.sec6.large-port-buffer", form="printed", strength="exact")
def a_larger_buffer_does_not_help_the_starved_queue() -> Outcome:
    """Two packets of queue 2 arrive before each of queue 1, in best-effort buffers of 2 to 64: it sends little."""
    for B in (2, 4, 8, 16, 32, 64):
        arrivals = [(t, i, 1) for t in range(400) for i in (1, 1, 0)]
        tally = serve(BestEffort(B), WeightedRoundRobin((1, 1)), arrivals, rate=1, until=400, queues=2)
        check(4 * tally.sent[0] < tally.sent[1], f"B = {B}: {tally.sent}")
    return Proved("less than a fifth of the link instead of a half, for each buffer", {"B": "64"})


@evidence("dynaq.ours.smaller-S", form="printed", strength="smt")
def a_smaller_satisfaction_threshold_is_kept_as_well() -> Outcome:
    """Prove the base from (2) and both steps: an active queue is a victim that line 3 accepts, or the sender."""
    B, D, w, W, T, s = sympy.symbols("B D w W T s", positive=True)
    base = smt.prove([B >= D], B * w / W >= D * w / W)
    need = sympy.Symbol("need", nonnegative=True)
    smt.prove([need <= T, sympy.Not(sympy.Or(s > T, T - s < need))], T - s >= need)
    smt.prove([need <= T], T + s >= need)
    return base.proved("T_i starts at B w / W >= BDP w / W, and no step of line 6 or 7 leads below it")


@evidence("dynaq.sec5.1.2.overall-large@because", form="printed", strength="exact")
def many_slow_small_flows_dominate_an_average() -> Outcome:
    """100 flows of 0.1 MB that take 1 s, and twice that under the other scheme; one of 100 MB takes 10 s."""
    small, large = 100, 1
    overall = Fraction(small * 2 + large * 10, small * 1 + large * 10)
    says = "ten elevenths of the bytes are in the large flow, whose ratio is 1; over all flows it is 21/11"
    numbers = {"overall": overall, "large": 1, "bytes_small": small * Fraction(1, 10), "bytes_large": 100}
    return values("abs(overall - large) <= bytes_small / (bytes_small + bytes_large)", says,
                  ("bytes_large > bytes_small",), **numbers)  # fmt: skip


@evidence("dynaq.sec5.1.2.overall-large@because", form="assumed", strength="smt")
def with_times_in_proportion_to_sizes_the_bytes_are_the_weights() -> Outcome:
    """Prove: with FCT = size x c the overall ratio differs from the large one by the small bytes' part of the gap."""
    small, large, c = sympy.symbols("small large c", positive=True)  # bytes, seconds a byte
    r_s, r_l = sympy.symbols("r_s r_l", positive=True)
    overall = (c * small * r_s + c * large * r_l) / (c * small + c * large)
    gap = sympy.cancel(overall - r_l - (r_s - r_l) * small / (small + large))
    check(gap == 0, f"{gap}")
    part = smt.prove([large > small], 2 * small < small + large)
    return part.proved("overall - large = (small - large) x the part of the bytes in small flows, less than a half")


@evidence("dynaq.sec6.dts", form="printed", strength="exact")
def small_reservations_leave_a_bdp() -> Outcome:
    """The testbed's 85 KB with 5 KB reserved for each of 4 queues: one queue may hold 70 KB."""
    held = 85_000 - 3 * 5_000
    check(schemes.sawtooth_utilisation(Fraction(held), Fraction(62_500)) == 1, "the link is full")
    says = "one active queue holds its own 5 KB and the shared 65 KB: more than the BDP of 62.5 KB"
    return values("held < BDP", says, ("reserved > 0",), reserved=5_000, held=held, BDP=62_500)


@evidence("dynaq.sec6.dts", form="assumed", strength="smt")
def large_reservations_do_not() -> Outcome:
    """Prove that a window halved at BDP + b with b = B - reserved < BDP leaves the pipe partly empty."""
    B, reserved, D = sympy.symbols("B reserved D", positive=True)
    proof = smt.prove([reserved < B, B - reserved < D], (D + B - reserved) / 2 < D)
    used = schemes.sawtooth_utilisation(Fraction(85_000 - 3 * 15_000), Fraction(62_500))
    check(used < 1, f"{used}")
    return proof.proved("with 15 KB reserved for each of three idle queues 40 of 62.5 KB are left")


@evidence("dynaq.sec4.1.registers@port", form="printed", strength="kernel")
def a_port_counter_does_not_tell_the_queues_apart() -> Outcome:
    """Two states with 2 bytes in the port: line 1 finds the threshold of queue 1 exceeded in one of them only."""
    rules = DynaQ(4, (1, 1))
    rulings = [algorithm1(rules, rules.initial, q, 0, 1) for q in ((2, 0), (1, 1))]
    check(rulings[0].victim is not None and rulings[1].victim is None, f"{rulings}")
    says = "2 bytes in the port: with 2 in queue 1 a packet exceeds T_1 = 2, with 1 in each queue it does not"
    lengths = {"q1": 2, "q2": 0, "r1": 1, "r2": 1, "T1": 2}
    given = ("min(q1, q2, r1, r2) >= 0", "T1 >= 0", "q1 + q2 == r1 + r2")
    return values("(q1 + 1 > T1 and r1 + 1 > T1) or (q1 + 1 <= T1 and r1 + 1 <= T1)", says, given, **lengths)


@evidence("dynaq.sec4.1.registers@queue", form="printed", strength="exact")
def arrivals_less_departures_are_the_length() -> Outcome:
    """Follow two counters and the packets of a queue over every sequence of up to 10 arrivals and departures."""
    cases = 0
    for code in range(2**10):
        packets, arrived, left = 0, 0, 0
        for bit in range(10):
            if code >> bit & 1:
                packets, arrived = packets + 1, arrived + 1
            elif packets:
                packets, left = packets - 1, left + 1
            check(arrived - left == packets, f"{code:b}")
        cases += 1
    return Agrees(cases, "every sequence of 10 events of one queue; the step is an identity")


@evidence("dynaq.ours.pql-by-active", form="printed", strength="exact")
def pql_uses_less_of_the_link_the_fewer_queues_are_active() -> Outcome:
    """Evaluate the use of a part C/n of the link by one window with the quota B/M, for n active queues."""
    for B, D, M, full, quoted in ((85_000, 62_500, 4, 3, "0.93"), (192_000, 105_000, 8, 5, "0.88")):
        used = [schemes.sawtooth_utilisation(Fraction(B, M), Fraction(D, n)) for n in range(1, M + 1)]
        check(all(u == 1 for u in used[full - 1 :]) and used[full - 2] < 1, f"{[float(u) for u in used]}")
        check(all(a < b for a, b in pairwise(used[:full])), f"{used}")
        check(abs(used[0] - Fraction(quoted)) <= Fraction(1, 200), f"{float(used[0])}")
        check(M == 8 or abs(used[1] - Fraction("0.99")) <= Fraction(1, 200), f"{float(used[1])}")
    return Proved("increasing with the number of active queues up to 1", {"testbed": "0.93", "rack": "0.88"})
