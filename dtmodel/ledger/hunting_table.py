"""What a long hunt found, kept as a table: a row for each form, with its hash, so that an older text is noticed."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dtmodel.children import git
from dtmodel.errors import InputError
from dtmodel.files import write_whole
from dtmodel.ledger.hunting import Found, Target

_HEAD = """# What a long hunt found

Made by `dtmodel hunt --hypotheses --seconds SECONDS --table validation/results` (`make hunt`); later runs with
`--changed` replace the rows of forms that say something else since. Every form that is recorded as true is attacked;
each of its hypotheses is then dropped by itself, to see whether an instance that it alone excludes refutes the rest.
A hypothesis is *needed* (there is such an instance; hunt.json has it), *needed for a value* (without it something has
none), or *not known to be needed* (none was found). A form that is recorded as false is refuted anew. The seconds are
those that were given: a run that was ended has fewer forms than it was asked for.

"""


@dataclass(frozen=True)
class Table:
    """The kept rows of hunts, by claim and form, and what made them.

    `folder`: where ``hunt.json`` and ``hunt.md`` are. `runs` (tuple of mapping): settings, versions and commit of each
    hunt. `rows`: what was found, as `Found.document` writes it, with the number of its run.
    """

    folder: Path
    runs: tuple[Mapping[str, Any], ...] = ()
    rows: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> Table:
        """Read what a folder keeps; nothing, if it keeps none.

        Raises `InputError` if its ``hunt.json`` is not such a table.
        """
        path = folder / "hunt.json"
        if not path.exists():
            return cls(folder)
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
            rows = {(row["claim"], row["form"]): row for row in document["rows"]}
            return cls(folder, tuple(document["runs"]), rows)
        except (OSError, ValueError, RecursionError, KeyError, TypeError) as error:
            raise InputError("--table", str(path), f"a table of hunts ({error!r})") from error

    def stale(self, chosen: Iterable[Target]) -> list[Target]:
        """Return the targets without a row of their present text."""
        return [t for t in chosen if self.rows.get((t.claim, t.form), {}).get("hash") != t.digest]

    def add(self, found: Iterable[Found], run: Mapping[str, Any]) -> Table:
        """Return the table with more rows, those of a new run, in place of older ones."""
        new = {(f.target.claim, f.target.form): {**f.document(), "run": len(self.runs)} for f in found}
        return replace(self, runs=(*self.runs, run), rows={**self.rows, **new})

    def kept(self, chosen: Iterable[Target]) -> Table:
        """Return the table with the rows of these targets alone, in their order."""
        keys = [(target.claim, target.form) for target in chosen]
        return replace(self, rows={key: self.rows[key] for key in keys if key in self.rows})

    def write(self) -> None:
        """Write both files; a run, and a row, is one line of the JSON, so that only those differ that are new."""
        parts = {"runs": self.runs, "rows": self.rows.values()}
        text = ",\n".join(f'"{name}": [\n{_lines(part)}\n]' for name, part in parts.items())
        write_whole(self.folder / "hunt.json", f"{{\n{text}\n}}\n")
        write_whole(self.folder / "hunt.md", _markdown(self.runs, list(self.rows.values())))


def _lines(items: Iterable[Mapping[str, Any]]) -> str:
    return ",\n".join(json.dumps(item, ensure_ascii=False) for item in items)


def about() -> dict[str, str]:
    """Return the versions that a run depends on, and the commit of the checkout."""
    return {"commit": _commit(), "python": platform.python_version(), "dtmodel": version("dtmodel")}


def _commit() -> str:
    here = Path(__file__).parent
    return git(here, "rev-parse", "--short", "HEAD") + (" with changes" if git(here, "status", "--porcelain") else "")


def _markdown(runs: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> str:
    keys = ("seconds", "cases", "seed", "hypotheses", "forms", "asked_for", "commit", "python", "dtmodel")
    lines = [_HEAD + _row(["run", *(key.replace("_", " ") for key in keys)]), _row(["--:"] * (1 + len(keys)))]
    lines += [_row([place, *(run.get(key) for key in keys)]) for place, run in enumerate(runs)]
    needs = [need["kind"] for row in rows for need in row["hypotheses"]]
    counts = ", ".join(f"{needs.count(kind):,} {kind}" for kind in dict.fromkeys(needs))
    asked = f"the conclusion was asked {sum(row['tried'] for row in rows):,} times"
    lines += ["", f"{len(rows)} forms; {asked}; hypotheses: {counts or 'none'}.", ""]
    lines += [_row(["claim", "form", "recorded", "asked", "nearest miss", "needed", "not known to be needed", "run"])]
    lines += [_row(["---", "---", "---", "--:", "--:", "---", "---", "--:"])]
    lines += [_row(_cells(row)) for row in rows]
    return "\n".join(lines) + "\n"


def _cells(row: Mapping[str, Any]) -> list[object]:
    def listed(*kinds: str) -> str:
        return "; ".join(f"`{need['hypothesis']}`" for need in row["hypotheses"] if need["kind"] in kinds)

    nearest = "" if row["nearest"] is None else f"{float(Fraction(row['nearest'])):.2g}"
    needed, unknown = listed("needed", "needed for a value"), listed("not known to be needed")
    return [row["claim"], row["form"], str(row["recorded"]).lower(), row["tried"], nearest, needed, unknown, row["run"]]


def _row(cells: Iterable[object]) -> str:
    return "| " + " | ".join("" if cell is None else str(cell).replace("|", "\\|") for cell in cells) + " |"
