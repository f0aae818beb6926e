"""Sentences of Sections 3.3 to 6 that promise more than the rest of the document gives, run on small switches."""

from __future__ import annotations

from fractions import Fraction

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, check, evidence
from dtmodel.packet.edt import EdtPolicy, Settings

from .edt_common import Number, Pieces, against, refutes, scenario
from .edt_policy_checks import BUSY, SIXTEEN, edt

F = Fraction


@evidence("edt.intro.as-much-as-possible", form="printed", strength="exact")
def a_faster_burst_loses_what_the_switch_has_room_for() -> Counterexample:
    """B = 16, rates 9 and 3 for 5/4 s: they leave 25/2 bytes in the queues, and EDT drops from 1 s on."""
    bursts: list[Pieces] = [[(0, 9), ("5/4", 0)], [(0, 3), ("5/4", 0)]]
    left = F(5, 4) * (9 - 1 + 3 - 1)
    check(left <= 16, "no policy could hold them")
    request = scenario(bursts, switch=SIXTEEN, until=2, policy=edt("1/2"))
    return against(request, {"first_drop": [None, None]}, "complete sharing would lose nothing of the two bursts")


@evidence("edt.intro.edt-advantage-2", "edt.intro.edt-advantage-2@any-bursts", form="printed", strength="exact")
def the_slower_burst_holds_less_at_the_drop() -> Counterexample:
    """B = 16, rates 9 and 3: at 1 s the first queue is B/2 and loses bytes, the second is 2."""
    request = scenario([BUSY, [(0, 3)]], switch=SIXTEEN, until="5/4", policy=edt("1/2"), sample=[1])
    return against(request, {"first_drop": ["1", None], "queues": [["8", "8"]]}, "8 and 2 bytes at the first drop")


@evidence("edt.sec4.1.overflow-two-cases", form="printed", strength="exact")
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


@evidence("edt.thm4.remark.general", form="printed", strength="kernel")
def a_fourth_steady_port_leaves_more_free() -> Counterexample:
    """M = 3, alpha = 1: R = C for 1 s, then 12/5, which is fast beside 2 steady ports and beside 3."""
    free = {}
    for N in (2, 3):
        request = scenario([[(0, 1), (1, "12/5")]] * 3, [BUSY] * N, switch={"alpha": 1, "buffer": 36, "rate": 1})
        free[N] = F(answer(request)["free_at_first_drop"][0])
    values: dict[str, Number] = {"alpha": 1, "B": 36, "C": 1, "M": 3, "R": "12/5", "F_2": free[2], "F_3": free[3]}
    given = ["min(alpha, B, C) > 0", "M >= 1"]
    given += [f"R > C * (1 + (1 + alpha*{N}) / (alpha*M))" for N in (2, 3)]
    given += [f"F_{N} == (R - C) * B / ((1 + alpha*{N}) * ((1 + alpha*M) * (R - C) - alpha*{N}*C))" for N in (2, 3)]
    return refutes(values, given, "F_3 <= F_2", "one steady port more, and more of the buffer is free")


@evidence("edt.eq81.necessary", form="printed", strength="kernel")
def a_tm2_as_long_as_the_burst_is_enough() -> Counterexample:
    """B = 16, R_min = 2 C, bursts of 2 s: with d = 3 TM2 outlasts the burst, nothing is lost; (81) asks for 16."""
    for duration in (F(1), F(2)):
        request = scenario([[(0, 2), (duration, 0)]], switch=SIXTEEN, until=9, policy=edt("1/2", 3, 3))
        check(answer(request)["first_drop"] == [None], "the burst loses bytes")
    values: dict[str, Number] = {"B": 16, "C": 1, "R_min": 2, "d_mb": 2, "d": 3}
    enough = ["min(B, C, d_mb) > 0", "R_min > C", "d >= d_mb", "d >= min(B / (R_min - C), d_mb)"]
    return refutes(values, enough, "d >= max(B / (R_min - C), d_mb)", "both demands are met, (81) is not")


