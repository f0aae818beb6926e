"""What a witness must show: the computed answer is as expected, and is not what is claimed."""

from fractions import Fraction
from typing import Any

from .algebra import refuse_unless

__all__ = ["number", "show"]

MISSING = object()


def show(document: dict[str, Any], answer: dict[str, Any]) -> None:
    """Check that the answer has the expected values, and one at least that differs from the claimed ones."""
    refuse_unless(bool(document["expected"]) and bool(document["claimed"]), "nothing is expected, or claimed")
    wrong = differences(document["expected"], answer)
    refuse_unless(not wrong, f"{wrong[:1]} is expected, and is not so")
    against = differences(document["claimed"], answer)
    refuse_unless(bool(against), "what is claimed is so")
    refuse_unless(not any(found is MISSING for _, _, found in against), "something is claimed that has no answer")


def differences(wanted: Any, found: Any, path: str = "") -> list[tuple[str, Any, Any]]:
    """List where the answer differs: of a table the wanted keys are compared, of a list every item."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        pairs = [(f"{path}.{key}", value, found.get(key, MISSING)) for key, value in wanted.items()]
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        pairs = [(f"{path}[{n}]", *pair) for n, pair in enumerate(zip(wanted, found, strict=True))]
    else:
        return [] if plain(wanted) == plain(found) else [(path, wanted, found)]
    return [item for where, a, b in pairs for item in differences(a, b, where)]


def plain(value: Any) -> Any:
    """Make numbers comparable, however they are written."""
    if isinstance(value, (str, int, Fraction)) and not isinstance(value, bool):
        try:
            return Fraction(value)
        except ValueError:
            return value
    return [plain(item) for item in value] if isinstance(value, list) else value


def number(value: Any) -> Fraction | None:
    """Read an exact number, or null."""
    return None if value is None else Fraction(value)
