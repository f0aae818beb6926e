"""Section 5.2: simulations of a leaf-spine network, Figures 9 to 14; runs and published numbers."""

from fractions import Fraction
from itertools import product

from dtmodel.ledger import Agrees, Conflict, Outcome, Proved, check, evidence, refuted_by_values

from ..printed import interval, names
from .figures import fig11
from .histories import DOMAIN, History, Moment, all_histories, proves
from .published import LOSS, MIB, QUOTED, SIMULATION, TABLE_2, overlap, ratio


@evidence("losspass.abstract.ecn-3.20", form="printed", strength="exact")
def the_abstract_names_another_baseline() -> Outcome:
    """The headline 3.20 is ECN's in the abstract and PIAS's in the introduction; the evaluation has it for neither."""
    headline, found = QUOTED["headline-99"], QUOTED["evaluation-99"]
    check(headline["abstract"][0] == headline["introduction"][0], "the same number")
    check(headline["abstract"][1] != headline["introduction"][1], "two baselines")
    number = interval(headline["abstract"][0])
    check(not any(overlap(number, interval(text)) for text, _ in found.values()), "the evaluation has it nowhere")
    return Conflict(
        "losspass.intro.pias-99",
        "The same headline number stands for two baselines, and nothing in Section 5.1 has it for either.",
        {"headline": headline, "99th percentile ratios of Section 5.1": found},
    )


@evidence(
    "losspass.sec5.2.servers", "losspass.sec5.2.spines", "losspass.sec5.2.pairs", form="printed", strength="exact"
)
def the_topology_adds_up() -> Outcome:
    """Leaves times downlinks are the servers; a leaf's uplinks are as many as spines; pairs are counted one by one."""
    quoted = QUOTED["topology"]
    check(quoted["leaves"] * quoted["down"] == quoted["servers"], "servers")
    check(quoted["up"] == quoted["spines"], "one uplink from every leaf to every spine")
    check(sum(a != b for a, b in product(range(quoted["servers"]), repeat=2)) == 192 * 191 == 36_672, "pairs")
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


@evidence("losspass.sec5.2.rto", form="printed", strength="exact")
def fifty_eight_round_trips() -> Outcome:
    """Divide the timeout of 5 ms by the round trip of 85.2 us."""
    factor = SIMULATION["RTO"] / SIMULATION["RTT"]
    check(58 < factor < 59, "between 58 and 59")
    return Proved(f"{float(factor):.2f}", {"RTO": "1/200", "RTT": "213/2500000"})


@evidence("losspass.sec5.2.buffers", form="printed", strength="exact")
def an_even_share_of_the_leaf() -> Outcome:
    """9 MB (either unit) over 26 ports against 106,500 bytes."""
    check(all(Fraction(size, 26) >= 106_500 for size in (9_000_000, 9 * MIB)), "B >= C RTT at 10 Gbps")
    return Agrees(2, "MB decimal and binary")


@evidence("losspass.ours.simulated-settings", form="printed", strength="exact")
def what_the_simulations_settings_amount_to() -> Outcome:
    """106,500 bytes against 45 packets and 0.17 of it; 9 MB (either unit) over 26 ports; 40 Gbps times 85.2 us."""
    pipe = SIMULATION["C"] * SIMULATION["RTT"]
    check(pipe == 106_500 and Fraction("0.17") * pipe < 45 * 1500 < pipe, f"{pipe}")
    for share in (Fraction(9_000_000, 26), Fraction(9 * MIB, 26)):
        check(pipe < share < 4 * pipe == 426_000, f"{share}")
    return Agrees(4, "the numbers of Section 5.2, with MB in either unit")


@evidence("losspass.ours.load-axis", form="printed", strength="exact")
def the_uplinks_are_overloaded_at_every_load_that_is_shown() -> Outcome:
    """Count destinations behind other leaves: 24 servers of 10 Gbps send 168/191 of their bytes over 80 Gbps."""
    servers = [(leaf, place) for leaf in range(8) for place in range(24)]
    away = sum(leaf != 0 for leaf, _ in servers if (leaf, _) != (0, 0))
    factor = Fraction(24 * 10, 2 * 40) * Fraction(away, len(servers) - 1)
    check(names("2.64", factor) and factor * Fraction("0.38") > 1 > factor * Fraction("0.37"), f"{factor}")
    check(factor * Fraction(1, 2) > 1, "the least load shown")
    return Proved("2.64 times the load", {"load": "1/2", "offered": str(factor / 2)}, ["offered > 1"])


