"""Quoted numbers against each other: sums and products, Table II and the words around it, headlines and sections."""

from __future__ import annotations

from fractions import Fraction

from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, Witness, check, evidence

from .printed import LOADS, PAUSES, REDUCTIONS, TOPOLOGY


def _same(quoted: int, elsewhere: int) -> Outcome:
    check(quoted == elsewhere, f"{quoted} against {elsewhere}")
    return Agrees(1, f"{quoted} in both places")


def _differs(quoted: int, elsewhere: int, says: str) -> Outcome:
    """A headline without its condition: another quoted number contradicts it."""
    values = {"headline": quoted, "elsewhere": elsewhere}
    return Counterexample(
        Witness(
            "values",
            {"values": values, "hypotheses": ["elsewhere > 0"], "statement": "headline == elsewhere"},
            says=says,
        )
    )


@evidence("l2bm.abstract.tail50", form="printed", strength="exact")
@evidence("l2bm.sec1.tail50", form="assumed", strength="exact")
def tail_headline_is_the_number_of_section_4a() -> Outcome:
    """Compare the abstract with Section IV-A."""
    return _same(REDUCTIONS["abstract.tail"], REDUCTIONS["sec4a.tail"])


@evidence("l2bm.sec1.tail50", form="printed", strength="exact")
def tail_reduction_against_abm_is_another() -> Outcome:
    """Compare the unconditional 50 % with Section IV-B against ABM."""
    return _differs(REDUCTIONS["abstract.tail"], REDUCTIONS["sec4b.tail15.ABM"], "RDMA incast, 15 senders, against ABM")


@evidence("l2bm.abstract.occupancy40", form="printed", strength="exact")
@evidence("l2bm.sec1.occupancy40", form="assumed", strength="exact")
def occupancy_headline_is_the_number_of_section_4a() -> Outcome:
    """Compare the abstract with Section IV-A."""
    return _same(REDUCTIONS["abstract.occupancy"], REDUCTIONS["sec4a.occupancy"])


@evidence("l2bm.sec1.occupancy40", form="printed", strength="exact")
def occupancy_reduction_under_incast_is_another() -> Outcome:
    """600 KB against 900 KB at the 99th percentile is a third."""
    values = {"mine": "600", "other": "900", "headline": "40/100"}
    statement = "abs(1 - mine / other - headline) <= 5/1000"
    return Counterexample(Witness("values", {"values": values, "hypotheses": ["mine < other"], "statement": statement}))


@evidence("l2bm.abstract.delay57", form="assumed", strength="exact")
def delay_headline_is_the_number_against_dt2() -> Outcome:
    """Compare the abstract with Section IV-B."""
    return _same(REDUCTIONS["abstract.delay"], REDUCTIONS["sec4b.average.DT2"])


@evidence("l2bm.abstract.delay57", form="printed", strength="exact")
def delay_reduction_against_abm_is_another() -> Outcome:
    """Compare the unconditional 57 % with Section IV-B against ABM."""
    return _differs(REDUCTIONS["abstract.delay"], REDUCTIONS["sec4b.average.ABM"], "against ABM")


@evidence("l2bm.sec4.incast23", form="assumed", strength="exact")
def incast_headline_is_the_number_against_abm() -> Outcome:
    """Compare the bullet with Section IV-B."""
    return _same(REDUCTIONS["sec4.incast-tail"], REDUCTIONS["sec4b.tail15.ABM"])


@evidence("l2bm.sec4.incast23", form="printed", strength="exact")
def incast_reduction_against_dt2_is_another() -> Outcome:
    """Compare the unconditional 23 % with Section IV-B against DT2."""
    return _differs(REDUCTIONS["sec4.incast-tail"], REDUCTIONS["sec4b.tail15.DT2"], "against DT2")


@evidence("l2bm.abstract.few-pauses", form="printed", strength="exact")
def at_load_0_4_two_others_pause_less() -> Outcome:
    """Compare L2BM with DT2 at load 0.4 of Table II."""
    values = {"L2BM": PAUSES["L2BM"][0], "DT2": PAUSES["DT2"][0]}
    return Counterexample(
        Witness("values", {"values": values, "hypotheses": [], "statement": "L2BM <= DT2"}, says="load 0.4")
    )


@evidence("l2bm.abstract.few-pauses", form="assumed", strength="exact")
def from_load_0_5_on_l2bm_pauses_least() -> Outcome:
    """Compare L2BM with the others at loads 0.5 to 0.8 of Table II."""
    for column in range(1, len(LOADS)):
        check(all(PAUSES["L2BM"][column] < PAUSES[x][column] for x in ("ABM", "DT", "DT2")), LOADS[column])
    return Agrees(4, "the loads 0.5, 0.6, 0.7, 0.8")


