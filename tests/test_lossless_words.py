"""Lengths without loss, and the excess of steady queues beside them, equal recursions and follow their law."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from ledger_cases import paper_forms

from dtmodel.base.expressions import never
from dtmodel.companion.words import VOCABULARY
from dtmodel.ledger.formal import Formal, Instance, read_formal

F = Fraction
COMMON = """for alpha > 0; C > 0; M : int >= 1; N : int >= 0; K : int >= 1; 0 <= w <= 1
for rate : list(M*K) >= 0; s : list(K) > 0; b : list(K) >= C
seq begin[k] = sum(j, 1..k - 1, s[j])
let end = begin[K + 1]; u = w*end
let A = list(i, 1..M, list(k, 1..K, [begin[k], rate[(i - 1)*K + k]])); R_b = list(k, 1..K, [begin[k], b[k]])
seq X[t] = list(i, 1..M, integral(A[i], 0, t) - C*t)
seq q[t] = list(i, 1..M, X[t][i] - min(0, X[t][i], min(list(k, 1..K, X[begin[k]][i] if begin[k] <= t else 0))))
seq S[t] = sum(q[t])
seq Z[t] = alpha*S[t] - (1 + alpha*N)*C*t
seq empty[k] = list(i, 1..M, min(begin[k + 1], begin[k]
  + (q[begin[k]][i]/(C - rate[(i - 1)*K + k]) if rate[(i - 1)*K + k] < C else 0)))
"""
"""The lengths as heights over the running minimum of what has come less C t, and the times at which they become 0."""
MINIMUM = f"""{COMMON}seq e[t] = Z[t] - min(Z[t], min(list(k, 1..K, Z[begin[k]] if begin[k] <= t else Z[t])),
  min(list(k, 1..K, min(list(i, 1..M, Z[empty[k][i]] if empty[k][i] <= t else Z[t])))))
then each(i, 1..M, lossless(A[i], C, u) == q[u][i]); excess(A, C, alpha, N, never, u) == e[u]"""
STEPS = f"""{COMMON}let steps = (M + 1)*K + 3
seq p[n] = 0 if n == 0 else min(end, u if u > p[n - 1] else end, min(list(k, 1..K,
  min(begin[k + 1] if begin[k + 1] > p[n - 1] else end,
  min(list(i, 1..M, empty[k][i] if empty[k][i] > p[n - 1] else end))))))
seq gain[n] = (1 + alpha*N)*sum(k, 1..K, b[k] if begin[k] <= p[n - 1] < begin[k + 1] else 0)
seq long[n] = p[n] - p[n - 1]
seq slope[n] = 0 if long[n] == 0 else (Z[p[n]] - Z[p[n - 1]])/long[n]
seq onward[n] = E[n - 1] + (slope[n] if E[n - 1] > 0 else slope[n] + gain[n])*long[n]
seq rest[n] = slope[n] if slope[n] > 0 else (slope[n] + gain[n] if slope[n] + gain[n] < 0 else 0)
seq E[n] = 0 if n == 0 else (E[n - 1] if long[n] == 0 else (rest[n]*long[n] if E[n - 1] == 0 else
  (onward[n] if onward[n]*E[n - 1] >= 0 else
  rest[n]*onward[n]/(slope[n] if E[n - 1] > 0 else slope[n] + gain[n]))))
