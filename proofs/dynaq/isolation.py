"""Section 3.2.3: equations (5) and (6), strict isolation and fair sharing; proofs."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.ledger.provers import slack, smt
from dtmodel.ledger.provers.symbolic_execution import PathCondition, Unknowns, all_of, every_path, same
from dtmodel.packet.dynaq.algorithm import Ruling, algorithm1, rule
from dtmodel.packet.schedulers import WeightedRoundRobin
from dtmodel.theory.dynaq import schemes

from .paths import Waiting, queues, rules
from .step import AFTER, QUEUES, Step, for_each_number_of_queues, for_each_role
from .systems import non_negative_queue, satisfied_queue

S, q, t = sp.symbols("S q t", nonnegative=True)
s, T_v, q_v, S_v, T_o, T_p, S_p, q_p, R, S_o, q_o = sp.symbols("s T_v q_v S_v T_o T_p S_p q_p R S_o q_o", real=True)
LEGAL = [T_p >= 0, T_v >= 0, T_o >= 0, R >= 0, S_p > 0, S_v > 0, S_o > 0, q_p >= 0, q_v >= 0, q_o >= 0, s > 0]
MAY_GIVE = [T_v - s >= 0, sp.Or(q_v <= 0, T_v - s >= S_v)]
MOST_QUEUES = 32
"""As many as Section 3.2.2 considers."""


TURN = Unknowns()
credit: Any
(credit,) = TURN.at_least_0("credit")
weights = TURN.positive(*(f"w{queue}" for queue in range(MOST_QUEUES)))


class Picked(NamedTuple):
    """The queue in turn and the next one with its weight; which of them is served, and the memory afterwards."""

    turn: int
    after: int
    weight: Any
    queue: int | None
    memory: tuple[int, Any]


def pick(M: int, turn: int) -> Picked:
    """Let weighted round robin pick once from M backlogged queues, with unknown weights and credit left."""
    after = (turn + 1) % M
    made = SimpleNamespace(weights=tuple(weights[:M]))  # valid: each weight is positive
    queues: Any = [Waiting(True)] * M
    queue, memory = WeightedRoundRobin.pick(cast(WeightedRoundRobin, made), (turn, credit), queues)
    return Picked(turn, after, weights[after], queue, memory)


def in_turn(picked: Picked) -> PathCondition:
    """Say that the queue in turn is served while it has credit, and then the next one with its weight."""
    now, left = picked.memory
    if picked.queue == picked.turn:
        return all_of(credit > 0, now == picked.turn, same(left, credit - 1))
    return all_of(credit <= 0, picked.queue == now == picked.after, same(left, picked.weight - 1))


@evidence("dynaq.eq5", form="assumed", strength="smt")
def an_empty_queue_passes_the_smaller_of_both() -> Outcome:
    """With q = 0: mu <= alpha, q' = lambda - mu >= 0, and mu = alpha unless nothing waits: mu = min(lambda, alpha)."""
    lam, alpha, mu = sp.symbols("lam alpha mu", nonnegative=True)
    served = [mu <= alpha, lam - mu >= 0, sp.Or(sp.Eq(mu, alpha), sp.Eq(lam, mu))]
    goal = sp.Or(sp.And(sp.Eq(mu, lam), lam <= alpha), sp.And(sp.Eq(mu, alpha), alpha <= lam))
    return smt.prove(served, goal).proved("mu = min(lambda, alpha) for an empty queue")


@evidence("dynaq.sec3.2.3.wrr-bytes", "dynaq.sec3.1.fair-any-time", form="assumed", strength="smt")
def every_round_serves_each_queue_by_its_weight() -> Outcome:
    """Up to 8 backlogged queues, and 32, any weights: queue t is served while it has credit, then t + 1 by its weight.

    By induction queue t is served w_t times in a row, and after the last queue the first one's turn begins: every round
    is w_1 + ... + w_M services, w_i of them of queue i, however often it is repeated. With one packet size that is in
    bytes as well.
    """
    turns = [(M, turn) for M in (*range(2, 9), MOST_QUEUES) for turn in range(M)]
    paths = [path for M, turn in turns for path in every_path(partial(pick, M, turn), TURN.signs)]
    check(all(path.result.queue is not None for path in paths), "a backlogged queue is served")
    outcome = TURN.prove_paths(paths, in_turn, "in turn while there is credit, then the next")
    served, w, left = sp.symbols("served w left", integer=True)
    turn = [w >= 1, served >= 0, left >= 0, sp.Eq(left, w - served)]
    smt.prove([*turn, left > 0], sp.Eq(left - 1, w - (served + 1)))
    smt.prove([*turn, left <= 0], sp.Eq(served, w))
    return outcome


