"""Section 4.2: the counters C1 and C2, equations (69) to (73); runs and published numbers."""

from fractions import Fraction
from itertools import pairwise, product

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, Witness, check, evidence, refuted_by_values
from dtmodel.modelcheck import always
from dtmodel.packet.edt.trace import run_trace
from dtmodel.policies.edt_circuit import READINGS

from ..support.edt.states import EdtPortState, EdtSwitch, Watched
from . import explored
from .explored import (
    BOUND,
    ONE_PORT,
    TWO_PORTS,
    Moment,
    compared,
    graph,
    holds,
    one_port,
    returned_under_load,
    served,
    uncontrolled_for_ever,
)
from .figures.burst_panels import CN2, MS, SIZE, B, Traffic, packets
from .scenarios import BUSY, SIX, SIXTEEN, Number, against, edt, scenario
from .traces import DOMAIN, FRESH, every_trace, lengths_since_reset, request, steps, timed

F = Fraction


@evidence("edt.eq70", form="printed", strength="exact")
def below_the_bound_the_order_is_reversed() -> Outcome:
    """R = 2 is below the bound 3: (R - C) t_1 = 2, and the second formula gives 3."""
    values: dict[str, Number] = {**SIX, "M": 1, "N": 1, "R": 2}
    fast = "alpha*buffer*(R-rate) / ((1+alpha*N) * ((1+alpha*M)*(R-rate) - alpha*N*rate))"
    return refuted_by_values(values, f"alpha*buffer / (1+alpha*(M+N)) >= {fast}", "2 is not at least 3", ["R > rate"])


@evidence("edt.eq71.strict", form="printed", strength="exact")
def without_steady_ports_the_growth_is_its_limit() -> Outcome:
    """Without steady ports (N = 0) the growth equals its limit: the inequality is not strict."""
    values: dict[str, Number] = {**SIX, "M": 1, "N": 0, "R": 2}
    fast = "alpha*buffer*(R-rate) / ((1+alpha*N) * ((1+alpha*M)*(R-rate) - alpha*N*rate))"
    return refuted_by_values(
        values, f"{fast} > alpha*buffer / ((1+alpha*N)*(1+alpha*M))", "both sides are 3", ["R > rate"]
    )


@evidence("edt.eq72.necessary", "edt.eq73", form="printed", strength="exact")
def with_three_ports_a_larger_number_is_safe() -> Outcome:
    """B = 6 and P = 3: a counting number of 1 is below every limit of growth, and (73) gives 24/25."""
    values: dict[str, Number] = {"alpha": 1, "B": 6, "P": 3, "c": 1}
    ports = [(M, N) for M in range(1, 4) for N in range(4 - M)]
    known = [f"c * (1 + alpha*{N}) * (1 + alpha*{M}) <= alpha*B" for M, N in ports]
    return refuted_by_values(values, "c <= 4*alpha*B / (2 + alpha*P)**2", "1 is safe for all M + N <= 3", known)


@evidence("edt.eq73@unequal", form="printed", strength="exact")
def a_faster_burst_takes_the_buffer_from_a_slower_one() -> Outcome:
    """P = 2, B = 16, cn2 = 4: rates 9 and 3; the second queue meets the falling threshold with 8/3."""
    request = scenario([BUSY, [(0, 3)]], switch=SIXTEEN, until="3/2", policy=edt(4))
    return against(request, {"first_drop": [None, None]}, "the slower burst loses bytes before its counter is full")


@evidence("edt.eq73@staggered", form="printed", strength="exact")
def a_later_burst_finds_the_threshold_low() -> Outcome:
    """With B = 16 and cn2 = 4, two bursts of rate 9: the one that comes 1 s later loses bytes."""
    request = scenario([BUSY, [(1, 9)]], switch=SIXTEEN, until="3/2", policy=edt(4))
    return against(request, {"first_drop": [None, None]}, "the later burst loses bytes before its counter is full")


@evidence("edt.fn6.range", form="printed", strength="exact")
def a_second_port_needs_a_second_register() -> Counterexample:
    """One port is uncontrolled when another becomes so: T_2 = B / 2 is not among the values up to B / 1."""
    request = scenario([BUSY, [("1/2", 9)]], switch=SIXTEEN, until=1, policy=edt("1/2"), sample=["1/4", "3/4"])
    check(answer(request)["first_drop"] == [None, None], "both are uncontrolled")
    values: dict[str, Number] = {"B": 16, "before": 1, "after": 2}
    return refuted_by_values(
        values, "B / after >= B / before", "B/2 is needed, the least stored is B/1", ["after > before"]
    )


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


