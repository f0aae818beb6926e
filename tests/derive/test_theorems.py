"""Derived theorems: what they say, and that the exact engine says so at every point that is tried."""

import json
from fractions import Fraction

import families
import numpy as np
import pytest

from dtmodel import DT, Arrivals, InputError, Switch, simulate
from dtmodel.derive import Limits, derive
from dtmodel.derive.algebra.language import read_expression
from dtmodel.derive.search.family import read_family
from dtmodel.derive.search.run import run_family
from dtmodel.derive.theorem.check import engine_at
from dtmodel.theory.dt import formulas as dt_formulas
from proofs.check_certificates import check

HERE = {"alpha": 1, "B": 10**6, "C": 125 * 10**6, "M": 1, "N": 2, "R": 250 * 10**6, "R_b": 250 * 10**6}


@pytest.fixture(scope="module")
def theorem1():
    return derive(families.THEOREM1)


def test_theorem_1_has_its_two_cases_with_the_boundary(theorem1):
    document = theorem1.document()
    assert document["complete"] is True
    slow, fast = document["cases"]
    assert slow["when"] == ["C*(1 + alpha*N) - alpha*M*(R - C) >= 0"]
    assert fast["when"] == ["alpha*M*(R - C) - C*(1 + alpha*N) > 0"]
    assert slow["first_drop"] == "alpha*B/((R - C)*(1 + alpha*(M + N)))"
    assert slow["free_at_first_drop"] == "B/(1 + alpha*(M + N))"
    assert fast["first_drop"] == "alpha*B/((1 + alpha*N)*((R - C)*(1 + alpha*M) - alpha*C*N))"


def test_theorem_1_is_equations_10_and_11(theorem1):
    slow, fast = theorem1.document()["cases"]
    point = {name: Fraction(value) for name, value in HERE.items()} | {"alpha": Fraction(3, 7), "R": Fraction(10**9, 3)}
    alpha, B, C, M, N, R = (point[name] for name in ("alpha", "B", "C", "M", "N", "R"))
    names = set(point)

    def said(text):
        return read_expression(text, "answer", names).value(point)

    assert said(slow["first_drop"]) == dt_formulas.slow_drop_time(alpha, B, M, N, R - C)
    assert said(slow["free_at_first_drop"]) == dt_formulas.slow_free(alpha, B, M, N)
    assert said(fast["first_drop"]) == dt_formulas.fast_drop_time(alpha, B, C, M, N, R - C)
    assert said(fast["free_at_first_drop"]) == dt_formulas.fast_free(alpha, B, C, M, N, R - C)


def test_theorem_1_needs_no_solver_and_has_a_cell_for_each_case(theorem1):
    """The steady ports' rate is compared with that of no burst: which is larger says nothing."""
    assert theorem1.statistics["questions"] == 0
    assert theorem1.statistics["cells"] == len(theorem1.cases) == 2


def test_evaluate_is_exact_and_equals_a_run_with_every_port_by_itself(theorem1):
    two = Arrivals.constant("2 Gbps")
    run = simulate(
        Switch(16, "1 MB", "1 Gbps"), DT(1), {0: two, 1: two, 2: two}, initial={1: "steady", 2: "steady"}, until="10 ms"
    )
    answer = theorem1.exact(**HERE)
    assert answer == {"first_drop": run.first_drop(0), "free_at_first_drop": run.free_at_first_drop(0)}


def test_evaluate_takes_arrays(theorem1):
    rates = np.array([150, 250, 900]) * 10**6
    answer = theorem1.evaluate(**HERE | {"R": rates})
    assert answer["first_drop"].tolist() == [theorem1.evaluate(**HERE | {"R": int(r)})["first_drop"] for r in rates]
    fast = theorem1.lambdify()(**HERE | {"R": rates})
    assert fast == pytest.approx([float(value) for value in answer["first_drop"]])


def test_a_theorem_refuses_values_outside_its_domain(theorem1):
    with pytest.raises(InputError, match="R: got"):
        theorem1.evaluate(**HERE | {"R": 1})
    with pytest.raises(InputError, match="it is a symbol of the theorem"):
        theorem1.evaluate(alpha=1)


def test_a_theorem_shows_itself_as_mathematics(theorem1):
    latex = theorem1._repr_latex_()
    first, second = latex.splitlines()[1:3]
    assert first.startswith(r"t = \begin{cases} \frac{\alpha B}{r ")
    assert second.startswith(r"F(t) = \begin{cases}")
    assert "If R <= C*(1 + (1 + alpha*N)/(alpha*M)):" in str(theorem1)


COMPLETE = [
    "THEOREM1",
    "TWO_ALPHAS",
    "WEIGHTED",
    "ABM",
    "L2BM",
    "STATIC",
    "TWO_RATES",
    "DURATION",
    "LOST",
    "LENGTH",
    "THRESHOLD",
    "ANY_RATE",
    "UNTIL",
    "RECOVERY",
    "RESERVES",
    "CAP",
    "CAPPED_STEADY",
    "COMPLETE",
    "TOGETHER",
    "THEOREM5",
]


