"""Certificates of derived theorems are verified without the package."""

import json
from dataclasses import replace
from itertools import product

import families
import pytest
import sympy
from certified import certificate_text, document_of, leaves

from dtmodel import InputError
from dtmodel.cli import run
from dtmodel.derive import Limits, derive
from dtmodel.derive.algebra.open_set import Arena
from dtmodel.derive.search import closure
from dtmodel.derive.theorem import certificate as derivation_of
from dtmodel.derive.theorem.certificate import stands_alone
from proofs.check_certificates import check
from proofs.checker import algebra
from proofs.checker.derived import queue_class
from proofs.checker.ratios import ratio
from proofs.checker.trajectory import obeyed

CERTIFIED = [
    "THEOREM1",
    "TWO_ALPHAS",
    "WEIGHTED",
    "ABM",
    "L2BM",
    "DURATION",
    "LOST",
    "LENGTH",
    "THRESHOLD",
    "STATIC",
    "COMPLETE",
    "RESERVES",
    "CAP",
    "CAPPED_STEADY",
    "DRAINING",
    "FULL",
    "BUFFER",
    "EDT_RECOVERED",
    "EDT_LOST",
    "EDT_FREED",
    "UNTIL",
    "UNTIL_DROP",
    "UNTIL_RECOVERED",
    "UNTIL_EDT",
    "L2BM_LEAST",
    "L2BM_GREATEST",
]


@pytest.mark.parametrize("name", CERTIFIED)
def test_every_trajectory_is_verified(name):
    document = document_of(name)
    assert document["left_out"] == []
    assert "smt" not in [each["how"] for each in document["coverage"]]
    assert check(document) == ""


ONE = [["1", {}]]


@pytest.mark.parametrize(
    "name",
    [
        *("THEOREM1", "RESERVES", "CAP", "DRAINING", "STATIC", "COMPLETE", "EDT", "BESIDE_ENDING"),
        pytest.param("TOGETHER", marks=pytest.mark.exhaustive),
    ],
)
def test_every_point_of_the_domain_lies_in_a_case_that_is_right(name):
    closure = json.loads(certificate_text(name))["closure"]
    assert closure["cases"]
    assert not leaves(closure["tree"], "open")
    assert not leaves(closure["tree"], "left out")
    assert "smt" not in [each["how"] for each in closure["apart"]]
    assert any(0 in signs for signs, _ in closure["tree"][2])


def test_answers_of_faces_are_those_of_runs_there():
    document = json.loads(certificate_text("EDT"))
    faces, cells = (document[name] for name in ("faces", "cells"))
    assert [(face["symbol"], face["value"][0], face["kept"]) for face in faces] == [("N", [], [0])]
    on_face = [cell for cell in cells if "face" in cell]
    assert {cell["ends"] for cell in on_face} == {"loss"}
    assert all(len(phase["lengths"]) == 1 for cell in on_face for phase in cell["phases"])


def test_where_nothing_is_shown_is_said(monkeypatch):
    monkeypatch.setattr(derivation_of, "face_of", lambda *_: [])
    document = document_of("COMPLETE")
    assert leaves(document["closure"]["tree"], "open") == [["open"]]
    assert document["faces"] == []
    assert check(document) == ""
    assert not stands_alone(document)


@pytest.mark.parametrize("name", ["EDT", "BESIDE_ENDING"])
def test_no_proof_is_looked_for_where_there_are_points(name, monkeypatch):
    """Without points proofs are looked for everywhere."""
    asked, search = [], closure.refutation
    monkeypatch.setattr(closure, "refutation", lambda *given, **how: asked.append(given) or search(*given, **how))
    document_of(name)
    before = len(asked)
    monkeypatch.setattr(Arena, "moved", lambda _, points, *__: points[:0])
    document = document_of(name)
    assert check(document) == ""
    assert not leaves(document["closure"]["tree"], "open")
    assert 0 < before < len(asked) - before


