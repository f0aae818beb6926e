"""The network beside ns-3: the same packets at the same times until the first recovery from a loss."""

from dataclasses import replace
from fractions import Fraction

import pytest

from benchmarks.ns3 import star
from dtmodel.network.integers import SECOND

pytestmark = pytest.mark.needs("ns3")
MICROSECOND = SECOND // 10**6


@pytest.mark.parametrize("freed", ["start", "end"])
@pytest.mark.parametrize(("senders", "size"), star.LOSSLESS)
def test_without_losses_the_greatest_length_is_the_one_of_ns3(senders: int, size: int, freed: str) -> None:
    run = star.answers(senders, size, freed)
    theirs, ours = star.in_ns3(run), star.in_dtmodel(run)
    assert theirs.ports[0].peak == ours.ports[0].peak > 50_000
    # ns-3 sends a header of two bytes more at a rate of whole bits per second: each time is rounded
    assert all(abs(a - b) < MICROSECOND for a, b in zip(theirs.times, ours.times, strict=True))


@pytest.mark.parametrize("freed", ["start", "end"])
@pytest.mark.parametrize(("alpha", "senders"), star.FIRST_WINDOWS)
def test_first_windows_lose_as_many_packets_as_in_ns3(alpha: Fraction | None, senders: int, freed: str) -> None:
    run = replace(star.answers(senders, 14_600, freed, 200_000, alpha), end=9 * star.MILLISECOND)
    theirs, ours = star.in_ns3(run).ports[0], star.in_dtmodel(run).ports[0]
    assert (theirs.peak, theirs.dropped, theirs.sent) == (ours.peak, ours.dropped, ours.sent)
    assert ours.dropped > 100
