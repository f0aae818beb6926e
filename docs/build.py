"""Build the site: sources, notebooks and generated pages are laid together, and Sphinx makes HTML of them.

Nothing is typed that a run can say: commands of the guides and notebooks run while Sphinx builds, the ledger is the
report of ``dtmodel verify``, and the gallery is what ``dtmodel figure`` draws.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

from docs import api, commands, gallery, house, ledger, panels, results, senders, story, switches, theorems
from dtmodel.base.errors import DtmodelError, InputError
from dtmodel.base.files import write_whole
from dtmodel.lab.assets import asset
from dtmodel.lab.publishing import publish
from dtmodel.ledger.report import read_report

ROOT = Path(__file__).parents[1]
SITE = ROOT / "build" / "site"
_TEMPLATES = ROOT / "dtmodel" / "ledger" / "templates"


def build(report: Path) -> int:
    """Lay the sources together and run Sphinx, which fails at the first warning; return its exit status.

    Parameters
    ----------
    report : Path
        The JSON report of ``dtmodel verify`` on all claims.
    """
    found = read_report(report, "report")
    if found["selectors"]:
        raise InputError("report", str(report), "a report on all claims")
    print("drawing the figures and the witnesses", flush=True)
    figures = gallery.draw(SITE / "figures" / fingerprint())
    witnesses = ledger.draw(found, SITE / "witnesses" / fingerprint())
    proved = theorems.pages(ROOT / "proofs" / "coq", found["claims"], theorems.proving())
    files = (
        pages()
        | gallery.pages(figures, {claim["id"] for claim in found["claims"]})
        | ledger.pages(found, witnesses, theorems.places(proved))
        | proved
    )
    files["ledger/senders.md"] = senders.page(found["claims"], senders.decisions(ROOT)).encode()
    files |= {f"_static/{name}": (_TEMPLATES / name).read_bytes() for name in ("claims.css", "open.js")}
    files["_static/cells.js"] = asset("cells.js").encode()
    live = python()
    files |= {f"extra/{name}": page for name, page in panels.pages(live=live).items()}
    sources = SITE / "sources"
    lay(sources, files)
    shutil.rmtree(SITE / "scratch", ignore_errors=True)
    (SITE / "scratch").mkdir()
    environment = os.environ | {
        "DTMODEL_SITE_NOTEBOOKS": str(SITE / "executed" / fingerprint()),
        "PYTHONPATH": str(ROOT),
    }
    options = ["-b", "html", "-j", "auto", "-W", "--keep-going", "-q", "-d", str(SITE / "doctrees")]
    command = [sys.executable, "-m", "sphinx", *options, str(sources), str(SITE / "html")]
    done = subprocess.run(command, env=environment, cwd=ROOT)  # noqa: PLW1510  # its status is returned
    if not done.returncode:
        for page in (SITE / "html").rglob("*.html"):
            page.write_text(guarded(_WORD.sub(r"\1", page.read_text(encoding="utf-8"))), encoding="utf-8")
        shutil.rmtree(SITE / "html" / "python", ignore_errors=True)
        if live:
            shutil.copytree(SITE / "python", SITE / "html" / "python")
        print(f"the site: {SITE / 'html' / 'index.html'}")
    return done.returncode


_WORD = re.compile(r'<span class="pre">([^<]*)</span>')
"""Docutils wraps each word of code in an element: a sixtieth of the site."""
_SCRIPT = re.compile(r"<script(?![^>]*(?:\ssrc=|application/json|text/plain))[^>]*>(.*?)</script>", re.DOTALL)
_POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'self'; img-src 'self' data:; font-src 'self'; frame-src 'self';"
    " style-src 'self' 'unsafe-inline'; script-src 'self' blob: 'wasm-unsafe-eval'{}; worker-src 'self' blob:;"
    " connect-src 'self'"
)


def guarded(page: str) -> str:
    """Give a page a security policy: its own scripts, by their hashes, Python in a worker, and no other host.

    A page that has a policy keeps it.
    """
    if 'http-equiv="Content-Security-Policy"' in page:
        return page
    hashes = (b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in _SCRIPT.findall(page))
    allowed = "".join(f" 'sha256-{each}'" for each in dict.fromkeys(hashes))
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY.format(allowed)}">'
    return re.sub(r"<head>(\s*<meta charset[^>]*>)?", lambda head: head[0] + policy, page, count=1)


def python() -> bool:
    """Prepare Python for the browsers of readers; print the reason and return False if that is impossible."""
    print("preparing Python for the browser", flush=True)
    try:
        publish(SITE / "python", SITE / "browser")
    except DtmodelError as error:
        print(f"the panels show recorded answers only: {error}")
        return False
    return True


def pages() -> dict[str, bytes]:
    """Return the pages that need no run: written ones, notebooks, what is generated from code and kept results."""
    own = ROOT / "docs" / "source"
    found = {path.relative_to(own).as_posix(): path.read_bytes() for path in own.rglob("*") if path.is_file()}
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    found |= {f"notebooks/{path.name}": path.read_bytes() for path in notebooks}
    found["story.md"] = story.page(own / "story.md").encode()
    found["guides/house.md"] = house.page(own / "guides" / "house.md").encode()
    found["notebooks/index.md"] = _course([path.stem for path in notebooks]).encode()
    texts = {**commands.pages(), **api.pages(), **results.pages(ROOT / "validation" / "results"), **switches.pages()}
    return found | {name: text.encode() for name, text in texts.items()}


def lay(folder: Path, files: dict[str, bytes]) -> None:
    """Make a folder hold these files and no others; what is there already with this content is not touched."""
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, content in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            write_whole(path, content, synced=False)


def fingerprint() -> str:
    """Return a hash of everything that a notebook or a figure can depend on: all but scripts and styles of pages."""
    digest = hashlib.sha256(sys.version.encode())
    for top in ("dtmodel", "proofs", "validation", "notebooks", "requirements"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.is_file() and path.suffix not in (".pyc", ".css", ".js", ".j2"):
                digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _course(names: list[str]) -> str:
    about = (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")
    table = "\n".join(line for line in about.splitlines() if line.startswith("|"))
    for name in names:
        table = table.replace(f"`{name}.ipynb`", f"[{name}]({name}.ipynb)")
    tree = "\n".join(names)
    return (
        "# The course\n\n"
        "Eleven notebooks, executed when this site was built; hints and solutions open when they are clicked.\n"
        "`dtmodel lab` opens the notebooks themselves, in which the panels move; here pictures stand for them.\n"
        "Every block of Python can be edited and run in the page: press *Run* below it, or Shift-Enter in it.\n\n"
        f"{table}\n\n## Panels that move here\n\n{panels.links('../panels')}\n\n"
        f"```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )
