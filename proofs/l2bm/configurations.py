"""Real buffer configurations: one steady state for each, and what a reserve is worth."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.theory.buffer_profile import Limit, burst_first_drop, pool_steady_state

from .common import identity, nonnegative


@evidence("l2bm.ours.pool-steady", form="printed", strength="symbolic")
def the_balance_of_a_pool_has_one_root() -> Outcome:
    """F + sum min(alpha F, c) increases by at least d when F does by d, is at most S at 0 and at least S at S."""
    alpha, F, d, e = sympy.symbols("alpha F d e", positive=True)
    # min(alpha F, c) over a step d: below the cap at both ends, across it (c = alpha F + e), above it at both ends.
    nonnegative(alpha * (F + d) - alpha * F, strict=True)
    nonnegative((alpha * F + e) - alpha * F, strict=True)
    nonnegative((F + d) - F, strict=True)  # so the sum grows by at least d
    # At F = S the sum is at least S; at F = 0 it is the sum of the limits without alpha, at most S by assumption.
    cases = 0
    for size, first, second in product((1, 5, 9, 40), (None, 1, 6), (None, 2, 8)):
        caps = [None if c is None else Fraction(c) for c in (first, second)]
        limits = [Limit(Fraction(2), Fraction(1), caps[0]), Limit(Fraction(1, 2), Fraction(0), caps[1])]
        state = pool_steady_state(Fraction(size), limits)
        check(state.free + sum(limit.shared(state.free) for limit in limits) == size, f"{size}, {caps}")
        cases += 1
    return Proved(
        f"strictly increasing; {cases} instances solved", {"S": "55", "F": "23"}, ["F + min(2*F, 9) + F == S"]
    )


@evidence("l2bm.ours.reserve-first-drop", form="printed", strength="symbolic")
def a_reserve_fills_before_the_pool_is_touched() -> Outcome:
    """While Q < r the pool's balance does not contain Q: F rests; so the drop moves by the time to fill r."""
    r, growth, w, F0, phi, t = sympy.symbols("r growth w F0 phi t", positive=True)
    filled = sympy.solve(sympy.Eq(growth * t, r), t)[0]
    identity(filled, r / growth, "the time to fill")
    in_pool = sympy.solve(sympy.Eq(growth * (t - filled), w * (F0 - phi * (t - filled))), t)[0]
    identity(in_pool, r / growth + w * F0 / (growth + w * phi), "the drop")
    one = Fraction(1)
    for reserve in (0, 1, 7):
        held = [(Limit(one, 2 * one), one)] * 2
        drop = burst_first_drop(60 * one, held, Limit(one, Fraction(reserve)), one, 4 * one)
        plain = burst_first_drop(60 * one, held, Limit(one), one, 4 * one)
        check(drop - plain == Fraction(reserve, 3), f"reserve {reserve}")
    return Proved("t = r / (R - C) + t0", {"r": "6", "R": "4", "C": "1", "later": "2"}, ["later == r / (R - C)"])
