"""The blueprint: the claims and theorems below each claim, and the strength of the weakest of them.

A claim rests on the theorems that prove it, on the claim that corrects it and on those that its words name; a theorem
on those that its proof uses, and on the definitions in its statement.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from dtmodel.base.errors import LedgerError
from dtmodel.ledger.evidence import STRENGTHS

_ORDER = (*STRENGTHS, "")


@dataclass(frozen=True)
class Node:
    """A claim or a theorem, with the nodes directly below it.

    `strength`: that of the deciding evidence; ``"kernel"`` for a theorem; empty if nothing decides the claim.
    `effective`: the weakest strength among the node and everything below it.
    """

    strength: str
    effective: str
    claims: tuple[str, ...] = ()
    theorems: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()


def blueprint(
    claims: Sequence[Mapping[str, Any]], theorems: Mapping[str, Sequence[str]], definitions: Mapping[str, Sequence[str]]
) -> tuple[dict[str, Node], dict[str, Node]]:
    """Return the nodes of claims and of theorems, by name; raise `LedgerError` if they rest on each other in a circle.

    `theorems`, `definitions`: for each theorem the theorems that its proof uses, and the definitions in its statement.

    >>> claims = [{"id": "a", "strength": "kernel", "corrected": "", "uses": ["b"], "coq": ["one"]},
    ...           {"id": "b", "strength": "smt", "corrected": "", "uses": [], "coq": []}]
    >>> nodes, proofs = blueprint(claims, {"one": ["two"], "two": []}, {"one": ["sum"]})
    >>> nodes["a"].effective, nodes["a"].theorems, nodes["a"].claims
    ('smt', ('one',), ('b',))
    >>> proofs["one"]
    Node(strength='kernel', effective='kernel', claims=(), theorems=('two',), definitions=('sum',))
    """
    by_id = {claim["id"]: claim for claim in claims}
    under = {
        name: [other for other in (claim["corrected"], *claim["uses"]) if other in by_id]
        for name, claim in by_id.items()
    }
    found: dict[str, Node] = {}
    for name in _from_below(under):
        claim, below = by_id[name], tuple(under[name])
        weakest = max([claim["strength"], *(found[other].effective for other in below)], key=_ORDER.index)
        found[name] = Node(claim["strength"], weakest, below, tuple(claim["coq"]))
    proofs = {
        name: Node("kernel", "kernel", (), tuple(theorems[name]), tuple(definitions.get(name, ())))
        for name in _from_below(theorems)
    }
    return found, proofs


def _from_below(below: Mapping[str, Sequence[str]]) -> list[str]:
    try:
        return [name for name in TopologicalSorter(below).static_order() if name in below]
    except CycleError as error:
        raise LedgerError(f"{', '.join(error.args[1])} rest on each other: break the circle") from error
