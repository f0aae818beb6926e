"""Boundaries: slacks that are multiples of differences, faces whose slope may be 0, and points that are irrational."""

from fractions import Fraction
from math import sqrt
from random import Random

import families
import flint
import pytest

from dtmodel import InputError
from dtmodel.derive import derive
from dtmodel.derive.algebra.consequences import Facts, Sign
from dtmodel.derive.algebra.number import LimitError
from dtmodel.derive.algebra.reals import real_roots
from dtmodel.derive.search import boundaries
from dtmodel.derive.search.boundaries import Faces, Solution, face_of
from dtmodel.derive.search.family import read_family
from dtmodel.derive.search.paths import Limits, domain_facts, read_problem
from dtmodel.derive.search.regions import describe_groups
from dtmodel.derive.search.roots import AtRoot

SQUARE = real_roots([flint.fmpz_poly([-2, 0, 1])])[1]
GOLDEN = real_roots([flint.fmpz_poly([-1, -1, 1])])[1]


def itself(root):
    return AtRoot(root, [flint.fmpq_poly([0, 1])])


def test_numbers_at_a_root_compute_as_reals_do():
    random, x, real = Random(3), itself(SQUARE), sqrt(2)
    for _ in range(200):
        a, b, c, d = (random.randrange(-9, 10) for _ in range(4))
        one, two = a + b * x, c + d * x
        first, second = a + b * real, c + d * real
        assert (one < two) == (first < second) or (a, b) == (c, d)
        assert (one == two) == ((a, b) == (c, d))
        assert one + two == (a + c) + (b + d) * x
        assert one - two == -(two - one)
        assert one * two == (a * c + 2 * b * d) + (a * d + b * c) * x
        if c or d:
            assert one / two * two == one
            assert 1 / two * Fraction(1) == two / (two * two)
    assert hash(x * x) == hash(AtRoot.of(SQUARE, 2))
    assert (x**0, x**3, x**-3) == (1, 2 * x, x / 4)
    assert (7 + x) % x == 7 - 4 * x  # 8.41 is 5 times 1.41 and 1.34
    with pytest.raises(ZeroDivisionError):
        x / (x * x - 2)


def test_signs_near_0_are_exact():
    p, q = 1, 1
    for _ in range(60):  # p/q comes close to the root from both sides in turn
        p, q = p + 2 * q, p + q
        assert (itself(SQUARE) > Fraction(p, q)) == (p * p < 2 * q * q)


def test_the_end_is_later_than_everything():
    end = AtRoot.end(GOLDEN)
    assert end > 10**30 * itself(GOLDEN)
    assert end - end / 2 - 10**9 > 0 > 5 - end
    assert (end * end - 10**9 * end).sign() == 1
    with pytest.raises(LimitError):
        1 / end
    with pytest.raises(LimitError):
        end.polynomial()


FILLS = {
    "symbols": {"x": "> 0"}, "policy": {"name": "complete"}, "switch": {"buffer": "x**2/4 + 1/2", "rate": 1},
    "queues": [{"arrivals": [[0, 3], ["x", 0]]}], "ask": [{"first_drop": 0}],
}  # fmt: skip


def test_a_boundary_at_an_irrational_point_belongs_to_the_case_that_is_right_there():
    """A burst of rate 3 fills x^2/4 + 1/2 just as it ends where x^2 - 8 x + 2 is 0: nothing is lost there."""
    theorem = derive(FILLS)
    assert theorem.complete, theorem.open
    low, high = real_roots([flint.fmpz_poly([2, -8, 1])])
    for root in (low, high):
        close = [root.low, root.high]
        sides = [theorem.exact(x=x)["first_drop"] is None for x in close]
        assert sorted(sides) == [False, True]
        outer = next(theorem.case_at(x=x) for x, never in zip(close, sides, strict=True) if never)
        (condition,) = [c for c in outer.when if c.poly.total_degree() == 2]
        assert condition.relation == ">="  # the last byte just fits