@evidence("l2bm.sec4a.dt-most", form="printed", strength="exact")
def dt_pauses_most_at_every_load() -> Outcome:
    """Compare DT with the others in every column of Table II."""
    for column in range(len(LOADS)):
        check(all(PAUSES["DT"][column] > PAUSES[x][column] for x in ("ABM", "DT2", "L2BM")), LOADS[column])
    return Agrees(5, "all columns")


@evidence("l2bm.sec4a.pauses-10000", form="printed", strength="exact")
def dt_exceeds_ten_thousand() -> Outcome:
    """The last entry of DT's row."""
    check(PAUSES["DT"][-1] > 10_000, "at most 10000")
    return Agrees(1, "load 0.8")


@evidence("l2bm.sec4a.pauses-500.abm", form="printed", strength="exact")
def abm_rounds_to_five_hundred() -> Outcome:
    """543 lies within 50 of 500."""
    check(abs(PAUSES["ABM"][-1] - 500) <= 50, "further than 50")
    return Agrees(1, "load 0.8")


@evidence("l2bm.sec4a.pauses-500.dt2", form="printed", strength="exact")
def dt2_rounds_to_four_hundred() -> Outcome:
    """418 lies 82 from 500."""
    values = {"frames": PAUSES["DT2"][-1]}
    return Counterexample(
        Witness("values", {"values": values, "hypotheses": [], "statement": "abs(frames - 500) <= 50"})
    )


@evidence("l2bm.sec4a.similar", form="printed", strength="exact")
def abm_and_dt2_differ_by_less_than_a_third() -> Outcome:
    """Compare the larger with the smaller at loads 0.6 to 0.8."""
    for column in range(2, len(LOADS)):
        low, high = sorted((PAUSES["ABM"][column], PAUSES["DT2"][column]))
        check(3 * (high - low) < low, LOADS[column])
    return Agrees(3, "the loads 0.6, 0.7, 0.8")


@evidence("l2bm.sec4a.few", form="printed", strength="exact")
def l2bm_pauses_less_than_an_eighth_of_any_other() -> Outcome:
    """Compare L2BM with the others at loads 0.7 and 0.8."""
    for column in (3, 4):
        check(all(8 * PAUSES["L2BM"][column] < PAUSES[x][column] for x in ("ABM", "DT", "DT2")), LOADS[column])
    return Agrees(2, "the loads 0.7, 0.8")


@evidence("l2bm.sec4a.none", form="printed", strength="exact")
def l2bm_pauses_at_both_of_the_highest_loads() -> Outcome:
    """The last two entries of L2BM's row are positive."""
    values = {"at07": PAUSES["L2BM"][3], "at08": PAUSES["L2BM"][4]}
    return Counterexample(
        Witness("values", {"values": values, "hypotheses": [], "statement": "at07 == 0 or at08 == 0"})
    )


@evidence("l2bm.sec4.switches", form="printed", strength="exact")
def ten_switches() -> Outcome:
    """Add the layers."""
    return _same(TOPOLOGY["core"] + TOPOLOGY["aggregation"] + TOPOLOGY["tor"], 10)


@evidence("l2bm.sec4.servers", form="printed", strength="exact")
def one_hundred_and_twenty_eight_servers() -> Outcome:
    """Multiply ToR switches and servers."""
    return _same(TOPOLOGY["tor"] * TOPOLOGY["servers per tor"], 128)


