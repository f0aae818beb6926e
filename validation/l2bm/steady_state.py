"""Section III-D: equations (4) to (9), the steady state and bursts; runs and published numbers."""

from fractions import Fraction

from dtmodel.base.units import plain
from dtmodel.companion.hunting import agree_in_runs
from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Counterexample, Outcome, Witness, check, evidence, refuted_by_values
from dtmodel.theory import threshold_family
from dtmodel.theory.l2bm import formulas as l2bm
from dtmodel.theory.threshold_family import Burst, Held

from .scenarios import scenario

SOJOURNS = ([1, 1], [1, 3], [3, 3, 3, 3], [1, 1, 1, 9], [1, 2, 3, 4, 5])
ONE = Fraction(1)


@evidence("l2bm.eq6", form="printed", strength="exact")
def an_idle_queue_has_a_threshold_too() -> Outcome:
    """Run one overloaded and one idle queue, alpha = 1, B = 60: 30 bytes are held, the two thresholds add up to 60."""
    run = scenario((Fraction(1), Fraction(1)), steady=1)
    return Counterexample(
        Witness("fluid", run, {"queues": [["30", "0"]]}, {"queues": [["30", "30"]]}, "sum T = 60 counts the idle queue")
    )


@evidence("l2bm.ours.steady-state", "l2bm.eq8", "l2bm.eq9", form="printed", strength="sampled")
def the_fluid_engine_rests_on_the_closed_form() -> Outcome:
    """Start five sets of weights on their thresholds: after 1 s every queue equals equation (9) exactly."""
    for sojourns in SOJOURNS:
        state = l2bm.sojourn_steady_state(60, sojourns, "1/8")
        final = answer(scenario(l2bm.weights(sojourns, "1/8"), steady=len(sojourns)), 1)["queues"][0]
        check([Fraction(q) for q in final] == list(state.thresholds), f"{sojourns}")
    return Agrees(len(SOJOURNS), "five sets of sojourn times, alpha = 1/8")


@evidence("l2bm.sec3d.rest", "l2bm.sec3d.steady", form="printed", strength="exact")
def a_new_average_moves_the_occupancy() -> Outcome:
    """Sojourn times (1, 1), alpha = 1, B = 5: 4 held; once they are (1, 4), equation (8) says 125/29."""
    before, after = (l2bm.sojourn_steady_state(5, times, 1).occupancy for times in ([1, 1], [1, 4]))
    check((before, after) == (Fraction(4), 5 * Fraction(25, 29)), f"{before}, {after}")
    hypotheses = ["before == (1 + 1) * (1 + 1)", "after == (1 + 4) * (1 + 1/4)"]
    statement = "B * before / (1 + before) == B * after / (1 + after)"
    values = {"B": "5", "before": "4", "after": "25/4"}
    says = "the total weight alpha (sum tau)(sum 1/tau) before and after the packets of one queue change"
    return refuted_by_values(values, statement, says, hypotheses)


@evidence("l2bm.sec3d.no-burst@below-dt", form="printed", strength="exact")
def a_slower_queue_above_dts_threshold() -> Outcome:
    """Sojourn times (3, 3, 3, 4), alpha = 1/8: the slowest queue still gets more than under DT."""
    compared = l2bm.compare_with_dt(1, [3, 3, 3, 4], "1/8")
    check(not compared.below, f"below: {compared.below}")
    statement = "alpha*C/tau / (1 + alpha*C*H) < alpha / (1 + alpha*n)"
    hypotheses = ["C == 3 + tau", "H == 1/3 + 1/tau", "tau > 3"]
    return refuted_by_values({"alpha": "1/8", "n": "2", "tau": "4", "C": "7", "H": "7/12"}, statement, "", hypotheses)


@evidence("l2bm.sec3d.burst", form="printed", strength="exact")
def a_burst_that_slows_everybody_changes_no_weight() -> Outcome:
    """Sojourn times (1, 2) against (5, 10): the weights are the same."""
    check(l2bm.weights([1, 2], "1/8") == l2bm.weights([5, 10], "1/8"), "the weights differ")
    values = {"a": "1", "b": "2", "c": "5"}
    return refuted_by_values(values, "(c*a + c*b)/(c*a) < (a + b)/a", "both queues slow down fivefold", ["c > 1"])