def test_either_sojourn_time_is_the_constant_of_l2bm_somewhere():
    assert {cell["chosen"] for cell in json.loads(certificate_text("L2BM_LEAST"))["cells"]} == {0, 1}


ONE = [["1", {}]]


def lasting_loss(slopes, where):
    """Return the document of two queues that begin on their threshold 1, of which the first loses something at once."""
    classes = [
        {"count": [ONE, ONE], "rate": [ONE, ONE], "alpha": [ONE, ONE], "reserve": [[], ONE], "cap": None,
         "initial": None, "arrivals": [[[[], ONE], [[[rate, {}]], ONE]]]}
        for rate in ("3", "2")
    ]  # fmt: skip
    cell = {
        "conditions": [], "ends": "loss", "away": None,
        "rising": [False] + [True] * (len(where) - where.count("on")) * 2,
        "answers": {"first_drop": [[], ONE], "free_at_first_drop": [ONE, ONE]},
        "phases": [{"begin": [[], ONE], "free": [ONE, ONE], "lengths": [[ONE, ONE]] * 2, "pieces": [0, 0],
                    "slopes": [[[[slope, {}]], ONE] for slope in slopes], "where": where, "capped": [False] * 2,
                    "fraction": None}],
    }  # fmt: skip
    goals = obeyed(
        cell, [queue_class(queue) for queue in classes], ratio([[["3", {}]], ONE]), ("first_drop", 0, None, None)
    )
    cell["proofs"] = [[{"number": str(top.get((), 0) / bottom[()]), "factors": []}, {"number": "1", "factors": []}]
                      for (top, bottom), _ in goals]  # fmt: skip
    whole = {"kind": "derived", "symbols": [], "domain": [], "buffer": [[["3", {}]], ONE], "classes": classes}
    asked = {"question": "first_drop", "asked": 0, "at": None, "until": None}
    return {**whole, **asked, "cells": [cell], "faces": [], "left_out": [], "coverage": None, "closure": None}


def test_the_phase_of_the_loss_must_last():
    assert check(lasting_loss(["0", "0"], ["on", "on"])) == ""
    assert "does not hold" in check(lasting_loss(["1/2", "-1"], ["on", "above"]))


def test_a_theorem_that_says_nothing_has_no_certificate():
    with pytest.raises(InputError, match=r"^theorem"):
        derive(families.THEOREM1, Limits(seconds=0)).certificate()


SEVERAL = {**families.THEOREM1, "ask": [{"first_drop": 0}, {"dropped": 0}, {"length": 1}], "until": "9*B/C"}


def test_each_of_several_questions_has_its_certificate():
    theorem = derive(SEVERAL)
    document = json.loads(json.dumps(theorem.certificate()))
    assert [each["question"] for each in document["questions"]] == ["first_drop", "dropped", "length"]
    for each in document["questions"]:
        assert len(each["left_out"]) <= 1
        inside = [cell for cell in each["cells"] if "face" not in cell]
        assert len(inside) + len(each["left_out"]) == theorem.statistics["cells"]
    assert check(document) == ""
    other = json.loads(json.dumps(document))
    other["questions"][1]["cells"][0]["answers"]["dropped"] = [[["1", {}]], [["1", {}]]]
    assert check(other) != ""
    document["questions"][2]["buffer"] = [[["2", {}]], [["1", {}]]]
    assert "different families" in check(document)


def test_a_certificate_says_what_was_not_shown_in_time():
    found = derive(families.UNTIL)
    late, whole = found.certificate(seconds=0), found.certificate()
    assert whole["undecided"] == whole["left_out"] == []
    assert late["undecided"] == [
        *(f"cell {k}" for k in range(len(whole["cells"])) if k in _summed(whole)),
        "coverage",
        "closure",
    ]
    assert len(late["left_out"]) == len(_summed(whole)) > 0
    assert late["coverage"] is None


