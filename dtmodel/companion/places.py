"""An index from claims to code: the functions that compute an equation, a theorem or a line, and their tests."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from dtmodel.companion.roots import papers_root

_BESIDE = {"edt": ("dt",)}
"""Further folders of theory with equations of a paper: EDT is built on DT."""


def claim_code(claim: str) -> list[tuple[str, int, str]]:
    """Return file, line and name of the code for a `claim`, or of its evidence in ``proofs/`` if no code cites it."""
    about = re.match(r"(\w+)\.(eq|thm|alg\d+\.line)(\d+)\b", claim)
    if about is None:
        return []
    paper, kind, number = about[1], about[2], int(about[3])
    package = Path(__file__).resolve().parents[1]
    if kind not in _NUMBERS:
        algorithm = package / "packet" / paper / "algorithm.py"
        return [
            (algorithm.relative_to(package.parent).as_posix(), line, name)
            for line, name, numbers in _lines(algorithm)
            if number in numbers
        ]
    folders = [package / "packet" / paper, *(package / "theory" / word for word in (paper, *_BESIDE.get(paper, ())))]
    found = [
        (path.relative_to(package.parent).as_posix(), line, name)
        for folder in folders
        for path in sorted(folder.rglob("*.py"))
        for line, name, said in _named(path)
        if number in _NUMBERS[kind](said)
    ]
    return found or [
        (path.relative_to(papers_root()).as_posix(), node.lineno, node.name)
        for path in sorted((papers_root() / "proofs" / paper).glob("*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and any(f"'{claim}'" in ast.unparse(each) for each in node.decorator_list)
    ]


def claim_tests(claim: str) -> list[tuple[str, int, str]]:
    """Return the tests of a checkout that name a `claim` or use its code (see `claim_code`): file, line and name.

    A file is listed once for each name. Files that import no module of the paper are omitted.
    """
    code = claim_code(claim)
    paper = claim.partition(".")[0]
    words = "|".join((paper, *_BESIDE.get(paper, ())))
    concerned = re.compile(rf'(theory|packet)\.?.* .*\b({words})\b|"{paper}\.')
    imported = rf"from dtmodel\.(?:theory|packet)\.(?:{words})\b[\w.]* import (?:\([^)]*|.*)"
    sought = {name: rf"(?:\w\.|{imported}\b){name}\b" for _, _, name in code}
    sought |= {claim: f'"{re.escape(claim)}"'} if code else {}
    tree = Path(__file__).resolve().parents[2]
    texts = {
        path: path.read_text(encoding="utf-8")
        for path in sorted((tree / "tests").rglob("*.py"))
        if code and papers_root() == tree
    }
    return [
        (path.relative_to(tree).as_posix(), text[: used.end()].count("\n") + 1, name)
        for name, pattern in sought.items()
        for path, text in texts.items()
        if (path.parent.name == paper or concerned.search(text)) and (used := re.search(pattern, text))
    ]


@cache
def _named(path: Path) -> tuple[tuple[int, str, str], ...]:
    """Return line, name and docstring or source of each definition in a module."""
    return tuple(_sources(ast.parse(path.read_text(encoding="utf-8"))))


def _sources(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.lineno, node.name, ast.get_docstring(node) or ""
        elif (
            isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.targets[0], ast.Name)
        ):
            sources = [ast.unparse(each.value) for each in node.value.keywords if each.arg in ("id", "source")]
            yield node.lineno, node.targets[0].id, " ".join([*sources, *map(ast.unparse, node.value.args[:1])])


def _equations(said: str) -> set[int]:
    """Return the numbers of equations in a text, such as (2), (5) and (1) to (4); they must stand in parentheses."""
    single = {int(number) for number in re.findall(r"(?<![\w)])\((\d+)\)", said)}
    spans = re.findall(r"\((\d+)\)(?: to |-)\((\d+)\)", said)
    return single.union(*(range(int(first), int(last) + 1) for first, last in spans))


def _theorems(said: str) -> set[int]:
    """Return the numbers of theorems in a text, such as Theorem 1, Theorems 2 and 3, or edt.thm5."""
    named = re.findall(r"(?:Theorems? |\.thm)(\d+(?:(?:, | and | to )\d+)*)", said)
    return {int(number) for numbers in named for number in re.findall(r"\d+", numbers)}


_NUMBERS = {"eq": _equations, "thm": _theorems}
"""The functions that extract the numbers of equations and of theorems from a text."""


@cache
def _lines(path: Path) -> tuple[tuple[int, str, frozenset[int]], ...]:
    """Return line, name and the lines of the algorithm that each definition (a class: its docstring) cites."""
    text = path.read_text(encoding="utf-8")
    return tuple(
        (node.lineno, node.name, frozenset(_lines_in(said or "")))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        for said in [ast.get_docstring(node) if isinstance(node, ast.ClassDef) else ast.get_source_segment(text, node)]
    )


def _lines_in(said: str) -> set[int]:
    spans = re.findall(r"\b[Ll]ines? (\d+)(?:(?:-| to )(\d+))?", said)
    return {number for first, last in spans for number in range(int(first), int(last or first) + 1)}
