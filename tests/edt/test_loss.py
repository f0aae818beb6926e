"""All bytes lost, against the engine: each number of the bounds is needed where they are attained."""

from dataclasses import replace
from fractions import Fraction

import pytest
from ledger_cases import paper_forms

from dtmodel import DT, Arrivals, Switch, simulate
from dtmodel.companion.words import VOCABULARY
from dtmodel.ledger.formal import Instance, read_formal
from dtmodel.ledger.hunting import recorded_witness

F = Fraction
# One flow alone: alpha = 1, B = 6, C = 1, four seconds at the rate 2 (of 4 + t bytes at most), which lose one byte.
ALONE = "alpha = 1; B = 6; C = 1; M = 1; N = 0; rate = [2, 2, 2]; s = [1, 1, 2]"
FLOWS = f"{ALONE}; R_b = 2; rho = 1; depth = 4"
BESIDE = "n = 1; q = [0]; other = [0]; rho = 1; level = 3; depth = 4; cn2 = 9; tm1 = 1; tm2 = 1"


@pytest.mark.parametrize(
    ("claim", "instance", "said", "altered"),
    [
        ("edt.ours.loss", f"{ALONE}; {BESIDE}", "theta/sigma*(1 - rho/P))", "theta/sigma)"),
        ("edt.ours.loss", f"{ALONE}; {BESIDE}", "max(rho - C, rho*(1 - theta/sigma))*t", "max(rho - C, 0)*t - 1/3"),
        ("edt.ours.loss.dt", f"{FLOWS}; R = [0]; begin = [0]; last = [1]", "**(M + N)*sigma", "**(M + N - 1)*sigma"),
        ("edt.ours.loss.flows", FLOWS, "share/sigma*(1 - rho/P)", "share/sigma"),
        ("edt.ours.loss.flows", FLOWS, "1 - C/P - share", "1 - C - share"),
        ("edt.ours.private-buffer", f"{ALONE}; R_b = 2; a = 0", "(rate[k] - C)*s[k] - share", "rate[k]*s[k] - share"),
        (
            "edt.ours.loss.on-off",
            "alpha = 1; B = 6; C = 1; M = 1; N = 0; R_b = 2; K = 2; P = 2; rho = 1; sigma = 4",
            "== K*(",
            "== (K - 1)*(",
        ),
        (
            "edt.ours.settles",
            'B = 6; C = 1; n = 1; w = [1]; c = [1]; q = [0]; busy = ["yes"]; e = [1]; g = [1]; change = 9; v = 1/2',
            "d - 2*delta*u",
            "d - 3*delta*u",
        ),
    ],
)
def test_each_number_is_needed_where_the_bound_is_attained(claim: str, instance: str, said: str, altered: str) -> None:
    target = next(form for form in reversed(paper_forms()) if form.claim == claim)
    values = recorded_witness(replace(target, witness=instance))
    text = target.formal.text
    assert said in text
    used = {variable.name for variable in target.formal.variables}
    values = {name: value for name, value in values.items() if name in used}
    assert values.keys() == used
    assert Instance(target.formal, values, VOCABULARY).truth().holds
    assert Instance(read_formal(text.replace(said, altered)), values, VOCABULARY).truth().holds is False


@pytest.mark.parametrize(("slow", "held"), [(F(13, 10), F(159, 80)), (F(9), F(2))])
def test_steady_ports_that_lag_by_different_rates_break_the_private_buffer(slow: F, held: F) -> None:
    offered = {0: Arrivals([(2, 4)]), 1: Arrivals.constant(9), 2: Arrivals.constant(slow)}
    run = simulate(Switch(3, 8, 1), DT(1), offered, initial={0: 2, 1: "steady", 2: "steady"}, until=9)
    drop = run.first_drop(0)
    assert drop is not None
    assert run.queue(0).at(drop) == held
