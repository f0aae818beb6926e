"""EDT after the overflow: ports in steady state that cannot follow the rising threshold, against the engine."""

import random
from fractions import Fraction

import pytest
from refusals import refused

from dtmodel import EDT, Arrivals, Switch, simulate
from dtmodel.theory.edt import Bursts, EdtSettings, steady_peak
from dtmodel.theory.edt.overflow import steady_uncontrolled

F = Fraction


def drawn(rng: random.Random) -> tuple[Bursts, EdtSettings, F]:
    """Draw bursts that are recognised, of any speed, beside steady ports about the bound, with ties on purpose."""
    alpha, B, M, N = (
        F(rng.randint(1, 12), rng.randint(1, 4)),
        F(rng.randint(4, 40)),
        rng.randint(1, 4),
        rng.randint(1, 3),
    )
    excess = (1 + alpha * N) / (alpha * M) * rng.choice([F(1, 5), F(1, 2), F(1), F(5, 4), F(2), F(9)])
    bursts = Bursts(alpha, B, F(1), M, N, 1 + excess)
    rise = alpha * M / (1 + alpha * N)
    background = 1 + rise * rng.choice([F(0), F(1, 7), F(1, 2), F(1), F(1), F(11, 10)])
    held = alpha * (B - (M + N) * bursts.left) / (1 + alpha * (M + N))
    cn2 = min(bursts.r * bursts.dt_drop, held if held > 0 else B) * rng.choice([F(1), F(1), F(1, 2), F(1, 9)])
    counting, least = cn2 / bursts.r, cn2 / (background - 1) if background > 1 else F(0)
    tm1 = rng.choice([None, max(counting, least), max(counting, least * F(99, 100))])
    tm2 = rng.choice([None, bursts.overflow - counting + F(rng.randint(1, 30), rng.randint(1, 9))])
    return bursts, EdtSettings(cn2, tm1, tm2), background


def check_against_the_engine(bursts: Bursts, settings: EdtSettings, background: F) -> str:
    offered = dict.fromkeys(range(bursts.M), Arrivals.constant(bursts.R))
    offered |= dict.fromkeys(range(bursts.M, bursts.M + bursts.N), Arrivals.constant(background))
    freed, peak = steady_uncontrolled(bursts, settings, background), steady_peak(bursts, settings, background)
    until = (peak.time if peak else bursts.overflow + 4 * bursts.B) + 1
    policy = EDT(bursts.alpha, settings.cn2, settings.tm1, settings.tm2)
    initial = dict.fromkeys(range(bursts.M, bursts.M + bursts.N), "steady")
    run = simulate(Switch(bursts.M + bursts.N, bursts.B, bursts.C), policy, offered, until=until, initial=initial)
    queue = run.queue(bursts.M)
    assert next((time for time, slope, _ in queue.limits if slope == 0), None) == freed
    assert (freed is None) == (peak is None)
    if peak is None or freed is None:
        return "never"
    assert queue.at(peak.time) == peak.length
    assert queue.dropped(freed) == queue.dropped(peak.time) < queue.dropped(peak.time + F(1, 10**6))
    return "all" if peak.length * bursts.N == bursts.B else "some"


def test_the_closed_forms_are_what_the_engine_does() -> None:
    rng = random.Random(18)
    seen = [check_against_the_engine(*drawn(rng)) for _ in range(150)]
    assert min(seen.count(kind) for kind in ("never", "all", "some")) >= 10


def test_at_the_papers_rates_exactly_one_burst_more_frees_them() -> None:
    """With R = 2 C and alpha = 1 ports with 2 C become uncontrolled iff M = N + 1."""
    settings = EdtSettings(F(12_000), F(21, 10_000), F(1, 100))
    for M in range(1, 8):
        for N in range(1, 8):
            bursts = Bursts(F(1), F(10**6), F(125 * 10**6), M, N, F(250 * 10**6))
            assert (steady_uncontrolled(bursts, settings, bursts.R) is not None) == (M == N + 1)


@pytest.mark.parametrize(
    ("field", "background", "settings"),
    [
        ("background", F(1, 2), EdtSettings(F(1))),
        ("cn2", F(1), EdtSettings(F(9))),
        ("cn2", F(1), EdtSettings(F(1), F(1, 2))),
        ("tm2", F(1), EdtSettings(F(1), None, F(1))),
    ],
)
def test_what_is_not_accepted_is_named(field: str, background: F, settings: EdtSettings) -> None:
    with refused(field):
        steady_peak(Bursts(F(1), F(12), F(1), 1, 1, F(2)), settings, background)
