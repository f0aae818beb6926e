"""The module that runs in a browser, and the files for it, as far as they can be tested without one."""

import base64
import gzip
import html
import json
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import zipfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import plain
import pytest
import sympy as sp
from click.testing import CliRunner
from sympy.polys import polyroots

from dtmodel import lab
from dtmodel.base import workers
from dtmodel.base.errors import ExtraError, LedgerError
from dtmodel.base.files import write_whole
from dtmodel.cli import cli
from dtmodel.lab import browser, forms, panels, predictions, publishing, serving
from dtmodel.ledger import time_limit


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


def kept_data() -> dict[str, Any]:
    """The data that is computed when the package is prepared for a browser, with one statement of the errata."""
    computed = {"formulas": predictions.formulas(), "conditions": predictions.conditions()}
    return dict(json.loads(json.dumps({"players": panels.recorded(), "errata": ["edt.fn9"]} | computed)))


def test_players_and_formulas_from_kept_data_are_those_computed_now(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = kept_data()
    now = {name: panel.respond({}) for name, panel in panels.restored().items()}
    explorer = lab.threshold_explorer(alpha=3)
    expected = explorer.respond({})
    predictions._formula.cache_clear()
    for module in (panels, predictions, forms):
        monkeypatch.setattr(module, "made", kept.__getitem__)
    monkeypatch.setattr(predictions, "tex_of", None)
    assert {name: panel.respond({}) for name, panel in panels.restored().items()} == now
    assert explorer.respond({}) == expected
    predictions._formula.cache_clear()


def test_an_archive_is_fetched_at_the_first_import_of_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "far" / "far_away").mkdir(parents=True)
    (tmp_path / "far" / "far_away" / "__init__.py").write_text("value = 7")
    publishing._pack(tmp_path / "far", tmp_path / "far.tar.xz")
    asked = []

    def fetch(name: str) -> str:
        asked.append(name)
        return str(tmp_path / f"{name}.tar.xz")

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sys.meta_path", [*__import__("sys").meta_path])
    monkeypatch.setattr(browser, "__file__", str(tmp_path / "dtmodel" / "lab" / "browser.py"))
    archives = browser.start(fetch, '{"far_away": "far"}')
    assert ran("import far_away\nfar_away.value")["text"] == "7\n"
    assert asked == ["far"]
    assert not (tmp_path / "far.tar.xz").exists()
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
    frame = lab.packet_player("edt")._repr_mimebundle_()["text/html"]
    assert frame.startswith('<iframe title="Packet player" srcdoc="&lt;!doctype html&gt;')


def test_a_panel_of_a_cell_has_a_name_by_which_it_answers() -> None:
    (box,) = ran("from dtmodel import lab\nlab.packet_player('edt')")["html"]
    (told,) = re.findall(r'<div class="dtm-live" data-panel="(.*)"></div>', box)
    data = json.loads(html.unescape(told))
    assert data["start"]["kind"] == "player"
    player = lab.packet_player("edt")
    assert data["answer"] == json.loads(json.dumps(player.respond({})))
    message = {"values": {"step": "2"}}
    assert json.loads(browser.respond(data["name"], json.dumps(message))) == json.loads(
        json.dumps(player.respond(message))
    )


