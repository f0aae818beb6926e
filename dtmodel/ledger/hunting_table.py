"""The kept results of long hunts: a row for each form, with its hash, so that rows of an older text are found."""

import json
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

from dtmodel.base.errors import InputError
from dtmodel.base.files import write_whole
from dtmodel.base.version import __version__
from dtmodel.base.workers import git
from dtmodel.ledger.hunting import Alterations, Found, Target
from dtmodel.ledger.parts import parts

_HUNT = """# What a long hunt found

Made by `dtmodel hunt --hypotheses --seconds SECONDS --table validation/results` (`make hunt`); later runs with
`--changed` replace the rows of forms that say something else since. Every form that is recorded as true is attacked;
each of its hypotheses is then dropped by itself, to see whether an instance that it alone excludes refutes the rest.
A hypothesis is *needed* (there is such an instance; hunt.json has it), *needed for a value* (without it something has
none), or *not known to be needed* (none was found). A form that is recorded as false is refuted anew. The seconds are
those that were given: a run that was ended has fewer forms than it was asked for.

"""
_PARTS = """# What the statements say in vain

Made by `dtmodel hunt --parts --seconds SECONDS --table validation/results`; later runs with `--changed` replace the
rows of forms that say something else since. Of every form that is recorded as true each relation, alternative, branch
and number of the conclusion is altered in a few ways, and so are the values that it alone uses. A part is listed if no
instance was found in which the hypotheses hold and an altered conclusion does not: what it says is then true of
anything, follows from the rest, or is rare where instances are drawn. What several forms define alike is listed if none
of them notices it.

"""


@dataclass(frozen=True)
class Table:
    """The kept rows of hunts, by claim and form, and the settings, versions and commits of the runs that made them."""

    folder: Path
    name: str = "hunt"
    runs: tuple[Mapping[str, Any], ...] = ()
    rows: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path, name: str = "hunt") -> Self:
        """Read the table of a folder, empty if there is no file; raise `InputError` if the file is not a table."""
        path = folder / f"{name}.json"
        if not path.exists():
            return cls(folder, name)
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
            rows = {(row["claim"], row["form"]): row for row in document["rows"]}
            return cls(folder, name, tuple(document["runs"]), rows)
        except (OSError, ValueError, RecursionError, KeyError, TypeError) as error:
            raise InputError("--table", str(path), f"a table of hunts ({error!r})") from error

    def stale(self, chosen: Iterable[Target]) -> list[Target]:
        """Return the targets without a row for their present text."""
        return [t for t in chosen if self.rows.get((t.claim, t.form), {}).get("hash") != t.digest]

    def add(self, found: Iterable[Found | Alterations], run: Mapping[str, Any]) -> Self:
        """Return the table with the rows of a new run in place of older ones."""
        new = {(f.target.claim, f.target.form): {**f.document(), "run": len(self.runs)} for f in found}
        return replace(self, runs=(*self.runs, run), rows={**self.rows, **new})

    def kept(self, chosen: Iterable[Target]) -> Self:
        """Return the table with the rows of these targets only, in their order."""
        keys = [(target.claim, target.form) for target in chosen]
        return replace(self, rows={key: self.rows[key] for key in keys if key in self.rows})

    def shared(self, chosen: Iterable[Target]) -> Self:
        """Return the table without parts of shared definitions that an instance of another form notices."""
        defined = {(t.claim, t.form): {str(part) for part in parts(t.formal) if part.defines} for t in chosen}
        noticed = set().union(*(defined.get(key, set()) - set(row["unnoticed"]) for key, row in self.rows.items()))
        left = {
            key: {**row, "unnoticed": [part for part in row["unnoticed"] if part not in noticed]}
            for key, row in self.rows.items()
        }
        return replace(self, rows=left)

    def write(self) -> None:
        """Write both files; each run and each row is one line of the JSON, so that a diff shows only new ones."""
        parts = {"runs": self.runs, "rows": self.rows.values()}
        text = ",\n".join(f'"{name}": [\n{_lines(part)}\n]' for name, part in parts.items())
        write_whole(self.folder / f"{self.name}.json", f"{{\n{text}\n}}\n")
        head, told = (_HUNT, _hunts) if self.name == "hunt" else (_PARTS, _parts)
        lines = [*_table_of_runs(self.runs), "", *told(list(self.rows.values()))]
        write_whole(self.folder / f"{self.name}.md", head + "\n".join(lines) + "\n")


def _lines(items: Iterable[Mapping[str, Any]]) -> str:
    return ",\n".join(json.dumps(item, ensure_ascii=False) for item in items)


def about() -> dict[str, str]:
    """Return the versions that a run depends on, and the commit of the checkout."""
    return {"commit": _commit(), "python": platform.python_version(), "dtmodel": __version__}


def _commit() -> str:
    here = Path(__file__).parent
    return git(here, "rev-parse", "--short", "HEAD") + (" with changes" if git(here, "status", "--porcelain") else "")


def _table_of_runs(runs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    keys = ("seconds", "cases", "seed", "hypotheses", "forms", "asked_for", "commit", "python", "dtmodel")
    yield _row(["run", *(key.replace("_", " ") for key in keys)])
    yield _row(["--:"] * (1 + len(keys)))
    yield from (_row([place, *(run.get(key) for key in keys)]) for place, run in enumerate(runs))


def _hunts(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    needs = [need["kind"] for row in rows for need in row["hypotheses"]]
    counts = ", ".join(f"{needs.count(kind):,} {kind}" for kind in dict.fromkeys(needs))
    asked = f"the conclusion was asked {sum(row['tried'] for row in rows):,} times"
    yield from (f"{len(rows)} forms; {asked}; hypotheses: {counts or 'none'}.", "")
    yield _row(["claim", "form", "recorded", "asked", "nearest miss", "needed", "not known to be needed", "run"])
    yield _row(["---", "---", "---", "--:", "--:", "---", "---", "--:"])
    yield from (_row(_cells(row)) for row in rows)


def _parts(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    left = sum(len(row["unnoticed"]) for row in rows)
    yield from (f"{len(rows)} forms; {sum(row['parts'] for row in rows):,} parts, {left:,} of them not noticed.", "")
    yield _row(["claim", "form", "parts", "not noticed", "run"])
    yield _row(["---", "---", "--:", "---", "--:"])
    for row in rows:
        if row["unnoticed"]:
            listed = "; ".join(f"`{part}`" for part in row["unnoticed"])
            yield _row([row["claim"], row["form"], row["parts"], listed, row["run"]])


def _cells(row: Mapping[str, Any]) -> list[object]:
    def listed(*kinds: str) -> str:
        return "; ".join(f"`{need['hypothesis']}`" for need in row["hypotheses"] if need["kind"] in kinds)

    nearest = "" if row["nearest"] is None else f"{float(Fraction(row['nearest'])):.2g}"
    needed, unknown = listed("needed", "needed for a value"), listed("not known to be needed")
    return [row["claim"], row["form"], str(row["recorded"]).lower(), row["tried"], nearest, needed, unknown, row["run"]]


def _row(cells: Iterable[object]) -> str:
    return "| " + " | ".join("" if cell is None else str(cell).replace("|", "\\|") for cell in cells) + " |"
