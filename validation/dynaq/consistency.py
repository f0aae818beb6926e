"""Numbers and names of the paper against each other: schedules, classes, ratios, schemes, workloads."""

from __future__ import annotations

from fractions import Fraction

from dtmodel.ledger import Conflict, Outcome, Proved, check, evidence
from dtmodel.packet.service_queues import jain
from dtmodel.theory.service_queue_schemes import cycles

from .quoted import hundredths
from .settings import active

WORKLOADS = ("web search", "data mining", "cache", "hadoop")
ANNOUNCED = {"DynaQ", "BestEffort", "PQL", "TCN", "PMSB"}
REPORTED = {"DynaQ", "TCN", "PMSB", "Per-Queue ECN"}
"""The schemes of Section 5's list, and those of Figure 9."""


@evidence("dynaq.sec5.four-workloads", form="printed", strength="exact")
def four_names_of_workloads() -> Outcome:
    """Count the names."""
    check(len(set(WORKLOADS)) == 4, f"{WORKLOADS}")
    return Proved("four different names", {"workloads": str(len(set(WORKLOADS)))}, ["workloads == 4"])


@evidence("dynaq.sec5.2.2.different", form="printed", strength="exact")
def seven_services_cannot_have_different_ones_of_four_workloads() -> Outcome:
    """Compare 7 services with 4 distributions."""
    services = 8 - 1
    check(services > len(WORKLOADS), "enough distributions")
    return Conflict(
        "dynaq.sec5.four-workloads",
        "seven services cannot have distributions that all differ when there are four",
        {"services": str(services), "distributions": str(len(WORKLOADS))},
    )


@evidence("dynaq.sec5.compared", form="printed", strength="exact")
def a_scheme_is_reported_that_was_not_announced() -> Outcome:
    """Subtract the list of Section 5 from the schemes of Figure 9."""
    extra = sorted(REPORTED - ANNOUNCED)
    check(extra == ["Per-Queue ECN"], f"{extra}")
    return Conflict(
        "dynaq.sec5.1.2.per-queue-ecn",
        "the list of compared schemes is not all: results are given for one more",
        {"not in the list": ", ".join(extra)},
    )


@evidence("dynaq.sec3.2.2.order@always", form="printed", strength="exact")
def one_cycle_is_not_two_steps_in_order() -> Outcome:
    """Two steps of which one comes before the other take two cycles; Section 4.1 counts one."""
    counted = cycles(8).lines67
    check(counted < 2, f"{counted} cycles")
    return Conflict(
        "dynaq.sec4.1.lines67-cycles",
        "if line 7 always waits for line 6 the two take two cycles of the hardware, not one",
        {"counted": str(counted), "in order": "2"},
    )


@evidence("dynaq.sec5.1.2.tail-grows@monotone", form="printed", strength="exact")
def the_largest_gap_cannot_be_at_60_percent_of_a_growing_one() -> Outcome:
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
        "8.40", "1.95", "1.80", "1.26", "1.08", "1.14", "1.28", "1.85", "1.29", "1.99", "12.23", "12.63"
    )
    worse = hundredths("0.95", "0.98", "0.82", "0.73", "0.77", "0.75", "0.10")
    check(max(worse) < 1 < min(better), "a ratio is on the other side of 1")
    return Proved("12 ratios above 1 and 7 below", {"better": str(min(better)), "worse": str(max(worse))})


@evidence("dynaq.sec5.1.1.hosts", "dynaq.sec5.1.2.hosts", form="printed", strength="exact")
def five_machines() -> Outcome:
    """Add up: 4 senders and a receiver, 4 servers and a client, make the 5 of the testbed."""
    testbed, queues = 5, 4
    check(queues + 1 == testbed, "machines")
    return Proved("4 + 1 = 5", {"testbed": "5", "others": "4"}, ["others + 1 == testbed"])


