"""Section 3.1: Theorem 1, equations (2) to (11); runs and published numbers."""

import random
from collections import Counter
from fractions import Fraction

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Outcome, Proved, check, evidence
from dtmodel.theory.dt import formulas, theorem1

from .agreement import draw
from .figures import fig03
from .figures.threshold_panels import THRESHOLD
from .scenarios import burst, dt, meets, refutes, slopes, steady, times

ONE = Fraction(1)
HALF = Fraction(1, 2)


@evidence("edt.fig3a", form="printed", strength="exact")
def figure_3a_falls_together_and_rests() -> Outcome:
    """Steady queues and threshold are one line; all meet at t_1; then nothing moves."""
    shown = fig03.data().panels[0]
    threshold, bursts, steady = (shown.curve(label) for label in (THRESHOLD, fig03.BURSTS, fig03.STEADY))
    (mark,) = shown.marks
    check(steady.lengths == threshold.lengths, "the steady queues leave the threshold")
    check(
        meets(shown, fig03.BURSTS) == mark.time and bursts.at(mark.time) == mark.length, "they do not meet at the ring"
    )
    check(slopes(threshold)[0] < 0 < slopes(bursts)[0], "the threshold does not fall, or the bursts do not grow")
    check(slopes(threshold)[1:] == [0] == slopes(bursts)[1:], "something moves after t_1")
    return Agrees(3, "the three trajectories of the panel")


@evidence("edt.fig3b", form="printed", strength="exact")
def figure_3b_undershoots_and_comes_back() -> Outcome:
    """The threshold falls faster than C, rises with the bursts after t_2, and all meet the falling steady queues."""
    shown = fig03.data().panels[1]
    threshold, bursts, steady = (shown.curve(label) for label in (THRESHOLD, fig03.BURSTS, fig03.STEADY))
    (mark,) = shown.marks
    check(meets(shown, fig03.BURSTS) == mark.time, "they do not meet at the ring")
    check(steady.at(mark.time) > threshold.at(mark.time), "the steady queues are not above the threshold at t_2")
    fall, rise, rest = slopes(threshold)
    check(fall < -1 and rise > 0 and rest == 0, "the threshold does not fall faster than C, rise and rest")
    check(slopes(bursts)[1:] == [rise, rest], "the bursts do not rise with the threshold")
    check(slopes(steady) == [-1, 0], "the steady queues do not drain at C until all rest")
    check(steady.lengths[-1] == threshold.lengths[-1] == bursts.lengths[-1], "they do not end together")
    return Agrees(3, "the three trajectories of the panel")


@evidence("edt.thm1.case-a.grow", form="printed", strength="exact")
def a_burst_that_ends_early_does_not_grow_until_t_1() -> Outcome:
    """Of two bursts in case a the second ends early: at t_1 = 2 s its queue is empty."""
    scenario = dt([burst("3/2", "5/2"), burst("3/2", "1")], buffer="3", until="4", sample=["2"])
    return refutes(scenario, {"queues": [["1", "1"]]}, "queue 2 shrinks from 1 s on")


@evidence("edt.thm1", "edt.eq3", "edt.eq10", "edt.eq11", form="printed", strength="exact")
def a_burst_that_ends_early_saves_the_other_in_case_a() -> Outcome:
    """Two bursts, no steady port: the second ends at 1 s, before t_1 = 2 s; the first lasts 2.5 s and loses nothing."""
    time = formulas.slow_drop_time(ONE, Fraction(3), 2, 0, HALF)
    check(formulas.rate_bound(ONE, ONE, 2, 0) >= Fraction(3, 2), "not case a")
    free = formulas.slow_free(ONE, Fraction(3), 2, 0)
    scenario = dt([burst("3/2", "5/2"), burst("3/2", "1")], buffer="3", until="4")
    claimed = {"first_drop": times([time, None]), "free_at_first_drop": times([free, None])}
    return refutes(scenario, claimed, "port 1's burst is longer than t_1, and it loses nothing")


@evidence("edt.thm1.case-b.grow", form="printed", strength="exact")
def a_burst_that_ends_early_does_not_grow_until_t_2() -> Outcome:
    """Of two bursts in case b the second ends early: at t_2 = 1 s its queue is empty."""
    scenario = dt([burst("2", "5/4"), burst("2", "1/2")], buffer="3", until="4", sample=["1"])
    return refutes(scenario, {"queues": [["1", "1"]]}, "queue 2 shrinks from 0.5 s on")