@evidence("l2bm.sec2b.fat-tree", form="printed", strength="exact")
def a_fat_tree_of_128_servers_exists() -> Outcome:
    """k^3 / 4 = 128 for the even k = 8."""
    sizes = {k: k**3 // 4 for k in range(2, 20, 2)}
    check([k for k, servers in sizes.items() if servers == 128] == [8], f"{sizes}")
    return Agrees(len(sizes), "even k up to 18")


@evidence(
    "l2bm.sec4.buffer",
    "l2bm.sec4b.flow-size",
    "l2bm.sec4b.flows",
    "l2bm.sec4a.halves",
    form="printed",
    strength="exact",
)
def products_and_quotients() -> Outcome:
    """1 MB / 4 MB = 25 %, 1 MB / 5 = 200 KB, 376 * 5 = 1880, 16 + 16 = 32."""
    check(Fraction(10**6, 4 * 10**6) == Fraction(25, 100), "buffer")
    check(Fraction(10**6, 5) == 200_000, "flow size")
    check(376 * 5 == 1880, "flows")
    check(TOPOLOGY["servers per tor"] == 16 + 16, "halves")
    return Agrees(4, "each product as quoted")


@evidence(
    "l2bm.sec4a.queues",
    "l2bm.sec4a.loads",
    "l2bm.sec2a.eight",
    "l2bm.sec2a.rtt-ratio",
    form="printed",
    strength="exact",
)
def small_orders() -> Outcome:
    """2 <= 8, every load of Table II within 0.1 to 0.8, 2^3 = 8, 25.4 > 10 * 1.7."""
    check(2 <= 2**3 == 8, "priorities")
    check(all(Fraction("0.1") <= Fraction(load) <= Fraction("0.8") for load in LOADS), "loads")
    check(Fraction("25.4") > 10 * Fraction("1.7"), "round-trip times")
    return Agrees(len(LOADS) + 2, "each comparison")


@evidence("l2bm.sec4.capacity", form="printed", strength="exact")
def pods_cannot_carry_it() -> Outcome:
    """480 Gbps offered in each rack, 96 of 127 destinations outside: 363 Gbps over two uplinks of 100 Gbps."""
    values = {"servers": "16", "link": "25", "rdma": "0.4", "tcp": "0.8", "outside": "96/127", "uplinks": "200"}
    data = {
        "values": values,
        "hypotheses": ["outside == (4 - 1) * 32 / (128 - 1)"],
        "statement": "servers * link * (rdma + tcp) * outside <= uplinks",
    }
    return Counterexample(Witness("values", data, says="two aggregation switches in each pod"))


@evidence("l2bm.sec4.capacity", form="assumed", strength="exact")
def four_uplinks_carry_it() -> Outcome:
    """The same 363 Gbps over four uplinks of 100 Gbps; between racks no core link is needed."""
    half = TOPOLOGY["servers per tor"] // 2
    offered = half * TOPOLOGY["server link"] * (Fraction("0.4") + Fraction("0.8"))
    outside = offered * Fraction(96, 127)
    check(outside <= TOPOLOGY["aggregation"] * TOPOLOGY["switch link"], f"{outside} Gbps")
    return Agrees(4, "each rack")


@evidence("l2bm.sec4b.average", "l2bm.sec4b.minimum", "l2bm.sec4b.occupancy-order", "l2bm.sec4b.weaken", form="printed",
          strength="exact")  # fmt: skip
def orders_of_response_times_and_occupancies() -> Outcome:
    """0.34 <= 0.48 <= 2.9; 1 MB at 25 Gbps takes 0.32 ms <= 0.34 ms; 400 <= 600 <= 4000 KB; 0.48 < 2.5 < 3.7."""
    least, average, greatest = (Fraction(x) for x in ("0.34", "0.48", "2.9"))
    check(least <= average <= greatest, "order")
    check(Fraction(8 * 10**6, 25 * 10**9) * 1000 == Fraction("0.32") <= least, "link time")
    bounds = [400, 600, 4000]
    check(bounds == sorted(bounds), "occupancy")
    check(average < Fraction("2.5") < Fraction("3.7"), "senders")
    return Agrees(4, "each comparison")


@evidence("l2bm.sec4b.average.dt2", "l2bm.sec4b.dt-worst", form="printed", strength="exact")
def dt2_is_worse_than_dt() -> Outcome:
    """0.48 ms being 55 % below DT and 57 % below DT2 puts DT2 above DT."""
    dt, dt2 = (Fraction("0.48") / (1 - Fraction(REDUCTIONS[f"sec4b.average.{name}"], 100)) for name in ("DT", "DT2"))
    check(dt2 > dt, "DT is the worst")
    said = "with 5 senders DT2 is worse than DT"
    return Conflict("l2bm.sec4b.dt-worst", said, {"DT in ms": dt, "DT2 in ms": dt2})


@evidence("l2bm.sec4a.utilisation", form="printed", strength="exact")
def utilisation_cannot_rise_while_occupancy_falls() -> Outcome:
    """A share of one fixed buffer falls with its numerator: 60 % of what it was."""
    before, buffer = Fraction(1), Fraction(4)
    after = before * (1 - Fraction(REDUCTIONS["abstract.occupancy"], 100))
    check(after / buffer < before / buffer, "the share rises")
    return Conflict(
        "l2bm.abstract.occupancy40", "the occupied share of one buffer both rises and falls", {"after / before": after}
    )


@evidence("l2bm.sec4b.requests", form="printed", strength="exact")
def the_requests_are_a_small_load() -> Outcome:
    """376 MB in half a second, in Gbps, against the servers' links."""
    offered = 376 * 8 * Fraction(10**6) / Fraction(1, 2) / 10**9
    links = TOPOLOGY["tor"] * TOPOLOGY["servers per tor"] * TOPOLOGY["server link"]
    check(offered * 100 < links, f"{offered} of {links} Gbps")
    return Agrees(1, f"{float(offered)} of {links} Gbps")