@evidence("dynaq.sec5.1.1.fig7-times", form="printed", strength="exact")
def queues_4_and_3_stop_when_figure_7_dips() -> Outcome:
    """Compare who is active just before and after 10 and 15 s."""
    stops = {4: Fraction(10), 3: Fraction(15), 2: Fraction(20), 1: Fraction(25)}
    gone = [active(stops, 4, t - 1) - active(stops, 4, t) for t in (Fraction(10), Fraction(15))]
    check(gone == [{4}, {3}], f"{gone}")
    return Proved("queue 4 leaves at 10 s, queue 3 at 15 s", {"stop4": "10", "stop3": "15"})


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


@evidence("dynaq.sec5.1.2.averages", form="printed", strength="exact")
def averages_over_all_flows_lie_between_those_of_the_classes() -> Outcome:
    """Each range for all flows lies between the least and the largest ratio quoted for a class."""
    ranges = {
        "BestEffort": (hundredths("0.90", "1.02"), hundredths("0.83", "0.97", "1.26")),
        "PQL": (hundredths("1.80"), hundredths("1.08", "1.14", "1.95")),
        "TCN": (hundredths("1.28", "1.85"), hundredths("1.29", "1.99", "1.00")),  # small flows: DynaQ is better, > 1
    }
    for scheme, (overall, classes) in ranges.items():
        check(min(classes) <= min(overall) and max(overall) <= max(classes), f"{scheme}: {overall}, {classes}")
    return Proved("three schemes: the mean lies in the hull of the parts", {"overall": "9/5", "small": "57/50"})


@evidence("dynaq.sec5.2.1.metrics", form="printed", strength="exact")
def fair_shares_of_equal_weights_have_the_index_one() -> Outcome:
    """Jain's index of n equal positive shares is n^2/(n n) = 1, of 4:3:2:1 it is 5/6."""
    for n in range(1, 9):
        check(jain([Fraction(10, n)] * n) == 1, f"{n} queues")
    check(jain([4, 3, 2, 1]) == Fraction(5, 6), "unequal weights")
    return Proved("1 for 1 to 8 active queues", {"n": "8", "index": "1", "unequal": "5/6"}, ["unequal < index"])


@evidence("dynaq.sec5.2.2.best-effort-mixed", form="printed", strength="exact")
def both_ranges_contain_one() -> Outcome:
    """Compare the ends with 1."""
    for low, high in (hundredths("0.98", "1.01"), hundredths("0.98", "1.02")):
        check(low < 1 < high, f"{low} to {high}")
    return Proved("0.98 < 1 < 1.01 < 1.02", {"low": "49/50", "high": "101/100"}, ["low < 1", "high > 1"])


@evidence("dynaq.sec5.2.2.pql-together", form="printed", strength="exact")
def small_flows_must_outweigh_large_ones_nine_times() -> Outcome:
    """Solve a 1.02 + b 0.82 = a + b: a = 9 b; with a = 10 b the mean exceeds 1."""
    small, large = hundredths("1.02", "0.82")
    ratio = (1 - large) / (small - 1)
    check(ratio == 9, f"{ratio}")
    mean = (10 * small + large) / 11
    check(mean > 1, f"{mean}")
    return Proved("with weights 10 and 1 the mean is 11.02/11 > 1", {"mean": str(mean), "ratio": "9"}, ["mean > 1"])


@evidence("dynaq.captions.queues", form="printed", strength="exact")
def captions_and_text_have_the_same_queues() -> Outcome:
    """Add the queues of each caption and compare with the text."""
    captions = {8: (1, 4), 9: (1, 4), 10: (4,), 14: (1, 7), 15: (1, 7)}
    text = {8: 5, 9: 5, 10: 4, 14: 8, 15: 8}
    check(all(sum(captions[figure]) == text[figure] for figure in text), f"{captions}")
    return Proved("five captions", {"testbed": "5", "simulation": "8"})
