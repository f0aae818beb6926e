"""What the abstract and the introduction announce, run on small switches."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from dtmodel.ledger import Agrees, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.provers import smt
from dtmodel.theory.dt_first_drops import Setting, drain_stages, first_hits

from .dt_scenarios import answer, burst, dt, refutes, steady


@evidence("edt.abstract.sufficient-conditions", form="printed", strength="exact")
def the_conditions_are_not_sufficient_as_they_stand() -> Outcome:
    """Two bursts of 3/2 C, alpha = 1, B = 3: the one of 2.5 s > t_1 = 2 s loses nothing, as the other ends at 1 s."""
    scenario = dt([burst("3/2", "5/2"), burst("3/2", "1")], buffer="3", until="4")
    return refutes(scenario, {"first_drop": ["2", None]}, "port 1's burst is longer than t_1, and it loses nothing")


@evidence("edt.sec3.2.two-theorems", form="printed", strength="exact")
def theorem_3_leaves_ports_out() -> Outcome:
    """Rates 4 and 3 beside a steady port: Theorem 3 applies with L = 1, and port 2 drops all the same."""
    setting, rates = Setting(Fraction(1), Fraction(12), Fraction(1), 1), (Fraction(4), Fraction(3))
    L = drain_stages(setting, rates)
    found = answer(dt([burst("4"), burst("3"), steady()], buffer="12", until="4"))["first_drop"]
    check(found[1] == str(first_hits(setting, rates)[1].time), "port 2 does not drop")
    values = {"alpha": "1", "N": "1", "C": "1", "G_1": "5", "G_2": "2", "M": "2", "L": str(L)}
    hypotheses = ["alpha * G_1 > (1 + alpha * N) * C", "alpha * G_2 <= (1 + alpha * (N + 1)) * C"]
    data = {"values": values, "hypotheses": hypotheses, "statement": "L == M"}
    return Counterexample(Witness("values", data, says=f"port 2 drops at {found[1]}, and no theorem says so"))


@evidence("edt.sec2.1.cioq-both", form="printed", strength="smt")
def both_sides_wait_for_a_speedup_in_between() -> Outcome:
    """One slot, P packets for one output: min(S, P) cross the fabric, one leaves; z3 and cvc5 over integers."""
    P, S = sp.symbols("P S", integer=True, positive=True)
    crossed = sp.Min(S, P)
    proof = smt.prove([S > 1, S < P], sp.And(P - crossed >= 1, crossed - 1 >= 1))
    smt.prove([sp.Eq(S, 1)], sp.Eq(crossed - 1, 0))
    smt.prove([sp.Eq(S, P)], sp.Eq(P - crossed, 0))
    return Proved("P - S wait at the inputs, S - 1 at the output", {**proof.example}, ["S > 1", "S < P"])


@evidence("edt.sec2.1.oq-throughput", form="printed", strength="sampled")
def an_output_queue_sends_all_that_its_line_can() -> Outcome:
    """All arrivals of 0 to 3 packets in each of 6 slots, slot by slot, against the closed form."""
    slots, cases = 6, 0
    for arrivals in product(range(4), repeat=slots):
        queue, sent = 0, [0]
        for a in arrivals:
            leaves = min(queue + a, 1)
            queue += a - leaves
            sent.append(sent[-1] + leaves)
        brought = [sum(arrivals[:t]) for t in range(slots + 1)]
        most = [min(brought[s] + t - s for s in range(t + 1)) for t in range(slots + 1)]
        check(sent == most, f"{arrivals}: {sent} is not {most}")
        cases += 1
    return Agrees(cases, "all arrivals of up to 3 packets in 6 slots")


def places_kept(B: int, alpha: Fraction) -> int:
    """Packets that still fit when DT stops to admit at the only overloaded port."""
    queue = 0
    while queue < alpha * (B - queue):
        queue += 1
    return B - queue


@evidence("edt.sec2.3.reserves@packets", form="printed", strength="exact")
def a_large_alpha_gives_the_last_place_away() -> Outcome:
    """10 packets, alpha = 16: 9 < 16 (10 - 9), so the tenth packet enters."""
    free = places_kept(10, Fraction(16))
    data = {"values": {"alpha": "16", "B": "10", "free": str(free)}, "statement": "free >= 1"}
    return Counterexample(Witness("values", data, says="the last packet is admitted, nothing stays free"))


@evidence("edt.sec2.3.reserves@packets", form="assumed", strength="sampled")
def with_room_for_1_plus_alpha_packets_one_place_stays_free() -> Outcome:
    """Admission packet by packet for buffers of 1 to 64 packets and 13 values of alpha."""
    alphas = [Fraction(2) ** j for j in range(-6, 7)]
    for B, alpha in product(range(1, 65), alphas):
        kept = places_kept(B, alpha)
        check(kept == B // (1 + alpha) and (kept >= 1) == (1 + alpha <= B), f"B = {B}, alpha = {alpha}: {kept}")
    return Agrees(64 * len(alphas), "floor(B / (1 + alpha)) places; B from 1 to 64 packets, alpha = 2^-6 .. 2^6")


@evidence("edt.sec3.most-general", form="printed", strength="exact")
def theorem_4_does_not_cover_unequal_rates() -> Outcome:
    """Rates 2 and 3/2 beside two steady ports: Theorem 2 applies and gives unequal drop times, Theorem 4 one time."""
    found = answer(dt([burst("2"), burst("3/2"), steady(), steady()], buffer="12", until="20"))["first_drop"]
    first, second = found[:2]
    check(first != second, "both ports drop at once")
    values = {"alpha": "1", "N": "2", "C": "1", "R_1": "2", "R_2": "3/2", "t_1": first, "t_2": second}
    hypotheses = ["alpha * (R_1 - C + R_2 - C) <= (1 + alpha * N) * C", "R_1 >= R_2", "R_2 > C"]
    data = {"values": values, "hypotheses": hypotheses, "statement": "R_1 == R_2 and t_1 == t_2"}
    return Counterexample(Witness("values", data, says="a case of Theorem 2 that (42) excludes: the rates differ"))
