"""Absorbable bursts: closed forms against Algorithm 1 packet by packet, and against the fluid engine."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from fluid_cases import edt_engine
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

from dtmodel import DT, EDT, Arrivals, CompleteSharing, Switch, simulate
from dtmodel.packet.losspass.algorithm import Arbiter, Arrival, PortSettings
from dtmodel.theory.absorbable_burst import (
    AbsorbingPolicy,
    Ecn,
    EnhancedDynamicThreshold,
    FilledPort,
    LossPass,
    PolicyRoom,
    TailDrop,
    absorbable_burst,
)
from dtmodel.theory.losspass.formulas import (
    burst_in_packets,
    burst_in_slots,
    burst_of_equal_victims,
    compare_with_ecn,
    full_port,
    room_at,
    room_with_reserve,
)

F = Fraction


def filled(B: Any, B_l: Any, small: Any, victims: Any) -> Arbiter:
    """Return a port whose queues hold one small packet of `small` bytes and the victims, tail first."""
    port = Arbiter(PortSettings(F(B), F(B_l)))
    for size in reversed(victims):
        assert port.arrive(Arrival("large", F(size))).decision == "enqueue"
    assert not small or port.arrive(Arrival("small", F(small))).decision == "enqueue"
    return port


def counted(port: Arbiter, size: Any) -> int:
    """Count the small packets that are buffered before the first one is lost."""
    count = 0
    while port.arrive(Arrival("small", F(size))).decision in ("enqueue", "evict"):
        count += 1
    return count


@settings(max_examples=100, deadline=None)
@given(
    st.integers(1, 60), st.integers(1, 9), st.integers(0, 40), st.integers(1, 9), st.integers(0, 60), st.integers(0, 9)
)
def test_the_closed_forms_equal_a_count_on_random_larger_ports(
    free: int, victim: int, count: int, size: int, reserve: int, small: int
) -> None:
    B = free + small + count * victim
    reserve = min(reserve, B)
    brute = counted(filled(B, reserve, small, [victim] * count), size) if size <= B else 0
    if size <= B:
        assert burst_of_equal_victims(F(B), F(small), count, F(victim), F(size), reserve=F(reserve)) == brute
        assert burst_in_packets(F(B), F(small), [F(victim)] * count, F(size), F(reserve)) == brute


def test_the_fluid_burst_is_the_limit_of_small_packets() -> None:
    B, small, large, reserve = F(10), F(1), F(7), F(3)
    fluid = room_with_reserve(B, small, large, reserve)
    for n in (1, 10, 100):
        packets = burst_in_packets(B, small, [F(1, n)] * (7 * n), F(1, n), reserve)
        assert F(packets, n) == fluid == 6


def test_equation_6_is_the_smallest_of_all_lengths_and_equals_the_fluid_burst() -> None:
    B, tau = F(8), F(3, 4)
    assert min(room_at(B, F(q), tau) for q in range(9)) == full_port(B, tau) == 6
    assert room_with_reserve(B, (1 - tau) * B, tau * B) == full_port(B, tau)


@settings(max_examples=200, deadline=None)
@given(
    st.integers(1, 40),
    st.integers(0, 50),
    st.integers(1, 9),
    st.fractions(0, 1, max_denominator=20),
    st.integers(0, 40),
)
def test_the_condition_decides_which_burst_is_larger(B: int, K: int, N: int, tau: F, B_l: int) -> None:
    B_l = min(B, B_l)
    result = compare_with_ecn(F(B), F(K), N, tau, reserve=F(B_l))
    assert result.losspass == max(0, tau * B - B_l)
    assert result.ecn == max(0, B - K - N)
    assert (result.larger == "losspass") == (tau > result.least_share)
    if K + N <= B and result.largest_buffer is not None:
        assert (result.larger == "losspass") == (result.largest_buffer > B)


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: burst_in_slots(4, 1), "arrivals"),
        (lambda: compare_with_ecn(F(0), F(1), 1, F(1)), "buffer"),
        (lambda: compare_with_ecn(F(8), F(-1), 1, F(1)), "threshold"),
        (lambda: compare_with_ecn(F(8), F(1), 1, F(1), reserve=F(9)), "reserve"),
        (lambda: FilledPort(F(8), small=F(9)), "buffer"),
        (lambda: FilledPort(F(8), small=F(1), others=F(8)), "buffer"),
        (lambda: FilledPort(F(0)), "buffer"),
        (lambda: FilledPort(F(-1, 2)), "buffer"),
        (lambda: LossPass(F(-1, 2)).room(FilledPort(F(8))), "reserve"),
        (lambda: FilledPort(F(8), small=F(-1)), "small"),
        (lambda: FilledPort(F(8), burst=F(0)), "burst"),
        (lambda: FilledPort(F(8), background=F(-1)), "background"),
        (lambda: LossPass(F(9)).room(FilledPort(F(8))), "reserve"),
        (lambda: PolicyRoom(DT(F(0))).room(FilledPort(F(8))), "policy.alpha"),
        (lambda: EnhancedDynamicThreshold(EDT(F(1), F(0))).room(FilledPort(F(8))), "policy.cn2"),
        (lambda: EnhancedDynamicThreshold(EDT(F(1), F(1)), uncontrolled=0).room(FilledPort(F(8))), "uncontrolled"),
    ],
)
def test_bad_parameters_are_named(call: Any, field: str) -> None:
    with refused(field):
        call()


def test_a_burst_that_the_line_keeps_up_with_has_no_limit() -> None:
    assert absorbable_burst(TailDrop(), FilledPort(F(8), line=F(2), burst=F(2))) is None
    assert absorbable_burst(TailDrop(), FilledPort(F(8), line=F(2), burst=F(1), background=F(1))) is None
    assert absorbable_burst(TailDrop(), FilledPort(F(8), line=F(2), burst=F(1), background=F(2))) == 8
    assert absorbable_burst(LossPass(), FilledPort(F(8), line=F(2), burst=F(1), background=F(2))) is None


def test_ecn_is_asked_at_its_largest_queue() -> None:
    assert absorbable_burst(Ecn(F(4), 2), FilledPort(F(8))) == 2


def fluid_volume(policy: Any, B: F, C: F, R: F, held: F) -> F:
    """Return the burst that one port alone takes before its first loss, from the fluid engine."""
    run = simulate(
        Switch(ports=1, buffer=B, rate=C), policy, {0: Arrivals.constant(R)}, initial={0: held}, until=100 * B / (R - C)
    )
    time = run.first_drop(0)
    assert time is not None
    return R * time


PAIRS: list[tuple[AbsorbingPolicy, Any]] = [
    *((PolicyRoom(policy), policy) for policy in (CompleteSharing(), *map(DT, (F(1, 2), F(1), F(8))))),
    *(
        (EnhancedDynamicThreshold(EDT(F(1), F(cn2), tm1, tm2)), EDT(alpha=1, cn2=F(cn2), tm1=tm1, tm2=tm2))
        for cn2, tm1, tm2 in product((1, 2, 5), (None, F(1), F(1, 4)), (None, F(1, 2), F(2), F(9)))
    ),
]


@pytest.mark.parametrize(("rule", "policy"), PAIRS)
@pytest.mark.parametrize("R", [F(2), F(3), F(7, 2)])
@pytest.mark.parametrize("held", [F(0), F(3, 2)])
def test_the_absorbable_burst_of_a_lone_port_is_the_fluid_engines(
    rule: AbsorbingPolicy, policy: Any, R: F, held: F
) -> None:
    port = FilledPort(F(8), large=held, line=F(1), burst=R)
    assert absorbable_burst(rule, port) == fluid_volume(policy, F(8), F(1), R, held)


@pytest.mark.parametrize(
    ("rule", "port", "room"),
    [
        (EnhancedDynamicThreshold(EDT(F(1), F(1)), uncontrolled=2), FilledPort(F(8), others=F(1)), 4),
        (EnhancedDynamicThreshold(EDT(F(1), F(1)), uncontrolled=2), FilledPort(F(8), others=F(5)), 3),
        (EnhancedDynamicThreshold(EDT(F(1), F(1))), FilledPort(F(8), others=F(1)), 7),
        (EnhancedDynamicThreshold(EDT(F(1), F(1), tm1=F(1), tm2=F(1))), FilledPort(F(8), small=F(1)), 7),
        (EnhancedDynamicThreshold(EDT(F(1), F(1))), FilledPort(F(8), small=F(5)), 0),
        (EnhancedDynamicThreshold(EDT(F(1), F(3)), uncontrolled=4), FilledPort(F(8)), 3),
        (PolicyRoom(DT(F(1))), FilledPort(F(8), small=F(5)), 0),
        (PolicyRoom(DT(F(1))), FilledPort(F(8), small=F(4)), 0),
        (PolicyRoom(DT(F(1))), FilledPort(F(8), small=F(1), large=F(1), others=F(1)), F(3, 2)),
        (PolicyRoom(CompleteSharing()), FilledPort(F(8), small=F(1), large=F(2), others=F(3)), 2),
        (LossPass(F(8)), FilledPort(F(8), small=F(1), large=F(3)), 4),
        (TailDrop(), FilledPort(F(8), small=F(1), large=F(3)), 4),
    ],
)
def test_an_instant_burst_brings_the_room_that_the_policy_leaves(
    rule: AbsorbingPolicy, port: FilledPort, room: Any
) -> None:
    assert absorbable_burst(rule, port) == room


def test_a_port_without_a_line_takes_no_more_than_its_room() -> None:
    assert absorbable_burst(TailDrop(), FilledPort(F(8), large=F(6), burst=F(3))) == 2


@pytest.mark.parametrize(
    ("rule", "policy"),
    [(PolicyRoom(policy), policy) for policy in (CompleteSharing(), DT(F(1, 2)), DT(F(2)))],
)
def test_what_other_ports_hold_is_taken_off_the_shared_buffer(rule: AbsorbingPolicy, policy: Any) -> None:
    held, line, burst = F(3, 2), F(1), F(3)
    run = simulate(
        Switch(ports=2, buffer=8, rate=line),
        policy,
        {0: Arrivals.constant(burst), 1: Arrivals.constant(line)},
        initial={0: F(1), 1: held},
        until=50,
    )
    time = run.first_drop(0)
    assert time is not None
    assert run.queue(1).at(time) == held
    port = FilledPort(F(8), large=F(1), others=held, line=line, burst=burst)
    assert absorbable_burst(rule, port) == burst * time


@pytest.mark.parametrize("background", [F(0), F(1, 2), F(1), F(3)])
@pytest.mark.parametrize(
    ("rule", "policy"), [pair for pair in PAIRS if not isinstance(pair[0], EnhancedDynamicThreshold)]
)
def test_large_flows_that_send_on_fill_the_queue_of_the_burst(
    rule: AbsorbingPolicy, policy: Any, background: F
) -> None:
    """The engine's queue receives R + a; of what has arrived at its first drop the burst is the part R/(R + a)."""
    burst, everything = F(3), fluid_volume(policy, F(8), F(1), F(3) + background, F(1))
    port = FilledPort(F(8), large=F(1), line=F(1), burst=burst, background=background)
    assert absorbable_burst(rule, port) == everything * burst / (burst + background)


