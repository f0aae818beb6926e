"""Sections 2.2, 2.3 and 6: PQL, PMSB, MQ-ECN and TCN; runs and published numbers."""

from collections import deque
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from dtmodel.companion.hunting import agree_in_runs
from dtmodel.ledger import Agrees, Conflict, Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.packet.dynaq.schemes import PMSB, PQL, BestEffort
from dtmodel.packet.schedulers import StrictPriority, WeightedRoundRobin
from dtmodel.theory.dynaq import schemes
from dtmodel.theory.dynaq.sheet import PRESETS

from ..support.dynaq.ports import serve
from .runs import largest
from .settings import numbers


def serve_tcn(sojourns: Sequence[int], threshold: int) -> list[str]:
    """Serve a FIFO queue slot by slot and drop at dequeue what waited for longer than the threshold.

    Returns what each slot was: "sent", or "idle" although a packet was queued when it began. The scheduler that has
    dropped a packet takes out the next one at once.
    """
    queue, slots = deque(sojourns), []
    while queue:
        sent = False
        while queue and not sent:
            sent = queue.popleft() <= threshold
        slots.append("sent" if sent else "idle")
    return slots


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


@evidence("dynaq.sec2.3.tcn.dequeue", form="printed", strength="exact")
def alone_at_a_constant_rate_the_sojourn_is_known() -> Outcome:
    """A FIFO link of rate C with q bytes before the packet: it waits q / C, which is known when it arrives."""
    backlog, rate = 3, 1
    departures = [Fraction(k + 1, rate) for k in range(backlog)]  # of the packets before it, each of one byte
    says = "with one queue the time until the packet's service starts is its backlog over the rate of the link"
    return refuted_by_values({"backlog": backlog, "C": rate, "sojourn": departures[-1]}, "sojourn != backlog / C", says)


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


@evidence("dynaq.sec2.3.tcn.idle", "dynaq.sec1.tcn-idle", form="printed", strength="exact")
def a_scheduler_that_picks_again_loses_no_time() -> Outcome:
    """A backlog of two packets, the first dropped at dequeue: the second is sent in the same slot."""
    slots = serve_tcn([5, 1], 3)
    says = "dropping takes no time on the wire: the link is idle only if nothing else is queued"
    values = {"dropped": 2 - slots.count("sent"), "idle": slots.count("idle")}
    return refuted_by_values(values, "idle > 0", says, ["dropped > 0"])


@evidence("dynaq.sec2.3.tcn.idle", "dynaq.sec1.tcn-idle", form="assumed", strength="exact")
def a_backlog_that_ends_with_a_drop_leaves_a_slot_idle() -> Outcome:
    """Serve all queues of up to 8 packets, each dropped or not: the link is idle exactly where the last one is."""
    cases = 0
    for n in range(1, 9):
        for sojourns in product((1, 5), repeat=n):
            slots = serve_tcn(sojourns, 3)
            check((slots[-1] == "idle") == (sojourns[-1] > 3), f"{sojourns}")
            check("idle" not in slots[:-1], f"{sojourns}: idle with a backlog")
            cases += 1
    return Agrees(cases, "all queues of up to 8 packets, each dropped or not")


@evidence("dynaq.sec2.3.pmsb.both", form="printed", strength="exact")
def dropping_pmsb_drops_exactly_where_both_conditions_hold() -> Outcome:
    """Compare the scheme with the two conditions for all lengths of two queues that leave room in the port."""
    scheme, cases = PMSB(100, 6, (2, 4)), 0
    for q in range(10):
        for other in range(10):
            dropped = not scheme.admit((), (q, other), 0, 1)[0]
            check(dropped == (q + other + 1 > 6 and q + 1 > 2), f"{q}, {other}")
            cases += 1
    return Agrees(cases, "two queues of up to 9 packets")