@evidence("l2bm.sec3d.burst.overflow", form="printed", strength="exact")
def of_two_filled_queues_one_may_hold_more() -> Outcome:
    """Sojourn times (1, 1), then (2, 10), alpha = 1: the first queue's threshold rises from 2B/5 to 30B/41."""
    calm, hit = (l2bm.sojourn_steady_state(1, times, 1).thresholds[0] for times in ([1, 1], [2, 10]))
    check((calm, hit) == (Fraction(2, 5), Fraction(30, 41)), f"{calm}, {hit}")
    statement = "w_hit / (1 + W_hit) < w / (1 + W)"
    given = [
        "w == (1 + 1) / 1",
        "W == (1 + 1) * (1/1 + 1/1)",
        "w_hit == (2 + 10) / 2",
        "W_hit == (2 + 10) * (1/2 + 1/10)",
    ]
    return refuted_by_values({"w": "2", "W": "4", "w_hit": "6", "W_hit": "36/5"}, statement, "alpha = 1", given)


@evidence("l2bm.sec3d.burst.overflow@total", form="printed", strength="exact")
def more_congestion_can_mean_more_occupancy() -> Outcome:
    """Sojourn times (1, 1, 1, 1) against (1, 1, 1, 9): the total weight rises from 16 alpha to 37 1/3 alpha."""
    calm, congested = (l2bm.sojourn_steady_state(1, [1, 1, 1, last], "1/8").occupancy for last in (1, 9))
    check(calm < congested, "the occupancy falls")
    statement = "(S + more) * (H + 1/more) < (S + tau) * (H + 1/tau)"
    values = {"S": "1", "H": "1", "tau": "1", "more": "2"}
    return refuted_by_values(values, statement, "one of two queues doubles", ["more > tau"])


@evidence("l2bm.sec3d.balance", form="printed", strength="exact")
def queues_that_met_their_thresholds_in_turn() -> Outcome:
    """Fill weights 1 and 2 at 5 until both have been rejected, B = 60; then balance: 16 and 28 held, T = 16 and 32."""
    filled = scenario((ONE, 2 * ONE), steady=0, burst="5", until="11", sample=("7", "10"))
    for queue in filled["queues"]:
        queue["arrivals"].append(["7", "1"])
    lengths = answer(filled, 1)["queues"]
    check(lengths[0] == ["18", "28"], f"{lengths}: free are 14, so that the first lies above its threshold")
    says = "16 bytes are free: equation (6) would want twice as many in the second queue"
    return Counterexample(
        Witness(
            "fluid", filled, {"queues": [["18", "28"], ["16", "28"]]}, {"queues": [["18", "28"], ["16", "32"]]}, says
        )
    )


@evidence("l2bm.ours.first-drop", form="printed", strength="sampled")
def the_fluid_engine_drops_when_the_closed_form_says() -> Outcome:
    """One burst of rate 2, 5 or 17 against four sets of weights; first drop and free buffer are equal exactly."""
    one, cases = Fraction(1), 0
    for sojourns in SOJOURNS:
        weights = l2bm.weights(sojourns, "1/8")
        for rate in (2, 5, 17):
            held = [Held(weight, one) for weight in weights[:-1]]
            closed = threshold_family.weighted_first_drop(60, held, [Burst(weights[-1], one, Fraction(rate))])
            run = answer(scenario(weights, len(weights) - 1, str(rate), plain(closed.time + 1), ()), 1)
            check(Fraction(run["first_drop"][-1]) == closed.time, f"{sojourns}, {rate}: {run['first_drop']}, {closed}")
            check(Fraction(run["free_at_first_drop"][-1]) == closed.free, f"{sojourns}, {rate}")
            cases += 1
    return Agrees(cases, "five sets of sojourn times, three rates")


@evidence(
    "l2bm.sec2b.needs-pfc",
    "l2bm.sec1.tcp-unaware",
    "l2bm.ours.reserve-first-drop",
    "l2bm.alg1.line8.elapsed",
    "l2bm.alg1.line9",
    "l2bm.sec4.slowdown",
    "l2bm.sec3d.burst.longer",
    "l2bm.abstract.absorb",
    "l2bm.sec1.unused-free",
    "l2bm.sec5.shared-pool",
    "l2bm.sec5.shared-pool.burst",
    "l2bm.ours.pause-threshold.fluid",
    "l2bm.ours.single-egress.in-turn",
    "l2bm.sec4.abm-isolates",
    "l2bm.sec4.abm-rule",
    form="printed",
    strength="sampled",
)
@evidence("l2bm.sec4a.burst-tolerance", form="repaired", strength="sampled")
@evidence(
    "l2bm.alg1.total.nonnegative",
    "l2bm.eq2",
    "l2bm.sec3d.balance",
    "l2bm.sec4.dt.alpha@later",
    "l2bm.sec3d.steady",
    "l2bm.sec3d.rest",
    form="assumed",
    strength="sampled",
)
def relations_that_are_proved_hold_in_runs() -> Outcome:
    """Draw instances of the executable forms, on bounds and ties, and run the engines on them."""
    tried = agree_in_runs(globals(), "relations_that_are_proved_hold_in_runs", cases=24)
    return Agrees(tried, "instances of the forms, drawn with a fixed seed")
