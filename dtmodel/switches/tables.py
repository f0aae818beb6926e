"""The buffer tables of a switch, in the shape of SONiC's CONFIG_DB, from any of several kinds of files.

They are: a CONFIG_DB; a dump of CONFIG_DB or APPL_DB; a list of ``swssconfig`` operations; rendered defaults;
``pg_profile_lookup.ini``, each row of which becomes one lossless profile.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dtmodel.base.documents import read_documents, table
from dtmodel.base.errors import InputError

TABLES = (
    "BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE", "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "BUFFER_PORT_EGRESS_PROFILE_LIST", "PORT", "CABLE_LENGTH", "LOSSLESS_TRAFFIC_PATTERN",
)  # fmt: skip
"""The tables that are read; others are ignored."""
_LOOKUP = ("speed", "cable", "size", "xon", "xoff", "threshold", "xon_offset")


def read_file(path: str) -> Mapping[str, Any]:
    """Read one configuration: a JSON file, a list of operations, or a ``pg_profile_lookup.ini``."""
    if path.endswith(".ini"):
        return lookup_tables(Path(path).read_text(encoding="utf-8"))
    contents = [document.content for document in read_documents(path)]
    if len(contents) > 1 and not all(key == "OP" or ":" in key for content in contents for key in content):
        raise InputError("file", path, "one configuration")
    return {key: value for content in contents for key, value in content.items()}


def buffer_tables(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the tables of `TABLES` that a document has, with ``|`` in all keys and the fields of every entry."""
    found: dict[str, dict[str, Any]] = {}
    for key, value in _one_asic(document).items():
        name, bar, rest = str(key).replace(":", "|", 1).partition("|")
        name = name.removesuffix("_TABLE")
        if name not in TABLES:
            continue
        entries = {rest: value} if bar else table(value, name)
        for of, entry in entries.items():
            found.setdefault(name, {})[str(of).replace(":", "|")] = _fields(entry, f"{name}.{of}")
    return found


def _one_asic(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the configuration of the one ASIC with buffer pools, if the document has configurations by ASIC."""
    inner = {key: value for key, value in document.items() if isinstance(value, Mapping) and "BUFFER_POOL" in value}
    if len(inner) > 1:
        accepted = f"one configuration: those of {', '.join(inner)} are switches of their own, each for a file"
        raise InputError("file", ", ".join(inner), accepted)
    return next(iter(inner.values()), document)


def _fields(entry: object, field: str) -> Mapping[str, Any]:
    """Return the fields of an entry; the names of lists end with ``@`` in a database."""
    fields = table(entry, field)
    inner = fields.get("value")
    return {str(k).removesuffix("@"): v for k, v in (inner if isinstance(inner, Mapping) else fields).items()}


def lookup_tables(text: str) -> dict[str, Any]:
    """Return the tables of a ``pg_profile_lookup.ini``: a profile and two queues of a pool without size a row."""
    profiles, groups = {}, {}
    for speed, cable, fields in _lookup_rows(text.splitlines()):
        name = f"pg_lossless_{speed}_{cable}_profile"
        profiles[name] = {"pool": "ingress_lossless_pool", **fields}
        groups[f"{speed}_{cable}|3-4"] = {"profile": name}
    pool = {"type": "ingress", "mode": "dynamic"}
    return {"BUFFER_POOL": {"ingress_lossless_pool": pool}, "BUFFER_PROFILE": profiles, "BUFFER_PG": groups}


def _lookup_rows(lines: Iterable[str]) -> Iterable[tuple[str, str, dict[str, str]]]:
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if not 6 <= len(words) <= len(_LOOKUP):
            raise InputError(f"line {number}", line, f"the columns {', '.join(_LOOKUP)} (the last may be absent)")
        speed, cable, *rest = words
        fields = dict(zip(_LOOKUP[2:], rest, strict=False))
        yield speed, cable, {"dynamic_th" if key == "threshold" else key: value for key, value in fields.items()}


def without_reference(name: object) -> str:
    """Return the name in ``"[BUFFER_POOL|name]"``, the older form, with brackets or without, or the name itself.

    >>> [without_reference(name) for name in ("[BUFFER_PROFILE_TABLE:lossy]", "BUFFER_POOL|p", "lossy")]
    ['lossy', 'p', 'lossy']
    """
    match = re.fullmatch(r"\s*\[?BUFFER_\w+[|:]([^\]]+)\]?\s*", str(name))
    return match[1] if match else str(name).strip()
