"""Section 5.1: simulations of single bursts, Figures 12 to 16; runs and published numbers."""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from dtmodel import DT, Arrivals, Switch, simulate
from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, check, evidence, refuted_by_values
from dtmodel.policies.edt_circuit import READINGS
from dtmodel.theory.edt import formulas as edt_formulas
from dtmodel.theory.edt.drops import Bursts

from .figures import fig12, fig13, fig14, fig15, fig16
from .figures.burst_panels import ALPHA, CN2, MS, SIZE, TM1, TM2, B, C, Traffic, fluid, jain, mean_length, packets
from .scenarios import BUSY, SIX, SIXTEEN, Number, Pieces, against, as_printed, edt, rounds_to, scenario

F = Fraction


@cache
def figure(number: int) -> Any:
    return {12: fig12, 13: fig13, 14: fig14, 15: fig15, 16: fig16}[number].data()


@cache
def used_at_the_first_drop(policy: str) -> dict[tuple[int, int], Fraction]:
    """Run the exact engine for all M + N <= 16: the part of the buffer in use at the first drop of a burst."""
    used = {}
    for M, N in figure(13).dt:
        free = fluid(policy, [Traffic()] * M + [Traffic(steady=True)] * N, 9 * MS).free_at_first_drop(0)
        check(free is not None, f"M = {M}, N = {N}: nothing is dropped within 9 ms")
        used[M, N] = 1 - (free or F(0)) / B
    return used


@evidence("edt.abstract.edt-absorbs-more@any", form="printed", strength="exact")
def a_second_burst_finds_the_buffer_taken() -> Outcome:
    """B = 16: a burst of 9 from 0 on, a second one from 3/2 for 3/10: DT keeps room for it, EDT does not."""
    second: Pieces = [("3/2", 9), ("9/5", 0)]
    arrivals = {0: Arrivals.burst(9, F(17, 10)), 1: Arrivals([(F(3, 2), 9), (F(9, 5), 0)])}
    check(simulate(Switch(2, 16, 1), DT(1), arrivals, until=3).first_drop(1) is None, "DT drops none of it")
    switch: dict[str, Number] = {"alpha": 1, "buffer": 16, "rate": 1}
    policy = {"name": "edt", "cn2": "2", "tm1": None, "tm2": None}
    request = scenario([[(0, 9), ("17/10", 0)], second], switch=switch, until="17/10", policy=policy)
    return against(request, {"first_drop": [None, None]}, "under EDT the second burst loses bytes")


@evidence("edt.intro.no-drop-until-full", form="printed", strength="exact")
def a_burst_can_drop_at_its_share() -> Outcome:
    """Rates 9 and 3, both uncontrolled: the first meets B / 2 with buffer left."""
    switch: dict[str, Number] = {"alpha": 1, "buffer": 16, "rate": 1}
    policy = {"name": "edt", "cn2": "1/2", "tm1": None, "tm2": None}
    request = scenario([[(0, 9)], [(0, 3)]], switch=switch, until="5/4", policy=policy)
    return against(request, {"free_at_first_drop": ["0", None]}, "6 of 16 bytes are free")


@evidence("edt.intro.no-drop-until-full", form="assumed", strength="sampled")
def equal_bursts_use_all() -> Outcome:
    """For all M + N <= 16 (Figure 13); in general by edt.ours.theorem5."""
    check(set(figure(13).edt.values()) == {1}, "the buffer is full")
    return Agrees(len(figure(13).edt), "all M + N <= 16, R = 2 C, alpha = 1; edt.ours.theorem5 for the rest")


@evidence("edt.fig14.300", form="printed", strength="exact")
@evidence("edt.intro.300", form="printed", strength="exact")
def eight_is_three_hundred_percent_more_than_two() -> Outcome:
    """Eight against two is 300 % more, and 1 / (alpha M) + N / M is 3 as well."""
    shown = figure(14).first
    check(shown["edt"] / shown["dt"] - 1 == 3 == edt_formulas.additional_traffic(ALPHA, F(1), F(2)), "300 %")
    return Agrees(1, "the scenario of the figure")


