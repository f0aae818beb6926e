"""The module that runs in a browser, and the files for it, as far as they can be tested without one."""

import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import plain
import pytest

from dtmodel import lab
from dtmodel.base.errors import ExtraError, LedgerError
from dtmodel.lab import browser, panels, predictions, publishing


def ran(source: str) -> dict[str, object]:
    return dict(json.loads(browser.run(source)))


def test_cells_share_a_namespace_and_show_their_last_expression() -> None:
    ran("kept = 2")
    assert ran("print(kept)\nkept + 1") == {"text": "2\n3\n", "html": [], "error": ""}
    assert ran("kept + 1;")["text"] == ""
    assert ran("")["error"] == ""


def test_a_cell_shows_tables_mathematics_pictures_and_text() -> None:
    (table,) = ran("from dtmodel.theory import dt\ndt.theorem1")["html"]
    assert "<math" in table
    (formula,) = ran("class F:\n    def _repr_latex_(self): return '$x^2$'\nF()")["html"]
    assert formula.startswith("<math")
    (picture,) = ran("class P:\n    def _repr_png_(self): return b'ab'\ndisplay(P(), 7)")["html"]
    assert picture == '<img alt="figure" src="data:image/png;base64,YWI=">'


def test_an_error_of_a_cell_is_told_from_its_line_on() -> None:
    assert ran("from dtmodel import Switch\nSwitch(0, 1, 1)")["error"] == (
        "InputError: switch.ports: got 0; expected a whole number of at least 1"
    )
    told = ran("print(1)\n1 / 0")
    assert told["text"] == "1\n"
    assert str(told["error"]).splitlines()[0] == '  File "<cell>", line 2, in <module>'
    assert "browser.py" not in str(told["error"])
    assert "SyntaxError" in str(ran("1 +")["error"])
    assert "SystemExit" in str(ran("raise SystemExit(3)")["error"])


def test_a_panel_answers_by_its_name_and_names_what_it_cannot_read() -> None:
    player = lab.packet_player("losspass")
    browser.keep([("losspass", player)])
    assert json.loads(browser.respond("losspass", '{"serial": 4}')) == player.respond({"serial": 4})
    assert json.loads(browser.respond("none", "{}"))["error"].startswith("panel: got 'none'")
    assert "error" in json.loads(browser.respond("losspass", "{"))
    assert "error" in json.loads(browser.respond("losspass", "[" * 100_000))


def test_players_and_formulas_from_kept_data_are_those_computed_now(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = json.loads(json.dumps({"players": panels.recorded(), "formulas": predictions.formulas()}))
    now = {name: panel.respond({}) for name, panel in panels.restored().items()}
    explorer = lab.threshold_explorer(alpha=3)
    expected = explorer.respond({})
    predictions._formula.cache_clear()
    for module in (panels, predictions):
        monkeypatch.setattr(module, "made", kept.__getitem__)
    monkeypatch.setattr(predictions, "tex_of", None)
    assert {name: panel.respond({}) for name, panel in panels.restored().items()} == now
    assert explorer.respond({}) == expected
    predictions._formula.cache_clear()


def test_an_archive_is_fetched_at_the_first_import_of_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "far.zip", "w") as archive:
        archive.writestr("far_away/__init__.py", "value = 7")
    asked = []

    def fetch(name: str) -> bytes:
        asked.append(name)
        return (tmp_path / name).read_bytes()

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sys.meta_path", [*__import__("sys").meta_path])
    monkeypatch.setattr(browser, "__file__", str(tmp_path / "dtmodel" / "lab" / "browser.py"))
    archives = browser.start(fetch, '{"far_away": "far.zip"}')
    assert ran("import far_away\nfar_away.value")["text"] == "7\n"
    assert asked == ["far.zip"]
    assert not archives.take("far_away")
    assert "ModuleNotFoundError" in str(ran("import not_there_either")["error"])


def test_only_the_pinned_pyodide_is_used_and_missing_tools_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ExtraError, match=r"this needs npm: install Node\.js"):
        publishing.pyodide(tmp_path)
    with tarfile.open(tmp_path / f"pyodide-{publishing.PYODIDE}.tgz", "w:gz"):
        pass
    with pytest.raises(LedgerError, match="its hash differs"):
        publishing.pyodide(tmp_path)


def test_answers_without_numpy_scipy_matplotlib_and_processes_are_the_same() -> None:
    command = [sys.executable, str(Path(plain.__file__)), "--plain"]
    there = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    here = json.loads(json.dumps(plain.answers()))
    assert there.pop("shown") == ["text/plain", "text/html"]
    assert "image/png" in here.pop("shown")
    assert there == here


def test_a_panel_without_matplotlib_is_a_page_in_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    (frame,) = ran("from dtmodel import lab\nlab.packet_player('edt')")["html"]
    assert frame.startswith('<iframe title="Packet player" srcdoc="&lt;!doctype html&gt;')
