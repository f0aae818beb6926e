"""Look at the built site in a browser: requests, errors, accessibility at two widths, what scrolls, what keys reach.

It needs what `docs.browser` names, and says what is missing instead.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from docs.browser import browser_tools

WIDTHS = (1280, 390)
SHARE = 8
"""Of the pages of which there are very many, one in so many is looked at: others each day."""
_PATIENCE = 600_000  # ms; the report has every claim, and machines are slow
_LOADED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed|object|link(?=[^>]*rel="(?:stylesheet|icon|preload|preconnect)))"""
    r"""[^>]*?\b(?:src|href|data)="?((?:https?:)?//[^"\s>]+)|url\(["']?((?:https?:)?//[^"')]+)|@import\s+["'](https?:[^"']+)""",
    re.IGNORECASE,
)


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


def check(html: Path, shots: Path, share: int = SHARE) -> int:
    """Print what is wrong with the built site; return 1 if anything is, 3 if there is nothing to look with.

    Parameters
    ----------
    html : Path
        The folder of the built site.
    shots : Path
        Where pictures of the pages go.
    share : int
        One in so many of the pages of which there are very many is looked at today; 1 looks at all.
    """
    wrong = list(_written(html))
    tools = browser_tools()
    if isinstance(tools, str):
        print(*wrong, f"not looked at in a browser: {tools}", sep="\n")
        return 1 if wrong else 3
    sync_playwright, Axe, browser_path = tools
    shots.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        for width in WIDTHS:
            context = browser.new_context(viewport={"width": width, "height": 900}, bypass_csp=True)
            context.set_default_timeout(_PATIENCE)
            for path in chosen(html, share, datetime.now(UTC).toordinal()):
                page = context.new_page()
                wrong += [f"{path.name} at {width}: {fault}" for fault in looked_at(page, Axe(), path, shots, width)]
                page.close()
        by_keys = browser.new_page()
        by_keys.set_default_timeout(_PATIENCE)
        wrong += _keys(by_keys, html)
        browser.close()
    print(*wrong, f"{len(wrong)} faults; pictures in {shots}", sep="\n")
    return 1 if wrong else 0


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
    page.goto(path.as_uri())
    _open(page)
    page.wait_for_load_state("networkidle")
    found = axe.run(page, options={"resultTypes": ["violations"], "preload": False})
    for violation in found.response["violations"]:
        nodes = violation["nodes"]
        yield f"axe {violation['id']} ({violation['impact']}), {len(nodes)} times: {nodes[0]['html'][:160]}"
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        yield f"is {wide} pixels wide"
    page.screenshot(path=shots / f"{path.parent.name}-{path.stem}-{width}.png")
    yield from dict.fromkeys(said)


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