def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files for the browser, from a stand-in for node that writes archives and a heap."""
    runtime = tmp_path / "runtime"
    runtime.mkdir()
    for name in publishing._FILES:
        (runtime / name).write_bytes(name.encode())

    def node(command: list[str], _: Path) -> None:
        if command[0] != "node":
            raise ExtraError("pip", install="no network")
        *_, stage, heap = command
        assert json.loads((Path(stage) / "dtmodel/dtmodel/lab/static/made.json").read_text())["formulas"]
        for name in ("dtmodel", "sympy"):
            for path in (Path(stage) / name).rglob("*.py"):
                path.write_bytes(path.parent.name.encode())
        Path(heap).write_bytes(b"heap")

    monkeypatch.setattr(publishing, "pyodide", lambda _: runtime)
    monkeypatch.setattr(publishing, "_run", node)
    with pytest.warns(UserWarning, match="without flint and z3: this needs pip: no network"):
        publishing.publish(tmp_path / "out", tmp_path / "cache")
    return tmp_path / "out"


def test_the_files_for_the_browser_are_compressed_and_name_their_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = published(tmp_path, monkeypatch)
    assert gzip.decompress((out / "heap.packed").read_bytes()) == b"heap"
    assert gzip.decompress((out / "pyodide.asm.wasm.packed").read_bytes()) == b"pyodide.asm.wasm"
    assert json.loads((out / "packages.json").read_text()) == {
        "packages": {"dtmodel": "dtmodel", "sympy": "sympy", "mpmath": "sympy"},
        "size": len("python_stdlib.zip"),
    }  # fmt: skip
    with tarfile.open(out / "sympy.tar.xz") as packed:
        compiled = packed.extractfile("mpmath/__init__.py")
        assert compiled is not None
        assert compiled.read() == b"mpmath"
    assert {"python.js", "worker.js", "lab.js", "lab.css", "python_stdlib.zip"} <= {path.name for path in out.iterdir()}


def test_a_wheel_is_packed_without_headers_and_without_a_second_copy_of_a_library(tmp_path: Path) -> None:
    names = ("z3/lib/libz3.so", "z3/lib/libz3.so.5.3", "z3/include/z3.h", "z3/z3.py", "z3/_c.cpython-314.so")
    with zipfile.ZipFile(tmp_path / "z3.whl", "w") as wheel:
        for name in names:
            wheel.writestr(name, name)
    assert dict(publishing._content(tmp_path / "z3.whl")) == {name: name.encode() for name in (names[0], *names[3:])}


def test_wheels_are_found_beside_the_archives_that_were_made_of_them(tmp_path: Path) -> None:
    (tmp_path / "wheels.txt").write_text(publishing._WHEELS)
    for name in ("python_flint-0.tar.xz", "python_flint-0.whl", "z3_solver-5.tar.xz", "z3_solver-5.whl"):
        (tmp_path / name).touch()
    found = publishing._wheels(tmp_path)
    assert found == {"flint": tmp_path / "python_flint-0.whl", "z3": tmp_path / "z3_solver-5.whl"}


def test_a_live_page_has_its_recorded_answers_compressed() -> None:
    player = lab.packet_player("losspass")
    page = player.page(("step",), ("../python/python.js", "losspass"))
    (packed,) = re.findall(r'id="answers">(.*?)</script>', page)
    assert json.loads(gzip.decompress(base64.b64decode(packed))) == json.loads(json.dumps(player.recorded(("step",))))


def test_a_site_and_a_single_file_have_every_panel_and_ask_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = bytes(range(256)) * 2
    files = ("python.js", "heap.packed", "make.mjs")
    monkeypatch.setattr(
        serving, "publish", lambda folder, _: [write_whole(folder / name, content) for name in files] and None
    )
    serving.write_site(tmp_path)
    assert "connect-src 'self'" in (tmp_path / "panels" / "explorer.html").read_text()
    assert (tmp_path / "index.html").read_text().count("<li>") == len(panels.PANELS)
    done = CliRunner().invoke(cli, ["lab", "--single-file", str(tmp_path / "one.html")])
    assert done.exit_code == 0, done.output
    page = (tmp_path / "one.html").read_bytes().decode("latin-1")
    assert all(f'<section id="{name}">' in page for name in panels.PANELS)
    assert "connect-src" not in page
    held = dict(re.findall(r'<script type="text/plain" data-file="([^"]*)">([^<\0\r]*)</script>', page))
    assert held.keys() == {"python.js", "heap.packed"}
    given = re.sub(rb"(?s)=(.)", lambda found: bytes([found[1][0] - 64]), held["heap.packed"].encode("latin-1"))
    assert given == content
    assert set(re.findall(r"https?://[\w.]*", page)) == {"http://www.w3.org"}


def test_a_single_file_without_sympy_names_the_panels_that_it_leaves_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"python.js": b"", "sympy.tar.xz": b"", "packages.json": b'{"packages": {"sympy": "sympy"}, "size": 3}'}
    monkeypatch.setattr(
        serving,
        "publish",
        lambda folder, _: [write_whole(folder / name, text) for name, text in files.items()] and None,
    )
    done = CliRunner().invoke(cli, ["lab", "--single-file", str(tmp_path / "one.html"), "--without-sympy"])
    assert done.exit_code == 0, done.output
    missing = [panel.make().title for panel in panels.PANELS.values() if panel.needs]
    assert done.stderr.splitlines() == [f"left out, because it needs SymPy: {title}" for title in missing]
    page = (tmp_path / "one.html").read_bytes().decode("latin-1")
    assert f"These panels need SymPy, which this file does not have: {', '.join(missing)}." in page
    held = dict(re.findall(r'<script type="text/plain" data-file="([^"]*)">([^<]*)</script>', page))
    assert held.keys() == {"python.js", "packages.json"}
    assert json.loads(held["packages.json"]) == {"packages": {}, "size": 3}
    alone = CliRunner().invoke(cli, ["lab", "--without-sympy"])
    assert alone.exit_code == 2
    assert "--without-sympy needs --single-file" in alone.stderr


def test_panels_that_do_not_say_so_need_no_sympy(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = kept_data()
    for module in (panels, predictions, forms):
        monkeypatch.setattr(module, "made", kept.__getitem__)
    found = panels.restored()
    assert {name for name, panel in panels.PANELS.items() if panel.needs} == {"derive", "chip", "errata"}
    for name in [each for each in sys.modules if each.split(".")[0] == "sympy"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sympy", None)
    predictions._formula.cache_clear()
    for name in [name for name, panel in panels.PANELS.items() if not panel.needs]:
        assert "error" not in found[name].respond({})
    told = found["explorer"].respond({"values": {"policy": "EDT", "steady": "0"}})
    assert told["theorems"][0]["says"] == "is silent: M ≤ (N R)/(R - C)"


def test_without_node_the_lab_names_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DTMODEL_CACHE", str(tmp_path))
    done = CliRunner().invoke(cli, ["lab", "--serve"])
    assert isinstance(done.exception, ExtraError) or "Node.js" in done.output


def test_without_processes_items_are_answered_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "emscripten")
    works = [workers.Work((1, 2), str, float), workers.Work((3,), repr, float)]
    assert list(workers.answers(2, works)) == [(1, "1"), (2, "2"), (3, "3")]
    with time_limit.ended_within(0, TimeoutError("late")):
        pass


def test_a_claim_checked_in_the_page_names_what_ran_and_what_could_not(monkeypatch: pytest.MonkeyPatch) -> None:
    items = [
        {"function": "one", "outcome": {"type": "proved"}, "fault": ""},
        {"function": "two", "outcome": {"type": "skipped", "reason": "coqc <is> not installed"}, "fault": ""},
        {"function": "three", "outcome": None, "fault": "it raised"},
    ]
    report = {"id": "edt.eq2", "verdict": "holds", "strength": "symbolic", "evidence": items}
    monkeypatch.setattr("dtmodel.companion.verify", lambda *_, **__: {"claims": [report]})
    (page,) = ran("from dtmodel.lab.browser import Checked\nChecked('edt.eq2')")["html"]
    assert "<strong>holds</strong> (symbolic); on record: holds." in page
    assert "<p>Ran in this page:</p><ul><li>one: proved</li></ul>" in page
    assert "two: coqc &lt;is&gt; not installed" in page
    assert "three: it raised" in page


def test_the_form_of_a_theorem_and_of_a_profile_answer_and_name_what_they_cannot_read() -> None:
    theorem = forms.derivation().respond({"values": {"policy": forms.TWO, "bursts": "2", "rate": "10*C"}})
    assert "<mi>β</mi>" in theorem["html"]
    assert theorem["values"]["steady"] == "N"
    first, moved = (forms.derivation().respond({"values": {"R": speed}}) for speed in ("5", "9"))
    assert "the burst loses its first byte at 250 µs" in first["html"]
    assert first["html"].count('<path class="dtm-case-') == 2
    places = [re.findall(r'class="dtm-here" cx="([\d.]+)" cy="([\d.]+)"', each["html"]) for each in (first, moved)]
    assert places == [[("115.6", "112.4")], [("115.6", "22.5")]]
    assert first["idle"] == ["beta", "M"]
    corners = re.findall(r"([\d.]+),([\d.]+)", re.findall(r'dtm-case-1" d="([^"]*)"', first["html"])[0])
    alphas = [Fraction(1, 8) + Fraction(float(x) - 80) / 320 * Fraction(63, 8) for x, y in corners if float(y) > 0]
    rates = [10 - Fraction(float(y)) / 200 * Fraction(89, 10) for _, y in corners if float(y) > 0]
    assert all(
        abs(rate - (1 + (1 + 6 * alpha) / alpha)) < Fraction(1, 20) for alpha, rate in zip(alphas, rates, strict=True)
    )
    profile = json.loads(forms.chip().begin["profile"])
    answer = forms.chip().respond({"values": {"packet": "64 B", "profile": json.dumps(profile)}})["html"]
    assert "<strong>PASS</strong> reserves in egress_lossy_pool" in answer
    renamed = json.dumps(profile).replace("egress_lossy_pool", "<script>alert(1)</script>")
    assert "<script>" not in forms.chip().respond({"values": {"profile": renamed}}).get("html", "")
    for values, field in (
        ({"profile": "{"}, "profile: got '{'; expected JSON"), ({"profile": "[" * 10**5}, "profile"),
        ({"profile": "9" * 10**7}, "profile: got 'a long text'; expected a text of at most 2,000,000 characters"),
        ({"chip": "td9"}, "chip"), ({"profile": "{}"}, "BUFFER_POOL"), ({"more": "1"}, "more"),
        ({"packet": "x"}, "packet"),
    ):  # fmt: skip
        assert str(forms.chip().respond({"values": values})["error"]).startswith(field)
    assert forms.derivation().start((), live=True)["fields"][0]["options"][0] == "DT"


def test_the_panel_of_errata_replays_the_witness_of_a_statement_and_names_others() -> None:
    panel = forms.corrections()
    answer = panel.respond({"values": {"claim": "edt.fn9"}})["html"]
    assert "edt.fn9</code></strong>" in answer
    assert "instead" in answer
    assert "<svg" in answer
    assert str(panel.respond({"values": {"claim": "<b>"}})["error"]).startswith("claim: got '<b>'")


STUBBED = """
import json, sys
from importlib.machinery import ModuleSpec
from dtmodel.lab import browser, publishing

