"""Comparisons of derived theorems: their regions, their limits of time, and what they refuse."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import families
import pytest

from dtmodel import InputError
from dtmodel.derive import derive

HERE = {"alpha": 1, "B": 12, "C": 1, "M": 1, "N": 2, "R": 3, "R_b": 2}
RATES = {"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "R": "> C"}


@pytest.fixture(scope="module")
def two_alphas():
    return derive(families.TWO_ALPHAS)


def outcome(first, second, point):
    mine, its = (
        theorem.exact(**{n: point[n] for n in theorem.family.symbols})["first_drop"] for theorem in (first, second)
    )
    never = 10**9
    a, b = (never if value is None else value for value in (mine, its))
    return "greater" if a > b else "equal" if a == b else "less"


def held(comparison, point):
    found = set()
    for name in ("greater", "equal", "less"):
        for region in getattr(comparison, name):
            if all(c.holds(point) for c in region):
                found.add(name)
    return found


@pytest.mark.parametrize("other", ["TWO_ALPHAS", "STATIC_BURSTS", "DURATION"])
def test_a_comparison_says_what_both_theorems_say(other, theorem1):
    if other == "STATIC_BURSTS":
        symbols = RATES | {"S": "> 0", "B": ">= M*S"}
        document = families.family([families.BURSTS], {"first_drop": 0}, symbols=symbols)
        first, second = derive(document), derive(document | {"policy": {"name": "static", "sizes": "S"}})
    else:
        first, second = theorem1, derive(getattr(families, other))
    comparison = first.compare(second)
    assert comparison.complete
    wider = second if set(second.family.symbols) >= set(first.family.symbols) else first
    source, seen = Random(4), set()
    for _ in range(300):
        point = tuple(Fraction(source.randint(0, 12), source.choice((1, 2, 4))) for _ in wider.domain.outer.names)
        values = wider.values(point)
        try:
            expected = outcome(first, second, values)
        except InputError:
            continue
        assert held(comparison, point) == {expected}
        seen.add(expected)
    assert len(seen) >= 2


def test_what_is_no_theorem_and_what_are_no_limits_are_refused_by_name(theorem1):
    with pytest.raises(InputError, match=r"^other: got 3; expected a derived theorem"):
        theorem1.compare(3)
    with pytest.raises(InputError, match=r"^limits: got 5; expected Limits"):
        derive({}, 5)


def test_a_count_that_is_a_number_is_compared_with_a_symbol(theorem1):
    """1 as a count is a symbol of its own inside, and alpha is 1 there: M = 1 is where the theorems are equal."""
    symbols = {name: text for name, text in families.SYMBOLS.items() if name != "M"}
    one = derive(families.family([{"arrivals": [["0", "R"]]}, families.STEADY], {"first_drop": 0}, symbols=symbols))
    comparison = one.compare(theorem1)
    assert comparison.complete
    assert comparison.document() | {"complete": True} == {
        "key": "first_drop", "greater": [["M - 1 > 0"]], "equal": [["M - 1 == 0"]], "less": [], "complete": True,
    }  # fmt: skip
    two = derive(families.family([{"count": 2, "arrivals": [["0", "R"]]}, families.STEADY], {"first_drop": 0},
                                 symbols=symbols))  # fmt: skip
    assert str(two.compare(theorem1)) == "> if M - 2 > 0\n== if M - 2 == 0\n< if 2 - M > 0"


def test_a_comparison_is_mathematics_in_a_notebook(theorem1):
    split = derive({**families.THEOREM1, "policy": {"name": "static", "sizes": "B/(M + N)"}})
    always = r"$\displaystyle \begin{array}{ll} {t}^{(1)} > {t}^{(2)} & \text{always} \end{array}$"
    assert split.compare(theorem1)._repr_latex_() == always
    edt = derive({**families.EDT, "symbols": {**families.EDT["symbols"], "c_2": "> B"}})
    rows = edt.compare(theorem1, "free_at_first_drop").latex()
    assert rows == r"\begin{array}{ll} {F(t)}^{(1)} = {F(t)}^{(2)} & \text{always} \end{array}"
    assert r"{t}^{(1)} > {t}^{(2)} & \text{if } R \leq C \left(1 + " in derive(families.EDT).compare(theorem1).latex()


def test_a_comparison_of_what_is_not_complete_claims_no_more(theorem1, two_alphas):
    slow = replace(theorem1, cases=theorem1.cases[:1], complete=False)
    comparison, source = slow.compare(two_alphas), Random(5)
    assert not comparison.complete
    found = set()
    for _ in range(200):
        values = {n: Fraction(source.randint(1, 9), source.choice((1, 2))) for n in two_alphas.family.symbols}
        values |= {"R": values["C"] + values["R"], "R_b": values["C"] + values["R_b"], "M": values["M"] + 1}
        known = slow.case_at(**{n: values[n] for n in slow.family.symbols}) is not None
        said = comparison.at(**values)
        assert said == (
            {"greater": ">", "equal": "==", "less": "<"}[outcome(slow, two_alphas, values)] if known else None
        )
        found.add(said)
    assert found == {">", "==", "<", None}


def test_a_comparison_refuses_symbols_that_mean_two_things(theorem1):
    other = derive({**families.THEOREM1, "symbols": {**families.SYMBOLS, "alpha": "> 1"}})
    with pytest.raises(InputError, match=r"symbols.alpha"):
        theorem1.compare(other)
    with pytest.raises(InputError, match="key"):
        theorem1.compare(theorem1, "length")


def test_a_comparison_says_what_its_limit_of_seconds_leaves_open(theorem1):
    comparison = theorem1.compare(theorem1, seconds=0)
    assert not comparison.complete
    assert comparison.document()["open"] == ["4 pairs of cases: the limit of seconds was reached"]
    assert comparison.greater == comparison.equal == comparison.less == ()


@pytest.mark.usefixtures("looks")
def test_a_comparison_that_ends_half_way_is_right_in_what_it_says(theorem1, two_alphas):
    known, source = dict[int, int](), Random(7)
    points = []
    for _ in range(60):
        values = {n: Fraction(source.randint(1, 9), source.choice((1, 2))) for n in two_alphas.family.symbols}
        points.append(
            values | {"R": values["C"] + values["R"], "R_b": values["C"] + values["R_b"], "M": values["M"] + 1}
        )
    for seconds in (4, 8, 10**6):
        comparison = theorem1.compare(two_alphas, seconds=seconds)
        assert comparison.complete == (not comparison.open) == (seconds == 10**6)
        found = [comparison.at(**values) for values in points]
        truth = [outcome(theorem1, two_alphas, values) for values in points]
        signs_ = {"greater": ">", "equal": "==", "less": "<"}
        assert all(said in {None, signs_[true]} for said, true in zip(found, truth, strict=True))
        known[seconds] = sum(said is not None for said in found)
    assert 0 < known[4] < known[10**6] == len(points)


def test_a_theorem_equals_itself(theorem1):
    comparison = theorem1.compare(theorem1)
    assert comparison.complete
    assert comparison.document()["equal"] == [[]]
    assert comparison.open == ()
    assert str(comparison) == "== always"


def test_a_comparison_says_nothing_outside_the_domain(theorem1):
    comparison = theorem1.compare(theorem1)
    assert comparison.at(**HERE) == comparison.at(**HERE | {"R": "3"}) == "=="
    with pytest.raises(InputError, match=r"^R: got '1/2'; expected R > C"):
        comparison.at(**HERE | {"R": "1/2"})
    with pytest.raises(InputError, match=r"^B: missing"):
        comparison.at(alpha=1)


def test_regions_of_a_comparison_are_solved_for_the_natural_symbol():
    symbols = {name: text for name, text in families.SYMBOLS.items() if name != "alpha"}
    alone = {**families.THEOREM1, "queues": [{"arrivals": [["0", "R"]]}]}
    half = derive({**alone, "symbols": symbols, "policy": {"name": "dt", "alpha": "1/2"}})
    assert str(derive(alone).compare(half)) == "> if alpha > 1/2\n== if alpha == 1/2\n< if alpha < 1/2"