@evidence("edt.sec4.2.counters-direction", "edt.sec4.2.c1.counts", form="printed", strength="exact")
def c1_cannot_fall_with_departures_and_count_them() -> Outcome:
    """After one departure from a fresh counter C1 is 1 by its own paragraph, and at most 0 by the other sentence."""
    after = run_trace(request(timed(("a1", "d1")), 1))["final"]["ports"][0]["c1"]
    check(after == 1, "C1 counts the departure")
    return Conflict(
        "edt.sec4.2.c1.counts", "a departure raises C1 in one sentence and lowers it in the other", {"C1": after}
    )


@evidence("edt.sec4.2.c2.works", "edt.sec4.2.c2.triggers", "edt.sec4.2.rule1.reset", form="printed", strength="sampled")
def c2_counts_while_controlled_until_drops_reset_it() -> Outcome:
    """C2 is 0 while uncontrolled, moves by 1 with the queue while controlled, and is 0 after a drop."""
    for event, before, after, decision in steps():
        if after["state"] == "uncontrolled":
            check(after["c2"] == "0", "C2 rests while the port is uncontrolled")
        if before["state"] == "controlled" and decision == "enqueue":
            freed = F(before["c2"]) + 1 == 2
            check(freed == (after["state"] == "uncontrolled"), "cn2 = 2 frees the port")
            check(freed or F(after["c2"]) == F(before["c2"]) + 1, "C2 counts the packet")
        if decision == "drop":
            check(after["c2"] == "0", "a drop resets C2")
        if event == "d1" and decision == "depart" and before["state"] == "controlled":
            check(F(after["c2"]) == max(F(before["c2"]) - 1, 0), "a departure takes one away")
    return Agrees(len(steps()), DOMAIN)


@evidence("edt.sec4.2.c2.works", "edt.sec4.2.c2.triggers", "edt.sec4.2.rule1.reset", "edt.fig7.initial",
          form="printed", strength="sampled")  # fmt: skip
def c2_alone_frees_a_port_and_drops_reset_it() -> Outcome:
    """Check every step: C2 rests while uncontrolled, only its number frees the port and starts TM2, drops reset it."""

    def rule(m: Moment) -> bool:
        freed = m.before.controlled and not m.after.controlled
        full = m.before.controlled and m.here and m.decision == "enqueue" and m.before.c2 + 1 == 2
        reset = not (m.here and m.decision == "drop") or m.after.c2 == 0
        rests = m.after.controlled or m.after.c2 == 0
        return freed == full and (not freed or m.after.tm2 is not None) and reset and rests

    system = EdtSwitch(2, 4)
    check(list(system.initial()) == [(EdtPortState(), EdtPortState())], "the ports begin controlled")
    return holds(rule, "C2", system, domain=TWO_PORTS)


@evidence("edt.sec4.2.c2.value@signed", form="printed", strength="sampled")
def a_signed_c2_is_the_growth_since_its_reset() -> Outcome:
    """In every trace C2 is the queue length less that at its last reset."""
    cases = [(c2, since) for c2, since in lengths_since_reset("signed")]
    check(all(c2 == since[-1] - since[0] for c2, since in cases), "C2 = Q - Q(reset)")
    return Agrees(len(cases), DOMAIN)


@evidence("edt.sec4.2.c2.value@signed", form="printed", strength="sampled")
def signed_c2_is_the_growth_since_its_reset_in_every_run() -> Outcome:
    """In every state of the reading 'signed' C2 is the length less that at the last reset."""
    return compared("signed", lambda state, i: state.switch[i].length - state.first[i])


@evidence("edt.sec4.2.c2.value@floored", form="repaired", strength="sampled")
def a_floored_c2_is_the_growth_above_the_lowest_point() -> Outcome:
    """In every trace C2 is the queue length less its least length since the reset."""
    cases = [(c2, since) for c2, since in lengths_since_reset("circuit")]
    check(all(c2 == since[-1] - min(since) for c2, since in cases), "C2 = Q - min Q")
    return Agrees(len(cases), DOMAIN)


@evidence("edt.sec4.2.c2.value@floored", form="printed", strength="exact")
def a_floored_c2_forgets_how_far_the_queue_has_fallen() -> Outcome:
    """One packet, TM1 resets C2 at length 1, the packet leaves, another comes: the length is 1 again, and C2 is 1."""
    trace = request(timed(("a1", "t", "t", "d1", "a1")), 1)
    found = run_trace(trace)["steps"][-1]["ports"][0]
    check((found["queue"], found["c2"]) == ("1", "1"), "the queue is as long as at the reset, and C2 is 1")
    claimed = {"final": {"ports": [{**found, "c2": "0"}]}}
    return Counterexample(Witness("trace", trace, {"final": {"ports": [found]}}, claimed, "C2 is 1, not 0"))


