"""Every rich display of the package can be read in JupyterLab: nothing floats, is cut, or lies on something else."""

import importlib
import inspect
import re
import time
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
import sympy
from displays import CELLS, FAULTS, LOOKS, SETUP, TABLES, WIDE, file_of, shown_of, value_of

import dtmodel
from docs.browser import browser_tools
from docs.lab_check import RUN, opened
from dtmodel.base.mathtext import array_of
from dtmodel.theorems.roots import FloatRoot, Solutions, placed
from dtmodel.theory import dt

_PREFIX = "_repr_"
_KNOWN: dict[str, Any] = {}


def classes_with_a_display() -> Iterator[type]:
    """Yield the classes of the package in which a method for rich displays stands."""
    package = Path(dtmodel.__file__).parents[1]
    for path in sorted(package.glob("dtmodel/**/*.py")):
        if _PREFIX in path.read_text(encoding="utf-8"):
            module = importlib.import_module(".".join(path.relative_to(package).with_suffix("").parts))
            for _, found in inspect.getmembers(module, inspect.isclass):
                if found.__module__ == module.__name__ and any(name.startswith(_PREFIX) for name in vars(found)):
                    yield found


def test_every_class_with_a_rich_display_has_a_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dtmodel.companion.verify", lambda *_, **__: {"claims": [{}]})  # `Checked` has its own tests
    shown = {kind for name in CELLS for kind in type(value_of(name, _KNOWN)).__mro__}
    assert [found.__qualname__ for found in classes_with_a_display() if found not in shown] == []


@pytest.fixture(scope="module")
def displayed() -> Iterator[dict[tuple[str, str, int], list[str]]]:
    tools = browser_tools()
    if isinstance(tools, str) or find_spec("jupyterlab") is None:
        pytest.skip(tools if isinstance(tools, str) else "jupyterlab is not installed")
    start, axe, chromium = tools
    kernel = {"name": "python3", "display_name": "Python 3"}
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
    notebook.cells = [
        nbformat.v4.new_code_cell(source, metadata={"tags": ["raises-exception"]})
        for source in (SETUP, *CELLS.values())
    ]
    with opened() as (address, folder), start() as playwright:
        nbformat.write(notebook, folder / "displays.ipynb")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDE, "height": 1000})
        page.set_default_timeout(180_000)
        page.goto(address)
        page.wait_for_selector(".jp-NotebookPanel")
        page.evaluate(RUN, "displays.ipynb")
        yield {(name, *look): faults for look in LOOKS for name, faults in looked_at(page, axe(), *look)}
        browser.close()


