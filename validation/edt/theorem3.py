"""Section 3.2: Theorem 3, equations (30) to (41); runs and published numbers."""

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import sympy as sp

from dtmodel import Switch
from dtmodel.fluid import answer as fluid_answer
from dtmodel.ledger import Agrees, Outcome, Proved, check, evidence
from dtmodel.theory import dt
from dtmodel.theory.dt import formulas
from dtmodel.theory.dt.meetings import exact_meetings
from dtmodel.theory.dt.series import draining, meeting_times, recursive_drains, recursive_follows

from . import scenarios
from .agreement import _above, _accounted, _silent, draw
from .scenarios import against, burst, refutes, steady, times


def _missed_by_31(rates: tuple[str, str]) -> Outcome:
    """Run the engine on two bursts, and (31) one port beyond L."""
    scenario = {
        "switch": {"ports": 2, "buffer": "12", "rate": "1"}, "policy": {"name": "dt", "alpha": "1"},
        "queues": [{"arrivals": [["0", rate]]} for rate in rates], "until": "10",
    }  # fmt: skip
    r_1, r_2 = (sp.Rational(rate) - 1 for rate in rates)
    one = sp.Integer(1)
    check(r_2 > (1 + (1 - 1)) and not r_2 > (1 + 1), "k = 2 is within L for N_k = N + k - 1 and not for N_k = N + k")
    first = formulas.printed_drain_time(one, one, 0, r_1, r_1 + r_2, (sp.Integer(0), sp.Integer(12)))
    free = formulas.printed_drain_free(one, 0, r_1 + r_2, (sp.Integer(0), sp.Integer(12)), first)
    second = formulas.printed_drain_time(one, one, 1, r_2, r_2, (first, free))
    return against(scenario, {"first_drop": [str(first), str(second)]}, "port 2 meets the threshold in another regime")


ONE = Fraction(1)
HALF = Fraction(1, 2)


def _stages(setting: tuple[Fraction, Fraction, Fraction, int], rates: Sequence[Fraction]) -> int:
    """Return L of Theorem 3."""
    alpha, _, C, N = setting
    return sum(draining(alpha, C, N, rates))


@evidence("edt.thm2", "edt.thm3", form="assumed", strength="sampled")
@evidence("edt.ours.theorem2", "edt.ours.theorem3", "edt.ours.drain-product", form="printed", strength="sampled")
def theorems_2_and_3_agree_with_the_engine() -> Outcome:
    """150 seeded switches: every port's drop time, free buffer and regime; the printed recursions where they apply."""
    rng, seen = random.Random(12), Counter[str]()
    for _ in range(150):
        drawn = draw(rng, one_rate=False)
        answer = drawn.drops()
        times, frees, ports = answer.first_drop, answer.free_at_first_drop, range(len(drawn.rates))
        run = drawn.run(2 * max(times))
        L = _stages(drawn.setting, drawn.rates)
        check([run.first_drop(port) for port in ports] == times, f"first drops of {drawn}")
        check([run.free_at_first_drop(port) for port in ports] == frees, f"free buffer of {drawn}")
        for port, (_, above) in enumerate(exact_meetings(*drawn.setting, drawn.rates)):
            check(_above(drawn, run, port, times) == above, f"queues above the threshold of {drawn}")
            check(_accounted(drawn, port, times) == drawn.switch.buffer, f"the balance of port {port} of {drawn}")
            regime = "drain" if port < L else "mixed" if above else "follow"
            check(answer.case[port] == regime, f"regime of port {port} of {drawn}")
            seen[regime] += 1
        printed = (dt.theorem3 if L else dt.theorem2).evaluate(
            drawn.switch, alpha=drawn.alpha, steady=len(drawn.steady), burst_rates=drawn.rates
        )
        known = L or len(times)
        check(printed.first_drop[:known] == times[:known], f"(14) or (31) in {drawn}")
        check(printed.free_at_first_drop[:known] == frees[:known], f"F by (14) or (31) in {drawn}")
        check(not any(printed.first_drop[known:]), f"(31) beyond L in {drawn}")
    check(min(seen["follow"], seen["drain"], seen["mixed"]) > 20, f"the samples miss a situation: {seen}")
    return Agrees(150, f"{dict(seen)}")


