"""Section 3.2.2: Algorithm 1, line by line; proofs."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, cast

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import CodePath, PathCondition, all_of, every_path
from dtmodel.packet.dynaq.algorithm import Ruling, admission, algorithm1, find_victim, settle

from .paths import PORT, BeyondError, Few, S_v, T_p, T_v, buffer, others, q_p, q_v, queues, rules, size
from .step import AFTER, QUEUES, for_each_number_of_queues, for_each_role, identity
from .systems import non_negative_queue

B = sp.Symbol("B", positive=True)
q, T, t, Q = sp.symbols("q T t Q", nonnegative=True)


def ended(run: Callable[[], Ruling]) -> Ruling | None:
    """Return a ruling, or nothing if it depends on the other queues."""
    try:
        return run()
    except BeyondError:
        return None


class Settled(NamedTuple):
    """What lines 3 to 7 did to sender 0 and victim 1; `kept` says that the thresholds are the very same object."""

    ruling: Ruling | None
    kept: bool


def settled() -> list[CodePath[Settled]]:
    """Return all paths of lines 3 to 7 with two queues of any number in sight; an adjustment is no ruling."""

    def run() -> Settled:
        T, S, q = Few({1: T_v}), Few({1: S_v}), Few({1: q_v})
        ruling = ended(lambda: settle(rules(S), cast(Any, T), cast(Any, q), (0, 1), size))
        return Settled(ruling, ruling is not None and cast(Any, ruling.thresholds) is T)

    return list(every_path(run))


def largest_of(M: int, tie_break: str) -> Proved:
    """Prove that line 2 returns the queue with the largest extra, of equal ones the lowest or the highest index."""
    given, (T, S, _) = queues(M)
    extras = [a - b for a, b in zip(T, S, strict=True)]

    def fine(v: int | None) -> PathCondition | bool:
        if v is None:
            return False
        first = range(v) if tie_break == "low" else range(v + 1, M)  # equal extras there would have been chosen
        rest = [i for i in range(M) if i != v and i not in first]
        return all_of(*(extras[v] > extras[i] for i in first), *(extras[v] >= extras[i] for i in rest))

    paths = every_path(lambda: find_victim(S, T, range(M), tie_break))
    return given.prove_paths(paths, fine, f"the largest extra, ties to the {tie_break} index")


@evidence("dynaq.alg1.line1", "dynaq.sec3.2.2.nothing-done", form="printed", strength="smt")
def line_1_alone_ends_the_algorithm_within_the_threshold() -> Outcome:
    """Any number of queues: iff q_p + s <= T_p the engine returns the thresholds that it was given, and looked at T_p.

    The other queues cannot be looked at; a run that would is one that line 1 did not end.
    """

    def run() -> tuple[Ruling | None, Any]:
        T, q = Few({0: T_p}), Few({0: q_p})
        return ended(lambda: algorithm1(rules(Few({})), cast(Any, T), cast(Any, q), 0, size)), T

    def fine(result: tuple[Ruling | None, Any]) -> PathCondition:
        ruling, T = result
        if ruling is None:
            return all_of(q_p + size > T_p)
        return all_of(ruling.decision == "enqueue" and ruling.thresholds is T, q_p + size <= T_p)

    return PORT.prove_paths(every_path(run), fine, "nothing changes iff the packet is within the threshold")


@evidence("dynaq.alg1.line2", "dynaq.sec3.2.1.victim-definition", form="repaired", strength="smt")
@evidence("dynaq.alg1.line2.victim", form="printed", strength="smt")
@evidence("dynaq.alg1.line2.ties", "dynaq.alg1.line2.exists", form="assumed", strength="smt")
def line_2_finds_the_largest_extra_of_any_queues() -> Outcome:
    """Induction over the candidates: one is the largest of one; of the largest so far and the next one, the larger.

    What the loop keeps is the best candidate so far and its extra, as after that candidate alone: so the engine's
    answer for it and the next one is the step. With one candidate or more there is an answer, and one only.
    """
    for tie_break in ("low", "high"):
        check(find_victim([1], [1], [0], tie_break) == 0, "a single candidate")
        for M in (2, 3, 4):
            largest_of(M, tie_break)
    best, new, earlier, chosen = sp.symbols("best new earlier chosen", real=True)  # extras; earlier: of any before
    step = [earlier <= best, sp.Eq(chosen, sp.Max(best, new))]
    smt.prove(step, [earlier <= chosen, best <= chosen, new <= chosen])
    smt.prove([earlier < best, sp.Eq(chosen, sp.Max(best, new))], earlier < chosen)  # strict stays strict: ties
    M = sp.Symbol("M", integer=True)
    return smt.prove([M >= 2], M - 1 >= 1).proved("M - 1 >= 1 candidates, of which the largest is found and one only")


@evidence("dynaq.alg1.line3.first", form="printed", strength="smt")
def non_negative_thresholds_for_every_m() -> Outcome:
    """Prove T' >= 0 for each role."""
    return for_each_role([after >= 0 for _, after, _, _ in AFTER.values()], [], "thresholds stay non-negative")


