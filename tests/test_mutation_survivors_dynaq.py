"""What the mutants of DynaQ taught: shown formulas against numbers, ties in every way, and the borders of warnings."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from dtmodel import InputError
from dtmodel.packet.dynaq import DynaQ
from dtmodel.packet.dynaq_systems import AnyOrder, AnyTies
from dtmodel.theory import dynaq, dynaq_formulas
from dtmodel.theory import service_queue_schemes as schemes
from dtmodel.theory.dynaq_parameters import parameters

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
