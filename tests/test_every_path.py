"""Running code on unknown numbers takes every path, and proves no more than what holds on all of them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dtmodel.errors import ProverError
from dtmodel.packet.edt import Port, Settings
from proofs.every_path import Unknowns, all_of, every_path, implies, same


def test_each_decision_splits_the_run():
    given = Unknowns()
    x, y = given.real("x"), given.real("y")
    paths = list(every_path(lambda: (max(x, 0), "low" if y < x else "high")))
    assert len(paths) == 4
    assert [path.result[1] for path in paths] == ["low", "high", "low", "high"]


def test_what_holds_on_every_path_is_proved():
    given = Unknowns()
    x = given.real("x")
    wanted = all_of(*(implies(path.condition, path.result >= x) for path in every_path(lambda: max(x, Fraction(1, 3)))))
    assert given.prove([x >= 0], wanted).example == {"x": Fraction(0)}


def test_what_fails_on_one_path_is_not_proved():
    given = Unknowns()
    x = given.real("x")
    wanted = all_of(*(implies(path.condition, same(path.result, x)) for path in every_path(lambda: max(x, 0))))
    with pytest.raises(ProverError):
        given.prove([], wanted)


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


def test_an_exception_is_a_path_of_its_own():
    x = Unknowns().real("x")

    def run():
        if x < 0:
            raise ValueError("negative")
        return x

    first, second = every_path(run, raises=(ValueError,))
    assert isinstance(first.raised, ValueError)
    assert second.raised is None


def test_the_state_machine_of_edt_runs_on_unknowns():
    given = Unknowns()
    c2, cn2 = given.real("c2"), given.real("cn2")

    def run():
        port = Port(Settings(1, 3, cn2, None, None), c2=c2)
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