@pytest.mark.parametrize("name", [name for name in COMPLETE if name != "TOGETHER"])  # it is among the exhaustive ones
def test_the_engine_agrees_inside_every_region_and_on_its_boundaries(name):
    theorem = derive(getattr(families, name))
    assert theorem.complete, theorem.open
    assert theorem.check_points(points=10) >= 10


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [*COMPLETE, "EDT", "THREE_RATES", "BESIDE_STEADY", "STEPS", "TWO_STEPS", "EXPIRES"])
def test_the_engine_agrees_at_a_thousand_points_of_every_region(name):
    theorem = derive(getattr(families, name))
    assert theorem.complete, theorem.open
    assert theorem.check_points(points=1000) >= 1000 * len(theorem.cases)


@pytest.mark.exhaustive
def test_rates_that_step_twice_have_nine_cases_that_meet():
    """Where a drop falls on a step or a steady queue comes back to its threshold just then, the loss goes on."""
    theorem = derive(families.TWO_STEPS)
    assert theorem.complete, theorem.open
    assert theorem.statistics["paths"] == theorem.statistics["cells"]  # no boundary had to be explored by itself
    assert len(theorem.cases) == 9
    assert theorem.check_points(points=5) >= 45


@pytest.mark.xdist_group("enhanced_dt")
def test_enhanced_dt_has_four_cases_with_the_right_boundaries(enhanced_dt):
    theorem = enhanced_dt
    assert theorem.complete, theorem.open
    assert len(theorem.cases) == 4
    assert theorem.statistics["cells"] == 5  # what comes first is asked once, about all that may
    case = theorem.document()["cases"][1]
    assert case["when"][1] == "alpha*B - c_2*(1 + alpha*(M + N)) >= 0"
    assert case["first_drop"] == "B/(M*(R - C))"
    assert theorem.check_points(points=10) >= 40


def test_a_wrong_answer_is_noticed(theorem1):
    slow, fast = theorem1.cases
    wrong = type(slow)(slow.when, fast.answers, slow.strength, slow.example)
    with pytest.raises(AssertionError, match="the engine says"):
        type(theorem1)(theorem1.family, theorem1.domain, (wrong, fast), True, (), 0.0).check_points(points=5)


@pytest.mark.parametrize(("name", "paths"), [("TWO_RATES", 3), ("DURATION", 2), ("LOST", 4)])
def test_a_limit_makes_a_theorem_incomplete_and_what_it_says_is_still_right(name, paths):
    theorem = derive(getattr(families, name), Limits(paths=paths))
    assert not theorem.complete
    assert "the limit of paths" in theorem.document()["open"][0]
    assert theorem.check_points(points=10) >= 10


def test_timers_expire_as_often_as_allowed_and_the_limit_is_named():
    theorem = derive(families.TIMERS, Limits(expiries=1, seconds=60))
    assert theorem.open[0] == "more than 1 expiries of timers"
    assert theorem.check_points(points=4) >= 4 * len(theorem.cases)
    assert {"B/(M*(R - C))", "T_2 + c_2/(R - C)"} <= {c["first_drop"] for c in theorem.document()["cases"]}


def test_a_limit_of_seconds_is_kept_after_the_exploration_too():
    theorem = derive(families.TOGETHER, Limits(seconds=0.5))
    assert not theorem.complete
    assert "seconds" in theorem.document()["open"][0]
    assert all(engine_at(theorem, theorem.values(case.example))["first_drop"] is not None for case in theorem.cases)


def test_classes_of_no_queues_are_left_out():
    """With EDT a class that stays without queues would share the buffer among none."""
    values = {name: Fraction(value) for name, value in HERE.items()} | {"N": Fraction(0), "c_2": Fraction(1000)}
    family = read_family({**families.EDT, "queues": [families.BURSTS, {"count": "N", "arrivals": [["0", "R_b"]]}]})
    answers = run_family(family, values, Fraction, Fraction(10**9), Fraction(1), 50).answers
    assert answers["first_drop"] == values["B"] / (values["R"] - values["C"])
    with pytest.raises(ZeroDivisionError):
        run_family(family, values | {"M": Fraction(0)}, Fraction, Fraction(10**9), Fraction(1), 50)


def test_a_class_of_identical_queues_is_as_many_queues():
    values = {name: Fraction(value) for name, value in HERE.items()} | {"M": Fraction(2), "N": Fraction(3)}
    switch = Switch(8, int(values["B"]), int(values["C"]))
    arrivals = {port: Arrivals.constant(int(values["R"])) for port in range(5)}
    for rate in (150 * 10**6, 400 * 10**6, 10**9):
        bursts = arrivals | {port: Arrivals.constant(rate) for port in (0, 1)}
        run = simulate(switch, DT(1), bursts, initial=dict.fromkeys((2, 3, 4), "steady"), until=1)
        lumped = engine_at(derive(families.THEOREM1), values | {"R": Fraction(rate)})
        assert lumped["first_drop"] == run.first_drop(0) == run.first_drop(1)
        assert lumped["free_at_first_drop"] == run.free_at_first_drop(0)