def looked_at(page: Any, axe: Any, theme: str, width: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the faults of every cell in one theme at one width."""
    page.set_viewport_size({"width": width, "height": 1000})
    page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    page.evaluate("jupyterapp.shell.collapseLeft()")
    time.sleep(2)
    page.evaluate("document.querySelectorAll('.jp-NotebookPanel details').forEach((part) => { part.open = true; })")
    _, *cells = page.locator(".jp-NotebookPanel:visible .jp-CodeCell").element_handles()
    for place, (name, cell) in enumerate(zip(CELLS, cells, strict=True)):
        cell.scroll_into_view_if_needed()
        cell.evaluate("(cell, place) => { cell.id = `cell-${place}`; }", place)
        faults = page.evaluate(FAULTS, [cell, width == WIDE])
        options = {"runOnly": ["color-contrast"], "resultTypes": ["violations"], "preload": False}
        found = axe.run(page, context=f"#cell-{place} .jp-OutputArea-output", options=options).response["violations"]
        yield (
            name,
            faults + [f"too little contrast: {node['html'][:90]}" for each in found for node in each["nodes"][:3]],
        )


@pytest.mark.xdist_group("displays")
@pytest.mark.parametrize("name", CELLS)
@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look[0].split()[1].lower()}-{look[1]}")
def test_a_display_can_be_read_in_jupyterlab(name: str, look: tuple[str, int], displayed: dict[Any, list[str]]) -> None:
    assert displayed[(name, *look)] == []


def test_results_and_derivatives_are_displayed_with_their_units() -> None:
    at = {"alpha": 1, "B": 6, "C": 1, "M": 1, "N": 2, "R": 2}
    answer = dt.theorem1.evaluate(**at)
    assert str(answer) == "first_drop = 1.5 s, free_at_first_drop = 1.5 B, case a"
    assert (
        answer._repr_latex_()
        == r"""$\displaystyle \begin{array}{l}
\text{first\_drop} = \text{1.5 s} \\
\text{free\_at\_first\_drop} = \text{1.5 B} \\
\text{case} = \text{a}
\end{array}$"""
    )
    assert "<tr><td>first_drop</td><td><math><mtext>1.5\xa0s</mtext></math></td></tr>" in answer._repr_html_()
    alpha = sympy.Symbol("alpha", positive=True)
    formula = dt.theorem1.evaluate(**at | {"alpha": alpha})
    assert r"\text{first\_drop} = \frac{6 \alpha}{3 \alpha + 1}\ \text{s} \\" in formula._repr_latex_()
    assert "<td><math><mfrac><mn>6</mn>" in formula._repr_html_()
    slope = dt.theorem1.sensitivity("first_drop", "R", **at)
    assert str(slope) == "-1.5 (-3/2) s/(bytes/s)"
    assert slope._repr_latex_() == r"$\displaystyle \text{-1.5 (-3/2)}\ \text{s/(bytes/s)}$"
    assert "<mtext>-1.5\xa0(-3/2)</mtext>" in slope._repr_html_()


_TURNS = r"t\ \text{turns}\ \text{at}\ \alpha = \sqrt{\frac{R - C}{2 \left(R - 3 C\right)}}"
_LARGEST = r"\left(\frac{7}{25} - \frac{2 \sqrt{6}}{25}\right)\ \text{s}"
ALONE = '<div class="dtmodel"><p class="dtmodel-formula"><math displaystyle="true">{}</math></p></div>'
MATHEMATICS = {
    "solutions": ("alpha = 0.2 (1/5)", r"\alpha = \frac{1}{5}",
        "<mi>α</mi><mo>=</mo><mfrac><mn>1</mn><mn>5</mn></mfrac>"),
    "solutions that are none": ("none: at most 2.66667 ms (1/375 s), as alpha tends to infinity",
        r"\text{none: at most 2.66667 ms (1/375 s), as alpha tends to infinity}",
        "<mtext>none: at most 2.66667 ms (1/375 s), as alpha tends to infinity</mtext>"),
    "solutions that are intervals": ("alpha in [1/7, oo)", r"\alpha \in [\frac{1}{7}, \infty)",
        ('<mi>α</mi><mo>∈</mo><mo stretchy="false">[</mo><mfrac><mn>1</mn><mn>7</mn></mfrac><mo>,</mo><mo>∞</mo>'
        '<mo stretchy="false">)</mo>')),
    "optimum": ("maximum of first_drop: 333.333 ms (1/3 s), approached as alpha tends to infinity (case 0)",
        r"\sup_{\alpha} t = \text{333.333 ms (1/3 s)},\quad \alpha \to \infty",
        ("<msub><mo>sup</mo><mi>α</mi></msub><mi>t</mi><mo>=</mo><mtext>333.333 ms (1/3 s)</mtext><mo>,</mo>"
        '<mspace width="1em" /><mi>α</mi><mo>→</mo><mo>∞</mo>')),
    "optimum that is irrational": (
        "maximum of first_drop: about 84.0408 ms ((7 - 2*sqrt(6))/25), at alpha = sqrt(6)/2 (case 1)",
        rf"\max_{{\alpha}} t = {_LARGEST},\quad \alpha = \frac{{\sqrt{{6}}}}{{2}}", None),
    "turns": ("first_drop along alpha: case 0 rises; case 1 turns at alpha = sqrt((R - C)/(2*(R - 3*C)))",
        array_of([r"\text{case 0: } t\ \text{rises}", rf"\text{{case 1: }} {_TURNS}"]), None),
    "comparison of theorems": ("< always",
        r"\begin{array}{ll} {t}^{(1)} < {t}^{(2)} & \text{always} \end{array}", None),
}  # fmt: skip
"""What is shown of results of questions, as text, in LaTeX and in MathML."""


@pytest.mark.parametrize("name", MATHEMATICS)
def test_results_of_questions_are_text_and_the_same_mathematics_in_latex_and_in_html(name: str) -> None:
    if name != "solutions":
        value_of("derived theorem", _KNOWN)
    (text, latex, mathml), shown = MATHEMATICS[name], value_of(name, _KNOWN)
    assert (str(shown), shown._repr_latex_()) == (text, rf"$\displaystyle {latex}$")
    html = re.sub("<style>.*?</style>", "", shown._repr_html_()).replace("\N{NO-BREAK SPACE}", " ")
    assert html == ALONE.format(mathml or re.search("<math[^>]*>(.*)</math>", html)[1])  # type: ignore[index]
    assert "<code>" not in html  # LaTeX that the converter does not read


@pytest.mark.parametrize("name", TABLES)
def test_a_display_is_the_text_the_latex_and_the_html_on_record(name: str) -> None:
    assert shown_of(name, _KNOWN) == file_of(name).read_text(encoding="utf-8")


def test_solutions_in_floats_and_sets_say_so() -> None:
    beside = Solutions([FloatRoot(0.5, 0.6), sympy.Interval(1, 2)], "x > 9", write=partial(placed, "d", "s"))
    assert str(beside) == "d = about 500 ms or d in Interval(1, 2) s; not searched: x > 9"
    lines = r"d \approx \text{500 ms}\ \text{or}\ d \in \left[1, 2\right]\ \text{s}", r"\text{not searched: x > 9}"
    assert beside.latex() == array_of(lines)


def test_results_in_arrays_are_displayed_as_text() -> None:
    answer = dt.theorem1.evaluate(alpha=np.array([1.0, 2.0]), B=6, C=1, M=1, N=2, R=2)
    assert answer._repr_html_() is None
    assert answer._repr_latex_() is None
