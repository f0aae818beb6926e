"""The first notebook runs from a fresh kernel, shows pictures and mathematics, and is stored without outputs."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
PATH = ROOT / "notebooks" / "01_dynamic_threshold.ipynb"


@pytest.fixture(scope="module")
def executed() -> nbformat.NotebookNode:
    notebook = nbformat.read(PATH, as_version=4)
    NotebookClient(notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    return notebook


def outputs(notebook: nbformat.NotebookNode, kind: str) -> list[str]:
    return [
        "".join(output["data"][kind])
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if kind in output.get("data", {})
    ]


def test_the_notebook_is_stored_without_outputs() -> None:
    for cell in nbformat.read(PATH, as_version=4).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_the_notebook_runs_and_shows_pictures(executed: nbformat.NotebookNode) -> None:
    assert len(outputs(executed, "image/png")) >= 4


def test_the_notebook_shows_the_theorems_as_mathematics(executed: nbformat.NotebookNode) -> None:
    shown = outputs(executed, "text/html")
    assert sum("<math" in html and "Theorem 1" in html for html in shown) == 1
    assert any("every mixture of regimes" in html for html in shown)


def test_the_notebook_compares_theorem_and_engine(executed: nbformat.NotebookNode) -> None:
    assert "(True, True)" in outputs(executed, "text/plain")
    text = "".join(o.get("text", "") for c in executed.cells if c.cell_type == "code" for o in c.outputs)
    assert "first drop at 2 ms (1/500 s), free buffer 250 KB, case a" in text
    assert "first drop of port 0, whose burst lasts 7 ms: None" in text
    assert "Your turn" in text