BAD = {
    "unknown symbol": ({"symbols": {**families.SYMBOLS, "R": "> D"}}, "symbols.R"),
    "contradictory domains": ({"symbols": {**families.SYMBOLS, "R": "> C, < C"}}, "symbols.R"),
    "domains in a circle": ({"symbols": {**families.SYMBOLS, "R": "> R_b", "R_b": "> R"}}, "symbols.R"),
    "an unknown exponent": ({"switch": {"buffer": "B**N", "rate": "C"}}, "switch.buffer"),
    "a power of a power": ({"switch": {"buffer": "((B + C)**64)**64", "rate": "C"}}, "switch.buffer"),
    "too many terms": ({"switch": {"buffer": "(B + C + M + N)**40", "rate": "C"}}, "switch.buffer"),
    "a number of a number": ({"switch": {"buffer": "B*((2**64)**64)**64", "rate": "C"}}, "switch.buffer"),
    "a decimal beyond all sizes": ({"switch": {"buffer": "B*1e999999999", "rate": "C"}}, "switch.buffer"),
    "definitions that double": (
        {"symbols": {**families.SYMBOLS, "x_0": "== B", **{f"x_{k}": f"== x_{k - 1}*x_{k - 1}" for k in range(1, 60)}}},
        "symbols.x_8",
    ),
    "a negative count": ({"queues": [{"count": "M - N", "arrivals": [["0", "R"]]}]}, "queues\\[0\\].count"),
    "no queues": ({"queues": [{"count": "0", "arrivals": [["0", "R"]]}]}, "queues\\[0\\].count"),
    "a queue that is not steady": ({"symbols": {**families.SYMBOLS, "R_b": ">= 0"}}, "queues\\[1\\].arrivals"),
    "times that go back": ({"queues": [{"arrivals": [["B/C", "R"], ["0", "0"]]}]}, "queues\\[0\\].arrivals\\[1\\]"),
    "one alpha for two classes": ({"policy": {"name": "dt", "alpha": ["alpha"]}}, "policy.alpha"),
    "a question about no class": ({"ask": [{"first_drop": 2}]}, "ask\\[0\\].first_drop"),
    "no time": ({"ask": [{"length": 0}]}, "ask\\[0\\].at"),
    "code": ({"until": "__import__('os')"}, "until"),
    "an unknown policy": ({"policy": {"name": "red"}}, "policy.name"),
    "an unknown key": ({"pictures": True}, "pictures"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_where_it_stands(name):
    change, where = BAD[name]
    with pytest.raises(InputError, match=where):
        derive({**families.THEOREM1, **change})


@pytest.mark.parametrize(
    ("symbols", "here"),
    [
        ({"R": "> 1", "q": ">= 0, <= (R - 2)**2*(R - 4)"}, {"R": 2, "q": 0}),
        ({"R": "> 1, <= R + (R - 2)**2*(R - 4)"}, {"R": 2}),
        ({"q": ">= 0", "R": "> 1, <= R + q*(R - 4)"}, {"R": 2, "q": 0}),
    ],
)
def test_a_part_of_the_domain_without_an_inside_has_its_own_answer(symbols, here):
    """Inside bursts are fast (R > 4); where a factor of a bound is 0 a slow one is apart from them."""
    queues = [{"arrivals": [["0", "R"]]}, {"initial": "steady", "arrivals": [["0", 1]]}]
    own = {"symbols": {"B": "> 0", **symbols}, "policy": {"name": "dt", "alpha": 1}, "queues": queues}
    theorem = derive({**families.THEOREM1, **own, "switch": {"buffer": "B", "rate": 1}})
    point = theorem.point({"B": 6, **here})
    said = {case.answers["first_drop"].at(point) for case in theorem.cases if all(c.holds(point) for c in case.when)}
    assert said == {engine_at(theorem, theorem.values(point))["first_drop"]} == {2}


def test_the_answer_is_read_back(theorem1):
    document = json.loads(json.dumps(theorem1.document()))
    names = set(families.SYMBOLS)
    point = {name: Fraction(value) for name, value in HERE.items()}
    held = [
        case
        for case in document["cases"]
        if all(
            read_expression(text.removesuffix(" > 0").removesuffix(" >= 0"), "", names).value(point) >= 0
            for text in case["when"]
        )
    ]
    assert read_expression(held[0]["first_drop"], "", names).value(point) == Fraction(1, 500)


def test_a_number_beyond_all_floats_is_a_number():
    queues = [{"arrivals": [["0", "3 Gbps"], ["1 ms", 0]]}, families.STEADY | {"arrivals": [["0", "2 Gbps"]]}]
    switch = {"switch": {"buffer": "1 MB", "rate": "1 Gbps"}, "policy": {"name": "dt", "alpha": ["1e308", 1]}}
    theorem = derive({"symbols": {"a": "> 0", "N": ">= 0"}, "queues": queues, "ask": [{"first_drop": 0}], **switch})
    assert check(json.loads(json.dumps(theorem.certificate()))) == ""
    assert theorem.evaluate(a=1, N=10**309).first_drop == Fraction(10**308, 250 * (11 * 10**308 + 1))
