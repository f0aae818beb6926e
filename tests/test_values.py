"""What a statement is evaluated at: quantities and symbols; and what it cannot take."""

from collections.abc import Callable
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
import xarray
from refusals import refused
from statement_points import GIVEN, SWITCH, every, points, refusal

from dtmodel import InputError
from dtmodel.theorems.statement import Statement, never
from dtmodel.theory import dt, edt
from dtmodel.theory.l2bm.statements import bookkeeping
from dtmodel.theory.losspass.statements import FULL_PORT


def test_names_and_aliases_are_one_and_may_be_mixed() -> None:
    named = dt.theorem1.evaluate(SWITCH, alpha=1, N=2, M=1, R="2 Gbps")
    assert dt.theorem1.evaluate(SWITCH, alpha=1, steady=2, bursts=1, burst_rate="2 Gbps") == named
    assert dt.theorem1.evaluate(SWITCH, alpha=1, N=2, bursts=1, burst_rate="2 Gbps") == named
    assert dt.theorem1.evaluate(**GIVEN) == named
    assert (named.first_drop, named.free_at_first_drop, named.case) == (Fraction(1, 500), 250_000, "a")
    assert str(named) == "first_drop = 2 ms (1/500 s), free_at_first_drop = 250 KB, case a"
    x = sympy.Symbol("x", positive=True)
    assert dt.theorem1.evaluate(**{**GIVEN, "alpha": x}).free_at_first_drop == 10**6 / (1 + 3 * x)
    with pytest.raises(AttributeError):
        named.colour  # noqa: B018 - reading it is the test


def test_questions_take_aliases_too() -> None:
    given = {"alpha": 1, "M": 1, "N": 2}
    assert dt.theorem1.solve_for("burst_rate", SWITCH, first_drop="2 ms", **given) == (250_000_000,)
    assert dt.theorem1.sensitivity("first_drop", "steady") == dt.theorem1.sensitivity("first_drop", "N")
    assert dt.theorem1.limit("first_drop", "burst_rate", sympy.oo, SWITCH, **given) == 0
    assert dt.theorem1.lambdify()(**{**GIVEN, "B": 10**6, "C": 125_000_000, "R": 250_000_000}) == 0.002
    assert dt.theorem1.lambdify()(alpha=1, B=1e6, C=1.25e8, bursts=1, steady=2, burst_rate=2.5e8) == 0.002


def test_an_error_names_the_keyword_that_was_given() -> None:
    asked: dict[str, Any] = {"alpha": 1, "steady": 2, "bursts": 1}
    with refused("R", match="missing.*a value"):
        dt.theorem1.evaluate(SWITCH, **asked)
    with refused("burst_rat", match="did you mean 'burst_rate'"):
        dt.theorem1.evaluate(SWITCH, **asked, burst_rat=1)
    with refused("burst_rate", match="R > C"):
        dt.theorem1.evaluate(SWITCH, **asked, burst_rate=1)
    with refused("durations[0]", -1):
        dt.theorem1.evaluate(SWITCH, **asked, burst_rate="2 Gbps", durations=[-1])
    with refused("steady", 2, match="one value of N, which is also given as N"):
        dt.theorem1.evaluate(SWITCH, N=2, **asked, burst_rate="2 Gbps")
    with refused("switch"):
        dt.theorem1.evaluate(SWITCH, **asked, burst_rate="2 Gbps", switch=SWITCH)
    with refused("bursts"):
        edt.theorem5.evaluate(B=9, C=1, bursts=5, N=0, R=2)


def test_durations_take_exact_numbers_beside_them() -> None:
    for R in (sympy.Symbol("R", positive=True), np.array([2.5e8])):
        with refused("durations", match="exact numbers"):
            dt.theorem1.evaluate(**{**GIVEN, "R": R}, durations=["1 ms"])


def test_never_is_later_than_every_time_and_is_no_missing_result() -> None:
    quiet = dt.theorem1_corrected.evaluate(SWITCH, alpha=1, N=2, M=1, R="1 Gbps")
    assert (quiet.first_drop, quiet.free_at_first_drop, quiet.case) == (never, None, "never")
    assert str(quiet) == "first_drop = never, free_at_first_drop = None, case never"
    assert never > Fraction(10**9)
    assert not never < 1
    assert min(never, Fraction(1)) == 1
    assert never != float("inf")
    assert not never
    assert deepcopy(never) is never
    assert sympy.sympify(never) is sympy.oo
    arrays = dt.theorem1_corrected.evaluate(**{**GIVEN, "R": np.array([1e8, 2.5e8])})
    assert arrays.first_drop.tolist() == [float("inf"), 0.002]
    assert np.isnan(arrays.free_at_first_drop).tolist() == [True, False]
    assert arrays.valid.all()


