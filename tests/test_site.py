"""The site has every notebook, guide, command, public name and kept table, and its guides quote commands that exist."""

import base64
import doctest
import hashlib
import re
import shlex
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

import dtmodel
from benchmarks import __main__ as benchmarks
from docs import api, check, commands, extension, ledger, panels, svg, theorems
from docs.browser import browser_tools
from docs.build import ROOT, guarded, pages
from dtmodel.cli import COMMANDS, cli
from dtmodel.lab.panels import PANELS

GUIDES = sorted((ROOT / "docs" / "source" / "guides").glob("*.md"))
DIRECTIVE = re.compile(r"^```\{command-output\} (.*)$", re.MULTILINE)
QUOTED = re.compile(r"`(dtmodel [a-z][^`]*)`")
IN_WORKFLOW = re.compile(r"- run: (dtmodel .*)$", re.MULTILINE)


@cache
def texts() -> dict[str, str]:
    return {name: page.decode() for name, page in pages().items() if not name.startswith("_")}


def tree(name: str) -> set[str]:
    """Return the pages that the toctrees of a page name."""
    found = set()
    for block in re.findall(r"```\{toctree\}\n(.*?)```", texts()[name], re.DOTALL):
        found |= {line for line in block.splitlines() if line and not line.startswith(":")}
    folder = Path(name).parent
    return {(folder / line).as_posix() for line in found}


def test_every_page_is_in_a_table_of_contents() -> None:
    written = {name for name in texts() if name.endswith((".md", ".ipynb"))}
    reached = set().union(*(tree(name) for name in written if name.endswith(".md")))
    made_by_runs = {"ledger/index", "gallery/index", "theorems/index"}
    assert {name.rpartition(".")[0] for name in written} - {"index"} == reached - made_by_runs
    assert made_by_runs <= reached


def test_the_home_page_leads_to_a_switch_of_the_readers_own_and_to_a_theorem_for_two_alphas() -> None:
    linked = set(re.findall(r'href="panels/(\w+)\.html"', texts()["index.md"]))
    assert linked == {"designer", "derive"}
    assert linked <= set(PANELS)
    sliders = {slider.name: set(slider.options) for slider in PANELS["designer"].make().sliders}
    asked = {"ports": "32", "rate": "12500000000", "buffer": "64000000"}
    assert {name for name, value in asked.items() if value not in sliders[name]} == set()


def test_the_navigation_unfolds_only_the_branch_of_its_page() -> None:
    asked: list[dict[str, Any]] = []
    context: dict[str, Any] = {"toctree": lambda **options: asked.append(options)}
    extension._branch(None, "index", "page.html", context, None)
    context["toctree"](collapse=False, titles_only=True)
    assert asked == [{"collapse": True, "titles_only": True}]
    extension._branch(None, "search", "search.html", without := dict[str, Any](), None)
    assert without == {}


def test_the_site_has_every_guide_notebook_command_and_kept_table() -> None:
    assert {f"guides/{path.name}" for path in GUIDES} <= set(texts())
    assert len(GUIDES) >= 3
    assert {f"notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")} <= set(texts())
    assert {f"commands/{name}.md" for name in COMMANDS} <= set(texts())
    assert set(commands.EXAMPLES) == set(commands.PYTHON) == set(COMMANDS)


def test_what_a_command_does_is_public_in_python() -> None:
    pages = "\n".join(text for name, text in texts().items() if name.startswith("api/"))
    named = [f"dtmodel.{each}" for said in commands.PYTHON.values() for each in said.split()]
    assert len(named) >= 20
    assert [name for name in named if not re.search(rf":: {re.escape(name)}$", pages, re.MULTILINE)] == []
    assert {f"results/{path.name}" for path in (ROOT / "validation" / "results").glob("*.md")} <= set(texts())
    for name in (path.name for path in (ROOT / "notebooks").glob("*.ipynb")):
        assert f"]({name})" in texts()["notebooks/index.md"]


def test_the_reference_has_every_public_name_once() -> None:
    said = "\n".join(page for name, page in texts().items() if name.startswith("api/"))
    documented = re.findall(r"^\.\. (?:autoclass|autofunction|py:data):: (\S+)$", said, re.MULTILINE)
    assert len(documented) == len(set(documented))
    short = {name.rpartition(".")[2] for name in documented}
    for module in api.modules():
        assert {
            name for name in api.names(module) if name not in short and f"{module.__name__}.{name}" not in said
        } == set()
    assert "dtmodel.policies.DT" in documented
    assert set(dtmodel.__all__) <= short


def quoted() -> list[tuple[str, str]]:
    found = []
    for name, text in texts().items():
        if name.startswith("guides/"):
            found += [(name, line) for pattern in (DIRECTIVE, QUOTED, IN_WORKFLOW) for line in pattern.findall(text)]
        if name.startswith("commands/"):
            found += [(name, line) for line in DIRECTIVE.findall(text)]
    return found


def read(arguments: list[str]) -> None:
    """Let click read a command as it would, without running it."""
    group: Any = cli
    context = click.Context(cli, info_name="dtmodel")
    while isinstance(group, click.Group) and not arguments[0].startswith("-"):
        name, group, arguments = group.resolve_command(context, arguments)
        if isinstance(group, click.Group) and not (arguments and group.get_command(context, arguments[0])):
            return  # ``ledger edt.thm1`` lists; a group by its name alone
        context = click.Context(group, info_name=name, parent=context)
    if not arguments:
        return  # spoken of by its name
    with suppress(click.exceptions.Exit):  # --help, --example
        group.make_context(group.name, list(arguments))


