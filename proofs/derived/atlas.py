"""The atlas: under which policy bursts beside steady ports lose bytes last, and where; proofs."""

from collections.abc import Mapping
from typing import Any

from dtmodel.ledger import Outcome, evidence

from .derivation import BURSTS, DROP, STEADY, Outranking, compared, family

HERE = {"alpha": 1, "B": 12, "C": 1, "M": 1, "N": 2, "R": 3, "R_b": 2}
RECOGNISED = {"c_2": "> 0, <= alpha*B/((1 + alpha*M)*(1 + alpha*N))"}
POLICIES: Mapping[str, Mapping[str, Any]] = {
    "dt": {"name": "dt", "alpha": "alpha"},
    "abm": {"name": "abm", "alphas": "alpha", "drains": [1, 1]},
    "l2bm": {"name": "weighted", "weights": "alpha*(M + N)"},
    "split": {"name": "static", "sizes": "B/(M + N)"},
}
TOPIC = "atlas"
ALWAYS: Outranking = {">": [[]]}
SIGNS = {sign: [["follows >= 0", f"gain_follows {sign} 0"],
                ["follows < 0", "between >= 0", f"gain_between {sign} 0"],
                ["between < 0", f"gain_drains {sign} 0"]]
         for sign in (">", "==", "<")}  # fmt: skip


def _under(policy: str, **more: str) -> dict[str, Any]:
    return family([BURSTS, STEADY], DROP, POLICIES[policy], **more)


def _under_edt() -> dict[str, Any]:
    return family([BURSTS, STEADY], DROP, {"name": "edt", "alpha": "alpha", "cn2": "c_2"}, **RECOGNISED)


@evidence("derived.ours.atlas.split", form="printed", strength="smt")
def an_even_split_outlasts_every_threshold() -> Outcome:
    """Compare the even split with DT, ABM and L2BM."""
    pairs = [(_under("split"), _under(other), ALWAYS) for other in ("dt", "abm", "l2bm")]
    return compared("derived.ours.atlas.split", TOPIC, pairs, HERE)


@evidence("derived.ours.atlas.split-edt", form="printed", strength="smt")
def where_an_even_split_outlasts_edt() -> Outcome:
    """Compare the even split with EDT and recognised bursts."""
    said = {sign: [[f"gain {sign} 0"]] for sign in (">", "==", "<")}
    pairs = [(_under("split", **RECOGNISED), _under_edt(), said)]
    return compared("derived.ours.atlas.split-edt", TOPIC, pairs, {**HERE, "c_2": 1})


@evidence("derived.ours.atlas.dt-abm", form="printed", strength="smt")
def where_dt_outlasts_abm() -> Outcome:
    """Compare DT with ABM, one priority for all."""
    return compared("derived.ours.atlas.dt-abm", TOPIC, [(_under("dt"), _under("abm"), SIGNS)], HERE)


@evidence("derived.ours.atlas.l2bm-dt", form="printed", strength="smt")
def where_l2bm_outlasts_dt() -> Outcome:
    """Compare L2BM with equal sojourn times with DT."""
    return compared("derived.ours.atlas.l2bm-dt", TOPIC, [(_under("l2bm"), _under("dt"), SIGNS)], HERE)
