"""The keys of files, as their JSON Schemas in ``dtmodel/schemas`` declare them: readers have no list of their own."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from dtmodel.base.documents import only_keys, required


class Keys(NamedTuple):
    """The keys that an object may have, and those of them that it must have, in the order of the schema."""

    allowed: tuple[str, ...]
    required: tuple[str, ...]


def schema_text(name: str) -> str:
    """Return the text of a schema."""
    return files("dtmodel").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")


@cache
def declared(schema: str, *place: str | int, branch: int | None = None) -> Keys:
    """Return the keys of the object at a `place` of a schema, as changed by a `branch` of the object's ``oneOf``."""
    content: Any = json.loads(schema_text(schema))
    for step in place:
        content = content[step]
    chosen = {} if branch is None else content["oneOf"][branch]
    without = {key for key, rule in chosen.get("properties", {}).items() if rule is False}
    needed = (*content.get("required", ()), *chosen.get("required", ()))
    return Keys(tuple(key for key in content["properties"] if key not in without), needed)


def only_declared(content: Mapping[str, Any], where: str, schema: str, *place: str | int) -> None:
    """Refuse an object with a key that its schema does not declare, or without one that it requires."""
    keys = declared(schema, *place)
    only_keys(content, keys.allowed, where)
    required(content, keys.required, where)
