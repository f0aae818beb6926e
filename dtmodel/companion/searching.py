"""The entries that can be searched: claims, theorems, figures, notebooks, guides and commands."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dtmodel.base import units
from dtmodel.base.errors import InputError, one_of
from dtmodel.companion.answer_cache import AnswerCache
from dtmodel.companion.figures import captions
from dtmodel.companion.ranking import counted, ranked, terms
from dtmodel.companion.reports import with_statements
from dtmodel.companion.roots import load, papers_root

KINDS = ("claim", "theorem", "figure", "notebook", "guide", "command")
"""The kinds of entries; a claim whose statement can be evaluated (`dtmodel.theory.statements`) is a theorem."""
_PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Entry:
    """An entry: kind, id, text (`titled` if it is a caption), verdict, source, further words, and ways to read more."""

    kind: str
    id: str
    text: str
    see: tuple[str, ...]
    verdict: str | None = None
    source: str = ""
    more: str = ""
    titled: bool = False

    def row(self) -> dict[str, Any]:
        """Return the entry as ``dtmodel search --json`` prints it, without its score."""
        return {name: value for name, value in asdict(self).items() if name not in ("more", "titled")}

    def parts(self) -> tuple[str, str, str]:
        """Return the texts that are searched, most important first; the sentence of a claim is not its title."""
        title = f"{self.id} {self.text}" if self.verdict is None or self.titled else self.id
        return title, f"{self.source} {self.verdict or ''}", f"{self.text} {self.more}"


def found(words: object, kinds: Sequence[str], most: int, folders: Sequence[str | Path]) -> list[dict[str, Any]]:
    """Return the entries that match the words, best first; of a notebook or guide only the best section."""
    if not isinstance(words, str) or not terms(words):
        raise InputError("words", words, "words of a topic, such as fairness, or staggered bursts")
    for kind in kinds:
        if kind not in KINDS:
            raise InputError("kind", kind, one_of(KINDS, kind))
    most = units.count(most, "most", least=1)
    cached = json.loads(AnswerCache(folders).once("search", "entries", lambda: _counted(folders)))
    entries = [(row, Counter(count)) for row, count in cached if row["kind"] in (kinds or KINDS)]
    best: dict[tuple[str, str], dict[str, Any]] = {}
    for score, index in ranked(words, [count for _, count in entries]):
        row = entries[index][0]
        best.setdefault((row["kind"], row["id"]), row | {"score": round(score, 3)})
    return list(best.values())[:most]


def _counted(folders: Sequence[str | Path]) -> str:
    """Return the rows of all entries with the frequencies of their words, as JSON."""
    return json.dumps([(entry.row(), counted(entry.parts())) for entry in _entries(folders)])


def _entries(folders: Sequence[str | Path]) -> Iterator[Entry]:
    yield from _claims(folders)
    for name, caption in captions().items():
        yield Entry("figure", name, caption.partition("\n")[0], (f"dtmodel figure {name}",), more=caption)
    for path in sorted((papers_root() / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        yield from _sections("notebook", path.name, text, "dtmodel lab")
    docs = papers_root() / "docs" / "source" / "guides"  # a wheel has no guides
    for path in sorted(docs.glob("*.md")):
        yield from _sections("guide", path.name, path.read_text(encoding="utf-8"), f"docs/source/guides/{path.name}")
    yield from _commands()


def _claims(folders: Sequence[str | Path]) -> Iterator[Entry]:
    homes = {claim: (title, home) for claim, title, home in _statements()}
    collection = with_statements(load(folders))
    for claim in collection.claims.values():
        title, *home = homes.get(claim.id, ("",))
        said = collection.statement(claim) if claim.formal else ""
        more = f"{said} {title} {claim.kind} {claim.assumption} {claim.repair} {claim.reason} {claim.note}"
        see = (f"dtmodel show {claim.id}", *home)
        kind = "theorem" if home else "claim"
        yield Entry(kind, claim.id, claim.title, see, claim.verdict, claim.source, more, bool(claim.caption))
    collection.index.save()


def _statements() -> Iterator[tuple[str, str, str]]:
    """Yield id, title and name in Python of each statement of `dtmodel.theory`, without importing it."""
    for path in sorted((_PACKAGE / "theory").glob("*/*statements.py")):
        head = (path.parent / "__init__.py").read_text(encoding="utf-8")
        package = f"dtmodel.theory.{path.parent.name}"
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                named = {each.arg: each.value for each in node.value.keywords}
                texts = [*node.value.args[:2], *(named[key] for key in ("id", "title") if key in named)]
                if ast.unparse(node.value.func) == "Statement":
                    claim, title = map(ast.literal_eval, texts)
                    name = ast.unparse(node.targets[0])
                    home = package if f'"{name}"' in head else f"{package}.{path.stem}"
                    yield claim, title, f"{home}.{name}"


def _sections(kind: str, name: str, text: str, see: str) -> Iterator[Entry]:
    """Yield the sections of a text in Markdown, under its title."""
    prose = re.sub(r"(?s)\A---.*?\n---\n|```.*?```", "", text)
    head, *parts = re.split(r"(?m)^##? ", prose)[1:] or [name]
    title = head.partition("\n")[0]
    for part in (head, *parts):
        section, _, body = part.partition("\n")
        yield Entry(kind, name, title if part is head else f"{title}: {section}", (see,), more=body)


def _commands() -> Iterator[Entry]:
    """Yield the commands with their help, read from the modules of the command line without importing them."""
    for path in sorted((_PACKAGE / "cli").glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if head := re.match(r"``dtmodel ([\w -]+)``: (.*)", ast.get_docstring(tree) or ""):
            texts = [ast.get_docstring(node) or "" for node in tree.body if isinstance(node, ast.FunctionDef)]
            helps = (node.value for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "help")
            texts += [str(value.value) for value in helps if isinstance(value, ast.Constant)]
            yield Entry("command", head[1], head[2], (f"dtmodel {head[1]} --help",), more=" ".join(texts))