def test_background_costs_losspass_nothing_but_what_fills_its_reserve() -> None:
    """6 bytes are free and fill at 3 + 1 - 1: Q_l brings 2 of them, so that a reserve of 8 keeps 3 bytes of Q_l."""
    loads = [FilledPort(F(8), F(1), F(1), line=F(1), burst=F(3), background=a) for a in (F(0), F(1))]
    assert [absorbable_burst(LossPass(), port) for port in loads] == [F(21, 2), F(21, 2)]
    assert [absorbable_burst(LossPass(F(2)), port) for port in loads] == [F(9), F(15, 2)]
    assert [absorbable_burst(LossPass(F(8)), port) for port in loads] == [F(9), F(6)]


def test_losspass_absorbs_at_least_what_tail_drop_and_its_own_reserve_leave() -> None:
    port = FilledPort(F(8), F(1), F(6), line=F(1), burst=F(3))
    volumes = [absorbable_burst(policy, port) for policy in (TailDrop(), LossPass(F(6)), LossPass(F(2)), LossPass())]
    assert volumes == [F(3, 2), F(3, 2), F(15, 2), F(21, 2)]


@pytest.mark.parametrize("tau", [F(-1, 2), F(3, 2)])
def test_a_comparison_is_of_shares_from_0_to_1(tau):
    with refused("tau", tau, "a share from 0 to 1"):
        compare_with_ecn(F(8), F(1), 1, tau)


