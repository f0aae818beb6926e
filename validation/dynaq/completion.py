"""Section 5.1.2: completion times by the load, Figures 8 to 10; runs of senders that react."""

from dtmodel.ledger import Outcome, evidence
from dtmodel.ledger.evidence import Repeated

from ..support.experiments import Kept
from ..support.ratios import LARGE, SMALL, Ratio

LOADS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
QUOTAS = ("PQL", "PQL of four")
"""The loads of Figures 8 and 9, and PQL with quotas for five queues and for the four of DRR."""


def ratio(old: str, measure: str, part: int | None = None, name: str = "dynaq.fig8") -> Ratio:
    """Return the ratio of a measure under a scheme to that under DynaQ."""
    return Ratio(Kept.read(name), old, "DynaQ", measure, part)


@evidence("dynaq.sec5.1.2.pql-195", form="printed", strength="sampled")
def the_greatest_gains_over_pql() -> Outcome:
    """The greatest ratios over the loads of the mean times of flows above 10 MB, and of all: PQL over DynaQ."""
    large, both = ([ratio(pql, *of).over(max, LOADS) for pql in QUOTAS] for of in (("flow_mean", LARGE), ("all_mean",)))
    kept = Kept.read("dynaq.fig8")
    return kept.all_of(kept.number(large[0], 1.95, 2, large[1]), kept.number(both[0], 1.80, 2, both[1]))


@evidence("dynaq.sec5.1.2.small-126", form="printed", strength="sampled")
def the_mean_times_of_small_flows() -> Outcome:
    """Ratios of the mean times of flows below 0.1 MB: BestEffort and PQL over DynaQ."""
    best, (first, second) = (
        ratio("BestEffort", "flow_mean", SMALL),
        (ratio(pql, "flow_mean", SMALL) for pql in QUOTAS),
    )
    kept = best.kept
    return kept.all_of(
        kept.number(best.over(loads=LOADS), 1.26, 2),
        kept.always(lambda reading, seed: grows(best, reading, seed), "more at 80 % than at 30 %"),
        kept.number(first.over(min, LOADS), 1.08, 2, second.over(min, LOADS)),
        kept.number(first.over(max, LOADS), 1.14, 2, second.over(max, LOADS)),
    )


def grows(one: Ratio, reading: str, seed: int) -> bool:
    """Return True if a ratio is greater at 80 % than at 30 % of load in a seed."""
    return one.of_seed(reading, seed, 0.8) > one.of_seed(reading, seed, 0.3)


@evidence("dynaq.sec5.1.2.tail-840", form="printed", strength="sampled")
def the_tails_of_small_flows() -> Outcome:
    """Ratios of 99th percentiles of flows below 0.1 MB: BestEffort over DynaQ at 60 %, PQL over DynaQ in the mean."""
    best, first, second = (ratio(old, "flow_p99", SMALL) for old in ("BestEffort", *QUOTAS))
    kept = best.kept
    return kept.all_of(
        kept.number(best.over(loads=[0.6]), 8.40, 2),
        kept.number(first.over(loads=LOADS), 1.14, 2, second.over(loads=LOADS)),
    )


@evidence("dynaq.sec5.1.2.tail-grows", form="printed", strength="sampled")
def the_tail_of_small_flows_under_best_effort() -> Outcome:
    """The 99 % interval at 80 % of the log ratio of 99th percentiles of flows below 0.1 MB, and its growth."""
    best = ratio("BestEffort", "flow_p99", SMALL)
    kept = best.kept
    return kept.all_of(
        kept.sooner(lambda reading, seed: 1 / best.of_seed(reading, seed, 0.8), "a shorter tail at 80 %"),
        kept.always(lambda reading, seed: grows(best, reading, seed), "more at 80 % than at 30 %"),
    )


