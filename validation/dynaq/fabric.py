"""Section 5.2.2: completion times in a leaf-spine, Figures 14 and 15; runs of senders that react."""

from dtmodel.ledger import Outcome, evidence
from dtmodel.ledger.evidence import Repeated

from ..support.experiments import Kept
from ..support.ratios import LARGE, SMALL, Ratio

LOADS = (0.4, 0.6, 0.8)
ECN_LOADS = (0.3, 0.8)
"""The loads of the runs of Figures 14 and 15."""
ECN = ("PMSB", "Per-Queue ECN")


def ratio(old: str, measure: str, part: int | None = None, name: str = "dynaq.fig14") -> Ratio:
    """Return the ratio of a measure under a scheme to that under DynaQ."""
    return Ratio(Kept.read(name), old, "DynaQ", measure, part)


@evidence("dynaq.sec5.2.2.best-effort", form="printed", strength="sampled")
def the_ratios_to_best_effort() -> Outcome:
    """The least and the greatest ratio over the loads for all flows, and the greatest for the tail of small ones."""
    both, tail = ratio("BestEffort", "all_mean"), ratio("BestEffort", "flow_p99", SMALL)
    kept = both.kept
    return kept.all_of(
        kept.number(both.over(min, LOADS), 0.98, 2),
        kept.number(both.over(max, LOADS), 1.01, 2),
        kept.number(tail.over(max, LOADS), 1.01, 2),
    )


@evidence("dynaq.sec5.2.2.pql", form="printed", strength="sampled")
def the_ratios_to_pql() -> Outcome:
    """Ratios of mean times of small, large and all flows: PQL over DynaQ."""
    small, large, both = ratio("PQL", "flow_mean", SMALL), ratio("PQL", "flow_mean", LARGE), ratio("PQL", "all_mean")
    kept, mean = both.kept, both.over(loads=LOADS)
    return kept.all_of(
        kept.within(lambda each: max(small.of_means(each, load) for load in (0.6, 0.8)) < 1, "small flows sooner"),
        kept.number(small.over(min, LOADS), 0.98, 2),
        kept.number(small.over(max, LOADS), 1.02, 2),
        kept.number(large.over(loads=[0.4]), 0.82, 2),
        kept.within(lambda each: mean(each, 1) > 1, "all flows later"),
    )


@evidence("dynaq.sec5.2.2.tail-pql", form="printed", strength="sampled")
def the_tail_of_small_flows_under_pql() -> Outcome:
    """The least ratio over the loads of the 99th percentiles of flows below 0.1 MB: PQL over DynaQ."""
    tail = ratio("PQL", "flow_p99", SMALL)
    return tail.kept.number(tail.over(min, LOADS), 0.98, 2)


@evidence("dynaq.sec5.2.2.large", form="printed", strength="sampled")
def large_flows_under_dynaq_best_effort_and_pql() -> Outcome:
    """The 99 % intervals of the log ratios of the mean times of flows above 10 MB: DynaQ between PQL and BestEffort."""
    best, pql = ratio("BestEffort", "flow_mean", LARGE), ratio("PQL", "flow_mean", LARGE)
    worse = Ratio(pql.kept, "DynaQ", "PQL", "flow_mean", LARGE)
    return best.kept.all_of(best.sooner(LOADS), worse.sooner(LOADS))


@evidence("dynaq.sec5.2.2.tcn-tail", form="printed", strength="sampled")
def the_tail_of_small_flows_under_tcn() -> Outcome:
    """The ratio at 30 % of the 99th percentiles of flows below 0.1 MB: TCN over DynaQ."""
    tail = ratio("TCN", "flow_p99", SMALL, "dynaq.fig15")
    return tail.kept.number(tail.over(loads=[0.3]), 0.10, 2)


@evidence("dynaq.sec5.2.2.tcn-gap", form="printed", strength="sampled")
def the_gap_to_tcn_by_the_load() -> Outcome:
    """The 99 % interval of the log of the ratio of tails at 30 % divided by that at 80 %: TCN over DynaQ."""
    tail = ratio("TCN", "flow_p99", SMALL, "dynaq.fig15")
    low, high = ECN_LOADS
    return tail.kept.sooner(
        lambda reading, seed: tail.of_seed(reading, seed, low) / tail.of_seed(reading, seed, high), "a smaller gap"
    )


@evidence("dynaq.sec5.2.2.ecn-others", form="printed", strength="sampled")
def dynaq_against_pmsb_and_per_queue_ecn() -> Outcome:
    """The 99 % intervals of the log ratios of three mean times and a 99th percentile: DynaQ over the two schemes."""
    kinds = (("all_mean", None), ("flow_mean", SMALL), ("flow_mean", LARGE), ("flow_p99", SMALL))
    kept = Kept.read("dynaq.fig15")
    parts: list[Repeated] = [ratio(old, of, part, "dynaq.fig15").sooner(ECN_LOADS) for old in ECN for of, part in kinds]
    return kept.repeated(kept.all_of(*parts).reproduced, "three means and a tail are less than under both")
