"""Limits on the cost of a piece of work: beyond a budget it is refused with a `BudgetError` that names the budget.

The environment variable ``DTMODEL_BUDGETS`` raises budgets for a process (``"events=5000000 digits=20000"``; read once,
and again before a refusal), ``dtmodel --budget events=5000000 ...`` for a command, and `raised` for a block in Python.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from numbers import Rational

from dtmodel.base.errors import BudgetError, InputError, one_of

__all__ = ["raised"]

_BUDGETS: Mapping[str, tuple[int, str]] = {
    "events": (1_000_000, "events of one run, or cases of one sheet"),
    "digits": (10_000, "digits in a number"),
    "work": (20_000_000, "queues times events of one run"),
    "output": (30_000_000, "characters in one answer"),
    "phases": (200_000, "phases of one fluid run"),
    "points": (10_000_000, "points of one sweep"),
    "segments": (500_000, "pieces in which all queues of one fluid run move, each with numbers of its own"),
    "packets": (20_000_000, "packets of one generated trace"),
    "queues": (200_000, "queues of all policies in one replay of packets, or ports and senders of a generated one"),
    "product": (8_000_000, "pairs of a state of a policy and one of the optimum in a competitive ratio"),
}
DEFAULTS: Mapping[str, int] = {name: most for name, (most, _) in _BUDGETS.items()}
"""The budgets and their default values."""
MEANINGS: Mapping[str, str] = {name: meaning for name, (_, meaning) in _BUDGETS.items()}
"""The quantity that each budget limits."""

_VARIABLE = "DTMODEL_BUDGETS"
_ENDLESS = 10**18
_raised: ContextVar[Mapping[str, int]] = ContextVar("budgets", default={})  # noqa: B039  # never changed, only replaced


def limit(name: str) -> int:
    """Return the present value of the budget `name`."""
    here = _raised.get()
    return here[name] if name in here else _of_the_process()[name]


@cache
def _of_the_process() -> Mapping[str, int]:
    """Read the environment, with a cache: every number that is read or written needs its budget."""
    return {**DEFAULTS, **read_budgets(os.environ.get(_VARIABLE, "").split(), _VARIABLE)}


def keep_within(name: str, used: int, field: str) -> None:
    """Raise `BudgetError`, with the way to raise the budget `name`, if the amount `used` by a `field` exceeds it."""
    if used <= limit(name):
        return
    _of_the_process.cache_clear()  # after an error a notebook may raise the budget for its own process
    if used > (most := limit(name)):
        remedy = f'{_VARIABLE}="{name}={used}" raises it' if used < _ENDLESS else "no machine has as much"
        raise BudgetError(field, used, f"at most {most:,} {MEANINGS[name]} (a budget: {remedy})")


def digits(value: Rational | int, field: str) -> None:
    """Raise `BudgetError` if the exact `value` of a `field` has more digits than the budget, without writing them."""
    most, p, q = limit("digits"), int(value.numerator).bit_length(), int(value.denominator).bit_length()
    if p > most or q > most:  # there are fewer digits than bits
        least = (max(p, q) - 1) * 30103 // 100_000 + 1  # log10(2); at most one less than there are
        keep_within("digits", least, field)


@contextmanager
def raised(**limits: int) -> Iterator[None]:
    """Set budgets for a block; `limits` are the new values by name.

    >>> with raised(events=5_000_000):
    ...     limit("events")
    5000000
    """
    for name, value in limits.items():
        _known(name, value, "budgets")
    token = _raised.set({**_raised.get(), **limits})
    try:
        yield
    finally:
        _raised.reset(token)


def read_budgets(words: list[str], field: str) -> dict[str, int]:
    """Read budgets written ``name=number`` in some `words`; `field` names them in an error.

    >>> read_budgets(["events=5000000"], "--budget")
    {'events': 5000000}
    """
    found = {}
    for word in words:
        name, _, number = word.partition("=")
        _known(name, int(number) if number.isascii() and number.isdecimal() and len(number) < 20 else word, field)
        found[name] = int(number)
    return found


def _known(name: str, value: object, field: str) -> None:
    if name not in DEFAULTS:
        raise InputError(field, name, one_of(DEFAULTS, name))
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(field, value, f"a whole number of at least 1 for {name}")
