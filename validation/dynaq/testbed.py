"""Section 5.1: the testbed, Figures 3 to 10; runs and published numbers."""

from fractions import Fraction
from itertools import pairwise

from dtmodel.base.units import rate, seconds
from dtmodel.ledger import (
    Agrees,
    Conflict,
    Counterexample,
    Outcome,
    Proved,
    Witness,
    check,
    evidence,
    refuted_by_values,
)
from dtmodel.packet.dynaq.algorithm import DynaQ
from dtmodel.packet.dynaq.schemes import PMSB, PQL, BestEffort, DynaQScheme, Scheme
from dtmodel.packet.schedulers import DeficitRoundRobin, PriorityOver
from dtmodel.theory.dynaq import formulas as dynaq
from dtmodel.theory.dynaq import schemes
from dtmodel.theory.dynaq.sheet import PRESETS

from ..support.experiments import Kept
from ..support.shares import Phase, Shares, falling
from .figures import fig03, fig06
from .runs import fill, request
from .settings import KB, active, hundredths, numbers

ANNOUNCED = {"DynaQ", "BestEffort", "PQL", "TCN", "PMSB"}
REPORTED = {"DynaQ", "TCN", "PMSB", "Per-Queue ECN"}
"""The schemes of Section 5's list, and those of Figure 9."""
FIG_3: Phase = (0, 2, (0, 1))
FIG_5 = falling([(3, 2), (2, 3), (1, 4)], 4, 5)
FIG_6: Phase = (0, 2, (0, 1, 2, 3))
"""Phases of the runs, in a fifth of the times of the paper."""


@evidence("dynaq.sec5.1.1.fig3", form="printed", strength="sampled")
def dynaq_alone_shares_equally() -> Outcome:
    """Jain's index of 2 against 16 flows over the run: fair under DynaQ, unfair under BestEffort and PQL."""
    shares = Shares.read("dynaq.fig3")

    def holds(reading: str, seed: int) -> bool:
        fair = shares.fair((reading, "DynaQ", seed), [FIG_3])
        return fair and all(shares.unfair((reading, policy, seed), FIG_3) for policy in ("BestEffort", "PQL"))

    return shares.kept.always(holds, "DynaQ fair, BestEffort and PQL unfair")


@evidence("dynaq.sec5.1.1.pql-unfair", form="printed", strength="sampled")
def pql_is_between_best_effort_and_fairness() -> Outcome:
    """Jain's index of 2 against 16 flows over the run: unfair under PQL, and less under BestEffort."""
    shares = Shares.read("dynaq.fig3")

    def holds(reading: str, seed: int) -> bool:
        best, pql = (shares.index((reading, policy, seed), FIG_3) for policy in ("BestEffort", "PQL"))
        return best < pql and shares.unfair((reading, "PQL", seed), FIG_3)

    return shares.kept.always(holds, "PQL unfair, its index above that of BestEffort")


@evidence("dynaq.sec5.1.1.best-effort-dominated", form="printed", strength="sampled")
def queue_2_holds_more_than_the_others_under_best_effort() -> Outcome:
    """The mean lengths of the queues of 2 and 16 flows under BestEffort, over samples as packets enter and leave."""
    kept = Kept.read("dynaq.fig4")

    def holds(reading: str, seed: int) -> bool:
        ((first, second, *others),) = kept.of(reading, "BestEffort", seed, "length")
        return bool(second > first + sum(others))

    return kept.always(holds, "queue 2 holds more than half")


@evidence("dynaq.sec5.1.1.best-effort-014", form="printed", strength="sampled")
def queue_1_under_best_effort() -> Outcome:
    """The rate of queue 1 under BestEffort while four queues are active, in Gbps: the median over the seeds."""
    shares = Shares.read("dynaq.fig5")
    return shares.kept.number(lambda reading, seed: shares.rates((reading, "BestEffort", seed), 0, 2)[0], 0.14, 2)