def test_equal_victims_give_way_to_all_of_the_burst_where_nothing_is_reserved():
    """5 free bytes and 4 victims of 1 make room for 9 packets of 1; with a reserve of 1, for 8."""
    assert burst_of_equal_victims(F(10), F(1), 4, F(1), F(1)) == 9
    assert burst_of_equal_victims(F(10), F(1), 4, F(1), F(1), reserve=F(1)) == 8


def test_a_queue_that_meets_its_share_as_tm2_ends_is_controlled_again():
    """At t = 16 it holds B / 4 = 16, and TM2 = 15, begun at 1, ends first; at 17 it is set free above B / 4 and loses.

    The ceiling of DT is far above, 8 (64 - 15/4) / 9.
    """
    rule = EnhancedDynamicThreshold(EDT(F(8), F(1), tm2=F(15)), uncontrolled=4)
    others = [(F(2), F(2)), (F(13, 4), F(1))]
    engine = edt_engine(
        F, F(64), [F(1)] * 4, [(F(8), F(0))] * 4, [[(F(0), F(2))], *[others] * 3], [F(0)] * 4,
        cn2=F(1), tm1=None, tm2=F(15),
    )  # fmt: skip
    _, queues = engine.run(F(18))
    assert [queue.at(F(16)) for queue in queues] == [16, F(5, 4), F(5, 4), F(5, 4)]
    assert queues[0].first_drop == 17
    port = FilledPort(F(64), others=F(15, 4), line=F(1), burst=F(2))
    assert absorbable_burst(rule, port) == 2 * queues[0].first_drop
