"""The folder of caches."""

import contextlib
import os
import tempfile
from pathlib import Path


def cache_directory(checkout: Path) -> Path:
    """Return the folder of caches: $DTMODEL_CACHE, the checkout's .cache, the user's cache, or a temporary folder.

    The first that can be written is used; a folder without ``pyproject.toml`` is not a checkout.

    >>> cache_directory(Path("/nowhere")).is_absolute()
    True
    """
    if chosen := os.environ.get("DTMODEL_CACHE"):
        return Path(chosen)
    places = [checkout / ".cache"] if (checkout / "pyproject.toml").is_file() else []
    if given := os.environ.get("XDG_CACHE_HOME"):
        places.append(Path(given))
    with contextlib.suppress(RuntimeError):  # a user without a home folder
        places.append(Path.home() / ".cache")
    found = next((place for place in places if _writable(place)), None)
    if found is None:
        return Path(tempfile.gettempdir()) / f"dtmodel-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"
    return found / "dtmodel"


def _writable(path: Path) -> bool:
    """Return True if a folder can be written, or created."""
    above = next(folder for folder in (path.absolute(), *path.absolute().parents) if folder.exists())
    return above.is_dir() and os.access(above, os.W_OK | os.X_OK)
