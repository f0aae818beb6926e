"""Running code on unknown numbers takes every path, and proves no more than what holds on all of them."""

from fractions import Fraction

import pytest

from dtmodel.base.errors import ProverError
from dtmodel.ledger.provers import symbolic_execution as engine
from dtmodel.ledger.provers.symbolic_execution import (
    PathCondition,
    Unknowns,
    all_of,
    any_of,
    every_path,
    implies,
    largest,
    same,
    truth,
)
from dtmodel.policies.edt_circuit import CircuitSettings, EdtPort


def test_each_decision_splits_the_run():
    given = Unknowns()
    x, y = given.real("x"), given.real("y")
    paths = list(every_path(lambda: (max(x, 0), "low" if y < x else "high")))
    assert len(paths) == 4
    assert [path.result[1] for path in paths] == ["low", "high", "low", "high"]


def test_every_outcome_of_every_comparison_is_a_path():
    given = Unknowns()
    x, y = given.real("x"), given.real("y")
    paths = every_path(lambda: [bool(x <= y), bool(x <= 0), bool(y > 0)])
    assert sorted(path.result for path in paths) == sorted([a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1))


def test_a_comparison_that_was_made_before_comes_out_as_before():
    given = Unknowns()
    x, y = given.real("x"), given.real("y")
    paths = list(every_path(lambda: [bool(each) for each in (x < y, x < y, y > x, x >= y, y <= x, ~(x < y))]))
    assert [path.result for path in paths] == [[True] * 3 + [False] * 3, [False] * 3 + [True] * 3]
    assert [path.decisions for path in paths] == [(x < y,), (x >= y,)]


def test_what_is_known_is_not_decided():
    given = Unknowns()
    (x,) = given.positive("x")
    (y,) = given.at_least_0("y")
    assert [path.result for path in every_path(lambda: [bool(x > 0), bool(x <= 0), bool(y < 0)], given.signs)] == [
        [True, False, False]
    ]
    assert len(list(every_path(lambda: bool(x > 0)))) == 2
    assert len(list(every_path(lambda: bool(y > 0), given.signs))) == 2
    assert given.prove([], (x > 0) & (y >= 0)).example["x"] > 0
    with pytest.raises(ProverError):
        given.prove([], y > 0)


def test_a_name_has_one_sort_and_one_sign():
    given = Unknowns()
    given.positive("x")
    with pytest.raises(ValueError, match="declared already"):
        given.whole("x")
    with pytest.raises(ValueError, match="another sign"):
        given.at_least_0("x")
    assert given.positive("x")[0].text == given.real("x").text == "x"
    assert len(given.signs) == 1


def test_what_holds_on_every_path_is_proved():
    given = Unknowns()
    x = given.real("x")
    cases = [(path.condition, path.result >= x) for path in every_path(lambda: max(x, Fraction(1, 3)))]
    assert given.prove_each(cases, [x >= 0]).example["x"] >= 0


def test_what_fails_on_one_path_is_not_proved():
    given = Unknowns()
    x, y = given.real("x"), given.real("y")
    paths = list(every_path(lambda: max(x, y)))
    outcome = given.prove_paths(paths, lambda most: (most >= x) & (most >= y), "the larger one")
    assert outcome.detail == "the larger one: on all 2 paths"
    with pytest.raises(ProverError, match="not proved"):
        given.prove_paths(paths, lambda most: most > x, "larger than x")
    with pytest.raises(ProverError, match="not proved"):
        given.prove_paths(paths, lambda _: False, "impossible")


def test_a_statement_about_no_path_and_about_impossible_ones_is_refused():
    given = Unknowns()
    x, y = given.real("x"), given.real("y")
    paths = list(every_path(lambda: bool(x < y)))
    with pytest.raises(AssertionError, match="no path is concerned"):
        given.prove_paths(paths, lambda _: True, "nothing", where=lambda _: False)
    with pytest.raises(ProverError, match="not shown satisfiable"):
        given.prove_paths(paths, lambda _: True, "nothing", given=[x > y], where=lambda less: less)
    with pytest.raises(ProverError, match="not shown satisfiable"):
        given.prove_each([((x < y) & (y < x), truth(False)), ((x > y) & same(x, y), truth(True))])
    given.prove_paths(paths, lambda less: not less, "the other path", given=[x > y])