def _summed(document):
    """Return which cells have an inequality that a sum of conditions shows."""
    how = (
        [how for proof in cell["proofs"] for part in proof for _, _, how in part["factors"]]
        for cell in document["cells"]
    )
    return [k for k, each in enumerate(how) if any("from" in one for one in each)]


def sums(document):
    """Return the reasons that are sums, each with the place of its factor."""
    return [
        (how, len(cell["conditions"]) + len(document["domain"]))
        for cell in document["cells"] for proof in cell["proofs"] for part in proof for _, _, how in part["factors"]
        if "from" in how
    ]  # fmt: skip


def without_the_factor(document):
    how, factor = sums(document)[0]
    how["from"] = [part for part in how["from"] if factor not in part[0]]


def times_a_symbol(document):
    """Multiply a sum by a symbol, which may be 0 from then on: inside it shows the same."""
    name = document["symbols"][0]
    document["closure"]["weak"].append(name)
    for _, _, monomial in sums(document)[0][0]["from"]:
        monomial[name] = monomial.get(name, 0) + 1


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (without_the_factor, "not a sum"),
        (lambda d: sums(d)[0][0]["from"].clear(), "all of it may be 0"),
        (lambda d: sums(d)[0][0].update(sign=-sums(d)[0][0]["sign"]), "not a sum"),
        (lambda d: sums(d)[0][0]["from"][0].__setitem__(1, "0"), "a multiple"),
        (times_a_symbol, "may be 0"),
    ],
)
def test_a_factor_is_shown_by_a_sum_with_it(alter, said):
    document = json.loads(certificate_text("UNTIL"))
    alter(document)
    assert said in check(document)


def test_timers_are_verified_as_often_as_they_expire():
    document = json.loads(certificate_text("TIMERS"))
    assert check(document) == ""
    assert document["left_out"] == []
    assert document["coverage"] is None  # with more expiries the exploration stops, which it says
    phases = [phase for cell in document["cells"] for phase in cell["phases"]]
    assert any(phase["overflow"] for phase in phases)
    assert any(any(phase["uncontrolled"]) for phase in phases)
    assert any(each["then"] == "vain" for phase in phases for each in phase["counts"])
    expired = json.loads(certificate_text("EXPIRING"))
    assert check(expired) == ""
    (cell,) = expired["cells"]
    assert [phase["counts"][0]["then"] for phase in cell["phases"]] == [2, "vain", None]


def test_an_overflow_at_the_time_that_is_asked_about_is_not_left_out():
    theorem = derive({
        "symbols": {"B": "> 0"}, "policy": {"name": "edt", "alpha": 1, "cn2": "B/8"},
        "switch": {"buffer": "B", "rate": 1}, "queues": [{"arrivals": [[0, 3]]}],
        "ask": [{"threshold": 0, "at": "B/2"}],
    })  # fmt: skip
    document = json.loads(json.dumps(theorem.certificate()))
    assert check(document) == ""
    (cell,), document["closure"] = document["cells"], None
    cell["phases"][-1] |= {"overflow": None, "uncontrolled": [True]}
    cell["answers"]["threshold"] = document["buffer"]
    assert "a full buffer overflows" in check(document)


def test_the_command_writes_one(tmp_path, capsys):
    path, out = tmp_path / "family.json", tmp_path / "certificate.json"
    path.write_text(json.dumps(families.THEOREM1))
    assert run(["derive", str(path), "--certificate", str(out)]) == 0
    assert "If " in capsys.readouterr().out
    assert check(json.loads(out.read_text())) == ""


@pytest.fixture(scope="module")
def theorem1():
    return derive(families.THEOREM1)


def said_of(theorem, slow=">=", fast=">", turn=1):
    """Say Theorem 1 with a condition that is a product of two atoms, of which one has one sign where the other has."""
    s = theorem.domain.outside()
    follows = s["C"] * (1 + s["alpha"] * s["N"]) - s["alpha"] * s["M"] * (s["R"] - s["C"])
    first, second = (case.answers for case in theorem.cases)
    return [
        theorem.case([(follows, slow)], first),
        theorem.case([(follows, "<"), (follows * (follows - s["C"]) * turn, fast)], second),
    ]


