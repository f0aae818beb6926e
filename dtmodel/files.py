"""Files that are whole or absent: written beside their place and renamed into it."""

import contextlib
import os
from functools import cache
from pathlib import Path

_PART = ".dtmodel-part"


def write_whole(path: Path, text: str, *, synced: bool = True) -> None:
    """Write a file so that it has either its old content or all of the new one, whatever happens meanwhile.

    Not `synced`, that does not hold when the machine itself stops: enough for who sees what is not as it was written.

    `path`: which file. `text`: its new content. `synced`: whether it is on the disk before this returns. Raises
    `OSError` if it cannot be written; nothing of it is left then.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "a.txt", "one")
    ...     print((Path(folder) / "a.txt").read_text())
    ...
    one
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep(path.parent.resolve())
    part = path.with_name(f".{path.name}.{os.getpid()}{_PART}")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            if synced:
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


@cache
def _sweep(folder: Path) -> None:
    """Remove what processes that were killed left in a folder; once, for a folder of thousands is slow to read."""
    for left in folder.glob(f".*{_PART}"):
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
