"""The way from a statement to the algebra that answers designers' questions, which `dtmodel` registers."""

from collections.abc import Callable, Iterable
from typing import Any

_WAYS: list[Callable[..., Any]] = []


def lead(way: Callable[..., Any]) -> None:
    """Register the function that turns a statement into the data of the algebra; `dtmodel` calls it."""
    _WAYS[:] = [way]


def in_algebra(statement: Any, named: Iterable[Any]) -> Any:
    """Return a statement as `dtmodel.derive` has theorems; optional symbols are those `named`."""
    return _WAYS[0](statement, frozenset(name for name in named if isinstance(name, str)))