@evidence("dynaq.sec5.1.1.best-effort-15s", form="printed", strength="sampled")
def two_queues_are_unfair_under_best_effort() -> Outcome:
    """Jain's index of queues 1 and 2 under BestEffort while they are alone."""
    shares = Shares.read("dynaq.fig5")
    return shares.kept.always(lambda reading, seed: shares.unfair((reading, "BestEffort", seed), FIG_5[2]), "unfair")


@evidence("dynaq.sec5.1.1.pql-fair-all", form="printed", strength="sampled")
def pql_is_fair_while_all_are_active() -> Outcome:
    """Jain's index under PQL: of four active queues, and of two."""
    shares = Shares.read("dynaq.fig5")

    def holds(reading: str, seed: int) -> bool:
        run = reading, "PQL", seed
        return shares.fair(run, FIG_5[:1]) and shares.unfair(run, FIG_5[2])

    return shares.kept.always(holds, "four queues fair, two unfair")


@evidence("dynaq.sec5.1.1.pql-078", form="printed", strength="sampled")
def the_rate_of_one_queue_under_pql() -> Outcome:
    """The rate of all queues under PQL while queue 1 is alone, in Gbps: the median over the seeds."""
    shares = Shares.read("dynaq.fig5")
    return shares.kept.number(lambda reading, seed: sum(shares.rates((reading, "PQL", seed), 4, 5)), 0.78, 2)


@evidence("dynaq.sec5.1.1.dynaq-fair", form="printed", strength="sampled")
def dynaq_is_fair_and_full_in_every_phase() -> Outcome:
    """Jain's index and the rate of all queues under DynaQ, with four to one active queues."""
    shares = Shares.read("dynaq.fig5")

    def holds(reading: str, seed: int) -> bool:
        run = reading, "DynaQ", seed
        return shares.fair(run, FIG_5) and shares.full(run, FIG_5)

    return shares.kept.always(holds, "fair and full in four phases")


@evidence("dynaq.sec5.1.1.best-effort-035", form="printed", strength="sampled")
def the_share_of_queue_4_under_best_effort() -> Outcome:
    """The part of the rate that queue 4, of weight 1 of 10, gets under BestEffort: the median over the seeds."""
    shares = Shares.read("dynaq.fig6")

    def share(reading: str, seed: int) -> float:
        rates = shares.rates((reading, "BestEffort", seed), 0, 2)
        return rates[3] / sum(rates)

    return shares.kept.number(share, 0.35, 2)


@evidence("dynaq.sec5.1.1.pql-weights", form="printed", strength="sampled")
def shares_follow_the_weights_under_pql() -> Outcome:
    """Jain's index of the rates over the weights 4:3:2:1 under PQL."""
    shares = Shares.read("dynaq.fig6")
    return shares.kept.always(lambda reading, seed: shares.fair((reading, "PQL", seed), [FIG_6]), "fair over weights")


@evidence("dynaq.sec5.1.1.fig7", form="printed", strength="sampled")
def dynaq_is_fair_to_tcp_and_cubic_and_dips_twice() -> Outcome:
    """Jain's index under DynaQ in every phase, and the rate in the half second after two stops and before them."""
    shares = Shares.read("dynaq.fig7")

    def holds(reading: str, seed: int) -> bool:
        run = reading, "DynaQ", seed
        return shares.fair(run, FIG_5) and all(shares.lost(run, pair, 0.5) > 0 for pair in pairwise(FIG_5[:3]))

    return shares.kept.always(holds, "fair in four phases, and less sent after two stops")


@evidence("dynaq.sec1.testbed-fair", form="printed", strength="sampled")
def dynaq_is_fair_for_any_numbers_and_weights() -> Outcome:
    """Jain's index and the rate of all queues under DynaQ in Figures 3 and 5, and over the weights in Figure 6."""
    two, four, weighted = (Shares.read(f"dynaq.fig{number}") for number in (3, 5, 6))

    def holds(reading: str, seed: int) -> bool:
        run = reading, "DynaQ", seed
        cases = (two, [FIG_3]), (four, FIG_5), (weighted, [FIG_6])
        return all(shares.fair(run, phases) and shares.full(run, phases) for shares, phases in cases)

    return weighted.kept.always(holds, "fair and full in Figures 3, 5 and 6")


