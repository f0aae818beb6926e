"""Section 4 and Section 3.2.2: cycles, comparators and registers; proofs."""

from functools import partial

import sympy as sp

from dtmodel.ledger import Outcome, check, evidence, refuted_by_values
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import PathCondition, all_of, every_path, same
from dtmodel.packet.dynaq.algorithm import DynaQ, algorithm1, find_victim

from .paths import Ruled, queues, ruled


def writes_two(p: int, result: Ruled) -> PathCondition:
    """Whether the thresholds of queue p and of the victim changed, and no other."""
    pairs = enumerate(zip(result.before, result.after, strict=True))
    changed = [~same(old, new) if i in (p, result.victim) else same(old, new) for i, (old, new) in pairs]
    return all_of(result.victim != p, *changed)


@evidence("dynaq.sec3.2.2.max-idx", form="repaired", strength="smt")
def the_masked_tournament_of_four_finds_line_2s_victim() -> Outcome:
    """Four queues, each sender: MaxIdx(MaxIdx(1, 2), MaxIdx(3, 4)) with p below all others is line 2."""
    given, (T, S, _) = queues(4)

    def run(p: int) -> tuple[int | None, int]:
        extras = [a - b for a, b in zip(T, S, strict=True)]
        keys = [(i != p, extra) for i, extra in enumerate(extras)]
        left, right = (b if keys[b] > keys[a] else a for a, b in ((0, 1), (2, 3)))
        others = [i for i in range(4) if i != p]
        return find_victim(S, T, others), right if keys[right] > keys[left] else left

    outcomes = [
        given.prove_paths(every_path(partial(run, p)), lambda found: found[0] == found[1], "the same victim")
        for p in range(4)
    ]
    return outcomes[-1]


@evidence("dynaq.sec3.2.2.log-n@depth", form="printed", strength="smt")
def a_round_halves_the_field() -> Outcome:
    """Induction over rounds: n queues leave c = ceil(n/2); 2^(r-1) < c <= 2^r gives 2^r < n <= 2^(r+1), h = 2^(r-1)."""
    n, c, h = sp.symbols("n c h", integer=True)
    smt.prove([sp.Eq(n, 2)], [n > 1, n <= 2])  # one round
    field = [n >= 3, 2 * c >= n, 2 * c <= n + 1]
    return smt.prove([*field, h >= 1, h < c, c <= 2 * h], [2 * h < n, n <= 4 * h]).proved("ceil(log2 n) rounds")


@evidence("dynaq.sec4.1.lines67-independent", form="printed", strength="smt")
def the_victim_is_not_the_sender() -> Outcome:
    """Every path of Algorithm 1 for 2 and 3 queues and each sender: lines 6 and 7 write T_v and T_p, which are two.

    For any number of queues: what line 2 returns is one of its candidates, and p is none.
    """
    outcomes = [
        ruled(
            M, p, partial(writes_two, p), "lines 6 and 7 write two thresholds",
            lambda r: r.decision == "enqueue" and r.victim is not None,
        )
        for M in (2, 3)
        for p in range(M)
    ]  # fmt: skip
    return outcomes[-1]


@evidence("dynaq.ours.line3-order", form="printed", strength="smt")
@evidence("dynaq.sec4.1.line3-order@necessary", form="negation", strength="smt")
def line_3_is_the_same_with_its_disjunction_first() -> Outcome:
    """Each grouping implies the other; without S_v > 0 it would not."""
    T_v, s, q, S = sp.symbols("T_v s q_v S_v", real=True)
    written = sp.Or(T_v < s, sp.And(q > 0, T_v - s < S))
    regrouped = sp.And(sp.Or(T_v < s, q > 0), T_v - s < S)
    numbers = [T_v >= 0, s > 0, q >= 0]
    smt.refute([*numbers, written], regrouped)
    smt.prove([*numbers, S > 0, regrouped], written)
    return smt.prove([*numbers, S > 0, written], regrouped).proved("the same condition for all numbers")


@evidence("dynaq.sec4.1.registers@port", form="printed", strength="kernel")
def a_port_counter_does_not_tell_the_queues_apart() -> Outcome:
    """Two states with 2 bytes in the port: line 1 finds the threshold of queue 1 exceeded in one of them only."""
    rules = DynaQ(4, (1, 1))
    rulings = [algorithm1(rules, rules.initial, q, 0, 1) for q in ((2, 0), (1, 1))]
    check(rulings[0].victim is not None and rulings[1].victim is None, f"{rulings}")
    says = "2 bytes in the port: with 2 in queue 1 a packet exceeds T_1 = 2, with 1 in each queue it does not"
    values = {"q1": "2", "q2": "0", "r1": "1", "r2": "1", "T1": "2"}
    statement = "(q1 + 1 > T1 and r1 + 1 > T1) or (q1 + 1 <= T1 and r1 + 1 <= T1)"
    return refuted_by_values(values, statement, says, ["min(q1, q2, r1, r2) >= 0", "T1 >= 0", "q1 + q2 == r1 + r2"])


@evidence("dynaq.sec4.1.registers@queue", form="assumed", strength="smt")
def counters_follow_the_queue() -> Outcome:
    """Induction over events: a - d = q is kept by a packet of s bytes that enters (a + s, q + s) or leaves (d + s)."""
    a, d, q, s = sp.symbols("a d q s", real=True)
    smt.prove([sp.Eq(a - d, q)], sp.Eq((a + s) - d, q + s))
    return smt.prove([sp.Eq(a - d, q), q >= s, s > 0], [sp.Eq(a - (d + s), q - s), q - s >= 0]).proved("a - d = q")
