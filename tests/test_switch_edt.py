"""The settings of EDT on switches with limits of ports and with slices, against runs of the tree of limits."""

import json
from fractions import Fraction
from typing import Any

import pytest

from dtmodel import sheet
from dtmodel.cli import run
from dtmodel.fluid import run_scenario
from dtmodel.fluid.scenario import Scenario

SWITCH: dict[str, Any] = {"ports": 4, "buffer": 1200, "rate": 1}
CASES = ((1, 0), (1, 3), (2, 2), (4, 0))
"""Numbers of bursts and of steady ports; the third is the worst."""
CHIPS = {"nested": "spectrum4", "pool": "spectrum1"}


def held_at_first_drop(alpha: str, port_alpha: str, level: str, bursts: int, steady: int, rate: int) -> Fraction:
    """Return the length of a burst's queue at its first loss, with one busy queue on each port of the switch."""
    follows = {"nested": "parent", "pool": "pool"}[level]
    p, a = Fraction(alpha), Fraction(port_alpha)
    weight = {"nested": p * a / (1 + p), "pool": min(p, a)}[level]
    length = weight * SWITCH["buffer"] / (1 + steady * weight)
    queues = [*[{"arrivals": [["0", str(rate)]]}] * bursts,
              *[{"arrivals": [["0", "1"]], "initial": str(length)}] * steady]  # fmt: skip
    document = {
        "switch": SWITCH,
        "policy": {
            "name": "hierarchy",
            "follows": follows,
            "groups": [{"name": f"port {i}", "alpha": port_alpha} for i in range(len(queues))],
            "limits": [{"alpha": alpha, "parent": f"port {i}"} for i in range(len(queues))],
        },
        "queues": queues,
        "until": "10000",
    }
    done = run_scenario(Scenario.read(document), Fraction)
    first = done.first_drop(0)
    assert first is not None
    return done.queue(0).at(first)


@pytest.mark.parametrize("level", ["nested", "pool"])
@pytest.mark.parametrize(("alpha", "port_alpha"), [("1", "4"), ("1", "1"), ("1/2", "1/4"), ("2", "3")])
def test_no_burst_holds_less_than_the_setting_of_c2_at_its_first_loss(level: str, alpha: str, port_alpha: str) -> None:
    made = sheet("edt", **SWITCH, alpha=alpha, packet=1, port_alpha=port_alpha, chip=CHIPS[level])
    safe, fastest = Fraction(str(made["cn2"])), 10**9
    for rate in (2, fastest):
        held = min(held_at_first_drop(alpha, port_alpha, level, M, N, rate) for M, N in CASES)
        assert held >= safe == made["cn2_best"]
    assert held - safe < Fraction(SWITCH["buffer"], fastest)  # bursts of any rate can hold as little
    flat = Fraction(str(sheet("edt", **SWITCH, alpha=alpha, packet=1)["cn2"]))
    assert (made.checks[0].verdict == "WARN") == (flat > safe)


def test_a_queue_reaches_one_slice_of_the_egress_memory() -> None:
    whole, sliced = (sheet("edt", ports=16, buffer=size, rate="1 Gbps", **more)
                     for size, more in (("250 KB", {}), ("1 MB", {"chip": "th"})))  # fmt: skip
    assert sliced["slice"] == 250_000
    assert [sliced[row.name] for row in whole.parameters] == [row.value for row in whole.parameters]
    assert [check.verdict for check in sliced.checks] == ["WARN", "PASS"]
    beside = sheet("edt", ports=16, buffer="250 KB", rate="1 Gbps", chip="th3")  # sliced at the ingress alone
    assert beside.parameters == whole.parameters


def test_without_a_chip_and_ports_the_sheet_is_that_of_one_level(capsys: Any) -> None:
    given = ["params", "edt", "--ports", "4", "--buffer", "1MB", "--rate", "1Gbps", "--json"]
    answers = []
    for more in ([], ["--chip", "generic"], ["--port-alpha", "2", "--chip", "spectrum4"]):
        assert run([*given, *more]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    plain, generic, nested = (answer["parameters"] for answer in answers)
    assert plain == generic
    assert nested == {"port_weight": nested["port_weight"], **{k: v for k, v in plain.items() if "best_alpha" not in k}}
    assert nested["port_weight"]["value"] == "1"  # a = 1 + p changes nothing


@pytest.mark.parametrize(("option", "value"), [("--port-alpha", "0"), ("--port-alpha", "x"), ("--chip", "th9")])
def test_a_bad_value_is_named(option: str, value: str, capsys: Any) -> None:
    assert run(["params", "edt", "--ports", "4", "--buffer", "1MB", "--rate", "1Gbps", option, value]) == 2
    assert f"{option}: got {value!r}" in capsys.readouterr().err
