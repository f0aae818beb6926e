"""What a claim says, in its own formulas, against the theorem that `dtmodel.derive` finds about its family."""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.companion import deriving
from dtmodel.derive import DerivedCase, DerivedTheorem, derive
from dtmodel.derive.algebra.number import Ratio, factors_of
from dtmodel.derive.theorem.certificate import stands_alone
from dtmodel.ledger import Outcome, Proved, check

from ..check_certificates import check as refused

CLAIMS = Path(__file__).resolve().parents[2] / "validation" / "derived"
FAMILIES = Path(__file__).with_name("families")
Theory = Callable[[Any], Mapping[str, Any]]
"""From the symbols to what `dtmodel.theory` computes for some of a claim's values."""


def kept(claim: str) -> dict[str, Any]:
    """Return the family of a claim, with its cases and an example."""
    document: dict[str, Any] = json.loads((FAMILIES / f"{claim}.family.json").read_text(encoding="utf-8"))
    return document


@cache
def values_of(topic: str) -> Mapping[str, str]:
    """Return the executable statements of a topic's claims."""
    claims = tomllib.loads((CLAIMS / f"{topic}.toml").read_text(encoding="utf-8"))["claim"]
    return {name: claim["formal"] for name, claim in claims.items()}


def words(claim: str, topic: str, theorem: DerivedTheorem) -> Callable[[str], Any]:
    """Return what gives a claim's own values as functions of the theorem's symbols."""
    return deriving.words(values_of(topic)[claim], theorem)


def as_computed(theorem: DerivedTheorem, value: Callable[[str], Any], theory: Theory) -> None:
    """Check that values of the claim are the functions that `dtmodel.theory` computes."""
    outside = theorem.domain.outside()
    for name, computed in theory(SimpleNamespace(**{n: outside[n] for n in theorem.family.symbols})).items():
        check(value(name) == computed, f"{name} of the claim is {value(name)}, that of the theory {computed}")


def certified(theorem: DerivedTheorem) -> Mapping[str, Any]:
    """Return the certificate, which the checker that stands alone has verified."""
    return verified(theorem.certificate())


def verified(certificate: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a certificate, once the checker that stands alone has verified it."""
    wrong = refused(dict(certificate))
    check(not wrong, f"the certificate is refused: {wrong}")
    return certificate


def proved(claim: str, topic: str, theory: Theory = lambda _: {}) -> Outcome:
    """Derive the theorem, and verify the certificate that the cases of the claim cover the domain and are right there.

    Where that shows nothing, z3 and cvc5 say whether the claim is wrong.
    """
    its = kept(claim)
    theorem = deriving.derived_again(its)
    value = words(claim, topic, theorem)
    as_computed(theorem, value, theory)
    said = deriving.said_by(theorem, value, its["cases"])
    certificate = theorem.certificate(said=said)
    outcome = deriving.proved(theorem, certificate, said, its["example"], refused)
    check(stands_alone(certificate), "the certificate rests on solvers, or leaves something open")
    return outcome


Outranking = Mapping[str, Sequence[Sequence[str]]]
"""For each of >, == and < the regions in which the first drop of one policy compares so with that of another."""
_NUMBERS = {">": 1, "==": 0, "<": -1}


def compared(
    claim: str, topic: str, pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any], Outranking]]
) -> Outcome:
    """Derive both theorems of each pair, and prove that their first drops compare as the claim says, everywhere.

    What is compared are the cases of the theorems, without `DerivedTheorem.compare`.
    """
    regions, asked = 0, 0
    for first, second, said in pairs:
        one, other = derive(first), derive(second)
        check(one.complete and other.complete, "a theorem is not complete")
        value = words(claim, topic, one)
        unit = value("B") / value("B")
        claimed = [
            one.case(
                [(value(name), sign) for name, sign, _ in map(str.split, region)], {"outcome": unit * _NUMBERS[how]}
            )
            for how, region in ((how, region) for how, listed in said.items() for region in listed)
        ]
        proof = replace(one, cases=tuple(_outcomes(one, other))).prove(said=claimed)
        check(proof.complete, f"that {first['policy']['name']} and {second['policy']['name']} compare so is {proof}")
        regions, asked = regions + len(claimed), asked + len(proof.agree)
    detail = f"{regions} regions cover the domain; in each the drop times compare so (z3 and cvc5, {asked} questions)"
    return Proved(detail, kept(claim)["example"], deriving.declared(one))


def _outcomes(one: DerivedTheorem, other: DerivedTheorem) -> Iterator[DerivedCase]:
    """Yield, for each two cases and each outcome, where it is so; both families have the same symbols."""
    field = one.domain.outer
    signs: dict[str, int] = {}
    moved = [[_moved(one, theorem, case, signs) for case in theorem.cases] for theorem in (one, other)]
    for (when, mine), (also, its) in product(*moved):
        difference = mine - its
        top, factors = Ratio(field, difference.top, field.one), factors_of(difference.bottom)
        for factor, power in factors[1]:
            top = top * (1 if one.domain.positive(factor) else signs[str(factor)] ** power)
        top = top if factors[0] > 0 else -top
        for how, number in _NUMBERS.items():
            yield one.case([*when, *also, (top, how)], {"outcome": field(number)})


def _moved(one: DerivedTheorem, theorem: DerivedTheorem, case: DerivedCase, signs: dict[str, int]) -> Any:
    """Return the conditions and the drop time of a case in the symbols of one theorem; note the signs of its factors.

    A factor of the denominator that is not positive at sight is proved to have the sign that it has at the example.
    """
    field, outer = one.domain.outer, theorem.domain.outer
    into = theorem.domain.slack_values(one.domain.outside())
    when = [(Ratio(outer, c.poly, outer.one).replaced(into, field), c.relation) for c in case.when]
    example = theorem.values(case.example)
    answer = case.answers["first_drop"]
    if answer is None:
        raise InputError("first_drop", "never", "a burst that loses something")
    drop = answer.replaced(into, field)
    for factor, _ in factors_of(drop.bottom)[1]:
        if not one.domain.positive(factor):
            ratio = Ratio(field, factor, field.one)
            sign = 1 if ratio.at(one.point(example)) > 0 else -1
            inside, outside = (one.case([*when, (ratio * sign, how)], {"sign": field(0)}) for how in (">", "<="))
            there = replace(one, cases=(one.case(when, {"sign": field(1)}),))
            never = replace(outside, answers={"sign": field(0)})
            proof = there.prove(said=[replace(inside, answers={"sign": field(1)}), never])
            check(proof.agree[0, 1] == "proved", f"the sign of {factor} is {proof.agree[0, 1]}")
            check(signs.setdefault(str(factor), sign) == sign, f"{factor} has two signs")
    return when, drop
