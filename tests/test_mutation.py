"""The mutation tests themselves: what they alter, what they leave alone, what has changed, and what they notice."""

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from mutation.changes import changed, commit_before, commit_of
from mutation.mutants import mutants
from mutation.targets import HERE, explanations, files, imports, noticing

ROOT = HERE.parent

EXAMPLES = [
    ("a + b - c", ["a - b - c", "b - c", "a - c", "a + b + c", "a + b"]),
    ("a / b", ["a * b", "1 / b", "a", "2 * a / b"]),
    ("a * b * c", ["a / b * c", "a * b / c", "a * c", "a * b", "b * c", "2 * a * b * c"]),
    ("3 * c", ["3 / c", "c", "3", "4 * c", "2 * c"]),
    ("0", ["1", "-1"]),
    ("a < b", ["a <= b", "a >= b"]),
    ("a in b", ["a not in b"]),
    ("a is None", ["a is not None"]),
    ("a and b and c", ["a or b and c", "a and b or c", "b and c", "a and c", "a and b"]),
    ("a or b or c", ["a and b or c", "a or b and c", "b or c", "a or c", "a or b"]),
    ("not a", ["a"]),
    ("-a", ["a"]),
    ("a if b else c", ["a if not b else c"]),
    ("min(a, b)", ["max(a, b)"]),
    ("sp.Gt(a, b)", ["sp.Ge(a, b)"]),
    ("min", []),
    ("q[k]", ["q[k - 1]"]),
    ("q[0]", ["q[1]", "q[-1]"]),
    ("[a for a in b if c]", ["[a for a in b]"]),
    ("f'{a + b}'", []),
    ("isinstance(a, b + c)", []),
    ("zip(a, strict=True)", []),
]


def altered(source: str) -> list[str]:
    module = ast.parse(source)
    return [ast.unparse(module) for _ in mutants(module)]


@pytest.mark.parametrize(("expression", "others"), EXAMPLES)
def test_an_expression_is_altered_in_every_way_that_may_matter(expression: str, others: list[str]) -> None:
    assert sorted(altered(f"x = {expression}")) == sorted(ast.unparse(ast.parse(f"x = {other}")) for other in others)


def test_statements_are_dropped_where_the_program_may_still_run() -> None:
    source = (
        "def f(x):\n    x.append(y)\n    z = x\n    z = y\n    if x:\n        return z\n    self.q = z\n    return y\n"
    )
    without = [text for text in altered(source) if "pass" in text]
    assert without == [
        ast.unparse(ast.parse(source.replace(line, "pass", 1)))
        for line in ("x.append(y)", "z = y", "return z", "self.q = z")
    ]


def test_loops_breaks_conditions_and_defaults_are_altered() -> None:
    source = "def f(n=1):\n    for x in y:\n        if x:\n            break\n        assert x\n"
    found = {mutant.id for mutant in mutants(ast.parse(source))}
    assert found == {
        "f: def f(n=1): -> def f(n=2):", "f: def f(n=1): -> def f(n=0):", "f: for x in y: -> for x in []:",
        "f: if x: -> if not x:", "f: break -> continue", "f: assert x -> assert not x",
    }  # fmt: skip


def test_annotations_docstrings_messages_and_decorators_are_left_alone() -> None:
    source = (
        'Kind = A | B\n@d(x[k] + 1)\ndef f(a: "p + q", *, b: "p + q") -> "p * q":\n    """a + b"""\n'
        '    c: "r + s" = a\n    raise E(f"{a + c}", a + c)\n'
    )
    assert [mutant.id for mutant in mutants(ast.parse(source))] == ["f: raise E(f'{a + c}', a + c) -> pass"]


def test_a_mutant_is_named_by_its_function_and_its_change() -> None:
    source = (
        "def f(a):\n    x = a\n    return a < 1\n\n\nclass C:\n    k = 1\n\n    def g(self, a):\n        return -a\n"
    )
    here = {mutant.id for mutant in mutants(ast.parse(source))}
    assert here >= {"f: return a < 1 -> return a <= 1", "C: k = 1 -> k = 2", "C.g: return -a -> return a"}
    moved = ast.parse("import z\n\n\n" + source.replace("x = a", "x = z"))
    assert {mutant.id for mutant in mutants(moved)} == here


def test_equal_changes_of_one_function_are_numbered() -> None:
    found = [mutant.id for mutant in mutants(ast.parse("def f(a):\n    g(-a)\n    g(-a)\n"))]
    assert [name for name in found if "(2)" in name] == ["f: g(-a) -> pass (2)", "f: g(-a) -> g(a) (2)"]


def test_every_mutant_differs_from_the_original_and_from_every_other_and_the_tree_is_mended() -> None:
    source = (ROOT / "mutation" / "forks.py").read_text(encoding="utf-8")
    module = ast.parse(source)
    programs = [ast.dump(module) for _ in mutants(module)]
    assert len({*programs, ast.dump(ast.parse(source))}) == len(programs) + 1
    assert ast.dump(module) == ast.dump(ast.parse(source))


