"""Section 4.3: Theorem 5, equations (79) and (80), and footnote 9; runs and published numbers."""

from fractions import Fraction
from itertools import product

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Counterexample, Outcome, check, evidence, refuted_by_values
from dtmodel.theory.edt import formulas as edt_formulas
from dtmodel.theory.edt.drops import EdtSettings, edt_drop_time

from .scenarios import (
    BUSY,
    GRID,
    SIX,
    SIXTEEN,
    STEADY,
    Number,
    Pieces,
    against,
    as_printed,
    edt,
    engine,
    scenario,
)

F = Fraction


@evidence("edt.fn9", "edt.eq80", form="printed", strength="exact")
def footnote_9_allows_an_earlier_overflow() -> Outcome:
    """Alpha = 2, two bursts of rate 2 beside one steady port: M = 2 <= N R / (R - C), full at 2 and not at 3."""
    switch: dict[str, Number] = {"alpha": 2, "buffer": 6, "rate": 1}
    request = scenario([STEADY, STEADY], [STEADY], switch=switch, policy=as_printed(2, 6, 3))
    return against(request, {"first_drop": ["3", "3", "0"]}, "the steady queue still holds 2 when the buffer is full")


@evidence("edt.fn9.may-overflow", form="printed", strength="exact")
def beyond_footnote_9_there_are_earlier_overflows() -> Outcome:
    """Three bursts of rate 2 beside one steady port, B = 12: full at 3, each burst holding 3 < B / M."""
    found = answer(scenario([STEADY] * 3, [STEADY], switch={**SIX, "buffer": 12}, policy=edt(1), sample=[3]))
    check(found["first_drop"][0] == "3" and found["queues"][0][0] == "3", "B / (M (R - C)) = 4, B / M = 4")
    return Agrees(1, "the claim says that it can happen")


@evidence("edt.thm5", "edt.eq79", form="printed", strength="exact")
def another_burst_that_ends_early_leaves_its_room() -> Outcome:
    """B = 16, two steady ports: one burst lasts 10 s > B / (M (R - C)) = 8, the other 4 s; they lose nothing."""
    bursts: list[Pieces] = [[(0, 2), (10, 0)], [(0, 2), (4, 0)]]
    request = scenario(bursts, [STEADY] * 2, switch=SIXTEEN, until=30, policy=as_printed(1, 16, 4))
    return against(request, {"first_drop": ["8", None, "0", "0"]}, "d_1 exceeds (79), and port 1 loses nothing")


@evidence("edt.sec4.3.additional", "edt.sec4.3.additional@any-slow", form="printed", strength="exact")
@evidence("edt.eq80", "edt.eq80@any-slow", form="printed", strength="exact")
def a_burst_too_slow_for_the_counter_is_left_to_dt() -> Counterexample:
    """B = 6, one steady port, R = 5/4: cn2 by (73) needs 6 s, TM1 by (78) is 9/2 s; DT drops at 8, (80) is 24."""
    request = scenario([[(0, "5/4")]], [STEADY], switch=SIX, until=30, policy=as_printed(1, 6, 2))
    t_dt, additional = F(6, 3) / F(1, 4), edt_formulas.additional_traffic(F(1), F(1), F(1))
    check(t_dt * (1 + additional) == 6 / F(1, 4), "(1 + additional) times the drop time of DT is (80)")
    check(answer(request)["first_drop"] == [str(t_dt), "0"], "EDT does not drop when DT does")
    return against(request, {"first_drop": [str(t_dt * (1 + additional)), "0"]}, "the port is never uncontrolled")


@evidence("edt.sec4.3.alpha-infinity", form="printed", strength="exact")
def no_alpha_gets_a_slow_burst_recognised() -> Outcome:
    """B = 6, one steady port, R = 5/4, within (77) for every alpha >= 1: with 1, 10 and 100 EDT drops when DT does."""
    request = {}
    for alpha in (1, 10, 100):
        switch: dict[str, Number] = {**SIX, "alpha": alpha}
        dt = answer(scenario([[(0, "5/4")]], [STEADY], switch=switch, until=30))["first_drop"]
        request = scenario([[(0, "5/4")]], [STEADY], switch=switch, until=30, policy=as_printed(alpha, 6, 2))
        check(answer(request)["first_drop"] == dt, f"alpha = {alpha}: EDT does not drop when DT does")
    twice = str(2 * F(600, 201) * 4)
    return against(request, {"first_drop": [twice, "0"]}, "nothing is added to what DT absorbs, not N / M = 1")


