"""What the abstract and the introduction announce, run on small switches."""

from __future__ import annotations

from fractions import Fraction

from dtmodel.ledger import Counterexample, Outcome, Witness, check, evidence
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
