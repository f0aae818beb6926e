"""Files that are whole or absent: each (but the store of caches) is written beside its place and then renamed."""

import contextlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO

_PART = ".dtmodel-part"


def write_whole(path: Path, content: str | bytes, *, synced: bool = True) -> None:
    """Write a file as `whole_file` does, in UTF-8; create its folder if it does not exist."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path, synced=synced) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextlib.contextmanager
def whole_file(path: Path, *, synced: bool = True) -> Iterator[BinaryIO]:
    """Open a file that is replaced at the end of the block, and unchanged if the block fails.

    A device or a pipe, such as ``/dev/stdout``, receives the content directly. A link is followed. `synced`: flush to
    the disk, so that the file is whole even after a power failure; False suffices if readers check a digest. If the
    file cannot be written, `OSError` names it, and no partial file remains.

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
    """Remove the partial files of killed processes in a folder; once, as a folder of thousands is slow to list."""
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