@evidence("dynaq.sec3.2.3.share-condition", form="printed", strength="smt")
def the_output_is_the_share_exactly_when_alpha_is() -> Outcome:
    """With (5) and lambda >= share: mu >= share if and only if alpha >= share."""
    lam, alpha = sp.symbols("lam alpha", nonnegative=True)
    share = sp.Symbol("share", positive=True)
    mu = sp.Min(lam, alpha)
    forth = smt.prove([lam >= share, alpha >= share], mu >= share)
    smt.prove([lam >= share, mu >= share], alpha >= share)
    return forth.proved("min(lambda, alpha) >= share if and only if alpha >= share")


@evidence("dynaq.eq6.sufficient@active-share", "dynaq.eq1@active-share", form="printed", strength="kernel")
def the_weighted_bdp_is_too_little_beside_idle_queues() -> Outcome:
    """Two of four equal queues are active: each may send C/2, whose BDP is twice the weighted BDP of equation (1)."""
    check(schemes.sawtooth_utilisation(Fraction(21_250), Fraction(31_250)) < 1, "the share is not filled")
    says = "85 KB, 62.5 KB, 4 queues, 2 active: a halved window is 26,250 bytes and the fair share needs 31,250"
    hypotheses = ["0 < WBDP <= active_BDP", "q_max >= WBDP"]
    values = {"q_max": "21250", "WBDP": "15625", "active_BDP": "31250"}
    return refuted_by_values(values, "(q_max + active_BDP) / 2 >= active_BDP", says, hypotheses)


@evidence("dynaq.alg1.line3.second", "dynaq.ours.active-satisfied", form="printed", strength="smt")
@evidence("dynaq.sec3.2.3.strictly@active-threshold", form="printed", strength="smt")
def satisfaction_for_every_m() -> Outcome:
    """Prove q > 0 and T >= S imply T' >= S for each role."""
    goals = [sp.Or(q <= 0, T < S, after >= S) for T, after, S, q in AFTER.values()]
    return for_each_role(goals, [], "a satisfied active queue stays satisfied")


@evidence("dynaq.alg1.line3.second", "dynaq.ours.active-satisfied", "dynaq.sec3.2.3.strictly@active-threshold",
          form="printed", strength="symbolic")  # fmt: skip
def satisfaction_by_identities() -> Outcome:
    """Certify T >= S for an active queue in any role, for every M."""
    return satisfied_queue().certificate().proved()


@evidence(
    "dynaq.alg1.line3.second", "dynaq.ours.active-satisfied", "dynaq.sec3.2.3.strictly@active-threshold",
    form="printed", strength="smt",
)  # fmt: skip
def a_satisfied_active_queue_stays_satisfied() -> Outcome:
    """Prove q_i > 0 and T_i >= S_i imply T_i' >= S_i for each queue i, whatever the packet sizes."""

    def obligation(x: Step) -> tuple[Sequence[sp.Basic], sp.Basic]:
        kept = [
            sp.Or(x.q[i] <= 0, x.T[i] < x.S[i], x.T_new[i] >= x.S[i]) for i in range(x.M)
        ]  # an empty queue, or one that was not satisfied, or one that still is
        return [*x.legal, *x.largest, *x.may_give], sp.And(*kept)

    return for_each_number_of_queues(obligation, "no active queue becomes unsatisfied")


