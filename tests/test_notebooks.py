"""Every notebook runs from a fresh kernel, shows and prints what it should, and is stored without outputs."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


class Executed:
    """What the cells of a notebook showed and printed."""

    def __init__(self, name: str) -> None:
        notebook = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
        NotebookClient(
            notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}
        ).execute()
        self.outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
        self.printed = "".join(output.get("text", "") for output in self.outputs)
        self.pictures = len(self.shown("image/png"))
        self.html = self.shown("text/html")
        self.mathematics = [html for html in self.html if "<math" in html]

    def shown(self, kind: str) -> list[str]:
        return ["".join(out["data"][kind]) for out in self.outputs if kind in out.get("data", {})]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_outputs(path: Path) -> None:
    for cell in nbformat.read(path, as_version=4).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_the_first_notebook_shows_theorem_1_and_agrees_with_the_engine() -> None:
    notebook = Executed("01_dynamic_threshold")
    assert notebook.pictures >= 4
    assert sum("<math" in html and "Theorem 1" in html for html in notebook.html) == 1
    assert any("every mixture of regimes" in html for html in notebook.html)
    assert "(True, True)" in notebook.shown("text/plain")
    assert "first drop at 2 ms (1/500 s), free buffer 250 KB, case a" in notebook.printed
    assert "first drop of port 0, whose burst lasts 7 ms: None" in notebook.printed
    assert "Your turn" in notebook.printed


def test_the_edt_notebook_shows_theorem_5_and_the_state_machine() -> None:
    notebook = Executed("02_enhanced_dynamic_threshold")
    assert notebook.pictures >= 3
    assert any("Theorem 5" in html for html in notebook.mathematics)
    assert any("for every M and N" in html for html in notebook.mathematics)
    assert "bytes of the burst lost: DT 500000 - EDT 0" in notebook.printed
    assert "first drops: 12/7 4/3" in notebook.printed
    assert "first drop at 1 with 6 of 16 bytes free" in notebook.printed
    assert "port 1 is controlled" in notebook.printed
    assert "port 1 is uncontrolled" in notebook.printed
    assert "Your turn" in notebook.printed


def test_the_losspass_notebook_computes_what_it_says() -> None:
    notebook = Executed("03_losspass")
    assert notebook.pictures >= 7
    assert sum("losspass.ours." in html for html in notebook.html) == 5
    assert "N = 2: least K = 59.5 KB, utilisation there 1" in notebook.printed
    assert "Tomahawk, 512 KB, K = 10     ECN   494,000  LossPass   486,400  larger: ecn" in notebook.printed
    assert "without a short tail: 80" in notebook.printed
    assert "with a tail of 64 bytes: 0" in notebook.printed
    assert "729 traces agree" in notebook.printed
    assert "Your turn" in notebook.printed
    assert "5" in notebook.shown("text/plain")


def test_the_dynaq_notebook_finds_the_shortest_traces() -> None:
    notebook = Executed("04_dynaq")
    assert notebook.pictures
    assert sum("<math" in html for html in notebook.html) >= 5
    assert "every reachable state was visited" in notebook.printed
    assert "stem [['arrive', None, 2, 1], ['depart', None, 2], ['arrive', None, 2, 1]]" in notebook.printed
    assert "weights (4, 3, 2, 1), active 3: 42,000 bytes as printed" in notebook.printed
    assert "weights (1, 1, 1, 1), active 1, 2: 42,000 bytes as printed" in notebook.printed


def test_the_l2bm_notebook_agrees_with_the_engine_and_the_recorder() -> None:
    notebook = Executed("05_l2bm")
    assert notebook.pictures >= 2
    assert sum("<math" in html for html in notebook.html) >= 4
    assert "True" in notebook.shown("text/plain")
    assert "what the printed lines say: ['2', '5/2', '3']" in notebook.printed
    assert "['-2', '-4', '-6', '-8']" in notebook.printed
    assert "pause-aware  total after a pause of 2 s:   0" in notebook.printed
    assert "square root law: 21.2 and 10.6" in notebook.printed
    assert "Your turn" in notebook.printed


def test_the_last_notebook_has_a_line_and_a_theorem_for_every_policy() -> None:
    notebook = Executed("06_which_policy")
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
        assert line in notebook.printed
    for theorem in ("edt.thm1, case a", "edt.ours.theorem5", "l2bm.ours.first-drop", "l2bm.ours.reserve-first-drop"):
        assert theorem in notebook.printed
    assert "Your turn" in notebook.printed
    assert notebook.pictures == 1
