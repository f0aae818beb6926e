"""Reserves and caps in a shared pool: proofs."""

from dtmodel.ledger import Outcome, evidence

from .derivation import BURSTS, DROP, STEADY, family, proved

HERE = {"alpha": 1, "B": 12, "C": 1, "M": 1, "N": 2, "R": 3, "R_b": 2}
SLOW = {"first_drop": "t_slow", "free_at_first_drop": "F_slow"}
FAST = {"first_drop": "t_fast", "free_at_first_drop": "F_fast"}


@evidence("derived.ours.reserve", form="printed", strength="symbolic")
def bursts_with_reserves_are_derived() -> Outcome:
    """Derive the first drop of bursts that have bytes of their own."""
    policy = {"name": "pools", "limits": [{"alpha": "alpha", "reserved": "r"}, {"alpha": "alpha"}]}
    document = family([BURSTS, STEADY], DROP, policy, r="> 0", B="> M*r")
    cases = [(["follows >= 0"], SLOW), (["follows < 0"], FAST)]
    return proved("derived.ours.reserve", "pools", document, cases, {**HERE, "r": 1})


@evidence("derived.ours.cap", form="printed", strength="symbolic")
def bursts_with_caps_are_derived() -> Outcome:
    """Derive the first drop of bursts with a cap each."""
    document = family([BURSTS], DROP, {"name": "pools", "limits": [{"alpha": "alpha", "cap": "c"}]}, c="> 0")
    for name in ("N", "R_b"):
        del document["symbols"][name]
    cases = [
        (["capped >= 0"], {"first_drop": "t_cap", "free_at_first_drop": "F_cap"}),
        (["capped <= 0"], {"first_drop": "t_dt", "free_at_first_drop": "F_dt"}),
    ]
    example = {name: HERE[name] for name in document["symbols"] if name in HERE}
    return proved("derived.ours.cap", "pools", document, cases, {**example, "c": 2})


@evidence("derived.ours.capped-steady", form="printed", strength="symbolic")
def bursts_beside_capped_steady_ports_are_derived() -> Outcome:
    """Derive the first drop of bursts beside steady ports with a cap each."""
    policy = {"name": "pools", "limits": [{"alpha": "alpha"}, {"alpha": "alpha", "cap": "c"}]}
    cases = [
        (["stays >= 0"], {"first_drop": "t_stays", "free_at_first_drop": "F_stays"}),
        (["stays <= 0", "follows >= 0"], SLOW),
        (["binds <= 0", "follows < 0"], FAST),
        (["stays <= 0", "binds >= 0", "follows < 0"], {"first_drop": "t_falls", "free_at_first_drop": "F_falls"}),
    ]
    document = family([BURSTS, STEADY], DROP, policy, c="> 0")
    return proved("derived.ours.capped-steady", "pools", document, cases, {**HERE, "c": 2})
