"""Every rich display of the package can be read in JupyterLab: nothing floats, is cut, or lies on something else."""

import importlib
import inspect
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pkgutil import walk_packages
from typing import Any

import nbformat
import pytest
from displays import CELLS, FAULTS, LOOKS, SETUP, WIDE, value_of

import dtmodel
from docs.browser import browser_tools
from docs.lab_check import RUN, opened

_PREFIX = "_repr_"
_KNOWN: dict[str, Any] = {}


def classes_with_a_display() -> Iterator[type]:
    """Yield the classes of the package in which a method for rich displays stands."""
    for module in walk_packages(dtmodel.__path__, "dtmodel."):
        if not module.name.endswith("__main__"):
            for _, found in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
                if found.__module__ == module.name and any(name.startswith(_PREFIX) for name in vars(found)):
                    yield found


def test_every_class_with_a_rich_display_has_a_cell() -> None:
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
