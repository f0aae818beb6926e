"""What the abstract and the introduction announce, run on small switches."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dtmodel.ledger import Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.theory.dt_first_drops import Setting, drain_stages, first_hits

from .dt_scenarios import Queue, answer, burst, dt, refutes, steady


def edt(queues: list[Queue], *, buffer: str, until: str, cn2: str = "1", rate: str = "1") -> dict[str, Any]:
    """Return a scenario of an EDT switch whose timers never expire."""
    return {
        "switch": {"ports": len(queues), "buffer": buffer, "rate": rate},
        "policy": {"name": "edt", "alpha": "1", "cn2": cn2, "tm1": None, "tm2": None},
        "queues": queues,
        "until": until,
    }


@evidence("edt.abstract.sufficient-conditions", form="printed", strength="exact")
def the_conditions_are_not_sufficient_as_they_stand() -> Outcome:
    """Two bursts of 3/2 C, alpha = 1, B = 3: the one of 2.5 s > t_1 = 2 s loses nothing, as the other ends at 1 s."""
    scenario = dt([burst("3/2", "5/2"), burst("3/2", "1")], buffer="3", until="4")
    return refutes(scenario, {"first_drop": ["2", None]}, "port 1's burst is longer than t_1, and it loses nothing")


@evidence("edt.abstract.edt-absorbs-more", form="printed", strength="exact")
def a_burst_that_only_dt_cuts() -> Outcome:
    """One burst of 3 C for 4 s on an empty switch of 12 bytes."""
    queues = [burst("3", "4")]
    under_dt, under_edt = answer(dt(queues, buffer="12", until="20")), answer(edt(queues, buffer="12", until="20"))
    lost = Fraction(under_dt["dropped"][0]), Fraction(under_edt["dropped"][0])
    check(lost[0] > 0 and lost[1] == 0, f"lost under DT and EDT: {lost}")
    return Proved(f"{lost[0]} bytes lost under DT, none under EDT", {"dt": str(lost[0]), "edt": "0"}, ["dt > edt"])


@evidence("edt.intro.adv1", form="printed", strength="exact")
def under_edt_the_faster_of_two_bursts_loses_while_buffer_is_free() -> Outcome:
    """Bursts of 3 C and 2 C, B = 12: the first reaches B/2 at 3 s, when the second holds 3 bytes."""
    scenario = edt([burst("3"), burst("2")], buffer="12", until="9")
    return refutes(
        scenario, {"free_at_first_drop": ["0", "0"]}, "a quarter of the buffer is free at port 1's first drop"
    )


@evidence("edt.intro.three-hundred", form="printed", strength="exact")
def four_times_as_long_without_loss() -> Outcome:
    """Run the burst under DT and under EDT in the evaluation's switch of 1 MB and 1 Gbps."""
    queues = [burst("2 Gbps"), steady("2 Gbps"), steady("2 Gbps")]
    scenario = edt(queues, buffer="1 MB", until="20 ms", cn2="12 KB", rate="1 Gbps")
    times = []
    for policy in ({"name": "dt", "alpha": "1"}, scenario["policy"]):
        times.append(Fraction(answer({**scenario, "policy": policy})["first_drop"][0]))
    check(times[1] / times[0] - 1 == 3, f"the drop times are {times}")
    return Proved("2 ms under DT, 8 ms under EDT", {"dt": str(times[0]), "edt": str(times[1])}, ["edt == 4 * dt"])


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