@evidence("losspass.ours.halved-loss", form="printed", strength="exact")
def two_factors_for_the_loss_rate_of_small_flows() -> Outcome:
    """0.16 to 0.22 over 0.09 to 0.10 with their rounding, and 41.55 of Table 2."""
    tail, own = (interval(LOSS["small, Droptail-2Q, " + end]) for end in ("least", "most")), ("least", "most")
    low, high = tail
    lowest, highest = (interval(LOSS["small, LossPass, " + end]) for end in own)
    least, most = low[0] / highest[1], high[1] / lowest[0]
    check(Fraction("1.4") < least < most < Fraction("2.7"), f"{least}, {most}")
    check(interval(TABLE_2["No-ECN"]["loss_small"])[0] > 15 * most, "Table 2")
    return Agrees(2, "the ranges of Section 5.2.2 and Table 2")


@evidence("losspass.sec5.2.1.tail-more", form="printed", strength="exact")
def the_simulated_tail_gains_more_than_the_average() -> Outcome:
    """Compare 14.03 with 5.91, rounding allowed for."""
    largest = QUOTED["simulated-small"]
    check(interval(largest["average"])[1] < interval(largest["tail"])[0], f"{largest}")
    return Agrees(1, "one quoted pair")


@evidence("losspass.sec5.2.1.similar.large", form="printed", strength="exact")
def the_simulations_turn_the_result_for_large_flows_round() -> Outcome:
    """0.93 in the testbed, 1.07 in the simulations, for one workload and one baseline."""
    ratios = QUOTED["large-against-ecn"]
    check(interval(ratios["testbed"])[1] < 1 < interval(ratios["simulation"])[0], "opposite sides of 1")
    said = "Large flows are slower than under ECN in the one and faster in the other."
    return Conflict("losspass.sec5.1.2.large-web", said, ratios)


@evidence("losspass.sec5.2.2.only-difference", form="printed", strength="exact")
def losspass_and_droptail_2q_differ_at_a_full_port_only() -> Outcome:
    """From the same state, both decide alike unless a small packet overflows; departures are alike."""

    def holds(h: History, m: Moment) -> bool:
        if m.arrives("small") and h.overflows(m):
            return m.step.decision in ("drop", "evict")  # tail drop: always drop
        usual = "drop" if h.overflows(m) else "enqueue"
        return not m.size or m.step.decision == usual

    return Agrees(proves(all_histories("intended"), holds, "only difference"), DOMAIN)


@evidence("losspass.sec5.2.2.half", form="printed", strength="exact")
def the_loss_rate_is_halved_where_it_is_highest() -> Outcome:
    """The quoted rates give at most 0.105/0.215 of the losses."""
    share = interval(LOSS["small, LossPass, most"])[1] / interval(LOSS["small, Droptail-2Q, most"])[0]
    check(share <= Fraction(1, 2), "half")
    return Proved(f"at most {float(share):.3f} remains", {"Droptail-2Q": "0.22", "LossPass": "0.10"})


@evidence("losspass.sec5.2.2.half@every-load", form="printed", strength="exact")
def the_loss_rate_is_not_halved_where_it_is_lowest() -> Outcome:
    """At least 0.085/0.165 remains where Droptail-2Q has 0.16."""
    low, high = interval(LOSS["small, LossPass, least"])[0], interval(LOSS["small, Droptail-2Q, least"])[1]
    says = "the ends of the rounding intervals that favour the statement most"
    return refuted_by_values({"low": low, "high": high}, "low/high <= 1/2", says, ["low == 0.085", "high == 0.165"])


@evidence("losspass.sec5.2.2.2.90", form="printed", strength="exact")
def the_ratio_to_droptail_2q_is_3_20() -> Outcome:
    """0.64/0.20 lies in [3.10, 3.31], which 2.90 is not in."""
    possible = ratio(LOSS["large, LossPass"], LOSS["large, Droptail-2Q"])
    check(not overlap(possible, interval(LOSS["large, quoted ratio"])), "disjoint")
    says = "the ratio is 3.20; no values in the rounding intervals give 2.90"
    given = ["0.635 <= a", "a < 0.645", "0.195 <= b", "b < 0.205"]
    return refuted_by_values({"a": "0.64", "b": "0.20"}, "2.895 <= a/b and a/b < 2.905", says, given)


@evidence("losspass.sec5.2.2.2.90", form="repaired", strength="exact")
def the_ratio_to_droptail_is_2_90() -> Outcome:
    """0.64/0.22 lies in [2.82, 3.00], and so does 2.90."""
    possible = ratio(LOSS["large, LossPass"], LOSS["large, Droptail"])
    check(overlap(possible, interval(LOSS["large, quoted ratio"])), "the intervals meet")
    return Proved("0.638/0.22 = 2.90", {"a": "0.638", "b": "0.22"}, ["0.635 <= a", "a < 0.645", "a == 2.9*b"])


@evidence("losspass.sec5.2.2.higher@increment", form="repaired", strength="exact")
def times_less_one_is_times_higher() -> Outcome:
    """2.90 times as high is 1.90 times higher."""
    check(Fraction("2.90") - 1 == Fraction("1.90"), "1.90")
    return Proved("a/b - 1 = 1.9", {"a": "2.9", "b": "1"}, ["a == 2.9*b", "(a - b)/b == 1.9"])


