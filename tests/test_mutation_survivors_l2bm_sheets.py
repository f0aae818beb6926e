"""What the mutants of the two parameter sheets taught: every field of every row, and every warning at its border."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dtmodel.errors import InputError
from dtmodel.theory import buffer_profile_parameters, l2bm_parameters
from dtmodel.theory.buffer_profile import Limit, burst_first_drop, in_cells, steady_state
from dtmodel.theory.buffer_profile_parameters import Group, SharedPool

F = Fraction
ONE = F(1)

EQ4, EQ8, EQ9 = (f"L2BM paper, equation ({number})" for number in (4, 8, 9))
SAME, EVERY = "DT with the same alpha", "every active queue lies on its threshold, with constant sojourn times"
FILLED, LEFT = r"\frac{W B}{1 + W}", r"\frac{B}{1 + W}"


def rows(sheet):
    return [(p.name, p.symbol, p.value, p.unit, p.formula, p.source, p.assumption) for p in sheet.parameters]


def test_the_whole_sheet_of_l2bm_for_a_fast_and_a_slow_queue():
    """B = 114, alpha = 1/8, tau = 1 and 4: C = 5, w = 5/8 and 5/32, W = 25/32; DT: 2/8; DT with W / 2: 25/64 each."""
    sheet = l2bm_parameters.parameters(buffer=114, sojourns=[1, 4], alpha="1/8")
    assert sheet.title == "L2BM beside DT, in steady state"
    assert rows(sheet) == [
        ("normaliser", "C", 5, "seconds", r"\sum_j \tau_j", "L2BM paper, Section III-C", ""),
        ("total_weight", "W", F(25, 32), "", r"\sum_i w_i, \ w_i = \alpha C / \tau_i", EQ4, ""),
        ("occupancy_l2bm", "Q", 50, "bytes", FILLED, EQ8, EVERY),
        ("reserve_l2bm", "B - Q", 64, "bytes", LEFT, EQ8, ""),
        ("occupancy_dt", "Q", F(114, 5), "bytes", r"\frac{\alpha n B}{1 + \alpha n}", SAME, EVERY),
        ("reserve_dt", "B - Q", F(456, 5), "bytes", r"\frac{B}{1 + \alpha n}", SAME, ""),
        ("occupancy_dt_same_weight", "Q", 50, "bytes", FILLED, "DT with alpha = W/2, the same total weight", EVERY),
        ("reserve_dt_same_weight", "B - Q", 64, "bytes", LEFT, "DT with alpha = W/2, the same total weight", ""),
        ("reduction", "1 - Q / Q_{DT}", 1 - F(250, 114), "", "", "l2bm.ours.more-than-dt",
         "negative: L2BM holds more than DT with the same alpha"),
        ("queues_below_dt", r"\{i : T_i < T_{DT}\}", "2", "", r"C (1 + \alpha n) < \tau_i (1 + \alpha C H)",
         "l2bm.ours.below-dt-steady", ""),
        ("threshold_dt", "T_{DT}", F(57, 5), "bytes", r"\frac{\alpha B}{1 + \alpha n}",
         "DT with the same alpha, every queue", ""),
        ("threshold_dt_same_weight", "T_{DT}", 25, "bytes", r"\frac{W B}{n (1 + W)}",
         "DT with alpha = W/n, every queue", ""),
        ("weight_1", "w_1", F(5, 8), "", r"\alpha C / \tau_1", EQ4, ""),
        ("threshold_1", "T_1", 40, "bytes", r"\frac{B w_1}{1 + W}", EQ9, ""),
        ("weight_2", "w_2", F(5, 32), "", r"\alpha C / \tau_2", EQ4, ""),
        ("threshold_2", "T_2", 10, "bytes", r"\frac{B w_2}{1 + W}", EQ9, ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("how", "constant", "formula"),
    [
        ("sum", 6, r"\sum_j \tau_j"),
        ("mean", 3, r"\frac{1}{n} \sum_j \tau_j"),
        ("harmonic", F(8, 3), r"\frac{n}{\sum_j 1/\tau_j}"),
        ("least", 2, r"\min_j \tau_j"),
        ("greatest", 4, r"\max_j \tau_j"),
        ("5 ms", F(1, 200), ""),
    ],
)
def test_the_normaliser_is_shown_with_its_formula(how, constant, formula):
    first = l2bm_parameters.parameters(buffer=10, sojourns=[2, 4], normalisation=how).parameters[0]
    assert (first.name, first.value, first.formula) == ("normaliser", constant, formula)


def test_no_queue_below_dt_is_said_in_a_word():
    assert l2bm_parameters.parameters(buffer=10, sojourns=[2, 2])["queues_below_dt"] == "none"
    assert l2bm_parameters.parameters(buffer=10, weights=["1/9", 3, "1/9"])["queues_below_dt"] == "1, 3"


def more(holds, leaves):
    return (
        f"L2BM holds {holds} more than DT with the same alpha and leaves {leaves} to a newcomer; "
        "the normalisation 'harmonic' keeps DT's total (l2bm.ours.harmonic)"
    )


ONE_QUEUE = "with one active queue the weight is alpha, whatever its sojourn time (l2bm.ours.one-queue)"
EQUAL = "equal sojourn times: every weight is alpha n, however congested the queues are (l2bm.ours.equal)"
NO_LIMIT = "a threshold exceeds the buffer while the switch is empty: no limit then (l2bm.sec3c.upper-limit)"
BELOW = "some queue's threshold is below DT's at the same occupancy; with the paper's C, the sum, none ever is"


@pytest.mark.parametrize(
    ("given", "warnings"),
    [
        ({"sojourns": [1, 1], "alpha": 1}, (more("8 B", "12 B"), EQUAL, NO_LIMIT)),  # 48 of 60 against 40
        ({"sojourns": [1, 1], "alpha": "1/2"}, (more("10 B", "20 B"), EQUAL)),  # w = 1 is not above the buffer
        ({"sojourns": [1, 1], "alpha": "1/2", "normalisation": "harmonic"}, ()),
        ({"sojourns": [1, 2], "alpha": "1/2", "normalisation": "least"}, (BELOW,)),
        ({"sojourns": [3], "alpha": "1/2"}, (ONE_QUEUE,)),
        ({"sojourns": [3], "alpha": "1/2", "normalisation": "mean"}, ()),
        ({"sojourns": [4], "alpha": "1/2", "normalisation": "8"}, (more("10 B", "30 B"),)),
        ({"weights": ["1/2", "1/2"], "alpha": "1/2"}, ()),
        ({"weights": [1], "alpha": 1}, ()),
    ],
)
def test_the_warnings_of_l2bm_say_what_is_so_and_nothing_else(given, warnings):
    assert l2bm_parameters.parameters(buffer=60, **given).warnings == warnings


@pytest.mark.parametrize(
    ("given", "field", "accepted"),
    [
        ({"buffer": "0"}, "buffer", "a size greater than 0"),
        ({"buffer": "x"}, "buffer", "a size greater than 0"),
        ({"normalisation": "best"}, "normalisation", "a time greater than 0"),
        ({"normalisation": "0"}, "normalisation", "a time greater than 0"),
        ({"weights": ["x"], "sojourns": []}, "weights[0]", "a number greater than 0"),
        ({"alpha": "x"}, "alpha", "a number greater than 0"),
        ({"weights": [1]}, "weights", "either sojourn times or weights"),
    ],
)
def test_the_sheet_says_what_it_would_have_accepted(given, field, accepted):
    with pytest.raises(InputError) as caught:
        l2bm_parameters.parameters(**{"buffer": 60, "sojourns": [1], **given})
    assert caught.value.field == field
    assert caught.value.accepted.startswith(accepted)


A, B, C, D = Limit(F(2), ONE, F(6)), Limit(ONE, F(3), F(4)), Limit(F(1, 2)), Limit(None, F(0), F(5))


@pytest.mark.parametrize(
    ("size", "free"),
    [
        (30, 10),  # A and B have their caps: 3/2 F + 6 + 4 + 5
        (21, 4),  # B has its cap just now
        (20, F(18, 5)),  # only A has its cap: 5/2 F + 6 + 5
        (14, 2),  # neither has: 9/2 F + 5
        (5, 0),
    ],
)
def test_the_free_pool_solves_the_balance_whichever_caps_bind(size, free):
    state = steady_state(F(size), [B, D, A, C])
    assert (state.free, state.taken) == (free, size - free)
    assert state.thresholds == (3 + min(free, 4), 5, 1 + min(2 * free, 6), F(free, 2))


def test_a_cap_of_nothing_leaves_the_queue_its_reserve():
    assert steady_state(F(3), [Limit(ONE, F(7), F(0)), Limit(F(2))]).thresholds == (7, 2)


@pytest.mark.parametrize("cap", [None, 20, 21, 39])
def test_a_burst_drops_where_the_cap_of_the_other_queue_does_not_bind(cap):
    """F_0 = 60 - F_0 / 2 = 40, so that 20 just binds not; phi + min(phi / 2, 1) = 2 has the root 4/3."""
    held = [(Limit(F(1, 2), cap=None if cap is None else F(cap)), ONE)]
    assert burst_first_drop(F(60), held, Limit(ONE), ONE, F(3)) == 12
    assert burst_first_drop(F(60), held, Limit(ONE, F(4), F(10)), ONE, F(3)) == 7
    assert burst_first_drop(F(60), held, Limit(None, F(4), F(10)), ONE, F(3)) == 7


@pytest.mark.parametrize("limit", [Limit(F(1, 2), cap=F(11)), Limit(None, cap=F(9)), Limit(None, cap=F(60))])
def test_a_held_queue_at_its_cap_is_refused(limit):
    with pytest.raises(InputError) as caught:
        burst_first_drop(F(60), [(Limit(ONE), ONE), (limit, ONE)], Limit(ONE), ONE, F(3))
    assert caught.value.field == "held[1].cap"


@pytest.mark.parametrize(("alpha", "field"), [(None, "limit"), (F(0), "limit.alpha"), (F(-1, 2), "limit.alpha")])
def test_a_limit_has_a_weight_above_0_or_a_cap(alpha, field):
    with pytest.raises(InputError) as caught:
        Limit(alpha)
    assert caught.value.field == field


@pytest.mark.parametrize(("size", "cell", "taken"), [(5, 1, 5), (5, F(1, 2), 5), (5, F(3, 2), 6), (F(1, 9), 4, 4)])
def test_a_packet_takes_whole_cells_of_any_size(size, cell, taken):
    assert in_cells(F(size), F(cell)) == taken


LOSSY, LOSSLESS = Limit(F(1, 8), F(10)), Limit(F(1, 4), F(20), F(100))
SONIC = "dynamic_th n is alpha = 2^n, size is the queue's reserve, xoff its headroom (SONiC schema)"
STEADY, BOUND = "l2bm.ours.pool-steady", r"r + \min(\alpha F, c)"


def test_the_whole_sheet_of_a_pool_with_three_profiles():
    """F + 4 F / 8 + 2 * 100 + 50 = 3250 at F = 2000; alone: 3250 / 9 + 10, 100 + 20, and 50."""
    groups = (
        Group("lossy", 4, LOSSY),
        Group("lossless", 2, LOSSLESS, F(30), F(70)),
        Group("static", 1, Limit(None, cap=F(50))),
    )
    sheet = buffer_profile_parameters.parameters([SharedPool("p", F(3250), groups)])
    assert sheet.title == "Buffer configuration, with the queues named overloaded"
    assert sheet.warnings == ()
    assert rows(sheet) == [
        ("p.size", "S", 3250, "bytes", "", "BUFFER_POOL", SONIC),
        ("p.queues", "n", 7, "", "", "BUFFER_PG or BUFFER_QUEUE", ""),
        ("p.free", "F", 2000, "bytes", r"S - \sum_i \min(\alpha_i F, c_i)", STEADY, ""),
        ("p.lossy.alpha", r"\alpha", F(1, 8), "", r"2^{dynamic\_th}", "BUFFER_PROFILE", ""),
        ("p.lossy.reserved", "r", 10, "bytes", "", "BUFFER_PROFILE", ""),
        ("p.lossy.threshold", "T", 260, "bytes", BOUND, STEADY, ""),
        ("p.lossy.alone", "T_1", F(3250, 9) + 10, "bytes", BOUND, STEADY, "one queue alone"),
        ("p.lossless.alpha", r"\alpha", F(1, 4), "", r"2^{dynamic\_th}", "BUFFER_PROFILE", ""),
        ("p.lossless.reserved", "r", 20, "bytes", "", "BUFFER_PROFILE", ""),
        ("p.lossless.threshold", "T", 120, "bytes", BOUND, STEADY, ""),
        ("p.lossless.alone", "T_1", 120, "bytes", BOUND, STEADY, "one queue alone"),
        ("p.lossless.headroom", "H", 30, "bytes", "xoff", "BUFFER_PROFILE", ""),
        ("p.lossless.resume", "X", 70, "bytes", r"\max(xon, T - xon\_offset)", "SONiC schema", "at this threshold"),
        ("p.static.reserved", "r", 0, "bytes", "", "BUFFER_PROFILE", ""),
        ("p.static.threshold", "T", 50, "bytes", BOUND, STEADY, ""),
        ("p.static.alone", "T_1", 50, "bytes", BOUND, STEADY, "one queue alone"),
    ]


def test_a_pool_of_which_less_than_a_twentieth_stays_free_is_warned_about():
    pools = [SharedPool(f"p{alpha}", F(420), (Group("g", 1, Limit(F(alpha))),)) for alpha in (18, 19, 20, 41)]
    assert buffer_profile_parameters.parameters(pools).warnings == (
        "p20: with all these queues overloaded only 20 B stay free",
        "p41: with all these queues overloaded only 10 B stay free",
    )


def test_a_profile_that_pauses_without_headroom_is_warned_about():
    groups = tuple(
        Group(f"resume {resume}, headroom {headroom}", 1, LOSSY, F(headroom), None if resume is None else F(resume))
        for resume in (None, 0, 5)
        for headroom in (0, 30)
    )
    said = "pauses without headroom for what is in flight"
    assert buffer_profile_parameters.parameters([SharedPool("p", F(420), groups)]).warnings == (
        f"p: resume 0, headroom 0 {said}",
        f"p: resume 5, headroom 0 {said}",
    )
