"""What the mutants of the schedulers and of the served port taught: memories, borders, and a link of another speed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dtmodel import InputError
from dtmodel.packet.schedulers import DeficitRoundRobin, StrictPriority, WeightedRoundRobin
from dtmodel.packet.service_queues import PMSB, PQL, BestEffort, Tally, serve

F = Fraction


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
    with pytest.raises(InputError) as error:
        scheduler.pick(scheduler.start(), queues)
    assert (error.value.field, error.value.value) == ("queues", len(queues))


def test_there_is_a_quota_for_each_queue_and_a_byte_is_one():
    with pytest.raises(InputError) as error:
        PQL(())
    assert error.value.field == "quotas"
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
