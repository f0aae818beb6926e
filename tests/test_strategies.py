"""The public strategies: what they draw is accepted, covers every policy and reading, and ties on purpose."""

import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from random import Random

import pytest
from hypothesis import find, given, settings

from dtmodel import Arrivals, InputError, Scenario, Switch, strategies
from dtmodel.fluid import answer, run_scenario
from dtmodel.strategies import policy_generator, scenario_generator, trace_generator

ZERO = Fraction(0)


def trace_answer(document):
    return import_module(f"dtmodel.packet.{document['algorithm']}").run_trace(document)


@pytest.mark.parametrize("name", policy_generator.POLICIES)
def test_every_scenario_is_accepted_and_answered(name):
    documents = [scenario_generator.draw_scenario(Random(seed), name) for seed in range(40)]
    for document in documents:
        assert document["policy"]["name"] == name
        assert len(answer(document)["dropped"]) == len(document["queues"])


@pytest.mark.parametrize("name", trace_generator.ALGORITHMS)
def test_every_trace_is_accepted_and_answered_and_every_option_occurs(name):
    documents = [trace_generator.draw_trace(Random(seed), name) for seed in range(120)]
    for document in documents:
        assert len(trace_answer(document)["steps"]) == len(document["events"])
    for option, words in trace_generator.OPTIONS[name].items():
        assert {document[option] for document in documents} == set(words)


def test_the_same_seed_draws_the_same():
    assert scenario_generator.draw_scenario(Random(5)) == scenario_generator.draw_scenario(Random(5))
    assert trace_generator.draw_trace(Random(5)) == trace_generator.draw_trace(Random(5))


@settings(max_examples=20)
@given(strategies.switches(), strategies.arrivals(rate=2), strategies.policies(), strategies.scenarios("edt"))
def test_hypothesis_drives_the_generators(switch, traffic, policy, scenario):
    assert isinstance(switch, Switch)
    assert isinstance(traffic, Arrivals)
    assert hash(policy) == hash(policy)
    assert isinstance(scenario, Scenario)


@settings(max_examples=20)
@given(strategies.traces())
def test_hypothesis_drives_the_traces(document):
    assert trace_answer(document)["id"] == document["id"]


@pytest.mark.parametrize("make", [strategies.policies, strategies.scenarios, strategies.scenario_documents])
def test_an_unknown_policy_is_named(make):
    with pytest.raises(InputError, match="expected one of dt, edt"):
        make("tail")


def test_an_unknown_algorithm_is_named():
    with pytest.raises(InputError, match="expected one of losspass, dynaq"):
        strategies.traces("tail")


def ends_as_a_threshold_is_met(scenario):
    """Whether the traffic of a queue ends or falls at the instant at which another queue meets its threshold."""
    run = run_scenario(scenario, Fraction)
    met = {(place, first) for place in range(len(run.queues)) if (first := run.first_drop(place))}
    changes = {(place, time) for place, queue in enumerate(scenario.queues) for time in queue.arrivals.times}
    return any(time == change and i != j for i, time in met for j, change in changes)


def begins_on_its_threshold(scenario):
    run = run_scenario(scenario, Fraction)
    return any(q.initial and q.initial == run.queue(i).threshold_at(ZERO) for i, q in enumerate(scenario.queues))


def begins_with_a_full_buffer(scenario):
    return sum(queue.initial or ZERO for queue in scenario.queues) == scenario.switch.buffer


def has_equal_rates(scenario):
    return any(queue.rate in queue.arrivals.rates for queue in scenario.queues)


def has_a_huge_ratio(scenario):
    rates = [rate for queue in scenario.queues for rate in queue.arrivals.rates if rate > 0]
    return bool(rates) and max(rates) >= 10**6 * min(rates)


def has_many_ports(scenario):
    return len(scenario.queues) >= 8


TIES = (
    ends_as_a_threshold_is_met, begins_on_its_threshold, begins_with_a_full_buffer, has_equal_rates, has_a_huge_ratio,
    has_many_ports,
)  # fmt: skip


def test_boundaries_and_ties_are_drawn_on_purpose():
    drawn = [Scenario.read(scenario_generator.draw_scenario(Random(seed), "dt")) for seed in range(60)]
    assert [tie.__name__ for tie in TIES if sum(map(tie, drawn)) < 2] == []


def test_a_counter_is_full_exactly_when_tm1_expires():
    def tied(document):
        policy, queues = document["policy"], document["queues"]
        if policy["tm1"] is None or len(queues) != 1 or len(queues[0]["arrivals"]) != 1:
            return False
        scenario = Scenario.read(document)
        queue = scenario.queues[0]
        growth = queue.arrivals.rates[0] - queue.rate
        return queue.arrivals.times == (ZERO,) and growth * scenario.policy.tm1 == scenario.policy.cn2

    drawn = [scenario_generator.draw_scenario(Random(seed), "edt") for seed in range(135, 145)]
    assert sum(map(tied, drawn)) == 1


def test_what_fails_is_made_smaller():
    smallest = find(strategies.scenario_documents("dt"), lambda document: len(document["queues"]) >= 2)
    assert smallest["queues"] == [{"arrivals": []}, {"arrivals": []}]


def test_without_hypothesis_the_error_says_what_to_install():
    code = "import sys; sys.modules['hypothesis'] = None; import dtmodel.strategies"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "ExtraError: this needs hypothesis: pip install 'dtmodel-buffers[strategies]'" in done.stderr
