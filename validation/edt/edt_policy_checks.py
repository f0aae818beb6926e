"""EDT in the exact fluid engine: what the text of Section 4 misses, and what it has right."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dtmodel import EDT, Arrivals, Switch, simulate
from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Outcome, check, evidence
from dtmodel.packet.edt import run_trace
from dtmodel.theory.edt import Bursts, EdtSettings, dt_lost, edt_drop_time, edt_lost, edt_queue, recovery_time

from .edt_common import Number, Pieces, against, refutes, scenario

F = Fraction
SIXTEEN: dict[str, Number] = {"alpha": 1, "buffer": 16, "rate": 1}
EIGHT: dict[str, Number] = {"alpha": 1, "buffer": 8, "rate": 1}
SIX: dict[str, Number] = {"alpha": 1, "buffer": 6, "rate": 1}
STEADY: Pieces = [(0, 2)]
BUSY: Pieces = [(0, 9)]


def edt(cn2: Number, tm1: Number | None = None, tm2: Number | None = None) -> dict[str, Any]:
    timers = {key: None if value is None else str(value) for key, value in (("tm1", tm1), ("tm2", tm2))}
    return {"name": "edt", "cn2": str(cn2), **timers}


@evidence("edt.eq70", form="printed", strength="exact")
def below_the_bound_the_order_is_reversed() -> Outcome:
    """R = 2 is below the bound 3: (R - C) t_1 = 2, and the second formula gives 3."""
    values: dict[str, Number] = {**SIX, "M": 1, "N": 1, "R": 2}
    fast = "alpha*buffer*(R-rate) / ((1+alpha*N) * ((1+alpha*M)*(R-rate) - alpha*N*rate))"
    return refutes(values, ["R > rate"], f"alpha*buffer / (1+alpha*(M+N)) >= {fast}", "2 is not at least 3")


@evidence("edt.eq71.strict", form="printed", strength="exact")
def without_steady_ports_the_growth_is_its_limit() -> Outcome:
    """N = 0."""
    values: dict[str, Number] = {**SIX, "M": 1, "N": 0, "R": 2}
    fast = "alpha*buffer*(R-rate) / ((1+alpha*N) * ((1+alpha*M)*(R-rate) - alpha*N*rate))"
    return refutes(values, ["R > rate"], f"{fast} > alpha*buffer / ((1+alpha*N)*(1+alpha*M))", "both sides are 3")


@evidence("edt.eq72.necessary", "edt.eq73", form="printed", strength="exact")
def with_three_ports_a_larger_number_is_safe() -> Outcome:
    """B = 6 and P = 3: a counting number of 1 is below every limit of growth, and (73) gives 24/25."""
    values: dict[str, Number] = {"alpha": 1, "B": 6, "P": 3, "c": 1}
    ports = [(M, N) for M in range(1, 4) for N in range(4 - M)]
    known = [f"c * (1 + alpha*{N}) * (1 + alpha*{M}) <= alpha*B" for M, N in ports]
    return refutes(values, known, "c <= 4*alpha*B / (2 + alpha*P)**2", "1 is safe for all M + N <= 3")


@evidence("edt.eq73@unequal", form="printed", strength="exact")
def a_faster_burst_takes_the_buffer_from_a_slower_one() -> Outcome:
    """P = 2, B = 16, cn2 = 4: rates 9 and 3; the second queue meets the falling threshold with 8/3."""
    request = scenario([BUSY, [(0, 3)]], switch=SIXTEEN, until="3/2", policy=edt(4))
    return against(request, {"first_drop": [None, None]}, "the slower burst loses bytes before its counter is full")


@evidence("edt.eq73@staggered", form="printed", strength="exact")
def a_later_burst_finds_the_threshold_low() -> Outcome:
    """The same switch with two bursts of rate 9, the second 1 s later."""
    request = scenario([BUSY, [(1, 9)]], switch=SIXTEEN, until="3/2", policy=edt(4))
    return against(request, {"first_drop": [None, None]}, "the later burst loses bytes before its counter is full")


@evidence("edt.eq73@stale-timer", form="printed", strength="exact")
def a_trickle_starts_the_timer_that_cuts_the_burst() -> Outcome:
    """P = 2, B = 16, d = 16: cn2 = 4, TM1 = 12. A trickle of C + 1/64 from 0 on, a burst of 9 from 47/4 on."""
    trickle: Pieces = [(0, "65/64"), ("47/4", 9)]
    request = scenario([trickle], [BUSY], switch=SIXTEEN, until="25/2", policy=edt(4, 12))
    return against(request, {"first_drop": [None, "0"]}, "TM1 expires at 12, in the middle of the burst")


@evidence("edt.sec4.2.tm1.purpose", form="printed", strength="exact")
def a_slow_burst_is_dropped_if_it_lasts() -> Outcome:
    """A rate of C + 1/100 for 400 s."""
    request = scenario([[(0, "101/100")]], switch=SIX, until=400, policy=edt(1, 1))
    return against(request, {"first_drop": [None]}, "bytes are lost after 300 s")


@evidence("edt.eq74", "edt.eq77", "edt.eq78", form="printed", strength="exact")
def a_fast_burst_is_dropped_before_t1() -> Outcome:
    """B = 6, P = 2, d = 1/4 = t_1 for R = 9: bytes are lost from t_2 = 1/5 on; R - C = 8 is the bound (77)."""
    check(F(6) / (3 * F(1, 4)) == 8 and F(3, 2) / 8 == F(12, 16) * F(1, 4), "equality in (77) and in (78)")
    request = scenario([[(0, 9), ("1/4", 0)]], [BUSY], switch=SIX)
    return against(request, {"first_drop": [None, "0"]}, "d <= t_1, but the threshold falls faster than C")


@evidence("edt.sec4.2.tm1.default", form="printed", strength="exact")
def a_threshold_is_no_time() -> Outcome:
    """T_1 = alpha F in bytes is not the number of seconds given."""
    values: dict[str, Number] = {"alpha": 1, "F": 6, "T_1": 6, "P": 2, "d": 1}
    return refutes(values, ["T_1 == alpha*F"], "T_1 == 4*(1 + alpha*P) / (2 + alpha*P)**2 * d", "T_1 is a threshold")


@evidence("edt.sec4.1.T2.fair", form="printed", strength="exact")
def a_burst_that_came_first_holds_more() -> Outcome:
    """B = 16, both uncontrolled, the second 1 s later: at the overflow the queues are 57/7 and 55/7."""
    request = scenario([BUSY, [(1, 9)]], switch=SIXTEEN, policy=edt(1), sample=["111/56"])
    return against(request, {"queues": [["8", "8"]]}, "the first is above B/2 when the second joins, and drains at C")


@evidence("edt.fig7.leave", form="printed", strength="exact")
def an_overloaded_port_that_grows_slowly_stays_controlled() -> Outcome:
    """R = 5/4: its counter needs 4 s, TM1 is 1 s; it loses bytes when DT does, at 12, not when the buffer is full."""
    request = scenario([[(0, "5/4")]], switch=SIX, until=30, policy=edt(1, 1))
    return against(request, {"first_drop": ["24"]}, "the port is overloaded and never uncontrolled")


@evidence("edt.fig7.return.underloaded", form="printed", strength="sampled")
def the_threshold_is_that_of_dt_once_the_burst_is_over() -> Outcome:
    """For bursts and steady ports in many numbers: T = B / M before the end of the burst, alpha F after it."""
    cases = 0
    for M, N in product(range(1, 5), range(4)):
        arrivals = {i: Arrivals.burst(2, 1) for i in range(M)} | {M + i: Arrivals.constant(9) for i in range(N)}
        steady = dict.fromkeys(range(M, M + N), "steady")
        run = simulate(Switch(M + N, 40, 1), EDT(1, "1/2"), arrivals, until=3, initial=steady)
        check(run.queue(0).threshold_at("3/4") == F(40, M), "uncontrolled while the burst lasts")
        check(run.queue(0).threshold_at("3/2") == run.free.at(F(3, 2)), "controlled when it is over")
        cases += 1
    return Agrees(cases, "M = 1..4 bursts, N = 0..3 steady ports")


@evidence("edt.sec4.1.underloaded-means-gone", form="printed", strength="exact")
def a_burst_that_pauses_loses_what_edt_would_have_absorbed() -> Outcome:
    """R = 3 for 7 s with a pause of 1/10 s after 6: without it the buffer would be full at 8 only."""
    pausing: Pieces = [(0, 3), (6, "1/2"), ("61/10", 3), (7, 0)]
    request = scenario([pausing], switch=SIXTEEN, until=8, policy=edt(1))
    return against(request, {"first_drop": [None]}, "the port is controlled from the pause on, above the DT threshold")


@evidence("edt.sec4.1.adv1", form="printed", strength="exact")
def a_faster_burst_drops_at_its_share_with_buffer_left() -> Outcome:
    """B = 16, rates 9 and 3, both uncontrolled: the first meets B/2 at 1 s, with 6 bytes free."""
    request = scenario([BUSY, [(0, 3)]], switch=SIXTEEN, until="5/4", policy=edt("1/2"))
    return against(request, {"free_at_first_drop": ["0", None]}, "packets are dropped while 6 of 16 bytes are free")


@evidence("edt.sec4.1.adv1.every-piece", "edt.fig11", form="printed", strength="exact")
def a_very_fast_burst_fills_the_buffer_before_the_steady_queue_is_gone() -> Outcome:
    """B = 6, R = 9 beside one steady port: full at 3/7, the burst holding 24/7, the steady queue 18/7."""
    request = scenario([BUSY], [BUSY], switch=SIX, policy=edt(1), sample=["3/7"])
    return against(request, {"queues": [["6", "0"]]}, "the steady queue has not drained yet")


@evidence("edt.sec4.1.recognition", form="printed", strength="exact")
def a_queue_above_the_threshold_drops_when_it_becomes_overloaded() -> Outcome:
    """It holds 4 of 6 bytes, so that the threshold is 2."""
    request = scenario([STEADY], switch=SIX, policy=edt(1))
    request["queues"][0]["initial"] = "4"
    return against(request, {"first_drop": [None]}, "it loses bytes at once")


@evidence("edt.intro.edt-advantage-1", form="printed", strength="exact")
def with_a_counter_out_of_reach_edt_is_dt() -> Outcome:
    """B = 6 and cn2 = 4: a burst alone meets the DT threshold with 3, and half of the buffer stays free."""
    request = scenario([STEADY], switch=SIX, policy=edt(4))
    return against(request, {"free_at_first_drop": ["0"]}, "the counter is never full")


@evidence("edt.sec4.1.aggressive", form="printed", strength="exact")
def a_full_buffer_ends_the_uncontrolled_state() -> Outcome:
    """Three bursts of 2 beside one steady port, B = 12: at 3 the buffer is full, each holds 3 of its share 4."""
    request = scenario([STEADY] * 3, [STEADY], switch={**SIX, "buffer": 12}, policy=edt(1), sample=[3], until=4)
    return against(request, {"queues": [["4", "4", "4", "0"]]}, "the steady queue still holds 3")


@evidence("edt.sec4.1.aggressive", form="assumed", strength="sampled")
def below_its_share_an_uncontrolled_queue_grows() -> Outcome:
    """For many M and N: until the buffer is full the queues of the bursts are (R - C) t, whatever DT would allow."""
    cases = 0
    for s in GRID:
        run = engine(s, EdtSettings(s.r * s.dt_drop / 2), None, 2 * s.overflow)
        for time in (s.dt_drop, (s.dt_drop + s.overflow) / 2, s.overflow):
            check(run.queue(0).at(time) == s.r * time <= s.B / s.M, f"{s} at {time}")
            cases += 1
    return Agrees(cases, "alpha 1/2, 1, 2; M 1..3; N 0..2; R 3/2, 2, 4, at three times")


@evidence("edt.sec4.2.tm1.only-bursty", form="printed", strength="exact")
def a_long_lived_flow_is_let_free_too() -> Outcome:
    """A flow of rate 2 that never ends: were it controlled it would lose bytes from 2 on, as under DT."""
    request = scenario([STEADY], [STEADY, STEADY], switch=EIGHT, policy=edt("1/4", 1))
    return against(request, {"first_drop": ["2", "0", "0"]}, "it becomes uncontrolled and loses nothing until 8")


@evidence("edt.fn9", "edt.eq80", form="printed", strength="exact")
def footnote_9_allows_an_earlier_overflow() -> Outcome:
    """Alpha = 2, two bursts of rate 2 beside one steady port: M = 2 <= N R / (R - C), full at 2 and not at 3."""
    switch: dict[str, Number] = {"alpha": 2, "buffer": 6, "rate": 1}
    request = scenario([STEADY, STEADY], [STEADY], switch=switch, policy=edt(1))
    return against(request, {"first_drop": ["3", "3", "0"]}, "the steady queue still holds 2 when the buffer is full")


@evidence("edt.fn9.may-overflow", form="printed", strength="exact")
def beyond_footnote_9_there_are_earlier_overflows() -> Outcome:
    """Three bursts of rate 2 beside one steady port, B = 12: full at 3, each burst holding 3 < B / M."""
    found = answer(scenario([STEADY] * 3, [STEADY], switch={**SIX, "buffer": 12}, policy=edt(1), sample=[3]))
    check(found["first_drop"][0] == "3" and found["queues"][0][0] == "3", "B / (M (R - C)) = 4, B / M = 4")
    return Agrees(1, "the claim says that it can happen")


@evidence("edt.thm5", "edt.eq79", form="printed", strength="exact")
def another_burst_that_ends_early_leaves_its_room() -> Outcome:
    """B = 6: one burst lasts 4 s > B / (M (R - C)) = 3, the other 1/2 s; nothing is lost."""
    request = scenario([[(0, 2), (4, 0)], [(0, 2), ("1/2", 0)]], switch=SIX, policy=edt("1/4"))
    return against(request, {"first_drop": ["3", None]}, "d_1 exceeds (79), and port 1 loses nothing")


@evidence("edt.thm5@unequal-rates", form="printed", strength="exact")
def a_slower_burst_has_more_time() -> Outcome:
    """B = 16, rates 9 and 3, both uncontrolled: B / (8 + 2) = 8/5, but the slower one loses nothing in 2 s."""
    slower: Pieces = [(0, 3), (2, 0)]
    request = scenario([BUSY, slower], switch=SIXTEEN, until=3, policy=edt("1/2"))
    return against(request, {"first_drop": ["1", "8/5"]}, "the faster one is held to B/2, so that 4 bytes are left")


@evidence("edt.thm5@staggered", form="printed", strength="exact")
def a_later_burst_loses_before_it_is_recognised() -> Outcome:
    """B = 16, cn2 = 4, rate 9, the second burst 1 s later: B / (2 * 8) = 1 after it has begun is 2."""
    request = scenario([BUSY, [(1, 9)]], switch=SIXTEEN, until=2, policy=edt(4))
    return against(request, {"first_drop": [None, None]}, "it loses packets at 4/3")


@evidence("edt.thm5.before-cn2", form="printed", strength="exact")
def with_a_large_counter_the_phase_before_ends_in_a_loss() -> Outcome:
    """B = 6 and cn2 = 4, one burst of rate 2: the counter would be full at 4, DT drops from 3 on."""
    request = scenario([STEADY], switch=SIX, until=4, policy=edt(4))
    return against(request, {"first_drop": [None]}, "the queue meets the threshold before the counter is full")


@evidence("edt.thm5.proof.counting", form="printed", strength="exact")
def without_the_square_the_number_is_out_of_reach() -> Outcome:
    """P = 2, B = 6: 4 alpha B / (2 + alpha P) = 6, while a queue holds 2 at most when it meets the threshold."""
    values: dict[str, Number] = {"alpha": 1, "B": 6, "P": 2, "M": 1, "N": 1}
    statement = "4*alpha*B / (2 + alpha*P) <= alpha*B / (1 + alpha*(M + N))"
    return refutes(values, ["M + N <= P"], statement, "the bursts could not grow by that much")


@evidence("edt.thm5.proof.jump", form="printed", strength="exact")
def the_threshold_can_fall_to_b_over_m() -> Outcome:
    """Two bursts alone, cn2 = 1: alpha F = 14 before, B / M = 8 after."""
    arrivals = {0: Arrivals.constant(2), 1: Arrivals.constant(2)}
    run = simulate(Switch(2, 16, 1), EDT(1, 1), arrivals, until=2)
    check(run.queue(0).threshold_at(1) == 8 and run.free.at(F(1)) == 14, "the engine's threshold and free buffer")
    values: dict[str, Number] = {"alpha": 1, "B": 16, "M": 2, "F": 14}
    return refutes(values, [], "B / M >= alpha * F", "the threshold falls from 14 to 8")


@evidence("edt.sec4.3.alpha-infinity", form="printed", strength="exact")
def alone_a_burst_gains_nothing_in_the_limit() -> Outcome:
    """N = 0: the limit of 1 / (alpha M) + N / M is 0."""
    return refutes({"M": 1, "N": 0}, [], "N / M > 0", "the limit is 0")


@evidence("edt.sec4.3.unfair-phase", form="printed", strength="exact")
def at_first_the_steady_ports_hold_more() -> Outcome:
    """B = 8, cn2 = 1/4, two steady ports: at t_1 the burst holds 1/4, each of them 31/12."""
    found = answer(scenario([STEADY], [STEADY, STEADY], switch=EIGHT, policy=edt("1/4"), sample=["1/4"]))["queues"][0]
    check(found == ["1/4", "31/12", "31/12"], f"the queues are {found}")
    return refutes({"burst": "1/4", "steady": "31/12"}, [], "burst > steady", "the burst has just begun")


@evidence("edt.sec4.3.unfair-duration@total", form="printed", strength="exact")
def the_burst_holds_more_long_after_the_overflow() -> Outcome:
    """The same switch, the burst going on: it holds more from 2 to 14, and B / (M (R - C)) = 8."""
    sample = [2, 13, 14]
    found = answer(scenario([STEADY], [STEADY] * 2, switch=EIGHT, until=15, policy=edt("1/4"), sample=sample))["queues"]
    check([row[0] for row in found] == ["2", "3", "2"] and found[0][1] == found[2][1] == "2", f"the queues are {found}")
    check(F(found[1][1]) < 3, "it still holds more at 13")
    values: dict[str, Number] = {"B": 8, "M": 1, "R": 2, "C": 1, "begin": 2, "end": 14}
    return refutes(values, [], "end - begin < B / (M * (R - C))", "12 s, not less than 8")


@evidence("edt.sec4.4.r-min", form="printed", strength="exact")
def slow_inputs_make_a_slower_burst() -> Outcome:
    """Three inputs of C / 2."""
    return refutes({"K": 3, "rate": "1/2", "C": 1}, ["K >= 2"], "K * rate >= 2 * C", "R = 3 C / 2")


@evidence("edt.sec4.4.cn1.not-too-large", form="printed", strength="sampled")
def a_larger_cn1_keeps_the_port_free_longer() -> Outcome:
    """Queues of 2 to 6 packets, cn1 of 1 to 7: the port returns with departure number cn1, if there is one."""
    cases = 0
    for length, cn1 in product(range(2, 7), range(1, 8)):
        events: list[list[Any]] = [["arrive", 0, 1, 1]] * length + [["depart", k, 1] for k in range(1, length + 1)]
        trace = {"ports": 1, "buffer": 99, "alpha": 1, "cn1": cn1, "cn2": 2, "events": events}
        states = [step["ports"][0]["state"] for step in run_trace(trace)["steps"]][length:]
        check(states.count("uncontrolled") == min(cn1 - 1, length), f"{length} packets, cn1 = {cn1}: {states}")
        cases += 1
    return Agrees(cases, "queues of 2 to 6 packets, cn1 = 1..7, cn2 = 2")


GRID = [
    Bursts(alpha, F(12), F(1), M, N, R)
    for alpha, M, N, R in product((F(1, 2), F(1), F(2)), (1, 2, 3), (0, 1, 2), (F(3, 2), F(2), F(4)))
]


def engine(s: Bursts, settings: EdtSettings, duration: Fraction | None, until: Fraction) -> Any:
    arrivals = Arrivals.constant(s.R) if duration is None else Arrivals.burst(s.R, duration)
    offered = dict.fromkeys(range(s.M), arrivals) | dict.fromkeys(range(s.M, s.M + s.N), Arrivals.constant(20))
    policy = EDT(s.alpha, settings.cn2, settings.tm1, settings.tm2)
    steady = dict.fromkeys(range(s.M, s.M + s.N), "steady")
    return simulate(Switch(s.M + s.N, s.B, s.C), policy, offered, until=until, initial=steady)


@evidence("edt.ours.drop-time", "edt.ours.theorem5", form="printed", strength="sampled")
def the_drop_time_is_the_engines_on_a_grid() -> Outcome:
    """Every combination of rates, ports, counters and timers from a grid, with ==."""
    cases = 0
    for s, share, timers in product(GRID, (F(1, 3), F(1), F(3, 2)), ((None, None), (F(1), F(1)), (None, F(1, 2)))):
        settings = EdtSettings(share * s.r * s.dt_drop, *timers)
        found = engine(s, settings, None, 2 * s.overflow).first_drop(0)
        check(found == edt_drop_time(s, settings), f"{s}, {settings}: {found}")
        cases += 1
    return Agrees(cases, "alpha 1/2, 1, 2; M 1..3; N 0..2; R 3/2, 2, 4; three counters and three pairs of timers")


@evidence("edt.ours.bytes-lost.dt", "edt.ours.bytes-lost.edt", "edt.ours.recovery", form="printed", strength="sampled")
def the_bytes_lost_and_the_recovery_are_the_engines_on_a_grid() -> Outcome:
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
    return Agrees(cases, "the same switches, bursts of 1/2, 4/3 and 2 times the time to the overflow")
