"""What the fluid engine refuses, asserts and ends: overfull starts, broken laws, too many phases, odd arguments."""

import dataclasses
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from refusals import refused

from dtmodel import (
    DT,
    EDT,
    LQD,
    Arrivals,
    CompleteSharing,
    InputError,
    ModelError,
    Pool,
    QueueLimits,
    SharedPools,
    StaticPartition,
    Switch,
    Weighted,
    simulate,
)
from dtmodel.base import budgets
from dtmodel.base.errors import BudgetError
from dtmodel.fluid import answer
from dtmodel.fluid.engine import Engine
from dtmodel.fluid.simulation import Run
from dtmodel.policies import Memory, Policy, State, Threshold

F = Fraction
ONE, TWO = Switch(1, 6, 1), Switch(2, 6, 1)
BUSY = {0: Arrivals.constant(3)}


@pytest.mark.parametrize(
    ("policy", "initial"),
    [
        (StaticPartition([2, 4]), {0: 3}),
        (StaticPartition([2, 4]), {1: F(9, 2)}),
    ],
)
def test_a_queue_that_begins_above_its_own_part_is_refused(policy: Policy, initial: dict[int, Any]) -> None:
    """The others may fill theirs meanwhile: the buffer would hold more than it can."""
    with refused(f"queues[{next(iter(initial))}].initial"):
        simulate(TWO, policy, BUSY, initial=initial, until=4)


def test_a_queue_may_begin_with_all_of_its_part() -> None:
    run = simulate(TWO, StaticPartition([2, 4]), BUSY, initial={0: 2, 1: 4}, until=1)
    assert (run.free.at(F(0)), run.first_drop(0)) == (0, 0)


@dataclasses.dataclass(frozen=True)
class Greedy(Policy):
    """Gives every queue more than there is, with or without a memory."""

    remembers: bool

    def thresholds(self, queues: int) -> Sequence[Threshold]:
        """All have the threshold 5."""
        return (Threshold(F(0), F(5)),) * queues

    def memory(self, part: Any, number: type[Any]) -> Memory[Any] | None:
        """One that does nothing."""
        del part, number
        return Silent() if self.remembers else None


class Silent(Memory[Any]):
    """Does nothing."""

    def wakes(self, state: State[Any]) -> Sequence[Any]:
        """Never."""
        del state
        return ()

    def act(self, state: State[Any]) -> dict[int, Any]:
        """Nothing changes."""
        del state
        return {}


@pytest.mark.parametrize("remembers", [False, True])
def test_a_policy_that_overfills_the_buffer_is_found_out(remembers: bool) -> None:
    with pytest.raises(ModelError, match="more than the buffer"):
        simulate(TWO, Greedy(remembers), dict.fromkeys((0, 1), Arrivals.constant(3)), until=4)


class Undecided(Silent):
    """Changes its mind whenever it hears of a phase."""

    def settled(self, state: State[Any]) -> dict[int, Any]:
        """Ask for another threshold each time."""
        return {0: (F(0), state.buffer - 1)}


class Stuck(Silent):
    """Wants to be asked at once, and does nothing."""

    def wakes(self, state: State[Any]) -> Sequence[Any]:
        """Now."""
        return [state.now]


@pytest.mark.parametrize(("memory", "said"), [(Undecided, "again and again"), (Stuck, "time does not go on")])
def test_a_policy_that_never_settles_or_stops_the_clock_is_found_out(
    monkeypatch: pytest.MonkeyPatch, memory: type[Silent], said: str
) -> None:
    monkeypatch.setattr(Greedy, "memory", lambda *_: memory())
    with pytest.raises(ModelError, match=said):
        simulate(ONE, Greedy(remembers=True), BUSY, until=4)


def test_an_answer_whose_bytes_do_not_balance_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    document = {
        "switch": {"ports": 1, "buffer": 6, "rate": 1},
        "policy": {"name": "dt", "alpha": 1},
        "queues": [{"arrivals": [[0, 3]]}],
        "until": 4,
    }
    assert answer(document)["dropped"] == ["5"]
    offered = Arrivals.offered
    monkeypatch.setattr(Arrivals, "offered", lambda self, until: offered(self, until) + F(1, 10**9))
    with pytest.raises(ModelError, match="do not balance"):
        answer(document)


def test_edt_that_changes_its_state_forever_ends_at_the_budget_of_phases() -> None:
    """cn2 = tm2 = 1 ns until 1000 s: a million million changes of state."""
    policy = EDT(1, "1e-9", None, "1e-9")
    with budgets.raised(phases=500), pytest.raises(BudgetError, match="phases of one fluid run"):
        simulate(ONE, policy, {0: Arrivals.constant(2)}, until=1000)


def test_complete_sharing_begins_a_segment_only_where_a_queue_itself_changes() -> None:
    """Each event of a full buffer changes the admitted fraction; 40 queues start, meet the full buffer and change."""
    traffic = {queue: Arrivals([(0, 2), (1 + F(queue, 40), 3)]) for queue in range(40)}
    switch = Switch(40, 40, 1)
    with budgets.raised(segments=120):
        run = simulate(switch, CompleteSharing(), traffic, until=2)
    assert all(len(queue.segments) == 2 + (queue is not run.queues[0]) for queue in run.queues)
    assert all(len(queue.breakpoints) == 42 for queue in run.queues)
    with budgets.raised(segments=80), pytest.raises(BudgetError, match=r"^until: .* pieces in which all queues"):
        simulate(switch, CompleteSharing(), traffic, until=2)


