"""Claims of one's own to begin with: the examples of the package as files of a folder."""

import re
from importlib.resources import files
from pathlib import Path

from dtmodel.base.errors import InputError
from dtmodel.base.files import write_whole

_PREFIX = re.compile(r"[a-z][a-z0-9]*")
_FILES = {"claims.toml": "claim.toml", "evidence.py": "claim.py.txt"}
"""The files that are written, and the examples that they are."""


def begin(folder: Path, prefix: str) -> list[Path]:
    """Write the claims and their evidence, whose ids begin with `prefix`, into a folder; return the files."""
    if not _PREFIX.fullmatch(prefix):
        raise InputError("prefix", prefix, "small letters and digits, a letter first")
    targets = {folder / name: files("dtmodel").joinpath("examples", example) for name, example in _FILES.items()}
    for target in targets:
        if target.exists():
            raise InputError("folder", str(target), "a folder without this file: nothing is written over")
    try:
        for target, example in targets.items():
            write_whole(target, example.read_text(encoding="utf-8").replace("mine.", f"{prefix}."))
    except BaseException:  # one file without the other would be in the way of the next attempt
        for target in targets:
            target.unlink(missing_ok=True)
        raise
    return list(targets)
