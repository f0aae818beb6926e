"""The DynaQ notebook runs from a fresh kernel, shows mathematics and pictures, and says what the ledger says."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
PATH = ROOT / "notebooks" / "04_dynaq.ipynb"


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


def test_the_notebook_shows_pictures_and_mathematics(executed: nbformat.NotebookNode) -> None:
    assert outputs(executed, "image/png")
    assert sum("<math" in html for html in outputs(executed, "text/html")) >= 5


def test_the_notebook_finds_the_shortest_traces(executed: nbformat.NotebookNode) -> None:
    text = "".join(o.get("text", "") for c in executed.cells if c.cell_type == "code" for o in c.outputs)
    assert "every reachable state was visited" in text
    assert "stem [['arrive', None, 2, 1], ['depart', None, 2], ['arrive', None, 2, 1]]" in text
    assert "weights (4, 3, 2, 1), active 3: 42,000 bytes as printed" in text
    assert "weights (1, 1, 1, 1), active 1, 2: 42,000 bytes as printed" in text
