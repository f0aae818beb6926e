"""Section 4.1 and Figures 7 to 9: when a port is controlled; runs and published numbers."""

from fractions import Fraction
from itertools import product

from dtmodel import EDT, Arrivals, Switch, simulate
from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, Witness, check, evidence, refuted_by_values
from dtmodel.packet.edt.trace import run_trace
from dtmodel.policies.edt_circuit import CircuitSettings, EdtPolicy, EdtPort
from dtmodel.theory.edt.drops import EdtSettings

from ..support.edt.states import EdtSwitch
from . import traces
from .explored import ONE_PORT, TICKS, TWO_PORTS, Moment, graph, holds, one_port, uncontrolled_for_ever, watched
from .scenarios import BUSY, GRID, SIX, SIXTEEN, STEADY, Number, Pieces, against, as_printed, edt, engine, scenario
from .traces import DOMAIN, TWO, every_trace, request, timed

F = Fraction


def most_in_succession(gap: Fraction) -> int:
    """Departures at 1, 2, 3, ... between arrivals at gap, 2 gap, ..., of a queue that never empties."""
    return max((k + 1) * gap // 1 - k * gap // 1 for k in range(40))


@evidence("edt.fig8.multiplexer", "edt.sec4.1.T1", "edt.sec4.1.T2", "edt.fn6", form="printed", strength="sampled")
def each_port_has_the_threshold_of_its_state() -> Outcome:
    """T_1 = alpha F or T_2 = B / n with n the number of uncontrolled ports, after every event of two ports."""
    cases, shares = 0, set()
    for trace in every_trace(2, 5):
        for _, ports, _ in trace:
            free = 4 - sum(F(port["queue"]) for port in ports)
            n = sum(port["state"] == "uncontrolled" for port in ports)
            for port in ports:
                wanted = free if port["state"] == "controlled" else F(4, n)
                check(F(port["threshold"]) == wanted, "the threshold")
                cases += 1
                if port["state"] == "uncontrolled":
                    shares.add(port["threshold"])
    check(shares == {"4", "2"}, f"T_2 takes the values {shares}")
    return Agrees(cases, TWO)


@evidence("edt.sec4.1.T2.fair", form="printed", strength="exact")
def a_burst_that_came_first_holds_more() -> Outcome:
    """B = 16, both uncontrolled, the second 1 s later: at the overflow the queues are 57/7 and 55/7."""
    request = scenario([BUSY, [(1, 9)]], switch=SIXTEEN, policy=edt(1), sample=["111/56"])
    return against(request, {"queues": [["8", "8"]]}, "the first is above B/2 when the second joins, and drains at C")


@evidence("edt.fig7.initial", form="printed", strength="sampled")
def a_port_begins_controlled_until_its_counter_ends_it() -> Outcome:
    """In every trace the first state is controlled, and only an entering packet ends it."""
    changes = [s for s in traces.steps() if s[1]["state"] == "controlled" and s[2]["state"] == "uncontrolled"]
    check(changes and all(event == "a1" and decision == "enqueue" for event, _, _, decision in changes), "by a1 only")
    return Agrees(len(traces.steps()), DOMAIN)


@evidence("edt.fig7.leave", form="printed", strength="exact")
def an_overloaded_port_that_grows_slowly_stays_controlled() -> Outcome:
    """R = 5/4: cn2 by (73) needs 32/3 s, TM1 by (78) is 16/3 s; it loses bytes when DT does, at 12, not at 24."""
    request = scenario([[(0, "5/4")]], switch=SIX, until=30, policy=as_printed(1, 6, 1))
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


@evidence("edt.fig7.return.underloaded@packets", form="printed", strength="exact")
def at_nine_tenths_of_the_rate_two_leave_in_succession() -> Counterexample:
    """R = 9/10 C: the port is underloaded, and C1 never exceeds 2."""
    R = F(9, 10)
    values: dict[str, Number] = {"C": 1, "R": R, "cn1": 3, "most": most_in_succession(1 / R)}
    return refuted_by_values(values, "most >= cn1", "the third departure in a row never comes", ["R < C"])


@evidence("edt.fig7.return.underloaded@packets", form="assumed", strength="sampled")
def at_a_third_of_the_rate_three_do() -> Outcome:
    """All gaps from 3 to 9 packet times in steps of 1/8, against ceil of the gap at most and floor at least."""
    gaps = [F(k, 8) for k in range(24, 73)]
    for gap in gaps:
        check(int(gap) <= most_in_succession(gap) <= -(-gap // 1) and most_in_succession(gap) >= 3, f"a gap of {gap}")
    return Agrees(len(gaps), "gaps of 3 to 9 packet times in steps of 1/8; longer gaps let more packets leave")


@evidence("edt.fig7.return.overflow", "edt.sec4.2.tm2.reset-overflow", form="printed", strength="sampled")
def an_overflow_returns_every_port() -> Outcome:
    """In every trace of two ports, after a packet that finds the buffer full both are controlled."""
    seen = 0
    for trace in every_trace(2, 5):
        for event, ports, decision in trace:
            full = sum(F(port["queue"]) for port in ports) == 4
            if event[0] == "a" and decision == "drop" and full:
                seen += 1
                check(all(port["state"] == "controlled" and port["tm2"] is None for port in ports), "all return")
    return Agrees(seen, TWO)


@evidence("edt.fig7.return.overflow", "edt.sec4.2.tm2.reset-overflow", form="printed", strength="sampled")
def an_overflow_returns_both_ports_in_every_state() -> Outcome:
    """Let a packet arrive at each port in every state in which the buffer is full."""
    cases, system = 0, EdtSwitch(2, 4)
    for state in graph(system).steps:
        if sum(port.length for port in state) == system.buffer:
            for i in range(system.ports):
                decision, after = system.step(state, ("arrive", i))
                check(decision == "drop" and all(p.controlled and p.tm2 is None for p in after), f"{state}")
                cases += 1
    check(cases > 0, "no state with a full buffer")
    return Agrees(cases, TWO_PORTS)


@evidence("edt.sec4.1.underloaded-means-gone@pause", form="printed", strength="exact")
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
def a_very_fast_burst_fills_a_buffer_still_in_use() -> Outcome:
    """B = 6, R = 9 beside one steady port: full at 3/7, the burst holding 24/7, the steady queue 18/7."""
    request = scenario([BUSY], [BUSY], switch=SIX, policy=edt(1), sample=["3/7"])
    return against(request, {"queues": [["6", "0"]]}, "the steady queue has not drained yet")


@evidence("edt.sec4.1.adv2.period", "edt.fig7.return.timeout", form="printed", strength="sampled")
def tm2_ends_every_uncontrolled_period() -> Outcome:
    """TM2 is between 1 and 3 ticks while a port is uncontrolled and loses one in each tick; no loop avoids its end."""

    def rule(m: Moment) -> bool:
        if m.before.tm2 is None:
            return m.after.tm2 in {None, 3}
        left = m.before.tm2 - (m.label == ("tick",))
        return m.after.tm2 in {None, left} and (m.after.controlled if left == 0 else 1 <= left <= 3)

    found = holds(rule, "TM2", EdtSwitch(2, 4, tm1=2, tm2=3, time="ticks"), domain=TICKS)
    check(uncontrolled_for_ever(EdtSwitch(1, 4, tm1=2, tm2=3, time="ticks"), 0) is None, "a loop without its end")
    return found


@evidence("edt.sec4.1.adv3@nothing-else", form="printed", strength="exact")
def the_thresholds_need_registers_and_selectors() -> Outcome:
    """The distinct thresholds T_2 of the state machine with 16 ports, of which 1 to 16 are uncontrolled, and T_1."""
    P, thresholds = 16, set[Fraction]()
    for n in range(1, P + 1):
        switch = EdtPolicy(CircuitSettings(1, 3, 1, None, None), P, F(16))
        for port in switch.ports[:n]:
            port.controlled = False
        thresholds.add(switch.threshold(0, F(5)))
        check(n == P or switch.threshold(P - 1, F(5)) == 5, "a controlled port is not held to T_1 meanwhile")
    registers = len(thresholds)
    check(registers == P, f"{registers} values of T_2, which no counter or timer of the ports holds")
    return Conflict("edt.fn6", "registers and selectors are added as well", {"registers": str(registers)})


@evidence("edt.sec4.1.recognition", form="printed", strength="exact")
def overloaded_above_the_threshold_means_drops_at_once() -> Outcome:
    """A steady queue holds 4 of 6 bytes, so that the threshold is 2."""
    request = scenario([STEADY], switch=SIX, policy=edt(1))
    request["queues"][0]["initial"] = "4"
    return against(request, {"first_drop": [None]}, "it loses bytes at once")


@evidence("edt.sec4.1.two-thresholds", form="printed", strength="exact")
def a_controlled_port_does_not_use_t2() -> Outcome:
    """Two ports, one uncontrolled with T_2 = 4: the other is held to T_1 = 2 alone."""
    trace = request(timed(("a1", "a1", "a2")), 2)
    found = run_trace(trace)["final"]["ports"]
    check([port["state"] for port in found] == ["uncontrolled", "controlled"], "one in each state")
    claimed = {"final": {"ports": [found[0], {**found[1], "threshold": "4"}]}}
    return Counterexample(Witness("trace", trace, {"final": {"ports": found}}, claimed, "T_2 does not apply to it"))


@evidence("edt.sec4.1.two-thresholds", form="repaired", strength="sampled")
def each_state_has_one_threshold() -> Outcome:
    """After every event of two ports the threshold is T_1 or T_2, by the state alone."""
    cases = 0
    for trace in every_trace(2, 5):
        for _, ports, _ in trace:
            free = 4 - sum(F(port["queue"]) for port in ports)
            n = sum(port["state"] == "uncontrolled" for port in ports)
            wanted = [free if port["state"] == "controlled" else F(4, n) for port in ports]
            check([F(port["threshold"]) for port in ports] == wanted, "one threshold")
            cases += 2
    return Agrees(cases, TWO)


@evidence("edt.fig9.inputs", form="printed", strength="sampled")
def equal_pulses_make_equal_states() -> Outcome:
    """In every trace: replaying the pulses alone, without lengths or thresholds, gives the same state after each."""
    cases = 0
    settings = CircuitSettings(alpha=1, cn1=2, cn2=2, tm1=2, tm2=3)
    for trace in every_trace(1, 6):
        port, now = EdtPort(settings), 0
        for event, (after,), decision in trace:
            now += event == "t"
            port.tick(now)
            if decision == "enqueue":
                port.enqueued(1, now)
            elif decision == "depart":
                port.dequeued(1)
            elif decision == "drop":
                if F(after["queue"]) == 4:
                    port.control()
                port.dropped()
            check(port.controlled == (after["state"] == "controlled"), "the state")
            cases += 1
    return Agrees(cases, DOMAIN)


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


@evidence("edt.ours.freed-by-growth", form="printed", strength="sampled")
def a_growth_by_cn2_and_nothing_else_frees_a_port() -> Outcome:
    """In every step of a switch with an observer, the port is freed iff a packet enters and the growth is cn2."""
    cases, freed = 0, 0
    for system in (EdtSwitch(2, 3), *one_port()):
        for state, steps in watched(system).steps.items():
            for label, after in steps:
                for i, (old, new) in enumerate(zip(state.switch, after.switch, strict=True)):
                    enters = label == ("arrive", i) and new.length > old.length
                    grown = enters and old.controlled and new.length - state.least[i] >= system.cn2
                    check(grown == (old.controlled and not new.controlled), f"{label} in {state} of {system}")
                    cases, freed = cases + 1, freed + grown
    check(freed > 0, "no port is ever freed")
    return Agrees(cases, f"{TWO_PORTS.replace('B = 4', 'B = 3')}; {ONE_PORT}; with an observer")
