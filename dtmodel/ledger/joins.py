"""Words between the clauses of a sentence: commas, "and", and parentheses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, groupby

_TERM = r"(?:(?!\\[lg]eq|\\neq|\\in|\\notin|\\l(?:and|or)\b|\\neg|\\text|\\forall|\\exists|\\approx|[<>=$]).)+"
_RELATION = re.compile(rf"\$({_TERM})( (?:\\[lg]eq|[<>=]) {_TERM})\$")


def outside(text: str) -> str:
    """Return the words of a text without its formulas."""
    return "".join(text.split("$")[::2])


def joined(parts: Sequence[str]) -> str:
    """Join the clauses of a hypothesis by "and that", after a semicolon if one of them has a comma or a condition.

    Formulas in a row are listed, and those with one sign and one right side are one formula.

    >>> joined(["$a < b$", "$b < c$"]), joined(["$a < b$", "port 1 is empty"]), joined(["$a < b$", "$c < b$"])
    ('$a < b$ and $b < c$', '$a < b$ and that port 1 is empty', '$a, c < b$')
    """
    rows = [[*row] for _, row in groupby(parts, key=lambda text: not outside(text))]
    said = [text for row in rows for text in ([listed(together(row))] if not outside(row[0]) else row)]
    if any("," in outside(text) or " if " in text or "; " in text for row in rows for text in row if outside(text)):
        return "; and that ".join(said)
    if any(" and $" in text for text in said):
        return ", and that ".join(said)
    return listed(said, " and that ", ", that ")


def together(formulas: Sequence[str]) -> list[str]:
    """Write formulas of one sign and one right side together: ``$a, b > 0$``."""
    found: dict[str, list[str]] = {}
    for formula in formulas:
        relation = _RELATION.fullmatch(formula)
        found.setdefault(relation[2] if relation else formula, []).append(relation[1] if relation else "")
    return [f"${', '.join(left)}{right}$" if left[0] else right for right, left in found.items()]


def enclosed(text: str) -> str:
    """Put a clause with parts into parentheses, unless they are around it, or it is two parts behind "both".

    >>> enclosed("(a or b) or else (c or d)"), enclosed("(a or b)")
    ('((a or b) or else (c or d))', '(a or b)')
    """
    depths = [*accumulate({"(": 1, ")": -1}.get(sign, 0) for sign in outside(text))]
    whole = text.startswith("both ") or (text.startswith("(") and 0 not in depths[:-1])
    return f"({text})" if is_compound(text) and not whole else text


def in_two_runs(first: str, second: str, *, same: bool) -> str:
    """Join two clauses that differ in the run at their ends alone, as equivalent or not; empty if they differ more.

    >>> in_two_runs("port 1 loses bytes in run $x$", "port 1 loses bytes in run $y$", same=True)
    'port 1 loses bytes in run $x$ exactly when in run $y$'
    """
    one, other = (text.rpartition(" in run ") for text in (first, second))
    alike = one[0] == other[0] != "" and not is_compound(first) and one[2].count("$") == other[2].count("$") == 2
    return f"{first} exactly when {'' if same else 'not '}in run {other[2]}" if alike and other[2][-1] == "$" else ""


def is_compound(text: str) -> bool:
    """True if a clause has parts, so that words before or after it could be taken for one of them."""
    return any(word in f" {outside(text)} " for word in (" and ", " or ", " if ", " for ", "; "))


def listed(parts: Sequence[str], last: str = " and ", between: str = ", ") -> str:
    """Join parts by commas and "and", or by other words.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"]), listed(["a", "b", "c"], ", and ")
    ('a', 'a and b', 'a, b and c', 'a, b, and c')
    """
    return last.join(filter(None, [between.join(parts[:-1]), *parts[-1:]]))
