"""The size of each room is a decision, and docstrings begin with a noun or a verb."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("proportion")
PACKAGE = Path(__file__).parents[1] / "dtmodel"
LINES = {
    ".": 105,
    "base": 3_165,
    "cli": 3_168,
    "companion": 4_401,
    "derive": 10_963,
    "fluid": 2_984,
    "lab": 3_245,
    "ledger": 10_655,
    "modelcheck": 595,
    "native": 81,
    "network": 2_424,
    "packet": 3_176,
    "plot": 989,
    "policies": 4_046,
    "strategies": 853,
    "studies": 4_506,
    "switches": 2_824,
    "theorems": 3_754,
    "theory": 7_188,
}
"""The most lines of Python that each room may have; raise a number here if a new capability needs them."""
CODE, DOCSTRINGS = 45_948, 11_589
"""The most lines of code (imports included) and of docstrings in the whole package."""
QUESTION = re.compile(r"(what|who|whoever|which|how|whether|when|where|none)\b", re.IGNORECASE)
WHATS = 2
"""The most times that "what" may stand in 1,000 words of docstrings."""


def sources() -> list[tuple[str, str]]:
    return [(path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")]


@cache
def docstrings(text: str) -> list[str]:
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef
    return [said for node in ast.walk(ast.parse(text)) if isinstance(node, kinds) and (said := ast.get_docstring(node))]


def lines_by_kind(text: str) -> Counter[str]:
    """Count lines of docstrings (strings that stand alone) and of code; blank lines and comments are neither."""
    strings = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    return Counter(
        "docstrings" if number in strings else "code"
        for number, line in enumerate(text.splitlines(), 1)
        if number in strings or (line.strip() and not line.lstrip().startswith("#"))
    )


def test_no_room_is_larger_than_was_decided() -> None:
    rooms = Counter[str]()
    for name, text in sources():
        rooms[name.partition("/")[0] if "/" in name else "."] += text.count("\n")
    assert rooms.keys() == LINES.keys()
    assert {room: lines for room, lines in rooms.items() if lines > LINES[room]} == {}


def test_code_and_docstrings_keep_within_what_was_decided() -> None:
    assert lines_by_kind('"""One."""\n\nx = 1  # two\n# three\ny = """\n"""\n') == {"docstrings": 1, "code": 3}
    kinds = sum((lines_by_kind(text) for _, text in sources()), Counter[str]())
    assert kinds["code"] <= CODE
    assert kinds["docstrings"] <= DOCSTRINGS


def test_no_module_stands_beside_the_rooms() -> None:
    assert [path.name for path in PACKAGE.glob("*.py") if not path.name.startswith("__")] == []


def test_docstrings_begin_with_no_question_word() -> None:
    first = [(name, said.splitlines()[0]) for name, text in sources() for said in docstrings(text)]
    assert len(first) > 2000
    assert [(name, line) for name, line in first if QUESTION.match(line)] == []


@pytest.mark.parametrize(("said", "found"), [("What it is.", True), ("The queue.", False), ("Whatever", False)])
def test_a_question_word_is_found(said: str, found: bool) -> None:
    assert bool(QUESTION.match(said)) is found


def test_docstrings_say_what_a_thing_is_by_its_name() -> None:
    words = Counter[str]()
    for _, text in sources():
        for said in docstrings(text):
            words.update(re.findall(r"[a-z']+", re.sub(r">>>.*|`[^`]*`", " ", said).lower()))
    assert 1000 * words["what"] <= WHATS * words.total()
