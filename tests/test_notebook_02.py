"""The second notebook runs from a fresh kernel, shows pictures and mathematics, and is stored without outputs."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
PATH = ROOT / "notebooks" / "02_enhanced_dynamic_threshold.ipynb"


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
    assert len(outputs(executed, "image/png")) >= 3


def test_the_notebook_shows_theorem_5_twice(executed: nbformat.NotebookNode) -> None:
    shown = [html for html in outputs(executed, "text/html") if "<math" in html]
    assert any("Theorem 5" in html for html in shown)
    assert any("for every M and N" in html for html in shown)


def test_the_notebook_says_what_the_engines_say(executed: nbformat.NotebookNode) -> None:
    text = "".join(o.get("text", "") for c in executed.cells if c.cell_type == "code" for o in c.outputs)
    assert "bytes of the burst lost: DT 500000 - EDT 0" in text
    assert "first drops: 12/7 4/3" in text
    assert "first drop at 1 with 6 of 16 bytes free" in text
    assert "port 1 is controlled" in text
    assert "port 1 is uncontrolled" in text
    assert "Your turn" in text
