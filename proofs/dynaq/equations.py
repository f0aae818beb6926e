"""Equations (1) to (7): are they well-posed, what do they need, are they necessary, sufficient, jointly satisfiable."""

from __future__ import annotations

from fractions import Fraction

import sympy

from dtmodel.ledger import Agrees, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.packet.dynaq import DynaQ
from dtmodel.packet.schedulers import DeficitRoundRobin, PriorityOver, StrictPriority, WeightedRoundRobin
from dtmodel.provers import slack, smt
from dtmodel.theory import dynaq
from dtmodel.theory import service_queue_schemes as schemes

from .common import QUEUES

B, C, RTT, K = sympy.symbols("B C RTT K", positive=True)

PACED = {
    "algorithm": "dynaq",
    "buffer": "2",
    "weights": ["1", "1"],
    "events": [["arrive", None, 1, 1], ["arrive", None, 2, 1], ["depart", None, 1], ["depart", None, 2]] * 2,
}
"""Two queues that send at their fair share: one packet of each in the buffer, and every service finds a packet."""


def weights(M: int) -> tuple[sympy.Symbol, ...]:
    """Return M positive symbols."""
    return tuple(sympy.symbols(f"w1:{M + 1}", positive=True))


def identity(left: sympy.Expr, right: sympy.Expr) -> None:
    """Check an identity of rational functions."""
    check(sympy.cancel(sympy.together(left - right)) == 0, f"{left} is not {right}")


@evidence("dynaq.eq1", "dynaq.eq2", "dynaq.eq4", "dynaq.ours.initially-satisfied", form="printed", strength="symbolic")
def weighted_parts_add_up() -> Outcome:
    """Sum equations (1), (2) and (4) over the queues: C RTT, B and B; (2) and (4) are the same numbers."""
    for M in QUEUES:
        w = weights(M)
        identity(sum(C * RTT * item / sum(w) for item in w), C * RTT)
        identity(sum(B * item / sum(w) for item in w), B)
    example = dynaq.initial_thresholds(Fraction(6), [Fraction(1), Fraction(2), Fraction(3)])
    check(example == dynaq.satisfaction_thresholds(Fraction(6), [Fraction(1), Fraction(2), Fraction(3)]), "(2) is (4)")
    check(sum(example) == 6 and min(example) > 0, "positive parts of B")
    return Proved("the parts are positive and sum to C RTT and to B", {"B": "6", "T": list(map(str, example))})


@evidence("dynaq.sec3.2.2.S-greater", form="printed", strength="smt")
def satisfaction_exceeds_the_weighted_bdp_exactly_when_the_buffer_exceeds_the_bdp() -> Outcome:
    """Prove B w / W > C RTT w / W from B > C RTT, and the converse."""
    w, W, D = sympy.symbols("w W D", positive=True)
    forth = smt.prove([B > D, w <= W], B * w / W > D * w / W)
    smt.prove([B * w / W > D * w / W, w <= W], B > D)
    return forth.proved("S_i > WBDP_i if and only if B > BDP")


def paced(says: str) -> Counterexample:
    """Every service of the paced arrivals finds a packet; the claim needs one that does not."""
    expected = {"steps": [{"decision": "enqueue"}] * 2 + [{"decision": "depart"}] * 2}
    expected["steps"] *= 2
    claimed = {"steps": [*expected["steps"][:-1], {"decision": "idle"}]}
    return Counterexample(Witness("trace", PACED, expected, claimed, says), says)


@evidence("dynaq.sec2.1.requires", "dynaq.sec1.enough-buffer", "dynaq.eq6.necessary", form="printed", strength="exact")
def paced_traffic_needs_one_packet_of_buffer() -> Outcome:
    """Two queues paced at their fair share keep the link busy with one packet each, however large C RTT is."""
    return paced("open-loop traffic at the fair share is served in full with one packet of buffer, for any RTT")