@evidence("edt.sec4.2.c2.value@floored", form="repaired", strength="sampled")
def c2_is_the_growth_above_the_lowest_point_in_every_run() -> Outcome:
    """In every state of a switch with an observer, C2 of a controlled port is its length less the least since."""
    return compared("circuit", lambda state, i: state.switch[i].length - state.least[i])


@evidence("edt.sec4.2.c2.too-small", form="printed", strength="sampled")
def a_number_of_one_packet_frees_at_every_packet() -> Outcome:
    """In every trace of 6 events, the first packet that enters a controlled port frees it."""
    seen = 0
    for word in product(("a1", "d1", "t"), repeat=6):
        last = FRESH
        for step in run_trace(request(timed(word), 1, cn2=1))["steps"]:
            if step["decision"] == "enqueue" and last["state"] == "controlled":
                seen += 1
                check(step["ports"][0]["state"] == "uncontrolled", "freed at once")
            last = step["ports"][0]
    return Agrees(seen, "all traces of 6 events of one port with B = 4 and cn2 = 1")


@evidence("edt.sec4.2.c2.too-small.unfair", form="printed", strength="exact")
def two_packets_free_long_lived_flows_again_and_again() -> Outcome:
    """In the packet engine, sampled every 50 us: the largest difference of two queues in each 20 ms."""
    floored = [name for name, reading in READINGS.items() if not reading.c2_signed]
    for name, cn2 in product(floored, (CN2, 3 * F(SIZE), 2 * F(SIZE))):
        run = packets(name, [Traffic(begin * MS) for begin in range(3)], 100 * MS, sample=5e-5, cn2=cn2)
        apart = [0.0] * 5
        for time, lengths in run.samples:
            window = min(int(time / 0.02), 4)
            apart[window] = max(apart[window], max(lengths) - min(lengths))
        equal, unequal = max(apart[1:]) <= SIZE, min(apart) >= 0.9 * B
        check(unequal if cn2 == 2 * SIZE else equal, f"{name}, cn2 = {cn2}: {apart}")
    return Agrees(3 * len(floored), "three counting numbers in every reading with a floor, three flows of 2 C")


@evidence("edt.sec4.2.rule1", form="printed", strength="exact")
def c2_counts_packets_at_an_underloaded_port() -> Outcome:
    """Two packets arrive together at a port that can send both before others come: C2 counts both."""
    trace = request(timed(("a1", "a1", "t", "d1", "t", "d1")), 1, cn2=3)
    found = run_trace(trace)["steps"][1]
    check(found["ports"][0]["c2"] == "2", "C2 is 2")
    short = request(timed(("a1", "a1")), 1, cn2=3)
    port = run_trace(short)["final"]["ports"][0]
    claimed = {"final": {"ports": [{**port, "c2": "0"}]}}
    return Counterexample(Witness("trace", short, {"final": {"ports": [port]}}, claimed, "two packets at once"))


@evidence("edt.sec4.2.c1.underloaded@enqueue", form="printed", strength="exact")
def above_a_shrunken_threshold_c1_sees_underload() -> Outcome:
    """Port 1 holds 5 of 8 when port 2 joins and T_2 falls to 4: an arrival is dropped, two packets leave, C1 is 2."""
    word = ("a1", "a1", "a1", "a1", "a1", "a2", "a2", "d1", "a1", "d1")
    trace = request(timed(word), 2, buffer=8, cn1=2)
    answer = run_trace(trace)
    port = answer["final"]["ports"][0]
    check(answer["steps"][-2]["decision"] == "drop" and port["state"] == "controlled", "it returned under full load")
    claimed = {"final": {"ports": [{**port, "state": "uncontrolled"}, answer["final"]["ports"][1]]}}
    expected = {"final": {"ports": answer["final"]["ports"]}}
    return Counterexample(Witness("trace", trace, expected, claimed, "one packet arrives for each that leaves"))


@evidence("edt.sec4.2.c1.underloaded@enqueue", form="printed", strength="exact")
def the_shortest_run_to_a_pulse_of_c1_at_full_load() -> Outcome:
    """Search all runs of two ports with B = 6: an arrival is dropped between the two departures that C1 counts."""
    system, run = returned_under_load(6)
    check(run is not None and len(run) == 9, f"the shortest run is {run}")
    trace = explored.request(system, run or ())
    answer = run_trace(trace)
    port, other = answer["final"]["ports"]
    check(answer["steps"][-2]["decision"] == "drop" and port["state"] == "controlled", "it returned under full load")
    claimed = {"final": {"ports": [{**port, "state": "uncontrolled"}, other]}}
    expected = {"final": {"ports": [port, other]}}
    return Counterexample(Witness("trace", trace, expected, claimed, "a packet arrived between the departures"))