@evidence("edt.intro.edt-fair", form="printed", strength="exact")
@evidence("edt.intro.edt-advantage-2", form="assumed", strength="sampled")
def the_mean_lengths_become_equal() -> Outcome:
    """After 14 ms all three queues are equal for ever, so the index of the means tends to 1."""
    trajectories = fluid("edt", fig16.TRAFFIC, 200 * MS)
    times = [k * MS for k in (14, 50, 120, 200)]
    check(all(len({trajectories.queue(port).at(t) for port in range(3)}) == 1 for t in times), "equal queues")
    check(
        all(t <= 14 * MS for port in range(3) for t in trajectories.queue(port).breakpoints[:-1]),
        "nothing changes any more",
    )
    index = figure(16).index["edt"]
    check(index == sorted(index), "the index rises")
    return Agrees(len(index), "the scenario of Figure 16")


@evidence("edt.fig12.dt-immediately", form="printed", strength="exact")
def dt_loses_half_of_what_comes_from_2_ms_on() -> Outcome:
    """In the fluid engine port 3 stays on its threshold from 2 to 6 ms: it loses R - C; with packets within one."""
    run, packet = fluid("dt", fig12.TRAFFIC, 15 * MS), packets("dt", fig12.TRAFFIC, 15 * MS)
    lost = packet.first_drop(0)
    check(run.first_drop(0) == 2 * MS and lost is not None and abs(lost.time - 0.002) <= 12e-6, "not at 2 ms")
    check(run.queue(0).at(2 * MS) == run.queue(0).at(4 * MS) == run.queue(0).at(6 * MS) == B / 4, "it does not stay")
    check(run.dropped(0) == C * 4 * MS and abs(packet.dropped(0) - 500_000) <= 1500, "other bytes are lost")
    return Agrees(2, "fluid and packets of 1500 bytes")


@evidence("edt.fig12.dt-immediately@at-once", form="printed", strength="exact")
def dt_drops_two_milliseconds_later() -> Outcome:
    """The engine's first drop is 2 ms after the arrival, as Figure 14 and Theorem 1 have it."""
    drop = figure(12).first_drop["dt"]
    check(drop == 2 * MS, f"{drop}")
    return Conflict("edt.fig14.dt", "packets are dropped immediately, or after 2 ms", {"first drop": str(drop)})


@evidence("edt.fig12.edt-none", form="printed", strength="exact")
def edt_takes_the_burst_whole() -> Outcome:
    """No byte is lost in the fluid engine, no packet in the packet engine."""
    shown = figure(12)
    check(shown.lost["edt"] == 0 and shown.lost_packets["edt"] == 0 < shown.lost["dt"], "losses")
    return Agrees(2, "fluid and packets of 1500 bytes")


@evidence("edt.fig12.make-way", form="printed", strength="exact")
def the_steady_queues_shrink_while_the_burst_lasts() -> Outcome:
    """At 6 ms port 3 holds 750 KB, the others 250/3 KB, a quarter of what they held."""
    trajectories = fluid("edt", fig12.TRAFFIC, 15 * MS)
    lengths = [trajectories.queue(port).at(6 * MS) for port in range(3)]
    check(lengths == [750_000, F(250_000, 3), F(250_000, 3)] and trajectories.queue(1).at(F(0)) == B / 3, f"{lengths}")
    for port in (1, 2):
        queue = trajectories.queue(port)
        times = [*(t for t in queue.breakpoints if t < 6 * MS), 6 * MS]
        check(
            all(queue.at(t) < queue.at(s) for s, t in pairwise(times)),
            f"steady queue {port} does not shrink all the time",
        )
    return Agrees(3, "the three queues, piece by piece, until the end of the burst")


@evidence("edt.fig13.worst", form="printed", strength="exact")
def the_least_use_is_one_half() -> Outcome:
    """Over all M and N, in the engine and by Theorem 1."""
    used = used_at_the_first_drop("dt")
    check(used == figure(13).dt, "Theorem 1 and the engine differ")
    check(min(used.values()) == F(1, 2) == used[1, 0], "one half, for a burst alone")
    return Agrees(len(used), "all M + N <= 16, R = 2 C, alpha = 1")


@evidence("edt.fig13.monotone", "edt.sec6.correlation", form="printed", strength="exact")
def with_four_bursts_a_third_steady_port_leaves_more_free() -> Outcome:
    """B = 9, C = 1, R = 2: 1 is free at the first drop beside two steady ports, 9/8 beside three."""
    busy: Pieces = [(0, 2)]
    switch: dict[str, Number] = {"alpha": 1, "buffer": 9, "rate": 1}
    request = scenario([busy] * 4, [busy] * 3, switch=switch)
    claimed = {"free_at_first_drop": ["1"] * 4 + ["9/4"] * 3}
    check(figure(13).engine["dt", 4, 2] > figure(13).engine["dt", 4, 3], "the engine's order in Figure 13")
    return against(request, claimed, "with fewer ports it would be 1; more ports should not leave more than that")


