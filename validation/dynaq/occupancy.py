"""Shares of occupancy: lock-outs in the paper's own ports, and what ends them."""

from dataclasses import replace

from dtmodel.ledger import Agrees, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.modelcheck import Lasso, reachable_graph, shortest_lasso
from dtmodel.packet.dynaq.algorithm import DynaQ
from dtmodel.packet.dynaq.states import AnyOrder, Label, PortState, Scheduled, ServedState, after_arrival, departed
from dtmodel.packet.schedulers import WeightedRoundRobin

from .runs import changed, request, states_in_which, steps_of

PORTS = ((DynaQ(85_000, (1,) * 4), 1500), (DynaQ(192_000, (1,) * 8), 1500), (DynaQ(10**6, (1,) * 8), 9000))
"""The ports of the evaluation and their packets in bytes: the testbed, 10 Gbps, and 100 Gbps with jumbo frames."""

Run = tuple[list[Label], list[Label]]
"""A stem, and a cycle that repeats for ever."""


def arrive(queue: int, times: int, size: int) -> list[Label]:
    """Let packets arrive at a queue (from 0)."""
    return [("arrive", queue, size)] * times


def depart(*queues: int) -> list[Label]:
    """Let the heads of queues depart."""
    return [("depart", queue) for queue in queues]


def walk(rules: DynaQ, labels: list[Label]) -> list[PortState]:
    """Return the states of a run, the start first; every departure is the one that WRR chooses."""
    scheduler = WeightedRoundRobin((1,) * len(rules.weights))
    (state,), memory = AnyOrder(rules, (1,)).initial(), scheduler.start()
    states = [state]
    for label in labels:
        if label[0] == "arrive":
            state = after_arrival(rules, state, state.lengths, *label[1:])
        else:
            queue, memory = scheduler.pick(memory, state.contents)
            check(queue == label[1], f"WRR serves queue {queue}, not {label[1]}")
            state = departed(state, label[1])
        states.append(state)
    return states


def cycle_states(rules: DynaQ, run: Run) -> list[PortState]:
    """Return the states of the second round of the cycle, after a check that the port is where it was before it."""
    stem, cycle = run
    states = walk(rules, stem + 2 * cycle)
    before, between, after = (states[len(stem) + rounds * len(cycle)] for rounds in range(3))
    check(before == between == after, f"the cycle does not close: {before}, {after}")
    check(any(label[0] == "depart" for label in cycle), "nothing is served")
    return states[len(stem) + len(cycle) :]


def refused_for_ever(rules: DynaQ, run: Run, queue: int) -> list[dict[str, object]]:
    """Return the steps of the lasso, after a check that a packet of the queue is dropped in the cycle."""
    cycle_states(rules, run)
    steps = steps_of(request(rules, run[0] + 2 * run[1]))
    drops = [i for i, label in enumerate(run[1]) if label[:2] == ("arrive", queue)]
    check(any(steps[len(run[0]) + i]["decision"] == "drop" for i in drops), "every packet gets in")
    return steps


def lasso_witness(rules: DynaQ, run: Run, queue: int, says: str) -> Counterexample:
    """Refute by two rounds of a lasso: the claim enqueues the first packet of the queue that the cycle drops."""
    steps = refused_for_ever(rules, run, queue)
    labels = run[0] + 2 * run[1]
    first = next(
        i
        for i in range(len(run[0]), len(labels))
        if labels[i][:2] == ("arrive", queue) and steps[i]["decision"] == "drop"
    )
    asked = request(rules, labels)
    expected = {"steps": changed(steps, first), "final": {"queues": steps[-1]["queues"]}}
    return Counterexample(
        Witness("trace", asked, expected, {"steps": changed(steps, first, decision="enqueue")}, says), says
    )


