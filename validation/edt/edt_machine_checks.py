"""The state machine of EDT in every short trace: what its counters, timers and signals do."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, Witness, check, evidence
from dtmodel.packet.edt import Port, Settings, run_trace

F = Fraction
SETTINGS: dict[str, Any] = {"alpha": 1, "buffer": 4, "cn1": 2, "cn2": 2, "tm1": 2, "tm2": 3}
Step = tuple[str, dict[str, Any], dict[str, Any], str]
"""What happened, the port before and after, and the decision."""


def request(events: list[list[Any]], ports: int, **changes: Any) -> dict[str, Any]:
    return {"algorithm": "edt", "ports": ports, **SETTINGS, **changes, "events": events}


def timed(letters: tuple[str, ...]) -> list[list[Any]]:
    """Write a word over a1, d1, a2, d2 (an arrival of size 1, a departure) and t (one second passes) as events."""
    now, events = 0, list[list[Any]]()
    for letter in letters:
        now += letter == "t"
        kind = {"a": "arrive", "d": "depart", "t": "tick"}[letter[0]]
        port_and_size = {"a": [1], "d": []}.get(letter[0])
        events.append([kind, now] if port_and_size is None else [kind, now, int(letter[1]), *port_and_size])
    return events


FRESH: dict[str, Any] = {"state": "controlled", "queue": "0", "threshold": "4", "c1": 0, "c2": "0"}
FRESH |= {"tm1": None, "tm2": None}


@cache
def every_trace(ports: int, length: int, reading: str = "circuit") -> tuple[tuple[tuple[str, Any, str], ...], ...]:
    """Return every trace of a length: for each event, what it was, the ports after it, and the decision."""
    letters = [*(f"{kind}{port}" for port in range(1, ports + 1) for kind in "ad"), "t"]
    traces = []
    for word in product(letters, repeat=length):
        steps = run_trace(request(timed(word), ports, reading=reading))["steps"]
        traces.append(tuple((w, s["ports"], s["decision"]) for w, s in zip(word, steps, strict=True)))
    return tuple(traces)


def steps_of_one_port(reading: str = "circuit") -> Iterator[Step]:
    for trace in every_trace(1, 6, reading):
        states = [FRESH, *(ports[0] for _, ports, _ in trace)]
        for (event, _, decision), (before, after) in zip(trace, pairwise(states), strict=True):
            yield event, before, after, decision


def steps() -> list[Step]:
    return list(steps_of_one_port())


DOMAIN = "all traces of 6 events (arrival, departure, a second) of one port with B = 4, cn1 = cn2 = TM1 = 2, TM2 = 3"
TWO = "all traces of 5 events of two ports with B = 4, cn1 = cn2 = TM1 = 2, TM2 = 3"


@evidence("edt.fig7.initial", form="printed", strength="sampled")
def a_port_begins_controlled_and_leaves_by_its_counter_only() -> Outcome:
    """In every trace the first state is controlled, and only an entering packet ends it."""
    changes = [s for s in steps() if s[1]["state"] == "controlled" and s[2]["state"] == "uncontrolled"]
    check(changes and all(event == "a1" and decision == "enqueue" for event, _, _, decision in changes), "by a1 only")
    return Agrees(len(steps()), DOMAIN)


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
    settings = Settings(alpha=1, cn1=2, cn2=2, tm1=2, tm2=3)
    for trace in every_trace(1, 6):
        port, now = Port(settings), 0
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


@evidence("edt.sec4.2.c2.works", "edt.sec4.2.c2.triggers", "edt.sec4.2.rule1.reset", form="printed", strength="sampled")
def c2_counts_while_controlled_frees_the_port_and_is_reset_by_drops() -> Outcome:
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


def lengths_since_reset(reading: str) -> Iterator[tuple[Fraction, list[Fraction]]]:
    """Yield C2 and the queue lengths since it was last reset (a drop, TM1, or a change of state)."""
    for trace in every_trace(1, 6, reading):
        since, last, now = [F(0)], FRESH, 0
        for event, (port,), decision in trace:
            now += event == "t"
            expired = last["tm1"] is not None and F(last["tm1"]) <= now
            if expired or decision == "drop" or port["state"] != last["state"]:
                since = [F(port["queue"])]
            else:
                since.append(F(port["queue"]))
            if port["state"] == "controlled":
                yield F(port["c2"]), list(since)
            last = port


@evidence("edt.sec4.2.c2.value@signed", form="printed", strength="sampled")
def a_signed_c2_is_the_growth_since_its_reset() -> Outcome:
    """In every trace C2 is the queue length less that at its last reset."""
    cases = [(c2, since) for c2, since in lengths_since_reset("signed")]
    check(all(c2 == since[-1] - since[0] for c2, since in cases), "C2 = Q - Q(reset)")
    return Agrees(len(cases), DOMAIN)


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


@evidence("edt.sec4.2.tm1.always@free-running", form="printed", strength="exact")
def a_tm1_that_runs_always_cuts_a_growth_in_two() -> Outcome:
    """Two packets within 1 s, at 1 and 2, on the two sides of TM1's expiry at 2: the port stays controlled."""
    trace = request(timed(("t", "a1", "t", "a1")), 1, reading="free-running")
    found = run_trace(trace)["final"]["ports"][0]
    claimed = {"final": {"ports": [{**found, "state": "uncontrolled"}]}}
    return Counterexample(Witness("trace", trace, {"final": {"ports": [found]}}, claimed, "C2 was reset in between"))


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


