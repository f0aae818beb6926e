"""Reading documents of users (JSON, JSON Lines and TOML, with exact decimals), and writing JSON for people.

- ``value`` is the given value, ``document`` and ``content`` an object of a document.
- ``field`` names the value in an error, ``where`` the object; ``accepted`` are the accepted values in an error.
"""

import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from numbers import Integral
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from dtmodel.base import budgets
from dtmodel.base.errors import MISSING, InputError, did_you_mean, one_of
from dtmodel.base.units import exact, sequence

__all__ = ["Document", "choice", "collected", "identity", "only_keys", "only_version_1", "parse_json", "pretty_json",
           "read_documents", "required", "sequence", "table", "unique_keys", "word_or"]  # fmt: skip

_Part = TypeVar("_Part")
_LONGEST_NUMBER = 1000
_DEEPEST = 100
_QUOTED, _BETWEEN_KEYS = re.compile(r""""(?:\\.|[^"\\])*+"|'[^']*+'"""), re.compile(r"[^\w\s.-]")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Document(NamedTuple):
    """One object of a file, and its name in messages, `where`: ``"a.jsonl, line 3"``, ``"a.json[2]"``, ``"a.toml"``.

    `number`: its id if it has none: the line where it starts (from 1), or its index in a list (from 0).
    """

    content: Mapping[str, Any]
    number: int
    where: str


def read_documents(path: str) -> Iterator[Document]:
    """Yield the objects of a TOML file (one), a JSON file (one, or a list of them) or a JSON Lines file.

    Decimals stay text, to be read exactly. ``"-"`` is standard input (not TOML). Lines are read one by one, so that the
    lines before a malformed line are answered; `InputError` names it.
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
    except ValueError as error:  # a name with a null character
        raise InputError("file", path, f"a readable file ({error})") from error


_MEMORY = dict[tuple[object, ...], Any]()
"""Objects that were read before, by the part of a document that they stand for."""
_LONGEST_PART, _PARTS = 2000, 10_000
_TEXT = json.JSONEncoder(check_circular=False).encode


def once(read: Callable[..., _Part], part: Mapping[str, Any], *context: Hashable) -> _Part:
    """Return ``read(part, *context)``, an immutable object; equal parts are read once, wherever they stand."""
    try:
        text = _TEXT(part)  # fails for numbers that JSON does not have
        key = (read, text, context, budgets.limit("digits"))
        if key in _MEMORY:
            found: _Part = _MEMORY[key]
            return found
    except (TypeError, RecursionError):
        return read(part, *context)
    made = read(part, *context)
    if len(text) <= _LONGEST_PART:
        if len(_MEMORY) >= _PARTS:
            _MEMORY.clear()
        _MEMORY[key] = made
    return made


def only_keys(content: Mapping[str, Any], allowed: tuple[str, ...], where: str) -> None:
    """Refuse a key that is not in `allowed`."""
    for key in content:
        if key not in allowed:
            accepted = f"one of the keys {', '.join(allowed)} here{did_you_mean(key, allowed)}"
            raise InputError(f"{where}{key}", content[key], accepted)


def required(content: Mapping[str, Any], keys: tuple[str, ...], where: str, accepted: str = "a value") -> None:
    """Refuse an object without one of its `keys`."""
    for key in keys:
        if key not in content:
            near = [name for name in content if name not in keys and did_you_mean(name, [key])]
            raise InputError(f"{where}{key}", MISSING, accepted + "".join(f" (it has a key {name!r})" for name in near))


def identity(document: Mapping[str, Any], default: str | int = 1) -> str | int:
    """Return a document's ``id``, a whole number or printable text, by one rule for all formats; else `default`."""
    name = document.get("id", default)
    if isinstance(name, str) and not _UNPRINTABLE.search(name):
        return str(name)
    if not isinstance(name, bool) and isinstance(name, Integral):
        return int(name)
    raise InputError("id", name, "a whole number, or a string without control characters")


def only_version_1(document: Mapping[str, Any]) -> None:
    """Refuse a document whose ``version`` is not 1, the only version so far of every format."""
    accepted = "1, the version of this format"
    if exact(document.get("version", 1), "version", accepted) != 1:
        raise InputError("version", document["version"], accepted)


def collected(parts: Iterable[Mapping[str, Any]], field: str) -> list[Mapping[str, Any]]:
    """Collect the `parts` of an answer within the budget ``output``."""
    kept, size = [], 0
    for part in parts:
        size += _size(part)
        budgets.keep_within("output", size, field)
        kept.append(part)
    return kept


def table(value: object, field: str) -> Mapping[Any, Any]:
    """Return `value` if it is an object (a JSON object, a TOML table)."""
    if not isinstance(value, Mapping):
        raise InputError(field, value, "an object")
    return value


def choice(value: object, field: str, allowed: tuple[str, ...]) -> str:
    """Return `value` if it is one of the words in `allowed`."""
    if not isinstance(value, str) or value not in allowed:
        raise InputError(field, value, one_of(allowed, value))
    return value


def flag(value: object, field: str) -> bool:
    """Return `value` if it is a boolean."""
    if not isinstance(value, bool):
        raise InputError(field, value, "true or false")
    return value


def word_or(read: Callable[[Any, str], Any], value: object, field: str, words: tuple[str, ...]) -> Any:
    """Return `value` if it is one of the `words`, else the quantity that `read` makes of it."""
    if isinstance(value, str) and value in words:
        return value
    try:
        return read(value, field)
    except InputError as error:
        if isinstance(value, str) and not any(map(str.isdigit, value)):
            raise InputError(field, value, f"{one_of(words, value)}, or {error.accepted}") from None
        raise


