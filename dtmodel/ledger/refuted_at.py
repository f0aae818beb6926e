"""Numbers at which a claim is false, as the key ``refuted`` of its table in TOML lists them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from dtmodel.base.documents import choice, only_keys, table
from dtmodel.base.errors import InputError, LedgerError
from dtmodel.base.units import sequence
from dtmodel.ledger.values import read_values


@dataclass(frozen=True)
class RefutedAt:
    """Numbers at which the printed form of a claim is false.

    - `name`, `shows`: the name of the evidence, and its content in words.
    - `values`: whole numbers, texts such as ``"1/3"``, or lists of them, by the names that they have in `statement`.
    - `statement`: the relation that they violate.
    - `given`: the relations that they satisfy.
    - `says`: the point of it in one sentence.
    - `strength`: ``"exact"``, or ``"kernel"`` if Coq must prove the negation, too.
    - `also`: other claims that they refute.

    >>> RefutedAt("no_room", "Two bytes in a buffer of one.", {"B": 1, "q": 2}, "q <= B").strength
    'exact'
    """

    name: str
    shows: str
    values: Mapping[str, Any]
    statement: str
    given: tuple[str, ...] = ()
    says: str = ""
    strength: str = "exact"
    also: tuple[str, ...] = ()


def read_refuted_at(value: object) -> tuple[RefutedAt, ...]:
    """Read the key ``refuted`` of a claim: a list of tables with the fields of a `RefutedAt`.

    Raises `InputError` if it is anything else; each number must be exact and literal.
    """
    entries = sequence(value, "refuted", accepted="a list of tables")
    return tuple(_read(entry, f"refuted[{place}]") for place, entry in enumerate(entries))


def _read(entry: object, where: str) -> RefutedAt:
    content = dict(table(entry, where))
    only_keys(content, tuple(field.name for field in fields(RefutedAt)), f"{where}.")
    for name in ("name", "shows", "statement"):
        _text(content.get(name), f"{where}.{name}")
    if "says" in content:
        _text(content["says"], f"{where}.says")
    for name in ("given", "also"):
        texts = sequence(content.get(name, []), f"{where}.{name}", accepted="a list of texts")
        content[name] = tuple(_text(text, f"{where}.{name}[{place}]") for place, text in enumerate(texts))
    choice(content.get("strength", "exact"), f"{where}.strength", ("exact", "kernel"))
    for name, number in table(content.get("values"), f"{where}.values").items():
        try:
            read_values({name: number})
        except LedgerError as error:
            raise InputError(f"{where}.values.{name}", number, "an exact number such as '1/3', or a list") from error
    return RefutedAt(**content)


def _text(value: object, field: str) -> str:
    if not isinstance(value, str) or not value:
        raise InputError(field, value, "a text")
    return value
