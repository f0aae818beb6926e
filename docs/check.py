"""Look at the built site in a browser: requests, errors, accessibility at two widths, what scrolls, what keys reach.

It needs what `docs.browser` names, and says what is missing instead.
"""

import os
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from docs.browser import browser_tools
from dtmodel.ledger.hunting_table import about

WIDTHS = (1280, 390)
SHARE = 8
"""Of the pages of which there are very many, one in so many is looked at: others each day."""
_PATIENCE = 600_000  # ms; the report has every claim, and machines are slow
_LOADED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed|object|link(?=[^>]*rel="(?:stylesheet|icon|preload|preconnect)))"""
    r"""[^>]*?\b(?:src|href|data)="?((?:https?:)?//[^"\s>]+)|url\(["']?((?:https?:)?//[^"')]+)|@import\s+["'](https?:[^"']+)""",
    re.IGNORECASE,
)

_LAYOUTS = 60
"""Times that a page may be laid out while it opens; those of this site need a dozen."""
_RULES = """async options => {
  const TEXT = ["color", "fill", "fontSize", "fontWeight", "textShadow"], FIRST = 5;
  const PLAIN = { backgroundColor: "rgba(0, 0, 0, 0)", backgroundImage: "none", opacity: "1", filter: "none",
    position: "static", mixBlendMode: "normal", transform: "none" };
  const around = new Map([[null, ""]]), looks = new Map();
  const include = [...document.querySelectorAll("*")].filter((part) => {
    const style = getComputedStyle(part), disabled = part.matches(":disabled, [aria-disabled=true]");
    const paints = Object.keys(PLAIN).map((name) => (style[name] === PLAIN[name] ? "" : style[name])).join(" ").trim();
    around.set(part, `${around.get(part.parentElement)}${paints && `/${paints}`}${disabled ? "/disabled" : ""}`);
    const says = part.matches("input, select, textarea")
      || [...part.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
    if (!says || !part.checkVisibility()) return false;
    const look = `${TEXT.map((name) => style[name]).join(" ")}${around.get(part)}`;
    looks.set(look, (looks.get(look) ?? 0) + 1);
    return looks.get(look) <= FIRST;
  });
  const alone = [...document.querySelectorAll("math, pre")].filter((part) =>
    !part.querySelector("a, button, [id], [role], [tabindex], [aria-label]")
      && !include.some((text) => part.contains(text)));
  for (const part of alone) part.textContent = part.textContent;
  const contrast = include.length ? await axe.run({ include }, { ...options, runOnly: ["color-contrast"] }) : null;
  const others = await axe.run({ ...options, rules: { "color-contrast": { enabled: false } } });
  return [...others.violations, ...(contrast?.violations ?? [])];
}"""


def loads(text: str) -> list[str]:
    """Return what a page or a style sheet would load from elsewhere.

    Examples
    --------
    >>> loads('<script src="https://elsewhere.example/a.js"></script> <a href="https://elsewhere.example">there</a>')
    ['https://elsewhere.example/a.js']
    >>> loads("@import 'https://elsewhere.example/a.css'; p { background: url(//elsewhere.example/b.png) }")
    ['https://elsewhere.example/a.css', '//elsewhere.example/b.png']
    """
    return [next(filter(None, found)) for found in _LOADED.findall(text)]


def check(html: Path, shots: Path, share: int = SHARE, output: Path | None = None) -> int:
    """Print what is wrong with the built site; return 1 if anything is, 3 if there is nothing to look with.

    Parameters
    ----------
    html : Path
        The folder of the built site.
    shots : Path
        Where pictures of the pages go.
    share : int
        One in so many of the pages of which there are very many is looked at today; 1 looks at all.
    output : Path, optional
        Where a table of what was looked at is kept.
    """
    wrong = list(_written(html))
    tools = browser_tools()
    if isinstance(tools, str):
        print(*wrong, f"not looked at in a browser: {tools}", sep="\n")
        return 1 if wrong else 3
    shots.mkdir(parents=True, exist_ok=True)
    paths = chosen(html, share, datetime.now(UTC).toordinal())
    # The largest first: a short one ends last, and no processor waits long for another.
    looked = Counter(path.relative_to(html).parent.as_posix() for path in paths)
    tasks = [(path, width) for path in sorted(paths, key=lambda path: -path.stat().st_size) for width in WIDTHS]
    with ProcessPoolExecutor(min(os.cpu_count() or 1, len(tasks)), get_context("spawn")) as processes:
        keys = processes.submit(_keys_of, html)
        looks = {processes.submit(_faults, path, shots, width): (path, width) for path, width in tasks}
        for number, done in enumerate(as_completed(looks), 1):
            path, width = looks[done]
            faults, seconds = done.result()
            name = path.relative_to(html)
            wrong += [f"{name} at {width}: {fault}" for fault in faults]
            print(f"{number}/{len(tasks)} {name} at {width}: {len(faults)} faults, {seconds:.0f} s", flush=True)
        wrong += keys.result()
    print(*wrong, f"{len(paths)} pages at {WIDTHS}: {len(wrong)} faults; pictures in {shots}", sep="\n")
    if output is not None:
        output.write_text(_kept(looked, wrong), encoding="utf-8")
    return 1 if wrong else 0


