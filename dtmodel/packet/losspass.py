"""LossPass packet by packet: Algorithm 1 in named readings, two class queues, tail drop beside it.

The arbiter is in `dtmodel.packet.losspass_arbiter`, the form of requests in `dtmodel.packet.losspass_request`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dtmodel.packet.losspass_arbiter import READINGS, Arbiter, Arrival, Departure, Reading, Run, Settings, Step, run
from dtmodel.packet.losspass_request import answer, read

__all__ = ["READINGS", "Arbiter", "Arrival", "Departure", "Reading", "Run", "Settings", "Step", "run", "run_trace"]


def run_trace(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a trace request (the interface of `dtmodel trace`), JSON-ready.

    Parameters
    ----------
    request : mapping
        ``buffer`` and ``events`` are required; ``reading`` defaults to "intended", ``reserve_large`` to 0, and the
        thresholds of ``mark`` (``small``, ``large``, ``port``) to null, which never marks. An event is
        ``["arrive", time, class, size]`` or ``["depart", time, queue]``.

    Returns
    -------
    dict
        ``id``; ``steps``, one for each event (``decision``, ``reason``, ``victim``, ``packet``); ``final``: ``small``
        and ``large`` as lists of [packet, size] from head to tail, and ``marked``.

    Notes
    -----
    Marking (line 15) looks at the lengths as they are when it is reached: with the packet if it is buffered, without it
    if line 10 has dropped it, which only readings such as "literal" let happen.

    Raises
    ------
    InputError
        Naming the field, the value and what would be accepted.

    Examples
    --------
    >>> request = {"id": "a", "buffer": 1, "events": [["arrive", None, "large", 1], ["arrive", None, "small", 1]]}
    >>> run_trace(request)["final"]
    {'small': [[1, '1']], 'large': [], 'marked': []}
    """
    trace = read(request)
    return answer(trace, run(trace.settings, trace.events))