@evidence("dynaq.sec5.compared@exhaustive", form="printed", strength="exact")
def a_scheme_is_reported_that_was_not_announced() -> Outcome:
    """Subtract the list of Section 5 from the schemes of Figure 9."""
    extra = sorted(REPORTED - ANNOUNCED)
    check(extra == ["Per-Queue ECN"], f"{extra}")
    return Conflict(
        "dynaq.sec5.1.2.per-queue-ecn",
        "the list of compared schemes is not all: results are given for one more",
        {"not in the list": ", ".join(extra)},
    )


@evidence("dynaq.sec5.1.bdp", form="printed", strength="exact")
def the_bdp_of_the_testbed() -> Outcome:
    """Multiply 1 Gbps by 500 us."""
    BDP = numbers(PRESETS["testbed"])[1]
    check(Fraction(625, 10) * KB == BDP, f"{BDP}")
    example = {"C": "125000000", "RTT": "1/2000", "BDP": "62500"}
    return Proved("125,000,000 x 0.0005 = 62,500 bytes", example, ["C * RTT == BDP"])


@evidence("dynaq.sec5.1.ecn-thresholds", form="printed", strength="exact")
def the_marking_thresholds_of_dctcp_and_tcn_agree() -> Outcome:
    """At 1 Gbps 240 us are 30 KB; both are 0.48 of C RTT."""
    C, RTT = Fraction(125_000_000), Fraction(1, 2000)
    check(C * Fraction(240, 10**6) == 30 * KB, "30 KB")
    lam = 30 * KB / (C * RTT)
    check(lam == Fraction(12, 25) and schemes.tcn_threshold(RTT, lam) == Fraction(240, 10**6), f"{lam}")
    return Proved("both have lambda = 12/25", {"K": "30000", "T": "3/12500", "lam": "12/25"})


@evidence("dynaq.sec5.1.theory-gap", form="printed", strength="exact")
def the_chosen_thresholds_differ_from_the_theory() -> Outcome:
    """Compare 0.48 with the 0.17 of Section 2.3: 30 KB with 10.6 KB."""
    theory = schemes.pmsb_port_threshold(Fraction(62_500), Fraction(17, 100))
    check(theory == 10_625 and theory < 30 * KB / 2, f"{theory}")
    return Proved("0.17 C RTT = 10,625 bytes, about a third of 30 KB", {"theory": "10625", "chosen": "30000"})


@evidence("dynaq.ours.other-testbed", form="printed", strength="exact")
def two_testbeds_of_one_pipe_mark_and_demote_differently() -> Outcome:
    """Divide the thresholds of both papers by their pipes, which are equal."""
    pipe, other = numbers(PRESETS["testbed"])[1], rate("1 Gbps", "C") * seconds("500 us", "RTT")
    check(pipe == other == 62_500, f"{pipe}, {other}")
    here, there = 30 * KB / pipe, Fraction(45 * 1500) / other
    check((here, there) == (Fraction(48, 100), Fraction(108, 100)), f"{here}, {there}")
    return Proved("0.48 and 1.08 of 62,500 bytes", {"here": str(here), "there": str(there)}, ["here < 1", "there > 1"])


@evidence("dynaq.sec5.1.1.pql-occupies-more", form="printed", strength="exact")
def a_quota_of_a_quarter_is_not_more_than_a_dominated_port() -> Outcome:
    """PQL gives queue 2 at most 85/4 = 21.25 KB; with BestEffort the text has queue 2 dominate the 85 KB."""
    quota, half = Fraction(85_000, 4), Fraction(85_000, 2)
    check(quota < half, "a quarter is less than half")
    return Conflict(
        "dynaq.sec5.1.1.best-effort-dominated",
        "queue 2 cannot hold more under PQL (at most 21.25 KB) than when it dominates a port of 85 KB; queue 1 can",
        {"PQL quota": "21250", "dominating means more than": "42500"},
    )


