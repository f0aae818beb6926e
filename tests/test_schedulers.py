"""Schedulers and buffer schemes of one port."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from dtmodel.base.errors import InputError
from dtmodel.packet.dynaq.algorithm import DynaQ
from dtmodel.packet.dynaq.schemes import PMSB, PQL, BestEffort, DynaQScheme
from dtmodel.packet.schedulers import DeficitRoundRobin, PriorityOver, StrictPriority, WeightedRoundRobin
from validation.support.dynaq.ports import Tally, jain, serve

F = Fraction


def order(scheduler, queues, picks):
    queues, memory, seen = [list(queue) for queue in queues], scheduler.start(), []
    for _ in range(picks):
        queue, memory = scheduler.pick(memory, queues)
        seen.append(queue)
        if queue is not None:
            queues[queue].pop(0)
    return seen


@pytest.mark.parametrize(
    ("scheduler", "queues", "served"),
    [
        # the first queue until it is empty
        (StrictPriority(), [[1, 1], [1], [1]], [0, 0, 1, 2, None]),
        # in each round as many packets as the weight; an empty queue loses its turn, one that runs empty the rest of it
        (WeightedRoundRobin((2, 1, 3)), [[1] * 9] * 3, [0, 0, 1, 2, 2, 2] * 2),
        (WeightedRoundRobin((1, 1, 1)), [[1] * 3, [], [1] * 3], [0, 2, 0, 2, 0, 2, None]),
        (WeightedRoundRobin((3, 1)), [[1], [1, 1, 1]], [0, 1, 1, 1]),
        # saved for a packet larger than the quantum; one of exactly the deficit is sent in this turn
        (DeficitRoundRobin((1, 1)), [[3], [1] * 4], [1, 1, 0, 1, 1]),
        (DeficitRoundRobin((2, 2)), [[2, 2], [1, 1]], [0, 1, 1, 0]),
        # the rest only when the first are empty
        (PriorityOver(1, WeightedRoundRobin((1, 1))), [[1], [1, 1], [1, 1]], [0, 1, 2, 1, 2, None]),
    ],
)
def test_the_order_in_which_a_scheduler_serves(scheduler, queues, served):
    assert order(scheduler, queues, len(served)) == served


def test_deficit_round_robin_counts_bytes():
    served = order(DeficitRoundRobin((2, 2)), [[2] * 9, [1] * 18], 18)
    assert served.count(0) * 2 == served.count(1) * 1


SCHEDULERS = st.sampled_from(
    [
        StrictPriority(),
        WeightedRoundRobin((1, 2, 3)),
        DeficitRoundRobin((3, 1, 2)),
        PriorityOver(1, WeightedRoundRobin((2, 1))),
    ]
)


@given(SCHEDULERS, st.lists(st.lists(st.integers(1, 4), max_size=6), min_size=3, max_size=3))
def test_every_scheduler_is_work_conserving_and_serves_every_packet_once(scheduler, queues):
    total = sum(map(len, queues))
    served = order(scheduler, queues, total + 1)
    assert [served.count(i) for i in range(3)] == [len(queue) for queue in queues]
    assert served[-1] is None


@given(st.lists(st.integers(1, 5), min_size=2, max_size=4), st.integers(1, 4))
def test_deficit_round_robin_shares_bytes_in_proportion_to_the_quanta(quanta, size):
    queues = [[size] * 200 for _ in quanta]
    served = order(DeficitRoundRobin(tuple(quanta)), queues, 60)
    sent = [served.count(i) * size for i in range(len(quanta))]
    turns = [Fraction(amount, quantum) for amount, quantum in zip(sent, quanta, strict=True)]
    largest = max(Fraction(size, quantum) for quantum in quanta)
    assert max(turns) - min(turns) <= 1 + 2 * largest


@pytest.mark.parametrize(
    "make", [lambda: WeightedRoundRobin((1, 0)), lambda: DeficitRoundRobin(()), lambda: PQL((0, 1))]
)
def test_weights_quanta_and_quotas_are_positive(make):
    with pytest.raises(InputError):
        make()


def test_a_wrong_number_of_queues_is_refused():
    with refused("queues"):
        WeightedRoundRobin((1, 1)).pick((0, 1), [[1]])


def test_dropping_pmsb_needs_both_conditions():
    scheme = PMSB(10, 4, (2, 2))
    allowed = {(q, other): scheme.admit((), (q, other), 0, 1)[0] for q in range(6) for other in range(6)}
    assert all(fine == (q + other + 1 <= 4 or q + 1 <= 2) for (q, other), fine in allowed.items() if q + other < 10)


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 1), st.integers(1, 3)), max_size=40),
    st.sampled_from([BestEffort(6), PQL((3, 3)), PMSB(8, 4, (2, 2)), DynaQScheme(DynaQ(6, (1, 1)))]),
)
def test_bytes_balance_and_time_is_either_busy_or_idle(arrivals, scheme):
    tally = serve(scheme, WeightedRoundRobin((1, 1)), sorted(arrivals), rate=Fraction(1), until=Fraction(40), queues=2)
    for offered, sent, lost, held in zip(tally.offered, tally.sent, tally.lost, tally.held, strict=True):
        assert offered == sent + lost + held
    on_the_wire = 40 - tally.idle - sum(tally.sent)  # what a packet cut off at the end has sent
    assert 0 <= on_the_wire < 3


def test_jains_index_of_equal_shares_is_1_and_of_one_share_1_over_n():
    assert jain([3, 3, 3]) == 1
    assert jain([0, 7, 0, 0]) == Fraction(1, 4)
    assert jain([0, 0]) == 1


def test_store_and_forward_a_packet_holds_its_room_until_its_last_bit_has_left():
    arrivals = [(0, 0, 2), (1, 0, 1), (2, 0, 2)]
    tally = serve(BestEffort(2), StrictPriority(), arrivals, rate=1, until=10, queues=1)
    assert (tally.sent, tally.lost, tally.idle) == ((4,), (1,), 6)


def test_a_queue_within_its_quota_is_admitted_up_to_the_last_byte():
    assert [PQL((2, 2)).admit((), (q, 9), 0, 1)[0] for q in range(4)] == [True, True, False, False]


def test_a_queue_that_runs_empty_loses_its_deficit():
    scheduler, memory = DeficitRoundRobin((3, 3)), DeficitRoundRobin((3, 3)).start()
    queues = [[1], [3, 3]]
    for expected in (0, 1):
        queue, memory = scheduler.pick(memory, queues)
        assert queue == expected
        queues[queue].pop(0)
    queues[0] = [4]  # a saved deficit of 2 and a quantum of 3 would pay for it at once
    assert [queue for queue, memory in [scheduler.pick(memory, queues)]] == [1]


def test_deficit_round_robin_followed_by_hand():
    """Queue 0 saves 1 for its packet of 3, queue 1 runs empty and loses its turn, queue 2 waits for its second turn."""
    scheduler = DeficitRoundRobin((2, 2, 2))
    memory, queues, seen = scheduler.start(), [[1, 3], [2], [2, 2]], []
    assert memory == (0, False, (0, 0, 0))
    for _ in range(5):
        queue, memory = scheduler.pick(memory, queues)
        seen.append((queue, queues[queue].pop(0), memory))
    assert seen == [
        (0, 1, (0, True, (1, 0, 0))),
        (1, 2, (1, True, (1, 0, 0))),
        (2, 2, (2, True, (1, 0, 0))),
        (0, 3, (0, True, (0, 0, 0))),
        (2, 2, (2, True, (0, 0, 0))),
    ]
    assert scheduler.pick(memory, queues) == (None, memory)


@pytest.mark.parametrize("scheduler", [DeficitRoundRobin((2, 1)), WeightedRoundRobin((2, 1))])
@pytest.mark.parametrize("queues", [[[1]], [[1], [1], [1]]])
def test_another_number_of_queues_is_refused_by_both_round_robins(scheduler, queues):
    with refused("queues", len(queues)):
        scheduler.pick(scheduler.start(), queues)


def test_there_is_a_quota_for_each_queue_and_a_byte_is_one():
    with refused("quotas"):
        PQL(())
    assert PQL((1, F(1, 2))).admit((), (0, 0), 0, 1) == (True, ())


def test_dropping_pmsb_never_admits_more_than_the_buffer():
    scheme = PMSB(4, 2, (9, 9))  # the queue's own threshold never stands in the way
    assert [scheme.admit((), (q, 0), 0, 1)[0] for q in range(6)] == [True, True, True, True, False, False]


def test_before_anything_is_sent_nobody_has_a_share():
    assert Tally((3, 1), (0, 0), (0, 0), (3, 1), 0).shares() == (0, 0)
    assert Tally((3, 1), (3, 1), (0, 0), (0, 0), 0).shares() == (F(3, 4), F(1, 4))


@pytest.mark.parametrize(
    ("until", "sent", "held", "idle"),
    [(F(2), 0, 12, 1), (F(3), 4, 8, 1), (F(4), 6, 6, 1), (F(6), 6, 6, 1), (F(7), 12, 0, 1), (F(9), 12, 0, 3)],
)
def test_a_link_of_two_bytes_a_second_sends_the_head_first(until, sent, held, idle):
    """From 1 on: 4 bytes until 3, 2 bytes until 4, 6 bytes until 7."""
    arrivals = [(F(1), 0, 4), (F(1), 0, 2), (F(1), 0, 6)]
    tally = serve(BestEffort(12), StrictPriority(), arrivals, rate=F(2), until=until, queues=1)
    assert tally == Tally((12,), (sent,), (0,), (held,), idle)


def test_what_arrives_at_the_end_comes_too_late():
    arrivals = [(F(0), 0, 1), (F(2), 0, 1)]
    tally = serve(BestEffort(9), StrictPriority(), arrivals, rate=F(1), until=F(2), queues=1)
    assert tally == Tally((1,), (1,), (0,), (0,), 1)