@evidence("edt.fig13.edt", form="printed", strength="exact")
def the_whole_buffer_is_used_for_all_m_and_n() -> Outcome:
    """By the engine, with TM1 and TM2 as they are set, and by our theorem, for all M and N."""
    used = used_at_the_first_drop("edt")
    check(used == figure(13).edt and set(used.values()) == {1}, "the buffer is not full")
    return Agrees(len(used), "all M + N <= 16, R = 2 C, alpha = 1")


@evidence("edt.fig13.edt@packets", form="printed", strength="exact")
def a_packet_for_each_port_is_free_at_the_most() -> Outcome:
    """The packet engine with the counters and timers of Section 5.1, until a burst has lost a packet."""
    for M, N in figure(13).edt:
        run = packets("circuit", [Traffic()] * M + [Traffic(steady=True)] * N, (F(8) / M + F(1, 20)) * MS)
        lost = min((drop for drop in map(run.first_drop, range(M)) if drop), key=lambda drop: drop.time)
        check(lost.free < SIZE * (M + N + 1) and lost.free <= 24_000, f"M = {M}, N = {N}: {lost.free} bytes are free")
    return Agrees(len(figure(13).edt), "all M + N <= 16, R = 2 C, alpha = 1, packets of 1500 bytes")


@evidence("edt.fig13.inevitable", form="printed", strength="exact")
def the_full_buffer_is_not_all_the_bursts() -> Counterexample:
    """With alpha = 1, N = 1, M = 3, R = 2 C: full at B / 4, the bursts hold 3/4 of it, the steady port the rest."""
    policy = edt("1/4")
    request = scenario([[(0, 2)]] * 3, [BUSY], switch=SIXTEEN, until=9, policy=policy, sample=[4])
    found = answer(request)
    check(found["first_drop"][0] == "4" and F(found["free_at_first_drop"][0]) == 0, "the buffer is not full at 4")
    return against(request, {"queues": [["16/3", "16/3", "16/3", "0"]]}, "the steady port holds 4 of the 16 bytes")


@evidence("edt.fig14.agrees", form="printed", strength="exact")
def packets_drop_within_one_packet_time_of_theorem_1() -> Outcome:
    """The packet engine with 1500 bytes: a first drop within 12 us of 2 ms."""
    lost = packets("dt", (Traffic(), Traffic(steady=True), Traffic(steady=True)), 3 * MS).first_drop(0)
    check(lost is not None and abs(lost.time - 0.002) <= 12e-6, f"{lost}")
    return Agrees(1, "the scenario of the figure")


@evidence("edt.fig14.dt", "edt.fig14.edt", form="printed", strength="exact")
def the_first_losses_are_at_2_and_8_ms() -> Outcome:
    """By the engine for a burst without an end, and by the closed forms for bursts of 0.5 to 20 ms.

    A burst is like one without an end while it lasts, and loses nothing after it: so it loses iff it is longer.
    """
    shown = figure(14)
    for name, first in shown.first.items():
        found = fluid(name, (Traffic(), Traffic(steady=True), Traffic(steady=True)), 9 * MS).first_drop(0)
        check(found == first, f"{name}: the engine drops at {found}")
    check(shown.first == {"dt": 2 * MS, "edt": 8 * MS}, f"{shown.first}")
    for name, first in shown.first.items():
        lost = zip(fig14.DURATIONS, shown.lost[name], strict=True)
        check(all((part > 0) == (d > first) for d, part in lost), name)
    return Agrees(2 * len(fig14.DURATIONS), "durations of 0.5 to 20 ms")


@evidence("edt.fig14.edt@packets", form="printed", strength="exact")
def packets_of_a_burst_of_8_ms_are_lost() -> Outcome:
    """The packet engine with the counters and timers of Section 5.1: the first loss is before the last packet comes."""
    run = packets("circuit", (Traffic(duration=8 * MS), *[Traffic(steady=True)] * 2), 8 * MS)
    lost = run.first_drop(0)
    check(lost is not None and abs(lost.time - 0.007932) < 1e-6 and run.offered[0] == 1333 * SIZE, f"{lost}")
    values = {"lost": int(run.dropped(0)), "size": int(SIZE)}
    check(values["lost"] == 12 * values["size"], f"{values}")
    return refuted_by_values(values, "lost == 0", "12 packets of 1500 bytes are lost")


