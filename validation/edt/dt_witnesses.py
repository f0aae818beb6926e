"""The smallest scenarios in which a statement of Sections 3 to 3.2 is false without the assumption that it omits."""

from __future__ import annotations

from fractions import Fraction

from dtmodel import Switch
from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.theory import dt as theorems
from dtmodel.theory import dt_formulas as formulas
from dtmodel.theory.dt_first_drops import Setting, drain_stages, first_hits, printed_drain, printed_follow

from .dt_scenarios import answer, burst, dt, refutes, steady, times

ONE, HALF = Fraction(1), Fraction(1, 2)


@evidence("edt.thm1", "edt.eq3", "edt.eq10", "edt.eq11", form="printed", strength="exact")
def a_burst_that_ends_early_saves_the_other_in_case_a() -> Outcome:
    """Two bursts, no steady port: the second ends at 1 s, before t_1 = 2 s; the first lasts 2.5 s and loses nothing."""
    time = formulas.slow_drop_time(ONE, Fraction(3), 2, 0, HALF)
    check(formulas.rate_bound(ONE, ONE, 2, 0) >= Fraction(3, 2), "not case a")
    free = formulas.slow_free(ONE, Fraction(3), 2, 0)
    scenario = dt([burst("3/2", "5/2"), burst("3/2", "1")], buffer="3", until="4")
    claimed = {"first_drop": times([time, None]), "free_at_first_drop": times([free, None])}
    return refutes(scenario, claimed, "port 1's burst is longer than t_1, and it loses nothing")


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


@evidence("edt.thm1.case-a.grow", form="printed", strength="exact")
def a_burst_that_ends_early_does_not_grow_until_t_1() -> Outcome:
    """The same two bursts: at t_1 = 2 s the second queue is empty."""
    scenario = dt([burst("3/2", "5/2"), burst("3/2", "1")], buffer="3", until="4", sample=["2"])
    return refutes(scenario, {"queues": [["1", "1"]]}, "queue 2 shrinks from 1 s on")


@evidence("edt.eq7", form="printed", strength="exact")
def a_burst_that_ends_early_saves_the_other_in_case_b() -> Outcome:
    """Two faster bursts: the second ends at 0.5 s, before t_2 = 1 s; the first lasts 1.25 s and loses nothing."""
    time = formulas.fast_drop_time(ONE, Fraction(3), ONE, 2, 0, ONE)
    check(formulas.rate_bound(ONE, ONE, 2, 0) < 2, "not case b")
    scenario = dt([burst("2", "5/4"), burst("2", "1/2")], buffer="3", until="4")
    return refutes(
        scenario, {"first_drop": times([time, None])}, "port 1's burst is longer than t_2, and it loses nothing"
    )


@evidence("edt.thm1.case-b.grow", form="printed", strength="exact")
def a_burst_that_ends_early_does_not_grow_until_t_2() -> Outcome:
    """The same: at t_2 = 1 s the second queue is empty."""
    scenario = dt([burst("2", "5/4"), burst("2", "1/2")], buffer="3", until="4", sample=["1"])
    return refutes(scenario, {"queues": [["1", "1"]]}, "queue 2 shrinks from 0.5 s on")


@evidence("edt.thm1.case-b.after.rise", form="printed", strength="exact")
def without_steady_ports_nothing_rises_after_t_2() -> Outcome:
    """N = 0: the rate alpha N C / (1 + alpha M) is 0, and the engine's queue rests."""
    rested = answer(dt([burst("4")], buffer="2", until="4", sample=["1", "2"]))["queues"]
    check(rested[0] == rested[1], "the queue moves")
    values = {"alpha": "1", "M": "1", "N": "0", "C": "1"}
    data = {"values": values, "hypotheses": ["M >= 1", "N >= 0"], "statement": "alpha * N * C / (1 + alpha * M) > 0"}
    return Counterexample(Witness("values", data, says="there is no steady queue to drain"))


