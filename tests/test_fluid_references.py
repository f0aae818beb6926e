"""Every fluid policy agrees with a second implementation, and every exact run is within its bounds."""

from random import Random

import fluid_comparisons
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtmodel.strategies import policy_generator, scenario_documents, scenario_generator


@pytest.mark.parametrize("policy", policy_generator.POLICIES)
@settings(max_examples=15)
@given(data=st.data())
def test_two_implementations_agree_on_scenarios(policy, data):
    ours, other = fluid_comparisons.compare(data.draw(scenario_documents(policy)))
    assert ours == other


@pytest.mark.exhaustive
@pytest.mark.parametrize("policy", policy_generator.POLICIES)
def test_two_implementations_agree_on_many_scenarios(policy):
    for seed in range(3000):
        ours, other = fluid_comparisons.compare(scenario_generator.draw_scenario(Random(seed), policy))
        assert ours == other
