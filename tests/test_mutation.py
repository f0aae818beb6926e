"""The mutation tests themselves: what they alter, what they leave alone, what they notice, what they remember."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from mutation import record as record_module
from mutation.campaign import Found, run, snapshot
from mutation.mutants import Mutant, enumerate_mutants
from mutation.operators import OURS, variants
from mutation.record import Record, Result
from mutation.table import markdown, open_survivors
from mutation.targets import HERE, Target, explanations, in_scope, targets

OPERATORS = {type(operator).__name__: operator for operator in OURS}

EXAMPLES = [
    ("DropOperand", "x = a + b - c\n", ["x = b - c\n", "x = a - c\n", "x = a + b\n"]),
    ("DropOperand", "x = a - b\n", ["x = -b\n", "x = a\n"]),
    ("DropOperand", "x = a / b\n", ["x = 1 / b\n", "x = a\n"]),
    ("DropOperand", "x = a and b\n", ["x = b\n", "x = a\n"]),
    ("DropStatement", "def f(x):\n    x.append(1)\n    x[0] += 1\n    y = 1\n    return x\n",
     ["def f(x):\n    pass\n    x[0] += 1\n    y = 1\n    return x\n",
      "def f(x):\n    x.append(1)\n    pass\n    y = 1\n    return x\n"]),
    ("DropStatement", "def f(x):\n    y = 1\n    y = 2\n    if x:\n        return 1\n    return y\n",
     ["def f(x):\n    y = 1\n    pass\n    if x:\n        return 1\n    return y\n",
      "def f(x):\n    y = 1\n    y = 2\n    if x:\n        pass\n    return y\n"]),
    ("SwapName", "x = min(a, b)\nmin = 3\n", ["x = max(a, b)\nmin = 3\n"]),
    ("SwapName", "x = sp.Gt(a, b)\n", ["x = sp.Ge(a, b)\n"]),
    ("ShiftIndex", "x = q[k] + r[0]\n", ["x = q[k - 1] + r[0]\n"]),
    ("ReplaceMembership", "x = a in b\n", ["x = a not in b\n"]),
    ("ReplaceMembership", "x = a not in b\n", ["x = a in b\n"]),
    ("DropCondition", "x = [a for a in b if a > 0]\n", ["x = [a for a in b]\n"]),
    ("ScaleName", "x = a * b + 3 * c\n", ["x = 2 * a * b + 3 * c\n"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "source", "altered"), EXAMPLES)
def test_each_operator_makes_the_alterations_that_it_names(name: str, source: str, altered: list[str]) -> None:
    found = list(variants(source, OPERATORS[name]))
    assert [compile(text, "", "exec").co_code for text in found] == [compile(t, "", "exec").co_code for t in altered]


def ours(source: str) -> list[Mutant]:
    return enumerate_mutants("dtmodel/policies.py", source, OPERATORS)


def test_a_mutant_keeps_its_identity_when_another_function_changes() -> None:
    source = "def f(a, b):\n    return a + b\n\n\ndef g(a, b):\n    return a * b\n"
    moved = "X = 1\n\n\ndef f(a, b):\n    return a - b\n\n\ndef g(a, b):\n    return a * b\n"
    identities = [{mutant.id for mutant in ours(text) if mutant.function == "g"} for text in (source, moved)]
    assert identities[0] == identities[1] != set()


def test_equal_statements_of_one_function_have_mutants_of_their_own() -> None:
    mutants = ours("def f(a, b):\n    x = a + b\n    y = 1\n    x = a + b\n    return x + y\n")
    assert len({mutant.id for mutant in mutants}) == len(mutants)
    assert len([mutant for mutant in mutants if mutant.after == "x = a"]) == 2


def test_annotations_docstrings_messages_and_decorators_are_left_alone() -> None:
    source = (
        'Kind = A | B\n@d(x[k] + 1)\ndef f(a: "p + q", *, b: "p + q") -> "p * q":\n    """a + b"""\n'
        '    c: "r + s" = a\n    if isinstance(a, (x + y)):\n        raise E(f"{a + c}", a + c)\n'
    )
    assert [mutant.after for mutant in ours(source)] == ["pass"]  # the raise


def test_every_mutant_differs_from_the_original_and_from_every_other() -> None:
    source = (HERE.parent / "dtmodel" / "policies" / "complete.py").read_text(encoding="utf-8")
    programs = [mutant.apply(source) for mutant in ours(source)]
    assert len({*programs, source}) == len(programs) + 1


def test_every_formula_in_scope_has_tests() -> None:
    mapped = {file for target in targets() for file in target.in_tree(HERE.parent)}
    assert not set(in_scope(HERE.parent)) - mapped


def test_no_survivor_is_explained_twice() -> None:
    text = (HERE / "explanations.toml").read_text(encoding="utf-8")
    assert all(text.count(f'"{mutant}"') == 1 for mutant in explanations())


def test_the_record_forgets_a_survivor_when_there_are_new_tests() -> None:
    assert doctest.testmod(record_module).failed == 0
    record = Record(":memory:")
    record.put(Result("m", "killed", "tests/test_x.py::test_y", "", fresh=False), source="s", tests="t")
    assert record.valid("m", source="s", tests="new") is not None
    assert record.valid("m", source="new", tests="t") is None


SOURCE = """
SCALE = 2 * 3


def early(a, b):
    return a + b


HERE = early(1, 2)


def total(values):
    result = 0
    while values:
        result += values.pop()
    return result


def unused(a, b):
    return a + b
"""

TESTS = """
from dtmodel import policies


def test_it():
    assert policies.SCALE == 6
    assert policies.HERE == 3
    assert policies.total([1, 2]) == 3
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in (
        ("dtmodel/__init__.py", ""),
        ("dtmodel/policies.py", SOURCE),
        ("tests/test_it.py", TESTS),
        ("pyproject.toml", "[tool.pytest.ini_options]\nfilterwarnings = ['error']\n"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_mutants_are_killed_in_every_way_and_no_file_is_altered(tree: Path) -> None:
    target = Target(("dtmodel/policies.py",), ("tests/test_it.py",))
    found = [Found(mutant, target, "s", "t") for mutant in ours(SOURCE)]
    record = Record(":memory:")
    with snapshot(tree) as copy:
        assert run(copy, found, record, jobs=2, say=lambda _: None) == []
        assert (copy / "dtmodel" / "policies.py").read_text() == SOURCE
    results = {item.mutant.id: result for item in found if (result := item.result(record))}
    assert {(item.mutant.function, results[item.mutant.id].status) for item in found} == {
        ("", "killed"), ("early", "killed"), ("total", "killed"), ("total", "timeout"), ("unused", "survived")
    }  # fmt: skip
    assert {item.mutant.function for item in found if results[item.mutant.id].fresh} == {"", "early"}
    reasons = {item.mutant.id: "nobody calls it" for item in found if item.mutant.after == "return a"}
    assert {item.mutant.after for item in open_survivors(found, results, reasons)} == {"return b"}
    table = markdown(found, results, reasons, made_with="commit 0123abc")
    assert "commit 0123abc" in table
    assert "nobody calls it" in table
    assert "`tests/test_it.py`" in table