def near_tests(file: str) -> set[str]:
    (importing, _), (named, _), _ = noticing(ROOT, file)
    return {*importing, *named} - {file}


def test_every_formula_in_scope_has_tests_of_its_own() -> None:
    assert len(files(ROOT)) > 40
    assert [file for file in files(ROOT) if not near_tests(file)] == []


def test_tests_are_found_by_what_they_import_and_by_their_name(tmp_path: Path) -> None:
    write(tmp_path, {
        "dtmodel/__init__.py": "from dtmodel.fluid.rates import share\n", "dtmodel/fluid/rates.py": "share = 1\n",
        "dtmodel/fluid/run.py": "from dtmodel.fluid import rates\n", "proofs/share.py": "import dtmodel.fluid.rates\n",
        "tests/test_a.py": "from dtmodel import share\n", "tests/test_b.py": "from dtmodel.fluid.run import rates\n",
        "tests/test_c.py": "", "tests/fluid/test_d.py": "", "tests/test_rates_twice.py": "",
        "validation/v.py": "from dtmodel.fluid import run\n",
        "validation/support/w.py": "", "validation/edt/v.py": "from ..support.w import half\n",
    })  # fmt: skip
    assert noticing(tmp_path, "dtmodel/fluid/rates.py") == [
        (["dtmodel/fluid/rates.py", "tests/test_a.py", "tests/test_b.py"], []),
        (["tests/fluid/test_d.py", "tests/test_rates_twice.py"], ["proofs.share"]),
        (["dtmodel/__init__.py", "dtmodel/fluid/run.py"], ["validation.v"]),
    ]
    assert noticing(tmp_path, "validation/support/w.py")[1] == ([], ["validation.edt.v"])
    assert "dtmodel.fluid.rates" in imports(tmp_path, tmp_path / "tests/test_a.py")


def test_no_survivor_is_explained_twice_and_every_reason_says_where() -> None:
    text = (HERE / "explanations.toml").read_text(encoding="utf-8")
    assert text.count("\n[[") == text.count("\nreason = ") == text.count("\nmutants = ")
    names = [ast.literal_eval(part) for part in listed(text)]
    assert sorted(names) == sorted(explanations())


def test_what_is_explained_is_a_mutant_of_its_file() -> None:
    tables = tomllib.loads((HERE / "explanations.toml").read_text(encoding="utf-8"))
    there = {file: {each.id for each in mutants(ast.parse((ROOT / file).read_text()))} for file in tables}
    named = [(file, mutant) for file, each in tables.items() for table in each for mutant in table["mutants"]]
    assert [(file, mutant) for file, mutant in named if mutant not in there[file]] == []


def listed(text: str) -> list[str]:
    lines = (line.removeprefix("mutants = [").strip().removesuffix("]").removesuffix(",") for line in text.splitlines())
    return [line for line in lines if line[:1] in ("'", '"')]


# what has changed


