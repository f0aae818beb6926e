"""Coq: theorems of a development that builds, with pinned statements, definitions and axioms."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache

__all__ = ["version"]


@cache
def version() -> str:
    """Return the version of coqc on the path, or the empty string."""
    coqc = shutil.which("coqc")
    if coqc is None:
        return ""
    said = subprocess.run([coqc, "--version"], capture_output=True, text=True, check=False, timeout=30).stdout
    found = re.search(r"version (\d+\.\d+(?:\.\d+)?)", said)
    return found[1] if found else ""
