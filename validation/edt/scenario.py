"""Section 3 and Table 1: the quantities and the scenario; runs and published numbers."""

import random
import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate

from dtmodel import Arrivals, InputError, Switch, simulate
from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Outcome, Proved, Skipped, check, evidence, refuted_by_values
from dtmodel.ledger.provers import coq
from dtmodel.ledger.provers.coq_project import Project
from dtmodel.ledger.provers.coq_theorems import run_within
from dtmodel.policies import Weighted
from dtmodel.theorems.statement import never
from dtmodel.theory import dt
from dtmodel.theory.dt import formulas

from . import scenarios
from .agreement import Drawn, draw
from .scenarios import burst, refutes, times

ONE = Fraction(1)
HALF = Fraction(1, 2)


@evidence("edt.table1.derivative", "edt.fn2", form="printed", strength="exact")
def the_threshold_has_no_derivative_when_bursts_arrive() -> Outcome:
    """Left and right slopes of T at t = 0 differ."""
    left, right = (formulas.follow_slope(Fraction(1), 1, Fraction(growth)) for growth in (0, 1))
    values = {"alpha": "1", "N": "1", "r": "1", "left": left, "right": right}
    says = "T is flat before the burst and falls after it"
    return refuted_by_values(values, "left == right", says, ["right == -alpha * r / (1 + alpha * N)"])


@evidence("edt.sec3.underloaded", form="printed", strength="sampled")
def traffic_up_to_the_port_rate_changes_nothing() -> Outcome:
    """40 seeded switches with a burst of rate C or less beside the others: it never drops, the others as without it."""
    rng = random.Random(14)
    for _ in range(40):
        drawn = draw(rng, one_rate=False)
        C, N = drawn.switch.rate, len(drawn.steady)
        quiet = C - rng.choice((Fraction(0), Fraction(0), C / 2, 3 * C / 4))
        switch = Switch(drawn.switch.ports + 1, drawn.switch.buffer, C)
        more = Drawn(switch, drawn.alpha, (*drawn.rates, quiet), drawn.steady)
        answer, others, M = more.drops(), drawn.drops(), len(drawn.rates)
        check(answer.first_drop == [*others.first_drop, never], f"the first drops of {more}")
        check(answer.free_at_first_drop == [*others.free_at_first_drop, None], f"the free buffer of {more}")
        check(answer.case == (*others.case, "never"), f"the cases of {more}")
        check(
            more.drops(durations=(Fraction(99),) * (M + 1)).drops[M] is False, f"durations at the quiet port of {more}"
        )
        run = more.run(2 * max(others.first_drop))
        found = [run.first_drop(port) for port in range(M + 1)]
        check(found == [*others.first_drop, None], f"{more}")
        alone = dt.theorem1_corrected.evaluate(switch, alpha=drawn.alpha, N=N, M=1, R=quiet, durations=[9])
        check((alone.first_drop, alone.case, alone.drops) == (never, "never", (False,)), f"Theorem 1 at C: {alone}")
    return Agrees(40, "half of them at exactly C")


@evidence("edt.sec3.summary", form="printed", strength="exact")
def table_1_has_the_notions_of_the_scenario() -> Outcome:
    """Compare the rows of Table 1 with what the scenario names, and with the symbols of the theorem objects."""
    rows = {"R_i", "C", "Q_i(t)", "B", "T(t)", "F(t)", "d_i", "P", "f'(x)"}
    named = {"P", "B", "C", "R_i", "d_i", "Q_i(t)", "T(t)", "F(t)"}
    check(named <= rows, f"Table 1 lacks {named - rows}")
    used = {symbol.latex for symbol in dt.theorem3.symbols}
    check({r"\alpha", "L"} <= used, "what the note says of alpha and L is not so")
    return Agrees(len(named), "every notion that is named")


@evidence("edt.fn3", form="printed", strength="sampled")
def more_ports_than_there_are_is_refused() -> Outcome:
    """Every M >= 1 and N >= 0 up to M + N = 6 on a switch of 4 ports: answered iff M + N <= 4."""
    switch, cases = Switch(4, 12, 1), 0
    for M, N in ((M, total - M) for total in range(1, 7) for M in range(1, total + 1)):
        for theorem, given in (
            (dt.theorem1_corrected, {"bursts": M, "burst_rate": 2}),
            (dt.theorem3_corrected, {"burst_rates": [2] * M}),
        ):
            try:
                theorem.evaluate(switch, alpha=1, steady=N, **given)
                answered = True
            except InputError as error:
                check(error.value in (M, [2] * M), f"the error names {error.value}")
                answered = False
            check(answered == (M + N <= 4), f"M = {M}, N = {N}")
            cases += 1
    return Agrees(cases, "all M + N up to 6 on 4 ports")


@evidence("edt.fn4@one-duration", form="printed", strength="exact")
def two_bursts_that_end_apart_are_not_one_burst() -> Outcome:
    """Rates 3/2 (until 4 s) and 1 (until 0.5 s) at one port: 5/2 by Theorem 1 drops at 1 s, the port drops at 2 s."""
    time = formulas.fast_drop_time(ONE, Fraction(3), ONE, 1, 0, Fraction(3, 2))
    port = {"arrivals": [["0", "5/2"], ["1/2", "3/2"], ["4", "0"]]}
    return refutes(
        scenarios.dt([port], buffer="3", until="5"), {"first_drop": times([time])}, "the sum is not constant"
    )