def write(tree: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")


def git(tree: Path, *arguments: str) -> str:
    who = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false")
    command = ["git", "-C", str(tree), *who, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit(tree: Path, texts: dict[str, str]) -> str:
    write(tree, texts)
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "m")
    return git(tree, "rev-parse", "HEAD")


RATES = '''
from dtmodel import units


def share(a: int) -> int:
    """One share."""
    return units.half(a)


class Port:
    LIMIT = 3

    def room(self, q):
        return self.LIMIT - q
'''


@pytest.mark.needs("git")
def test_a_function_that_moved_or_has_another_name_has_not_changed(tmp_path: Path) -> None:
    git(tmp_path, "init", "-qb", "main")
    first = commit(tmp_path, {"dtmodel/rates.py": RATES})
    (tmp_path / "dtmodel/rates.py").unlink()
    moved = RATES.replace("units.half", "quantities.half").replace("import units", "import quantities")
    moved = moved.replace("One share", "Another").replace("a: int", "a").replace("def share", "def part")
    commit(tmp_path, {"dtmodel/fluid/ports.py": moved})
    file = "dtmodel/fluid/ports.py"
    assert {name for name, _ in changed(tmp_path, first, [file])[file] if name} == set()
    write(tmp_path, {file: moved.replace("- q", "+ q")})
    assert changed(tmp_path, first, [file])[file] - {("", 0)} == {("Port.room", 2)}
    write(tmp_path, {file: moved.replace("LIMIT = 3", "LIMIT = 4")})
    assert changed(tmp_path, first, [file])[file] - {("", 0)} == {("", 2)}
    write(tmp_path, {file: moved.replace("half(a)", "half(a + 1)")})
    assert changed(tmp_path, first, [file])[file] - {("", 0)} == {("part", 1)}


@pytest.mark.needs("git")
def test_a_landing_is_compared_with_the_commit_before_and_a_branch_with_where_it_left_main(tmp_path: Path) -> None:
    there, here, shallow = tmp_path / "there", tmp_path / "here", tmp_path / "shallow"
    git(tmp_path, "init", "-qb", "main", str(there))
    assert commit_before(there) == ""
    first = commit(there, {"a": "1"})
    assert commit_before(there) == ""
    second = commit(there, {"a": "2"})
    assert commit_before(there) == first
    git(tmp_path, "clone", "-q", str(there), str(here))
    assert commit_before(here) == first
    git(here, "checkout", "-qb", "branch")
    commit(here, {"a": "3"})
    commit(here, {"a": "4"})
    assert commit_before(here) == second
    git(tmp_path, "clone", "-q", "--depth", "1", there.as_uri(), str(shallow))
    assert commit_before(shallow) == ""
    assert (commit_of(here, "HEAD~2"), commit_of(here, "nothing")) == (second, "")


# a run

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
from dtmodel.fluid import sums


def test_it():
    assert sums.SCALE == 6
    assert sums.HERE == 3
    assert sums.total([1, 2]) == 3
"""


def ran(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(tree), str(ROOT)])
    return subprocess.run(
        [sys.executable, "-m", "mutation", *arguments],
        cwd=tree, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    config = "[tool.pytest.ini_options]\nfilterwarnings = ['error']\n"
    git(tmp_path, "init", "-qb", "main")
    texts = {"dtmodel/__init__.py": "", "dtmodel/fluid/__init__.py": "", "dtmodel/fluid/sums.py": SOURCE}
    commit(tmp_path, texts | {"tests/test_it.py": TESTS, "pyproject.toml": config})
    return tmp_path


@pytest.mark.needs("git")
def test_mutants_are_killed_in_every_way_and_survivors_are_named(project: Path) -> None:
    done = ran(project)
    survivors = [line.partition(" ")[2].split(" ", 1)[1] for line in done.stderr.splitlines()]
    assert sorted(survivors) == [f"unused: return a + b -> return {other}" for other in ("a", "a - b", "b")], (
        done.stderr
    )
    assert done.returncode == 1
    rows = [line for line in done.stdout.splitlines() if "sums" in line or "all" in line]
    assert [row.split("|")[5:8] for row in rows] == [[" 0 ", " 3 ", " 0 "]] * 2
    timeouts = int(rows[0].split("|")[4])
    assert timeouts > 0  # a loop that does not end
    assert (project / "dtmodel/fluid/sums.py").read_text(encoding="utf-8") == SOURCE


@pytest.mark.needs("git")
def test_what_nobody_notices_survives_a_circle_of_files_without_tests_too(project: Path) -> None:
    user = {"dtmodel/fluid/user.py": "from dtmodel.fluid import sums\n"}
    write(project, user | {"dtmodel/fluid/sums.py": f"SPARE = 1\n{SOURCE}"})
    done = ran(project, "--file", "dtmodel/fluid/sums.py")
    survivors = [line.partition(": ")[2].split(" ", 1)[1] for line in done.stderr.splitlines()]
    assert sorted(survivors) == [
        *(f"module: SPARE = 1 -> SPARE = {other}" for other in (0, 2)),
        *(f"unused: return a + b -> return {other}" for other in ("a", "a - b", "b")),
    ], done.stderr
    assert int(done.stdout.splitlines()[-1].split("|")[7]) == 0


@pytest.mark.needs("git")
def test_only_what_changed_since_a_commit_is_run_and_nothing_where_nothing_did(project: Path) -> None:
    write(
        project,
        {"dtmodel/fluid/__init__.py": "", "dtmodel/fluid/sums.py": SOURCE.replace("result = 0", "result = 0 * 1")},
    )
    done = ran(project, "--since", "HEAD")
    assert "survived: dtmodel/fluid/sums.py:13 total: result = 0 * 1 -> result = 0 / 1" in done.stderr
    assert "unused" not in done.stderr
    write(project, {"dtmodel/fluid/__init__.py": "", "dtmodel/fluid/sums.py": SOURCE})
    done = ran(project, "--since", "HEAD")
    assert (done.returncode, "sums" in done.stdout) == (0, False)
    assert ran(project, "--since", "nowhere").returncode == 2
    alone = ran(project, "--since", "landing")
    assert (alone.returncode, "no earlier commit" in alone.stderr) == (0, True)


@pytest.mark.needs("git")
def test_a_test_that_fails_anyway_is_named(project: Path) -> None:
    write(project, {"tests/test_it.py": TESTS + "\n\ndef test_wrong():\n    assert sums.SCALE == 7\n"})
    done = ran(project, "--file", "dtmodel/fluid/sums.py")
    assert "tests/test_it.py::test_wrong fails on the unaltered program" in done.stderr
    assert done.returncode == 1


@pytest.mark.needs("git")
def test_what_there_is_no_time_for_is_not_run(project: Path) -> None:
    done = ran(project, "--seconds", "0")
    row = next(line for line in done.stdout.splitlines() if "sums" in line).split("|")
    assert int(row[7]) == int(row[2]) > 0
    assert done.returncode == 0