@evidence("dynaq.sec5.1.1.enough-buffer@algorithm", form="printed", strength="exact")
def in_the_testbed_two_queues_hold_less_than_the_bdp() -> Outcome:
    """The testbed: 85 KB, 4 equal queues, 1,500-byte packets; two queues fill 42 KB of the BDP of 62.5 KB."""
    rules = DynaQ(85_000, (1, 1, 1, 1))
    port, labels = fill(rules, (0, 1), 1500)
    total = sum(port.thresholds[:2])
    S = [Fraction(value) for value in rules.satisfaction]
    check(total <= dynaq.threshold_of_always_active(S, (0, 1), Fraction(1500)) < 62_500, f"{total}")
    asked = request(rules, labels)
    answer = {"final": {"queues": [str(q) for q in port.lengths]}}
    claimed = {"final": {"queues": ["31500", "31500", "0", "0"]}}
    says = f"{sum(port.lengths)} bytes queued when both are refused; a BDP would take 62,500"
    return Counterexample(Witness("trace", asked, answer, claimed, says), says)


@evidence("dynaq.sec5.1.1.flows", form="printed", strength="exact")
def two_to_the_i_flows() -> Outcome:
    """Queue 4 has 2^4 = 16 flows, and queue 2 twice as many as queue 1."""
    flows = {i: 2**i for i in (1, 2, 3, 4)}
    check(flows[4] == 16 and flows[2] == 2 * flows[1], f"{flows}")
    return Proved("2, 4, 8 and 16 flows", {"flows": ["2", "4", "8", "16"]})


@evidence("dynaq.sec5.1.1.schedule", form="printed", strength="exact")
def who_is_active_in_the_testbed() -> Outcome:
    """Queues 4, 3, 2, 1 stop at 10, 15, 20, 25 s: two are left from 15 to 20 s, one from 20 to 25 s."""
    stops = {4: Fraction(10), 3: Fraction(15), 2: Fraction(20), 1: Fraction(25)}
    seen = [active(stops, 4, Fraction(t)) for t in (0, 10, 15, 20, 25)]
    check(seen == [{1, 2, 3, 4}, {1, 2, 3}, {1, 2}, {1}, set()], f"{seen}")
    return Proved("4, 3, 2, 1 active queues", {"active": ["4", "3", "2", "1", "0"]})


@evidence("dynaq.sec5.1.1.quanta", form="printed", strength="exact")
def the_quanta_of_the_weights() -> Outcome:
    """Multiply 4, 3, 2, 1 by 1.5 KB; the share of queue 4 is 1/10."""
    check([w * 1500 for w in (4, 3, 2, 1)] == [6000, 4500, 3000, 1500], "quanta")
    check(dynaq.shares([Fraction(w) for w in (4, 3, 2, 1)])[3] == Fraction(1, 10), "share")
    return Proved("6, 4.5, 3 and 1.5 KB; 1/(4 + 3 + 2 + 1) = 0.1", {"quanta": ["6000", "4500", "3000", "1500"]})


@evidence("dynaq.sec5.1.1.share", form="printed", strength="exact")
def throughput_shares_add_up_to_one() -> Outcome:
    """R_i / sum R sums to 1 whenever something was sent."""
    for rates in ((1, 2, 3), (Fraction(1, 3), 0, 7)):
        check(sum(Fraction(r) / sum(rates) for r in rates) == 1, f"{rates}")
    return Proved("sum of shares = 1", {"R": ["1", "2", "3"]})


