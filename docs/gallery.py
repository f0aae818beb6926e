"""The gallery: every published figure that is drawn here, its published numbers beside the computed ones."""

from __future__ import annotations

import json
from pathlib import Path

from docs.ledger import TITLES

__all__ = ["draw", "pages"]

_HEAD = """# Published figures, redrawn

Each is computed from the models (`dtmodel figure ID`), beside the numbers that the text quotes where it quotes any.
"""


def draw(folder: Path) -> Path:
    """Draw every figure into the folder, unless they are there; return it."""
    from dtmodel.papers import figures
    from dtmodel.plot.style import styled

    folder.mkdir(parents=True, exist_ok=True)
    for name in figures.paths():
        if (folder / f"{name}.json").is_file():
            continue
        module = figures.script(name)
        data = module.data()
        rows = [[str(cell) for cell in row] for row in module.published(data)] if hasattr(module, "published") else []
        with styled():
            module.draw(data).savefig(folder / f"{name}.svg", metadata={"Date": None})
        about = {"caption": (module.__doc__ or "").strip(), "rows": rows}
        (folder / f"{name}.json").write_text(json.dumps(about), encoding="utf-8")
    return folder


def pages(folder: Path) -> dict[str, bytes]:
    """Return the page of the gallery and its pictures, as they were drawn into the folder."""
    found = {f"gallery/{path.name}": path.read_bytes() for path in sorted(folder.glob("*.svg"))}
    parts = [_HEAD]
    paper = ""
    for path in sorted(folder.glob("*.json"), key=_order):
        if path.name.partition(".")[0] != paper:
            paper = path.name.partition(".")[0]
            parts.append(f"## {TITLES[paper]}\n")
        parts.append(_figure(path.stem, **json.loads(path.read_text(encoding="utf-8"))))
    return found | {"gallery/index.md": "\n".join(parts).encode()}


def _order(path: Path) -> tuple[int, int, str]:
    paper, _, label = path.stem.partition(".")
    digits = "".join(letter for letter in label if letter.isdigit())
    return list(TITLES).index(paper), int(digits or 99), label


def _figure(name: str, caption: str, rows: list[list[str]]) -> str:
    first, _, more = caption.partition("\n")
    heads = ("quantity", "published", "computed", "difference")
    table = ""
    if rows:
        wide = len(rows[0])
        lines = [heads[:wide], ["---"] * wide, *([cell.replace("|", "\\|") for cell in row] for row in rows)]
        table = "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
    return f"### {name}\n\n```{{image}} {name}.svg\n:alt: {first}\n```\n\n{first}\n\n{more.strip()}\n\n{table}"