@evidence(
    "dynaq.eq7.necessary", "dynaq.sec3.2.1.guideline1", "dynaq.sec3.2.1.guideline2", form="printed", strength="exact"
)
def a_busy_link_needs_one_packet() -> Outcome:
    """The paced link is never idle although at most two packets are queued, however large C RTT is."""
    return paced("the link is never idle with at most 2 bytes queued, for any C RTT")


@evidence(
    "dynaq.sec2.1.requires", "dynaq.sec1.enough-buffer", "dynaq.eq6.necessary", "dynaq.eq7.necessary",
    "dynaq.sec3.2.1.guideline1", "dynaq.sec3.2.1.guideline2", form="assumed", strength="smt",
)  # fmt: skip
def a_halving_window_needs_a_bdp_of_buffer() -> Outcome:
    """A window fills the pipe and the buffer when it loses, and is halved: full at once again iff buffer >= BDP."""
    b, D = sympy.symbols("b D", positive=True)
    needed = smt.prove([(D + b) / 2 >= D], b >= D)
    check(schemes.sawtooth_utilisation(Fraction(99), Fraction(100)) < 1, "below the BDP the link idles")
    return needed.proved("(BDP + b)/2 >= BDP only if b >= BDP")


@evidence("dynaq.ours.sawtooth", form="printed", strength="symbolic")
def one_halving_window_uses_three_quarters_to_all_of_the_link() -> Outcome:
    """Certify 3/4 <= U <= 1 for b = BDP u / (1 + u), u >= 0, and compare U with the numbers for PQL's quotas."""
    u = sympy.Symbol("u", nonnegative=True)
    top = 1 + u / (1 + u)
    below, above = 1 - top / 2, (top**2 - 1) / 2  # time below the BDP and above it, in base round trips per BDP
    used = ((1 - top**2 / 4) / 2 + above) / (below + above)
    slack.certificate(sympy.cancel(used - sympy.Rational(3, 4)), {})
    pipe, more = sympy.Symbol("BDP", positive=True), sympy.Symbol("more", nonnegative=True)
    slack.certificate((pipe + (pipe + more)) / 2 - pipe, {})  # b = BDP + more: half of the peak is a BDP, no time below
    certificate = slack.certificate(sympy.cancel(1 - used), {}, strict=True)
    for b, D, quoted in ((21_250, 62_500, "0.93"), (24_000, 105_000, "0.88"), (125_000, 500_000, "0.89")):
        exact = schemes.sawtooth_utilisation(Fraction(b), Fraction(D))
        at = sympy.Rational(b, D - b)  # u with b = BDP u / (1 + u)
        check(sympy.Rational(exact.numerator, exact.denominator) == used.subs(u, at), f"{exact}")
        check(abs(exact - Fraction(quoted)) <= Fraction(1, 200), f"{float(exact)}")
    return certificate.proved("3/4 <= U < 1 for b < BDP; 0.93, 0.88 and 0.89 for PQL's quotas")


@evidence("dynaq.sec3.2.2.wbdp-enough", form="assumed", strength="smt")
def a_halving_window_needs_no_more_than_a_bdp() -> Outcome:
    """The same window keeps the pipe full if the buffer is at least the BDP."""
    b, D = sympy.symbols("b D", positive=True)
    return smt.prove([b >= D], (D + b) / 2 >= D).proved("b >= BDP gives (BDP + b)/2 >= BDP")


@evidence("dynaq.sec3.2.2.wbdp-enough", form="printed", strength="exact")
def a_window_cut_to_a_quarter_needs_more() -> Outcome:
    """A sender that is left with a quarter of its window empties the pipe with a BDP of buffer."""
    says = "after a cut to 1/4 the window is 2 of a BDP of 4: the link idles"
    values = {"BDP": "4", "b": "4", "kept": "1/4"}
    data = {"values": values, "hypotheses": ["b >= BDP"], "statement": "kept * (BDP + b) >= BDP"}
    return Counterexample(Witness("values", data, says=says), says)


