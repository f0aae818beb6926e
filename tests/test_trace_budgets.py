"""Every trace ends, in time and memory, with an answer or with the name of the budget that it would exceed."""

import time
from fractions import Fraction
from typing import Any

import pytest

from dtmodel.base import budgets
from dtmodel.base.errors import BudgetError, InputError
from dtmodel.packet import dynaq, edt, l2bm
from dtmodel.packet.losspass import trace as losspass
from dtmodel.policies.edt_circuit import READINGS, CircuitSettings, EdtPort

EDT = {"algorithm": "edt", "ports": 1, "buffer": 8, "alpha": 1, "cn2": 2, "events": []}
DYNAQ = {"algorithm": "dynaq", "buffer": 4, "weights": [1, 1], "events": []}
TRACES = {
    "edt": (edt, EDT),
    "dynaq": (dynaq, DYNAQ),
    "l2bm": (l2bm, {"algorithm": "l2bm", "events": []}),
    "losspass": (losspass, {"algorithm": "losspass", "buffer": 3, "events": []}),
}


def one_by_one(port: EdtPort, now: Any) -> Any:
    """Let TM1 of a free-running port expire as often as it does, one expiry after the other."""
    end = port.tm1
    while end is not None and end <= now:
        end += port.settings.tm1
    return end


@pytest.mark.parametrize("period", [Fraction(1), Fraction(2, 3), 3, 7])
@pytest.mark.parametrize("now", [Fraction(0), Fraction(1), Fraction(2), Fraction(13, 2), 21])
def test_many_expiries_at_once_are_as_many_expiries_one_by_one(period: Any, now: Any) -> None:
    settings = CircuitSettings(1, 3, 5, period, None, READINGS["free-running"])
    port = EdtPort(settings, c2=2, tm1=period)
    expected = one_by_one(port, now)
    port.tick(now)
    assert (port.tm1, port.c2) == (expected, 0 if now >= period else 2)


def test_a_timer_that_expires_a_billion_times_is_no_loop() -> None:
    events = [["tick", "1"], ["tick", "1000000000"]]
    answer = edt.run_trace(EDT | {"reading": "free-running", "tm1": "1 ns", "events": events})
    assert answer["final"]["ports"][0]["tm1"] == "1000000000000000001/1000000000"


def test_every_port_in_every_step_is_too_much_of_an_answer() -> None:
    events = [["tick", n] for n in range(1500)]
    for ports, said in ((4096, "output="), (10**9, "output="), ("1e9999", "no machine has as much")):
        start = time.process_time()
        with pytest.raises(BudgetError, match=f"ports, in every step: got .*{said}"):
            edt.run_trace(EDT | {"ports": ports, "events": events})
        assert time.process_time() - start < 10
    assert len(edt.run_trace(EDT | {"ports": 4096, "events": events[:3]})["steps"]) == 3


def test_the_threshold_of_each_of_many_freed_ports_is_shared() -> None:
    events = [["arrive", 0, port, 1] for port in (1, 2)]
    answer = edt.run_trace(EDT | {"ports": 3, "buffer": 12, "cn2": 1, "events": events})
    assert [port["threshold"] for port in answer["final"]["ports"]] == ["6", "6", "10"]


def test_twenty_thousand_weights_are_answered_or_refused_by_name() -> None:
    weights = [1] * 20_000
    answer = dynaq.run_trace(DYNAQ | {"buffer": 20_000, "weights": weights, "events": [["arrive", None, 1, 1]]})
    assert answer["steps"][0]["decision"] == "enqueue"
    with pytest.raises(BudgetError, match=r"weights, in every step: got .*output="):
        dynaq.run_trace(DYNAQ | {"weights": weights, "events": [["arrive", None, 1, 1]] * 500})
    with pytest.raises(BudgetError, match=r"weights, added up: got .*digits="):
        dynaq.run_trace(DYNAQ | {"weights": [f"1/{n}" for n in range(1, 40_000)]})


def test_an_answer_of_long_numbers_ends_at_its_budget() -> None:
    long = "9" * 5_000
    events = [["tick", f"{n}/{long}"] for n in range(1, 3_000)]
    with pytest.raises(BudgetError, match=r"events: got .*output="), budgets.raised(output=3_000_000):
        edt.run_trace(EDT | {"tm1": f"1/{long}", "buffer": long, "ports": 3, "events": events})


@pytest.mark.parametrize("name", TRACES)
def test_the_head_of_every_trace_is_read_by_the_same_rules(name: str) -> None:
    module, request = TRACES[name]
    assert module.run_trace(request)["id"] == 1
    assert module.run_trace(request | {"id": "x", "version": 1})["id"] == "x"
    for wrong in ({"version": 2}, {"version": True}, {"id": "\x1b"}, {"id": None}, {"algorithm": "other"}, {"x": 1},
                  {"events": "depart"}, {"events": {}}, {"events": [1]}, {"events": ["depart"]}):  # fmt: skip
        with pytest.raises(InputError):
            module.run_trace(request | wrong)
