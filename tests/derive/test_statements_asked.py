"""A paper's statement answers a designer's questions: the algebra computes with the statement, and with no other."""

import random
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import families
import pytest

from dtmodel import InputError, Switch
from dtmodel.derive import derive
from dtmodel.derive.theorem.optimum import Optimum, order
from dtmodel.derive.theorem.stated import stated
from dtmodel.theorems.evaluation import never
from dtmodel.theory import dt, statements

ALL = {statement.id: statement for statement in statements()}
REFUSED = {
    "edt.thm2": "port by port",
    "edt.ours.theorem2": "port by port",
    "edt.thm3": "port by port",
    "edt.ours.theorem3": "port by port",
    "edt.ours.cn2": "floor",
    "losspass.ours.burst-in-packets": "floor",
    "losspass.ours.least-k-packets": "ceiling",
    "dynaq.ours.active-satisfied": "port by port",
    "dynaq.ours.deficit": "floor",
    "l2bm.ours.bookkeeping": "port by port",
}
TAKEN = [each for each in ALL if each not in REFUSED]
HERE = {"B": 12, "C": 1, "M": 1, "N": 2, "R": 4}
HERE_ = {"alpha": 1, "C": 1, "M": 1, "N": 2, "R": 4}


def drawn(statement, named, source):
    """Return values of the symbols, often whole and small, so that hypotheses and cases hold with equality, too."""
    found = {}
    for symbol in statement.symbols:
        if symbol.name not in statement.inputs or (symbol.optional and symbol.name not in named):
            continue
        least = 1 if symbol.domain in {"number", "positive"} else 0
        whole = symbol.domain in {"count", "number"} or source.random() < 1 / 2
        value = Fraction(source.randint(least, 6)) if whole else Fraction(source.randint(1, 40), source.randint(1, 9))
        found[symbol.name] = value / 40 if symbol.domain == "share" else value
    return found


@pytest.mark.parametrize("claim", TAKEN)
def test_the_algebra_has_the_results_of_a_statement_where_its_hypotheses_hold(claim):
    statement, source = ALL[claim], random.Random(claim)
    optional = frozenset(s.name for s in statement.symbols if s.optional and s.name in statement.inputs)
    for named in {frozenset(), optional}:
        theorem, seen = stated(statement, named), 0
        while seen < 30:
            values = drawn(statement, named, source)
            try:
                expected = statement.evaluate(**values)
            except InputError:
                with pytest.raises(InputError):
                    theorem.exact(**values)
                continue
            if never not in expected.values():  # a corrected theorem reaches beyond its hypotheses
                assert theorem.exact(**values) == dict(expected)
                seen += 1


@pytest.mark.parametrize("claim", TAKEN)
def test_no_value_on_a_grid_is_better_than_the_optimum_of_a_statement(claim):
    statement, source = ALL[claim], random.Random(claim)
    whole = {symbol.name for symbol in statement.symbols if symbol.domain in {"count", "number"}}
    tried = 0
    while tried < 3:
        values = drawn(statement, (), source)
        over, key = source.choice(list(values)), source.choice(statement.results)
        given = {name: value for name, value in values.items() if name != over}
        found = []
        for step in range(1, 60):
            try:
                found.append(statement.evaluate(**given, **{over: step if over in whole else Fraction(step, 5)})[key])
            except InputError:
                continue
        found = [each for each in found if each is not never and each is not None]
        if not found:
            continue
        most, least = (getattr(statement, word)(key, over=over, **given) for word in ("maximize", "minimize"))
        assert isinstance(most, Optimum)
        assert order(least.value) <= min(map(order, found))
        assert max(map(order, found)) <= order(most.value)
        for best in (most, least):
            for place in best.at:
                if isinstance(place.low, Fraction) and place.with_low:
                    assert statement.evaluate(**given, **{over: place.low})[key] == best.value
        tried += 1


@pytest.mark.parametrize("claim", REFUSED)
def test_a_statement_that_is_not_rational_is_refused_with_the_reason(claim):
    statement = ALL[claim]
    with pytest.raises(InputError, match=rf"^statement: got '{claim}'; expected .*: it .*{REFUSED[claim]}"):
        statement.maximize(statement.results[0], over=statement.inputs[0])