@evidence("dynaq.eq5", form="printed", strength="exact")
def a_backlog_is_served_after_arrivals_stop() -> Outcome:
    """A queue with a backlog and no arrivals leaves at its fair share, not at min(0, fair share)."""
    says = "lambda = 0 and a backlog of 1: the output rate is alpha = 1/2, not 0"
    data = {
        "values": {"lam": "0", "alpha": "1/2", "backlog": "1", "mu": "1/2"},
        "hypotheses": ["backlog > 0", "mu == alpha"],
        "statement": "mu == min(lam, alpha)",
    }
    return Counterexample(Witness("values", data, says=says), says)


@evidence("dynaq.eq5", form="assumed", strength="smt")
def an_empty_queue_passes_the_smaller_of_both() -> Outcome:
    """With q = 0: mu <= alpha, q' = lambda - mu >= 0, and mu = alpha unless nothing waits: mu = min(lambda, alpha)."""
    lam, alpha, mu = sympy.symbols("lam alpha mu", nonnegative=True)
    served = [mu <= alpha, lam - mu >= 0, sympy.Or(sympy.Eq(mu, alpha), sympy.Eq(lam, mu))]
    goal = sympy.Or(sympy.And(sympy.Eq(mu, lam), lam <= alpha), sympy.And(sympy.Eq(mu, alpha), alpha <= lam))
    return smt.prove(served, goal).proved("mu = min(lambda, alpha) for an empty queue")


@evidence("dynaq.sec3.2.3.share-condition", form="printed", strength="smt")
def the_output_is_the_share_exactly_when_alpha_is() -> Outcome:
    """With (5) and lambda >= share: mu >= share if and only if alpha >= share."""
    lam, alpha, share = sympy.symbols("lam alpha share", positive=True)
    mu = sympy.Min(lam, alpha)
    forth = smt.prove([lam >= share, alpha >= share], mu >= share)
    smt.prove([lam >= share, mu >= share], alpha >= share)
    return forth.proved("min(lambda, alpha) >= share if and only if alpha >= share")


@evidence("dynaq.eq6.sufficient", "dynaq.eq1.inactive", form="printed", strength="kernel")
def the_weighted_bdp_of_all_queues_is_too_little_when_some_are_idle() -> Outcome:
    """Two of four equal queues are active: each may send C/2, whose BDP is twice the weighted BDP of equation (1)."""
    values = {"q_max": "21250", "WBDP": "15625", "active_BDP": "31250"}
    check(schemes.sawtooth_utilisation(Fraction(21_250), Fraction(31_250)) < 1, "the share is not filled")
    says = "85 KB, 62.5 KB, 4 queues, 2 active: a halved window is 26,250 bytes and the fair share needs 31,250"
    hypotheses = ["0 < WBDP <= active_BDP", "q_max >= WBDP"]
    data = {"values": values, "hypotheses": hypotheses, "statement": "(q_max + active_BDP) / 2 >= active_BDP"}
    return Counterexample(Witness("values", data, says=says), says)


@evidence("dynaq.ours.active-bdp", form="printed", strength="smt")
def a_share_among_the_active_queues_needs_its_own_weighted_bdp() -> Outcome:
    """Prove that a halved window fills the share exactly if b >= C RTT w / W_A, W_A the active queues' weights."""
    b, w, W_active, W, D = sympy.symbols("b w W_active W D", positive=True)
    need = D * w / W_active
    weights_fit = [w <= W_active, W_active <= W]
    forth = smt.prove([*weights_fit, b >= need], (need + b) / 2 >= need)
    smt.prove([*weights_fit, (need + b) / 2 >= need], b >= need)
    smt.prove(weights_fit, need >= D * w / W)
    return forth.proved("the need is C RTT w_i / sum over A of w, at least WBDP_i")


