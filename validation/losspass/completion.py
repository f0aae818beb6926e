"""Section 5.1.2: completion times by the load, Figures 6 and 7; runs of senders that react."""

from collections.abc import Callable, Sequence
from statistics import fmean

from dtmodel.ledger import Outcome, evidence
from dtmodel.ledger.evidence import Repeated

from ..support.experiments import Kept
from ..support.ratios import LARGE, SMALL, Ratio

LOADS = (0.5, 0.6, 0.7, 0.8)
PIAS = ("PIAS", "PIAS, marks by the port")


def near(
    name: str, schemes: Sequence[str], part: int, published: float, pick: Callable[[Sequence[float]], float] = fmean
) -> Repeated:
    """Compare a ratio of mean times, picked over the loads, with a published number.

    `schemes`: the scheme in the variants of which the paper does not say which one it has; it is divided by LossPass.
    """
    kept = Kept.read(name)
    first, *others = (Ratio(kept, scheme, "LossPass", "flow_mean", part).over(pick, LOADS) for scheme in schemes)
    return kept.number(first, published, 2, *others)


@evidence("losspass.sec5.1.2.ecn-average", form="printed", strength="sampled")
def the_greatest_gain_of_small_flows_over_ecn() -> Outcome:
    """The greatest ratio over the loads of the mean times of flows below 0.1 MB, ECN over LossPass: both workloads."""
    mining = near("losspass.fig7", ["ECN"], SMALL, 1.63, max)
    return Kept.read("losspass.fig6").all_of(near("losspass.fig6", ["ECN"], SMALL, 2.00, max), mining)


@evidence("losspass.sec5.1.2.pias-average", form="printed", strength="sampled")
def the_greatest_gain_of_small_flows_over_pias() -> Outcome:
    """The greatest ratio over the loads of the mean times of flows below 0.1 MB, PIAS over LossPass: both workloads."""
    mining = near("losspass.fig7", PIAS, SMALL, 1.09, max)
    return Kept.read("losspass.fig6").all_of(near("losspass.fig6", PIAS, SMALL, 1.31, max), mining)


@evidence("losspass.sec5.1.2.large-web", form="printed", strength="sampled")
def large_flows_of_web_search() -> Outcome:
    """The mean over the loads of the ratios of the mean times of flows above 10 MB: ECN and PIAS over LossPass."""
    pias = near("losspass.fig6", PIAS, LARGE, 0.94)
    return Kept.read("losspass.fig6").all_of(near("losspass.fig6", ["ECN"], LARGE, 0.93), pias)


@evidence("losspass.sec5.1.2.large-mining", form="printed", strength="sampled")
def large_flows_of_data_mining() -> Outcome:
    """The least and the greatest ratio over the loads for flows above 10 MB: ECN and PIAS over LossPass."""
    ranges = ((["ECN"], 1.00, 1.02), (PIAS, 0.99, 1.05))
    parts = [
        near("losspass.fig7", schemes, LARGE, published, pick)
        for schemes, least, most in ranges
        for published, pick in ((least, min), (most, max))
    ]
    return Kept.read("losspass.fig7").all_of(*parts)
