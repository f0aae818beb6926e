"""Statements evaluated: Theorem 3 in closed form against its recursion, Theorem 1 on arrays against loops, in one run.

Theorem 3: 256 ports, all t_k exactly, by the closed form on integers, by the closed form and by the recursion of the
print on fractions; and by `evaluate`, which reads the rates, looks at the hypotheses and returns t_k and F_k; rates
that are whole, and rates of which each has a denominator of its own. The answers are equal, or this stops.

Theorem 1: first drop and free buffer, by `evaluate` on arrays (with its mask), by an expression of NumPy that is
written by hand, by `lambdify`, and by a loop of floats through the same formulas.

    python benchmarks/statements.py [POINTS]
"""

import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from _bounds import bounded

from dtmodel.theory import dt
from dtmodel.theory.dt import formulas, meetings, series

F = Fraction


def best(work: Callable[[], Any], times: int) -> tuple[float, Any]:
    """Return the least seconds of the processor that some work took, and its answer."""
    least, answer = float("inf"), None
    for _ in range(times):
        begin = time.process_time()
        answer = work()
        least = min(least, time.process_time() - begin)
    return least, answer


def by_fractions(alpha: Fraction, B: Fraction, C: Fraction, N: int, R: list[Fraction]) -> list[Fraction]:
    """Return t_k in closed form, each operation one between fractions."""
    share, times = alpha * formulas.initial_free(alpha, B, N), []
    for k, (rate, G) in enumerate(zip(R, series.growth_sums(C, R), strict=True)):
        D = formulas.closing_rate(alpha, C, N + k, rate - C, G)
        times.append(share / D)
        share *= formulas.drain_factor(alpha, rate, D)
    return times


def theorem_3(ports: int) -> None:
    """Print milliseconds for all ports."""
    steps = range(ports, 0, -1)
    whole = [F(10**6 + 20_000 * k) for k in steps]
    broken = [F(10**6) + F(20_000 * k * (k + 7) + 1, k + 7) for k in steps]
    columns = "".join(f"{name:>15}" for name in ("integers, ms", "evaluate, ms", "fractions, ms", "recursion, ms"))
    print(f"{f'Theorem 3, {ports} ports, exact':35}{columns}")
    named = ("alpha", "B", "C", "N", "R")
    for name, R in (("whole rates", whole), ("own denominators", broken)):
        given = (F(1, 2), F(10**7), F(1000), 3, R)
        fast, found = best(partial(meetings.all_drain, *given), 20)
        asked = dict(zip(named, given, strict=True))
        whole_, answer = best(partial(dt.theorem3.evaluate, **asked), 9)
        slow, again = best(partial(by_fractions, *given), 5)
        print_, printed = best(partial(series.recursive_drains, *given), 1)
        assert found == again == [t for t, _ in printed] == answer.first_drop
        assert answer.free_at_first_drop == [free for _, free in printed]
        print(f"  {name:33}{fast * 1e3:15.2f}{whole_ * 1e3:15.2f}{slow * 1e3:15.1f}{print_ * 1e3:15.0f}", flush=True)


def theorem_1(points: int) -> None:
    """Print millions of evaluations a second."""
    rng = np.random.default_rng(1)
    given = {"alpha": 1.0, "B": 1e6, "C": 1.25e8, "M": 1, "N": 2}
    R = rng.uniform(1.5e8, 9e8, points)
    alpha, B, C, M, N = given.values()
    functions = [dt.theorem1.lambdify(name) for name in ("first_drop", "free_at_first_drop")]

    def by_hand() -> tuple[Any, Any, Any]:
        r, slow = R - C, formulas.rate_bound(alpha, C, M, N) >= R
        closing = (1 + alpha * N) * ((1 + alpha * M) * r - alpha * N * C)
        times = np.where(slow, alpha * B / ((1 + alpha * (M + N)) * r), alpha * B / closing)
        return times, np.where(slow, formulas.slow_free(alpha, B, M, N), r * B / closing), R > C

    def loop() -> list[tuple[float, float]]:
        answers = []
        for rate in R[: points // 20].tolist():
            if rate <= formulas.rate_bound(alpha, C, M, N):
                answers.append((formulas.slow_drop_time(alpha, B, M, N, rate - C), formulas.slow_free(alpha, B, M, N)))
            else:
                fast = (alpha, B, C, M, N, rate - C)
                answers.append((formulas.fast_drop_time(*fast), formulas.fast_free(*fast)))
        return answers

    arrays, answer = best(lambda: dt.theorem1.evaluate(**given | {"R": R}), 30)
    handmade, (times, *_) = best(by_hand, 30)
    compiled, plain = best(lambda: [function(**given | {"R": R}) for function in functions], 5)
    looped, each = best(loop, 1)
    fixed, _ = best(lambda: [dt.theorem1.evaluate(**given | {"R": R[:1]}) for _ in range(200)], 5)
    assert np.allclose(answer.first_drop, plain[0], rtol=1e-13)
    assert np.allclose(answer.first_drop, times, rtol=1e-13)
    assert np.allclose(answer.free_at_first_drop[: len(each)], [free for _, free in each], rtol=1e-13)
    print(f"Theorem 1, {points:,} points, millions of evaluations a second")
    for name, rate in (
        ("arrays", points / arrays), ("NumPy by hand", points / handmade),
        ("lambdify", points / compiled), ("loop of floats", len(each) / looped),
    ):  # fmt: skip
        print(f"  {name:24}{rate / 1e6:24.2f}", flush=True)
    print(f"  an array of one point: {fixed / 200 * 1e3:.2f} ms")
    print("  " + bounded("arrays, in times of NumPy by hand", arrays / handmade, 1.5))


if __name__ == "__main__":
    theorem_3(256)
    theorem_1(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000)