def test_a_budget_of_phases_is_not_used_up_by_a_run_that_needs_no_more() -> None:
    """The queue meets its threshold at 3/2 s, then nothing happens: two phases, one event between them."""
    with budgets.raised(phases=1):
        assert simulate(ONE, DT(1), BUSY, until=4).first_drop(0) == F(3, 2)


def busy_forever(queues: int, changes: int) -> Run[Fraction]:
    traffic = {
        queue: Arrivals([(F(k) + F(queue, queues), (k + queue) % 3 + 1) for k in range(changes)])
        for queue in range(queues)
    }
    return simulate(Switch(queues, queues, 1), CompleteSharing(), traffic, until=changes + 1)


def steps_of(queues: int, changes: int) -> int:
    """Count the calls of functions that a run makes: its work, whatever the machine does meanwhile."""
    steps = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal steps
        steps += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        run = busy_forever(queues, changes)
    finally:
        sys.setprofile(before)
    assert run.free.values[-1] == 0
    assert len(run.free.times) > changes
    return steps


def test_complete_sharing_of_many_queues_works_in_proportion_to_what_happens() -> None:
    """Four times the queues, each with its own change: about 16 times the queues times events."""
    assert steps_of(200, 1) < 20 * steps_of(50, 1)


def test_complete_sharing_with_many_breakpoints_is_linear_in_them() -> None:
    assert steps_of(2, 1000) < 5 * steps_of(2, 250)


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: StaticPartition("12"), "policy.sizes"),
        (lambda: StaticPartition(None), "policy.sizes"),
        (lambda: Weighted("12"), "policy.weights"),
        (lambda: DT(b"12"), "policy.alpha"),
        (lambda: DT([]), "policy.alpha"),
        (lambda: DT(None), "policy.alpha"),
        (lambda: EDT(1, None), "policy.cn2"),
        (lambda: Pool("1 foot", (0,)), "pool.size"),
        (lambda: Pool("1 MB", "01"), "pool.queues"),
        (lambda: Pool("1 MB", (0.5,)), "pool.queues[0]"),
        (lambda: SharedPools([(1, 2)]), "policy.limits[0]"),
        (lambda: SharedPools([QueueLimits(1)], ["1 MB"]), "policy.pools[0]"),
        (lambda: SharedPools(None), "policy.limits"),
        (lambda: simulate(ONE, "dt", BUSY, until=1), "policy"),
        (lambda: simulate(ONE, None, BUSY, until=1), "policy"),
        (lambda: simulate(ONE, DT, BUSY, until=1), "policy"),
        (lambda: simulate(ONE, LQD(), BUSY, until=1), "policy"),
        (lambda: simulate(ONE, DT(1), None, until=1), "arrivals"),
        (lambda: simulate(ONE, DT(1), {0: 3}, until=1), "arrivals[0]"),
        (lambda: simulate(ONE, DT(1), {0: None}, until=1), "arrivals[0]"),
        (lambda: simulate(ONE, DT(1), BUSY, until=None), "until"),
        (lambda: simulate(ONE, DT(1), BUSY, until=1, initial=[1]), "initial"),
        (lambda: simulate(ONE, DT(1), BUSY, until=1, rates=3), "rates"),
        (lambda: simulate(None, DT(1), BUSY, until=1), "switch"),
        (lambda: simulate(ONE, DT(1), BUSY, until=1).queue(0.5), "queue"),
        (lambda: simulate(ONE, DT(1), BUSY, until=1).queue("0"), "queue"),
        (lambda: simulate(ONE, DT(1), BUSY, until=1).first_drop(None), "queue"),
    ],
)
def test_what_is_no_argument_is_an_input_error(make: Callable[[], object], field: str) -> None:
    with refused(field):
        make()


def test_a_name_of_a_policy_is_refused_with_what_is_accepted() -> None:
    with pytest.raises(InputError, match=r"got 'dt'; expected a policy: DT\(1\)"):
        simulate(ONE, "dt", BUSY, until=1)  # type: ignore[arg-type]  # the mistake that people make


def test_sizes_with_units_are_read_in_a_pool() -> None:
    assert Pool("1 MB", [np.int64(0)]) == Pool(F(10**6), (0,))


def test_numpy_numbers_are_exact_inputs() -> None:
    """In 64 bits B C^2 would wrap."""
    plain = simulate(Switch(2, 10**6, 10**9), DT([1, 2]), {1: Arrivals.constant(3 * 10**9)}, until=F(1, 100))
    numbers = simulate(
        Switch(np.int64(2), np.int64(10**6), np.float64(1e9)),
        DT(np.array([1, 2])),
        {np.int64(1): Arrivals(np.array([[0, 3 * 10**9]]))},
        until=F(1, 100),
        initial={np.int32(0): np.int64(0)},
    )
    assert numbers.queues == plain.queues
    assert all(type(value.numerator) is int for value in numbers.free.values)
    assert numbers.queue(np.int64(1)) is numbers.queues[1]


def test_a_run_that_makes_or_loses_bytes_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every exact run compares what is free with what the phase let in and sent."""
    found = Engine._free_buffer
    monkeypatch.setattr(Engine, "_free_buffer", lambda engine: found(engine) + F(1, 10**9))
    with pytest.raises(ModelError, match="are not the admitted bytes less the sent ones"):
        simulate(ONE, DT(1), BUSY, until=4)
