"""The atlas: under which policy bursts beside steady ports lose bytes last, and where; proofs."""

from collections.abc import Mapping
from typing import Any

from dtmodel.ledger import Outcome, evidence

from .derivation import Outranking, compared, kept

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
NEVER: Outranking = {"<": [[]]}
ALIKE: Outranking = {"==": [[]]}
BY_GAIN: Outranking = {sign: [[f"gain {sign} 0"]] for sign in (">", "==", "<")}
SIGNS = {sign: [["follows >= 0", f"gain_follows {sign} 0"],
                ["follows < 0", "between >= 0", f"gain_between {sign} 0"],
                ["between < 0", f"gain_drains {sign} 0"]]
         for sign in (">", "==", "<")}  # fmt: skip


def _family(claim: str) -> dict[str, Any]:
    family: dict[str, Any] = kept(f"derived.ours.atlas.{claim}")["family"]
    return family


def _against(claim: str, others: Mapping[str, Outranking]) -> Outcome:
    """Compare the policy of a claim with others, which bursts and steady ports of the same symbols have."""
    own = _family(claim)
    pairs = [(own, {**own, "policy": POLICIES[other]}, said) for other, said in others.items()]
    return compared(f"derived.ours.atlas.{claim}", TOPIC, pairs)


@evidence("derived.ours.atlas.split", form="printed", strength="smt")
def an_even_split_outlasts_every_threshold() -> Outcome:
    """Compare the even split with DT, ABM and L2BM."""
    return _against("split", {"dt": ALWAYS, "abm": ALWAYS, "l2bm": ALWAYS})


@evidence("derived.ours.atlas.split-edt", form="printed", strength="smt")
def where_an_even_split_outlasts_edt() -> Outcome:
    """Compare the even split with EDT and recognised bursts."""
    return _against("split-edt", {"edt": BY_GAIN})


@evidence("derived.ours.atlas.dt-abm", form="printed", strength="smt")
def where_dt_outlasts_abm() -> Outcome:
    """Compare DT with ABM, one priority for all."""
    return _against("dt-abm", {"abm": SIGNS})


@evidence("derived.ours.atlas.l2bm-dt", form="printed", strength="smt")
def where_l2bm_outlasts_dt() -> Outcome:
    """Compare L2BM with equal sojourn times with DT."""
    return _against("l2bm-dt", {"dt": SIGNS})


@evidence("derived.ours.atlas.reserves", form="printed", strength="smt")
def reserves_lie_between_dt_and_the_even_split() -> Outcome:
    """Compare reserves with DT and the even split, and with EDT and recognised bursts."""
    beyond = {
        ">": [["follows < 0", "gain > 0"]],
        "==": [["follows < 0", "gain == 0"]],
        "<": [["follows >= 0"], ["follows < 0", "gain < 0"]],
    }
    return _against("reserves", {"dt": ALWAYS, "split": NEVER, "edt": beyond})


@evidence("derived.ours.atlas.complete", form="printed", strength="smt")
def every_policy_outlasts_a_full_shared_buffer() -> Outcome:
    """Compare every policy with complete sharing whose busy ports have filled the buffer."""
    full, beside = _family("complete"), _family("reserves")["queues"]
    pairs = [({**full, "queues": beside, "policy": policy}, full, ALWAYS) for policy in POLICIES.values()]
    return compared("derived.ours.atlas.complete", TOPIC, pairs)


@evidence("derived.ours.atlas.alone", form="printed", strength="smt")
def bursts_alone_fill_the_buffer_under_three_policies() -> Outcome:
    """Compare complete sharing of bursts alone with the even split and EDT, which last as long, and with the others."""
    whole = _family("alone")
    pairs = [({"policy": policy}, ALIKE if name in {"split", "edt"} else ALWAYS) for name, policy in ALONE.items()]
    return compared("derived.ours.atlas.alone", TOPIC, [(whole, {**whole, **other}, said) for other, said in pairs])