def test_cases_that_somebody_says_are_certified(theorem1):
    document = json.loads(json.dumps(theorem1.certificate(said=said_of(theorem1))))
    assert check(document) == ""
    assert stands_alone(document)
    factors, *_ = document["closure"]["cases"][1]["when"][1]
    assert len(factors) == 2
    factors[0] = [[str(-int(c)), powers] for c, powers in factors[0]]
    assert check(document) != ""


@pytest.mark.parametrize("altered", [{"slow": ">"}, {"turn": -1}, {"fast": "<"}, {"fast": "=="}])
def test_cases_that_leave_something_out_are_not_certified(altered, theorem1):
    assert not stands_alone(theorem1.certificate(said=said_of(theorem1, **altered)))


def test_answers_that_are_wrong_are_not_certified(theorem1):
    slow, fast = said_of(theorem1)
    other = theorem1.case([], {**fast.answers, "first_drop": fast.answers["first_drop"] * 2})
    assert stands_alone(theorem1.certificate(said=[slow, fast, replace(other, when=(*fast.when, *slow.when))]))
    assert not stands_alone(theorem1.certificate(said=[slow, fast, other]))
    assert not stands_alone(theorem1.certificate(said=[slow, replace(other, when=fast.when)]))


def test_numbers_say_that_a_case_holds_everywhere_or_nowhere(theorem1):
    (slow, fast), nothing = said_of(theorem1), theorem1.domain.outside()["B"] * 0
    never, always = (theorem1.case([(nothing, sign)], slow.answers) for sign in (">", ">="))
    assert stands_alone(theorem1.certificate(said=[slow, fast, never]))
    assert not stands_alone(theorem1.certificate(said=[never, fast]))
    assert not stands_alone(theorem1.certificate(said=[always, fast]))


@pytest.mark.parametrize("name", ["LOST", "THEOREM1", "TWO_ALPHAS", "L2BM", "EDT", "THRESHOLD"])
def test_a_theorem_certifies_its_own_cases_as_they_are_restored(name):
    theorem = derive(getattr(families, name))
    own, said = theorem.certificate(), theorem.certificate(said=theorem.cases)
    assert said["closure"]["cases"] == own["closure"]["cases"]
    assert said["closure"]["tree"] == own["closure"]["tree"]


@pytest.mark.parametrize("power", [-1, 1])
def test_what_is_said_in_another_unit_is_refused(power, theorem1):
    (slow, fast), s = said_of(theorem1), theorem1.domain.outside()
    wrong = replace(slow, answers={**slow.answers, "first_drop": slow.answers["first_drop"] * s["B"] ** power})
    beside = theorem1.case([(s["B"] - s["C"], ">")], fast.answers)
    for said in ([wrong, fast], [slow, beside]):
        with pytest.raises(InputError, match=r"^said: .* the unit of the answer"):
            theorem1.certificate(said=said)


def test_polynomials_are_multiplied_and_compared_as_others_do():
    """The checker's own products against those of SymPy, powers of 0 and fractions among them."""
    x, y, z = sympy.symbols("x y z")
    texts = ["x", "x**3*y/2 - y**3 + 1", "z - 2*x*y**2/3", "(x + y + z)**3", "0", "7/5"]
    polys = {sympy.Poly(sympy.sympify(text), x, y, z, domain="QQ") for text in texts}

    def read(poly):
        terms = [[str(c), dict(zip("xyz", powers, strict=True))] for powers, c in poly.terms()]
        return algebra.polynomial(terms)

    for one, other in product(polys, repeat=2):
        assert algebra.times(read(one), read(other)) == read(one * other)
        for third in polys:
            said = algebra.equal_products((read(one), read(other)), (read(third), read(one)))
            assert said == (one * other == third * one)
