"""Section 5.2: completion times and losses in a leaf-spine, Figures 9 to 14; runs of senders that react."""

from collections.abc import Callable, Sequence

from dtmodel.ledger import Outcome, evidence
from dtmodel.ledger.evidence import Repeated

from ..support.experiments import Kept
from ..support.ratios import LARGE, MEDIUM, NEAR, SMALL, Ratio

LOADS = (0.5, 0.9)
COMPARED = ("ECN", "PIAS")
NO_ECN, STAR = "LossPass, no ECN", "LossPass, ECN*"
CLASSES = (SMALL, MEDIUM, LARGE)


def ratio(name: str, old: str, measure: str, part: int | None = None, new: str = "LossPass") -> Ratio:
    """Return the ratio of a measure under a scheme to that under LossPass, or under a `new` one."""
    return Ratio(Kept.read(f"losspass.{name}"), old, new, measure, part)


@evidence("losspass.sec5.2.1.web", form="printed", strength="sampled")
def small_flows_of_web_search_in_the_leaf_spine() -> Outcome:
    """The least and the greatest ratio over the loads of mean times of flows below 0.1 MB: ECN, PIAS over LossPass."""
    ecn, pias = (ratio("fig9", old, "flow_mean", SMALL) for old in COMPARED)

    def end(pick: Callable[[Sequence[float]], float], reading: str) -> float:
        return pick([each.over(pick, LOADS)(reading, 1) for each in (ecn, pias)])

    kept = ecn.kept
    return kept.all_of(
        kept.number(lambda reading, _: end(min, reading), 2.42, 2),
        kept.number(lambda reading, _: end(max, reading), 5.91, 2),
    )


@evidence("losspass.sec5.2.1.pias-99", form="printed", strength="sampled")
def the_tail_of_small_flows_under_pias_in_the_leaf_spine() -> Outcome:
    """The greatest ratio over the loads of the 99th percentiles of flows below 0.1 MB: PIAS over LossPass."""
    tail = ratio("fig9", "PIAS", "flow_p99", SMALL)
    return tail.kept.number(tail.over(max, LOADS), 14.03, 2)


@evidence("losspass.sec5.2.1.mining-less", form="printed", strength="sampled")
def small_flows_gain_less_in_data_mining() -> Outcome:
    """The mean ratios over the loads of the mean times of flows below 0.1 MB, ECN and PIAS over LossPass."""
    web, mining = ([ratio(name, old, "flow_mean", SMALL) for old in COMPARED] for name in ("fig9", "fig10"))

    def gain(ratios: list[Ratio], reading: str) -> float:
        return sum(each.over(loads=LOADS)(reading, 1) for each in ratios)

    return mining[0].kept.within(lambda each: gain(mining, each) < gain(web, each), "less gain in data mining")


@evidence("losspass.sec5.2.1.large", form="printed", strength="sampled")
def large_flows_of_web_search_in_the_leaf_spine() -> Outcome:
    """Ratios of the mean times of flows above 10 MB: ECN in the mean over the loads, and PIAS at the least."""
    ecn, pias = (ratio("fig9", old, "flow_mean", LARGE) for old in COMPARED)
    kept = ecn.kept
    return kept.all_of(kept.number(ecn.over(loads=LOADS), 1.07, 2), kept.number(pias.over(min, LOADS), 0.99, 2))


@evidence("losspass.sec5.2.1.medium", form="printed", strength="sampled")
def medium_flows_in_the_leaf_spine() -> Outcome:
    """The 99 % intervals of log ratios for medium flows in both workloads, and ratios for small ones in data mining."""
    parts = [ratio(name, old, "flow_mean", MEDIUM).sooner(LOADS) for name in ("fig9", "fig10") for old in COMPARED]
    means = [ratio("fig10", old, "flow_mean", SMALL).over(loads=LOADS) for old in COMPARED]
    kept = Kept.read("losspass.fig10")
    small = kept.within(lambda each: min(mean(each, 1) for mean in means) > 1, "small flows sooner in data mining")
    return kept.all_of(*parts, small)


