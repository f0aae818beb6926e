"""Sections I and II: ingress and egress pools, reserves; runs and published numbers."""

from fractions import Fraction
from itertools import product

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Conflict, Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.packet.l2bm.switch import PortPacket, passages
from dtmodel.packet.pfc import Egress, Ingress, Pools, run_pools

from .scenarios import SWITCH, runs, scenario

ONE = Fraction(1)
DOMAIN = "all lists of up to 4 events: 1-byte packets from a lossy and a lossless port to two egress queues, departures"


def _egress_drop() -> tuple[str, ...]:
    """Two lossless packets whose ingress queue has room, and whose egress queue has room for one."""
    roomy = Ingress(8 * ONE, lossless=True, headroom=8 * ONE, resume_below=ONE / 2)
    steps = run_pools(Pools(8 * ONE, 2 * ONE, {"in": roomy}, {"out": Egress(ONE)}), [("arrive", "in", "out", ONE)] * 2)
    return tuple(step.decision for step in steps)


@evidence("l2bm.sec2a.admission", "l2bm.sec2a.lossless", form="printed", strength="exact")
def a_lossless_packet_beyond_its_threshold_is_stored() -> Outcome:
    """Run two lossless packets: the second is beyond the threshold and is stored nevertheless, in the headroom."""
    decisions = [step.decision for step in run_pools(SWITCH, [("arrive", "lossless", "a", ONE)] * 2)]
    check(decisions == ["enqueue", "headroom"], f"{decisions}")
    said = "beyond the ingress threshold one drops, the other stores"
    return Conflict("l2bm.sec2a.lossless", said, {"decisions": ", ".join(decisions)})


@evidence("l2bm.ours.pause-threshold", form="printed", strength="exact")
def a_lossless_queue_rises_above_its_threshold() -> Outcome:
    """Fill a lossless and a lossy queue: the lossy one stops at its threshold, the other when its headroom is full."""
    held = {}
    for kind in ("lossless", "lossy"):
        steps = run_pools(SWITCH, [("arrive", kind, "a", ONE)] * 8)
        check(steps[-1].decision == "drop", f"{kind}: {steps[-1]}")
        held[kind] = sum(step.decision == "enqueue" for step in steps), sum(s.decision == "headroom" for s in steps)
    check(held["lossy"][1] == 0 < held["lossless"][1], f"{held}")
    return Proved("bytes up to the threshold, and in the headroom", {kind: str(both) for kind, both in held.items()})


@evidence("l2bm.sec2a.lossy-drop", "l2bm.sec2a.headroom-lossy", form="printed", strength="sampled")
def a_refused_lossy_packet_changes_no_counter() -> Outcome:
    """On every short run a dropped packet leaves all counters as they were, and no lossy packet goes into headroom."""
    cases = 0
    for events, steps in runs():
        for event, before, step in zip(events[1:], steps, steps[1:], strict=False):
            if step.decision == "drop":
                check((before.ingress, before.egress) == (step.ingress, step.egress), f"{events}")
            check(step.decision != "headroom" or event[1] == "lossless", f"{events}")
        cases += 1
    return Agrees(cases, DOMAIN)


@evidence("l2bm.sec2a.static", form="printed", strength="sampled")
def the_reserve_of_an_idle_queue_serves_nobody_else() -> Outcome:
    """On every short run the reserve's owner is always admitted to it, however full the rest is."""
    cases = 0
    for events, steps in runs():
        if steps[-1].ingress["lossy"] == 0:
            more = run_pools(SWITCH, [*events, ("arrive", "lossy", "a", ONE)])
            check(more[-1].decision == "enqueue", f"{events}")
            cases += 1
    return Agrees(cases, DOMAIN)


@evidence("l2bm.sec2a.three-parts", form="printed", strength="sampled")
def the_memory_holds_the_three_parts_at_most() -> Outcome:
    """On every short run what is stored fits into the three parts."""
    parts = SWITCH.ingress_pool + sum(q.reserved + q.headroom for q in SWITCH.ingress.values())
    cases = 0
    for events, steps in runs():
        check(all(step.stored <= parts for step in steps), f"{events}")
        cases += 1
    return Agrees(cases, DOMAIN)