@evidence("edt.sec4.4.d-simple", form="printed", strength="exact")
def a_burst_longer_than_b_over_c_asks_for_a_larger_d() -> Counterexample:
    """B = 16, C = 1, a longest burst of 17 s: 16 s are B / C, and (81) asks for 17."""
    values: dict[str, Number] = {"B": 16, "C": 1, "R_min": 2, "d_mb": 17, "d": 16}
    return refutes(values, ["R_min == 2*C", "d >= B / C"], "d >= max(B / (R_min - C), d_mb)", "d_mb is the larger one")


@evidence("edt.sec4.4.more-than-two", form="printed", strength="exact")
def three_inputs_bring_3_C() -> Counterexample:
    """The least number above 2."""
    return refutes({"C": 1, "inputs": 3}, ["inputs > 2"], "inputs * C == 2 * C", "3 inputs are the fewest above 2")


@evidence("edt.fig13.inevitable", form="printed", strength="exact")
def the_full_buffer_is_not_all_the_bursts() -> Counterexample:
    """With alpha = 1, N = 1, M = 3, R = 2 C: full at B / 4, the bursts hold 3/4 of it, the steady port the rest."""
    policy = edt("1/4")
    request = scenario([[(0, 2)]] * 3, [BUSY], switch=SIXTEEN, until=9, policy=policy, sample=[4])
    found = answer(request)
    check(found["first_drop"][0] == "4" and F(found["free_at_first_drop"][0]) == 0, "the buffer is not full at 4")
    return against(request, {"queues": [["16/3", "16/3", "16/3", "0"]]}, "the steady port holds 4 of the 16 bytes")


@evidence("edt.sec5.2.same-fairness", form="printed", strength="exact")
def the_index_of_edt_is_lower() -> Counterexample:
    """The two quoted numbers."""
    return refutes({"dt": "0.977", "edt": "0.964"}, [], "edt >= dt", "EDT's index is lower by 0.013")


@evidence("edt.sec5.2.same-fairness", form="assumed", strength="exact")
def the_indices_differ_little() -> Outcome:
    """The quoted pairs of Sections 5.1 and 5.2.1."""
    pairs = [(F("0.992"), F("0.998")), (F("0.977"), F("0.964"))]
    check(all(abs(one - other) <= F("0.02") for one, other in pairs), "a pair differs by more")
    return Agrees(len(pairs), "all quoted pairs of indices")


@evidence("edt.fig22.reason@line-rate", form="printed", strength="exact")
def three_responses_of_150_kilobytes_do_not_fit() -> Counterexample:
    """256 units of buffer, a line of rate 1, three servers for 150 s: EDT and complete sharing both lose bytes."""
    switch: dict[str, Number] = {"alpha": 1, "buffer": 256, "rate": 1}
    for size, fits in ((128, True), (129, False)):
        free = scenario([[(0, 3), (size, 0)]], switch=switch, until=600, policy=edt(20))
        check((answer(free)["first_drop"] == [None]) == fits, f"responses of {size}")
    request = scenario([[(0, 3), (150, 0)]], switch=switch, until=600, policy=edt(20))
    return against(request, {"first_drop": [None]}, "300 KB would have to be queued in 256 KB")


@evidence("edt.sec4.1.adv3.only", form="printed", strength="exact")
def the_thresholds_need_registers_and_selectors() -> Outcome:
    """The distinct thresholds T_2 of the state machine with 16 ports, of which 1 to 16 are uncontrolled, and T_1."""
    P, thresholds = 16, set[Fraction]()
    for n in range(1, P + 1):
        switch = EdtPolicy(Settings(1, 3, 1, None, None), P, F(16))
        for port in switch.ports[:n]:
            port.controlled = False
        thresholds.add(switch.threshold(0, F(5)))
        check(n == P or switch.threshold(P - 1, F(5)) == 5, "a controlled port is not held to T_1 meanwhile")
    registers = len(thresholds)
    check(registers == P, f"{registers} values of T_2, which no counter or timer of the ports holds")
    return Conflict("edt.fn6", "registers and selectors are added as well", {"registers": str(registers)})


