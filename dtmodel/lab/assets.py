"""The files for the browser in the folder ``static`` beside this module, and the data that was computed for it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

STATIC = Path(__file__).parent / "static"


@cache
def asset(name: str) -> str:
    """Return the text of ``lab.js`` or ``lab.css``, for the browser."""
    return (STATIC / name).read_text(encoding="utf-8")


@cache
def made(name: str) -> Any:
    """Return data that was computed when the package was prepared for a browser; None in any other place."""
    path = STATIC / "made.json"
    return json.loads(path.read_text(encoding="utf-8"))[name] if path.is_file() else None
