"""Families that the tests derive theorems about."""

from typing import Any

SWITCH = {"buffer": "B", "rate": "C"}
SYMBOLS = {"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "N": ">= 0", "R": "> C", "R_b": ">= C"}
BURSTS = {"count": "M", "arrivals": [["0", "R"]]}
ENDING = {"count": "M", "arrivals": [["0", "R"], ["d", "0"]]}
STEADY = {"count": "N", "initial": "steady", "arrivals": [["0", "R_b"]]}


def family(queues: list[dict[str, Any]], ask: dict[str, Any], more: dict[str, str] | None = None, **keys: Any) -> Any:
    """Return the document of a family under DT."""
    symbols = keys.pop("symbols", SYMBOLS)
    document = {
        "symbols": {**symbols, **(more or {})},
        "policy": {"name": "dt", "alpha": "alpha"},
        "switch": SWITCH,
        "queues": queues,
        "ask": [ask],
    }
    return {**document, **keys}


THEOREM1 = family([BURSTS, STEADY], {"first_drop": 0})

TWO_ALPHAS = family(
    [BURSTS, STEADY], {"first_drop": 0}, {"beta": "> 0"}, policy={"name": "dt", "alpha": ["alpha", "beta"]}
)

WEIGHTED = family(
    [BURSTS, STEADY],
    {"first_drop": 0},
    {"w_1": "> 0", "w_2": "> 0"},
    policy={"name": "weighted", "weights": ["w_1", "w_2"]},
)

L2BM = family(
    [BURSTS, STEADY],
    {"first_drop": 0},
    {"tau_1": "> 0", "tau_2": "> 0"},
    policy={"name": "l2bm", "alpha": "alpha", "sojourns": ["tau_1", "tau_2"]},
)

STATIC = family(
    [{"arrivals": [["0", "R"], ["d", "0"]]}],
    {"first_drop": 0},
    symbols={"S": "> 0", "B": ">= S", "C": "> 0", "R": "> C", "d": "> 0"},
    policy={"name": "static", "sizes": ["S"]},
)

RATES = {"alpha": "> 0", "B": "> 0", "C": "> 0", "N": ">= 0"}

TWO_RATES = family(
    [{"arrivals": [["0", "R_1"]]}, {"arrivals": [["0", "R_2"]]}, STEADY],
    {"first_drop": 1},
    symbols={**RATES, "R_2": "> C", "R_1": "> R_2", "R_b": ">= C"},
)

THREE_RATES = family(
    [{"arrivals": [["0", f"R_{k}"]]} for k in (1, 2, 3)] + [STEADY],
    {"first_drop": 2},
    symbols={**RATES, "R_3": "> C", "R_2": "> R_3", "R_1": "> R_2", "R_b": ">= C"},
)

FOUR_ALIKE = family(
    [{"arrivals": [["0", f"R_{k}"]]} for k in (1, 2, 3, 4)],
    {"first_drop": 0},
    symbols={"alpha": "> 0", "B": "> 0", "C": "> 0", **{f"R_{k}": "> C" for k in (1, 2, 3, 4)}},
)

DURATION = family([ENDING, STEADY], {"first_drop": 0}, {"d": "> 0"})

LOST = family([ENDING, STEADY], {"dropped": 0, "by": "d"}, {"d": "> 0"})

LENGTH = family([BURSTS, STEADY], {"length": 0, "at": "d"}, {"d": "> 0"})

THRESHOLD = family([BURSTS, STEADY], {"threshold": 1, "at": "d"}, {"d": "> 0"})

ANY_RATE = family([BURSTS, STEADY], {"first_drop": 0}, symbols={**SYMBOLS, "R": "> 0"})

RECOVERY = family([ENDING, STEADY], {"recovered": True}, {"d": "> 0"}, symbols={**SYMBOLS, "R_b": "> C"})

TOGETHER = family(
    [BURSTS, {"count": "L", "arrivals": [["0", "R_2"], ["d", "0"]]}],
    {"first_drop": 0},
    symbols={"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "L": ">= 1", "R": "> C", "R_2": "> C", "d": "> 0"},
)

BESIDE_STEADY = family(
    [BURSTS, {"count": "L", "arrivals": [["0", "R"], ["d", "0"]]}, STEADY],
    {"first_drop": 0},
    {"d": "> 0", "L": ">= 1", "R_b": "> C*(1 + alpha*(M + L))"},
)

STEPS = family(
    [{"count": "M", "arrivals": [["0", "R"], ["d", "R_2"]]}, STEADY],
    {"first_drop": 0},
    {"d": "> 0", "R": ">= 0", "R_2": ">= 0"},
)

TWO_STEPS = family(
    [{"count": "M", "arrivals": [["0", "R_1"], ["d_1", "R_2"], ["d_2", "R_3"]]}, STEADY],
    {"first_drop": 0},
    {"d_1": "> 0", "d_2": "> d_1", **{f"R_{k}": "> C" for k in (1, 2, 3)}},
)
del TWO_STEPS["symbols"]["R"]

COMPLETE = family([BURSTS, {"count": "N", "arrivals": [["0", "R_b"]]}], {"first_drop": 0}, policy={"name": "complete"})

RESERVES = family(
    [BURSTS, {"count": "N", "arrivals": [["0", "R_b"]], "initial": "steady"}],
    {"first_drop": 0},
    {"r": "> 0", "B": "> M*r"},
    policy={"name": "pools", "limits": [{"alpha": "alpha", "reserved": "r"}, {"alpha": "alpha"}]},
)

CAP = family(
    [{"count": "M", "arrivals": [["0", "R"]]}],
    {"first_drop": 0},
    symbols={"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "R": "> C", "c": "> 0"},
    policy={"name": "pools", "limits": [{"alpha": "alpha", "cap": "c"}]},
)

CAPPED_STEADY = family(
    [BURSTS, STEADY],
    {"first_drop": 0},
    {"c": "> 0"},
    policy={"name": "pools", "limits": [{"alpha": "alpha"}, {"alpha": "alpha", "cap": "c"}]},
)

TIMERS = family(
    [BURSTS],
    {"first_drop": 0},
    {"c_2": "> 0", "T_1": "> 0", "T_2": "> 0"},
    symbols={"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "R": "> C"},
    policy={"name": "edt", "alpha": "alpha", "cn2": "c_2", "tm1": "T_1", "tm2": "T_2"},
)

EXPIRING = {**TIMERS, "symbols": {**TIMERS["symbols"], "T_2": ">= B/(2*M*(R - C))"}}
"""The buffer is full before TM2 expires a second time; where it may expire any number of times no theorem ends."""

EDT = family(
    [BURSTS, STEADY], {"first_drop": 0}, {"c_2": "> 0"}, policy={"name": "edt", "alpha": "alpha", "cn2": "c_2"}
)

THEOREM5 = family(
    [BURSTS, STEADY],
    {"first_drop": 0},
    {"c_2": "> 0", "T_1": "> 0", "T_2": ">= B/(M*(R - C))"},
    policy={"name": "edt", "alpha": "alpha", "cn2": "c_2", "tm1": "T_1", "tm2": "T_2"},
)

EXPIRES = family(
    [BURSTS, STEADY],
    {"first_drop": 0},
    {name: EXPIRING["symbols"][name] for name in ("c_2", "T_1", "T_2")},
    policy={"name": "edt", "alpha": "alpha", "cn2": "c_2", "tm1": "T_1", "tm2": "T_2"},
)

ABM = family([BURSTS, STEADY], {"first_drop": 0}, {"a": "> 0"}, policy={"name": "abm", "alphas": "a", "drains": [1, 1]})

UNTIL = family([BURSTS, STEADY], {"first_drop": 0}, until="1000*B/C")
