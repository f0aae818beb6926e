"""A class of identical queues in a scenario is as many queues: every answer is equal, for every policy."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtmodel import DT, Arrivals, InputError, Switch, simulate
from dtmodel.fluid import answer, run_scenario
from dtmodel.fluid.scenario import Scenario
from dtmodel.strategies.policy_generator import POLICIES
from dtmodel.strategies.scenario_generator import draw_scenario

EACH = ("sizes", "weights", "limits", "priorities", "drains", "sojourns")


def classes(document, counts):
    """Return a scenario whose queues are classes, and the same queue by queue; None if the buffer is too small."""
    ports = sum(counts)
    document = document | {"switch": document["switch"] | {"ports": ports}}
    lumped = document | {"queues": [q | {"count": n} for q, n in zip(document["queues"], counts, strict=True)]}
    places = [index for index, count in enumerate(counts) for _ in range(count)]
    policy = dict(document["policy"])
    for key in EACH:
        if isinstance(policy.get(key), list):
            spare = policy[key][len(counts) :]
            policy[key] = [*(policy[key][index] for index in places), *spare]
    if policy.get("pools"):
        inside = [set(map(int, pool["queues"])) for pool in policy["pools"]]
        members = [[port for port, index in enumerate(places) if index in within] for within in inside]
        policy["pools"] = [pool | {"queues": each} for pool, each in zip(policy["pools"], members, strict=True)]
    single = document | {"policy": policy, "queues": [document["queues"][index] for index in places]}
    return lumped, single, places


def outcome(document):
    try:
        return answer(document)
    except InputError as error:
        return type(error)


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(POLICIES))
def test_a_class_answers_as_each_of_its_queues(random, name):
    document = draw_scenario(random, name, plain=True)
    counts = [random.randint(1, 4) for _ in document["queues"]]
    lumped, single, places = classes(document, counts)
    expected, found = outcome(single), outcome(lumped)
    if isinstance(expected, type):
        assert found is expected
        return
    for key in ("first_drop", "free_at_first_drop", "dropped", "drained"):
        assert [found[key][index] for index in places] == expected[key]
    assert [[row[index] for index in places] for row in found["queues"]] == expected["queues"]


@pytest.mark.parametrize("name", POLICIES)
def test_classes_of_every_policy_are_really_compared(name):
    compared = 0
    for seed in range(15):
        document = draw_scenario(Random(seed), name, plain=True)
        lumped, single, _ = classes(document, [2] * len(document["queues"]))
        if isinstance(outcome(single), type):
            continue
        compared += 1
        run, each = run_scenario(Scenario.read(lumped), float), run_scenario(Scenario.read(lumped), Fraction)
        assert float(run.free.at(run.until)) == pytest.approx(
            float(each.free.at(each.until)), abs=1e-9 * float(Fraction(each.scenario.switch.buffer))
        )
    assert compared >= 3


def test_4096_equal_ports_cost_as_much_as_one():
    burst, steady = Arrivals.burst("2 Gbps", "6 ms"), Arrivals.constant("2 Gbps")
    switch = Switch(ports=4097, buffer="1 MB", rate="1 Gbps")
    for count, events in ((1, 5), (4096, 5)):
        run = simulate(switch, DT(1), {0: burst, 1: steady}, initial={1: "steady"}, counts={1: count}, until="10 ms")
        assert len(run.queues) == 2
        assert run.queue(1).at(Fraction(0)) == Fraction(10**6, count + 1)
        assert len(run.queue(1).breakpoints) == events


@pytest.mark.parametrize("count", [0, -1, "3/2", True, "many", None])
def test_a_count_is_a_whole_number_of_at_least_1(count):
    document = {
        "switch": {"ports": 9, "buffer": 6, "rate": 1},
        "policy": {"name": "dt", "alpha": 1},
        "queues": [{"arrivals": [[0, 3]], "count": count}],
        "until": 4,
    }
    with pytest.raises(InputError, match=r"queues\[0\].count"):
        answer(document)
    with pytest.raises(InputError, match=r"counts\[0\]"):
        simulate(Switch(9, 6, 1), DT(1), {0: Arrivals.constant(3)}, counts={0: count}, until=4)


def test_classes_must_fit_the_ports():
    with pytest.raises(InputError, match="queues: got 10; expected at most 9"):
        simulate(Switch(9, 6, 1), DT(1), {0: Arrivals.constant(3)}, counts={0: 10}, until=4)
