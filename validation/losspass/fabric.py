"""Section 5.2: completion times and losses in a leaf-spine, Figures 9 to 14; runs of senders that react."""

from dtmodel.ledger import Outcome, evidence
from dtmodel.ledger.evidence import Repeated

from ..support.experiments import Kept
from ..support.ratios import LARGE, MEDIUM, NEAR, SMALL, Ratio

NO_ECN, STAR = "LossPass, no ECN", "LossPass, ECN*"
CLASSES = (SMALL, MEDIUM, LARGE)


def ratio(name: str, old: str, measure: str, part: int | None = None, new: str = "LossPass") -> Ratio:
    """Return the ratio of a measure under a scheme to that under LossPass, or under a `new` one."""
    return Ratio(Kept.read(f"losspass.{name}"), old, new, measure, part)


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