def test_symbols_decide_what_they_can_and_leave_the_rest_open() -> None:
    R = sympy.Symbol("R", positive=True)
    open_ = dt.theorem1.evaluate(**{**GIVEN, "R": R})
    assert open_.case is None
    assert open_.hypotheses == (R > 125_000_000,)
    assert isinstance(open_.first_drop, sympy.Piecewise)
    with refused("R", match="R > C"):
        dt.theorem1.evaluate(**{**GIVEN, "R": 1, "alpha": R})


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"alpha": sympy.Symbol("x")}, "alpha"), ({"alpha": sympy.Symbol("x", nonnegative=True)}, "alpha"),
        ({"N": sympy.Symbol("x", positive=True)}, "N"), ({"alpha": sympy.sqrt(2)}, "alpha"),
        ({"alpha": sympy.Float(0.5)}, "alpha"), ({"alpha": 0}, "alpha"), ({"M": 0}, "M"), ({"N": "1/2"}, "N"),
        ({"alpha": np.array([1, "x"], dtype=object)}, "alpha"), ({"alpha": np.array([True])}, "alpha"),
        ({"alpha": np.array([1j])}, "alpha"), ({"alpha": np.ones(1, dtype=np.longdouble)}, "alpha"),
        ({"B": np.array([2**62])}, "B"), ({"B": np.array([-(2**63)])}, "B"),
        ({"alpha": np.ones(2), "R": np.ones(3)}, "shapes"),
        ({"colour": 1}, "colour"), ({"first_drop": 1}, "first_drop"),
        ({"R": "1 Gbps"}, "R"), ({"M": 15, "P": 16}, "M"),
    ],
)  # fmt: skip
def test_bad_values_are_named(changes: dict[str, Any], field: str) -> None:
    with refused(field):
        dt.theorem1.evaluate(**{**GIVEN, **changes})


@every
def test_every_statement_names_what_it_cannot_take(statement: Statement) -> None:
    """A symbol of either sign, an array of objects, whole numbers beyond 2**53, shapes that do not broadcast."""
    ((values, _),) = points(statement, 1)
    symbols = [symbol for symbol in statement.symbols if symbol.name in values]
    bad: tuple[Any, ...] = (
        sympy.Symbol("x"), sympy.Symbol("x", real=True), sympy.I, sympy.oo, sympy.nan, sympy.Function("f"),
        sympy.Symbol("x", positive=True) > 1, sympy.Matrix([1, 2]),
        np.array([1, None]), np.array([2**62]), np.array([True]), np.array(["1"]), np.array([1j]),
        np.datetime64("2020"), np.timedelta64(1, "s"), np.ma.masked,
        None, True, float("nan"), Decimal("nan"), {}, {1, 2}, [None], "x", "1/0", b"1",
    )  # fmt: skip
    for symbol in symbols:
        for value in bad:
            listed = [value] if symbol.many and not isinstance(value, np.ndarray) else value
            with pytest.raises(InputError) as error:
                statement.evaluate(**{**values, symbol.name: listed})
            assert error.value.field in (symbol.name, f"{symbol.name}[0]"), value
        masked = np.ma.array([[1.0]] if symbol.many else [1.0], mask=[[True]] if symbol.many else [True])
        assert not statement.evaluate(**{**values, symbol.name: masked}).valid.any()
    if len(values) > 1:
        ill = {
            name: np.ones((2 + place, 2) if isinstance(v, list) else 2 + place)
            for place, (name, v) in enumerate(values.items())
        }
        with refused("shapes"):
            statement.evaluate(**ill)


@every
def test_lists_may_be_iterators_and_numbers_labelled(statement: Statement) -> None:
    """An iterator gives its elements once; all who read the list see them."""
    ((values, exact),) = points(statement, 1)
    iterators = {name: iter(value) if isinstance(value, list) else value for name, value in values.items()}
    assert statement.evaluate(**iterators) == exact
    labelled = {
        name: value if isinstance(value, list) else xarray.DataArray(float(value)) for name, value in values.items()
    }
    assert statement.evaluate(**labelled) == exact
    symbol = next((s for s in statement.symbols if s.name in values and not s.many), None)
    results = [name for name in exact if not isinstance(exact[name], list)]
    if symbol and results and any(isinstance(value, list) for value in values.values()):
        iterators = {name: iter(value) if isinstance(value, list) else value for name, value in values.items()}
        asked = statement.sensitivity(results[0], symbol.name, **iterators)
        assert asked == statement.sensitivity(results[0], symbol.name, **values)


