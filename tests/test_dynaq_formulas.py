"""DynaQ's SymPy formulas against the exact functions, and the statements that show them."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dtmodel.theory import dynaq
from dtmodel.theory import dynaq_formulas as formulas
from dtmodel.theory import dynaq_statements as statements
from dtmodel.theory import service_queue_schemes as schemes

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
    assert at(formulas.weighted_bdp().rhs, C=C, RTT=RTT, **given_) == rational(wbdp)
    assert at(formulas.initial_threshold().rhs, B=B, **given_) == rational(dynaq.initial_thresholds(Fraction(B), w)[0])
    S = dynaq.satisfaction_thresholds(Fraction(B), w)[0]
    assert at(formulas.satisfaction_threshold().rhs, B=B, **given_) == rational(S)
    margin = dynaq.margins(Fraction(B), Fraction(C), Fraction(RTT), w)[0]
    assert at(formulas.margin(), B=B, C=C, RTT=RTT, **given_) == rational(margin)


@given(SIZES, SIZES)
def test_equations_3_and_5_are_the_exact_functions(a, b):
    (more,) = dynaq.extra_buffer([Fraction(a)], [Fraction(b)])
    assert at(formulas.extra_buffer().rhs, T_i=a, S_i=b) == rational(more)
    assert at(formulas.output_rate().rhs, lambda_i=a, alpha_i=b) == rational(
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
    assert at(formulas.pmsb_port_threshold().rhs, **given_) == rational(schemes.pmsb_port_threshold(D, lam))
    part = schemes.pmsb_queue_thresholds(D, w, lam)[0]
    assert at(formulas.pmsb_queue_threshold().rhs, w_i=1, W=queues, **given_) == rational(part)
    mq = schemes.mq_ecn_threshold(Fraction(quantum), Fraction(7), Fraction(C), Fraction(RTT), lam)
    assert at(formulas.mq_ecn_threshold().rhs, quantum_i=quantum, T_round=7, **given_) == rational(mq)
    assert at(formulas.tcn_threshold().rhs, **given_) == rational(schemes.tcn_threshold(Fraction(RTT), lam))
    assert at(formulas.pql_quota().rhs, B=C, w_i=1, W=queues) == rational(schemes.pql_quotas(Fraction(C), w)[0])


def test_the_inequalities_6_and_7_are_as_printed():
    assert str(formulas.fair_sharing()) == "q_max_i >= WBDP_i"
    assert str(formulas.work_conservation()) == "sum_q >= C*RTT"


@pytest.mark.parametrize("name", [name for name in statements.__all__ if name not in {"BIBTEX", "SYMBOLS"}])
def test_every_statement_reads_as_text_html_and_latex(name):
    statement = getattr(statements, name)
    assert statement.id in str(statement)
    assert "<math" in statement._repr_html_()
    assert statement._repr_latex_().startswith("$$")
    assert "kim2023dynaq" in statement.citation()
