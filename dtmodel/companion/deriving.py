"""Evidence that a claim, in its own formulas, says the theorem that `dtmodel.derive` finds about its family."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtmodel.base.errors import InputError
from dtmodel.base.expressions import evaluate
from dtmodel.companion.roots import load, papers_root
from dtmodel.companion.words import VOCABULARY
from dtmodel.ledger import Outcome, Proved, check
from dtmodel.ledger.evidence import jsonable
from dtmodel.ledger.formal import Instance, read_formal

if TYPE_CHECKING:
    from dtmodel.derive import DerivedCase, DerivedTheorem
    from dtmodel.theorems import Theorem

Said = Sequence[tuple[Sequence[str], Mapping[str, str | None]]]
"""Cases: relations ``"name >= 0"``, and answers, in the names that a claim gives to its values; None is "never"."""
Refused = Callable[[dict[str, Any]], str]
"""The check of a certificate: it returns the fault, or the empty text."""
_RUNS = 12
"""The number of random instances at which the engine tests a statement."""
_LANGUAGE = "abs approx ceil count each floor len list max min never oneof prod rat some sum word"


def renamed(names: Sequence[str]) -> dict[str, str]:
    """Map each symbol of a family to its name in an executable statement: words of the language get an ending."""
    found = dict[str, str]()
    for name in names:
        new = name
        while new in {*VOCABULARY, *_LANGUAGE.split()} or (new != name and new in {*names, *found.values()}):
            new += "_s"
        found[name] = new
    return found


def words(text: str, theorem: DerivedTheorem) -> Callable[[str], Any]:
    """Return a function that evaluates a statement in a theorem's symbols, if it supposes the domain of the family."""
    outside, names = theorem.domain.outside(), renamed([*theorem.family.symbols])
    symbols = {new: outside[name] for name, new in names.items() if name in outside}
    said = Instance(read_formal(text), symbols, {})
    zero = next(iter(symbols.values())) * 0
    supposed = [*_supposed(said, zero)]
    for relation in (relation for each in theorem.family.symbols.values() for relation in each):
        left, right = (zero + side.value(outside) for side in (relation.left, relation.right))
        stated = relation.sign == "==" or _turned(left, relation.sign, right) in supposed
        check(stated, f"the claim does not suppose {relation.left.text} {relation.sign} {relation.right.text}")
    return lambda name: zero + said[name]


def _supposed(said: Instance, zero: Any) -> Iterator[tuple[Any, bool]]:
    """Yield the bounds that an executable statement supposes of the symbols that have values in an instance."""
    for variable in (each for each in said.formal.variables if each.name in said.assignment):
        bounds = [(each.sign, each.value) for each in variable.bounds]
        for sign, value in [*bounds, *(each[:2] for each in said.formal.narrowings.get(variable.name, ()))]:
            yield _turned(said[variable.name], sign, zero + evaluate(value, said))


def _turned(left: Any, sign: str, right: Any) -> tuple[Any, bool]:
    """Return a relation as a difference that is positive, and whether it may be 0."""
    return (left - right if sign in {">", ">="} else right - left), sign in {">=", "<="}


def said_by(theorem: DerivedTheorem, value: Callable[[str], Any], cases: Said) -> list[DerivedCase]:
    """Return the cases as a claim states them."""
    return [
        theorem.case(
            [(value(name), sign) for name, sign, _ in (relation.split() for relation in when)],
            {key: None if name is None else value(name) for key, name in answers.items()},
        )
        for when, answers in cases
    ]