@evidence("edt.fn6.range", form="printed", strength="exact")
def a_second_port_needs_a_second_register() -> Counterexample:
    """One port is uncontrolled when another becomes so: T_2 = B / 2 is not among the values up to B / 1."""
    request = scenario([BUSY, [("1/2", 9)]], switch=SIXTEEN, until=1, policy=edt("1/2"), sample=["1/4", "3/4"])
    check(answer(request)["first_drop"] == [None, None], "both are uncontrolled")
    values: dict[str, Number] = {"B": 16, "before": 1, "after": 2}
    return refutes(values, ["after > before"], "B / after >= B / before", "B/2 is needed, the least stored is B/1")


@evidence("edt.fn6.range", form="repaired", strength="sampled")
def as_many_registers_as_ports_are_enough() -> Outcome:
    """All sets of uncontrolled ports of switches with up to 8 ports."""
    cases = 0
    for P in range(1, 9):
        stored = {F(1, k) for k in range(1, P + 1)}
        for uncontrolled in range(1, 2**P):
            check(F(1, uncontrolled.bit_count()) in stored, "a value is missing")
            cases += 1
    return Agrees(cases, "all non-empty sets of uncontrolled ports, P = 1 .. 8")


@evidence("edt.eq47", "edt.eq47@below-C", form="printed", strength="exact")
def a_burst_that_begins_late_leaves_more_free() -> Counterexample:
    """B = 6, one steady port, R = 0 for 1 s and 9 then: by (43) t_2 = 13/10, and (47) gives 7/5 there."""
    t, A1, R = F(13, 10), F(0), 9
    check(2 * R * (t - 1) - 3 * t == (6 + A1 - 3) / 2, "t_2 solves the second line of (43) with d_1 = 1")
    free = (6 + A1 - 3) / 2 + 2 * t - R * (t - 1)
    request = scenario([[(1, R)]], [BUSY], until=2)
    return against(request, {"free_at_first_drop": [str(free), "3"]}, "8/5 bytes are free at the first drop, at 6/5")


@evidence("edt.eq49", form="printed", strength="exact")
def in_case_c_too_a_burst_that_begins_late_leaves_another_part_free() -> Counterexample:
    """B = 6, one steady port, R = 0 for 1 s, 9 for 1/8 s, then 5/2: t_2 = 39/16 by (43), and (49) gives 63/32."""
    t, d2, R = F(39, 16), F(9, 8), F(5, 2)
    A = 9 * (d2 - 1) + R * (t - d2)
    check(2 * A - 3 * t == (6 - 3) / F(2), "t_2 solves the second line of (43) with d_1 = 1")
    check(d2 <= t and A - 3 * (t - 1) > 0, "the condition of c) holds, with t_3 = t_2")
    free = (6 - 3) / F(2) + 2 * t - A
    request = scenario([[(1, 9), (d2, R)]], [BUSY], until=3)
    return against(request, {"free_at_first_drop": [str(free), "3"]}, "59/32 bytes are free at the first drop")


@evidence("edt.eq57", "edt.eq57@below-C", form="printed", strength="exact")
def the_printed_lengths_count_service_of_an_empty_queue() -> Counterexample:
    """B = 6, one steady port, R = 0 for 1 s and 9 then: 1/8 s later (57) and (58) give 0 and 27/8."""
    t, d1 = F(9, 8), F(1)
    burst, steady = 9 * (t - d1) - t, F(6 - 0 + d1) / 2 + d1 - t
    request = scenario([[(1, 9)]], [BUSY], until=2, sample=[t])
    return against(request, {"queues": [[str(burst), str(steady)]]}, "the queues are 1 and 23/8")


@evidence("edt.eq58", form="printed", strength="exact")
def a_pause_is_no_service_saved_up() -> Counterexample:
    """B = 6, one steady port, R = 0 for d_1 = 1 s: (58) says 7/2, for the queue of the burst would be -1."""
    request = scenario([[(1, 9)]], [BUSY], until=2, sample=[1])
    return against(request, {"queues": [["0", str(F(6 - 0 + 1, 2))]]}, "the steady queue is 3 at d_1")