@evidence("edt.ours.theorem3", form="printed", strength="sampled")
def an_integrator_with_modes_finds_the_drops_of_the_theorem() -> Outcome:
    """20 seeded switches by scipy's solve_ivp, which has no line of the engine's: every port's drop time, in floats."""
    from validation.edt.integrated import TOLERANCE, integrated

    rng = random.Random(21)
    for _ in range(20):
        drawn = draw(rng, one_rate=False)
        told = list(map(float, drawn.drops().first_drop))
        run = drawn.run(2 * max(drawn.drops().first_drop))
        _, found = integrated(run.scenario)
        close = [
            drop is not None and abs(drop - time) <= TOLERANCE * time for drop, time in zip(found, told, strict=False)
        ]
        check(all(close), f"first drops of {drawn}: {found}, not {told}")
    return Agrees(20, "each mode a straight line: within a millionth of each time, where floats have ten digits more")


@evidence("edt.thm3", "edt.eq30", "edt.thm3.proof.basis", "edt.thm3.proof.until", "edt.thm3.proof.conclusion",
          form="printed", strength="exact")  # fmt: skip
def an_early_end_saves_the_first_port_of_theorem_3() -> Outcome:
    """Rates 3 and 2: t_1 = 1 s. The second burst ends at 0.5 s, the first at 1.125 s, and loses nothing."""
    setting, rates = (ONE, Fraction(5), ONE, 0), (Fraction(3), Fraction(2))
    check(_stages(setting, rates) >= 1, "not Theorem 3's hypothesis")
    claimed = [times([time for time, _ in recursive_drains(*setting, rates, 1)])[0], None]
    scenario = scenarios.dt([burst("3", "9/8"), burst("2", "1/2")], buffer="5", until="8")
    return refutes(scenario, {"first_drop": claimed}, "the threshold falls more slowly when burst 2 ends")


@evidence("edt.thm3.L@N+k-1", form="printed", strength="exact")
def the_other_reading_of_N_k_goes_one_port_too_far() -> Outcome:
    """With alpha = 1, N = 0, R = (5, 5/2), C = 1 that condition is true for k = 2, and (31) misses t_2."""
    return _missed_by_31(("5", "5/2"))


@evidence("edt.thm3.proof.step.drop", form="printed", strength="exact")
def an_early_end_saves_the_second_port_of_theorem_3() -> Outcome:
    """Rates 9, 5, 2: L = 2, t_2 = 6/7 s. Burst 3 ends at 0.5 s, burst 2 at 0.875 s, and port 2 loses nothing."""
    setting, rates = (ONE, Fraction(12), ONE, 0), (Fraction(9), Fraction(5), Fraction(2))
    check(_stages(setting, rates) == 2, "L is not 2")
    t_2 = recursive_drains(*setting, rates, 2)[1][0]
    check(t_2 < Fraction(7, 8), "the second burst is not longer than t_2")
    scenario = scenarios.dt([burst("9"), burst("5", "7/8"), burst("2", "1/2")], buffer="12", until="8")
    found = fluid_answer(scenario)["first_drop"]
    return refutes(
        scenario, {"first_drop": [found[0], str(t_2), None]}, "the threshold falls more slowly without burst 3"
    )


@evidence("edt.ours.beyond-L", form="printed", strength="exact")
def neither_recursion_continues_beyond_L() -> Outcome:
    """With alpha = 1, B = 12, C = 1, rates 4 and 3 beside one steady port: t_2 is 6/5."""
    setting, rates = (ONE, Fraction(12), ONE, 1), (Fraction(4), Fraction(3))
    check(_stages(setting, rates) == 1, "L is not 1")
    found = fluid_answer(scenarios.dt([burst("4"), burst("3"), steady()], buffer="12", until="4"))["first_drop"]
    check(found[:2] == times(meeting_times(*setting, rates)), "the theorem misses the engine")
    before = recursive_drains(*setting, rates, 1)[0]
    drained = formulas.printed_drain_time(ONE, ONE, 2, Fraction(2), Fraction(2), before)
    followed = formulas.printed_follow_time(ONE, 2, Fraction(2), Fraction(2), before)
    t_2 = Fraction(found[1])
    check(t_2 not in (drained, followed), "a recursion continues")
    check(t_2 != recursive_follows(*setting, rates)[1][0], "(14) from the start gives it")
    return Proved(f"t_2 = {t_2}, not {followed} by (14) nor {drained} by (31)", {"L": "1", "t_2": str(t_2)}, ["L == 1"])


