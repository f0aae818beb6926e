"""EDT's circuits with times in ticks, for exact replays in whole numbers."""

from fractions import Fraction

from dtmodel.policies.edt_circuit import READINGS, CircuitSettings, EdtPolicy

F = Fraction


def in_ticks(reading: str) -> EdtPolicy | None:
    settings = CircuitSettings(F(2), 3, F(4), F(1, 2), F(3), reading=READINGS[reading])
    return EdtPolicy(settings, 1, F(8)).in_ticks(10)


def test_timers_are_in_ticks_and_whole_numbers_are_ints() -> None:
    made = in_ticks("circuit")
    assert made is not None
    own = made.ports[0].settings
    numbers = (own.alpha, own.cn2, own.tm1, own.tm2)
    assert numbers == (2, 4, 5, 30)
    assert {type(number) for number in numbers} == {int}


def test_a_timer_that_runs_from_the_beginning_stays_in_seconds() -> None:
    assert in_ticks("free-running") is None
