"""Pages as Chromium shows them."""

import json
import re
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from docs.browser import chromium

_FRAMES = "<script>window.requestAnimationFrame = (draw) => draw();</script>"
"""What a script looks at has been drawn."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which a folder is served."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def driven(page: str, script: str, folder: Path, at: str = "", wait: int = 0, address: str = "") -> Any:
    """What a script at the end of a page writes when Chromium shows the page (opened at a part of it).

    It is opened from disk, or at the `address` at which its folder is served, and shown for `wait` ms.
    """
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        pytest.skip("Chromium reserves more addresses than this process may have")
    page = re.sub(r"script-src 'sha256-[^']*'", "script-src 'unsafe-inline'", page).replace(
        '"module" async', '"module"'
    )
    path = folder / "driven.html"
    path.write_text(page.replace("</body>", f"{_FRAMES}{script}</body>"), encoding="utf-8")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}", "--dump-dom"]
    options += [f"--virtual-time-budget={wait}"] * (wait > 0)
    done = subprocess.run(
        [chromium(), *options, (f"{address}driven.html" if address else path.as_uri()) + at],
        capture_output=True,
        text=True,
        check=True,
    )
    (log,) = re.findall(r"<pre>(.*)</pre>", done.stdout)
    return json.loads(unescape(log))
