"""Ramps that pass the turning point of Z, surds and enclosures, against roots worked out by hand."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from mpmath import iv
from refusals import refused

from dtmodel import InputError
from dtmodel.theory.edt.varying_rates import Shared
from validation.support.edt.curved_rates import Bounds, Surd, _first_positive, first_drop_bounds, first_drop_linear

F = Fraction


def ramp_drop(shared: Shared, M: int, start: Fraction, slope: Fraction) -> Surd:
    """When the first of M bursts of R(t) = C + slope (t - start) loses a byte; at rate C until `start`.

    With h = t - start, Q = slope h^2 / 2, and Z' = alpha M slope h - (1 + alpha N) C is negative until h_0. Until then
    the steady ports follow the threshold, and (1 + alpha (M + N)) Q = alpha B at the loss; afterwards they lie
    e = alpha M slope (h - h_0)^2 / 2 above it, and (1 + alpha (M + N)) Q + alpha N e = alpha B.
    """
    a, B, C, N = shared.alpha, shared.B, shared.C, shared.N
    whole, above = 1 + a * (M + N), a * N * a * M
    turn = (1 + a * N) * C / (a * M * slope)
    square = 2 * a * B / (slope * whole)
    if square <= turn**2:
        return Surd(start, 1, square)
    middle = above * turn / (whole + above)
    return Surd(start + middle, 1, middle**2 - (above * turn**2 - 2 * a * B / slope) / (whole + above))


CASES = [
    (Shared(alpha, F(B), C, N), M, start, slope)
    for alpha, B, (C, M, N), (start, slope) in product(
        [F(1, 2), F(1), F(3)],
        [F(1, 8), 3, 40, 600],
        [(F(1), 1, 1), (F(2), 2, 1), (F(1, 2), 1, 3), (F(3), 3, 2), (F(2), 2, 0)],
        [(F(0), F(1)), (F(3, 2), F(1, 2)), (F(2), F(5))],
    )
]


def ramp(C: Fraction, start: Fraction, slope: Fraction) -> list[tuple[Fraction, Fraction, Fraction]]:
    return [*([(F(0), C, F(0))] if start else []), (start, C, slope)]


def test_a_ramp_loses_its_first_byte_at_the_root_of_its_equation() -> None:
    passed = 0
    for shared, M, start, slope in CASES:
        expected = ramp_drop(shared, M, start, slope)
        turn = start + (1 + shared.alpha * shared.N) * shared.C / (shared.alpha * M * slope)
        passed += shared.N > 0 and Surd(turn) < expected
        assert first_drop_linear(shared, M, ramp(shared.C, start, slope), F(10**4)) == expected
    assert passed > 50, "ramps beside steady ports that have passed the turning point"


def test_how_a_ramp_is_cut_into_pieces_does_not_matter() -> None:
    for shared, M, start, slope in CASES[::7]:
        C = shared.C
        cuts = [start + F(k, 3) for k in range(24)]
        pieces = [*([(F(0), C, F(0))] if start else []), *((t, C + slope * (t - start), slope) for t in cuts)]
        assert first_drop_linear(shared, M, pieces, F(10**4)) == ramp_drop(shared, M, start, slope)


def test_a_ramp_that_falls_after_it_has_risen_leaves_the_threshold_where_it_was_lowest() -> None:
    """alpha = M = N = C = 1, R = 1 + t until 4, then 9 - t: Z turns up at t = 2, where it is -2, and down at 6.

    Q = t^2 / 2 until 4, then 8 + 4 h - h^2 / 2, and Z = Q - 2 t. The first loss is where 2 Q = B - Q - (Z + 2), that is
    4 Q = B - 2 + 2 t: 32 + 16 h - 2 h^2 = 46 + 2 h for B = 40, and 68 + 2 h, which it never is, for B = 62.
    """
    rate = [(F(0), F(1), F(1)), (F(4), F(5), F(-1))]
    assert first_drop_linear(Shared(F(1), F(40), F(1), 1), 1, rate, F(8)) == Surd(F(15, 2), -1, F(21, 4))
    assert first_drop_linear(Shared(F(1), F(62), F(1), 1), 1, rate, F(8)) is None


def test_nothing_is_lost_before_the_end_unless_the_root_lies_before_it() -> None:
    shared = Shared(F(1), F(3), F(1), 1)  # 3 t^2 / 2 = 3
    for until, found in (("1", None), ("7/5", None), ("140/99", None), ("99/70", Surd(F(0), 1, F(2)))):
        assert first_drop_linear(shared, 1, [(F(0), F(1), F(1))], F(until)) == found
    assert first_drop_linear(Shared(F(1), F(6), F(1), 1), 1, [(F(0), F(1), F(1))], F(2)) is None, "only at 2 itself"


def test_what_comes_at_or_after_the_end_is_not_looked_at() -> None:
    shared = Shared(F(1), F(60), F(1), 1)
    low = [(F(0), F(2), F(0)), (F(3), F(1, 2), F(0)), (F(4), F(9), F(0))]
    assert first_drop_linear(shared, 1, low, F(3)) is None
    assert first_drop_linear(shared, 1, low, F(2)) is None
    with refused("rate[1]", "1/2 from 3 s on", "a rate of at least C = 1 throughout"):
        first_drop_linear(shared, 1, low, F(5))


@pytest.mark.parametrize(("slope", "until", "fine"), [("-1", 2, True), ("-1", "21/10", False), ("-2", 2, False)])
def test_a_falling_rate_may_come_down_to_c_but_not_below(slope: str, until: int | str, fine: bool) -> None:
    shared, rate = Shared(F(1), F(600), F(3), 1), [(F(0), F(5), F(slope))]
    if fine:
        assert first_drop_linear(shared, 1, rate, F(until)) is None
    else:
        with pytest.raises(InputError, match="at least C = 3"):
            first_drop_linear(shared, 1, rate, F(until))


def interval(value: Fraction) -> Any:
    return iv.mpf(value.numerator) / value.denominator


def encloses(found: Bounds, exact: Surd, before: Fraction, after: Fraction) -> None:
    """The bounds lie on both sides of the exact time, and no farther from it than said."""
    assert found.latest is not None
    assert not exact < Surd(found.earliest)
    assert not Surd(found.latest) < exact
    assert exact < Surd(found.earliest + before)
    assert Surd(found.latest - after) < exact


@pytest.mark.parametrize("case", [case for case in CASES if case[2] == 0])
def test_bounds_enclose_the_root_of_a_ramp_and_close_in_on_it(case: tuple[Shared, int, Fraction, Fraction]) -> None:
    shared, M, _, slope = case
    exact = ramp_drop(*case)
    until = 2 * exact.bounds(8)[1]
    found = first_drop_bounds(shared, M, lambda t: interval(shared.C) + interval(slope) * t, until, cells=256)
    cell = until / 256
    encloses(found, exact, (50 if shared.B > 1 else 128) * cell, 5 * cell)


@pytest.mark.parametrize(("R", "exact"), [(3, F(60, 9)), (12, F(60, 5 * 42))])
@pytest.mark.parametrize("scale", [F(1, 100), F(1), F(50)])
def test_bounds_of_constant_bursts_close_in_on_theorem_1(R: int, exact: Fraction, scale: Fraction) -> None:
    """alpha = 2, B = 30, C = 2, M = 2, N = 2: R = 3 is slow, 60 / 9; R = 12 is fast, 60 / (5 (5 * 10 - 8))."""
    shared = Shared(F(2), 30 * scale, 2 * scale, 2)
    found = first_drop_bounds(shared, 2, lambda t: interval(R * scale) + 0 * t, 2 * exact, cells=200)
    encloses(found, Surd(exact), exact / 5, exact / 50)


def test_bounds_say_when_nothing_is_proven_to_be_lost() -> None:
    """B = 30 holds a burst of rate 3 until 60 / 9: to 5 nothing is lost, and up to 60 / 9 nothing is proven."""
    shared = Shared(F(2), F(30), F(2), 2)
    assert first_drop_bounds(shared, 2, lambda t: 3 + 0 * t, F(5), cells=200) == (5, None)
    earliest, latest = first_drop_bounds(shared, 2, lambda t: 3 + 0 * t, F(20, 3), cells=200)
    assert earliest < F(20, 3)
    assert latest is None
    with pytest.raises(InputError) as error:
        first_drop_bounds(shared, 2, lambda t: 3 + 0 * t, F(5), cells=0)
    assert (error.value.field, error.value.accepted) == ("cells", "a whole number of at least 1")
    assert first_drop_bounds(shared, 2, lambda t: 3 + 0 * t, F(5), cells=1) == (0, None)


@pytest.mark.parametrize(("N", "B"), [(0, 4), (1, 6)])
def test_bounds_know_that_a_queue_is_empty_before_the_rate_exceeds_c(N: int, B: int) -> None:
    """R = t with C = 1: Q = (t - 1)^2 / 2 after 1, and (2 + N) Q = B at 3; Z turns there at the earliest."""
    found = first_drop_bounds(Shared(F(1), F(B), F(1), N), 1, lambda t: t, F(4), cells=400)
    encloses(found, Surd(F(3)), F(1, 5), F(1, 40))


def test_bounds_are_as_close_as_their_cells_where_intervals_are_exact() -> None:
    """alpha = 1, N = 0, C = 1, R = 3: 4 t = B, and within a cell the gap is at most 2 (3 end - begin) - B."""
    constant = [
        first_drop_bounds(Shared(F(1), F(B), F(1), 0), 1, lambda t: 3 + 0 * t, F(4), cells=4) for B in (8, 9, 10)
    ]
    assert constant == [(1, 3), (1, 3), (2, 3)]
    assert first_drop_bounds(Shared(F(1), F(8), F(1), 0), 1, lambda t: 3 + 0 * t, F(2), cells=4).latest is None
    # A fast burst beside one port: 24 / (2 (2 * 8 - 2)) = 6 / 7 is found at 7 / 8.
    assert first_drop_bounds(Shared(F(1), F(24), F(2), 1), 1, lambda t: 10 + 0 * t, F(1), cells=8).latest == F(7, 8)


def test_surds_are_rounded_to_the_nearest_float() -> None:
    """However small a surd is, and however much cancels: sqrt(2) = 1.41421356237309504880168872420969807857."""
    assert float(Surd(F(0), 1, F(2, 10**60))) == float("1.41421356237309504880168872420969807857e-30")
    assert float(Surd(F(14142135623730951, 10**16), -1, F(2))) == float("5.119831127579030192143e-17")
    assert float(Surd(F(1, 3))) == 1 / 3


def test_surds_have_one_form() -> None:
    assert (Surd(F(3), -1).sign, Surd(F(3), -1, F(4)).sign) == (1, 1)
    assert Surd(F(0), radicand=F(2)) == Surd(F(0), 1, F(2))
    assert Surd(F(5)) == Surd(F(5), -1) == Surd(F(3), 1, F(4)) == Surd(F(7), -1, F(4))
    assert Surd(F(1), 1, F(2, 9)) != Surd(F(1), -1, F(2, 9))
    assert Surd(F(1), -1, F(2)) + F(3) == Surd(F(4), -1, F(2))


def test_a_surd_is_less_than_the_upper_end_of_its_first_enclosure() -> None:
    for sign in (1, -1):
        root = Surd(F(1), sign, F(2))
        low, high = root.bounds(32)
        assert Surd(low) < root < Surd(high)
        assert not root < Surd(low)
        assert not Surd(high) < root


def test_a_surd_lies_within_its_bounds_and_solves_its_polynomial():
    small, large = Surd(F(3), -1, F(5)), Surd(F(3), 1, F(5))
    assert small.polynomial() == large.polynomial() == (-6, 4)
    for surd, value in ((small, 0.7639320225002103), (large, 5.23606797749979)):
        low, high = surd.bounds(8)
        assert low < F(value) < high
        assert high - low == F(1, 256)
        assert float(surd) == value
    assert Surd(F(3)).bounds(8) == (3, 3)
    assert Surd(F(3), -1, F(4, 9)) == Surd(F(7, 3))
    assert Surd(F(3), -1, F(0)) == Surd(F(3))


def test_surds_that_nearly_agree_are_told_apart():
    root, near = Surd(F(0), 1, F(2)), F(14142135623730951, 10**16)
    assert root < Surd(near)
    assert not Surd(near) < root
    assert not root < root  # noqa: PLR0124 - a strict order


@pytest.mark.parametrize(
    ("coefficients", "infimum"),
    [
        ((0, 0, 1), 0), ((-1, -1, 1), 0), ((0, 1, 0), 0), ((-1, 1, 0), 0), ((1, 0, 0), 0), ((1, -1, 0), 1),
        ((0, 0, 0), None), ((-1, 0, 0), None), ((-1, -1, 0), None), ((0, -1, 0), None),
        ((0, 2, -6), 3), ((0, 0, -1), None), ((0, -1, -1), None),
        ((1, -1, -2), 2), ((2, 2, -4), 1), ((4, 0, -1), F(1, 2)),
        ((-1, 3, -2), 1), ((-2, 8, -6), 1), ((-4, 8, -3), F(1, 2)),
        ((-1, 2, -1), None), ((-1, 1, -1), None), ((-1, -3, -2), None), ((0, 2, 0), 0), ((3, 2, 0), 0), ((-3, 2, 0), 0),
        ((-1, 1, F(-3, 16)), F(1, 4)), ((-1, F(-1, 2), F(-1, 100)), None), ((-1, F(1, 2), F(-1, 25)), F(1, 10)),
    ],
)  # fmt: skip
def test_when_a_quadratic_becomes_positive(coefficients, infimum):
    found = _first_positive(tuple(map(F, coefficients)))
    assert found == (None if infimum is None else Surd(F(infimum)))


def test_a_rate_that_rises_past_the_turning_point_is_cut_there():
    """R(t) = 1 + t beside nobody: q = t^2/2 meets T = 6 - q at sqrt(6), and Z turns at R = 2, t = 1, on the way."""
    shared = Shared(F(1), F(6), F(1), 0)
    rising = [(F(0), F(1), F(1))]
    assert first_drop_linear(shared, 1, rising, F(9)) == Surd(F(0), 1, F(6))
    with pytest.raises(InputError, match="throughout"):
        first_drop_linear(shared, 1, [(F(0), F(2), F(-1))], F(9))
