"""Families that nobody thought of, of one symbol: each is answered rightly, and its certificate is accepted."""

import json
from fractions import Fraction
from random import Random

import pytest

from dtmodel.derive import Limits, derive
from dtmodel.derive.theorem.check import engine_at
from proofs.check_certificates import check

NUMBERS = ("1/2", "1", "3/2", "2", "3")
SYMBOL = {"x": "> 0"}
"""It stands in odd places: as a rate, a time, a length, an alpha, a count, or several of them."""


def policy(source, name, classes):
    """Return a policy with numbers, and perhaps the symbol, as its parameters."""

    def number():
        return source.choice((*NUMBERS, "x"))

    each = [number() for _ in range(classes)]
    limits = [{"alpha": a, **source.choice(({}, {"cap": number()}, {"reserved": "1/2"}))} for a in each]
    timers = {key: number() for key in source.sample(("tm1", "tm2"), source.randrange(3))}
    return {"name": name} | {
        "dt": {"alpha": each},
        "edt": {"alpha": number(), "cn2": number(), **timers},
        "complete": {},
        "static": {"sizes": [source.choice(NUMBERS) for _ in each]},
        "weighted": {"weights": each},
        "abm": {"alphas": number(), "drains": [source.choice(("1/2", "1")) for _ in each]},
        "l2bm": {"alpha": number(), "sojourns": each, "normalisation": source.choice(("sum", "mean", "least"))},
        "pools": {"limits": limits},
    }[name]


def queue(source, *, steady):
    """Return a class of queues that begin on their threshold, or with less."""
    times = ["0", *source.sample(("1", "2", "x + 3"), source.randrange(3))]
    rates = [source.choice((*NUMBERS, "x", "2*x", "0")) for _ in times]
    if steady:
        rates[0] = source.choice(("1", "2", "x + 1"))
    begin = {"initial": "steady"} if steady else source.choice(({}, {"initial": "1/2"}))
    return {
        "count": source.choice(("1", "2", "x")),
        "arrivals": [list(pair) for pair in zip(sorted(times), rates, strict=True)],
        **begin,
    }


def family(seed):
    """Return a family."""
    source = Random(seed)
    name = ("dt", "edt", "complete", "static", "weighted", "abm", "l2bm", "pools")[seed % 8]
    classes = source.choice((1, 2))
    may = name not in {"complete", "static"}
    ask = source.choice(({"first_drop": 0}, {"dropped": 0, "at": "2"}, {"length": 0, "at": "x"},
                         {"threshold": 0, "at": "3/2"}, {"recovered": True}))  # fmt: skip
    late = source.choice(({}, {}, {"until": "x + 4"}))
    return {
        "symbols": SYMBOL, "policy": policy(source, name, classes), "switch": {"buffer": "40 + 9*x", "rate": "1"},
        "queues": [queue(source, steady=may and source.random() < 0.3) for _ in range(classes)], "ask": [ask], **late,
    }  # fmt: skip


@pytest.mark.parametrize("seed", [*range(16), 24, 30, 41, 57])  # the last have boundaries at irrational points
def test_a_family_of_one_symbol_is_answered_rightly(seed):
    theorem = derive(family(seed), Limits(paths=200))
    assert theorem.complete or any("limit" in reason or "more than" in reason for reason in theorem.open), theorem.open
    at = {Fraction(n, 4) for n in range(1, 25)} | {case.example[0] for case in theorem.cases}
    answered = [x for x in sorted(at) if theorem.case_at(x=x) is not None]
    assert len(answered) == len(at) or not theorem.complete
    for x in answered:
        assert theorem.exact(x=x) == engine_at(theorem, {"x": x}), x
    if 0 < theorem.statistics["cells"] < 8:  # sums for the certificate of many conditions in one symbol take long
        document = json.loads(json.dumps(theorem.certificate(seconds=20)))  # and names what it has not shown by then
        assert check(document) == ""
        inside = [cell for cell in document["cells"] if "face" not in cell]
        assert len(inside) + len(document["left_out"]) == theorem.statistics["cells"]
