"""What a claim says, in its own formulas, against the theorem that `dtmodel.derive` finds about its family."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from dtmodel.derive import DerivedCase, DerivedTheorem, derive
from dtmodel.errors import InputError
from dtmodel.ledger import Outcome, Proved, check
from dtmodel.ledger.formal import Instance, read_formal

from ..check_certificates import check as refused

CLAIMS = Path(__file__).resolve().parents[2] / "validation" / "derived"
SYMBOLS = {"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "N": ">= 0", "R": "> C", "R_b": ">= C"}
BURSTS = {"count": "M", "arrivals": [["0", "R"]]}
ENDING = {"count": "M", "arrivals": [["0", "R"], ["d", "0"]]}
STEADY = {"count": "N", "initial": "steady", "arrivals": [["0", "R_b"]]}
DROP = {"first_drop": 0}
POINTS = 4
"""At so many points inside each case a theorem without a certificate is compared with the exact engine."""

Said = Sequence[tuple[Sequence[str], Mapping[str, str | None]]]
"""Cases: relations, and answers, in the names that a claim gives to its values; None is "never"."""
Theory = Callable[[Any], Mapping[str, Any]]
"""From the symbols to what `dtmodel.theory` computes for some of a claim's values."""


def family(queues: Sequence[Any], ask: Mapping[str, Any], policy: Mapping[str, Any], **more: str) -> dict[str, Any]:
    """Return the document of a family; `more` declares further symbols, or the same ones otherwise."""
    return {
        "symbols": {**SYMBOLS, **more},
        "policy": dict(policy),
        "switch": {"buffer": "B", "rate": "C"},
        "queues": list(queues),
        "ask": [dict(ask)],
    }


@cache
def values_of(topic: str) -> Mapping[str, str]:
    """Return the executable statements of a topic's claims."""
    claims = tomllib.loads((CLAIMS / f"{topic}.toml").read_text(encoding="utf-8"))["claim"]
    return {claim["id"]: claim["formal"] for claim in claims}


def words(claim: str, topic: str, theorem: DerivedTheorem) -> Callable[[str], Any]:
    """Return what gives a claim's own values as functions of the theorem's symbols."""
    symbols = {name: theorem.domain.outside()[name] for name in theorem.family.symbols}
    said = Instance(read_formal(values_of(topic)[claim]), symbols, {})
    zero = next(iter(symbols.values())) * 0
    return lambda name: zero + said[name]


def said_by(theorem: DerivedTheorem, value: Callable[[str], Any], cases: Said) -> list[DerivedCase]:
    """Return the cases as the claim says them."""
    return [
        theorem.case(
            [(value(name), sign) for name, sign, _ in (relation.split() for relation in when)],
            {key: None if name is None else value(name) for key, name in answers.items()},
        )
        for when, answers in cases
    ]


def as_computed(theorem: DerivedTheorem, value: Callable[[str], Any], theory: Theory) -> None:
    """Check that values of the claim are the functions that `dtmodel.theory` computes."""
    outside = theorem.domain.outside()
    for name, computed in theory(SimpleNamespace(**{n: outside[n] for n in theorem.family.symbols})).items():
        check(value(name) == computed, f"{name} of the claim is {value(name)}, that of the theory {computed}")


def certified(theorem: DerivedTheorem) -> Mapping[str, Any] | None:
    """Return the certificate, which the checker that stands alone has verified; None for what it does not know."""
    try:
        certificate = theorem.certificate()
    except InputError:
        return None
    wrong = refused(dict(certificate))
    check(not wrong, f"the certificate is refused: {wrong}")
    return certificate


def proved(
    claim: str,
    topic: str,
    document: Mapping[str, Any],
    cases: Said,
    example: Mapping[str, Any],
    theory: Theory = lambda _: {},
) -> Outcome:
    """Derive the theorem, verify its certificate, and prove that what the claim says covers the domain and is it.

    z3 and cvc5 must also confirm every sign that the derivation has from a solver. A family that the certificate does
    not know is compared with the exact engine at some points of each case instead.
    """
    theorem = derive(document)
    check(theorem.complete, f"derive left open: {theorem.open}")
    value = words(claim, topic, theorem)
    as_computed(theorem, value, theory)
    said = said_by(theorem, value, cases)
    proof = theorem.prove(said=said)
    check(proof.covers == "proved", f"that the cases of the claim cover the domain is {proof.covers}")
    wrong = {pair: result for pair, result in proof.agree.items() if result != "proved"}
    check(not wrong, f"that the claim says what is derived is not proved for these cases: {wrong}")
    check(proof.signs == "proved", f"that signs on the way to the theorem are right is {proof.signs}")
    certificate = certified(theorem)
    if certificate is None:
        how = f"no certificate, but equal to the exact engine at {theorem.check(POINTS)} points"
    else:
        left = certificate["left_out"]
        how = f"certificate of {len(certificate['cells'])} cells verified, {left['smt']} more rest on solvers"
        how += f", in {left['never']} nothing is lost"
    relations = [f"{r.left.text} {r.sign} {r.right.text}" for each in theorem.family.symbols.values() for r in each]
    detail = f"the claim covers the domain and says what is derived (z3 and cvc5, {len(said)} cases); {how}"
    return Proved(detail, {name: str(value) for name, value in example.items()}, relations, certificate)
