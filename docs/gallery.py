"""The gallery: every published figure that is drawn here, its published numbers beside the computed ones."""

import json
import re
from collections.abc import Collection, Sequence
from pathlib import Path

from docs.ledger import TITLES
from docs.svg import save

_HEAD = """# Published figures, redrawn

Each is computed from the models (`dtmodel figure ID`), beside the numbers that the text quotes where it quotes any.
"""


def draw(folder: Path) -> Path:
    """Draw every figure into the folder, unless it is there; return the folder."""
    from joblib import Parallel, delayed

    from dtmodel.companion import figures

    folder.mkdir(parents=True, exist_ok=True)
    missing = [name for name in figures.paths() if not (folder / f"{name}.json").is_file()]
    Parallel(n_jobs=-1)(delayed(_draw)(name, folder) for name in missing)
    return folder


def _draw(name: str, folder: Path) -> None:
    from dtmodel.base.files import write_whole
    from dtmodel.companion import figures

    made = figures.redraw(name)
    save(folder / f"{name}.svg", made.figure)
    about = {"caption": made.caption, "rows": made.rows}
    write_whole(folder / f"{name}.json", json.dumps(about))


def pages(folder: Path, claims: Collection[str]) -> dict[str, bytes]:
    """Return the page of the gallery and its pictures, as they were drawn into the folder; ids of claims are links."""
    found = {f"gallery/{path.name}": path.read_bytes() for path in sorted(folder.glob("*.svg"))}
    parts = [_HEAD]
    paper = ""
    for path in sorted(folder.glob("*.json"), key=_order):
        if path.name.partition(".")[0] != paper:
            paper = path.name.partition(".")[0]
            parts.append(f"## {TITLES[paper]}\n")
        about = json.loads(path.read_text(encoding="utf-8"))
        parts.append(_figure(path.stem, _linked(about["caption"], claims), about["rows"]))
    parts.append(_undrawn())
    return found | {"gallery/index.md": "\n".join(parts).encode()}


def _order(path: Path) -> tuple[int, int, str]:
    paper, _, label = path.stem.partition(".")
    digits = "".join(letter for letter in label if letter.isdigit())
    return list(TITLES).index(paper), int(digits or 99), label


def _linked(caption: str, claims: Collection[str]) -> str:
    """Make every id of a claim a link to it."""
    first, line, more = caption.partition("\n")
    ids = re.compile(r"\b[a-z]\w+(?:\.[\w@-]+)+")
    return first + line + ids.sub(lambda found: f"{{claim}}`{found[0]}`" if found[0] in claims else found[0], more)


def _figure(name: str, caption: str, rows: list[list[str]]) -> str:
    first, _, more = caption.partition("\n")
    table = _table([("quantity", "published", "computed", "difference"), *rows])
    told = f"<details><summary>The numbers as text</summary>\n\n{table}\n</details>\n" if rows else ""
    return f"### {name}\n\n```{{image}} {name}.svg\n:alt: {first}\n```\n\n{first}\n\n{more.strip()}\n\n{told}"


def _undrawn() -> str:
    from dtmodel.companion import figures

    return "## Not drawn\n\n" + _table([("figure", "why"), *figures.undrawn().items()])


def _table(rows: Sequence[Sequence[str]]) -> str:
    lines = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines.insert(1, ["---"] * len(rows[0]))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
