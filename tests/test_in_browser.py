"""Python in Chromium and Firefox, from a server that sees every request: answers, Stop, hostile input, other hosts."""

import html
import json
import random
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import pytest

from docs.browser import BROWSERS, command
from dtmodel import lab
from dtmodel.base.errors import DtmodelError
from dtmodel.lab import forms, panels, publishing, serving

ROOT = Path(__file__).resolve().parent.parent
POLICY = "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self';"
POLICY += " frame-src 'self'; style-src 'unsafe-inline'"
PAGE = f"""<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>messages</title><script type="module" src="check.js"></script>"""
SCRIPT = """
import { python } from "./deep/python/python.js";
const answers = [];
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function opened(place) {
  const frame = document.body.appendChild(Object.assign(document.createElement("iframe"), { src: place }));
  let said = "";
  while (!/^(Live|Recorded answers only)/.test(said)) {
    await wait(200);
    said = [...frame.contentDocument.querySelectorAll("[role=status]")].at(-1)?.textContent ?? "";
  }
  return [said, frame.contentDocument];
}
async function panel(place) {
  const [said, shown] = await opened(place), slider = shown.querySelector("input[type=range]");
  slider.value = 2;
  slider.dispatchEvent(new Event("input"));
  await wait(3000);
  return [said, ...[...shown.querySelectorAll("dd")].map((node) => node.textContent)];
}
async function form(place, moves) {
  const [said, shown] = await opened(place), answers = [said], wanted = document.createElement("div");
  for (const [label, place, text, expected] of moves) {
    const row = [...shown.querySelectorAll("label")].find((one) => one.firstChild.textContent === label);
    const field = row.querySelector("input, select");
    field.value = field.type === "range" ? place : text;
    field.dispatchEvent(new Event(field.type === "range" ? "input" : "change"));
    wanted.innerHTML = expected;
    const answered = shown.querySelector(".dtm-answer");
    for (let n = 0; n < 400 && answered.innerHTML !== wanted.innerHTML; n += 1) await wait(100);
    answers.push(!row.hidden && answered.innerHTML === wanted.innerHTML ? "equal" : answered.innerHTML);
  }
  return answers;
}
for (const [kind, ...message] of await (await fetch("messages.json")).json()) {
  let answer = null;
  try {
    if (kind === "stop") {
      const going = python.run("while True: pass").catch((error) => error.message);
      await wait(500);
      python.stop();
      answer = await going;
    } else answer = await ({ panel, form }[kind] ?? python[kind])(...message);
  } catch (error) { answer = { failed: error.message }; }
  answers.push(answer);
  if (answers.length > 20) await fetch("part", { method: "POST", body: JSON.stringify(answers.splice(0)) });
}
await fetch("answers", { method: "POST", body: JSON.stringify(answers) });
"""
SETTINGS = 200
"""The most settings of a panel whose answers are compared."""
ENDLESS = """
from dtmodel import DT, Arrivals, Switch, simulate
simulate(Switch(1, 6, 1), DT(1), {0: Arrivals.constant(3)}, until=float("inf"))
"""
LEAK = """
import js
request = js.XMLHttpRequest.new()
request.open("GET", "http://localhost:PORT/leak", False)
request.send()
"""
HOSTILE = [
    ("respond", "explorer", {"values": {"alpha": "<script>alert(1)</script>"}}),
    ("respond", "<b>explorer</b>", {}),
    ("respond", "explorer", {"values": {"alpha": "9" * 10_000_000}}),
    ("respond", "chip", {"values": {"profile": "9" * 10_000_000}}),
    ("run", ENDLESS),
    ("run", LEAK),
    ("run", "import sympy\nsympy.sympify('1 +')"),  # an error with a cause, from code without lines
]


