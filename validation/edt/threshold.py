"""Section 2.3: the policy, equation (1), and its example in Figure 2; runs and published numbers."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from dtmodel.fluid import answer
from dtmodel.ledger import (
    Agrees,
    Conflict,
    Counterexample,
    Outcome,
    Proved,
    Witness,
    check,
    evidence,
    refuted_by_values,
)
from dtmodel.theory.dt import formulas

from .figures import fig02
from .scenarios import burst, dt, meets, refutes, slopes, steady

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


def places_kept(B: int, alpha: Fraction) -> int:
    """Packets that still fit when DT stops to admit at the only overloaded port."""
    queue = 0
    while queue < alpha * (B - queue):
        queue += 1
    return B - queue


ONE = Fraction(1)


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


@evidence("edt.sec2.3.preemptive-optimal@longest-queue", form="printed", strength="exact")
def evicting_from_the_longest_queue_is_beaten() -> Outcome:
    """Unit packets, two ports, four places: the best of all admissions, by dynamic programming, sends more."""
    arrivals = ((4, 4), (0, 4), (0, 4), (0, 4))
    kept, most = longest_queue(4, arrivals), best(4, arrivals)
    check(kept < most, f"it sends {kept}, the best {most}")
    says = "4 packets arrive for each port, then 4 for the second in each slot: keeping 3 and 1 sends one packet more"
    return refuted_by_values({"longest_queue": kept, "best": most}, "longest_queue >= best", says)


@evidence("edt.sec2.3.admission@strict", form="printed", strength="exact")
def a_strict_rule_has_no_steady_state() -> Outcome:
    """With nothing admitted at Q = T the queue shrinks at C; in steady state the engine keeps its length for 3 s."""
    C = Fraction(1)
    (before,), (after,) = answer(dt([steady()], buffer="12", until="9", sample=["1", "4"]))["queues"]
    strict, rests = -C, (Fraction(after) - Fraction(before)) / 3
    check(Fraction(before) == 6 and strict != rests, "the two slopes agree")
    return Conflict(
        "edt.sec3.steady-state",
        "on the threshold the strict rule gives Q' = -C, the steady state Q' = 0",
        {"C": str(C), "slope by the strict rule": str(strict), "slope in steady state": str(rests)},
    )


@evidence("edt.sec2.3.reserves@packets", form="printed", strength="exact")
def a_large_alpha_gives_the_last_place_away() -> Outcome:
    """10 packets, alpha = 16: 9 < 16 (10 - 9), so the tenth packet enters."""
    free = places_kept(10, Fraction(16))
    values = {"alpha": "16", "B": "10", "free": free}
    return refuted_by_values(values, "free >= 1", "the last packet is admitted, nothing stays free")


@evidence("edt.sec2.3.reserves@packets", form="assumed", strength="sampled")
def from_1_plus_alpha_packets_on_a_place_stays_free() -> Outcome:
    """Admission packet by packet for buffers of 1 to 64 packets and 13 values of alpha."""
    alphas = [Fraction(2) ** j for j in range(-6, 7)]
    for B, alpha in product(range(1, 65), alphas):
        kept = places_kept(B, alpha)
        check(kept == B // (1 + alpha) and (kept >= 1) == (1 + alpha <= B), f"B = {B}, alpha = {alpha}: {kept}")
    return Agrees(64 * len(alphas), "floor(B / (1 + alpha)) places; B from 1 to 64 packets, alpha = 2^-6 .. 2^6")


@evidence("edt.sec2.3.constrained@length", form="printed", strength="exact")
def a_steady_queue_is_left_above_the_falling_threshold() -> Outcome:
    """One burst of 4 beside one steady port, B = 12: at t_2 = 1.2 s the steady queue is 4.8, the threshold 3.6."""
    time = formulas.fast_drop_time(ONE, Fraction(12), ONE, 1, 1, Fraction(3))
    threshold = formulas.fast_threshold(ONE, Fraction(12), ONE, 1, 1, Fraction(3))
    scenario = dt([burst("4"), steady()], buffer="12", until="2", sample=[str(time)])
    (row,) = answer(scenario)["queues"]
    check(Fraction(row[1]) > threshold == 12 - sum(map(Fraction, row)), "it is not above the threshold")
    return refutes(
        scenario, {"queues": [[str(threshold), str(threshold)]]}, "the threshold is 3.6, the steady queue 4.8"
    )


@evidence("edt.sec2.3.example.meets", form="printed", strength="exact")
def a_short_overload_never_meets_the_threshold() -> Outcome:
    """A burst of 1 s instead of 2 s: the queue stops at B / 3."""
    scenario = {
        "switch": {"ports": 1, "buffer": "3", "rate": "1"}, "policy": {"name": "dt", "alpha": "2"},
        "queues": [{"arrivals": [["0", "2"], ["1", "0"]]}], "until": "3", "sample": ["1", "2"],
    }  # fmt: skip
    return Counterexample(
        Witness(
            "fluid", scenario, {"queues": [["1"], ["0"]]}, {"queues": [["1"], ["2"]]}, "the port stops being overloaded"
        )
    )


@evidence("edt.fig2", form="printed", strength="exact")
def figure_2_has_its_quoted_numbers() -> Outcome:
    """Both lines of Figure 2 are straight until 2 B / 3 and flat after it; the quoted numbers."""
    shown = fig02.data()
    for quantity, quoted, computed in fig02.published(shown):
        check(Fraction(quoted) == Fraction(computed), f"{quantity}: {computed} instead of {quoted}")
    for curve in shown.panels[0].curves:
        check(len(slopes(curve)) == 2 and slopes(curve)[1] == 0, f"{curve.label} is not straight and then flat")
    (mark,) = shown.panels[0].marks
    check(meets(shown.panels[0], fig02.QUEUE) == mark.time, "they do not meet at the ring")
    return Agrees(2, "the two trajectories of the figure")


@evidence("edt.sec2.3.preemptive@any-eviction", form="printed", strength="exact")
def another_document_calls_an_eviction_cheap() -> Outcome:
    """By the LossPass paper the arbiter, with its eviction, takes three cycles, of 800 for a packet."""
    needed = {"cycles of the arbiter": 3, "cycles of a packet": 800}
    check(100 * needed["cycles of the arbiter"] < needed["cycles of a packet"], "less than 1 %")
    return Conflict("losspass.abstract.inexpensive", "A policy that evicts is called inexpensive there.", needed)
