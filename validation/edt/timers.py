"""Section 4.2: the timers TM1 and TM2, equations (74) to (78); runs and published numbers."""

from fractions import Fraction
from itertools import product

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, Witness, check, evidence, refuted_by_values
from dtmodel.modelcheck import shortest_lasso
from dtmodel.packet.edt.trace import run_trace
from dtmodel.theory.edt import formulas as edt_formulas
from dtmodel.theory.edt.drops import EdtSettings

from ..support.edt.states import EdtSwitch, Label, PortStates
from .explored import ONE_PORT, TWO_PORTS, Moment, graph, holds, one_port, served, state_after, uncontrolled_for_ever
from .scenarios import BUSY, EIGHT, GRID, SIX, SIXTEEN, STEADY, Number, Pieces, against, edt, engine, scenario
from .traces import DOMAIN, FRESH, every_trace, final_state, request, steps, timed

F = Fraction


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


@evidence("edt.sec4.2.tm1.unexpected", form="printed", strength="exact")
def a_slow_port_that_is_freed_halves_the_share_of_a_burst() -> Outcome:
    """P = 2, alpha = 4, B = d = 12: cn2 = 48/25, TM1 = 108/25; a port at 7/5, within (77), and 8 bytes of a burst."""
    cn2, tm1 = edt_formulas.cn2_paper(F(4), F(12), 2), edt_formulas.tm1_paper(F(4), 2, F(12))
    check((cn2, tm1) == (F(48, 25), F(108, 25)) and F(2, 5) <= edt_formulas.growth_limit(F(4), F(12), 2, F(12)), "(77)")
    bursts: list[Pieces] = [[(0, "7/5"), (6, 0)], [(5, 13), ("17/3", 0)]]
    switch: dict[str, Number] = {"alpha": 4, "buffer": 12, "rate": 1}
    drops = [answer(scenario(bursts, switch=switch, policy=edt(cn2, timer)))["first_drop"] for timer in (tm1, None)]
    check(drops == [[None, None], [None, "11/2"]], f"{drops}")
    return Agrees(2, "the scenario, with TM1 and without")


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
    return refuted_by_values(
        values, "T_1 == 4*(1 + alpha*P) / (2 + alpha*P)**2 * d", "T_1 is a threshold", ["T_1 == alpha*F"]
    )


@evidence("edt.fig7.return.timeout", "edt.sec4.1.adv2.period", "edt.sec4.3.bounded", form="printed", strength="sampled")
def no_port_is_uncontrolled_longer_than_tm2() -> Outcome:
    """After every event an uncontrolled port's TM2 ends in the future, and TM2 at most from now."""
    seen = 0
    for trace in every_trace(1, 6):
        now = 0
        for event, ports, _ in trace:
            now += event == "t"
            if ports[0]["state"] == "uncontrolled":
                seen += 1
                check(now < F(ports[0]["tm2"]) <= now + 3, "TM2 is due within its counting time")
    return Agrees(seen, DOMAIN)


@evidence("edt.sec4.1.timeout-scenario", form="printed", strength="sampled")
def a_background_of_the_ports_rate_holds_the_port_for_ever() -> Outcome:
    """Without TM2 there is a loop of one arrival and one tick at the same queue length; with TM2 there is none."""
    cases = 0
    for cn1, length in product((2, 3), (1, 2, 3)):
        system = served(cn1)
        held = [s for s in graph(system).steps if not s[0].controlled and s[0].length == length and s[0].c1 == 1]
        for state in held:
            after = system.step(system.step(state, ("arrive", 0))[1], ("tick",))[1]
            check(after == state, f"{state} becomes {after}")
            cases += 1
        check(bool(held), f"no uncontrolled port holds {length}")
        check(uncontrolled_for_ever(served(cn1, tm2=3), 0) is None, "a loop in spite of TM2")
    return Agrees(cases, "all states of one port with B = 6, alpha = 1, cn1 = 2, 3, cn2 = 2, one packet sent in a tick")


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