@evidence("edt.sec4.2.c1.underloaded@arrivals", form="printed", strength="sampled")
def if_drops_reset_c1_a_pulse_means_no_arrival() -> Outcome:
    """In every trace an uncontrolled port that returns by C1 saw its last two events of traffic be departures."""
    seen = 0
    for trace in every_trace(1, 6, "arrivals"):
        last, traffic = FRESH, list[str]()
        for event, (port,), decision in trace:
            if event != "t" and decision != "idle":
                traffic.append(event)
            returned = last["state"] == "uncontrolled" and port["state"] == "controlled"
            if returned and event == "d1":
                seen += 1
                check(traffic[-2:] == ["d1", "d1"], "two departures and no arrival in between")
            last = port
    return Agrees(seen, DOMAIN + ", reading 'arrivals'")


@evidence("edt.sec4.2.c1.underloaded@arrivals", form="printed", strength="sampled")
def c1_that_hears_drops_counts_departures_only() -> Outcome:
    """In every state C1 is at most the number of departures since the last arrival, which the observer counts."""
    states = 0
    for system in (EdtSwitch(2, 3, reading="arrivals"), *one_port("arrivals")):
        result = always(
            Watched(system), lambda s: all(p.c1 <= n for p, n in zip(s.switch, s.quiet, strict=True)), bound=BOUND
        )
        check(result.complete, f"C1 counts across an arrival: {result.found}")
        states += result.states
    return Agrees(states, f"{TWO_PORTS.replace('B = 4', 'B = 3')}; {ONE_PORT}; reading 'arrivals', with an observer")


@evidence("edt.fig10.sawtooth", form="printed", strength="sampled")
def the_queue_of_packets_falls_with_every_departure() -> Outcome:
    """Two packets arrive in each second, one leaves: up 2 and down 1; and every event of every trace of 6 events."""
    change = {"enqueue": 1, "depart": -1}
    for trace in every_trace(1, 6):
        held = [F(0), *(F(port["queue"]) for _, (port,), _ in trace)]
        moved = [change.get(decision, 0) for _, _, decision in trace]
        check([b - a for a, b in pairwise(held)] == moved, f"the lengths are {held}")
    word = ("a1", "a1", "d1") * 4
    steps_ = run_trace(request(timed(word), 1, buffer=99, cn2=50))["steps"]
    lengths = [int(step["ports"][0]["queue"]) for step in steps_]
    falls = [b < a for a, b in pairwise(lengths)]
    check(falls.count(True) == 4 and lengths[-1] == 4, f"the lengths are {lengths}")
    return Agrees(len(lengths) + len(every_trace(1, 6)), f"a port that is offered twice its rate; {DOMAIN}")


@evidence("edt.ours.counter-ranges", form="printed", strength="sampled")
def the_counters_stay_below_their_numbers() -> Outcome:
    """Check every reachable state of every reading, with one port and with two."""
    states = 0
    for reading, signed in ((name, reading.c2_signed) for name, reading in READINGS.items()):
        for system in (EdtSwitch(2, 4, reading=reading), *one_port(reading)):
            for state in graph(system).steps:
                for port in state:
                    check(0 <= port.c1 < system.cn1 and port.c2 < system.cn2, f"{port} of {system}")
                    check(port.c2 >= (-system.buffer if signed else 0), f"{port} of {system}")
                    check(port.controlled or port.c2 == 0, f"{port} of {system}")
                states += 1
    return Agrees(states, f"{TWO_PORTS}; {ONE_PORT}; five readings")


@evidence("edt.ours.c1-smallest-switch", form="printed", strength="exact")
def five_packets_of_buffer_are_too_few_for_a_false_pulse() -> Outcome:
    """Visit all states with B = 1 to 5, and search the shortest run for B = 6, 7, 8."""
    runs = [returned_under_load(buffer)[1] for buffer in range(1, 9)]
    lengths = [None if run is None else len(run) for run in runs]
    check(lengths == [None, None, None, None, None, 9, 10, 10], f"the shortest runs have {lengths} events")
    return Agrees(len(lengths), "all runs of two ports with B = 1..8, alpha = 1, cn1 = cn2 = 2, no timers")


@evidence("edt.ours.stuck-free", form="printed", strength="exact")
def an_empty_queue_makes_no_pulse() -> Outcome:
    """Find the loop of one tick without arrivals for cn1 = 3, 4, and no loop below the rate C for cn1 = 1, 2."""
    cases = 0
    for cn1, cn2 in product((1, 2, 3, 4), (2, 3)):
        lasso = uncontrolled_for_ever(served(cn1, cn2), 1)
        check((lasso is not None) == (cn1 >= 3), f"cn1 = {cn1}, cn2 = {cn2}: {lasso}")
        check(lasso is None or lasso.cycle.labels == (("tick",),), f"the loop is {lasso}")
        cases += 1
    return Agrees(
        cases, "all states and loops of one port with B = 6, alpha = 1, cn2 = 2, 3, one packet sent in a tick"
    )
