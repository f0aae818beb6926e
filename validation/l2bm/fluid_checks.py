"""The equations against the exact fluid engine: steady states, first drops, and where the printed sums fail."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.theory import l2bm, threshold_family
from dtmodel.theory.threshold_family import Burst, Held
from dtmodel.units import plain

SOJOURNS = ([1, 1], [1, 3], [3, 3, 3, 3], [1, 1, 1, 9], [1, 2, 3, 4, 5])


def scenario(
    weights: tuple[Fraction, ...], steady: int, burst: str = "0", until: str = "1", sample: tuple[str, ...] = ("1",)
) -> dict[str, Any]:
    """A switch of buffer 60 and rate 1: the first `steady` queues on their thresholds, the others hit by one burst."""
    queues: list[dict[str, Any]] = []
    for index, weight in enumerate(weights):
        held = index < steady
        queue = {"alpha": plain(weight), "arrivals": [["0", "4" if held else burst]]}
        queues.append({**queue, "initial": "steady"} if held else queue)
    return {
        "switch": {"ports": len(weights), "buffer": "60", "rate": "1"},
        "policy": {"name": "dt", "alpha": "1"},
        "queues": queues,
        "until": until,
        "sample": list(sample),
    }


@evidence("l2bm.eq6", form="printed", strength="exact")
def an_idle_queue_has_a_threshold_too() -> Outcome:
    """Run one overloaded and one idle queue, alpha = 1, B = 60: 30 bytes are held, the two thresholds add up to 60."""
    run = scenario((Fraction(1), Fraction(1)), steady=1)
    return Counterexample(
        Witness("fluid", run, {"queues": [["30", "0"]]}, {"queues": [["30", "30"]]}, "sum T = 60 counts the idle queue")
    )


@evidence("l2bm.eq6", form="assumed", strength="symbolic")
def on_their_thresholds_the_sums_are_the_same() -> Outcome:
    """Q_i = T_i for each active queue adds up by induction; then the fluid engine for five sets of weights."""
    Q, T, q = sympy.symbols("Q T q", positive=True)
    check(sympy.expand((Q + q) - (T + q).subs(T, Q)) == 0, "one more queue")
    for sojourns in SOJOURNS:
        state = l2bm.sojourn_steady_state(60, sojourns, "1/8")
        final = answer(scenario(l2bm.weights(sojourns, "1/8"), steady=len(sojourns)), 1)["queues"][0]
        check(sum(map(Fraction, final)) == sum(state.thresholds), f"{sojourns}")
    return Proved("sum Q = sum T", {"a": "2", "b": "2", "F": "2"}, ["a == F", "b == F", "a + b == 2 * F"])


@evidence("l2bm.ours.steady-state", "l2bm.eq8", "l2bm.eq9", form="printed", strength="sampled")
def the_fluid_engine_rests_on_the_closed_form() -> Outcome:
    """Start five sets of weights on their thresholds: after 1 s every queue equals equation (9) exactly."""
    for sojourns in SOJOURNS:
        state = l2bm.sojourn_steady_state(60, sojourns, "1/8")
        final = answer(scenario(l2bm.weights(sojourns, "1/8"), steady=len(sojourns)), 1)["queues"][0]
        check([Fraction(q) for q in final] == list(state.thresholds), f"{sojourns}")
    return Agrees(len(SOJOURNS), "five sets of sojourn times, alpha = 1/8")


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


@evidence("l2bm.sec4a.burst-tolerance", form="repaired", strength="symbolic")
@evidence("l2bm.abstract.absorb", form="printed", strength="symbolic")
def a_larger_weight_delays_the_drop() -> Outcome:
    """T = w F0 / (r + w phi): its derivatives by w and by F0 have no negative coefficient."""
    w, F0, r, phi = sympy.symbols("w F0 r phi", positive=True)
    time = w * F0 / (r + w * phi)
    for symbol in (w, F0):
        slope = sympy.fraction(sympy.factor(sympy.diff(time, symbol)))
        check(all(c > 0 for part in slope for c in sympy.Poly(sympy.expand(part), w, F0, r, phi).coeffs()), f"{symbol}")
    return Proved(
        "dt/dw > 0, dt/dF0 > 0", {"w": "1", "F0": "3", "r": "2", "phi": "1", "t": "1"}, ["t == w*F0 / (r + w*phi)"]
    )


@evidence("l2bm.sec4a.burst-tolerance", form="printed", strength="exact")
def a_lower_occupancy_leaves_more_room_for_a_burst() -> Outcome:
    """A burst of rate 3 into an empty switch drops at 15 s, beside one queue on its threshold at 10 s."""
    run = scenario((Fraction(1),) * 2, steady=1, burst="3", until="30", sample=())
    busy, idle = (Fraction(answer(case, 1)["first_drop"][-1]) for case in (run, _without_the_first(run)))
    check([busy, idle] == [10, 15], f"{busy}, {idle}")
    return Counterexample(
        Witness("fluid", run, {"first_drop": ["0", "10"]}, {"first_drop": ["0", "15"]}, "an idle switch lasts 15 s")
    )


def _without_the_first(run: dict[str, Any]) -> dict[str, Any]:
    return {**run, "queues": run["queues"][1:]}


@evidence("l2bm.sec4b.not-encroaching", form="printed", strength="kernel")
def a_newcomer_takes_from_the_others() -> Outcome:
    """Equal sojourn times, alpha = 1: the first queue's steady threshold falls from B/2 to 2B/5."""
    alone, joined = (l2bm.sojourn_steady_state(10, [1] * n, 1).thresholds[0] for n in (1, 2))
    check([alone, joined] == [5, 4], f"{alone}, {joined}")
    values = {"alpha": "1", "B": "10", "n": "2"}
    statement = "B * alpha*n / (1 + alpha*n**2) >= B * alpha / (1 + alpha)"
    given = ["min(alpha, B) > 0", "n >= 1"]
    return Counterexample(Witness("values", {"values": values, "hypotheses": given, "statement": statement}))


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


@evidence("l2bm.sec1.incast", form="printed", strength="symbolic")
def more_than_the_port_can_send_piles_up() -> Outcome:
    """N R = C + d: the queue of the port grows at d > 0; then one run of the fluid engine."""
    C, d = sympy.symbols("C d", positive=True)
    check(sympy.expand((C + d) - C - d) == 0, "the growth")
    final = answer(scenario((Fraction(1),), steady=0, burst="3"), 1)["queues"][0]
    check(final == ["2"], f"{final}")
    return Proved("Q' = n R - C", {"n": "3", "R": "1", "C": "1"}, ["n * R > C"])