@evidence("edt.sec4.3.additional", "edt.sec4.3.additional@any-slow", form="printed", strength="exact")
@evidence("edt.eq80", "edt.eq80@any-slow", form="printed", strength="exact")
def a_burst_too_slow_for_the_counter_is_left_to_dt() -> Counterexample:
    """B = 6, alone, R = 5/4: the counter of 1 needs 4 s, TM1 is 1 s; DT drops at 12, twice that is (80)."""
    request = scenario([[(0, "5/4")]], switch={"alpha": 1, "buffer": 6, "rate": 1}, until=30, policy=edt(1, 1))
    t_dt, additional = F(6, 2) / F(1, 4), F(1)
    check(t_dt * (1 + additional) == 6 / F(1, 4), "(1 + additional) times the drop time of DT is (80)")
    check(answer(request)["first_drop"] == [str(t_dt)], "EDT does not drop when DT does")
    return against(request, {"first_drop": [str(t_dt * (1 + additional))]}, "the port is never uncontrolled")


@evidence("edt.sec4.1.timeout-underloaded", form="printed", strength="exact")
def a_rate_of_just_C_is_underloaded_by_definition() -> Outcome:
    """After a burst the rate is C: the engine keeps the port uncontrolled until TM2 expires, at 1/2 + 4 s."""
    tm2, cn2 = 4, F(1, 2)
    pieces: list[Pieces] = [[(0, 2), (2, 1)]]
    request = scenario(pieces, switch={"alpha": 1, "buffer": 3, "rate": 1}, until=9, policy=edt(cn2, None, tm2))
    check(answer(request)["first_drop"] == [str(cn2 + tm2)], "the port does not wait for TM2")
    offered, C = F(1), F(1)
    check(not offered > C, "the port is overloaded")
    return Conflict("edt.sec3.underloaded", "R_i = C is underloaded there, and here it is not", {"R_i": "1", "C": "1"})


def most_in_succession(gap: Fraction) -> int:
    """Departures at 1, 2, 3, ... between arrivals at gap, 2 gap, ..., of a queue that never empties."""
    return max((k + 1) * gap // 1 - k * gap // 1 for k in range(40))


@evidence("edt.fig7.return.underloaded@packets", form="printed", strength="exact")
def at_nine_tenths_of_the_rate_two_leave_in_succession() -> Counterexample:
    """R = 9/10 C: the port is underloaded, and C1 never exceeds 2."""
    R = F(9, 10)
    values: dict[str, Number] = {"C": 1, "R": R, "cn1": 3, "most": most_in_succession(1 / R)}
    return refutes(values, ["R < C"], "most >= cn1", "the third departure in a row never comes")


@evidence("edt.fig7.return.underloaded@packets", form="assumed", strength="sampled")
def at_a_third_of_the_rate_three_do() -> Outcome:
    """All gaps from 3 to 9 packet times in steps of 1/8, against ceil of the gap at most and floor at least."""
    gaps = [F(k, 8) for k in range(24, 73)]
    for gap in gaps:
        check(int(gap) <= most_in_succession(gap) <= -(-gap // 1) and most_in_succession(gap) >= 3, f"a gap of {gap}")
    return Agrees(len(gaps), "gaps of 3 to 9 packet times in steps of 1/8; longer gaps let more packets leave")


@evidence("edt.sec4.3.alpha-efficiency", form="printed", strength="exact")
def a_fast_burst_loses_earlier_with_a_large_alpha() -> Counterexample:
    """One burst of 9 beside one steady port, B = 6: the first drop is at 1/5 with alpha = 1, earlier with 100."""
    drops = {}
    for alpha in (1, 100):
        request = scenario([BUSY], [BUSY], switch={"alpha": alpha, "buffer": 6, "rate": 1}, until=2)
        drops[alpha] = F(answer(request)["first_drop"][0])
    values: dict[str, Number] = {"one": 1, "hundred": 100, "t_one": drops[1], "t_hundred": drops[100]}
    return refutes(values, ["hundred > one"], "t_hundred >= t_one", "the larger alpha drops earlier")