def test_a_run_that_is_not_the_same_the_next_time_is_refused():
    x = Unknowns().real("x")
    passed = []

    def run():
        passed.append(None)
        return x > len(passed) and x > 0

    with pytest.raises(RuntimeError, match="build its own state"):
        list(every_path(run))


def test_more_paths_than_the_solvers_can_take_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(engine, "MOST", 3)
    given = Unknowns()
    x, y = given.real("x"), given.real("y")
    assert len(list(every_path(lambda: x > 0 and y > 0 and "both"))) == 3
    with pytest.raises(RecursionError, match="paths"):
        list(every_path(lambda: [bool(x > 0), bool(y > 0)]))


def test_what_is_known_needs_no_solver_and_no_run():
    given = Unknowns()
    x = given.real("x")
    assert all_of() == truth(True) == all_of(True, True)
    assert any_of() == truth(False) == any_of(False)
    assert all_of(x > 0, True) == any_of(False, x > 0) == (x > 0) == ~~(x > 0)
    assert (True & (x > 0), False | (x > 0)) == (x > 0, x > 0)
    assert (~truth(True), ~truth(False)) == (truth(False), truth(True))
    assert bool(truth(True)) is True
    assert bool(truth(False)) is False
    assert PathCondition("(< x 1.0)").names == {"<", "x", "1.0"}


def test_the_largest_of_some_numbers_is_a_term():
    given = Unknowns()
    x, y, n = given.real("x"), given.real("y"), given.whole("n")
    most = largest(x, 0, y, n)
    given.prove(
        [], all_of(*(most >= each for each in (x, y, n, 0)), any_of(*(same(most, each) for each in (x, y, n, 0))))
    )
    assert largest(n, 1).whole
    assert str(largest(x, y)) == "(ite (< x y) y x)"


def test_contradictory_hypotheses_prove_nothing():
    given = Unknowns()
    x = given.real("x")
    with pytest.raises(ProverError, match="satisfiable"):
        given.prove([x > 0, x < 0], x > 1)


def test_integers_and_fractions_mix():
    given = Unknowns()
    n, x = given.whole("n"), given.real("x")
    given.prove([n >= 1, same(x, n * Fraction(1, 2))], 2 * x - n >= 0)
    with pytest.raises(ProverError):
        given.prove([n > 1], n >= 3)


def test_a_statement_is_not_decided_outside_a_run():
    with pytest.raises(TypeError, match="unknown"):
        bool(Unknowns().real("x") > 0)


def test_an_endless_loop_is_noticed():
    x = Unknowns().real("x")

    def run():
        y = x
        while y > 0:
            y = y + 1

    with pytest.raises(RecursionError):
        next(every_path(run))


def test_an_exception_ends_the_search():
    x = Unknowns().real("x")

    def run():
        if x < 0:
            raise ValueError("negative")
        return x

    with pytest.raises(ValueError, match="negative"):
        list(every_path(run))
    assert [path.result for path in every_path(run, [x >= 0])] == [x]
    with pytest.raises(TypeError, match="unknown"):
        bool(x < 0)  # no run is left behind


def test_the_state_machine_of_edt_runs_on_unknowns():
    given = Unknowns()
    c2, cn2 = given.real("c2"), given.real("cn2")

    def run():
        port = EdtPort(CircuitSettings(1, 3, cn2, None, None), c2=c2)
        port.enqueued(1, 0)
        return port

    freed = [implies(path.condition, (not path.result.controlled) is True) for path in every_path(run)]
    given.prove([c2 + 1 >= cn2], all_of(*freed))
    with pytest.raises(ProverError):
        given.prove([c2 >= 0], all_of(*freed))


def test_an_equation_splits_the_run():
    x = Unknowns().real("x")
    assert [path.result for path in every_path(lambda: "zero" if x == 0 else "other")] == ["zero", "other"]
    assert next(path.result for path in every_path(lambda: x != 1)).text == "(not (= x 1.0))"
    assert x is not None
    assert None not in (x, x)
    with pytest.raises(TypeError):
        hash(x)