@evidence("edt.eq7", form="printed", strength="exact")
def a_burst_that_ends_early_saves_the_other_in_case_b() -> Outcome:
    """Two faster bursts: the second ends at 0.5 s, before t_2 = 1 s; the first lasts 1.25 s and loses nothing."""
    time = formulas.fast_drop_time(ONE, Fraction(3), ONE, 2, 0, ONE)
    check(formulas.rate_bound(ONE, ONE, 2, 0) < 2, "not case b")
    scenario = dt([burst("2", "5/4"), burst("2", "1/2")], buffer="3", until="4")
    return refutes(
        scenario, {"first_drop": times([time, None])}, "port 1's burst is longer than t_2, and it loses nothing"
    )


@evidence("edt.eq11@while-dropping", form="printed", strength="exact")
def the_free_buffer_grows_while_a_fast_burst_loses_bytes() -> Outcome:
    """One burst of 5 beside one steady port, alpha = 1, B = 21: at t_2 = 3/2 it is 6, in the end 7."""
    first = formulas.fast_drop_time(ONE, Fraction(21), ONE, 1, 1, Fraction(4))
    free = formulas.fast_free(ONE, Fraction(21), ONE, 1, 1, Fraction(4))
    check(free < formulas.slow_free(ONE, Fraction(21), 1, 1), "the free buffer does not grow")
    scenario = dt([burst("5"), steady()], buffer="21", until="9", sample=[str(first), "9"])
    found = answer(scenario)
    check(found["first_drop"][0] == str(first) and found["free_at_first_drop"][0] == str(free), "not (11) at t_2")
    at_drop, later = found["queues"]
    check(21 - sum(map(Fraction, at_drop)) == free, "the lengths at t_2")
    return refutes(
        scenario, {"queues": [at_drop, at_drop]}, f"14 bytes are queued at 9 s: {later}; bytes are lost still"
    )


@evidence("edt.thm1", form="assumed", strength="sampled")
@evidence("edt.ours.theorem1", form="printed", strength="sampled")
def theorem_1_agrees_with_the_engine() -> Outcome:
    """120 seeded switches of both cases and their boundary: drop times, free buffers and cases."""
    rng, seen = random.Random(11), Counter[str]()
    for _ in range(120):
        drawn = draw(rng, one_rate=True)
        M, R = len(drawn.rates), drawn.rates[0]
        N = len(drawn.steady)
        answer = theorem1.evaluate(drawn.switch, alpha=drawn.alpha, steady=N, bursts=M, burst_rate=R)
        time = answer.first_drop
        run = drawn.run(2 * time)
        for port in range(M):
            check(run.first_drop(port) == time, f"first drop {run.first_drop(port)}, not {time}, in {drawn}")
            check(run.free_at_first_drop(port) == answer.free_at_first_drop, f"free buffer of {drawn}")
        steady = [run.queue(port).at(time) for port in range(M, M + len(drawn.steady))]
        above = bool(steady) and steady[0] > drawn.alpha * run.free.at(time)
        check(not (above and answer.case == "a"), f"the steady queues are above the threshold in case a: {drawn}")
        bound = formulas.rate_bound(drawn.alpha, drawn.switch.rate, M, len(drawn.steady))
        check((answer.case == "a") == (bound >= R), f"case {answer.case} of {drawn}")
        seen[answer.case] += 1
        seen["boundary"] += bound == R
    check(min(seen["a"], seen["b"], seen["boundary"]) > 15, f"the samples miss a situation: {seen}")
    return Agrees(120, f"{dict(seen)}")


@evidence("edt.ours.steady-rate-matters", form="printed", strength="exact")
def with_an_early_end_a_steady_rate_matters() -> Outcome:
    """With alpha = 1, B = 12, C = 1: bursts 3/2 and 2 (until 3 s) beside a steady port offered 1 or 2."""
    drops = [
        Fraction(answer(dt([burst("3/2"), burst("2", "3"), steady(rate)], buffer="12", until="10"))["first_drop"][0])
        for rate in ("1", "2")
    ]
    check(drops[0] != drops[1], "the drop time is the same")
    return Proved(
        f"port 1 drops at {drops[0]} or {drops[1]}", {"at_C": str(drops[0]), "at_2C": str(drops[1])}, ["at_C > at_2C"]
    )
