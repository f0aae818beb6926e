"""Statements of the paper that meet another statement, or Algorithm 1, in a place where they are not made."""

from __future__ import annotations

from fractions import Fraction

from dtmodel import DT, Arrivals, Switch, simulate
from dtmodel.ledger import Agrees, Conflict, Outcome, Proved, check, evidence
from dtmodel.theory.losspass import largest_burst

from .common import find, history, interval, last_decision, refutation, settings_of, values
from .quotes import LOSS, QUOTED, TABLE_2
from .witnesses import (
    another_policy_absorbs_a_packet_that_losspass_loses,
    losspass_can_lose_a_small_packet_that_tail_drop_saves,
)


@evidence("losspass.sec5.2.1.similar.large", form="printed", strength="exact")
def the_simulations_turn_the_result_for_large_flows_round() -> Outcome:
    """0.93 in the testbed, 1.07 in the simulations, for one workload and one baseline."""
    ratios = QUOTED["large-against-ecn"]
    check(interval(ratios["testbed"])[1] < 1 < interval(ratios["simulation"])[0], "opposite sides of 1")
    said = "Large flows are slower than under ECN in the one and faster in the other."
    return Conflict("losspass.sec5.1.2.large-web", said, ratios)


@evidence("losspass.fig11.caption", form="printed", strength="exact")
def loss_moves_from_small_to_large_flows() -> Outcome:
    """Small flows: the highest rate of LossPass is below the lowest of Droptail-2Q; large flows: above both others."""
    check(interval(LOSS["small, LossPass, most"])[1] < interval(LOSS["small, Droptail-2Q, least"])[0], "small")
    for other in ("large, Droptail", "large, Droptail-2Q"):
        check(interval(LOSS["large, LossPass"])[0] > interval(LOSS[other])[1], "large")
    return Agrees(3, "the rates quoted in Section 5.2.2, with their rounding")


@evidence("losspass.fig12.caption", form="printed", strength="exact")
def against_droptail_large_flows_gain() -> Outcome:
    """1.02 times better than Droptail is no degradation."""
    ratio = QUOTED["large-against-droptail"]["simulation"]
    check(interval(ratio)[0] > 1, "faster than under Droptail")
    return Conflict("losspass.sec5.2.2.large", "Against Droptail, one of the two schemes of the figure, the average "
                    "FCT of large flows improves.", {"against Droptail": ratio})  # fmt: skip


@evidence("losspass.intro.ecn-collision", form="printed", strength="exact")
def table_2_shows_an_effect_under_per_port_ecn() -> Outcome:
    """Eviction lowers the loss rate of small flows by 10.61 times in the row of per-port ECN."""
    row = TABLE_2["Per-Port ECN"]
    check(interval(row["loss_small"])[0] > 1 and interval(row["tail_small"])[0] > 1, "an effect")
    return Conflict("losspass.table2.loss-small", "Under per-port ECN eviction improves loss rate and tail FCT.", row)


@evidence("losspass.sec3.1.irrelevant@evictable", form="printed", strength="exact")
def what_can_be_evicted_is_what_large_flows_hold() -> Outcome:
    """Equation (6) at two shares of one full port."""
    few, many = (largest_burst(Fraction(128_000), Fraction(tau)) for tau in ("1/4", "3/4"))
    check(few < many, "fewer large bytes, less room")
    return Conflict("losspass.eq6", "By (6) the room at a full port is B tau, the bytes that large flows hold.",
                    {"tau = 1/4": few, "tau = 3/4": many})  # fmt: skip


@evidence("losspass.sec3.2.no-vacancy", form="printed", strength="exact")
def line_1_holds_with_free_bytes_left() -> Outcome:
    """The shortest trace in which a packet overflows a port that still has free bytes."""
    found = find(lambda h: h.overflows(h.moments[-1]) and 0 < h.moments[-1].small + h.moments[-1].large < h.buffer)
    return refutation(found, last_decision(found, "enqueue"), "the port has a free byte, and line 1 is true")


@evidence("losspass.sec3.1.passes", "losspass.slides.passes", form="printed", strength="exact")
def a_loss_is_not_always_passed_on() -> Outcome:
    """With two sizes LossPass can lose a small packet that tail drop saves."""
    return losspass_can_lose_a_small_packet_that_tail_drop_saves()


@evidence("losspass.sec3.1.minimised", form="printed", strength="exact")
def line_3_refuses_what_another_policy_saves() -> Outcome:
    """The witness of losspass.sec3.3.as-many."""
    return another_policy_absorbs_a_packet_that_losspass_loses()


@evidence("losspass.sec7.minimise", form="printed", strength="exact")
def another_order_finishes_small_flows_earlier_on_average() -> Outcome:
    """Q_s holds two packets of one flow and then one of another: first-in first-out ends them in slots 2 and 3."""
    arrivals = [("arrive", "small", 1)] * 3
    item = history(settings_of("intended", 3), [*arrivals, *[("depart", "any")] * 3])
    served = [m.step.packet for m in item.moments[3:]]
    check(served == [0, 1, 2], "first in, first out")
    losspass = Fraction((served.index(1) + 1) + (served.index(2) + 1), 2)
    order = [2, 0, 1]  # the shorter flow first
    other = Fraction((order.index(1) + 1) + (order.index(2) + 1), 2)
    return values("losspass <= other", says="the shorter flow first: 2 slots in place of 5/2 on average",
                  losspass=losspass, other=other)  # fmt: skip


