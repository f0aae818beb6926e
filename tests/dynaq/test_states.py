"""DynaQ ports to explore: every tie, equal queues that change places, and a queue that waits for its service."""

from typing import Any

import pytest

from dtmodel.modelcheck import explore
from dtmodel.packet.dynaq.algorithm import DynaQ
from dtmodel.packet.dynaq.states import AnyOrder, PortState, Scheduled, ServedState
from dtmodel.packet.schedulers import StrictPriority
from validation.support.dynaq.ties import AnyTies


@pytest.mark.parametrize("weights", [(1, 1, 1), (1, 2, 1)])
def test_ties_in_every_way_are_the_ties_to_the_lowest_and_to_the_highest_together(weights):
    """With three queues a packet has two possible victims: what either tie-break does is all that can happen."""
    sizes = (1, 2)
    every, low, high = (
        kind(DynaQ(6, weights, tie_break=tie), sizes)
        for kind, tie in ((AnyTies, "low"), (AnyOrder, "low"), (AnyOrder, "high"))
    )
    seen = set(low.initial())
    todo = list(seen)
    while todo and len(seen) < 1500:
        state = todo.pop(0)
        expected = {*low.successors(state), *high.successors(state)}
        assert set(every.successors(state)) == expected
        new = {after for _, after in expected} - seen
        seen |= new
        todo += sorted(new)
    assert len(seen) > 200


def test_queues_that_are_always_active_start_with_a_packet_of_the_smallest_size():
    assert list(AnyOrder(DynaQ(6, (1, 1)), (2, 1), busy=(1,)).initial()) == [PortState((3, 3), ((), (1,)))]


def test_only_queues_of_one_weight_change_places():
    system = AnyTies(DynaQ(8, (2, 1, 1)), (1,))
    straight = PortState((4, 1, 3), ((1, 1), (), (1,)))
    crossed = PortState((4, 3, 1), ((1, 1), (1,), ()))
    assert system.canonical(straight) == system.canonical(crossed) == straight
    assert AnyTies(DynaQ(6, (2, 1)), (1,)).canonical(PortState((3, 3), ((), ()))) == PortState((3, 3), ((), ()))


def test_a_lone_queue_has_no_ties():
    done = explore(AnyTies(DynaQ(2, (1,)), (1,)))
    assert (done.complete, done.states) == (True, 3)


def step(system: Scheduled, state: ServedState, label: tuple[Any, ...]) -> ServedState:
    return dict(system.successors(state))[label]


def test_queue_0_is_watched_and_asked_for_a_packet_a_service_where_nothing_is_said():
    system = Scheduled(DynaQ(4, (1, 1)), (1,), StrictPriority())
    (start,) = system.initial()
    waits = step(system, start, ("depart", None))
    assert (start.waiting, waits.waiting) == (0, 1)
    assert step(system, waits, ("depart", None)).waiting == 1
    assert step(system, waits, ("arrive", 1, 1)).waiting == 1
    assert step(system, waits, ("arrive", 0, 1)).waiting == 0
    assert (system.offers(start, ("depart", None), waits), system.offers(waits, ("depart", None), waits)) == (
        True,
        False,
    )


def test_services_are_counted_one_by_one_up_to_the_period():
    system = Scheduled(DynaQ(4, (1, 1)), (1,), StrictPriority(), watched=1, period=3)
    (state,) = system.initial()
    seen = []
    for _ in range(4):
        state = step(system, state, ("depart", None))
        seen.append(state.waiting)
    assert seen == [1, 2, 3, 3]
    assert step(system, state, ("arrive", 0, 1)).waiting == 3
    assert step(system, state, ("arrive", 1, 1)).waiting == 0