def test_irrational_points_of_a_face_are_told_apart():
    problem = read_problem(read_family({**FILLS, "ask": [{"length": 0, "at": "x"}]}))
    facts = domain_facts(problem, Limits(), float("inf"))
    x = problem.ring.symbols[-1]
    _, ((atom, _),) = facts.arena.factored((x * x - 8 * x + 2).top)
    cases = Faces(problem, facts, Limits(), float("inf"), 1, Solution()).cases(atom)
    assert [round(float(case.example["x"]), 1) for case in cases] == [0.3, 7.7]
    for place, case in enumerate(cases):
        equality, apart = case.signs
        assert (equality.atom, equality.sign) == (atom, 0)
        held = [apart.holds(apart.atom.at([Fraction(1), other.example["x"]])) for other in cases]
        assert held == [other == place for other in range(2)]
        assert not case.rational
        full = case.answers["length"]
        assert not ((full - x * x / 4 - Fraction(1, 2)).top % atom.poly)  # the buffer is full


def test_a_face_whose_slope_may_be_0_has_a_part_for_each_sign_of_it():
    problem = read_problem(read_family(families.EXPIRES))
    facts = domain_facts(problem, Limits(), float("inf"))
    ring = problem.ring
    M, N, c_2, T_1 = (ring.symbol(name) for name in ("M", "N", "c_2", "T_1"))
    _, ((atom, _),) = facts.arena.factored((c_2 * (M - N) - T_1 * (M - 2 * N)).top)
    parts = face_of(problem, atom, facts)
    assert len(parts) == 2
    for part, sign in zip(parts, (1, -1), strict=True):
        smaller, (slope,) = part.problem.ring, part.signs
        assert (slope.sign, slope.strict) == (sign, True)
        assert slope.atom.poly in (poly := atom.poly.derivative(ring.names.index(part.eliminated)), -poly)
        into = {name: smaller.symbol(name) for name in smaller.names} | {part.eliminated: part.value}
        assert not ring.ratio(atom.poly, ring.one).replaced(into, smaller)
        bound = ring.ratio(slope.atom.poly * sign, ring.one).replaced(into, smaller)
        assert (bound.top, True) in part.problem.bounds
        assert (part.value.top * part.value.bottom, True) in part.problem.bounds


def test_a_slack_above_a_quotient_is_a_multiple():
    """T_2 >= B/(2*M*(R - C)) as 2*M*(R - C)*T_2 - B: no condition has a higher power of M or R - C for it."""
    domain = read_problem(read_family(families.EXPIRES)).domain
    values = {"alpha": 1, "B": 12, "C": 1, "M": 2, "N": 1, "R": 4, "R_b": 2, "c_2": 1, "T_1": 1, "T_2": 3}
    values = {name: Fraction(value) for name, value in values.items()}
    named = domain.slack_values(values)
    assert named["T_2_"] == 2 * 2 * 3 * 3 - 12
    assert domain.symbol_values(named) == values
    outside, at = domain.outside(), [named[name] for name in domain.outer.names]
    assert {name: outside[name].at(at) for name in values} == values


def test_a_slack_is_no_multiple_where_the_denominator_is_not_seen_to_be_positive():
    symbols = {"M": ">= 1", "B": "> 0", "S": "> 0", "d": ">= B/(M - S/2)"}
    document = {"symbols": symbols, "policy": {"name": "complete"}, "switch": {"buffer": "B", "rate": 1},
        "queues": [{"arrivals": [["0", 3], ["d", 0]]}], "ask": [{"first_drop": 0}]}  # fmt: skip
    domain = read_problem(read_family(document)).domain
    assert [slack.over for slack in domain.slacks] == [None] * 4


