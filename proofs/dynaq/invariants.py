"""Inductive invariants of one step of Algorithm 1, for any sizes and thresholds: z3 and cvc5 agree, for M = 2 to 5.

Each obligation is the step of an induction whose base is the initial state T = S (equations (2) and (4)), q = 0. A
departure, line 1 and line 4 leave the thresholds alone, so that only lines 6 and 7 have to be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.provers import smt

from .common import QUEUES, Step, step

Obligation = Callable[[Step], tuple[Sequence[sympy.Basic], sympy.Basic]]


def for_each_number_of_queues(obligation: Obligation, detail: str) -> Proved:
    """Prove the obligation for M = 2 to 5; the example is that of M = 3."""
    examples = {M: smt.prove(*obligation(step(M))).example for M in QUEUES}
    return Proved(f"{detail} (M = {QUEUES[0]} to {QUEUES[-1]})", {str(k): str(v) for k, v in examples[3].items()})


@evidence("dynaq.sec3.2.2.sum", "dynaq.alg1.line6", "dynaq.alg1.line7", form="printed", strength="smt")
def thresholds_keep_their_sum() -> Outcome:
    """Prove sum T' = sum S from sum T = sum S for lines 6 and 7."""
    return for_each_number_of_queues(
        lambda x: ([*x.legal, *x.largest, *x.may_give], sympy.Eq(sum(x.T_new), sum(x.S))),
        "lines 6 and 7 keep the sum of the thresholds",
    )


@evidence("dynaq.sec3.2.2.order", form="printed", strength="smt")
def the_sum_never_exceeds_the_buffer_between_lines_6_and_7() -> Outcome:
    """Prove that after line 6 alone the sum is B - size(P), below B; line 7 first would make it exceed B."""
    return for_each_number_of_queues(
        lambda x: ([*x.legal, *x.largest, *x.may_give], sum(x.T) - x.s < sum(x.S)),
        "between the lines the sum is B less the packet",
    )


@evidence("dynaq.alg1.line3.first", form="printed", strength="smt")
def thresholds_stay_non_negative() -> Outcome:
    """Prove T' >= 0 for every queue."""
    return for_each_number_of_queues(
        lambda x: ([*x.legal, *x.largest, *x.may_give], sympy.And(*(T >= 0 for T in x.T_new))),
        "the first condition of line 3 keeps every threshold non-negative",
    )


@evidence(
    "dynaq.alg1.line3.second", "dynaq.ours.active-satisfied", "dynaq.sec3.2.3.strictly@active-threshold",
    form="printed", strength="smt",
)  # fmt: skip
def a_satisfied_active_queue_stays_satisfied() -> Outcome:
    """Prove q_i > 0 and T_i >= S_i imply T_i' >= S_i for each queue i, whatever the packet sizes."""

    def obligation(x: Step) -> tuple[Sequence[sympy.Basic], sympy.Basic]:
        kept = [
            sympy.Or(x.q[i] <= 0, x.T[i] < x.S[i], x.T_new[i] >= x.S[i]) for i in range(x.M)
        ]  # an empty queue, or one that was not satisfied, or one that still is
        return [*x.legal, *x.largest, *x.may_give], sympy.And(*kept)

    return for_each_number_of_queues(obligation, "no active queue becomes unsatisfied")


@evidence("dynaq.sec1.not-take@threshold", "dynaq.sec3.2.1.prevents-taking@threshold", form="printed", strength="smt")
def an_unsatisfied_active_queue_gives_nothing() -> Outcome:
    """Prove q_i > 0 and T_i < S_i imply T_i' >= T_i for each queue i."""

    def obligation(x: Step) -> tuple[Sequence[sympy.Basic], sympy.Basic]:
        kept = [sympy.Or(x.q[i] <= 0, x.T[i] >= x.S[i], x.T_new[i] >= x.T[i]) for i in range(x.M)]
        return [*x.legal, *x.largest, *x.may_give], sympy.And(*kept)

    return for_each_number_of_queues(obligation, "the threshold of an unsatisfied active queue never falls")


@evidence("dynaq.eq3", form="printed", strength="smt")
def extras_sum_to_nothing() -> Outcome:
    """Prove that the extras T - S sum to 0 before and after a step."""
    return for_each_number_of_queues(
        lambda x: (
            [*x.legal, *x.largest, *x.may_give],
            sympy.Eq(sum(T - S for T, S in zip(x.T_new, x.S, strict=True)), 0),
        ),
        "extras sum to 0, so that some other queue has one whenever queue p is unsatisfied",
    )


@evidence("dynaq.ours.line3", form="printed", strength="smt")
def the_first_condition_matters_only_for_an_empty_victim() -> Outcome:
    """Prove that for an active victim the second condition contains the first."""
    return for_each_number_of_queues(
        lambda x: ([*x.legal, x.q[1] > 0, x.T[1] - x.s < 0], x.T[1] - x.s < x.S[1]),
        "T_v < size(P) implies T_v - size(P) < S_v",
    )


@evidence("dynaq.ours.recheck", form="printed", strength="smt")
def with_the_recheck_a_queue_is_within_its_threshold_when_it_grows() -> Outcome:
    """Prove that a packet that passes the recheck leaves q_p <= T_p."""
    return for_each_number_of_queues(
        lambda x: ([*x.legal, *x.largest, *x.may_give, x.q[0] + x.s <= x.T_new[0]], x.T_new[0] - (x.q[0] + x.s) >= 0),
        "after an enqueue q_p <= T_p; a later packet of another queue can still lower T_p below q_p",
    )
