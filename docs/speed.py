"""Measure in Chromium and Firefox how soon a panel of the built site is drawn and live, how it moves, and its size.

A page opens the panel in frames and posts the figures to the server that sends the files, at 20 Mbit/s on the first
visit. The best of several openings counts, since other programs take the processors.
"""

import json
import os
import subprocess
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from docs.browser import BROWSERS, command
from dtmodel.base.files import write_whole
from dtmodel.ledger.hunting_table import about

LINE = 2_500_000
"""Bytes a second on the first visit."""
MOST = {
    "drawn, s": 0.3,
    "live, s": 1.5,
    "live on the first visit, s": 8,
    "sent on the first visit, MB": 14,
    "heap after a theorem and a cell, MB": 64,
}
LEAST = {"pictures a second": 30}
_SCRIPT = """
// Frames of the page itself: a picture that is asked for in a frame of this page is drawn in the next one.
const frame = (view = window) => new Promise((resolve) => view.requestAnimationFrame(resolve));
async function opened(place) {
  const shown = document.createElement("iframe"), begun = performance.now(), found = {};
  Object.assign(shown, { src: place, width: 1280, height: 900 });
  document.body.replaceChildren(shown);
  const seconds = async (seen) => {
    while (!seen(shown.contentDocument)) await frame();
    return (performance.now() - begun) / 1000;
  };
  found.drawn = await seconds((page) => page?.querySelector(".dtm svg path, .dtm math"));
  const says = (page) => [...page.querySelectorAll("[role=status]")].at(-1)?.textContent ?? "";
  found.live = await seconds((page) => says(page).startsWith("Live"));
  return [found, shown.contentDocument];
}
async function dragged(page) {
  const panel = page.querySelector(".dtm").parentElement, slider = page.querySelector("input[type=range]");
  const begun = performance.now(), before = Number(panel.dataset.updates ?? 0);
  for (let n = 0; performance.now() - begun < 4000; n += 1) {
    slider.value = n % (Number(slider.max) + 1);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await frame(page.defaultView);
  }
  return (Number(panel.dataset.updates) - before) / (performance.now() - begun) * 1000;
}
const told = { visits: [] };
for (let n = 0; n < 4; n += 1) {
  const [found, page] = await opened("panels/explorer.html");
  if (n) found.rate = await dragged(page);
  told.visits.push(found);
  if (!n) await fetch("visited", { method: "POST" });
}
const { python } = await import("./python/python.js");
for (const panel of ["explorer", "designer", "derive", "chip"]) await python.respond(panel, {});
told.heap = Number((await python.run("import pyodide_js\\npyodide_js._module.HEAPU8.length")).text) / 1e6;
await fetch("told", { method: "POST", body: JSON.stringify(told) });
"""
_OWN = {
    "/speed.html": b'<!doctype html><title>speed</title><script type="module" src="speed.js"></script><body>',
    "/speed.js": _SCRIPT.encode(),
}


class _Server(SimpleHTTPRequestHandler):
    """Serves the site, slowly until the page says that it was visited, and keeps the figures."""

    line: threading.Lock
    state: dict[str, Any]

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        """Send a file of the site, or the page that measures."""
        own = _OWN.get(self.path)
        if own is None:
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if self.path.endswith("js") else "text/html")
        self.end_headers()
        self.wfile.write(own)

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file at the speed of the line, which all files share."""
        while block := source.read(25_000):
            if not self.state["visited"]:
                self.state["sent"] += len(block)
                with self.line:
                    time.sleep(len(block) / LINE)
            outputfile.write(block)

    def do_POST(self) -> None:
        """Take the figures, or the end of the first visit."""
        told = self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.send_response(204)
        self.end_headers()
        self.state["visited"] = True
        if told:
            self.state |= json.loads(told)
            self.state["done"].set()


def measured(browser: str, html: Path, patience: float = 300) -> dict[str, float]:
    """Return the figures of a browser, by the names in `MOST` and `LEAST`; raise `TimeoutError` if none are posted."""
    state: dict[str, Any] = {"sent": 0, "visited": False, "done": threading.Event()}
    handler = type("Here", (_Server,), {"line": threading.Lock(), "state": state})
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(html))) as server,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/speed.html"
        line, null = [*command(browser, Path(profile)), address], subprocess.DEVNULL
        with subprocess.Popen(line, stdout=null, stderr=null) as process:
            told = state["done"].wait(patience)
            process.kill()
        server.shutdown()
    if not told:
        raise TimeoutError(f"{browser} posted no figures in {patience} s")
    first, *later = state["visits"]
    return {
        "drawn, s": min(visit["drawn"] for visit in later),
        "live, s": min(visit["live"] for visit in later),
        "live on the first visit, s": first["live"],
        "sent on the first visit, MB": state["sent"] / 1e6,
        "heap after a theorem and a cell, MB": state["heap"],
        "pictures a second": max(visit["rate"] for visit in later),
    }


def check(html: Path, output: Path | None = None) -> int:
    """Print the figures beside their goals; return 1 if one is missed, 3 if there is no browser.

    Parameters
    ----------
    html : Path
        The built site.
    output : Path, optional
        Where the figures are kept, as a page with the commit and the load of the machine.
    """
    found: dict[str, dict[str, float]] = {}
    for browser in [name for name, path in BROWSERS.items() if path()]:
        title = f"{browser}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
        print(title, flush=True)
        found[title] = measured(browser, html)
        for name, figure in found[title].items():
            print(f"  {name}: {figure:.2f} ({_goal(name)}){'' if _good(name, figure) else ': missed'}", flush=True)
    if output and found:
        write_whole(output, _page(found).encode())
    good = all(_good(name, figure) for each in found.values() for name, figure in each.items())
    return 3 if not found else 0 if good else 1


def _goal(name: str) -> str:
    return f"at most {MOST[name]}" if name in MOST else f"at least {LEAST[name]}"


def _good(name: str, figure: float) -> bool:
    return figure <= MOST[name] if name in MOST else figure >= LEAST[name]


def _page(found: dict[str, dict[str, float]]) -> str:
    """Write the figures as a table in Markdown.

    >>> print(_page({"a browser": {"drawn, s": 0.25}}).splitlines()[-1])
    | drawn, s | at most 0.3 | 0.25 |
    """
    made = ", ".join(f"{name} {value}" for name, value in about().items())
    head = [
        "# Panels of the site in browsers",
        "",
        "Made by `make site-speed OUTPUT=validation/results/panels.md`, with",
    ]
    head += [f"{made}. The load is that of other programs, too.", "", f"| figure | goal | {' | '.join(found)} |"]
    rows = [["---", "---", *["--:"] * len(found)]]
    rows += [
        [name, _goal(name), *(f"{each[name]:.2f}" for each in found.values())] for name in next(iter(found.values()))
    ]
    return "\n".join([*head, *(f"| {' | '.join(row)} |" for row in rows), ""])
