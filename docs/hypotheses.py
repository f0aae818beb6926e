"""The hypotheses of a Coq theorem, read off its statement as Coq prints it."""

import re

MODEL = "the model: "
"""The beginning of a partner that is not a text of the claim: a property of every run of the model."""


def hypotheses(statement: str) -> list[str]:
    """Return the hypotheses of a theorem, before its conclusion."""
    return [text for kind, text in premises(statement) if kind == "if"]


def premises(statement: str) -> list[tuple[str, str]]:
    """Return the parts of a theorem in their order: "for all", "let", "if", and last the conclusion, "then"."""
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