@evidence(
    "edt.thm2",
    "edt.eq13",
    "edt.thm2.proof.conclusion",
    "edt.thm2.proof.step.count",
    "edt.thm2.proof.step.drop",
    form="printed",
    strength="exact",
)
def a_burst_that_ends_after_its_own_drop_saves_the_next() -> Outcome:
    """Rates 5/3 and 4/3: t_1 = 3 s, t_2 = 5 s. The first ends at 4 s, so the second, of 5.5 s, loses nothing."""
    setting, rates = Setting(ONE, Fraction(5), ONE, 0), (Fraction(5, 3), Fraction(4, 3))
    check(sum(rates) - 2 <= 1, "not Theorem 2's hypothesis")
    claimed = times([time for time, _ in printed_follow(setting, rates)])
    scenario = dt([burst("5/3", "4"), burst("4/3", "11/2")], buffer="5", until="8")
    return refutes(scenario, {"first_drop": claimed}, "port 1 stops following the threshold at 4 s")


@evidence("edt.thm2.proof.basis", "edt.thm2.proof.until", form="printed", strength="exact")
def a_burst_that_ends_early_saves_the_first_port() -> Outcome:
    """The same rates; the second burst ends at 1 s, the first at 3.25 s > t_1 = 3 s."""
    setting, rates = Setting(ONE, Fraction(5), ONE, 0), (Fraction(5, 3), Fraction(4, 3))
    claimed = [times([time for time, _ in printed_follow(setting, rates)])[0], None]
    scenario = dt([burst("5/3", "13/4"), burst("4/3", "1")], buffer="5", until="8")
    return refutes(scenario, {"first_drop": claimed}, "the threshold turns up when burst 2 ends")


@evidence("edt.thm3", "edt.eq30", "edt.thm3.proof.basis", "edt.thm3.proof.until", "edt.thm3.proof.conclusion",
          form="printed", strength="exact")  # fmt: skip
def a_burst_that_ends_early_saves_the_first_port_of_theorem_3() -> Outcome:
    """Rates 3 and 2: t_1 = 1 s. The second burst ends at 0.5 s, the first at 1.125 s, and loses nothing."""
    setting, rates = Setting(ONE, Fraction(5), ONE, 0), (Fraction(3), Fraction(2))
    check(drain_stages(setting, rates) >= 1, "not Theorem 3's hypothesis")
    claimed = [times([time for time, _ in printed_drain(setting, rates)])[0], None]
    scenario = dt([burst("3", "9/8"), burst("2", "1/2")], buffer="5", until="8")
    return refutes(scenario, {"first_drop": claimed}, "the threshold falls more slowly when burst 2 ends")


@evidence("edt.thm3.proof.step.drop", form="printed", strength="exact")
def a_burst_that_ends_early_saves_the_second_port_of_theorem_3() -> Outcome:
    """Rates 9, 5, 2: L = 2, t_2 = 6/7 s. Burst 3 ends at 0.5 s, burst 2 at 0.875 s, and port 2 loses nothing."""
    setting, rates = Setting(ONE, Fraction(12), ONE, 0), (Fraction(9), Fraction(5), Fraction(2))
    check(drain_stages(setting, rates) == 2, "L is not 2")
    t_2 = printed_drain(setting, rates)[1][0]
    check(t_2 < Fraction(7, 8), "the second burst is not longer than t_2")
    scenario = dt([burst("9"), burst("5", "7/8"), burst("2", "1/2")], buffer="12", until="8")
    found = answer(scenario)["first_drop"]
    return refutes(
        scenario, {"first_drop": [found[0], str(t_2), None]}, "the threshold falls more slowly without burst 3"
    )


@evidence("edt.sec2.3.constrained@length", form="printed", strength="exact")
def a_steady_queue_is_left_above_the_falling_threshold() -> Outcome:
    """One burst of 4 beside one steady port, B = 12: at t_2 = 1.2 s the steady queue is 4.8, the threshold 3.6."""
    time = formulas.fast_drop_time(ONE, Fraction(12), ONE, 1, 1, Fraction(3))
    threshold = formulas.fast_threshold(ONE, Fraction(12), ONE, 1, 1, Fraction(3))
    scenario = dt([burst("4"), steady()], buffer="12", until="2", sample=[str(time)])
    (row,) = answer(scenario)["queues"]
    check(Fraction(row[1]) > threshold == 12 - sum(map(Fraction, row)), "it is not above the threshold")
    return refutes(
        scenario, {"queues": [[str(threshold), str(threshold)]]}, "the threshold is 3.6, the steady queue 4.8"
    )