@evidence("dynaq.sec3.2.3.strictly@one-size", "dynaq.ours.one-size", form="printed", strength="smt")
def with_one_packet_size_a_refused_queue_is_satisfied() -> Outcome:
    """Prove k_p >= 0 when every packet has the same size: extras are whole packets, and the victim's is below one."""
    example = {}
    for M in QUEUES:
        k = sp.symbols(f"k0:{M}", integer=True)
        hypotheses = [sp.Eq(sum(k), 0), *(k[1] >= k[i] for i in range(2, M)), k[1] < 1]
        proof = smt.prove(hypotheses, k[0] >= 0)
        example = {str(key): str(value) for key, value in proof.example.items()}
    return Proved("a queue of which line 3 refuses a packet has T_p >= S_p", example)


@evidence("dynaq.ours.deficit", form="printed", strength="smt")
def a_refused_queue_misses_less_than_m_minus_1_packets() -> Outcome:
    """Prove S_p - T_p < (M - 1) s when a packet of s bytes is refused by line 3."""
    return for_each_number_of_queues(
        lambda x: ([*x.legal, *x.largest, x.refused], x.S[0] - x.T[0] < (x.M - 1) * x.s), "S_p - T_p < (M - 1) size(P)"
    )


@evidence("dynaq.ours.deficit", form="printed", strength="smt")
def the_deficit_is_at_most_m_minus_1_times_l_minus_g() -> Outcome:
    """Prove -k_p <= (M - 1)(n - 1) for extras k g and a packet of n g bytes, over the integers."""
    example = {}
    for M in QUEUES:
        k = sp.symbols(f"k0:{M}", integer=True)
        n = sp.Symbol("n", integer=True)
        hypotheses = [n >= 1, sp.Eq(sum(k), 0), *(k[1] >= k[i] for i in range(2, M)), k[1] < n]
        proof = smt.prove(hypotheses, -k[0] <= (M - 1) * (n - 1))
        example = {str(key): str(value) for key, value in proof.example.items()}
    return Proved("extras are multiples of g, and that of the refusing victim is below the packet", example)


@evidence("dynaq.ours.deficit", form="printed", strength="symbolic")
def the_deficit_for_every_number_of_queues() -> Outcome:
    """Certify (M - 1)(L - g) - (S_p - T_p) >= 0 for symbolic M.

    The extras sum to 0, so that S_p - T_p is the sum of the M - 1 others, which is (M - 1) e_v - E with E >= 0 the sum
    of what each lacks to the victim's e_v; a refusing victim has e_v = L - g - delta, delta >= 0, in multiples of g.
    """
    M, L, g, E, delta = sp.symbols("M L g E delta", nonnegative=True)
    more, above = sp.symbols("m a", nonnegative=True)
    victim = L - g - delta
    gap = (M - 1) * (L - g) - ((M - 1) * victim - E)
    certificate = slack.certificate(sp.expand(gap), {M: more + 1, L: g + above})
    return certificate.proved("S_p - T_p <= (M - 1)(L - g) for every M")


@evidence("dynaq.ours.active-bdp", form="printed", strength="smt")
def a_share_of_the_active_needs_its_own_weighted_bdp() -> Outcome:
    """Prove that a halved window fills the share exactly if b >= C RTT w / W_A, W_A the active queues' weights."""
    b, w, W_active, W, D = sp.symbols("b w W_active W D", positive=True)
    need = D * w / W_active
    weights_fit = [w <= W_active, W_active <= W]
    forth = smt.prove([*weights_fit, b >= need], (need + b) / 2 >= need)
    smt.prove([*weights_fit, (need + b) / 2 >= need], b >= need)
    smt.prove(weights_fit, need >= D * w / W)
    return forth.proved("the need is C RTT w_i / sum over A of w, at least WBDP_i")


@evidence("dynaq.ours.repair", form="printed", strength="smt")
def the_repair_refuses_if_no_empty_queue_can_give() -> Outcome:
    """Line 2 finds nobody iff no queue may give; an empty one that may not has T_i < s. For each queue by itself."""
    s = sp.Symbol("s", positive=True)
    may_give = sp.And(t >= s, sp.Or(q <= 0, t - s >= S))
    return smt.prove([sp.Not(may_give), sp.Eq(q, 0)], t < s).proved("each empty queue has less than the packet left")


