"""``dtmodel derive`` with the questions of a designer: values, extremes, solutions and bounds of one symbol."""

import json
from fractions import Fraction
from random import Random

import families
import pytest
from test_forms import ANSWER

from dtmodel.cli import run
from dtmodel.derive import derive
from dtmodel.derive.algebra.language import read_relation

AT = ["--at", "B=64 MB", "C=100 Gbps", "M=1", "N=2", "R=400 Gbps", "R_b=100 Gbps"]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "theorem1.json"
    path.write_text(json.dumps(families.THEOREM1))
    return str(path)


def answered(capsys, *arguments):
    assert run(["derive", *arguments, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    ANSWER.validate(answer)
    return answer


def test_the_maximum_has_the_shape_that_the_schema_prints(file, capsys):
    answer = answered(capsys, file, "--maximize", "alpha", "--minimize", "alpha", *AT)
    assert answer["maximum"] == {
        "of": "first_drop", "over": "alpha",
        "value": {"polynomial": "244140625*x**2 - 700000*x + 256", "between": ["430289/1000000000", "43029/100000000"]},
        "attained": True,
        "at": [{"low": {"polynomial": "2*x**2 - 3", "between": ["61237/50000", "4899/4000"]},
                "high": {"polynomial": "2*x**2 - 3", "between": ["61237/50000", "4899/4000"]},
                "with_low": True, "with_high": True, "case": 1}],
        "approached": [],
    }  # fmt: skip
    assert answer["minimum"] == {
        "of": "first_drop", "over": "alpha", "value": "0", "attained": False, "at": [],
        "approached": [{"to": "0", "case": 0}, {"to": "oo", "case": 1}],
    }  # fmt: skip


def test_without_values_the_turns_are_formulas(file, capsys):
    assert answered(capsys, file, "--maximize", "alpha")["turns"]["cases"] == [
        {"case": 0, "direction": "rises"},
        {"case": 1, "direction": "turns", "polynomials": ["R - C + alpha**2*C*N**2 - alpha**2*M*N*(R - C)"],
         "roots": ["sqrt((R - C)/(N*(M*(R - C) - C*N)))"]},
    ]  # fmt: skip


def test_a_plateau_of_never_is_an_interval(tmp_path, capsys):
    path = tmp_path / "duration.json"
    path.write_text(json.dumps(families.family([families.ENDING, families.STEADY], {"first_drop": 0}, {"d": "> 0"})))
    answer = answered(capsys, str(path), "--maximize", "alpha", *AT, "d=100 us")
    assert answer["maximum"]["value"] == "never"
    (at,) = answer["maximum"]["at"]
    assert at["high"] == {"polynomial": "10*x**2 - 221*x + 15", "between": ["220319/10000", "2754/125"]}
    assert (at["with_low"], at["with_high"]) == (True, True)
    assert answer["maximum"]["approached"] == []


def test_solutions_are_intervals_or_have_a_reason(file, capsys):
    given = [word for word in AT if not word.startswith("R=")] + ["R=300 Gbps"]
    answer = answered(capsys, file, "--solve", "first_drop=400 us", "--over", "alpha", *given)
    assert answer["solution"]["wanted"] == "400 us"
    assert answer["solution"]["at"] == [{"low": "5/17", "high": "5/17", "with_low": True, "with_high": True}]
    answer = answered(capsys, file, "--solve", "first_drop=1 s", "--over", "alpha", *given)
    assert answer["solution"]["at"] == []
    assert answer["solution"]["none"] == "at most 853.333 us (8/9375 s), as alpha tends to infinity"
    assert run(["derive", file, "--solve", "first_drop=never", "--over", "alpha", *given]) == 0
    assert "alpha with first_drop = never: none: at most 853.333 us" in capsys.readouterr().out


def test_values_are_put_in_with_their_units(file, capsys):
    separate = [word for value in AT[1:] for word in ("--at", value)]
    for options in (AT, separate, [*AT[:3], "--at", *AT[3:]]):
        answer = answered(capsys, file, *options, "--at", "alpha=1")
        assert answer["evaluated"] == {"first_drop": "4/9375", "free_at_first_drop": "16000000"}
    assert run(["derive", file, *AT, "alpha=1"]) == 0
    assert "first_drop = 426.667 us (4/9375 s), free_at_first_drop = 16 MB, case a" in capsys.readouterr().out


def test_conditions_are_bounds_of_the_symbol(file, capsys, tmp_path):
    answer = answered(capsys, file, "--for", "R")
    bound = "C*(1 + (1 + alpha*N)/(alpha*M))"
    assert answer["for"] == {"symbol": "R", "when": [[f"R <= {bound}"], [f"R > {bound}"]]}
    assert run(["derive", file, "--for", "M", "--tex", str(tmp_path / "out.tex")]) == 0
    assert "If M <= C*(1 + alpha*N)/(alpha*r):" in capsys.readouterr().out
    written = (tmp_path / "out.tex").read_text()
    assert r"\text{if } M \leq \dfrac{C \left(1 + \alpha N\right)}{\alpha r}" in written
    assert r"Let $\alpha > 0$, $B > 0$, $C > 0$, $M \geq 1$, $N \geq 0$, $R > C$, $R_{b} \geq C$. Then" in written


@pytest.mark.parametrize("name", ["THEOREM1", "TWO_ALPHAS", "CAP"])
def test_a_bound_of_a_symbol_holds_where_its_condition_does(name):
    theorem, source, solved = derive(getattr(families, name)), Random(3), 0
    for symbol in theorem.family.symbols:
        for case, bounds in zip(theorem.cases, theorem.bounds_of(symbol), strict=True):
            for number, (condition, bound) in enumerate(zip(case.when, bounds, strict=True)):
                relation = read_relation(bound, "bound", set(theorem.family.symbols))
                solved += relation.left.text == symbol
                for _ in range(10):
                    point = tuple(Fraction(source.randint(1, 24), source.choice((1, 4))) for _ in case.example)
                    if any(not c.holds(point) for place, c in enumerate(case.when) if place != number):
                        continue
                    values = theorem.values(point)
                    left, right = relation.left.value(values), relation.right.value(values)
                    holds = {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right,
                             "==": left == right}[relation.sign]  # fmt: skip
                    assert holds == condition.holds(point), (bound, values)
    assert solved > 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--at", "alpha=1"], "B: missing; expected a value: it is a symbol of the theorem"),
        (["--maximize", "gamma", *AT], "--maximize: got 'gamma'; expected one of alpha, B"),
        (["--maximize", "alpha", *AT, "alpha=1"], "alpha: got '1'; expected values of"),
        (["--at", "B"], "--at: got 'B'; expected NAME=VALUE"),
        (["--at", "B=1", "B=2"], "--at"),
        (["--solve", "first_drop=1"], "--over: missing"),
        (["--over", "alpha"], "--solve: missing"),
        (["--solve", "length=1", "--over", "alpha", *AT], "--solve: got 'length'; expected a value of one answer"),
        (["--for", "gamma"], "--for: got 'gamma'; expected one of alpha, B"),
        (["--solve", "first_drop=1", "--over", "gamma", *AT], "--over: got 'gamma'; expected one of alpha, B"),
        ([*AT, "alpha=1 MB"], "alpha: got '1 MB'"),
    ],
)
def test_questions_that_cannot_be_answered_are_refused(file, capsys, options, message):
    assert run(["derive", file, *options]) == 2
    assert message in capsys.readouterr().err