def test_the_guide_names_the_statements_that_are_refused():
    guide = (Path(__file__).parents[2] / "docs" / "source" / "guides" / "researcher.md").read_text(encoding="utf-8")
    listed = guide.partition("The others are refused")[2].partition("```")[0]
    assert set(re.findall(r"`([a-z0-9]+\.[\w.-]+)`", listed)) == REFUSED.keys()


@pytest.fixture(scope="module")
def theorem1():
    return derive(families.THEOREM1)


def test_the_corrected_theorem_1_less_the_derived_one_is_0_in_both_cases(theorem1):
    said = stated(dt.theorem1_corrected, frozenset())
    into = said.domain.slack_values(theorem1.domain.outside())
    assert len(said.cases) == len(theorem1.cases) == 2
    for mine, its in zip(said.cases, theorem1.cases, strict=True):
        for key, answer in its.answers.items():
            assert not mine.answers[key].replaced(into, theorem1.domain.outer) - answer


def test_the_corrected_theorem_1_answers_as_the_derived_one(theorem1):
    printed, alone = dt.theorem1_corrected, {"B": 12, "C": 1, "R": 4}
    for word in ("maximize", "minimize"):
        for rest in ({}, {"M": 3}, {"N": 0}):
            given = HERE | rest
            asked = getattr(theorem1, word)("first_drop", over="alpha", **given, R_b=2)
            assert getattr(printed, word)("first_drop", over="alpha", **given) == asked
    for word in ("worst_optimum", "maximin"):
        asked = getattr(theorem1, word)("first_drop", "alpha", ["M", "N"], 6, **alone, R_b=2)
        assert getattr(printed, word)("first_drop", "alpha", ["M", "N"], 6, **alone) == asked
    assert printed.inverse("B", "5 ms", [HERE_, HERE_ | {"N": 3}]) == theorem1.inverse(
        "B", "5 ms", [HERE_ | {"R_b": 2}, HERE_ | {"N": 3, "R_b": 2}]
    )
    assert str(printed.maximize("first_drop", over="alpha")) == str(theorem1.maximize("first_drop", over="alpha"))


def test_a_statement_is_compared_with_statements_and_with_derived_theorems(theorem1):
    for one, other in (
        (dt.theorem1_corrected, theorem1),
        (theorem1, dt.theorem1),
        (dt.theorem1, dt.theorem1_corrected),
    ):
        found = one.compare(other)
        assert (str(found), found.complete) == ("== always", True)
    beside = derive(families.TWO_ALPHAS)
    found = dt.theorem1.compare(beside)
    assert found.complete
    seen = set()
    for number in range(60):
        source = random.Random(number)
        values = {name: Fraction(source.randint(1, 9), source.randint(1, 3)) for name in ("alpha", "beta", "B", "C")}
        values |= {"M": source.randint(1, 4), "N": source.randint(0, 3), "R": values["C"] + source.randint(1, 9)}
        values["R_b"] = values["C"]
        mine = dt.theorem1.evaluate(**{name: values[name] for name in dt.theorem1.inputs if name in values}).first_drop
        its = beside.evaluate(**values).first_drop
        said = found.at(**values)
        assert said == (">" if mine > its else "<" if mine < its else "==")
        seen.add(said)
    assert seen == {">", "==", "<"}
    with pytest.raises(InputError, match=r"^other: got 3; expected a derived theorem or a statement"):
        dt.theorem1.compare(3)
    with pytest.raises(InputError, match=r"^statement: got 'edt.thm2'"):
        dt.theorem1.compare(ALL["edt.thm2"])


