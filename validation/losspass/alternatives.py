"""Sections 3.4 and 6: other schemes; runs and published numbers."""

from fractions import Fraction
from itertools import product

from dtmodel import DT, EDT, Arrivals, Switch, simulate
from dtmodel.companion.hunting import agree_in_runs
from dtmodel.ledger import Agrees, Counterexample, Outcome, Proved, Witness, check, evidence

from .counting import instant, port
from .histories import DOMAIN, History, Moment, all_histories, history, last_decision, proves, refutation, settings_of


@evidence("losspass.sec3.2.existing", form="printed", strength="exact")
def without_lines_2_to_9_it_is_tail_drop() -> Outcome:
    """The reading without eviction enqueues iff the packet fits, and drops otherwise."""

    def holds(h: History, m: Moment) -> bool:
        return not m.size or m.step.decision == ("drop" if h.overflows(m) else "enqueue")

    return Agrees(proves(all_histories("droptail-2q"), holds, "tail drop"), DOMAIN)


@evidence("losspass.sec3.4.dedicated.50", form="printed", strength="exact")
def a_dedicated_half_takes_what_a_short_tail_refuses() -> Outcome:
    """B = 4, large packets of 3 and 1 bytes: a small packet of 2 bytes is lost, and fits into a dedicated half."""
    run = history(settings_of("intended", 4), [("arrive", "large", 3), ("arrive", "large", 1), ("arrive", "small", 2)])
    last = run.moments[-1]
    check(last.small + last.size <= run.buffer / 2 and last.step.decision == "drop", "refused within the half")
    return refutation(run, last_decision(run, "evict"), "the dedicated half is empty, and takes it")


@evidence("losspass.sec3.4.dedicated.50", form="assumed", strength="exact")
def with_one_size_evictions_absorb_more_than_a_half() -> Outcome:
    """Count packets of one size at all ports of up to 12 bytes: as many as fit into B/2 - Q_s, whatever Q_l is."""
    cases = 0
    for B, size in product(range(1, 13), (1, 2, 3)):
        for s, l in product(range(B + 1), range(B + 1)):
            if (s + l) * size <= B:
                dedicated = B // (2 * size) - s
                check(instant(port(B, 0, s * size, (size,) * l), size) >= dedicated, f"{B} {size} {s} {l}")
                cases += 1
    return Agrees(cases, "B up to 12 bytes, packets of 1, 2 and 3 bytes, all lengths")


@evidence("losspass.sec6.pfabric", form="printed", strength="exact")
def a_tournament_finds_the_largest_key() -> Outcome:
    """A complete binary tree of maxima: after any key changes, the largest is known after ceil(log2 n) comparisons."""
    cases = 0
    for n in range(2, 65):
        depth = (n - 1).bit_length()
        leaves = 1 << depth
        tree = [-1] * leaves + list(range(n)) + [-1] * (leaves - n)
        for node in range(leaves - 1, 0, -1):
            tree[node] = max(tree[2 * node], tree[2 * node + 1])
        for key in range(n):
            node, comparisons = (leaves + key) // 2, 0
            changed = list(tree)
            changed[leaves + key] = n - key
            while node:
                changed[node] = max(changed[2 * node], changed[2 * node + 1])
                node, comparisons = node // 2, comparisons + 1
            check(comparisons == depth and changed[1] == max(changed[leaves:]), f"n = {n}")
            cases += 1
    return Agrees(cases, "every replaced key, n from 2 to 64; the depth of the tree is ceil(log2 n) for every n")


@evidence("losspass.sec6.complementary@dt", form="printed", strength="exact")
def a_threshold_falls_faster_than_its_port_drains() -> Outcome:
    """DT, alpha = 1: a burst takes the threshold of two busy ports from 2 to 9/8 bytes while they drain to 15/8."""
    busy = {"arrivals": [["0", "2"]], "initial": "steady"}
    scenario = {
        "switch": {"ports": 3, "buffer": "6", "rate": "1"}, "policy": {"name": "dt", "alpha": "1"},
        "queues": [{"arrivals": [["0", "10"]]}, busy, busy], "until": "4", "sample": ["1/8"],
    }  # fmt: skip
    held, threshold = Fraction(15, 8), 6 - Fraction(9, 8) - 2 * Fraction(15, 8)
    check(held > threshold == Fraction(9, 8), "the port holds more than its threshold")
    expected, claimed = ({"queues": [["9/8", str(most), str(most)]]} for most in (held, threshold))
    says = "the port holds 15/8 bytes, and its B is 9/8"
    return Counterexample(Witness("fluid", scenario, expected, claimed, says), says)


@evidence("losspass.sec6.dt-fairness", form="printed", strength="exact")
def a_port_that_starts_late_drops_below_an_equal_share() -> Outcome:
    """Four ports, alpha = 1: one alone holds more than B/4; beside two on the threshold a burst drops before it does.

    EDT with a counter of two bytes, which the burst does not reach: it drops as under DT.
    """
    switch = Switch(ports=4, buffer=6, rate=1)
    for policy, held in ((DT(alpha=1), 3), (EDT(alpha=1, cn2=2), 5)):
        alone = simulate(switch, policy, {0: Arrivals.constant(2)}, until=20)
        check(alone.queue(0).at(5) == held > Fraction(6, 4), f"{policy}: more than an equal share")
        run = simulate(
            switch, policy, {0: Arrivals.constant(10), 1: Arrivals.constant(2), 2: Arrivals.constant(2)},
            initial={1: "steady", 2: "steady"}, until=4,
        )  # fmt: skip
        first = run.first_drop(0)
        check(first is not None and run.queue(0).at(first) == Fraction(9, 8) < Fraction(6, 4), f"{policy}: a late port")
    return Proved("it drops with 9/8 bytes, below B/4 = 3/2", {"B": "6", "alpha": "1", "ports": "4"})


@evidence(
    "losspass.ours.background-equal",
    "losspass.ours.fig8-alpha-1",
    "losspass.slides.headroom",
    "losspass.sec5.1.reserve-0",
    "losspass.sec3.4.aeolus",
    "losspass.sec3.4.dedicated",
    "losspass.sec3.4.dedicated.regardless",
    "losspass.sec3.4.deep.delay",
    "losspass.sec6.fab@weighted-dt",
    "losspass.sec2.1.spike",
    "losspass.sec3.2.1.tagging",
    form="printed",
    strength="sampled",
)
@evidence("losspass.eq5", form="assumed", strength="sampled")
def relations_that_are_proved_hold_in_runs() -> Outcome:
    """Draw instances of the executable forms, on bounds and ties, and run the engines on them."""
    tried = agree_in_runs(globals(), "relations_that_are_proved_hold_in_runs")
    return Agrees(tried, "instances of the forms, drawn with a fixed seed")