@evidence("edt.thm5.proof.counting", form="printed", strength="exact")
def without_the_square_the_number_is_out_of_reach() -> Outcome:
    """P = 2, B = 6: 4 alpha B / (2 + alpha P) = 6, while a queue holds 2 at most when it meets the threshold."""
    values: dict[str, Number] = {"alpha": 1, "B": 6, "P": 2, "M": 1, "N": 1}
    statement = "4*alpha*B / (2 + alpha*P) <= alpha*B / (1 + alpha*(M + N))"
    return refuted_by_values(values, statement, "the bursts could not grow by that much", ["M + N <= P"])


@evidence("edt.thm5.proof.counting", form="repaired", strength="sampled")
def the_queues_have_grown_by_the_number_when_they_are_freed() -> Outcome:
    """For all M and N of the grid, in switches of M + N ports and of three more: when, and what each burst holds."""
    for s, idle in product(GRID, (0, 3)):
        number = edt_formulas.cn2_paper(s.alpha, s.B, s.M + s.N + idle)
        run = engine(s, EdtSettings(number, None, None), None, 2 * s.overflow)
        for queue in map(run.queue, range(s.M)):
            freed = next((time for time, slope, _ in queue.limits if slope == 0), None)
            check(freed == number / s.r and queue.at(freed) == number, f"{s}, {idle} idle ports: freed at {freed}")
    return Agrees(2 * len(GRID), "alpha 1/2, 1, 2; M 1..3; N 0..2; R 3/2, 2, 4; none and three idle ports")


@evidence("edt.sec4.3.alpha-efficiency", form="printed", strength="exact")
def a_fast_burst_loses_earlier_with_a_large_alpha() -> Counterexample:
    """One burst of 3 beside one steady port, B = 6, slow with alpha = 1: it drops at 1, and earlier with 100."""
    drops = {}
    for alpha in (1, 100):
        request = scenario([[(0, 3)]], [BUSY], switch={"alpha": alpha, "buffer": 6, "rate": 1}, until=2)
        drops[alpha] = F(answer(request)["first_drop"][0])
    values: dict[str, Number] = {"one": 1, "hundred": 100, "t_one": drops[1], "t_hundred": drops[100]}
    return refuted_by_values(values, "t_hundred >= t_one", "the larger alpha drops earlier", ["hundred > one"])


@evidence("edt.thm5@unequal-rates", form="printed", strength="exact")
def a_slower_burst_has_more_time() -> Outcome:
    """B = 16, rates 9 and 3, both uncontrolled: B / (8 + 2) = 8/5, but the slower one loses nothing in 2 s."""
    slower: Pieces = [(0, 3), (2, 0)]
    request = scenario([BUSY, slower], switch=SIXTEEN, until=3, policy=edt("1/2"))
    return against(request, {"first_drop": ["1", "8/5"]}, "the faster one is held to B/2, so that 4 bytes are left")


@evidence("edt.thm5@staggered", form="printed", strength="exact")
def an_earlier_burst_has_the_rest_of_the_buffer() -> Outcome:
    """B = 16, cn2 = 4, rate 2, the second burst from 24/5 on; both end at 69/5, and 24/5 + B / (2 * 1) is 64/5."""
    bursts: list[Pieces] = [[(0, 2), ("69/5", 0)], [("24/5", 2), ("69/5", 0)]]
    request = scenario(bursts, switch=SIXTEEN, until=20, policy=edt(4, 12, 16))
    return against(request, {"first_drop": ["64/5", "128/15"]}, "the first one loses nothing")


@evidence("edt.eq80@staggered", form="printed", strength="exact")
def a_later_burst_loses_before_it_is_recognised() -> Outcome:
    """B = 16, cn2 = 4, rate 9, the second burst 1 s later: B / (2 * 8) = 1 after it has begun is 2."""
    request = scenario([BUSY, [(1, 9)]], switch=SIXTEEN, until=2, policy=edt(4))
    return against(request, {"first_drop": [None, None]}, "it loses packets at 4/3")


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
