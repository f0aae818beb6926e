"""Thresholds with caps, T = min(a F + b, cap): every engine, against the definition and against shared pools."""

from fractions import Fraction

import pytest
import reference_capped
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

from dtmodel import EDT, Arrivals, ModelError, Switch, simulate
from dtmodel.fluid import run_scenario
from dtmodel.fluid.scenario import QueueScenario, Scenario
from dtmodel.fluid.simulation import summaries
from dtmodel.modelcheck import PolicySwitch, always, explore
from dtmodel.native.library import status
from dtmodel.packet.arrivals import listed
from dtmodel.packet.engine import run_packets
from dtmodel.policies import Policy, QueueLimits, SharedPools, StaticPartition, Threshold
from dtmodel.policies.threshold import free_beside
from dtmodel.studies.traces import replay_trace

F = Fraction


class Capped(Policy):
    """The thresholds that it is given, and nothing else: the one line of CONTRIBUTING."""

    def __init__(self, *laws: tuple[F, F, F | None]) -> None:
        self.laws = laws

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        return tuple(Threshold(*law) for law in self.laws[:queues])


HALVES = st.integers(0, 8).map(lambda k: F(k, 2))
LAWS = st.tuples(
    st.sampled_from([F(0), F(1, 2), F(1), F(2)]), st.sampled_from([F(0), F(0), F(1), F(2)]),
    st.sampled_from([None, F(1), F(2), F(3), F(4)]),
)  # fmt: skip


@st.composite
def cases(draw, laws=LAWS):
    """Up to four queues in small halves: caps bind, rates change and queues meet thresholds at the same instants."""
    n = draw(st.integers(1, 4))
    each = [draw(laws) for _ in range(n)]
    constants = sum(b if cap is None else min(b, cap) for _, b, cap in each)
    buffer = constants + draw(st.integers(1, 12))
    offers = [
        [(F(t), draw(HALVES)) for t in [0, *sorted(draw(st.sets(st.integers(1, 9), max_size=3)))]] for _ in range(n)
    ]
    rates = [draw(st.sampled_from([F(1, 2), F(1), F(3, 2)])) for _ in range(n)]
    left, initial = buffer - constants, []
    for a, b, cap in each:
        own = b if cap is None else min(b, cap)
        initial.append(draw(st.integers(0, int(own + (left if a else 0)))))
        left -= max(initial[-1] - own, F(0))
    steady = {i for i in range(n) if offers[i][0][1] >= rates[i] and draw(st.booleans())}
    return buffer, rates, each, offers, [None if i in steady else F(q) for i, q in enumerate(initial)]


def scenario(case, policy: Policy | None = None) -> Scenario:
    buffer, rates, laws, offers, initial = case
    queues = tuple(
        QueueScenario(Arrivals(offer), length, rate) for offer, length, rate in zip(offers, initial, rates, strict=True)
    )
    return Scenario(1, Switch(len(rates), buffer, 1), policy or Capped(*laws), queues, F(10))


def lengths_at_first(case):
    """Return the initial lengths, those of steady queues by bisection of F + sum T(F) = what the others leave."""
    buffer, _, laws, _, initial = case
    room = buffer - sum(length for length in initial if length is not None)
    steady = [law for law, length in zip(laws, initial, strict=True) if length is None]
    turns = {(cap - b) / a for a, b, cap in laws if a and cap is not None and cap > b}
    free = reference_capped.root(
        lambda x: x + sum(reference_capped.height(law, x) for law in steady) - room, {F(0), *turns}
    )
    return [reference_capped.height(law, free) if q is None else q for law, q in zip(laws, initial, strict=True)]


