"""Every law of the fluid model holds exactly in exact numbers, and nearly in floats."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import laws
import pytest

from dtmodel.strategies import scenario_generator


def applicable(law, number, wanted):
    """Try seeded scenarios until the law has applied to so many."""
    applied, seed = 0, 0
    while applied < wanted:
        random = Random(f"{law.__name__}/{seed}")
        document = scenario_generator.scenario(random, laws.UNDER.get(law), plain=True)
        applied += law(document, random, number)
        seed += 1
        assert seed < 40 * wanted, "the law applies to almost nothing"
    return applied


@pytest.mark.parametrize("law", [law for law in laws.LAWS if law is not laws.floats_are_near_exact_numbers])
def test_laws_hold_exactly(law):
    assert applicable(law, Fraction, 25) == 25


@pytest.mark.parametrize("law", laws.LAWS)
def test_laws_hold_nearly_in_floats(law):
    assert applicable(law, float, 15) == 15
