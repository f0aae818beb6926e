"""The packet engine: conservation, order of events, accounting, and convergence to the fluid model."""

import random
from fractions import Fraction
from typing import Any

import pytest

from dtmodel import DT, InputError
from dtmodel.packet.arrivals import constant, listed, merge, poisson
from dtmodel.packet.engine import Admitting, Lost, PacketRun, run_packets
from dtmodel.policies import Admission
from dtmodel.policies.edt_circuit import CircuitSettings, EdtPolicy
from dtmodel.theory.edt.drops import Bursts
from validation.support.edt.on_off import lognormal_on_off

F = Fraction


def run_bursts(s: Bursts, policy: Admitting, size: Fraction, until: Fraction) -> PacketRun:
    """M bursts beside N steady ports that hold whole packets up to their threshold."""
    held = [size] * int(s.alpha * s.B / (1 + s.alpha * s.N) / size)
    streams = [constant(s.R, size) for _ in range(s.M)] + [constant(2 * s.C, size) for _ in range(s.N)]
    initial = [[]] * s.M + [held] * s.N
    rates = [s.C] * (s.M + s.N)
    return run_packets(buffer=s.B, rates=rates, policy=policy, streams=streams, until=until, initial=initial)


def bursts(M: int, N: int, R: Fraction) -> Bursts:
    return Bursts(F(1), F(840_000), F(125_000_000), M, N, R * 125_000_000)


@pytest.mark.parametrize(("M", "N", "R"), [(1, 2, F(2)), (2, 1, F(2)), (1, 0, F(3)), (3, 1, F(3)), (2, 3, F(5, 2))])
@pytest.mark.parametrize("size", [F(2000), F(500)])
def test_dt_drops_within_one_packet_time_of_theorem_1(M: int, N: int, R: Fraction, size: Fraction) -> None:
    s = bursts(M, N, R)
    lost = run_bursts(s, DT(s.alpha), size, s.dt_drop * 2).first_drop(0)
    assert lost is not None
    assert abs(lost.time - s.dt_drop) <= size / s.C


@pytest.mark.parametrize(("M", "N", "R"), [(1, 2, F(2)), (2, 1, F(2)), (1, 0, F(3)), (3, 1, F(3))])
def test_edt_converges_to_the_fluid_drop_time_as_packets_shrink(M: int, N: int, R: Fraction) -> None:
    s = bursts(M, N, R)
    gaps = []
    for size in (F(4000), F(2000), F(1000)):
        policy = EdtPolicy(CircuitSettings(s.alpha, 3, s.r * s.dt_drop / 4, None, None), M + N, s.B)
        lost = run_bursts(s, policy, size, s.overflow * 2).first_drop(0)
        assert lost is not None
        gaps.append(abs(lost.time - s.overflow) / (size / s.C))
    assert max(gaps) <= 8, "the error is a bounded number of packet times: it vanishes like the packet size"


def test_bytes_are_conserved_and_the_memory_is_never_exceeded() -> None:
    rng = random.Random(1)
    streams = [list(lognormal_on_off(250e6, 1500.0, 0.002, 0.01, rng, stop=0.1)) for _ in range(4)]
    edt = EdtPolicy(CircuitSettings(1, 3, 12_000, 0.0021, 0.01), 4, 100_000)
    result = run_packets(buffer=100_000, rates=[125e6] * 4, policy=edt, streams=streams, until=1.0, sample=1e-4)
    assert result.lost
    for port in range(4):
        assert result.offered[port] == result.sent[port] + result.dropped(port)
    assert all(lost.free >= 0 for lost in result.lost)
    assert max(sum(lengths) for _, lengths in result.samples) <= 100_000


def test_the_same_seed_gives_the_same_run() -> None:
    def once() -> list[float]:
        rng = random.Random(7)
        stream = merge(poisson(2e8, 1500.0, rng, stop=0.02), constant(5e7, 1500.0, stop=0.02))
        result = run_packets(buffer=20_000, rates=[1e8], policy=DT(1), streams=[stream], until=1)
        return [lost.time for lost in result.lost]

    assert once() == once() != []


def test_a_packet_departs_before_another_arrives_at_the_same_instant() -> None:
    result = run_packets(buffer=1, rates=[1], policy=DT(9), streams=[listed([(0, 1), (1, 1)])], until=9)
    assert result.lost == []
    assert result.sent == [2]


def test_packets_can_be_counted_instead_of_bytes() -> None:
    arrivals = [(0, 9), (0, 1), (0, 1), (0, 1)]
    done = run_packets(buffer=4, rates=[1], policy=DT(1), streams=[listed(arrivals)], until=99, account=lambda _: 1)
    assert [lost.size for lost in done.lost] == [1, 1]


def test_a_packet_larger_than_the_buffer_and_a_missing_stream_are_refused() -> None:
    with pytest.raises(InputError, match="no larger than the buffer"):
        run_packets(buffer=4, rates=[1], policy=DT(1), streams=[listed([(0, 5)])], until=9)
    with pytest.raises(InputError, match="one stream for each"):
        run_packets(buffer=4, rates=[1, 1], policy=DT(1), streams=[listed([])], until=9)