@evidence("l2bm.sec2b.fat-tree", form="printed", strength="exact")
def a_fat_tree_of_128_servers_exists() -> Outcome:
    """k^3 / 4 = 128 for the even k = 8."""
    sizes = {k: k**3 // 4 for k in range(2, 20, 2)}
    check([k for k, servers in sizes.items() if servers == 128] == [8], f"{sizes}")
    return Agrees(len(sizes), "even k up to 18")


@evidence("l2bm.sec2b.rigid", form="printed", strength="exact")
def a_rigid_division_drops_beside_free_buffer() -> Outcome:
    """Run two static halves of B = 60: the loaded one drops at 30 s with 30 bytes free."""
    run = scenario((Fraction(1),) * 2, steady=0, burst="2", until="40", sample=())
    for queue in run["queues"]:
        del queue["alpha"]
    run["policy"] = {"name": "static", "sizes": ["30", "30"]}
    run["queues"][1]["arrivals"] = []
    final = answer(run, 1)
    check(final["first_drop"][0] == "30" and final["free_at_first_drop"][0] == "30", f"{final}")
    return Agrees(1, "an existence statement")


@evidence("l2bm.sec2b.two-thresholds", form="printed", strength="exact")
def either_threshold_stops_a_packet() -> Outcome:
    """Two runs of two packets: one is stopped by the egress threshold alone, one by the ingress threshold alone."""
    tight = Pools(8 * ONE, 2 * ONE, {"in": Ingress(ONE)}, {"b": Egress(ONE)})
    narrow = Pools(2 * ONE, 8 * ONE, {"in": Ingress(ONE)}, {"b": Egress(ONE)})
    for pools in (tight, narrow):
        decisions = [step.decision for step in run_pools(pools, [("arrive", "in", "b", ONE)] * 2)]
        check(decisions == ["enqueue", "drop"], f"{decisions}")
    return Agrees(2, "an existence statement: the egress threshold stops one packet, the ingress threshold another")


@evidence("l2bm.sec2a.egress-discard", form="printed", strength="exact")
def the_egress_threshold_discards_a_lossless_packet() -> Outcome:
    """Run two lossless packets with headroom for eight: the egress threshold discards the second."""
    decisions = _egress_drop()
    check(decisions == ("enqueue", "drop"), f"{decisions}")
    return Conflict(
        "l2bm.abstract.lossless", "a lossless packet is lost at the egress", {"decisions": ", ".join(decisions)}
    )


@evidence("l2bm.sec2b.dual-guarantee", form="printed", strength="exact")
def the_egress_loses_what_the_ingress_admits() -> Outcome:
    """Run two lossless packets with headroom for eight: the ingress admits both, the egress threshold the first."""
    check(_egress_drop() == ("enqueue", "drop"), f"{_egress_drop()}")
    values = {"pool": "2", "beta": "1", "held": "1", "size": "1"}
    given = ["beta > 0", "0 < held <= beta * pool", "size <= pool - held"]
    return refuted_by_values(values, "held + size <= beta * (pool - held)", "the second is discarded", given)


@evidence("l2bm.sec2a.separately", form="printed", strength="sampled")
def a_paused_class_does_not_hold_up_another() -> Outcome:
    """Send every three packets of two classes, one of them paused from the start: the other leaves as if alone."""
    cases = 0
    choices = list(product((0, 1), (1, 2), (0, 1)))
    for given in product(choices, repeat=3):
        packets = [PortPacket(Fraction(time), Fraction(size), group) for time, size, group in sorted(given)]
        others = [packet for packet in packets if packet.group == 1]
        beside = passages(packets, ONE, pauses=[(0, (0 * ONE, 100 * ONE))])
        ends = [through.end for packet, through in zip(packets, beside, strict=True) if packet.group == 1]
        check(ends == [through.end for through in passages(others, ONE)], f"{packets}")
        cases += 1
    return Agrees(cases, "three packets of sizes 1, 2, at times 0, 1, in two classes, the first paused for 100 s")


@evidence("l2bm.eq1.reserved-first", form="printed", strength="sampled")
def a_reserve_leaves_the_shared_pool_alone() -> Outcome:
    """On every short run the lossless packets are decided alike with or without a lossy one before."""
    cases = 0
    for events, steps in runs():
        lossy_bytes = [step.ingress["lossy"] for step in steps]
        if max(lossy_bytes) <= 1:  # never beyond its reserve: leave its events out, and nothing changes for the other
            others = [e for e in events if e[0] == "arrive" and e[1] == "lossless" and e[2] == "a"]
            alone = [step.decision for step in run_pools(SWITCH, others)]
            beside = [step.decision for step in run_pools(SWITCH, [("arrive", "lossy", "a", ONE), *others])]
            check(beside[1:] == alone, f"{events}")
            cases += 1
    return Agrees(cases, DOMAIN)


@evidence("l2bm.eq1.reserved-count", form="assumed", strength="sampled")
def counted_beyond_the_reserves_they_lower_none() -> Outcome:
    """Every short run of the pools that count so: the lossless decisions do not see a lossy packet in its reserve."""
    return a_reserve_leaves_the_shared_pool_alone()