@evidence("dynaq.sec2.3.pmsb-like-pql", "dynaq.sec1.pmsb-like-pql", form="printed", strength="exact")
def alone_under_dropping_pmsb_a_queue_holds_k() -> Outcome:
    """The testbed with lambda = 1: one active queue holds K = 61.5 KB under PMSB, its quota of 21 KB under PQL."""
    D, lam, weights = Fraction(62_500), Fraction(1), (Fraction(1),) * 4
    pmsb = PMSB(85_000, schemes.pmsb_port_threshold(D, lam), schemes.pmsb_queue_thresholds(D, weights, lam))
    pql = PQL(schemes.pql_quotas(Fraction(85_000), weights))
    held = {"pmsb": sum(largest(pmsb, 4, (0,), 1500)), "pql": sum(largest(pql, 4, (0,), 1500))}
    same = PQL(schemes.pmsb_queue_thresholds(D, weights, lam))
    held["pql_with_K_i"] = sum(largest(same, 4, (0,), 1500))
    check(held == {"pmsb": 61_500, "pql": 21_000, "pql_with_K_i": 15_000}, f"{held}")
    says = "a packet is dropped only if both conditions hold: alone, a queue goes up to K, not to K_i"
    values = {key: str(value) for key, value in held.items()}
    return refuted_by_values(values, "pmsb <= pql or pmsb == pql_with_K_i", says)


@evidence("dynaq.sec2.3.pql-quota", form="printed", strength="exact")
def pql_gives_each_queue_its_quota() -> Outcome:
    """Two queues with quotas of 2 and 3, all lengths up to 3: whatever the other holds, the quota can be filled."""
    scheme = PQL((2, 3))
    for others in range(4):
        check([scheme.admit((), (q, others), 0, 1)[0] for q in range(4)] == [True, True, False, False], f"{others}")
    return Agrees(16, "two queues of up to 3 packets; for any number of queues and bytes: pql_looks_at_one_queue_only")


@evidence("dynaq.sec2.3.pql-fair", form="printed", strength="exact")
def pql_cannot_be_fair_regardless_and_considerably_unfair() -> Outcome:
    """Section 2.3 has each queue enjoy its share under PQL; Section 5.1.1 measures two active queues of four."""
    check(Fraction(85_000, 4) > Fraction(62_500, 4) and Fraction(85_000, 4) < Fraction(62_500, 2), "the quota")
    return Conflict(
        "dynaq.sec5.1.1.pql-unfair",
        "with two of four queues active the quota exceeds the weighted BDP and PQL is reported unfair all the same",
        {"quota": "21250", "WBDP_i": "15625", "BDP of half the link": "31250"},
    )


@evidence("dynaq.sec1.pql-single", form="printed", strength="exact")
@evidence("dynaq.sec3.2.3.pql", "dynaq.sec2.3.pql-underused", form="printed", strength="exact")
def few_active_queues_hold_less_than_a_bdp_under_pql() -> Outcome:
    """In each of the paper's settings, one or two active queues under PQL hold less than the BDP."""
    cases = 0
    for B, BDP, size, weights in map(numbers, PRESETS.values()):
        quotas = schemes.pql_quotas(B, weights)
        for active in ((0,), (0, 1)):  # of unequal weights the largest
            held, most = sum(largest(PQL(quotas), len(weights), active, int(size))), sum(quotas[i] for i in active)
            check(most - len(active) * size < held <= most < BDP, f"{B}: {held}")
            cases += 1
    return Agrees(cases, "the six settings of the paper, one and two active queues")


@evidence("dynaq.sec2.3.bdp-everywhere", form="printed", strength="exact")
def no_setting_has_a_bdp_for_each_queue() -> Outcome:
    """Compare M BDPs with B: 250 > 85, 840 > 192, 4,000 > 1,000 KB."""
    cases = [(len(weights) * BDP, B) for B, BDP, _, weights in map(numbers, PRESETS.values())]
    check(all(needed > B for needed, B in cases), f"{cases}")
    return Agrees(len(cases), "the six settings of the paper")


