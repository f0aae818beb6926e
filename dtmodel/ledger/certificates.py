"""Certificates that stand alone: small data files that a checker verifies without the rest of the package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dtmodel.errors import InputError

__all__ = ["EXPORTED", "certificates", "export"]

EXPORTED = ("slack", "values")
"""The kinds that ``proofs/check_certificates.py`` verifies."""


def export(report: Mapping[str, Any], directory: Path) -> int:
    """Write the certificates and the witnesses of kind ``"values"`` of a report, one file each; return how many.

    Raises
    ------
    InputError
        If the directory cannot be written.
    """
    count = 0
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, document in certificates(report):
            text = json.dumps(document, indent=1, ensure_ascii=False)
            (directory / f"{name}.json").write_text(text + "\n", encoding="utf-8")
            count += 1
    except OSError as error:
        raise InputError("--certificates", str(directory), f"a directory to write to ({error.strerror})") from error
    return count


def certificates(report: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each certificate of a report once, with a name for its file."""
    seen: dict[tuple[str, str], list[str]] = {}
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for claim in report["claims"]:
        for item in claim["evidence"]:
            for number, document in enumerate(_documents(item)):
                key = (str(item["file"]), f"{item['function']}{f'-{number + 1}' if number else ''}")
                seen.setdefault(key, []).append(claim["id"])
                found[key] = document
    for (file, function), document in found.items():
        claims = seen[file, function]
        name = "-".join([*Path(file).with_suffix("").parts[1:], function])
        yield name, {"claims": claims, **document}


def _documents(item: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    outcome = item["outcome"] or {}
    certificate = outcome.get("certificate")
    parts = certificate.get("parts", [certificate]) if certificate else []
    yield from (dict(part) for part in parts if part.get("kind") in EXPORTED)
    witness = outcome.get("witness")
    if witness and witness["kind"] == "values":
        yield {"kind": "values", "says": witness["says"], **witness["data"]}
