"""What the mutants of the threshold family taught: first drops by hand, borders, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from dtmodel.errors import InputError
from dtmodel.theory import l2bm
from dtmodel.theory import threshold_family as family
from dtmodel.theory.l2bm_statements import SYMBOLS, first_drop
from dtmodel.theory.threshold_family import Burst, Held, SteadyState

F = Fraction
ONE = F(1)


def test_a_queue_of_weight_0_drains_at_nothing_and_the_others_follow_or_drain():
    """phi + min(2 phi, 3) + min(phi, 9) = 8 has the root 5/2: the first drains at its 3, the second follows."""
    held = [Held(F(0), ONE), Held(F(2), F(3)), Held(ONE, F(9))]
    assert family.fall_rate(held, F(8)) == F(5, 2)
    assert family.fall_rate(held, F(6)) == F(3, 2)  # the border: 2 phi = 3
    assert family.fall_rate([], F(8)) == 8


def test_the_first_drop_counts_what_bursts_hold_and_what_offsets_take():
    """F_0 = (40 - 4 - 6) / 3 = 10. phi + min(2 phi, 3) = 2 + 6 has the root 5.

    Burst 0 has the room 10 + 1 - 4 = 7 and closes in at 2 + 5; burst 1 has the room 30 and closes in at 6 + 15.
    """
    bursts = [Burst(ONE, ONE, F(3), offset=ONE, initial=F(4)), Burst(F(3), F(2), F(8))]
    drop = family.first_drop(40, [Held(F(2), F(3), offset=F(6))], bursts)
    assert drop == family.FirstDrop(time=ONE, burst=0, free=F(5), fall=F(5), times=(ONE, F(10, 7)))


def test_a_burst_that_begins_on_its_threshold_drops_at_once():
    """F_0 = 6 - 3 = 3."""
    drop = family.first_drop(6, [], [Burst(ONE, ONE, F(3), initial=F(3))])
    assert (drop.time, drop.free) == (0, 3)
    with pytest.raises(InputError) as caught:
        family.first_drop(6, [], [Burst(ONE, ONE, F(3), initial=F(13, 4))])
    assert caught.value.field == "bursts[0].initial"


def test_a_threshold_that_is_met_just_when_the_buffer_is_full_is_met():
    """F = 6 - 2 t; the burst's 2 t meets F / 2 + b at t = 3 for b = 6, when F = 0, and later for a larger b."""
    drop = family.first_drop(6, [], [Burst(F(1, 2), ONE, F(3), offset=F(6))])
    assert (drop.time, drop.free) == (3, 0)
    with pytest.raises(InputError) as caught:
        family.first_drop(6, [], [Burst(F(1, 2), ONE, F(3), offset=F(25, 4))])
    assert caught.value.field == "offsets"


def test_offsets_may_fill_the_buffer():
    assert family.steady_state(6, [1, 2], [2, 4]) == SteadyState(F(0), F(6), (F(2), F(4)))


BURST = Burst(ONE, ONE, F(3))


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: family.first_drop(0, [], [BURST]), "buffer"),
        (lambda: family.first_drop(6, [], [Burst(-ONE, ONE, F(3))]), "bursts[0].weight"),
        (lambda: family.first_drop(6, [], [BURST, Burst(ONE, F(0), F(3))]), "bursts[1].rate"),
        (lambda: family.first_drop(6, [], [Burst(ONE, ONE, F(3), offset=-ONE)]), "bursts[0].offset"),
        (lambda: family.first_drop(6, [], [Burst(ONE, ONE, F(3), initial=-ONE)]), "bursts[0].initial"),
        (lambda: family.first_drop(6, [Held(ONE, ONE, offset=-ONE)], [BURST]), "held[0].offset"),
        (lambda: family.dt_weights(0, 2), "alpha"),
        (lambda: family.dt_weights(1, 0), "queues"),
        (lambda: family.abm_weights([1], [0, 0], [1]), "priorities"),
        (lambda: family.abm_weights([1], [-1], [1]), "priorities[0]"),
        (lambda: family.abm_weights([1], [0], [0]), "drains[0]"),
        (lambda: l2bm.self_consistent(6, [1, 1], 0), "alpha"),
        (lambda: l2bm.self_consistent(6, [1, 0], 1), "roots[1]"),
        (lambda: l2bm.self_consistent(6, [1, "x"], 1), "roots[1]"),
        (lambda: l2bm.thresholds(0, 0, [1], 1), "buffer"),
        (lambda: l2bm.compare_weights(6, [1, 0], 1), "weights[1]"),
        (lambda: l2bm.compare_weights(6, [1], 0), "alpha"),
    ],
)
def test_what_is_refused_is_named(call, field):
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.field == field


def test_a_full_buffer_leaves_thresholds_of_0():
    assert l2bm.thresholds(8, 8, [1, 3], "1/2") == (0, 0)


@pytest.mark.parametrize(
    ("how", "total"), [("sum", 12), ("mean", 3), ("harmonic", 3), ("greatest", 3), ("least", F(3, 4))]
)
def test_the_least_total_weight_of_four_queues_at_alpha_3_4(how, total):
    assert l2bm.least_total_weight(4, F(3, 4), how) == total


def test_the_steady_state_in_sympy():
    B, W, w = sympy.symbols("B W w", positive=True)
    placed = {name: form.subs({B: 12, W: 3, w: 2}) for name, form in family.steady_state_formulas().items()}
    assert placed == {"occupancy": 9, "free": 3, "threshold": 6}


def test_the_indices_of_the_shown_equations_are_whole_numbers():
    for name, equation in l2bm.formulas().items():
        indices = [s for s in equation.atoms(sympy.Symbol) if s.name in ("i", "k")]
        assert all(index.is_integer for index in indices), name
    assert {s.name for s in l2bm.formulas()["eq1"].atoms(sympy.Symbol)} >= {"i", "k"}


def test_the_statement_of_the_first_drop_explains_the_symbols_that_it_uses():
    assert [symbol.latex for symbol in first_drop.symbols] == ["B", "w_i", "C_i", "R_k", r"\varphi"]
    assert first_drop.symbols[0] == SYMBOLS[0]


@pytest.mark.parametrize("module", [l2bm, family])
def test_sympy_is_imported_when_it_is_needed_and_not_before(module):
    assert "sympy" not in vars(module)
