"""The difference between two reports, for the review of a change."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

__all__ = ["report_changes"]

_WATCHED = ("verdict", "recorded", "strength", "rests_on", "caption", "statement", "assumption", "repair", "corrected")


def report_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """List the changes between two reports of `dtmodel.verify`: claims added and removed, fields and pins changed."""
    before = {claim["id"]: claim for claim in old["claims"]}
    after = {claim["id"]: claim for claim in new["claims"]}
    return {
        "added": [{"id": name, "verdict": after[name]["verdict"]} for name in after if name not in before],
        "removed": [{"id": name, "verdict": before[name]["verdict"]} for name in before if name not in after],
        "changed": [
            {"id": name, "field": field, "old": _field(before[name], field), "new": _field(after[name], field)}
            for name in after
            if name in before
            for field in _WATCHED
            if _field(before[name], field) != _field(after[name], field)
        ],
        "pins": [
            {"id": name, "old": old["pins"].get(name), "new": new["pins"].get(name)}
            for name in sorted({*old["pins"], *new["pins"]})
            if old["pins"].get(name) != new["pins"].get(name)
        ],
    }


def _field(claim: Mapping[str, Any], name: str) -> str:
    value = claim.get(name, "")
    return value if isinstance(value, str) else ", ".join(value)


def print_changes(console: Console, changes: Mapping[str, list[dict[str, Any]]]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("claim", "change", "old", "new"):
        table.add_column(title, overflow="fold")
    rows = [(item["id"], "added", "", item["verdict"]) for item in changes["added"]]
    rows += [(item["id"], "removed", item["verdict"], "") for item in changes["removed"]]
    rows += [(item["id"], item["field"], item["old"], item["new"]) for item in changes["changed"]]
    rows += [(item["id"], "pin", (item["old"] or "")[:12], (item["new"] or "")[:12]) for item in changes["pins"]]
    for name, change, old, new in rows:
        table.add_row(name, change, old or "-", new or "-")
    console.print(table if table.row_count else "nothing changed")
