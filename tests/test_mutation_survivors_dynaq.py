"""What the mutants of DynaQ taught: shown formulas against numbers, ties in every way, and the borders of warnings."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from dtmodel import InputError
from dtmodel.packet.dynaq import DynaQ
from dtmodel.packet.dynaq_systems import AnyOrder, AnyTies
from dtmodel.theory import dynaq, dynaq_formulas, dynaq_statements
from dtmodel.theory import service_queue_schemes as schemes
from dtmodel.theory.dynaq_parameters import PRESETS, parameters

F = Fraction


def value(equation, **numbers):
    """What the right side of a shown equation is at some numbers; on its left there is a symbol."""
    assert isinstance(equation, sympy.Equality)
    assert equation.lhs.is_Symbol
    names = {symbol.name: symbol for symbol in equation.rhs.free_symbols}
    assert set(names) == set(numbers)
    right = equation.rhs.subs({names[name]: sympy.Rational(number) for name, number in numbers.items()})
    return F(int(right.p), int(right.q))


def test_the_thresholds_of_the_other_schemes_are_shown_as_they_are_computed():
    C, RTT, lam, weights = F(7), F(5), F(3, 2), [F(2), F(3), F(6)]
    shown = {"C": C, "RTT": RTT, "lambda": lam}
    assert value(dynaq_formulas.pql_quota(), B=F(44), w_i=F(3), W=F(11)) == schemes.pql_quotas(F(44), weights)[1] == 12
    assert value(dynaq_formulas.pmsb_port_threshold(), **shown) == schemes.pmsb_port_threshold(C * RTT, lam)
    queue = value(dynaq_formulas.pmsb_queue_threshold(), w_i=F(6), W=F(11), **shown)
    assert queue == schemes.pmsb_queue_thresholds(C * RTT, weights, lam)[2]
    for quantum, T_round in ((F(20), F(4)), (F(80), F(4))):
        slow = value(dynaq_formulas.mq_ecn_threshold(), quantum_i=quantum, T_round=T_round, **shown)
        assert slow == schemes.mq_ecn_threshold(quantum, T_round, C, RTT, lam)
    assert value(dynaq_formulas.tcn_threshold(), RTT=RTT, **{"lambda": lam}) == schemes.tcn_threshold(RTT, lam)


@pytest.mark.parametrize("weights", [(1, 1, 1), (1, 2, 1)])
def test_ties_in_every_way_are_the_ties_to_the_lowest_and_to_the_highest_together(weights):
    """With three queues a packet has two possible victims: what either tie-break does is all that can happen."""
    sizes = (1, 2)
    every, low, high = (
        kind(DynaQ(6, weights, tie_break=tie), sizes)
        for kind, tie in ((AnyTies, "low"), (AnyOrder, "low"), (AnyOrder, "high"))
    )
    seen = set(low.initial())
    todo = list(seen)
    while todo and len(seen) < 1500:
        state = todo.pop(0)
        expected = {*low.successors(state), *high.successors(state)}
        assert set(every.successors(state)) == expected
        new = {after for _, after in expected} - seen
        seen |= new
        todo += sorted(new)
    assert len(seen) > 200


def test_a_guarantee_is_never_less_than_nothing():
    assert dynaq.guaranteed_threshold(F(100), 5, F(1500), F(1)) == 0


def test_the_thresholds_of_queues_with_different_weights_count_for_themselves():
    S = [F(1000), F(2000), F(4000), F(8000)]
    assert dynaq.threshold_of_always_active(S, [0, 2], F(100)) == 1000 + 4000 + 2 * 100
    assert dynaq.threshold_of_always_active(S, [3, 1], F(100)) == 8000 + 2000 + 2 * 100
    assert dynaq.threshold_alone_bound(S, 1, F(100)) == 2000 + 3 * (1000 - 100)
    assert dynaq.threshold_alone_bound(S[:1], 0, F(100)) == 1000


def test_a_round_trip_takes_time():
    with pytest.raises(InputError, match="greater than 0"):
        parameters("85 KB", "1 Gbps", 0, [1, 1])


def warned(words, *arguments, **keywords):
    return any(words in warning for warning in parameters(*arguments, **keywords).warnings)


def test_a_satisfaction_threshold_smaller_than_a_packet_is_warned_of_from_two_queues_on():
    small = "smaller than a packet"
    assert warned(small, "9 KB", "1 Gbps", "50 us", [1, 9])  # 900 bytes and 8100
    assert not warned(small, "15 KB", "1 Gbps", "50 us", [1, 9])  # 1500 bytes: just a packet
    assert not warned(small, "1500", "1 Gbps", "10 us", [1])


def test_only_queues_that_cannot_fill_the_pipe_alone_are_named():
    alone = "A single active queue cannot fill"
    sheet = parameters("85 KB", "1 Gbps", "500 us", [1, 1, 1, 1])
    assert not any(alone in warning for warning in sheet.warnings)
    assert all(sheet[f"alone_fills_{i}"] for i in range(1, 5))
    sheet = parameters("85 KB", "1 Gbps", "500 us", [8, 1, 1])
    assert any(alone in warning for warning in sheet.warnings)
    assert [i for i in (1, 2, 3) if not sheet[f"alone_fills_{i}"]] == [
        i for i in (1, 2, 3) if any(alone in w and f"{i} (" in w for w in sheet.warnings)
    ]


def test_a_queue_whose_guarantee_is_its_weighted_bdp_is_covered():
    """S = 20000, and the least threshold is (M-1)(L-g) = 1499 less: 18501 bytes, just its half of the BDP."""
    sheet = parameters("40 KB", "37002", "1", [1, 1])
    assert (sheet["guaranteed_1"], sheet["weighted_bdp_1"], sheet["covered_1"]) == (18501, 18501, True)
    assert parameters("40 KB", "37003", "1", [1, 1])["covered_1"] is False


@pytest.mark.parametrize("weights", [[], [0, 1], [1, 0], [2, -1], [F(-1, 2), F(1, 2)]])
def test_there_are_no_shares_without_weights_above_0(weights):
    with pytest.raises(InputError) as error:
        dynaq.shares(weights)
    assert (error.value.field, error.value.value) == ("weights", weights)


def test_a_guarantee_that_is_just_the_weighted_bdp_covers_it():
    """20000 - 1499 = 18501 is the half of 37002; with sizes that are even, 20000 - 1498 = 18502 is guaranteed."""
    B, halves, L = F(40_000), [F(1), F(1)], F(1500)
    assert dynaq.covers(B, F(37_002), halves, L) == (True, True)
    assert dynaq.covers(B, F(37_003), halves, L) == dynaq.covers(B, F(37_004), halves, L) == (False, False)
    assert dynaq.covers(B, F(37_004), halves, L, F(2)) == (True, True)


def test_active_queues_have_no_more_threshold_than_there_is_buffer():
    assert dynaq.threshold_of_always_active([F(10), F(10), F(1)], [0, 1], F(5)) == 21
    assert dynaq.threshold_of_always_active([F(10), F(10), F(9)], [0, 1], F(5)) == 25


def test_the_equations_of_a_port_are_shown_as_they_are_computed():
    B, C, RTT, weights = F(66), F(7), F(5), [F(2), F(3), F(6)]
    share = {"w_i": F(6), "W": F(11)}
    assert value(dynaq_formulas.weighted_bdp(), C=C, RTT=RTT, **share) == dynaq.weighted_bdp(C, RTT, weights)[2]
    assert value(dynaq_formulas.initial_threshold(), B=B, **share) == dynaq.initial_thresholds(B, weights)[2] == 36
    assert value(dynaq_formulas.satisfaction_threshold(), B=B, **share) == 36
    assert value(dynaq_formulas.extra_buffer(), T_i=F(9), S_i=F(4)) == dynaq.extra_buffer([F(9)], [F(4)])[0] == 5
    for offered, fair in ((F(1, 4), F(1, 2)), (F(3, 4), F(1, 2))):
        shown = value(dynaq_formulas.output_rate(), lambda_i=offered, alpha_i=fair)
        assert shown == dynaq.output_rate(offered, fair) == min(offered, fair)


def at(relation, **numbers):
    """Whether a shown relation holds at some numbers."""
    names = {symbol.name: symbol for symbol in relation.free_symbols}
    assert set(names) == set(numbers)
    return bool(relation.subs({names[name]: number for name, number in numbers.items()}))


def test_the_shown_bounds_hold_up_to_where_they_are_computed():
    """S_p = 20 and M = 3: (M-1)(L-g) = 2 (5-1) = 8; alone 20 + 2 (10-5) = 30; together 40 + (3-2) 5 = 45."""
    sizes = {"M": 3, "L": 5}
    assert [at(dynaq_formulas.deficit(), S_p=20, T_p=T, g=1, **sizes) for T in (11, 12, 13)] == [False, True, True]
    assert [at(dynaq_formulas.alone(), S_p=20, T_p=T, S_min=10, **sizes) for T in (29, 30, 31)] == [False, False, True]
    together = [at(dynaq_formulas.together(), sum_T_A=T, sum_S_A=40, A=2, **sizes) for T in (44, 45, 46)]
    assert together == [True, True, False]
    assert [at(dynaq_formulas.fair_sharing(), q_max_i=q, WBDP_i=7) for q in (6, 7)] == [False, True]
    assert [at(dynaq_formulas.work_conservation(), sum_q=q, C=7, RTT=2) for q in (13, 14)] == [False, True]


def test_the_papers_symbols_are_positive_numbers():
    assert dynaq_formulas.symbol("B").is_positive
    assert all(each.is_positive for each in dynaq_formulas.symbol("C RTT"))


def test_every_statement_says_where_it_comes_from():
    ours = "own theorem, on DynaQ paper, Algorithm 1"
    named = {name: getattr(dynaq_statements, name) for name in dynaq_statements.__all__ if name.islower()}
    assert {name: (each.id, each.source) for name, each in named.items()} == {
        "thresholds": ("dynaq.eq4", "DynaQ paper, equations (1) to (4)"),
        "conditions": ("dynaq.ours.joint", "DynaQ paper, equations (5) to (7), corrected"),
        "invariants": ("dynaq.ours.active-satisfied", ours),
        "deficit": ("dynaq.ours.deficit", ours),
        "alone": ("dynaq.ours.alone", ours),
        "together": ("dynaq.ours.together", ours),
        "repair": ("dynaq.ours.repair", ours),
    }
    assert all(each.bibtex == dynaq_statements.BIBTEX for each in named.values())


# the sheet


def test_the_settings_of_the_paper_have_its_weights():
    assert {name: preset.weights for name, preset in PRESETS.items()} == {
        "testbed": (1, 1, 1, 1),
        "testbed-5": (1, 1, 1, 1, 1),
        "testbed-weights": (4, 3, 2, 1),
        "rack-10g": (1, 1, 1, 1, 1, 1, 1, 1),
        "rack-100g": (1, 1, 1, 1, 1, 1, 1, 1),
        "fabric-10g": (1, 1, 1, 1, 1, 1, 1, 1),
    }


def test_a_port_of_three_queues_worked_out_by_hand():
    """S = 10, 20, 30, WBDP = 2, 4, 6, (M-1)(L-g) = 2 (3-1); one alone: (12 + 2 3) 6 / min(1 + 2 2, 2 + 2, 3 + 2) = 27.

    Queue 1 alone takes from 2 and 3 in turn until one has less than 3: 6 times from 2, 6 times from 3: 10 + 36. Queue 2
    takes from 1 and 3 in turn, three times each: 20 + 18. So does queue 3 with 1 and 2: 30 + 18.
    """
    sheet = parameters(60, 12, 1, [1, 2, 3], packet=3, granularity=1)
    assert {p.name: p.value for p in sheet.parameters} == {
        "bdp": 12, "worst_deficit": 4, "buffer_one_active": 27, "pair_threshold": 10 + 20 + 3, "cycles": 6,
        "satisfaction_1": 10, "weighted_bdp_1": 2, "margin_1": 8, "guaranteed_1": 6, "covered_1": True,
        "alone_1": 46, "alone_fills_1": True,
        "satisfaction_2": 20, "weighted_bdp_2": 4, "margin_2": 16, "guaranteed_2": 16, "covered_2": True,
        "alone_2": 38, "alone_fills_2": True,
        "satisfaction_3": 30, "weighted_bdp_3": 6, "margin_3": 24, "guaranteed_3": 26, "covered_3": True,
        "alone_3": 48, "alone_fills_3": True,
    }  # fmt: skip
    assert len(sheet.warnings) == 1  # the one that always stands


def test_two_queues_have_a_pair_and_one_queue_has_none():
    """(10 + 3) 4 / (1 + 3) = 13, for either queue; a pair of two has the whole buffer."""
    two, one = parameters(40, 10, 1, [1, 3], packet=3), parameters(40, 10, 1, [2], packet=3)
    assert (two["buffer_one_active"], two["pair_threshold"]) == (13, 40)
    pairs = {"buffer_one_active", "pair_threshold"}
    assert pairs.isdisjoint(parameter.name for parameter in one.parameters)


def test_a_buffer_and_a_granularity_of_nothing_are_refused_as_such():
    with pytest.raises(InputError, match="greater than 0") as error:
        parameters(0, 10, 1, [1])
    assert error.value.field == "buffer"
    for granularity in (0, 1000):
        with pytest.raises(InputError) as error:
            parameters(4500, 10, 1, [1], packet=1500, granularity=granularity)
        assert (error.value.field, error.value.value) == ("granularity", granularity)
    assert parameters(4500, 10, 1, [1, 1], packet=1500, granularity=500)["worst_deficit"] == 1000


def test_a_queue_that_holds_just_a_bdp_alone_fills_the_pipe():
    """S = 10 and 10: queue 1 alone takes all that queue 2 has, in two packets of 5."""
    just, less = (parameters(20, rate, 1, [1, 1], packet=5) for rate in (20, 21))
    assert (just["alone_1"], just["alone_fills_1"], less["alone_fills_1"]) == (20, True, False)
    alone = "A single active queue cannot fill"
    assert [any(alone in warning for warning in sheet.warnings) for sheet in (just, less)] == [False, True]


def test_a_buffer_of_just_a_bdp_is_not_larger_than_it():
    larger = "B is not larger than the BDP"
    assert [warned(larger, 20, rate, 1, [1, 1], packet=5) for rate in (19, 20, 21)] == [False, True, True]


def test_pairs_are_warned_of_where_there_are_other_queues():
    """Three queues of 10: a pair has 10 + 10 + 1, since the packets have 1 byte."""
    pairs = "pairs of queues that are active from the start cannot hold"
    assert [warned(pairs, 30, rate, 1, [1, 1, 1], packet=1) for rate in (20, 21, 22)] == [False, False, True]
    assert warned("3 of 3 pairs", 30, 22, 1, [1, 1, 1], packet=1)
    assert not warned(pairs, 20, 22, 1, [1, 1], packet=1)


def test_the_queues_that_mixed_packet_sizes_can_leave_short_are_named():
    """(70 - 49) w_i / 7 = 3, 6, 9, 3 bytes above the weighted BDP, of which (4-1)(3-1) = 6 can be missing."""
    short = "short of its weighted BDP: queue 1, 4. With one packet size"
    assert warned(short, 70, 49, 1, [1, 2, 3, 1], packet=3)
    assert not warned("short of its weighted BDP", 70, 49, 1, [1, 2, 3, 1], packet=3, granularity=3)
