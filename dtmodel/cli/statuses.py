"""What the exit statuses of ``dtmodel`` mean: the one place where they are written down."""

from enum import IntEnum
from typing import Self


class Status(IntEnum):
    """An exit status; the comment beside each is what ``dtmodel --help`` says of it."""

    AS_RECORDED = 0, "done, and all is as recorded"
    DIFFERS = 1, "a verdict differs from the one on record, or a check failed"
    BAD_INPUT = 2, "bad input, or more than a budget allows: the message names the field"
    MISSING_EXTRA = 3, "an optional package or a required engine is missing: the message says how to install it"
    INTERNAL = 70, "a fault of dtmodel itself: the message says how to report it"
    SYSTEM = 74, "the system refused to read, to write or to give memory"
    INTERRUPTED = 130, "interrupted"
    UNREAD = 141, "whoever read the answer left before its end"

    meaning: str

    def __new__(cls, value: int, meaning: str) -> Self:
        """Make a number that knows its meaning."""
        status = int.__new__(cls, value)
        status._value_ = value
        status.meaning = meaning
        return status


def status_table() -> list[tuple[str, str]]:
    """List every status with its meaning.

    >>> status_table()[0]
    ('0', 'done, and all is as recorded')
    """
    return [(str(int(status)), status.meaning) for status in Status]