def test_on_periods_have_the_mean_that_is_asked_for() -> None:
    packets = list(lognormal_on_off(250e6, 1500.0, 0.002, 0.01, random.Random(5), stop=30.0))
    bursts = packets[-1][2]
    assert bursts is not None
    assert abs(len(packets) * 1500 / 250e6 / bursts / 0.002 - 1) < 0.05


def test_each_port_has_its_own_alpha() -> None:
    policy = DT([1, 3]).admission(2, F(4), lambda size: size)
    assert [policy.admits(port, 2, 2, 0) for port in (0, 1)] == [False, True]


class Recorded(Admission):
    """A policy that admits all but what arrives at `refused`, and writes down what it is asked and told."""

    def __init__(self, refused: frozenset[Any] = frozenset()) -> None:
        self.refused = refused
        self.said: list[tuple[Any, ...]] = []

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        self.said.append(("admits", now, port, length, free))
        return now not in self.refused

    def enqueued(self, port: int, size: Any, now: Any) -> None:
        self.said.append(("enqueued", now, port, size))

    def dequeued(self, port: int, size: Any, now: Any) -> None:
        self.said.append(("dequeued", now, port, size))

    def dropped(self, port: int, now: Any) -> None:
        self.said.append(("dropped", now, port))

    def overflowed(self, now: Any) -> None:
        self.said.append(("overflowed", now))


def test_two_ports_followed_by_hand() -> None:
    """Port 0 (1 byte/s) holds 1 and 2 bytes at first, port 1 (2 bytes/s) gets 4; all share 10 bytes.

    At 2 a packet of 4 does not fit beside 2 + 4 + 3; at 3 the policy refuses one.
    """
    policy = Recorded(refused=frozenset({F(3)}))
    streams = [[(F(1, 2), F(3), None), (F(2), F(4), 5)], [(F(1, 4), F(4), 6), (F(3), F(1), 7), (F(99), F(1), None)]]
    done = run_packets(
        buffer=F(10), rates=[F(1), F(2)], policy=policy, streams=streams, until=F(9), initial=[[F(1), F(2)], []]
    )
    quarter = F(1, 4)
    assert policy.said == [
        ("admits", quarter, 1, 0, 7),
        ("enqueued", quarter, 1, 4),
        ("admits", F(1, 2), 0, 3, 3),
        ("enqueued", F(1, 2), 0, 3),
        ("dequeued", 1, 0, 1),
        ("overflowed", 2),
        ("dropped", 2, 0),
        ("dequeued", 2 + quarter, 1, 4),
        ("dequeued", 3, 0, 2),
        ("admits", 3, 1, 0, 7),
        ("dropped", 3, 1),
        ("dequeued", 6, 0, 3),
    ]
    lost = [Lost(F(2), 0, 5, F(4), F(1)), Lost(F(3), 1, 7, F(1), F(7))]
    assert done == PacketRun(offered=[F(7), F(5)], sent=[F(6), F(4)], lost=lost, samples=[])
    assert (done.first_drop(0), done.first_drop(1)) == tuple(lost)
    assert [done.dropped(port) for port in (0, 1)] == [4, 1]


def test_what_happens_at_the_end_still_counts_and_what_comes_later_does_not() -> None:
    streams = [[(F(0), F(1), None), (F(2), F(1), None)]]
    runs = [
        run_packets(buffer=9, rates=[1], policy=Recorded(), streams=streams, until=end) for end in (F(1), F(3, 2), F(2))
    ]
    assert [done.sent for done in runs] == [[1], [1], [1]]
    assert [done.offered for done in runs] == [[1], [1], [2]]


def test_a_sample_shows_the_lengths_after_all_that_happens_at_its_instant() -> None:
    """Port 0 gets 2 bytes at 0 and 1, and sends until 2 and 4; port 1 gets 3 bytes at 1/2, and sends until 7/2."""
    streams = [[(F(0), F(2), None), (F(1), F(2), None)], [(F(1, 2), F(3), None), (F(9), F(1), None)]]
    done = run_packets(buffer=99, rates=[1, 1], policy=Recorded(), streams=streams, until=F(9), sample=1)
    assert done.samples[:5] == [(0, (2, 0)), (1, (4, 3)), (2, (2, 3)), (3, (2, 3)), (4, (0, 0))]
    assert [time for time, _ in done.samples] == list(range(9))
    late = run_packets(
        buffer=99, rates=[1, 1], policy=Recorded(), streams=streams, until=F(9), sample=2, sample_from=F(1)
    )
    assert late.samples[:2] == [(1, (4, 3)), (3, (2, 3))]


def test_without_a_period_nothing_is_sampled() -> None:
    assert run_packets(buffer=9, rates=[1], policy=Recorded(), streams=[[(0, 1, None)]], until=5).samples == []
