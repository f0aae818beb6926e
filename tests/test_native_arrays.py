"""Batches of the native core: arrays that hold or fit badly are refused, and each scenario is as it is alone."""

import random
from array import array
from fractions import Fraction

import pytest
from fluid_cases import batch, on_off

from dtmodel import DT, Arrivals, InputError, Scenario, Switch
from dtmodel.fluid.batch import Batch
from dtmodel.fluid.scenario import QueueScenario

F = Fraction
pytestmark = pytest.mark.needs("native")
REFUSED = 2
SOUND = on_off(3, 4, 1, 30)
NUMBERS = ("buffer", "tick", "rate", "slope", "offset", "initial", "count", "piece_rate", "reserve")


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_numbers_that_are_none_are_refused(name: str, value: float) -> None:
    made = batch(SOUND, SOUND)
    made.arrays[name][0] = value
    assert made.run() == 1
    assert list(made.arrays["status"]) == [REFUSED, 0]
    assert made.outcomes()[0] is None


@pytest.mark.parametrize(("name", "place", "value"), [
    ("until", 0, 0), ("until", 0, 2**62), ("piece_time", 0, -1), ("piece_time", 1, 0), ("sample_time", 0, 2**62),
    ("sample_time", 1, 0), ("initial", 0, 400.0), ("rate", 0, 0.0), ("count", 0, 0.5), ("buffer", 0, 0.0),
    ("form", 0, 4), ("form", 0, -1),
    ("cap", 0, 0.0), ("cap", 0, float("nan")),
])  # fmt: skip
def test_numbers_out_of_their_range_are_refused(name: str, place: int, value: float) -> None:
    made = batch(SOUND)
    made.arrays[name][place] = value
    assert made.run() == 1
    assert made.arrays["status"][0] == REFUSED


@pytest.mark.parametrize("name", ["queue_begin", "piece_begin", "sample_begin", "length_begin", "number_begin"])
@pytest.mark.parametrize("value", [-1, 1, 10**15])
def test_arrays_that_do_not_fit_together_are_refused(name: str, value: int) -> None:
    for place in (0, -1):
        made = batch(SOUND)
        made.arrays[name][place] = value
        with pytest.raises(InputError, match="batch"):
            made.run()
    made = batch(SOUND)
    made.arrays[name].pop()
    with pytest.raises(InputError, match="batch"):
        made.run()


def test_samples_of_a_scenario_without_queues_are_counted_too() -> None:
    made = batch(Scenario(1, Switch(1, 6, 1), DT(1), (), F(1), (F(1),)))
    assert made.run() == 0
    made.arrays["sample_begin"][-1] = 10**15
    with pytest.raises(InputError, match="batch"):
        made.run()


ALTERED = (
    *NUMBERS, "until", "piece_time", "sample_time", "piece_begin", "steady", "form", "counting", "growth", "hold",
    "cap",
)  # fmt: skip


@pytest.mark.parametrize("ties", [False, True])
def test_whatever_the_arrays_hold_the_core_answers_or_refuses(ties: bool) -> None:
    """With ``make sanitize`` no access goes astray, either."""
    rng = random.Random(5)
    extremes = [float("nan"), float("inf"), -1.0, 0.0, 5e-324, 1e-300, 1e300, 1.7e308, 1.0]
    whole = [0, 1, -1, 2**31, 2**62, -(2**63), 2**63 - 1]
    names = (*ALTERED, *("number_begin", "high", "high", "low", "residue") * (3 * ties))
    seen = set()
    for number in range(150 if ties else 600):
        made = Batch(ties=ties)
        made.add(SOUND)
        made.arrays["form"][0] = number % 4
        for _ in range(rng.randint(1, 3)):
            values = made.arrays[rng.choice(names)]
            place = rng.randrange(len(values))
            if values.typecode == "d":
                values[place] = rng.choice((*extremes, values[place] * rng.random()))
            elif values.typecode in "bi":
                values[place] = rng.choice((0, 1, 2, 3, -128))
            else:
                values[place] = rng.choice((*whole, values[place] + rng.randint(-3, 3) % 2**60))
        try:
            made.run()
        except (InputError, OverflowError):
            seen.add(-1)
        else:
            seen.add(made.arrays["status"][0])
    assert seen >= {-1, 0, REFUSED}
    assert seen <= set(range(-1, 9))


def test_a_batch_of_many_says_of_each_what_it_says_of_one() -> None:
    cases = [on_off(2 + seed % 3, 5, seed, 25) for seed in range(20)]
    together = batch(*cases).outcomes()
    assert together == [batch(case).outcomes()[0] for case in cases]
    assert array("d", [0.0]) not in [outcome.dropped for outcome in together if outcome]


def test_a_number_beyond_floats_leaves_nothing_in_a_batch() -> None:
    huge = QueueScenario(Arrivals([(0, 3), (1, 10**400)]), F(0), F(1))
    made = batch(SOUND)
    with pytest.raises(OverflowError):
        made.add(Scenario(1, Switch(1, 6, 1), DT(1), (huge,), F(2)))
    assert made.outcomes() == batch(SOUND).outcomes()
