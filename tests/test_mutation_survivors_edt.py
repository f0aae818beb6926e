"""What the mutants of the DT and EDT theory taught: roots, inverse questions, and queues beside the fluid engine."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from dtmodel import DT, EDT, Arrivals, InputError, Switch, simulate
from dtmodel.theory import edt_formulas
from dtmodel.theory.dt_parameters import parameters
from dtmodel.theory.edt import Bursts, dt_queue, edt_queue
from dtmodel.theory.edt_inverse import largest_rate, longest_burst
from dtmodel.theory.varying_rates import Shared, theorem4_roots
from dtmodel.theory.varying_rates_curved import Surd, _first_positive, first_drop_linear

F = Fraction


def test_a_surd_lies_within_its_bounds_and_solves_its_polynomial():
    small, large = Surd(F(3), -1, F(5)), Surd(F(3), 1, F(5))
    assert small.polynomial() == large.polynomial() == (-6, 4)
    for surd, value in ((small, 0.7639320225002103), (large, 5.23606797749979)):
        low, high = surd.bounds(8)
        assert low < F(value) < high
        assert high - low == F(1, 256)
        assert float(surd) == value
    assert Surd(F(3)).bounds(8) == (3, 3)
    assert Surd(F(3), -1, F(4, 9)) == Surd(F(7, 3))
    assert Surd(F(3), -1, F(0)) == Surd(F(3))


def test_surds_that_nearly_agree_are_told_apart():
    root, near = Surd(F(0), 1, F(2)), F(14142135623730951, 10**16)
    assert root < Surd(near)
    assert not Surd(near) < root
    assert not root < root  # noqa: PLR0124 - a strict order


@pytest.mark.parametrize(
    ("coefficients", "infimum"),
    [
        ((0, 0, 1), 0), ((-1, -1, 1), 0), ((0, 1, 0), 0), ((-1, 1, 0), 0), ((1, 0, 0), 0), ((1, -1, 0), 1),
        ((0, 0, 0), None), ((-1, 0, 0), None), ((-1, -1, 0), None), ((0, -1, 0), None),
        ((0, 2, -6), 3), ((0, 0, -1), None), ((0, -1, -1), None),
        ((1, -1, -2), 2), ((2, 2, -4), 1), ((4, 0, -1), F(1, 2)),
        ((-1, 3, -2), 1), ((-2, 8, -6), 1), ((-4, 8, -3), F(1, 2)),
        ((-1, 2, -1), None), ((-1, 1, -1), None), ((-1, -3, -2), None), ((0, 2, 0), 0), ((3, 2, 0), 0), ((-3, 2, 0), 0),
        ((-1, 1, F(-3, 16)), F(1, 4)), ((-1, F(-1, 2), F(-1, 100)), None), ((-1, F(1, 2), F(-1, 25)), F(1, 10)),
    ],
)  # fmt: skip
def test_when_a_quadratic_becomes_positive(coefficients, infimum):
    found = _first_positive(tuple(map(F, coefficients)))
    assert found == (None if infimum is None else Surd(F(infimum)))


def test_a_rate_that_rises_past_the_turning_point_is_cut_there():
    """R(t) = 1 + t beside nobody: q = t^2/2 meets T = 6 - q at sqrt(6), and Z turns at R = 2, t = 1, on the way."""
    shared = Shared(F(1), F(6), F(1), 0)
    rising = [(F(0), F(1), F(1))]
    assert first_drop_linear(shared, 1, rising, F(9)) == Surd(F(0), 1, F(6))
    with pytest.raises(InputError, match="throughout"):
        first_drop_linear(shared, 1, [(F(0), F(2), F(-1))], F(9))


def test_the_roots_of_theorem_4_for_a_constant_rate():
    """alpha = 2, B = 30, C = 2, N = 3, M = 2, R = 3: 11 t = 60, and 15 t - 22 t = (60 + 6 (4 * 12 - 11 * 8)) / 7."""
    assert theorem4_roots(Shared(F(2), F(30), F(2), 3), 2, [(F(0), F(3))], F(4), F(20)) == ((F(60, 11),), (F(180, 49),))


def test_formulas_that_are_kept_as_printed():
    assert edt_formulas.cn2_printed_in_proof(F(2), F(5), 3) == 5
    assert edt_formulas.footnote9(1, 4, F(3), F(1)) == 5


@pytest.mark.parametrize("policy", ["dt", "edt"])
def test_the_largest_rate_is_the_inverse_of_the_longest_burst(policy):
    for alpha, P, d in product([F(1, 4), F(1, 2), F(1), F(3)], [1, 2, 3, 4], [F(1), F(5)]):
        switch = {"alpha": alpha, "B": F(20), "C": F(2), "P": P, "policy": policy}
        assert longest_burst(R=largest_rate(d=d, **switch), **switch) == d


def test_only_what_the_inputs_can_bring_is_asked_of_a_switch():
    """P = 2, C = 2: a burst of rate 4 beside an idle port is just what two inputs bring; one of rate 5 is more."""
    switch = {"alpha": F(1), "B": F(16), "C": F(2), "P": 2}
    assert longest_burst(R=F(4), carried=True, **switch) == Bursts(F(1), F(16), F(2), 1, 0, F(4)).overflow
    assert longest_burst(R=F(4), **switch) < longest_burst(R=F(4), carried=True, **switch)
    assert longest_burst(R=F(3), carried=True, **switch) == Bursts(F(1), F(16), F(2), 1, 0, F(3)).overflow
    with pytest.raises(InputError, match="at most 4 bytes/s"):
        longest_burst(R=F(5), carried=True, **switch)


def test_what_the_inputs_bring_to_steady_ports_counts_at_their_rate():
    """P = 3, C = 2: 5 + 2 is more than 6; beside that steady port the buffer would be full at 60 / 5, not at 60 / 3."""
    switch = {"alpha": F(4), "B": F(60), "C": F(2), "P": 3, "R": F(5)}
    assert Bursts(F(4), F(60), F(2), 1, 1, F(5)).overflow == 12
    assert longest_burst(carried=True, **switch) == 20
    # At rate 4 three inputs bring the steady port too: DT loses at 60 / (3 * 2), not at 60 / (2 * 2).
    assert longest_burst(carried=True, policy="dt", **switch | {"alpha": F(1), "R": F(4)}) == 10
    # Six inputs bring three bursts of rate 4 beside nobody, though not one beside five: 60 / (3 * 2), not 60 / 2.
    assert longest_burst(carried=True, **switch | {"alpha": F(1), "R": F(4), "P": 6}) == 10


@pytest.mark.parametrize(("alpha", "N", "M"), [*product([F(1, 2), F(1), F(2)], [0, 1, 3], [1, 2])])
def test_the_queues_of_bursts_are_those_of_the_fluid_engine(alpha, N, M):
    for R in (F(3), F(8), F(24)):
        bursts = Bursts(alpha, F(24), F(2), M, N, R)
        traffic = {i: Arrivals.constant(R if i < M else 100) for i in range(M + N)}
        steady = dict.fromkeys(range(M, M + N), "steady")
        ends = 3 * bursts.overflow
        times = sorted({*(ends * F(k, 16) for k in range(17)), bursts.overflow, bursts.dt_drop})
        for policy, queue in ((DT(alpha), dt_queue), (EDT(alpha, cn2="1/1000"), edt_queue)):
            run = simulate(Switch(M + N, 24, 2), policy, traffic, initial=steady, until=ends)
            assert [run.queue(0).at(time) for time in times] == [queue(bursts, time) for time in times]


def test_what_a_newcomer_finds_is_said_when_it_is_little():
    """alpha = 8, P = 4: 1 / 33 of the buffer; alpha = 4: 1 / 17, more than a twentieth."""
    given = {"ports": 4, "buffer": "1 MB", "rate_": "1 Gbps"}
    assert "3.0%" in parameters(alpha=8, **given).warnings[0]
    assert parameters(alpha=4, **given).warnings == ()


@pytest.mark.parametrize(
    ("alpha", "N", "R", "follow"),
    [(1, 0, 18, True), (2, 1, 4, True), (2, 1, 5, True), (2, 1, 6, False), (1, 1, 6, True), (1, 1, 7, False)],
)
def test_steady_ports_follow_a_threshold_that_falls_slowly_enough(alpha, N, R, follow):
    """They follow while alpha fall <= C = 2: for M = 1 up to R - C = (1 + alpha N) C / alpha."""
    sheet = parameters(ports=4, buffer=100, rate_=2, alpha=alpha, steady=N, bursts=1, burst_rate=R)
    assert sheet["steady_ports_follow"] is follow