def starving(rules: DynaQ, size: int) -> Run:
    """Fill the port with queue 2, which refills it after each of its departures, and let queue 1 ask in vain.

    Where Algorithm 1 stops queue 2 before the port is full, the queues after it take a packet of threshold each, and
    leave: queue 2 takes it back with a packet that it gets to hold beyond its own.
    """
    stem, lenders = arrive(1, int(rules.buffer / size), size), range(2, len(rules.weights))
    while walk(rules, stem)[-1].lengths[1] + size <= rules.buffer:
        stem += [label for queue in lenders for label in arrive(queue, 1, size)]
        holding = [queue for queue in lenders if walk(rules, stem)[-1].lengths[queue]]
        stem += depart(1, *holding) + arrive(1, len(lenders) + 1, size)
    return stem + arrive(0, 1, size), depart(1) + arrive(1, 1, size) + arrive(0, 1, size)


def halved(rules: DynaQ, size: int) -> Run:
    """Let queues 1 and 2 fill their own shares: each then refills it after a departure, and gets no more."""
    packets = int(rules.satisfaction[0] / size)
    one, two = arrive(0, 1, size), arrive(1, 1, size)
    return (one + two) * packets, depart(0) + one * 2 + depart(1) + two * 2


def leapfrog(rules: DynaQ, size: int) -> Run:
    """Let queues 2 and 3 fill the port by a packet of threshold that goes to and fro; the last queue holds 1 or 2.

    Queue 2 is the one that has it when the port is full.
    """
    packets, last = int(rules.buffer / size), len(rules.weights) - 1
    two, three, asks = (arrive(queue, 1, size) for queue in (1, 2, last))
    fills = ((three + two) * packets)[-(packets - 1) :]
    return asks + fills + asks, depart(1) + asks + depart(2) + three + asks + depart(last) + two + asks


def _starved(rules: DynaQ, size: int) -> Outcome:
    says = f"queue 2 refills the {int(rules.buffer / size) * size:,} bytes before each packet of queue 1"
    return lasso_witness(rules, starving(rules, size), 0, says)


@evidence("dynaq.sec3.2.3.fair-sharing@paper-ports", form="printed", strength="exact")
def starved_in_the_port_of_85_kb() -> Outcome:
    """Queue 2 holds 56 packets, and queue 1 gets nothing, under either admission check."""
    rules, size = PORTS[0]
    refused_for_ever(replace(rules, admit="recheck"), starving(rules, size), 0)
    return _starved(rules, size)


@evidence("dynaq.sec3.2.3.fair-sharing@paper-ports", form="printed", strength="exact")
def starved_in_the_port_of_192_kb() -> Outcome:
    """Queue 2 holds 128 packets, and queue 1 gets nothing, under either admission check."""
    rules, size = PORTS[1]
    refused_for_ever(replace(rules, admit="recheck"), starving(rules, size), 0)
    return _starved(rules, size)


@evidence("dynaq.sec3.2.3.fair-sharing@paper-ports", form="printed", strength="exact")
def starved_in_the_port_of_1_mb() -> Outcome:
    """Queue 2 holds 111 jumbo frames, seven of them beyond what its threshold alone allows; queue 1 gets nothing."""
    return _starved(*PORTS[2])


def _halved(rules: DynaQ, size: int) -> Outcome:
    run = halved(rules, size)
    most = max(sum(state.lengths) for state in cycle_states(rules, run))
    check(most == 2 * int(rules.satisfaction[0] / size) * size, f"{most}")
    return lasso_witness(rules, run, 0, f"two queues hold {most} of {rules.buffer} bytes for ever")


@evidence("dynaq.sec3.2.3.work-conservation@paper-ports", form="printed", strength="exact")
def two_queues_hold_half_of_85_kb() -> Outcome:
    """Two active queues of four stay at 21,000 bytes each."""
    return _halved(*PORTS[0])


@evidence("dynaq.sec3.2.3.work-conservation@paper-ports", form="printed", strength="exact")
def two_queues_hold_a_quarter_of_192_kb() -> Outcome:
    """Two active queues of eight stay at 24,000 bytes each."""
    return _halved(*PORTS[1])


@evidence("dynaq.sec3.2.3.work-conservation@paper-ports", form="printed", strength="exact")
def two_queues_hold_a_quarter_of_1_mb() -> Outcome:
    """Two active queues of eight stay at 117,000 bytes each."""
    return _halved(*PORTS[2])


