"""Signs at sample points: in floats where they are certain, exactly where floats overflow, underflow or lose a term."""

from fractions import Fraction
from random import Random

import pytest

from dtmodel.derive import derive
from dtmodel.derive.algebra.consequences import Facts, Sign
from dtmodel.derive.algebra.number import Field
from dtmodel.derive.algebra.open_set import Arena
from dtmodel.derive.algebra.refutation import refutation
from dtmodel.derive.search.boundaries import Faces, Solution, Solved

HUGE = 10**400


def signs_of(terms, points):
    field = Field(["x", "y", "z"][: len(points[0])])
    arena = Arena(field)
    polynomial = field.context.from_dict(terms)
    _, ((atom, _),) = arena.factored(polynomial)
    for point in points:
        arena.add_point(point)
    found = arena.signs(atom)
    assert found == [atom.at(point) for point in arena.points]
    return found[-len(points) :]


@pytest.mark.parametrize("terms", [{(1, 0): HUGE, (0, 1): -1}, {(1, 0): 1, (0, 20): -HUGE}, {(3, 0): 1, (0, 2): -7}])
def test_signs_are_those_of_exact_arithmetic_however_large_or_small_the_numbers(terms):
    random = Random(3)
    extremes = [
        Fraction(1),
        Fraction(HUGE),
        Fraction(1, HUGE),
        Fraction(10**160),
        Fraction(1, 10**160),
        Fraction(HUGE + 1, 3),
    ]
    points = [(random.choice(extremes), random.choice(extremes)) for _ in range(60)]
    assert {1, -1} <= set(signs_of(terms, points))


def test_a_term_that_floats_lose_decides():
    assert signs_of({(1, 0): HUGE, (0, 20): -1}, [(Fraction(1), Fraction(10**25))]) == [-1]
    assert signs_of({(2, 2): 1, (0, 0): -1, (1, 0): 1}, [(Fraction(1, 10**200), Fraction(10**250))]) == [1]
    assert signs_of({(1, 0): 10**332, (0, 1): -1}, [(Fraction(1, 10**178), Fraction(10**178))]) == [-1]
    tiny, large, small = Fraction(1, 10**200), Fraction(10**150), Fraction(1, 10**150)
    assert signs_of({(2, 2, 0): 1, (0, 0, 1): -1}, [(tiny, large, small)]) == [1]  # in floats tiny**2 is 0


def test_points_beside_one_that_floats_cannot_hold_keep_its_coordinate():
    arena = Arena(Field(["x", "y"]))
    both, one = (arena.add_point((Fraction(HUGE), other)) for other in (Fraction(1, HUGE), Fraction(1)))
    near = [arena.near(both, 3.0) for _ in range(20)]
    assert set(near) == {(Fraction(HUGE), Fraction(1, HUGE))}
    assert len({arena.near(one, 3.0) for _ in range(20)}) > 3


def test_an_equality_never_holds_at_sight():
    arena = Arena(Field(["x", "y"]))
    x, y = arena.ring.symbols
    facts, equal = Facts(arena, set()), Sign(arena.atom((x - y).top)[0], 0, strict=False)
    assert not facts.at_sight(equal)
    assert not facts.covered([], [[equal]])
    assert not facts.at_sight(equal._replace(strict=True))
    assert facts.at_sight(Sign(arena.atom((x + y).top)[0], 0, strict=True))


def test_a_strict_premise_that_an_identity_does_not_use_makes_nothing_strict():
    arena = Arena(Field(["x", "y", "n"]))
    x, y, n = arena.ring.symbols
    facts, premise = Facts(arena, {"n"}), Sign(arena.atom((x - y).top)[0], 1, strict=True)
    number = arena.atom(n.top)[0]
    assert facts.simply([premise], Sign(number, 1, strict=False))
    assert not facts.simply([premise], Sign(number, 1, strict=True))
    assert facts.simply([premise], Sign(arena.atom((x - y + n).top)[0], 1, strict=True))


@pytest.mark.parametrize(("answer", "parts"), [("x", 1), ("2*x", 2), (None, 2)])
def test_a_case_is_divided_where_a_tie_inside_it_is_not_shown_to_say_the_same(answer, parts):
    ring = Field(["x", "y"])
    x, y = ring.symbols
    arena = Arena(ring)
    atom = arena.atom((x - y).top)[0]
    tie = {"x": x, "2*x": 2 * x, None: None}[answer]
    face = [Solved((Sign(atom, 0, strict=False),), {"first_drop": tie}, {})]
    faces = Faces(None, Facts(arena, set()), None, 0, 0, Solution(), {atom.number: face})
    case = Solved((), {"first_drop": y}, {})
    divided = faces.separated(case, [atom])
    assert [len(part.signs) for part in divided] == [0] * (parts == 1) + [1, 1] * (parts == 2)
    faces.solved[atom.number] = None
    assert len(faces.separated(case, [atom])) == 2