@evidence("dynaq.alg1.line3.first", form="printed", strength="symbolic")
def non_negative_thresholds_by_identities() -> Outcome:
    """Certify T >= 0 and q >= 0 for any queue in any role, for every M."""
    return non_negative_queue().certificate().proved()


@evidence("dynaq.alg1.line3.first", form="printed", strength="smt")
def thresholds_stay_non_negative() -> Outcome:
    """Prove T' >= 0 for every queue."""
    return for_each_number_of_queues(
        lambda x: ([*x.legal, *x.largest, *x.may_give], sp.And(*(T >= 0 for T in x.T_new))),
        "the first condition of line 3 keeps every threshold non-negative",
    )


@evidence("dynaq.alg1.line4", form="printed", strength="smt")
def line_4_returns_the_thresholds_that_it_was_given() -> Outcome:
    """Any number of queues: a path of line 3 that drops keeps the thresholds; it is taken iff line 3 holds."""
    refused: PathCondition = (T_v < size) | ((q_v > 0) & (T_v - size < S_v))

    def fine(result: Settled) -> PathCondition:
        dropped = result.ruling is not None
        return all_of(result.kept, refused) if dropped else ~refused

    return PORT.prove_paths(settled(), fine, "dropped iff line 3 holds, with every threshold as it was")


@evidence("dynaq.sec3.2.2.sum", "dynaq.alg1.line6", "dynaq.alg1.line7", form="printed", strength="smt")
def thresholds_keep_their_sum() -> Outcome:
    """Prove sum T' = sum S from sum T = sum S for lines 6 and 7."""
    return for_each_number_of_queues(
        lambda x: ([*x.legal, *x.largest, *x.may_give], sp.Eq(sum(x.T_new), sum(x.S))),
        "lines 6 and 7 keep the sum of the thresholds",
    )


@evidence("dynaq.sec3.2.2.order", form="printed", strength="smt")
def the_sum_between_the_lines_for_any_number_of_queues() -> Outcome:
    """T_p, T_v and the others' sum T: after line 6 alone B - s < B; line 7 first would make it B + s."""
    T_p, T_v, s = sp.symbols("T_p T_v s", positive=True)
    whole_sum = sp.Eq(T_p + T_v + T, B)
    smt.prove([whole_sum], (T_p + s) + T_v + T > B)
    return smt.prove([whole_sum], T_p + (T_v - s) + T < B).proved("the sum is B less the packet between the lines")


@evidence("dynaq.sec3.2.2.order", form="printed", strength="smt")
def the_sum_never_exceeds_the_buffer_between_lines_6_and_7() -> Outcome:
    """Prove that after line 6 alone the sum is B - size(P), below B; line 7 first would make it exceed B."""
    return for_each_number_of_queues(
        lambda x: ([*x.legal, *x.largest, *x.may_give], sum(x.T) - x.s < sum(x.S)),
        "between the lines the sum is B less the packet",
    )


