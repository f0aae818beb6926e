"""The packet models: the papers' algorithms executed line by line."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from dtmodel.documents import choice

__all__ = ["ALGORITHMS", "trace"]

ALGORITHMS = ("losspass", "dynaq", "l2bm", "edt")
"""The algorithms that run on a list of events."""


def trace(request: Mapping[str, Any]) -> dict[str, Any]:
    """Run the algorithm that a request names on its list of events.

    Parameters
    ----------
    request : mapping
        In the form of ``dtmodel/schemas/trace-<algorithm>.json``.

    Returns
    -------
    dict
        ``id``, ``steps`` (one for each event) and ``final``.

    Raises
    ------
    InputError
        For an unknown algorithm, or naming the field that the algorithm does not accept.

    Examples
    --------
    >>> events = [["arrive", 0, "large", 1], ["arrive", 1, "small", 1]]
    >>> [step["decision"] for step in trace({"algorithm": "losspass", "buffer": 1, "events": events})["steps"]]
    ['enqueue', 'evict']
    """
    name = choice(request.get("algorithm"), "algorithm", ALGORITHMS)
    answer: dict[str, Any] = import_module(f"dtmodel.packet.{name}").run_trace(request)
    return answer
