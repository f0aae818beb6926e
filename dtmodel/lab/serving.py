"""The panels in a browser without a site: served by this machine, or as one file that opens by a double click."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory

from dtmodel.base.caches import cache_directory
from dtmodel.base.files import whole_file, write_whole
from dtmodel.companion.roots import papers_root
from dtmodel.lab.assets import asset
from dtmodel.lab.panel import Panel
from dtmodel.lab.panels import PANELS
from dtmodel.lab.publishing import ARCHIVE, publish


def _python(folder: Path) -> None:
    publish(folder, cache_directory(papers_root()) / "browser")


def write_site(folder: Path) -> None:
    """Write live pages of all panels into a folder, with a list and Python; `ExtraError` without node or npm."""
    _python(folder / "python")
    for name, panel in PANELS.items():
        page = panel.make().page((), ("../python/python.js", name))
        write_whole(folder / "panels" / f"{name}.html", page)
    items = "\n".join(f'<li><a href="panels/{name}.html">{panel.says}</a></li>' for name, panel in PANELS.items())
    write_whole(folder / "index.html", _LIST.format(items=items))


def serve(port: int, told: Callable[[str], None]) -> None:
    """Serve the panels at a port (0: a free one) until interrupted; `told` gets the address. Raises `OSError`."""
    with TemporaryDirectory() as folder:
        write_site(Path(folder))
        handler = partial(SimpleHTTPRequestHandler, directory=folder)
        with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
            told(f"http://127.0.0.1:{server.server_port}/")
            server.serve_forever()


def write_single(path: Path, *, sympy: bool = True) -> list[str]:
    """Write one page with panels and Python, which needs no network; without `sympy`, return the titles left out."""
    shown = {name: panel.make() for name, panel in PANELS.items() if sympy or panel.needs != "sympy"}
    missing = [panel.make().title for name, panel in PANELS.items() if name not in shown]
    with TemporaryDirectory() as folder:
        _python(Path(folder))
        files = {file.name: file.read_bytes() for file in Path(folder).iterdir() if file.name not in _LEFT}
    if not sympy:
        files = {name: content for name, content in files.items() if not name.endswith(ARCHIVE)}
        files["packages.json"] = json.dumps(json.loads(files["packages.json"]) | {"packages": {}}).encode()
    module = f"data:text/javascript;base64,{b64encode(files['python.js']).decode()}"
    script = f"\n{asset('lab.js')}\n{''.join(_call(name, panel, module) for name, panel in shown.items())}"
    script = script.encode("ascii", "backslashreplace").decode()
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    parts = "\n".join(f'<section id="{name}"></section>' for name in shown)
    if missing:
        parts += f"\n<p>These panels need SymPy, which this file does not have: {', '.join(missing)}.</p>"
    page = _SINGLE.format(style=asset("lab.css"), allowed=allowed, parts=parts, script=script).encode("ascii")
    with whole_file(path) as file:
        file.write(page)
        for name, content in files.items():
            file.write(b'<script type="text/plain" data-file="%b">%b</script>\n' % (name.encode(), _escaped(content)))
    return missing


def _escaped(content: bytes) -> bytes:
    r"""Write bytes as the text of a script element in windows-1252, in which each byte is a character.

    Base64 is a third longer than the bytes; this is a sixtieth longer. A parser of HTML changes NUL and CR, and ``<``
    may end the element.

    >>> _escaped(b"a<\0b=")
    b'a=|=@b=}'
    """
    return re.sub(rb"[\0\r<=]", lambda found: b"=%c" % (found[0][0] + 64), content)


def _call(name: str, panel: Panel, python: str) -> str:
    start = panel.start([slider.name for slider in panel.sliders], live=True)
    data = [start, {"over": [], "first": panel.respond({})}, [python, name]]
    written = ", ".join(json.dumps(part).replace("<", "\\u003c") for part in data)
    return f'play(document.getElementById("{name}"), {written});\n'


_LEFT = {"make.mjs", "cells.js", "story.js", "lab.js", "lab.css"}
"""Files that no panel of the page needs, or that stand in the page itself."""
_LIST = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>dtmodel: panels</title><main><h1>Panels</h1><ul>
{items}
</ul></main></html>
"""
_SINGLE = """<!doctype html>
<html lang="en">
<head>
<meta charset="windows-1252">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline';
 script-src 'sha256-{allowed}' data: 'wasm-unsafe-eval'; worker-src data:">
<title>dtmodel: panels</title>
<style>body {{ margin: 8px }} h1 {{ font-family: system-ui, sans-serif }} {style}</style>
</head>
<body>
<main>
{parts}
</main>
<script type="module">{script}</script>
"""