def pretty_json(value: object, indent: str = "", width: int = 100) -> str:
    """Write a document as JSON for people: on one line if it is shorter than `width`, else one item per line."""
    text = json.dumps(value, ensure_ascii=False)
    deeper = indent + "  "
    if len(text) + len(indent) < width or not isinstance(value, Mapping | list):
        return text
    if isinstance(value, Mapping):
        named = {json.dumps(key, ensure_ascii=False): pretty_json(item, deeper, width) for key, item in value.items()}
        return "{\n" + ",\n".join(f"{deeper}{key}: {item}" for key, item in named.items()) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + pretty_json(item, deeper, width) for item in value) + f"\n{indent}]"


def _size(value: object) -> int:
    """Estimate the number of characters of a part of an answer in JSON."""
    if isinstance(value, str):
        return len(value) + 4
    if isinstance(value, list | tuple):
        return sum(map(_size, value)) + 2
    if value is None or isinstance(value, int) or not isinstance(value, Mapping):
        return 6
    return sum(map(len, value)) + 4 * len(value) + sum(map(_size, value.values()))


def _json_documents(lines: Iterator[str], name: str) -> Iterator[Document]:
    """Read JSON Lines, or one JSON value of several lines if the first line alone is not valid JSON."""
    first_number, first = next(((n, line) for n, line in enumerate(lines, 1) if line.strip()), (0, ""))
    if not first:
        raise InputError("file", name, "at least one object; it is empty")
    where = f"{name}, line {first_number}"
    try:
        value = parse_json(first, where)
    except json.JSONDecodeError as error:
        yield from _whole(first, list(lines), name, first_number, error)
        return
    if isinstance(value, list):
        after = next((n for n, line in enumerate(lines, first_number + 1) if line.strip()), None)
        if after is not None:
            raise InputError(f"{name}, line {after}", "text after the list", "nothing after a list of objects")
        yield from _list(value, name)
        return
    yield _document(value, first_number, where)
    for number, line in enumerate(lines, first_number + 1):
        if line.strip():
            yield _line(line, name, number)


def _line(line: str, name: str, number: int) -> Document:
    where = f"{name}, line {number}"
    try:
        return _document(parse_json(line, where), number, where)
    except json.JSONDecodeError as error:
        raise _malformed(where, error) from error


def _whole(
    first: str, rest: list[str], name: str, first_number: int, alone: json.JSONDecodeError
) -> Iterator[Document]:
    """Yield the objects of a JSON value of several lines; `alone` is the error of its first line alone."""
    try:
        value = parse_json("".join([first, *rest]), name)
    except json.JSONDecodeError as error:
        if _are_lines(first, rest):
            raise _malformed(f"{name}, line {first_number}", alone) from error
        raise _malformed(f"{name}, line {first_number + error.lineno - 1}", error) from error
    if isinstance(value, list):
        yield from _list(value, name)
    else:
        yield _document(value, first_number, name)


def _are_lines(first: str, rest: list[str]) -> bool:
    """Return True if invalid JSON looks like JSON Lines with a malformed first line."""
    second = next((line for line in rest if line.strip()), "")
    after = None
    with suppress(json.JSONDecodeError, InputError):
        after = parse_json(second, "")
    end = first.rstrip()[-1:]
    return first.lstrip().startswith("{") and (end == "}" or (isinstance(after, dict) and end not in "[{,:"))


def _list(values: list[Any], name: str) -> Iterator[Document]:
    if not values:
        raise InputError("file", name, "at least one object; its list is empty")
    for index, value in enumerate(values):
        yield _document(value, index, f"{name}[{index}]")


def _document(value: object, number: int, where: str) -> Document:
    if not isinstance(value, Mapping):
        raise InputError(where, value, "an object")
    return Document(value, number, where)


def unique_keys(pairs: list[tuple[str, Any]], where: str = "") -> dict[str, Any]:
    """Return the object of `pairs` of keys and values; a duplicate key is refused."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise InputError(f"{where}: {twice}" if where else twice, "the same key twice", "each key once")
    return found


def parse_json(text: str, where: str) -> Any:
    """Parse JSON; decimals and huge whole numbers stay text. `InputError` for a duplicate key or deep nesting."""
    try:
        return _DECODE(text)
    except InputError as error:
        raise error.within(where) from None
    except RecursionError as error:
        raise InputError(where, "deeply nested JSON", "an object of a few levels") from error


_DECODE = json.JSONDecoder(
    parse_float=str, parse_constant=str, object_pairs_hook=unique_keys,
    parse_int=lambda text: int(text) if len(text) < _LONGEST_NUMBER else text,
).decode  # fmt: skip


def _malformed(where: str, error: json.JSONDecodeError) -> InputError:
    found = error.doc[error.pos : error.pos + 20] or "the end of the text"
    return InputError(where, found, f"JSON ({error.msg})")


def _parse_toml(text: str, name: str) -> dict[str, Any]:
    if not text.strip():
        raise InputError("file", name, "at least one object; it is empty")
    if any(line.count(".") > _DEEPEST and _levels(line) > _DEEPEST for line in text.split("\n")):
        # the time of tomllib grows with the square of the depth
        raise InputError(name, "deeply nested TOML", "tables of a few levels")
    try:
        return tomllib.loads(text, parse_float=str)
    except RecursionError as error:
        raise InputError(name, "deeply nested TOML", "tables of a few levels") from error
    except ValueError as error:  # TOMLDecodeError, or a whole number longer than Python converts
        raise InputError(name, "its text", f"TOML ({error})") from error


def _levels(line: str) -> int:
    """Return the largest number of dots in a key in a line of TOML."""
    return max(key.count(".") for key in _BETWEEN_KEYS.split(_QUOTED.sub("k", line)))
