"""Section 5.2.2: TCP with bursty and with uniform traffic, Figures 19 and 20; runs of senders that react."""

from dtmodel.ledger import Outcome, evidence

from ..support.experiments import Kept
from ..support.ratios import LARGE, SMALL, Ratio


def ratio(name: str, measure: str, part: int | None = None) -> Ratio:
    """Return the ratio of a measure under EDT to that under DT."""
    return Ratio(Kept.read(name), "EDT", "DT", measure, part)


@evidence("edt.fig19.tail", form="printed", strength="sampled")
def the_tail_of_small_responses() -> Outcome:
    """The per cent by which the 99th percentile of flows below 0.1 MB is less under EDT: the median over the seeds."""
    tail = ratio("edt.fig19", "flow_p99", SMALL)
    ends = [tail.kept.number(lambda reading, seed: 100 * (1 - tail.of_seed(reading, seed)), end, 0) for end in (14, 34)]
    return tail.kept.all_of(*ends)


@evidence("edt.fig19.drops", form="printed", strength="sampled")
def the_losses_of_small_responses() -> Outcome:
    """The lost parts of the packets of flows below 0.1 MB under EDT and DT, in 20 paired seeds."""
    lost = ratio("edt.fig19", "loss", SMALL)
    return lost.kept.often(lambda reading, seed: lost.of_seed(reading, seed) < 1, "less under EDT in 19 of 20 seeds")


@evidence("edt.fig19.large", form="printed", strength="sampled")
def the_mean_times_of_large_responses() -> Outcome:
    """The ratio of the mean times of flows above 1 MB, EDT over DT: from 0.95 to 1.05."""
    return ratio("edt.fig19", "flow_mean", LARGE).alike()


@evidence("edt.fig20", form="printed", strength="sampled")
def the_mean_times_with_uniform_traffic() -> Outcome:
    """The ratio of the mean times of all flows, EDT over DT: from 0.95 to 1.05."""
    return ratio("edt.fig20", "all_mean").alike()