@evidence("edt.thm2.proof.exceed", form="printed", strength="exact")
def the_steady_queue_stays_on_the_threshold() -> Outcome:
    """One burst of 2 beside one steady port, alpha = 1, B = 12: at 2 s both the queue and the threshold are 5."""
    (row,) = answer(dt([burst("2"), steady()], buffer="12", until="4", sample=["2"]))["queues"]
    threshold = 12 - sum(Fraction(length) for length in row)
    check(threshold == Fraction(row[1]), "the steady queue is off the threshold")
    data = {
        "values": {"Q": row[1], "T": str(threshold), "alpha": "1", "N": "1", "G_1": "1", "C": "1"},
        "hypotheses": ["alpha * G_1 <= (1 + alpha * N) * C"], "statement": "Q > T",
    }  # fmt: skip
    return Counterexample(Witness("values", data, says="it follows the threshold, and is never longer"))


@evidence("edt.fn4", form="printed", strength="exact")
def two_bursts_that_end_apart_are_not_one_burst() -> Outcome:
    """Rates 3/2 (until 4 s) and 1 (until 0.5 s) at one port: 5/2 by Theorem 1 drops at 1 s, the port drops at 2 s."""
    time = formulas.fast_drop_time(ONE, Fraction(3), ONE, 1, 0, Fraction(3, 2))
    port = {"arrivals": [["0", "5/2"], ["1/2", "3/2"], ["4", "0"]]}
    return refutes(dt([port], buffer="3", until="5"), {"first_drop": times([time])}, "the sum is not constant")


@evidence("edt.fn4", form="assumed", strength="sampled")
def two_bursts_that_end_together_are_one_burst() -> Outcome:
    """The model sees only the sum of the rates at a port: the aggregate of equal ends is one constant burst."""
    ends = (Fraction(4), Fraction(4))
    pieces = sorted({Fraction(0), *ends})
    totals = [sum(rate for rate, end in zip((HALF + 1, ONE), ends, strict=True) if at < end) for at in pieces]
    check(totals == [Fraction(5, 2), 0], "the sum has another piece")
    found = answer(dt([burst("5/2", "4")], buffer="3", until="5"))["first_drop"]
    check(found == times([formulas.fast_drop_time(ONE, Fraction(3), ONE, 1, 0, Fraction(3, 2))]), "Theorem 1 fails")
    return Proved("one piece of the summed rate before the common end", {"R_1": "3/2", "R_2": "1", "d": "4"}, ["d > 1"])


@evidence("edt.sec3.summary", form="printed", strength="exact")
def table_1_has_the_notions_of_the_scenario() -> Outcome:
    """Compare the rows of Table 1 with what the scenario names, and with the symbols of the theorem objects."""
    rows = {"R_i", "C", "Q_i(t)", "B", "T(t)", "F(t)", "d_i", "P", "f'(x)"}
    named = {"P", "B", "C", "R_i", "d_i", "Q_i(t)", "T(t)", "F(t)"}
    check(named <= rows, f"Table 1 lacks {named - rows}")
    used = {symbol.latex for symbol in theorems.theorem3.symbols}
    check({r"\alpha", "L"} <= used, "what the note says of alpha and L is not so")
    return Agrees(len(named), "every notion that is named")


@evidence("edt.fig4.caption", "edt.sec3.2.fig4", form="printed", strength="exact")
def the_caption_and_the_text_of_figure_4_differ() -> Outcome:
    """M is 3 in the caption and 4 in the text."""
    caption, text = 3, 4
    check(caption != text, "they agree")
    return Conflict("edt.sec3.2.fig4", "one figure, two values of M", {"caption": str(caption), "text": str(text)})


