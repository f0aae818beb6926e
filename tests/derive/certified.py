"""Families whose theorems' certificates the tests verify and alter."""

import json
from functools import cache

import families

from dtmodel.derive import Limits, derive

SYMBOLS = {"B": "> 0", "C": "> 0", "M": ">= 1", "R": "> C", "d": "> 0"}
DRAINING = families.family([families.ENDING], {"recovered": True}, symbols={**SYMBOLS, "alpha": "> 0"})
FULL = families.family(
    [{"count": "M", "arrivals": [["0", "R"]]}, {"arrivals": [["0", "R_b"]], "initial": "B/2"}],
    {"dropped": 0, "by": "d"},
    symbols={**SYMBOLS, "R_b": "> C", "d": "> B/C"},
    policy={"name": "complete"},
)
COUNTING = {
    "symbols": {"alpha": "> 0", "B": "> 0", "R": "> 1", "d": "> 0", "c_2": "> 0"},
    "policy": {"name": "edt", "alpha": "alpha", "cn2": "c_2"},
    "switch": {"buffer": "B", "rate": 1},
    "queues": [{"count": 2, "arrivals": [["0", "R"], ["d", 0]]}],
}
BESIDE_ENDING = families.family(
    [families.BURSTS, {**families.ENDING, "count": "L"}],
    {"first_drop": 0},
    symbols={"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "R": "> C", "L": ">= 1", "d": "> 0"},
)
EDT_RECOVERED = {**COUNTING, "ask": [{"recovered": True}]}
EDT_LOST = {**COUNTING, "ask": [{"dropped": 0, "by": "d"}]}
EDT_FREED = {**COUNTING, "ask": [{"threshold": 0, "at": "d"}]}
EXPIRING = {
    "symbols": {"B": "> 20"},
    "policy": {"name": "edt", "alpha": 1, "cn2": 3, "tm1": 1},
    "switch": {"buffer": "B", "rate": 1},
    "queues": [{"arrivals": [["0", 2], ["5/2", 3]]}],
    "ask": [{"first_drop": 0}],
}
"""TM1 expires twice before the rate steps, and then until the loss, however often."""
UNTIL = families.UNTIL
UNTIL_DROP = {**DRAINING, "ask": [{"first_drop": 0}], "until": "3*d"}
UNTIL_RECOVERED = {**DRAINING, "until": "3*d"}
UNTIL_EDT = {**COUNTING, "ask": [{"threshold": 0}], "until": "d"}
ONE_OF = {
    **families.L2BM, "symbols": {**families.L2BM["symbols"], "M": ">= 1", "N": ">= 1"},
}  # fmt: skip  # fmt: skip
L2BM_LEAST = {**ONE_OF, "policy": {**families.L2BM["policy"], "normalisation": "least"}}
L2BM_GREATEST = {**ONE_OF, "policy": {**families.L2BM["policy"], "normalisation": "greatest"}}
BUFFER = {**FULL, "ask": [{"threshold": 0, "at": "B/(3*C)"}]}


def document_of(name):
    """Return the certificate of a family, of this file or of the tests', as it is read from a file."""
    limits = Limits(expiries=1) if name == "TIMERS" else Limits()
    return json.loads(json.dumps(derive(globals().get(name) or getattr(families, name), limits).certificate()))


@cache
def certificate_text(name):
    """Return the text of a certificate, made once for all tests that only look at it."""
    return json.dumps(document_of(name))


def leaves(tree, kind):
    """Return the leaves of a kind."""
    return (
        [leaf for _, below in tree[2] for leaf in leaves(below, kind)]
        if tree[0] == "split"
        else [tree][: tree[0] == kind]
    )