def burst_of(duration: Fraction, policy: dict[str, Any]) -> dict[str, Any]:
    """A burst of 2 Gbps for so long beside two steady ports, 1 MB, 1 Gbps."""
    burst: Pieces = [(0, 2 * C), (duration, 0)]
    switch: dict[str, Number] = {"alpha": ALPHA, "buffer": B, "rate": C}
    return scenario([burst], [[(0, 2 * C)]] * 2, switch=switch, until=F(1, 50), policy=policy)


@evidence("edt.fig14.dt@reaches", form="printed", strength="exact")
def a_burst_of_exactly_2_ms_loses_nothing() -> Outcome:
    """By the fluid engine under DT; packets of 1500 bytes, too; a burst that is longer by 1 us loses something."""
    run = packets("dt", (Traffic(duration=2 * MS), *[Traffic(steady=True)] * 2), 2 * MS)
    check(run.dropped(0) == 0, "a packet is lost")
    check(answer(burst_of(2 * MS + F(1, 10**6), {}))["dropped"][0] != "0", "a longer one loses nothing")
    return against(burst_of(2 * MS, {}), {"first_drop": [str(2 * MS), "0", "0"]}, "it ends when it meets the threshold")


@evidence("edt.fig14.inevitable@exactly", form="printed", strength="exact")
def edt_takes_a_burst_of_exactly_8_ms() -> Outcome:
    """By the fluid engine with the paper's settings; one that is longer by 1 us loses something."""
    policy = {"name": "edt", "cn2": str(CN2), "tm1": str(TM1), "tm2": str(TM2)}
    check(answer(burst_of(8 * MS + F(1, 10**6), policy))["dropped"][0] != "0", "a longer one loses nothing")
    found = answer(burst_of(8 * MS, policy))
    return against(burst_of(8 * MS, policy), {"first_drop": [str(8 * MS), *found["first_drop"][1:]]}, "it fits")


@evidence("edt.fig14.dt-size", "edt.fig14.edt-size", form="printed", strength="exact")
def the_sizes_are_as_quoted() -> Outcome:
    """Multiply durations with R, what is sent, and with R - C, what is queued."""
    check((2 * C * 2 * MS, C * 2 * MS) == (B / 2, B / 4), "2 ms")
    check((2 * C * 8 * MS, C * 8 * MS) == (2 * B, B), "8 ms")
    return Agrees(2, "both durations")


@evidence("edt.fig15.equal", form="printed", strength="exact")
def the_first_two_queues_are_equal() -> Outcome:
    """At every corner of the exact trajectories; with packets in every reading, between any two events."""
    for reading in READINGS:
        samples = packets(reading, fig15.TRAFFIC, fig15.UNTIL, sample=3e-6).samples
        check(max(abs(lengths[0] - lengths[1]) for _, lengths in samples) <= SIZE, f"{reading}: more than a packet")
    trajectories = fluid("edt", fig15.TRAFFIC, fig15.UNTIL)
    times = sorted({*trajectories.queue(0).breakpoints, *trajectories.queue(1).breakpoints})
    check(all(trajectories.queue(0).at(t) == trajectories.queue(1).at(t) for t in times), "equal")
    return Agrees(len(times), "all corners of the two trajectories")


@evidence("edt.fig15.later", form="printed", strength="exact")
def the_later_burst_loses_no_more() -> Outcome:
    """Bytes lost in the exact fluid engine."""
    trajectories = fluid("edt", fig15.TRAFFIC, fig15.UNTIL)
    check(
        trajectories.dropped(2) <= trajectories.dropped(0) == trajectories.dropped(1),
        f"{[float(trajectories.dropped(p)) for p in range(3)]}",
    )
    return Agrees(3, "the three ports of the figure")


@evidence("edt.fig15.free", form="printed", strength="exact")
def a_third_burst_costs_the_first_two_a_tenth_of_the_buffer() -> Outcome:
    """The first loss of each port in the exact fluid engine, and what is free then."""
    runs = {policy: fluid(policy, fig15.TRAFFIC, fig15.UNTIL) for policy in ("dt", "edt")}
    free = {policy: [run.free_at_first_drop(port) for port in range(3)] for policy, run in runs.items()}
    check(rounds_to(100 * (free["edt"][0] or 0) / B, "10.0") and free["dt"][0] == B / 4, f"{free}")
    first = [runs["edt"].first_drop(port) or F(0) for port in range(3)]
    check(first[0] == first[1] < first[2] and free["edt"][2] == 0, f"{first}")
    return Agrees(6, "the three ports of the figure under both policies")