@evidence("edt.sec4.2.c2.too-small", form="printed", strength="sampled")
def with_a_number_of_one_packet_every_packet_frees_the_port() -> Outcome:
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


@evidence("edt.sec4.2.c1.underloaded@enqueue", form="printed", strength="exact")
def a_port_above_its_shrunken_threshold_is_taken_for_underloaded() -> Outcome:
    """Port 1 holds 5 of 8 when port 2 joins and T_2 falls to 4: an arrival is dropped, two packets leave, C1 is 2."""
    word = ("a1", "a1", "a1", "a1", "a1", "a2", "a2", "d1", "a1", "d1")
    trace = request(timed(word), 2, buffer=8, cn1=2)
    answer = run_trace(trace)
    port = answer["final"]["ports"][0]
    check(answer["steps"][-2]["decision"] == "drop" and port["state"] == "controlled", "it returned under full load")
    claimed = {"final": {"ports": [{**port, "state": "uncontrolled"}, answer["final"]["ports"][1]]}}
    expected = {"final": {"ports": answer["final"]["ports"]}}
    return Counterexample(Witness("trace", trace, expected, claimed, "one packet arrives for each that leaves"))


@evidence("edt.sec4.2.c1.underloaded@arrivals", form="printed", strength="sampled")
def if_drops_reset_c1_too_its_pulse_means_that_nothing_arrived() -> Outcome:
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


@evidence("edt.fig10.sawtooth", form="printed", strength="sampled")
def the_queue_of_packets_falls_with_every_departure() -> Outcome:
    """Two packets arrive in each second, one leaves: the length goes up 2 and down 1."""
    word = ("a1", "a1", "d1") * 4
    steps_ = run_trace(request(timed(word), 1, buffer=99, cn2=50))["steps"]
    lengths = [int(step["ports"][0]["queue"]) for step in steps_]
    falls = [b < a for a, b in pairwise(lengths)]
    check(falls.count(True) == 4 and lengths[-1] == 4, f"the lengths are {lengths}")
    return Agrees(len(lengths), "a port that is offered twice its rate, over 4 departures")


@evidence("edt.sec4.2.counters-direction", "edt.sec4.2.c1.counts", form="printed", strength="exact")
def c1_cannot_fall_with_departures_and_count_them() -> Outcome:
    """After one departure from a fresh counter C1 is 1 by its own paragraph, and at most 0 by the other sentence."""
    after = run_trace(request(timed(("a1", "d1")), 1))["final"]["ports"][0]["c1"]
    check(after == 1, "C1 counts the departure")
    return Conflict(
        "edt.sec4.2.c1.counts", "a departure raises C1 in one sentence and lowers it in the other", {"C1": after}
    )


def final_state(reading: str) -> str:
    """Free a port, let two packets leave in succession, and return its state."""
    trace = request(timed(("a1", "a1", "a1", "d1", "d1")), 1, reading=reading, buffer=9)
    return str(run_trace(trace)["final"]["ports"][0]["state"])


@evidence("edt.sec4.2.tm2.reset-c1", "edt.sec4.2.c1.pulse", form="printed", strength="exact")
def the_pulse_of_c1_returns_the_port_in_one_sentence_only() -> Outcome:
    """The same trace ends controlled if the pulse resets TM2, uncontrolled if it resets C2."""
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