def circle(name, **rules):
    """Return a family in which only x**2 + y**2 matters: on no boundary is a symbol linear."""
    return {"symbols": {"x": "> 0", "y": "> 0"}, "policy": {"name": name, **rules}, "switch": {"buffer": 10, "rate": 1},
        "queues": [{"arrivals": [["0", "1 + x**2 + y**2"], ["1", "0"]]}], "ask": [{"first_drop": 0}]}  # fmt: skip


def test_what_the_cases_do_not_cover_is_named():
    theorem = derive(circle("edt", alpha=1, cn2=2))  # whose runs are not continuous
    named = [f"where x**2 + y**2 - {n} == 0: the cases do not cover all of it" for n in (10, 5, 2)]
    assert (theorem.complete, theorem.open) == (False, tuple(named))
    assert derive(circle("dt", alpha="1/2")).complete


@pytest.mark.exhaustive
def test_what_no_solver_decides_names_the_limit_of_the_solver():
    theorem = derive(circle("edt", alpha=1, cn2=2), Limits(solver=0))
    said = "not proved to be covered, with the solver's limit of 0 s for a question"
    assert theorem.open == tuple(f"where x**2 + y**2 - {n} == 0: {said}" for n in (10, 2, 5))


def test_a_question_that_the_solver_does_not_answer_is_asked_in_parts(monkeypatch):
    facts = domain_facts(read_problem(read_family(circle("dt", alpha=1))), Limits(), float("inf"))
    x, y = (facts.arena.ring.symbol(name) for name in "xy")
    one, two = (facts.arena.factored(ratio.top)[1][0][0] for ratio in (x - 1, x * y - 2))
    cases = [[Sign(one, 1, strict=False)], [Sign(one, -1, strict=False), Sign(two, 1, strict=False)]]
    rest = [Sign(two, -1, strict=True)]
    whole, asked = Facts.together, []

    def together(self, signs, none_of=(), nonzero=None):
        asked.append(list(signs))
        return whole(self, signs, none_of, nonzero) if signs else "unknown"

    monkeypatch.setattr(Facts, "together", together)
    assert facts.outside([], [*cases, rest]) == "unsat"
    assert [len(signs) for signs in asked] == [0, 1, 1, 1]
    assert facts.outside([], cases) == "sat"
    monkeypatch.setattr(Facts, "together", lambda *_: "unknown")
    assert facts.outside([], cases) == "unknown"


def test_what_is_undecided_and_what_is_contradictory_is_written_in_the_symbols_that_were_declared():
    symbols = {"B": "> 0", "C": "> 0", "M": "> 0", "R_1": "> 0", "R_2": "> C"}
    document = {"symbols": symbols, "policy": {"name": "weighted", "weights": 3}, "switch": families.SWITCH,
        "queues": [{"count": "M", "arrivals": [["0", "R_1"]]}, {"count": 3, "arrivals": [["0", "R_2"]]}],
        "ask": [{"first_drop": 0}]}  # fmt: skip
    undecided = derive(document, Limits(solver=0)).open[0]
    assert undecided.startswith("undecided: C*(1 + 3*M) - (R_1*(1 + 3*M) + 9*(R_2 - C)) > 0 beside")
    with pytest.raises(InputError, match=r"^symbols: got 'C - 2\*R_1 > 0 and R_1 - R_2 > 0'"):
        derive(document | {"symbols": symbols | {"R_1": "> 0, < C/2", "R_2": "> C, < R_1"}})


def test_a_derivation_that_ends_before_cells_are_joined_lists_each_cell_once(monkeypatch):
    def late(found):
        found.arena.deadline = 0
        return describe_groups(found)

    monkeypatch.setattr(boundaries, "describe_groups", late)
    steps = [{"arrivals": [["0", rate]]} for rate in ("R", "S")]
    theorem = derive(families.family(steps, {"first_drop": 0}, symbols={**families.SYMBOLS, "S": "> C"}))
    assert not theorem.complete
    assert len({tuple(each.text for each in case.when) for case in theorem.cases}) == len(theorem.cases) == 4
