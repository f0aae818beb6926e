"""The atlas: under which policy bursts beside steady ports lose bytes last, and where; proofs."""

from collections.abc import Mapping
from typing import Any

from dtmodel.ledger import Outcome, evidence

from .derivation import BURSTS, DROP, STEADY, Outranking, compared, family

HERE = {"alpha": 1, "B": 12, "C": 1, "M": 1, "N": 2, "R": 3, "R_b": 2}
RECOGNISED = {"c_2": "> 0, <= alpha*B/((1 + alpha*M)*(1 + alpha*N))"}
OWN = {"r": "> 0, < B/(M + N)"}
FULL = {"count": "N", "initial": "B/N", "arrivals": [["0", "R_b"]]}
COMPLETE = {"name": "complete"}
EDT = {"name": "edt", "alpha": "alpha", "cn2": "c_2"}
POLICIES: Mapping[str, Mapping[str, Any]] = {
    "dt": {"name": "dt", "alpha": "alpha"},
    "abm": {"name": "abm", "alphas": "alpha", "drains": [1, 1]},
    "l2bm": {"name": "weighted", "weights": "alpha*(M + N)"},
    "split": {"name": "static", "sizes": "B/(M + N)"},
    "reserves": {"name": "pools", "limits": [{"alpha": "alpha", "reserved": "r"}] * 2},
    "edt": EDT,
}
ALONE: Mapping[str, Mapping[str, Any]] = {
    "dt": POLICIES["dt"],
    "abm": {"name": "abm", "alphas": "alpha", "drains": [1]},
    "l2bm": {"name": "weighted", "weights": "alpha*M"},
    "split": {"name": "static", "sizes": "B/M"},
    "reserves": {"name": "pools", "limits": [{"alpha": "alpha", "reserved": "r"}]},
    "edt": EDT,
}
"""The same policies where no port is busy beside the bursts."""
TOPIC = "atlas"
ALWAYS: Outranking = {">": [[]]}
ALIKE: Outranking = {"==": [[]]}
BY_GAIN: Outranking = {sign: [[f"gain {sign} 0"]] for sign in (">", "==", "<")}
SIGNS = {sign: [["follows >= 0", f"gain_follows {sign} 0"],
                ["follows < 0", "between >= 0", f"gain_between {sign} 0"],
                ["between < 0", f"gain_drains {sign} 0"]]
         for sign in (">", "==", "<")}  # fmt: skip


def _under(policy: str, **more: str) -> dict[str, Any]:
    return family([BURSTS, STEADY], DROP, POLICIES[policy], **more)


def _alone(policy: Mapping[str, Any]) -> dict[str, Any]:
    document = family([BURSTS], DROP, policy, c_2="> 0, <= alpha*B/(1 + alpha*M)", r="> 0, < B/M")
    for name in ("N", "R_b"):
        del document["symbols"][name]
    return document


@evidence("derived.ours.atlas.split", form="printed", strength="smt")
def an_even_split_outlasts_every_threshold() -> Outcome:
    """Compare the even split with DT, ABM and L2BM."""
    pairs = [(_under("split"), _under(other), ALWAYS) for other in ("dt", "abm", "l2bm")]
    return compared("derived.ours.atlas.split", TOPIC, pairs, HERE)


@evidence("derived.ours.atlas.split-edt", form="printed", strength="smt")
def where_an_even_split_outlasts_edt() -> Outcome:
    """Compare the even split with EDT and recognised bursts."""
    pairs = [(_under("split", **RECOGNISED), _under("edt", **RECOGNISED), BY_GAIN)]
    return compared("derived.ours.atlas.split-edt", TOPIC, pairs, {**HERE, "c_2": 1})


@evidence("derived.ours.atlas.dt-abm", form="printed", strength="smt")
def where_dt_outlasts_abm() -> Outcome:
    """Compare DT with ABM, one priority for all."""
    return compared("derived.ours.atlas.dt-abm", TOPIC, [(_under("dt"), _under("abm"), SIGNS)], HERE)


@evidence("derived.ours.atlas.l2bm-dt", form="printed", strength="smt")
def where_l2bm_outlasts_dt() -> Outcome:
    """Compare L2BM with equal sojourn times with DT."""
    return compared("derived.ours.atlas.l2bm-dt", TOPIC, [(_under("l2bm"), _under("dt"), SIGNS)], HERE)


@evidence("derived.ours.atlas.reserves", form="printed", strength="smt")
def reserves_lie_between_dt_and_the_even_split() -> Outcome:
    """Compare reserves with DT and the even split, and with EDT and recognised bursts."""
    each = RECOGNISED | OWN
    own = _under("reserves", **each)
    beyond = {
        ">": [["follows < 0", "gain > 0"]],
        "==": [["follows < 0", "gain == 0"]],
        "<": [["follows >= 0"], ["follows < 0", "gain < 0"]],
    }
    pairs = [(own, _under("dt", **each), ALWAYS), (_under("split", **each), own, ALWAYS)]
    pairs += [(own, _under("edt", **each), beyond)]
    return compared("derived.ours.atlas.reserves", TOPIC, pairs, {**HERE, "c_2": 1, "r": 1})


@evidence("derived.ours.atlas.complete", form="printed", strength="smt")
def every_policy_outlasts_a_full_shared_buffer() -> Outcome:
    """Compare every policy with complete sharing whose busy ports have filled the buffer."""
    each = {"N": ">= 1", **RECOGNISED, **OWN}
    full = family([BURSTS, FULL], DROP, COMPLETE, **each)
    pairs = [(_under(policy, **each), full, ALWAYS) for policy in POLICIES]
    return compared("derived.ours.atlas.complete", TOPIC, pairs, {**HERE, "c_2": 1, "r": 1})


@evidence("derived.ours.atlas.alone", form="printed", strength="smt")
def bursts_alone_fill_the_buffer_under_three_policies() -> Outcome:
    """Compare complete sharing of bursts alone with the even split and EDT, which last as long, and with the others."""
    whole = _alone(COMPLETE)
    pairs = [(whole, _alone(policy), ALIKE if name in {"split", "edt"} else ALWAYS) for name, policy in ALONE.items()]
    here = {name: value for name, value in HERE.items() if name in whole["symbols"]}
    return compared("derived.ours.atlas.alone", TOPIC, pairs, {**here, "c_2": 1, "r": 1})
