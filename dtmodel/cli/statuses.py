"""The exit statuses of ``dtmodel`` with their meanings."""

from enum import IntEnum
from typing import Self


class Status(IntEnum):
    """An exit status with its meaning for ``dtmodel --help``."""

    AS_RECORDED = 0, "done, and all results are as recorded"
    DIFFERS = 1, "a verdict differs from the one on record, or a check failed"
    BAD_INPUT = 2, "bad input, or a budget is exceeded: the message names the field"
    MISSING_EXTRA = 3, "an optional package or a required engine is missing: the message tells how to install it"
    INTERNAL = 70, "a fault of dtmodel itself: the message tells how to report it"
    SYSTEM = 74, "an error of the system: a file cannot be read or written, or memory is short"
    INTERRUPTED = 130, "interrupted"
    UNREAD = 141, "the reader of the output closed it before the end"

    meaning: str

    def __new__(cls, value: int, meaning: str) -> Self:
        """Create a status from its number and meaning."""
        status = int.__new__(cls, value)
        status._value_ = value
        status.meaning = meaning
        return status


def status_table() -> list[tuple[str, str]]:
    """Return every status with its meaning."""
    return [(str(int(status)), status.meaning) for status in Status]
