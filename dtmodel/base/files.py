"""Files that are whole or absent: written beside their place and renamed into it. Every file of this package is."""

import contextlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO

_PART = ".dtmodel-part"


def write_whole(path: Path, content: str | bytes, *, synced: bool = True) -> None:
    """Write a file as `whole_file` does, in UTF-8; make its folder if there is none.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "a.txt", "one")
    ...     print((Path(folder) / "a.txt").read_text())
    ...
    one
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path, synced=synced) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextlib.contextmanager
def whole_file(path: Path, *, synced: bool = True) -> Iterator[BinaryIO]:
    """Open a file that gets all of its new content at the end of the block, and keeps its old one if the block fails.

    A device or a pipe, such as ``/dev/stdout``, takes the content as it comes.

    `path`: the file; a link to one is followed. `synced`: write to the disk before the end of the block, so that the
    file is whole even if the machine stops; False is enough where a reader compares the content with its digest.
    Raises `OSError` with the name of the file if it cannot be written; no part of the new content is left then.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder) / "a.bin") as file:
    ...         _ = file.write(b"one")
    ...     print(*(path.name for path in Path(folder).iterdir()))
    ...
    a.bin
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    remove_parts(target.parent)
    part = target.with_name(f".{target.name}.{os.getpid()}{_PART}")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            if synced:
                os.fsync(file.fileno())
        part.replace(target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            part.unlink()
        if isinstance(error, OSError) and error.filename in (None, str(part)):
            raise OSError(error.errno, error.strerror or str(error), str(path)) from error
        raise


@cache
def remove_parts(folder: Path) -> None:
    """Remove what killed processes have left in a folder; once, since a folder of thousands is slow to read."""
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