seq e[t] = sum(n, 1..steps, E[n] if p[n] == t and p[n - 1] < t else 0)
then each(i, 1..M, lossless(A[i], C, u) == q[u][i]); excess(A, C, alpha, N, R_b, u) == e[u]"""
SIZES = [F(n, d) for n in range(1, 7) for d in (1, 2, 3)]


def drawn(random: Random) -> dict[str, Any]:
    C, M, K = random.choice(SIZES), random.randint(1, 3), random.randint(1, 4)
    rates = [random.choice([F(0), C, *SIZES]) for _ in range(M * K)]
    s = [random.choice(SIZES) for _ in range(K)]
    begin = sum(s[: random.randint(0, K)], F(0))
    return {
        "alpha": random.choice(SIZES), "C": C, "M": F(M), "N": F(random.randint(0, 3)), "K": F(K), "rate": rates,
        "s": s, "b": [C + random.choice([F(0), *SIZES]) for _ in range(K)],
        "w": random.choice([begin / sum(s), F(random.randint(1, 99), 100)]),
    }  # fmt: skip


def sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)


def instances(text: str, number: int) -> Iterator[Instance]:
    random = Random(38)
    yield from (Instance(read_formal(text), drawn(random), VOCABULARY) for _ in range(number))


@pytest.mark.parametrize("text", [MINIMUM, STEPS], ids=["over the least value", "step by step"])
def test_lengths_and_excess_are_those_of_the_recursions(text: str) -> None:
    found = [instance.truth() for instance in instances(text, 300)]
    assert [each for each in found if each.holds is not True] == []


def test_the_excess_follows_its_law_on_all_sides_of_zero() -> None:
    seen: set[tuple[int, int]] = set()
    for at in instances(STEPS, 600):
        A, C, alpha, N, b, u = (at[name] for name in ("A", "C", "alpha", "N", "R_b", "u"))
        given = A, C, alpha, N, b
        later = VOCABULARY["soon_after"](*given, u)
        middle = (u + later) / 2
        e = {t: VOCABULARY["excess"](*given, t) for t in (F(0), u, middle, later)}
        lengths = {t: [VOCABULARY["lossless"](each, C, t) for each in A] for t in (u, middle, later)}
        assert u < later
        assert (e[F(0)], 2 * e[middle]) == (0, e[u] + e[later])
        assert all(2 * two == one + three for one, two, three in zip(*lengths.values(), strict=True))
        assert all(VOCABULARY["rate_at"](each, u) == VOCABULARY["rate_at"](each, later) for each in A)
        above = alpha * (sum(lengths[later]) - sum(lengths[u])) / (later - u) - (1 + alpha * N) * C
        below = above + (1 + alpha * N) * VOCABULARY["rate_at"](b, u)
        rest = above if above > 0 else below if below < 0 else F(0)
        law = above if e[u] > 0 else below if e[u] < 0 else rest
        assert (e[later] - e[u]) / (later - u) == law
        seen.add((sign(e[u]), sign(law)))
    assert seen >= {(1, 1), (1, -1), (-1, 1), (-1, -1), (0, 1), (0, 0), (0, -1)}


def pausing(random: Random, form: Formal) -> dict[str, Any]:
    """Many bursts that pause together beside steady queues that cannot follow the rise of the threshold."""
    C, M = F(1), random.randint(3, 6)
    first, second = random.choice(SIZES) + C, random.choice([F(0), F(1, 2)])
    s = [random.choice(SIZES) / 4, random.choice(SIZES), F(1)]
    values: dict[str, Any] = {
        "K": F(3), "alpha": random.choice(SIZES), "B": F(random.randint(8, 40)),
        "C": C, "M": F(M), "N": F(random.randint(1, 2)),
        "rate": [rate for _ in range(M) for rate in (first, second, C)], "s": s,
        "r": [C + random.choice([F(0), F(1, 4)]) for _ in range(3)], "v": F(1),
    }  # fmt: skip
    at = Instance(form, values, VOCABULARY)
    top = min(at["first"], at["stop"])
    return values | {"v": min(F(1), (s[0] + s[1] * F(random.randint(1, 9), 10)) / top)}


def test_thresholds_that_rise_faster_than_steady_queues_are_those_of_the_claim() -> None:
    (form,) = (each.formal for each in paper_forms() if each.claim == "edt.ours.first-drop.slow-ports")
    random, lags = Random(38), 0
    for _ in range(60):
        at = Instance(form, pausing(random, form), VOCABULARY)
        assert at.truth().holds is True, at.assignment
        lags += VOCABULARY["excess"](*(at[name] for name in ("A", "C", "alpha", "N", "b", "u"))) < 0
    assert lags > 20


def test_lengths_and_excess_are_0_before_time_0() -> None:
    flows = [[[F(0), F(4)]]]
    assert [VOCABULARY["lossless"](flows[0], F(1), F(time)) for time in (-1, 0, 1)] == [0, 0, 3]
    assert [VOCABULARY["excess"](flows, F(1), F(1), F(1), never, F(time)) for time in (-1, 1)] == [0, 1]
