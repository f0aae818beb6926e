"""Words between the clauses of a sentence: commas, "and", and parentheses."""

from __future__ import annotations

from collections.abc import Sequence


def outside(text: str) -> str:
    """Return the words of a text without its formulas."""
    return "".join(text.split("$")[::2])


def joined(parts: Sequence[str]) -> str:
    """Join the clauses of a hypothesis by "and that", after a semicolon if one of them has a comma or a condition.

    >>> joined(["$a < b$", "$b < c$"]), joined(["$a < b$", "port 1 is empty"])
    ('$a < b$ and $b < c$', '$a < b$ and that port 1 is empty')
    """
    if not any(outside(text) for text in parts):
        return listed(parts)
    complex_ = any("," in outside(text) or " if " in text or "; " in text for text in parts)
    return (
        "; and that ".join(parts)
        if complex_
        else " and that ".join(filter(None, (", that ".join(parts[:-1]), *parts[-1:])))
    )


def enclosed(text: str) -> str:
    """Put a clause with parts into parentheses, unless it begins and ends as one."""
    return f"({text})" if is_compound(text) and not text.startswith(("both ", "(")) else text


def is_compound(text: str) -> bool:
    """True if a clause has parts, so that words before or after it could be taken for one of them."""
    return any(word in f" {outside(text)} " for word in (" and ", " or ", " if ", " for ", "; "))


def both(parts: Sequence[str]) -> str:
    """Join clauses that hold together."""
    return ", and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])}, and {parts[-1]}"


def listed(parts: Sequence[str]) -> str:
    """Join parts by commas and "and".

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
