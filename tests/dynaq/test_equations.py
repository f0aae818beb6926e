"""DynaQ's SymPy formulas against the exact functions, and the statements that show them."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dtmodel.theory import citations
from dtmodel.theory.dynaq import equations as formulas
from dtmodel.theory.dynaq import formulas as dynaq
from dtmodel.theory.dynaq import schemes, statements

F = Fraction
SIZES = st.integers(1, 50)


def rational(value):
    return sympy.Rational(Fraction(value).numerator, Fraction(value).denominator)


def at(formula, **values):
    return formula.subs({formulas.symbol(name): rational(value) for name, value in values.items()})


@given(st.lists(SIZES, min_size=1, max_size=5), SIZES, SIZES, SIZES)
def test_equations_1_2_and_4_are_the_exact_functions(weights, B, C, RTT):
    w = [Fraction(x) for x in weights]
    given_ = {"w_i": w[0], "W": sum(w)}
    wbdp = dynaq.weighted_bdp(Fraction(C), Fraction(RTT), w)[0]
    assert at(formulas.weighted_bdp_equation().rhs, C=C, RTT=RTT, **given_) == rational(wbdp)
    assert at(formulas.initial_threshold().rhs, B=B, **given_) == rational(dynaq.initial_thresholds(Fraction(B), w)[0])
    S = dynaq.satisfaction_thresholds(Fraction(B), w)[0]
    assert at(formulas.satisfaction_threshold().rhs, B=B, **given_) == rational(S)
    margin = dynaq.margins(Fraction(B), Fraction(C), Fraction(RTT), w)[0]
    assert at(formulas.margin(), B=B, C=C, RTT=RTT, **given_) == rational(margin)


@given(SIZES, SIZES)
def test_equations_3_and_5_are_the_exact_functions(a, b):
    (more,) = dynaq.extra_buffer([Fraction(a)], [Fraction(b)])
    assert at(formulas.extra_buffer_equation().rhs, T_i=a, S_i=b) == rational(more)
    assert at(formulas.output_rate_equation().rhs, lambda_i=a, alpha_i=b) == rational(
        dynaq.output_rate(Fraction(a), Fraction(b))
    )


@given(st.integers(2, 8), st.integers(2, 50), SIZES)
def test_the_bounds_are_the_exact_functions(M, L, S):
    deficit = dynaq.worst_deficit(M, Fraction(L), Fraction(1))
    assert at(formulas.deficit().rhs, M=M, L=L, g=1) == rational(deficit)
    bound = dynaq.threshold_alone_bound([Fraction(S)] * M, 0, Fraction(L))
    assert at(formulas.alone().rhs, S_p=S, S_min=S, M=M, L=L) == rational(bound)
    together = dynaq.threshold_of_always_active([Fraction(100 * S)] * M, (0, 1), Fraction(L))
    assert min(at(formulas.together().rhs, sum_S_A=200 * S, M=M, A=2, L=L), 100 * S * M) == rational(together)


@given(SIZES, SIZES, SIZES, st.integers(2, 5))
def test_the_schemes_of_section_2_3_are_the_exact_functions(C, RTT, quantum, queues):
    lam, D, w = Fraction(1, 3), Fraction(C * RTT), [Fraction(1)] * queues
    given_ = {"C": C, "RTT": RTT, "lambda": lam}
    assert at(formulas.pmsb_port_equation().rhs, **given_) == rational(schemes.pmsb_port_threshold(D, lam))
    part = schemes.pmsb_queue_thresholds(D, w, lam)[0]
    assert at(formulas.pmsb_queue_threshold().rhs, w_i=1, W=queues, **given_) == rational(part)
    mq = schemes.mq_ecn_threshold(Fraction(quantum), Fraction(7), Fraction(C), Fraction(RTT), lam)
    assert at(formulas.mq_ecn_equation().rhs, quantum_i=quantum, T_round=7, **given_) == rational(mq)
    assert at(formulas.tcn_equation().rhs, **given_) == rational(schemes.tcn_threshold(Fraction(RTT), lam))
    assert at(formulas.pql_quota().rhs, B=C, w_i=1, W=queues) == rational(schemes.pql_quotas(Fraction(C), w)[0])


def test_the_inequalities_6_and_7_are_as_printed():
    assert str(formulas.fair_sharing()) == "q_max_i >= WBDP_i"
    assert str(formulas.work_conservation()) == "sum_q >= C*RTT"


@pytest.mark.parametrize("name", statements.__all__)
def test_every_statement_reads_as_text_html_and_latex(name):
    statement = getattr(statements, name)
    assert statement.id in str(statement)
    assert "<math" in statement._repr_html_()
    assert statement._repr_latex_().startswith("$$")
    assert "kim2023dynaq" in statement.citation()


def holds_at(relation, **numbers):
    """Whether a shown relation holds at some numbers."""
    names = {symbol.name: symbol for symbol in relation.free_symbols}
    assert set(names) == set(numbers)
    return bool(relation.subs({names[name]: number for name, number in numbers.items()}))


def test_the_shown_bounds_hold_up_to_where_they_are_computed():
    """S_p = 20 and M = 3: (M-1)(L-g) = 2 (5-1) = 8; alone 20 + 2 (10-5) = 30; together 40 + (3-2) 5 = 45."""
    sizes = {"M": 3, "L": 5}
    assert [holds_at(formulas.deficit(), S_p=20, T_p=T, g=1, **sizes) for T in (11, 12, 13)] == [
        False,
        True,
        True,
    ]
    assert [holds_at(formulas.alone(), S_p=20, T_p=T, S_min=10, **sizes) for T in (29, 30, 31)] == [
        False,
        False,
        True,
    ]
    together = [holds_at(formulas.together(), sum_T_A=T, sum_S_A=40, A=2, **sizes) for T in (44, 45, 46)]
    assert together == [True, True, False]
    assert [holds_at(formulas.fair_sharing(), q_max_i=q, WBDP_i=7) for q in (6, 7)] == [False, True]
    assert [holds_at(formulas.work_conservation(), sum_q=q, C=7, RTT=2) for q in (13, 14)] == [False, True]


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
    assert value(formulas.pql_quota(), B=F(44), w_i=F(3), W=F(11)) == schemes.pql_quotas(F(44), weights)[1] == 12
    assert value(formulas.pmsb_port_equation(), **shown) == schemes.pmsb_port_threshold(C * RTT, lam)
    queue = value(formulas.pmsb_queue_threshold(), w_i=F(6), W=F(11), **shown)
    assert queue == schemes.pmsb_queue_thresholds(C * RTT, weights, lam)[2]
    for quantum, T_round in ((F(20), F(4)), (F(80), F(4))):
        slow = value(formulas.mq_ecn_equation(), quantum_i=quantum, T_round=T_round, **shown)
        assert slow == schemes.mq_ecn_threshold(quantum, T_round, C, RTT, lam)
    assert value(formulas.tcn_equation(), RTT=RTT, **{"lambda": lam}) == schemes.tcn_threshold(RTT, lam)


def test_the_equations_of_a_port_are_shown_as_they_are_computed():
    B, C, RTT, weights = F(66), F(7), F(5), [F(2), F(3), F(6)]
    share = {"w_i": F(6), "W": F(11)}
    assert value(formulas.weighted_bdp_equation(), C=C, RTT=RTT, **share) == dynaq.weighted_bdp(C, RTT, weights)[2]
    assert value(formulas.initial_threshold(), B=B, **share) == dynaq.initial_thresholds(B, weights)[2] == 36
    assert value(formulas.satisfaction_threshold(), B=B, **share) == 36
    assert value(formulas.extra_buffer_equation(), T_i=F(9), S_i=F(4)) == dynaq.extra_buffer([F(9)], [F(4)])[0] == 5
    for offered, fair in ((F(1, 4), F(1, 2)), (F(3, 4), F(1, 2))):
        shown = value(formulas.output_rate_equation(), lambda_i=offered, alpha_i=fair)
        assert shown == dynaq.output_rate(offered, fair) == min(offered, fair)


def test_the_papers_symbols_are_positive_numbers():
    assert formulas.symbol("B").is_positive
    assert all(each.is_positive for each in formulas.symbol("C RTT"))


def test_every_statement_says_where_it_comes_from():
    ours, schemes_of = "own theorem, on DynaQ paper, Algorithm 1", "DynaQ paper, Section 2.3"
    named = {name: getattr(statements, name) for name in statements.__all__ if name.islower()}
    assert {name: (each.id, each.source) for name, each in named.items()} == {
        "weighted_thresholds": ("dynaq.eq4", "DynaQ paper, equations (1) to (4)"),
        "conditions": ("dynaq.ours.joint", "DynaQ paper, equations (5) to (7), corrected"),
        "invariants": ("dynaq.ours.active-satisfied", ours),
        "refused_queue_deficit": ("dynaq.ours.deficit", ours),
        "one_active_queue": ("dynaq.ours.alone", ours),
        "active_queues_together": ("dynaq.ours.together", ours),
        "repair": ("dynaq.ours.repair", ours),
        "rate_of_a_queue": ("dynaq.eq5", "DynaQ paper, equation (5)"),
        "fair_sharing_condition": ("dynaq.eq6.necessary", "DynaQ paper, inequality (6)"),
        "work_conservation_condition": ("dynaq.eq7.necessary", "DynaQ paper, inequality (7)"),
        "pql": ("dynaq.sec2.3.pql-quota", schemes_of),
        "pmsb": ("dynaq.sec2.3.pmsb.k", schemes_of),
        "mq_ecn": ("dynaq.sec2.3.mq-ecn.k", schemes_of),
        "tcn": ("dynaq.sec2.3.tcn.t", schemes_of),
    }
    assert all(each.bibtex == citations.DYNAQ for each in named.values())
