"""The L2BM notebook runs from a fresh kernel, agrees with the engine, and is stored without outputs."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
PATH = ROOT / "notebooks" / "05_l2bm.ipynb"


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


def test_the_notebook_shows_pictures_and_mathematics(executed: nbformat.NotebookNode) -> None:
    assert len(outputs(executed, "image/png")) >= 2
    assert sum("<math" in html for html in outputs(executed, "text/html")) >= 4


def test_the_notebook_agrees_with_the_engine(executed: nbformat.NotebookNode) -> None:
    assert "True" in outputs(executed, "text/plain")


def test_the_notebook_shows_what_the_recorder_records(executed: nbformat.NotebookNode) -> None:
    text = printed(executed)
    assert "what the printed lines say: ['2', '5/2', '3']" in text
    assert "['-2', '-4', '-6', '-8']" in text
    assert "pause-aware  total after a pause of 2 s:   0" in text
    assert "square root law: 21.2 and 10.6" in text
    assert "Your turn" in text