@evidence("edt.fig15.index.dt", form="printed", strength="exact")
def the_index_of_dt_is_0_992() -> Outcome:
    """Exact fluid means while not empty, rounded to three places; packets agree to 0.001."""
    shown = figure(15)
    check(rounds_to(shown.fluid["dt"], "0.992") and abs(shown.index["dt"] - 0.992) < 1e-3, f"{shown.index['dt']}")
    return Agrees(2, "fluid, and packets of 1500 bytes")


@evidence("edt.fig15.index.edt@arrivals", form="printed", strength="exact")
def the_index_of_edt_is_0_998() -> Outcome:
    """Exact fluid means while not empty, rounded to three places; packets in two readings agree as well."""
    shown = figure(15)
    check(rounds_to(shown.fluid["edt"], "0.998"), f"{float(shown.fluid['edt'])}")
    check(all(rounds_to(shown.index[reading], "0.998") for reading in ("arrivals", "c1-resets-c2")), "packets")
    return Agrees(3, "fluid, and packets of 1500 bytes in two readings")


@evidence("edt.fig15.index.edt@circuit", form="printed", strength="exact")
def by_the_letter_the_index_is_0_896() -> Outcome:
    """Packets of 1500 bytes, C1 reset by entering packets only."""
    value = round(figure(15).index["circuit"], 3)
    return refuted_by_values({"index": f"{value}"}, "abs(index - 998/1000) <= 1/2000", f"the index is {value}")


@evidence("edt.fig16.settled", form="printed", strength="exact")
def two_ports_from_empty_queues_come_to_rest() -> Outcome:
    """Two ports from 0 on: the last corner of both queues is at 8/3 ms under DT and 16/3 ms under EDT, at B / 3."""
    for policy, rest in (("dt", F(8, 3) * MS), ("edt", F(16, 3) * MS)):
        run = fluid(policy, [Traffic()] * 2, 150 * MS)
        for port in range(2):
            queue = run.queue(port)
            check(max(t for t in queue.breakpoints if t < 150 * MS) == rest, f"{policy}: it rests at another time")
            check(queue.at(rest) == queue.at(150 * MS) == run.free.at(rest) == B / 3, f"{policy}: another length")
    return Agrees(4, "two ports under DT and EDT, up to 150 ms")


@evidence("edt.fig16.more-than-others", form="printed", strength="exact")
def the_newcomer_holds_more_from_2_to_14_ms() -> Outcome:
    """At every corner of the queues and between them, to 1 s: port 3's excess is positive in (2 ms, 14 ms) alone."""
    cases = 0
    for policy in ("dt", "edt"):
        run = fluid(policy, fig16.TRAFFIC, 1000 * MS)
        corners = sorted({t for port in range(3) for t in run.queue(port).breakpoints} | {2 * MS, 14 * MS})
        for time in (*corners, *((s + t) / 2 for s, t in pairwise(corners))):
            more = policy == "edt" and 2 * MS < time < 14 * MS
            check((run.queue(0).at(time) > run.queue(1).at(time)) == more, f"{policy} at {time}")
            check(run.queue(1).at(time) == run.queue(2).at(time), "the two others differ")
            cases += 1
    return Agrees(cases, "all corners of the queues, and between them")


@evidence("edt.fig16.little-more", form="printed", strength="exact")
def port_3_has_a_few_percent_more() -> Outcome:
    """Exact means over 500 ms and 1 s."""
    shown = dict(zip(fig16.DURATIONS, figure(16).excess["edt"], strict=True))
    check(all(0 < shown[d] < F(1, 20) for d in (500 * MS, 1000 * MS)), f"{shown}")
    return Agrees(2, "both durations of Figure 16a and b")


@evidence("edt.fig16.80ms", form="printed", strength="exact")
def at_100_ms_the_indices_differ() -> Outcome:
    """At 100 ms the fairness indices of the figure are not equal."""
    place = fig16.DURATIONS.index(100 * MS)
    dt, edt = (figure(16).index[name][place] for name in ("dt", "edt"))
    return refuted_by_values({"DT": dt, "EDT": edt}, "DT == EDT", "the exact indices over 100 ms")