@settings(deadline=None, max_examples=100)
@given(cases())
def test_exact_runs_agree_with_the_definition_at_every_corner(case) -> None:
    buffer, rates, laws, offers, _ = case
    samples = [F(k, 3) for k in range(31)]
    try:
        first, dropped, rows = reference_capped.run(buffer, rates, laws, offers, lengths_at_first(case), F(10), samples)
    except reference_capped.OverfullError:
        with pytest.raises(ModelError, match="more than the buffer"):
            run_scenario(scenario(case), F)
        return
    run = run_scenario(scenario(case), F)
    assert [run.first_drop(i) for i in range(len(rates))] == first
    assert [run.dropped(i) for i in range(len(rates))] == dropped
    for time, (lengths, tops, left) in rows.items():
        assert [queue.at(time) for queue in run.queues] == lengths, time
        assert [queue.threshold_at(time) for queue in run.queues] == tops, time
        assert run.free.at(time) == left, time


@settings(deadline=None, max_examples=300)
@given(
    cases(st.tuples(st.sampled_from([F(1, 2), F(1), F(2)]), st.just(F(0)), st.sampled_from([None, F(1), F(2), F(4)])))
)
def test_a_pool_without_reserves_is_thresholds_with_caps(case) -> None:
    pools = SharedPools([QueueLimits(a, cap=cap) for a, _, cap in case[2]])
    one, other = run_scenario(scenario(case), F), run_scenario(scenario(case, pools), F)
    assert (one.queues, one.free) == (other.queues, other.free)


@settings(deadline=None, max_examples=60)
@given(cases(st.tuples(st.just(F(0)), st.sampled_from([F(1), F(2), F(5)]), st.sampled_from([None, F(1), F(3)]))))
def test_slope_0_is_a_static_partition(case) -> None:
    sizes = [b if cap is None else min(b, cap) for _, b, cap in case[2]]
    one, other = run_scenario(scenario(case), F), run_scenario(scenario(case, StaticPartition(sizes)), F)
    assert (one.queues, one.free) == (other.queues, other.free)


@settings(deadline=None, max_examples=150)
@given(cases())
def test_runs_in_floats_stay_within_their_bound(case) -> None:
    """In the native core, in Python and in batches: sevenths are rounded, and ties end as exact runs."""
    buffer, rates, laws, offers, initial = case
    small = (
        buffer / 7, [rate / 7 for rate in rates], [(a, b / 7, cap and cap / 7) for a, b, cap in laws],
        [[(t, rate / 7) for t, rate in offer] for offer in offers], [q and q / 7 for q in initial],
    )  # fmt: skip
    asked = scenario(small)
    try:
        exact, fast = run_scenario(asked, F), run_scenario(asked, float)
    except ModelError:
        return  # the offsets of these queues are more than the buffer
    scale = float(max(buffer, sum(rate for offer in offers for _, rate in offer) * 10)) / 7
    (summary,) = summaries([asked])
    for i in range(len(rates)):
        assert fast.dropped(i) == pytest.approx(float(exact.dropped(i)), abs=1e-9 * scale)
        if summary is not None:
            assert summary.dropped[i] == pytest.approx(float(exact.dropped(i)), abs=1e-9 * scale)
        for k in range(11):
            assert fast.queue(i).at(float(k)) == pytest.approx(float(exact.queue(i).at(F(k))), abs=1e-9 * scale)


def test_the_native_core_runs_caps() -> None:
    asked = scenario((F(8), [F(1)], [(F(1), F(1, 3), F(5, 2))], [[(F(0), F(3))]], [F(0)]))
    assert run_scenario(asked, float).engine == ("native" if status() == "native core" else "python")
    assert run_scenario(asked, float).first_drop(0) == 1.25


@pytest.mark.parametrize(("second", "lengths"), [(0, [4, 4, 4]), (2, [4, F(11, 3), F(10, 3)])])
def test_a_queue_on_the_corner_keeps_its_cap_if_f_rises_and_follows_f_if_it_falls(second: int, lengths) -> None:
    """F = 8 at first, where F / 2 = cap = 4; the other queue drains at 1, or it grows at 1 and F' = -2/3."""
    laws = [(F(1, 2), F(0), F(4)), (F(1), F(0), None)]
    offers = [[(F(0), F(5))], [(F(0), F(second))]]
    run = run_scenario(scenario((F(16), [F(1)] * 2, laws, offers, [F(4)] * 2)), F)
    assert [run.queue(0).at(t) for t in (0, 1, 2)] == lengths