class Stubs:
    create_module = staticmethod(lambda spec: None)
    exec_module = staticmethod(lambda module: exec(publishing._STUB, module.__dict__))
    names = {part.replace("/", ".") for part in publishing._UNUSED}

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return ModuleSpec(name, cls) if name in cls.names else None

sys.meta_path.insert(0, Stubs)
assert json.loads(browser.run("from dtmodel.theory import dt\\ndt.theorem1"))["html"]
import sympy as sp
x = sp.Symbol("x")
assert sp.solve(sp.simplify(x * x / x - 1), x) == [1]
try:
    sp.plot(x)
except NotImplementedError as error:
    assert str(error) == "sympy.plotting.plot is not in the SymPy of this page"
assert Stubs.names <= sys.modules.keys()
libraries = [each for name, each in sys.modules.items() if name.split(".")[0] in ("sympy", "mpmath")]
print(*filter(None, [getattr(each, "__file__", "") for each in libraries]))
"""


def test_the_largest_module_of_sympy_is_imported_with_the_first_roots_of_degree_5(tmp_path: Path) -> None:
    file = Path(polyroots.__file__)
    shutil.copyfile(file, tmp_path / "polyroots.py")
    publishing._import_later(tmp_path / "polyroots.py")
    text = (tmp_path / "polyroots.py").read_text()
    lines = [line for line in text.splitlines() if "PolyQuintic" in line]
    assert lines == ["    from sympy.polys.polyquinticconst import PolyQuintic", "    quintic = PolyQuintic(f)"]
    assert len(text) == len(file.read_text()) + len("    ")
    later = runpy.run_path(str(tmp_path / "polyroots.py"))
    x = sp.Symbol("x")
    polynomial = sp.Poly(x**5 - 2, x)
    assert later["roots_quintic"](polynomial) == polyroots.roots_quintic(polynomial) != []


def test_no_part_of_a_library_that_stays_out_is_imported_with_it() -> None:
    done = subprocess.run([sys.executable, "-c", STUBBED], capture_output=True, text=True, check=False)
    assert not done.stderr
    files = done.stdout.split()
    assert len(files) > 100
    assert [file for file in files if publishing._LEFT & {*Path(file).parts}] == []
