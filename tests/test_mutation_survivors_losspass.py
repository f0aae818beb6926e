"""What the mutants of LossPass taught: the borders of what the parameter sheet accepts."""

from __future__ import annotations

import pytest

from dtmodel import InputError
from dtmodel.theory.losspass_parameters import parameters

GIVEN = {"rate_": "1 Gbps", "rtt": "500 us", "buffer": "128 KB", "flows": 2, "threshold": "45 packets", "tau": "0.95"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rate", 0), ("rtt", 0), ("buffer", 0), ("flows", 0), ("threshold", -1), ("tau", "-0.1"), ("tau", "1.1"),
        ("reserve", "128001"), ("segment", 0), ("cut", 0), ("cut", 1),
    ],
)  # fmt: skip
def test_values_beyond_a_border_are_refused_by_name(field, value):
    with pytest.raises(InputError) as error:
        parameters(**GIVEN | {"rate_" if field == "rate" else field: value})
    assert error.value.field == field


@pytest.mark.parametrize(
    ("field", "value"), [("tau", 0), ("tau", 1), ("reserve", "128 KB"), ("cut", "99/100"), ("flows", 1)]
)
def test_values_on_a_border_are_accepted(field, value):
    assert parameters(**GIVEN | {field: value})["mu_ecn"] >= 0