@evidence("dynaq.ours.repair", form="printed", strength="smt")
def with_the_repair_only_useless_remainders_stay_unused() -> Outcome:
    """Prove that when no queue may give, an idle one keeps less than a packet: the others have more than B - s.

    With several idle queues, the sending queue and the active ones together have more than B - (how many) s.
    """

    def obligation(x: Step) -> tuple[Sequence[sp.Basic], sp.Basic]:
        # Queue 1 is idle, the others beside 0 may be either; none may give a packet of s bytes.
        idle = [sp.Eq(x.q[1], 0)]
        none = [sp.Or(x.T[i] < x.s, sp.And(x.q[i] > 0, x.T[i] - x.s < x.S[i])) for i in range(1, x.M)]
        held = sum(x.T[i] for i in range(x.M) if i != 1)
        return [*x.legal, *idle, *none], held > sum(x.S) - x.s

    return for_each_number_of_queues(obligation, "an idle queue keeps less than a packet of threshold")


@evidence("dynaq.ours.repair-occupancy", form="printed", strength="smt")
def refused_queues_hold_nearly_all_of_the_buffer() -> Outcome:
    """Each other queue may not give; one that holds packets is refused, so q_i > T_i - s. Queue 0 holds packets.

    Added up over any number of queues this is sum q > B - M s.
    """
    lengths, thresholds, k = sp.symbols("lengths thresholds k", nonnegative=True)  # of the first k queues, together
    gives_not = sp.Or(T_o < s, sp.And(q_o > 0, T_o - s < S_o))
    smt.prove([s > 0, q_o >= 0, gives_not, sp.Or(q_o <= 0, q_o + s > T_o)], q_o > T_o - s)
    smt.prove([lengths > thresholds - k * s, q_o > T_o - s], lengths + q_o > (thresholds + T_o) - (k + 1) * s)

    def obligation(x: Step) -> tuple[Sequence[sp.Basic], sp.Basic]:
        none = [sp.Or(x.T[i] < x.s, sp.And(x.q[i] > 0, x.T[i] - x.s < x.S[i])) for i in range(1, x.M)]
        asked = [sp.Or(x.q[i] <= 0, x.q[i] + x.s > x.T[i]) for i in range(1, x.M)]
        return [*x.legal, *none, *asked, x.q[0] > 0, x.q[0] + x.s > x.T[0]], sum(x.q) > sum(x.S) - x.M * x.s

    return for_each_number_of_queues(obligation, "more than B - M L bytes are held")


@evidence("dynaq.ours.repair-starved", form="printed", strength="smt")
def two_queues_are_ruled_alike_with_and_without_the_repair() -> Outcome:
    """Along every path of both programs, for a packet of either queue (0 here): the same decision and thresholds."""
    given, (T, S, q) = queues(2)
    packet: Any = given.positive("s")[0]

    def both() -> tuple[Ruling, Ruling]:
        printed, repaired = (
            algorithm1(rules(S, victims=each), tuple(T), q, 0, packet) for each in ("printed", "eligible")
        )
        return printed, repaired

    def alike(ruled: tuple[Ruling, Ruling]) -> PathCondition | bool:
        one, other = ruled
        return one.decision == other.decision and all_of(*map(same, one.thresholds, other.thresholds))

    return given.prove_paths(every_path(both), alike, "the same decision and thresholds")


@evidence("dynaq.ours.repair-unused", form="printed", strength="smt")
def a_queue_is_refused_beside_one_byte_of_the_other() -> Outcome:
    """Thresholds S_1 = S_2 = h, any h > 0: a byte passes while q_1 + 1 <= h, and then none beside one byte of queue 2.

    The thresholds stay, so that of B = 2 h bytes floor(h) + 1 are held and ceil(h) - 1 free.
    """
    given = Unknowns()
    h: Any = given.positive("h")[0]
    held: Any = given.at_least_0("held")[0]

    def run(victims: str, held: Any) -> Ruling:
        return rule(rules((h, h), victims=victims, admit="port", buffer=h + h), (h, h), (held, 1), 0, 1)

    def passes(one: Ruling) -> PathCondition | bool:
        return one.decision == "enqueue" and all_of(*(same(T, h) for T in one.thresholds))

    for victims in ("printed", "eligible"):
        below = every_path(partial(run, victims, held), given.signs)
        given.prove_paths(below, passes, "q_1 + 1 <= h", given=[held + 1 <= h])
    at = ("printed", "eligible")
    full = [path for victims in at for path in every_path(partial(run, victims, held), given.signs)]
    refused = [held <= h, held + 1 > h]
    return given.prove_paths(full, lambda one: one.decision == "drop", "refused, repaired or not", given=refused)


