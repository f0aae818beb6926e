"""Bursts that end: proofs."""

from typing import Any

from dtmodel.ledger import Outcome, evidence
from dtmodel.theory.dt import formulas as dt

from .derivation import BURSTS, DROP, ENDING, STEADY, family, proved

DT = {"name": "dt", "alpha": "alpha"}
HERE = {"alpha": 1, "B": 12, "C": 1, "M": 1, "N": 2, "R": 3, "R_b": 2, "d": 1}


def _lengths(s: Any) -> dict[str, Any]:
    """The lengths in edt.ours.bytes-lost.dt: the common one, and that of a fast burst which grows on after its drop."""
    r, drop = s.R - s.C, dt.fast_drop_time(s.alpha, s.B, s.C, s.M, s.N, s.R - s.C)
    grown = r * drop + s.alpha * s.N * s.C / (1 + s.alpha * s.M) * (s.d - drop)
    return {"q": dt.slow_threshold(s.alpha, s.B, s.M, s.N), "g": grown}


@evidence("derived.ours.beside-ending", form="printed", strength="symbolic")
def bursts_beside_bursts_that_end_are_derived() -> Outcome:
    """Derive the first drop of lasting bursts beside others that end."""
    document = family([BURSTS, {**ENDING, "count": "L"}], DROP, DT, L=">= 1", d="> 0")
    for name in ("N", "R_b"):
        del document["symbols"][name]
    cases = [
        (["late > 0"], {"first_drop": "t_all", "free_at_first_drop": "F_all"}),
        (["late <= 0", "drained >= 0"], {"first_drop": "t_alone", "free_at_first_drop": "F_alone"}),
        (["late <= 0", "drained < 0"], {"first_drop": "t_beside", "free_at_first_drop": "F_beside"}),
    ]
    example = {name: HERE[name] for name in document["symbols"] if name in HERE}
    return proved("derived.ours.beside-ending", "durations", document, cases, {**example, "L": 1})


@evidence("derived.ours.bytes-lost", form="printed", strength="symbolic")
def bytes_lost_by_the_end_are_derived() -> Outcome:
    """Derive what each burst loses by its end."""
    cases = [
        (["above_q <= 0", "above_g <= 0"], {"dropped": "nothing"}),
        (["above_q >= 0", "order >= 0"], {"dropped": "above_q"}),
        (["above_g >= 0", "order <= 0"], {"dropped": "above_g"}),
    ]
    document = family([ENDING, STEADY], {"dropped": 0, "by": "d"}, DT, d="> 0")
    return proved("derived.ours.bytes-lost", "durations", document, cases, HERE, _lengths)


@evidence("derived.ours.recovery", form="printed", strength="symbolic")
def the_time_to_recovery_is_derived() -> Outcome:
    """Derive when all is as before bursts, beside ports that are offered enough."""
    cases = [
        (["above_q <= 0", "above_g <= 0"], {"recovered": "u_free"}),
        (["above_q >= 0", "order >= 0"], {"recovered": "u_q"}),
        (["above_g >= 0", "order <= 0"], {"recovered": "u_g"}),
    ]
    enough = "> C*(1 + alpha*M/(1 + alpha*N))"
    document = family([ENDING, STEADY], {"recovered": True}, DT, d="> 0", R_b=enough)
    return proved("derived.ours.recovery", "durations", document, cases, HERE, _lengths)


@evidence("derived.ours.recovery.weak", form="printed", strength="symbolic")
def the_slower_recovery_is_derived() -> Outcome:
    """Derive when all is as before slow bursts without loss, beside ports that are offered little."""
    document = family(
        [ENDING, STEADY],
        {"recovered": True},
        DT,
        N=">= 1",
        R="> C, <= C*(1 + (1 + alpha*N)/(alpha*M))",
        R_b="> C, < C*(1 + alpha*M/(1 + alpha*N))",
        d="> 0, <= alpha*B/((R - C)*(1 + alpha*(M + N)))",
    )
    example = {**HERE, "R_b": "5/4", "R": 2}
    return proved("derived.ours.recovery.weak", "durations", document, [([], {"recovered": "u"})], example)
