"""DynaQ's statements: what each shows is what the exact functions compute."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtmodel.errors import InputError
from dtmodel.theory import citations
from dtmodel.theory.dynaq import formulas as dynaq
from dtmodel.theory.dynaq import schemes, statements
from dtmodel.theory.statement import Statement

F = Fraction
SIZES = st.integers(1, 50)
NAMED = {name: getattr(statements, name) for name in statements.__all__}
SHOWN = {each.id: each.expressions for each in NAMED.values()}


def shown(statement: Statement, result: str, **numbers: Any) -> Fraction:
    """Put numbers for all symbols of the expression that a statement shows for a result."""
    expression = SHOWN[statement.id][result]
    assert {symbol.name for symbol in expression.free_symbols} == set(numbers)
    value = expression.subs({symbol: F(numbers[symbol.name]) for symbol in expression.free_symbols})
    return F(int(value.p), int(value.q))


@settings(max_examples=25)
@given(st.lists(SIZES, min_size=2, max_size=5), SIZES, SIZES, SIZES)
def test_equations_1_to_4_are_the_exact_functions(weights: list[int], B: int, C: int, RTT: int) -> None:
    w, share = [F(x) for x in weights], {"w_i": weights[0], "W": sum(weights)}
    law, S = statements.weighted_thresholds, dynaq.satisfaction_thresholds(F(B), w)
    assert shown(law, "WBDP_i", C=C, RTT=RTT, **share) == dynaq.weighted_bdp(F(C), F(RTT), w)[0]
    assert shown(law, "T_init", B=B, **share) == dynaq.initial_thresholds(F(B), w)[0]
    assert shown(law, "S_i", B=B, **share) == S[0]
    assert shown(law, "extra", B=B, T_i=7, **share) == dynaq.extra_buffer([F(7)], S[:1])[0]
    assert shown(law, "margin", B=B, C=C, RTT=RTT, **share) == dynaq.margins(F(B), F(C), F(RTT), w)[0]
    longest = shown(statements.fair_sharing_condition, "q_max", C=C, RTT=RTT, **share)
    assert longest == dynaq.weighted_bdp(F(C), F(RTT), w)[0]


@settings(max_examples=25)
@given(SIZES, SIZES)
def test_equations_5_and_7_are_the_exact_functions(a: int, b: int) -> None:
    assert shown(statements.rate_of_a_queue, "mu_i", lambda_i=a, alpha_i=b) == dynaq.output_rate(F(a), F(b))
    assert shown(statements.work_conservation_condition, "queued", C=a, RTT=b) == a * b
    assert shown(statements.conditions, "B", C=a, RTT=b) == dynaq.bdp(F(a), F(b)) == a * b


@settings(max_examples=25)
@given(st.integers(2, 8), st.integers(2, 50), SIZES)
def test_the_bounds_are_the_exact_functions(M: int, L: int, S: int) -> None:
    deficit = shown(statements.refused_queue_deficit, "deficit", M=M, L=L, g=1)
    assert deficit == dynaq.worst_deficit(M, F(L), F(1))
    alone = shown(statements.one_active_queue, "T_p", S_p=S, S_min=S, M=M, L=L)
    assert alone == dynaq.threshold_alone_bound([F(S)] * M, 0, F(L))
    together = shown(statements.active_queues_together, "T_A", S_A=200 * S, M=M, A=2, L=L)
    assert min(together, 100 * S * M) == dynaq.threshold_of_always_active([F(100 * S)] * M, (0, 1), F(L))


def test_the_shown_bounds_in_numbers() -> None:
    """S_p = 20 and M = 3: (M-1)(L-g) = 2 (5-1) = 8; alone 20 + 2 (10-5) = 30; together 40 + (3-2) 5 = 45."""
    assert shown(statements.refused_queue_deficit, "deficit", M=3, L=5, g=1) == 8
    assert shown(statements.one_active_queue, "T_p", S_p=20, S_min=10, M=3, L=5) == 30
    assert shown(statements.active_queues_together, "T_A", S_A=40, M=3, A=2, L=5) == 45
    assert statements.refused_queue_deficit.evaluate(M=3, L=6, g=2).deficit == 8
    with pytest.raises(InputError, match="g: got 4"):
        statements.refused_queue_deficit.evaluate(M=3, L=6, g=4)
    relations = [one.conclusions[0].rel_op for one in (statements.refused_queue_deficit, statements.one_active_queue)]
    assert [*relations, statements.active_queues_together.conclusions[0].rel_op] == ["<=", ">", "<="]
    conditions = (statements.fair_sharing_condition, statements.work_conservation_condition)
    assert [condition.conclusions[0].rel_op for condition in conditions] == [">=", ">="]


@settings(max_examples=25)
@given(SIZES, SIZES, SIZES, st.lists(SIZES, min_size=2, max_size=5))
def test_the_schemes_of_section_2_3_are_the_exact_functions(C: int, RTT: int, quantum: int, weights: list[int]) -> None:
    lam, D, w = F(1, 3), F(C * RTT), [F(x) for x in weights]
    share, link = {"w_i": w[-1], "W": sum(w)}, {"C": C, "RTT": RTT, "lambda": lam}
    assert shown(statements.pmsb, "K", **link) == schemes.pmsb_port_threshold(D, lam)
    assert shown(statements.pmsb, "K_i", **link, **share) == schemes.pmsb_queue_thresholds(D, w, lam)[-1]
    rounds = schemes.mq_ecn_threshold(F(quantum), F(7), F(C), F(RTT), lam)
    assert shown(statements.mq_ecn, "K_i", quantum_i=quantum, T_round=7, **link) == rounds
    assert shown(statements.tcn, "T", RTT=RTT, **{"lambda": lam}) == schemes.tcn_threshold(F(RTT), lam)
    assert shown(statements.pql, "Q_i", B=C, **share) == schemes.pql_quotas(F(C), w)[-1]


@pytest.mark.parametrize("statement", NAMED.values(), ids=list(NAMED))
def test_every_statement_reads_as_text_html_and_latex(statement: Statement) -> None:
    assert statement.id in str(statement)
    assert "<math" in statement._repr_html_()
    assert statement._repr_latex_().startswith("$$")
    assert statement.bibtex == citations.DYNAQ
    assert "kim2023dynaq" in statement.citation()


def test_every_statement_says_where_it_comes_from() -> None:
    ours, schemes_of = "own theorem, on DynaQ paper, Algorithm 1", "DynaQ paper, Section 2.3"
    assert {name: (each.id, each.source) for name, each in NAMED.items()} == {
        "weighted_thresholds": ("dynaq.eq4", "DynaQ paper, equations (1) to (4)"),
        "conditions": ("dynaq.ours.joint", "DynaQ paper, equations (5) to (7), corrected"),
        "invariants": ("dynaq.ours.active-satisfied", ours),
        "refused_queue_deficit": ("dynaq.ours.deficit", ours),
        "one_active_queue": ("dynaq.ours.alone", ours),
        "active_queues_together": ("dynaq.ours.together", ours),
        "repair": ("dynaq.ours.repair", ours),
        "recovery": ("dynaq.ours.recovery-rounds", ours),
        "rate_of_a_queue": ("dynaq.eq5", "DynaQ paper, equation (5)"),
        "fair_sharing_condition": ("dynaq.eq6.necessary", "DynaQ paper, inequality (6)"),
        "work_conservation_condition": ("dynaq.eq7.necessary", "DynaQ paper, inequality (7)"),
        "pql": ("dynaq.sec2.3.pql-quota", schemes_of),
        "pmsb": ("dynaq.sec2.3.pmsb.k", schemes_of),
        "mq_ecn": ("dynaq.sec2.3.mq-ecn.k", schemes_of),
        "tcn": ("dynaq.sec2.3.tcn.t", schemes_of),
    }
