"""What a browser needs of the package: the scripts and styles beside this file."""

from functools import cache
from importlib.resources import files


@cache
def asset(name: str) -> str:
    """Return a file that the browser needs: ``lab.js``, ``lab.css``.

    >>> asset("lab.css").startswith(".")
    True
    """
    return (files("dtmodel.lab") / "static" / name).read_text(encoding="utf-8")
