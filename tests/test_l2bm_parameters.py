"""The parameter sheets of DT and L2BM, and their commands."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from click.testing import CliRunner

from dtmodel import DT, Arrivals, Switch, simulate
from dtmodel.cli.params_dt import command as dt_command
from dtmodel.cli.params_l2bm import command as l2bm_command
from dtmodel.errors import InputError
from dtmodel.theory import dt_parameters, l2bm_parameters


def test_the_dt_sheet_agrees_with_the_fluid_engine_in_both_cases() -> None:
    switch = Switch(ports=8, buffer=60, rate=1)
    for rate, steady, bursts in ((2, 2, 1), (9, 2, 1), (2, 0, 3), (5, 3, 2)):
        sheet = dt_parameters.parameters(
            ports=8, buffer=60, rate_=1, alpha="1/2", steady=steady, bursts=bursts, burst_rate=rate
        )
        arrivals = {port: Arrivals.constant(rate if port < bursts else 2) for port in range(bursts + steady)}
        initial = dict.fromkeys(range(bursts, bursts + steady), "steady")
        run = simulate(switch, DT("1/2"), arrivals, initial=initial, until=100)
        assert run.first_drop(0) == sheet["first_drop"]
        assert run.free_at_first_drop(0) == sheet["free_at_first_drop"]
        if steady:
            assert run.queue(bursts).at(Fraction(0)) == sheet["threshold"]
            assert run.free.at(Fraction(0)) == sheet["reserve"]


def test_a_burst_that_does_not_overload_its_port_never_drops() -> None:
    sheet = dt_parameters.parameters(ports=2, buffer=60, rate_=2, burst_rate=2)
    assert sheet["first_drop"] is None
    assert len(sheet.warnings) == 1


def test_many_overloaded_ports_are_warned_about() -> None:
    assert dt_parameters.parameters(ports=64, buffer=60, rate_=2).warnings
    assert not dt_parameters.parameters(ports=4, buffer=60, rate_=2).warnings


def test_the_l2bm_sheet_for_one_slow_queue() -> None:
    sheet = l2bm_parameters.parameters(buffer=34, sojourns=[1, 1, 1, 9], alpha="1/8")
    assert [sheet[f"threshold_{i}"] for i in (1, 4)] == [9, 1]
    assert sheet["threshold_dt"] == Fraction(34, 12)
    assert sheet["threshold_dt_same_weight"] == 7
    assert (sheet["occupancy_l2bm"], sheet["reserve_l2bm"]) == (28, 6)
    assert sheet["occupancy_dt_same_weight"] == 28
    assert sheet["queues_below_dt"] == "4"
    assert any("holds" in warning for warning in sheet.warnings)


@pytest.mark.parametrize(
    ("how", "total"), [("harmonic", Fraction(1, 2)), ("least", Fraction(7, 18)), ("3", Fraction(7, 6))]
)
def test_other_normalisations(how: str, total: Fraction) -> None:
    assert l2bm_parameters.parameters(buffer=34, sojourns=[1, 1, 1, 9], normalisation=how)["total_weight"] == total


def test_weights_can_be_given_instead_of_sojourn_times() -> None:
    direct = l2bm_parameters.parameters(buffer=34, weights=["3/2", "3/2", "3/2", "1/6"])
    derived = l2bm_parameters.parameters(buffer=34, sojourns=[1, 1, 1, 9])
    assert all(direct[row.name] == row.value for row in derived.parameters if row.name != "normaliser")
    answer = CliRunner().invoke(l2bm_command, ["--buffer", "34", "--weight", "1,2", "--json"])
    assert json.loads(answer.output)["parameters"]["total_weight"]["value"] == "3"


def test_warnings_name_what_the_weights_cannot_sense() -> None:
    one = l2bm_parameters.parameters(buffer=34, sojourns=[5]).warnings
    equal = l2bm_parameters.parameters(buffer=34, sojourns=[5, 5]).warnings
    assert any("one active queue" in warning for warning in one)
    assert any("equal sojourn times" in warning for warning in equal)
    below = l2bm_parameters.parameters(buffer=34, sojourns=[1, 9], normalisation="least").warnings
    assert any("below DT's at the same occupancy" in warning for warning in below)


def test_the_commands_print_json_and_tables() -> None:
    runner = CliRunner()
    answer = runner.invoke(l2bm_command, ["--buffer", "34", "--sojourn", "1,1,1", "--sojourn", "9", "--json"])
    assert json.loads(answer.output)["parameters"]["threshold_4"]["value"] == "1"
    answer = runner.invoke(dt_command, ["--ports", "4", "--buffer", "6", "--rate", "1", "--burst-rate", "3", "--json"])
    assert json.loads(answer.output)["parameters"]["first_drop"]["value"] == "3/2"
    assert (
        "first_drop"
        in runner.invoke(dt_command, ["--ports", "4", "--buffer", "6", "--rate", "1", "--burst-rate", "3"]).output
    )


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"sojourns": []}, "sojourns"),
        ({"sojourns": [1, 0]}, "sojourns[1]"),
        ({"sojourns": ["-1"]}, "sojourns[0]"),
        ({"alpha": 0}, "alpha"),
        ({"weights": [1]}, "weights"),
        ({"weights": [1, 0], "sojourns": []}, "weights[1]"),
        ({"buffer": "0"}, "buffer"),
        ({"normalisation": "best"}, "normalisation"),
    ],
)
def test_bad_l2bm_input_is_refused_by_name(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        l2bm_parameters.parameters(**{"buffer": 34, "sojourns": [1, 2], **change})
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"ports": 1, "steady": 1, "burst_rate": "2 Gbps"}, "bursts + steady"),
        ({"ports": 1, "steady": 2}, "bursts + steady"),
        ({"alpha": "-1"}, "alpha"),
        ({"bursts": 0}, "bursts"),
    ],
)
def test_bad_dt_input_is_refused_by_name(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        dt_parameters.parameters(**{"ports": 4, "buffer": 34, "rate_": 1, **change})
    assert caught.value.field == field
