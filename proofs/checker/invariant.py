"""Kind ``invariant``: facts that hold initially and that every transition of a system keeps.

An atom is ``[polynomial, ">=" | ">" | "="]``, compared with 0; a fact is a list of atoms, any one of which holds. The
certificate gives parameters (constant in a run) and assumptions about them; variables with their initial values, in the
parameters; the invariant, facts in parameters and variables; transitions, each with guards (facts; further symbols are
inputs, any values), simultaneous updates, facts that it ensures besides, and an example in which it can be taken.

A proof is a sum of terms ``[factor, [hypotheses]]``, each the product of a factor with numbered hypotheses
(assumptions, the invariant, guards, then the negation of each atom of the goal). It equals the atom of the goal that it
``shows``; if that is null it equals 0 although a term is positive, so that the hypotheses and the negated goal are
contradictory. Factors are not negative, arbitrary beside an equation. ``{"split": h, "proofs": [...]}`` distinguishes
which atom of hypothesis h holds. In symbols declared whole, p > 0 is p - 1 >= 0.
"""

from fractions import Fraction
from typing import Any

from .algebra import ONE, Polynomial, Ratio, RefusedError, names, plus, polynomial, refuse_unless, substitute, times

__all__ = ["check"]

Atom = tuple[Polynomial, str]
Fact = list[Atom]
MINUS: Polynomial = {(): Fraction(-1)}


def check(document: dict[str, Any]) -> None:
    """Check the initial state, then every transition against every fact."""
    whole, parameters = set(document["whole"]), set(document["parameters"])
    initial = {name: polynomial(value) for name, value in document["variables"].items()}
    assumptions, invariant = facts(document["assumptions"]), facts(document["invariant"])
    refuse_unless(bool(invariant), "there is no invariant")
    refuse_unless(not parameters & set(initial), "a parameter is a variable")
    refuse_unless(all(names(value) <= parameters for value in initial.values()), "an initial value is not constant")
    refuse_unless(symbols(assumptions) <= parameters, "an assumption is not about parameters")
    refuse_unless(symbols(invariant) <= parameters | set(initial), "the invariant is not about the state")
    stays_whole(initial, whole)
    refuse_unless(len(document["base"]) == len(invariant), "a proof for the initial state is missing")
    for fact, proof in zip(invariant, document["base"], strict=True):
        prove(proof, assumptions, after(fact, initial), whole)
    refuse_unless(bool(document["transitions"]), "there is no transition")
    for transition in document["transitions"]:
        updates = {name: polynomial(value) for name, value in transition["updates"].items()}
        refuse_unless(set(updates) <= set(initial), "an update is not of a variable")
        stays_whole(updates, whole)
        known = [*assumptions, *invariant, *facts(transition["guards"])]
        possible(known, {name: Fraction(value) for name, value in transition["example"].items()}, whole)
        refuse_unless(len(transition["keeps"]) == len(invariant), "a proof for a transition is missing")
        for fact, proof in zip(invariant, transition["keeps"], strict=True):
            prove(proof, known, after(fact, updates), whole)
        for fact, proof in transition["ensures"]:
            prove(proof, known, facts([fact])[0], whole)


def facts(document: list[Any]) -> list[Fact]:
    """Read facts."""
    read = [[(polynomial(terms), sign) for terms, sign in fact] for fact in document]
    refuse_unless(all(fact and all(sign in (">=", ">", "=") for _, sign in fact) for fact in read), "no fact")
    return read


def symbols(known: list[Fact]) -> set[str]:
    """Return the symbols of facts."""
    return {name for fact in known for poly, _ in fact for name in names(poly)}


def after(fact: Fact, updates: dict[str, Polynomial]) -> Fact:
    """Say the fact about the updated variables."""
    return [(substitute(poly, {name: (new, ONE) for name, new in updates.items()})[0], sign) for poly, sign in fact]


def integral(poly: Polynomial, whole: set[str]) -> bool:
    """Whether a polynomial is whole wherever the whole symbols are."""
    return names(poly) <= whole and all(value.denominator == 1 for value in poly.values())


def stays_whole(values: dict[str, Polynomial], whole: set[str]) -> None:
    """Check that variables declared whole get whole values."""
    refuse_unless(all(integral(value, whole) for name, value in values.items() if name in whole), "not whole")


def possible(known: list[Fact], example: dict[str, Fraction], whole: set[str]) -> None:
    """Check that the hypotheses hold in the example, so that they prove something."""
    refuse_unless(all(value.denominator == 1 for name, value in example.items() if name in whole), "not whole")
    holds = {">=": lambda value: value >= 0, ">": lambda value: value > 0, "=": lambda value: value == 0}
    point: dict[str, Ratio] = {name: ({(): value} if value else {}, ONE) for name, value in example.items()}
    for fact in known:
        refuse_unless(symbols([fact]) <= set(example), "the example leaves a symbol open")
        values = [(substitute(poly, point)[0].get((), Fraction(0)), sign) for poly, sign in fact]
        refuse_unless(any(holds[sign](value) for value, sign in values), "the example does not fit the hypotheses")


def prove(proof: dict[str, Any], known: list[Fact], goal: Fact, whole: set[str]) -> None:
    """Check a proof that the goal follows from what is known."""
    if "split" in proof:
        place = int(proof["split"])
        refuse_unless(0 <= place < len(known) and len(known[place]) == len(proof["proofs"]), "a case is missing")
        for atom, part in zip(known[place], proof["proofs"], strict=True):
            prove(part, [*known[:place], [atom], *known[place + 1 :]], goal, whole)
        return
    single = [tight(fact[0], whole) if len(fact) == 1 else None for fact in known]
    single += [tight(negation(atom), whole) if atom[1] != "=" else None for atom in goal]
    target, sign = ({}, ">") if proof["shows"] is None else goal[proof["shows"]]
    total, positive, inequality = Polynomial(), False, False
    for factor, used in proof["terms"]:
        weight, atoms = polynomial(factor), [single[place] for place in used]
        product, signs = weight, set[str]()
        for atom in atoms:
            if atom is None:
                raise RefusedError("a hypothesis has several cases")
            product, signs = times(product, atom[0]), signs | {atom[1]}
        total = plus(total, product)
        if "=" not in signs:
            refuse_unless(set(weight) <= {()} and all(value >= 0 for value in weight.values()), "a negative factor")
            inequality, positive = True, positive or (bool(weight) and ">=" not in signs)
    refuse_unless(total == target, "the terms do not add up to the goal")
    refuse_unless(sign != ">" or positive, "no term is positive")
    refuse_unless(sign != "=" or not inequality, "an equation is shown by an inequality")


def negation(atom: Atom) -> Atom:
    """Negate an inequality."""
    return times(MINUS, atom[0]), {">=": ">", ">": ">="}[atom[1]]


def tight(atom: Atom, whole: set[str]) -> Atom:
    """In whole symbols p > 0 is p - 1 >= 0."""
    poly, sign = atom
    return (plus(poly, MINUS), ">=") if sign == ">" and integral(poly, whole) else atom
