"""Hypothesis strategies for switches, traffic, policies, scenarios and packet traces.

For property tests of your own: every policy and every algorithm in every reading, with boundaries and ties on purpose
(equal rates, queues that begin on their thresholds, full buffers, bursts that end exactly when a threshold is met).
The package accepts everything that is drawn, and Hypothesis shrinks failing examples.

- ``policy`` and ``name`` name a policy as documents do, by default any of the package, and ``algorithm`` is one of
  ``losspass``, ``dynaq``, ``l2bm``, ``edt``; by default any. An unknown one, and a policy that the fluid model does not
  run, raises `InputError`.

>>> from fractions import Fraction
>>> from hypothesis import given, settings
>>> from dtmodel.fluid import run_scenario
>>> @settings(max_examples=5)
... @given(scenarios(policy="dt"))
... def no_queue_is_negative(scenario):
...     run = run_scenario(scenario, Fraction)
...     assert all(queue.at(time) >= 0 for queue in run.queues for time in queue.breakpoints)
>>> no_queue_is_negative()
"""

from random import Random
from typing import Any

from dtmodel.base import extras, units
from dtmodel.base.documents import choice
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity
from dtmodel.fluid.scenario import Scenario
from dtmodel.fluid.switch import Arrivals, Switch
from dtmodel.network.experiment import Experiment
from dtmodel.packet import ALGORITHMS
from dtmodel.policies import Policy, find, packets_only
from dtmodel.strategies import network_generator, policy_generator, scenario_generator, trace_generator

extras.need("hypothesis")
from hypothesis import strategies as st  # noqa: E402  # after the named error if it is not installed


def _random() -> st.SearchStrategy[Random]:
    """Return a random source that Hypothesis controls, for generators that also work with a seed."""
    return st.randoms(use_true_random=False)


def _fluid(name: str, field: str) -> str:
    """Return the name that documents use for a policy that the fluid model runs."""
    word, kind = find(name, field)
    if accepted := packets_only(kind):
        raise InputError(field, name, accepted)
    return word


def switches() -> st.SearchStrategy[Switch]:
    """Draw switches of 1 to 61 ports, with small buffers and rates that tie.

    >>> from hypothesis import find
    >>> find(switches(), lambda switch: switch.ports > 1).ports
    2
    """
    return _random().map(lambda random: Switch(**scenario_generator.draw_switch(random)))


def arrivals(rate: Quantity = 1, buffer: Quantity = 6) -> st.SearchStrategy[Arrivals]:
    """Draw the traffic of one queue: none, constant, one burst or several; often exactly at the rate of the queue.

    `rate`, `buffer`: the service rate of the queue, and the size of the buffer.

    >>> from fractions import Fraction
    >>> from hypothesis import find
    >>> str(find(arrivals(rate=3), lambda traffic: traffic.at(Fraction(0)) == 3).rates[0])
    '3'
    """
    own, size = units.rate(rate, "rate", positive=True), units.bytes_(buffer, "buffer", positive=True)
    return _random().map(
        lambda random: Arrivals([(t, r) for t, r in scenario_generator.draw_arrivals(random, own, size)])
    )


def policies(name: str | None = None, queues: int = 2, buffer: Quantity = 6) -> st.SearchStrategy[Policy]:
    """Draw policies for queues that share a buffer.

    `queues`: the number of queues, at least 1. `buffer`: the size of the shared buffer.

    >>> from hypothesis import find
    >>> find(policies("edt"), lambda policy: policy.tm1 is None).tm1 is None
    True
    """
    names = policy_generator.POLICIES if name is None else (_fluid(name, "name"),)
    count = units.count(queues, "queues", least=1)
    size = units.bytes_(buffer, "buffer", positive=True)

    def draw(random: Random) -> Policy:
        document = {
            "switch": {"ports": count, "buffer": size, "rate": 1},
            "policy": policy_generator.draw_policy(random, random.choice(names), count, size),
            "queues": [{}] * count,
            "until": 1,
        }
        return Scenario.read(document).policy

    return _random().map(draw)


def scenario_documents(policy: str | None = None) -> st.SearchStrategy[dict[str, Any]]:
    """Draw scenarios as documents of ``dtmodel/schemas/scenario.json``.

    >>> from hypothesis import find
    >>> find(scenario_documents("static"), lambda document: len(document["queues"]) == 1)["policy"]["name"]
    'static'
    """
    name = None if policy is None else _fluid(policy, "policy")
    return _random().map(lambda random: scenario_generator.draw_scenario(random, name))


def scenarios(policy: str | None = None) -> st.SearchStrategy[Scenario]:
    """Draw scenarios of the fluid model, validated and ready to run.

    >>> from hypothesis import find
    >>> find(scenarios("complete"), lambda scenario: len(scenario.queues) > 1).switch.ports
    2
    """
    return scenario_documents(policy).map(Scenario.read)


def traces(algorithm: str | None = None) -> st.SearchStrategy[dict[str, Any]]:
    """Draw traces for the packet algorithms in all their readings, as documents of ``dtmodel trace``.

    >>> from hypothesis import find
    >>> find(traces("dynaq"), lambda document: document["events"])["algorithm"]
    'dynaq'
    """
    name = None if algorithm is None else choice(algorithm, "algorithm", ALGORITHMS)
    return _random().map(lambda random: trace_generator.draw_trace(random, name))


def experiments() -> st.SearchStrategy[Experiment]:
    """Draw experiments with few senders that react: each has one policy, and runs some thousand events.

    >>> from hypothesis import find
    >>> [*find(experiments(), lambda experiment: "incast" in experiment.document["workload"]).policies]
    ['P']
    """
    return _random().map(lambda random: Experiment.read(network_generator.draw_experiment(random)))