@evidence("dynaq.ours.repair-recheck", form="printed", strength="exact")
def a_packet_of_threshold_goes_to_and_fro_in_vain() -> Outcome:
    """Let two queues send in turn, two packets for each that is served: each takes threshold and is refused."""
    for (printed, size), most in zip(PORTS, (45_000, 51_000, 252_000), strict=True):
        one, two = arrive(0, 1, size), arrive(1, 1, size)
        fills = (one + two) * (int(printed.satisfaction[0] / size) + 5)
        cycle = depart(0) + one + two + depart(1) + two + one
        for tie, victims in (("low", "eligible"), ("high", "eligible"), ("high", "printed")):
            rules = replace(printed, admit="recheck", tie_break=tie, victims=victims)
            for queue in (0, 1):
                refused_for_ever(rules, (fills + cycle, cycle), queue)
            held = max(sum(state.lengths) for state in cycle_states(rules, (fills + cycle, cycle)))
            check(held == most, f"{rules}: {held}")
    return Proved("two queues hold 45 KB for ever", {"B": "85000", "held": "45000", "BDP": "62500"}, ["held < BDP"])


def _leapfrog(rules: DynaQ, size: int) -> Outcome:
    last, run = len(rules.weights) - 1, leapfrog(rules, size)
    held = {state.lengths[last] for state in cycle_states(rules, run)}
    check(held == {size, 2 * size} and rules.satisfaction[last] > 2 * size, f"{held}")
    says = f"a queue that always holds a packet and asks at every service holds at most {2 * size} bytes for ever"
    return lasso_witness(rules, run, last, says)


@evidence("dynaq.sec3.2.3.strictly@paper-ports", form="printed", strength="exact")
def an_active_queue_is_held_to_two_packets_of_85_kb() -> Outcome:
    """Queue 4, always active, against 21,250 bytes of its own."""
    return _leapfrog(*PORTS[0])


@evidence("dynaq.sec3.2.3.strictly@paper-ports", form="printed", strength="exact")
def an_active_queue_is_held_to_two_packets_of_192_kb() -> Outcome:
    """Queue 8, always active, against 24,000 bytes of its own."""
    return _leapfrog(*PORTS[1])


@evidence("dynaq.sec3.2.3.strictly@paper-ports", form="printed", strength="exact")
def an_active_queue_is_held_to_two_packets_of_1_mb() -> Outcome:
    """Queue 8, always active, against 125,000 bytes of its own."""
    return _leapfrog(*PORTS[2])


SMALL = [
    (DynaQ(B, weights, admit=admit, tie_break=tie, victims="unused", patience=patience), sizes)
    for B, weights, sizes in ((4, (1, 1), (1, 2)), (4, (1, 3), (1, 2)), (3, (1, 1, 1), (1,)), (4, (2, 1, 1), (1,)))
    for admit, tie, patience in (("port", "low", 0), ("recheck", "high", 1))
]
"""Ports in which a queue gives only what it does not use, with claims and without, and the packets that arrive."""


@evidence("dynaq.ours.within", form="printed", strength="exact")
def no_queue_is_longer_than_its_threshold() -> Outcome:
    """Explore small ports: q <= T in every reachable state."""
    states = 0
    for rules, sizes in SMALL:
        states += states_in_which(
            AnyOrder(rules, sizes), lambda x: all(q <= T for q, T in zip(x.lengths, x.thresholds, strict=True))
        )
    return Agrees(states, "every reachable state of eight ports")


@evidence("dynaq.ours.active-share", form="printed", strength="exact")
def an_active_queue_is_never_refused_within_its_share() -> Outcome:
    """Explore small ports whose first queue is always active: each of its packets within S is enqueued."""
    asked = 0
    for rules, sizes in SMALL:
        for state, steps in reachable_graph(AnyOrder(rules, sizes, busy=(0,))).steps.items():
            for label, after in steps:
                if label[:2] == ("arrive", 0) and state.lengths[0] + label[2] <= rules.satisfaction[0]:
                    check(after.lengths[0] == state.lengths[0] + label[2], f"{state} {label}")
                    asked += 1
    check(asked > 0, "no packet lies within S")
    return Agrees(asked, "every arrival within S in every reachable state of eight ports")