@evidence("dynaq.sec2.3.pql-not-work-conserving", form="printed", strength="exact")
def a_quota_below_the_bdp_does_not_fill_the_link() -> Outcome:
    """Evaluate the use of the link by one halving window with the testbed's quota and with a BDP."""
    quota, D = Fraction(85_000, 4), Fraction(62_500)
    used = schemes.sawtooth_utilisation(quota, D)
    check(quota < D and used < 1 and schemes.sawtooth_utilisation(D, D) == 1, f"{used}")
    return Proved(f"{float(used):.2f} of the link with 21.25 of 62.5 KB", {"used": str(used)}, ["used < 1"])


@evidence("dynaq.sec6.large-port-buffer", form="printed", strength="exact")
def a_larger_buffer_does_not_help_the_starved_queue() -> Outcome:
    """Two packets of queue 2 arrive before each of queue 1, in best-effort buffers of 2 to 64: it sends little."""
    for B in (2, 4, 8, 16, 32, 64):
        arrivals = [(t, i, 1) for t in range(400) for i in (1, 1, 0)]
        tally = serve(BestEffort(B), WeightedRoundRobin((1, 1)), arrivals, rate=1, until=400, queues=2)
        check(4 * tally.sent[0] < tally.sent[1], f"B = {B}: {tally.sent}")
    return Proved("less than a fifth of the link instead of a half, for each buffer", {"B": "64"})


@evidence("dynaq.sec6.dts", form="printed", strength="exact")
def small_reservations_leave_a_bdp() -> Outcome:
    """The testbed's 85 KB with 5 KB reserved for each of 4 queues: one queue may hold 70 KB."""
    held = 85_000 - 3 * 5_000
    check(schemes.sawtooth_utilisation(Fraction(held), Fraction(62_500)) == 1, "the link is full")
    says = "one active queue holds its own 5 KB and the shared 65 KB: more than the BDP of 62.5 KB"
    return refuted_by_values({"reserved": 5_000, "held": held, "BDP": 62_500}, "held < BDP", says, ("reserved > 0",))


@evidence("dynaq.ours.pmsb", form="printed", strength="exact")
def dropping_pmsb_shares_and_protects() -> Outcome:
    """Under dropping PMSB no queue is refused within K_i while B >= 2K, and the port never holds 2K."""
    cases = 0
    for K, parts in ((4, (2, 2)), (6, (2, 2, 2)), (6, (4, 2))):
        scheme = PMSB(2 * K, K, parts)
        seen, front = {(0,) * len(parts)}, [(0,) * len(parts)]
        while front:
            state = front.pop()
            for p in range(len(parts)):
                grown = tuple(q + (i == p) for i, q in enumerate(state))
                admitted = scheme.admit((), state, p, 1)[0]
                check(admitted or state[p] + 1 > parts[p], f"{state}: queue {p} is refused within K_i")
                smaller = tuple(max(0, q - (i == p)) for i, q in enumerate(state))
                for after in ([grown] if admitted else []) + [smaller]:
                    if after not in seen:
                        seen.add(after)
                        front.append(after)
        check(max(map(sum, seen)) < 2 * K, "more than 2K")
        cases += len(seen)
    return Agrees(cases, "every reachable state of three ports, one packet size")


@evidence("dynaq.sec1.large-buffer", form="printed", strength="sampled")
def relations_that_are_proved_hold_in_runs() -> Outcome:
    """Draw instances of the executable forms, on bounds and ties, and run the engines on them."""
    tried = agree_in_runs(globals(), "relations_that_are_proved_hold_in_runs")
    return Agrees(tried, "instances of the forms, drawn with a fixed seed")


@evidence("dynaq.sec6.burst-sharing", form="printed", strength="exact")
def one_document_shares_buffers_where_the_other_marks() -> Outcome:
    """What each of the two papers calls CEDM."""
    called = {"DynaQ paper, Section 6": "buffer sharing", "LossPass paper, Section 6": "packet marking"}
    check(len(set(called.values())) == 2, "two kinds")
    return Conflict("losspass.sec6.variants.marking", "CEDM is called a buffer sharing and a marking scheme.", called)