@evidence("edt.fn4@one-duration", form="assumed", strength="sampled")
def two_bursts_that_end_together_are_one_burst() -> Outcome:
    """The model sees only the sum of the rates at a port: the aggregate of equal ends is one constant burst."""
    ends = (Fraction(4), Fraction(4))
    pieces = sorted({Fraction(0), *ends})
    totals = [sum(rate for rate, end in zip((HALF + 1, ONE), ends, strict=True) if at < end) for at in pieces]
    check(totals == [Fraction(5, 2), 0], "the sum has another piece")
    found = answer(scenarios.dt([burst("5/2", "4")], buffer="3", until="5"))["first_drop"]
    check(found == times([formulas.fast_drop_time(ONE, Fraction(3), ONE, 1, 0, Fraction(3, 2))]), "Theorem 1 fails")
    return Proved("one piece of the summed rate before the common end", {"R_1": "3/2", "R_2": "1", "d": "4"}, ["d > 1"])


_SHOWN = """Import Engine Pieces.
Require Import QArith List.
Import ListNotations.
Definition shown (answer : option (list (Q * list Q))) : option (list (list Z)) :=
  option_map (map (fun p => flat_map (fun x => [Qnum x; Zpos (Qden x)]) (fst p :: snd p))) answer.
"""


def _listed(numbers: Iterable[Fraction]) -> str:
    """Write numbers as a list of Coq."""
    return "[" + "; ".join(f"({x.numerator} # {x.denominator})%Q" for x in numbers) + "]"


def _read(trace: str) -> list[list[Fraction]]:
    """Read what Coq's engine answers: an instant and the lengths then, each as numerator and denominator."""
    events = [[int(number) for number in re.findall(r"\d+", event)] for event in re.findall(r"\[([^\[\]]+)\]", trace)]
    return [[Fraction(*pair) for pair in zip(event[::2], event[1::2], strict=True)] for event in events]


def engines_agree(seed: int, count: int) -> tuple[int, int]:
    """Run seeded switches of 1 to 4 queues here and in Coq; return the instants compared and the most in one run.

    Weights, services, lengths and rates that change twice are drawn for each queue.
    """
    rng, questions, runs = random.Random(seed), [], []
    for _ in range(count):
        n, lasting = rng.randint(1, 4), [Fraction(rng.randint(1, 6), 2) for _ in range(3)]
        weights = [Fraction(rng.randint(1, 8), rng.choice((1, 2, 4))) for _ in range(n)]
        services, initial = ([Fraction(rng.randint(low, 3)) for _ in range(n)] for low in (1, 0))
        rates = [[Fraction(rng.choice((0, 0, 1, 2, 3, 5, 20))) for _ in range(n)] for _ in lasting]
        begins = list(accumulate(lasting, initial=Fraction(0)))
        arrivals = {i: Arrivals([(t, rate[i]) for t, rate in zip(begins, rates, strict=False)]) for i in range(n)}
        lengths, own = dict(enumerate(initial)), dict(enumerate(services))
        run = simulate(Switch(n, 12, 1), Weighted(weights), arrivals, until=begins[-1], initial=lengths, rates=own)
        w, c = (f"(fun i => nth i {_listed(numbers)} 0%Q)" for numbers in (weights, services))
        pieces = "; ".join(f"({_listed([d])[1:-1]}, {_listed(rate)})" for d, rate in zip(lasting, rates, strict=True))
        switch = f"(RationalSwitch {n} {w} (fun _ => 0%Q) {c} 12%Q)"
        fuel = f"(S (3 * (most_events {n} + 1)))%nat"
        questions.append(f"Eval vm_compute in shown (engine_run {switch} {fuel} 0%Q {_listed(initial)} [{pieces}]).")
        runs.append(run)
    where = coq.development()
    said = run_within(where, Project.read(where).loaded + _SHOWN + "\n".join(questions))
    answers = [_read(trace) for trace in said.split(": option (list (list Z))")[:-1]]
    for run, trace in zip(runs, answers, strict=True):
        check(trace and trace[-1][0] == run.until, f"{run}: the engine in Coq stops early")
        for t, *lengths_then in trace:
            check([run.queue(i).at(t) for i in range(len(lengths_then))] == lengths_then, f"{run} at {t}")
    return sum(map(len, answers)), max(map(len, answers))


@evidence("edt.ours.engine.agrees", form="printed", strength="exact")
def the_engine_in_coq_gives_the_same_lengths() -> Outcome:
    """24 seeded switches of 1 to 4 queues, with weights, services and changing rates of their own, run in both."""
    if reason := coq.unavailable():
        return Skipped(reason)
    return Agrees(engines_agree(8, 24)[0], "instants of 24 runs")


@evidence("edt.ours.engine.integrated", form="printed", strength="exact")
def an_integrator_with_modes_agrees_with_the_engine() -> Outcome:
    """80 seeded runs under EDT, in pools and under complete sharing, by scipy's solve_ivp: who drops, and when."""
    from .integrated import agrees, integrated
    from .pulses import DRAWS

    rng, runs, drops = random.Random(2), 0, 0
    for draw_run in (DRAWS[0], *DRAWS):
        for _ in range(20):
            run = draw_run(rng)
            found = integrated(run.scenario)
            check(agrees(found, run, run.scenario), f"{found} in {run.scenario}")
            runs, drops = runs + 1, drops + sum(drop is not None for drop in found[1])
    check(drops >= 100, "next to nothing is lost")
    return Agrees(
        runs, f"each mode a straight line: within a millionth, where floats have ten digits more; {drops} first drops"
    )