def _kept(looked: Mapping[str, int], wrong: Sequence[str]) -> str:
    told = about() | {name: version(name) for name in ("playwright", "axe-playwright-python")}
    versions = ", ".join(f"{name} {said}" for name, said in told.items())
    rows = "\n".join(f"| {folder} | {count} |" for folder, count in sorted(looked.items()))
    faults = "\n".join(f"* `{fault}`" for fault in wrong) or "No fault."
    return (
        "# The site in a browser\n\n"
        "Made by `make site-check PAGES=all OUTPUT=validation/results/site.md`: each page opened from disk in\n"
        f"Chromium, {' and '.join(map(str, WIDTHS))} pixels wide, all that is folded opened; all rules of axe-core,\n"
        f"errors of scripts, requests, what is wider than the page.\n\nMade with {versions}.\n\n"
        f"| folder | pages |\n|---|--:|\n{rows}\n\n{faults}\n"
    )


@cache
def _browser() -> tuple[Any, Any]:
    """Return this process's browser and axe-core; both end with the process."""
    tools = browser_tools()
    if isinstance(tools, str):
        raise ModuleNotFoundError(tools)
    start, axe, path = tools
    return start().start().chromium.launch(executable_path=path, args=["--no-sandbox"]), axe()


def _faults(path: Path, shots: Path, width: int) -> tuple[list[str], float]:
    began = time.monotonic()
    browser, axe = _browser()
    with browser.new_context(viewport={"width": width, "height": 900}, bypass_csp=True) as context:
        context.set_default_timeout(_PATIENCE)
        return list(looked_at(context.new_page(), axe, path, shots, width)), time.monotonic() - began


def _keys_of(html: Path) -> list[str]:
    browser, _ = _browser()
    page = browser.new_page()
    page.set_default_timeout(_PATIENCE)
    return list(_keys(page, html))


def _written(html: Path) -> Iterator[str]:
    """Yield what pages, styles and scripts would load from elsewhere."""
    for path in sorted(html.rglob("*")):
        if path.suffix in (".html", ".css", ".svg"):
            for found in loads(path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(html)} loads {found}"


def chosen(html: Path, share: int, day: int) -> list[Path]:
    """Return a page of every kind, all commands, guides and notebooks, the report, and a share of all others.

    Parameters
    ----------
    html : Path
        The folder of the built site.
    share : int
        One in so many of the others is taken, and after so many days each has been.
    day : int
        Which day it is.
    """
    names = [
        "index",
        "search",
        "genindex",
        "report",
        "gallery/index",
        "ledger/index",
        "ledger/edt/index",
        "ledger/edt/section-3.1",
        "ledger/losspass/section-3.2.1",
        "theorems/index",
        "theorems/EDT/Theorem1Statements",
        "results/index",
        "results/derive",
        "api/index",
        "api/dtmodel",
        "api/dtmodel.fluid",
    ]
    always = [html / f"{name}.html" for name in names]
    always += [
        path for folder in ("commands", "guides", "notebooks") for path in sorted((html / folder).glob("*.html"))
    ]
    others = sorted({*html.rglob("*.html")} - {*always})
    return always + others[day % share :: share]


