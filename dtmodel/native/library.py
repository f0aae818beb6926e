"""The shared library of the native core: finding it, loading it, and saying whether it is there."""

import ctypes
import os
from functools import cache
from pathlib import Path
from typing import Any

_LIBRARY = Path(__file__).with_name("core.library")  # under no suffix that Python would take for a module of its own
_INTERFACE = 3
"""What `dtmodel_interface` of the library says if it has the functions and arrays that are used here."""

ARRAYS = (
    "queue_begin", "piece_begin", "sample_begin", "length_begin", "buffer", "tick", "until", "rate", "slope", "offset",
    "initial", "count", "steady", "piece_time", "piece_rate", "sample_time", "form", "counting", "growth", "hold",
    "reserve", "cap", "kind", "status", "events", "bound", "first_drop",
    "free_at_first_drop", "dropped", "drained", "length",
)  # fmt: skip
"""The arrays of ``dtmodel_batch``, in its order."""


class Arrays(ctypes.Structure):
    """``dtmodel_batch``: how many there are of everything, and where the arrays begin."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in ("scenarios", "queues", "pieces", "samples", "lengths", "max_events")),
        *((name, ctypes.c_void_p) for name in ARRAYS),
    ]


@cache
def loaded() -> tuple[Any, str]:
    """Return the library, or None, and which engine therefore runs."""
    chosen = os.environ.get("DTMODEL_NATIVE") or str(_LIBRARY)
    if chosen == "0":
        return None, "Python (DTMODEL_NATIVE=0)"
    try:
        library = ctypes.CDLL(chosen)
        interface = library.dtmodel_interface()
    except (OSError, AttributeError) as error:
        return None, f"Python (no native core: {error})"
    if interface != _INTERFACE:
        return None, "Python (the native core was compiled from other sources: make native)"
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    for name, result, arguments in (
        ("run", number, [pointer]),
        ("trace", pointer, [pointer]),
        ("free_points", number, [pointer]),
        ("free_copy", None, [pointer] * 3),
        ("segments", number, [pointer, number]),
        ("segments_copy", None, [pointer, number, pointer]),
        ("limits", number, [pointer, number]),
        ("limits_copy", None, [pointer, number, pointer]),
        ("forget", None, [pointer]),
    ):
        function = getattr(library, f"dtmodel_{name}")
        function.restype, function.argtypes = result, arguments
    return library, "native core"


def status() -> str:
    """Return which engine runs in floats what both can: ``"native core"``, or Python and why.

    Examples
    --------
    >>> status().split()[0] in ("native", "Python")
    True
    """
    return loaded()[1]
