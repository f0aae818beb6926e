"""Many documents of scenarios in floats: those of one form are one scenario of vectors in the native core."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from dtmodel.base.documents import identity
from dtmodel.base.errors import InputError
from dtmodel.base.vectors import Texts
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
    """Collect the numbers of a document, and everything else in `words`, by which the numbers have their places."""
    kind = type(value)
    if kind is dict:
        words.append(tuple(value))
        for item in value.values():
            _take_apart(item, words, numbers)
    elif kind is list:
        words.append(len(value))
        for item in value:
            _take_apart(item, words, numbers)
    elif _is_number(value):
        words.append(None)
        numbers.append(value)
    else:
        words.append((kind, value))


def _with(document: Any, replace: Callable[[Any], Any]) -> Any:
    """Return a document with other numbers: those that `replace` gives for its own."""
    if type(document) is dict:
        return {key: _with(item, replace) for key, item in document.items()}
    if type(document) is list:
        return [_with(item, replace) for item in document]
    return replace(document) if _is_number(document) else document


def _is_number(value: object) -> bool:
    return type(value) is int or (type(value) is str and value[:1] in _DIGITS)


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

        made = dict[tuple[Any, ...], Texts]()
        columns = [made.setdefault(each, Texts(each)) for each in zip(*self._numbers, strict=True)]
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

    def _scenario(self, columns: Sequence[Texts], rows: Any) -> Scenario:
        """Return the scenario of some rows, in vectors."""
        numbers = iter([column.at(rows) for column in columns])
        try:
            scenario = Scenario.read(_with(self._first, lambda _: next(numbers)))
        except InputError as error:
            if not any(column.divides(error.value) for column in columns):
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
