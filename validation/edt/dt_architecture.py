"""Section 2's statements about switch architecture and buffer policies, by enumeration of small switches."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

import sympy as sp

from dtmodel.ledger import Agrees, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.provers import smt

from .dt_scenarios import answer, burst, dt

PORTS = 5
"""P of Figure 1."""


@evidence("edt.fig1.head-of-line", form="printed", strength="exact")
def one_packet_leaves_when_all_heads_want_output_1() -> Outcome:
    """All choices of which input output 1 serves; then all that the packets behind the heads would allow."""
    queues = [(1, behind) for behind in (1, 2, 3, 4, 5)]
    sent = [len({queues[served][0]}) for served in range(PORTS)]
    check(sent == [1] * PORTS, f"packets sent by choice of input: {sent}")
    unblocked = len({packet for queue in queues for packet in queue})
    check(unblocked == PORTS, "without blocking not all outputs are busy")
    return Agrees(PORTS, "every input that output 1 may serve; behind the heads stand packets for outputs 1 to 5")


@evidence("edt.sec2.1.iq-speedup", form="printed", strength="sampled")
def input_queues_need_a_speedup_of_1() -> Outcome:
    """Enumerate all heads of 5 input queues; each output serves one of the inputs that want it."""
    patterns = 0
    for heads in product(range(PORTS), repeat=PORTS):
        served = {output: heads.index(output) for output in set(heads)}  # one input for each output
        from_input = [list(served.values()).count(i) for i in range(PORTS)]
        check(max(from_input) <= 1 and len(served) <= PORTS, f"more than one packet at a port for {heads}")
        patterns += 1
    return Agrees(patterns, "all 5^5 choices of heads: at most one packet for each input and output")


@evidence("edt.sec2.1.oq-speedup", form="printed", strength="sampled")
def output_queues_need_a_speedup_of_P() -> Outcome:
    """Enumerate all destinations of 5 arrivals: the most that go to one output."""
    most = [max(to.count(output) for output in to) for to in product(range(PORTS), repeat=PORTS)]
    check(max(most) == PORTS, f"the most for one output is {max(most)}")
    check(sum(peak == PORTS for peak in most) == PORTS, "it is reached exactly when all go to the same output")
    return Agrees(len(most), "all 5^5 destinations")


@evidence("edt.sec2.1.oq-work-conserving", form="printed", strength="smt")
def an_output_queue_sends_whenever_it_can() -> Outcome:
    """One slot of an output queue: departures min(q + a, 1); z3 and cvc5 over integers."""
    q, a = sp.symbols("q a", integer=True, nonnegative=True)
    proof = smt.prove([q + a > 0], sp.Eq(sp.Min(q + a, 1), 1))
    smt.prove([], q + a - sp.Min(q + a, 1) >= 0)
    return Proved("q + a > 0 implies one departure", {**proof.example})


@evidence("edt.fn1", form="printed", strength="smt")
def the_speedups_by_definition() -> Outcome:
    """Internal bandwidth over line rate; an S with 1 < S < P exists iff P > 1; z3 and cvc5."""
    C, P, S = sp.symbols("C P S", positive=True)
    check(sp.cancel(C / C) == 1 and sp.cancel(P * C / C) == P, "the speedups of input and output queues")
    smt.prove([S > 1, S < P], P > 1)
    proof = smt.prove([P > 1], [(1 + P) / 2 > 1, (1 + P) / 2 < P])
    return Proved("1, P, and (1 + P)/2 between them for P > 1", {**proof.example})


@evidence("edt.sec2.2.memory-twice", "edt.sec2.2.bandwidth-limit", form="printed", strength="symbolic")
def each_byte_is_written_once_and_read_once() -> Outcome:
    """Bytes written are those admitted, bytes read those sent; at P busy lines in and out the sum is 2 P C."""
    P, C, t = sp.symbols("P C t", positive=True)
    written, read = P * C * t, P * C * t
    check(sp.cancel((written + read) / t - 2 * P * C) == 0, "the bandwidth is not 2 P C")
    found = answer(dt([burst("3", "2"), burst("2", "1")], buffer="6", until="9", sample=["9"]))
    offered, dropped, sent = ([6, 2], found["dropped"], found["drained"])
    for port, total in enumerate(offered):
        entered = total - Fraction(dropped[port])
        check(entered == Fraction(sent[port]), "bytes written and bytes read differ in an emptied switch")
    return Proved("2 P C", {"P": "64", "C": "1250000000", "bandwidth": "160000000000"}, ["bandwidth == 2 * P * C"])


@evidence("edt.intro.starvation", form="printed", strength="exact")
def complete_sharing_lets_one_port_starve_another() -> Outcome:
    """Two ports share 6 bytes: one is offered 3 from 0 on, the other 2 from 4 s on."""
    scenario = dt([burst("3"), {"arrivals": [["4", "2"]]}], buffer="6", until="6", sample=["4"])
    scenario["policy"] = {"name": "complete"}
    found = answer(scenario)
    check(found["queues"][0] == ["6", "0"], "the first port does not hold the whole buffer")
    check(found["first_drop"][1] == "4", "the second port does not lose from its first instant on")
    return Proved(
        "6 of 6 bytes in queue 1; port 2 loses from 4 s on", {"B": "6", "Q_1": "6", "Q_2": "0"}, ["Q_1 > B / 2"]
    )


@evidence("edt.intro.drops-with-free-buffer", form="printed", strength="exact")
def a_burst_loses_bytes_while_half_the_buffer_is_free() -> Outcome:
    """One burst on an empty switch, alpha = 1: the engine drops at 1 s with 1 of 2 bytes free."""
    found = answer(dt([burst("2")], buffer="2", until="3"))
    check(Fraction(found["free_at_first_drop"][0]) == 1, "another free buffer")
    check(Fraction(found["dropped"][0]) > 0, "nothing is dropped")
    return Proved("F = B / 2 at the first drop", {"B": "2", "F": found["free_at_first_drop"][0]}, ["F > 0"])


@evidence("edt.sec2.3.preemptive-optimal@longest-queue", form="printed", strength="exact")
def evicting_from_the_longest_queue_is_beaten() -> Outcome:
    """Unit packets, two ports, four places: the best of all admissions, by dynamic programming, sends more."""
    arrivals = ((4, 4), (0, 4), (0, 4), (0, 4))
    kept, most = longest_queue(4, arrivals), best(4, arrivals)
    check(kept < most, f"it sends {kept}, the best {most}")
    data = {"values": {"longest_queue": str(kept), "best": str(most)}, "statement": "longest_queue >= best"}
    says = "4 packets arrive for each port, then 4 for the second in each slot: keeping 3 and 1 sends one packet more"
    return Counterexample(Witness("values", data, says=says))


Slots = Sequence[tuple[int, int]]


def longest_queue(buffer: int, arrivals: Slots) -> int:
    """Packets sent when the longest queue is shortened while the buffer overflows, until the switch is empty."""
    first = second = sent = 0
    for a, b in arrivals:
        first, second = first + a, second + b
        while first + second > buffer:
            first, second = (first - 1, second) if first > second else (first, second - 1)
        sent += (first > 0) + (second > 0)
        first, second = max(first - 1, 0), max(second - 1, 0)
    return sent + first + second


def best(buffer: int, arrivals: Slots) -> int:
    """Packets that the best policy sends, found by trying every admission in every slot."""

    @cache
    def from_slot(slot: int, first: int, second: int) -> int:
        if slot == len(arrivals):
            return first + second
        a, b = arrivals[slot]
        return max(
            (p > 0) + (q > 0) + from_slot(slot + 1, max(p - 1, 0), max(q - 1, 0))
            for p in range(min(first + a, buffer) + 1)
            for q in range(min(second + b, buffer - p) + 1)
        )

    return from_slot(0, 0, 0)
