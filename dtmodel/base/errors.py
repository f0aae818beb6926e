"""The named errors of dtmodel."""

from collections.abc import Iterable
from enum import Enum
from typing import Literal, Self

_LONGEST = 80


class Missing(Enum):
    """The value of a field that was not given."""

    VALUE = "missing"


MISSING: Literal[Missing.VALUE] = Missing.VALUE
"""The value that an `InputError` has for a field that was not given."""


class DtmodelError(Exception):
    """The base of every error that dtmodel raises on purpose.

    >>> from dtmodel import Switch
    >>> try:
    ...     Switch(ports=0, buffer="1 MB", rate="1 Gbps")
    ... except DtmodelError as error:
    ...     print(error)
    switch.ports: got 0; expected a whole number of at least 1
    """


class InputError(DtmodelError):
    """An input that cannot be used, with its field, its value, and the values that would be accepted.

    - `field`: the field as the user wrote it, for example ``"switch.buffer"``.
    - `value`: the offending value; `MISSING` if none was given.
    - `accepted`: the values that would be accepted.

    >>> print(InputError("alpha", "-1", "a number greater than 0"))
    alpha: got '-1'; expected a number greater than 0
    """

    def __init__(self, field: str, value: object, accepted: str) -> None:
        self.field, self.value, self.accepted = field, value, accepted
        given = "missing" if value is MISSING else f"got {_shown(value)}"
        super().__init__(f"{printable(field)}: {given}; expected {accepted}")

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.field, self.value, self.accepted))

    def within(self, where: str) -> Self:
        """Return this error with a place before its field: `where`, such as ``"a.json, line 3"``."""
        return type(self)(f"{where}: {self.field}", self.value, self.accepted)


class BudgetError(InputError):
    """An input that would take more time or memory than a budget of `dtmodel.base.budgets` allows.

    >>> print(BudgetError("alpha", "9...", "a number of at most 10,000 digits"))
    alpha: got '9...'; expected a number of at most 10,000 digits
    """


class ExtraError(DtmodelError):
    """A missing package of an extra of dtmodel, or a missing engine that was required.

    - `package`: the missing package.
    - `extra`: the extra that installs it.
    - `install`: the command that installs it, if no extra does.

    >>> print(ExtraError("matplotlib", "plot"))
    this needs matplotlib: pip install 'dtmodel-buffers[plot]'
    """

    def __init__(self, package: str, extra: str = "", install: str = "") -> None:
        self.package, self.extra, self.install = package, extra, install or f"pip install 'dtmodel-buffers[{extra}]'"
        super().__init__(f"this needs {package}: {self.install}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the error by its fields, so that a worker process can raise it."""
        return type(self), (self.package, self.extra, self.install)


class LedgerError(DtmodelError):
    """A fault of the ledger itself (a claim without evidence, a duplicate id, a witness that cannot be replayed).

    >>> from dtmodel.ledger import evidence
    >>> evidence(form="printed", strength="exact")
    Traceback (most recent call last):
        ...
    dtmodel.base.errors.LedgerError: evidence names (): name one or more claim ids, each a string
    """


class ModelError(DtmodelError):
    """A run broke a law of the model: bytes were lost or created, or a buffer held too many. The code is at fault.

    A policy from outside the package may be the cause: its thresholds must not let the queues exceed the buffer.

    >>> from fractions import Fraction
    >>> from dtmodel import Arrivals, Switch, policies, simulate
    >>> class Greedy(policies.Policy):
    ...     def thresholds(self, queues):
    ...         return (policies.Threshold(Fraction(0), Fraction(99)),) * queues
    >>> simulate(Switch(ports=1, buffer=6, rate=1), Greedy(), {0: Arrivals.constant(3)}, until=9)
    Traceback (most recent call last):
        ...
    dtmodel.base.errors.ModelError: at 9 s the queues hold 12 bytes more than the buffer
    """


class ProverError(DtmodelError):
    """A prover could not be run, disagreed with another one, or was given contradictory hypotheses.

    >>> import sympy
    >>> from dtmodel.ledger.provers import prove
    >>> x = sympy.Symbol("x", real=True)
    >>> try:
    ...     prove([x > 0, x < 0], x > 1)
    ... except ProverError:
    ...     print("from nothing follows everything")
    from nothing follows everything
    """


def one_of(words: Iterable[object], given: object = None) -> str:
    """Return a list of the accepted words, with a suggestion if `given` is similar to one of them."""
    known = list(map(str, words))
    several = "one of " if len(known) > 1 else ""
    return f"{several}{', '.join(map(printable, known))}{did_you_mean(given, known)}"


def did_you_mean(given: object, words: Iterable[str]) -> str:
    """Return a suggestion in brackets, after a space; empty if none of the `words` is similar to the one `given`.

    >>> did_you_mean("Steady", ["steady"]), did_you_mean(7, ["steady"])
    (" (did you mean 'steady'?)", '')
    """
    from difflib import get_close_matches

    if not isinstance(given, str) or len(given) > _LONGEST:
        return ""
    folded = {word.casefold(): word for word in words}
    near = get_close_matches(given.casefold(), folded, n=1, cutoff=0.6)
    return f" (did you mean '{printable(folded[near[0]])}'?)" if near else ""


def printable(text: str) -> str:
    r"""Escape the characters of a `text` that can disturb a terminal: controls, lone surrogates, bidirectional marks.

    >>> print(printable("a\x1b[2J\ud800"))
    a\x1b[2J\ud800
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _shown(value: object) -> str:
    """Show any value in one short line that every terminal can print."""
    try:
        text = repr(value) if isinstance(value, str) else str(value)
    except (ValueError, RecursionError):  # Python refuses to write out long whole numbers, and deep lists
        text = f"a {type(value).__name__} too long to show"
    text = printable(text[: 2 * _LONGEST])
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