def dtmodel_commands(line: str) -> list[list[str]]:
    parts = (shlex.split(part.partition(" > ")[0]) for part in line.split(" && "))
    return [part[1:] for part in parts if part[0] == "dtmodel"]


def test_the_commands_of_guides_and_of_the_reference_are_real(capsys: pytest.CaptureFixture[str]) -> None:
    found = [(name, part) for name, line in quoted() for part in dtmodel_commands(line)]
    assert len(found) >= 25
    for name, arguments in found:
        try:
            read(arguments)
        except click.UsageError as error:
            pytest.fail(f"{name}: dtmodel {shlex.join(arguments)}: {error.format_message()}")
    capsys.readouterr()
    with pytest.raises(click.UsageError):
        read(["params", "edt", "--portz", "3"])


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ("DT/EDT paper, Section 3.1, equation (5)", "section-3.1"),
        ("L2BM paper, Section IV-B; Figure 10(a)", "section-IV-B"),
        ("LossPass paper, Sections 3.1 and 7", "section-3.1"),
        ("LossPass slides, on ECN", "slides"),
        ("DT/EDT paper, proof of Theorem 4 and Figure 6", "theorems"),
        ("Own theorem, correcting Section 3.2.3", "ours"),
        ("own statement, on priority flow control", "ours"),
        ("L2BM paper, abstract; Section IV", "abstract"),
        ("somewhere", "elsewhere"),
    ],
)
def test_a_claim_stands_on_the_page_of_its_section(source: str, page: str) -> None:
    assert ledger.place({"source": source})[0] == page


@pytest.mark.parametrize("module", [check, ledger, panels, svg, theorems, benchmarks])
def test_the_examples_of_what_makes_the_site_are_right(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert (failed, tried > 0) == (0, True)


def test_every_page_has_a_policy_for_its_own_scripts_and_no_other_host() -> None:
    page = '<head>\n<meta charset="utf-8" /><script>1</script><script src="a.js"></script></head>'
    policy = guarded(page)
    assert policy.startswith('<head>\n<meta charset="utf-8" /><meta http-equiv="Content-Security-Policy"')
    hashes = re.findall(r"'sha256-([^']*)'", policy)
    assert hashes == [base64.b64encode(hashlib.sha256(b"1").digest()).decode()]
    assert "'unsafe-eval'" not in policy
    assert "http:" not in policy
    assert guarded(policy) == policy


def test_a_check_looks_at_every_page_within_as_many_days_as_its_share(tmp_path: Path) -> None:
    folders = {"guides": 2, "notebooks": 2, "commands": 2, "ledger/edt": 5, "api": 4}
    for folder, count in folders.items():
        (tmp_path / folder).mkdir(parents=True)
        for number in range(count):
            (tmp_path / folder / f"{number}.html").touch()
    days = [check.chosen(tmp_path, 4, day) for day in range(100, 104)]
    assert {path for found in days for path in found} >= {*tmp_path.rglob("*.html")}
    written = {path for folder in ("guides", "notebooks", "commands") for path in (tmp_path / folder).iterdir()}
    assert all({*found} >= written and len({*found}) == len(found) for found in days)
    assert all({*one} & {*other} == {*check.chosen(tmp_path, 10**6, 10**6 - 1)} for one, other in pairwise(days))
    assert {*check.chosen(tmp_path, 1, 7)} >= {*tmp_path.rglob("*.html")}


@pytest.mark.needs("playwright")
def test_axe_sees_each_look_of_a_text_and_every_other_fault(tmp_path: Path) -> None:
    start, axe, path = browser_tools()
    words = "<i>dark</i> " * 300
    (tmp_path / "page.html").write_text(
        '<!doctype html><html lang="en"><head><title>Page</title><style>i { color: #111 } .odd i { color: #ddd }'
        " b { color: #ccc }</style></head><body><main><h1>Page</h1>"
        f'<pre>{words}<b>pale</b></pre><p>{words}</p><p class="odd"><i>pale</i></p>'
        '<p style="background: #333"><i>dark</i></p>'
        '<pre><a href="#there"></a></pre><details open><summary>More</summary><img src="data:,"></details>'
        "</main></body></html>"
    )
    with start() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_context(bypass_csp=True).new_page()
        page.goto((tmp_path / "page.html").as_uri())
        found = {each["id"]: len(each["nodes"]) for each in check.violations(page, axe())}
        browser.close()
    assert found == {"color-contrast": 3, "image-alt": 1, "link-name": 1}


@pytest.mark.needs("playwright")
def test_on_a_phone_the_sliders_of_a_derived_theorem_are_wide_enough_to_move(tmp_path: Path) -> None:
    start, _, path = browser_tools()
    page_of = PANELS["derive"].make().page(())
    pages = {"page": page_of, "squeezed": page_of.replace("</style>", "input { max-width: 40px }</style>")}
    with start() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_context(viewport={"width": 390, "height": 900}).new_page()
        found = {}
        for name, text in pages.items():
            (tmp_path / f"{name}.html").write_text(text)
            page.goto((tmp_path / f"{name}.html").as_uri())
            found[name] = [fault.partition(" at ")[0] for fault in check.narrow(page)]
        browser.close()
    assert found == {"page": [], "squeezed": [f"the slider of {symbol}" for symbol in ("alpha", "R", "N")]}
