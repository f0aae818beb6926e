"""Section 5.1.2: completion times Figure 10; runs of senders that react."""

from dtmodel.ledger import Outcome, evidence

from ..support.experiments import Kept
from ..support.ratios import LARGE, SMALL, Ratio


def ratio(old: str, measure: str, part: int | None, name: str) -> Ratio:
    """Return the ratio of a measure under a scheme to that under DynaQ."""
    return Ratio(Kept.read(name), old, "DynaQ", measure, part)


@evidence("dynaq.sec5.1.2.fig10", form="printed", strength="sampled")
def four_queues_of_drr_without_priority() -> Outcome:
    """The 99 % intervals of the log ratios of three mean times and a 99th percentile, DynaQ over BestEffort and PQL."""
    kinds = (("all_mean", None), ("flow_mean", SMALL), ("flow_mean", LARGE), ("flow_p99", SMALL))
    kept = Kept.read("dynaq.fig10")

    def part(old: str, measure: str, of: int | None) -> Outcome:
        found = ratio(old, measure, of, "dynaq.fig10")
        return kept.sooner(lambda reading, seed: 1 / found.of_seed(reading, seed), f"{old}, {measure}")

    each = kept.all_of(*(part(old, *kind) for old in ("BestEffort", "PQL") for kind in kinds))
    return kept.repeated(each.reproduced, "three means and a tail are less than under BestEffort and PQL")
