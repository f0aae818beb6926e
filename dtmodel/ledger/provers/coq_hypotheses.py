"""The hypotheses of a Coq theorem, read off its statement as Coq prints it."""

import re
from collections.abc import Mapping, Sequence

MODEL = "the model: "
"""The beginning of a partner that is not a text of the claim: a property of every run of the model."""


def hypotheses(statement: str) -> list[str]:
    """Return the hypotheses of a theorem, before its conclusion.

    >>> hypotheses("forall (n : nat) (x : R), (1 <= n)%nat -> (forall i, P i -> Q i) -> forall y : R, 0 < y -> x < y")
    ['(1 <= n)%nat', '(forall i, P i -> Q i)', '0 < y']
    >>> hypotheses("forall x : R, let y := x * x in 0 < y -> x <> 0")
    ['0 < y']
    """
    return [text for kind, text in premises(statement) if kind == "if"]


def premises(statement: str) -> list[tuple[str, str]]:
    """Return the parts of a theorem in their order: "for all", "let", "if", and last the conclusion, "then".

    >>> premises("forall x : R, let y := x * x in 0 < y -> x <> 0")
    [('for all', 'x : R'), ('let', 'y := x * x'), ('if', '0 < y'), ('then', 'x <> 0')]
    """
    left = " ".join(statement.split())
    found: list[tuple[str, str]] = []
    while True:
        binders = re.match(r"forall ([^,]*), |let ([\w']+ := (?:(?! in ).)*) in ", left)
        if binders:
            found.append(("for all", binders[1]) if binders[1] else ("let", binders[2]))
            left = left[binders.end() :]
            continue
        end = _arrow(left)
        if end < 0:
            return [*found, ("then", left)]
        found.append(("if", left[:end].strip()))
        left = left[end + 4 :]


def _arrow(text: str) -> int:
    """Return the place of the first arrow outside parentheses, which binds least tightly; -1 if there is none."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0 and re.match(r"\b(exists|let|fun|if)\b", text[place:]) and not text[:place][-1:].isalnum():
            return -1
        if depth == 0 and text.startswith(" -> ", place):
            return place
    return -1


def unpaired(statement: str, partners: Mapping[str, Sequence[str]], says: str) -> str:
    """Return a fault for the first hypothesis of a theorem without a partner in a claim's form; empty if all have one.

    `partners`: for each hypothesis some texts; one must be in the form, `says`, or begin with ``the model:``.

    >>> unpaired("forall x : R, 0 < x -> 1 < x", {"0 < x": ["x > 0"]}, "for x > 0; then x > 1")
    ''
    >>> unpaired("forall x : R, 0 < x -> 1 < x", {"0 < x": ["x > 0"]}, "for x : rat; then x > 1")
    '0 < x has no partner: x > 0 does not stand in the form'
    >>> unpaired("forall x : R, 0 < x -> 1 < x", {}, "for x > 0; then x > 1")
    '0 < x is not in the table'
    """
    said = "".join(says.split())
    for text in hypotheses(statement):
        if text not in partners:
            return f"{text} is not in the table"
        if not any(partner.startswith(MODEL) or "".join(partner.split()) in said for partner in partners[text]):
            return f"{text} has no partner: {' or '.join(partners[text])} does not stand in the form"
    return ""
