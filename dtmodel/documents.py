"""Reading the documents that users give: JSON, JSON Lines and TOML, with decimals kept exact."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dtmodel.errors import InputError
from dtmodel.units import sequence

__all__ = ["Document", "choice", "identity", "only_keys", "read_documents", "sequence", "table"]

_LONGEST_NUMBER = 1000


@dataclass(frozen=True)
class Document:
    """One object of a file: its content, the line where it starts (from 1) and a name for messages."""

    content: Mapping[str, Any]
    line: int
    name: str


def read_documents(path: str) -> Iterator[Document]:
    """Yield the objects of a TOML file (one), a JSON file (one, or a list of them) or a JSON Lines file.

    Decimals are kept as their text, so that `dtmodel.units` reads them exactly. ``"-"`` is standard input (JSON or
    JSON Lines). Lines are read as they come, so that the good lines before a bad one can be answered.

    Raises
    ------
    InputError
        If the file cannot be read, is empty, or is malformed; the message names the line.
    """
    name = "standard input" if path == "-" else path
    try:
        if path == "-":
            yield from _json_documents(sys.stdin, name)
        elif path.endswith(".toml"):
            yield Document(_parse_toml(Path(path).read_text(encoding="utf-8-sig"), name), 1, name)
        else:
            with Path(path).open(encoding="utf-8-sig") as lines:
                yield from _json_documents(lines, name)
    except OSError as error:
        raise InputError("file", path, f"a readable file ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise InputError("file", path, "text in UTF-8") from error


def only_keys(content: Mapping[str, Any], allowed: tuple[str, ...], where: str) -> None:
    """Refuse a key that is not in `allowed`."""
    for key in content:
        if key not in allowed:
            raise InputError(f"{where}{key}", content[key], f"one of the keys {', '.join(allowed)} here")


def identity(document: Mapping[str, Any], default: str | int | None = None) -> str | int | None:
    """Return the ``id`` of a document: a string or a whole number; `default` if it has none."""
    name = document.get("id", default)
    if name is not default and (isinstance(name, bool) or not isinstance(name, str | int)):
        raise InputError("id", name, "a string or a whole number")
    return name


def table(value: object, field: str) -> Mapping[str, Any]:
    """Return `value` if it is an object (a JSON object, a TOML table)."""
    if not isinstance(value, Mapping):
        raise InputError(field, value, "an object")
    return value


def choice(value: object, field: str, allowed: tuple[str, ...]) -> str:
    """Return `value` if it is one of the words in `allowed`."""
    if not isinstance(value, str) or value not in allowed:
        raise InputError(field, value, f"one of {', '.join(allowed)}")
    return value


def _json_documents(lines: Iterator[str], name: str) -> Iterator[Document]:
    """JSON Lines, or one JSON value spread over many lines: decided by whether the first line stands alone."""
    first_number, first = next(((n, line) for n, line in enumerate(lines, 1) if line.strip()), (0, ""))
    if not first:
        raise InputError("file", name, "at least one object; it is empty")
    try:
        value = _parse_json(first, name, first_number)
    except json.JSONDecodeError as error:
        rest = "".join(lines)
        if not rest.strip():
            raise _malformed(name, first_number, error) from error
        yield from _whole(first + rest, name, first_number)
        return
    if isinstance(value, list):
        if "".join(lines).strip():
            accepted = "nothing after a list of objects"
            raise InputError(f"{name}, line {first_number + 1}", "text after the list", accepted)
        yield from _list(value, name, first_number)
        return
    yield _document(value, first_number, name)
    for number, line in enumerate(lines, first_number + 1):
        if line.strip():
            try:
                value = _parse_json(line, name, number)
            except json.JSONDecodeError as error:
                raise _malformed(name, number, error) from error
            yield _document(value, number, name)


def _whole(text: str, name: str, first_number: int) -> Iterator[Document]:
    try:
        value = _parse_json(text, name, first_number)
    except json.JSONDecodeError as error:
        looks_like_lines = text.lstrip().startswith("{") and text.splitlines()[0].rstrip().endswith("}")
        line = first_number if looks_like_lines else first_number + error.lineno - 1
        raise _malformed(name, line, error) from error
    yield from _list(value if isinstance(value, list) else [value], name, first_number)


def _list(values: list[Any], name: str, number: int) -> Iterator[Document]:
    if not values:
        raise InputError("file", name, "at least one object; its list is empty")
    for value in values:
        yield _document(value, number, name)


def _document(value: object, number: int, name: str) -> Document:
    if not isinstance(value, Mapping):
        raise InputError(f"{name}, line {number}", value, "an object")
    return Document(value, number, name)


def _parse_json(text: str, name: str, line: int) -> Any:
    """Parse JSON; decimals, and whole numbers longer than Python converts, stay text."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        for key in keys:
            if keys.count(key) > 1:
                raise InputError(f"{name}, line {line}: {key}", "the same key twice", "each key once")
        return dict(pairs)

    try:
        return json.loads(text, parse_float=str, parse_constant=str, parse_int=_whole_number, object_pairs_hook=unique)
    except RecursionError as error:
        raise InputError(f"{name}, line {line}", "deeply nested JSON", "an object of a few levels") from error


def _whole_number(text: str) -> int | str:
    return int(text) if len(text) < _LONGEST_NUMBER else text


def _malformed(name: str, line: int, error: json.JSONDecodeError) -> InputError:
    return InputError(f"{name}, line {line}", error.doc[error.pos : error.pos + 20], f"JSON ({error.msg})")


def _parse_toml(text: str, name: str) -> dict[str, Any]:
    if not text.strip():
        raise InputError("file", name, "at least one object; it is empty")
    try:
        return tomllib.loads(text, parse_float=str)
    except RecursionError as error:
        raise InputError(name, "deeply nested TOML", "tables of a few levels") from error
    except ValueError as error:  # TOMLDecodeError, or a whole number longer than Python converts
        raise InputError(name, "its text", f"TOML ({error})") from error
