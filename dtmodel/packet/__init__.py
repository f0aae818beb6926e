"""The packet models: the papers' algorithms executed line by line."""

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from dtmodel.base.documents import choice, required, table
from dtmodel.base.errors import one_of
from dtmodel.packet.streaming import TraceStream

__all__ = ["ALGORITHMS", "TraceStream", "stream", "trace"]

ALGORITHMS = ("losspass", "dynaq", "l2bm", "edt")
"""The algorithms that run on a list of events."""


def trace(request: Mapping[str, Any]) -> dict[str, Any]:
    """Run the algorithm of a `request` on its events, and return ``id``, ``steps`` (one for each event) and ``final``.

    The request has the form of ``dtmodel/schemas/trace-<algorithm>.json``. Raises `InputError` if the algorithm is
    unknown or rejects a field.

    >>> events = [["arrive", 0, "large", 1], ["arrive", 1, "small", 1]]
    >>> [step["decision"] for step in trace({"algorithm": "losspass", "buffer": 1, "events": events})["steps"]]
    ['enqueue', 'evict']
    """
    answer: dict[str, Any] = _module(request).run_trace(request)
    return answer


def stream(request: Mapping[str, Any]) -> TraceStream:
    """Run the algorithm of a `request`, as `trace` does, step by step in constant memory; events may be an iterator.

    >>> events = [["arrive", 0, 1, 1], ["arrive", 1, 2, 1]]
    >>> answer = stream({"algorithm": "dynaq", "buffer": 4, "weights": [1, 1], "events": events})
    >>> [step["queues"] for step in answer.steps], answer.final()["queues"]
    ([['1', '0'], ['1', '1']], ['1', '1'])
    """
    answer: TraceStream = _module(request).stream_trace(request)
    return answer


def _module(request: Mapping[str, Any]) -> ModuleType:
    required(table(request, "request"), ("algorithm",), "", one_of(ALGORITHMS))
    name = choice(request["algorithm"], "algorithm", ALGORITHMS)
    return import_module(f"dtmodel.packet.{name}.trace")
