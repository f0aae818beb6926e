"""Section 4.3 and Figure 11: overflow, unfairness, bytes lost and recovery; runs and published numbers."""

from fractions import Fraction
from itertools import product

from dtmodel import EDT, Arrivals, Run, Switch, simulate
from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, check, evidence, refuted_by_values
from dtmodel.theory.edt import formulas
from dtmodel.theory.edt.drops import EdtSettings, dt_lost, edt_lost, edt_queue, recovery_time

from .scenarios import EIGHT, GRID, SIXTEEN, STEADY, Number, Pieces, against, edt, engine, scenario

F = Fraction


def four_bursts_beside_a_steady_port() -> Run[Fraction]:
    """B = 49 and five ports of rate 1, alpha = 1, cn2 by (73), TM1 by (78), TM2 = B / C: bursts of 5/4, freed at 16."""
    arrivals = {port: Arrivals.constant(F(5, 4)) for port in range(4)} | {4: Arrivals.constant(2)}
    settings = formulas.cn2_paper(F(1), F(49), 5), formulas.tm1_paper(F(1), 5, F(49)), F(49)
    return simulate(Switch(5, 49, 1), EDT(1, *settings), arrivals, until=50, initial={4: "steady"})


@evidence("edt.thm5.proof.jump", form="printed", strength="exact")
def the_threshold_can_fall_to_b_over_m() -> Outcome:
    """Four slow bursts beside a steady port: at t_1 = 16 alpha F is 33/2, and B / M is 49/4."""
    run = four_bursts_beside_a_steady_port()
    check(run.queue(0).threshold_at(16) == F(49, 4) and run.free.at(F(16)) == F(33, 2), "another threshold")
    check(run.queue(0).at(16) == 4 and run.first_drop(0) == 49, "the bursts are not recognised")
    values: dict[str, Number] = {"alpha": 1, "B": 49, "M": 4, "F": "33/2"}
    return refuted_by_values(values, "B / M >= alpha * F", "the threshold falls from 33/2 to 49/4")


@evidence("edt.sec4.3.unfair-phase", form="printed", strength="exact")
def many_bursts_leave_the_steady_port_more() -> Outcome:
    """Four slow bursts beside a steady port: at t_1 = 16 their threshold is 49/4, that of the steady port 33/2."""
    run = four_bursts_beside_a_steady_port()
    limits = [run.queue(port).threshold_at(16) for port in (0, 4)]
    values: dict[str, Number] = {"burst": limits[0], "steady": limits[1]}
    return refuted_by_values(values, "burst > steady", "the steady port may hold more")


@evidence("edt.sec4.3.unfair-phase", form="assumed", strength="sampled")
def up_to_the_overflow_the_bursts_may_hold_more() -> Outcome:
    """For all M and N of the grid that the assumption allows: both thresholds from t_1 to just before t_2."""
    cases = 0
    for s in (each for each in GRID if each.N and each.alpha * each.M <= 1 + each.alpha * each.N):
        begin = s.dt_drop / 3
        run = engine(s, EdtSettings(s.r * begin, None, None), None, 2 * s.overflow)
        for part in (F(0), F(1, 2), F(999, 1000)):
            time = begin + part * (s.overflow - begin)
            bursts, steady = (run.queue(port).threshold_at(time) for port in (0, s.M))
            check(bursts == s.B / s.M > steady == s.alpha * run.free.at(time), f"{s} at {time}")
            cases += 1
    return Agrees(cases, "alpha 1/2, 1, 2; M 1..3; N 1, 2; R 3/2, 2, 4, where alpha M <= 1 + alpha N")


@evidence("edt.sec4.3.unfair-phase@throughout", form="printed", strength="exact")
def at_first_the_steady_ports_hold_more() -> Outcome:
    """B = 8, cn2 = 1/4, two steady ports: at t_1 the burst holds 1/4, each of them 31/12."""
    found = answer(scenario([STEADY], [STEADY, STEADY], switch=EIGHT, policy=edt("1/4"), sample=["1/4"]))["queues"][0]
    check(found == ["1/4", "31/12", "31/12"], f"the queues are {found}")
    return refuted_by_values({"burst": "1/4", "steady": "31/12"}, "burst > steady", "the burst has just begun")


