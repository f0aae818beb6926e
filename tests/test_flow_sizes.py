"""Published flow sizes: means, tails and shares, against sums over many equal parts of the distribution."""

from fractions import Fraction

import pytest

from dtmodel import InputError
from dtmodel.packet.flow_sizes import FLOW_SIZES, FlowSizes, flow_sizes

F = Fraction


@pytest.mark.parametrize("name", FLOW_SIZES)
def test_a_distribution_rises_from_0_to_1(name: str) -> None:
    points = flow_sizes(name).points
    assert points == tuple(sorted(points))
    assert [part for _, part in points] == sorted(part for _, part in points)
    assert (points[0][1], points[-1][1]) == (F(0), F(1))


def middles(sizes: FlowSizes, parts: int) -> list[tuple[F, F]]:
    """The size in the middle of each of so many parts of equal probability within each piece."""
    found = []
    for (low, p), (high, q) in zip(sizes.points, sizes.points[1:], strict=False):
        found += [((q - p) / parts, low + (high - low) * F(2 * k + 1, 2 * parts)) for k in range(parts)]
    return found


@pytest.mark.parametrize("name", FLOW_SIZES)
@pytest.mark.parametrize("bound", [0, 1, 100_000, 1_000_000, 10_000_000])
def test_means_and_shares_are_sums_over_the_distribution(name: str, bound: int) -> None:
    """Within a part the sum errs only where the bound cuts it: one part of 200 of one piece."""
    sizes = flow_sizes(name)
    drawn = middles(sizes, 200)
    mean = sum((weight * size for weight, size in drawn), F(0))
    assert sizes.mean == mean
    cut = max(weight * size for weight, size in drawn) / mean
    larger = [(weight, size) for weight, size in drawn if size > bound]
    assert abs(sizes.above(bound) - sum((weight for weight, _ in larger), F(0))) <= F(1, 200)
    assert abs(sizes.share_above(bound) - sum((weight * size for weight, size in larger), F(0)) / mean) <= cut
    assert abs(sizes.tail(bound) - sum((weight * (size - bound) for weight, size in larger), F(0)) / mean) <= cut


def test_the_shares_of_large_flows_are_the_known_ones() -> None:
    """By hand for 100 MB: of the last piece, from 66,667 to 666,667 segments, what lies above 68,493.15."""
    mining = flow_sizes("data-mining")
    bound, top = F(10**8, 1460), 666_667
    by_hand = F(1, 100) * (top - bound) / 600_000 * (top + bound) / 2 * 1460 / mining.mean
    assert mining.share_above("100 MB") == by_hand
    web = flow_sizes("web-search")
    assert [round(float(web.share_above(10**k)), 2) for k in (6, 7, 8)] == [0.95, 0.35, 0]


def test_a_segment_scales_all_sizes_and_a_name_is_checked() -> None:
    assert flow_sizes("cache", 1000).mean * F(146, 100) == flow_sizes("cache").mean
    with pytest.raises(InputError, match="one of web-search"):
        flow_sizes("video")
    with pytest.raises(InputError, match="segment"):
        flow_sizes("cache", 0)
