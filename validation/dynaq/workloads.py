"""Section 5: the workloads of the experiments, and published distributions of their flow sizes."""

from fractions import Fraction

from dtmodel.ledger import Agrees, Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.packet.flow_sizes import FLOW_SIZES, flow_sizes

WORKLOADS = ("web search", "data mining", "cache", "hadoop")


@evidence("dynaq.sec5.workload@published", form="printed", strength="exact")
def flows_above_100_mb_have_less_than_three_quarters() -> Outcome:
    """The part of the bytes in flows above 100 MB, for segments of 1,460 and 1,500 bytes; at most 3/4 in both."""
    shares = [flow_sizes("data-mining", segment).share_above("100 MB") for segment in (1460, 1500)]
    check(all(share < Fraction(3, 4) for share in shares), f"{[*map(float, shares)]}")
    says = "72 % of the bytes; the two sizes of a segment differ by less than 0.1 %"
    return refuted_by_values({"share": max(shares)}, "abs(share - 9/10) <= 1/20", says)


@evidence("dynaq.sec5.workload.half@published", form="printed", strength="exact")
def half_of_the_flows_have_one_segment() -> Outcome:
    """Half are above one segment, all are above anything less."""
    for segment in (1460, 1500):
        sizes = flow_sizes("data-mining", segment)
        check(sizes.above(segment) == Fraction(1, 2) and sizes.above(segment - 1) == 1, f"{segment}")
    return Agrees(2, "two sizes of a segment")


@evidence("dynaq.sec5.heavy-tailed@published", form="printed", strength="exact")
def the_largest_tenth_has_most_of_the_bytes() -> Outcome:
    """Above a size that at most a tenth of the flows exceeds, more than half of the bytes are found."""
    bounds = {"web-search": "5 MB", "data-mining": "400 KB", "cache": "3 MB", "hadoop": "240 KB"}
    check(set(bounds) == set(FLOW_SIZES), "the four distributions")
    for name, bound in bounds.items():
        sizes = flow_sizes(name)
        check(sizes.above(bound) <= Fraction(1, 10) and sizes.share_above(bound) > Fraction(1, 2), name)
    return Agrees(len(bounds), "web search, data mining, cache and Hadoop")


@evidence("dynaq.sec5.less-skewed@published", form="printed", strength="exact")
def web_search_has_the_least_largest_flow() -> Outcome:
    """Divide the largest flow of each distribution by its mean: 17.5 for web search, more than 50 for the others."""
    times = {name: flow_sizes(name).points[-1][0] / flow_sizes(name).mean for name in FLOW_SIZES}
    web = times.pop("web-search")
    check(len(times) == 3 and web < 18 and min(times.values()) > 50, f"{web}, {times}")
    return Agrees(4, "web search, data mining, cache and Hadoop")


@evidence("dynaq.sec5.four-workloads", form="printed", strength="exact")
def four_names_of_workloads() -> Outcome:
    """Count the names of the workloads."""
    check(len(set(WORKLOADS)) == 4, f"{WORKLOADS}")
    return Proved("four different names", {"workloads": str(len(set(WORKLOADS)))}, ["workloads == 4"])
