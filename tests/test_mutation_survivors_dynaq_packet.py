"""What the mutants of DynaQ's packets taught: what a request must say, and the states of small ports."""

from __future__ import annotations

from typing import Any

import pytest

from dtmodel import InputError
from dtmodel.explore import explore
from dtmodel.packet.dynaq import DynaQ, run_trace
from dtmodel.packet.dynaq_systems import AnyOrder, AnyTies, PortState, Scheduled, ServedState
from dtmodel.packet.schedulers import StrictPriority


def trace(*events: Any, **settings: Any) -> dict[str, Any]:
    return run_trace({"buffer": 4, "weights": [1, 1]} | settings | {"events": list(events)})


def refused(*events: Any, **settings: Any) -> tuple[str, object]:
    with pytest.raises(InputError) as error:
        trace(*events, **settings)
    return error.value.field, error.value.value


def expected(event: list[Any]) -> str:
    with pytest.raises(InputError) as error:
        trace(event)
    return error.value.accepted


@pytest.mark.parametrize(
    ("field", "buffer", "weights"),
    [("buffer", 0, (1,)), ("buffer", -1, (1,)), ("weights", 4, ()), ("weights[1]", 4, (1, 0))],
)
def test_a_port_has_a_buffer_and_weights_above_0(field, buffer, weights):
    with pytest.raises(InputError) as error:
        DynaQ(buffer, weights)
    assert error.value.field == field


def test_a_value_is_refused_as_it_was_written():
    assert refused(buffer="0 KB") == ("buffer", "0 KB")
    assert refused(weights=[1, "0.0"]) == ("weights[1]", "0.0")


def test_an_event_says_what_it_needs_and_its_time_is_looked_at_first():
    assert refused(["arrive"])[0] == "events[0]"
    assert refused(["arrive", "soon"])[0] == "events[0][1]"
    assert refused(["arrive", 1]) == ("events[0]", ["arrive", 1])
    assert expected(["arrive", 1, 1]) == '["arrive", time, queue, size]'
    assert expected(["depart", 1]) == '["depart", time, queue]'


def test_events_at_one_instant_are_in_order():
    answer = trace(["arrive", 2, 1, 1], ["arrive", 2, 1, 1], ["depart", 2, 1])
    assert answer["final"]["queues"] == ["1", "0"]
    assert refused(["arrive", 2, 1, 1], ["depart", None, 1], ["depart", 1, 1]) == ("events[2][1]", 1)


# ports that are explored


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
