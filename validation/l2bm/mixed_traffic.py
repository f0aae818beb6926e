"""Sections IV-A and V: RDMA and TCP together, Table II and Figures 7 to 9; runs and published numbers."""

from fractions import Fraction
from typing import Any

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

from .published import LOADS, PAUSES, REDUCTIONS, _differs, _same
from .scenarios import scenario


def _lower(run: dict[str, Any]) -> dict[str, Any]:
    first, *others = run["queues"]
    return run | {"queues": [first | {"alpha": "1/2"}, *others]}


@evidence("l2bm.abstract.tail50", form="printed", strength="exact")
def tail_headline_is_the_number_of_section_4a() -> Outcome:
    """Compare the abstract with Section IV-A."""
    return _same(REDUCTIONS["abstract.tail"], REDUCTIONS["sec4a.tail"])


@evidence("l2bm.sec1.tail50", form="assumed", strength="exact")
def tail_reduction_is_the_headline_against_dt_and_dt2() -> Outcome:
    """Compare Section I with Section IV-A, against DT, and with Section IV-B, against DT2 with 15 senders."""
    check(REDUCTIONS["sec4b.tail15.DT2"] == REDUCTIONS["sec4a.tail"], "DT and DT2")
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


@evidence("l2bm.abstract.delay57", form="assumed", strength="exact")
def delay_headline_is_the_number_against_dt2() -> Outcome:
    """Compare the abstract with Section IV-B."""
    return _same(REDUCTIONS["abstract.delay"], REDUCTIONS["sec4b.average.DT2"])


@evidence("l2bm.abstract.delay57", form="printed", strength="exact")
def delay_reduction_against_abm_is_another() -> Outcome:
    """Compare the unconditional 57 % with Section IV-B against ABM."""
    return _differs(REDUCTIONS["abstract.delay"], REDUCTIONS["sec4b.average.ABM"], "against ABM")


@evidence("l2bm.abstract.few-pauses", form="printed", strength="exact")
def l2bm_pauses_less_than_a_hundredth_as_often_as_dt() -> Outcome:
    """Compare L2BM with DT at every load of Table II."""
    for few, many, load in zip(PAUSES["L2BM"], PAUSES["DT"], LOADS, strict=True):
        check(100 * int(few) < int(many), load)
    return Agrees(len(LOADS), "every load of Table II")


@evidence("l2bm.abstract.few-pauses@fewest", form="printed", strength="exact")
def at_load_0_4_two_others_pause_less() -> Outcome:
    """Compare the pauses of L2BM with those of DT2 at load 0.4 of Table II."""
    return refuted_by_values({"L2BM": PAUSES["L2BM"][0], "DT2": PAUSES["DT2"][0]}, "L2BM <= DT2", "load 0.4")


@evidence("l2bm.abstract.few-pauses@fewest", form="assumed", strength="exact")
def from_load_0_5_on_l2bm_pauses_least() -> Outcome:
    """Compare L2BM with the others at loads 0.5 to 0.8 of Table II."""
    for column in range(1, len(LOADS)):
        check(all(PAUSES["L2BM"][column] < PAUSES[x][column] for x in ("ABM", "DT", "DT2")), LOADS[column])
    return Agrees(4, "the loads 0.5, 0.6, 0.7, 0.8")


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


@evidence("l2bm.sec4a.burst-tolerance", form="printed", strength="exact")
def a_lower_occupancy_leaves_more_room_for_a_burst() -> Outcome:
    """A burst of rate 5/2 is lost from 40/3 s on beside a queue of weight 1, and from 16 s on beside one of 1/2."""
    run = scenario((Fraction(1),) * 2, steady=1, burst="5/2", until="30", sample=())
    more, less = (Fraction(answer(case, 1)["first_drop"][-1]) for case in (run, _lower(run)))
    check([more, less] == [Fraction(40, 3), 16], f"{more}, {less}")
    engine, claim = ({"first_drop": ["0", drop]} for drop in ("16", "40/3"))
    return Counterexample(Witness("fluid", _lower(run), engine, claim, "the claim: before 40/3, as beside weight 1"))


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


@evidence("l2bm.sec4a.pauses-500", form="printed", strength="exact")
def both_are_within_a_fifth_of_five_hundred() -> Outcome:
    """Compare the table's 543 and 418 with 400 and 600."""
    frames = {name.lower(): PAUSES[name][-1] for name in ("ABM", "DT2")}
    check(all(400 <= count <= 600 for count in frames.values()), f"{frames}")
    return Proved("543 and 418", {name: str(count) for name, count in frames.items()}, ["400 <= dt2", "abm <= 600"])


@evidence("l2bm.sec4a.pauses-500@dt2", form="printed", strength="exact")
def dt2_rounds_to_four_hundred() -> Outcome:
    """The table's 418 lies 82 from the 500 of the text."""
    return refuted_by_values({"frames": PAUSES["DT2"][-1]}, "abs(frames - 500) <= 50")


@evidence("l2bm.sec4a.similar", form="printed", strength="exact")
def abm_and_dt2_differ_by_less_than_a_third() -> Outcome:
    """Compare the larger with the smaller at loads 0.6 to 0.8."""
    for column in range(2, len(LOADS)):
        low, high = sorted((PAUSES["ABM"][column], PAUSES["DT2"][column]))
        check(3 * (high - low) < low, LOADS[column])
    return Agrees(3, "the loads 0.6, 0.7, 0.8")


@evidence("l2bm.sec4a.few", form="printed", strength="exact")
def l2bm_pauses_less_than_a_tenth_of_dt() -> Outcome:
    """Compare L2BM with DT at every load of Table II."""
    for own, other, load in zip(PAUSES["L2BM"], PAUSES["DT"], LOADS, strict=True):
        check(10 * own < other, load)
    return Agrees(len(LOADS), "the loads of Table II")


@evidence("l2bm.sec4a.few@none-at-highest", form="printed", strength="exact")
def l2bm_pauses_at_both_of_the_highest_loads() -> Outcome:
    """The last two entries of L2BM's row are positive."""
    return refuted_by_values({"at07": PAUSES["L2BM"][3], "at08": PAUSES["L2BM"][4]}, "at07 == 0 or at08 == 0")


@evidence("l2bm.sec4a.dt-most", form="printed", strength="exact")
def dt_pauses_most_at_every_load() -> Outcome:
    """Compare DT with the others in every column of Table II."""
    for column in range(len(LOADS)):
        check(all(PAUSES["DT"][column] > PAUSES[x][column] for x in ("ABM", "DT2", "L2BM")), LOADS[column])
    return Agrees(5, "all columns")


@evidence("l2bm.sec4a.utilisation@occupancy", form="printed", strength="exact")
def utilisation_cannot_rise_while_occupancy_falls() -> Outcome:
    """A share of one fixed buffer falls with its numerator: 60 % of what it was."""
    before, buffer = Fraction(1), Fraction(4)
    after = before * (1 - Fraction(REDUCTIONS["abstract.occupancy"], 100))
    check(after / buffer < before / buffer, "the share rises")
    return Conflict(
        "l2bm.abstract.occupancy40", "the occupied share of one buffer both rises and falls", {"after / before": after}
    )


@evidence("l2bm.sec4a.dt-small.dt2", form="printed", strength="exact")
def the_smaller_alpha_pauses_more() -> Outcome:
    """Compare DT with DT2 in every column of Table II."""
    for column, load in enumerate(LOADS):
        check(PAUSES["DT"][column] > PAUSES["DT2"][column], load)
    return Agrees(len(LOADS), "all columns")