def starved(rules: DynaQ, period: int) -> Lasso[ServedState, Label] | None:
    """Find a lasso under WRR in which queue 1 offers a packet in each `period` services and gets nothing."""
    system = Scheduled(rules, (1,), WeightedRoundRobin((1,) * len(rules.weights)), watched=0, period=period)

    def allowed(state: ServedState, label: Label, after: ServedState) -> bool:
        return system.offers(state, label, after) and label != ("depart", 0)

    def weight(state: ServedState, label: Label, after: ServedState) -> int:
        del state, after
        return -1 if label[0] == "depart" else 0

    graph = reachable_graph(system, bound=20_000)
    return shortest_lasso(graph, allowed, weight, longest=len(graph.steps))


@evidence("dynaq.ours.not-starved", form="printed", strength="exact")
def no_lasso_starves_a_queue_that_claims() -> Outcome:
    """Search small ports for a lasso that starves queue 1, with claims and without: with them there is none."""
    for B, M in ((2, 2), (4, 2), (3, 3)):
        rules = DynaQ(B, (1,) * M, victims="unused", patience=1)
        check(starved(rules, 1) is None, f"{rules}")
        check(starved(replace(rules, patience=0), 1) is not None, f"{rules}: the search finds nothing without claims")
    return Agrees(3, "every reachable state of three ports")


@evidence("dynaq.ours.patience", form="printed", strength="exact")
def a_claim_must_outlive_the_time_to_the_next_ask() -> Outcome:
    """Search ports of two queues for lassos, offers in every 1 to 3 services, patience one below and equal."""
    for B in (2, 4):
        for period in (1, 2, 3):
            short, enough = (DynaQ(B, (1, 1), victims="unused", patience=patience) for patience in (period - 1, period))
            check(starved(short, period) is not None, f"{short} {period}")
            check(starved(enough, period) is None, f"{enough} {period}")
    return Agrees(12, "every reachable state of twelve ports")


@evidence("dynaq.ours.claims-needed", form="printed", strength="exact")
def giving_only_what_is_unused_starves_a_queue() -> Outcome:
    """Queue 2 fills the port and refills it; queue 1 finds nothing unused at any of its packets."""
    for rules, size in PORTS:
        alone = replace(rules, victims="unused")
        held = int(walk(alone, arrive(1, int(rules.buffer / size), size))[-1].lengths[1] / size)
        run = arrive(1, held, size), depart(1) + arrive(1, 1, size) + arrive(0, 1, size)
        refused_for_ever(alone, run, 0)
        check(all(state.lengths[0] == 0 for state in cycle_states(alone, run)), "queue 1 gets something")
    return Proved("queue 1 holds nothing, for ever, in three ports", {"B": "85000", "q_1": "0", "q_2": "84000"})


@evidence("dynaq.ours.unused-needed", form="printed", strength="exact")
def claims_alone_refuse_an_active_queue_within_its_share() -> Outcome:
    """Run a lasso in which queue 1 always holds a packet and is refused one within S_1 = 3 in every round."""
    stem = arrive(0, 3, 1) + arrive(1, 5, 1) + depart(0)
    asks = arrive(0, 1, 1)
    cycle = arrive(1, 1, 1) + arrive(2, 1, 1) + asks + depart(1) + asks + depart(2, 0)
    for admit in ("port", "recheck"):
        rules = DynaQ(9, (1, 1, 1), victims="eligible", patience=2, admit=admit)
        refused_for_ever(rules, (stem, cycle), 0)
        states = cycle_states(rules, (stem, cycle))
        check(all(1 <= state.lengths[0] <= 3 for state in states), f"{[state.lengths for state in states]}")
        check(states[2].lengths[0] + 1 <= rules.satisfaction[0], "the refused packet lies beyond S")
        check(states[2].lengths == states[3].lengths, "the packet gets in")
    return Proved("refused in every round within S_1 = 3, under both checks", {"B": "9", "S_1": "3", "q_1": "2"})
