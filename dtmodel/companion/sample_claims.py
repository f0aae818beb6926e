"""Sample claims with their evidence, copied from the examples of the package into a folder of the user."""

import re
from importlib.resources import files
from pathlib import Path

from dtmodel.base.errors import InputError
from dtmodel.base.files import write_whole

_PREFIX = re.compile(r"[a-z][a-z0-9]*")
_FILES = {"claims.toml": "claim.toml", "evidence.py": "claim.py.txt"}
"""The written files, each with its example in the package."""


def write_sample_claims(folder: Path, prefix: str) -> list[Path]:
    """Write sample claims, whose ids begin with `prefix`, and their evidence into a folder; return the files."""
    if not _PREFIX.fullmatch(prefix):
        raise InputError("prefix", prefix, "lower-case letters and digits, beginning with a letter")
    targets = {folder / name: files("dtmodel").joinpath("examples", example) for name, example in _FILES.items()}
    for target in targets:
        if target.exists():
            raise InputError("folder", str(target), "a folder without this file (no file is overwritten)")
    try:
        for target, example in targets.items():
            write_whole(target, example.read_text(encoding="utf-8").replace("mine.", f"{prefix}."))
    except BaseException:  # a single file would block the next attempt
        for target in targets:
            target.unlink(missing_ok=True)
        raise
    return list(targets)