@evidence("dynaq.ours.room", form="printed", strength="smt")
def a_queue_finds_its_threshold_less_the_excess_of_the_others() -> Outcome:
    """Prove B - sum of the other q_j >= T_p - X if X is at least the sum of their q_j - T_j, and sum T = B."""
    X = sympy.Symbol("X", nonnegative=True)
    for M in QUEUES:
        T = sympy.symbols(f"T0:{M}", nonnegative=True)
        q = sympy.symbols(f"q0:{M}", nonnegative=True)
        excess = sum(q[1:]) - sum(T[1:])
        proof = smt.prove([sympy.Eq(sum(T), B), excess <= X], B - sum(q[1:]) >= T[0] - X)
        identity(sum(T) - sum(q[1:]), T[0] - excess)
    return proof.proved("the room for queue p is T_p less the excess of the others, exactly")


@evidence("dynaq.eq7.sufficient", form="printed", strength="exact")
def a_port_with_packets_serves_one() -> Outcome:
    """Every scheduler here picks a queue unless all are empty: sum q >= C RTT > 0 keeps the link busy."""
    cases = 0
    for scheduler in (
        StrictPriority(), WeightedRoundRobin((2, 1, 1)), DeficitRoundRobin((2, 1, 1)),
        PriorityOver(1, WeightedRoundRobin((1, 2))),
    ):  # fmt: skip
        for code in range(4**3):
            queues = [[2] * (code // 4**i % 4) for i in range(3)]
            picked, _ = scheduler.pick(scheduler.start(), queues)
            check((picked is None) == (not any(queues)), f"{scheduler} picks {picked} from {queues}")
            check(picked is None or bool(queues[picked]), f"{scheduler} picks an empty queue")
            cases += 1
    return Agrees(cases, "four schedulers, three queues with up to three packets each")


@evidence("dynaq.ours.joint", form="printed", strength="smt")
def both_conditions_fit_into_the_buffer_exactly_when_it_holds_a_bdp() -> Outcome:
    """Prove sum q >= BDP and sum q <= B imply B >= BDP; and that q_i = WBDP_i satisfies (6) and (7) if B >= BDP."""
    D = sympy.Symbol("D", positive=True)
    for M in QUEUES:
        q = sympy.symbols(f"q1:{M + 1}", nonnegative=True)
        smt.prove([sum(q) >= D, sum(q) <= B], B >= D)
    for M in QUEUES:
        w = weights(M)
        identity(sum(D * item / sum(w) for item in w), D)
    return smt.prove([B >= D], D <= B).proved("q_i = WBDP_i has the sum BDP, which fits if and only if B >= BDP")


@evidence("dynaq.ours.not-at-every-instant", form="printed", strength="exact")
def an_empty_port_violates_equation_7() -> Outcome:
    """At the start, and whenever the port has run empty, sum q = 0 < C RTT whatever the buffer is."""
    port = DynaQ(4, (1, 1))
    check(sum(port.initial) == 4, "thresholds")
    return Proved("the initial state has sum q = 0", {"sum_q": "0", "C_RTT": "1"}, ["sum_q < C_RTT"])


@evidence("dynaq.sec3.2.1.guideline3", form="printed", strength="exact")
def quotas_of_a_bdp_each_meet_both_if_the_buffer_is_large() -> Outcome:
    """A static split of a buffer of M BDPs gives every queue a BDP."""
    says = "two queues and a buffer of two BDPs: static quotas of a BDP each meet both requirements"
    data = {
        "values": {"B": "2", "BDP": "1", "quota1": "1", "quota2": "1"},
        "hypotheses": ["quota1 + quota2 <= B", "quota1 >= BDP / 2", "quota2 >= BDP / 2"],
        "statement": "quota1 < BDP or quota2 < BDP",
    }
    return Counterexample(Witness("values", data, says=says), says)


@evidence("dynaq.sec3.2.1.guideline3", form="assumed", strength="smt")
def static_quotas_cannot_give_everybody_a_bdp() -> Outcome:
    """Prove that some quota is below the BDP when the quotas fit into a buffer of less than M BDPs."""
    D = sympy.Symbol("D", positive=True)
    example = {}
    for M in QUEUES:
        quota = sympy.symbols(f"b1:{M + 1}", nonnegative=True)
        proof = smt.prove([sum(quota) <= B, B < M * D], sympy.Or(*(item < D for item in quota)))
        example = {str(key): str(value) for key, value in proof.example.items()}
    return Proved("sum of quotas <= B < M BDP: some quota is below the BDP", example)


@evidence("dynaq.sec3.2.2.sum-above", form="printed", strength="smt")
def thresholds_that_fit_protect_and_larger_ones_do_not() -> Outcome:
    """With sum T <= B and q_i <= T_i a packet within its threshold finds room; with sum T > B it need not."""
    for M in QUEUES:
        T = sympy.symbols(f"T1:{M + 1}", nonnegative=True)
        q = sympy.symbols(f"q1:{M + 1}", nonnegative=True)
        s = sympy.Symbol("s", positive=True)
        within = [*(a <= b for a, b in zip(q, T, strict=True)), q[0] + s <= T[0]]
        fits = smt.prove([*within, sum(T) <= B], sum(q) + s <= B)
        smt.refute([*within, sum(T) > B, sum(q) <= B], sum(q) + s <= B)
    return fits.proved("a queue within its threshold can be refused for the others' sake exactly if sum T > B")


@evidence("dynaq.sec3.2.2.sum-below", form="printed", strength="smt")
def thresholds_that_sum_to_less_leave_buffer_unused() -> Outcome:
    """With q_i <= T_i and sum T < B at least B - sum T is never used, as under quotas."""
    for M in QUEUES:
        T = sympy.symbols(f"T1:{M + 1}", nonnegative=True)
        q = sympy.symbols(f"q1:{M + 1}", nonnegative=True)
        within = [a <= b for a, b in zip(q, T, strict=True)]
        proof = smt.prove([*within, sum(T) < B], B - sum(q) >= B - sum(T))
    return proof.proved("B - sum q >= B - sum T > 0")


@evidence("dynaq.sec3.2.4.reinitialise", form="printed", strength="exact")
def equation_3_initialises_to_nothing() -> Outcome:
    """Equation (3) defines the extra: assigning it to the thresholds makes them sum to B' - B, not to B'."""
    says = "a port of 4 bytes that becomes one of 6: T - S has the sum 0 for thresholds in force, not 6"
    data = {
        "values": {"T1": "2", "T2": "2", "S1": "2", "S2": "2", "B_new": "6"},
        "hypotheses": ["T1 + T2 == 4", "S1 + S2 == 4"],
        "statement": "(T1 - S1) + (T2 - S2) == B_new",
    }
    return Counterexample(Witness("values", data, says=says), says)


@evidence("dynaq.sec3.2.4.reinitialise", form="repaired", strength="symbolic")
def equation_2_initialises_to_the_new_buffer() -> Outcome:
    """Equation (2) with the new buffer sums to it."""
    for M in QUEUES:
        w = weights(M)
        identity(sum(B * item / sum(w) for item in w), B)
    return Proved("sum of B' w_i / sum w = B'", {"B'": "6"})


@evidence("dynaq.ours.stale-S", form="printed", strength="symbolic")
def thresholds_alone_are_not_enough_when_the_buffer_changes() -> Outcome:
    """With T from (2) for B' and S from (4) for B, the extras sum to B' - B instead of 0."""
    new = sympy.Symbol("B_new", positive=True)
    for M in QUEUES:
        w = weights(M)
        identity(sum(new * item / sum(w) - B * item / sum(w) for item in w), new - B)
    return Proved("the extras sum to B' - B: S has to be computed again as well", {"B": "4", "B'": "6"})


@evidence("dynaq.sec3.2.4.sum-breaks", form="printed", strength="symbolic")
def a_changed_buffer_breaks_the_sum() -> Outcome:
    """Thresholds that sum to B do not sum to another B'."""
    new = sympy.Symbol("delta", positive=True)
    check(sympy.simplify((B + new) - B) == new, "the sum is off by the change")
    return Proved("sum T = B differs from B' by B' - B", {"B": "85000", "new": "192000"}, ["new - B != 0"])
