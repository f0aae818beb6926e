"""Certificates that are kept because they take long to find: what is repeated in one is written once.

Polynomials are written as such, after ``=``; sums as the places of what is multiplied, a colon, and a number times a
monomial; signs as ``+`` or ``-``, before the sum that shows them; products of factors as lists that begin with ``*``
and a number. What occurs more than once stands in a list, each entry after those that it refers to by ``#`` and its
place there.
"""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_SHORT = 12
"""What is no longer is written where it stands."""


def write(document: Mapping[str, Any], path: Path) -> None:
    """Write a certificate."""
    counted, places, entries = Counter[str](), dict[str, int](), list[Any]()

    def count(item: Any) -> None:
        text = json.dumps(item)
        counted[text] += 1
        for inner in _parts(item) if counted[text] == 1 else ():
            count(inner)

    def short(item: Any) -> Any:
        text = json.dumps(item)
        if counted[text] < 2 or len(text) <= _SHORT:
            return shortened(item)
        if text not in places:
            entry = shortened(item)
            places[text] = len(entries)
            entries.append(entry)
        return f"#{places[text]}"

    def shortened(item: Any) -> Any:
        if isinstance(item, dict):
            return {key: short(value) for key, value in item.items()}
        return [short(value) for value in item] if isinstance(item, list) else item

    whole = _in_words(json.loads(json.dumps(document)))
    count(whole)
    lines = {"certificate": shortened(whole)}
    text = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
    path.write_text(f'{{"shared":[\n{text}\n],\n{json.dumps(lines, separators=(",", ":"))[1:]}\n', encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    """Read a certificate; what is shared is one object."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    entries: list[Any] = []

    def whole(item: Any) -> Any:
        if isinstance(item, str):
            return entries[int(item[1:])] if item.startswith("#") else _read(item)
        if isinstance(item, dict):
            return {key: whole(value) for key, value in item.items()}
        if isinstance(item, list) and item and str(item[0]).startswith("* "):
            return {"number": item[0][2:], "factors": [whole(value) for value in item[1:]]}
        return [whole(value) for value in item] if isinstance(item, list) else item

    for entry in kept["shared"]:
        entries.append(whole(entry))
    found: dict[str, Any] = whole(kept["certificate"])
    return found


def _parts(item: Any) -> list[Any]:
    return [*item.values()] if isinstance(item, dict) else item if isinstance(item, list) else []


def _in_words(item: Any) -> Any:
    """Write the polynomials and the sums of a document as texts."""
    if isinstance(item, dict) and item.keys() <= {"sign", "from"} and "sign" in item:
        return ("+" if item["sign"] > 0 else "-") + (" " + _in_words(item["from"]) if "from" in item else "")
    if isinstance(item, dict) and item.keys() == {"number", "factors"}:
        return [f"* {item['number']}", *map(_in_words, item["factors"])]
    if isinstance(item, dict):
        return {key: _in_words(value) for key, value in item.items()}
    if not isinstance(item, list) or not item:
        return item
    if all(isinstance(part, list) and [type(each) for each in part[-2:]] == [str, dict] for part in item):
        terms = [_term(*part[-2:]) for part in item]
        if all(len(part) == 2 for part in item):
            return "= " + " + ".join(terms).replace(" + -", " - ")
        return "; ".join(f"{' '.join(map(str, part[0]))}: {term}" for part, term in zip(item, terms, strict=True))
    return [_in_words(part) for part in item]


def _term(number: str, monomial: Mapping[str, int]) -> str:
    powers = [name if power == 1 else f"{name}^{power}" for name, power in monomial.items()]
    if number in {"1", "-1"} and powers:
        return number[:-1] + "*".join(powers)
    return "*".join([number, *powers])


def _read(text: str) -> Any:
    """Read a text that is a polynomial, a sign or a sum, or return it."""
    if text.startswith("= "):
        return [_read_term(term) for term in text[2:].replace(" - ", " + -").split(" + ")]
    if text[:1] in {"+", "-"} and text[1:2] in {"", " "}:
        return {"sign": int(f"{text[0]}1")} | ({"from": _read(text[2:])} if text[1:] else {})
    if ": " in text:
        parts = [part.split(": ") for part in text.split("; ")]
        return [[[*map(int, places.split())], *_read_term(term)] for places, term in parts]
    return text


def _read_term(text: str) -> list[Any]:
    negative = text.startswith("-")
    number, *names = text[negative:].split("*")
    if not number[0].isdigit():
        number, names = "1", [number, *names]
    powers = (name.partition("^") for name in names)
    return ["-" * negative + number, {name: int(power or 1) for name, _, power in powers}]