@evidence("edt.fig16.80ms", form="assumed", strength="exact")
def from_80_ms_on_they_differ_by_at_most_0_02() -> Outcome:
    """All durations from 80 ms on, and none before; within 0.013 from 100 ms on, within 0.03 from 60 ms on."""
    shown = figure(16).index
    gaps = [dt - edt for dt, edt in zip(shown["dt"], shown["edt"], strict=True)]
    for tolerance, least in (("0.02", 80), ("0.013", 100), ("0.03", 60)):
        close = [gap <= F(tolerance) for gap in gaps]
        check(close == [d >= least * MS for d in fig16.DURATIONS], f"{[float(gap) for gap in gaps]}")
    return Agrees(len(gaps), "the durations 10 to 1000 ms of the figure")


@evidence("edt.fig16.8-times-d", form="printed", strength="exact")
def eighty_is_eight_times_ten() -> Outcome:
    """Compare 80 ms with the setting TM2 = d = 10 ms."""
    check(80 * MS == 8 * TM2 and B * 4 / 324 == CN2, "8 d")
    return Agrees(1, "the single value")


@evidence("edt.intro.edt-advantage-1", form="printed", strength="exact")
def a_burst_that_is_too_slow_for_tm1_leaves_half_free() -> Outcome:
    """B = 6, R = 5/4, cn2 by (73), TM1 by (78): a burst alone meets the DT threshold with 3, and 3 are free."""
    request = scenario([[(0, "5/4")]], switch=SIX, until=30, policy=as_printed(1, 6, 1))
    return against(request, {"free_at_first_drop": ["0"]}, "the port is never uncontrolled")


@evidence("edt.intro.edt-advantage-2", "edt.intro.edt-advantage-2@any-bursts", form="printed", strength="exact")
def the_slower_burst_holds_less_at_the_drop() -> Counterexample:
    """B = 16, rates 9 and 3: at 1 s the first queue is B/2 and loses bytes, the second is 2."""
    request = scenario([BUSY, [(0, 3)]], switch=SIXTEEN, until="5/4", policy=edt("1/2"), sample=[1])
    return against(request, {"first_drop": ["1", None], "queues": [["8", "8"]]}, "8 and 2 bytes at the first drop")


@evidence("edt.intro.as-much-as-possible", form="printed", strength="exact")
def a_faster_burst_loses_what_the_switch_has_room_for() -> Counterexample:
    """B = 16, rates 9 and 3 for 5/4 s: they leave 25/2 bytes in the queues, and EDT drops from 1 s on."""
    bursts: list[Pieces] = [[(0, 9), ("5/4", 0)], [(0, 3), ("5/4", 0)]]
    left = F(5, 4) * (9 - 1 + 3 - 1)
    check(left <= 16, "no policy could hold them")
    request = scenario(bursts, switch=SIXTEEN, until=2, policy=edt("1/2"))
    return against(request, {"first_drop": [None, None]}, "complete sharing would lose nothing of the two bursts")


@evidence("edt.intro.as-much-as-possible", form="printed", strength="exact")
def a_slow_steady_port_takes_what_a_longer_burst_could_have() -> Counterexample:
    """B = 16: bursts of 3/2 for 4 and 20 beside a port that is offered 11/10; 10 bytes are left of both at the end."""
    bursts: list[Pieces] = [[(0, "3/2"), (4, 0)], [(0, "3/2"), (20, 0)]]
    request = scenario(bursts, [[(0, "11/10")]], switch=SIXTEEN, until=20, policy=edt("1/10"))
    return against(request, {"first_drop": [None, None, "0"]}, "the steady port grows while the shorter burst drains")


@evidence("edt.sec5.1.rate", form="printed", strength="sampled")
def at_twice_the_rate_m_up_to_n_plus_1_bursts_are_slow() -> Outcome:
    """Evaluate the bound for all M + N <= 16."""
    for M, N in figure(13).dt:
        check(Bursts(ALPHA, B, C, M, N, 2 * C).slow == (M <= N + 1), f"M = {M}, N = {N}")
    return Agrees(len(figure(13).dt), "all M + N <= 16")


@evidence("edt.sec5.1.same-fairness", form="printed", strength="exact")
def edt_is_not_less_fair_than_dt_in_figure_15() -> Outcome:
    """The exact fluid indices; with the means from 0 to 9 ms, when the last burst ends, it is the other way round."""
    shown = figure(15).fluid
    check(shown["edt"] >= shown["dt"], f"{shown}")
    runs = [fluid(name, fig15.TRAFFIC, fig15.UNTIL) for name in ("dt", "edt")]
    plain, enhanced = (jain([mean_length(run, port, F(0), 9 * MS) for port in range(3)]) for run in runs)
    check(enhanced < F("0.99") < plain, f"{float(plain)}, {float(enhanced)}")
    return Agrees(2, "the scenario of Figure 15")
