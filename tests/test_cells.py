"""Blocks of Python on the site are cells: they run in order, can be edited and stopped, and say why they cannot run."""

import re
from pathlib import Path

import pytest
from pages import driven, served

from docs.build import ROOT
from dtmodel.lab.assets import asset

BLOCK = """<div class="cell docutils container"><div class="cell_input docutils container">
<div class="highlight-ipython3 notranslate"><div class="highlight"><pre><span></span>{source}\n</pre></div></div></div>
<div class="cell_output docutils container"><p>recorded</p></div></div>"""
SOURCES = ("%matplotlib inline\n<b>x</b> = 1", "x + 1", "x - 1")
PAGE = f"""<!doctype html><html><body>{"".join(BLOCK.format(source=source) for source in SOURCES)}
<div class="highlight-python notranslate"><pre>3</pre></div><script src="_static/cells.js"></script></body></html>"""
STUB = """const sent = globalThis.sent = [];
const html = ["<table><tr><td>7</td></tr></table>", "<math></math>", "<svg></svg>"];
const answers = { "x + 1": { html, text: "two\\n" }, "x - 1": { error: "NameError: <x>" } };
export const python = { ready: async () => {}, stop: () => sent.push("stop"),
  async run(source) {
    sent.push(source.trim());
    return { html: [], text: "", error: "", ...answers[source.trim()] };
  } };"""
DRIVER = """<script>
addEventListener("load", async () => {
  const wait = (ms = 50) => new Promise((done) => setTimeout(done, ms));
  const cells = [...document.querySelectorAll(".cell-tools")], seen = { cells: cells.length };
  const press = (cell, name) =>
    [...cell.querySelectorAll("button")].find(({ textContent }) => textContent === name).click();
  const output = (number) => document.querySelectorAll(".cell_output")[number].innerHTML;
  const said = () => cells.map((cell) => cell.querySelector("[role=status]").textContent);
  press(cells[1], "Run");
  await wait(400);
  Object.assign(seen, { first: [...(globalThis.sent ?? [])], said: said(), shown: output(1) });
  const [code] = document.querySelectorAll("pre[contenteditable]");
  seen.editable = [code.isContentEditable, code.getAttribute("role")];
  code.textContent = "x = 5";
  code.dispatchEvent(new Event("input"));
  code.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", shiftKey: true, cancelable: true }));
  await wait();
  press(cells[2], "Run");
  await wait();
  seen.error = output(2);
  press(cells[0], "Stop");
  press(cells[3], "Run");
  await wait();
  seen.sent = globalThis.sent ?? [];
  document.body.replaceChildren(Object.assign(document.createElement("pre"), { textContent: JSON.stringify(seen) }));
});
</script>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "cells.js").write_text(asset("cells.js"), encoding="utf-8")
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "python.js").write_text(STUB, encoding="utf-8")
    return tmp_path


@pytest.mark.needs("chromium")
def test_a_cell_runs_after_those_above_it_and_shows_tables_mathematics_pictures_and_errors(folder: Path) -> None:
    with served(folder) as address:
        seen = driven(PAGE, DRIVER, folder, wait=20_000, address=address)
    assert seen["cells"] == 4
    assert seen["first"] == ["x = 1", "x + 1"]  # the cell above first, without the notebook's own language
    assert seen["said"] == ["done", "done", "", ""]
    assert re.findall(r"<(pre|table|math|svg)", seen["shown"]) == ["pre", "table", "math", "svg"]
    assert "recorded" not in seen["shown"]
    assert seen["editable"] == [True, "textbox"]
    assert "NameError: &lt;x&gt;" in seen["error"]
    assert seen["sent"] == ["x = 1", "x + 1", "x = 5", "x - 1", "stop", "x = 5", "x + 1", "x - 1", "3"]


@pytest.mark.needs("chromium")
def test_a_page_opened_from_disk_keeps_its_outputs_and_says_how_to_serve_it(folder: Path) -> None:
    seen = driven(PAGE, DRIVER, folder, wait=20_000)
    assert "python -m http.server" in seen["said"][1]
    assert "recorded" in seen["shown"]
    assert seen["sent"] == []


def test_every_page_of_the_site_has_the_script() -> None:
    settings = (ROOT / "docs" / "source" / "conf.py").read_text(encoding="utf-8")
    assert re.search(r'html_js_files = \[.*"cells.js"', settings)