@evidence("losspass.sec5.2.2.spq", form="printed", strength="exact")
def strict_priority_explains_the_rest() -> Outcome:
    """Droptail over Droptail-2Q: 1.02/0.94 exceeds 1 within rounding."""
    low, high = ratio("1.02", "0.94")
    check(low > 1, "Droptail is slower than Droptail-2Q")
    return Proved(f"between {float(low):.3f} and {float(high):.3f}", {"Droptail": "1.02", "Droptail-2Q": "0.94"})


@evidence("losspass.sec5.2.2.evidence", form="printed", strength="exact")
def more_large_packets_are_lost() -> Outcome:
    """0.64 against 0.22 and 0.20, rounding allowed for."""
    others = (LOSS["large, Droptail"], LOSS["large, Droptail-2Q"])
    check(all(interval(LOSS["large, LossPass"])[0] > interval(text)[1] for text in others), "more")
    return Agrees(2, "Droptail and Droptail-2Q")


@evidence("losspass.intro.ecn-collision", form="printed", strength="exact")
def table_2_shows_an_effect_under_per_port_ecn() -> Outcome:
    """Eviction lowers the loss rate of small flows by 10.61 times in the row of per-port ECN."""
    row = TABLE_2["Per-Port ECN"]
    check(interval(row["loss_small"])[0] > 1 and interval(row["tail_small"])[0] > 1, "an effect")
    return Conflict("losspass.table2.loss-small", "Under per-port ECN eviction improves loss rate and tail FCT.", row)


@evidence("losspass.fig11.caption", form="printed", strength="exact")
def loss_moves_from_small_to_large_flows() -> Outcome:
    """Small flows: the highest rate of LossPass is below the lowest of Droptail-2Q; large flows: above both others."""
    check(interval(LOSS["small, LossPass, most"])[1] < interval(LOSS["small, Droptail-2Q, least"])[0], "small")
    for other in ("large, Droptail", "large, Droptail-2Q"):
        check(interval(LOSS["large, LossPass"])[0] > interval(LOSS[other])[1], "large")
    return Agrees(3, "the rates quoted in Section 5.2.2, with their rounding")


@evidence("losspass.fig11.caption@open-loop", form="printed", strength="exact")
def on_equal_arrivals_losses_move_and_none_is_added() -> Outcome:
    """Count the packets of the picture: class by class at each load."""
    shown = fig11.data().losses
    for load, *lost in zip(fig11.LOADS, *([point.lost for point in points] for points in shown.values()), strict=True):
        droptail, queues, losspass = lost
        check(droptail == queues, f"the two tail drops differ at {load}")
        check(losspass["small"] < queues["small"] and losspass["large"] > queues["large"], f"no exchange at {load}")
        check(sum(losspass.values()) == sum(queues.values()), f"other losses in all at {load}")
    return Agrees(len(fig11.LOADS), "the arrivals of the picture, load by load")


@evidence("losspass.fig12.caption", form="printed", strength="exact")
def small_flows_gain_much_and_large_ones_lose_a_little() -> Outcome:
    """5.57 is above 2, and 0.94 between 0.9 and 1, rounding allowed for."""
    small, large = (interval(text) for text in ("5.57", "0.94"))
    check(small[0] > 2 and Fraction(9, 10) < large[0] < large[1] < 1, f"{small}, {large}")
    return Agrees(2, "the two ratios to Droptail-2Q")


@evidence("losspass.fig12.caption@droptail", form="printed", strength="exact")
def against_droptail_large_flows_gain() -> Outcome:
    """1.02 times better than Droptail is no degradation."""
    ratio = QUOTED["large-against-droptail"]["simulation"]
    check(interval(ratio)[0] > 1, "faster than under Droptail")
    return Conflict("losspass.sec5.2.2.large", "Against Droptail, one of the two schemes of the figure, the average "
                    "FCT of large flows improves.", {"against Droptail": ratio})  # fmt: skip


@evidence("losspass.ours.loss-balance", form="printed", strength="exact")
def the_loss_rates_need_many_small_packets() -> Outcome:
    """Saved times the share of small packets = lost in addition times the rest; the least share by rounding."""
    saved = interval(LOSS["small, Droptail-2Q, most"])[1] - interval(LOSS["small, LossPass, least"])[0]
    for other, least in (("large, Droptail", Fraction(74, 100)), ("large, Droptail-2Q", Fraction(3, 4))):
        lost = interval(LOSS["large, LossPass"])[0] - interval(LOSS[other])[1]
        share = lost / (lost + saved)
        check(share >= least, f"{other}: {share}")
    return Proved(f"at least {float(share):.3f} of the packets", {"saved": saved, "lost": lost})