@evidence("edt.ours.beyond-L", form="printed", strength="exact")
def neither_recursion_continues_beyond_L() -> Outcome:
    """With alpha = 1, B = 12, C = 1, rates 4 and 3 beside one steady port: t_2 is 6/5."""
    setting, rates = Setting(ONE, Fraction(12), ONE, 1), (Fraction(4), Fraction(3))
    check(drain_stages(setting, rates) == 1, "L is not 1")
    found = answer(dt([burst("4"), burst("3"), steady()], buffer="12", until="4"))["first_drop"]
    check(found[:2] == times([hit.time for hit in first_hits(setting, rates)]), "the theorem misses the engine")
    before = printed_drain(setting, rates)[0]
    drained = formulas.printed_drain_time(ONE, ONE, 2, Fraction(2), Fraction(2), before)
    followed = formulas.printed_follow_time(ONE, 2, Fraction(2), Fraction(2), before)
    t_2 = Fraction(found[1])
    check(t_2 not in (drained, followed), "a recursion continues")
    check(t_2 != printed_follow(setting, rates)[1][0], "(14) from the start gives it")
    return Proved(f"t_2 = {t_2}, not {followed} by (14) nor {drained} by (31)", {"L": "1", "t_2": str(t_2)}, ["L == 1"])


@evidence("edt.ours.early-end-hastens", form="printed", strength="exact")
def an_early_end_brings_the_third_drop_forward() -> Outcome:
    """Rates 13, 9, 3, alpha = 8, B = 12: t_3 = 1008/611; if burst 2 ends at 3/47, port 3 drops at 48/31."""
    rates = (Fraction(13), Fraction(9), Fraction(3))
    lasting = answer(dt([burst("13"), burst("9"), burst("3")], alpha="8", buffer="12", until="4"))["first_drop"]
    hits = first_hits(Setting(Fraction(8), Fraction(12), ONE, 0), rates)
    check(lasting == times([hit.time for hit in hits]), "the theorem misses the engine")
    early = answer(dt([burst("13"), burst("9", "3/47"), burst("3", "8/5")], alpha="8", buffer="12", until="4"))[
        "first_drop"
    ]
    earlier = Fraction(early[2])
    check(earlier < Fraction(8, 5) < hits[2].time, "port 3 drops no earlier")
    check(Fraction(early[0]) > hits[0].time, "the first drop comes earlier")
    values = {"t_3": str(hits[2].time), "d_3": "8/5", "drop": str(earlier)}
    return Proved(f"port 3 drops at {earlier} instead of {hits[2].time}", values, ["drop < d_3", "d_3 < t_3"])


@evidence("edt.ours.end-at-the-drop", form="printed", strength="exact")
def a_burst_that_ends_at_the_drop_time_saves_the_other() -> Outcome:
    """Rates 5/4, alpha = 1, B = 3: t_1 = 4 s. If burst 2 ends at 4 s, port 1 loses nothing then, nor until 5 s."""
    time = formulas.slow_drop_time(ONE, Fraction(3), 2, 0, Fraction(1, 4))
    lasting = answer(dt([burst("5/4"), burst("5/4")], buffer="3", until="9"))["first_drop"]
    check(lasting == times([time, time]), "Theorem 1 misses the engine")
    ended = answer(dt([burst("5/4", "5"), burst("5/4", str(time))], buffer="3", until="9"))["first_drop"]
    check(ended == [None, None], "port 1 loses bytes")
    said = theorems.theorem1_corrected.evaluate(
        Switch(2, 3, 1), alpha=1, steady=0, bursts=2, burst_rate="5/4", durations=[5, time]
    )
    check(said.drops == (None, False), f"the theorem object says {said.drops}")
    # Case b with alpha = 2: burst 2 ends when both queues meet the falling threshold.
    met = formulas.fast_drop_time(Fraction(2), Fraction(6), ONE, 2, 0, HALF)
    saved = answer(dt([burst("3/2", "9"), burst("3/2", str(met))], until="5", alpha="2", buffer="6"))["first_drop"]
    fast = theorems.theorem1_corrected.evaluate(
        Switch(2, 6, 1), alpha=2, steady=0, bursts=2, burst_rate="3/2", durations=[9, met]
    )
    check(
        fast.case == "b" and saved[0] != str(met) and fast.drops[0] is None, f"case {fast.case}: {fast.drops}, {saved}"
    )
    rises = Fraction(1, 2)  # T' when queue 2 drains and queue 1 is on the threshold: alpha C / (1 + alpha)
    check(rises > Fraction(1, 4), "the threshold does not outrun queue 1")
    return Proved(f"t_1 = {time}", {"t_1": str(time), "d_1": "5", "d_2": str(time)}, ["d_1 > t_1", "d_2 >= t_1"])


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
