"""Every parameter sheet ends: shortcuts that agree with the long way, and budgets for what is left."""

import random
import time
from fractions import Fraction
from itertools import combinations

import pytest

from dtmodel.base.errors import BudgetError
from dtmodel.theory.dt import sheet as dt_sheet
from dtmodel.theory.dynaq import formulas as dynaq
from dtmodel.theory.dynaq import sheet as dynaq_sheet
from dtmodel.theory.edt import inverse as edt_inverse
from dtmodel.theory.edt import sheet as edt_sheet
from dtmodel.theory.edt.drops import Bursts, EdtSettings, edt_drop_time


def number(chance: random.Random, most: int = 12) -> Fraction:
    return Fraction(chance.randint(1, most), chance.randint(1, 6))


def every_case(P: int) -> list[tuple[int, int]]:
    return [(M, N) for M in range(1, P + 1) for N in range(P - M + 1)]


@pytest.mark.parametrize("seed", range(120))
def test_the_worst_bursts_are_as_many_as_the_ports_allow(seed: int) -> None:
    chance = random.Random(seed)
    alpha, B, C, P = number(chance, 6), number(chance, 30), number(chance, 5), chance.randint(1, 7)
    R, d = C + number(chance), number(chance)
    timers = [None if chance.random() < 0.3 else number(chance) for _ in range(2)]
    settings = EdtSettings(number(chance), *timers)
    bursts = {(M, N): Bursts(alpha, B, C, M, N, R) for M, N in every_case(P)}
    switch = {"alpha": alpha, "B": B, "C": C, "P": P, "R": R}
    assert edt_inverse.longest_burst(policy="dt", **switch) == min(b.dt_drop for b in bursts.values())
    assert edt_inverse.longest_burst(**switch) == min(b.overflow for b in bursts.values())
    assert edt_inverse.longest_burst(settings=settings, **switch) == min(
        edt_drop_time(b, settings) for b in bursts.values()
    )
    carried = [edt_drop_time(b, settings) for (M, N), b in bursts.items() if M * R + N * C <= P * C]
    if carried:
        assert edt_inverse.longest_burst(settings=settings, carried=True, **switch) == min(carried)
    rates = {"alpha": alpha, "B": B, "C": C, "P": P, "d": d}
    assert edt_inverse.largest_rate(**rates) == C + min((B / ((1 + alpha * N) * d) + N * C) / M for M, N in bursts)
    assert edt_inverse.largest_rate(policy="dt", **rates) == C + min(
        (alpha * B / ((1 + alpha * N) * d) + alpha * N * C) / (1 + alpha * M) for M, N in bursts
    )


def packet_by_packet(S: list[Fraction], p: int, s: Fraction) -> Fraction:
    """Let Algorithm 1 lower the threshold with the largest extra, packet after packet."""
    T = list(S)
    others = [i for i in range(len(S)) if i != p]
    while others:
        v = max(others, key=lambda i: (T[i] - S[i], -i))
        if T[v] < s:
            break
        T[v], T[p] = T[v] - s, T[p] + s
    return T[p]


@pytest.mark.parametrize("seed", range(100))
def test_a_queue_alone_gets_what_it_gets_packet_by_packet(seed: int) -> None:
    chance = random.Random(seed)
    S, s = [number(chance, 30) for _ in range(chance.randint(1, 6))], number(chance, 4)
    for p in range(len(S)):
        assert dynaq.threshold_alone(S, p, s) == packet_by_packet(S, p, s)


@pytest.mark.parametrize("seed", range(60))
def test_the_sheet_counts_pairs_as_if_it_looked_at_each(seed: int) -> None:
    chance = random.Random(seed)
    weights = [chance.randint(1, 4) for _ in range(chance.randint(3, 7))]
    buffer, rtt, packet = (
        Fraction(chance.randint(10, 60)),
        Fraction(chance.randint(1, 40)),
        Fraction(chance.randint(1, 5)),
    )
    sheet = dynaq_sheet.parameters(buffer, 1, rtt, weights, packet=packet)
    S = dynaq.satisfaction_thresholds(buffer, [Fraction(w) for w in weights])
    pairs = [dynaq.threshold_of_always_active(S, pair, packet) for pair in combinations(range(len(S)), 2)]
    assert sheet["pair_threshold"] == min(pairs)
    short = sum(value < rtt for value in pairs)
    said = [warning for warning in sheet.warnings if "pairs of queues" in warning]
    assert [warning.split(" pairs")[0] for warning in said] == ([f"{short} of {len(pairs)}"] if short else [])


BIG = {"buffer": "1 MB"}


def test_what_is_too_large_is_refused_by_name_and_at_once() -> None:
    start = time.process_time()
    with pytest.raises(BudgetError, match=r"ports: got .*events="):
        edt_sheet.parameters(ports=10**9, rate="1 Gbps", **BIG)
    with pytest.raises(BudgetError, match=r"ports: got .*events="):
        dt_sheet.parameters(ports=10**9, steady=10**8, burst_rate="2 Gbps", rate_="1 Gbps", **BIG)
    with pytest.raises(BudgetError, match=r"weights: got .*events="):
        dynaq_sheet.parameters("1 MB", "1 Gbps", "1 ms", [1] * 2000)
    assert dt_sheet.parameters(ports=10**9, rate_="1 Gbps", **BIG)["threshold"] == 10**6
    assert dynaq_sheet.parameters("1e30", "1 Gbps", "1 ms", [1, 2], packet=1, granularity=1)["bdp"] == 125_000
    assert time.process_time() - start < 20


def test_a_first_drop_may_have_more_digits_than_python_writes() -> None:
    small, large = (dt_sheet.parameters(ports=4, buffer=8 * 10**n, rate_=1, steady=1, burst_rate=3) for n in (0, 5000))
    assert large["first_drop"] == small["first_drop"] * 10**5000