def proved(
    theorem: DerivedTheorem,
    certificate: Mapping[str, Any],
    said: Sequence[DerivedCase],
    example: Mapping[str, Any],
    refused: Refused,
) -> Outcome:
    """Check a certificate that stated cases cover the domain and are right; z3 and cvc5 prove what it leaves open."""
    from dtmodel.derive.theorem.certificate import stands_alone

    wrong = refused(dict(certificate))
    check(not wrong, f"the certificate is refused: {wrong}")
    alone = stands_alone(certificate)
    if not alone:
        proof = theorem.prove(said=said)
        check(proof.covers == "proved", f"that the cases of the claim cover the domain is {proof.covers}")
        wrong_pairs = {pair: result for pair, result in proof.agree.items() if result != "proved"}
        check(not wrong_pairs, f"that the claim says the derived theorem is not proved for the cases {wrong_pairs}")
    parts = certificate.get("questions", [certificate])
    cells = sum(len(part["cells"]) for part in parts)
    sets = sum(len(part["coverage"] or ()) + len((part["closure"] or {"apart": ()})["apart"]) for part in parts)
    detail = f"certificate verified: the {len(said)} cases of the claim are right wherever the symbols may be"
    rest = "" if alone else "; z3 and cvc5 prove the rest"
    detail += f" ({cells} trajectories; {sets} sets of signs excluded by sums{rest})"
    return Proved(detail, {name: str(value) for name, value in example.items()}, declared(theorem), certificate)


def declared(theorem: DerivedTheorem) -> list[str]:
    """Return the relations that declare the symbols of a theorem."""
    return [f"{r.left.text} {r.sign} {r.right.text}" for each in theorem.family.symbols.values() for r in each]


def agrees_in_runs(text: str) -> None:
    """Evaluate an executable statement at random instances with the exact engine; `AssertionError` if it fails."""
    from dtmodel.ledger.adversary import attack

    found = attack(read_formal(text), VOCABULARY, cases=_RUNS)
    failing = jsonable(found.counterexample)
    check(failing is None, f"the statement of the claim fails in the exact engine at {failing}: {found.why}")


def derived_claim(claim: str, file: str) -> Outcome:
    """Prove a claim that `DerivedTheorem.to_claim` wrote, as `dtmodel.companion.derived_claim` documents."""
    folder = Path(file).parent
    kept, certificate = (
        json.loads((folder / f"{claim}.{name}.json").read_text(encoding="utf-8")) for name in ("family", "certificate")
    )
    text = tomllib.loads((folder / "claims.toml").read_text(encoding="utf-8"))["claim"][claim]["formal"]
    agrees_in_runs(text)
    theorem = derived_again(kept)
    said = said_by(theorem, words(text, theorem), kept["cases"])
    made = json.loads(json.dumps(theorem.certificate(said=said)))
    check(made == certificate, "the certificate beside the claim is not the one of its family and formulas")
    return proved(theorem, certificate, said, kept["example"], checker())


def derived_again(kept: Mapping[str, Any]) -> DerivedTheorem:
    """Derive the theorem of the family that is kept beside a claim; `AssertionError` if it is not complete."""
    from dtmodel.derive import derive

    theorem = derive(kept["family"])
    check(theorem.complete, f"derive left open: {theorem.open}")
    return theorem


def theorem_of(claim: str, folders: Sequence[str | Path], entry: Callable[[], dict[str, Any]]) -> Theorem:
    """Return the theorem of a claim, as `dtmodel.companion.theorem` documents; `entry` returns its ledger entry."""
    from dtmodel.derive import derive
    from dtmodel.theory import statements

    for statement in statements():
        if statement.id == claim:
            return statement
    if str(claim) not in load(folders).claims:
        raise InputError("claim", claim, "the id of a claim")
    for folder in (papers_root() / "proofs" / "derived" / "families", *map(Path, folders)):
        if (path := folder / f"{claim}.family.json").is_file():
            theorem = derive(json.loads(path.read_text(encoding="utf-8"))["family"])
            return replace(theorem, entry=entry)
    raise InputError("claim", claim, "a claim with a statement in dtmodel.theory, or with a family that derive takes")


def checker() -> Refused:
    """Return the check of certificates in ``proofs/check_certificates.py``, which needs the standard library alone."""
    from dtmodel.ledger import Root
    from dtmodel.ledger.collection import load_module

    root = Root(papers_root(), "dtmodel_papers")
    refused: Refused = load_module(root, root.module_of(root.path / "proofs" / "check_certificates.py")).check
    return refused
