"""What one does with a derived theorem: invert it, prove it anew, draw it."""

import os
import signal
from dataclasses import replace
from fractions import Fraction
from itertools import count, product
from random import Random

import families
import numpy as np
import pytest
import sympy

from dtmodel import InputError
from dtmodel.derive import DerivedTheorem, Limits, derive
from dtmodel.derive.search import paths
from dtmodel.derive.theorem import check
from dtmodel.derive.theorem.optimum import order
from dtmodel.theorems.evaluation import never

HERE = {"alpha": 1, "B": 12, "C": 1, "M": 1, "N": 2, "R": 3, "R_b": 2}
RATES = {"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "R": "> C"}


@pytest.fixture(scope="module")
def duration():
    return derive(families.DURATION)


@pytest.mark.usefixtures("looks")
def test_a_check_ends_when_its_seconds_are_over(theorem1):
    assert theorem1.check_points(points=20, seconds=0) == 0
    assert 0 < theorem1.check_points(points=20, seconds=90) < theorem1.check_points(points=20, seconds=10**6)
    assert theorem1.check_points(points=20, seconds=10**6) >= 40


def test_what_is_open_is_not_looked_for_after_the_deadline(theorem1, monkeypatch):
    part = replace(theorem1, cases=theorem1.cases[:1], complete=False)
    (case,), asked = part.cases, []
    monkeypatch.setattr(DerivedTheorem, "case_at", lambda _, **values: asked.append(values))
    assert check.check_case(part, case, 10, Random(1), deadline=0)[1] == 0
    assert not asked
    assert check.check_case(part, case, 10, Random(1))[1] == 0  # all boundaries are open, as it seems
    assert asked


@pytest.mark.parametrize("symbol", ["alpha", "B", "C", "M", "N", "R"])
def test_the_inverse_is_where_the_answer_is_as_wanted(symbol, theorem1):
    at = {name: value for name, value in HERE.items() if name != symbol}
    wanted = theorem1.evaluate(**HERE)["first_drop"]
    intervals = theorem1.inverse(symbol, wanted, at)
    ends = {end for interval in intervals for end in (interval.low, interval.high)}
    assert HERE[symbol] in ends
    for numerator in range(1, 160):
        value = Fraction(numerator, 16)
        try:
            enough = theorem1.evaluate(**at, **{symbol: value})["first_drop"] >= wanted
        except InputError:
            enough = False
        inside = any(
            (i.low is None or value > i.low or (value == i.low and i.with_low))
            and (i.high is None or value < i.high or (value == i.high and i.with_high))
            for i in intervals
        )
        assert inside == enough, value


def test_the_largest_alpha_for_every_number_of_ports_that_is_possible(duration):
    each = [{"M": M, "N": N} for M, N in product(range(1, 5), range(4)) if M + N <= 4]
    common = {"B": 12, "C": 1, "R": 3, "R_b": 2, "d": "1/2"}
    (interval,) = duration.inverse("alpha", None, [common | one for one in each])
    assert interval.low is not None
    for one in each:
        assert duration.exact(**common, **one, alpha=interval.low + Fraction(1, 100))["first_drop"] is None
    before = interval.low - Fraction(1, 100)
    assert any(duration.exact(**common, **one, alpha=before)["first_drop"] is not None for one in each)


def test_an_end_that_is_no_rational_number_is_kept_exactly():
    theorem = derive(families.family([{"count": 1, "arrivals": [["0", "alpha"]]}], {"first_drop": 0},
                                     symbols={"alpha": "> C", "B": "> 0", "C": "> 0"}))  # fmt: skip
    (interval,) = theorem.inverse("alpha", 1, {"B": 7, "C": 1})
    # alpha B / ((alpha - C) (1 + alpha)) >= 1
    assert (interval.high.polynomial, interval.high.index) == ("x**2 - 7*x - 1", 1)
    assert str(interval) == "(1, (7 + sqrt(53))/2]"


def test_a_case_that_no_value_of_the_symbol_reaches_is_left_out(theorem1):
    """Here the denominator of (11) is 0 for every B: (R - C)(1 + alpha M) = alpha C N."""
    at = {"alpha": 1, "C": 1, "M": 1, "N": 2, "R": 2, "R_b": 2}
    assert theorem1.cases[1].answers["first_drop"].bottom
    assert [str(interval) for interval in theorem1.inverse("B", 3, at)] == ["[12, oo)"]


def test_the_values_for_which_at_most_so_much_is_lost():
    theorem = derive(families.LOST)
    at = {"B": 12, "C": 1, "M": 1, "N": 2, "R": 3, "R_b": 2, "d": 4}
    assert [str(interval) for interval in theorem.inverse("alpha", 5, at, "dropped", most=True)] == ["[1, oo)"]
    assert theorem.evaluate(**at, alpha=1)["dropped"] == 5
    assert theorem.inverse("alpha", 4, at, "dropped", most=True).why == (
        "more than 4 B, as alpha tends to infinity"
    )  # the limit for large alpha, which none reaches


@pytest.mark.parametrize(
    ("at", "wanted", "field"),
    [
        ({"alhpa": 1}, 3, "at.alhpa"),
        ({"B": 1}, 3, "at.B"),
        ({"C": -1}, 3, "at.C"),
        ({"R": 1}, 3, "at.R"),
        ({"M": "1/2"}, 3, "at.M"),
        ({}, None, "wanted"),
    ],
)
def test_an_inverse_refuses_what_no_theorem_is_about(at, wanted, field, theorem1):
    given = {name: value for name, value in HERE.items() if name != "B"} | at
    with pytest.raises(InputError) as refused:
        theorem1.inverse("B", wanted, given, most=wanted is None)
    assert refused.value.field == field


@pytest.mark.parametrize("name", ["THEOREM1", "DURATION", "STATIC"])
def test_a_theorem_is_proved_anew(name):
    proof = derive(getattr(families, name)).prove()
    assert proof.complete


def test_a_wrong_theorem_is_refuted(theorem1):
    slow, fast = theorem1.cases
    assert replace(theorem1, cases=(slow,)).prove().covers == "refuted"
    wrong = replace(theorem1, cases=(replace(slow, when=()), fast)).prove()
    assert wrong.agree[0, 1] == "refuted"
    assert wrong.covers == "proved"


def test_the_regions_are_drawn(duration):
    at = {"B": 12, "C": 1, "M": 1, "R_b": 2, "d": 1, "N": 2}
    figure = duration.regions(("R", 2, 20), ("alpha", "1/8", 4), at, points=12)
    (legend,) = figure.legends
    shown = [text.get_text() for text in legend.get_texts()]
    assert 2 <= len(shown) <= len(duration.cases)
    areas, source = {int(each.get_label()): each for each in figure.axes[0].collections}, Random(3)
    for _ in range(30):
        R, alpha = 2 + 18 * Fraction(source.random()), Fraction(1, 8) + Fraction(31, 8) * Fraction(source.random())
        inside = [number for number, each in areas.items()
                  if any(path.contains_point((float(R), float(alpha))) for path in each.get_paths())]  # fmt: skip
        assert duration.cases.index(duration.case_at(**at, R=R, alpha=alpha)) in inside
    curve = {(x, y) for path in areas[1].get_paths() for x, y in path.vertices if 1 / 8 < y < 4}
    sample, matched = sorted(curve)[::4], 0  # the boundary of "never" is a curve, not a staircase
    for x, y in sample:
        found = duration.inverse("alpha", None, at | {"R": Fraction(x)})
        ends = [float(end) for each in found for end in (each.low, each.high) if end is not None]
        matched += any(end == pytest.approx(y) for end in ends)
    assert matched >= len(sample) * 2 / 3 > 2
    with pytest.raises(InputError, match="it is a symbol of the theorem"):
        duration.regions(("R", 2, 20), ("alpha", "1/8", 4), {}, points=12)


def test_floats_say_nothing_where_the_theorem_does_not(theorem1):
    """Outside the domain no case is proved, whatever its formula would be there."""
    rates = np.array([1 / 2, 1, 3 / 2, 3])
    computed = theorem1.lambdify()(**HERE | {"R": rates, "R_b": 1})
    assert np.isnan(computed).tolist() == [True, True, False, False]
    exact = [theorem1.evaluate(**HERE | {"R": Fraction(rate), "R_b": 1})["first_drop"] for rate in rates[2:]]
    assert computed[2:].tolist() == [float(each) for each in exact]
    assert np.isnan(theorem1.lambdify()(**HERE | {"M": 1 / 2, "R_b": [1, 2]})).all()


@pytest.mark.parametrize(
    ("values", "field"),
    [({"R": "x"}, "R"), ({"R": [2, 3], "C": [1, 1, 1]}, "values"), ({"Z": 1}, "Z"), ({"R": [[2], [3, 4]]}, "R")],
)
def test_floats_of_what_is_no_number_are_refused(values, field, theorem1):
    with pytest.raises(InputError, match=f"^{field}: got"):
        theorem1.lambdify()(**HERE | values)
    if field in {"values", "Z"}:
        with pytest.raises(InputError, match=f"^{field}: got"):
            theorem1.evaluate(**{name: np.asarray(value) for name, value in (HERE | values).items()})


def test_floats_of_an_answer_that_is_not_there_are_refused(theorem1):
    with pytest.raises(InputError, match=r"^key: got 'length'"):
        theorem1.lambdify("length")
    with pytest.raises(InputError, match=r"^R_b: missing"):
        theorem1.lambdify()(**{name: value for name, value in HERE.items() if name != "R_b"})


@pytest.mark.parametrize(
    ("changed", "field"),
    [({"points": 1}, "points"), ({"points": 2.5}, "points"), ({"x": ("B", 2, 1)}, "x.B"), ({"y": ("B", 1, 2)}, "y"),
     ({"x": ("B", 1)}, "x"), ({"at": {"alpha": "x"}}, "at.alpha"), ({"x": ("Z", 1, 2)}, "Z")],
)  # fmt: skip
def test_a_picture_of_what_cannot_be_drawn_is_refused(changed, field, duration):
    at = {name: HERE[name] for name in ("alpha", "C", "M", "N", "R_b")} | {"d": 1}
    given = {"x": ("B", 1, 2), "y": ("R", 2, 3), "at": at, "points": 3} | changed
    with pytest.raises(InputError, match=f"^{field}: got"):
        duration.regions(**given)


@pytest.mark.parametrize(
    "limits",
    [{"paths": -1}, {"paths": "x"}, {"seconds": float("nan")}, {"seconds": None}, {"solver": -1}, {"expiries": 1.5}],
)
def test_a_limit_that_is_no_number_is_refused(limits):
    with pytest.raises(InputError, match=f"^{next(iter(limits))}: got"):
        Limits(**limits)


PORTS = {"alpha": 1, "M": 1, "N": 2}


def test_symbols_have_the_units_of_what_they_measure(theorem1):
    values = {**PORTS, "B": "1 MB", "C": "1 Gbps", "R": "2 Gbps", "R_b": "2 Gbps"}
    plain = {**PORTS, "B": 10**6, "C": 125 * 10**6, "R": 250 * 10**6, "R_b": 250 * 10**6}
    assert theorem1.exact(**values) == theorem1.exact(**plain)
    assert theorem1.compare(theorem1).at(**values) == "=="
    at = {name: value for name, value in values.items() if name != "B"}
    assert [str(interval) for interval in theorem1.inverse("B", "1 ms", at)] == ["[500000, oo)"]
    assert theorem1.regions(
        ("R", "1.5 Gbps", "6 Gbps"), ("B", "1 KB", "1 MB"), {**PORTS, "C": "1 Gbps", "R_b": "1 Gbps"}, 3
    )


@pytest.mark.parametrize(("name", "value"), [("alpha", "1 MB"), ("B", "1 Gbps"), ("C", "1 s"), ("R", "2 miles")])
def test_a_unit_of_what_a_symbol_does_not_measure_is_refused(name, value, theorem1):
    values = {**PORTS, "B": "1 MB", "C": "1 Gbps", "R": "2 Gbps", "R_b": "2 Gbps", name: value}
    with pytest.raises(InputError, match=f"{name}: got '{value}'"):
        theorem1.evaluate(**values)


@pytest.mark.parametrize("name", ["EDT", "THEOREM1", "RECOVERY"])
def test_a_derivation_without_time_says_that_every_path_is_left(name):
    theorem = derive(getattr(families, name), Limits(seconds=0))
    assert (theorem.cases, theorem.complete) == ((), False)
    assert "1 paths that were not followed: the limit of paths or seconds" in theorem.open


def drawn(names, source):
    """Return values of the symbols with whole counts, as numbers of SymPy also."""
    values = {name: Fraction(source.randint(1, 9), source.randint(1, 3)) for name in names}
    values |= {"M": Fraction(source.randint(1, 4)), "N": Fraction(source.randint(1, 3))}
    return values | {name: values["C"] + values[name] for name in ("R", "R_b") if name in values}


@pytest.mark.parametrize(
    ("name", "unknown"), [("THEOREM1", "alpha"), ("THEOREM1", "N"), ("DURATION", "R"), ("DURATION", "B")]
)
def test_formulas_for_a_wanted_answer_are_put_back(name, unknown):
    theorem, source, seen = derive(getattr(families, name)), Random(unknown), 0
    found = theorem.solve_for(unknown, first_drop="t")
    for _ in range(14):
        values = drawn(theorem.family.symbols, source)
        wanted = theorem.exact(**values)["first_drop"]
        if wanted is None:
            continue
        number = theorem.cases.index(theorem.case_at(**values))
        (turns,) = [each for each in found.cases if each.case == number]
        at = {sympy.Symbol(n, positive=True): sympy.Rational(v.numerator, v.denominator) for n, v in
              (values | {"t": wanted}).items() if n != unknown}  # fmt: skip
        roots = [root.subs(at) for root in turns.roots]
        assert any(sympy.simplify(root - sympy.Rational(str(values[unknown]))) == 0 for root in roots)
        seen += 1
    assert seen > 4


@pytest.mark.parametrize("most", [True, False])
@pytest.mark.parametrize("given", [{}, {"C": 1, "M": 2}])
def test_the_cases_of_an_inverse_with_symbols_are_where_the_answer_is_enough(most, given):
    theorem, source = derive(families.DURATION), Random(4)
    part = theorem.inverse("B", "d/2", given, most=most)
    seen = set()
    for _ in range(80):
        values = drawn(theorem.family.symbols, source) | given
        values["R"] += values["C"]
        values["R_b"] += values["C"]
        said = theorem.exact(**values)["first_drop"]
        good = (said is None or said >= values["d"] / 2) if not most else said is not None and said <= values["d"] / 2
        left = {name: value for name, value in values.items() if name not in given}
        assert (part.case_at(**left) is not None) == good
        seen.add(good)
    assert seen == {True, False}


def test_turns_at_some_values_are_those_of_the_whole_theorem(theorem1):
    whole = [(each.case, each.direction) for each in theorem1.maximize("first_drop", over="alpha").cases]
    for given in ({"B": 12}, {"C": 1, "B": 12}, {"C": 1, "M": 2, "R_b": 3}):
        part = theorem1.maximize("first_drop", over="alpha", **given)
        assert [(each.case, each.direction) for each in part.cases] == whole
    assert part.cases[1].texts == ("sqrt((R - 1)/(N*(2*R - (2 + N))))",)
    with pytest.raises(InputError, match=r"^R: got '1'; expected R > C"):
        theorem1.maximize("first_drop", over="alpha", R=1, C=1)
    with pytest.raises(InputError, match=r"^S: got 3; expected one of alpha"):
        theorem1.maximize("first_drop", over="alpha", S=3)


@pytest.mark.parametrize("word", ["maximize", "minimize"])
@pytest.mark.parametrize("over", [["N", "alpha"], ["M", "alpha"], ["R", "alpha"], ["d", "alpha"], ["N", "M"]])
def test_an_optimum_along_several_symbols_is_not_beaten_on_a_grid(over, word):
    theorem, given = derive(families.DURATION), {"alpha": 1, "B": 12, "C": 1, "M": 1, "N": 1, "R": 3, "R_b": 2, "d": 9}
    given = {name: value for name, value in given.items() if name not in over}
    best = getattr(theorem, word)("first_drop", over=over, **given)
    grid = {"N": (0, 1, 5), "M": (1, 2, 5), "R": ("11/10", 2, 9, 99), "d": ("1/100", 1, 9, 99)}
    found = []
    for one in grid[over[0]]:
        for other in [Fraction(n, 4) for n in range(1, 40)] if over[1] == "alpha" else (1, 2, 9):
            found.append(theorem.exact(**given, **{over[0]: one, over[1]: other})["first_drop"])
    orders = [order(never if each is None else each) for each in found]
    assert max(orders) <= order(best.value) if word == "maximize" else min(orders) >= order(best.value)
    assert best.attained or best.approached


@pytest.mark.parametrize(("name", "run"), [("TWO_RATES", 3), ("EDT", 4)])
def test_an_interruption_keeps_the_cases_that_were_found(monkeypatch, name, run):
    runs, follow = count(1), paths.run_family

    def followed(*arguments):
        if next(runs) == run:
            os.kill(os.getpid(), signal.SIGINT)
        return follow(*arguments)

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(paths, "run_family", followed)
    theorem = derive(getattr(families, name))
    assert signal.getsignal(signal.SIGINT) is before
    assert (theorem.open[0], theorem.complete) == ("interrupted", False)
    assert "Not complete: interrupted; " in theorem.text()
    assert len(theorem.cases) > 0
    assert theorem.check_points(points=3) > 0
    monkeypatch.undo()
    assert derive(families.STATIC).complete


@pytest.mark.parametrize(("symbol", "to"), [("alpha", "oo"), ("alpha", 0), ("N", 0), ("R", "oo"), ("M", "oo")])
def test_a_limit_at_an_end_keeps_symbols_and_is_that_at_numbers(theorem1, symbol, to):
    source = Random(symbol)
    for key in theorem1.keys:
        found = theorem1.limit(key, symbol, to)
        for _ in range(6):
            values = {n: v for n, v in drawn(theorem1.family.symbols, source).items() if n != symbol}
            at = {n: sympy.Rational(v.numerator, v.denominator) for n, v in values.items()}
            number = found.subs({letter: at[letter.name] for letter in found.free_symbols})
            assert number == theorem1.limit(key, symbol, to, **values), (key, values)
    with pytest.raises(InputError, match=r"^to: got 1; expected an end of alpha"):
        theorem1.limit("first_drop", "alpha", 1)
    with pytest.raises(InputError, match=r"^symbol: got 'beta'"):
        theorem1.limit("first_drop", "beta", 1)
