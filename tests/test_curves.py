"""Piecewise-linear functions: sums, bounds, compositions and inverses are what they are at every point."""

import random
from fractions import Fraction

from dtmodel.base.curves import Curve, line, total

F = Fraction


def drawn(rng: random.Random) -> Curve:
    places = sorted(rng.sample(range(-5, 6), rng.randint(1, 3)))
    heights = [F(rng.randint(-5, 5))]
    for _ in places[1:]:
        heights.append(heights[-1] + rng.choice([0, 0, 1, 2, F(1, 2)]))
    ends = [F(rng.choice([0, 0, 1, F(1, 2), 2])) for _ in range(2)]
    return Curve([(F(x), y) for x, y in zip(places, heights, strict=True)], *ends)


def test_operations_on_curves_are_operations_on_their_values() -> None:
    rng = random.Random(1)
    for _ in range(300):
        a, b = drawn(rng), drawn(rng)
        upper, lower, both, inner = a.upper(b), a.lower(b), total([(2, a), (1, b)]), a.after(b)
        back = total([(1, line(F(1))), (1, a)]).inverse()
        for x in (F(rng.randint(-40, 40), rng.choice([1, 2, 3])) for _ in range(6)):
            assert (upper(x), lower(x)) == (max(a(x), b(x)), min(a(x), b(x)))
            assert (both(x), inner(x), back(x + a(x))) == (2 * a(x) + b(x), a(b(x)), x)


def test_the_last_place_of_a_value_is_the_greatest() -> None:
    rng = random.Random(2)
    for _ in range(300):
        curve, value = drawn(rng), F(rng.randint(-12, 12), 2)
        last = curve.last(value)
        if last is not None:
            assert curve(last) <= value < curve(last + F(1, 100))
        else:
            assert 0 in (curve.left, curve.right)


def test_a_curve_that_has_one_value_is_constant() -> None:
    assert line(F(0), F(3)).constant
    assert not line(F(1)).constant
    assert total([]).constant