def test_the_cases_of_statements_are_proved_to_cover_their_hypotheses_and_to_agree():
    for statement in (dt.theorem1, dt.theorem1_corrected):
        assert statement.prove().complete
    theorem = stated(dt.theorem1, frozenset())
    assert replace(theorem, cases=theorem.cases[:1]).prove().covers == "refuted"
    wrong = replace(theorem.cases[0], answers=theorem.cases[0].answers | {"first_drop": theorem.domain.outer(1)})
    assert replace(theorem, cases=(wrong, theorem.cases[1])).prove().agree == {(0, 1): "proved"}
    both = replace(wrong, when=())
    assert replace(theorem, cases=(both, theorem.cases[1])).prove().agree == {(0, 1): "refuted"}


def test_a_switch_and_other_words_for_symbols_are_taken_as_elsewhere():
    theorem, switch = dt.theorem1_corrected, Switch(ports=4, buffer="1 MB", rate="1 Gbps")
    best = theorem.maximize("first_drop", "alpha", switch, bursts=1, steady=2, burst_rate="4 Gbps")
    said = {"B": "1 MB", "C": "1 Gbps", "M": 1, "N": 2, "R": "4 Gbps"}
    assert best == theorem.maximize("first_drop", "alpha", **said)
    assert theorem.worst_optimum("first_drop", "alpha", ["bursts", "steady"], 4, switch, R="4 Gbps").where == (
        {"M": 3, "N": 1},
    )
    assert theorem.minimize("first_drop", "bursts", switch, alpha=1, N=2, R="4 Gbps").at[0].low == 2  # of four ports


def test_a_minimum_in_a_formula_has_cases_of_its_own():
    rate = ALL["dynaq.eq5"]
    assert rate.bounds_of("alpha_i") == [["alpha_i <= lambda_i"], ["alpha_i > lambda_i"]]
    assert rate.maximize("mu_i", over="alpha_i", lambda_i=3).at[-1].high is None


def test_the_regions_of_a_statement_are_its_cases():
    pytest.importorskip("matplotlib")
    figure = dt.theorem1.regions(("burst_rate", 2, 9), ("alpha", "1/4", 4), {"B": 12, "C": 1, "M": 1, "N": 2}, points=9)
    assert len(figure.legends[0].get_texts()) == 2


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        (lambda it: it.maximize("nothing", over="alpha", **HERE), "result"),
        (lambda it: it.maximize("first_drop", over="beta", **HERE), "over"),
        (lambda it: it.maximize("first_drop", over="alpha", **HERE | {"R": 1}), "R"),
        (lambda it: it.maximize("first_drop", over="alpha", **HERE | {"N": "1/2"}), "N"),
        (lambda it: it.maximize("first_drop", over="alpha", P=2, **HERE), "P"),
        (lambda it: it.maximize("first_drop", over="alpha", beta=2, **HERE), "beta"),
        (lambda it: it.maximize("first_drop", over="alpha", M=1, bursts=1), "bursts"),
        (lambda it: it.maximin("first_drop", "alpha", 3, 4, B=12, C=1, R=4), "counts"),
        (lambda it: it.maximin("first_drop", "alpha", ["R"], 4, B=12, C=1, M=1, N=1), "counts"),
        (lambda it: it.maximize("first_drop", over=[], **HERE), "over"),
        (lambda it: it.maximize("first_drop", over=["alpha", "R"], B=12, C=1, M=1, N=2), "over"),
        (lambda it: it.maximin("first_drop", ["alpha"], ["M"], 4, B=12, C=1, N=1, R=4), "over"),
        (lambda it: it.maximin("first_drop", "alpha", [["M"]], 4, B=12, C=1, N=1, R=4), "counts"),
        (lambda it: it.inverse("B", 3, 3), "at"),
        (lambda it: it.inverse("B", 3, [3]), "at"),
        (lambda it: it.inverse("B", 3, HERE_, "nothing"), "result"),
        (lambda it: it.bounds_of("beta"), "symbol"),
        (lambda it: it.regions(3, ("alpha", 1, 2), {}), "x"),
        (lambda it: it.regions(("alpha", 1, 2), (["R"], 1, 2), {}), "y"),
    ],
)
def test_a_wrong_question_is_refused_by_name(ask, field):
    with pytest.raises(InputError) as caught:
        ask(dt.theorem1_corrected)
    assert caught.value.field == field
