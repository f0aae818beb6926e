"""Designers' questions about derived theorems: the best value of a symbol, exactly, and all solutions."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from random import Random

import families
import flint
import pytest

from dtmodel import InputError
from dtmodel.derive import Algebraic, Interval, derive
from dtmodel.derive.algebra.reals import compare_at, real_roots, sign_at, sign_beside, value_at
from dtmodel.derive.theorem.intervals import joined, whole_within
from dtmodel.derive.theorem.optimum import Approach, Optimum, order
from dtmodel.theorems.evaluation import never

PORTS = {"M": 1, "N": 2, "R_b": 2}
SWITCH = {"B": 12, "C": 1}


@pytest.fixture(scope="module")
def theorem1():
    return derive(families.THEOREM1)


@pytest.fixture(scope="module")
def duration():
    return derive(families.family([families.ENDING, families.STEADY], {"first_drop": 0}, {"d": "> 0"}))


def answer(theorem, key, values):
    found = theorem.exact(**values)[key]
    return never if found is None else found


@pytest.mark.parametrize(("M", "N", "R"), [(1, 2, 4), (2, 1, 3), (3, 2, "7/2"), (2, 3, "11/4"), (5, 4, 2), (1, 2, 6)])
def test_the_best_alpha_of_theorem_1_is_the_square_root_of_the_formula(theorem1, M, N, R):
    """By hand: (11) is stationary at alpha = sqrt((R - C)/(N (M (R - C) - N C))), if that lies in its case."""
    C, R = 1, Fraction(R)
    best = theorem1.maximize("first_drop", over="alpha", **SWITCH, M=M, N=N, R=R, R_b=1)
    assert M * (R - C) > N * C
    square, corner = (R - C) / (N * (M * (R - C) - N * C)), C / (M * (R - C) - N * C)
    (at,) = best.at
    assert at.low == at.high
    if square > corner**2:
        assert at.case == 1
        x = flint.fmpz_poly([0, 1])
        assert at.low > 0
        squared = value_at(x * x, flint.fmpz_poly([1]), at.low)
        assert squared == square
    else:
        assert (at.low, at.case) == (corner, 0)
    assert best.attained
    assert best.approached == ()


def test_with_symbols_the_best_alpha_is_that_formula(theorem1):
    sympy = pytest.importorskip("sympy")
    C, M, N, R = sympy.symbols("C M N R", positive=True)
    slow, fast = theorem1.maximize("first_drop", over="alpha").cases
    assert (slow.direction, slow.roots, fast.direction) == ("rises", (), "turns")
    (root,) = fast.roots
    assert sympy.simplify(root**2 - (R - C) / (N * (M * (R - C) - N * C))) == 0
    (partly,) = theorem1.maximize("first_drop", over="alpha", C=1, M=1, N=2, R=4, B=12).cases[1].roots
    assert partly == sympy.sqrt(6) / 2
    given = {"C": 1, "M": 2, "N": 1, "alpha": 1, "R_b": 2}
    assert [each.direction for each in theorem1.maximize("first_drop", over="R", **given).cases] == ["falls", "falls"]
    assert [each.direction for each in theorem1.minimize("first_drop", over="R_b").cases] == ["is constant"] * 2


def test_without_steady_ports_or_with_many_the_first_drop_only_approaches_its_bound(theorem1):
    best = theorem1.maximize("first_drop", over="alpha", **SWITCH, M=1, N=0, R=4, R_b=1)
    assert best.document() == {
        "of": "first_drop", "over": "alpha", "value": "4", "attained": False, "at": [],
        "approached": [{"to": "oo", "case": 1}],
    }  # fmt: skip
    assert str(best) == "maximum of first_drop: 4 s, approached as alpha tends to infinity (case 1)"
    assert theorem1.maximize("first_drop", over="B", C=1, alpha=1, R=3, **PORTS).value == "oo"


def test_never_is_the_best_first_drop_on_a_whole_interval(duration):
    best = duration.maximize("first_drop", over="alpha", **SWITCH, **PORTS, R=3, d="1/2")
    assert best.value is never
    (at,) = best.document()["at"]
    assert (at["low"], at["high"], at["with_low"], at["with_high"]) == ("1/9", "oo", True, False)
    assert answer(duration, "first_drop", {**SWITCH, **PORTS, "R": 3, "d": "1/2", "alpha": Fraction(1, 9)}) is never
    least = duration.minimize("first_drop", over="alpha", **SWITCH, **PORTS, R=3, d="1/2")
    assert (least.value, least.approached[0].to) == (0, 0)


def test_an_irrational_optimum_has_its_polynomial_and_an_interval_around_it(theorem1):
    found = theorem1.maximize("first_drop", over="alpha", **SWITCH, M=1, N=2, R=4, R_b=2).document()
    assert found["at"][0]["low"] == {"polynomial": "2*x**2 - 3", "between": ["61237/50000", "4899/4000"]}
    assert found["value"]["polynomial"] == "25*x**2 - 168*x + 144"


def test_an_optimum_is_mathematics_in_a_notebook(theorem1, duration):
    best = theorem1.maximize("first_drop", over="alpha", **SWITCH, M=1, N=2, R=4, R_b=2)
    value = r"\left(\frac{84}{25} - \frac{24 \sqrt{6}}{25}\right)\ \text{s}"
    shown = rf"\max_{{\alpha}} t = {value},\quad \alpha = \frac{{\sqrt{{6}}}}{{2}}"
    assert best._repr_latex_() == rf"$\displaystyle {shown}$"
    plateau = duration.maximize("first_drop", over="alpha", **SWITCH, **PORTS, R=3, d="1/2")
    assert plateau.latex() == r"\max_{\alpha} t = \infty,\quad \alpha \in [\frac{1}{9}, \infty)"
    assert duration.minimize("first_drop", over="alpha", **SWITCH, **PORTS, R=3, d="1/2").latex() == (
        r"\inf_{\alpha} t = \text{0 s},\quad \alpha \to 0"
    )
    turns = theorem1.maximize("first_drop", over="alpha")
    assert r"\text{case 0: } t\ \text{rises}" in turns._repr_latex_()
    root = r"\sqrt{\frac{R - C}{N \left(M \left(R - C\right) - C N\right)}}"
    assert rf"\text{{turns}}\ \text{{at}}\ \alpha = {root}" in turns.latex()
    assert real_roots([flint.fmpz_poly([-1, -1, 0, 1])])[0].latex() == r"1.32472\ldots\ \left(x^{3} - x - 1 = 0\right)"


FAMILIES = {
    "THEOREM1": ("first_drop", ("alpha", "B", "R", "N", "M")),
    "TWO_ALPHAS": ("free_at_first_drop", ("alpha", "beta")),
    "LOST": ("dropped", ("alpha", "d", "M")),
    "STATIC": ("first_drop", ("S", "d")),
    "CAP": ("first_drop", ("c", "alpha")),
}


@pytest.fixture(scope="module", params=FAMILIES)
def asked(request):
    return derive(getattr(families, request.param)), *FAMILIES[request.param]


def points(theorem, source, how_many):
    """Yield values of the symbols at which a case is proved."""
    found = 0
    while found < how_many:
        point = tuple(Fraction(source.randint(1, 12), source.choice((1, 2, 4))) for _ in theorem.domain.outer.names)
        values = theorem.values(point)
        whole = {name: Fraction(round(v)) for name, v in values.items() if name in {"M", "N", "L"}}
        try:
            theorem.evaluate(**values | whole)
        except InputError:
            continue
        found += 1
        yield values | whole


def tried(best, whole):
    """Return numbers on a grid, at the ends of intervals, and closer and closer to each limit."""
    grid = [Fraction(n, 1 if whole else 8) for n in range(100)] + [Fraction(10**6)]
    ends = [end for each in best.at for end in (each.low, each.high) if isinstance(end, Fraction)]
    near = [] if whole else [Fraction(-1, 10**6), Fraction(1, 10**6)]
    return grid + ends + [end + step for end in ends for step in near]


def test_no_number_of_a_grid_is_better_than_the_optimum(asked):
    theorem, key, symbols = asked
    for number, values in enumerate(points(theorem, Random(11), 6)):
        symbol = symbols[number % len(symbols)]
        given = {name: v for name, v in values.items() if name != symbol}
        whole = symbol in {"M", "N"}
        for best, turn in ((theorem.maximize(key, symbol, **given), 1), (theorem.minimize(key, symbol, **given), -1)):
            found = []
            for x in tried(best, whole):
                try:
                    found.append(answer(theorem, key, given | {symbol: x}))
                except InputError:
                    assert not any(x in each for each in best.at)
                    continue
                less = order(found[-1]) < order(best.value) if turn > 0 else order(found[-1]) > order(best.value)
                assert less or (found[-1] == best.value and any(x in each for each in best.at)), (x, best)
            assert found
            assert best.attained == bool(best.at) != bool(best.approached)
            approaches(theorem, key, symbol, given, best)


def approaches(theorem, key, symbol, given, best):
    """Assert that the answer comes as close to its limit as one likes, and attains its value in each interval."""
    for each in best.approached:
        steps = [Fraction(10) ** n for n in (6, 12)]
        if each.to == "oo":
            close = steps
        else:
            end = each.to.low if isinstance(each.to, Algebraic) else each.to
            close = [end + (1 if each.above else -1) / step for step in steps]
        first, second = (theorem.evaluate(**given, **{symbol: x})[key] for x in close)
        if best.value in {"oo", "-oo"}:
            assert abs(second) > abs(first)
        else:
            assert abs(float(second) - float(best.value)) <= abs(float(first) - float(best.value)) <= 1e-4
    for each in best.at:
        if isinstance(each.low, Fraction) and each.with_low:
            at, its = given | {symbol: each.low}, theorem.cases[each.case].answers[key]
            value = never if its is None else its.at(theorem.point(at))
            assert answer(theorem, key, at) == value == best.value


def test_a_plateau_contains_the_border_of_its_case():
    best = derive(families.CAP).maximize("first_drop", over="alpha", B=12, C=1, M=1, R=4, c=2)
    assert [each.document() for each in best.at] == [
        {"low": "1/5", "high": "oo", "with_low": True, "with_high": False, "case": 0}
    ]
    two = [Interval(Fraction(0), Fraction(1), True, True, 0), Interval(Fraction(1), Fraction(2), False, True, 1)]
    assert joined(two) == tuple(two)


def test_every_solution_is_put_back_into_the_theorem(asked):
    theorem, key, symbols = asked
    for number, values in enumerate(points(theorem, Random(13), 6)):
        symbol = symbols[number % len(symbols)]
        given = {name: v for name, v in values.items() if name != symbol}
        wanted = answer(theorem, key, values)
        found = theorem.solve_for(symbol, **given, **{key: wanted})
        assert any(values[symbol] in each if isinstance(each, Interval) else values[symbol] == each for each in found)
        for each in found:
            x = each.low if isinstance(each, Interval) and each.with_low else each
            if isinstance(x, Fraction):
                assert answer(theorem, key, given | {symbol: x}) == wanted


def test_a_count_is_a_whole_number_beside_the_real_optimum(theorem1):
    given = {**SWITCH, "alpha": Fraction(1, 4), "M": 4, "R": 3, "R_b": 2}
    best = theorem1.maximize("first_drop", over="N", **given)
    values = {n: answer(theorem1, "first_drop", given | {"N": n}) for n in range(40)}
    assert best.value == max(values.values())
    assert [each.low for each in best.at] == [n for n, value in values.items() if value == best.value]
    half = theorem1.solve_for("N", first_drop=answer(theorem1, "first_drop", given | {"N": Fraction(7, 2)}), **given)
    assert half.why.startswith("N is a whole number, and the solution is ")
    plateau = whole_within(Interval(Fraction(1), None, False, False), whole=True)
    assert [str(each) for each in plateau] == ["[2, oo)"]


def test_an_empty_answer_has_its_reason(theorem1, duration):
    given = {**SWITCH, **PORTS, "R": 3}
    assert repr(theorem1.solve_for("alpha", first_drop=3, **given)) == "none: at most 2 s, as alpha tends to infinity"
    assert theorem1.solve_for("alpha", first_drop=2, **given).why == "less than 2 s, as alpha tends to infinity"
    assert theorem1.inverse("alpha", None, given).why == "at most 2 s, as alpha tends to infinity"
    assert theorem1.solve_for("B", first_drop=0, C=1, alpha=1, R=3, **PORTS).why == "more than 0 s, as B tends to 0 B"
    assert duration.solve_for("alpha", first_drop=1, **given, d="1/2").why == "first_drop jumps over 1 s"


def test_the_worst_optimum_is_the_least_of_all_optima(theorem1):
    given = {**SWITCH, "R": 3, "R_b": 2}
    pairs = [(M, N) for M, N in product(range(1, 6), range(5)) if M + N <= 5]
    each = {pair: theorem1.maximize("first_drop", over="alpha", M=pair[0], N=pair[1], **given).value for pair in pairs}
    found = theorem1.worst_optimum("first_drop", "alpha", ["M", "N"], 5, **given)
    least = min(each.values(), key=order)
    assert found.value == least
    assert list(found.where) == [{"M": M, "N": N} for (M, N), value in each.items() if value == least]


def test_the_mathematics_of_an_optimum_has_the_numbers_of_ports_and_what_is_not_proved():
    where = tuple({"M": number, "N": Fraction(1, 2)} for number in (1, 2, 3, 4, 5))
    unproved = (Interval(Fraction(1), Fraction(2), False, False),)
    found = Optimum("minimum", "first_drop", "alpha", Fraction(3), False, (), (Approach("oo", 0),), unproved, where[:2])
    shown = r"\inf_{\alpha} t = 3,\quad \alpha \to \infty,\quad "
    pairs = r"M = 1,\ N = \frac{1}{2}\ \text{or}\ M = 2,\ N = \frac{1}{2}"
    assert found.latex() == shown + pairs + r",\quad \text{not proved for }\alpha\text{ in (1, 2)}"
    many = replace(found, where=where, open=())
    assert many.latex().endswith(r"\ \text{or}\ \text{1 more}")
    assert replace(found, where=(), open=()).latex() + r",\quad " == shown


@pytest.mark.parametrize("rate", ["3", "6"])
def test_no_alpha_guarantees_more_than_the_maximin(theorem1, duration, rate):
    given = {**SWITCH, "R": Fraction(rate), "R_b": 2}
    pairs = [(M, N) for M, N in product(range(1, 6), range(5)) if M + N <= 4]
    for theorem, more in ((theorem1, {}), (duration, {"d": "1/50"}), (duration, {"d": "3"})):
        found = theorem.maximin("first_drop", "alpha", ["M", "N"], 4, **given, **more)
        for alpha in [Fraction(n, 16) for n in range(1, 24, 2)] + [Fraction(n) for n in range(2, 400, 49)]:
            each = (answer(theorem, "first_drop", given | more | {"alpha": alpha, "M": M, "N": N}) for M, N in pairs)
            worst = min(each, key=order)
            inside = any(alpha in each for each in found.at)
            assert (order(worst) == order(found.value)) == inside or (not inside and not found.attained), alpha
            assert order(worst) <= order(found.value)
        assert found.where


def test_numbers_of_ports_that_no_theorem_has_are_refused(theorem1):
    given = {**SWITCH, "R": 3, "R_b": 2}
    for counts, ports, field in ((["M", "B"], 5, "counts"), (["M"], 0, "ports"), (["M", "N"], "many", "ports")):
        with pytest.raises(InputError) as refused:
            theorem1.maximin("first_drop", "alpha", counts, ports, **given)
        assert refused.value.field == field


@pytest.mark.parametrize(
    ("result", "over", "more", "field"),
    [
        ("length", "alpha", {}, "result"),
        ("first_drop", "gamma", {}, "over"),
        ("first_drop", "alpha", {"B": -1}, "B"),
        ("first_drop", "alpha", {"R": "1 MB"}, "R"),
        ("first_drop", "alpha", {"alpha": 1}, "alpha"),
        ("first_drop", ["B", "alpha"], {}, "B"),
        ("first_drop", "alpha", {"M": None, "Z": 1}, "Z"),
    ],
)
def test_an_optimum_of_wrong_values_is_refused_by_name(theorem1, result, over, more, field):
    given = {name: v for name, v in ({**SWITCH, **PORTS, "R": 3} | more).items() if v is not None}
    with pytest.raises(InputError) as refused:
        theorem1.maximize(result, over, **given)
    assert refused.value.field == field
    with pytest.raises(InputError, match="a value of one answer"):
        theorem1.solve_for("alpha", **SWITCH)


def test_an_incomplete_theorem_names_the_values_that_it_leaves_open(theorem1):
    from dataclasses import replace

    part = replace(theorem1, cases=theorem1.cases[1:], complete=False)
    found = part.maximize("first_drop", over="alpha", **SWITCH, M=1, N=2, R=4, R_b=2)
    assert [str(each) for each in found.open] == ["(0, 1]"]
    assert "not proved for alpha in (0, 1]" in str(found)
    assert found.document()["open"] == [{"low": "0", "high": "1", "with_low": False, "with_high": True}]


def test_real_roots_are_isolated_and_compared_exactly():
    x = flint.fmpz_poly([0, 1])
    close = (x * x - 2) * (10**12 * x - 1414213562373) * (x**3 - x - 1)
    roots = real_roots([close, x * x - 2])
    assert [round(float(root), 6) for root in roots] == [-1.414214, 1.324718, 1.414214, 1.414214]
    assert all(one < other for one, other in pairwise(roots))
    for root in roots:
        assert sign_at(close, root) == 0
        assert sign_beside(close, root) == -sign_beside(close, root, above=True) != 0
        assert compare_at(x, flint.fmpz_poly([1]), root, root) == 0
    assert value_at(x**2 + 1, x, roots[-1]) == real_roots([2 * x * x - 9])[1]
    assert str(roots[1]) == "about 1.32472, a root of x**3 - x - 1"
    assert (
        joined([Interval(roots[0], roots[1], True, False), Interval(roots[1], None, False, False)])[0].high == roots[1]
    )


def test_a_drop_of_one_half_of_an_interval_is_two_intervals():
    one, two, three = map(Fraction, (1, 2, 3))
    parts = [
        Interval(one, two, False, False, 0),
        Interval(two, two, True, True, 1),
        Interval(two, three, False, True, 1),
    ]
    assert [str(each) for each in joined(parts)] == ["(1, 2)", "[2, 3]"]
