"""The shared library of the native core: its location, its functions, and its status."""

import ctypes
import os
from functools import cache
from pathlib import Path
from typing import Any

_LIBRARY = Path(__file__).with_name("core.library")  # a suffix that Python does not import as a module
_INTERFACE = 6
"""The result of the library's `dtmodel_interface` if its functions and arrays are those of this module."""

ARRAYS = (
    "queue_begin", "piece_begin", "sample_begin", "length_begin", "buffer", "tick", "until", "rate", "slope", "offset",
    "initial", "count", "steady", "piece_time", "piece_rate", "sample_time", "form", "counting", "growth", "hold",
    "reserve", "cap", "number_begin", "high", "low", "residue", "status", "events", "bound", "first_drop",
    "free_at_first_drop", "dropped", "drained", "length",
)  # fmt: skip
"""The arrays of ``dtmodel_batch``, in its order."""


class Arrays(ctypes.Structure):
    """``dtmodel_batch``: the numbers of scenarios, queues and so on, and the addresses of the arrays."""

    _fields_ = [
        *(
            (name, ctypes.c_int64)
            for name in ("scenarios", "queues", "pieces", "samples", "lengths", "numbers", "max_events")
        ),
        *((name, ctypes.c_void_p) for name in ARRAYS),
    ]


@cache
def loaded() -> tuple[Any, str]:
    """Return the library (None if it is missing), and the engine that therefore runs."""
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
        ("rows", number, [pointer, number, pointer]),
        ("forget", None, [pointer]),
    ):
        function = getattr(library, f"dtmodel_{name}")
        function.restype, function.argtypes = result, arguments
    return library, "native core"


def status() -> str:
    """Return the engine of runs in floats: ``"native core"``, or Python with the reason."""
    return loaded()[1]
