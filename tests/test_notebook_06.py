"""The notebook of all policies runs from a fresh kernel, its theorems agree with the engine, it holds no outputs."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
PATH = ROOT / "notebooks" / "06_which_policy.ipynb"


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


def test_every_policy_has_its_line_and_its_theorem(executed: nbformat.NotebookNode) -> None:
    text = printed(executed)
    for line in (
        "static partition    0.167 ms     83 KB",
        "complete sharing    0.000 ms      0 KB",
        "DT, alpha 1         0.667 ms    333 KB",
        "EDT, alpha 1        2.667 ms   1333 KB",
        "ABM, alpha 1        0.444 ms    222 KB",
        "L2BM, alpha 1/8     0.949 ms    475 KB",
        "reserve and pool    0.680 ms    340 KB",
        "LossPass                  128.0 KB",
        "DynaQ, admit = port        28.0 KB",
    ):
        assert line in text
    for theorem in ("edt.thm1, case a", "edt.ours.theorem5", "l2bm.ours.first-drop", "l2bm.ours.reserve-first-drop"):
        assert theorem in text
    assert "Your turn" in text


def test_the_notebook_shows_a_picture(executed: nbformat.NotebookNode) -> None:
    assert len(outputs(executed, "image/png")) == 1