@evidence("losspass.sec3.2.4.together@can", form="printed", strength="exact")
def a_mark_can_survive_the_burst() -> Outcome:
    """B = 2, K_l = 0: of two marked packets the burst evicts the last, and the first departs with its mark."""
    letters = [("arrive", "large", 1)] * 2 + [("arrive", "small", 1), ("depart", "any"), ("depart", "any")]
    item = history(settings_of("intended", 2, 0, (2, 0, None)), letters)
    check(item.moments[2].step.decision == "evict" and item.lost("small") == frozenset(), "the burst is absorbed")
    last = item.moments[-1]
    check(last.step.decision == "depart" and last.step.packet in last.marked, "a marked packet is delivered")
    return Proved("packet 0 departs with its mark", {"B": "2", "K_l": "0"})


@evidence("losspass.table1.share", form="printed", strength="exact")
def table_1_holds_too_few_packets_for_the_share() -> Outcome:
    """At most 4.45 M packets of 1500 bytes against 95 % of 5,000 flows of at least 1.575 MB."""
    packets, mean = interval("4.4")[1] * 10**6, interval("1.58")[0] * 10**6
    return values("packets*size >= share*flows*mean", says="at most 85 % of the expected bytes",
                  packets=packets, size=1500, share="19/20", flows=5000, mean=mean)  # fmt: skip


@evidence("losspass.sec6.dt-fairness", form="printed", strength="exact")
def a_port_that_starts_late_drops_below_an_equal_share() -> Outcome:
    """DT, alpha = 1, four ports: one alone holds B/2; beside two on the threshold a burst drops before it has B/4."""
    switch = Switch(ports=4, buffer=6, rate=1)
    alone = simulate(switch, DT(alpha=1), {0: Arrivals.constant(2)}, until=20)
    check(alone.queue(0).at(20) == 3 > Fraction(6, 4), "twice an equal share")
    run = simulate(
        switch, DT(alpha=1), {0: Arrivals.constant(10), 1: Arrivals.constant(2), 2: Arrivals.constant(2)},
        initial={1: "steady", 2: "steady"}, until=4,
    )  # fmt: skip
    first = run.first_drop(0)
    check(first is not None and run.queue(0).at(first) < Fraction(6, 4), "less than an equal share")
    return Proved("it drops with 9/8 bytes, below B/4 = 3/2", {"B": "6", "alpha": "1", "ports": "4"})


@evidence("losspass.sec6.pfabric", form="printed", strength="exact")
def a_tournament_finds_the_largest_key() -> Outcome:
    """A complete binary tree of maxima: after any key changes, the largest is known after ceil(log2 n) comparisons."""
    cases = 0
    for n in range(2, 65):
        depth = (n - 1).bit_length()
        leaves = 1 << depth
        tree = [-1] * leaves + list(range(n)) + [-1] * (leaves - n)
        for node in range(leaves - 1, 0, -1):
            tree[node] = max(tree[2 * node], tree[2 * node + 1])
        for key in range(n):
            node, comparisons = (leaves + key) // 2, 0
            changed = list(tree)
            changed[leaves + key] = n - key
            while node:
                changed[node] = max(changed[2 * node], changed[2 * node + 1])
                node, comparisons = node // 2, comparisons + 1
            check(comparisons == depth and changed[1] == max(changed[leaves:]), f"n = {n}")
            cases += 1
    return Agrees(cases, "every replaced key, n from 2 to 64; the depth of the tree is ceil(log2 n) for every n")


@evidence("losspass.sec3.2.1.only-small", form="printed", strength="exact")
def the_first_t_bytes_of_a_large_flow_are_in_the_small_queue() -> Outcome:
    """A flow of 12 MB with T = 1 MB: the tag of Section 3.2.1 puts its first megabyte into Q_s."""
    T, size = 1_000_000, 12_000_000
    small = min(T, size)
    check(size > 10_000_000 and small > 0, "a large flow with bytes in Q_s")
    return Conflict("losspass.sec3.2.1.tagging", "The first T bytes of every flow, a large one too, go to Q_s.",
                    {"flow": size, "T": T, "bytes in Q_s": small})  # fmt: skip


@evidence("losspass.sec5.1.demotion.large", form="printed", strength="exact")
def medium_flows_are_evicted_too() -> Outcome:
    """A flow of 2 MB is demoted at T = 1 MB and counted as medium."""
    return values("S > 10000000", ["S > T"], "its second megabyte is in Q_l, the metrics call it medium",
                  S=2_000_000, T=1_000_000)  # fmt: skip


@evidence("losspass.sec5.1.2.worse-both", form="printed", strength="exact")
def in_data_mining_losspass_is_never_worse_than_ecn() -> Outcome:
    """1.00 to 1.02 against ECN: the middle of the range is above 1, and its upper end is so in any rounding."""
    low, high = QUOTED["large-mining"]["ECN"]
    check(Fraction(low) >= 1 and interval(high)[0] > 1, "as fast or faster")
    return Conflict("losspass.sec5.1.2.large-mining", "By the range quoted for data mining large flows are as fast as "
                    "under ECN or faster.", {"ECN": [low, high]})  # fmt: skip