@evidence("losspass.sec5.2.2.droptail", form="printed", strength="sampled")
def small_flows_lose_more_in_two_queues() -> Outcome:
    """The mean over the loads of the lost part of the packets of flows below 0.1 MB, in one queue and in two."""
    kept = Kept.read("losspass.fig11")

    def lost(policy: str, reading: str, seed: int) -> float:
        return sum(float(kept.of(reading, policy, seed, "loss", load)[SMALL]) for load in LOADS)

    return kept.always(lambda *run: lost("Droptail-2Q", *run) > lost("Droptail", *run), "more under Droptail-2Q")


@evidence("losspass.sec5.2.2.5.57", form="printed", strength="sampled")
def the_mean_times_of_small_flows_without_ecn() -> Outcome:
    """The mean ratio over the loads of the mean times of flows below 0.1 MB: Droptail-2Q over LossPass."""
    small = ratio("fig11", "Droptail-2Q", "flow_mean", SMALL)
    return small.kept.number(small.over(loads=LOADS), 5.57, 2)


@evidence("losspass.sec5.2.2.large", form="printed", strength="sampled")
def the_mean_times_of_large_flows_without_ecn() -> Outcome:
    """The mean ratios over the loads of the mean times of flows above 10 MB: Droptail-2Q and Droptail over LossPass."""
    two, one = (ratio("fig11", old, "flow_mean", LARGE) for old in ("Droptail-2Q", "Droptail"))
    kept = two.kept
    return kept.all_of(kept.number(two.over(loads=LOADS), 0.94, 2), kept.number(one.over(loads=LOADS), 1.02, 2))


@evidence("losspass.sec5.2.3.no-ecn", form="printed", strength="sampled")
def losspass_without_ecn_against_pias() -> Outcome:
    """The ratio of the tails of small flows, PIAS over LossPass without ECN, and intervals for the other mean times."""
    tail = ratio("fig13", "PIAS", "flow_p99", SMALL, NO_ECN)
    others = (("all_mean", None), ("flow_mean", MEDIUM), ("flow_mean", LARGE))
    worse = [ratio("fig13", NO_ECN, of, part, "PIAS").sooner() for of, part in others]
    return tail.kept.all_of(tail.kept.number(tail.over(), 2.10, 2), *worse)


@evidence("losspass.fig13.caption", form="printed", strength="sampled")
def losspass_without_ecn_can_be_better_than_pias() -> Outcome:
    """The 99 % intervals of the log ratios of mean time and tail of small flows, LossPass without ECN over PIAS."""
    kept = Kept.read("losspass.fig13")
    parts = [ratio("fig13", "PIAS", of, SMALL, NO_ECN).sooner() for of in ("flow_mean", "flow_p99")]
    either = [each for each in kept.readings if any(each in part.reproduced for part in parts)]
    return kept.repeated(either, "mean time or tail of small flows less than under PIAS")


@evidence("losspass.sec5.2.3.competitive", form="printed", strength="sampled")
def losspass_without_ecn_as_with_it() -> Outcome:
    """The ratios of four mean times from 0.95 to 1.05, and that of the tails of small flows outside."""
    tail = ratio("fig13", NO_ECN, "flow_p99", SMALL).over()
    kept = Kept.read("losspass.fig13")
    apart = kept.within(lambda each: not NEAR[0] <= tail(each, 1) <= NEAR[1], "another tail")
    return kept.all_of(*alike_in_mean(NO_ECN), apart)


def alike_in_mean(policy: str) -> list[Repeated]:
    """Return, for all flows and each class, the readings in which the mean times are similar to those of LossPass."""
    kinds = (("all_mean", None), *(("flow_mean", part) for part in CLASSES))
    return [ratio("fig13", policy, *kind).alike() for kind in kinds]


@evidence("losspass.sec5.2.3.ecn-star", form="printed", strength="sampled")
def losspass_with_ecn_star() -> Outcome:
    """The ratios of four mean times to those with DCTCP, and the interval for small flows against ECN* alone."""
    better = ratio("fig13", "ECN*", "flow_mean", SMALL, STAR)
    return better.kept.all_of(*alike_in_mean(STAR), better.sooner())