def test_a_case_is_not_divided_after_the_deadline():
    ring = Field(["x", "y"])
    x, y = ring.symbols
    arena = Arena(ring, deadline=float("-inf"))
    atoms = [arena.atom((x - k * y).top)[0] for k in range(1, 41)]  # 2**40 parts
    case = Solved((), {"first_drop": y}, {})
    assert Faces(None, Facts(arena, set()), None, 0, 0, Solution()).separated(case, atoms) == [case]


def test_after_the_deadline_the_open_cells_are_what_is_certain(monkeypatch):
    document = {
        "symbols": {"R": "> 0"}, "policy": {"name": "dt", "alpha": 1}, "switch": {"buffer": 6, "rate": 1}, "until": 6,
        "queues": [{"initial": "1/2", "arrivals": [["1/2", "R"]]}], "ask": [{"recovered": True}],
    }  # fmt: skip
    monkeypatch.setattr(Arena, "late", lambda _: True)
    theorem = derive(document)
    assert not theorem.complete
    assert [theorem.exact(R=R)["recovered"] for R in ("1/2", "13/12", 2)] == [None, None, None]
    assert theorem.case_at(R="12/11") is None


def test_sums_of_products_show_what_cannot_be():
    """Some premises may hold; others cannot, as a product of two of them shows; what is 0 has any factor."""
    ring = Field(["x", "y"])
    x, y = (symbol.top for symbol in ring.symbols)
    arena = Arena(ring)
    assert refutation([(x - y, ">"), (1 - x, ">")], (), arena) is None
    found = refutation([(x - 1, ">"), (y - 1, ">"), (x + y - x * y - 1, ">")], (), arena)
    assert found.places == [0, 1, 2]
    assert max(len(part.places) for part in found.parts) == 2
    equal = refutation([(y - x, "="), (y - 1, ">"), (1 - x, ">=")], (), arena)
    assert {part.number for part in equal.parts if part.places == (equal.places.index(0),)} == {-1}


def test_a_premise_that_the_solver_does_not_need_makes_a_sum_that_it_says_nothing_of():
    ring = Field(["M", "N", "x", "d", "s", "t"])  # of rates before and after a step, a burst has brought x and then s d
    M, N, x, d, s, t = (symbol.top for symbol in ring.symbols)
    grows, steep, late = M * s - N - 1, M * t - N - 1, 1 - (1 + M + N) * (x + d * s)
    given = [
        (grows + s + 1, ">"),
        (grows * (1 - (M + 1) * x) + s, ">"),
        (late - N * d * grows, ">"),
        (steep, ">"),
        ((M + 1) * t * (M * x + (N + 1) * d - 1) - (N + 1) * ((M + 1) * (x + d * s) - 1), ">"),
    ]
    arena = Arena(ring)
    assert refutation(given, (), arena).parts is None
    assert refutation([(grows, ">"), *given], (), arena).parts is not None


def test_a_sum_of_two_is_found_without_a_linear_program(monkeypatch):
    monkeypatch.setattr("dtmodel.derive.algebra.refutation._Search", None)
    ring = Field(["x", "y"])
    x, y = (symbol.top for symbol in ring.symbols)
    found = refutation([(y - 1, ">="), (2 * x - 1, ">="), (3 - 7 * x * y - 6 * x, ">")], (), Arena(ring))
    assert (found.places, [tuple(part) for part in found.parts]) == ([1, 2], [((1,), 1, (0, 0)), ((0,), 3, (0, 0))])
    assert refutation([(2 * x - 1, ">="), (-x, ">")], ("x",), Arena(ring)).places == [1]


def test_what_may_be_0_shows_nothing():
    ring = Field(["x", "y"])
    x, y = (symbol.top for symbol in ring.symbols)
    assert refutation([(-x * y, ">=")], (), Arena(ring)) is not None
    assert refutation([(-x * y, ">=")], ("x",), Arena(ring)) is None
    assert refutation([(-x * y - y, ">=")], ("x",), Arena(ring)) is not None


def test_points_are_moved_to_where_polynomials_are_0():
    ring = Field(["x", "y", "z"])
    x, y, z = (symbol.top for symbol in ring.symbols)
    arena = Arena(ring)
    (first, _), (second, _), (third, _) = (arena.atom(poly) for poly in (x * y - z - 1, y - z * z, x - y))
    table = {first.number: {0}}
    points = arena.moved(arena.rounded, table, first, ())
    assert len(points) > 20
    for atom, signs in ((third, {0, 1}), (third, {1}), (second, {0})):
        table[atom.number] = signs
        points = arena.moved(points, table, atom, ())
        assert len(points) > 0
    for a, b, c in points:
        assert (a * b - c - 1, b - c * c) == pytest.approx((0, 0), abs=1e-6)
        assert a > b > 0 < c
    (border, _) = arena.atom(z)
    assert len(arena.moved(points, {border.number: {0}}, border, ())) == 0
    assert {point[2] for point in arena.moved(points, {border.number: {0}}, border, {"z"})} == {0}
