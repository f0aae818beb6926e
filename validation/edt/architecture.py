"""Sections 1, 2.1 and 2.2: switch architectures and their memory; runs and published numbers."""

from itertools import product

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Outcome, check, evidence

PORTS = 5
"""P of Figure 1."""


@evidence("edt.intro.micro-burst", form="printed", strength="sampled")
def a_queue_of_n_inputs_grows_by_n_minus_1_lines() -> Outcome:
    """One to six inputs of C = 2 to one output of 2, B = 90, alpha = 1/2: the queue after 1 s, below the threshold."""
    for n in range(1, 7):
        scenario = {
            "switch": {"ports": 1, "buffer": "90", "rate": "2"},
            "policy": {"name": "dt", "alpha": "1/2"},
            "queues": [{"arrivals": [["0", str(2 * n)]]}],
            "until": "2",
            "sample": ["1"],
        }
        found = answer(scenario)
        check(found["queues"] == [[str(2 * (n - 1))]] and found["first_drop"] == [None], f"n = {n}: {found['queues']}")
    return Agrees(6, "one to six inputs")


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


@evidence("edt.sec2.1.oq-throughput", form="printed", strength="sampled")
def an_output_queue_sends_all_that_its_line_can() -> Outcome:
    """All arrivals of 0 to 3 packets in each of 6 slots, slot by slot, against the closed form."""
    slots, cases = 6, 0
    for arrivals in product(range(4), repeat=slots):
        queue, sent = 0, [0]
        for a in arrivals:
            leaves = min(queue + a, 1)
            queue += a - leaves
            sent.append(sent[-1] + leaves)
        brought = [sum(arrivals[:t]) for t in range(slots + 1)]
        most = [min(brought[s] + t - s for s in range(t + 1)) for t in range(slots + 1)]
        check(sent == most, f"{arrivals}: {sent} is not {most}")
        cases += 1
    return Agrees(cases, "all arrivals of up to 3 packets in 6 slots")
