"""The LossPass notebook runs from a fresh kernel, shows pictures and mathematics, and is stored without outputs."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
PATH = ROOT / "notebooks" / "03_losspass.ipynb"


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


def printed(notebook: nbformat.NotebookNode) -> str:
    return "".join(o.get("text", "") for c in notebook.cells if c.cell_type == "code" for o in c.outputs)


def test_the_notebook_is_stored_without_outputs() -> None:
    for cell in nbformat.read(PATH, as_version=4).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_the_notebook_shows_pictures_and_theorems(executed: nbformat.NotebookNode) -> None:
    assert len(outputs(executed, "image/png")) >= 7
    assert sum("losspass.ours." in html for html in outputs(executed, "text/html")) == 5


def test_the_notebook_computes_what_it_says(executed: nbformat.NotebookNode) -> None:
    text = printed(executed)
    assert "N = 2: least K = 59.5 KB, utilisation there 1" in text
    assert "Tomahawk, 512 KB, K = 10     ECN   494,000  LossPass   486,400  larger: ecn" in text
    assert "without a short tail: 80" in text
    assert "with a tail of 64 bytes: 0" in text
    assert "729 traces agree" in text
    assert "Your turn" in text
    assert "5" in outputs(executed, "text/plain")
