"""Files that are whole or absent: written beside their place and renamed into it; and where caches may stand."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

__all__ = ["cache_directory", "write_whole"]


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it has either its old content or all of the new one, whatever happens meanwhile.

    Raises
    ------
    OSError
        If it cannot be written; nothing of it is left then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def cache_directory(checkout: Path) -> Path:
    """Return the folder of caches: $DTMODEL_CACHE, the checkout's .cache, the user's cache, or a temporary folder.

    The first that can be written is taken; a folder without ``pyproject.toml`` is no checkout.
    """
    if chosen := os.environ.get("DTMODEL_CACHE"):
        return Path(chosen)
    places = [checkout / ".cache"] if (checkout / "pyproject.toml").is_file() else []
    if given := os.environ.get("XDG_CACHE_HOME"):
        places.append(Path(given))
    with contextlib.suppress(RuntimeError):  # nobody's home
        places.append(Path.home() / ".cache")
    found = next((place for place in places if _writable(place)), None)
    if found is None:
        return Path(tempfile.gettempdir()) / f"dtmodel-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"
    return found / "dtmodel"


def _writable(path: Path) -> bool:
    """Tell whether a folder can be written, or made."""
    above = next(folder for folder in (path.absolute(), *path.absolute().parents) if folder.exists())
    return above.is_dir() and os.access(above, os.W_OK | os.X_OK)


def _sweep(path: Path) -> None:
    """Remove what a process that was killed left of the file."""
    for left in path.parent.glob(f".{path.name}.*.part"):
        owner = left.name.split(".")[-2]
        if owner.isdigit() and not _alive(int(owner)):
            with contextlib.suppress(OSError):
                left.unlink()


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
