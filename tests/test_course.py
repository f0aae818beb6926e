"""The course keeps its rules: short cells between a question and an answer, one word for one thing."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from dtmodel import lab

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
EACH = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
MOST = 12
"""The most lines of code in a cell, blank ones apart."""
Cell = dict[str, Any]


def cells(path: Path) -> list[Cell]:
    read: list[Cell] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [{"kind": cell["cell_type"], "text": "".join(cell["source"])} for cell in read]


def code_lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines())


def defined(text: str) -> list[str]:
    source = re.sub(r"^[!%].*", "", text, flags=re.MULTILINE)
    return [node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef | ast.FunctionDef)]


def experiments(path: Path) -> list[tuple[Cell | None, str, Cell | None]]:
    """Return each cell of code between its neighbours, without that of the imports and those of the exercises."""
    padded = [None, *cells(path), None]
    imports = next(n for n, cell in enumerate(padded) if cell and cell["kind"] == "code")
    return [
        (padded[n - 1], cell["text"], padded[n + 1])
        for n, cell in enumerate(padded)
        if cell and cell["kind"] == "code" and n > imports and "exercises" not in cell["text"]
    ]


@EACH
def test_a_cell_has_at_most_a_dozen_lines_and_imports_stand_in_the_first(path: Path) -> None:
    first, *others = [cell["text"] for cell in cells(path) if cell["kind"] == "code"]
    assert [text for text in (first, *others) if code_lines(text) > MOST] == []
    assert [text for text in others if re.search(r"^\s*(import|from) ", text, re.MULTILINE)] == []


@EACH
def test_helpers_are_in_the_package(path: Path) -> None:
    lengths = [code_lines(text) for _, text, _ in experiments(path) if defined(text)]
    assert len(lengths) <= 3


@EACH
def test_a_question_stands_before_a_cell_and_an_answer_after_it(path: Path) -> None:
    for before, text, after in experiments(path):
        assert before is not None, text
        assert "?" in before["text"].rpartition("\n\n")[2], f"no question before {text}"
        assert after is not None, text
        assert (before["kind"], after["kind"]) == ("markdown", "markdown"), text
        assert re.match(r"[^#|]", after["text"]), f"no answer after {text}"
        assert "?" not in after["text"].partition(".")[0], f"no answer after {text}"


@EACH
def test_the_ports_that_are_not_bursts_are_called_steady(path: Path) -> None:
    text = "\n".join(cell["text"] for cell in cells(path))
    assert re.findall(r"\b(?:busy|overloaded|congested|background) (?:port|queue)s?|\bbusy\b\s*=", text) == []


def texts() -> list[Path]:
    kept = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *NOTEBOOKS]
    return [*kept, *(path for top in ("dtmodel", "validation", "docs") for path in (ROOT / top).rglob("*.py")),
            *(ROOT / "validation").rglob("*.toml")]  # fmt: skip


PERCENT = re.compile(r"(?<![\w.-])\d[\d.,]*%(?!\w)|\.\d%\}")
STYLE = re.compile(r"(?:width|size|height): ?\d+%")
AS_WRITTEN = {"published.toml", "ci.py", "CHANGELOG.md"}
"""Files that quote a source to the letter, or write the sign in another notation."""


def unlike(text: str) -> list[str]:
    """Return the numbers with a percent sign and no space between them, those of CSS apart."""
    return PERCENT.findall(STYLE.sub("", text))


def test_percent_is_written_in_one_way() -> None:
    assert unlike('{x:.1%} or "50%" but 50 % and font-size: 85%') == [".1%}", "50%"]
    found = {str(path): unlike(path.read_text(encoding="utf-8")) for path in texts() if path.name not in AS_WRITTEN}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


CALLED = re.compile(r"(\w+)\(")


@EACH
def test_exercises_name_only_functions_that_the_notebook_has_shown_or_that_they_explain(path: Path) -> None:
    shown = set(re.findall(r"\w+", "\n".join(cell["text"] for cell in cells(path))))
    for one in lab.exercises(path.stem[:2]).each:
        code = " ".join(re.findall(r"`([^`]*)`", one.hint))
        assert set(CALLED.findall(code)) <= shown, one.hint