@evidence("edt.sec4.2.tm2.starts", "edt.sec4.2.tm2.stops", form="printed", strength="sampled")
def a_port_is_uncontrolled_exactly_while_tm2_counts() -> Outcome:
    """The state and the timer agree after every event; a stopped timer starts again only with the next trigger."""
    for event, before, after, _ in steps():
        check((after["state"] == "uncontrolled") == (after["tm2"] is not None), "the state follows TM2")
        started = before["tm2"] is None and after["tm2"] is not None
        check(not started or (event == "a1" and before["c2"] == "1"), "only C2 starts TM2")
        moved = None not in {before["tm2"], after["tm2"]} and before["tm2"] != after["tm2"]
        check(not moved, "a running TM2 is not started again")
    return Agrees(len(steps()), DOMAIN)


@evidence("edt.ours.one-timer", "edt.sec4.2.tm2.starts", "edt.sec4.2.tm2.stops", form="printed", strength="sampled")
def each_timer_runs_in_its_own_state() -> Outcome:
    """Check every step: TM1 runs iff C2 > 0, TM2 iff uncontrolled, and it starts with the change of state only."""

    def rule(m: Moment) -> bool:
        tm1, tm2 = m.after.tm1 is not None, m.after.tm2 is not None
        started = tm2 and m.before.tm2 is None
        known = started == (m.before.controlled and not m.after.controlled)
        return tm1 == (m.after.c2 > 0) and tm2 == (not m.after.controlled) and not (tm1 and tm2) and known

    return holds(rule, "timers", EdtSwitch(2, 4), *one_port(), domain=f"{TWO_PORTS}; {ONE_PORT}")


@evidence("edt.sec4.2.tm2.reset-c1", "edt.sec4.2.c1.pulse", form="printed", strength="exact")
def the_pulse_of_c1_returns_the_port_in_one_sentence_only() -> Outcome:
    """One trace ends controlled if the pulse resets TM2, uncontrolled if it resets C2."""
    states = (final_state("circuit"), final_state("c1-resets-c2"))
    check(states == ("controlled", "uncontrolled"), f"the states are {states}")
    return Conflict("edt.sec4.2.c1.pulse", "one pulse, two targets, different states afterwards", {"states": states})


@evidence("edt.sec4.2.tm1.starts", form="printed", strength="exact")
def tm1_cannot_start_with_c2_and_run_all_the_time() -> Outcome:
    """On the same trace the two timers end differently."""
    word = timed(("t", "a1", "t", "a1"))
    ends = [run_trace(request(word, 1, reading=r))["final"]["ports"][0]["state"] for r in ("circuit", "free-running")]
    check(ends == ["uncontrolled", "controlled"], f"the states are {ends}")
    said = "a timer that C2 starts does not work all the time"
    return Conflict("edt.sec4.2.tm1.always@free-running", said, {"ends": ends})


@evidence("edt.sec4.2.tm1.expires", "edt.sec4.2.tm1.reset", form="printed", strength="sampled")
def tm1_resets_c2_and_is_reset_by_it() -> Outcome:
    """In every trace an expired TM1 leaves C2 at 0, and a port that becomes uncontrolled has TM1 stopped."""
    for trace in every_trace(1, 6):
        last, now = FRESH, 0
        for event, (port,), _ in trace:
            now += event == "t"
            if event == "t" and last["tm1"] is not None and F(last["tm1"]) <= now:
                check(port["c2"] == "0" and port["tm1"] is None, "TM1 has expired: C2 is reset")
            if port["state"] == "uncontrolled":
                check(port["tm1"] is None, "TM1 is back at its default")
            last = port
    return Agrees(len(every_trace(1, 6)), DOMAIN)


@evidence("edt.sec4.2.tm1.always@free-running", form="printed", strength="exact")
def a_tm1_that_runs_always_cuts_a_growth_in_two() -> Outcome:
    """Two packets within 1 s, at 1 and 2, on the two sides of TM1's expiry at 2: the port stays controlled."""
    trace = request(timed(("t", "a1", "t", "a1")), 1, reading="free-running")
    found = run_trace(trace)["final"]["ports"][0]
    claimed = {"final": {"ports": [{**found, "state": "uncontrolled"}]}}
    return Counterexample(Witness("trace", trace, {"final": {"ports": [found]}}, claimed, "C2 was reset in between"))


