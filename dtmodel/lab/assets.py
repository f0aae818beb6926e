"""The scripts and styles of the panels, read from the folder ``static`` beside this file."""

from functools import cache
from importlib.resources import files


@cache
def asset(name: str) -> str:
    """Return the text of ``lab.js`` or ``lab.css``, for the browser.

    >>> asset("lab.css").startswith(".")
    True
    """
    return (files("dtmodel.lab") / "static" / name).read_text(encoding="utf-8")