@evidence("dynaq.ours.line3", form="printed", strength="smt")
def the_first_condition_matters_only_for_an_empty_victim() -> Outcome:
    """Prove that for an active victim the second condition contains the first."""
    return for_each_number_of_queues(
        lambda x: ([*x.legal, x.q[1] > 0, x.T[1] - x.s < 0], x.T[1] - x.s < x.S[1]),
        "T_v < size(P) implies T_v - size(P) < S_v",
    )


@evidence("dynaq.ours.recheck", form="printed", strength="smt")
def the_recheck_looks_at_the_senders_queue_only() -> Outcome:
    """Whether lines 6 and 7 ran or not: the packet passes if q_p + s <= T_p as it is then, and q_p grows by s."""
    T_p, q_p, s, after = sp.symbols("T_p q_p s after", positive=True)
    ran = sp.Or(sp.Eq(after, T_p), sp.Eq(after, T_p + s))
    return smt.prove([ran, q_p + s <= after], after - (q_p + s) >= 0).proved("q_p <= T_p after an enqueue")


@evidence("dynaq.ours.recheck", form="printed", strength="smt")
def with_the_recheck_a_queue_grows_within_its_threshold() -> Outcome:
    """Prove that a packet that passes the recheck leaves q_p <= T_p."""
    return for_each_number_of_queues(
        lambda x: ([*x.legal, *x.largest, *x.may_give, x.q[0] + x.s <= x.T_new[0]], x.T_new[0] - (x.q[0] + x.s) >= 0),
        "after an enqueue q_p <= T_p; a later packet of another queue can still lower T_p below q_p",
    )


@evidence("dynaq.ours.port-bound", form="printed", strength="smt")
def no_admission_check_overfills_the_port() -> Outcome:
    """Any number of queues, any ruling of Algorithm 1: on every path of either check, enqueued only if it fits."""

    def run(admit: str) -> str:
        passed = Ruling("enqueue", "Algorithm 1 lets it pass", 1, cast(Any, Few({0: T_p})))
        port = rules(Few({}), admit=admit, buffer=buffer)
        return admission(port, passed, cast(Any, Few({0: q_p}, q_p + others)), 0, size).decision

    enqueued = q_p + others + size <= buffer
    outcomes = [
        PORT.prove_paths(
            every_path(partial(run, admit)), lambda _: enqueued, "enqueued, so it fits", where=lambda d: d == "enqueue"
        )
        for admit in ("port", "recheck")
    ]
    dropped = Ruling("drop", "line 4", 1, ())
    check(all(admission(rules((), admit=a), dropped, (), 0, 1) is dropped for a in ("port", "recheck")), "line 4 drops")
    return outcomes[-1]


@evidence("dynaq.ours.room", form="printed", strength="smt")
def the_room_of_a_queue_for_any_number_of_others() -> Outcome:
    """Q and T of the others: sums of differences are differences of sums, and B - Q = T_p - (Q - T)."""
    T_p, gap, one = sp.symbols("T_p gap one", real=True)
    smt.prove([sp.Eq(gap, Q - T), sp.Eq(one, q - t)], sp.Eq(gap + one, (Q + q) - (T + t)))
    return smt.prove([sp.Eq(T_p + T, B), sp.Eq(gap, Q - T)], sp.Eq(B - Q, T_p - gap)).proved(
        "the room is T_p less what the others hold beyond theirs"
    )


@evidence("dynaq.ours.room", form="printed", strength="smt")
def room_is_the_threshold_less_the_excess_of_others() -> Outcome:
    """Prove B - sum of the other q_j >= T_p - X if X is at least the sum of their q_j - T_j, and sum T = B."""
    X = sp.Symbol("X", nonnegative=True)
    for M in QUEUES:
        T = sp.symbols(f"T0:{M}", nonnegative=True)
        q = sp.symbols(f"q0:{M}", nonnegative=True)
        excess = sum(q[1:]) - sum(T[1:])
        proof = smt.prove([sp.Eq(sum(T), B), excess <= X], B - sum(q[1:]) >= T[0] - X)
        identity(sum(T) - sum(q[1:]), T[0] - excess)
    return proof.proved("the room for queue p is T_p less the excess of the others, exactly")
