"""Certificates that stand alone: small data files that a checker verifies without the rest of the package."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from dtmodel.base.files import write_whole

EXPORTED = ("slack", "invariant", "derived")
"""The kinds of certificates that evidence carries and ``proofs/check_certificates.py`` verifies."""

Exporters = Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any] | None]]
"""Per kind of witness besides ``"values"``: the function that writes its data as a certificate's, or returns None."""


def export(report: Mapping[str, Any], directory: Path, exporters: Exporters | None = None) -> dict[str, int]:
    """Write the certificates and the witnesses of a report, one file each; return the number of each kind."""
    counts: dict[str, int] = {}
    directory.mkdir(parents=True, exist_ok=True)
    for name, document in certificates(report, exporters or {}):
        write_whole(directory / f"{name}.json", json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        counts[document["kind"]] = counts.get(document["kind"], 0) + 1
    return counts


def certificates(report: Mapping[str, Any], exporters: Exporters) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each certificate of a report once, with a name for its file."""
    found: dict[tuple[str, str], tuple[list[str], list[dict[str, Any]]]] = {}
    for claim in report["claims"]:
        for item in claim["evidence"]:
            place = str(item["file"]), str(item["function"])
            if place not in found:
                found[place] = [], [*_documents(item, exporters)]
            found[place][0].append(claim["id"])
    for (file, function), (claims, documents) in found.items():
        name = "-".join([*Path(file).with_suffix("").parts[1:], function])
        for number, document in enumerate(documents, 1):
            yield name if number == 1 else f"{name}-{number}", {"claims": claims, **document}


def _documents(item: Mapping[str, Any], exporters: Exporters) -> Iterator[dict[str, Any]]:
    outcome = item["outcome"] or {}
    certificate = outcome.get("certificate")
    parts = certificate.get("parts", [certificate]) if certificate else []
    yield from (dict(part) for part in parts if part.get("kind") in EXPORTED)
    witness = outcome.get("witness")
    if not witness:
        return
    exporter = dict if witness["kind"] == "values" else exporters.get(witness["kind"])
    data = exporter(witness["data"]) if exporter else None
    if data is not None:
        shown = {} if witness["kind"] == "values" else {key: witness[key] for key in ("expected", "claimed")}
        yield {"kind": witness["kind"], "says": witness["says"], **data, **shown}
