"""Many documents of scenarios in floats: those of one form are one scenario of vectors in the native core."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from dtmodel.base.documents import identity
from dtmodel.base.errors import InputError
from dtmodel.fluid.batch import DONE, UNDECIDED, order_of
from dtmodel.fluid.columns import Form, forms_of, in_groups, in_vectors, run_rows, stacked
from dtmodel.fluid.scenario import Scenario
from dtmodel.fluid.simulation import answers_in_floats, core_answer
from dtmodel.native.library import loaded

_LEAST, _MOST = 8, 200
"""The number of documents of one form that pays for vectors, and the most numbers of each."""
_RESULTS = "first_drop", "free_at_first_drop", "dropped", "drained", "length"


def answers(documents: Sequence[tuple[Mapping[str, Any], str | int]]) -> Iterator[dict[str, Any]]:
    """Yield the answer of each document in floats, as `dtmodel.fluid.answer` does; an error is raised in its turn.

    `documents`: each with the id of its answer if it has none.
    """
    found = _found(documents) if len(documents) >= _LEAST and loaded()[0] else {}
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


def _found(documents: Sequence[tuple[Mapping[str, Any], str | int]]) -> dict[int, dict[str, Any]]:
    """Return the answers that the core decides in rows, by the places of their documents."""
    names, contents = list[str | int](), list[Any]()
    with suppress(InputError):  # nothing is answered after a document whose id is none
        for content, name in documents:
            names.append(identity(content, name))
            contents.append({key: value for key, value in content.items() if key != "id"})
    forms = [form for form in forms_of(contents) if len(form.places) >= _LEAST and len(form.columns) <= _MOST]
    groups = [_Group(form, names) for form in forms]
    for group in groups:
        group.run()
    return {place: answer for group in groups for place, answer in group.found.items()}


class _Group:
    """The documents of one `form`, with the ids of all documents, and the answers that are found."""

    def __init__(self, form: Form, names: Sequence[str | int]) -> None:
        self._form, self._names = form, names
        self.found = dict[int, dict[str, Any]]()
        self._undecided = list[int]()

    def run(self) -> None:
        """Answer the documents that the core decides in rows."""
        in_groups(range(len(self._form.places)), self._run, _LEAST)
        in_groups(self._undecided, partial(self._run, ties=True), _LEAST)

    def _run(self, rows: Any, ties: bool = False) -> None:
        scenario = in_vectors(lambda: Scenario.read(self._form.at(rows)), self._form)
        if not scenario.queues:
            raise LookupError("no columns of queues")
        results = run_rows(stacked(scenario, len(rows), ties=ties), order_of(scenario.sample))
        answers = zip(rows.tolist(), results("status").tolist(), *map(_listed, map(results, _RESULTS)), strict=True)
        for row, status, *told in answers:
            place = self._form.places[row]
            if status == DONE:
                self.found[place] = core_answer(self._names[place], *told)
            elif status >= UNDECIDED and not ties:
                self._undecided.append(row)


def _listed(values: Any) -> list[Any]:
    """Return rows of floats as lists, None in place of NaN."""
    import numpy as np

    made = values.astype(object)
    made[np.isnan(values)] = None
    listed: list[Any] = made.tolist()
    return listed