@evidence("edt.ours.no-earlier-drop", "edt.ours.equality", form="printed", strength="sampled")
def durations_are_decided_as_the_engine_decides() -> Outcome:
    """150 seeded switches with bursts that end, often exactly at some drop time."""
    rng, seen = random.Random(13), Counter[bool | None]()
    for _ in range(150):
        drawn = draw(rng, one_rate=rng.random() < 0.3)
        times = drawn.drops().first_drop
        ends = tuple(rng.choice((*times, rng.choice(times) * Fraction(rng.randint(1, 12), 6))) for _ in times)
        run = drawn.run(max(*ends, *times) + 1, ends)
        answer = drawn.drops(durations=ends)
        if len(set(drawn.rates)) == 1:
            check(drawn.alike(ends) == answer.drops, f"Theorem 1 of {drawn} with {ends}")
        for port, (drops, regime) in enumerate(zip(answer.drops, answer.case, strict=True)):
            found = run.first_drop(port)
            check(found is None or found >= times[0], f"a drop before t_1 in {drawn} with {ends}")
            check(drops in (None, found is not None), f"port {port} of {drawn} with {ends}")
            check(not drops or found == times[port], f"another drop time of port {port} of {drawn} with {ends}")
            silent = _silent(times, regime, port, ends)
            check((drops is None) == silent, f"port {port} of {drawn} with {ends}: decided?")
            seen[drops] += 1
    check(min(seen[True], seen[False], seen[None]) > 25, f"the samples miss a situation: {seen}")
    return Agrees(150, f"{dict(seen)}")


@evidence("edt.ours.early-end-hastens", form="printed", strength="exact")
def an_early_end_brings_the_third_drop_forward() -> Outcome:
    """Rates 13, 9, 3, alpha = 8, B = 12: t_3 = 1008/611; if burst 2 ends at 3/47, port 3 drops at 48/31."""
    rates = (Fraction(13), Fraction(9), Fraction(3))
    lasting = fluid_answer(scenarios.dt([burst("13"), burst("9"), burst("3")], alpha="8", buffer="12", until="4"))[
        "first_drop"
    ]
    met = meeting_times(Fraction(8), Fraction(12), ONE, 0, rates)
    check(lasting == times(met), "the theorem misses the engine")
    early = fluid_answer(
        scenarios.dt([burst("13"), burst("9", "3/47"), burst("3", "8/5")], alpha="8", buffer="12", until="4")
    )["first_drop"]
    earlier = Fraction(early[2])
    check(earlier < Fraction(8, 5) < met[2], "port 3 drops no earlier")
    check(Fraction(early[0]) > met[0], "the first drop comes earlier")
    values = {"t_3": str(met[2]), "d_3": "8/5", "drop": str(earlier)}
    return Proved(f"port 3 drops at {earlier} instead of {met[2]}", values, ["drop < d_3", "d_3 < t_3"])


@evidence("edt.ours.end-at-the-drop", form="printed", strength="exact")
def a_burst_that_ends_at_the_drop_time_saves_the_other() -> Outcome:
    """Rates 5/4, alpha = 1, B = 3: t_1 = 4 s. If burst 2 ends at 4 s, port 1 loses nothing then, nor until 5 s."""
    time = formulas.slow_drop_time(ONE, Fraction(3), 2, 0, Fraction(1, 4))
    lasting = fluid_answer(scenarios.dt([burst("5/4"), burst("5/4")], buffer="3", until="9"))["first_drop"]
    check(lasting == times([time, time]), "Theorem 1 misses the engine")
    ended = fluid_answer(scenarios.dt([burst("5/4", "5"), burst("5/4", str(time))], buffer="3", until="9"))[
        "first_drop"
    ]
    check(ended == [None, None], "port 1 loses bytes")
    said = dt.theorem1_corrected.evaluate(
        Switch(2, 3, 1), alpha=1, steady=0, bursts=2, burst_rate="5/4", durations=[5, time]
    )
    check(said.drops == (None, False), f"the theorem object says {said.drops}")
    # Case b with alpha = 2: burst 2 ends when both queues meet the falling threshold.
    met = formulas.fast_drop_time(Fraction(2), Fraction(6), ONE, 2, 0, HALF)
    saved = fluid_answer(scenarios.dt([burst("3/2", "9"), burst("3/2", str(met))], until="5", alpha="2", buffer="6"))[
        "first_drop"
    ]
    fast = dt.theorem1_corrected.evaluate(
        Switch(2, 6, 1), alpha=2, steady=0, bursts=2, burst_rate="3/2", durations=[9, met]
    )
    check(
        fast.case == "b" and saved[0] != str(met) and fast.drops[0] is None, f"case {fast.case}: {fast.drops}, {saved}"
    )
    rises = Fraction(1, 2)  # T' when queue 2 drains and queue 1 is on the threshold: alpha C / (1 + alpha)
    check(rises > Fraction(1, 4), "the threshold does not outrun queue 1")
    return Proved(f"t_1 = {time}", {"t_1": str(time), "d_1": "5", "d_2": str(time)}, ["d_1 > t_1", "d_2 >= t_1"])