@evidence("dynaq.sec5.1.1.hosts", "dynaq.sec5.1.2.hosts", form="printed", strength="exact")
def five_machines() -> Outcome:
    """Add up: 4 senders and a receiver, 4 servers and a client, make the 5 of the testbed."""
    testbed, queues = 5, 4
    check(queues + 1 == testbed, "machines")
    return Proved("4 + 1 = 5", {"testbed": "5", "others": "4"}, ["others + 1 == testbed"])


@evidence("dynaq.sec5.1.1.best-effort-014-below", form="printed", strength="exact")
def queue_1_gets_less_than_a_quarter() -> Outcome:
    """Compare 0.14 Gbps with 0.995/4 and with 0.995 x 2/30."""
    flows = [2**i for i in (1, 2, 3, 4)]
    link, quoted = Fraction(995, 1000), Fraction(14, 100)
    check(link * flows[0] / sum(flows) < quoted < link / 4, f"{float(link / 4)}")
    return Proved("0.066 < 0.14 < 0.249", {"quoted": "7/50", "fair": "199/800"}, ["quoted < fair"])


@evidence("dynaq.sec5.1.1.best-effort-035-above", form="printed", strength="exact")
def queue_4_gets_more_than_a_tenth() -> Outcome:
    """Compare 0.35 with 1/10 and with 16/30."""
    fair, quoted, by_flows = Fraction(1, 4 + 3 + 2 + 1), Fraction(35, 100), Fraction(2**4, 2 + 4 + 8 + 16)
    check(fair < quoted < by_flows, f"{fair}, {by_flows}")
    return Proved("0.1 < 0.35 < 0.53", {"quoted": "7/20", "fair": "1/10"}, ["quoted > fair"])


@evidence("dynaq.sec5.1.1.fig3@open-loop", form="printed", strength="exact")
def where_no_queue_runs_empty_turns_decide() -> Outcome:
    """Read the throughputs of queue 1 off the picture's data, all bins but the first."""
    series = fig03.data()
    for name in ("PQL", "DynaQ", "DynaQ, recheck"):
        check(all(abs(row[0] - 1 / 2) <= 1 / 50 for row in series.rows[name][1:]), f"{name}, queue 1")
    best = series.rows["BestEffort"][1:]
    check(sum(row[0] for row in best) / len(best) < 1 / 6, "BestEffort, queue 1")
    return Agrees(len(series.rows), "four schemes on the arrivals of the picture")


@evidence("dynaq.sec5.1.1.fig6@open-loop", form="printed", strength="exact")
def where_no_queue_runs_empty_the_weights_decide() -> Outcome:
    """Read the shares off the picture's data, all bins but the first."""
    series = fig06.data()
    for name in ("PQL", "DynaQ", "DynaQ, recheck"):
        found = [f"{share:.2f}" for share in fig06.shares(series, name)]
        check(found == ["0.40", "0.30", "0.20", "0.10"], f"{name}: {found}")
    check(fig06.shares(series, "BestEffort")[3] > 1 / 2, "BestEffort, queue 4")
    return Agrees(len(series.rows), "four schemes on the arrivals of the picture")


@evidence("dynaq.sec5.1.1.fig7-times", form="printed", strength="exact")
def queues_4_and_3_stop_when_figure_7_dips() -> Outcome:
    """Compare who is active just before and after 10 and 15 s."""
    stops = {4: Fraction(10), 3: Fraction(15), 2: Fraction(20), 1: Fraction(25)}
    gone = [active(stops, 4, t - 1) - active(stops, 4, t) for t in (Fraction(10), Fraction(15))]
    check(gone == [{4}, {3}], f"{gone}")
    return Proved("queue 4 leaves at 10 s, queue 3 at 15 s", {"stop4": "10", "stop3": "15"})


@evidence("dynaq.sec5.1.2.queues", "dynaq.sec5.2.2.queues", form="printed", strength="exact")
def one_priority_queue_and_the_rest() -> Outcome:
    """1 + 4 = 5 queues in the testbed, 1 + 7 = 8 in the simulation."""
    check(len(PRESETS["testbed-5"].weights) == 1 + 4 and len(PRESETS["fabric-10g"].weights) == 1 + 7, "queues")
    return Proved("5 and 8 queues", {"testbed": "5", "simulation": "8"})


