"""Many documents of scenarios in floats: those of one form are one scenario of vectors in the native core."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

from dtmodel.base.documents import identity
from dtmodel.base.errors import InputError
from dtmodel.base.vectors import Texts, holds
from dtmodel.fluid.batch import DONE, UNDECIDED, order_of
from dtmodel.fluid.columns import in_groups, run_rows, stacked
from dtmodel.fluid.scenario import Scenario
from dtmodel.fluid.simulation import answers_in_floats, core_answer
from dtmodel.native.library import loaded

_LEAST = 8
"""The number of documents of one form that pays for vectors."""
_DIGITS = frozenset("0123456789.+-")
_RESULTS = "first_drop", "free_at_first_drop", "dropped", "drained", "length"
Named = tuple[Mapping[str, Any], str | int]
"""A document, and the id of its answer if the document has none."""


def answers(documents: Sequence[Named]) -> Iterator[dict[str, Any]]:
    """Yield the answer of each document in floats, as `dtmodel.fluid.answer` does; an error is raised in its turn."""
    found = dict[int, dict[str, Any]]()
    for form in _forms(documents) if loaded()[0] else ():
        found |= form.answered()
    rest, wrong = list[Scenario](), dict[int, InputError]()
    for place, (content, name) in enumerate(documents):
        if place not in found:
            try:
                rest.append(Scenario.read(content, name))
            except InputError as error:
                wrong[place] = error
                break
    others = answers_in_floats(rest)
    for place in range(len(documents)):
        if place in wrong:
            raise wrong[place]
        yield found[place] if place in found else next(others)


def _forms(documents: Sequence[Named]) -> list[_Form]:
    """Return the forms that many documents share: these differ in numbers alone."""
    forms = dict[tuple[object, ...], _Form]()
    for place, (content, name) in enumerate(documents):
        words, numbers = list[object](), list[Any]()
        with suppress(TypeError, InputError, RecursionError):  # a value of another type, an id that is none
            own = identity(content, name)
            _take_apart({**content, "id": None}, words, numbers)
            forms.setdefault(tuple(words), _Form(content)).add((place, own), numbers)
    return [form for form in forms.values() if len(form.places) >= _LEAST]


def _take_apart(value: Any, words: list[object], numbers: list[Any]) -> None:
    """Collect the numbers of a document, and everything else in `words`, which determine where the numbers stand."""
    kind = type(value)
    if kind is dict:
        words.append(tuple(value))
        for item in value.values():
            _take_apart(item, words, numbers)
    elif kind is list:
        words.append(len(value))
        for item in value:
            _take_apart(item, words, numbers)
    elif kind is int or (kind is str and value[:1] in _DIGITS):
        words.append(None)
        numbers.append(value)
    else:
        words.append((kind, value))


def _put_together(value: Any, numbers: Iterator[Any]) -> Any:
    """Return a document with other numbers."""
    if type(value) is dict:
        return {key: _put_together(item, numbers) for key, item in value.items()}
    if type(value) is list:
        return [_put_together(item, numbers) for item in value]
    return next(numbers) if type(value) is int or (type(value) is str and value[:1] in _DIGITS) else value


class _Column:
    """The numbers at one place of documents: a vector, or one number if these are the same or no vector suits."""

    def __init__(self, values: tuple[Any, ...]) -> None:
        self.texts = Texts(values)
        self._alike = len(set(values)) == 1

    def at(self, rows: Any) -> Any:
        """Return the numbers of some rows; raise `Divided` if these must be the same."""
        if not self._alike:
            return self.texts.at(rows)
        holds(self._ranks[rows] == self._ranks[rows[0]])
        return self.texts.values[rows[0]]

    @cached_property
    def _ranks(self) -> Any:
        """An integer for each value, equal for equal ones."""
        import numpy as np

        ranks = dict[Any, int]()
        return np.array([ranks.setdefault(value, len(ranks)) for value in self.texts.values])

    def takes_apart(self, refused: object) -> bool:
        """Demand one number from now on if a reader `refused` this vector, and return True then."""
        own = isinstance(refused, Texts) and refused.values is self.texts.values
        self._alike |= own
        return own


class _Form:
    """The documents of one form, that of the document `first`: their numbers, and the place and the id of each."""

    def __init__(self, first: Mapping[str, Any]) -> None:
        self._first = {key: item for key, item in first.items() if key != "id"}
        self.places: list[tuple[int, str | int]] = []
        self._numbers: list[list[Any]] = []

    def add(self, place: tuple[int, str | int], numbers: list[Any]) -> None:
        """Add a document by its place and id."""
        self.places.append(place)
        self._numbers.append(numbers)

    def answered(self) -> dict[int, dict[str, Any]]:
        """Return the answers of the documents that the core decides in rows, by their places."""
        import numpy as np

        made = dict[tuple[Any, ...], _Column]()
        columns = [made.setdefault(each, _Column(each)) for each in zip(*self._numbers, strict=True)]
        found, undecided = dict[int, dict[str, Any]](), list[int]()

        def run(rows: Any, ties: bool = False) -> None:
            scenario = self._scenario(columns, rows)
            results = run_rows(stacked(scenario, len(rows), ties=ties), order_of(scenario.sample))
            answers = zip(rows.tolist(), results("status").tolist(), *map(_listed, map(results, _RESULTS)), strict=True)
            for row, status, *told in answers:
                place, name = self.places[row]
                if status == DONE:
                    found[place] = core_answer(name, *told)
                elif status >= UNDECIDED and not ties:
                    undecided.append(row)

        in_groups(np.arange(len(self.places)), run, _LEAST)
        in_groups(np.array(undecided, int), partial(run, ties=True), _LEAST)
        return found

    def _scenario(self, columns: Sequence[_Column], rows: Any) -> Scenario:
        """Return the scenario of some rows, in vectors."""
        numbers = [column.at(rows) for column in columns]
        try:
            scenario = Scenario.read(_put_together(self._first, iter(numbers)))
        except InputError as error:
            if not any(column.takes_apart(error.value) for column in columns):
                raise
            return self._scenario(columns, rows)
        if not scenario.queues:
            raise LookupError
        return scenario


def _listed(values: Any) -> list[Any]:
    """Return rows of floats as lists, None in place of NaN."""
    import numpy as np

    made = values.astype(object)
    made[np.isnan(values)] = None
    listed: list[Any] = made.tolist()
    return listed
