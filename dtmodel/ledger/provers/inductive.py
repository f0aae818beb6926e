"""Inductive invariants: facts that hold initially and that each transition keeps, with a proof as an identity.

The fact is a sum of non-negative multiples of hypotheses (or of products of two), plus multiples of equations. z3 finds
the multiples; `proofs/checker/invariant.py` multiplies out, so z3 need not be trusted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from dtmodel.base.errors import ProverError
from dtmodel.ledger.evidence import Proved, record_certificate
from dtmodel.ledger.provers import farkas
from dtmodel.ledger.provers.farkas import Fact

_Formula = Any  # a SymPy relation or a disjunction of relations; SymPy has no types


@dataclass(frozen=True)
class Transition:
    """One way for the state to change.

    - `name`: the event, in words.
    - `guards` (sequence of relations): the conditions under which it can happen; a disjunction of relations is one
      guard. Symbols that are neither variables nor in the assumptions are inputs, and have any value that the guards
      allow.
    - `updates`: the new values of variables, polynomials in the old ones, all at once; the others keep theirs.
    - `ensures` (sequence of relations): further facts about the state before and the inputs that hold whenever it
      happens.
    """

    name: str
    guards: Sequence[_Formula]
    updates: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    ensures: Sequence[_Formula] = ()


@dataclass(frozen=True)
class InvariantCertificate:
    """An invariant with its proofs as data, `document`, and an `example` in which the first transition happens."""

    document: Mapping[str, Any]
    example: Mapping[str, Fraction]

    def proved(self, detail: str = "") -> Proved:
        """Return the outcome for the ledger."""
        return Proved(detail or str(self.document["says"]), self.example, certificate=self.document)


@dataclass(frozen=True)
class InductiveInvariant:
    """A transition system and the invariant that it keeps.

    Symbols declared ``integer=True`` are whole numbers; other symbols are real. Declare no signs: state them as
    assumptions or as part of the invariant, so that they are in the certificate.

    - `says`: the invariant in words.
    - `initial`: the variables and their initial values, polynomials in the parameters.
    - `invariant` (sequence of relations): facts about parameters and variables; a disjunction of relations is one fact.
    - `transitions` (sequence of Transition): all ways for the state to change.
    - `assumptions` (sequence of relations): assumptions about the parameters, which are the symbols in them or in the
      initial values.
    """

    says: str
    initial: Mapping[sp.Symbol, sp.Expr]
    invariant: Sequence[_Formula]
    transitions: Sequence[Transition]
    assumptions: Sequence[_Formula] = ()

    def certificate(self) -> InvariantCertificate:
        """Find the proofs that every transition keeps the invariant.

        Raises `ProverError` if a fact has no identity after a transition (both are named), a transition cannot happen,
        or a symbol or relation is not allowed here.
        """
        self._check_symbols()
        start = {variable: sp.sympify(value) for variable, value in self.initial.items()}
        assumed, invariant = _facts(self.assumptions), _facts(self.invariant)
        base = [self._proof(assumed, relation, start, "the initial state") for relation in self.invariant]
        transitions, examples = [], []
        for transition in self.transitions:
            known = [*assumed, *invariant, *_facts(transition.guards)]
            example = farkas.model(known, self._whole)
            if example is None:
                raise ProverError(f"{transition.name}: no state allows it")
            examples.append(example)
            updates = {variable: sp.sympify(value) for variable, value in transition.updates.items()}
            keeps = [self._proof(known, relation, updates, transition.name) for relation in self.invariant]
            transitions.append(
                {
                    "name": transition.name,
                    "guards": [fact.document() for fact in _facts(transition.guards)],
                    "updates": {str(variable): farkas.terms(value) for variable, value in updates.items()},
                    "keeps": keeps,
                    "ensures": [
                        [Fact.of(relation).document(), self._proof(known, relation, {}, transition.name)]
                        for relation in transition.ensures
                    ],
                    "example": {name: str(value) for name, value in example.items()},
                }
            )
        document = {
            "kind": "invariant",
            "says": self.says,
            "whole": sorted(self._whole),
            "parameters": sorted(map(str, self._parameters())),
            "variables": {str(variable): farkas.terms(value) for variable, value in start.items()},
            "assumptions": [fact.document() for fact in assumed],
            "invariant": [fact.document() for fact in invariant],
            "base": base,
            "transitions": transitions,
        }
        record_certificate(lambda: document)
        return InvariantCertificate(document, examples[0])

    def _proof(
        self, known: Sequence[Fact], relation: _Formula, updates: Mapping[sp.Symbol, sp.Expr], where: str
    ) -> dict[str, Any]:
        goal = Fact.of(relation).after(updates)
        proof = farkas.find_proof(known, goal, self._whole)
        if proof is None:
            raise ProverError(f"{where}: no identity shows that it keeps or ensures {relation}")
        return proof

    def _symbols(self) -> set[sp.Symbol]:
        written: list[Any] = [*self.assumptions, *self.invariant, *self.initial, *self.initial.values()]
        for transition in self.transitions:
            written += [*transition.guards, *transition.updates, *transition.updates.values(), *transition.ensures]
        return {symbol for item in written for symbol in sp.sympify(item).free_symbols}

    def _parameters(self) -> set[sp.Symbol]:
        written = [*self.assumptions, *self.invariant, *self.initial.values()]
        return {symbol for item in written for symbol in sp.sympify(item).free_symbols} - set(self.initial)

    @cached_property
    def _whole(self) -> set[str]:
        return {str(symbol) for symbol in self._symbols() if symbol.is_integer}

    def _check_symbols(self) -> None:
        symbols = self._symbols()
        if len({str(symbol) for symbol in symbols}) < len(symbols):
            raise ProverError("two symbols have one name: declare it once")
        for symbol in symbols:
            if symbol.is_extended_nonnegative is not None or symbol.is_extended_nonpositive is not None:
                raise ProverError(f"{symbol} is declared with a sign: state it as an assumption or in the invariant")
        for name, where in (("assumption", self.assumptions), ("initial value", self.initial.values())):
            for item in where:
                if sp.sympify(item).free_symbols & set(self.initial):
                    raise ProverError(f"the {name} {item} is not about parameters alone")
        for transition in self.transitions:
            strange = set(transition.updates) - set(self.initial)
            if strange:
                raise ProverError(f"{transition.name} updates {', '.join(map(str, strange))}, which is not a variable")


def _facts(relations: Sequence[_Formula]) -> list[Fact]:
    return [Fact.of(relation) for relation in relations]
