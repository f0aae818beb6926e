"""Classes that are alike but for their rates: one order of the rates is derived, and the others by renaming."""

import json
from fractions import Fraction
from itertools import permutations

import families
import pytest

from dtmodel.derive import derive
from dtmodel.derive.search.family import read_family
from dtmodel.derive.theorem.certificate import stands_alone
from dtmodel.derive.theorem.orders import alike, in_order
from dtmodel.derive.theorem.picture import region_map
from proofs.check_certificates import check

RATES = {"alpha": "> 0", "B": "> 0", "C": "> 0"}


def classes(many, **keys):
    """Return the family of queues with a rate each, the first of which may lose first."""
    names = [f"R_{k + 1}" for k in range(many)]
    queues = [{"arrivals": [["0", name]]} for name in names]
    symbols = RATES | dict.fromkeys(names, "> C") | keys.pop("more", {})
    return families.family(queues, keys.pop("asked", {"first_drop": 0}), symbols=symbols, **keys)


@pytest.fixture(scope="module")
def three():
    return derive(classes(3))


@pytest.fixture(scope="module")
def sharing():
    return derive(classes(3, policy={"name": "complete"}, more={"alpha": "> 0, < 1"}))


def test_classes_are_alike_if_only_their_own_symbols_tell_them_apart():
    alphas = {"name": "dt", "alpha": ["alpha", "alpha", "1", "1"]}
    for document, names in (
        (classes(4), ("R_2", "R_3", "R_4")),
        (classes(7), ("R_2", "R_3", "R_4", "R_5")),
        (classes(2), ()),
        (classes(4, asked={"first_drop": [0, 1]}), ("R_3", "R_4")),
        (classes(4, policy=alphas), ("R_3", "R_4")),
        (classes(4, more={"R_3": "> 2*C"}), ("R_2", "R_4")),
        (classes(3, more={"R_3": "== 2*C"}), ()),
        (classes(3, more={"R_3": "> R_2"}), ()),
        (classes(3, until="B/R_2"), ()),
        (families.THREE_RATES, ()),
        (families.family([families.BURSTS, {"count": "L"}, {"count": "N"}], {"first_drop": 0}, {"L": ">= 0"}), ()),
    ):
        assert alike(read_family(document)) == names
    assert in_order(read_family(classes(3)))["symbols"]["R_3"] == ">= R_2, > C"


def test_each_case_holds_in_every_order_and_one_order_is_printed(three):
    assert (three.complete, three.alike, len(three.cases)) == (True, ("R_2", "R_3"), 2 * len(three.ordered.cases))
    shown = three.text().splitlines()
    assert shown.count("If R_1 >= R_3:") == 1
    assert shown[0] == "Let R_2 <= R_3; for any other order, rename these symbols."
    assert three.tex().split("\n\n")[2] == r"\[ R_{2} \leq R_{3};\ \text{for any other order, rename these symbols} \]"
    assert three._repr_html_().count("<p>Let ") == 1
    assert three.document()["cases"][-1]["when"][0] == "R_2 - R_3 >= 0"
    assert [case.condition != True for case in three.cases] == [True] * 12  # noqa: E712 - a relation of SymPy


def test_a_picture_names_the_cases_of_both_orders(three):
    drawn = region_map(three, ("R_2", 2, 9), ("R_3", 2, 9), {"alpha": 1, "B": 12, "C": 1, "R_1": 3})
    assert "dtm-key-3" in drawn
    assert "dtm-key-9" in drawn


def test_answers_are_those_of_the_engine_in_every_order(three):
    assert three.check_points(20) == 12 * 40
    values = {"alpha": 1, "B": 12, "C": 1, "R_1": 3}
    for rates in ((4, 6), (2, 6), (1.5, 2.5), (3, 3)):
        either = [three.evaluate(R_2=a, R_3=b, **values) for a, b in permutations(rates)]
        assert either[0] == either[1]
        assert len({each.case for each in either}) == 1


def test_questions_about_one_of_the_rates_pass_from_one_order_to_the_other(three):
    given = {"alpha": 1, "B": 12, "C": 1, "R_1": 3, "R_2": 5}
    times = {rate: three.exact(R_3=rate, **given)["first_drop"] for rate in (2, 4, 9, 99)}
    for rate, time in times.items():
        assert rate in three.solve_for("R_3", first_drop=time, **given)
        assert any(each.low <= rate <= each.high for each in three.inverse("R_3", time, given))
    best, worst = (getattr(three, name)("first_drop", over="R_3", **given) for name in ("maximize", "minimize"))
    assert worst.value < min(times.values()) < max(times.values()) < best.value == Fraction(2)
    assert len(three.maximize("first_drop", over="alpha").cases) == 6


def test_the_certificate_is_about_one_order_and_takes_stated_cases_of_any(sharing):
    document = json.loads(json.dumps(sharing.certificate(said=sharing.cases[: len(sharing.ordered.cases)])))
    assert check(document) == ""
    assert stands_alone(document)
    assert stands_alone(sharing.certificate())
    assert not stands_alone(sharing.certificate(said=sharing.cases[len(sharing.ordered.cases) :][:1]))
    assert sharing.prove().complete


def test_two_theorems_are_compared_in_one_order(three):
    same = three.compare(derive(classes(3)))
    assert (same.complete, len(same.equal), same.greater, same.less) == (True, 1, (), ())


def test_a_claim_says_the_order(sharing, tmp_path):
    claims = sharing.to_claim("own.order", tmp_path)[0].read_text("utf-8")
    assert sharing.alike == ("R_2", "R_3")
    assert "R_3 >= R_2" in claims


@pytest.mark.exhaustive
def test_four_classes_are_complete():
    theorem = derive(families.FOUR_ALIKE)
    assert (theorem.complete, len(theorem.ordered.cases), len(theorem.cases)) == (True, 10, 60)
    assert theorem.check_points(20) >= 60 * 39


@pytest.mark.exhaustive
def test_three_classes_have_a_certificate(three):
    document = json.loads(json.dumps(three.certificate(said=three.cases[: len(three.ordered.cases)])))
    assert check(document) == ""
    assert document["undecided"] == document["left_out"] == []
    proof = three.prove()
    assert ({*proof.agree.values(), proof.signs}, len(proof.agree)) == ({"proved"}, 15)