@evidence("dynaq.ours.repair-invariants", form="printed", strength="smt")
def the_repair_for_every_m() -> Outcome:
    """Prove satisfaction and signs for each role without line 2's choice of the largest extra."""
    goals = [sp.And(after >= 0, sp.Or(q <= 0, T < S, after >= S)) for T, after, S, q in AFTER.values()]
    proofs = [smt.prove([*LEGAL, *MAY_GIVE], goal) for goal in goals]
    return proofs[0].proved("any victim that line 3 accepts keeps the invariants, for every M >= 2")


@evidence("dynaq.ours.repair-invariants", form="printed", strength="smt")
def the_repair_keeps_every_invariant() -> Outcome:
    """Prove sum, non-negativity and satisfaction for any victim that may give, even if its extra is not the largest."""

    def obligation(x: Step) -> tuple[Sequence[sp.Basic], sp.Basic]:
        kept = [sp.Or(x.q[i] <= 0, x.T[i] < x.S[i], x.T_new[i] >= x.S[i]) for i in range(x.M)]
        sound = [sp.Eq(sum(x.T_new), sum(x.S)), *(T >= 0 for T in x.T_new)]
        return [*x.legal, *x.may_give], sp.And(*kept, *sound)

    return for_each_number_of_queues(obligation, "line 2 is not needed for the invariants of lines 3, 6 and 7")


@evidence("dynaq.ours.repair-invariants", form="printed", strength="symbolic")
def the_repair_by_identities() -> Outcome:
    """Certify signs and satisfaction without line 2: for any victim that line 3 accepts, for every M."""
    example = satisfied_queue().certificate().example
    non_negative_queue().certificate()
    return Proved("any victim that line 3 accepts keeps the invariants, for every M >= 2", example)


@evidence("dynaq.ours.repair-deficit", form="printed", strength="symbolic")
def the_repairs_deficit_for_every_m() -> Outcome:
    """Certify (M - 1) s - (S_p - T_p) > 0: each of the others has an extra s - delta_i when it may not give s bytes.

    Either q_i > 0 and T_i - s < S_i, or T_i < s and then T_i - S_i < s. With D > 0 the sum of the delta_i, the deficit
    S_p - T_p is (M - 1) s - D.
    """
    more = sp.Symbol("more", nonnegative=True)
    D, size = sp.symbols("D s", positive=True)
    M = more + 2
    certificate = slack.certificate(sp.expand((M - 1) * size - ((M - 1) * size - D)), {}, strict=True)
    smt.prove([*LEGAL, sp.Or(T_v < s, sp.And(q_v > 0, T_v - s < S_v))], T_v - S_v < s)
    return certificate.proved("S_p - T_p < (M - 1) size(P) for every M >= 2")


@evidence("dynaq.ours.repair-deficit", form="printed", strength="smt")
def the_repair_keeps_the_bound_on_the_deficit() -> Outcome:
    """Prove S_p - T_p < (M - 1) s when no other queue may give a packet of s bytes."""

    def obligation(x: Step) -> tuple[Sequence[sp.Basic], sp.Basic]:
        none = [sp.Or(x.T[i] < x.s, sp.And(x.q[i] > 0, x.T[i] - x.s < x.S[i])) for i in range(1, x.M)]
        return [*x.legal, *none], x.S[0] - x.T[0] < (x.M - 1) * x.s

    return for_each_number_of_queues(obligation, "S_p - T_p < (M - 1) size(P) under the repaired line 2 as well")