@evidence("edt.sec4.3.unfair-duration@total", form="printed", strength="exact")
def the_burst_holds_more_long_after_the_overflow() -> Outcome:
    """A burst that goes on after the overflow holds more from 2 to 14; B / (M (R - C)) is 8."""
    sample = [2, 13, 14]
    found = answer(scenario([STEADY], [STEADY] * 2, switch=EIGHT, until=15, policy=edt("1/4"), sample=sample))["queues"]
    check([row[0] for row in found] == ["2", "3", "2"] and found[0][1] == found[2][1] == "2", f"the queues are {found}")
    check(F(found[1][1]) < 3, "it still holds more at 13")
    values: dict[str, Number] = {"B": 8, "M": 1, "R": 2, "C": 1, "begin": 2, "end": 14}
    return refuted_by_values(values, "end - begin < B / (M * (R - C))", "12 s, not less than 8")


@evidence("edt.intro.freed-immediately", form="printed", strength="exact")
def what_a_burst_leaves_is_kept_by_a_background() -> Outcome:
    """B = 8, a burst of 2 until 2 leaves 2 bytes: a background of C keeps them while TM2 runs; alone they go by 4."""
    bursts: list[Pieces] = [[(0, 2), (2, 1)], [(0, 2), (2, 0)]]
    until, sample = 9, [2, 3, 4, 8]
    policy = edt("1/4", None, 6)
    kept, gone = (
        [row[0] for row in answer(scenario([burst], switch=EIGHT, until=until, policy=policy, sample=sample))["queues"]]
        for burst in bursts
    )
    check(kept == ["2", "2", "2", "2"], f"with a background the queue is {kept}")
    check(gone == ["2", "1", "0", "0"], f"with nothing more the queue is {gone}")
    said = "after the burst the queue keeps its length while its port is uncontrolled"
    return Conflict("edt.sec4.1.timeout-scenario", said, {"background": kept, "alone": gone})


@evidence("edt.sec4.1.overflow-two-cases@alone", form="printed", strength="exact")
def a_small_burst_is_returned_by_the_overflow_of_another() -> Counterexample:
    """B = 16: long-lived traffic of rate 3 has 12 when a burst of 9 for 1 s comes; both are uncontrolled at the end."""
    alone, late = scenario([[(0, 9), (1, 0)]], switch=SIXTEEN, until=9, policy=edt("1/2")), F(6)
    check(answer(alone)["first_drop"] == [None], "the switch cannot absorb the burst by itself")
    both: list[Pieces] = [[(0, 3)], [(late, 9), (late + 1, 0)]]
    request = scenario(both, switch=SIXTEEN, until=9, policy=edt("1/2"))
    found = answer(request)
    check(F(found["free_at_first_drop"][1]) == 0, "the buffer is not full when the burst loses")
    check(F(found["first_drop"][1]) < late + 1, "the burst loses nothing while it lasts")
    return against(request, {"first_drop": [found["first_drop"][0], None]}, "a burst that fits alone")


@evidence("edt.ours.bytes-lost.dt", "edt.ours.bytes-lost.edt", "edt.ours.recovery", form="printed", strength="sampled")
def bytes_lost_and_recovery_agree_with_the_engine() -> Outcome:
    """Durations from half of to twice the time of the overflow, with ==; DT is EDT with a counter out of reach."""
    cases = 0
    for s, share in product(GRID, (F(1, 2), F(4, 3), F(2))):
        duration = share * s.overflow
        end = recovery_time(s, edt_queue(s, duration), duration)
        run = engine(s, EdtSettings(s.r * s.dt_drop / 2), duration, end + 1)
        check(run.dropped(0) == edt_lost(s, duration), f"{s}, EDT")
        last = run.queue(s.M + s.N - 1)
        check(run.queue(0).at(end) == 0 and last.at(end) == last.at(end + 1), "all is as before")
        check(engine(s, EdtSettings(s.B * 2), duration, end).dropped(0) == dt_lost(s, duration), f"{s}, DT")
        cases += 1
    for offered, lost in (
        (F(3, 2), F(21, 2)),
        (F(151, 100), F(10)),
    ):  # at C (1 + alpha M / (1 + alpha N)), and above it
        rates = {0: Arrivals.burst(2, 12), 1: Arrivals.constant(offered)}
        run = simulate(Switch(2, 6, 1), EDT(1, F(1, 2)), rates, until=12, initial={1: "steady"})
        check(run.dropped(0) == lost, f"a steady port that is offered {offered}")
    return Agrees(cases, "the same switches, bursts of 1/2, 4/3 and 2 times the time to the overflow")
