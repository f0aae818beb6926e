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

__all__ = ["Document", "choice", "only_keys", "read_documents", "sequence", "table"]


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
            yield Document(_parse_toml(Path(path).read_text(encoding="utf-8"), name), 1, name)
        else:
            with Path(path).open(encoding="utf-8") as lines:
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


def table(value: object, field: str) -> Mapping[str, Any]:
    """Return `value` if it is an object (a JSON object, a TOML table)."""
    if not isinstance(value, Mapping):
        raise InputError(field, value, "an object")
    return value


def sequence(value: object, field: str) -> list[Any]:
    """Return `value` as a list if it is one."""
    if not isinstance(value, list | tuple):
        raise InputError(field, value, "a list")
    return list(value)


def choice(value: object, field: str, allowed: tuple[str, ...]) -> str:
    """Return `value` if it is one of the words in `allowed`."""
    if not isinstance(value, str) or value not in allowed:
        raise InputError(field, value, f"one of {', '.join(allowed)}")
    return value


def _json_documents(lines: Any, name: str) -> Iterator[Document]:
    """JSON Lines, or one JSON value spread over many lines: decided by whether the first line stands alone."""
    first_number, first = next(((n, line) for n, line in enumerate(lines, 1) if line.strip()), (0, ""))
    if not first:
        raise InputError("file", name, "at least one object; it is empty")
    try:
        values = [json.loads(first, parse_float=str, parse_constant=str)]
    except json.JSONDecodeError as error:
        rest = "".join(lines)
        if not rest.strip():
            raise _malformed(name, first_number, error) from error
        yield from _whole(first + rest, name, first_number)
        return
    if isinstance(values[0], list):
        if "".join(lines).strip():
            raise InputError(
                f"{name}, line {first_number + 1}", "text after the list", "nothing after a list of objects"
            )
        values = values[0]
    for value in values:
        yield _document(value, first_number, name)
    for number, line in enumerate(lines, first_number + 1):
        if line.strip():
            try:
                value = json.loads(line, parse_float=str, parse_constant=str)
            except json.JSONDecodeError as error:
                raise _malformed(name, number, error) from error
            yield _document(value, number, name)


def _whole(text: str, name: str, first_number: int) -> Iterator[Document]:
    try:
        value = json.loads(text, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as error:
        looks_like_lines = text.lstrip().startswith("{") and text.splitlines()[0].rstrip().endswith("}")
        line = first_number if looks_like_lines else first_number + error.lineno - 1
        raise _malformed(name, line, error) from error
    for item in value if isinstance(value, list) else [value]:
        yield _document(item, first_number, name)


def _document(value: object, number: int, name: str) -> Document:
    if not isinstance(value, Mapping):
        raise InputError(f"{name}, line {number}", value, "an object")
    return Document(value, number, name)


def _malformed(name: str, line: int, error: json.JSONDecodeError) -> InputError:
    return InputError(f"{name}, line {line}", error.doc[error.pos : error.pos + 20], f"JSON ({error.msg})")


def _parse_toml(text: str, name: str) -> dict[str, Any]:
    if not text.strip():
        raise InputError("file", name, "at least one object; it is empty")
    try:
        return tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        raise InputError(name, "its text", f"TOML ({error})") from error