def test_a_threshold_that_nothing_bends_is_kept_as_a_constant() -> None:
    assert Threshold(F(0), F(3), F(2)) == Threshold(F(0), F(2)) == Threshold(F(1), F(4), F(2))
    assert Threshold(F(0), F(1), F(2)) == Threshold(F(0), F(1))
    assert [Threshold(F(1), F(1), F(3)).at(F(free)) for free in (0, 1, 2, 3)] == [1, 2, 3, 3]
    assert Threshold(F(1), F(1), F(3)).given_in(float).cap == 3.0
    assert free_beside(F(10), [(2, Threshold(F(1), cap=F(3))), (1, Threshold(F(1)))]) == F(5, 2)


PACKETS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 1), st.integers(1, 3)), max_size=40).map(sorted)


@settings(deadline=None, max_examples=100)
@given(PACKETS, st.sampled_from([F(1, 2), F(1), F(2)]), st.integers(1, 6))
def test_packets_meet_the_same_caps_in_both_engines_and_in_ticks(packets, alpha: F, cap: int) -> None:
    capped, pools = Capped(*[(alpha, F(0), F(cap))] * 2), SharedPools([QueueLimits(alpha, cap=cap)] * 2)
    each = [[(time, size) for time, port, size in packets if port == own] for own in (0, 1)]
    one, other = (
        run_packets(buffer=F(12), rates=[F(1)] * 2, policy=policy, streams=[*map(listed, each)], until=F(99))
        for policy in (capped, pools)
    )
    assert one.lost == other.lost
    if not packets:
        return
    trace = [tuple([*column] for column in zip(*packets, strict=True))]
    both = {"capped": capped, "pools": pools}
    for exact in (True, False):
        done = replay_trace(iter(trace), Switch(2, 12, 1), both, exact=exact)
        assert (
            done["capped"].lost_bytes
            == done["pools"].lost_bytes
            == [sum(int(lost.size) for lost in one.lost if lost.port == port) for port in (0, 1)]
        )
        assert done["capped"].engine != "native core"  # whose packets know no caps


def test_the_explorer_finds_no_queue_beyond_its_cap() -> None:
    switch = PolicySwitch(Capped(*[(F(1), F(0), F(2))] * 2), ports=2, buffer=8)
    assert always(switch, lambda state: max(state.lengths) <= 2).complete
    assert explore(switch, lambda state: state.lengths == (2, 2)).found is not None


def test_the_picture_of_a_threshold_bends_where_the_cap_ceases_to_bind() -> None:
    """F = 12 - 3 t is 8, and T = F / 2 = cap = 4, after 4/3 s."""
    run = simulate(Switch(2, 12, 1), Capped((F(1, 2), F(0), F(4)), (F(1), F(0), None)),
                   {0: Arrivals.constant(3), 1: Arrivals.constant(2)}, until=20)  # fmt: skip
    top = run.plot().axes[0].lines[0]
    assert [*zip(top.get_xdata(), top.get_ydata(), strict=True)][:3] == [(0, 4), (4 / 3, 4), (12 / 7, 24 / 7)]


def test_caps_beside_a_memory_of_the_policy_are_refused_by_name() -> None:
    class Both(Policy):
        def thresholds(self, queues: int) -> tuple[Threshold, ...]:
            return (Threshold(F(1), cap=F(2)),) * queues

        def memory(self, part, number):
            return EDT(1, 3).memory(part, number)

    with refused("policy", match="has caps or a memory of its own, not both"):
        simulate(Switch(1, 8, 1), Both(), {0: Arrivals.constant(2)}, until=1)
    with refused("policy", match="has caps or a memory of its own, not both"):
        run_packets(buffer=F(8), rates=[F(1)], policy=Both(), streams=[[]], until=F(1))