@evidence("dynaq.sec5.1.2.tcn-large", form="printed", strength="sampled")
def the_mean_times_of_large_flows_under_tcn() -> Outcome:
    """The least and the greatest ratio of the mean times of flows above 10 MB from 50 to 80 %: TCN over DynaQ."""
    tcn = ratio("TCN", "flow_mean", LARGE)
    above = LOADS[2:]
    return tcn.kept.all_of(
        tcn.kept.number(tcn.over(min, above), 1.29, 2), tcn.kept.number(tcn.over(max, above), 1.99, 2)
    )


@evidence("dynaq.sec5.1.2.fig10", form="printed", strength="sampled")
def four_queues_of_drr_without_priority() -> Outcome:
    """The 99 % intervals of the log ratios of three mean times and a 99th percentile, DynaQ over BestEffort and PQL."""
    kinds = (("all_mean", None), ("flow_mean", SMALL), ("flow_mean", LARGE), ("flow_p99", SMALL))
    kept = Kept.read("dynaq.fig10")

    def part(old: str, measure: str, of: int | None) -> Repeated:
        found = ratio(old, measure, of, "dynaq.fig10")
        return kept.sooner(lambda reading, seed: 1 / found.of_seed(reading, seed), f"{old}, {measure}")

    each = kept.all_of(*(part(old, *kind) for old in ("BestEffort", "PQL") for kind in kinds))
    return kept.repeated(each.reproduced, "three means and a tail are less than under BestEffort and PQL")


ECN_LOADS = (0.3, 0.8)
ECN = ("TCN", "PMSB", "Per-Queue ECN")
"""The loads and the schemes of the runs of Figure 9."""


def fig9(old: str, measure: str, part: int | None = None) -> Ratio:
    """Return the ratio of a measure under a scheme of ECN to that under DynaQ in the runs of Figure 9."""
    return Ratio(Kept.with_handshake("dynaq.fig9"), old, "DynaQ", measure, part)


@evidence("dynaq.sec5.1.2.pmsb-129", form="printed", strength="sampled")
def the_mean_times_of_small_flows_under_pmsb() -> Outcome:
    """The greatest ratio over the loads of the mean times of flows below 0.1 MB: PMSB over DynaQ."""
    pmsb = fig9("PMSB", "flow_mean", SMALL)
    return pmsb.kept.number(pmsb.over(max, ECN_LOADS), 1.29, 2)


@evidence("dynaq.sec5.1.2.tail-12", form="printed", strength="sampled")
def the_tails_of_small_flows_under_pmsb_and_per_queue_ecn() -> Outcome:
    """The ratios at 30 % of the 99th percentiles of flows below 0.1 MB: PMSB and Per-Queue ECN over DynaQ."""
    pmsb, queue = (fig9(old, "flow_p99", SMALL) for old in ECN[1:])
    ends = pmsb.over(loads=[0.3]), queue.over(loads=[0.3])
    return pmsb.kept.all_of(pmsb.kept.number(ends[0], 12.23, 2), pmsb.kept.number(ends[1], 12.63, 2))


@evidence("dynaq.sec5.1.2.per-queue-ecn", form="printed", strength="sampled")
def pmsb_is_like_tcn_and_per_queue_ecn_is_worst() -> Outcome:
    """The mean times of all flows under three schemes of ECN and DynaQ, and the tails of small flows at 30 and 80 %."""
    kept = Kept.with_handshake("dynaq.fig9")
    like = Ratio(kept, "PMSB", "TCN", "all_mean").alike(ECN_LOADS)
    worst = [Ratio(kept, "Per-Queue ECN", other, "all_mean") for other in ("DynaQ", *ECN[:2])]
    tails = [fig9(old, "flow_p99", SMALL) for old in ECN]

    def last(reading: str) -> bool:
        return all(each.of_means(reading, load) > 1 for each in worst for load in ECN_LOADS)

    def low(reading: str) -> bool:
        return all(each.of_means(reading, 0.3) > each.of_means(reading, 0.8) for each in tails)

    return kept.all_of(
        like, kept.within(last, "Per-Queue ECN slowest"), kept.within(low, "longer tails than DynaQ's at 30 %")
    )