def looked_at(page: Any, axe: Any, path: Path, shots: Path, width: int) -> Iterator[str]:
    """Yield what is wrong with a page from disk, with all that is folded opened; keep a picture of it."""
    said: list[str] = []
    page.on("request", lambda request: said.append(f"asks for {request.url}") if _foreign(request.url) else None)
    page.on("pageerror", lambda error: said.append(f"script: {error}"))
    page.on("console", lambda line: said.append(f"console: {line.text}") if line.type == "error" else None)
    measured = page.context.new_cdp_session(page)
    measured.send("Performance.enable")
    page.goto(path.as_uri())
    metrics = {metric["name"]: metric["value"] for metric in measured.send("Performance.getMetrics")["metrics"]}
    if metrics["LayoutCount"] > _LAYOUTS:
        yield f"is laid out {metrics['LayoutCount']} times while it opens"
    _open(page)
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        yield f"is {wide} pixels wide"
    yield from narrow(page)
    page.screenshot(path=shots / f"{path.parent.name}-{path.stem}-{width}.png")
    for violation in violations(page, axe):
        nodes = violation["nodes"]
        yield f"axe {violation['id']} ({violation['impact']}), {len(nodes)} times: {nodes[0]['html'][:160]}"
    yield from dict.fromkeys(said)


def narrow(page: Any) -> list[str]:
    """Return the labels of the sliders that are too narrow to move, each as a fault."""
    labels = page.eval_on_selector_all(
        "input[type=range]",
        "all => all.filter(each => each.checkVisibility() && each.offsetWidth < 60)"
        ".map(each => each.labels[0]?.textContent)",
    )
    return [f"the slider of {label} is narrower than 60 pixels" for label in labels]


def violations(page: Any, axe: Any) -> list[Any]:
    """Return what all rules of axe-core find, where looking at one text or formula says what looking at each would.

    A rule takes a tenth of a millisecond an element, contrast takes two, and pages have tens of thousands of elements.
    Contrast is looked at in the first texts of each look on the page: a look is what decides it, the colour, size,
    weight and shadow of a text, and what each element around it paints or does to what is painted. Then formulas and
    listings in which nothing has a role, a name or a place in the order of keys become plain text of their words.
    """
    page.evaluate(axe.axe_script)
    found: list[Any] = page.evaluate(_RULES, {"resultTypes": ["violations"], "preload": False})
    return found


def _foreign(url: str) -> bool:
    return not url.startswith(("file:", "data:", "blob:", "about:"))


def _open(page: Any) -> None:
    """Open everything that is folded; of the very many claims of the report keep some of each verdict."""
    page.evaluate("""() => {
      const claims = [...document.querySelectorAll("details.claim[id]")], kept = new Map();
      for (const claim of claims.length < 100 ? [] : claims) {
        const count = kept.get(claim.dataset.verdict) ?? 0;
        count < 8 ? kept.set(claim.dataset.verdict, count + 1) : claim.remove();
      }
      for (const part of document.querySelectorAll("details")) part.open = true;
    }""")


def _keys(page: Any, html: Path) -> Iterator[str]:
    """Yield what does not work by keys alone: opening a claim, the search, the filters of the report."""
    page.goto((html / "ledger" / "edt" / "section-3.1.html").as_uri() + "#edt.thm1")
    if not page.evaluate("document.getElementById('edt.thm1').open"):
        yield "section-3.1.html#edt.thm1 is not opened"
    page.focus("[id='edt.eq5'] > summary")
    page.keyboard.press("Enter")
    if not page.evaluate("document.getElementById('edt.eq5').open"):
        yield "Enter does not open a claim"
    page.goto((html / "search.html").as_uri() + "?q=edt.thm1")
    page.wait_for_selector("ul.search li")
    hrefs = page.eval_on_selector_all("ul.search a", "links => links.map(link => link.getAttribute('href'))")
    if not any(href.endswith("#edt.thm1") for href in hrefs):
        yield f"the search for edt.thm1 does not find it: {hrefs[:5]}"
    page.goto((html / "report.html").as_uri() + "#edt.fn9")
    page.focus("#search")
    page.keyboard.type("footnote 9")
    page.keyboard.press("Tab")
    if page.evaluate("document.activeElement.name") != "document":
        yield "Tab does not go from the search of the report to its first filter"
    if page.evaluate("document.querySelectorAll('details.claim[id]:not([hidden])').length") > 20:
        yield "the search of the report does not filter"
