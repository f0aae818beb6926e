"""Use the panels of the lab in a browser, as ``dtmodel lab`` opens them, and their pages: drags, rates, keys.

It needs JupyterLab (``make lab`` installs it) and what `docs.browser` names, and says what is missing instead. A rate
is that of this machine as busy as it is: its load is printed, and above one process a core no rate is a fault.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from typing import Any

from docs.browser import browser_tools
from docs.check import WIDTHS, looked_at
from dtmodel.lab.panels import PANELS

WANTED = 20
"""Updates a second while something is dragged."""
SECONDS = 4
MINUTE = 60
THUMB = 8
"""Pixels from the end of a slider to the middle of its thumb there."""
_PATIENCE = 180_000  # ms
_SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false"},
    "notebook-extension/tracker": {"windowingMode": "none"},
}
"""What JupyterLab is told: to fetch no news, and to keep cells that are out of sight in the page."""
_COUNT = """slider => {
  const panel = slider.closest(".dtm").parentElement, moved = slider.tagName === "INPUT" ? "input" : "pointermove";
  const count = { events: 0, frames: 0, on: true }, before = { ...panel.dataset };
  const frame = () => { count.frames += 1; if (count.on) requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  slider.addEventListener(moved, () => { count.events += 1; }, true);
  const since = (what) => Number(panel.dataset[what] ?? 0) - Number(before[what] ?? 0);
  window.counted = () => { count.on = false; return { ...count, asked: since("asked"), updates: since("updates") }; };
}"""
_TRACK = "slider => (slider.ownerSVGElement ?? slider).getBoundingClientRect().toJSON()"
RUN = """async path => {
  const before = jupyterapp.shell.currentWidget;
  if (before?.context && before.context.path !== path) {
    await before.context.save();
    before.dispose();
  }
  await jupyterapp.commands.execute("docmanager:open", { path });
  const { context, sessionContext } = jupyterapp.shell.currentWidget;
  await context.ready;
  await sessionContext.ready;
  await jupyterapp.commands.execute("notebook:run-all-cells");
}"""


def check(shots: Path, only: str = "") -> int:
    """Print the rates and what is wrong with the panels; return 1 if anything is, 3 if there is nothing to look with.

    Parameters
    ----------
    shots : Path
        Where pictures of the panels go.
    only : str
        How the names of the notebooks begin that are run, without the pages; by default all, and the pages.
    """
    tools = browser_tools()
    if not isinstance(tools, str) and find_spec("jupyterlab") is None:
        tools = "jupyterlab is not installed"
    if isinstance(tools, str):
        print(f"not looked at in a browser: {tools}")
        return 3
    start, axe, chromium = tools
    shots.mkdir(parents=True, exist_ok=True)
    with start() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        wrong = [] if only[:1].isdecimal() else list(_pages(browser, axe(), shots))
        wrong += _notebooks(browser, axe(), shots, only)
        browser.close()
    print(*wrong, f"{len(wrong)} faults; pictures in {shots}", sep="\n")
    return 1 if wrong else 0


def _pages(browser: Any, axe: Any, shots: Path) -> Iterator[str]:
    """Write each panel as a page of its own, open it from disk at both widths, and step it by keys."""
    with TemporaryDirectory(prefix="lab-") as folder:
        for name, panel in PANELS.items():
            path = Path(folder) / f"{name}.html"
            panel.make().save(path, panel.over)
            for width in WIDTHS:
                page = browser.new_context(viewport={"width": width, "height": 900}, bypass_csp=True).new_page()
                page.set_default_timeout(_PATIENCE)
                yield from (f"page of {name} at {width}: {fault}" for fault in looked_at(page, axe, path, shots, width))
                shown = page.locator(".dtm")
                for slider in shown.locator("input[type=range]:visible").all():
                    yield from (f"page of {name} at {width}: {fault}" for fault in _stepped(page, slider, name))
                yield from (f"page of {name} at {width}: {fault}" for fault in _played(page, shown))
                page.context.close()


def _notebooks(browser: Any, axe: Any, shots: Path, only: str) -> Iterator[str]:
    """Open what ``dtmodel lab`` opens, then run all notebooks."""
    with opened() as (address, folder):
        page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
        page.set_default_timeout(_PATIENCE)
        said: list[str] = []
        page.on("request", lambda request: said.append(f"asks for {request.url}") if _foreign(request.url) else None)
        # A notebook that is closed while it still loads is Disposed, says JupyterLab.
        page.on("pageerror", lambda error: None if str(error) == "Disposed" else said.append(f"script: {error}"))
        page.goto(address)
        page.wait_for_selector(".jp-NotebookPanel")
        if "00_start_here" not in page.url:
            yield f"opens on {page.url}, not on notebook 00"
        for path in sorted(folder.glob(f"{only}*.ipynb")):
            yield from (f"{path.stem}: {fault}" for fault in _notebook(page, axe, path, shots))
        yield from dict.fromkeys(said)


@contextmanager
def opened() -> Iterator[tuple[str, Path]]:
    """Run ``dtmodel lab`` with a browser that keeps the address: what it opens, and the folder of the notebooks."""
    with closing(socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with TemporaryDirectory(ignore_cleanup_errors=True) as name:  # JupyterLab may write until it has ended
        folder = Path(name)
        settings = {"ServerApp": {"allow_root": True, "port": port}, "LabApp": {"expose_app_in_browser": True}}
        (folder / "jupyter_server_config.json").write_text(json.dumps(settings), encoding="utf-8")
        for plugin, chosen in _SETTINGS.items():
            path = folder / f"lab/user-settings/@jupyterlab/{plugin}.jupyterlab-settings"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(chosen), encoding="utf-8")
        (folder / "browser").write_text(f'#!/bin/sh\nprintf %s "$1" >{folder}/address\n', encoding="utf-8")
        (folder / "browser").chmod(0o755)
        environment = os.environ | {"JUPYTER_CONFIG_DIR": name, "BROWSER": f"{folder}/browser %s"}
        command = [sys.executable, "-m", "dtmodel", "lab", "--to", str(folder / "notebooks")]
        with (folder / "log").open("w") as log, subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, start_new_session=True
        ) as server:  # fmt: skip
            try:
                while not (folder / "address").exists():
                    if server.poll() is not None:
                        raise RuntimeError((folder / "log").read_text(encoding="utf-8"))
                    time.sleep(0.2)
                yield (folder / "address").read_text(encoding="utf-8"), folder / "notebooks"
            finally:
                os.killpg(server.pid, 15)


def _foreign(url: str) -> bool:
    return not url.startswith(("http://localhost", "http://127.0.0.1", "ws:", "data:", "blob:", "about:", "file:"))


def _notebook(page: Any, axe: Any, path: Path, shots: Path) -> Iterator[str]:
    """Run all cells of a notebook in JupyterLab, then use its panels; yield what is wrong."""
    begun = time.monotonic()
    page.evaluate(RUN, path.name)
    taken = time.monotonic() - begun
    print(f"{path.stem}: all cells in {taken:.0f} s, load {os.getloadavg()[0]:.1f}", flush=True)
    if taken > MINUTE and not _busy():
        yield f"takes {taken:.0f} s"
    notebook = page.locator(".jp-NotebookPanel:visible")
    for fault in notebook.locator("[data-mime-type='application/vnd.jupyter.stderr']").all_inner_texts():
        yield f"a cell says {fault[:300]}"
    if any("Solution" in text for text in notebook.locator("details[open]").all_inner_texts()):
        yield "a solution is shown before it is asked for"
    for place, panel in enumerate(notebook.locator(".dtm").all()):
        panel.scroll_into_view_if_needed()
        page.screenshot(path=shots / f"lab-{path.stem[:2]}-{place}.png")
        found = axe.run(page, context=".dtm", options={"resultTypes": ["violations"], "preload": False})
        yield from (f"axe {each['id']}: {each['nodes'][0]['html'][:160]}" for each in found.response["violations"])
        for slider in panel.locator("input[type=range], .dtm-handle").all():
            if slider.is_visible():
                yield from _used(page, slider)
        yield from _played(page, panel)


def _busy() -> bool:
    return os.getloadavg()[0] > (os.cpu_count() or 1)


def _used(page: Any, slider: Any) -> Iterator[str]:
    """Drag a slider or a handle, then step it by keys."""
    slider.scroll_into_view_if_needed()
    label = slider.get_attribute("aria-label") or slider.locator("..").locator("span").inner_text()
    counted = _dragged(page, slider)
    kinds = ("updates", "asked", "events", "frames")
    rates = ", ".join(f"{counted[kind] / counted['seconds']:.0f} {kind}" for kind in kinds)
    print(f"  {label}: {rates} a second, load {os.getloadavg()[0]:.1f}", flush=True)
    if counted["updates"] < WANTED * counted["seconds"] and not _busy():
        yield f"{label}: {rates} a second"
    yield from _stepped(page, slider, label)


def _dragged(page: Any, slider: Any) -> dict[str, float]:
    """Drag over all values, there and back; count what the browser hears, what is asked by it, answers and frames."""
    box = slider.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    places = _places(slider, slider.evaluate(_TRACK), y)
    page.mouse.move(x, y)
    page.mouse.down()
    slider.evaluate(_COUNT)
    begun = time.monotonic()
    for place in cycle([*places, *places[-2:0:-1]]):
        page.mouse.move(*place)
        if time.monotonic() - begun > SECONDS:
            break
    seconds = time.monotonic() - begun
    counted: dict[str, float] = page.evaluate("counted()")
    page.mouse.move(x, y)
    page.mouse.up()
    return counted | {"seconds": seconds}


def _places(slider: Any, track: dict[str, float], y: float) -> list[tuple[float, float]]:
    """Return where each next place of a pointer is another value: those of a slider, or a zigzag over a drawing."""
    last = int(slider.get_attribute("max") or 0)
    margin = THUMB if last else 0.08 * track["width"]
    count, swing = (last, 0) if last else (20, 8)
    wide = (track["width"] - 2 * margin) / count
    return [(track["x"] + margin + wide * n, y + swing * (-1) ** n) for n in range(count + 1)]


def _stepped(page: Any, slider: Any, label: str) -> Iterator[str]:
    """Yield a fault if neither arrow key moves a slider that has the focus."""
    slider.focus()
    for key in ("ArrowRight", "ArrowLeft"):
        said = slider.get_attribute("aria-valuetext")
        page.keyboard.press(key)
        for _ in range(100):
            if slider.get_attribute("aria-valuetext") != said:
                return
            page.wait_for_timeout(100)
    yield f"{label}: arrow keys do nothing"


def _played(page: Any, panel: Any) -> Iterator[str]:
    """Press every button of a player by keys, forwards and backwards; yield those that do not go where they say."""
    if not panel.locator(".dtm-events").count():
        return
    last = panel.locator(".dtm-events li").count()
    where = panel.locator("input[type=range]")

    def press(name: str, key: str, place: int) -> Iterator[str]:
        button = panel.get_by_role("button", name=name, exact=True)
        button.focus()
        page.keyboard.press(key)
        for _ in range(100):
            if where.get_attribute("aria-valuetext") == f"{place} of {last}":
                break
            page.wait_for_timeout(100)
        else:
            yield f"{name}: {where.get_attribute('aria-valuetext')}, not {place}"
        if not button.evaluate("button => button === document.activeElement"):
            yield f"{name}: loses the focus"

    event = panel.locator(".dtm-events button").nth(last - 1).get_attribute("aria-label")
    for name, key, place in (
        ("to the end", "Enter", last), ("one event on", "Space", last), ("one event back", "Space", last - 1),
        ("to the start", "Enter", 0), ("one event back", "Enter", 0), ("one event on", "Enter", 1),
        (event, "Enter", last), ("play or pause", "Space", 1),
    ):  # fmt: skip
        yield from press(name, key, place)
    page.keyboard.press("Space")
    before = where.get_attribute("aria-valuetext")
    page.wait_for_timeout(1500)
    if where.get_attribute("aria-valuetext") != before:
        yield "play or pause: does not pause"