@evidence("dynaq.sec5.1.2.spq-first", form="printed", strength="exact")
def the_priority_queue_goes_first() -> Outcome:
    """Pick from every combination of one priority and two DRR queues of up to two packets, in several memories."""
    scheduler, cases = PriorityOver(1, DeficitRoundRobin((2, 2))), 0
    memories = [scheduler.start(), (1, False, (0, 0)), (0, True, (1, 0)), (1, True, (0, 1))]
    for memory in memories:
        for code in range(27):
            queues = [[1] * (code // 3**i % 3) for i in range(3)]
            picked, _ = scheduler.pick(memory, queues)
            check((picked == 0) == bool(queues[0]), f"{queues}: {picked}")
            cases += 1
    return Agrees(cases, "27 combinations of queues, 4 memories of the round robin")


@evidence("dynaq.sec5.1.2.small-in-spq", "dynaq.sec5.2.2.small-in-spq", form="printed", strength="exact")
def small_flows_stay_in_the_priority_queue() -> Outcome:
    """A flow of at most 100 KB never passes the demotion threshold of 100 KB."""
    demotion, small = 100 * KB, 100 * KB
    check(small <= demotion < 10_000 * KB, "bytes below the priority queue")
    return Proved(
        "0 bytes of a small flow are demoted", {"demotion": "100000", "small": "100000"}, ["small <= demotion"]
    )


@evidence("dynaq.sec5.1.2.best-effort-mixed", form="printed", strength="exact")
def the_results_lie_on_both_sides_of_one() -> Outcome:
    """With their rounding: the least for large flows is below 1, the greatest for all flows above."""
    least, most = hundredths("0.83", "1.02")
    check(least < 1 < most, f"{least}, {most}")
    return Agrees(2, "the ends of the two quoted ranges")


@evidence("dynaq.sec5.1.2.best-effort-large", form="printed", strength="exact")
def best_effort_is_better_for_large_flows_at_every_load() -> Outcome:
    """The whole quoted range lies below 1."""
    low, high = hundredths("0.83", "0.97")
    check(low < high < 1, "the range")
    return Proved("0.83 to 0.97, all below 1", {"low": "83/100", "high": "97/100"}, ["low < 1", "high < 1"])


@evidence("dynaq.sec5.1.2.overall-large@because", form="printed", strength="exact")
def many_slow_small_flows_dominate_an_average() -> Outcome:
    """100 flows of 0.1 MB that take 1 s, and twice that under the other scheme; one of 100 MB takes 10 s."""
    small, large = 100, 1
    overall = Fraction(small * 2 + large * 10, small * 1 + large * 10)
    says = "ten elevenths of the bytes are in the large flow, whose ratio is 1; over all flows it is 21/11"
    numbers = {"overall": overall, "large": 1, "bytes_small": small * Fraction(1, 10), "bytes_large": 100}
    statement = "abs(overall - large) <= bytes_small / (bytes_small + bytes_large)"
    return refuted_by_values(numbers, statement, says, ("bytes_large > bytes_small",))


@evidence("dynaq.sec5.1.2.tcn-mixed", form="printed", strength="exact")
def the_results_against_tcn_are_mixed() -> Outcome:
    """Ratios on both sides of 1: 0.95 at 30 %, 1.28 to 1.85 at other loads."""
    worst, low, high = hundredths("0.95", "1.28", "1.85")
    check(worst < 1 < low < high, "mixed")
    return Proved("0.95 < 1 < 1.28", {"worst": "19/20", "low": "32/25"}, ["worst < 1", "low > 1"])


@evidence("dynaq.sec5.1.2.averages", form="printed", strength="exact")
def overall_averages_lie_between_the_classes() -> Outcome:
    """Each range for all flows lies between the least and the largest ratio quoted for a class."""
    ranges = {
        "BestEffort": (hundredths("0.90", "1.02"), hundredths("0.83", "0.97", "1.26")),
        "PQL": (hundredths("1.80"), hundredths("1.08", "1.14", "1.95")),
        "TCN": (hundredths("1.28", "1.85"), hundredths("1.29", "1.99", "1.00")),  # small flows: DynaQ is better, > 1
    }
    for scheme, (overall, classes) in ranges.items():
        check(min(classes) <= min(overall) and max(overall) <= max(classes), f"{scheme}: {overall}, {classes}")
    return Proved("three schemes: the mean lies in the hull of the parts", {"overall": "9/5", "small": "57/50"})


@evidence("dynaq.sec5.1.2.tail-grows@monotone", form="printed", strength="exact")
def a_growing_gap_is_not_largest_at_60_percent() -> Outcome:
    """With loads up to 80 % a growing gap is largest at 80 %, above its value at 60 %."""
    loads = range(30, 81, 10)
    check(max(loads) > 60, "60 % is the last load")
    return Conflict(
        "dynaq.sec1.ratio-840",
        "if the gap grows with the load, 8.40 at 60 % is not the largest; Section 1 says up to 8.40",
        {"gap at 60 %": "8.40", "largest load": f"{max(loads)} %"},
    )


@evidence("dynaq.sec5.classes", form="printed", strength="exact")
def every_size_is_in_one_class() -> Outcome:
    """Test sizes below, at and above both limits, which are all cases that two limits distinguish."""
    low, high = 100_000, 10_000_000
    for size in (1, low - 1, low, low + 1, high - 1, high, high + 1, 10 * high):
        classes = [size <= low, low < size <= high, size > high]
        check(sum(classes) == 1, f"{size}: {classes}")
    return Proved("100 KB < 10 MB separate three classes", {"low": "100000", "high": "10000000"}, ["low < high"])


@evidence("dynaq.sec5.normalised", form="printed", strength="exact")
def quoted_ratios_have_one_sense() -> Outcome:
    """Ratios that the text calls better are above 1, those that it calls worse below; DynaQ's own is 1."""
    better = hundredths(
        "8.40", "1.95", "1.80", "1.26", "1.08", "1.14", "1.28", "1.85", "1.29", "1.99", "12.23", "12.63", "1.01"
    )
    worse = hundredths("0.83", "0.97", "0.95", "0.98", "0.82", "0.73", "0.77", "0.75", "0.10")
    check(max(worse) < 1 < min(better), "a ratio is on the other side of 1")
    return Proved("13 ratios above 1 and 9 below", {"better": str(min(better)), "worse": str(max(worse))})


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


@evidence("dynaq.sec5.1.only-exception", form="printed", strength="exact")
def only_pql_stops_a_queue_at_its_share() -> Outcome:
    """Fill queue 1 of the testbed alone: PQL admits its share of 85 KB, DynaQ and PMSB more, BestEffort all."""
    B, BDP, L, weights = numbers(PRESETS["testbed"])
    parts = dynaq.shares(weights)
    compared: dict[str, Scheme] = {
        "PQL": PQL(tuple(B * part for part in parts)), "BestEffort": BestEffort(B),
        "PMSB": PMSB(B, BDP, tuple(BDP * part for part in parts)), "DynaQ": DynaQScheme(DynaQ(B, weights)),
    }  # fmt: skip
    held = {}
    for name, scheme in compared.items():
        memory, length, admitted = scheme.start(), Fraction(0), True
        while admitted:
            admitted, memory = scheme.admit(memory, (length, 0, 0, 0), 0, L)
            length += L if admitted else 0
        held[name] = length
    check(held == {"PQL": 21_000, "BestEffort": 84_000, "PMSB": 61_500, "DynaQ": held["DynaQ"]}, f"{held}")
    check(held["DynaQ"] > 80_500, f"{held}")
    return Agrees(len(held), "one active queue of the testbed under four schemes")