def test_a_share_that_is_a_symbol_is_assumed_to_be_at_most_1() -> None:
    x = sympy.Symbol("x", positive=True)
    answer = FULL_PORT.evaluate(B=8, tau=x)
    assert (answer.mu_losspass, answer.hypotheses) == (8 * x, (x <= 1,))
    assert FULL_PORT.evaluate(B=x, tau="1/2").hypotheses == ()
    with refused("tau", match="from 0 to 1"):
        FULL_PORT.evaluate(B=8, tau=x + 1)


def test_labels_that_no_array_of_xarray_has_are_refused_by_name() -> None:
    with refused("R", match=r"xarray\.DataArray"):
        dt.theorem1.evaluate(**{**GIVEN, "R": xarray.Variable("rate", [2e8])})


class Column(np.ndarray[Any, Any]):
    """What pandas has of an array: labels of its rows."""

    index: Any

    def to_numpy(self) -> Any:
        return np.asarray(self)


class Labels(tuple[int, ...]):
    """What pandas has of labels."""

    __slots__ = ()

    def equals(self, other: object) -> bool:
        return self == other


def test_columns_of_which_the_rows_are_labelled_differently_are_not_put_side_by_side() -> None:
    def column(values: list[float], *labels: int) -> Column:
        made = np.array(values).view(Column)
        made.index = Labels(labels)
        return made

    alpha = column([1, 2], 0, 1)
    answer = dt.theorem1.evaluate(**{**GIVEN, "alpha": alpha, "B": column([1e6, 2e6], 0, 1), "R": np.array(2.5e8)})
    assert answer.free_at_first_drop.tolist() == [250_000, 2_000_000 / 7]
    with refused("B", match="rows labelled as those of alpha"):
        dt.theorem1.evaluate(**{**GIVEN, "alpha": alpha, "B": column([1e6, 2e6], 1, 0)})


def test_a_labelled_list_may_be_empty_where_a_list_may() -> None:
    plain = bookkeeping.evaluate(D=np.array([[26.0, 19.0]]), a=np.ones((1, 0)), t_prev=0)
    named = bookkeeping.evaluate(
        D=xarray.DataArray([[26.0, 19.0]], dims=("point", "due")),
        a=xarray.DataArray(np.ones((1, 0)), dims=("point", "left")),
        t_prev=0,
    )
    assert plain.t_total.tolist() == named.t_total.values.tolist() == [45]
    assert named.t_total.dims == ("point",)


@every
def test_whole_numbers_of_64_bits_do_not_wrap(statement: Statement) -> None:
    """NumPy's whole numbers, of which a product has more than 64 bits, are read as Python's."""
    ((values, _),) = points(statement, 1)
    sizes = {symbol.name for symbol in statement.symbols if symbol.domain in ("positive", "nonnegative", "real")}

    def large(make: Callable[[int], Any]) -> Any:
        grown = {
            name: [make((int(x) + 1) * 10**16) for x in v] if isinstance(v, list) else make((int(v) + 1) * 10**16)
            for name, v in values.items()
            if name in sizes
        }
        found = refusal(statement.evaluate, **{**values, **grown})
        return found.field if found else statement.evaluate(**{**values, **grown})

    assert large(np.int64) == large(int)


def test_a_missing_value_and_a_statement_of_words_are_named() -> None:
    with refused("B"):
        dt.theorem1.evaluate(**{name: value for name, value in GIVEN.items() if name not in ("M", "B")})
    with refused("evaluate"):
        Statement("x.y", "Words", bibtex="@misc{here}").evaluate(alpha=1)
    with pytest.raises(InputError, match=r"R\[1\]"):
        dt.theorem2.evaluate(alpha=1, B=12, C=1, N=1, R=[2, sympy.Symbol("x")])
    with pytest.raises(InputError, match="list"):
        dt.theorem2.evaluate(alpha=1, B=12, C=1, N=1, R=[])
    with pytest.raises(InputError, match="last axis"):
        dt.theorem2.evaluate(alpha=np.ones(2), B=12, C=1, N=1, R=np.ones((2, 0)))
