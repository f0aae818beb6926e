"""A class of identical queues is one queue of the engine: as many queues by themselves say the same, with ``==``."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtmodel.fluid.engine import Engine
from dtmodel.policies.complete import FullBuffer
from dtmodel.policies.edt import CountersAndTimers

CLASSES = st.lists(
    st.tuples(
        st.integers(1, 3),  # how many
        st.integers(1, 4),  # alpha
        st.lists(st.integers(0, 9), min_size=1, max_size=3),  # rates, one a second
        st.integers(0, 2),  # length at time 0
    ),
    min_size=1,
    max_size=3,
)


def run(classes, memory, *, lumped):
    queues = [
        (1 if not lumped else n, a, rates, length) for n, a, rates, length in classes for _ in range(1 if lumped else n)
    ]
    alphas = [Fraction(a, 2) for _, a, _, _ in queues]
    thresholds = [(Fraction(0), Fraction(60)) if memory == "complete" else (a, Fraction(0)) for a in alphas]
    memories = {
        "dt": None,
        "complete": FullBuffer(Fraction),
        "edt": CountersAndTimers(alphas, Fraction(3), Fraction(2), Fraction(5)),
    }
    engine = Engine(
        Fraction,
        Fraction(30),
        [Fraction(2) for _ in queues],
        thresholds,
        [[(Fraction(second), Fraction(rate)) for second, rate in enumerate(rates)] for _, _, rates, _ in queues],
        [Fraction(length) for _, _, _, length in queues],
        memory=memories[memory],
        counts=[Fraction(n) for n, _, _, _ in queues],
    )
    free, found = engine.run(Fraction(6))
    places = [sum(n for n, *_ in classes[:i]) for i in range(len(classes))]
    return free, found if lumped else [found[place] for place in places]


def same_behaviour(classes, memory):
    free, lumped = run(classes, memory, lumped=True)
    other, single = run(classes, memory, lumped=False)
    for tick in range(25):
        time = Fraction(tick, 4)
        assert free.at(time) == other.at(time)
        assert [queue.at(time) for queue in lumped] == [queue.at(time) for queue in single]
    assert [queue.dropped() for queue in lumped] == [queue.dropped() for queue in single]
    assert [queue.first_drop for queue in lumped] == [queue.first_drop for queue in single]


@settings(max_examples=20)
@given(CLASSES, st.sampled_from(["dt", "complete", "edt"]))
def test_a_class_behaves_as_its_queues_one_by_one(classes, memory):
    same_behaviour(classes, memory)


@pytest.mark.exhaustive
@settings(max_examples=500)
@given(CLASSES, st.sampled_from(["dt", "complete", "edt"]))
def test_many_classes_behave_as_their_queues_one_by_one(classes, memory):
    same_behaviour(classes, memory)