class Server(SimpleHTTPRequestHandler):
    """Serves a folder, and keeps the paths asked for and the answers posted."""

    asked: list[str]
    posted: "threading.Event"
    answers: list[Any]

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()

    def do_POST(self) -> None:
        self.answers.extend(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()
        if self.path != "/part":
            self.posted.set()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with Python in a folder below it, as on project pages."""
    folder = tmp_path_factory.mktemp("site")
    try:
        publishing.publish(folder / "deep" / "python", ROOT / "build" / "site" / "browser")
    except DtmodelError as error:
        pytest.skip(str(error))
    (folder / "index.html").write_text(PAGE)
    (folder / "check.js").write_text(SCRIPT)
    return folder


def conversation(
    browser: str, site: Path, profile: Path, messages: list[Any], page: str = ""
) -> tuple[list[Any], list[str]]:
    """The answers to messages, and the paths that were asked for; `page`: one on disk that has the script itself."""
    if not BROWSERS[browser]():
        pytest.skip(f"needs {browser}: it is not installed")
    handler = type("Here", (Server,), {"asked": [], "posted": threading.Event(), "answers": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        text = json.dumps(messages).replace("PORT", str(server.server_port))
        (site / "messages.json").write_text(text)
        address = f"http://127.0.0.1:{server.server_port}/"
        if page:
            (site / "driven.html").write_bytes(page.replace("SERVER", address).encode("latin-1"))
        place = (site / "driven.html").as_uri() if page else address
        profile.mkdir(exist_ok=True)  # Firefox makes none
        process = subprocess.Popen(
            [*command(browser, profile), place], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            heard = -1  # a machine may be slow, but no 20 answers take so long
            while not handler.posted.wait(300):
                assert len(handler.answers) > heard, f"no more than {heard} answers; asked for {handler.asked}"
                heard = len(handler.answers)
        finally:
            process.kill()
            process.wait()
            server.shutdown()
    return handler.answers, handler.asked


def settings() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Settings of every panel: all if there are at most 200, else 200 of them; of the statements that are false, 5."""
    chosen = random.Random(40)
    for name, panel in panels.restored().items():
        grid = {one.name: one.options for one in (panel.fields if isinstance(panel, forms.Form) else panel.sliders)}
        choices = {key: options for key, options in (grid | TYPED.get(name, {})).items() if options}
        count = 5 if name == "errata" else SETTINGS  # the evidence of a statement takes seconds
        every = [*product(*choices.values())] if prod(map(len, choices.values())) <= count else None
        for values in every or [tuple(map(chosen.choice, choices.values())) for _ in range(count)]:
            yield "respond", name, {"values": dict(zip(choices, values, strict=True))}


def typed() -> dict[str, dict[str, tuple[str, ...]]]:
    """Texts for the fields that a reader writes into, and moves of the game."""
    chosen = random.Random(41)
    profile = forms.chip().begin["profile"]
    moves = tuple(" ".join(chosen.choices(("1", "2", "|"), k=number)) for number in range(SETTINGS))
    sizes = tuple(profile.replace("9243812", str(size)) for size in (9243812, 4 * 10**6, 1518, 0))
    return {"adversary": {"moves": moves}, "chip": {"packet": ("", "64 B", "1500 B"), "profile": sizes}}


TYPED = typed()


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_a_browser_answers_as_this_python_does_stops_and_names_hostile_input(
    browser: str, site: Path, tmp_path: Path
) -> None:
    asked = list(settings())
    stopped = [("stop",), ("run", "6 * 7")]
    answers, paths = conversation(browser, site, tmp_path, [*asked, *HOSTILE, *stopped])
    here = panels.restored()
    native = [json.loads(json.dumps(here[name].respond(message))) for _, name, message in asked]
    assert answers[: len(native)] == native
    markup, unknown, digits, profile, endless, leak, caused, stop, after = answers[len(native) :]
    assert "expected" in markup["error"]
    assert unknown["error"].startswith("panel: got '<b>explorer</b>'")
    assert len(digits["error"]) < 1000
    assert profile["error"].startswith("profile: got 'a long text'")
    assert endless["error"].startswith("InputError: until")
    assert "NetworkError" in leak["error"]
    assert caused["error"].startswith('  File "<cell>", line 2, in <module>\n')
    assert "\nsympy.core.sympify.SympifyError: " in caused["error"]
    assert stop == "Python was stopped"
    assert after == {"text": "42\n", "html": [], "error": ""}
    assert {path for path in paths if not path.startswith(("/deep/python/", "/check", "/messages", "/favicon"))} == {
        "/"
    }


MOVES = {
    "derive": [
        ("bursts", "M"),
        ("alpha at the mark", "1/2"),
        ("policy", forms.TWO),
        ("beta at the mark", "2"),
        ("N at the mark", "3"),
    ],
    "errata": [("statement", "losspass.alg1.absorbs@literal"), ("statement", "edt.fn9")],
}
"""The fields of a panel that are moved, by their labels, each to a value."""


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
@pytest.mark.parametrize("name", MOVES)
def test_fields_that_a_reader_moves_show_in_a_browser_the_answer_of_this_python(
    name: str, browser: str, site: Path, tmp_path: Path
) -> None:
    panel = panels.restored()[name]
    assert isinstance(panel, forms.Form)
    (site / "deep" / "panels").mkdir(exist_ok=True)
    (site / "deep" / "panels" / f"{name}.html").write_text(panel.page((), ("../python/python.js", name)))
    values, moves = panel.values(), list[Any]()
    for label, text in MOVES[name]:
        (field,) = (field for field in panel.fields if field.label == label)
        values[field.name] = text
        moves.append((label, field.options.index(text), text, panel.answer({"values": values})["html"]))
    ((said, *shown),), _ = conversation(browser, site, tmp_path, [("form", f"deep/panels/{name}.html", moves)])
    assert said.startswith("Live: Python computes")
    assert shown == ["equal"] * len(moves)


@pytest.mark.parametrize(
    ("broken", "said", "fetched"),
    [
        ("heap.packed", "Live: Python computes", {"dtmodel.tar.xz", "python_stdlib.zip"}),
        ("pyodide.asm.wasm.packed", "Recorded answers only. Python cannot start", set()),
    ],
    ids=["heap", "webassembly"],
)
def test_without_its_heap_python_begins_from_archives_and_without_webassembly_answers_are_the_recorded_ones(
    broken: str, said: str, fetched: set[str], site: Path, tmp_path: Path
) -> None:
    place = tmp_path / "deep"
    shutil.copytree(site / "deep", place)
    for name in ("index.html", "check.js"):
        shutil.copy(site / name, tmp_path)
    content = (place / "python" / broken).read_bytes()
    (place / "python" / broken).write_bytes(content[: len(content) // 2])
    player = lab.packet_player("losspass")
    page = player.page(("step",), ("../python/python.js", "losspass"))
    (place / "panels").mkdir(exist_ok=True)  # another test may have made it
    (place / "panels" / "losspass.html").write_text(page)
    profile = tmp_path / "profile"
    ((status, *facts),), paths = conversation("chromium", tmp_path, profile, [("panel", "deep/panels/losspass.html")])
    assert status.startswith(said)
    assert facts == [text for _, text in player.answer({"values": {"step": "2"}})["facts"]]
    assert fetched <= {Path(path).name for path in paths}


DRIVE = """<script type="module">
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)), answers = [];
const says = (name) => [...document.getElementById(name).querySelectorAll("[role=status]")].at(-1)?.textContent ?? "";
while (![...document.querySelectorAll("section")].every((part) => says(part.id).startsWith("Live"))) await wait(200);
const step = document.querySelector("#edt input[type=range]");
step.value = 2;
step.dispatchEvent(new Event("input"));
const form = document.getElementById("derive"), answered = form?.querySelector(".dtm-answer");
const policy = form?.querySelector("select"), before = answered?.innerHTML;
if (policy) {
  policy.value = policy.options[1].value;
  policy.dispatchEvent(new Event("change"));
}
const slider = document.querySelector("#explorer input[type=range]");
const drawn = document.querySelector("#explorer .dtm").parentElement;
slider.value = 3;
slider.dispatchEvent(new Event("input"));
while (answered?.innerHTML === before && policy || !Number(drawn.dataset.updates)) await wait(200);
await wait(1000);
answers.push([...document.querySelectorAll("#edt dd")].map((node) => node.textContent), answered?.innerHTML ?? "");
answers.push([...document.querySelectorAll("section")].map((part) => part.id));
const [left, scene] = ["main > p", "#explorer .dtm-note"].map((place) => document.querySelector(place)?.textContent);
answers.push(left, scene);
await fetch("SERVERanswers", { method: "POST", mode: "no-cors", body: JSON.stringify(answers) });
</script>"""


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
@pytest.mark.parametrize(("sympy", "largest"), [(True, 37), (False, 20)], ids=["sympy", "without"])
def test_a_single_file_from_disk_is_live_without_a_server(
    sympy: bool, largest: int, browser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server only takes the answers: the page of the test may send them, that of the reader may send nothing."""
    cache = ROOT / "build" / "site" / "browser"
    monkeypatch.setattr(serving, "_python", lambda folder: publishing.publish(folder, cache))
    try:
        missing = serving.write_single(tmp_path / "one.html", sympy=sympy)
    except DtmodelError as error:
        pytest.skip(str(error))
    assert (tmp_path / "one.html").stat().st_size < largest * 10**6
    page = (
        (tmp_path / "one.html")
        .read_bytes()
        .decode("latin-1")
        .replace("; worker-src", "; connect-src http:; worker-src")
    )
    open_page = re.sub("'sha256-[^']*'", "'unsafe-inline'", page, count=1)
    answers, paths = conversation(browser, tmp_path, tmp_path / "profile", [], open_page + DRIVE)
    facts, theorem, sections, left, scene = answers
    player, form, explorer = (panels.restored()[name] for name in ("edt", "derive", "explorer"))
    assert isinstance(form, forms.Form)
    assert facts == [text for _, text in player.answer({"values": {"step": "2"}})["facts"]]
    assert scene.startswith(explorer.answer({"values": moved(explorer)})["scene"])
    wanted = form.answer({"values": form.values() | {"policy": form.fields[0].options[1]}})["html"]
    shown, expected = (html.unescape(re.sub(r"<[^>]*>", "", each)) for each in (theorem, wanted))
    assert shown == (expected if sympy else "")
    assert sections == [name for name, panel in panels.PANELS.items() if sympy or not panel.needs]
    assert (left or "").endswith(f": {', '.join(missing)}." if missing else "")
    assert bool(missing) != sympy
    assert paths == []


def moved(panel: Any) -> dict[str, str]:
    """The values of a panel whose first slider of numbers stands at its fourth value."""
    first = next(slider for slider in panel.sliders if not slider.options[0][0].isalpha())
    return dict(panel.values()) | {first.name: first.options[3]}