@evidence("edt.sec4.2.tm1.always@counting", form="printed", strength="sampled")
def a_growth_within_tm1_frees_the_port() -> Outcome:
    """In every trace, two packets that enter in succession within TM1 from C2 = 0 make the port uncontrolled."""
    seen = 0
    for trace in every_trace(1, 6):
        states = [FRESH, *(ports[0] for _, ports, _ in trace)]
        for k in range(len(trace) - 2):
            before, events = states[k], [trace[k + i][0] for i in range(3)]
            entered = [trace[k + i][2] for i in range(3)]
            fresh = before["state"] == "controlled" and before["c2"] == "0"
            if fresh and events == ["a1", "t", "a1"] and entered == ["enqueue", "idle", "enqueue"]:
                seen += 1
                check(states[k + 3]["state"] == "uncontrolled", "a growth by 2 in 1 s < TM1 = 2 s")
    return Agrees(seen, DOMAIN)


@evidence("edt.sec4.2.tm1.only-bursty", form="printed", strength="sampled")
def bursts_that_count_for_longer_than_tm1_are_under_dt() -> Outcome:
    """For many M and N: with a TM1 of 9/10 of what the counter needs DT's first drop, with just that the overflow."""
    for s in GRID:
        number = s.r * s.dt_drop / 2
        for share in (F(9, 10), F(1, 3), F(1)):
            run = engine(s, EdtSettings(number, share * number / s.r, None), None, 2 * s.overflow)
            queues = [run.queue(port) for port in range(s.M)]
            freed = [any(slope == 0 for _, slope, _ in queue.limits) for queue in queues]
            drop = s.overflow if share == 1 else s.dt_drop
            check(freed == [share == 1] * s.M, f"{s}, {share}: uncontrolled {freed}")
            check([run.first_drop(port) for port in range(s.M)] == [drop] * s.M, f"{s}, {share}: another drop")
    return Agrees(3 * len(GRID), "alpha 1/2, 1, 2; M 1..3; N 0..2; R 3/2, 2, 4; three settings of TM1")


@evidence("edt.sec4.2.tm1.only-bursty@not-long-lived", form="printed", strength="exact")
def a_long_lived_flow_is_let_free_too() -> Outcome:
    """A flow of rate 2 that never ends: were it controlled it would lose bytes from 2 on, as under DT."""
    request = scenario([STEADY], [STEADY, STEADY], switch=EIGHT, policy=edt("1/4", 1))
    return against(request, {"first_drop": ["2", "0", "0"]}, "it becomes uncontrolled and loses nothing until 8")


@evidence("edt.ours.retriggered", form="printed", strength="exact")
def a_port_is_freed_again_each_time_tm2_expires() -> Outcome:
    """Find the shortest loop below the rate C each of whose ticks begins uncontrolled, and replay it as a trace."""

    def allowed(state: PortStates, label: Label, after: PortStates) -> bool:
        del after
        return label[0] == "arrive" or not state[0].controlled

    def weight(state: PortStates, label: Label, after: PortStates) -> int:
        del state, after
        return 1 if label[0] == "arrive" else -1

    systems = [served(cn1, tm1=2, tm2=3, buffer=4) for cn1 in (2, 3)]
    none, loop = (shortest_lasso(graph(s), allowed, weight, longest=len(graph(s).steps)) for s in systems)
    check(none is None and loop is not None, "a loop for cn1 = 3 only")
    if loop is not None:
        labels = loop.cycle.labels
        check((labels.count(("tick",)), labels.count(("arrive", 0))) == (3, 2), f"the loop is {labels}")
        freed = sum(s[0].controlled for s in loop.cycle.states[:-1])
        check(0 < freed < len(labels), "TM2 expires in the loop")
        ends = [state_after(systems[1], loop.labels(rounds)) for rounds in (1, 2, 3)]
        check(ends[0] == ends[1] == ends[2], "the trace comes back to the same state")
    return Agrees(sum(len(graph(s).steps) for s in systems), "all states and loops of one port with B = 4, alpha = 1")