def test_without_values_solutions_are_formulas_of_each_case(file, capsys):
    answer = answered(capsys, file, "--solve", "first_drop=t", "--over", "B")
    assert answer["solution"] == {"of": "first_drop", "wanted": "t", "over": "B", "cases": [
        {"case": 0, "direction": "has it", "polynomials": ["alpha*B - t*(R - C)*(1 + alpha*(M + N))"],
         "roots": ["t*(R - C)*(M + N + 1/alpha)"]},
        {"case": 1, "direction": "has it",
         "polynomials": ["alpha*(B + C*N*t*(1 + alpha*N)) - t*(R - C)*(1 + alpha*M)*(1 + alpha*N)"],
         "roots": ["t*(1 + alpha*N)*((R - C)*(1 + alpha*M) - alpha*C*N)/alpha"]},
    ]}  # fmt: skip
    assert run(["derive", file, "--solve", "first_drop=2 ms", "--over", "B", "--at", "alpha=1", "C=1 Gbps"]) == 0
    assert "first_drop = 2 ms along B: case 0 has it at B = (R - 125000000)*(1 + M + N)/500;" in capsys.readouterr().out


def test_several_symbols_are_maximized_one_at_an_end_and_then_the_other(file, capsys):
    given = [word for word in AT if not word.startswith("N=")]
    best = answered(capsys, file, "--maximize", "N,alpha", *given)["maximum"]
    assert (best["value"], best["where"], best["approached"]) == ("16/9375", [{"N": "0"}], [{"to": "oo", "case": 1}])
    assert run(["derive", file, "--maximize", "alpha,N", *given]) == 2
    assert (
        "--maximize: got 'alpha'; expected symbols at an end of which first_drop is largest" in capsys.readouterr().err
    )


@pytest.mark.parametrize("asked", [["--maximize", "alpha"], ["--solve", "first_drop=2", "--over", "alpha"]])
def test_the_symbol_of_a_question_has_no_value_beside_it(file, asked, capsys):
    assert run(["derive", file, *asked, "--at", "alpha=1"]) == 2
    assert "alpha: got '1'; expected values of B, C, M, N, R, R_b" in capsys.readouterr().err
    assert run(["derive", file, *asked, "--seconds", "0"]) == 0
    assert "Not complete" in capsys.readouterr().out
