"""Where the package computes an equation of a paper, and the tests of what computes it."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from dtmodel.papers.roots import papers_root

_BESIDE = {"edt": ("dt",)}
"""Folders of theory that are of a paper's equations too: the policy that EDT starts from."""


def equation_code(claim: str) -> list[tuple[str, int, str]]:
    """Find what names an equation as its own: functions by their docstrings, statements by their source.

    An equation that nothing in the package computes is a step of a proof: then it is the evidence for its claim in
    ``proofs/`` that puts it in symbols.

    `claim`: the id of a claim; of one that is about no equation, such as ``edt.thm1``, nothing is found. Returns: the
    file, the line and the name.

    >>> [(file, name) for file, _, name in equation_code("edt.eq78")]
    [('dtmodel/theory/edt/formulas.py', 'tm1_paper'), ('dtmodel/theory/edt/statements.py', 'first_timer')]
    >>> [(file, name) for file, _, name in equation_code("edt.eq54")]
    [('proofs/edt/theorem4.py', 'the_slow_meeting_is_the_printed_equation')]
    """
    equation = re.match(r"(\w+)\.eq(\d+)\b", claim)
    if equation is None:
        return []
    paper, number = equation[1], int(equation[2])
    package = Path(__file__).resolve().parents[1]
    folders = [package / "packet" / paper, *(package / "theory" / word for word in (paper, *_BESIDE.get(paper, ())))]
    found = [
        (path.relative_to(package.parent).as_posix(), line, name)
        for folder in folders
        for path in sorted(folder.rglob("*.py"))
        for line, name, said in _named(path)
        if number in _equations(said)
    ]
    return found or [
        (path.relative_to(papers_root()).as_posix(), node.lineno, node.name)
        for path in sorted((papers_root() / "proofs" / paper).glob("*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and any(f"'{claim}'" in ast.unparse(each) for each in node.decorator_list)
    ]


def equation_tests(claim: str) -> list[tuple[str, int, str]]:
    """Find the tests, in a checkout, that name an equation's claim or use what computes the equation.

    Each file is listed once for each name; files that import nothing of the paper are left out.

    >>> sorted({name for _, _, name in equation_tests("edt.eq73")} - {"counting_number", "edt.eq73"})
    ['cn2_paper', 'cn2_printed_in_proof', 'cn2_ratio', 'time_to_count']
    """
    code = equation_code(claim)
    paper = claim.partition(".")[0]
    concerned = re.compile(rf'(theory|packet)\.?.* .*\b({"|".join((paper, *_BESIDE.get(paper, ())))})\b|"{paper}\.')
    sought = {name: rf"\w\.{name}\b" for _, _, name in code} | ({claim: f'"{re.escape(claim)}"'} if code else {})
    tree = Path(__file__).resolve().parents[2]
    texts = {
        path: path.read_text(encoding="utf-8")
        for path in sorted((tree / "tests").rglob("*.py"))
        if code and papers_root() == tree
    }
    return [
        (path.relative_to(tree).as_posix(), text[: used.start()].count("\n") + 1, name)
        for name, pattern in sought.items()
        for path, text in texts.items()
        if (path.parent.name == paper or concerned.search(text)) and (used := re.search(pattern, text))
    ]


@cache
def _named(path: Path) -> tuple[tuple[int, str, str], ...]:
    """Return the line and the name of all that stands in a module, and what it says of where it comes from."""
    return tuple(_sources(ast.parse(path.read_text(encoding="utf-8"))))


def _sources(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.lineno, node.name, ast.get_docstring(node) or ""
        elif (
            isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.targets[0], ast.Name)
        ):
            sources = [ast.unparse(each.value) for each in node.value.keywords if each.arg == "source"]
            yield node.lineno, node.targets[0].id, "".join(sources)


def _equations(said: str) -> set[int]:
    """Read the numbers of equations off a text, as in (2), (5) and (1) to (4); numbers that stand alone are others."""
    single = {int(number) for number in re.findall(r"(?<![\w)])\((\d+)\)", said)}
    spans = re.findall(r"\((\d+)\)(?: to |-)\((\d+)\)", said)
    return single.union(*(range(int(first), int(last) + 1) for first, last in spans))
